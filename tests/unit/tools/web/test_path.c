/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/web/path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* What ends a text is not decoded; what is malformed stays as it is. */
static void test_percent(void **state)
{
    static const struct {
        const char *text, *decoded;
    } k_case[] = {
        {"egm96", "egm96"},
        {"%65gm%39%36", "egm96"},
        {"egm96%00", "egm96%00"},
        {"%2500", "%00"},
        {"a%2Fb%2fc", "a/b/c"},
        {"%C3%bc", "\xc3\xbc"},
        {"100%", "100%"},
        {"%", "%"},
        {"%4", "%4"},
        {"%zz%4x", "%zz%4x"},
        {"", ""},
        {"%00%00x", "%00%00x"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        char text[32];
        memcpy(text, k_case[i].text, strlen(k_case[i].text) + 1);
        assert_int_equal(web_unescape(text), strlen(k_case[i].decoded));
        assert_string_equal(text, k_case[i].decoded);
    }
}

static void test_patterns(void **state)
{
    static const struct {
        const char *pattern, *path, *part; /* part NULL: it does not fit */
    } k_case[] = {
        {"/v1", "/v1", ""},
        {"/v1", "/v1/", NULL},
        {"/v1/{id}", "/v1/abc", "abc"},
        {"/v1/{id}", "/v1/", NULL},
        {"/v1/{id}", "/v1/a/b", NULL},
        {"/v1/{id}/logs", "/v1/abc/logs", "abc"},
        {"/v1/{id}/logs", "/v1/abc", NULL},
        {"/v1/{id}/logs", "/v1/abc/log", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const char *part = "";
        size_t n = 0;
        const bool fits = web_path_fits(k_case[i].pattern, k_case[i].path, &part, &n);
        if (k_case[i].part == NULL) {
            assert_false(fits);
            continue;
        }
        assert_true(fits && n == strlen(k_case[i].part));
        assert_memory_equal(part, k_case[i].part, n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_percent),
        cmocka_unit_test(test_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
