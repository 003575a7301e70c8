/* SPDX-License-Identifier: Apache-2.0 */
/* world/mover_stepped.h: SBE-05, SBE-13: steps on a grid of time, orders between them, ground. */
#include "world/mover_stepped.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define S MF_SECOND_US

static void assert_near(double got, double want, double tol)
{
    if (!(fabs(got - want) <= tol)) {
        fail_msg("got %.12g, want %.12g", got, want);
    }
}

/* Heavy, so that the air is none. */
static struct mf_stepped_settings bee(void)
{
    return (struct mf_stepped_settings){
        .kind = MF_STEPPED_BEE,
        .rate_hz = 10.0,
        .bee = {.mass_kg = 1e9, .length_m = 0.1, .accel_max_mps2 = 1.0, .period_s = 0.1}};
}

static struct mf_stepped_settings ball(void)
{
    return (struct mf_stepped_settings){.kind = MF_STEPPED_RIGID,
                                        .rate_hz = 60.0,
                                        .rigid = {.mass_kg = 2.0,
                                                  .inertia_kgm2 = {0.02, 0.02, 0.02},
                                                  .radius_m = 0.25,
                                                  .restitution = 0.5,
                                                  .gravity_mps2 = 9.80665}};
}

static uint32_t run(struct mf_stepped *b, const struct mf_stepped_settings *s, mf_us_t until_us)
{
    uint32_t steps = 0;
    while (mf_stepped_next(b, s) <= until_us) {
        mf_stepped_step(b, s);
        steps++;
    }
    return steps;
}

static void tell(struct mf_stepped *b, const struct mf_stepped_settings *s, mf_us_t t_us,
                 double north_mps, double down_mps)
{
    mf_stepped_tell(b, s, t_us, &(struct mf_stepped_order){{north_mps, 0.0, down_mps}, 0.0, true});
}

/* An order at the beginning of a step acts in it; one within it acts from the next one on. */
static void test_an_order_counts_from_a_steps_beginning(void **state)
{
    (void)state;
    const struct mf_stepped_settings s = bee();
    struct mf_stepped b;
    mf_stepped_begin(&b, &s, (struct mf_vec3){0.0, 0.0, -10.0}, 0.0, 0.0);
    tell(&b, &s, 0, 5.0, 0.0);
    assert_true(mf_stepped_next(&b, &s) == 100000);
    assert_near(mf_stepped_at(&b, &s, 60000).pos_m.x, 0.5 * 0.06 * 0.06, 1e-12);
    assert_near(mf_stepped_at(&b, &s, 60000).vel_mps.x, 0.06, 1e-12);
    tell(&b, &s, 50000, -5.0, 0.0);
    assert_near(mf_stepped_at(&b, &s, 100000).vel_mps.x, 0.1, 1e-12);
    assert_int_equal(run(&b, &s, 100000), 1);
    assert_near(mf_stepped_at(&b, &s, 200000).vel_mps.x, 0.0, 1e-12);
    assert_near(mf_stepped_at(&b, &s, 200000).pos_m.x, 0.01, 1e-12);
    assert_near(mf_stepped_at(&b, &s, 200000).acc_mps2.x, -1.0, 1e-12);
}

/* Wind of 2 m/s per metre of height to the north, and of 1 m/s to the east. */
static void blow(const void *ctx, const double neu_m[3], double t_s, double ne_mps[2])
{
    (void)ctx;
    (void)t_s;
    ne_mps[0] = 2.0 * neu_m[2];
    ne_mps[1] = 1.0;
}

static void test_a_step_has_the_wind_of_its_place(void **state)
{
    (void)state;
    const struct mf_weather_own own = {.wind = blow};
    const struct mf_weather weather = {.own = &own};
    struct mf_stepped_settings s = bee();
    struct mf_stepped b;
    s.weather = &weather;
    mf_stepped_begin(&b, &s, (struct mf_vec3){0.0, 0.0, -10.0}, 0.0, 0.0);
    tell(&b, &s, 0, 0.0, 0.0);
    assert_true(b.told.wind_mps.x == 20.0 && b.told.wind_mps.y == 1.0);
    assert_true(b.told.wind_mps.z == 0.0);
}

