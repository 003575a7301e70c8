/* SPDX-License-Identifier: Apache-2.0 */
/** A client of the mission protocol, for tests: what it says goes in as bytes, what it expects came
 * out as bytes.
 * Two links: 245/190 on port 0, 250/190 on port 1. */
#ifndef MF_TESTS_MISSION_CLIENT_H
#define MF_TESTS_MISSION_CLIENT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/support/firmware.h"
#include "tests/unit/support/mock.h"
#include "tests/unit/support/names.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define NAN_BITS        0x7FC00000u
#define INF_BITS        0x7F800000u
#define HOME_LAT_E7     473977420
#define HOME_LON_E7     85455940
#define SQUARE_TAG      0x22CADB5Du /* of k_square */

static struct mf_mock mock;
static struct mf_vehicle v;
static struct mf_link links[2];

/* A takeoff and a square of 0.001 deg, 10 m above home. */
static const struct mf_item k_square[] = {
    {{0, 0, 0, NAN_BITS}, HOME_LAT_E7, HOME_LON_E7, 0x41200000u, 22, 6, 1},
    {{0, 0, 0, NAN_BITS}, HOME_LAT_E7 + 10000, HOME_LON_E7, 0x41200000u, 16, 6, 1},
    {{0, 0, 0, NAN_BITS}, HOME_LAT_E7 + 10000, HOME_LON_E7 + 10000, 0x41200000u, 16, 6, 1},
    {{0, 0, 0, NAN_BITS}, HOME_LAT_E7, HOME_LON_E7 + 10000, 0x41200000u, 16, 6, 1},
};

static const uint16_t k_square_count = (uint16_t)COUNT_OF(k_square);

static inline int start(const struct mf_hal *hal)
{
    const struct mf_setup s = {
        .hal = *hal, .links = links, .link_count = 2, .sysid = 1, .compid = 1};
    static int32_t interval_us[MF_STREAM_COUNT];
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        interval_us[i] = MF_STREAM_OFF;
    }
    if (mf_vehicle_init(&v, &s) != MF_E_OK) {
        return -1;
    }
    for (int port = 0; port < 2; port++) {
        const struct mf_serial serial = mf_mock_serial(&mock, port);
        (void)mf_link_open(&v, &serial, "test", interval_us);
    }
    (void)mf_vehicle_step(&v);
    mf_mock_clear(&mock, 0);
    mf_mock_clear(&mock, 1);
    return 0;
}

static inline int setup(void **state)
{
    (void)state;
    mf_mock_init(&mock);
    const struct mf_hal hal = mf_mock_hal(&mock);
    mock.port[1].peer.sysid = 250;
    return start(&hal);
}

/* ---- a client ---- */

static inline void say(int port, uint32_t msgid, const void *msg)
{
    mf_mock_feed_msg(&mock, port, msgid, msg);
    (void)mf_vehicle_step(&v);
}

static inline void say_count(int port, uint8_t type, uint16_t count)
{
    const struct mf_msg_mission_count m = {
        .count = count, .target_system = 1, .target_component = 1, .mission_type = type};
    say(port, MF_MSG_MISSION_COUNT, &m);
}

static inline struct mf_msg_mission_item_int item_int(uint8_t type, uint16_t seq,
                                                      const struct mf_item *item)
{
    return (struct mf_msg_mission_item_int){.param1 = item->param[0],
                                            .param2 = item->param[1],
                                            .param3 = item->param[2],
                                            .param4 = item->param[3],
                                            .x = item->x,
                                            .y = item->y,
                                            .z = item->z,
                                            .seq = seq,
                                            .command = item->command,
                                            .target_system = 1,
                                            .target_component = 1,
                                            .frame = item->frame,
                                            .autocontinue = item->autocontinue,
                                            .mission_type = type};
}

static inline void say_item(int port, uint8_t type, uint16_t seq, const struct mf_item *item)
{
    const struct mf_msg_mission_item_int m = item_int(type, seq, item);
    say(port, MF_MSG_MISSION_ITEM_INT, &m);
}

static inline void say_ack(int port, uint8_t type, uint8_t result)
{
    const struct mf_msg_mission_ack m = {
        .target_system = 1, .target_component = 1, .type = result, .mission_type = type};
    say(port, MF_MSG_MISSION_ACK, &m);
}

static inline void say_list(int port, uint8_t type)
{
    const struct mf_msg_mission_request_list m = {
        .target_system = 1, .target_component = 1, .mission_type = type};
    say(port, MF_MSG_MISSION_REQUEST_LIST, &m);
}

