/* SPDX-License-Identifier: Apache-2.0 */
/** Contract: the sensors of which this autopilot knows only whether they work. */
#ifndef MF_HAL_SENSORS_H
#define MF_HAL_SENSORS_H

#include "hal/types.h"

/** Sensor, and what PX4 calls it where it denies arming. */
#define MF_SENSOR_LIST(X)    \
    X(GYRO, "Gyro Sensor")   \
    X(ACCEL, "Accel Sensor") \
    X(MAG, "Compass Sensor") \
    X(BARO, "barometer")

enum mf_sensor {
#define X(name, text) MF_SENSOR_##name,
    MF_SENSOR_LIST(X)
#undef X
        MF_SENSOR_COUNT
};

struct mf_sensors_ops {
    /** The sensors that do not work at @p t_us. @return a set of bits, 1 << enum mf_sensor */
    uint32_t (*lost)(void *ctx, mf_us_t t_us);
};

#endif
