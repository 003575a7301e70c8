/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/world/physics_fixture.h"

static void test_rests_where_it_was_put(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    put(&b, HOME_LAT_DEG, HOME_LON_DEG, 0.5f);
    const struct mf_pose p = pose_at(&b, 12345);
    assert_true(p.lat_deg == HOME_LAT_DEG && p.lon_deg == HOME_LON_DEG);
    assert_true(p.alt_amsl_m == GROUND_M && p.ground_amsl_m == GROUND_M);
    assert_true(p.on_ground && stands(&p) && p.yaw_rad == 0.5f && p.yawspeed_rps == 0.0f);
    assert_true(next_us(&b, 7, MF_WHEN_TOUCHDOWN, 0.0) == 7);
    assert_true(next_us(&b, 7, MF_WHEN_LIFTOFF, 0.0) == MF_NEVER);
    assert_true(next_us(&b, 7, MF_WHEN_ARRIVED, 0.0) == MF_NEVER);
    assert_true(next_us(&b, 7, MF_WHEN_DISTANCE, 1e9) == MF_NEVER);
    assert_true(next_us(&b, 7, MF_WHEN_YAW, 0.0) == MF_NEVER);
}

static void test_plan_needs_motors(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    put(&b, HOME_LAT_DEG, HOME_LON_DEG, 0.5f);
    const struct mf_leg up = leg_up(&b, 10.0);
    assert_int_equal(k_ops->plan(&b, 0, &up, 1), MF_E_DENIED);
    assert_true(pose_at(&b, 60 * SECOND).on_ground);
    arm(&b, 60 * SECOND, true);
    assert_int_equal(k_ops->plan(&b, 60 * SECOND, &up, 1), MF_E_OK);
}

/* ---- shape: what a PX4 does in SIH ---- */

/* From rest over 100 m at 10 m/s PX4 takes 16 to 17 s to the radius of 2 m, and reaches 8.9 m/s;
 * with a corner of 90 degrees at the end. */
static void test_sim036_a_leg_of_100_metres(void **state)
{
    struct mf_airframe_physics b;
    double fastest = 0.0, steepest = 0.0, hardest = 0.0;
    (void)state;
    const mf_us_t t0_us = hover_home(&b, 10.0);
    struct mf_leg leg = leg_home(100.0, 0.0, 10.0);
    leg.radius_m = 2.0f;
    plan2(&b, t0_us, leg, leg_home(100.0, 100.0, 10.0));
    const mf_us_t at_us = next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0);
    for (mf_us_t t_us = t0_us; t_us < at_us; t_us += 10000) {
        const struct mf_pose p = pose_at(&b, t_us);
        fastest = fmax(fastest, speed_h(&p));
        steepest = fmax(steepest, tilt_deg(&p));
        hardest = fmax(hardest, hypot((double)p.acc_ned_mps2[0], (double)p.acc_ned_mps2[1]));
    }
    assert_near((double)(at_us - t0_us) * 1e-6, 16.5, 1.0);
    assert_near(fastest, 8.9, 0.05 * 8.9);
    assert_near(steepest, 43.0, 3.0);
    assert_near(hardest, 2.1, 0.2 * 2.1);
    const struct mf_pose corner = pose_at(&b, at_us);
    assert_near(speed_h(&corner), 1.3 * sqrt(0.5 * 3.0 * 2.0), 1e-3);
    assert_near(metres_apart(&corner, leg.lat_deg, leg.lon_deg), 2.0, 1e-4);
}

/* tan(tilt) = drag / g in level flight: 5 m/s give 27 degrees; nose down, flying north. */
static void test_tilt_balances_drag(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    const mf_us_t t0_us = hover_home(&b, 10.0);
    struct mf_leg leg = leg_home(1000.0, 0.0, 10.0);
    leg.speed_h_mps = 5.0f;
    leg.yaw_rad = 0.0f;
    plan(&b, t0_us, leg);
    const struct mf_pose p = pose_at(&b, t0_us + 60 * SECOND);
    assert_near((double)p.pitch_rad, -atan2(5.0, 9.80665), 1e-6);
    assert_near((double)p.roll_rad, 0.0, 1e-5);
    leg.yaw_rad = (float)(MF_PI / 2.0); /* facing east, the wind comes from the left */
    plan(&b, t0_us + 60 * SECOND, leg);
    const struct mf_pose q = pose_at(&b, t0_us + 90 * SECOND);
    assert_near((double)q.roll_rad, -atan2(5.0, 9.80665), 1e-5);
    assert_near((double)q.pitch_rad, 0.0, 1e-5);
}

