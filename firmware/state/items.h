/* SPDX-License-Identifier: Apache-2.0 */
/** What firmware/flight/items.h works on: data only. */
#ifndef MF_FIRMWARE_STATE_ITEMS_H
#define MF_FIRMWARE_STATE_ITEMS_H

#include "hal/types.h"
#include "math/geodesic.h"

/** One stored item: the record of the areas MISSION, FENCE and RALLY. */
struct mf_item {
    uint32_t param[4]; /**< float bits */
    int32_t x;         /**< latitude [1e-7 deg], or what the command says */
    int32_t y;         /**< longitude [1e-7 deg] */
    uint32_t z;        /**< altitude [m] by frame, float bits */
    uint16_t command;  /**< MAV_CMD */
    uint8_t frame;     /**< MAV_FRAME as uploaded */
    uint8_t autocontinue;
};
_Static_assert(sizeof(struct mf_item) == 32, "a record of the store");

/** What an item does when its turn comes. CONDITION_DELAY is a delay. */
enum mf_item_kind {
    MF_ITEM_INSTANT, /**< nothing to move; done at once (gimbal, camera, ...) */
    MF_ITEM_TAKEOFF,
    MF_ITEM_WAYPOINT,
    MF_ITEM_LOITER_TIME,
    MF_ITEM_LOITER_UNLIM,
    MF_ITEM_TURNS,  /**< around the place, so many times */
    MF_ITEM_TO_ALT, /**< to the place at the present altitude, then up or down */
    MF_ITEM_LAND,
    MF_ITEM_RTL,
    MF_ITEM_DELAY,
    MF_ITEM_YAW, /**< turns where it is */
    MF_ITEM_SPEED,
    MF_ITEM_SET_HOME,
    MF_ITEM_JUMP,
    MF_ITEM_ROI, /**< from here on the front points to a place */
};

#endif
