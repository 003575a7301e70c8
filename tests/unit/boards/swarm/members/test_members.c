/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/members/members.h: each call goes to the carrier of the member's kind. */
#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/members.h"
#include "firmware/state/state.h"
#include "tests/unit/boards/swarm/swarm_fixture.h"

#include <math.h>

static char s_calls[200]; /* a letter per call, small for vehicles, large for agents */
static mf_us_t s_next_us[2];
static bool s_idle, s_lost;
static const struct swarm_system *const k_none[] = {NULL};

/* ---- carriers that write down their calls */

static void note(const char *call)
{
    (void)strcat(s_calls, call);
}

static struct mf_crowd_state vehicle_state(const struct swarm *w, uint32_t i)
{
    (void)w;
    return (struct mf_crowd_state){.reached = (int32_t)i};
}

static struct mf_pose vehicle_pose(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    (void)w, (void)at_us;
    return (struct mf_pose){.lat_deg = 47.0, .lon_deg = 8.0, .alt_amsl_m = 400.0 + (double)i};
}

static void vehicle_run(struct swarm *w, mf_us_t until_us)
{
    (void)w, (void)until_us;
    note("r");
}

static mf_us_t vehicle_next(const struct swarm *w)
{
    (void)w;
    return s_next_us[0];
}

static bool vehicle_idle(const struct swarm *w)
{
    (void)w;
    note("i");
    return s_idle;
}

static uint64_t vehicle_steps(const struct swarm *w)
{
    (void)w;
    return 40;
}

static uint64_t vehicle_digest(const struct swarm *w, uint64_t digest)
{
    (void)w;
    return 10u * digest + 7u;
}

static struct swarm_vehicle_counts vehicle_count(const struct swarm *w)
{
    (void)w;
    return (struct swarm_vehicle_counts){.frozen = 1, .armed = 2, .up = 3};
}

static void vehicle_start(struct swarm *w, uint32_t from, uint32_t to, mf_us_t at_us)
{
    (void)w, (void)at_us;
    note(from == 0 && to == 2 ? "s" : "?");
}

static bool vehicle_lost(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    (void)w, (void)at_us;
    return s_lost && i == 1;
}

static float vehicle_charge(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    (void)w, (void)i, (void)at_us;
    return 0.5f;
}

static void agent_place(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m)
{
    (void)w, (void)at_us;
    neu_m[0] = neu_m[1] = neu_m[2] = (double)i;
}

static struct mf_pose agent_motion(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m)
{
    agent_place(w, i, at_us, neu_m);
    return (struct mf_pose){.vel_ned_mps = {5.0f}};
}

static void agent_visit(struct swarm *w, mf_us_t at_us, const struct mf_scenario_entity *e,
                        swarm_visit_fn *visit)
{
    (void)at_us;
    for (uint32_t i = e->first; i < e->first + e->count; i++) {
        visit(w, i, NULL);
    }
}

static void agent_run(struct swarm *w, mf_us_t until_us)
{
    (void)w, (void)until_us;
    note("R");
}

static mf_us_t agent_next(const struct swarm *w)
{
    (void)w;
    note("N");
    return s_next_us[1];
}

static uint64_t agent_steps(const struct swarm *w)
{
    (void)w;
    return 2;
}

static uint64_t agent_digest(const struct swarm *w, uint64_t digest)
{
    (void)w;
    return 10u * digest + 3u;
}

static const struct swarm_carrier k_vehicles = {.state = vehicle_state,
                                                .pose = vehicle_pose,
                                                .charge = vehicle_charge,
                                                .is_lost = vehicle_lost,
                                                .run = vehicle_run,
                                                .next_us = vehicle_next,
                                                .is_idle = vehicle_idle,
                                                .count_steps = vehicle_steps,
                                                .digest = vehicle_digest,
                                                .count_states = vehicle_count,
                                                .start = vehicle_start};
