/* SPDX-License-Identifier: Apache-2.0 */
/** Radios of members, which broadcast and hear: rounds at the instants at which anybody sends. */
#ifndef MF_BOARDS_SWARM_RADIO_H
#define MF_BOARDS_SWARM_RADIO_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "fleet/ghost.h"

struct swarm_arrival;

/** @brief A packet that the real radio of ghost @p i has sent or heard.
 *  @return NULL, or what is wrong with it: a static text */
const char *swarm_radio_enter(struct swarm *w, uint32_t i, const struct mf_ghost_packet *p,
                              mf_us_t at_us);

/** The radio medium. */
extern const struct swarm_system swarm_radio_system;

#endif
