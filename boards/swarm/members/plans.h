/* SPDX-License-Identifier: Apache-2.0 */
/** Plans of entities: each file is read once and shared by all who fly it. */
#ifndef MF_BOARDS_SWARM_PLANS_H
#define MF_BOARDS_SWARM_PLANS_H

#include "boards/swarm/core/swarm.h"
#include "drone/plan_check.h"

/** @brief The plan of an entity; it stays until the process ends. @return NULL with an error set */
const struct mf_shared_plan *swarm_plan(struct swarm *w, const struct mf_scenario_entity *e);

/** @brief The plan of a file. @param line  of the scenario, for the error
 *  @return NULL with an error set */
const struct mf_shared_plan *swarm_plan_read(struct swarm *w, const char *name, int line);

/** @brief Would a vehicle of an entity start a mission? It stands at @p placed, as its first member
 * does, as far as a mission is judged. @param why  out: the vehicle's reason against it */
bool swarm_plan_judge(const struct mf_scenario_entity *e, const struct mf_shared_plan *plan,
                      struct mf_placed placed, struct mf_text *why);

/** @brief No output may replace a file that the scenario names, nor the scenario
 *  (host/base/output.h). */
void swarm_inputs_keep(const struct swarm *w);

#endif
