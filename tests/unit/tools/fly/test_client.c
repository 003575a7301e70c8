/* SPDX-License-Identifier: Apache-2.0 */
/* The client against a vehicle in memory, over good and bad links. Random failures print their
 * seed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "fake_vehicle.h"
#include "tools/fly/transfer.h"

static struct fake s_vehicle;
static struct fly_client s_client;
static struct fly_transfer s_how;
static struct mf_msg_mission_item_int s_item[FAKE_ITEMS];

static int begin(void **state)
{
    (void)state;
    fake_begin(&s_vehicle, &s_client, 1);
    memset(&s_how, 0, sizeof s_how);
    return 0;
}

static struct fly_mission mission_of(uint16_t count)
{
    for (uint16_t i = 0; i < count; i++) {
        s_item[i] = (struct mf_msg_mission_item_int){
            .param1 = mf_f32_bits((float)i),
            .param3 = mf_f32_bits(7.5f),
            .param4 = mf_f32_bits(NAN),
            .x = 473977420 + i * 1000,
            .y = 85455940 - i * 777,
            .z = mf_f32_bits(10.0f + (float)i * 0.1f),
            .seq = i,
            .command = MAV_CMD_NAV_WAYPOINT,
            .frame = MAV_FRAME_GLOBAL_RELATIVE_ALT_INT,
            .current = i == 0,
            .autocontinue = 1,
        };
    }
    return (struct fly_mission){.item = s_item, .count = count, .capacity = FAKE_ITEMS};
}

static void expect_stored(uint16_t count)
{
    uint16_t altered = 0;
    assert_int_equal(s_vehicle.count, count);
    for (uint16_t i = 0; i < count; i++) {
        assert_int_equal(s_vehicle.stored[i].seq, i);
        assert_true(fly_item_equal(&s_item[i], &s_vehicle.stored[i], &altered));
    }
    assert_int_equal(altered, 0);
}

/* ---- missions */

static void test_upload_on_a_good_link(void **state)
{
    (void)state;
    const struct fly_mission mission = mission_of(20);
    assert_int_equal(fly_upload(&s_client, &mission, true, &s_how), FLY_E_OK);
    expect_stored(20);
    assert_int_equal(s_how.repeats, 0);
    assert_int_equal(s_how.restarts, 0);
    assert_int_equal(s_how.altered, 0);
    /* 42 round trips of 4 ms and a little */
    assert_true(s_vehicle.now_us < 300000);
}

/* 100 of 100, with a third of all frames lost, every tenth twice, and up to 150 ms of disorder. */
static void test_upload_converges_on_bad_links(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        fake_begin(&s_vehicle, &s_client, seed);
        memset(&s_how, 0, sizeof s_how);
        s_vehicle.loss_percent = 30;
        s_vehicle.twice_percent = 10;
        s_vehicle.delay_max_us = 150000;
        const uint16_t count = (uint16_t)(1 + seed % 30);
        const struct fly_mission mission = mission_of(count);
        const int err = fly_upload(&s_client, &mission, true, &s_how);
        if (err != FLY_E_OK) {
            fail_msg("seed %llu: %s after %.1f s, %u restarts", (unsigned long long)seed,
                     fly_err_text(err), (double)s_vehicle.now_us * 1e-6, s_how.restarts);
        }
        expect_stored(count);
    }
}

static void test_upload_without_verification_converges(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        fake_begin(&s_vehicle, &s_client, seed);
        s_vehicle.loss_percent = 30;
        s_vehicle.twice_percent = 10;
        s_vehicle.delay_max_us = 50000;
        const struct fly_mission mission = mission_of(12);
        assert_int_equal(fly_upload(&s_client, &mission, false, &s_how), FLY_E_OK);
        expect_stored(12);
    }
}

