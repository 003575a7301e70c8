/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Boustrophedon cellular decomposition: divides an area into squares that a camera sees at once,
 * and orders them column by column, up and down in turn (Choset 2000; UavSim).
 */
#ifndef MF_FLEET_PLAN_BCD_H
#define MF_FLEET_PLAN_BCD_H

#include "world/coverage.h"
#include "world/mover_thrust.h"

#include <stdbool.h>
#include <stddef.h>

/** Area to divide. */
struct mf_bcd {
    const struct mf_en *corners; /**< corners of the boundary, which may be concave */
    size_t count;
    double edge_m;    /**< side of a square: the shortest side of all cameras' pictures */
    float altitude_m; /**< altitude of the points */
    bool compat;      /**< as published: leave out the last row and column, which are partial */
};

/**
 * @brief Compute the points to fly to, in order. Each lies within the boundary.
 * @param points  [capacity]
 * @return their number, which may be more than @p capacity
 */
size_t mf_bcd_points(const struct mf_bcd *b, struct mf_enu *points, size_t capacity);

/** @brief Largest number of @p points that one member of a team gets: equal shares, rounded up. */
size_t mf_bcd_share(size_t points, size_t members);

#endif
