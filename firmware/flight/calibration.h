/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Calibration: the sensors do it (hal/sensors.h); ground stations ask for it and follow it by its
 * texts.
 * Source: PX4's calibration messages, as MAVSDK and QGroundControl read them.
 */
#ifndef MF_FIRMWARE_CALIBRATION_H
#define MF_FIRMWARE_CALIBRATION_H

#include "firmware/state/calibration.h"
#include "hal/hal.h"

struct mf_vehicle;

/** @brief PREFLIGHT_CALIBRATION. Its texts come after the acknowledgement, from the task.
 * @param hal    whose sensors calibrate themselves
 * @param param  of the command; all of them 0 or not given: cancel
 * @param run_us  out: when the task has to run; MF_NEVER: nothing changed
 * @return MF_E_OK; MF_E_AGAIN: another one runs; MF_E_NOSUPP: nothing that is fitted */
int mf_calibration_begin(struct mf_calibration *c, const struct mf_hal *hal, const float param[7],
                         mf_us_t now_us, mf_us_t *run_us);

/** @brief Does one run? The vehicle does not arm then. */
bool mf_calibration_runs(const struct mf_calibration *c);

/** @brief Task on vehicle time: tells the next step. @return when the one after it is due */
mf_us_t mf_calibration_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
