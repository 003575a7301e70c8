/* SPDX-License-Identifier: Apache-2.0 */
#include "world/fall.h"

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

/* g/k (t - (1 - e^-kt) / k), g/k (1 - e^-kt) and g e^-kt in 50 digits. */
static void test_way_speed_and_acceleration(void **state)
{
    static const struct {
        double drag_per_s, t_s, way_m, speed_mps, acc_mps2;
    } k[] = {
        {0.0, 2.0, 19.6133, 19.6133, 9.80665},
        {1e-9, 2.0, 19.6132999869244667, 19.6132999803867, 9.8066499803867},
        {1.0, 0.5, 1.04470889407089656, 3.85861610592910344, 5.94803389407089656},
        {1.0, 1.0, 3.60766492176392484, 6.19898507823607516, 3.60766492176392484},
        {1.0, 1.261, 5.33845110359937857, 7.02773454640062143, 2.77891545359937857},
        {0.4, 5.0, 69.5864734709520491, 21.1986606116191804, 1.32718575535232786},
        {10.0, 3.0, 2.84392850000000918, 0.980664999999908233, 9.17669333e-13},
        {1.0, 40.0, 382.45935, 9.80665, 0.0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        const struct mf_motion m = mf_fall_at(k[i].drag_per_s, k[i].t_s);
        assert_near(m.x_m, k[i].way_m, 1e-14 * (1.0 + k[i].way_m));
        assert_near(m.v_mps, k[i].speed_mps, 1e-14);
        assert_near(m.a_mps2, k[i].acc_mps2, 1e-14);
        assert_near(m.j_mps3, -k[i].drag_per_s * k[i].acc_mps2, 1e-14);
    }
}

static void test_it_begins_at_rest(void **state)
{
    (void)state;
    const struct mf_motion m = mf_fall_at(1.0, 0.0);
    assert_true(m.x_m == 0.0 && m.v_mps == 0.0 && m.a_mps2 == 9.80665);
}

/* The first microsecond on the ground, in 50 digits. */
static void test_durations_to_the_microsecond(void **state)
{
    static const struct {
        double drag_per_s, height_m;
        mf_us_t lasts_us;
    } k[] = {
        {0.0, 20.0, 2019620}, {1e-6, 20.0, 2019621},      {1.0, 10.0, 1864788},
        {1.0, 20.0, 2989100}, {0.4, 100.0, 6384393},      {1.0, 1000.0, 102971622},
        {1.0, 0.0, 0},        {10.0, 1000.0, 1019816213},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        assert_true(mf_fall_us(k[i].drag_per_s, k[i].height_m) == k[i].lasts_us);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_way_speed_and_acceleration),
        cmocka_unit_test(test_it_begins_at_rest),
        cmocka_unit_test(test_durations_to_the_microsecond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
