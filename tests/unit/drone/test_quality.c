/* SPDX-License-Identifier: Apache-2.0 */
/* drone/quality.h. What is lost is reckoned here a second time, from SplitMix64's definition. */
#include "drone/quality.h"
#include "host/spec/qualityspec.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SEED     UINT64_C(7)
#define INSTANCE UINT64_C(0x4D41594600000001)
#define FRAMES   2000u
#define BYTES    (FRAMES * 64u)

/* Both ends of a device. */
struct wire {
    uint8_t in[BYTES], out[BYTES];
    size_t in_len, in_read, out_len;
    size_t room;    /* of its queue */
    size_t stop[8]; /* where datagrams end */
    bool gone;
};

static struct wire s_wire;
static struct mf_quality s_quality;
static struct mf_quality_link s_wraps[3];
static struct mf_quality_chunk s_chunk[200];
static const struct mf_quality_memory k_memory = {s_wraps, 3, s_chunk, 200};
static mf_us_t s_now_us;

static int wire_write(void *ctx, const uint8_t *bytes, size_t n)
{
    struct wire *w = ctx;
    if (n > w->room) {
        return 0;
    }
    assert_true(w->out_len + n <= sizeof w->out);
    memcpy(w->out + w->out_len, bytes, n);
    w->out_len += n;
    return (int)n;
}

static int wire_read(void *ctx, uint8_t *bytes, size_t cap)
{
    struct wire *w = ctx;
    if (w->gone) {
        return MF_E_IO;
    }
    size_t end = w->in_len;
    for (size_t i = 0; i < sizeof w->stop / sizeof w->stop[0]; i++) {
        end = w->stop[i] > w->in_read && w->stop[i] < end ? w->stop[i] : end;
    }
    const size_t left = end - w->in_read;
    const size_t n = left < cap ? left : cap;
    memcpy(bytes, w->in + w->in_read, n);
    w->in_read += n;
    return (int)n;
}

static size_t wire_room(void *ctx)
{
    return ((const struct wire *)ctx)->room;
}

static const struct mf_serial_ops k_wire = {wire_write, wire_read, wire_room};

/* ---- the generator again, from its definition */

