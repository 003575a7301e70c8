/* SPDX-License-Identifier: Apache-2.0 */
/* What the messages about identity and state say. Expected values are literals, from the tables of
 * PX4 and MAVLink or computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "mavlink/names.h"
#include "tests/unit/firmware/encode_fixture.h"

static struct mf_msg_heartbeat heartbeat(void)
{
    struct mf_msg_heartbeat m;
    memset(&m, 0xAA, sizeof m);
    mf_encode_heartbeat(&v, &m);
    return m;
}

static void test_sim015_heartbeat(void **state)
{
    (void)state;
    v.commander.mode = MF_MODE_HOLD;
    const struct mf_msg_heartbeat m = heartbeat();
    assert_int_equal(m.type, 2);       /* MAV_TYPE_QUADROTOR */
    assert_int_equal(m.autopilot, 12); /* MAV_AUTOPILOT_PX4 */
    assert_int_equal(m.base_mode, 29);
    assert_int_equal(m.custom_mode, 50593792);
    assert_int_equal(m.system_status, 3); /* MAV_STATE_STANDBY */
    assert_int_equal(m.mavlink_version, 3);
}

static void test_sim015_system_status(void **state)
{
    (void)state;
    v.commander.armed = true;
    assert_int_equal(heartbeat().system_status, 4); /* ACTIVE */
    v.commander.failsafe = true;
    assert_int_equal(heartbeat().system_status, 5); /* CRITICAL */
    v.commander.armed = false;
    v.commander.failsafe = false;
    lose_gps();
    assert_int_equal(heartbeat().system_status, 0); /* UNINIT: may not be armed */
    v.commander.mode = MF_MODE_TERMINATION;
    assert_int_equal(heartbeat().system_status, 8);
    v.commander.armed = true;
    assert_int_equal(heartbeat().system_status, 8);
}

/* The table of PX4's modes; none is left out. */
static void test_sim034_modes(void **state)
{
    static const struct {
        enum mf_mode mode;
        uint32_t custom;
        uint8_t disarmed, armed;
    } k_want[] = {
        {MF_MODE_MANUAL, 65536, 81, 209},      {MF_MODE_ALTCTL, 131072, 81, 209},
        {MF_MODE_POSCTL, 196608, 81, 209},     {MF_MODE_TAKEOFF, 33816576, 29, 157},
        {MF_MODE_HOLD, 50593792, 29, 157},     {MF_MODE_MISSION, 67371008, 29, 157},
        {MF_MODE_RTL, 84148224, 29, 157},      {MF_MODE_LAND, 100925440, 29, 157},
        {MF_MODE_DESCEND, 100925440, 29, 157}, {MF_MODE_ACRO, 327680, 65, 193},
        {MF_MODE_OFFBOARD, 393216, 17, 145},   {MF_MODE_STABILIZED, 458752, 81, 209},
        {MF_MODE_TERMINATION, 655360, 1, 129}, {MF_MODE_ORBIT, 16973824, 17, 145},
        {MF_MODE_FOLLOW, 134479872, 29, 157},
    };
    struct mf_msg_current_mode current;
    (void)state;
    assert_int_equal(sizeof k_want / sizeof k_want[0], MF_MODE_COUNT);
    for (size_t i = 0; i < sizeof k_want / sizeof k_want[0]; i++) {
        v.commander.mode = (uint8_t)k_want[i].mode;
        v.commander.armed = false;
        assert_int_equal(heartbeat().custom_mode, k_want[i].custom);
        assert_int_equal(heartbeat().base_mode, k_want[i].disarmed);
        v.commander.armed = true;
        assert_int_equal(heartbeat().custom_mode, k_want[i].custom);
        assert_int_equal(heartbeat().base_mode, k_want[i].armed);
        assert_true(mf_encode_current_mode(&v, T_US, &current));
        assert_int_equal(current.custom_mode, k_want[i].custom);
        assert_int_equal(current.intended_custom_mode, k_want[i].custom);
    }
    v.commander.mode = MF_MODE_RTL;
    assert_true(mf_encode_current_mode(&v, T_US, &current));
    assert_int_equal(current.standard_mode, 5);
}

