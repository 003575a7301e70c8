/* SPDX-License-Identifier: Apache-2.0 */
/* Accepts connections of autopilots and plugins of bodies, before time 0 and later. foreigns.c
 * and channel.c call it. */
#include "boards/swarm/outside/foreign_internal.h"

#include "boards/swarm/core/listener.h"
#include "boards/swarm/processes/processes.h"
#include "fleet/place.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define WAIT_MS        50    /* longest wait until a signal is noticed [ms] */
#define ARDUPILOT_PORT 9002u /* UDP port of its instance 0; each next one has one 10 higher */
#define LISTENERS_MAX  (FOREIGN_SIDES * MF_SCENARIO_ENTITIES_MAX)

struct listener {
    struct swarm *w;
    enum foreign_side side;
    const char *path;
    struct mf_local_socket local;
    struct mf_door door;
};

/* Listeners of a run, open until its end. */
struct foreign_door {
    struct listener listener[LISTENERS_MAX];
    uint32_t listeners;
    struct pollfd polls[LISTENERS_MAX * MF_DOOR_POLL_MAX + 1u];
};

const size_t swarm_foreign_door_bytes = sizeof(struct foreign_door);

static struct foreign_door *door_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_FOREIGN_DOOR];
}

static const struct mf_door_ops k_ops;

static const char *get_path(const struct foreign *f, enum foreign_side side)
{
    return side == FOREIGN_PLUGIN ? f->e->autopilot.plugin : f->e->autopilot.ac;
}

static struct listener *find_listener(const struct swarm *w, const char *path)
{
    struct foreign_door *d = door_of(w);
    for (uint32_t k = 0; k < d->listeners; k++) {
        if (strcmp(d->listener[k].path, path) == 0) {
            return &d->listener[k];
        }
    }
    return NULL;
}

static int listen_for_body(struct swarm *w, const struct foreign *f, enum foreign_side side)
{
    struct foreign_door *d = door_of(w);
    static const char *const k_key[] = {"autopilot.ac", "autopilot.plugin"};
    const char *path = get_path(f, side);
    const struct listener *there = find_listener(w, path);
    const int line = f->e->autopilot.line;
    if (path[0] == '\0' || (there != NULL && there->side == side)) {
        return SWARM_OK;
    }
    if (there != NULL) {
        return swarm_refuse(w, line, "%s: %s: autopilots and plugins need a socket each",
                            k_key[side], path);
    }
    const struct swarm_listener where = {.key = k_key[side], .line = line, .where = path};
    struct listener *l = &d->listener[d->listeners];
    *l = (struct listener){.w = w, .side = side, .path = path};
    if (swarm_listen_local(w, &where, SOCK_SEQPACKET, &l->local) != SWARM_OK) {
        return SWARM_INPUT;
    }
    mf_door_open(&l->door, l->local.fd, &k_ops, l);
    d->listeners++;
    return SWARM_OK;
}

static uint32_t get_port(const struct mf_scenario_entity *e, uint32_t i)
{
    return e->autopilot.json_port + MF_SCENARIO_JSON_EACH * (i - e->first);
}

/* Write where an autopilot connects: over JSON with the instance that has this port. */
static void write_door(const struct mf_scenario_entity *e, uint32_t i, char *text, size_t room)
{
    const uint32_t port = get_port(e, i), above = port - ARDUPILOT_PORT;
    if (e->autopilot.json_port == 0) {
        (void)snprintf(text, room, "%s", e->autopilot.ac);
    } else if (port < ARDUPILOT_PORT || above % MF_SCENARIO_JSON_EACH != 0) {
        (void)snprintf(text, room, "UDP port %u", (unsigned)port);
    } else {
        (void)snprintf(text, room, "UDP port %u, -I%u", (unsigned)port,
                       (unsigned)(above / MF_SCENARIO_JSON_EACH));
    }
}

