/* SPDX-License-Identifier: Apache-2.0 */
/* What is passed on between links, to whom, and that it is not changed. */
#include "tests/unit/firmware/flight_fixture.h"

/* Ports: a ground station (255/190), a camera (1/100), a companion (1/195), and one that
 * is silent. */
enum { GCS, CAMERA, COMPANION, SILENT, PORTS };

static struct mf_mock g_mock;
static struct mf_vehicle g_v;
static struct mf_link g_links[PORTS];

static void clear(void)
{
    for (int i = 0; i < PORTS; i++) {
        mf_mock_clear(&g_mock, i);
    }
}

static void feed(int port, uint32_t msgid, const void *msg)
{
    mf_mock_feed_msg(&g_mock, port, msgid, msg);
    (void)mf_vehicle_step(&g_v);
}

static void beat(int port, uint8_t type)
{
    feed(port, MF_MSG_HEARTBEAT, &(struct mf_msg_heartbeat){.type = type, .mavlink_version = 3});
}

/* @param isolated  a port, or -1 */
static void boot(int isolated)
{
    static int32_t off[MF_STREAM_COUNT];
    mf_mock_init(&g_mock);
    const struct mf_setup setup = {.hal = mf_mock_hal(&g_mock),
                                   .links = g_links,
                                   .link_count = PORTS,
                                   .sysid = 1,
                                   .compid = 1};
    assert_int_equal(mf_vehicle_init(&g_v, &setup), MF_E_OK);
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        off[i] = MF_STREAM_OFF;
    }
    for (int i = 0; i < PORTS; i++) {
        struct mf_serial serial = mf_mock_serial(&g_mock, i);
        serial.isolated = i == isolated;
        assert_int_equal(mf_link_open(&g_v, &serial, "mock", off), i);
    }
    g_mock.port[GCS].peer = (struct mf_sender){2, 0, 255, 190};
    g_mock.port[CAMERA].peer = (struct mf_sender){2, 0, 1, 100};
    g_mock.port[COMPANION].peer = (struct mf_sender){2, 0, 1, 195};
    beat(GCS, MAV_TYPE_GCS);
    beat(CAMERA, 30);
    beat(COMPANION, MAV_TYPE_ONBOARD_CONTROLLER);
    clear();
}

static size_t count(int port, uint32_t msgid)
{
    return mf_mock_count(&g_mock, port, msgid);
}

static void test_addressed_frames_go_to_their_target_unchanged(void **state)
{
    (void)state;
    const struct mf_msg_command_long m = {
        .command = 2000, .target_system = 1, .target_component = 100, .param3 = 1.0f};
    uint8_t expected[MF_FRAME_MAX];
    size_t len = 0;
    boot(-1);
    g_mock.port[GCS].peer.seq = 77;
    const struct mf_sender from = g_mock.port[GCS].peer;
    const size_t n = mf_frame_encode(&from, mf_msg_find(MF_MSG_COMMAND_LONG), &m, expected);
    const uint8_t own_seq = g_links[CAMERA].tx_seq;
    const uint32_t before = g_links[CAMERA].stats.tx_forwarded;
    feed(GCS, MF_MSG_COMMAND_LONG, &m);
    const uint8_t *frame = mf_mock_take_frame(&g_mock, CAMERA, MF_MSG_COMMAND_LONG, &len);
    assert_non_null(frame);
    assert_int_equal(len, n);
    assert_memory_equal(frame, expected, n);
    assert_int_equal(g_links[CAMERA].tx_seq, own_seq);
    assert_int_equal(g_links[CAMERA].stats.tx_forwarded, before + 1);
    assert_int_equal(count(COMPANION, MF_MSG_COMMAND_LONG), 0);
    assert_int_equal(count(SILENT, MF_MSG_COMMAND_LONG), 0);
    assert_int_equal(count(GCS, MF_MSG_COMMAND_ACK), 0); /* not ours to answer */
    const struct mf_msg_command_ack ack = {
        .command = 2000, .target_system = 255, .target_component = 190};
    feed(CAMERA, MF_MSG_COMMAND_ACK, &ack);
    assert_int_equal(count(GCS, MF_MSG_COMMAND_ACK), 1);
    assert_int_equal(count(COMPANION, MF_MSG_COMMAND_ACK), 0);
}

