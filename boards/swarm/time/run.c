/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/time/run.h"

#include "boards/swarm/ghosts/ghosts.h"
#include "boards/swarm/hosts/hosts.h"
#include "boards/swarm/links/links.h"
#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/members/vehicles.h"
#include "boards/swarm/minds/hive.h"
#include "boards/swarm/minds/minds.h"
#include "boards/swarm/output/expect.h"
#include "boards/swarm/output/outputs.h"
#include "boards/swarm/outside/bus_world.h"
#include "boards/swarm/outside/channel.h"
#include "boards/swarm/outside/components.h"
#include "boards/swarm/outside/foreigns.h"
#include "boards/swarm/outside/gzuav.h"
#include "boards/swarm/outside/processes.h"
#include "boards/swarm/radio/flows.h"
#include "boards/swarm/radio/network.h"
#include "boards/swarm/radio/network_outside.h"
#include "boards/swarm/radio/radio.h"
#include "boards/swarm/space/contacts.h"
#include "boards/swarm/space/senses.h"
#include "boards/swarm/time/control.h"
#include "boards/swarm/time/pace.h"

#include <math.h>
#include <time.h>

/* Vehicles run in pieces of time, so that a signal and the progress line have their turn. A piece
 * ends where it ends: no vehicle notices. */
#define PIECE_MIN_US  MF_SECOND_US /* a vehicle that acts often stays in the caches meanwhile */
#define PIECE_MAX_US  (10000 * MF_SECOND_US)
#define EVENTS_MAX_US (10 * MF_SECOND_US) /* what waits to be put in order stays small */
#define PIECE_WALL_S  0.1
#define REAL_WALL_S   0.01 /* a clock that counts with the wall looks at it this often */
#define LATE_S        0.1
#define PUNCTUAL_S    0.02
/* Who waits for clients hears controllers of time this late at most. */
#define CONTROLLED_WALL_S 0.001
#define LISTENED_US       (MF_SECOND_US / 20) /* a piece while somebody listens */

struct run {
    struct swarm *w;
    const volatile int *stop;
    bool progress;
    mf_us_t end_us; /* MF_NEVER: when nothing happens any more */
    mf_us_t piece_us;
    double rate;     /* by which begin_s was counted */
    bool real;       /* time counted with the wall when it was looked at last */
    double begin_s;  /* time of the wall at vehicle time 0 */
    mf_us_t from_us; /* where this process began, and the time of the wall then */
    double from_s;
    double told_s;  /* ... of the last progress line */
    uint64_t steps; /* that are counted */
    bool failed;
    bool over;  /* programs in virtual time have ended */
    bool again; /* the engine may have something earlier next */
};

static void tell_progress(struct run *r, double wall_s)
{
    struct swarm *w = r->w;
    uint32_t armed = 0, finished = 0;
    if (!r->progress || wall_s - r->told_s < 1.0) {
        return;
    }
    for (uint32_t i = 0; i < w->scenario->members; i++) {
        const struct mf_crowd_state now = swarm_state(w, i);
        armed += now.armed ? 1u : 0u;
        finished += now.finished ? 1u : 0u;
    }
    r->told_s = wall_s;
    (void)fprintf(stderr, "%10.1f s  x%-8.1f %u armed, %u missions finished\n",
                  (double)w->now_us / 1e6,
                  (double)(w->now_us - r->from_us) / 1e6 / (wall_s - r->from_s), armed, finished);
}

/* ---- clocks that count with the wall */

static bool is_real(const struct run *r)
{
    return r->w->scenario->time.clock == MF_SCENARIO_CLOCK_REAL;
}

/* The vehicle time that the wall shows. */
static mf_us_t due_us(const struct run *r)
{
    return (mf_us_t)((swarm_wall_s() - r->begin_s) * r->rate * 1e6);
}

/* From now on the wall counts from the present time. */
static void count_from_now(struct run *r)
{
    r->rate = r->w->rate;
    r->begin_s = swarm_wall_s() - (double)r->w->now_us / 1e6 / r->rate;
}

