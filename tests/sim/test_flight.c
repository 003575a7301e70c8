/* SPDX-License-Identifier: Apache-2.0 */
/* Flights of a whole vehicle in its world, on a virtual clock: what a client sees, at
 * exact times. */
#include "mavlink/enums.h"
#include "tests/sim/rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define S 1000000

static const float k_arm[7] = {1.0f, 0, 0, 0, 0, 0, 0};
static const float k_disarm[7] = {0.0f, 0, 0, 0, 0, 0, 0};

/* All of a first connection: heartbeat, home and health are there with the first bytes. */
static void test_sim013_sim015_sim044_first_bytes_say_healthy(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    struct mf_msg_heartbeat hb;
    struct mf_msg_sys_status sys;
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_HEARTBEAT, &hb));
    assert_int_equal(hb.type, 2);
    assert_int_equal(hb.autopilot, 12);
    assert_int_equal(hb.base_mode, 29);
    assert_int_equal(hb.custom_mode, 50593792); /* Hold */
    assert_int_equal(hb.system_status, 3);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_SYS_STATUS, &sys));
    assert_int_equal(sys.onboard_control_sensors_health & 0x10000020u, 0x10000020u);
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_HOME_POSITION), 1);
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_GLOBAL_POSITION_INT), 1);
}

static void test_sim015_heartbeat_every_second(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    rig_run_until(r, 10 * S + 1);
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_HEARTBEAT), 11); /* at 0, 1, .. 10 s */
}

static void test_sim016_to_sim021_default_rates(void **state)
{
    static const struct {
        uint32_t msgid;
        size_t count; /* in 10 s, the set at connection included where it is not on the grid */
    } k_rate[] = {
        {MF_MSG_GLOBAL_POSITION_INT, 100},
        {MF_MSG_LOCAL_POSITION_NED, 100},
        {MF_MSG_ATTITUDE, 100},
        {MF_MSG_SYS_STATUS, 10},
        {MF_MSG_GPS_RAW_INT, 10},
        {MF_MSG_EXTENDED_SYS_STATE, 10},
    };
    (void)state;
    struct rig *r = rig_new(NULL);
    rig_run_until(r, S / 2);
    mf_mock_clear(&r->mock, 0);
    rig_run_until(r, 10 * S + S / 2);
    for (size_t i = 0; i < sizeof k_rate / sizeof k_rate[0]; i++) {
        assert_int_equal(mf_mock_count(&r->mock, 0, k_rate[i].msgid), k_rate[i].count);
    }
}

static bool is_news(uint32_t msgid)
{
    switch (msgid) {
#define X(NAME) case MF_MSG_##NAME:
        MF_NEWS_LIST(X)
#undef X
        return true;
    default:
        return false;
    }
}

static bool same_payload(const struct mf_mock_port *port, const struct mf_mock_frame *a,
                         const struct mf_mock_frame *b)
{
    const uint8_t *bytes = port->sent;
    return a->msgid == b->msgid && a->len == b->len &&
           memcmp(&bytes[a->at + 10], &bytes[b->at + 10], a->len - 12u) == 0;
}

/* Of all that the port holds, which was sent at one instant. */
static void see_no_repetition(const struct rig *r)
{
    const struct mf_mock_port *port = &r->mock.port[0];
    for (size_t i = 0; i < port->frame_count; i++) {
        for (size_t k = 0; is_news(port->frame[i].msgid) && k < i; k++) {
            assert_false(same_payload(port, &port->frame[k], &port->frame[i]));
        }
    }
}

static void look_at_each_instant(struct rig *r, bool (*condition)(const struct rig *r))
{
    for (size_t n = 0; n < 100000 && condition(r); n++) {
        const struct mf_wake wake = mf_vehicle_step(&r->drone.vehicle);
        see_no_repetition(r);
        const mf_us_t next_us =
            mf_earlier(mf_earlier(wake.essential_us, wake.periodic_us), wake.transport_us);
        if (next_us > r->mock.now.vehicle_us) {
            mf_mock_clear(&r->mock, 0);
            r->mock.now = (struct mf_now){next_us, next_us};
        }
    }
    assert_false(condition(r));
}

