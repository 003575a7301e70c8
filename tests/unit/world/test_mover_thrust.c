/* SPDX-License-Identifier: Apache-2.0 */
/* UAV-02, UAV-03, UAV-13: thrust that balances the world and changes velocity, as published and
 * within its limits. */
#include "world/mover_thrust.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct mf_enu k_calm = {0.0f, 0.0f, 0.0f};

static struct mf_mover_thrust_settings body(bool compat)
{
    return (struct mf_mover_thrust_settings){.mass_kg = 2.0f,
                                             .area_m2 = 0.1,
                                             .up_n = 40.0f,
                                             .down_n = 0.0f,
                                             .forward_n = 40.0f,
                                             .left_n = 40.0f,
                                             .backward_n = 5.0f,
                                             .right_n = 40.0f,
                                             .compat = compat};
}

static struct mf_mover_thrust at(float e, float n, float u)
{
    return (struct mf_mover_thrust){.pos_m = {e, n, u}, .heading = {0.0f, 1.0f, 0.0f}};
}

static void assert_near(double got, double want, double tol)
{
    if (!(fabs(got - want) <= tol)) {
        fail_msg("got %.9g, want %.9g", got, want);
    }
}

/* UAV-02, UAV-03. What hovers holds its weight: 2 kg times 9.81, or the published 9.81 N. */
static void test_a_body_without_goal_stands(void **state)
{
    (void)state;
    for (int compat = 0; compat < 2; compat++) {
        const struct mf_mover_thrust_settings s = body(compat != 0);
        struct mf_mover_thrust m = at(1.0f, 2.0f, 3.0f);
        for (int i = 0; i < 100; i++) {
            assert_false(mf_mover_thrust_step(&m, &s, NULL, k_calm, 0.01f));
        }
        assert_near((double)m.pos_m.e, 1.0, 1e-5);
        assert_near((double)m.pos_m.n, 2.0, 1e-5);
        assert_near((double)m.pos_m.u, 3.0, 1e-5);
        assert_near((double)mf_enu_length(m.thrust_n), compat != 0 ? 9.81 : 19.62, 1e-4);
    }
}

/* UAV-03. Ahead at 20 m/s: drag 0.5 * 1.225 * 1.2 * 0.1 * 400 = 29.4 N, with the weight sqrt(29.4^2
 * + 19.62^2) = 35.345 N. */
static void test_thrust_of_level_flight(void **state)
{
    (void)state;
    const struct mf_mover_thrust_settings s = body(false);
    const struct mf_mover_goal to = {{0.0f, 1000.0f, 30.0f}, 20.0f};
    struct mf_mover_thrust m = at(0.0f, 0.0f, 30.0f);
    for (int i = 0; i < 1000; i++) {
        (void)mf_mover_thrust_step(&m, &s, &to, k_calm, 0.01f);
    }
    assert_near((double)m.vel_mps.n, 20.0, 1e-4);
    assert_near((double)mf_enu_length(m.thrust_n), 35.345, 1e-2);
}

/* UAV-13. In a wind of 10 m/s from ahead the air passes at 20 m/s where the ground does at 10. */
static void test_drag_is_of_the_air(void **state)
{
    (void)state;
    const struct mf_mover_thrust_settings s = body(false);
    const struct mf_mover_goal to = {{0.0f, 1000.0f, 30.0f}, 10.0f};
    const struct mf_enu wind = {0.0f, -10.0f, 0.0f};
    struct mf_mover_thrust m = at(0.0f, 0.0f, 30.0f);
    for (int i = 0; i < 1000; i++) {
        (void)mf_mover_thrust_step(&m, &s, &to, wind, 0.01f);
    }
    assert_near((double)m.vel_mps.n, 10.0, 1e-4);
    assert_near((double)m.thrust_n.n, 29.4, 1e-2);
}

/* UAV-03. With 40 N ahead drag balances at sqrt(40 / 0.0735) = 23.33 m/s, however fast the goal is.
 */
static void test_terminal_speed(void **state)
{
    (void)state;
    const struct mf_mover_thrust_settings s = body(false);
    const struct mf_mover_goal to = {{0.0f, 100000.0f, 30.0f}, 50.0f};
    struct mf_mover_thrust m = at(0.0f, 0.0f, 30.0f);
    for (int i = 0; i < 5000; i++) {
        (void)mf_mover_thrust_step(&m, &s, &to, k_calm, 0.01f);
        const float ahead = m.thrust_n.e * m.heading.e + m.thrust_n.n * m.heading.n;
        assert_true(ahead <= 40.001f && ahead >= -5.001f && m.thrust_n.u <= 40.001f &&
                    m.thrust_n.u >= -0.001f);
    }
    assert_near((double)m.vel_mps.n, 23.3285, 1e-2);
}

/* UAV-03. A body that asks more of its forward axis than that has still carries its weight, and
 * stays at its height: 25 m/s of 23.33. */
static void test_the_weight_is_carried_first(void **state)
{
    (void)state;
    const struct mf_mover_thrust_settings s = body(false);
    const struct mf_mover_goal to = {{300.0f, 100000.0f, 30.0f}, 25.0f};
    struct mf_mover_thrust m = at(0.0f, 0.0f, 30.0f);
    for (int i = 0; i < 5000; i++) {
        (void)mf_mover_thrust_step(&m, &s, &to, k_calm, 0.01f);
        assert_near((double)m.pos_m.u, 30.0, 1e-2);
        assert_near((double)m.thrust_n.u, 19.62, 1e-3);
    }
    assert_near((double)m.vel_mps.n, 23.3285, 1e-2);
}

