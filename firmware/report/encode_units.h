/* SPDX-License-Identifier: Apache-2.0 */
/** What the encoders share: from NED to the axes of the body, and the standard atmosphere. */
#ifndef MF_FIRMWARE_ENCODE_UNITS_H
#define MF_FIRMWARE_ENCODE_UNITS_H

#include "firmware/core/rotation.h"
#include "firmware/core/units.h"
#include "hal/airframe.h"

/** @brief A vector given in NED, seen in the body's axes. @param frd  out, may not be @p ned */
void mf_to_body(const struct mf_pose *pose, const double ned[3], double frd[3]);

/** @brief Angular velocity about the body's axes [rad/s], from the derivatives of roll, pitch and yaw. */
void mf_body_rates(const struct mf_pose *pose, float frd_rps[3]);

/** @brief Pressure of the standard atmosphere [hPa], within 0.001 hPa from -1 to 11 km; beyond, it
 * stays as it is there. */
double mf_pressure_hpa(double alt_amsl_m);

/** @brief Temperature of the standard atmosphere [deg C], over the same range. */
double mf_temperature_c(double alt_amsl_m);

#endif