static const struct swarm_carrier k_agents = {.place = agent_place,
                                              .motion = agent_motion,
                                              .visit = agent_visit,
                                              .run = agent_run,
                                              .next_us = agent_next,
                                              .count_steps = agent_steps,
                                              .digest = agent_digest};

/* Members 0 and 1 are vehicles, 2 and 3 agents; 4 stands. */
static int begin(void **state)
{
    (void)state;
    (void)swarm_of("space: {origin: [47, 8, 400]}\nentities:\n"
                   "  - {name: v, count: 2, place: {at: [0, 0]}}\n"
                   "  - {name: a, as: agent, count: 2, place: {at: [0, 0]}}\n"
                   "  - {name: t, thing: beacon, place: {at: [3, 4]}}\n");
    s_swarm.systems = k_none;
    for (int k = 0; k < MF_SCENARIO_KINDS; k++) {
        s_swarm.members.carrier[k] = &swarm_things;
    }
    s_swarm.members.carrier[MF_SCENARIO_KIND_VEHICLE] = &k_vehicles;
    s_swarm.members.carrier[MF_SCENARIO_KIND_AGENT] = &k_agents;
    s_next_us[0] = s_next_us[1] = MF_NEVER;
    s_idle = true;
    s_lost = false;
    s_calls[0] = '\0';
    return 0;
}

/* ---- one member */

static void test_a_state_is_that_of_its_carrier(void **state)
{
    (void)state;
    assert_int_equal(swarm_state(&s_swarm, 1).reached, 1);
    assert_int_equal(swarm_state(&s_swarm, 4).reached, -1);
    assert_int_equal(swarm_state(&s_swarm, 4).landed, MF_LANDED_ON_GROUND);
}

static void test_a_place_follows_from_the_pose(void **state)
{
    double neu_m[3];
    (void)state;
    swarm_place(&s_swarm, 1, 0, neu_m);
    assert_true(neu_m[0] == 0.0 && neu_m[1] == 0.0 && neu_m[2] == 1.0);
}

static void test_a_place_is_what_its_carrier_says(void **state)
{
    double neu_m[3];
    (void)state;
    swarm_place(&s_swarm, 3, 0, neu_m);
    assert_true(neu_m[0] == 3.0 && neu_m[2] == 3.0);
}

static void test_a_motion_of_either_kind(void **state)
{
    double neu_m[3];
    (void)state;
    assert_true(swarm_motion(&s_swarm, 2, 0, neu_m).vel_ned_mps[0] == 5.0f && neu_m[0] == 2.0);
    assert_true(swarm_motion(&s_swarm, 1, 0, neu_m).alt_amsl_m == 401.0 && neu_m[2] == 1.0);
}

static void test_a_thing_stands_where_it_was_placed(void **state)
{
    double neu_m[3];
    (void)state;
    swarm_place(&s_swarm, 4, MF_SECOND_US, neu_m);
    assert_true(fabs(neu_m[0] - 3.0) < 1e-6 && fabs(neu_m[1] - 4.0) < 1e-6 && neu_m[2] == 0.0);
    assert_true(swarm_pose(&s_swarm, 4, 0).on_ground);
}

static void test_a_charge_is_unknown_without_a_battery(void **state)
{
    (void)state;
    assert_true(swarm_charge(&s_swarm, 0, 0) == 0.5f);
    assert_true(swarm_charge(&s_swarm, 2, 0) < 0.0f);
}

static void test_a_lost_vehicle_is_absent_and_away(void **state)
{
    (void)state;
    assert_false(swarm_is_absent(&s_swarm, 1, 0) || swarm_is_away(&s_swarm, 1, 0));
    s_lost = true;
    assert_true(swarm_is_lost(&s_swarm, 1, 0) && swarm_is_absent(&s_swarm, 1, 0));
    assert_true(swarm_is_away(&s_swarm, 1, 0));
    assert_false(swarm_is_lost(&s_swarm, 0, 0) || swarm_is_lost(&s_swarm, 2, 0));
}

/* ---- members of an entity */

