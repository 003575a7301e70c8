/* SPDX-License-Identifier: Apache-2.0 */
/** Flight plans: from a file (host/spec/plan.h), or a square. */
#ifndef MF_TOOLS_FLY_PLAN_H
#define MF_TOOLS_FLY_PLAN_H

#include "host/spec/plan.h"

/** @brief Read a plan file.
 *  @param home   of a file of waypoints
 *  @param plan   out: undefined on error
 *  @param error  out: one line, on error: the file, the place in it and what is wrong
 *  @return 0, or -1 */
int fly_plan_load(const char *path, enum mf_plan_home home, struct mf_plan *plan, char *error,
                  size_t error_size);

/** @brief The built-in plan: take off, fly a square (north, east, south, west), end at its start.
 *  @param home    where it takes off
 *  @param alt_m   height above home
 *  @param side_m  of the square */
void fly_plan_square(struct mf_plan *plan, struct mf_geo home, double alt_m, double side_m);

/** @brief Insert an item; targets of DO_JUMP behind it move along.
 *  @param index  0 .. count
 *  @return 0; -1 if the plan is full */
int fly_plan_insert(struct mf_plan *plan, uint16_t index,
                    const struct mf_msg_mission_item_int *item);

/**
 * @brief True if the vehicle flies to the item's coordinates: a waypoint, take-off, landing or
 *        loiter with a position.
 */
bool fly_item_has_place(const struct mf_msg_mission_item_int *item);

/** @brief The item's coordinates, if it has a place. */
struct mf_geo fly_item_place(const struct mf_msg_mission_item_int *item);

#endif
