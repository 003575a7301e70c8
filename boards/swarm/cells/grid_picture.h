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

/** @brief Write the picture. */
void swarm_grid_picture_write(struct swarm_grid_picture *of, const struct swarm *w,
                              const struct swarm_grid *g, const struct mf_grid *q, FILE *to);

/** @brief Free the ways. */
void swarm_grid_picture_free(struct swarm_grid_picture *of);

/* ---- parts that all pictures of such a world have; colours are 0xRRGGBB */

#define SWARM_GRID_SIDE_PX 600.0 /**< of the longer side of a map */
#define SWARM_GRID_EDGE_PX 20.0

/** @brief Colour of a drone's lines. @param drone  number from 1 */
uint32_t swarm_grid_drone_colour(uint32_t drone);

/** @brief Colour of a cell by its letter on the map (mf_grid_letter()). */
uint32_t swarm_grid_letter_colour(char letter);

/** @brief Letter of the lowest level that is not empty at a place. @param cell  out: its cell */
char swarm_grid_letter_above(const struct mf_grid *q, uint32_t x, uint32_t y, uint32_t *cell);

/** @brief Begin a picture with a white ground. */
void swarm_grid_begin_svg(FILE *to, double width, double height);

/** @brief Write a text of the picture. */
void swarm_grid_put_text(FILE *to, double x, double y, uint32_t colour, const char *text);

#endif
