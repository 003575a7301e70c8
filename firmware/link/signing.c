/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures of frames, for peers.c, link.c and signing_setup.c. Source: MAVLink message signing
 * guide; PX4 1.18 for messages that may be unsigned, and for changes of a key. */
#include "firmware/link/signing.h"

#include "firmware/state/link.h"
#include "mavlink/frame.h"

#include <string.h>

/* 2015-01-01 [us since 1970]. */
#define EPOCH_US  (INT64_C(1420070400) * MF_SECOND_US)
#define TIME_UNIT 10 /* [us] */
#define TIME_1_S  UINT64_C(100000)
/* Largest time that a new sender may be behind, as in MAVLink. */
#define LATE_MAX (60 * TIME_1_S)
/* Largest time that a frame may be ahead of the vehicle's clock: more than the difference of two
 * time zones. */
#define LEAD_MAX (24 * 3600 * TIME_1_S)
/* The latest time that a vehicle without a clock believes: August 2059. */
#define UNCLOCKED_MAX (UINT64_C(1) << 47)
/* The store is written ahead, so that it need not be written for every frame: after a loss of power
 * this much of the present is refused, too. */
#define STORE_AHEAD (10 * TIME_1_S)

/* The store's records: the key; a time, and zeros. */
enum { RECORD_KEY, RECORD_TIME, RECORD_COUNT };
_Static_assert(MF_SIGN_KEY_BYTES == 32, "a key fills a record of the store");

/* Messages that may be unsigned in every mode, as in PX4: their senders cannot sign. */
static const uint32_t k_unsigned[] = {MF_MSG_HEARTBEAT, MF_MSG_RADIO_STATUS, MF_MSG_ADSB_VEHICLE,
                                      MF_MSG_COLLISION};

