/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Protocol misbehaviour as users write it: "command_denied(takeoff)", "param_lost(COM_RC_IN_MODE)*2",
 * "mission_upload_refused=3@30s+1min", several with commas.
 *
 * docs/misbehaviour.md says what each rule does; host/mischief.h does it.
 */
#ifndef MF_HOST_RULESPEC_H
#define MF_HOST_RULESPEC_H

#include "hal/types.h"

/** Why a specification was refused, with its NUL. */
#define MF_RULE_REASON_MAX 256u
/** Longest specification, with its NUL. */
#define MF_RULE_SPEC_MAX 192u
/** Name that a rule may select, with its NUL: a parameter's. */
#define MF_RULE_NAME_MAX 17u
/** Most times, latest time [s], longest delay [s]. */
#define MF_RULE_TIMES_MAX   1000000u
#define MF_RULE_TIME_MAX_S  1e9
#define MF_RULE_DELAY_MAX_S 3600.0

/* What may stand in parentheses: how docs and messages call it. Without it a rule is for all; THE_MESSAGE
 * must be there. */
/* clang-format off */
#define MF_RULE_SELECTOR_LIST(X)         \
    X(NONE,        "")                   \
    X(COMMAND,     "COMMAND")            \
    X(MESSAGE,     "MESSAGE")            \
    X(THE_MESSAGE, "MESSAGE")            \
    X(PLAN,        "PLAN")               \
    X(PARAM,       "PARAMETER")          \
    X(OPERATION,   "OPERATION")

/* What may stand behind '=': how it is called, lowest, highest. */
#define MF_RULE_VALUE_LIST(X)            \
    X(NONE,  "",      0, 0)              \
    X(ITEM,  "ITEM",  0, 65535)          \
    X(DELAY, "DELAY", 0, 3600)           \
    X(CODE,  "ERROR", 1, 10)

/**
 * Every rule there is: name, spelling, selector, value, its default, how often it fires unless that is
 * said (0: always), what it does.
 */
#define MF_RULE_LIST(X) \
    X(COMMAND_DENIED, "command_denied", COMMAND, NONE, 0, 0, \
      "not executed; COMMAND_ACK DENIED") \
    X(COMMAND_REJECTED, "command_rejected", COMMAND, NONE, 0, 0, \
      "not executed; COMMAND_ACK TEMPORARILY_REJECTED") \
    X(COMMAND_UNSUPPORTED, "command_unsupported", COMMAND, NONE, 0, 0, \
      "not executed; COMMAND_ACK UNSUPPORTED") \
    X(COMMAND_FAILED, "command_failed", COMMAND, NONE, 0, 0, \
      "not executed; COMMAND_ACK FAILED") \
    X(COMMAND_STALLED, "command_stalled", COMMAND, NONE, 0, 0, \
      "not executed; COMMAND_ACK IN_PROGRESS, and no other ever") \
    X(COMMAND_IGNORED, "command_ignored", COMMAND, NONE, 0, 0, \
      "not executed; no COMMAND_ACK") \
    X(COMMAND_UNACKNOWLEDGED, "command_unacknowledged", COMMAND, NONE, 0, 0, \
      "executed; no COMMAND_ACK") \
    X(COMMAND_LATE, "command_late", COMMAND, DELAY, 3, 0, \
      "executed at once; COMMAND_ACK comes DELAY later") \
    X(REQUEST_UNANSWERED, "request_unanswered", MESSAGE, NONE, 0, 0, \
      "REQUEST_MESSAGE, SET_MESSAGE_INTERVAL and the older requests are ACCEPTED, REQUEST_DATA_STREAM " \
      "is taken; nothing comes of them") \
    X(MESSAGE_SILENCE, "message_silence", THE_MESSAGE, NONE, 0, 0, \
      "the message never leaves the drone, streamed or requested") \
    X(UPLOAD_LOST, "mission_upload_lost", PLAN, ITEM, 0, 1, \
      "the drone's MISSION_REQUEST_INT for ITEM is lost; it asks again after 0.25 s") \
    X(UPLOAD_REPEATED, "mission_upload_repeated", PLAN, ITEM, 0, 1, \
      "the drone asks for ITEM twice") \
    X(UPLOAD_REORDERED, "mission_upload_reordered", PLAN, ITEM, 0, 1, \
      "the drone asks for the item behind ITEM first, then for ITEM") \
    X(UPLOAD_TIMEOUT, "mission_upload_timeout", PLAN, ITEM, 0, 0, \
      "the drone does not ask for ITEM and falls silent; its plan stays the old one") \
    X(UPLOAD_REFUSED, "mission_upload_refused", PLAN, ITEM, 0, 0, \
      "ITEM is answered with MISSION_ACK ERROR; the drone's plan stays the old one") \
    X(DOWNLOAD_LOST, "mission_download_lost", PLAN, ITEM, 0, 1, \
      "the drone's MISSION_ITEM_INT of ITEM is lost") \
    X(DOWNLOAD_REPEATED, "mission_download_repeated", PLAN, ITEM, 0, 1, \
      "the drone sends ITEM twice") \
    X(DOWNLOAD_REORDERED, "mission_download_reordered", PLAN, ITEM, 0, 1, \
      "the drone sends the item behind ITEM first, then ITEM; not if ITEM is the last one") \
    X(DOWNLOAD_TIMEOUT, "mission_download_timeout", PLAN, ITEM, 0, 0, \
      "the drone does not send ITEM and falls silent") \
    X(DOWNLOAD_REFUSED, "mission_download_refused", PLAN, ITEM, 0, 0, \
      "the request for ITEM is answered with MISSION_ACK ERROR") \
    X(MISSION_ACK_LOST, "mission_ack_lost", PLAN, NONE, 0, 1, \
      "the drone's MISSION_ACK is lost; what it acknowledges is done") \
    X(PARAM_MISSING, "param_missing", PARAM, NONE, 0, 0, \
      "no PARAM_VALUE, neither in the list nor for itself; who asks for it or sets it gets PARAM_ERROR " \
      "DOES_NOT_EXIST") \
    X(PARAM_WRONG_TYPE, "param_wrong_type", PARAM, NONE, 0, 0, \
      "PARAM_VALUE has the other type, REAL32 or INT32, and the value in that type") \
    X(PARAM_LOST, "param_lost", PARAM, NONE, 0, 1, \
      "PARAM_VALUE is lost, in the list or as an answer") \
    X(PARAM_REFUSED, "param_refused", PARAM, NONE, 0, 0, \
      "PARAM_SET changes nothing; PARAM_VALUE has the old value") \
    X(FTP_ERROR, "ftp_error", OPERATION, CODE, 1, 0, \
      "not done; NAK with ERROR (1 Fail, 2 FailErrno, 3 InvalidDataSize, 4 InvalidSession, " \
      "5 NoSessionsAvailable, 6 EOF, 7 UnknownCommand, 8 FileExists, 9 FileProtected, 10 FileNotFound)") \
    X(FTP_LOST, "ftp_lost", OPERATION, NONE, 0, 1, \
      "the drone's answer is lost") \
    X(FTP_IGNORED, "ftp_ignored", OPERATION, NONE, 0, 0, \
      "not done, no answer")

