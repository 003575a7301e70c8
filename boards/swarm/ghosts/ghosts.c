/* SPDX-License-Identifier: Apache-2.0 */
/* The system and the carrier of ghosts: opens their links and runs them; program/systems.c,
 * members/ and cells/grid_fly.c call it. */
#include "boards/swarm/ghosts/ghosts.h"

#include "boards/swarm/ghosts/ghost_internal.h"
#include "boards/swarm/members/carrier.h"
#include "boards/swarm/minds/minds.h"
#include "boards/swarm/processes/processes.h"
#include "boards/swarm/radio/radio.h"
#include "fleet/place.h"
#include "fleet/scenario_ghost.h"
#include "math/chance.h"
#include "math/geodesic.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GREET_MS 20
/* Interval of turns of a reconnected drone in lockstep that has not reported its place yet. */
#define RETURNS_US 100000

/* ---- start and end of ghosts */

/* True if a record marks the begin or the end of an order's wait. */
static bool is_wait_mark(const struct ghost_record *r)
{
    return r != NULL && r->type == GHOST_WAIT;
}

/* Delivery time of the first record. MF_NEVER if it is the mark of a waiting order: that order
 * delivers the records behind it. */
static mf_us_t first_record_us(const struct ghost_queue *q)
{
    return q->first != NULL && !is_wait_mark(q->first) ? q->first->at_us : MF_NEVER;
}

static void deliver_up_to(struct swarm_ghosts *g, struct ghost_queue *q, mf_us_t at_us)
{
    while (first_record_us(q) <= at_us) {
        ghost_deliver(g, q->first);
        ghost_pop(q);
    }
}

/* Wait for a drone's first HEARTBEAT, and for the greeting of its time socket. @return false: one
 * of them is missing */
static bool greet_drone(struct swarm_ghosts *g, struct ghost *ghost)
{
    struct ghost_link *l = &g->link[ghost->link];
    const double until_s = swarm_wall_s() + GHOST_PATIENCE_MS / 1e3;
    if (!g->replays && ghost->steps && ghost->process == NULL && !ghost_time_greet(g, ghost)) {
        return false;
    }
    for (;;) {
        struct pollfd polled = {.fd = l->fd, .events = POLLIN};
        if (!g->replays) {
            ghost_link_read(g, (uint32_t)ghost->link, GHOST_BEFORE_US);
        }
        deliver_up_to(g, &l->in, GHOST_BEFORE_US);
        if (ghost->port.sysid != 0) {
            return true;
        }
        if (g->replays || swarm_wall_s() > until_s || (ghost->steps && l->fd < 0)) {
            return false;
        }
        ghost_send_timesync(ghost); /* some drones send nothing before they receive a message */
        (void)poll(&polled, 1, GREET_MS);
    }
}

/* Refuse a ghost if an earlier ghost has the same drone. @return SWARM_OK or SWARM_INPUT */
static int refuse_double(struct swarm_ghosts *g, const struct ghost *ghost)
{
    for (uint32_t k = 0; &g->ghost[k] != ghost; k++) {
        const struct ghost *other = &g->ghost[k];
        const uint8_t a = other->port.wanted, b = ghost->port.wanted;
        const uint8_t c = other->mocap_system, d = ghost->mocap_system;
        const bool link = ghost->link >= 0 && other->link == ghost->link &&
                          (a == b || a == 0 || b == 0 || other->steps);
        const bool mocap =
            ghost->mocap >= 0 && other->mocap == ghost->mocap && (c == d || c == 0 || d == 0);
        if (link || mocap) {
            const struct ghost_link *l = &g->link[link ? ghost->link : ghost->mocap];
            return swarm_refuse(g->w, l->line,
                                "%s: it is the drone of %s already; write #SYSTEM behind a link "
                                "that has several",
                                l->text, swarm_name(g->w, other->i).text);
        }
    }
    return SWARM_OK;
}

