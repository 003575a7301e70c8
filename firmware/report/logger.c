/* SPDX-License-Identifier: Apache-2.0 */
/* Source: ULog file format, version 1; topics of PX4 1.17 (msg/).
 *
 * A file is formats, parameters and subscriptions first, then data: a reader that begins at the
 * start knows all that it needs. Records go to the archive whole, which buffers them: the logger
 * waits for no medium, and a medium that is full costs records, not the flight.
 *
 * Readers (pyulog, PlotJuggler, Flight Review) look topics up by name and choose what to draw by
 * sys_name, so names and fields are PX4's, and so is the order of types within a topic, by which
 * nothing is padded. */
#include "firmware/report/logger.h"

#include "firmware/core/log_record.h"
#include "firmware/core/param.h"
#include "firmware/core/text.h"
#include "firmware/flight/estimate.h"
#include "firmware/report/log_topics.h"
#include "firmware/state/limits.h"
#include "firmware/state/log_topics.h"
#include "firmware/state/vehicle.h"
#include "firmware/state/version.h"

#include <string.h>

/* PX4 logs attitude at up to 1 kHz; a body that moves in closed form has nothing in between that 10
 * Hz would miss. */
#define FAST_US (100 * MF_MS_US)
#define SLOW_US MF_SECOND_US
/* ULog: magic and version, and the sizes of what comes first [bytes]. */
#define ULOG_VERSION 1
#define HEADER_BYTES 16u
#define FLAGS_BYTES  40u

/* ---- records */

/* Readers take the length of a text out of its type: "char[6] sys_name". */
static void put_info(const struct mf_hal *hal, const char *key, const char *text)
{
    struct mf_log_record r = mf_log_begin(MF_LOG_TYPE_INFO);
    struct mf_text whole = mf_text("char[");
    mf_text_add_int(&whole, (int64_t)strlen(text));
    mf_text_add(&whole, "] ");
    mf_text_add(&whole, key);
    MF_ASSERT(whole.len <= UINT8_MAX);
    mf_log_u8(&r, (uint8_t)whole.len);
    mf_log_chars(&r, whole.s);
    mf_log_chars(&r, text);
    mf_log_append(hal, &r);
}

/* ---- the beginning of a file */

/* The time in the header is that of arming, from which readers count. */
static void put_header(const struct mf_hal *hal, mf_us_t t_us)
{
    static const uint8_t k_magic[] = {'U', 'L', 'o', 'g', 0x01, 0x12, 0x35, ULOG_VERSION};
    struct mf_log_record r = {.n = 0};
    for (size_t i = 0; i < sizeof k_magic; i++) {
        mf_log_u8(&r, k_magic[i]);
    }
    mf_log_u64(&r, (uint64_t)t_us);
    MF_ASSERT(r.n == HEADER_BYTES);
    mf_archive_append(hal, r.bytes, r.n);
    r = mf_log_begin(MF_LOG_TYPE_FLAGS); /* none is set, nothing is appended */
    for (size_t i = 0; i < FLAGS_BYTES; i++) {
        mf_log_u8(&r, 0);
    }
    mf_log_append(hal, &r);
}

/* Write the formats of all topics, whether they are logged or not: subscriptions refer to them by
 * number. */
static void put_formats(const struct mf_hal *hal)
{
    for (size_t i = 0; i < MF_LOG_TOPIC_COUNT; i++) {
        struct mf_log_record r = mf_log_begin(MF_LOG_TYPE_FORMAT);
        mf_log_chars(&r, mf_log_topic((enum mf_log_topic)i)->name);
        mf_log_chars(&r, ":");
        mf_log_chars(&r, mf_log_topic((enum mf_log_topic)i)->fields);
        mf_log_append(hal, &r);
    }
}

/* PX4's names, so that a reader takes the log for one of PX4's; ver_hw says what made it. */
static void put_infos(const struct mf_hal *hal, uint64_t unique)
{
    static const char k_hex[] = "0123456789abcdef";
    char uid[2 * sizeof unique + 1u] = {0};
    for (size_t i = 0; i < 2 * sizeof unique; i++) {
        uid[i] = k_hex[unique >> (60 - 4 * i) & 15u];
    }
    put_info(hal, "sys_name", "PX4");
    put_info(hal, "ver_hw", "MAYFLY");
    put_info(hal, "sys_uuid", uid);
    mf_log_keyed(hal, MF_LOG_TYPE_INFO, "uint32_t ver_sw_release", MF_PX4_RELEASE);
    mf_log_keyed(hal, MF_LOG_TYPE_INFO, "uint32_t ver_data_format", 1);
    mf_log_keyed(hal, MF_LOG_TYPE_INFO, "int32_t time_ref_utc", 0);
}

