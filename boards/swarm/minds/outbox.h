/* SPDX-License-Identifier: Apache-2.0 */
/** Packets that behaviours and controllers have handed to the radios of members, until the radio's
 * next round (radio/radio.c). In the arena. */
#ifndef MF_BOARDS_SWARM_OUTBOX_H
#define MF_BOARDS_SWARM_OUTBOX_H

#include "boards/swarm/core/swarm.h"
#include "world/medium.h"

/** Most packets of a member that wait. */
#define SWARM_OUTBOX_MAX 8u

/** @brief Reserve an outbox for each member with a radio that a plug-in's behaviour or a controller
 *  of the bus can use. @param count  out: number of outboxes
 *  @return SWARM_OK or SWARM_INPUT */
int swarm_outbox_prepare(struct swarm *w, uint32_t *count);

/** @brief True if a member has an outbox. */
bool swarm_outbox_has(const struct swarm *w, uint32_t i);

/** @brief Let the radio of a member send a packet at @p due_us. On the thread of the member's
 *  shard, or while a single thread runs.
 *  @return NULL, or a static text: why not */
const char *swarm_outbox_add(struct swarm *w, uint32_t i, const uint8_t *bytes, size_t size,
                             mf_us_t due_us);

/** @brief Time of the member's next packet; MF_NEVER: the outbox is empty. */
mf_us_t swarm_outbox_next_us(const struct swarm *w, uint32_t i);

/** @brief Take the member's next packet that is due. Its bytes stay until swarm_outbox_clear().
 *  @param packet  out: its bytes and size  @return false: no packet is due */
bool swarm_outbox_take(struct swarm *w, uint32_t i, mf_us_t at_us, struct mf_packet *packet);

/** @brief Free the places of taken packets, after the round. */
void swarm_outbox_clear(struct swarm *w, uint32_t i);

#endif
