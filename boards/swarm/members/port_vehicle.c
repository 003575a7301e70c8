/* SPDX-License-Identifier: Apache-2.0 */
/* Gives orders to a vehicle of this process. vehicles.c, orders.c, cells/grid_fly.c and
 * search/search_fly.c make ports of it. */
#include "boards/swarm/members/port_vehicle.h"

#include "firmware/flight/mode.h"
#include "firmware/report/encode.h"
#include "mavlink/enums.h"

static int give_command(struct swarm_port_vehicle *port, const struct mf_msg_command_int *order,
                        uint8_t *result)
{
    struct mf_msg_command_int m = *order;
    struct mf_msg_command_ack ack = {0};
    const int given = mf_inside_command(port->inside, port->drone, &m, &ack);
    *result = ack.result;
    return given;
}

static int give_message(void *ctx, uint32_t msgid, const void *msg, uint8_t *result)
{
    struct swarm_port_vehicle *port = ctx;
    switch (msgid) {
    case MF_MSG_COMMAND_INT:
        return give_command(port, msg, result);
    case MF_MSG_SET_POSITION_TARGET_LOCAL_NED:
    case MF_MSG_SET_POSITION_TARGET_GLOBAL_INT:
        *result = MAV_RESULT_ACCEPTED;
        return mf_inside_tell(port->inside, port->drone, msgid, msg);
    default:
        *result = MAV_RESULT_UNSUPPORTED;
        return MF_E_OK;
    }
}

static void look_at_vehicle(void *ctx, struct mf_order_view *view)
{
    const struct swarm_port_vehicle *port = ctx;
    struct mf_vehicle *v = mf_drone_vehicle(port->drone);
    /* run what is due at this instant first, as a pass that a recording has, too */
    (void)mf_drone_step(port->drone);
    const struct mf_status now = mf_vehicle_status(v);
    union mf_msg m;
    view->known = mf_encode(v, MF_STREAM_GLOBAL_POSITION_INT, now.now.vehicle_us, &m);
    view->armed = now.armed;
    view->landed = now.landed; /* numbers of MAV_LANDED_STATE */
    view->custom_mode = mf_mode_custom((enum mf_mode)now.mode);
    view->position = m.global_position_int;
    view->reached = -1; /* read mf_crowd_state() instead, which costs less */
}

static int upload_mission(void *ctx, struct mf_msg_mission_item_int *items, uint16_t count,
                          uint8_t *result)
{
    struct swarm_port_vehicle *port = ctx;
    return mf_inside_upload(port->inside, port->drone, MAV_MISSION_TYPE_MISSION, items, count,
                            result);
}

const struct mf_order_ops swarm_port_vehicle_ops = {give_message, look_at_vehicle, upload_mission};
