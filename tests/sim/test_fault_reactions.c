/* SPDX-License-Identifier: Apache-2.0 */
/* What the vehicle does about faults, and at which instant schedules that wait for events begin. */
#include "mavlink/enums.h"
#include "tests/sim/rig.h"

#include <string.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define S 1000000

static const float k_arm[7] = {1.0f};

static struct rig *airborne(enum mf_world_motion motion, float height_m)
{
    struct rig *r = rig_new_moving(motion, 0.0);
    rig_take_off(r, height_m);
    rig_run_until(r, r->mock.now.vehicle_us + 5 * S);
    mf_mock_clear(&r->mock, 0);
    return r;
}

static void inject(struct rig *r, enum mf_fault fault, bool on, const struct mf_fault_values *with)
{
    assert_int_equal(mf_vehicle_inject(&r->drone.vehicle, r->mock.now.vehicle_us, fault, on, with),
                     MF_E_OK);
}

static void later(struct rig *r, double s)
{
    const mf_us_t until_us = r->mock.now.vehicle_us + (mf_us_t)(s * 1e6);
    while (r->mock.now.vehicle_us < until_us) {
        mf_mock_clear(&r->mock, 0);
        rig_run_until(r, mf_earlier(until_us, r->mock.now.vehicle_us + S));
    }
}

static void assert_near(double value, double expected, double by)
{
    if (!(fabs(value - expected) <= by)) {
        fail_msg("%f is not %f", value, expected);
    }
}

/* North of home [m], truly and as the vehicle believes. */
static double north_m(const struct mf_pose *pose)
{
    double ne[2];
    mf_geo_to_local((struct mf_geo){RIG_LAT_DEG, RIG_LON_DEG},
                    (struct mf_geo){pose->lat_deg, pose->lon_deg}, ne);
    return ne[0];
}

static double true_m(struct rig *r)
{
    const struct mf_pose pose = rig_pose(r);
    return north_m(&pose);
}

static double believed_m(struct rig *r)
{
    return north_m(&mf_estimate_at(&r->drone.vehicle, r->mock.now.vehicle_us)->pose);
}

static uint8_t system_status(struct rig *r)
{
    struct mf_msg_heartbeat m = {0};
    while (mf_mock_take(&r->mock, 0, MF_MSG_HEARTBEAT, &m)) {
    }
    return m.system_status;
}

/* Down 20 m to the ground; at constant speed without drag, sqrt(2 * 20 / 9.80665) s; with one of
 * 1 /s until 9.80665 (t - 1 + e^-t) is 20. */
static const struct {
    mf_us_t lasts_us; /* in whole milliseconds */
    double first_m;   /* in the first second */
} k_fall[] = {
    [MF_WORLD_MOTION_CONSTANT] = {2019000, 0.5 * 9.80665},
    [MF_WORLD_MOTION_PHYSICS] = {2989000, 3.6076649},
};

/* 2 s more to disarming. */
static void test_sim046_motors_fail_in_the_air_and_it_falls(void **state)
{
    (void)state;
    for (int motion = 0; motion <= (int)MF_WORLD_MOTION_PHYSICS; motion++) {
        struct rig *r = airborne((enum mf_world_motion)motion, 20.0f);
        const mf_us_t from_us = r->mock.now.vehicle_us;
        inject(r, MF_FAULT_MOTOR_OFF, true, NULL);
        rig_run_until(r, from_us);
        assert_int_equal(system_status(r), MAV_STATE_CRITICAL);
        assert_true(rig_said(r, "Motor failure detected"));
        rig_run_until(r, from_us + S);
        assert_near(rig_pose(r).alt_amsl_m, RIG_ALT_M + 20.0 - k_fall[motion].first_m, 0.01);
        assert_int_equal(rig_command(r, MAV_CMD_NAV_RETURN_TO_LAUNCH, rig_nan7()),
                         MAV_RESULT_ACCEPTED); /* and it falls on */
        rig_run_until(r, from_us + k_fall[motion].lasts_us);
        assert_int_equal(r->drone.vehicle.commander.landed, MF_LANDED_IN_AIR);
        rig_run_until(r, from_us + k_fall[motion].lasts_us + 1000);
        assert_int_equal(r->drone.vehicle.commander.landed, MF_LANDED_ON_GROUND);
        rig_run_until(r, from_us + k_fall[motion].lasts_us + 2011000);
        assert_false(r->drone.vehicle.commander.armed);
        assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm),
                         MAV_RESULT_TEMPORARILY_REJECTED);
        assert_true(rig_said(r, "Preflight Fail: Motor failure detected"));
        inject(r, MF_FAULT_MOTOR_OFF, false, NULL);
        assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
        assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, rig_nan7()), MAV_RESULT_ACCEPTED);
        later(r, 40.0);
        assert_near(rig_pose(r).alt_amsl_m, RIG_ALT_M + 20.0, 0.5);
    }
}

