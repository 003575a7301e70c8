/* SPDX-License-Identifier: Apache-2.0 */
#include "world/profile.h"

#include "tests/unit/support/cases.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_near(double got, double want, double tol)
{
    if (!(fabs(got - want) <= tol)) {
        fail_msg("got %.17g, want %.17g, off by %g", got, want, fabs(got - want));
    }
}

/* low .. high, the n-th number of splitmix64 */
static double random_between(uint64_t *n, double low, double high)
{
    *n += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *n;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return low + (high - low) * ((double)((z ^ (z >> 31)) >> 11) * 0x1p-53);
}

/* Continuous at every joint, within the limits everywhere, and at the end what the end says. */
static void check_chain(const struct mf_profile *p, double speed, double acc, double jerk)
{
    double t_s = 0.0;
    struct mf_motion last = p->start;
    for (uint32_t i = 0; i <= 400; i++) {
        const double to_s = p->duration_s * i / 400.0;
        const struct mf_motion m = mf_profile_at(p, to_s);
        const double dt = to_s - t_s;
        assert_true(fabs(m.a_mps2) <= acc * (1.0 + 1e-9) + 1e-12);
        assert_true(fabs(m.v_mps) <= speed * (1.0 + 1e-9) + 1e-12);
        assert_true(fabs(m.a_mps2 - last.a_mps2) <= jerk * dt * (1.0 + 1e-6) + 1e-9);
        assert_near(m.v_mps - last.v_mps, 0.5 * (m.a_mps2 + last.a_mps2) * dt,
                    jerk * dt * dt / 4.0 + 1e-9);
        assert_near(m.x_m - last.x_m, 0.5 * (m.v_mps + last.v_mps) * dt,
                    acc * dt * dt / 4.0 + 1e-9);
        last = m;
        t_s = to_s;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        assert_true(p->piece[i].duration_s > 0.0);
        assert_true(fabs(p->piece[i].jerk_mps3) <= jerk * (1.0 + 1e-12));
    }
    const struct mf_motion nearly = mf_profile_at(p, p->duration_s * (1.0 - 1e-15));
    const double tol = 1e-9 + 1e-14 * p->duration_s * jerk; /* of time: its last bits */
    assert_near(nearly.x_m, p->end.x_m, tol + 1e-12 * fabs(p->end.x_m));
    assert_near(nearly.v_mps, p->end.v_mps, tol);
    assert_near(nearly.a_mps2, p->end.a_mps2, tol);
}

/* 1 s at jerk 6 from rest: v = 3, x = 1; another without: a = 6. */
static void test_pieces_are_cubic(void **state)
{
    struct mf_profile p;
    mf_profile_begin(&p, 10.0, 0.0, 0.0);
    (void)state;
    mf_profile_add(&p, 1.0, 6.0);
    mf_profile_add(&p, 0.0, 6.0);
    mf_profile_add(&p, -1.0, 6.0);
    mf_profile_add(&p, 1.0, 0.0);
    assert_int_equal(p.count, 2);
    assert_true(mf_profile_at(&p, 0.0).x_m == 10.0);
    assert_near(mf_profile_at(&p, 0.5).x_m, 10.125, 1e-12);
    assert_near(mf_profile_at(&p, 1.0).v_mps, 3.0, 1e-12);
    assert_near(mf_profile_at(&p, 2.0).x_m, 17.0, 1e-12);
    assert_near(mf_profile_at(&p, 2.0).v_mps, 9.0, 1e-12);
}

/* 0 to 2 m/s within 1 m/s^2 and 1 m/s^3: 1 s up, 1 s held, 1 s down. Ending where it is while
 * accelerating by 1: back to -sqrt(1/2) and to zero. */
static void test_change_of_velocity(void **state)
{
    struct mf_profile p;
    mf_profile_begin(&p, 0.0, 0.0, 0.0);
    (void)state;
    mf_profile_change(&p, 2.0, 1.0, 1.0);
    assert_near(p.duration_s, 3.0, 1e-12);
    assert_near(p.end.x_m, 3.0, 1e-12);
    assert_true(p.end.v_mps == 2.0 && p.end.a_mps2 == 0.0);
    mf_profile_begin(&p, 0.0, 5.0, 1.0);
    mf_profile_change(&p, 5.0, 1.0, 1.0);
    assert_near(p.duration_s, 1.0 + sqrt(2.0), 1e-12);
    assert_true(p.end.v_mps == 5.0);
}

static void test_random_changes_keep_the_limits(void **state)
{
    uint64_t n = 1;
    (void)state;
    for (int i = mf_cases(1000, 100000); i > 0; i--) {
        const double acc = random_between(&n, 0.1, 5.0);
        const double jerk = random_between(&n, 0.2, 20.0);
        const double a = random_between(&n, -acc, acc);
        const double v = random_between(&n, -10.0, 10.0);
        struct mf_profile p;
        mf_profile_begin(&p, 3.0, v, a);
        mf_profile_change(&p, random_between(&n, -10.0, 10.0), acc, jerk);
        check_chain(&p, 10.0 + acc * acc / (2.0 * jerk), acc, jerk);
    }
}

