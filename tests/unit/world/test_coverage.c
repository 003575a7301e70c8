/* SPDX-License-Identifier: Apache-2.0 */
/* UAV-07: what cameras saw, on a raster. */
#include "world/coverage.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define WORDS 64u

static const struct mf_en k_square[] = {{-5.0, 10.0}, {95.0, 10.0}, {95.0, 40.0}, {-5.0, 40.0}};
/* An L: 100 x 30 without its north-eastern 50 x 20. */
static const struct mf_en k_l[] = {{-5.0, 10.0}, {95.0, 10.0}, {95.0, 20.0},
                                   {45.0, 20.0}, {45.0, 40.0}, {-5.0, 40.0}};

static void test_a_grid_spans_its_polygon(void **state)
{
    (void)state;
    const struct mf_coverage_grid g = mf_coverage_grid(k_square, 4, 1.0);
    assert_true(g.corner.e == -5.0 && g.corner.n == 10.0);
    assert_int_equal(g.columns, 100);
    assert_int_equal(g.rows, 30);
    assert_int_equal(mf_coverage_words(&g), 60);
    const struct mf_coverage_grid coarse = mf_coverage_grid(k_square, 4, 7.0);
    assert_int_equal(coarse.columns, 15);
    assert_int_equal(coarse.rows, 5);
}

static void test_polygons_are_filled(void **state)
{
    (void)state;
    uint64_t square[WORDS] = {0}, l[WORDS] = {0};
    const struct mf_coverage_grid g = mf_coverage_grid(k_square, 4, 1.0);
    mf_coverage_fill(square, &g, k_square, 4);
    mf_coverage_fill(l, &g, k_l, 6);
    assert_int_equal(mf_coverage_both(square, square, &g), 3000);
    assert_int_equal(mf_coverage_both(l, square, &g), 2000);
    assert_true(mf_coverage_inside((struct mf_en){44.0, 30.0}, k_l, 6));
    assert_false(mf_coverage_inside((struct mf_en){46.0, 30.0}, k_l, 6));
    assert_false(mf_coverage_inside((struct mf_en){-6.0, 30.0}, k_l, 6));
}

/* UAV-07. Level with the axes: cells by hand. */
static void test_a_frame_along_the_axes(void **state)
{
    (void)state;
    uint64_t all[WORDS] = {0}, seen[WORDS] = {0};
    const struct mf_coverage_grid g = mf_coverage_grid(k_square, 4, 1.0);
    memset(all, 0xff, sizeof all);
    mf_coverage_see(seen, &g, &(struct mf_coverage_frame){{45.0, 25.0}, {0.0, 1.0}, 4.0, 10.0});
    assert_int_equal(mf_coverage_both(seen, all, &g), 20 * 8);
    mf_coverage_see(seen, &g, &(struct mf_coverage_frame){{45.0, 25.0}, {1.0, 0.0}, 10.0, 4.0});
    assert_int_equal(mf_coverage_both(seen, all, &g), 20 * 8); /* the same place */
    mf_coverage_see(seen, &g, &(struct mf_coverage_frame){{95.0, 40.0}, {0.0, -1.0}, 4.0, 10.0});
    assert_int_equal(mf_coverage_both(seen, all, &g), 20 * 8 + 10 * 4); /* a quarter is within */
    mf_coverage_see(seen, &g, &(struct mf_coverage_frame){{500.0, 500.0}, {0.0, 1.0}, 9.0, 9.0});
    assert_int_equal(mf_coverage_both(seen, all, &g), 20 * 8 + 10 * 4);
}

/* UAV-07. Turned, against each cell's own question. */
static void test_a_frame_that_is_turned(void **state)
{
    (void)state;
    const struct mf_coverage_grid g = mf_coverage_grid(k_square, 4, 1.0);
    for (int deg = 1; deg < 360; deg += 7) {
        const double a = (double)deg * 3.14159265358979 / 180.0;
        const struct mf_coverage_frame f = {{40.3, 24.7}, {sin(a), cos(a)}, 17.0, 6.0};
        uint64_t seen[WORDS] = {0};
        mf_coverage_see(seen, &g, &f);
        for (uint32_t i = 0; i < g.columns * g.rows; i++) {
            const uint32_t row = i / g.columns;
            const double e = -5.0 + (double)(i % g.columns) + 0.5 - f.centre.e;
            const double n = 10.0 + (double)row + 0.5 - f.centre.n;
            const double ahead = fabs(e * f.heading.e + n * f.heading.n) - 17.0;
            const double across = fabs(e * f.heading.n - n * f.heading.e) - 6.0;
            const int set =
                (int)(seen[(i / g.columns) * 2u + i % g.columns / 64u] >> (i % g.columns % 64u) &
                      1u);
            if (fabs(ahead) > 1e-9 && fabs(across) > 1e-9) {
                assert_int_equal(set, ahead < 0.0 && across < 0.0);
            }
        }
    }
}

