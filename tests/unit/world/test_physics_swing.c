/* SPDX-License-Identifier: Apache-2.0 */
#include "world/physics_swing.h"

#include "tests/unit/world/physics_fixture.h"

/* Build a swing with a damping ratio of 1/2, so phi is 60 degrees, from 2 m/s with up to 1 m/s^2: w
 * = e^(60 deg / tan 60 deg) / 2 = 0.91525973 rad/s, which needs a jerk of 1.6754 m/s^3 only. */
static struct mf_swing half_damped(void)
{
    return mf_swing(2.0, 0.5, 1.0, 4.0);
}

/* The textbook's figures of a second-order system. e^(-pi / sqrt 3) = 0.16303 is the overshoot of
 * its step response, here the share of the speed with which the body swings back. */
static void test_sim048_figures_of_a_second_order_system(void **state)
{
    (void)state;
    const struct mf_swing s = half_damped();
    assert_near(s.rate_rps, 0.9152597333, 1e-9);
    assert_near(mf_swing_way_m(&s), 2.0 / 0.9152597333, 1e-8);
    const struct mf_motion begin = mf_swing_at(&s, 0.0);
    assert_near(begin.x_m, -2.0 / 0.9152597333, 1e-8);
    assert_near(begin.v_mps, 2.0, 1e-12);
    assert_near(begin.a_mps2, 0.0, 1e-12);
    assert_near(begin.j_mps3, -2.0 * 0.9152597333 * 0.9152597333, 1e-8);
    const double damped_rps = 0.9152597333 * sqrt(0.75);
    const struct mf_motion top = mf_swing_at(&s, 2.0 * M_PI / 3.0 / damped_rps);
    assert_near(top.x_m, 2.0 / 0.9152597333 * 0.29843606, 1e-7);
    assert_near(top.v_mps, 0.0, 1e-9);
    const struct mf_motion back = mf_swing_at(&s, M_PI / damped_rps);
    assert_near(back.v_mps, -2.0 * 0.1630335, 1e-7);
    assert_near(back.a_mps2, 0.0, 1e-9);
}

/* The differential equation itself, in steps of 0.1 ms by the method of Runge and Kutta. */
static void test_sim048_it_is_the_free_response(void **state)
{
    static const double k_damping[] = {0.1, 0.3, 0.5, 0.7, 0.9, 0.99};
    (void)state;
    for (size_t i = 0; i < sizeof k_damping / sizeof k_damping[0]; i++) {
        const struct mf_swing s = mf_swing(5.0, k_damping[i], 1.5, 4.0);
        const double w = s.rate_rps, z = k_damping[i], h = 1e-4;
        double x = -mf_swing_way_m(&s), v = 5.0;
        for (int n = 0; n < 100000; n++) {
            const double a1 = -w * w * x - 2.0 * z * w * v;
            const double v2 = v + 0.5 * h * a1, a2 = -w * w * (x + 0.5 * h * v) - 2.0 * z * w * v2;
            const double v3 = v + 0.5 * h * a2, a3 = -w * w * (x + 0.5 * h * v2) - 2.0 * z * w * v3;
            const double v4 = v + h * a3, a4 = -w * w * (x + h * v3) - 2.0 * z * w * v4;
            x += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
            v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
            if (n % 1000 == 999) {
                const struct mf_motion m = mf_swing_at(&s, (n + 1) * h);
                assert_near(m.x_m, x, 1e-9);
                assert_near(m.v_mps, v, 1e-9);
                assert_near(m.a_mps2, -w * w * x - 2.0 * z * w * v, 1e-9);
                assert_near(m.j_mps3, -w * w * v - 2.0 * z * w * m.a_mps2, 1e-9);
            }
        }
    }
}