static void test_download(void **state)
{
    (void)state;
    static struct mf_msg_mission_item_int back[FAKE_ITEMS];
    const struct fly_mission mission = mission_of(9);
    struct fly_mission copy = {.item = back, .capacity = FAKE_ITEMS};
    uint16_t altered = 0;
    assert_int_equal(fly_upload(&s_client, &mission, false, &s_how), FLY_E_OK);
    assert_int_equal(fly_download(&s_client, &copy, &s_how), FLY_E_OK);
    assert_int_equal(copy.count, 9);
    for (uint16_t i = 0; i < 9; i++) {
        assert_true(fly_item_equal(&s_item[i], &back[i], &altered));
    }
    copy.capacity = 8;
    assert_int_equal(fly_download(&s_client, &copy, &s_how), FLY_E_SPACE);
}

static void test_empty_mission(void **state)
{
    (void)state;
    const struct fly_mission mission = mission_of(0);
    s_vehicle.count = 3;
    assert_int_equal(fly_upload(&s_client, &mission, true, &s_how), FLY_E_OK);
    assert_int_equal(s_vehicle.count, 0);
}

static void test_upload_refusals(void **state)
{
    (void)state;
    const struct fly_mission mission = mission_of(5);
    s_vehicle.unsupported = MAV_CMD_NAV_LAND;
    s_item[3].command = MAV_CMD_NAV_LAND;
    assert_int_equal(fly_upload(&s_client, &mission, true, &s_how), FLY_E_REFUSED);
    assert_int_equal(s_how.result, MAV_MISSION_UNSUPPORTED);
    assert_int_equal(s_how.seq, 3);
    s_vehicle.capacity = 4;
    assert_int_equal(fly_upload(&s_client, &mission, true, &s_how), FLY_E_REFUSED);
    assert_int_equal(s_how.result, MAV_MISSION_NO_SPACE);
}

static void test_upload_tells_what_was_not_kept(void **state)
{
    (void)state;
    const struct fly_mission mission = mission_of(5);
    s_vehicle.forgetful = true;
    assert_int_equal(fly_upload(&s_client, &mission, true, &s_how), FLY_E_OK);
    assert_int_equal(s_how.altered, 5);
    s_vehicle.shifts = true;
    assert_int_equal(fly_upload(&s_client, &mission, true, &s_how), FLY_E_MISMATCH);
    assert_int_equal(s_how.seq, 0);
    s_vehicle.shifts = true;
    assert_int_equal(fly_upload(&s_client, &mission, false, &s_how), FLY_E_OK);
}

static void test_silent_vehicle(void **state)
{
    (void)state;
    const struct fly_mission mission = mission_of(2);
    s_vehicle.mute = true;
    assert_int_equal(fly_upload(&s_client, &mission, true, &s_how), FLY_E_TIMEOUT);
    assert_int_equal(s_how.restarts, FLY_TRANSFERS - 1);
    /* its own heartbeat went on, once a second */
    const int64_t seconds = s_vehicle.now_us / 1000000;
    assert_in_range(s_vehicle.heartbeats, seconds - 1, seconds + 1);
}

static void test_lost_link(void **state)
{
    (void)state;
    const struct mf_msg_command_long command = {.command = MAV_CMD_NAV_LAND};
    const struct fly_mission mission = mission_of(2);
    s_vehicle.gone = true;
    assert_int_equal(fly_upload(&s_client, &mission, true, &s_how), FLY_E_LINK);
    assert_int_equal(fly_client_command(&s_client, &command), FLY_E_LINK);
}

/* ---- commands */

static void test_command_results(void **state)
{
    (void)state;
    const struct mf_msg_command_long arm = {.command = MAV_CMD_COMPONENT_ARM_DISARM, .param1 = 1};
    assert_int_equal(fly_client_command(&s_client, &arm), MAV_RESULT_ACCEPTED);
    assert_int_equal(s_vehicle.command.target_system, 1);
    assert_int_equal(s_vehicle.command.target_component, 1);
    assert_int_equal(s_vehicle.command.confirmation, 0);
    s_vehicle.result = MAV_RESULT_DENIED;
    assert_int_equal(fly_client_command(&s_client, &arm), MAV_RESULT_DENIED);
}

