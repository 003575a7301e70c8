/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Cubic interpolation of GeographicLib's Geoid class: in each cell the polynomial of third degree
 * in x and y that fits twelve nodes best, by least squares with these weights:
 *
 *        .  1  1  .      nodes 0 1          x grows to the east, y to the south; the cell is
 *        1  2  2  1            2 3 4 5      between node 3 (x = y = 0) and node 8 (x = y = 1)
 *        1  2  2  1            6 7 8 9
 *        .  1  1  .            10 11
 *
 * In the row of cells at a pole the polynomial is constrained to be the same for all x at the pole.
 * It does not pass through the nodes, and has steps between cells: 6 mm rms and up to 0.14 m with
 * EGM96 on 15', 1 mm and up to 7 mm with EGM2008 on 2.5'.
 */
#ifndef MF_WORLD_PACK_CUBIC_H
#define MF_WORLD_PACK_CUBIC_H

#include "hal/types.h"

#define MF_CUBIC_NODES 12
#define MF_CUBIC_TERMS 10

/** Contributions of each node to the coefficients of the terms 1, x, y, x2, xy, y2, x3, x2y, xy2,
 * y3, times the divisor: whole numbers. */
struct mf_cubic {
    double divisor;
    double weight[MF_CUBIC_NODES][MF_CUBIC_TERMS];
};

extern const struct mf_cubic mf_cubic_inside;
/** The pole is at y = 0; for the other pole rows and y are reversed. */
extern const struct mf_cubic mf_cubic_pole;

/** @brief Value of the polynomial. @param node  [MF_CUBIC_NODES], at most 2^24  @param x  0 .. 1 */
double mf_cubic_at(const struct mf_cubic *fit, const int32_t *node, double x, double y);

#endif