static uint64_t split(uint64_t state, uint64_t n)
{
    uint64_t z = state + UINT64_C(0x9e3779b97f4a7c15) * n + UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static double draw(uint64_t link, uint64_t way, uint64_t number, uint64_t what)
{
    const uint64_t peer = split(split(SEED, INSTANCE), UINT64_C(0x4c494e4b) << 32 | link << 16);
    return (double)(split(split(peer, way), number * 16 + what) >> 11) / 9007199254740992.0;
}

/* ---- a shaped link */

static int start(void **state)
{
    (void)state;
    memset(&s_wire, 0, sizeof s_wire);
    memset(s_wraps, 0, sizeof s_wraps);
    s_wire.room = SIZE_MAX;
    s_now_us = 1000000;
    mf_quality_init(&s_quality, &k_memory, SEED, INSTANCE, s_now_us);
    return 0;
}

static struct mf_serial open_as(const char *spec, uint16_t index, uint16_t link, bool datagram)
{
    struct mf_link_quality quality;
    char reason[MF_LINK_REASON_MAX];
    const struct mf_serial wire = {.ops = &k_wire, .ctx = &s_wire, .datagram = datagram};
    assert_int_equal(mf_link_spec_parse(spec, &quality, reason), MF_E_OK);
    return mf_quality_open(&s_quality, index, &quality, link, &wire);
}

static struct mf_serial open_link(const char *spec)
{
    return open_as(spec, 0, 4, false);
}

static const struct mf_quality_stats *stats(enum mf_link_way way)
{
    return &s_wraps[0].line[way].stats;
}

/* A SYSTEM_TIME that carries a number. @return its length */
static size_t numbered(uint32_t number, uint8_t *frame)
{
    const struct mf_sender from = {2, (uint8_t)number, 1, 1};
    const struct mf_msg_system_time msg = {.time_unix_usec = UINT64_C(1) << 60,
                                           .time_boot_ms = number + (UINT32_C(1) << 30)};
    return mf_frame_encode(&from, mf_msg_find(2), &msg, frame);
}

static size_t s_found[FRAMES];

/* Numbers of the good frames in some bytes. @return how many, and what else there was */
static size_t find(const uint8_t *bytes, size_t n, struct mf_parser_stats *rest)
{
    struct mf_parser parser;
    struct mf_frame frame;
    size_t count = 0;
    memset(&parser, 0, sizeof parser);
    for (size_t at = 0; at < n;) {
        at += mf_parser_feed(&parser, bytes + at, n - at);
        while (mf_parser_next(&parser, &frame)) {
            struct mf_msg_system_time msg;
            mf_msg_unpack(frame.info, frame.payload, frame.len, &msg);
            assert_true(count < FRAMES);
            s_found[count++] = msg.time_boot_ms - (UINT32_C(1) << 30);
        }
    }
    if (rest != NULL) {
        *rest = parser.stats;
    }
    return count;
}

static void run(mf_us_t us)
{
    s_now_us += us;
    mf_quality_run(&s_quality, s_now_us);
}

static void send(const struct mf_serial *serial, uint32_t number)
{
    uint8_t frame[MF_FRAME_MAX];
    const size_t n = numbered(number, frame);
    assert_int_equal(mf_serial_write(serial, frame, n), (int)n);
}

static void arrive(uint32_t number)
{
    s_wire.in_len += numbered(number, s_wire.in + s_wire.in_len);
}

/* All that the vehicle reads now. */
static uint8_t s_read[BYTES];

static size_t read_all(const struct mf_serial *serial)
{
    size_t total = 0;
    for (;;) {
        const int n = mf_serial_read(serial, s_read + total,
                                     sizeof s_read - total < 512 ? sizeof s_read - total : 512);
        if (n <= 0) {
            return total;
        }
        total += (size_t)n;
    }
}

/* ---- chances */

/* Every frame whose draw is below the chance is missing, and no other. */
static void expect_loss(uint64_t way, double percent, size_t found)
{
    size_t at = 0;
    for (uint32_t i = 0; i < FRAMES; i++) {
        if (!(draw(4, way, i, 0) * 100.0 < percent)) {
            assert_true(at < found && s_found[at] == i);
            at++;
        }
    }
    assert_int_equal(at, found);
    assert_int_equal(FRAMES - found, stats((enum mf_link_way)way)->lost);
}

static void test_losses_are_those_of_seed_link_way_and_number(void **state)
{
    (void)state;
    const struct mf_serial serial = open_link("loss=20%,out:loss=10%");
    for (uint32_t i = 0; i < FRAMES; i++) {
        send(&serial, i);
    }
    const size_t out = find(s_wire.out, s_wire.out_len, NULL);
    assert_in_range(FRAMES - out, 150, 250); /* 200 +- 3.7 sigma */
    expect_loss(MF_WAY_OUT, 10.0, out);
    for (uint32_t i = 0; i < FRAMES; i++) {
        arrive(i);
    }
    const size_t in = find(s_read, read_all(&serial), NULL);
    assert_in_range(FRAMES - in, 330, 470);
    expect_loss(MF_WAY_IN, 20.0, in);
}

/* However time passes, and however the bytes are cut. */
static void test_the_same_frames_are_lost_at_every_speed(void **state)
{
    (void)state;
    static const mf_us_t k_step_us[] = {0, 1, 50, 20000, 1000000};
    for (size_t s = 0; s < sizeof k_step_us / sizeof k_step_us[0]; s++) {
        (void)start(NULL);
        const struct mf_serial serial = open_link("loss=10%,delay=30ms,jitter=20ms");
        for (uint32_t i = 0; i < FRAMES; i++) {
            send(&serial, i);
            run(k_step_us[s] + (i % 100 == 99 ? 100000 : 0));
        }
        run(MF_SECOND_US);
        expect_loss(MF_WAY_OUT, 10.0, find(s_wire.out, s_wire.out_len, NULL));
    }
}

static void test_bursts_are_a_chain_of_two_states(void **state)
{
    (void)state;
    const struct mf_serial serial = open_link("burst=2%:8:75%");
    for (uint32_t i = 0; i < FRAMES; i++) {
        send(&serial, i);
    }
    const size_t found = find(s_wire.out, s_wire.out_len, NULL);
    bool bad = false;
    size_t at = 0;
    for (uint32_t i = 0; i < FRAMES; i++) {
        bad = bad ? !(draw(4, 1, i, 2) < 1.0 / 8.0) : draw(4, 1, i, 1) < 0.02;
        if (!(bad && draw(4, 1, i, 3) < 0.75)) {
            assert_true(at < found && s_found[at] == i);
            at++;
        }
    }
    assert_int_equal(at, found);
    assert_int_equal(stats(MF_WAY_OUT)->lost_burst, FRAMES - found);
    assert_in_range(FRAMES - found, 100, 320); /* 0.75 * 0.02 / (0.02 + 0.125) of 2000: 207 */
}

static void test_links_places_and_seeds_differ(void **state)
{
    (void)state;
    (void)open_as("loss=50%", 0, 4, false);
    (void)open_as("loss=50%", 1, 4, false);
    (void)open_as("loss=50%", 2, 5, false);
    assert_true(s_wraps[0].place == 0 && s_wraps[1].place == 1 && s_wraps[2].place == 0);
    const uint64_t key[] = {s_wraps[0].line[0].key, s_wraps[0].line[1].key, s_wraps[1].line[0].key,
                            s_wraps[2].line[0].key};
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_true(key[i] != key[j]);
        }
    }
    /* who comes back has his place and his losses again */
    mf_quality_close(&s_quality, 0);
    (void)open_as("loss=50%", 0, 4, false);
    assert_true(s_wraps[0].place == 0 && s_wraps[0].line[0].key == key[0]);
    mf_quality_close(&s_quality, 0);
    mf_quality_close(&s_quality, 1);
    mf_quality_close(&s_quality, 2);
    mf_quality_close(&s_quality, 2);
    assert_int_equal(s_quality.top, 0);
    mf_quality_init(&s_quality, &k_memory, SEED + 1, INSTANCE, s_now_us);
    (void)open_as("loss=50%", 0, 4, false);
    assert_true(s_wraps[0].line[0].key != key[0]);
}

