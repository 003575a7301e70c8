/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/foreign_own.h"

#include "boards/swarm/links.h"
#include "boards/swarm/listener.h"
#include "boards/swarm/run.h"
#include "boards/swarm/trace.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define WAIT_MS        50 /* a signal is seen after this */
#define SERVE_MS       1  /* ... and a vehicle's client is answered */
#define LISTENERS_MAX  (FOREIGN_SIDES * MF_SCENARIO_ENTITIES_MAX)
#define STRANGERS_MAX  64u /* that have not said who they are */
#define DATAGRAM_BYTES 128u

static const char *const k_side[] = {"autopilot", "plugin"};

struct listener {
    enum foreign_side side;
    const char *path;
    int fd;
};

struct stranger {
    const struct listener *at;
    int fd;
};

/* Until all have come: then nobody listens any more. */
static struct {
    struct listener listener[LISTENERS_MAX];
    uint32_t listeners;
    struct stranger stranger[STRANGERS_MAX];
    uint32_t strangers;
} s_door;

static void name_of(const struct swarm *w, const struct foreign *f, char *name)
{
    mf_scenario_member_name(w->scenario, f->i, name);
}

/* ---- at the door */

static const char *path_of(const struct foreign *f, enum foreign_side side)
{
    return side == FOREIGN_PLUGIN ? f->e->autopilot.plugin : f->e->autopilot.ac;
}

static struct listener *listener_at(const char *path)
{
    for (uint32_t k = 0; k < s_door.listeners; k++) {
        if (strcmp(s_door.listener[k].path, path) == 0) {
            return &s_door.listener[k];
        }
    }
    return NULL;
}

static int listen_at(struct swarm *w, const struct foreign *f, enum foreign_side side)
{
    static const char *const k_key[] = {"autopilot.ac", "autopilot.plugin"};
    const char *path = path_of(f, side);
    const struct listener *there = listener_at(path);
    const int line = f->e->autopilot.line;
    if (path[0] == '\0' || (there != NULL && there->side == side)) {
        return SWARM_OK;
    }
    if (there != NULL) {
        return swarm_refuse(w, line, "%s: %s: autopilots and plugins need a socket each",
                            k_key[side], path);
    }
    const int fd = swarm_listen_local(
        w,
        &(struct swarm_listener){
            .key = k_key[side], .line = line, .where = path, .backlog = (int)STRANGERS_MAX},
        SOCK_SEQPACKET);
    if (fd < 0) {
        return SWARM_INPUT;
    }
    s_door.listener[s_door.listeners++] = (struct listener){side, path, fd};
    return SWARM_OK;
}

static uint32_t port_of(const struct foreign *f)
{
    return f->e->autopilot.json_port + MF_SCENARIO_JSON_EACH * (f->i - f->e->first);
}

static int listen_json(struct swarm *w, struct foreign *f)
{
    const uint32_t port = port_of(f);
    const struct sockaddr_in at = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr = {htonl(INADDR_LOOPBACK)}};
    const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    f->fd[FOREIGN_AUTOPILOT] = fd;
    return fd >= 0 && bind(fd, (const struct sockaddr *)&at, sizeof at) == 0
               ? SWARM_OK
               : swarm_refuse(w, f->e->autopilot.line, "autopilot.json: UDP port %u: %s",
                              (unsigned)port, strerror(errno));
}

int foreign_links_open(struct swarm *w)
{
    int result = SWARM_OK;
    for (uint32_t k = 0; k < w->foreigns->count && result == SWARM_OK; k++) {
        struct foreign *f = &w->foreigns->all[k];
        result = foreign_is_json(f) ? listen_json(w, f) : listen_at(w, f, FOREIGN_AUTOPILOT);
        result = result == SWARM_OK ? listen_at(w, f, FOREIGN_PLUGIN) : result;
    }
    return result;
}