static void test_command_is_repeated(void **state)
{
    (void)state;
    const struct mf_msg_command_long arm = {.command = MAV_CMD_COMPONENT_ARM_DISARM, .param1 = 1};
    s_vehicle.deaf = 3;
    assert_int_equal(fly_client_command(&s_client, &arm), MAV_RESULT_ACCEPTED);
    assert_int_equal(s_vehicle.commands, 4);
    assert_int_equal(s_vehicle.command.confirmation, 3);
    s_vehicle.deaf = 1000;
    s_vehicle.commands = 0;
    assert_int_equal(fly_client_command(&s_client, &arm), FLY_E_TIMEOUT);
    assert_int_equal(s_vehicle.commands, FLY_TRIES);
}

static void test_command_in_progress_is_awaited(void **state)
{
    (void)state;
    const struct mf_msg_command_long calibrate = {.command = MAV_CMD_PREFLIGHT_CALIBRATION};
    s_vehicle.slow = true;
    s_vehicle.result = MAV_RESULT_FAILED;
    assert_int_equal(fly_client_command(&s_client, &calibrate), MAV_RESULT_FAILED);
    assert_int_equal(s_vehicle.commands, 1);
    assert_true(s_vehicle.now_us >= 3000000);
}

/* ---- bytes */

static void push(const uint8_t *bytes, size_t n)
{
    struct fake_packet *p = &s_vehicle.packet[s_vehicle.packets++];
    *p = (struct fake_packet){.due_us = s_vehicle.now_us, .len = (uint16_t)n};
    memcpy(p->bytes, bytes, n);
}

static unsigned s_observed;

static void count_messages(void *ctx, const struct fly_message *message)
{
    (void)ctx;
    (void)message;
    s_observed++;
}

/* A frame in two pieces with garbage around it, on a stream. */
static void test_stream_in_pieces(void **state)
{
    (void)state;
    static const uint8_t k_heartbeat[] = {
        0xFD, 0x09, 0, 0, 0,    1,    1,    0,    0,    0,   0,
        0,    4,    3, 2, 0x0C, 0x1D, 0x03, 0x03, 0x2D, 0xC7}; /* golden, PX4 */
    static const uint8_t k_garbage[] = {0xFD, 0x55, 0x00};
    struct fly_message in;
    s_observed = 0;
    s_client.observe = count_messages;
    s_client.link.datagrams = false;
    push(k_garbage, sizeof k_garbage);
    push(k_heartbeat, 8);
    push(k_heartbeat + 8, sizeof k_heartbeat - 8);
    assert_int_equal(fly_client_next(&s_client, 1000000, &in), 1);
    assert_int_equal(in.info->id, MF_MSG_HEARTBEAT);
    assert_int_equal(in.m.heartbeat.custom_mode, 0x03040000);
    assert_int_equal(in.sysid, 1);
    assert_int_equal(s_observed, 1);
    assert_int_equal(fly_client_next(&s_client, 2000000, &in), 0);
    assert_int_equal(s_vehicle.now_us, 2000000);
}

/* Sequence numbers as they come, and the order that they tell. */
static void test_order_of_frames(void **state)
{
    (void)state;
    static const struct {
        uint8_t seq;
        int64_t step;
    } k_case[] = {{10, 0},    {11, 1},  {11, 1},    {13, 3},  {12, 2},    {113, 103}, {213, 203},
                  {255, 245}, {0, 246}, {254, 244}, {3, 249}, {200, 446}, {150, 652}};
    int64_t first = 0;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        uint8_t frame[MF_FRAME_MAX];
        struct fly_message in;
        const struct mf_msg_heartbeat heartbeat = {.type = 2, .autopilot = 12};
        const struct mf_sender from = {.version = 2, .seq = k_case[i].seq, .sysid = 1, .compid = 1};
        push(frame, mf_frame_encode(&from, mf_msg_find(0), &heartbeat, frame));
        assert_int_equal(fly_client_next(&s_client, s_vehicle.now_us + 10000, &in), 1);
        first = i == 0 ? in.order : first;
        assert_int_equal(in.order - first, k_case[i].step);
    }
}

