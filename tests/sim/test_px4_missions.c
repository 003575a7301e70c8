/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a mission as in PX4: after its end, after a pause, and what the vehicle does first.
 */
#include "mavlink/enums.h"
#include "tests/sim/rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define S        1000000
#define MISSION  67371008u /* custom modes */
#define HOLD     50593792u
#define LAT_E7   473977420
#define LON_E7   85455940
#define NORTH_20 1799 /* of latitude, 20 m [1e-7 deg] */

static const float k_none[7] = {0};
static const float k_hold[7] = {1.0f, 4.0f, 3.0f, 0, 0, 0, 0};
static const float k_mission[7] = {1.0f, 4.0f, 4.0f, 0, 0, 0, 0};
static const float k_arm[7] = {1.0f, 0, 0, 0, 0, 0, 0};

static struct rig *strict(void)
{
    const struct mf_options options = {.px4_strict = true};
    return rig_new(&options);
}

static void start(struct rig *r, const struct mf_item *items, uint16_t count)
{
    rig_upload(r, items, count);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, k_none), MAV_RESULT_ACCEPTED);
}

static uint32_t mode_after_landing(struct rig *r)
{
    (void)rig_run_while(r, rig_armed, 300.0);
    assert_true(rig_pose(r).on_ground);
    return rig_mode_seen(r);
}

static struct mf_item there(uint16_t command, int32_t north_e7, float z)
{
    return rig_item(command, 6, LAT_E7 + north_e7, LON_E7, z, 0.0f);
}

/* ---- straight up first ---- */

/* Without a take-off item: 18 m at 3 m/s straight up, then 20 m along at 10 m/s. */
static void test_climbs_to_the_first_waypoint(void **state)
{
    (void)state;
    const struct mf_item items[] = {rig_item(MAV_CMD_DO_CHANGE_SPEED, 2, 0, 0, 0.0f, 1.0f),
                                    there(MAV_CMD_NAV_WAYPOINT, NORTH_20, 18.0f),
                                    there(MAV_CMD_NAV_WAYPOINT, NORTH_20, 6.0f)};
    struct rig *r = rig_new(NULL);
    start(r, items, 3);
    assert_true(rig_said(r, "Climb to 18.0 meters above home"));
    rig_run_until(r, 6 * S - 1);
    assert_true(rig_pose(r).lat_deg == RIG_LAT_DEG);
    assert_true(fabs(rig_pose(r).alt_amsl_m - (RIG_ALT_M + 18.0)) < 1e-4);
    rig_run_until(r, 7 * S); /* half-way */
    assert_true(fabs(rig_pose(r).lat_deg - (RIG_LAT_DEG + 0.8995e-4)) < 1e-6);
    assert_int_equal(r->drone.vehicle.mission.current, 1);
}

/* Resumed 6 m below its waypoint the vehicle climbs first, 0.5 m below it does not. */
static void test_climbs_when_resumed_from_below(void **state)
{
    (void)state;
    const struct mf_item items[] = {there(MAV_CMD_NAV_TAKEOFF, 0, 12.0f),
                                    there(MAV_CMD_NAV_WAYPOINT, 8 * NORTH_20, 12.0f)};
    for (int i = 0; i < 2; i++) {
        const double below_m = i == 0 ? 6.0 : 0.5;
        const float lower[7] = {(float)(RIG_ALT_M + 12.0 - below_m), 0, 0, 0, 0, 0, 0};
        struct rig *r = rig_new(NULL);
        start(r, items, 2);
        rig_run_until(r, 5 * S);
        assert_int_equal(rig_command(r, MAV_CMD_DO_SET_MODE, k_hold), MAV_RESULT_ACCEPTED);
        assert_int_equal(rig_command(r, MAV_CMD_DO_CHANGE_ALTITUDE, lower), MAV_RESULT_ACCEPTED);
        rig_run_until(r, 10 * S);
        const double at_deg = rig_pose(r).lat_deg;
        mf_mock_clear(&r->mock, 0);
        assert_int_equal(rig_command(r, MAV_CMD_DO_SET_MODE, k_mission), MAV_RESULT_ACCEPTED);
        assert_int_equal(rig_said(r, "Climb to 12.0 meters above home"), i == 0);
        rig_run_until(r, 11 * S);
        assert_int_equal(rig_pose(r).lat_deg == at_deg, i == 0);
    }
}

