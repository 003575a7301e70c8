/* SPDX-License-Identifier: Apache-2.0 */
/** Clocks of the host, and of the vehicle: a pace (pace.h) along the host's monotonic time. */
#ifndef MF_HAL_POSIX_CLOCK_H
#define MF_HAL_POSIX_CLOCK_H

#include "drone/pace.h"

/** @brief Monotonic time of the host [us], in which the network's timers count. */
mf_us_t mf_monotonic_us(void);

/** @brief UTC of the host [us since 1970-01-01]. */
int64_t mf_utc_us(void);

/** Operations of the vehicle's clock; their context is a struct mf_pace, which determines vehicle
 * time. */
extern const struct mf_clock_ops mf_clock_pace_ops;

#endif