static void print_home(const struct swarm *w, const struct mf_scenario_entity *e, uint32_t i)
{
    const bool json = e->autopilot.json_port > 0;
    const double *frame = foreign_frame(w);
    char name[SWARM_NAME_MAX], door[MF_SCENARIO_SOCKET_MAX];
    const struct mf_placed home =
        json ? mf_place(w->scenario, i) : (struct mf_placed){{frame[0], frame[1]}, frame[2]};
    mf_scenario_member_name(w->scenario, i, name);
    write_door(e, i, door, sizeof door);
    (void)fprintf(stderr, "mayfly-swarm: autopilot of %s: %s, --home %.9f,%.9f,%.4f,%g\n",
                  json ? name : e->name, door, home.at.lat_deg, home.at.lon_deg, home.alt_amsl_m,
                  e->autopilot.yaw_deg);
}

void foreign_print_homes(const struct swarm *w)
{
    for (uint32_t k = 0; k < w->scenario->entities; k++) {
        const struct mf_scenario_entity *e = &w->scenario->entity[k];
        const bool flies = e->as == MF_SCENARIO_KIND_BODY && e->autopilot.plugin[0] == '\0';
        const uint32_t lines = e->autopilot.json_port > 0 ? e->count : 1u;
        for (uint32_t i = 0; flies && i < lines; i++) {
            print_home(w, e, e->first + i);
        }
    }
}

static int listen_json(struct swarm *w, struct foreign *f)
{
    f->fd[FOREIGN_AUTOPILOT] = swarm_port_bind(w, f->e->autopilot.line, "autopilot.json",
                                               get_port(f->e, f->i), SOCK_DGRAM);
    return f->fd[FOREIGN_AUTOPILOT] >= 0 ? SWARM_OK : SWARM_INPUT;
}

int foreign_door_open(struct swarm *w)
{
    int result = SWARM_OK;
    for (uint32_t k = 0; k < swarm_foreigns_of(w)->count && result == SWARM_OK; k++) {
        struct foreign *f = &swarm_foreigns_of(w)->all[k];
        result = foreign_is_json(f) ? listen_json(w, f) : listen_for_body(w, f, FOREIGN_AUTOPILOT);
        result = result == SWARM_OK ? listen_for_body(w, f, FOREIGN_PLUGIN) : result;
    }
    if (result == SWARM_OK) {
        foreign_print_homes(w);
    }
    return result;
}

/* Find a body by its member's name or number.
 * @return NULL: no such body, or it uses another socket */
static struct foreign *find_body(struct swarm *w, const struct listener *at, const char *text)
{
    uint32_t i = 0, to = 0;
    const bool named = mf_scenario_find(w->scenario, text, &i, &to) && to == i + 1u;
    if (!named) {
        const unsigned long number = strtoul(text, NULL, 10);
        if (text[0] == '\0' || strspn(text, "0123456789") != strlen(text) ||
            number >= w->scenario->members) {
            return NULL;
        }
        i = (uint32_t)number;
    }
    if (mf_scenario_entity_of(w->scenario, i)->as != MF_SCENARIO_KIND_BODY) {
        return NULL;
    }
    struct foreign *f = foreign_of(w, i);
    return strcmp(get_path(f, at->side), at->path) == 0 ? f : NULL;
}

/* Reason to refuse a connection to a body; NULL: accept it. */
static const char *find_refusal(const struct swarm *w, const struct foreign *f,
                                enum foreign_side side)
{
    const bool late = swarm_foreigns_of(w)->begun;
    if (late && side == FOREIGN_PLUGIN) {
        return "Gazebo's bodies must connect before time 0";
    }
    if (late && foreign_is_plugins(f) && f->fd[FOREIGN_PLUGIN] < 0) {
        return "the plugin of that body has disconnected";
    }
    return f->fd[side] >= 0 ? "that body has a connection already" : NULL;
}

static bool has_hung_up(int fd)
{
    struct pollfd one = {fd, 0, 0};
    return fd >= 0 && poll(&one, 1, 0) > 0;
}

