/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/time/run.h: the order of instants, members and systems, with a carrier and a system
 * that write down their calls: "T" an instant of the engine, "R" members that run, each with its
 * time [s]. */
#include "boards/swarm/time/run.h"

#include "boards/swarm/members/carrier.h"
#include "boards/swarm/time/course.h"
#include "boards/swarm/time/hold.h"
#include "tests/unit/boards/swarm/swarm_fixture.h"

#include <math.h>

#define S MF_SECOND_US

static struct mf_engine_slot s_heap[SWARM_TIMERS + 1u];
static struct mf_timer s_timer[2];
static char s_calls[600];
static mf_us_t s_next_us, s_at_us, s_limit_us;
static mf_us_t s_again_us; /* serve() sets the second timer to it; MF_NEVER: it does not */
static mf_us_t s_over_us, s_failed_us; /* from then on */
static uint32_t s_watches;
static int s_begins, s_attaches; /* results */
static volatile int s_stop;
static mf_us_t s_stop_us;

static void note(const char *what, mf_us_t at_us)
{
    const size_t at = strlen(s_calls);
    (void)snprintf(s_calls + at, sizeof s_calls - at, "%s%g ", what, (double)at_us / 1e6);
}

/* ---- a carrier whose members act at s_next_us */

static struct mf_crowd_state state(const struct swarm *w, uint32_t i)
{
    (void)w, (void)i;
    return (struct mf_crowd_state){.at_us = s_at_us};
}

static void run(struct swarm *w, mf_us_t until_us)
{
    (void)w;
    if (s_next_us <= until_us) {
        s_at_us = s_next_us;
        s_next_us = MF_NEVER;
    }
    note("R", until_us);
}

static mf_us_t next_act(const struct swarm *w)
{
    (void)w;
    return s_next_us;
}

static const struct swarm_carrier k_members = {.state = state, .run = run, .next_us = next_act};

/* ---- a system */

static int begin_stage(struct swarm *w)
{
    (void)w;
    note("begin", 0);
    return s_begins;
}

static int attach(struct swarm *w)
{
    (void)w;
    note("attach", 0);
    return s_attaches;
}

static mf_us_t limit(struct swarm *w, mf_us_t next_us)
{
    (void)next_us;
    return s_limit_us > 0 ? w->now_us + s_limit_us : MF_NEVER;
}

static bool serve(struct swarm *w)
{
    s_stop = w->now_us >= s_stop_us;
    if (s_again_us == MF_NEVER) {
        return false;
    }
    assert_int_equal(mf_timer_set(&w->engine, &s_timer[1], s_again_us, 0), MF_E_OK);
    s_again_us = MF_NEVER;
    return true;
}

static bool is_over(const struct swarm *w)
{
    return w->now_us >= s_over_us;
}

static bool failed(const struct swarm *w)
{
    return w->now_us >= s_failed_us;
}

static uint32_t watches(const struct swarm *w)
{
    (void)w;
    return s_watches;
}

static int end(struct swarm *w)
{
    note("end", w->now_us);
    return SWARM_OK;
}

static const struct swarm_system k_system = {
    .name = "fake",
    .on = {[SWARM_BEGIN] = begin_stage, [SWARM_ATTACH] = attach, [SWARM_END] = end},
    .limit_us = limit,
    .serve = serve,
    .is_over = is_over,
    .count_watches = watches,
    .has_failed = failed,
};
static const struct swarm_system *const k_all[] = {&k_system, NULL};

/* ---- timers */

static void tick(void *ctx, uint32_t id, mf_us_t at_us)
{
    (void)ctx;
    note(id == 0 ? "T" : "t", at_us);
}

static int set_timer_begin(struct swarm *w, enum mf_phase phase, mf_us_t at_us, mf_us_t period_us)
{
    mf_timer_init(&s_timer[0], phase, 0, tick, NULL);
    mf_timer_init(&s_timer[1], MF_PHASE_CONTROL, 1, tick, NULL);
    return mf_timer_set(&w->engine, &s_timer[0], at_us, period_us);
}

static enum mf_phase s_phase;
static mf_us_t s_first_us, s_period_us;

static int begin_with_timer(struct swarm *w)
{
    return s_first_us == MF_NEVER ? SWARM_OK : set_timer_begin(w, s_phase, s_first_us, s_period_us);
}

static const struct swarm_system k_timer = {.name = "timer",
                                            .on = {[SWARM_BEGIN] = begin_with_timer}};
static const struct swarm_system *const k_timed[] = {&k_system, &k_timer, NULL};