/* UAV-13. At rest a wind of 9 m/s from ahead pushes with 0.0735 * 81 = 5.95 N, which is more than
 * the 5 N of the back: the body looks into the wind, and flies 23.33 - 9 m/s of ground. A wind from
 * the west holds it back as little: its air of 23.33 m/s points along (0, 30) - (9, 0), which makes
 * 23.33 * 30 / sqrt(981) = 22.34 m/s. */
static void test_a_wind_stronger_than_the_back(void **state)
{
    (void)state;
    const struct mf_mover_thrust_settings s = body(false);
    const struct mf_mover_goal to = {{0.0f, 100000.0f, 30.0f}, 30.0f};
    const struct mf_enu wind[] = {{0.0f, -9.0f, 0.0f}, {9.0f, 0.0f, 0.0f}, {0.0f, 9.0f, 0.0f}};
    const double speed_mps[] = {14.3285, 22.344, 30.0};
    for (size_t i = 0; i < 3; i++) {
        struct mf_mover_thrust m = at(0.0f, 0.0f, 30.0f);
        for (int k = 0; k < 5000; k++) {
            (void)mf_mover_thrust_step(&m, &s, &to, wind[i], 0.01f);
        }
        assert_near((double)m.vel_mps.n, speed_mps[i], 0.02);
        assert_near((double)m.pos_m.u, 30.0, 1e-2);
    }
}

/* UAV-13. A body that flies away from a goal has passed it at 5 m or less, as corrected. The
 * body is at north 100.2 after the step: 3.7 m, 6.4 m from the goal, 4.8 m on the way to it. */
static void test_a_goal_is_passed(void **state)
{
    static const struct {
        float e, n;
        bool compat, passed;
    } k[] = {{3.0f, 98.0f, false, true},
             {6.0f, 98.0f, false, false},
             {3.0f, 104.0f, false, false},
             {3.0f, 98.0f, true, false}};
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        const struct mf_mover_thrust_settings s = body(k[i].compat);
        const struct mf_mover_goal to = {{k[i].e, k[i].n, 30.0f}, 20.0f};
        struct mf_mover_thrust m = at(0.0f, 100.0f, 30.0f);
        m.vel_mps.n = 20.0f;
        assert_true(mf_mover_thrust_step(&m, &s, &to, k_calm, 0.01f) == k[i].passed);
    }
}

static void test_a_goal_is_reached_within_a_metre(void **state)
{
    (void)state;
    for (int compat = 0; compat < 2; compat++) {
        const struct mf_mover_thrust_settings s = body(compat != 0);
        const struct mf_mover_goal to = {{0.0f, 30.0f, 10.0f}, 5.0f};
        struct mf_mover_thrust m = at(0.0f, 0.0f, 0.0f);
        int steps = 1;
        while (steps < 3000 && !mf_mover_thrust_step(&m, &s, &to, k_calm, 0.01f)) {
            steps++;
        }
        assert_in_range(steps, 500, 800);
        const double away = hypot((double)m.pos_m.n - 30.0, (double)m.pos_m.u - 10.0);
        assert_true(compat != 0 ? away == 0.0 : away > 0.5 && away <= 1.0);
    }
}

/* UAV-03. Weight 2 * 9.81 N, as published 9.81 N; without area nothing limits the speed. */
static void test_limits_of_a_body(void **state)
{
    (void)state;
    struct mf_mover_thrust_settings s = body(false);
    assert_near((double)mf_mover_thrust_weight_n(&s), 19.62, 1e-5);
    assert_near(mf_mover_thrust_terminal_mps(&s), sqrt(40.0 / 0.0735), 1e-9);
    s.area_m2 = 0.0;
    assert_true(isinf(mf_mover_thrust_terminal_mps(&s)));
    s.compat = true;
    assert_near((double)mf_mover_thrust_weight_n(&s), 9.81, 1e-5);
}

static void test_near_a_segment_from_above(void **state)
{
    (void)state;
    const struct mf_enu a = {0.0f, 0.0f, 0.0f}, b = {10.0f, 0.0f, 50.0f};
    assert_true(mf_enu_near_segment((struct mf_enu){5.0f, 1.0f, -99.0f}, a, b, 1.0f));
    assert_false(mf_enu_near_segment((struct mf_enu){5.0f, 1.01f, 0.0f}, a, b, 1.0f));
    assert_true(mf_enu_near_segment((struct mf_enu){-0.6f, 0.8f, 0.0f}, a, b, 1.0f));
    assert_false(mf_enu_near_segment((struct mf_enu){10.8f, 0.7f, 0.0f}, a, b, 1.0f));
    assert_true(mf_enu_near_segment((struct mf_enu){0.0f, 1.0f, 0.0f}, a, a, 1.0f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_body_without_goal_stands),
        cmocka_unit_test(test_thrust_of_level_flight),
        cmocka_unit_test(test_drag_is_of_the_air),
        cmocka_unit_test(test_terminal_speed),
        cmocka_unit_test(test_a_goal_is_reached_within_a_metre),
        cmocka_unit_test(test_the_weight_is_carried_first),
        cmocka_unit_test(test_a_wind_stronger_than_the_back),
        cmocka_unit_test(test_a_goal_is_passed),
        cmocka_unit_test(test_limits_of_a_body),
        cmocka_unit_test(test_near_a_segment_from_above),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
