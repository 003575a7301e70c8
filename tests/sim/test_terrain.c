/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flights over ground that is not flat: 488.0 m around home, 500.3 m from about 90 m north of it
 * on, 475.7 m from about 90 m south of it on, between them a node's distance of slope; in the east
 * it is not known.
 */
#include "tests/sim/rig.h"

#include "mavlink/enums.h"
#include "tools/geoid/pack_write.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LON_E7    85455940
#define NORTH_E7  473986420 /* 100 m north of home */
#define SOUTH_E7  473968420 /* 100 m south of it */
#define UPPER_M   500.3
#define LOWER_M   475.7
#define EXACTLY_M 1e-9

static struct mf_terrain g_terrain;
static uint8_t *g_bytes;

static int make_terrain(void **state)
{
    struct mf_raster raster = {.rows = 73,
                               .columns = 109,
                               .north_e9 = 47410000000,
                               .west_e9 = 8530000000,
                               .lat_num = 1,
                               .lat_den = 3600,
                               .lon_num = 1,
                               .lon_den = 3600,
                               .model = "none",
                               .frame = "none",
                               .epoch = "none"};
    const struct mf_pack_plan plan = {MF_PACK_TERRAIN, MF_PACK_BILINEAR, 100000};
    struct mf_pack pack;
    size_t size;
    char error[200];
    (void)state;
    assert_true(mf_raster_alloc(&raster));
    for (size_t i = 0; i < (size_t)raster.rows * raster.columns; i++) {
        const size_t row = i / raster.columns;
        const double lat_deg = 47.41 - (double)row / 3600.0;
        const double lon_deg = 8.53 + (double)(i % raster.columns) / 3600.0;
        raster.node_m[i] = lon_deg > 8.555      ? (double)NAN
                           : lat_deg > 47.3984  ? UPPER_M
                           : lat_deg < 47.39702 ? LOWER_M
                                                : RIG_ALT_M;
    }
    assert_true(mf_pack_make(&raster, &plan, &g_bytes, &size, error, sizeof error));
    mf_raster_free(&raster);
    assert_int_equal(mf_pack_open(&pack, g_bytes, size), MF_E_OK);
    assert_int_equal(mf_terrain_add(&g_terrain, &pack), MF_E_OK);
    return 0;
}

static int free_terrain(void **state)
{
    (void)state;
    free(g_bytes);
    return 0;
}

static struct rig *begin(enum mf_world_motion motion)
{
    struct mf_world_settings s = mf_world_settings_default();
    s.terrain = &g_terrain;
    s.motion = motion;
    struct mf_options options = {.px4_motion = motion == MF_WORLD_MOTION_PHYSICS};
    return rig_new_in(&options, &s);
}

static struct rig *airborne(enum mf_world_motion motion, float height_m)
{
    struct rig *r = begin(motion);
    rig_take_off(r, height_m);
    return r;
}

static void ask(struct rig *r, uint32_t msgid, void *m)
{
    assert_int_equal(
        mf_stream_request(&r->drone.vehicle, &r->links[0], msgid, r->mock.now.vehicle_us), MF_E_OK);
    do {
        assert_true(mf_mock_take(&r->mock, 0, msgid, m));
    } while (mf_mock_count(&r->mock, 0, msgid) > 0);
}

static struct mf_msg_altitude altitude(struct rig *r)
{
    struct mf_msg_altitude m;
    ask(r, MF_MSG_ALTITUDE, &m);
    return m;
}

static uint8_t go(struct rig *r, uint8_t frame, int32_t x, int32_t y, float z)
{
    const struct mf_msg_command_int c = {.command = MAV_CMD_DO_REPOSITION,
                                         .target_system = 1,
                                         .target_component = 1,
                                         .frame = frame,
                                         .param1 = 10.0f,
                                         .param2 = 1.0f,
                                         .param4 = NAN,
                                         .x = x,
                                         .y = y,
                                         .z = z};
    struct mf_msg_command_ack ack;
    mf_mock_clear(&r->mock, 0);
    rig_send(r, MF_MSG_COMMAND_INT, &c);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_COMMAND_ACK, &ack));
    return ack.result;
}