/* A client that stops listening when it has heard what it waits for must not hear it twice. */
static void test_sim044_nothing_is_said_twice_at_one_instant(void **state)
{
    static const enum mf_world_motion k_motion[] = {MF_WORLD_MOTION_CONSTANT,
                                                    MF_WORLD_MOTION_PHYSICS};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct rig *r = rig_new_moving(k_motion[i], 0.0);
        rig_run_until(r, 3 * S); /* a turn of every stream, too */
        mf_mock_clear(&r->mock, 0);
        assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
        assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, rig_nan7()), MAV_RESULT_ACCEPTED);
        look_at_each_instant(r, rig_in_takeoff);
        assert_int_equal(rig_command(r, MAV_CMD_NAV_LAND, rig_nan7()), MAV_RESULT_ACCEPTED);
        look_at_each_instant(r, rig_armed);
    }
}

static void test_sim022_sim025_sim035_arming(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    struct mf_msg_home_position home;
    rig_run_until(r, 3 * S + 300000);
    mf_mock_clear(&r->mock, 0);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_HOME_POSITION, &home));
    assert_int_equal(home.latitude, 473977420);
    assert_int_equal(home.longitude, 85455940);
    assert_int_equal(home.altitude, 488000);
    assert_int_equal(rig_mode_seen(r), 65536); /* MANUAL */
    assert_true(rig_said(r, "Armed"));
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_disarm), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_mode_seen(r), 50593792);
    assert_true(rig_said(r, "Disarmed"));
}

static void test_sim035_setting_stays_in_mode(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    rig_set_i(r, "MF_ARM_MODE", 1);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_mode_seen(r), 50593792);
}

static void test_auto_disarm_before_takeoff_after_11_s(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    rig_run_until(r, 2 * S);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_run_while(r, rig_armed, 30.0), 13 * S);
    assert_true(rig_said(r, "Disarmed by auto preflight disarming"));
}

/* 10 m at 3 m/s: 3.333334 s. Then Hold, at the commanded altitude exactly. */
static void test_sim021_sim024_sim026_takeoff(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    float p[7] = {NAN, NAN, NAN, NAN, NAN, NAN, 498.0f};
    rig_run_until(r, S);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_landed_seen(r), 1);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, p), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_mode_seen(r), 33816576);
    assert_int_equal(rig_landed_seen(r), 3);
    assert_true(rig_said(r, "Takeoff detected"));
    rig_run_until(r, 2 * S);
    assert_true(fabs(rig_pose(r).alt_amsl_m - 491.0) < 1e-9); /* 3 m after one second */
    assert_int_equal(rig_run_while(r, rig_in_takeoff, 30.0), 1 * S + 3333334);
    assert_true(rig_pose(r).alt_amsl_m == 498.0);
    assert_true(rig_pose(r).lat_deg == RIG_LAT_DEG && rig_pose(r).lon_deg == RIG_LON_DEG);
    assert_int_equal(rig_mode_seen(r), 50593792);
    assert_int_equal(rig_landed_seen(r), 2);
}

static void test_takeoff_first_arm_after(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    float p[7] = {NAN, NAN, NAN, NAN, NAN, NAN, 494.0f};
    assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, p), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_mode_seen(r), 33816576);
    rig_run_until(r, 5 * S);
    assert_true(rig_pose(r).alt_amsl_m == RIG_ALT_M); /* nothing moves */
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_run_while(r, rig_in_takeoff, 30.0), 7 * S);
    assert_true(rig_pose(r).alt_amsl_m == 494.0);
}

/* 100 m east at 10 m/s on the geodesic: GeographicLib puts it at 8.5469193 E; the vehicle ends on
 * the very target. */