/* Link of member @p i as written. One text, such as "bus", serves all members of its entity. */
static const char *get_link_text(const struct mf_scenario_entity *e, uint32_t i)
{
    return e->link.text[e->link.count > 1 ? i - e->first : 0];
}

static int open_links(struct swarm_ghosts *g, struct ghost *ghost)
{
    const struct mf_scenario_entity *e = ghost->e;
    const uint32_t k = ghost->i - e->first;
    if (ghost->process != NULL) {
        ghost->time_fd = swarm_process_get_socket(g->w, ghost->i);
        if (!ghost_time_greet(g, ghost)) {
            return swarm_process_refuse(g->w, ghost->i);
        }
    }
    ghost->bus = e->link.count > 0 && strcmp(get_link_text(e, ghost->i), "bus") == 0;
    if (e->link.count > 0 && !ghost->bus) {
        ghost->link = ghost_link_open(g, get_link_text(e, ghost->i), e->link.line, ghost->steps,
                                      &ghost->port.wanted);
        if (ghost->link < 0) {
            return SWARM_INPUT;
        }
    }
    if (e->mocap.count > 0) {
        ghost->mocap =
            ghost_link_open(g, e->mocap.text[k], e->mocap.line, false, &ghost->mocap_system);
        if (ghost->mocap < 0) {
            return SWARM_INPUT;
        }
    }
    if (e->time_socket.count > 0 && !g->replays) {
        ghost->time_fd = ghost_time_connect(g->w, &e->time_socket, k);
        if (ghost->time_fd < 0) {
            return SWARM_INPUT;
        }
    }
    const int result = refuse_double(g, ghost);
    return result == SWARM_OK && ghost->link >= 0 ? ghost_link_claim(g, ghost, ghost->port.wanted)
                                                  : result;
}

static void init_ghost(struct swarm_ghosts *g, struct ghost *ghost, uint32_t i)
{
    const struct mf_scenario *s = g->w->scenario;
    const struct mf_scenario_entity *e = mf_scenario_entity_of(s, i);
    const struct mf_placed placed = mf_place(s, i);
    double neu_m[3];
    *ghost =
        (struct ghost){.of = g,
                       .i = i,
                       .e = e,
                       .link = -1,
                       .mocap = -1,
                       .source = -1,
                       .mocap_source = -1,
                       .poses = {.participant = -1},
                       .packets = {.participant = -1},
                       .time_fd = -1,
                       .lock = -1,
                       .process = mf_scenario_process_of(s, e),
                       .next_us = MF_NEVER,
                       .granted_us = -1,
                       .steps = e->time_socket.count > 0 || mf_scenario_process_of(s, e) != NULL,
                       .due_us = MF_NEVER,
                       .stick_us = MF_NEVER};
    mf_port_mavlink_init(&ghost->port, ghost_write, ghost);
    mf_geo_to_local((struct mf_geo){s->origin[0], s->origin[1]}, placed.at, neu_m);
    neu_m[2] = placed.alt_amsl_m - s->origin[2];
    const bool expected =
        e->link.count > 0 && strcmp(get_link_text(e, i), "bus") != 0 && e->mocap.count == 0;
    mf_ghost_init(&ghost->track,
                  &(struct mf_ghost_settings){(mf_us_t)(e->ghost.hold_s * 1e6),
                                              (mf_us_t)(e->ghost.lost_s * 1e6),
                                              e->ghost.speed_max_mps},
                  neu_m, !expected);
}

/* Greet all drones: they must be present at the start. Motion capture and the bus may connect
 * later. */
static int begin_ghosts(struct swarm_ghosts *g)
{
    struct swarm *w = g->w;
    for (uint32_t k = 0; k < g->count; k++) {
        struct ghost *ghost = &g->ghost[k];
        if (ghost->link >= 0 && !greet_drone(g, ghost)) {
            const struct ghost_link *l = &g->link[ghost->link];
            return g->replays ? swarm_refuse(w, 1, "--replay %s: lacks the drone of %s",
                                             w->command->replay, l->text)
                              : swarm_refuse(w, l->line,
                                             "%s: no drone sends HEARTBEAT there, or its time "
                                             "socket does not answer",
                                             l->text);
        }
        ghost->due_us = swarm_behaviour_next_us(w, ghost->i);
        ghost->shown = swarm_ghost_get_state(w, ghost->i);
    }
    return SWARM_OK;
}

