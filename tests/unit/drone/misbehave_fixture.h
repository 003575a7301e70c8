/* SPDX-License-Identifier: Apache-2.0 */
/** A vehicle behind protocol misbehaviour, and its client 245/190: what it says goes in as bytes,
 * what it hears came out as bytes, without a gap in its numbers and, where links are signed, as a
 * client that checks signatures takes it. Streams are off, but for HEARTBEAT. */
#ifndef MF_TESTS_MISBEHAVE_FIXTURE_H
#define MF_TESTS_MISBEHAVE_FIXTURE_H

#include "drone/misbehave.h"
#include "host/spec/misbehavespec.h"
#include "mavlink/enums.h"
#include "tests/unit/support/firmware.h"
#include "tests/unit/support/mock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct mf_mock mock;
static struct mf_vehicle v;
static struct mf_signing signing;
static struct mf_link links[2];
static struct mf_misbehave misbehave;
static struct mf_misbehave_link wraps[2];
static struct mf_misbehave_work work[2];

/* 2026-01-01, and in units of signatures: 4018 days after 2015-01-01. */
#define BOOT_UTC_US INT64_C(1767225600000000)
#define BOOT_TIME   UINT64_C(34715520000000)

/* Signed links: both sides know the key, and nobody takes what is not signed. */
static bool with_key;
static uint8_t key[MF_SIGN_KEY_BYTES];
static uint64_t said_time; /* of the client's last signature */

/* The client's end of a port. */
static struct ear {
    struct mf_serial wire;
    bool heard;
    uint8_t seq;
    uint64_t time;
} ears[2];

static inline int ear_write(void *ctx, const uint8_t *bytes, size_t n)
{
    struct ear *e = ctx;
    struct mf_parser parser = {.len = 0};
    struct mf_frame frame;
    assert_int_equal(mf_parser_feed(&parser, bytes, n), n);
    assert_true(mf_parser_next(&parser, &frame) && frame.raw_len == n && frame.sysid == 1);
    assert_true(!e->heard || frame.seq == (uint8_t)(e->seq + 1));
    assert_int_equal(mf_frame_is_signed(&frame), with_key);
    if (with_key) {
        const struct mf_signature by = mf_frame_signature(&frame);
        assert_true(mf_frame_signed_with(&frame, key));
        assert_true(by.time > e->time && by.time >= BOOT_TIME);
        assert_int_equal(by.link_id, e - ears);
        e->time = by.time;
    }
    e->heard = true;
    e->seq = frame.seq;
    return mf_serial_write(&e->wire, bytes, n);
}

static inline int ear_read(void *ctx, uint8_t *bytes, size_t cap)
{
    return mf_serial_read(&((struct ear *)ctx)->wire, bytes, cap);
}

static inline size_t ear_room(void *ctx)
{
    return mf_serial_room(&((struct ear *)ctx)->wire);
}

static const struct mf_serial_ops k_ear = {ear_write, ear_read, ear_room};

static inline void open_port(int port)
{
    static int32_t off[MF_STREAM_COUNT];
    ears[port] = (struct ear){.wire = mf_mock_serial(&mock, port)};
    struct mf_serial wire = ears[port].wire;
    wire.ops = &k_ear;
    wire.ctx = &ears[port];
    const struct mf_serial serial = mf_misbehave_open(&misbehave, (uint16_t)port, &wire);
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        off[i] = MF_STREAM_OFF;
    }
    assert_int_equal(mf_link_open(&v, &serial, "test", off), port);
}

/* One turn of a board's loop. */
static inline void turn(void)
{
    mf_misbehave_run(&misbehave, mock.now.transport_us);
    (void)mf_vehicle_step(&v);
    if (mf_misbehave_due(&misbehave) <= mock.now.transport_us) {
        (void)mf_vehicle_step(&v);
    }
}

static inline void later(mf_us_t by_us)
{
    mf_mock_advance(&mock, by_us);
    turn();
}

