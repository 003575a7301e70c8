/* SPDX-License-Identifier: Apache-2.0 */
/* Flights by stick. */
#include "tests/sim/steer_fixture.h"
#include "tests/unit/support/cases.h"

/* Past the dead zone of 0.1 with 60 % cubic: half a stick is (0.4 * 0.4444 + 0.6 * 0.0878) = 0.2304
 * of 10 m/s. */
static void test_position_mode(void **state)
{
    (void)state;
    for (int physics = 0; physics < 2; physics++) {
        struct rig *r = flown_by_hand(physics != 0);
        double before[3], after[3];
        stream_sticks(r, 500, 0, 500, 0, 10.0);
        assert_velocity(r, 2.3045, 0.0, 0.0, 1e-3);
        stream_sticks(r, 0, -500, 500, 0, 10.0);
        assert_velocity(r, 0.0, -2.3045, 0.0, 1e-3);
        stream_sticks(r, 90, 90, 540, 90, 10.0); /* in the dead zone */
        assert_velocity(r, 0.0, 0.0, 0.0, 1e-6);
        from_home(r, before);
        stream_sticks(r, 0, 0, 500, 0, 10.0);
        from_home(r, after);
        assert_close(after[0], before[0], 1e-6);
        assert_close(after[2], before[2], 1e-6);
        stream_sticks(r, 1000, 1000, 0, 0, 1.0); /* both at their ends: 10 m/s, not 14 */
        if (!physics) {
            assert_velocity(r, 7.0711, 7.0711, 1.5, 1e-3);
        }
        stream_sticks(r, 0, 0, 500, 1000, 2.0);
        assert_close((double)truth(r).yawspeed_rps, 2.617994, physics ? 2.0 : 1e-5);
        stream_sticks(r, 0, 0, 0, 0, 40.0); /* down to the ground: landed, and disarmed */
        assert_true(truth(r).on_ground);
        assert_false(r->drone.vehicle.commander.armed);
    }
}

/* One message that moves one stick is enough. */
static void test_each_stick_steers_by_itself(void **state)
{
    static const struct {
        struct mf_msg_manual_control sticks;
        double north_mps, east_mps, down_mps, turn_rps;
    } k_case[] = {{{.x = 500, .z = 500, .target = 1}, 2.3045, 0.0, 0.0, 0.0},
                  {{.y = 500, .z = 500, .target = 1}, 0.0, 2.3045, 0.0, 0.0},
                  {{.z = 1000, .target = 1}, 0.0, 0.0, -3.0, 0.0},
                  {{.z = 500, .r = 1000, .target = 1}, 0.0, 0.0, 0.0, 2.617994}};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct rig *r = flown_by_hand(false);
        rig_send(r, MF_MSG_MANUAL_CONTROL, &k_case[i].sticks);
        rig_run_until(r, r->mock.now.vehicle_us + 200000);
        assert_velocity(r, k_case[i].north_mps, k_case[i].east_mps, k_case[i].down_mps, 1e-3);
        assert_close((double)truth(r).yawspeed_rps, k_case[i].turn_rps, 1e-5);
    }
}

/* Forward follows the nose while it turns. */
static void test_velocity_turns_with_the_heading(void **state)
{
    (void)state;
    struct rig *r = flown_by_hand(false);
    stream_sticks(r, 1000, 0, 500, 500, 2.0);
    const struct mf_pose p = truth(r);
    const double course = atan2((double)p.vel_ned_mps[1], (double)p.vel_ned_mps[0]);
    assert_close(remainder(course - (double)p.yaw_rad, 2.0 * MF_PI), 0.0, 0.05);
    assert_close(hypot((double)p.vel_ned_mps[0], (double)p.vel_ned_mps[1]), 10.0, 1e-4);
}

