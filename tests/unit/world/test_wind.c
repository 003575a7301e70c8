/* SPDX-License-Identifier: Apache-2.0 */
#include "world/wind.h"

#include "math/geodesic.h"
#include "world/airframe_constant.h"
#include "world/airframe_physics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* cmocka compares floats; these are doubles. */
#define assert_near(x, y, by) assert_true(fabs((double)(x) - (double)(y)) <= (by))

#define SECOND    MF_SECOND_US
#define GROUND_M  100.0
#define LAT_DEG   47.0
#define LON_DEG   8.0
#define GRAVITY   9.80665
#define HOVERS_US (20 * SECOND) /* it has climbed to 30 m by then */

static const struct mf_seed k_seed = {1, 1};

struct fixture {
    struct mf_airframe_constant body;
    struct mf_wind wind;
};

static struct mf_leg leg_to(double lat_deg, double lon_deg, double alt_m)
{
    return (struct mf_leg){.lat_deg = lat_deg,
                           .lon_deg = lon_deg,
                           .alt_amsl_m = alt_m,
                           .speed_h_mps = 5.0f,
                           .speed_up_mps = 2.0f,
                           .speed_down_mps = 2.0f,
                           .yaw_rad = NAN,
                           .yaw_rate_rps = 1.0f};
}

static int plan(struct fixture *f, mf_us_t t_us, const struct mf_leg *leg)
{
    return mf_wind_airframe_ops.plan(&f->wind, t_us, leg, 1);
}

/* In the air after HOVERS_US, 30 m above home, heading as given. */
static struct fixture *hovering(struct fixture *f, double speed_mps, double from_deg,
                                double gusts_mps, float yaw_rad)
{
    mf_airframe_constant_init(&f->body, LAT_DEG, LON_DEG, GROUND_M, yaw_rad);
    const struct mf_wind_settings settings = {speed_mps, from_deg, gusts_mps, 3.0, 1.0};
    mf_wind_init(&f->wind, &mf_airframe_constant_ops, &f->body, &k_seed, &settings);
    const struct mf_leg up = leg_to(LAT_DEG, LON_DEG, GROUND_M + 30.0);
    assert_int_equal(mf_wind_airframe_ops.arm(&f->wind, 0, true), MF_E_OK);
    assert_int_equal(plan(f, SECOND, &up), MF_E_OK);
    return f;
}

static struct mf_pose pose_at(struct fixture *f, mf_us_t t_us)
{
    struct mf_pose pose;
    assert_int_equal(mf_wind_airframe_ops.sample(&f->wind, t_us, &pose), MF_E_OK);
    return pose;
}

/* North and east of home [m]. */
static void off_home(const struct mf_pose *pose, double ne_m[2])
{
    mf_geo_to_local((struct mf_geo){LAT_DEG, LON_DEG},
                    (struct mf_geo){pose->lat_deg, pose->lon_deg}, ne_m);
}

/* Wind of 5 m/s against a drag of 1 /s: tan(tilt) = 5 / g, 27 deg, towards where it comes from. */
static void test_sim043_it_leans_into_the_wind(void **state)
{
    const double tilt_rad = atan(5.0 / GRAVITY);
    struct fixture f;
    (void)state;
    const struct mf_pose north = pose_at(hovering(&f, 5.0, 0.0, 0.0, 0.0f), HOVERS_US);
    assert_near(north.pitch_rad, -tilt_rad, 1e-6); /* nose down, to the north */
    assert_near(north.roll_rad, 0.0, 1e-6);
    assert_near(north.wind_ne_mps[0], -5.0, 1e-6); /* blows to the south */
    assert_near(north.wind_ne_mps[1], 0.0, 1e-6);
    const struct mf_pose east = pose_at(hovering(&f, 5.0, 90.0, 0.0, 0.0f), HOVERS_US);
    assert_near(east.roll_rad, tilt_rad, 1e-6); /* to the right */
    assert_near(east.pitch_rad, 0.0, 1e-6);
    const struct mf_pose ahead = pose_at(hovering(&f, 5.0, 90.0, 0.0, 1.5707963f), HOVERS_US);
    assert_near(ahead.pitch_rad, -tilt_rad, 1e-6); /* it looks east */
    const struct mf_pose storm = pose_at(hovering(&f, 40.0, 0.0, 0.0, 0.0f), HOVERS_US);
    assert_near(storm.pitch_rad, -0.785398, 1e-6); /* as far as it can */
}

