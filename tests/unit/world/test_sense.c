/* SPDX-License-Identifier: Apache-2.0 */
/* SBE-06, SBE-17: what sensors on a body measure, by hand. */
#include "world/sense.h"

#include "math/trig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define QUARTER 1.57079632679489661923
#define G       9.80665

static const struct mf_sense_mount k_plain = {{0, 0, 0}, 0, 0};
static const struct mf_sense_mount k_down = {{0, 0, 0}, 0, -QUARTER};

static void is_near(const double *seen, const double *expected, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (!(fabs(seen[k] - expected[k]) < 1e-12)) {
            fail_msg("value %zu is %.15g, not %.15g", k, seen[k], expected[k]);
        }
    }
}

static struct mf_sense on(const struct mf_sense_body *body, const struct mf_sense_mount *mount)
{
    struct mf_sense s;
    mf_sense_on(body, mount, &s);
    return s;
}

static void test_sbe17_an_accelerometer_at_rest_feels_what_holds_it_up(void **state)
{
    double out[3];
    (void)state;
    struct mf_sense_body body = {.rpy_rad = {0, 0, 2.5}};
    struct mf_sense s = on(&body, &k_plain);
    mf_sense_acceleration(&s, out);
    is_near(out, (double[]){0, 0, -G}, 3);
    body.rpy_rad[0] = QUARTER; /* it lies on its right side: right is down */
    s = on(&body, &k_plain);
    mf_sense_acceleration(&s, out);
    is_near(out, (double[]){0, -G, 0}, 3);
    body.rpy_rad[0] = 0;
    s = on(&body, &k_down); /* it looks along gravity */
    mf_sense_acceleration(&s, out);
    is_near(out, (double[]){-G, 0, 0}, 3);
}

/* North at 2 m/s2, with the heading east: it pulls to the left. 1 m ahead of the middle of a body
 * that turns at 3 rad/s it pulls inward with 9 m/s2, and moves to the right at 3 m/s. */
static void test_sbe17_acceleration_and_the_arm_of_a_turn(void **state)
{
    double out[3];
    (void)state;
    const struct mf_sense_body body = {.neu_m = {10, 20, 30},
                                       .vel_ned_mps = {1, 2, -3},
                                       .acc_ned_mps2 = {2, 0, 0},
                                       .rpy_rad = {0, 0, QUARTER},
                                       .rpy_per_s = {0, 0, 3}};
    const struct mf_sense_mount mount = {{1, 0, 0.5}, 0, 0};
    const struct mf_sense s = on(&body, &mount);
    mf_sense_acceleration(&s, out);
    is_near(out, (double[]){-9, -2, -G}, 3);
    is_near(s.neu_m, (double[]){10, 21, 29.5}, 3);
    is_near(s.vel_mps, (double[]){1 - 3, 2, 3}, 3);
}

/* Pitched up by 90 degrees, a roll turns about the vertical. */
static void test_sbe17_a_gyroscope_turns_about_its_own_axes(void **state)
{
    double out[3];
    (void)state;
    const struct mf_sense_body body = {.rpy_per_s = {0.1, 0.2, 0.3}};
    struct mf_sense s = on(&body, &k_plain);
    mf_sense_rates(&s, out);
    is_near(out, (double[]){0.1, 0.2, 0.3}, 3);
    s = on(&body, &(struct mf_sense_mount){{0}, QUARTER, 0}); /* it looks to the right */
    mf_sense_rates(&s, out);
    is_near(out, (double[]){0.2, -0.1, 0.3}, 3);
    const struct mf_sense_body up = {.rpy_rad = {0, QUARTER, 0}, .rpy_per_s = {0, 0, 0.3}};
    s = on(&up, &k_plain);
    mf_sense_rates(&s, out);
    is_near(out, (double[]){-0.3, 0, 0}, 3);
}

/* 5 m over flat ground at 3 m/s ahead and 4 m/s to the right: 5 / 5 = 1 rad/s in all. */
static void test_sbe17_optical_flow_is_speed_over_height(void **state)
{
    (void)state;
    struct mf_sense_body body = {
        .neu_m = {0, 0, 5}, .vel_ned_mps = {-4, 3, 0}, .rpy_rad = {0, 0, QUARTER}};
    struct mf_sense s = on(&body, &k_down);
    struct mf_sense_flow flow = mf_sense_flow(&s, NULL, 100);
    is_near(&flow.distance_m, (double[]){5}, 1);
    is_near(&flow.x_rps, (double[]){-4.0 / 5.0}, 1);
    is_near(&flow.y_rps, (double[]){3.0 / 5.0}, 1);
    is_near((double[]){hypot(flow.x_rps, flow.y_rps)}, (double[]){1}, 1);
    body.rpy_per_s[0] = 0.25; /* a turn to the right about ahead adds to it */
    body.rpy_per_s[1] = -0.5;
    s = on(&body, &k_down);
    flow = mf_sense_flow(&s, NULL, 100);
    is_near(&flow.x_rps, (double[]){-4.0 / 5.0 + 0.25}, 1);
    is_near(&flow.y_rps, (double[]){3.0 / 5.0 - 0.5}, 1);
    is_near(flow.turn_rps, (double[]){0.25, -0.5, 0}, 3);
    flow = mf_sense_flow(&s, NULL, 4.9);
    assert_true(isinf(flow.distance_m));
    is_near(&flow.x_rps, (double[]){0.25}, 1);
}

