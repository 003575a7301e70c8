/* SPDX-License-Identifier: Apache-2.0 */
/* Legs of velocity, on both bodies. */
#include "physics_fixture.h"
#include "world/airframe_constant.h"

static struct mf_airframe_constant s_constant;
static struct mf_airframe_physics s_physics;

/* Either body, behind its contract. */
struct body {
    const struct mf_airframe_ops *ops;
    void *ctx;
};

static const struct body k_body[] = {{&mf_airframe_constant_ops, &s_constant},
                                     {&mf_airframe_physics_ops, &s_physics}};

static struct mf_leg velocity(float north, float east, float down)
{
    return (struct mf_leg){
        .velocity = true, .vel_ned_mps = {north, east, down}, .yaw_rad = NAN, .yaw_rate_rps = 1.0f};
}

static struct mf_pose look(const struct body *b, mf_us_t t_us)
{
    struct mf_pose pose;
    assert_int_equal(b->ops->sample(b->ctx, t_us, &pose), MF_E_OK);
    return pose;
}

static mf_us_t when(const struct body *b, mf_us_t t_us, enum mf_when what, double value)
{
    mf_us_t at_us = -1;
    assert_int_equal(b->ops->next(b->ctx, t_us, what, value, &at_us), MF_E_OK);
    return at_us;
}

static void send(const struct body *b, mf_us_t t_us, struct mf_leg leg)
{
    assert_int_equal(b->ops->plan(b->ctx, t_us, &leg, 1), MF_E_OK);
}

static void place(void)
{
    mf_airframe_constant_init(&s_constant, HOME_LAT_DEG, HOME_LON_DEG, GROUND_M, 0.0f);
    mf_airframe_physics_init(&s_physics, HOME_LAT_DEG, HOME_LON_DEG, GROUND_M, 0.0f,
                             &mf_physics_limits_px4);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(k_body[i].ops->arm(k_body[i].ctx, 0, true), MF_E_OK);
    }
}

/* 20 m above the ground after 100 s, at rest. */
static void raise_both(void)
{
    place();
    for (size_t i = 0; i < 2; i++) {
        const struct mf_leg up = leg_to(HOME_LAT_DEG, HOME_LON_DEG, GROUND_M + 20.0);
        send(&k_body[i], 0, up);
        assert_true(when(&k_body[i], 0, MF_WHEN_ARRIVED, 0.0) < 100 * SECOND);
    }
}

/* 3 m/s north and 4 m/s east for 10 s is 30 m and 40 m; a metre of latitude here is 1 / 111183.5
 * degree (WGS84, meridian radius 6370360 m), altitude stays to the bit. */
static void test_constant_goes_straight_at_once(void **state)
{
    (void)state;
    raise_both();
    send(&k_body[0], 100 * SECOND, velocity(3.0f, 4.0f, 0.0f));
    const struct mf_pose begin = look(&k_body[0], 100 * SECOND);
    assert_near((double)begin.vel_ned_mps[0], 3.0, 1e-6);
    assert_near((double)begin.vel_ned_mps[1], 4.0, 1e-6);
    const struct mf_pose p = look(&k_body[0], 110 * SECOND);
    assert_near(metres_apart(&p, HOME_LAT_DEG, HOME_LON_DEG), 50.0, 1e-6);
    assert_near((p.lat_deg - HOME_LAT_DEG) * 111183.5, 30.0, 0.01);
    assert_true(p.alt_amsl_m == GROUND_M + 20.0);
    assert_true(p.vel_ned_mps[2] == 0.0f && !p.on_ground);
    const struct mf_pose later = look(&k_body[0], 3700 * SECOND);
    assert_near(metres_apart(&later, HOME_LAT_DEG, HOME_LON_DEG), 18000.0, 1e-4);
}

