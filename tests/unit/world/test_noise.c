/* SPDX-License-Identifier: Apache-2.0 */
/* world/noise.h. Golden values: an implementation in Python. */
#include "world/noise.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* cmocka compares floats; these are doubles. */
#define assert_near(x, y, by) assert_true(fabs((double)(x) - (double)(y)) <= (by))

#define SECOND MF_SECOND_US
#define DRAWS  1000000
#define TIMES  200000 /* of 0.25 s each: 50,000 correlation times of 1 s */
#define LAGS   20     /* 5 s */

static const struct mf_seed k_seed = {1, UINT64_C(0x4D41594600000001)};

static void test_sim043_keys_depend_on_seed_instance_and_stream(void **state)
{
    const struct mf_seed other_seed = {2, k_seed.instance};
    const struct mf_seed other_instance = {1, k_seed.instance + 1};
    (void)state;
    assert_true(mf_noise_key(&k_seed, MF_NOISE_WIND_NORTH) == UINT64_C(0xD57BE2559E58A72E));
    assert_true(mf_noise_key(&k_seed, MF_NOISE_DRIFT_NORTH) == UINT64_C(0x65F4E8AB1EC68DB7));
    assert_true(mf_noise_key(&other_seed, MF_NOISE_WIND_NORTH) == UINT64_C(0x9011E5D7CAE48128));
    assert_true(mf_noise_key(&other_instance, MF_NOISE_WIND_NORTH) == UINT64_C(0xD42635A222F034EF));
}

static void test_sim043_draws_to_the_last_bit(void **state)
{
    const uint64_t key = mf_noise_key(&k_seed, MF_NOISE_WIND_NORTH);
    (void)state;
    assert_true(mf_noise_gauss(key, 0) == -0.915008544921875);
    assert_true(mf_noise_gauss(key, 1) == 0.3342742919921875);
    assert_true(mf_noise_gauss(key, 2) == 0.132659912109375);
    assert_true(mf_noise_gauss(key, 3) == 0.3380584716796875);
    assert_true(mf_noise_gauss(key, UINT64_MAX) == 2.199249267578125); /* the one before 0 */
}

/* Of the sum of 12 uniform draws: variance 1, fourth moment 3 - 1.2 / 12 = 2.9. */
static void test_sim043_draws_are_nearly_normal(void **state)
{
    const uint64_t key = mf_noise_key(&k_seed, MF_NOISE_FIX_EAST);
    double sum[5] = {0}, product = 0.0, before = 0.0;
    long within_one = 0;
    (void)state;
    for (uint64_t i = 0; i < DRAWS; i++) {
        const double x = mf_noise_gauss(key, i);
        assert_true(x > -6.0 && x < 6.0);
        sum[1] += x;
        sum[2] += x * x;
        sum[3] += x * x * x;
        sum[4] += x * x * x * x;
        product += x * before;
        before = x;
        within_one += fabs(x) < 1.0;
    }
    assert_near(sum[1] / DRAWS, 0.0, 0.004);
    assert_near(sum[2] / DRAWS, 1.0, 0.006);
    assert_near(sum[3] / DRAWS, 0.0, 0.01);
    assert_near(sum[4] / DRAWS, 2.9, 0.04);
    assert_near(product / DRAWS, 0.0, 0.004);
    assert_near((double)within_one / DRAWS, 0.6827, 0.006);
}

static void test_sim043_smooth_noise_at_some_instants(void **state)
{
    static const struct {
        mf_us_t t_us;
        double x;
    } k_golden[] = {
        {0, -0.310842365121956},
        {1000000, -0.34083699144167057},
        {3746325, -0.15213087864398248},
        {12345678, 1.250923084811205},
        {INT64_C(1000000000007), 1.4691886713451472},
    };
    const struct mf_noise noise = mf_noise_smooth(UINT64_C(0xD57BE2559E58A72E), 5.0);
    (void)state;
    assert_int_equal(noise.spacing_us, 7492650);
    for (size_t i = 0; i < sizeof k_golden / sizeof k_golden[0]; i++) {
        assert_near(mf_noise_at(&noise, k_golden[i].t_us).x, k_golden[i].x, 1e-13);
    }
}

