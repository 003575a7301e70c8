/* SPDX-License-Identifier: Apache-2.0 */
/** Keys of places: where the members of an entity begin. */
#ifndef MF_FLEET_PLACE_KEYS_H
#define MF_FLEET_PLACE_KEYS_H

#include "fleet/keys.h"

/** Of a struct mf_scenario_place. */
extern const struct mf_keys mf_place_keys;

/** Reader of one: [north, east, up], station, boundary, another entity's name, or a map. */
bool mf_place_read(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                   void *at);

#endif