/* Down at 1 m/s from 20 m: on the ground after exactly 20 s, where it stays. */
static void test_constant_touches_down_on_the_microsecond(void **state)
{
    (void)state;
    raise_both();
    send(&k_body[0], 100 * SECOND, velocity(2.0f, 0.0f, 1.0f));
    assert_int_equal(when(&k_body[0], 100 * SECOND, MF_WHEN_TOUCHDOWN, 0.0), 120 * SECOND);
    assert_int_equal(when(&k_body[0], 100 * SECOND, MF_WHEN_ALTITUDE, GROUND_M + 5.0),
                     115 * SECOND);
    const struct mf_pose p = look(&k_body[0], 120 * SECOND);
    assert_true(p.on_ground && p.alt_amsl_m == GROUND_M && p.vel_ned_mps[2] == 0.0f);
    const struct mf_pose q = look(&k_body[0], 500 * SECOND);
    assert_near(metres_apart(&q, HOME_LAT_DEG, HOME_LON_DEG), 40.0, 1e-6);
}

/* Nothing arrives: neither a place nor a distance. */
static void test_a_velocity_never_arrives(void **state)
{
    (void)state;
    raise_both();
    for (size_t i = 0; i < 2; i++) {
        struct mf_leg leg = velocity(1.0f, 0.0f, 0.0f);
        send(&k_body[i], 100 * SECOND, leg);
        assert_true(when(&k_body[i], 100 * SECOND, MF_WHEN_ARRIVED, 0.0) == MF_NEVER);
        assert_true(when(&k_body[i], 100 * SECOND, MF_WHEN_DISTANCE, 1e9) == MF_NEVER);
        assert_true(when(&k_body[i], 100 * SECOND, MF_WHEN_TOUCHDOWN, 0.0) == MF_NEVER);
        assert_true(when(&k_body[i], 100 * SECOND, MF_WHEN_YAW, 0.0) == 100 * SECOND);
        leg.spin_rps = 1.0f;
        send(&k_body[i], 110 * SECOND, leg);
        assert_true(when(&k_body[i], 110 * SECOND, MF_WHEN_YAW, 0.0) == MF_NEVER);
    }
}

/* On the ground only upwards; then off it at once. */
static void test_from_the_ground(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const struct body *b = &k_body[i];
        place();
        send(b, 0, velocity(5.0f, 0.0f, 0.0f));
        assert_true(look(b, 10 * SECOND).on_ground);
        send(b, 10 * SECOND, velocity(5.0f, 0.0f, 1.0f));
        const struct mf_pose p = look(b, 20 * SECOND);
        assert_true(p.on_ground && metres_apart(&p, HOME_LAT_DEG, HOME_LON_DEG) == 0.0);
        send(b, 20 * SECOND, velocity(0.0f, 0.0f, -1.0f));
        send(b, 20 * SECOND, velocity(1.0f, 0.0f, -1.0f));
        assert_true(when(b, 20 * SECOND, MF_WHEN_TOUCHDOWN, 0.0) == MF_NEVER);
        const struct mf_pose q = look(b, 30 * SECOND);
        assert_false(q.on_ground);
        assert_near(q.alt_amsl_m, GROUND_M + 10.0, i == 0 ? 1e-9 : 1.0);
        assert_near((double)q.vel_ned_mps[2], -1.0, 1e-6);
    }
}

/* 0.1 rad/s for 100 s is 10 rad, 10 - 4 pi = -2.566; a billion turns later it still is exact to
 * what a double holds. The ground ends it. */
static void test_spin(void **state)
{
    (void)state;
    raise_both();
    for (size_t i = 0; i < 2; i++) {
        struct mf_leg leg = velocity(0.0f, 0.0f, 0.0f);
        leg.spin_rps = 0.1f;
        send(&k_body[i], 100 * SECOND, leg);
        const struct mf_pose p = look(&k_body[i], 200 * SECOND);
        assert_near((double)p.yawspeed_rps, 0.1, 1e-6);
        assert_near((double)p.yaw_rad, 10.0 - 4.0 * MF_PI, i == 0 ? 1e-5 : 0.05);
        const struct mf_pose q = look(&k_body[i], 100000000 * SECOND);
        assert_true(fabs((double)q.yaw_rad) <= MF_PI + 1e-6);
        leg.vel_ned_mps[2] = 1.0f;
        send(&k_body[i], 100000001 * SECOND, leg);
        const mf_us_t down_us = when(&k_body[i], 100000001 * SECOND, MF_WHEN_TOUCHDOWN, 0.0);
        const struct mf_pose ground = look(&k_body[i], down_us);
        const struct mf_pose after = look(&k_body[i], down_us + 100 * SECOND);
        assert_true(ground.on_ground && ground.yaw_rad == after.yaw_rad);
        assert_true(after.yawspeed_rps == 0.0f);
    }
}

