/* SPDX-License-Identifier: Apache-2.0 */
/** What firmware/flight/transition.h works on: data only. */
#ifndef MF_FIRMWARE_STATE_TRANSITION_H
#define MF_FIRMWARE_STATE_TRANSITION_H

#include "firmware/state/home.h"
#include "firmware/state/mode.h"
#include "firmware/state/navigator.h"
#include "firmware/state/state.h"

/** Who asks for something; decides what the texts say. */
enum mf_by {
    MF_BY_COMMAND,
    MF_BY_MISSION_START,
    MF_BY_LANDING,
    MF_BY_PREFLIGHT_TIMEOUT,
    MF_BY_FAILSAFE
};

#endif
