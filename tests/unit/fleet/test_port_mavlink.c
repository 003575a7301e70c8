/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/port_mavlink.h: what a drone elsewhere says, and what is said to it. */
#include "fleet/port_mavlink.h"

#include "mavlink/enums.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct mf_port_mavlink s_port;
static const struct mf_order_port k_port = {&mf_port_mavlink_ops, &s_port};
static uint8_t s_sent[MF_FRAME_MAX];
static size_t s_n;
static bool s_gone;

static int take(void *ctx, const uint8_t *bytes, size_t n)
{
    assert_ptr_equal(ctx, &s_n);
    memcpy(s_sent, bytes, n);
    s_n = n;
    return s_gone ? MF_E_IO : MF_E_OK;
}

static int begin(void **state)
{
    (void)state;
    s_n = 0;
    s_gone = false;
    mf_port_mavlink_init(&s_port, take, &s_n);
    return 0;
}

static void say(uint8_t sysid, uint32_t msgid, const void *msg)
{
    uint8_t bytes[MF_FRAME_MAX];
    const struct mf_sender from = {2, 0, sysid, 1};
    const size_t n = mf_frame_encode(&from, mf_msg_find(msgid), msg, bytes);
    struct mf_frame frame;
    assert_true(mf_frame_read(bytes, n, &frame));
    (void)mf_port_mavlink_hear(&s_port, &frame);
}

static void introduce(void)
{
    const struct mf_msg_heartbeat m = {.custom_mode = MF_ORDER_HOLD,
                                       .type = MAV_TYPE_QUADROTOR,
                                       .autopilot = MAV_AUTOPILOT_PX4,
                                       .base_mode = MAV_MODE_FLAG_SAFETY_ARMED};
    say(7, MF_MSG_HEARTBEAT, &m);
}

static void test_the_view_is_what_was_heard_last(void **state)
{
    struct mf_order_view view;
    (void)state;
    k_port.ops->look(k_port.ctx, &view);
    assert_false(view.known);
    const struct mf_msg_heartbeat station = {.autopilot = MAV_AUTOPILOT_INVALID};
    say(255, MF_MSG_HEARTBEAT, &station);
    assert_int_equal(s_port.sysid, 0);
    introduce();
    const struct mf_msg_global_position_int at = {.lat = 1, .lon = 2, .alt = 3, .hdg = 9000};
    say(7, MF_MSG_GLOBAL_POSITION_INT, &at);
    const struct mf_msg_global_position_int other = {.lat = 99};
    say(8, MF_MSG_GLOBAL_POSITION_INT, &other); /* of another drone behind that link */
    const struct mf_msg_extended_sys_state landed = {.landed_state = MAV_LANDED_STATE_IN_AIR};
    say(7, MF_MSG_EXTENDED_SYS_STATE, &landed);
    k_port.ops->look(k_port.ctx, &view);
    assert_true(view.known && view.armed && view.landed == MAV_LANDED_STATE_IN_AIR);
    assert_true(view.custom_mode == MF_ORDER_HOLD);
    assert_true(view.position.lat == 1 && view.position.hdg == 9000);
}

static void test_orders_leave_with_their_targets(void **state)
{
    struct mf_frame frame;
    union mf_msg m;
    (void)state;
    introduce();
    assert_true(mf_order_take_off(&k_port, 12.0f));
    assert_true(mf_frame_read(s_sent, s_n, &frame));
    assert_int_equal(frame.info->id, MF_MSG_COMMAND_INT);
    mf_msg_unpack(frame.info, frame.payload, frame.len, &m);
    assert_true(m.command_int.command == MAV_CMD_NAV_TAKEOFF && m.command_int.z == 12.0f);
    assert_true(m.command_int.target_system == 7 && m.command_int.target_component == 1);
    mf_order_velocity(&k_port, (const float[]){1, 2, 3}, 0.5f);
    assert_true(mf_frame_read(s_sent, s_n, &frame));
    mf_msg_unpack(frame.info, frame.payload, frame.len, &m);
    assert_true(m.set_position_target_local_ned.target_system == 7);
    assert_true(m.set_position_target_local_ned.vy == 2.0f);
    /* velocity and heading count, nothing else */
    assert_int_equal(m.set_position_target_local_ned.type_mask, 0x9C7);
    uint8_t result;
    const struct mf_msg_heartbeat none = {0};
    assert_int_equal(k_port.ops->give(k_port.ctx, MF_MSG_HEARTBEAT, &none, &result), MF_E_OK);
    assert_int_equal(result, MAV_RESULT_UNSUPPORTED);
    s_gone = true;
    assert_false(mf_order_arm(&k_port));
}

/* SBE-20: of several on a link the wanted one; sticks leave for it. */
static void test_one_of_several_and_its_sticks(void **state)
{
    struct mf_frame frame;
    union mf_msg m;
    uint8_t result;
    (void)state;
    s_port.wanted = 9;
    introduce();
    assert_int_equal(s_port.sysid, 0);
    const struct mf_msg_heartbeat nine = {.autopilot = MAV_AUTOPILOT_PX4};
    say(9, MF_MSG_HEARTBEAT, &nine);
    assert_int_equal(s_port.sysid, 9);
    const struct mf_msg_manual_control sticks = {.x = 100, .y = -200, .z = 500, .r = 1};
    assert_int_equal(k_port.ops->give(k_port.ctx, MF_MSG_MANUAL_CONTROL, &sticks, &result),
                     MF_E_AGAIN);
    assert_true(mf_frame_read(s_sent, s_n, &frame));
    mf_msg_unpack(frame.info, frame.payload, frame.len, &m);
    assert_true(m.manual_control.target == 9 && m.manual_control.y == -200);
}

