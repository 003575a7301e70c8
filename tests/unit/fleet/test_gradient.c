/* SPDX-License-Identifier: Apache-2.0 */
/* SBE-23, fleet/gradient.h: slopes of fields by hand, the order of beacons, a walk in a field that
 * falls with distance. */
#include "fleet/gradient.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct mf_behaviour k_walk = {.rate_hz = 10.0, .speed_max_mps = 2.0};

static void hear(struct mf_gradient *g, uint32_t beacon, double north, double east, double dbm)
{
    const double ne[2] = {north, east};
    (void)mf_gradient_hear(g, -50.0, beacon, ne, dbm);
}

static void test_the_slope_of_a_plane(void **state)
{
    double up[2];
    struct mf_gradient g = {.count = 2};
    (void)state;
    assert_false(mf_gradient_slope(&g, up));
    /* -80 + 0.3 north + 0.4 east at the corners of 20 m x 20 m */
    hear(&g, 0, -10, -10, -87);
    hear(&g, 0, -10, 10, -79);
    hear(&g, 0, 10, 10, -73);
    assert_false(mf_gradient_slope(&g, up)); /* three are too few */
    hear(&g, 0, 10, -10, -81);
    assert_true(mf_gradient_slope(&g, up));
    assert_true(fabs(up[0] - 0.6) < 1e-6 && fabs(up[1] - 0.8) < 1e-6);
}

static void test_equal_strengths_have_no_slope(void **state)
{
    double up[2];
    struct mf_gradient g = {.count = 2};
    (void)state;
    for (int k = 0; k < 6; k++) {
        hear(&g, 0, k, k * k, -70);
    }
    assert_false(mf_gradient_slope(&g, up));
}

static void test_places_on_a_line_show_the_slope_along_it(void **state)
{
    double up[2];
    struct mf_gradient g = {.count = 2};
    (void)state;
    for (int k = 0; k < 8; k++) {
        hear(&g, 0, k, 0, -80 - k);
    }
    assert_true(mf_gradient_slope(&g, up));
    assert_true(fabs(up[0] + 1.0) < 1e-6 && fabs(up[1]) < 1e-6);
}

/* Beacons 0, 1, 2, then 1, 0: the others are not heard meanwhile. */
static void test_sbe23_beacons_come_in_order_and_back(void **state)
{
    static const uint32_t k_order[] = {0, 1, 2, 1, 0};
    struct mf_gradient g = {.count = 3};
    (void)state;
    for (uint32_t k = 0; k < 5; k++) {
        assert_int_equal(g.aim, k_order[k]);
        assert_int_equal(g.back, k > 2);
        hear(&g, (k_order[k] + 1u) % 3u, 0, 0, -30); /* strong, but not what it aims at */
        assert_int_equal(g.reached, k);
        hear(&g, k_order[k], 0, 0, -50.5);
        assert_int_equal(g.reached, k); /* not strong enough */
        hear(&g, k_order[k], 0, 0, -50);
        assert_int_equal(g.reached, k + 1u);
        assert_int_equal(g.samples, 0);
    }
    assert_true(g.done);
    hear(&g, 0, 0, 0, -30);
    assert_int_equal(g.reached, 5);
}

/* -30 - 40 log10(d / m) dBm around (100, 60): -50 dBm is at 3.16 m. */
static void test_it_climbs_to_a_beacon_from_anywhere(void **state)
{
    (void)state;
    for (uint32_t start = 0; start < 24; start++) {
        struct mf_gradient g = {.count = 2, .aim = 1};
        struct mf_mind mind = {.key = start, .heading_rad = (float)(start * 0.26)};
        double at[2] = {100.0 + 110.0 * cos(start), 60.0 + 110.0 * sin(start)};
        for (mind.turns = 0; mind.turns < 2000 && g.reached == 0; mind.turns++) {
            float vel[3];
            if (mind.turns % 3 == 0) {
                const double d = hypot(at[0] - 100.0, at[1] - 60.0);
                (void)mf_gradient_hear(&g, -50.0, 1, at, -30.0 - 40.0 * log10(d));
            }
            mf_gradient_steer(&g, &k_walk, &mind, vel);
            assert_true(hypot((double)vel[0], (double)vel[1]) < 2.0001 && vel[2] == 0.0f);
            at[0] += (double)vel[0] / 10.0;
            at[1] += (double)vel[1] / 10.0;
        }
        assert_int_equal(g.reached, 1);
        assert_true(mind.turns < 1200); /* 110 m at 2 m/s are 550 turns */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_slope_of_a_plane),
        cmocka_unit_test(test_equal_strengths_have_no_slope),
        cmocka_unit_test(test_places_on_a_line_show_the_slope_along_it),
        cmocka_unit_test(test_sbe23_beacons_come_in_order_and_back),
        cmocka_unit_test(test_it_climbs_to_a_beacon_from_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
