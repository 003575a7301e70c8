/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/time/operator.h: lines of an operator, for a world whose systems have two commands.
 * LDS-10. */
#include "boards/swarm/time/operator.h"

#include "tests/unit/boards/swarm/swarm_fixture.h"

static struct swarm_operator s_operator;
static char s_shown[4096];
static char s_took[300]; /* words of the world's command, each in brackets, and the rest */

static const char *move(struct swarm_operator *o, const struct swarm_words *w, FILE *to)
{
    assert_ptr_equal(o, &s_operator);
    (void)to;
    s_took[0] = '\0';
    for (int i = 0; i < w->count; i++) {
        (void)snprintf(s_took + strlen(s_took), sizeof s_took - strlen(s_took), "[%s]", w->word[i]);
    }
    (void)snprintf(s_took + strlen(s_took), sizeof s_took - strlen(s_took), "%s", w->rest);
    return w->count > 1 && strcmp(w->word[1], "wrong") == 0
               ? swarm_operator_wrong(o, "no '%s'", w->word[1])
               : NULL;
}

static void show(const struct swarm_operator *o, FILE *to)
{
    assert_ptr_equal(o, &s_operator);
    (void)fputs("two of them\n", to);
}

static const char *task(struct swarm_operator *o, const char *text, size_t n, uint32_t *number)
{
    (void)o;
    (void)snprintf(s_took, sizeof s_took, "%.*s", (int)n, text);
    *number = 7;
    return text[0] == '{' ? NULL : "is not a map";
}

static const struct swarm_operator_command k_move[] = {
    {"move", "DRONE X,Y", "moves it", true, move},
    {0},
};
static const struct swarm_operator_command k_look[] = {
    {"look", "", "looks at it", false, move},
    {0},
};
static const struct swarm_system k_a = {.name = "a", .commands = k_move}, k_none = {.name = "none"},
                                 k_b = {.name = "b", .commands = k_look};
static const struct swarm_system *const k_systems[] = {&k_a, &k_none, &k_b, NULL};
static const struct swarm_operator_world k_world = {.step = "tick", .show = show, .task = task},
                                         k_taskless = {.step = "tick", .show = show};

static int begin(void **state)
{
    (void)state;
    s_operator = (struct swarm_operator){
        .w = swarm_of("time: {end: 1}\nentities: [{name: v, behaviour: walk}]\n"),
        .world = &k_world};
    s_swarm.systems = k_systems;
    s_took[0] = '\0';
    return 0;
}

/* @return NULL, or what is wrong */
static const char *obey(const char *line)
{
    memset(s_shown, 0, sizeof s_shown);
    FILE *to = fmemopen(s_shown, sizeof s_shown - 1u, "w");
    assert_non_null(to);
    const char *wrong = swarm_operator_obey(&s_operator, line, false, to);
    (void)fclose(to);
    return wrong;
}

static void test_a_line_is_split_into_words_and_the_rest(void **state)
{
    (void)state;
    assert_null(obey("move  drone.1\t4,2\r\n"));
    assert_string_equal(s_took, "[move][drone.1][4,2]drone.1\t4,2\r\n");
}

static void test_a_line_has_six_words_at_most(void **state)
{
    (void)state;
    assert_null(obey("move a b c d e f"));
    assert_string_equal(s_took, "[move][a][b][c][d][e]a b c d e f");
}

static void test_a_command_that_changes_the_world(void **state)
{
    (void)state;
    assert_null(obey("look"));
    assert_false(s_operator.changed);
    assert_names(obey("move wrong"), "wrong");
    assert_false(s_operator.changed);
    assert_null(obey("move a"));
    assert_true(s_operator.changed);
}

static void test_a_command_that_does_not_exist(void **state)
{
    (void)state;
    assert_names(obey("mvoe a"), "mvoe move help");
    assert_names(obey("shwo"), "shwo show help");
    const char *wrong = obey("zzzzzzzzzz");
    assert_names(wrong, "zzzzzzzzzz help");
    assert_false(mf_names(wrong, "mean"));
    assert_false(s_operator.changed);
}

static void test_the_help_lists_all_commands(void **state)
{
    static const char *const k[] = {"play",        "pause", "step N", "show",           "task TASK",
                                    "run COMMAND", "help",  "exit",   "move DRONE X,Y", "look"};
    (void)state;
    assert_null(obey("help"));
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        assert_names(s_shown, k[i]);
    }
    assert_names(s_shown, "Enter tick play move look");
}

static void test_the_world_shows_itself(void **state)
{
    (void)state;
    assert_null(obey("show"));
    assert_string_equal(s_shown, "two of them\n");
}

static void test_a_task_is_the_rest_of_the_line(void **state)
{
    (void)state;
    assert_null(obey("task {carry: 7, to: [3, 4]}"));
    assert_string_equal(s_took, "{carry: 7, to: [3, 4]}");
    assert_string_equal(s_shown, "task 7\n");
    assert_true(s_operator.changed);
}

