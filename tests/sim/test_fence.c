/* SPDX-License-Identifier: Apache-2.0 */
/* Flights with a geofence and rally points. Borders lie on the meridian through home, along which
 * the vehicle flies at 10 m/s, so that times follow from distances: 300 m to the north are
 * 0.00269836 deg of latitude (radius of curvature there 6,369,909 m). */
#include "mavlink/enums.h"
#include "tests/sim/rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define S             1000000
#define HOME_LAT_E7   473977420
#define HOME_LON_E7   85455940
#define NORTH_300     26984 /* [1e-7 deg] of 300 m */
#define PILLAR_LAT_E7 (HOME_LAT_E7 + 17989)

#define MODE_HOLD    50593792u
#define MODE_MISSION 67371008u
#define MODE_RTL     84148224u
#define MODE_LAND    100925440u

static const float k_arm[7] = {1.0f, 0, 0, 0, 0, 0, 0};

static struct mf_item zone(uint16_t command, int32_t north_e7, int32_t east_e7, float p1)
{
    return rig_item(command, MAV_FRAME_GLOBAL_INT, HOME_LAT_E7 + north_e7, HOME_LON_E7 + east_e7,
                    0.0f, p1);
}

static void upload_fence(struct rig *r, const struct mf_item *items, uint16_t count)
{
    assert_int_equal(rig_upload_plan(r, MAV_MISSION_TYPE_FENCE, items, count),
                     MAV_MISSION_ACCEPTED);
}

/* No entry within 50 m of a place 200 m to the north. */
static void upload_pillar(struct rig *r)
{
    const struct mf_item pillar =
        zone(MAV_CMD_NAV_FENCE_CIRCLE_EXCLUSION, PILLAR_LAT_E7 - HOME_LAT_E7, 0, 50.0f);
    upload_fence(r, &pillar, 1);
}

/* In another world, or somewhere else, 20 m above the ground. */
static struct rig *rig_in_air(const struct mf_world_settings *settings)
{
    struct rig *r = rig_new_in(NULL, settings);
    rig_set_f(r, "MIS_TAKEOFF_ALT", 20.0f);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, rig_nan7()), MAV_RESULT_ACCEPTED);
    (void)rig_run_while(r, rig_in_takeoff, 100.0);
    mf_mock_clear(&r->mock, 0);
    return r;
}

static struct rig *rig_of(enum mf_world_motion motion, double lat_deg, double lon_deg)
{
    struct mf_world_settings settings = mf_world_settings_default();
    settings.home_lat_deg = lat_deg;
    settings.home_lon_deg = lon_deg;
    settings.home_alt_amsl_m = RIG_ALT_M;
    settings.motion = motion;
    return rig_in_air(&settings);
}

/* 500 m to the north, at a height above home. */
static uint8_t go_north(struct rig *r, float height_m)
{
    return rig_command_int(r, MAV_CMD_DO_REPOSITION, (const float[4]){-1.0f, 1.0f, 0.0f, NAN},
                           HOME_LAT_E7 + NORTH_300 / 3 * 5, HOME_LON_E7,
                           (float)RIG_ALT_M + height_m);
}

static double north_m(struct rig *r)
{
    return (rig_pose(r).lat_deg - RIG_LAT_DEG) * 6369909.0 * 3.14159265358979 / 180.0;
}

static bool rig_inside(const struct rig *r)
{
    return r->drone.vehicle.fence.breach == 0;
}

static bool rig_outside(const struct rig *r)
{
    return r->drone.vehicle.fence.breach != 0;
}

static void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) {
        fail_msg("%.6f is not %.6f", a, b);
    }
}

/* The last one that was sent. */
static struct mf_msg_fence_status fence_status(struct rig *r)
{
    struct mf_msg_fence_status m;
    assert_true(mf_mock_count(&r->mock, 0, MF_MSG_FENCE_STATUS) > 0);
    while (mf_mock_take(&r->mock, 0, MF_MSG_FENCE_STATUS, &m)) {
    }
    return m;
}

static struct mf_msg_sys_status sys_status(struct rig *r)
{
    struct mf_msg_sys_status m;
    assert_true(mf_mock_count(&r->mock, 0, MF_MSG_SYS_STATUS) > 0);
    while (mf_mock_take(&r->mock, 0, MF_MSG_SYS_STATUS, &m)) {
    }
    return m;
}

static struct mf_msg_heartbeat heartbeat(struct rig *r)
{
    struct mf_msg_heartbeat m;
    assert_true(mf_mock_count(&r->mock, 0, MF_MSG_HEARTBEAT) > 0);
    while (mf_mock_take(&r->mock, 0, MF_MSG_HEARTBEAT, &m)) {
    }
    return m;
}

/* Towards the pillar since time 0 of the flight. @return vehicle time then */
static mf_us_t head_for_the_pillar(struct rig *r)
{
    upload_pillar(r);
    mf_mock_clear(&r->mock, 0);
    assert_int_equal(go_north(r, 20.0f), MAV_RESULT_ACCEPTED);
    return r->mock.now.vehicle_us;
}

