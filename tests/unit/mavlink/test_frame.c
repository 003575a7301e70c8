/* SPDX-License-Identifier: Apache-2.0 */
/* Framing. Every expected frame was made by an independent implementation, none by our encoder. */
#include <math.h>

#include "tests/unit/mavlink/frame_fixture.h"

struct golden {
    const char *name;
    struct mf_sender from;
    uint32_t id;
    const char *hex;
    union mf_msg msg;
};

/* clang-format off */
static const struct golden k_golden[] = {
    {"heartbeat, PX4 quadrotor, hold, disarmed", {2, 0, 1, 1}, MF_MSG_HEARTBEAT,
     HEARTBEAT,
     {.heartbeat = {.custom_mode = 50593792, .type = 2, .autopilot = 12, .base_mode = 29,
      .system_status = 3, .mavlink_version = 3}}},
    {"heartbeat, version 1, ground station", {1, 7, 255, 190}, MF_MSG_HEARTBEAT,
     HEARTBEAT_V1,
     {.heartbeat = {.type = 6, .autopilot = 8, .system_status = 4, .mavlink_version = 3}}},
    {"arm", {2, 1, 245, 190}, MF_MSG_COMMAND_LONG,
     ARM,
     {.command_long = {.param1 = 1, .command = 400, .target_system = 1, .target_component = 1}}},
    {"take off, all NaN", {2, 2, 245, 190}, MF_MSG_COMMAND_LONG,
     "fd20000002f5be4c00000000c07f0000c07f0000c07f0000c07f0000c07f0000c07f0000c07f160001015be6",
     {.command_long = {.param1 = NAN, .param2 = NAN, .param3 = NAN, .param4 = NAN, .param5 = NAN,
      .param6 = NAN, .param7 = NAN, .command = 22, .target_system = 1, .target_component = 1}}},
    {"set mode AUTO/MISSION", {2, 3, 245, 190}, MF_MSG_COMMAND_LONG,
     "fd20000003f5be4c00000000803f00008040000080400000c07f0000c07f0000c07f0000c07fb00001012509",
     {.command_long = {.param1 = 1, .param2 = 4, .param3 = 4, .param4 = NAN, .param5 = NAN,
      .param6 = NAN, .param7 = NAN, .command = 176, .target_system = 1, .target_component = 1}}},
    {"reposition, frame 5", {2, 4, 245, 190}, MF_MSG_COMMAND_INT,
     "fd21000004f5be4b00000000c07f0000803f0000c07f0000c07f4a52401c42f417050040f943c00001010599d6",
     {.command_int = {.param1 = NAN, .param2 = 1, .param3 = NAN, .param4 = NAN, .x = 473977418,
      .y = 85455938, .z = 498.5f, .command = 192, .target_system = 1, .target_component = 1,
      .frame = 5}}},
    {"command accepted", {2, 5, 1, 1}, MF_MSG_COMMAND_ACK,
     COMMAND_ACK,
     {.command_ack = {.command = 400, .target_system = 245, .target_component = 190}}},
    {"set a real parameter", {2, 6, 245, 190}, MF_MSG_PARAM_SET,
     "fd17000006f5be1700000000204101014d49535f54414b454f46465f414c5400090ef7",
     {.param_set = {.param_value = 0x41200000, .target_system = 1, .target_component = 1,
      .param_id = "MIS_TAKEOFF_ALT", .param_type = 9}}},
    {"an integer parameter", {2, 7, 1, 1}, MF_MSG_PARAM_VALUE,
     "fd19000007010116000002000000780005004d41565f545950450000000000000000060a15",
     {.param_value = {.param_value = 2, .param_count = 120, .param_index = 5,
      .param_id = "MAV_TYPE", .param_type = 6}}},
    {"mission count", {2, 8, 245, 190}, MF_MSG_MISSION_COUNT,
     MISSION_COUNT,
     {.mission_count = {.count = 2, .target_system = 1, .target_component = 1}}},
    {"position fix with extensions", {2, 200, 1, 1}, MF_MSG_GPS_RAW_INT,
     "fd340000c80101180000141a99be1c0000004a52401c42f417054072070046006e000000ffff030a042b080084"
     "030000f40600009001000000000000a08ced56",
     {.gps_raw_int = {.time_usec = 123456789012, .lat = 473977418, .lon = 85455938, .alt = 488000,
      .eph = 70, .epv = 110, .cog = 65535, .fix_type = 3, .satellites_visible = 10,
      .alt_ellipsoid = 535300, .h_acc = 900, .v_acc = 1780, .vel_acc = 400, .yaw = 36000}}},
    {"position fix, version 1", {1, 200, 1, 1}, MF_MSG_GPS_RAW_INT,
     "fe1ec8010118141a99be1c0000004a52401c42f417054072070046006e000000ffff030a5d3d",
     {.gps_raw_int = {.time_usec = 123456789012, .lat = 473977418, .lon = 85455938, .alt = 488000,
      .eph = 70, .epv = 110, .cog = 65535, .fix_type = 3, .satellites_visible = 10}}},
    {"status, version 1", {1, 1, 1, 1}, MF_MSG_SYS_STATUS,
     "fe1f01010101010000000200000003000000f4013831ffff00000000000000000000000064cbee",
     {.sys_status = {.onboard_control_sensors_present = 1, .onboard_control_sensors_enabled = 2,
      .onboard_control_sensors_health = 3, .load = 500, .voltage_battery = 12600,
      .current_battery = -1, .battery_remaining = 100}}},
    {"command accepted, version 1", {1, 2, 1, 1}, MF_MSG_COMMAND_ACK,
     "fe030201014d900100347d",
     {.command_ack = {.command = 400}}},
    {"battery", {2, 200, 1, 1}, MF_MSG_BATTERY_STATUS,
     "fd290000c8010193000078000000ffffffff0cfea00fa10fa20fa30fffffffffffffffffffffffffffff000101"
     "57100e0000013910",
     {.battery_status = {.current_consumed = 120, .energy_consumed = -1, .temperature = -500,
      .voltages = {4000, 4001, 4002, 4003, 65535, 65535, 65535, 65535, 65535, 65535},
      .current_battery = -1, .battery_function = 1, .type = 1, .battery_remaining = 87,
      .time_remaining = 3600, .charge_state = 1}}},
    {"negative 64 bit", {2, 200, 1, 1}, MF_MSG_TIMESYNC,
     "fd100000c801016f00000000000000000000feffffffffffffff2267",
     {.timesync = {.tc1 = 0, .ts1 = -2}}},
    {"text, truncated", {2, 200, 1, 1}, MF_MSG_STATUSTEXT,
     "fd1a0000c80101fd00000641726d65642062792065787465726e616c20636f6d6d616e641738",
     {.statustext = {.severity = 6, .text = "Armed by external command"}}},
    {"an id of two bytes", {2, 200, 1, 1}, MF_MSG_OPEN_DRONE_ID_OPERATOR_ID,
     "fd270000c80101693200000000000000000000000000000000000000000000000046494e383761737472646765"
     "31326b389e84",
     {.open_drone_id_operator_id = {.operator_id = "FIN87astrdge12k8"}}},
    {"mission item", {2, 200, 1, 1}, MF_MSG_MISSION_ITEM_INT,
     "fd250000c801014900000000000000000000000000000000c07f4a52401c42f417050000cc4102001000010106"
     "0001b1c2",
     {.mission_item_int = {.param4 = 0x7FC00000, .x = 473977418, .y = 85455938, .z = 0x41CC0000,
      .seq = 2, .command = 16, .target_system = 1, .target_component = 1, .frame = 6,
      .autocontinue = 1}}},
    {"nothing but zeros keeps one byte", {2, 7, 1, 1}, MF_MSG_PARAM_REQUEST_LIST,
     "fd01000007010115000000205c",
     {.param_request_list = {0, 0}}},
};
/* clang-format on */