static void test_available_modes(void **state)
{
    struct mf_msg_available_modes m;
    (void)state;
    assert_false(mf_encode_available_modes(0, &m));
    assert_false(mf_encode_available_modes(16, &m));
    assert_true(mf_encode_available_modes(1, &m));
    assert_int_equal(m.number_modes, 15);
    assert_int_equal(m.mode_index, 1);
    assert_int_equal(m.custom_mode, 65536);
    assert_int_equal(m.standard_mode, 0);
    assert_int_equal(m.properties, 1); /* advanced */
    assert_string_equal(m.mode_name, "Manual");
    assert_true(mf_encode_available_modes(3, &m)); /* Position */
    assert_int_equal(m.standard_mode, 1);
    assert_int_equal(m.properties, 0);
    assert_string_equal(m.mode_name, ""); /* a standard mode has its name by definition */
    assert_true(mf_encode_available_modes(15, &m));
    assert_int_equal(m.custom_mode, 655360);
    assert_int_equal(m.properties, 3); /* advanced, not for the user */
    assert_string_equal(m.mode_name, "Termination");
}

static void test_sim019_sys_status(void **state)
{
    struct mf_msg_sys_status m;
    (void)state;
    assert_true(mf_encode_sys_status(&v, T_US, &m));
    assert_int_equal(m.onboard_control_sensors_present, 0x1200C02F);
    assert_int_equal(m.onboard_control_sensors_enabled, 0x1200C02F);
    assert_int_equal(m.onboard_control_sensors_health, 0x1330C83F);
    assert_int_equal(m.load, 0);
    assert_int_equal(m.voltage_battery, 16200);
    assert_int_equal(m.current_battery, -1);
    assert_int_equal(m.battery_remaining, 100);
    assert_int_equal(m.drop_rate_comm + m.errors_comm, 0);
    assert_int_equal(m.errors_count1 + m.errors_count2 + m.errors_count3 + m.errors_count4, 0);
    assert_int_equal(m.onboard_control_sensors_present_extended, 0);
    assert_int_equal(m.onboard_control_sensors_enabled_extended, 0);
    assert_int_equal(m.onboard_control_sensors_health_extended, 0);
    lose_gps(); /* present, health and readiness go */
    assert_true(mf_encode_sys_status(&v, T_US, &m));
    assert_int_equal(m.onboard_control_sensors_present, 0x1200C00F);
    assert_int_equal(m.onboard_control_sensors_enabled, 0x1200C02F);
    assert_int_equal(m.onboard_control_sensors_health, 0x0330881F);
}

static void test_sim019_battery(void **state)
{
    struct mf_msg_sys_status s;
    struct mf_msg_battery_status m;
    (void)state;
    mock.power.battery = (struct mf_battery){.voltage_v = 15.501f,
                                             .current_a = 12.345f,
                                             .remaining = 0.554f,
                                             .consumed_mah = 1234.6f,
                                             .cells = 4};
    assert_true(mf_encode_sys_status(&v, T_US, &s));
    assert_int_equal(s.voltage_battery, 15501);
    assert_int_equal(s.current_battery, 1235); /* 1234.5 cA as a float: 1234.50003 */
    assert_int_equal(s.battery_remaining, 56); /* rounded up */
    assert_true(mf_encode_battery_status(&v, T_US, &m));
    assert_int_equal(m.id, 0);
    assert_int_equal(m.battery_function, 1); /* all */
    assert_int_equal(m.type, 1);             /* LiPo */
    assert_int_equal(m.temperature, 32767);
    static const uint16_t k_cells[10] = {3876,  3875,  3875,  3875,  65535,
                                         65535, 65535, 65535, 65535, 65535}; /* 15501 in all */
    assert_memory_equal(m.voltages, k_cells, sizeof k_cells);
    mock.power.battery.remaining = 0.500001f; /* a millionth more is a percent more */
    assert_true(mf_encode_sys_status(&v, T_US, &s));
    assert_int_equal(s.battery_remaining, 51);
    assert_int_equal(m.current_battery, 1235);
    assert_int_equal(m.current_consumed, 1235);
    assert_int_equal(m.energy_consumed, -1);
    assert_int_equal(m.battery_remaining, 55); /* rounded */
    assert_int_equal(m.time_remaining, 0);
    assert_int_equal(m.charge_state, 1);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(m.voltages_ext[i], 0);
    }
    assert_int_equal(m.mode, 0);
    assert_int_equal(m.fault_bitmask, 0);
}

