/* SPDX-License-Identifier: Apache-2.0 */
/** Checks between the keys of a ghost (scenario.h). */
#ifndef MF_FLEET_SCENARIO_GHOST_H
#define MF_FLEET_SCENARIO_GHOST_H

#include "fleet/scenario.h"

/** @brief Find the process that starts an entity's drones. @return NULL: no process does */
const struct mf_scenario_process *mf_scenario_process_of(const struct mf_scenario *s,
                                                         const struct mf_scenario_entity *e);

/** Check the sources of a ghost's state: links, motion capture, the bus. */
mf_entity_check mf_scenario_ghost_check;

#endif
