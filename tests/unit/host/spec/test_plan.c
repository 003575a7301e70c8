/* SPDX-License-Identifier: Apache-2.0 */
/* Plans that are no .plan; those are in tests/unit/tools/fly/test_plan.c, as files. */
#include "host/spec/plan.h"

#include "mavlink/enums.h"
#include "tests/unit/support/names.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct mf_plan s_plan;
static char s_error[256];

static void reads(const char *text)
{
    if (mf_plan_read(text, strlen(text), &s_plan, s_error, sizeof s_error) != 0) {
        fail_msg("%s", s_error);
    }
}

static void refuses(const char *text, const char *data)
{
    assert_int_not_equal(mf_plan_read(text, strlen(text), &s_plan, s_error, sizeof s_error), 0);
    assert_names(s_error, data);
}

/* What GET /v1/mission gives: members beside these are of no interest, jumps name indices. */
static void test_items_as_the_control_api_shows_them(void **state)
{
    (void)state;
    reads("{\"count\": 2, \"tag\": 7, \"items\": ["
          "{\"seq\": 0, \"command\": 16, \"frame\": 6, \"param\": [1.5, 0, 0, null], "
          "\"lat_deg\": 47.5, \"lon_deg\": -8.25, \"alt_m\": 20, \"alt_amsl_m\": 508},"
          "{\"seq\": 1, \"command\": 177, \"frame\": 2, \"param\": [0, 3, 0, 0], "
          "\"lat_deg\": null, \"lon_deg\": null, \"alt_m\": 0, \"alt_amsl_m\": null}]}");
    assert_int_equal(s_plan.count, 2);
    assert_int_equal(s_plan.item[0].command, MAV_CMD_NAV_WAYPOINT);
    assert_int_equal(s_plan.item[0].frame, 6);
    assert_int_equal(s_plan.item[0].x, 475000000);
    assert_int_equal(s_plan.item[0].y, -82500000);
    assert_float_equal(mf_f32_from_bits(s_plan.item[0].z), 20.0f, 0.0f);
    assert_true(isnan(mf_f32_from_bits(s_plan.item[0].param4)));
    assert_float_equal(mf_f32_from_bits(s_plan.item[1].param1), 0.0f, 0.0f);
    assert_float_equal(mf_f32_from_bits(s_plan.item[1].param2), 3.0f, 0.0f);
    refuses("{\"items\": []}", "mission.items empty");
    refuses("{\"items\": [{\"command\": 16, \"frame\": 6}]}", "items[0] param 4");
    refuses("{\"items\": [{\"command\": 16, \"frame\": 6, \"param\": [0,0,0,0]}]}",
            "items[0] latitude");
    refuses("[]", "fileType Plan");
    refuses("", "1:1");
}

#define WPL  "QGC WPL 110\n"
#define HOME "0 1 0 16 0 0 0 0 47 8 488 1\n"

static void test_waypoints_in_text(void **state)
{
    (void)state;
    reads(WPL HOME "\n1\t0\t3\t16\t0\t0\t0\tnan\t47.5\t8.5\t20\t1\r\n2 0 3 178 1 8 -1 0 0 0 0 1");
    assert_true(s_plan.has_home);
    assert_float_equal(s_plan.home_alt_m, 488.0, 0.0);
    assert_int_equal(s_plan.count, 2);
    assert_true(isnan(mf_f32_from_bits(s_plan.item[0].param4)));
    assert_int_equal(s_plan.item[1].frame, MAV_FRAME_MISSION); /* DO_CHANGE_SPEED has no place */
    reads(WPL HOME); /* a mission of one waypoint, not a home without one */
    assert_int_equal(s_plan.count, 1);
    assert_false(s_plan.has_home);
    reads(WPL "0 0 3 22 0 0 0 0 47 8 20 1\n"); /* QGroundControl's: no home */
    assert_int_equal(s_plan.count, 1);
    refuses(WPL, "mission.items empty");
    refuses(WPL HOME "1 0 3 16 0 0 0 0 47.5 8.5 20\n", "3 twelve");
    refuses(WPL HOME "1 0 3 16 0 0 0 0 47.5 8.5 inf 1\n", "3 twelve");
    refuses(WPL HOME "1 0 3 16 0 0 0 0 97.5 8.5 20 1\n", "3 latitude params[4] -90 90 97.5");
    refuses(WPL HOME "1 0 300 16 0 0 0 0 47.5 8.5 20 1\n", "3 twelve");
    refuses(WPL HOME "1 0 3 16 0 0 0 0 47.5 8.5 20 1 9\n", "3 twelve");
    refuses(WPL HOME "1 0 3 sixteen 0 0 0 0 47.5 8.5 20 1\n", "3 twelve");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_items_as_the_control_api_shows_them),
        cmocka_unit_test(test_waypoints_in_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
