/* SPDX-License-Identifier: Apache-2.0 */
#include "host/time/time_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct mf_time_command s_command;
static char s_reason[MF_TIME_TEXT_MAX];

static int parse(const char *line)
{
    return mf_time_line_parse(&s_command, line, strlen(line), s_reason);
}

static void refused(const char *line, const char *reason)
{
    assert_int_equal(parse(line), MF_E_RANGE);
    assert_string_equal(s_reason, reason);
}

static void test_words(void **state)
{
    static const struct {
        const char *line;
        enum mf_time_word word;
        mf_us_t at_us;
    } k_good[] = {
        {"leave", MF_TIME_LEAVE, 0},
        {"hold", MF_TIME_HOLD, 0},
        {"hold\r", MF_TIME_HOLD, 0},
        {"event", MF_TIME_EVENT, 0},
        {"now", MF_TIME_NOW, 0},
        {"go 0", MF_TIME_GO, 0},
        {"go 12000000\r", MF_TIME_GO, 12000000},
        {"go 0000000000000000000000000000007", MF_TIME_GO, 7},
        {"go 1000000000000000", MF_TIME_GO, MF_TIME_MAX_US},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_good / sizeof k_good[0]; i++) {
        assert_int_equal(parse(k_good[i].line), MF_E_OK);
        assert_int_equal(s_command.word, k_good[i].word);
        assert_int_equal(s_command.at_us, k_good[i].at_us);
    }
}

static void test_what_is_wrong_is_named(void **state)
{
    (void)state;
    refused("", "'' is not known, allowed: leave, hold, go T, event, now");
    refused("\r", "'' is not known, allowed: leave, hold, go T, event, now");
    refused("hol", "'hol' is not known, allowed: leave, hold, go T, event, now");
    refused("Hold", "'Hold' is not known, allowed: leave, hold, go T, event, now");
    refused("hold ", "hold: nothing may follow");
    refused("now 1", "now: nothing may follow");
    refused("go", "go: '' is no time, allowed: 0 .. 1000000000000000 us");
    refused("go ", "go: '' is no time, allowed: 0 .. 1000000000000000 us");
    refused("go +1", "go: '+1' is no time, allowed: 0 .. 1000000000000000 us");
    refused("go 1 ", "go: '1 ' is no time, allowed: 0 .. 1000000000000000 us");
    refused("go 1.5", "go: '1.5' is no time, allowed: 0 .. 1000000000000000 us");
    refused("go 1000000000000001",
            "go: '1000000000000001' is no time, allowed: 0 .. 1000000000000000 us");
    refused("go 18446744073709551617",
            "go: '18446744073709551617' is no time, allowed: 0 .. 1000000000000000 us");
    refused("\x1b[2J\xff", "'?[2J?' is not known, allowed: leave, hold, go T, event, now");
    refused("abcdefghijklmnopqrstuvwxyz",
            "'abcdefghijklmnopqrstuvwx' is not known, allowed: leave, hold, go T, event, now");
    assert_int_equal(mf_time_line_parse(&s_command, "go\0 5", 5, s_reason), MF_E_RANGE);
}

static void test_lines_to_controllers(void **state)
{
    (void)state;
    char text[MF_TIME_TEXT_MAX];
    size_t n;
    struct mf_time_report r = {12000000, 12100000, 15000000, 7, true, false, false, 8, 9};
    n = mf_time_line_report("at", &r, text);
    assert_int_equal(n, strlen(text));
    assert_string_equal(text, "at 12000000 next 12100000 events 7 armed 1 landed 0 in 8 out 9\n");
    r = (struct mf_time_report){MF_TIME_MAX_US, MF_NEVER, MF_NEVER,   UINT32_MAX, false,
                                true,           false,    UINT64_MAX, 0};
    n = mf_time_line_report("now", &r, text);
    assert_int_equal(n, strlen(text));
    assert_string_equal(text, "now 1000000000000000 next never events 4294967295 armed 0 landed 1 "
                              "in 18446744073709551615 out 0\n");
    assert_int_equal(mf_time_line_next(5, text), 7);
    assert_string_equal(text, "next 5\n");
    n = mf_time_line_next(MF_NEVER, text);
    assert_int_equal(n, strlen("next never\n"));
    assert_string_equal(text, "next never\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_what_is_wrong_is_named),
        cmocka_unit_test(test_lines_to_controllers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
