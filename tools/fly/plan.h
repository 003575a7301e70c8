/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Flight plans: QGroundControl's .plan files, and a square for those who have none.
 *
 * A plan file is JSON: `mission.items` holds SimpleItems (one MAVLink mission item each; null is
 * NaN) and ComplexItems (surveys, corridor scans), whose generated items stand in
 * TransectStyleComplexItem.Items. The items become what goes over the wire, MISSION_ITEM_INT; so do
 * `geoFence` and `rallyPoints`, as QGroundControl sends them.
 * Waypoint files in text ("QGC WPL 110", wpl.h) are read, too. Errors name the file, the place in
 * it and what is wrong.
 *
 * JSON is read with jansson (Debian's libjansson): small, well kept, and it says in which line the
 * text breaks. Source: QGroundControl developer guide, "Plan file format".
 */
#ifndef MF_TOOLS_FLY_PLAN_H
#define MF_TOOLS_FLY_PLAN_H

#include "math/geodesic.h"
#include "mavlink/message.h"

/** Most items of a plan; PX4's own limit. */
#define FLY_PLAN_MAX 10000u

/** Most corners and circles of its geofence, and most rally points. */
#define FLY_FENCE_MAX 1000u
#define FLY_RALLY_MAX 256u

/** MISSION_ITEM_INT.x or .y that says "not given". */
#define FLY_NOT_GIVEN INT32_MAX

/** A plan. About 500 kB: keep it off the stack. */
struct fly_plan {
    struct mf_msg_mission_item_int
        item[FLY_PLAN_MAX]; /**< seq as they stand; DO_JUMP targets are indices */
    uint16_t count;
    bool has_home; /**< the place it was planned for */
    struct mf_geo home;
    double home_alt_m; /**< AMSL */
    double cruise_mps; /**< planned speed of a plane; NaN if not given */
    double hover_mps;  /**< planned speed of a multicopter; NaN if not given */
    struct mf_msg_mission_item_int fence[FLY_FENCE_MAX]; /**< corner by corner, then circles */
    uint16_t fence_count;
    struct mf_msg_mission_item_int rally[FLY_RALLY_MAX];
    uint16_t rally_count;
};

/** @brief Read a plan file.
 *  @param plan   out: undefined on error
 *  @param error  out: one line, on error
 *  @return 0, or -1 */
int fly_plan_load(const char *path, struct fly_plan *plan, char *error, size_t error_size);

/** @brief The built-in plan: take off, fly a square (north, east, south, west), end at its start.
 *  @param home    where it takes off
 *  @param alt_m   height above home
 *  @param side_m  of the square */
void fly_plan_square(struct fly_plan *plan, struct mf_geo home, double alt_m, double side_m);

/** @brief Insert an item; targets of DO_JUMP behind it move along.
 *  @param index  0 .. count
 *  @return 0; -1 if the plan is full */
int fly_plan_insert(struct fly_plan *plan, uint16_t index,
                    const struct mf_msg_mission_item_int *item);

/** @brief Whether the vehicle goes to the item's coordinates: a waypoint, take-off, landing or
 *         loiter that has some. */
bool fly_item_has_place(const struct mf_msg_mission_item_int *item);

/** @brief The item's coordinates, if it has a place. */
struct mf_geo fly_item_place(const struct mf_msg_mission_item_int *item);

#endif
