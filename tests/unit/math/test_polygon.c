/* SPDX-License-Identifier: Apache-2.0 */
/* Depth in polygons. Distances are radii of curvature of WGS84 times angles, computed with 30
 * digits by mpmath; what is inside was decided on paper. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/polygon.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static double depth(struct mf_geo here, const struct mf_geo *vertex, size_t count)
{
    struct mf_polygon p;
    mf_polygon_begin(&p, here);
    for (size_t i = 0; i < count; i++) {
        mf_polygon_add(&p, vertex[i]);
    }
    return mf_polygon_depth(&p);
}

/* The same whichever way round. */
static void expect_inside(struct mf_geo here, const struct mf_geo *vertex, size_t count,
                          bool inside)
{
    struct mf_geo back[8];
    assert_true(count <= COUNT_OF(back));
    for (size_t i = 0; i < count; i++) {
        back[i] = vertex[count - 1 - i];
    }
    if ((depth(here, vertex, count) > 0.0) != inside ||
        (depth(here, back, count) > 0.0) != inside) {
        fail_msg("%.7f %.7f is not %s", here.lat_deg, here.lon_deg, inside ? "inside" : "outside");
    }
}

static void expect_depth(double got_m, double true_m)
{
    const double sign = true_m < 0.0 ? -1.0 : 1.0;
    if (!(got_m * sign <= true_m * sign && got_m * sign >= 0.989 * true_m * sign)) {
        fail_msg("%.6f for a true %.6f", got_m, true_m);
    }
}

static void test_square(void **state)
{
    static const struct mf_geo k_square[] = {
        {47.01, 8.01}, {47.01, 7.99}, {46.99, 7.99}, {46.99, 8.01}};
    (void)state;
    expect_inside((struct mf_geo){47.0, 8.0}, k_square, 4, true);
    expect_inside((struct mf_geo){47.0099, 8.0099}, k_square, 4, true);
    expect_inside((struct mf_geo){46.9901, 7.9901}, k_square, 4, true);
    expect_inside((struct mf_geo){47.0, 8.0101}, k_square, 4, false);
    expect_inside((struct mf_geo){47.0, 7.9899}, k_square, 4, false);
    expect_inside((struct mf_geo){47.0102, 8.0}, k_square, 4, false);
    expect_inside((struct mf_geo){46.9899, 8.0}, k_square, 4, false);
    expect_inside((struct mf_geo){-47.0, 8.0}, k_square, 4, false);
    expect_inside((struct mf_geo){47.0, -172.0}, k_square, 4, false);
    /* nearest are the edges to the east and to the west: 0.01 deg of longitude at 47 deg */
    expect_depth(depth((struct mf_geo){47.0, 8.0}, k_square, 4), 760.56);
    /* outside, south of the middle: 0.01 deg of latitude */
    expect_depth(depth((struct mf_geo){46.98, 8.0}, k_square, 4), -1111.73);
    /* on a corner */
    expect_depth(depth((struct mf_geo){46.99, 8.01}, k_square, 4) + 1.0, 1.0 + 1e-5);
}

/* An edge along a parallel is a great circle: it bulges towards the pole. Over 2 deg of longitude
 * at 60 deg north, tan(lat) = tan(60 deg) / cos(1 deg): 60.00378 deg in the middle. */
static void test_edges_are_great_circles(void **state)
{
    static const struct mf_geo k_wide[] = {{60.0, 9.0}, {60.0, 11.0}, {59.0, 11.0}, {59.0, 9.0}};
    (void)state;
    expect_inside((struct mf_geo){60.0037, 10.0}, k_wide, 4, true);
    expect_inside((struct mf_geo){60.0039, 10.0}, k_wide, 4, false);
}

static void test_antimeridian(void **state)
{
    static const struct mf_geo k_square[] = {
        {0.01, 179.99}, {0.01, -179.99}, {-0.01, -179.99}, {-0.01, 179.99}};
    (void)state;
    expect_inside((struct mf_geo){0.0, 180.0}, k_square, 4, true);
    expect_inside((struct mf_geo){0.0, -180.0}, k_square, 4, true);
    expect_inside((struct mf_geo){0.005, 179.9901}, k_square, 4, true);
    expect_inside((struct mf_geo){0.005, -179.9901}, k_square, 4, true);
    expect_inside((struct mf_geo){0.0, 179.9899}, k_square, 4, false);
    expect_inside((struct mf_geo){0.0, -179.9899}, k_square, 4, false);
    expect_inside((struct mf_geo){0.0, 0.0}, k_square, 4, false);
    expect_depth(depth((struct mf_geo){0.0, 180.0}, k_square, 4), 1105.7428);
    expect_depth(depth((struct mf_geo){0.0, 179.98}, k_square, 4), -1113.19);
}