static void expect_message(const struct mf_frame *frame, const union mf_msg *expected,
                           size_t fields)
{
    union mf_msg msg;
    memset(&msg, 0xEE, sizeof msg);
    mf_msg_unpack(frame->info, frame->payload, frame->len, &msg);
    static const size_t k_size[] = {1, 1, 1, 2, 2, 4, 4, 4, 4, 8, 8};
    for (size_t i = 0; i < fields; i++) {
        const struct mf_field *field = &mf_fields()[frame->info->field_first + i];
        assert_memory_equal((const uint8_t *)&msg + field->offset,
                            (const uint8_t *)expected + field->offset,
                            k_size[field->type] * field->count);
    }
}

static void test_golden_frames_are_decoded(void **state)
{
    (void)state;
    for (const struct golden *golden = k_golden; golden < k_golden + COUNT_OF(k_golden); golden++) {
        print_message("  %s\n", golden->name);
        struct run run = {.frames = 0};
        feed_hex(&run, golden->hex);
        expect_found(&run, golden->hex);
        expect_stats(&run, 1, (struct mf_parser_stats){.unknown = 0});
        assert_false(mf_parser_pending(&run.parser));
        assert_int_equal(run.last.info->id, golden->id);
        assert_int_equal(run.last.version, golden->from.version);
        assert_int_equal(run.last.seq, golden->from.seq);
        assert_int_equal(run.last.sysid, golden->from.sysid);
        assert_int_equal(run.last.compid, golden->from.compid);
        expect_message(&run.last, &golden->msg, run.last.info->field_count);
    }
}

