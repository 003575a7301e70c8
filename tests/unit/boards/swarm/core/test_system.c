/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/core/system.h: the order in which functions of systems are called, with systems that
 * write down their calls. */
#include "boards/swarm/core/system.h"

#include "boards/swarm/core/error.h"
#include "tests/unit/boards/swarm/swarm_fixture.h"

static char s_calls[400]; /* "NAME.FUNCTION " of each call */
static int s_result[2];   /* of the stages of the two systems */
static bool s_failed, s_complete, s_idle[2];

static void note(char name, const char *function)
{
    const size_t at = strlen(s_calls);
    (void)snprintf(s_calls + at, sizeof s_calls - at, "%c.%s ", name, function);
}

static int check_a(struct swarm *w)
{
    note('a', "check");
    return s_result[0] == SWARM_OK ? SWARM_OK : swarm_refuse(w, 3, "a does not fit");
}

static int check_b(struct swarm *w)
{
    (void)w;
    note('b', "check");
    return s_result[1];
}

static int connect_a(struct swarm *w)
{
    (void)w;
    note('a', "connect");
    return SWARM_OK;
}

static int connect_b(struct swarm *w)
{
    (void)w;
    note('b', "connect");
    return SWARM_OK;
}

static void changed_b(struct swarm *w, const struct swarm_change *change)
{
    (void)w;
    note('b', change->member == 7 ? "changed" : "");
}

static bool failed_b(const struct swarm *w)
{
    (void)w;
    return s_failed;
}

static bool is_idle_a(const struct swarm *w)
{
    (void)w;
    return s_idle[0];
}

static bool is_idle_b(const struct swarm *w)
{
    (void)w;
    return s_idle[1];
}

static uint64_t digest_a(const struct swarm *w, uint64_t digest)
{
    (void)w;
    return digest * 10u + 1u;
}

static uint64_t digest_b(const struct swarm *w, uint64_t digest)
{
    (void)w;
    return digest * 10u + 2u;
}

static int describe_a(struct swarm *w, uint32_t i, struct mf_drone_setup *setup,
                      struct mf_world_settings *world)
{
    (void)w, (void)setup, (void)world;
    note('a', i == 4 ? "describe" : "");
    return s_result[0];
}

static int describe_b(struct swarm *w, uint32_t i, struct mf_drone_setup *setup,
                      struct mf_world_settings *world)
{
    (void)w, (void)setup, (void)world;
    note('b', i == 4 ? "describe" : "");
    return s_result[1];
}

static int booted_b(struct swarm *w, uint32_t i, struct mf_drone *drone)
{
    (void)w, (void)drone;
    note('b', i == 4 ? "booted" : "");
    return s_result[1];
}

static void finish_a(struct swarm *w, bool goes_on)
{
    (void)w;
    note('a', goes_on ? "goes_on" : "finish");
}

static void finish_b(struct swarm *w, bool goes_on)
{
    (void)w;
    note('b', goes_on ? "goes_on" : "finish");
}

static void print_summary_b(const struct swarm *w)
{
    (void)w;
    note('b', "print_summary");
}

static int judge_a(struct swarm *w, bool goes_on)
{
    (void)w, (void)goes_on;
    return s_result[0];
}

static int judge_b(struct swarm *w, bool goes_on)
{
    (void)w, (void)goes_on;
    return s_result[1];
}

static bool complete_a(struct swarm *w)
{
    (void)w;
    note('a', "complete");
    return s_complete;
}

static bool complete_b(struct swarm *w)
{
    (void)w;
    note('b', "complete");
    return true;
}

static void close_a(struct swarm *w, int code)
{
    (void)w;
    note('a', code == SWARM_FAILED ? "close" : "");
}

static void close_b(struct swarm *w, int code)
{
    (void)w;
    note('b', code == SWARM_FAILED ? "close" : "");
}

static bool is_there(const struct swarm *w)
{
    return w == &s_swarm;
}

static bool is_absent(const struct swarm *w)
{
    (void)w;
    return false;
}

static void write_a(const struct swarm *w, uint32_t i, FILE *to)
{
    (void)w;
    (void)fprintf(to, ",a%u,", (unsigned)i);
}

static void write_b(const struct swarm *w, uint32_t i, FILE *to)
{
    (void)w;
    (void)fprintf(to, ",b%u", (unsigned)i);
}

static const struct swarm_column k_column_a[] = {{",a,a2", is_there, write_a}, {0}},
                                 k_column_b[] = {{",absent", is_absent, write_a},
                                                 {",b", is_there, write_b},
                                                 {0}};

