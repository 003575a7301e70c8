/* SPDX-License-Identifier: Apache-2.0 */
/* Ways around obstacles, with lengths by hand. */
#include "world/obstacles.h"

#include "math/chance.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct mf_en k_l[] = {{0, 0}, {300, 0}, {300, 100}, {100, 100}, {100, 300}, {0, 300}};

static struct mf_enu at(double e, double n, double u)
{
    return (struct mf_enu){(float)e, (float)n, (float)u};
}

static double length(struct mf_enu from, const struct mf_enu *way, int points, struct mf_enu to)
{
    double sum = 0.0;
    for (int i = 0; i <= points; i++) {
        const struct mf_enu next = i < points ? way[i] : to;
        sum += sqrt(pow((double)(next.e - from.e), 2) + pow((double)(next.n - from.n), 2) +
                    pow((double)(next.u - from.u), 2));
        from = next;
    }
    return sum;
}

/* UAV-13: a box of 20 m stands in the middle of 100 m; passing by it at 5 m. */
static void test_lines_that_meet_a_box(void **state)
{
    (void)state;
    const struct mf_obstacle box = mf_obstacle_box(at(40, -10, 0), at(20, 20, 30));
    assert_true(mf_obstacle_meets(&box, 0.0, at(0, 0, 10), at(100, 0, 10)));
    assert_false(mf_obstacle_meets(&box, 0.0, at(0, 0, 31), at(100, 0, 31)));
    assert_true(mf_obstacle_meets(&box, 2.0, at(0, 0, 31), at(100, 0, 31)));
    assert_false(mf_obstacle_meets(&box, 0.0, at(0, 11, 10), at(100, 11, 10)));
    assert_true(mf_obstacle_meets(&box, 1.5, at(0, 11, 10), at(100, 11, 10)));
    assert_false(mf_obstacle_meets(&box, 0.0, at(0, 0, 10), at(39, 0, 10)));
    assert_true(mf_obstacle_meets(&box, 0.0, at(0, 0, 0), at(100, 0, 60))); /* at 40 m: 24 m up */
    assert_false(mf_obstacle_meets(&box, 0.0, at(0, 0, 20), at(100, 0, 60)));
    const struct mf_obstacle bridge = mf_obstacle_box(at(40, -10, 20), at(20, 20, 5));
    assert_false(mf_obstacle_meets(&bridge, 9.0, at(0, 0, 10), at(100, 0, 10))); /* below it */
    assert_true(mf_obstacle_meets(&bridge, 11.0, at(0, 0, 10), at(100, 0, 10)));
}

/* UAV-13: against points of the line, each asked by itself: within 10 m, or the octagon around it.
 */
static void test_lines_that_meet_a_cylinder(void **state)
{
    (void)state;
    const struct mf_obstacle tower = mf_obstacle_cylinder(at(0, 0, 5), 10.0, 20.0);
    int met = 0;
    for (uint64_t k = 0; k < 2000; k++) {
        double x[6];
        for (uint64_t i = 0; i < 6; i++) {
            x[i] = (mf_chance_unit(k * 7919u, i) - 0.5) * 60.0;
        }
        bool within = false, beyond = true;
        for (int i = 0; i <= 1000; i++) {
            const double t = i / 1000.0, e = x[0] + t * (x[3] - x[0]), n = x[1] + t * (x[4] - x[1]);
            const double u = x[2] + t * (x[5] - x[2]);
            within = within || (hypot(e, n) < 9.9 && u > 5.1 && u < 24.9);
            beyond = beyond && (hypot(e, n) > 10.9 || u < 4.9 || u > 25.1);
        }
        const bool meets =
            mf_obstacle_meets(&tower, 0.0, at(x[0], x[1], x[2]), at(x[3], x[4], x[5]));
        assert_true(within ? meets : true);
        assert_false(beyond ? meets : false);
        met += meets ? 1 : 0;
    }
    assert_in_range(met, 100, 1900);
}

/* UAV-13: from (0, 0) to (100, 0) past the corners (35, 15) and (65, 15) of what keeps 5 m from the
 * box: 2 sqrt(35^2 + 15^2) + 30 = 106.158 m. */
static void test_a_way_around_a_box(void **state)
{
    (void)state;
    struct mf_enu way[MF_DETOUR_MAX];
    const struct mf_obstacle box = mf_obstacle_box(at(40, -11, 0), at(20, 21, 30));
    const struct mf_detour_limits l = {&box, 1, 5.0, NULL, 0};
    const int points = mf_detour(&l, at(0, 0, 10), at(100, 0, 10), way);
    assert_int_equal(points, 2);
    assert_true(fabs((double)way[0].e - 35.0) < 0.1 && fabs((double)way[0].n - 15.0) < 0.1);
    assert_true(fabs(length(at(0, 0, 10), way, points, at(100, 0, 10)) - 106.158) < 0.2);
    assert_int_equal(mf_detour(&l, at(0, 0, 40), at(100, 0, 40), way), 0); /* above it */
    assert_int_equal(mf_detour(&l, at(0, 0, 10), at(50, 0, 10), way), -1); /* into it */
}

/* UAV-17: between the arms of an L the way leads along its corner (100, 100), 5 m inside. */
static void test_a_way_stays_within_a_concave_polygon(void **state)
{
    (void)state;
    struct mf_enu way[MF_DETOUR_MAX];
    const struct mf_detour_limits l = {NULL, 0, 5.0, k_l, 6};
    assert_false(mf_detour_is_free(&l, at(250, 90, 30), at(90, 250, 30)));
    assert_int_equal(mf_detour(&l, at(250, 90, 30), at(90, 250, 30), way), 1);
    assert_true(fabs((double)way[0].e - 95.0) < 1e-4 && fabs((double)way[0].n - 95.0) < 1e-4);
    assert_int_equal(mf_detour(&l, at(250, 50, 30), at(50, 50, 30), way), 0);
    assert_int_equal(mf_detour(&l, at(-50, 50, 30), at(250, 50, 30), way), 0); /* from outside */
    struct mf_en turned[6];
    for (size_t i = 0; i < 6; i++) {
        turned[i] = k_l[5 - i]; /* clockwise */
    }
    const struct mf_detour_limits other = {NULL, 0, 5.0, turned, 6};
    assert_int_equal(mf_detour(&other, at(250, 90, 30), at(90, 250, 30), way), 1);
    assert_true(fabs((double)way[0].e - 95.0) < 1e-4);
}

/* UAV-13: four walls around a place leave no way. */
static void test_no_way(void **state)
{
    (void)state;
    struct mf_enu way[MF_DETOUR_MAX];
    const struct mf_obstacle walls[] = {mf_obstacle_box(at(-20, -20, 0), at(40, 2, 100)),
                                        mf_obstacle_box(at(-20, 18, 0), at(40, 2, 100)),
                                        mf_obstacle_box(at(-20, -20, 0), at(2, 40, 100)),
                                        mf_obstacle_box(at(18, -20, 0), at(2, 40, 100))};
    const struct mf_detour_limits l = {walls, 4, 1.0, NULL, 0};
    assert_int_equal(mf_detour(&l, at(100, 0, 10), at(0, 0, 10), way), -1);
    const struct mf_detour_limits open = {walls, 3, 1.0, NULL, 0};
    assert_int_equal(mf_detour(&open, at(-100, 0, 10), at(0, 0, 10), way), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_that_meet_a_box),
        cmocka_unit_test(test_lines_that_meet_a_cylinder),
        cmocka_unit_test(test_a_way_around_a_box),
        cmocka_unit_test(test_a_way_stays_within_a_concave_polygon),
        cmocka_unit_test(test_no_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
