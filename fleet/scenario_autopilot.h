/* SPDX-License-Identifier: Apache-2.0 */
/** Who turns the motors of a member that is a body (docs/foreign-autopilots.md), and its keys. */
#ifndef MF_FLEET_SCENARIO_AUTOPILOT_H
#define MF_FLEET_SCENARIO_AUTOPILOT_H

#include "fleet/keys.h"

#define MF_SCENARIO_SOCKET_MAX 100u /**< bytes of a local socket's path, with its NUL */
#define MF_SCENARIO_JSON_EACH  10u  /**< from one member's port to the next one's, as ArduPilot's */

struct mf_scenario;
struct mf_scenario_entity;

#define MF_SCENARIO_EXPECT_ALL UINT32_MAX

struct mf_scenario_autopilot {
    int line;
    uint32_t json_port;              /**< UDP, of the first member; 0: not by ArduPilot's JSON */
    char ac[MF_SCENARIO_SOCKET_MAX]; /**< local socket of gzuav's autopilots; "": not by ticks */
    char plugin[MF_SCENARIO_SOCKET_MAX]; /**< ... of Gazebo's plugins, which are the bodies; "" */
    uint32_t expect;                     /**< so many of the entity time 0 waits for */
    double rate_hz;                      /**< AC without plugin: ticks a second */
    double yaw_deg, mass_kg;
    double gusts_mps, gust_time_s; /**< beside the weather's wind */
    double gyro_rps, accel_mps2;   /**< standard deviation of the sensors */
    double patience_s;             /**< by the wall; 0: for ever */
    int32_t silent;                /**< enum mf_scenario_silent */
};

extern const struct mf_keys mf_scenario_autopilot_keys;

/** @brief What stands where nothing is given. */
void mf_scenario_autopilot_defaults(struct mf_scenario_autopilot *a);

/** @brief What must hold between the keys of a body.
 *  @return NULL, or what is wrong: a static text with %s for the entity's name */
const char *mf_scenario_autopilot_wrong(const struct mf_scenario *s,
                                        const struct mf_scenario_entity *e);

#endif