/* ---- exact times ---- */

static void test_sim046_hold_at_the_instant_of_the_breach(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    const mf_us_t t0_us = head_for_the_pillar(r);
    /* the vehicle knows it from the start, and nothing happens before */
    const struct mf_wake wake = mf_vehicle_step(&r->drone.vehicle);
    assert_near((double)(wake.essential_us - t0_us), 15e6, 2000.0);
    assert_int_equal(rig_run_while(r, rig_inside, 60.0), wake.essential_us);
    assert_near(north_m(r), 150.0, 0.02);
    assert_true(rig_said(r, "Geofence: approaching or outside geofence"));
    assert_true(rig_said(r, "Failsafe activated"));
    assert_int_equal(heartbeat(r).custom_mode, MODE_HOLD);
    rig_run_until(r, wake.essential_us + 5 * S);
    assert_near(north_m(r), 150.0, 0.02);
    assert_int_equal(heartbeat(r).system_status, MAV_STATE_CRITICAL);
    const struct mf_msg_fence_status fence = fence_status(r);
    assert_int_equal(fence.breach_status, 1);
    assert_int_equal(fence.breach_count, 1);
    assert_int_equal(fence.breach_type, 3); /* FENCE_BREACH_BOUNDARY */
    assert_int_equal(fence.breach_time, wake.essential_us / 1000);
    const struct mf_msg_sys_status sys = sys_status(r);
    assert_int_equal(sys.onboard_control_sensors_present & 0x100000u, 0x100000u);
    assert_int_equal(sys.onboard_control_sensors_enabled & 0x100000u, 0x100000u);
    assert_int_equal(sys.onboard_control_sensors_health & 0x100000u, 0);
    assert_false(rig_said(r, "Geofence"));
}

/* The true distance on WGS84 changes sign within the microsecond. */
static void test_breach_is_exact_to_the_microsecond(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    const struct mf_geo centre = {PILLAR_LAT_E7 * 1e-7, HOME_LON_E7 * 1e-7};
    (void)head_for_the_pillar(r);
    const mf_us_t at_us = mf_vehicle_step(&r->drone.vehicle).essential_us;
    for (int i = 0; i < 2; i++) {
        const struct mf_pose pose = mf_world_pose(&r->drone.world, at_us - 1 + i);
        const struct mf_geo here = {pose.lat_deg, pose.lon_deg};
        assert_int_equal(mf_geo_inverse(here, centre).distance_m < 50.0, i == 1);
    }
}

/* Clients' commands begin on a grid of 100 ms; what the fence does, does not. */
static void test_breach_waits_for_no_grid(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    r->drone.vehicle.options.start_grid_us = 100000;
    (void)head_for_the_pillar(r);
    const mf_us_t at_us = rig_run_while(r, rig_inside, 60.0);
    assert_true(at_us % 100000 > 10000);
    rig_run_until(r, at_us + S);
    assert_near(north_m(r), 150.0, 0.02);
}

/* A slope through the limit: 3 m/s, 30 m: 10 s. */
static void test_altitude_is_exact(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    const float up[7] = {NAN, NAN, NAN, NAN, NAN, NAN, 538.0f};
    rig_set_f(r, "GF_MAX_VER_DIST", 30.0f);
    rig_run_until(r, 2 * S);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, up), MAV_RESULT_ACCEPTED);
    const mf_us_t at_us = rig_run_while(r, rig_inside, 60.0);
    assert_near((double)at_us, 12e6, 2.0);
    assert_int_equal(fence_status(r).breach_type, 2); /* FENCE_BREACH_MAXALT */
    assert_true(rig_said(r, "Geofence: exceeding maximum altitude above Home"));
    rig_run_until(r, 20 * S);
    assert_near(rig_pose(r).alt_amsl_m, 518.0, 1e-4);
    assert_int_equal(rig_mode_seen(r), MODE_HOLD);
}

/* Terminated 3 um above the limit, it falls through it 0.8 ms later. */
static void test_a_fall_ends_the_breach(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    const float up[7] = {NAN, NAN, NAN, NAN, NAN, NAN, 538.0f};
    rig_set_f(r, "GF_MAX_VER_DIST", 30.0f);
    rig_set_i(r, "GF_ACTION", 4);
    rig_run_until(r, 2 * S);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, up), MAV_RESULT_ACCEPTED);
    const mf_us_t at_us = rig_run_while(r, rig_inside, 60.0);
    const mf_us_t back_us = rig_run_while(r, rig_outside, 60.0);
    assert_true(back_us > at_us && back_us <= at_us + 1000);
    assert_int_equal(rig_mode_seen(r), 655360); /* TERMINATION */
    assert_near((double)rig_run_while(r, rig_moving, 60.0), (double)at_us + 2.4735e6, 1000.0);
}

