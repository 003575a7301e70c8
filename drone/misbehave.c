/* SPDX-License-Identifier: Apache-2.0 */
#include "drone/misbehave.h"

#include "drone/misbehave_hook.h"
#include "firmware/core/param.h"
#include "firmware/link/signing.h"
#include "firmware/state/vehicle.h"
#include "mavlink/enums.h"

#include <string.h>

_Static_assert(MF_RULE_COUNT <= 64, "kinds are bits of a mf_rule_set");

/* Who looks at which message. */
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

/* Signs what the vehicle is told in clients' names. */
#define TOLD_LINK_ID UINT8_MAX

/* ---- rules */

bool mf_misbehave_active(const struct mf_misbehave *s, const struct mf_misbehave_rule *r)
{
    const mf_us_t t_us = *s->vehicle_us;
    return (r->rule.times == 0 || r->fired < r->rule.times) && r->rule.from_us <= t_us &&
           (r->rule.for_us == MF_NEVER || t_us - r->rule.from_us < r->rule.for_us);
}

struct mf_misbehave_rule *mf_misbehave_find(const struct mf_misbehave_link *m, mf_rule_set kinds,
                                            struct mf_subject subject)
{
    struct mf_misbehave *s = m->all;
    for (uint16_t i = 0; i < s->rule_count; i++) {
        const struct mf_rule *rule = &s->rule[i].rule;
        const bool by_item = mf_rule_info(rule->kind)->value == MF_VALUE_ITEM;
        if ((kinds >> rule->kind & 1u) != 0 && (!rule->selected || rule->id == subject.id) &&
            (!by_item || rule->value == subject.item) && mf_misbehave_active(s, &s->rule[i])) {
            return &s->rule[i];
        }
    }
    return NULL;
}

bool mf_misbehave_fires(const struct mf_misbehave_link *m, mf_rule_set kinds,
                        struct mf_subject subject)
{
    struct mf_misbehave_rule *r = mf_misbehave_find(m, kinds, subject);
    if (r != NULL) {
        r->fired++;
    }
    return r != NULL;
}

/* ---- to the client */

static bool is_own(const struct mf_misbehave *s, uint8_t sysid, uint8_t compid)
{
    return sysid == s->sysid && compid == s->compid;
}

/* The vehicle's own frame, with another number. */
static void renumber(uint8_t *bytes, const struct mf_frame *frame, uint8_t seq)
{
    const size_t end = (size_t)(frame->payload - frame->raw) + frame->len;
    bytes[frame->version == 1 ? 2 : 4] = seq;
    uint16_t crc = mf_crc16(0xFFFF, bytes + 1, end - 1);
    crc = mf_crc16(crc, &frame->info->crc_extra, 1);
    bytes[end] = (uint8_t)crc;
    bytes[end + 1] = (uint8_t)(crc >> 8);
}

/* @return NULL: nothing is signed */
static const struct mf_signing *signing_of(const struct mf_misbehave *s)
{
    return s->vehicle != NULL && mf_signing_on(s->vehicle->signing) ? s->vehicle->signing : NULL;
}

static uint64_t later_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t after(uint64_t time)
{
    return time < MF_SIGN_TIME_MAX ? time + 1u : MF_SIGN_TIME_MAX;
}

/* Later than all that left before it. A frame in its place may keep its time. */
static struct mf_signature next_signature(struct mf_misbehave_link *m,
                                          const struct mf_signing *signing,
                                          const struct mf_frame *frame, bool in_place)
{
    uint64_t time = after(later_of(m->time, in_place ? 0 : signing->time));
    if (mf_frame_is_signed(frame)) {
        const struct mf_signature own = mf_frame_signature(frame);
        m->link_id = own.link_id;
        time = in_place ? later_of(time, own.time) : time;
    }
    m->time = time;
    return (struct mf_signature){m->link_id, time};
}

/* The vehicle's own frame, with another number and a signature of its own.
 * @param bytes  in, out [MF_FRAME_MAX]: the frame  @return its length */
static size_t sign_anew(struct mf_misbehave_link *m, const struct mf_signing *signing,
                        uint8_t *bytes, const struct mf_frame *frame, uint8_t seq, bool in_place)
{
    const struct mf_signature by = next_signature(m, signing, frame, in_place);
    const bool was = mf_frame_is_signed(frame);
    bytes[2] &= (uint8_t)~MF_INCOMPAT_SIGNED;
    bytes[4] = seq;
    const size_t n = was ? frame->raw_len - MF_SIGNATURE_BYTES : frame->raw_len;
    return mf_frame_sign(bytes, n, frame->info, signing->key, by);
}

/* @param in_place  it leaves when the vehicle sends it */
static int send_numbered(struct mf_misbehave_link *m, const struct mf_frame *frame, uint8_t seq,
                         bool in_place)
{
    uint8_t bytes[MF_FRAME_MAX];
    const struct mf_signing *signing = signing_of(m->all);
    size_t n = frame->raw_len;
    memcpy(bytes, frame->raw, n);
    if (signing != NULL && frame->version == 2) {
        n = sign_anew(m, signing, bytes, frame, seq, in_place);
    } else if (!mf_frame_is_signed(frame)) {
        renumber(bytes, frame, seq);
    }
    const int result = mf_serial_write(&m->inner, bytes, n);
    m->seq = result > 0 ? seq : m->seq;
    return result;
}

