/* SPDX-License-Identifier: Apache-2.0 */
/* world/mover_body.h: SBE-13: bounces, forces of a list, what obeys a velocity; by hand. */
#include "world/mover_body.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define GRAVITY 9.80665
#define STEP_S  (1.0 / 60.0)

static void assert_near(double got, double want, double tol)
{
    if (!(fabs(got - want) <= tol)) {
        fail_msg("got %.12g, want %.12g", got, want);
    }
}

static struct mf_mover_body_settings ball(double restitution)
{
    return (struct mf_mover_body_settings){.mass_kg = 2.0,
                                           .inertia_kgm2 = {0.02, 0.02, 0.02},
                                           .radius_m = 0.25,
                                           .restitution = restitution,
                                           .gravity_mps2 = GRAVITY};
}

static struct mf_mover_body at(double up_m)
{
    return (struct mf_mover_body){
        .rigid = {.attitude = {1.0, 0.0, 0.0, 0.0}, .pos_m = {0.0, 0.0, -up_m}}};
}

/* Time 0 on, on ground at 0. @return time */
static double run(struct mf_mover_body *b, const struct mf_mover_body_settings *s,
                  const struct mf_body_told *told, double from_s, double until_s)
{
    const int steps = (int)((until_s - from_s) / STEP_S + 0.5);
    for (int i = 0; i < steps; i++) {
        mf_mover_body_step(b, s, told, from_s + i * STEP_S, STEP_S);
    }
    return until_s;
}

/* Dropped from 10 m below its lower side: it meets the ground after sqrt(2 h / g), then flies for
 * 2 e^n v / g each time. At 4 s it is in its second flight. */
static void test_sbe13_a_ball_bounces_by_the_closed_form(void **state)
{
    (void)state;
    const struct mf_body_told told = {0};
    const struct mf_mover_body_settings s = ball(0.8);
    struct mf_mover_body b = at(10.25);
    b.rigid.vel_mps.x = 1.5;
    (void)run(&b, &s, &told, 0.0, 4.0);
    const double v = sqrt(2.0 * GRAVITY * 10.0), first_s = v / GRAVITY;
    const double second_s = first_s + 2.0 * 0.8 * v / GRAVITY;
    const double in_s = 4.0 - second_s, up_mps = 0.64 * v;
    assert_int_equal(b.contacts, 2);
    assert_near(-b.rigid.pos_m.z, 0.25 + up_mps * in_s - 0.5 * GRAVITY * in_s * in_s, 1e-6);
    assert_near(-b.rigid.vel_mps.z, up_mps - GRAVITY * in_s, 1e-6);
    assert_near(b.rigid.pos_m.x, 6.0, 1e-6);
    /* all flights together: (1 + e) / (1 - e) v / g = 12.85 s */
    (void)run(&b, &s, &told, 4.0, 14.0);
    assert_true(b.standing);
    assert_near(-b.rigid.pos_m.z, 0.25, 0.0);
    assert_near(b.rigid.vel_mps.x, 0.0, 0.0);
    assert_near(b.rigid.specific_force_mps2.z, -GRAVITY, 0.0);
    assert_true(mf_mover_body_rests(&b, &s, &told, 14.0));
}

/* With all of its speed given back it rises to where it began: energy after 1000 s, 350 bounces. */
static void test_sbe13_an_elastic_ball_keeps_its_energy(void **state)
{
    (void)state;
    const struct mf_body_told told = {0};
    const struct mf_mover_body_settings s = ball(1.0);
    struct mf_mover_body b = at(10.25);
    (void)run(&b, &s, &told, 0.0, 1000.0);
    const double v = b.rigid.vel_mps.z;
    const double energy = GRAVITY * (-b.rigid.pos_m.z - 0.25) + 0.5 * v * v;
    assert_near(energy / (GRAVITY * 10.0), 1.0, 1e-6);
    assert_int_equal(b.contacts, 350); /* 1 + (1000 - 1.42808) / 2.85616 */
}

