/* SPDX-License-Identifier: Apache-2.0 */
/** Pictures of a world of cells: outputs.overhead, trust, costs and video. */
#ifndef MF_BOARDS_SWARM_GRID_FIGURES_H
#define MF_BOARDS_SWARM_GRID_FIGURES_H

#include "boards/swarm/cells/grid_picture.h"
#include "boards/swarm/cells/grid_plots.h"
#include "boards/swarm/cells/grid_video.h"

/** Pictures of a run. Begin with zeros. */
struct swarm_grid_figures {
    FILE *overhead, *trust, *costs; /**< NULL: not wanted */
    struct swarm_grid_picture ways; /**< of overhead */
    struct swarm_grid_trust trusts;
    struct swarm_grid_video video;
    uint32_t controller, goal; /**< of costs: index in the settings, cell */
};

/** @brief Open the files that the scenario has. @return SWARM_OK, or SWARM_INPUT with an error set
 */
int swarm_grid_figures_open(struct swarm *w, struct swarm_grid_figures *f,
                            const struct swarm_grid *g);

/** @brief Add the present state, before each tick. */
void swarm_grid_figures_note(const struct swarm *w, struct swarm_grid_figures *f,
                             const struct swarm_grid *g, const struct mf_grid *q);

/** @brief Write the pictures of the end. */
void swarm_grid_figures_write(const struct swarm *w, struct swarm_grid_figures *f,
                              const struct swarm_grid *g, struct mf_grid *q);

/** @brief Close all files, and free what was noted. @return false: one of them is incomplete */
bool swarm_grid_figures_close(const struct swarm *w, struct swarm_grid_figures *f);

#endif