static inline int setup(void **state)
{
    (void)state;
    mf_mock_init(&mock);
    static struct mf_ftp s_ftp;
    const struct mf_setup s = {.hal = mf_mock_hal(&mock),
                               .ftp = &s_ftp,
                               .links = links,
                               .signing = &signing,
                               .link_count = 2,
                               .sysid = 1,
                               .compid = 1,
                               .utc_us = BOOT_UTC_US};
    said_time = BOOT_TIME;
    memset(key, 0x5A, sizeof key);
    if (with_key) {
        assert_int_equal(mf_signing_provision(&s.hal, key), MF_E_OK);
    }
    memset(wraps, 0, sizeof wraps);
    memset(work, 0xA5, sizeof work); /* nobody has touched it */
    mf_misbehave_init(&misbehave, wraps, work, 2, 1, 1, &v.now.vehicle_us);
    misbehave.vehicle = &v;
    assert_int_equal(mf_vehicle_init(&v, &s), MF_E_OK);
    if (with_key) {
        assert_int_equal(mf_param_override(&v, "MAV_SIGN_CFG", MF_SIGN_ALWAYS), MF_E_OK);
    }
    mock.port[1].peer.sysid = 250;
    open_port(0);
    open_port(1);
    turn();
    mf_mock_clear(&mock, 0);
    mf_mock_clear(&mock, 1);
    return 0;
}

/* @return its id */
static inline uint32_t add(const char *spec)
{
    struct mf_rule rule;
    char reason[MF_RULE_REASON_MAX] = "";
    if (mf_rule_spec_parse(spec, strlen(spec), &rule, reason) != MF_E_OK) {
        fail_msg("%s: %s", spec, reason);
    }
    const int id = mf_misbehave_add(&misbehave, &rule);
    assert_true(id > 0);
    return (uint32_t)id;
}

static inline uint32_t fired(void)
{
    assert_int_equal(misbehave.rule_count, 1);
    return misbehave.rule[0].fired;
}

/* @param time  of the signature, where links are signed */
static inline void feed_signed(uint32_t msgid, const void *msg, uint64_t time)
{
    uint8_t frame[MF_FRAME_MAX];
    const struct mf_msg_info *info = mf_msg_find(msgid);
    size_t n = mf_frame_encode(&mock.port[0].peer, info, msg, frame);
    n = mf_frame_sign(frame, n, info, key, (struct mf_signature){3, time});
    mock.port[0].peer.seq++;
    mf_mock_feed(&mock, 0, frame, n);
}

static inline void say(uint32_t msgid, const void *msg)
{
    if (with_key) {
        feed_signed(msgid, msg, ++said_time);
    } else {
        mf_mock_feed_msg(&mock, 0, msgid, msg);
    }
    turn();
}

static inline size_t count(uint32_t msgid)
{
    return mf_mock_count(&mock, 0, msgid);
}

static inline void command(uint16_t number, float param1)
{
    const struct mf_msg_command_long m = {
        .command = number, .param1 = param1, .target_system = 1, .target_component = 1};
    say(MF_MSG_COMMAND_LONG, &m);
}

/* The result of the only answer to a command. */
static inline uint8_t answer(uint16_t number)
{
    struct mf_msg_command_ack ack;
    assert_int_equal(count(MF_MSG_COMMAND_ACK), 1);
    assert_true(mf_mock_take(&mock, 0, MF_MSG_COMMAND_ACK, &ack));
    assert_int_equal(ack.command, number);
    assert_int_equal(ack.target_system, 245);
    assert_int_equal(ack.target_component, 190);
    assert_int_equal(ack.progress, ack.result == MAV_RESULT_IN_PROGRESS ? 255 : 0); /* unknown */
    return ack.result;
}

static inline void no_answer(void)
{
    assert_int_equal(count(MF_MSG_COMMAND_ACK), 0);
}

#endif
