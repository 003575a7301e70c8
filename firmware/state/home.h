/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/flight/home.h, without functions. */
#ifndef MF_FIRMWARE_STATE_HOME_H
#define MF_FIRMWARE_STATE_HOME_H

#include "hal/types.h"

/** The place to return to. */
struct mf_home {
    bool valid;
    bool hidden; /**< by a fault, as long as it lasts: then it is not valid */
    bool manual; /**< set by DO_SET_HOME: arming does not move it */
    float yaw_rad;
    double lat_deg;
    double lon_deg;
    double alt_amsl_m;
    double takeoff_amsl_m; /**< zero of the relative altitude */
    mf_us_t set_us;
};

#endif
