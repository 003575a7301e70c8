/* SPDX-License-Identifier: Apache-2.0 */
/* What each rule of host/spec/misbehavespec.h does, with a real vehicle behind it. */
#include "tests/unit/drone/misbehave_fixture.h"

#define ARM     MAV_CMD_COMPONENT_ARM_DISARM
#define REQUEST MAV_CMD_REQUEST_MESSAGE
#define GROUND  MF_MSG_AUTOPILOT_VERSION
#define PARAM   "MPC_XY_CRUISE"
#define ITEMS   4u

static struct mf_msg_param_value s_value;

/* ---- commands */

/* Two tries are answered so, then the rule is used up and the vehicle answers. */
static void answered(const char *spec, uint8_t result)
{
    add(spec);
    for (uint32_t i = 1; i <= 2; i++) {
        command(ARM, 1.0f);
        assert_int_equal(answer(ARM), result);
        assert_int_equal(fired(), i);
        assert_false(v.commander.armed);
    }
    command(REQUEST, GROUND); /* another one */
    assert_int_equal(answer(REQUEST), MAV_RESULT_ACCEPTED);
    command(ARM, 1.0f);
    assert_int_equal(answer(ARM), MAV_RESULT_ACCEPTED);
    assert_true(v.commander.armed);
    assert_int_equal(fired(), 2);
}

static void command_denied(void)
{
    answered("command_denied(arm)*2", MAV_RESULT_DENIED);
}

static void command_rejected(void)
{
    answered("command_rejected(400)*2", MAV_RESULT_TEMPORARILY_REJECTED);
}

static void command_unsupported(void)
{
    answered("command_unsupported(arm)*2", MAV_RESULT_UNSUPPORTED);
}

static void command_failed(void)
{
    answered("command_failed(arm)*2", MAV_RESULT_FAILED);
}

static void command_stalled(void)
{
    add("command_stalled(arm)");
    command(ARM, 1.0f);
    assert_int_equal(answer(ARM), MAV_RESULT_IN_PROGRESS);
    later(60 * MF_SECOND_US);
    no_answer();
    assert_false(v.commander.armed);
}

static void command_ignored(void)
{
    add("command_ignored(arm)");
    command(ARM, 1.0f);
    later(60 * MF_SECOND_US);
    no_answer();
    assert_false(v.commander.armed);
    const struct mf_msg_command_int m = {
        .command = ARM, .param1 = 1.0f, .target_system = 1, .target_component = 1};
    say(MF_MSG_COMMAND_INT, &m);
    no_answer();
    assert_int_equal(fired(), 2);
}

static void command_unacknowledged(void)
{
    add("command_unacknowledged(arm)");
    command(ARM, 1.0f);
    no_answer();
    assert_true(v.commander.armed);
    assert_int_equal(fired(), 1);
}

static void command_late(void)
{
    add("command_late(arm)=2s*1");
    command(ARM, 1.0f);
    no_answer();
    assert_true(v.commander.armed);
    assert_int_equal(mf_misbehave_due(&misbehave), mock.now.transport_us + 2 * MF_SECOND_US);
    command(REQUEST, GROUND); /* overtakes it */
    assert_int_equal(answer(REQUEST), MAV_RESULT_ACCEPTED);
    later(2 * MF_SECOND_US - 1);
    no_answer();
    later(1);
    assert_int_equal(answer(ARM), MAV_RESULT_ACCEPTED);
    assert_int_equal(mf_misbehave_due(&misbehave), MF_NEVER);
    command(ARM, 1.0f); /* used up */
    assert_int_equal(answer(ARM), MAV_RESULT_ACCEPTED);
}

