/* SPDX-License-Identifier: Apache-2.0 */
/** What firmware/flight/nav.h works on: data only. */
#ifndef MF_FIRMWARE_STATE_NAV_H
#define MF_FIRMWARE_STATE_NAV_H

#include "firmware/state/navigator.h"
#include "firmware/state/state.h"

/* What legs and items say (nav_leg.c, nav_item.c) */

/** A circle is flown in chords. */
#define MF_CHORDS_PER_TURN 36
/** A greater angle is none. */
#define MF_YAW_MAX_DEG 36000.0

#endif