static void test_sim019_battery_unknown(void **state)
{
    struct mf_msg_sys_status s;
    struct mf_msg_battery_status m;
    (void)state;
    mock.power.battery.remaining = -1.0f;
    mock.power.battery.cells = 0;
    assert_true(mf_encode_sys_status(&v, T_US, &s));
    assert_int_equal(s.battery_remaining, -1);
    assert_true(mf_encode_battery_status(&v, T_US, &m));
    assert_int_equal(m.battery_remaining, -1);
    assert_int_equal(m.current_battery, -1);
    assert_int_equal(m.current_consumed, -1);
    assert_int_equal(m.charge_state, 1);
    assert_int_equal(m.voltages[0], 16200);
    assert_int_equal(m.voltages[1], 65535);
    mock.power.result = MF_E_IO; /* no battery */
    assert_true(mf_encode_sys_status(&v, T_US, &s));
    assert_int_equal(s.voltage_battery, 65535);
    assert_int_equal(s.current_battery, -1);
    assert_int_equal(s.battery_remaining, -1);
    assert_false(mf_encode_battery_status(&v, T_US, &m));
}

static void test_battery_charge_state(void **state)
{
    static const struct {
        float remaining;
        int percent, up, charge_state;
    } k_want[] = {
        {1.0f, 100, 100, 1}, {0.151f, 15, 16, 1}, {0.15f, 15, 15, 1}, {0.149f, 15, 15, 2},
        {0.07f, 7, 7, 2},    {0.069f, 7, 7, 3},   {0.05f, 5, 5, 3},   {0.049f, 5, 5, 4},
        {0.001f, 0, 1, 4},   {0.0f, 0, 0, 4},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_want / sizeof k_want[0]; i++) {
        struct mf_msg_sys_status s;
        struct mf_msg_battery_status m;
        mock.power.battery.remaining = k_want[i].remaining;
        assert_true(mf_encode_battery_status(&v, T_US, &m));
        assert_int_equal(m.battery_remaining, k_want[i].percent);
        assert_int_equal(m.charge_state, k_want[i].charge_state);
        assert_true(mf_encode_sys_status(&v, T_US, &s));
        assert_int_equal(s.battery_remaining, k_want[i].up);
    }
}

static void test_estimator_status(void **state)
{
    struct mf_msg_estimator_status m;
    (void)state;
    assert_true(mf_encode_estimator_status(mf_estimate_at(&v, T_US), &m));
    assert_int_equal(m.time_usec, 12345678);
    assert_int_equal(m.flags, 0x33F);
    assert_near(m.pos_horiz_accuracy, 0.9, 1e-6);
    assert_near(m.pos_vert_accuracy, 1.78, 1e-6);
    assert_near(m.vel_ratio + m.pos_horiz_ratio + m.pos_vert_ratio, 0.0, 0.0);
    assert_near(m.mag_ratio + m.hagl_ratio + m.tas_ratio, 0.0, 0.0);
    lose_gps();
    assert_true(mf_encode_estimator_status(mf_estimate_at(&v, T_US), &m));
    assert_int_equal(m.flags, 0x027);
    assert_true(isnan(m.pos_horiz_accuracy));
}

static void test_sim021_extended_sys_state(void **state)
{
    static const enum mf_landed k_landed[] = {MF_LANDED_ON_GROUND, MF_LANDED_IN_AIR,
                                              MF_LANDED_TAKEOFF, MF_LANDED_LANDING};
    struct mf_msg_extended_sys_state m;
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        v.commander.landed = (uint8_t)k_landed[i];
        assert_true(mf_encode_extended_sys_state(&v, T_US, &m));
        assert_int_equal(m.landed_state, i + 1);
        assert_int_equal(m.vtol_state, 0);
    }
}

