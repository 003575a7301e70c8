/* SPDX-License-Identifier: Apache-2.0 */
/** What firmware/flight/health.h works on: data only. */
#ifndef MF_FIRMWARE_STATE_HEALTH_H
#define MF_FIRMWARE_STATE_HEALTH_H

#include "firmware/state/param.h"
#include "hal/inject.h"
#include "hal/log.h"
#include "hal/power.h"

/** SYS_STATUS bits (MAV_SYS_STATUS_SENSOR). */
struct mf_health {
    uint32_t present;
    uint32_t enabled;
    uint32_t healthy;
};

/** What the health task saw last: it reports changes. */
struct mf_watched {
    bool had_position;
    bool uncharted;     /**< no model of the geoid covers the vehicle's place */
    bool motors_failed; /**< as the airframe says */
    uint8_t charge;     /**< MAV_BATTERY_CHARGE_STATE that was reported */
};

/** A level of charge that is worth a text. */
struct mf_charge {
    enum mf_param below;
    uint8_t state; /**< MAV_BATTERY_CHARGE_STATE */
    enum mf_severity severity;
    const char *text;
};

#endif
