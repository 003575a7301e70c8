/* SPDX-License-Identifier: Apache-2.0 */
/* Peer within the process: commands, plans, parameters as structs. Called by boards and
 * hal-sim/crowd. */
#include "drone/inside.h"

#include "mavlink/enums.h"
#include "mavlink/frame.h"

/* Does a message answer the last request? */
static bool is_answer(uint32_t asked_id, uint32_t id)
{
    switch (asked_id) {
    case MF_MSG_COMMAND_INT:
        return id == MF_MSG_COMMAND_ACK;
    case MF_MSG_MISSION_COUNT:
    case MF_MSG_MISSION_ITEM_INT:
        return id == MF_MSG_MISSION_REQUEST_INT || id == MF_MSG_MISSION_ACK;
    case MF_MSG_PARAM_SET:
        return id == MF_MSG_PARAM_VALUE || id == MF_MSG_PARAM_ERROR;
    default:
        return false;
    }
}

/* Process frames that the vehicle writes, one at a time. The last answer counts, since news of
 * earlier requests may precede it; but the old value of a refused parameter follows the error. */
static int process_frame(void *ctx, const uint8_t *bytes, size_t n)
{
    struct mf_inside *inside = ctx;
    struct mf_frame frame;
    if (inside->answer_id != MF_MSG_PARAM_ERROR && mf_frame_read(bytes, n, &frame) &&
        is_answer(inside->asked_id, frame.info->id)) {
        mf_msg_unpack(frame.info, frame.payload, frame.len, &inside->answer);
        inside->answer_id = frame.info->id;
    }
    return (int)n;
}

// NOLINTNEXTLINE(readability-non-const-parameter): the contract's type
static int bring_nothing(void *ctx, uint8_t *bytes, size_t cap)
{
    (void)ctx, (void)bytes, (void)cap;
    return 0;
}

static size_t room(void *ctx)
{
    (void)ctx;
    return MF_FRAME_MAX;
}

static const struct mf_serial_ops k_serial = {process_frame, bring_nothing, room};

void mf_inside_init(struct mf_inside *inside, uint16_t number)
{
    *inside = (struct mf_inside){.link = -1};
    inside->about = (struct mf_drone_link){
        .serial = {.ops = &k_serial, .ctx = inside, .isolated = true},
        .name = "api",
        .interval_us = inside->interval_us,
        .number = number,
        .port = UINT16_MAX,
    };
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        inside->interval_us[i] = MF_STREAM_OFF;
    }
}

/* Open the peer's link, if it is not open. @return false: all links are in use */
static bool open_link(struct mf_inside *inside, struct mf_drone *drone)
{
    if (inside->link < 0) {
        inside->link = mf_drone_open(drone, &inside->about);
    }
    return inside->link >= 0;
}

static uint8_t sysid_of(struct mf_drone *drone)
{
    return mf_vehicle_status(mf_drone_vehicle(drone)).sysid;
}

/* Send a request. @return message id of the answer; 0: no answer */
static uint32_t send_request(struct mf_inside *inside, struct mf_drone *drone, uint32_t id,
                             const void *m)
{
    const struct mf_address from = {sysid_of(drone), MF_INSIDE_COMPID};
    inside->asked_id = id;
    inside->answer_id = 0;
    (void)mf_drone_message(drone, inside->link, from, id, m);
    return inside->answer_id;
}

int mf_inside_command(struct mf_inside *inside, struct mf_drone *drone,
                      struct mf_msg_command_int *m, struct mf_msg_command_ack *ack)
{
    MF_ASSERT(inside != NULL && drone != NULL && m != NULL && ack != NULL);
    if (!open_link(inside, drone)) {
        return MF_E_FULL;
    }
    m->target_system = sysid_of(drone);
    m->target_component = 0; /* any component of the vehicle */
    if (send_request(inside, drone, MF_MSG_COMMAND_INT, m) != MF_MSG_COMMAND_ACK ||
        inside->answer.command_ack.command != m->command) {
        return MF_E_AGAIN;
    }
    *ack = inside->answer.command_ack;
    return MF_E_OK;
}

int mf_inside_tell(struct mf_inside *inside, struct mf_drone *drone, uint32_t msgid, const void *m)
{
    MF_ASSERT(inside != NULL && drone != NULL && m != NULL);
    if (!open_link(inside, drone)) {
        return MF_E_FULL;
    }
    (void)send_request(inside, drone, msgid, m);
    return MF_E_OK;
}

int mf_inside_upload(struct mf_inside *inside, struct mf_drone *drone, uint8_t type,
                     struct mf_msg_mission_item_int *items, uint16_t count, uint8_t *result)
{
    MF_ASSERT(inside != NULL && drone != NULL && (items != NULL || count == 0) && result != NULL);
    if (!open_link(inside, drone)) {
        return MF_E_FULL;
    }
    const struct mf_msg_mission_count m = {
        .count = count, .target_system = sysid_of(drone), .mission_type = type};
    uint32_t answer = send_request(inside, drone, MF_MSG_MISSION_COUNT, &m);
    /* each item is sent once: a rule of misbehaviour that requests one again ends the upload */
    for (uint16_t next = 0; answer == MF_MSG_MISSION_REQUEST_INT; next++) {
        if (next == count || inside->answer.request.seq != next) {
            answer = 0;
            break;
        }
        items[next].seq = next;
        items[next].target_system = m.target_system;
        items[next].target_component = 0;
        items[next].mission_type = type;
        answer = send_request(inside, drone, MF_MSG_MISSION_ITEM_INT, &items[next]);
    }
    if (answer != MF_MSG_MISSION_ACK) {
        /* A wrapper has held an answer back, and may keep silent until the transfer ends: with its
         * link. */
        mf_inside_close(inside, drone);
        return MF_E_AGAIN;
    }
    *result = inside->answer.mission_ack.type;
    return MF_E_OK;
}

int mf_inside_set_param(struct mf_inside *inside, struct mf_drone *drone,
                        struct mf_msg_param_set *m, uint8_t *error, struct mf_msg_param_value *now)
{
    MF_ASSERT(inside != NULL && drone != NULL && m != NULL && error != NULL && now != NULL);
    if (!open_link(inside, drone)) {
        return MF_E_FULL;
    }
    m->target_system = sysid_of(drone);
    m->target_component = 0;
    switch (send_request(inside, drone, MF_MSG_PARAM_SET, m)) {
    case MF_MSG_PARAM_VALUE:
        *error = MAV_PARAM_ERROR_NO_ERROR;
        *now = inside->answer.param_value;
        return MF_E_OK;
    case MF_MSG_PARAM_ERROR:
        *error = inside->answer.param_error.error;
        return MF_E_OK;
    default:
        return MF_E_AGAIN;
    }
}

void mf_inside_close(struct mf_inside *inside, struct mf_drone *drone)
{
    if (inside->link >= 0) {
        mf_drone_close(drone, inside->link);
        inside->link = -1;
    }
}
