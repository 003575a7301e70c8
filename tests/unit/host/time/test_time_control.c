/* SPDX-License-Identifier: Apache-2.0 */
#include "host/time/time_control.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define HELLO "mayfly 1 sysid 9 clock lockstep\n"

/* The other ends. */
static struct end {
    char in[512], out[2048];
    size_t in_len, in_read, out_len, room;
} s_end[MF_TIME_CONTROLLERS_MAX + 1];

static struct mf_time_control s_time;
static struct mf_time_report s_report;

static int end_write(void *ctx, const uint8_t *bytes, size_t n)
{
    struct end *e = ctx;
    if (n > e->room) {
        return 0;
    }
    e->room -= n;
    memcpy(e->out + e->out_len, bytes, n);
    e->out_len += n;
    e->out[e->out_len] = '\0';
    return (int)n;
}

static int end_read(void *ctx, uint8_t *bytes, size_t cap)
{
    struct end *e = ctx;
    const size_t left = e->in_len - e->in_read;
    const size_t n = left < cap ? left : cap;
    memcpy(bytes, e->in + e->in_read, n);
    e->in_read += n;
    return (int)n;
}

static size_t end_room(void *ctx)
{
    const struct end *e = ctx;
    return e->room;
}

static const struct mf_serial_ops k_end = {end_write, end_read, end_room};

static bool open_end(uint16_t i)
{
    memset(&s_end[i], 0, sizeof s_end[i]);
    s_end[i].room = 1000;
    return mf_time_control_open(&s_time, i, &(struct mf_serial){.ops = &k_end, .ctx = &s_end[i]});
}

static mf_us_t pass(void)
{
    return mf_time_control_pass(&s_time, &s_report);
}

/* One turn of a board's loop. @return what is permitted */
static mf_us_t turn(void)
{
    const mf_us_t limit_us = pass();
    mf_time_control_answer(&s_time);
    (void)mf_time_control_read(&s_time);
    return limit_us;
}

static void say(uint16_t i, const char *text)
{
    memcpy(s_end[i].in + s_end[i].in_len, text, strlen(text));
    s_end[i].in_len += strlen(text);
}

/* All that was heard since the last time. */
static void heard(uint16_t i, const char *expected)
{
    assert_string_equal(s_end[i].out, expected);
    s_end[i].out_len = 0;
    s_end[i].out[0] = '\0';
}

static void heard_names(uint16_t i, const char *data)
{
    assert_names(s_end[i].out, data);
    heard(i, s_end[i].out);
}

static int setup(void **state)
{
    (void)state;
    mf_time_control_init(&s_time, true, "lockstep", 9);
    s_report = (struct mf_time_report){.next_us = MF_NEVER, .event_us = MF_NEVER, .landed = true};
    return 0;
}

static int setup_real(void **state)
{
    (void)setup(state);
    mf_time_control_init(&s_time, false, "real", 9);
    return 0;
}

static void begin_with(uint16_t count)
{
    for (uint16_t i = 0; i < count; i++) {
        assert_true(open_end(i));
    }
    (void)turn();
    for (uint16_t i = 0; i < count; i++) {
        s_end[i].out_len = 0;
        s_end[i].out[0] = '\0';
    }
}

static void test_who_comes_is_greeted_and_told(void **state)
{
    (void)state;
    s_report.now_us = 70;
    s_report.next_us = 100;
    assert_true(open_end(0));
    heard(0, HELLO);
    assert_int_equal(turn(), 70); /* and time stands */
    heard(0, "now 70 next 100 events 0 armed 0 landed 1 in 0 out 0\n");
    assert_int_equal(turn(), 70);
    heard(0, "");
    assert_false(mf_time_control_exists(&s_time));
}

static void test_nobody_means_no_limit_but_on_lockstep(void **state)
{
    (void)state;
    s_report.now_us = 5;
    assert_int_equal(pass(), 5);
    mf_time_control_init(&s_time, false, "real", 9);
    assert_true(pass() == MF_NEVER);
}

