/* SPDX-License-Identifier: Apache-2.0 */
/* The mission protocol's transfer alone: no vehicle, no link, no store. Times are those of
 * MAVLink's page and of PX4: a request is repeated after 250 ms, a partner that is silent for 5 s
 * is given up. */
#include "firmware/protocol/transfer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MISSION, FENCE, RALLY }; /* MAV_MISSION_TYPE */

static const struct mf_client k_qgc = {.link = 0, .sysid = 255, .compid = 190};
static const struct mf_client k_sdk = {.link = 1, .sysid = 245, .compid = 190};

static struct mf_transfer t;

static int setup(void **state)
{
    (void)state;
    memset(&t, 0, sizeof t);
    return 0;
}

static mf_us_t ms(int64_t n)
{
    return n * 1000;
}

static void keep(unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        (void)mf_transfer_kept(&t, i, false);
    }
}

static void test_without_a_transfer_nothing_is_due(void **state)
{
    (void)state;
    assert_false(mf_transfer_is_busy(&t));
    assert_false(mf_transfer_is_partner(&t, (struct mf_client){0}));
    assert_int_equal(mf_transfer_turn(&t, ms(7000)), MF_TRANSFER_WAIT);
    assert_true(mf_transfer_due_us(&t) == MF_NEVER);
}

static void test_a_partner_is_a_sender_on_a_link(void **state)
{
    struct mf_client other = k_qgc;
    (void)state;
    mf_transfer_receive(&t, k_qgc, MISSION, 3, ms(10));
    assert_true(mf_transfer_is_partner(&t, k_qgc));
    other.link = 1;
    assert_false(mf_transfer_is_partner(&t, other));
    other = k_qgc;
    other.sysid = 254;
    assert_false(mf_transfer_is_partner(&t, other));
    other = k_qgc;
    other.compid = 191;
    assert_false(mf_transfer_is_partner(&t, other));
    mf_transfer_end(&t);
    assert_false(mf_transfer_is_partner(&t, k_qgc));
}

static void test_an_upload_asks_again_every_250_ms(void **state)
{
    (void)state;
    mf_transfer_receive(&t, k_qgc, MISSION, 3, ms(10));
    assert_true(mf_transfer_due_us(&t) == ms(5010)); /* nothing was asked for yet */
    mf_transfer_asked(&t, ms(10));
    assert_true(mf_transfer_due_us(&t) == ms(260));
    assert_int_equal(mf_transfer_turn(&t, ms(260) - 1), MF_TRANSFER_WAIT);
    assert_int_equal(mf_transfer_turn(&t, ms(260)), MF_TRANSFER_REPEAT);
    mf_transfer_asked(&t, ms(260));
    assert_true(mf_transfer_due_us(&t) == ms(510));
}

/* Heard at 10 and at 1000 ms: given up at 6000, although the request would go out again
 * later only. */
static void test_a_silent_partner_is_given_up(void **state)
{
    (void)state;
    mf_transfer_receive(&t, k_qgc, MISSION, 3, ms(10));
    mf_transfer_heard(&t, ms(1000));
    mf_transfer_asked(&t, ms(5900));
    assert_true(mf_transfer_due_us(&t) == ms(6000));
    assert_int_equal(mf_transfer_turn(&t, ms(6000) - 1), MF_TRANSFER_WAIT);
    assert_true(mf_transfer_is_busy(&t));
    assert_int_equal(mf_transfer_turn(&t, ms(6000)), MF_TRANSFER_SILENT);
    assert_false(mf_transfer_is_busy(&t));
    assert_int_equal(mf_transfer_turn(&t, ms(6000)), MF_TRANSFER_WAIT);
}

/* Three requests for the first item without an answer: the fourth is of the old kind. */
static void test_a_partner_that_never_answers_may_know_floats_only(void **state)
{
    (void)state;
    mf_transfer_receive(&t, k_qgc, MISSION, 3, 0);
    for (int n = 1; n <= 3; n++) {
        assert_false(t.use_float);
        mf_transfer_asked(&t, ms(250 * (n - 1)));
        assert_int_equal(mf_transfer_turn(&t, ms(250 * n)), MF_TRANSFER_REPEAT);
    }
    assert_true(t.use_float);
}

/* Whoever has sent an item knows its kind: however often a later one is lost, it stays. */
static void test_a_partner_that_answered_is_asked_in_its_kind(void **state)
{
    (void)state;
    mf_transfer_receive(&t, k_qgc, MISSION, 3, 0);
    for (int n = 0; n < 2; n++) {
        mf_transfer_asked(&t, 0);
        (void)mf_transfer_turn(&t, ms(250));
    }
    mf_transfer_heard_item(&t, false, ms(300));
    assert_false(mf_transfer_kept(&t, 7, false));
    for (int n = 0; n < 9; n++) {
        mf_transfer_asked(&t, ms(300));
        assert_int_equal(mf_transfer_turn(&t, ms(550)), MF_TRANSFER_REPEAT);
        assert_false(t.use_float);
    }
    mf_transfer_heard_item(&t, true, ms(600));
    assert_true(t.use_float);
}

/* A partner that says that it does not know the kind gets the other one, and again three tries
 * in it. */
