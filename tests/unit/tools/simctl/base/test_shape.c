/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/base/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void check_string(const char *text, const char *expected)
{
    json_t *value = simctl_shape_string(text);
    assert_non_null(value);
    assert_string_equal(json_string_value(value), expected);
    json_decref(value);
}

static void test_strings_are_utf8(void **state)
{
    (void)state;
    check_string("", "");
    check_string("plain \n", "plain \n");
    check_string("\xc3\xa4\xe2\x82\xac\xf0\x9f\x9a\x81", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x9a\x81");
    check_string("a\xff\xfe", "a\xef\xbf\xbd\xef\xbf\xbd");
    check_string("\xc3\xa4\xc3", "\xc3\xa4\xef\xbf\xbd"); /* cut */
    check_string("\xe2\x82z", "\xef\xbf\xbd\xef\xbf\xbdz");
    check_string("\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd");                 /* overlong */
    check_string("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"); /* half a surrogate */
}

static const struct simctl_field k_field[] = {
    {"word", SIMCTL_WORD, false, "cluster|node", "x"},
    {"time", SIMCTL_DURATION, false, NULL, "x"},
    {"size", SIMCTL_BYTES, false, NULL, "x"},
    {"count", SIMCTL_INTEGER, true, NULL, "how many"},
    {NULL, SIMCTL_ANY, false, NULL, NULL},
};

/* @return the code of the error; "" where there is none */
static const char *check(const char *text)
{
    struct web_error error = {0};
    json_t *object = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(object);
    const bool good = simctl_shape_check(object, "", k_field, &error);
    json_decref(object);
    assert_true(good == (error.status == 0));
    return good ? "" : error.code;
}

static void test_members_are_what_their_types_say(void **state)
{
    (void)state;
    assert_string_equal(check("{\"count\": 1, \"word\": \"node\", \"time\": \"90s\"}"), "");
    assert_string_equal(check("{\"count\": 1, \"time\": 0.5, \"size\": \"64Mi\"}"), "");
    assert_string_equal(check("{}"), "missing_member");
    assert_string_equal(check("[]"), "wrong_type");
    assert_string_equal(check("{\"count\": 1, \"cuont\": 1}"), "unknown_member");
    assert_string_equal(check("{\"count\": 1.5}"), "wrong_type");
    assert_string_equal(check("{\"count\": 1, \"word\": \"nod\"}"), "wrong_type");
    assert_string_equal(check("{\"count\": 1, \"word\": \"cluster|node\"}"), "wrong_type");
    assert_string_equal(check("{\"count\": 1, \"word\": \"\"}"), "wrong_type");
    assert_string_equal(check("{\"count\": 1, \"time\": \"90 parsecs\"}"), "wrong_type");
    assert_string_equal(check("{\"count\": 1, \"time\": -1}"), "wrong_type");
    assert_string_equal(check("{\"count\": 1, \"size\": \"-64M\"}"), "wrong_type");
    assert_string_equal(check("{\"count\": 1, \"size\": 1e300}"), "wrong_type");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strings_are_utf8),
        cmocka_unit_test(test_members_are_what_their_types_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