static void test_motors_that_recover_in_the_fall_hold(void **state)
{
    (void)state;
    for (int motion = 0; motion <= (int)MF_WORLD_MOTION_PHYSICS; motion++) {
        struct rig *r = airborne((enum mf_world_motion)motion, 20.0f);
        inject(r, MF_FAULT_MOTOR_OFF, true, NULL);
        later(r, 1.0);
        inject(r, MF_FAULT_MOTOR_OFF, false, NULL);
        later(r, 10.0);
        assert_near(rig_pose(r).alt_amsl_m, RIG_ALT_M + 20.0 - k_fall[motion].first_m, 1.0);
        assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_HOLD);
        assert_true(r->drone.vehicle.commander.armed);
        assert_int_equal(rig_command(r, MAV_CMD_NAV_LAND, rig_nan7()), MAV_RESULT_ACCEPTED);
        later(r, 60.0);
        assert_false(r->drone.vehicle.commander.armed);
    }
}

static void test_motors_that_fail_before_the_takeoff_keep_it_on_the_ground(void **state)
{
    struct rig *r = rig_new(NULL);
    (void)state;
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
    inject(r, MF_FAULT_MOTOR_OFF, true, NULL);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, rig_nan7()), MAV_RESULT_ACCEPTED);
    later(r, 5.0);
    assert_true(rig_pose(r).on_ground && r->drone.vehicle.commander.armed);
    assert_int_equal(r->drone.vehicle.commander.landed, MF_LANDED_ON_GROUND);
    inject(r, MF_FAULT_MOTOR_OFF, false, NULL);
    later(r, 3.0);
    assert_false(rig_pose(r).on_ground); /* what was asked for goes on */
}

static void test_sim046_in_hold_it_corrects_a_glitch_by_what_it_believes(void **state)
{
    (void)state;
    for (int motion = 0; motion <= (int)MF_WORLD_MOTION_PHYSICS; motion++) {
        struct rig *r = airborne((enum mf_world_motion)motion, 20.0f);
        inject(r, MF_FAULT_GPS_GLITCH, true, NULL); /* 30 m north */
        assert_near(believed_m(r), 30.0, 0.1);
        later(r, 15.0);
        assert_near(believed_m(r), 0.0, 0.1);
        assert_near(true_m(r), -30.0, 0.1);
        inject(r, MF_FAULT_GPS_GLITCH, false, NULL);
        assert_near(believed_m(r), -30.0, 0.1);
        later(r, 15.0);
        assert_near(true_m(r), 0.0, 0.1);
    }
}

/* 1 m/s north for 20 s; it flies back every second. */
static void test_sim046_in_hold_it_follows_a_drift(void **state)
{
    (void)state;
    for (int motion = 0; motion <= (int)MF_WORLD_MOTION_PHYSICS; motion++) {
        struct rig *r = airborne((enum mf_world_motion)motion, 20.0f);
        inject(r, MF_FAULT_GPS_DRIFT, true, NULL);
        later(r, 20.0);
        assert_true(fabs(believed_m(r)) < 3.5);
        assert_near(true_m(r), believed_m(r) - 20.0, 0.1);
        assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_HOLD);
        inject(r, MF_FAULT_GPS_DRIFT, false, NULL);
        later(r, 15.0);
        assert_near(true_m(r), 0.0, 0.1);
    }
}

