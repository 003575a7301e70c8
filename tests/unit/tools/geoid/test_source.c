/* SPDX-License-Identifier: Apache-2.0 */
/* Readers of NOAA .bin, GEOTRANS and .hgt, and several files as one grid (SIM-040). */
#include "tests/unit/support/names.h"
#include "tests/unit/tools/geoid/grid_file.h"
#include "tools/geoid/source.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static char s_folder[] = "/tmp/mf_geoid_XXXXXX";
static char s_error[GEOID_ERROR_MAX];
static struct geoid_source s_source;

static int set_up_all(void **state)
{
    (void)state;
    return mkdtemp(s_folder) == NULL || chdir(s_folder) != 0 ? -1 : 0;
}

static int tear_down_all(void **state)
{
    (void)state;
    return rmdir(s_folder);
}

static int tear_down(void **state)
{
    (void)state;
    geoid_source_free(&s_source);
    return 0;
}

static double node(size_t row, size_t column)
{
    return s_source.raster.node_m[row * s_source.raster.columns + column];
}

static bool read_bytes(const char *name, const struct grid_file *f, size_t n)
{
    assert_true(write_file(name, f->bytes, n));
    const bool ok = geoid_source_read(name, &s_source, s_error);
    assert_int_equal(unlink(name), 0);
    return ok;
}

/* ---- NOAA .bin: three rows of four, from 24 N 130 W, every minute; row r, column c: 10 r + c,
 * counted from the south */

static void noaa_bin(struct grid_file *f, double south_deg, double west_deg, float base)
{
    put_f64(f, south_deg);
    put_f64(f, west_deg);
    put_f64(f, 0.01666666666667);
    put_f64(f, 0.01666666666667);
    put_uint(f, 3, 4);
    put_uint(f, 4, 4);
    put_uint(f, 1, 4);
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            put_f32(f, base + (float)(10 * row + column));
        }
    }
}

static void check_noaa_bin(bool big)
{
    struct grid_file f = {.big = big};
    noaa_bin(&f, 24.0, 230.0, -30.5F);
    assert_true(read_bytes("g2018u5.bin", &f, f.n));
    const struct mf_raster *r = &s_source.raster;
    assert_int_equal(r->rows, 3);
    assert_int_equal(r->columns, 4);
    assert_int_equal(r->north_e9, 24033333333);
    assert_int_equal(r->west_e9, -130000000000);
    assert_int_equal(r->lat_num, 1);
    assert_int_equal(r->lat_den, 60);
    assert_int_equal(r->lon_den, 60);
    assert_false(r->wraps);
    assert_true(node(2, 0) == -30.5); /* the south-west corner */
    assert_true(node(2, 3) == -27.5);
    assert_true(node(0, 0) == -10.5);
    assert_string_equal(r->model, "navd88"); /* the name says it */
    assert_int_equal(s_source.datum, GEOID_DATUM_NAD83_2011);
    assert_string_equal(r->frame, "none");
    geoid_source_free(&s_source);
}

static void test_sim040_noaa_bin_of_either_byte_order(void **state)
{
    (void)state;
    check_noaa_bin(false);
    check_noaa_bin(true);
}

static void test_noaa_bin_cut_off_or_longer_is_refused(void **state)
{
    (void)state;
    struct grid_file f = {0};
    noaa_bin(&f, 24.0, 230.0, 0.0F);
    assert_false(read_bytes("cut.bin", &f, f.n - 1));
    assert_names(s_error, "cut.bin 3 x 4");
    assert_null(s_source.raster.node_m); /* a header alone gets no memory for its nodes */
    geoid_source_free(&s_source);
    assert_false(read_bytes("long.bin", &f, f.n + 1));
    geoid_source_free(&s_source);
    assert_false(read_bytes("head.bin", &f, 43));
    assert_names(s_error, "head.bin");
}

static void test_a_grid_beyond_the_pole_is_refused(void **state)
{
    (void)state;
    struct grid_file f = {0};
    noaa_bin(&f, 89.99, 230.0, 0.0F);
    assert_false(read_bytes("pole.bin", &f, f.n));
    assert_names(s_error, "pole.bin 3 x 4 90.0233,230 0.0166667,0.0166667 Earth");
}

/* ---- GEOTRANS: five rows from pole to pole, eight columns, two around */

static void geotrans(struct grid_file *f, double unit)
{
    f->big = true;
    put_uint(f, 2, 4);
    put_uint(f, 5, 4);
    put_uint(f, 8, 4);
    put_f64(f, 45.0 * unit);
    put_f64(f, 45.0 * unit);
    for (int row = -2; row < 7; row++) {
        for (int column = -2; column < 11; column++) {
            put_f32(f, (float)(100 * row + column));
        }
    }
}

static void check_geotrans(double unit)
{
    struct grid_file f = {0};
    geotrans(&f, unit);
    assert_true(read_bytes("Und_min2.5x2.5_egm2008", &f, f.n));
    assert_int_equal(s_source.raster.rows, 5);
    assert_int_equal(s_source.raster.columns, 8);
    assert_int_equal(s_source.raster.north_e9, 90000000000);
    assert_int_equal(s_source.raster.west_e9, 0);
    assert_int_equal(s_source.raster.lat_num, 45);
    assert_int_equal(s_source.raster.lat_den, 1);
    assert_true(s_source.raster.wraps);
    assert_true(node(0, 0) == 0.0);
    assert_true(node(4, 7) == 407.0);
    assert_string_equal(s_source.raster.model, "egm2008");
    geoid_source_free(&s_source);
}

static void test_sim040_geotrans_without_its_padding(void **state)
{
    (void)state;
    check_geotrans(1.0);
    check_geotrans(0.017453292519943295);
}

