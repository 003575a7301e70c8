/* SPDX-License-Identifier: Apache-2.0 */
#include "mavlink/enums.h"
#include "tests/unit/support/firmware.h"
#include "tests/unit/support/mock.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct mf_mock g_mock;
static struct mf_vehicle g_vehicle;
static struct mf_link g_links[MF_MOCK_PORTS];
static int32_t g_off[MF_STREAM_COUNT];

static struct mf_vehicle *vehicle(uint16_t links)
{
    mf_mock_init(&g_mock);
    memset(g_links, 0xA5, sizeof g_links); /* init must not rely on what a pool holds */
    for (int i = 0; i < MF_STREAM_COUNT; i++) {
        g_off[i] = MF_STREAM_OFF;
    }
    const struct mf_setup setup = {.hal = mf_mock_hal(&g_mock),
                                   .links = g_links,
                                   .link_count = links,
                                   .sysid = 7,
                                   .compid = 1};
    assert_int_equal(mf_vehicle_init(&g_vehicle, &setup), MF_E_OK);
    return &g_vehicle;
}

static int open_port(struct mf_vehicle *v, int port)
{
    const struct mf_serial serial = mf_mock_serial(&g_mock, port);
    return mf_link_open(v, &serial, "mock", g_off);
}

static void feed_command(int port, uint8_t system, uint8_t component)
{
    const struct mf_msg_command_long m = {.command = MAV_CMD_RUN_PREARM_CHECKS,
                                          .target_system = system,
                                          .target_component = component};
    mf_mock_feed_msg(&g_mock, port, MF_MSG_COMMAND_LONG, &m);
}

static void test_pool_is_used_again_and_has_an_end(void **state)
{
    (void)state;
    struct mf_vehicle *v = vehicle(2);
    assert_int_equal(open_port(v, 0), 0);
    assert_int_equal(open_port(v, 1), 1);
    assert_int_equal(open_port(v, 2), MF_E_FULL);
    assert_false(mf_mock_logged(&g_mock, "link", "closed: "));
    v->links[0].stats.rx_frames = 3;
    mf_link_close(v, 0);
    assert_true(mf_mock_logged(&g_mock, "link", "closed: 3 received"));
    assert_int_equal(v->links_open, 1);
    assert_int_equal(v->links_top, 2);
    assert_int_equal(open_port(v, 2), 0);
    mf_link_close(v, 1);
    mf_link_close(v, 0);
    assert_int_equal(v->links_top, 0);
}

static void test_every_link_counts_its_own_frames(void **state)
{
    (void)state;
    struct mf_vehicle *v = vehicle(2);
    size_t len;
    (void)open_port(v, 0); /* HEARTBEAT with sequence 0 */
    (void)open_port(v, 1);
    mf_say(v, MF_INFO, "one");
    assert_int_equal(mf_mock_take_frame(&g_mock, 0, MF_MSG_STATUSTEXT, &len)[4], 1);
    assert_int_equal(mf_mock_take_frame(&g_mock, 1, MF_MSG_STATUSTEXT, &len)[4], 1);
    feed_command(1, 7, 1);
    (void)mf_vehicle_step(v);
    mf_say(v, MF_INFO, "two");
    assert_int_equal(mf_mock_take_frame(&g_mock, 0, MF_MSG_STATUSTEXT, &len)[4], 2);
    assert_int_equal(mf_mock_take_frame(&g_mock, 1, MF_MSG_STATUSTEXT, &len)[4],
                     3); /* 2 was the answer */
}

static void test_full_device_drops_whole_frames_and_counts(void **state)
{
    (void)state;
    struct mf_vehicle *v = vehicle(2);
    (void)open_port(v, 0);
    (void)open_port(v, 1);
    g_mock.port[0].room = 10;
    mf_say(v, MF_INFO, "nothing gets through");
    assert_int_equal(g_links[0].stats.tx_dropped, 1);
    assert_int_equal(g_links[0].tx_seq,
                     1); /* what was not sent has no number: no gap for the peer */
    assert_int_equal(mf_mock_count(&g_mock, 1, MF_MSG_STATUSTEXT), 1);
}