/* A push of 3 N for 2 s: 3 m/s, then it coasts; an impulse of 4 N s stops it, and more. */
static void test_sbe13_pushes_and_impulses_act_in_their_time(void **state)
{
    (void)state;
    const struct mf_body_told told = {.ground_m = 1e6};
    struct mf_mover_body_settings s = ball(0.0);
    s.gravity_mps2 = 0.0;
    s.forces = 2;
    s.force[0] = (struct mf_body_force){
        .kind = MF_BODY_FORCE_PUSH, .vector = {3.0, 0.0, 0.0}, .from_s = 1.0, .until_s = 3.0};
    s.force[1] = (struct mf_body_force){
        .kind = MF_BODY_FORCE_IMPULSE, .vector = {0.0, 0.0, -4.0}, .from_s = 3.0};
    struct mf_mover_body b = at(0.0);
    double t = run(&b, &s, &told, 0.0, 1.0);
    assert_near(b.rigid.vel_mps.x, 0.0, 0.0);
    t = run(&b, &s, &told, t, 3.0);
    assert_near(b.rigid.vel_mps.x, 3.0, 1e-9);
    assert_near(b.rigid.pos_m.x, 3.0, 1e-9);
    (void)run(&b, &s, &told, t, 4.0);
    assert_near(b.rigid.pos_m.x, 6.0, 1e-9);
    assert_near(b.rigid.vel_mps.z, 2.0, 1e-9); /* down */
}

/* 5 N at 0.1 m to the right, forward: a yaw of -0.5 N m over 0.02 for 1 s is -25 rad/s. */
static void test_a_push_beside_the_centre_turns_it(void **state)
{
    (void)state;
    const struct mf_body_told told = {.ground_m = 1e6};
    struct mf_mover_body_settings s = ball(0.0);
    s.forces = 1;
    s.force[0] = (struct mf_body_force){.kind = MF_BODY_FORCE_PUSH,
                                        .vector = {5.0, 0.0, 0.0},
                                        .with_body = true,
                                        .at_m = {0.0, 0.1, 0.0},
                                        .until_s = 10.0};
    struct mf_mover_body b = at(0.0);
    (void)run(&b, &s, &told, 0.0, 1.0);
    assert_near(b.rigid.rate_rps.z, -25.0, 1e-9);
    assert_near(b.rigid.rate_rps.x, 0.0, 1e-9);
}

/* 0.5 * 1.225 * 0.4 * v^2 is the weight of 2 kg at 8.9477 m/s; the wind takes it along. */
static void test_drag_ends_a_fall(void **state)
{
    (void)state;
    const struct mf_body_told told = {.ground_m = 1e6, .wind_mps = {3.0, 0.0, 0.0}};
    struct mf_mover_body_settings s = ball(0.0);
    s.forces = 1;
    s.force[0] = (struct mf_body_force){.kind = MF_BODY_FORCE_DRAG, .area_m2 = 0.4, .until_s = 1e9};
    struct mf_mover_body b = at(0.0);
    (void)run(&b, &s, &told, 0.0, 60.0);
    assert_near(b.rigid.vel_mps.z, sqrt(2.0 * GRAVITY / (0.5 * 1.225 * 0.4)), 1e-6);
    assert_near(b.rigid.vel_mps.x, 3.0, 1e-6);
}

static struct mf_space *wall(struct mf_space *space, const double size_m[3], double north_m)
{
    const struct mf_solid solid = {.kind = MF_SOLID_BOX,
                                   .heading = {1.0, 0.0},
                                   .at_neu_m = {north_m + 0.5 * size_m[0], 0.0, 0.0},
                                   .size_m = {size_m[0], size_m[1], size_m[2]}};
    mf_space_init(space, 1, malloc(mf_space_bytes(1)));
    assert_int_equal(mf_space_add_solid(space, 1, &solid), 0);
    mf_space_build(space);
    return space;
}

/* 10 m/s against a wall 20 m away: after (20 - 0.25) / 10 = 1.975 s it goes back with half of it.
 */
static void test_sbe13_a_wall_gives_back_a_part(void **state)
{
    (void)state;
    double size[3] = {0.001, 100.0, 100.0};
    struct mf_space space;
    const struct mf_body_told told = {.ground_m = 1e6};
    struct mf_mover_body_settings s = ball(0.5);
    s.gravity_mps2 = 0.0;
    s.space = wall(&space, size, 20.0);
    struct mf_mover_body b = at(50.0);
    b.rigid.vel_mps = (struct mf_vec3){10.0, 2.0, 0.0};
    (void)run(&b, &s, &told, 0.0, 4.0);
    assert_near(b.rigid.vel_mps.x, -5.0, 1e-6);
    assert_near(b.rigid.vel_mps.y, 2.0, 1e-6);
    assert_near(b.rigid.pos_m.x, 19.75 - 5.0 * 2.025, 1e-6);
    assert_near(b.rigid.pos_m.y, 8.0, 1e-6);
    assert_near(b.met_s, 1.975, 1e-6);
    assert_int_equal(b.met, 1);
    free(space.part);
}