/* SBE-08: a push within a step: the rest of the step goes on with the new velocity, and the next
 * step begins on the grid of time. By hand: 0.5 t^2 to 60 ms, then 0.06 + 2 m/s and 1 m/s^2. */
static void test_a_push_splits_a_step(void **state)
{
    (void)state;
    const struct mf_stepped_settings s = bee();
    struct mf_stepped b;
    mf_stepped_begin(&b, &s, (struct mf_vec3){0.0, 0.0, -10.0}, 0.0, 0.0);
    tell(&b, &s, 0, 5.0, 0.0);
    mf_stepped_push(&b, &s, 60000, (struct mf_vec3){0.0, 1.0, 0.0},
                    (struct mf_vec3){2.0, 0.0, 0.0});
    assert_near(mf_stepped_at(&b, &s, 60000).pos_m.x, 0.0018, 1e-12);
    assert_near(mf_stepped_at(&b, &s, 60000).pos_m.y, 1.0, 0.0);
    assert_near(mf_stepped_at(&b, &s, 60000).vel_mps.x, 2.06, 1e-12);
    assert_true(mf_stepped_next(&b, &s) == 100000);
    assert_int_equal(run(&b, &s, 100000), 1);
    assert_near(mf_stepped_at(&b, &s, 100000).pos_m.x, 0.0018 + 2.06 * 0.04 + 0.5 * 0.0016, 1e-12);
    assert_near(mf_stepped_at(&b, &s, 100000).vel_mps.x, 2.1, 1e-12);
    assert_near(mf_stepped_at(&b, &s, 200000).vel_mps.x, 2.2, 1e-9);
}

/* A push leads no body into the ground, and moves none that stands on it. */
static void test_a_push_ends_at_the_ground(void **state)
{
    (void)state;
    const struct mf_vec3 down = {0.0, 0.0, 5.0};
    const struct mf_stepped_settings s[2] = {bee(), ball()};
    for (size_t i = 0; i < 2; i++) {
        struct mf_stepped b;
        mf_stepped_begin(&b, &s[i], (struct mf_vec3){0.0, 0.0, -1.0}, 0.0, 0.0);
        mf_stepped_push(&b, &s[i], 0, down, (struct mf_vec3){0});
        assert_near(mf_stepped_at(&b, &s[i], 0).pos_m.z, 0.0, 0.0);
        mf_stepped_begin(&b, &s[i], (struct mf_vec3){0}, 0.0, 0.0);
        mf_stepped_push(&b, &s[i], 0, (struct mf_vec3){3.0, 0.0, 0.0}, down);
        assert_near(mf_stepped_at(&b, &s[i], 0).pos_m.x, 0.0, 0.0);
        assert_near(mf_stepped_at(&b, &s[i], 0).vel_mps.z, 0.0, 0.0);
    }
}

/* It rests on the ground without steps, rises when it is told to, and comes down. */
static void test_it_rests_rises_and_comes_down(void **state)
{
    (void)state;
    const struct mf_stepped_settings s = bee();
    struct mf_stepped b;
    mf_stepped_begin(&b, &s, (struct mf_vec3){3.0, 0.0, 2.0}, 0.0, 2.0);
    assert_true(mf_stepped_next(&b, &s) == MF_NEVER);
    tell(&b, &s, 5 * S, 1.0, 0.0); /* it cannot glide on the ground */
    assert_true(mf_stepped_next(&b, &s) == MF_NEVER);
    tell(&b, &s, 7 * S + 30000, 0.0, -1.0); /* not on the grid: from 7.1 s on */
    assert_true(mf_stepped_next(&b, &s) == 7200000);
    assert_near(mf_stepped_at(&b, &s, 7 * S + 50000).pos_m.z, 2.0, 0.0);
    assert_int_equal(run(&b, &s, 9 * S), 19);
    assert_near(mf_stepped_at(&b, &s, 9100000).pos_m.z, 2.0 - 0.5 - 1.0,
                1e-9); /* 1 s, then 1 m/s */
    assert_false(mf_stepped_at(&b, &s, 9100000).standing);
    tell(&b, &s, 9 * S, 0.0, 2.0);
    (void)run(&b, &s, 20 * S);
    assert_true(mf_stepped_at(&b, &s, 20 * S).standing);
    assert_near(mf_stepped_at(&b, &s, 20 * S).pos_m.z, 2.0, 0.0);
    assert_true(mf_stepped_next(&b, &s) == MF_NEVER);
}