static void test_mission_current(void **state)
{
    struct mf_msg_mission_current m;
    (void)state;
    v.commander.mode = MF_MODE_HOLD;
    assert_true(mf_encode_mission_current(&v, T_US, &m));
    assert_int_equal(m.seq, 0);
    assert_int_equal(m.total, 65535);
    assert_int_equal(m.mission_state, 1); /* no mission */
    assert_int_equal(m.mission_mode, 2);  /* suspended */
    v.mission.count = 1;
    assert_true(mf_encode_mission_current(&v, T_US, &m));
    assert_int_equal(m.total, 1);
    v.mission.count = 7;
    v.mission.current = 3;
    v.mission.tag = 0xDEADBEEF;
    v.mission.fence_tag = 0x01020304;
    v.mission.rally_tag = 0xFFFFFFFF;
    static const struct {
        enum mf_mode mode;
        int mission_mode;
    } k_want[] = {{MF_MODE_MISSION, 1}, {MF_MODE_TAKEOFF, 1}, {MF_MODE_LAND, 1},
                  {MF_MODE_HOLD, 2},    {MF_MODE_RTL, 2},     {MF_MODE_MANUAL, 2}};
    for (size_t i = 0; i < sizeof k_want / sizeof k_want[0]; i++) {
        v.commander.mode = (uint8_t)k_want[i].mode;
        assert_true(mf_encode_mission_current(&v, T_US, &m));
        assert_int_equal(m.mission_mode, k_want[i].mission_mode);
        assert_int_equal(m.mission_state, mf_mission_state(&v));
    }
    assert_int_equal(m.seq, 3);
    assert_int_equal(m.total, 7);
    assert_true(m.mission_id == 0xDEADBEEF);
    assert_true(m.fence_id == 0x01020304);
    assert_true(m.rally_points_id == 0xFFFFFFFF);
}

static void test_system_time(void **state)
{
    struct mf_msg_system_time m;
    (void)state;
    mock.gnss.fix.utc_us = INT64_C(1700000000123456);
    mf_estimate_forget(&v);
    assert_true(mf_encode_system_time(mf_estimate_at(&v, T_US), &m));
    assert_true(m.time_unix_usec == 1700000000123456);
    assert_int_equal(m.time_boot_ms, 12345);
    mock.gnss.fix.utc_us = INT64_C(978307199999999); /* the last microsecond of 2000 */
    mf_estimate_forget(&v);
    assert_true(mf_encode_system_time(mf_estimate_at(&v, T_US), &m));
    assert_true(m.time_unix_usec == 0);
    lose_gps();
    assert_true(
        mf_encode_system_time(mf_estimate_at(&v, INT64_C(4294967296000)), &m)); /* 2^32 ms wrap */
    assert_true(m.time_unix_usec == 0);
    assert_int_equal(m.time_boot_ms, 0);
}

static void test_flight_information(void **state)
{
    struct mf_msg_flight_information m;
    (void)state;
    assert_true(mf_encode_flight_information(&v, T_US, &m));
    assert_true(m.arming_time_utc == 0 && m.takeoff_time_utc == 0 && m.flight_uuid == 0);
    assert_int_equal(m.landing_time, 0);
    assert_int_equal(m.time_boot_ms, 12345);
    v.params.value[MF_PARAM_COM_FLIGHT_UUID] = 4;
    v.commander.armed = true;
    v.commander.armed_us = 5000001;
    v.commander.took_off_us = 6000002;
    v.commander.landed = MF_LANDED_IN_AIR;
    v.commander.landed_us = 3000000; /* of the flight before */
    assert_true(mf_encode_flight_information(&v, T_US, &m));
    assert_true(m.arming_time_utc == 5000001 && m.takeoff_time_utc == 6000002);
    assert_true(m.flight_uuid == 4);
    assert_int_equal(m.landing_time, 0);
    v.commander.landed = MF_LANDED_ON_GROUND; /* armed again, not yet off */
    assert_true(mf_encode_flight_information(&v, T_US, &m));
    assert_int_equal(m.landing_time, 0);
    v.commander.landed = MF_LANDED_IN_AIR; /* touched down, and off again */
    v.commander.landed_us = 9876543;
    assert_true(mf_encode_flight_information(&v, T_US, &m));
    assert_int_equal(m.landing_time, 0);
    v.commander.landed = MF_LANDED_ON_GROUND;
    assert_true(mf_encode_flight_information(&v, T_US, &m));
    assert_int_equal(m.landing_time, 9876);
}