void swarm_ghosts_free(struct swarm *w)
{
    struct swarm_ghosts *g = swarm_ghosts_of(w);
    if (g == NULL) {
        return;
    }
    for (uint32_t k = 0; k < g->count; k++) {
        if (g->ghost[k].time_fd >= 0) {
            (void)close(g->ghost[k].time_fd);
        }
    }
    ghost_links_close(g);
    (void)ghost_record_close(g);
    while (g->bus.first != NULL) {
        ghost_pop(&g->bus);
    }
    while (g->turn.first != NULL) {
        ghost_pop(&g->turn);
    }
    free(g->ghost);
    free(g->link);
    free(g);
    w->state[SWARM_SLOT_GHOSTS] = NULL;
}

/* ---- time */

/* True if the last state of the link in the queue is "down". */
static bool is_last_state_down(const struct ghost_queue *in)
{
    bool down = false;
    for (const struct ghost_record *r = in->first; r != NULL; r = r->next) {
        down = r->type == GHOST_DOWN || (down && r->type != GHOST_UP);
    }
    return down;
}

/* Let a ghost in lockstep run to @p at_us, and deliver everything that it has sent until then. Does
 * nothing for other ghosts. */
static void advance_ghost(struct swarm_ghosts *g, struct ghost *ghost, mf_us_t at_us)
{
    if (!ghost->steps || ghost->away || (ghost->process != NULL && ghost->gone) ||
        at_us <= ghost->at_us) {
        return;
    }
    const struct mf_order_view before = ghost->port.view;
    const bool granted = g->replays || ghost_time_grant(g, ghost, at_us);
    struct ghost_queue none = {0}, *in = ghost->link >= 0 ? &g->link[ghost->link].in : &none;
    if (!granted && ghost->process != NULL) {
        ghost_mark_lost(ghost, at_us);
    } else if (!granted && !is_last_state_down(in)) {
        const struct ghost_record down = {
            .at_us = at_us, .type = GHOST_DOWN, .link = (uint16_t)ghost->link};
        ghost_record_write(g, &down, NULL);
        ghost_push(g, in, &down, NULL);
    }
    if (granted && ghost->process != NULL) {
        ghost_time_trace(ghost, at_us);
    }
    if (ghost->port.view.armed != before.armed || ghost->port.view.landed != before.landed) {
        ghost_report_events(ghost, at_us, 0);
    }
    while (first_record_us(in) <= at_us) {
        const mf_us_t record_us = first_record_us(in);
        deliver_up_to(g, in, record_us);
        ghost_report_events(ghost, record_us, 0);
    }
    ghost->at_us = at_us;
}

static void run_ghost_turn(struct swarm_ghosts *g, struct ghost *ghost, mf_us_t at_us)
{
    struct swarm *w = g->w;
    const struct mf_order_port port = {&ghost_order_ops, ghost};
    advance_ghost(g, ghost, at_us);
    ghost->look_us = at_us;
    if (ghost->returns) {
        ghost->returns = ghost->gone;
        if (!ghost->gone) {
            swarm_mind_skip(w, ghost->i, at_us);
        }
        ghost->due_us = ghost->gone ? at_us + RETURNS_US : swarm_behaviour_next_us(w, ghost->i);
        return;
    }
    if (ghost->gone || !swarm_has(w, SWARM_SLOT_MINDS)) {
        ghost->due_us = MF_NEVER;
        return;
    }
    w->members.behaviours->act(w, ghost->i, at_us, &port);
    ghost->due_us = swarm_behaviour_next_us(w, ghost->i);
}