static void test_distance_to_home_is_exact_both_ways(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    assert_int_equal(go_north(r, 20.0f), MAV_RESULT_ACCEPTED);
    const mf_us_t t0_us = r->mock.now.vehicle_us;
    rig_set_f(r, "GF_MAX_HOR_DIST", 100.0f);
    rig_set_i(r, "GF_ACTION", 3);
    mf_mock_clear(&r->mock, 0);
    assert_near((double)(rig_run_while(r, rig_inside, 60.0) - t0_us), 10e6, 2.0);
    assert_true(rig_said(r, "Geofence: exceeding maximum distance to Home"));
    assert_int_equal(rig_mode_seen(r), MODE_RTL);
    /* up 10 m at 3 m/s, and then it is on its way back in at once */
    const mf_us_t back_us = rig_run_while(r, rig_outside, 60.0);
    assert_near((double)(back_us - t0_us), 10e6 + 1e7 / 3.0, 10.0);
    const struct mf_msg_fence_status fence = fence_status(r);
    assert_int_equal(fence.breach_status, 0);
    assert_int_equal(fence.breach_count, 1);
    assert_int_equal(sys_status(r).onboard_control_sensors_health & 0x100000u, 0x100000u);
    (void)rig_run_while(r, rig_armed, 200.0);
    assert_near(north_m(r), 0.0, 1e-3);
}

/* ---- what it does ---- */

static void test_sim046_actions(void **state)
{
    static const struct {
        int32_t action;
        uint32_t mode; /* after the breach */
        uint8_t status;
    } k_case[] = {
        {1, MODE_HOLD, MAV_STATE_ACTIVE},   {2, MODE_HOLD, MAV_STATE_CRITICAL},
        {3, MODE_RTL, MAV_STATE_CRITICAL},  {4, 655360, MAV_STATE_FLIGHT_TERMINATION},
        {5, MODE_LAND, MAV_STATE_CRITICAL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct rig *r = rig_airborne(20.0f);
        rig_set_i(r, "GF_ACTION", k_case[i].action);
        const mf_us_t t0_us = head_for_the_pillar(r);
        const mf_us_t at_us = rig_run_while(r, rig_inside, 60.0);
        assert_near((double)(at_us - t0_us), 15e6, 2000.0);
        assert_true(rig_said(r, "Geofence: approaching or outside geofence"));
        rig_run_until(r, at_us + S + S / 2);
        const struct mf_msg_heartbeat hb = heartbeat(r);
        assert_int_equal(hb.custom_mode, k_case[i].mode);
        assert_int_equal(hb.system_status, k_case[i].status);
    }
}

static void test_action_0_watches_nothing(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    rig_set_i(r, "GF_ACTION", 0);
    (void)head_for_the_pillar(r);
    (void)rig_run_while(r, rig_moving, 100.0);
    assert_near(north_m(r), 500.0, 0.1);
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_FENCE_STATUS), 0);
    assert_int_equal(sys_status(r).onboard_control_sensors_present & 0x100000u, 0);
    assert_false(rig_said(r, "Geofence"));
}

/* Warned once on the way in; through the pillar and out again. */
static void test_warning_flies_on(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    rig_set_i(r, "GF_ACTION", 1);
    const mf_us_t t0_us = head_for_the_pillar(r);
    (void)rig_run_while(r, rig_inside, 60.0);
    assert_near((double)(rig_run_while(r, rig_outside, 60.0) - t0_us), 25e6, 2000.0);
    (void)rig_run_while(r, rig_moving, 100.0);
    assert_near(north_m(r), 500.0, 0.1);
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_FENCE_STATUS), 2);
    assert_true(rig_said(r, "Geofence"));
    assert_false(rig_said(r, "Geofence"));
}

/* A user's mode holds although the vehicle is still outside; coming in and out again
 * counts anew. */
static void test_users_may_take_over(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    (void)head_for_the_pillar(r);
    const mf_us_t at_us = rig_run_while(r, rig_inside, 60.0);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_RETURN_TO_LAUNCH, rig_nan7()), MAV_RESULT_ACCEPTED);
    const struct mf_msg_heartbeat hb = heartbeat(r);
    assert_int_equal(hb.custom_mode, MODE_RTL);
    assert_int_equal(hb.system_status, MAV_STATE_ACTIVE);
    (void)rig_run_while(r, rig_outside, 10.0);
    rig_run_until(r, at_us + 8 * S);
    assert_int_equal(go_north(r, 30.0f), MAV_RESULT_ACCEPTED);
    (void)rig_run_while(r, rig_inside, 60.0);
    assert_int_equal(fence_status(r).breach_count, 2);
}

/* ---- ahead of the border ---- */

/* 10 m/s: PX4 brakes for 10 / (2 * 3) + 3 / 4 = 2.4167 s, 24.17 m. The vehicle then flies on to
 * the border and stops 0.1 m in front of it. */
