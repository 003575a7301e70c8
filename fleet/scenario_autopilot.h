/* SPDX-License-Identifier: Apache-2.0 */
/** Settings and keys of the autopilot that controls the motors of a member of kind BODY
 * (docs/foreign-autopilots.md). */
#ifndef MF_FLEET_SCENARIO_AUTOPILOT_H
#define MF_FLEET_SCENARIO_AUTOPILOT_H

#include "fleet/scenario_check.h"

#define MF_SCENARIO_SOCKET_MAX 100u /**< bytes of a local socket's path, with its NUL */
#define MF_SCENARIO_JSON_EACH  10u  /**< ports between two members' ports, as ArduPilot has it */

#define MF_SCENARIO_EXPECT_ALL UINT32_MAX

struct mf_scenario_autopilot {
    int line;
    uint32_t json_port; /**< UDP port of the first member; 0: not by ArduPilot's JSON */
    char ac[MF_SCENARIO_SOCKET_MAX]; /**< local socket of gzuav's autopilots; "": not by ticks */
    char plugin[MF_SCENARIO_SOCKET_MAX]; /**< local socket of Gazebo's plugins, which simulate the
                                            bodies; "": Mayfly does */
    uint32_t expect; /**< number of the entity's members that time 0 waits for */
    double rate_hz;  /**< AC without plugin: ticks per second */
    double yaw_deg, mass_kg;
    double gusts_mps, gust_time_s; /**< in addition to the weather's wind */
    double gyro_rps, accel_mps2;   /**< standard deviation of the sensors' noise */
    double patience_s; /**< wall time to wait for a silent autopilot; 0: without limit */
    int32_t silent;    /**< enum mf_scenario_silent */
};

extern const struct mf_keys mf_scenario_autopilot_keys;

/** @brief Set the values that the file need not give. */
void mf_scenario_autopilot_defaults(struct mf_scenario_autopilot *a);

/** Check that each body has one autopilot outside, and that no other member has one. */
mf_entity_check mf_scenario_autopilot_check;

#endif
