/* SPDX-License-Identifier: Apache-2.0 */
/** Schedulers and formulas of trust of plug-ins, for controllers of a world of cells. */
#ifndef MF_BOARDS_SWARM_GRID_PLUGIN_H
#define MF_BOARDS_SWARM_GRID_PLUGIN_H

#include "boards/swarm/core/plugins.h"
#include "fleet/grid.h"

/** Plug-ins of a controller. Hooks point to it, so it does not move. */
struct swarm_grid_plugin {
    struct swarm *w;
    struct swarm_plugin scheduler, trust;
    struct mf_grid_own hooks;
    struct mf_plugin_worker worker[MF_GRID_DRONES_MAX]; /**< among which the scheduler chooses */
};

/** @brief Find the plug-ins of a controller.
 *  @param hooks  out: for struct mf_grid_controller; NULL: without plug-ins
 *  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_grid_plugin_find(struct swarm *w, const struct mf_scenario_controller *c,
                           struct swarm_grid_plugin *o, const struct mf_grid_own **hooks);

#endif