/* Exactly the frame: not a byte less or more, none of another content, none of an
 * unknown message. */
static void test_a_frame_is_read_where_it_lies(void **state)
{
    (void)state;
    for (const struct golden *golden = k_golden; golden < k_golden + COUNT_OF(k_golden); golden++) {
        struct bytes b = from_hex(golden->hex);
        const size_t n = b.n;
        struct mf_frame frame;
        assert_true(mf_frame_read(b.at, n, &frame));
        assert_ptr_equal(frame.raw, b.at);
        assert_int_equal(frame.raw_len, n);
        assert_int_equal(frame.info->id, golden->id);
        assert_int_equal(frame.seq, golden->from.seq);
        expect_message(&frame, &golden->msg, frame.info->field_count);
        b.at[n] = 0;
        assert_false(mf_frame_read(b.at, n + 1, &frame));
        assert_false(mf_frame_read(b.at, n - 1, &frame));
        assert_false(mf_frame_read(b.at, 1, &frame));
        assert_false(mf_frame_read(b.at, 0, &frame));
        b.at[n - 1] ^= 1u;
        assert_false(mf_frame_read(b.at, n, &frame));
    }
    const struct bytes unknown = from_hex(UNKNOWN_V2);
    struct mf_frame frame;
    assert_false(mf_frame_read(unknown.at, unknown.n, &frame));
}

static void test_golden_frames_are_encoded(void **state)
{
    (void)state;
    for (const struct golden *golden = k_golden; golden < k_golden + COUNT_OF(k_golden); golden++) {
        print_message("  %s\n", golden->name);
        const struct bytes expected = from_hex(golden->hex);
        uint8_t out[MF_FRAME_MAX];
        const size_t n = mf_frame_encode(&golden->from, mf_msg_find(golden->id), &golden->msg, out);
        assert_int_equal(n, expected.n);
        assert_memory_equal(out, expected.at, n);
    }
}

/* The check value that catalogues of CRCs give for CRC-16/MCRF4XX. */
/* Bit by bit, as the textbook has it. */
static uint16_t slow_crc16(uint16_t crc, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = (uint16_t)((crc & 1u) != 0 ? crc >> 1 ^ 0x8408u : crc >> 1);
        }
    }
    return crc;
}

