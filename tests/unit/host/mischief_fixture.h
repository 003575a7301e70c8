/* SPDX-License-Identifier: Apache-2.0 */
/** A vehicle behind protocol misbehaviour, and its client 245/190: what it says goes in as bytes, what
 * it hears came out as bytes. Streams are off, but for HEARTBEAT. */
#ifndef MF_TESTS_MISCHIEF_FIXTURE_H
#define MF_TESTS_MISCHIEF_FIXTURE_H

#include "firmware/vehicle.h"
#include "host/mischief.h"
#include "mavlink/enums.h"
#include "tests/unit/support/mock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct mf_mock mock;
static struct mf_vehicle v;
static struct mf_link links[2];
static struct mf_mischiefs mischiefs;
static struct mf_mischief mischief[2];
static struct mf_mischief_work work[2];

static inline void open_port(int port)
{
    int32_t off[MF_STREAM_COUNT];
    const struct mf_serial wire = mf_mock_serial(&mock, port);
    const struct mf_serial serial = mf_mischief_open(&mischiefs, (uint16_t)port, &wire);
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        off[i] = MF_STREAM_OFF;
    }
    assert_int_equal(mf_link_open(&v, &serial, "test", off), port);
}

/* One turn of a board's loop. */
static inline void turn(void)
{
    mf_mischiefs_run(&mischiefs, mock.now.transport_us);
    (void)mf_vehicle_step(&v);
    if (mf_mischiefs_due(&mischiefs) <= mock.now.transport_us) {
        (void)mf_vehicle_step(&v);
    }
}

static inline void later(mf_us_t by_us)
{
    mf_mock_advance(&mock, by_us);
    turn();
}

static inline int setup(void **state)
{
    const struct mf_setup s = {
        .hal = mf_mock_hal(&mock), .links = links, .link_count = 2, .sysid = 1, .compid = 1};
    (void)state;
    mf_mock_init(&mock);
    memset(mischief, 0, sizeof mischief);
    memset(work, 0xA5, sizeof work); /* nobody has touched it */
    mf_mischiefs_init(&mischiefs, mischief, work, 2, 1, 1, &v.now.vehicle_us);
    assert_int_equal(mf_vehicle_init(&v, &s), MF_E_OK);
    mock.port[1].peer.sysid = 250;
    open_port(0);
    open_port(1);
    turn();
    mf_mock_clear(&mock, 0);
    mf_mock_clear(&mock, 1);
    return 0;
}

/* @return its id */
static inline uint32_t add(const char *spec)
{
    struct mf_rule rule;
    char reason[MF_RULE_REASON_MAX] = "";
    if (mf_rule_spec_parse(spec, strlen(spec), &rule, reason) != MF_E_OK) {
        fail_msg("%s: %s", spec, reason);
    }
    const int id = mf_mischiefs_add(&mischiefs, &rule);
    assert_true(id > 0);
    return (uint32_t)id;
}

static inline uint32_t fired(void)
{
    assert_int_equal(mischiefs.rule_count, 1);
    return mischiefs.rule[0].fired;
}

static inline void say(uint32_t msgid, const void *msg)
{
    mf_mock_feed_msg(&mock, 0, msgid, msg);
    turn();
}

static inline size_t count(uint32_t msgid)
{
    return mf_mock_count(&mock, 0, msgid);
}

static inline void command(uint16_t number, float param1)
{
    const struct mf_msg_command_long m = {
        .command = number, .param1 = param1, .target_system = 1, .target_component = 1};
    say(MF_MSG_COMMAND_LONG, &m);
}

/* The result of the only answer to a command. */
static inline uint8_t answer(uint16_t number)
{
    struct mf_msg_command_ack ack;
    assert_int_equal(count(MF_MSG_COMMAND_ACK), 1);
    assert_true(mf_mock_take(&mock, 0, MF_MSG_COMMAND_ACK, &ack));
    assert_int_equal(ack.command, number);
    assert_int_equal(ack.target_system, 245);
    assert_int_equal(ack.target_component, 190);
    assert_int_equal(ack.progress, ack.result == MAV_RESULT_IN_PROGRESS ? 255 : 0); /* unknown */
    return ack.result;
}

static inline void no_answer(void)
{
    assert_int_equal(count(MF_MSG_COMMAND_ACK), 0);
}

#endif
