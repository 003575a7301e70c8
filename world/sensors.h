/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Inertial sensors, magnetometer and barometer on a body: they measure its true pose, at the
 * instant of the call, without noise; an airspeed sensor is missing. The air is the standard
 * atmosphere, the field that of mid latitudes without declination.
 *
 * Calibration runs without help, as if a person turned the vehicle as requested: 150 ms for each
 * side.
 */
#ifndef MF_WORLD_SENSORS_H
#define MF_WORLD_SENSORS_H

#include "hal/hal.h"

/** Sensors of one vehicle. The caller allocates it; its fields are private. */
struct mf_body_sensors {
    const struct mf_airframe_ops *airframe; /**< airframe whose pose they measure */
    void *airframe_ctx;
    mf_us_t begun_us; /**< start of the calibration; MF_NEVER: not calibrated */
};

/** @brief Begin sensors on an airframe, without a calibration. */
void mf_body_sensors_init(struct mf_body_sensors *sensors, const struct mf_airframe_ops *airframe,
                          void *airframe_ctx);

/** Operations; their context is the struct mf_body_sensors. */
extern const struct mf_sensors_ops mf_body_sensors_ops;

/** @brief Pressure of the standard atmosphere [hPa], within 0.001 hPa from -1 to 11 km, constant
 * beyond. */
double mf_pressure_hpa(double alt_amsl_m);

/** @brief Temperature of the standard atmosphere [deg C], in the range of mf_pressure_hpa(). */
double mf_temperature_c(double alt_amsl_m);

#endif