/* SBE-14: a roof of 3 m is ground: it falls onto it, stands there, and rises again. */
static void test_a_bee_stands_on_a_roof(void **state)
{
    (void)state;
    double bytes[64];
    struct mf_space space;
    const struct mf_solid house = {
        .kind = MF_SOLID_BOX, .size_m = {4.0, 4.0, 3.0}, .heading = {1.0, 0.0}};
    struct mf_stepped_settings s = bee();
    struct mf_stepped b;
    struct mf_contact contact;
    assert_true(mf_space_bytes(1) <= sizeof bytes);
    mf_space_init(&space, 1, bytes);
    assert_int_equal(mf_space_add_solid(&space, 4, &house), MF_E_OK);
    mf_space_build(&space);
    s.bee.space = &space;
    s.bee.radius_m = 0.05;
    mf_stepped_begin(&b, &s, (struct mf_vec3){0.0, 0.0, -5.0}, 0.0, 0.0);
    const double falls_s = sqrt(2.0 * 1.95 / 9.80665); /* 0.6306 s */
    assert_int_equal(run(&b, &s, 600000), 6);
    assert_false(mf_stepped_met(&b, &s, 0, 630000, &contact));
    assert_true(mf_stepped_met(&b, &s, 100000, 640000, &contact)); /* its step is not over */
    assert_int_equal(contact.with, 4);
    assert_int_equal(contact.after_us, (mf_us_t)ceil(falls_s * 1e6) - 100000);
    assert_int_equal(run(&b, &s, 5 * S), 1);
    assert_true(mf_stepped_next(&b, &s) == MF_NEVER);
    assert_true(mf_stepped_at(&b, &s, 5 * S).standing);
    assert_near(mf_stepped_at(&b, &s, 5 * S).pos_m.z, -3.05, 1e-8);
    assert_true(mf_stepped_met(&b, &s, 0, 5 * S, &contact));
    assert_false(mf_stepped_met(&b, &s, 640000, 5 * S, &contact));
    tell(&b, &s, 6 * S, 0.0, -1.0);
    assert_int_equal(run(&b, &s, 8 * S), 20);
    assert_near(mf_stepped_at(&b, &s, 8 * S).pos_m.z, -3.05 - 1.5, 1e-8);
    assert_int_equal(b.of.bee.contacts, 1);
}

/* Count the looks, each 0.1 s, that find the contact of a body with a wall 0.5 s ahead. */
static uint32_t count_looks(const struct mf_stepped_settings *s, double speed_mps)
{
    struct mf_stepped b;
    struct mf_contact contact;
    uint32_t looks = 0;
    const double radius_m = s->kind == MF_STEPPED_BEE ? s->bee.radius_m : s->rigid.radius_m;
    mf_stepped_begin(&b, s, (struct mf_vec3){49.0 - radius_m - 0.5 * speed_mps, 0.0, -5.0}, 0.0,
                     0.0);
    tell(&b, s, 0, speed_mps, 0.0);
    mf_stepped_push(&b, s, 0, (struct mf_vec3){0}, (struct mf_vec3){speed_mps, 0.0, 0.0});
    for (mf_us_t look_us = 100000; look_us <= 800000; look_us += 100000) {
        (void)run(&b, s, look_us);
        looks += mf_stepped_met(&b, s, look_us - 100000, look_us, &contact) ? 1u : 0u;
    }
    return looks;
}

