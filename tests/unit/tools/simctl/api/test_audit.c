/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/api/audit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_a_line(void **state)
{
    char line[SIMCTL_AUDIT_MAX];
    const struct simctl_who who = {.tenant = "flight", .caller = "lab:runner"};
    const struct simctl_change change = {&who, "127.0.0.1", "create", "abc-0", "done"};
    (void)state;
    simctl_audit_line(&change, "NOW", line);
    assert_string_equal(line, "NOW audit tenant=flight caller=lab:runner from=127.0.0.1 "
                              "what=create instance=abc-0 result=done");
}

static void test_texts_are_escaped(void **state)
{
    char line[SIMCTL_AUDIT_MAX];
    const struct simctl_who who = {.tenant = "", .caller = "a=b"};
    const struct simctl_change change = {
        &who, "::1", "POST /v1/\n2026 audit tenant=\"x\\\" \xc3\xa4\x7f", "", "unknown_path"};
    (void)state;
    simctl_audit_line(&change, "NOW", line);
    assert_string_equal(line, "NOW audit tenant=- caller=\"a=b\" from=::1 "
                              "what=\"POST /v1/\\x0a2026 audit tenant=\\x22x\\x5c\\x22 "
                              "\\xc3\\xa4\\x7f\" instance=- result=unknown_path");
}

static void test_long_texts_are_cut(void **state)
{
    char line[SIMCTL_AUDIT_MAX], text[4096];
    const struct simctl_who who = {.tenant = "t", .caller = "c"};
    const struct simctl_change change = {&who, text, text, text, text};
    (void)state;
    memset(text, '\n', sizeof text);
    text[sizeof text - 1] = '\0';
    simctl_audit_line(&change, "2026-03-01T12:00:00.123Z", line);
    assert_non_null(strstr(line, " result=\"\\x0a"));
    assert_string_equal(line + strlen(line) - 8, "\\x0a...\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_line),
        cmocka_unit_test(test_texts_are_escaped),
        cmocka_unit_test(test_long_texts_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
