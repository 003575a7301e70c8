/* SPDX-License-Identifier: Apache-2.0 */
/* Uploads are driven by the vehicle, downloads by the client; so only an upload has requests that
 * go out again. Both end by silence.
 *
 * A transfer that is over leaves what it was (partner, type, counts) in place:
 * mf_transfer_was_last() needs some of it, and the state alone says what counts. */
#include "firmware/protocol/transfer.h"

#include "firmware/link/link.h"
#include "mavlink/enums.h"

/* MAVLink recommends to repeat an item's request after 250 ms; PX4 gives its partner up after
 * 5 s. */
#define RETRY_US   (250 * MF_MS_US)
#define SILENCE_US (5 * MF_SECOND_US)
/* Number of unanswered repetitions after which the partner may support MISSION_REQUEST only:
 * DroneKit ignores MISSION_REQUEST_INT without an answer. */
#define INT_RETRIES_MAX 2u

bool mf_transfer_is_partner(const struct mf_transfer *t, struct mf_client from)
{
    return t->state != MF_TRANSFER_IDLE && mf_client_is(t->partner, from);
}

bool mf_transfer_is_busy(const struct mf_transfer *t)
{
    MF_ASSERT(t->next <= t->count);
    return t->state == MF_TRANSFER_RECEIVE || (t->state == MF_TRANSFER_SEND && t->next < t->count);
}

/* Begin a transfer in either direction. The partner of the transfer before gets no message: it was
 * not busy, or it is the same one, which starts again. */
static void begin(struct mf_transfer *t, struct mf_client from, uint8_t type, uint16_t count,
                  mf_us_t now_us)
{
    MF_ASSERT(type <= MAV_MISSION_TYPE_RALLY && now_us >= 0);
    t->type = type;
    t->partner = from;
    t->count = count;
    t->next = 0;
    t->retries = 0;
    t->use_float = false;
    t->current = -1;
    t->tag = 0;
    t->part = (struct mf_fence_part){0};
    t->heard_us = now_us;
    t->retry_us = MF_NEVER;
}

void mf_transfer_receive(struct mf_transfer *t, struct mf_client from, uint8_t type, uint16_t count,
                         mf_us_t now_us)
{
    MF_ASSERT(count > 0);
    begin(t, from, type, count, now_us);
    t->state = MF_TRANSFER_RECEIVE;
}

void mf_transfer_send(struct mf_transfer *t, struct mf_client from, uint8_t type, uint16_t count,
                      mf_us_t now_us)
{
    begin(t, from, type, count, now_us);
    t->state = MF_TRANSFER_SEND;
}

void mf_transfer_end(struct mf_transfer *t)
{
    t->state = MF_TRANSFER_IDLE;
}

void mf_transfer_forget(struct mf_transfer *t)
{
    t->state = MF_TRANSFER_IDLE;
    t->last_valid = false;
}

void mf_transfer_heard(struct mf_transfer *t, mf_us_t now_us)
{
    MF_ASSERT(t->state != MF_TRANSFER_IDLE && now_us >= t->heard_us);
    t->heard_us = now_us;
}

void mf_transfer_heard_item(struct mf_transfer *t, bool is_float, mf_us_t now_us)
{
    MF_ASSERT(t->state == MF_TRANSFER_RECEIVE);
    mf_transfer_heard(t, now_us);
    t->use_float = is_float;
}

void mf_transfer_asked(struct mf_transfer *t, mf_us_t now_us)
{
    MF_ASSERT(t->state == MF_TRANSFER_RECEIVE && t->next < t->count);
    t->retry_us = now_us + RETRY_US;
}

bool mf_transfer_kept(struct mf_transfer *t, uint32_t tag, bool current)
{
    MF_ASSERT(t->state == MF_TRANSFER_RECEIVE && t->next < t->count);
    t->tag = tag;
    t->current = current ? t->next : t->current;
    t->next++;
    return t->next == t->count;
}

void mf_transfer_sent(struct mf_transfer *t, uint16_t seq)
{
    MF_ASSERT(t->state == MF_TRANSFER_SEND && seq < t->count && seq <= t->next);
    t->next = (uint16_t)(seq + 1u);
}

/* The state alone ends the transfer; everything else of it stays for mf_transfer_was_last(). */
void mf_transfer_finish(struct mf_transfer *t)
{
    MF_ASSERT(t->state == MF_TRANSFER_RECEIVE && t->next == t->count && t->current < t->count);
    t->last_valid = true;
    t->last_sysid = t->partner.sysid;
    t->last_compid = t->partner.compid;
    t->last_type = t->type;
    t->last_count = t->count;
    t->last_tag = t->tag;
    t->state = MF_TRANSFER_IDLE;
}

/* The link does not count: a client that lost its connection comes back on another one and sends it
 * again. */
bool mf_transfer_was_last(const struct mf_transfer *t, struct mf_client from, uint8_t type,
                          uint16_t seq)
{
    return t->last_valid && from.sysid == t->last_sysid && from.compid == t->last_compid &&
           type == t->last_type && seq + 1 == t->last_count;
}

/* Time-outs go on from the partner's last item, whatever it says of our requests. */
void mf_transfer_change_kind(struct mf_transfer *t)
{
    MF_ASSERT(t->state == MF_TRANSFER_RECEIVE);
    t->use_float = !t->use_float;
    t->retries = 0;
}

/* Once an item has come the partner has shown which kind it knows. */
static void count_unanswered(struct mf_transfer *t)
{
    MF_ASSERT(t->retries <= INT_RETRIES_MAX + 1u);
    if (t->next > 0) {
        return;
    }
    if (t->retries <= INT_RETRIES_MAX) {
        t->retries++;
    }
    t->use_float = t->use_float || t->retries > INT_RETRIES_MAX;
}

/* Decide what is due. Silence comes first: a partner that is gone must not get another request. */
enum mf_transfer_turn mf_transfer_turn(struct mf_transfer *t, mf_us_t now_us)
{
    if (t->state == MF_TRANSFER_IDLE) {
        return MF_TRANSFER_WAIT;
    }
    MF_ASSERT(now_us >= t->heard_us);
    if (now_us - t->heard_us >= SILENCE_US) {
        t->state = MF_TRANSFER_IDLE;
        return MF_TRANSFER_SILENT;
    }
    if (now_us < t->retry_us) { /* of a download: always */
        return MF_TRANSFER_WAIT;
    }
    count_unanswered(t);
    return MF_TRANSFER_REPEAT;
}

mf_us_t mf_transfer_due_us(const struct mf_transfer *t)
{
    return t->state == MF_TRANSFER_IDLE ? MF_NEVER
                                        : mf_earlier(t->retry_us, t->heard_us + SILENCE_US);
}
