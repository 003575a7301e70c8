/* SPDX-License-Identifier: Apache-2.0 */
/* Orders as MAVLink messages, through an order port. Called by fleet/behaviour and grid_body, and
 * by boards/swarm. */
#include "fleet/order.h"

#include "mavlink/enums.h"

/* Type mask of SET_POSITION_TARGET that leaves velocity and heading. */
#define VELOCITY_ONLY                                                          \
    (POSITION_TARGET_TYPEMASK_X_IGNORE | POSITION_TARGET_TYPEMASK_Y_IGNORE |   \
     POSITION_TARGET_TYPEMASK_Z_IGNORE | POSITION_TARGET_TYPEMASK_AX_IGNORE |  \
     POSITION_TARGET_TYPEMASK_AY_IGNORE | POSITION_TARGET_TYPEMASK_AZ_IGNORE | \
     POSITION_TARGET_TYPEMASK_YAW_RATE_IGNORE)

static float not_given(void)
{
    return __builtin_nanf("");
}

bool mf_order_command(const struct mf_order_port *port, const struct mf_msg_command_int *m)
{
    uint8_t result = MAV_RESULT_FAILED;
    MF_ASSERT(port != NULL && m != NULL);
    const int given = port->ops->give(port->ctx, MF_MSG_COMMAND_INT, m, &result);
    return given == MF_E_AGAIN || (given == MF_E_OK && (result == MAV_RESULT_ACCEPTED ||
                                                        result == MAV_RESULT_IN_PROGRESS));
}

bool mf_order_arm(const struct mf_order_port *port)
{
    const struct mf_msg_command_int m = {.command = MAV_CMD_COMPONENT_ARM_DISARM, .param1 = 1.0f};
    return mf_order_command(port, &m);
}

bool mf_order_take_off(const struct mf_order_port *port, float height_m)
{
    const struct mf_msg_command_int m = {.command = MAV_CMD_NAV_TAKEOFF,
                                         .frame = MAV_FRAME_GLOBAL_RELATIVE_ALT_INT,
                                         .param4 = not_given(),
                                         .x = INT32_MAX,
                                         .y = INT32_MAX,
                                         .z = height_m};
    return mf_order_command(port, &m);
}

bool mf_order_offboard(const struct mf_order_port *port)
{
    const struct mf_msg_command_int m = {.command = MAV_CMD_DO_SET_MODE,
                                         .param1 = MAV_MODE_FLAG_CUSTOM_MODE_ENABLED,
                                         .param2 = (float)(MF_ORDER_OFFBOARD >> 16 & 0xFFu)};
    return mf_order_command(port, &m);
}

bool mf_order_go(const struct mf_order_port *port, int32_t lat_e7, int32_t lon_e7, float amsl_m,
                 float speed_mps)
{
    const struct mf_msg_command_int m = {.command = MAV_CMD_DO_REPOSITION,
                                         .frame = MAV_FRAME_GLOBAL_INT,
                                         .param1 = speed_mps > 0.0f ? speed_mps : -1.0f,
                                         .param2 = MAV_DO_REPOSITION_FLAGS_CHANGE_MODE,
                                         .param4 = not_given(),
                                         .x = lat_e7,
                                         .y = lon_e7,
                                         .z = amsl_m};
    return mf_order_command(port, &m);
}

bool mf_order_land(const struct mf_order_port *port)
{
    const struct mf_msg_command_int m = {
        .command = MAV_CMD_NAV_LAND, .param4 = not_given(), .x = INT32_MAX, .y = INT32_MAX};
    return mf_order_command(port, &m);
}

bool mf_order_stop(const struct mf_order_port *port)
{
    const struct mf_msg_command_int m = {
        .command = MAV_CMD_NAV_LOITER_UNLIM, .param4 = not_given(), .x = INT32_MAX, .y = INT32_MAX};
    return mf_order_command(port, &m);
}

bool mf_order_mission(const struct mf_order_port *port, struct mf_msg_mission_item_int *items,
                      uint16_t count)
{
    const struct mf_msg_command_int start = {.command = MAV_CMD_MISSION_START};
    uint8_t result = MAV_MISSION_ERROR;
    MF_ASSERT(port != NULL && items != NULL && count > 0);
    return port->ops->upload != NULL &&
           port->ops->upload(port->ctx, items, count, &result) == MF_E_OK &&
           result == MAV_MISSION_ACCEPTED && mf_order_command(port, &start);
}

uint8_t mf_order_grip(const struct mf_order_port *port, bool grab)
{
    uint8_t result = MAV_RESULT_FAILED;
    const struct mf_msg_command_int m = {.command = MAV_CMD_DO_GRIPPER,
                                         .param1 = 1.0f, /* number of the gripper: the first one */
                                         .param2 = grab ? (float)GRIPPER_ACTION_GRAB
                                                        : (float)GRIPPER_ACTION_RELEASE};
    MF_ASSERT(port != NULL);
    const int given = port->ops->give(port->ctx, MF_MSG_COMMAND_INT, &m, &result);
    return given == MF_E_OK      ? result
           : given == MF_E_AGAIN ? (uint8_t)MAV_RESULT_IN_PROGRESS
                                 : (uint8_t)MAV_RESULT_FAILED;
}

void mf_order_velocity(const struct mf_order_port *port, const float vel_ned_mps[3], float yaw_rad)
{
    uint8_t result;
    const bool turns = yaw_rad == yaw_rad;
    MF_ASSERT(port != NULL && vel_ned_mps != NULL);
    const struct mf_msg_set_position_target_local_ned m = {
        .coordinate_frame = MAV_FRAME_LOCAL_NED,
        .type_mask = (uint16_t)(VELOCITY_ONLY | (turns ? 0 : POSITION_TARGET_TYPEMASK_YAW_IGNORE)),
        .vx = vel_ned_mps[0],
        .vy = vel_ned_mps[1],
        .vz = vel_ned_mps[2],
        .yaw = turns ? yaw_rad : 0.0f};
    (void)port->ops->give(port->ctx, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m, &result);
}
