/* SPDX-License-Identifier: Apache-2.0 */
/* Where two recordings part (SIM-042), and the telemetry log that is made of one. */
#include "tools/replay/compare.h"
#include "tools/replay/tlog.h"

#include "mavlink/frame.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CUT_BYTES 3

/* A recording in memory. */
struct tape {
    uint8_t bytes[65536];
    size_t len;
};

static struct tape s_recorded, s_replayed;
static struct replay_source s_a, s_b;
static char s_report[REPLAY_REPORT_MAX];

static void begin(struct tape *tape)
{
    mf_recording_header(tape->bytes);
    tape->len = MF_RECORDING_HEADER_BYTES;
}

static void add(struct tape *tape, const struct mf_record *record)
{
    tape->len += mf_record_encode(record, tape->bytes + tape->len);
}

static void add_clock(struct tape *tape, int64_t vehicle_us, int64_t transport_us)
{
    add(tape, &(struct mf_record){.type = MF_RECORD_CLOCK, .value = {vehicle_us, transport_us}});
}

static void add_message(struct tape *tape, enum mf_record_type type, uint16_t link, uint32_t msgid,
                        uint8_t seq, const void *msg)
{
    uint8_t frame[MF_FRAME_MAX];
    const size_t n =
        mf_frame_encode(&(struct mf_sender){2, seq, 1, 1}, mf_msg_find(msgid), msg, frame);
    add(tape, &(struct mf_record){.type = type, .link = link, .bytes = frame, .n = n});
}

/* Boot, a client on link 3, a first pass. */
static void add_start(struct tape *tape)
{
    uint8_t name[MF_RECORD_NAME_BYTES] = "tcp 127.0.0.1:40000";
    begin(tape);
    add(tape, &(struct mf_record){
                  .type = MF_RECORD_SETTING, .bytes = (const uint8_t *)"sysid=1", .n = 7});
    add(tape, &(struct mf_record){.type = MF_RECORD_BOOT, .value = {INT64_C(1700000000000000)}});
    add_clock(tape, 0, 0);
    add(tape,
        &(struct mf_record){.type = MF_RECORD_OPEN, .link = 3, .bytes = name, .n = sizeof name});
    add_clock(tape, 10, 10);
    add(tape, &(struct mf_record){.type = MF_RECORD_STEP});
    add_clock(tape, 12345678, 2000000);
}

static void add_end(struct tape *tape)
{
    add(tape, &(struct mf_record){.type = MF_RECORD_END});
}

static enum replay_verdict compare(void)
{
    FILE *a = fmemopen(s_recorded.bytes, s_recorded.len, "rb");
    FILE *b = fmemopen(s_replayed.bytes, s_replayed.len, "rb");
    assert_non_null(a);
    assert_non_null(b);
    replay_source_init(&s_a, "a", a);
    replay_source_init(&s_b, "b", b);
    const enum replay_verdict verdict = replay_compare(&s_a, &s_b, s_report);
    (void)fclose(a);
    (void)fclose(b);
    return verdict;
}

static int setup(void **state)
{
    (void)state;
    add_start(&s_recorded);
    add_start(&s_replayed);
    return 0;
}

static void test_equal(void **state)
{
    (void)state;
    const struct mf_msg_ping ping = {.seq = 4};
    add_message(&s_recorded, MF_RECORD_OUT, 3, MF_MSG_PING, 0, &ping);
    add_message(&s_replayed, MF_RECORD_OUT, 3, MF_MSG_PING, 0, &ping);
    add_end(&s_recorded);
    add_end(&s_replayed);
    assert_int_equal(compare(), REPLAY_EQUAL);
    assert_names(s_report, "9 12.345678 s");
}