static void reach(struct rig *r, uint8_t frame, int32_t x, float z)
{
    assert_int_equal(go(r, frame, x, LON_E7, z), MAV_RESULT_ACCEPTED);
    rig_run_until(r, r->mock.now.vehicle_us + 1000000);
    (void)rig_run_while(r, rig_moving, 100.0);
}

static void land(struct rig *r)
{
    assert_int_equal(rig_command(r, MAV_CMD_NAV_LAND, rig_nan7()), MAV_RESULT_ACCEPTED);
    (void)rig_run_while(r, rig_armed, 200.0);
}

static void check_lies(struct rig *r, double ground_m)
{
    struct mf_msg_global_position_int m;
    const struct mf_pose pose = rig_pose(r);
    assert_true(pose.on_ground);
    assert_true(fabs(pose.alt_amsl_m - ground_m) < EXACTLY_M);
    assert_true(pose.ground_amsl_m == pose.alt_amsl_m);
    ask(r, MF_MSG_GLOBAL_POSITION_INT, &m);
    assert_int_equal(m.alt, lround(ground_m * 1e3));
    assert_int_equal(m.relative_alt, lround((ground_m - RIG_ALT_M) * 1e3));
    assert_true(altitude(r).bottom_clearance == 0.0f && altitude(r).altitude_terrain == 0.0f);
}

static void check_landing(enum mf_world_motion motion, int32_t x, double ground_m)
{
    struct rig *r = airborne(motion, 30.0f);
    reach(r, MAV_FRAME_GLOBAL_INT, x, 530.0f);
    assert_true(fabs((double)altitude(r).altitude_terrain - (530.0 - ground_m)) < 1e-4);
    assert_true(fabs((double)altitude(r).bottom_clearance - (530.0 - ground_m)) < 1e-4);
    land(r);
    check_lies(r, ground_m);
    mf_mock_clear(&r->mock, 0);
    rig_take_off(r, 20.0f);
    assert_true(r->drone.vehicle.home.takeoff_amsl_m == rig_pose(r).ground_amsl_m);
    assert_true(fabs(rig_pose(r).alt_amsl_m - ground_m - 20.0) < 0.01);
    struct mf_msg_global_position_int m;
    ask(r, MF_MSG_GLOBAL_POSITION_INT, &m);
    assert_in_range(m.relative_alt, 19990, 20010);
    land(r);
    assert_true(fabs(rig_pose(r).alt_amsl_m - ground_m) < EXACTLY_M);
}

static void test_sim029_lands_on_the_ground_that_is_there(void **state)
{
    (void)state;
    check_landing(MF_WORLD_MOTION_CONSTANT, NORTH_E7, UPPER_M);
    check_landing(MF_WORLD_MOTION_CONSTANT, SOUTH_E7, LOWER_M);
}

static void test_sim029_lands_on_the_ground_that_is_there_with_physics(void **state)
{
    (void)state;
    check_landing(MF_WORLD_MOTION_PHYSICS, NORTH_E7, UPPER_M);
    check_landing(MF_WORLD_MOTION_PHYSICS, SOUTH_E7, LOWER_M);
}

/* Land while it flies north at full speed: what counts is the ground where it comes to a stop. */
static void test_sim029_lands_on_the_ground_where_it_stops(void **state)
{
    (void)state;
    struct rig *r = airborne(MF_WORLD_MOTION_PHYSICS, 30.0f);
    assert_int_equal(go(r, MAV_FRAME_GLOBAL_INT, 474000000, LON_E7, 518.0f), MAV_RESULT_ACCEPTED);
    while (rig_pose(r).lat_deg < 47.3985) {
        rig_run_until(r, r->mock.now.vehicle_us + 100000);
    }
    land(r);
    assert_true(rig_pose(r).lat_deg > 47.39862);
    check_lies(r, UPPER_M);
}

static void test_sim029_falls_to_the_ground_that_is_there(void **state)
{
    static const enum mf_world_motion k_motion[] = {MF_WORLD_MOTION_CONSTANT,
                                                    MF_WORLD_MOTION_PHYSICS};
    const float p[7] = {0.0f, 21196.0f};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct rig *r = airborne(k_motion[i], 30.0f);
        reach(r, MAV_FRAME_GLOBAL_INT, SOUTH_E7, 518.0f);
        assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, p), MAV_RESULT_ACCEPTED);
        rig_run_until(r, r->mock.now.vehicle_us + 10000000);
        check_lies(r, LOWER_M);
    }
}