/* 100 m allowed: 120 m away, and the action is to return. */
static void test_sim046_sim047_a_teleport_breaches_the_fence_at_once(void **state)
{
    (void)state;
    for (int motion = 0; motion <= (int)MF_WORLD_MOTION_PHYSICS; motion++) {
        struct rig *r = airborne((enum mf_world_motion)motion, 20.0f);
        struct mf_msg_fence_status fence = {0};
        rig_set_f(r, "GF_MAX_HOR_DIST", 100.0f);
        rig_set_i(r, "GF_ACTION", 3);
        mf_mock_clear(&r->mock, 0);
        inject(r, MF_FAULT_BREACH_TELEPORT, true, NULL);
        rig_run_until(r, r->mock.now.vehicle_us);
        assert_near(true_m(r), 120.0, 0.1);
        assert_true(mf_mock_take(&r->mock, 0, MF_MSG_FENCE_STATUS, &fence));
        assert_int_equal(fence.breach_status, 1);
        assert_true(rig_said(r, "Geofence: exceeding maximum distance to Home"));
        assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_RTL);
        later(r, 90.0);
        assert_false(r->drone.vehicle.commander.armed);
        assert_near(true_m(r), 0.0, 0.1); /* home, truly */
        inject(r, MF_FAULT_BREACH_TELEPORT, false, NULL);
        later(r, 5.0);
        assert_near(true_m(r), 0.0, 0.1); /* and stays there */
        assert_int_equal(r->drone.vehicle.fence.breach, 0);
        assert_int_equal(r->drone.vehicle.fence.breaches, 1);
    }
}

/* Whatever keeps it in: a circle of 300 m around home, a square of 400 m whose corner is home, or
 * nothing at all, where the usual distance counts as long as the fault is there. */
static void test_sim046_a_teleport_breaches_any_fence(void **state)
{
    const int32_t x = 473977420, y = 85455940, e = 53160; /* 400 m east */
    struct mf_item circle[] = {
        rig_item(MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION, MAV_FRAME_GLOBAL_INT, x, y, 0.0f, 300.0f)};
    const int32_t n = 35977; /* 400 m north */
    struct mf_item square[4];
    for (int i = 0; i < 4; i++) {
        square[i] =
            rig_item(MAV_CMD_NAV_FENCE_POLYGON_VERTEX_INCLUSION, MAV_FRAME_GLOBAL_INT,
                     i < 2 ? x - n / 40 : x + n, i == 0 || i == 3 ? y - e / 40 : y + e, 0.0f, 4.0f);
    }
    (void)state;
    for (int k = 0; k < 3; k++) {
        static const double k_way_m[] = {310.0, 410.0, 110.0};
        struct rig *r = airborne(MF_WORLD_MOTION_CONSTANT, 20.0f);
        struct mf_msg_fence_status fence = {0};
        const struct mf_item *items = k == 0 ? circle : square;
        if (k < 2) {
            assert_int_equal(rig_upload_plan(r, MAV_MISSION_TYPE_FENCE, items, k == 0 ? 1 : 4),
                             MAV_MISSION_ACCEPTED);
        }
        mf_mock_clear(&r->mock, 0);
        inject(r, MF_FAULT_BREACH_TELEPORT, true, NULL);
        rig_run_until(r, r->mock.now.vehicle_us);
        assert_near(true_m(r), k_way_m[k], 1.1);
        assert_true(mf_mock_take(&r->mock, 0, MF_MSG_FENCE_STATUS, &fence));
        assert_int_equal(fence.breach_status, 1);
        assert_true(rig_said(r, "Geofence: "));
        assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_HOLD);
        assert_true(r->drone.vehicle.commander.failsafe);
        inject(r, MF_FAULT_BREACH_TELEPORT, false, NULL);
        later(r, 5.0);
        assert_near(true_m(r), k_way_m[k], 1.1);
        assert_int_equal(r->drone.vehicle.fence.breach, k < 2 ? MF_BREACH_ZONE : 0);
    }
}

/* 5 m/s for 20 s without a fence: beyond the usual 100 m. On the ground, too. */
static void test_sim046_a_drift_breaches_without_a_fence(void **state)
{
    (void)state;
    for (int ground = 0; ground < 2; ground++) {
        struct rig *r = ground ? rig_new_moving(MF_WORLD_MOTION_CONSTANT, 0.0)
                               : airborne(MF_WORLD_MOTION_CONSTANT, 20.0f);
        later(r, 1.0);
        const mf_us_t from_us = r->mock.now.vehicle_us;
        inject(r, MF_FAULT_BREACH_DRIFT, true, NULL);
        later(r, 19.9);
        assert_int_equal(r->drone.vehicle.fence.breach, 0);
        rig_run_until(r, from_us + 20 * S + 200000);
        assert_int_equal(r->drone.vehicle.fence.breach, MF_BREACH_DISTANCE);
        rig_set_i(r, "GF_ACTION", 0);
        rig_run_until(r, r->mock.now.vehicle_us);
        assert_int_equal(r->drone.vehicle.fence.breach, 0);
    }
}

static mf_us_t s_reached_us[4];
static double s_reached_m[4]; /* how far from the item it truly was */

