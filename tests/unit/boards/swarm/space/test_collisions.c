/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/space/collisions.h: instants of contacts, and velocities after a bounce, by hand.
 *
 * Two balls of 0.1 m begin 500 m up: "a" at 0 m flies north at 2 m/s, "b" stands at 3.21 m. They
 * touch when a is at 3.21 - 2 * 0.1 = 3.01 m, after 1.505 s. Rigid bodies fall; both fall alike, so
 * the contact is level. A look is each 10 ms, and a step of a body lasts 20 ms. With masses m, n
 * and restitution e, a has (m - e n) / (m + n) * 2 m/s then, and b (1 + e) m / (m + n) * 2 m/s. */
#include "boards/swarm/space/collisions.h"

#include "boards/swarm/members/bodies.h"
#include "boards/swarm/members/carrier.h"
#include "tests/unit/boards/swarm/swarm_fixture.h"
#include "world/mover_stepped.h"

#define BALL       "kind: rigid, rate: 50, radius: 0.1, mass: "
#define UP_M       500.0
#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-9)

static struct mf_engine_slot s_heap[SWARM_TIMERS + 1u];
static double s_speed_mps[3]; /* of closed-form members, to the north */

static uint32_t s_pairs; /* number of a, and of b; 0: one each */

/* ---- members: bodies of the room members/, or motion in closed form */

static double begin_north_m(uint32_t i)
{
    return i == 0 ? 0.0 : i == 1 ? 3.21 : 50.0;
}

/* @return false: the member lacks a body */
static bool place_of_body(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m)
{
    const struct mf_stepped_settings *made;
    const struct mf_stepped *body = swarm_body(w, i, &made);
    if (body == NULL) {
        return false;
    }
    const struct mf_vec3 at_m = mf_stepped_at(body, made, at_us).pos_m;
    neu_m[0] = at_m.x;
    neu_m[1] = at_m.y;
    neu_m[2] = -at_m.z;
    return true;
}

static void place(const struct swarm *w, uint32_t i, mf_us_t at_us, double *neu_m)
{
    double of_a[3] = {0.0, 0.0, UP_M};
    if (place_of_body(w, i, at_us, neu_m)) {
        return;
    }
    if (s_pairs > 0) {
        const double left_m = 0.01 - 2e-6 * (double)at_us;
        memcpy(neu_m, (double[]){10.0 * (i - s_pairs) + 0.2 + left_m, 0.0, UP_M}, sizeof of_a);
        return;
    }
    if (i == 1) { /* b falls next to a */
        (void)place_of_body(w, 0, at_us, of_a);
    }
    neu_m[0] = begin_north_m(i) + s_speed_mps[i] * (double)at_us * 1e-6;
    neu_m[1] = 0.0;
    neu_m[2] = of_a[2];
}

static const struct swarm_carrier k_members = {.place = place};

/* Two members with these bodies, and a file of contacts. @param space  keys of space.collisions */
static void begin(const char *body_a, const char *body_b, const char *space)
{
    char text[1024];
    (void)snprintf(
        text, sizeof text,
        "time: {end: 9}\nspace: {collisions: {every: 0.01%s}}\noutputs: {contacts: met.csv}\n"
        "entities:\n  - {name: a, as: agent, place: [0, 0, 500], body: {%s}}\n"
        "  - {name: b, as: agent, place: [3.21, 0, 500], body: {%s}}\n",
        space, body_a, body_b);
    struct swarm *w = swarm_of(text);
    for (int k = 0; k < MF_SCENARIO_KINDS; k++) {
        w->members.carrier[k] = &k_members;
    }
    mf_engine_init(&w->engine, s_heap, SWARM_TIMERS);
    if (swarm_bodies_system.on[SWARM_PREPARE](w) != SWARM_OK ||
        swarm_collisions_system.on[SWARM_PREPARE](w) != SWARM_OK ||
        swarm_collisions_system.on[SWARM_BEGIN](w) != SWARM_OK) {
        fail_msg("%s", w->error);
    }
    memset(s_speed_mps, 0, sizeof s_speed_mps);
    for (uint32_t i = 0; i < w->scenario->members; i++) {
        const struct mf_stepped_settings *made;
        struct mf_stepped *body = swarm_body(w, i, &made);
        if (body != NULL) {
            mf_stepped_begin(body, made, (struct mf_vec3){begin_north_m(i), 0.0, -UP_M}, 0.0, 0.0);
        }
    }
}

