/* SPDX-License-Identifier: Apache-2.0 */
/* What sticks ask for, alone: parameters and no vehicle. By default: dead zone 0.1, exponent 0.6,
 * 10 m/s, 3 m/s up and 1.5 m/s down, 35 degrees of tilt, 150 deg/s of turn. */
#include "firmware/core/param.h"
#include "firmware/flight/sticks.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define QUARTER_RAD 1.5707963267948966
#define TILT_RAD    0.6108652381980153 /* 35 degrees */

static struct mf_params s_params;

static int start(void **state)
{
    const struct mf_options options = {.px4_strict = false};
    (void)state;
    mf_param_reset(&s_params, &options);
    return 0;
}

static struct mf_aim aim_of(enum mf_mode mode, struct mf_sticks sticks, double yaw_rad)
{
    return mf_sticks_aim(&s_params, &sticks, mode, yaw_rad);
}

static void expect_velocity(const struct mf_aim *aim, float north, float east, float down)
{
    assert_float_equal(aim->vel_ned_mps[0], north, 1e-4);
    assert_float_equal(aim->vel_ned_mps[1], east, 1e-4);
    assert_float_equal(aim->vel_ned_mps[2], down, 1e-4);
    assert_true(isnan(aim->lat_deg) && isnan(aim->alt_amsl_m) && isnan(aim->yaw_rad));
}

static void test_velocity_by_stick(void **state)
{
    static const struct {
        struct mf_sticks sticks; /* roll, pitch, yaw, throttle */
        double yaw_rad;
        float north, east, down;
    } k_case[] = {
        {{0.0f, 1.0f, 0.0f, 0.0f}, 0.0, 10.0f, 0.0f, 0.0f},
        {{0.0f, 1.0f, 0.0f, 0.0f}, QUARTER_RAD, 0.0f, 10.0f, 0.0f},
        {{1.0f, 0.0f, 0.0f, 0.0f}, 0.0, 0.0f, 10.0f, 0.0f},
        {{1.0f, 0.0f, 0.0f, 0.0f}, QUARTER_RAD, -10.0f, 0.0f, 0.0f},
        /* both at their ends: no faster than one */
        {{1.0f, 1.0f, 0.0f, 0.0f}, 0.0, 7.0710678f, 7.0710678f, 0.0f},
        /* (0.55 - 0.1) / 0.9 = 0.5, and 0.4 * 0.5 + 0.6 * 0.125 = 0.275 */
        {{0.0f, -0.55f, 0.0f, 0.0f}, 0.0, -2.75f, 0.0f, 0.0f},
        {{0.09f, 0.1f, -0.1f, 0.1f}, 0.0, 0.0f, 0.0f, 0.0f},
        {{0.0f, 0.0f, 0.0f, 1.0f}, 0.0, 0.0f, 0.0f, -3.0f},
        {{0.0f, 0.0f, 0.0f, -1.0f}, 0.0, 0.0f, 0.0f, 1.5f},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const struct mf_aim aim = aim_of(MF_MODE_POSCTL, k_case[i].sticks, k_case[i].yaw_rad);
        expect_velocity(&aim, k_case[i].north, k_case[i].east, k_case[i].down);
        assert_true(aim.roll_rad == 0.0f && aim.pitch_rad == 0.0f && aim.spin_rps == 0.0f);
    }
}

static void test_turns(void **state)
{
    (void)state;
    const struct mf_aim right = aim_of(MF_MODE_POSCTL, (struct mf_sticks){.yaw = 1.0f}, 0.3);
    const struct mf_aim left = aim_of(MF_MODE_STABILIZED, (struct mf_sticks){.yaw = -1.0f}, 0.3);
    assert_float_equal(right.spin_rps, 2.6179939f, 1e-5);
    assert_float_equal(left.spin_rps, -2.6179939f, 1e-5);
}

/* Forward is nose down; to the right is right side down. In ALTCTL the throttle climbs. */
static void test_tilt_by_stick(void **state)
{
    const struct mf_sticks forward = {.pitch = 1.0f, .throttle = 1.0f};
    const struct mf_sticks right = {.roll = 1.0f};
    (void)state;
    const struct mf_aim a = aim_of(MF_MODE_ALTCTL, forward, 0.0);
    assert_float_equal(a.pitch_rad, -TILT_RAD, 1e-6);
    assert_float_equal(a.roll_rad, 0.0, 1e-6);
    assert_float_equal(a.vel_ned_mps[2], -3.0f, 1e-6);
    assert_true(a.vel_ned_mps[0] > 1.0f && fabsf(a.vel_ned_mps[1]) < 1e-3f);
    const struct mf_aim b = aim_of(MF_MODE_ALTCTL, right, QUARTER_RAD); /* heading east */
    assert_float_equal(b.roll_rad, TILT_RAD, 1e-6);
    assert_true(b.vel_ned_mps[0] < -1.0f && fabsf(b.vel_ned_mps[1]) < 1e-3f);
    assert_true(b.vel_ned_mps[2] == 0.0f);
}

/* Without a controller of altitude: hovering in the middle, less and more thrust below and above
 * it. */
static void test_thrust_by_throttle(void **state)
{
    (void)state;
    const struct mf_aim level = aim_of(MF_MODE_STABILIZED, (struct mf_sticks){0}, 0.0);
    expect_velocity(&level, 0.0f, 0.0f, 0.0f);
    const struct mf_aim up = aim_of(MF_MODE_STABILIZED, (struct mf_sticks){.throttle = 0.5f}, 0.0);
    const struct mf_aim down = aim_of(MF_MODE_MANUAL, (struct mf_sticks){.throttle = -0.5f}, 0.0);
    assert_true(up.vel_ned_mps[2] < 0.0f && down.vel_ned_mps[2] > 0.0f);
    /* tilted at the thrust that hovers it sinks */
    const struct mf_aim tilted = aim_of(MF_MODE_ACRO, (struct mf_sticks){.roll = 1.0f}, 0.0);
    assert_true(tilted.vel_ned_mps[2] > 0.0f && tilted.vel_ned_mps[1] > 1.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_velocity_by_stick, start),
        cmocka_unit_test_setup(test_turns, start),
        cmocka_unit_test_setup(test_tilt_by_stick, start),
        cmocka_unit_test_setup(test_thrust_by_throttle, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
