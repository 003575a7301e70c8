/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/order_queue.h: frames ORDERS of docs/bus.md, byte by byte, and who gets their orders. */
#include "fleet/order_queue.h"

#include "mavlink/enums.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COMMAND_INT    75u /* 35 bytes, of which zeros at the end may be left out */
#define MANUAL_CONTROL 69u
#define HEARTBEAT      0u

static struct mf_order_queue s_queue;
static uint8_t s_payload[MF_BUS_PAYLOAD_MAX];
static struct mf_bus_frame s_frame;
static char s_given[400]; /* "MSGID:COMMAND " of each order that the port got */

static int begin(void **state)
{
    (void)state;
    if (s_queue.order == NULL && !mf_order_queue_init(&s_queue)) {
        return -1;
    }
    s_queue.count = 0;
    s_frame = (struct mf_bus_frame){.type = MF_BUS_ORDERS, .payload = s_payload};
    s_given[0] = '\0';
    return 0;
}

static int end(void **state)
{
    (void)state;
    free(s_queue.order);
    return 0;
}

static void put_u32(uint32_t value)
{
    for (unsigned k = 0; k < 4; k++) {
        s_payload[s_frame.n++] = (uint8_t)(value >> (8 * k));
    }
}

/* member, message, length, payload: [n], in which the command of COMMAND_INT is at 28 */
static void put_order(uint32_t member, uint32_t msgid, uint16_t command, uint32_t n)
{
    put_u32(member);
    put_u32(msgid);
    put_u32(n);
    memset(s_payload + s_frame.n, 0, n);
    if (n >= 30) {
        s_payload[s_frame.n + 28] = (uint8_t)command;
        s_payload[s_frame.n + 29] = (uint8_t)(command >> 8);
    }
    s_frame.n += n;
}

static int give(void *ctx, uint32_t msgid, const void *msg, uint8_t *result)
{
    const struct mf_msg_command_int *m = msg;
    const size_t at = strlen(s_given);
    (void)snprintf(s_given + at, sizeof s_given - at, "%u:%u ", (unsigned)msgid,
                   (unsigned)m->command);
    *result = (uint8_t) * (const int *)ctx;
    return MF_E_OK;
}

static const struct mf_order_ops k_ops = {.give = give};

static void test_an_order_of_each_field(void **state)
{
    (void)state;
    put_order(3, COMMAND_INT, 400, 30);
    assert_null(mf_order_queue_add(&s_queue, 4, 7, &s_frame));
    assert_int_equal(s_queue.count, 1);
    const struct mf_queued_order *o = &s_queue.order[0];
    assert_int_equal(o->member, 3);
    assert_int_equal(o->participant, 7);
    assert_int_equal(o->sequence, 0);
    assert_int_equal(o->msgid, 75);
    assert_int_equal(o->error, MF_E_AGAIN);
    assert_int_equal(o->result, 3); /* MAV_RESULT_UNSUPPORTED until there is an answer */
    assert_int_equal(o->msg.command_int.command, 400);
}

static void test_orders_of_two_frames_are_numbered_on(void **state)
{
    (void)state;
    put_order(0, COMMAND_INT, 1, 30);
    put_order(0, COMMAND_INT, 2, 30);
    assert_null(mf_order_queue_add(&s_queue, 1, 0, &s_frame));
    assert_null(mf_order_queue_add(&s_queue, 1, 1, &s_frame));
    assert_int_equal(s_queue.count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(s_queue.order[i].sequence, i);
        assert_int_equal(s_queue.order[i].participant, i / 2);
    }
}

static void test_an_empty_frame_has_no_orders(void **state)
{
    (void)state;
    assert_null(mf_order_queue_add(&s_queue, 1, 0, &s_frame));
    assert_int_equal(s_queue.count, 0);
}

