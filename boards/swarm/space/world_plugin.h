/* SPDX-License-Identifier: Apache-2.0 */
/** Weather of a plug-in. */
#ifndef MF_BOARDS_SWARM_WORLD_PLUGIN_H
#define MF_BOARDS_SWARM_WORLD_PLUGIN_H

#include "boards/swarm/core/swarm.h"

/** @brief Find the weather's plug-in, which gives wind and values from now on.
 *  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_world_plugin_prepare(struct swarm *w);

#endif
