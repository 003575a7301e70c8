/* SPDX-License-Identifier: Apache-2.0 */
/* From frames to handlers: what is answered, what is ignored, and that nothing breaks it. */
#include "tests/unit/firmware/flight_fixture.h"

static const struct mf_options k_default;

static struct mf_link_stats *stats(void)
{
    return &fx.links[0].stats;
}

static void receive(uint32_t msgid, const void *msg)
{
    mf_mock_feed_msg(&fx.mock, 0, msgid, msg);
    (void)mf_vehicle_step(&fx.v);
}

static void test_ping_to_everybody_is_echoed_to_its_sender(void **state)
{
    (void)state;
    struct mf_msg_ping m = {.time_usec = 0x0102030405060708u, .seq = 77};
    (void)fx_boot(k_default);
    receive(MF_MSG_PING, &m);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_PING, &m));
    assert_true(m.time_usec == 0x0102030405060708u);
    assert_int_equal(m.seq, 77);
    assert_int_equal(m.target_system, 245);
    assert_int_equal(m.target_component, 190);
    m.target_system = 1; /* an answer to us, of ours */
    receive(MF_MSG_PING, &m);
    assert_int_equal(fx_count(MF_MSG_PING), 0);
}

static void test_timesync_is_answered_in_nanoseconds(void **state)
{
    (void)state;
    struct mf_msg_timesync m = {.ts1 = INT64_MIN};
    (void)fx_boot(k_default);
    (void)fx_step_at(2500000);
    receive(MF_MSG_TIMESYNC, &m);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_TIMESYNC, &m));
    assert_true(m.tc1 == INT64_C(2500000000) && m.ts1 == INT64_MIN);
    assert_int_equal(m.target_system, 245);
    assert_int_equal(m.target_component, 190);
    m = (struct mf_msg_timesync){.tc1 = 5}; /* an answer */
    receive(MF_MSG_TIMESYNC, &m);
    m = (struct mf_msg_timesync){.target_system = 2}; /* to another */
    receive(MF_MSG_TIMESYNC, &m);
    assert_int_equal(fx_count(MF_MSG_TIMESYNC), 0);
}

static void test_no_event_can_be_sent_again(void **state)
{
    (void)state;
    struct mf_msg_request_event m = {.first_sequence = 7, .last_sequence = 9, .target_system = 1};
    struct mf_msg_response_event_error answer;
    (void)fx_boot(k_default);
    receive(MF_MSG_REQUEST_EVENT, &m);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_RESPONSE_EVENT_ERROR, &answer));
    assert_int_equal(answer.sequence, 7);
    assert_int_equal(answer.reason, 0); /* MAV_EVENT_ERROR_REASON_UNAVAILABLE */
    assert_int_equal(answer.target_system, 245);
    assert_int_equal(answer.target_component, 190);
    m.target_system = 2;
    receive(MF_MSG_REQUEST_EVENT, &m);
    assert_int_equal(fx_count(MF_MSG_RESPONSE_EVENT_ERROR), 0);
    assert_int_equal(stats()->rx_foreign, 1);
}

static void test_heartbeat_of_a_ground_station_is_noted(void **state)
{
    (void)state;
    struct mf_msg_heartbeat m = {.type = MAV_TYPE_ONBOARD_CONTROLLER};
    (void)fx_boot(k_default);
    (void)fx_step_at(3 * S);
    receive(MF_MSG_HEARTBEAT, &m);
    assert_true(fx.links[0].gcs_us == MF_NEVER);
    m.type = MAV_TYPE_GCS;
    receive(MF_MSG_HEARTBEAT, &m);
    assert_int_equal(fx.links[0].gcs_us, 3 * S);
}

static void test_origin_is_set_and_told(void **state)
{
    static const struct mf_msg_set_gps_global_origin k_bad[] = {
        {.latitude = 900000001, .target_system = 1},
        {.latitude = INT32_MIN, .target_system = 1},
        {.longitude = 1800000001, .target_system = 1},
        {.longitude = INT32_MIN, .target_system = 1},
    };
    (void)state;
    struct mf_msg_gps_global_origin got;
    struct mf_msg_set_gps_global_origin m = {
        .latitude = 475000001, .longitude = -1799999999, .altitude = -123456, .target_system = 1};
    (void)fx_boot(k_default);
    receive(MF_MSG_SET_GPS_GLOBAL_ORIGIN, &m);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_GPS_GLOBAL_ORIGIN, &got));
    assert_int_equal(got.latitude, 475000001);
    assert_int_equal(got.longitude, -1799999999);
    assert_int_equal(got.altitude, -123456);
    m.target_system = 2;
    receive(MF_MSG_SET_GPS_GLOBAL_ORIGIN, &m);
    assert_int_equal(stats()->rx_foreign, 1);
    for (size_t i = 0; i < 4; i++) {
        receive(MF_MSG_SET_GPS_GLOBAL_ORIGIN, &k_bad[i]);
    }
    assert_int_equal(stats()->rx_rejected, 4);
    assert_int_equal(fx_count(MF_MSG_GPS_GLOBAL_ORIGIN), 0);
}

