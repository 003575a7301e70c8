/* SPDX-License-Identifier: Apache-2.0 */
/** Items of missions, fences and rally points: the meaning of commands, and the check of items of a
 * plan. */
#ifndef MF_FIRMWARE_ITEMS_H
#define MF_FIRMWARE_ITEMS_H

#include "firmware/state/datum.h"
#include "firmware/state/items.h"
#include "hal/hal.h"
#include "math/geodesic.h"
#include "mavlink/message.h"

/** @brief Convert an item of a message to the store's form. */
struct mf_item mf_item_of(const struct mf_msg_mission_item_int *m);

/** @brief Kind of a command's item. @param command  MAV_CMD @return enum mf_item_kind, or
 * MF_E_NOSUPP */
int mf_item_kind(uint16_t command);

/** @brief True if the vehicle moves for an item: it leaves its place or altitude. */
bool mf_item_moves(uint16_t command);

/** @brief True if the item has a position in x and y. A takeoff or landing whose x or y is not a
 * latitude or longitude does not: it happens where the vehicle is. */
bool mf_item_has_position(const struct mf_item *item);

/** @brief Position of an item that has one. */
struct mf_geo mf_item_place(const struct mf_item *item);

/** @brief Altitude of an item by its frame [m AMSL]. @param otherwise_m  result for an item without
 * an altitude */
double mf_item_amsl_m(const struct mf_datum *datum, const struct mf_item *item, double otherwise_m);

/** @brief Check whether an item may be part of a plan. Pure. @param type  MAV_MISSION_TYPE 0 .. 2
 * @param px4  refuse everything that PX4 refuses
 * @return MAV_MISSION_RESULT: ACCEPTED, or the reason for which an upload ends */
uint8_t mf_item_check(uint8_t type, const struct mf_item *item, bool px4);

/** @brief True if a command of a plan keeps its mission on the ground.
 * @param px4  as in PX4, which accepts some commands that it does not fly */
bool mf_item_grounds(uint16_t command, bool px4);

/** @brief PX4's opaque id: continue the checksum @p tag over one item. */
uint32_t mf_item_tag(uint32_t tag, const struct mf_item *item);

/** @brief True if an altitude of @p frame is relative to home or to the ground. */
bool mf_item_is_relative(uint8_t frame);

/** @brief Height of the ground below an item with an altitude above ground. @return as
 * mf_datum_ground() */
int mf_item_ground(const struct mf_datum *datum, const struct mf_item *item, double *ground_m);

#endif