/* Samples of every millisecond reach one of both limits, and exceed none. */
static void test_limits_are_kept(void **state)
{
    static const struct {
        double v_mps, damping, acc_mps2, jerk_mps3;
    } k[] = {
        {5.0, 0.5, 1.5, 4.0}, {5.0, 0.2, 1.5, 4.0}, {0.5, 0.7, 1.5, 4.0}, {12.0, 0.9, 3.0, 0.5}};
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        const struct mf_swing s = mf_swing(k[i].v_mps, k[i].damping, k[i].acc_mps2, k[i].jerk_mps3);
        double hardest = 0.0, sharpest = 0.0;
        for (int ms = 0; ms < (int)(s.duration_s * 1e3); ms++) {
            const struct mf_motion m = mf_swing_at(&s, 1e-3 * ms);
            hardest = fmax(hardest, fabs(m.a_mps2) / k[i].acc_mps2);
            sharpest = fmax(sharpest, fabs(m.j_mps3) / k[i].jerk_mps3);
        }
        assert_true(hardest <= 1.0 + 1e-9 && sharpest <= 1.0 + 1e-9);
        assert_near(fmax(hardest, sharpest), 1.0, 1e-5);
    }
}

/* The swing ends at a passage of the target, and its speed stays below a centimetre per second. */
static void test_marks_and_the_end(void **state)
{
    (void)state;
    const struct mf_swing s = half_damped();
    for (unsigned n = 0; n < 8; n++) {
        const struct mf_motion m = mf_swing_at(&s, mf_swing_mark_s(&s, n));
        assert_near(n % 2 == 0 ? m.x_m : m.v_mps, 0.0, 1e-12);
        assert_true(mf_swing_mark_s(&s, n) < mf_swing_mark_s(&s, n + 1));
    }
    assert_near(mf_swing_at(&s, s.duration_s).x_m, 0.0, 1e-12);
    double fastest = 0.0;
    for (int ms = 0; ms < 20000; ms++) {
        fastest = fmax(fastest, fabs(mf_swing_at(&s, s.duration_s + 1e-3 * ms).v_mps));
    }
    assert_true(fastest <= 0.01 && fastest > 0.01 * exp(-2.0 * M_PI / sqrt(3.0)));
    const struct mf_swing none = mf_swing(0.0, 0.5, 1.0, 1.0);
    assert_true(none.duration_s == 0.0 && mf_swing_way_m(&none) == 0.0);
}

/* ---- a body ---- */

static mf_us_t hover_damped(struct mf_airframe_physics *b, double height_m, float damping)
{
    struct mf_physics_limits limits = mf_physics_limits_px4;
    limits.damping = damping;
    mf_airframe_physics_init(b, HOME_LAT_DEG, HOME_LON_DEG, GROUND_M, 0.0f, &limits);
    arm(b, 0, true);
    plan(b, SECOND, leg_up(b, height_m));
    return next_us(b, SECOND, MF_WHEN_ARRIVED, 0.0);
}

static double north_of(struct mf_airframe_physics *b, mf_us_t t_us, double north_m)
{
    const struct mf_pose p = pose_at(b, t_us);
    const double past = p.lat_deg - leg_home(north_m, 0.0, 0.0).lat_deg;
    return copysign(metres_apart(&p, leg_home(north_m, 0.0, 0.0).lat_deg, HOME_LON_DEG), past);
}

/* A climb at up to 1.5 m/s: 0.53 of 3 m/s^2 would allow 1.94 rad/s, the jerk of 4 m/s^3 allows w =
 * sqrt(4 / v) = 1.63. It overshoots by v / w * 0.29844, and goes back with 0.16303 v. */
static void test_sim048_a_climb_overshoots_its_altitude(void **state)
{
    struct mf_airframe_physics b;
    double highest = 0.0, sinks = 0.0, climbs = 0.0;
    (void)state;
    const mf_us_t t0_us = hover_damped(&b, 10.0, 0.5f);
    for (mf_us_t t_us = SECOND; t_us < t0_us; t_us += 5000) {
        const struct mf_pose p = pose_at(&b, t_us);
        highest = fmax(highest, p.alt_amsl_m - GROUND_M - 10.0);
        sinks = fmax(sinks, (double)p.vel_ned_mps[2]);
        climbs = fmax(climbs, -(double)p.vel_ned_mps[2]);
    }
    assert_near(climbs, 1.5, 0.05);
    assert_near(highest, climbs / sqrt(4.0 / climbs) * 0.29843606, 1e-4);
    assert_near(sinks, climbs * 0.1630335, 1e-4);
    const struct mf_pose after = pose_at(&b, t0_us);
    assert_true(stands(&after) && after.alt_amsl_m == GROUND_M + 10.0);
}