static void test_sim027_sim037_reposition(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(10.0f);
    const float p[4] = {-1.0f, 1.0f, 0.0f, NAN};
    const int32_t lat = 473977418, lon = 85469186;
    const mf_us_t from_us = r->mock.now.vehicle_us;
    const struct mf_geo_line line = mf_geo_inverse((struct mf_geo){RIG_LAT_DEG, RIG_LON_DEG},
                                                   (struct mf_geo){47.3977418, 8.5469186});
    assert_int_equal(rig_command_int(r, MAV_CMD_DO_REPOSITION, p, lat, lon, 498.0f),
                     MAV_RESULT_ACCEPTED);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_HOLD);
    rig_run_until(r, from_us + 5 * S);
    assert_true(fabs((double)rig_pose(r).vel_ned_mps[1] - 10.0) < 1e-3);
    const mf_us_t took_us = rig_run_while(r, rig_moving, 60.0) - from_us;
    assert_true(fabs((double)took_us / 1e6 - line.distance_m / 10.0) < 2e-6);
    assert_true(rig_pose(r).lat_deg == 47.3977418 && rig_pose(r).lon_deg == 8.5469186);
    assert_true(rig_pose(r).vel_ned_mps[1] == 0.0f);
}

static void test_reposition_refused(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    const float p[4] = {-1.0f, 1.0f, 0.0f, NAN};
    assert_int_equal(rig_command_int(r, MAV_CMD_DO_REPOSITION, p, 473977418, 85469186, 498.0f),
                     MAV_RESULT_TEMPORARILY_REJECTED);
    r = rig_airborne(10.0f);
    assert_int_equal(rig_command_int(r, MAV_CMD_DO_REPOSITION, p, 1000000000, 85469186, 498.0f),
                     MAV_RESULT_DENIED);
    assert_int_equal(rig_command_int(r, MAV_CMD_DO_REPOSITION, p, 473977418, 85469186, INFINITY),
                     MAV_RESULT_DENIED);
}

static void test_sim030_loiter_stops_at_once(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(10.0f);
    const float p[4] = {-1.0f, 1.0f, 0.0f, NAN};
    (void)rig_command_int(r, MAV_CMD_DO_REPOSITION, p, 473977418, 85489186, 498.0f);
    rig_run_until(r, r->mock.now.vehicle_us + 2 * S);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_RETURN_TO_LAUNCH, rig_nan7()), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_LOITER_UNLIM, rig_nan7()), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_mode_seen(r), 50593792);
    const struct mf_pose here = rig_pose(r);
    rig_run_until(r, r->mock.now.vehicle_us + 60 * S);
    assert_true(rig_pose(r).lon_deg == here.lon_deg && rig_pose(r).vel_ned_mps[1] == 0.0f);
}

static void test_sim021_sim029_land_and_disarm(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(9.0f);
    const mf_us_t from_us = r->mock.now.vehicle_us;
    assert_int_equal(rig_command(r, MAV_CMD_NAV_LAND, rig_nan7()), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_mode_seen(r), 100925440);
    assert_int_equal(rig_landed_seen(r), 4);
    rig_run_until(r, from_us + 3 * S);
    assert_int_equal(rig_landed_seen(r), 1);
    assert_true(rig_said(r, "Landing detected"));
    assert_true(rig_pose(r).alt_amsl_m == RIG_ALT_M && rig_pose(r).vel_ned_mps[2] == 0.0f);
    assert_int_equal(rig_run_while(r, rig_armed, 30.0), from_us + 5 * S); /* COM_DISARM_LAND 2 s */
    assert_true(rig_said(r, "Disarmed by landing"));
    assert_int_equal(rig_mode_seen(r), 50593792);
}

/* From 100 m away at 10 m: up to 30 m (20 m / 3 m/s), home (10 s), down 30 m (10 s). */
static void test_sim028_return_to_launch(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(10.0f);
    const float p[4] = {-1.0f, 1.0f, 0.0f, NAN};
    (void)rig_command_int(r, MAV_CMD_DO_REPOSITION, p, 473977418, 85469186, 498.0f);
    (void)rig_run_while(r, rig_moving, 60.0);
    mf_mock_clear(&r->mock, 0);
    const mf_us_t from_us = r->mock.now.vehicle_us;
    assert_int_equal(rig_command(r, MAV_CMD_NAV_RETURN_TO_LAUNCH, rig_nan7()), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_mode_seen(r), 84148224);
    assert_true(rig_said(r, "RTL: start return at 518 m (30 m above destination"));
    rig_run_until(r, from_us + 6666667);
    assert_true(rig_pose(r).alt_amsl_m == 518.0);
    rig_run_until(r, from_us + 16500000);
    assert_int_equal(rig_mode_seen(r), 84148224);
    rig_run_until(r, from_us + 16800000);
    assert_int_equal(rig_mode_seen(r), 100925440); /* the final descent is AUTO/LAND (SIM-035) */
    assert_int_equal(rig_landed_seen(r), 4);
    const mf_us_t down_us = rig_run_while(r, rig_armed, 60.0) - from_us;
    assert_true(fabs((double)down_us / 1e6 - (6.666667 + 10.0 + 10.0 + 2.0)) < 0.001);
    assert_true(rig_pose(r).lat_deg == RIG_LAT_DEG && rig_pose(r).lon_deg == RIG_LON_DEG);
    assert_true(rig_pose(r).alt_amsl_m == RIG_ALT_M);
}

