/* SPDX-License-Identifier: Apache-2.0 */
/* Serves the participants of the bus: greets them, sends frames, and reads controllers in their
 * order. bus_world.c and the files of search/ call it. */
#include "boards/swarm/outside/bus.h"

#include "boards/swarm/core/listener.h"
#include "boards/swarm/core/participants.h"
#include "boards/swarm/core/trace.h"
#include "boards/swarm/ghosts/ghosts.h"
#include "boards/swarm/outside/frames.h"
#include "boards/swarm/processes/patience.h"
#include "boards/swarm/processes/processes.h"
#include "boards/swarm/radio/network_outside.h"
#include "boards/swarm/radio/receptions.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define FEED_FRAMES 1000u /* frames read from one feed in a turn; more wait for the next turn */
#define GREET_MS    200   /* longest wait for room for an ERROR frame [ms] */
#define HELLO_MAX   (MF_BUS_HEADER + 1u + MF_BUS_NAME_MAX + MF_BUS_TOKEN_MAX)

struct participant {
    int fd; /* -1: free place */
    bool greeted, on_report;
    double came_s; /* wall time of the connection [s] */
    struct mf_bus_hello hello;
    uint64_t until_ns; /* a controller's next turn is not before this vehicle time */
    struct mf_bus_reader reader;
    struct mf_bus_frame frame;
    uint8_t late[MF_BUS_FRAME_MAX]; /* rest of a frame that an observer's socket had no room for */
    size_t late_from, late_to;
};

struct swarm_bus {
    int listener;
    struct mf_local_socket local; /* owns @c listener at a local address; its fd is -1 at TCP */
    uint32_t tick;
    mf_us_t at_us, tick_us;
    void (*greet)(struct swarm *w, void *ctx, uint32_t i);
    void *greet_ctx;
    struct mf_bus_writer writer;
    struct mf_door door;
    struct participant all[SWARM_BUS_PARTICIPANTS + 1u]; /* the last one only to refuse */
};

static struct swarm_bus *bus_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_BUS];
}

static const char *get_role(const struct participant *p)
{
    static const char *const k_name[] = {"participant", "controller", "observer", "feed",
                                         "network"};
    return k_name[p->hello.role <= MF_BUS_SIMULATOR ? p->hello.role : 0];
}

static bool is_controller(const struct participant *p)
{
    return p->fd >= 0 && p->greeted && p->hello.role == MF_BUS_CONTROLLER;
}

static bool is_observer(const struct participant *p)
{
    return p->fd >= 0 && p->greeted && p->hello.role == MF_BUS_OBSERVER;
}

/* Trace a frame, unless of an observer: who only watches changes no run. */
static void trace_frame(const struct swarm *w, const struct participant *p, const char *how,
                        const uint8_t *bytes, size_t n)
{
    if (p->fd >= 0 && p->greeted && p->hello.role != MF_BUS_OBSERVER) {
        swarm_trace_carry(swarm_trace_of(w), (uint64_t)bus_of(w)->at_us * 1000u, true, bytes, n,
                          "%s '%s' %s", get_role(p), p->hello.name, how);
    }
}

/* ---- sending */

struct mf_bus_writer *swarm_bus_frame(struct swarm *w, enum mf_bus_type type)
{
    struct swarm_bus *b = bus_of(w);
    mf_bus_begin(&b->writer, type, b->tick, (uint64_t)b->at_us * 1000u);
    return &b->writer;
}

static void print_line(void *ctx, const char *text)
{
    (void)ctx;
    (void)fprintf(stderr, "mayfly-swarm: bus: %s\n", text);
}

/* Add the participant's line to the table that is printed at the end of the run. */
static void list_participant(struct swarm *w, const struct participant *p, const char *how)
{
    char name[MF_BUS_NAME_MAX + 16u];
    (void)snprintf(name, sizeof name, "%s '%s'", get_role(p), p->hello.name);
    swarm_participants_add(w, &(struct swarm_participant){"bus", name, bus_of(w)->at_us,
                                                          swarm_wall_s() - p->came_s, how});
}

