/* SPDX-License-Identifier: Apache-2.0 */
/** What the light-physics airframes have in common: which legs can be flown, and a few constants. */
#ifndef MF_WORLD_AIRFRAME_LEG_H
#define MF_WORLD_AIRFRAME_LEG_H

#include "hal/airframe.h"

#define GRAVITY_MPS2    9.80665
#define LEG_MAX_M       19.9e6
#define DURATION_MAX_US 1e15 /* 30 years: its sum with vehicle time stays in int64 */

/** @brief Whether |x| <= limit; false for NaN. */
static inline bool mf_within(double x, double limit)
{
    return x >= -limit && x <= limit;
}

/** @brief A duration in whole microseconds, rounded up. @param duration_us  0 .. DURATION_MAX_US */
static inline mf_us_t mf_ceil_us(double duration_us)
{
    const mf_us_t whole_us = (mf_us_t)duration_us;
    return (double)whole_us < duration_us ? whole_us + 1 : whole_us;
}

/** @brief Whether place, height, speeds, turn and radius of a leg are numbers that make sense. */
bool mf_leg_is_good(const struct mf_leg *leg);

#endif