static const struct swarm_system
    k_a = {.name = "a",
           .on = {[SWARM_CHECK] = check_a, [SWARM_CONNECT] = connect_a},
           .columns = k_column_a,
           .describe = describe_a,
           .is_idle = is_idle_a,
           .digest = digest_a,
           .finish = finish_a,
           .judge = judge_a,
           .complete = complete_a,
           .close = close_a},
    k_b = {.name = "b",
           .on = {[SWARM_CHECK] = check_b, [SWARM_CONNECT] = connect_b},
           .in_replay = true,
           .columns = k_column_b,
           .describe = describe_b,
           .booted = booted_b,
           .is_idle = is_idle_b,
           .digest = digest_b,
           .changed = changed_b,
           .has_failed = failed_b,
           .finish = finish_b,
           .print_summary = print_summary_b,
           .judge = judge_b,
           .complete = complete_b,
           .close = close_b},
    k_empty = {.name = "empty"};
static const struct swarm_system *const k_systems[] = {&k_a, &k_empty, &k_b, NULL};

static int begin(void **state)
{
    (void)state;
    swarm_of("time: {end: 1}\nentities: [{name: v, behaviour: walk}]\n")->systems = k_systems;
    s_calls[0] = '\0';
    s_result[0] = s_result[1] = SWARM_OK;
    s_failed = false;
    s_complete = s_idle[0] = s_idle[1] = true;
    return 0;
}

static void test_a_stage_is_of_all_systems_in_their_order(void **state)
{
    (void)state;
    assert_int_equal(swarm_systems_do(&s_swarm, SWARM_CHECK), SWARM_OK);
    assert_string_equal(s_calls, "a.check b.check ");
}

static void test_a_stage_that_no_system_has(void **state)
{
    (void)state;
    assert_int_equal(swarm_systems_do(&s_swarm, SWARM_BOOT), SWARM_OK);
    assert_string_equal(s_calls, "");
}

static void test_a_stage_ends_where_a_system_fails(void **state)
{
    (void)state;
    s_result[0] = SWARM_INPUT;
    assert_int_equal(swarm_systems_do(&s_swarm, SWARM_CHECK), SWARM_INPUT);
    assert_string_equal(s_calls, "a.check ");
    assert_names(s_swarm.error, "test.yaml 3");
}

static void test_a_replay_lets_in_only_those_who_need_no_one_outside(void **state)
{
    (void)state;
    assert_int_equal(swarm_systems_do(&s_swarm, SWARM_CONNECT), SWARM_OK);
    assert_string_equal(s_calls, "a.connect b.connect ");
    s_calls[0] = '\0';
    s_command.replay = "said.txt";
    assert_int_equal(swarm_systems_do(&s_swarm, SWARM_CONNECT), SWARM_OK);
    assert_string_equal(s_calls, "b.connect ");
}

static void test_a_replay_leaves_out_no_other_stage(void **state)
{
    (void)state;
    s_command.replay = "said.txt";
    assert_int_equal(swarm_systems_do(&s_swarm, SWARM_CHECK), SWARM_OK);
    assert_string_equal(s_calls, "a.check b.check ");
}

static void test_a_change_reaches_those_who_look(void **state)
{
    (void)state;
    swarm_systems_changed(&s_swarm, &(struct swarm_change){.member = 7});
    assert_string_equal(s_calls, "b.changed ");
}

static void test_one_system_that_failed_is_enough(void **state)
{
    (void)state;
    assert_false(swarm_systems_have_failed(&s_swarm));
    s_failed = true;
    assert_true(swarm_systems_have_failed(&s_swarm));
}

static void test_all_systems_finish(void **state)
{
    (void)state;
    swarm_systems_finish(&s_swarm, false);
    swarm_systems_finish(&s_swarm, true);
    assert_string_equal(s_calls, "a.finish b.finish a.goes_on b.goes_on ");
}

static void test_the_summary_is_of_those_who_have_lines(void **state)
{
    (void)state;
    swarm_systems_print_summary(&s_swarm);
    assert_string_equal(s_calls, "b.print_summary ");
}

static void test_failures_are_added(void **state)
{
    (void)state;
    assert_int_equal(swarm_systems_judge(&s_swarm, false), 0);
    s_result[0] = 2;
    s_result[1] = 3;
    assert_int_equal(swarm_systems_judge(&s_swarm, false), 5);
}

