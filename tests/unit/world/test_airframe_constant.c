/* SPDX-License-Identifier: Apache-2.0 */
#include "world/airframe_constant.h"

#include "math/trig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define HOME_LAT_DEG 47.397742
#define HOME_LON_DEG 8.545594
#define GROUND_M     488.0
#define M_PER_DEG    111319.49079327358
#define SECOND       MF_SECOND_US
#define FALL_US      2019620 /* from 20 m */

static const struct mf_airframe_ops *const k_ops = &mf_airframe_constant_ops;

static void assert_near(double got, double want, double tol)
{
    if (!(fabs(got - want) <= tol)) {
        fail_msg("got %.17g, want %.17g, off by %g", got, want, fabs(got - want));
    }
}

static double metres_apart(double lat1_deg, double lon1_deg, double lat2_deg, double lon2_deg)
{
    const double east = remainder(lon1_deg - lon2_deg, 360.0) * cos(lat1_deg * MF_PI / 180.0);
    return hypot(lat1_deg - lat2_deg, east) * M_PER_DEG;
}

static struct mf_pose pose_at(struct mf_airframe_constant *b, mf_us_t t_us)
{
    struct mf_pose pose;
    memset(&pose, 0xff, sizeof pose);
    assert_int_equal(k_ops->sample(b, t_us, &pose), MF_E_OK);
    return pose;
}

static mf_us_t next_us(struct mf_airframe_constant *b, mf_us_t t_us, enum mf_when when,
                       double value)
{
    mf_us_t at_us = -1;
    assert_int_equal(k_ops->next(b, t_us, when, value, &at_us), MF_E_OK);
    return at_us;
}

static bool same_place(const struct mf_pose *a, const struct mf_pose *b)
{
    return a->lat_deg == b->lat_deg && a->lon_deg == b->lon_deg && a->alt_amsl_m == b->alt_amsl_m;
}

