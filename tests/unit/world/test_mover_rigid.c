/* SPDX-License-Identifier: Apache-2.0 */
/* A rigid body's motion against closed forms. */
#include "world/mover_rigid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define GRAVITY 9.80665

static void assert_near(double got, double want, double tol)
{
    if (!(fabs(got - want) <= tol)) {
        fail_msg("got %.12g, want %.12g", got, want);
    }
}

static struct mf_mover_rigid level(void)
{
    return (struct mf_mover_rigid){.attitude = {1.0, 0.0, 0.0, 0.0}};
}

static struct mf_mover_rigid_settings free_body(double gravity)
{
    return (struct mf_mover_rigid_settings){
        .mass_kg = 2.0, .inertia_kgm2 = {0.02, 0.03, 0.04}, .gravity_mps2 = gravity};
}

/* An accelerometer that falls measures nothing; 3 s: g t^2 / 2 = 44.129925 m. */
static void test_gz19_free_fall(void **state)
{
    (void)state;
    const struct mf_mover_rigid_settings s = free_body(GRAVITY);
    struct mf_mover_rigid m = level();
    for (int i = 0; i < 3000; i++) {
        mf_mover_rigid_step(&m, &s, 0.001);
        assert_true(m.specific_force_mps2.x == 0.0 && m.specific_force_mps2.z == 0.0);
    }
    assert_near(m.pos_m.z, 44.129925, 1e-9);
    assert_near(m.vel_mps.z, 29.41995, 1e-9);
}

/* 0.006 N m about the forward axis for 1 s: 0.3 rad/s and 0.15 rad of roll. */
static void add_torque(const void *ctx, const struct mf_mover_rigid *at, double ahead_s,
                       struct mf_wrench *sum)
{
    (void)at;
    (void)ahead_s;
    sum->torque_nm = mf_vec3_add(sum->torque_nm, *(const struct mf_vec3 *)ctx);
}

static void test_gz19_a_step_of_torque_turns_by_torque_over_inertia(void **state)
{
    (void)state;
    const struct mf_vec3 torque = {0.006, 0.0, 0.0};
    const struct mf_force_source source = {add_torque, &torque};
    struct mf_mover_rigid_settings s = free_body(0.0);
    s.source = &source;
    s.sources = 1;
    struct mf_mover_rigid m = level();
    for (int i = 0; i < 1000; i++) {
        mf_mover_rigid_step(&m, &s, 0.001);
    }
    assert_near(m.rate_rps.x, 0.3, 1e-12);
    assert_near(2.0 * atan2(m.attitude[1], m.attitude[0]), 0.15, 1e-7);
    const struct mf_vec3 down = mf_rigid_to_body(m.attitude, (struct mf_vec3){0.0, 0.0, 1.0});
    assert_near(down.y, sin(0.15), 1e-7);
    assert_near(down.z, cos(0.15), 1e-7);
}

/* Nothing acts on it: its angular momentum stays as it is in NED, whatever its axes do. */
static void test_a_tumbling_body_keeps_its_angular_momentum(void **state)
{
    (void)state;
    const struct mf_mover_rigid_settings s = free_body(0.0);
    struct mf_mover_rigid m = level();
    m.rate_rps = (struct mf_vec3){0.1, 5.0, 0.2}; /* about the middle axis, which flips it */
    double least = 5.0;
    for (int i = 0; i < 10000; i++) {
        mf_mover_rigid_step(&m, &s, 0.001);
        least = fmin(least, m.rate_rps.y);
    }
    assert_true(least < -4.9);
    const struct mf_vec3 body = {0.02 * m.rate_rps.x, 0.03 * m.rate_rps.y, 0.04 * m.rate_rps.z};
    const struct mf_vec3 ned = mf_rigid_to_ned(m.attitude, body);
    assert_near(ned.x, 0.002, 1e-4);
    assert_near(ned.y, 0.15, 1e-4);
    assert_near(ned.z, 0.008, 1e-4);
}

/* A spring to the origin and drag, while the body turns. */
static void add_spring(const void *ctx, const struct mf_mover_rigid *at, double ahead_s,
                       struct mf_wrench *sum)
{
    (void)ctx;
    (void)ahead_s;
    const struct mf_vec3 push = mf_rigid_to_ned(at->attitude, (struct mf_vec3){3.0, 0.0, -15.0});
    const double speed = sqrt(mf_vec3_dot(at->vel_mps, at->vel_mps));
    const struct mf_vec3 held =
        mf_vec3_add(mf_vec3_times(at->pos_m, -4.0), mf_vec3_times(at->vel_mps, -0.05 * speed));
    sum->force_n = mf_vec3_add(sum->force_n, mf_vec3_add(push, held));
}

static struct mf_vec3 after_ten_seconds(int steps)
{
    const struct mf_force_source source = {add_spring, NULL};
    struct mf_mover_rigid_settings s = free_body(GRAVITY);
    s.source = &source;
    s.sources = 1;
    struct mf_mover_rigid m = level();
    m.rate_rps = (struct mf_vec3){0.5, -0.3, 1.0};
    for (int i = 0; i < steps; i++) {
        mf_mover_rigid_step(&m, &s, 10.0 / steps);
    }
    return m.pos_m;
}

static void test_gz19_half_the_step_differs_by_less_than_a_millimetre(void **state)
{
    (void)state;
    const struct mf_vec3 whole = after_ten_seconds(10000);
    const struct mf_vec3 half = after_ten_seconds(20000);
    const struct mf_vec3 quarter = after_ten_seconds(40000);
    assert_near(whole.x, half.x, 1e-3);
    assert_near(whole.y, half.y, 1e-3);
    assert_near(whole.z, half.z, 1e-3);
    assert_near((whole.x - half.x) / (half.x - quarter.x), 4.0, 0.1); /* of second order */
}

static void test_a_bounce_gives_back_a_part(void **state)
{
    (void)state;
    struct mf_mover_rigid m = level();
    m.vel_mps = (struct mf_vec3){1.0, 0.0, 4.0};
    const struct mf_vec3 up = {0.0, 0.0, -1.0};
    assert_near(mf_mover_rigid_bounce(&m, up, 0.5), 4.0, 1e-15);
    assert_near(m.vel_mps.z, -2.0, 1e-15);
    assert_near(m.vel_mps.x, 1.0, 0.0);
    assert_near(mf_mover_rigid_bounce(&m, up, 0.5), 0.0, 0.0); /* it leaves */
    assert_near(m.vel_mps.z, -2.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gz19_free_fall),
        cmocka_unit_test(test_gz19_a_step_of_torque_turns_by_torque_over_inertia),
        cmocka_unit_test(test_a_tumbling_body_keeps_its_angular_momentum),
        cmocka_unit_test(test_gz19_half_the_step_differs_by_less_than_a_millimetre),
        cmocka_unit_test(test_a_bounce_gives_back_a_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
