/* SPDX-License-Identifier: Apache-2.0 */
/* A peer within the process: commands as structs, answers as structs. */
#include "drone/inside.h"
#include "mavlink/enums.h"
#include "tests/sim/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct mf_inside s_inside;

static uint8_t command(struct rig *r, uint16_t id, float param1)
{
    struct mf_msg_command_int m = {.command = id,
                                   .param1 = param1,
                                   .x = INT32_MAX,
                                   .y = INT32_MAX,
                                   .frame = MAV_FRAME_GLOBAL_INT};
    struct mf_msg_command_ack ack;
    m.z = m.param1 / 0.0f - m.param1 / 0.0f; /* not a number: not given */
    assert_int_equal(mf_inside_command(&s_inside, &r->drone, &m, &ack), MF_E_OK);
    assert_int_equal(ack.command, id);
    return ack.result;
}

static void test_it_flies_the_drone(void **state)
{
    struct rig *r = rig_new(NULL);
    (void)state;
    mf_inside_init(&s_inside, 0);
    rig_run_until(r, 2 * MF_SECOND_US);
    assert_int_equal(r->drone.vehicle.links_open, 1);
    assert_int_equal(command(r, MAV_CMD_COMPONENT_ARM_DISARM, 1.0f), MAV_RESULT_ACCEPTED);
    assert_int_equal(command(r, MAV_CMD_NAV_TAKEOFF, 1.0f), MAV_RESULT_ACCEPTED);
    assert_int_equal(command(r, 9999, 1.0f), MAV_RESULT_UNSUPPORTED);
    assert_int_equal(r->drone.vehicle.links_open, 2); /* one link for all of its commands */
    rig_run_until(r, 10 * MF_SECOND_US);
    assert_true(rig_pose(r).alt_amsl_m > RIG_ALT_M + 2.0);
}

/* SIM-015: a plan and a parameter by the handlers that clients reach over the wire */
static void test_it_uploads_a_plan(void **state)
{
    struct rig *r = rig_new(NULL);
    struct mf_msg_mission_item_int item[50];
    uint8_t result = 255;
    (void)state;
    mf_inside_init(&s_inside, 0);
    rig_run_until(r, 2 * MF_SECOND_US);
    for (size_t i = 0; i < 50; i++) {
        item[i] = (struct mf_msg_mission_item_int){.command = MAV_CMD_NAV_WAYPOINT,
                                                   .frame = MAV_FRAME_GLOBAL_RELATIVE_ALT_INT,
                                                   .x = 473977420 + (int32_t)i,
                                                   .y = 85455940,
                                                   .z = mf_f32_bits(20.0f),
                                                   .autocontinue = 1};
    }
    assert_int_equal(
        mf_inside_upload(&s_inside, &r->drone, MAV_MISSION_TYPE_MISSION, item, 50, &result),
        MF_E_OK);
    assert_int_equal(result, MAV_MISSION_ACCEPTED);
    struct mf_store_info info;
    assert_int_equal(mf_store_info(&r->drone.vehicle.hal, MF_STORE_MISSION, &info), MF_E_OK);
    assert_int_equal(info.count, 50);
    item[1].command = 9999;
    assert_int_equal(
        mf_inside_upload(&s_inside, &r->drone, MAV_MISSION_TYPE_MISSION, item, 50, &result),
        MF_E_OK);
    assert_int_equal(result, MAV_MISSION_UNSUPPORTED);
    assert_int_equal(
        mf_inside_upload(&s_inside, &r->drone, MAV_MISSION_TYPE_MISSION, NULL, 0, &result),
        MF_E_OK);
    assert_int_equal(result, MAV_MISSION_ACCEPTED);
    assert_int_equal(mf_store_info(&r->drone.vehicle.hal, MF_STORE_MISSION, &info), MF_E_OK);
    assert_int_equal(info.count, 0);
}

static void test_it_sets_a_parameter(void **state)
{
    struct rig *r = rig_new(NULL);
    struct mf_msg_param_set m = {.param_id = "MPC_XY_CRUISE",
                                 .param_type = MAV_PARAM_TYPE_REAL32,
                                 .param_value = mf_f32_bits(7.5f)};
    struct mf_msg_param_value now;
    uint8_t error = 255;
    (void)state;
    mf_inside_init(&s_inside, 0);
    rig_run_until(r, 2 * MF_SECOND_US);
    assert_int_equal(mf_inside_set_param(&s_inside, &r->drone, &m, &error, &now), MF_E_OK);
    assert_int_equal(error, MAV_PARAM_ERROR_NO_ERROR);
    assert_int_equal(now.param_value, mf_f32_bits(7.5f));
    m.param_value = mf_f32_bits(5000.0f);
    assert_int_equal(mf_inside_set_param(&s_inside, &r->drone, &m, &error, &now), MF_E_OK);
    assert_int_equal(error, MAV_PARAM_ERROR_VALUE_OUT_OF_RANGE);
    memcpy(m.param_id, "NO_SUCH", 8);
    assert_int_equal(mf_inside_set_param(&s_inside, &r->drone, &m, &error, &now), MF_E_OK);
    assert_int_equal(error, MAV_PARAM_ERROR_DOES_NOT_EXIST);
}