static void test_a_grant_takes_effect_in_the_turn_after_it_was_read(void **state)
{
    (void)state;
    begin_with(1);
    say(0, "go 500\n");
    assert_int_equal(pass(), 0);
    mf_time_control_answer(&s_time);
    assert_true(mf_time_control_read(&s_time)); /* come back without sleeping */
    assert_int_equal(pass(), 500);
    mf_time_control_answer(&s_time);
    assert_false(mf_time_control_read(&s_time));
    heard(0, "");
    s_report.now_us = 499;
    assert_int_equal(turn(), 500);
    heard(0, "");
    s_report = (struct mf_time_report){500, 600, 700, 3, true, false, false, 0, 0};
    assert_int_equal(turn(), 500);
    heard(0, "at 500 next 600 events 3 armed 1 landed 0 in 0 out 0\n");
    s_report.next_us = MF_NEVER;
    assert_int_equal(turn(), 500);
    heard(0, "next never\n");
    assert_int_equal(turn(), 500);
    heard(0, "");
    assert_true(mf_time_control_exists(&s_time));
    say(0, "hold\n");
    (void)turn();
    assert_int_equal(turn(), 500);
    heard(0, "at 500 next never events 3 armed 1 landed 0 in 0 out 0\n");
}

static void test_go_ends_early_where_the_board_says_so(void **state)
{
    (void)state;
    begin_with(1);
    say(0, "go 500\n");
    (void)turn();
    assert_int_equal(turn(), 500);
    s_report.now_us = 321;
    s_report.stops = true;
    assert_int_equal(turn(), 321);
    heard(0, "at 321 next never events 0 armed 0 landed 1 in 0 out 0\n");
    s_report.stops = false;
    assert_int_equal(turn(), 321); /* time stands */
}

static void test_only_who_watches_is_told_the_truth(void **state)
{
    (void)state;
    const struct mf_pose truth = {.lat_deg = 1.0, .alt_amsl_m = 2.0};
    begin_with(2);
    assert_false(mf_time_control_watched(&s_time));
    say(0, "watch\n");
    (void)turn();
    assert_true(mf_time_control_watched(&s_time));
    s_time.truth = &truth;
    (void)turn();
    heard(0, "now 0 next never events 0 armed 0 landed 1 in 0 out 0 lat 1.000000000 lon "
             "0.000000000 alt 2.0000 vn 0.0000 ve 0.0000 vd 0.0000 yaw 0.000000\n");
    assert_false(mf_time_control_exists(&s_time)); /* who watches does not take part in time */
    say(1, "now\n");
    (void)turn();
    (void)turn();
    heard(1, "now 0 next never events 0 armed 0 landed 1 in 0 out 0\n");
    mf_time_control_close(&s_time, 0);
    assert_false(mf_time_control_watched(&s_time));
}

static void test_event_goes_on_until_something_has_happened(void **state)
{
    (void)state;
    begin_with(1);
    s_report = (struct mf_time_report){100, 200, 900, 4, true, false, false, 0, 0};
    say(0, "event\n");
    assert_int_equal(turn(), 100);
    assert_int_equal(turn(), 900);
    s_report =
        (struct mf_time_report){900, 950, 1300, 4, true, false, false, 0, 0}; /* it was nothing */
    assert_int_equal(turn(), 1300);
    s_report.event_us = MF_NEVER;
    assert_int_equal(turn(), 900); /* nothing will happen by itself: time stands */
    heard(0, "");
    s_report.events = 5;
    assert_int_equal(turn(), 900);
    heard(0, "at 900 next 950 events 5 armed 1 landed 0 in 0 out 0\n");
}

static void test_event_on_other_clocks_does_not_hold_what_has_no_end(void **state)
{
    (void)state;
    begin_with(1);
    s_report = (struct mf_time_report){100, 200, MF_NEVER, 4, true, false, false, 0, 0};
    say(0, "event\n");
    assert_true(turn() == MF_NEVER);
    assert_true(turn() == MF_NEVER);
    assert_true(mf_time_control_exists(&s_time));
}

static void test_hold_and_leave_on_other_clocks(void **state)
{
    (void)state;
    begin_with(1);
    say(0, "hold\nleave\n");
    s_report.now_us = 10;
    assert_true(turn() == MF_NEVER);
    s_report.now_us = 30;
    assert_int_equal(turn(), 30);
    heard(0, "at 30 next never events 0 armed 0 landed 1 in 0 out 0\n");
    assert_true(turn() == MF_NEVER);
    heard(0, "now 30 next never events 0 armed 0 landed 1 in 0 out 0\n");
    assert_false(mf_time_control_exists(&s_time));
}

static void test_the_past_is_refused_and_the_present_is_reached(void **state)
{
    (void)state;
    begin_with(1);
    s_report.now_us = 30;
    say(0, "go 100\n");
    (void)turn();
    say(0, "go 29\n");
    assert_int_equal(turn(), 100);
    assert_int_equal(turn(), 100);
    heard_names(0, "error go 29 30 1000000000000000 us");
    say(0, "go 30\n");
    (void)turn();
    assert_int_equal(turn(), 30);
    heard(0, "at 30 next never events 0 armed 0 landed 1 in 0 out 0\n");
}

