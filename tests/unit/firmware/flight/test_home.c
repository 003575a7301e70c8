/* SPDX-License-Identifier: Apache-2.0 */
/* Home alone: its state, and no vehicle. */
#include "firmware/flight/home.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct mf_home k_there = {.manual = true,
                                       .lat_deg = 47.4,
                                       .lon_deg = 8.5,
                                       .alt_amsl_m = 500.0,
                                       .yaw_rad = 1.5f,
                                       .takeoff_amsl_m = 480.0};

static void expect(const struct mf_home *home, bool valid, bool hidden)
{
    assert_int_equal(home->valid, valid);
    assert_int_equal(home->hidden, hidden);
}

static void test_home_is_there_with_its_time(void **state)
{
    struct mf_home home = {0};
    (void)state;
    mf_home_put(&home, &k_there, false, 7000000);
    expect(&home, true, false);
    assert_true(home.manual && home.set_us == 7000000);
    assert_true(home.lat_deg == 47.4 && home.lon_deg == 8.5 && home.alt_amsl_m == 500.0);
    assert_true(home.yaw_rad == 1.5f && home.takeoff_amsl_m == 480.0);
}

static void test_a_fault_hides_it_and_gives_it_back(void **state)
{
    struct mf_home home = {0};
    (void)state;
    mf_home_put(&home, &k_there, false, 0);
    mf_home_hide(&home, true);
    expect(&home, false, true);
    mf_home_hide(&home, true);
    expect(&home, false, true);
    mf_home_hide(&home, false);
    expect(&home, true, false);
    assert_true(home.lat_deg == 47.4);
}

/* There is none that could be hidden, or be given back. */
static void test_a_home_that_never_was_stays_away(void **state)
{
    struct mf_home home = {0};
    (void)state;
    mf_home_hide(&home, true);
    expect(&home, false, false);
    mf_home_hide(&home, false);
    expect(&home, false, false);
}

static void test_one_that_is_set_while_hidden_comes_back_where_it_was_set(void **state)
{
    struct mf_home home = {0};
    (void)state;
    mf_home_put(&home, &k_there, true, 0);
    expect(&home, false, true);
    mf_home_hide(&home, false);
    expect(&home, true, false);
    assert_true(home.lat_deg == 47.4);
}

/* Heights count from the take-off, not from home, and are 0 before there is one. */
static void test_heights(void **state)
{
    struct mf_home home = {0};
    (void)state;
    assert_true(mf_home_relative_m(&home, 600.0) == 0.0);
    mf_home_put(&home, &k_there, false, 0);
    assert_true(mf_home_relative_m(&home, 600.0) == 120.0);
    mf_home_take_off_at(&home, 490.0);
    assert_true(mf_home_relative_m(&home, 600.0) == 110.0);
    mf_home_hide(&home, true);
    assert_true(mf_home_relative_m(&home, 600.0) == 110.0);
    assert_true(home.alt_amsl_m == 500.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_home_is_there_with_its_time),
        cmocka_unit_test(test_a_fault_hides_it_and_gives_it_back),
        cmocka_unit_test(test_a_home_that_never_was_stays_away),
        cmocka_unit_test(test_one_that_is_set_while_hidden_comes_back_where_it_was_set),
        cmocka_unit_test(test_heights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