/* 100 m north at up to 5 m/s; position, velocity and acceleration do not jump. */
static void test_sim048_a_leg_overshoots_its_target(void **state)
{
    struct mf_airframe_physics b;
    double farthest = 0.0, back = 0.0, fastest = 0.0;
    (void)state;
    const mf_us_t t0_us = hover_damped(&b, 20.0, 0.5f);
    struct mf_leg leg = leg_home(100.0, 0.0, 20.0);
    leg.speed_h_mps = 5.0f;
    plan(&b, t0_us, leg);
    const mf_us_t at_us = next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0);
    struct mf_pose last = pose_at(&b, t0_us);
    for (mf_us_t t_us = t0_us; t_us <= at_us; t_us += 10000) {
        const struct mf_pose p = pose_at(&b, t_us);
        farthest = fmax(farthest, north_of(&b, t_us, 100.0));
        fastest = fmax(fastest, (double)p.vel_ned_mps[0]);
        back = fmin(back, (double)p.vel_ned_mps[0]);
        assert_near((double)p.vel_ned_mps[0], (double)last.vel_ned_mps[0], 0.01 * 3.0);
        assert_near((double)p.acc_ned_mps2[0], (double)last.acc_ned_mps2[0], 0.01 * 4.0 + 1e-6);
        assert_near(metres_apart(&p, last.lat_deg, last.lon_deg), 0.0, 0.01 * 5.1);
        last = p;
    }
    const double w = 1.59 * 1.8305195 / fastest;
    assert_near(farthest, fastest / w * 0.29843606, 2e-3);
    assert_near(back, -fastest * 0.1630335, 1e-3);
    assert_true(fastest > 4.5 && farthest > 2.0);
    const struct mf_pose after = pose_at(&b, at_us);
    assert_true(stands(&after) && after.lat_deg == leg.lat_deg &&
                after.alt_amsl_m == GROUND_M + 20.0);
}

/* Events against samples of every millisecond, also those that the swing brings a second time. */
static void test_sim038_events_of_a_swing_agree_with_samples(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    const mf_us_t t0_us = hover_damped(&b, 20.0, 0.3f);
    struct mf_leg leg = leg_home(60.0, 0.0, 35.0);
    leg.radius_m = 2.0f;
    plan(&b, t0_us, leg);
    const mf_us_t near_us = next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0);
    const struct mf_pose near = pose_at(&b, near_us);
    assert_true(metres_apart(&near, leg.lat_deg, leg.lon_deg) <= 2.0 + 1e-6);
    const mf_us_t rest_us = next_us(&b, near_us, MF_WHEN_REST, 0.0);
    int distances = 0, altitudes = 0;
    for (mf_us_t t_us = near_us; t_us < rest_us; t_us += 1000) {
        const struct mf_pose p = pose_at(&b, t_us), q = pose_at(&b, t_us + 1000);
        const double far[2] = {fabs(north_of(&b, t_us, 60.0)),
                               fabs(north_of(&b, t_us + 1000, 60.0))};
        if (far[0] > 0.5 && far[1] <= 0.5) {
            const mf_us_t got_us = next_us(&b, t_us, MF_WHEN_DISTANCE, 0.5);
            assert_true(got_us > t_us && got_us <= t_us + 1000);
            distances++;
        }
        if ((p.alt_amsl_m > GROUND_M + 35.1) != (q.alt_amsl_m > GROUND_M + 35.1)) {
            const mf_us_t got_us = next_us(&b, t_us, MF_WHEN_ALTITUDE, GROUND_M + 35.1);
            assert_true(got_us > t_us && got_us <= t_us + 1000);
            altitudes++;
        }
    }
    assert_true(distances >= 2 && altitudes >= 2);
    assert_true(next_us(&b, rest_us, MF_WHEN_ALTITUDE, GROUND_M + 35.1) == MF_NEVER);
}