static void test_a_report_that_cannot_be_written_is_an_error(void **state)
{
    (void)state;
    s_result[0] = 2;
    s_result[1] = -1;
    assert_true(swarm_systems_judge(&s_swarm, false) < 0);
    s_result[0] = -1;
    s_result[1] = 3;
    assert_true(swarm_systems_judge(&s_swarm, false) < 0);
}

/* All files are closed, also behind one that is not complete. */
static void test_outputs_are_complete_if_all_are(void **state)
{
    (void)state;
    assert_true(swarm_systems_complete(&s_swarm));
    s_complete = false;
    s_calls[0] = '\0';
    assert_false(swarm_systems_complete(&s_swarm));
    assert_string_equal(s_calls, "a.complete b.complete ");
}

static void test_systems_close_in_the_reverse_order(void **state)
{
    (void)state;
    swarm_systems_close(&s_swarm, SWARM_FAILED);
    assert_string_equal(s_calls, "b.close a.close ");
}

static void test_a_run_is_idle_if_all_are(void **state)
{
    (void)state;
    assert_true(swarm_systems_are_idle(&s_swarm));
    s_idle[1] = false;
    assert_false(swarm_systems_are_idle(&s_swarm));
    s_idle[1] = true;
    s_idle[0] = false;
    assert_false(swarm_systems_are_idle(&s_swarm));
}

static void test_a_digest_goes_from_system_to_system(void **state)
{
    (void)state;
    assert_int_equal(swarm_systems_digest(&s_swarm, 7), 712);
}

static void test_a_vehicle_boots_as_all_describe_it(void **state)
{
    (void)state;
    assert_int_equal(swarm_systems_describe(&s_swarm, 4, NULL, NULL), MF_E_OK);
    assert_int_equal(swarm_systems_booted(&s_swarm, 4, NULL), MF_E_OK);
    assert_string_equal(s_calls, "a.describe b.describe b.booted ");
}

static void test_a_vehicle_that_one_system_refuses_does_not_boot(void **state)
{
    (void)state;
    s_result[0] = MF_E_FULL;
    s_result[1] = MF_E_RANGE;
    assert_int_equal(swarm_systems_describe(&s_swarm, 4, NULL, NULL), MF_E_FULL);
    assert_string_equal(s_calls, "a.describe ");
    assert_int_equal(swarm_systems_booted(&s_swarm, 4, NULL), MF_E_RANGE);
}

/* A row has as many commas as the line of names. */
static void test_columns_are_those_of_this_run(void **state)
{
    char text[100] = "";
    FILE *to = fmemopen(text, sizeof text, "w");
    (void)state;
    assert_non_null(to);
    swarm_systems_name_columns(&s_swarm, to);
    (void)fputc(' ', to);
    swarm_systems_write_columns(&s_swarm, 4, to);
    (void)fclose(to);
    assert_string_equal(text, ",a,a2,b ,a4,,b4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_stage_is_of_all_systems_in_their_order, begin),
        cmocka_unit_test_setup(test_a_stage_that_no_system_has, begin),
        cmocka_unit_test_setup(test_a_stage_ends_where_a_system_fails, begin),
        cmocka_unit_test_setup(test_a_replay_lets_in_only_those_who_need_no_one_outside, begin),
        cmocka_unit_test_setup(test_a_replay_leaves_out_no_other_stage, begin),
        cmocka_unit_test_setup(test_a_change_reaches_those_who_look, begin),
        cmocka_unit_test_setup(test_one_system_that_failed_is_enough, begin),
        cmocka_unit_test_setup(test_all_systems_finish, begin),
        cmocka_unit_test_setup(test_the_summary_is_of_those_who_have_lines, begin),
        cmocka_unit_test_setup(test_failures_are_added, begin),
        cmocka_unit_test_setup(test_a_report_that_cannot_be_written_is_an_error, begin),
        cmocka_unit_test_setup(test_outputs_are_complete_if_all_are, begin),
        cmocka_unit_test_setup(test_systems_close_in_the_reverse_order, begin),
        cmocka_unit_test_setup(test_a_run_is_idle_if_all_are, begin),
        cmocka_unit_test_setup(test_a_digest_goes_from_system_to_system, begin),
        cmocka_unit_test_setup(test_a_vehicle_boots_as_all_describe_it, begin),
        cmocka_unit_test_setup(test_a_vehicle_that_one_system_refuses_does_not_boot, begin),
        cmocka_unit_test_setup(test_columns_are_those_of_this_run, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