/* Disconnect a participant. @param why  its fault, sent to it as ERROR; NULL: it left on its own */
static void end_participant(struct swarm *w, struct participant *p, const char *why)
{
    struct swarm_bus *b = bus_of(w);
    if (why != NULL) {
        struct mf_bus_writer *f = swarm_bus_frame(w, MF_BUS_ERROR);
        mf_bus_put_text(f, why, MF_KEYS_ERROR_MAX, false);
        mf_bus_end(f);
        struct pollfd poll_fd = {p->fd, POLLOUT, 0};
        if (p->late_from == p->late_to && poll(&poll_fd, 1, GREET_MS) > 0) {
            (void)send(p->fd, f->bytes, f->n, MSG_NOSIGNAL | MSG_DONTWAIT);
        }
    }
    char line[MF_KEYS_ERROR_MAX];
    (void)snprintf(line, sizeof line, "%s '%s' left at %.6f s%s%.150s", get_role(p), p->hello.name,
                   (double)b->at_us / 1e6, why != NULL ? ": it " : "", why != NULL ? why : "");
    if (p->greeted) {
        print_line(b, line);
        list_participant(w, p, why != NULL ? why : "left");
    } else if (why != NULL) {
        mf_door_print(&b->door, line);
    }
    (void)close(p->fd);
    p->fd = -1;
    swarm_ghosts_detach_feed(w, (uint32_t)(p - b->all), b->at_us);
}

/* Send the rest of a partly sent frame. @return false: the socket still blocks, or is closed */
static bool flush_late(struct swarm *w, struct participant *p)
{
    if (p->late_from < p->late_to) {
        const ssize_t n = send(p->fd, p->late + p->late_from, p->late_to - p->late_from,
                               MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno != EAGAIN) {
            end_participant(w, p, NULL);
        }
        p->late_from += n > 0 ? (size_t)n : 0;
    }
    return p->fd >= 0 && p->late_from == p->late_to;
}

/* Send a frame to an observer. A slow observer may miss frames, but never a part of one. */
static void send_to_observer(struct swarm *w, struct participant *p)
{
    const struct mf_bus_writer *f = &bus_of(w)->writer;
    if (!flush_late(w, p)) {
        return;
    }
    const ssize_t n = send(p->fd, f->bytes, f->n, MSG_NOSIGNAL | MSG_DONTWAIT);
    w->hold.sent += n > 0 ? (size_t)n : 0;
    if (n < 0 && errno != EAGAIN) {
        end_participant(w, p, NULL);
    } else if (n > 0 && (size_t)n < f->n) {
        memcpy(p->late, f->bytes + n, f->n - (size_t)n);
        p->late_from = 0;
        p->late_to = f->n - (size_t)n;
    }
}

/* Wall time at which a controller has been silent for too long [s]. */
static double deadline_s(const struct swarm *w)
{
    const double patience_s = w->scenario->bus.patience_s;
    return patience_s > 0.0 ? swarm_wall_s() + patience_s : 1e18;
}

static void send_to_controller(struct swarm *w, struct participant *p)
{
    const struct mf_bus_writer *f = &bus_of(w)->writer;
    const double until_s = deadline_s(w);
    for (size_t at = 0; at < f->n && p->fd >= 0 && !*w->hold.stop;) {
        struct pollfd poll_fd = {p->fd, POLLOUT, 0};
        const ssize_t n = send(p->fd, f->bytes + at, f->n - at, MSG_NOSIGNAL | MSG_DONTWAIT);
        at += n > 0 ? (size_t)n : 0;
        w->hold.sent += n > 0 ? (size_t)n : 0;
        if (n < 0 && errno != EAGAIN && errno != EINTR) {
            end_participant(w, p, NULL);
        } else if (n < 0 && swarm_wall_s() > until_s) {
            end_participant(w, p, "does not read its frames");
        } else if (n < 0) {
            (void)poll(&poll_fd, 1, swarm_patience_wait_ms(w));
            swarm_patience_serve_programs(w);
        }
    }
}

void swarm_bus_send_states(struct swarm *w, uint32_t count,
                           void (*put)(struct swarm *w, void *ctx, struct mf_bus_writer *f,
                                       uint32_t i),
                           void *ctx)
{
    for (uint32_t from = 0, to; from < count; from = to) {
        struct mf_bus_writer *f = swarm_bus_frame(w, MF_BUS_STATE);
        to = mf_bus_put_states(f, from, count);
        for (uint32_t i = from; i < to; i++) {
            put(w, ctx, f, i);
        }
        swarm_bus_send(w);
    }
}