static void test_identity(void **state)
{
    struct mf_msg_autopilot_version a;
    struct mf_msg_protocol_version p;
    static const uint8_t k_uid2[18] = {0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11};
    static const uint8_t k_zero[8] = {0};
    /* ground stations show 0.2.0 from bytes 2 to 0, and 4d4159464c000200 as the hash */
    static const uint8_t k_custom[8] = {0x00, 0x02, 0x00, 0x4C, 0x46, 0x59, 0x41, 0x4D};
    (void)state;
    assert_true(mf_encode_autopilot_version(&v, T_US, &a));
    assert_true(a.capabilities == 59647);
    assert_true(a.flight_sw_version == 0x011100FF); /* 1.17.0 official */
    assert_true(a.middleware_sw_version == 0x011100FF);
    assert_int_equal(a.os_sw_version, 0);
    assert_int_equal(a.board_version, 0);
    assert_int_equal(a.vendor_id, 0);
    assert_int_equal(a.product_id, 0);
    assert_true(a.uid == 0x1122334455667788u);
    assert_memory_equal(a.uid2, k_uid2, 18);
    assert_memory_equal(a.flight_custom_version, k_custom, 8);
    assert_memory_equal(a.middleware_custom_version, k_custom, 8);
    assert_memory_equal(a.os_custom_version, k_custom, 8);
    assert_true(mf_encode_protocol_version(&v, T_US, &p));
    assert_int_equal(p.version, 200);
    assert_int_equal(p.min_version, 100);
    assert_int_equal(p.max_version, 203);
    assert_memory_equal(p.spec_version_hash, k_zero, 8);
}

/* A medium of 64 MiB, of which 60.5 are free. */
static void test_storage_is_that_of_the_logs(void **state)
{
    union mf_msg m;
    (void)state;
    mock.archive.room = (struct mf_archive_room){.total = 67108864, .free = 63438848};
    assert_true(mf_encode(&v, MF_STREAM_STORAGE_INFORMATION, T_US, &m));
    assert_int_equal(m.storage_information.storage_id, 1);
    assert_int_equal(m.storage_information.storage_count, 1);
    assert_int_equal(m.storage_information.status, 2); /* ready */
    assert_true(m.storage_information.total_capacity == 64.0f);
    assert_true(m.storage_information.available_capacity == 60.5f);
    assert_true(m.storage_information.used_capacity == 3.5f);
    assert_true(isnan(m.storage_information.read_speed));
}

static void test_what_is_not_simulated(void **state)
{
    union mf_msg m;
    (void)state;
    assert_true(mf_encode(&v, MF_STREAM_STORAGE_INFORMATION, T_US, &m));
    assert_int_equal(m.storage_information.time_boot_ms, 12345);
    assert_int_equal(m.storage_information.storage_id, 1);
    assert_int_equal(m.storage_information.storage_count, 0);
    assert_int_equal(m.storage_information.status, 0); /* empty */
    assert_true(mf_encode(&v, MF_STREAM_FENCE_STATUS, T_US, &m));
    assert_int_equal(m.fence_status.breach_status, 0);
    assert_int_equal(m.fence_status.breach_type, 0);
    assert_int_equal(m.fence_status.breach_count, 0);
    assert_true(mf_encode(&v, MF_STREAM_WIND_COV, T_US, &m));
    assert_int_equal(m.wind_cov.time_usec, 12345678);
    assert_near(m.wind_cov.wind_x, 0.0, 0.0);
    assert_true(mf_encode(&v, MF_STREAM_VIBRATION, T_US, &m));
    assert_int_equal(m.vibration.time_usec, 12345678);
    assert_near(m.vibration.vibration_z, 0.0, 0.0);
}

static void test_sim043_wind_is_what_the_airframe_says(void **state)
{
    struct mf_msg_wind_cov m;
    (void)state;
    mock.airframe.pose.wind_ne_mps[0] = -3.5f;
    mock.airframe.pose.wind_ne_mps[1] = 1.25f;
    mock.airframe.pose.gusts_mps = 0.5f;
    mf_estimate_forget(&v);
    assert_true(mf_encode_wind_cov(mf_estimate_at(&v, T_US), &m));
    assert_near(m.wind_x, -3.5, 0.0);
    assert_near(m.wind_y, 1.25, 0.0);
    assert_near(m.wind_z, 0.0, 0.0);
    assert_near(m.var_horiz, 0.5, 0.0);
}

static void test_servo_output(void **state)
{
    struct mf_msg_servo_output_raw m;
    (void)state;
    assert_true(mf_encode_servo_output_raw(&v, T_US, &m));
    assert_int_equal(m.time_usec, 12345678);
    assert_int_equal(m.servo1_raw, 900);
    assert_int_equal(m.servo4_raw, 900);
    assert_int_equal(m.servo5_raw, 0);
    assert_int_equal(m.servo16_raw, 0);
    v.commander.armed = true;
    assert_true(mf_encode_servo_output_raw(&v, T_US, &m));
    assert_int_equal(m.servo2_raw, 1000);
    v.commander.landed = MF_LANDED_LANDING;
    assert_true(mf_encode_servo_output_raw(&v, T_US, &m));
    assert_int_equal(m.servo3_raw, 1500);
}

