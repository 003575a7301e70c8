/* SPDX-License-Identifier: Apache-2.0 */
/* world/mover_bee.h: SBE-05, SBE-09: answers to a step of velocity, by hand. */
#include "world/mover_bee.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static const struct mf_vec3 k_calm = {0.0, 0.0, 0.0};

static void assert_near(double got, double want, double tol)
{
    if (!(fabs(got - want) <= tol)) {
        fail_msg("got %.12g, want %.12g", got, want);
    }
}

static struct mf_mover_bee_settings bee(bool compat)
{
    return (struct mf_mover_bee_settings){.mass_kg = 0.128,
                                          .length_m = 0.1,
                                          .accel_max_mps2 = 1.0,
                                          .period_s = 0.1,
                                          .hover_ma = 500.0,
                                          .full_ma = 250.0,
                                          .compat = compat};
}

static void run(struct mf_mover_bee *m, const struct mf_mover_bee_settings *s, struct mf_vec3 want,
                struct mf_vec3 wind, int steps)
{
    for (int i = 0; i < steps; i++) {
        mf_mover_bee_update(m, s, want, wind);
        mf_mover_bee_move(m, s->period_s);
    }
}

/* Published: dv/dt = min(1, dv), held for 0.1 s. To 1 m/s: 1 - 0.9^n. To 3 m/s: 1 m/s^2 for 2 s,
 * then 3 - 0.9^n. Finer steps come to 1 - e^-t. */
static void test_sbe05_compat_is_a_loop_of_first_order(void **state)
{
    (void)state;
    struct mf_mover_bee_settings s = bee(true);
    struct mf_mover_bee m = {0};
    const struct mf_vec3 want = {0.6, -0.8, 0.0};
    run(&m, &s, want, k_calm, 10);
    /* the air at rest does not brake it, as published */
    assert_near(hypot(m.vel_mps.x, m.vel_mps.y), 1.0 - pow(0.9, 10), 1e-12);
    assert_near(m.vel_mps.y / m.vel_mps.x, -0.8 / 0.6, 1e-12);
    m = (struct mf_mover_bee){0};
    run(&m, &s, (struct mf_vec3){0.0, 0.0, -3.0}, k_calm, 20);
    assert_near(m.vel_mps.z, -2.0, 1e-12);
    assert_near(m.pos_m.z, -2.0, 1e-12); /* t^2 / 2 */
    run(&m, &s, (struct mf_vec3){0.0, 0.0, -3.0}, k_calm, 5);
    assert_near(m.vel_mps.z, -3.0 + pow(0.9, 5), 1e-12);
    s.period_s = 1e-4;
    m = (struct mf_mover_bee){0};
    run(&m, &s, want, k_calm, 20000);
    assert_near(hypot(m.vel_mps.x, m.vel_mps.y), 1.0 - exp(-2.0), 1e-4);
}

/* 1 m/s^2 until the velocity is met, which is then kept: 2 m/s after 2 s and 2 m. */
static void test_sbe05_it_meets_a_velocity_within_its_acceleration(void **state)
{
    (void)state;
    const struct mf_mover_bee_settings s = bee(false);
    struct mf_mover_bee m = {0};
    run(&m, &s, (struct mf_vec3){2.0, 0.0, 0.0}, (struct mf_vec3){2.0, 0.0, 0.0}, 1);
    assert_true(m.vel_mps.x > 0.1 && m.vel_mps.x < 0.12); /* the wind helps */
    m = (struct mf_mover_bee){0};
    struct mf_mover_bee_settings vacuum = s;
    vacuum.mass_kg = 1e9;
    run(&m, &vacuum, (struct mf_vec3){2.0, 0.0, 0.0}, k_calm, 20);
    assert_near(m.vel_mps.x, 2.0, 1e-9);
    assert_near(m.pos_m.x, 2.0, 1e-9);
    run(&m, &vacuum, (struct mf_vec3){2.05, 0.0, 0.0}, k_calm, 1);
    assert_near(m.vel_mps.x, 2.05, 1e-9); /* half of what it can */
    m = (struct mf_mover_bee){0};
    run(&m, &s, (struct mf_vec3){2.0, 0.0, 0.0}, k_calm, 60);
    assert_near(m.vel_mps.x, 2.0, 1e-12); /* in air, too */
}

/* 3 m/s: 0.5 * 1.225 * 9 * pi * 0.05^2 = 0.0432951 N, 0.338243 m/s^2 of 0.128 kg. Published:
 * nothing works against it, so it flies that much beside what it is told. */
static void test_sbe05_wind_is_a_force(void **state)
{
    (void)state;
    struct mf_mover_bee m = {0};
    const struct mf_vec3 wind = {0.0, 3.0, 0.0};
    struct mf_mover_bee_settings s = bee(true);
    mf_mover_bee_update(&m, &s, k_calm, wind);
    assert_near(m.acc_mps2.y, 0.338243, 1e-6);
    run(&m, &s, k_calm, wind, 400);
    assert_near(m.vel_mps.y, 0.338243, 1e-6);
    s = bee(false);
    m = (struct mf_mover_bee){0};
    run(&m, &s, k_calm, wind, 100);
    assert_near(m.vel_mps.y, 0.0, 1e-12);
    assert_near(m.pos_m.y, 0.0, 1e-12);
}

/* A second of hover takes 500 mA s; a second at its greatest acceleration 750. */
static void test_sbe09_hover_takes_charge(void **state)
{
    (void)state;
    const struct mf_mover_bee_settings s = bee(true);
    struct mf_mover_bee m = {0};
    run(&m, &s, k_calm, k_calm, 10);
    assert_near(m.used_mas, 500.0, 1e-9);
    run(&m, &s, (struct mf_vec3){100.0, 0.0, 0.0}, k_calm, 10);
    assert_near(m.used_mas, 1250.0, 1e-9);
}

/* Without motors: g t^2 / 2, and nothing is drawn. */
static void test_it_falls_without_motors(void **state)
{
    (void)state;
    struct mf_mover_bee m = {0};
    mf_mover_bee_drop(&m);
    mf_mover_bee_move(&m, 0.05);
    mf_mover_bee_move(&m, 0.05);
    assert_near(m.pos_m.z, 0.5 * 9.80665 * 0.01, 1e-15);
    assert_near(m.used_mas, 0.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbe05_compat_is_a_loop_of_first_order),
        cmocka_unit_test(test_sbe05_it_meets_a_velocity_within_its_acceleration),
        cmocka_unit_test(test_sbe05_wind_is_a_force),
        cmocka_unit_test(test_sbe09_hover_takes_charge),
        cmocka_unit_test(test_it_falls_without_motors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