static void request_unanswered(void)
{
    add("request_unanswered(AUTOPILOT_VERSION)");
    command(REQUEST, GROUND);
    assert_int_equal(answer(REQUEST), MAV_RESULT_ACCEPTED);
    command(MAV_CMD_SET_MESSAGE_INTERVAL, GROUND);
    assert_int_equal(answer(MAV_CMD_SET_MESSAGE_INTERVAL), MAV_RESULT_ACCEPTED);
    command(MAV_CMD_REQUEST_AUTOPILOT_CAPABILITIES, 1.0f);
    assert_int_equal(answer(MAV_CMD_REQUEST_AUTOPILOT_CAPABILITIES), MAV_RESULT_ACCEPTED);
    assert_int_equal(count(GROUND), 0);
    assert_int_equal(fired(), 3);
    command(REQUEST, MF_MSG_PROTOCOL_VERSION);
    assert_int_equal(answer(REQUEST), MAV_RESULT_ACCEPTED);
    assert_int_equal(count(MF_MSG_PROTOCOL_VERSION), 1);
    /* the whole of it: streams, too */
    assert_int_equal(mf_misbehave_remove(&misbehave, 1), MF_E_OK);
    add("request_unanswered");
    const struct mf_msg_request_data_stream m = {.req_message_rate = 10,
                                                 .target_system = 1,
                                                 .target_component = 1,
                                                 .req_stream_id = 6, /* positions */
                                                 .start_stop = 1};
    say(MF_MSG_REQUEST_DATA_STREAM, &m);
    later(2 * MF_SECOND_US);
    assert_int_equal(count(MF_MSG_GLOBAL_POSITION_INT), 0);
    assert_int_equal(fired(), 1);
}

static void message_silence(void)
{
    add("message_silence(HEARTBEAT)@5s+5s");
    later(MF_SECOND_US);
    assert_true(count(MF_MSG_HEARTBEAT) > 0);
    later(4 * MF_SECOND_US);
    mf_mock_clear(&mock, 0);
    later(MF_SECOND_US);
    later(MF_SECOND_US);
    assert_int_equal(count(MF_MSG_HEARTBEAT), 0);
    command(REQUEST, MF_MSG_HEARTBEAT);
    assert_int_equal(answer(REQUEST), MAV_RESULT_ACCEPTED);
    assert_int_equal(count(MF_MSG_HEARTBEAT), 0);
    later(5 * MF_SECOND_US);
    assert_true(count(MF_MSG_HEARTBEAT) > 0);
}

/* ---- missions */

static void say_count(uint16_t n)
{
    const struct mf_msg_mission_count m = {.count = n, .target_system = 1, .target_component = 1};
    say(MF_MSG_MISSION_COUNT, &m);
}

static void say_item(uint16_t seq)
{
    const struct mf_msg_mission_item_int m = {.x = 473977420 + seq * 1000,
                                              .y = 85455940,
                                              .z = 0x41200000u, /* 10 m */
                                              .seq = seq,
                                              .command = seq == 0 ? 22 : 16,
                                              .target_system = 1,
                                              .target_component = 1,
                                              .frame = 6,
                                              .autocontinue = 1};
    say(MF_MSG_MISSION_ITEM_INT, &m);
}

/* The next item that the vehicle asks for, -1: none. */
static int asked(void)
{
    struct mf_msg_mission_request_int m;
    if (!mf_mock_take(&mock, 0, MF_MSG_MISSION_REQUEST_INT, &m)) {
        return -1;
    }
    assert_int_equal(m.target_system, 245);
    assert_int_equal(m.target_component, 190);
    return m.seq;
}

/* MAV_MISSION_RESULT of the only acknowledgement, -1: none. */
static int acknowledged(void)
{
    struct mf_msg_mission_ack m;
    assert_true(count(MF_MSG_MISSION_ACK) <= 1);
    if (!mf_mock_take(&mock, 0, MF_MSG_MISSION_ACK, &m)) {
        return -1;
    }
    assert_int_equal(m.target_system, 245);
    assert_int_equal(m.target_component, 190);
    return m.type;
}

static void upload_from(uint16_t first)
{
    for (uint16_t i = first; i < ITEMS; i++) {
        assert_int_equal(asked(), i);
        say_item(i);
    }
    assert_int_equal(asked(), -1);
}

static void upload(void)
{
    say_count(ITEMS);
    upload_from(0);
    assert_int_equal(acknowledged(), MAV_MISSION_ACCEPTED);
    assert_int_equal(v.mission.count, ITEMS);
}