static void test_duplicates_and_swaps(void **state)
{
    (void)state;
    const struct mf_serial serial = open_link("duplicate=10%,reorder=10%");
    uint32_t twice = 0, swapped = 0;
    for (uint32_t i = 0; i < FRAMES / 2; i++) {
        send(&serial, i);
    }
    run(MF_QUALITY_HOLD_US);
    const size_t found = find(s_wire.out, s_wire.out_len, NULL);
    size_t at = 0;
    uint32_t held = FRAMES;
    for (uint32_t i = 0; i < FRAMES / 2; i++) {
        if (held == FRAMES && draw(4, 1, i, 6) < 0.1) {
            held = i;
            swapped++;
            continue;
        }
        assert_true(s_found[at++] == i);
        if (draw(4, 1, i, 5) < 0.1) {
            assert_true(s_found[at++] == i);
            twice++;
        }
        if (held != FRAMES) {
            assert_true(s_found[at++] == held);
            held = FRAMES;
        }
    }
    at += held != FRAMES;
    assert_int_equal(at, found);
    assert_int_equal(stats(MF_WAY_OUT)->duplicated, twice);
    assert_int_equal(stats(MF_WAY_OUT)->reordered, swapped);
    assert_true(twice > 50 && swapped > 50);
}

static void test_a_swap_does_not_wait_for_ever(void **state)
{
    (void)state;
    const struct mf_serial serial = open_link("reorder=100%");
    send(&serial, 0);
    arrive(0);
    assert_int_equal(read_all(&serial), 0);
    assert_int_equal(mf_quality_due(&s_quality), s_now_us + MF_QUALITY_HOLD_US);
    run(MF_QUALITY_HOLD_US - 1);
    assert_int_equal(s_wire.out_len, 0);
    run(1);
    assert_int_equal(find(s_wire.out, s_wire.out_len, NULL), 1);
    assert_int_equal(find(s_read, read_all(&serial), NULL), 1);
    assert_int_equal(mf_quality_due(&s_quality), MF_NEVER);
}

/* The line turns over a bit of each frame: no end takes it for a frame, and the ends count what
 * they refuse. */
