/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/core/system.h: the run calls functions of a list of systems in order. */
#include "boards/swarm/core/swarm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static char s_calls[200]; /* a word per call */
static int s_result;      /* of the second system's next stage */
static bool s_failed, s_complete;
static uint32_t s_events;

static void note(const char *call)
{
    (void)strcat(strcat(s_calls, call), " ");
}

static int prepare_a(struct swarm *w)
{
    (void)w;
    note("prepare-a");
    return SWARM_OK;
}

static int prepare_b(struct swarm *w)
{
    (void)w;
    note("prepare-b");
    return s_result;
}

static int prepare_c(struct swarm *w)
{
    (void)w;
    note("prepare-c");
    return SWARM_OK;
}

static int connect_a(struct swarm *w)
{
    (void)w;
    note("connect-a");
    return SWARM_OK;
}

static int connect_b(struct swarm *w)
{
    (void)w;
    note("connect-b");
    return SWARM_OK;
}

static void changed_a(struct swarm *w, const struct swarm_change *c)
{
    (void)w;
    s_events |= c->events;
    note("changed-a");
}

static bool failed_b(const struct swarm *w)
{
    (void)w;
    return s_failed;
}

static void finish_a(struct swarm *w, bool goes_on)
{
    (void)w;
    note(goes_on ? "leave-a" : "finish-a");
}

static void tell_a(const struct swarm *w)
{
    (void)w;
    note("tell-a");
}

static void tell_c(const struct swarm *w)
{
    (void)w;
    note("tell-c");
}

static int judge_a(struct swarm *w, bool goes_on)
{
    (void)w, (void)goes_on;
    return 2;
}

static int judge_b(struct swarm *w, bool goes_on)
{
    (void)w, (void)goes_on;
    return s_result;
}

static bool complete_a(struct swarm *w)
{
    (void)w;
    note("complete-a");
    return s_complete;
}

static bool complete_c(struct swarm *w)
{
    (void)w;
    note("complete-c");
    return true;
}

static void close_a(struct swarm *w, int code)
{
    (void)w;
    note(code == 3 ? "close-a-3" : "close-a");
}

static void close_b(struct swarm *w, int code)
{
    (void)w, (void)code;
    note("close-b");
}

static const struct swarm_system k_a = {
    .name = "a",
    .on = {[SWARM_CONNECT] = connect_a, [SWARM_PREPARE] = prepare_a},
    .changed = changed_a,
    .finish = finish_a,
    .tell = tell_a,
    .judge = judge_a,
    .complete = complete_a,
    .close = close_a,
};
static const struct swarm_system k_b = {
    .name = "b",
    .on = {[SWARM_CONNECT] = connect_b, [SWARM_PREPARE] = prepare_b},
    .in_replay = true,
    .failed = failed_b,
    .judge = judge_b,
    .close = close_b,
};
static const struct swarm_system k_c = {
    .name = "c", .on = {[SWARM_PREPARE] = prepare_c}, .tell = tell_c, .complete = complete_c};
static const struct swarm_system *const k_all[] = {&k_a, &k_b, &k_c, NULL};
static const struct swarm_system *const k_none[] = {NULL};
static struct swarm s_swarm;

static int begin(void **state)
{
    (void)state;
    memset(&s_swarm, 0, sizeof s_swarm);
    s_swarm.systems = k_all;
    s_calls[0] = '\0';
    s_result = 0;
    s_failed = false;
    s_complete = true;
    s_events = 0;
    return 0;
}

static void test_a_stage_runs_in_the_order_of_the_list(void **state)
{
    (void)state;
    assert_int_equal(swarm_systems_do(&s_swarm, SWARM_PREPARE), SWARM_OK);
    assert_string_equal(s_calls, "prepare-a prepare-b prepare-c ");
}

static void test_the_first_failure_ends_a_stage(void **state)
{
    (void)state;
    s_result = SWARM_INPUT;
    assert_int_equal(swarm_systems_do(&s_swarm, SWARM_PREPARE), SWARM_INPUT);
    assert_string_equal(s_calls, "prepare-a prepare-b ");
}

static void test_a_stage_that_no_system_has_succeeds(void **state)
{
    (void)state;
    assert_int_equal(swarm_systems_do(&s_swarm, SWARM_BOOT), SWARM_OK);
    assert_string_equal(s_calls, "");
}

