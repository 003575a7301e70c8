/* SPDX-License-Identifier: Apache-2.0 */
/** The Gregorian calendar: days since 1970-01-01 to dates and back. Integers only. */
#ifndef MF_MATH_CALENDAR_H
#define MF_MATH_CALENDAR_H

#include <stdint.h>

/** 9999-12-31. */
#define MF_CALENDAR_DAY_MAX 2932896
#define MF_CALENDAR_DAY_S   86400

struct mf_date {
    int32_t year;  /**< 1970 .. 9999 */
    int32_t month; /**< 1 .. 12 */
    int32_t day;   /**< 1 .. 31 */
};

/** @brief The date of a day. @param day  0 .. MF_CALENDAR_DAY_MAX */
struct mf_date mf_calendar_date(int32_t day);

/** @brief Day of a date. @return 0 .. MF_CALENDAR_DAY_MAX; -1: an invalid date */
int32_t mf_calendar_day(struct mf_date date);

#endif
