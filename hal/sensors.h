/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Contract: sensors of a flight controller. They report measurements and their times, and which
 * sensors have failed; they calibrate themselves on request, while a user holds the vehicle still
 * or turns it.
 */
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

/** Value of a time that means a missing sensor. */
#define MF_NOT_THERE ((mf_us_t)-1)

/** The last measurement of each sensor. Body axes are forward, right, down. */
struct mf_sensor_values {
    mf_us_t imu_us;         /**< vehicle time of the measurement, or MF_NOT_THERE */
    float acc_frd_mps2[3];  /**< specific force: at rest 9.8 upwards, so -9.8 down */
    float gyro_frd_rps[3];  /**< angular velocity */
    mf_us_t mag_us;         /**< as imu_us */
    float mag_frd_gauss[3]; /**< magnetic field */
    mf_us_t baro_us;        /**< as imu_us */
    double pressure_hpa;
    double pressure_alt_m; /**< above the 1013.25 hPa of the standard atmosphere */
    double temperature_c;  /**< of the barometer */
    mf_us_t airspeed_us;   /**< as imu_us */
    float diff_pressure_hpa;
};

/** Calibrations. @c sides: each side of the vehicle is measured. */
enum mf_calibrates {
    MF_CALIBRATES_NOTHING,
    MF_CALIBRATES_GYRO,
    MF_CALIBRATES_MAG_SIDES,
    MF_CALIBRATES_BARO,
    MF_CALIBRATES_ACCEL_SIDES,
    MF_CALIBRATES_ACCEL, /**< quickly, as the vehicle stands */
    MF_CALIBRATES_LEVEL, /**< the horizon */
};

/** The sides that point down, one after the other: six. A calibration that needs no sides counts
 * the sixths of its work instead. */
#define MF_SIDE_LIST(X) \
    X(DOWN, "down")     \
    X(UP, "up")         \
    X(LEFT, "left")     \
    X(RIGHT, "right")   \
    X(FRONT, "front")   \
    X(BACK, "back")

enum mf_side {
#define X(name, text) MF_SIDE_##name,
    MF_SIDE_LIST(X)
#undef X
        MF_SIDE_COUNT
};

/** Progress of a calibration. */
struct mf_calibration_state {
    uint8_t done;    /**< set of bits, 1 << enum mf_side; all of them: it succeeded */
    bool failed;     /**< it ended, and what was calibrated before holds on */
    mf_us_t next_us; /**< the next instant at which this changes; MF_NEVER: not known, ask again */
};

struct mf_sensors_ops {
    /** The last measurements, none of them later than @p t_us. @return MF_E_OK, or MF_E_IO */
    int (*sample)(void *ctx, mf_us_t t_us, struct mf_sensor_values *values);
    /** Begin a calibration, and end the present one. MF_CALIBRATES_NOTHING: only end it.
     * @return MF_E_OK; MF_E_NOSUPP: not fitted; MF_E_IO: does not answer */
    int (*calibrate)(void *ctx, mf_us_t t_us, enum mf_calibrates what);
    /** Read the progress of the last calibration. @return MF_E_OK, or MF_E_IO */
    int (*calibration)(void *ctx, mf_us_t t_us, struct mf_calibration_state *state);
    /** The sensors that do not work at @p t_us. @return a set of bits, 1 << enum mf_sensor */
    uint32_t (*lost)(void *ctx, mf_us_t t_us);
};

/** @brief Values of a vehicle without sensors. */
static inline struct mf_sensor_values mf_sensor_values_none(void)
{
    return (struct mf_sensor_values){.imu_us = MF_NOT_THERE,
                                     .mag_us = MF_NOT_THERE,
                                     .baro_us = MF_NOT_THERE,
                                     .airspeed_us = MF_NOT_THERE};
}

#endif