/* Flies (200,0) (200,200) (0,200) and returns, with 4 m/s to the east from the third second on. */
static struct rig *drifted_mission(enum mf_world_motion motion, float speed_mps, double limit_s)
{
    const struct mf_options options = {.px4_motion = motion == MF_WORLD_MOTION_PHYSICS};
    struct mf_world_settings s = mf_world_settings_default();
    const struct mf_geo home = {RIG_LAT_DEG, RIG_LON_DEG};
    static const double k_ne[3][2] = {{200.0, 0.0}, {200.0, 200.0}, {0.0, 200.0}};
    struct mf_item items[5] = {rig_item(MAV_CMD_NAV_TAKEOFF, MAV_FRAME_GLOBAL_RELATIVE_ALT_INT,
                                        473977420, 85455940, 20.0f, 0.0f)};
    for (size_t i = 0; i < 3; i++) {
        const struct mf_geo to = mf_geo_from_local(home, k_ne[i][0], k_ne[i][1]);
        items[i + 1] = rig_item(MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL_RELATIVE_ALT_INT,
                                (int32_t)lround(to.lat_deg * 1e7),
                                (int32_t)lround(to.lon_deg * 1e7), 20.0f, 0.0f);
    }
    items[4] = rig_item(MAV_CMD_NAV_RETURN_TO_LAUNCH, MAV_FRAME_MISSION, 0, 0, 0.0f, 0.0f);
    s.motion = motion;
    s.home_lat_deg = RIG_LAT_DEG;
    s.home_lon_deg = RIG_LON_DEG;
    struct rig *r = rig_new_in(&options, &s);
    rig_run_until(r, 2 * S);
    rig_set_i(r, "GF_ACTION", 0); /* 100 m would be all */
    rig_upload(r, items, 5);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, (const float[7]){0}),
                     MAV_RESULT_ACCEPTED);
    later(r, 3.0);
    const struct mf_fault_values with = {.value = {speed_mps, 90.0f}};
    inject(r, MF_FAULT_BREACH_DRIFT, true, &with);
    memset(s_reached_us, 0, sizeof s_reached_us);
    while (r->mock.now.vehicle_us < (mf_us_t)(limit_s * 1e6) && r->drone.vehicle.commander.armed) {
        struct mf_msg_mission_item_reached m;
        mf_mock_clear(&r->mock, 0);
        rig_run_until(r, r->mock.now.vehicle_us + 100000);
        while (mf_mock_take(&r->mock, 0, MF_MSG_MISSION_ITEM_REACHED, &m)) {
            if (m.seq < 4) {
                const struct mf_pose pose = rig_pose(r);
                const struct mf_geo to = {items[m.seq].x / 1e7, items[m.seq].y / 1e7};
                s_reached_us[m.seq] = r->mock.now.vehicle_us;
                s_reached_m[m.seq] =
                    mf_geo_inverse((struct mf_geo){pose.lat_deg, pose.lon_deg}, to).distance_m;
            }
        }
    }
    return r;
}

/* It reaches waypoints where they are, as in wind, and lands where that has taken it while it sank:
 * where it truly is, which is what it reports. Looked at every 100 ms: 14 m/s at most. */
static void test_sim046_a_mission_is_flown_against_a_true_drift(void **state)
{
    (void)state;
    for (int motion = 0; motion <= (int)MF_WORLD_MOTION_PHYSICS; motion++) {
        struct rig *r = drifted_mission((enum mf_world_motion)motion, 4.0f, 900.0);
        const double near_m = motion == (int)MF_WORLD_MOTION_PHYSICS ? 10.0 + 1.5 : 1.5;
        for (int i = 1; i < 4; i++) {
            assert_true(s_reached_us[i] > s_reached_us[i - 1]);
            assert_near(s_reached_m[i], 0.0, near_m);
        }
        assert_true(rig_pose(r).on_ground && !r->drone.vehicle.commander.armed);
        const struct mf_pose pose = rig_pose(r);
        const struct mf_estimate *e = mf_estimate_at(&r->drone.vehicle, r->mock.now.vehicle_us);
        assert_true(e->pose.lat_deg == pose.lat_deg && e->pose.lon_deg == pose.lon_deg);
        assert_near(north_m(&pose), 0.0, 2.0);
        assert_true(pose.lon_deg > RIG_LON_DEG); /* landing, it drifted */
    }
}

