/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fall from rest of a body whose drag grows with its speed, in closed form: the speed approaches g
 * / drag, at which gravity and drag balance. Uses only + - * / and sqrt, so the bits are the same
 * everywhere.
 */
#ifndef MF_WORLD_FALL_H
#define MF_WORLD_FALL_H

#include "world/profile.h"

/** @brief State after @p t_s >= 0 of a fall, positive downwards from 0 m at its start.
 * @param drag_per_s  >= 0: deceleration per speed; 0: free fall */
struct mf_motion mf_fall_at(double drag_per_s, double t_s);

/** @brief Duration of a fall: the first whole microsecond at which mf_fall_at() is not above @p
 * height_m >= 0. */
mf_us_t mf_fall_us(double drag_per_s, double height_m);

#endif