/* A target below the ground is on it. */
static void test_sim029_flies_no_deeper_than_the_ground(void **state)
{
    static const enum mf_world_motion k_motion[] = {MF_WORLD_MOTION_CONSTANT,
                                                    MF_WORLD_MOTION_PHYSICS};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct rig *r = airborne(k_motion[i], 30.0f);
        assert_int_equal(go(r, MAV_FRAME_GLOBAL_INT, NORTH_E7, LON_E7, 490.0f),
                         MAV_RESULT_ACCEPTED);
        for (int n = 0; n < 300; n++) {
            rig_run_until(r, r->mock.now.vehicle_us + 100000);
            assert_true(rig_pose(r).alt_amsl_m >= rig_pose(r).ground_amsl_m);
        }
        assert_true(fabs(rig_pose(r).alt_amsl_m - UPPER_M) < EXACTLY_M);
    }
}

/* ---- setpoints of velocity */

static void fly(struct rig *r, float north_mps, float down_mps, double seconds)
{
    const struct mf_msg_set_position_target_local_ned m = {
        .target_system = 1,
        .target_component = 1,
        .coordinate_frame = MAV_FRAME_LOCAL_NED,
        .type_mask = 0xDC7, /* velocity alone */
        .vx = north_mps,
        .vz = down_mps,
    };
    const mf_us_t end_us = r->mock.now.vehicle_us + (mf_us_t)(seconds * 1e6);
    while (r->mock.now.vehicle_us < end_us) {
        rig_send(r, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m);
        if (r->drone.vehicle.commander.mode != MF_MODE_OFFBOARD) {
            const float p[7] = {1.0f, 6.0f};
            assert_int_equal(rig_command(r, MAV_CMD_DO_SET_MODE, p), MAV_RESULT_ACCEPTED);
        }
        rig_run_until(r, r->mock.now.vehicle_us + 100000);
        const struct mf_pose pose = rig_pose(r);
        assert_true(pose.alt_amsl_m >= pose.ground_amsl_m);
    }
}

static void check_velocities(enum mf_world_motion motion)
{
    struct rig *r = airborne(motion, 5.0f); /* 493 m: the step north is 7 m higher */
    fly(r, 5.0f, 0.0f, 40.0);
    struct mf_pose pose = rig_pose(r);
    assert_true(pose.lat_deg > 47.3990);
    assert_true(fabs(pose.alt_amsl_m - UPPER_M) < EXACTLY_M);
    r = airborne(motion, 30.0f); /* down over the lower step: beyond 488 m, to 475.7 */
    fly(r, -5.0f, 1.0f, 30.0);
    assert_true(rig_pose(r).alt_amsl_m < RIG_ALT_M + 4.0);
    fly(r, -5.0f, 1.0f, 30.0);
    pose = rig_pose(r);
    assert_true(pose.on_ground);
    assert_true(fabs(pose.alt_amsl_m - LOWER_M) < EXACTLY_M);
}

static void test_sim029_velocities_end_on_the_ground(void **state)
{
    (void)state;
    check_velocities(MF_WORLD_MOTION_CONSTANT);
    check_velocities(MF_WORLD_MOTION_PHYSICS);
}

/* ---- altitudes above the ground */

static bool in_mission(const struct rig *r)
{
    return r->drone.vehicle.mission.current == 1;
}

static bool at_second(const struct rig *r)
{
    return r->drone.vehicle.mission.current == 2;
}

static void start_mission(struct rig *r)
{
    const float p[7] = {1.0f, 4.0f, 4.0f};
    const float arm[7] = {1.0f};
    assert_int_equal(rig_command(r, MAV_CMD_DO_SET_MODE, p), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, arm), MAV_RESULT_ACCEPTED);
}