/** Commands by name beside their MAV_CMD: what MAVLink calls them, and what users may say for short. */
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

enum mf_rule_kind {
#define X(name, ...) MF_RULE_##name,
    MF_RULE_LIST(X)
#undef X
        MF_RULE_COUNT
};

enum mf_rule_selector {
#define X(name, word) MF_SELECTOR_##name,
    MF_RULE_SELECTOR_LIST(X)
#undef X
};

enum mf_rule_value {
#define X(name, word, low, high) MF_VALUE_##name,
    MF_RULE_VALUE_LIST(X)
#undef X
};

/** One rule as it was asked for. */
struct mf_rule {
    enum mf_rule_kind kind;
    bool selected; /**< only for id, or name */
    uint32_t id;   /**< MAV_CMD, message, MAV_MISSION_TYPE, opcode; of a parameter its place */
    char name[MF_RULE_NAME_MAX]; /**< of a parameter */
    uint32_t value;              /**< item, error */
    mf_us_t delay_us;            /**< wall time */
    uint32_t times;              /**< 0: always */
    mf_us_t from_us;             /**< vehicle time */
    mf_us_t for_us;              /**< MF_NEVER: for ever */
};

/** What the table says of a kind. */
struct mf_rule_info {
    const char *name;
    enum mf_rule_selector selector;
    enum mf_rule_value value;
    uint32_t usual; /**< value; of a delay in s */
    uint32_t times;
    const char *effect;
};

/** @brief A row of the table. @return static */
const struct mf_rule_info *mf_rule_info(enum mf_rule_kind kind);

/** @brief The kind of a name. @return enum mf_rule_kind, or MF_E_NOENT */
int mf_rule_find(const char *name);

/**
 * @brief Read one specification: NAME[(SELECTOR)][=VALUE][*TIMES][@TIME][+DURATION].
 *
 * SELECTOR is a number, or a name: of a MAV_CMD (with or without MAV_CMD_, or for short), a message, a
 * plan, a parameter, an operation of FTP. A time is a number in seconds, or with one of the units us,
 * ms, s, m, min, h. Spaces are not allowed; capitals do not count, but in names of parameters.
 * @param text    [n], need not be terminated
 * @param reason  out on error: one line that says what is allowed [MF_RULE_REASON_MAX]
 * @return MF_E_OK or MF_E_RANGE
 */
int mf_rule_spec_parse(const char *text, size_t n, struct mf_rule *rule, char *reason);

/** @brief The same back, with what was left out. @param text  out [MF_RULE_SPEC_MAX] */
void mf_rule_spec_print(const struct mf_rule *rule, char *text);

/** @brief What a kind takes, as documents write it: "(COMMAND)=DELAY".  @param text  out [size] */
void mf_rule_takes(enum mf_rule_kind kind, char *text, size_t size);

#endif
