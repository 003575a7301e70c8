/* SPDX-License-Identifier: Apache-2.0 */
/* tools/geoid/pack_write.h: what is packed is what is read again. */
#include "tests/unit/support/names.h"
#include "tools/geoid/pack_write.h"

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

static struct mf_raster g_raster;
static const struct mf_pack_plan k_plan = {MF_PACK_GEOID, MF_PACK_BILINEAR, 1000};
static uint8_t *g_bytes;
static size_t g_size;
static struct mf_pack g_pack;
static struct mf_pack_cache g_cache;
static char g_error[200];

static int clean(void **state)
{
    (void)state;
    mf_raster_free(&g_raster);
    free(g_bytes);
    g_bytes = NULL;
    return 0;
}

/* A raster of a degree's fraction with its corner in whole degrees, all void. */
static void begin(uint32_t rows, uint32_t columns, int64_t north_deg, int64_t west_deg,
                  uint32_t num, uint32_t den)
{
    clean(NULL);
    g_raster = (struct mf_raster){.rows = rows,
                                  .columns = columns,
                                  .north_e9 = north_deg * 1000000000,
                                  .west_e9 = west_deg * 1000000000,
                                  .lat_num = num,
                                  .lat_den = den,
                                  .lon_num = num,
                                  .lon_den = den,
                                  .model = "test",
                                  .frame = "none",
                                  .epoch = "none"};
    assert_true(mf_raster_alloc(&g_raster));
}

static double *node(uint32_t row, uint32_t column)
{
    return &g_raster.node_m[(size_t)row * g_raster.columns + column];
}

static void pack_it(const struct mf_pack_plan *plan)
{
    if (!mf_pack_make(&g_raster, plan, &g_bytes, &g_size, g_error, sizeof g_error)) {
        fail_msg("%s", g_error);
    }
    assert_int_equal(mf_pack_open(&g_pack, g_bytes, g_size), MF_E_OK);
    memset(&g_cache, 0, sizeof g_cache);
}

static void check_refused(const struct mf_pack_plan *plan, const char *text)
{
    assert_false(mf_pack_make(&g_raster, plan, &g_bytes, &g_size, g_error, sizeof g_error));
    assert_non_null(strstr(g_error, text));
}

static uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Ground of every sort, a third of it void: noise of 2^n mm, n up to 22, on hills. */
static void test_any_nodes_come_back(void **state)
{
    uint32_t seed = 42;
    (void)state;
    for (uint32_t round = 0; round < 12; round++) {
        const uint32_t rows = 2 + draw(&seed) % 140;
        const uint32_t columns = 2 + draw(&seed) % 140;
        begin(rows, columns, 40, 170, 1, 10);
        for (uint32_t i = 0; i < rows * columns; i++) {
            const uint32_t row = i / columns;
            const double hills = 100.0 * sin(row * 0.05) * cos(i % columns * 0.07);
            const double noise = (double)(draw(&seed) % (2u << (round > 22 ? 22 : round))) * 1e-3;
            const bool is_void = round % 3 == 1 && (i / 7 % 5 == 0 || draw(&seed) % 10 == 0);
            g_raster.node_m[i] = is_void ? NAN : hills + noise;
        }
        pack_it(&k_plan);
        for (uint32_t i = 0; i < rows * columns; i++) {
            int32_t value;
            assert_int_equal(mf_pack_node(&g_pack, &g_cache, i / columns, i % columns, &value),
                             MF_E_OK);
            const double expected = floor(g_raster.node_m[i] * 1000.0 + 0.5);
            assert_int_equal(value, isnan(expected) ? MF_PACK_VOID : (int32_t)expected);
        }
        uint8_t digest[32];
        assert_true(mf_pack_hash_grid(&g_pack, digest));
        assert_memory_equal(digest, mf_pack_grid(&g_pack), 32);
        mf_pack_hash_fingerprint(digest, MF_PACK_CUBIC, "none", "none", digest);
        assert_memory_equal(digest, mf_pack_fingerprint(&g_pack, MF_PACK_CUBIC), 32);
    }
}

/* The row beyond a pole is the one before it, half a turn away: a step across the pole seen by the
 * cubic. Nodes of 45 deg: row 1 is 0.24 m at longitude 0 only. */
static void test_the_row_beyond_a_pole_lies_opposite(void **state)
{
    (void)state;
    begin(5, 8, 90, -180, 45, 1);
    g_raster.wraps = true;
    for (uint32_t i = 0; i < 40; i++) {
        g_raster.node_m[i] = 0.0;
    }
    *node(1, 4) = 372.0;
    const struct mf_pack_plan plan = {MF_PACK_GEOID, MF_PACK_CUBIC, 1000};
    pack_it(&plan);
    double value_m;
    /* opposite, at -180 deg: the node is number 0 of the stencil; at x = 0, y = 1/2 its part is
     * (-131 / 2 + 144 / 4 - 31 / 8) */
    assert_int_equal(mf_pack_at(&g_pack, &g_cache, MF_PACK_CUBIC, 67.5, 180.0, &value_m), MF_E_OK);
    assert_true(fabs(value_m - (-65.5 + 36.0 - 3.875)) < 1e-9);
    /* number 7 at its own longitude: 216 / 2 + 87 / 4 - 93 / 8 */
    assert_int_equal(mf_pack_at(&g_pack, &g_cache, MF_PACK_CUBIC, 67.5, 0.0, &value_m), MF_E_OK);
    assert_true(fabs(value_m - (108.0 + 21.75 - 11.625)) < 1e-9);
}

