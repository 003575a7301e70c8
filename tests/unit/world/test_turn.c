/* SPDX-License-Identifier: Apache-2.0 */
/* Turns without a plan, on both bodies and through what stands in front of them. */
#include "physics_fixture.h"
#include "world/airframe_constant.h"
#include "world/battery.h"
#include "world/wind.h"

static struct mf_airframe_constant s_constant;
static struct mf_airframe_physics s_physics;

struct body {
    const struct mf_airframe_ops *ops;
    void *ctx;
};

static const struct body k_body[] = {{&mf_airframe_constant_ops, &s_constant},
                                     {&mf_airframe_physics_ops, &s_physics}};

static struct mf_leg turn_to(float yaw_rad, float rate_rps)
{
    return (struct mf_leg){.yaw_rad = yaw_rad, .yaw_rate_rps = rate_rps};
}

static struct mf_leg spin(float rate_rps)
{
    return (struct mf_leg){.yaw_rad = NAN, .spin_rps = rate_rps};
}

static struct mf_pose look(const struct body *b, mf_us_t t_us)
{
    struct mf_pose pose;
    assert_int_equal(b->ops->sample(b->ctx, t_us, &pose), MF_E_OK);
    return pose;
}

static mf_us_t when(const struct body *b, mf_us_t t_us, enum mf_when what)
{
    mf_us_t at_us = -1;
    assert_int_equal(b->ops->next(b->ctx, t_us, what, 0.0, &at_us), MF_E_OK);
    return at_us;
}

/* Armed, and on a leg up and 1 km to the north, from 0 on. */
static void fly_both(void)
{
    mf_airframe_constant_init(&s_constant, HOME_LAT_DEG, HOME_LON_DEG, GROUND_M, 0.0f);
    mf_airframe_physics_init(&s_physics, HOME_LAT_DEG, HOME_LON_DEG, GROUND_M, 0.0f,
                             &mf_physics_limits_px4);
    for (size_t i = 0; i < 2; i++) {
        const struct mf_leg leg = leg_to(HOME_LAT_DEG + 0.009, HOME_LON_DEG, GROUND_M + 20.0);
        assert_int_equal(k_body[i].ops->arm(k_body[i].ctx, 0, true), MF_E_OK);
        assert_int_equal(k_body[i].ops->plan(k_body[i].ctx, 0, &leg, 1), MF_E_OK);
    }
}

static int turn(const struct body *b, mf_us_t t_us, struct mf_leg leg)
{
    return b->ops->turn(b->ctx, t_us, &leg);
}

/* It turns by 90 degrees, then spins, and everything else is as it was, to the bit. */
static void test_only_the_heading_changes(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const struct body *b = &k_body[i];
        fly_both();
        const mf_us_t arrived_us = when(b, 0, MF_WHEN_ARRIVED);
        const struct mf_pose before = look(b, 50 * SECOND);
        assert_int_equal(turn(b, 20 * SECOND, turn_to(1.5f, 0.5f)), MF_E_OK);
        const mf_us_t turned_us = when(b, 20 * SECOND, MF_WHEN_YAW);
        assert_in_range(turned_us, 23 * SECOND, i == 0 ? 23 * SECOND + 1 : 26 * SECOND);
        assert_true(look(b, turned_us).yaw_rad == 1.5f);
        assert_int_equal(turn(b, 30 * SECOND, spin(-0.1f)), MF_E_OK);
        assert_int_equal(when(b, 30 * SECOND, MF_WHEN_YAW), MF_NEVER);
        const struct mf_pose after = look(b, 50 * SECOND);
        assert_true(after.yaw_rad < 0.0f && after.yawspeed_rps == -0.1f);
        assert_true(after.lat_deg == before.lat_deg && after.alt_amsl_m == before.alt_amsl_m &&
                    after.vel_ned_mps[0] == before.vel_ned_mps[0]);
        assert_int_equal(when(b, 50 * SECOND, MF_WHEN_ARRIVED), arrived_us);
        assert_int_equal(turn(b, 51 * SECOND, spin(0.0f)), MF_E_OK);
        assert_true(look(b, 60 * SECOND).yawspeed_rps == 0.0f);
        assert_int_equal(turn(b, arrived_us + SECOND, turn_to(-1.0f, 0.5f)), MF_E_OK);
        assert_true(look(b, arrived_us + 60 * SECOND).yaw_rad == -1.0f);
        assert_true(look(b, arrived_us + 60 * SECOND).lat_deg == HOME_LAT_DEG + 0.009);
    }
}

