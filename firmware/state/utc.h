/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/core/utc.h, without functions. */
#ifndef MF_FIRMWARE_STATE_UTC_H
#define MF_FIRMWARE_STATE_UTC_H

#include "firmware/state/text.h"
#include "hal/types.h"
#include "math/calendar.h"

/** Length of a day [s], as in POSIX without leap seconds. */
#define MF_DAY_S MF_CALENDAR_DAY_S

/** Characters of "2026-03-01", the folder of a day's logs, and of "12_00_00.ulg", a log's name in
 * PX4. */
#define MF_UTC_DAY_CHARS 10u
#define MF_UTC_LOG_CHARS 12u

#endif