static int begin(void **state_)
{
    (void)state_;
    (void)swarm_of("entities: [{name: v}]\n");
    swarm_course_of(&s_swarm)->heap = s_heap;
    s_swarm.systems = k_timed;
    s_swarm.hold.stop = &s_stop;
    s_swarm.hold.at_us = MF_NEVER;
    s_swarm.hold.rate = 1.0;
    for (int k = 0; k < MF_SCENARIO_KINDS; k++) {
        s_swarm.members.carrier[k] = k == MF_SCENARIO_KIND_VEHICLE ? &k_members : &swarm_things;
    }
    s_calls[0] = '\0';
    s_next_us = s_again_us = s_over_us = s_failed_us = s_stop_us = s_first_us = MF_NEVER;
    s_at_us = s_limit_us = s_period_us = 0;
    s_watches = 0;
    s_begins = s_attaches = SWARM_OK;
    s_stop = 0;
    s_phase = MF_PHASE_OBSERVE;
    s_scenario.time.end_s = (double)INFINITY;
    return 0;
}

static void calls_are(const char *expected)
{
    assert_string_equal(s_calls, expected);
}

static void test_stages_come_before_time(void **state_)
{
    (void)state_;
    s_swarm.systems = k_all;
    assert_int_equal(swarm_run(&s_swarm, false), SWARM_OK);
    assert_memory_equal(s_calls, "begin0 attach0 ", 15);
}

static void test_a_resumed_run_begins_nothing(void **state_)
{
    (void)state_;
    s_swarm.systems = k_all;
    s_command.resume = "before";
    mf_engine_init(&s_swarm.engine, s_heap, SWARM_TIMERS);
    assert_int_equal(swarm_run(&s_swarm, false), SWARM_OK);
    assert_memory_equal(s_calls, "attach0 ", 8);
}

static void test_a_stage_that_fails_ends_the_run(void **state_)
{
    (void)state_;
    s_begins = SWARM_INPUT;
    assert_int_equal(swarm_run(&s_swarm, false), SWARM_INPUT);
    calls_are("begin0 ");
    s_calls[0] = '\0';
    s_begins = SWARM_OK;
    s_attaches = SWARM_INPUT;
    assert_int_equal(swarm_run(&s_swarm, false), SWARM_INPUT);
    calls_are("begin0 attach0 ");
}

static void test_observers_see_members_at_their_instant(void **state_)
{
    (void)state_;
    s_scenario.time.end_s = 1.0;
    s_first_us = s_period_us = S / 2;
    (void)swarm_run(&s_swarm, false);
    calls_are("begin0 attach0 R0.5 T0.5 R1 T1 end1 ");
    assert_true(s_swarm.now_us == S);
}

static void test_controllers_act_before_members_of_their_instant(void **state_)
{
    (void)state_;
    s_scenario.time.end_s = 1.0;
    s_phase = MF_PHASE_CONTROL;
    s_first_us = S / 2;
    (void)swarm_run(&s_swarm, false);
    calls_are("begin0 attach0 R0.499999 T0.5 R1 end1 ");
}

static void test_an_instant_behind_the_end_does_not_happen(void **state_)
{
    (void)state_;
    s_scenario.time.end_s = 1.0;
    s_first_us = 2 * S;
    (void)swarm_run(&s_swarm, false);
    calls_are("begin0 attach0 R1 end1 ");
}

static void test_a_limit_cuts_time_into_pieces(void **state_)
{
    (void)state_;
    s_scenario.time.end_s = 1.0;
    s_limit_us = 4 * S / 10;
    (void)swarm_run(&s_swarm, false);
    calls_are("begin0 attach0 R0.4 R0.8 R1 end1 ");
}

static void test_an_earlier_instant_comes_first(void **state_)
{
    (void)state_;
    s_scenario.time.end_s = 1.0;
    s_first_us = 9 * S / 10;
    s_limit_us = S / 2;
    s_again_us = 6 * S / 10;
    (void)swarm_run(&s_swarm, false);
    calls_are("begin0 attach0 R0.5 R0.599999 t0.6 R0.9 T0.9 R1 end1 ");
}

static void test_a_run_to_idleness_ends_at_the_last_activity(void **state_)
{
    (void)state_;
    s_next_us = 3 * S / 10;
    s_swarm.systems = k_all;
    assert_int_equal(swarm_run(&s_swarm, false), SWARM_OK);
    assert_true(s_swarm.now_us == 3 * S / 10);
}

static void test_timers_that_only_watch_keep_no_run_alive(void **state_)
{
    (void)state_;
    s_next_us = 3 * S / 10;
    s_first_us = s_period_us = S / 5;
    s_watches = 1;
    (void)swarm_run(&s_swarm, false);
    assert_true(s_swarm.now_us == 3 * S / 10);
}

