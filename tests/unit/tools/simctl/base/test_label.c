/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/support/names.h"
#include "tools/simctl/base/label.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define X63 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

static bool is_good(const char *name, const char *text)
{
    struct web_error error = {0};
    json_t *labels = json_pack("{s:s}", name, text);
    assert_non_null(labels);
    const bool good = simctl_labels_check(labels, &error);
    json_decref(labels);
    if (!good) {
        assert_int_equal(error.status, 422);
        assert_string_equal(error.code, "labels");
    }
    return good;
}

static void test_the_syntax_of_kubernetes(void **state)
{
    static const struct {
        const char *name, *text;
        bool good;
    } k_case[] = {
        {"suite", "night", true},
        {"s", "", true},
        {"A_b.c-9", "A_b.c-9", true},
        {"acme.example/suite", "a", true},
        {X63, X63, true},
        {X63 "x", "a", false},
        {"a", X63 "x", false},
        {"", "a", false},
        {"-a", "a", false},
        {"a.", "a", false},
        {"a b", "a", false},
        {"\xc3\xa4", "a", false},
        {"a", "_a", false},
        {"a", "a-", false},
        {"a", "a b", false},
        {"a", "a/b", false},
        {"/a", "a", false},
        {"acme/", "a", false},
        {"a/b/c", "a", false},
        {"Acme/a", "a", false},
        {"acme..example/a", "a", false},
        {"acme./a", "a", false},
        {".acme/a", "a", false},
        {"ac_me/a", "a", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        if (is_good(k_case[i].name, k_case[i].text) != k_case[i].good) {
            fail_msg("'%s': '%s'", k_case[i].name, k_case[i].text);
        }
    }
    assert_true(simctl_labels_check(NULL, NULL));
}

static void test_names_of_the_control_plane_are_reserved(void **state)
{
    static const char *const k_reserved[] = {"mayfly.dev/instance",
                                             "mayfly.dev/anything",
                                             "x.mayfly.dev/a",
                                             "app.kubernetes.io/name",
                                             "batch.kubernetes.io/job-name",
                                             "kubernetes.io/a",
                                             "k8s.io/a",
                                             "node.k8s.io/a",
                                             "job-name",
                                             "controller-uid"};
    (void)state;
    for (size_t i = 0; i < sizeof k_reserved / sizeof k_reserved[0]; i++) {
        if (is_good(k_reserved[i], "a")) {
            fail_msg("%s", k_reserved[i]);
        }
    }
    assert_true(is_good("notmayfly.dev/instance", "a"));
    assert_true(is_good("mayfly.dev.example/instance", "a"));
    assert_true(is_good("job-name.x", "a"));
}

static void test_the_label_is_named(void **state)
{
    struct web_error error = {0};
    json_t *labels = json_pack("{s:s, s:i}", "a", "b", "c", 1);
    (void)state;
    assert_false(simctl_labels_check(labels, &error));
    assert_names(error.message, "labels.c 63");
    json_decref(labels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_syntax_of_kubernetes),
        cmocka_unit_test(test_names_of_the_control_plane_are_reserved),
        cmocka_unit_test(test_the_label_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
