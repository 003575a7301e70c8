/* SPDX-License-Identifier: Apache-2.0 */
#include "host/base/json_view.h"
#include "host/base/value.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct mf_json_mistake s_mistake;

static struct mf_json_view checked(const char *text)
{
    struct mf_json_view root;
    if (!mf_json_view_check(text, strlen(text), &root, &s_mistake)) {
        fail_msg("%s: %u:%u: %s", text, s_mistake.line, s_mistake.column, s_mistake.what);
    }
    return root;
}

static void test_values_within_values(void **state)
{
    (void)state;
    const struct mf_json_view root = checked(
        " {\"a\": {\"b\": [1, -2.5e1, null, [], {}], \"}\": \"x\\\"]\"}, \"c\": true, \"a\": 7} ");
    const struct mf_json_view a = mf_json_view_get(root, "a");
    struct mf_json_view item = mf_json_view_first(mf_json_view_get(a, "b"));
    char text[8];
    assert_int_equal(mf_json_view_kind(a), MF_JSON_VIEW_OBJECT); /* the first of that name */
    assert_int_equal(mf_json_view_count(mf_json_view_get(a, "b")), 5);
    assert_float_equal(mf_json_view_number(item), 1.0, 0.0);
    item = mf_json_view_next(item);
    assert_float_equal(mf_json_view_number(item), -25.0, 0.0);
    item = mf_json_view_next(item);
    assert_int_equal(mf_json_view_kind(item), MF_JSON_VIEW_NULL);
    assert_true(isnan(mf_json_view_number(item)));
    item = mf_json_view_next(item);
    assert_int_equal(mf_json_view_count(item), 0);
    assert_null(mf_json_view_first(item).at);
    item = mf_json_view_next(item);
    assert_null(mf_json_view_get(item, "x").at);
    assert_null(mf_json_view_next(item).at);
    mf_json_view_text(mf_json_view_get(a, "}"), text, sizeof text);
    assert_string_equal(text, "x\\\"]"); /* escapes as they stand */
    mf_json_view_text(mf_json_view_get(a, "}"), text, 2);
    assert_string_equal(text, "x");
    assert_int_equal(mf_json_view_kind(mf_json_view_get(root, "c")), MF_JSON_VIEW_TRUE);
    assert_string_equal(mf_json_view_word(mf_json_view_get(root, "d")), "missing");
    item = mf_json_view_member(root, (struct mf_json_view){NULL}, text, sizeof text);
    assert_string_equal(text, "a");
    assert_ptr_equal(item.at, a.at);
    item = mf_json_view_member(root, item, text, sizeof text);
    assert_string_equal(text, "c");
    assert_null(mf_json_view_member(item, (struct mf_json_view){NULL}, text, sizeof text).at);
    item = mf_json_view_member(root, item, text, sizeof text);
    assert_float_equal(mf_json_view_number(item), 7.0, 0.0); /* "a" once more */
    assert_null(mf_json_view_member(root, item, text, sizeof text).at);
    assert_null(mf_json_view_get(mf_json_view_get(root, "c"), "x").at); /* no object */
}

/* Texts of RFC 8259, whose first byte that does not fit was counted by hand. */
static void test_where_a_text_breaks(void **state)
{
    static const struct {
        const char *text;
        unsigned line, column;
    } k_bad[] = {
        {"", 1, 1},           {"  ", 1, 3},        {"{", 1, 2},        {"[1, 2", 1, 6},
        {"[1,]", 1, 4},       {"{\"a\" 1}", 1, 6}, {"{\"a\":}", 1, 6}, {"{a:1}", 1, 2},
        {"{\"a\":1,}", 1, 8}, {"[1 2]", 1, 4},     {"nul", 1, 1},      {"01", 1, 1},
        {"1.", 1, 1},         {"1e", 1, 1},        {"-", 1, 1},        {"\"a", 1, 1},
        {"\"\\x\"", 1, 1},    {"\"\\u12\"", 1, 1}, {"\"a\nb\"", 1, 1}, {"[1]x", 1, 4},
        {"[\n1,\n}", 3, 1},   {"{}{}", 1, 3},      {"[}", 1, 2},       {"+1", 1, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_bad / sizeof k_bad[0]; i++) {
        struct mf_json_view root;
        const char *text = k_bad[i].text;
        if (mf_json_view_check(text, strlen(text), &root, &s_mistake) ||
            s_mistake.line != k_bad[i].line || s_mistake.column != k_bad[i].column) {
            fail_msg("'%s': %u:%u", text, s_mistake.line, s_mistake.column);
        }
    }
    struct mf_json_view root;
    assert_false(mf_json_view_check("1\0002", 3, &root, &s_mistake)); /* a NUL in it */
}

static void test_depth_is_bounded(void **state)
{
    (void)state;
    char text[4 * MF_NESTING_MAX];
    struct mf_json_view root;
    for (unsigned depth = MF_NESTING_MAX; depth <= MF_NESTING_MAX + 1; depth++) {
        memset(text, '[', depth);
        text[depth] = '1';
        memset(text + depth + 1, ']', depth);
        text[2 * depth + 1] = '\0';
        assert_int_equal(mf_json_view_check(text, strlen(text), &root, &s_mistake),
                         depth == MF_NESTING_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_within_values),
        cmocka_unit_test(test_where_a_text_breaks),
        cmocka_unit_test(test_depth_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
