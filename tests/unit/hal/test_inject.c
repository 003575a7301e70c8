/* SPDX-License-Identifier: Apache-2.0 */
/* hal/inject.h: default values of faults, their limits, and the least ones that can be seen;
 * numbers of docs/faults.md. */
#include "hal/inject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_default(enum mf_fault fault, float a, float b, float c, const char *text)
{
    const struct mf_fault_values with = mf_fault_default(fault);
    assert_true(with.value[0] == a && with.value[1] == b && with.value[2] == c);
    assert_string_equal(with.text, text);
}

/* Only a refusal to arm has a text. */
static void test_values_that_are_not_given(void **state)
{
    (void)state;
    assert_default(MF_FAULT_GPS_OFF, 0.0f, 0.0f, 0.0f, "");
    assert_default(MF_FAULT_GPS_GLITCH, 30.0f, 0.0f, 0.0f, "");
    assert_default(MF_FAULT_GPS_ACCURACY, 20.0f, 30.0f, 0.0f, "");
    assert_default(MF_FAULT_BATTERY_VOLTAGE, 13.2f, 0.0f, 0.0f, "");
    assert_default(MF_FAULT_PREARM, 0.0f, 0.0f, 0.0f, "fault injected");
}

static void test_limits(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_true(mf_fault_limit[MF_FAULT_GPS_GLITCH][i].low == -1e5f);
        assert_true(mf_fault_limit[MF_FAULT_GPS_GLITCH][i].high == 1e5f);
        assert_true(mf_fault_limit[MF_FAULT_GPS_OFF][i].low == 0.0f);
        assert_true(mf_fault_limit[MF_FAULT_GPS_OFF][i].high == 0.0f);
    }
    assert_true(mf_fault_limit[MF_FAULT_WIND][1].low == -360.0f);
}

/* Least magnitude that an axis must have, which a direction need not have; 0: one has it. */
static float least(enum mf_fault fault, float a, float b, float c)
{
    const struct mf_fault_values with = {.value = {a, b, c}};
    return mf_fault_least(fault, &with);
}

static void test_values_that_are_too_small_to_be_seen(void **state)
{
    (void)state;
    assert_true(least(MF_FAULT_GPS_GLITCH, 0.01f, -0.01f, 0.01f) == 0.02f);
    assert_true(least(MF_FAULT_GPS_GLITCH, 0.02f, 0.0f, 0.0f) == 0.0f);
    assert_true(least(MF_FAULT_GPS_GLITCH, 0.0f, -0.02f, 0.0f) == 0.0f);
    assert_true(least(MF_FAULT_GPS_GLITCH, 0.0f, 0.0f, 0.03f) == 0.0f);
    assert_true(least(MF_FAULT_GPS_GLITCH, 0.0f, 0.0f, -0.03f) == 0.0f);
    assert_true(least(MF_FAULT_WIND, 0.001f, 300.0f, 300.0f) == 0.01f);
    assert_true(least(MF_FAULT_WIND, 0.01f, 0.0f, 0.0f) == 0.0f);
    assert_true(least(MF_FAULT_GPS_OFF, 0.0f, 0.0f, 0.0f) == 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_that_are_not_given),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_values_that_are_too_small_to_be_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