static void test_sim042_a_difference_is_told_by_field_time_and_values(void **state)
{
    (void)state;
    struct mf_msg_global_position_int m = {.time_boot_ms = 12345, .lat = 473977420, .hdg = 9000};
    add_message(&s_recorded, MF_RECORD_OUT, 3, MF_MSG_GLOBAL_POSITION_INT, 8, &m);
    m.lat++;
    add_message(&s_replayed, MF_RECORD_OUT, 3, MF_MSG_GLOBAL_POSITION_INT, 8, &m);
    assert_int_equal(compare(), REPLAY_DIFFERENT);
    assert_names(s_report, "record 8 12.345678 s 2.000000 s link 3 tcp 127.0.0.1:40000 byte 14 "
                           "GLOBAL_POSITION_INT lat 473977420 473977421");
}

static void test_floats_texts_and_arrays_are_shown(void **state)
{
    (void)state;
    struct mf_msg_attitude attitude = {.roll = 0.5f};
    add_message(&s_recorded, MF_RECORD_OUT, 3, MF_MSG_ATTITUDE, 8, &attitude);
    attitude.roll = 0.50000006f;
    add_message(&s_replayed, MF_RECORD_OUT, 3, MF_MSG_ATTITUDE, 8, &attitude);
    assert_int_equal(compare(), REPLAY_DIFFERENT);
    assert_names(s_report, "ATTITUDE roll 0.5 (0x3f000000) 0.50000006 (0x3f000001)");

    (void)setup(NULL);
    struct mf_msg_statustext text = {.severity = 6, .text = "Armed"};
    add_message(&s_recorded, MF_RECORD_OUT, 3, MF_MSG_STATUSTEXT, 8, &text);
    text.text[1] = 'x';
    add_message(&s_replayed, MF_RECORD_OUT, 3, MF_MSG_STATUSTEXT, 8, &text);
    assert_int_equal(compare(), REPLAY_DIFFERENT);
    assert_names(s_report, "STATUSTEXT text 'Armed' text[1] 'r' 'x'");
}

/* Trailing zeros are not sent, so lengths differ, but the field is what matters. */
static void test_truncated_payloads_are_compared_as_messages(void **state)
{
    (void)state;
    struct mf_msg_ping ping = {.seq = 4};
    add_message(&s_recorded, MF_RECORD_OUT, 3, MF_MSG_PING, 0, &ping);
    ping.target_component = 9;
    add_message(&s_replayed, MF_RECORD_OUT, 3, MF_MSG_PING, 0, &ping);
    assert_int_equal(compare(), REPLAY_DIFFERENT);
    assert_names(s_report, "byte 1 PING target_component 0 9");
}

static void test_headers_messages_and_records_that_differ(void **state)
{
    (void)state;
    const struct mf_msg_ping ping = {.seq = 4};
    const struct mf_msg_heartbeat heartbeat = {.type = 2};
    add_message(&s_recorded, MF_RECORD_OUT, 3, MF_MSG_PING, 5, &ping);
    add_message(&s_replayed, MF_RECORD_OUT, 3, MF_MSG_PING, 6, &ping);
    assert_int_equal(compare(), REPLAY_DIFFERENT);
    assert_names(s_report, "byte 4 PING sequence 5 6");

    (void)setup(NULL);
    add_message(&s_recorded, MF_RECORD_OUT, 3, MF_MSG_PING, 5, &ping);
    add_message(&s_replayed, MF_RECORD_OUT, 3, MF_MSG_HEARTBEAT, 5, &heartbeat);
    assert_int_equal(compare(), REPLAY_DIFFERENT);
    assert_names(s_report, "PING seq 4 HEARTBEAT custom_mode 0");

    (void)setup(NULL);
    add_message(&s_recorded, MF_RECORD_OUT, 3, MF_MSG_PING, 5, &ping);
    add(&s_replayed, &(struct mf_record){.type = MF_RECORD_STEP});
    assert_int_equal(compare(), REPLAY_DIFFERENT);
    assert_names(s_report, "OUT PING seq 4 link 3 21 bytes STEP");

    (void)setup(NULL);
    add_message(&s_recorded, MF_RECORD_OUT, 3, MF_MSG_PING, 5, &ping);
    add_message(&s_replayed, MF_RECORD_OUT, 2, MF_MSG_PING, 5, &ping);
    assert_int_equal(compare(), REPLAY_DIFFERENT);
    assert_names(s_report, "link 3 OUT PING seq 4 link 2");

    (void)setup(NULL);
    add_clock(&s_recorded, 12345679, 2000001);
    add_clock(&s_replayed, 12345679, 2000002);
    assert_int_equal(compare(), REPLAY_DIFFERENT);
    assert_names(s_report, "CLOCK 12345679 2000001 CLOCK 12345679 2000002");
}

