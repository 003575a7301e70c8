/* SPDX-License-Identifier: Apache-2.0 */
/** Radios of members, which broadcast and receive packets, in rounds at the instants of sending. */
#ifndef MF_BOARDS_SWARM_RADIO_H
#define MF_BOARDS_SWARM_RADIO_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "fleet/ghost.h"
#include "world/medium.h"

struct swarm_arrival;

/** @brief Add a packet that the real radio of ghost @p i has sent or received.
 *  @return NULL, or a static text: what is wrong with the packet */
const char *swarm_radio_enter(struct swarm *w, uint32_t i, const struct mf_ghost_packet *p,
                              mf_us_t at_us);

/** @brief Let the radio of a member broadcast a packet at @p at_us, the present. While a single
 *  thread runs, and after SWARM_BEGIN of the radio.
 *  @return NULL, or a static text: why not */
const char *swarm_radio_transmit(struct swarm *w, uint32_t i, const uint8_t *bytes, size_t size,
                                 mf_us_t at_us);

/** A packet that a member's radio has received, for programs outside. */
struct swarm_radio_heard {
    uint32_t i; /**< the receiver */
    struct mf_packet packet;
    double strength_dbm;   /**< NAN: a network has brought it */
    mf_us_t at_us, end_us; /**< of the reception; end: at_us, plus the packet's bits */
};

/** @brief Pass what the radios of some members receive to @p report, in the order of time,
 * receiver, sender and number. After SWARM_PREPARE. @param of  in the scenario */
void swarm_radio_report(struct swarm *w, const struct mf_scenario_chosen *of,
                        void (*report)(struct swarm *w, const struct swarm_radio_heard *heard));

/** System of the radio medium (program/systems.c). */
extern const struct swarm_system swarm_radio_system;

#endif