static void test_sim031_mission_above_the_ground(void **state)
{
    struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_TAKEOFF, MAV_FRAME_GLOBAL_TERRAIN_ALT, 473977420, LON_E7, 20.0f, 0),
        rig_item(MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL_TERRAIN_ALT_INT, NORTH_E7, LON_E7, 25.0f,
                 0),
        rig_item(MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL_TERRAIN_ALT_INT, SOUTH_E7, LON_E7, 25.0f,
                 0),
        rig_item(MAV_CMD_NAV_LAND, MAV_FRAME_GLOBAL_TERRAIN_ALT_INT, SOUTH_E7, LON_E7, 0.0f, 0),
    };
    (void)state;
    struct rig *r = begin(MF_WORLD_MOTION_CONSTANT);
    rig_run_until(r, 1000000);
    rig_upload(r, items, 4);
    start_mission(r);
    while (!in_mission(r)) {
        rig_run_until(r, r->mock.now.vehicle_us + 1000);
    }
    assert_true(fabs(rig_pose(r).alt_amsl_m - 508.0) < 0.01);
    while (!at_second(r)) {
        rig_run_until(r, r->mock.now.vehicle_us + 1000);
    }
    assert_true(fabs(rig_pose(r).alt_amsl_m - 525.3) < 0.01);
    while (r->drone.vehicle.mission.current < 3) {
        rig_run_until(r, r->mock.now.vehicle_us + 1000);
    }
    assert_true(fabs(rig_pose(r).alt_amsl_m - 500.7) < 0.01);
    (void)rig_run_while(r, rig_armed, 100.0);
    check_lies(r, LOWER_M);
}

static void test_sim031_no_mission_above_unknown_ground(void **state)
{
    struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_TAKEOFF, MAV_FRAME_GLOBAL_TERRAIN_ALT, 473977420, LON_E7, 20.0f, 0),
        rig_item(MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL_TERRAIN_ALT_INT, NORTH_E7, 85580000, 25.0f,
                 0),
    };
    (void)state;
    struct rig *r = begin(MF_WORLD_MOTION_CONSTANT);
    rig_run_until(r, 1000000);
    rig_upload(r, items, 2);
    assert_true(mf_mock_named(&r->mock, 0, "item 1 ground"));
}

static void test_reposition_above_the_ground(void **state)
{
    (void)state;
    struct rig *r = airborne(MF_WORLD_MOTION_CONSTANT, 30.0f);
    reach(r, MAV_FRAME_GLOBAL_TERRAIN_ALT_INT, NORTH_E7, 15.0f);
    assert_true(fabs(rig_pose(r).alt_amsl_m - 515.3) < EXACTLY_M);
    reach(r, MAV_FRAME_GLOBAL_TERRAIN_ALT, SOUTH_E7, 15.0f);
    assert_true(fabs(rig_pose(r).alt_amsl_m - 490.7) < EXACTLY_M);
    assert_int_equal(go(r, MAV_FRAME_GLOBAL_TERRAIN_ALT_INT, NORTH_E7, 85580000, 15.0f),
                     MAV_RESULT_DENIED);
    assert_true(mf_mock_named(&r->mock, 0, "Command denied ground"));
    r = rig_airborne(30.0f);
    assert_int_equal(go(r, MAV_FRAME_GLOBAL_TERRAIN_ALT_INT, NORTH_E7, LON_E7, 15.0f),
                     MAV_RESULT_DENIED);
}

static void test_setpoint_above_the_ground(void **state)
{
    const struct mf_msg_set_position_target_global_int m = {
        .target_system = 1,
        .target_component = 1,
        .coordinate_frame = MAV_FRAME_GLOBAL_TERRAIN_ALT_INT,
        .type_mask = 0xDF8,
        .lat_int = SOUTH_E7,
        .lon_int = LON_E7,
        .alt = 15.0f,
    };
    const float p[7] = {1.0f, 6.0f};
    (void)state;
    struct rig *r = airborne(MF_WORLD_MOTION_CONSTANT, 30.0f);
    for (int i = 0; i < 300; i++) {
        rig_send(r, MF_MSG_SET_POSITION_TARGET_GLOBAL_INT, &m);
        if (r->drone.vehicle.commander.mode != MF_MODE_OFFBOARD) {
            assert_int_equal(rig_command(r, MAV_CMD_DO_SET_MODE, p), MAV_RESULT_ACCEPTED);
        }
        rig_run_until(r, r->mock.now.vehicle_us + 100000);
    }
    assert_true(fabs(rig_pose(r).alt_amsl_m - 490.7) < EXACTLY_M);
}

