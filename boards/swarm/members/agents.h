/* SPDX-License-Identifier: Apache-2.0 */
/** Agents of a swarm: members without firmware, each of which runs ahead of the others as vehicles
 * do (hal-sim/crowd.h). */
#ifndef MF_BOARDS_SWARM_AGENTS_H
#define MF_BOARDS_SWARM_AGENTS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "fleet/order.h"

/** System of agents: members that move as points, or with a stepped body. */
extern const struct swarm_system swarm_agents_system;

#endif