/* On the ground for a second and the ramp's three, then 1.5 m/s up to 10 m, and 3 m/s above. */
static void test_takeoff_ramp(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    put(&b, HOME_LAT_DEG, HOME_LON_DEG, 0.5f);
    arm(&b, 0, true);
    plan(&b, 0, leg_up(&b, 60.0));
    assert_true(next_us(&b, 0, MF_WHEN_LIFTOFF, 0.0) == 4 * SECOND);
    assert_true(next_us(&b, 0, MF_WHEN_TOUCHDOWN, 0.0) == 0);
    const struct mf_pose waiting = pose_at(&b, 4 * SECOND - 1);
    assert_true(waiting.on_ground && stands(&waiting));
    assert_false(pose_at(&b, 4 * SECOND).on_ground);
    assert_true(next_us(&b, 5 * SECOND, MF_WHEN_LIFTOFF, 0.0) == 5 * SECOND);
    assert_true(next_us(&b, 5 * SECOND, MF_WHEN_TOUCHDOWN, 0.0) == MF_NEVER);
    const mf_us_t low_us = next_us(&b, 0, MF_WHEN_ALTITUDE, GROUND_M + 9.5);
    const mf_us_t high_us = next_us(&b, 0, MF_WHEN_ALTITUDE, GROUND_M + 30.0);
    assert_near(-(double)pose_at(&b, low_us).vel_ned_mps[2], 1.5, 0.05);
    assert_near(-(double)pose_at(&b, high_us).vel_ned_mps[2], 3.0, 0.1);
    const struct mf_pose up = pose_at(&b, next_us(&b, 0, MF_WHEN_ARRIVED, 0.0));
    assert_true(up.alt_amsl_m == GROUND_M + 60.0 && stands(&up));
    assert_true(up.lat_deg == HOME_LAT_DEG && up.lon_deg == HOME_LON_DEG);
}

/* Other limits and targets while it waits do not make it wait from the beginning; a stop does. */
static void test_takeoff_waits_once(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    put(&b, HOME_LAT_DEG, HOME_LON_DEG, 0.5f);
    arm(&b, 0, true);
    plan(&b, 0, leg_up(&b, 60.0));
    struct mf_physics_limits limits = b.now.limits;
    limits.vel_up_mps = 2.0f;
    assert_int_equal(mf_airframe_physics_ops.limit(&b, &limits), MF_E_OK);
    plan(&b, 2 * SECOND, leg_up(&b, 50.0));
    assert_true(next_us(&b, 2 * SECOND, MF_WHEN_LIFTOFF, 0.0) == 4 * SECOND);
    limits.takeoff_wait_s = 2.0f; /* one more */
    assert_int_equal(mf_airframe_physics_ops.limit(&b, &limits), MF_E_OK);
    plan(&b, 3 * SECOND, leg_up(&b, 50.0));
    assert_true(next_us(&b, 3 * SECOND, MF_WHEN_LIFTOFF, 0.0) == 5 * SECOND);
    assert_int_equal(mf_airframe_physics_ops.plan(&b, 4 * SECOND, NULL, 0), MF_E_OK);
    plan(&b, 4 * SECOND, leg_up(&b, 50.0));
    assert_true(next_us(&b, 4 * SECOND, MF_WHEN_LIFTOFF, 0.0) == 9 * SECOND);
    limits.takeoff_wait_s = 0.0f; /* that was over long ago */
    limits.takeoff_ramp_s = 0.1f;
    assert_int_equal(mf_airframe_physics_ops.limit(&b, &limits), MF_E_OK);
    plan(&b, 6 * SECOND, leg_up(&b, 50.0));
    assert_true(next_us(&b, 6 * SECOND, MF_WHEN_LIFTOFF, 0.0) == 6 * SECOND);
}

/* 1.5 m/s above 10 m, 0.92 of 0.7 below 5 m, which is what PX4 flies, 0.3 below 1 m, and no speed
 * on the ground. */
static void test_sim029_landing_slows_near_the_ground(void **state)
{
    struct mf_airframe_physics b;
    static const double k_speed[][2] = {{15.0, 1.5}, {4.0, 0.644}, {2.0, 0.644}, {0.4, 0.3}};
    (void)state;
    const mf_us_t t0_us = hover_home(&b, 20.0);
    struct mf_leg land = leg_to(47.5, 8.6, (double)NAN);
    land.land = true;
    plan(&b, t0_us, land);
    for (size_t i = 0; i < sizeof k_speed / sizeof k_speed[0]; i++) {
        const mf_us_t t_us = next_us(&b, t0_us, MF_WHEN_ALTITUDE, GROUND_M + k_speed[i][0]);
        assert_near((double)pose_at(&b, t_us).vel_ned_mps[2], k_speed[i][1], 1e-6);
    }
    const mf_us_t down_us = next_us(&b, t0_us, MF_WHEN_TOUCHDOWN, 0.0);
    assert_true(next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0) == down_us);
    const struct mf_pose before = pose_at(&b, down_us - 1);
    const struct mf_pose at = pose_at(&b, down_us);
    assert_near((double)before.vel_ned_mps[2], 0.0, 1e-5);
    assert_true(!before.on_ground && at.on_ground && stands(&at) && at.alt_amsl_m == GROUND_M);
    assert_true(at.lat_deg == HOME_LAT_DEG && at.lon_deg == HOME_LON_DEG);
    arm(&b, down_us + 2 * SECOND, false);
    assert_true(pose_at(&b, down_us + 3 * SECOND).on_ground);
}

/* At 9 m/s a landing first brakes, level over ground where it comes to a stop. */
static void test_landing_in_full_flight(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    const mf_us_t t0_us = hover_home(&b, 3.0);
    plan(&b, t0_us, leg_home(500.0, 0.0, 3.0));
    struct mf_leg land = leg_home(0.0, 0.0, 0.0);
    land.land = true;
    plan(&b, t0_us + 20 * SECOND, land);
    const mf_us_t down_us = next_us(&b, t0_us + 20 * SECOND, MF_WHEN_TOUCHDOWN, 0.0);
    const struct mf_pose p = pose_at(&b, down_us);
    assert_true(p.on_ground && stands(&p));
    assert_true(metres_apart(&p, HOME_LAT_DEG, HOME_LON_DEG) > 100.0);
}

