/* SPDX-License-Identifier: Apache-2.0 */
/* tools/geoid/gtx.h. Files are written here byte by byte. */
#include "tests/unit/support/names.h"
#include "tools/geoid/gtx.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char g_path[] = "/tmp/mfgtx-XXXXXX";
static char g_error[200];
static struct mf_raster g_raster;

static int begin(void **state)
{
    (void)state;
    const int descriptor = mkstemp(g_path);
    return descriptor < 0 || close(descriptor) != 0;
}

static int end(void **state)
{
    (void)state;
    return remove(g_path);
}

static size_t put(uint8_t *at, const void *value, size_t n)
{
    const uint8_t *little = value;   /* the machine that tests is little-endian */
    for (size_t i = 0; i < n; i++) { // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign)
        at[i] = little[n - 1 - i];
    }
    return n;
}

/* Corner in the south-west, spacing, then nodes 0, 1, 2 ... from there; `missing` bytes fewer. */
static void write_grid(double south_deg, double west_deg, double step_deg, int32_t rows,
                       int32_t columns, int missing)
{
    uint8_t bytes[4096] = {0};
    const double head[4] = {south_deg, west_deg, step_deg, step_deg};
    size_t n = 0;
    for (int i = 0; i < 4; i++) {
        n += put(bytes + n, &head[i], 8);
    }
    n += put(bytes + n, &rows, 4);
    n += put(bytes + n, &columns, 4);
    for (int i = 0; i < rows * columns && n + 4 < sizeof bytes; i++) {
        const float value_m = i == 5 ? -88.8888f : (float)i;
        n += put(bytes + n, &value_m, 4);
    }
    FILE *file = fopen(g_path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n - (size_t)missing, file), n - (size_t)missing);
    fclose(file);
}

static void check_refused(const char *data)
{
    assert_false(mf_gtx_read(g_path, &g_raster, g_error, sizeof g_error));
    assert_names(g_error, g_path);
    assert_names(g_error, data);
    assert_null(g_raster.node_m);
}

static void test_a_grid_is_turned_north_up(void **state)
{
    (void)state;
    write_grid(10.0, 20.0, 0.25, 3, 2, 0);
    assert_true(mf_gtx_read(g_path, &g_raster, g_error, sizeof g_error));
    assert_int_equal(g_raster.rows, 3);
    assert_int_equal(g_raster.columns, 2);
    assert_true(g_raster.north_e9 == 10500000000 && g_raster.west_e9 == 20000000000);
    assert_int_equal(g_raster.lat_num, 1);
    assert_int_equal(g_raster.lon_den, 4);
    assert_false(g_raster.wraps);
    assert_true(g_raster.node_m[0] == 4.0 && g_raster.node_m[4] == 0.0);
    assert_true(isnan(g_raster.node_m[1])); /* PROJ's value for none */
    assert_string_equal(g_raster.frame, "none");
    assert_memory_equal(g_raster.model, "mfgtx-", 6);
    mf_raster_free(&g_raster);
}

static void test_a_grid_that_goes_round_loses_the_column_that_repeats(void **state)
{
    (void)state;
    write_grid(-90.0, -180.0, 90.0, 3, 5, 0);
    assert_true(mf_gtx_read(g_path, &g_raster, g_error, sizeof g_error));
    assert_true(g_raster.wraps);
    assert_int_equal(g_raster.columns, 4);
    assert_true(g_raster.node_m[0] == 10.0 && g_raster.node_m[11] == 3.0);
    mf_raster_free(&g_raster);
}

static void test_what_is_no_grid_says_why(void **state)
{
    (void)state;
    write_grid(10.0, 20.0, 0.25, 3, 2, 1);
    check_refused("early");
    write_grid(10.0, 20.0, 0.25, 3, 2, 25);
    check_refused("header 40 bytes");
    write_grid(10.0, 20.0, 0.25, 1, 2, 0);
    check_refused("rows columns");
    write_grid(10.0, 20.0, 0.25, -1, 2, 0);
    check_refused("rows columns");
    write_grid(10.0, 20.0, 0.0, 3, 2, 0);
    check_refused("fraction");
    write_grid(10.0, 20.0, NAN, 3, 2, 0);
    check_refused("fraction");
    write_grid(89.75, 20.0, 0.25, 3, 2, 0);
    check_refused("Earth");
    write_grid(NAN, 20.0, 0.25, 3, 2, 0);
    check_refused("Earth");
    write_grid(10.0, 20.0, 0.25, 3, 2, 0);
    FILE *file = fopen(g_path, "ab");
    assert_non_null(file);
    fputc(0, file);
    fclose(file);
    check_refused("late");
    assert_false(mf_gtx_read("/nowhere.gtx", &g_raster, g_error, sizeof g_error));
    assert_names(g_error, "/nowhere.gtx GTX opened");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_grid_is_turned_north_up),
        cmocka_unit_test(test_a_grid_that_goes_round_loses_the_column_that_repeats),
        cmocka_unit_test(test_what_is_no_grid_says_why),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