static struct foreign *body_named(struct swarm *w, const struct listener *at, const char *text)
{
    char name[SWARM_NAME_MAX], number[16];
    for (uint32_t k = 0; k < w->foreigns->count; k++) {
        struct foreign *f = &w->foreigns->all[k];
        name_of(w, f, name);
        (void)snprintf(number, sizeof number, "%u", (unsigned)f->i);
        if (strcmp(path_of(f, at->side), at->path) == 0 &&
            (strcmp(text, name) == 0 || strcmp(text, number) == 0)) {
            return f;
        }
    }
    return NULL;
}

/* Whoever has said a name is its body's, or goes. @return false: nothing has come yet */
static bool hear_name(struct swarm *w, const struct stranger *s)
{
    char packet[SWARM_NAME_MAX], text[SWARM_NAME_MAX + 1u];
    const ssize_t got = recv(s->fd, packet, sizeof packet, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return false;
    }
    mf_foreign_ac_name(packet, got > 0 ? (size_t)got : 0, text, sizeof text);
    struct foreign *f = got > 0 ? body_named(w, s->at, text) : NULL;
    if (f == NULL || f->fd[s->at->side] >= 0) {
        (void)fprintf(stderr, "mayfly-swarm: %s '%s' at %s is let go: %s\n", k_side[s->at->side],
                      text, s->at->path,
                      f == NULL ? "a body's name or number comes first" : "that body has one");
        (void)close(s->fd);
        return true;
    }
    f->fd[s->at->side] = s->fd;
    return true;
}

static void open_door(struct swarm *w, const struct listener *at)
{
    int fd = 0;
    while (fd >= 0 && s_door.strangers < STRANGERS_MAX) { /* others wait */
        fd = swarm_accept(at->fd);
        if (fd >= 0) {
            s_door.stranger[s_door.strangers++] = (struct stranger){at, fd};
        }
    }
    for (uint32_t k = 0; k < s_door.strangers;) {
        if (hear_name(w, &s_door.stranger[k])) {
            s_door.stranger[k] = s_door.stranger[--s_door.strangers];
        } else {
            k++;
        }
    }
}

static void close_door(void)
{
    for (uint32_t k = 0; k < s_door.strangers; k++) {
        (void)close(s_door.stranger[k].fd);
    }
    for (uint32_t k = 0; k < s_door.listeners; k++) {
        (void)close(s_door.listener[k].fd);
        (void)unlink(s_door.listener[k].path);
    }
    s_door.strangers = s_door.listeners = 0;
}

/* ---- packets */

void foreign_let_go(struct swarm *w, struct foreign *f, enum foreign_side side, const char *why)
{
    char name[SWARM_NAME_MAX];
    const uint64_t at_ns = f->at_ns;
    name_of(w, f, name);
    (void)fprintf(stderr, "mayfly-swarm: %s of %s left at %.6f s%s%s\n", k_side[side], name,
                  (double)at_ns / 1e9, why != NULL ? ": " : "", why != NULL ? why : "");
    swarm_trace(w, at_ns, "%s of %u left", k_side[side], (unsigned)f->i);
    foreign_leave(f->fd[side]);
    f->fd[side] = -1;
}

void foreign_leave(int fd)
{
    uint8_t unread[DATAGRAM_BYTES];
    while (recv(fd, unread, sizeof unread, MSG_DONTWAIT) > 0) {
    } /* else the other end would lose what it has not read yet */
    (void)close(fd);
}

/* @return false: the run is stopped, and an error is set */
static bool lose_patience(struct swarm *w, struct foreign *f, enum foreign_side side, bool *told)
{
    const struct mf_scenario_autopilot *a = &f->e->autopilot;
    const double at_s = (double)f->at_ns / 1e9;
    char name[SWARM_NAME_MAX];
    name_of(w, f, name);
    if (!*told) {
        (void)fprintf(stderr, "mayfly-swarm: the %s of %s has been silent for %g s at %.6f s\n",
                      k_side[side], name, a->patience_s, at_s);
    }
    *told = true;
    if (a->silent == MF_SCENARIO_SILENT_DROP) {
        foreign_let_go(w, f, side, "it was silent for too long");
    } else if (a->silent == MF_SCENARIO_SILENT_STOP) {
        (void)swarm_refuse(w, a->line,
                           "autopilot: the %s of %s did not answer within %g s at %.6f s: end its "
                           "loop, raise autopilot.patience, or let autopilot.silent be drop or "
                           "wait",
                           k_side[side], name, a->patience_s, at_s);
        w->foreigns->failed = true;
        return false;
    }
    return true;
}

