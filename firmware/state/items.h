/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/flight/items.h, without functions. */
#ifndef MF_FIRMWARE_STATE_ITEMS_H
#define MF_FIRMWARE_STATE_ITEMS_H

#include "hal/types.h"
#include "math/geodesic.h"

/** Item of a plan in the store: the record of the areas MISSION, FENCE and RALLY. */
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

/** Kinds of items, by their effect. CONDITION_DELAY is a delay. */
enum mf_item_kind {
    MF_ITEM_INSTANT, /**< nothing to move; done at once (gimbal, camera, ...) */
    MF_ITEM_TAKEOFF,
    MF_ITEM_WAYPOINT,
    MF_ITEM_LOITER_TIME,
    MF_ITEM_LOITER_UNLIM,
    MF_ITEM_TURNS,  /**< around the place, so many times */
    MF_ITEM_TO_ALT, /**< straight to the place and its altitude */
    MF_ITEM_LAND,
    MF_ITEM_RTL,
    MF_ITEM_DELAY,
    MF_ITEM_YAW, /**< turns where it is */
    MF_ITEM_SPEED,
    MF_ITEM_SET_HOME,
    MF_ITEM_JUMP,
    MF_ITEM_ROI, /**< from here on the front points to a place */
};

/** Meaning of x and y of a command. */
enum mf_item_at {
    MF_AT_NONE,   /**< nothing, or what the command says: frame MISSION only */
    MF_AT_PLACE,  /**< latitude and longitude: global frames only */
    MF_AT_HERE,   /**< latitude and longitude, or any other value for "where the vehicle is" */
    MF_AT_EITHER, /**< by frame */
};

/** Treatment of an item by PX4. */
enum mf_item_px4 {
    MF_PX4_TAKES,    /**< accepts it, as Mayfly does */
    MF_PX4_NO_PLACE, /**< takes it in frame MISSION only */
    MF_PX4_DENIES,   /**< takes it, and denies the start of the mission */
    MF_PX4_VTOL, /**< accepts it, but a multirotor does not fly it, neither in PX4 nor in Mayfly */
    MF_PX4_REFUSES, /**< MISSION_ACK UNSUPPORTED; with --px4-strict Mayfly refuses it, too */
};

/** The items of plans: MAV_CMD, what it does, what x and y hold, plan, what PX4 does with it.
 * INSTANT: there is nothing to wait for, or no hardware. */
