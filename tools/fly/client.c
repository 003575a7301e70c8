/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/fly/client.h"

#include "mavlink/enums.h"

#include <string.h>

#define LATE_MAX \
    32 /* a sequence number farther back is a gap or a restart, not a frame overtaken */

const char *fly_err_text(int err)
{
    switch (err) {
#define X(name, value, text) \
    case value:              \
        return text;
        FLY_ERR_LIST(X)
#undef X
    default:
        return "unknown";
    }
}

void fly_client_init(struct fly_client *c, struct fly_link link, fly_observer observe,
                     void *observer)
{
    memset(c, 0, sizeof *c);
    c->link = link;
    c->observe = observe;
    c->observer = observer;
    c->heartbeat_due_us = fly_client_now(c);
    c->order = 256; /* an order is never 0 */
    c->bytes_us = c->heartbeat_due_us;
    c->heard_us = c->heartbeat_due_us;
}

int64_t fly_client_now(const struct fly_client *c)
{
    return c->link.ops->now_us(c->link.ctx);
}

bool fly_client_is_target(const struct fly_client *c, const struct fly_message *message)
{
    return c->target_sysid != 0 && message->sysid == c->target_sysid &&
           message->compid == c->target_compid;
}

int fly_client_send(struct fly_client *c, uint32_t id, const void *msg)
{
    uint8_t frame[MF_FRAME_MAX];
    const struct mf_sender from = {
        .version = 2, .seq = c->seq++, .sysid = FLY_SYSID, .compid = FLY_COMPID};
    const size_t n = mf_frame_encode(&from, mf_msg_find(id), msg, frame);
    return c->link.ops->send(c->link.ctx, frame, n) == 0 ? FLY_E_OK : FLY_E_LINK;
}

static int beat(struct fly_client *c)
{
    const int64_t now = fly_client_now(c);
    if (now < c->heartbeat_due_us) {
        return FLY_E_OK;
    }
    c->heartbeat_due_us = now + FLY_HEARTBEAT_US;
    const struct mf_msg_heartbeat heartbeat = {
        .type = MAV_TYPE_GCS,
        .autopilot = MAV_AUTOPILOT_INVALID,
        .system_status = MAV_STATE_ACTIVE,
        .mavlink_version = 3,
    };
    return fly_client_send(c, MF_MSG_HEARTBEAT, &heartbeat);
}

/* A link that reorders makes news of what is old; the sequence numbers tell. */
static int64_t unwrap(struct fly_client *c, uint8_t seq)
{
    const int step = (int)((seq - (uint64_t)c->order + 128u) & 255u) - 128;
    if (step <= 0 && step > -LATE_MAX) {
        return c->order + step;
    }
    c->order += step > 0 ? step : step + 256;
    return c->order;
}

static void decode(struct fly_client *c, const struct mf_frame *frame, struct fly_message *out)
{
    out->info = frame->info;
    out->sysid = frame->sysid;
    out->compid = frame->compid;
    out->order = 0;
    mf_msg_unpack(frame->info, frame->payload, frame->len, &out->m);
    if (fly_client_is_target(c, out)) {
        out->order = unwrap(c, frame->seq);
        c->heard_us = fly_client_now(c);
    }
}

/* The next message among the bytes already here. */
static bool take_message(struct fly_client *c, struct fly_message *out)
{
    for (;;) {
        struct mf_frame frame;
        if (mf_parser_next(&c->parser, &frame)) {
            decode(c, &frame, out);
            return true;
        }
        if (c->used < c->len) {
            c->used += mf_parser_feed(&c->parser, c->buf + c->used, c->len - c->used);
        } else if (c->silent && mf_parser_pending(&c->parser)) {
            mf_parser_flush(&c->parser);
        } else {
            return false;
        }
    }
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int refill(struct fly_client *c, int64_t deadline_us)
{
    const int64_t now = fly_client_now(c);
    const int64_t until =
        earlier(earlier(deadline_us, c->heartbeat_due_us), now + MF_PARSER_WAIT_US);
    const int n = c->link.ops->receive(c->link.ctx, c->buf, sizeof c->buf, until - now);
    if (n < 0) {
        return FLY_E_LINK;
    }
    const int64_t after = fly_client_now(c);
    c->used = 0;
    c->len = (size_t)n;
    c->silent = n > 0 ? c->link.datagrams : after - c->bytes_us >= MF_PARSER_WAIT_US;
    c->bytes_us = n > 0 ? after : c->bytes_us;
    return FLY_E_OK;
}

int fly_client_next(struct fly_client *c, int64_t deadline_us, struct fly_message *out)
{
    int err = beat(c);
    if (c->give_up_us != 0 && fly_client_now(c) >= c->give_up_us) {
        return FLY_E_LATE;
    }
    while (err == FLY_E_OK && !take_message(c, out)) {
        if (fly_client_now(c) >= deadline_us) {
            return 0;
        }
        err = refill(c, deadline_us);
        err = err == FLY_E_OK ? beat(c) : err;
    }
    if (err != FLY_E_OK) {
        return err;
    }
    if (c->observe != NULL) {
        c->observe(c->observer, out);
    }
    return 1;
}

/* ---- commands */

/* True for an acknowledgement of this command. Its target may be open (0: broadcast), or name this
 * client. */
static bool is_ack(const struct fly_client *c, const struct fly_message *in, uint16_t command)
{
    const struct mf_msg_command_ack *ack = &in->m.command_ack;
    return in->info->id == MF_MSG_COMMAND_ACK && fly_client_is_target(c, in) &&
           ack->command == command &&
           (ack->target_system == 0 || ack->target_system == FLY_SYSID) &&
           (ack->target_component == 0 || ack->target_component == FLY_COMPID);
}

static int await_ack(struct fly_client *c, uint16_t command)
{
    int64_t deadline_us = fly_client_now(c) + FLY_COMMAND_US;
    for (;;) {
        struct fly_message in;
        const int got = fly_client_next(c, deadline_us, &in);
        if (got <= 0) {
            return got == 0 ? FLY_E_TIMEOUT : got;
        }
        if (!is_ack(c, &in, command)) {
            if (fly_client_now(c) >= deadline_us) {
                return FLY_E_TIMEOUT;
            }
            continue;
        }
        if (in.m.command_ack.result != MAV_RESULT_IN_PROGRESS) {
            return in.m.command_ack.result;
        }
        deadline_us = fly_client_now(c) + FLY_PROGRESS_US;
    }
}

int fly_client_command(struct fly_client *c, const struct mf_msg_command_long *command)
{
    struct mf_msg_command_long out = *command;
    out.target_system = c->target_sysid;
    out.target_component = c->target_compid;
    int result = FLY_E_TIMEOUT;
    for (uint8_t i = 0; i < FLY_TRIES && result == FLY_E_TIMEOUT; i++) {
        out.confirmation = i;
        result = fly_client_send(c, MF_MSG_COMMAND_LONG, &out);
        result = result == FLY_E_OK ? await_ack(c, command->command) : result;
    }
    return result;
}