static void test_sim046_a_drift_that_is_faster_keeps_it_from_its_waypoint(void **state)
{
    (void)state;
    for (int motion = 0; motion <= (int)MF_WORLD_MOTION_PHYSICS; motion++) {
        struct rig *r = drifted_mission((enum mf_world_motion)motion, 15.0f, 60.0);
        assert_true(r->drone.vehicle.commander.armed && s_reached_us[1] == 0);
        assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_MISSION);
        inject(r, MF_FAULT_BREACH_DRIFT, false, NULL); /* over: it comes back */
        later(r, 600.0);
        assert_false(r->drone.vehicle.commander.armed);
        assert_near(true_m(r), 0.0, 0.1);
    }
}

/* 5 m/s; 50 m are left behind after 10 s. */
static void test_sim046_a_true_drift_leads_out_of_the_fence(void **state)
{
    struct rig *r = airborne(MF_WORLD_MOTION_CONSTANT, 20.0f);
    (void)state;
    rig_set_f(r, "GF_MAX_HOR_DIST", 50.0f);
    const mf_us_t from_us = r->mock.now.vehicle_us;
    inject(r, MF_FAULT_BREACH_DRIFT, true, NULL);
    rig_run_until(r, from_us + 9900000);
    assert_int_equal(r->drone.vehicle.fence.breach, 0);
    rig_run_until(r, from_us + 10100000);
    assert_int_equal(r->drone.vehicle.fence.breach, MF_BREACH_DISTANCE);
    assert_near(believed_m(r), 50.5, 0.1);
    inject(r, MF_FAULT_BREACH_DRIFT, false, NULL);
    assert_near(true_m(r), 50.5, 0.1);
    later(r, 10.0);
    assert_near(true_m(r), 50.0, 0.1); /* to where it began to hold */
    assert_int_equal(r->drone.vehicle.fence.breach, MF_BREACH_DISTANCE);
}

static void sticks(struct rig *r)
{
    const struct mf_msg_manual_control m = {.target = 1, .z = 500};
    rig_send(r, MF_MSG_MANUAL_CONTROL, &m);
}

static void test_sim046_sim047_lost_sticks_hold_and_return(void **state)
{
    struct rig *r = airborne(MF_WORLD_MOTION_CONSTANT, 20.0f);
    const float posctl[7] = {1.0f, 3.0f};
    (void)state;
    sticks(r);
    assert_int_equal(rig_command(r, MAV_CMD_DO_SET_MODE, posctl), MAV_RESULT_ACCEPTED);
    const mf_us_t from_us = r->mock.now.vehicle_us;
    assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, (const float[7]){104.0f, 1.0f}),
                     MAV_RESULT_ACCEPTED);
    assert_true(rig_said(r, "Manual control lost"));
    assert_true(rig_said(r, "entering Hold for 5 seconds"));
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_HOLD);
    for (int i = 1; i <= 60; i++) { /* they go on, and nobody hears them */
        rig_run_until(r, from_us + i * (S / 10));
        sticks(r);
        mf_mock_clear(&r->mock, 0);
    }
    assert_int_equal(r->drone.vehicle.commander.mode,
                     MF_MODE_LAND); /* the end of a return above home */
    assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, (const float[7]){104.0f, 0.0f}),
                     MAV_RESULT_ACCEPTED);
    sticks(r);
    assert_int_equal(rig_command(r, MAV_CMD_DO_SET_MODE, posctl), MAV_RESULT_ACCEPTED);
}

static void test_sim046_arming_is_denied_with_the_text(void **state)
{
    const struct mf_fault_values with = {.text = "gimbal not calibrated"};
    struct rig *r = rig_new(NULL);
    (void)state;
    inject(r, MF_FAULT_PREARM, true, &with);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm),
                     MAV_RESULT_TEMPORARILY_REJECTED);
    assert_true(rig_said(r, "Preflight Fail: gimbal not calibrated"));
    inject(r, MF_FAULT_PREARM, false, NULL);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
}

static void test_sim046_without_home_there_is_no_return(void **state)
{
    struct rig *r = airborne(MF_WORLD_MOTION_CONSTANT, 20.0f);
    struct mf_msg_global_position_int pos = {0};
    (void)state;
    inject(r, MF_FAULT_HOME_LOST, true, NULL);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_RETURN_TO_LAUNCH, rig_nan7()),
                     MAV_RESULT_TEMPORARILY_REJECTED);
    assert_true(mf_mock_named(&r->mock, 0, "home position"));
    assert_int_equal(rig_command(r, MAV_CMD_DO_SET_HOME, k_arm), MAV_RESULT_TEMPORARILY_REJECTED);
    later(r, 1.0);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_GLOBAL_POSITION_INT, &pos));
    assert_int_equal(pos.relative_alt, 20000); /* above the place of take-off, as before */
    inject(r, MF_FAULT_HOME_LOST, false, NULL);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_RETURN_TO_LAUNCH, rig_nan7()), MAV_RESULT_ACCEPTED);
}