/* clang-format off */
#define MF_ITEM_LIST(X) \
    X(NAV_WAYPOINT,                       WAYPOINT,     PLACE,  MISSION, TAKES) \
    X(NAV_LOITER_UNLIM,                   LOITER_UNLIM, PLACE,  MISSION, TAKES) \
    X(NAV_LOITER_TURNS,                   TURNS,        PLACE,  MISSION, REFUSES) \
    X(NAV_LOITER_TIME,                    LOITER_TIME,  PLACE,  MISSION, TAKES) \
    X(NAV_RETURN_TO_LAUNCH,               RTL,          NONE,   MISSION, TAKES) \
    X(NAV_LAND,                           LAND,         HERE,   MISSION, TAKES) \
    X(NAV_TAKEOFF,                        TAKEOFF,      HERE,   MISSION, TAKES) \
    X(NAV_LOITER_TO_ALT,                  TO_ALT,       PLACE,  MISSION, TAKES) \
    X(NAV_ROI,                            ROI,          EITHER, MISSION, TAKES) \
    X(NAV_VTOL_TAKEOFF,                   INSTANT,      PLACE,  MISSION, VTOL) \
    X(NAV_VTOL_LAND,                      INSTANT,      PLACE,  MISSION, VTOL) \
    X(NAV_DELAY,                          DELAY,        NONE,   MISSION, TAKES) \
    X(CONDITION_DELAY,                    DELAY,        NONE,   MISSION, DENIES) \
    X(CONDITION_DISTANCE,                 INSTANT,      NONE,   MISSION, DENIES) \
    X(CONDITION_YAW,                      YAW,          NONE,   MISSION, REFUSES) \
    X(DO_JUMP,                            JUMP,         NONE,   MISSION, TAKES) \
    X(DO_CHANGE_SPEED,                    SPEED,        NONE,   MISSION, TAKES) \
    X(DO_SET_HOME,                        SET_HOME,     EITHER, MISSION, NO_PLACE) \
    X(DO_SET_SERVO,                       INSTANT,      NONE,   MISSION, REFUSES) \
    X(DO_SET_ACTUATOR,                    INSTANT,      NONE,   MISSION, TAKES) \
    X(DO_LAND_START,                      INSTANT,      NONE,   MISSION, TAKES) \
    X(DO_SET_ROI_LOCATION,                ROI,          PLACE,  MISSION, TAKES) \
    X(DO_SET_ROI_WPNEXT_OFFSET,           ROI,          NONE,   MISSION, TAKES) \
    X(DO_SET_ROI_NONE,                    ROI,          NONE,   MISSION, TAKES) \
    X(DO_CONTROL_VIDEO,                   INSTANT,      NONE,   MISSION, TAKES) \
    X(DO_SET_ROI,                         ROI,          EITHER, MISSION, TAKES) \
    X(DO_DIGICAM_CONTROL,                 INSTANT,      NONE,   MISSION, TAKES) \
    X(DO_MOUNT_CONFIGURE,                 INSTANT,      NONE,   MISSION, TAKES) \
    X(DO_MOUNT_CONTROL,                   INSTANT,      NONE,   MISSION, TAKES) \
    X(DO_SET_CAM_TRIGG_DIST,              INSTANT,      NONE,   MISSION, TAKES) \
    X(DO_FENCE_ENABLE,                    INSTANT,      NONE,   MISSION, REFUSES) \
    X(DO_AUTOTUNE_ENABLE,                 INSTANT,      EITHER, MISSION, TAKES) \
    X(DO_GRIPPER,                         INSTANT,      NONE,   MISSION, TAKES) \
    X(DO_SET_CAM_TRIGG_INTERVAL,          INSTANT,      NONE,   MISSION, TAKES) \
    X(OBLIQUE_SURVEY,                     INSTANT,      NONE,   MISSION, TAKES) \
    X(COMPONENT_ARM_DISARM,               INSTANT,      EITHER, MISSION, TAKES) \
    X(SET_CAMERA_MODE,                    INSTANT,      NONE,   MISSION, TAKES) \
    X(SET_CAMERA_ZOOM,                    INSTANT,      NONE,   MISSION, REFUSES) \
    X(SET_CAMERA_FOCUS,                   INSTANT,      NONE,   MISSION, TAKES) \
    X(SET_CAMERA_SOURCE,                  INSTANT,      NONE,   MISSION, TAKES) \
    X(DO_GIMBAL_MANAGER_PITCHYAW,         INSTANT,      NONE,   MISSION, TAKES) \
    X(DO_GIMBAL_MANAGER_CONFIGURE,        INSTANT,      NONE,   MISSION, TAKES) \
    X(IMAGE_START_CAPTURE,                INSTANT,      NONE,   MISSION, TAKES) \
    X(IMAGE_STOP_CAPTURE,                 INSTANT,      NONE,   MISSION, TAKES) \
    X(DO_TRIGGER_CONTROL,                 INSTANT,      NONE,   MISSION, TAKES) \
    X(VIDEO_START_CAPTURE,                INSTANT,      NONE,   MISSION, TAKES) \
    X(VIDEO_STOP_CAPTURE,                 INSTANT,      NONE,   MISSION, TAKES) \
    X(DO_VTOL_TRANSITION,                 INSTANT,      NONE,   MISSION, TAKES) \
    X(CONDITION_GATE,                     INSTANT,      PLACE,  MISSION, TAKES) \
    X(DO_WINCH,                           INSTANT,      NONE,   MISSION, TAKES) \
    X(NAV_FENCE_RETURN_POINT,             INSTANT,      PLACE,  FENCE,   TAKES) \
    X(NAV_FENCE_POLYGON_VERTEX_INCLUSION, INSTANT,      PLACE,  FENCE,   TAKES) \
    X(NAV_FENCE_POLYGON_VERTEX_EXCLUSION, INSTANT,      PLACE,  FENCE,   TAKES) \
    X(NAV_FENCE_CIRCLE_INCLUSION,         INSTANT,      PLACE,  FENCE,   TAKES) \
    X(NAV_FENCE_CIRCLE_EXCLUSION,         INSTANT,      PLACE,  FENCE,   TAKES) \
    X(NAV_RALLY_POINT,                    INSTANT,      PLACE,  RALLY,   TAKES)
/* clang-format on */

#endif
