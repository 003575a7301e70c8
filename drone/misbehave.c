/* SPDX-License-Identifier: Apache-2.0 */
/* Wrapper of misbehaviour around serial devices: frames in both directions, rules, due times.
 * Called by drone/wiring and host/api. */
#include "drone/misbehave.h"

#include "drone/misbehave_hook.h"
#include "firmware/core/param.h"
#include "firmware/link/signing.h"
#include "firmware/state/vehicle.h"
#include "mavlink/enums.h"

#include <string.h>

_Static_assert(MF_RULE_COUNT <= 64, "kinds are bits of a mf_rule_set");

/* Hook of each message, by direction. */
static const struct {
    uint32_t id;
    mf_hook *hook;
} k_in[] = {{MF_MSG_COMMAND_LONG, mf_misbehave_in_command_long},
            {MF_MSG_COMMAND_INT, mf_misbehave_in_command_int},
            {MF_MSG_SET_MODE, mf_misbehave_in_set_mode},
            {MF_MSG_REQUEST_DATA_STREAM, mf_misbehave_in_data_stream},
            {MF_MSG_MISSION_COUNT, mf_misbehave_in_mission_begin},
            {MF_MSG_MISSION_REQUEST_LIST, mf_misbehave_in_mission_begin},
            {MF_MSG_MISSION_CLEAR_ALL, mf_misbehave_in_mission_begin},
            {MF_MSG_MISSION_ITEM, mf_misbehave_in_mission_item},
            {MF_MSG_MISSION_ITEM_INT, mf_misbehave_in_mission_item},
            {MF_MSG_MISSION_REQUEST, mf_misbehave_in_mission_request},
            {MF_MSG_MISSION_REQUEST_INT, mf_misbehave_in_mission_request},
            {MF_MSG_MISSION_ACK, mf_misbehave_in_mission_ack},
            {MF_MSG_PARAM_REQUEST_READ, mf_misbehave_in_param_read},
            {MF_MSG_PARAM_SET, mf_misbehave_in_param_set},
            {MF_MSG_FILE_TRANSFER_PROTOCOL, mf_misbehave_in_ftp}},
  k_out[] = {{MF_MSG_COMMAND_ACK, mf_misbehave_out_command_ack},
             {MF_MSG_MISSION_COUNT, mf_misbehave_out_mission_count},
             {MF_MSG_MISSION_ITEM, mf_misbehave_out_mission_item},
             {MF_MSG_MISSION_ITEM_INT, mf_misbehave_out_mission_item},
             {MF_MSG_MISSION_REQUEST, mf_misbehave_out_mission_request},
             {MF_MSG_MISSION_REQUEST_INT, mf_misbehave_out_mission_request},
             {MF_MSG_MISSION_ACK, mf_misbehave_out_mission_ack},
             {MF_MSG_PARAM_VALUE, mf_misbehave_out_param_value},
             {MF_MSG_FILE_TRANSFER_PROTOCOL, mf_misbehave_out_ftp}};

/* ---- to the client */

static bool is_own(const struct mf_misbehave *s, uint8_t sysid, uint8_t compid)
{
    return sysid == s->sysid && compid == s->compid;
}

/* Apply the rules to a frame of the vehicle. @return true: the frame leaves */
static bool judge_out(struct mf_misbehave_link *m, const struct mf_frame *frame)
{
    union mf_msg msg;
    const struct mf_passing p = {m, frame, &msg};
    const struct mf_subject subject = {.id = frame->info->id};
    if (m->all->rule_count == 0) {
        return true;
    }
    if (mf_misbehave_fires(m, MF_RULE_BIT(MESSAGE_SILENCE), subject)) {
        return false;
    }
    for (size_t i = 0; i < sizeof k_out / sizeof k_out[0]; i++) {
        if (k_out[i].id == frame->info->id) {
            mf_msg_unpack(frame->info, frame->payload, frame->len, &msg);
            return k_out[i].hook(&p);
        }
    }
    return true;
}

/* ---- to the vehicle */

/* Does the vehicle process the frame? In mission messages it also accepts another component. */
static bool is_for_vehicle(const struct mf_misbehave *s, const struct mf_frame *frame)
{
    const struct mf_address to = mf_msg_target(frame->info, frame->payload, frame->len);
    const uint32_t id = frame->info->id;
    const bool mission = id == MF_MSG_MISSION_ITEM_INT || id == MF_MSG_MISSION_REQUEST_INT ||
                         (id >= MF_MSG_MISSION_ITEM && id <= MF_MSG_MISSION_ACK);
    return (to.system == 0 || to.system == s->sysid) &&
           (to.component == MAV_COMP_ID_ALL || to.component == s->compid ||
            (mission && to.component == MAV_COMP_ID_MISSIONPLANNER));
}

