/* SPDX-License-Identifier: Apache-2.0 */
/* Holds time and lets it go on, for signals, the console, the control API and the page. */
#include "boards/swarm/time/hold.h"

#define ROUNDING 1e-3 /* of a step: times are whole microseconds */

uint64_t swarm_pace_steps(const struct swarm *w, mf_us_t at_us)
{
    return (uint64_t)((double)at_us / 1e6 / swarm_pace_step_s(w) + ROUNDING);
}

mf_us_t swarm_pace_at(double step_s, uint64_t steps)
{
    return mf_us_of((double)steps * step_s);
}

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
