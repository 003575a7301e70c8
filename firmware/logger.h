/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The flight log: a ULog file per flight, from arming to disarming, in the archive. Without an
 * archive, or with SDLOG_MODE -1, nothing is logged.
 *
 * Topics and fields are those of PX4's logs that readers look at (docs/logs.md). Pose topics are
 * logged at multiples of 100 ms, the others of a second, and all of them at every change of mode,
 * arming or landed state. On a clock that jumps they are logged at the instants that it stops at.
 */
#ifndef MF_FIRMWARE_LOGGER_H
#define MF_FIRMWARE_LOGGER_H

#include "firmware/param.h"
#include "hal/log.h"

struct mf_logger {
    bool open;       /**< a log is being written */
    bool tried;      /**< since arming: there is no archive, or it takes no log */
    mf_us_t all_us;  /**< vehicle time from which the slow topics are due */
    mf_us_t last_us; /**< vehicle time of the last samples */
};

/** @brief Task: begins and ends the log, and writes what is due. @return next due time [vehicle] */
mf_us_t mf_logger_run(struct mf_vehicle *v, mf_us_t due_us);

/** @brief Something changed that a log shows: all topics, at @p now_us. */
void mf_logger_wake(struct mf_vehicle *v, mf_us_t now_us);

/** @brief A text for people, at the present instant. */
void mf_logger_text(struct mf_vehicle *v, enum mf_severity severity, const char *text);

/** @brief A parameter has a new value. */
void mf_logger_param(struct mf_vehicle *v, enum mf_param param);

#endif
