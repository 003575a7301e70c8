/* SPDX-License-Identifier: Apache-2.0 */
#include "hal-posix/achieved.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define S 1000000

static struct mf_pace s_pace;
static struct mf_achieved s_achieved;
static mf_us_t s_wall_us;

static int setup(void **state)
{
    (void)state;
    s_pace = (struct mf_pace){.mode = MF_PACE_SCALED, .rate = 20.0};
    s_wall_us = 100 * S;
    mf_achieved_start(&s_achieved, &s_pace, s_wall_us);
    return 0;
}

/* A second of the wall. @return whether `behind` has changed */
static bool second(mf_us_t vehicle_us, mf_us_t late_us, mf_us_t waited_us)
{
    s_wall_us += S;
    s_pace.vehicle_us += vehicle_us;
    s_pace.late_us += late_us;
    s_pace.waited_us += waited_us;
    return mf_achieved_note(&s_achieved, &s_pace, s_wall_us);
}

static void test_the_rate_of_the_last_second(void **state)
{
    (void)state;
    assert_true(s_achieved.rate < 0.0);
    assert_false(mf_achieved_note(&s_achieved, &s_pace, s_wall_us + S - 1));
    assert_true(s_achieved.rate < 0.0);
    assert_false(second(20 * S, 0, 0));
    assert_true(s_achieved.rate == 20.0);
    assert_false(second(5 * S, 0, 0)); /* held for a while, by somebody who may */
    assert_true(s_achieved.rate == 5.0);
    assert_false(s_achieved.behind);
}

static void test_a_pause_counts_as_a_whole(void **state)
{
    (void)state;
    s_wall_us += 3 * S;
    assert_false(second(8 * S, 0, 0)); /* 4 s since the start */
    assert_true(s_achieved.rate == 2.0);
}

static void test_behind_is_told_when_it_begins_and_ends(void **state)
{
    (void)state;
    assert_false(second(196 * S / 10, 20000, 0)); /* 2 % are within */
    assert_true(second(10 * S, 500000, 100000));
    assert_true(s_achieved.behind);
    assert_false(s_achieved.by_client);
    assert_false(second(10 * S, 100000, 400000));
    assert_true(s_achieved.behind);
    assert_true(s_achieved.by_client);
    for (int i = 0; i < 9; i++) {
        assert_false(second(20 * S, 0, 0));
    }
    assert_false(second(19 * S, 50000, 0)); /* the tenth loses some: it begins again */
    for (int i = 0; i < 9; i++) {
        assert_false(second(20 * S, 0, 0));
    }
    assert_true(second(20 * S, 0, 0));
    assert_false(s_achieved.behind);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_the_rate_of_the_last_second, setup),
        cmocka_unit_test_setup(test_a_pause_counts_as_a_whole, setup),
        cmocka_unit_test_setup(test_behind_is_told_when_it_begins_and_ends, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
