/* SPDX-License-Identifier: Apache-2.0 */
#include "math/trig.h"

#include "tests/unit/support/cases.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define PI_2_L  1.57079632679489661923132169163975144L
#define TOL     1e-15
#define SAMPLES 30000, 1000000 /* by day, at night */

/* Deterministic arguments: xorshift64. */
static double uniform(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static void assert_near(double got, long double want, double tol)
{
    if (!(fabsl(got - want) <= tol)) {
        fail_msg("got %.17g, want %.20Lg, off by %Lg", got, want, fabsl(got - want));
    }
}

static uint64_t bits(double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

/* Sums of bits, which only equal bits give. */
static uint64_t mix(uint64_t hash, double x)
{
    return (hash ^ bits(x)) * UINT64_C(0x100000001b3);
}

/* From mpmath 1.3, 40 digits. */
static void test_sin_cos_of_known_angles(void **state)
{
    static const struct {
        double x, sin, cos;
    } k[] = {
        {0.0, 0.0, 1.0},
        {0.5, 0.47942553860420300027, 0.87758256189037271612},
        {1.0, 0.84147098480789650665, 0.5403023058681397174},
        {-2.25, -0.77807319688792124141, -0.62817362272273908891},
        {100.0, -0.50636564110975879366, 0.8623188722876839341},
        {-12345.678, 0.70408131375338158541, 0.71011935871606277365},
        {999999.5, -0.75625108756167799303, 0.65428150865035093481},
        {1e6, -0.34999350217129295212, 0.93675212753314478694},
        {0.0001, 0.000099999999833333338209, 0.99999999500000000417},
        {3.141592653589793, 1.2246467991473531772e-16, -1.0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        assert_near(mf_sin(k[i].x), k[i].sin, 2.3e-16);
        assert_near(mf_cos(k[i].x), k[i].cos, 2.3e-16);
    }
}

static void test_sin_cos_against_long_double(void **state)
{
    static const double k_range[] = {1.0, 10.0, 1e3, 1e6};
    uint64_t seed = 1;
    (void)state;
    for (int i = mf_cases(SAMPLES); i > 0; i--) {
        const double x = (2.0 * uniform(&seed) - 1.0) * k_range[i % 4];
        assert_near(mf_sin(x), sinl((long double)x), TOL);
        assert_near(mf_cos(x), cosl((long double)x), TOL);
        const struct mf_sin_cos both = mf_sin_cos(x);
        assert_true(bits(both.sin) == bits(mf_sin(x)) && bits(both.cos) == bits(mf_cos(x)));
    }
}

static void test_sin_cos_near_multiples_of_a_quarter_turn(void **state)
{
    static const double k_off[] = {0.0, 1e-15, -1e-12, 1e-9, -1e-6};
    uint64_t seed = 2;
    (void)state;
    for (int i = mf_cases(SAMPLES); i > 0; i--) {
        const long double n = (long double)(int)((uniform(&seed) - 0.5) * 2.0 * 636600.0);
        const double x = (double)(n * PI_2_L) + k_off[i % 5];
        assert_near(mf_sin(x), sinl((long double)x), TOL);
        assert_near(mf_cos(x), cosl((long double)x), TOL);
    }
}

/* The double that lies nearest to a multiple of pi/2 (29) is off by 6.19e-19 only. */
static void test_sin_cos_at_the_worst_cancellation(void **state)
{
    (void)state;
    assert_near(mf_cos(0x1.6c6cbc45dc8dep+5), 0.0L, 1e-18);
    assert_near(mf_sin(0x1.6c6cbc45dc8dep+6), 0.0L, 2e-18);
}

static void test_sin_cos_beyond_the_range(void **state)
{
    static const double k_bad[] = {1000000.1, -1e300, INFINITY, -INFINITY, NAN};
    (void)state;
    for (size_t i = 0; i < sizeof k_bad / sizeof k_bad[0]; i++) {
        assert_true(isnan(mf_sin(k_bad[i])) && isnan(mf_cos(k_bad[i])));
        assert_true(isnan(mf_sin_cos(k_bad[i]).sin) && isnan(mf_sin_cos(k_bad[i]).cos));
        assert_true(isnan(mf_wrap_pi(k_bad[i])));
    }
    assert_false(isnan(mf_sin(-1e6)) || isnan(mf_cos(1e6)));
}

/* From mpmath 1.3. */
static void test_atan2_of_known_vectors(void **state)
{
    (void)state;
    assert_near(mf_atan2(1.0, 2.0), 0.46364760900080611621L, TOL);
    assert_near(mf_atan2(-3.0, 4.0), -0.6435011087932843868L, TOL);
    assert_near(mf_atan2(5.0, -12.0), 2.7468015338900317217L, TOL);
    assert_near(mf_atan2(-0.001, -7.0), -3.1414497964479079129L, TOL);
    assert_near(mf_atan2(1e-9, 1.0), 1e-9L, 1e-24);
    assert_near(mf_atan2(1.0, 1e-9), 1.5707963257948966192L, TOL);
    assert_near(mf_atan2(2.5, 2.4), 0.80580349408398641455L, TOL);
    assert_near(mf_atan2(1.0, 2.414), 0.39273035954580633183L, TOL);
}

static void test_atan2_against_long_double(void **state)
{
    static const double k_scale[] = {1.0, 1e-3, 1e-8, 1e5, 1e-300, 1e300};
    uint64_t seed = 3;
    (void)state;
    for (int i = mf_cases(SAMPLES); i > 0; i--) {
        const double y = (2.0 * uniform(&seed) - 1.0) * k_scale[i % 6];
        const double x = (2.0 * uniform(&seed) - 1.0) * k_scale[(i / 6) % 6];
        assert_near(mf_atan2(y, x), atan2l((long double)y, (long double)x), TOL);
    }
}

/* Signed zeros, infinities, largest and smallest: as C's atan2 to the sign of zero. */
static void test_atan2_special_values(void **state)
{
    static const double k[] = {0.0,     -0.0,     1.0,     -1.0,  INFINITY, -INFINITY,
                               1.7e308, -1.7e308, 9.5e307, 1e308, 5e-324,   -5e-324};
    const size_t n = sizeof k / sizeof k[0];
    (void)state;
    for (size_t i = 0; i < n * n; i++) {
        const double y = k[i / n];
        const double x = k[i % n];
        assert_near(mf_atan2(y, x), (long double)atan2(y, x), 5e-16);
        assert_int_equal(signbit(mf_atan2(y, x)) != 0, signbit(atan2(y, x)) != 0);
    }
    assert_true(isnan(mf_atan2(NAN, 1.0)) && isnan(mf_atan2(0.0, NAN)));
}

static void test_sqrt_is_correctly_rounded(void **state)
{
    uint64_t seed = 4;
    (void)state;
    for (int i = mf_cases(SAMPLES); i > 0; i--) {
        const double x = uniform(&seed) * (i % 2 == 0 ? 1.0 : 1e12);
        assert_true(bits(mf_sqrt(x)) == bits(sqrt(x)));
    }
    assert_true(mf_sqrt(1522756.0) == 1234.0);
    assert_true(isnan(mf_sqrt(-1.0)) && isnan(mf_sqrt(NAN)));
    assert_true(bits(mf_sqrt(-0.0)) == bits(-0.0));
}

static void test_wrap_pi(void **state)
{
    uint64_t seed = 5;
    (void)state;
    assert_true(mf_wrap_pi(MF_PI) == MF_PI && mf_wrap_pi(-MF_PI) == -MF_PI);
    assert_near(mf_wrap_pi(3.5), 3.5L - 4.0L * PI_2_L, TOL);
    assert_near(mf_wrap_pi(-3.5), 4.0L * PI_2_L - 3.5L, TOL);
    for (int i = mf_cases(SAMPLES); i > 0; i--) {
        const double x = (2.0 * uniform(&seed) - 1.0) * (i % 2 == 0 ? 20.0 : 1e6);
        const double w = mf_wrap_pi(x);
        assert_true(w >= -MF_PI && w <= MF_PI);
        assert_near((double)sinl((long double)w), sinl((long double)x), TOL);
        assert_near((double)cosl((long double)w), cosl((long double)x), TOL);
    }
}

static void test_round_i32(void **state)
{
    static const struct {
        double x;
        int want;
    } k[] = {
        {0.0, 0},
        {0.49999999999999994, 0},
        {0.5, 1},
        {-0.5, -1},
        {1.5, 2},
        {2.5, 3},
        {-2.5, -3},
        {-2.4999, -2},
        {2147483646.4, 2147483646},
        {2147483646.5, INT32_MAX},
        {1e300, INT32_MAX},
        {-2147483647.5, INT32_MIN},
        {-2147483647.4, -2147483647},
        {-1e300, INT32_MIN},
        {INFINITY, INT32_MAX},
        {-INFINITY, INT32_MIN},
        {NAN, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        assert_int_equal(mf_round_i32(k[i].x), k[i].want);
    }
}

/* One hash over many results: the same on every compiler, optimisation level and processor. */
static void test_sim042_same_bits_everywhere(void **state)
{
    uint64_t hash = 0;
    uint64_t seed = 6;
    (void)state;
    for (int i = 0; i < 100000; i++) {
        const double x = (2.0 * uniform(&seed) - 1.0) * (i % 2 == 0 ? 4.0 : 1e6);
        hash = mix(hash, mf_sin(x));
        hash = mix(hash, mf_cos(x));
        hash = mix(hash, mf_atan2(x, uniform(&seed) - 0.5));
        hash = mix(hash, mf_wrap_pi(x));
    }
    assert_true(hash == UINT64_C(0x44c309d00f7fb7a4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sin_cos_of_known_angles),
        cmocka_unit_test(test_sin_cos_against_long_double),
        cmocka_unit_test(test_sin_cos_near_multiples_of_a_quarter_turn),
        cmocka_unit_test(test_sin_cos_at_the_worst_cancellation),
        cmocka_unit_test(test_sin_cos_beyond_the_range),
        cmocka_unit_test(test_atan2_of_known_vectors),
        cmocka_unit_test(test_atan2_against_long_double),
        cmocka_unit_test(test_atan2_special_values),
        cmocka_unit_test(test_sqrt_is_correctly_rounded),
        cmocka_unit_test(test_wrap_pi),
        cmocka_unit_test(test_round_i32),
        cmocka_unit_test(test_sim042_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
