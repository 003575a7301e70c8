/* SPDX-License-Identifier: Apache-2.0 */
/** Bodies that plug-ins move. */
#ifndef MF_BOARDS_SWARM_BODY_PLUGIN_H
#define MF_BOARDS_SWARM_BODY_PLUGIN_H

#include "boards/swarm/core/swarm.h"
#include "world/mover_own.h"

/** @brief Find the plug-ins of all bodies. @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_body_plugin_prepare(struct swarm *w);

/** @brief Settings that the bodies of an entity share. The number of each body is that of its
 *  member. */
void swarm_body_plugin_describe(const struct swarm *w, uint32_t entity,
                                struct mf_mover_own_settings *s);

#endif
