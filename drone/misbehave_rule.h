/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Rules of protocol misbehaviour: the table of kinds, and a rule as a user requests it.
 * docs/misbehaviour.md explains each kind, misbehave.h carries rules out, host/spec/misbehavespec.h
 * reads and prints them.
 */
#ifndef MF_DRONE_MISBEHAVE_RULE_H
#define MF_DRONE_MISBEHAVE_RULE_H

#include "hal/types.h"

/** Longest name that a rule may select, a parameter's, with its NUL. */
#define MF_RULE_NAME_MAX 17u

/* Selectors in parentheses: the word in docs and messages. Without a selector a rule is for all;
 * THE_MESSAGE is mandatory. */
/* clang-format off */
#define MF_RULE_SELECTOR_LIST(X)         \
    X(NONE,        "")                   \
    X(COMMAND,     "COMMAND")            \
    X(MESSAGE,     "MESSAGE")            \
    X(THE_MESSAGE, "MESSAGE")            \
    X(PLAN,        "PLAN")               \
    X(PARAM,       "PARAMETER")          \
    X(OPERATION,   "OPERATION")

/* Values after '=': the word, lowest, highest. */
#define MF_RULE_VALUE_LIST(X)            \
    X(NONE,  "",      0, 0)              \
    X(ITEM,  "ITEM",  0, 65535)          \
    X(DELAY, "DELAY", 0, 3600)           \
    X(CODE,  "ERROR", 1, 10)

/**
 * All kinds of rules: name, spelling, selector, value, its default, default number of times that it
 * fires (0: always), effect.
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
      "is taken; none of them has an effect") \
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
      "the drone's MISSION_ACK is lost; the acknowledged change is done") \
    X(PARAM_MISSING, "param_missing", PARAM, NONE, 0, 0, \
      "no PARAM_VALUE, neither in the list nor alone; PARAM_REQUEST_READ and PARAM_SET get PARAM_ERROR " \
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

/** Rule as a user requests it. */
struct mf_rule {
    enum mf_rule_kind kind;
    bool selected; /**< only for the id, or name */
    uint32_t id;   /**< MAV_CMD, message, MAV_MISSION_TYPE, opcode; index of a parameter */
    char name[MF_RULE_NAME_MAX]; /**< name of a parameter */
    uint32_t value;              /**< item, error */
    mf_us_t delay_us;            /**< wall time */
    uint32_t times;              /**< 0: always */
    mf_us_t from_us;             /**< vehicle time */
    mf_us_t for_us;              /**< MF_NEVER: without end */
};

/** Row of the table. */
struct mf_rule_info {
    const char *name;
    enum mf_rule_selector selector;
    enum mf_rule_value value;
    uint32_t by_default; /**< default value; of a delay in s */
    uint32_t times;
    const char *effect;
};

/** @brief Row of a kind. @return static */
const struct mf_rule_info *mf_rule_info(enum mf_rule_kind kind);

#endif
