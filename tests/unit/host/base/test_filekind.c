/* SPDX-License-Identifier: Apache-2.0 */
/* Files of other programs, by their beginning and by their keys. */
#include "host/base/filekind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Look at a copy of just that size, so that the sanitizer finds a byte behind it. */
static const char *kind_of(const char *text, size_t n)
{
    char *copy = malloc(n > 0 ? n : 1);
    assert_non_null(copy);
    memcpy(copy, text, n);
    const char *kind = mf_filekind(copy, n);
    free(copy);
    return kind;
}

static void test_beginnings(void **state)
{
    static const struct {
        const char *text, *word; /* NULL: not known */
    } k_case[] = {
        {"<?xml version=\"1.0\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\"/>", "KML"},
        {"\xEF\xBB\xBF \r\n<gpx version=\"1.1\">", "GPX"},
        {"<html>", "XML"},
        {"<", "XML"},
        {"ULog\x01\x12\x35\x01", "ULog"},
        {"ULog", NULL},
        {"PK\x03\x04\x14", "ZIP"},
        {"\xA3\x95\x80", "DataFlash"},
        {"\xA3", NULL},
        {"{\n  \"SeeDocsAt\": 1, \"SettingsVersion\": 1.2}", "AirSim"},
        {"{\"SimMode\": \"Multirotor\"}", "AirSim"},
        {"{\"type\": \"FeatureCollection\"}", "GeoJSON"},
        {"{\"Services\": 1}", NULL},
        {"{\"my services\": 1}", NULL},
        {"{\"services", NULL},
        {"services:\n  px4:\n", "compose"},
        {"version: '3'\nservices:\n  px4:\n", "compose"},
        {"x:\n  services:\n", NULL},
        {"services", NULL},
        {"QGC WPL 110\n", NULL},
        {"\xEF\xBB\xBF", NULL},
        {"", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const char *kind = kind_of(k_case[i].text, strlen(k_case[i].text));
        assert_int_equal(kind != NULL, k_case[i].word != NULL);
        assert_true(kind == NULL || strstr(kind, k_case[i].word) != NULL);
    }
}

static void test_keys(void **state)
{
    (void)state;
    assert_non_null(strstr(mf_filekind_of_key("services"), "compose"));
    assert_non_null(strstr(mf_filekind_of_key("SimMode"), "AirSim"));
    assert_non_null(strstr(mf_filekind_of_key("fileType"), ".plan"));
    assert_null(mf_filekind_of_key("service"));
    assert_null(mf_filekind_of_key(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_beginnings),
                                       cmocka_unit_test(test_keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
