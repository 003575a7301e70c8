/* SPDX-License-Identifier: Apache-2.0 */
/** Names of modes, commands, vehicles and refusals. For display only. */
#ifndef MF_TOOLS_FLY_NAMES_H
#define MF_TOOLS_FLY_NAMES_H

#include <stdint.h>

/** A short text, by value: `printf("%s", fly_mode_name(12, mode).text)`. */
struct fly_name {
    char text[40];
};

/** @brief Name of HEARTBEAT.custom_mode (PX4's, ArduPilot's copter's), else "mode NUMBER".
 *  @param autopilot  MAV_AUTOPILOT */
struct fly_name fly_mode_name(uint8_t autopilot, uint32_t custom_mode);

/** @brief Name of a mission item's command, else "command NUMBER". */
struct fly_name fly_command_name(uint16_t command);

/** @brief Name of a MAV_AUTOPILOT, e.g. "PX4". */
struct fly_name fly_autopilot_name(uint8_t autopilot);

/** @brief Name of a MAV_TYPE, e.g. "quadrotor". */
struct fly_name fly_type_name(uint8_t type);

/** @brief A MAV_RESULT in words, e.g. "temporarily rejected". */
struct fly_name fly_result_name(int result);

/** @brief A MAV_MISSION_RESULT in words, e.g. "no space". */
struct fly_name fly_mission_result_name(uint8_t result);

/** @brief A MAV_LANDED_STATE in words, e.g. "on the ground". */
struct fly_name fly_landed_name(uint8_t landed_state);

/** @brief Names of sensors of SYS_STATUS.
 *  @param bits  MAV_SYS_STATUS_SENSOR
 *  @param text  out: "GPS, battery", empty for 0 */
void fly_sensor_names(uint32_t bits, char *text, unsigned long size);

#endif
