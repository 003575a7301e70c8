/* SPDX-License-Identifier: Apache-2.0 */
/** Rotations. */
#ifndef MF_FIRMWARE_ROTATION_H
#define MF_FIRMWARE_ROTATION_H

#include "hal/types.h"

/** @brief Rotation from body axes (forward, right, down) to NED. @param q  out: w, x, y, z */
void mf_quaternion(double roll_rad, double pitch_rad, double yaw_rad, float q[4]);

#endif