/* Until a descriptor has something to read, or its end is gone. @return false: the run is stopped
 */
static bool wait_for(struct swarm *w, struct foreign *f, enum foreign_side side)
{
    const double since_s = swarm_wall_s();
    const double patience_s = f->e->autopilot.patience_s;
    const bool serves = w->foreigns->serves && w->links != NULL;
    bool told = false;
    while (f->fd[side] >= 0) {
        struct pollfd one = {f->fd[side], POLLIN, 0};
        if (poll(&one, 1, serves ? SERVE_MS : WAIT_MS) > 0) {
            return true;
        }
        if (serves) {
            swarm_links_wait(w, 0.0);
            swarm_links_take(w);
        }
        if (*w->foreigns->stop) {
            return false;
        }
        if (patience_s > 0.0 && swarm_wall_s() - since_s > patience_s &&
            !lose_patience(w, f, side, &told)) {
            return false;
        }
    }
    return true;
}

bool foreign_take(struct swarm *w, struct foreign *f, enum foreign_side side, void *packet,
                  size_t most, size_t *got)
{
    *got = 0;
    while (f->fd[side] >= 0) {
        const ssize_t n = recv(f->fd[side], packet, most, MSG_DONTWAIT);
        if (n > 0) {
            *got = (size_t)n;
            return true;
        }
        if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
            foreign_let_go(w, f, side, NULL);
        } else if (!wait_for(w, f, side)) {
            return false;
        }
    }
    return true;
}

bool foreign_take_motors(struct swarm *w, struct foreign *f, uint8_t *packet, float *motors)
{
    uint8_t bytes[MF_FOREIGN_AC_END + 1u];
    size_t got;
    memset(packet, 0, MF_FOREIGN_AC_END);
    memset(motors, 0, MF_FOREIGN_AC_MOTORS * sizeof *motors);
    if (!foreign_take(w, f, FOREIGN_AUTOPILOT, bytes, sizeof bytes, &got)) {
        return false;
    }
    const char *wrong = got > 0 ? mf_foreign_ac_end_read(bytes, got, motors) : NULL;
    if (wrong != NULL) {
        memset(motors, 0, MF_FOREIGN_AC_MOTORS * sizeof *motors);
        foreign_let_go(w, f, FOREIGN_AUTOPILOT, wrong);
    } else if (got > 0) {
        memcpy(packet, bytes, MF_FOREIGN_AC_END);
    }
    return true;
}

void foreign_give(struct swarm *w, struct foreign *f, enum foreign_side side, const void *packet,
                  size_t n)
{
    if (f->fd[side] >= 0 &&
        send(f->fd[side], packet, n, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)n) {
        foreign_let_go(w, f, side, errno == EAGAIN ? "it takes no packets" : NULL);
    }
}

/* ---- JSON */

void foreign_answer_json(struct foreign *f)
{
    char line[MF_FOREIGN_LINE_MAX];
    const size_t n = mf_foreign_state_write(&f->body.state, line);
    (void)sendto(f->fd[FOREIGN_AUTOPILOT], line, n, MSG_DONTWAIT, (const struct sockaddr *)&f->from,
                 sizeof f->from);
}

static void refuse_datagram(const struct swarm *w, struct foreign *f, const char *why)
{
    char name[SWARM_NAME_MAX];
    name_of(w, f, name);
    if (++f->refused == 1) {
        (void)fprintf(stderr,
                      "mayfly-swarm: %s: a datagram was refused, %s; later ones are only "
                      "counted\n",
                      name, why);
    }
}

