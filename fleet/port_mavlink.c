/* SPDX-License-Identifier: Apache-2.0 */
/* Order port over a MAVLink link. Called by boards/swarm (ghosts, ghost_receive, ghost_order). */
#include "fleet/port_mavlink.h"

#include "mavlink/enums.h"

#include <string.h>

/* Ids of the sender of orders: a ground station's system, which no drone has. */
#define SYSID  255u
#define COMPID 191u

void mf_port_mavlink_init(struct mf_port_mavlink *p,
                          int (*write)(void *ctx, const uint8_t *bytes, size_t n), void *ctx)
{
    MF_ASSERT(p != NULL && write != NULL);
    memset(p, 0, sizeof *p);
    p->write = write;
    p->ctx = ctx;
    p->view.reached = -1;
}

/* ---- sending */

int mf_port_mavlink_send(struct mf_port_mavlink *p, uint32_t msgid, const void *msg)
{
    uint8_t bytes[MF_FRAME_MAX];
    const struct mf_sender from = {2, p->seq, SYSID, COMPID};
    const size_t n = mf_frame_encode(&from, mf_msg_find(msgid), msg, bytes);
    p->seq++;
    return p->write(p->ctx, bytes, n);
}

/* Send the mission item that the drone requests. */
static void send_item(struct mf_port_mavlink *p, uint16_t seq)
{
    if (p->items != NULL && seq < p->item_count) {
        (void)mf_port_mavlink_send(p, MF_MSG_MISSION_ITEM_INT, &p->items[seq]);
    }
}

/* ---- receiving */

static void process_ack(struct mf_port_mavlink *p, const struct mf_msg_command_ack *m)
{
    p->refused += m->result != MAV_RESULT_ACCEPTED && m->result != MAV_RESULT_IN_PROGRESS ? 1u : 0u;
    if (p->items == NULL && m->command == p->command && m->result != MAV_RESULT_IN_PROGRESS) {
        p->asks = false;
        p->answer = m->result;
    }
}

static void process_frame(struct mf_port_mavlink *p, const struct mf_frame *frame)
{
    union mf_msg m;
    mf_msg_unpack(frame->info, frame->payload, frame->len, &m);
    switch (frame->info->id) {
    case MF_MSG_HEARTBEAT:
        p->view.armed = (m.heartbeat.base_mode & MAV_MODE_FLAG_SAFETY_ARMED) != 0;
        p->view.custom_mode = m.heartbeat.custom_mode;
        break;
    case MF_MSG_EXTENDED_SYS_STATE:
        p->view.landed = m.extended_sys_state.landed_state;
        break;
    case MF_MSG_GLOBAL_POSITION_INT:
        p->view.position = m.global_position_int;
        p->view.known = true;
        break;
    case MF_MSG_COMMAND_ACK:
        process_ack(p, &m.command_ack);
        break;
    case MF_MSG_MISSION_ITEM_REACHED:
        p->view.reached = m.mission_item_reached.seq;
        break;
    case MF_MSG_MISSION_REQUEST:
    case MF_MSG_MISSION_REQUEST_INT:
        send_item(p, m.mission_request_int.seq); /* MISSION_REQUEST has the same fields */
        break;
    case MF_MSG_MISSION_ACK:
        if (p->items != NULL && m.mission_ack.mission_type == MAV_MISSION_TYPE_MISSION) {
            p->items = NULL;
            p->asks = false;
            p->answer = m.mission_ack.type;
        }
        break;
    default:
        break;
    }
}

/* Does a frame come from the drone? The first HEARTBEAT of an autopilot determines the drone's ids;
 * other systems on the link do not count. */
