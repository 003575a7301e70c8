/* SPDX-License-Identifier: Apache-2.0 */
/** What firmware/core/silence.h works on: data only. */
#ifndef MF_FIRMWARE_STATE_SILENCE_H
#define MF_FIRMWARE_STATE_SILENCE_H

#include "hal/types.h"

/** When somebody was heard last, by both clocks: one alone would take a vehicle that is held, or
 * one that flies faster than the wall, for a client that is silent. */
struct mf_heard {
    mf_us_t rx_us; /**< transport time */
    mf_us_t at_us; /**< vehicle time */
};

#endif