void swarm_bus_send_to(struct swarm *w, uint32_t participant)
{
    struct participant *p = &bus_of(w)->all[participant];
    struct mf_bus_writer *f = &bus_of(w)->writer;
    mf_bus_end(f);
    trace_frame(w, p, "gets", f->bytes, f->n);
    if (p->fd >= 0 && p->hello.role == MF_BUS_CONTROLLER) {
        send_to_controller(w, p);
    } else if (p->fd >= 0) {
        send_to_observer(w, p);
    }
}

void swarm_bus_send(struct swarm *w)
{
    for (uint32_t i = 0; i < SWARM_BUS_PARTICIPANTS; i++) {
        if (bus_of(w)->all[i].greeted) {
            swarm_bus_send_to(w, i);
        }
    }
}

void swarm_bus_send_to_role(struct swarm *w, enum mf_bus_role role)
{
    for (uint32_t i = 0; i < SWARM_BUS_PARTICIPANTS; i++) {
        if (bus_of(w)->all[i].greeted && bus_of(w)->all[i].hello.role == (uint8_t)role) {
            swarm_bus_send_to(w, i);
        }
    }
}

/* ---- receiving */

/* Read the next frame into p->frame.
 * @return MF_E_OK; MF_E_AGAIN: not complete yet; MF_E_IO: the participant is disconnected */
static int read_frame(struct swarm *w, struct participant *p)
{
    const char *why = NULL;
    size_t room;
    int result = mf_bus_next(&p->reader, 0, &p->frame, &why);
    if (result == MF_E_AGAIN) {
        uint8_t *at = mf_bus_room(&p->reader, &room);
        const ssize_t n = recv(p->fd, at, room, MSG_DONTWAIT);
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
            end_participant(w, p, p->reader.have > 0 ? "ends within a frame" : NULL);
            return MF_E_IO;
        }
        result = mf_bus_next(&p->reader, n > 0 ? (size_t)n : 0, &p->frame, &why);
    }
    if (result == MF_E_RANGE) {
        end_participant(w, p, why);
        return MF_E_IO;
    }
    if (result == MF_E_OK) {
        trace_frame(w, p, "sends", p->frame.payload - MF_BUS_HEADER, p->frame.n + MF_BUS_HEADER);
    }
    return result;
}

/* Wait for a controller's next frame.
 * @return MF_E_OK; MF_E_IO: the controller is disconnected; MF_E_DENIED: it was silent for too
 * long, and an error is set; MF_E_PROGRESS: a signal ends the run */
static int wait_for_frame(struct swarm *w, struct participant *p)
{
    struct swarm_patience patience = {0};
    char who[MF_BUS_NAME_MAX + 64u];
    (void)snprintf(who, sizeof who, "controller '%s'%s", p->hello.name,
                   w->hold.serve != NULL ? ", which must not sleep on clock: virtual," : "");
    const struct swarm_patience_rule rule = {.key = "bus",
                                             .line = w->scenario->bus.line,
                                             .patience_s = w->scenario->bus.patience_s,
                                             .silent = w->scenario->bus.silent,
                                             .who = who,
                                             .at_us = bus_of(w)->at_us};
    for (;;) {
        const int result = read_frame(w, p);
        if (result != MF_E_AGAIN) {
            swarm_patience_end(w, &patience);
            return result;
        }
        struct pollfd poll_fd = {p->fd, POLLIN, 0};
        (void)poll(&poll_fd, 1, swarm_patience_wait_ms(w));
        if (*w->hold.stop) {
            return MF_E_PROGRESS;
        }
        swarm_patience_serve(w);
        switch (swarm_patience_check(w, &patience, &rule)) {
        case SWARM_PATIENCE_LASTS:
            break;
        case SWARM_PATIENCE_DROPS:
            end_participant(w, p, "was silent for too long");
            swarm_patience_end(w, &patience);
            return MF_E_IO;
        case SWARM_PATIENCE_STOPS:
            return MF_E_DENIED;
        }
    }
}

/* ---- new participants */