static void test_addresses(void **state)
{
    static const struct {
        uint8_t system, component;
        bool ours;
    } k_case[] = {{7, 1, true},  {0, 0, true},  {7, 0, true}, {0, 1, true},
                  {8, 1, false}, {7, 2, false}, {1, 1, false}};
    (void)state;
    struct mf_vehicle *v = vehicle(1);
    (void)open_port(v, 0);
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        feed_command(0, k_case[i].system, k_case[i].component);
        (void)mf_vehicle_step(v);
        assert_int_equal(mf_mock_take(&g_mock, 0, MF_MSG_COMMAND_ACK, NULL), k_case[i].ours);
    }
    assert_int_equal(g_links[0].stats.rx_foreign, 3);
}

static void test_companion_with_our_system_id_is_heard_our_own_echo_is_not(void **state)
{
    (void)state;
    struct mf_vehicle *v = vehicle(1);
    (void)open_port(v, 0);
    g_mock.port[0].peer.sysid = 7;
    g_mock.port[0].peer.compid = 195;
    feed_command(0, 7, 1);
    (void)mf_vehicle_step(v);
    assert_int_equal(mf_mock_count(&g_mock, 0, MF_MSG_COMMAND_ACK), 1);
    g_mock.port[0].peer.compid = 1;
    feed_command(0, 7, 1);
    (void)mf_vehicle_step(v);
    assert_int_equal(mf_mock_count(&g_mock, 0, MF_MSG_COMMAND_ACK), 1);
    assert_int_equal(g_links[0].stats.rx_rejected, 1);
}

static void test_version_1_until_the_peer_speaks_version_2(void **state)
{
    (void)state;
    struct mf_vehicle *v = vehicle(1);
    size_t len;
    assert_int_equal(mf_param_override(v, "MAV_PROTO_VER", 1.0), MF_E_OK);
    (void)open_port(v, 0);
    assert_int_equal(mf_mock_take_frame(&g_mock, 0, MF_MSG_HEARTBEAT, &len)[0], 0xFE);
    g_mock.port[0].peer.version = 1;
    feed_command(0, 7, 1);
    (void)mf_vehicle_step(v);
    assert_int_equal(mf_mock_take_frame(&g_mock, 0, MF_MSG_COMMAND_ACK, &len)[0], 0xFE);
    g_mock.port[0].peer.version = 2;
    feed_command(0, 7, 1);
    (void)mf_vehicle_step(v);
    assert_int_equal(mf_mock_take_frame(&g_mock, 0, MF_MSG_COMMAND_ACK, &len)[0], 0xFD);
}

static void test_lost_frames_are_counted_by_sequence(void **state)
{
    (void)state;
    struct mf_vehicle *v = vehicle(1);
    (void)open_port(v, 0);
    feed_command(0, 7, 1);
    g_mock.port[0].peer.seq = (uint8_t)(g_mock.port[0].peer.seq + 3);
    feed_command(0, 7, 1);
    (void)mf_vehicle_step(v);
    assert_int_equal(g_links[0].stats.rx_frames, 2);
    assert_int_equal(g_links[0].stats.rx_lost, 3);
}

/* Half a frame that is never continued holds up what follows only until the gap is over. */
static void test_half_a_frame_is_given_up(void **state)
{
    static const uint8_t k_half[] = {0xFD, 0xFF, 0x00, 0x00,
                                     0x01}; /* claims 255 bytes of payload */
    (void)state;
    struct mf_vehicle *v = vehicle(1);
    (void)open_port(v, 0);
    mf_mock_feed(&g_mock, 0, k_half, sizeof k_half);
    feed_command(0, 7, 1);
    const struct mf_wake wake = mf_vehicle_step(v);
    assert_int_equal(mf_mock_count(&g_mock, 0, MF_MSG_COMMAND_ACK), 0);
    assert_int_equal(wake.transport_us, 1000000);
    mf_mock_advance(&g_mock, 1000000);
    (void)mf_vehicle_step(v);
    assert_int_equal(mf_mock_count(&g_mock, 0, MF_MSG_COMMAND_ACK), 1);
}

