/* SPDX-License-Identifier: Apache-2.0 */
/* Exchanges packets and JSON frames with autopilots and plugins of bodies. foreigns.c,
 * foreign_door.c and channel.c call it. */
#include "boards/swarm/outside/foreign_internal.h"

#include "boards/swarm/core/participants.h"
#include "boards/swarm/core/trace.h"
#include "boards/swarm/processes/processes.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#define WAIT_MS        50 /* longest wait until a signal is noticed [ms] */
#define SERVE_MS       1  /* longest wait until a vehicle's clients are served [ms] */
#define DATAGRAM_BYTES 128u

const char *const foreign_side_words[] = {"autopilot", "plugin"};
const char foreign_silent[] = "it was silent for too long";

/* ---- begin and end of a connection */

void foreign_mark_connected(struct swarm *w, struct foreign *f, enum foreign_side side)
{
    char name[SWARM_NAME_MAX];
    f->came_s[side] = swarm_wall_s();
    if (!swarm_foreigns_of(w)->begun) {
        return;
    }
    foreign_get_name(w, f, name);
    (void)fprintf(stderr, "mayfly-swarm: %s of %s connected at %.6f s\n", foreign_side_words[side],
                  name, (double)f->at_ns / 1e9);
    swarm_trace(swarm_trace_of(w), f->at_ns, "%s of %u came", foreign_side_words[side],
                (unsigned)f->i);
}

/* Close a connection so that the other end can still read all that was sent to it. */
static void close_drained(int fd)
{
    uint8_t unread[DATAGRAM_BYTES];
    while (recv(fd, unread, sizeof unread, MSG_DONTWAIT) > 0) {
    } /* closing with unread data would discard it */
    (void)close(fd);
}

/* Add the connection's line to the table that is printed at the end of the run. */
static void list_side(struct swarm *w, const struct foreign *f, enum foreign_side side,
                      const char *how)
{
    char name[SWARM_NAME_MAX];
    foreign_get_name(w, f, name);
    swarm_participants_add(w, &(struct swarm_participant){foreign_side_words[side], name,
                                                          (mf_us_t)(f->at_ns / 1000u),
                                                          swarm_wall_s() - f->came_s[side], how});
}

void foreign_disconnect(struct swarm *w, struct foreign *f, enum foreign_side side, const char *why)
{
    char name[SWARM_NAME_MAX];
    const uint64_t at_ns = f->at_ns;
    foreign_get_name(w, f, name);
    (void)fprintf(stderr, "mayfly-swarm: %s of %s left at %.6f s%s%s\n", foreign_side_words[side],
                  name, (double)at_ns / 1e9, why != NULL ? ": " : "", why != NULL ? why : "");
    swarm_trace(swarm_trace_of(w), at_ns, "%s of %u left", foreign_side_words[side],
                (unsigned)f->i);
    list_side(w, f, side, why != NULL ? why : "left");
    close_drained(f->fd[side]);
    f->fd[side] = -1;
    swarm_foreigns_of(w)->absent += side == FOREIGN_AUTOPILOT && !foreign_is_json(f) ? 1u : 0u;
}

void foreign_close(struct swarm *w, struct foreign *f, enum foreign_side side)
{
    if (f->fd[side] >= 0 && (f->come || side == FOREIGN_PLUGIN || !foreign_is_json(f))) {
        list_side(w, f, side, "stayed");
    }
    if (f->fd[side] >= 0) {
        close_drained(f->fd[side]);
        f->fd[side] = -1;
    }
}

/* ---- packets */

