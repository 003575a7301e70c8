/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes, numbers, versions and strangers that pass protocol misbehaviour, and its rest. */
#include "tests/unit/drone/misbehave_fixture.h"

#define UNKNOWN_BYTES 13u

/* A whole frame of an unknown message, 7/7. */
static const uint8_t k_unknown[UNKNOWN_BYTES] = {0xFD, 1,    0,    0, 9,    7,   7,
                                                 0xFF, 0xFF, 0x0F, 5, 0xAA, 0xBB};

static uint8_t s_read[4096];

/* A device of its own: what the client says is what the test puts there. */
static struct mf_serial device(void)
{
    const struct mf_serial wire = mf_mock_serial(&mock, 2);
    memset(wraps, 0, sizeof wraps);
    memset(work, 0xA5, sizeof work);
    mf_misbehave_init(&misbehave, wraps, work, 2, 1, 1, &v.now.vehicle_us);
    return mf_misbehave_open(&misbehave, 0, &wire);
}

static size_t read_all(const struct mf_serial *serial)
{
    size_t n = 0;
    for (int got = 1; got > 0;) {
        got = mf_serial_read(serial, s_read + n, sizeof s_read - n < 512 ? sizeof s_read - n : 512);
        n += got > 0 ? (size_t)got : 0;
    }
    return n;
}

/* COMMAND_LONG of 245/190. @return its length */
static size_t frame_of(uint16_t number, uint8_t version, uint8_t seq, uint8_t target,
                       uint8_t out[MF_FRAME_MAX])
{
    const struct mf_sender from = {version, seq, 245, 190};
    const struct mf_msg_command_long m = {
        .command = number, .target_system = target, .target_component = 1};
    return mf_frame_encode(&from, mf_msg_find(MF_MSG_COMMAND_LONG), &m, out);
}

/* SYSTEM_TIME of a system, as the vehicle writes it. */
static size_t time_of(uint8_t sysid, uint8_t version, uint8_t seq, uint8_t out[MF_FRAME_MAX])
{
    const struct mf_sender from = {version, seq, sysid, 1};
    const struct mf_msg_system_time m = {.time_boot_ms = 4711};
    return mf_frame_encode(&from, mf_msg_find(MF_MSG_SYSTEM_TIME), &m, out);
}

static void write_time(const struct mf_serial *serial, uint8_t seq)
{
    uint8_t frame[MF_FRAME_MAX];
    const size_t n = time_of(1, 2, seq, frame);
    assert_int_equal(mf_serial_write(serial, frame, n), (int)n);
}

/* Sequence number of the next frame that was sent; its checksum is checked by the parser. */
static int next_seq(uint32_t msgid)
{
    struct mf_parser parser = {.len = 0};
    struct mf_frame frame;
    size_t len;
    const uint8_t *bytes = mf_mock_take_frame(&mock, 2, msgid, &len);
    if (bytes == NULL) {
        return -1;
    }
    (void)mf_parser_feed(&parser, bytes, len);
    assert_true(mf_parser_next(&parser, &frame));
    assert_int_equal(frame.raw_len, len);
    assert_int_equal(frame.sysid, 1);
    assert_int_equal(frame.compid, 1);
    return frame.seq;
}

static void test_without_rules_every_byte_passes(void **state)
{
    (void)state;
    uint8_t bytes[700];
    const struct mf_serial serial = device();
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i * 7 % 251);
    }
    mf_mock_feed(&mock, 2, bytes, sizeof bytes);
    assert_int_equal(mf_serial_read(&serial, s_read, 512), 512);
    assert_memory_equal(s_read, bytes, 512);
    assert_int_equal(mf_serial_read(&serial, s_read, 512), sizeof bytes - 512);
    assert_int_equal(mf_serial_write(&serial, k_unknown, sizeof k_unknown), UNKNOWN_BYTES);
    mock.port[2].room = 5;
    assert_int_equal(mf_serial_room(&serial), 5);
    assert_int_equal(mf_serial_write(&serial, k_unknown, sizeof k_unknown), 0);
    mock.port[2].gone = true;
    assert_int_equal(mf_serial_read(&serial, s_read, 512), MF_E_IO);
    assert_int_equal(mf_serial_write(&serial, k_unknown, sizeof k_unknown), MF_E_IO);
    assert_int_equal(mf_misbehave_due(&misbehave), MF_NEVER);
    for (size_t i = 0; i < sizeof work[0]; i++) { /* nothing of it was touched */
        assert_int_equal(((const uint8_t *)&work[0])[i], 0xA5);
    }
}

