/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/search/search.c: from the keys of a team and of objects to the settings of a search,
 * and what is refused. Keys are north, east, up; a search has east, north, up. */
#include "boards/swarm/search/search.h"

#include "boards/swarm/search/team.h"
#include "tests/unit/boards/swarm/swarm_fixture.h"

#define SPACE \
    "time: {step: 0.01, end: 60}\nspace:\n  boundary: [[0, 0], [300, 0], [300, 200], [0, 200]]\n"
#define TEAM \
    "  - {name: uav, count: 2, as: agent, place: {list: [[10, 20, 3], [30, 40]]}, " BODY "}\n"
#define AHEAD \
    "  - {name: uav, as: agent, seeks: shark, body: {kind: thrust, area: 0.1, forward: 40}}\n"
#define BODY  "seeks: shark, body: {kind: thrust}"
#define SHARK "  - {name: shark, thing: object, place: [100, 150, -3], velocity: [1, 0.5]}\n"
#define PLAN  "plan: {kind: bcd, altitude: 29, speed: 15}\n"

static int prepare(const char *text)
{
    return swarm_search_system.on[SWARM_PREPARE](swarm_of(text));
}

static const struct team *must_prepare(const char *text)
{
    if (prepare(text) != SWARM_OK) {
        fail_msg("%s", s_swarm.error);
    }
    return (const struct team *)swarm_steps_of(&s_swarm);
}

static void must_refuse(const char *text, const char *data)
{
    assert_int_equal(prepare(text), SWARM_INPUT);
    assert_names(s_swarm.error, data);
}

static bool is(double a, double b)
{
    return fabs(a - b) < 1e-6;
}

static void test_members_begin_at_their_places(void **state)
{
    (void)state;
    const struct team *t = must_prepare(SPACE "entities:\n" TEAM SHARK PLAN);
    assert_int_equal(t->settings.member_count, 2);
    const struct mf_enu a = t->member[0].begin_m, b = t->member[1].begin_m;
    assert_true(is((double)a.e, 20.0) && is((double)a.n, 10.0) && is((double)a.u, 3.0));
    assert_true(is((double)b.e, 40.0) && is((double)b.n, 30.0) && is((double)b.u, 0.0));
    assert_int_equal(t->number[1], 1);
    assert_true(t->member[0].identity != t->member[1].identity);
}

static void test_an_area_has_the_corners_of_the_boundary(void **state)
{
    (void)state;
    const struct team *t = must_prepare(SPACE "  station: [5, 6, 7]\nentities:\n" TEAM SHARK PLAN);
    assert_int_equal(t->settings.corner_count, 4);
    assert_true(is(t->corner[1].n, 300.0) && is(t->corner[1].e, 0.0));
    assert_true(is(t->corner[3].n, 0.0) && is(t->corner[3].e, 200.0));
    assert_true(is((double)t->settings.station.e, 6.0) && is((double)t->settings.station.n, 5.0) &&
                is((double)t->settings.station.u, 7.0));
    assert_true(is(t->settings.altitude_m, 29.0) && is(t->settings.speed_mps, 15.0) &&
                is(t->settings.step_s, 0.01));
    assert_int_equal(t->settings.plan, MF_SEARCH_BCD);
}

static void test_an_object_has_its_place_height_and_velocity(void **state)
{
    (void)state;
    const struct team *t = must_prepare(
        SPACE "entities:\n" TEAM SHARK "  - {name: rock, count: 2, thing: object, place: {list: "
              "[[50, 60], [70, 80]]}, speed: 0, height: -1}\n" PLAN);
    bool spotted = true;
    assert_int_equal(t->objects, 3);
    const struct mf_search_start s = t->start[0], r = t->start[2];
    assert_true(s.placed && s.moving);
    assert_true(is((double)s.at_m.e, 150.0) && is((double)s.at_m.n, 100.0) &&
                is((double)s.at_m.u, -3.0));
    assert_true(is((double)s.vel_mps.e, 0.5) && is((double)s.vel_mps.n, 1.0));
    assert_true(r.placed && !r.moving);
    assert_true(is((double)r.at_m.e, 80.0) && is((double)r.at_m.n, 70.0) &&
                is((double)r.at_m.u, -1.0));
    assert_int_equal(t->object_number[2], 4); /* behind two of the team and the shark */
    const struct mf_en at = mf_search_object(t->search, 0, &spotted);
    assert_true(is(at.e, 150.0) && is(at.n, 100.0) && !spotted);
}

