/* SPDX-License-Identifier: Apache-2.0 */
/* UAV-06: probabilities of UavSim's model, as its formulas give them by hand. */
#include "fleet/detection.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static double sought(double height_m, double away)
{
    const struct mf_detection_model m = {30.0, 1.0, 0.1};
    const double corner_m = height_m * 1.4142135623730951;
    const struct mf_detection_view v = {height_m, 20.0, away * corner_m, corner_m, 0.0};
    return mf_detection_probability(&m, &v, true);
}

/* Below the camera and at a corner: 0.95 (0.2 + 0.5 s + 0.1 + 0.1 angle), s = 1 / (1 + 2 e^(5 (h -
 * 30))). */
static void test_what_is_sought(void **state)
{
    static const struct {
        double height_m, below, corner;
    } k[] = {
        {15.0, 0.760, 0.855},
        {29.0, 0.753684, 0.848684},
        {30.0, 0.443333, 0.538333},
        {31.0, 0.286595, 0.381595},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        assert_true(fabs(sought(k[i].height_m, 0.0) - k[i].below) < 1e-6);
        assert_true(fabs(sought(k[i].height_m, 1.0) - k[i].corner) < 1e-6);
    }
}

/* The clearer the picture, the fewer are mistaken: 0.95 * 0.4 * (1 - 0.8). */
static void test_what_is_not(void **state)
{
    (void)state;
    const struct mf_detection_model m = {30.0, 1.0, 0.4};
    const struct mf_detection_view v = {15.0, 20.0, 0.0, 20.0, 0.0};
    assert_true(fabs(mf_detection_probability(&m, &v, false) - 0.076) < 1e-9);
}

/* At 31 m/s the score of the speed is 1 / (1 + 2 e^5), 5 m below the surface a third. */
static void test_speed_and_depth(void **state)
{
    (void)state;
    const struct mf_detection_model m = {30.0, 1.0, 0.4};
    const struct mf_detection_view v = {15.0, 31.0, 0.0, 20.0, -5.0};
    const double want = 0.95 * (0.2 / (1.0 + 2.0 * exp(5.0)) + 0.5 + 0.1 / 3.0);
    assert_true(fabs(mf_detection_probability(&m, &v, true) - want) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_sought),
        cmocka_unit_test(test_what_is_not),
        cmocka_unit_test(test_speed_and_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
