/* SPDX-License-Identifier: Apache-2.0 */
/* Missions of every item that clients write, flown in the world: places, times, what is said. */
#include "mavlink/enums.h"
#include "tests/sim/rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define S   1000000
#define LAT 473977420
#define LON 85455940
/* 0.0008993 deg of latitude are 100 m here (GeographicLib). */
#define NORTH_100 8993

static const float k_start[7] = {0.0f, 0, 0, 0, 0, 0, 0};

static bool flies(const struct rig *r)
{
    return !r->drone.vehicle.mission.finished;
}

static double distance_m(struct rig *r, int32_t x, int32_t y)
{
    const struct mf_pose pose = rig_pose(r);
    return mf_geo_inverse((struct mf_geo){pose.lat_deg, pose.lon_deg},
                          (struct mf_geo){(double)x / 1e7, (double)y / 1e7})
        .distance_m;
}

static void start(struct rig *r, const struct mf_item *items, uint16_t count)
{
    rig_upload(r, items, count);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, k_start), MAV_RESULT_ACCEPTED);
}

/* When each item was reached: runs until the last one. */
static void watch(struct rig *r, mf_us_t *reached_us, uint16_t count, double limit_s)
{
    int32_t last = -1;
    const mf_us_t end_us = r->mock.now.vehicle_us + (mf_us_t)(limit_s * 1e6);
    while (last + 1 < count) {
        rig_run_until(r, r->mock.now.vehicle_us + 1000);
        assert_true(r->mock.now.vehicle_us < end_us);
        while (last < r->drone.vehicle.mission.reached) {
            reached_us[++last] = r->mock.now.vehicle_us;
        }
    }
}

static struct mf_item circle(float turns, float radius_m)
{
    struct mf_item item = rig_item(MAV_CMD_NAV_LOITER_TURNS, 6, LAT + NORTH_100, LON, 10.0f, turns);
    item.param[2] = mf_f32_bits(radius_m);
    return item;
}

/* A turn on 50 m is 36 chords of 8.716 m: 31.4 s at 10 m/s, never nearer than 49.8 m. */
static void test_sim031_sim037_circles(void **state)
{
    const struct mf_item items[] = {rig_item(MAV_CMD_NAV_TAKEOFF, 6, 0, 0, 10.0f, 0.0f),
                                    circle(2.0f, 50.0f)};
    double least_m = 1e9;
    double most_m = 0.0;
    (void)state;
    struct rig *r = rig_new(NULL);
    start(r, items, 2);
    rig_run_until(r, 9 * S); /* up 3.3 s, then 50 m to the circle */
    const mf_us_t from_us = r->mock.now.vehicle_us;
    while (flies(r)) {
        const double d = distance_m(r, LAT + NORTH_100, LON);
        least_m = d < least_m ? d : least_m;
        most_m = d > most_m ? d : most_m;
        rig_run_until(r, r->mock.now.vehicle_us + 50000);
        assert_true(r->mock.now.vehicle_us < 200 * S);
    }
    assert_true(least_m > 49.8 && most_m < 50.001);
    const double whole_s =
        10.0 / 3.0 + 5.0 + 2.0 * 36.0 * 2.0 * 50.0 * sin(3.14159265 / 36.0) / 10.0;
    assert_true(fabs((double)(r->mock.now.vehicle_us - from_us) * 1e-6 + 9.0 - whole_s) < 0.2);
    assert_true(rig_said(r, "Waypoint 1 reached"));
    assert_true(rig_said(r, "Mission finished, loitering"));
}

/* With PX4's motion it does not stop at the chords' ends. */
static void test_sim031_sim036_circle_of_a_body_with_inertia(void **state)
{
    const struct mf_item items[] = {rig_item(MAV_CMD_NAV_TAKEOFF, 6, 0, 0, 10.0f, 0.0f),
                                    circle(1.0f, 50.0f)};
    double slowest_mps = 1e9;
    (void)state;
    struct rig *r = rig_new_moving(MF_WORLD_MOTION_PHYSICS, 0.0);
    start(r, items, 2);
    rig_run_until(r, 45 * S); /* on the circle */
    for (int i = 0; i < 300; i++) {
        rig_run_until(r, r->mock.now.vehicle_us + 50000);
        const struct mf_pose pose = rig_pose(r);
        const double mps = hypot((double)pose.vel_ned_mps[0], (double)pose.vel_ned_mps[1]);
        slowest_mps = mps < slowest_mps ? mps : slowest_mps;
        const double off_m = distance_m(r, LAT + NORTH_100, LON) - 50.0;
        assert_true(fabs(off_m) < 0.5);
        mf_mock_clear(&r->mock, 0);
    }
    assert_true(slowest_mps > 3.5); /* cruise is 5 */
    (void)rig_run_while(r, flies, 200.0);
}