enum swarm_patience_verdict foreign_check_patience(struct swarm *w, struct foreign *f,
                                                   enum foreign_side side, struct swarm_patience *p)
{
    const struct mf_scenario_autopilot *a = &f->e->autopilot;
    char name[SWARM_NAME_MAX], who[SWARM_NAME_MAX + 64u];
    foreign_get_name(w, f, name);
    (void)snprintf(who, sizeof who, "the %s of %s%s", foreign_side_words[side], name,
                   swarm_processes_has_virtual(w) ? ", which must not sleep on clock: virtual,"
                                                  : "");
    const struct swarm_patience_rule rule = {.key = "autopilot",
                                             .line = a->line,
                                             .patience_s = a->patience_s,
                                             .silent = a->silent,
                                             .who = who,
                                             .at_us = (mf_us_t)(f->at_ns / 1000u)};
    const enum swarm_patience_verdict verdict = swarm_patience_check(w, p, &rule);
    swarm_foreigns_of(w)->failed = swarm_foreigns_of(w)->failed || verdict == SWARM_PATIENCE_STOPS;
    return verdict;
}

/* Check the patience with a silent side, and disconnect it if the scenario says so.
 * @return false: the run is stopped, and an error is set */
static bool is_patient_with_side(struct swarm *w, struct foreign *f, enum foreign_side side,
                                 struct swarm_patience *p)
{
    const enum swarm_patience_verdict verdict = foreign_check_patience(w, f, side, p);
    if (verdict == SWARM_PATIENCE_DROPS) {
        foreign_disconnect(w, f, side, foreign_silent);
    }
    return verdict != SWARM_PATIENCE_STOPS;
}

/* Wait until a connection has something to read, or has ended. @return false: the run is stopped */
static bool wait_for_input(struct swarm *w, struct foreign *f, enum foreign_side side)
{
    const bool serves = swarm_foreigns_of(w)->serves && swarm_has(w, SWARM_SLOT_LINKS);
    struct swarm_patience patience = {0};
    bool more = true;
    while (more && f->fd[side] >= 0) {
        struct pollfd one = {f->fd[side], POLLIN, 0};
        if (poll(&one, 1, serves ? SERVE_MS : WAIT_MS) > 0) {
            break;
        }
        if (serves) {
            swarm_patience_serve(w);
        }
        more = !*w->hold.stop && is_patient_with_side(w, f, side, &patience);
    }
    swarm_patience_end(w, &patience);
    return more;
}

bool foreign_receive(struct swarm *w, struct foreign *f, enum foreign_side side, void *packet,
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
            foreign_disconnect(w, f, side, NULL);
        } else if (!wait_for_input(w, f, side)) {
            return false;
        }
    }
    return true;
}

bool foreign_receive_motors(struct swarm *w, struct foreign *f, uint8_t *packet, float *motors)
{
    uint8_t bytes[MF_FOREIGN_AC_END + 1u];
    size_t got;
    memset(packet, 0, MF_FOREIGN_AC_END);
    memset(motors, 0, MF_FOREIGN_AC_MOTORS * sizeof *motors);
    if (!foreign_receive(w, f, FOREIGN_AUTOPILOT, bytes, sizeof bytes, &got)) {
        return false;
    }
    const char *wrong = got > 0 ? mf_foreign_ac_end_read(bytes, got, motors) : NULL;
    if (wrong != NULL) {
        memset(motors, 0, MF_FOREIGN_AC_MOTORS * sizeof *motors);
        foreign_disconnect(w, f, FOREIGN_AUTOPILOT, wrong);
    } else if (got > 0) {
        memcpy(packet, bytes, MF_FOREIGN_AC_END);
    }
    return true;
}