/* The object has moved 2 s * (1, 0.5) m/s after 200 steps of 0.01 s. */
static void test_an_object_moves_straight_on(void **state)
{
    bool spotted;
    (void)state;
    const struct team *t = must_prepare(SPACE "entities:\n" TEAM SHARK PLAN);
    assert_int_equal(swarm_search_system.on[SWARM_BEGIN](&s_swarm), SWARM_OK);
    for (uint32_t k = 0; k < 200; k++) {
        assert_true(t->steps.ops->run_step((struct swarm_steps *)swarm_steps_of(&s_swarm), 0));
    }
    assert_int_equal(t->steps.ops->count(&t->steps), 200);
    const struct mf_en at = mf_search_object(t->search, 0, &spotted);
    assert_true(fabs(at.n - 102.0) < 1e-3 && fabs(at.e - 151.0) < 1e-3);
    assert_true(is(mf_search_object_up_m(t->search, 0), -3.0));
}

static void test_an_object_without_a_place_is_somewhere_in_the_area(void **state)
{
    bool spotted;
    (void)state;
    const struct team *t = must_prepare(
        SPACE "entities:\n" TEAM
              "  - {name: shark, count: 40, thing: object, speed: 1, place: boundary}\n" PLAN);
    double south = 300.0, west = 200.0, north = 0.0, east = 0.0;
    assert_int_equal(t->objects, 40);
    assert_false(t->start[39].placed);
    for (size_t i = 0; i < 40; i++) {
        const struct mf_en at = mf_search_object(t->search, i, &spotted);
        south = fmin(south, at.n), north = fmax(north, at.n);
        west = fmin(west, at.e), east = fmax(east, at.e);
    }
    assert_true(south >= 0.0 && north <= 300.0 && west >= 0.0 && east <= 200.0);
    assert_true(north - south > 150.0 &&
                east - west > 100.0); /* 40 that lie closer: a chance of 8e-11 */
}

/* Members seek a type: shark is the type of two entities, whose kind is the first's. */
static void test_objects_of_a_type_are_one_kind(void **state)
{
    (void)state;
    const struct team *t = must_prepare(
        SPACE "entities:\n" TEAM "  - {name: rock, thing: object, place: [9, 9], speed: 0}\n"
              "  - {name: bruce, thing: object, type: shark, place: [100, 150], speed: 0}\n"
              "  - {name: pack, count: 2, thing: object, type: shark, place: {list: [[1, 2], [3, "
              "4]]}, speed: 0}\n" PLAN);
    assert_int_equal(t->settings.object_kinds, 3);
    assert_int_equal(t->object[0].kind, 1); /* entities count from the team, 0 */
    assert_int_equal(t->object[1].kind, 2);
    assert_int_equal(t->object[2].kind, 2);
    assert_int_equal(t->object[2].count, 2);
    assert_int_equal(t->member[1].seeks, 2);
}

static void test_the_last_member_visits_unless_the_plan_names_others(void **state)
{
    (void)state;
    const struct team *t = must_prepare(SPACE "entities:\n" TEAM SHARK
                                              "plan: {kind: bdbcd, altitude: 29, speed: 15}\n");
    assert_false(t->member[0].visits);
    assert_true(t->member[1].visits);
    t = must_prepare(SPACE "entities:\n" TEAM SHARK
                           "plan: {kind: bdbcd, altitude: 29, speed: 15, base: uav.1}\n");
    assert_true(t->member[0].visits);
    assert_false(t->member[1].visits);
}

