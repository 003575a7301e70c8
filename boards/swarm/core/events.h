/* SPDX-License-Identifier: Apache-2.0 */
/** Events of members. */
#ifndef MF_BOARDS_SWARM_CORE_EVENTS_H
#define MF_BOARDS_SWARM_CORE_EVENTS_H

#include "hal-sim/crowd.h"

struct swarm;

/** @brief Find the events between two states of a member at one instant.
 *  @return a bit per enum mf_scenario_event */
uint32_t swarm_events(const struct mf_crowd_state *before, const struct mf_crowd_state *now);

#endif