static bool is_same_token(const char *a, const char *b)
{
    unsigned differ = 0;
    for (size_t i = 0; i < MF_BUS_TOKEN_MAX; i++) {
        differ |= (unsigned)(a[i] ^ b[i]);
    }
    return differ == 0;
}

static void send_entities(struct swarm *w, uint32_t i)
{
    mf_bus_put_welcome(swarm_bus_frame(w, MF_BUS_WELCOME), w->scenario, i, w->scenario->bus.tick_s);
    swarm_bus_send_to(w, i);
    for (uint32_t k = 0; k < w->scenario->entities; k++) {
        mf_bus_put_entity(swarm_bus_frame(w, MF_BUS_ENTITY), &w->scenario->entity[k]);
        swarm_bus_send_to(w, i);
    }
}

/* Send frames that only observers need, to draw the scene. */
static void send_scene(struct swarm *w, uint32_t i)
{
    uint32_t next = 0;
    swarm_frame_scene(w, swarm_bus_frame(w, MF_BUS_SCENE));
    swarm_bus_send_to(w, i);
    do {
        next = swarm_frame_obstacles(w, swarm_bus_frame(w, MF_BUS_OBSTACLES), next);
        swarm_bus_send_to(w, i);
    } while (next > 0);
}

static void send_params(struct swarm *w, uint32_t i)
{
    mf_bus_put_params(swarm_bus_frame(w, MF_BUS_PARAMS), &w->scenario->search.own);
    swarm_bus_send_to(w, i);
}

/* Read HELLO of a new connection, and greet or refuse it.
 * @param i  its place; SWARM_BUS_PARTICIPANTS if all others are in use */
static void greet_participant(struct swarm *w, uint32_t i)
{
    struct swarm_bus *b = bus_of(w);
    struct participant *p = &b->all[i];
    struct mf_bus_hello hello;
    char token[MF_BUS_TOKEN_MAX] = "";
    const char *why = mf_bus_hello(&p->frame, &hello);
    (void)snprintf(token, sizeof token, "%s", w->scenario->bus.token);
    p->hello = hello;
    if (why == NULL && token[0] != '\0' && !is_same_token(token, hello.token)) {
        why = "gives a token that is not bus.token";
    }
    if (why == NULL && i == SWARM_BUS_PARTICIPANTS && hello.role != MF_BUS_SIMULATOR) {
        why = "connects when all 16 places are taken";
    }
    if (why != NULL) {
        end_participant(w, p, why);
        return;
    }
    if (hello.role == MF_BUS_SIMULATOR) {
        why = swarm_outside_join(w, p->fd, &p->reader);
        if (why != NULL) {
            end_participant(w, p, why);
        }
        p->fd = -1; /* radio/network_outside.c owns the connection now */
        return;
    }
    p->greeted = true;
    send_entities(w, i);
    send_params(w, i);
    if (hello.role == MF_BUS_OBSERVER) {
        send_scene(w, i);
    }
    if (b->greet != NULL) {
        b->greet(w, b->greet_ctx, i);
    }
}

static size_t hello_length(const uint8_t *bytes, size_t n)
{
    const char *why = NULL;
    const size_t length = mf_bus_length(bytes, n, &why);
    return why == NULL && length <= HELLO_MAX ? length : n;
}

static enum mf_door_verdict accept_participant(void *ctx, int fd)
{
    struct swarm *w = ctx;
    uint32_t i = 0;
    while (i < SWARM_BUS_PARTICIPANTS && bus_of(w)->all[i].fd >= 0) {
        i++;
    }
    struct participant *p = &bus_of(w)->all[i];
    *p = (struct participant){.fd = fd, .came_s = swarm_wall_s()};
    const int result = read_frame(w, p);
    if (result == MF_E_OK) {
        greet_participant(w, i);
    } else if (result == MF_E_AGAIN) {
        end_participant(w, p, "must begin with HELLO: role, name of 32 bytes, token");
    }
    return MF_DOOR_TAKEN;
}

static const struct mf_door_ops k_door = {hello_length, accept_participant, print_line};

/* Greet new participants, and disconnect observers that send frames. */
static void serve_door(struct swarm *w)
{
    mf_door_look(&bus_of(w)->door);
    for (uint32_t i = 0; i < SWARM_BUS_PARTICIPANTS; i++) {
        struct participant *p = &bus_of(w)->all[i];
        if (is_observer(p) && read_frame(w, p) == MF_E_OK) {
            end_participant(w, p, "is an observer, and observers send nothing");
        }
    }
}

