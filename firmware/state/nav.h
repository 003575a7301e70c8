/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/flight/nav.h, without functions. */
#ifndef MF_FIRMWARE_STATE_NAV_H
#define MF_FIRMWARE_STATE_NAV_H

#include "firmware/state/navigator.h"
#include "firmware/state/state.h"

/* Constants of legs and items (nav_leg.c, nav_item.c) */

/** A circle is flown in chords. */
#define MF_CHORDS_PER_TURN 36
/** Upper limit of angles; a larger one is ignored. */
#define MF_YAW_MAX_DEG 36000.0

#endif