/* Each channel stands in the field of its number. */
static void test_rc_channels(void **state)
{
    struct mf_msg_rc_channels m;
    (void)state;
    for (uint16_t i = 0; i < 18; i++) {
        v.inputs.channels.raw[i] = (uint16_t)(1001 + i);
    }
    v.inputs.channels.count = 18;
    assert_true(mf_encode_rc_channels(&v, T_US, &m));
    const uint16_t shown[] = {m.chan1_raw,  m.chan2_raw,  m.chan3_raw,  m.chan4_raw,  m.chan5_raw,
                              m.chan6_raw,  m.chan7_raw,  m.chan8_raw,  m.chan9_raw,  m.chan10_raw,
                              m.chan11_raw, m.chan12_raw, m.chan13_raw, m.chan14_raw, m.chan15_raw,
                              m.chan16_raw, m.chan17_raw, m.chan18_raw};
    for (uint16_t i = 0; i < 18; i++) {
        assert_int_equal(shown[i], 1001 + i);
    }
    assert_int_equal(m.chancount, 18);
    assert_int_equal(m.time_boot_ms, 12345);
}

/* Nothing but the time changes while the vehicle does not: no noise, no drift. */
static void test_sim043_no_noise(void **state)
{
    (void)state;
    v.commander.armed = true;
    v.commander.mode = MF_MODE_ORBIT;
    v.inputs.channels.count = 4;
    v.navigator.planned = true;
    for (int i = 0; i < MF_STREAM_COUNT; i++) {
        union mf_msg a, b;
        memset(&a, 0x55, sizeof a);
        memset(&b, 0xAA, sizeof b);
        assert_true(mf_encode(&v, (enum mf_stream)i, 1000000, &a));
        assert_true(mf_encode(&v, (enum mf_stream)i, 900000000, &b));
        const struct mf_msg_info *info = mf_msg_find(mf_stream_msgid((enum mf_stream)i));
        for (size_t k = 0; k < info->field_count; k++) {
            const struct mf_field *f = &mf_fields()[info->field_first + k];
            if (strncmp(mf_field_name(info, k), "time_", 5) == 0) {
                const size_t size = f->type == MF_WIRE_u64 ? 8 : 4;
                memset((char *)&a + f->offset, 0, size);
                memset((char *)&b + f->offset, 0, size);
            }
        }
        uint8_t bytes_a[MF_PAYLOAD_MAX], bytes_b[MF_PAYLOAD_MAX];
        const size_t n = mf_msg_pack(info, &a, bytes_a);
        assert_int_equal(mf_msg_pack(info, &b, bytes_b), n);
        assert_memory_equal(bytes_a, bytes_b, n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_sim015_heartbeat, setup),
        cmocka_unit_test_setup(test_sim015_system_status, setup),
        cmocka_unit_test_setup(test_sim034_modes, setup),
        cmocka_unit_test_setup(test_available_modes, setup),
        cmocka_unit_test_setup(test_sim019_sys_status, setup),
        cmocka_unit_test_setup(test_sim019_battery, setup),
        cmocka_unit_test_setup(test_sim019_battery_unknown, setup),
        cmocka_unit_test_setup(test_battery_charge_state, setup),
        cmocka_unit_test_setup(test_estimator_status, setup),
        cmocka_unit_test_setup(test_sim021_extended_sys_state, setup),
        cmocka_unit_test_setup(test_mission_current, setup),
        cmocka_unit_test_setup(test_system_time, setup),
        cmocka_unit_test_setup(test_flight_information, setup),
        cmocka_unit_test_setup(test_identity, setup),
        cmocka_unit_test_setup(test_storage_is_that_of_the_logs, setup),
        cmocka_unit_test_setup(test_what_is_not_simulated, setup),
        cmocka_unit_test_setup(test_sim043_wind_is_what_the_airframe_says, setup),
        cmocka_unit_test_setup(test_servo_output, setup),
        cmocka_unit_test_setup(test_rc_channels, setup),
        cmocka_unit_test_setup(test_sim043_no_noise, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
