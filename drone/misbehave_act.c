/* SPDX-License-Identifier: Apache-2.0 */
/* Rules and frames of a connection: choice of the rule that fires, and sending, repeating, holding
 * back of frames, or putting them into the vehicle's input. Called by the hooks of
 * drone/misbehave_command, misbehave_mission and misbehave_param. */
#include "drone/misbehave_hook.h"
#include "firmware/link/signing.h"
#include "firmware/state/vehicle.h"

#include <string.h>

/* Link id of signatures that this file makes in clients' names. */
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

/* Change the sequence number of the vehicle's own frame. */
static void renumber(uint8_t *bytes, const struct mf_frame *frame, uint8_t seq)
{
    const size_t end = (size_t)(frame->payload - frame->raw) + frame->len;
    bytes[frame->version == 1 ? 2 : 4] = seq;
    uint16_t crc = mf_crc16(0xFFFF, bytes + 1, end - 1);
    crc = mf_crc16(crc, &frame->info->crc_extra, 1);
    bytes[end] = (uint8_t)crc;
    bytes[end + 1] = (uint8_t)(crc >> 8);
}

const struct mf_signing *mf_misbehave_signing(const struct mf_misbehave *s)
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

/* Choose a signature later than all that left before. A frame in its place may keep its time. */
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

/* Renumber the vehicle's own frame, and sign it again.
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

int mf_misbehave_send_as(struct mf_misbehave_link *m, const struct mf_frame *frame, uint8_t seq,
                         bool in_place)
{
    uint8_t bytes[MF_FRAME_MAX];
    const struct mf_signing *signing = mf_misbehave_signing(m->all);
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

/* Send a frame that the vehicle has not numbered, or that has left its order. */
static void send_extra(struct mf_misbehave_link *m, const uint8_t *bytes, size_t n)
{
    struct mf_frame frame;
    if (mf_frame_read(bytes, n, &frame) &&
        mf_misbehave_send_as(m, &frame, (uint8_t)(m->seq + 1u), false) > 0) {
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

void mf_misbehave_send_due(struct mf_misbehave *s)
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
    mf_misbehave_send_due(s);
}

/* ---- to the vehicle */

void mf_misbehave_put(struct mf_misbehave_link *m, const uint8_t *bytes, size_t n)
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
    const struct mf_signing *signing = mf_misbehave_signing(s);
    const struct mf_msg_info *info = mf_msg_find(msgid);
    size_t n = mf_frame_encode(client, info, msg, bytes);
    if (signing != NULL && n > 0 && client->version == 2) {
        s->told = after(later_of(s->told, later_of(signing->time, signing->floor)));
        n = mf_frame_sign(bytes, n, info, signing->key,
                          (struct mf_signature){TOLD_LINK_ID, s->told});
    }
    mf_misbehave_put(m, bytes, n);
}