/* Target of a COMMAND_LONG from the ground station, and which ports get it. */
static void test_targets(void **state)
{
    static const struct {
        uint8_t system, component;
        bool camera, companion, ours;
    } k_case[] = {
        {0, 0, true, true, true},        {0, 100, true, true, false},
        {1, 0, true, true, true},        {1, 1, false, false, true},
        {1, 100, true, false, false},    {1, 195, false, true, false},
        {1, 154, false, false, false},   {2, 0, false, false, false},
        {255, 190, false, false, false},
    };
    (void)state;
    boot(-1);
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const struct mf_msg_command_long m = {.command = MAV_CMD_RUN_PREARM_CHECKS,
                                              .target_system = k_case[i].system,
                                              .target_component = k_case[i].component};
        clear();
        feed(GCS, MF_MSG_COMMAND_LONG, &m);
        assert_int_equal(count(CAMERA, MF_MSG_COMMAND_LONG), k_case[i].camera);
        assert_int_equal(count(COMPANION, MF_MSG_COMMAND_LONG), k_case[i].companion);
        assert_int_equal(count(SILENT, MF_MSG_COMMAND_LONG), 0);
        assert_int_equal(count(GCS, MF_MSG_COMMAND_LONG), 0);
        assert_int_equal(count(GCS, MF_MSG_COMMAND_ACK), k_case[i].ours);
    }
}

static void test_heartbeats_are_passed_on_unless_told_otherwise(void **state)
{
    (void)state;
    boot(-1);
    beat(CAMERA, 30);
    assert_int_equal(count(GCS, MF_MSG_HEARTBEAT), 1);
    assert_int_equal(count(COMPANION, MF_MSG_HEARTBEAT), 1);
    assert_int_equal(count(SILENT, MF_MSG_HEARTBEAT), 0); /* nobody was heard there */
    assert_int_equal(count(CAMERA, MF_MSG_HEARTBEAT), 0);
    assert_int_equal(mf_param_override(&g_v, "MAV_HB_FORW_EN", 0.0), MF_E_OK);
    clear();
    beat(CAMERA, 30);
    assert_int_equal(count(GCS, MF_MSG_HEARTBEAT), 0);
}

/* Id 12345, which is in nobody's table: no checksum to verify. */
static void test_unknown_messages_go_to_everybody(void **state)
{
    static const uint8_t k_unknown[] = {0xFD, 3,    0, 0, 9, 255,  190, 0x39,
                                        0x30, 0x00, 1, 2, 3, 0xAB, 0xCD};
    size_t len = 0;
    (void)state;
    boot(-1);
    mf_mock_feed(&g_mock, GCS, k_unknown, sizeof k_unknown);
    (void)mf_vehicle_step(&g_v);
    assert_int_equal(count(CAMERA, 12345), 0); /* nothing follows yet */
    mf_mock_advance(&g_mock, 30000);
    (void)mf_vehicle_step(&g_v);
    const uint8_t *frame = mf_mock_take_frame(&g_mock, CAMERA, 12345, &len);
    assert_non_null(frame);
    assert_int_equal(len, sizeof k_unknown);
    assert_memory_equal(frame, k_unknown, len);
    assert_int_equal(count(COMPANION, 12345), 1);
    assert_int_equal(g_links[GCS].parser.stats.unknown, 1);
    mf_mock_feed(&g_mock, GCS, k_unknown, sizeof k_unknown);
    beat(GCS, MAV_TYPE_GCS);
    assert_int_equal(count(COMPANION, 12345), 2);
    uint8_t camera[sizeof k_unknown]; /* to other systems as well as to its own */
    memcpy(camera, k_unknown, sizeof camera);
    camera[5] = 1;
    camera[6] = 100;
    mf_mock_feed(&g_mock, CAMERA, camera, sizeof camera);
    beat(CAMERA, 30);
    assert_int_equal(count(GCS, 12345), 1);
    assert_int_equal(count(COMPANION, 12345), 3);
    mf_mock_feed(&g_mock, SILENT, k_unknown, sizeof k_unknown); /* may be noise: makes no route */
    mf_mock_advance(&g_mock, 30000);
    (void)mf_vehicle_step(&g_v);
    mf_mock_advance(&g_mock, 30000);
    (void)mf_vehicle_step(&g_v);
    assert_int_equal(g_links[SILENT].parser.stats.unknown, 1);
    assert_int_equal(g_links[SILENT].senders.count, 0);
}

