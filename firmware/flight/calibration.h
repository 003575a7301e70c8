/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Calibration: the sensors do it (hal/sensors.h); ground stations ask for it and follow it by its
 * texts.
 * Source: PX4's calibration messages, as MAVSDK and QGroundControl read them.
 */
#ifndef MF_FIRMWARE_CALIBRATION_H
#define MF_FIRMWARE_CALIBRATION_H

#include "firmware/state/calibration.h"
#include "hal/types.h"

struct mf_vehicle;

/** @brief PREFLIGHT_CALIBRATION; its texts come after the acknowledgement.
 * @param param  [7] of the command; all of them 0 or not given: cancel
 * @return MF_E_OK; MF_E_AGAIN: another one runs; MF_E_NOSUPP: nothing that is fitted */
int mf_calibration_begin(struct mf_vehicle *v, const float *param, mf_us_t now_us);

/** @brief Does one run? The vehicle does not arm then. */
bool mf_calibration_runs(const struct mf_vehicle *v);

/** @brief Task on vehicle time: tells the next step. @return when the one after it is due */
mf_us_t mf_calibration_run(struct mf_vehicle *v, mf_us_t due_us);

#endif
