/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/flight/state.h, without functions. */
#ifndef MF_FIRMWARE_STATE_STATE_H
#define MF_FIRMWARE_STATE_STATE_H

#include "firmware/state/mode.h"
#include "hal/types.h"

/** Values of MAV_LANDED_STATE. UNDEFINED (0) is never sent, as by PX4: MAVSDK would keep the one
 * before. */
enum mf_landed {
    MF_LANDED_ON_GROUND = 1, /**< up to the instant of the lift-off */
    MF_LANDED_IN_AIR = 2,
    MF_LANDED_TAKEOFF = 3, /**< from the lift-off to the take-off altitude */
    MF_LANDED_LANDING = 4  /**< on the way down to the ground, in whatever mode */
};

/** Armed, landed, the mode. Written by the commander alone (state.h, transition.h, commander.h). */
struct mf_commander {
    uint8_t mode;        /**< enum mf_mode */
    uint8_t landed;      /**< enum mf_landed */
    bool armed;          /**< as HEARTBEAT says; a termination leaves it */
    bool failsafe;       /**< a failsafe, not a user, chose the mode */
    bool took_off;       /**< since arming */
    uint8_t rest;        /**< enum mf_mode to which disarming leads in PX4 */
    uint16_t posted;     /**< bits of enum mf_event that wait for the commander's next run */
    mf_us_t armed_us;    /**< vehicle time of arming; 0 while disarmed */
    mf_us_t took_off_us; /**< vehicle time of the lift-off; 0 while not in flight */
    mf_us_t landed_us;   /**< vehicle time of the last touchdown; 0: none yet */
    mf_us_t disarm_us;   /**< automatic disarming is due; MF_NEVER: none */
};
_Static_assert(MF_EV_REQUEST <= 16, "a bit of posted per event");

#endif
