/* SPDX-License-Identifier: Apache-2.0 */
/** Behaviours of plug-ins: what members do by themselves, turn by turn. */
#ifndef MF_BOARDS_SWARM_MIND_OWN_H
#define MF_BOARDS_SWARM_MIND_OWN_H

#include "boards/swarm/core/swarm.h"
#include "fleet/order.h"

/** @brief Find what entities chose. @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_mind_own_prepare(struct swarm *w);

/** @brief Bytes that a member of an entity keeps between its turns; 0: none. */
size_t swarm_mind_own_bytes(const struct swarm *w, uint32_t entity);

/** @brief A turn of member @p i. @param state  [swarm_mind_own_bytes()] of its own
 *  @return false: it wants no more turns */
bool swarm_mind_own_turn(struct swarm *w, uint32_t i, uint32_t turn, mf_us_t at_us, void *state,
                         const struct mf_order_port *port);

void swarm_mind_own_free(struct swarm *w);

#endif