static void count_visit(struct swarm *w, uint32_t i, const struct mf_order_port *port)
{
    (void)w, (void)port;
    note(i == 2 ? "2" : i == 3 ? "3" : "?");
}

static void test_a_visit_reaches_kinds_that_take_orders(void **state)
{
    (void)state;
    swarm_visit_all(&s_swarm, 0, count_visit);
    assert_string_equal(s_calls, "23");
}

static void test_vehicles_are_counted_by_their_carrier(void **state)
{
    (void)state;
    assert_int_equal(swarm_count_frozen(&s_swarm), 1);
    assert_int_equal(swarm_count_armed(&s_swarm), 2);
    assert_int_equal(swarm_count_in_air(&s_swarm), 3);
}

static void test_missions_begin_at_the_vehicles_carrier(void **state)
{
    (void)state;
    static struct captured s_told;
    swarm_start_members(&s_swarm, 0, 2, 0);
    assert_string_equal(s_calls, "s");
    capture(&s_told, stdout);
    swarm_costs_system.print_summary(&s_swarm);
    assert_names(captured(&s_told), "plans 2");
}

static void test_the_top_is_behind_the_last_vehicle(void **state)
{
    (void)state;
    assert_int_equal(swarm_vehicles_top(&s_scenario), 2);
}

/* ---- all members */

static void test_all_run_in_the_order_of_kinds(void **state)
{
    (void)state;
    swarm_advance(&s_swarm, 5);
    assert_string_equal(s_calls, "rR");
}

static void test_the_next_time_is_the_earliest(void **state)
{
    (void)state;
    assert_true(swarm_next_us(&s_swarm) == MF_NEVER);
    s_next_us[0] = 9;
    assert_true(swarm_next_us(&s_swarm) == 9);
    s_next_us[1] = 4;
    assert_true(swarm_next_us(&s_swarm) == 4);
}

static void test_vehicles_are_asked_last_whether_they_are_idle(void **state)
{
    (void)state;
    assert_true(swarm_is_idle(&s_swarm));
    assert_string_equal(s_calls, "Ni");
    s_next_us[1] = 4;
    s_calls[0] = '\0';
    assert_false(swarm_is_idle(&s_swarm));
    assert_string_equal(s_calls, "N");
}

static void test_steps_add_up(void **state)
{
    (void)state;
    assert_int_equal(swarm_count_steps(&s_swarm), 42);
}

static void test_the_digest_takes_kinds_in_order(void **state)
{
    (void)state;
    assert_int_equal(swarm_digest(&s_swarm), 73); /* ((0 * 10 + 7) * 10) + 3 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_state_is_that_of_its_carrier, begin),
        cmocka_unit_test_setup(test_a_place_follows_from_the_pose, begin),
        cmocka_unit_test_setup(test_a_place_is_what_its_carrier_says, begin),
        cmocka_unit_test_setup(test_a_motion_of_either_kind, begin),
        cmocka_unit_test_setup(test_a_thing_stands_where_it_was_placed, begin),
        cmocka_unit_test_setup(test_a_charge_is_unknown_without_a_battery, begin),
        cmocka_unit_test_setup(test_a_lost_vehicle_is_absent_and_away, begin),
        cmocka_unit_test_setup(test_a_visit_reaches_kinds_that_take_orders, begin),
        cmocka_unit_test_setup(test_vehicles_are_counted_by_their_carrier, begin),
        cmocka_unit_test_setup(test_missions_begin_at_the_vehicles_carrier, begin),
        cmocka_unit_test_setup(test_the_top_is_behind_the_last_vehicle, begin),
        cmocka_unit_test_setup(test_all_run_in_the_order_of_kinds, begin),
        cmocka_unit_test_setup(test_the_next_time_is_the_earliest, begin),
        cmocka_unit_test_setup(test_vehicles_are_asked_last_whether_they_are_idle, begin),
        cmocka_unit_test_setup(test_steps_add_up, begin),
        cmocka_unit_test_setup(test_the_digest_takes_kinds_in_order, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
