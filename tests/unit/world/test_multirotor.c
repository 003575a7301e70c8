/* SPDX-License-Identifier: Apache-2.0 */
/* Thrust, drag and ground of a body with rotors. */
#include "world/multirotor.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define WEIGHT_N (3.0 * 9.80665)

static void assert_near(double got, double want, double tol)
{
    if (!(fabs(got - want) <= tol)) {
        fail_msg("got %.12g, want %.12g", got, want);
    }
}

static void command_all(struct mf_multirotor *m, double command)
{
    for (size_t i = 0; i < m->settings.rotors; i++) {
        m->command[i] = command;
    }
}

/* 0.35 x + 0.65 x^2 = 0.39 at x = 0.55125, which is the command 0.15 + 0.8 x. */
static double hover_command(void)
{
    const double x = (-0.35 + sqrt(0.35 * 0.35 + 4.0 * 0.65 * 0.39)) / (2.0 * 0.65);
    return 0.15 + 0.8 * x;
}

static void test_thrust_over_the_command(void **state)
{
    (void)state;
    const struct mf_multirotor_settings s = mf_multirotor_quad_x();
    assert_near(mf_multirotor_thrust(&s, 0.1), 0.0, 0.0);
    assert_near(mf_multirotor_thrust(&s, 0.15), 0.0, 0.0);
    assert_near(4.0 * mf_multirotor_thrust(&s, hover_command()), WEIGHT_N, 1e-12);
    assert_near(4.0 * mf_multirotor_thrust(&s, 0.95), WEIGHT_N / 0.39, 1e-12);
    assert_near(4.0 * mf_multirotor_thrust(&s, 1.0), WEIGHT_N / 0.39, 1e-12);
}

static void test_it_stands_until_thrust_exceeds_its_weight(void **state)
{
    (void)state;
    const struct mf_multirotor_settings s = mf_multirotor_quad_x();
    struct mf_multirotor m;
    mf_multirotor_begin(&m, &s, 1.0, 0.001);
    command_all(&m, hover_command() - 0.001);
    for (int i = 0; i < 1000; i++) {
        mf_multirotor_step(&m);
    }
    assert_true(m.standing);
    assert_near(m.body.specific_force_mps2.z, -9.80665, 0.0);
    assert_near(m.body.pos_m.z, 0.0, 0.0);
    assert_near(2.0 * atan2(m.body.attitude[3], m.body.attitude[0]), 1.0, 1e-12);
    command_all(&m, hover_command() + 0.01);
    for (int i = 0; i < 1000; i++) {
        mf_multirotor_step(&m);
    }
    assert_false(m.standing);
    assert_true(m.body.pos_m.z < -0.05);
    assert_near(m.body.pos_m.x, 0.0, 1e-12);
}

/* GZ-19: in the air, with the rotors at what they are told, it stays where it is, and feels its
 * weight. */
static void test_gz19_hover_is_exact(void **state)
{
    (void)state;
    const struct mf_multirotor_settings s = mf_multirotor_quad_x();
    struct mf_multirotor m;
    mf_multirotor_begin(&m, &s, 0.0, 0.001);
    command_all(&m, hover_command());
    for (size_t i = 0; i < 4; i++) {
        m.level[i] = m.command[i];
    }
    m.body.pos_m.z = -10.0;
    m.standing = false;
    for (int i = 0; i < 10000; i++) {
        mf_multirotor_step(&m);
    }
    assert_near(m.body.pos_m.z, -10.0, 1e-9);
    assert_near(m.body.specific_force_mps2.z, -9.80665, 1e-12);
}

/* GZ-19: 0.5 * 1.225 * 0.06 * v^2 = 29.41995 N at 28.294 m/s. */
static void test_gz19_it_falls_no_faster_than_its_drag_lets_it(void **state)
{
    (void)state;
    const struct mf_multirotor_settings s = mf_multirotor_quad_x();
    struct mf_multirotor m;
    mf_multirotor_begin(&m, &s, 0.0, 0.001);
    m.body.pos_m.z = -3000.0;
    m.standing = false;
    for (int i = 0; i < 60000; i++) {
        mf_multirotor_step(&m);
    }
    assert_near(m.body.vel_mps.z, sqrt(WEIGHT_N / (0.5 * 1.225 * 0.06)), 1e-6);
}