/* Garbage, unknown messages and frames for others pass unchanged: no rule is for them. */
static void test_strangers_pass_as_they_are(void **state)
{
    (void)state;
    uint8_t bytes[1024], frame[MF_FRAME_MAX];
    size_t n = 0;
    const struct mf_serial serial = device();
    add("command_ignored");
    memcpy(bytes, (const uint8_t[]){'h', 'e', 'l', 'l', 'o'}, 5);
    n += 5;
    n += frame_of(400, 2, 0, 9, bytes + n); /* for system 9 */
    memcpy(bytes + n, k_unknown, UNKNOWN_BYTES);
    n += UNKNOWN_BYTES;
    n += time_of(245, 1, 1, bytes + n);
    mf_mock_feed(&mock, 2, bytes, n);
    const size_t taken_away = frame_of(400, 2, 2, 1, frame);
    mf_mock_feed(&mock, 2, frame, taken_away);
    assert_int_equal(read_all(&serial), n);
    assert_memory_equal(s_read, bytes, n);
    assert_int_equal(fired(), 1);
    /* and from the vehicle: what it passes on keeps number and bytes */
    (void)mf_serial_write(&serial, k_unknown, UNKNOWN_BYTES);
    n = time_of(7, 2, 99, bytes);
    (void)mf_serial_write(&serial, bytes, n);
    assert_memory_equal(mock.port[2].sent, k_unknown, UNKNOWN_BYTES);
    assert_memory_equal(mock.port[2].sent + UNKNOWN_BYTES, bytes, n);
}

/* A rule that comes while half a frame has passed finds the next one; one that goes
 * leaves nothing. */
static void test_rules_come_and_go_between_bytes(void **state)
{
    (void)state;
    uint8_t frame[MF_FRAME_MAX];
    const struct mf_serial serial = device();
    const size_t n = frame_of(400, 2, 0, 1, frame);
    mf_mock_feed(&mock, 2, frame, 20);
    assert_int_equal(read_all(&serial), 20);
    const uint32_t id = add("command_ignored");
    mf_mock_feed(&mock, 2, frame + 20, n - 20);
    mf_mock_feed(&mock, 2, frame, n);
    mf_mock_feed(&mock, 2, frame, 20);
    assert_int_equal(read_all(&serial),
                     n - 20); /* the rest of the first, and nothing of the second */
    assert_memory_equal(s_read, frame + 20, n - 20);
    assert_int_equal(fired(), 1);
    assert_int_equal(mf_misbehave_remove(&misbehave, id), MF_E_OK);
    mf_mock_feed(&mock, 2, frame + 20, n - 20);
    assert_int_equal(read_all(&serial), n); /* the third, whole */
    assert_memory_equal(s_read, frame, n);
    assert_int_equal(mf_misbehave_due(&misbehave), MF_NEVER);
    assert_false(wraps[0].working);
    /* what was begun and does not go on arrives after 1 s */
    add("command_ignored");
    mf_mock_feed(&mock, 2, frame, 20);
    assert_int_equal(read_all(&serial), 0);
    const mf_us_t now_us = mock.now.transport_us;
    mf_misbehave_run(&misbehave, now_us);
    assert_int_equal(mf_misbehave_due(&misbehave), now_us + MF_SECOND_US);
    mf_misbehave_run(&misbehave, now_us + MF_SECOND_US);
    assert_int_equal(mf_misbehave_due(&misbehave), now_us + MF_SECOND_US); /* to be read */
    assert_int_equal(read_all(&serial), 20);
    assert_memory_equal(s_read, frame, 20);
}