/* 10 m within 2 m/s, 1 m/s^2, 1 m/s^3: 10 / 2 + 2 / 1 + 1 / 1 = 8 s. */
static void test_plain_run(void **state)
{
    const struct mf_shape plain = {2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0};
    struct mf_profile p;
    mf_profile_begin(&p, 0.0, 0.0, 0.0);
    (void)state;
    assert_true(mf_profile_run(&p, 10.0, 0.0, &plain));
    assert_near(p.duration_s, 8.0, 1e-9);
    assert_true(p.end.x_m == 10.0 && p.end.v_mps == 0.0);
    check_chain(&p, 2.0, 1.0, 1.0);
    /* 2 m: four ramps of 1 s at the full acceleration, to 1 m/s and back */
    mf_profile_begin(&p, 0.0, 0.0, 0.0);
    assert_true(mf_profile_run(&p, 2.0, 0.0, &plain));
    assert_near(p.duration_s, 4.0, 1e-6);
    check_chain(&p, 1.0 + 1e-9, 1.0, 1.0);
}

/* With a knee at 4 of 5 m/s and 10 s of creeping: 0.1 m/s^2 from there on. */
static void test_run_creeps_up_to_the_speed(void **state)
{
    const struct mf_shape shape = {5.0, 2.0, 1.5, 4.0, 0.4, 0.8, 10.0, 0.0, 0.0};
    struct mf_profile p;
    mf_profile_begin(&p, 0.0, 0.0, 0.0);
    (void)state;
    assert_true(mf_profile_run(&p, 200.0, 0.0, &shape));
    check_chain(&p, 5.0, 2.0, 4.0);
    for (int i = 6; i < 24; i++) {
        assert_near(mf_profile_at(&p, 0.5 * i).a_mps2, 0.1, 1e-9);
    }
    assert_near(mf_profile_at(&p, 20.0).v_mps, 5.0, 1e-12);
    assert_near(mf_profile_at(&p, p.duration_s - 1.0).a_mps2, -0.4, 1e-9); /* tail of 0.4 m/s^3 */
}

static void test_run_refuses_what_is_too_short(void **state)
{
    const struct mf_shape plain = {5.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0};
    struct mf_profile p;
    mf_profile_begin(&p, 7.0, 4.0, 0.0);
    (void)state;
    /* From 4 m/s: 1 + 3 + 1 s at 2 m/s on average. */
    assert_near(mf_profile_braking_m(&p, 4.0, 0.0, &plain), 10.0, 1e-12);
    assert_near(mf_profile_stopping_m(&p, 1.0, 1.0), 10.0, 1e-12);
    assert_false(mf_profile_run(&p, 9.9, 0.0, &plain));
    assert_false(mf_profile_run(&p, 0.0, 4.0, &plain));
    assert_false(mf_profile_run(&p, (double)NAN, 0.0, &plain));
    assert_true(p.count == 0 && p.end.x_m == 7.0);
    assert_true(mf_profile_run(&p, 10.1, 0.0, &plain));
    assert_near(p.end.x_m, 17.1, 1e-12);
}

static void test_random_runs_keep_the_limits(void **state)
{
    uint64_t n = 2;
    (void)state;
    for (int i = mf_cases(1000, 100000); i > 0; i--) {
        struct mf_shape s = {.speed_mps = random_between(&n, 0.1, 20.0),
                             .acc_mps2 = random_between(&n, 0.1, 5.0),
                             .brake_mps2 = random_between(&n, 0.1, 5.0),
                             .jerk_mps3 = random_between(&n, 0.5, 20.0),
                             .knee = random_between(&n, 0.3, 1.0),
                             .creep_s = random_between(&n, 0.1, 20.0)};
        s.tail_jerk_mps3 = s.jerk_mps3 * random_between(&n, 0.05, 1.0);
        const double v = random_between(&n, 0.0, s.speed_mps) * (i % 2);
        const double v_end = random_between(&n, 0.0, s.speed_mps) * (i % 3 == 0);
        const double distance = exp(random_between(&n, -12.0, 12.0));
        struct mf_profile p;
        mf_profile_begin(&p, 0.0, v, 0.0);
        const bool fits = mf_profile_braking_m(&p, v, v_end < v ? v_end : v, &s) <= distance;
        assert_true(mf_profile_run(&p, distance, v_end, &s) == fits);
        if (fits) {
            assert_true(p.end.x_m == distance && p.end.v_mps <= v_end && p.count <= 9);
            check_chain(&p, s.speed_mps, fmax(s.acc_mps2, s.brake_mps2), s.jerk_mps3);
        }
    }
}

static void test_random_states_reach_rest_where_wanted(void **state)
{
    uint64_t n = 3;
    (void)state;
    for (int i = mf_cases(1000, 100000); i > 0; i--) {
        const double acc = random_between(&n, 0.1, 5.0);
        const double jerk = random_between(&n, 0.5, 20.0);
        const double v = random_between(&n, -5.0, 5.0);
        struct mf_profile p;
        mf_profile_begin(&p, random_between(&n, -9.0, 9.0), v, random_between(&n, -acc, acc));
        const double to = random_between(&n, -9.0, 9.0);
        mf_profile_reach(&p, to, random_between(&n, 0.1, 5.0), acc, jerk);
        assert_near(p.end.x_m, to, 1e-9);
        assert_true(p.end.v_mps == 0.0 && p.end.a_mps2 == 0.0);
        check_chain(&p, 5.0 + acc * acc / (2.0 * jerk), acc, jerk);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_are_cubic),
        cmocka_unit_test(test_change_of_velocity),
        cmocka_unit_test(test_random_changes_keep_the_limits),
        cmocka_unit_test(test_plain_run),
        cmocka_unit_test(test_run_creeps_up_to_the_speed),
        cmocka_unit_test(test_run_refuses_what_is_too_short),
        cmocka_unit_test(test_random_runs_keep_the_limits),
        cmocka_unit_test(test_random_states_reach_rest_where_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