/* Straight on through a target at full speed; round a corner slowly; to a stop without next leg. */
static void test_corners(void **state)
{
    static const double k_speed[][2] = {{0.0, 9.0}, {60.0, 2.9}, {90.0, 2.25}, {150.0, 1.16}};
    struct mf_airframe_physics b;
    (void)state;
    for (size_t i = 0; i < sizeof k_speed / sizeof k_speed[0]; i++) {
        const double turn_rad = k_speed[i][0] * MF_PI / 180.0;
        const mf_us_t t0_us = hover_home(&b, 20.0);
        struct mf_leg leg = leg_home(200.0, 0.0, 20.0);
        leg.radius_m = 2.0f;
        plan2(&b, t0_us, leg, leg_home(200.0 + 150.0 * cos(turn_rad), 150.0 * sin(turn_rad), 20.0));
        const mf_us_t at_us = next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0);
        const struct mf_pose p = pose_at(&b, at_us);
        assert_near(speed_h(&p), k_speed[i][1], i == 0 ? 0.7 : 0.1);
        assert_near(metres_apart(&p, leg.lat_deg, leg.lon_deg), 2.0, 1e-3);
        /* Nobody plans anew: at rest at the target, or behind it. */
        const struct mf_pose rest = pose_at(&b, at_us + 100 * SECOND);
        assert_true(stands(&rest));
        assert_true(i == 0  ? metres_apart(&rest, leg.lat_deg, leg.lon_deg) > 5.0
                    : i > 1 ? rest.lat_deg == leg.lat_deg && rest.lon_deg == leg.lon_deg
                            : true);
        assert_true(next_us(&b, at_us + 100 * SECOND, MF_WHEN_ARRIVED, 0.0) ==
                    at_us + 100 * SECOND);
    }
}

/* Round a square as a navigator does: within 3 m of each corner, and to the last one exactly. */
static void test_a_square(void **state)
{
    static const double k_corner[5][2] = {{0, 0}, {100, 0}, {100, 100}, {0, 100}, {0, 0}};
    struct mf_airframe_physics b;
    (void)state;
    mf_us_t t_us = hover_home(&b, 20.0);
    for (int i = 1; i < 5; i++) {
        struct mf_leg leg = leg_home(k_corner[i][0], k_corner[i][1], 20.0);
        leg.radius_m = i < 4 ? 2.0f : 0.0f;
        const struct mf_leg next =
            i < 4 ? leg_home(k_corner[i + 1][0], k_corner[i + 1][1], 20.0) : leg;
        const struct mf_leg legs[2] = {leg, next};
        assert_int_equal(k_ops->plan(&b, t_us, legs, i < 4 ? 2 : 1), MF_E_OK);
        const mf_us_t end_us = next_us(&b, t_us, MF_WHEN_ARRIVED, 0.0);
        for (; t_us < end_us; t_us += 100 * MF_MS_US) {
            const struct mf_pose p = pose_at(&b, t_us);
            double ne[2];
            mf_geo_to_local((struct mf_geo){HOME_LAT_DEG, HOME_LON_DEG},
                            (struct mf_geo){p.lat_deg, p.lon_deg}, ne);
            const double off_m = i % 2 == 1 ? ne[1] - k_corner[i][1] : ne[0] - k_corner[i][0];
            assert_true(fabs(off_m) < 1.5 || (i > 1 && fabs(off_m) < 2.5));
        }
        t_us = end_us;
    }
    const struct mf_pose home = pose_at(&b, t_us);
    const struct mf_leg last = leg_home(0.0, 0.0, 20.0);
    assert_true(home.lat_deg == last.lat_deg && home.lon_deg == last.lon_deg && stands(&home));
}

/* ---- geography ---- */

/* 100 km legs, over the antimeridian and high up north, too: velocity is the derivative of
 * position, the path a geodesic, and the end exact. */
static void test_long_legs_are_geodesics(void **state)
{
    static const double k_leg[][3] = {
        {0.0, 8.5, 30.0},    {0.0, 179.5, 90.0},     {47.0, -179.98, -60.0}, {70.0, 25.0, -100.0},
        {70.0, 179.9, 75.0}, {-35.0, 179.97, 135.0}, {85.0, 10.0, 45.0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_leg / sizeof k_leg[0]; i++) {
        struct mf_airframe_physics b;
        const struct mf_geo from = {k_leg[i][0], k_leg[i][1]};
        const struct mf_geo to = mf_geo_direct(from, mf_rad(k_leg[i][2]), 100e3);
        const mf_us_t t0_us = hover(&b, from.lat_deg, from.lon_deg, 50.0);
        plan(&b, t0_us, leg_to(to.lat_deg, to.lon_deg, GROUND_M + 150.0));
        const mf_us_t end_us = next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0);
        for (mf_us_t t_us = t0_us + 9 * SECOND; t_us < end_us; t_us += 777 * SECOND) {
            const struct mf_pose p = pose_at(&b, t_us);
            const struct mf_pose q = pose_at(&b, t_us + 10000);
            double ne_m[2];
            mf_geo_to_local((struct mf_geo){p.lat_deg, p.lon_deg},
                            (struct mf_geo){q.lat_deg, q.lon_deg}, ne_m);
            for (int axis = 0; axis < 2; axis++) {
                const double v = 0.5 * (double)(p.vel_ned_mps[axis] + q.vel_ned_mps[axis]);
                assert_near(ne_m[axis] * 100.0, v, 2e-5);
            }
            assert_near(metres_apart(&p, from.lat_deg, from.lon_deg) +
                            metres_apart(&p, to.lat_deg, to.lon_deg),
                        100e3, 1e-3);
        }
        const struct mf_pose before = pose_at(&b, end_us - 1);
        const struct mf_pose at = pose_at(&b, end_us);
        assert_near(metres_apart(&before, to.lat_deg, to.lon_deg), 0.0, 1e-6);
        assert_true(at.lat_deg == to.lat_deg && at.lon_deg == to.lon_deg && stands(&at));
    }
}