/* What presses against a wall does not go through it, and slides along; on a roof it comes to rest.
 */
static void test_it_slides_along_a_wall_and_rests_on_a_roof(void **state)
{
    (void)state;
    double size[3] = {10.0, 1000.0, 30.0};
    struct mf_space space;
    const struct mf_body_told told = {0};
    struct mf_mover_body_settings s = ball(0.3);
    s.space = wall(&space, size, 20.0);
    s.forces = 1;
    s.force[0] = (struct mf_body_force){
        .kind = MF_BODY_FORCE_PUSH, .vector = {4.0, 2.0, 2.0 * GRAVITY}, .until_s = 20.0};
    struct mf_mover_body b = at(10.0);
    (void)run(&b, &s, &told, 0.0, 20.0);
    assert_near(b.rigid.pos_m.x, 19.75, 1e-5);
    assert_near(b.rigid.pos_m.y, 0.5 * 1.0 * 400.0, 1e-3); /* nothing rubs */
    assert_near(b.rigid.pos_m.z, -10.0, 1e-6);
    /* it bounces for sqrt(19.75) (1 + 2 * 0.3 / 0.7) = 8.25 s, then touches on */
    assert_true(b.met_s > 7.0 && b.met_s < 8.3);
    assert_true(b.touches_s > 19.9);
    s.forces = 0;
    b = at(40.0);
    b.rigid.pos_m.x = 25.0;
    (void)run(&b, &s, &told, 0.0, 10.0);
    assert_true(b.standing);
    assert_near(b.rigid.pos_m.z, -30.25, 1e-6);
    free(space.part);
}

/* 4 per second: a velocity is met within e^-4t; it is upright with its heading again. */
static void test_sbe13_what_follows_obeys_velocities(void **state)
{
    (void)state;
    struct mf_body_told told = {
        .ground_m = 1e6, .works = true, .want_mps = {3.0, 0.0, -1.0}, .yaw_rad = 1.0};
    struct mf_mover_body_settings s = ball(0.0);
    s.forces = 1;
    s.force[0] = (struct mf_body_force){
        .kind = MF_BODY_FORCE_FOLLOW, .most_n = 1000.0, .gain_per_s = 4.0, .until_s = 1e9};
    assert_non_null(mf_mover_body_follows(&s));
    struct mf_mover_body b = at(0.0);
    b.rigid.attitude[0] = 0.8;
    b.rigid.attitude[1] = 0.6;
    (void)run(&b, &s, &told, 0.0, 1.0);
    assert_near(b.rigid.vel_mps.x, 3.0 * (1.0 - exp(-4.0)), 1e-3);
    (void)run(&b, &s, &told, 1.0, 8.0);
    assert_near(b.rigid.vel_mps.x, 3.0, 1e-6);
    assert_near(b.rigid.vel_mps.z, -1.0, 1e-6);
    assert_near(2.0 * atan2(b.rigid.attitude[3], b.rigid.attitude[0]), 1.0, 1e-6);
    assert_near(b.rigid.attitude[1], 0.0, 1e-6);
    /* 25 N: the weight is 19.6 N, and what is left along the way is not all of it */
    s.force[0].most_n = 25.0;
    told.want_mps.x = 1000.0;
    (void)run(&b, &s, &told, 8.0, 8.0 + STEP_S);
    assert_true(b.rigid.vel_mps.x - 3.0 < 25.0 / 2.0 * STEP_S + 1e-9);
    told.works = false;
    const double before = b.rigid.vel_mps.z;
    (void)run(&b, &s, &told, 9.0, 10.0);
    assert_near(b.rigid.vel_mps.z - before, GRAVITY, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbe13_a_ball_bounces_by_the_closed_form),
        cmocka_unit_test(test_sbe13_an_elastic_ball_keeps_its_energy),
        cmocka_unit_test(test_sbe13_pushes_and_impulses_act_in_their_time),
        cmocka_unit_test(test_a_push_beside_the_centre_turns_it),
        cmocka_unit_test(test_drag_ends_a_fall),
        cmocka_unit_test(test_sbe13_a_wall_gives_back_a_part),
        cmocka_unit_test(test_it_slides_along_a_wall_and_rests_on_a_roof),
        cmocka_unit_test(test_sbe13_what_follows_obeys_velocities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
