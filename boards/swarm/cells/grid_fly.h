/* SPDX-License-Identifier: Apache-2.0 */
/** A world of cells whose drones are vehicles or ghosts: they boot, fly from tick to tick, land. */
#ifndef MF_BOARDS_SWARM_GRID_FLY_H
#define MF_BOARDS_SWARM_GRID_FLY_H

#include "boards/swarm/cells/grid.h"
#include "fleet/place.h"

/** @brief Is a drone of the world a vehicle or a ghost? Otherwise all are agents. */
bool swarm_grid_has_flyers(const struct swarm *w);

/** @brief Give the settings the ports of vehicles and ghosts, and members their places in cells,
 * before mf_grid_init(). @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_grid_prepare_ports(struct swarm *w, struct swarm_grid *g);

/** @brief All fly up to a time. A ghost that is not in its cell sets an error. */
void swarm_grid_move(struct swarm *w, struct swarm_grid *g, mf_us_t at_us);

/** @brief Drones that are in the air land; it waits for at most ten minutes. */
void swarm_grid_land(struct swarm *w, struct swarm_grid *g, const volatile int *stop);

/** @brief Place of a drone, from 1, as its telemetry reports it; unchanged without telemetry.
 *  @param at_m  in, out: as mf_field_place() */
void swarm_grid_read_place(const struct swarm *w, const struct swarm_grid *g, uint32_t drone,
                           double at_m[3]);

/** @brief Count drones that fly. @param landed  out: those of them that stand on the ground */
uint32_t swarm_grid_count_flown(const struct swarm_grid *g, uint32_t *landed);

#endif
