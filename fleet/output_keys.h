/* SPDX-License-Identifier: Apache-2.0 */
/** The keys of a scenario's outputs, a part of its table (scenario_keys.c). */
#ifndef MF_FLEET_OUTPUT_KEYS_H
#define MF_FLEET_OUTPUT_KEYS_H

#include "fleet/scenario.h"

/** Of the struct outputs of struct mf_scenario. */
extern const struct mf_keys mf_output_keys;

/** Of a component. */
extern const struct mf_keys mf_component_keys;

/** @brief Reader of entities and members: a name, or a list of names. */
bool mf_chosen_read(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                    void *at);

#endif