static bool is_drone(struct mf_port_mavlink *p, const struct mf_frame *frame)
{
    union mf_msg m;
    if (p->sysid == 0 && frame->info->id == MF_MSG_HEARTBEAT) {
        mf_msg_unpack(frame->info, frame->payload, frame->len, &m);
        const bool meant = p->wanted == 0 || frame->sysid == p->wanted;
        if (m.heartbeat.autopilot != MAV_AUTOPILOT_INVALID && meant) {
            p->sysid = frame->sysid;
            p->compid = frame->compid;
        }
    }
    return p->sysid != 0 && frame->sysid == p->sysid && frame->compid == p->compid;
}

bool mf_port_mavlink_hear(struct mf_port_mavlink *p, const struct mf_frame *frame)
{
    MF_ASSERT(frame->info != NULL);
    if (!is_drone(p, frame)) {
        return false;
    }
    p->heard++;
    process_frame(p, frame);
    return true;
}

/* ---- orders */

static int send_order(void *ctx, uint32_t msgid, const void *msg, uint8_t *result)
{
    struct mf_port_mavlink *p = ctx;
    union mf_msg m;
    *result = MAV_RESULT_IN_PROGRESS;
    switch (msgid) {
    case MF_MSG_COMMAND_INT:
        m.command_int = *(const struct mf_msg_command_int *)msg;
        m.command_int.target_system = p->sysid;
        m.command_int.target_component = p->compid;
        p->command = m.command_int.command;
        p->asks = true;
        break;
    case MF_MSG_SET_POSITION_TARGET_LOCAL_NED:
        m.set_position_target_local_ned = *(const struct mf_msg_set_position_target_local_ned *)msg;
        m.set_position_target_local_ned.target_system = p->sysid;
        m.set_position_target_local_ned.target_component = p->compid;
        break;
    case MF_MSG_SET_POSITION_TARGET_GLOBAL_INT:
        m.set_position_target_global_int =
            *(const struct mf_msg_set_position_target_global_int *)msg;
        m.set_position_target_global_int.target_system = p->sysid;
        m.set_position_target_global_int.target_component = p->compid;
        break;
    case MF_MSG_MANUAL_CONTROL:
        m.manual_control = *(const struct mf_msg_manual_control *)msg;
        m.manual_control.target = p->sysid;
        break;
    default:
        *result = MAV_RESULT_UNSUPPORTED;
        return MF_E_OK;
    }
    const int sent = mf_port_mavlink_send(p, msgid, &m);
    return sent == MF_E_OK ? MF_E_AGAIN : sent;
}

static void read_view(void *ctx, struct mf_order_view *view)
{
    const struct mf_port_mavlink *p = ctx;
    *view = p->view;
}

static int upload(void *ctx, struct mf_msg_mission_item_int *items, uint16_t count, uint8_t *result)
{
    struct mf_port_mavlink *p = ctx;
    const struct mf_msg_mission_count m = {.count = count,
                                           .target_system = p->sysid,
                                           .target_component = p->compid,
                                           .mission_type = MAV_MISSION_TYPE_MISSION};
    for (uint16_t i = 0; i < count; i++) {
        items[i].seq = i;
        items[i].target_system = p->sysid;
        items[i].target_component = p->compid;
        items[i].mission_type = MAV_MISSION_TYPE_MISSION;
    }
    p->items = items;
    p->item_count = count;
    p->asks = true;
    p->view.reached = -1; /* the last item reached was the old mission's */
    *result = MAV_MISSION_ERROR;
    const int sent = mf_port_mavlink_send(p, MF_MSG_MISSION_COUNT, &m);
    return sent == MF_E_OK ? MF_E_AGAIN : sent;
}

const struct mf_order_ops mf_port_mavlink_ops = {send_order, read_view, upload};

int mf_port_mavlink_stream(struct mf_port_mavlink *p, uint32_t msgid, float interval_us)
{
    const struct mf_msg_command_long m = {.command = MAV_CMD_SET_MESSAGE_INTERVAL,
                                          .param1 = (float)msgid,
                                          .param2 = interval_us,
                                          .target_system = p->sysid,
                                          .target_component = p->compid};
    return mf_port_mavlink_send(p, MF_MSG_COMMAND_LONG, &m);
}