static void test_corrupt_frames_are_no_frames_at_the_other_end(void **state)
{
    (void)state;
    struct mf_parser_stats rest;
    const struct mf_serial serial = open_link("corrupt=25%");
    for (uint32_t i = 0; i < FRAMES; i++) {
        send(&serial, i);
        arrive(i);
    }
    uint32_t spoiled = 0;
    for (uint32_t i = 0; i < FRAMES; i++) {
        spoiled += draw(4, 1, i, 7) < 0.25;
    }
    assert_int_equal(stats(MF_WAY_OUT)->corrupted, spoiled);
    size_t found = find(s_wire.out, s_wire.out_len, &rest);
    assert_in_range(found, FRAMES - spoiled - 40, FRAMES - spoiled); /* a length takes more along */
    assert_true(rest.bad_crc > 0 && rest.skipped > 0);
    for (size_t i = 0; i < found; i++) {
        assert_true(i == 0 || s_found[i] > s_found[i - 1]);
    }
    found = find(s_read, read_all(&serial), &rest);
    assert_int_equal(stats(MF_WAY_IN)->corrupted + found,
                     FRAMES + (found - (FRAMES - stats(MF_WAY_IN)->corrupted)));
    assert_true(rest.bad_crc > 0 && found < FRAMES - 400);
}

/* ---- time */

static void test_delay_and_jitter_keep_the_order(void **state)
{
    (void)state;
    const struct mf_serial serial = open_link("delay=50ms,jitter=20ms");
    const mf_us_t begin_us = s_now_us;
    mf_us_t latest_us = 0;
    for (uint32_t i = 0; i < 200; i++) {
        send(&serial, i);
        const mf_us_t due_us =
            s_now_us + 50000 + (mf_us_t)(draw(4, 1, i, 4) * 20000.0); /* as drawn */
        latest_us = due_us > latest_us ? due_us : latest_us;
        run(1000);
    }
    assert_int_equal(stats(MF_WAY_OUT)->delayed, 200);
    const size_t early = find(s_wire.out, s_wire.out_len, NULL);
    assert_in_range(early, 130, 150); /* 200 ms have passed */
    run(latest_us - s_now_us - 1);
    assert_true(find(s_wire.out, s_wire.out_len, NULL) < 200);
    assert_int_equal(mf_quality_due(&s_quality), latest_us);
    run(1);
    assert_int_equal(find(s_wire.out, s_wire.out_len, NULL), 200);
    for (size_t i = 0; i < 200; i++) {
        assert_int_equal(s_found[i], i);
    }
    assert_true(s_now_us >= begin_us + 249000);
}

static void test_the_vehicle_is_woken_for_what_arrives(void **state)
{
    (void)state;
    const struct mf_serial serial = open_link("in:delay=300ms");
    arrive(1);
    assert_int_equal(read_all(&serial), 0);
    assert_int_equal(mf_quality_due(&s_quality), s_now_us + 300000);
    run(299999);
    assert_int_equal(read_all(&serial), 0);
    run(1);
    assert_int_equal(find(s_read, read_all(&serial), NULL), 1);
    assert_int_equal(mf_quality_due(&s_quality), MF_NEVER);
}

/* Frames of 24 bytes at 23000 bytes/s: the n-th has left after n * 24 / 23000 s, rounded down. */
static void test_a_rate_is_kept_exactly(void **state)
{
    (void)state;
    uint8_t frame[MF_FRAME_MAX];
    assert_int_equal(numbered(0, frame), 24);
    const struct mf_serial serial = open_link("out:rate=23000");
    const mf_us_t begin_us = s_now_us;
    for (uint32_t i = 0; i < 700; i++) {
        send(&serial, i);
    }
    for (uint32_t i = 0; i < 700; i++) {
        const mf_us_t left_us = begin_us + (mf_us_t)(i + 1) * 24 * 1000000 / 23000;
        assert_int_equal(mf_quality_due(&s_quality), left_us);
        run(left_us - s_now_us);
        assert_int_equal(s_wire.out_len, (i + 1) * 24);
    }
    assert_int_equal(s_now_us - begin_us, 730434);
    run(1000000); /* an idle line saves nothing up */
    send(&serial, 700);
    assert_int_equal(mf_quality_due(&s_quality), s_now_us + 24 * 1000000 / 23000);
}

