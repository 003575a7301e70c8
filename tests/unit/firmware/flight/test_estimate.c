/* SPDX-License-Identifier: Apache-2.0 */
/* The estimate: the airframe's pose, shifted by the receiver's error and gated by its fix. */
#include "tests/unit/firmware/flight_fixture.h"

/* WGS84 at 47.397742 N: degrees of one metre northwards and eastwards. */
#define NORTH 8.994537017753434e-06
#define EAST  1.324683275151117e-05

static const struct mf_options k_default;

static const struct mf_estimate *estimate(void)
{
    mf_estimate_forget(&fx.v);
    return mf_estimate_at(&fx.v, fx.mock.now.vehicle_us);
}

static void set_error(double north_m, double east_m, double down_m)
{
    mf_mock_mislead(&fx.mock, north_m, east_m, down_m);
}

static void test_sim043_without_error_the_pose_is_the_airframes_bit_for_bit(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    fx.mock.airframe.pose.yaw_rad = 1.25f;
    fx.mock.airframe.pose.vel_ned_mps[1] = 7.5f;
    const struct mf_estimate *e = estimate();
    assert_true(e->position);
    assert_memory_equal(&e->pose, &fx.mock.airframe.pose, sizeof e->pose);
}

static void test_sim045_error_of_the_receiver_shifts_the_estimate_not_the_truth(void **state)
{
    struct mf_msg_global_position_int shown;
    struct mf_msg_hil_state_quaternion truth;
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    set_error(100.0, -50.0, -7.0);
    const struct mf_estimate *e = estimate();
    assert_close(e->pose.lat_deg, HERE_LAT + 100.0 * NORTH, 6e-8);
    assert_close(e->pose.lon_deg, HERE_LON - 50.0 * EAST, 6e-8);
    assert_close(e->pose.alt_amsl_m, 495.0, 1e-9);
    assert_true(fx.mock.airframe.pose.lat_deg == HERE_LAT);
    assert_int_equal(mf_stream_request(v, &fx.links[0], MF_MSG_GLOBAL_POSITION_INT, 0), MF_E_OK);
    assert_int_equal(mf_stream_request(v, &fx.links[0], MF_MSG_HIL_STATE_QUATERNION, 0), MF_E_OK);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_GLOBAL_POSITION_INT, &shown));
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_HIL_STATE_QUATERNION, &truth));
    assert_int_equal(shown.alt, 495000);
    assert_int_equal(truth.alt, 488000);
    assert_int_equal(truth.lat, 473977420);
    assert_int_equal(shown.lat, 473977420 + 8995);
}

static void test_error_in_altitude_alone_leaves_the_place(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    set_error(0.0, 0.0, 3.0);
    const struct mf_estimate *e = estimate();
    assert_true(e->pose.lat_deg == HERE_LAT && e->pose.lon_deg == HERE_LON);
    assert_true(e->pose.alt_amsl_m == 485.0);
}

static void test_any_correction_is_a_drift(void **state)
{
    (void)state;
    static const double k_case[][3] = {{0, 0, 0}, {1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3}};
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct mf_estimate e = {.position = true};
        memcpy(e.correction_ned_m, k_case[i], sizeof k_case[i]);
        assert_int_equal(mf_estimate_drifts(&e), i > 0);
    }
}

static void test_legs_are_shifted_back(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    struct mf_leg leg = {.lat_deg = HERE_LAT, .lon_deg = HERE_LON, .alt_amsl_m = 500.0};
    mf_estimate_aim(estimate(), &leg);
    assert_true(leg.lat_deg == HERE_LAT && leg.lon_deg == HERE_LON && leg.alt_amsl_m == 500.0);
    set_error(100.0, -50.0, -7.0);
    mf_estimate_aim(estimate(), &leg);
    assert_close(leg.lat_deg, HERE_LAT - 100.0 * NORTH, 6e-8);
    assert_close(leg.lon_deg, HERE_LON + 50.0 * EAST, 6e-8);
    assert_close(leg.alt_amsl_m, 493.0, 1e-9);
    fx.mock.gnss.fix.type = MF_FIX_NONE; /* nothing is known of an error */
    leg.alt_amsl_m = 500.0;
    mf_estimate_aim(estimate(), &leg);
    assert_true(leg.alt_amsl_m == 500.0);
}

/* A leg of the airframe, as the estimate sees it: shifted like the pose. */
static void test_legs_of_the_airframe_are_shifted_forth(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    struct mf_leg leg = {.lat_deg = HERE_LAT, .lon_deg = HERE_LON, .alt_amsl_m = 500.0};
    set_error(100.0, -50.0, -7.0);
    mf_estimate_believe(estimate(), &leg);
    assert_close(leg.lat_deg, HERE_LAT + 100.0 * NORTH, 6e-8);
    assert_close(leg.lon_deg, HERE_LON - 50.0 * EAST, 6e-8);
    assert_close(leg.alt_amsl_m, 507.0, 1e-9);
    fx.mock.gnss.fix.type = MF_FIX_NONE; /* nothing is known of an error */
    mf_estimate_believe(estimate(), &leg);
    assert_close(leg.alt_amsl_m, 507.0, 1e-9);
}