/* The client sees numbers without gaps, whatever a rule takes away or adds. */
static void test_numbers_have_no_gaps(void **state)
{
    (void)state;
    uint8_t frame[MF_FRAME_MAX], command_frame[MF_FRAME_MAX];
    const struct mf_serial serial = device();
    write_time(&serial, 254);
    assert_int_equal(next_seq(MF_MSG_SYSTEM_TIME), 254);
    add("command_denied");
    const size_t n = frame_of(400, 2, 0, 1, command_frame);
    mf_mock_feed(&mock, 2, command_frame, n);
    assert_int_equal(read_all(&serial), 0);
    assert_int_equal(next_seq(MF_MSG_COMMAND_ACK), 255);
    write_time(&serial, 255);
    assert_int_equal(next_seq(MF_MSG_SYSTEM_TIME), 0);
    const uint32_t silence = add("message_silence(SYSTEM_TIME)");
    write_time(&serial, 0);
    write_time(&serial, 1);
    assert_int_equal(next_seq(MF_MSG_SYSTEM_TIME), -1);
    assert_int_equal(mf_misbehave_remove(&misbehave, silence), MF_E_OK);
    assert_int_equal(mf_misbehave_remove(&misbehave, 1), MF_E_OK);
    write_time(&serial, 2); /* the vehicle's, two behind by now and one ahead */
    assert_int_equal(next_seq(MF_MSG_SYSTEM_TIME), 1);
    write_time(&serial, 3);
    assert_int_equal(next_seq(MF_MSG_SYSTEM_TIME), 2);
    /* a queue without room: the vehicle tries the same number again */
    mock.port[2].room = 0;
    const size_t m = time_of(1, 2, 4, frame);
    assert_int_equal(mf_serial_write(&serial, frame, m), 0);
    mock.port[2].room = SIZE_MAX;
    write_time(&serial, 4);
    assert_int_equal(next_seq(MF_MSG_SYSTEM_TIME), 3);
    /* an answer that found the queue full takes no number */
    add("command_denied");
    mock.port[2].room = 0;
    mf_mock_feed(&mock, 2, command_frame, n);
    assert_int_equal(read_all(&serial), 0);
    mock.port[2].room = SIZE_MAX;
    mf_mock_feed(&mock, 2, command_frame, n);
    assert_int_equal(read_all(&serial), 0);
    assert_int_equal(next_seq(MF_MSG_COMMAND_ACK), 4);
    write_time(&serial, 5);
    assert_int_equal(next_seq(MF_MSG_SYSTEM_TIME), 5);
}

static void test_answers_speak_the_version_of_the_question(void **state)
{
    (void)state;
    uint8_t frame[MF_FRAME_MAX];
    size_t len;
    const struct mf_serial serial = device();
    add("command_denied");
    for (uint8_t version = 1; version <= 2; version++) {
        const size_t n = frame_of(400, version, 0, 1, frame);
        mf_mock_feed(&mock, 2, frame, n);
        assert_int_equal(read_all(&serial), 0);
        const uint8_t *bytes = mf_mock_take_frame(&mock, 2, MF_MSG_COMMAND_ACK, &len);
        assert_non_null(bytes);
        assert_int_equal(bytes[0], version == 1 ? 0xFE : 0xFD);
    }
    /* also in numbers of version 1 */
    size_t n = time_of(1, 1, 0, frame);
    assert_int_equal(mf_serial_write(&serial, frame, n), (int)n);
    assert_int_equal(next_seq(MF_MSG_SYSTEM_TIME), 2);
    /* what version 1 cannot say is not said */
    add("param_missing");
    const struct mf_sender from = {1, 3, 245, 190};
    const struct mf_msg_param_request_read read = {.target_system = 1, .target_component = 1};
    n = mf_frame_encode(&from, mf_msg_find(MF_MSG_PARAM_REQUEST_READ), &read, frame);
    mf_mock_feed(&mock, 2, frame, n);
    assert_int_equal(read_all(&serial), 0);
    assert_int_equal(mf_mock_count(&mock, 2, MF_MSG_PARAM_ERROR), 0);
    assert_int_equal(misbehave.rule[1].fired, 1);
}

/* Add a signature of a link, which the wrapper does not check. @return length */
static size_t sign_for(uint8_t link_id, uint8_t *frame, size_t n)
{
    const uint8_t extra = mf_msg_find(MF_MSG_SYSTEM_TIME)->crc_extra;
    frame[2] = MF_INCOMPAT_SIGNED;
    uint16_t crc = mf_crc16(0xFFFF, frame + 1, n - 3);
    crc = mf_crc16(crc, &extra, 1);
    frame[n - 2] = (uint8_t)crc;
    frame[n - 1] = (uint8_t)(crc >> 8);
    memset(frame + n, link_id, MF_SIGNATURE_BYTES);
    return n + MF_SIGNATURE_BYTES;
}

/* An answer of the first rule has the number after the vehicle's last frame that the device took,
 * of either version; other systems' frames do not count. */
