/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Boustrophedon cellular decomposition: an area is divided into squares that a camera sees at once,
 * which are flown column by column, up and down in turn (Choset 2000; UavSim).
 */
#ifndef MF_FLEET_PLAN_BCD_H
#define MF_FLEET_PLAN_BCD_H

#include "world/coverage.h"
#include "world/mover_thrust.h"

#include <stdbool.h>
#include <stddef.h>

/** What is divided. */
struct mf_bcd {
    const struct mf_en *corners; /**< of the boundary, which may be concave */
    size_t count;
    double edge_m;    /**< of a square: the shortest of all pictures */
    float altitude_m; /**< of the points */
    bool compat;      /**< as published: the last row and column, which are partial, are left out */
};

/**
 * @brief The points to fly to, in order. Each lies within the boundary.
 * @param points  [capacity]
 * @return how many there are, which may be more than @p capacity
 */
size_t mf_bcd_points(const struct mf_bcd *b, struct mf_enu *points, size_t capacity);

/** @brief How many of @p points a member of a team gets at most: equal shares, rounded up. */
size_t mf_bcd_share(size_t points, size_t members);

#endif