static void test_crc16_of_any_length(void **state)
{
    (void)state;
    uint8_t bytes[64];
    uint32_t random = 1;
    for (int turn = 0; turn < 1000; turn++) {
        for (size_t i = 0; i < sizeof bytes; i++) {
            random = random * 1664525u + 1013904223u;
            bytes[i] = (uint8_t)(random >> 24);
        }
        const size_t from = bytes[0] % 4u, n = (size_t)turn % 60u;
        const uint16_t begin = (uint16_t)(random >> 8);
        assert_int_equal(mf_crc16(begin, bytes + from, n), slow_crc16(begin, bytes + from, n));
    }
}

static void test_crc16_check_value(void **state)
{
    (void)state;
    const uint8_t *digits = (const uint8_t *)"123456789";
    assert_int_equal(mf_crc16(0xFFFF, digits, 9), 0x6F91);
    assert_int_equal(mf_crc16(mf_crc16(0xFFFF, digits, 4), digits + 4, 5), 0x6F91);
    assert_int_equal(mf_crc16(0x1234, digits, 0), 0x1234);
}

static void test_version_1_carries_no_id_above_255(void **state)
{
    (void)state;
    const struct mf_msg_current_mode mode = {.custom_mode = 1};
    const struct mf_sender from = {.version = 1, .sysid = 1, .compid = 1};
    uint8_t out[MF_FRAME_MAX];
    assert_int_equal(mf_frame_encode(&from, mf_msg_find(MF_MSG_CURRENT_MODE), &mode, out), 0);
}

static void test_version_1_carries_no_extensions(void **state)
{
    (void)state;
    const struct mf_msg_command_ack ack = {.command = 400,
                                           .progress = 9,
                                           .result_param2 = 9,
                                           .target_system = 9,
                                           .target_component = 9};
    const struct mf_sender from = {.version = 1, .seq = 2, .sysid = 1, .compid = 1};
    const struct bytes expected = from_hex("fe030201014d900100347d");
    uint8_t out[MF_FRAME_MAX];
    assert_int_equal(mf_frame_encode(&from, mf_msg_find(MF_MSG_COMMAND_ACK), &ack, out),
                     expected.n);
    assert_memory_equal(out, expected.at, expected.n);
}

static void test_a_full_payload_is_not_truncated(void **state)
{
    (void)state;
    struct mf_msg_file_transfer_protocol ftp;
    memset(&ftp, 0xAB, sizeof ftp);
    const struct mf_sender from = {.version = 2};
    uint8_t out[MF_FRAME_MAX];
    const struct mf_msg_info *info = mf_msg_find(MF_MSG_FILE_TRANSFER_PROTOCOL);
    assert_int_equal(mf_frame_encode(&from, info, &ftp, out), 10 + 254 + 2);
    assert_int_equal(out[1], 254);
}

static void test_untruncated_frame_is_accepted(void **state)
{
    (void)state;
    static const char k_arm[] = "fd21000001f5be4c00000000803f00000000000000000000000000000000000000"
                                "000000000090010101009501";
    struct run run = {.frames = 0};
    feed_hex(&run, k_arm);
    expect_found(&run, k_arm);
    const union mf_msg expected = {
        .command_long = {.param1 = 1, .command = 400, .target_system = 1, .target_component = 1}};
    expect_message(&run.last, &expected, run.last.info->field_count);
}

static void test_empty_payload_is_accepted(void **state)
{
    (void)state;
    struct run run = {.frames = 0};
    feed_hex(&run, "fd000000060101f500004375");
    assert_int_equal(run.frames, 1);
    assert_int_equal(run.last.len, 0);
    const union mf_msg expected = {.extended_sys_state = {0, 0}};
    expect_message(&run.last, &expected, 2);
}