static void test_altitude_and_stabilized_modes(void **state)
{
    (void)state;
    struct rig *r = flown_by_hand(false);
    assert_int_equal(set_mode(r, 2.0f, 0.0f), MAV_RESULT_ACCEPTED);
    stream_sticks(r, 1000, 0, 500, 0, 2.0); /* tan(35 deg) g, by drag 6.867 m/s, at its height */
    assert_velocity(r, 6.8667, 0.0, 0.0, 1e-3);
    assert_close((double)truth(r).pitch_rad, -0.61086524, 1e-6); /* nose down, and shows it */
    stream_sticks(r, 0, 0, 1000, 0, 2.0);
    assert_velocity(r, 0.0, 0.0, -3.0, 1e-5);
    assert_int_equal(set_mode(r, 7.0f, 0.0f), MAV_RESULT_ACCEPTED);
    stream_sticks(r, 0, 0, 500, 0, 1.0);
    assert_velocity(r, 0.0, 0.0, 0.0, 1e-6); /* in the middle it hovers */
    stream_sticks(r, 0, 1000, 500, 0, 1.0);
    assert_velocity(r, 0.0, 5.6249, 1.5,
                    1e-3); /* g sin(35 deg), and sinks by less thrust upwards */
    assert_close((double)truth(r).roll_rad, 0.61086524, 1e-6); /* and shows it */
    stream_sticks(r, 0, 0, 600, 0, 1.0); /* 0.1111 of the upper half: 1.11 g */
    assert_velocity(r, 0.0, 0.0, -1.0896, 1e-3);
    assert_int_equal(set_mode(r, 5.0f, 0.0f), MAV_RESULT_ACCEPTED);
    assert_int_equal(set_mode(r, 1.0f, 0.0f), MAV_RESULT_ACCEPTED);
    stream_sticks(r, 0, 0, 0, 0, 40.0);
    assert_false(r->drone.vehicle.commander.armed);
}

static void test_needs_sticks(void **state)
{
    (void)state;
    struct rig *r = ground(false);
    assert_int_equal(set_mode(r, 3.0f, 0.0f), MAV_RESULT_ACCEPTED); /* disarmed: any mode */
    r = rig_airborne(20.0f);
    assert_int_equal(set_mode(r, 3.0f, 0.0f), MAV_RESULT_TEMPORARILY_REJECTED);
    assert_true(rig_said(r, "Switching to mode 'Position'"));
    stream_sticks(r, 0, 0, 500, 0, 0.2);
    assert_int_equal(set_mode(r, 3.0f, 0.0f), MAV_RESULT_ACCEPTED);
}