static void test_sim014_garbage_then_a_good_command(void **state)
{
    (void)state;
    struct mf_vehicle *v = vehicle(1);
    uint8_t noise[4096];
    uint32_t x = 2463534242u;
    (void)open_port(v, 0);
    for (int round = 0; round < 50; round++) {
        for (size_t i = 0; i < sizeof noise; i++) {
            x ^= x << 13, x ^= x >> 17, x ^= x << 5;
            noise[i] = (uint8_t)x;
        }
        mf_mock_feed(&g_mock, 0, noise, sizeof noise);
        feed_command(0, 7, 1);
        for (int i = 0; i < 4; i++) { /* all is read, then nothing comes for 1 s */
            (void)mf_vehicle_step(v);
            mf_mock_advance(&g_mock, i < 2 ? 0 : 1000000);
        }
        assert_true(mf_mock_take(&g_mock, 0, MF_MSG_COMMAND_ACK, NULL));
    }
    assert_true(g_links[0].parser.stats.skipped > 100000);
}

static void test_peer_services(void **state)
{
    (void)state;
    struct mf_vehicle *v = vehicle(1);
    (void)open_port(v, 0);
    const struct mf_msg_ping ping = {.time_usec = 12345, .seq = 9};
    struct mf_msg_ping echo;
    mf_mock_feed_msg(&g_mock, 0, MF_MSG_PING, &ping);
    mf_mock_advance(&g_mock, 2500000);
    const struct mf_msg_timesync ask = {.ts1 = 777};
    struct mf_msg_timesync answer;
    mf_mock_feed_msg(&g_mock, 0, MF_MSG_TIMESYNC, &ask);
    struct mf_msg_file_transfer_protocol ftp = {.target_system = 7, .target_component = 1};
    ftp.payload[0] = 0xFF; /* sequence 0x01FF */
    ftp.payload[1] = 0x01;
    ftp.payload[3] = 42;
    mf_mock_feed_msg(&g_mock, 0, MF_MSG_FILE_TRANSFER_PROTOCOL, &ftp);
    const struct mf_msg_log_request_list logs = {.target_system = 7, .target_component = 1};
    mf_mock_feed_msg(&g_mock, 0, MF_MSG_LOG_REQUEST_LIST, &logs);
    (void)mf_vehicle_step(v);
    assert_true(mf_mock_take(&g_mock, 0, MF_MSG_PING, &echo));
    assert_int_equal(echo.time_usec, 12345);
    assert_int_equal(echo.seq, 9);
    assert_int_equal(echo.target_system, 245);
    assert_int_equal(echo.target_component, 190);
    assert_true(mf_mock_take(&g_mock, 0, MF_MSG_TIMESYNC, &answer));
    assert_int_equal(answer.tc1, 2500000000);
    assert_int_equal(answer.ts1, 777);
    assert_true(mf_mock_take(&g_mock, 0, MF_MSG_FILE_TRANSFER_PROTOCOL, &ftp));
    assert_int_equal(ftp.payload[0], 0x00); /* 0x0200 */
    assert_int_equal(ftp.payload[1], 0x02);
    assert_int_equal(ftp.payload[3], 129);
    assert_int_equal(ftp.payload[5], 42);
    assert_int_equal(ftp.payload[12], 7);
    assert_true(mf_mock_take(&g_mock, 0, MF_MSG_LOG_ENTRY, NULL));
}

static void test_ids_out_of_range_are_refused(void **state)
{
    (void)state;
    mf_mock_init(&g_mock);
    struct mf_setup setup = {.hal = mf_mock_hal(&g_mock), .sysid = 0, .compid = 1};
    assert_int_equal(mf_vehicle_init(&g_vehicle, &setup), MF_E_RANGE);
    setup.sysid = 255;
    assert_int_equal(mf_vehicle_init(&g_vehicle, &setup), MF_E_RANGE);
    setup.sysid = 254;
    assert_int_equal(mf_vehicle_init(&g_vehicle, &setup), MF_E_OK);
}

enum { TELL, TURN, ASKED };

/* MISSION_CURRENT at an instant. @return did it leave? */
static bool leaves(struct mf_vehicle *v, int how, uint16_t seq, mf_us_t at_us, mf_us_t within_us)
{
    const struct mf_msg_mission_current m = {.seq = seq};
    const uint32_t before = g_links[0].stats.tx_frames;
    v->instant_us = at_us;
    bool sent = false;
    switch (how) {
    case TELL:
        sent = mf_link_tell(v, &g_links[0], MF_MSG_MISSION_CURRENT, &m);
        break;
    case TURN:
        sent = mf_link_repeat(v, &g_links[0], MF_MSG_MISSION_CURRENT, &m, within_us);
        break;
    default:
        sent = mf_link_send(v, &g_links[0], MF_MSG_MISSION_CURRENT, &m);
        break;
    }
    assert_true(sent); /* what was told is no failure */
    return g_links[0].stats.tx_frames > before;
}

