/* SPDX-License-Identifier: Apache-2.0 */
#include "host/faultspec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static char s_reason[MF_FAULT_REASON_MAX];

static void test_sim046_fault_specifications(void **state)
{
    (void)state;
    const struct {
        const char *text;
        mf_us_t from_us, to_us;
    } good[] = {{"gps_off", 0, MF_NEVER},
                {"gps_off@30s", 30000000, MF_NEVER},
                {"gps_off@30s+10s", 30000000, 40000000},
                {"gps_off+10", 0, 10000000},
                {"gps_off@0+500ms", 0, 500000},
                {"gps_off@1.5+1us", 1500000, 1500001},
                {"gps_off@2min+1h", 120000000, INT64_C(3720000000)}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct mf_fault_spec spec;
        assert_int_equal(mf_fault_spec_parse(good[i].text, strlen(good[i].text), &spec, s_reason),
                         MF_E_OK);
        assert_int_equal(spec.fault, MF_FAULT_GPS_OFF);
        assert_int_equal(spec.from_us, good[i].from_us);
        assert_int_equal(spec.to_us, good[i].to_us);
    }
}

static void bad(const char *text, const char *reason)
{
    struct mf_fault_spec spec;
    assert_int_equal(mf_fault_spec_parse(text, strlen(text), &spec, s_reason), MF_E_RANGE);
    if (strncmp(s_reason, reason, strlen(reason)) != 0) {
        assert_string_equal(s_reason, reason);
    }
}

static void test_what_is_wrong_is_said(void **state)
{
    (void)state;
    bad("gps_of", "fault 'gps_of' is not known, allowed: gps_off");
    bad("", "fault '' is not known, allowed: gps_off");
    bad("gps_off@", "'' is no time, allowed: a number with us, ms, s, min or h, such as 30s");
    bad("gps_off@soon",
        "'soon' is no time, allowed: a number with us, ms, s, min or h, such as 30s");
    bad("gps_off@30y", "'y' is no unit of time, allowed: us, ms, s, min, h");
    bad("gps_off@-1s", "time -1s is out of range, allowed: 0 .. 1e9 s");
    bad("gps_off@2e9s", "time 2e9s is out of range, allowed: 0 .. 1e9 s");
    bad("gps_off+0", "time 0 is out of range, allowed: above 0 .. 1e9 s");
    bad("gps_off+10s@30s", "the time (@) comes before the duration (+), such as gps_off@30s+10s");
    char text[300];
    memset(text, 'x', sizeof text);
    struct mf_fault_spec spec;
    assert_int_equal(mf_fault_spec_parse(text, sizeof text, &spec, s_reason), MF_E_RANGE);
    assert_string_equal(s_reason, "the fault is longer than 127 characters");
}

static void test_only_the_given_length_is_read(void **state)
{
    (void)state;
    struct mf_fault_spec spec;
    assert_int_equal(mf_fault_spec_parse("gps_off@5,gps_off", 9, &spec, s_reason), MF_E_OK);
    assert_int_equal(spec.from_us, 5000000);
    assert_string_equal(mf_fault_name(MF_FAULT_GPS_OFF), "gps_off");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim046_fault_specifications),
        cmocka_unit_test(test_what_is_wrong_is_said),
        cmocka_unit_test(test_only_the_given_length_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