static bool same_vector(const float a[3], const float b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Every field; memcmp would also compare padding. */
static bool same_pose(const struct mf_pose *a, const struct mf_pose *b)
{
    return same_place(a, b) && a->ground_amsl_m == b->ground_amsl_m &&
           same_vector(a->vel_ned_mps, b->vel_ned_mps) &&
           same_vector(a->acc_ned_mps2, b->acc_ned_mps2) && a->roll_rad == b->roll_rad &&
           a->pitch_rad == b->pitch_rad && a->yaw_rad == b->yaw_rad &&
           a->yawspeed_rps == b->yawspeed_rps && a->on_ground == b->on_ground;
}

static bool stands(const struct mf_pose *p)
{
    return p->vel_ned_mps[0] == 0.0f && p->vel_ned_mps[1] == 0.0f && p->vel_ned_mps[2] == 0.0f;
}

/* A leg at the default speeds, 10 and 3 m/s, heading kept. */
static struct mf_leg leg_to(double lat_deg, double lon_deg, double alt_m)
{
    return (struct mf_leg){
        .lat_deg = lat_deg,
        .lon_deg = lon_deg,
        .alt_amsl_m = alt_m,
        .speed_h_mps = 10.0f,
        .speed_up_mps = 3.0f,
        .speed_down_mps = 3.0f,
        .yaw_rad = NAN,
        .yaw_rate_rps = 1.0f,
    };
}

static struct mf_leg leg_up(const struct mf_airframe_constant *b, double height_m)
{
    return leg_to(b->end.lat_deg, b->end.lon_deg, b->ground_amsl_m + height_m);
}

static void plan(struct mf_airframe_constant *b, mf_us_t t_us, struct mf_leg leg)
{
    assert_int_equal(k_ops->plan(b, t_us, &leg, 1), MF_E_OK);
}

static void arm(struct mf_airframe_constant *b, mf_us_t t_us, bool on)
{
    assert_int_equal(k_ops->arm(b, t_us, on), MF_E_OK);
}

/* Armed and hovering above a place since some instant that is returned. */
static mf_us_t hover(struct mf_airframe_constant *b, double lat_deg, double lon_deg,
                     double height_m)
{
    mf_airframe_constant_init(b, lat_deg, lon_deg, GROUND_M, 0.5f);
    arm(b, 0, true);
    plan(b, SECOND, leg_up(b, height_m));
    return next_us(b, SECOND, MF_WHEN_ARRIVED, 0.0);
}

static void test_rests_where_it_was_put(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    mf_airframe_constant_init(&b, HOME_LAT_DEG, HOME_LON_DEG, GROUND_M, 0.5f);
    const struct mf_pose p = pose_at(&b, 12345);
    assert_true(p.lat_deg == HOME_LAT_DEG && p.lon_deg == HOME_LON_DEG);
    assert_true(p.alt_amsl_m == GROUND_M && p.ground_amsl_m == GROUND_M);
    assert_true(p.on_ground && stands(&p) && p.yaw_rad == 0.5f && p.yawspeed_rps == 0.0f);
    assert_true(next_us(&b, 7, MF_WHEN_TOUCHDOWN, 0.0) == 7);
    assert_true(next_us(&b, 7, MF_WHEN_LIFTOFF, 0.0) == MF_NEVER);
    assert_true(next_us(&b, 7, MF_WHEN_ARRIVED, 0.0) == MF_NEVER);
    assert_true(next_us(&b, 7, MF_WHEN_DISTANCE, 1e9) == MF_NEVER);
    assert_true(next_us(&b, 7, MF_WHEN_YAW, 0.0) == MF_NEVER);
}

static void test_plan_needs_motors(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    mf_airframe_constant_init(&b, HOME_LAT_DEG, HOME_LON_DEG, GROUND_M, 0.5f);
    const struct mf_leg up = leg_up(&b, 10.0);
    assert_int_equal(k_ops->plan(&b, 0, &up, 1), MF_E_DENIED);
    assert_true(pose_at(&b, 60 * SECOND).on_ground);
    arm(&b, 60 * SECOND, true);
    assert_int_equal(k_ops->plan(&b, 60 * SECOND, &up, 1), MF_E_OK);
}

/* 30 m at 3 m/s: ten seconds, no ramps, nothing but vertical. */
static void test_sim026_vertical_climb_at_the_configured_speed(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    assert_true(hover(&b, HOME_LAT_DEG, HOME_LON_DEG, 30.0) == 11 * SECOND);
    for (mf_us_t t_us = SECOND; t_us < 11 * SECOND; t_us += 37 * MF_MS_US) {
        const struct mf_pose p = pose_at(&b, t_us);
        assert_true(p.lat_deg == HOME_LAT_DEG && p.lon_deg == HOME_LON_DEG);
        assert_near(p.alt_amsl_m, GROUND_M + 3.0 * (double)(t_us - SECOND) * 1e-6, 1e-9);
        assert_near((double)p.vel_ned_mps[2], -3.0, 1e-6);
        assert_true(p.vel_ned_mps[0] == 0.0f && p.vel_ned_mps[1] == 0.0f && !p.on_ground);
    }
    const struct mf_pose up = pose_at(&b, 11 * SECOND);
    assert_true(up.alt_amsl_m == GROUND_M + 30.0 && stands(&up) && !up.on_ground);
    assert_true(next_us(&b, SECOND, MF_WHEN_LIFTOFF, 0.0) == SECOND);
}

/* Legs of 10 km at 10 m/s; the places after 250, 500, 750 and 1,000 s from GeodSolve 2.1.2 in its
 * exact mode, azimuths 30, 90, -60, -100, 135, 75, -170, 45, 100 and 5 deg at the start. */
/* clang-format off */
static const struct {
    double start[2];
    double at[4][2];
} k_long_leg[] = {
    {{0.0, 8.5},
     {{0.0195801734045, 8.5112289414857}, {0.0391603460059, 8.5224578855766},
      {0.0587405170013, 8.5336868348778}, {0.0783206855875, 8.5449157919947}}},
    {{0.0, 179.99},
     {{0.0000000000000, -179.9875421178970}, {0.0000000000000, -179.9650842357940},
      {0.0000000000000, -179.9426263536910}, {0.0000000000000, -179.9201684715880}}},
    {{47.0, 8.5},
     {{47.0112404052282, 8.4715273247263}, {47.0224737060135, 8.4430427033099},
      {47.0336998966460, 8.4145461335867}, {47.0449189714141, 8.3860376134072}}},
    {{47.0, -179.98},
     {{46.9960904388628, 179.9876312199601}, {46.9921717267245, 179.9552671666765},
      {46.9882438661557, 179.9229078498543}, {46.9843068597319, 179.8905532791863}}},
    {{70.0, 25.0},
     {{69.9841483776744, 25.0462578034740}, {69.9682847248065, 25.0924454260562},
      {69.9524090698230, 25.1385629815294}, {69.9365214410818, 25.1846105836511}}},
    {{70.0, 179.9},
     {{70.0057886614102, 179.9632548770084}, {70.0115548501772, -179.9734552043370},
      {70.0172985468825, -179.9101303501388}, {70.0230197321614, -179.8467706669365}}},
    {{-35.0, 149.0},
     {{-35.0221921019063, 148.9952432203820}, {-35.0443839359627, 148.9904838694219},
      {-35.0665755018943, 148.9857219436333}, {-35.0887667994257, 148.9809574395245}}},
    {{-35.0, 179.97},
     {{-34.9840640759617, 179.9893609353467}, {-34.9681250240510, -179.9912856313359},
      {-34.9521828472713, -179.9719396941585}, {-34.9362375486231, -179.9526012472337}}},
    {{89.9, 10.0},
     {{89.8938005711352, 21.9792911112146}, {89.8835586126605, 32.2472050694767},
      {89.8702277610152, 40.6350034173747}, {89.8546554758220, 47.3461699374609}}},
    {{-89.95, -170.0},
     {{-89.9276762735362, -168.4543866125285}, {-89.9053247492101, -167.6381866499242},
      {-89.8829613518806, -167.1338283417014}, {-89.8605917951033, -166.7913094563324}}},
};
/* clang-format on */

static void test_sim037_straight_geodesic_segments(void **state)
{
    static const mf_us_t k_quarter_us[3] = {250 * SECOND, 500 * SECOND, 750 * SECOND};
    (void)state;
    for (size_t i = 0; i < sizeof k_long_leg / sizeof k_long_leg[0]; i++) {
        const double *end = k_long_leg[i].at[3];
        struct mf_airframe_constant b;
        const mf_us_t t0_us = hover(&b, k_long_leg[i].start[0], k_long_leg[i].start[1], 50.0);
        plan(&b, t0_us, leg_to(end[0], end[1], GROUND_M + 150.0));
        assert_near((double)next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0), (double)t0_us + 1e9, 2.0);
        for (int k = 0; k < 3; k++) {
            const struct mf_pose p = pose_at(&b, t0_us + k_quarter_us[k]);
            const double *at = k_long_leg[i].at[k];
            assert_near(metres_apart(p.lat_deg, p.lon_deg, at[0], at[1]), 0.0, 1e-5);
            assert_near(p.alt_amsl_m, GROUND_M + 50.0 + 25.0 * (k + 1), 1e-7);
            assert_near(hypot((double)p.vel_ned_mps[0], (double)p.vel_ned_mps[1]), 10.0, 1e-5);
            assert_near((double)p.vel_ned_mps[2], -0.1, 1e-7);
        }
    }
}

