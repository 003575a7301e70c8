/* SPDX-License-Identifier: Apache-2.0 */
/** What the light-physics airframes have in common: which legs can be flown, and a
 * few constants. */
#ifndef MF_WORLD_AIRFRAME_LEG_H
#define MF_WORLD_AIRFRAME_LEG_H

#include "hal/airframe.h"
#include "world/terrain.h"

#define LEG_MAX_M       19.9e6
#define DURATION_MAX_US 1e15 /* 30 years: its sum with vehicle time stays in int64 */
#define SPEED_MAX_MPS   1e9
#define SPIN_MAX_RPS    1e3
#define CLIMB_MAX_M     1e8        /* of a velocity that leads up */
#define DEEPEST_M       (-11000.0) /* no ground is lower */

/** @brief A duration in whole microseconds, rounded up. @param duration_us  0 .. DURATION_MAX_US */
static inline mf_us_t mf_ceil_us(double duration_us)
{
    const mf_us_t whole_us = (mf_us_t)duration_us;
    return (double)whole_us < duration_us ? whole_us + 1 : whole_us;
}

/** @brief Whether place, height, speeds, turn and radius of each leg are numbers that
 * make sense. */
bool mf_legs_are_good(const struct mf_leg *legs, size_t n);

/** @brief The same of its turn alone. */
bool mf_turn_is_good(const struct mf_leg *leg);

/** @brief The angle that a steady turn has covered, without its whole turns [rad].
 *  @param rate_rps  |rate| <= SPIN_MAX_RPS  @param t_s  0 .. 1e9 */
double mf_spun_rad(double rate_rps, double t_s);

/** @brief How long a steady velocity can last: to the ground, @p height_m below, or as far as a
 *  body flies [s]. @param speed_h_mps  >= 0 */
double mf_velocity_lasts_s(double speed_h_mps, double up_mps, double height_m);

/**
 * @brief When a body that sinks over terrain meets the ground: its height is looked at after each
 * ten metres of its way, farther off after each 64th of it, and where it is below, before that.
 * @param height_m  of the body above the ground under it at an instant
 * @param from_us  @param until_us  between which the body moves
 * @param way_m  horizontal length of its way between them
 * @return the first instant found, to the microsecond; MF_NEVER: none
 */
mf_us_t mf_meets_ground_us(double (*height_m)(const void *body, mf_us_t t_us), const void *body,
                           mf_us_t from_us, mf_us_t until_us, double way_m);

#endif