/* A box of 2 m between the sensor and the ground, and a wall ahead. */
static void test_sbe17_flow_and_range_see_obstacles(void **state)
{
    static double memory[512];
    struct mf_space space;
    (void)state;
    assert_true(mf_space_bytes(2) <= sizeof memory);
    mf_space_init(&space, 2, memory);
    const struct mf_solid box = {MF_SOLID_BOX, {0, 0, 0}, {10, 10, 2}, {1, 0}, 0, 0};
    const struct mf_solid wall = {MF_SOLID_BOX, {21, 0, 0}, {2, 80, 50}, {1, 0}, 0, 0};
    assert_int_equal(mf_space_add_solid(&space, 0, &box), MF_E_OK);
    assert_int_equal(mf_space_add_solid(&space, 1, &wall), MF_E_OK);
    mf_space_build(&space);
    const struct mf_sense_body body = {.neu_m = {0, 0, 6}, .vel_ned_mps = {2, 0, 0}};
    struct mf_sense s = on(&body, &k_down);
    const struct mf_sense_flow flow = mf_sense_flow(&s, &space, 100);
    is_near(&flow.distance_m, (double[]){4}, 1);
    is_near(&flow.y_rps, (double[]){0.5}, 1);
    s = on(&body, &k_plain);
    is_near((double[]){mf_sense_ray(&space, s.neu_m, s.ahead, 30)}, (double[]){20}, 1);
    assert_true(isinf(mf_sense_ray(&space, s.neu_m, s.ahead, 20)));
    double toward[3];
    mf_sense_toward(&s, QUARTER / 1.5, toward); /* 60 degrees to the right: twice as far */
    is_near((double[]){mf_sense_ray(&space, s.neu_m, toward, 50)}, (double[]){40}, 1);
    mf_sense_toward(&s, QUARTER, toward);
    assert_true(isinf(mf_sense_ray(&space, s.neu_m, toward, 1000)));
    /* 30 degrees down the ground is twice the height away; from below it is not seen */
    const struct mf_sense_mount slant = {{0}, QUARTER * 2, -QUARTER / 3};
    const struct mf_sense_body beside = {.neu_m = {-20, 0, 6}};
    s = on(&beside, &slant);
    is_near((double[]){mf_sense_ray(&space, s.neu_m, s.ahead, 50)}, (double[]){12}, 1);
    assert_true(isinf(mf_sense_ray(NULL, (double[]){0, 0, -1}, s.ahead, 50)));
}

/* UavSim's camera: 0.785 rad to each side at 30 m sees 59.95 m. */
static void test_sbe17_a_camera_sees_a_rectangle_below_it(void **state)
{
    double corner[4][2];
    const double half_rad[2] = {0.785, 0.5};
    (void)state;
    struct mf_sense_body body = {.neu_m = {100, 200, 30}};
    struct mf_sense s = on(&body, &k_down);
    mf_sense_footprint(&s, half_rad, corner);
    const double across = 30 * tan(0.785), along = 30 * tan(0.5);
    assert_true(fabs(2 * across - 59.9522) < 1e-4);
    is_near(corner[0], (double[]){100 + along, 200 - across}, 2);
    is_near(corner[1], (double[]){100 + along, 200 + across}, 2);
    is_near(corner[2], (double[]){100 - along, 200 + across}, 2);
    is_near(corner[3], (double[]){100 - along, 200 - across}, 2);
    body.rpy_rad[2] = QUARTER; /* its heading is east */
    s = on(&body, &k_down);
    mf_sense_footprint(&s, half_rad, corner);
    is_near(corner[0], (double[]){100 + across, 200 + along}, 2);
    /* 45 degrees down with 0.5 rad to each side: the upper edge is 45 degrees - 0.5 rad down */
    const struct mf_sense_mount ahead = {{0}, 0, -QUARTER / 2};
    body.rpy_rad[2] = 0;
    s = on(&body, &ahead);
    mf_sense_footprint(&s, half_rad, corner);
    is_near(&corner[0][0], (double[]){100 + 30 / tan(QUARTER / 2 - 0.5)}, 1);
    s = on(&body, &k_plain); /* level: the upper corners are above the horizon */
    mf_sense_footprint(&s, half_rad, corner);
    assert_true(isinf(corner[0][0]) && isinf(corner[1][1]));
    is_near(&corner[2][0], (double[]){100 + 30 / tan(0.5)}, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbe17_an_accelerometer_at_rest_feels_what_holds_it_up),
        cmocka_unit_test(test_sbe17_acceleration_and_the_arm_of_a_turn),
        cmocka_unit_test(test_sbe17_a_gyroscope_turns_about_its_own_axes),
        cmocka_unit_test(test_sbe17_optical_flow_is_speed_over_height),
        cmocka_unit_test(test_sbe17_flow_and_range_see_obstacles),
        cmocka_unit_test(test_sbe17_a_camera_sees_a_rectangle_below_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
