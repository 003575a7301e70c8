/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/flight/calibration.h, without functions. */
#ifndef MF_FIRMWARE_STATE_CALIBRATION_H
#define MF_FIRMWARE_STATE_CALIBRATION_H

#include "hal/types.h"

/** Progress of a calibration as clients know it; the sensors have the real progress. */
struct mf_calibration {
    uint8_t what;   /**< 1 + index into the table of calibrations; 0: none runs */
    uint8_t told;   /**< set of bits, 1 << enum mf_side */
    bool begun;     /**< told that it begins */
    bool cancelled; /**< by a client; its end is not told yet */
    bool ending;    /**< cancelled, and told with the next step */
};

#endif
