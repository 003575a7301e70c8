/* SPDX-License-Identifier: Apache-2.0 */
#include "host/base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct mf_json_members s_members;

static bool reads(const char *text)
{
    return mf_json_read(&s_members, text, strlen(text));
}

static void test_writes_every_kind(void **state)
{
    (void)state;
    char text[256];
    struct mf_json j = mf_json_writer(text, sizeof text);
    mf_json_object(&j, NULL);
    mf_json_text(&j, "a", "x\"\\\n\x7f");
    mf_json_integer(&j, "b", INT64_MIN);
    mf_json_array(&j, "c");
    mf_json_number(&j, NULL, -1.25, 2);
    mf_json_number(&j, NULL, 1.0 / 0.0, 2);
    mf_json_bool(&j, NULL, true);
    mf_json_null(&j, NULL);
    mf_json_end(&j);
    mf_json_object(&j, "d");
    mf_json_members(&j, "", 0);
    mf_json_members(&j, "\"x\":1,\"y\":[]", 12);
    mf_json_null(&j, "z");
    mf_json_end(&j);
    mf_json_text(&j, "e", NULL);
    mf_json_end(&j);
    assert_false(j.full);
    text[j.len] = '\0';
    assert_string_equal(
        text, "{\"a\":\"x\\\"\\\\\\u000a\\u007f\",\"b\":-9223372036854775808,"
              "\"c\":[-1.25,null,true,null],\"d\":{\"x\":1,\"y\":[],\"z\":null},\"e\":null}");
}

static void test_bytes_that_are_no_utf8_are_replaced(void **state)
{
    (void)state;
    char text[64];
    struct mf_json j = mf_json_writer(text, sizeof text);
    mf_json_text(&j, NULL, "\xc3\xa4 \xff \xc0\x80 \xed\xa0\x80 \xf0\x9f\x9a\x81");
    text[j.len] = '\0';
    assert_string_equal(text, "\"\xc3\xa4 \\ufffd \\ufffd\\ufffd \\ufffd\\ufffd\\ufffd "
                              "\xf0\x9f\x9a\x81\"");
}

static void test_what_does_not_fit_is_known(void **state)
{
    (void)state;
    char text[64];
    for (size_t cap = 0; cap < 14; cap++) {
        memset(text, '#', sizeof text);
        struct mf_json j = mf_json_writer(text, cap);
        mf_json_object(&j, NULL);
        mf_json_text(&j, "key", "text");
        mf_json_end(&j);
        assert_true(j.full);
        assert_int_equal(text[cap], '#');
    }
    struct mf_json j = mf_json_writer(text, 14);
    mf_json_object(&j, NULL);
    mf_json_text(&j, "key", "text");
    mf_json_end(&j);
    assert_false(j.full);
    assert_memory_equal(text, "{\"key\":\"text\"}", 14);
}

static void test_reads_every_kind(void **state)
{
    (void)state;
    assert_true(reads(" { \"a\" : 1.5e1 , \"b\":\"x\\n\\u00e4\\ud83d\\ude81\\/\",\"c\":true,"
                      "\"d\":null,\"e\":[1, -2,3],\"f\":[],\"g\":false } \n"));
    assert_int_equal(s_members.count, 7);
    assert_true(mf_json_find(&s_members, "a")->number == 15.0);
    assert_string_equal(mf_json_find(&s_members, "b")->text, "x\n\xc3\xa4\xf0\x9f\x9a\x81/");
    assert_true(mf_json_find(&s_members, "c")->truth);
    assert_int_equal(mf_json_find(&s_members, "d")->kind, MF_JSON_NULL);
    assert_int_equal(mf_json_find(&s_members, "e")->count, 3);
    assert_true(mf_json_find(&s_members, "e")->item[1] == -2.0);
    assert_int_equal(mf_json_find(&s_members, "f")->kind, MF_JSON_NUMBERS);
    assert_int_equal(mf_json_find(&s_members, "f")->count, 0);
    assert_int_equal(mf_json_find(&s_members, "g")->kind, MF_JSON_BOOL);
    assert_null(mf_json_find(&s_members, "h"));
    assert_true(reads("{}"));
    assert_int_equal(s_members.count, 0);
}

static void test_refuses_what_is_no_json_or_too_much(void **state)
{
    static const char k_seventeen[] =
        "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"j\":1,\"k\":1,"
        "\"l\":1,\"m\":1,\"n\":1,\"o\":1,\"p\":1,\"q\":1}";
    static const char *const k_bad[] = {
        "",
        " ",
        "[]",
        "1",
        "{",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":1,}",
        "{\"a\":1}x",
        "{\"a\":1}{}",
        "{a:1}",
        "{'a':1}",
        "{\"a\" 1}",
        "{\"a\":01}",
        "{\"a\":1.}",
        "{\"a\":.5}",
        "{\"a\":+1}",
        "{\"a\":-}",
        "{\"a\":1e}",
        "{\"a\":nan}",
        "{\"a\":1e999}",
        "{\"a\":0x10}",
        "{\"a\":tru}",
        "{\"a\":truex}",
        "{\"a\":{}}",
        "{\"a\":[[1]]}",
        "{\"a\":[\"x\"]}",
        "{\"a\":[1,]}",
        "{\"a\":[1",
        "{\"a\":\"x}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12\"}",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":\"\\ud800\\u0041\"}",
        "{\"a\":\"\\udc00\"}",
        "{\"a\":\"\\u0000\"}",
        "{\"a\":\"\n\"}",
        "{\"a\":\"\xff\"}",
        "{\"a\":\"\xc0\x80\"}",
        "{\"a\":1,\"a\":2}",
        "{\"a\":\"\\",
        "{\"a\":\"\\u",
        "{\"a\":[1,2,3,4,5,6,7,8,9]}",
        k_seventeen,
        "{\"a23456789a23456789a23456789a23456789\":1}",
        "{\"a\":1111111111222222222233333333334444444444}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_bad / sizeof k_bad[0]; i++) {
        if (reads(k_bad[i]) || s_members.error[0] == '\0') {
            fail_msg("taken, or without a reason: %s", k_bad[i]);
        }
    }
}

static void test_a_text_of_the_longest_length(void **state)
{
    (void)state;
    char text[MF_JSON_TEXT_MAX + 64] = "{\"a\":\"";
    memset(text + 6, 'x', MF_JSON_TEXT_MAX - 1);
    memcpy(text + 6 + MF_JSON_TEXT_MAX - 1, "\"}", 3);
    assert_true(reads(text));
    memcpy(text + 6 + MF_JSON_TEXT_MAX - 1, "x\"}", 4);
    assert_false(reads(text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writes_every_kind),
        cmocka_unit_test(test_bytes_that_are_no_utf8_are_replaced),
        cmocka_unit_test(test_what_does_not_fit_is_known),
        cmocka_unit_test(test_reads_every_kind),
        cmocka_unit_test(test_refuses_what_is_no_json_or_too_much),
        cmocka_unit_test(test_a_text_of_the_longest_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