static void test_what_was_told_is_not_told_again_too_soon(void **state)
{
    static const struct {
        int how;
        uint16_t seq;
        mf_us_t at_us, within_us;
        bool leaves;
    } k_step[] = {
        {TELL, 1, 0, 0, true},            /* the first one, although the time is 0 */
        {TELL, 1, 0, 0, false},           /* the same instant */
        {TELL, 2, 0, 0, true},            /* other content */
        {TELL, 2, 1, 0, true},            /* a later instant */
        {TURN, 2, 500001, 500000, false}, /* as old as may be */
        {TURN, 2, 500002, 500000, true},  /* older */
        {TURN, 2, 500002, 500000, false}, /* the same instant */
        {TURN, 2, 500003, 500000, true},  /* a turn is no change */
        {ASKED, 2, 500003, 0, true},      /* who asks is answered */
        {TELL, 2, 500003, 0, false},      /* and counts as told at that instant */
        {TELL, 3, 600000, 0, true},       /* a change, and then */
        {TURN, 3, 600000 + INT32_MAX / 2, INT32_MAX / 2, false}, /* the longest interval there is */
        {TURN, 3, 600001 + INT32_MAX / 2, INT32_MAX / 2, true},
    };
    (void)state;
    struct mf_vehicle *v = vehicle(1);
    (void)open_port(v, 0);
    for (size_t i = 0; i < sizeof k_step / sizeof k_step[0]; i++) {
        assert_int_equal(
            leaves(v, k_step[i].how, k_step[i].seq, k_step[i].at_us, k_step[i].within_us),
            k_step[i].leaves);
    }
}

/* Ages of all news grow when one of them is told, and stop before they wrap after 71 minutes. */
static void test_what_was_told_long_ago_is_told_again(void **state)
{
    const mf_us_t hour_us = INT64_C(3600000000);
    const struct mf_msg_home_position other = {.latitude = 1};
    (void)state;
    for (int hours = 0; hours < 4; hours++) {
        struct mf_vehicle *v = vehicle(1);
        (void)open_port(v, 0);
        assert_true(leaves(v, TELL, 1, 1000, 0));
        for (int i = 1; i <= hours; i++) {
            v->instant_us = i * hour_us;
            assert_true(mf_link_tell(v, &g_links[0], MF_MSG_HOME_POSITION, &other));
        }
        assert_int_equal(leaves(v, TURN, 1, hours * hour_us + 2000, 500000), hours > 0);
    }
    struct mf_vehicle *v = vehicle(1);
    (void)open_port(v, 0);
    assert_true(leaves(v, TURN, 1, 1000, 0)); /* its turn, then other news of the same instant */
    assert_true(mf_link_tell(v, &g_links[0], MF_MSG_HOME_POSITION, &other));
    assert_false(leaves(v, TELL, 1, 1000, 0));
    v = vehicle(1);
    (void)open_port(v, 0);
    assert_true(leaves(v, TELL, 1, 1000, 0));
    v->instant_us = 1000 + INT64_C(0x100000000); /* 2^32 us later the low half is the same */
    assert_true(mf_link_tell(v, &g_links[0], MF_MSG_HOME_POSITION, &other));
    assert_true(leaves(v, TELL, 1, 1000 + INT64_C(0x100000000), 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pool_is_used_again_and_has_an_end),
        cmocka_unit_test(test_every_link_counts_its_own_frames),
        cmocka_unit_test(test_full_device_drops_whole_frames_and_counts),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_companion_with_our_system_id_is_heard_our_own_echo_is_not),
        cmocka_unit_test(test_version_1_until_the_peer_speaks_version_2),
        cmocka_unit_test(test_lost_frames_are_counted_by_sequence),
        cmocka_unit_test(test_half_a_frame_is_given_up),
        cmocka_unit_test(test_sim014_garbage_then_a_good_command),
        cmocka_unit_test(test_peer_services),
        cmocka_unit_test(test_ids_out_of_range_are_refused),
        cmocka_unit_test(test_what_was_told_is_not_told_again_too_soon),
        cmocka_unit_test(test_what_was_told_long_ago_is_told_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