static void test_home_that_is_lost_at_boot_comes_when_it_is_over(void **state)
{
    struct mf_world_settings s = mf_world_settings_default();
    (void)state;
    s.fault[s.fault_count++] = (struct mf_fault_plan){.fault = MF_FAULT_HOME_LOST, .for_us = 5 * S};
    struct rig *r = rig_new_in(NULL, &s);
    rig_run_until(r, 4999999);
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_HOME_POSITION), 0);
    rig_run_until(r, 5 * S);
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_HOME_POSITION), 1);
}

/* 1 s and 2.5 s: after the fault began 0.3 s after one, the next ones are 3.2 s, 6.7 s later. */
static void test_sim046_late_heartbeats_keep_their_period(void **state)
{
    const struct mf_fault_values with = {.value = {2.5f}};
    struct rig *r = rig_new(NULL);
    (void)state;
    rig_run_until(r, 3300000);
    inject(r, MF_FAULT_HEARTBEAT_LATE, true, &with);
    mf_mock_clear(&r->mock, 0);
    rig_run_until(r, 6499999);
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_HEARTBEAT), 0);
    rig_run_until(r, 6500000);
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_HEARTBEAT), 1);
    rig_run_until(r, 9999999);
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_HEARTBEAT), 1);
    rig_run_until(r, 10000000);
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_HEARTBEAT), 2);
    inject(r, MF_FAULT_HEARTBEAT_LATE, false, NULL);
    rig_run_until(r, 11000000);
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_HEARTBEAT), 3);
}

static void test_sim047_what_would_not_show_is_refused(void **state)
{
    struct rig *r = rig_new(NULL);
    (void)state;
    assert_int_equal(mf_vehicle_inject(&r->drone.vehicle, 0, MF_FAULT_UTC_STEP, true, NULL),
                     MF_E_NOSUPP);
    assert_int_equal(mf_vehicle_inject(&r->drone.vehicle, 0, MF_FAULT_GPS_DATUM, true, NULL),
                     MF_E_NOSUPP);
}

/* COM_LOW_BAT_ACT 3: return, and land in an emergency. */
static void test_sim046_a_battery_that_is_set_acts_like_a_real_one(void **state)
{
    struct rig *r = airborne(MF_WORLD_MOTION_CONSTANT, 20.0f);
    (void)state;
    rig_set_i(r, "COM_LOW_BAT_ACT", 3);
    inject(r, MF_FAULT_BATTERY_LOW, true, NULL);
    rig_run_until(r, r->mock.now.vehicle_us);
    assert_true(rig_said(r, "Low battery"));
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_HOLD);
    inject(r, MF_FAULT_BATTERY_EMERGENCY, true, NULL);
    rig_run_until(r, r->mock.now.vehicle_us);
    assert_true(rig_said(r, "Emergency battery level"));
    later(r, 5.1);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_LAND);
    later(r, 20.0);
    assert_false(r->drone.vehicle.commander.armed);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm),
                     MAV_RESULT_TEMPORARILY_REJECTED);
    inject(r, MF_FAULT_BATTERY_LOW, false, NULL);
    inject(r, MF_FAULT_BATTERY_EMERGENCY, false, NULL);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
}

/* At 10 %: low would be no change, critical takes it to 6 %; and a schedule does not charge it. */
static void test_sim046_a_low_battery_is_never_charged_by_a_fault(void **state)
{
    struct rig *r = rig_new(NULL);
    struct mf_battery battery;
    const struct mf_fault_values ten = {.value = {10.0f}};
    const mf_us_t now_us = r->mock.now.vehicle_us;
    (void)state;
    inject(r, MF_FAULT_BATTERY, true, &ten);
    assert_int_equal(mf_vehicle_inject(&r->drone.vehicle, now_us, MF_FAULT_BATTERY_LOW, true, NULL),
                     MF_E_DENIED);
    assert_int_equal(r->drone.faults.inject->set(r->drone.faults.inject_ctx, now_us,
                                                 MF_FAULT_BATTERY_LOW, true, NULL),
                     MF_E_OK);
    assert_int_equal(mf_power_read(&r->drone.vehicle.hal, now_us, &battery), MF_E_OK);
    assert_near((double)battery.remaining, 0.10, 1e-6);
    inject(r, MF_FAULT_BATTERY_CRITICAL, true, NULL);
    assert_int_equal(mf_power_read(&r->drone.vehicle.hal, now_us, &battery), MF_E_OK);
    assert_near((double)battery.remaining, 0.06, 1e-6);
}

