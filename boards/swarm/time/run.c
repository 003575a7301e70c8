/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of a run: the engine's instants in their order, members up to each. program/fly.c calls
 * it. */
#include "boards/swarm/time/run.h"

#include "boards/swarm/members/members.h"
#include "boards/swarm/time/checkpoint.h"
#include "boards/swarm/time/course.h"
#include "boards/swarm/time/piece.h"
#include "boards/swarm/time/steps.h"

struct run {
    struct swarm *w;
    struct swarm_pieces pieces;
    mf_us_t end_us; /* MF_NEVER: the run goes to idleness */
    bool running;   /* nothing has ended it */
    bool replan;    /* the engine may have an earlier instant now */
};

/* Will nothing happen any more? Samples, contacts and participants that only watch keep no run
 * alive. */
static bool is_run_idle(const struct run *r)
{
    const struct swarm *w = r->w;
    return r->end_us == MF_NEVER && !w->hold.awaits_clients &&
           w->engine.count == swarm_systems_count_watches(w) && swarm_is_idle(w);
}

/* Advance members up to and including a time, unless the run ends or becomes idle. */
static void advance_to(struct run *r, mf_us_t at_us)
{
    r->replan = false;
    r->running = !*r->w->hold.stop && r->running;
    while (r->w->now_us < at_us && r->running && !r->replan) {
        const enum swarm_piece_state state = swarm_piece_run(&r->pieces, r->w, at_us);
        r->running = state != SWARM_ENDS;
        r->replan = state == SWARM_REPLAN;
        if (is_run_idle(r)) {
            return;
        }
    }
}

/* The run ends when a system has failed, or when an instant was the last, to which members still
 * come. */
static void stop_if_over(struct run *r)
{
    if (swarm_systems_have_ended(r->w)) {
        advance_to(r, r->w->now_us + 1);
        r->running = false;
    }
    r->running = r->running && !swarm_systems_have_failed(r->w);
}

/* Members come to an instant of the engine, which happens then: after what controllers of members
 * do at it, before what observers do. */
static void run_instant(struct run *r, const struct mf_order *next)
{
    struct swarm *w = r->w;
    const bool early = next->phase <= MF_PHASE_ENTITY;
    swarm_systems_announce_instant(w, next->at_us);
    advance_to(r, early ? next->at_us - 1 : next->at_us);
    if (!r->running || r->replan || is_run_idle(r)) {
        return;
    }
    w->now_us = early ? w->now_us : next->at_us;
    swarm_costs_skip(w);
    mf_engine_step(&w->engine);
    swarm_costs_lap(w, early ? SWARM_COST_PLANS : SWARM_COST_OUTPUTS, 0);
    stop_if_over(r);
}

static int begin_run(struct run *r, bool progress)
{
    struct swarm *w = r->w;
    if (w->command->resume == NULL) {
        mf_engine_init(&w->engine, swarm_course_of(w)->heap, SWARM_TIMERS);
        if (swarm_systems_do(w, SWARM_BEGIN) != SWARM_OK) {
            return SWARM_INPUT;
        }
    }
    if (swarm_systems_do(w, SWARM_ATTACH) != SWARM_OK) {
        return SWARM_INPUT;
    }
    swarm_pieces_begin(&r->pieces, w, progress);
    r->running = true;
    stop_if_over(r);
    return SWARM_OK;
}

/* A run to idleness ends when the last member did something. */
static mf_us_t last_activity(const struct swarm *w)
{
    mf_us_t last_us = 0;
    for (uint32_t i = 0; i < w->scenario->members; i++) {
        const mf_us_t at_us = swarm_state(w, i).at_us;
        last_us = at_us > last_us ? at_us : last_us;
    }
    return last_us;
}

static void finish_course(struct run *r, mf_us_t last_us)
{
    struct swarm *w = r->w;
    struct swarm_course *c = swarm_course_of(w);
    c->interrupted = *w->hold.stop != 0;
    c->reached = r->running && !is_run_idle(r) && last_us == swarm_checkpoint_us(w);
    (void)swarm_systems_do(w, SWARM_END);
    if (is_run_idle(r)) {
        w->now_us = last_activity(w);
    } else if (c->reached) {
        w->now_us = last_us;
    }
}

int swarm_run(struct swarm *w, bool progress)
{
    struct run r = {.w = w, .end_us = swarm_end_us(w)};
    const mf_us_t last_us = mf_earlier(r.end_us, swarm_checkpoint_us(w));
    if (begin_run(&r, progress) != SWARM_OK) {
        return SWARM_INPUT;
    }
    bool more = true;
    while (r.running && more && !is_run_idle(&r)) {
        struct mf_order next;
        more = mf_engine_next(&w->engine, &next) && next.at_us <= last_us;
        if (!more) {
            advance_to(&r, last_us);
            more = r.replan;
        } else if (swarm_has(w, SWARM_SLOT_CONTROL) ||
                   swarm_systems_advance_outside(w, next.at_us) == next.at_us) {
            run_instant(&r, &next);
        }
    }
    if (r.running && more) { /* members rest, and so does the engine */
        advance_to(&r, last_us);
    }
    finish_course(&r, last_us);
    return r.pieces.too_late ? SWARM_FAILED : SWARM_OK;
}

static int prepare_course(struct swarm *w)
{
    struct swarm_course *c = swarm_course_of(w);
    c->heap = swarm_memory(w, 1, (SWARM_TIMERS + 1u) * sizeof *c->heap);
    return c->heap != NULL ? SWARM_OK : SWARM_INPUT;
}

const struct swarm_system swarm_run_system = {
    .name = "run", .bytes = sizeof(struct swarm_course), .on = {[SWARM_PREPARE] = prepare_course}};