void foreign_send(struct swarm *w, struct foreign *f, enum foreign_side side, const void *packet,
                  size_t n)
{
    swarm_foreigns_of(w)->sent_bytes += f->fd[side] >= 0 ? n : 0;
    if (f->fd[side] >= 0 && send(f->fd[side], packet, n, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 &&
        errno == EAGAIN) {
        foreign_disconnect(w, f, side, "it does not read its packets");
    } /* a side that is gone is disconnected when its next packet is missing: at the same place in
       * each run */
}

static void trace_answer(const struct swarm *w, const struct foreign *f, const void *answer,
                         size_t n)
{
    swarm_trace_carry(swarm_trace_of(w), f->at_ns, true, answer, n, "autopilot of %u gets",
                      (unsigned)f->i);
}

/* ---- JSON */

void foreign_answer_json(struct swarm *w, struct foreign *f, bool again)
{
    char line[MF_FOREIGN_LINE_MAX];
    const size_t n = mf_foreign_state_write(&f->body.state, line);
    if (!again) {
        trace_answer(w, f, line, n);
    }
    swarm_foreigns_of(w)->sent_bytes += n;
    (void)sendto(f->fd[FOREIGN_AUTOPILOT], line, n, MSG_DONTWAIT, (const struct sockaddr *)&f->from,
                 sizeof f->from);
}

static void refuse_datagram(const struct swarm *w, struct foreign *f, const char *why)
{
    char name[SWARM_NAME_MAX];
    foreign_get_name(w, f, name);
    if (++f->refused == 1) {
        (void)fprintf(stderr,
                      "mayfly-swarm: %s: a datagram was refused, %s; later ones are only "
                      "counted\n",
                      name, why);
    }
}

void foreign_drain_json(struct swarm *w, struct foreign *f)
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
        if (!f->come) {
            f->come = true;
            foreign_mark_connected(w, f, FOREIGN_AUTOPILOT);
        }
        if (f->body.frames > 0 && pulses.frame_count == f->body.frame_count) {
            foreign_answer_json(w, f, true);
            continue;
        }
        f->next = pulses;
        f->has = true;
    }
}

bool foreign_has_frame(struct swarm *w, struct foreign *f, int wait_ms)
{
    struct pollfd one = {f->fd[FOREIGN_AUTOPILOT], POLLIN, 0};
    if (f->has || one.fd < 0) {
        return true;
    }
    if (foreign_is_json(f)) {
        foreign_drain_json(w, f);
        if (f->has || !f->come) {
            return true;
        }
    }
    const bool any = poll(&one, 1, wait_ms) > 0;
    if (any && foreign_is_json(f)) {
        foreign_drain_json(w, f);
    }
    return any && (f->has || !foreign_is_json(f));
}

bool foreign_receive_json(struct swarm *w, struct foreign *f)
{
    while (f->fd[FOREIGN_AUTOPILOT] >= 0) {
        foreign_drain_json(w, f);
        if (f->has || !f->come) {
            return true; /* an autopilot without a first frame: time 0 did not wait for it */
        }
        if (!wait_for_input(w, f, FOREIGN_AUTOPILOT)) {
            return false;
        }
    }
    return true;
}

struct foreign *foreign_of(const struct swarm *w, uint32_t i)
{
    const struct swarm_foreigns *f = swarm_foreigns_of(w);
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    MF_ASSERT(e->as == MF_SCENARIO_KIND_BODY && f != NULL);
    return &f->all[f->first[e - w->scenario->entity] + i - e->first];
}

const double *foreign_frame(const struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    return isnan(s->gzuav.origin[0]) ? s->origin : s->gzuav.origin;
}

/* The body simulates around its first place; the packet has the place that phase 1 has. */
void foreign_send_state(struct swarm *w, struct foreign *f)
{
    const double *frame = foreign_frame(w);
    struct mf_foreign_state state = f->body.state;
    uint8_t packet[MF_FOREIGN_AC_BEGIN];
    double ne_m[2];
    mf_geo_to_local((struct mf_geo){frame[0], frame[1]},
                    mf_geo_from_local(f->origin, state.pos_m.x, state.pos_m.y), ne_m);
    state.pos_m = (struct mf_vec3){ne_m[0], ne_m[1], state.pos_m.z + frame[2] - f->origin_amsl_m};
    mf_foreign_ac_begin_write(&state, packet);
    if (f->fd[FOREIGN_AUTOPILOT] >= 0) {
        trace_answer(w, f, packet, sizeof packet);
    }
    foreign_send(w, f, FOREIGN_AUTOPILOT, packet, sizeof packet);
}