/* ---- schedules by event ---- */

/* Arms, takes off and lands, with one fault waiting for an event: when it shows. @param step_us
 * the clock stops at least that often, as a host's does that runs it in pieces */
static mf_us_t begins_us(enum mf_happening on, mf_us_t after_us, mf_us_t step_us, bool physics)
{
    const struct mf_options options = {.px4_motion = physics};
    struct mf_world_settings s = mf_world_settings_default();
    s.motion = physics ? MF_WORLD_MOTION_PHYSICS : MF_WORLD_MOTION_CONSTANT;
    s.fault[s.fault_count++] = (struct mf_fault_plan){
        .fault = MF_FAULT_MAG_OFF, .on = on, .index = 1, .after_us = after_us, .for_us = MF_NEVER};
    struct rig *r = rig_new_in(&options, &s);
    const int32_t x = 473978320, y = 85455940; /* 10 m north */
    const struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_TAKEOFF, MAV_FRAME_GLOBAL_RELATIVE_ALT_INT, 473977420, y, 10.0f, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL_RELATIVE_ALT_INT, x, y, 10.0f, 0.0f),
        rig_item(MAV_CMD_NAV_LAND, MAV_FRAME_GLOBAL_RELATIVE_ALT_INT, x, y, 0.0f, 0.0f),
    };
    rig_run_until(r, 2 * S);
    rig_upload(r, items, 3);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, (const float[7]){0}),
                     MAV_RESULT_ACCEPTED);
    while (r->mock.now.vehicle_us < 60 * S) {
        mf_mock_clear(&r->mock, 0);
        rig_run_until(r, r->mock.now.vehicle_us + step_us);
    }
    assert_false(r->drone.vehicle.commander.armed);
    struct mf_fault_active active = {0};
    assert_true(mf_faults_active(&r->drone.world.faults, MF_FAULT_MAG_OFF, 60 * S, &active));
    return active.since_us;
}

static void test_sim046_events_begin_at_the_same_instants_however_time_passes(void **state)
{
    static const enum mf_happening k_on[] = {MF_HAPPENING_ARMED, MF_HAPPENING_TAKEOFF,
                                             MF_HAPPENING_WAYPOINT, MF_HAPPENING_LANDED,
                                             MF_HAPPENING_DISARMED};
    (void)state;
    for (int physics = 0; physics < 2; physics++) {
        mf_us_t before_us = 0;
        for (size_t i = 0; i < sizeof k_on / sizeof k_on[0]; i++) {
            const mf_us_t at_us = begins_us(k_on[i], 0, S, physics == 1);
            assert_true(at_us >= 2 * S && at_us >= before_us); /* one after the other */
            assert_true(begins_us(k_on[i], 0, 77777, physics == 1) == at_us);
            assert_true(begins_us(k_on[i], 123456, S, physics == 1) == at_us + 123456);
            before_us = at_us;
        }
    }
    /* at 3 m/s, 10 m up and at 10 m/s, 10 m north */
    const mf_us_t off_us = begins_us(MF_HAPPENING_TAKEOFF, 0, S, false);
    assert_int_equal(off_us, 2 * S);
}

/* When the log had such a line, or -1. */
static mf_us_t logged_us(const struct rig *r, const char *topic, const char *text)
{
    const size_t kept = r->mock.event_count < MF_MOCK_EVENTS ? r->mock.event_count : MF_MOCK_EVENTS;
    for (size_t i = r->mock.event_count - kept; i < r->mock.event_count; i++) {
        const struct mf_mock_event *e = &r->mock.event[i % MF_MOCK_EVENTS];
        if (strcmp(e->topic, topic) == 0 && strcmp(e->text, text) == 0) {
            return e->t_us;
        }
    }
    return -1;
}

/* A host that looks only every 7 s of vehicle time. 5 m/s from the arrival on, and the breach and
 * the landing that it leads to, are the same to the microsecond. */
