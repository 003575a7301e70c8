/* SPDX-License-Identifier: Apache-2.0 */
/** Members that a scenario names. */
#ifndef MF_FLEET_SCENARIO_CHOSEN_H
#define MF_FLEET_SCENARIO_CHOSEN_H

#include "hal/types.h"

#define MF_SCENARIO_NAME_MAX   32u
#define MF_SCENARIO_CHOSEN_MAX 32u

/** Entities and members, by their names. */
struct mf_scenario_chosen {
    uint32_t count; /**< 0: none are named */
    int line;
    char name[MF_SCENARIO_CHOSEN_MAX][MF_SCENARIO_NAME_MAX];
};

#endif