static void test_a_run_with_clients_does_not_idle(void **state_)
{
    (void)state_;
    s_swarm.hold.awaits_clients = true;
    s_scenario.time.clock = MF_SCENARIO_CLOCK_LOCKSTEP; /* else time passes with the wall */
    s_stop_us = 2 * S;
    (void)swarm_run(&s_swarm, false);
    assert_true(swarm_course_of(&s_swarm)->interrupted && s_swarm.now_us >= 2 * S);
}

static void test_a_signal_interrupts(void **state_)
{
    (void)state_;
    s_scenario.time.end_s = 9.0;
    s_limit_us = S;
    s_stop_us = 2 * S;
    (void)swarm_run(&s_swarm, false);
    calls_are("begin0 attach0 R1 R2 end2 ");
    assert_true(swarm_course_of(&s_swarm)->interrupted && !swarm_course_of(&s_swarm)->reached);
}

static void test_a_failure_ends_the_run_where_it_is(void **state_)
{
    (void)state_;
    s_scenario.time.end_s = 9.0;
    s_limit_us = S;
    s_failed_us = 2 * S;
    (void)swarm_run(&s_swarm, false);
    calls_are("begin0 attach0 R1 R2 end2 ");
}

static void test_members_come_to_the_last_instant(void **state_)
{
    (void)state_;
    s_scenario.time.end_s = 9.0;
    s_phase = MF_PHASE_CONTROL;
    s_first_us = s_period_us = S;
    s_over_us = S - 1;
    (void)swarm_run(&s_swarm, false);
    calls_are("begin0 attach0 R0.999999 T1 R1 end1 ");
}

static void test_a_checkpoint_is_reached(void **state_)
{
    (void)state_;
    s_scenario.time.end_s = 9.0;
    s_command.at_s = 0.5;
    (void)swarm_run(&s_swarm, false);
    assert_true(swarm_course_of(&s_swarm)->reached && s_swarm.now_us == S / 2);
}

static void test_steps_add_up_to_a_hold(void **state_)
{
    (void)state_;
    swarm_hold_step(&s_swarm, S);
    swarm_hold_step(&s_swarm, S);
    assert_true(s_swarm.hold.at_us == 2 * S);
    s_swarm.now_us = 5 * S;
    swarm_hold_step(&s_swarm, S);
    assert_true(s_swarm.hold.at_us == 6 * S);
    swarm_hold_pause(&s_swarm, true);
    assert_true(s_swarm.hold.at_us == 5 * S);
    swarm_hold_pause(&s_swarm, false);
    assert_true(s_swarm.hold.at_us == MF_NEVER);
}

static void test_a_rate_is_one_of_a_clock_that_counts_with_the_wall(void **state_)
{
    (void)state_;
    s_scenario.time.clock = MF_SCENARIO_CLOCK_FAST;
    assert_int_equal(swarm_hold_rate(&s_swarm, 2.0), MF_E_NOSUPP);
    s_scenario.time.clock = MF_SCENARIO_CLOCK_REAL;
    assert_int_equal(swarm_hold_rate(&s_swarm, 0.0), MF_E_RANGE);
    assert_int_equal(swarm_hold_rate(&s_swarm, 2.0), MF_E_OK);
    assert_true(s_swarm.hold.rate == 2.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_stages_come_before_time, begin),
        cmocka_unit_test_setup(test_a_resumed_run_begins_nothing, begin),
        cmocka_unit_test_setup(test_a_stage_that_fails_ends_the_run, begin),
        cmocka_unit_test_setup(test_observers_see_members_at_their_instant, begin),
        cmocka_unit_test_setup(test_controllers_act_before_members_of_their_instant, begin),
        cmocka_unit_test_setup(test_an_instant_behind_the_end_does_not_happen, begin),
        cmocka_unit_test_setup(test_a_limit_cuts_time_into_pieces, begin),
        cmocka_unit_test_setup(test_an_earlier_instant_comes_first, begin),
        cmocka_unit_test_setup(test_a_run_to_idleness_ends_at_the_last_activity, begin),
        cmocka_unit_test_setup(test_timers_that_only_watch_keep_no_run_alive, begin),
        cmocka_unit_test_setup(test_a_run_with_clients_does_not_idle, begin),
        cmocka_unit_test_setup(test_a_signal_interrupts, begin),
        cmocka_unit_test_setup(test_a_failure_ends_the_run_where_it_is, begin),
        cmocka_unit_test_setup(test_members_come_to_the_last_instant, begin),
        cmocka_unit_test_setup(test_a_checkpoint_is_reached, begin),
        cmocka_unit_test_setup(test_steps_add_up_to_a_hold, begin),
        cmocka_unit_test_setup(test_a_rate_is_one_of_a_clock_that_counts_with_the_wall, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