static void test_predicted_hold_stops_before_the_border(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    rig_set_i(r, "GF_PREDICT", 1);
    const mf_us_t t0_us = head_for_the_pillar(r);
    const mf_us_t at_us = rig_run_while(r, rig_inside, 60.0);
    assert_near((double)(at_us - t0_us), 15e6 - 2416667.0, 2000.0);
    assert_true(rig_said(r, "Geofence: approaching or outside geofence"));
    assert_int_equal(heartbeat(r).custom_mode, MODE_HOLD);
    assert_near(north_m(r), 125.83, 0.02);
    /* the breach lasts until the instant for which it was predicted */
    assert_near((double)(rig_run_while(r, rig_outside, 60.0) - t0_us), 15e6, 2000.0);
    rig_run_until(r, t0_us + 30 * S);
    assert_near(north_m(r), 149.9, 0.02);
    assert_true(rig_inside(r));
    assert_int_equal(fence_status(r).breach_count, 1);
    assert_int_equal(rig_mode_seen(r), MODE_HOLD);
    /* on towards the north again: it begins in the middle of the braking distance */
    mf_mock_clear(&r->mock, 0);
    assert_int_equal(go_north(r, 20.0f), MAV_RESULT_ACCEPTED);
    rig_run_until(r, t0_us + 40 * S);
    assert_near(north_m(r), 149.9, 0.02);
    assert_int_equal(fence_status(r).breach_count, 2);
}

/* The mission does not go on by itself when the breach is over: it would lead out again. */
static void test_mission_waits_for_its_user(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    const struct mf_item plan =
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, HOME_LAT_E7 + NORTH_300, HOME_LON_E7, 20.0f, 0.0f);
    rig_set_i(r, "GF_PREDICT", 1);
    upload_pillar(r);
    rig_upload(r, &plan, 1);
    mf_mock_clear(&r->mock, 0);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, (const float[7]){0}),
                     MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_mode_seen(r), MODE_MISSION);
    rig_run_until(r, r->mock.now.vehicle_us + 40 * S);
    assert_near(north_m(r), 149.9, 0.02);
    assert_true(rig_inside(r));
    assert_int_equal(rig_mode_seen(r), MODE_HOLD);
    assert_int_equal(fence_status(r).breach_count, 1);
}

/* A target in front of the border is no breach, however fast the way there. */
static void test_predicts_nothing_for_targets_inside(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    rig_set_i(r, "GF_PREDICT", 1);
    upload_pillar(r);
    mf_mock_clear(&r->mock, 0);
    assert_int_equal(
        rig_command_int(r, MAV_CMD_DO_REPOSITION, (const float[4]){-1.0f, 1.0f, 0.0f, NAN},
                        HOME_LAT_E7 + NORTH_300 * 149 / 300, HOME_LON_E7, (float)RIG_ALT_M + 20.0f),
        MAV_RESULT_ACCEPTED);
    (void)rig_run_while(r, rig_moving, 100.0);
    assert_near(north_m(r), 149.0, 0.02);
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_FENCE_STATUS), 0);
}

/* A body with acceleration and jerk brakes in time, and stands where the other one does. */
static void test_predicted_hold_of_a_body_that_must_brake(void **state)
{
    (void)state;
    struct rig *r = rig_of(MF_WORLD_MOTION_PHYSICS, RIG_LAT_DEG, RIG_LON_DEG);
    rig_set_i(r, "GF_PREDICT", 1);
    const mf_us_t t0_us = head_for_the_pillar(r);
    (void)rig_run_while(r, rig_inside, 60.0);
    assert_true(north_m(r) < 130.0);
    rig_run_until(r, t0_us + 60 * S);
    assert_true(rig_inside(r));
    assert_near(north_m(r), 149.9, 0.05);
    assert_int_equal(fence_status(r).breach_count, 1);
}

static void test_breach_of_a_body_that_must_brake(void **state)
{
    (void)state;
    struct rig *r = rig_of(MF_WORLD_MOTION_PHYSICS, RIG_LAT_DEG, RIG_LON_DEG);
    const mf_us_t t0_us = head_for_the_pillar(r);
    const mf_us_t at_us = rig_run_while(r, rig_inside, 60.0);
    assert_near(north_m(r), 150.0, 0.02);
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_FENCE_STATUS), 1);
    rig_run_until(r, at_us + 20 * S);
    assert_true(north_m(r) > 155.0 && north_m(r) < 190.0);
    assert_true(at_us > t0_us);
}

/* Gusts push it about, and it does not know exactly where it is: it acts where it believes the
 * border to be, at the latest 200 ms after that. */
static void test_breach_in_gusts_and_drift(void **state)
{
    (void)state;
    struct mf_world_settings settings = mf_world_settings_default();
    settings.gusts_mps = 3.0;
    settings.gnss_drift_m = 1.0;
    struct rig *r = rig_in_air(&settings);
    const mf_us_t t0_us = head_for_the_pillar(r);
    const mf_us_t at_us = rig_run_while(r, rig_inside, 60.0);
    const struct mf_pose *pose = &mf_estimate_at(&r->drone.vehicle, at_us)->pose;
    const struct mf_geo centre = {PILLAR_LAT_E7 * 1e-7, HOME_LON_E7 * 1e-7};
    const struct mf_geo here = {pose->lat_deg, pose->lon_deg};
    const double distance_m = mf_geo_inverse(here, centre).distance_m;
    assert_true(distance_m < 50.0 && distance_m > 50.0 - 0.2 * 12.0);
    assert_near((double)(at_us - t0_us), 15e6, 1e6);
    rig_run_until(r, at_us + 10 * S);
    assert_near(north_m(r), 150.0, 10.0);
}