/* Velocity is the derivative of position, under every heading and across the antimeridian. */
static void test_velocity_is_the_derivative_of_position(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof k_long_leg / sizeof k_long_leg[0]; i++) {
        const double *end = k_long_leg[i].at[3];
        struct mf_airframe_constant b;
        const mf_us_t t0_us = hover(&b, k_long_leg[i].start[0], k_long_leg[i].start[1], 50.0);
        plan(&b, t0_us, leg_to(end[0], end[1], GROUND_M + 50.0));
        for (mf_us_t t_us = t0_us; t_us < t0_us + 990 * SECOND; t_us += 111 * SECOND) {
            const struct mf_pose p = pose_at(&b, t_us);
            const struct mf_pose q = pose_at(&b, t_us + SECOND);
            double ne_m[2];
            mf_geo_to_local((struct mf_geo){p.lat_deg, p.lon_deg},
                            (struct mf_geo){q.lat_deg, q.lon_deg}, ne_m);
            assert_near(ne_m[0], (double)p.vel_ned_mps[0], 1e-5);
            assert_near(ne_m[1], (double)p.vel_ned_mps[1], 1e-5);
            assert_true(p.roll_rad == 0.0f && p.pitch_rad == 0.0f && p.acc_ned_mps2[0] == 0.0f);
        }
    }
}

/* At the target to the bit from the arrival on and not before; no overshoot, no speed left. */
static void test_sim037_exact_arrival(void **state)
{
    const struct mf_leg leg = leg_to(47.4012345678901, 8.5498765432101, 521.25);
    struct mf_airframe_constant b;
    (void)state;
    const mf_us_t t0_us = hover(&b, HOME_LAT_DEG, HOME_LON_DEG, 20.0);
    plan(&b, t0_us, leg);
    const mf_us_t arrive_us = next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0);
    const struct mf_pose before = pose_at(&b, arrive_us - 1);
    const struct mf_pose at = pose_at(&b, arrive_us);
    const struct mf_pose later = pose_at(&b, arrive_us + 3600 * SECOND);
    assert_false(stands(&before));
    assert_near(metres_apart(before.lat_deg, before.lon_deg, leg.lat_deg, leg.lon_deg), 0.0, 3e-5);
    assert_true(at.lat_deg == leg.lat_deg && at.lon_deg == leg.lon_deg);
    assert_true(at.alt_amsl_m == leg.alt_amsl_m && stands(&at) && !at.on_ground);
    assert_true(same_pose(&later, &at));
    assert_true(next_us(&b, arrive_us + 5, MF_WHEN_ARRIVED, 0.0) == arrive_us + 5);
}

/* At the very instant of arrival it stands at the target; where another leg follows, the sample
 * carries the velocity of the leg that ends there: 10 m/s to the north. Without one, a microsecond
 * later, and on the ground it is at rest. */
static void test_sim037_velocity_with_which_it_passes(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    const mf_us_t t0_us = hover(&b, HOME_LAT_DEG, HOME_LON_DEG, 20.0);
    const double north_deg = HOME_LAT_DEG + 0.000899; /* 99.95 m by GeographicLib */
    struct mf_leg legs[2] = {leg_to(north_deg, HOME_LON_DEG, GROUND_M + 20.0),
                             leg_to(HOME_LAT_DEG, HOME_LON_DEG + 1e-3, GROUND_M + 20.0)};
    assert_int_equal(k_ops->plan(&b, t0_us, legs, 2), MF_E_OK);
    const mf_us_t at_us = next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0);
    struct mf_pose p = pose_at(&b, at_us);
    assert_true(p.lat_deg == north_deg && p.alt_amsl_m == GROUND_M + 20.0);
    assert_near((double)p.vel_ned_mps[0], 10.0, 1e-5);
    assert_near((double)p.vel_ned_mps[1], 0.0, 1e-5);
    p = pose_at(&b, at_us + 1);
    assert_true(stands(&p));
    plan(&b, at_us + SECOND, legs[1]);
    p = pose_at(&b, next_us(&b, at_us + SECOND, MF_WHEN_ARRIVED, 0.0));
    assert_true(stands(&p));
    legs[0].alt_amsl_m = GROUND_M; /* it touches the ground there */
    const mf_us_t back_us = at_us + 100 * SECOND;
    assert_int_equal(k_ops->plan(&b, back_us, legs, 2), MF_E_OK);
    p = pose_at(&b, next_us(&b, back_us, MF_WHEN_ARRIVED, 0.0));
    assert_true(stands(&p) && p.on_ground);
}

/* For an audit (SIM-048) the sample at the arrival carries the leg's 10 m/s even where the body
 * stops; a microsecond later it is at rest. */
static void test_sim048_audited_it_arrives_with_its_speed(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    const mf_us_t t0_us = hover(&b, HOME_LAT_DEG, HOME_LON_DEG, 20.0);
    mf_airframe_constant_set_audit(&b, true);
    plan(&b, t0_us, leg_to(HOME_LAT_DEG + 0.000899, HOME_LON_DEG, GROUND_M + 20.0));
    const mf_us_t at_us = next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0);
    struct mf_pose p = pose_at(&b, at_us);
    assert_near((double)p.vel_ned_mps[0], 10.0, 1e-5);
    p = pose_at(&b, at_us + 1);
    assert_true(stands(&p));
    mf_airframe_constant_set_audit(&b, false);
    p = pose_at(&b, at_us);
    assert_true(stands(&p));
}

