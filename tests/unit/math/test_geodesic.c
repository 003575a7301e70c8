/* SPDX-License-Identifier: Apache-2.0 */
#include "math/geodesic.h"

#include "math/trig.h"
#include "tests/unit/math/geodesic_reference.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define CASES     (sizeof k_geodesic / sizeof k_geodesic[0])
#define TOL_M     1e-6 /* the contract allows a millimetre; the reference ends at 11 nm */
#define M_PER_DEG 111319.49079327358 /* of the equator */

static void assert_near(double got, double want, double tol)
{
    if (!(fabs(got - want) <= tol)) {
        fail_msg("got %.17g, want %.17g, off by %g", got, want, fabs(got - want));
    }
}

static double deg_apart(double a_deg, double b_deg)
{
    return remainder(a_deg - b_deg, 360.0);
}

/* Good enough for points that should coincide. */
static double metres_apart(struct mf_geo a, double lat_deg, double lon_deg)
{
    const double east = deg_apart(a.lon_deg, lon_deg) * cos(lat_deg * MF_PI / 180.0);
    return hypot(a.lat_deg - lat_deg, east) * M_PER_DEG;
}

static struct mf_geo start_of(const struct geodesic_case *c)
{
    return (struct mf_geo){c->lat1_deg, c->lon1_deg};
}

static struct mf_geo end_of(const struct geodesic_case *c)
{
    return (struct mf_geo){c->lat2_deg, c->lon2_deg};
}

static void test_direct_agrees_with_geographiclib(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        const struct geodesic_case *c = &k_geodesic[i];
        const struct mf_geo_ray ray = mf_geo_ray(start_of(c), mf_rad(c->azimuth1_deg));
        double azimuth_rad = NAN;
        const struct mf_geo p = mf_geo_at(&ray, c->distance_m, &azimuth_rad);
        assert_near(metres_apart(p, c->lat2_deg, c->lon2_deg), 0.0, TOL_M);
        assert_true(p.lon_deg >= -180.0 && p.lon_deg < 180.0);
        assert_near(deg_apart(mf_deg(azimuth_rad), c->azimuth2_deg), 0.0, 1e-9);
        const double azimuth1_rad = mf_rad(c->azimuth1_deg);
        const struct mf_geo again = mf_geo_direct(start_of(c), azimuth1_rad, c->distance_m);
        assert_memory_equal(&again, &p, sizeof p);
    }
}

static void test_inverse_agrees_with_geographiclib(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        const struct geodesic_case *c = &k_geodesic[i];
        const struct mf_geo_line line = mf_geo_inverse(start_of(c), end_of(c));
        assert_near(line.distance_m, c->distance_m, TOL_M);
        /* The end point is only known to 11 nm, and near the antipode that turns the azimuth. */
        const double lever_m = fmin(c->distance_m, 2e7 - c->distance_m);
        const double turn1 = mf_rad(deg_apart(mf_deg(line.azimuth_from_rad), c->azimuth1_deg));
        const double turn2 = mf_rad(deg_apart(mf_deg(line.azimuth_to_rad), c->azimuth2_deg));
        assert_near(turn1 * lever_m, 0.0, TOL_M);
        assert_near(turn2 * lever_m, 0.0, TOL_M);
    }
}

static void test_local_frame_and_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        const struct geodesic_case *c = &k_geodesic[i];
        const double azimuth_rad = c->azimuth1_deg * MF_PI / 180.0;
        double ne_m[2];
        mf_geo_to_local(start_of(c), end_of(c), ne_m);
        const double lever = c->distance_m > 1e7 ? c->distance_m / (2e7 - c->distance_m) : 1.0;
        assert_near(ne_m[0], c->distance_m * cos(azimuth_rad), TOL_M * lever);
        assert_near(ne_m[1], c->distance_m * sin(azimuth_rad), TOL_M * lever);
        const struct mf_geo p = mf_geo_from_local(start_of(c), ne_m[0], ne_m[1]);
        assert_near(metres_apart(p, c->lat2_deg, c->lon2_deg), 0.0, TOL_M);
    }
}

