/* SPDX-License-Identifier: Apache-2.0 */
#include "host/spec/faultspec.h"
#include "tests/unit/support/names.h"

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
        mf_us_t from_us, for_us;
    } good[] = {{"gps_off", 0, MF_NEVER},
                {"gps_off@30s", 30000000, MF_NEVER},
                {"gps_off@30s+10s", 30000000, 10000000},
                {"gps_off+10", 0, 10000000},
                {"gps_off@0+500ms", 0, 500000},
                {"gps_off@1.5+1us", 1500000, 1},
                {"gps_off@2min+1h", 120000000, INT64_C(3600000000)}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct mf_fault_plan spec;
        assert_int_equal(mf_fault_spec_parse(good[i].text, strlen(good[i].text), &spec, s_reason),
                         MF_E_OK);
        assert_int_equal(spec.fault, MF_FAULT_GPS_OFF);
        assert_int_equal(spec.after_us, good[i].from_us);
        assert_int_equal(spec.for_us, good[i].for_us);
    }
}

static struct mf_fault_plan good(const char *text)
{
    struct mf_fault_plan plan;
    if (mf_fault_spec_parse(text, strlen(text), &plan, s_reason) != MF_E_OK) {
        fail_msg("%s: %s", text, s_reason);
    }
    return plan;
}

static void test_sim046_values_and_happenings(void **state)
{
    (void)state;
    struct mf_fault_plan p = good("battery=18%@2m");
    assert_int_equal(p.fault, MF_FAULT_BATTERY);
    assert_true(p.with.value[0] == 18.0f && p.after_us == 120000000 && p.for_us == MF_NEVER);
    p = good("gps_glitch=5:-2.5@waypoint3:1500ms+2");
    assert_true(p.with.value[0] == 5.0f && p.with.value[1] == -2.5f && p.with.value[2] == 0.0f);
    assert_true(p.on == MF_HAPPENING_WAYPOINT && p.index == 3);
    assert_true(p.after_us == 1500000 && p.for_us == 2000000);
    p = good("prearm");
    assert_string_equal(p.with.text, "fault injected"); /* the usual */
    p = good("gps_drift@takeoff");
    assert_true(p.on == MF_HAPPENING_TAKEOFF && p.after_us == 0);
    assert_true(p.with.value[0] == 1.0f && p.with.value[1] == 0.0f); /* the usual */
}

static void test_what_is_printed_reads_back_the_same(void **state)
{
    (void)state;
    const char *const texts[] = {
        "gps_off@0s",         "battery=18@2min", "gps_glitch=5:-2.5:0@waypoint3:1500ms+2s",
        "mag_off@takeoff:0s", "mag_off@99h+1us", "prearm=not today@90s"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char text[MF_FAULT_SPEC_MAX];
        const struct mf_fault_plan plan = good(texts[i]);
        mf_fault_spec_print(&plan, text);
        assert_string_equal(text, texts[i]);
    }
}

static void bad(const char *text, const char *data)
{
    struct mf_fault_plan spec;
    assert_int_equal(mf_fault_spec_parse(text, strlen(text), &spec, s_reason), MF_E_RANGE);
    assert_names(s_reason, data);
}

static void test_what_is_wrong_is_said(void **state)
{
    (void)state;
    bad("gps_of", "gps_of gps_off");
    bad("gps_fail", "gps_fail gps_off gps_no_fix gps_stuck");
    bad("40", "40 ':' '/' gps_glitch=30:40:0");
    bad("", "'' docs/faults.md");
    bad("gps_off@", "'' us ms s m min h 30s");
    bad("gps_off@soon", "soon 30s boot arm takeoff waypoint landing disarm");
    bad("gps_off@30y", "y us ms s m min h");
    bad("gps_off@-1s", "-1s 0 1e9 s");
    bad("gps_off@2e9s", "2e9s 0 1e9 s");
    bad("gps_off+0", "0 0 1e9 s");
    bad("gps_off+10s@30s", "@ + gps_off@30s+10s");
    bad("gps_off=1", "gps_off value");
    bad("battery=1:2", "battery PERCENT");
    bad("battery=", "'' battery PERCENT");
    bad("battery=full", "full battery PERCENT");
    bad("battery=101", "battery 101 0 100 PERCENT");
    bad("gps_glitch=1:2:3:4", "gps_glitch NORTH:EAST:DOWN m");
    bad("wind=0", "wind 0.01 SPEED m/s:FROM deg");
    bad("gps_glitch=0:0:0@5s", "gps_glitch 0.02 NORTH");
    bad("gps_off@waypoint", "waypoint waypoint3 0");
    bad("gps_off@waypoint-1", "waypoint-1 waypoint3 0");
    bad("gps_off@takeoff:soon", "soon us ms s m min h 30s");
    bad("gps_off@takeoffs", "takeoffs 30s boot arm takeoff waypoint landing disarm");
    bad("prearm=a\nb", "prearm ASCII");
    bad("prearm=\xc3\xa9", "prearm ASCII");
    bad("prearm=", "prearm text");
    bad("gps_satellites=2.5", "gps_satellites 2.5 0 60");
    bad("breach_teleport=100000.5", "breach_teleport 100000.5 0 100000");
    char text[300];
    memset(text, 'x', sizeof text);
    struct mf_fault_plan spec;
    assert_int_equal(mf_fault_spec_parse(text, sizeof text, &spec, s_reason), MF_E_RANGE);
    assert_names(s_reason, "191");
}

static void test_only_the_given_length_is_read(void **state)
{
    (void)state;
    struct mf_fault_plan spec;
    assert_int_equal(mf_fault_spec_parse("gps_off@5,gps_off", 9, &spec, s_reason), MF_E_OK);
    assert_int_equal(spec.after_us, 5000000);
    assert_string_equal(mf_fault_name(MF_FAULT_GPS_OFF), "gps_off");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim046_fault_specifications),
        cmocka_unit_test(test_sim046_values_and_happenings),
        cmocka_unit_test(test_what_is_printed_reads_back_the_same),
        cmocka_unit_test(test_what_is_wrong_is_said),
        cmocka_unit_test(test_only_the_given_length_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
