/* SPDX-License-Identifier: Apache-2.0 */
#include "host/base/log.h"
#include "tests/unit/support/names.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* 2026-03-01T12:00:12.345678Z */
#define UTC_US INT64_C(1772366412345678)
#define HEAD   ",\"utc\":\"2026-03-01T12:00:12.345Z\",\"instance\":3,"

static char s_line[MF_LOG_LINE_MAX + 1];

static const char *line_of(enum mf_log_format format, mf_us_t t_us, enum mf_severity severity,
                           const char *topic, const char *text)
{
    const struct mf_log log = {.format = format, .instance = 3};
    const struct mf_log_event event = {
        .t_us = t_us, .severity = severity, .topic = topic, .text = text};
    const size_t n = mf_log_format(&log, UTC_US, &event, s_line);
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
    assert_string_equal(line_of(MF_LOG_JSON, 12345678, MF_INFO, "mode", "Hold -> Takeoff"),
                        "{\"t\":12.345" HEAD
                        "\"severity\":\"info\",\"event\":\"mode\",\"text\":\"Hold -> Takeoff\"}\n");
    assert_string_equal(line_of(MF_LOG_JSON, 7, MF_EMERGENCY, "text", "\"a\\b\"\n\t\x01"),
                        "{\"t\":0.000" HEAD
                        "\"severity\":\"emergency\",\"event\":\"text\",\"text\":"
                        "\"\\\"a\\\\b\\\"\\u000a\\u0009\\u0001\"}\n");
}

static const char *with_fields(enum mf_log_format format, const char *fields, size_t n)
{
    const struct mf_log log = {.format = format};
    const struct mf_log_event event = {
        .severity = MF_INFO, .topic = "waypoint", .fields = fields, .fields_len = n};
    const size_t length = mf_log_format(&log, 0, &event, s_line);
    s_line[length] = '\0';
    return s_line;
}

static void test_fields_stand_before_the_text(void **state)
{
    (void)state;
    static char many[MF_LOG_LINE_MAX];
    const struct mf_log log = {.format = MF_LOG_JSON, .instance = 7};
    struct mf_log_event event = {.t_us = 1, .severity = MF_NOTICE, .topic = "fault", .text = "x"};
    event.fields = "\"fault\":\"gps_off\",\"active\":true,,,";
    event.fields_len = 31;
    s_line[mf_log_format(&log, INT64_C(1000), &event, s_line)] = '\0';
    assert_string_equal(s_line, "{\"t\":0.000,\"utc\":\"1970-01-01T00:00:00.001Z\",\"instance\":7,"
                                "\"severity\":\"notice\",\"event\":\"fault\","
                                "\"fault\":\"gps_off\",\"active\":true,\"text\":\"x\"}\n");
    assert_string_equal(with_fields(MF_LOG_JSON, "\"item\":2", 8),
                        "{\"t\":0.000,\"utc\":\"1970-01-01T00:00:00.000Z\",\"instance\":0,"
                        "\"severity\":\"info\",\"event\":\"waypoint\",\"item\":2}\n");
    /* half of them would be no JSON */
    memset(many, '1', sizeof many);
    assert_null(strstr(with_fields(MF_LOG_JSON, many, sizeof many), "11"));
}

static void test_utc_within_its_years(void **state)
{
    (void)state;
    static const struct {
        int64_t us;
        const char *text;
    } k_case[] = {{INT64_C(951782399999999), "\"2000-02-28T23:59:59.999Z\""},
                  {INT64_C(951782400000000), "\"2000-02-29T00:00:00.000Z\""},
                  {-5, "\"1970-01-01T00:00:00.000Z\""},
                  {INT64_MAX, "\"9999-12-31T"}};
    const struct mf_log log = {.format = MF_LOG_JSON};
    const struct mf_log_event event = {.severity = MF_INFO, .topic = "a", .text = "b"};
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        s_line[mf_log_format(&log, k_case[i].us, &event, s_line)] = '\0';
        assert_non_null(strstr(s_line, k_case[i].text));
    }
}

/* Lines of one event of each severity at a level. */
static int lines_at(enum mf_severity level, enum mf_log_format format, const char *text)
{
    static char bytes[8 * MF_LOG_LINE_MAX];
    int pipe_fd[2], lines = 0;
    assert_int_equal(pipe(pipe_fd), 0);
    struct mf_log log = {.fd = pipe_fd[1], .format = format, .level = level};
    for (int severity = MF_EMERGENCY; severity <= MF_DEBUG; severity++) {
        mf_log_write(&log, &(struct mf_log_event){
                               .severity = (enum mf_severity)severity, .topic = "a", .text = text});
    }
    (void)close(pipe_fd[1]);
    const ssize_t n = read(pipe_fd[0], bytes, sizeof bytes);
    for (ssize_t i = 0; i < n; i++) {
        lines += bytes[i] == '\n';
    }
    (void)close(pipe_fd[0]);
    assert_int_equal(log.lost, 0);
    return lines;
}

static void test_lines_from_a_level_on(void **state)
{
    (void)state;
    assert_int_equal(lines_at(MF_ERROR, MF_LOG_TEXT, "b"), 4);
    assert_int_equal(lines_at(MF_WARNING, MF_LOG_JSON, "b"), 5);
    assert_int_equal(lines_at(MF_INFO, MF_LOG_TEXT, "b"), 7);
    assert_int_equal(lines_at(MF_DEBUG, MF_LOG_TEXT, "b"), 8);
    assert_int_equal(lines_at(MF_DEBUG, MF_LOG_TEXT, NULL), 0); /* for programs only */
    assert_int_equal(lines_at(MF_DEBUG, MF_LOG_JSON, NULL), 8);
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
    struct mf_log log = {.fd = pipe_fd[1], .level = MF_INFO};
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
    char data[64];
    (void)snprintf(data, sizeof data, "2.000 log WARNING %u 2.000 text read again", lost);
    assert_names(bytes, data);
    (void)close(pipe_fd[0]);
    (void)close(pipe_fd[1]);
}

static void test_a_closed_log_is_no_error(void **state)
{
    (void)state;
    struct mf_log log = {.fd = -1, .level = MF_INFO};
    mf_log_line_ops.event(&log, 0, MF_INFO, "text", "nowhere");
    assert_int_equal(log.lost, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_fields_stand_before_the_text),
        cmocka_unit_test(test_utc_within_its_years),
        cmocka_unit_test(test_lines_from_a_level_on),
        cmocka_unit_test(test_json_is_valid_utf8_whatever_comes),
        cmocka_unit_test(test_a_long_text_is_cut_and_its_line_still_ends),
        cmocka_unit_test(test_a_reader_that_does_not_read_stalls_nobody),
        cmocka_unit_test(test_a_closed_log_is_no_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
