/* SPDX-License-Identifier: Apache-2.0 */
/** The bus of a swarm of vehicles, agents and ghosts: sends their states and receives their orders
 * at every tick. */
#ifndef MF_BOARDS_SWARM_BUS_WORLD_H
#define MF_BOARDS_SWARM_BUS_WORLD_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "fleet/ghost.h"

/** System of the bus of members. */
extern const struct swarm_system swarm_bus_system;

extern const size_t swarm_bus_world_bytes;

#endif
