/* SPDX-License-Identifier: Apache-2.0 */
/** Settings and keys of the planner that sends out members. */
#ifndef MF_FLEET_SCENARIO_PLANNER_H
#define MF_FLEET_SCENARIO_PLANNER_H

#include "fleet/scenario_chosen.h"

/** Planner that sends out members (fleet/hive.h). */
struct mf_scenario_planner {
    int line;
    int32_t kind; /**< 0: hive; -1: no planner */
    struct mf_scenario_chosen of;
    double cell_m, height_m, speed_mps, rate_hz, reach_m, lost_s;
};

extern const struct mf_keys mf_planner_keys; /**< keys of struct mf_scenario_planner */

/** Check that a planner has a hive, and members that obey its orders and seek the same entity. */
mf_scenario_check mf_planner_check;

/** @brief Set the values that the file need not give. */
void mf_planner_defaults(struct mf_scenario_planner *p);

#endif
