/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/fly/transfer.h"

#include "mavlink/enums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALTITUDE_TOLERANCE_M 0.02f

static bool is_for_us(uint8_t system, uint8_t component)
{
    return (system == 0 || system == FLY_SYSID) && (component == 0 || component == FLY_COMPID);
}

static bool is_ack(const struct fly_message *in, uint8_t type)
{
    const struct mf_msg_mission_ack *ack = &in->m.mission_ack;
    return in->info->id == MF_MSG_MISSION_ACK && ack->mission_type == type &&
           is_for_us(ack->target_system, ack->target_component);
}

/* Errors that may be about a message of an earlier attempt, late or twice on the way: try again. */
static bool is_soft(uint8_t result)
{
    return result == MAV_MISSION_ERROR || result == MAV_MISSION_INVALID_SEQUENCE ||
           result == MAV_MISSION_OPERATION_CANCELLED;
}

/* ---- upload */

struct upload {
    struct fly_client *c;
    const struct fly_mission *mission;
    struct fly_transfer *how;
    bool asked; /* the vehicle has asked for an item in this attempt */
    bool whole; /* the last item has left */
    int64_t resend_us;
    int64_t give_up_us;
};

static int send_count(struct upload *u)
{
    const struct mf_msg_mission_count count = {
        .count = u->mission->count,
        .target_system = u->c->target_sysid,
        .target_component = u->c->target_compid,
        .mission_type = u->mission->type,
    };
    return fly_client_send(u->c, MF_MSG_MISSION_COUNT, &count);
}

static int send_item(struct upload *u, uint16_t seq)
{
    struct mf_msg_mission_item_int item = u->mission->item[seq];
    item.seq = seq;
    item.target_system = u->c->target_sysid;
    item.target_component = u->c->target_compid;
    item.mission_type = u->mission->type;
    u->whole = u->whole || seq + 1u == u->mission->count;
    return fly_client_send(u->c, MF_MSG_MISSION_ITEM_INT, &item);
}

/* Send all items again that the vehicle did not answer. */
static int resend(struct upload *u)
{
    u->resend_us = fly_client_now(u->c) + FLY_RESEND_US;
    u->how->repeats++;
    return u->asked ? send_item(u, u->how->seq) : send_count(u);
}

static int on_request(struct upload *u, const struct fly_message *in)
{
    /* MISSION_REQUEST has the same fields, and is answered with MISSION_ITEM_INT all the same */
    const struct mf_msg_mission_request_int *request = &in->m.mission_request_int;
    if (request->mission_type != u->mission->type || request->seq >= u->mission->count ||
        !is_for_us(request->target_system, request->target_component)) {
        return FLY_E_OK;
    }
    const int64_t now = fly_client_now(u->c);
    u->how->repeats = (uint16_t)(u->how->repeats + (u->asked && request->seq == u->how->seq));
    u->how->seq = request->seq;
    u->asked = u->how->requested = true;
    u->resend_us = now + FLY_RESEND_US;
    u->give_up_us = now + FLY_SILENCE_US;
    return send_item(u, request->seq);
}

/* @return 1: go on */
static int on_ack(struct upload *u, uint8_t result)
{
    const int64_t soon = fly_client_now(u->c) + FLY_DISCORD_US;
    u->how->result = result;
    if (result == MAV_MISSION_ACCEPTED) {
        return u->whole || u->mission->count == 0 ? FLY_E_OK : 1;
    }
    if (!is_soft(result)) {
        return FLY_E_REFUSED;
    }
    u->give_up_us = soon < u->give_up_us ? soon : u->give_up_us;
    return 1;
}

static int on_upload_message(struct upload *u, const struct fly_message *in)
{
    const uint32_t id = in->info->id;
    if (!fly_client_is_target(u->c, in)) {
        return 1;
    }
    if (id == MF_MSG_MISSION_REQUEST_INT || id == MF_MSG_MISSION_REQUEST) {
        const int err = on_request(u, in);
        return err == FLY_E_OK ? 1 : err;
    }
    return is_ack(in, u->mission->type) ? on_ack(u, in->m.mission_ack.type) : 1;
}

static int upload_once(struct upload *u)
{
    const int64_t start = fly_client_now(u->c);
    u->asked = false;
    u->whole = false;
    u->how->seq = 0;
    u->how->requested = false;
    u->how->result = MAV_MISSION_ACCEPTED;
    u->resend_us = start + FLY_RESEND_US;
    u->give_up_us = start + FLY_SILENCE_US;
    int state = send_count(u) == FLY_E_OK ? 1 : FLY_E_LINK;
    while (state == 1) {
        struct fly_message in;
        const int64_t now = fly_client_now(u->c);
        if (now >= u->give_up_us) {
            return FLY_E_TIMEOUT;
        }
        if (now >= u->resend_us && resend(u) != FLY_E_OK) {
            return FLY_E_LINK;
        }
        const int got =
            fly_client_next(u->c, u->resend_us < u->give_up_us ? u->resend_us : u->give_up_us, &in);
        if (got != 0) {
            state = got < 0 ? got : on_upload_message(u, &in);
        }
    }
    return state;
}

