/* SPDX-License-Identifier: Apache-2.0 */
/** Radios of members, which broadcast and receive packets, in rounds at the instants of sending. */
#ifndef MF_BOARDS_SWARM_RADIO_H
#define MF_BOARDS_SWARM_RADIO_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "fleet/ghost.h"

struct swarm_arrival;

/** @brief Add a packet that the real radio of ghost @p i has sent or received.
 *  @return NULL, or a static text: what is wrong with the packet */
const char *swarm_radio_enter(struct swarm *w, uint32_t i, const struct mf_ghost_packet *p,
                              mf_us_t at_us);

/** System of the radio medium (program/systems.c). */
extern const struct swarm_system swarm_radio_system;

extern const size_t swarm_radio_file_bytes;

#endif
