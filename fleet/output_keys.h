/* SPDX-License-Identifier: Apache-2.0 */
/** Keys of a scenario's outputs and components, a part of its table (scenario_keys.c). */
#ifndef MF_FLEET_OUTPUT_KEYS_H
#define MF_FLEET_OUTPUT_KEYS_H

#include "fleet/scenario.h"

/** Keys of the struct outputs of struct mf_scenario. */
extern const struct mf_keys mf_output_keys;

/** Keys of a struct mf_scenario_component. */
extern const struct mf_keys mf_component_keys;

/** @brief Set the values that the file need not give. @param component  out: struct
 * mf_scenario_component */
void mf_component_defaults(void *component);

/** @brief Read names of entities and members: one, or a list. */
bool mf_chosen_read(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                    void *at);

#endif
