/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_words_are_whole_and_in_order(void **state)
{
    static const struct {
        const char *text, *data;
        bool found;
    } k_case[] = {
        {"--sysid: 0 is out of range, allowed: 1 .. 254", "--sysid 0 1 254", true},
        {"--sysid: 0 is out of range, allowed: 1 .. 254", "--sysid 0 254 1", false},
        {"--sysid: 0 is out of range, allowed: 1 .. 25", "--sysid 0 1 254", false},
        {"15 -5 0.5 a-5 5_ 5a", "5", false},
        {"at most 5.", "5", true},
        {"'5'", "5", true},
        {"-5", "-5", true},
        {"key.part", "key", false},
        {"key: part", "key part", true},
        {"/a/b", "/a", false},
        {"x: x", "x x", true},
        {"x: y", "x x", false},
        {"aa a", "a", true},
        {"'' is empty", "''", true},
        {"", "x", false},
        {"anything", "", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        if (mf_names(k_case[i].text, k_case[i].data) != k_case[i].found) {
            fail_msg("'%s' in '%s'", k_case[i].data, k_case[i].text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_are_whole_and_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