static mf_us_t expiry_us(const struct ghost *ghost)
{
    return ghost->steps ? MF_NEVER : mf_ghost_lost_at(&ghost->track);
}

static mf_us_t next_record_us(const struct swarm_ghosts *g)
{
    mf_us_t next_us = first_record_us(&g->bus);
    for (uint32_t k = 0; k < g->links; k++) {
        const struct ghost_link *l = &g->link[k];
        next_us = l->steps ? next_us : mf_earlier(next_us, first_record_us(&l->in));
    }
    for (uint32_t k = 0; k < g->count; k++) {
        const struct ghost *ghost = &g->ghost[k];
        next_us =
            ghost->away ? mf_earlier(next_us, first_record_us(&g->link[ghost->link].in)) : next_us;
    }
    return next_us;
}

/* Do everything due at one instant, in this order: losses, received records, repeated sticks, turns
 * of behaviours. */
static void do_instant(struct swarm_ghosts *g, mf_us_t at_us)
{
    for (uint32_t k = 0; k < g->count; k++) {
        ghost_expire(&g->ghost[k], at_us);
    }
    for (uint32_t k = 0; k < g->links; k++) {
        if (!g->link[k].steps) {
            deliver_up_to(g, &g->link[k].in, at_us);
        }
    }
    for (uint32_t k = 0; k < g->count; k++) {
        if (g->ghost[k].away) {
            deliver_up_to(g, &g->link[g->ghost[k].link].in, at_us);
        }
    }
    deliver_up_to(g, &g->bus, at_us);
    for (uint32_t k = 0; k < g->count; k++) {
        struct ghost *ghost = &g->ghost[k];
        if (ghost->stick_us <= at_us) {
            ghost_repeat_sticks(ghost);
        }
        if (ghost->due_us <= at_us) {
            run_ghost_turn(g, ghost, ghost->due_us);
        }
    }
}

/* ---- orders of a replay: each waits at the time of its mark in the recording */

static void refuse_order(struct swarm_ghosts *g, mf_us_t at_us)
{
    (void)swarm_refuse(g->w, 1,
                       "--replay %s: is of another scenario or version: orders are not those "
                       "that ghosts had at %.3f s",
                       g->w->command->replay, (double)at_us / 1e6);
}

/* Refuse a replay whose recording has an order that waited before @p until_us, but which this run
 * has not sent. */
static void check_orders(struct swarm_ghosts *g, mf_us_t until_us)
{
    for (uint32_t k = 0; k < g->links; k++) {
        const struct ghost_record *first = g->link[k].in.first;
        if (is_wait_mark(first) && first->at_us < until_us) {
            refuse_order(g, first->at_us);
        }
    }
}

static void advance_ghosts(struct swarm_ghosts *g, mf_us_t until_us)
{
    for (;;) {
        mf_us_t next_us = next_record_us(g);
        for (uint32_t k = 0; k < g->count; k++) {
            const struct ghost *ghost = &g->ghost[k];
            next_us = mf_earlier(next_us, mf_earlier(ghost->due_us, ghost->stick_us));
            next_us = mf_earlier(next_us, expiry_us(ghost));
        }
        if (next_us > until_us) {
            return;
        }
        do_instant(g, next_us);
    }
}

void swarm_ghosts_run(struct swarm *w, mf_us_t until_us)
{
    struct swarm_ghosts *g = swarm_ghosts_of(w);
    if (g == NULL) {
        return;
    }
    check_orders(g, until_us);
    advance_ghosts(g, until_us - 1);
    g->read_us = until_us;
    if (!g->replays) {
        ghost_links_read(g, until_us);
    }
    advance_ghosts(g, until_us);
    ghost_begin_grants(g, until_us, false);
    g->stands_us = until_us;
    for (uint32_t k = 0; k < g->count; k++) {
        struct ghost *ghost = &g->ghost[k];
        if (!ghost->returns) {
            advance_ghost(g, ghost, until_us);
        }
        if (!g->replays) {
            ghost_send_timesync(ghost);
        }
        if (!g->replays && ghost->away) {
            ghost_time_retry(g, ghost, until_us + 1);
        }
    }
}