/* Something was to happen at a time, and nothing has since. */
static void watch_lateness(struct run *r, mf_us_t at_us)
{
    const int32_t late = r->w->scenario->time.late;
    const double late_s = (double)(due_us(r) - at_us) / 1e6 / r->rate;
    if (late_s <= LATE_S) {
        return;
    }
    if (late == MF_SCENARIO_LATE_SKIP) {
        r->begin_s += late_s;
    } else if (late == MF_SCENARIO_LATE_FAIL) {
        (void)fprintf(stderr, "mayfly-swarm: late by %.3f s at %.3f s; catch_up is fail\n", late_s,
                      (double)at_us / 1e6);
        r->failed = true;
    }
}

/* What was to happen at a time happens now, if it has come. */
static void count_instant(struct run *r, mf_us_t at_us)
{
    const double late_s = (double)(due_us(r) - at_us) / 1e6 / r->rate;
    if (late_s < 0.0) {
        return;
    }
    r->w->late_s = fmax(r->w->late_s, late_s);
    r->w->instants++;
    r->w->punctual += late_s <= PUNCTUAL_S ? 1u : 0u;
}

/* Sleep until a vehicle time, at most for a short while, so that signals are seen, or until a
 * client says something. */
static void sleep_until(const struct run *r, mf_us_t at_us)
{
    const double s = (double)(at_us - due_us(r)) / 1e6 / r->rate;
    const double shortly_s = fmax(fmin(s, REAL_WALL_S), 0.0);
    if (r->w->links != NULL) {
        swarm_links_wait(r->w, shortly_s);
    } else if (shortly_s > 0.0) {
        const struct timespec t = {0, (long)(shortly_s * 1e9)};
        (void)nanosleep(&t, NULL);
    }
}

/* ---- pieces */

/* A piece of about a tenth of a second of the wall. */
static void adapt(struct run *r, double took_s)
{
    if (took_s < PIECE_WALL_S / 2 && r->piece_us < PIECE_MAX_US) {
        r->piece_us *= 2;
    } else if (took_s > 2 * PIECE_WALL_S && r->piece_us > PIECE_MIN_US) {
        r->piece_us /= 2;
    }
    if (swarm_outputs_wants_events(r->w) && r->piece_us > EVENTS_MAX_US) {
        r->piece_us = EVENTS_MAX_US;
    }
}

/* Time that others permit, and clients with barriers. While somebody listens, time goes in short
 * pieces. */
static mf_us_t limit_of(struct swarm *w, mf_us_t next_us)
{
    if (w->links != NULL && w->controllers != NULL) {
        swarm_links_flush(w); /* who hears of an instant finds its frames */
    }
    const mf_us_t limit_us = swarm_control_turn(w, next_us);
    if (w->links == NULL) {
        return limit_us;
    }
    const mf_us_t piece_us = swarm_links_listened(w) ? w->now_us + LISTENED_US : MF_NEVER;
    return mf_earlier(mf_earlier(limit_us, piece_us), swarm_links_limit(w));
}

static void wait_for_others(struct swarm *w)
{
    swarm_ghosts_wait(w); /* one whose time passes by itself is heard meanwhile */
    if (w->links != NULL) {
        const double shortly_s = w->controllers == NULL ? REAL_WALL_S : CONTROLLED_WALL_S;
        const bool waits = w->controllers != NULL && !swarm_control_pending(w);
        swarm_links_wait(w, w->controllers == NULL ? shortly_s : 0.0);
        if (waits) { /* what they say comes first */
            swarm_control_wait(w, shortly_s);
        }
    } else {
        swarm_control_wait(w, SWARM_STANDING_WALL_S);
    }
}

/* On a clock that runs free, time passes with the wall while nothing moves: otherwise a client's
 * thinking would be minutes. @return how far it may go on */
static mf_us_t unhurried(const struct run *r, mf_us_t to_us)
{
    struct swarm *w = r->w;
    const bool idle = w->scenario->time.clock != MF_SCENARIO_CLOCK_LOCKSTEP &&
                      w->scenario->links.transport == MF_SCENARIO_TRANSPORT_WALL &&
                      swarm_is_idle(w);
    const double from_s = swarm_wall_s();
    swarm_links_wait(w, idle ? REAL_WALL_S : 0.0);
    return idle ? mf_earlier(to_us, w->now_us + (mf_us_t)((swarm_wall_s() - from_s) * 1e6)) : to_us;
}

