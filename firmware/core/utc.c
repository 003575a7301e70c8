/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/core/utc.h"

#include "firmware/core/text.h"
#include "firmware/state/utc.h"

#include <string.h>

#define NOT_A_VALUE (-1)

/* Names are read as strictly as they are written: a name that could be another spelling of a log
 * would be a second name for one file. */

/* Append a number with leading zeros, which mf_text_add_int() does not write. */
static void add_digits(struct mf_text *t, int64_t value, int digits)
{
    MF_ASSERT(value >= 0);
    int64_t place = 1;
    for (int i = 1; i < digits; i++) {
        place *= 10;
    }
    for (; place > 0; place /= 10) {
        mf_text_add_int(t, value / place % 10);
    }
}

void mf_utc_add_day(struct mf_text *t, int64_t day)
{
    MF_ASSERT(day >= 0 && day <= MF_CALENDAR_DAY_MAX);
    const struct mf_date date = mf_calendar_date((int32_t)day);
    add_digits(t, date.year, 4);
    mf_text_add(t, "-");
    add_digits(t, date.month, 2);
    mf_text_add(t, "-");
    add_digits(t, date.day, 2);
}

/* PX4's names: underscores, since a colon cannot be in a file's name everywhere. */
void mf_utc_add_log(struct mf_text *t, int64_t second)
{
    MF_ASSERT(second >= 0 && second < MF_DAY_S);
    add_digits(t, second / 3600, 2);
    mf_text_add(t, "_");
    add_digits(t, second / 60 % 60, 2);
    mf_text_add(t, "_");
    add_digits(t, second % 60, 2);
    mf_text_add(t, ".ulg");
}

/* @return the number that n digits make, or NOT_A_VALUE; four of them at most, so it fits */
static int32_t digits(const char *s, size_t n)
{
    int32_t value = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i] < '0' || s[i] > '9') {
            return NOT_A_VALUE;
        }
        value = 10 * value + (s[i] - '0');
    }
    return value;
}

/* The calendar refuses the 30th of February. */
int64_t mf_utc_day(const char *s)
{
    const struct mf_date date = {digits(s, 4), digits(s + 5, 2), digits(s + 8, 2)};
    const int32_t day = s[4] == '-' && s[7] == '-' ? mf_calendar_day(date) : -1;
    return day >= 0 ? day : MF_E_NOENT;
}

/* Separators and ending are checked by writing the name again. */
int64_t mf_utc_log(const char *s)
{
    const int64_t hour = digits(s, 2), minute = digits(s + 3, 2), second = digits(s + 6, 2);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) {
        return MF_E_NOENT;
    }
    const int64_t at = 3600 * hour + 60 * minute + second;
    struct mf_text again = mf_text("");
    mf_utc_add_log(&again, at);
    return memcmp(again.s, s, MF_UTC_LOG_CHARS) == 0 ? at : MF_E_NOENT;
}