/* For an audit (SIM-048) it stops 20 ms beyond its target: 0.2 m at 10 m/s, 6 cm at 3 m/s up. With
 * ramps it has no speed left there, and on the ground nothing is beyond. */
static void test_sim048_audited_it_stops_beyond_its_target(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    const mf_us_t t0_us = hover(&b, 0.0, 8.0, 20.0);
    mf_airframe_constant_set_audit(&b, true);
    plan(&b, t0_us, leg_to(0.0, 8.0 + 50.0 / M_PER_DEG, GROUND_M + 20.0));
    mf_us_t at_us = next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0);
    assert_near((double)at_us, (double)t0_us + 5.02e6, 1.0);
    struct mf_pose p = pose_at(&b, at_us + SECOND);
    assert_near((p.lon_deg - 8.0) * M_PER_DEG, 50.2, 1e-6);
    assert_true(stands(&p) && !p.on_ground);

    plan(&b, at_us, leg_to(0.0, p.lon_deg, GROUND_M + 50.0));
    at_us = next_us(&b, at_us, MF_WHEN_ARRIVED, 0.0);
    p = pose_at(&b, at_us);
    assert_near(p.alt_amsl_m, GROUND_M + 50.06, 1e-6);

    plan(&b, at_us, leg_to(0.0, p.lon_deg, GROUND_M));
    p = pose_at(&b, next_us(&b, at_us, MF_WHEN_TOUCHDOWN, 0.0));
    assert_true(p.on_ground && p.alt_amsl_m == GROUND_M);
}

static void test_sim048_audited_ramps_end_at_the_target(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    const mf_us_t t0_us = hover(&b, 0.0, 8.0, 20.0);
    mf_airframe_constant_set_audit(&b, true);
    mf_airframe_constant_set_accel(&b, 4.0f);
    plan(&b, t0_us, leg_to(0.0, 8.0 + 50.0 / M_PER_DEG, GROUND_M + 20.0));
    const struct mf_pose p = pose_at(&b, next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0));
    assert_near((p.lon_deg - 8.0) * M_PER_DEG, 50.0, 1e-7);
}

/* One degree of the equator is 111,319.490793 m: at 10 m/s 11,131,949,079.33 us, rounded up. */
static void test_sim037_duration_is_rounded_up(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    const mf_us_t t0_us = hover(&b, 0.0, 8.0, 20.0);
    plan(&b, t0_us, leg_to(0.0, 9.0, GROUND_M + 20.0));
    assert_true(next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0) - t0_us == INT64_C(11131949080));
}

/* 30 m up at 3 m/s take longer than 40 m across at 10 m/s: the path stays straight all the same. */
static void test_sim037_slower_axis_sets_the_duration(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    const mf_us_t t0_us = hover(&b, 0.0, 8.0, 20.0);
    plan(&b, t0_us, leg_to(0.0, 8.0 + 40.0 / M_PER_DEG, GROUND_M + 50.0));
    const struct mf_pose half = pose_at(&b, t0_us + 5 * SECOND);
    assert_near((double)next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0), (double)t0_us + 10e6, 1.0);
    assert_near(half.alt_amsl_m, GROUND_M + 35.0, 1e-9);
    assert_near((half.lon_deg - 8.0) * M_PER_DEG, 20.0, 1e-7);
    assert_near((double)half.vel_ned_mps[1], 4.0, 1e-6);
    assert_near((double)half.vel_ned_mps[2], -3.0, 1e-6);
}

static void test_100_metres_per_second(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    const mf_us_t t0_us = hover(&b, 0.0, 179.5, 20.0);
    struct mf_leg leg = leg_to(0.0, -179.5, GROUND_M + 20.0);
    leg.speed_h_mps = 100.0f;
    plan(&b, t0_us, leg);
    assert_true(next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0) - t0_us == INT64_C(1113194908));
    const struct mf_pose p = pose_at(&b, t0_us + 1000 * SECOND);
    assert_near(p.lon_deg, -180.5 + 100000.0 / M_PER_DEG, 1e-12);
    assert_near((double)p.vel_ned_mps[1], 100.0, 1e-5);
}

/* A new plan in mid leg: no jump, and off at once in the new direction. */
static void test_sim027_replanning_goes_on_from_here(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    mf_us_t t_us = hover(&b, HOME_LAT_DEG, HOME_LON_DEG, 20.0);
    plan(&b, t_us, leg_to(47.41, 8.56, 600.0));
    for (int i = 0; i < 50; i++) {
        t_us += 1234567;
        const struct mf_pose before = pose_at(&b, t_us);
        plan(&b, t_us, leg_to(47.39 + 0.001 * i, 8.53 + 0.0005 * i, 520.0 + i));
        const struct mf_pose after = pose_at(&b, t_us);
        const struct mf_pose soon = pose_at(&b, t_us + 1);
        assert_true(same_place(&before, &after) && before.yaw_rad == after.yaw_rad);
        assert_near(metres_apart(soon.lat_deg, soon.lon_deg, after.lat_deg, after.lon_deg), 0.0,
                    1.1e-5);
    }
}

static void test_plan_of_nothing_stops_at_once(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    const mf_us_t t0_us = hover(&b, HOME_LAT_DEG, HOME_LON_DEG, 20.0);
    plan(&b, t0_us, leg_to(47.41, 8.56, 600.0));
    const struct mf_pose moving = pose_at(&b, t0_us + 5 * SECOND);
    assert_int_equal(k_ops->plan(&b, t0_us + 5 * SECOND, NULL, 0), MF_E_OK);
    const struct mf_pose held = pose_at(&b, t0_us + 5 * SECOND);
    const struct mf_pose later = pose_at(&b, t0_us + 500 * SECOND);
    assert_true(same_place(&moving, &held) && same_place(&held, &later));
    assert_true(stands(&held) && !held.on_ground);
    assert_true(next_us(&b, t0_us + 6 * SECOND, MF_WHEN_ARRIVED, 0.0) == MF_NEVER);
}

