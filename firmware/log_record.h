/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Records of the flight log, as ULog has them. A text and a new parameter go into an open log at
 * once, from wherever they come; the logger, far above, opens and ends it and puts the topics.
 */
#ifndef MF_FIRMWARE_LOG_RECORD_H
#define MF_FIRMWARE_LOG_RECORD_H

#include "firmware/param.h"
#include "hal/log.h"

struct mf_vehicle;

struct mf_logger {
    bool open;       /**< a log is being written */
    bool tried;      /**< since arming: there is no archive, or it takes no log */
    mf_us_t all_us;  /**< vehicle time from which the slow topics are due */
    mf_us_t last_us; /**< vehicle time of the last samples */
};

/** What a record is: its type byte. */
enum mf_log_type {
    MF_LOG_TYPE_FLAGS = 'B',
    MF_LOG_TYPE_FORMAT = 'F',
    MF_LOG_TYPE_INFO = 'I',
    MF_LOG_TYPE_PARAM = 'P',
    MF_LOG_TYPE_ADD = 'A',
    MF_LOG_TYPE_DATA = 'D',
    MF_LOG_TYPE_TEXT = 'L'
};

/** Largest record: the format of a topic [bytes]. */
#define MF_LOG_RECORD_MAX 640u

/** One message of a log, little-endian, as it grows. */
struct mf_log_record {
    size_t n;
    uint8_t bytes[MF_LOG_RECORD_MAX];
};

void mf_log_u8(struct mf_log_record *r, uint8_t value);
void mf_log_bool(struct mf_log_record *r, bool value);
void mf_log_u16(struct mf_log_record *r, uint16_t value);
void mf_log_u32(struct mf_log_record *r, uint32_t value);
void mf_log_u64(struct mf_log_record *r, uint64_t value);
void mf_log_f32(struct mf_log_record *r, float value);
void mf_log_f64(struct mf_log_record *r, double value);
/** @brief Characters without their NUL. */
void mf_log_chars(struct mf_log_record *r, const char *s);

/** @brief A record of @p type without content. */
struct mf_log_record mf_log_begin(enum mf_log_type type);

/** @brief Hand a whole record to the archive. */
void mf_log_append(struct mf_vehicle *v, struct mf_log_record *r);

/** @brief A record of a key and 32 bits, handed to the archive. */
void mf_log_keyed(struct mf_vehicle *v, enum mf_log_type type, const char *key, uint32_t bits);

/** @brief A parameter has a new value. */
void mf_log_param(struct mf_vehicle *v, enum mf_param param);

/** @brief A text for people, at the present instant. */
void mf_log_text(struct mf_vehicle *v, enum mf_severity severity, const char *text);

/** @brief Something changed that a log shows: the logger writes all topics, at @p now_us. */
void mf_log_wake(struct mf_vehicle *v, mf_us_t now_us);

#endif
