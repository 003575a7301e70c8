/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Records of the flight log in ULog's format. Any module adds texts and new parameters to an open
 * log; the logger (firmware/report/logger.h) opens and ends it, and writes the topics.
 */
#ifndef MF_FIRMWARE_LOG_RECORD_H
#define MF_FIRMWARE_LOG_RECORD_H

#include "firmware/state/log_record.h"
#include "firmware/state/param.h"
#include "hal/log.h"

struct mf_hal;
struct mf_vehicle;

/** @brief Append a value, little-endian. Asserts that the record has room: topics and keys are the
 * firmware's own, and the largest of them fits. A float that is not a number has one bit pattern; a
 * double must be one. */
void mf_log_u8(struct mf_log_record *r, uint8_t value);
void mf_log_bool(struct mf_log_record *r, bool value);
void mf_log_u16(struct mf_log_record *r, uint16_t value);
void mf_log_u32(struct mf_log_record *r, uint32_t value);
void mf_log_u64(struct mf_log_record *r, uint64_t value);
void mf_log_f32(struct mf_log_record *r, float value);
void mf_log_f64(struct mf_log_record *r, double value);
/** @brief Append characters without their NUL. */
void mf_log_chars(struct mf_log_record *r, const char *s);

/** @brief A record of @p type without content. */
struct mf_log_record mf_log_begin(enum mf_log_type type);

/** @brief Hand a whole record to the archive. */
void mf_log_append(const struct mf_hal *hal, struct mf_log_record *r);

/** @brief A record of a key and 32 bits, handed to the archive. */
void mf_log_keyed(const struct mf_hal *hal, enum mf_log_type type, const char *key, uint32_t bits);

/** @brief A parameter has a new value: goes into the log if one is open. */
void mf_log_param(struct mf_vehicle *v, enum mf_param param);

/** @brief A text for people, at the present instant: goes into the log if one is open. */
void mf_log_text(struct mf_vehicle *v, enum mf_severity severity, const char *text);

/** @brief Something changed that a log shows: the logger writes all topics, at @p now_us. */
void mf_log_wake(struct mf_vehicle *v, mf_us_t now_us);

#endif
