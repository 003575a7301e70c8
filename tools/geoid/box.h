/* SPDX-License-Identifier: Apache-2.0 */
/** Bounding boxes, and the part of a grid that serves one. Pure functions. */
#ifndef MF_GEOID_BOX_H
#define MF_GEOID_BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A bounding box [1e-9 deg]: south <= north within +-90, west and east within +-180 degrees. East
 * of the antimeridian if west > east; all longitudes if west is -180 and east 180. */
struct geoid_box {
    int64_t south_e9, west_e9, north_e9, east_e9;
};

/** Positions of the nodes of a grid: rows from north to south, columns from west to east. */
struct geoid_grid {
    uint32_t rows, columns;
    int64_t north_e9, west_e9; /**< of the first node [1e-9 deg] */
    uint32_t lat_num, lat_den; /**< spacing of rows: lat_num / lat_den degrees */
    uint32_t lon_num, lon_den; /**< spacing of columns */
    bool wraps;                /**< the column after the last is the first */
};

/** A part of a grid: columns are counted from @p column onwards, past the last to the first. */
struct geoid_crop {
    uint32_t row, column;   /**< of the first node */
    struct geoid_grid grid; /**< what the part is as a grid of its own */
};

/** Nodes that a part has beyond its box, so that every stencil within the box is whole. */
#define GEOID_BOX_MARGIN 2

/** @brief Read "S,W,N,E" in degrees. @return false, and what is wrong with it in @p error */
bool geoid_box_parse(const char *text, struct geoid_box *box, char *error, size_t error_size);

/** Longest text of geoid_box_text(), with its end. */
#define GEOID_BOX_TEXT_MAX 64u

/** @brief Write "S,W,N,E" as geoid_box_parse() reads it, exactly and no longer than necessary. */
void geoid_box_text(const struct geoid_box *box, char *text);

/** @brief Degrees of 1e-9 degree, exactly and no longer than necessary ("47.3667"). @param text
 *  out [16] */
void geoid_degrees_text(int64_t e9, char *text);

/**
 * @brief The part of a grid that covers a box, with GEOID_BOX_MARGIN more nodes on each side where
 *        the grid has them. Its first node is one whose position is a whole number of 1e-9 degree
 *        from the grid's own, so that nodes stay where they were. What reaches over a pole of a
 *        grid that wraps, or all around it, has all its columns in the grid's own order.
 * @return false if the grid does not hold the whole box
 */
bool geoid_box_crop(const struct geoid_grid *grid, const struct geoid_box *box,
                    struct geoid_crop *crop);

/** @brief All of a grid. */
struct geoid_crop geoid_box_whole(const struct geoid_grid *grid);

/** @brief The box between the outermost nodes; all around if the grid wraps. West and east are
 *  within +-180 degrees. */
struct geoid_box geoid_grid_bounds(const struct geoid_grid *grid);

#endif
