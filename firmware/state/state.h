/* SPDX-License-Identifier: Apache-2.0 */
/** What firmware/flight/state.h works on: data only. */
#ifndef MF_FIRMWARE_STATE_STATE_H
#define MF_FIRMWARE_STATE_STATE_H

#include "firmware/state/mode.h"
#include "hal/types.h"

/** Values of MAV_LANDED_STATE. */
enum mf_landed {
    MF_LANDED_ON_GROUND = 1,
    MF_LANDED_IN_AIR = 2,
    MF_LANDED_TAKEOFF = 3,
    MF_LANDED_LANDING = 4
};

struct mf_commander {
    uint8_t mode;   /**< enum mf_mode */
    uint8_t landed; /**< enum mf_landed */
    bool armed;
    bool failsafe;       /**< a failsafe, not a user, chose the mode */
    bool took_off;       /**< since arming */
    uint16_t posted;     /**< bits of enum mf_event that wait for the commander's next run */
    mf_us_t armed_us;    /**< vehicle time of arming; 0 while disarmed */
    mf_us_t took_off_us; /**< 0 while not in flight */
    mf_us_t landed_us;   /**< of the last touchdown */
    mf_us_t disarm_us;   /**< automatic disarming is due; MF_NEVER: none */
};
_Static_assert(MF_EV_REQUEST <= 16, "a bit of posted per event");

#endif