static void test_item_comparison(void **state)
{
    (void)state;
    uint16_t altered = 0;
    (void)mission_of(1);
    struct mf_msg_mission_item_int back = s_item[0];
    back.frame = MAV_FRAME_GLOBAL_RELATIVE_ALT; /* the other spelling */
    back.x += 1;
    assert_true(fly_item_equal(&s_item[0], &back, &altered));
    back.x += 1;
    assert_false(fly_item_equal(&s_item[0], &back, &altered));
    back = s_item[0];
    back.frame = MAV_FRAME_GLOBAL_INT;
    assert_false(fly_item_equal(&s_item[0], &back, &altered));
    back = s_item[0];
    back.z = mf_f32_bits(10.1f);
    assert_false(fly_item_equal(&s_item[0], &back, &altered));
    back = s_item[0];
    back.param3 = mf_f32_bits(8.0f);
    assert_false(fly_item_equal(&s_item[0], &back, &altered));
    assert_int_equal(altered, 1);
    back.param3 = 0;
    assert_true(fly_item_equal(&s_item[0], &back, &altered));
}

static void test_endpoints(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int result;
        enum fly_transport transport;
        const char *host;
        const char *port;
    } k_case[] = {
        {"tcp:127.0.0.1:5760", 0, FLY_TCP, "127.0.0.1", "5760"},
        {"tcp:[::1]:5760", 0, FLY_TCP, "::1", "5760"},
        {"tcp://127.0.0.1:5760", 0, FLY_TCP, "127.0.0.1", "5760"},
        {"tcp://127.0.0.1", -1, FLY_TCP, "", ""},
        {"udp:drone.local:14550", 0, FLY_UDP, "drone.local", "14550"},
        {"udpin:14550", 0, FLY_UDP_IN, "", "14550"},
        {"udpin:0.0.0.0:14550", 0, FLY_UDP_IN, "0.0.0.0", "14550"},
        {"serial:/dev/ttyACM0:57600", 0, FLY_SERIAL, "/dev/ttyACM0", "57600"},
        {"serial:/dev/ttyACM0:57601", -1, FLY_SERIAL, "", ""},
        {"tcp:127.0.0.1", -1, FLY_TCP, "", ""},
        {"tcp::5760", -1, FLY_TCP, "", ""},
        {"tcp:host:65536", -1, FLY_TCP, "", ""},
        {"tcp:host:-1", -1, FLY_TCP, "", ""},
        {"127.0.0.1:5760", -1, FLY_TCP, "", ""},
        {"", -1, FLY_TCP, "", ""},
    };
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct fly_endpoint e;
        char error[256] = "";
        const int result = fly_endpoint_parse(k_case[i].text, &e, error, sizeof error);
        assert_int_equal(result, k_case[i].result);
        if (result == 0) {
            assert_int_equal(e.transport, k_case[i].transport);
            assert_string_equal(e.host, k_case[i].host);
            assert_string_equal(e.port, k_case[i].port);
        } else {
            assert_true(error[0] != '\0');
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_upload_on_a_good_link, begin),
        cmocka_unit_test_setup(test_upload_converges_on_bad_links, begin),
        cmocka_unit_test_setup(test_upload_without_verification_converges, begin),
        cmocka_unit_test_setup(test_download, begin),
        cmocka_unit_test_setup(test_empty_mission, begin),
        cmocka_unit_test_setup(test_upload_refusals, begin),
        cmocka_unit_test_setup(test_upload_tells_what_was_not_kept, begin),
        cmocka_unit_test_setup(test_silent_vehicle, begin),
        cmocka_unit_test_setup(test_lost_link, begin),
        cmocka_unit_test_setup(test_command_results, begin),
        cmocka_unit_test_setup(test_command_is_repeated, begin),
        cmocka_unit_test_setup(test_command_in_progress_is_awaited, begin),
        cmocka_unit_test_setup(test_stream_in_pieces, begin),
        cmocka_unit_test_setup(test_order_of_frames, begin),
        cmocka_unit_test_setup(test_item_comparison, begin),
        cmocka_unit_test_setup(test_endpoints, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