static inline void say_request(int port, uint8_t type, uint16_t seq)
{
    const struct mf_msg_mission_request_int m = {
        .seq = seq, .target_system = 1, .target_component = 1, .mission_type = type};
    say(port, MF_MSG_MISSION_REQUEST_INT, &m);
}

static inline void say_request_float(int port, uint8_t type, uint16_t seq)
{
    const struct mf_msg_mission_request m = {
        .seq = seq, .target_system = 1, .target_component = 1, .mission_type = type};
    say(port, MF_MSG_MISSION_REQUEST, &m);
}

static inline void say_clear(int port, uint8_t type)
{
    const struct mf_msg_mission_clear_all m = {
        .target_system = 1, .target_component = 1, .mission_type = type};
    say(port, MF_MSG_MISSION_CLEAR_ALL, &m);
}

static inline void say_current(int port, uint16_t seq)
{
    const struct mf_msg_mission_set_current m = {
        .seq = seq, .target_system = 1, .target_component = 1};
    say(port, MF_MSG_MISSION_SET_CURRENT, &m);
}

/* Time passes, and the vehicle is stepped as often as it wants to be. */
static inline void wait_ms(int64_t ms)
{
    const mf_us_t end_us = mock.now.transport_us + ms * MF_MS_US;
    while (mock.now.transport_us < end_us) {
        const mf_us_t due_us = v.due_us[MF_TASK_TRANSFER];
        const mf_us_t to_us = due_us > mock.now.transport_us && due_us < end_us ? due_us : end_us;
        mf_mock_advance(&mock, to_us - mock.now.transport_us);
        (void)mf_vehicle_step(&v);
    }
}

static inline void expect_request(int port, uint8_t type, uint16_t seq)
{
    struct mf_msg_mission_request_int m;
    assert_true(mf_mock_take(&mock, port, MF_MSG_MISSION_REQUEST_INT, &m));
    assert_int_equal(m.seq, seq);
    assert_int_equal(m.mission_type, type);
    assert_int_equal(m.target_system, mock.port[port].peer.sysid);
    assert_int_equal(m.target_component, mock.port[port].peer.compid);
}

static inline void expect_request_float(int port, uint8_t type, uint16_t seq)
{
    struct mf_msg_mission_request m;
    assert_true(mf_mock_take(&mock, port, MF_MSG_MISSION_REQUEST, &m));
    assert_int_equal(m.seq, seq);
    assert_int_equal(m.mission_type, type);
}

static inline uint32_t expect_ack(int port, uint8_t type, uint8_t result)
{
    struct mf_msg_mission_ack m;
    assert_true(mf_mock_take(&mock, port, MF_MSG_MISSION_ACK, &m));
    assert_int_equal(m.type, result);
    assert_int_equal(m.mission_type, type);
    assert_int_equal(m.target_system, mock.port[port].peer.sysid);
    assert_int_equal(m.target_component, mock.port[port].peer.compid);
    return m.opaque_id;
}

static inline void expect_text(const char *text)
{
    struct mf_msg_statustext m[2];
    for (int port = 0; port < 2; port++) {
        assert_true(mf_mock_take(&mock, port, MF_MSG_STATUSTEXT, &m[port]));
        assert_memory_equal(m[port].text, text, strlen(text));
    }
}

static inline void expect_text_named(const char *data)
{
    assert_true(mf_mock_named(&mock, 0, data));
    assert_true(mf_mock_named(&mock, 1, data));
}

/* Of the mission protocol, nothing left one of the links since it was last looked at. */
static inline void expect_silence(int port)
{
    static const uint32_t k_msgid[] = {39, 40, 44, 46, 47, 51, 73, 253};
    for (size_t i = 0; i < COUNT_OF(k_msgid); i++) {
        assert_int_equal(mf_mock_count(&mock, port, k_msgid[i]), 0);
    }
}

static inline void expect_quiet(void)
{
    expect_silence(0);
    expect_silence(1);
}

static inline uint32_t upload(int port, uint8_t type, const struct mf_item *items, uint16_t count)
{
    say_count(port, type, count);
    for (uint16_t i = 0; i < count; i++) {
        expect_request(port, type, i);
        assert_int_equal(mf_mock_count(&mock, port, MF_MSG_MISSION_ACK), 0);
        say_item(port, type, i, &items[i]);
    }
    return expect_ack(port, type, 0);
}

static inline void upload_square(void)
{
    assert_int_equal(upload(0, 0, k_square, k_square_count), SQUARE_TAG);
    mf_mock_clear(&mock, 0);
    mf_mock_clear(&mock, 1);
}

#endif