/* ---- what is told */

static struct mf_msg_terrain_report report(struct rig *r, int32_t lat, int32_t lon)
{
    const struct mf_msg_terrain_check check = {.lat = lat, .lon = lon};
    struct mf_msg_terrain_report m;
    mf_mock_clear(&r->mock, 0);
    rig_send(r, MF_MSG_TERRAIN_CHECK, &check);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_TERRAIN_REPORT, &m));
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_TERRAIN_REPORT), 0);
    assert_true(m.lat == lat && m.lon == lon && m.pending == 0 && m.loaded == 0);
    return m;
}

static void test_terrain_is_reported_when_asked_for(void **state)
{
    (void)state;
    struct rig *r = airborne(MF_WORLD_MOTION_CONSTANT, 30.0f);
    struct mf_msg_terrain_report m = report(r, NORTH_E7, LON_E7);
    assert_true(m.terrain_height == 500.3f && m.current_height == 17.7f && m.spacing == 31);
    m = report(r, NORTH_E7, 85580000);
    assert_true(m.terrain_height == 0.0f && m.current_height == 0.0f && m.spacing == 0);
    m = report(r, INT32_MAX, INT32_MIN);
    assert_true(m.spacing == 0);
    r = rig_airborne(30.0f);
    assert_int_equal(report(r, NORTH_E7, LON_E7).spacing, 0);
    assert_true(isnan(altitude(r).altitude_terrain) && isnan(altitude(r).bottom_clearance));
}

/* PX4's altitude_terrain is the ground's own, in the local frame. */
static void test_px4_strict_tells_the_altitude_of_the_ground(void **state)
{
    struct mf_world_settings s = mf_world_settings_default();
    const struct mf_options strict = {.px4_strict = true};
    (void)state;
    s.terrain = &g_terrain;
    struct rig *r = rig_new_in(&strict, &s);
    rig_take_off(r, 30.0f);
    const struct mf_msg_altitude m = altitude(r);
    assert_true(fabs((double)m.altitude_terrain) < 1e-4 && m.bottom_clearance > 1.0f);
}

static void test_home_stands_on_the_terrain(void **state)
{
    struct mf_world_settings s = mf_world_settings_default();
    (void)state;
    s.terrain = &g_terrain;
    s.home_alt_amsl_m = 490.0;
    struct rig *r = rig_new_in(NULL, &s);
    rig_run_until(r, 1000000);
    check_lies(r, RIG_ALT_M);
    assert_true(fabs(r->drone.vehicle.home.alt_amsl_m - RIG_ALT_M) < EXACTLY_M);
    s.home_lon_deg = 8.558; /* not known: as high as home says */
    r = rig_new_in(NULL, &s);
    assert_true(rig_pose(r).alt_amsl_m == 490.0 && rig_pose(r).ground_amsl_m == 490.0);
    rig_run_until(r, 1000000);
    assert_true(isnan(altitude(r).altitude_terrain));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim029_lands_on_the_ground_that_is_there),
        cmocka_unit_test(test_sim029_lands_on_the_ground_that_is_there_with_physics),
        cmocka_unit_test(test_sim029_lands_on_the_ground_where_it_stops),
        cmocka_unit_test(test_sim029_falls_to_the_ground_that_is_there),
        cmocka_unit_test(test_sim029_flies_no_deeper_than_the_ground),
        cmocka_unit_test(test_sim029_velocities_end_on_the_ground),
        cmocka_unit_test(test_sim031_mission_above_the_ground),
        cmocka_unit_test(test_sim031_no_mission_above_unknown_ground),
        cmocka_unit_test(test_reposition_above_the_ground),
        cmocka_unit_test(test_setpoint_above_the_ground),
        cmocka_unit_test(test_terrain_is_reported_when_asked_for),
        cmocka_unit_test(test_px4_strict_tells_the_altitude_of_the_ground),
        cmocka_unit_test(test_home_stands_on_the_terrain),
    };
    return cmocka_run_group_tests(tests, make_terrain, free_terrain);
}