/* SBE-14: a body touches a wall exactly at the instant of a look, at which a step ends (10 and
 * 60 Hz) or not (7 and 97 Hz): one look finds the contact, whichever way the last bit is rounded.
 */
static void test_sbe14_a_contact_at_the_instant_of_a_look_is_in_one_look(void **state)
{
    static const double k_rate[] = {10.0, 60.0, 7.0, 97.0};
    static const struct mf_solid k_wall = {
        .kind = MF_SOLID_BOX, .at_neu_m = {50, 0, -99}, .size_m = {2, 9, 999}, .heading = {1, 0}};
    double bytes[64];
    struct mf_space space;
    struct mf_stepped_settings s[2] = {bee(), ball()};
    (void)state;
    mf_space_init(&space, 1, bytes);
    assert_int_equal(mf_space_add_solid(&space, 4, &k_wall), MF_E_OK);
    mf_space_build(&space);
    s[0].bee.radius_m = 0.05;
    s[1].rigid.gravity_mps2 = 0.0;
    s[0].bee.space = s[1].rigid.space = &space;
    for (uint32_t run = 0; run < 2u * 4u * 100u; run++) {
        const uint32_t tenths = run / 8u + 1u;
        struct mf_stepped_settings *of = &s[run % 2u];
        of->rate_hz = k_rate[run / 2u % 4u];
        of->bee.period_s = 1.0 / of->rate_hz;
        assert_int_equal(count_looks(of, 0.1 * tenths), 1);
    }
}

/* Straight to a place at its speeds, without swinging past it by more than a few centimetres. */
static void lead_to(struct mf_stepped_settings s, double tol_m)
{
    struct mf_stepped b;
    const struct mf_vec3 to = {40.0, 0.0, -30.0};
    const struct mf_stepped_speeds speeds = {4.0, 2.0, 1.0};
    double farthest = 0.0, fastest = 0.0;
    mf_stepped_begin(&b, &s, (struct mf_vec3){0.0, 0.0, -10.0}, 0.0, 0.0);
    const int steps = (int)(60.0 * s.rate_hz);
    for (int i = 0; i < steps; i++) {
        const struct mf_vec3 want = mf_stepped_toward(&b, &s, to, &speeds);
        mf_stepped_tell(&b, &s, b.at_us, &(struct mf_stepped_order){want, 0.0, true});
        mf_stepped_step(&b, &s);
        const struct mf_stepped_state at = mf_stepped_at(&b, &s, b.at_us);
        farthest = fmax(farthest, at.pos_m.x);
        fastest = fmax(fastest, at.vel_mps.x);
        assert_near(at.pos_m.z + 10.0, -0.5 * at.pos_m.x, 0.02); /* 10 s either way: straight */
    }
    const struct mf_stepped_state end = mf_stepped_at(&b, &s, b.at_us);
    assert_near(end.pos_m.x, 40.0, tol_m);
    assert_near(end.pos_m.z, -30.0, tol_m);
    assert_true(farthest < 40.05);
    assert_near(fastest, 4.0, 0.05);
}

static void test_sbe05_it_is_led_to_a_place(void **state)
{
    (void)state;
    lead_to(bee(), 1e-3);
    struct mf_stepped_settings s = ball();
    assert_false(mf_stepped_obeys(&s));
    s.rigid.forces = 1;
    s.rigid.force[0] = (struct mf_body_force){
        .kind = MF_BODY_FORCE_FOLLOW, .most_n = 40.0, .gain_per_s = 2.0, .until_s = 1e9};
    assert_true(mf_stepped_obeys(&s));
    lead_to(s, 1e-3);
}

