/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/foreign.h: a body that pulses steer frame by frame. */
#include "fleet/foreign.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct mf_foreign_settings k_calm = {.mass_kg = 2.0, .yaw_deg = 90.0};
static struct mf_foreign s_body;

static enum mf_foreign_took take(uint32_t frame, uint16_t rate_hz, uint16_t pwm_us)
{
    struct mf_foreign_pulses p = {.frame_rate_hz = rate_hz, .frame_count = frame, .channels = 16};
    for (int i = 0; i < 16; i++) {
        p.pwm_us[i] = pwm_us;
    }
    return mf_foreign_take(&s_body, &p);
}

static void fly(uint32_t from, uint32_t frames, uint16_t pwm_us)
{
    for (uint32_t i = 0; i < frames; i++) {
        assert_int_equal(take(from + i, 400, pwm_us), MF_FOREIGN_STEPPED);
    }
}

static void test_it_stands_to_the_east_without_pulses(void **state)
{
    (void)state;
    mf_foreign_begin(&s_body, &k_calm);
    assert_true(fabs(s_body.state.quaternion[0] - sqrt(0.5)) < 1e-9);
    assert_true(fabs(s_body.state.quaternion[3] - sqrt(0.5)) < 1e-9);
    fly(1, 400, 1000);
    assert_true(fabs(s_body.state.time_s - 1.0) < 1e-9);
    assert_true(s_body.state.pos_m.z == 0.0 && s_body.state.vel_mps.z == 0.0);
    assert_true(fabs(s_body.state.accel_mps2.z + 9.8) < 0.05); /* the ground holds it */
    fly(401, 400, 0); /* pulses below 1000 us count as 1000 us */
    assert_true(s_body.state.pos_m.z == 0.0);
}

/* Any mass rises by the same pulses, which count up to 2000. */
static void test_it_rises_by_full_pulses_whatever_its_mass(void **state)
{
    (void)state;
    double up_m[3];
    for (int i = 0; i < 3; i++) {
        struct mf_foreign_settings s = k_calm;
        s.mass_kg = i == 1 ? 1.0 : 2.0;
        mf_foreign_begin(&s_body, &s);
        fly(1, 200, i == 2 ? 2500 : 2000);
        up_m[i] = -s_body.state.pos_m.z;
    }
    assert_true(up_m[0] > 0.2);
    assert_true(fabs(up_m[1] - up_m[0]) < 0.2 * up_m[0]); /* the air holds a light one more */
    assert_true(up_m[2] == up_m[0]);
}

static void test_a_repeated_frame_is_no_step_and_a_lower_one_a_restart(void **state)
{
    (void)state;
    mf_foreign_begin(&s_body, &k_calm);
    fly(5, 2, 2000);
    const double time_s = s_body.state.time_s;
    assert_int_equal(take(6, 400, 2000), MF_FOREIGN_REPEATED);
    assert_true(s_body.state.time_s == time_s);
    assert_int_equal(take(7, 400, 2000), MF_FOREIGN_STEPPED);
    assert_int_equal(take(3, 400, 2000), MF_FOREIGN_RESTARTED);
    assert_true(fabs(s_body.state.time_s - 0.0025) < 1e-12);
    assert_int_equal(s_body.frames, 1);
    assert_int_equal(s_body.frame_count, 3);
    mf_foreign_begin(&s_body, &k_calm);
    assert_int_equal(take(0, 400, 1000), MF_FOREIGN_STEPPED); /* the first one has any number */
}

/* Wind from the west drives it east, at the ground not at all. */
static void test_wind_has_its_speed_above_the_ground(void **state)
{
    struct mf_foreign_settings s = k_calm;
    (void)state;
    s.wind_mps = 8.0;
    s.wind_from_deg = 270.0;
    mf_foreign_begin(&s_body, &s);
    assert_true(fabs(s_body.mean_wind_mps.y - 8.0) < 1e-9);
    assert_true(fabs(s_body.mean_wind_mps.x) < 1e-9);
    fly(1, 10, 1000);
    assert_true(s_body.rotors.wind_mps.y == 0.0 && s_body.state.vel_mps.y == 0.0);
    fly(11, 800, 2000);
    assert_true(-s_body.state.pos_m.z > 5.0);
    assert_true(fabs(s_body.rotors.wind_mps.y - 8.0) < 1e-9);
    assert_true(s_body.state.vel_mps.y > 0.1);
}

/* The sensors add noise of the set deviation to each answer but the first one. */
static void test_noise_is_of_the_sensors_alone(void **state)
{
    struct mf_foreign_settings s = k_calm;
    double gyro = 0.0, accel = 0.0;
    (void)state;
    s.gyro_rps = 0.1;
    s.accel_mps2 = 0.5;
    mf_foreign_begin(&s_body, &s);
    assert_true(s_body.state.gyro_rps.x == 0.0 && s_body.state.gyro_rps.z == 0.0);
    for (uint32_t i = 1; i <= 2000; i++) {
        (void)take(i, 1000, 1000);
        gyro += s_body.state.gyro_rps.y * s_body.state.gyro_rps.y / 2000.0;
        accel += s_body.state.accel_mps2.x * s_body.state.accel_mps2.x / 2000.0;
    }
    assert_true(fabs(sqrt(gyro) - 0.1) < 0.01);
    assert_true(fabs(sqrt(accel) - 0.5) < 0.05);
    assert_true(s_body.state.pos_m.x == 0.0 && s_body.state.vel_mps.x == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_stands_to_the_east_without_pulses),
        cmocka_unit_test(test_it_rises_by_full_pulses_whatever_its_mass),
        cmocka_unit_test(test_a_repeated_frame_is_no_step_and_a_lower_one_a_restart),
        cmocka_unit_test(test_wind_has_its_speed_above_the_ground),
        cmocka_unit_test(test_noise_is_of_the_sensors_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
