/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Coverage of an area: a raster with a bit for each cell. A cell counts as seen, or as inside, if
 * its centre is.
 *
 * Places are east and north in metres. The caller owns the bits; several rasters may share a grid.
 * Only + - * / and sqrt, so the bits are the same everywhere.
 */
#ifndef MF_WORLD_COVERAGE_H
#define MF_WORLD_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Place on the level. */
struct mf_en {
    double e, n;
};

/** Box, by its south-western and north-eastern corners. */
struct mf_coverage_box {
    struct mf_en low, high;
};

/** Places of the cells of a raster. */
struct mf_coverage_grid {
    struct mf_en corner; /**< south-western corner */
    double cell_m;
    uint32_t columns, rows;
};

/** Rectangle on the ground that a camera sees which looks straight down. */
struct mf_coverage_frame {
    struct mf_en centre;
    struct mf_en heading; /**< of length 1 */
    double ahead_m;       /**< half its length along the heading */
    double across_m;      /**< half its width */
};

/** @brief Box around a polygon of @p count corners, 3 or more. */
struct mf_coverage_box mf_coverage_box(const struct mf_en *corners, size_t count);

/** @brief Grid over a polygon of @p count corners, with cells of at most @p cell_m. */
struct mf_coverage_grid mf_coverage_grid(const struct mf_en *corners, size_t count, double cell_m);

/** @brief Number of 64-bit words of a raster of this grid. */
size_t mf_coverage_words(const struct mf_coverage_grid *g);

/** @brief Set all cells within a frame, except those beyond the grid. */
void mf_coverage_see(uint64_t *bits, const struct mf_coverage_grid *g,
                     const struct mf_coverage_frame *frame);

/** @brief True if a cell is set. @param column, row  within the grid */
bool mf_coverage_is_set(const uint64_t *bits, const struct mf_coverage_grid *g, uint32_t column,
                        uint32_t row);

/** @brief Set all cells within a polygon, which may be concave. @param bits  all clear */
void mf_coverage_fill(uint64_t *bits, const struct mf_coverage_grid *g, const struct mf_en *corners,
                      size_t count);

/** @brief Number of cells that are set in both of two rasters. */
uint64_t mf_coverage_both(const uint64_t *a, const uint64_t *b, const struct mf_coverage_grid *g);

/** @brief Random place within a polygon, evenly over its area. @param key  of math/chance.h
 * @return any place, if the polygon is a tiny part of the box around it */
struct mf_en mf_coverage_chance(const struct mf_en *corners, size_t count, uint64_t key);

/** @brief True if two edges of a polygon that are not neighbours cross, or a corner lies on an
 * edge.
 * @param edge  out: [2], the edges, by the corner at which each begins, from 0 */
bool mf_coverage_crosses(const struct mf_en *corners, size_t count, size_t *edge);

/** @brief True if a place lies within a polygon. */
bool mf_coverage_inside(struct mf_en at, const struct mf_en *corners, size_t count);

#endif
