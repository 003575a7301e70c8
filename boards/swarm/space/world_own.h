/* SPDX-License-Identifier: Apache-2.0 */
/** Weather of plug-ins. */
#ifndef MF_BOARDS_SWARM_WORLD_OWN_H
#define MF_BOARDS_SWARM_WORLD_OWN_H

#include "boards/swarm/core/swarm.h"

/** @brief Find what the scenario chose; its weather asks it from then on.
 *  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_world_own_prepare(struct swarm *w);

/** @brief Find the plug-ins in this process after a resume. */
void swarm_world_own_resume(struct swarm *w);

#endif