static void test_which_sticks_count(void **state)
{
    struct mf_msg_rc_channels_override rc = {.target_system = 1,
                                             .target_component = 1,
                                             .chan1_raw = 1500,
                                             .chan2_raw = 1250,
                                             .chan3_raw = 1500,
                                             .chan4_raw = 1500};
    static const struct mf_msg_manual_control k_none[] = {{.x = INT16_MAX, .z = 500, .target = 1},
                                                          {.y = INT16_MAX, .z = 500, .target = 1},
                                                          {.z = INT16_MAX, .target = 1},
                                                          {.r = INT16_MAX, .z = 500, .target = 1}};
    const struct mf_msg_manual_control other = {.z = 500, .target = 2};
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    rig_send(r, MF_MSG_RC_CHANNELS_OVERRIDE, &rc);
    for (size_t i = 0; i < sizeof k_none / sizeof k_none[0]; i++) {
        rig_send(r, MF_MSG_MANUAL_CONTROL, &k_none[i]);
    }
    rig_send(r, MF_MSG_MANUAL_CONTROL, &other);
    assert_false(r->drone.vehicle.inputs.manual.live); /* COM_RC_IN_MODE 1: MAVLink only */
    assert_int_equal(r->links[r->link].stats.rx_rejected, 5);
    assert_int_equal(r->links[r->link].stats.rx_foreign, 1);
    rig_set_i(r, "COM_RC_IN_MODE", 0);
    stream_sticks(r, 0, 0, 500, 0, 0.1);
    assert_false(r->drone.vehicle.inputs.manual.live);
    stream(r, MF_MSG_RC_CHANNELS_OVERRIDE, &rc, 0.1);
    assert_true(r->drone.vehicle.inputs.manual.live);
    assert_int_equal(set_mode(r, 3.0f, 0.0f), MAV_RESULT_ACCEPTED);
    stream(r, MF_MSG_RC_CHANNELS_OVERRIDE, &rc, 2.0);
    assert_velocity(r, 2.3045, 0.0, 0.0, 1e-3); /* pushed forward: a short pulse */
    rc.chan2_raw = 900;                         /* beyond the end of the stick */
    stream(r, MF_MSG_RC_CHANNELS_OVERRIDE, &rc, 0.1);
    assert_true(r->drone.vehicle.inputs.sticks.pitch == 1.0f);
    rc.chan2_raw = 0; /* released */
    stream(r, MF_MSG_RC_CHANNELS_OVERRIDE, &rc, 1.0);
    assert_false(r->drone.vehicle.inputs.manual.live);
    rig_set_i(r, "COM_RC_IN_MODE", 4);
    rc.chan2_raw = 1500;
    stream(r, MF_MSG_RC_CHANNELS_OVERRIDE, &rc, 0.1);
    assert_false(r->drone.vehicle.inputs.manual.live);
    rig_set_i(r, "COM_RC_IN_MODE", 3);
    stream(r, MF_MSG_RC_CHANNELS_OVERRIDE, &rc, 0.1);
    assert_true(r->drone.vehicle.inputs.manual.live);
}

static void wait_s(struct rig *r, double seconds)
{
    rig_run_until(r, r->mock.now.vehicle_us + (mf_us_t)(seconds * 1e6));
}

/* An axis or a channel that is absent makes the whole message useless: it is rejected. */
static void test_each_axis_is_needed(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    for (int axis = 0; axis < 4; axis++) {
        const struct mf_msg_manual_control sticks = {.x = axis == 0 ? INT16_MAX : 0,
                                                     .y = axis == 1 ? INT16_MAX : 0,
                                                     .z = axis == 2 ? INT16_MAX : 500,
                                                     .r = axis == 3 ? INT16_MAX : 0,
                                                     .target = 1};
        rig_send(r, MF_MSG_MANUAL_CONTROL, &sticks);
        assert_int_equal(r->links[r->link].stats.rx_rejected, axis + 1);
    }
    rig_set_i(r, "COM_RC_IN_MODE", 0);
    const unsigned before = r->links[r->link].stats.rx_rejected;
    for (unsigned absent = 1; absent <= 4; absent++) {
        const struct mf_msg_rc_channels_override rc = {.target_system = 1,
                                                       .chan1_raw = absent == 1 ? UINT16_MAX : 1500,
                                                       .chan2_raw = absent == 2 ? UINT16_MAX : 1500,
                                                       .chan3_raw = absent == 3 ? UINT16_MAX : 1500,
                                                       .chan4_raw =
                                                           absent == 4 ? UINT16_MAX : 1500};
        rig_send(r, MF_MSG_RC_CHANNELS_OVERRIDE, &rc);
        assert_int_equal(r->links[r->link].stats.rx_rejected, before + absent);
    }
    assert_false(r->drone.vehicle.inputs.manual.live);
}

/* RC_MAP_* choose among channels 1 to 8; 0 and numbers above 8 mean the default channel of the
 * axis. A whole stick is 500 us from the middle. */
