/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of an instance's commands: the runner uses texts of all members without another look. */
#include "tools/simctl/local/run_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static bool fits(const char *text)
{
    json_t *list = json_loads(text, 0, NULL);
    assert_non_null(list);
    const bool good = simctl_run_list_check(list) == NULL;
    json_decref(list);
    return good;
}

static void test_lists_that_the_controller_writes(void **state)
{
    (void)state;
    assert_true(fits("[{\"name\":\"a\",\"command\":[\"x\"]}]"));
    assert_true(fits("[{\"name\":\"a\",\"command\":[\"x\",\"\"],\"env\":{\"A\":\"1\"},"
                     "\"port\":\"P\",\"sidecar\":true},{\"name\":\"b\",\"command\":[\"y\"]}]"));
}

static void test_lists_without_commands_or_with_other_types(void **state)
{
    static const char *const k_text[] = {
        "[]",
        "{}",
        "[1]",
        "[{\"command\":[\"x\"]}]",
        "[{\"name\":\"a\"}]",
        "[{\"name\":\"a\",\"command\":[]}]",
        "[{\"name\":\"a\",\"command\":\"x\"}]",
        "[{\"name\":\"a\",\"command\":[\"x\",1]}]",
        "[{\"name\":\"a\",\"command\":[\"x\"],\"env\":{\"A\":1}}]",
        "[{\"name\":\"a\",\"command\":[\"x\"],\"env\":[]}]",
        "[{\"name\":\"a\",\"command\":[\"x\"],\"port\":1}]",
        "[{\"name\":\"a\",\"command\":[\"x\"]},{\"name\":1,\"command\":[\"x\"]}]",
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_text / sizeof k_text[0]; i++) {
        assert_false(fits(k_text[i]));
    }
}

/* @return whether a list of so many commands of so many words fits */
static bool fits_of(unsigned commands, unsigned words)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < commands; i++) {
        json_t *command = json_array();
        for (unsigned k = 0; k < words; k++) {
            (void)json_array_append_new(command, json_string("x"));
        }
        (void)json_array_append_new(list, json_pack("{s:s, s:o}", "name", "a", "command", command));
    }
    const bool good = simctl_run_list_check(list) == NULL;
    json_decref(list);
    return good;
}

static void test_limits(void **state)
{
    (void)state;
    assert_true(fits_of(16, 64));
    assert_false(fits_of(17, 1));
    assert_false(fits_of(1, 65));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists_that_the_controller_writes),
        cmocka_unit_test(test_lists_without_commands_or_with_other_types),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
