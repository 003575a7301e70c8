/* SPDX-License-Identifier: Apache-2.0 */
/** Members that come one after the other, by chance, and leave: what a scenario says of them. */
#ifndef MF_FLEET_SCENARIO_ARRIVALS_H
#define MF_FLEET_SCENARIO_ARRIVALS_H

#include "fleet/scenario_search.h"
#include "hal/types.h"

/** Plans of one entity, and the longest name of a file, with its NUL. */
#define MF_ARRIVALS_PLANS_MAX 16u
#define MF_ARRIVALS_FILE_MAX  200u

/** Of an entity. */
struct mf_scenario_arrivals {
    int line;
    double per_minute; /**< mean rate; 0: all members are there from the beginning */
    uint32_t corners;  /**< of the area where they appear; 0: where their plan begins */
    double corner[MF_SCENARIO_CORNERS_MAX][2]; /**< north, east of the origin [m] */
    uint32_t plans;
    char plan[MF_ARRIVALS_PLANS_MAX][MF_ARRIVALS_FILE_MAX];
    bool remote_id; /**< their links send remote identification */
};

struct mf_scenario;
struct mf_scenario_entity;

extern const struct mf_keys mf_scenario_arrivals_keys;

/** @brief Do its members arrive? */
bool mf_scenario_arrives(const struct mf_scenario_entity *e);

/** @brief What holds between keys. @return NULL, or what is wrong: a static text with one %s for
 * the name of the entity */
const char *mf_scenario_arrivals_wrong(const struct mf_scenario *s,
                                       const struct mf_scenario_entity *e);

/** @brief How long after the member before it does member @p i arrive [us]? The gaps of a Poisson
 * process. Each follows from the seed, the variation and the member alone. */
mf_us_t mf_arrival_gap_us(const struct mf_scenario *s, uint32_t i);

/** @brief Which of its entity's plans does member @p i fly? By chance, evenly. */
uint32_t mf_arrival_plan(const struct mf_scenario *s, uint32_t i);

#endif