/* Length of the first message, for the door: a packet is complete as it arrives. */
static size_t name_length(const uint8_t *bytes, size_t n)
{
    (void)bytes, (void)n;
    return 1;
}

static void print_line(void *ctx, const char *text)
{
    const struct listener *at = ctx;
    (void)fprintf(stderr, "mayfly-swarm: %s at %s: %s\n", foreign_side_words[at->side], at->path,
                  text);
}

/* Attach a connection to the body that its first packet names, or close it. If the body's old
 * connection has hung up and is not closed yet, the new one waits. */
static enum mf_door_verdict accept_connection(void *ctx, int fd)
{
    struct listener *at = ctx;
    struct swarm *w = at->w;
    struct swarm_foreigns *foreigns = swarm_foreigns_of(w);
    const enum foreign_side side = at->side;
    char packet[SWARM_NAME_MAX], text[SWARM_NAME_MAX + 1u], line[SWARM_NAME_MAX + 128u];
    const ssize_t got = recv(fd, packet, sizeof packet, MSG_DONTWAIT | MSG_PEEK);
    mf_foreign_ac_name(packet, got > 0 ? (size_t)got : 0, text, sizeof text);
    struct foreign *f = got > 0 ? find_body(w, at, text) : NULL;
    if (f != NULL && has_hung_up(f->fd[side])) {
        return MF_DOOR_LATER;
    }
    (void)recv(fd, packet, sizeof packet, MSG_DONTWAIT);
    const char *why =
        f == NULL ? "a body's name or number must come first" : find_refusal(w, f, side);
    if (why != NULL) {
        (void)snprintf(line, sizeof line, "'%s' is disconnected: %s", text, why);
        mf_door_print(&at->door, line);
        (void)close(fd);
        return MF_DOOR_TAKEN;
    }
    f->fd[side] = fd;
    foreign_mark_connected(w, f, side);
    if (foreigns->begun) {
        foreigns->absent--;
    }
    if (foreigns->begun && !foreign_is_plugins(f) && !f->has) { /* if not sent here, the next
                                                                 * step sends the state */
        foreign_send_state(w, f);
    }
    return MF_DOOR_TAKEN;
}

static const struct mf_door_ops k_ops = {name_length, accept_connection, print_line};

static void close_listeners(const struct swarm *w)
{
    struct foreign_door *d = door_of(w);
    for (uint32_t k = 0; k < d->listeners; k++) {
        mf_door_close(&d->listener[k].door);
        mf_local_close(&d->listener[k].local);
    }
    d->listeners = 0;
}

/* ---- waiting for time 0 */

static bool is_missing(const struct foreign *f, enum foreign_side side)
{
    if (side == FOREIGN_AUTOPILOT && foreign_is_json(f)) {
        return !f->come;
    }
    return get_path(f, side)[0] != '\0' && f->fd[side] < 0;
}

/* True if as many of an entity's autopilots are connected as autopilot.expect says, and that is
 * not all. */
static bool are_enough_connected(const struct swarm *w, const struct mf_scenario_entity *e)
{
    const struct foreign *all = foreign_of(w, e->first);
    uint32_t come = 0;
    for (uint32_t k = 0; k < e->count && e->autopilot.expect < e->count; k++) {
        come += is_missing(&all[k], FOREIGN_AUTOPILOT) ? 0u : 1u;
    }
    return e->autopilot.expect < e->count && come >= e->autopilot.expect;
}

/* Find a connection that time 0 still needs.
 * @param side  out
 * @return its body; NULL: all are connected */
static struct foreign *find_missing(const struct swarm *w, enum foreign_side *side)
{
    for (uint32_t k = 0; k < swarm_foreigns_of(w)->count; k++) {
        struct foreign *f = &swarm_foreigns_of(w)->all[k];
        for (*side = 0; *side < FOREIGN_SIDES; ++*side) {
            if (is_missing(f, *side) &&
                (*side == FOREIGN_PLUGIN || !are_enough_connected(w, f->e))) {
                return f;
            }
        }
    }
    return NULL;
}