static void test_parameters_map_channels(void **state)
{
    const struct mf_msg_rc_channels_override rc = {.target_system = 1,
                                                   .chan1_raw = 1600,
                                                   .chan2_raw = 1450,
                                                   .chan3_raw = 1500,
                                                   .chan4_raw = 1400,
                                                   .chan5_raw = 1750,
                                                   .chan6_raw = 1250,
                                                   .chan7_raw = 2000,
                                                   .chan8_raw = 1000};
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    const struct mf_sticks *sticks = &r->drone.vehicle.inputs.sticks;
    rig_set_i(r, "COM_RC_IN_MODE", 0);
    rig_set_i(r, "RC_MAP_ROLL", 5);
    rig_set_i(r, "RC_MAP_PITCH", 6);
    rig_set_i(r, "RC_MAP_THROTTLE", 7);
    rig_set_i(r, "RC_MAP_YAW", 8);
    rig_send(r, MF_MSG_RC_CHANNELS_OVERRIDE, &rc);
    assert_close((double)sticks->roll, 0.5, 1e-6);
    assert_close((double)sticks->pitch, 0.5, 1e-6); /* a stick pushed forward is a low pulse */
    assert_close((double)sticks->throttle, 1.0, 1e-6);
    assert_close((double)sticks->yaw, -1.0, 1e-6);
    rig_set_i(r, "RC_MAP_ROLL", 9);
    rig_set_i(r, "RC_MAP_PITCH", 0);
    rig_set_i(r, "RC_MAP_YAW", 1);
    rig_send(r, MF_MSG_RC_CHANNELS_OVERRIDE, &rc);
    assert_close((double)sticks->roll, 0.2, 1e-6);
    assert_close((double)sticks->pitch, 0.1, 1e-6);
    assert_close((double)sticks->yaw, 0.2, 1e-6);
}

static bool channels_seen(struct rig *r, struct mf_msg_rc_channels *seen)
{
    const bool any = mf_mock_take(&r->mock, 0, MF_MSG_RC_CHANNELS, seen);
    mf_mock_clear(&r->mock, 0);
    return any;
}

/* RC_CHANNELS tells of a transmitter that a client plays, even if its sticks do not count
 * (COM_RC_IN_MODE 1). It is silent without one, or with MANUAL_CONTROL alone, as in PX4. */
static void test_channels_are_told(void **state)
{
    struct mf_msg_rc_channels_override rc = {.target_system = 1,
                                             .target_component = 1,
                                             .chan1_raw = 1100,
                                             .chan2_raw = 1250,
                                             .chan3_raw = 65535,
                                             .chan8_raw = 1900,
                                             .chan9_raw = 0,
                                             .chan10_raw = 2000};
    const struct mf_msg_rc_channels_override other = {.target_system = 2, .chan1_raw = 1500};
    struct mf_msg_rc_channels seen;
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    stream_sticks(r, 0, 0, 500, 0, 1.0);
    rig_send(r, MF_MSG_RC_CHANNELS_OVERRIDE, &other);
    wait_s(r, 1.0);
    assert_false(channels_seen(r, &seen));
    rig_send(r, MF_MSG_RC_CHANNELS_OVERRIDE, &rc);
    wait_s(r, 0.45);
    assert_true(channels_seen(r, &seen));
    assert_int_equal(seen.chan1_raw, 1100);
    assert_int_equal(seen.chan2_raw, 1250);
    assert_int_equal(seen.chan3_raw, 65535);
    assert_int_equal(seen.chan4_raw, 65535); /* 0 lets go of a channel */
    assert_int_equal(seen.chan8_raw, 1900);
    assert_int_equal(seen.chan9_raw, 65535);
    assert_int_equal(seen.chan10_raw, 2000);
    assert_int_equal(seen.chan18_raw, 65535);
    assert_int_equal(seen.chancount, 10);
    assert_int_equal(seen.rssi, 100);
    wait_s(r, 0.1); /* the last one came 0.55 s ago */
    (void)channels_seen(r, &seen);
    wait_s(r, 2.0);
    assert_false(channels_seen(r, &seen));
    rig_send(r, MF_MSG_RC_CHANNELS_OVERRIDE, &rc);
    wait_s(r, 0.2);
    assert_true(channels_seen(r, &seen));
    rc = (struct mf_msg_rc_channels_override){.target_system = 1}; /* lets go of them all */
    rig_send(r, MF_MSG_RC_CHANNELS_OVERRIDE, &rc);
    (void)channels_seen(r, &seen); /* one that was due before */
    wait_s(r, 0.45);
    assert_false(channels_seen(r, &seen));
}