/* A frame of a message that nobody knows with HEARTBEAT in it: that one counts, the outer one
 * does not. */
static void test_an_unknown_message_around_a_known_one_is_not_passed_on(void **state)
{
    static const uint8_t k_frame[] = {0xFD, 24,   0, 0, 9, 1, 100, 0x39, 0x30, 0x00, 1,    2,
                                      3,    0xFD, 9, 0, 0, 0, 7,   9,    0,    0,    0,    0,
                                      0,    0,    0, 6, 8, 0, 4,   3,    0x84, 0xD7, 0xAB, 0xCD};
    size_t len = 0;
    (void)state;
    boot(-1);
    mf_mock_feed(&g_mock, CAMERA, k_frame, sizeof k_frame);
    (void)mf_vehicle_step(&g_v);
    const uint8_t *frame = mf_mock_take_frame(&g_mock, GCS, MF_MSG_HEARTBEAT, &len);
    assert_non_null(frame);
    assert_int_equal(len, 21);
    assert_memory_equal(frame, k_frame + 13, len);
    mf_mock_advance(&g_mock, 1000000);
    (void)mf_vehicle_step(&g_v);
    assert_int_equal(count(GCS, 12345), 0);
    assert_int_equal(g_links[CAMERA].parser.stats.unknown, 0);
    assert_int_equal(g_links[CAMERA].parser.stats.skipped, 15);
}

static void test_setup_signing_and_echoes_stay(void **state)
{
    (void)state;
    boot(-1);
    feed(GCS, MF_MSG_SETUP_SIGNING, &(struct mf_msg_setup_signing){.target_system = 2});
    assert_int_equal(count(CAMERA, MF_MSG_SETUP_SIGNING), 0);
    g_mock.port[GCS].peer = (struct mf_sender){2, 0, 1, 1};
    beat(GCS, MAV_TYPE_GCS);
    assert_int_equal(count(CAMERA, MF_MSG_HEARTBEAT), 0);
}

/* One peer on two links, or two with one name: neither hears itself. */
static void test_no_circles(void **state)
{
    (void)state;
    boot(-1);
    g_mock.port[SILENT].peer = g_mock.port[GCS].peer;
    beat(SILENT, MAV_TYPE_GCS);
    clear();
    beat(GCS, MAV_TYPE_GCS);
    assert_int_equal(count(SILENT, MF_MSG_HEARTBEAT), 0);
    assert_int_equal(count(CAMERA, MF_MSG_HEARTBEAT), 1);
}

static void test_isolated_links_pass_nothing(void **state)
{
    (void)state;
    boot(CAMERA);
    beat(GCS, MAV_TYPE_GCS);
    assert_int_equal(count(CAMERA, MF_MSG_HEARTBEAT), 0);
    assert_int_equal(count(COMPANION, MF_MSG_HEARTBEAT), 1);
    clear();
    beat(CAMERA, 30);
    assert_int_equal(count(GCS, MF_MSG_HEARTBEAT), 0);
}

static void test_own_messages_have_the_right_of_way(void **state)
{
    (void)state;
    boot(-1);
    g_mock.port[CAMERA].room = MF_FORWARD_RESERVE + 10; /* a HEARTBEAT has 21 bytes */
    beat(GCS, MAV_TYPE_GCS);
    assert_int_equal(count(CAMERA, MF_MSG_HEARTBEAT), 0);
    assert_int_equal(g_links[CAMERA].stats.tx_held_back, 1);
    g_mock.port[CAMERA].room = MF_FORWARD_RESERVE + 20;
    beat(GCS, MAV_TYPE_GCS);
    assert_int_equal(g_links[CAMERA].stats.tx_held_back, 2);
    g_mock.port[CAMERA].room = MF_FORWARD_RESERVE + 21;
    beat(GCS, MAV_TYPE_GCS);
    assert_int_equal(count(CAMERA, MF_MSG_HEARTBEAT), 1);
    mf_say(&g_v, MF_INFO, "own");
    assert_int_equal(count(CAMERA, MF_MSG_STATUSTEXT), 1);
    assert_int_equal(g_links[CAMERA].stats.tx_dropped, 0);
}

