/* SPDX-License-Identifier: Apache-2.0 */
/** The host's clocks, and the vehicle's: a pace (pace.h) along the host's monotonic time. */
#ifndef MF_HAL_POSIX_CLOCK_H
#define MF_HAL_POSIX_CLOCK_H

#include "drone/pace.h"

/** @brief The host's monotonic time [us]: what timers of the network count in. */
mf_us_t mf_monotonic_us(void);

/** @brief UTC of the host [us since 1970-01-01]. */
int64_t mf_utc_us(void);

/** The contract; the context is a struct mf_pace, which says what vehicle time it is. */
extern const struct mf_clock_ops mf_clock_pace_ops;

#endif