static void test_sim028_setting_rtl_to_the_ground(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(10.0f);
    rig_set_i(r, "MF_RTL_LAND_MODE", 1);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_RETURN_TO_LAUNCH, rig_nan7()), MAV_RESULT_ACCEPTED);
    rig_run_until(r, r->mock.now.vehicle_us + 2 * S);
    assert_int_equal(rig_mode_seen(r), 84148224);
    assert_int_equal(rig_landed_seen(r), 4);
    (void)rig_run_while(r, rig_armed, 60.0);
}

static void test_sim023_sim024_sim031_mission(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    const struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_TAKEOFF, 6, 0, 0, 15.0f, 0.0f),
        rig_item(MAV_CMD_DO_CHANGE_SPEED, 2, 0, 0, 0.0f, 1.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, 473986412, 85455940, 15.0f, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, 473986412, 85469186, 15.0f, 2.0f),
        rig_item(MAV_CMD_NAV_LAND, 6, 473977420, 85455940, 0.0f, 0.0f),
    };
    rig_upload(r, items, 5);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, k_disarm), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_mode_seen(r), 67371008);
    assert_true(rig_said(r, "Executing Mission"));
    (void)rig_run_while(r, rig_armed, 120.0);
    struct mf_msg_mission_item_reached reached;
    for (int i = 0; i < 5; i++) {
        assert_true(mf_mock_take(&r->mock, 0, MF_MSG_MISSION_ITEM_REACHED, &reached));
        assert_int_equal(reached.seq, i);
    }
    assert_false(mf_mock_take(&r->mock, 0, MF_MSG_MISSION_ITEM_REACHED, &reached));
    struct mf_msg_mission_current current = {0};
    while (mf_mock_take(&r->mock, 0, MF_MSG_MISSION_CURRENT, &current)) {
    }
    assert_int_equal(current.mission_state, 5);
    assert_int_equal(current.total, 5);
    assert_true(rig_said(r, "Waypoint 2 reached"));
    assert_true(rig_said(r, "Landing detected"));
    assert_true(rig_said(r, "Mission finished, landed"));
    assert_true(rig_pose(r).lat_deg == 47.397742 && rig_pose(r).lon_deg == 8.545594);
}

static void test_mission_pause_resume_and_jump(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_TAKEOFF, 6, 0, 0, 10.0f, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, 473986412, 85455940, 10.0f, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, 473977420, 85455940, 10.0f, 0.0f),
        rig_item(MAV_CMD_DO_JUMP, 2, 0, 0, 0.0f, 1.0f),
    };
    items[3].param[1] = mf_f32_bits(2.0f); /* twice more: three times in all */
    rig_upload(r, items, 4);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, k_disarm), MAV_RESULT_ACCEPTED);
    rig_run_until(r, 7 * S);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_LOITER_UNLIM, rig_nan7()), MAV_RESULT_ACCEPTED);
    const double lat_deg = rig_pose(r).lat_deg;
    rig_run_until(r, 20 * S);
    assert_true(rig_pose(r).lat_deg == lat_deg);
    assert_int_equal(r->drone.vehicle.mission.current, 1);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, (float[7]){-1.0f}), MAV_RESULT_ACCEPTED);
    while (!r->drone.vehicle.mission.finished) {
        rig_run_until(r, r->mock.now.vehicle_us + S);
        assert_true(r->mock.now.vehicle_us < 200 * S);
    }
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_MISSION_ITEM_REACHED), 1 + 3 * 2);
    assert_int_equal(rig_mode_seen(r), 50593792);
}