static void test_version_1_peers_get_version_1(void **state)
{
    (void)state;
    boot(-1);
    g_links[CAMERA].version = 1;
    beat(GCS, MAV_TYPE_GCS);
    assert_int_equal(count(CAMERA, MF_MSG_HEARTBEAT), 0);
    assert_int_equal(g_links[CAMERA].stats.tx_held_back, 1);
    g_mock.port[GCS].peer.version = 1;
    beat(GCS, MAV_TYPE_GCS);
    assert_int_equal(count(CAMERA, MF_MSG_HEARTBEAT), 1);
}

static void test_more_senders_than_fit_get_what_is_for_strangers(void **state)
{
    (void)state;
    boot(-1);
    const struct mf_msg_command_long m = {.command = 1, .target_system = 99, .target_component = 1};
    for (uint8_t i = 0; i < MF_LINK_SENDERS_MAX - 1; i++) {
        g_mock.port[CAMERA].peer.sysid = (uint8_t)(10 + i);
        beat(CAMERA, 30);
    }
    assert_int_equal(g_links[CAMERA].senders.count, MF_LINK_SENDERS_MAX);
    feed(GCS, MF_MSG_COMMAND_LONG, &m);
    assert_int_equal(count(CAMERA, MF_MSG_COMMAND_LONG), 0);
    g_mock.port[CAMERA].peer.sysid = 99;
    beat(CAMERA, 30);
    feed(GCS, MF_MSG_COMMAND_LONG, &m);
    assert_int_equal(count(CAMERA, MF_MSG_COMMAND_LONG), 1);
}

static void test_losses_are_counted_per_sender(void **state)
{
    (void)state;
    boot(-1);
    for (int i = 0; i < 5; i++) {
        g_mock.port[GCS].peer.sysid = 254;
        g_mock.port[GCS].peer.seq = (uint8_t)(100 + i);
        beat(GCS, MAV_TYPE_GCS);
        g_mock.port[GCS].peer.sysid = 255;
        g_mock.port[GCS].peer.seq = (uint8_t)(1 + 2 * i);
        beat(GCS, MAV_TYPE_GCS);
    }
    assert_int_equal(g_links[GCS].stats.rx_lost, 4);
    mf_links_log(&g_v);
    assert_true(mf_mock_logged(&g_mock, "link", "4 lost"));
    assert_true(mf_mock_logged(&g_mock, "link", "11 passed"));
}

/* Numbers 10, 10, 11, 14, 12, 13, 15, and 200 around the end of the numbers to 5. */
static void test_what_was_repeated_or_overtaken_is_not_lost(void **state)
{
    static const uint8_t k_seq[] = {10, 10, 11, 14, 12, 13, 15, 200, 255, 254, 5};
    (void)state;
    boot(-1);
    uint32_t lost[sizeof k_seq], before = 0;
    for (size_t i = 0; i < sizeof k_seq; i++) {
        g_mock.port[GCS].peer.seq = k_seq[i];
        beat(GCS, MAV_TYPE_GCS);
        before = i == 0 ? g_links[GCS].stats.rx_lost : before;
        lost[i] = g_links[GCS].stats.rx_lost - before;
    }
    assert_int_equal(lost[2], 0);
    assert_int_equal(lost[3], 2);
    assert_int_equal(lost[6], 2);
    assert_int_equal(lost[7], 2 + 184);
    assert_int_equal(lost[9], 2 + 184 + 54);
    assert_int_equal(lost[10], 2 + 184 + 54 + 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_addressed_frames_go_to_their_target_unchanged),
        cmocka_unit_test(test_targets),
        cmocka_unit_test(test_heartbeats_are_passed_on_unless_told_otherwise),
        cmocka_unit_test(test_unknown_messages_go_to_everybody),
        cmocka_unit_test(test_an_unknown_message_around_a_known_one_is_not_passed_on),
        cmocka_unit_test(test_setup_signing_and_echoes_stay),
        cmocka_unit_test(test_no_circles),
        cmocka_unit_test(test_isolated_links_pass_nothing),
        cmocka_unit_test(test_own_messages_have_the_right_of_way),
        cmocka_unit_test(test_version_1_peers_get_version_1),
        cmocka_unit_test(test_more_senders_than_fit_get_what_is_for_strangers),
        cmocka_unit_test(test_losses_are_counted_per_sender),
        cmocka_unit_test(test_what_was_repeated_or_overtaken_is_not_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
