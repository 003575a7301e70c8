/* SPDX-License-Identifier: Apache-2.0 */
/** Speeds that the limits of a body allow: in corners, against drag, and of a velocity. */
#ifndef MF_WORLD_PHYSICS_SPEED_H
#define MF_WORLD_PHYSICS_SPEED_H

#include "hal/airframe.h"

/** @brief Speed at which PX4 flies the corner between two legs: on a circle that touches both at
 * the radius, and not too fast for the next leg. @param azimuth_rad  of the first leg at its end
 * @return 0: the body stops in the corner */
double mf_physics_corner_mps(const struct mf_physics_limits *l, const struct mf_leg *leg,
                             const struct mf_leg *next, double azimuth_rad);

/** @brief Limit a horizontal speed so that the greatest tilt holds it against drag. */
double mf_physics_top_mps(const struct mf_physics_limits *l, double speed_mps);

/** @brief Limit a velocity, whose horizontal direction stays. @param v_mps  out: north, east, up */
void mf_physics_limit_velocity(const struct mf_physics_limits *l, const float vel_ned_mps[3],
                               double v_mps[3]);

#endif