/* UAV-14: all of 1,000 places lie in the L, and its two arms have as many as their areas: 1,500 of
 * 2,000 m^2 lie west of 45. */
static void test_places_by_chance(void **state)
{
    (void)state;
    int west = 0;
    for (uint64_t key = 0; key < 1000; key++) {
        const struct mf_en at = mf_coverage_chance(k_l, 6, key * 7919u);
        assert_true(mf_coverage_inside(at, k_l, 6));
        west += at.e < 45.0 ? 1 : 0;
    }
    assert_in_range(west, 750 - 45, 750 + 45); /* 3 sigma are 41 */
    const struct mf_en line[] = {{0, 0}, {1, 0}, {2, 0}};
    assert_true(mf_coverage_chance(line, 3, 1).n == 0.0); /* none is inside: it ends */
}

/* UAV-14: 4,000 places in the 20 squares of 10 m that make the L, 200 expected in each: chi square
 * of 19 degrees of freedom stays below 43.8 in 999 of 1,000 cases. */
static void test_places_are_even(void **state)
{
    (void)state;
    int count[3][10] = {{0}};
    for (uint64_t key = 1; key <= 4000; key++) {
        const struct mf_en at = mf_coverage_chance(k_l, 6, key * 104729u);
        count[(int)((at.n - 10.0) / 10.0)][(int)((at.e + 5.0) / 10.0)]++;
    }
    double chi2 = 0.0;
    int squares = 0;
    for (int i = 0; i < 30; i++) {

        const int row = i / 10, column = i % 10;
        const bool inside = row == 0 || column < 5;
        const double off = (double)count[row][column] - 200.0;
        assert_true(inside || count[row][column] == 0);
        chi2 += inside ? off * off / 200.0 : 0.0;
        squares += inside ? 1 : 0;
    }
    assert_int_equal(squares, 20);
    assert_true(chi2 < 43.8);
}

/* UAV-14: edges cross in a bow tie, and where a corner lies on an edge. They do not in an L, in a
 * ring that names its first corner again, or where two corners touch. */
static void test_edges_that_cross(void **state)
{
    static const struct {
        struct mf_en corner[7];
        size_t count;
        bool crosses;
        size_t edge[2];
    } k[] = {
        {{{0, 0}, {10, 10}, {10, 0}, {0, 10}}, 4, true, {0, 2}},
        {{{0, 0}, {10, 0}, {10, 10}, {5, 0}, {0, 10}}, 5, true, {0, 2}},
        {{{0, 0}, {9, 0}, {9, 4}, {3, 4}, {3, -1}, {0, 8}}, 6, true, {0, 3}},
        {{{0, 0}, {9, 0}, {9, 4}, {5, 4}, {5, 9}, {0, 9}}, 6, false, {0, 0}},
        {{{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 0}}, 5, false, {0, 0}},
        {{{0, 0}, {9, 0}, {5, 5}, {9, 9}, {0, 9}, {5, 5}}, 6, false, {0, 0}},
        {{{0, 0}, {9, 0}, {4, 0}}, 3, false, {0, 0}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        size_t edge[2] = {0, 0};
        assert_true(mf_coverage_crosses(k[i].corner, k[i].count, edge) == k[i].crosses);
        assert_true(edge[0] == k[i].edge[0] && edge[1] == k[i].edge[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_grid_spans_its_polygon),
        cmocka_unit_test(test_polygons_are_filled),
        cmocka_unit_test(test_a_frame_along_the_axes),
        cmocka_unit_test(test_a_frame_that_is_turned),
        cmocka_unit_test(test_places_by_chance),
        cmocka_unit_test(test_places_are_even),
        cmocka_unit_test(test_edges_that_cross),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