static int verify_stored(struct upload *u)
{
    const struct fly_mission *sent = u->mission;
    struct fly_mission back = {.capacity = sent->count, .type = sent->type};
    back.item = calloc(sent->count + 1u, sizeof *back.item);
    if (back.item == NULL) {
        return FLY_E_SPACE;
    }
    int err = fly_download(u->c, &back, u->how);
    err = err == FLY_E_SPACE ? FLY_E_MISMATCH : err;
    if (err == FLY_E_OK && back.count != sent->count) {
        err = FLY_E_MISMATCH;
    }
    u->how->altered = 0;
    for (uint16_t i = sent->skip_first ? 1 : 0; i < sent->count && err == FLY_E_OK; i++) {
        u->how->seq = i;
        err = fly_item_equal(&sent->item[i], &back.item[i], &u->how->altered) ? FLY_E_OK
                                                                              : FLY_E_MISMATCH;
    }
    free(back.item);
    return err;
}

/* Another attempt changes nothing. */
static bool is_final(int err)
{
    return err == FLY_E_LINK || err == FLY_E_REFUSED || err == FLY_E_LATE;
}

int fly_upload(struct fly_client *c, const struct fly_mission *mission, bool verify,
               struct fly_transfer *how)
{
    struct upload u = {.c = c, .mission = mission, .how = how};
    int err = FLY_E_TIMEOUT;
    int mismatches = 0;
    for (int i = 0; i < FLY_TRANSFERS && mismatches < FLY_MISMATCHES; i++) {
        how->restarts = (uint16_t)(how->restarts + (i > 0));
        err = upload_once(&u);
        if (is_final(err) || (err == FLY_E_OK && !verify)) {
            return err;
        }
        /* the acknowledgement may be lost although the mission is stored: what it holds decides */
        const bool stored = err == FLY_E_OK;
        if (!verify || !(stored || u.whole)) {
            continue;
        }
        err = verify_stored(&u);
        if (err == FLY_E_OK || is_final(err)) {
            return err;
        }
        mismatches += stored && err == FLY_E_MISMATCH;
    }
    return err == FLY_E_TIMEOUT && how->result != MAV_MISSION_ACCEPTED ? FLY_E_REFUSED : err;
}

/* ---- download */

struct download {
    struct fly_client *c;
    struct fly_mission *mission;
    struct fly_transfer *how;
    bool counted; /* MISSION_COUNT is here */
    uint16_t want;
    int64_t resend_us;
    int64_t give_up_us;
};

static int request_next(struct download *d)
{
    const struct mf_msg_mission_request_list list = {
        .target_system = d->c->target_sysid,
        .target_component = d->c->target_compid,
        .mission_type = d->mission->type,
    };
    const struct mf_msg_mission_request_int item = {
        .seq = d->want,
        .target_system = d->c->target_sysid,
        .target_component = d->c->target_compid,
        .mission_type = d->mission->type,
    };
    d->resend_us = fly_client_now(d->c) + FLY_RESEND_US;
    return d->counted ? fly_client_send(d->c, MF_MSG_MISSION_REQUEST_INT, &item)
                      : fly_client_send(d->c, MF_MSG_MISSION_REQUEST_LIST, &list);
}

static int finish_download(struct download *d)
{
    const struct mf_msg_mission_ack ack = {
        .target_system = d->c->target_sysid,
        .target_component = d->c->target_compid,
        .type = MAV_MISSION_ACCEPTED,
        .mission_type = d->mission->type,
    };
    return fly_client_send(d->c, MF_MSG_MISSION_ACK, &ack);
}

/* @return 1: go on */
static int advance(struct download *d)
{
    d->give_up_us = fly_client_now(d->c) + FLY_SILENCE_US;
    if (d->want >= d->mission->count) {
        return finish_download(d);
    }
    return request_next(d) == FLY_E_OK ? 1 : FLY_E_LINK;
}

static int on_count(struct download *d, const struct mf_msg_mission_count *count)
{
    if (d->counted || count->mission_type != d->mission->type) {
        return 1;
    }
    if (count->count > d->mission->capacity) {
        return FLY_E_SPACE;
    }
    d->counted = true;
    d->mission->count = count->count;
    return advance(d);
}

