/* SPDX-License-Identifier: Apache-2.0 */
/** Receptions and measurements of members for programs on the bus, and transmissions by these
 * programs (docs/bus.md). */
#ifndef MF_BOARDS_SWARM_BUS_RADIO_H
#define MF_BOARDS_SWARM_BUS_RADIO_H

#include "boards/swarm/core/gathered.h"
#include "boards/swarm/radio/radio.h"
#include "fleet/bus.h"

/** Packets that members have received and no turn has told yet. Zero it to begin. */
struct swarm_bus_radio {
    struct swarm_rows heard;
    uint64_t lost;         /**< number of packets beyond those that wait for a turn */
    struct mf_timer timer; /**< the next turn for controllers that answer packets */
    mf_us_t due_us;        /**< its time, while it is set */
};

/** @brief Keep a packet until the next turn, or count it as lost if a million wait already.
 *  @return false: memory is exhausted */
bool swarm_bus_radio_keep(struct swarm_bus_radio *b, const struct swarm_radio_heard *heard);

/** @brief Let a turn be at a time at which a packet has ended, unless an earlier one is to come. */
void swarm_bus_radio_hasten(struct swarm *w, struct swarm_bus_radio *b, mf_us_t at_us);

/** @brief Send frames HEARD and SENSED to controllers and observers. Packets that end after
 *  @p at_us wait, and the next turn is set for the first of them. */
void swarm_bus_radio_tell(struct swarm *w, struct swarm_bus_radio *b, mf_us_t at_us);

/** @brief True if a packet from a participant is one of a member here, not of a ghost. */
bool swarm_bus_radio_is_own(const struct swarm *w, uint32_t participant, uint32_t member);

/** @brief Let the radio of a member broadcast. @return NULL, or the fault of the sender */
const char *swarm_bus_radio_transmit(struct swarm *w, const struct mf_bus_packet *packet,
                                     mf_us_t at_us);

void swarm_bus_radio_free(struct swarm_bus_radio *b);

#endif