static void test_mission_jumping_in_a_circle_does_not_stop_time(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_TAKEOFF, 6, 0, 0, 10.0f, 0.0f),
        rig_item(MAV_CMD_DO_CHANGE_SPEED, 2, 0, 0, 0.0f, 1.0f),
        rig_item(MAV_CMD_DO_JUMP, 2, 0, 0, 0.0f, 1.0f),
    };
    items[2].param[1] = mf_f32_bits(-1.0f);
    rig_upload(r, items, 3);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, k_disarm), MAV_RESULT_ACCEPTED);
    rig_run_until(r, 4 * S);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_LAND, rig_nan7()), MAV_RESULT_ACCEPTED);
    (void)rig_run_while(r, rig_armed, 60.0);
}

static void test_sim045_sim047_gps_loss_shows_and_lands_blind(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(9.0f);
    const float off[7] = {4.0f, 1.0f, 0.0f, NAN, NAN, NAN, NAN};
    struct mf_msg_gps_raw_int gps = {0};
    struct mf_msg_sys_status sys = {0};
    const mf_us_t from_us = r->mock.now.vehicle_us;
    assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, off), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_mode_seen(r), 100925440); /* DESCEND shows as AUTO/LAND */
    assert_true(rig_said(r, "Failsafe activated"));
    mf_mock_clear(&r->mock, 0);
    rig_run_until(r, from_us + S);
    while (mf_mock_take(&r->mock, 0, MF_MSG_GPS_RAW_INT, &gps)) {
        assert_int_equal(gps.fix_type, 0);
    }
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_SYS_STATUS, &sys));
    assert_int_equal(sys.onboard_control_sensors_health & 0x20u, 0);
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_GLOBAL_POSITION_INT), 0);
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_LOCAL_POSITION_NED), 0);
    rig_run_until(r, from_us + 3 * S);
    assert_int_equal(rig_landed_seen(r), 1);
    (void)rig_run_while(r, rig_armed, 30.0);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm),
                     MAV_RESULT_TEMPORARILY_REJECTED);
    assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, (float[7]){4.0f}), MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
}

/* One publish cycle of SYS_STATUS is a second. */
static uint32_t lost_sensors(struct rig *r)
{
    struct mf_msg_sys_status sys = {0};
    mf_mock_clear(&r->mock, 0);
    rig_run_until(r, r->mock.now.vehicle_us + S);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_SYS_STATUS, &sys));
    return sys.onboard_control_sensors_present & ~sys.onboard_control_sensors_health;
}

/* The bits of gyro, accelerometer, compass and barometer are 1, 2, 4 and 8, their units 0 to 3. */
static void test_sim046_sim047_a_lost_sensor_shows_and_the_flight_goes_on(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(10.0f);
    for (unsigned unit = 0; unit < 4; unit++) {
        for (unsigned type = 1; type <= 2; type++) {
            const float fail[7] = {(float)unit, (float)type};
            assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, fail), MAV_RESULT_ACCEPTED);
            assert_int_equal(lost_sensors(r), (1u << unit) | 0x10000000u); /* and PREARM_CHECK */
            assert_int_equal(rig_mode_seen(r), 50593792);                  /* AUTO/LOITER */
            assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, (float[7]){(float)unit}),
                             MAV_RESULT_ACCEPTED);
            assert_int_equal(lost_sensors(r), 0);
        }
    }
    assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, (float[7]){2.0f, 1.0f}),
                     MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_LAND, rig_nan7()), MAV_RESULT_ACCEPTED);
    (void)rig_run_while(r, rig_armed, 60.0);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm),
                     MAV_RESULT_TEMPORARILY_REJECTED);
    assert_true(rig_said(r, "Preflight Fail: Compass Sensor 0 missing"));
}

