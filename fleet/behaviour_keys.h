/* SPDX-License-Identifier: Apache-2.0 */
/** The keys of a scenario that say what members do by themselves, and where ghosts are. */
#ifndef MF_FLEET_BEHAVIOUR_KEYS_H
#define MF_FLEET_BEHAVIOUR_KEYS_H

#include "fleet/scenario.h"

/** Of a struct mf_behaviour. */
extern const struct mf_keys mf_behaviour_keys;

/** Addresses of ghosts, one or {list: [ADDRESS, ...]}. The key's first word stands before each. */
bool mf_addresses_read(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                       void *at);

#endif
