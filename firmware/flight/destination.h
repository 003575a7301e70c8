/* SPDX-License-Identifier: Apache-2.0 */
/** Where a return goes, and by which way. Source: PX4 rtl.cpp, RTL_TYPE. */
#ifndef MF_FIRMWARE_DESTINATION_H
#define MF_FIRMWARE_DESTINATION_H

#include "firmware/state/destination.h"
#include "firmware/state/estimate.h"
#include "firmware/state/fence.h"
#include "firmware/state/mission.h"

/**
 * @brief Where a return that begins now goes. RTL_TYPE 0: the nearest of home and the rally points;
 * 1: the nearest of the mission's landing and the rally points, home if there is neither; 3: the
 * nearest of all of them; 5: the nearest rally point, home if there is none. 2: along the mission
 * to its landing, back along a mission that has none, home without a mission; 4: the same, but back
 * if that way has fewer items.
 * @param e  of the instant at which the return begins
 */
struct mf_destination mf_destination_choose(const struct mf_mission *m, const struct mf_bounds *b,
                                            const struct mf_estimate *e);

#endif