/* Position, velocity and acceleration do not jump from plan to plan; speeds stay within limits. */
static void test_physics_is_smooth(void **state)
{
    static const float k_vel[][3] = {{5.0f, 0.0f, 0.0f},   {0.0f, 5.0f, -2.0f},
                                     {-40.0f, 0.0f, 9.0f}, {0.0f, 0.0f, -50.0f},
                                     {3.0f, -3.0f, 0.5f},  {0.0f, 0.0f, 0.0f}};
    (void)state;
    raise_both();
    const struct body *b = &k_body[1];
    struct mf_pose last = look(b, 100 * SECOND);
    for (mf_us_t t_us = 100 * SECOND; t_us < 130 * SECOND; t_us += 10000) {
        if (t_us % 700000 == 0) {
            const float *vel = k_vel[t_us / 700000 % 6];
            send(b, t_us, velocity(vel[0], vel[1], vel[2]));
        }
        const struct mf_pose p = look(b, t_us);
        for (int i = 0; i < 3; i++) {
            assert_near((double)p.vel_ned_mps[i], (double)last.vel_ned_mps[i], 0.06);
            assert_near((double)p.acc_ned_mps2[i], (double)last.acc_ned_mps2[i], 0.0801);
        }
        assert_true(speed_h(&p) <= 12.0 + 1e-4);
        assert_true(p.alt_amsl_m >= GROUND_M);
        last = p;
    }
}

/* It settles at the velocity, and then every second is that far. */
static void test_physics_settles(void **state)
{
    (void)state;
    raise_both();
    const struct body *b = &k_body[1];
    send(b, 100 * SECOND, velocity(0.0f, 6.0f, -1.0f));
    const struct mf_pose p = look(b, 120 * SECOND);
    const struct mf_pose q = look(b, 130 * SECOND);
    assert_near((double)p.vel_ned_mps[1], 6.0, 1e-4);
    assert_near((double)p.vel_ned_mps[2], -1.0, 1e-6);
    assert_near(metres_apart(&q, p.lat_deg, p.lon_deg), 60.0, 1e-4);
    assert_near(q.alt_amsl_m - p.alt_amsl_m, 10.0, 1e-6);
    assert_near((double)p.acc_ned_mps2[1], 0.0, 1e-6);
    assert_true((double)p.roll_rad > 0.1); /* against drag: atan(6 / 9.8) */
}

static void test_physics_touches_down_where_sample_says(void **state)
{
    (void)state;
    raise_both();
    const struct body *b = &k_body[1];
    send(b, 100 * SECOND, velocity(3.0f, 0.0f, 1.0f));
    const mf_us_t at_us = when(b, 100 * SECOND, MF_WHEN_TOUCHDOWN, 0.0);
    assert_true(at_us > 120 * SECOND && at_us < 121 * SECOND); /* 20 m, and the way up to 1 m/s */
    assert_false(look(b, at_us - 1).on_ground);
    const struct mf_pose p = look(b, at_us);
    assert_true(p.on_ground && p.alt_amsl_m == GROUND_M && speed_h(&p) == 0.0);
    send(b, at_us, velocity(3.0f, 0.0f, 1.0f));
    assert_true(look(b, at_us).on_ground);
}

/* A velocity that turns around just above the ground brakes as well as it can, and never below. */
static void test_physics_brakes_above_the_ground(void **state)
{
    (void)state;
    raise_both();
    const struct body *b = &k_body[1];
    send(b, 100 * SECOND, velocity(0.0f, 0.0f, 1.5f));
    const mf_us_t low_us = when(b, 100 * SECOND, MF_WHEN_ALTITUDE, GROUND_M + 0.1);
    send(b, low_us, velocity(0.0f, 0.0f, -1.0f));
    for (mf_us_t t_us = low_us; t_us < low_us + 5 * SECOND; t_us += 1000) {
        assert_true(look(b, t_us).alt_amsl_m >= GROUND_M);
    }
    assert_true(look(b, low_us + 5 * SECOND).on_ground);
}

