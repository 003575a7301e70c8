/* SPDX-License-Identifier: Apache-2.0 */
/** Where a return goes, and by which way. Source: PX4 rtl.cpp, RTL_TYPE. */
#ifndef MF_FIRMWARE_DESTINATION_H
#define MF_FIRMWARE_DESTINATION_H

#include "hal/types.h"

struct mf_vehicle;

/** How a return gets there. */
enum mf_way_back {
    MF_BACK_DIRECT,  /**< straight there, and down */
    MF_BACK_LANDING, /**< straight to where the mission's landing begins, and along it */
    MF_BACK_FORWARD, /**< along the rest of the mission, to its landing */
    MF_BACK_REVERSE, /**< back along the mission, and home */
};

struct mf_destination {
    double lat_deg;
    double lon_deg;
    double alt_amsl_m; /**< of the place: what the altitudes of a return are above */
    bool rally;        /**< a rally point, not home */
    uint8_t way;       /**< enum mf_way_back */
};

/**
 * @brief Where a return that begins now goes. RTL_TYPE 0: the nearest of home and the rally points;
 * 1: the nearest of the mission's landing and the rally points, home if there is neither; 3: the
 * nearest of all of them; 5: the nearest rally point, home if there is none. 2: along the mission to
 * its landing, back along a mission that has none, home without a mission; 4: the same, but back
 * if that way has fewer items.
 */
struct mf_destination mf_destination_choose(struct mf_vehicle *v, mf_us_t t_us);

#endif
