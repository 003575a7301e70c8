/* SPDX-License-Identifier: Apache-2.0 */
/* UAV-06: probabilities of UavSim's model, as its formulas give them by hand. */
#include "fleet/detection.h"
#include "tests/unit/support/names.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static double sought(double height_m, double away)
{
    const struct mf_detection_model m = {30.0, 1.0, 0.1, NULL};
    const double corner_m = height_m * 1.4142135623730951;
    const struct mf_detection_view v = {height_m, 20.0, away * corner_m, corner_m, 0.0};
    return mf_detection_probability(&m, &v, true);
}

/* UAV-06. Below the camera and at a corner: 0.95 (0.2 + 0.5 s + 0.1 + 0.1 angle), s = 1 / (1 + 2
 * e^(5 (h - 30))). */
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
    const struct mf_detection_model m = {30.0, 1.0, 0.4, NULL};
    const struct mf_detection_view v = {15.0, 20.0, 0.0, 20.0, 0.0};
    assert_true(fabs(mf_detection_probability(&m, &v, false) - 0.076) < 1e-9);
}

/* At 31 m/s the score of the speed is 1 / (1 + 2 e^5), 5 m below the surface a third. */
static void test_speed_and_depth(void **state)
{
    (void)state;
    const struct mf_detection_model m = {30.0, 1.0, 0.4, NULL};
    const struct mf_detection_view v = {15.0, 31.0, 0.0, 20.0, -5.0};
    const double want = 0.95 * (0.2 / (1.0 + 2.0 * exp(5.0)) + 0.5 + 0.1 / 3.0);
    assert_true(fabs(mf_detection_probability(&m, &v, true) - want) < 1e-12);
}

static const char k_table[] = "\xEF\xBB\xBF# measured\n"
                              "height_m,speed_mps,place,recall,false_alarm\n"
                              "30,5,0,0.8,0.02\n30,5,1,0.6,0.04\n"
                              "10,5,0,1.0,0.00\n10,5,1,0.8,0.01\r\n"
                              "10,15,0,0.9,0.10\n10,15,1,0.7,0.11\n"
                              "30,15,0,0.7,0.12\n30,15,1,0.5,0.14\n";

static double by_table(double height_m, double speed_mps, double place, bool is_sought)
{
    static struct mf_detection_table s_table;
    char error[MF_DETECTION_ERROR_MAX];
    assert_true(mf_detection_read(k_table, &s_table, error));
    const struct mf_detection_model m = {30.0, 0.5, 0.4, &s_table};
    const struct mf_detection_view v = {height_m, speed_mps, place * 20.0, 20.0, 0.0};
    return mf_detection_probability(&m, &v, is_sought);
}

/* At its values, between them (the mean of two, four, eight), and beyond them as at the last. */
static void test_what_was_measured(void **state)
{
    (void)state;
    assert_true(by_table(10, 5, 0, true) == 0.5);
    assert_true(fabs(by_table(30, 15, 1, true) - 0.25) < 1e-12);
    assert_true(fabs(by_table(30, 15, 1, false) - 0.14) < 1e-12);
    assert_true(fabs(by_table(20, 5, 0, true) - 0.45) < 1e-12);
    assert_true(fabs(by_table(10, 10, 0.5, true) - 0.425) < 1e-12);
    assert_true(fabs(by_table(10, 7.5, 0.5, true) - 0.4375) <
                1e-12);                                            /* a quarter from 0.9 to 0.8 */
    assert_true(fabs(by_table(15, 5, 0.5, true) - 0.425) < 1e-12); /* a quarter from 0.9 to 0.7 */
    assert_true(fabs(by_table(20, 10, 0.5, false) - (0.07 + 0.47) / 8.0) < 1e-12);
    assert_true(fabs(by_table(1000, 50, 1, true) - 0.25) < 1e-12);
    assert_true(by_table(1, 0, 0, false) == 0.0);
}

static void test_tables_that_are_none(void **state)
{
    static const struct {
        const char *text, *data;
    } k[] = {
        {"", "0 0 0"},
        {"height,speed\n", "1 height_m,speed_mps,place,recall,false_alarm"},
        {"height_m,speed_mps,place,recall,false_alarm\n1,2,3\n", "2 five 0 0 1"},
        {"height_m,speed_mps,place,recall,false_alarm\n1,2,1.5,1,1\n", "2 five 0 0 1"},
        {"height_m,speed_mps,place,recall,false_alarm\n1,2,1,nan,1\n", "2 five 0 0 1"},
        {"height_m,speed_mps,place,recall,false_alarm\n1,2,0,1,0\n2,3,0,1,0\n", "3 2 2 2 1"},
        {"height_m,speed_mps,place,recall,false_alarm\n1,2,0,1,0\n1,2,0,1,0\n", "3 2 1 1 1"},
        {"height_m,speed_mps,place,recall,false_alarm\n1,2,0,1,0\n1,2,0,1,0\n1,3,0,1,0\n2,2,0,1,"
         "0\n",
         "3 height 1 speed 2 place 0"},
    };
    static struct mf_detection_table s_table;
    char error[MF_DETECTION_ERROR_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        assert_false(mf_detection_read(k[i].text, &s_table, error));
        assert_names(error, k[i].data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_sought),       cmocka_unit_test(test_what_is_not),
        cmocka_unit_test(test_speed_and_depth),      cmocka_unit_test(test_what_was_measured),
        cmocka_unit_test(test_tables_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