static int32_t wrapped_e7(double lon_deg)
{
    return (int32_t)lrint(remainder(lon_deg, 360.0) * 1e7);
}

/* A square of about 200 m around home; the vehicle goes out to the east. */
static void leave_to_the_east(double lat_deg, double lon_deg, double lon_per_m, mf_us_t leaves_us)
{
    struct rig *r = rig_of(MF_WORLD_MOTION_CONSTANT, lat_deg, lon_deg);
    const int32_t lat_e7 = (int32_t)lrint(lat_deg * 1e7);
    const int32_t north = (int32_t)lrint(100.0 * 90.0 / 10001965.7 * 1e7);
    struct mf_item fence[4];
    const float to[4] = {-1.0f, 1.0f, 0.0f, NAN};
    for (int i = 0; i < 4; i++) {
        const double lon = lon_deg + (i == 1 || i == 2 ? 100.0 : -100.0) * lon_per_m;
        fence[i] = rig_item(MAV_CMD_NAV_FENCE_POLYGON_VERTEX_INCLUSION, MAV_FRAME_GLOBAL,
                            lat_e7 + (i < 2 ? north : -north), wrapped_e7(lon), 0.0f, 4.0f);
    }
    const double east = lon_deg + 300.0 * lon_per_m;
    assert_int_equal(rig_command_int(r, MAV_CMD_DO_REPOSITION, to, lat_e7, wrapped_e7(east),
                                     (float)RIG_ALT_M + 20.0f),
                     MAV_RESULT_ACCEPTED);
    const mf_us_t t0_us = r->mock.now.vehicle_us;
    upload_fence(r, fence, 4);
    rig_run_until(r, t0_us + leaves_us - S / 5);
    assert_true(rig_inside(r));
    rig_run_until(r, t0_us + leaves_us + S / 5);
    assert_true(rig_outside(r));
    rig_run_until(r, t0_us + leaves_us + 20 * S);
    assert_int_equal(rig_mode_seen(r), MODE_HOLD);
}

/* Degrees of longitude per metre: on the equator 180 / (pi * 6378137); at 89.9 deg 571 times
 * that. */
static void test_antimeridian_and_high_latitudes(void **state)
{
    (void)state;
    leave_to_the_east(0.0, 180.0, 8.98315e-6, 10 * S);
    leave_to_the_east(0.0, 179.9995, 8.98315e-6, 10 * S);
    leave_to_the_east(89.9, 180.0, 8.98315e-6 * 571.04, 10 * S);
    leave_to_the_east(-89.9, -179.9, 8.98315e-6 * 571.04, 10 * S);
}

/* ---- zones ---- */

/* Inside one of two inclusion zones that overlap; the way leads through both. */
static void test_inclusion_is_in_any_of_them(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    const struct mf_item zones[] = {
        zone(MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION, 0, 0, 100.0f),
        zone(MAV_CMD_NAV_FENCE_POLYGON_VERTEX_INCLUSION, NORTH_300 / 4, -10000, 4.0f),
        zone(MAV_CMD_NAV_FENCE_POLYGON_VERTEX_INCLUSION, NORTH_300, -10000, 4.0f),
        zone(MAV_CMD_NAV_FENCE_POLYGON_VERTEX_INCLUSION, NORTH_300, 10000, 4.0f),
        zone(MAV_CMD_NAV_FENCE_POLYGON_VERTEX_INCLUSION, NORTH_300 / 4, 10000, 4.0f),
        zone(MAV_CMD_NAV_FENCE_RETURN_POINT, 0, 0, 0.0f),
    };
    assert_int_equal(go_north(r, 20.0f), MAV_RESULT_ACCEPTED);
    const mf_us_t t0_us = r->mock.now.vehicle_us;
    upload_fence(r, zones, 6);
    /* 300 m; the northern edge bulges by 0.2 mm */
    assert_near((double)(rig_run_while(r, rig_inside, 60.0) - t0_us), 30e6, 2000.0);
    assert_near(north_m(r), 300.0, 0.02);
}

/* An exclusion polygon within an inclusion circle. */
static void test_exclusion_wins(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    const struct mf_item zones[] = {
        zone(MAV_CMD_NAV_FENCE_POLYGON_VERTEX_EXCLUSION, NORTH_300 / 3, -10000, 3.0f),
        zone(MAV_CMD_NAV_FENCE_POLYGON_VERTEX_EXCLUSION, NORTH_300 / 3, 10000, 3.0f),
        zone(MAV_CMD_NAV_FENCE_POLYGON_VERTEX_EXCLUSION, NORTH_300, 0, 3.0f),
        zone(MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION, 0, 0, 1000.0f),
    };
    upload_fence(r, zones, 4);
    assert_int_equal(go_north(r, 20.0f), MAV_RESULT_ACCEPTED);
    const mf_us_t t0_us = r->mock.now.vehicle_us;
    assert_near((double)(rig_run_while(r, rig_inside, 60.0) - t0_us), 10e6, 2000.0);
}

