/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/flight/estimate.h, without functions. */
#ifndef MF_FIRMWARE_STATE_ESTIMATE_H
#define MF_FIRMWARE_STATE_ESTIMATE_H

#include "hal/airframe.h"
#include "hal/gnss.h"
#include "math/geodesic.h"

struct mf_estimate {
    mf_us_t t_us;     /**< vehicle time it holds for; -1: none yet */
    bool position;    /**< pose.lat_deg, lon_deg and the local position are good */
    mf_us_t coast_us; /**< so long position outlasts the fix, EKF2_NOAID_TOUT */
    mf_us_t lost_us;  /**< time of the loss of the fix; MF_NEVER: the receiver has one */
    float h_acc_m;    /**< accuracy of position when the fix was lost */
    float v_acc_m;
    bool charted; /**< true: a model of the geoid covers this place, or the vehicle lacks any model
                   */
    struct mf_pose pose;        /**< as believed */
    struct mf_fix fix;          /**< as received */
    double correction_ned_m[3]; /**< with which pose was made of the airframe's */
    double undulation_m;        /**< of the geoid above the ellipsoid, at pose */
};

/** The place that the local frame is about. */
struct mf_origin {
    struct mf_geo place;
    double amsl_m;
    bool valid; /**< since the first fix, or since a client set it */
};

#endif