static mf_us_t drift_begins_us(mf_us_t step_us, mf_us_t *breach_us, struct mf_pose *end)
{
    const struct mf_options options = {0};
    struct mf_world_settings s = mf_world_settings_default();
    s.home_lat_deg = RIG_LAT_DEG;
    s.home_lon_deg = RIG_LON_DEG;
    s.fault[s.fault_count++] = (struct mf_fault_plan){.fault = MF_FAULT_BREACH_DRIFT,
                                                      .on = MF_HAPPENING_WAYPOINT,
                                                      .index = 1,
                                                      .for_us = 30 * S,
                                                      .with = {.value = {5.0f, 0.0f}}};
    struct rig *r = rig_new_in(&options, &s);
    const struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_TAKEOFF, MAV_FRAME_GLOBAL_RELATIVE_ALT_INT, 473977420, 85455940, 10.0f,
                 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL_RELATIVE_ALT_INT, 473980320, 85455940,
                 10.0f, 0.0f),
        rig_item(MAV_CMD_NAV_LOITER_UNLIM, MAV_FRAME_GLOBAL_RELATIVE_ALT_INT, 473978320, 85455940,
                 10.0f, 0.0f),
    };
    rig_run_until(r, 2 * S);
    rig_set_i(r, "GF_ACTION", 3);
    rig_upload(r, items, 3);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, (const float[7]){0}),
                     MAV_RESULT_ACCEPTED);
    while (r->mock.now.vehicle_us < 100 * S) {
        mf_mock_clear(&r->mock, 0);
        r->mock.now.vehicle_us += step_us;
        r->mock.now.transport_us += step_us;
        (void)mf_vehicle_step(&r->drone.vehicle);
    }
    const mf_us_t reached_us = logged_us(r, "text", "Waypoint 1 reached");
    assert_true(reached_us > 2 * S);
    assert_true(logged_us(r, "fault", "breach_drift begins") == reached_us);
    struct mf_fault_planned planned;
    if (mf_inject_planned(&r->drone.vehicle.hal, reached_us, 0, &planned)) {
        assert_true(planned.from_us == reached_us);
    }
    *breach_us = logged_us(r, "fence", "Geofence: exceeding maximum distance to Home");
    *end = rig_pose(r);
    return reached_us;
}

static void test_sim046_a_fault_begins_with_its_event_whatever_the_clock(void **state)
{
    mf_us_t breach_us[2];
    struct mf_pose end[2];
    (void)state;
    const mf_us_t at_us = drift_begins_us(100000, &breach_us[0], &end[0]);
    assert_true(breach_us[0] > at_us && breach_us[0] < at_us + 40 * S);
    assert_true(drift_begins_us(7 * S, &breach_us[1], &end[1]) == at_us);
    assert_true(breach_us[1] == breach_us[0]);
    assert_true(end[1].lat_deg == end[0].lat_deg && end[1].lon_deg == end[0].lon_deg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim046_motors_fail_in_the_air_and_it_falls),
        cmocka_unit_test(test_motors_that_recover_in_the_fall_hold),
        cmocka_unit_test(test_motors_that_fail_before_the_takeoff_keep_it_on_the_ground),
        cmocka_unit_test(test_sim046_in_hold_it_corrects_a_glitch_by_what_it_believes),
        cmocka_unit_test(test_sim046_in_hold_it_follows_a_drift),
        cmocka_unit_test(test_sim046_sim047_a_teleport_breaches_the_fence_at_once),
        cmocka_unit_test(test_sim046_a_true_drift_leads_out_of_the_fence),
        cmocka_unit_test(test_sim046_a_teleport_breaches_any_fence),
        cmocka_unit_test(test_sim046_a_drift_breaches_without_a_fence),
        cmocka_unit_test(test_sim046_a_mission_is_flown_against_a_true_drift),
        cmocka_unit_test(test_sim046_a_drift_that_is_faster_keeps_it_from_its_waypoint),
        cmocka_unit_test(test_sim046_sim047_lost_sticks_hold_and_return),
        cmocka_unit_test(test_sim046_arming_is_denied_with_the_text),
        cmocka_unit_test(test_sim046_without_home_there_is_no_return),
        cmocka_unit_test(test_home_that_is_lost_at_boot_comes_when_it_is_over),
        cmocka_unit_test(test_sim046_late_heartbeats_keep_their_period),
        cmocka_unit_test(test_sim047_what_would_not_show_is_refused),
        cmocka_unit_test(test_sim046_a_battery_that_is_set_acts_like_a_real_one),
        cmocka_unit_test(test_sim046_a_low_battery_is_never_charged_by_a_fault),
        cmocka_unit_test(test_sim046_events_begin_at_the_same_instants_however_time_passes),
        cmocka_unit_test(test_sim046_a_fault_begins_with_its_event_whatever_the_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
