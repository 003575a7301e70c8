/* SPDX-License-Identifier: Apache-2.0 */
/** Holding time: the instant w->hold_us at which it stands, and steps of worlds that go by steps.
 * Only the thread of the run calls these, between two pieces of time. */
#ifndef MF_BOARDS_SWARM_HOLD_H
#define MF_BOARDS_SWARM_HOLD_H

#include "boards/swarm/core/swarm.h"

/** @brief Let time stand at the present instant, or go on. */
void swarm_run_pause(struct swarm *w, bool pause);

/** @brief Let time go on by @p by_us, then stand; several calls add up. */
void swarm_run_step(struct swarm *w, mf_us_t by_us);

/** @brief Let time go on by so many ticks of cells, steps of a search or seconds of members. */
void swarm_run_steps(struct swarm *w, uint64_t count);

/** @brief Set the factor of a clock that counts with the wall; time does not jump.
 *  @return MF_E_OK; MF_E_NOSUPP: another clock; MF_E_RANGE: not 0.01 to 10000 */
static inline int swarm_run_rate(struct swarm *w, double rate)
{
    const bool good = rate >= 0.01 && rate <= 10000.0;
    if (w->scenario->time.clock != MF_SCENARIO_CLOCK_REAL) {
        return MF_E_NOSUPP;
    }
    w->rate = good ? rate : w->rate;
    return good ? MF_E_OK : MF_E_RANGE;
}

/** @brief Duration of a tick of cells, or a step of a search [s]. */
static inline double swarm_pace_step_s(const struct swarm *w)
{
    return w->scenario->grid.size[0] > 0.0 ? w->scenario->grid.tick_s : w->scenario->time.step_s;
}

/** @brief Number of steps that are complete at a time. */
uint64_t swarm_pace_steps(const struct swarm *w, mf_us_t at_us);

/** @brief Time at the end of so many steps. */
mf_us_t swarm_pace_at(double step_s, uint64_t steps);

#endif
