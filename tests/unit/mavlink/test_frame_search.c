/* SPDX-License-Identifier: Apache-2.0 */
/* A good frame is found, whatever is before it and around it. */
#include "tests/unit/mavlink/frame_fixture.h"
#include "tests/unit/support/cases.h"
#include "tests/unit/support/scan.h"

/* SIM-014: 19 stray bytes, then a command. They begin an unknown message of 63 bytes, which the
 * command ends, and in their 12th an ATT_POS_MOCAP of 81 bytes, which more commands complete. */
#define STRAY_19 "fe3719f0ef377940ac370bfe4956c0348a989b"

static void test_sim014_stray_bytes_do_not_swallow_a_command(void **state)
{
    (void)state;
    struct run run = {.frames = 0};
    feed_hex(&run, STRAY_19 ARM);
    assert_true(mf_parser_pending(&run.parser));
    assert_int_equal(mf_parser_wait_us(&run.parser), 1000000);
    flush(&run);
    expect_found(&run, ARM);
    expect_stats(&run, 1, (struct mf_parser_stats){.skipped = 19});

    struct run more = {.frames = 0};
    feed_hex(&more, STRAY_19 ARM ARM);
    expect_found(&more, ARM ARM);

    struct run only = {.frames = 0}; /* without the second start byte nothing is waited for */
    feed_hex(&only, "fe3719f0ef377940ac370b004956c0348a989b" ARM);
    expect_found(&only, ARM);
    assert_false(mf_parser_pending(&only.parser));
}

/* A good frame inside an unknown one is found with its own last byte; the unknown one was none. */
static void test_a_good_frame_inside_an_unknown_one_is_found_at_once(void **state)
{
    static const char *const k_unknown[] = {"fe40010101de", "fd4000000001012823ee",
                                            "fd4001000001012823eeaabbccdd"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(k_unknown); i++) {
        struct bytes stream = from_hex(k_unknown[i]);
        const size_t before = stream.n;
        struct run run = {.parser = {.keep_unknown = true}};
        append_hex(&stream, HEARTBEAT);
        feed(&run, stream.at, stream.n - 1);
        assert_int_equal(run.frames, 0);
        feed(&run, stream.at + stream.n - 1, 1);
        expect_found(&run, HEARTBEAT);
        expect_stats(&run, 1, (struct mf_parser_stats){.skipped = (uint32_t)before});
    }
}

/* An unknown message that would end inside a good frame, just before a byte that looks like
 * a start. */
static void test_an_unknown_frame_does_not_end_inside_a_good_one(void **state)
{
    static const char k_heartbeat[] = "fd090000fe010100000000000403020c1d030324f3"; /* number 254 */
    (void)state;
    struct run run = {.parser = {.keep_unknown = true}};
    feed_hex(&run, "fd02000000010128235a");
    feed_hex(&run, k_heartbeat);
    expect_found(&run, k_heartbeat);
    expect_stats(&run, 1, (struct mf_parser_stats){.skipped = 10});
}

/* What a frame of a known message carries is its own, however it arrives and whatever is
 * around it. */
static void test_known_frames_are_not_searched(void **state)
{
    (void)state;
    const struct bytes carrier = from_hex(CARRIER);
    for (size_t cut = 0; cut <= carrier.n; cut++) {
        struct run run = {.frames = 0};
        feed(&run, carrier.at, cut);
        feed(&run, carrier.at + cut, carrier.n - cut);
        expect_found(&run, CARRIER);
        struct run inside = {.frames = 0};
        feed_hex(&inside, "fd6000000001012823ee");
        feed(&inside, carrier.at, cut);
        feed(&inside, carrier.at + cut, carrier.n - cut);
        expect_found(&inside, CARRIER);
    }
}

/* Half a known frame inside an unknown one is waited for, and given up on its own: what is behind
 * it is found, or the unknown frame is one after all. */
static void test_half_a_frame_inside_an_unknown_one(void **state)
{
    (void)state;
    struct run run = {.parser = {.keep_unknown = true}};
    feed_hex(&run, "fd3800000001012823ee"
                   "fd2000aabb" HEARTBEAT);
    assert_int_equal(run.frames, 0);
    flush(&run);
    expect_found(&run, HEARTBEAT);

    struct run whole = {.parser = {.keep_unknown = true}};
    struct mf_frame frame;
    feed_hex(&whole, "fd0c00000001012823ee010203040506070809fd2000aabb" HEARTBEAT);
    assert_int_equal(whole.frames, 0);
    mf_parser_flush(&whole.parser);
    assert_true(mf_parser_next(&whole.parser, &frame));
    assert_null(frame.info);
    assert_int_equal(frame.raw_len, 24);
    take_frames(&whole);
    expect_found(&whole, HEARTBEAT);
    expect_stats(&whole, 1, (struct mf_parser_stats){.unknown = 1});
}