static void test_a_partner_may_ask_for_the_other_kind(void **state)
{
    (void)state;
    mf_transfer_receive(&t, k_qgc, MISSION, 3, 0);
    for (int n = 0; n < 3; n++) {
        mf_transfer_asked(&t, 0);
        (void)mf_transfer_turn(&t, ms(250));
    }
    assert_true(t.use_float);
    mf_transfer_change_kind(&t);
    assert_false(t.use_float);
    for (int n = 0; n < 2; n++) {
        mf_transfer_asked(&t, 0);
        (void)mf_transfer_turn(&t, ms(250));
        assert_false(t.use_float);
    }
    mf_transfer_asked(&t, 0);
    (void)mf_transfer_turn(&t, ms(250));
    assert_true(t.use_float);
    mf_transfer_receive(&t, k_qgc, MISSION, 3, ms(300)); /* another upload begins anew */
    assert_false(t.use_float);
    mf_transfer_asked(&t, ms(300));
    (void)mf_transfer_turn(&t, ms(550));
    assert_false(t.use_float);
}

static void test_items_are_counted_and_the_current_one_is_kept(void **state)
{
    (void)state;
    t.part = (struct mf_fence_part){5001, 4, 3}; /* of an upload that ended within a polygon */
    mf_transfer_receive(&t, k_qgc, FENCE, 3, 0);
    assert_int_equal(t.part.command, 0);
    assert_int_equal(t.part.left, 0);
    assert_int_equal(t.current, -1);
    assert_false(mf_transfer_kept(&t, 0x11, false));
    assert_false(mf_transfer_kept(&t, 0x22, true));
    assert_int_equal(t.next, 2);
    assert_true(mf_transfer_kept(&t, 0x33, false));
    assert_int_equal(t.current, 1);
    assert_int_equal(t.tag, 0x33);
}

/* Our acknowledgement was lost, and the partner sends its last item again, perhaps on
 * another link. */
static void test_the_last_item_may_come_again(void **state)
{
    struct mf_client back = k_qgc;
    (void)state;
    back.link = 1;
    mf_transfer_receive(&t, k_qgc, RALLY, 3, 0);
    keep(3);
    assert_false(mf_transfer_was_last(&t, k_qgc, RALLY, 2));
    mf_transfer_finish(&t);
    assert_false(mf_transfer_is_busy(&t));
    assert_true(mf_transfer_was_last(&t, k_qgc, RALLY, 2));
    assert_true(mf_transfer_was_last(&t, back, RALLY, 2));
    assert_false(mf_transfer_was_last(&t, k_qgc, RALLY, 1));
    assert_false(mf_transfer_was_last(&t, k_qgc, FENCE, 2));
    assert_false(mf_transfer_was_last(&t, k_sdk, RALLY, 2));
    mf_transfer_send(&t, k_sdk, RALLY, 3, ms(10)); /* reading it does not change it */
    mf_transfer_end(&t);
    assert_true(mf_transfer_was_last(&t, k_qgc, RALLY, 2));
    mf_transfer_forget(&t);
    assert_false(mf_transfer_was_last(&t, k_qgc, RALLY, 2));
}

static void test_a_download_asks_for_nothing_and_ends_with_its_last_item(void **state)
{
    (void)state;
    mf_transfer_send(&t, k_sdk, MISSION, 2, ms(10));
    assert_true(mf_transfer_is_busy(&t));
    assert_true(mf_transfer_due_us(&t) == ms(5010));
    assert_int_equal(mf_transfer_turn(&t, ms(5010) - 1), MF_TRANSFER_WAIT);
    mf_transfer_sent(&t, 0);
    assert_true(mf_transfer_is_busy(&t));
    mf_transfer_sent(&t, 1); /* an acknowledgement is owed, but nobody waits for it */
    assert_false(mf_transfer_is_busy(&t));
    assert_true(mf_transfer_is_partner(&t, k_sdk));
    assert_int_equal(mf_transfer_turn(&t, ms(5010)), MF_TRANSFER_SILENT);
}

static void test_an_empty_download_keeps_nobody_waiting(void **state)
{
    (void)state;
    mf_transfer_send(&t, k_sdk, MISSION, 0, 0);
    assert_false(mf_transfer_is_busy(&t));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_without_a_transfer_nothing_is_due, setup),
        cmocka_unit_test_setup(test_a_partner_is_a_sender_on_a_link, setup),
        cmocka_unit_test_setup(test_an_upload_asks_again_every_250_ms, setup),
        cmocka_unit_test_setup(test_a_silent_partner_is_given_up, setup),
        cmocka_unit_test_setup(test_a_partner_that_never_answers_may_know_floats_only, setup),
        cmocka_unit_test_setup(test_a_partner_that_answered_is_asked_in_its_kind, setup),
        cmocka_unit_test_setup(test_a_partner_may_ask_for_the_other_kind, setup),
        cmocka_unit_test_setup(test_items_are_counted_and_the_current_one_is_kept, setup),
        cmocka_unit_test_setup(test_the_last_item_may_come_again, setup),
        cmocka_unit_test_setup(test_a_download_asks_for_nothing_and_ends_with_its_last_item, setup),
        cmocka_unit_test_setup(test_an_empty_download_keeps_nobody_waiting, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