static void test_refusals_are_counted(void **state)
{
    (void)state;
    introduce();
    const struct mf_msg_command_ack yes = {.result = MAV_RESULT_ACCEPTED};
    const struct mf_msg_command_ack no = {.result = MAV_RESULT_DENIED};
    say(7, MF_MSG_COMMAND_ACK, &yes);
    say(7, MF_MSG_COMMAND_ACK, &no);
    assert_int_equal(s_port.refused, 1);
    assert_int_equal(s_port.heard, 3);
}

static union mf_msg sent(uint32_t id)
{
    struct mf_frame frame;
    union mf_msg m;
    assert_true(mf_frame_read(s_sent, s_n, &frame));
    assert_int_equal(frame.info->id, id);
    mf_msg_unpack(frame.info, frame.payload, frame.len, &m);
    return m;
}

static void test_a_mission_goes_item_by_item(void **state)
{
    struct mf_msg_mission_item_int items[2] = {{.command = MAV_CMD_NAV_WAYPOINT, .x = 5},
                                               {.command = MAV_CMD_DO_GRIPPER}};
    struct mf_order_view view;
    uint8_t result;
    (void)state;
    introduce();
    const struct mf_msg_mission_item_reached old = {.seq = 9};
    say(7, MF_MSG_MISSION_ITEM_REACHED, &old);
    assert_int_equal(k_port.ops->upload(k_port.ctx, items, 2, &result), MF_E_AGAIN);
    const union mf_msg count = sent(MF_MSG_MISSION_COUNT);
    assert_true(count.mission_count.count == 2 && count.mission_count.target_system == 7);
    k_port.ops->look(k_port.ctx, &view);
    assert_int_equal(view.reached, -1); /* it was of the mission before */
    const struct mf_msg_mission_request_int second = {.seq = 1}, beyond = {.seq = 2};
    say(7, MF_MSG_MISSION_REQUEST_INT, &second);
    const union mf_msg item = sent(MF_MSG_MISSION_ITEM_INT);
    assert_true(item.mission_item_int.seq == 1 && item.mission_item_int.target_system == 7);
    assert_int_equal(item.mission_item_int.command, MAV_CMD_DO_GRIPPER);
    s_n = 0;
    say(7, MF_MSG_MISSION_REQUEST_INT, &beyond);
    assert_int_equal(s_n, 0);
    const struct mf_msg_mission_ack fence = {.mission_type = MAV_MISSION_TYPE_FENCE};
    say(7, MF_MSG_MISSION_ACK, &fence);
    assert_true(s_port.asks);
    const struct mf_msg_mission_ack ack = {.type = MAV_MISSION_NO_SPACE};
    say(7, MF_MSG_MISSION_ACK, &ack);
    assert_true(!s_port.asks && s_port.answer == MAV_MISSION_NO_SPACE);
    const struct mf_msg_mission_item_reached reached = {.seq = 1};
    say(7, MF_MSG_MISSION_ITEM_REACHED, &reached);
    k_port.ops->look(k_port.ctx, &view);
    assert_int_equal(view.reached, 1);
}

static void test_an_answer_is_of_the_command_that_was_given(void **state)
{
    (void)state;
    introduce();
    assert_int_equal(mf_order_grip(&k_port, true), MAV_RESULT_IN_PROGRESS);
    const union mf_msg m = sent(MF_MSG_COMMAND_INT);
    assert_true(m.command_int.command == MAV_CMD_DO_GRIPPER && m.command_int.param2 == 1.0f);
    const struct mf_msg_command_ack other = {.command = MAV_CMD_NAV_LAND};
    say(7, MF_MSG_COMMAND_ACK, &other);
    const struct mf_msg_command_ack later = {.command = MAV_CMD_DO_GRIPPER,
                                             .result = MAV_RESULT_IN_PROGRESS};
    say(7, MF_MSG_COMMAND_ACK, &later);
    assert_true(s_port.asks);
    const struct mf_msg_command_ack ack = {.command = MAV_CMD_DO_GRIPPER,
                                           .result = MAV_RESULT_UNSUPPORTED};
    say(7, MF_MSG_COMMAND_ACK, &ack);
    assert_true(!s_port.asks && s_port.answer == MAV_RESULT_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_the_view_is_what_was_heard_last, begin),
        cmocka_unit_test_setup(test_orders_leave_with_their_targets, begin),
        cmocka_unit_test_setup(test_one_of_several_and_its_sticks, begin),
        cmocka_unit_test_setup(test_refusals_are_counted, begin),
        cmocka_unit_test_setup(test_a_mission_goes_item_by_item, begin),
        cmocka_unit_test_setup(test_an_answer_is_of_the_command_that_was_given, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