static void test_sim043_steady_wind_moves_nothing(void **state)
{
    struct fixture f;
    (void)state;
    const struct mf_pose p = pose_at(hovering(&f, 12.0, 200.0, 0.0, 0.0f), HOVERS_US);
    assert_true(p.lat_deg == LAT_DEG && p.lon_deg == LON_DEG && p.alt_amsl_m == GROUND_M + 30.0);
    assert_true(p.vel_ned_mps[0] == 0.0f && p.vel_ned_mps[1] == 0.0f && p.gusts_mps == 0.0f);
}

/* The physics airframe leans by its own acceleration and drag already: both together. */
static void test_sim043_leaning_adds_up(void **state)
{
    struct mf_airframe_physics body;
    struct mf_wind wind;
    struct mf_pose calm, windy;
    (void)state;
    mf_airframe_physics_init(&body, LAT_DEG, LON_DEG, GROUND_M, 0.0f, &mf_physics_limits_px4);
    const struct mf_wind_settings settings = {3.0, 0.0, 0.0, 3.0, 1.0};
    mf_wind_init(&wind, &mf_airframe_physics_ops, &body, &k_seed, &settings);
    struct mf_leg leg = leg_to(LAT_DEG, LON_DEG, GROUND_M + 30.0);
    assert_int_equal(mf_wind_airframe_ops.arm(&wind, 0, true), MF_E_OK);
    assert_int_equal(mf_wind_airframe_ops.plan(&wind, 0, &leg, 1), MF_E_OK);
    leg.lat_deg += 0.01; /* 1.1 km north */
    assert_int_equal(mf_wind_airframe_ops.plan(&wind, 60 * SECOND, &leg, 1), MF_E_OK);
    assert_int_equal(mf_airframe_physics_ops.sample(&body, 90 * SECOND, &calm), MF_E_OK);
    assert_int_equal(mf_wind_airframe_ops.sample(&wind, 90 * SECOND, &windy), MF_E_OK);
    assert_true(calm.vel_ned_mps[0] > 3.0f && fabsf(calm.acc_ned_mps2[0]) < 1e-3f);
    assert_near(calm.pitch_rad, -atan((double)calm.vel_ned_mps[0] / GRAVITY), 1e-3);
    assert_near(windy.pitch_rad, -atan(((double)calm.vel_ned_mps[0] + 3.0) / GRAVITY), 1e-3);
    assert_true(windy.lat_deg == calm.lat_deg);
}

static void test_sim043_gusts_push_it_off_and_let_it_come_back(void **state)
{
    struct fixture f;
    double mean[2] = {0}, square[2] = {0}, wind_square = 0.0, wind_mean = 0.0;
    const int n = 40000;
    (void)state;
    hovering(&f, 4.0, 270.0, 2.0, 0.0f);
    for (int i = 0; i < n; i++) {
        const struct mf_pose p = pose_at(&f, HOVERS_US + i * SECOND);
        double ne_m[2];
        off_home(&p, ne_m);
        for (size_t axis = 0; axis < 2; axis++) {
            mean[axis] += ne_m[axis] / n;
            square[axis] += ne_m[axis] * ne_m[axis] / n;
        }
        wind_mean += (double)p.wind_ne_mps[1] / n;
        wind_square += (double)p.wind_ne_mps[1] * (double)p.wind_ne_mps[1] / n;
        assert_true(p.gusts_mps == 2.0f && p.alt_amsl_m == GROUND_M + 30.0);
        /* downwind of a gust, 0.2 s of it */
        assert_near(ne_m[1], 0.2 * ((double)p.wind_ne_mps[1] - 4.0), 1e-5);
    }
    for (size_t axis = 0; axis < 2; axis++) {
        assert_near(mean[axis], 0.0, 0.02);
        assert_near(sqrt(square[axis]), 0.4, 0.02);
    }
    assert_near(wind_mean, 4.0, 0.1);
    assert_near(sqrt(wind_square - wind_mean * wind_mean), 2.0, 0.1);
}