/* Hours of hovering leave every bit where it was. */
static void test_sim043_no_drift_in_the_hover(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    const mf_us_t t0_us = hover(&b, HOME_LAT_DEG, HOME_LON_DEG, 20.0);
    const struct mf_pose first = pose_at(&b, t0_us);
    for (mf_us_t t_us = t0_us; t_us < t0_us + 36000 * SECOND; t_us += 777 * SECOND) {
        const struct mf_pose p = pose_at(&b, t_us);
        assert_true(same_pose(&p, &first));
    }
}

/* What is asked in between, and how often, changes nothing. */
static void test_sim042_asking_changes_nothing(void **state)
{
    struct mf_airframe_constant asked, left_alone;
    (void)state;
    const mf_us_t t0_us = hover(&asked, HOME_LAT_DEG, HOME_LON_DEG, 20.0);
    (void)hover(&left_alone, HOME_LAT_DEG, HOME_LON_DEG, 20.0);
    plan(&asked, t0_us, leg_to(47.41, 8.56, 600.0));
    plan(&left_alone, t0_us, leg_to(47.41, 8.56, 600.0));
    for (mf_us_t t_us = t0_us; t_us < t0_us + 100 * SECOND; t_us += 99991) {
        (void)pose_at(&asked, t_us);
        (void)next_us(&asked, t_us, MF_WHEN_ALTITUDE, 550.0);
    }
    const struct mf_pose a = pose_at(&asked, t0_us + 100 * SECOND);
    const struct mf_pose l = pose_at(&left_alone, t0_us + 100 * SECOND);
    assert_true(same_pose(&a, &l));
}

/* 20 m at 3 m/s: 6.666667 s, straight down, whatever the leg's target. */
static void test_sim029_landing_is_vertical_and_stops_on_the_ground(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    const mf_us_t t0_us = hover(&b, HOME_LAT_DEG, HOME_LON_DEG, 20.0);
    struct mf_leg land = leg_to(47.5, 8.6, 0.0);
    land.land = true;
    land.alt_amsl_m = (double)NAN;
    plan(&b, t0_us, land);
    const mf_us_t down_us = next_us(&b, t0_us, MF_WHEN_TOUCHDOWN, 0.0);
    assert_true(down_us == t0_us + 6666667);
    assert_true(next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0) == down_us);
    const struct mf_pose before = pose_at(&b, down_us - 1);
    const struct mf_pose at = pose_at(&b, down_us);
    assert_near((double)before.vel_ned_mps[2], 3.0, 1e-6);
    assert_true(!before.on_ground && before.alt_amsl_m > GROUND_M);
    assert_true(at.on_ground && stands(&at) && at.alt_amsl_m == GROUND_M);
    assert_true(at.lat_deg == HOME_LAT_DEG && at.lon_deg == HOME_LON_DEG);
    arm(&b, down_us + 2 * SECOND, false);
    assert_true(pose_at(&b, down_us + 3 * SECOND).on_ground);
}

/* From 20 m towards 20 m below ground: half way it meets the ground and stays. */
static void test_a_target_below_ground_ends_on_it(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    const mf_us_t t0_us = hover(&b, 0.0, 8.0, 20.0);
    plan(&b, t0_us, leg_to(0.0, 8.0 + 1000.0 / M_PER_DEG, GROUND_M - 20.0));
    const mf_us_t down_us = next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0);
    assert_near((double)(down_us - t0_us), 50e6, 1.0);
    assert_true(next_us(&b, t0_us, MF_WHEN_TOUCHDOWN, 0.0) == down_us);
    const struct mf_pose p = pose_at(&b, down_us);
    assert_true(p.on_ground && stands(&p) && p.alt_amsl_m == GROUND_M);
    assert_near((p.lon_deg - 8.0) * M_PER_DEG, 500.0, 1e-6);
    assert_true(next_us(&b, t0_us, MF_WHEN_DISTANCE, 400.0) == MF_NEVER);
    assert_near((double)(next_us(&b, t0_us, MF_WHEN_DISTANCE, 600.0) - t0_us), 40e6, 1.0);
    /* On the ground already: nothing moves. */
    plan(&b, down_us, leg_to(0.0, 8.5, GROUND_M - 1.0));
    const struct mf_pose q = pose_at(&b, down_us);
    assert_true(q.on_ground && same_place(&p, &q));
}

/* 20 m: sqrt(2 * 20 / 9.80665) = 2.01961998... s; half of that time leaves 15 m. */
static void test_without_motors_it_falls(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    const mf_us_t t0_us = hover(&b, HOME_LAT_DEG, HOME_LON_DEG, 20.0);
    plan(&b, t0_us, leg_to(47.41, 8.56, GROUND_M + 20.0));
    const mf_us_t off_us = t0_us + SECOND;
    const struct mf_pose last = pose_at(&b, off_us);
    arm(&b, off_us, false);
    const mf_us_t down_us = next_us(&b, off_us, MF_WHEN_TOUCHDOWN, 0.0);
    assert_true(down_us == off_us + FALL_US);
    const struct mf_pose half = pose_at(&b, off_us + FALL_US / 2);
    assert_near(half.alt_amsl_m, GROUND_M + 15.0, 1e-4);
    assert_near((double)half.vel_ned_mps[2], 9.80665 * FALL_US / 2e6, 1e-4);
    assert_near((double)half.acc_ned_mps2[2], 9.80665, 1e-6);
    assert_true(half.lat_deg == last.lat_deg && half.lon_deg == last.lon_deg);
    assert_true(pose_at(&b, down_us - 1).alt_amsl_m > GROUND_M);
    const struct mf_pose at = pose_at(&b, down_us);
    assert_true(at.on_ground && stands(&at) && at.alt_amsl_m == GROUND_M);
    assert_true(at.acc_ned_mps2[2] == 0.0f);
    assert_true(next_us(&b, off_us, MF_WHEN_ARRIVED, 0.0) == MF_NEVER);
}