static void test_refuses_what_is_no_velocity(void **state)
{
    (void)state;
    raise_both();
    struct mf_leg bad[] = {velocity(NAN, 0.0f, 0.0f),  velocity(0.0f, INFINITY, 0.0f),
                           velocity(0.0f, 0.0f, 2e9f), velocity(1.0f, 0.0f, 0.0f),
                           velocity(1.0f, 0.0f, 0.0f), velocity(1.0f, 0.0f, 0.0f)};
    bad[3].spin_rps = NAN;
    bad[4].land = true;
    bad[5].spin_rps = 2e3f;
    for (size_t i = 0; i < 2; i++) {
        const struct mf_pose before = look(&k_body[i], 200 * SECOND);
        for (size_t j = 0; j < sizeof bad / sizeof bad[0]; j++) {
            assert_int_equal(k_body[i].ops->plan(k_body[i].ctx, 150 * SECOND, &bad[j], 1),
                             MF_E_RANGE);
        }
        const struct mf_pose after = look(&k_body[i], 200 * SECOND);
        assert_true(same_pose(&before, &after));
    }
}

/* The one at constant speed shows a tilt that is asked for, in the air; the other one knows
 * its own. */
static void test_tilt_of_a_leg(void **state)
{
    (void)state;
    raise_both();
    struct mf_leg leg = velocity(1.0f, 0.0f, 1.0f); /* 20 s to the ground */
    leg.roll_rad = 0.1f;
    leg.pitch_rad = -0.2f;
    send(&k_body[0], 100 * SECOND, leg);
    send(&k_body[1], 100 * SECOND, leg);
    assert_true(look(&k_body[0], 119 * SECOND).roll_rad == 0.1f);
    assert_true(look(&k_body[0], 119 * SECOND).pitch_rad == -0.2f);
    assert_true(look(&k_body[1], 110 * SECOND).roll_rad != 0.1f);
    assert_true(look(&k_body[0], 121 * SECOND).on_ground);
    assert_true(look(&k_body[0], 121 * SECOND).roll_rad == 0.0f);
    send(&k_body[0], 110 * SECOND, velocity(1.0f, 0.0f, 0.0f));
    assert_true(look(&k_body[0], 110 * SECOND).pitch_rad == 0.0f);
    send(&k_body[0], 111 * SECOND, leg);
    assert_int_equal(k_body[0].ops->arm(k_body[0].ctx, 112 * SECOND, false),
                     MF_E_OK); /* it falls */
    assert_true(look(&k_body[0], 113 * SECOND).roll_rad == 0.0f);
    for (size_t i = 0; i < 2; i++) {
        place();
        leg.roll_rad = NAN;
        assert_int_equal(k_body[i].ops->plan(k_body[i].ctx, 0, &leg, 1), MF_E_RANGE);
        leg.roll_rad = 3.1415927f; /* a little more than pi */
        leg.pitch_rad = 4.0f;
        assert_int_equal(k_body[i].ops->plan(k_body[i].ctx, 0, &leg, 1), MF_E_RANGE);
        leg.pitch_rad = -1.5707964f;
        assert_int_equal(k_body[i].ops->plan(k_body[i].ctx, 0, &leg, 1), MF_E_OK);
        leg.pitch_rad = -0.2f;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constant_goes_straight_at_once),
        cmocka_unit_test(test_constant_touches_down_on_the_microsecond),
        cmocka_unit_test(test_a_velocity_never_arrives),
        cmocka_unit_test(test_from_the_ground),
        cmocka_unit_test(test_spin),
        cmocka_unit_test(test_physics_is_smooth),
        cmocka_unit_test(test_physics_settles),
        cmocka_unit_test(test_physics_touches_down_where_sample_says),
        cmocka_unit_test(test_physics_brakes_above_the_ground),
        cmocka_unit_test(test_refuses_what_is_no_velocity),
        cmocka_unit_test(test_tilt_of_a_leg),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