static void throw_north(uint32_t i, double speed_mps)
{
    const struct mf_stepped_settings *made;
    struct mf_stepped *body = swarm_body(&s_swarm, i, &made);
    assert_non_null(body);
    mf_stepped_push(body, made, 0, (struct mf_vec3){0.0, 0.0, 0.0},
                    (struct mf_vec3){speed_mps, 0.0, 0.0});
}

/* Let the members move, look by look. */
static void run_until(mf_us_t end_us)
{
    struct mf_order order;
    while (mf_engine_next(&s_swarm.engine, &order) && order.at_us <= end_us) {
        for (uint32_t i = 0; i < s_scenario.members; i++) {
            const struct mf_stepped_settings *made;
            struct mf_stepped *body = swarm_body(&s_swarm, i, &made);
            while (body != NULL && mf_stepped_next(body, made) <= order.at_us) {
                mf_stepped_step(body, made);
            }
        }
        mf_engine_step(&s_swarm.engine);
        s_swarm.now_us = order.at_us;
    }
}

static double north_mps(uint32_t i)
{
    const struct mf_stepped_settings *made;
    const struct mf_stepped *body = swarm_body(&s_swarm, i, &made);
    assert_non_null(body);
    return mf_stepped_at(body, made, s_swarm.now_us).vel_mps.x;
}

static double north_m(uint32_t i)
{
    double neu_m[3];
    place(&s_swarm, i, s_swarm.now_us, neu_m);
    return neu_m[0];
}

static void told_once(mf_us_t at_us)
{
    struct swarm_collision c = {0};
    assert_true(swarm_collisions_next(&s_swarm, &c));
    assert_true(c.at_us + 1u >= at_us &&
                c.at_us <= at_us + 1u); /* a root of a quadratic, rounded */
    assert_int_equal(c.i, 0);
    assert_int_equal(c.with, 1);
    assert_false(swarm_collisions_next(&s_swarm, &c));
}

/* ---- tests */

/* SBE-08: equal masses, e = 1: they change their velocities. */
static void test_equal_balls_change_their_velocities(void **state)
{
    (void)state;
    begin(BALL "1", BALL "1", "");
    throw_north(0, 2.0);
    run_until(1500000);
    NEAR(north_mps(0), 2.0);
    run_until(2500000);
    NEAR(north_mps(0), 0.0);
    NEAR(north_mps(1), 2.0);
    told_once(1505000);
}

/* SBE-08: m = 1, n = 3, e = 1: (1 - 3) / 4 * 2 = -1 and 2 / 4 * 2 = 1; m = 3, n = 1: 1 and 3. */
static void test_the_lighter_ball_changes_more(void **state)
{
    (void)state;
    begin(BALL "1", BALL "3", "");
    throw_north(0, 2.0);
    run_until(2500000);
    NEAR(north_mps(0), -1.0);
    NEAR(north_mps(1), 1.0);
    begin(BALL "3", BALL "1", "");
    throw_north(0, 2.0);
    run_until(2500000);
    NEAR(north_mps(0), 1.0);
    NEAR(north_mps(1), 3.0);
}

/* SBE-08: e = 0: both 1 / 2 * 2 = 1; e = 0.5, m = 1, n = 3: (1 - 1.5) / 4 * 2 = -0.25, 1.5 / 4 * 2
 * = 0.75.
 */
static void test_restitution_is_the_part_of_the_speed_that_comes_back(void **state)
{
    (void)state;
    begin(BALL "1", BALL "1", ", restitution: 0");
    throw_north(0, 2.0);
    run_until(1600000);
    NEAR(north_mps(0), 1.0);
    NEAR(north_mps(1), 1.0);
    begin(BALL "1", BALL "3", ", restitution: 0.5");
    throw_north(0, 2.0);
    run_until(1600000);
    NEAR(north_mps(0), -0.25);
    NEAR(north_mps(1), 0.75);
}

