/* SPDX-License-Identifier: Apache-2.0 */
/** Plans of entities: each file is read once, and all members that fly it share its items. */
#ifndef MF_BOARDS_SWARM_PLANS_H
#define MF_BOARDS_SWARM_PLANS_H

#include "boards/swarm/core/swarm.h"
#include "drone/plan_check.h"

/** @brief Plan of an entity, which may be that of an entity before it. It stays in memory until
 *  the process ends.
 *  @return NULL with an error set */
const struct mf_shared_plan *swarm_plan(struct swarm *w, const struct mf_scenario_entity *e);

/** @brief Read a plan.
 *  @param line  line of the scenario, for errors
 *  @return NULL with an error set */
const struct mf_shared_plan *swarm_plan_read(struct swarm *w, const char *name, int line);

/** @brief True if a vehicle of an entity would start its mission, with the entity's parameters.
 *  @param placed  place of the vehicle
 *  @param why  out: the vehicle's reason against it */
bool swarm_plan_judge(const struct mf_scenario_entity *e, const struct mf_shared_plan *plan,
                      struct mf_placed placed, struct mf_text *why);

/** @brief Protect the scenario and all files that it names from being overwritten by an output
 *  (host/base/output.h). */
void swarm_inputs_keep(const struct swarm *w);

#endif
