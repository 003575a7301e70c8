/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The proof of SIM-036: bodies that are sent elsewhere again and again, in whatever state they are,
 * looked at every other millisecond; with MF_LONG=1 of many plans every millisecond.
 */
#include "tests/unit/world/physics_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/support/cases.h"

#define PLANS      60
#define PLANS_LONG 5000

static uint64_t g_random;
static mf_us_t g_step_us;

static double random_between(double low, double high)
{
    g_random += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = g_random;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return low + (high - low) * ((double)((z ^ (z >> 31)) >> 11) * 0x1p-53);
}

/* What must hold between two samples. */
struct bounds {
    double speed_h_mps;
    double up_mps;
    double down_mps;
    double acc_h_mps2;
    double acc_up_mps2;
    double acc_down_mps2;
    double jerk_mps3;
};

/* The same speeds all the time: never more. */
static const struct bounds k_same = {10.0, 3.0, 1.5, 3.0, 4.0, 3.0, 4.0};

/* Floats have 24 bits: of 10 m/s half a micrometre per second, of 4 m/s^2 a quarter of that. */
#define V_TOL   2e-6
#define A_TOL   1e-6
#define P_TOL_M 1e-7 /* the inverse geodesic problem is solved to 25 nm */

/* The velocity that remains when the acceleration is taken back: unavoidable. */
static double without_acc(double v, double a, double jerk)
{
    return v + a * fabs(a) / (2.0 * jerk);
}

/* With speeds that change: where it was faster before, it may be so for a while. */
static struct bounds bounds_of(const struct mf_pose *p, const struct mf_leg *leg)
{
    const struct mf_physics_limits *l = &mf_physics_limits_px4;
    const double jerk = (double)l->jerk_mps3;
    double left[2];
    double a_h = hypot((double)p->acc_ned_mps2[0], (double)p->acc_ned_mps2[1]);
    for (int i = 0; i < 2; i++) {
        left[i] = (double)p->vel_ned_mps[i] + (double)p->acc_ned_mps2[i] * a_h / (2.0 * jerk);
    }
    const double v_up = -(double)p->vel_ned_mps[2];
    const double left_up = without_acc(v_up, -(double)p->acc_ned_mps2[2], jerk);
    return (struct bounds){
        .speed_h_mps = fmax(fmax((double)leg->speed_h_mps, speed_h(p)), hypot(left[0], left[1])),
        .up_mps = fmax(fmin((double)leg->speed_up_mps, (double)l->vel_up_mps), fmax(v_up, left_up)),
        .down_mps =
            fmax(fmin((double)leg->speed_down_mps, (double)l->vel_down_mps), fmax(-v_up, -left_up)),
        .acc_h_mps2 = (double)l->acc_h_mps2,
        .acc_up_mps2 = (double)l->acc_up_mps2,
        .acc_down_mps2 = (double)l->acc_down_mps2,
        .jerk_mps3 = jerk,
    };
}

static void check_limits(const struct mf_pose *p, const struct bounds *k)
{
    const double a_h = hypot((double)p->acc_ned_mps2[0], (double)p->acc_ned_mps2[1]);
    assert_true(speed_h(p) <= k->speed_h_mps + V_TOL);
    assert_true(-(double)p->vel_ned_mps[2] <= k->up_mps + V_TOL);
    assert_true((double)p->vel_ned_mps[2] <= k->down_mps + V_TOL);
    assert_true(a_h <= k->acc_h_mps2 + A_TOL);
    assert_true(-(double)p->acc_ned_mps2[2] <= k->acc_up_mps2 + A_TOL);
    assert_true((double)p->acc_ned_mps2[2] <= k->acc_down_mps2 + A_TOL);
    assert_true(p->alt_amsl_m >= GROUND_M);
}

/* North and east by the ellipsoid's radii of curvature half-way: exact to a nanometre over a
 * centimetre, and nothing that the body computes with. */
static void move(const struct mf_pose *p, const struct mf_pose *q, double moved_m[2])
{
    const double e2 = 0.00669437999014132, rad = MF_PI / 180.0;
    const double by_deg = q->lon_deg - p->lon_deg;
    const double east_deg = fabs(by_deg) < 180.0 ? by_deg : remainder(by_deg, 360.0);
    const double lat = 0.5 * (p->lat_deg + q->lat_deg) * rad;
    const double w2 = 1.0 - e2 * sin(lat) * sin(lat);
    const double across_m = 6378137.0 / sqrt(w2); /* in the prime vertical */
    moved_m[0] = across_m * (1.0 - e2) / w2 * (q->lat_deg - p->lat_deg) * rad;
    moved_m[1] = across_m * cos(lat) * east_deg * rad;
}