/* Deliver input of ghosts that are not in lockstep while the run's time stands: their own time
 * passes. */
static bool receive_while_time_stands(struct swarm *w, bool pending)
{
    struct swarm_ghosts *g = swarm_ghosts_of(w);
    if (pending) {
        swarm_ghosts_serve(w); /* clients are served before the controller's command takes effect */
    }
    if (g == NULL || g->replays) {
        return false;
    }
    /* after everything at the current instant and before the next one */
    const mf_us_t at_us = w->now_us + 1;
    g->read_us = at_us;
    ghost_links_read(g, at_us);
    for (uint32_t k = 0; k < g->count && next_record_us(g) <= at_us; k++) {
        ghost_expire(&g->ghost[k], at_us);
    }
    for (uint32_t k = 0; k < g->links; k++) {
        if (!g->link[k].steps) {
            deliver_up_to(g, &g->link[k].in, at_us);
        }
    }
    return false;
}

static mf_us_t next_turn_us(const struct swarm *w)
{
    const struct swarm_ghosts *g = swarm_ghosts_of(w);
    mf_us_t next_us = MF_NEVER;
    for (uint32_t k = 0; g != NULL && k < g->count; k++) {
        const struct ghost *ghost = &g->ghost[k];
        next_us = mf_earlier(next_us, mf_earlier(ghost->due_us, ghost->stick_us));
        next_us = mf_earlier(next_us, ghost->next_us);
    }
    return next_us;
}

/* Limit a piece of time in a replay: it ends at the next record. */
static mf_us_t limit_to_next_record(struct swarm *w, mf_us_t next_us)
{
    const struct swarm_ghosts *g = swarm_ghosts_of(w);
    (void)next_us;
    const mf_us_t record_us = g != NULL && g->replays ? next_record_us(g) : MF_NEVER;
    return record_us > w->now_us ? record_us : w->now_us + 1;
}

static void visit_ghosts(struct swarm *w, mf_us_t at_us, const struct mf_scenario_entity *e,
                         swarm_visit_fn *visit)
{
    struct swarm_ghosts *g = swarm_ghosts_of(w);
    for (uint32_t k = 0; k < g->count; k++) {
        struct ghost *ghost = &g->ghost[k];
        if (ghost->e != e) {
            continue;
        }
        advance_ghost(g, ghost, at_us);
        ghost->look_us = at_us;
        if (!ghost->gone) {
            visit(w, ghost->i, &(struct mf_order_port){&ghost_order_ops, ghost});
        }
    }
}

/* ---- losses */

static bool is_ghost_lost(const struct ghost *ghost, mf_us_t at_us)
{
    return ghost->steps ? ghost->gone : !mf_ghost_is_there(&ghost->track, at_us);
}

static bool is_member_lost(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    return is_ghost_lost(swarm_ghost_of(w, i), at_us);
}

/* ---- figures and frames */

static bool close_recording(struct swarm *w)
{
    return swarm_ghosts_of(w) == NULL || ghost_record_close(swarm_ghosts_of(w));
}

static uint64_t digest_ghosts(const struct swarm *w, uint64_t digest)
{
    const struct swarm_ghosts *g = swarm_ghosts_of(w);
    for (uint32_t k = 0; g != NULL && k < g->count; k++) {
        const struct ghost *ghost = &g->ghost[k];
        digest = ghost->process != NULL ? mf_chance_u64(digest ^ ghost->truths, ghost->i)
                 : ghost->steps         ? digest
                                : mf_chance_u64(digest ^ ghost->track.digest, ghost->track.samples);
    }
    return digest;
}

uint8_t swarm_ghost_get_system(const struct swarm *w, uint32_t i)
{
    const struct ghost *ghost = swarm_ghost_of(w, i);
    const bool there = !is_ghost_lost(ghost, ghost->at_us) && ghost->port.view.known;
    return there ? ghost->port.sysid : 0;
}

