/* SPDX-License-Identifier: Apache-2.0 */
#include "math/attitude.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_vector(const double got[3], double x, double y, double z)
{
    assert_true(fabs(got[0] - x) < 1e-9);
    assert_true(fabs(got[1] - y) < 1e-9);
    assert_true(fabs(got[2] - z) < 1e-9);
}

#define QUARTER 1.5707963267948966

static void test_vectors_seen_by_the_body(void **state)
{
    double frd[3];
    (void)state;
    mf_attitude_to_body((const double[]){0, 0, QUARTER}, (const double[]){1, 2, 3}, frd);
    assert_vector(frd, 2, -1, 3); /* heading east */
    mf_attitude_to_body((const double[]){0, QUARTER, 0}, (const double[]){1, 2, 3}, frd);
    assert_vector(frd, -3, 2, 1); /* nose up */
    mf_attitude_to_body((const double[]){QUARTER, 0, 0}, (const double[]){1, 2, 3}, frd);
    assert_vector(frd, 1, 3, -2); /* right wing down */
}

/* p = roll' - yaw' sin(pitch), q = pitch' cos(roll) + yaw' cos(pitch) sin(roll),
 * r = -pitch' sin(roll) + yaw' cos(pitch) cos(roll). */
static void test_rates_about_the_axes_of_the_body(void **state)
{
    double frd[3];
    (void)state;
    mf_attitude_rates((const double[]){0, 0, 1}, (const double[]){0.1, 0.2, 0.3}, frd);
    assert_vector(frd, 0.1, 0.2, 0.3);
    mf_attitude_rates((const double[]){0.1, -0.2, 2}, (const double[]){0.3, -0.5, 0.7}, frd);
    assert_vector(frd, 0.4390685315565, -0.4290117061339, 0.7325359373647);
    mf_attitude_rates((const double[]){0.1, -0.2, 2}, (const double[]){0, 0, 0}, frd);
    assert_vector(frd, 0, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors_seen_by_the_body),
        cmocka_unit_test(test_rates_about_the_axes_of_the_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
