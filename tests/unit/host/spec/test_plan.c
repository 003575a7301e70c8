/* SPDX-License-Identifier: Apache-2.0 */
/* Plans that are no .plan; those are in tests/unit/tools/fly/test_plan.c, as files. */
#include "host/spec/plan.h"

#include "hal/types.h"
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

static void reads_home(const char *text, enum mf_plan_home home)
{
    if (mf_plan_read(text, strlen(text), home, &s_plan, s_error, sizeof s_error) != 0) {
        fail_msg("%s", s_error);
    }
}

static void reads(const char *text)
{
    reads_home(text, MF_PLAN_HOME_SEEN);
}

static void refuses(const char *text, const char *data)
{
    assert_int_not_equal(
        mf_plan_read(text, strlen(text), MF_PLAN_HOME_SEEN, &s_plan, s_error, sizeof s_error), 0);
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
    refuses("", "QGC WPL 110");
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

/* Programs differ in the column "current" of home; MAVSDK takes every line for an item. */
static void test_home_of_waypoints(void **state)
{
    static const char k_text[] = WPL "0 0 0 16 0 0 0 0 47 8 488 1\n"
                                     "1 0 3 22 0 0 0 0 47.5 8.5 20 1\n";
    static const char k_takeoff[] = WPL "0 1 3 22 0 0 0 0 47 8 20 1\n"
                                        "1 0 3 16 0 0 0 0 47.5 8.5 20 1\n";
    (void)state;
    reads(k_text);
    assert_true(s_plan.has_home);
    assert_float_equal(s_plan.home.lat_deg, 47.0, 0.0);
    assert_int_equal(s_plan.count, 1);
    assert_int_equal(s_plan.item[0].x, 475000000);
    reads_home(k_text, MF_PLAN_HOME_NONE);
    assert_false(s_plan.has_home);
    assert_int_equal(s_plan.count, 2);
    assert_int_equal(s_plan.item[0].x, 470000000);
    reads(k_takeoff); /* it is flown, so it is not home */
    assert_int_equal(s_plan.count, 2);
    reads_home(k_takeoff, MF_PLAN_HOME_FIRST);
    assert_true(s_plan.has_home);
    assert_int_equal(s_plan.count, 1);
    assert_int_equal(mf_plan_read(WPL HOME, strlen(WPL HOME), MF_PLAN_HOME_FIRST, &s_plan, s_error,
                                  sizeof s_error),
                     MF_E_RANGE);
    assert_names(s_error, "mission.items empty");
}

static void test_home_by_name(void **state)
{
    enum mf_plan_home home;
    (void)state;
    assert_true(mf_plan_home_named("first&", 5, &home) && home == MF_PLAN_HOME_FIRST);
    assert_true(mf_plan_home_named("none", 4, &home) && home == MF_PLAN_HOME_NONE);
    assert_false(mf_plan_home_named("nonesuch", 8, &home));
    assert_false(mf_plan_home_named("", 0, &home));
    assert_int_equal(home, MF_PLAN_HOME_SEEN);
}

static void test_comments_and_version_of_waypoints(void **state)
{
    (void)state;
    reads(WPL "# a comment\n" HOME "\n  \t\r\n\t# 1 2 3\n1 0 3 16 0 0 0 0 47.5 8.5 20 1\n#");
    assert_true(s_plan.has_home);
    assert_int_equal(s_plan.count, 1);
    refuses(WPL HOME "#\n#\n1 0 3 16\n", "5 twelve"); /* lines that are skipped count */
    reads("QGC WPL 110\r\n" HOME);
    refuses("QGC WPL 120\n" HOME "1 0 3 16 0 0 0 0 47.5 8.5 20 1\n", "1 120 110 home=none");
    refuses("QGC WPL 1100\n" HOME, "1 1100 110");
    refuses("QGC WPL 11\n" HOME, "1 '11' 110");
    refuses("QGC WPL \n" HOME, "1 '' 110");
}

static void test_byte_order_marks(void **state)
{
    (void)state;
    reads("\xEF\xBB\xBF" WPL HOME);
    assert_int_equal(s_plan.count, 1);
    reads("\xEF\xBB\xBF{\"items\": [{\"command\": 20, \"frame\": 2, \"param\": [0, 0, 0, 0]}]}");
    assert_int_equal(s_plan.item[0].command, MAV_CMD_NAV_RETURN_TO_LAUNCH);
    refuses("\xEF\xBB{}", "QGC WPL 110");
}

#define ITEM                                                                             \
    "{\"type\": \"SimpleItem\", \"command\": 22, \"frame\": 3, \"autoContinue\": true, " \
    "\"params\": [0, 0, 0, null, 47.5, 8.5, 20]}"
#define MISSION(more) "\"mission\": {" more "\"items\": [" ITEM "]}"
#define PLAN(more)    "{\"fileType\": \"Plan\", \"version\": 1, " more "}"
#define SQUARE        "[[47, 8], [48, 8], [48, 9]]"

/* QGroundControl does not know the altitude of a home without terrain data. */
static void test_home_without_an_altitude(void **state)
{
    (void)state;
    reads(PLAN(MISSION("\"plannedHomePosition\": [47.5, 8.5, null], ")));
    assert_true(s_plan.has_home);
    assert_float_equal(s_plan.home.lon_deg, 8.5, 0.0);
    assert_true(isnan(s_plan.home_alt_m));
    refuses(PLAN(MISSION("\"plannedHomePosition\": [47.5, 8.5, \"488\"], ")),
            "mission.plannedHomePosition null");
    refuses(PLAN(MISSION("\"plannedHomePosition\": [47.5, null, 488], ")),
            "mission.plannedHomePosition");
    refuses(PLAN(MISSION("\"plannedHomePosition\": [47.5, null], ")),
            "mission.plannedHomePosition");
}

static void test_versions_and_types_of_parts(void **state)
{
    static const struct {
        const char *text, *data;
    } k_bad[] = {
        {PLAN(MISSION("\"version\": 9, ")), "mission version 9 2"},
        {PLAN(MISSION("\"version\": 1, ")), "mission version 1 2"},
        {PLAN(MISSION("\"version\": \"2\", ")), "mission version text"},
        {PLAN("\"mission\": [" ITEM "]"), "mission object array"},
        {PLAN("\"mission\": 7"), "mission object number"},
        {PLAN(MISSION("") ", \"geoFence\": {\"polygons\": [], \"version\": 3}"),
         "geoFence version 3 2"},
        {PLAN(MISSION("") ", \"geoFence\": {\"polygon\": " SQUARE ", \"version\": 1}"),
         "geoFence version 1 2"},
        {PLAN(MISSION("") ", \"geoFence\": {\"polygon\": " SQUARE ", \"version\": 2}"),
         "geoFence 'polygon' polygons circles"},
        {PLAN(MISSION("") ", \"geoFence\": {\"polygons\": {\"a\": 1}, \"version\": 2}"),
         "geoFence polygons array object"},
        {PLAN(MISSION("") ", \"geoFence\": {\"circles\": \"none\", \"version\": 2}"),
         "geoFence circles array text"},
        {PLAN(MISSION("") ", \"geoFence\": 0"), "geoFence object number"},
        {PLAN(MISSION("") ", \"geofence\": {}"), "'geofence' geoFence"},
        {PLAN(MISSION("") ", \"rallyPoints\": {\"coordinates\": [[47, 8, 10]], \"version\": 2}"),
         "rallyPoints 'coordinates' points"},
        {PLAN(MISSION("") ", \"rallyPoints\": {\"points\": 1}"), "rallyPoints points array number"},
        {PLAN(MISSION("") ", \"rallyPoints\": [[47, 8, 10]]"), "rallyPoints object array"},
        {PLAN(MISSION("") ", \"rallyPoints\": {\"points\": [], \"version\": 1.5}"),
         "rallyPoints version 1.5"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_bad / sizeof k_bad[0]; i++) {
        refuses(k_bad[i].text, k_bad[i].data);
    }
    /* old versions without anything in them, parts that are left out, members of no interest */
    reads(PLAN(MISSION("\"version\": 2, ") ", \"geoFence\": {\"polygon\": [], \"version\": 1}, "
                                           "\"rallyPoints\": {\"points\": [], \"version\": 1}"));
    reads(PLAN(MISSION("") ", \"geoFence\": null, \"rallyPoints\": {}, \"groundStation\": {}"));
    reads(PLAN(MISSION("") ", \"geoFence\": {\"breachReturn\": [47, 8, 50], \"version\": 2}"));
    assert_int_equal(s_plan.fence_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_items_as_the_control_api_shows_them),
        cmocka_unit_test(test_waypoints_in_text),
        cmocka_unit_test(test_home_of_waypoints),
        cmocka_unit_test(test_home_by_name),
        cmocka_unit_test(test_comments_and_version_of_waypoints),
        cmocka_unit_test(test_byte_order_marks),
        cmocka_unit_test(test_home_without_an_altitude),
        cmocka_unit_test(test_versions_and_types_of_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