/* To the place at the height it has, then up, then down. */
/* A circle within the acceptance radius, on the ground: chords are reached in the instant in which
 * they begin, and the mission yields to time after a hundred. The body touches the
 * ground meanwhile. */
static void test_sim031_sim036_touchdown_while_a_mission_yields(void **state)
{
    struct mf_item items[] = {rig_item(MAV_CMD_NAV_TAKEOFF, 6, 0, 0, 3.0f, 0.0f),
                              circle(100.0f, 1.0f)};
    (void)state;
    items[1].x = LAT;
    items[1].z = mf_f32_bits(-10.0f); /* its plans end on the ground */
    struct rig *r = rig_new_moving(MF_WORLD_MOTION_PHYSICS, 0.0);
    const struct mf_vehicle *v = &r->drone.vehicle;
    start(r, items, 2);
    rig_run_until(r, 5 * S);
    assert_int_not_equal(v->commander.landed, MF_LANDED_ON_GROUND);
    while (!rig_pose(r).on_ground) {
        assert_int_not_equal(v->commander.landed, MF_LANDED_ON_GROUND);
        rig_run_until(r, r->mock.now.vehicle_us + 1000);
        assert_true(r->mock.now.vehicle_us < 60 * S);
    }
    assert_int_equal(v->commander.landed, MF_LANDED_ON_GROUND);
    assert_int_equal(v->mission.current, 1); /* and the circle is not over */
}

static void test_sim031_loiter_to_altitude(void **state)
{
    const struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_TAKEOFF, 6, 0, 0, 12.0f, 0.0f),
        rig_item(MAV_CMD_NAV_LOITER_TO_ALT, 6, LAT + NORTH_100, LON, 42.0f, 0.0f),
        rig_item(MAV_CMD_NAV_LOITER_TO_ALT, 6, LAT + NORTH_100, LON, 6.0f, 0.0f),
    };
    mf_us_t at_us[3];
    (void)state;
    struct rig *r = rig_new(NULL);
    start(r, items, 3);
    rig_run_until(r, 9 * S); /* 4 s up, then 100 m along and 30 m up at 3 m/s */
    assert_true(fabs(rig_pose(r).alt_amsl_m - (RIG_ALT_M + 27.0)) < 0.05);
    watch(r, at_us, 3, 100.0);
    assert_true(fabs((double)at_us[1] - 14e6) < 0.02e6);
    assert_true(fabs((double)at_us[2] - 26e6) < 0.02e6);
    assert_true(fabs(rig_pose(r).alt_amsl_m - (RIG_ALT_M + 6.0)) < 1e-6);
}

/* 1 m is flown in 0.1 s; 180 deg but the tolerance of 12 take 2.8 s at 60 deg/s. */
static void test_sim031_waits_for_the_heading_and_the_hold(void **state)
{
    struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_TAKEOFF, 6, 0, 0, 12.0f, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT + NORTH_100 / 100, LON, 12.0f, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT, LON, 12.0f, 5.0f),
        rig_item(MAV_CMD_CONDITION_YAW, 2, 0, 0, 0.0f, 90.0f),
    };
    mf_us_t at_us[4];
    (void)state;
    items[1].param[3] = mf_f32_bits(180.0f);
    items[2].param[3] = mf_f32_bits(0.0f);
    items[3].param[3] = 0;
    struct rig *r = rig_new(NULL);
    start(r, items, 4);
    watch(r, at_us, 4, 100.0);
    assert_true(fabs((double)(at_us[1] - at_us[0]) - 2.8e6) < 5e3);
    assert_true(fabs((double)(at_us[2] - at_us[1]) - 5.1e6) < 5e3); /* it turned meanwhile */
    assert_true(fabs((double)(at_us[3] - at_us[2]) - 1.3e6) < 5e3);
}

/* A body with inertia arrives within its radius, turns on its way to the place itself, and goes on
 * when both are so. */
static void test_sim031_sim036_heading_of_a_body_with_inertia(void **state)
{
    struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_TAKEOFF, 6, 0, 0, 12.0f, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT + NORTH_100 / 20, LON, 12.0f, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT + NORTH_100, LON, 12.0f, 0.0f),
        rig_item(MAV_CMD_CONDITION_YAW, 2, 0, 0, 0.0f, 90.0f),
    };
    mf_us_t at_us[4];
    (void)state;
    items[1].param[3] = mf_f32_bits(180.0f);
    items[3].param[3] = 0;
    struct rig *r = rig_new_moving(MF_WORLD_MOTION_PHYSICS, 0.0);
    start(r, items, 4);
    watch(r, at_us, 2, 100.0);
    assert_true(fabs(fabs((double)rig_pose(r).yaw_rad) - 3.14159265) < 12.1 * 3.14159265 / 180.0);
    assert_true(distance_m(r, LAT + NORTH_100 / 20, LON) < 2.0);
    while (r->drone.vehicle.mission.reached < 3) {
        rig_run_until(r, r->mock.now.vehicle_us + 10000);
        assert_true(r->mock.now.vehicle_us < 100 * S);
    }
    assert_true(fabs((double)rig_pose(r).yaw_rad - 1.57079633) < 12.1 * 3.14159265 / 180.0);
    assert_true(distance_m(r, LAT + NORTH_100, LON) < 2.0);
    (void)rig_run_while(r, rig_moving, 20.0);
    assert_true(distance_m(r, LAT + NORTH_100, LON) < 1e-6);
}

