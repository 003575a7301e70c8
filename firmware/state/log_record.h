/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/core/log_record.h, without functions. */
#ifndef MF_FIRMWARE_STATE_LOG_RECORD_H
#define MF_FIRMWARE_STATE_LOG_RECORD_H

#include "firmware/state/limits.h"
#include "firmware/state/param.h"
#include "hal/log.h"

/** The log of the present flight. The logger opens and ends it; records come from below, too. */
struct mf_logger {
    bool open;  /**< a log is being written */
    bool tried; /**< an attempt since arming failed: the archive is missing, or accepts no log */
    bool all;   /**< something changed: the slow topics are due, too */
    mf_us_t last_us; /**< vehicle time of the last samples */
};

/** Kinds of records: their type byte in ULog. */
enum mf_log_type {
    MF_LOG_TYPE_FLAGS = 'B',  /**< what a reader must know to read on; the first message */
    MF_LOG_TYPE_FORMAT = 'F', /**< the fields of a topic */
    MF_LOG_TYPE_INFO = 'I',   /**< a key and its value: versions, names */
    MF_LOG_TYPE_PARAM = 'P',  /**< a parameter, at the beginning or as it changes */
    MF_LOG_TYPE_ADD = 'A',    /**< a topic gets its number; definitions end with the first one */
    MF_LOG_TYPE_DATA = 'D',   /**< a sample of a topic */
    MF_LOG_TYPE_TEXT = 'L'    /**< a text for people */
};

/** Message of a log, little-endian, while it is being written. */
struct mf_log_record {
    size_t n; /**< bytes so far */
    uint8_t bytes[MF_LOG_RECORD_MAX];
};

#endif
