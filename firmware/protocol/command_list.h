/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Table of commands and their handlers: command_fly.c for those that move the vehicle or change its
 * mode, command_ask.c for requests of messages, and for commands to a vehicle on the ground. Each
 * handler is small: it converts floats to the command's values, refuses invalid ones, and calls one
 * module. That module decides whether the vehicle may do it, so that a command, the shell and the
 * control API get the same answer.
 *
 * Parameters are floats of any bits. NaN means an unset value in the commands for which MAVLink
 * says so; comparisons are written so that NaN fails them. Texts are PX4's, if PX4 has one, because
 * clients search for them.
 */
#ifndef MF_FIRMWARE_COMMAND_LIST_H
#define MF_FIRMWARE_COMMAND_LIST_H

#include "firmware/state/command.h"
#include "hal/types.h"

struct mf_vehicle;

/** Command, who serves it, whether it names a place: a COMMAND_INT must then have a frame that
 * gives one. */
/* clang-format off */
#define COMMAND_LIST(X)                                         \
    X(NAV_LOITER_UNLIM, loiter, false)                          \
    X(NAV_RETURN_TO_LAUNCH, return_to_launch, false)            \
    X(NAV_LAND, land, false)                                    \
    X(NAV_TAKEOFF, take_off, true)                              \
    X(DO_SET_MODE, set_mode, false)                             \
    X(DO_CHANGE_SPEED, change_speed, false)                     \
    X(DO_SET_HOME, set_home, true)                              \
    X(DO_FLIGHTTERMINATION, terminate, false)                   \
    X(DO_ORBIT, orbit, true)                                    \
    X(DO_CHANGE_ALTITUDE, change_altitude, false)               \
    X(DO_REPOSITION, reposition, true)                          \
    X(NAV_ROI, set_roi, false)                                  \
    X(DO_SET_ROI, set_roi, false)                               \
    X(DO_SET_ROI_LOCATION, set_roi, true)                       \
    X(DO_SET_ROI_WPNEXT_OFFSET, set_roi, false)                 \
    X(DO_SET_ROI_NONE, set_roi, false)                          \
    X(PREFLIGHT_CALIBRATION, calibrate, false)                  \
    X(PREFLIGHT_STORAGE, storage, false)                        \
    X(PREFLIGHT_REBOOT_SHUTDOWN, reboot_shutdown, false)        \
    X(DO_SET_STANDARD_MODE, set_standard_mode, false)           \
    X(MISSION_START, mission_start, false)                      \
    X(COMPONENT_ARM_DISARM, arm_disarm, false)                  \
    X(RUN_PREARM_CHECKS, run_prearm_checks, false)              \
    X(GET_HOME_POSITION, request_old, false)                    \
    X(INJECT_FAILURE, inject_failure, false)                    \
    X(GET_MESSAGE_INTERVAL, get_message_interval, false)        \
    X(SET_MESSAGE_INTERVAL, set_message_interval, false)        \
    X(REQUEST_MESSAGE, request_message, false)                  \
    X(REQUEST_PROTOCOL_VERSION, request_old, false)             \
    X(REQUEST_AUTOPILOT_CAPABILITIES, request_old, false)       \
    X(REQUEST_STORAGE_INFORMATION, request_old, false)          \
    X(REQUEST_FLIGHT_INFORMATION, request_old, false)           \
    X(USER_1, barrier, false)
/* clang-format on */

/** @brief Each handler of the table.
 * @return MF_E_OK, or the error whose MAV_RESULT is the answer */
#define X(name, handler, place) \
    int mf_command_##handler(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us);
COMMAND_LIST(X)
#undef X

/** @brief Change the mode by a HEARTBEAT's fields.
 * @param base  MAV_MODE_FLAG bits; without CUSTOM_MODE_ENABLED they choose the mode
 * @param main, sub  PX4's custom mode; negative: no such number
 * @return MF_E_OK; MF_E_DENIED: no such mode; what the commander says */
int mf_command_change_mode(struct mf_vehicle *v, uint8_t base, int32_t main, int32_t sub,
                           mf_us_t now_us);

#endif