static void test_numbers_and_signatures_are_noted_before_there_are_rules(void **state)
{
    (void)state;
    uint8_t frame[MF_FRAME_MAX];
    for (uint8_t version = 1; version <= 2; version++) {
        const struct mf_serial serial = device();
        if (version == 2) {
            const size_t n = sign_for(0x5A, frame, time_of(1, 2, 76, frame));
            assert_int_equal(mf_serial_write(&serial, frame, n), (int)n);
            assert_int_equal(wraps[0].link_id, 0x5A);
        }
        size_t n = time_of(1, version, 77, frame); /* without a signature: the link id stays */
        assert_int_equal(mf_serial_write(&serial, frame, n), (int)n);
        assert_int_equal(wraps[0].link_id, version == 2 ? 0x5A : 0);
        n = time_of(2, version, 200, frame);
        assert_int_equal(mf_serial_write(&serial, frame, n), (int)n);
        mock.port[2].room = 0;
        n = time_of(1, version, 78, frame);
        assert_int_equal(mf_serial_write(&serial, frame, n), 0);
        mock.port[2].room = SIZE_MAX;
        mf_mock_clear(&mock, 2);
        add("command_denied");
        n = frame_of(400, version, 0, 1, frame);
        mf_mock_feed(&mock, 2, frame, n);
        assert_int_equal(read_all(&serial), 0);
        assert_int_equal(next_seq(MF_MSG_COMMAND_ACK), 78);
    }
}

/* A signature covers the number: it stays. */
static void test_frames_signed_without_a_key_keep_their_number(void **state)
{
    (void)state;
    uint8_t frame[MF_FRAME_MAX];
    const struct mf_serial serial = device();
    add("message_silence(HEARTBEAT)");
    wraps[0].shift = 5;
    const size_t n = sign_for(0x5A, frame, time_of(1, 2, 42, frame));
    assert_int_equal(mf_serial_write(&serial, frame, n), (int)n);
    assert_memory_equal(mock.port[2].sent, frame, n);
}

static const struct mf_msg_param_request_read k_read = {
    .param_index = MF_PARAM_MPC_XY_CRUISE, .target_system = 1, .target_component = 1};

/* No rule answers a message that the vehicle does not admit, and none makes a message of it that
 * the vehicle would admit. */
static void test_rules_do_not_see_what_is_not_admitted(void **state)
{
    const struct mf_msg_param_set set = {
        .target_system = 1, .target_component = 1, .param_id = "MPC_XY_CRUISE", .param_type = 9};
    with_key = true;
    assert_int_equal(setup(state), 0);
    add("param_missing*1");
    mf_mock_feed_msg(&mock, 0, MF_MSG_PARAM_REQUEST_READ, &k_read);
    turn();
    assert_int_equal(count(MF_MSG_PARAM_ERROR), 0);
    assert_int_equal(links[0].stats.rx_unsigned, 1);
    feed_signed(MF_MSG_PARAM_REQUEST_READ, &k_read,
                BOOT_TIME - 61 * 100000); /* a minute is allowed */
    turn();
    assert_int_equal(count(MF_MSG_PARAM_ERROR), 0);
    assert_int_equal(links[0].stats.rx_replayed, 1);
    key[0] ^= 1;
    feed_signed(MF_MSG_PARAM_REQUEST_READ, &k_read, ++said_time);
    turn();
    key[0] ^= 1;
    assert_int_equal(links[0].stats.rx_bad_signature, 1);
    assert_int_equal(fired(), 0);
    say(MF_MSG_PARAM_REQUEST_READ, &k_read);
    assert_int_equal(count(MF_MSG_PARAM_ERROR), 1);
    misbehave.rule[0].rule.kind = MF_RULE_PARAM_REFUSED;
    misbehave.rule[0].fired = 0;
    mf_mock_feed_msg(&mock, 0, MF_MSG_PARAM_SET, &set);
    turn();
    assert_int_equal(count(MF_MSG_PARAM_VALUE), 0);
    say(MF_MSG_PARAM_SET, &set);
    assert_int_equal(count(MF_MSG_PARAM_VALUE), 1);
    with_key = false;
}

/* Many are made here within one instant, so that their times are ahead of the vehicle's: what comes
 * after them, and after the rules, is later still. The fixture's ears hear whether it is. */
static void test_signatures_stay_in_order_when_rules_go(void **state)
{
    with_key = true;
    assert_int_equal(setup(state), 0);
    const uint32_t id = add("param_wrong_type");
    for (int i = 0; i < 100; i++) {
        say(MF_MSG_PARAM_REQUEST_READ, &k_read);
    }
    assert_int_equal(count(MF_MSG_PARAM_VALUE), 100);
    assert_int_equal(mf_misbehave_remove(&misbehave, id), MF_E_OK);
    for (int i = 0; i < 100; i++) {
        say(MF_MSG_PARAM_REQUEST_READ, &k_read);
    }
    assert_int_equal(count(MF_MSG_PARAM_VALUE), 200);
    later(5 * MF_SECOND_US);
    assert_true(count(MF_MSG_HEARTBEAT) > 0);
    with_key = false;
}

