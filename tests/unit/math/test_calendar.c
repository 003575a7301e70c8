/* SPDX-License-Identifier: Apache-2.0 */
/* Dates and days; the figures are those of `date -ud @N`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/calendar.h"
#include "tests/unit/support/cases.h"

#define DAYS_OF_400_YEARS 146097 /* after them leap years come again as they came */

static void test_known_dates(void **state)
{
    static const struct {
        int32_t day;
        struct mf_date date;
    } k_known[] = {
        {0, {1970, 1, 1}},         {58, {1970, 2, 28}},     {59, {1970, 3, 1}},
        {789, {1972, 2, 29}},      {10956, {1999, 12, 31}}, {10957, {2000, 1, 1}},
        {11016, {2000, 2, 29}},    {11017, {2000, 3, 1}},   {20513, {2026, 3, 1}},
        {47540, {2100, 2, 28}},    {47541, {2100, 3, 1}},   {157113, {2400, 2, 29}},
        {2932896, {9999, 12, 31}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_known / sizeof k_known[0]; i++) {
        const struct mf_date date = mf_calendar_date(k_known[i].day);
        assert_int_equal(date.year, k_known[i].date.year);
        assert_int_equal(date.month, k_known[i].date.month);
        assert_int_equal(date.day, k_known[i].date.day);
        assert_int_equal(mf_calendar_day(date), k_known[i].day);
    }
}

static void test_every_day_follows_the_one_before(void **state)
{
    static const int32_t k_length[13] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    struct mf_date want = {1970, 1, 1};
    (void)state;
    const int32_t days = mf_cases(DAYS_OF_400_YEARS, MF_CALENDAR_DAY_MAX + 1);
    for (int32_t day = 0; day < days; day++) {
        const struct mf_date date = mf_calendar_date(day);
        if (date.year != want.year || date.month != want.month || date.day != want.day ||
            mf_calendar_day(date) != day) {
            fail_msg("day %d", (int)day);
        }
        const int leap = want.year % 4 == 0 && (want.year % 100 != 0 || want.year % 400 == 0);
        if (++want.day > k_length[want.month] + (want.month == 2 && leap ? 1 : 0)) {
            want.day = 1;
            want.month = want.month % 12 + 1;
            want.year += want.month == 1 ? 1 : 0;
        }
    }
}

static void test_dates_that_do_not_exist(void **state)
{
    static const struct mf_date k_none[] = {
        {1969, 12, 31}, {10000, 1, 1}, {2026, 0, 1},  {2026, 13, 1}, {2026, 1, 0},
        {2026, 1, 32},  {2026, 2, 29}, {2100, 2, 29}, {2026, 4, 31}, {-1, -1, -1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_none / sizeof k_none[0]; i++) {
        assert_int_equal(mf_calendar_day(k_none[i]), -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_dates),
        cmocka_unit_test(test_every_day_follows_the_one_before),
        cmocka_unit_test(test_dates_that_do_not_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
