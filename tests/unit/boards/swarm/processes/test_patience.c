/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/processes/patience.h: verdicts on a participant that is silent, and what the metrics
 * say of it. The time of a wait is set back, so that no test waits. */
#include "boards/swarm/processes/patience.h"

#include "boards/swarm/core/wall.h"
#include "boards/swarm/processes/spins.h"
#include "tests/unit/boards/swarm/swarm_fixture.h"

static struct captured s_err;
static struct swarm_patience s_patience;
static struct swarm_patience_rule s_rule;

/* A wait of 10 s so far for a participant, whose patience is 4 s. */
static int begin(void **state)
{
    (void)state;
    (void)swarm_of("entities: [{name: v}]\n");
    s_patience = (struct swarm_patience){.since_s = swarm_wall_s() - 10.0};
    s_rule = (struct swarm_patience_rule){.key = "bus",
                                          .line = 7,
                                          .patience_s = 4.0,
                                          .silent = MF_SCENARIO_SILENT_STOP,
                                          .who = "controller 'planner'",
                                          .at_us = 2500000};
    return 0;
}

/* @return the verdict; what it says is in s_err */
static enum swarm_patience_verdict check(void)
{
    capture(&s_err, stderr);
    const enum swarm_patience_verdict verdict =
        swarm_patience_check(&s_swarm, &s_patience, &s_rule);
    (void)captured(&s_err);
    return verdict;
}

static void test_a_silence_that_stops_the_run(void **state)
{
    (void)state;
    assert_int_equal(check(), SWARM_PATIENCE_STOPS);
    assert_names(s_err.text, "bus controller planner 4 2.500000");
    assert_names(s_swarm.error, "test.yaml:7 bus controller planner 4 2.500000 bus.patience "
                                "bus.silent drop wait");
    assert_true(swarm_silence_of(&s_swarm)->stops);
}

static void test_a_silence_that_drops_the_participant(void **state)
{
    (void)state;
    s_rule.silent = MF_SCENARIO_SILENT_DROP;
    assert_int_equal(check(), SWARM_PATIENCE_DROPS);
    assert_names(s_err.text, "bus controller planner 4 2.500000");
    assert_string_equal(s_swarm.error, "");
    assert_false(swarm_silence_of(&s_swarm)->stops);
}

static void test_a_silence_through_which_the_run_waits(void **state)
{
    (void)state;
    s_rule.silent = MF_SCENARIO_SILENT_WAIT;
    assert_int_equal(check(), SWARM_PATIENCE_LASTS);
    assert_names(s_err.text, "bus controller planner 4 2.500000");
    assert_string_equal(swarm_silence_of(&s_swarm)->who, "controller 'planner'");
    assert_string_equal(s_swarm.error, "");
}

/* 10 s are less than 1000 s. */
static void test_patience_that_is_not_over(void **state)
{
    (void)state;
    s_rule.patience_s = 1000.0;
    assert_int_equal(check(), SWARM_PATIENCE_LASTS);
    assert_string_equal(s_err.text, "");
    assert_int_equal(swarm_silence_of(&s_swarm)->count, 0);
}

static void test_patience_of_zero_is_endless(void **state)
{
    (void)state;
    s_rule.patience_s = 0.0;
    assert_int_equal(check(), SWARM_PATIENCE_LASTS);
    assert_string_equal(s_err.text, "");
    assert_int_equal(swarm_silence_of(&s_swarm)->count, 0);
}

/* The first look is the beginning of a wait. */
static void test_a_wait_begins_with_its_first_look(void **state)
{
    (void)state;
    s_patience.since_s = 0.0;
    s_rule.patience_s = 1000.0;
    const double before_s = swarm_wall_s();
    assert_int_equal(check(), SWARM_PATIENCE_LASTS);
    const double since_s = s_patience.since_s;
    assert_true(since_s >= before_s && since_s <= swarm_wall_s());
    assert_int_equal(check(), SWARM_PATIENCE_LASTS);
    assert_true(s_patience.since_s <= since_s && s_patience.since_s >= since_s);
}

