/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/flight/destination.h, without functions. */
#ifndef MF_FIRMWARE_STATE_DESTINATION_H
#define MF_FIRMWARE_STATE_DESTINATION_H

#include "hal/types.h"

/** Ways of a return to its destination. */
enum mf_way_back {
    MF_BACK_DIRECT,  /**< straight there, and down */
    MF_BACK_LANDING, /**< straight to where the mission's landing begins, and along it */
    MF_BACK_FORWARD, /**< along the rest of the mission, to its landing */
    MF_BACK_REVERSE, /**< back along the mission, and home */
};

struct mf_destination {
    double lat_deg;
    double lon_deg;
    double alt_amsl_m; /**< of the place: what the altitudes of a return are above */
    bool rally;        /**< a rally point, not home */
    uint8_t way;       /**< enum mf_way_back */
};

#endif
