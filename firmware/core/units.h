/* SPDX-License-Identifier: Apache-2.0 */
/** Conversions from the firmware's units to MAVLink's. All round to the nearest and stay within the
 * field: a receiver must never see a value that wrapped. */
#ifndef MF_FIRMWARE_UNITS_H
#define MF_FIRMWARE_UNITS_H

#include "hal/types.h"
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

/** @brief Degrees to 1e-7 degrees: 11 mm on the ground. */
static inline int32_t mf_e7(double deg)
{
    return mf_round_i32(deg * 1e7);
}

/** @brief Metres to millimetres: the one way, so that altitudes of different messages agree. */
static inline int32_t mf_mm(double m)
{
    return mf_round_i32(m * 1e3);
}

/** @brief m/s to cm/s, held within 16 bits: +-327.67 m/s. */
static inline int16_t mf_cmps(float mps)
{
    return (int16_t)mf_clamp_i32(mf_round_i32((double)mps * 1e2), INT16_MIN, INT16_MAX);
}

/** @brief Not-a-number for fields without a value: the quiet NaN that all processors share. */
static inline float mf_nan_f32(void)
{
    return mf_f32_from_bits(0x7FC00000u);
}

#endif