/* Position, velocity and acceleration are of one movement, on the way up, too. */
static void check_derivatives(struct fixture *f, mf_us_t from_us, mf_us_t to_us)
{
    const mf_us_t step_us = 10000;
    for (mf_us_t t_us = from_us + step_us; t_us < to_us; t_us += 77777) {
        const struct mf_pose a = pose_at(f, t_us - step_us), p = pose_at(f, t_us);
        const struct mf_pose b = pose_at(f, t_us + step_us);
        double before_m[2], after_m[2];
        off_home(&a, before_m);
        off_home(&b, after_m);
        for (size_t axis = 0; axis < 2; axis++) {
            assert_near((after_m[axis] - before_m[axis]) / 0.02, p.vel_ned_mps[axis], 2e-3);
            assert_near((b.vel_ned_mps[axis] - a.vel_ned_mps[axis]) / 0.02f, p.acc_ned_mps2[axis],
                        1e-2);
        }
    }
}

static void test_sim043_swaying_is_one_movement(void **state)
{
    struct fixture f;
    (void)state;
    hovering(&f, 4.0, 45.0, 3.0, 0.7f);
    check_derivatives(&f, SECOND + 1, 3 * SECOND); /* 5 m are reached 2.5 s after the start */
    check_derivatives(&f, HOVERS_US, 3 * HOVERS_US);
}

static bool same_but_wind(const struct mf_pose *a, const struct mf_pose *b)
{
    bool same = a->lat_deg == b->lat_deg && a->lon_deg == b->lon_deg &&
                a->alt_amsl_m == b->alt_amsl_m && a->roll_rad == b->roll_rad &&
                a->pitch_rad == b->pitch_rad && a->on_ground == b->on_ground;
    for (size_t i = 0; i < 3; i++) {
        same = same && a->vel_ned_mps[i] == b->vel_ned_mps[i] &&
               a->acc_ned_mps2[i] == b->acc_ned_mps2[i];
    }
    return same;
}

static void test_sim043_no_wind_on_the_ground_and_no_jump_above_it(void **state)
{
    struct fixture f;
    struct mf_pose still;
    double ne_m[2];
    (void)state;
    hovering(&f, 15.0, 120.0, 8.0, 0.0f);
    assert_int_equal(mf_airframe_constant_ops.sample(&f.body, SECOND, &still), MF_E_OK);
    struct mf_leg land = leg_to(LAT_DEG, LON_DEG, 0.0);
    land.land = true;
    assert_int_equal(plan(&f, HOVERS_US, &land), MF_E_OK);
    mf_us_t down_us;
    assert_int_equal(
        mf_wind_airframe_ops.next(&f.wind, HOVERS_US, MF_WHEN_TOUCHDOWN, 0.0, &down_us), MF_E_OK);
    assert_int_equal(down_us, HOVERS_US + 15 * SECOND); /* 30 m at 2 m/s, as in a calm */
    const struct mf_pose low = pose_at(&f, down_us - 1000), on = pose_at(&f, down_us);
    off_home(&low, ne_m);
    assert_true(fabs(ne_m[0]) < 0.001 && fabs(ne_m[1]) < 0.001); /* 2 mm above ground */
    assert_true(fabsf(low.roll_rad) < 0.002f && fabsf(low.pitch_rad) < 0.002f);
    assert_true(on.on_ground && on.lat_deg == LAT_DEG && on.lon_deg == LON_DEG);
    assert_int_equal(mf_airframe_constant_ops.sample(&f.body, down_us, &still), MF_E_OK);
    assert_true(same_but_wind(&on, &still) && on.wind_ne_mps[0] == 0.0f && on.gusts_mps == 0.0f);
}

