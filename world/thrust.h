/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Roll and pitch of a body from the direction of its thrust, with their derivatives in closed form.
 * The axes are level: ahead along the heading, to its right, and up; so they turn with the heading,
 * and so do the derivatives.
 */
#ifndef MF_WORLD_THRUST_H
#define MF_WORLD_THRUST_H

#include "hal/airframe.h"
#include "world/profile.h"

/** Thrust per mass [m/s^2], or in proportion to its upward part. */
struct mf_thrust {
    double forward, right, up;
    double forward_per_s, right_per_s, up_per_s;
};

/** @brief Thrust against gravity and drag and along the acceleration.
 * @param v_mps  velocity, acceleration and jerk: north, east, up  @param drag_per_s  deceleration
 * per speed */
struct mf_thrust mf_thrust_of(const double v_mps[3], const double a_mps2[3], const double j_mps3[3],
                              const struct mf_motion *yaw, double drag_per_s);

/** @brief Keep the upward part at 1 m/s^2 or more: bodies of this world do not point their thrust
 * down. */
void mf_thrust_hold_up(struct mf_thrust *thrust);

/** @brief Set roll and pitch, and their rates of change. @param thrust  up > 0
 * @param tan_max  tangent of the greatest tilt; for a greater one only the direction is right */
void mf_thrust_point(const struct mf_thrust *thrust, double tan_max, struct mf_pose *pose);

#endif
