/* SPDX-License-Identifier: Apache-2.0 */
/* world/geoid.h and the EGM96 that is built in. Its hashes were computed in Python from the grid of
 * PROJ, by the text of docs/geoid.md; its values too. */
#include "world/geoid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pack_fixture.h"
#include "world/egm96.h"

#define ORACLE "../shared/data/geoid/oracle_egm96.csv"

static struct mf_geoid g_geoid;

static void check_hash(const uint8_t *hash, const char *hex)
{
    char text[65];
    for (int i = 0; i < 32; i++) {
        snprintf(text + (size_t)2 * (size_t)i, 3, "%02x", hash[i]);
    }
    assert_string_equal(text, hex);
}

static void use_egm96(enum mf_pack_interpolation how)
{
    struct mf_pack pack;
    memset(&g_geoid, 0, sizeof g_geoid);
    assert_int_equal(mf_pack_open(&pack, mf_egm96_pack, mf_egm96_pack_size), MF_E_OK);
    assert_int_equal(mf_geoid_add(&g_geoid, &pack, how), MF_E_OK);
}

static double value_at(double lat_deg, double lon_deg)
{
    double value_m = NAN;
    assert_int_equal(mf_geoid_at(&g_geoid, lat_deg, lon_deg, &value_m, NULL), MF_E_OK);
    return value_m;
}

static void check(double lat_deg, double lon_deg, double expected_m)
{
    const double value_m = value_at(lat_deg, lon_deg);
    if (!(fabs(value_m - expected_m) < 1e-9)) {
        fail_msg("%g, %g: %.12g, not %.12g", lat_deg, lon_deg, value_m, expected_m);
    }
}

static void test_sim039_egm96_says_what_it_is(void **state)
{
    (void)state;
    use_egm96(MF_PACK_AS_MADE);
    const struct mf_pack *pack = &g_geoid.layer[0].pack;
    assert_string_equal(mf_pack_model(pack), "egm96");
    assert_string_equal(mf_pack_frame(pack), "none");
    assert_string_equal(mf_pack_epoch(pack), "none");
    assert_int_equal(g_geoid.layer[0].how, MF_PACK_CUBIC);
    assert_true(pack->wraps && pack->north_pole && pack->south_pole);
    assert_true(mf_egm96_pack_size < 1200000);
    check_hash(mf_pack_source(pack),
               "c02a6eb70a7a78efebe5adf3ade626eb75390e170bb8b3f36136a2c28f5326a0");
    check_hash(mf_pack_grid(pack),
               "4d59c40248cb56af4cc20186a43cf7516277390cbb19643f8d38029746145501");
}

static void test_sim041_fingerprints_of_egm96(void **state)
{
    (void)state;
    use_egm96(MF_PACK_AS_MADE);
    const struct mf_pack *pack = &g_geoid.layer[0].pack;
    check_hash(mf_pack_fingerprint(pack, MF_PACK_BILINEAR),
               "18f0b7b60eff48a5942305b34bc9a1523b4976a7b024ff3d5e5d04b5319d1794");
    check_hash(mf_pack_fingerprint(pack, MF_PACK_CUBIC),
               "f980cd11a72467c3a2b47a115505561fb950dd93389f7430fd974b03547ea507");
}

static void test_sim039_egm96_at_nodes_poles_and_the_antimeridian(void **state)
{
    (void)state;
    use_egm96(MF_PACK_BILINEAR);
    for (int lon_deg = -180; lon_deg <= 360; lon_deg += 7) {
        check(90.0, lon_deg, 13.606);
        check(-90.0, lon_deg, -29.534);
    }
    check(47.25, 8.5, 47.3720000000);
    check(47.397742, 8.545594, 47.3361510186);
    check(-0.125, 179.875, 21.2822500000);
    check(39.1031, -84.512, -34.9354478304);
    check(89.9, 12.3, 13.7019200000);
    check(-89.95, -100.0, -29.5990000000);
    check(0.1, 180.0, value_at(0.1, -180.0));
    use_egm96(MF_PACK_CUBIC);
    for (int lon_deg = -180; lon_deg <= 360; lon_deg += 7) {
        check(90.0, lon_deg, 13.606);
        check(-90.0, lon_deg, -29.534);
    }
    check(0.1, 180.0, value_at(0.1, -180.0));
    check(-60.3, 181.3, value_at(-60.3, -178.7));
}

/* lat, lon, PROJ's bilinear, GeoidEval's bilinear and cubic. GeoidEval's grid counts 3 mm. */
static void test_sim039_egm96_against_proj_and_geoideval(void **state)
{
    (void)state;
    FILE *file = fopen(ORACLE, "r");
    if (file == NULL) {
        print_message("%s is not there: EGM96 is not compared with PROJ and GeoidEval\n", ORACLE);
        skip();
    }
    char line[256];
    int points = 0;
    double worst_m[2] = {0.0, 0.0};
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file) != NULL) {
        double field[5];
        char *at = line;
        for (int i = 0; i < 5; i++) {
            field[i] = strtod(at, &at);
            assert_int_equal(*at++, ',');
        }
        const double expected_m[2] = {field[2], field[4]};
        for (int i = 0; i < 2; i++) {
            static struct mf_pack_cache cache;
            double value_m;
            use_egm96(MF_PACK_AS_MADE);
            assert_int_equal(mf_pack_at(&g_geoid.layer[0].pack, &cache,
                                        i == 0 ? MF_PACK_BILINEAR : MF_PACK_CUBIC, field[0],
                                        field[1], &value_m),
                             MF_E_OK);
            worst_m[i] = fmax(worst_m[i], fabs(value_m - expected_m[i]));
        }
        points++;
    }
    fclose(file);
    print_message("%d points: at most %.5f m from PROJ, %.5f m from GeoidEval's cubic\n", points,
                  worst_m[0], worst_m[1]);
    assert_true(points > 300 && worst_m[0] < 0.001 && worst_m[1] < 0.003);
}

