/* SPDX-License-Identifier: Apache-2.0 */
/** Where a return goes: home, or the rally point that is nearer. Source: PX4 rtl.cpp, RTL_TYPE. */
#ifndef MF_FIRMWARE_DESTINATION_H
#define MF_FIRMWARE_DESTINATION_H

#include "hal/types.h"

struct mf_vehicle;

struct mf_destination {
    double lat_deg;
    double lon_deg;
    double alt_amsl_m; /**< of the place: what the altitudes of a return are above */
    bool rally;        /**< a rally point, not home */
};

/**
 * @brief Where a return that begins now goes. RTL_TYPE 0 and 3: the nearest of home and the rally
 * points; 1 and 5: the nearest rally point, home if there is none; 2 and 4: home.
 */
struct mf_destination mf_destination_choose(struct mf_vehicle *v, mf_us_t t_us);

#endif