static void set(struct rig *r, const char *name, int32_t value)
{
    struct mf_msg_param_set m = {.param_type = MAV_PARAM_TYPE_INT32,
                                 .param_value = (uint32_t)value};
    struct mf_msg_param_value now;
    uint8_t error = 255;
    strncpy(m.param_id, name, sizeof m.param_id - 1);
    assert_int_equal(mf_inside_set_param(&s_inside, &r->drone, &m, &error, &now), MF_E_OK);
    assert_int_equal(error, MAV_PARAM_ERROR_NO_ERROR);
    assert_string_equal(now.param_id, name);
    assert_int_equal(now.param_value, value);
}

/* Time passes and no step has been made: its news are due, but have not been told. */
static void wait_for_news(struct rig *r)
{
    r->mock.now.vehicle_us += 100000;
    r->mock.now.transport_us += 100000;
}

/* A parameter that was set is told to all links once more, a little later: that answers neither
 * another parameter, nor the same one, nor an upload, nor a command. */
static void test_news_of_a_parameter_are_no_answer(void **state)
{
    struct rig *r = rig_new(NULL);
    uint8_t error = 255, result = 255;
    (void)state;
    mf_inside_init(&s_inside, 0);
    rig_run_until(r, 2 * MF_SECOND_US);
    set(r, "NAV_RCL_ACT", 3);
    wait_for_news(r);
    set(r, "RTL_TYPE", 3);
    wait_for_news(r);
    set(r, "RTL_TYPE", 0);
    wait_for_news(r);
    struct mf_msg_param_set none = {.param_id = "NO_SUCH", .param_type = MAV_PARAM_TYPE_INT32};
    struct mf_msg_param_value now;
    assert_int_equal(mf_inside_set_param(&s_inside, &r->drone, &none, &error, &now), MF_E_OK);
    assert_int_equal(error, MAV_PARAM_ERROR_DOES_NOT_EXIST);
    set(r, "RTL_TYPE", 3);
    wait_for_news(r);
    assert_int_equal(
        mf_inside_upload(&s_inside, &r->drone, MAV_MISSION_TYPE_MISSION, NULL, 0, &result),
        MF_E_OK);
    assert_int_equal(result, MAV_MISSION_ACCEPTED);
    set(r, "RTL_TYPE", 3);
    wait_for_news(r);
    assert_int_equal(command(r, 9999, 1.0f), MAV_RESULT_UNSUPPORTED);
}

/* Nothing is streamed to it but HEARTBEAT, which no link can do without, once a second. */
static void test_no_streams_go_to_it(void **state)
{
    struct rig *r = rig_new(NULL);
    (void)state;
    mf_inside_init(&s_inside, 0);
    (void)command(r, 9999, 1.0f);
    const struct mf_link *link = &r->drone.vehicle.links[s_inside.link];
    const uint32_t sent = link->stats.tx_frames;
    rig_run_until(r, 20 * MF_SECOND_US);
    assert_true(link->stats.tx_frames - sent <= 23);
}

static void test_it_ends_and_begins_again(void **state)
{
    struct rig *r = rig_new(NULL);
    (void)state;
    mf_inside_init(&s_inside, 0);
    mf_inside_close(&s_inside, &r->drone); /* nothing was open */
    (void)command(r, 9999, 1.0f);
    mf_inside_close(&s_inside, &r->drone);
    assert_int_equal(r->drone.vehicle.links_open, 1);
    (void)command(r, 9999, 1.0f);
    assert_int_equal(r->drone.vehicle.links_open, 2);
}

static void test_without_a_free_link(void **state)
{
    struct rig *r = rig_new(NULL);
    struct mf_msg_command_int m = {.command = 9999};
    struct mf_msg_command_ack ack;
    static struct mf_inside s_more[MF_MOCK_PORTS];
    (void)state;
    for (size_t i = 0; i + 1 < MF_MOCK_PORTS; i++) {
        mf_inside_init(&s_more[i], 0);
        assert_int_equal(mf_inside_command(&s_more[i], &r->drone, &m, &ack), MF_E_OK);
    }
    mf_inside_init(&s_inside, 0);
    assert_int_equal(mf_inside_command(&s_inside, &r->drone, &m, &ack), MF_E_FULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_flies_the_drone),
        cmocka_unit_test(test_it_uploads_a_plan),
        cmocka_unit_test(test_it_sets_a_parameter),
        cmocka_unit_test(test_news_of_a_parameter_are_no_answer),
        cmocka_unit_test(test_no_streams_go_to_it),
        cmocka_unit_test(test_it_ends_and_begins_again),
        cmocka_unit_test(test_without_a_free_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