/* Its place is where it touches the ground; it falls 5 m in 1.0098 s and comes back with half. */
static void test_sbe13_a_rigid_body_falls_and_comes_to_rest(void **state)
{
    (void)state;
    const struct mf_stepped_settings s = ball();
    struct mf_stepped b;
    mf_stepped_begin(&b, &s, (struct mf_vec3){0.0, 0.0, -5.0}, 0.5, 0.0);
    (void)run(&b, &s, 1 * S);
    assert_near(mf_stepped_at(&b, &s, 1 * S).pos_m.z, -5.0 + 0.5 * 9.80665, 1e-6);
    assert_near(mf_stepped_at(&b, &s, 1 * S).acc_mps2.z, 9.80665, 1e-9);
    (void)run(&b, &s, 1200000);
    const double v = sqrt(2.0 * 9.80665 * 5.0), in_s = 1.2 - v / 9.80665;
    assert_near(mf_stepped_at(&b, &s, 1200000).vel_mps.z, -0.5 * v + 9.80665 * in_s, 1e-6);
    const struct mf_stepped_state at = mf_stepped_at(&b, &s, 1200000);
    struct mf_pose pose;
    mf_stepped_show(&at, &pose);
    assert_near((double)pose.yaw_rad, 0.5, 1e-6);
    (void)run(&b, &s, 20 * S);
    assert_true(mf_stepped_next(&b, &s) == MF_NEVER);
    const struct mf_stepped_state end = mf_stepped_at(&b, &s, 20 * S);
    assert_true(end.standing);
    assert_near(end.acc_mps2.z, 0.0, 1e-12);
}

/* Whatever the rate, and where its time lies between steps, an impulse acts once. */
static void test_sbe13_an_impulse_acts_once(void **state)
{
    (void)state;
    static const double k_rate[] = {7.0, 30.0, 60.0, 97.0, 333.0};
    for (size_t i = 0; i < sizeof k_rate / sizeof k_rate[0]; i++) {
        for (int at = 0; at < 40; at++) {
            struct mf_stepped_settings s = ball();
            struct mf_stepped b;
            s.rate_hz = k_rate[i];
            s.rigid.gravity_mps2 = 0.0;
            s.rigid.forces = 1;
            s.rigid.force[0] =
                (struct mf_body_force){.kind = MF_BODY_FORCE_IMPULSE,
                                       .vector = {3.0, 0.0, 0.0},
                                       .from_s = at % 2 == 0 ? at / k_rate[i] : 0.05 * at};
            mf_stepped_begin(&b, &s, (struct mf_vec3){0.0, 0.0, -5.0}, 0.0, 0.0);
            (void)run(&b, &s, 10 * S);
            assert_near(mf_stepped_at(&b, &s, 10 * S).vel_mps.x, 1.5, 1e-12);
        }
    }
}

/* North: 0.5 m/s faster in each step, and 0.1 m beside what that makes; it turns by 0.2 rad. */
static void hurry(const void *ctx, const struct mf_mover_own_step *step,
                  struct mf_mover_own_state *state, void *memory)
{
    uint64_t *count = memory;
    (void)ctx;
    *count += 1u;
    state->pos_m.x += state->vel_mps.x * step->dt_s + 0.25 * step->dt_s + 0.1;
    state->vel_mps.x += 0.5;
    state->pos_m.z += step->told->want_mps.z * step->dt_s;
    state->rpy_rad[2] += 0.2;
}