/* At -0.1 rad/s from 1.5 rad: 20 s later at -0.5. */
static void test_a_spin_begins_where_it_is(void **state)
{
    (void)state;
    fly_both();
    assert_int_equal(turn(&k_body[0], 20 * SECOND, turn_to(1.5f, 0.5f)), MF_E_OK);
    assert_int_equal(turn(&k_body[0], 30 * SECOND, spin(-0.1f)), MF_E_OK);
    assert_true(fabs((double)look(&k_body[0], 50 * SECOND).yaw_rad + 0.5) < 1e-6);
}

static void test_what_does_not_turn(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const struct body *b = &k_body[i];
        fly_both();
        assert_int_equal(turn(b, 20 * SECOND, turn_to(1.0f, 0.0f)), MF_E_RANGE);
        assert_int_equal(turn(b, 20 * SECOND, turn_to(INFINITY, 1.0f)), MF_E_RANGE);
        assert_int_equal(turn(b, 20 * SECOND, turn_to(1.0f, 1e-9f)), MF_E_RANGE);
        assert_int_equal(turn(b, 20 * SECOND, spin(INFINITY)), MF_E_RANGE);
        assert_true(look(b, 30 * SECOND).yaw_rad == 0.0f);
        const struct mf_leg down = {.lat_deg = HOME_LAT_DEG,
                                    .lon_deg = HOME_LON_DEG,
                                    .land = true,
                                    .speed_h_mps = 5.0f,
                                    .speed_up_mps = 3.0f,
                                    .speed_down_mps = 1.5f,
                                    .yaw_rad = NAN,
                                    .yaw_rate_rps = 1.0f};
        assert_int_equal(b->ops->plan(b->ctx, 30 * SECOND, &down, 1), MF_E_OK);
        assert_int_equal(turn(b, 31 * SECOND, spin(0.1f)), MF_E_OK);
        const mf_us_t down_us = when(b, 31 * SECOND, MF_WHEN_TOUCHDOWN);
        const float heading = look(b, down_us).yaw_rad;
        assert_true(heading > 0.05f);
        assert_int_equal(turn(b, down_us + SECOND, turn_to(-1.0f, 0.5f)), MF_E_OK);
        assert_true(look(b, down_us + 60 * SECOND).yaw_rad == heading);
        assert_int_equal(b->ops->arm(b->ctx, down_us + 60 * SECOND, false), MF_E_OK);
        assert_int_equal(turn(b, down_us + 61 * SECOND, turn_to(1.0f, 0.5f)), MF_E_DENIED);
    }
}

static int s_turns;

static int count_turn(void *ctx, mf_us_t t_us, const struct mf_leg *leg)
{
    (void)ctx, (void)t_us, (void)leg;
    return s_turns++ == 0 ? MF_E_OK : MF_E_RANGE;
}

/* Wind and battery hand it on; a body that cannot says so. */
static void test_decorators_hand_it_on(void **state)
{
    const struct mf_airframe_ops counting = {.turn = count_turn};
    const struct mf_airframe_ops unable = {.turn = NULL};
    const struct mf_leg leg = spin(1.0f);
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct mf_wind wind = {.wrapped = {.airframe = &counting}};
        struct mf_battery_drain drain = {.wrapped = {.airframe = &counting}};
        const struct mf_airframe_ops *ops =
            i == 0 ? &mf_wind_airframe_ops : &mf_battery_drain_airframe_ops;
        void *ctx = i == 0 ? (void *)&wind : (void *)&drain;
        s_turns = 0;
        assert_int_equal(ops->turn(ctx, 0, &leg), MF_E_OK);
        assert_int_equal(ops->turn(ctx, 0, &leg), MF_E_RANGE);
        wind.wrapped.airframe = drain.wrapped.airframe = &unable;
        assert_int_equal(ops->turn(ctx, 0, &leg), MF_E_NOSUPP);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_the_heading_changes),
        cmocka_unit_test(test_a_spin_begins_where_it_is),
        cmocka_unit_test(test_what_does_not_turn),
        cmocka_unit_test(test_decorators_hand_it_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
