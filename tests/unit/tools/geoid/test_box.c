/* SPDX-License-Identifier: Apache-2.0 */
/* Which nodes of a grid serve a box: expected values counted by hand. */
#include "tools/geoid/box.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define E9(degrees) ((int64_t)((degrees)*1e9))

/* 15 minutes, whole Earth, from -180: EGM96. */
static const struct geoid_grid k_globe = {.rows = 721,
                                          .columns = 1440,
                                          .north_e9 = E9(90),
                                          .west_e9 = E9(-180),
                                          .lat_num = 1,
                                          .lat_den = 4,
                                          .lon_num = 1,
                                          .lon_den = 4,
                                          .wraps = true};
/* 2.5 minutes from 0: EGM2008. */
static const struct geoid_grid k_fine = {.rows = 4321,
                                         .columns = 8640,
                                         .north_e9 = E9(90),
                                         .west_e9 = 0,
                                         .lat_num = 1,
                                         .lat_den = 24,
                                         .lon_num = 1,
                                         .lon_den = 24,
                                         .wraps = true};
/* A region, 1 degree, 10 x 20 cells from 50 N 230 E. */
static const struct geoid_grid k_region = {.rows = 11,
                                           .columns = 21,
                                           .north_e9 = E9(50),
                                           .west_e9 = E9(230),
                                           .lat_num = 1,
                                           .lat_den = 1,
                                           .lon_num = 1,
                                           .lon_den = 1};

static struct geoid_crop s_crop;

static bool crop(const struct geoid_grid *grid, const char *text)
{
    struct geoid_box box;
    char error[200];
    memset(&s_crop, 0, sizeof s_crop);
    assert_true(geoid_box_parse(text, &box, error, sizeof error));
    return geoid_box_crop(grid, &box, &s_crop);
}

static void assert_crop(uint32_t row, uint32_t rows, int64_t north_e9, uint32_t column,
                        uint32_t columns, int64_t west_e9, bool wraps)
{
    assert_int_equal(s_crop.row, row);
    assert_int_equal(s_crop.grid.rows, rows);
    assert_true(s_crop.grid.north_e9 == north_e9);
    assert_int_equal(s_crop.column, column);
    assert_int_equal(s_crop.grid.columns, columns);
    assert_true(s_crop.grid.west_e9 == west_e9);
    assert_int_equal(s_crop.grid.wraps, wraps);
}

static void test_inside(void **state)
{
    (void)state;
    /* rows: 90 - 47.6 = 42.4 deg = row 169.6; 90 - 47 = row 172; columns: 188.1 deg = column
     * 752.4; 188.9 = 755.6; two more on each side */
    assert_true(crop(&k_globe, "47,8.1,47.6,8.9"));
    assert_crop(167, 8, E9(48.25), 750, 9, E9(7.5), false);
    /* a place is a box, too */
    assert_true(crop(&k_globe, "47.1,8.1,47.1,8.1"));
    assert_crop(169, 6, E9(47.75), 750, 6, E9(7.5), false);
    /* on nodes */
    assert_true(crop(&k_globe, "47,8,47.25,8.25"));
    assert_crop(169, 6, E9(47.75), 750, 6, E9(7.5), false);
}

static void test_first_node_is_exact(void **state)
{
    (void)state;
    /* 90 - 47.3 = 42.7 deg = row 1024.8, less 2 = 1022, down to a multiple of 3 = 1020: 42.5 deg;
     * 90 - 47.2 = row 1027.2, up 1028, and 2 = 1030; column 8.2 * 24 = 196.8, 194, 192: 8.0 deg;
     * 8.3 * 24 = 199.2, 200, 202 */
    assert_true(crop(&k_fine, "47.2,8.2,47.3,8.3"));
    assert_crop(1020, 11, E9(47.5), 192, 11, E9(8), false);
}

static void test_antimeridian(void **state)
{
    (void)state;
    /* 358.9 deg from the first column = 1435.6, less 2 = 1433; 361.2 = 1444.8, 1445, 1447 */
    assert_true(crop(&k_globe, "-1,178.9,1,-178.8"));
    assert_crop(354, 13, E9(1.5), 1433, 15, E9(178.25), false);
    /* the seam of a grid that begins at 0 is at Greenwich: -0.2 deg = column 8635.2, 8633, 8631:
     * -0.375 deg; 0.2 deg = 4.8, 5, 7 more than 8640 */
    assert_true(crop(&k_fine, "0,-0.2,0,0.2"));
    assert_int_equal(s_crop.column, 8631);
    assert_int_equal(s_crop.grid.columns, 17);
    assert_true(s_crop.grid.west_e9 == E9(-0.375));
}

