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

/* GZ-19: An accelerometer that falls measures nothing; 3 s: g t^2 / 2 = 44.129925 m. */
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

/* GZ-19. */
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

static struct mf_vec3 after_four_seconds(int steps)
{
    const struct mf_force_source source = {add_spring, NULL};
    struct mf_mover_rigid_settings s = free_body(GRAVITY);
    s.source = &source;
    s.sources = 1;
    struct mf_mover_rigid m = level();
    m.rate_rps = (struct mf_vec3){0.5, -0.3, 1.0};
    for (int i = 0; i < steps; i++) {
        mf_mover_rigid_step(&m, &s, 4.0 / steps);
    }
    return m.pos_m;
}

static void test_gz19_half_the_step_differs_by_less_than_a_millimetre(void **state)
{
    (void)state;
    const struct mf_vec3 whole = after_four_seconds(4000);
    const struct mf_vec3 half = after_four_seconds(8000);
    const struct mf_vec3 quarter = after_four_seconds(16000);
    assert_near(whole.x, half.x, 1e-3);
    assert_near(whole.y, half.y, 1e-3);
    assert_near(whole.z, half.z, 1e-3);
    assert_near((whole.x - half.x) / (half.x - quarter.x), 4.0, 0.1); /* of second order */
}

/* ---- SBE-13: steps of 60 Hz against closed forms */

#define STEP_S (1.0 / 60.0)

static void run_freely(struct mf_mover_rigid *m, const struct mf_mover_rigid_settings *s,
                       double t_s)
{
    const int steps = (int)(t_s / STEP_S + 0.5);
    for (int i = 0; i < steps; i++) {
        mf_mover_rigid_step(m, s, STEP_S);
    }
}

/* 1000 s: g t^2 / 2 below, g t fast. */
static void test_sbe13_free_fall_is_exact(void **state)
{
    (void)state;
    const struct mf_mover_rigid_settings s = free_body(GRAVITY);
    struct mf_mover_rigid m = level();
    m.vel_mps = (struct mf_vec3){3.0, -2.0, 0.0};
    run_freely(&m, &s, 1000.0);
    assert_near(m.pos_m.x, 3000.0, 1e-6);
    assert_near(m.pos_m.y, -2000.0, 1e-6);
    assert_near(m.pos_m.z, 0.5 * GRAVITY * 1e6, 1e-6 * 0.5 * GRAVITY * 1e6);
    assert_near(m.vel_mps.z, GRAVITY * 1000.0, 1e-6);
}

/* A torque about one axis: the angle is t^2 torque / (2 inertia), here 2.25 rad after 3 s. */
static void test_sbe13_a_torque_spins_it_up(void **state)
{
    (void)state;
    const struct mf_vec3 torque = {0.0, 0.0, 0.02};
    const struct mf_force_source source = {add_torque, &torque};
    struct mf_mover_rigid_settings s = free_body(GRAVITY);
    s.source = &source;
    s.sources = 1;
    struct mf_mover_rigid m = level();
    run_freely(&m, &s, 3.0);
    assert_near(m.rate_rps.z, 1.5, 1e-6);
    assert_near(2.0 * atan2(m.attitude[3], m.attitude[0]), 2.25, 1e-6);
}

/* A symmetric top without forces: about its axis the rates turn by wz (Iz - Ix) / Ix, and the axis
 * turns about the momentum by |L| / Ix. Each axis of the body may be that of symmetry. */
static void test_sbe13_a_top_precesses(void **state)
{
    (void)state;
    static const double k_inertia[3][3] = {
        {0.03, 0.02, 0.02}, {0.02, 0.03, 0.02}, {0.02, 0.02, 0.03}};
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        struct mf_mover_rigid_settings s = free_body(0.0);
        s.inertia_kgm2 =
            (struct mf_vec3){k_inertia[axis][0], k_inertia[axis][1], k_inertia[axis][2]};
        struct mf_mover_rigid m = level();
        double rate[3], at[3] = {0.0, 0.0, 0.0}, momentum[3];
        rate[axis] = 7.0;
        rate[next] = 1.2;
        rate[last] = 0.0;
        at[axis] = 1.0;
        m.rate_rps = (struct mf_vec3){rate[0], rate[1], rate[2]};
        run_freely(&m, &s, 100.0);
        const double nutates = 7.0 * 0.01 / 0.02 * 100.0;
        const double got[3] = {m.rate_rps.x, m.rate_rps.y, m.rate_rps.z};
        assert_near(got[axis], 7.0, 1e-6);
        assert_near(got[next], 1.2 * cos(nutates), 1e-6);
        assert_near(got[last], 1.2 * sin(nutates), 1e-6);
        /* its axis in NED, turned about the momentum (Rodrigues) */
        momentum[axis] = 0.03 * 7.0;
        momentum[next] = 0.02 * 1.2;
        momentum[last] = 0.0;
        const double length = hypot(momentum[axis], momentum[next]);
        const double c = cos(length / 0.02 * 100.0), n = sin(length / 0.02 * 100.0);
        const double along = momentum[axis] / length, off = momentum[next] / length;
        double want[3];
        want[axis] = c + along * along * (1.0 - c);
        want[next] = off * along * (1.0 - c);
        want[last] = -n * off; /* momentum x axis has only this part */
        const struct mf_vec3 is =
            mf_rigid_to_ned(m.attitude, (struct mf_vec3){at[0], at[1], at[2]});
        assert_near(is.x, want[0], 1e-6);
        assert_near(is.y, want[1], 1e-6);
        assert_near(is.z, want[2], 1e-6);
    }
}

