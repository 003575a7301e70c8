/* SPDX-License-Identifier: Apache-2.0 */
/** Radios, antennas and path losses that plug-ins compute. */
#ifndef MF_BOARDS_SWARM_RADIO_PLUGIN_H
#define MF_BOARDS_SWARM_RADIO_PLUGIN_H

#include "boards/swarm/core/swarm.h"

/** @brief Find the plug-ins that the scenario names. @return SWARM_OK, or SWARM_INPUT with an error
 * set */
int swarm_radio_plugin_prepare(struct swarm *w);

/** @brief Replace values of an entity's radio by those of its plug-ins, if it has any. @param r in,
 * out */
void swarm_radio_plugin_describe(const struct swarm *w, uint32_t entity, struct mf_radio *r);

/** @brief Set the path loss to that of a plug-in, if the scenario names one. @param m  in, out */
void swarm_radio_plugin_path(const struct swarm *w, struct mf_medium_settings *m);

#endif
