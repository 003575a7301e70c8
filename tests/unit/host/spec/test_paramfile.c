/* SPDX-License-Identifier: Apache-2.0 */
/* Files of parameters, in the forms that ground stations write. */
#include "host/spec/paramfile.h"

#include "hal/types.h"
#include "tests/unit/support/names.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct mf_paramfile_entry s_entry;
static char s_error[200];

static void expect(struct mf_paramfile *file, const char *name, double value, int component,
                   unsigned line)
{
    assert_int_equal(mf_paramfile_next(file, &s_entry, s_error, sizeof s_error), 1);
    assert_string_equal(s_entry.name, name);
    assert_true(fabs(s_entry.value - value) <= 0.0);
    assert_int_equal(s_entry.component, component);
    assert_int_equal(s_entry.line, line);
}

static void expect_end(struct mf_paramfile *file)
{
    assert_int_equal(mf_paramfile_next(file, &s_entry, s_error, sizeof s_error), 0);
}

static void test_qgroundcontrol(void **state)
{
    static const char k_text[] = "\xEF\xBB\xBF# Onboard parameters for Vehicle 1\r\n#\r\n"
                                 "# Vehicle-Id Component-Id Name Value Type\r\n"
                                 "1\t1\tMC_ROLL_P\t6.500000000000000000\t9\r\n"
                                 "1\t100\tCAM_MODE\t-1\t6";
    struct mf_paramfile file = mf_paramfile_begin(k_text, strlen(k_text));
    (void)state;
    expect(&file, "MC_ROLL_P", 6.5, 1, 4);
    expect(&file, "CAM_MODE", -1.0, 100, 5);
    expect_end(&file);
}

static void test_mavproxy_and_mission_planner(void **state)
{
    static const char k_text[] = "\n  MPC_XY_CRUISE    12.000000 # m/s\n#NOTE 1\n"
                                 "RTL_RETURN_ALT,30\nA,nan\n";
    struct mf_paramfile file = mf_paramfile_begin(k_text, strlen(k_text));
    (void)state;
    expect(&file, "MPC_XY_CRUISE", 12.0, -1, 2);
    expect(&file, "RTL_RETURN_ALT", 30.0, -1, 4);
    assert_int_equal(mf_paramfile_next(&file, &s_entry, s_error, sizeof s_error), 1);
    assert_true(isnan(s_entry.value));
    expect_end(&file);
    file = mf_paramfile_begin("", 0);
    expect_end(&file);
}

static void expect_error(const char *text, size_t n, const char *data)
{
    struct mf_paramfile file = mf_paramfile_begin(text, n);
    int result = 1;
    while (result == 1) {
        result = mf_paramfile_next(&file, &s_entry, s_error, sizeof s_error);
    }
    assert_int_equal(result, MF_E_RANGE);
    assert_names(s_error, data);
}

static void test_what_is_not_a_parameter(void **state)
{
    static const struct {
        const char *text, *data;
    } k_bad[] = {
        {"A", "1: 'A' NAME VALUE"},
        {"A 1\nB 2 3\n", "2: 'B 2 3'"},
        {"A 1x", "1: 'A 1x'"},
        {"A inf", "1: 'A inf'"},
        {"1\t1\tA\t5", "1: NAME VALUE"},
        {"1\t1\tA\tx\t9", "1: VEHICLE COMPONENT NAME VALUE TYPE"},
        {"1\tone\tA\t5\t9", "1: VEHICLE"},
        {"1\t256\tA\t5\t9", "1: VEHICLE"},
        {"1\t1\tA\t5\t9\t9", "1: VEHICLE"},
        {"<?xml version=\"1.0\"?>", "1: NAME"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_bad / sizeof k_bad[0]; i++) {
        expect_error(k_bad[i].text, strlen(k_bad[i].text), k_bad[i].data);
    }
    expect_error("A 1\nB 2\0\nC 3", 12, "2: NUL");
    expect_error("A 1\n\0", 5, "2: NUL");
}

/* A name that fits no vehicle is kept as far as it goes, and no farther. */
static void test_long_names(void **state)
{
    char text[100];
    (void)state;
    memset(text, 'A', sizeof text);
    memcpy(text + 90, " 1", 3);
    struct mf_paramfile file = mf_paramfile_begin(text, strlen(text));
    assert_int_equal(mf_paramfile_next(&file, &s_entry, s_error, sizeof s_error), 1);
    assert_int_equal(strlen(s_entry.name), MF_PARAMFILE_NAME_MAX - 1u);
    expect_end(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_qgroundcontrol),
        cmocka_unit_test(test_mavproxy_and_mission_planner),
        cmocka_unit_test(test_what_is_not_a_parameter),
        cmocka_unit_test(test_long_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
