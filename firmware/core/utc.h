/* SPDX-License-Identifier: Apache-2.0 */
/** Dates and times of day: names of flight logs. */
#ifndef MF_FIRMWARE_UTC_H
#define MF_FIRMWARE_UTC_H

#include "firmware/state/text.h"
#include "firmware/state/utc.h"
#include "hal/types.h"
#include "math/calendar.h"

/** @brief Append the date of a day, as 2026-03-01. @param day  since 1970-01-01, 0 ..
 * MF_CALENDAR_DAY_MAX */
void mf_utc_add_day(struct mf_text *t, int64_t day);

/** @brief Append the name of a log, as 12_00_00.ulg. @param second  of its day, 0 .. 86399 */
void mf_utc_add_log(struct mf_text *t, int64_t second);

/** @brief The day that a text of MF_UTC_DAY_CHARS characters names. @return day, or MF_E_NOENT */
int64_t mf_utc_day(const char *s);

/** @brief The second of its day that a text of MF_UTC_LOG_CHARS characters names. @return second,
 * or MF_E_NOENT */
int64_t mf_utc_log(const char *s);

#endif
