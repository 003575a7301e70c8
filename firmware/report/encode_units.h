/* SPDX-License-Identifier: Apache-2.0 */
/** Rates about the axes of the body (forward, right, down), as gyroscopes measure them, for
 * encoders and the log. Angles of attitude are Tait-Bryan: yaw, then pitch, then roll. */
#ifndef MF_FIRMWARE_ENCODE_UNITS_H
#define MF_FIRMWARE_ENCODE_UNITS_H

#include "firmware/core/rotation.h"
#include "firmware/core/units.h"
#include "hal/airframe.h"

/** @brief Angular velocity about the body's axes [rad/s], from the derivatives of roll, pitch and
 * yaw. */
void mf_body_rates(const struct mf_pose *pose, float frd_rps[3]);

#endif