static void test_loss(void **state)
{
    static const struct {
        int32_t action;
        int mode;
        bool armed;
    } k_case[] = {{0, MF_MODE_POSCTL, true},      {1, MF_MODE_HOLD, true},
                  {2, MF_MODE_RTL, true},         {3, MF_MODE_LAND, true},
                  {5, MF_MODE_TERMINATION, true}, {6, MF_MODE_HOLD, false}};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct rig *r = flown_by_hand(false);
        rig_set_i(r, "NAV_RCL_ACT", k_case[i].action);
        stream_sticks(r, 1000, 0, 500, 0, 2.0);
        rig_run_until(r, r->mock.now.vehicle_us + 400000);
        assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_POSCTL);
        rig_run_until(r, r->mock.now.vehicle_us + 200000);
        assert_true(rig_said(r, "Manual control lost"));
        const bool stops = k_case[i].action > 3; /* the motors, at once; the others hold for 5 s */
        const bool acts = k_case[i].action != 0 && !stops;
        assert_int_equal(r->drone.vehicle.commander.mode, acts ? MF_MODE_HOLD : k_case[i].mode);
        rig_run_until(r, r->mock.now.vehicle_us + 100000);
        if (!stops) {
            assert_velocity(r, 0.0, 0.0, 0.0, 0.0);
        }
        rig_run_until(r, r->mock.now.vehicle_us + (stops ? 0 : 4900000));
        assert_int_equal(r->drone.vehicle.commander.mode, k_case[i].mode);
        assert_int_equal(r->drone.vehicle.commander.armed, k_case[i].armed);
        if (k_case[i].action < 2) {
            assert_velocity(r, 0.0, 0.0, 0.0, 0.0);
        }
    }
}

/* In automatic modes lost sticks matter only if they were there, and the mode is not excepted. */
static void test_loss_in_automatic_modes(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    rig_run_until(r, r->mock.now.vehicle_us + 5 * S);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_HOLD);
    stream_sticks(r, 0, 0, 500, 0, 1.0);
    rig_run_until(r, r->mock.now.vehicle_us + S);
    assert_true(r->drone.vehicle.commander.failsafe);
    r = rig_airborne(20.0f);
    rig_set_i(r, "COM_RCL_EXCEPT", 2);
    stream_sticks(r, 0, 0, 500, 0, 1.0);
    rig_run_until(r, r->mock.now.vehicle_us + S);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_HOLD);
}

/* While sticks are lost, an exception lasts as long as its mode, whoever ends that. */
static void test_sim046_an_exception_is_looked_at_with_every_mode(void **state)
{
    const struct mf_item item = rig_item(MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL_RELATIVE_ALT_INT,
                                         473987420, 85455940, 20.0f, 0.0f); /* 111 m: 11 s */
    (void)state;
    for (int by_user = 0; by_user < 2; by_user++) {
        struct rig *r = rig_airborne(20.0f);
        rig_set_i(r, "COM_RCL_EXCEPT", 1); /* missions */
        rig_upload(r, &item, 1);
        stream_sticks(r, 0, 0, 500, 0, 0.5);
        assert_int_equal(set_mode(r, 4.0f, 4.0f), MAV_RESULT_ACCEPTED);
        rig_run_until(r, r->mock.now.vehicle_us + 5 * S);
        assert_true(rig_said(r, "Manual control lost"));
        assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_MISSION);
        assert_false(r->drone.vehicle.commander.failsafe);
        if (by_user == 1) {
            assert_int_equal(set_mode(r, 4.0f, 3.0f), MAV_RESULT_ACCEPTED);
        } else {
            rig_run_until(r, r->mock.now.vehicle_us + 7 * S);
        }
        assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_HOLD);
        assert_true(r->drone.vehicle.commander.failsafe);
        rig_run_until(r, r->mock.now.vehicle_us + 5 * S);
        assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_RTL);
        assert_int_equal(set_mode(r, 4.0f, 3.0f), MAV_RESULT_ACCEPTED); /* the last word */
        rig_run_until(r, r->mock.now.vehicle_us + 20 * S);
        assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_HOLD);
        assert_false(r->drone.vehicle.commander.failsafe);
    }
}