static bool is_admitted(const struct mf_misbehave_link *m, const struct mf_frame *frame)
{
    const struct mf_vehicle *v = m->all->vehicle;
    return v == NULL || mf_signing_admits(v->signing, mf_param_i(&v->params, MF_PARAM_MAV_SIGN_CFG),
                                          m->inner.usb, frame);
}

/* Apply the rules to a frame of a client. @return true: the frame arrives */
static bool judge_in(struct mf_misbehave_link *m, const struct mf_frame *frame)
{
    union mf_msg msg;
    const struct mf_passing p = {m, frame, &msg};
    for (size_t i = 0; m->all->rule_count > 0 && i < sizeof k_in / sizeof k_in[0]; i++) {
        if (k_in[i].id == frame->info->id && is_for_vehicle(m->all, frame) &&
            is_admitted(m, frame)) {
            mf_msg_unpack(frame->info, frame->payload, frame->len, &msg);
            return k_in[i].hook(&p);
        }
    }
    return true;
}

static void on_frame(void *ctx, const struct mf_frame *frame)
{
    struct mf_misbehave_link *m = ctx;
    m->work->heard = frame->seq;
    if (frame->info == NULL || is_own(m->all, frame->sysid, frame->compid) || judge_in(m, frame)) {
        mf_misbehave_put(m, frame->raw, frame->raw_len);
    }
}

static void on_stray(void *ctx, const uint8_t *bytes, size_t n)
{
    mf_misbehave_put(ctx, bytes, n);
}

static const struct mf_framer_ops k_framer = {on_frame, on_stray};

/* ---- the device */

static bool is_plain(const struct mf_misbehave_link *m)
{
    const struct mf_signing *signing = mf_misbehave_signing(m->all);
    return m->all->rule_count == 0 && !m->working && m->shift == 0 &&
           (signing == NULL || m->time < signing->time); /* later than its own last signature */
}

/* Begin work with the first rule. The rest of a frame that was begun before passes as bytes outside
 * frames. */
static void begin_work(struct mf_misbehave_link *m)
{
    if (!m->working && m->all->rule_count > 0) {
        memset(m->work, 0, sizeof *m->work);
        mf_framer_init(&m->work->framer, &k_framer, m);
        m->working = true;
    }
}

static void end_work(struct mf_misbehave_link *m)
{
    const struct mf_misbehave_work *w = m->work;
    if (m->all->rule_count == 0 && !mf_parser_pending(&w->framer.parser) && w->at == w->len) {
        m->working = false;
    }
}

/* Write without rules. Only notes sequence number and signature time, for rules that may follow. */
static int write_plain(struct mf_misbehave_link *m, const uint8_t *bytes, size_t n)
{
    const int result = mf_serial_write(&m->inner, bytes, n);
    if (result <= 0 || n < 7) {
        return result;
    }
    const bool v1 = bytes[0] == MF_STX_V1;
    if (is_own(m->all, bytes[v1 ? 3 : 5], bytes[v1 ? 4 : 6])) {
        m->seq = bytes[v1 ? 2 : 4];
        if (!v1 && (bytes[2] & MF_INCOMPAT_SIGNED) != 0 && n > MF_SIGNATURE_BYTES) {
            m->link_id = bytes[n - MF_SIGNATURE_BYTES];
        }
    }
    return result;
}

static int misbehave_write(void *ctx, const uint8_t *bytes, size_t n)
{
    struct mf_misbehave_link *m = ctx;
    struct mf_frame frame;
    MF_ASSERT(m->used);
    if (is_plain(m)) {
        return write_plain(m, bytes, n);
    }
    if (!mf_frame_read(bytes, n, &frame) || !is_own(m->all, frame.sysid, frame.compid)) {
        return mf_serial_write(&m->inner, bytes, n);
    }
    begin_work(m);
    if (!judge_out(m, &frame)) {
        m->shift--;
        return (int)n;
    }
    return mf_misbehave_send_as(m, &frame, (uint8_t)(frame.seq + m->shift), true);
}

static int misbehave_read(void *ctx, uint8_t *bytes, size_t cap)
{
    struct mf_misbehave_link *m = ctx;
    struct mf_misbehave_work *w = m->work;
    int result = 0;
    MF_ASSERT(m->used);
    if (m->all->rule_count == 0 && !m->working) {
        return mf_serial_read(&m->inner, bytes, cap);
    }
    begin_work(m);
    if (w->at == w->len) {
        result = mf_framer_take(&w->framer, &m->inner, 1, m->all->now_us);
    }
    const size_t left = (size_t)(w->len - w->at);
    const size_t n = left < cap ? left : cap;
    memcpy(bytes, w->in + w->at, n);
    w->at = (uint16_t)(w->at + n);
    end_work(m);
    return n == 0 && result < 0 ? result : (int)n;
}