/* A whole frame of an unknown message is not held as long as half of one. */
static void test_how_long_to_wait(void **state)
{
    (void)state;
    struct run run = {.frames = 0};
    const struct bytes unknown = from_hex(UNKNOWN_V2);
    for (size_t i = 0; i < unknown.n; i++) {
        assert_int_equal(mf_parser_wait_us(&run.parser), 1000000);
        feed(&run, unknown.at + i, 1);
    }
    assert_int_equal(mf_parser_wait_us(&run.parser), 30000);
    feed_hex(&run, "fd");
    assert_int_equal(mf_parser_wait_us(&run.parser), 1000000);
}

/* In version 1 there are no payloads longer than their message: nothing is waited for. */
static void test_version_1_frame_longer_than_its_message_is_none(void **state)
{
    (void)state;
    struct run run = {.frames = 0};
    feed_hex(&run, "fe0a07ffbe00" HEARTBEAT);
    expect_found(&run, HEARTBEAT);
    expect_stats(&run, 1, (struct mf_parser_stats){.skipped = 6});
}

/* The largest frame leaves room for one that begins in its last byte. */
static void test_largest_unknown_message(void **state)
{
    (void)state;
    uint8_t largest[MF_FRAME_MAX] = {0xFD, 0xFF, 0x01, 0, 0, 1, 1, 0x28, 0x23, 0};
    struct run run = {.frames = 0};
    feed(&run, largest, sizeof largest);
    expect_stats(&run, 0, (struct mf_parser_stats){.unknown = 0});
    feed_hex(&run, HEARTBEAT);
    expect_found(&run, HEARTBEAT);
    expect_stats(&run, 1, (struct mf_parser_stats){.unknown = 1});

    const struct bytes longest = longest_heartbeat();
    struct run last = {.frames = 0};
    feed(&last, largest, sizeof largest - 1);
    feed(&last, longest.at, longest.n);
    assert_int_equal(last.frames, 1);
    assert_memory_equal(last.found.at, longest.at, longest.n);
    expect_stats(&last, 1, (struct mf_parser_stats){.skipped = MF_FRAME_MAX - 1});
}