/* Continuous: each quantity changes by what the next one allows. */
static void check_step(const struct mf_pose *p, const struct mf_pose *q, double dt_s,
                       const struct bounds *k)
{
    double moved[3];
    double jerk_h[2];
    move(p, q, moved);
    moved[2] = p->alt_amsl_m - q->alt_amsl_m;
    for (int i = 0; i < 3; i++) {
        const double v[2] = {(double)p->vel_ned_mps[i], (double)q->vel_ned_mps[i]};
        const double a[2] = {(double)p->acc_ned_mps2[i], (double)q->acc_ned_mps2[i]};
        assert_near(moved[i], 0.5 * (v[0] + v[1]) * dt_s, P_TOL_M);
        assert_near(v[1] - v[0], 0.5 * (a[0] + a[1]) * dt_s, k->jerk_mps3 * dt_s * dt_s + V_TOL);
        assert_near(a[1], a[0], k->jerk_mps3 * dt_s + A_TOL);
        if (i < 2) {
            jerk_h[i] = a[1] - a[0];
        }
    }
    assert_true(hypot(jerk_h[0], jerk_h[1]) <= k->jerk_mps3 * dt_s + A_TOL);
    assert_near(remainder((double)q->yaw_rad - (double)p->yaw_rad, 2.0 * MF_PI),
                0.5 * ((double)p->yawspeed_rps + (double)q->yawspeed_rps) * dt_s, 2e-6);
}

/* A descent that is broken off in its last millimetres may end on the ground before it is at rest:
 * the one jump that there is. */
static bool touches(const struct mf_pose *p, const struct mf_pose *q)
{
    return p->alt_amsl_m == GROUND_M || q->alt_amsl_m == GROUND_M;
}

/* @return how often the ground stopped what was faster than a centimetre per second */
static int check_flight(struct mf_airframe_physics *b, mf_us_t t_us, mf_us_t until_us,
                        const struct bounds *k)
{
    int bumped = 0;
    struct mf_pose p = pose_at(b, t_us);
    while (t_us < until_us) {
        const mf_us_t then_us = t_us + g_step_us < until_us ? t_us + g_step_us : until_us;
        const struct mf_pose q = pose_at(b, then_us);
        check_limits(&q, k);
        if (!touches(&p, &q)) {
            check_step(&p, &q, (double)(then_us - t_us) * 1e-6, k);
        } else if (fabs((double)(p.vel_ned_mps[2] - q.vel_ned_mps[2])) > 0.01) {
            bumped++;
        }
        p = q;
        t_us = then_us;
    }
    return bumped;
}

static const struct mf_geo k_place[] = {
    {HOME_LAT_DEG, HOME_LON_DEG},
    {-35.36, 149.165},
    {0.0, 179.99995},
    {65.0, -179.9999},
    {0.0, 0.0},
};

struct target {
    struct mf_leg leg[2];
    size_t n;
};

static struct target random_target(struct mf_geo place, bool one_speed)
{
    const double far_m = random_between(0.0, 1.0) < 0.3 ? 5.0 : 150.0;
    struct target k = {.n = random_between(0.0, 1.0) < 0.4 ? 2 : 1};
    for (int i = 0; i < 2; i++) {
        const double north_m = random_between(-far_m, far_m); /* one after the other: the order */
        const double east_m = random_between(-far_m, far_m);  /* of arguments is not defined */
        const double height_m = random_between(3.0, 40.0);
        k.leg[i] = leg_by(place.lat_deg, place.lon_deg, north_m, east_m, height_m);
        k.leg[i].yaw_rad = (float)random_between(-3.0, 3.0);
        k.leg[i].radius_m = random_between(0.0, 1.0) < 0.7 ? 2.0f : 0.0f;
        if (!one_speed) {
            k.leg[i].speed_h_mps = (float)random_between(0.5, 12.0);
            k.leg[i].speed_up_mps = (float)random_between(0.3, 3.0);
            k.leg[i].speed_down_mps = (float)random_between(0.3, 1.5);
        }
    }
    k.leg[0].land = random_between(0.0, 1.0) < 0.05;
    return k;
}