/* Collect the controllers in the order of their names, which does not depend on the order in which
 * they connected.
 * @param all  out [SWARM_BUS_PARTICIPANTS]
 * @return their number */
static uint32_t collect_controllers(struct swarm_bus *b, struct participant **all)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < SWARM_BUS_PARTICIPANTS; i++) {
        if (!is_controller(&b->all[i])) {
            continue;
        }
        uint32_t at = n++;
        for (; at > 0 && strcmp(all[at - 1u]->hello.name, b->all[i].hello.name) > 0; at--) {
            all[at] = all[at - 1u];
        }
        all[at] = &b->all[i];
    }
    return n;
}

uint32_t swarm_bus_count_controllers(const struct swarm *w)
{
    struct participant *all[SWARM_BUS_PARTICIPANTS];
    return bus_of(w) != NULL ? collect_controllers(bus_of(w), all) : 0;
}

bool swarm_bus_acts(const struct swarm *w)
{
    for (uint32_t i = 0; i < SWARM_BUS_PARTICIPANTS; i++) {
        const struct participant *p = &bus_of(w)->all[i];
        if (is_controller(p) && p->until_ns != UINT64_MAX) {
            return true;
        }
    }
    return false;
}

bool swarm_bus_listens(const struct swarm *w)
{
    for (uint32_t i = 0; i < SWARM_BUS_PARTICIPANTS; i++) {
        const struct participant *p = &bus_of(w)->all[i];
        if (is_observer(p) || (is_controller(p) && (p->on_report || p->until_ns != UINT64_MAX))) {
            return true;
        }
    }
    return false;
}

bool swarm_bus_controls(const struct swarm *w, uint32_t participant)
{
    return is_controller(&bus_of(w)->all[participant]);
}

/* ---- the listener */

static int listen_error(struct swarm *w, const char *what)
{
    return swarm_refuse(w, w->scenario->bus.line, "bus.listen: %s: %s", w->scenario->bus.listen,
                        what);
}

static int listen_unix(struct swarm *w, const char *path)
{
    struct swarm_bus *b = bus_of(w);
    const struct swarm_listener where = {
        .key = "bus.listen", .line = w->scenario->bus.line, .where = path};
    const int result = swarm_listen_local(w, &where, SOCK_STREAM, &b->local);
    b->listener = b->local.fd;
    return result == SWARM_OK ? SWARM_OK : SWARM_INPUT;
}

static int listen_tcp(struct swarm *w, const char *where)
{
    static const char k_unsafe[] =
        "other machines reach it: give it a token, bus.token: \"${TOKEN}\"";
    const bool guarded = w->scenario->bus.token[0] != '\0';
    bus_of(w)->listener =
        swarm_listen(w, &(struct swarm_listener){"bus.listen", w->scenario->bus.line, where,
                                                 guarded ? NULL : k_unsafe});
    return bus_of(w)->listener >= 0 ? SWARM_OK : SWARM_INPUT;
}

int swarm_bus_open(struct swarm *w)
{
    const char *where = w->scenario->bus.listen;
    if (where[0] == '\0') {
        return SWARM_OK;
    }
    w->state[SWARM_SLOT_BUS] = calloc(1, sizeof *bus_of(w));
    if (bus_of(w) == NULL) {
        return listen_error(w, "no memory");
    }
    swarm_receptions_watch(w);
    bus_of(w)->listener = bus_of(w)->local.fd = -1;
    bus_of(w)->tick_us = mf_us_of(w->scenario->bus.tick_s);
    for (uint32_t i = 0; i <= SWARM_BUS_PARTICIPANTS; i++) {
        bus_of(w)->all[i].fd = -1;
    }
    const int result =
        strncmp(where, "unix:", 5) == 0 ? listen_unix(w, where + 5) : listen_tcp(w, where);
    mf_door_open(&bus_of(w)->door, bus_of(w)->listener, &k_door, w);
    return result;
}

