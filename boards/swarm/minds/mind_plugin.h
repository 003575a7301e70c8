/* SPDX-License-Identifier: Apache-2.0 */
/** Behaviours of plug-ins, which act for members turn by turn. */
#ifndef MF_BOARDS_SWARM_MIND_PLUGIN_H
#define MF_BOARDS_SWARM_MIND_PLUGIN_H

#include "boards/swarm/core/swarm.h"
#include "fleet/order.h"
#include "world/medium.h"

/** @brief Find the plug-ins of all behaviours. @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_mind_plugin_prepare(struct swarm *w);

/** @brief Bytes of state that a plug-in needs for each member of an entity. */
size_t swarm_mind_plugin_bytes(const struct swarm *w, uint32_t entity);

/** @brief Let the plug-in act for member @p i.
 *  @param state  [swarm_mind_plugin_bytes()], the member's
 *  @return false: the plug-in needs no further turn */
bool swarm_mind_plugin_turn(struct swarm *w, uint32_t i, uint32_t turn, mf_us_t at_us, void *state,
                            const struct mf_order_port *port);

/** @brief True if the plug-in of an entity's behaviour receives packets. After SWARM_FIND. */
bool swarm_mind_plugin_hears(const struct swarm *w, uint32_t entity);

/** A packet that a member's radio has received. */
struct swarm_heard {
    uint32_t i; /**< the receiver */
    const struct mf_delivery *delivery;
    mf_us_t at_us, end_us; /**< an answer leaves at the end */
};

/** @brief Pass a packet to the plug-in. Any thread, one member at a time. @param state
 * [swarm_mind_plugin_bytes()], the receiver's */
void swarm_mind_plugin_receive(struct swarm *w, const struct swarm_heard *heard, void *state);

void swarm_mind_plugin_free(struct swarm *w);

#endif
