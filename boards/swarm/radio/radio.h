/* SPDX-License-Identifier: Apache-2.0 */
/** Radios of members, which broadcast and hear: rounds at the instants at which anybody sends. */
#ifndef MF_BOARDS_SWARM_RADIO_H
#define MF_BOARDS_SWARM_RADIO_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "fleet/ghost.h"

/** @brief Has anybody a radio? */
bool swarm_has_radios(const struct mf_scenario *s);

struct swarm_arrival;

/** @brief A packet that the real radio of ghost @p i has sent or heard.
 *  @return NULL, or what is wrong with it: a static text */
const char *swarm_radio_enter(struct swarm *w, uint32_t i, const struct mf_ghost_packet *p,
                              mf_us_t at_us);

/** One member's radio, up to now. */
struct swarm_radio_state {
    uint32_t sent, heard;
    float strength_dbm; /**< of the last packet that it heard */
    double charge_mas;  /**< used since time 0 [mA s] */
};

/** @return false: it has none */
bool swarm_radio_state(const struct swarm *w, uint32_t i, struct swarm_radio_state *state);

/** The radio medium. */
extern const struct swarm_system swarm_radio_system;

extern const size_t swarm_radio_file_bytes;

#endif