static void test_what_nobody_handles_is_counted_and_not_answered(void **state)
{
    static const uint32_t k_msgid[] = {MF_MSG_REQUEST_DATA_STREAM, MF_MSG_COMMAND_ACK,
                                       MF_MSG_ATTITUDE, MF_MSG_STATUSTEXT};
    (void)state;
    const union mf_msg m = {0};
    (void)fx_boot(k_default);
    for (size_t i = 0; i < 4; i++) {
        receive(k_msgid[i], &m);
    }
    assert_int_equal(stats()->rx_unhandled, 4);
    assert_int_equal(fx.mock.port[0].frame_count, 0);
}

static void test_our_own_echo_is_rejected(void **state)
{
    (void)state;
    const struct mf_msg_command_long m = {.command = 401, .target_system = 1};
    (void)fx_boot(k_default);
    fx.mock.port[0].peer.sysid = 1;
    fx.mock.port[0].peer.compid = 1;
    receive(MF_MSG_COMMAND_LONG, &m);
    receive(MF_MSG_COMMAND_LONG, &m);
    assert_int_equal(stats()->rx_rejected, 2);
    assert_int_equal(fx_count(MF_MSG_COMMAND_ACK), 0);
    assert_int_equal(fx_count(MF_MSG_STATUSTEXT), 1);
    assert_true(mf_mock_logged(&fx.mock, "text", "own ids"));
}

static void test_our_own_ids_with_px4_strict(void **state)
{
    (void)state;
    const struct mf_msg_heartbeat m = {.type = 6};
    (void)fx_boot((struct mf_options){.px4_strict = true});
    fx.mock.port[0].peer.sysid = 1;
    fx.mock.port[0].peer.compid = 1;
    receive(MF_MSG_HEARTBEAT, &m);
    assert_int_equal(fx_count(MF_MSG_STATUSTEXT), 0);
    assert_true(mf_mock_logged(&fx.mock, "link", "own ids"));
}

/* 20 frames of 45 bytes: longer than what is read at once. */
static void test_a_datagram_of_many_frames(void **state)
{
    (void)state;
    struct mf_msg_command_long m = {.command = 401, .target_system = 1, .param7 = 1.0f};
    (void)fx_boot(k_default);
    fx.links[0].serial.datagram = true;
    for (int i = 0; i < 20; i++) {
        mf_mock_feed_msg(&fx.mock, 0, MF_MSG_COMMAND_LONG, &m);
    }
    (void)mf_vehicle_step(&fx.v);
    assert_int_equal(stats()->rx_frames, 20);
    assert_int_equal(stats()->rx_lost, 0);
}

/* A datagram that ends in the middle of a frame: the next one is not taken for its rest. */
static void test_frame_that_a_datagram_cuts_delays_nothing(void **state)
{
    static const uint8_t k_half[] = {0xFD, 0xFF, 0, 0, 0, 245, 190, 76, 0, 0};
    (void)state;
    const struct mf_msg_command_long m = {.command = 401, .target_system = 1};
    for (int datagram = 0; datagram < 2; datagram++) {
        (void)fx_boot(k_default);
        fx.links[0].serial.datagram = datagram != 0;
        mf_mock_feed(&fx.mock, 0, k_half, sizeof k_half);
        (void)mf_vehicle_step(&fx.v);
        receive(MF_MSG_COMMAND_LONG, &m);
        assert_int_equal(fx_count(MF_MSG_COMMAND_ACK), datagram != 0);
        (void)fx_step_at(999999);
        assert_int_equal(fx_count(MF_MSG_COMMAND_ACK), datagram != 0);
        (void)fx_step_at(1000000); /* on a stream: when nothing more has come for 1 s */
        assert_int_equal(fx_count(MF_MSG_COMMAND_ACK), 1);
    }
}

