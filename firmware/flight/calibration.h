/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Calibration of sensors, which the sensors do themselves (hal/sensors.h): its begin, and the texts
 * by which ground stations follow it. Source: PX4's calibration messages, as MAVSDK and
 * QGroundControl read them.
 */
#ifndef MF_FIRMWARE_CALIBRATION_H
#define MF_FIRMWARE_CALIBRATION_H

#include "firmware/state/calibration.h"
#include "hal/hal.h"

struct mf_vehicle;

/** @brief Begin what PREFLIGHT_CALIBRATION requests. The task sends the texts, after the
 * acknowledgement.
 * @param hal  devices with the sensors
 * @param param  of the command; all of them 0 or not given: cancel
 * @param run_us  out: when the task has to run; MF_NEVER: nothing changed
 * @return MF_E_OK; MF_E_AGAIN: another calibration runs; MF_E_NOSUPP: the vehicle has nothing to
 * calibrate */
int mf_calibration_begin(struct mf_calibration *c, const struct mf_hal *hal, const float param[7],
                         mf_us_t now_us, mf_us_t *run_us);

/** @brief True while a calibration runs. The vehicle does not arm then. */
bool mf_calibration_runs(const struct mf_calibration *c);

/** @brief Task on vehicle time: sends the text of the next step. @return due time of the step after
 * it */
mf_us_t mf_calibration_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
