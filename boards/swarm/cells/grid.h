/* SPDX-License-Identifier: Apache-2.0 */
/** A scenario that is a world of cells (fleet/grid.h), from its keys to its outputs. */
#ifndef MF_BOARDS_SWARM_GRID_H
#define MF_BOARDS_SWARM_GRID_H

#include "boards/swarm/cells/grid_plugin.h"
#include "boards/swarm/core/swarm.h"
#include "fleet/grid.h"

#define SWARM_GRID_SPARES 64u
/** Controller of a task that is a spare one. */
#define SWARM_GRID_NOBODY MF_GRID_CONTROLLERS_MAX

struct swarm_grid_port;

/** Settings of a world as the scenario has them, and what they point to. */
struct swarm_grid {
    struct mf_grid_settings s;
    struct mf_field_map checked; /* walls and attributes at the start, in the arena */
    uint32_t *blocked, *hidden;
    struct mf_grid_drone *drone;
    uint32_t *member; /* [drones]: of each in the scenario */
    struct mf_grid_controller *controller;
    uint32_t order[MF_GRID_CONTROLLERS_MAX]; /* of each in the scenario, by id */
    struct mf_grid_task *task;
    struct mf_grid_order *orders;
    struct mf_charger *charger;
    struct mf_thing *thing;
    struct mf_grid_effect *effect;
    struct swarm_grid_plugin own[MF_GRID_CONTROLLERS_MAX]; /* of each in the scenario */
    /* without spares, which stand behind: */
    uint32_t own_drones, own_tasks, own_orders, own_effects;
    struct swarm_grid_port *port; /* [own_drones]: of vehicles and ghosts; NULL: all are agents */
};

/** @brief Settings from keys.
 * @param spares  add drones, tasks, orders and effects behind the scenario's, whose time does not
 * come unless an operator uses them
 * @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_grid_build(struct swarm *w, struct swarm_grid *g, bool spares);

/** @brief Find the index of a cell. @param what  for the error: what lies there
 * @return SWARM_OK, or SWARM_INPUT with an error set: the world lacks the cell */
int swarm_grid_find_cell(struct swarm *w, const struct swarm_grid *g, int line, const char *what,
                         const double place[3], uint32_t *cell);

/** @brief Read a task of a scenario. @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_grid_read_task(struct swarm *w, const struct swarm_grid *g, uint32_t controller,
                         const struct mf_scenario_task *from, struct mf_grid_task *t);

/** @brief Name of a drone, from 1. @param name  out [SWARM_NAME_MAX] */
void swarm_grid_drone_name(const struct swarm *w, const struct swarm_grid *g, uint32_t drone,
                           char *name);

/** The world of cells of a run. */
extern const struct swarm_system swarm_grid_system;

#endif