static void test_one_silence_is_reported_once(void **state)
{
    (void)state;
    s_rule.silent = MF_SCENARIO_SILENT_DROP;
    assert_int_equal(check(), SWARM_PATIENCE_DROPS);
    assert_int_equal(check(), SWARM_PATIENCE_LASTS);
    assert_string_equal(s_err.text, "");
    assert_int_equal(swarm_silence_of(&s_swarm)->count, 1);
    swarm_patience_end(&s_swarm, &s_patience); /* an answer: the next silence is another one */
    assert_true(s_patience.since_s <= 0.0 && !s_patience.reported);
    s_patience.since_s = swarm_wall_s() - 10.0;
    assert_int_equal(check(), SWARM_PATIENCE_DROPS);
    assert_int_equal(swarm_silence_of(&s_swarm)->count, 2);
}

static void test_metrics_name_the_silent_participant_until_it_answers(void **state)
{
    char text[512];
    double silences = -1.0;
    (void)state;
    assert_int_equal(swarm_patience_metrics.write_labelled(&s_swarm, text, sizeof text), 0);
    s_rule.silent = MF_SCENARIO_SILENT_WAIT;
    (void)check();
    const size_t n = swarm_patience_metrics.write_labelled(&s_swarm, text, sizeof text);
    assert_int_equal(n, strlen(text));
    assert_non_null(
        strstr(text, "\nmayfly_swarm_silent{participant=\"controller 'planner'\"} 1\n"));
    swarm_patience_end(&s_swarm, &s_patience);
    assert_int_equal(swarm_patience_metrics.write_labelled(&s_swarm, text, sizeof text), 0);
    swarm_patience_metrics.measure(&s_swarm, &silences);
    assert_true(silences >= 1.0 && silences <= 1.0); /* the count stays */
}

/* A wait that ends without a report leaves the silence of another participant named. */
static void test_an_answer_in_time_ends_no_other_silence(void **state)
{
    struct swarm_patience other = {.since_s = swarm_wall_s()};
    (void)state;
    s_rule.silent = MF_SCENARIO_SILENT_WAIT;
    (void)check();
    swarm_patience_end(&s_swarm, &other);
    assert_true(other.since_s <= 0.0);
    assert_string_equal(swarm_silence_of(&s_swarm)->who, "controller 'planner'");
}

/* The time server reports processes after the shortest patience of those in virtual time: 7 s, not
 * the 2 s of a program on the wall's clock, nor 0, which is endless. */
static void test_the_time_server_learns_the_shortest_patience(void **state)
{
    char text[SWARM_SPINS_TEXT];
    (void)state;
    (void)swarm_of("entities: [{name: v}]\nprocesses:\n"
                   "  - {name: a, run: [\"true\"], clock: virtual, patience: 9}\n"
                   "  - {name: b, run: [\"true\"], clock: virtual, patience: 7}\n"
                   "  - {name: c, run: [\"true\"], clock: virtual, patience: 0}\n"
                   "  - {name: d, run: [\"true\"], patience: 2}\n");
    swarm_spins_server(&s_swarm, 5, text);
    const char *value = strchr(text, '=');
    assert_non_null(value);
    assert_string_equal(value, "=5:7.000");
}

/* Lines of the time server that are about something else. */
static void test_other_lines_of_the_time_server_are_left(void **state)
{
    (void)state;
    assert_false(swarm_spins_receive(&s_swarm, "time 5"));
    assert_false(swarm_spins_receive(&s_swarm, "run 5"));
    assert_true(swarm_spins_receive(&s_swarm, "waits"));
    assert_false(swarm_spins_has_dropped(&s_swarm, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_silence_that_stops_the_run, begin),
        cmocka_unit_test_setup(test_a_silence_that_drops_the_participant, begin),
        cmocka_unit_test_setup(test_a_silence_through_which_the_run_waits, begin),
        cmocka_unit_test_setup(test_patience_that_is_not_over, begin),
        cmocka_unit_test_setup(test_patience_of_zero_is_endless, begin),
        cmocka_unit_test_setup(test_a_wait_begins_with_its_first_look, begin),
        cmocka_unit_test_setup(test_one_silence_is_reported_once, begin),
        cmocka_unit_test_setup(test_metrics_name_the_silent_participant_until_it_answers, begin),
        cmocka_unit_test_setup(test_an_answer_in_time_ends_no_other_silence, begin),
        cmocka_unit_test_setup(test_the_time_server_learns_the_shortest_patience, begin),
        cmocka_unit_test_setup(test_other_lines_of_the_time_server_are_left, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
