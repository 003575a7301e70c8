/* SPDX-License-Identifier: Apache-2.0 */
/** Rotations: the world and the estimate have angles, the messages quaternions. */
#ifndef MF_FIRMWARE_ROTATION_H
#define MF_FIRMWARE_ROTATION_H

#include "hal/types.h"

/** @brief Rotation from body axes (forward, right, down) to NED, by yaw, pitch and roll in this
 * order (Tait-Bryan angles, as MAVLink has them).
 * @param roll_rad, pitch_rad, yaw_rad  any number
 * @param q  out: w, x, y, z; of length 1 but for rounding */
void mf_quaternion(double roll_rad, double pitch_rad, double yaw_rad, float q[4]);

#endif
