/* SPDX-License-Identifier: Apache-2.0 */
/* YAML becomes the JSON that YAML 1.2's core schema says it is. */
#include "host/base/value.h"
#include "tests/unit/support/names.h"
#include "tools/simctl/base/document.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static json_t *read_text(const char *text, struct web_error *error)
{
    *error = (struct web_error){0};
    return simctl_document_read("a.yaml", text, strlen(text), error);
}

static void test_scalars_and_collections(void **state)
{
    static const struct {
        const char *yaml, *json;
    } k_case[] = {
        {"a: 1", "{\"a\": 1}"},
        {"a: -12\nb: '12'", "{\"a\": -12, \"b\": \"12\"}"},
        {"a: 0.5\nb: 1e3\nc: 1.5.2", "{\"a\": 0.5, \"b\": 1000.0, \"c\": \"1.5.2\"}"},
        {"[true, False, ~, null, yes, no]", "[true, false, null, null, \"yes\", \"no\"]"},
        {"a:\nb: \"\"", "{\"a\": null, \"b\": \"\"}"},
        {"- {x: [1, {y: z}]}\n- |\n  two\n  lines\n",
         "[{\"x\": [1, {\"y\": \"z\"}]}, \"two\\nlines\\n\"]"},
        {"a: 9223372036854775807\nb: 9223372036854775808",
         "{\"a\": 9223372036854775807, \"b\": \"9223372036854775808\"}"},
        {"a: 10m\nb: 0x10\nc: .inf\nd: 2026-03-01",
         "{\"a\": \"10m\", \"b\": \"0x10\", \"c\": \".inf\", \"d\": \"2026-03-01\"}"},
        {"a: &x [1]\nb: *x", "{\"a\": [1], \"b\": [1]}"},
        {"{\"json\": [1, \"is\", {\"yaml\": true}]}", "{\"json\": [1, \"is\", {\"yaml\": true}]}"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct web_error error;
        json_t *is = read_text(k_case[i].yaml, &error);
        json_t *want = json_loads(k_case[i].json, 0, NULL);
        assert_non_null(want);
        if (!json_equal(is, want)) {
            fail_msg("'%s' became '%s' %s", k_case[i].yaml,
                     is != NULL ? json_dumps(is, JSON_ENCODE_ANY) : "nothing", error.message);
        }
        json_decref(is);
        json_decref(want);
    }
}

static void test_what_is_refused(void **state)
{
    static char s_deep[4 * MF_NESTING_MAX];
    static const struct {
        const char *yaml, *data;
    } k_case[] = {
        {"", "a.yaml empty"},           {"a: 1\nb: 2\na: 3", "a.yaml 3 a"},
        {"a: [1\nb: 2", "a.yaml 2"},    {"a: 1\nb: *x", "a.yaml 2 4 *name"},
        {"? [1]\n: 2", "a.yaml 1 key"}, {"a: \"\\0\"", "a.yaml 1 NUL"},
        {"a: \"\\ud800\"", "a.yaml 1"}, {s_deep, "a.yaml 1 33 32"},
    };
    (void)state;
    memset(s_deep, '[', MF_NESTING_MAX + 1);
    memset(s_deep + MF_NESTING_MAX + 1, ']', MF_NESTING_MAX + 1);
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct web_error error;
        assert_null(read_text(k_case[i].yaml, &error));
        assert_int_equal(error.status, 422);
        assert_names(error.message, k_case[i].data);
    }
}

static void test_files(void **state)
{
    struct web_error error = {0};
    (void)state;
    assert_null(simctl_document_load("/no/such/file.yaml", &error));
    assert_int_equal(error.status, 404);
    assert_names(error.message, "/no/such/file.yaml No such file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalars_and_collections),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