static void test_what_is_lost_has_filled_the_line(void **state)
{
    (void)state;
    const struct mf_serial serial = open_link("out:rate=2400,out:loss=50%");
    const mf_us_t begin_us = s_now_us;
    for (uint32_t i = 0; i < 100; i++) {
        send(&serial, i);
    }
    run(999999);
    const size_t found = find(s_wire.out, s_wire.out_len, NULL);
    run(1);
    assert_true(find(s_wire.out, s_wire.out_len, NULL) >= found);
    assert_int_equal(s_now_us - begin_us, 1000000); /* 100 frames of 24 bytes */
    assert_int_equal(mf_quality_due(&s_quality), MF_NEVER);
}

/* ---- what does not fit */

static void test_a_full_line_refuses_and_has_no_room(void **state)
{
    (void)state;
    uint8_t frame[MF_FRAME_MAX];
    const size_t n = numbered(1, frame);
    const struct mf_serial serial = open_link("delay=10s");
    uint32_t taken = 0;
    while (mf_serial_write(&serial, frame, n) == (int)n) {
        taken++;
        assert_true(taken < MF_QUALITY_BYTES / n);
    }
    assert_true(mf_serial_room(&serial) < n);
    assert_int_equal(stats(MF_WAY_OUT)->frames, taken); /* a refused frame takes no number */
    run(10 * MF_SECOND_US);
    assert_int_equal(s_wire.out_len, taken * n);
    assert_int_equal(stats(MF_WAY_OUT)->overflowed, 0);
    assert_true(mf_serial_room(&serial) > 30000);
    s_wire.room = 100;
    assert_int_equal(mf_serial_room(&serial), 100);
}

/* 100 bytes/s: one frame takes 0.24 s, so five fit until more than a second waits. */
static void test_a_rate_that_is_used_up_refuses(void **state)
{
    (void)state;
    uint8_t frame[MF_FRAME_MAX];
    const size_t n = numbered(1, frame);
    const struct mf_serial serial = open_link("rate=100");
    for (int i = 0; i < 5; i++) {
        assert_int_equal(mf_serial_write(&serial, frame, n), (int)n);
        arrive((uint32_t)i);
    }
    assert_int_equal(mf_serial_write(&serial, frame, n), 0);
    assert_int_equal(mf_serial_room(&serial), 0);
    arrive(5);
    assert_int_equal(read_all(&serial), 0);
    assert_int_equal(stats(MF_WAY_IN)->overflowed, 1);
    run(200000); /* 1 s is left */
    assert_int_equal(mf_serial_write(&serial, frame, n), (int)n);
    run(10 * MF_SECOND_US);
    assert_int_equal(find(s_wire.out, s_wire.out_len, NULL), 6);
    assert_int_equal(find(s_read, read_all(&serial), NULL), 5);
}

static void test_a_full_line_loses_what_arrives(void **state)
{
    (void)state;
    const struct mf_serial serial = open_link("in:delay=10s");
    for (uint32_t i = 0; i < FRAMES; i++) { /* 40 bytes of the line each */
        arrive(i);
    }
    assert_int_equal(read_all(&serial), 0);
    while (s_wire.in_read < s_wire.in_len) {
        assert_int_equal(read_all(&serial), 0);
    }
    run(10 * MF_SECOND_US);
    const size_t found = find(s_read, read_all(&serial), NULL);
    assert_int_equal(found, MF_QUALITY_BYTES / 40);
    assert_int_equal(stats(MF_WAY_IN)->overflowed, FRAMES - found);
}

/* Send frames with rising numbers until the line takes no more. @return how many */
static uint32_t fill(const struct mf_serial *serial, uint32_t first)
{
    uint8_t frame[MF_FRAME_MAX];
    for (uint32_t i = 0;; i++) {
        const size_t n = numbered(first + i, frame);
        if (mf_serial_write(serial, frame, n) != (int)n) {
            return i;
        }
    }
}

/* A frame and its head are 40 bytes: 51 of them fill a chunk of 2040. The first line gets 65536
 * bytes of the memory, the second the rest but what is kept for the worst case, the third nothing
 * until one of them is gone. */
