/* SPDX-License-Identifier: Apache-2.0 */
/** Contract: where the vehicle tells what happened. */
#ifndef MF_HAL_LOG_H
#define MF_HAL_LOG_H

#include "hal/types.h"

/** Severities of syslog and of MAVLink's STATUSTEXT, as far as they are used. */
enum mf_severity {
    MF_EMERGENCY = 0,
    MF_ALERT = 1,
    MF_CRITICAL = 2,
    MF_ERROR = 3,
    MF_WARNING = 4,
    MF_NOTICE = 5,
    MF_INFO = 6,
    MF_DEBUG = 7,
};

struct mf_log_ops {
    /** Log an event. @p topic: a short constant word ("mode", "armed", "text", "link"); @p text:
     * NUL-terminated, valid during the call only. */
    void (*event)(void *ctx, mf_us_t t_us, enum mf_severity severity, const char *topic,
                  const char *text);
};

#endif
