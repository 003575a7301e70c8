/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/impose.h, without functions. */
#ifndef MF_FIRMWARE_STATE_IMPOSE_H
#define MF_FIRMWARE_STATE_IMPOSE_H

#include "firmware/state/limits.h"
#include "hal/types.h"

/** Present misbehaviour that is imposed on the vehicle (firmware/impose.h). */
struct mf_imposed {
    mf_us_t late_us;            /**< added to the period of HEARTBEAT */
    float leash_m;              /**< from home, horizontally; 0: none */
    bool silent;                /**< no HEARTBEAT */
    bool rc_lost;               /**< sticks do not count */
    bool home_hidden;           /**< as asked for; home.h has what follows from it */
    char denial[MF_DENIAL_MAX]; /**< "": none */
};

#endif
