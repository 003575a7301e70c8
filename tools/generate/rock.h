/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Rooms underground and indoors, as a raster of cells: what is not free is rock or wall. Every free
 * cell is reached from every other one, and none lies at the edge, so nothing leads out.
 *
 * Layers alternate: between two levels lies a slab, through which shafts lead. All chance follows
 * from the seed.
 */
#ifndef MF_GENERATE_ROCK_H
#define MF_GENERATE_ROCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ROCK_SIDE_MAX   512u /* cells of a side */
#define ROCK_LEVELS_MAX 16u

struct rock {
    uint32_t columns, rows, levels; /**< columns to the east, rows to the north; 5 at least */
    double side_m, height_m, slab_m;
    uint64_t seed;
    uint32_t shafts; /**< between two levels, if there is room for so many */
    uint32_t wide;   /**< cells of a side of a shaft */
    uint8_t *free;   /**< [rock_cells()], layer by layer from below, row by row from the south */
};

/** @brief Cells of all layers. */
size_t rock_cells(const struct rock *r);

/** @brief Is a cell free? One beyond the edge is not. */
bool rock_is_free(const struct rock *r, int64_t column, int64_t row, int64_t layer);

/** @brief Height of a layer's floor above the lowest slab's foot [m]. */
double rock_up_m(const struct rock *r, uint32_t layer);

/** @brief Long drifts with branches and some loops. @param r  free is all zero */
void rock_dig_mine(struct rock *r);

/** @brief Rooms, each behind a door of two cells. @param least  cells of a side of a room */
void rock_build_office(struct rock *r, uint32_t least);

/** @brief A free cell: the first of the lowest level. */
void rock_entrance(const struct rock *r, uint32_t at[3]);

#endif
