/* SPDX-License-Identifier: Apache-2.0 */
#include "world/earth.h"

#include "world/egm96.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct mf_geoid g_geoid;
static struct mf_pack g_egm96;
static struct mf_earth g_earth;

static int setup(void **state)
{
    (void)state;
    memset(&g_geoid, 0, sizeof g_geoid);
    memset(&g_earth, 0xA5, sizeof g_earth);
    return mf_pack_open(&g_egm96, mf_egm96_pack, mf_egm96_pack_size);
}

static void test_sim040_without_models_the_sea_is_the_ellipsoid(void **state)
{
    double undulation_m = 1.0;
    (void)state;
    assert_int_equal(mf_earth_init(&g_earth, NULL, 47.0, 8.0), MF_E_OK);
    assert_true(g_earth.everywhere);
    assert_int_equal(mf_earth_at(&g_earth, 90.0, -180.0, &undulation_m), MF_E_OK);
    assert_true(undulation_m == 0.0);
    assert_int_equal(mf_earth_geoid_ops.about(&g_earth).model, MF_EARTH_NONE);
}

static void test_sim040_an_empty_list_covers_nothing(void **state)
{
    (void)state;
    assert_int_equal(mf_earth_init(&g_earth, &g_geoid, 47.0, 8.0), MF_E_RANGE);
}

static void test_sim041_models_have_names_and_fingerprints(void **state)
{
    (void)state;
    assert_int_equal(mf_geoid_add(&g_geoid, &g_egm96, MF_PACK_BILINEAR), MF_E_OK);
    assert_int_equal(mf_geoid_add_constant(&g_geoid, 3.0), MF_E_OK);
    assert_int_equal(mf_geoid_add_constant(&g_geoid, 0.0), MF_E_OK);
    assert_string_equal(mf_earth_name(&g_geoid.layer[0]), "egm96");
    assert_string_equal(mf_earth_name(&g_geoid.layer[1]), "constant");
    assert_string_equal(mf_earth_name(&g_geoid.layer[2]), "none");
    assert_int_equal(mf_earth_describe(&g_geoid.layer[0]).model, 2);
    assert_int_equal(mf_earth_describe(&g_geoid.layer[1]).model, 1);
    assert_int_equal(mf_earth_describe(&g_geoid.layer[2]).model, 0);
    assert_null(mf_earth_fingerprint(&g_geoid.layer[1]));
    assert_int_equal(mf_earth_describe(&g_geoid.layer[1]).fingerprint, 0);
    const uint8_t *print = mf_earth_fingerprint(&g_geoid.layer[0]);
    assert_memory_equal(print, mf_egm96_pack + 192, MF_PACK_HASH); /* of bilinear, in the header */
    const uint32_t first =
        (uint32_t)print[0] << 24 | (uint32_t)print[1] << 16 | (uint32_t)print[2] << 8 | print[3];
    assert_int_equal(mf_earth_describe(&g_geoid.layer[0]).fingerprint, first);
    assert_int_equal(mf_earth_how(&g_egm96, print), MF_PACK_BILINEAR);
    assert_int_equal(mf_earth_how(&g_egm96, mf_egm96_pack + 224), MF_PACK_CUBIC);
    assert_int_equal(mf_earth_how(&g_egm96, mf_egm96_pack + 223), MF_PACK_AS_MADE);
}

static void test_sim041_a_model_of_an_unknown_name_is_another(void **state)
{
    static uint8_t header[MF_PACK_HEADER];
    struct mf_geoid_layer layer = {.pack = g_egm96, .how = MF_PACK_CUBIC};
    (void)state;
    memcpy(header, mf_egm96_pack, sizeof header);
    header[MF_PACK_AT_MODEL + 4] = '7'; /* egm97 */
    layer.pack.bytes = header;
    assert_int_equal(mf_earth_describe(&layer).model, MF_EARTH_OTHER);
}

/* The same place again costs nothing, and another one in between changes nothing. */
static void test_sim039_a_place_is_looked_up_once(void **state)
{
    double a_m, b_m, c_m;
    (void)state;
    assert_int_equal(mf_geoid_add(&g_geoid, &g_egm96, MF_PACK_AS_MADE), MF_E_OK);
    assert_int_equal(mf_earth_init(&g_earth, &g_geoid, 47.0, 8.0), MF_E_OK);
    assert_int_equal(mf_earth_at(&g_earth, 47.5, 8.5, &a_m), MF_E_OK);
    const uint32_t lookups = g_geoid.cache.lookups;
    assert_int_equal(mf_earth_geoid_ops.undulation(&g_earth, 47.5, 8.5, &b_m), MF_E_OK);
    assert_int_equal(g_geoid.cache.lookups, lookups);
    assert_true(a_m == b_m);
    assert_int_equal(mf_earth_at(&g_earth, -47.5, 8.5, &c_m), MF_E_OK);
    assert_int_equal(mf_earth_at(&g_earth, 47.5, 8.5, &b_m), MF_E_OK);
    assert_true(a_m == b_m && a_m != c_m);
}

static void test_sim029_the_ground_is_not_known(void **state)
{
    double m = 5.0;
    (void)state;
    assert_int_equal(mf_earth_init(&g_earth, NULL, 47.0, 8.0), MF_E_OK);
    assert_int_equal(mf_earth_geoid_ops.ground(&g_earth, 47.0, 8.0, &m), MF_E_NOSUPP);
    assert_true(m == 5.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_sim040_without_models_the_sea_is_the_ellipsoid, setup),
        cmocka_unit_test_setup(test_sim040_an_empty_list_covers_nothing, setup),
        cmocka_unit_test_setup(test_sim041_models_have_names_and_fingerprints, setup),
        cmocka_unit_test_setup(test_sim041_a_model_of_an_unknown_name_is_another, setup),
        cmocka_unit_test_setup(test_sim039_a_place_is_looked_up_once, setup),
        cmocka_unit_test_setup(test_sim029_the_ground_is_not_known, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
