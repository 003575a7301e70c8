/* SPDX-License-Identifier: Apache-2.0 */
/** Settings of members that arrive one after the other, at random times, and leave. */
#ifndef MF_FLEET_SCENARIO_ARRIVALS_H
#define MF_FLEET_SCENARIO_ARRIVALS_H

#include "fleet/scenario_search.h"
#include "hal/types.h"

/** Maximum number of plans of one entity, and longest name of a file, with its NUL. */
#define MF_ARRIVALS_PLANS_MAX 16u
#define MF_ARRIVALS_FILE_MAX  200u

/** Arrivals of an entity. */
struct mf_scenario_arrivals {
    int line;
    double per_minute; /**< mean rate; 0: all members are present from the beginning */
    uint32_t corners; /**< corners of the area where members appear; 0: they appear where their plan
                         begins */
    double (*corner)[2]; /**< [corners]: north, east of the origin [m] */
    uint32_t plans;
    char (*plan)[MF_ARRIVALS_FILE_MAX]; /**< [plans] */
    bool remote_id;                     /**< their links send remote identification */
};

extern const struct mf_keys mf_scenario_arrivals_keys;

/** @brief True if the entity's members arrive one after the other. */
bool mf_scenario_arrives(const struct mf_scenario_entity *e);

/** Check that arrivals fit the other keys of their entity, and set the kind of its place. */
mf_entity_check mf_scenario_arrivals_check;

/** @brief Time between the arrivals of member @p i and of the one before it [us]: the gaps of a
 * Poisson process. Each follows from the seed, the variation and the member alone. */
mf_us_t mf_arrival_gap_us(const struct mf_scenario *s, uint32_t i);

/** @brief Choose one of its entity's plans for member @p i, at random, evenly. */
uint32_t mf_arrival_plan(const struct mf_scenario *s, uint32_t i);

#endif