/* A corner of the pillar is cut for a tenth of a second. */
static void test_short_excursions_are_seen(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    rig_set_i(r, "GF_ACTION", 1);
    /* 50 m to the east of the way, less 2.5 mm: half a chord of 0.5 m */
    const struct mf_item pillar =
        zone(MAV_CMD_NAV_FENCE_CIRCLE_EXCLUSION, NORTH_300 * 2 / 3, 6620, 49.9f);
    upload_fence(r, &pillar, 1);
    struct mf_geo centre = {pillar.x * 1e-7, pillar.y * 1e-7};
    const struct mf_geo foot = {centre.lat_deg, RIG_LON_DEG};
    const double aside_m = mf_geo_inverse(foot, centre).distance_m;
    const struct mf_item grazed =
        zone(MAV_CMD_NAV_FENCE_CIRCLE_EXCLUSION, NORTH_300 * 2 / 3, 6620, (float)(aside_m + 0.001));
    upload_fence(r, &grazed, 1);
    mf_mock_clear(&r->mock, 0);
    assert_int_equal(go_north(r, 20.0f), MAV_RESULT_ACCEPTED);
    const mf_us_t in_us = rig_run_while(r, rig_inside, 60.0);
    const mf_us_t out_us = rig_run_while(r, rig_outside, 60.0);
    /* chord of a circle of 49.9 m, 1 mm deep: 2 * sqrt(2 * 49.9 * 0.001) = 0.63 m */
    assert_near((double)(out_us - in_us), 63000.0, 1500.0);
}

/* A breach from outside, whenever a test wants one: a limit nearer than the vehicle is. SYS_STATUS
 * says so at once. */
static void test_sim046_sim047_breach_by_parameter(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    rig_run_until(r, r->mock.now.vehicle_us + S / 3);
    mf_mock_clear(&r->mock, 0);
    rig_set_f(r, "GF_MAX_VER_DIST", 10.0f);
    assert_int_equal(sys_status(r).onboard_control_sensors_health & 0x100000u, 0);
    assert_int_equal(fence_status(r).breach_status, 1);
    assert_int_equal(heartbeat(r).system_status, MAV_STATE_CRITICAL);
    rig_set_f(r, "GF_MAX_VER_DIST", 0.0f);
    assert_int_equal(fence_status(r).breach_status, 0);
    assert_int_equal(sys_status(r).onboard_control_sensors_health & 0x100000u, 0x100000u);
}

/* ---- before it flies ---- */

static void test_arming_is_refused_outside(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    const struct mf_item elsewhere = zone(MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION, NORTH_300, 0, 100.0f);
    upload_fence(r, &elsewhere, 1);
    rig_run_until(r, 2 * S);
    assert_int_equal(sys_status(r).onboard_control_sensors_health & 0x10100000u, 0);
    mf_mock_clear(&r->mock, 0);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm),
                     MAV_RESULT_TEMPORARILY_REJECTED);
    assert_true(rig_said(r, "Geofence: approaching or outside geofence"));
    assert_true(rig_said(r, "Arming denied: Resolve system health failures"));
    rig_set_i(r, "GF_ACTION", 0);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
}

static void test_reposition_outside_is_not_flown(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    rig_set_f(r, "GF_MAX_HOR_DIST", 400.0f);
    rig_set_f(r, "GF_MAX_VER_DIST", 40.0f);
    const mf_us_t t0_us = r->mock.now.vehicle_us;
    assert_int_equal(go_north(r, 20.0f), MAV_RESULT_ACCEPTED);
    assert_true(rig_said(r, "Reposition is outside geofence"));
    const float higher[7] = {(float)RIG_ALT_M + 41.0f, 0, 0, 0, 0, 0, 0};
    assert_int_equal(rig_command(r, MAV_CMD_DO_CHANGE_ALTITUDE, higher), MAV_RESULT_ACCEPTED);
    assert_true(rig_said(r, "Altitude change is outside geofence"));
    rig_run_until(r, t0_us + 10 * S);
    assert_near(north_m(r), 0.0, 1e-6);
    assert_near(rig_pose(r).alt_amsl_m, RIG_ALT_M + 20.0, 1e-6);
    rig_set_i(r, "GF_ACTION", 1); /* PX4 refuses only what it would act upon */
    assert_int_equal(go_north(r, 20.0f), MAV_RESULT_ACCEPTED);
    rig_run_until(r, t0_us + 20 * S);
    assert_near(north_m(r), 100.0, 0.02);
}