static void test_a_task_that_is_wrong_changes_nothing(void **state)
{
    (void)state;
    assert_names(obey("task carry"), "map");
    assert_string_equal(s_shown, "");
    assert_false(s_operator.changed);
}

static void test_a_world_without_tasks(void **state)
{
    (void)state;
    s_operator.world = &k_taskless;
    assert_names(obey("task {}"), "task help");
    assert_null(obey("help"));
    assert_names(s_shown, "exit move look");
    assert_false(mf_names(s_shown, "task"));
}

static void test_a_world_without_commands_of_its_own(void **state)
{
    (void)state;
    s_swarm.systems = &k_systems[3];
    assert_names(obey("move a"), "move help");
    assert_null(obey("show"));
}

static void test_the_shell_is_for_those_at_its_terminal(void **state)
{
    (void)state;
    assert_names(obey("run ls"), "run stdin");
    assert_names(swarm_operator_obey(&s_operator, "run", true, stdout), "run COMMAND");
}

static void test_a_line_may_end_the_run(void **state)
{
    (void)state;
    assert_false(s_operator.ends);
    assert_null(obey("exit"));
    assert_true(s_operator.ends);
}

static void test_time_stands_and_passes_again(void **state)
{
    (void)state;
    s_swarm.hold.at_us = MF_NEVER;
    s_swarm.now_us = 7;
    assert_null(obey("pause"));
    assert_int_equal(s_swarm.hold.at_us, 7);
    assert_null(obey("play"));
    assert_int_equal(s_swarm.hold.at_us, MF_NEVER);
    assert_false(s_operator.changed);
}

static void test_steps_are_1_to_1000000(void **state)
{
    static const char *const k[] = {"step", "step 0", "step -1", "step 1000001", "step 1x"};
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        assert_names(obey(k[i]), "step N 1 1000000");
    }
}

/* A world without steps counts seconds; an order adds to the one that has not come yet. */
static void test_an_empty_line_is_a_step(void **state)
{
    (void)state;
    s_swarm.hold.at_us = MF_NEVER;
    s_swarm.now_us = 7;
    assert_null(obey(""));
    assert_int_equal(s_swarm.hold.at_us, 1000007);
    assert_null(obey("step 3"));
    assert_int_equal(s_swarm.hold.at_us, 4000007);
    assert_null(obey(" \t\r\n"));
    assert_int_equal(s_swarm.hold.at_us, 5000007);
}

static void test_numbers(void **state)
{
    (void)state;
    assert_int_equal(swarm_operator_number("1", 9), 1);
    assert_int_equal(swarm_operator_number("9", 9), 9);
    assert_int_equal(swarm_operator_number("10", 9), 0);
    assert_int_equal(swarm_operator_number("12", 12), 12);
    assert_int_equal(swarm_operator_number("0", 9), 0);
    assert_int_equal(swarm_operator_number("", 9), 0);
    assert_int_equal(swarm_operator_number("2 ", 9), 0);
    assert_int_equal(swarm_operator_number(NULL, 9), 0);
}

static void test_places(void **state)
{
    double place[3];
    (void)state;
    assert_int_equal(swarm_operator_place("4,2", place), 2);
    assert_true(place[0] == 4.0 && place[1] == 2.0 && place[2] == 0.0);
    assert_int_equal(swarm_operator_place("4.5,-2,1", place), 3);
    assert_true(place[0] == 4.5 && place[1] == -2.0 && place[2] == 1.0);
    assert_int_equal(swarm_operator_place("4", place), 1);
    assert_true(place[1] == 0.0);
}

static void test_texts_that_are_not_places(void **state)
{
    static const char *const k[] = {"", ",", "4,", "x,2", "4;2", "1,2,3,4", "1,2,x"};
    double place[3];
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        assert_int_equal(swarm_operator_place(k[i], place), 0);
    }
    assert_int_equal(swarm_operator_place(NULL, place), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_line_is_split_into_words_and_the_rest, begin),
        cmocka_unit_test_setup(test_a_line_has_six_words_at_most, begin),
        cmocka_unit_test_setup(test_a_command_that_changes_the_world, begin),
        cmocka_unit_test_setup(test_a_command_that_does_not_exist, begin),
        cmocka_unit_test_setup(test_the_help_lists_all_commands, begin),
        cmocka_unit_test_setup(test_the_world_shows_itself, begin),
        cmocka_unit_test_setup(test_a_task_is_the_rest_of_the_line, begin),
        cmocka_unit_test_setup(test_a_task_that_is_wrong_changes_nothing, begin),
        cmocka_unit_test_setup(test_a_world_without_tasks, begin),
        cmocka_unit_test_setup(test_a_world_without_commands_of_its_own, begin),
        cmocka_unit_test_setup(test_the_shell_is_for_those_at_its_terminal, begin),
        cmocka_unit_test_setup(test_a_line_may_end_the_run, begin),
        cmocka_unit_test_setup(test_time_stands_and_passes_again, begin),
        cmocka_unit_test_setup(test_steps_are_1_to_1000000, begin),
        cmocka_unit_test_setup(test_an_empty_line_is_a_step, begin),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_texts_that_are_not_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