/* As PX4's Mission: at another item that a client chooses in flight, straight there. */
static void test_another_item_is_flown_to_straight(void **state)
{
    (void)state;
    const struct mf_item items[] = {there(MAV_CMD_NAV_TAKEOFF, 0, 6.0f),
                                    there(MAV_CMD_NAV_WAYPOINT, 8 * NORTH_20, 6.0f),
                                    there(MAV_CMD_NAV_WAYPOINT, 8 * NORTH_20, 30.0f)};
    const struct mf_msg_mission_set_current last = {
        .seq = 2, .target_system = 1, .target_component = 1};
    struct rig *r = rig_new(NULL);
    start(r, items, 3);
    rig_run_until(r, 4 * S);
    const struct mf_pose before = rig_pose(r);
    rig_send(r, MF_MSG_MISSION_SET_CURRENT, &last);
    rig_run_until(r, 5 * S);
    assert_true(rig_pose(r).lat_deg > before.lat_deg);
    assert_true(rig_pose(r).alt_amsl_m > before.alt_amsl_m + 0.5);
}

/* A take-off item elsewhere: PX4 flies there from the top, 20 m at 10 m/s after 6 m at 3 m/s. */
static void test_flies_to_the_place_of_the_take_off(void **state)
{
    (void)state;
    const struct mf_item items[] = {there(MAV_CMD_NAV_TAKEOFF, NORTH_20, 6.0f),
                                    there(MAV_CMD_NAV_WAYPOINT, NORTH_20, 12.0f)};
    for (int i = 0; i < 2; i++) {
        struct rig *r = i == 0 ? strict() : rig_new(NULL);
        start(r, items, 2);
        rig_run_until(r, 4 * S - 1000);
        assert_int_equal(r->drone.vehicle.mission.reached, i - 1);
        rig_run_until(r, 4 * S + 1000);
        assert_int_equal(r->drone.vehicle.mission.reached, i);
        assert_true(i == 1 || fabs(rig_pose(r).lat_deg - (RIG_LAT_DEG + 1.799e-4)) < 1e-6);
    }
}

/* ---- the ground ---- */

/* The vehicle lands above a waypoint 3 m below the ground, and stays armed in its mission. */
static void test_a_waypoint_below_the_ground_is_not_reached(void **state)
{
    (void)state;
    const struct mf_item items[] = {there(MAV_CMD_NAV_TAKEOFF, 0, 6.0f),
                                    there(MAV_CMD_NAV_WAYPOINT, NORTH_20, -3.0f),
                                    there(MAV_CMD_NAV_WAYPOINT, 2 * NORTH_20, 6.0f)};
    for (int i = 0; i < 2; i++) {
        struct rig *r = i == 0 ? rig_new(NULL) : rig_new_moving(MF_WORLD_MOTION_PHYSICS, 0.0);
        start(r, items, 3);
        rig_run_until(r, 60 * S);
        assert_true(rig_pose(r).on_ground && rig_armed(r));
        assert_int_equal(rig_mode_seen(r), MISSION);
        assert_int_equal(r->drone.vehicle.commander.landed, MF_LANDED_ON_GROUND);
        assert_int_equal(r->drone.vehicle.mission.current, 1);
        assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_MISSION_ITEM_REACHED), 1);
    }
}

/* PX4 reports a landing elsewhere when it is over the place, 4 s after the start, and not again. */
static void test_a_landing_is_reported_over_its_place(void **state)
{
    (void)state;
    const struct mf_item items[] = {there(MAV_CMD_NAV_TAKEOFF, 0, 6.0f),
                                    there(MAV_CMD_NAV_LAND, NORTH_20, 0.0f)};
    for (int i = 0; i < 2; i++) {
        struct rig *r = i == 0 ? strict() : rig_new(NULL);
        start(r, items, 2);
        rig_run_until(r, 4 * S + 1000);
        assert_int_equal(r->drone.vehicle.mission.reached, i == 0 ? 1 : 0);
        assert_false(rig_pose(r).on_ground);
        (void)mode_after_landing(r);
        assert_int_equal(r->drone.vehicle.mission.reached, 1);
        assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_MISSION_ITEM_REACHED), 2);
    }
}

/* ---- after the flight ---- */