static void test_all_around(void **state)
{
    (void)state;
    assert_true(crop(&k_globe, "-1,-180,1,180"));
    assert_crop(354, 13, E9(1.5), 0, 1440, E9(-180), true);
    /* over a pole, and within its reach, stencils look at all longitudes */
    assert_true(crop(&k_globe, "89.9,8,90,9"));
    assert_crop(0, 4, E9(90), 0, 1440, E9(-180), true);
    assert_true(crop(&k_globe, "-89.6,8,-89,9"));
    assert_crop(714, 7, E9(-88.5), 0, 1440, E9(-180), true);
    assert_true(crop(&k_globe, "-89.5,8,-89,9"));
    assert_int_equal(s_crop.grid.columns, 9);
    assert_true(crop(&k_globe, "-90,-180,90,180"));
    assert_crop(0, 721, E9(90), 0, 1440, E9(-180), true);
}

static void test_region(void **state)
{
    (void)state;
    assert_true(crop(&k_region, "44.5,-125.5,45.5,-124.5"));
    assert_crop(2, 7, E9(48), 2, 7, E9(-128), false);
    /* no nodes beyond its edges */
    assert_true(crop(&k_region, "40,-130,50,-110"));
    assert_crop(0, 11, E9(50), 0, 21, E9(-130), false);
    assert_false(crop(&k_region, "44.5,-131,45.5,-124.5"));
    assert_false(crop(&k_region, "44.5,-125.5,45.5,-109.9"));
    assert_false(crop(&k_region, "44.5,-125.5,50.1,-124.5"));
    assert_false(crop(&k_region, "39,-125.5,45,-124.5"));
    assert_false(crop(&k_region, "44.5,-180,45.5,180"));
    assert_false(crop(&k_region, "44.5,8,45.5,9"));
    /* a box that goes the other way around */
    assert_false(crop(&k_region, "44.5,-124,45.5,-125"));
}

static void test_bounds(void **state)
{
    char text[GEOID_BOX_TEXT_MAX];
    struct geoid_box box = geoid_grid_bounds(&k_globe);
    struct geoid_grid asia = k_region;
    (void)state;
    geoid_box_text(&box, text);
    assert_string_equal(text, "-90,-180,90,180");
    box = geoid_grid_bounds(&k_region);
    geoid_box_text(&box, text);
    assert_string_equal(text, "40,-130,50,-110");
    asia.west_e9 = E9(160);
    box = geoid_grid_bounds(&asia);
    geoid_box_text(&box, text);
    assert_string_equal(text, "40,160,50,180");
    asia.west_e9 = E9(170);
    box = geoid_grid_bounds(&asia);
    geoid_box_text(&box, text);
    assert_string_equal(text, "40,170,50,-170");
}

static void test_text(void **state)
{
    static const char *const k_good[] = {"-90,-180,90,180", "47.000000001,8,47.5,-8.25",
                                         "-0.5,-0.000000001,0,0.1"};
    static const char *const k_bad[] = {
        "",           "1,2,3",      "1,2,3,4,5", "1,2,3,4 ",    "5,0,4,0", "-91,0,0,0",
        "0,-181,0,0", "0,0,90.1,0", "0,0,0,181", "a,0,0,0",     "1,,2,3",  "1;2;3;4",
        "nan,0,0,0",  "1e1,0,20,0", "0x1,0,2,0", "1.2.3,0,2,0", "-,0,1,0"};
    (void)state;
    for (size_t i = 0; i < sizeof k_good / sizeof k_good[0]; i++) {
        struct geoid_box box;
        char error[200], text[GEOID_BOX_TEXT_MAX];
        assert_true(geoid_box_parse(k_good[i], &box, error, sizeof error));
        geoid_box_text(&box, text);
        assert_string_equal(text, k_good[i]);
    }
    for (size_t i = 0; i < sizeof k_bad / sizeof k_bad[0]; i++) {
        struct geoid_box box;
        char error[200] = "";
        assert_false(geoid_box_parse(k_bad[i], &box, error, sizeof error));
        assert_true(strlen(error) > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inside),       cmocka_unit_test(test_first_node_is_exact),
        cmocka_unit_test(test_antimeridian), cmocka_unit_test(test_all_around),
        cmocka_unit_test(test_region),       cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
