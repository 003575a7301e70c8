/* SPDX-License-Identifier: Apache-2.0 */
#include "mavlink/enums.h"
#include "tests/unit/support/firmware.h"
#include "tests/unit/support/mock.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define S 1000000

static struct mf_mock g_mock;
static struct mf_vehicle g_vehicle;
static struct mf_link g_links[2];
static struct mf_barrier g_barriers[2];

static struct mf_vehicle *vehicle(bool holdable)
{
    static int32_t off[MF_STREAM_COUNT];
    mf_mock_init(&g_mock);
    memset(g_links, 0, sizeof g_links);
    const struct mf_setup setup = {
        .hal = mf_mock_hal(&g_mock),
        .links = g_links,
        .link_count = 2,
        .sysid = 1,
        .compid = 1,
        .barriers = holdable ? g_barriers : NULL,
    };
    for (int i = 0; i < MF_STREAM_COUNT; i++) {
        off[i] = MF_STREAM_OFF;
    }
    assert_int_equal(mf_vehicle_init(&g_vehicle, &setup), MF_E_OK);
    for (int i = 0; i < 2; i++) {
        const struct mf_serial serial = mf_mock_serial(&g_mock, i);
        assert_int_equal(mf_link_open(&g_vehicle, &serial, "mock", off), i);
    }
    return &g_vehicle;
}

/* @return the limit after a pass that took in the command */
static mf_us_t ask(struct mf_vehicle *v, int port, float action, float seconds)
{
    const struct mf_msg_command_long m = {.command = MAV_CMD_USER_1,
                                          .target_system = 1,
                                          .target_component = 1,
                                          .param1 = action,
                                          .param2 = seconds};
    mf_mock_feed_msg(&g_mock, port, MF_MSG_COMMAND_LONG, &m);
    return mf_vehicle_step(v).limit_us;
}

static int result(int port)
{
    struct mf_msg_command_ack ack;
    return mf_mock_take(&g_mock, port, MF_MSG_COMMAND_ACK, &ack) ? ack.result : -1;
}

static void test_hold_and_leave(void **state)
{
    (void)state;
    struct mf_vehicle *v = vehicle(true);
    mf_mock_advance(&g_mock, 3 * S);
    assert_int_equal(ask(v, 0, 1.0f, 0.0f), 3 * S);
    assert_int_equal(result(0), MAV_RESULT_ACCEPTED);
    assert_true(mf_barriers_exist(v));
    assert_true(ask(v, 0, 0.0f, 0.0f) == MF_NEVER);
    assert_false(mf_barriers_exist(v));
}

static void test_run_for_a_while(void **state)
{
    (void)state;
    struct mf_vehicle *v = vehicle(true);
    mf_mock_advance(&g_mock, S);
    assert_int_equal(ask(v, 0, 2.0f, 1.5f), 2500000);
    assert_int_equal(result(0), MAV_RESULT_IN_PROGRESS);
    mf_mock_advance(&g_mock, S);
    (void)mf_vehicle_step(v);
    assert_int_equal(result(0), -1);
    mf_mock_advance(&g_mock, S / 2);
    assert_int_equal(mf_vehicle_step(v).limit_us, 2500000); /* and stands still again */
    assert_int_equal(result(0), MAV_RESULT_ACCEPTED);
    assert_int_equal(ask(v, 0, 2.0f, 0.0f), 2500000); /* for no time at all: over at once */
    assert_int_equal(result(0), MAV_RESULT_IN_PROGRESS);
    assert_int_equal(result(0), MAV_RESULT_ACCEPTED);
    assert_true(ask(v, 0, 2.0f, 1e6f) == 2500000 + INT64_C(1000000000000));
    assert_int_equal(result(0), MAV_RESULT_IN_PROGRESS);
}

static void test_until_the_next_event(void **state)
{
    (void)state;
    struct mf_vehicle *v = vehicle(true);
    const struct mf_msg_command_long arm = {.command = MAV_CMD_COMPONENT_ARM_DISARM,
                                            .target_system = 1,
                                            .target_component = 1,
                                            .param1 = 1};
    mf_mock_feed_msg(&g_mock, 1, MF_MSG_COMMAND_LONG, &arm);
    (void)mf_vehicle_step(v);
    assert_int_equal(ask(v, 0, 3.0f, 0.0f), 11 * S); /* automatic disarming is the next thing */
    assert_int_equal(result(0), MAV_RESULT_IN_PROGRESS);
    mf_mock_advance(&g_mock, 11 * S);
    assert_int_equal(mf_vehicle_step(v).limit_us, 11 * S);
    assert_false(v->commander.armed);
    assert_int_equal(result(0), MAV_RESULT_ACCEPTED);
}

static void test_the_strictest_of_several_counts(void **state)
{
    (void)state;
    struct mf_vehicle *v = vehicle(true);
    assert_int_equal(ask(v, 0, 2.0f, 5.0f), 5 * S);
    assert_int_equal(ask(v, 1, 2.0f, 2.0f), 2 * S);
    mf_link_close(v, 1);
    assert_int_equal(mf_vehicle_step(v).limit_us, 5 * S); /* who leaves holds nothing */
    static int32_t off[MF_STREAM_COUNT];
    const struct mf_serial serial = mf_mock_serial(&g_mock, 1);
    assert_int_equal(mf_link_open(v, &serial, "next", off), 1);
    assert_int_equal(mf_vehicle_step(v).limit_us, 5 * S); /* nor does who comes to its place */
}

static void test_nonsense_is_refused(void **state)
{
    (void)state;
    struct mf_vehicle *v = vehicle(true);
    static const float k_bad[][2] = {{4, 0},  {-1, 0},  {0.5f, 0},     {NAN, 0},
                                     {2, -1}, {2, NAN}, {2, INFINITY}, {2, 1000001}};
    for (size_t i = 0; i < sizeof k_bad / sizeof k_bad[0]; i++) {
        assert_true(ask(v, 0, k_bad[i][0], k_bad[i][1]) == MF_NEVER);
        assert_int_equal(result(0), MAV_RESULT_DENIED);
    }
    v = vehicle(false);
    assert_true(ask(v, 0, 1.0f, 0.0f) == MF_NEVER);
    assert_int_equal(result(0), MAV_RESULT_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hold_and_leave),
        cmocka_unit_test(test_run_for_a_while),
        cmocka_unit_test(test_until_the_next_event),
        cmocka_unit_test(test_the_strictest_of_several_counts),
        cmocka_unit_test(test_nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
