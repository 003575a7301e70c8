/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How much of an area was seen: a raster of which each cell is a bit. A cell counts as seen, or as
 * inside, when its centre is.
 *
 * Places are east and north in metres. The bits belong to the caller; several rasters may share a
 * grid. Only + - * / and sqrt, hence the same bits everywhere.
 */
#ifndef MF_WORLD_COVERAGE_H
#define MF_WORLD_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A place on the level. */
struct mf_en {
    double e, n;
};

/** From the south-western to the north-eastern corner. */
struct mf_coverage_box {
    struct mf_en low, high;
};

/** Where the cells of a raster lie. */
struct mf_coverage_grid {
    struct mf_en corner; /**< the south-western one */
    double cell_m;
    uint32_t columns, rows;
};

/** A rectangle on the ground: what a camera sees that looks straight down. */
struct mf_coverage_frame {
    struct mf_en centre;
    struct mf_en heading; /**< of length 1 */
    double ahead_m;       /**< half its length along the heading */
    double across_m;      /**< half its width */
};

/** @brief The box around a polygon of @p count corners, 3 or more. */
struct mf_coverage_box mf_coverage_box(const struct mf_en *corners, size_t count);

/** @brief The grid over a polygon of @p count corners, with at most @p cell_m a cell. */
struct mf_coverage_grid mf_coverage_grid(const struct mf_en *corners, size_t count, double cell_m);

/** @brief How many words of 64 bits a raster of this grid needs. */
size_t mf_coverage_words(const struct mf_coverage_grid *g);

/** @brief Set all cells within a frame. Those beyond the grid are left out. */
void mf_coverage_see(uint64_t *bits, const struct mf_coverage_grid *g,
                     const struct mf_coverage_frame *frame);

/** @brief Is a cell set? @param column, row  within the grid */
bool mf_coverage_is_set(const uint64_t *bits, const struct mf_coverage_grid *g, uint32_t column,
                        uint32_t row);

/** @brief Set all cells within a polygon, which may be concave. @param bits  all clear */
void mf_coverage_fill(uint64_t *bits, const struct mf_coverage_grid *g, const struct mf_en *corners,
                      size_t count);

/** @brief How many cells are set in both of two rasters. */
uint64_t mf_coverage_both(const uint64_t *a, const uint64_t *b, const struct mf_coverage_grid *g);

/** @brief A place within a polygon by chance, evenly over its area. @param key  of math/chance.h
 *  @return any place, if the polygon is next to nothing of the box around it */
struct mf_en mf_coverage_chance(const struct mf_en *corners, size_t count, uint64_t key);

/** @brief Whether a place lies within a polygon. */
bool mf_coverage_inside(struct mf_en at, const struct mf_en *corners, size_t count);

#endif
