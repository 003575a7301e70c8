/* SPDX-License-Identifier: Apache-2.0 */
/** Pause, steps and rate of a run. The thread of the run calls these between two pieces of time,
 * for controllers, operators and the page. */
#ifndef MF_BOARDS_SWARM_TIME_HOLD_H
#define MF_BOARDS_SWARM_TIME_HOLD_H

#include "boards/swarm/core/swarm.h"

/** @brief Let vehicle time stand from now on, or pass again. */
void swarm_hold_pause(struct swarm *w, bool pause);

/** @brief Let time pass for @p by_us more, then stand. Steps that are ordered meanwhile add up. */
void swarm_hold_step(struct swarm *w, mf_us_t by_us);

/** @brief Let so many ticks of cells, steps of a search, or seconds of members pass, then stand. */
void swarm_hold_steps(struct swarm *w, uint64_t count);

/** @brief Set the factor of a clock that counts with the wall; time does not jump.
 *  @return MF_E_OK; MF_E_NOSUPP: another clock; MF_E_RANGE: not 0.01 to 10000 */
int swarm_hold_rate(struct swarm *w, double rate);

/** @brief The last time up to @p at_us at which a world in steps stays without a hold: the end of a
 * step. Members stay at any time. */
mf_us_t swarm_hold_whole_us(const struct swarm *w, mf_us_t at_us);

/** @brief Steps of a world that are needed to reach @p end_s [s]. */
uint64_t swarm_steps_to(const struct swarm *w, double end_s);

/** @brief Steps that are done at a time. */
uint64_t swarm_steps_at(const struct swarm *w, mf_us_t at_us);

/** @brief The time at the end of so many steps. */
mf_us_t swarm_step_end(const struct swarm *w, uint64_t steps);

#endif