static void test_lines_share_their_memory(void **state)
{
    (void)state;
    static const struct mf_quality_memory k_small = {s_wraps, 3, s_chunk, 50};
    mf_quality_init(&s_quality, &k_small, SEED, INSTANCE, s_now_us);
    const struct mf_serial one = open_as("out:delay=10s", 0, 1, false);
    const struct mf_serial two = open_as("out:delay=20s", 1, 2, false);
    const struct mf_serial three = open_as("out:delay=30s", 2, 3, false);
    const uint32_t first = fill(&one, 0);
    const uint32_t second = fill(&two, 0);
    assert_in_range(first, 65536 / 40 - 3, 65536 / 40);
    assert_in_range(second, (50 - 33) * 51 - 3, (50 - 33) * 51);
    assert_int_equal(s_quality.pool.taken, 50);
    assert_int_equal(fill(&three, 0), 0);
    assert_int_equal(mf_serial_room(&three), 0);
    mf_quality_close(&s_quality, 0);
    assert_int_equal(s_quality.pool.taken, 50 - 33);
    const uint32_t third = fill(&three, 0);
    assert_in_range(third, first - 3, first);
    run(20 * MF_SECOND_US);
    assert_int_equal(find(s_wire.out, s_wire.out_len, NULL), second);
    for (uint32_t i = 0; i < second; i++) {
        assert_int_equal(s_found[i], i);
    }
    s_wire.out_len = 0;
    run(10 * MF_SECOND_US);
    assert_int_equal(find(s_wire.out, s_wire.out_len, NULL), third);
    for (uint32_t i = 0; i < third; i++) {
        assert_int_equal(s_found[i], i);
    }
    assert_int_equal(s_quality.pool.taken, 0);
}

static void test_a_device_without_room_loses(void **state)
{
    (void)state;
    const struct mf_serial serial = open_link("out:delay=1s");
    send(&serial, 0);
    s_wire.room = 0;
    run(MF_SECOND_US);
    assert_int_equal(s_wire.out_len, 0);
    assert_int_equal(stats(MF_WAY_OUT)->overflowed, 1);
}

/* ---- bytes and frames */

static void test_strangers_pass_as_they_are(void **state)
{
    (void)state;
    static const uint8_t k_unknown[] = {0xFD, 1, 0, 0, 9, 7, 7, 0xFF, 0xFF, 0x0F, 5, 0xAA, 0xBB};
    const struct mf_serial serial = open_link("loss=0%");
    memcpy(s_wire.in, "hello", 5);
    s_wire.in_len = 5;
    arrive(1);
    memcpy(s_wire.in + s_wire.in_len, k_unknown, sizeof k_unknown);
    s_wire.in_len += sizeof k_unknown;
    arrive(2);
    s_wire.in[s_wire.in_len - 1] ^= 1; /* a checksum that is wrong before we touch it */
    const size_t before = s_wire.in_len;
    arrive(3);
    size_t n = read_all(&serial);
    assert_int_equal(n, s_wire.in_len);
    assert_memory_equal(s_read, s_wire.in, n);
    assert_int_equal(stats(MF_WAY_IN)->frames, 3); /* 1, the unknown one, 3 */
    assert_int_equal(stats(MF_WAY_IN)->stray, 5 + (before - 5 - 24 - sizeof k_unknown));
    /* one that was begun and does not go on: after 1 s */
    s_wire.in_len = s_wire.in_read = 0;
    memcpy(s_wire.in, k_unknown, 9);
    s_wire.in_len = 9;
    assert_int_equal(read_all(&serial), 0);
    assert_int_equal(mf_quality_due(&s_quality), s_now_us + MF_SECOND_US);
    run(MF_SECOND_US);
    n = read_all(&serial);
    assert_int_equal(n, 9);
    assert_memory_equal(s_read, k_unknown, 9);
    /* an unknown frame without a successor counts as a frame then, too */
    s_wire.in_len = s_wire.in_read = 0;
    memcpy(s_wire.in, k_unknown, sizeof k_unknown);
    s_wire.in_len = sizeof k_unknown;
    assert_int_equal(read_all(&serial), 0);
    run(30 * MF_MS_US);
    assert_int_equal(read_all(&serial), sizeof k_unknown);
    assert_int_equal(stats(MF_WAY_IN)->frames, 4);
    assert_int_equal(mf_quality_due(&s_quality), MF_NEVER);
}

