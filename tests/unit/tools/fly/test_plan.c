/* SPDX-License-Identifier: Apache-2.0 */
/* Plan files, good and bad. Expected values stand in the files, written out here by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mavlink/enums.h"
#include "tests/unit/support/names.h"
#include "tools/fly/plan.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define PLANS           "tests/data/plans/"

static struct mf_plan s_plan;
static char s_error[512];

static void load(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, PLANS "%s", name);
    const int result = fly_plan_load(path, MF_PLAN_HOME_SEEN, &s_plan, s_error, sizeof s_error);
    if (result != 0) {
        fail_msg("%s", s_error);
    }
}

static float bits(uint32_t value)
{
    return mf_f32_from_bits(value);
}

static void expect_item(uint16_t i, uint16_t command, uint8_t frame, float z)
{
    assert_int_equal(s_plan.item[i].seq, i);
    assert_int_equal(s_plan.item[i].command, command);
    assert_int_equal(s_plan.item[i].frame, frame);
    assert_int_equal(s_plan.item[i].current, i == 0);
    assert_int_equal(s_plan.item[i].autocontinue, 1);
    assert_float_equal(bits(s_plan.item[i].z), z, 0.0f);
}

static void test_square(void **state)
{
    (void)state;
    load("square.plan");
    assert_int_equal(s_plan.count, 6);
    expect_item(0, 22, 3, 15);
    expect_item(1, 16, 3, 15);
    expect_item(5, 20, 2, 0);
    assert_int_equal(s_plan.item[0].x, 473977420);
    assert_int_equal(s_plan.item[0].y, 85455940);
    assert_true(isnan(bits(s_plan.item[0].param4)));
    assert_int_equal(s_plan.item[0].param4, 0x7FC00000);
    assert_true(s_plan.has_home);
    assert_float_equal(s_plan.home.lat_deg, 47.397742, 1e-12);
    assert_float_equal(s_plan.home.lon_deg, 8.545594, 1e-12);
    assert_float_equal(s_plan.home_alt_m, 488.0, 0.0);
    assert_float_equal(s_plan.cruise_mps, 15.0, 0.0);
    assert_float_equal(s_plan.hover_mps, 5.0, 0.0);
}

static void test_parameters_and_holds(void **state)
{
    (void)state;
    load("takeoff_land.plan");
    assert_int_equal(s_plan.count, 6);
    expect_item(1, MAV_CMD_DO_CHANGE_SPEED, 2, 0);
    assert_float_equal(bits(s_plan.item[1].param1), 1.0f, 0.0f);
    assert_float_equal(bits(s_plan.item[1].param2), 8.0f, 0.0f);
    assert_float_equal(bits(s_plan.item[1].param3), -1.0f, 0.0f);
    assert_int_equal(s_plan.item[1].x, 0);
    assert_float_equal(bits(s_plan.item[2].param1), 3.0f, 0.0f);
    expect_item(4, MAV_CMD_NAV_LOITER_TIME, 3, 25);
    expect_item(5, MAV_CMD_NAV_LAND, 3, 0);
    assert_false(fly_item_has_place(&s_plan.item[1]));
    assert_true(fly_item_has_place(&s_plan.item[5]));
}

static void test_survey_gives_its_items(void **state)
{
    (void)state;
    load("survey.plan");
    /* take-off, five lines of two waypoints with a camera trigger each, return */
    assert_int_equal(s_plan.count, 22);
    expect_item(0, MAV_CMD_NAV_TAKEOFF, 3, 40);
    for (uint16_t i = 1; i < 21; i = (uint16_t)(i + 2)) {
        expect_item(i, MAV_CMD_NAV_WAYPOINT, 3, 40);
        expect_item((uint16_t)(i + 1), MAV_CMD_DO_SET_CAM_TRIGG_DIST, 2, 0);
    }
    expect_item(21, MAV_CMD_NAV_RETURN_TO_LAUNCH, 2, 0);
    assert_float_equal(bits(s_plan.item[2].param1), 18.75f, 0.0f);
}

/* Home in the first line, as MAVProxy writes it; the jump's target is an index of the file. */
static void test_waypoints_in_text(void **state)
{
    (void)state;
    load("text.waypoints");
    assert_int_equal(s_plan.count, 4);
    expect_item(0, MAV_CMD_NAV_TAKEOFF, 3, 20);
    expect_item(1, MAV_CMD_NAV_WAYPOINT, 3, 20);
    assert_float_equal(bits(s_plan.item[1].param1), 1.5f, 0.0f);
    assert_int_equal(s_plan.item[1].x, 473986420);
    assert_int_equal(s_plan.item[2].command, MAV_CMD_DO_JUMP);
    assert_float_equal(bits(s_plan.item[2].param1), 1.0f, 0.0f); /* index 2 of the file */
    assert_int_equal(s_plan.item[3].command, MAV_CMD_NAV_RETURN_TO_LAUNCH);
    assert_true(s_plan.has_home);
    assert_float_equal(s_plan.home_alt_m, 488.0, 0.0);
}

