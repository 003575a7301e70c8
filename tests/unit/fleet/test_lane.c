/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/lane.h: delay, loss and repetition over a built-in network. GZ-04, GZ-15. */
#include "fleet/lane.h"

#include "math/chance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct mf_lane s_lane;
static mf_us_t s_now_us, s_out_from_us, s_out_to_us; /* out of range between these */
static char s_said[4000];                            /* "TIME:BYTES " of all that has arrived */
static uint8_t s_bytes[400000];
static size_t s_count;

static bool reaches(void *ctx, mf_us_t now_us)
{
    assert_ptr_equal(ctx, &s_lane);
    return now_us < s_out_from_us || now_us >= s_out_to_us;
}

static void arrived(void *ctx, const uint8_t *bytes, size_t n)
{
    const size_t at = strlen(s_said);
    assert_ptr_equal(ctx, &s_lane);
    (void)snprintf(s_said + at, sizeof s_said - at, "%lld:%.1s*%u ", (long long)s_now_us,
                   (const char *)bytes, (unsigned)n);
    assert_true(s_count + n <= sizeof s_bytes);
    memcpy(s_bytes + s_count, bytes, n);
    s_count += n;
}

static void begin(struct mf_lane lane)
{
    mf_lane_free(&s_lane);
    lane.reaches = reaches;
    lane.arrived = arrived;
    lane.ctx = &s_lane;
    s_lane = lane;
    s_now_us = s_out_from_us = s_out_to_us = 0;
    s_said[0] = '\0';
    s_count = 0;
}

static void put(char letter, size_t n, mf_us_t at_us)
{
    static uint8_t s_text[200000];
    memset(s_text, letter, n);
    assert_int_equal(mf_lane_send(&s_lane, s_text, n, at_us), MF_E_OK);
}

static void run_all(void)
{
    for (mf_us_t next_us = mf_lane_next(&s_lane); next_us != MF_NEVER;
         next_us = mf_lane_next(&s_lane)) {
        assert_true(next_us > s_now_us);
        s_now_us = next_us;
        mf_lane_run(&s_lane, s_now_us);
    }
}

static void test_gz04_datagrams_arrive_after_delay_and_bits(void **state)
{
    (void)state;
    begin((struct mf_lane){.delay_s = 0.01, .bits_per_s = 1e6});
    assert_int_equal(mf_lane_next(&s_lane), MF_NEVER);
    put('a', 1000, 100); /* 100 + 10,000 + 8,000 */
    put('b', 10, 200);   /* 200 + 10,000 + 80: it is there before */
    put('c', 10, 200);   /* in the order in which they left */
    run_all();
    assert_string_equal(s_said, "10280:b*10 10280:c*10 18100:a*1000 ");
    begin((struct mf_lane){.delay_s = 0.0});
    put('a', 3000, 7); /* whole, and never at the same instant */
    run_all();
    assert_string_equal(s_said, "8:a*3000 ");
}

static void test_a_head_takes_no_time_and_no_room(void **state)
{
    (void)state;
    begin((struct mf_lane){.stream = true, .head = 8, .delay_s = 0.01, .bits_per_s = 1e6});
    put('a', 8, 100);      /* 100 + 10,000 */
    put('b', 1408, 20000); /* 20,000 + 10,000 + 11,200, in one segment */
    run_all();
    assert_string_equal(s_said, "10100:a*8 41200:b*1408 ");
}

static void test_datagrams_out_of_range_are_lost(void **state)
{
    (void)state;
    begin((struct mf_lane){.delay_s = 0.01});
    s_out_from_us = 1000;
    s_out_to_us = 2000;
    put('a', 1, 999);
    put('b', 1, 1000);
    put('c', 1, 2000);
    run_all();
    assert_string_equal(s_said, "10999:a*1 12000:c*1 ");
}

/* Lost at 1.0 s: it leaves again at 1.2, 1.6, 2.4, 4.0 and 7.2 s. */
static void test_gz15_a_stream_waits_for_what_is_lost(void **state)
{
    (void)state;
    begin((struct mf_lane){.stream = true, .delay_s = 0.02});
    s_out_from_us = 1000000;
    s_out_to_us = 7000000;
    put('a', 3000, 500000); /* 1,400 + 1,400 + 200 */
    put('b', 5, 1000000);   /* arrives at 7.22 s */
    put('c', 6, 7100000);   /* would be there at 7.12 s */
    put('d', 7, 7210000);   /* arrives at 7.23 s */
    assert_int_equal(mf_lane_next(&s_lane), 520000);
    run_all();
    assert_string_equal(s_said, "520000:a*1400 520000:a*1400 520000:a*200 7220000:b*5 7220000:c*6 "
                                "7230000:d*7 ");
}

static void test_a_segment_leaves_again_every_minute_at_last(void **state)
{
    (void)state;
    begin((struct mf_lane){.stream = true, .delay_s = 0.5});
    s_out_to_us = 200 * MF_SECOND_US;
    put('a', 1, 0); /* again at 0.2, 0.6, 1.4 ... 51, 102.2, 162.2, 222.2 s */
    run_all();
    assert_string_equal(s_said, "222700000:a*1 ");
    assert_int_equal(s_lane.tries, 12);
}

/* Who is lost follows from the key and the number of tries alone. */
static void test_gz15_losses_are_those_of_the_chance(void **state)
{
    char expected[4000] = "";
    (void)state;
    begin((struct mf_lane){.delay_s = 0.01, .loss = 0.3, .key = 99});
    for (unsigned k = 0; k < 100; k++) {
        const size_t at = strlen(expected);
        put((char)('a' + k % 26), 1, 1000 * (k + 1));
        if (!(mf_chance_unit(99, k) < 0.3)) {
            (void)snprintf(expected + at, sizeof expected - at, "%u:%c*1 ", 1000 * (k + 1) + 10000,
                           (int)('a' + k % 26));
        }
    }
    run_all();
    assert_string_equal(s_said, expected);
    assert_true(s_count > 55 && s_count < 85);
    /* a stream loses nothing */
    begin((struct mf_lane){.stream = true, .delay_s = 0.01, .loss = 0.3, .key = 99});
    for (unsigned k = 0; k < 100; k++) {
        put((char)('a' + k % 26), 2000, 1000 * (k + 1));
    }
    run_all();
    assert_int_equal(s_count, 200000);
    for (size_t i = 0; i < s_count; i++) {
        assert_int_equal(s_bytes[i], 'a' + i / 2000 % 26);
    }
    mf_lane_free(&s_lane);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gz04_datagrams_arrive_after_delay_and_bits),
        cmocka_unit_test(test_a_head_takes_no_time_and_no_room),
        cmocka_unit_test(test_datagrams_out_of_range_are_lost),
        cmocka_unit_test(test_gz15_a_stream_waits_for_what_is_lost),
        cmocka_unit_test(test_a_segment_leaves_again_every_minute_at_last),
        cmocka_unit_test(test_gz15_losses_are_those_of_the_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