/* Vehicles run up to a time, which is not far. */
static void run_piece(struct run *r, mf_us_t to_us)
{
    struct swarm *w = r->w;
    const double from_s = swarm_wall_s();
    swarm_costs_skip(&w->costs);
    swarm_advance(w, to_us);
    w->now_us = to_us;
    r->failed = r->failed || swarm_foreigns_failed(w);
    const uint64_t steps = swarm_steps(w);
    swarm_costs_lap(&w->costs, SWARM_COST_BODIES, steps - r->steps);
    r->steps = steps;
    swarm_outputs_drain(w);
    swarm_costs_lap(&w->costs, SWARM_COST_OUTPUTS, 0);
    swarm_costs_record(&w->costs, w->now_us);
    adapt(r, swarm_wall_s() - from_s);
    tell_progress(r, swarm_wall_s());
}

/* When somebody wants to run; of those elsewhere it is asked only if it matters. */
static mf_us_t next_of(const struct run *r, mf_us_t at_us)
{
    const struct swarm *w = r->w;
    const bool matters = w->hosts == NULL || w->links != NULL || w->controllers != NULL ||
                         w->hold_us != MF_NEVER || is_real(r);
    return matters ? mf_earlier(at_us, swarm_next(w)) : at_us;
}

/* The time up to which vehicles run now; the present one: they wait. */
static mf_us_t permitted(struct run *r, mf_us_t at_us)
{
    struct swarm *w = r->w;
    if (w->controllers != NULL && swarm_network_meet(w)) {
        r->again = true;
        return w->now_us;
    }
    const mf_us_t next_us = next_of(r, at_us);
    const mf_us_t limit_us = limit_of(w, next_us);
    if (limit_us <= w->now_us) {
        if (next_us <= w->now_us) {
            run_piece(r, w->now_us); /* who holds time learns what is next after this instant */
        }
        if (swarm_control_pending(w)) {
            swarm_ghosts_serve(w); /* before a command takes effect */
        }
        wait_for_others(w);
        r->over = swarm_processes_over(w);
        count_from_now(r); /* who holds time makes nobody late */
        return w->now_us;
    }
    const mf_us_t heard_us = swarm_ghosts_heard_next(w);
    const mf_us_t first_us = heard_us > w->now_us ? heard_us : w->now_us + 1;
    const mf_us_t to_us = mf_earlier(mf_earlier(at_us, limit_us), first_us);
    const bool was_real = r->real;
    r->real = is_real(r);
    if (!is_real(r)) {
        return mf_earlier(w->links != NULL ? unhurried(r, to_us) : to_us, w->now_us + r->piece_us);
    }
    if (r->rate != w->rate || !was_real) {
        count_from_now(r);
    }
    watch_lateness(r, next_us);
    sleep_until(r, mf_earlier(to_us, next_us));
    count_instant(r, next_us);
    return mf_earlier(to_us, due_us(r));
}

/* Does a run to idleness wait for nothing any more? Samples, contacts and participants of the bus
 * that only watch keep no world alive. */
static bool is_idle(const struct run *r)
{
    const struct swarm *w = r->w;
    return r->end_us == MF_NEVER && w->links == NULL &&
           w->engine.count == swarm_contacts_watch(w) + swarm_bus_world_watches(w) &&
           swarm_is_idle(w);
}

/* Vehicles run up to and including a time, which may be the present one. @return false: stopped */
static bool bring_to(struct run *r, mf_us_t at_us)
{
    struct swarm *w = r->w;
    r->again = false;
    while (w->now_us < at_us && !r->again && !*r->stop && !r->failed && !r->over &&
           !w->silent_stop) {
        mf_us_t to_us = permitted(r, at_us);
        to_us = to_us > w->now_us ? swarm_flows_limit(w, to_us) : to_us;
        if (to_us > w->now_us &&
            w->controllers != NULL) { /* it leads no farther than they permit */
            r->again = swarm_network_lead(w, to_us);
            to_us = r->again ? swarm_outside_now(w) : to_us;
            r->failed = r->failed || swarm_outside_failed(w);
        }
        if (to_us > w->now_us && !r->failed) {
            run_piece(r, to_us);
        }
        swarm_display_serve(w, false);
        if (w->links != NULL) {
            swarm_links_take(w);
            r->again = swarm_flows_turn(w) || r->again;
        } else if (is_idle(r)) {
            break;
        }
    }
    return !*r->stop && !r->failed && !r->over && !w->silent_stop;
}

/* ---- the order of things */

