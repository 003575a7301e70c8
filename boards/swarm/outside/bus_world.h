/* SPDX-License-Identifier: Apache-2.0 */
/** The bus of a swarm of vehicles, agents and ghosts: state out, orders in, every tick. */
#ifndef MF_BOARDS_SWARM_BUS_WORLD_H
#define MF_BOARDS_SWARM_BUS_WORLD_H

#include "boards/swarm/core/swarm.h"
#include "fleet/ghost.h"

/** @brief Wait for controllers, and begin to tick. After mf_engine_init().
 *  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_bus_world_begin(struct swarm *w);

/** @brief Timers of the engine that keep no world alive: 1 while ticks go on and no controller will
 *  act; else 0. */
uint32_t swarm_bus_world_watches(const struct swarm *w);

/** @brief Has it refused to go on? The error is set. */
bool swarm_bus_world_failed(const struct swarm *w);

/** @brief An order for a ghost that a participant feeds. @param participant  < 0: nobody does */
void swarm_bus_world_command(struct swarm *w, int32_t participant, uint32_t member, uint32_t msgid,
                             const void *msg);

/** @brief A packet that the radio of such a ghost has heard. */
void swarm_bus_world_packet(struct swarm *w, int32_t participant, uint32_t member,
                            const struct mf_ghost_packet *p);

#endif
