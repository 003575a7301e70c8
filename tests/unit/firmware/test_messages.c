/* SPDX-License-Identifier: Apache-2.0 */
/* Every message that clients of PX4 may ask for, by number: it is served, by REQUEST_MESSAGE and at
 * an interval, or refused for a reason that stands here. */
#include "tests/unit/firmware/flight_fixture.h"

enum served {
    STREAM,   /* on request and at an interval */
    AIRBORNE, /* the same, once there is something to tell of: in flight */
    ORBITING, /* the same, while one is flown (tests/sim/test_orbit.c) */
    STICKS,   /* the same, while a client plays a transmitter (tests/sim/test_manual.c) */
    REQUEST,  /* on request only */
    NEVER     /* refused */
};

static const struct mf_options k_default;

static const struct {
    uint32_t msgid;
    enum served served;
    const char *why; /* of REQUEST and NEVER */
} k_message[] = {
    {0, REQUEST, "its rate cannot be changed, as in PX4"},
    {1, STREAM, NULL}, /* SYS_STATUS */
    {2, STREAM, NULL}, /* SYSTEM_TIME */
    {4, NEVER, "PING: clients' are answered, own ones are not sent"},
    {22, NEVER, "PARAM_VALUE: answer of the parameter protocol"},
    {24, STREAM, NULL}, /* GPS_RAW_INT */
    {29, STREAM, NULL}, /* SCALED_PRESSURE */
    {30, STREAM, NULL}, /* ATTITUDE */
    {31, STREAM, NULL}, /* ATTITUDE_QUATERNION */
    {32, STREAM, NULL}, /* LOCAL_POSITION_NED */
    {33, STREAM, NULL}, /* GLOBAL_POSITION_INT */
    {36, STREAM, NULL}, /* SERVO_OUTPUT_RAW */
    {39, NEVER, "MISSION_ITEM: mission protocol"},
    {40, NEVER, "MISSION_REQUEST: mission protocol"},
    {42, STREAM, NULL}, /* MISSION_CURRENT */
    {44, NEVER, "MISSION_COUNT: mission protocol"},
    {46, NEVER, "MISSION_ITEM_REACHED: sent once when it happens"},
    {47, NEVER, "MISSION_ACK: mission protocol"},
    {49, STREAM, NULL}, /* GPS_GLOBAL_ORIGIN */
    {51, NEVER, "MISSION_REQUEST_INT: mission protocol"},
    {62, AIRBORNE, NULL}, /* NAV_CONTROLLER_OUTPUT */
    {65, STICKS, NULL},   /* RC_CHANNELS */
    {73, NEVER, "MISSION_ITEM_INT: mission protocol"},
    {74, STREAM, NULL}, /* VFR_HUD */
    {77, NEVER, "COMMAND_ACK: answer of the command protocol"},
    {83, AIRBORNE, NULL}, /* ATTITUDE_TARGET */
    {85, AIRBORNE, NULL}, /* POSITION_TARGET_LOCAL_NED */
    {87, AIRBORNE, NULL}, /* POSITION_TARGET_GLOBAL_INT */
    {105, STREAM, NULL},  /* HIGHRES_IMU */
    {110, NEVER, "FILE_TRANSFER_PROTOCOL: answers only"},
    {111, NEVER, "TIMESYNC: clients' are answered, own ones are not sent"},
    {115, STREAM, NULL}, /* HIL_STATE_QUATERNION */
    {118, NEVER, "LOG_ENTRY: log protocol"},
    {120, NEVER, "LOG_DATA: log protocol"},
    {126, NEVER, "SERIAL_CONTROL: what the shell says"},
    {141, STREAM, NULL}, /* ALTITUDE */
    {147, STREAM, NULL}, /* BATTERY_STATUS */
    {148, STREAM, NULL}, /* AUTOPILOT_VERSION */
    {162, STREAM, NULL}, /* FENCE_STATUS */
    {230, STREAM, NULL}, /* ESTIMATOR_STATUS */
    {231, STREAM, NULL}, /* WIND_COV */
    {241, STREAM, NULL}, /* VIBRATION */
    {242, STREAM, NULL}, /* HOME_POSITION */
    {244, REQUEST, "MESSAGE_INTERVAL: param2 says of which message"},
    {245, STREAM, NULL}, /* EXTENDED_SYS_STATE */
    {253, NEVER, "STATUSTEXT: sent when there is something to say"},
    {261, STREAM, NULL}, /* STORAGE_INFORMATION */
    {264, STREAM, NULL}, /* FLIGHT_INFORMATION */
    {300, STREAM, NULL}, /* PROTOCOL_VERSION */
    {331, STREAM, NULL}, /* ODOMETRY */
    {340, STREAM, NULL}, /* UTM_GLOBAL_POSITION */
    {345, NEVER, "PARAM_ERROR: answer of the parameter protocol"},
    {360, ORBITING, NULL}, /* ORBIT_EXECUTION_STATUS */
    {291, STREAM, NULL},   /* ESC_STATUS */
    {375, STREAM, NULL},   /* ACTUATOR_OUTPUT_STATUS */
    {395, STREAM, NULL},   /* COMPONENT_INFORMATION */
    {397, STREAM, NULL},   /* COMPONENT_METADATA */
    {410, NEVER, "EVENT: there are texts instead"},
    {411, NEVER, "CURRENT_EVENT_SEQUENCE: there are no events"},
    {413, NEVER, "RESPONSE_EVENT_ERROR: there are no events"},
    {435, REQUEST, "AVAILABLE_MODES: param2 says which"},
    {436, STREAM, NULL},   /* CURRENT_MODE */
    {437, STREAM, NULL},   /* AVAILABLE_MODES_MONITOR */
    {12900, STREAM, NULL}, /* OPEN_DRONE_ID_BASIC_ID */
    {12901, STREAM, NULL}, /* OPEN_DRONE_ID_LOCATION */
    {12904, STREAM, NULL}, /* OPEN_DRONE_ID_SYSTEM */
    {12905, STREAM, NULL}, /* OPEN_DRONE_ID_OPERATOR_ID */
};