/* Over the pole: 20 km from 89.9 north to the other side, and down the opposite meridian. */
static void test_over_the_pole(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    const mf_us_t t0_us = hover(&b, 89.9, 10.0, 20.0);
    plan(&b, t0_us, leg_to(89.9, -170.0, GROUND_M + 20.0));
    const mf_us_t half_us = next_us(&b, t0_us, MF_WHEN_DISTANCE, 5000.0);
    const struct mf_pose beyond = pose_at(&b, half_us);
    assert_near(beyond.lon_deg, -170.0, 1e-6);
    assert_near((double)beyond.vel_ned_mps[0], -9.61, 0.01);
    assert_true(pose_at(&b, next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0)).lon_deg == -170.0);
}

/* ---- plans ---- */

static void test_plan_of_nothing_brakes(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    const mf_us_t t0_us = hover_home(&b, 20.0);
    const mf_us_t stop_us = t0_us + 15 * SECOND;
    plan(&b, t0_us, leg_home(1000.0, 500.0, 60.0));
    const struct mf_pose moving = pose_at(&b, stop_us);
    assert_int_equal(k_ops->plan(&b, stop_us, NULL, 0), MF_E_OK);
    const struct mf_pose soon = pose_at(&b, stop_us);
    const struct mf_pose held = pose_at(&b, stop_us + 10 * SECOND);
    const struct mf_pose later = pose_at(&b, stop_us + 36000 * SECOND);
    const double v = speed_h(&moving);
    assert_true(same_place(&moving, &soon) && v > 7.0);
    assert_true(stands(&held) && !held.on_ground && same_pose(&held, &later));
    assert_true(metres_apart(&held, moving.lat_deg, moving.lon_deg) < v * v / 4.0);
    assert_true(next_us(&b, stop_us, MF_WHEN_ARRIVED, 0.0) == MF_NEVER);
    const mf_us_t rest_us = next_us(&b, stop_us, MF_WHEN_REST, 0.0);
    const struct mf_pose before = pose_at(&b, rest_us - 1000);
    const struct mf_pose rest = pose_at(&b, rest_us);
    assert_true(!stands(&before) && stands(&rest));
    assert_true(next_us(&b, rest_us + 7, MF_WHEN_REST, 0.0) == rest_us + 7);
}

/* Sent to where it is just now, at 8 m/s: brakes, comes back, stands there. */
static void test_a_target_too_near_to_brake(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    const mf_us_t t0_us = hover_home(&b, 20.0);
    plan(&b, t0_us, leg_home(1000.0, 0.0, 20.0));
    const mf_us_t back_us = t0_us + 10 * SECOND;
    const struct mf_pose p = pose_at(&b, back_us);
    plan(&b, back_us, leg_to(p.lat_deg, p.lon_deg, p.alt_amsl_m));
    const struct mf_pose over = pose_at(&b, back_us + 4 * SECOND);
    const struct mf_pose at = pose_at(&b, next_us(&b, back_us, MF_WHEN_ARRIVED, 0.0));
    assert_true(metres_apart(&over, p.lat_deg, p.lon_deg) > 10.0);
    assert_true(same_place(&at, &p) && stands(&at));
}

/* What is asked in between, and how often, changes nothing. */
static void test_sim042_asking_changes_nothing(void **state)
{
    struct mf_airframe_physics asked, left_alone;
    (void)state;
    const mf_us_t t0_us = hover_home(&asked, 20.0);
    (void)hover_home(&left_alone, 20.0);
    plan(&asked, t0_us, leg_to(47.41, 8.56, 600.0));
    plan(&left_alone, t0_us, leg_to(47.41, 8.56, 600.0));
    for (mf_us_t t_us = t0_us; t_us < t0_us + 100 * SECOND; t_us += 99991) {
        (void)pose_at(&asked, t_us);
        (void)next_us(&asked, t_us, MF_WHEN_ALTITUDE, 550.0);
    }
    const struct mf_pose a = pose_at(&asked, t0_us + 100 * SECOND);
    const struct mf_pose l = pose_at(&left_alone, t0_us + 100 * SECOND);
    assert_true(same_pose(&a, &l));
}

