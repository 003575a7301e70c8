/* SPDX-License-Identifier: Apache-2.0 */
/** Plots of a world of cells, as SVG: trust in each drone over time, and the moves from each cell
 * to a goal (docs/papers.md). */
#ifndef MF_BOARDS_SWARM_GRID_PLOTS_H
#define MF_BOARDS_SWARM_GRID_PLOTS_H

#include "boards/swarm/cells/grid.h"
#include "boards/swarm/core/gathered.h"

/** Trust in all drones so far. Begin with zeros. */
struct swarm_grid_trust {
    struct swarm_rows changes; /**< struct swarm_grid_trusted, in the order of time; failed: the
                                  lines end there */
    double *last;              /**< [drones]: latest trust; negative: none yet; on the heap */
};

struct swarm_grid_trusted {
    uint64_t tick;
    uint32_t drone;
    double trust;
};

/** @brief Add the trust that has changed since the last call. */
void swarm_grid_trust_note(struct swarm_grid_trust *t, const struct swarm_grid *g,
                           const struct mf_grid *q);

/** @brief Write the plot. */
void swarm_grid_trust_write(const struct swarm_grid_trust *t, const struct swarm *w,
                            const struct swarm_grid *g, const struct mf_grid *q, FILE *to);

/** @brief Free the lines. */
void swarm_grid_trust_free(struct swarm_grid_trust *t);

/** @brief Write the level of the goal: the number of moves in each cell, on the controller's map.
 * @param controller  index in the settings */
void swarm_grid_costs_write(const struct swarm_grid *g, struct mf_grid *q, uint32_t controller,
                            uint32_t goal, FILE *to);

#endif