static void test_newer_extension_is_accepted(void **state)
{
    (void)state;
    static const char k_longer[] = "fd0c000005010100000000000403020c1d0303010203dc4d";
    struct run run = {.frames = 0};
    feed_hex(&run, k_longer);
    expect_found(&run, k_longer);
    expect_message(&run.last, &k_golden[0].msg, 6);
}

static void test_longest_payload_is_accepted(void **state)
{
    (void)state;
    const struct bytes longest = longest_heartbeat();
    struct run run = {.frames = 0};
    feed(&run, longest.at, longest.n);
    assert_int_equal(run.frames, 1);
    assert_int_equal(run.last.len, 255);
    assert_int_equal(run.last.raw_len, 267);
    expect_message(&run.last, &k_golden[0].msg, 6);
}

/* Version 1 does not truncate, but what has passed its checksum is not worth losing. */
static void test_short_version_1_frame_reads_zeros(void **state)
{
    (void)state;
    struct run run = {.frames = 0};
    feed_hex(&run, "fe05060101000000040302d663");
    assert_int_equal(run.frames, 1);
    const union mf_msg expected = {.heartbeat = {.custom_mode = 50593792, .type = 2}};
    expect_message(&run.last, &expected, 6);

    feed_hex(&run, "fe00060101001e67");
    assert_int_equal(run.frames, 2);
    const union mf_msg nothing = {.heartbeat = {.custom_mode = 0}};
    expect_message(&run.last, &nothing, 6);
}

/* Six bytes say that a version 1 frame is longer than its message: nothing is waited for. */
static void test_a_header_is_enough_to_refuse(void **state)
{
    (void)state;
    struct run run = {.frames = 0};
    feed_hex(&run, "feff00010100");
    assert_false(mf_parser_pending(&run.parser));
    expect_stats(&run, 0, (struct mf_parser_stats){.skipped = 6});
}

static void test_signed_frame_includes_its_signature(void **state)
{
    (void)state;
    struct run run = {.frames = 0};
    feed_hex(&run, HEARTBEAT_SIGNED HEARTBEAT);
    expect_found(&run, HEARTBEAT_SIGNED HEARTBEAT);
    expect_stats(&run, 2, (struct mf_parser_stats){.unknown = 0});

    struct run only = {.frames = 0};
    feed_hex(&only, HEARTBEAT_SIGNED);
    assert_int_equal(only.last.raw_len, 10 + 9 + 2 + 13);
    assert_int_equal(only.last.incompat, MF_INCOMPAT_SIGNED);
    assert_int_equal(only.last.len, 9);
}

static void test_mixed_versions(void **state)
{
    (void)state;
    struct run run = {.frames = 0};
    feed_hex(&run, HEARTBEAT HEARTBEAT_V1 COMMAND_ACK HEARTBEAT_V1);
    expect_found(&run, HEARTBEAT HEARTBEAT_V1 COMMAND_ACK HEARTBEAT_V1);
    expect_stats(&run, 4, (struct mf_parser_stats){.unknown = 0});
}

static void test_garbage_between_frames_is_skipped(void **state)
{
    (void)state;
    struct run run = {.frames = 0};
    feed_hex(&run, "00112233" HEARTBEAT "aabb" COMMAND_ACK "0a0d" HEARTBEAT_V1 "0102030405");
    expect_found(&run, HEARTBEAT COMMAND_ACK HEARTBEAT_V1);
    expect_stats(&run, 3, (struct mf_parser_stats){.skipped = 13});
}

static void test_bad_checksum_costs_only_its_frame(void **state)
{
    (void)state;
    for (size_t damaged = 4; damaged < 21;
         damaged++) { /* any byte that leaves length and flags alone */
        if (damaged >= 7 && damaged <= 9) {
            continue; /* the id: another message, or an unknown one */
        }
        struct bytes stream = from_hex(HEARTBEAT COMMAND_ACK);
        stream.at[damaged] ^= 0x01;
        struct run run = {.frames = 0};
        feed(&run, stream.at, stream.n);
        expect_found(&run, COMMAND_ACK);
        expect_stats(&run, 1, (struct mf_parser_stats){.bad_crc = 1, .skipped = 21});
    }
}