void swarm_ghost_write(const struct swarm *w, uint32_t i, const uint8_t *frame, size_t n)
{
    (void)ghost_write(swarm_ghost_of(w, i), frame, n);
}

/* ---- orders that wait for their answers */

static bool wait_live_answer(struct ghost *ghost, mf_us_t at_us)
{
    struct swarm_ghosts *g = ghost->of;
    struct ghost_link *l = &g->link[ghost->link];
    const double until_s = swarm_wall_s() + GHOST_PATIENCE_MS / 1e3;
    struct ghost_record mark = {.at_us = at_us,
                                .type = GHOST_WAIT,
                                .source = GHOST_WAIT_BEGINS,
                                .link = (uint16_t)ghost->link};
    ghost_record_write(g, &mark, NULL);
    while (ghost->port.asks && l->up && swarm_wall_s() <= until_s) {
        struct pollfd polled = {.fd = l->fd, .events = POLLIN};
        (void)poll(&polled, 1, GREET_MS);
        ghost_link_read(g, (uint32_t)ghost->link, at_us);
        deliver_up_to(g, &l->in, at_us);
    }
    mark.source = ghost->port.asks ? GHOST_WAIT_IN_VAIN : GHOST_WAIT_ANSWERED;
    ghost_record_write(g, &mark, NULL);
    return !ghost->port.asks;
}

static bool pop_wait_mark(struct ghost_queue *in, enum ghost_wait which, mf_us_t at_us)
{
    const bool is =
        is_wait_mark(in->first) && in->first->source == which && in->first->at_us == at_us;
    if (is) {
        ghost_pop(in);
    }
    return is;
}

static bool wait_replayed_answer(struct ghost *ghost, mf_us_t at_us)
{
    struct swarm_ghosts *g = ghost->of;
    struct ghost_queue *in = &g->link[ghost->link].in;
    const bool waits = pop_wait_mark(in, GHOST_WAIT_BEGINS, at_us);
    if (waits) {
        deliver_up_to(g, in, at_us);
    }
    const bool answered = !ghost->port.asks;
    if (!waits || !pop_wait_mark(in, answered ? GHOST_WAIT_ANSWERED : GHOST_WAIT_IN_VAIN, at_us)) {
        refuse_order(g, at_us);
    }
    return answered;
}

/* Wait for the answer to an order. @param given  result of sending it @return MF_E_OK; MF_E_IO: no
 * answer, or the link is down */
static int wait_answer(struct ghost *ghost, int given)
{
    const struct swarm_ghosts *g = ghost->of;
    const mf_us_t at_us = ghost->steps ? ghost->at_us : g->read_us;
    if (given != MF_E_AGAIN || !ghost->port.asks) {
        return given == MF_E_AGAIN ? MF_E_OK : given;
    }
    const bool answered =
        g->replays ? wait_replayed_answer(ghost, at_us) : wait_live_answer(ghost, at_us);
    return answered ? MF_E_OK : MF_E_IO;
}

static int send_order_and_wait(void *ctx, uint32_t msgid, const void *msg, uint8_t *result)
{
    const struct swarm_ghost_port *port = ctx;
    struct ghost *ghost = swarm_ghost_of(port->w, port->i);
    const int given = ghost_order_ops.give(ghost, msgid, msg, result);
    const bool answered = msgid == MF_MSG_COMMAND_INT && ghost->link >= 0;
    const int result_of = answered ? wait_answer(ghost, given) : given;
    *result = answered && result_of == MF_E_OK ? ghost->port.answer : *result;
    return result_of;
}

static int upload_and_wait(void *ctx, struct mf_msg_mission_item_int *items, uint16_t count,
                           uint8_t *result)
{
    const struct swarm_ghost_port *port = ctx;
    struct ghost *ghost = swarm_ghost_of(port->w, port->i);
    const int given = wait_answer(ghost, ghost_order_ops.upload(ghost, items, count, result));
    *result = given == MF_E_OK ? ghost->port.answer : *result;
    ghost->port.items = NULL; /* the caller's array ends with this call */
    return given;
}

