/* SPDX-License-Identifier: Apache-2.0 */
/** Picture of a world of cells from above, as SVG: its cells at the end of the run, and the way of
 * each drone. */
#ifndef MF_BOARDS_SWARM_GRID_PICTURE_H
#define MF_BOARDS_SWARM_GRID_PICTURE_H

#include "boards/swarm/cells/grid.h"
#include "boards/swarm/core/gathered.h"

struct swarm_grid_step {
    uint32_t drone, cell;
};

/** Ways of all drones so far. */
struct swarm_grid_picture {
    struct swarm_rows steps; /* struct swarm_grid_step, in the order of time; failed: the ways end
                                there */
    uint32_t *last; /* [drones]: cell of each, plus 1; 0: it has not appeared; on the heap */
};

/** @brief Add the cells to which drones have moved since the last call. */
void swarm_grid_picture_note(struct swarm_grid_picture *p, const struct swarm_grid *g,
                             const struct mf_grid *q);

/** @brief Write the picture, and free the ways. */
void swarm_grid_picture_write(struct swarm_grid_picture *of, const struct swarm *w,
                              const struct swarm_grid *g, const struct mf_grid *q, FILE *to);

#endif