/* From 20 m towards 20 m below ground: half way it meets the ground and stays. */
static void test_a_target_below_ground_ends_on_it(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    const mf_us_t t0_us = hover_home(&b, 20.0);
    plan(&b, t0_us, leg_home(1000.0, 0.0, -20.0));
    const mf_us_t down_us = next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0);
    assert_true(next_us(&b, t0_us, MF_WHEN_TOUCHDOWN, 0.0) == down_us);
    const struct mf_pose p = pose_at(&b, down_us);
    assert_true(p.on_ground && stands(&p) && p.alt_amsl_m == GROUND_M);
    assert_near(metres_apart(&p, HOME_LAT_DEG, HOME_LON_DEG), 500.0, 1e-6);
    /* On the ground already: nothing moves. */
    plan(&b, down_us, leg_home(1000.0, 0.0, -1.0));
    const struct mf_pose q = pose_at(&b, down_us + SECOND);
    assert_true(q.on_ground && same_place(&p, &q));
}

/* With a drag of 1 /s: 9.80665 (t - 1 + e^-t) = 20 after t = 2.98909997... s; after half of that
 * time it is 7.0499962 m lower, at 7.6065326 m/s. */
static void test_without_motors_it_falls(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    const mf_us_t t0_us = hover_home(&b, 20.0);
    plan(&b, t0_us, leg_home(1000.0, 0.0, 20.0));
    const mf_us_t off_us = t0_us + SECOND;
    const struct mf_pose last = pose_at(&b, off_us);
    arm(&b, off_us, false);
    const mf_us_t down_us = next_us(&b, off_us, MF_WHEN_TOUCHDOWN, 0.0);
    assert_true(down_us == off_us + FALL_US);
    const struct mf_pose half = pose_at(&b, off_us + FALL_US / 2);
    assert_near(half.alt_amsl_m, GROUND_M + 20.0 - 7.0499962, 1e-6);
    assert_near((double)half.vel_ned_mps[2], 7.6065326, 1e-6);
    assert_near((double)half.acc_ned_mps2[2], 9.80665 - 7.6065326, 1e-6);
    assert_true(half.lat_deg == last.lat_deg && half.lon_deg == last.lon_deg);
    const struct mf_pose at = pose_at(&b, down_us);
    assert_true(at.on_ground && stands(&at) && at.alt_amsl_m == GROUND_M);
    assert_true(next_us(&b, off_us, MF_WHEN_ARRIVED, 0.0) == MF_NEVER);
}

/* Without drag it is free: sqrt(2 * 20 / 9.80665) = 2.01961998... s. With it, the speed has
 * an end. */
static void test_drag_ends_the_gain_of_speed(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    const mf_us_t t0_us = hover_home(&b, 300.0);
    arm(&b, t0_us, false);
    const struct mf_pose late = pose_at(&b, t0_us + 20 * SECOND);
    assert_near((double)late.vel_ned_mps[2], 9.80665, 1e-5);
    assert_near((double)late.acc_ned_mps2[2], 0.0, 1e-5);
    /* 300 m / 9.80665 m/s + 1 s, of which e^-31 s are missing */
    assert_true(next_us(&b, t0_us, MF_WHEN_TOUCHDOWN, 0.0) == t0_us + 31591487);
    const mf_us_t low_us = next_us(&b, t0_us, MF_WHEN_ALTITUDE, GROUND_M + 100.0);
    assert_true(pose_at(&b, low_us).alt_amsl_m <= GROUND_M + 100.0);
    assert_true(pose_at(&b, low_us - 1).alt_amsl_m > GROUND_M + 100.0);
    struct mf_physics_limits free_fall = mf_physics_limits_px4;
    free_fall.drag_per_s = 0.0f;
    const mf_us_t from_us = hover_home(&b, 20.0);
    assert_int_equal(mf_airframe_physics_set_limits(&b, &free_fall), MF_E_OK);
    arm(&b, from_us, false);
    assert_true(next_us(&b, from_us, MF_WHEN_TOUCHDOWN, 0.0) == from_us + 2019620);
}

static void test_motors_on_again_end_the_fall(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    const mf_us_t t0_us = hover_home(&b, 20.0);
    arm(&b, t0_us, false);
    const struct mf_pose falling = pose_at(&b, t0_us + SECOND);
    arm(&b, t0_us + SECOND, true);
    const struct mf_pose held = pose_at(&b, t0_us + 9 * SECOND);
    assert_true(same_place(&falling, &held) && stands(&held) && !held.on_ground);
}

/* ---- the future ---- */

/* The instant of every event is the first microsecond at which a sample shows it. */
static void test_sim038_events_agree_with_samples_to_the_microsecond(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    const mf_us_t t0_us = hover_home(&b, 20.0);
    plan(&b, t0_us, leg_to(47.41, 8.56, 600.0));
    for (int i = 0; i < 13; i++) {
        const double alt_m = 509.0 + 7.3 * i;
        const mf_us_t at_us = next_us(&b, t0_us, MF_WHEN_ALTITUDE, alt_m);
        assert_true(pose_at(&b, at_us).alt_amsl_m >= alt_m);
        assert_true(pose_at(&b, at_us - 1).alt_amsl_m < alt_m);
        assert_true(next_us(&b, at_us + 1, MF_WHEN_ALTITUDE, alt_m) == MF_NEVER);
    }
    for (int i = 0; i < 14; i++) {
        const double far_m = 1.0 + 111.0 * i;
        const mf_us_t at_us = next_us(&b, t0_us, MF_WHEN_DISTANCE, far_m);
        const struct mf_pose p = pose_at(&b, at_us);
        assert_near(metres_apart(&p, 47.41, 8.56), far_m, 1.1e-5);
        assert_true(next_us(&b, at_us + 9, MF_WHEN_DISTANCE, far_m) == at_us + 9);
    }
    const mf_us_t end_us = next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0);
    assert_true(pose_at(&b, end_us).alt_amsl_m == 600.0);
    assert_true(next_us(&b, t0_us, MF_WHEN_ALTITUDE, 600.1) == MF_NEVER);
    assert_true(next_us(&b, t0_us, MF_WHEN_ALTITUDE, 500.0) == MF_NEVER);
    assert_true(next_us(&b, t0_us, MF_WHEN_DISTANCE, 1e7) == t0_us);
    assert_true(next_us(&b, t0_us, MF_WHEN_TOUCHDOWN, 0.0) == MF_NEVER);
    assert_true(next_us(&b, end_us + 5, MF_WHEN_ARRIVED, 0.0) == end_us + 5);
}

