/* SPDX-License-Identifier: Apache-2.0 */
/** What firmware/flight/faults.h works on: data only. */
#ifndef MF_FIRMWARE_STATE_FAULTS_H
#define MF_FIRMWARE_STATE_FAULTS_H

#include "hal/inject.h"

/** What is active, as it was looked at last. */
struct mf_shown_faults {
    mf_us_t next_us; /**< vehicle time at which to look again */
    mf_us_t
        correct_us; /**< what displaced the vehicle or its estimate is corrected: fly there again */
    uint8_t displaced; /**< those that move the vehicle or its estimate, bits of the list there */
    bool motors_off;
};

/** Bits of mf_shown_faults.displaced that move the vehicle itself. */
#define MF_FAULTS_TRULY 12u

#endif