/* What tells a message from others of its kind is said with it: a reader looks for the item, the
 * parameter, the text. Times and addressees come first on the wire and say nothing. */
static void test_sim042_messages_are_told_by_what_they_are_about(void **state)
{
    (void)state;
    const struct mf_msg_statustext text = {.severity = 6, .text = "Landed"};
    const struct mf_msg_mission_request_int request = {.target_system = 255, .seq = 7};
    add_message(&s_recorded, MF_RECORD_OUT, 3, MF_MSG_STATUSTEXT, 5, &text);
    add_message(&s_replayed, MF_RECORD_OUT, 3, MF_MSG_MISSION_REQUEST_INT, 5, &request);
    assert_int_equal(compare(), REPLAY_DIFFERENT);
    assert_names(s_report, "STATUSTEXT text 'Landed' MISSION_REQUEST_INT seq 7");

    (void)setup(NULL);
    struct mf_msg_param_value value = {.param_value = 0x3f800000, .param_id = "RTL_RETURN_ALT_X"};
    add_message(&s_recorded, MF_RECORD_OUT, 3, MF_MSG_PARAM_VALUE, 5, &value);
    value.param_value = 0x40000000;
    add_message(&s_replayed, MF_RECORD_OUT, 3, MF_MSG_PARAM_VALUE, 5, &value);
    assert_int_equal(compare(), REPLAY_DIFFERENT);
    assert_names(s_report, "PARAM_VALUE param_id 'RTL_RETURN_ALT_X' param_value 1 2");
}

/* Three frames in one read: the last one differs. */
static void test_sim042_what_came_in_is_told_by_field(void **state)
{
    (void)state;
    struct mf_msg_mission_item_int item = {.seq = 4, .x = 473977420};
    const struct mf_msg_ping ping = {.seq = 9};
    struct tape *const tapes[2] = {&s_recorded, &s_replayed};
    for (int i = 0; i < 2; i++) {
        uint8_t bytes[3 * MF_FRAME_MAX];
        const struct mf_sender from = {2, 3, 255, 190};
        size_t n = mf_frame_encode(&from, mf_msg_find(MF_MSG_PING), &ping, bytes);
        n += mf_frame_encode(&from, mf_msg_find(MF_MSG_PING), &ping, bytes + n);
        n += mf_frame_encode(&from, mf_msg_find(MF_MSG_MISSION_ITEM_INT), &item, bytes + n);
        add(tapes[i], &(struct mf_record){.type = MF_RECORD_IN, .link = 3, .bytes = bytes, .n = n});
        item.x += 5;
    }
    assert_int_equal(compare(), REPLAY_DIFFERENT);
    assert_names(s_report, "byte 26 MISSION_ITEM_INT seq 4 x 473977420 473977425");
}