/* PX4 stays in Mission; armed again it takes off by itself, from the first item on. */
static void test_a_mission_that_landed_begins_anew_when_armed(void **state)
{
    (void)state;
    const struct mf_item items[] = {there(MAV_CMD_NAV_TAKEOFF, 0, 6.0f),
                                    there(MAV_CMD_NAV_LAND, 0, 0.0f)};
    for (int i = 0; i < 2; i++) {
        struct rig *r = i == 0 ? strict() : rig_new(NULL);
        start(r, items, 2);
        assert_int_equal(mode_after_landing(r), i == 0 ? MISSION : HOLD);
        assert_int_equal(r->drone.vehicle.mission.current, 1);
        assert_true(r->drone.vehicle.mission.finished);
        rig_run_until(r, r->mock.now.vehicle_us + 20 * S);
        assert_true(rig_pose(r).on_ground);
        mf_mock_clear(&r->mock, 0);
        assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
        rig_run_until(r, r->mock.now.vehicle_us + S);
        assert_int_equal(rig_pose(r).on_ground, i == 1);
        assert_int_equal(r->drone.vehicle.mission.current, i == 0 ? 0 : 1);
    }
}

/* A user's Return or Land, and a failsafe, lead back to Mission, at the item that was flown. */
static void test_a_mission_that_was_broken_off_goes_on_when_armed(void **state)
{
    (void)state;
    const struct mf_item items[] = {there(MAV_CMD_NAV_TAKEOFF, 0, 6.0f),
                                    there(MAV_CMD_NAV_WAYPOINT, 4 * NORTH_20, 6.0f),
                                    there(MAV_CMD_NAV_WAYPOINT, 8 * NORTH_20, 6.0f)};
    for (int i = 0; i < 3; i++) {
        struct rig *r = strict();
        start(r, items, 3);
        rig_run_until(r, 5 * S);
        assert_int_equal(r->drone.vehicle.mission.current, 1);
        if (i < 2) {
            assert_int_equal(
                rig_command(r, i == 0 ? MAV_CMD_NAV_RETURN_TO_LAUNCH : MAV_CMD_NAV_LAND, k_none),
                MAV_RESULT_ACCEPTED);
        } else {
            mf_commander_failsafe(&r->drone.vehicle, r->mock.now.vehicle_us, MF_EV_FAILSAFE_LAND);
        }
        assert_int_equal(mode_after_landing(r), MISSION);
        assert_int_equal(r->drone.vehicle.mission.current, 1);
        assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
        rig_run_until(r, r->mock.now.vehicle_us + 2 * S);
        assert_false(rig_pose(r).on_ground);
        assert_int_equal(r->drone.vehicle.mission.current, 1);
    }
}

/* The last mode in which a flight may begin: not Land, Return or Orbit. */
static void test_disarming_leads_to_the_last_mode_that_arms(void **state)
{
    (void)state;
    struct rig *r = strict();
    rig_take_off(r, 6.0f);
    assert_int_equal(rig_command(r, MAV_CMD_DO_ORBIT, rig_nan7()), MAV_RESULT_ACCEPTED);
    rig_run_until(r, r->mock.now.vehicle_us + S);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_LAND, k_none), MAV_RESULT_ACCEPTED);
    assert_int_equal(mode_after_landing(r), HOLD);
}

/* Finished in the air it stays finished: Mission again leads to Hold, without an item reached. A
 * client that chooses an item begins another run. */
static void test_a_finished_mission_stays_finished(void **state)
{
    (void)state;
    const struct mf_item items[] = {there(MAV_CMD_NAV_TAKEOFF, 0, 6.0f),
                                    there(MAV_CMD_NAV_WAYPOINT, NORTH_20, 6.0f),
                                    there(MAV_CMD_NAV_WAYPOINT, 2 * NORTH_20, 6.0f)};
    struct rig *r = rig_new(NULL);
    const struct mf_mission *m = &r->drone.vehicle.mission;
    start(r, items, 3);
    rig_run_until(r, 10 * S);
    assert_true(m->finished && rig_mode_seen(r) == HOLD);
    mf_mock_clear(&r->mock, 0);
    assert_int_equal(rig_command(r, MAV_CMD_DO_SET_MODE, k_mission), MAV_RESULT_ACCEPTED);
    assert_true(rig_said(r, "No valid mission available, loitering"));
    rig_run_until(r, 22 * S);
    assert_true(m->finished && m->current == 2 && rig_mode_seen(r) == HOLD);
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_MISSION_ITEM_REACHED), 0);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, k_none), MAV_RESULT_ACCEPTED);
    assert_false(m->finished);
    assert_int_equal(rig_mode_seen(r), MISSION);
}

