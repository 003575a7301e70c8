/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/core/events.h: what happened to a vehicle between two states. */
#include "boards/swarm/core/events.h"

#include "fleet/scenario.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define ON_GROUND 1u /* MAV_LANDED_STATE */
#define IN_AIR    2u
#define TAKEOFF   3u
#define LANDING   4u

#define BIT(name) (1u << MF_SCENARIO_EVENT_##name)

/* On the ground, disarmed, no item reached. */
static const struct mf_crowd_state k_rest = {.landed = ON_GROUND, .reached = -1};
/* In the air, armed, in a mode, item 2 reached. */
static const struct mf_crowd_state k_air = {
    .landed = IN_AIR, .armed = true, .mode = 4, .reached = 2};

static void must_be(struct mf_crowd_state before, struct mf_crowd_state now, uint32_t events)
{
    assert_int_equal(swarm_events(&before, &now), events);
}

static void test_without_a_change_there_is_no_event(void **state)
{
    struct mf_crowd_state bad = k_air;
    (void)state;
    must_be(k_rest, k_rest, 0);
    must_be(k_air, k_air, 0);
    bad.failsafe = bad.breach = bad.finished = true;
    must_be(bad, bad, 0);
    bad.at_us = 5;
    must_be(k_rest, k_rest, 0);
}

static void test_arming_and_disarming(void **state)
{
    struct mf_crowd_state armed = k_rest;
    (void)state;
    armed.armed = true;
    must_be(k_rest, armed, BIT(ARMED));
    must_be(armed, k_rest, BIT(DISARMED));
}

static void test_leaving_the_ground_and_touching_it(void **state)
{
    struct mf_crowd_state rises = k_air, sinks = k_air, down = k_air;
    (void)state;
    rises.landed = TAKEOFF;
    sinks.landed = LANDING;
    down.landed = ON_GROUND;
    must_be(rises, k_air, BIT(IN_AIR));
    must_be(down, rises, 0);
    must_be(k_air, sinks, 0);
    must_be(sinks, down, BIT(LANDED));
    must_be(sinks, k_air, BIT(IN_AIR));
}

static void test_an_item_is_reached(void **state)
{
    struct mf_crowd_state first = k_air, second = k_air;
    (void)state;
    first.reached = -1;
    must_be(first, second, BIT(ITEM));
    first.reached = 1;
    must_be(first, second, BIT(ITEM));
    must_be(second, first, BIT(ITEM)); /* a mission that begins again */
    second.reached = -1;
    must_be(first, second, 0); /* another mission, of which no item is reached */
}

static void test_a_mission_is_finished_once(void **state)
{
    struct mf_crowd_state done = k_air;
    (void)state;
    done.finished = true;
    must_be(k_air, done, BIT(FINISHED));
    must_be(done, k_air, 0);
}

static void test_a_mode_changes(void **state)
{
    struct mf_crowd_state other = k_air;
    (void)state;
    other.mode = 5;
    must_be(k_air, other, BIT(MODE));
    must_be(other, k_air, BIT(MODE));
}

static void test_a_failsafe_and_a_breach_begin(void **state)
{
    struct mf_crowd_state bad = k_air;
    (void)state;
    bad.failsafe = true;
    must_be(k_air, bad, BIT(FAILSAFE));
    must_be(bad, k_air, 0);
    bad.breach = true;
    must_be(k_air, bad, BIT(FAILSAFE) | BIT(BREACH));
    must_be(bad, k_air, 0);
}

static void test_a_fall_that_ends_on_the_ground_is_a_crash(void **state)
{
    struct mf_crowd_state falls = k_air, down = k_rest;
    (void)state;
    falls.falling = true;
    down.mode = falls.mode;
    down.reached = falls.reached;
    must_be(k_air, falls, 0);
    must_be(falls, falls, 0);
    must_be(falls, down, BIT(CRASHED) | BIT(LANDED) | BIT(DISARMED));
    must_be(falls, k_air, 0); /* its motors run again */
}

static void test_all_at_once(void **state)
{
    const struct mf_crowd_state now = {.landed = IN_AIR,
                                       .armed = true,
                                       .mode = 9,
                                       .reached = 0,
                                       .finished = true,
                                       .failsafe = true,
                                       .breach = true};
    (void)state;
    must_be(k_rest, now,
            BIT(ARMED) | BIT(IN_AIR) | BIT(ITEM) | BIT(FINISHED) | BIT(MODE) | BIT(FAILSAFE) |
                BIT(BREACH));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_a_change_there_is_no_event),
        cmocka_unit_test(test_arming_and_disarming),
        cmocka_unit_test(test_leaving_the_ground_and_touching_it),
        cmocka_unit_test(test_an_item_is_reached),
        cmocka_unit_test(test_a_mission_is_finished_once),
        cmocka_unit_test(test_a_mode_changes),
        cmocka_unit_test(test_a_failsafe_and_a_breach_begin),
        cmocka_unit_test(test_a_fall_that_ends_on_the_ground_is_a_crash),
        cmocka_unit_test(test_all_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