static void test_sim046_unknown_failure_is_unsupported(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, (float[7]){8.0f, 1.0f}),
                     MAV_RESULT_UNSUPPORTED);
    assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, (float[7]){4.0f, 5.0f}),
                     MAV_RESULT_UNSUPPORTED);
    rig_set_i(r, "SYS_FAILURE_EN", 0);
    assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, (float[7]){4.0f, 1.0f}),
                     MAV_RESULT_DENIED);
}

static void test_disarm_in_the_air_only_by_force_and_then_it_falls(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(10.0f);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_disarm),
                     MAV_RESULT_TEMPORARILY_REJECTED);
    assert_true(rig_said(r, "Disarming denied: not landed"));
    const mf_us_t from_us = r->mock.now.vehicle_us;
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, (float[7]){0.0f, 21196.0f}),
                     MAV_RESULT_ACCEPTED);
    rig_run_until(r, from_us + 1428000); /* sqrt(2 * 10 / 9.80665) = 1.42809 s */
    assert_int_equal(rig_landed_seen(r), 2);
    rig_run_until(r, from_us + 1428200);
    assert_int_equal(rig_landed_seen(r), 1);
    assert_true(rig_pose(r).alt_amsl_m == RIG_ALT_M);
}

static void test_sim033_modes_by_command_and_message(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    const struct {
        float main, sub;
        uint32_t custom;
        uint8_t result;
    } k_case[] = {
        {1, 0, 65536, 0},     {2, 0, 131072, 0},   {3, 0, 196608, 0},    {4, 2, 33816576, 0},
        {4, 3, 50593792, 0},  {4, 5, 84148224, 0}, {4, 6, 100925440, 0}, {5, 0, 327680, 0},
        {6, 0, 393216, 0},    {7, 0, 458752, 0},   {4, 4, 67371008, 0},  {99, 0, 67371008, 2},
        {4, 77, 67371008, 2}, {4, 3, 50593792, 0},
    };
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const float p[7] = {1.0f, k_case[i].main, k_case[i].sub, 0, 0, 0, 0};
        assert_int_equal(rig_command(r, MAV_CMD_DO_SET_MODE, p), k_case[i].result);
        assert_int_equal(mf_mode_custom((enum mf_mode)r->drone.vehicle.commander.mode),
                         k_case[i].custom);
    }
    const struct mf_msg_set_mode m = {.custom_mode = 84148224, .target_system = 1, .base_mode = 1};
    struct mf_msg_command_ack ack;
    rig_send(r, MF_MSG_SET_MODE, &m);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_COMMAND_ACK, &ack));
    assert_int_equal(ack.command, 176);
    assert_int_equal(ack.result, 0);
    assert_int_equal(rig_mode_seen(r), 84148224);
}

static void test_modes_without_what_they_need_are_refused_in_the_air(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(10.0f);
    assert_int_equal(rig_command(r, MAV_CMD_DO_SET_MODE, (float[7]){1.0f, 3.0f}),
                     MAV_RESULT_TEMPORARILY_REJECTED);
    assert_true(mf_mock_named(&r->mock, 0, "manual control"));
    assert_int_equal(rig_command(r, MAV_CMD_DO_SET_MODE, (float[7]){1.0f, 4.0f, 4.0f}),
                     MAV_RESULT_TEMPORARILY_REJECTED);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, (float[7]){0}), MAV_RESULT_DENIED);
    assert_int_equal(rig_mode_seen(r), 0); /* no change, no heartbeat */
}

static void test_every_addressed_command_is_answered_once(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    for (uint32_t command = 0; command < 65536; command += command < 1000 ? 1 : 97) {
        if (command != MAV_CMD_PREFLIGHT_REBOOT_SHUTDOWN) {
            (void)rig_command(r, (uint16_t)command, rig_nan7());
        }
        mf_mock_clear(&r->mock, 0);
    }
}

static void test_relative_altitude_is_above_the_takeoff_point(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(10.0f);
    struct mf_msg_global_position_int gp = {0};
    assert_int_equal(rig_command_int(r, MAV_CMD_DO_SET_HOME, (float[4]){0, 0, 0, NAN}, 473977420,
                                     85455940, 400.0f),
                     MAV_RESULT_ACCEPTED);
    assert_true(r->drone.vehicle.home.alt_amsl_m == 400.0);
    rig_run_until(r, r->mock.now.vehicle_us + S);
    while (mf_mock_take(&r->mock, 0, MF_MSG_GLOBAL_POSITION_INT, &gp)) {
    }
    assert_int_equal(gp.relative_alt, 10000);
    assert_int_equal(gp.alt, 498000);
}