static void test_unknown_flags_are_refused(void **state)
{
    (void)state;
    struct run run = {.frames = 0};
    feed_hex(&run, "fd09020006010100000000000403020c1d0303a102" HEARTBEAT);
    expect_found(&run, HEARTBEAT);
    expect_stats(&run, 1, (struct mf_parser_stats){.bad_flags = 1, .skipped = 21});
}

static void test_half_a_frame_does_not_cost_the_next(void **state)
{
    (void)state;
    const struct bytes ack = from_hex(COMMAND_ACK);
    for (size_t half = 1; half < ack.n; half++) {
        struct run run = {.frames = 0};
        feed(&run, ack.at, half);
        feed_hex(&run, HEARTBEAT HEARTBEAT_V1 MISSION_COUNT);
        flush(&run);
        expect_found(&run, HEARTBEAT HEARTBEAT_V1 MISSION_COUNT);
        assert_int_equal(run.parser.stats.skipped, half);
    }
}

/* A start byte with a great length swallows nothing: what it pretended to contain is searched. */
static void test_frames_behind_a_false_start_survive(void **state)
{
    (void)state;
    struct run run = {.frames = 0};
    feed_hex(&run, "fdff0000aa" HEARTBEAT COMMAND_ACK);
    assert_int_equal(run.frames, 0);
    assert_true(mf_parser_pending(&run.parser));
    mf_parser_flush(&run.parser);
    take_frames(&run);
    expect_found(&run, HEARTBEAT COMMAND_ACK);
    expect_stats(&run, 2, (struct mf_parser_stats){.skipped = 5});
    assert_false(mf_parser_pending(&run.parser));
}

static void test_flush_gives_up_one_start_at_a_time(void **state)
{
    (void)state;
    struct run run = {.frames = 0};
    feed_hex(&run, "fdff"
                   "feff"
                   "fdfe" HEARTBEAT "fd0900");
    flush(&run);
    expect_found(&run, HEARTBEAT);
    expect_stats(&run, 1, (struct mf_parser_stats){.bad_flags = 2, .skipped = 9});
}

static void test_flush_of_nothing_and_of_whole_frames_does_nothing(void **state)
{
    (void)state;
    struct run run = {.frames = 0};
    mf_parser_flush(&run.parser);
    assert_false(mf_parser_pending(&run.parser));
    const struct bytes heartbeat = from_hex(HEARTBEAT);
    assert_int_equal(mf_parser_feed(&run.parser, heartbeat.at, heartbeat.n), heartbeat.n);
    mf_parser_flush(&run.parser);
    take_frames(&run);
    expect_found(&run, HEARTBEAT);
    expect_stats(&run, 1, (struct mf_parser_stats){.unknown = 0});
}

static void test_unknown_messages_are_counted_and_skipped(void **state)
{
    (void)state;
    struct run run = {.frames = 0};
    feed_hex(&run, UNKNOWN_V2 HEARTBEAT UNKNOWN_V1 UNKNOWN_V2 COMMAND_ACK);
    expect_found(&run, HEARTBEAT COMMAND_ACK);
    expect_stats(&run, 2, (struct mf_parser_stats){.unknown = 3});
}

static void test_unknown_message_at_the_end_waits_for_flush(void **state)
{
    (void)state;
    struct run run = {.frames = 0};
    feed_hex(&run, HEARTBEAT UNKNOWN_V1);
    expect_stats(&run, 1, (struct mf_parser_stats){.unknown = 0});
    assert_true(mf_parser_pending(&run.parser));
    flush(&run);
    expect_stats(&run, 1, (struct mf_parser_stats){.unknown = 1});
}

/* Garbage may look like a frame of an unknown message; the good frames in it are found all the
 * same. */