static void test_motors_on_again_end_the_fall(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    const mf_us_t t0_us = hover(&b, HOME_LAT_DEG, HOME_LON_DEG, 20.0);
    arm(&b, t0_us, false);
    const struct mf_pose falling = pose_at(&b, t0_us + SECOND);
    arm(&b, t0_us + SECOND, true);
    const struct mf_pose held = pose_at(&b, t0_us + 9 * SECOND);
    assert_true(same_place(&falling, &held) && stands(&held) && !held.on_ground);
}

/* The instant of every event is the first microsecond at which a sample shows it. */
static void test_sim038_events_agree_with_samples_to_the_microsecond(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    const mf_us_t t0_us = hover(&b, HOME_LAT_DEG, HOME_LON_DEG, 20.0);
    plan(&b, t0_us, leg_to(47.41, 8.56, 600.0));
    for (int i = 0; i < 13; i++) {
        const double alt_m = 509.0 + 7.3 * i;
        const mf_us_t at_us = next_us(&b, t0_us, MF_WHEN_ALTITUDE, alt_m);
        assert_true(pose_at(&b, at_us).alt_amsl_m >= alt_m);
        assert_true(pose_at(&b, at_us - 1).alt_amsl_m < alt_m);
        assert_true(next_us(&b, at_us + 1, MF_WHEN_ALTITUDE, alt_m) == MF_NEVER);
    }
    for (int i = 0; i < 14; i++) {
        const double far_m = 1.0 + 111.0 * i;
        const mf_us_t at_us = next_us(&b, t0_us, MF_WHEN_DISTANCE, far_m);
        const struct mf_pose p = pose_at(&b, at_us);
        const struct mf_geo_line line =
            mf_geo_inverse((struct mf_geo){p.lat_deg, p.lon_deg}, (struct mf_geo){47.41, 8.56});
        assert_near(line.distance_m, far_m, 1.1e-5);
        assert_true(next_us(&b, at_us + 9, MF_WHEN_DISTANCE, far_m) == at_us + 9);
    }
    assert_true(next_us(&b, t0_us, MF_WHEN_ALTITUDE, 600.0) ==
                next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0));
    assert_true(next_us(&b, t0_us, MF_WHEN_ALTITUDE, 600.1) == MF_NEVER);
    assert_true(next_us(&b, t0_us, MF_WHEN_ALTITUDE, 500.0) == MF_NEVER);
    assert_true(next_us(&b, t0_us, MF_WHEN_DISTANCE, 1e7) == t0_us);
    assert_true(next_us(&b, t0_us, MF_WHEN_TOUCHDOWN, 0.0) == MF_NEVER);
}

static void test_at_rest_from_its_arrival_on(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    const mf_us_t t0_us = hover(&b, 47.0, 8.0, 20.0);
    assert_true(next_us(&b, t0_us, MF_WHEN_REST, 0.0) == t0_us);
    plan(&b, t0_us, leg_up(&b, 30.0));
    assert_true(next_us(&b, t0_us + 1, MF_WHEN_REST, 0.0) ==
                next_us(&b, t0_us + 1, MF_WHEN_ARRIVED, 0.0));
    assert_int_equal(k_ops->plan(&b, t0_us + 9, NULL, 0), MF_E_OK);
    assert_true(next_us(&b, t0_us + 9, MF_WHEN_REST, 0.0) == t0_us + 9); /* it stops at once */
}

static void test_altitude_is_passed_downwards_too(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    const mf_us_t t0_us = hover(&b, HOME_LAT_DEG, HOME_LON_DEG, 30.0);
    plan(&b, t0_us, leg_up(&b, 0.0));
    assert_true(next_us(&b, t0_us, MF_WHEN_ALTITUDE, GROUND_M + 15.0) == t0_us + 5 * SECOND);
    assert_true(next_us(&b, t0_us, MF_WHEN_ALTITUDE, GROUND_M) == t0_us + 10 * SECOND);
    assert_true(next_us(&b, t0_us, MF_WHEN_ALTITUDE, GROUND_M + 30.0) == t0_us);
}

/* 1,000 m along the equator with a radius of 50 m: reached after 95 s, yet flown to the end. */
static void test_arrival_within_a_radius(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    const mf_us_t t0_us = hover(&b, 0.0, 8.0, 20.0);
    struct mf_leg leg = leg_to(0.0, 8.0 + 1000.0 / M_PER_DEG, GROUND_M + 20.0);
    leg.radius_m = 50.0f;
    plan(&b, t0_us, leg);
    assert_near((double)(next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0) - t0_us), 95e6, 1.0);
    assert_true(pose_at(&b, t0_us + 100 * SECOND + 1).lon_deg == leg.lon_deg);
    /* A climb on the spot is not over when it begins. */
    leg.alt_amsl_m += 30.0;
    plan(&b, t0_us + 200 * SECOND, leg);
    assert_true(next_us(&b, t0_us + 200 * SECOND, MF_WHEN_ARRIVED, 0.0) == t0_us + 210 * SECOND);
}