int swarm_bus_gather(struct swarm *w, void (*greet_more)(struct swarm *w, void *ctx, uint32_t i),
                     void *ctx)
{
    struct swarm_bus *b = bus_of(w);
    const uint32_t wanted = w->scenario->bus.controllers;
    b->greet = greet_more;
    b->greet_ctx = ctx;
    if (swarm_bus_count_controllers(w) < wanted) {
        (void)fprintf(stderr, "mayfly-swarm: bus: time 0 waits for %u controllers at %s\n",
                      (unsigned)wanted, w->scenario->bus.listen);
    }
    if (swarm_has_outside(w) && !swarm_outside_is_connected(w)) {
        (void)fprintf(stderr, "mayfly-swarm: bus: time 0 waits for the network at %s\n",
                      w->scenario->bus.listen);
    }
    for (;;) {
        struct pollfd all[SWARM_BUS_PARTICIPANTS + MF_DOOR_POLL_MAX];
        serve_door(w);
        if (swarm_outside_has_failed(w)) {
            return SWARM_INPUT;
        }
        const bool simulated = !swarm_has_outside(w) || swarm_outside_is_connected(w);
        if ((swarm_bus_count_controllers(w) >= wanted && simulated) || *w->hold.stop) {
            return SWARM_OK;
        }
        if (swarm_processes_has_failed(w)) {
            return SWARM_INPUT;
        }
        nfds_t n = mf_door_poll(&b->door, all);
        for (uint32_t i = 0; i < SWARM_BUS_PARTICIPANTS; i++) {
            if (is_observer(&b->all[i])) { /* frames of other roles stay unread until a turn */
                all[n++] = (struct pollfd){b->all[i].fd, POLLIN, 0};
            }
        }
        (void)poll(all, n, mf_door_wait_ms(&b->door, swarm_patience_wait_ms(w)));
        swarm_patience_serve_programs(w);
    }
}

/* ---- turns */

static bool wants_turn(const struct participant *p, mf_us_t at_us, enum swarm_bus_cause cause)
{
    return (cause != SWARM_BUS_TICK && p->on_report) ||
           (cause != SWARM_BUS_PACKET && (uint64_t)at_us * 1000u >= p->until_ns);
}

bool swarm_bus_is_due(const struct swarm *w, mf_us_t at_us, enum swarm_bus_cause cause)
{
    const struct swarm_bus *b = bus_of(w);
    if (b == NULL || (cause == SWARM_BUS_TICK && at_us % b->tick_us != 0)) {
        return false;
    }
    for (uint32_t i = 0; i < SWARM_BUS_PARTICIPANTS; i++) {
        const struct participant *p = &b->all[i];
        const bool looks = p->fd >= 0 && !is_controller(p) && cause != SWARM_BUS_PACKET;
        if (looks || (is_controller(p) && wants_turn(p, at_us, cause))) {
            return true;
        }
    }
    return cause != SWARM_BUS_PACKET &&
           (w->scenario->time.clock == MF_SCENARIO_CLOCK_REAL || mf_door_stirs(&b->door));
}

static int receive_turn(struct swarm *w, struct participant *p, const struct swarm_bus_ops *ops,
                        void *ctx)
{
    while (p->fd >= 0) {
        struct mf_bus_done done;
        const int result = wait_for_frame(w, p);
        if (result == MF_E_DENIED) {
            return SWARM_INPUT;
        }
        if (result != MF_E_OK) {
            return SWARM_OK; /* the controller has left, or a signal ends the run */
        }
        const uint8_t type = p->frame.type;
        const char *why = p->frame.tick != bus_of(w)->tick ? "answers to another tick"
                          : type == MF_BUS_DONE            ? mf_bus_done(&p->frame, &done)
                          : type == MF_BUS_PATH || type == MF_BUS_ORDERS || type == MF_BUS_POSES ||
                                  type == MF_BUS_PACKETS
                              ? ops->receive(w, ctx, (uint32_t)(p - bus_of(w)->all), &p->frame)
                              : "sends a frame that a controller does not send in its turn";
        if (why != NULL) {
            end_participant(w, p, why);
        } else if (type == MF_BUS_DONE) {
            p->until_ns = done.until_ns;
            p->on_report = done.on_report;
            return SWARM_OK;
        }
    }
    return SWARM_OK;
}

/* Read what participants of the role FEED have sent since the last call; time never waits for
 * them. */