/* No datagram ends a frame that another one begins, and no read parts a frame. */
static void test_datagrams_end_frames(void **state)
{
    (void)state;
    const struct mf_serial serial = open_as("loss=0%", 0, 4, true);
    uint8_t frame[MF_FRAME_MAX];
    const size_t n = numbered(5, frame);
    memcpy(s_wire.in, frame, n - 4);
    s_wire.stop[0] = s_wire.in_len = n - 4;
    memcpy(s_wire.in + n - 4, frame + n - 4, 4);
    s_wire.in_len += 4;
    s_wire.stop[1] = s_wire.in_len;
    for (uint32_t i = 0; i < 30; i++) { /* longer than what is read at once */
        arrive(i);
    }
    struct mf_parser_stats rest;
    uint8_t bytes[512];
    size_t frames = 0;
    for (int got = 1; got > 0;) {
        got = mf_serial_read(&serial, bytes, sizeof bytes);
        const size_t whole = got > 0 ? find(bytes, (size_t)got, &rest) : 0;
        assert_true(frames == 0 || got <= 0 || whole * 24 == (size_t)got);
        frames += whole;
    }
    assert_int_equal(frames, 30);
    assert_int_equal(stats(MF_WAY_IN)->frames, 30);
    assert_int_equal(stats(MF_WAY_IN)->stray, n);
}

static void test_small_reads_part_nothing_else(void **state)
{
    (void)state;
    const struct mf_serial serial = open_link("loss=0%");
    for (uint32_t i = 0; i < 50; i++) {
        arrive(i);
    }
    size_t n = 0;
    for (int got = 1; got > 0;) {
        got = mf_serial_read(&serial, s_read + n, 7);
        n += got > 0 ? (size_t)got : 0;
    }
    assert_int_equal(n, s_wire.in_len);
    assert_memory_equal(s_read, s_wire.in, n);
    for (uint32_t i = 0; i < 3; i++) { /* of 24 bytes each */
        arrive(i);
    }
    assert_int_equal(mf_serial_read(&serial, s_read, 48), 48);
    arrive(3);
    assert_int_equal(mf_serial_read(&serial, s_read, 40), 24); /* the other one waits */
    assert_int_equal(mf_serial_read(&serial, s_read, 40), 24);
}

/* The frame under way arrives first. */
static void test_the_end_of_a_device_is_told_on(void **state)
{
    (void)state;
    const struct mf_serial serial = open_link("loss=0%");
    uint8_t bytes[64];
    arrive(1);
    assert_int_equal(mf_serial_read(&serial, bytes, sizeof bytes), 24);
    const struct mf_serial slow = open_as("in:delay=1s", 1, 4, false);
    arrive(2);
    assert_int_equal(mf_serial_read(&slow, bytes, sizeof bytes), 0);
    s_wire.gone = true;
    assert_int_equal(mf_serial_read(&serial, bytes, sizeof bytes), MF_E_IO);
    run(MF_SECOND_US);
    assert_int_equal(mf_serial_read(&slow, bytes, sizeof bytes), 24);
    assert_int_equal(mf_serial_read(&slow, bytes, sizeof bytes), MF_E_IO);
}

/* ---- silence and disconnection */

static void test_one_way_falls_silent(void **state)
{
    (void)state;
    const struct mf_serial serial = open_link("out:silent=2s+3s");
    static const mf_us_t k_at_us[] = {0, 1999999, 2000000, 4999999, 5000000};
    const mf_us_t begin_us = s_now_us;
    for (uint32_t i = 0; i < 5; i++) {
        run(begin_us + k_at_us[i] - s_now_us);
        send(&serial, i);
        arrive(i);
    }
    assert_int_equal(find(s_wire.out, s_wire.out_len, NULL), 3);
    assert_true(s_found[1] == 1 && s_found[2] == 4);
    assert_int_equal(stats(MF_WAY_OUT)->silenced, 2);
    assert_int_equal(find(s_read, read_all(&serial), NULL), 5);
}