static size_t misbehave_room(void *ctx)
{
    const struct mf_misbehave_link *m = ctx;
    return mf_serial_room(&m->inner);
}

static const struct mf_serial_ops k_serial = {misbehave_write, misbehave_read, misbehave_room};

/* ---- all connections */

void mf_misbehave_init(struct mf_misbehave *s, struct mf_misbehave_link *links,
                       struct mf_misbehave_work *work, uint16_t count, uint8_t sysid,
                       uint8_t compid, const mf_us_t *vehicle_us)
{
    memset(s, 0, offsetof(struct mf_misbehave, held));
    s->links = links;
    s->work = work;
    s->count = count;
    s->sysid = sysid;
    s->compid = compid;
    s->vehicle_us = vehicle_us;
    s->next_id = 1;
}

int mf_misbehave_add(struct mf_misbehave *s, const struct mf_rule *rule)
{
    if (s->rule_count == MF_MISBEHAVE_RULES_MAX) {
        return MF_E_FULL;
    }
    struct mf_misbehave_rule *r = &s->rule[s->rule_count++];
    *r = (struct mf_misbehave_rule){.id = s->next_id++, .rule = *rule};
    return (int)r->id;
}

int mf_misbehave_remove(struct mf_misbehave *s, uint32_t id)
{
    for (uint16_t i = 0; i < s->rule_count; i++) {
        if (s->rule[i].id == id) {
            s->rule_count--;
            memmove(&s->rule[i], &s->rule[i + 1], (size_t)(s->rule_count - i) * sizeof s->rule[0]);
            return MF_E_OK;
        }
    }
    return MF_E_NOENT;
}

struct mf_serial mf_misbehave_open(struct mf_misbehave *s, uint16_t index,
                                   const struct mf_serial *serial)
{
    MF_ASSERT(index < s->count && (index >= s->top || !s->links[index].used));
    struct mf_misbehave_link *m = &s->links[index];
    while (s->top <= index) { /* links beyond top were never initialised */
        s->links[s->top++].used = false;
    }
    *m = (struct mf_misbehave_link){
        .used = true, .seq = UINT8_MAX, .all = s, .work = &s->work[index], .inner = *serial};
    struct mf_serial outer = *serial;
    outer.ops = &k_serial;
    outer.ctx = m;
    return outer;
}

void mf_misbehave_join(struct mf_misbehave *s, uint16_t index, uint8_t seq, uint8_t link_id)
{
    MF_ASSERT(index < s->top && s->links[index].used && !s->links[index].working);
    s->links[index].seq = seq;
    s->links[index].link_id = link_id;
}

struct mf_serial *mf_misbehave_inner(struct mf_misbehave *s, uint16_t index)
{
    MF_ASSERT(index < s->top && s->links[index].used);
    return &s->links[index].inner;
}

/* Drop the frames of a connection that are held back. */
static void forget(struct mf_misbehave *s, const struct mf_misbehave_link *m)
{
    uint16_t kept = 0;
    for (uint16_t i = 0; i < s->held_count; i++) {
        if (s->held[i].of != m) {
            s->held[kept++] = s->held[i];
        }
    }
    s->held_count = kept;
}

void mf_misbehave_close(struct mf_misbehave *s, uint16_t index)
{
    if (index >= s->top || !s->links[index].used) {
        return;
    }
    forget(s, &s->links[index]);
    s->links[index].used = false;
    while (s->top > 0 && !s->links[s->top - 1].used) {
        s->top--;
    }
}

void mf_misbehave_run(struct mf_misbehave *s, mf_us_t now_us)
{
    s->now_us = now_us;
    for (uint16_t i = 0; i < s->top; i++) {
        struct mf_misbehave_link *m = &s->links[i];
        if (!m->used || !m->working) {
            continue;
        }
        if (m->work->framer.gap_us <= now_us) {
            mf_framer_give_up(&m->work->framer);
        }
    }
    mf_misbehave_send_due(s);
}

static mf_us_t due(const struct mf_misbehave_link *m)
{
    const struct mf_misbehave_work *w = m->work;
    return w->at < w->len ? m->all->now_us : w->framer.gap_us;
}

mf_us_t mf_misbehave_due(const struct mf_misbehave *s)
{
    mf_us_t due_us = MF_NEVER;
    for (uint16_t i = 0; i < s->top; i++) {
        const struct mf_misbehave_link *m = &s->links[i];
        due_us = m->used && m->working ? mf_earlier(due_us, due(m)) : due_us;
    }
    for (uint16_t i = 0; i < s->held_count; i++) {
        due_us = mf_earlier(due_us, s->held[i].due_us);
    }
    return due_us;
}
