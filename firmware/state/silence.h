/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/core/silence.h, without functions. */
#ifndef MF_FIRMWARE_STATE_SILENCE_H
#define MF_FIRMWARE_STATE_SILENCE_H

#include "hal/types.h"

/** Time of the last message of a client, by both clocks. One clock alone would be wrong about a
 * vehicle that is held, or that flies faster than the wall: its clients would count as silent. */
struct mf_heard {
    mf_us_t rx_us; /**< transport time */
    mf_us_t at_us; /**< vehicle time */
};

#endif