/* What has nothing behind it is done in the instant in which its turn comes. */
static void test_sim031_items_of_a_survey(void **state)
{
    struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_TAKEOFF, 6, 0, 0, 12.0f, 0.0f),
        rig_item(MAV_CMD_DO_MOUNT_CONTROL, 2, 0, 0, 0.0f, -90.0f),
        rig_item(MAV_CMD_DO_GIMBAL_MANAGER_PITCHYAW, 2, 0, 0, 0.0f, -90.0f),
        rig_item(MAV_CMD_SET_CAMERA_MODE, 2, 0, 0, 0.0f, 0.0f),
        rig_item(MAV_CMD_DO_SET_ROI_LOCATION, 6, LAT, LON, 0.0f, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 10, LAT + NORTH_100, LON, 12.0f, 0.0f),
        rig_item(MAV_CMD_DO_SET_CAM_TRIGG_DIST, 2, 0, 0, 0.0f, 25.0f),
        rig_item(MAV_CMD_IMAGE_START_CAPTURE, 2, 0, 0, 0.0f, 0.0f),
        rig_item(MAV_CMD_DO_GRIPPER, 2, 0, 0, 0.0f, 1.0f),
        rig_item(MAV_CMD_DO_SET_SERVO, 2, 0, 0, 0.0f, 1.0f),
        rig_item(MAV_CMD_DO_WINCH, 2, 0, 0, 0.0f, 1.0f),
        rig_item(MAV_CMD_DO_FENCE_ENABLE, 2, 0, 0, 0.0f, 1.0f),
        rig_item(MAV_CMD_DO_SET_ROI_NONE, 2, 0, 0, 0.0f, 0.0f),
        rig_item(MAV_CMD_DO_LAND_START, 2, 0, 0, 0.0f, 0.0f),
        rig_item(MAV_CMD_NAV_RETURN_TO_LAUNCH, 2, 0, 0, 0.0f, 0.0f),
    };
    enum { COUNT = sizeof items / sizeof items[0] };
    mf_us_t at_us[COUNT];
    (void)state;
    struct rig *r = rig_new(NULL);
    start(r, items, COUNT);
    watch(r, at_us, COUNT, 100.0);
    assert_true(at_us[1] - at_us[0] <= 1000 && at_us[4] - at_us[0] <= 1000);
    assert_true(fabs((double)(at_us[5] - at_us[4]) - 10e6) < 5e3);
    assert_true(at_us[COUNT - 1] - at_us[5] <= 1000);
    (void)rig_run_while(r, rig_armed, 120.0);
    assert_true(distance_m(r, LAT, LON) < 0.001);
    struct mf_msg_mission_item_reached m;
    for (int i = 0; i < COUNT; i++) {
        assert_true(mf_mock_take(&r->mock, 0, MF_MSG_MISSION_ITEM_REACHED, &m));
        assert_int_equal(m.seq, i);
    }
    assert_false(mf_mock_take(&r->mock, 0, MF_MSG_MISSION_ITEM_REACHED, &m));
}

/* Home is where the item says: relative altitudes and the return go by it. */
static void test_sim022_sim028_sim031_home_by_item(void **state)
{
    const struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_TAKEOFF, 6, 0, 0, 12.0f, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT + NORTH_100, LON, 12.0f, 0.0f),
        rig_item(MAV_CMD_DO_SET_HOME, 5, LAT + NORTH_100, LON, (float)RIG_ALT_M, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT, LON, 12.0f, 0.0f),
        rig_item(MAV_CMD_NAV_RETURN_TO_LAUNCH, 2, 0, 0, 0.0f, 0.0f),
    };
    (void)state;
    struct rig *r = rig_new(NULL);
    start(r, items, 5);
    (void)rig_run_while(r, rig_armed, 120.0);
    assert_true(distance_m(r, LAT + NORTH_100, LON) < 0.001);
}

/* ---- what is rejected, and what is only said ---- */

