/* SPDX-License-Identifier: Apache-2.0 */
/** Keys of the planner that sends out members. */
#ifndef MF_FLEET_PLANNER_KEYS_H
#define MF_FLEET_PLANNER_KEYS_H

#include "fleet/scenario.h"

extern const struct mf_keys mf_planner_keys; /**< keys of struct mf_scenario_planner */

/** @brief Set the values that the file need not give. */
void mf_planner_defaults(struct mf_scenario_planner *p);

#endif
