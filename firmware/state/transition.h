/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/flight/transition.h, without functions. */
#ifndef MF_FIRMWARE_STATE_TRANSITION_H
#define MF_FIRMWARE_STATE_TRANSITION_H

#include "firmware/state/home.h"
#include "firmware/state/mode.h"
#include "firmware/state/navigator.h"
#include "firmware/state/state.h"

/** Actors of arming and disarming; they select the texts, which are PX4's. */
enum mf_by {
    MF_BY_COMMAND,           /**< a client, by COMPONENT_ARM_DISARM or the shell */
    MF_BY_MISSION_START,     /**< a client, by MISSION_START */
    MF_BY_LANDING,           /**< COM_DISARM_LAND after a flight */
    MF_BY_PREFLIGHT_TIMEOUT, /**< COM_DISARM_PRFLT without a flight */
    MF_BY_FAILSAFE           /**< an action that stops the motors */
};

#endif