/* A run to idleness ends when the last vehicle did something. */
static mf_us_t last_activity(const struct swarm *w)
{
    mf_us_t last_us = 0;
    for (uint32_t i = 0; i < w->scenario->members; i++) {
        const mf_us_t at_us = swarm_state(w, i).at_us;
        last_us = at_us > last_us ? at_us : last_us;
    }
    return last_us;
}

/* ---- controls */

void swarm_run_pause(struct swarm *w, bool pause)
{
    w->hold_us = pause ? w->now_us : MF_NEVER;
}

/* Where a step begins that is asked for now. */
static mf_us_t step_from(const struct swarm *w)
{
    return w->hold_us != MF_NEVER && w->hold_us > w->now_us ? w->hold_us : w->now_us;
}

void swarm_run_step(struct swarm *w, mf_us_t by_us)
{
    MF_ASSERT(by_us >= 0);
    w->hold_us = step_from(w) + by_us;
}

void swarm_run_steps(struct swarm *w, uint64_t count)
{
    if (!swarm_goes_by_steps(w)) {
        swarm_run_step(w, (mf_us_t)count * MF_SECOND_US);
        return;
    }
    w->hold_us = swarm_pace_at(swarm_pace_step_s(w), swarm_pace_steps(w, step_from(w)) + count);
}

/* Members come to what the engine has next, which happens then. @return false: stopped */
static bool run_next(struct run *r, const struct mf_order *next)
{
    struct swarm *w = r->w;
    const bool early = next->phase <= MF_PHASE_ENTITY;
    swarm_hosts_expect(w, next->at_us);
    /* vehicles act after controllers of the same instant, and before observers */
    if (!bring_to(r, early ? next->at_us - 1 : next->at_us)) {
        return false;
    }
    if (is_idle(r) || r->again) {
        return true;
    }
    w->now_us = early ? w->now_us : next->at_us;
    swarm_costs_skip(&w->costs);
    mf_engine_step(&w->engine);
    swarm_costs_lap(&w->costs, early ? SWARM_COST_PLANS : SWARM_COST_OUTPUTS, 0);
    return !swarm_systems_failed(w) && !swarm_channel_over(w);
}

int swarm_run(struct swarm *w, bool progress)
{
    const double end_s = w->scenario->time.end_s;
    struct run r = {.w = w,
                    .stop = w->stop,
                    .progress = progress,
                    .end_us = isinf(end_s) ? MF_NEVER : (mf_us_t)(end_s * 1e6),
                    .piece_us = PIECE_MIN_US};
    struct mf_order next;
    if (w->resumed_us < 0) {
        mf_engine_init(&w->engine, w->heap, SWARM_TIMERS);
        if (swarm_systems_do(w, SWARM_BEGIN) != SWARM_OK) {
            return SWARM_INPUT;
        }
    }
    if (swarm_systems_do(w, SWARM_ATTACH) != SWARM_OK) {
        return SWARM_INPUT;
    }
    count_from_now(&r);
    const mf_us_t last_us = mf_earlier(r.end_us, w->checkpoint_us);
    r.steps = swarm_steps(w);
    r.from_us = w->now_us;
    r.from_s = r.told_s = swarm_wall_s();
    bool going = !swarm_foreigns_failed(w) && !swarm_channel_over(w), more = true;
    while (going && more && !is_idle(&r)) {
        more = mf_engine_next(&w->engine, &next) && next.at_us <= last_us;
        if (more && w->controllers == NULL && swarm_network_lead(w, next.at_us)) {
            continue;
        }
        going = more ? run_next(&r, &next) : bring_to(&r, last_us);
        more = more || r.again;
    }
    if (going && more) { /* nothing happens any more */
        going = bring_to(&r, last_us);
    } else if (!going && swarm_channel_over(w)) {
        (void)bring_to(&r, w->now_us + 1); /* members came to just before the last tick */
    }
    swarm_display_serve(w, true);
    swarm_control_close(w);
    w->interrupted = *w->stop != 0;
    w->reached = going && !is_idle(&r) && last_us == w->checkpoint_us;
    swarm_hosts_end(w);
    if (is_idle(&r)) {
        w->now_us = last_activity(w);
    } else if (w->reached) {
        w->now_us = last_us;
    }
    return r.failed ? SWARM_FAILED : SWARM_OK;
}
