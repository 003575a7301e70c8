/* SPDX-License-Identifier: Apache-2.0 */
/** Destination of a return, and the way to it. Source: PX4 rtl.cpp, RTL_TYPE. */
#ifndef MF_FIRMWARE_DESTINATION_H
#define MF_FIRMWARE_DESTINATION_H

#include "firmware/state/destination.h"
#include "firmware/state/estimate.h"
#include "firmware/state/fence.h"
#include "firmware/state/mission.h"

/**
 * @brief Choose the destination of a return that begins now. RTL_TYPE 0: the nearest of home and
 * the rally points; 1: the nearest of the mission's landing and the rally points, or home without
 * these; 3: the nearest of all of them; 5: the nearest rally point, or home without rally points.
 * 2: along the mission to its landing, or back along a mission without a landing, or home without a
 * mission; 4: as 2, but back if the way back has fewer items.
 * @param e  estimate at the begin of the return
 */
struct mf_destination mf_destination_choose(const struct mf_mission *m, const struct mf_bounds *b,
                                            const struct mf_estimate *e);

#endif