/* Held back for a second, and later than all that left before it. */
static void test_what_is_late_is_signed_when_it_leaves(void **state)
{
    with_key = true;
    assert_int_equal(setup(state), 0);
    add("command_late=1s");
    command(400, 1.0f);
    say(MF_MSG_PARAM_REQUEST_READ, &k_read);
    no_answer();
    later(MF_SECOND_US);
    assert_int_equal(answer(400), MAV_RESULT_ACCEPTED);
    with_key = false;
}

/* More bytes pass than the wrapper keeps at once, and messages in clients' names have room. */
static void test_much_passes(void **state)
{
    (void)state;
    const struct mf_msg_param_set set = {.param_value = 0x40A00000u,
                                         .target_system = 1,
                                         .target_component = 1,
                                         .param_id = "MPC_XY_CRUISE",
                                         .param_type = MAV_PARAM_TYPE_REAL32};
    add("param_refused*100");
    for (int i = 0; i < 200; i++) {
        mf_mock_feed_msg(&mock, 0, MF_MSG_PARAM_SET, &set);
    }
    for (int i = 0; i < 200; i++) {
        turn();
    }
    assert_int_equal(fired(), 100);
    assert_int_equal(links[0].stats.rx_frames, 200);
    assert_int_equal(links[0].stats.rx_lost, 0);
    assert_int_equal(links[0].parser.stats.skipped, 0);
}

/* No more than so many are held back, in the order in which they came; more pass. */
static void test_what_is_late_has_its_limit(void **state)
{
    (void)state;
    const struct mf_serial serial = device();
    uint8_t frame[MF_FRAME_MAX];
    struct mf_msg_command_ack ack;
    add("command_late=1s");
    mf_misbehave_run(&misbehave, 1000);
    for (uint8_t i = 0; i <= MF_MISBEHAVE_HELD_MAX; i++) {
        const struct mf_sender from = {2, i, 1, 1};
        const struct mf_msg_command_ack m = {.command = (uint16_t)(100 + i)};
        const size_t n = mf_frame_encode(&from, mf_msg_find(MF_MSG_COMMAND_ACK), &m, frame);
        assert_int_equal(mf_serial_write(&serial, frame, n), (int)n);
    }
    assert_true(mf_mock_take(&mock, 2, MF_MSG_COMMAND_ACK, &ack));
    assert_int_equal(ack.command, 100 + MF_MISBEHAVE_HELD_MAX);
    assert_false(mf_mock_take(&mock, 2, MF_MSG_COMMAND_ACK, &ack));
    assert_int_equal(fired(), MF_MISBEHAVE_HELD_MAX);
    assert_int_equal(mf_misbehave_due(&misbehave), 1000 + MF_SECOND_US);
    mf_misbehave_run(&misbehave, 1000 + MF_SECOND_US);
    for (int i = 0; i < (int)MF_MISBEHAVE_HELD_MAX; i++) {
        assert_true(mf_mock_take(&mock, 2, MF_MSG_COMMAND_ACK, &ack));
        assert_int_equal(ack.command, 100 + i);
    }
}

static void test_rules_have_numbers_and_a_limit(void **state)
{
    (void)state;
    const struct mf_serial serial = device();
    (void)serial;
    struct mf_rule rule = {.kind = MF_RULE_FTP_LOST, .for_us = MF_NEVER};
    for (int i = 1; i <= (int)MF_MISBEHAVE_RULES_MAX; i++) {
        assert_int_equal(mf_misbehave_add(&misbehave, &rule), i);
    }
    assert_int_equal(mf_misbehave_add(&misbehave, &rule), MF_E_FULL);
    assert_int_equal(mf_misbehave_remove(&misbehave, 2), MF_E_OK);
    assert_int_equal(mf_misbehave_remove(&misbehave, 2), MF_E_NOENT);
    assert_int_equal(misbehave.rule[1].id, 3);
    assert_int_equal(mf_misbehave_add(&misbehave, &rule), MF_MISBEHAVE_RULES_MAX + 1);
    mf_misbehave_close(&misbehave, 1); /* never opened */
    mf_misbehave_close(&misbehave, 0);
    assert_int_equal(misbehave.top, 0);
}

