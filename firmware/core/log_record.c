/* SPDX-License-Identifier: Apache-2.0 */
/* Source: ULog file format, version 1: a message is its length without these three bytes, its type,
 * and its content, all little-endian. */
#include "firmware/core/log_record.h"

#include "firmware/core/param.h"
#include "firmware/core/tasks.h"
#include "firmware/core/text.h"
#include "firmware/core/units.h"
#include "firmware/state/vehicle.h"

#include <string.h>

#define TEXT_LEVEL_0 ((unsigned)'0') /* the levels of texts are digits: those of syslog */
#define LENGTH_BYTES 3u /* a message's own length and type, which its length leaves out */

static void put_le(struct mf_log_record *r, uint64_t value, size_t n)
{
    MF_ASSERT(r->n + n <= sizeof r->bytes);
    for (size_t i = 0; i < n; i++) {
        r->bytes[r->n++] = (uint8_t)(value >> 8 * i);
    }
}

void mf_log_u8(struct mf_log_record *r, uint8_t value)
{
    put_le(r, value, 1);
}

void mf_log_bool(struct mf_log_record *r, bool value)
{
    put_le(r, value ? 1 : 0, 1);
}

void mf_log_u16(struct mf_log_record *r, uint16_t value)
{
    put_le(r, value, 2);
}

void mf_log_u32(struct mf_log_record *r, uint32_t value)
{
    put_le(r, value, 4);
}

void mf_log_u64(struct mf_log_record *r, uint64_t value)
{
    put_le(r, value, 8);
}

void mf_log_f32(struct mf_log_record *r, float value)
{
    /* one bit pattern for all that is not a number: processors differ in theirs, logs do not */
    put_le(r, mf_f32_bits(value == value ? value : mf_nan_f32()), 4);
}

/* A position is always a number here: what is not known is left out of a topic, or is a float. */
void mf_log_f64(struct mf_log_record *r, double value)
{
    uint64_t bits;
    MF_ASSERT(value == value);
    memcpy(&bits, &value, sizeof bits);
    put_le(r, bits, 8);
}

void mf_log_chars(struct mf_log_record *r, const char *s)
{
    const size_t n = strlen(s);
    MF_ASSERT(r->n + n <= sizeof r->bytes);
    memcpy(r->bytes + r->n, s, n);
    r->n += n;
}

struct mf_log_record mf_log_begin(enum mf_log_type type)
{
    struct mf_log_record r = {.n = 0};
    mf_log_u16(&r, 0); /* the length, when it is known */
    mf_log_u8(&r, (uint8_t)type);
    return r;
}

/* The length is known when the record is whole. */
void mf_log_append(const struct mf_hal *hal, struct mf_log_record *r)
{
    MF_ASSERT(r->n >= LENGTH_BYTES && r->n <= sizeof r->bytes);
    r->bytes[0] = (uint8_t)((r->n - LENGTH_BYTES) & 0xFFu);
    r->bytes[1] = (uint8_t)((r->n - LENGTH_BYTES) >> 8);
    mf_archive_append(hal, r->bytes, r->n);
}

/* INFO and PARAMETER look alike: the length of the key, the key with its type, the value. */
void mf_log_keyed(const struct mf_hal *hal, enum mf_log_type type, const char *key, uint32_t bits)
{
    struct mf_log_record r = mf_log_begin(type);
    MF_ASSERT(strlen(key) <= UINT8_MAX); /* all keys are constants of the firmware */
    mf_log_u8(&r, (uint8_t)strlen(key));
    mf_log_chars(&r, key);
    mf_log_u32(&r, bits);
    mf_log_append(hal, &r);
}

/* The values at its beginning stand in each log; this one is a change on the way. */
void mf_log_param(struct mf_vehicle *v, enum mf_param param)
{
    const struct mf_param_info *info = mf_param_info(param);
    if (v->logger.open) {
        struct mf_text key = mf_text(info->is_float ? "float " : "int32_t ");
        mf_text_add(&key, info->name);
        mf_log_keyed(&v->hal, MF_LOG_TYPE_PARAM, key.s, v->params.value[param]);
    }
}

void mf_log_text(struct mf_vehicle *v, enum mf_severity severity, const char *text)
{
    MF_ASSERT((unsigned)severity <= MF_DEBUG);
    if (v->logger.open) {
        struct mf_log_record r = mf_log_begin(MF_LOG_TYPE_TEXT);
        mf_log_u8(&r, (uint8_t)(TEXT_LEVEL_0 + (unsigned)severity));
        mf_log_u64(&r, (uint64_t)v->instant_us);
        mf_log_chars(&r, text);
        mf_log_append(&v->hal, &r);
    }
}

void mf_log_wake(struct mf_vehicle *v, mf_us_t now_us)
{
    v->logger.all = true;
    mf_wake_at(v, MF_TASK_LOGGER, now_us);
}