/* A new plan in a swing goes on from its state. */
static void test_a_plan_ends_a_swing_without_a_jump(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    const mf_us_t t0_us = hover_damped(&b, 20.0, 0.3f);
    struct mf_leg leg = leg_home(60.0, 0.0, 35.0);
    leg.radius_m = 2.0f;
    plan(&b, t0_us, leg);
    const mf_us_t t1_us = next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0) + 3 * SECOND;
    const struct mf_pose before = pose_at(&b, t1_us);
    assert_true(fabs((double)before.vel_ned_mps[2]) > 0.01);
    plan(&b, t1_us, leg_home(60.0, 80.0, 35.0));
    const struct mf_pose after = pose_at(&b, t1_us);
    assert_true(metres_apart(&after, before.lat_deg, before.lon_deg) < 1e-6);
    for (int i = 0; i < 3; i++) {
        assert_near((double)after.vel_ned_mps[i], (double)before.vel_ned_mps[i], 1e-5);
        assert_near((double)after.acc_ned_mps2[i], (double)before.acc_ned_mps2[i], 1e-5);
    }
}

/* A descent to half a metre above ground would swing into it, and brakes instead; one to five
 * metres swings. A landing never does. */
static void test_no_swing_reaches_the_ground(void **state)
{
    struct mf_airframe_physics b;
    (void)state;
    for (int low = 0; low < 2; low++) {
        const double height_m = low ? 0.1 : 5.0;
        const mf_us_t t0_us = hover_damped(&b, 20.0, 0.5f);
        double lowest = 20.0;
        plan(&b, t0_us, leg_home(0.0, 0.0, height_m));
        const mf_us_t at_us = next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0);
        for (mf_us_t t_us = t0_us; t_us < at_us; t_us += 10000) {
            lowest = fmin(lowest, pose_at(&b, t_us).alt_amsl_m - GROUND_M);
        }
        assert_true(low ? lowest >= 0.1 - 1e-9 : lowest < 4.9);
    }
    const mf_us_t t0_us = hover_damped(&b, 20.0, 0.5f);
    struct mf_leg leg = leg_home(0.0, 0.0, 0.0);
    leg.land = true;
    plan(&b, t0_us, leg);
    const mf_us_t down_us = next_us(&b, t0_us, MF_WHEN_TOUCHDOWN, 0.0);
    for (mf_us_t t_us = t0_us; t_us < down_us; t_us += 10000) {
        assert_true((double)pose_at(&b, t_us).vel_ned_mps[2] >= -1e-9);
    }
}

/* The damping ratio is the body's own, and 0.1 to 1. */
static void test_damping_is_a_limit_of_the_body(void **state)
{
    struct mf_airframe_physics b;
    struct mf_physics_limits limits = mf_physics_limits_px4;
    static const float k_bad[] = {0.0f, 0.09f, 1.01f, NAN};
    (void)state;
    (void)hover_damped(&b, 20.0, 0.5f);
    limits.damping = 0.0f;
    assert_int_equal(k_ops->limit(&b, &limits), MF_E_OK);
    assert_true(b.now.limits.damping == 0.5f);
    for (size_t i = 0; i < sizeof k_bad / sizeof k_bad[0]; i++) {
        limits.damping = k_bad[i];
        assert_int_equal(mf_airframe_physics_set_limits(&b, &limits), MF_E_RANGE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim048_figures_of_a_second_order_system),
        cmocka_unit_test(test_sim048_it_is_the_free_response),
        cmocka_unit_test(test_limits_are_kept),
        cmocka_unit_test(test_marks_and_the_end),
        cmocka_unit_test(test_sim048_a_climb_overshoots_its_altitude),
        cmocka_unit_test(test_sim048_a_leg_overshoots_its_target),
        cmocka_unit_test(test_sim038_events_of_a_swing_agree_with_samples),
        cmocka_unit_test(test_a_plan_ends_a_swing_without_a_jump),
        cmocka_unit_test(test_no_swing_reaches_the_ground),
        cmocka_unit_test(test_damping_is_a_limit_of_the_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
