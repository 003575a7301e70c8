/* SPDX-License-Identifier: Apache-2.0 */
/* Templates of addresses. */
#include "tests/unit/support/names.h"
#include "tools/geoid/url.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const struct geoid_url_variable k_variables[] = {{"model", "egm96"},
                                                        {"bbox", "1,-2,3.5,4"},
                                                        {"odd", "a b/c?&+\xc3\xa9~"},
                                                        {"none", NULL},
                                                        {NULL, NULL}};

static char s_url[GEOID_URL_MAX], s_error[200];

static bool expand(const char *base, const char *pattern)
{
    return geoid_url_expand(base, pattern, k_variables, s_url, s_error, sizeof s_error);
}

static void test_templates(void **state)
{
    static const struct {
        const char *base, *pattern, *url;
    } k_case[] = {
        {"http://h:1", "/v1/models", "http://h:1/v1/models"},
        {"http://h:1/", "/v1/models", "http://h:1/v1/models"},
        {"HTTPS://h/pre", "v1", "HTTPS://h/pre/v1"},
        {"http://h", "/{model}/raster{?bbox}", "http://h/egm96/raster?bbox=1,-2,3.5,4"},
        {"http://h", "/{model}{?none}{&none}/{none}x", "http://h/egm96/x"},
        {"http://h", "/g{?model}{&bbox}", "http://h/g?model=egm96&bbox=1,-2,3.5,4"},
        {"http://h", "/{odd}", "http://h/a%20b%2Fc%3F%26%2B%C3%A9~"},
        {"http://h", "http://other/{model}", "http://other/egm96"},
        {"http://h", "", "http://h/"},
        {"http://h", "/}{model}}", "http://h/}egm96}"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        assert_true(expand(k_case[i].base, k_case[i].pattern));
        assert_string_equal(s_url, k_case[i].url);
    }
}

static void test_templates_that_are_refused(void **state)
{
    static char huge[GEOID_URL_MAX + 10];
    (void)state;
    assert_false(expand("http://h", "/{other}"));
    assert_non_null(strstr(s_error, "{other}"));
    assert_false(expand("http://h", "/{}"));
    assert_false(expand("http://h", "/{?}"));
    assert_false(expand("http://h", "/{mode}"));
    assert_false(expand("http://h", "/{model"));
    assert_false(expand("file:///etc", "/passwd"));
    assert_non_null(strstr(s_error, "http"));
    assert_false(expand("", "/v1"));
    memset(huge, 'a', sizeof huge - 1);
    assert_false(expand("http://h", huge));
    assert_names(s_error, "long");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_templates),
        cmocka_unit_test(test_templates_that_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
