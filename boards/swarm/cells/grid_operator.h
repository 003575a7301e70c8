/* SPDX-License-Identifier: Apache-2.0 */
/** Requests of an operator to a world of cells. */
#ifndef MF_BOARDS_SWARM_GRID_OPERATOR_H
#define MF_BOARDS_SWARM_GRID_OPERATOR_H

#include "boards/swarm/cells/grid.h"
#include "boards/swarm/time/operator.h"

struct swarm_grid_operator {
    struct swarm_operator all;
    struct swarm_grid *g; /**< with spares */
    struct mf_grid *q;
    char *map;                             /**< a level as text (mf_grid_map()) */
    uint32_t added, tasked, ordered, done; /**< of the spare drones, tasks, orders and effects */
};

/** @brief Give the run its operator. @param o  cleared, except its map */
void swarm_grid_operate(struct swarm_grid_operator *o, struct swarm *w, struct swarm_grid *g,
                        struct mf_grid *q);

/** @brief Tasks so far, those of the scenario and those that were added. */
static inline uint32_t swarm_grid_count_tasks(const struct swarm_grid_operator *o)
{
    return o->g->own_tasks + o->tasked;
}

/** Routes of the control API for a world of cells. */
extern const struct mf_api_route swarm_grid_routes[];

/** Commands of step mode for a world of cells. */
extern const struct swarm_operator_command swarm_grid_commands[];

#endif