/* The first Hold of a failsafe stops, wherever the vehicle was on its way to. */
static void test_the_first_hold_stops_a_mission(void **state)
{
    const struct mf_item item = rig_item(MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL_RELATIVE_ALT_INT,
                                         474077420, 85455940, 20.0f, 0.0f);
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    rig_upload(r, &item, 1);
    stream_sticks(r, 0, 0, 500, 0, 0.5);
    assert_int_equal(set_mode(r, 4.0f, 4.0f), MAV_RESULT_ACCEPTED);
    stream_sticks(r, 0, 0, 500, 0, 2.0);
    assert_velocity(r, 10.0, 0.0, 0.0, 1e-4);
    rig_run_until(r, r->mock.now.vehicle_us + S);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_HOLD);
    assert_velocity(r, 0.0, 0.0, 0.0, 0.0);
    stream_sticks(r, 0, 0, 500, 0, 1.0); /* the cause is gone: the mission goes on */
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_MISSION);
    assert_velocity(r, 10.0, 0.0, 0.0, 1e-4);
}

static void set_gps_off(struct rig *r, bool on)
{
    assert_int_equal(
        mf_vehicle_inject(&r->drone.vehicle, r->mock.now.vehicle_us, MF_FAULT_GPS_OFF, on, NULL),
        MF_E_OK);
}

/* In Position mode the sticks keep the altitude; in Hold it descends, until the pilot
 * takes over. */
static void test_sim046_sticks_without_a_position(void **state)
{
    (void)state;
    struct rig *r = flown_by_hand(false);
    stream_sticks(r, 0, 0, 500, 0, 0.5);
    set_gps_off(r, true);
    stream_sticks(r, 1000, 0, 500, 0, 2.0);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_ALTCTL);
    assert_true(r->drone.vehicle.commander.failsafe);
    assert_velocity(r, 6.8667, 0.0, 0.0, 1e-3); /* as test_altitude_and_stabilized_modes has it */
    set_gps_off(r, false);
    stream_sticks(r, 0, 0, 500, 0, 0.5);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_POSCTL);
    assert_false(r->drone.vehicle.commander.failsafe);

    r = rig_airborne(20.0f);
    stream_sticks(r, 0, 0, 500, 0, 0.5);
    set_gps_off(r, true);
    stream_sticks(r, 0, 0, 500, 0, 1.0);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_DESCEND);
    stream_sticks(r, 0, 1000, 500, 0, 1.0);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_ALTCTL);
    assert_false(r->drone.vehicle.commander.failsafe);
}

