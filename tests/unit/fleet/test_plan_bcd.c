/* SPDX-License-Identifier: Apache-2.0 */
/* UAV-04, UAV-14, UAV-17: squares by hand for 1,000 m at pictures of 59.95 m. */
#include "fleet/plan_bcd.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct mf_en k_square[] = {{0, 0}, {1000, 0}, {1000, 1000}, {0, 1000}};
static const struct mf_en k_l[] = {{0, 0}, {300, 0}, {300, 100}, {100, 100}, {100, 300}, {0, 300}};

static struct mf_enu s_point[512];

static size_t points(const struct mf_en *corners, size_t count, double edge_m, bool compat)
{
    const struct mf_bcd b = {corners, count, edge_m, 30.0f, compat};
    return mf_bcd_points(&b, s_point, 512);
}

static void assert_point(size_t i, double e, double n)
{
    assert_true(fabs((double)s_point[i].e - e) < 1e-3);
    assert_true(fabs((double)s_point[i].n - n) < 1e-3);
    assert_true(s_point[i].u == 30.0f);
}

/* UAV-04 */
static void test_the_published_squares(void **state)
{
    (void)state;
    assert_int_equal(points(k_square, 4, 59.952220, true), 256);
    assert_point(0, 29.97611, 29.97611);
    assert_point(15, 29.97611, 15.5 * 59.952220);
    assert_point(16, 89.92833, 15.5 * 59.952220); /* the next column comes down */
    assert_point(255, 15.5 * 59.952220, 29.97611);
    assert_int_equal(mf_bcd_share(256, 3), 86);
}

/* UAV-04: 17 x 17, the last ones 40.8 m. */
static void test_all_of_the_area(void **state)
{
    (void)state;
    assert_int_equal(points(k_square, 4, 59.952220, false), 289);
    assert_point(16, 29.97611, (16.0 * 59.952220 + 1000.0) / 2.0);
    assert_int_equal(points(k_square, 4, 250.0, false), 16);
    assert_int_equal(points(k_square, 4, 250.0, true), 9);
    assert_int_equal(points(k_square, 4, 2000.0, false), 1);
    assert_point(0, 500.0, 500.0);
}

/* UAV-04. An L: 100 m squares, five of nine. With squares of 150 m the middle one has only its
 * south-western corner inside, and the point moves there. */
static void test_a_concave_area(void **state)
{
    (void)state;
    assert_int_equal(points(k_l, 6, 100.0, false), 5);
    assert_point(0, 50, 50);
    assert_point(2, 50, 250);
    assert_point(3, 150, 50);
    assert_point(4, 250, 50);
    assert_int_equal(points(k_l, 6, 150.0, false), 3);
    for (size_t i = 0; i < 3; i++) {
        const struct mf_en at = {(double)s_point[i].e, (double)s_point[i].n};
        assert_true(mf_coverage_inside(at, k_l, 6));
    }
}

static void test_a_short_array_is_not_overrun(void **state)
{
    (void)state;
    const struct mf_bcd b = {k_square, 4, 250.0, 30.0f, false};
    s_point[3].e = -7.0f;
    assert_int_equal(mf_bcd_points(&b, s_point, 3), 16);
    assert_true(s_point[3].e == -7.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_published_squares),
        cmocka_unit_test(test_all_of_the_area),
        cmocka_unit_test(test_a_concave_area),
        cmocka_unit_test(test_a_short_array_is_not_overrun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