/* Climbing at 3 m/s when sent down again: it first passes 0.5 m more upwards, then downwards. */
static void test_altitudes_are_passed_both_ways(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    const mf_us_t t0_us = hover_home(&b, 20.0);
    plan(&b, t0_us, leg_home(0.0, 0.0, 100.0));
    const mf_us_t t_us = t0_us + 12 * SECOND;
    const double high_m = pose_at(&b, t_us).alt_amsl_m + 0.5;
    plan(&b, t_us, leg_home(0.0, 0.0, 20.0));
    const mf_us_t up_us = next_us(&b, t_us, MF_WHEN_ALTITUDE, high_m);
    assert_true(pose_at(&b, up_us - 1).alt_amsl_m < high_m &&
                pose_at(&b, up_us).alt_amsl_m >= high_m);
    assert_true(pose_at(&b, up_us).vel_ned_mps[2] < 0.0f);
    const mf_us_t down_us = next_us(&b, up_us + SECOND, MF_WHEN_ALTITUDE, high_m);
    assert_true(pose_at(&b, down_us - 1).alt_amsl_m > high_m);
    assert_true(pose_at(&b, down_us).alt_amsl_m <= high_m);
    assert_true(pose_at(&b, down_us).vel_ned_mps[2] > 0.0f);
}

/* Within the radius of 2 m, and within 0.8 m of the altitude; flown to the end all the same. */
static void test_arrival_within_a_radius(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    const mf_us_t t0_us = hover_home(&b, 20.0);
    struct mf_leg leg = leg_home(100.0, 0.0, 20.0);
    leg.radius_m = 2.0f;
    plan(&b, t0_us, leg);
    const mf_us_t at_us = next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0);
    const struct mf_pose p = pose_at(&b, at_us);
    const struct mf_pose before = pose_at(&b, at_us - 1);
    assert_true(metres_apart(&p, leg.lat_deg, leg.lon_deg) < 2.0 + 1e-6);
    assert_true(metres_apart(&before, leg.lat_deg, leg.lon_deg) > 2.0 - 1e-6);
    const struct mf_pose end = pose_at(&b, at_us + 20 * SECOND);
    assert_true(end.lat_deg == leg.lat_deg && stands(&end));
    /* A climb on the spot is over 0.8 m below its end. */
    leg.alt_amsl_m += 30.0;
    plan(&b, at_us + 20 * SECOND, leg);
    const mf_us_t up_us = next_us(&b, at_us + 20 * SECOND, MF_WHEN_ARRIVED, 0.0);
    assert_near(pose_at(&b, up_us).alt_amsl_m, leg.alt_amsl_m - 0.8, 1e-5);
}

/* Told to land when it counts as arrived, the body is 2 m away at about 2 m/s: it descends on its
 * way to rest, touches down at the target to the bit, and has not changed its way there by more
 * than a micrometre. A landing planned anew in the middle keeps the place. */
static void test_lands_at_the_target_that_counts_as_reached(void **state)
{
    struct mf_airframe_physics b;
    struct mf_airframe_physics undisturbed;
    (void)state;
    const mf_us_t t0_us = hover_home(&b, 20.0);
    struct mf_leg leg = leg_home(100.0, 60.0, 20.0);
    leg.radius_m = 2.0f;
    plan(&b, t0_us, leg);
    const mf_us_t at_us = next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0);
    undisturbed = b;
    struct mf_leg down = leg_home(0.0, 0.0, 0.0);
    down.land = true;
    plan(&b, at_us, down);
    for (mf_us_t t_us = at_us; t_us < at_us + 5 * SECOND; t_us += SECOND / 50) {
        const struct mf_pose p = pose_at(&b, t_us);
        const struct mf_pose q = pose_at(&undisturbed, t_us);
        assert_near(metres_apart(&p, q.lat_deg, q.lon_deg), 0.0, 1e-6);
        assert_near(speed_h(&p), speed_h(&q), 1e-6);
    }
    assert_true(pose_at(&b, at_us + SECOND).vel_ned_mps[2] > 0.5f);
    struct mf_airframe_physics again = b;
    plan(&again, at_us + SECOND, down);
    const mf_us_t touch_us = next_us(&b, at_us, MF_WHEN_TOUCHDOWN, 0.0);
    struct mf_pose end = pose_at(&b, touch_us);
    assert_true(end.on_ground && end.alt_amsl_m == GROUND_M);
    assert_true(end.lat_deg == leg.lat_deg && end.lon_deg == leg.lon_deg);
    end = pose_at(&again, touch_us + 10 * SECOND);
    assert_true(end.on_ground && end.lat_deg == leg.lat_deg && end.lon_deg == leg.lon_deg);
}