static void test_distance_zero_gives_the_start(void **state)
{
    static const struct mf_geo k_start[] = {
        {47.123456789012345, 8.987654321098765},
        {90.0, 12.0},
        {-90.0, -180.0},
        {0.0, 180.0},
        {-0.0, -0.0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_start / sizeof k_start[0]; i++) {
        const struct mf_geo_ray ray = mf_geo_ray(k_start[i], 1.25);
        double azimuth_rad = 0.0;
        const struct mf_geo p = mf_geo_at(&ray, 0.0, &azimuth_rad);
        assert_memory_equal(&p, &k_start[i], sizeof p);
        assert_true(azimuth_rad == 1.25);
        const struct mf_geo q = mf_geo_from_local(k_start[i], 0.0, 0.0);
        assert_memory_equal(&q, &k_start[i], sizeof q);
    }
}

/* North along the antimeridian: -180, never 180. */
static void test_longitudes_end_before_180(void **state)
{
    (void)state;
    const struct mf_geo p = mf_geo_direct((struct mf_geo){10.0, 180.0}, 0.0, 1000.0);
    assert_true(p.lon_deg == -180.0);
    const struct mf_geo q = mf_geo_direct((struct mf_geo){10.0, -180.0}, -MF_PI / 2.0, 1000.0);
    assert_near(q.lon_deg, 179.9908791882528, 1e-12); /* GeodSolve */
}

static void test_no_step_at_the_start(void **state)
{
    static const double k_step_m[6] = {1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1};
    (void)state;
    for (int lat = -90; lat <= 90; lat += 5) {
        const struct mf_geo start = {lat, 8.5};
        const struct mf_geo_ray ray = mf_geo_ray(start, 0.7);
        for (int i = 0; i < 6; i++) {
            const double s_m = k_step_m[i];
            const struct mf_geo p = mf_geo_at(&ray, s_m, NULL);
            double ne_m[2];
            mf_geo_to_local(start, p, ne_m);
            assert_near(hypot(ne_m[0], ne_m[1]), s_m, 2e-8);
        }
    }
}

static double distance_m(double lat1_deg, double lon1_deg, double lat2_deg, double lon2_deg)
{
    const struct mf_geo from = {lat1_deg, lon1_deg};
    return mf_geo_inverse(from, (struct mf_geo){lat2_deg, lon2_deg}).distance_m;
}

static void test_coincident_points(void **state)
{
    static const struct mf_geo k[] = {{0, 0},  {47.3, 8.5}, {-70, 180},
                                      {90, 5}, {-90, -5},   {89.9, -180}};
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        const struct mf_geo_line line = mf_geo_inverse(k[i], k[i]);
        double ne_m[2] = {1.0, 1.0};
        assert_true(line.distance_m == 0.0);
        assert_true(line.azimuth_from_rad == 0.0 && line.azimuth_to_rad == 0.0);
        mf_geo_to_local(k[i], k[i], ne_m);
        assert_true(ne_m[0] == 0.0 && ne_m[1] == 0.0);
    }
    /* One place with two names. */
    assert_true(distance_m(90, 5, 90, -100) == 0.0);
    assert_true(distance_m(10, 180, 10, -180) == 0.0);
}

/* Radii of curvature at 45 deg north, by hand: meridian a (1 - e2) / w^3, prime vertical a / w with
 * w^2 = 1 - e2 / 2, e2 = 0.00669437999014132. */
