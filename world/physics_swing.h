/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Swing of a body into its target: the free response of a second-order system, x'' + 2 z w x' +
 * w^2 x = 0, with damping ratio z and natural frequency w. x is the distance beyond the target.
 *
 * The body comes with a speed v and without acceleration, so the swing begins at x = -2 z v / w,
 * and its speed is v minus v times the unit step response of the system. With cos(phi) = z,
 * theta = w sin(phi) t:
 *
 *     x = -v / (w sin(phi)) e^(-z w t) sin(theta + 2 phi)
 *
 * The body passes the target at theta = pi - 2 phi, overshoots it at theta = pi - phi by
 * v / w e^(-(pi - phi) / tan(phi)), and swings back with v e^(-pi / tan(phi)). w is the greatest
 * for which the deceleration, at most v w e^(-phi / tan(phi)), and the jerk, at most v w^2, keep
 * their limits. Uses + - * / and sqrt only, so the bits are the same everywhere.
 */
#ifndef MF_WORLD_PHYSICS_SWING_H
#define MF_WORLD_PHYSICS_SWING_H

#include "world/profile.h"

/** A swing. All zero: none. */
struct mf_swing {
    double v_mps;      /**< initial speed; 0: the body does not swing */
    double rate_rps;   /**< natural frequency */
    double damping;    /**< damping ratio */
    double phase_rad;  /**< phi, whose cosine is the damping ratio */
    double duration_s; /**< until it passes the target and then stays below 1 cm/s */
};

/** @brief Build a swing. @param v_mps  >= 0  @param damping  0.1 .. below 1  @param acc_mps2  > 0
 * @param jerk_mps3  > 0 */
struct mf_swing mf_swing(double v_mps, double damping, double acc_mps2, double jerk_mps3);

/** @brief Distance from the beginning of a swing to its target; grows with the speed [m]. */
double mf_swing_way_m(const struct mf_swing *swing);

/** @brief State at @p t_s >= 0, as a distance beyond the target. */
struct mf_motion mf_swing_at(const struct mf_swing *swing, double t_s);

/** @brief Instant of a mark between which position and distance are monotone: passages of the
 * target (@p number 0, 2, 4, ...) and turning points (1, 3, 5, ...) in turn [s]. */
double mf_swing_mark_s(const struct mf_swing *swing, unsigned number);

#endif