static void print_missing(const struct swarm *w, const struct foreign *f, enum foreign_side side)
{
    char name[SWARM_NAME_MAX];
    foreign_get_name(w, f, name);
    if (foreign_is_json(f)) {
        (void)fprintf(stderr, "mayfly-swarm: time 0 waits for the autopilot of %s at UDP port %u\n",
                      name, (unsigned)get_port(f->e, f->i));
    } else {
        (void)fprintf(stderr, "mayfly-swarm: time 0 waits for the %s of %s at %s\n",
                      foreign_side_words[side], name, get_path(f, side));
    }
}

/* Accept connections for at most @p wait_ms.
 * @param f  an arriving JSON frame of this body ends the wait, too; NULL: none */
static void serve_listeners(const struct swarm *w, const struct foreign *f, int wait_ms)
{
    struct foreign_door *d = door_of(w);
    nfds_t n = 0;
    if (f != NULL && foreign_is_json(f)) {
        d->polls[n++] = (struct pollfd){f->fd[FOREIGN_AUTOPILOT], POLLIN, 0};
    }
    for (uint32_t k = 0; k < d->listeners; k++) {
        n += mf_door_poll(&d->listener[k].door, d->polls + n);
        wait_ms = mf_door_wait_ms(&d->listener[k].door, wait_ms);
    }
    const bool any = poll(d->polls, n, wait_ms) > 0;
    for (uint32_t k = 0; k < d->listeners; k++) {
        struct mf_door *door = &d->listener[k].door;
        if (any || door->count > 0) {
            mf_door_look(door);
        }
    }
}

/* Look at all sockets. @param f  as for serve_listeners() */
static void serve_all(struct swarm *w, const struct foreign *f, int wait_ms)
{
    struct swarm_foreigns *a = swarm_foreigns_of(w);
    serve_listeners(w, f, wait_ms);
    for (uint32_t k = 0; k < a->count; k++) {
        if (foreign_is_json(&a->all[k])) {
            foreign_drain_json(w, &a->all[k]);
        }
    }
}

struct foreign *foreign_door_find_missing(struct swarm *w)
{
    enum foreign_side side;
    serve_all(w, NULL, 0);
    return find_missing(w, &side);
}

void foreign_door_begin(struct swarm *w)
{
    struct swarm_foreigns *a = swarm_foreigns_of(w);
    for (uint32_t k = 0; k < a->count; k++) {
        const bool json = foreign_is_json(&a->all[k]);
        a->absent += !json && is_missing(&a->all[k], FOREIGN_AUTOPILOT) ? 1u : 0u;
    }
    a->begun = true;
}

bool foreign_door_gather(struct swarm *w)
{
    const double since_s = swarm_wall_s();
    bool reported = false;
    enum foreign_side side;
    const struct foreign *f = find_missing(w, &side);
    for (; f != NULL && !*w->hold.stop && !swarm_processes_has_failed(w);
         f = find_missing(w, &side)) {
        serve_all(w, f, WAIT_MS);
        if (!reported && swarm_wall_s() - since_s > f->e->autopilot.patience_s) {
            print_missing(w, f, side);
            reported = true;
        }
    }
    foreign_door_begin(w);
    return f == NULL;
}

void foreign_door_look(struct swarm *w)
{
    struct swarm_foreigns *a = swarm_foreigns_of(w);
    const double now_s = swarm_wall_s();
    if (door_of(w)->listeners == 0 || (a->absent == 0 && now_s - a->looked_s < WAIT_MS * 1e-3)) {
        return; /* all are connected: wait before the next look */
    }
    a->looked_s = now_s;
    serve_listeners(w, NULL, 0);
}

void foreign_door_close(struct swarm *w)
{
    close_listeners(w);
    for (uint32_t k = 0; k < swarm_foreigns_of(w)->count; k++) {
        for (enum foreign_side side = 0; side < FOREIGN_SIDES; side++) {
            foreign_close(w, &swarm_foreigns_of(w)->all[k], side);
        }
    }
}
