/* SPDX-License-Identifier: Apache-2.0 */
#include "world/sensors.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define T_US 12345678

static void assert_near(double got, double want, double tol)
{
    if (!(fabs(got - want) <= tol)) {
        fail_msg("got %.17g, want %.17g, off by %g", got, want, fabs(got - want));
    }
}

static void assert_vector(const float got[3], double x, double y, double z, double tol)
{
    assert_near((double)got[0], x, tol);
    assert_near((double)got[1], y, tol);
    assert_near((double)got[2], z, tol);
}

static int s_err;

static int pose_of(void *ctx, mf_us_t t_us, struct mf_pose *pose)
{
    assert_int_equal(t_us, T_US);
    *pose = *(const struct mf_pose *)ctx;
    return s_err;
}

static const struct mf_airframe_ops k_body = {.sample = pose_of};

static struct mf_sensor_values measured(struct mf_pose *pose)
{
    struct mf_body_sensors sensors;
    struct mf_sensor_values values;
    mf_body_sensors_init(&sensors, &k_body, pose);
    assert_int_equal(mf_body_sensors_ops.sample(&sensors, T_US, &values), MF_E_OK);
    assert_int_equal(mf_body_sensors_ops.lost(&sensors, T_US), 0);
    return values;
}

static void test_what_a_body_in_the_air_feels(void **state)
{
    struct mf_pose pose = {.alt_amsl_m = 567.8916,
                           .acc_ned_mps2 = {0.5f, -1.0f, 0.25f},
                           .roll_rad = 0.1f,
                           .pitch_rad = -0.2f,
                           .yaw_rad = -0.5f,
                           .yawspeed_rps = 0.25f};
    (void)state;
    const struct mf_sensor_values s = measured(&pose);
    assert_true(s.imu_us == T_US && s.mag_us == T_US && s.baro_us == T_US);
    assert_true(s.airspeed_us == MF_NOT_THERE);
    assert_vector(s.acc_frd_mps2, -0.99869967, -1.58794996, -9.43719095, 1e-6);
    assert_vector(s.gyro_frd_rps, 0.04966733, 0.02446085, 0.24379258, 1e-7);
    assert_vector(s.mag_frd_gauss, 0.26604657, 0.13859382, 0.37284175, 1e-7);
    assert_near(s.pressure_hpa, 946.86242, 1e-3);
    assert_near(s.pressure_alt_m, 567.8916, 0.0);
    assert_near(s.temperature_c, 11.3087, 1e-4);
}

/* Level, heading east: the field lies to the left. */
static void test_what_a_body_at_rest_feels(void **state)
{
    struct mf_pose pose = {.yaw_rad = 1.57079633f};
    (void)state;
    const struct mf_sensor_values s = measured(&pose);
    assert_vector(s.acc_frd_mps2, 0.0, 0.0, -9.80665, 1e-6);
    assert_vector(s.gyro_frd_rps, 0.0, 0.0, 0.0, 0.0);
    assert_vector(s.mag_frd_gauss, 0.0, -0.21, 0.43, 1e-7);
}

static void test_a_body_that_does_not_answer(void **state)
{
    struct mf_pose pose = {.yaw_rad = 0.0f};
    struct mf_body_sensors sensors;
    struct mf_sensor_values values;
    (void)state;
    mf_body_sensors_init(&sensors, &k_body, &pose);
    s_err = MF_E_IO;
    assert_int_equal(mf_body_sensors_ops.sample(&sensors, T_US, &values), MF_E_IO);
    s_err = MF_E_OK;
    assert_true(values.imu_us == MF_NOT_THERE && values.baro_us == MF_NOT_THERE);
}

/* By pow() and the tables of the standard atmosphere. */
static void test_standard_atmosphere(void **state)
{
    static const struct {
        double alt_m, hpa, deg_c;
    } k_want[] = {
        {-1000.0, 1139.29083, 21.5}, {0.0, 1013.25, 15.0},        {488.0, 955.98283, 11.828},
        {1000.0, 898.74571, 8.5},    {2500.0, 746.82534, -1.25},  {5000.0, 540.19913, -17.5},
        {11000.0, 226.32065, -56.5}, {20000.0, 226.32065, -56.5}, {-5000.0, 1139.29083, 21.5},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_want / sizeof k_want[0]; i++) {
        assert_near(mf_pressure_hpa(k_want[i].alt_m), k_want[i].hpa, 1e-3);
        assert_near(mf_temperature_c(k_want[i].alt_m), k_want[i].deg_c, 1e-9);
    }
}

static void expect_state(struct mf_body_sensors *s, mf_us_t t_us, unsigned done, mf_us_t next_us)
{
    struct mf_calibration_state state;
    assert_int_equal(mf_body_sensors_ops.calibration(s, t_us, &state), MF_E_OK);
    assert_int_equal(state.done, done);
    assert_false(state.failed);
    assert_true(state.next_us == next_us);
}

static void test_calibration_runs_by_itself(void **state)
{
    struct mf_pose pose = {.yaw_rad = 0.0f};
    struct mf_body_sensors s;
    (void)state;
    mf_body_sensors_init(&s, &k_body, &pose);
    expect_state(&s, 0, 0, MF_NEVER);
    const struct mf_sensors_ops *ops = &mf_body_sensors_ops;
    assert_int_equal(ops->calibrate(&s, 1000000, MF_CALIBRATES_MAG_SIDES), MF_E_OK);
    expect_state(&s, 1000000, 0x00, 1150000);
    expect_state(&s, 1149999, 0x00, 1150000);
    expect_state(&s, 1150000, 0x01, 1300000);
    expect_state(&s, 1750000, 0x1F, 1900000);
    expect_state(&s, 1900000, 0x3F, MF_NEVER);
    expect_state(&s, 9900000, 0x3F, MF_NEVER);
    assert_int_equal(ops->calibrate(&s, 10000000, MF_CALIBRATES_GYRO), MF_E_OK);
    assert_int_equal(ops->calibrate(&s, 10200000, MF_CALIBRATES_NOTHING), MF_E_OK);
    expect_state(&s, 11000000, 0x00, MF_NEVER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_a_body_in_the_air_feels),
        cmocka_unit_test(test_what_a_body_at_rest_feels),
        cmocka_unit_test(test_a_body_that_does_not_answer),
        cmocka_unit_test(test_standard_atmosphere),
        cmocka_unit_test(test_calibration_runs_by_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