static void begin_upload(const char *spec)
{
    add(spec);
    say_count(ITEMS);
    assert_int_equal(asked(), 0);
    say_item(0);
    assert_int_equal(asked(), 1);
    say_item(1);
}

static void upload_lost(void)
{
    begin_upload("mission_upload_lost=2");
    assert_int_equal(asked(), -1);
    later(250 * MF_MS_US); /* the vehicle asks again */
    upload_from(2);
    assert_int_equal(acknowledged(), MAV_MISSION_ACCEPTED);
    assert_int_equal(fired(), 1);
    upload();
}

static void upload_repeated(void)
{
    begin_upload("mission_upload_repeated(mission)=2");
    assert_int_equal(asked(), 2);
    upload_from(2);
    assert_int_equal(acknowledged(), MAV_MISSION_ACCEPTED);
    upload();
}

static void upload_reordered(void)
{
    begin_upload("mission_upload_reordered=2");
    assert_int_equal(asked(), 3);
    say_item(3); /* too early for the vehicle */
    upload_from(2);
    assert_int_equal(acknowledged(), MAV_MISSION_ACCEPTED);
    assert_int_equal(v.mission.count, ITEMS);
    misbehave.rule[0].rule.value = ITEMS - 1; /* there is none behind it */
    misbehave.rule[0].fired = 0;
    upload();
    assert_int_equal(fired(), 0);
}

static void upload_timeout(void)
{
    begin_upload("mission_upload_timeout=2*1");
    assert_int_equal(asked(), -1);
    later(MF_SECOND_US);
    assert_int_equal(links[0].stats.rx_lost, 0);
    later(4 * MF_SECOND_US);
    say_item(1); /* the client tries again */
    later(4 * MF_SECOND_US);
    assert_int_equal(asked(), -1);
    assert_int_equal(acknowledged(), -1);
    assert_int_equal(count(MF_MSG_STATUSTEXT), 0);
    assert_int_equal(v.mission.count, 0);
    upload();
    assert_int_equal(fired(), 1);
}

static void upload_refused(void)
{
    begin_upload("mission_upload_refused=2*1");
    assert_int_equal(asked(), 2);
    say_item(2);
    assert_int_equal(acknowledged(), MAV_MISSION_ERROR);
    later(4 * MF_SECOND_US);
    assert_int_equal(asked(), -1);
    assert_int_equal(acknowledged(), -1);
    assert_int_equal(v.mission.count, 0);
    upload();
}

static void mission_ack_lost(void)
{
    add("mission_ack_lost");
    say_count(ITEMS);
    upload_from(0);
    assert_int_equal(acknowledged(), -1);
    assert_int_equal(v.mission.count, ITEMS);
    say_item(ITEMS - 1); /* who tries again is told */
    assert_int_equal(acknowledged(), MAV_MISSION_ACCEPTED);
}

static void say_list(void)
{
    const struct mf_msg_mission_request_list m = {.target_system = 1, .target_component = 1};
    struct mf_msg_mission_count n;
    say(MF_MSG_MISSION_REQUEST_LIST, &m);
    assert_true(mf_mock_take(&mock, 0, MF_MSG_MISSION_COUNT, &n));
    assert_int_equal(n.count, ITEMS);
}

static void ask(uint16_t seq)
{
    const struct mf_msg_mission_request_int m = {
        .seq = seq, .target_system = 1, .target_component = 1};
    say(MF_MSG_MISSION_REQUEST_INT, &m);
}

/* The next item that the vehicle sends, -1: none. */
static int sent(void)
{
    struct mf_msg_mission_item_int m;
    if (!mf_mock_take(&mock, 0, MF_MSG_MISSION_ITEM_INT, &m)) {
        return -1;
    }
    assert_int_equal(m.x, 473977420 + m.seq * 1000);
    return m.seq;
}