/* A checksum says only that a plan is another one: it is told, and then what comes of it. */
static void test_sim042_behind_a_checksum_the_difference_is_told(void **state)
{
    (void)state;
    struct mf_msg_mission_ack ack = {.opaque_id = 0x1234};
    struct mf_msg_mission_current current = {.seq = 0, .mission_mode = 1, .mission_id = 0x1234};
    struct mf_msg_global_position_int at = {.time_boot_ms = 12345, .lat = 473977420};
    struct tape *const tapes[2] = {&s_recorded, &s_replayed};
    for (int i = 0; i < 2; i++) {
        add_message(tapes[i], MF_RECORD_OUT, 3, MF_MSG_MISSION_ACK, 5, &ack);
        add_message(tapes[i], MF_RECORD_OUT, 3, MF_MSG_MISSION_CURRENT, 6, &current);
        ack.opaque_id = current.mission_id = 0; /* shorter on the wire */
    }
    add_end(&s_recorded);
    add_end(&s_replayed);
    assert_int_equal(compare(), REPLAY_DIFFERENT);
    assert_names(s_report, "MISSION_ACK opaque_id 4660 0");
    assert_false(mf_names(s_report, "record record"));

    s_recorded.len -= MF_RECORD_FRAME_BYTES; /* the END */
    s_replayed.len -= MF_RECORD_FRAME_BYTES;
    add_message(&s_recorded, MF_RECORD_OUT, 3, MF_MSG_GLOBAL_POSITION_INT, 7, &at);
    at.lat++;
    add_message(&s_replayed, MF_RECORD_OUT, 3, MF_MSG_GLOBAL_POSITION_INT, 7, &at);
    assert_int_equal(compare(), REPLAY_DIFFERENT);
    assert_names(s_report,
                 "MISSION_ACK opaque_id 4660 0 record 10 12.345678 s 2.000000 s link 3 tcp "
                 "127.0.0.1:40000 item 0 byte 14 GLOBAL_POSITION_INT lat 473977420 473977421");
}

static void test_bytes_that_are_no_frames_are_compared_as_bytes(void **state)
{
    (void)state;
    static const uint8_t k_a[] = {0xfd, 200, 0}, k_b[] = {0xfd, 201, 0};
    add(&s_recorded, &(struct mf_record){.type = MF_RECORD_OUT, .link = 3, .bytes = k_a, .n = 3});
    add(&s_replayed, &(struct mf_record){.type = MF_RECORD_OUT, .link = 3, .bytes = k_b, .n = 3});
    assert_int_equal(compare(), REPLAY_DIFFERENT);
    assert_names(s_report, "byte 1 3 bytes");
}

/* The vehicle was killed: the file lacks the rest of a pass, and nothing is wrong. */
static void test_sim042_a_killed_vehicle_differs_only_where_it_goes_on(void **state)
{
    (void)state;
    const struct mf_msg_ping ping = {.seq = 4};
    add_message(&s_replayed, MF_RECORD_OUT, 3, MF_MSG_PING, 5, &ping);
    assert_int_equal(compare(), REPLAY_EQUAL);
    add_message(&s_recorded, MF_RECORD_OUT, 3, MF_MSG_PING, 5, &ping);
    s_recorded.len -= CUT_BYTES;
    assert_int_equal(compare(), REPLAY_EQUAL);
    assert_int_equal(s_a.state, MF_RECORDING_CUT);
    add(&s_replayed, &(struct mf_record){.type = MF_RECORD_STEP});
    assert_int_equal(compare(), REPLAY_DIFFERENT);
    assert_names(s_report, "recording replay STEP");
}

static void test_a_complete_recording_must_be_matched_to_its_end(void **state)
{
    (void)state;
    const struct mf_msg_ping ping = {.seq = 4};
    add_end(&s_recorded);
    assert_int_equal(compare(), REPLAY_DIFFERENT);
    assert_names(s_report, "replay recording END");
    add_end(&s_replayed);
    add_message(&s_replayed, MF_RECORD_OUT, 3, MF_MSG_PING, 5, &ping);
    assert_int_equal(compare(), REPLAY_DIFFERENT);
}

static void test_a_damaged_recording_is_named(void **state)
{
    (void)state;
    s_recorded.bytes[s_recorded.len - 1] ^= 1;
    assert_int_equal(compare(), REPLAY_UNREADABLE);
    assert_names(s_report, "a record 7 byte checksum");
}