/* Bodies that close at 2.2 m/s touch after 3.01 / 2.2 = 1.368182 s, 8.182 ms into a look of 10 ms.
 * After 1.87 s, 0.501818 s later, they are where the new velocities lead from the contact, as
 * without looks: a with (1 - 3) / 4 * 2.2 = -1.1 m/s at 3.01 - 1.1 * 0.501818 = 2.458 m, b
 * with 1.1 m/s at 3.21 + 1.1 * 0.501818 = 3.762 m. */
static void test_a_bounce_within_a_look_is_at_its_own_instant(void **state)
{
    (void)state;
    begin(BALL "1", BALL "3", "");
    throw_north(0, 2.2);
    run_until(1870000);
    assert_true(fabs(north_m(0) - 2.458) < 3e-6); /* a contact is known to 1 us, at 2.2 m/s */
    assert_true(fabs(north_m(1) - 3.762) < 3e-6);
    struct swarm_collision c = {0};
    assert_true(swarm_collisions_next(&s_swarm, &c));
    assert_true(c.at_us >= 1368181 && c.at_us <= 1368183);
}

/* SBE-08: b has a motion in closed form, which nothing pushes: a wall that falls next to a. With e
 * = 0.5 a comes back at half its speed, -1 m/s; b stays. */
static void test_a_body_in_closed_form_is_a_wall(void **state)
{
    (void)state;
    begin(BALL "1", "radius: 0.1", ", restitution: 0.5");
    throw_north(0, 2.0);
    run_until(2500000);
    NEAR(north_mps(0), -1.0);
    NEAR(north_m(1), 3.21);
    assert_true(fabs(north_m(0) - 2.015) < 3e-6); /* 3.01 m - 1 m/s * 0.995 s */
    told_once(1505000);
    assert_true(swarm_body_mass_kg(&s_swarm, 0) > 0.0);
    assert_true(swarm_body_mass_kg(&s_swarm, 1) <= 0.0);
}

/* The wall comes at 2 m/s against a, which only falls: they touch after 1.505 s, and part at the
 * speed at which they closed (e = 1), so a flies before the wall at 4 m/s. */
static void test_a_moving_wall_pushes_a_ball(void **state)
{
    (void)state;
    begin(BALL "1", "radius: 0.1", "");
    s_speed_mps[1] = -2.0;
    run_until(1600000);
    NEAR(north_mps(0), -4.0);
    told_once(1505000);
}

/* Two in closed form fly through each other, and contacts.c has their contacts. */
static void test_two_in_closed_form_do_not_collide(void **state)
{
    struct swarm_collision c;
    (void)state;
    begin("radius: 0.1", "radius: 0.1", "");
    s_speed_mps[0] = 2.0;
    run_until(2500000);
    assert_false(swarm_collides(&s_swarm, 0, 1));
    assert_false(swarm_collisions_next(&s_swarm, &c));
    begin("radius: 0.1", BALL "1", "");
    assert_true(swarm_collides(&s_swarm, 0, 1));
}

/* a flies after b, which is faster: 2 and 3 m/s north. */
static void test_balls_that_part_do_not_collide(void **state)
{
    struct swarm_collision c;
    (void)state;
    begin(BALL "1", BALL "1", "");
    throw_north(0, 2.0);
    throw_north(1, 3.0);
    run_until(3000000);
    NEAR(north_mps(0), 2.0);
    NEAR(north_mps(1), 3.0);
    assert_false(swarm_collisions_next(&s_swarm, &c));
}

/* The look of 1.51 s finds the contact of 1.505 s. */
static void test_a_member_knows_its_last_collision(void **state)
{
    uint32_t with = 9;
    (void)state;
    begin(BALL "1", BALL "1", "");
    throw_north(0, 2.0);
    run_until(1500000);
    assert_false(swarm_collision_since(&s_swarm, 0, 0, &with));
    run_until(1600000);
    assert_true(swarm_collision_since(&s_swarm, 0, 1510000, &with));
    assert_int_equal(with, 1);
    assert_true(swarm_collision_since(&s_swarm, 1, 1510000, &with));
    assert_int_equal(with, 0);
    assert_false(swarm_collision_since(&s_swarm, 0, 1510001, &with));
}