/* One that the vehicle has not counted, or that was taken out of its order. */
static void send_extra(struct mf_misbehave_link *m, const uint8_t *bytes, size_t n)
{
    struct mf_frame frame;
    if (mf_frame_read(bytes, n, &frame) &&
        send_numbered(m, &frame, (uint8_t)(m->seq + 1u), false) > 0) {
        m->shift++;
    }
}

void mf_misbehave_send(const struct mf_passing *p, uint32_t msgid, const void *msg)
{
    uint8_t bytes[MF_FRAME_MAX];
    const struct mf_sender from = {p->frame->version, 0, p->m->all->sysid, p->m->all->compid};
    const size_t n = mf_frame_encode(&from, mf_msg_find(msgid), msg, bytes);
    if (n > 0) {
        send_extra(p->m, bytes, n);
    }
}

void mf_misbehave_repeat(const struct mf_passing *p)
{
    send_extra(p->m, p->frame->raw, p->frame->raw_len);
}

bool mf_misbehave_hold(const struct mf_passing *p, mf_us_t due_us)
{
    struct mf_misbehave *s = p->m->all;
    if (s->held_count == MF_MISBEHAVE_HELD_MAX) {
        return false;
    }
    struct mf_misbehave_held *held = &s->held[s->held_count++];
    held->of = p->m;
    held->due_us = due_us;
    held->msgid = p->frame->info->id;
    held->len = p->frame->raw_len;
    memcpy(held->bytes, p->frame->raw, p->frame->raw_len);
    return true;
}

/* What is due leaves, in order of arrival. */
static void let_go(struct mf_misbehave *s)
{
    uint16_t kept = 0;
    for (uint16_t i = 0; i < s->held_count; i++) {
        if (s->held[i].due_us <= s->now_us) {
            send_extra(s->held[i].of, s->held[i].bytes, s->held[i].len);
        } else {
            s->held[kept++] = s->held[i];
        }
    }
    s->held_count = kept;
}

void mf_misbehave_release(const struct mf_passing *p)
{
    struct mf_misbehave *s = p->m->all;
    for (uint16_t i = 0; i < s->held_count; i++) {
        if (s->held[i].of == p->m && s->held[i].msgid == p->frame->info->id) {
            s->held[i].due_us = s->now_us;
        }
    }
    let_go(s);
}

/* @return whether the vehicle's frame leaves */
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

/* What the vehicle does not get, it does not get: too much is lost, as on a line. */
static void put_in(struct mf_misbehave_link *m, const uint8_t *bytes, size_t n)
{
    struct mf_misbehave_work *w = m->work;
    if (w->at == w->len) {
        w->at = 0;
        w->len = 0;
    }
    if (n <= sizeof w->in - w->len) {
        memcpy(w->in + w->len, bytes, n);
        w->len = (uint16_t)(w->len + n);
    }
}

void mf_misbehave_tell(struct mf_misbehave_link *m, const struct mf_sender *client, uint32_t msgid,
                       const void *msg)
{
    uint8_t bytes[MF_FRAME_MAX];
    struct mf_misbehave *s = m->all;
    const struct mf_signing *signing = signing_of(s);
    const struct mf_msg_info *info = mf_msg_find(msgid);
    size_t n = mf_frame_encode(client, info, msg, bytes);
    if (signing != NULL && n > 0 && client->version == 2) {
        s->told = after(later_of(s->told, later_of(signing->time, signing->floor)));
        n = mf_frame_sign(bytes, n, info, signing->key,
                          (struct mf_signature){TOLD_LINK_ID, s->told});
    }
    put_in(m, bytes, n);
}

/* As the vehicle sees it: in mission messages another component is meant, too. */
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

/* @return whether a client's frame arrives */
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
        put_in(m, frame->raw, frame->raw_len);
    }
}

static void on_stray(void *ctx, const uint8_t *bytes, size_t n)
{
    put_in(ctx, bytes, n);
}

static const struct mf_framer_ops k_framer = {on_frame, on_stray};

/* ---- the device */

static bool is_plain(const struct mf_misbehave_link *m)
{
    const struct mf_signing *signing = signing_of(m->all);
    return m->all->rule_count == 0 && !m->working && m->shift == 0 &&
           (signing == NULL || m->time < signing->time); /* of what it has just signed */
}

/* What was begun before there were rules passes as bytes of no frame, in its place. */
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

/* Nothing is looked at but the number, for the day on which there are rules. */
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
    return send_numbered(m, &frame, (uint8_t)(frame.seq + m->shift), true);
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

/* ---- all of them */

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
    while (s->top <= index) { /* those beyond were never looked at */
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

/* What was held back of it. */
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
    let_go(s);
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