static bool is_zero(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

/* ---- the store */

/* Both records change with one commit: a key with the time of another one would take its old
 * frames. */
static int store(const struct mf_hal *hal, const uint8_t *key, uint64_t time)
{
    /* what cannot be loaded again is not stored */
    MF_ASSERT(time <= MF_SIGN_TIME_MAX);
    uint8_t record[MF_SIGN_KEY_BYTES] = {0};
    for (size_t i = 0; i < sizeof time; i++) {
        record[i] = (uint8_t)(time >> 8 * i);
    }
    int err = mf_store_put(hal, MF_STORE_SIGNING, RECORD_KEY, key);
    if (err == MF_E_OK) {
        err = mf_store_put(hal, MF_STORE_SIGNING, RECORD_TIME, record);
    }
    return err == MF_E_OK ? mf_store_commit(hal, MF_STORE_SIGNING, RECORD_COUNT, 0) : err;
}

/* @param key  out [MF_SIGN_KEY_BYTES] @return whether there is one */
static bool load(const struct mf_hal *hal, uint8_t *key, uint64_t *time)
{
    struct mf_store_info info;
    uint8_t record[MF_SIGN_KEY_BYTES];
    if (mf_store_info(hal, MF_STORE_SIGNING, &info) != MF_E_OK || info.count != RECORD_COUNT ||
        mf_store_get(hal, MF_STORE_SIGNING, RECORD_KEY, key) != MF_E_OK ||
        mf_store_get(hal, MF_STORE_SIGNING, RECORD_TIME, record) != MF_E_OK) {
        return false;
    }
    *time = 0;
    for (size_t i = 0; i < sizeof *time; i++) {
        *time |= (uint64_t)record[i] << 8 * i;
    }
    return *time <= MF_SIGN_TIME_MAX && !is_zero(key, MF_SIGN_KEY_BYTES);
}

int mf_signing_provision(const struct mf_hal *hal, const uint8_t *key)
{
    uint8_t stored[MF_SIGN_KEY_BYTES];
    uint64_t time;
    MF_ASSERT(hal != NULL && key != NULL);
    const bool found = load(hal, stored, &time);
    if (found && memcmp(stored, key, sizeof stored) == 0) {
        return MF_E_OK;
    }
    return store(hal, key, found ? time : 0);
}

static void store_until(struct mf_signing *s, uint64_t time)
{
    struct mf_store_info info;
    s->stored = time = time < MF_SIGN_TIME_MAX ? time : MF_SIGN_TIME_MAX;
    MF_ASSERT(s->stored <= MF_SIGN_TIME_MAX);
    const bool medium =
        mf_store_info(s->hal, MF_STORE_SIGNING, &info) == MF_E_OK && info.capacity >= RECORD_COUNT;
    if (medium && store(s->hal, s->key, time) != MF_E_OK) {
        mf_log_event(s->hal, s->now->vehicle_us, MF_ERROR, "signing", "the key was not stored");
    }
}

/* ---- times */

/* UTC as far as the board knows it; 0: it does not. From transport time: vehicle time may be
 * held. */
static uint64_t utc_time(const struct mf_signing *s)
{
    const int64_t utc_us = s->boot_utc_us + s->now->transport_us;
    return utc_us > EPOCH_US ? (uint64_t)(utc_us - EPOCH_US) / TIME_UNIT : 0;
}

/* True if a frame's time is too late. One such frame would make all others late forever, since the
 * time is stored. */
static bool is_ahead(const struct mf_signing *s, uint64_t time)
{
    const uint64_t utc = utc_time(s);
    return time > (utc > 0 ? utc + LEAD_MAX : UNCLOCKED_MAX);
}

/* The clock of signatures: UTC, and never back. */
static uint64_t clock_time(const struct mf_signing *s)
{
    const uint64_t utc = utc_time(s);
    return utc > s->time ? utc : s->time;
}

void mf_signing_init(struct mf_signing *s, const struct mf_hal *hal, const struct mf_now *now,
                     int64_t boot_utc_us)
{
    uint8_t key[MF_SIGN_KEY_BYTES];
    uint64_t time;
    MF_ASSERT(hal != NULL && now != NULL && boot_utc_us >= 0);
    if (s == NULL) {
        return;
    }
    *s = (struct mf_signing){.hal = hal, .now = now, .boot_utc_us = boot_utc_us};
    if (!load(hal, key, &time)) {
        return;
    }
    memcpy(s->key, key, sizeof key);
    s->has_key = true;
    mf_log_event(hal, now->vehicle_us, MF_INFO, "signing", "on: the key was stored");
    if (is_ahead(s, time > STORE_AHEAD ? time - STORE_AHEAD : 0)) {
        time = utc_time(s);
        mf_log_event(hal, now->vehicle_us, MF_WARNING, "signing",
                     "the stored time was too far ahead and is dropped");
    }
    s->time = s->floor = s->stored = time;
}

/* The stream of a signature is (system, component, link): each counts its own times. */
static int find_sender(const struct mf_signing *s, const struct mf_frame *frame, uint8_t link_id)
{
    MF_ASSERT(s->count <= MF_SIGN_SENDERS_MAX);
    for (int i = 0; i < s->count; i++) {
        if (s->sender[i].sysid == frame->sysid && s->sender[i].compid == frame->compid &&
            s->sender[i].link_id == link_id) {
            return i;
        }
    }
    return MF_E_NOENT;
}

/* Find a place in the list. The sender that was silent longest is removed: from then on, frames as
 * old as its last one are refused from all senders outside of the list, so that its frames cannot
 * be sent again. */
static int add_sender(struct mf_signing *s)
{
    MF_ASSERT(s->count <= MF_SIGN_SENDERS_MAX);
    if (s->count < MF_SIGN_SENDERS_MAX) {
        return s->count++;
    }
    int oldest = 0;
    for (int i = 1; i < s->count; i++) {
        oldest = s->last[i] < s->last[oldest] ? i : oldest;
    }
    s->floor = s->last[oldest] > s->floor ? s->last[oldest] : s->floor;
    MF_ASSERT(s->floor <= s->time); /* both are times of frames that were accepted */
    if (!s->full) {
        s->full = true;
        mf_log_event(s->hal, s->now->vehicle_us, MF_NOTICE, "signing",
                     "more senders than are kept");
    }
    return oldest;
}

/* Later than all before it of the same sender; of a new one, recent. Without a clock "recent" is
 * measured by the newest signature that was seen. */
static bool is_fresh(const struct mf_signing *s, int sender, uint64_t time)
{
    if (sender >= 0) {
        return time > s->last[sender];
    }
    const uint64_t utc = utc_time(s);
    return time > s->floor && time + LATE_MAX >= (utc > 0 ? utc : s->time);
}

static void accept(struct mf_signing *s, const struct mf_frame *frame, int sender,
                   struct mf_signature by)
{
    MF_ASSERT(s->has_key && sender < s->count && by.time <= MF_SIGN_TIME_MAX);
    if (sender < 0) {
        sender = add_sender(s);
        s->sender[sender].sysid = frame->sysid;
        s->sender[sender].compid = frame->compid;
        s->sender[sender].link_id = by.link_id;
    }
    MF_ASSERT(sender >= 0 && sender < s->count);
    s->last[sender] = by.time;
    s->time = by.time > s->time ? by.time : s->time;
    if (by.time > s->stored) {
        store_until(s, by.time + STORE_AHEAD);
    }
}

/* ---- what arrives */

static bool may_be_unsigned(const struct mf_signing *s, int32_t mode, bool usb,
                            const struct mf_frame *frame)
{
    if (mode == MF_SIGN_OPTIONAL) {
        return true;
    }
    for (size_t i = 0; frame->info != NULL && i < sizeof k_unsigned / sizeof k_unsigned[0]; i++) {
        if (frame->info->id == k_unsigned[i]) {
            return true;
        }
    }
    if (!mf_signing_on(s)) { /* otherwise the vehicle could never get a key */
        return usb || (frame->info != NULL && frame->info->id == MF_MSG_SETUP_SIGNING);
    }
    return mode == MF_SIGN_NON_USB && usb;
}

bool mf_signing_admits(const struct mf_signing *s, int32_t mode, bool usb,
                       const struct mf_frame *frame)
{
    if (!mf_frame_is_signed(frame) || !mf_signing_on(s)) {
        return may_be_unsigned(s, mode, usb, frame);
    }
    const struct mf_signature by = mf_frame_signature(frame);
    return mf_frame_signed_with(frame, s->key) && !is_ahead(s, by.time) &&
           is_fresh(s, find_sender(s, frame, by.link_id), by.time);
}

static bool refuse(uint32_t *counter)
{
    (*counter)++;
    return false;
}

/* The order matters: what the key did not sign must not move any time, and what is ahead of the
 * clock must not become the time that others are measured by. */
bool mf_signing_admit(struct mf_signing *s, int32_t mode, struct mf_link *link,
                      const struct mf_frame *frame)
{
    MF_ASSERT(link->open && frame->raw_len <= MF_FRAME_MAX);
    if (!mf_frame_is_signed(frame) || !mf_signing_on(s)) {
        return may_be_unsigned(s, mode, link->serial.usb, frame) ||
               refuse(&link->stats.rx_unsigned);
    }
    if (!mf_frame_signed_with(frame, s->key)) {
        return refuse(&link->stats.rx_bad_signature);
    }
    const struct mf_signature by = mf_frame_signature(frame);
    if (is_ahead(s, by.time)) {
        s->ahead = true;
        return refuse(&link->stats.rx_ahead);
    }
    const int sender = find_sender(s, frame, by.link_id);
    if (!is_fresh(s, sender, by.time)) {
        return refuse(&link->stats.rx_replayed);
    }
    accept(s, frame, sender, by);
    return true;
}

/* ---- what leaves */

size_t mf_signing_sign(struct mf_signing *s, uint8_t link_id, uint8_t *frame, size_t n,
                       const struct mf_msg_info *info)
{
    MF_ASSERT(info != NULL && n <= MF_FRAME_MAX);
    if (!mf_signing_on(s) || frame[0] != MF_STX_V2) {
        return n;
    }
    /* two frames of the same 10 us still differ: a receiver refuses equal times */
    const uint64_t time = clock_time(s);
    s->time = time > s->time ? time : s->time + 1;
    s->time = s->time <= MF_SIGN_TIME_MAX ? s->time : MF_SIGN_TIME_MAX;
    const struct mf_signature by = {link_id, s->time};
    return mf_frame_sign(frame, n, info, s->key, by);
}

/* Nothing as old as this may be accepted once the senders are forgotten. */
static uint64_t last_accepted(const struct mf_signing *s)
{
    uint64_t last = s->floor;
    for (int i = 0; i < s->count; i++) {
        last = s->last[i] > last ? s->last[i] : last;
    }
    return last;
}

void mf_signing_save(struct mf_signing *s)
{
    if (mf_signing_on(s) && s->stored != last_accepted(s)) {
        store_until(s, last_accepted(s));
    }
}

/* ---- the key */

bool mf_signing_has(const struct mf_signing *s, const uint8_t *key)
{
    return mf_signing_on(s) && memcmp(s->key, key, sizeof s->key) == 0;
}

/* The old key's senders are forgotten, and with them their times; the floor rises to the newest, so
 * that a key which comes back later lets no old frame in. */
void mf_signing_take_key(struct mf_signing *s, const struct mf_msg_setup_signing *m)
{
    MF_ASSERT(s != NULL && m != NULL);
    s->floor = last_accepted(s);
    s->count = 0;
    memcpy(s->key, m->secret_key, sizeof s->key);
    s->has_key = !is_zero(s->key, sizeof s->key);
    s->time = is_ahead(s, m->initial_timestamp) ? 0 : m->initial_timestamp;
    s->time = s->time > s->floor ? s->time : s->floor;
    /* signatures never go back */
    MF_ASSERT(s->time >= s->floor);
    store_until(s, s->floor);
}
