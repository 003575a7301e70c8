/* SPDX-License-Identifier: Apache-2.0 */
/** Attitude as roll, pitch and yaw [rad]: vectors and rates seen in the body's axes (forward,
 * right, down). Pure, made of math/trig.h. */
#ifndef MF_MATH_ATTITUDE_H
#define MF_MATH_ATTITUDE_H

/** @brief A vector given in NED, seen in the body's axes. @param rpy  roll, pitch, yaw
 *  @param frd  out, may not be @p ned */
void mf_attitude_to_body(const double rpy[3], const double ned[3], double frd[3]);

/** @brief Angular velocity about the body's axes. @param rpy_per_s  derivatives of roll, pitch and
 *  yaw  @param frd_rps  out */
void mf_attitude_rates(const double rpy[3], const double rpy_per_s[3], double frd_rps[3]);

#endif
