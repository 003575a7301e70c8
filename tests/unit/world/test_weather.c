/* SPDX-License-Identifier: Apache-2.0 */
/* SBE-17, UAV-13: weather by place, by hand. */
#include "world/weather.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* 3 m/s from the west everywhere; 4 m/s from the south in a box of 10 m; 1 m/s from the east in a
 * cylinder that reaches into it. */
static const struct mf_weather k_weather = {
    .air = {.wind = {3, 270}, .values = 1, .value = {{"temperature", 15}}},
    .regions = 2,
    .region = {{.at = {0, 0, 5},
                .size = {10, 10, 10},
                .air = {.wind = {4, 180}, .values = 2, .value = {{"temperature", 20}, {"gas", 7}}}},
               {.at = {10, 5, 0},
                .radius_m = 2,
                .height_m = 8,
                .air = {.wind = {1, 90}, .values = 1, .value = {{"temperature", 30}}}}}};

static void wind_is(double n, double e, double up, double to_n, double to_e)
{
    double ne[2];
    mf_weather_wind(&k_weather, (const double[]){n, e, up}, 0.0, ne);
    if (!(fabs(ne[0] - to_n) < 1e-12 && fabs(ne[1] - to_e) < 1e-12)) {
        fail_msg("wind at %g, %g, %g is %g, %g", n, e, up, ne[0], ne[1]);
    }
}

static void test_uav13_winds_of_regions_add_up(void **state)
{
    (void)state;
    wind_is(-1, 5, 6, 0, 3);
    wind_is(0, 5, 6, 4, 3);    /* the side of the box */
    wind_is(5, 5, 4.9, 0, 3);  /* below it */
    wind_is(5, 5, 15, 4, 3);   /* its top */
    wind_is(9, 5, 6, 4, 2);    /* in both */
    wind_is(11.9, 5, 6, 0, 2); /* in the cylinder */
    wind_is(12.1, 5, 6, 0, 3);
    wind_is(11, 6.8, 6, 0, 3); /* 2.06 m from its axis */
    wind_is(9, 5, 8.1, 4, 3);  /* above it */
}

static void test_sbe17_the_last_region_says_a_value(void **state)
{
    double value = -1;
    (void)state;
    assert_true(
        mf_weather_value(&k_weather, (const double[]){9, 5, 6}, 0.0, "temperature", &value));
    assert_true(value == 30);
    assert_true(mf_weather_value(&k_weather, (const double[]){9, 5, 6}, 0.0, "gas", &value));
    assert_true(value == 7);
    assert_true(
        mf_weather_value(&k_weather, (const double[]){5, 5, 6}, 0.0, "temperature", &value));
    assert_true(value == 20);
    assert_true(
        mf_weather_value(&k_weather, (const double[]){50, 5, 6}, 0.0, "temperature", &value));
    assert_true(value == 15);
    assert_false(mf_weather_value(&k_weather, (const double[]){50, 5, 6}, 0.0, "gas", &value));
    assert_true(value == 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uav13_winds_of_regions_add_up),
        cmocka_unit_test(test_sbe17_the_last_region_says_a_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