static void download_from(uint16_t first)
{
    const struct mf_msg_mission_ack ack = {.target_system = 1, .target_component = 1};
    for (uint16_t i = first; i < ITEMS; i++) {
        ask(i);
        assert_int_equal(sent(), i);
        assert_int_equal(sent(), -1);
    }
    assert_int_equal(v.transfer.state, MF_TRANSFER_SEND);
    say(MF_MSG_MISSION_ACK, &ack);
    assert_int_equal(v.transfer.state, MF_TRANSFER_IDLE);
    assert_int_equal(acknowledged(), -1);
}

static void begin_download(const char *spec)
{
    upload();
    add(spec);
    say_list();
    ask(0);
    assert_int_equal(sent(), 0);
    ask(1);
    assert_int_equal(sent(), 1);
    ask(2);
}

static void download_lost(void)
{
    begin_download("mission_download_lost=2");
    assert_int_equal(sent(), -1);
    download_from(2);
    assert_int_equal(fired(), 1);
}

static void download_repeated(void)
{
    begin_download("mission_download_repeated=2");
    assert_int_equal(sent(), 2);
    assert_int_equal(sent(), 2);
    download_from(3);
}

static void download_reordered(void)
{
    begin_download("mission_download_reordered=2");
    assert_int_equal(sent(), 3);
    assert_int_equal(sent(), 2);
    assert_int_equal(sent(), -1);
    assert_int_equal(links[0].stats.rx_lost,
                     0); /* what the vehicle is told has no number of its own */
    download_from(3);
    assert_int_equal(links[0].stats.rx_lost, 0);
    misbehave.rule[0].rule.value = ITEMS - 1; /* there is none behind it */
    misbehave.rule[0].fired = 0;
    say_list();
    download_from(0);
    assert_int_equal(fired(), 0);
}

static void download_timeout(void)
{
    begin_download("mission_download_timeout=2*1");
    ask(2);
    later(4 * MF_SECOND_US);
    ask(2);
    assert_int_equal(sent(), -1);
    assert_int_equal(acknowledged(), -1);
    say_list();
    download_from(0);
    assert_int_equal(fired(), 1);
}

static void download_refused(void)
{
    begin_download("mission_download_refused=2*1");
    assert_int_equal(sent(), -1);
    assert_int_equal(acknowledged(), MAV_MISSION_ERROR);
    say_list();
    download_from(0);
}

/* ---- parameters */

static void read_param(const char *name, int16_t index)
{
    struct mf_msg_param_request_read m = {
        .param_index = index, .target_system = 1, .target_component = 1};
    memcpy(m.param_id, name, strlen(name));
    say(MF_MSG_PARAM_REQUEST_READ, &m);
}

static void set_param(const char *name, float value)
{
    struct mf_msg_param_set m = {.param_value = mf_f32_bits(value),
                                 .target_system = 1,
                                 .target_component = 1,
                                 .param_type = MAV_PARAM_TYPE_REAL32};
    memcpy(m.param_id, name, strlen(name));
    say(MF_MSG_PARAM_SET, &m);
}

static bool take_value(void)
{
    return mf_mock_take(&mock, 0, MF_MSG_PARAM_VALUE, &s_value);
}

/* Of the whole list, how often the parameter is there. */
static unsigned listed(const char *name)
{
    const struct mf_msg_param_request_list m = {.target_system = 1, .target_component = 1};
    unsigned n = 0, all = 0;
    say(MF_MSG_PARAM_REQUEST_LIST, &m);
    for (int i = 0; i < 1000; i++) {
        later(10 * MF_MS_US);
    }
    while (take_value()) {
        all++;
        n += strncmp(s_value.param_id, name, sizeof s_value.param_id) == 0;
    }
    assert_true(all > 100);
    return n;
}