static void test_sim043_halfway_up_there_is_half_the_wind(void **state)
{
    struct fixture f;
    (void)state;
    hovering(&f, 6.0, 180.0, 0.0, 0.0f);
    const struct mf_pose p = pose_at(&f, SECOND + 1250000); /* 2.5 m of 5 */
    assert_near(p.alt_amsl_m, GROUND_M + 2.5, 1e-6);
    assert_near(p.wind_ne_mps[0], 3.0, 1e-6);
    /* climbing at 2 m/s it pushes air down as well: tan = 3 / (g + 2) */
    assert_near(p.pitch_rad, atan(3.0 / (GRAVITY + 2.0)), 1e-6);
}

static void test_sim042_a_question_changes_no_answer(void **state)
{
    struct fixture f, g;
    (void)state;
    hovering(&f, 5.0, 10.0, 3.0, 0.0f);
    hovering(&g, 5.0, 10.0, 3.0, 0.0f);
    for (mf_us_t t_us = SECOND; t_us < HOVERS_US; t_us += 999) {
        (void)pose_at(&g, t_us);
    }
    const struct mf_pose a = pose_at(&f, HOVERS_US), b = pose_at(&g, HOVERS_US);
    assert_true(same_but_wind(&a, &b) && a.wind_ne_mps[0] == b.wind_ne_mps[0]);
    const struct mf_seed other = {2, 1};
    const struct mf_wind_settings settings = {5.0, 10.0, 3.0, 3.0, 1.0};
    mf_wind_init(&g.wind, &mf_airframe_constant_ops, &g.body, &other, &settings);
    const struct mf_pose c = pose_at(&g, HOVERS_US);
    assert_true(a.lat_deg != c.lat_deg);
}

static void test_falling_it_does_not_lean(void **state)
{
    struct fixture f;
    (void)state;
    hovering(&f, 8.0, 0.0, 0.0, 0.0f);
    assert_int_equal(mf_wind_airframe_ops.arm(&f.wind, HOVERS_US, false), MF_E_OK);
    const struct mf_pose p = pose_at(&f, HOVERS_US + SECOND / 2);
    assert_true(p.pitch_rad == 0.0f && p.roll_rad == 0.0f && p.wind_ne_mps[0] == -8.0f);
}

static void test_refusals_come_through(void **state)
{
    struct fixture f;
    (void)state;
    mf_airframe_constant_init(&f.body, LAT_DEG, LON_DEG, GROUND_M, 0.0f);
    const struct mf_wind_settings settings = {1.0, 0.0, 1.0, 1.0, 1.0};
    mf_wind_init(&f.wind, &mf_airframe_constant_ops, &f.body, &k_seed, &settings);
    struct mf_leg leg = leg_to(LAT_DEG, LON_DEG, GROUND_M + 1.0);
    assert_int_equal(plan(&f, 0, &leg), MF_E_DENIED);
    assert_int_equal(mf_wind_airframe_ops.arm(&f.wind, 0, true), MF_E_OK);
    leg.speed_h_mps = 0.0f;
    assert_int_equal(plan(&f, 0, &leg), MF_E_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim043_it_leans_into_the_wind),
        cmocka_unit_test(test_sim043_steady_wind_moves_nothing),
        cmocka_unit_test(test_sim043_leaning_adds_up),
        cmocka_unit_test(test_sim043_gusts_push_it_off_and_let_it_come_back),
        cmocka_unit_test(test_sim043_swaying_is_one_movement),
        cmocka_unit_test(test_sim043_no_wind_on_the_ground_and_no_jump_above_it),
        cmocka_unit_test(test_sim043_halfway_up_there_is_half_the_wind),
        cmocka_unit_test(test_sim042_a_question_changes_no_answer),
        cmocka_unit_test(test_falling_it_does_not_lean),
        cmocka_unit_test(test_refusals_come_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
