/* SPDX-License-Identifier: Apache-2.0 */
#include "host/base/log.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char s_line[MF_LOG_LINE_MAX + 1];

static const char *line_of(enum mf_log_format format, mf_us_t t_us, enum mf_severity severity,
                           const char *topic, const char *text)
{
    const size_t n = mf_log_format(format, t_us, severity, topic, text, s_line);
    assert_true(n <= MF_LOG_LINE_MAX);
    s_line[n] = '\0';
    return s_line;
}

static void test_text(void **state)
{
    (void)state;
    assert_string_equal(line_of(MF_LOG_TEXT, 12345678, MF_INFO, "mode", "Hold -> Takeoff"),
                        "   12.345 mode     Hold -> Takeoff\n");
    assert_string_equal(line_of(MF_LOG_TEXT, 0, MF_WARNING, "net", "x"),
                        "    0.000 net      WARNING x\n");
    assert_string_equal(
        line_of(MF_LOG_TEXT, INT64_C(1234567890123), MF_CRITICAL, "text", "Low battery"),
        "1234567.890 text     ERROR Low battery\n");
    assert_string_equal(
        line_of(MF_LOG_TEXT, 1000, MF_INFO, "text", "a\nb\x1b[31m \x7f \xff \xc3\xa9 \"q\""),
        "    0.001 text     a\\x0ab\\x1b[31m \\x7f \\xff \xc3\xa9 \"q\"\n");
}

static void test_json(void **state)
{
    (void)state;
    assert_string_equal(
        line_of(MF_LOG_JSON, 12345678, MF_INFO, "mode", "Hold -> Takeoff"),
        "{\"t\":12.345,\"severity\":\"info\",\"topic\":\"mode\",\"text\":\"Hold -> Takeoff\"}\n");
    assert_string_equal(line_of(MF_LOG_JSON, 7, MF_EMERGENCY, "text", "\"a\\b\"\n\t\x01"),
                        "{\"t\":0.000,\"severity\":\"emergency\",\"topic\":\"text\",\"text\":"
                        "\"\\\"a\\\\b\\\"\\u000a\\u0009\\u0001\"}\n");
}

static void test_json_is_valid_utf8_whatever_comes(void **state)
{
    (void)state;
    /* halves, overlong forms, surrogates and values beyond Unicode are replaced; the rest stays */
    const char *const cases[][2] = {
        {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x9a\x81", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x9a\x81"},
        {"\x80", "\\ufffd"},
        {"\xc3", "\\ufffd"},
        {"\xc0\xaf", "\\ufffd\\ufffd"},
        {"\xe0\x80\xaf", "\\ufffd\\ufffd\\ufffd"},
        {"\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd"},
        {"\xf4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd"},
        {"\xf0\x80\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd"},
        {"\xe2\x82x", "\\ufffd\\ufffdx"},
        {"\xf5", "\\ufffd"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text =
            strstr(line_of(MF_LOG_JSON, 0, MF_INFO, "t", cases[i][0]), "\"text\":\"") + 8;
        assert_memory_equal(text, cases[i][1], strlen(cases[i][1]));
        assert_string_equal(text + strlen(cases[i][1]), "\"}\n");
    }
}

static void test_a_long_text_is_cut_and_its_line_still_ends(void **state)
{
    (void)state;
    static char text[5000];
    memset(text, '"', sizeof text - 1);
    for (int format = MF_LOG_TEXT; format <= MF_LOG_JSON; format++) {
        const char *line = line_of((enum mf_log_format)format, 0, MF_INFO, "text", text);
        const size_t n = strlen(line);
        assert_true(n > 1000 && n <= MF_LOG_LINE_MAX);
        assert_string_equal(line + n - (format == MF_LOG_JSON ? 3 : 1),
                            format == MF_LOG_JSON ? "\"}\n" : "\n");
    }
}

static void test_a_reader_that_does_not_read_stalls_nobody(void **state)
{
    (void)state;
    int pipe_fd[2];
    static char bytes[1 << 20];
    assert_int_equal(pipe(pipe_fd), 0);
    struct mf_log log = {.fd = pipe_fd[1]};
    for (int i = 0; i < 5000; i++) {
        mf_log_line_ops.event(&log, 0, MF_INFO, "text",
                              "some line that goes nowhere because nobody reads it");
    }
    assert_true(log.lost > 0);
    const uint32_t lost = log.lost;
    assert_true(read(pipe_fd[0], bytes, sizeof bytes) > 0);
    mf_log_line_ops.event(&log, 2000000, MF_INFO, "text", "read again");
    assert_int_equal(log.lost, 0);
    const ssize_t n = read(pipe_fd[0], bytes, sizeof bytes - 1);
    assert_true(n > 0);
    bytes[n] = '\0';
    char expected[128];
    (void)snprintf(expected, sizeof expected,
                   "    2.000 log      WARNING %u lines lost: nobody read them\n    2.000 text     "
                   "read again\n",
                   lost);
    assert_string_equal(bytes, expected);
    (void)close(pipe_fd[0]);
    (void)close(pipe_fd[1]);
}

static void test_a_closed_log_is_no_error(void **state)
{
    (void)state;
    struct mf_log log = {.fd = -1};
    mf_log_line_ops.event(&log, 0, MF_INFO, "text", "nowhere");
    assert_int_equal(log.lost, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_json_is_valid_utf8_whatever_comes),
        cmocka_unit_test(test_a_long_text_is_cut_and_its_line_still_ends),
        cmocka_unit_test(test_a_reader_that_does_not_read_stalls_nobody),
        cmocka_unit_test(test_a_closed_log_is_no_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