static void test_the_strictest_counts(void **state)
{
    (void)state;
    begin_with(3);
    say(0, "go 500\n");
    say(1, "go 300\n");
    (void)turn();
    assert_int_equal(turn(), 300);
    s_report.now_us = 300;
    assert_int_equal(turn(), 300);
    heard(0, "");
    heard(1, "at 300 next never events 0 armed 0 landed 1 in 0 out 0\n");
    mf_time_control_close(&s_time, 1);
    mf_time_control_close(&s_time, 77); /* nobody */
    assert_int_equal(turn(), 500);
    assert_int_equal(s_time.count, 2);
    mf_time_control_close(&s_time, 0);
    assert_int_equal(turn(), 300); /* only the one that says nothing is left */
    heard(2, "");
}

static void test_room_for_four(void **state)
{
    (void)state;
    begin_with(MF_TIME_CONTROLLERS_MAX);
    assert_false(open_end(MF_TIME_CONTROLLERS_MAX));
    mf_time_control_close(&s_time, 2);
    assert_true(open_end(2));
}

static void test_lines_in_pieces_and_lines_too_long(void **state)
{
    (void)state;
    begin_with(1);
    say(0, "ho");
    (void)turn();
    say(0, "ld\nx\n");
    (void)turn();
    (void)turn();
    heard_names(0, "at 0 next never events 0 armed 0 landed 1 in 0 out 0 error x leave hold go T "
                   "event now watch");
    for (int i = 0; i < 20; i++) {
        say(0, "go 0123456789");
    }
    say(0, "\nnow\n");
    for (int i = 0; i < 8; i++) {
        (void)turn();
    }
    heard_names(0, "error 63 now 0 next never events 0 armed 0 landed 1 in 0 out 0");
}

static void test_who_does_not_read_counts_no_more(void **state)
{
    (void)state;
    begin_with(2);
    s_end[0].room = 60; /* for the first answer */
    say(0, "hold\n");
    (void)turn();
    assert_int_equal(turn(), 0);
    assert_int_equal(mf_time_control_broken(&s_time), MF_E_NOENT);
    say(0, "now\n");
    say(1, "go 50\n");
    (void)turn();
    (void)turn();
    assert_int_equal(mf_time_control_broken(&s_time), 0);
    assert_int_equal(turn(), 50);
    mf_time_control_close(&s_time, 0);
    assert_int_equal(mf_time_control_broken(&s_time), MF_E_NOENT);
}

static void test_a_boot_is_told_and_time_is_held(void **state)
{
    (void)state;
    begin_with(2);
    s_report.now_us = 400;
    say(0, "hold\n");
    (void)turn();
    assert_int_equal(turn(), 400);
    heard(0, "at 400 next never events 0 armed 0 landed 1 in 0 out 0\n");
    mf_time_control_boot(&s_time);
    mf_time_control_answer(&s_time); /* nothing is known of this boot yet */
    heard(0, HELLO);
    s_report.now_us = 0;
    assert_int_equal(turn(), 0);
    heard(0, "now 0 next never events 0 armed 0 landed 1 in 0 out 0\n"
             "at 0 next never events 0 armed 0 landed 1 in 0 out 0\n");
    heard(1, HELLO "now 0 next never events 0 armed 0 landed 1 in 0 out 0\n");
}

int main(void)
{
#define TEST(name)      cmocka_unit_test_setup(name, setup)
#define TEST_REAL(name) cmocka_unit_test_setup(name, setup_real)
    const struct CMUnitTest tests[] = {
        TEST(test_who_comes_is_greeted_and_told),
        TEST(test_nobody_means_no_limit_but_on_lockstep),
        TEST(test_a_grant_takes_effect_in_the_turn_after_it_was_read),
        TEST(test_go_ends_early_where_the_board_says_so),
        TEST(test_only_who_watches_is_told_the_truth),
        TEST(test_event_goes_on_until_something_has_happened),
        TEST_REAL(test_event_on_other_clocks_does_not_hold_what_has_no_end),
        TEST_REAL(test_hold_and_leave_on_other_clocks),
        TEST(test_the_past_is_refused_and_the_present_is_reached),
        TEST(test_the_strictest_counts),
        TEST(test_room_for_four),
        TEST(test_lines_in_pieces_and_lines_too_long),
        TEST(test_who_does_not_read_counts_no_more),
        TEST(test_a_boot_is_told_and_time_is_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