static void get_view_now(void *ctx, struct mf_order_view *view)
{
    const struct swarm_ghost_port *port = ctx;
    struct ghost *ghost = swarm_ghost_of(port->w, port->i);
    ghost->look_us = ghost->of->read_us;
    ghost_order_ops.look(ghost, view);
    view->known = view->known && !ghost->gone;
}

const struct mf_order_ops swarm_ghost_ops = {send_order_and_wait, get_view_now, upload_and_wait};

static const struct swarm_carrier k_ghosts = {.state = swarm_ghost_get_state,
                                              .pose = swarm_ghost_get_pose,
                                              .is_lost = is_member_lost,
                                              .visit = visit_ghosts,
                                              .shape = swarm_ghost_get_shape,
                                              .ray = swarm_ghosts_range_m,
                                              .receive = swarm_ghost_send,
                                              .run = swarm_ghosts_run,
                                              .next_us = next_turn_us,
                                              .digest = digest_ghosts};

static int open_ghosts(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    const uint32_t count = swarm_count_kind(s, MF_SCENARIO_KIND_GHOST);
    const bool records = s->outputs.recording.file[0] != '\0';
    if (count == 0 && !records && w->command->replay == NULL) {
        return SWARM_OK;
    }
    struct swarm_ghosts *g = calloc(1, sizeof *g);
    struct ghost *ghost = calloc(count + 1u, sizeof *ghost);
    struct ghost_link *link = calloc(2u * count + 1u, sizeof *link);
    if (g == NULL || ghost == NULL || link == NULL) {
        free(g);
        free(ghost);
        free(link);
        return swarm_refuse(w, 1, "no memory");
    }
    *g = (struct swarm_ghosts){
        .w = w, .ghost = ghost, .link = link, .replays = w->command->replay != NULL};
    w->state[SWARM_SLOT_GHOSTS] = g;
    w->members.carrier[MF_SCENARIO_KIND_GHOST] = &k_ghosts;
    int result = ghost_record_open(g);
    result = result == SWARM_OK ? swarm_process_drones(w) : result;
    for (uint32_t i = 0; i < s->members && result == SWARM_OK; i++) {
        if (mf_scenario_entity_of(s, i)->as == MF_SCENARIO_KIND_GHOST) {
            init_ghost(g, &ghost[g->count], i);
            result = open_links(g, &ghost[g->count++]);
        }
    }
    if (result == SWARM_OK && g->replays) {
        result = ghost_record_read(g);
    }
    return result == SWARM_OK ? begin_ghosts(g) : result;
}

static int refuse_checkpoint(struct swarm *w)
{
    const struct mf_scenario_entity *ghost = swarm_find_kind(w->scenario, MF_SCENARIO_KIND_GHOST);
    return ghost == NULL ? SWARM_OK
                         : swarm_refuse(w, ghost->line,
                                        "%s: ghosts fly in other processes, which no checkpoint "
                                        "can hold or take back",
                                        ghost->name);
}

static int judge_ghosts(struct swarm *w, bool goes_on)
{
    (void)goes_on;
    return (int)swarm_ghosts_count_lost(w);
}

const struct swarm_system swarm_ghosts_system = {
    .name = "ghosts",
    .on = {[SWARM_KEEP] = refuse_checkpoint, [SWARM_BOOT] = open_ghosts},
    .metrics = &swarm_ghosts_metrics,
    .limit_us = limit_to_next_record,
    .on_standstill = receive_while_time_stands,
    .print_summary = swarm_ghosts_print_summary,
    .judge = judge_ghosts,
    .complete = close_recording,
};

const struct swarm_system swarm_stepped_ghosts_system = {
    .name = "ghosts",
    .on = {[SWARM_KEEP] = refuse_checkpoint, [SWARM_BOOT] = open_ghosts},
    .judge = judge_ghosts,
    .complete = close_recording,
};