/* From 3.0 to -3.0 rad the short way: 2 pi - 6 = 0.28318531 rad clockwise, at 0.1 rad/s. */
static void test_yaw_turns_the_short_way_while_it_flies(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    mf_airframe_constant_init(&b, HOME_LAT_DEG, HOME_LON_DEG, GROUND_M, 3.0f);
    arm(&b, 0, true);
    struct mf_leg leg = leg_up(&b, 30.0);
    leg.yaw_rad = -3.0f;
    leg.yaw_rate_rps = 0.1f;
    plan(&b, 0, leg);
    const mf_us_t turned_us = next_us(&b, 0, MF_WHEN_YAW, 0.0);
    assert_near((double)turned_us, 2831853.0, 2.0);
    assert_near((double)pose_at(&b, SECOND).yaw_rad, 3.1, 1e-6);
    assert_near((double)pose_at(&b, 2 * SECOND).yaw_rad, 3.2 - 2.0 * MF_PI, 1e-6);
    assert_near((double)pose_at(&b, SECOND).yawspeed_rps, 0.1, 1e-8);
    assert_true(pose_at(&b, turned_us).yaw_rad == -3.0f);
    assert_true(pose_at(&b, turned_us).yawspeed_rps == 0.0f);
    leg.yaw_rad = 3.0f;
    plan(&b, 4 * SECOND, leg);
    assert_near((double)pose_at(&b, 5 * SECOND).yaw_rad, -3.1, 1e-6);
    leg.yaw_rad = NAN;
    plan(&b, 5 * SECOND, leg);
    assert_near((double)pose_at(&b, 9 * SECOND).yaw_rad, -3.1, 1e-6);
    assert_true(next_us(&b, 5 * SECOND, MF_WHEN_YAW, 0.0) == 5 * SECOND);
}

/* 3 m down take a second, and after it the turn by 2 rad is over, half done. */
static void test_touchdown_ends_a_turn(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    const mf_us_t t0_us = hover(&b, HOME_LAT_DEG, HOME_LON_DEG, 3.0);
    struct mf_leg land = leg_up(&b, 0.0);
    land.land = true;
    land.yaw_rad = 2.5f;
    plan(&b, t0_us, land);
    const struct mf_pose p = pose_at(&b, t0_us + 5 * SECOND);
    assert_near((double)p.yaw_rad, 1.5, 1e-6);
    assert_true(p.yawspeed_rps == 0.0f && p.on_ground);
    assert_true(next_us(&b, t0_us, MF_WHEN_YAW, 0.0) == MF_NEVER);
}

static void test_legs_that_cannot_be_flown_change_nothing(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    const mf_us_t t0_us = hover(&b, HOME_LAT_DEG, HOME_LON_DEG, 20.0);
    plan(&b, t0_us, leg_to(47.41, 8.56, 600.0));
    const mf_us_t arrive_us = next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0);
    const struct mf_pose before = pose_at(&b, t0_us + 5 * SECOND);
    struct mf_leg bad[22];
    for (size_t i = 0; i < 22; i++) {
        bad[i] = leg_to(47.42, 8.57, 550.0);
    }
    bad[0].lat_deg = (double)NAN;
    bad[1].lat_deg = 90.0000001;
    bad[2].lat_deg = -(double)INFINITY;
    bad[3].lon_deg = (double)NAN;
    bad[4].lon_deg = 180.1;
    bad[5].alt_amsl_m = (double)NAN;
    bad[6].alt_amsl_m = (double)INFINITY;
    bad[7].speed_h_mps = 0.0f;
    bad[8].speed_h_mps = -1.0f;
    bad[9].speed_h_mps = NAN;
    bad[10].speed_h_mps = INFINITY;
    bad[11].speed_up_mps = 0.0f;
    bad[12].speed_down_mps = NAN;
    bad[13].yaw_rad = INFINITY;
    bad[14].yaw_rad = 1.0f, bad[14].yaw_rate_rps = 0.0f;
    bad[15].yaw_rad = 1.0f, bad[15].yaw_rate_rps = NAN;
    bad[16].radius_m = -1.0f;
    bad[17].radius_m = NAN;
    bad[18].speed_h_mps = 1e-30f;
    bad[19].lat_deg = -47.4, bad[19].lon_deg = -171.4; /* nearly the antipode */
    bad[20].yaw_rad = 2.0f, bad[20].yaw_rate_rps = 1e-30f;
    bad[21].land = true, bad[21].speed_down_mps = 0.0f;
    for (size_t i = 0; i < 22; i++) {
        assert_int_equal(k_ops->plan(&b, t0_us + SECOND, &bad[i], 1), MF_E_RANGE);
        const struct mf_pose after = pose_at(&b, t0_us + 5 * SECOND);
        assert_true(same_pose(&after, &before));
    }
    const struct mf_leg second[2] = {leg_to(47.42, 8.57, 550.0), bad[1]};
    assert_int_equal(k_ops->plan(&b, t0_us + SECOND, second, 2), MF_E_RANGE);
    assert_true(next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0) == arrive_us);
}

