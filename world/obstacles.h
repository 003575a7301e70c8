/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Obstacles, and ways around them: prisms whose base is convex. A way keeps a clearance from each,
 * and stays within a polygon, which may be concave.
 *
 * Places are east, north, up in metres. Only + - * / and sqrt, hence the same bits everywhere.
 */
#ifndef MF_WORLD_OBSTACLES_H
#define MF_WORLD_OBSTACLES_H

#include "world/coverage.h"
#include "world/mover_thrust.h"

#define MF_OBSTACLE_CORNERS_MAX 8u
/** Obstacles that a way may lead around, corners of the polygon, points of a way. */
#define MF_OBSTACLES_MAX      32u
#define MF_DETOUR_CORNERS_MAX 64u
#define MF_DETOUR_MAX         32u

struct mf_obstacle {
    struct mf_en corner[MF_OBSTACLE_CORNERS_MAX]; /**< anticlockwise seen from above */
    size_t corners;
    double low_m, high_m;
};

/** What a way must keep to. */
struct mf_detour_limits {
    const struct mf_obstacle *obstacle; /**< [obstacles] */
    size_t obstacles;
    double clearance_m;
    const struct mf_en *corner; /**< [corners] of the polygon; NULL: a way may lead anywhere */
    size_t corners;
};

/** @brief A box. @param at  south-western lower corner  @param size  to the east, north, up */
struct mf_obstacle mf_obstacle_box(struct mf_enu at, struct mf_enu size);

/** @brief The octagon around a cylinder that stands on @p at. */
struct mf_obstacle mf_obstacle_cylinder(struct mf_enu at, double radius_m, double height_m);

/** @brief Does a straight line come nearer to an obstacle than @p clearance_m? */
bool mf_obstacle_meets(const struct mf_obstacle *o, double clearance_m, struct mf_enu from,
                       struct mf_enu to);

/** @brief May one go straight? @note A line with an end outside the polygon may leave it. */
bool mf_detour_is_free(const struct mf_detour_limits *l, struct mf_enu from, struct mf_enu to);

/** @brief The shortest way from corner to corner of what is in the way.
 *  @param way  out [MF_DETOUR_MAX]: the points between @p from and @p to
 *  @return how many they are; < 0: there is no way */
int mf_detour(const struct mf_detour_limits *l, struct mf_enu from, struct mf_enu to,
              struct mf_enu *way);

#endif
