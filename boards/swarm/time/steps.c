/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds that go by steps: their carrier and their system. The loop of a run (time/run.c) calls
 * both. */
#include "boards/swarm/time/steps.h"

#include "boards/swarm/members/carrier.h"
#include "boards/swarm/time/hold.h"

#include <math.h>

static mf_us_t next_end_us(const struct swarm *w)
{
    const struct swarm_steps *s = swarm_steps_of(w);
    return s->busy ? swarm_step_end(w, s->ops->count(s) + 1u) : MF_NEVER;
}

mf_us_t swarm_steps_reached_us(const struct swarm *w, mf_us_t to_us)
{
    const struct swarm_steps *s = swarm_steps_of(w);
    return s == NULL || next_end_us(w) < MF_NEVER ? to_us : swarm_step_end(w, s->ops->count(s));
}

mf_us_t swarm_end_us(const struct swarm *w)
{
    const double end_s = w->scenario->time.end_s;
    if (isinf(end_s)) {
        return MF_NEVER;
    }
    return swarm_steps_of(w) == NULL ? (mf_us_t)(end_s * 1e6)
                                     : swarm_step_end(w, swarm_steps_to(w, end_s));
}

/* ---- the carrier: vehicles of the world move within its steps */

static struct mf_crowd_state stepped_vehicle_state(const struct swarm *w, uint32_t i)
{
    (void)w, (void)i;
    return (struct mf_crowd_state){0}; /* a mission of a vehicle is a way of the world */
}

static struct mf_pose stepped_vehicle_pose(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    return swarm_things.pose(w, i, at_us);
}

/* Pictures are of the state before each step, and of the last one. */
static void run_steps(struct swarm *w, mf_us_t until_us)
{
    struct swarm_steps *s = swarm_steps_of(w);
    const bool was_busy = s->busy;
    while (s->busy && next_end_us(w) <= until_us) {
        const uint64_t step = s->ops->count(s);
        w->now_us = swarm_step_end(w, step);
        swarm_systems_record(w, w->now_us);
        s->busy = s->ops->run_step(s, swarm_step_end(w, step + 1u));
        w->now_us = swarm_step_end(w, step + 1u);
    }
    if (was_busy && !s->busy) {
        swarm_systems_record(w, w->now_us);
        swarm_operator_of(w)->changed = false;
    }
}

static uint64_t count_world_steps(const struct swarm *w)
{
    return swarm_steps_of(w)->ops->count(swarm_steps_of(w));
}

/* Step mode has lines to read: a world with nothing left to do stands until they have ended. */
static bool awaits_lines(const struct swarm *w)
{
    const struct swarm_steps *s = swarm_steps_of(w);
    return w->command->steps && !s->console.ended && !swarm_operator_of(w)->ends;
}

static bool is_world_idle(const struct swarm *w)
{
    return !swarm_steps_of(w)->busy && !awaits_lines(w);
}

static uint64_t mix_world_digest(const struct swarm *w, uint64_t digest)
{
    (void)digest; /* the world is all that such a run has */
    return swarm_steps_of(w)->ops->digest(swarm_steps_of(w));
}

static struct swarm_vehicle_counts count_world_vehicles(const struct swarm *w)
{
    struct swarm_vehicle_counts counts = {0};
    if (w->members.crowd != NULL) {
        counts.frozen = mf_crowd_frozen(w->members.crowd);
        counts.armed = mf_crowd_armed(w->members.crowd);
        counts.up = mf_crowd_up(w->members.crowd);
    }
    return counts;
}

static const struct swarm_carrier k_steps = {.state = stepped_vehicle_state,
                                             .pose = stepped_vehicle_pose,
                                             .run = run_steps,
                                             .next_us = next_end_us,
                                             .is_idle = is_world_idle,
                                             .count_steps = count_world_steps,
                                             .digest = mix_world_digest,
                                             .count_states = count_world_vehicles};

/* The world moves vehicles and ghosts in its steps, so no other carrier runs them. */
static void carry_all(struct swarm *w)
{
    for (int k = 0; k < MF_SCENARIO_KINDS; k++) {
        w->members.carrier[k] = k == MF_SCENARIO_KIND_VEHICLE ? &k_steps : &swarm_things;
    }
}

void swarm_steps_prepare(struct swarm *w, struct swarm_steps *s, const struct swarm_steps_ops *ops)
{
    s->ops = ops;
    s->busy = true;
    w->state[SWARM_SLOT_STEPS] = s;
    carry_all(w);
}

/* ---- the system */

static int attach_operator(struct swarm *w)
{
    carry_all(w); /* ghosts have set theirs since */
    swarm_steps_of(w)->console = (struct swarm_console){.o = swarm_operator_of(w)};
    /* "exit" has ended the process before, if this one resumes */
    swarm_operator_of(w)->ends = false;
    if (w->command->steps) {
        swarm_hold_pause(w, true);
    }
    return SWARM_OK;
}

/* A run with clients and without an end in seconds stays for them when nothing is left to do, and
 * in step mode for the rest of the standard input. */
static bool stays_for_operators(const struct swarm *w)
{
    const struct swarm_steps *s = swarm_steps_of(w);
    const bool clients = swarm_has(w, SWARM_SLOT_LINKS) && isinf(w->scenario->time.end_s);
    return !s->busy && (clients || awaits_lines(w));
}

static mf_us_t limit_by_operator_us(struct swarm *w, mf_us_t next_us)
{
    struct swarm_steps *s = swarm_steps_of(w);
    struct swarm_operator *o = swarm_operator_of(w);
    (void)next_us;
    while (w->command->steps && s->busy && !o->ends && swarm_console_poll(&s->console, false)) {
    }
    return o->ends || stays_for_operators(w) ? w->now_us : w->hold.at_us;
}

/* An operator has changed the world: it may have something to do again. */
static bool resume_if_changed(struct swarm *w)
{
    struct swarm_steps *s = swarm_steps_of(w);
    if (!s->busy && swarm_operator_of(w)->changed) {
        s->busy = true;
        swarm_operator_of(w)->changed = false;
    }
    return false;
}

static bool read_console_line(struct swarm *w, bool pending)
{
    (void)pending;
    swarm_steps_of(w)->said = w->command->steps && !swarm_operator_of(w)->ends &&
                              swarm_console_poll(&swarm_steps_of(w)->console, true);
    return false;
}

/* A line that was obeyed may let time pass, so no sleep follows it. */
static bool wait_for_lines(struct swarm *w, double wait_s)
{
    struct swarm_steps *s = swarm_steps_of(w);
    const bool said = s->said;
    s->said = false;
    return said || (w->command->steps && swarm_console_wait(&s->console, !s->busy, wait_s) &&
                    !swarm_has(w, SWARM_SLOT_LINKS));
}

static bool is_world_done(const struct swarm *w)
{
    return swarm_operator_of(w)->ends || (!swarm_steps_of(w)->busy && !stays_for_operators(w));
}

const struct swarm_system swarm_steps_system = {
    .name = "steps",
    .on = {[SWARM_ATTACH] = attach_operator},
    .limit_us = limit_by_operator_us,
    .serve = resume_if_changed,
    .on_standstill = read_console_line,
    .sleep = wait_for_lines,
    .is_done = is_world_done,
};