static void test_mission_outside_is_rejected(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    struct mf_msg_mission_current m;
    const struct mf_item plan[] = {
        rig_item(MAV_CMD_NAV_TAKEOFF, 6, HOME_LAT_E7, HOME_LON_E7, 20.0f, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, HOME_LAT_E7 + NORTH_300, HOME_LON_E7, 20.0f, 0.0f),
    };
    const struct mf_item small = zone(MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION, 0, 0, 299.0f);
    const struct mf_item large = zone(MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION, 0, 0, 301.0f);
    upload_fence(r, &small, 1);
    mf_mock_clear(&r->mock, 0);
    rig_upload(r, plan, 2);
    assert_true(rig_said(r, "Mission rejected: Geofence violation for waypoint ")); /* 50 */
    assert_true(rig_said(r, "2"));
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, rig_nan7()), MAV_RESULT_DENIED);
    upload_fence(r, &large, 1); /* looked at again */
    while (mf_mock_take(&r->mock, 0, MF_MSG_MISSION_CURRENT, &m)) {
    }
    assert_int_equal(m.mission_state, 2); /* NOT_STARTED */
    assert_true(m.fence_id != 0);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, (const float[7]){0}),
                     MAV_RESULT_ACCEPTED);
    rig_set_f(r, "GF_MAX_VER_DIST", 19.0f);
    assert_true(rig_said(r, "Mission rejected: Geofence violation for waypoint "));
    assert_true(rig_said(r, "1"));
}

/* What is inconsistent is refused as a whole; the fence before stays. */
static void test_sim031_incomplete_polygons_are_refused(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    struct mf_item zones[7];
    for (int i = 0; i < 7; i++) {
        zones[i] = zone(MAV_CMD_NAV_FENCE_POLYGON_VERTEX_INCLUSION, (i & 1) * 9000, (i & 2) * 9000,
                        i < 4 ? 4.0f : 3.0f);
    }
    upload_pillar(r);
    const uint32_t tag = r->drone.vehicle.mission.fence_tag;
    assert_int_equal(rig_upload_plan(r, 1, zones, 3), MAV_MISSION_ERROR);     /* a vertex short */
    assert_int_equal(rig_upload_plan(r, 1, zones, 6), MAV_MISSION_ERROR);     /* the second one */
    assert_int_equal(rig_upload_plan(r, 1, zones + 1, 6), MAV_MISSION_ERROR); /* 4 4 4 3 3 3 */
    zones[2].command = MAV_CMD_NAV_FENCE_POLYGON_VERTEX_EXCLUSION;
    assert_int_equal(rig_upload_plan(r, 1, zones, 4), MAV_MISSION_ERROR);
    zones[2] = zone(MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION, 0, 0, 5.0f);
    assert_int_equal(rig_upload_plan(r, 1, zones, 4), MAV_MISSION_ERROR);
    zones[0].param[0] = mf_f32_bits(4.5f);
    assert_int_equal(rig_upload_plan(r, 1, zones, 4), MAV_MISSION_ERROR);
    zones[0].param[0] = mf_f32_bits(2.0f);
    assert_int_equal(rig_upload_plan(r, 1, zones, 2), MAV_MISSION_ERROR);
    assert_true(mf_mock_named(&r->mock, 0, "Geofence rejected polygon"));
    assert_int_equal(r->drone.vehicle.mission.fence_tag, tag);
    assert_int_equal(r->drone.vehicle.fence.items, 1);
}

static void test_fence_enable_is_no_command_of_px4(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    assert_int_equal(rig_command(r, MAV_CMD_DO_FENCE_ENABLE, k_arm), MAV_RESULT_UNSUPPORTED);
}

/* After a restart the fence is there, and so is what it forbids. */
static void test_fence_outlives_a_restart(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    const struct mf_item elsewhere = zone(MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION, NORTH_300, 0, 100.0f);
    upload_fence(r, &elsewhere, 1);
    rig_reboot(r);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm),
                     MAV_RESULT_TEMPORARILY_REJECTED);
}

/* The receiver loses its fix on the way: nobody knows, until it is found again. */
static void test_without_a_position_there_is_no_breach(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    const mf_us_t t0_us = head_for_the_pillar(r);
    rig_run_until(r, t0_us + 14 * S);
    const float off[7] = {FAILURE_UNIT_SENSOR_GPS, FAILURE_TYPE_OFF, 0, 0, 0, 0, 0};
    assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, off), MAV_RESULT_ACCEPTED);
    rig_run_until(r, t0_us + 16 * S);
    assert_int_equal(r->drone.vehicle.fence.breach, 0);
}

/* ---- rally points ---- */

static void upload_rally(struct rig *r, const struct mf_item *items, uint16_t count)
{
    assert_int_equal(rig_upload_plan(r, MAV_MISSION_TYPE_RALLY, items, count),
                     MAV_MISSION_ACCEPTED);
}

/* Points 300 m and 900 m to the north, at 5 m above home and at 480 m AMSL. The vehicle returns
 * from 500 m. */