/* Broken off, landed and armed again, a mission goes on; on the way to its last item it begins
 * anew, as in PX4. */
static void test_a_mission_broken_off_before_its_end_begins_anew(void **state)
{
    (void)state;
    const struct mf_item items[] = {there(MAV_CMD_NAV_TAKEOFF, 0, 6.0f),
                                    there(MAV_CMD_NAV_WAYPOINT, NORTH_20, 6.0f),
                                    there(MAV_CMD_NAV_WAYPOINT, 8 * NORTH_20, 6.0f)};
    for (uint16_t i = 1; i <= 2; i++) {
        struct rig *r = rig_new(NULL);
        start(r, items, 3);
        rig_run_until(r, i == 1 ? 3 * S : 6 * S);
        assert_int_equal(r->drone.vehicle.mission.current, i);
        assert_int_equal(rig_command(r, MAV_CMD_NAV_LAND, k_none), MAV_RESULT_ACCEPTED);
        (void)mode_after_landing(r);
        assert_int_equal(r->drone.vehicle.mission.current, i);
        assert_int_equal(rig_command(r, MAV_CMD_DO_SET_MODE, k_mission), MAV_RESULT_ACCEPTED);
        assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
        rig_run_until(r, r->mock.now.vehicle_us + S);
        assert_int_equal(r->drone.vehicle.mission.current, i == 1 ? 1 : 0);
    }
}

/* While the camera is triggered, PX4 resumes at the last place before the pause. A client that has
 * chosen the item meanwhile gets that one. */
static void test_resumes_at_the_place_before_while_the_camera_triggers(void **state)
{
    (void)state;
    static const struct {
        uint16_t command;
        float param1;
        bool goes_back;
    } k_case[] = {{MAV_CMD_DO_SET_CAM_TRIGG_DIST, 5.0f, true},
                  {MAV_CMD_DO_SET_CAM_TRIGG_DIST, 0.0f, false},
                  {MAV_CMD_DO_TRIGGER_CONTROL, 1.0f, true},
                  {MAV_CMD_DO_TRIGGER_CONTROL, -1.0f, false},
                  {MAV_CMD_IMAGE_START_CAPTURE, 0.0f, true},
                  {MAV_CMD_IMAGE_STOP_CAPTURE, 0.0f, false},
                  {MAV_CMD_DO_SET_CAM_TRIGG_INTERVAL, 5.0f, false}};
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const struct mf_item items[] = {
            there(MAV_CMD_NAV_TAKEOFF, 0, 6.0f), there(MAV_CMD_NAV_WAYPOINT, NORTH_20, 6.0f),
            rig_item(k_case[i].command, 2, 0, 0, 0.0f, k_case[i].param1),
            there(MAV_CMD_NAV_WAYPOINT, 8 * NORTH_20, 6.0f), there(MAV_CMD_NAV_WAYPOINT, 0, 6.0f)};
        struct rig *r = rig_new(NULL);
        const struct mf_mission *m = &r->drone.vehicle.mission;
        start(r, items, 5);
        rig_run_until(r, 8 * S);
        assert_int_equal(m->current, 3);
        assert_int_equal(rig_command(r, MAV_CMD_DO_SET_MODE, k_hold), MAV_RESULT_ACCEPTED);
        const double at_deg = rig_pose(r).lat_deg;
        assert_int_equal(rig_command(r, MAV_CMD_DO_SET_MODE, k_mission), MAV_RESULT_ACCEPTED);
        assert_int_equal(m->current, k_case[i].goes_back ? 1 : 3);
        rig_run_until(r, 9 * S);
        assert_int_equal(rig_pose(r).lat_deg < at_deg, k_case[i].goes_back);
        rig_run_until(r, 16 * S);
        assert_int_equal(m->current, 3);
        assert_int_equal(rig_command(r, MAV_CMD_DO_SET_MODE, k_hold), MAV_RESULT_ACCEPTED);
        const float fourth[7] = {3.0f, 0, 0, 0, 0, 0, 0};
        assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, fourth), MAV_RESULT_ACCEPTED);
        assert_int_equal(m->current, 3);
    }
}

/* ---- another plan ---- */

/* Without an item marked as current PX4 keeps the number of the one that is flown, limited to the
 * new count; on the ground Mayfly begins with the first. */