/* Definitions end with the first subscription: whatever comes behind it is data. */
static void put_subscriptions(const struct mf_hal *hal)
{
    for (size_t i = 0; i < MF_LOG_TOPIC_COUNT; i++) {
        struct mf_log_record r = mf_log_begin(MF_LOG_TYPE_ADD);
        mf_log_u8(&r, 0); /* the first instance */
        mf_log_u16(&r, (uint16_t)i);
        mf_log_chars(&r, mf_log_topic((enum mf_log_topic)i)->name);
        mf_log_append(hal, &r);
    }
}

/* Time by the receiver; without one, boot counts as 1970. */
static int64_t utc_s(struct mf_vehicle *v, mf_us_t t_us)
{
    const int64_t utc_us = mf_estimate_at(v, t_us)->fix.utc_us;
    return (utc_us > 0 ? utc_us : t_us) / MF_SECOND_US;
}

/* Begin a log. An archive that refuses a log is reported once per flight, a missing one (NOSUPP)
 * never: most boards lack an archive. */
static void begin_log(struct mf_vehicle *v, mf_us_t t_us)
{
    const int64_t now_s = utc_s(v, t_us);
    int err = MF_E_DENIED;
    for (int64_t i = 0; i < MF_LOG_NAMES_MAX && err == MF_E_DENIED; i++) {
        err = mf_archive_begin(&v->hal, now_s + i);
    }
    v->logger.tried = true;
    if (err != MF_E_OK) {
        if (err != MF_E_NOSUPP) {
            mf_log_event(&v->hal, t_us, MF_WARNING, "log", "the archive takes no log");
        }
        return;
    }
    MF_ASSERT(!v->logger.open);
    v->logger.open = true;
    put_header(&v->hal, t_us);
    put_formats(&v->hal);
    put_infos(&v->hal, v->uid);
    for (int i = 0; i < MF_PARAM_COUNT; i++) {
        mf_log_param(v, (enum mf_param)i);
    }
    put_subscriptions(&v->hal);
    v->logger.all = true;
    v->logger.last_us = -1;
}

/* ---- the flight */

/* Write the topics that are due. A second call for one instant writes states alone: only they
 * change within an instant. */
static void put_topics(struct mf_vehicle *v, mf_us_t t_us, bool slow)
{
    const bool first = t_us != v->logger.last_us;
    for (size_t i = 0; i < MF_LOG_TOPIC_COUNT; i++) {
        const enum mf_log_rate rate = mf_log_topic((enum mf_log_topic)i)->rate;
        if ((slow || rate == MF_LOG_FAST) && (first || rate == MF_LOG_STATE)) {
            struct mf_log_record r = mf_log_begin(MF_LOG_TYPE_DATA);
            mf_log_u16(&r, (uint16_t)i);
            mf_log_u64(&r, (uint64_t)t_us);
            mf_log_topic((enum mf_log_topic)i)->put(v, t_us, &r);
            mf_log_append(&v->hal, &r);
        }
    }
    MF_ASSERT(t_us >= v->logger.last_us);
    v->logger.last_us = t_us;
}

mf_us_t mf_logger_run(struct mf_vehicle *v, mf_us_t due_us)
{
    struct mf_logger *l = &v->logger;
    const bool wanted = v->commander.armed && mf_param_i(&v->params, MF_PARAM_SDLOG_MODE) >= 0;
    MF_ASSERT(due_us >= 0 && due_us < MF_NEVER && (!l->open || l->tried));
    if (!v->commander.armed) {
        l->tried = false; /* the next flight tries again */
    }
    if (wanted && !l->open && !l->tried) {
        begin_log(v, due_us);
    }
    if (!l->open) {
        return MF_NEVER;
    }
    const bool slow = l->all || !wanted || due_us / SLOW_US != l->last_us / SLOW_US;
    put_topics(v, due_us, slow);
    if (!wanted) { /* what ended the flight is the last thing in the log */
        mf_archive_end(&v->hal);
        l->open = l->tried = false;
        return MF_NEVER;
    }
    l->all = false;
    const bool late = v->now.vehicle_us - due_us > MF_OVERRUN_PERIODS * FAST_US;
    return ((late ? v->now.vehicle_us : due_us) / FAST_US + 1) * FAST_US;
}
