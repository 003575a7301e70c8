/* SPDX-License-Identifier: Apache-2.0 */
/** What a board shows of a vehicle beside MAVLink: taken at the present vehicle time, changing
 * nothing. */
#ifndef MF_FIRMWARE_SNAPSHOT_H
#define MF_FIRMWARE_SNAPSHOT_H

#include "firmware/vehicle.h"

struct mf_snapshot {
    mf_us_t vehicle_us; /**< of the last pass */
    struct mf_now now;
    enum mf_mode mode;
    enum mf_landed landed;
    bool armed;
    bool failsafe;      /**< a failsafe, not a user, chose the mode */
    const char *denial; /**< why it may not be armed, "" if it may; static */
    bool body;          /**< there is one, and truth is where it is */
    struct mf_pose truth;
    struct mf_estimate estimate;
    double relative_m;  /**< the estimate's altitude above the take-off point; 0 without home */
    double ellipsoid_m; /**< the estimate's altitude above WGS84; with a fix only */
    bool has_battery;
    struct mf_battery battery;
    uint8_t charge; /**< MAV_BATTERY_CHARGE_STATE */
    struct mf_home home;
    struct mf_health health;
    uint8_t mission_state; /**< MISSION_STATE */
    uint16_t mission_count, mission_current;
    int32_t mission_reached; /**< -1: none */
};

/** @brief Take one. The vehicle, its devices and its next pass do not notice. */
void mf_snapshot_take(struct mf_vehicle *v, struct mf_snapshot *s);

#endif