static void test_a_message_that_is_not_an_order_is_answered_unsupported(void **state)
{
    (void)state;
    put_order(0, HEARTBEAT, 0, 9);
    put_order(0, 16777215, 0, 0); /* of no table */
    assert_null(mf_order_queue_add(&s_queue, 1, 0, &s_frame));
    assert_int_equal(s_queue.count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(s_queue.order[i].error, MF_E_NOSUPP);
        assert_int_equal(s_queue.order[i].result, 3);
    }
}

static void test_each_message_that_members_obey(void **state)
{
    static const uint32_t k_msgid[] = {75, 73, 84, 86, 69};
    (void)state;
    for (size_t k = 0; k < 5; k++) {
        put_order(0, k_msgid[k], 0, 1);
    }
    assert_null(mf_order_queue_add(&s_queue, 1, 0, &s_frame));
    for (size_t k = 0; k < 5; k++) {
        assert_int_equal(s_queue.order[k].error, MF_E_AGAIN);
    }
}

static void test_a_member_that_is_not_there(void **state)
{
    (void)state;
    put_order(4, COMMAND_INT, 1, 30);
    put_order(5, COMMAND_INT, 2, 30);
    assert_non_null(mf_order_queue_add(&s_queue, 5, 0, &s_frame));
    assert_int_equal(s_queue.count, 1); /* the order before the fault stays */
}

static void test_a_payload_beyond_the_message(void **state)
{
    (void)state;
    put_order(0, COMMAND_INT, 1, 35);
    assert_null(mf_order_queue_add(&s_queue, 1, 0, &s_frame));
    s_frame.n = 0;
    put_order(0, COMMAND_INT, 1, 36);
    assert_non_null(mf_order_queue_add(&s_queue, 1, 0, &s_frame));
    assert_int_equal(s_queue.order[1].error, MF_E_NOSUPP);
}

static void test_a_frame_that_is_cut_off(void **state)
{
    (void)state;
    put_order(0, COMMAND_INT, 1, 30);
    s_frame.n -= 1;
    assert_non_null(mf_order_queue_add(&s_queue, 1, 0, &s_frame));
    assert_int_equal(s_queue.count, 0);
}

static void test_a_full_queue(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 1024; k++) {
        put_order(k, MANUAL_CONTROL, 0, 0);
    }
    for (uint32_t k = 0; k < 64; k++) {
        assert_null(mf_order_queue_add(&s_queue, 1024, 0, &s_frame));
    }
    assert_int_equal(s_queue.count, 65536);
    assert_names(mf_order_queue_add(&s_queue, 1024, 0, &s_frame), "65536");
    assert_int_equal(s_queue.count, 65536);
}

/* Members 2, 0, 2, 1 in the order of arrival. */
static void add_four(void)
{
    put_order(2, COMMAND_INT, 10, 30);
    put_order(0, COMMAND_INT, 11, 30);
    put_order(2, COMMAND_INT, 12, 30);
    put_order(1, MANUAL_CONTROL, 0, 0);
    assert_null(mf_order_queue_add(&s_queue, 9, 0, &s_frame));
    mf_order_queue_sort(&s_queue);
}

static void test_orders_are_sorted_by_member_and_arrival(void **state)
{
    static const uint32_t k_member[] = {0, 1, 2, 2}, k_sequence[] = {1, 3, 0, 2};
    (void)state;
    add_four();
    for (size_t k = 0; k < 4; k++) {
        assert_int_equal(s_queue.order[k].member, k_member[k]);
        assert_int_equal(s_queue.order[k].sequence, k_sequence[k]);
    }
}

static void test_the_first_order_of_a_member(void **state)
{
    (void)state;
    assert_int_equal(mf_order_queue_first(&s_queue, 0), 0); /* of an empty queue */
    add_four();
    assert_int_equal(mf_order_queue_first(&s_queue, 0), 0);
    assert_int_equal(mf_order_queue_first(&s_queue, 1), 1);
    assert_int_equal(mf_order_queue_first(&s_queue, 2), 2);
    assert_int_equal(mf_order_queue_first(&s_queue, 3), 4);
}

