/* SPDX-License-Identifier: Apache-2.0 */
/** How the time of a swarm passes, from the boot to the end. */
#ifndef MF_BOARDS_SWARM_RUN_H
#define MF_BOARDS_SWARM_RUN_H

#include "boards/swarm/core/swarm.h"

/** @brief Run to the end, or until w->stop is set.
 *  @param progress  a line on stderr each second
 *  @return SWARM_OK; SWARM_FAILED: late, where the scenario does not allow that */
int swarm_run(struct swarm *w, bool progress);

/** @brief Vehicle time stands, or does not any more. These are called by the thread of
 * swarm_run(), between two pieces of the run (control.h). */
void swarm_run_pause(struct swarm *w, bool pause);

/** @brief It goes on for as long, then stands; steps that are asked for meanwhile add up. */
void swarm_run_step(struct swarm *w, mf_us_t by_us);

/** @brief The same for ticks of cells, steps of a search, seconds of members. */
void swarm_run_steps(struct swarm *w, uint64_t count);

/** @brief Another factor of a clock that counts with the wall; time does not jump.
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

#endif