static void test_sim043_smooth_noise_is_smooth(void **state)
{
    const struct mf_noise noise = mf_noise_smooth(mf_noise_key(&k_seed, MF_NOISE_WIND_EAST), 2.0);
    const mf_us_t step_us = 1000;
    (void)state;
    for (mf_us_t t_us = step_us; t_us < 30 * SECOND; t_us += 7919) {
        const struct mf_noise_value a = mf_noise_at(&noise, t_us - step_us);
        const struct mf_noise_value v = mf_noise_at(&noise, t_us);
        const struct mf_noise_value b = mf_noise_at(&noise, t_us + step_us);
        const double h_s = 1e-6 * (double)step_us;
        assert_near((b.x - a.x) / (2.0 * h_s), v.per_s, 1e-4);
        assert_near((b.per_s - a.per_s) / (2.0 * h_s), v.per_s2, 1e-3);
        const double before = (v.per_s2 - a.per_s2) / h_s, after = (b.per_s2 - v.per_s2) / h_s;
        assert_true(v.per_s3 > fmin(before, after) - 0.1); /* it jumps at the knots */
        assert_true(v.per_s3 < fmax(before, after) + 0.1);
        assert_true(fabs(b.per_s2 - a.per_s2) < 0.5); /* no jump at the knots either */
    }
}

static double g_sample[TIMES];

static void test_sim043_smooth_noise_has_its_deviation_and_correlation_time(void **state)
{
    const struct mf_noise noise = mf_noise_smooth(mf_noise_key(&k_seed, MF_NOISE_DRIFT_DOWN), 1.0);
    double mean = 0.0, covariance[LAGS + 1] = {0};
    (void)state;
    for (mf_us_t i = 0; i < TIMES; i++) {
        g_sample[i] = mf_noise_at(&noise, i * (SECOND / 4)).x;
        mean += g_sample[i] / TIMES;
    }
    for (size_t lag = 0; lag <= LAGS; lag++) {
        for (size_t i = 0; i + lag < TIMES; i++) {
            covariance[lag] += g_sample[i] * g_sample[i + lag] / TIMES;
        }
    }
    assert_near(mean, 0.0, 0.012);
    assert_near(covariance[0], 1.0, 0.02);
    double integral_s = 0.5 * covariance[0] / 4.0;
    for (size_t lag = 1; lag <= LAGS; lag++) {
        integral_s += covariance[lag] / 4.0;
    }
    assert_near(integral_s, 1.0, 0.03);
    assert_near(covariance[12], 0.0, 0.02); /* 3 correlation times: nothing is left */
}

/* The mixture's variance is 1 at and between the knots, not only on average. */
static void test_sim043_smooth_noise_is_as_strong_between_knots(void **state)
{
    const struct mf_noise noise = mf_noise_smooth(7, 1.0);
    (void)state;
    for (mf_us_t part = 0; part < 8; part++) {
        double square = 0.0;
        for (mf_us_t knot = 0; knot < 15000; knot++) {
            const double x =
                mf_noise_at(&noise, knot * noise.spacing_us + part * noise.spacing_us / 8).x;
            square += x * x / 15000.0;
        }
        assert_near(square, 1.0, 0.03);
    }
}

static void test_correlation_times_are_held(void **state)
{
    (void)state;
    assert_int_equal(mf_noise_smooth(1, 0.0).spacing_us, 1499);
    assert_int_equal(mf_noise_smooth(1, -5.0).spacing_us, 1499);
    assert_int_equal(mf_noise_smooth(1, NAN).spacing_us, 1499);
    assert_int_equal(mf_noise_smooth(1, 1e300).spacing_us, INT64_C(1498530000000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim043_keys_depend_on_seed_instance_and_stream),
        cmocka_unit_test(test_sim043_draws_to_the_last_bit),
        cmocka_unit_test(test_sim043_draws_are_nearly_normal),
        cmocka_unit_test(test_sim043_smooth_noise_at_some_instants),
        cmocka_unit_test(test_sim043_smooth_noise_is_smooth),
        cmocka_unit_test(test_sim043_smooth_noise_has_its_deviation_and_correlation_time),
        cmocka_unit_test(test_sim043_smooth_noise_is_as_strong_between_knots),
        cmocka_unit_test(test_correlation_times_are_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