static void test_position_needs_a_3d_fix_and_a_body(void **state)
{
    static const struct {
        uint8_t type;
        int gnss, body;
        bool position;
    } k_case[] = {
        {3, MF_E_OK, MF_E_OK, true},  {2, MF_E_OK, MF_E_OK, false}, {1, MF_E_OK, MF_E_OK, false},
        {0, MF_E_OK, MF_E_OK, false}, {3, MF_E_IO, MF_E_OK, false}, {3, MF_E_OK, MF_E_IO, false},
    };
    (void)state;
    (void)fx_boot(k_default);
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        fx.mock.gnss.fix.type = k_case[i].type;
        fx.mock.gnss.result = k_case[i].gnss;
        fx.mock.airframe.sample_result = k_case[i].body;
        assert_int_equal(estimate()->position, k_case[i].position);
        if (k_case[i].gnss != MF_E_OK) {
            assert_int_equal(fx.v.estimate.fix.type, MF_FIX_NONE); /* silence is no old news */
            assert_int_equal(fx.v.estimate.fix.lat_e7, 0);
        }
    }
}

static void test_error_without_a_fix_shifts_nothing(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    set_error(100.0, 0.0, 0.0);
    fx.mock.gnss.fix.type = MF_FIX_2D;
    assert_true(estimate()->pose.lat_deg == HERE_LAT);
}

static void test_computed_once_per_instant(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    (void)mf_estimate_at(v, 5);
    fx.mock.airframe.pose.alt_amsl_m = 600.0;
    assert_true(mf_estimate_at(v, 5)->pose.alt_amsl_m == 488.0);
    assert_true(mf_estimate_at(v, 6)->pose.alt_amsl_m == 600.0);
    fx.mock.airframe.pose.alt_amsl_m = 700.0;
    mf_estimate_forget(v);
    assert_true(mf_estimate_at(v, 6)->pose.alt_amsl_m == 700.0);
}

/* A report of that time, by so much off the body's place. @return the correction after it */
static const double *report(mf_us_t at_us, double north_m, double east_m, double down_m)
{
    set_error(north_m, east_m, down_m);
    fx.mock.gnss.fix.t_us = at_us;
    return mf_estimate_at(&fx.v, at_us)->correction_ned_m;
}

/* Of a report with a period a fifth counts, unless it is five claimed accuracies (0.9 m, 1.78
 * m) off. */
static void test_sim043_how_much_of_a_report_counts(void **state)
{
    static const struct {
        mf_us_t period_us, at_us;
        double north_m, down_m, want_north_m, want_down_m;
    } k_case[] = {{0, S, 4.0, 5.0, 4.0, 5.0},          {S, S, 4.0, 5.0, 0.8, 1.0},
                  {S, S, 4.4, 0.0, 0.88, 0.0},         {S, S, 4.6, 5.0, 4.6, 5.0},
                  {S, S, 0.0, -8.899, 0.0, -1.7798},   {S, S, 4.0, 8.901, 4.0, 8.901},
                  {S, S - 1, 4.0, 5.0, 0.0, 0.0},      {S / 5, S - 1, 4.0, 5.0, 0.8, 1.0},
                  {S, 3 * S + 7, -4.0, 5.0, -0.8, 1.0}};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        (void)fx_boot(k_default);
        fx.mock.gnss.fix.period_us = k_case[i].period_us;
        (void)report(0, 0.0, 0.0, 0.0);
        const double *ned_m = report(k_case[i].at_us, k_case[i].north_m, 0.0, k_case[i].down_m);
        assert_close(ned_m[0], k_case[i].want_north_m, 0.006); /* 1e-7 deg are 11 mm */
        assert_close(ned_m[2], k_case[i].want_down_m, 1e-9);
    }
}

static void test_sim043_the_first_report_after_none_counts_wholly(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    fx.mock.gnss.fix.period_us = S;
    fx.mock.gnss.fix.type = MF_FIX_NONE;
    (void)report(1 * S, 0.0, 0.0, 0.0);
    fx.mock.gnss.fix.type = MF_FIX_3D;
    assert_close(report(2 * S, 0.0, 0.0, 5.0)[2], 5.0, 1e-9);
    assert_close(report(3 * S, 0.0, 0.0, 0.0)[2], 4.0, 1e-9);
    assert_close(report(4 * S, 0.0, 0.0, 0.0)[2], 3.2, 1e-9);
}

/* With weights 0.2, 0.16, 0.128 and so on, whose squares add up to 1/9, a third is left of the
 * deviation of 2 m of white noise; neighbours are as alike as 0.8. */