/* Keeps the last plan until the body is at rest: at the target, bit for bit, and without a jump. */
static int check_rest(struct mf_airframe_physics *b, mf_us_t *t_us, const struct target *k,
                      const struct bounds *bounds)
{
    const mf_us_t rest_us = b->now.arrive_us;
    const int bumped = check_flight(b, *t_us, rest_us + 2000, bounds);
    const struct mf_pose at = pose_at(b, rest_us);
    const struct mf_pose later = pose_at(b, rest_us + 1000 * SECOND);
    assert_true(stands(&at) && same_place(&at, &later));
    assert_true(next_us(b, *t_us, MF_WHEN_ARRIVED, 0.0) <= rest_us);
    if (k->leg[0].land) {
        assert_true(at.on_ground && at.alt_amsl_m == GROUND_M);
    } else {
        assert_true(at.lat_deg == k->leg[0].lat_deg && at.lon_deg == k->leg[0].lon_deg);
        assert_true(at.alt_amsl_m == k->leg[0].alt_amsl_m);
    }
    *t_us = rest_us + 2000;
    return bumped;
}

/* A body is sent elsewhere again and again, in whatever state it is. */
static int chase(int plans, bool one_speed)
{
    struct mf_airframe_physics b;
    mf_us_t t_us = 0;
    int bumped = 0;
    for (int i = 0; i < plans; i++) {
        const struct mf_geo place =
            k_place[(size_t)(i / 50) % (sizeof k_place / sizeof k_place[0])];
        if (i % 50 == 0) {
            t_us = hover(&b, place.lat_deg, place.lon_deg, 20.0);
        }
        const bool last = i % 10 == 9;
        struct target k = random_target(place, one_speed);
        k.n = last ? 1 : k.n;
        const struct mf_pose before = pose_at(&b, t_us);
        assert_int_equal(k_ops->plan(&b, t_us, k.leg, k.n), MF_E_OK);
        const struct mf_pose after = pose_at(&b, t_us);
        const struct bounds bounds = one_speed ? k_same : bounds_of(&before, &k.leg[0]);
        assert_true(same_place(&before, &after));
        for (int axis = 0; axis < 3; axis++) {
            assert_near((double)after.vel_ned_mps[axis], (double)before.vel_ned_mps[axis], V_TOL);
            assert_near((double)after.acc_ned_mps2[axis], (double)before.acc_ned_mps2[axis], A_TOL);
        }
        if (last) {
            bumped += check_rest(&b, &t_us, &k, &bounds);
        } else {
            const mf_us_t until_us = t_us + (mf_us_t)(exp(random_between(-4.0, 1.8)) * 1e6);
            bumped += check_flight(&b, t_us, until_us, &bounds);
            t_us = until_us;
        }
    }
    return bumped;
}

static void test_sim036_limits_are_never_exceeded(void **state)
{
    (void)state;
    g_random = 36;
    const int plans = mf_cases(PLANS, PLANS_LONG) / 2;
    g_step_us = plans > PLANS ? MF_MS_US : 2 * MF_MS_US;
    printf("descents that the ground had to stop, of %d plans: %d\n", plans, chase(plans, true));
    printf("the same, with changing speeds, of %d plans: %d\n", plans, chase(plans, false));
}

/* Lower limits in mid-flight bind the next plan: it brakes within them. */
static void test_limits_can_change_between_plans(void **state)
{
    struct mf_airframe_physics b;
    struct mf_physics_limits l = mf_physics_limits_px4;
    (void)state;
    const mf_us_t t0_us = hover_home(&b, 20.0);
    plan(&b, t0_us, leg_home(1000.0, 0.0, 20.0));
    l.vel_h_mps = 2.0f;
    l.acc_h_mps2 = 1.0f;
    l.jerk_mps3 = 1.0f;
    assert_int_equal(mf_airframe_physics_set_limits(&b, &l), MF_E_OK);
    const mf_us_t t_us = t0_us + 20 * SECOND;
    assert_true(pose_at(&b, t_us).vel_ned_mps[0] > 8.0f);
    plan(&b, t_us, leg_home(1000.0, 0.0, 20.0));
    const struct bounds bounds = {10.0, 3.0, 1.5, 1.0, 4.0, 3.0, 1.0};
    assert_int_equal(check_flight(&b, t_us, t_us + 30 * SECOND, &bounds), 0);
    assert_near((double)pose_at(&b, t_us + 30 * SECOND).vel_ned_mps[0], 2.0, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim036_limits_are_never_exceeded),
        cmocka_unit_test(test_limits_can_change_between_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