#define MESSAGES (sizeof k_message / sizeof k_message[0])

static void expect(bool holds, uint32_t msgid, const char *what)
{
    if (!holds) {
        fail_msg("message %u: %s", (unsigned)msgid, what);
    }
}

static void request(uint32_t msgid, bool served)
{
    const float id = (float)msgid;
    mf_mock_clear(&fx.mock, 0);
    expect((fx_command(512, (const float[7]){id}) == 0) == served, msgid, "REQUEST_MESSAGE");
    expect((fx_count(msgid) > 0) == served, msgid, "after REQUEST_MESSAGE");
}

static void test_request_message(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    for (size_t i = 0; i < MESSAGES; i++) {
        const enum served served = k_message[i].served;
        expect((k_message[i].why != NULL) == (served == REQUEST || served == NEVER),
               k_message[i].msgid, "a reason for what is not served");
        request(k_message[i].msgid, served == STREAM || served == REQUEST);
    }
    (void)fx_airborne(k_default, 10.0);
    assert_int_equal(fx_reposition(NAN, NAN, HERE_LAT + 0.001, HERE_LON, NAN), 0);
    (void)fx_step_at(2 * S);
    for (size_t i = 0; i < MESSAGES; i++) {
        const enum served served = k_message[i].served;
        request(k_message[i].msgid, served != NEVER && served != ORBITING && served != STICKS);
    }
}

/* 50 ms: at 2.10, 2.15, ... 3.00 s. */
static void test_sim016_sim018_set_message_interval(void **state)
{
    (void)state;
    for (size_t i = 0; i < MESSAGES; i++) {
        const uint32_t msgid = k_message[i].msgid;
        const enum served kind = k_message[i].served;
        const bool served = kind != REQUEST && kind != NEVER;
        const float id = (float)msgid;
        (void)fx_airborne(k_default, 10.0);
        assert_int_equal(fx_reposition(NAN, NAN, HERE_LAT + 0.001, HERE_LON, NAN), 0);
        (void)fx_step_at(2 * S + 1);
        expect((fx_command(511, (const float[7]){id, 50000.0f}) == 0) == served, msgid,
               "SET_MESSAGE_INTERVAL");
        if (served) {
            mf_mock_clear(&fx.mock, 0);
            for (mf_us_t t_us = 2050000; t_us <= 3 * S; t_us += 10000) {
                (void)fx_step_at(t_us);
            }
            expect(fx_count(msgid) >= 20 || kind == ORBITING || kind == STICKS, msgid,
                   "20 times in a second");
            assert_int_equal(fx_command(511, (const float[7]){id, -1.0f}), 0);
            mf_mock_clear(&fx.mock, 0);
            (void)fx_step_at(4 * S);
            expect(fx_count(msgid) == 0, msgid, "not when it is off");
        }
    }
}

/* Every stream of ours is in the table above. */
static void test_no_stream_is_forgotten(void **state)
{
    (void)state;
    for (int stream = 0; stream < MF_STREAM_COUNT; stream++) {
        const uint32_t msgid = mf_stream_msgid((enum mf_stream)stream);
        bool listed = false;
        for (size_t i = 0; i < MESSAGES; i++) {
            listed = listed || k_message[i].msgid == msgid;
        }
        expect(listed, msgid, "a stream that no client of PX4 knows");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_request_message),
        cmocka_unit_test(test_sim016_sim018_set_message_interval),
        cmocka_unit_test(test_no_stream_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