static void test_jump_targets_become_indices(void **state)
{
    (void)state;
    load("jump.plan");
    assert_int_equal(s_plan.item[3].command, MAV_CMD_DO_JUMP);
    assert_float_equal(bits(s_plan.item[3].param1), 1.0f, 0.0f); /* doJumpId 2 */
    assert_float_equal(bits(s_plan.item[3].param2), 1.0f, 0.0f);
    assert_int_equal(s_plan.fence_count, 1);
    assert_int_equal(s_plan.rally_count, 1);
}

/* As QGroundControl sends them: corner by corner, each with their number, then circles. */
static void test_geofence_and_rally_points(void **state)
{
    static const struct {
        uint16_t command;
        float param1;
        int32_t x, y;
    } k_want[] = {
        {5001, 4.0f, 473900000, 85300000}, {5001, 4.0f, 474100000, 85300000},
        {5001, 4.0f, 474100000, 85600000}, {5001, 4.0f, 473900000, 85600000},
        {5002, 3.0f, 474050000, 85500000}, {5002, 3.0f, 474060000, 85500000},
        {5002, 3.0f, 474060000, 85510000}, {5004, 25.5f, 474000000, 85400000},
    };
    (void)state;
    load("around.plan");
    assert_int_equal(s_plan.fence_count, COUNT_OF(k_want));
    for (size_t i = 0; i < COUNT_OF(k_want); i++) {
        const struct mf_msg_mission_item_int *item = &s_plan.fence[i];
        assert_int_equal(item->seq, i);
        assert_int_equal(item->command, k_want[i].command);
        assert_int_equal(item->frame, 0);
        assert_float_equal(bits(item->param1), k_want[i].param1, 0.0f);
        assert_int_equal(item->x, k_want[i].x);
        assert_int_equal(item->y, k_want[i].y);
    }
    assert_int_equal(s_plan.rally_count, 2);
    assert_int_equal(s_plan.rally[1].seq, 1);
    assert_int_equal(s_plan.rally[1].command, 5100);
    assert_int_equal(s_plan.rally[1].frame, 3); /* altitude above home */
    assert_int_equal(s_plan.rally[1].x, -475000000);
    assert_int_equal(s_plan.rally[1].y, -85000000);
    assert_float_equal(bits(s_plan.rally[1].z), 12.5f, 0.0f);
}

static void test_insertion_moves_jumps(void **state)
{
    (void)state;
    const struct mf_msg_mission_item_int item = {.command = MAV_CMD_DO_CHANGE_SPEED, .frame = 2};
    load("jump.plan");
    assert_int_equal(fly_plan_insert(&s_plan, 1, &item), 0);
    assert_int_equal(s_plan.count, 6);
    assert_int_equal(s_plan.item[1].command, MAV_CMD_DO_CHANGE_SPEED);
    assert_float_equal(bits(s_plan.item[4].param1), 2.0f, 0.0f);
    assert_int_equal(fly_plan_insert(&s_plan, 6, &item), 0);
    assert_float_equal(bits(s_plan.item[4].param1), 2.0f, 0.0f);
    for (uint16_t i = 0; i < s_plan.count; i++) {
        assert_int_equal(s_plan.item[i].seq, i);
        assert_int_equal(s_plan.item[i].current, i == 0);
    }
}

static void test_positions_not_given(void **state)
{
    (void)state;
    load("no_position.plan");
    assert_int_equal(s_plan.item[0].x, INT32_MAX);
    assert_int_equal(s_plan.item[0].y, INT32_MAX);
    assert_int_equal(s_plan.item[2].x, INT32_MAX);
    assert_false(fly_item_has_place(&s_plan.item[0]));
    assert_true(fly_item_has_place(&s_plan.item[1]));
}

