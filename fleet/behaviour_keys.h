/* SPDX-License-Identifier: Apache-2.0 */
/** Keys of a scenario for the behaviour of members, and for the addresses of ghosts. */
#ifndef MF_FLEET_BEHAVIOUR_KEYS_H
#define MF_FLEET_BEHAVIOUR_KEYS_H

#include "fleet/scenario_entity.h"

/** Keys of a struct mf_behaviour. */
extern const struct mf_keys mf_behaviour_keys;

/** Check that a behaviour has what it needs: points, an end, and a radio to hear others. */
mf_entity_check mf_behaviour_check;

/** Read one address, a list of them, or {list: [ADDRESS, ...]}. The key's words are the prefixes
 * that an address may have. */
bool mf_addresses_read(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                       void *at);

#endif