/* Components: commands are for the autopilot, missions for 190 as well; answers are
 * never answered. */
static void test_who_is_meant(void **state)
{
    (void)state;
    struct mf_msg_command_long other = {
        .command = 400, .target_system = 1, .target_component = MAV_COMP_ID_MISSIONPLANNER};
    const struct mf_msg_mission_request m = {.target_system = 1,
                                             .target_component = MAV_COMP_ID_MISSIONPLANNER};
    struct mf_msg_file_transfer_protocol ack = {.target_system = 1, .target_component = 1};
    const struct mf_msg_set_mode mode = {.target_system = 1, .base_mode = 1};
    add("command_denied");
    say(MF_MSG_COMMAND_LONG, &other);
    other.target_component = 100;
    say(MF_MSG_COMMAND_LONG, &other);
    no_answer();
    other.target_component = 0;
    say(MF_MSG_COMMAND_LONG, &other);
    assert_int_equal(answer(400), MAV_RESULT_DENIED);
    say(MF_MSG_SET_MODE, &mode);
    assert_int_equal(answer(MAV_CMD_DO_SET_MODE), MAV_RESULT_DENIED);
    add("mission_download_refused");
    say(MF_MSG_MISSION_REQUEST, &m);
    assert_int_equal(count(MF_MSG_MISSION_ACK), 1);
    add("ftp_error");
    ack.payload[3] = 128;
    say(MF_MSG_FILE_TRANSFER_PROTOCOL, &ack);
    assert_int_equal(count(MF_MSG_FILE_TRANSFER_PROTOCOL), 0);
    assert_int_equal(misbehave.rule[2].fired, 0);
}

/* A client that goes takes with it what was held back for it. */
static void test_nothing_is_left_of_who_is_gone(void **state)
{
    (void)state;
    add("command_late=1s");
    command(400, 1.0f);
    assert_true(mf_misbehave_due(&misbehave) != MF_NEVER);
    mf_link_close(&v, 0);
    mf_misbehave_close(&misbehave, 0);
    assert_int_equal(mf_misbehave_due(&misbehave), MF_NEVER);
    open_port(0);
    mf_mock_clear(&mock, 0);
    later(2 * MF_SECOND_US);
    no_answer();
}

/* Two clients: the rule counts for both, each hears its own answers only. */
static void test_links_are_apart(void **state)
{
    (void)state;
    const struct mf_msg_command_long m = {
        .command = 400, .param1 = 1.0f, .target_system = 1, .target_component = 1};
    struct mf_msg_command_ack ack;
    add("command_denied*1");
    mf_mock_feed_msg(&mock, 1, MF_MSG_COMMAND_LONG, &m);
    turn();
    no_answer();
    assert_true(mf_mock_take(&mock, 1, MF_MSG_COMMAND_ACK, &ack));
    assert_int_equal(ack.target_system, 250);
    assert_int_equal(ack.result, MAV_RESULT_DENIED);
    say(MF_MSG_COMMAND_LONG, &m);
    assert_int_equal(answer(400), MAV_RESULT_ACCEPTED);
    assert_int_equal(mf_mock_count(&mock, 1, MF_MSG_COMMAND_ACK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_without_rules_every_byte_passes, setup),
        cmocka_unit_test_setup(test_strangers_pass_as_they_are, setup),
        cmocka_unit_test_setup(test_rules_come_and_go_between_bytes, setup),
        cmocka_unit_test_setup(test_numbers_have_no_gaps, setup),
        cmocka_unit_test_setup(test_answers_speak_the_version_of_the_question, setup),
        cmocka_unit_test_setup(test_numbers_and_signatures_are_noted_before_there_are_rules, setup),
        cmocka_unit_test_setup(test_frames_signed_without_a_key_keep_their_number, setup),
        cmocka_unit_test_setup(test_rules_do_not_see_what_is_not_admitted, setup),
        cmocka_unit_test_setup(test_signatures_stay_in_order_when_rules_go, setup),
        cmocka_unit_test_setup(test_what_is_late_is_signed_when_it_leaves, setup),
        cmocka_unit_test_setup(test_much_passes, setup),
        cmocka_unit_test_setup(test_what_is_late_has_its_limit, setup),
        cmocka_unit_test_setup(test_rules_have_numbers_and_a_limit, setup),
        cmocka_unit_test_setup(test_who_is_meant, setup),
        cmocka_unit_test_setup(test_nothing_is_left_of_who_is_gone, setup),
        cmocka_unit_test_setup(test_links_are_apart, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