/* ---- heading ---- */

/* From 3.0 to -3.0 rad the short way: 0.28 rad clockwise, within the rate and without a jump. */
static void test_yaw_turns_the_short_way_while_it_flies(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    put(&b, HOME_LAT_DEG, HOME_LON_DEG, 3.0f);
    arm(&b, 0, true);
    struct mf_leg leg = leg_up(&b, 30.0);
    leg.yaw_rad = -3.0f;
    leg.yaw_rate_rps = 0.1f;
    plan(&b, 0, leg);
    const mf_us_t turned_us = next_us(&b, 0, MF_WHEN_YAW, 0.0);
    assert_true(turned_us > 2831853 && turned_us < 3400000);
    assert_near(fabs((double)pose_at(&b, turned_us / 2).yaw_rad), MF_PI, 1e-5);
    assert_near((double)pose_at(&b, turned_us / 2).yawspeed_rps, 0.1, 1e-8);
    assert_true(pose_at(&b, turned_us).yaw_rad == -3.0f);
    assert_true(pose_at(&b, turned_us).yawspeed_rps == 0.0f);
    leg.yaw_rad = 3.0f;
    plan(&b, 4 * SECOND, leg);
    assert_true(pose_at(&b, 5 * SECOND).yaw_rad < -3.0f);
    leg.yaw_rad = NAN;
    plan(&b, 5 * SECOND, leg);
    const struct mf_pose kept = pose_at(&b, 9 * SECOND);
    assert_true(kept.yaw_rad < -3.05f && kept.yaw_rad > -3.15f && kept.yawspeed_rps == 0.0f);
}

/* 3 m down take six seconds; a turn by 2 rad at 0.1 rad/s is not over then, and ends. */
static void test_touchdown_ends_a_turn(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    const mf_us_t t0_us = hover_home(&b, 3.0);
    struct mf_leg land = leg_up(&b, 0.0);
    land.land = true;
    land.yaw_rad = 2.5f;
    land.yaw_rate_rps = 0.1f;
    plan(&b, t0_us, land);
    const struct mf_pose p = pose_at(&b, t0_us + 15 * SECOND);
    const struct mf_pose q = pose_at(&b, t0_us + 16 * SECOND);
    assert_true(p.yaw_rad > 0.8f && p.yaw_rad < 1.8f && p.yawspeed_rps == 0.0f && p.on_ground);
    assert_true(same_pose(&p, &q));
    assert_true(next_us(&b, t0_us, MF_WHEN_YAW, 0.0) == MF_NEVER);
}

/* ---- limits ---- */

static void test_legs_that_cannot_be_flown_change_nothing(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    const mf_us_t t0_us = hover_home(&b, 20.0);
    plan(&b, t0_us, leg_to(47.41, 8.56, 600.0));
    const struct mf_pose before = pose_at(&b, t0_us + 5 * SECOND);
    struct mf_leg bad[22];
    for (size_t i = 0; i < 22; i++) {
        bad[i] = leg_to(47.42, 8.57, 550.0);
    }
    bad[0].lat_deg = (double)NAN;
    bad[1].lat_deg = 90.0000001;
    bad[2].lat_deg = -(double)INFINITY;
    bad[3].lon_deg = (double)NAN;
    bad[4].lon_deg = 180.1;
    bad[5].alt_amsl_m = (double)NAN;
    bad[6].alt_amsl_m = (double)INFINITY;
    bad[7].speed_h_mps = 0.0f;
    bad[8].speed_h_mps = -1.0f;
    bad[9].speed_h_mps = NAN;
    bad[10].speed_h_mps = INFINITY;
    bad[11].speed_up_mps = 0.0f;
    bad[12].speed_down_mps = NAN;
    bad[13].yaw_rad = INFINITY;
    bad[14].yaw_rad = 1.0f, bad[14].yaw_rate_rps = 0.0f;
    bad[15].yaw_rad = 1.0f, bad[15].yaw_rate_rps = NAN;
    bad[16].radius_m = -1.0f;
    bad[17].radius_m = NAN;
    bad[18].speed_h_mps = 1e-30f;
    bad[19].lat_deg = -47.4, bad[19].lon_deg = -171.4; /* nearly the antipode */
    bad[20].yaw_rad = 2.0f, bad[20].yaw_rate_rps = 1e-30f;
    bad[21].land = true, bad[21].speed_down_mps = 0.0f;
    for (size_t i = 0; i < 22; i++) {
        assert_int_equal(k_ops->plan(&b, t0_us + SECOND, &bad[i], 1), MF_E_RANGE);
        const struct mf_pose after = pose_at(&b, t0_us + 5 * SECOND);
        assert_true(same_pose(&after, &before));
    }
    const struct mf_leg second[2] = {leg_to(47.42, 8.57, 550.0), bad[1]};
    assert_int_equal(k_ops->plan(&b, t0_us + SECOND, second, 2), MF_E_RANGE);
}