/* Each rotor alone: which way it turns the body (ArduCopter's X frame, motors 1 to 4). */
static void test_what_each_rotor_turns(void **state)
{
    (void)state;
    static const struct {
        double roll, pitch, yaw;
    } sign[4] = {{-1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {-1, -1, -1}};
    const struct mf_multirotor_settings s = mf_multirotor_quad_x();
    for (size_t i = 0; i < 4; i++) {
        struct mf_multirotor m;
        mf_multirotor_begin(&m, &s, 0.0, 0.001);
        m.body.pos_m.z = -10.0;
        m.standing = false;
        m.command[i] = 0.5;
        for (int k = 0; k < 20; k++) {
            mf_multirotor_step(&m);
        }
        assert_true(m.body.rate_rps.x * sign[i].roll > 0.01);
        assert_true(m.body.rate_rps.y * sign[i].pitch > 0.01);
        assert_true(m.body.rate_rps.z * sign[i].yaw > 0.001);
    }
}

/* After one time constant 1 - 1/e of a change is done, whatever the step. */
static void test_a_rotor_follows_its_command(void **state)
{
    (void)state;
    const struct mf_multirotor_settings s = mf_multirotor_quad_x();
    for (int steps = 1; steps <= 64; steps *= 4) {
        struct mf_multirotor m;
        mf_multirotor_begin(&m, &s, 0.0, s.lag_s / steps);
        command_all(&m, 0.4);
        for (int i = 0; i < steps; i++) {
            mf_multirotor_step(&m);
        }
        assert_near(m.level[2], 0.4 * (1.0 - exp(-1.0)), 1e-12);
    }
}

/* A wind that no rotor works against takes the body along. */
static void test_wind_takes_it_along(void **state)
{
    (void)state;
    const struct mf_multirotor_settings s = mf_multirotor_quad_x();
    struct mf_multirotor m;
    mf_multirotor_begin(&m, &s, 0.0, 0.001);
    m.body.pos_m.z = -10000.0;
    m.standing = false;
    m.wind_mps = (struct mf_vec3){8.0, 0.0, 0.0};
    for (int i = 0; i < 60000; i++) {
        mf_multirotor_step(&m);
    }
    assert_near(m.body.vel_mps.x, 8.0, 1e-6);
}

static void test_the_ground_gives_back_a_part_and_then_holds(void **state)
{
    (void)state;
    struct mf_multirotor_settings s = mf_multirotor_quad_x();
    s.restitution = 0.5;
    struct mf_multirotor m;
    mf_multirotor_begin(&m, &s, 0.0, 0.001);
    m.body.pos_m.z = -1.0;
    m.standing = false;
    double highest = 0.0;
    bool met = false;
    for (int i = 0; i < 5000; i++) {
        mf_multirotor_step(&m);
        met = met || m.body.vel_mps.z < 0.0;
        highest = met ? fmin(highest, m.body.pos_m.z) : highest;
    }
    assert_near(highest, -0.25, 0.01); /* half the speed, a quarter of the height */
    assert_true(m.standing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thrust_over_the_command),
        cmocka_unit_test(test_it_stands_until_thrust_exceeds_its_weight),
        cmocka_unit_test(test_gz19_hover_is_exact),
        cmocka_unit_test(test_gz19_it_falls_no_faster_than_its_drag_lets_it),
        cmocka_unit_test(test_what_each_rotor_turns),
        cmocka_unit_test(test_a_rotor_follows_its_command),
        cmocka_unit_test(test_wind_takes_it_along),
        cmocka_unit_test(test_the_ground_gives_back_a_part_and_then_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