static void param_missing(void)
{
    struct mf_msg_param_error error;
    const float before = mf_param_f(&v.params, MF_PARAM_MPC_XY_CRUISE);
    add("param_missing(" PARAM ")");
    read_param(PARAM, -1);
    assert_true(mf_mock_take(&mock, 0, MF_MSG_PARAM_ERROR, &error));
    assert_int_equal(error.error, MAV_PARAM_ERROR_DOES_NOT_EXIST);
    assert_int_equal(error.param_index, -1);
    assert_memory_equal(error.param_id, PARAM, sizeof PARAM);
    assert_int_equal(error.target_system, 245);
    read_param("", MF_PARAM_MPC_XY_CRUISE);
    assert_true(mf_mock_take(&mock, 0, MF_MSG_PARAM_ERROR, NULL));
    set_param(PARAM, before + 1.0f);
    assert_true(mf_mock_take(&mock, 0, MF_MSG_PARAM_ERROR, NULL));
    assert_false(take_value());
    assert_true(mf_param_f(&v.params, MF_PARAM_MPC_XY_CRUISE) == before);
    assert_int_equal(fired(), 3);
    assert_int_equal(listed(PARAM), 0);
    read_param("MIS_TAKEOFF_ALT", -1);
    assert_true(take_value());
}

static void param_wrong_type(void)
{
    add("param_wrong_type");
    assert_int_equal(mf_param_override(&v, PARAM, 7.9), MF_E_OK);
    read_param(PARAM, -1);
    assert_true(take_value());
    assert_int_equal(s_value.param_type, MAV_PARAM_TYPE_INT32);
    assert_int_equal(s_value.param_value, 7);
    assert_int_equal(s_value.param_index, MF_PARAM_MPC_XY_CRUISE);
    read_param("MAV_SYS_ID", -1);
    assert_true(take_value());
    assert_int_equal(s_value.param_type, MAV_PARAM_TYPE_REAL32);
    assert_int_equal(s_value.param_value, 0x3F800000u); /* 1.0 */
    assert_false(take_value());
}

static void param_lost(void)
{
    add("param_lost(" PARAM ")*2");
    assert_int_equal(listed(PARAM), 0);
    assert_int_equal(fired(), 1);
    read_param("", MF_PARAM_MPC_XY_CRUISE);
    assert_false(take_value());
    read_param("", MF_PARAM_MPC_XY_CRUISE);
    assert_true(take_value());
    assert_int_equal(fired(), 2);
}

static void param_refused(void)
{
    const float before = mf_param_f(&v.params, MF_PARAM_MPC_XY_CRUISE);
    add("param_refused(" PARAM ")*1");
    set_param(PARAM, before + 1.0f);
    assert_true(take_value());
    assert_int_equal(s_value.param_value, mf_f32_bits(before));
    assert_true(mf_param_f(&v.params, MF_PARAM_MPC_XY_CRUISE) == before);
    set_param(PARAM, before + 1.0f);
    assert_true(take_value());
    assert_int_equal(s_value.param_value, mf_f32_bits(before + 1.0f));
    assert_int_equal(links[0].stats.rx_lost, 0);
}

/* ---- files: operation, session, answers by hand from the protocol's page */

static struct mf_msg_file_transfer_protocol s_answer;

static void operate(uint8_t opcode, uint16_t seq, const char *path)
{
    struct mf_msg_file_transfer_protocol m = {.target_system = 1, .target_component = 1};
    m.payload[0] = (uint8_t)seq;
    m.payload[1] = (uint8_t)(seq >> 8);
    m.payload[3] = opcode;
    m.payload[4] = (uint8_t)strlen(path);
    memcpy(m.payload + 12, path, strlen(path));
    say(MF_MSG_FILE_TRANSFER_PROTOCOL, &m);
}

static bool take_file(void)
{
    return mf_mock_take(&mock, 0, MF_MSG_FILE_TRANSFER_PROTOCOL, &s_answer);
}

static void ftp_error(void)
{
    add("ftp_error(list)=10*1");
    operate(3, 0xFFFF, "/");
    assert_true(take_file());
    assert_int_equal(s_answer.target_system, 245);
    assert_int_equal(s_answer.target_component, 190);
    static const uint8_t k_nak[14] = {0, 0, 0, 129, 1, 3, 0, 0, 0, 0, 0, 0, 10, 0};
    assert_memory_equal(s_answer.payload, k_nak, sizeof k_nak);
    operate(3, 1, "/");
    assert_true(take_file());
    assert_int_equal(s_answer.payload[3], 128);
    assert_int_equal(s_answer.payload[0], 2);
    misbehave.rule[0].fired = 0;
    misbehave.rule[0].rule.value = 2; /* FailErrno has the error behind it */
    operate(3, 2, "/");
    assert_true(take_file());
    assert_int_equal(s_answer.payload[4], 2);
    assert_int_equal(s_answer.payload[13], 5);
}