static void receive_from_feeds(struct swarm *w, const struct swarm_bus_ops *ops, void *ctx)
{
    for (uint32_t i = 0; i < SWARM_BUS_PARTICIPANTS; i++) {
        struct participant *p = &bus_of(w)->all[i];
        for (uint32_t k = 0; k < FEED_FRAMES && p->fd >= 0 && p->greeted &&
                             p->hello.role == MF_BUS_FEED && read_frame(w, p) == MF_E_OK;
             k++) {
            const bool feeds = p->frame.type == MF_BUS_POSES || p->frame.type == MF_BUS_PACKETS;
            const char *why = feeds ? ops->receive(w, ctx, i, &p->frame)
                                    : "is a feed, which sends POSES and PACKETS alone";
            if (why != NULL) {
                end_participant(w, p, why);
            }
        }
    }
}

const char *swarm_bus_get_name(const struct swarm *w, uint32_t participant)
{
    return bus_of(w) != NULL ? bus_of(w)->all[participant].hello.name : "";
}

int swarm_bus_turn(struct swarm *w, mf_us_t at_us, enum swarm_bus_cause cause,
                   const struct swarm_bus_ops *ops, void *ctx)
{
    struct swarm_bus *b = bus_of(w);
    struct participant *all[SWARM_BUS_PARTICIPANTS];
    int result = SWARM_OK;
    b->at_us = at_us;
    b->tick++;
    serve_door(w);
    receive_from_feeds(w, ops, ctx);
    ops->send(w, ctx);
    const uint32_t n = collect_controllers(b, all);
    for (uint32_t i = 0; result == SWARM_OK && i < n; i++) {
        if (is_controller(all[i]) && wants_turn(all[i], at_us, cause)) {
            (void)swarm_bus_frame(w, MF_BUS_TURN);
            swarm_bus_send_to(w, (uint32_t)(all[i] - b->all));
            result = receive_turn(w, all[i], ops, ctx);
        }
    }
    return result;
}

const struct mf_bus_frame *swarm_bus_ask(struct swarm *w, enum mf_bus_type answer)
{
    struct participant *all[SWARM_BUS_PARTICIPANTS];
    const uint32_t n = collect_controllers(bus_of(w), all);
    if (n == 0) {
        (void)swarm_refuse(w, w->scenario->bus.line, "bus: no controller is left to answer");
        return NULL;
    }
    swarm_bus_send_to(w, (uint32_t)(all[0] - bus_of(w)->all));
    const int result = all[0]->fd >= 0 ? wait_for_frame(w, all[0]) : MF_E_IO;
    if (result == MF_E_OK && all[0]->frame.type == (uint8_t)answer) {
        return &all[0]->frame;
    }
    if (result == MF_E_OK) {
        end_participant(w, all[0], "answers with a frame of another type");
    }
    if (result != MF_E_DENIED) {
        (void)swarm_refuse(w, w->scenario->bus.line, "bus: controller '%s' left before it answered",
                           all[0]->hello.name);
    }
    return NULL;
}

void swarm_bus_set_time(struct swarm *w, mf_us_t at_us)
{
    bus_of(w)->at_us = at_us;
}

void swarm_bus_close(struct swarm *w, int code)
{
    struct swarm_bus *b = bus_of(w);
    if (b == NULL) {
        return;
    }
    b->at_us = w->now_us > b->at_us ? w->now_us : b->at_us;
    struct mf_bus_writer *f = swarm_bus_frame(w, MF_BUS_END);
    mf_bus_put_u(f, (uint64_t)code, 4);
    mf_bus_put_text(f, w->error, MF_KEYS_ERROR_MAX, false);
    for (uint32_t i = 0; i < SWARM_BUS_PARTICIPANTS; i++) {
        if (b->all[i].fd >= 0) {
            swarm_bus_send_to(w, i);
        }
        if (b->all[i].fd >= 0) {
            if (b->all[i].greeted) {
                list_participant(w, &b->all[i], "stayed");
            }
            (void)close(b->all[i].fd);
        }
    }
    mf_door_close(&b->door);
    if (b->listener >= 0 && b->local.fd < 0) {
        (void)close(b->listener);
    }
    mf_local_close(&b->local);
    free(b);
    w->state[SWARM_SLOT_BUS] = NULL;
}
