/* SPDX-License-Identifier: Apache-2.0 */
/** Items of missions, fences and rally points: what each command means, and what may be part of
 * a plan. */
#ifndef MF_FIRMWARE_ITEMS_H
#define MF_FIRMWARE_ITEMS_H

#include "firmware/state/datum.h"
#include "firmware/state/items.h"
#include "hal/hal.h"
#include "math/geodesic.h"
#include "mavlink/message.h"

/** @brief A message's item as the store keeps it. */
struct mf_item mf_item_of(const struct mf_msg_mission_item_int *m);

/** @brief What an item does. @param command  MAV_CMD @return enum mf_item_kind, or MF_E_NOSUPP */
int mf_item_kind(uint16_t command);

/** @brief Is it flown: does the vehicle leave its place or altitude for it? */
bool mf_item_moves(uint16_t command);

/** @brief Does this item carry a position in x and y? A takeoff or landing whose x or y is no
 * latitude or longitude has none: it happens where the vehicle is. */
bool mf_item_has_position(const struct mf_item *item);

/** @brief Where an item is: it must have a position. */
struct mf_geo mf_item_place(const struct mf_item *item);

/** @brief Altitude of an item by its frame [m AMSL]. @param otherwise_m  where it has none */
double mf_item_amsl_m(const struct mf_datum *datum, const struct mf_item *item, double otherwise_m);

/** @brief May this item be part of a plan? Pure. @param type  MAV_MISSION_TYPE 0 .. 2
 * @param px4  refuse everything that PX4 refuses
 * @return MAV_MISSION_RESULT: ACCEPTED, or the reason for which an upload ends */
uint8_t mf_item_check(uint8_t type, const struct mf_item *item, bool px4);

/** @brief Does a command that a plan may have keep its mission on the ground?
 * @param px4  as in PX4, which does not fly all that it takes */
bool mf_item_grounds(uint16_t command, bool px4);

/** @brief PX4's opaque id: continue the checksum @p tag over one item. */
uint32_t mf_item_tag(uint32_t tag, const struct mf_item *item);

/** @brief Is an altitude of @p frame one above home, or above the ground? */
bool mf_item_is_relative(uint8_t frame);

/** @brief The ground that an item's altitude is above. @return as mf_datum_ground() */
int mf_item_ground(const struct mf_datum *datum, const struct mf_item *item, double *ground_m);

#endif
