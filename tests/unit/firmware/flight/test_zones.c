/* SPDX-License-Identifier: Apache-2.0 */
/* Zones alone: a store, and no vehicle. Distances are those of WGS84 at the equator: a degree of
 * latitude is 110574.28 m long, one of longitude 111319.49 m. */
#include "firmware/core/units.h"
#include "firmware/flight/zones.h"
#include "mavlink/enums.h"
#include "tests/unit/support/mock.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define NORTH_M (1.0 / 110574.28)
#define EAST_M  (1.0 / 111319.49)

enum { POINT = 5000, VERTEX_IN = 5001, VERTEX_OUT = 5002, CIRCLE_IN = 5003, CIRCLE_OUT = 5004 };

static struct mf_mock s_mock; /* large: not on the stack */
static struct mf_hal s_hal;
static struct mf_item s_item[8];
static uint16_t s_count;

static int start(void **state)
{
    (void)state;
    mf_mock_init(&s_mock);
    s_hal = mf_mock_hal(&s_mock);
    s_count = 0;
    return 0;
}

/* Adds an item; a commit of the store replaces all of them. */
static void put(uint16_t command, float p1, double north_m, double east_m)
{
    s_item[s_count++] = (struct mf_item){.command = command,
                                         .frame = MAV_FRAME_GLOBAL,
                                         .param = {mf_f32_bits(p1)},
                                         .x = mf_round_i32(north_m * NORTH_M * 1e7),
                                         .y = mf_round_i32(east_m * EAST_M * 1e7)};
    for (uint16_t i = 0; i < s_count; i++) {
        assert_int_equal(mf_store_put(&s_hal, MF_STORE_FENCE, i, &s_item[i]), MF_E_OK);
    }
    assert_int_equal(mf_store_commit(&s_hal, MF_STORE_FENCE, s_count, 1), MF_E_OK);
}

static void put_square(uint16_t command, double half_m)
{
    put(command, 4.0f, -half_m, -half_m);
    put(command, 4.0f, -half_m, half_m);
    put(command, 4.0f, half_m, half_m);
    put(command, 4.0f, half_m, -half_m);
}

static double depth_m(double north_m, double east_m)
{
    return mf_zones_depth_m(&s_hal, s_count, (struct mf_geo){north_m * NORTH_M, east_m * EAST_M});
}

static void expect_depth(double north_m, double east_m, double want_m)
{
    /* places on the wire are good to 11 mm */
    assert_float_equal(depth_m(north_m, east_m), want_m, 0.03);
}

static void test_without_zones_no_border_is_near(void **state)
{
    (void)state;
    assert_true(depth_m(0.0, 0.0) == 1e12);
    put(POINT, 0.0f, 10.0, 0.0); /* a return point bounds nothing */
    assert_true(depth_m(0.0, 0.0) == 1e12);
    assert_false(mf_zones_include(&s_hal, s_count));
}

static void test_one_circle(void **state)
{
    (void)state;
    put(CIRCLE_IN, 100.0f, 0.0, 0.0);
    expect_depth(0.0, 0.0, 100.0);
    expect_depth(30.0, 0.0, 70.0);
    expect_depth(0.0, -130.0, -30.0);
    assert_true(mf_zones_include(&s_hal, s_count));
}

static void test_a_circle_to_keep_out_of(void **state)
{
    (void)state;
    put(CIRCLE_OUT, 100.0f, 0.0, 0.0);
    expect_depth(0.0, 0.0, -100.0);
    expect_depth(0.0, 130.0, 30.0);
    assert_false(mf_zones_include(&s_hal, s_count));
}

/* Depths in polygons are at least 98.9 % of what they are, and never more. */
static void test_polygons(void **state)
{
    (void)state;
    put_square(VERTEX_IN, 500.0);
    assert_in_range((uint64_t)(depth_m(0.0, 0.0) * 100.0), 49450, 50003);
    assert_in_range((uint64_t)(depth_m(400.0, 0.0) * 100.0), 9890, 10003);
    assert_in_range((uint64_t)(-depth_m(0.0, 600.0) * 100.0), 9890, 10003);
    put_square(VERTEX_OUT, 100.0); /* a hole in it */
    assert_in_range((uint64_t)(-depth_m(0.0, 0.0) * 100.0), 9890, 10003);
    assert_in_range((uint64_t)(depth_m(150.0, 0.0) * 100.0), 4945, 5003);
}

/* Inside is: in any of the inclusion zones, and in no exclusion zone. */
static void test_the_best_inclusion_and_the_worst_exclusion_count(void **state)
{
    (void)state;
    put(CIRCLE_IN, 100.0f, 0.0, 0.0);
    put(CIRCLE_IN, 100.0f, 150.0, 0.0);
    expect_depth(60.0, 0.0, 40.0); /* by the first: the second has 10 m */
    expect_depth(100.0, 0.0, 50.0);
    expect_depth(-110.0, 0.0, -10.0);
    put(CIRCLE_OUT, 20.0f, 0.0, 50.0);
    put(CIRCLE_OUT, 20.0f, 0.0, -30.0);
    expect_depth(0.0, 0.0, 10.0);
    expect_depth(0.0, 45.0, -15.0);
    expect_depth(200.0, 0.0, 50.0); /* far from both of them */
}

static void test_zones_behind_an_item_that_cannot_be_read_do_not_count(void **state)
{
    (void)state;
    put(CIRCLE_IN, 100.0f, 0.0, 0.0);
    s_mock.store.get_result = MF_E_IO;
    assert_true(depth_m(0.0, 0.0) == 1e12);
    assert_false(mf_zones_include(&s_hal, s_count));
}

/* Only as many items as the fence has: the store may hold more. */
static void test_items_beyond_the_count_do_not_count(void **state)
{
    (void)state;
    put(CIRCLE_OUT, 100.0f, 500.0, 0.0);
    put(CIRCLE_IN, 100.0f, 0.0, 0.0);
    assert_false(mf_zones_include(&s_hal, 1));
    assert_true(mf_zones_include(&s_hal, 2));
    s_count = 1;
    expect_depth(0.0, 0.0, 400.0);
}

/* A vertex names how many its polygon has: a whole number that an upload can have. */
static void test_numbers_of_vertices(void **state)
{
    static const struct {
        float p1;
        uint16_t after;
        bool good;
    } k_case[] = {
        {3.0f, 2, true},   {3.0f, 1, false},         {3.5f, 9, false},
        {0.0f, 9, false},  {1.0f, 0, true},          {65535.0f, 65534, true},
        {-1.0f, 9, false}, {65536.0f, 65535, false}, {__builtin_nanf(""), 9, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct mf_fence_part part = {0};
        const struct mf_item item = {.command = VERTEX_IN, .param = {mf_f32_bits(k_case[i].p1)}};
        assert_int_equal(mf_zone_goes_on(&part, &item, k_case[i].after), k_case[i].good);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_without_zones_no_border_is_near, start),
        cmocka_unit_test_setup(test_one_circle, start),
        cmocka_unit_test_setup(test_a_circle_to_keep_out_of, start),
        cmocka_unit_test_setup(test_polygons, start),
        cmocka_unit_test_setup(test_the_best_inclusion_and_the_worst_exclusion_count, start),
        cmocka_unit_test_setup(test_zones_behind_an_item_that_cannot_be_read_do_not_count, start),
        cmocka_unit_test_setup(test_items_beyond_the_count_do_not_count, start),
        cmocka_unit_test_setup(test_numbers_of_vertices, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