static void test_shortest_lines(void **state)
{
    static const double k_step_deg[4] = {1e-9, 1e-8, 1e-7, 1e-6};
    const double meridian_m = 6367381.8156;
    const double parallel_m = 6388838.2901 * 0.70710678118654752;
    (void)state;
    for (int i = 0; i < 4; i++) {
        const double d_deg = k_step_deg[i];
        const struct mf_geo from = {45.0, -30.5};
        double ne_m[2];
        mf_geo_to_local(from, (struct mf_geo){45.0, -30.5 + d_deg}, ne_m);
        assert_near(ne_m[0], 0.0, 2e-8);
        assert_near(ne_m[1], mf_rad(d_deg) * parallel_m, 2e-8);
        mf_geo_to_local(from, (struct mf_geo){45.0 + d_deg, -30.5}, ne_m);
        assert_near(ne_m[0], mf_rad(d_deg) * meridian_m, 2e-8);
        assert_near(ne_m[1], 0.0, 2e-8);
    }
}

/* A quarter of the meridian is 10,001,965.7293 m; a degree of the equator a pi / 180. */
static void test_meridians_and_the_equator(void **state)
{
    (void)state;
    assert_near(distance_m(0, 20, 90, 20), 10001965.7293, 1e-4);
    assert_near(distance_m(0, 20, -90, 77), 10001965.7293, 1e-4);
    assert_near(distance_m(0, 20, 0, 21), M_PER_DEG, TOL_M);
    assert_near(distance_m(0, 20, 0, -150), 170 * M_PER_DEG, TOL_M);
    /* Over the pole, not around it. */
    const struct mf_geo near_pole = {89, 20};
    const struct mf_geo_line line = mf_geo_inverse(near_pole, (struct mf_geo){89, -160});
    assert_near(line.distance_m, 2.0 * 111693.864914, 1e-5);
    assert_near(line.azimuth_from_rad, 0.0, 1e-12);
    assert_near(fabs(line.azimuth_to_rad), MF_PI, 1e-12);
}

/* Beyond 19,900 km accuracy is not promised, but an answer is. */
static void test_antipodes_end_in_a_number(void **state)
{
    (void)state;
    for (int i = 0; i <= 100; i++) {
        const struct mf_geo from = {i * 0.9 - 45.0, 0.0};
        const struct mf_geo to = {45.0 - i * 0.9 + 0.01 * (i % 7), 180.0 - 0.01 * i};
        const struct mf_geo_line line = mf_geo_inverse(from, to);
        assert_true(line.distance_m > 19.8e6 && line.distance_m < 20.1e6);
    }
}

static uint64_t mix(uint64_t hash, double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return (hash ^ u) * UINT64_C(0x100000001b3);
}

/* One hash over many results: the same on every compiler, optimisation level and processor. */
static void test_sim042_same_bits_everywhere(void **state)
{
    uint64_t hash = 0;
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        const struct geodesic_case *c = &k_geodesic[i];
        const struct mf_geo_line line = mf_geo_inverse(start_of(c), end_of(c));
        hash = mix(mix(mix(hash, line.distance_m), line.azimuth_from_rad), line.azimuth_to_rad);
        const struct mf_geo_ray ray = mf_geo_ray(start_of(c), c->azimuth1_deg * 0.0174);
        for (int j = 1; j <= 10; j++) {
            const struct mf_geo p = mf_geo_at(&ray, c->distance_m * 0.1 * j, NULL);
            hash = mix(mix(hash, p.lat_deg), p.lon_deg);
        }
    }
    assert_true(hash == UINT64_C(0x9a6344bbd8af21bc));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_direct_agrees_with_geographiclib),
        cmocka_unit_test(test_inverse_agrees_with_geographiclib),
        cmocka_unit_test(test_local_frame_and_back),
        cmocka_unit_test(test_distance_zero_gives_the_start),
        cmocka_unit_test(test_longitudes_end_before_180),
        cmocka_unit_test(test_no_step_at_the_start),
        cmocka_unit_test(test_coincident_points),
        cmocka_unit_test(test_shortest_lines),
        cmocka_unit_test(test_meridians_and_the_equator),
        cmocka_unit_test(test_antipodes_end_in_a_number),
        cmocka_unit_test(test_sim042_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