static void test_sim031_feasibility_in_the_words_of_px4(void **state)
{
    const struct mf_item low[] = {
        rig_item(MAV_CMD_NAV_TAKEOFF, 6, 0, 0, 12.0f, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT, LON, -2.0f, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT, LON, -3.0f, 0.0f),
    };
    const struct mf_item landing[] = {rig_item(MAV_CMD_NAV_LAND, 6, LAT, LON, 0.0f, 0.0f)};
    const struct mf_item far[] = {
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT + 1000000, LON, 12.0f, 0.0f)};
    (void)state;
    struct rig *r = rig_new(NULL);
    rig_upload(r, low, 3);
    assert_true(rig_said(r, "Warning: Waypoint 2 below home"));
    assert_int_equal(mf_mission_state(&r->drone.vehicle), MISSION_STATE_NOT_STARTED);
    rig_upload(r, landing, 1);
    assert_true(rig_said(r, "Mission rejected: starts with landing"));
    assert_int_equal(mf_mission_state(&r->drone.vehicle), MISSION_STATE_NO_MISSION);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, k_start), MAV_RESULT_DENIED);
    assert_true(rig_said(r, "Mission start denied! No valid mission"));
    rig_upload(r, far, 1);
    assert_true(rig_said(r, "First waypoint too far away: 11117m, 10000 max"));
    rig_set_i(r, "MIS_TKO_LAND_REQ", 3);
    rig_upload(r, low, 3);
    assert_true(rig_said(r, "Mission rejected: Takeoff or Landing item missing."));
    rig_set_i(r, "MIS_TKO_LAND_REQ", 0);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, k_start), MAV_RESULT_ACCEPTED);
}

/* It lands, and the mission is a completed one, not one that begins with a landing. */
static void test_sim023_mission_that_is_only_a_landing(void **state)
{
    const struct mf_item landing[] = {
        rig_item(MAV_CMD_NAV_LAND, 6, LAT + NORTH_100, LON, 0.0f, 0.0f)};
    (void)state;
    struct rig *r = rig_airborne(10.0f);
    start(r, landing, 1);
    (void)rig_run_while(r, rig_armed, 60.0);
    assert_true(distance_m(r, LAT + NORTH_100, LON) < 0.001);
    assert_int_equal(mf_mission_state(&r->drone.vehicle), MISSION_STATE_COMPLETE);
}

/* Samples lie at the ends of legs: at a waypoint that is flown through, 10 m/s along the leg. */
static void test_sim038_an_event_clock_shows_how_fast_waypoints_are_passed(void **state)
{
    struct mf_item items[5] = {rig_item(MAV_CMD_NAV_TAKEOFF, 6, 0, 0, 20.0f, 0.0f)};
    struct mf_msg_mission_current current = {0};
    struct mf_msg_global_position_int sample;
    size_t samples = 0;
    (void)state;
    for (int i = 1; i < 5; i++) {
        items[i] = rig_item(MAV_CMD_NAV_WAYPOINT, 6, LAT + i * NORTH_100, LON, 20.0f, 0.0f);
    }
    struct rig *r = rig_new(NULL);
    start(r, items, 5);
    rig_jump_until(r, 60 * S);
    assert_true(r->drone.vehicle.mission.finished);
    const struct mf_mock_port *port = &r->mock.port[0];
    for (size_t i = 0; i < port->frame_count; i++) {
        if (port->frame[i].msgid == MF_MSG_MISSION_CURRENT) {
            (void)mf_mock_take(&r->mock, 0, MF_MSG_MISSION_CURRENT, &current);
        } else if (port->frame[i].msgid == MF_MSG_GLOBAL_POSITION_INT) {
            (void)mf_mock_take(&r->mock, 0, MF_MSG_GLOBAL_POSITION_INT, &sample);
            if (current.seq == 2) {
                assert_true(abs(sample.vx - 1000) <= 1 && abs(sample.vy) <= 1); /* [cm/s] */
                samples++;
            }
        }
    }
    assert_true(samples > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim031_sim037_circles),
        cmocka_unit_test(test_sim031_sim036_circle_of_a_body_with_inertia),
        cmocka_unit_test(test_sim031_sim036_touchdown_while_a_mission_yields),
        cmocka_unit_test(test_sim031_loiter_to_altitude),
        cmocka_unit_test(test_sim031_waits_for_the_heading_and_the_hold),
        cmocka_unit_test(test_sim031_sim036_heading_of_a_body_with_inertia),
        cmocka_unit_test(test_sim031_items_of_a_survey),
        cmocka_unit_test(test_sim022_sim028_sim031_home_by_item),
        cmocka_unit_test(test_sim031_feasibility_in_the_words_of_px4),
        cmocka_unit_test(test_sim023_mission_that_is_only_a_landing),
        cmocka_unit_test(test_sim038_an_event_clock_shows_how_fast_waypoints_are_passed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
