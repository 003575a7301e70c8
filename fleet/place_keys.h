/* SPDX-License-Identifier: Apache-2.0 */
/** Keys of the first places of an entity's members. */
#ifndef MF_FLEET_PLACE_KEYS_H
#define MF_FLEET_PLACE_KEYS_H

#include "fleet/keys.h"

/** Keys of a struct mf_scenario_place. */
extern const struct mf_keys mf_place_keys;

/** Read a place: [north, east, up], station, boundary, another entity's name, or a map. */
bool mf_place_read(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                   void *at);

#endif