/* Bytes by hand: 1700000012345678 us is 0x00060a2418daa14e. */
static void test_telemetry_log(void **state)
{
    (void)state;
    static const uint8_t k_stamp[] = {0x00, 0x06, 0x0a, 0x24, 0x18, 0xda, 0xa1, 0x4e};
    const struct mf_msg_ping ping = {.seq = 4};
    uint8_t frame[MF_FRAME_MAX], *out = NULL;
    size_t out_n = 0;
    const size_t n = mf_frame_encode(&(struct mf_sender){2, 9, 255, 190}, mf_msg_find(MF_MSG_PING),
                                     &ping, frame);
    add_message(&s_recorded, MF_RECORD_OUT, 3, MF_MSG_PING, 5, &ping);
    add_message(&s_recorded, MF_RECORD_OUT, 4, MF_MSG_PING, 5, &ping); /* another link's */
    /* what came in, in two pieces, with garbage before it */
    static const uint8_t k_garbage[] = {0x55, 0xaa};
    add(&s_recorded,
        &(struct mf_record){.type = MF_RECORD_IN, .link = 3, .bytes = k_garbage, .n = 2});
    add(&s_recorded, &(struct mf_record){.type = MF_RECORD_IN, .link = 3, .bytes = frame, .n = 7});
    add(&s_recorded,
        &(struct mf_record){.type = MF_RECORD_IN, .link = 3, .bytes = frame + 7, .n = n - 7});
    add_end(&s_recorded);
    FILE *in = fmemopen(s_recorded.bytes, s_recorded.len, "rb");
    FILE *to = open_memstream((char **)&out, &out_n);
    replay_source_init(&s_a, "a", in);
    assert_int_equal(replay_tlog(&s_a, 3, to), 2);
    (void)fclose(in);
    (void)fclose(to);
    assert_int_equal(out_n, 2 * (8 + n));
    assert_memory_equal(out, k_stamp, 8);
    assert_int_equal(out[8], MF_STX_V2);
    assert_memory_equal(out + 8 + n, k_stamp, 8);
    assert_memory_equal(out + 16 + n, frame, n);
    free(out);
}

/* UTC of the latest boot, a microsecond later: the sum is 2^63 in 64 bits, and not signed. */
static void test_telemetry_log_of_times_at_their_limit(void **state)
{
    (void)state;
    static const uint8_t k_stamp[] = {0x80, 0, 0, 0, 0, 0, 0, 0};
    static struct tape s_late;
    const struct mf_msg_ping ping = {.seq = 4};
    uint8_t *out = NULL;
    size_t out_n = 0;
    begin(&s_late);
    add(&s_late, &(struct mf_record){.type = MF_RECORD_BOOT, .value = {INT64_MAX}});
    add_clock(&s_late, 1, 1);
    add_message(&s_late, MF_RECORD_OUT, 3, MF_MSG_PING, 5, &ping);
    FILE *in = fmemopen(s_late.bytes, s_late.len, "rb");
    FILE *to = open_memstream((char **)&out, &out_n);
    replay_source_init(&s_a, "a", in);
    assert_int_equal(replay_tlog(&s_a, 3, to), 1);
    (void)fclose(in);
    (void)fclose(to);
    assert_memory_equal(out, k_stamp, 8);
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_equal, setup),
        cmocka_unit_test_setup(test_sim042_a_difference_is_told_by_field_time_and_values, setup),
        cmocka_unit_test_setup(test_floats_texts_and_arrays_are_shown, setup),
        cmocka_unit_test_setup(test_truncated_payloads_are_compared_as_messages, setup),
        cmocka_unit_test_setup(test_headers_messages_and_records_that_differ, setup),
        cmocka_unit_test_setup(test_sim042_messages_are_told_by_what_they_are_about, setup),
        cmocka_unit_test_setup(test_sim042_what_came_in_is_told_by_field, setup),
        cmocka_unit_test_setup(test_sim042_behind_a_checksum_the_difference_is_told, setup),
        cmocka_unit_test_setup(test_bytes_that_are_no_frames_are_compared_as_bytes, setup),
        cmocka_unit_test_setup(test_sim042_a_killed_vehicle_differs_only_where_it_goes_on, setup),
        cmocka_unit_test_setup(test_a_complete_recording_must_be_matched_to_its_end, setup),
        cmocka_unit_test_setup(test_a_damaged_recording_is_named, setup),
        cmocka_unit_test_setup(test_telemetry_log, setup),
        cmocka_unit_test_setup(test_telemetry_log_of_times_at_their_limit, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
