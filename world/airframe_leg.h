/* SPDX-License-Identifier: Apache-2.0 */
/** Checks, limits and formulas that the light-physics airframes share. */
#ifndef MF_WORLD_AIRFRAME_LEG_H
#define MF_WORLD_AIRFRAME_LEG_H

#include "hal/airframe.h"
#include "world/terrain.h"

#define LEG_MAX_M       19.9e6
#define DURATION_MAX_US 1e15 /* 30 years: its sum with vehicle time stays in int64 */
#define SPEED_MAX_MPS   1e9
#define SPIN_MAX_RPS    1e3
#define CLIMB_MAX_M     1e8        /* of a velocity that leads up */
#define DEEPEST_M       (-11000.0) /* below all ground */

/** @brief A duration in whole microseconds, rounded up. @param duration_us  0 .. DURATION_MAX_US */
static inline mf_us_t mf_ceil_us(double duration_us)
{
    const mf_us_t whole_us = (mf_us_t)duration_us;
    return (double)whole_us < duration_us ? whole_us + 1 : whole_us;
}

/** @brief True if place, height, speeds, turn and radius of each leg are within their limits. */
bool mf_legs_are_good(const struct mf_leg *legs, size_t n);

/** @brief True if the turn of a leg is within its limits. */
bool mf_turn_is_good(const struct mf_leg *leg);

/** @brief Angle that a steady turn has covered, without its whole turns [rad].
 * @param rate_rps
 * rate
 * <= SPIN_MAX_RPS  @param t_s  0 .. 1e9 */
double mf_spun_rad(double rate_rps, double t_s);

/** @brief Longest duration of a steady velocity: to the ground, @p height_m below, or as far as a
 * body flies [s]. @param speed_h_mps  >= 0 */
double mf_velocity_lasts_s(double speed_h_mps, double up_mps, double height_m);

/**
 * @brief Find the instant at which a body that sinks over terrain meets the ground. Samples its
 * height every ten metres of its way, on long ways every 64th of it, and searches before the first
 * sample below ground.
 * @param height_m  height of the body above the ground under it at an instant
 * @param from_us  @param until_us  interval in which the body moves
 * @param way_m  horizontal length of its way in the interval
 * @return the first instant found, to the microsecond; MF_NEVER: no sample is below ground
 */
mf_us_t mf_meets_ground_us(double (*height_m)(const void *body, mf_us_t t_us), const void *body,
                           mf_us_t from_us, mf_us_t until_us, double way_m);

#endif