static uint32_t xorshift(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

static uint32_t random_below(uint32_t *seed, size_t limit)
{
    return (xorshift(seed) >> 8) % (uint32_t)limit;
}

/* What looks like the beginning of a frame, of a known message or of any. */
static void append_random_header(struct bytes *to, uint32_t *seed)
{
    size_t count;
    const struct mf_msg_info *table = mf_msg_table(&count);
    const uint32_t id = random_below(seed, 2) == 0 ? table[random_below(seed, count)].id
                                                   : random_below(seed, 1u << 16);
    const uint8_t len = (uint8_t)random_below(seed, random_below(seed, 2) == 0 ? 40 : 256);
    const uint8_t v1[] = {0xFE, len, 0, 1, 1, (uint8_t)id};
    const uint8_t v2[] = {
        0xFD, len, (uint8_t)random_below(seed, 2), 0, 0, 1, 1, (uint8_t)id, (uint8_t)(id >> 8), 0};
    if (random_below(seed, 2) == 0) {
        append(to, v1, sizeof v1);
    } else {
        append(to, v2, sizeof v2);
    }
}

/* A frame's bytes without its signature: one that lacks only a part of that has a good checksum,
 * and takes that part from what follows. */
static size_t checked_bytes(const struct bytes *frame)
{
    return frame->n - (frame->at[0] == 0xFD && (frame->at[2] & 1) != 0 ? 13 : 0);
}

/* Whole, cut and damaged frames, headers of frames, and garbage rich in start bytes: as many bytes,
 * and at most a frame more. */
static struct bytes random_stream(uint32_t *seed, size_t least)
{
    // NOLINTBEGIN(bugprone-suspicious-missing-comma): a frame is several literals
    static const char *const k_frames[] = {HEARTBEAT,   HEARTBEAT_V1,  HEARTBEAT_SIGNED,
                                           COMMAND_ACK, MISSION_COUNT, UNKNOWN_V1,
                                           UNKNOWN_V2,  CARRIER};
    // NOLINTEND(bugprone-suspicious-missing-comma)
    static const uint8_t k_common[] = {0xFD, 0xFE, 0x00, 0x01, 0xFF};
    struct bytes stream = {.n = 0};
    while (stream.n < least) {
        if (random_below(seed, 16) == 0) {
            append_random_header(&stream, seed);
            continue;
        }
        if (random_below(seed, 4) == 0) {
            const uint8_t byte = random_below(seed, 2) == 0
                                     ? k_common[random_below(seed, COUNT_OF(k_common))]
                                     : (uint8_t)random_below(seed, 256);
            append(&stream, &byte, 1);
            continue;
        }
        struct bytes frame = from_hex(k_frames[random_below(seed, COUNT_OF(k_frames))]);
        if (random_below(seed, 4) == 0) {
            frame.at[random_below(seed, frame.n)] ^= (uint8_t)(1u << random_below(seed, 8));
        }
        const bool cut = random_below(seed, 4) == 0;
        append(&stream, frame.at, cut ? random_below(seed, checked_bytes(&frame)) : frame.n);
    }
    return stream;
}

static void feed_cut(struct run *run, const struct bytes *stream, uint32_t *seed)
{
    const size_t largest = 1 + random_below(seed, 300);
    for (size_t done = 0; done < stream->n;) {
        const size_t left = stream->n - done;
        const size_t wanted = 1 + random_below(seed, largest);
        const size_t n = wanted < left ? wanted : left;
        feed(run, stream->at + done, n);
        done += n;
    }
}

/* However a stream arrives, in one piece or in many, the same frames come out of it. */
static void test_sim042_frames_do_not_depend_on_how_the_stream_is_cut(void **state)
{
    (void)state;
    uint32_t seed = 0x9E3779B9u;
    for (int round = mf_cases(250, 10000); round > 0; round--) {
        const uint32_t seed_before = seed;
        const struct bytes stream = random_stream(&seed, 2000);
        struct run whole = {.frames = 0}, cut = {.frames = 0};
        feed(&whole, stream.at, stream.n);
        feed_cut(&cut, &stream, &seed);
        if (whole.found.n != cut.found.n ||
            memcmp(whole.found.at, cut.found.at, cut.found.n) != 0 ||
            memcmp(&whole.parser.stats, &cut.parser.stats, sizeof cut.parser.stats) != 0) {
            fail_msg("the cuts matter, seed 0x%08x", (unsigned)seed_before);
        }
    }
}

/* The known frames of a stream are those that are found without any thought of unknown ones. */
static void test_sim014_unknown_messages_hide_nothing(void **state)
{
    (void)state;
    uint32_t seed = 0x2545F491u;
    for (int round = mf_cases(250, 10000); round > 0; round--) {
        const uint32_t seed_before = seed;
        const struct bytes stream = random_stream(&seed, random_below(&seed, 2000));
        struct bytes expected = {.n = 0};
        size_t n;
        for (size_t at = 0; (n = scan_next(stream.at, stream.n, &at)) > 0; at += n) {
            append(&expected, stream.at + at, n);
        }
        struct run run = {.frames = 0};
        feed_cut(&run, &stream, &seed);
        flush(&run);
        if (run.found.n != expected.n || memcmp(run.found.at, expected.at, expected.n) != 0) {
            fail_msg("a frame was hidden, seed 0x%08x", (unsigned)seed_before);
        }
    }
}

/* Behind anything, with silences or without, a good frame is found: after a silence, or when as
 * many bytes have followed as a parser holds. */
static void test_sim014_a_good_frame_is_found_behind_anything(void **state)
{
    (void)state;
    static const uint8_t k_nothing[MF_PARSER_BYTES] = {0};
    const struct bytes arm = from_hex(ARM);
    uint32_t seed = 0x6C078965u;
    for (int round = mf_cases(250, 10000); round > 0; round--) {
        const uint32_t seed_before = seed;
        const struct bytes prefix = random_stream(&seed, random_below(&seed, 600));
        struct run run = {.parser = {.keep_unknown = random_below(&seed, 2) == 0}};
        feed_cut(&run, &prefix, &seed);
        if (random_below(&seed, 4) == 0) {
            flush(&run);
        }
        feed_cut(&run, &arm, &seed);
        if (random_below(&seed, 2) == 0) {
            flush(&run);
        } else {
            feed(&run, k_nothing, sizeof k_nothing);
        }
        const uint8_t *last = run.found.at + run.found.n - arm.n;
        if (run.found.n < arm.n || memcmp(last, arm.at, arm.n) != 0) {
            fail_msg("the frame was not found, seed 0x%08x", (unsigned)seed_before);
        }
    }
}

/* Whatever comes in: no crash, every byte accounted for, nothing left after a flush. */
static void test_random_bytes_do_no_harm(void **state)
{
    (void)state;
    uint32_t seed = 0x12345679u;
    for (int round = mf_cases(250, 10000); round > 0; round--) {
        const uint32_t seed_before = seed;
        const struct bytes stream = random_stream(&seed, 2000);
        struct run run = {.frames = 0};
        feed(&run, stream.at, stream.n);
        flush(&run);
        const struct mf_parser_stats *stats = &run.parser.stats;
        const size_t seen = run.found.n + stats->skipped;
        const bool adds_up = stats->unknown == 0 ? seen == stream.n : seen < stream.n;
        if (!adds_up || mf_parser_pending(&run.parser)) {
            fail_msg("bytes got lost, seed 0x%08x", (unsigned)seed_before);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim014_stray_bytes_do_not_swallow_a_command),
        cmocka_unit_test(test_a_good_frame_inside_an_unknown_one_is_found_at_once),
        cmocka_unit_test(test_an_unknown_frame_does_not_end_inside_a_good_one),
        cmocka_unit_test(test_known_frames_are_not_searched),
        cmocka_unit_test(test_half_a_frame_inside_an_unknown_one),
        cmocka_unit_test(test_how_long_to_wait),
        cmocka_unit_test(test_version_1_frame_longer_than_its_message_is_none),
        cmocka_unit_test(test_largest_unknown_message),
        cmocka_unit_test(test_sim042_frames_do_not_depend_on_how_the_stream_is_cut),
        cmocka_unit_test(test_sim014_unknown_messages_hide_nothing),
        cmocka_unit_test(test_sim014_a_good_frame_is_found_behind_anything),
        cmocka_unit_test(test_random_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
