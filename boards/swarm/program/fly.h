/* SPDX-License-Identifier: Apache-2.0 */
/** Run of a swarm, from the boot to the exit code. */
#ifndef MF_BOARDS_SWARM_FLY_H
#define MF_BOARDS_SWARM_FLY_H

#include "boards/swarm/core/swarm.h"

/** @brief Fly the scenario that was read. @return an exit code; with SWARM_INPUT an error is set */
int swarm_fly(struct swarm *w);

/** @brief Check the scenario that was read, without a flight: programs and ports, meshes and
 * tables, plans. @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_check(struct swarm *w);

#endif