static int on_item(struct download *d, const struct mf_msg_mission_item_int *item)
{
    if (!d->counted || item->seq != d->want || item->mission_type != d->mission->type) {
        return 1;
    }
    d->mission->item[d->want++] = *item;
    return advance(d);
}

static int on_download_message(struct download *d, const struct fly_message *in)
{
    if (!fly_client_is_target(d->c, in)) {
        return 1;
    }
    if (in->info->id == MF_MSG_MISSION_COUNT &&
        is_for_us(in->m.mission_count.target_system, in->m.mission_count.target_component)) {
        return on_count(d, &in->m.mission_count);
    }
    if (in->info->id == MF_MSG_MISSION_ITEM_INT &&
        is_for_us(in->m.mission_item_int.target_system, in->m.mission_item_int.target_component)) {
        return on_item(d, &in->m.mission_item_int);
    }
    if (is_ack(in, d->mission->type) && in->m.mission_ack.type != MAV_MISSION_ACCEPTED) {
        const int64_t soon = fly_client_now(d->c) + FLY_DISCORD_US;
        d->give_up_us = soon < d->give_up_us ? soon : d->give_up_us;
    }
    return 1;
}

static int download_once(struct download *d)
{
    d->counted = false;
    d->want = 0;
    d->give_up_us = fly_client_now(d->c) + FLY_SILENCE_US;
    int state = request_next(d) == FLY_E_OK ? 1 : FLY_E_LINK;
    while (state == 1) {
        struct fly_message in;
        const int64_t now = fly_client_now(d->c);
        if (now >= d->give_up_us) {
            return FLY_E_TIMEOUT;
        }
        if (now >= d->resend_us) {
            d->how->repeats++;
            if (request_next(d) != FLY_E_OK) {
                return FLY_E_LINK;
            }
        }
        const int got =
            fly_client_next(d->c, d->resend_us < d->give_up_us ? d->resend_us : d->give_up_us, &in);
        if (got != 0) {
            state = got < 0 ? got : on_download_message(d, &in);
        }
    }
    return state;
}

int fly_download(struct fly_client *c, struct fly_mission *mission, struct fly_transfer *how)
{
    struct download d = {.c = c, .mission = mission, .how = how};
    int err = FLY_E_TIMEOUT;
    for (int i = 0; i < FLY_TRANSFERS && err == FLY_E_TIMEOUT; i++) {
        how->restarts = (uint16_t)(how->restarts + (i > 0));
        err = download_once(&d);
    }
    return err;
}

/* ---- comparison */

static uint8_t frame_class(uint8_t frame)
{
    switch (frame) {
    case MAV_FRAME_GLOBAL_INT:
        return MAV_FRAME_GLOBAL;
    case MAV_FRAME_GLOBAL_RELATIVE_ALT_INT:
        return MAV_FRAME_GLOBAL_RELATIVE_ALT;
    case MAV_FRAME_GLOBAL_TERRAIN_ALT_INT:
        return MAV_FRAME_GLOBAL_TERRAIN_ALT;
    default:
        return frame;
    }
}

/* @return false if they differ and the vehicle did not merely drop the value */
static bool param_equal(uint32_t sent_bits, uint32_t back_bits, uint16_t *altered)
{
    const float sent = mf_f32_from_bits(sent_bits);
    const float back = mf_f32_from_bits(back_bits);
    if (sent_bits == back_bits || fabsf(sent - back) <= 1e-5f * fabsf(sent) ||
        (isnan(sent) && isnan(back))) {
        return true;
    }
    (*altered)++;
    return isnan(back) || fabsf(back) <= 0.0f;
}

static bool altitude_equal(uint32_t sent_bits, uint32_t back_bits)
{
    const float sent = mf_f32_from_bits(sent_bits);
    const float back = mf_f32_from_bits(back_bits);
    return (isnan(sent) && !(fabsf(back) > 0.0f)) || fabsf(sent - back) <= ALTITUDE_TOLERANCE_M;
}

static bool place_equal(int32_t sent, int32_t back)
{
    return llabs((long long)sent - back) <= 1;
}

bool fly_item_equal(const struct mf_msg_mission_item_int *sent,
                    const struct mf_msg_mission_item_int *back, uint16_t *altered)
{
    const bool same_kind =
        sent->command == back->command && frame_class(sent->frame) == frame_class(back->frame);
    const bool same_place = place_equal(sent->x, back->x) && place_equal(sent->y, back->y) &&
                            altitude_equal(sent->z, back->z);
    bool same_params = param_equal(sent->param1, back->param1, altered);
    same_params &= param_equal(sent->param2, back->param2, altered);
    same_params &= param_equal(sent->param3, back->param3, altered);
    same_params &= param_equal(sent->param4, back->param4, altered);
    return same_kind && same_place && same_params;
}