/* A billiard shot: b is 0.12 m off the way of a, radii together 0.2 m. At the contact the line
 * of centres is 0.16 m north, 0.12 m east, so (0.8, 0.6); of 2 m/s 1.6 m/s are along it. Equal
 * masses, e = 1: b flies with 1.6 * (0.8, 0.6) = (1.28, 0.96) m/s, a with (0.72, -0.96) m/s. The
 * contact is when a is 3.21 - 0.16 = 3.05 m north, after 1.525 s. */
static void test_a_bounce_off_the_side(void **state)
{
    const struct mf_stepped_settings *made;
    (void)state;
    begin(BALL "1", BALL "1", "");
    struct mf_stepped *a = swarm_body(&s_swarm, 0, &made), *b = swarm_body(&s_swarm, 1, &made);
    mf_stepped_begin(b, made, (struct mf_vec3){3.21, 0.12, -UP_M}, 0.0, 0.0);
    throw_north(0, 2.0);
    run_until(2000000);
    const struct mf_vec3 va = mf_stepped_at(a, made, 2000000).vel_mps,
                         vb = mf_stepped_at(b, made, 2000000).vel_mps;
    assert_true(fabs(va.x - 0.72) < 2e-5 && fabs(va.y + 0.96) < 2e-5);
    assert_true(fabs(vb.x - 1.28) < 2e-5 && fabs(vb.y - 0.96) < 2e-5);
    told_once(1525000);
}

/* 66,000 balls 10 m apart, and as many walls that come to them at 2 m/s from 10 mm: each pair
 * touches after 5 ms. One look of 10 ms finds all, and the file of contacts gets each. */
static void test_a_look_has_as_many_collisions_as_there_are(void **state)
{
    struct swarm_collision c;
    uint32_t told = 0;
    (void)state;
    s_pairs = 66000;
    begin(BALL "1}, count: 66000, behaviour: {kind: none",
          "radius: 0.1}, count: 66000, behaviour: {kind: none", "");
    for (uint32_t i = 0; i < s_pairs; i++) {
        const struct mf_stepped_settings *made;
        struct mf_stepped *body = swarm_body(&s_swarm, i, &made);
        mf_stepped_begin(body, made, (struct mf_vec3){10.0 * i, 0.0, -UP_M}, 0.0, 0.0);
    }
    run_until(10000);
    s_pairs = 0;
    for (; swarm_collisions_next(&s_swarm, &c); told++) {
        assert_int_equal(c.i, told);
        assert_int_equal(c.with, 66000 + told);
    }
    assert_int_equal(told, 66000);
}

static void test_without_the_key_nobody_collides(void **state)
{
    struct swarm_collision c;
    (void)state;
    struct swarm *w =
        swarm_of("time: {end: 9}\nentities:\n  - {name: a, as: agent, body: {" BALL "1}}\n");
    assert_int_equal(swarm_collisions_system.on[SWARM_PREPARE](w), SWARM_OK);
    assert_false(swarm_collides(w, 0, 0));
    assert_false(swarm_collisions_next(w, &c));
    assert_int_equal(swarm_collisions_system.count_watches(w), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_balls_change_their_velocities),
        cmocka_unit_test(test_the_lighter_ball_changes_more),
        cmocka_unit_test(test_restitution_is_the_part_of_the_speed_that_comes_back),
        cmocka_unit_test(test_a_bounce_within_a_look_is_at_its_own_instant),
        cmocka_unit_test(test_a_body_in_closed_form_is_a_wall),
        cmocka_unit_test(test_a_moving_wall_pushes_a_ball),
        cmocka_unit_test(test_two_in_closed_form_do_not_collide),
        cmocka_unit_test(test_balls_that_part_do_not_collide),
        cmocka_unit_test(test_a_member_knows_its_last_collision),
        cmocka_unit_test(test_a_bounce_off_the_side),
        cmocka_unit_test(test_a_look_has_as_many_collisions_as_there_are),
        cmocka_unit_test(test_without_the_key_nobody_collides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
