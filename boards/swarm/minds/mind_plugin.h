/* SPDX-License-Identifier: Apache-2.0 */
/** Behaviours of plug-ins, which act for members turn by turn. */
#ifndef MF_BOARDS_SWARM_MIND_PLUGIN_H
#define MF_BOARDS_SWARM_MIND_PLUGIN_H

#include "boards/swarm/core/swarm.h"
#include "fleet/order.h"

/** @brief Find the plug-ins of all behaviours. @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_mind_plugin_prepare(struct swarm *w);

/** @brief Bytes of state that a plug-in needs for each member of an entity. */
size_t swarm_mind_plugin_bytes(const struct swarm *w, uint32_t entity);

/** @brief Let the plug-in act for member @p i.
 *  @param state  [swarm_mind_plugin_bytes()], the member's
 *  @return false: the plug-in needs no further turn */
bool swarm_mind_plugin_turn(struct swarm *w, uint32_t i, uint32_t turn, mf_us_t at_us, void *state,
                            const struct mf_order_port *port);

void swarm_mind_plugin_free(struct swarm *w);

#endif
