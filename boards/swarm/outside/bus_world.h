/* SPDX-License-Identifier: Apache-2.0 */
/** The bus of a swarm of vehicles, agents and ghosts: state out, orders in, every tick. */
#ifndef MF_BOARDS_SWARM_BUS_WORLD_H
#define MF_BOARDS_SWARM_BUS_WORLD_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "fleet/ghost.h"

/** @brief An order for a ghost that a participant feeds. @param participant  < 0: nobody does */
void swarm_bus_world_command(struct swarm *w, int32_t participant, uint32_t member, uint32_t msgid,
                             const void *msg);

/** @brief A packet that the radio of such a ghost has heard. */
void swarm_bus_world_packet(struct swarm *w, int32_t participant, uint32_t member,
                            const struct mf_ghost_packet *p);

/** The bus of a swarm of members. */
extern const struct swarm_system swarm_bus_system;

#endif
