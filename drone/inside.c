/* SPDX-License-Identifier: Apache-2.0 */
#include "drone/inside.h"

#include "mavlink/frame.h"

/* Frames are written one at a time. */
static int take(void *ctx, const uint8_t *bytes, size_t n)
{
    struct mf_inside *inside = ctx;
    struct mf_frame frame;
    if (mf_frame_read(bytes, n, &frame) && frame.info->id == MF_MSG_COMMAND_ACK) {
        mf_msg_unpack(frame.info, frame.payload, frame.len, &inside->answer);
        inside->answered = true;
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

static const struct mf_serial_ops k_serial = {take, bring_nothing, room};

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

int mf_inside_command(struct mf_inside *inside, struct mf_drone *drone,
                      struct mf_msg_command_int *m, struct mf_msg_command_ack *ack)
{
    MF_ASSERT(inside != NULL && drone != NULL && m != NULL && ack != NULL);
    const uint8_t sysid = mf_vehicle_status(mf_drone_vehicle(drone)).sysid;
    if (inside->link < 0) {
        inside->link = mf_drone_open(drone, &inside->about);
    }
    if (inside->link < 0) {
        return MF_E_FULL;
    }
    const struct mf_address from = {sysid, MF_INSIDE_COMPID};
    m->target_system = sysid;
    m->target_component = 0; /* whatever component the vehicle is */
    inside->answered = false;
    (void)mf_drone_message(drone, inside->link, from, MF_MSG_COMMAND_INT, m);
    if (!inside->answered || inside->answer.command != m->command) {
        return MF_E_AGAIN;
    }
    *ack = inside->answer;
    return MF_E_OK;
}

void mf_inside_close(struct mf_inside *inside, struct mf_drone *drone)
{
    if (inside->link >= 0) {
        mf_drone_close(drone, inside->link);
        inside->link = -1;
    }
}
