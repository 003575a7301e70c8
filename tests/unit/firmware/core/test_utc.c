/* SPDX-License-Identifier: Apache-2.0 */
/* Names of days and logs. Days by hand: 2026-01-01 is 20454 days after 1970-01-01. */
#include "firmware/core/text.h"
#include "firmware/core/utc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_days_and_their_names(void **state)
{
    static const struct {
        int64_t day;
        const char *name;
    } k_case[] = {{0, "1970-01-01"},
                  {20454, "2026-01-01"},
                  {20454 + 31 + 28, "2026-03-01"},
                  {19782, "2024-02-29"},
                  {MF_CALENDAR_DAY_MAX, "9999-12-31"}};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct mf_text t = mf_text("log/");
        mf_utc_add_day(&t, k_case[i].day);
        assert_string_equal(t.s + 4, k_case[i].name);
        assert_int_equal(mf_utc_day(k_case[i].name), k_case[i].day);
    }
}

static void test_what_is_no_day(void **state)
{
    static const char *const k_name[] = {
        "2026-02-29", "2026-00-01", "2026-13-01", "2026/03-01", "2026-03/01",
        "20a6-03-01", "2026-0a-01", "2026-03-0:", "2026-03-00", "1969-12-31"};
    (void)state;
    for (size_t i = 0; i < sizeof k_name / sizeof k_name[0]; i++) {
        assert_int_equal(mf_utc_day(k_name[i]), MF_E_NOENT);
    }
}

static void test_seconds_and_their_names(void **state)
{
    static const struct {
        int64_t second;
        const char *name;
    } k_case[] = {{0, "00_00_00.ulg"}, {43261, "12_01_01.ulg"}, {86399, "23_59_59.ulg"}};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct mf_text t = mf_text("");
        mf_utc_add_log(&t, k_case[i].second);
        assert_string_equal(t.s, k_case[i].name);
        assert_int_equal(mf_utc_log(k_case[i].name), k_case[i].second);
    }
}

static void test_what_is_no_log(void **state)
{
    static const char *const k_name[] = {"24_00_00.ulg", "12_60_00.ulg", "12_00_60.ulg",
                                         "12-00_00.ulg", "12_00-00.ulg", "12_00_00.txt",
                                         "a2_00_00.ulg", "12_0a_00.ulg", "12_00_/0.ulg"};
    (void)state;
    for (size_t i = 0; i < sizeof k_name / sizeof k_name[0]; i++) {
        assert_int_equal(mf_utc_log(k_name[i]), MF_E_NOENT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_days_and_their_names),
        cmocka_unit_test(test_what_is_no_day),
        cmocka_unit_test(test_seconds_and_their_names),
        cmocka_unit_test(test_what_is_no_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
