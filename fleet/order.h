/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Order port, by which behaviours, plans and schedulers send orders to any kind of member.
 *
 * An order is a MAVLink message as its struct, and an answer is a COMMAND_ACK. Three kinds of
 * members obey: a vehicle of this process gets the struct as its handlers do, unframed; a ghost
 * gets it framed on a link (fleet/port_mavlink.h); an agent (fleet/agent.h) obeys the table below
 * and answers UNSUPPORTED to all other orders. Each reports its state as one snapshot, with the
 * contents of its messages, so a behaviour decides the same for all kinds.
 */
#ifndef MF_FLEET_ORDER_H
#define MF_FLEET_ORDER_H

#include "hal/types.h"
#include "mavlink/message.h"

/*
 * Orders that every kind of member obeys:
 *
 *     COMMAND_INT  COMPONENT_ARM_DISARM  arm, disarm
 *                  NAV_TAKEOFF           climb to an altitude
 *                  DO_REPOSITION         fly to a place, stay there
 *                  NAV_RETURN_TO_LAUNCH  fly home and land
 *                  NAV_LAND              land here
 *                  NAV_LOITER_UNLIM      stop here
 *                  DO_CHANGE_SPEED       fly at this speed
 *                  DO_SET_MODE           Offboard, Hold, Return or Land
 *                  DO_GRIPPER            grab, let go: in a world of cells (fleet/grid.h)
 *     SET_POSITION_TARGET_LOCAL_NED, _GLOBAL_INT
 *                                        a velocity, a place or both, in Offboard
 *     MISSION_ITEM_INT                   one item, to agents; a vehicle takes it within an upload
 *     MANUAL_CONTROL                     sticks, to ghosts, which repeat them at 50 Hz
 */

/** State of a member at one instant, as its messages show it. */
struct mf_order_view {
    bool known;     /**< the member's place is known; false: the other fields are void */
    bool armed;     /**< HEARTBEAT */
    uint8_t landed; /**< MAV_LANDED_STATE, EXTENDED_SYS_STATE */
    uint32_t custom_mode;
    struct mf_msg_global_position_int position;
    int32_t reached; /**< last mission item reached, from MISSION_ITEM_REACHED; -1: no item, or the
                        member flies no missions */
};

struct mf_order_ops {
    /** Send an order. @param msg  `struct mf_msg_<name>` of @p msgid; its targets need not be set
     * @param result  out: MAV_RESULT of the answer
     * @return MF_E_OK; MF_E_AGAIN: the answer arrives later, or never; MF_E_IO: the link is gone */
    int (*give)(void *ctx, uint32_t msgid, const void *msg, uint8_t *result);
    void (*look)(void *ctx, struct mf_order_view *view);
    /** Replace the mission. NULL: the member flies no missions
     * @param items  [count], the caller's until the answer arrives; upload() sets targets, seq and
     * mission_type
     * @param result  out: MAV_MISSION_RESULT  @return as give() */
    int (*upload)(void *ctx, struct mf_msg_mission_item_int *items, uint16_t count,
                  uint8_t *result);
};

/** A member that obeys orders. */
struct mf_order_port {
    const struct mf_order_ops *ops;
    void *ctx;
};

/** PX4's modes that orders select, as HEARTBEAT.custom_mode: main mode in bits 16 to 23, sub mode
 * above. */
#define MF_ORDER_MODE(main, sub) ((uint32_t)(main) << 16 | (uint32_t)(sub) << 24)
#define MF_ORDER_OFFBOARD        MF_ORDER_MODE(6, 0)
#define MF_ORDER_TAKEOFF         MF_ORDER_MODE(4, 2)
#define MF_ORDER_HOLD            MF_ORDER_MODE(4, 3)
#define MF_ORDER_RETURN          MF_ORDER_MODE(4, 5)
#define MF_ORDER_LAND            MF_ORDER_MODE(4, 6)

/* Orders. Each returns true if the member has accepted it, or its answer is still under way. */

/** @brief Send any command. */
bool mf_order_command(const struct mf_order_port *port, const struct mf_msg_command_int *m);

/** @brief Arm. */
bool mf_order_arm(const struct mf_order_port *port);

/** @brief Take off. @param height_m  above home */
bool mf_order_take_off(const struct mf_order_port *port, float height_m);

/** @brief Begin to obey setpoints; the caller must have sent one within the last half second. */
bool mf_order_offboard(const struct mf_order_port *port);

/** @brief Fly to a place and stay there. @param speed_mps  <= 0: the member's own speed */
bool mf_order_go(const struct mf_order_port *port, int32_t lat_e7, int32_t lon_e7, float amsl_m,
                 float speed_mps);

/** @brief Land here. */
bool mf_order_land(const struct mf_order_port *port);

/** @brief Stop here. */
bool mf_order_stop(const struct mf_order_port *port);

/** @brief Fly a mission from its first item on. @param items  [count], as for upload() */
bool mf_order_mission(const struct mf_order_port *port, struct mf_msg_mission_item_int *items,
                      uint16_t count);

/** @brief Grab an object at the member's place, or release its cargo.
 * @return MAV_RESULT; IN_PROGRESS: the answer arrives later */
uint8_t mf_order_grip(const struct mf_order_port *port, bool grab);

/** @brief Send a velocity setpoint. @param yaw_rad  new heading; NAN: unchanged */
void mf_order_velocity(const struct mf_order_port *port, const float vel_ned_mps[3], float yaw_rad);

#endif