static void test_sim027_return_to_the_nearest(void **state)
{
    static const struct {
        int32_t type;
        uint16_t points;
        double north_m, alt_m; /* of the flight back */
    } k_case[] = {
        {0, 2, 300.0, 523.0}, {0, 0, 0.0, 518.0},   {1, 2, 300.0, 523.0}, {1, 0, 0.0, 518.0},
        {2, 2, 0.0, 518.0},   {3, 2, 300.0, 523.0}, {4, 2, 0.0, 518.0},   {5, 2, 300.0, 523.0},
    };
    const struct mf_item rally[] = {
        rig_item(MAV_CMD_NAV_RALLY_POINT, 3, HOME_LAT_E7 + NORTH_300 * 3, HOME_LON_E7, 5.0f, 0.0f),
        rig_item(MAV_CMD_NAV_RALLY_POINT, 6, HOME_LAT_E7 + NORTH_300, HOME_LON_E7, 5.0f, 0.0f),
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct rig *r = rig_airborne(20.0f);
        rig_set_i(r, "RTL_TYPE", k_case[i].type);
        upload_rally(r, rally, k_case[i].points);
        assert_int_equal(go_north(r, 20.0f), MAV_RESULT_ACCEPTED);
        (void)rig_run_while(r, rig_moving, 100.0);
        mf_mock_clear(&r->mock, 0);
        assert_int_equal(rig_command(r, MAV_CMD_NAV_RETURN_TO_LAUNCH, rig_nan7()),
                         MAV_RESULT_ACCEPTED);
        rig_run_until(r, r->mock.now.vehicle_us + 8 * S);
        assert_near(rig_pose(r).alt_amsl_m, k_case[i].alt_m, 1e-3);
        (void)rig_run_while(r, rig_armed, 300.0);
        assert_near(north_m(r), k_case[i].north_m, 0.05);
        assert_true(rig_said(r, k_case[i].alt_m > 520.0
                                    ? "RTL: start return at 523 m (30 m above destination"
                                    : "RTL: start return at 518 m (30 m above destination"));
        assert_true(rig_said(r, "RTL: land at destination"));
    }
}

/* Home is nearer: type 0 goes home, type 1 does not. */
static void test_sim027_home_counts_only_for_some_types(void **state)
{
    const struct mf_item rally = rig_item(MAV_CMD_NAV_RALLY_POINT, 0, HOME_LAT_E7 + NORTH_300,
                                          HOME_LON_E7, (float)RIG_ALT_M, 0.0f);
    (void)state;
    for (int32_t type = 0; type < 2; type++) {
        struct rig *r = rig_airborne(20.0f);
        rig_set_i(r, "RTL_TYPE", type);
        upload_rally(r, &rally, 1);
        assert_int_equal(rig_command(r, MAV_CMD_NAV_RETURN_TO_LAUNCH, rig_nan7()),
                         MAV_RESULT_ACCEPTED);
        (void)rig_run_while(r, rig_armed, 300.0);
        assert_near(north_m(r), type == 0 ? 0.0 : 300.0, 0.05);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim046_hold_at_the_instant_of_the_breach),
        cmocka_unit_test(test_breach_is_exact_to_the_microsecond),
        cmocka_unit_test(test_breach_waits_for_no_grid),
        cmocka_unit_test(test_altitude_is_exact),
        cmocka_unit_test(test_a_fall_ends_the_breach),
        cmocka_unit_test(test_distance_to_home_is_exact_both_ways),
        cmocka_unit_test(test_sim046_actions),
        cmocka_unit_test(test_action_0_watches_nothing),
        cmocka_unit_test(test_warning_flies_on),
        cmocka_unit_test(test_users_may_take_over),
        cmocka_unit_test(test_predicted_hold_stops_before_the_border),
        cmocka_unit_test(test_mission_waits_for_its_user),
        cmocka_unit_test(test_predicts_nothing_for_targets_inside),
        cmocka_unit_test(test_predicted_hold_of_a_body_that_must_brake),
        cmocka_unit_test(test_breach_of_a_body_that_must_brake),
        cmocka_unit_test(test_breach_in_gusts_and_drift),
        cmocka_unit_test(test_antimeridian_and_high_latitudes),
        cmocka_unit_test(test_inclusion_is_in_any_of_them),
        cmocka_unit_test(test_exclusion_wins),
        cmocka_unit_test(test_short_excursions_are_seen),
        cmocka_unit_test(test_sim046_sim047_breach_by_parameter),
        cmocka_unit_test(test_arming_is_refused_outside),
        cmocka_unit_test(test_reposition_outside_is_not_flown),
        cmocka_unit_test(test_mission_outside_is_rejected),
        cmocka_unit_test(test_sim031_incomplete_polygons_are_refused),
        cmocka_unit_test(test_fence_enable_is_no_command_of_px4),
        cmocka_unit_test(test_fence_outlives_a_restart),
        cmocka_unit_test(test_without_a_position_there_is_no_breach),
        cmocka_unit_test(test_sim027_return_to_the_nearest),
        cmocka_unit_test(test_sim027_home_counts_only_for_some_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