static void test_a_member_gets_its_orders_as_they_came(void **state)
{
    int accepted = MAV_RESULT_ACCEPTED;
    (void)state;
    add_four();
    mf_order_queue_give(&s_queue, 2, &(struct mf_order_port){&k_ops, &accepted});
    assert_string_equal(s_given, "75:10 75:12 ");
    assert_int_equal(s_queue.order[1].error, MF_E_AGAIN);
    assert_int_equal(s_queue.order[2].error, MF_E_OK);
    assert_int_equal(s_queue.order[3].result, 0);
}

static void test_an_order_is_given_once(void **state)
{
    int denied = MAV_RESULT_DENIED;
    (void)state;
    add_four();
    for (int twice = 0; twice < 2; twice++) {
        mf_order_queue_give(&s_queue, 0, &(struct mf_order_port){&k_ops, &denied});
    }
    assert_string_equal(s_given, "75:11 ");
    assert_int_equal(s_queue.order[0].result, MAV_RESULT_DENIED);
}

static void test_an_order_that_is_unsupported_is_not_given(void **state)
{
    int accepted = MAV_RESULT_ACCEPTED;
    (void)state;
    put_order(0, HEARTBEAT, 0, 9);
    assert_null(mf_order_queue_add(&s_queue, 1, 0, &s_frame));
    mf_order_queue_give(&s_queue, 0, &(struct mf_order_port){&k_ops, &accepted});
    assert_string_equal(s_given, "");
    assert_int_equal(s_queue.order[0].error, MF_E_NOSUPP);
}

static void test_a_member_that_is_absent_gets_no_orders(void **state)
{
    (void)state;
    add_four();
    mf_order_queue_give(&s_queue, 2, NULL);
    assert_int_equal(s_queue.order[1].error, MF_E_AGAIN);
    assert_int_equal(s_queue.order[2].error, MF_E_NOSUPP);
    assert_int_equal(s_queue.order[3].error, MF_E_NOSUPP);
}

static void test_orders_to_things_are_refused(void **state)
{
    (void)state;
    add_four();
    mf_order_queue_refuse(&s_queue, 1, 3);
    assert_int_equal(s_queue.order[0].error, MF_E_AGAIN);
    assert_int_equal(s_queue.order[1].error, MF_E_NOSUPP);
    assert_int_equal(s_queue.order[2].error, MF_E_NOSUPP);
    assert_int_equal(s_queue.order[3].error, MF_E_AGAIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_an_order_of_each_field, begin),
        cmocka_unit_test_setup(test_orders_of_two_frames_are_numbered_on, begin),
        cmocka_unit_test_setup(test_an_empty_frame_has_no_orders, begin),
        cmocka_unit_test_setup(test_a_message_that_is_not_an_order_is_answered_unsupported, begin),
        cmocka_unit_test_setup(test_each_message_that_members_obey, begin),
        cmocka_unit_test_setup(test_a_member_that_is_not_there, begin),
        cmocka_unit_test_setup(test_a_payload_beyond_the_message, begin),
        cmocka_unit_test_setup(test_a_frame_that_is_cut_off, begin),
        cmocka_unit_test_setup(test_a_full_queue, begin),
        cmocka_unit_test_setup(test_orders_are_sorted_by_member_and_arrival, begin),
        cmocka_unit_test_setup(test_the_first_order_of_a_member, begin),
        cmocka_unit_test_setup(test_a_member_gets_its_orders_as_they_came, begin),
        cmocka_unit_test_setup(test_an_order_is_given_once, begin),
        cmocka_unit_test_setup(test_an_order_that_is_unsupported_is_not_given, begin),
        cmocka_unit_test_setup(test_a_member_that_is_absent_gets_no_orders, begin),
        cmocka_unit_test_setup(test_orders_to_things_are_refused, begin),
    };
    return cmocka_run_group_tests(tests, NULL, end);
}
