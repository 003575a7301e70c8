/* SPDX-License-Identifier: Apache-2.0 */
/** What the encoders share: from the firmware's units to those of the wire, and from NED to the
 * body's axes. */
#ifndef MF_FIRMWARE_ENCODE_UNITS_H
#define MF_FIRMWARE_ENCODE_UNITS_H

#include "hal/airframe.h"
#include "math/trig.h"
#include "mavlink/message.h"

/** System time earlier than 2001-01-01 is not known, as in PX4 [us since 1970]. */
#define MF_UTC_KNOWN_US (INT64_C(978307200) * MF_SECOND_US)

/** @brief time_boot_ms of a vehicle time. Wraps after 49 days, as in PX4. */
static inline uint32_t mf_boot_ms(mf_us_t t_us)
{
    return (uint32_t)(t_us / MF_MS_US);
}

/** @brief An integer held within a range. */
static inline int32_t mf_clamp_i32(int32_t x, int32_t low, int32_t high)
{
    return x < low ? low : x > high ? high : x;
}

/** @brief Degrees to 1e-7 degrees. */
static inline int32_t mf_e7(double deg)
{
    return mf_round_i32(deg * 1e7);
}

/** @brief Metres to millimetres: the one way, so that altitudes of different messages agree. */
static inline int32_t mf_mm(double m)
{
    return mf_round_i32(m * 1e3);
}

/** @brief m/s to cm/s. */
static inline int16_t mf_cmps(float mps)
{
    return (int16_t)mf_clamp_i32(mf_round_i32((double)mps * 1e2), INT16_MIN, INT16_MAX);
}

/** @brief A field that has no value. */
static inline float mf_nan_f32(void)
{
    return mf_f32_from_bits(0x7FC00000u);
}

/** @brief Rotation from body axes (forward, right, down) to NED. @param q  out: w, x, y, z */
void mf_quaternion(double roll_rad, double pitch_rad, double yaw_rad, float q[4]);

/** @brief A vector given in NED, seen in the body's axes. @param frd  out, may not be @p ned */
void mf_to_body(const struct mf_pose *pose, const double ned[3], double frd[3]);

/** @brief Angular velocity about the body's axes [rad/s]; roll and pitch are taken as steady. */
void mf_body_rates(const struct mf_pose *pose, float frd_rps[3]);

/** @brief Pressure of the standard atmosphere [hPa], within 0.001 hPa from -1 to 11 km; beyond, it
 * stays as it is there. */
double mf_pressure_hpa(double alt_amsl_m);

/** @brief Temperature of the standard atmosphere [deg C], over the same range. */
double mf_temperature_c(double alt_amsl_m);

#endif