static void test_change_of_speed_in_flight(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(10.0f);
    const float p[4] = {-1.0f, 1.0f, 0.0f, NAN};
    (void)rig_command_int(r, MAV_CMD_DO_REPOSITION, p, 473977418, 85489186, 498.0f);
    rig_run_until(r, r->mock.now.vehicle_us + 2 * S);
    assert_int_equal(rig_command(r, MAV_CMD_DO_CHANGE_SPEED, (float[7]){1.0f, 5.0f, -1.0f}),
                     MAV_RESULT_ACCEPTED);
    rig_run_until(r, r->mock.now.vehicle_us + S / 2);
    assert_true(fabs((double)rig_pose(r).vel_ned_mps[1] - 5.0) < 1e-3);
    (void)rig_run_while(r, rig_moving, 120.0);
    assert_true(rig_pose(r).lon_deg == 8.5489186);
}

static void test_termination(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    assert_int_equal(rig_command(r, MAV_CMD_DO_FLIGHTTERMINATION, k_arm), MAV_RESULT_DENIED);
    r = rig_airborne(10.0f);
    assert_int_equal(rig_command(r, MAV_CMD_DO_FLIGHTTERMINATION, k_arm), MAV_RESULT_ACCEPTED);
    (void)rig_run_while(r, rig_armed, 30.0);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_TERMINATION);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm),
                     MAV_RESULT_TEMPORARILY_REJECTED);
    assert_int_equal(rig_command(r, MAV_CMD_DO_SET_MODE, (float[7]){1.0f, 4.0f, 3.0f}),
                     MAV_RESULT_DENIED);
}

/* A host that was asleep for 400 ms: the leg still ends when it ends, and the streams are stamped
 * with their own times. */
static void test_late_host_changes_nothing_but_the_hour_of_sending(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(9.0f);
    const mf_us_t from_us = r->mock.now.vehicle_us;
    assert_int_equal(rig_command(r, MAV_CMD_NAV_LAND, rig_nan7()), MAV_RESULT_ACCEPTED);
    rig_run_until(r, from_us + 2900000);
    mf_mock_clear(&r->mock, 0);
    mf_mock_advance(&r->mock, 400000);
    (void)mf_vehicle_step(&r->drone.vehicle);
    assert_int_equal(r->drone.vehicle.commander.landed_us, from_us + 3 * S);
    struct mf_msg_global_position_int gp;
    uint32_t last_ms = 0;
    for (int i = 0; i < 4; i++) {
        assert_true(mf_mock_take(&r->mock, 0, MF_MSG_GLOBAL_POSITION_INT, &gp));
        assert_int_equal(gp.time_boot_ms % 100, 0);
        assert_true(last_ms == 0 || gp.time_boot_ms == last_ms + 100);
        last_ms = gp.time_boot_ms;
    }
}

static void test_sim042_same_input_same_bytes(void **state)
{
    (void)state;
    static uint8_t first[MF_MOCK_BYTES];
    size_t first_len = 0;
    for (int run = 0; run < 2; run++) {
        struct rig *r = rig_new(NULL);
        float p[7] = {NAN, NAN, NAN, NAN, NAN, NAN, 498.0f};
        rig_run_until(r, S + 12345);
        (void)rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm);
        (void)rig_command(r, MAV_CMD_NAV_TAKEOFF, p);
        rig_run_until(r, 10 * S);
        (void)rig_command(r, MAV_CMD_NAV_RETURN_TO_LAUNCH, rig_nan7());
        (void)rig_run_while(r, rig_armed, 60.0);
        if (run == 0) {
            first_len = r->mock.port[0].sent_len;
            memcpy(first, r->mock.port[0].sent, first_len);
        } else {
            assert_int_equal(r->mock.port[0].sent_len, first_len);
            assert_memory_equal(r->mock.port[0].sent, first, first_len);
        }
    }
}

