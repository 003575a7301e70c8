/* SPDX-License-Identifier: Apache-2.0 */
/** Run of a swarm, from the boot to the exit code. */
#ifndef MF_BOARDS_SWARM_FLY_H
#define MF_BOARDS_SWARM_FLY_H

#include "boards/swarm/core/swarm.h"

/** @brief Fly the scenario that was read. @return an exit code; with SWARM_INPUT an error is set */
int swarm_fly(struct swarm *w);

#endif