/* Every bad file, and what its one line has to say. */
static const struct {
    const char *name;
    const char *data;
} k_bad[] = {
    {"bad.waypoints", "3 twelve"},
    {"bad_syntax.plan", "23 17 ',' '}'"},
    {"bad_cut.plan", "32 25"},
    {"bad_file_type.plan", "fileType Plan GeoFence"},
    {"bad_version.plan", "version 2 1"},
    {"bad_empty.plan", "mission.items empty"},
    {"bad_home.plan", "mission.plannedHomePosition [latitude, longitude, altitude]"},
    {"bad_type.plan", "mission.items[0] type SimpleItem ComplexItem missionItem"},
    {"bad_command.plan", "mission.items[2] command number text"},
    {"bad_frame.plan", "mission.items[2] frame 1 0 2 3 5 6 10 11"},
    {"bad_params_short.plan", "mission.items[1] params 7 6"},
    {"bad_params_text.plan", "mission.items[2] params[6] number null"},
    {"bad_latitude.plan", "mission.items[1] latitude params[4] -90 90 473.977"},
    {"bad_waypoint_null.plan", "mission.items[1] latitude longitude altitude"},
    {"bad_float.plan", "mission.items[1] params[0]"},
    {"bad_jump.plan", "mission.items 3 9"},
    {"bad_structure_scan.plan", "mission.items[1] StructureScan TransectStyleComplexItem.Items"},
    {"bad_survey_item.plan", "mission.items[1].Items[1] params array 7"},
    {"bad_polygon.plan", "geoFence.polygons[1] 3"},
    {"bad_corner.plan", "geoFence.polygons[0].polygon[1] [latitude, longitude]"},
    {"bad_circle.plan", "geoFence.circles[0] circle.radius 0"},
    {"bad_inclusion.plan", "geoFence.circles[0] inclusion true false text"},
    {"bad_rally.plan", "rallyPoints.points[0] [latitude, longitude, altitude]"},
    {"there_is_none.plan", "file"},
    {"", "plan"}, /* the folder itself */
};

static void test_bad_files_say_where_and_what(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(k_bad); i++) {
        char path[128];
        snprintf(path, sizeof path, PLANS "%s", k_bad[i].name);
        s_error[0] = '\0';
        assert_int_equal(fly_plan_load(path, MF_PLAN_HOME_SEEN, &s_plan, s_error, sizeof s_error),
                         -1);
        assert_names(s_error, path);
        assert_names(s_error + strlen(path), k_bad[i].data);
        assert_null(strchr(s_error, '\n'));
    }
}

/* A long text must not overflow the error's buffer. */
static void test_short_error_buffer(void **state)
{
    char error[16];
    (void)state;
    assert_int_equal(
        fly_plan_load(PLANS "bad_home.plan", MF_PLAN_HOME_SEEN, &s_plan, error, sizeof error), -1);
    assert_int_equal(strlen(error), 15);
}

/* One byte changed at a time: refused or read, never a crash. */
static void test_damaged_files(void **state)
{
    (void)state;
    char path[] = "/tmp/mayfly-plan-XXXXXX";
    static char text[65536];
    FILE *in = fopen(PLANS "jump.plan", "rb");
    assert_non_null(in);
    const size_t n = fread(text, 1, sizeof text, in);
    fclose(in);
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *out = fdopen(fd, "wb");
    assert_non_null(out);
    for (size_t i = 0; i < n; i += 7) {
        const char before = text[i];
        text[i] = "{}[]\",:0-9ntx"[i % 13];
        rewind(out);
        fwrite(text, 1, n, out);
        fflush(out);
        (void)fly_plan_load(path, MF_PLAN_HOME_SEEN, &s_plan, s_error, sizeof s_error);
        text[i] = before;
    }
    fclose(out);
    remove(path);
}

static void test_built_in_square(void **state)
{
    (void)state;
    const struct mf_geo home = {47.397742, 8.545594};
    fly_plan_square(&s_plan, home, 12.0, 100.0);
    assert_int_equal(s_plan.count, 5);
    expect_item(0, MAV_CMD_NAV_TAKEOFF, 6, 12);
    for (uint16_t i = 1; i < 5; i++) {
        expect_item(i, MAV_CMD_NAV_WAYPOINT, 6, 12);
        const double side =
            mf_geo_inverse(fly_item_place(&s_plan.item[i - 1]), fly_item_place(&s_plan.item[i]))
                .distance_m;
        assert_true(fabs(side - 100.0) < 0.03);
    }
    assert_int_equal(s_plan.item[4].x, 473977420);
    assert_int_equal(s_plan.item[4].y, 85455940);
    assert_true(s_plan.item[1].x > s_plan.item[0].x);
    assert_true(s_plan.item[2].y > s_plan.item[1].y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_square),
        cmocka_unit_test(test_parameters_and_holds),
        cmocka_unit_test(test_survey_gives_its_items),
        cmocka_unit_test(test_waypoints_in_text),
        cmocka_unit_test(test_jump_targets_become_indices),
        cmocka_unit_test(test_geofence_and_rally_points),
        cmocka_unit_test(test_insertion_moves_jumps),
        cmocka_unit_test(test_positions_not_given),
        cmocka_unit_test(test_bad_files_say_where_and_what),
        cmocka_unit_test(test_short_error_buffer),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_built_in_square),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