static void test_sim043_a_third_of_the_noise_is_left(void **state)
{
    const int n = 20000;
    double square[3] = {0}, next[3] = {0}, before_m[3] = {0};
    uint32_t random = 1;
    (void)state;
    (void)fx_boot(k_default);
    fx.mock.gnss.fix.period_us = S;
    fx.mock.gnss.fix.h_acc_mm = 3000; /* as a receiver with that noise admits */
    fx.mock.gnss.fix.v_acc_mm = 2000;
    for (int i = 1; i <= n; i++) {
        double off_m[3];
        for (size_t axis = 0; axis < 3; axis++) {
            random = random * 1664525u + 1013904223u;
            off_m[axis] = random >> 31 != 0 ? 2.0 : -2.0;
        }
        const double *ned_m = report((mf_us_t)i * S, off_m[0], off_m[1], off_m[2]);
        for (size_t axis = 0; axis < 3; axis++) {
            square[axis] += ned_m[axis] * ned_m[axis] / n;
            next[axis] += ned_m[axis] * before_m[axis] / n;
            before_m[axis] = ned_m[axis];
        }
    }
    for (size_t axis = 0; axis < 3; axis++) {
        assert_close(sqrt(square[axis]) / 2.0, 0.333, 0.01);
        assert_close(next[axis] / square[axis], 0.8, 0.02);
    }
}

/* A report of half a second ago says where the body was then: with 3, -7 and 2 m/s it was 1.5 m
 * south, 3.5 m east and 1 m above of where it is. That is no error; 4 m more to the east are. */
static void test_a_report_is_compared_with_where_the_body_was(void **state)
{
    static const struct {
        mf_us_t age_us;
        double off_m[3], want_m[3];
    } k_case[] = {
        {S / 2, {-1.5, 3.5, -1.0}, {0.0, 0.0, 0.0}},
        {S / 2, {-1.5, 7.5, -1.0}, {0.0, 4.0, 0.0}},
        {0, {-1.5, 3.5, -1.0}, {-1.5, 3.5, -1.0}},
        {S, {-1.5, 3.5, -1.0}, {-1.5, 3.5, -1.0}}, /* too old to say where it went since */
    };
    static const float k_vel_ned_mps[3] = {3.0f, -7.0f, 2.0f};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        (void)fx_boot(k_default);
        memcpy(fx.mock.airframe.pose.vel_ned_mps, k_vel_ned_mps, sizeof k_vel_ned_mps);
        set_error(k_case[i].off_m[0], k_case[i].off_m[1], k_case[i].off_m[2]);
        fx.mock.gnss.fix.t_us = 2 * S - k_case[i].age_us;
        const double *ned_m = mf_estimate_at(&fx.v, 2 * S)->correction_ned_m;
        for (size_t axis = 0; axis < 3; axis++) {
            assert_close(ned_m[axis], k_case[i].want_m[axis], 0.012); /* 1e-7 deg are 11 mm */
        }
    }
}

static void test_sim017_local_frame(void **state)
{
    float ned_m[3];
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    const struct mf_pose pose = {
        .lat_deg = HERE_LAT + 30.0 * NORTH, .lon_deg = HERE_LON - 40.0 * EAST, .alt_amsl_m = 500.0};
    mf_estimate_local(&v->origin, &pose, ned_m);
    assert_close((double)ned_m[0], 30.0, 1e-3);
    assert_close((double)ned_m[1], -40.0, 1e-3);
    assert_true(ned_m[2] == -12.0f);
    v->origin.valid = false;
    mf_estimate_local(&v->origin, &pose, ned_m);
    assert_true(ned_m[0] == 0.0f && ned_m[1] == 0.0f && ned_m[2] == 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim043_without_error_the_pose_is_the_airframes_bit_for_bit),
        cmocka_unit_test(test_sim045_error_of_the_receiver_shifts_the_estimate_not_the_truth),
        cmocka_unit_test(test_error_in_altitude_alone_leaves_the_place),
        cmocka_unit_test(test_any_correction_is_a_drift),
        cmocka_unit_test(test_legs_are_shifted_back),
        cmocka_unit_test(test_legs_of_the_airframe_are_shifted_forth),
        cmocka_unit_test(test_position_needs_a_3d_fix_and_a_body),
        cmocka_unit_test(test_error_without_a_fix_shifts_nothing),
        cmocka_unit_test(test_computed_once_per_instant),
        cmocka_unit_test(test_sim043_how_much_of_a_report_counts),
        cmocka_unit_test(test_sim043_the_first_report_after_none_counts_wholly),
        cmocka_unit_test(test_sim043_a_third_of_the_noise_is_left),
        cmocka_unit_test(test_a_report_is_compared_with_where_the_body_was),
        cmocka_unit_test(test_sim017_local_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
