/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Protocol misbehaviour as users write it: "command_denied(takeoff)",
 * "param_lost(COM_RC_IN_MODE)*2", "mission_upload_refused=3@30s+1min", several with commas.
 *
 * docs/misbehaviour.md explains each rule; drone/misbehave.h carries them out.
 */
#ifndef MF_HOST_SPEC_MISBEHAVESPEC_H
#define MF_HOST_SPEC_MISBEHAVESPEC_H

#include "drone/misbehave_rule.h"

/** Longest reason for refusing a specification, with its NUL. */
#define MF_RULE_REASON_MAX 256u
/** Longest specification, with its NUL. */
#define MF_RULE_SPEC_MAX 192u
/** Greatest number of times, latest time [s], longest delay [s]. */
#define MF_RULE_TIMES_MAX   1000000u
#define MF_RULE_TIME_MAX_S  1e9
#define MF_RULE_DELAY_MAX_S 3600.0

/* clang-format off */
/** Commands by name: MAV_CMD, and the short name for users. */
#define MF_RULE_COMMAND_LIST(X) \
    X(NAV_TAKEOFF, "takeoff") X(NAV_LAND, "land") X(NAV_RETURN_TO_LAUNCH, "rtl") \
    X(NAV_LOITER_UNLIM, "loiter") X(COMPONENT_ARM_DISARM, "arm") X(DO_SET_MODE, "set_mode") \
    X(DO_SET_STANDARD_MODE, "set_standard_mode") X(MISSION_START, "start") \
    X(DO_REPOSITION, "reposition") X(DO_ORBIT, "orbit") X(DO_CHANGE_SPEED, "change_speed") \
    X(DO_CHANGE_ALTITUDE, "change_altitude") X(DO_SET_HOME, "set_home") \
    X(DO_FLIGHTTERMINATION, "terminate") X(NAV_ROI, "roi") X(DO_SET_ROI, "set_roi") \
    X(DO_SET_ROI_LOCATION, "set_roi_location") X(DO_SET_ROI_NONE, "set_roi_none") \
    X(PREFLIGHT_CALIBRATION, "calibrate") X(PREFLIGHT_STORAGE, "storage") \
    X(PREFLIGHT_REBOOT_SHUTDOWN, "reboot") X(RUN_PREARM_CHECKS, "prearm_checks") \
    X(INJECT_FAILURE, "inject") X(REQUEST_MESSAGE, "request") \
    X(SET_MESSAGE_INTERVAL, "set_interval") X(GET_MESSAGE_INTERVAL, "get_interval") \
    X(GET_HOME_POSITION, "get_home") X(REQUEST_PROTOCOL_VERSION, "version") \
    X(REQUEST_AUTOPILOT_CAPABILITIES, "capabilities") \
    X(REQUEST_STORAGE_INFORMATION, "storage_information") \
    X(REQUEST_FLIGHT_INFORMATION, "flight_information")

/** Plans by name: MAV_MISSION_TYPE. */
#define MF_RULE_PLAN_LIST(X) X(0, "mission") X(1, "fence") X(2, "rally")

/** Operations of MAVLink FTP by name: its opcodes. */
#define MF_RULE_OPERATION_LIST(X) \
    X(1, "terminate") X(2, "reset") X(3, "list") X(4, "open") X(5, "read") X(6, "create") \
    X(7, "write") X(8, "remove") X(9, "make_directory") X(10, "remove_directory") \
    X(11, "open_for_writing") X(12, "truncate") X(13, "rename") X(14, "checksum") X(15, "burst_read") \
    X(16, "list_with_times")
/* clang-format on */

/** @brief Kind of a name. @return enum mf_rule_kind, or MF_E_NOENT */
int mf_rule_find(const char *name);

/**
 * @brief Read one specification: NAME[(SELECTOR)][=VALUE][*TIMES][@TIME][+DURATION].
 *
 * SELECTOR is a number, or a name: of a MAV_CMD (with or without MAV_CMD_, or its short name), a
 * message, a plan, a parameter, an operation of FTP. A time is a number in seconds, or with one of
 * the units us, ms, s, m, min, h. Spaces are not allowed; case is ignored, except in names of
 * parameters.
 * @param text  [n], need not be terminated
 * @param reason  out on error: one line with the allowed values [MF_RULE_REASON_MAX]
 * @return MF_E_OK or MF_E_RANGE
 */
int mf_rule_spec_parse(const char *text, size_t n, struct mf_rule *rule, char *reason);

/** @brief Write a rule as a specification, with its defaults. @param text  out
 * [MF_RULE_SPEC_MAX] */
void mf_rule_spec_print(const struct mf_rule *rule, char *text);

/** @brief Write the form of a kind, for documents: "(COMMAND)=DELAY".  @param text  out [size] */
void mf_rule_takes(enum mf_rule_kind kind, char *text, size_t size);

#endif
