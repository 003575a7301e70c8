/* SPDX-License-Identifier: Apache-2.0 */
#include "host/base/value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_numbers(void **state)
{
    (void)state;
    const struct {
        const char *text;
        double value;
        const char *rest;
    } good[] = {{"12", 12.0, ""}, {"-0.5", -0.5, ""},   {"1e3", 1000.0, ""},
                {"+7", 7.0, ""},  {"90 s", 90.0, "s"},  {"90s", 90.0, "s"},
                {".5", 0.5, ""},  {"1.5.2", 1.5, ".2"}, {"5em", 5.0, "em"}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        double value = -1.0;
        const char *rest = mf_value_number(good[i].text, &value);
        assert_non_null(rest);
        assert_string_equal(rest, good[i].rest);
        assert_true(value >= good[i].value && value <= good[i].value);
    }
    const char *const bad[] = {"",  "x", "nan", "inf", "-inf", "1e999",
                               "-", ".", "e5",  " 5",  "0x10"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double value = -1.0;
        assert_null(mf_value_number(bad[i], &value));
        assert_true(value <= -1.0);
    }
}

static void test_yes_and_no(void **state)
{
    (void)state;
    bool value = false;
    assert_true(mf_value_bool("TRUE", &value) && value);
    assert_true(mf_value_bool("off", &value) && !value);
    assert_true(mf_value_bool("1", &value) && value);
    assert_false(mf_value_bool("maybe", &value));
    assert_false(mf_value_bool("", &value));
}

static void test_byte_order_mark(void **state)
{
    (void)state;
    assert_int_equal(mf_value_bom("\xEF\xBB\xBFx", 4), 3);
    assert_int_equal(mf_value_bom("\xEF\xBB\xBF", 3), 3);
    assert_int_equal(mf_value_bom("\xEF\xBB\xBF", 2), 0);
    assert_int_equal(mf_value_bom("x\xEF\xBB\xBF", 4), 0);
    assert_int_equal(mf_value_bom("", 0), 0);
}

static void test_times(void **state)
{
    (void)state;
    const struct {
        const char *text;
        int64_t us;
    } good[] = {{"0", 0},
                {"1772366400", INT64_C(1772366400000000)},
                {"1772366400.25", INT64_C(1772366400250000)},
                {"2026-03-01T12:00:00Z", INT64_C(1772366400000000)},
                {"2026-03-01 12:00:00", INT64_C(1772366400000000)},
                {"2024-02-29", INT64_C(1709164800000000)},
                {"1970-01-01T00:00:01Z", 1000000},
                {"2000-12-31T23:59:59Z", INT64_C(978307199000000)},
                {"2100-12-31T23:59:59Z", INT64_C(4133980799000000)}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        int64_t us = -1;
        assert_true(mf_value_utc(good[i].text, &us));
        assert_int_equal(us, good[i].us);
    }
    const char *const bad[] = {"",
                               "-1",
                               "4133980800",
                               "2025-02-29",
                               "2026-13-01",
                               "2026-04-31",
                               "2026-03-01T24:00:00Z",
                               "2026-03-01T12:00",
                               "1969-12-31",
                               "2101-01-01",
                               "2026-03-01T12:00:00+01:00",
                               "tomorrow"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int64_t us;
        assert_false(mf_value_utc(bad[i], &us));
    }
}

static void test_distances(void **state)
{
    (void)state;
    assert_int_equal(mf_value_distance("udp-out", "udp_out"), 0);
    assert_int_equal(mf_value_distance("batery", "battery"), 1);
    assert_int_equal(mf_value_distance("tpc", "tcp"), 1); /* swapped */
    assert_int_equal(mf_value_distance("kitten", "sitting"), 3);
    assert_int_equal(mf_value_distance("", "abc"), 3);
    assert_int_equal(mf_value_distance("Home", "home"), 0);
}

static void test_bytes_of_others_are_shown(void **state)
{
    (void)state;
    char text[6] = "......";
    mf_value_shown("a\n\x1b\xff~", 5, text, sizeof text);
    assert_string_equal(text, "a???~");
    mf_value_shown("abcdefgh", 8, text, sizeof text);
    assert_string_equal(text, "abcde");
    mf_value_shown("", 0, text, 1);
    assert_string_equal(text, "");
}

static void test_the_nearest_word_is_found_or_none(void **state)
{
    (void)state;
    const char *const words[] = {"tcp", "udp", "battery.voltage", "battery.current"};
    const char *const cases[][2] = {
        {"tpc", "tcp"}, {"batery.volage", "battery.voltage"}, {"xyz", NULL}, {"completely", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mf_nearest nearest = {.word = cases[i][0]};
        for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
            mf_nearest_try(&nearest, words[w]);
        }
        if (cases[i][1] == NULL) {
            assert_null(nearest.best);
        } else {
            assert_string_equal(nearest.best, cases[i][1]);
        }
    }
}

static void test_times_in_their_largest_unit(void **state)
{
    (void)state;
    static const struct {
        int64_t us;
        const char *text;
    } k_case[] = {{0, "0s"},
                  {1, "1us"},
                  {999999, "999999us"},
                  {1000, "1ms"},
                  {1500000, "1500ms"},
                  {90000000, "90s"},
                  {120000000, "2min"},
                  {INT64_C(356400000000), "99h"},
                  {INT64_MAX, "9223372036854775807us"}};
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        char text[MF_VALUE_TIME_MAX];
        mf_value_time_text(k_case[i].us, text);
        assert_string_equal(text, k_case[i].text);
    }
}

/* 1772323212 s: 2026-03-01T00:00:12Z, by date(1). */
static void test_times_as_text(void **state)
{
    static const struct {
        int64_t us;
        int decimals;
        const char *text;
    } k_case[] = {
        {0, 3, "1970-01-01T00:00:00.000Z"},
        {-1, 3, "1970-01-01T00:00:00.000Z"},
        {1772323212345999, 3, "2026-03-01T00:00:12.345Z"},
        {1772323212345999, 6, "2026-03-01T00:00:12.345999Z"},
        {1772409599999999, 1, "2026-03-01T23:59:59.9Z"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        char text[MF_VALUE_UTC_TEXT_MAX];
        mf_value_utc_text(k_case[i].us, k_case[i].decimals, text);
        assert_string_equal(text, k_case[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_as_text),
        cmocka_unit_test(test_times_in_their_largest_unit),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_yes_and_no),
        cmocka_unit_test(test_byte_order_mark),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_bytes_of_others_are_shown),
        cmocka_unit_test(test_the_nearest_word_is_found_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
