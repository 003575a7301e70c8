/* SPDX-License-Identifier: Apache-2.0 */
/** The wall clock: vehicle time and transport time are one, and pass as for everybody else. */
#ifndef MF_HAL_POSIX_CLOCK_WALL_H
#define MF_HAL_POSIX_CLOCK_WALL_H

#include "hal/clock.h"

struct mf_clock_wall {
    mf_us_t start_us; /**< monotonic time of the boot */
};

/** @brief The host's monotonic time [us]: what timers of the network count in. */
mf_us_t mf_monotonic_us(void);

/** @brief UTC of the host [us since 1970-01-01]. */
int64_t mf_utc_us(void);

/** @brief Boot now: both times begin at 0. */
void mf_clock_wall_start(struct mf_clock_wall *clock);

/** The contract; the context is the clock. */
extern const struct mf_clock_ops mf_clock_wall_ops;

#endif