static void test_a_connection_is_cut_once_and_none_taken(void **state)
{
    (void)state;
    struct mf_link_quality quality;
    char reason[MF_LINK_REASON_MAX];
    struct mf_serial wire = {.ops = &k_wire, .ctx = &s_wire};
    (void)open_link("disconnect=2s+3s");
    assert_int_equal(mf_link_spec_parse("disconnect=2s+3s", &quality, reason), MF_E_OK);
    assert_int_equal(mf_quality_due(&s_quality), s_now_us + 2000000);
    assert_int_equal(mf_quality_cut(&s_quality), -1);
    assert_true(mf_quality_admit(&s_quality, &quality, &wire));
    run(2000000);
    assert_int_equal(mf_quality_cut(&s_quality), 0);
    assert_int_equal(mf_quality_cut(&s_quality), -1);
    assert_int_equal(mf_quality_due(&s_quality), MF_NEVER);
    assert_false(mf_quality_admit(&s_quality, &quality, &wire));
    mf_quality_close(&s_quality, 0);
    run(2999999);
    assert_false(mf_quality_admit(&s_quality, &quality, &wire));
    run(1);
    assert_true(mf_quality_admit(&s_quality, &quality, &wire));
    (void)open_link("disconnect=2s+3s");
    assert_int_equal(mf_quality_cut(&s_quality), -1); /* it came after that */
    assert_int_equal(mf_quality_due(&s_quality), MF_NEVER);
    quality.shaped = false;
    assert_true(mf_quality_admit(&s_quality, &quality, &wire));
}

/* Datagrams know of no disconnection: both ways fall silent. */
static void test_datagrams_fall_silent_instead(void **state)
{
    (void)state;
    const struct mf_serial serial = open_as("disconnect=2s+3s", 0, 4, true);
    assert_int_equal(mf_quality_due(&s_quality), MF_NEVER);
    run(2000000);
    assert_int_equal(mf_quality_cut(&s_quality), -1);
    send(&serial, 0);
    arrive(0);
    assert_int_equal(read_all(&serial), 0);
    run(3000000);
    send(&serial, 1);
    arrive(1);
    assert_int_equal(find(s_wire.out, s_wire.out_len, NULL), 1);
    assert_int_equal(find(s_read, read_all(&serial), NULL), 1);
    assert_true(stats(MF_WAY_IN)->silenced == 1 && stats(MF_WAY_OUT)->silenced == 1);
}

static void test_the_text_says_what_happened(void **state)
{
    (void)state;
    char text[256], tiny[9];
    const struct mf_serial serial = open_link("out:loss=100%");
    send(&serial, 0);
    send(&serial, 1);
    mf_link_counts_text(&s_wraps[0], text, sizeof text);
    assert_names(text, "in 0 frames out 2 frames 2 lost");
    mf_link_counts_text(&s_wraps[0], tiny, sizeof tiny);
    assert_int_equal(strlen(tiny), sizeof tiny - 1);
    assert_memory_equal(tiny, text, sizeof tiny - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup(name, start)
        T(test_losses_are_those_of_seed_link_way_and_number),
        T(test_the_same_frames_are_lost_at_every_speed),
        T(test_bursts_are_a_chain_of_two_states),
        T(test_links_places_and_seeds_differ),
        T(test_duplicates_and_swaps),
        T(test_a_swap_does_not_wait_for_ever),
        T(test_corrupt_frames_are_no_frames_at_the_other_end),
        T(test_delay_and_jitter_keep_the_order),
        T(test_the_vehicle_is_woken_for_what_arrives),
        T(test_a_rate_is_kept_exactly),
        T(test_what_is_lost_has_filled_the_line),
        T(test_a_full_line_refuses_and_has_no_room),
        T(test_a_rate_that_is_used_up_refuses),
        T(test_a_full_line_loses_what_arrives),
        T(test_lines_share_their_memory),
        T(test_a_device_without_room_loses),
        T(test_strangers_pass_as_they_are),
        T(test_datagrams_end_frames),
        T(test_small_reads_part_nothing_else),
        T(test_the_end_of_a_device_is_told_on),
        T(test_one_way_falls_silent),
        T(test_a_connection_is_cut_once_and_none_taken),
        T(test_datagrams_fall_silent_instead),
        T(test_the_text_says_what_happened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