static void test_sbe18_a_body_of_an_owner(void **unused)
{
    const struct mf_stepped_settings s = {
        .kind = MF_STEPPED_OWN,
        .rate_hz = 2.0,
        .own = {.step = hurry, .bytes = sizeof(uint64_t), .accel_max_mps2 = 1.0}};
    uint64_t count[2] = {0};
    struct mf_stepped b = {.of.own = {.memory = (uint8_t *)count, .number = 7}};
    (void)unused;
    mf_stepped_begin(&b, &s, (struct mf_vec3){0.0, 0.0, 0.0}, 3.1, 0.0);
    assert_true(mf_stepped_next(&b, &s) == MF_NEVER); /* it stands */
    tell(&b, &s, 0, 0.0, -1.0);
    tell(&b, &s, 0, 0.0, -1.0); /* planned anew, and nothing of the first plan is left */
    assert_int_equal(run(&b, &s, 3 * S / 2), 3);
    assert_int_equal(count[0], 3);
    assert_int_equal(b.of.own.number, 7);
    /* 3 steps of 0.5 s: 0.225, 0.475, 0.725 m; a half of the fourth: 1.5 m/s and 1 m/s2 for
     * 0.25 s, and half of the 0.1 m */
    struct mf_stepped_state at = mf_stepped_at(&b, &s, 3 * S / 2);
    assert_near(at.pos_m.x, 1.425, 1e-12);
    assert_near(at.vel_mps.x, 1.5, 1e-12);
    assert_near(at.acc_mps2.x, 1.0, 1e-12);
    at = mf_stepped_at(&b, &s, 7 * S / 4);
    assert_near(at.pos_m.x, 1.425 + 0.375 + 0.03125 + 0.05, 1e-12);
    assert_near(at.pos_m.z, -1.75, 1e-12);
    assert_near(at.vel_mps.x, 1.75, 1e-12);
    struct mf_pose pose = {0};
    mf_stepped_show(&at, &pose);
    assert_near((double)pose.yaw_rad, 3.1 + 0.7 - 2.0 * 3.14159265358979, 1e-6);
    assert_near((double)pose.yawspeed_rps, 0.4, 1e-6);
    /* down from 2 m at 4 m/s: it is there in the middle of a step */
    tell(&b, &s, 7 * S / 4, 0.0, 3.0);
    assert_int_equal(run(&b, &s, 10 * S), 3);
    at = mf_stepped_at(&b, &s, 10 * S);
    assert_true(at.standing && at.pos_m.z == 0.0 && at.vel_mps.x == 0.0);
}

/* Yaw 1, pitch 0.3, roll -0.2, turning at (0.1, 0.2, 0.3) rad/s about its axes. */
static void test_a_pose_shows_its_attitude(void **state)
{
    (void)state;
    const double cy = cos(0.5), sy = sin(0.5), cp = cos(0.15), sp = sin(0.15), cr = cos(-0.1),
                 sr = sin(-0.1);
    const struct mf_stepped_state at = {
        .vel_mps = {1.0, 2.0, 3.0},
        .attitude = {cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy,
                     cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy},
        .rate_rps = {0.1, 0.2, 0.3}};
    struct mf_pose pose = {0};
    mf_stepped_show(&at, &pose);
    assert_near((double)pose.yaw_rad, 1.0, 1e-6);
    assert_near((double)pose.pitch_rad, 0.3, 1e-6);
    assert_near((double)pose.roll_rad, -0.2, 1e-6);
    const double turn = (0.2 * sin(-0.2) + 0.3 * cos(-0.2)) / cos(0.3);
    assert_near((double)pose.yawspeed_rps, turn, 1e-6);
    assert_near((double)pose.rollspeed_rps, 0.1 + turn * sin(0.3), 1e-6);
    assert_near((double)pose.pitchspeed_rps, 0.2 * cos(-0.2) - 0.3 * sin(-0.2), 1e-6);
    assert_near((double)pose.vel_ned_mps[2], 3.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_order_counts_from_a_steps_beginning),
        cmocka_unit_test(test_a_step_has_the_wind_of_its_place),
        cmocka_unit_test(test_a_push_splits_a_step),
        cmocka_unit_test(test_a_push_ends_at_the_ground),
        cmocka_unit_test(test_it_rests_rises_and_comes_down),
        cmocka_unit_test(test_a_bee_stands_on_a_roof),
        cmocka_unit_test(test_sbe14_a_contact_at_the_instant_of_a_look_is_in_one_look),
        cmocka_unit_test(test_sbe05_it_is_led_to_a_place),
        cmocka_unit_test(test_sbe13_a_rigid_body_falls_and_comes_to_rest),
        cmocka_unit_test(test_sbe13_an_impulse_acts_once),
        cmocka_unit_test(test_a_pose_shows_its_attitude),
        cmocka_unit_test(test_sbe18_a_body_of_an_owner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
