/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Obstacles, and ways around them: prisms with a convex base. A way keeps a clearance from each,
 * and stays within a polygon, which may be concave.
 *
 * Places are east, north, up in metres. Only + - * / and sqrt, so the bits are the same everywhere.
 */
#ifndef MF_WORLD_OBSTACLES_H
#define MF_WORLD_OBSTACLES_H

#include "world/coverage.h"
#include "world/mover_thrust.h"

#define MF_OBSTACLE_CORNERS_MAX 8u
/** Limits: obstacles, corners of the polygon, points of a way. */
#define MF_OBSTACLES_MAX      32u
#define MF_DETOUR_CORNERS_MAX 64u
#define MF_DETOUR_MAX         32u

struct mf_obstacle {
    struct mf_en corner[MF_OBSTACLE_CORNERS_MAX]; /**< anticlockwise seen from above */
    size_t corners;
    double low_m, high_m;
};

/** Limits of a way. */
struct mf_detour_limits {
    const struct mf_obstacle *obstacle; /**< [obstacles] */
    size_t obstacles;
    double clearance_m;
    const struct mf_en *corner; /**< [corners] of the polygon; NULL: without a polygon */
    size_t corners;
};

/** @brief Build a box. @param at  south-western lower corner  @param size  to the east, north,
 * up */
struct mf_obstacle mf_obstacle_box(struct mf_enu at, struct mf_enu size);

/** @brief Build the octagon around a cylinder that stands on @p at. */
struct mf_obstacle mf_obstacle_cylinder(struct mf_enu at, double radius_m, double height_m);

/** @brief True if a straight line is nearer to an obstacle than @p clearance_m. */
bool mf_obstacle_meets(const struct mf_obstacle *o, double clearance_m, struct mf_enu from,
                       struct mf_enu to);

/** @brief True if the straight line is a way. @note A line with an end outside the polygon may
 * leave it. */
bool mf_detour_is_free(const struct mf_detour_limits *l, struct mf_enu from, struct mf_enu to);

/** @brief Find the shortest way along corners of the obstacles.
 * @param way  out [MF_DETOUR_MAX]: the points between @p from and @p to
 * @return number of points; < 0: no way exists */
int mf_detour(const struct mf_detour_limits *l, struct mf_enu from, struct mf_enu to,
              struct mf_enu *way);

#endif
