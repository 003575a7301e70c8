/* SPDX-License-Identifier: Apache-2.0 */
/** List of entities and members that a scenario names. */
#ifndef MF_FLEET_SCENARIO_CHOSEN_H
#define MF_FLEET_SCENARIO_CHOSEN_H

#include "fleet/scenario_check.h"
#include "fleet/scenario_sizes.h"

#define MF_SCENARIO_CHOSEN_MAX 32u

/** Names of entities and members. */
struct mf_scenario_chosen {
    uint32_t count; /**< 0: the list is empty */
    int line;
    char (*name)[MF_SCENARIO_NAME_MAX]; /**< [count] */
};

/** Key of a struct mf_scenario_chosen. */
#define CHOSEN(key, at, text) OTHER(key, at, mf_chosen_read, text)

/** @brief Read names of entities and members: one, or a list. @param at  out: struct
 * mf_scenario_chosen */
bool mf_chosen_read(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                    void *at);

/** @brief Check that the scenario has all members of a list. @return false: mf_reading_refuse() has
 * set the error */
bool mf_chosen_check(struct mf_reading *r, const struct mf_scenario *s,
                     const struct mf_scenario_chosen *chosen);

#endif
