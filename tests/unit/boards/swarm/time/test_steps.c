/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/time/steps.h: a world that goes by steps, carried by the loop of a run, with a world
 * that counts its steps and writes down when each begins and ends [s]. */
#include "boards/swarm/time/hold.h"
#include "boards/swarm/time/run.h"
#include "boards/swarm/time/steps.h"

#include "boards/swarm/members/members.h"
#include "boards/swarm/time/course.h"
#include "tests/unit/boards/swarm/swarm_fixture.h"

#include <math.h>

#define S MF_SECOND_US

static struct mf_engine_slot s_heap[SWARM_TIMERS + 1u];
static struct swarm_operator s_operator;
static struct swarm_steps s_steps;
static uint64_t s_count, s_last; /* steps so far; the step after which nothing is left to do */
static uint64_t s_fails;         /* the step that fails */
static uint64_t s_ends;          /* the step after which the operator ends the run */
static char s_calls[400];
static char s_records[400]; /* times of records [s] */
static volatile int s_stop;
static int s_serves;  /* calls of serve() while the world is idle */
static int s_changes; /* the operator changes the world at this call; 0: never */
static char s_links;  /* its address stands for links */

static void note(const char *what, mf_us_t at_us)
{
    const size_t at = strlen(s_calls);
    (void)snprintf(s_calls + at, sizeof s_calls - at, "%s%g ", what, (double)at_us / 1e6);
}

/* ---- the world */

static uint64_t count(const struct swarm_steps *s)
{
    assert_ptr_equal(s, &s_steps);
    return s_count;
}

static bool take(struct swarm_steps *s, mf_us_t end_us)
{
    assert_ptr_equal(s, &s_steps);
    note("", s_swarm.now_us);
    note("-", end_us);
    s_count++;
    s_operator.ends = s_count == s_ends;
    return s_count != s_last && s_count != s_fails;
}

static uint64_t digest(const struct swarm_steps *s)
{
    return 1000u + count(s);
}

static const struct swarm_steps_ops k_ops = {count, take, digest};

static bool failed(const struct swarm *w)
{
    (void)w;
    return s_count == s_fails;
}

/* The operator of the test acts after the system of steps, in the same turn. */
static bool serve(struct swarm *w)
{
    if (!swarm_steps_of(w)->busy && ++s_serves == s_changes) {
        s_last = s_count + 2u;
        swarm_operator_of(w)->changed = true;
    }
    s_stop = s_serves > 3;
    return false;
}

static mf_us_t limit(struct swarm *w, mf_us_t next_us)
{
    (void)next_us;
    return w->hold.at_us;
}

/* A pause without an end would hold the test. */
static bool stand(struct swarm *w, bool pending)
{
    (void)pending;
    return w->now_us == w->hold.at_us;
}

static void record(struct swarm *w, mf_us_t at_us)
{
    const size_t at = strlen(s_records);
    assert_true(w->now_us == at_us);
    (void)snprintf(s_records + at, sizeof s_records - at, "%g ", (double)at_us / 1e6);
}

static const struct swarm_system k_world = {.name = "world",
                                            .record = record,
                                            .limit_us = limit,
                                            .on_standstill = stand,
                                            .serve = serve,
                                            .has_failed = failed,
                                            .refuses = true};
static const struct swarm_system *const k_systems[] = {&swarm_steps_system, &k_world, NULL};

static int begin(void **state)
{
    (void)state;
    (void)swarm_of("entities: [{name: v}]\n");
    swarm_course_of(&s_swarm)->heap = s_heap;
    memset(&s_steps, 0, sizeof s_steps);
    memset(&s_operator, 0, sizeof s_operator);
    s_operator.w = &s_swarm;
    s_swarm.state[SWARM_SLOT_OPERATOR] = &s_operator;
    s_swarm.systems = k_systems;
    s_swarm.hold.stop = &s_stop;
    s_swarm.hold.at_us = MF_NEVER;
    s_swarm.hold.rate = 1.0;
    s_scenario.grid.size[0] = 1.0;
    s_scenario.grid.tick_s = 1.0;
    s_scenario.time.end_s = (double)INFINITY;
    s_scenario.time.clock = MF_SCENARIO_CLOCK_FAST;
    s_count = 0;
    s_last = 1000;
    s_fails = s_ends = UINT64_MAX;
    s_calls[0] = s_records[0] = '\0';
    s_stop = 0;
    s_serves = s_changes = 0;
    swarm_steps_prepare(&s_swarm, &s_steps, &k_ops);
    return 0;
}

static void test_a_run_ends_with_the_step_that_reaches_its_end(void **state)
{
    (void)state;
    s_scenario.time.end_s = 2.5;
    assert_int_equal(swarm_run(&s_swarm, false), SWARM_OK);
    assert_string_equal(s_calls, "0 -1 1 -2 2 -3 ");
    assert_true(s_swarm.now_us == 3 * S);
    assert_int_equal(swarm_digest(&s_swarm), 1003);
    assert_int_equal(swarm_count_steps(&s_swarm), 3);
}

static void test_a_world_with_nothing_left_to_do_ends_the_run(void **state)
{
    (void)state;
    s_scenario.time.end_s = 100.0;
    s_last = 2;
    assert_int_equal(swarm_run(&s_swarm, false), SWARM_OK);
    assert_string_equal(s_calls, "0 -1 1 -2 ");
    assert_string_equal(s_records, "0 1 2 ");
    assert_true(s_swarm.now_us == 2 * S);
    assert_false(swarm_course_of(&s_swarm)->interrupted);
}

