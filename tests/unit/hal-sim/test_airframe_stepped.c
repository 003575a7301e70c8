/* SPDX-License-Identifier: Apache-2.0 */
/* hal-sim/airframe_stepped.h: the contract of an airframe that is polled; SBE-05. */
#include "hal-sim/airframe_stepped.h"

#include "world/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define S MF_SECOND_US

static const struct mf_stepped_settings k_made = {
    .kind = MF_STEPPED_BEE,
    .rate_hz = 10.0,
    .bee = {.mass_kg = 1e9, .length_m = 0.1, .accel_max_mps2 = 2.0, .period_s = 0.1}};
static struct mf_airframe_stepped s_body;
static struct mf_world_settings s_world;
static const struct mf_airframe_ops *const k_ops = &mf_airframe_stepped_ops;

static int begin(void **state)
{
    (void)state;
    s_world = mf_world_settings_default();
    s_world.home_yaw_deg = 90.0;
    /* the origin is 20 m south of home and 100 m higher */
    const struct mf_geo home = {s_world.home_lat_deg, s_world.home_lon_deg};
    s_body = (struct mf_airframe_stepped){.made = &k_made,
                                          .origin = mf_geo_from_local(home, -20.0, 0.0),
                                          .origin_amsl_m = s_world.home_alt_amsl_m + 100.0};
    mf_airframe_stepped_begin(&s_body, &s_world);
    return 0;
}

static struct mf_pose pose_at(mf_us_t t_us)
{
    struct mf_pose pose;
    assert_int_equal(k_ops->sample(&s_body, t_us, &pose), MF_E_OK);
    return pose;
}

static struct mf_leg leg_to(double north_m, double up_m)
{
    const struct mf_geo at = mf_geo_from_local(
        (struct mf_geo){s_world.home_lat_deg, s_world.home_lon_deg}, north_m, 0.0);
    return (struct mf_leg){.lat_deg = at.lat_deg,
                           .lon_deg = at.lon_deg,
                           .alt_amsl_m = s_world.home_alt_amsl_m + up_m,
                           .speed_h_mps = 5.0f,
                           .speed_up_mps = 2.0f,
                           .speed_down_mps = 2.0f,
                           .yaw_rad = 0.5f,
                           .yaw_rate_rps = 1.0f};
}

static double north_of(const struct mf_pose *p)
{
    double ne_m[2];
    mf_geo_to_local((struct mf_geo){s_world.home_lat_deg, s_world.home_lon_deg},
                    (struct mf_geo){p->lat_deg, p->lon_deg}, ne_m);
    return ne_m[0];
}

static void test_it_stands_at_home_and_needs_motors(void **state)
{
    (void)state;
    const struct mf_leg up = leg_to(0.0, 20.0);
    struct mf_leg bad = up;
    bad.speed_h_mps = NAN;
    const struct mf_pose p = pose_at(3 * S);
    assert_true(p.on_ground && p.alt_amsl_m == s_world.home_alt_amsl_m);
    assert_true(fabs((double)p.yaw_rad - 1.5707963) < 1e-6);
    assert_int_equal(k_ops->plan(&s_body, 3 * S, &up, 1), MF_E_DENIED);
    assert_int_equal(k_ops->arm(&s_body, 3 * S, true), MF_E_OK);
    assert_int_equal(k_ops->plan(&s_body, 3 * S, &bad, 1), MF_E_RANGE);
    assert_true(pose_at(5 * S).on_ground);
}

/* It says nothing of its future; up, on, down. */
static void test_it_flies_legs_and_is_polled(void **state)
{
    (void)state;
    mf_us_t at_us = 42;
    struct mf_leg leg[2] = {leg_to(0.0, 20.0), leg_to(60.0, 20.0)};
    assert_int_equal(k_ops->arm(&s_body, 1 * S, true), MF_E_OK);
    assert_int_equal(k_ops->plan(&s_body, 1 * S, leg, 2), MF_E_OK);
    assert_int_equal(k_ops->next(&s_body, 1 * S, MF_WHEN_ARRIVED, 0.0, &at_us), MF_E_NOSUPP);
    assert_true(at_us == MF_NEVER);
    struct mf_pose p = pose_at(6 * S);
    assert_true(!p.on_ground && p.alt_amsl_m > s_world.home_alt_amsl_m + 7.0);
    assert_true(fabs(north_of(&p)) < 1e-6 && fabs((double)p.yaw_rad - 0.5) < 1e-6);
    p = pose_at(60 * S); /* the second leg follows the first one */
    assert_true(fabs(north_of(&p) - 60.0) < 0.01);
    assert_true(fabs(p.alt_amsl_m - s_world.home_alt_amsl_m - 20.0) < 0.01);
    struct mf_leg land = leg_to(0.0, 0.0);
    land.land = true;
    assert_int_equal(k_ops->plan(&s_body, 60 * S, &land, 1), MF_E_OK);
    p = pose_at(90 * S);
    assert_true(p.on_ground && fabs(north_of(&p) - 60.0) < 0.01);
    assert_true(fabs(p.alt_amsl_m - s_world.home_alt_amsl_m) < 1e-9);
}

/* 3 m/s to the north while it turns by 0.1 rad/s; without motors it falls. */
static void test_it_flies_velocities_spins_and_falls(void **state)
{
    (void)state;
    struct mf_leg leg = leg_to(0.0, 40.0);
    assert_int_equal(k_ops->arm(&s_body, 0, true), MF_E_OK);
    assert_int_equal(k_ops->plan(&s_body, 0, &leg, 1), MF_E_OK);
    const struct mf_pose from = pose_at(60 * S);
    leg.velocity = true;
    leg.yaw_rad = NAN;
    leg.spin_rps = 0.1f;
    leg.vel_ned_mps[0] = 3.0f;
    assert_int_equal(k_ops->plan(&s_body, 60 * S, &leg, 1), MF_E_OK);
    struct mf_pose p = pose_at(70 * S);
    /* 2 m/s^2 for 1.5 s take 2.25 m off */
    assert_true(fabs(north_of(&p) - north_of(&from) - 27.75) < 0.02);
    assert_true(fabs((double)p.yaw_rad - 1.5) < 0.011);
    assert_int_equal(k_ops->plan(&s_body, 70 * S, NULL, 0), MF_E_OK);
    p = pose_at(90 * S); /* it comes back to where it was told to hold */
    assert_true(fabs(north_of(&p) - north_of(&from) - 27.75) < 0.05);
    assert_int_equal(k_ops->arm(&s_body, 90 * S, false), MF_E_OK);
    p = pose_at(91 * S);
    assert_true(fabs((double)p.vel_ned_mps[2] - 9.80665) < 1e-3);
    assert_true(pose_at(100 * S).on_ground);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_it_stands_at_home_and_needs_motors, begin),
        cmocka_unit_test_setup(test_it_flies_legs_and_is_polled, begin),
        cmocka_unit_test_setup(test_it_flies_velocities_spins_and_falls, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
