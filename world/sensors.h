/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Inertial sensors, magnetometer and barometer on a body: they measure its true pose, at the
 * instant at which they are asked, without noise; there is no airspeed sensor. The air is the
 * standard atmosphere, the field that of mid latitudes without declination.
 *
 * Calibration runs by itself, as if somebody turned the vehicle as told: 150 ms for each side.
 */
#ifndef MF_WORLD_SENSORS_H
#define MF_WORLD_SENSORS_H

#include "hal/hal.h"

/** One vehicle's sensors. The caller allocates it; its fields are private. */
struct mf_body_sensors {
    const struct mf_airframe_ops *airframe; /**< on which they are */
    void *airframe_ctx;
    mf_us_t begun_us; /**< of the calibration; MF_NEVER: none was */
};

/** @brief Sensors on an airframe, none being calibrated. */
void mf_body_sensors_init(struct mf_body_sensors *sensors, const struct mf_airframe_ops *airframe,
                          void *airframe_ctx);

/** The contract; the context is the struct mf_body_sensors. */
extern const struct mf_sensors_ops mf_body_sensors_ops;

/** @brief Pressure of the standard atmosphere [hPa], within 0.001 hPa from -1 to 11 km; beyond, it
 * stays as it is there. */
double mf_pressure_hpa(double alt_amsl_m);

/** @brief Its temperature [deg C], in the same range. */
double mf_temperature_c(double alt_amsl_m);

#endif