/* Vertices at 0.1 deg from the pole, 120 deg apart: edges come as near as 0.05 deg. */
static void test_poles(void **state)
{
    static const struct mf_geo k_north[] = {{89.9, 0.0}, {89.9, 120.0}, {89.9, -120.0}};
    static const struct mf_geo k_south[] = {{-89.9, 0.0}, {-89.9, 120.0}, {-89.9, -120.0}};
    (void)state;
    expect_inside((struct mf_geo){90.0, 0.0}, k_north, 3, true);
    expect_inside((struct mf_geo){90.0, 77.0}, k_north, 3, true);
    expect_inside((struct mf_geo){89.951, 60.0}, k_north, 3, true);
    expect_inside((struct mf_geo){89.949, 60.0}, k_north, 3, false);
    expect_inside((struct mf_geo){89.949, 180.0}, k_north, 3, false);
    expect_inside((struct mf_geo){89.91, 0.0}, k_north, 3, true);
    expect_inside((struct mf_geo){89.89, 0.0}, k_north, 3, false);
    expect_inside((struct mf_geo){-90.0, 0.0}, k_north, 3, false);
    expect_inside((struct mf_geo){-90.0, 0.0}, k_south, 3, true);
    expect_inside((struct mf_geo){-89.949, -60.0}, k_south, 3, false);
    expect_depth(depth((struct mf_geo){90.0, 0.0}, k_north, 3), 5584.7);
    expect_depth(depth((struct mf_geo){-90.0, 120.0}, k_south, 3), 5584.7);
}

/* An L, 0.02 deg high and wide, whose arms are 0.01 deg thick. */
static void test_concave(void **state)
{
    static const struct mf_geo k_l[] = {{10.0, 20.0},   {10.02, 20.0},  {10.02, 20.01},
                                        {10.01, 20.01}, {10.01, 20.02}, {10.0, 20.02}};
    (void)state;
    expect_inside((struct mf_geo){10.005, 20.005}, k_l, 6, true);
    expect_inside((struct mf_geo){10.015, 20.005}, k_l, 6, true);
    expect_inside((struct mf_geo){10.005, 20.015}, k_l, 6, true);
    expect_inside((struct mf_geo){10.015, 20.015}, k_l, 6, false);
    expect_inside((struct mf_geo){10.01, 19.999}, k_l, 6, false);
    expect_inside((struct mf_geo){10.01, 20.005}, k_l, 6, true); /* level with a vertex */
}

static void test_what_is_no_polygon(void **state)
{
    static const struct mf_geo k_line[] = {{0.0, -1.0}, {0.0, 1.0}, {0.0, 0.5}};
    static const struct mf_geo k_point[] = {{5.0, 5.0}, {5.0, 5.0}, {5.0, 5.0}};
    static const struct mf_geo k_huge[] = {{-10.0, -10.0}, {10.0, -10.0}, {0.0, 95.0}};
    (void)state;
    expect_inside((struct mf_geo){0.001, 0.0}, k_line, 3, false);
    expect_inside((struct mf_geo){5.0, 5.0}, k_point, 3, false);
    assert_true(depth((struct mf_geo){0.0, 0.0}, k_line, 2) == -1000.0);
    assert_true(depth((struct mf_geo){0.0, 0.0}, k_line, 0) == -1000.0);
    assert_true(depth((struct mf_geo){0.0, 0.0}, k_huge, 3) == -1000.0);
}

/* A polygon with a corner more than 80 degrees away contains nothing, whatever its others are. */
static void test_a_far_corner(void **state)
{
    static const struct mf_geo k_wide[] = {
        {47.01, 8.01}, {47.01, 7.99}, {46.99, 7.99}, {46.99, 8.01}, {-40.0, 8.0}};
    (void)state;
    expect_inside((struct mf_geo){47.0, 8.0}, k_wide, 4, true);
    expect_inside((struct mf_geo){47.0, 8.0}, k_wide, 5, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_far_corner),
        cmocka_unit_test(test_square),
        cmocka_unit_test(test_edges_are_great_circles),
        cmocka_unit_test(test_antimeridian),
        cmocka_unit_test(test_poles),
        cmocka_unit_test(test_concave),
        cmocka_unit_test(test_what_is_no_polygon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
