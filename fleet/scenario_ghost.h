/* SPDX-License-Identifier: Apache-2.0 */
/** What must hold between the keys of a ghost (scenario.h). */
#ifndef MF_FLEET_SCENARIO_GHOST_H
#define MF_FLEET_SCENARIO_GHOST_H

#include "fleet/scenario.h"

/** @brief The drones of an entity, which are processes; NULL: they are none. */
const struct mf_scenario_process *mf_scenario_process_of(const struct mf_scenario *s,
                                                         const struct mf_scenario_entity *e);

/** @brief Where an entity's state comes from: links, motion capture, the bus.
 *  @return NULL, or what is wrong: a static text with %s for the entity's name */
const char *mf_scenario_ghost_wrong(const struct mf_scenario *s,
                                    const struct mf_scenario_entity *e);

#endif