static void test_geotrans_cut_off_is_refused(void **state)
{
    (void)state;
    struct grid_file f = {0};
    geotrans(&f, 1.0);
    assert_false(read_bytes("egm2008", &f, f.n - 4));
    assert_names(s_error, "egm2008 5 x 8");
    assert_null(s_source.raster.node_m);
}

/* ---- .hgt */

static void test_hgt_with_its_place_from_its_name(void **state)
{
    (void)state;
    struct grid_file f = {.big = true};
    for (int i = 0; i < 9; i++) {
        put_uint(&f, (uint16_t)(int16_t)(i == 4 ? -32768 : 100 * i - 300), 2);
    }
    assert_true(read_bytes("S34E018.hgt", &f, f.n));
    assert_true(s_source.terrain);
    assert_int_equal(s_source.raster.north_e9, -33000000000);
    assert_int_equal(s_source.raster.west_e9, 18000000000);
    assert_int_equal(s_source.raster.lat_den, 2);
    assert_true(node(0, 0) == -300.0);
    assert_true(node(2, 2) == 500.0);
    assert_true(isnan(node(1, 1)));
    geoid_source_free(&s_source);
    assert_false(read_bytes("S34E018.hgt", &f, f.n - 2));
    geoid_source_free(&s_source);
    assert_false(read_bytes("cape.hgt", &f, f.n));
    assert_non_null(strstr(s_error, "N47E008.hgt"));
}

/* ---- several files */

static bool read_two(double south_deg, double west_deg, float base)
{
    struct grid_file a = {0}, b = {0};
    char first[] = "a.bin", second[] = "b.bin";
    char *paths[] = {first, second};
    noaa_bin(&a, 24.0, 230.0, 0.0F);
    noaa_bin(&b, south_deg, west_deg, base);
    assert_true(write_file(first, a.bytes, a.n));
    assert_true(write_file(second, b.bytes, b.n));
    const bool ok = geoid_source_read_all(paths, 2, &s_source, s_error);
    assert_int_equal(unlink(first), 0);
    assert_int_equal(unlink(second), 0);
    return ok;
}

static void test_sim040_files_of_a_model_become_one_grid_with_voids_between(void **state)
{
    (void)state;
    /* its south-west corner is the north-east corner of the first: 23 there, too */
    assert_true(read_two(24.0 + 2.0 / 60, 230.05, 23.0F));
    assert_int_equal(s_source.raster.rows, 5);
    assert_int_equal(s_source.raster.columns, 7);
    assert_int_equal(s_source.raster.north_e9, 24066666667);
    assert_int_equal(s_source.raster.west_e9, -130000000000);
    assert_true(node(4, 0) == 0.0);
    assert_true(node(2, 3) == 23.0);
    assert_true(node(0, 6) == 46.0);
    assert_true(isnan(node(0, 0)));
    assert_true(isnan(node(4, 6)));
}

static void test_files_that_contradict_each_other_are_refused(void **state)
{
    (void)state;
    assert_false(read_two(24.0 + 2.0 / 60, 230.05, 23.1F));
    assert_names(s_error, "b.bin 23.1000 m 23.0000 m");
}

static void test_files_on_another_lattice_are_refused(void **state)
{
    (void)state;
    assert_false(read_two(24.04, 230.0, 0.0F));
    assert_names(s_error, "a.bin lattice");
}

static void test_files_on_both_sides_of_the_antimeridian(void **state)
{
    (void)state;
    struct grid_file a = {0}, b = {0};
    char first[] = "a.bin", second[] = "b.bin";
    char *paths[] = {first, second};
    noaa_bin(&a, 51.0, 180.0, 3.0F);
    noaa_bin(&b, 51.0, 179.95, 0.0F);
    assert_true(write_file(first, a.bytes, a.n));
    assert_true(write_file(second, b.bytes, b.n));
    assert_true(geoid_source_read_all(paths, 2, &s_source, s_error));
    assert_int_equal(unlink(first), 0);
    assert_int_equal(unlink(second), 0);
    assert_int_equal(s_source.raster.columns, 7);
    assert_true(node(2, 0) == 0.0);
    assert_true(node(2, 6) == 6.0);
}

static void test_what_is_no_grid_is_refused(void **state)
{
    (void)state;
    struct grid_file f = {0};
    assert_false(read_bytes("empty.gtx", &f, 0));
    assert_names(s_error, "empty.gtx GeoTIFF");
    memset(f.bytes, 'x', 100);
    assert_false(read_bytes("text.txt", &f, 100));
    assert_false(geoid_source_read("missing.tif", &s_source, s_error));
    assert_names(s_error, "missing.tif No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_sim040_noaa_bin_of_either_byte_order, tear_down),
        cmocka_unit_test_teardown(test_noaa_bin_cut_off_or_longer_is_refused, tear_down),
        cmocka_unit_test_teardown(test_a_grid_beyond_the_pole_is_refused, tear_down),
        cmocka_unit_test_teardown(test_sim040_geotrans_without_its_padding, tear_down),
        cmocka_unit_test_teardown(test_geotrans_cut_off_is_refused, tear_down),
        cmocka_unit_test_teardown(test_hgt_with_its_place_from_its_name, tear_down),
        cmocka_unit_test_teardown(test_sim040_files_of_a_model_become_one_grid_with_voids_between,
                                  tear_down),
        cmocka_unit_test_teardown(test_files_that_contradict_each_other_are_refused, tear_down),
        cmocka_unit_test_teardown(test_files_on_another_lattice_are_refused, tear_down),
        cmocka_unit_test_teardown(test_files_on_both_sides_of_the_antimeridian, tear_down),
        cmocka_unit_test_teardown(test_what_is_no_grid_is_refused, tear_down),
    };
    return cmocka_run_group_tests(tests, set_up_all, tear_down_all);
}