static void test_what_seems_an_unknown_message_swallows_no_frame(void **state)
{
    (void)state;
    struct run run = {.frames = 0};
    feed_hex(&run, "fd1a000000010128235a" HEARTBEAT HEARTBEAT_V1 COMMAND_ACK);
    expect_found(&run, HEARTBEAT HEARTBEAT_V1 COMMAND_ACK);
    expect_stats(&run, 3, (struct mf_parser_stats){.skipped = 10});
}

static void test_frames_split_at_every_byte(void **state)
{
    (void)state;
    static const char k_stream[] = HEARTBEAT COMMAND_ACK HEARTBEAT_SIGNED HEARTBEAT_V1;
    const struct bytes stream = from_hex(k_stream);
    for (size_t cut = 0; cut <= stream.n; cut++) {
        struct run run = {.frames = 0};
        feed(&run, stream.at, cut);
        feed(&run, stream.at + cut, stream.n - cut);
        expect_found(&run, k_stream);
        expect_stats(&run, 4, (struct mf_parser_stats){.unknown = 0});
    }
}

static void test_more_than_the_buffer_holds(void **state)
{
    (void)state;
    const struct bytes longest = longest_heartbeat();
    struct bytes stream = {.n = 0};
    for (int i = 0; i < 15; i++) {
        append(&stream, longest.at, longest.n);
    }
    struct run run = {.frames = 0};
    assert_int_equal(mf_parser_feed(&run.parser, stream.at, stream.n), MF_PARSER_BYTES);
    assert_int_equal(mf_parser_feed(&run.parser, stream.at + MF_PARSER_BYTES, 1), 0);
    take_frames(&run);
    feed(&run, stream.at + MF_PARSER_BYTES, stream.n - MF_PARSER_BYTES);
    assert_int_equal(run.found.n, stream.n);
    assert_memory_equal(run.found.at, stream.at, stream.n);
    expect_stats(&run, 15, (struct mf_parser_stats){.unknown = 0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_frames_are_decoded),
        cmocka_unit_test(test_a_frame_is_read_where_it_lies),
        cmocka_unit_test(test_golden_frames_are_encoded),
        cmocka_unit_test(test_crc16_check_value),
        cmocka_unit_test(test_crc16_of_any_length),
        cmocka_unit_test(test_version_1_carries_no_id_above_255),
        cmocka_unit_test(test_version_1_carries_no_extensions),
        cmocka_unit_test(test_a_full_payload_is_not_truncated),
        cmocka_unit_test(test_untruncated_frame_is_accepted),
        cmocka_unit_test(test_empty_payload_is_accepted),
        cmocka_unit_test(test_newer_extension_is_accepted),
        cmocka_unit_test(test_longest_payload_is_accepted),
        cmocka_unit_test(test_short_version_1_frame_reads_zeros),
        cmocka_unit_test(test_a_header_is_enough_to_refuse),
        cmocka_unit_test(test_signed_frame_includes_its_signature),
        cmocka_unit_test(test_mixed_versions),
        cmocka_unit_test(test_garbage_between_frames_is_skipped),
        cmocka_unit_test(test_bad_checksum_costs_only_its_frame),
        cmocka_unit_test(test_unknown_flags_are_refused),
        cmocka_unit_test(test_half_a_frame_does_not_cost_the_next),
        cmocka_unit_test(test_frames_behind_a_false_start_survive),
        cmocka_unit_test(test_flush_gives_up_one_start_at_a_time),
        cmocka_unit_test(test_flush_of_nothing_and_of_whole_frames_does_nothing),
        cmocka_unit_test(test_unknown_messages_are_counted_and_skipped),
        cmocka_unit_test(test_unknown_message_at_the_end_waits_for_flush),
        cmocka_unit_test(test_what_seems_an_unknown_message_swallows_no_frame),
        cmocka_unit_test(test_frames_split_at_every_byte),
        cmocka_unit_test(test_more_than_the_buffer_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
