/* SPDX-License-Identifier: Apache-2.0 */
/* What services say of their grids, as JSON and back. */
#include "tools/geoid/offer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define HASH_1 "1111111111111111111111111111111111111111111111111111111111111111"
#define HASH_F "ABCDEFabcdef0123456789abcdef0123456789abcdef0123456789abcdef0123"

/* What a foreign service needs to say, and no more. */
static const char k_least[] =
    "{\"model\": \"x\", \"kind\": \"terrain\", \"interpolation\": \"bilinear\", \"frame\": "
    "\"none\", \"epoch\": \"2020.0\", \"grid_hash\": \"" HASH_1 "\", \"fingerprint\": \"" HASH_F
    "\", \"grid\": {\"rows\": 2, \"columns\": 3, \"north_e9\": -1000000000, \"west_e9\": "
    "350000000000, \"lat_step\": [1, 3600], \"lon_step\": [3, 2], \"wraps\": false, "
    "\"quantum_um\": 1000000}}";

static char s_error[200];

static bool read_text(const char *text, struct geoid_offer *offer)
{
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    s_error[0] = '\0';
    const bool good = geoid_offer_read(json, offer, s_error, sizeof s_error);
    json_decref(json);
    assert_int_equal(good, s_error[0] == '\0');
    return good;
}

/* The least there is, with one text in it replaced. */
static bool read_changed(const char *what, const char *by)
{
    char text[2048];
    struct geoid_offer offer;
    const char *at = strstr(k_least, what);
    assert_non_null(at);
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - k_least), k_least, by,
                   at + strlen(what));
    return read_text(text, &offer);
}

static void test_the_least(void **state)
{
    struct geoid_offer o;
    (void)state;
    assert_true(read_text(k_least, &o));
    assert_string_equal(o.model, "x");
    assert_int_equal(o.kind, MF_PACK_TERRAIN);
    assert_int_equal(o.interpolation, MF_PACK_BILINEAR);
    assert_string_equal(o.epoch, "2020.0");
    assert_int_equal(o.hash[31], 0x11);
    assert_int_equal(geoid_offer_fingerprint(&o, MF_PACK_AS_MADE)[0], 0xAB);
    assert_int_equal(o.grid.rows, 2);
    assert_int_equal(o.grid.columns, 3);
    assert_true(o.grid.west_e9 == INT64_C(350000000000));
    assert_int_equal(o.grid.lat_den, 3600);
    assert_int_equal(o.grid.lon_num, 3);
    assert_int_equal(o.quantum_um, 1000000);
    assert_false(o.grid.wraps);
    assert_true(geoid_offer_bytes(&o) == 24);
}

static void test_there_and_back(void **state)
{
    struct geoid_offer o = {.model = "navd88-g18",
                            .frame = "itrf2014",
                            .epoch = "2024.5",
                            .kind = MF_PACK_GEOID,
                            .interpolation = MF_PACK_CUBIC,
                            .quantum_um = 100,
                            .grid = {.rows = 4321,
                                     .columns = 8640,
                                     .north_e9 = INT64_C(90000000000),
                                     .west_e9 = INT64_C(-123456789012),
                                     .lat_num = 1,
                                     .lat_den = 24,
                                     .lon_num = 1,
                                     .lon_den = 24,
                                     .wraps = true}};
    struct geoid_offer back;
    (void)state;
    memset(o.source, 0x5A, sizeof o.source);
    memset(o.hash, 0x0F, sizeof o.hash);
    memset(o.cubic, 0xF0, sizeof o.cubic);
    json_t *json = geoid_offer_json(&o);
    assert_non_null(json);
    assert_int_equal(json_integer_value(json_object_get(json, "bytes")), 4321LL * 8640 * 4);
    assert_true(geoid_offer_read(json, &back, s_error, sizeof s_error));
    assert_memory_equal(&o.grid, &back.grid, offsetof(struct geoid_grid, wraps));
    assert_true(back.grid.wraps);
    assert_string_equal(back.model, o.model);
    assert_string_equal(back.frame, o.frame);
    assert_string_equal(back.epoch, o.epoch);
    assert_memory_equal(back.cubic, o.cubic, sizeof o.cubic);
    assert_memory_equal(back.hash, o.hash, sizeof o.hash);
    assert_memory_equal(back.source, o.source, sizeof o.source);
    assert_int_equal(back.quantum_um, 100);
    json_decref(json);
}

static void test_what_is_refused(void **state)
{
    static const char *const k_case[][2] = {
        {"\"x\"", "\"../x\""},
        {"\"x\"", "\"\""},
        {"\"x\"", "\"a_name_that_is_longer_than_31_letters\""},
        {"\"x\"", "\"X\""},
        {"\"x\"", "7"},
        {"\"terrain\"", "\"water\""},
        {"\"bilinear\"", "\"nearest\""},
        {"\"frame\": \"none\",", ""},
        {"2020.0", "a year that is much too long"},
        {HASH_1, "11"},
        {HASH_F, "xBCDEFabcdef0123456789abcdef0123456789abcdef0123456789abcdef0123"},
        {"\"rows\": 2", "\"rows\": 1"},
        {"\"rows\": 2", "\"rows\": 2.0"},
        {"\"rows\": 2", "\"rows\": 4294967298"},
        {"\"rows\": 2", "\"rows\": 700000"},
        {"\"columns\": 3", "\"columns\": 300"},
        {"\"columns\": 3", "\"columns\": -3"},
        {"-1000000000", "90000000001"},
        {"350000000000", "1e9"},
        {"[1, 3600]", "[0, 3600]"},
        {"[1, 3600]", "[1, 0]"},
        {"[1, 3600]", "[1, 1000001]"},
        {"[1, 3600]", "[1]"},
        {"[1, 3600]", "0.5"},
        {"[3, 2]", "[181, 2]"},
        {"[3, 2]", "[3, 2, 1]"},
        {"false", "0"},
        {"\"quantum_um\": 1000000", "\"quantum_um\": 0"},
        {"\"quantum_um\": 1000000", "\"quantum_um\": 1000001"},
        {"\"grid\"", "\"grit\""},
    };
    struct geoid_offer offer;
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        assert_false(read_changed(k_case[i][0], k_case[i][1]));
    }
    assert_false(read_text("[]", &offer));
    assert_false(read_text("{}", &offer));
    assert_false(read_text("{\"grid\": []}", &offer));
}

static void test_hashes(void **state)
{
    uint8_t hash[MF_PACK_HASH];
    char text[GEOID_HASH_TEXT];
    (void)state;
    assert_true(geoid_hash_parse(HASH_F, hash));
    geoid_hash_text(hash, text);
    assert_string_equal(text, "abcdefabcdef0123456789abcdef0123456789abcdef0123456789abcdef0123");
    assert_false(geoid_hash_parse("", hash));
    assert_false(geoid_hash_parse(HASH_F "0", hash));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_least),
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
