/* SPDX-License-Identifier: Apache-2.0 */
/** Radios, antennas and path loss of plug-ins. */
#ifndef MF_BOARDS_SWARM_RADIO_OWN_H
#define MF_BOARDS_SWARM_RADIO_OWN_H

#include "boards/swarm/core/swarm.h"

/** @brief Find what the scenario chose. @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_radio_own_prepare(struct swarm *w);

/** @brief Find the plug-ins in this process after a resume. */
void swarm_radio_own_resume(struct swarm *w);

/** @brief What plug-ins say of an entity's radio, in place of what the scenario says. */
void swarm_radio_own_describe(const struct swarm *w, uint32_t entity, struct mf_radio *r);

/** @brief The path loss of a plug-in, if the scenario chose one. */
void swarm_radio_own_path(const struct swarm *w, struct mf_medium_settings *m);

#endif