static void test_time_can_be_held_within_a_step(void **state)
{
    (void)state;
    s_swarm.hold.at_us = 3 * S / 2;
    (void)swarm_run(&s_swarm, false);
    assert_string_equal(s_calls, "0 -1 ");
    assert_true(s_swarm.now_us == 3 * S / 2);
}

static void test_steps_that_are_longer_than_a_piece_pass_whole(void **state)
{
    (void)state;
    s_scenario.grid.tick_s = 30.0;
    s_last = 2;
    (void)swarm_run(&s_swarm, false);
    assert_string_equal(s_calls, "0 -30 30 -60 ");
}

static void test_a_world_rests_for_its_operator(void **state)
{
    (void)state;
    s_swarm.state[SWARM_SLOT_LINKS] = (struct swarm_links *)(void *)&s_links;
    s_swarm.hold.awaits_clients = true;
    s_last = 1;
    s_changes = 2;
    (void)swarm_run(&s_swarm, false);
    assert_string_equal(s_calls, "0 -1 1 -2 2 -3 "); /* it rests at 1 s, and at 3 s again */
    assert_true(swarm_course_of(&s_swarm)->interrupted && s_swarm.now_us == 3 * S);
}

static void test_a_world_with_an_end_does_not_rest(void **state)
{
    (void)state;
    s_swarm.state[SWARM_SLOT_LINKS] = (struct swarm_links *)(void *)&s_links;
    s_swarm.hold.awaits_clients = true;
    s_scenario.time.end_s = 9.0;
    s_last = 1;
    (void)swarm_run(&s_swarm, false);
    assert_false(swarm_course_of(&s_swarm)->interrupted);
    assert_true(s_swarm.now_us == S);
}

static void test_an_operator_ends_the_run(void **state)
{
    (void)state;
    s_ends = 1;
    s_scenario.grid.tick_s = 20.0; /* a step is a piece */
    (void)swarm_run(&s_swarm, false);
    assert_string_equal(s_calls, "0 -20 ");
    assert_false(swarm_course_of(&s_swarm)->interrupted);
}

static void test_a_world_that_fails_refuses(void **state)
{
    (void)state;
    s_fails = 2;
    assert_int_equal(swarm_run(&s_swarm, false), SWARM_OK);
    assert_int_equal(s_count, 2);
    assert_true(swarm_systems_have_refused(&s_swarm));
    s_fails = 3;
    assert_false(swarm_systems_have_refused(&s_swarm));
}

static void test_a_checkpoint_within_a_step_goes_on(void **state)
{
    (void)state;
    s_command.at_s = 1.5;
    (void)swarm_run(&s_swarm, false);
    assert_true(swarm_course_of(&s_swarm)->reached && s_swarm.now_us == 3 * S / 2);
    s_command.resume = "before";
    s_command.at_s = (double)INFINITY;
    s_operator.ends = true; /* as "exit" leaves it */
    s_operator.ends = true; /* as "exit" leaves it */
    s_last = 3;
    (void)swarm_run(&s_swarm, false);
    assert_string_equal(s_calls, "0 -1 1 -2 2 -3 ");
}

/* 3 * 0.1 and 7 * 0.1 are above 0.3 and 0.7 as double; 6 * 0.3 is below 1.8. */
static void test_steps_to_an_end(void **state)
{
    static const struct {
        double step_s, end_s;
        uint64_t steps;
    } k_case[] = {{0.1, 0.3, 3}, {0.1, 0.7, 7},  {0.3, 1.8, 7}, {1.0, 0.0, 0},
                  {1.0, 5.0, 5}, {3.0, 10.0, 4}, {2.0, 1.0, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        s_scenario.grid.tick_s = k_case[i].step_s;
        assert_int_equal(swarm_steps_to(&s_swarm, k_case[i].end_s), k_case[i].steps);
    }
}

static void test_whole_steps(void **state)
{
    (void)state;
    assert_true(swarm_hold_whole_us(&s_swarm, 2 * S) == 2 * S);
    assert_true(swarm_hold_whole_us(&s_swarm, 2 * S + 999) == 2 * S);
    assert_true(swarm_hold_whole_us(&s_swarm, 3 * S - 2000) == 2 * S);
    s_swarm.state[SWARM_SLOT_STEPS] = NULL;
    assert_true(swarm_hold_whole_us(&s_swarm, 2 * S + 999) == 2 * S + 999);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_run_ends_with_the_step_that_reaches_its_end, begin),
        cmocka_unit_test_setup(test_a_world_with_nothing_left_to_do_ends_the_run, begin),
        cmocka_unit_test_setup(test_time_can_be_held_within_a_step, begin),
        cmocka_unit_test_setup(test_steps_that_are_longer_than_a_piece_pass_whole, begin),
        cmocka_unit_test_setup(test_a_world_rests_for_its_operator, begin),
        cmocka_unit_test_setup(test_a_world_with_an_end_does_not_rest, begin),
        cmocka_unit_test_setup(test_an_operator_ends_the_run, begin),
        cmocka_unit_test_setup(test_a_world_that_fails_refuses, begin),
        cmocka_unit_test_setup(test_a_checkpoint_within_a_step_goes_on, begin),
        cmocka_unit_test_setup(test_steps_to_an_end, begin),
        cmocka_unit_test_setup(test_whole_steps, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