/* Whatever has come: the last frame counts, since an autopilot that waits says it again. */
static void drain_json(struct swarm *w, struct foreign *f)
{
    uint8_t datagram[DATAGRAM_BYTES];
    struct sockaddr_in from;
    for (;;) {
        struct mf_foreign_pulses pulses;
        socklen_t size = sizeof from;
        const ssize_t n = recvfrom(f->fd[FOREIGN_AUTOPILOT], datagram, sizeof datagram,
                                   MSG_DONTWAIT, (struct sockaddr *)&from, &size);
        if (n < 0) {
            return;
        }
        const char *wrong = mf_foreign_pulses_read(datagram, (size_t)n, &pulses);
        if (wrong != NULL) {
            refuse_datagram(w, f, wrong);
            continue;
        }
        f->from = from;
        if (f->body.frames > 0 && pulses.frame_count == f->body.frame_count) {
            foreign_answer_json(f);
            continue;
        }
        f->next = pulses;
        f->has = true;
    }
}

bool foreign_take_json(struct swarm *w, struct foreign *f)
{
    while (f->fd[FOREIGN_AUTOPILOT] >= 0) {
        drain_json(w, f);
        if (f->has) {
            return true;
        }
        if (!wait_for(w, f, FOREIGN_AUTOPILOT)) {
            return false;
        }
    }
    return true;
}

/* ---- until all have come */

static bool is_missing(const struct foreign *f, enum foreign_side side)
{
    if (side == FOREIGN_AUTOPILOT && foreign_is_json(f)) {
        return !f->has;
    }
    return path_of(f, side)[0] != '\0' && f->fd[side] < 0;
}

/* @return NULL: nobody is missing any more */
static struct foreign *first_missing(const struct swarm *w, enum foreign_side *side)
{
    for (uint32_t k = 0; k < w->foreigns->count; k++) {
        struct foreign *f = &w->foreigns->all[k];
        for (*side = 0; *side < FOREIGN_SIDES; ++*side) {
            if (is_missing(f, *side)) {
                return f;
            }
        }
    }
    return NULL;
}

static void tell_missing(const struct swarm *w, const struct foreign *f, enum foreign_side side)
{
    char name[SWARM_NAME_MAX];
    name_of(w, f, name);
    if (foreign_is_json(f)) {
        (void)fprintf(stderr, "mayfly-swarm: time 0 waits for the autopilot of %s at UDP port %u\n",
                      name, (unsigned)port_of(f));
    } else {
        (void)fprintf(stderr, "mayfly-swarm: time 0 waits for the %s of %s at %s\n", k_side[side],
                      name, path_of(f, side));
    }
}

/* A short while, or until somebody comes. @param f  who is missing first */
static void wait_at_door(struct swarm *w, const struct foreign *f)
{
    struct pollfd all[LISTENERS_MAX + STRANGERS_MAX + 1u];
    nfds_t n = 0;
    all[n++] = (struct pollfd){foreign_is_json(f) ? f->fd[FOREIGN_AUTOPILOT] : -1, POLLIN, 0};
    for (uint32_t k = 0; k < s_door.listeners; k++) {
        all[n++] = (struct pollfd){s_door.listener[k].fd, POLLIN, 0};
    }
    for (uint32_t k = 0; k < s_door.strangers; k++) {
        all[n++] = (struct pollfd){s_door.stranger[k].fd, POLLIN, 0};
    }
    (void)poll(all, n, WAIT_MS);
    for (uint32_t k = 0; k < s_door.listeners; k++) {
        open_door(w, &s_door.listener[k]);
    }
    for (uint32_t k = 0; k < w->foreigns->count; k++) {
        if (foreign_is_json(&w->foreigns->all[k])) {
            drain_json(w, &w->foreigns->all[k]);
        }
    }
}

bool foreign_links_gather(struct swarm *w)
{
    const double since_s = swarm_wall_s();
    bool told = false;
    enum foreign_side side;
    const struct foreign *f = first_missing(w, &side);
    for (; f != NULL && !*w->foreigns->stop; f = first_missing(w, &side)) {
        wait_at_door(w, f);
        if (!told && swarm_wall_s() - since_s > f->e->autopilot.patience_s) {
            tell_missing(w, f, side);
            told = true;
        }
    }
    close_door();
    return f == NULL;
}
