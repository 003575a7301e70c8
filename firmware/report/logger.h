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

#include "firmware/state/log_record.h"

struct mf_vehicle;

/** @brief Task: begins and ends the log, and writes what is due. @return next due time [vehicle] */
mf_us_t mf_logger_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