static void test_plans_that_lack_an_area_or_a_team(void **state)
{
    (void)state;
    must_refuse("time: {end: 9}\nentities:\n" TEAM SHARK PLAN, "test.yaml:6 plan space.boundary");
    must_refuse(SPACE "entities:\n" SHARK PLAN, "test.yaml:7 plan");
    must_refuse(SPACE "entities:\n  - {name: uav, as: agent, " BODY "}\n" SHARK
                      "plan: {kind: bdbcd, altitude: 29, speed: 15}\n",
                "test.yaml:8 plan");
    must_refuse(SPACE "entities:\n" TEAM SHARK
                      "plan: {kind: bdbcd, altitude: 29, speed: 15, base: [uav.1, uav.2]}\n",
                "test.yaml:8 plan base");
    must_refuse(SPACE "entities:\n" TEAM SHARK
                      "plan: {kind: bdbcd, altitude: 29, speed: 15, base: shark}\n",
                "test.yaml:8 plan base shark");
}

static void test_members_that_do_not_belong_into_a_team(void **state)
{
    (void)state;
    must_refuse(SPACE "entities:\n  - {name: x, as: agent}\n" SHARK PLAN,
                "test.yaml:6 x thing: object");
    must_refuse(SPACE "entities:\n" TEAM "  - {name: x, as: vehicle, body: constant}\n" SHARK PLAN,
                "test.yaml:7 x");
    must_refuse(SPACE "entities:\n  - {name: x, as: agent, behaviour: walk, " BODY "}\n" SHARK PLAN,
                "test.yaml:6 x plan");
    must_refuse(SPACE "entities:\n  - {name: x, as: agent, place: {geo: [47, 8, 0]}, " BODY
                      "}\n" SHARK PLAN,
                "test.yaml:6 x place");
    must_refuse(SPACE "entities:\n" TEAM
                      "  - {name: shark, thing: object, place: {geo: [47, 8, 0]}, speed: 0}\n" PLAN,
                "test.yaml:7 shark place");
    must_refuse(
        SPACE
        "entities:\n  - {name: x, as: agent, seeks: whale, body: {kind: thrust}}\n" SHARK PLAN,
        "test.yaml:6 x seeks whale");
}

/* A weight of 2 kg * 9.81 m/s2 = 19.62 N. A thrust of 40 N ahead equals the drag of 0.5 * 1.225 *
 * 1.2 * 0.1 * v^2 N at v = sqrt(40 / 0.0735) = 23.33 m/s. */
static void test_a_body_that_cannot_fly_the_plan(void **state)
{
    (void)state;
    must_refuse(SPACE "entities:\n  - {name: x, as: agent, seeks: shark, body: {kind: thrust, "
                      "mass: 2, up: 19}}\n" SHARK PLAN,
                "test.yaml:6 x body.up 19 19.62");
    (void)must_prepare(SPACE "entities:\n  - {name: x, as: agent, seeks: shark, body: {kind: "
                             "thrust, mass: 2, up: 20}}\n" SHARK PLAN);
    must_refuse(SPACE "entities:\n" AHEAD SHARK "plan: {kind: bcd, altitude: 29, speed: 23.4}\n",
                "plan.speed 23.4 23.33 uav 40");
    (void)must_prepare(SPACE "entities:\n" AHEAD SHARK
                             "plan: {kind: bcd, altitude: 29, speed: 23.3}\n");
    must_refuse(SPACE "  weather: {wind: [100, 0]}\nentities:\n" TEAM SHARK PLAN,
                "space.weather.wind uav 100");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_begin_at_their_places),
        cmocka_unit_test(test_an_area_has_the_corners_of_the_boundary),
        cmocka_unit_test(test_an_object_has_its_place_height_and_velocity),
        cmocka_unit_test(test_an_object_moves_straight_on),
        cmocka_unit_test(test_an_object_without_a_place_is_somewhere_in_the_area),
        cmocka_unit_test(test_objects_of_a_type_are_one_kind),
        cmocka_unit_test(test_the_last_member_visits_unless_the_plan_names_others),
        cmocka_unit_test(test_plans_that_lack_an_area_or_a_team),
        cmocka_unit_test(test_members_that_do_not_belong_into_a_team),
        cmocka_unit_test(test_a_body_that_cannot_fly_the_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
