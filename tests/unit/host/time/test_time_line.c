/* SPDX-License-Identifier: Apache-2.0 */
#include "host/time/time_line.h"
#include "tests/unit/support/names.h"

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

static void refused(const char *line, const char *data)
{
    assert_int_equal(parse(line), MF_E_RANGE);
    assert_names(s_reason, data);
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
        {"watch", MF_TIME_WATCH, 0},
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
#define WORDS " leave hold go T event now watch"
    (void)state;
    refused("", "''" WORDS);
    refused("\r", "''" WORDS);
    refused("hol", "hol" WORDS);
    refused("Hold", "Hold" WORDS);
    refused("hold ", "hold");
    refused("now 1", "now");
    refused("go", "go '' 0 1000000000000000 us");
    refused("go ", "go '' 0 1000000000000000 us");
    refused("go +1", "go +1 0 1000000000000000 us");
    refused("go 1 ", "go '1 ' 0 1000000000000000 us");
    refused("go 1.5", "go 1.5 0 1000000000000000 us");
    refused("go 1000000000000001", "go 1000000000000001 0 1000000000000000 us");
    refused("go 18446744073709551617", "go 18446744073709551617 0 1000000000000000 us");
    refused("\x1b[2J\xff", "?[2J?" WORDS);
    refused("abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwx" WORDS);
    assert_int_equal(mf_time_line_parse(&s_command, "go\0 5", 5, s_reason), MF_E_RANGE);
}

static void test_lines_to_controllers(void **state)
{
    (void)state;
    char text[MF_TIME_TEXT_MAX];
    size_t n;
    struct mf_time_report r = {12000000, 12100000, 15000000, 7, true, false, false, 8, 9};
    n = mf_time_line_report("at", &r, NULL, text);
    assert_int_equal(n, strlen(text));
    assert_string_equal(text, "at 12000000 next 12100000 events 7 armed 1 landed 0 in 8 out 9\n");
    r = (struct mf_time_report){MF_TIME_MAX_US, MF_NEVER, MF_NEVER,   UINT32_MAX, false,
                                true,           false,    UINT64_MAX, 0};
    n = mf_time_line_report("now", &r, NULL, text);
    assert_int_equal(n, strlen(text));
    assert_string_equal(text, "now 1000000000000000 next never events 4294967295 armed 0 landed 1 "
                              "in 18446744073709551615 out 0\n");
    assert_int_equal(mf_time_line_next(5, text), 7);
    assert_string_equal(text, "next 5\n");
    n = mf_time_line_next(MF_NEVER, text);
    assert_int_equal(n, strlen("next never\n"));
    assert_string_equal(text, "next never\n");
}

static void truth_is(const struct mf_pose *truth, const char *expected)
{
    char text[MF_TIME_TEXT_MAX];
    const struct mf_time_report r = {.now_us = 5, .next_us = 6};
    const size_t n = mf_time_line_report("at", &r, truth, text);
    assert_int_equal(n, strlen(text));
    assert_string_equal(strstr(text, " out 0") + strlen(" out 0"), expected);
}

static void test_the_truth_stands_behind_the_pairs(void **state)
{
    (void)state;
    truth_is(&(struct mf_pose){.lat_deg = 47.397742,
                               .lon_deg = -8.5455940004,
                               .alt_amsl_m = 488.00005,
                               .vel_ned_mps = {-0.25f, 12.5f, -3.0f},
                               .yaw_rad = -1.5f},
             " lat 47.397742000 lon -8.545594000 alt 488.0001 vn -0.2500 ve 12.5000 vd -3.0000 yaw "
             "-1.500000\n");
    truth_is(&(struct mf_pose){.lat_deg = -1e-10, .lon_deg = 0.000000001, .alt_amsl_m = -0.5},
             " lat 0.000000000 lon 0.000000001 alt -0.5000 vn 0.0000 ve 0.0000 vd 0.0000 yaw "
             "0.000000\n");
}

static void test_the_longest_line_fits(void **state)
{
    (void)state;
    char text[MF_TIME_TEXT_MAX];
    const struct mf_time_report r = {MF_TIME_MAX_US, MF_TIME_MAX_US, MF_NEVER,   UINT32_MAX, true,
                                     true,           true,           UINT64_MAX, UINT64_MAX};
    const struct mf_pose truth = {.lat_deg = -89.123456789,
                                  .lon_deg = -179.123456789,
                                  .alt_amsl_m = -100000.1234,
                                  .vel_ned_mps = {-1000.1234f, -1000.1234f, -1000.1234f},
                                  .yaw_rad = -3.141592f};
    assert_in_range(mf_time_line_report("now", &r, &truth, text), 200, MF_TIME_TEXT_MAX - 1u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_what_is_wrong_is_named),
        cmocka_unit_test(test_lines_to_controllers),
        cmocka_unit_test(test_the_truth_stands_behind_the_pairs),
        cmocka_unit_test(test_the_longest_line_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
