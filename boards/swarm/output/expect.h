/* SPDX-License-Identifier: Apache-2.0 */
/** Expectations of a scenario: what becomes of them, and how that is told. */
#ifndef MF_BOARDS_SWARM_EXPECT_H
#define MF_BOARDS_SWARM_EXPECT_H

#include "boards/swarm/core/swarm.h"

/** @brief Look at them before the run. @return SWARM_OK or SWARM_INPUT */
int swarm_expect_prepare(struct swarm *w);

/** @brief A checkpoint was read: the scenario lies elsewhere. */
void swarm_expect_resume(struct swarm *w);

/** @brief Set the timers of those that are looked at at a time. @return SWARM_OK or SWARM_INPUT */
int swarm_expect_begin(struct swarm *w);

/** @brief Something happened to a vehicle; from the thread that has its shard.
 *  @param events  a bit per enum mf_scenario_event */
void swarm_expect_note(struct swarm *w, uint32_t i, uint32_t events,
                       const struct mf_crowd_state *before, const struct mf_crowd_state *now);

/** @brief The run is over: a line for each on stdout, and JUnit XML.
 *  @param junit  file; NULL: none  @return how many do not hold; < 0: the file takes nothing, with
 * an error set */
int swarm_expect_tell(struct swarm *w, const char *junit);

#endif