/* 2 by 2 nodes of one value, and perhaps a void. */
static void add_square(struct made *made, const char *model, int64_t west_deg, int32_t value_mm,
                       bool has_void)
{
    const int32_t node[4] = {value_mm, value_mm, value_mm, has_void ? VOID_NODE : value_mm};
    const struct sheet sheet = {model, 2, 2, 1, west_deg, 1, 1, false, 1, 1, 1000, node};
    struct mf_pack pack;
    make_sheet(made, &sheet);
    assert_int_equal(mf_pack_open(&pack, made->bytes, made->size), MF_E_OK);
    assert_int_equal(mf_geoid_add(&g_geoid, &pack, MF_PACK_AS_MADE), MF_E_OK);
}

static void check_by(double lon_deg, double expected_m, size_t layer)
{
    double value_m;
    const struct mf_geoid_layer *by = NULL;
    assert_int_equal(mf_geoid_at(&g_geoid, 0.5, lon_deg, &value_m, &by), MF_E_OK);
    assert_true(value_m == expected_m);
    assert_ptr_equal(by, &g_geoid.layer[layer]);
}

static void test_sim039_the_first_pack_that_has_a_value_serves(void **state)
{
    static struct made made[4];
    (void)state;
    memset(&g_geoid, 0, sizeof g_geoid);
    double value_m = -999.0;
    const struct mf_geoid_layer *by = NULL;
    assert_int_equal(mf_geoid_at(&g_geoid, 0.5, 0.5, &value_m, &by), MF_E_RANGE);
    add_square(&made[0], "first", 0, 1000, false);  /* 0 to 1 */
    add_square(&made[1], "holes", 1, 2000, true);   /* 1 to 2, but no value inside */
    add_square(&made[2], "behind", 0, 3000, false); /* under the first one */
    add_square(&made[3], "other", 1, 4000, false);  /* under the second one */
    check_by(0.5, 1.0, 0);
    check_by(1.0, 1.0, 0);
    check_by(1.5, 4.0, 3);
    check_by(360.5, 1.0, 0);
    assert_int_equal(mf_geoid_at(&g_geoid, 0.5, 2.5, &value_m, &by), MF_E_RANGE);
    assert_int_equal(mf_geoid_at(&g_geoid, NAN, 0.5, &value_m, &by), MF_E_RANGE);
    assert_true(value_m == -999.0);
    assert_int_equal(mf_geoid_add_constant(&g_geoid, 48.5), MF_E_OK);
    check_by(2.5, 48.5, 4);
    assert_int_equal(mf_geoid_at(&g_geoid, NAN, 0.5, &value_m, &by), MF_E_RANGE);
    assert_int_equal(mf_geoid_at(&g_geoid, 91.0, 0.5, &value_m, &by), MF_E_RANGE);
}

/* The one behind it would give a value, of another model. */
static void test_a_damaged_tile_is_an_error_though_another_pack_covers_the_place(void **state)
{
    static struct made made[2];
    double value_m = -999.0;
    (void)state;
    memset(&g_geoid, 0, sizeof g_geoid);
    add_square(&made[0], "first", 0, 1000, false);
    add_square(&made[1], "behind", 0, 3000, false);
    made[0].bytes[made[0].size - 1] ^= 1;
    assert_int_equal(mf_geoid_at(&g_geoid, 0.5, 0.5, &value_m, NULL), MF_E_IO);
    assert_true(value_m == -999.0);
}

static void test_what_cannot_be_added(void **state)
{
    static const int32_t k_node[4] = {0};
    static struct made made;
    struct sheet sheet = {"ground", 2, 2, 1, 0, 1, 1, false, 2, 1, 1000, k_node};
    struct mf_pack pack;
    (void)state;
    memset(&g_geoid, 0, sizeof g_geoid);
    make_sheet(&made, &sheet);
    assert_int_equal(mf_pack_open(&pack, made.bytes, made.size), MF_E_OK);
    assert_int_equal(mf_geoid_add(&g_geoid, &pack, MF_PACK_AS_MADE), MF_E_NOSUPP);
    assert_int_equal(mf_geoid_add_constant(&g_geoid, NAN), MF_E_RANGE);
    assert_int_equal(mf_geoid_add_constant(&g_geoid, 1000.1), MF_E_RANGE);
    for (unsigned i = 0; i < MF_GEOID_LAYERS; i++) {
        assert_int_equal(mf_geoid_add_constant(&g_geoid, i), MF_E_OK);
    }
    assert_int_equal(mf_geoid_add_constant(&g_geoid, 1.0), MF_E_FULL);
    sheet.kind = 1;
    make_sheet(&made, &sheet);
    assert_int_equal(mf_pack_open(&pack, made.bytes, made.size), MF_E_OK);
    assert_int_equal(mf_geoid_add(&g_geoid, &pack, MF_PACK_CUBIC), MF_E_FULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim039_egm96_says_what_it_is),
        cmocka_unit_test(test_sim041_fingerprints_of_egm96),
        cmocka_unit_test(test_sim039_egm96_at_nodes_poles_and_the_antimeridian),
        cmocka_unit_test(test_sim039_egm96_against_proj_and_geoideval),
        cmocka_unit_test(test_sim039_the_first_pack_that_has_a_value_serves),
        cmocka_unit_test(test_a_damaged_tile_is_an_error_though_another_pack_covers_the_place),
        cmocka_unit_test(test_what_cannot_be_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