static double spin_energy_j(const struct mf_mover_rigid *m, const struct mf_mover_rigid_settings *s)
{
    const struct mf_vec3 w = m->rate_rps;
    return 0.5 * (s->inertia_kgm2.x * w.x * w.x + s->inertia_kgm2.y * w.y * w.y +
                  s->inertia_kgm2.z * w.z * w.z);
}

/* Three different moments, about the middle axis, which flips it again and again. In 1000 s the
 * energy changes by less than a millionth, and the momentum stays. */
static void test_sbe13_energy_does_not_drift(void **state)
{
    (void)state;
    const struct mf_mover_rigid_settings s = free_body(0.0);
    struct mf_mover_rigid m = level();
    m.rate_rps = (struct mf_vec3){0.1, 3.0, 0.2};
    const double begin_j = spin_energy_j(&m, &s);
    double worst = 0.0;
    for (int second = 0; second < 1000; second++) {
        run_freely(&m, &s, 1.0);
        worst = fmax(worst, fabs(spin_energy_j(&m, &s) / begin_j - 1.0));
    }
    assert_near(worst, 0.0, 1e-6);
    const struct mf_vec3 body = {0.02 * m.rate_rps.x, 0.03 * m.rate_rps.y, 0.04 * m.rate_rps.z};
    const struct mf_vec3 ned = mf_rigid_to_ned(m.attitude, body);
    assert_near(ned.x, 0.002, 1e-9);
    assert_near(ned.y, 0.09, 1e-9);
    assert_near(ned.z, 0.008, 1e-9);
}

/* Three different moments have no closed form of this kind: 8 times finer steps, after 20 s. */
static void test_sbe13_a_tumbling_body_is_of_fourth_order(void **state)
{
    (void)state;
    const struct mf_mover_rigid_settings s = free_body(0.0);
    struct mf_mover_rigid m = level(), fine;
    m.rate_rps = (struct mf_vec3){2.0, 1.0, 3.0};
    fine = m;
    run_freely(&m, &s, 20.0);
    for (int i = 0; i < 20 * 60 * 8; i++) {
        mf_mover_rigid_step(&fine, &s, STEP_S / 8.0);
    }
    for (int i = 0; i < 4; i++) {
        assert_near(m.attitude[i], fine.attitude[i], 1e-7);
    }
    assert_near(m.rate_rps.x, fine.rate_rps.x, 1e-7);
}

/* 0.5 N s to the north, 0.2 m below the centre of 2 kg: 0.25 m/s, and r x J over inertia. */
static void test_sbe13_an_impulse_moves_and_turns_it(void **state)
{
    (void)state;
    const struct mf_mover_rigid_settings s = free_body(GRAVITY);
    struct mf_mover_rigid m = level();
    mf_mover_rigid_push(&m, &s, (struct mf_vec3){0.5, 0.0, 0.0}, (struct mf_vec3){0.0, 0.0, 0.2});
    assert_near(m.vel_mps.x, 0.25, 1e-15);
    assert_near(m.rate_rps.y, 0.1 / 0.03, 1e-12);
    assert_near(m.rate_rps.x, 0.0, 0.0);
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
        cmocka_unit_test(test_sbe13_free_fall_is_exact),
        cmocka_unit_test(test_sbe13_a_torque_spins_it_up),
        cmocka_unit_test(test_sbe13_a_top_precesses),
        cmocka_unit_test(test_sbe13_energy_does_not_drift),
        cmocka_unit_test(test_sbe13_a_tumbling_body_is_of_fourth_order),
        cmocka_unit_test(test_sbe13_an_impulse_moves_and_turns_it),
        cmocka_unit_test(test_a_bounce_gives_back_a_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