static void test_a_replay_connects_only_what_says_so(void **state)
{
    (void)state;
    s_swarm.replay = "file";
    assert_int_equal(swarm_systems_do(&s_swarm, SWARM_CONNECT), SWARM_OK);
    assert_string_equal(s_calls, "connect-b ");
    assert_int_equal(swarm_systems_do(&s_swarm, SWARM_PREPARE), SWARM_OK);
    assert_string_equal(s_calls, "connect-b prepare-a prepare-b prepare-c ");
}

static void test_a_live_run_connects_all(void **state)
{
    (void)state;
    assert_int_equal(swarm_systems_do(&s_swarm, SWARM_CONNECT), SWARM_OK);
    assert_string_equal(s_calls, "connect-a connect-b ");
}

static void test_a_change_reaches_those_that_listen(void **state)
{
    (void)state;
    const struct mf_crowd_state now = {0};
    swarm_systems_changed(&s_swarm, &(struct swarm_change){3, 7, 0x21, &now, &now});
    assert_string_equal(s_calls, "changed-a ");
    assert_int_equal(s_events, 0x21);
}

static void test_one_failed_system_is_enough(void **state)
{
    (void)state;
    assert_false(swarm_systems_failed(&s_swarm));
    s_failed = true;
    assert_true(swarm_systems_failed(&s_swarm));
}

static void test_finish_says_whether_another_process_goes_on(void **state)
{
    (void)state;
    swarm_systems_finish(&s_swarm, false);
    swarm_systems_finish(&s_swarm, true);
    assert_string_equal(s_calls, "finish-a leave-a ");
}

static void test_the_summary_has_the_order_of_the_list(void **state)
{
    (void)state;
    swarm_systems_tell(&s_swarm);
    assert_string_equal(s_calls, "tell-a tell-c ");
}

static void test_failures_add_up_and_an_error_outweighs_them(void **state)
{
    (void)state;
    s_result = 5;
    assert_int_equal(swarm_systems_judge(&s_swarm, false), 7);
    s_result = -1;
    assert_int_equal(swarm_systems_judge(&s_swarm, false), -1);
}

static void test_all_files_are_completed_after_one_is_not(void **state)
{
    (void)state;
    assert_true(swarm_systems_complete(&s_swarm));
    s_complete = false;
    assert_false(swarm_systems_complete(&s_swarm));
    assert_string_equal(s_calls, "complete-a complete-c complete-a complete-c ");
}

static void test_systems_close_in_reverse(void **state)
{
    (void)state;
    swarm_systems_close(&s_swarm, 3);
    assert_string_equal(s_calls, "close-b close-a-3 ");
}

static void test_an_empty_list_does_nothing(void **state)
{
    (void)state;
    s_swarm.systems = k_none;
    assert_int_equal(swarm_systems_do(&s_swarm, SWARM_PREPARE), SWARM_OK);
    swarm_systems_close(&s_swarm, 0);
    assert_true(swarm_systems_complete(&s_swarm));
    assert_int_equal(swarm_systems_judge(&s_swarm, false), 0);
    assert_string_equal(s_calls, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_stage_runs_in_the_order_of_the_list, begin),
        cmocka_unit_test_setup(test_the_first_failure_ends_a_stage, begin),
        cmocka_unit_test_setup(test_a_stage_that_no_system_has_succeeds, begin),
        cmocka_unit_test_setup(test_a_replay_connects_only_what_says_so, begin),
        cmocka_unit_test_setup(test_a_live_run_connects_all, begin),
        cmocka_unit_test_setup(test_a_change_reaches_those_that_listen, begin),
        cmocka_unit_test_setup(test_one_failed_system_is_enough, begin),
        cmocka_unit_test_setup(test_finish_says_whether_another_process_goes_on, begin),
        cmocka_unit_test_setup(test_the_summary_has_the_order_of_the_list, begin),
        cmocka_unit_test_setup(test_failures_add_up_and_an_error_outweighs_them, begin),
        cmocka_unit_test_setup(test_all_files_are_completed_after_one_is_not, begin),
        cmocka_unit_test_setup(test_systems_close_in_reverse, begin),
        cmocka_unit_test_setup(test_an_empty_list_does_nothing, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
