/* SPDX-License-Identifier: Apache-2.0 */
/* Pause, steps and rate of a run: fields of struct swarm that its loop obeys. */
#include "boards/swarm/time/hold.h"

#include "boards/swarm/time/steps.h"

#define ROUNDING 1e-3 /* of a step: times are whole microseconds */

/* A tick of cells, or a step of a search [s]. */
static double world_step_s(const struct swarm *w)
{
    return w->scenario->grid.size[0] > 0.0 ? w->scenario->grid.tick_s : w->scenario->time.step_s;
}

void swarm_hold_pause(struct swarm *w, bool pause)
{
    w->hold.at_us = pause ? w->now_us : MF_NEVER;
}

/* The time at which a step that is ordered now begins. */
static mf_us_t next_step_begin_us(const struct swarm *w)
{
    return w->hold.at_us != MF_NEVER && w->hold.at_us > w->now_us ? w->hold.at_us : w->now_us;
}

void swarm_hold_step(struct swarm *w, mf_us_t by_us)
{
    MF_ASSERT(by_us >= 0);
    w->hold.at_us = next_step_begin_us(w) + by_us;
}

void swarm_hold_steps(struct swarm *w, uint64_t count)
{
    if (!swarm_is_stepped(w)) {
        swarm_hold_step(w, (mf_us_t)count * MF_SECOND_US);
        return;
    }
    w->hold.at_us = swarm_step_end(w, swarm_steps_at(w, next_step_begin_us(w)) + count);
}

int swarm_hold_rate(struct swarm *w, double rate)
{
    const bool good = rate >= 0.01 && rate <= 10000.0;
    if (w->scenario->time.clock != MF_SCENARIO_CLOCK_REAL) {
        return MF_E_NOSUPP;
    }
    w->hold.rate = good ? rate : w->hold.rate;
    return good ? MF_E_OK : MF_E_RANGE;
}

mf_us_t swarm_hold_whole_us(const struct swarm *w, mf_us_t at_us)
{
    return swarm_steps_of(w) == NULL ? at_us : swarm_step_end(w, swarm_steps_at(w, at_us));
}

uint64_t swarm_steps_to(const struct swarm *w, double end_s)
{
    const double each_s = world_step_s(w);
    uint64_t steps = (uint64_t)(end_s / each_s);
    steps -= steps > 0 && (double)(steps - 1u) * each_s >= end_s ? 1u : 0u;
    steps += (double)steps * each_s < end_s ? 1u : 0u;
    return steps;
}

uint64_t swarm_steps_at(const struct swarm *w, mf_us_t at_us)
{
    return (uint64_t)((double)at_us / 1e6 / world_step_s(w) + ROUNDING);
}

mf_us_t swarm_step_end(const struct swarm *w, uint64_t steps)
{
    return mf_us_of((double)steps * world_step_s(w));
}
