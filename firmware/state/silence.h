/* SPDX-License-Identifier: Apache-2.0 */
/** What firmware/core/silence.h works on: data only. */
#ifndef MF_FIRMWARE_STATE_SILENCE_H
#define MF_FIRMWARE_STATE_SILENCE_H

#include "hal/types.h"

/** When somebody was heard last. */
struct mf_heard {
    mf_us_t rx_us; /**< transport time */
    mf_us_t at_us; /**< vehicle time */
};

#endif
