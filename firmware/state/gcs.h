/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/flight/gcs.h, without functions. */
#ifndef MF_FIRMWARE_STATE_GCS_H
#define MF_FIRMWARE_STATE_GCS_H

#include "firmware/state/silence.h"

/** The ground station, whichever it is and on whichever link. */
struct mf_gcs {
    struct mf_heard heard; /**< the last HEARTBEAT on any link; rx_us MF_NEVER: none yet */
    mf_us_t lost_us; /**< vehicle time at which the last one was lost; MF_NEVER: none is lost */
};

#endif