/* The same grid from 0 and from -180 deg, and from a whole turn farther: one pack. */
static void test_where_a_grid_begins_makes_no_difference(void **state)
{
    static const int64_t k_west_deg[] = {-180, 0, 90, 180, -270, 360};
    static uint8_t hash[32];
    (void)state;
    for (size_t n = 0; n < sizeof k_west_deg / sizeof k_west_deg[0]; n++) {
        begin(3, 4, 90, k_west_deg[n], 90, 1);
        g_raster.wraps = true;
        for (uint32_t i = 0; i < 12; i++) {
            const int64_t lon_deg = (k_west_deg[n] + 90 * (i % 4) + 720) % 360;
            g_raster.node_m[i] = i / 4 == 1 ? (double)lon_deg : 1.0;
        }
        pack_it(&k_plan);
        assert_true(g_pack.west_e9 == INT64_C(-180000000000));
        if (n == 0) {
            memcpy(hash, mf_pack_grid(&g_pack), 32);
        }
        assert_memory_equal(hash, mf_pack_grid(&g_pack), 32);
        double value_m;
        assert_int_equal(mf_pack_at(&g_pack, &g_cache, MF_PACK_BILINEAR, 0, 45, &value_m), MF_E_OK);
        assert_true(value_m == 45.0);
    }
}

static void test_what_cannot_be_packed_says_why(void **state)
{
    (void)state;
    begin(2, 2, 40, 170, 1, 1);
    *node(0, 0) = 17000.0;
    check_refused(&k_plan, "large");
    *node(0, 0) = INFINITY;
    check_refused(&k_plan, "large");
    *node(0, 0) = 0.0;
    g_raster.wraps = true;
    check_refused(&k_plan, "geometry");
    g_raster.wraps = false;
    g_raster.north_e9 = 91000000000;
    check_refused(&k_plan, "pack");
    g_raster.north_e9 = 40000000000;
    snprintf(g_raster.model, sizeof g_raster.model, "Two Words");
    check_refused(&k_plan, "names");
    snprintf(g_raster.model, sizeof g_raster.model, "test");
    const struct mf_pack_plan no_quantum = {MF_PACK_GEOID, MF_PACK_BILINEAR, 0};
    check_refused(&no_quantum, "geometry");
    pack_it(&k_plan);
}

static void test_a_file_appears_whole_or_not_at_all(void **state)
{
    char path[] = "/tmp/mfpack-XXXXXX";
    (void)state;
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    begin(2, 2, 40, 170, 1, 1);
    assert_true(mf_pack_write(&g_raster, &k_plan, path, g_error, sizeof g_error));
    pack_it(&k_plan);
    uint8_t bytes[4096];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, sizeof bytes, file), g_size);
    fclose(file);
    assert_memory_equal(bytes, g_bytes, g_size);
    remove(path);
    assert_false(mf_pack_write(&g_raster, &k_plan, "/nowhere/at/all", g_error, sizeof g_error));
    assert_names(g_error, "/nowhere/at/all");
}

static void test_steps_become_fractions(void **state)
{
    static const struct {
        double step_deg;
        uint32_t num, den;
    } k_steps[] = {{0.25, 1, 4},          {1.0 / 24, 1, 24},     {1.0 / 60, 1, 60},
                   {1.0 / 3600, 1, 3600}, {1.5 / 3600, 1, 2400}, {2.0, 2, 1},
                   {0.0166666667, 1, 60}, {2.0 / 3, 2, 3}};
    uint32_t num;
    uint32_t den;
    (void)state;
    for (size_t i = 0; i < sizeof k_steps / sizeof k_steps[0]; i++) {
        assert_true(mf_raster_fraction(k_steps[i].step_deg, &num, &den));
        assert_int_equal(num, k_steps[i].num);
        assert_int_equal(den, k_steps[i].den);
    }
    assert_false(mf_raster_fraction(0.0, &num, &den));
    assert_false(mf_raster_fraction(NAN, &num, &den));
    assert_false(mf_raster_fraction(1e-6, &num, &den));
}

static void test_a_column_that_repeats_the_first_goes(void **state)
{
    (void)state;
    begin(2, 5, 90, -180, 90, 1);
    for (uint32_t i = 0; i < 10; i++) {
        g_raster.node_m[i] = i;
    }
    mf_raster_close(&g_raster);
    assert_true(g_raster.wraps);
    assert_int_equal(g_raster.columns, 4);
    assert_true(*node(0, 3) == 3.0 && *node(1, 0) == 5.0 && *node(1, 3) == 8.0);
    begin(2, 3, 90, -180, 90, 1);
    mf_raster_close(&g_raster);
    assert_false(g_raster.wraps);
    assert_int_equal(g_raster.columns, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_any_nodes_come_back, clean),
        cmocka_unit_test_teardown(test_the_row_beyond_a_pole_lies_opposite, clean),
        cmocka_unit_test_teardown(test_where_a_grid_begins_makes_no_difference, clean),
        cmocka_unit_test_teardown(test_what_cannot_be_packed_says_why, clean),
        cmocka_unit_test_teardown(test_a_file_appears_whole_or_not_at_all, clean),
        cmocka_unit_test(test_steps_become_fractions),
        cmocka_unit_test_teardown(test_a_column_that_repeats_the_first_goes, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