/* Over the pole: 20 km from 89.9 north to the other side, and down the opposite meridian. */
static void test_over_the_pole(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    const mf_us_t t0_us = hover(&b, 89.9, 10.0, 20.0);
    plan(&b, t0_us, leg_to(89.9, -170.0, GROUND_M + 20.0));
    const mf_us_t arrive_us = next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0);
    const struct mf_pose middle = pose_at(&b, (t0_us + arrive_us) / 2);
    const struct mf_pose beyond = pose_at(&b, t0_us + 3 * (arrive_us - t0_us) / 4);
    assert_near(middle.lat_deg, 90.0, 1e-9);
    assert_near(beyond.lat_deg, 89.95, 1e-9);
    assert_near(beyond.lon_deg, -170.0, 1e-6);
    assert_near((double)beyond.vel_ned_mps[0], -10.0, 1e-5);
    assert_true(pose_at(&b, arrive_us).lon_deg == -170.0);
}

static void test_two_bodies_do_not_touch(void **state)
{
    struct mf_airframe_constant a, b;
    (void)state;
    const mf_us_t t0_us = hover(&a, 10.0, 20.0, 20.0);
    (void)hover(&b, -10.0, -20.0, 20.0);
    const struct mf_pose before = pose_at(&b, t0_us + SECOND);
    plan(&a, t0_us, leg_to(10.1, 20.1, 600.0));
    const struct mf_pose after = pose_at(&b, t0_us + SECOND);
    assert_true(same_pose(&before, &after));
}

/* 100 m at 10 m/s with 2 m/s^2: ramps of 5 s and 25 m, 50 m between them: 15 s. 8 m take two ramps
 * of 2 s. Position and velocity do not jump. */
static void test_ramps(void **state)
{
    struct mf_airframe_constant b;
    (void)state;
    mf_us_t t0_us = hover(&b, 0.0, 8.0, 20.0);
    mf_airframe_constant_set_accel(&b, 2.0f);
    plan(&b, t0_us, leg_to(0.0, 8.0 + 100.0 / M_PER_DEG, GROUND_M + 20.0));
    const mf_us_t arrive_us = next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0);
    assert_near((double)(arrive_us - t0_us), 15e6, 1.0);
    assert_near((pose_at(&b, t0_us + 4 * SECOND).lon_deg - 8.0) * M_PER_DEG, 16.0, 1e-7);
    assert_near((pose_at(&b, t0_us + 8 * SECOND).lon_deg - 8.0) * M_PER_DEG, 55.0, 1e-7);
    assert_near((pose_at(&b, t0_us + 13 * SECOND).lon_deg - 8.0) * M_PER_DEG, 96.0, 1e-7);
    struct mf_pose p = pose_at(&b, t0_us);
    for (mf_us_t t_us = t0_us + 1000; t_us < arrive_us + 3000; t_us += 1000) {
        const struct mf_pose q = pose_at(&b, t_us);
        const double speed = 0.5 * (double)(p.vel_ned_mps[1] + q.vel_ned_mps[1]);
        assert_near((q.lon_deg - p.lon_deg) * M_PER_DEG, speed * 1e-3, 2e-6);
        assert_near((double)q.vel_ned_mps[1], (double)p.vel_ned_mps[1], 2.0e-3 + 1e-5);
        p = q;
    }
    assert_true(stands(&p) && p.lon_deg == 8.0 + 100.0 / M_PER_DEG);
    t0_us = arrive_us;
    plan(&b, t0_us, leg_to(0.0, p.lon_deg + 8.0 / M_PER_DEG, GROUND_M + 20.0));
    assert_near((double)(next_us(&b, t0_us, MF_WHEN_ARRIVED, 0.0) - t0_us), 4e6, 1.0);
    assert_near((double)pose_at(&b, t0_us + 2 * SECOND).vel_ned_mps[1], 4.0, 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rests_where_it_was_put),
        cmocka_unit_test(test_plan_needs_motors),
        cmocka_unit_test(test_sim026_vertical_climb_at_the_configured_speed),
        cmocka_unit_test(test_sim037_straight_geodesic_segments),
        cmocka_unit_test(test_velocity_is_the_derivative_of_position),
        cmocka_unit_test(test_sim037_exact_arrival),
        cmocka_unit_test(test_sim037_velocity_with_which_it_passes),
        cmocka_unit_test(test_sim048_audited_it_arrives_with_its_speed),
        cmocka_unit_test(test_sim048_audited_it_stops_beyond_its_target),
        cmocka_unit_test(test_sim048_audited_ramps_end_at_the_target),
        cmocka_unit_test(test_sim037_duration_is_rounded_up),
        cmocka_unit_test(test_sim037_slower_axis_sets_the_duration),
        cmocka_unit_test(test_100_metres_per_second),
        cmocka_unit_test(test_sim027_replanning_goes_on_from_here),
        cmocka_unit_test(test_plan_of_nothing_stops_at_once),
        cmocka_unit_test(test_sim043_no_drift_in_the_hover),
        cmocka_unit_test(test_sim042_asking_changes_nothing),
        cmocka_unit_test(test_sim029_landing_is_vertical_and_stops_on_the_ground),
        cmocka_unit_test(test_a_target_below_ground_ends_on_it),
        cmocka_unit_test(test_without_motors_it_falls),
        cmocka_unit_test(test_motors_on_again_end_the_fall),
        cmocka_unit_test(test_sim038_events_agree_with_samples_to_the_microsecond),
        cmocka_unit_test(test_at_rest_from_its_arrival_on),
        cmocka_unit_test(test_altitude_is_passed_downwards_too),
        cmocka_unit_test(test_arrival_within_a_radius),
        cmocka_unit_test(test_yaw_turns_the_short_way_while_it_flies),
        cmocka_unit_test(test_touchdown_ends_a_turn),
        cmocka_unit_test(test_legs_that_cannot_be_flown_change_nothing),
        cmocka_unit_test(test_over_the_pole),
        cmocka_unit_test(test_two_bodies_do_not_touch),
        cmocka_unit_test(test_ramps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
