/* SPDX-License-Identifier: Apache-2.0 */
#include "math/calendar.h"

#include "hal/assert.h"

/* Years are counted from March, so that the leap day is the last of its year. */
#define ERA_DAYS    146097 /* 400 years, after which the calendar repeats */
#define MARCH_0000  719468 /* days from 0000-03-01 to 1970-01-01 */
#define FIVE_MONTHS 153    /* days from March to July, and from August to December */

/* Days before a month, counted from March. */
static int32_t days_before(int32_t month)
{
    return (FIVE_MONTHS * month + 2) / 5;
}

struct mf_date mf_calendar_date(int32_t day)
{
    MF_ASSERT(day >= 0 && day <= MF_CALENDAR_DAY_MAX);
    const int32_t since = day + MARCH_0000;
    const int32_t in_era = since % ERA_DAYS;
    /* without its leap days, a year has 365 */
    const int32_t leap_days = in_era / 1460 - in_era / 36524 + in_era / (ERA_DAYS - 1);
    const int32_t year = (in_era - leap_days) / 365;
    const int32_t in_year = in_era - (365 * year + year / 4 - year / 100);
    const int32_t month = (5 * in_year + 2) / FIVE_MONTHS;
    return (struct mf_date){
        .year = 400 * (since / ERA_DAYS) + year + (month >= 10 ? 1 : 0),
        .month = month < 10 ? month + 3 : month - 9,
        .day = in_year - days_before(month) + 1,
    };
}

int32_t mf_calendar_day(struct mf_date date)
{
    if (date.year < 1970 || date.year > 9999 || date.month < 1 || date.month > 12 || date.day < 1 ||
        date.day > 31) {
        return -1;
    }
    const int32_t year = date.month > 2 ? date.year : date.year - 1;
    const int32_t month = date.month > 2 ? date.month - 3 : date.month + 9;
    const int32_t day = 365 * year + year / 4 - year / 100 + year / 400 + days_before(month) +
                        date.day - 1 - MARCH_0000;
    const struct mf_date again = mf_calendar_date(day);
    MF_ASSERT(again.year == date.year);          /* December has 31 days */
    return again.month == date.month ? day : -1; /* no 31st of April */
}
