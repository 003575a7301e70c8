/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The fall from rest of a body whose drag grows with its speed, in closed form: it nears the speed
 * at which gravity and drag balance, g / drag. Only + - * / and sqrt, hence the same bits
 * everywhere.
 */
#ifndef MF_WORLD_FALL_H
#define MF_WORLD_FALL_H

#include "world/profile.h"

/** @brief The state after @p t_s >= 0 of a fall, positive downwards; 0 m where it began.
 *  @param drag_per_s  >= 0: deceleration per speed; 0: free fall */
struct mf_motion mf_fall_at(double drag_per_s, double t_s);

/** @brief How long a fall takes: the first whole microsecond at which mf_fall_at() is not above
 *  @p height_m >= 0. */
mf_us_t mf_fall_us(double drag_per_s, double height_m);

#endif
