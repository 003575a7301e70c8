/* SPDX-License-Identifier: Apache-2.0 */
/** What firmware/core/log_record.h works on: data only. */
#ifndef MF_FIRMWARE_STATE_LOG_RECORD_H
#define MF_FIRMWARE_STATE_LOG_RECORD_H

#include "firmware/state/limits.h"
#include "firmware/state/param.h"
#include "hal/log.h"

/** The log of the present flight. The logger opens and ends it; records come from below, too. */
struct mf_logger {
    bool open;       /**< a log is being written */
    bool tried;      /**< since arming: there is no archive, or it takes no log */
    bool all;        /**< something changed: the slow topics are due, too */
    mf_us_t last_us; /**< vehicle time of the last samples */
};

/** What a record is: its type byte in ULog. */
enum mf_log_type {
    MF_LOG_TYPE_FLAGS = 'B',  /**< what a reader must know to read on; the first message */
    MF_LOG_TYPE_FORMAT = 'F', /**< the fields of a topic */
    MF_LOG_TYPE_INFO = 'I',   /**< a key and its value: versions, names */
    MF_LOG_TYPE_PARAM = 'P',  /**< a parameter, at the beginning or as it changes */
    MF_LOG_TYPE_ADD = 'A',    /**< a topic gets its number; definitions end with the first one */
    MF_LOG_TYPE_DATA = 'D',   /**< a sample of a topic */
    MF_LOG_TYPE_TEXT = 'L'    /**< a text for people */
};

/** One message of a log, little-endian, as it grows. */
struct mf_log_record {
    size_t n; /**< bytes so far */
    uint8_t bytes[MF_LOG_RECORD_MAX];
};

#endif
