/* SPDX-License-Identifier: Apache-2.0 */
/* What clients of the elevation service write: paths, parameters, headers. */
#include "tools/elevation/query.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct elevation_query s_query;
static struct web_error s_error;

static bool path(const char *text)
{
    memset(&s_error, 0, sizeof s_error);
    return elevation_query_path(&s_query, text, &s_error);
}

/* Parameters as name, value, name, value, ..., NULL. */
static bool ask(const char *text, ...)
{
    va_list args;
    bool good = path(text);
    va_start(args, text);
    for (const char *name = va_arg(args, const char *); good && name != NULL;
         name = va_arg(args, const char *)) {
        good = elevation_query_parameter(&s_query, name, va_arg(args, const char *), &s_error);
    }
    va_end(args);
    return good && elevation_query_end(&s_query, &s_error);
}

static void assert_refused(unsigned status, const char *code)
{
    assert_int_equal(s_error.status, status);
    assert_string_equal(s_error.code, code);
    assert_true(strlen(s_error.message) > 5);
}

static void test_paths(void **state)
{
    static const struct {
        const char *path;
        enum elevation_route route;
        const char *model;
    } k_good[] = {
        {"/v1", ELEVATION_SERVICE, ""},
        {"/v1/models", ELEVATION_MODELS, ""},
        {"/v1/models/egm96", ELEVATION_MODEL, "egm96"},
        {"/v1/models/raster", ELEVATION_MODEL, "raster"},
        {"/v1/models/egm96/raster", ELEVATION_RASTER, "egm96"},
        {"/v1/undulation", ELEVATION_UNDULATION, ""},
        {"/v1/terrain", ELEVATION_TERRAIN, ""},
        {"/v1/convert", ELEVATION_CONVERT, ""},
        {"/v1/models/1234567890123456789012345678901", ELEVATION_MODEL,
         "1234567890123456789012345678901"},
    };
    static const char *const k_bad[] = {
        "",
        "/",
        "/v2/models",
        "/v1/",
        "/v1/model",
        "/v1/models/",
        "/v1/models//raster",
        "/v1/models/egm96/",
        "/V1/models",
        "v1/models",
        "/v1/undulation/",
        "/v1/models/egm96/raster/x",
        "/v1{",
        "/v1/models/12345678901234567890123456789012",
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_good / sizeof k_good[0]; i++) {
        assert_true(path(k_good[i].path));
        assert_int_equal(s_query.route, k_good[i].route);
        assert_string_equal(s_query.model, k_good[i].model);
    }
    for (size_t i = 0; i < sizeof k_bad / sizeof k_bad[0]; i++) {
        assert_false(path(k_bad[i]));
        assert_int_equal(s_error.status, 404);
    }
}

static void test_values(void **state)
{
    (void)state;
    assert_true(ask("/v1/undulation", "lat", "-47.5", "lon", "359.25", "interpolation", "bilinear",
                    "model", "egm2008", NULL));
    assert_true(s_query.lat_deg == -47.5 && s_query.lon_deg == 359.25);
    assert_int_equal(s_query.interpolation, MF_PACK_BILINEAR);
    assert_string_equal(s_query.model, "egm2008");
    assert_true(ask("/v1/convert", "lat", "90", "lon", "-180", "height", "-12.5", "from", "ground",
                    "to", "ellipsoid", NULL));
    assert_string_equal(s_query.from, "ground");
    assert_string_equal(s_query.to, "ellipsoid");
    assert_true(s_query.height_m == -12.5);
    assert_int_equal(s_query.interpolation, MF_PACK_AS_MADE);
    assert_true(ask("/v1/models/egm96/raster", "bbox", "-10,170,10.5,-170", NULL));
    assert_true(s_query.has_box);
    assert_true(s_query.box.west_e9 == INT64_C(170000000000));
}

static void test_values_that_are_refused(void **state)
{
    static const char *const k_lat[] = {"90.1", "-91",  "nan", "inf",  "1e5",
                                        "0x10", "47,5", "",    "47 5", "4.5deg"};
    (void)state;
    for (size_t i = 0; i < sizeof k_lat / sizeof k_lat[0]; i++) {
        assert_false(ask("/v1/undulation", "lat", k_lat[i], "lon", "8", NULL));
        assert_refused(400, "bad_parameter");
    }
    assert_false(ask("/v1/undulation", "lat", NULL));
    assert_false(ask("/v1/undulation", "lat", "1", "lon", "361", NULL));
    assert_refused(400, "bad_parameter");
    assert_false(ask("/v1/undulation", "lat", "1", NULL));
    assert_refused(400, "missing_parameter");
    assert_non_null(strstr(s_error.message, "lon"));
    assert_false(ask("/v1/undulation", "lat", "1", "lat", "1", "lon", "1", NULL));
    assert_refused(400, "bad_parameter");
    assert_false(ask("/v1/undulation", "lat", "1", "lon", "1", "height", "3", NULL));
    assert_refused(400, "unknown_parameter");
    assert_false(ask("/v1/models", "bbox", "1,2,3,4", NULL));
    assert_refused(400, "unknown_parameter");
    assert_false(ask("/v1/models/egm96", "bbox", "1,2,3", NULL));
    assert_refused(400, "bad_parameter");
    assert_false(ask("/v1/terrain", "lat", "1", "lon", "1", "interpolation", "nearest", NULL));
    assert_refused(400, "bad_parameter");
    assert_false(ask("/v1/convert", "from", "", NULL));
    assert_refused(400, "bad_parameter");
    assert_false(ask("/v1/convert", "to", "a_name_that_is_longer_than_31_letters", NULL));
    assert_refused(400, "bad_parameter");
}

static void test_ranges(void **state)
{
    static const struct {
        const char *text;
        int result;
        int64_t first, last;
    } k_case[] = {
        {"bytes=0-", 1, 0, 99},
        {"bytes=7-", 1, 7, 99},
        {"bytes=99-", 1, 99, 99},
        {"bytes=100-", -1, 100, 99},
        {"bytes=5-9", 1, 5, 9},
        {"bytes=5-5", 1, 5, 5},
        {"bytes=5-1000", 1, 5, 99},
        {"bytes=9-5", 0, 0, 0},
        {"bytes=-5", 0, 0, 0},
        {"bytes=1-2,4-5", 0, 0, 0},
        {"bytes=", 0, 0, 0},
        {"bytes=-", 0, 0, 0},
        {"items=0-5", 0, 0, 0},
        {"bytes=1 -", 0, 0, 0},
        {"", 0, 0, 0},
        {"bytes=9999999999999999999999-", 0, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        int64_t first = 0, last = 0;
        assert_int_equal(elevation_query_range(k_case[i].text, 100, &first, &last),
                         k_case[i].result);
        assert_true(first == k_case[i].first && last == k_case[i].last);
    }
}

static void test_tags(void **state)
{
    static const char *const k_yes[] = {
        "\"abc\"", "W/\"abc\"", "*", "\"x\", \"abc\"", "\"x\",W/\"y\" ,\"abc\"", "x, \"abc\""};
    static const char *const k_no[] = {"",      "abc",       "\"abcd\"", "\"ab\"", "\"",
                                       "\"x\"", "\"x\",abc", ",,, ,",    "W/",     "\"abc"};
    (void)state;
    for (size_t i = 0; i < sizeof k_yes / sizeof k_yes[0]; i++) {
        assert_true(elevation_query_tagged(k_yes[i], "abc"));
    }
    for (size_t i = 0; i < sizeof k_no / sizeof k_no[0]; i++) {
        assert_false(elevation_query_tagged(k_no[i], "abc"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_values_that_are_refused),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_tags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