static void test_sim043_nothing_moves_by_itself(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(10.0f);
    struct mf_msg_global_position_int a = {0}, b = {0};
    rig_run_until(r, r->mock.now.vehicle_us + 60 * S);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_GLOBAL_POSITION_INT, &a));
    while (mf_mock_take(&r->mock, 0, MF_MSG_GLOBAL_POSITION_INT, &b)) {
        b.time_boot_ms = a.time_boot_ms;
        assert_memory_equal(&a, &b, sizeof a);
    }
}

static void test_without_links_nothing_is_due(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    mf_link_close(&r->drone.vehicle, r->link);
    (void)mf_vehicle_step(&r->drone.vehicle);
    mf_mock_advance(&r->mock, 5 * S);
    const struct mf_wake wake = mf_vehicle_step(&r->drone.vehicle);
    assert_true(wake.essential_us == MF_NEVER && wake.periodic_us == MF_NEVER &&
                wake.transport_us == MF_NEVER);
}

static void test_missions_and_parameters_survive_a_reboot(void **state)
{
    (void)state;
    struct rig *r = rig_new(NULL);
    const struct mf_item items[] = {rig_item(MAV_CMD_NAV_TAKEOFF, 6, 0, 0, 15.0f, 0.0f)};
    rig_upload(r, items, 1);
    rig_set_f(r, "MIS_TAKEOFF_ALT", 7.5f);
    rig_run_until(r, S);
    rig_reboot(r);
    assert_int_equal(r->drone.vehicle.mission.count, 1);
    assert_true(mf_param_f(&r->drone.vehicle.params, MF_PARAM_MIS_TAKEOFF_ALT) == 7.5f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim013_sim015_sim044_first_bytes_say_healthy),
        cmocka_unit_test(test_sim015_heartbeat_every_second),
        cmocka_unit_test(test_sim016_to_sim021_default_rates),
        cmocka_unit_test(test_sim044_nothing_is_said_twice_at_one_instant),
        cmocka_unit_test(test_sim022_sim025_sim035_arming),
        cmocka_unit_test(test_sim035_setting_stays_in_mode),
        cmocka_unit_test(test_auto_disarm_before_takeoff_after_11_s),
        cmocka_unit_test(test_sim021_sim024_sim026_takeoff),
        cmocka_unit_test(test_takeoff_first_arm_after),
        cmocka_unit_test(test_sim027_sim037_reposition),
        cmocka_unit_test(test_reposition_refused),
        cmocka_unit_test(test_sim030_loiter_stops_at_once),
        cmocka_unit_test(test_sim021_sim029_land_and_disarm),
        cmocka_unit_test(test_sim028_return_to_launch),
        cmocka_unit_test(test_sim028_setting_rtl_to_the_ground),
        cmocka_unit_test(test_sim023_sim024_sim031_mission),
        cmocka_unit_test(test_mission_pause_resume_and_jump),
        cmocka_unit_test(test_mission_jumping_in_a_circle_does_not_stop_time),
        cmocka_unit_test(test_sim045_sim047_gps_loss_shows_and_lands_blind),
        cmocka_unit_test(test_sim046_sim047_a_lost_sensor_shows_and_the_flight_goes_on),
        cmocka_unit_test(test_sim046_unknown_failure_is_unsupported),
        cmocka_unit_test(test_disarm_in_the_air_only_by_force_and_then_it_falls),
        cmocka_unit_test(test_sim033_modes_by_command_and_message),
        cmocka_unit_test(test_modes_without_what_they_need_are_refused_in_the_air),
        cmocka_unit_test(test_every_addressed_command_is_answered_once),
        cmocka_unit_test(test_relative_altitude_is_above_the_takeoff_point),
        cmocka_unit_test(test_change_of_speed_in_flight),
        cmocka_unit_test(test_termination),
        cmocka_unit_test(test_late_host_changes_nothing_but_the_hour_of_sending),
        cmocka_unit_test(test_sim042_same_input_same_bytes),
        cmocka_unit_test(test_sim043_nothing_moves_by_itself),
        cmocka_unit_test(test_without_links_nothing_is_due),
        cmocka_unit_test(test_missions_and_parameters_survive_a_reboot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