static void test_pilot_takes_over(void **state)
{
    (void)state;
    struct rig *r = rig_airborne(20.0f);
    stream_sticks(r, 1000, 0, 500, 0, 0.5); /* held so from the beginning: no wish */
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_HOLD);
    stream_sticks(r, 200, 0, 0, 0, 0.5); /* little, or throttle: neither */
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_HOLD);
    const struct mf_msg_manual_control m = {.x = 400, .z = 500, .target = 1};
    rig_send(r, MF_MSG_MANUAL_CONTROL, &m);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_POSCTL);
    assert_true(rig_said(r, "Pilot took over using sticks"));
    r = rig_airborne(20.0f);
    rig_set_i(r, "COM_RC_OVERRIDE", 2); /* bit 0 is not set */
    stream_sticks(r, 0, 0, 500, 0, 0.2);
    stream_sticks(r, 1000, 0, 500, 0, 0.2);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_HOLD);
    r = offboard(false);
    stream_sticks(r, 0, 0, 500, 0, 0.2);
    stream_sticks(r, 1000, 0, 500, 0, 0.2);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_OFFBOARD); /* bit 1 is not set */
    rig_set_i(r, "COM_RC_OVERRIDE", 3);
    stream_sticks(r, 0, 0, 500, 0, 0.2);
    stream_sticks(r, 1000, 0, 500, 0, 0.2);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_POSCTL);
}

static void test_health_shows_the_sticks(void **state)
{
    struct mf_msg_sys_status m = {0};
    (void)state;
    struct rig *r = ground(false);
    mf_mock_clear(&r->mock, 0);
    stream_sticks(r, 0, 0, 500, 0, 0.1);
    assert_int_equal(rig_command(r, MAV_CMD_REQUEST_MESSAGE, (const float[7]){1.0f}),
                     MAV_RESULT_ACCEPTED);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_SYS_STATUS, &m));
    assert_true((m.onboard_control_sensors_health & 0x10000u) != 0);
    assert_true((m.onboard_control_sensors_present & 0x10000u) != 0);
    rig_run_until(r, r->mock.now.vehicle_us + S);
    mf_mock_clear(&r->mock, 0);
    assert_int_equal(rig_command(r, MAV_CMD_REQUEST_MESSAGE, (const float[7]){1.0f}),
                     MAV_RESULT_ACCEPTED);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_SYS_STATUS, &m));
    assert_true((m.onboard_control_sensors_health & 0x10000u) == 0);
    assert_true((m.onboard_control_sensors_enabled & 0x10000u) != 0);
}

static void test_random_sticks(void **state)
{
    static const float k_main[] = {1.0f, 2.0f, 3.0f, 5.0f, 7.0f};
    uint64_t seed = 7;
    (void)state;
    for (int physics = 0; physics < 2; physics++) {
        struct rig *r = flown_by_hand(physics != 0);
        for (int i = mf_cases(700, 20000); i > 0; i--) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            const uint32_t bits = (uint32_t)(seed >> 32);
            stream_sticks(r, (int16_t)((int)(bits % 2001) - 1000),
                          (int16_t)((int)(bits / 7 % 2001) - 1000), (int16_t)(bits / 11 % 1001),
                          (int16_t)((int)(bits / 13 % 2001) - 1000), 0.1);
            if (bits % 40 == 0) {
                (void)set_mode(r, k_main[bits / 40 % 5], 0.0f);
            }
            if (!r->drone.vehicle.commander.armed) {
                (void)arm(r);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_position_mode),
        cmocka_unit_test(test_each_stick_steers_by_itself),
        cmocka_unit_test(test_velocity_turns_with_the_heading),
        cmocka_unit_test(test_altitude_and_stabilized_modes),
        cmocka_unit_test(test_needs_sticks),
        cmocka_unit_test(test_which_sticks_count),
        cmocka_unit_test(test_each_axis_is_needed),
        cmocka_unit_test(test_parameters_map_channels),
        cmocka_unit_test(test_channels_are_told),
        cmocka_unit_test(test_loss),
        cmocka_unit_test(test_loss_in_automatic_modes),
        cmocka_unit_test(test_sim046_an_exception_is_looked_at_with_every_mode),
        cmocka_unit_test(test_the_first_hold_stops_a_mission),
        cmocka_unit_test(test_sim046_sticks_without_a_position),
        cmocka_unit_test(test_pilot_takes_over),
        cmocka_unit_test(test_health_shows_the_sticks),
        cmocka_unit_test(test_random_sticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
