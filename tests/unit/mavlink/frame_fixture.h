/* SPDX-License-Identifier: Apache-2.0 */
/** Frames in hex, none of them made by our encoder, and a parser whose finds are kept. */
#ifndef MF_TESTS_FRAME_FIXTURE_H
#define MF_TESTS_FRAME_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "mavlink/frame.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Signed with the key 00 01 .. 1f on link 1 at time 1000. */
#define HEARTBEAT_SIGNED "fd09010009ffbe0000000000000006080004030e6e01e803000000005dd60a838efd"
#define HEARTBEAT        "fd09000000010100000000000403020c1d03032dc7"
#define HEARTBEAT_V1     "fe0907ffbe00000000000608000403ce51"
#define COMMAND_ACK      "fd0a00000501014d00009001000000000000f5be2370"
#define MISSION_COUNT    "fd04000008f5be2c0000020001018eca"
#define ARM \
    "fd20000001f5be4c00000000803f00000000000000000000000000000000000000000000000090010101e427"
/* FILE_TRANSFER_PROTOCOL that carries HEARTBEAT. */
#define CARRIER "fd24000009f5be6e0000000101000000000000000000000000" HEARTBEAT "352d"
/* Messages that the table does not have: RAW_IMU in version 1, WINCH_STATUS in version 2. */
#define UNKNOWN_V1 "fe1a0401011b0100000000000000020003000400050006000700080009000a00037c"
#define UNKNOWN_V2 \
    "fd2100000001012d230001000000000000000000004000004040000080400000a0400000c0400800000007df51"

struct bytes {
    uint8_t at[4096];
    size_t n;
};

static inline int nibble(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

static inline void append(struct bytes *to, const void *from, size_t n)
{
    assert_true(to->n + n <= sizeof to->at);
    memcpy(to->at + to->n, from, n);
    to->n += n;
}

static inline void append_hex(struct bytes *to, const char *hex)
{
    for (; *hex != '\0'; hex += 2) {
        const uint8_t byte = (uint8_t)(nibble(hex[0]) << 4 | nibble(hex[1]));
        append(to, &byte, 1);
    }
}

static inline struct bytes from_hex(const char *hex)
{
    struct bytes bytes = {.n = 0};
    append_hex(&bytes, hex);
    return bytes;
}

/* A parser, and all that it has found. */
struct run {
    struct mf_parser parser;
    struct bytes found; /* the raw frames, one after the other */
    struct mf_frame last;
    size_t frames;
};

static inline void take_frames(struct run *run)
{
    struct mf_frame frame;
    while (mf_parser_next(&run->parser, &frame)) {
        assert_true(frame.raw >= run->parser.buf);
        assert_true(frame.raw + frame.raw_len <= run->parser.buf + sizeof run->parser.buf);
        append(&run->found, frame.raw, frame.raw_len);
        run->last = frame;
        run->frames++;
    }
}

static inline void feed(struct run *run, const uint8_t *bytes, size_t n)
{
    for (size_t done = 0; done < n;) {
        const size_t taken = mf_parser_feed(&run->parser, bytes + done, n - done);
        assert_in_range(taken, 1, n - done);
        done += taken;
        take_frames(run);
    }
}

static inline void feed_hex(struct run *run, const char *hex)
{
    const struct bytes bytes = from_hex(hex);
    feed(run, bytes.at, bytes.n);
}

static inline void flush(struct run *run)
{
    while (mf_parser_pending(&run->parser)) {
        mf_parser_flush(&run->parser);
        take_frames(run);
    }
}

static inline void expect_found(const struct run *run, const char *hex)
{
    const struct bytes expected = from_hex(hex);
    assert_int_equal(run->found.n, expected.n);
    assert_memory_equal(run->found.at, expected.at, expected.n);
}

static inline void expect_stats(const struct run *run, size_t frames,
                                struct mf_parser_stats expected)
{
    assert_int_equal(run->frames, frames);
    assert_int_equal(run->parser.stats.unknown, expected.unknown);
    assert_int_equal(run->parser.stats.bad_crc, expected.bad_crc);
    assert_int_equal(run->parser.stats.bad_flags, expected.bad_flags);
    assert_int_equal(run->parser.stats.skipped, expected.skipped);
}

/* HEARTBEAT with all the 246 bytes that its payload may ever gain: 9 of ours, then 1, 2,
 * ... 246. */
static inline struct bytes longest_heartbeat(void)
{
    struct bytes bytes = from_hex("fdff000005010100000000000403020c1d0303");
    for (int i = 1; i <= 246; i++) {
        bytes.at[bytes.n++] = (uint8_t)i;
    }
    append_hex(&bytes, "74f6");
    return bytes;
}

#endif
