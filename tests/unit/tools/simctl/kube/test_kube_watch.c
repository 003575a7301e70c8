/* SPDX-License-Identifier: Apache-2.0 */
/* A watch's stream, in lines as an API server 1.34 writes them. */
#include "tools/simctl/kube/kube_watch.h"

#include "tools/simctl/base/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ADDED \
    "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"7\"}}}\n"
#define DELETED                                                                                   \
    "{\"type\":\"DELETED\",\"object\":{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"9\"}}}" \
    "\n"
#define BOOKMARK                                                                             \
    "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\",\"metadata\":{\"resourceVersion\":" \
    "\"12\"}}}\n"
#define EXPIRED                                                                               \
    "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"status\":\"Failure\",\"message\":" \
    "\"too old "                                                                              \
    "resource version: 1 (12)\",\"reason\":\"Expired\",\"code\":410}}\n"

static char s_told[512];
static struct simctl_kube_lines s_lines;

static void note(void *ctx, const json_t *object, bool gone)
{
    const size_t n = strlen(s_told);
    (void)ctx;
    (void)snprintf(s_told + n, sizeof s_told - n, "%s%s ", gone ? "-" : "+",
                   simctl_shape_text(json_object_get(object, "metadata"), "name", "?"));
}

static const struct simctl_kube_watch_ops k_ops = {.object = note};

static int begin(void **state)
{
    (void)state;
    s_told[0] = '\0';
    s_lines = (struct simctl_kube_lines){0};
    return 0;
}

static int end(void **state)
{
    (void)state;
    simctl_kube_lines_free(&s_lines);
    return 0;
}

static bool feed(const char *text, size_t piece)
{
    bool more = true;
    for (size_t n = strlen(text); n > 0 && more;) {
        const size_t part = piece < n ? piece : n;
        more = simctl_kube_lines_feed(&s_lines, text, part, &k_ops, NULL);
        text += part;
        n -= part;
    }
    return more;
}

static void test_lines_are_told_however_they_are_cut(void **state)
{
    (void)state;
    for (size_t piece = 1; piece < 200; piece += 7) {
        assert_true(feed(ADDED BOOKMARK DELETED, piece));
        assert_string_equal(s_told, "+a -a ");
        assert_string_equal(s_lines.version, "9");
        s_told[0] = '\0';
    }
}

static void test_bookmark_moves_the_version_and_tells_nothing(void **state)
{
    (void)state;
    assert_true(feed(BOOKMARK, 4096));
    assert_string_equal(s_told, "");
    assert_string_equal(s_lines.version, "12");
}

static void test_error_within_a_200_ends_it(void **state)
{
    (void)state;
    assert_false(feed(ADDED EXPIRED ADDED, 4096));
    assert_string_equal(s_told, "+a ");
    assert_true(s_lines.broken);
}

static void test_what_is_no_event_ends_it_and_keeps_the_version(void **state)
{
    (void)state;
    assert_false(feed(ADDED "<html>busy</html>\n", 4096));
    assert_true(s_lines.broken);
    assert_string_equal(s_lines.version, "7");
}

static void test_line_that_never_ends_is_given_up(void **state)
{
    char *text = malloc(SIMCTL_KUBE_LINE_MAX + 1);
    (void)state;
    memset(text, 'x', SIMCTL_KUBE_LINE_MAX + 1);
    assert_false(simctl_kube_lines_feed(&s_lines, text, SIMCTL_KUBE_LINE_MAX + 1, &k_ops, NULL));
    free(text);
}

/* What an API server answers, and what a client of the controller is told. */
static void test_sim008_refusals_of_the_server_are_told(void **state)
{
    static const struct {
        unsigned status;
        const char *body;
        unsigned is;
        const char *code, *text;
    } k_case[] = {
        {403,
         "{\"reason\":\"Forbidden\",\"message\":\"jobs.batch \\\"a\\\" is forbidden: exceeded "
         "quota: "
         "instances, requested: pods=1, used: pods=5, limited: pods=5\",\"code\":403}",
         429, "quota", "exceeded quota: instances"},
        {403, "{\"message\":\"User cannot create\"}", 503, "kubernetes", "User cannot create"},
        {409, "{\"reason\":\"AlreadyExists\",\"message\":\"there\"}", 409, "exists", "there"},
        {409, "{\"reason\":\"Conflict\",\"message\":\"UID\"}", 409, "conflict", "UID"},
        {404, "{\"message\":\"not found\"}", 404, "unknown", "not found"},
        {422, "{\"message\":\"spec.x: Invalid\"}", 422, "template", "spec.x"},
        {401, "null", 503, "kubernetes", "401"},
        {500, NULL, 503, "kubernetes", "500"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct web_error error = {0};
        json_t *body =
            k_case[i].body != NULL ? json_loads(k_case[i].body, JSON_DECODE_ANY, NULL) : NULL;
        simctl_kube_refusal(k_case[i].status, body, &error);
        assert_int_equal(error.status, k_case[i].is);
        assert_string_equal(error.code, k_case[i].code);
        assert_non_null(strstr(error.message, k_case[i].text));
        json_decref(body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lines_are_told_however_they_are_cut, begin, end),
        cmocka_unit_test_setup_teardown(test_bookmark_moves_the_version_and_tells_nothing, begin,
                                        end),
        cmocka_unit_test_setup_teardown(test_error_within_a_200_ends_it, begin, end),
        cmocka_unit_test_setup_teardown(test_what_is_no_event_ends_it_and_keeps_the_version, begin,
                                        end),
        cmocka_unit_test_setup_teardown(test_line_that_never_ends_is_given_up, begin, end),
        cmocka_unit_test(test_sim008_refusals_of_the_server_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