static void test_bad_limits_are_refused(void **state)
{
    struct mf_airframe_physics b;
    struct mf_physics_limits bad[8];
    (void)state;
    put(&b, HOME_LAT_DEG, HOME_LON_DEG, 0.0f);
    for (size_t i = 0; i < 8; i++) {
        bad[i] = mf_physics_limits_px4;
    }
    bad[0].vel_h_mps = 0.0f;
    bad[1].jerk_mps3 = NAN;
    bad[2].acc_up_mps2 = INFINITY;
    bad[3].land_alt2_m = 11.0f; /* above land_alt1_m */
    bad[4].takeoff_wait_s = -1.0f;
    bad[5].tilt_max_rad = 1.6f;
    bad[6].drag_per_s = NAN;
    bad[7].alt_radius_m = -0.1f;
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(mf_airframe_physics_set_limits(&b, &bad[i]), MF_E_RANGE);
    }
    assert_true(b.now.limits.vel_h_mps == 12.0f && b.now.limits.jerk_mps3 == 4.0f);
}

/* Through the contract; drag stays the body's own. */
static void test_limits_come_from_the_autopilot(void **state)
{
    struct mf_airframe_physics b;
    struct mf_physics_limits limits = mf_physics_limits_px4;
    (void)state;
    put(&b, HOME_LAT_DEG, HOME_LON_DEG, 0.0f);
    limits.vel_h_mps = 7.0f;
    limits.drag_per_s = 0.0f;
    assert_int_equal(k_ops->limit(&b, &limits), MF_E_OK);
    assert_true(b.now.limits.vel_h_mps == 7.0f && b.now.limits.drag_per_s == 1.0f);
    limits.jerk_mps3 = -1.0f;
    assert_int_equal(k_ops->limit(&b, &limits), MF_E_RANGE);
    assert_true(b.now.limits.jerk_mps3 == 4.0f);
}

/* 40 m up over 60 m: the altitude counts later than the distance, and the corner ends there; then
 * straight up, where no distance is left. */
static void test_corners_of_steep_legs(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    const mf_us_t t0_us = hover_home(&b, 20.0);
    struct mf_leg leg = leg_home(60.0, 0.0, 60.0);
    leg.radius_m = 8.0f;
    plan2(&b, t0_us, leg, leg_home(60.0, 0.5, 100.0));
    const mf_us_t at_us = next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0);
    const struct mf_pose p = pose_at(&b, at_us);
    assert_near(p.alt_amsl_m, GROUND_M + 60.0 - 0.8, 1e-3);
    assert_near(metres_apart(&p, leg.lat_deg, leg.lon_deg), 0.8 * 60.0 / 40.0, 2e-3);
    assert_near((double)(at_us - t0_us) * 1e-6, 16.5, 2.0); /* 40 m at up to 3 m/s, no creeping */
    leg = leg_home(60.0, 0.0, 90.0);
    leg.radius_m = 8.0f;
    const mf_us_t t1_us = at_us + 60 * SECOND;
    plan2(&b, t1_us, leg, leg_home(160.0, 0.0, 90.0));
    const mf_us_t up_us = next_us(&b, t1_us, MF_WHEN_ARRIVED, 0.0);
    assert_near(pose_at(&b, up_us).alt_amsl_m, GROUND_M + 90.0 - 0.8, 1e-3);
}

static void test_two_bodies_do_not_touch(void **state)
{
    struct mf_airframe_physics a, b;
    (void)state;
    const mf_us_t t0_us = hover(&a, 10.0, 20.0, 20.0);
    (void)hover(&b, -10.0, -20.0, 20.0);
    const struct mf_pose before = pose_at(&b, t0_us + SECOND);
    plan(&a, t0_us, leg_to(10.1, 20.1, 600.0));
    const struct mf_pose after = pose_at(&b, t0_us + SECOND);
    assert_true(same_pose(&before, &after));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rests_where_it_was_put),
        cmocka_unit_test(test_plan_needs_motors),
        cmocka_unit_test(test_sim036_a_leg_of_100_metres),
        cmocka_unit_test(test_tilt_balances_drag),
        cmocka_unit_test(test_takeoff_ramp),
        cmocka_unit_test(test_takeoff_waits_once),
        cmocka_unit_test(test_sim029_landing_slows_near_the_ground),
        cmocka_unit_test(test_landing_in_full_flight),
        cmocka_unit_test(test_corners),
        cmocka_unit_test(test_a_square),
        cmocka_unit_test(test_long_legs_are_geodesics),
        cmocka_unit_test(test_over_the_pole),
        cmocka_unit_test(test_plan_of_nothing_brakes),
        cmocka_unit_test(test_a_target_too_near_to_brake),
        cmocka_unit_test(test_sim042_asking_changes_nothing),
        cmocka_unit_test(test_a_target_below_ground_ends_on_it),
        cmocka_unit_test(test_without_motors_it_falls),
        cmocka_unit_test(test_drag_ends_the_gain_of_speed),
        cmocka_unit_test(test_motors_on_again_end_the_fall),
        cmocka_unit_test(test_sim038_events_agree_with_samples_to_the_microsecond),
        cmocka_unit_test(test_altitudes_are_passed_both_ways),
        cmocka_unit_test(test_arrival_within_a_radius),
        cmocka_unit_test(test_lands_at_the_target_that_counts_as_reached),
        cmocka_unit_test(test_yaw_turns_the_short_way_while_it_flies),
        cmocka_unit_test(test_touchdown_ends_a_turn),
        cmocka_unit_test(test_legs_that_cannot_be_flown_change_nothing),
        cmocka_unit_test(test_bad_limits_are_refused),
        cmocka_unit_test(test_limits_come_from_the_autopilot),
        cmocka_unit_test(test_corners_of_steep_legs),
        cmocka_unit_test(test_two_bodies_do_not_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