static void test_a_new_plan_keeps_the_current_item(void **state)
{
    (void)state;
    struct mf_item items[] = {
        there(MAV_CMD_NAV_TAKEOFF, 0, 6.0f), there(MAV_CMD_NAV_WAYPOINT, NORTH_20, 6.0f),
        there(MAV_CMD_NAV_WAYPOINT, 8 * NORTH_20, 6.0f), there(MAV_CMD_NAV_WAYPOINT, 0, 6.0f)};
    for (int i = 0; i < 4; i++) {
        struct rig *r = i % 2 == 0 ? strict() : rig_new(NULL);
        const struct mf_mission *m = &r->drone.vehicle.mission;
        start(r, items, 4);
        rig_run_until(r, 6 * S);
        assert_int_equal(m->current, 2);
        if (i >= 2) {
            assert_int_equal(rig_command(r, MAV_CMD_DO_SET_MODE, k_hold), MAV_RESULT_ACCEPTED);
        }
        rig_upload_unmarked(r, items, 3);
        assert_int_equal(m->current, 2);
        assert_int_equal(rig_mode_seen(r), i < 2 ? MISSION : HOLD);
        rig_upload_unmarked(r, items, 2);
        assert_int_equal(m->current, 1);
        assert_int_equal(rig_command(r, MAV_CMD_NAV_LAND, k_none), MAV_RESULT_ACCEPTED);
        (void)mode_after_landing(r);
        rig_upload_unmarked(r, items, 3);
        assert_int_equal(m->current, i % 2 == 0 ? 1 : 0);
        rig_upload(r, items, 2);
        assert_int_equal(m->current, 0);
    }
}

/* Landed 20 m away, home moves there when the vehicle is disarmed, unless a user set it. */
static void test_home_is_where_the_flight_ended(void **state)
{
    (void)state;
    const struct mf_item items[] = {there(MAV_CMD_NAV_TAKEOFF, 0, 6.0f),
                                    there(MAV_CMD_NAV_LAND, NORTH_20, 0.0f)};
    const float here[7] = {1.0f, 0, 0, 0, 0, 0, 0};
    for (int i = 0; i < 3; i++) {
        struct rig *r = i == 2 ? rig_new(NULL) : strict();
        const struct mf_home *home = &r->drone.vehicle.home;
        if (i == 1) { /* by its coordinates */
            assert_int_equal(
                rig_command_int(r, MAV_CMD_DO_SET_HOME, k_none, LAT_E7, LON_E7, 488.0f),
                MAV_RESULT_ACCEPTED);
        }
        start(r, items, 2);
        rig_run_until(r, S);
        if (i == 0) { /* here, which counts as no user's in PX4 */
            assert_int_equal(rig_command(r, MAV_CMD_DO_SET_HOME, here), MAV_RESULT_ACCEPTED);
        }
        (void)mode_after_landing(r);
        assert_true(fabs(home->lat_deg - (i == 0 ? RIG_LAT_DEG + 1.799e-4 : RIG_LAT_DEG)) < 1e-6);
        assert_true(fabs(home->alt_amsl_m - RIG_ALT_M) < 1e-6);
        assert_true(fabs(home->takeoff_amsl_m - RIG_ALT_M) < 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_climbs_to_the_first_waypoint),
        cmocka_unit_test(test_climbs_when_resumed_from_below),
        cmocka_unit_test(test_another_item_is_flown_to_straight),
        cmocka_unit_test(test_flies_to_the_place_of_the_take_off),
        cmocka_unit_test(test_a_waypoint_below_the_ground_is_not_reached),
        cmocka_unit_test(test_a_landing_is_reported_over_its_place),
        cmocka_unit_test(test_a_mission_that_landed_begins_anew_when_armed),
        cmocka_unit_test(test_a_mission_that_was_broken_off_goes_on_when_armed),
        cmocka_unit_test(test_disarming_leads_to_the_last_mode_that_arms),
        cmocka_unit_test(test_a_finished_mission_stays_finished),
        cmocka_unit_test(test_a_mission_broken_off_before_its_end_begins_anew),
        cmocka_unit_test(test_resumes_at_the_place_before_while_the_camera_triggers),
        cmocka_unit_test(test_a_new_plan_keeps_the_current_item),
        cmocka_unit_test(test_home_is_where_the_flight_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