static void ftp_lost(void)
{
    add("ftp_lost(list)");
    operate(3, 1, "/");
    assert_false(take_file());
    operate(3, 1, "/");
    assert_true(take_file());
    assert_int_equal(fired(), 1);
}

static void ftp_ignored(void)
{
    add("ftp_ignored(3)");
    operate(3, 1, "/");
    operate(3, 1, "/");
    later(5 * MF_SECOND_US);
    assert_false(take_file());
    operate(2, 1, ""); /* reset */
    assert_true(take_file());
    assert_int_equal(fired(), 2);
}

/* ---- all of them: a row without a case is found here */

static void (*const k_case[MF_RULE_COUNT])(void) = {
    [MF_RULE_COMMAND_DENIED] = command_denied,
    [MF_RULE_COMMAND_REJECTED] = command_rejected,
    [MF_RULE_COMMAND_UNSUPPORTED] = command_unsupported,
    [MF_RULE_COMMAND_FAILED] = command_failed,
    [MF_RULE_COMMAND_STALLED] = command_stalled,
    [MF_RULE_COMMAND_IGNORED] = command_ignored,
    [MF_RULE_COMMAND_UNACKNOWLEDGED] = command_unacknowledged,
    [MF_RULE_COMMAND_LATE] = command_late,
    [MF_RULE_REQUEST_UNANSWERED] = request_unanswered,
    [MF_RULE_MESSAGE_SILENCE] = message_silence,
    [MF_RULE_UPLOAD_LOST] = upload_lost,
    [MF_RULE_UPLOAD_REPEATED] = upload_repeated,
    [MF_RULE_UPLOAD_REORDERED] = upload_reordered,
    [MF_RULE_UPLOAD_TIMEOUT] = upload_timeout,
    [MF_RULE_UPLOAD_REFUSED] = upload_refused,
    [MF_RULE_DOWNLOAD_LOST] = download_lost,
    [MF_RULE_DOWNLOAD_REPEATED] = download_repeated,
    [MF_RULE_DOWNLOAD_REORDERED] = download_reordered,
    [MF_RULE_DOWNLOAD_TIMEOUT] = download_timeout,
    [MF_RULE_DOWNLOAD_REFUSED] = download_refused,
    [MF_RULE_MISSION_ACK_LOST] = mission_ack_lost,
    [MF_RULE_PARAM_MISSING] = param_missing,
    [MF_RULE_PARAM_WRONG_TYPE] = param_wrong_type,
    [MF_RULE_PARAM_LOST] = param_lost,
    [MF_RULE_PARAM_REFUSED] = param_refused,
    [MF_RULE_FTP_ERROR] = ftp_error,
    [MF_RULE_FTP_LOST] = ftp_lost,
    [MF_RULE_FTP_IGNORED] = ftp_ignored,
};

static void do_all(void **state)
{
    for (int i = 0; i < MF_RULE_COUNT; i++) {
        print_message("           %s\n", mf_rule_info((enum mf_rule_kind)i)->name);
        assert_non_null(k_case[i]);
        assert_int_equal(setup(state), 0);
        k_case[i]();
        assert_int_equal(links[0].stats.rx_unsigned, 0);
        assert_int_equal(links[0].stats.rx_bad_signature, 0);
        assert_int_equal(links[0].stats.rx_replayed, 0);
    }
}

static void test_sim046_every_rule_does_what_it_says(void **state)
{
    with_key = false;
    do_all(state);
}

static void test_sim046_every_rule_does_so_where_links_are_signed(void **state)
{
    with_key = true;
    do_all(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim046_every_rule_does_what_it_says),
        cmocka_unit_test(test_sim046_every_rule_does_so_where_links_are_signed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
