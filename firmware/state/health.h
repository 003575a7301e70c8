/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/flight/health.h, without functions. */
#ifndef MF_FIRMWARE_STATE_HEALTH_H
#define MF_FIRMWARE_STATE_HEALTH_H

#include "firmware/state/param.h"
#include "hal/inject.h"
#include "hal/log.h"
#include "hal/power.h"

/** SYS_STATUS bits (MAV_SYS_STATUS_SENSOR). Source: PX4 SYS_STATUS.hpp; MAVSDK makes its health of
 * them. */
struct mf_health {
    uint32_t present; /**< fitted; of the receiver: its fix is used */
    uint32_t enabled; /**< present or unhealthy */
    uint32_t healthy; /**< of parts that are absent, too, as in PX4 */
};

/** Last state that the health task saw, since it reports changes. */
struct mf_watched {
    bool had_position;  /**< the estimate had one */
    bool uncharted;     /**< no model of the geoid covers the vehicle's place */
    bool motors_failed; /**< as the airframe says */
    uint8_t motor;      /**< the one that a client made fail, 1 to 4; 0: all */
    uint8_t charge;     /**< MAV_BATTERY_CHARGE_STATE that was reported */
};

/** A level of charge that is worth a text. */
struct mf_charge {
    enum mf_param below;       /**< threshold, 0 .. 1 of the charge */
    uint8_t state;             /**< MAV_BATTERY_CHARGE_STATE */
    enum mf_severity severity; /**< of the text, PX4's */
    const char *text;          /**< static */
};

#endif
