/* SPDX-License-Identifier: Apache-2.0 */
/** Radios of members, which broadcast and receive packets, in rounds at the instants of sending. */
#ifndef MF_BOARDS_SWARM_RADIO_H
#define MF_BOARDS_SWARM_RADIO_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "fleet/ghost.h"

/** @brief True if any member of the scenario has a radio. */
bool swarm_has_radios(const struct mf_scenario *s);

struct swarm_arrival;

/** @brief Add a packet that the real radio of ghost @p i has sent or received.
 *  @return NULL, or a static text: what is wrong with the packet */
const char *swarm_radio_enter(struct swarm *w, uint32_t i, const struct mf_ghost_packet *p,
                              mf_us_t at_us);

/** Counters and state of one member's radio up to now. */
struct swarm_radio_state {
    uint32_t sent, heard;
    float strength_dbm; /**< strength of the last packet received */
    double charge_mas;  /**< charge used since the member's arrival [mA s] */
};

/** Read the state of a member's radio. @return false: the member lacks a radio */
bool swarm_radio_state(const struct swarm *w, uint32_t i, struct swarm_radio_state *state);

/** System of the radio medium (program/systems.c). */
extern const struct swarm_system swarm_radio_system;

extern const size_t swarm_radio_file_bytes;

#endif