/* SIM-014: a stream may pause after any byte of a frame, for less than 1 s. */
static void test_sim014_a_stream_pauses_within_a_frame(void **state)
{
    static const uint8_t k_beat[] = {0xFD, 9, 0, 0, 0, 255, 190, 0, 0,    0,   0,
                                     0,    0, 0, 6, 8, 0,   4,   3, 0x3D, 0x48};
    (void)state;
    for (size_t cut = 1; cut < sizeof k_beat; cut++) {
        (void)fx_boot(k_default);
        mf_mock_feed(&fx.mock, 0, k_beat, cut);
        (void)mf_vehicle_step(&fx.v);
        (void)fx_step_at(999999);
        mf_mock_feed(&fx.mock, 0, k_beat + cut, sizeof k_beat - cut);
        (void)mf_vehicle_step(&fx.v);
        assert_int_equal(stats()->rx_frames, 1);
        assert_int_equal(fx.links[0].parser.stats.skipped, 0);
    }
}

/* SIM-014: bytes that begin an unknown message and, inside it, a known one of 81 bytes. */
static void test_sim014_a_command_behind_stray_bytes_is_answered(void **state)
{
    static const uint8_t k_stray[] = {0xFE, 0x37, 0x19, 0xF0, 0xEF, 0x37, 0x79, 0x40, 0xAC, 0x37,
                                      0x0B, 0xFE, 0x49, 0x56, 0xC0, 0x34, 0x8A, 0x98, 0x9B};
    (void)state;
    const struct mf_msg_command_long m = {.command = 401, .target_system = 1};
    (void)fx_boot(k_default);
    mf_mock_feed(&fx.mock, 0, k_stray, sizeof k_stray);
    (void)mf_vehicle_step(&fx.v);
    (void)fx_step_at(10000);
    receive(MF_MSG_COMMAND_LONG, &m);
    (void)fx_step_at(1010000);
    assert_int_equal(fx_count(MF_MSG_COMMAND_ACK), 1);
    mf_mock_feed(&fx.mock, 0, k_stray, 11); /* the unknown message only: nothing is waited for */
    receive(MF_MSG_COMMAND_LONG, &m);
    assert_int_equal(fx_count(MF_MSG_COMMAND_ACK), 2);
    assert_int_equal(fx.links[0].parser.stats.unknown, 0);
}

/* Every message of the table with a payload of ones, of zeros and of not-a-numbers. */
static void test_no_payload_of_any_message_breaks_it(void **state)
{
    static const uint8_t k_fill[] = {0xFF, 0x00, 0x7F, 0x80};
    (void)state;
    size_t count;
    (void)fx_boot(k_default);
    const struct mf_msg_info *table = mf_msg_table(&count);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < sizeof k_fill; k++) {
            uint8_t payload[MF_PAYLOAD_MAX];
            union mf_msg m;
            memset(payload, k_fill[k], sizeof payload);
            mf_msg_unpack(&table[i], payload, table[i].len_max, &m);
            receive(table[i].id, &m);
            mf_mock_clear(&fx.mock, 0);
            fx.mock.port[0].feed_len = fx.mock.port[0].feed_read = 0;
        }
    }
    assert_int_equal(stats()->rx_frames, 4 * count);
    assert_int_equal(fx_command(MAV_CMD_RUN_PREARM_CHECKS, NO_PARAMS), MAV_RESULT_ACCEPTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ping_to_everybody_is_echoed_to_its_sender),
        cmocka_unit_test(test_timesync_is_answered_in_nanoseconds),
        cmocka_unit_test(test_no_event_can_be_sent_again),
        cmocka_unit_test(test_heartbeat_of_a_ground_station_is_noted),
        cmocka_unit_test(test_origin_is_set_and_told),
        cmocka_unit_test(test_what_nobody_handles_is_counted_and_not_answered),
        cmocka_unit_test(test_our_own_echo_is_rejected),
        cmocka_unit_test(test_our_own_ids_with_px4_strict),
        cmocka_unit_test(test_a_datagram_of_many_frames),
        cmocka_unit_test(test_frame_that_a_datagram_cuts_delays_nothing),
        cmocka_unit_test(test_sim014_a_stream_pauses_within_a_frame),
        cmocka_unit_test(test_sim014_a_command_behind_stray_bytes_is_answered),
        cmocka_unit_test(test_no_payload_of_any_message_breaks_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
