/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Log of a host: one line per event with a single write(2), for people or as JSON.
 *
 *        12.345 mode     Hold -> Takeoff
 *     {"t":12.345,"utc":"2026-03-01T12:00:12.345Z","instance":0,"severity":"info","event":"mode",
 *      "mode":"Takeoff","text":"Hold -> Takeoff"}                     (all of it on one line)
 *
 * A reader that does not read never stalls the vehicle: the log counts and omits lines for which a
 * pipe lacks room, and the next line that fits contains their number.
 */
#ifndef MF_HOST_BASE_LOG_H
#define MF_HOST_BASE_LOG_H

#include "hal/log.h"

enum mf_log_format { MF_LOG_TEXT, MF_LOG_JSON };

/** Longest line; longer texts are cut [bytes]. At most PIPE_BUF, so that lines of several writers
 *  do not mix. */
#define MF_LOG_LINE_MAX 1024u

/** Event. */
struct mf_log_event {
    mf_us_t t_us; /**< vehicle time */
    enum mf_severity severity;
    const char *topic;  /**< short word: "event" in JSON */
    const char *text;   /**< text for people; NULL: only for programs */
    const char *fields; /**< [fields_len] members of a JSON object without its braces; omitted if
                           the line is too short for all of them */
    size_t fields_len;
};

struct mf_log {
    int fd;
    enum mf_log_format format;
    enum mf_severity level; /**< least severity of a line */
    int32_t instance;       /**< number of the drone; JSON only */
    uint32_t lost;          /**< number of lines omitted since the last one that was written */
};

/** Operations; their context is the log. */
extern const struct mf_log_ops mf_log_line_ops;

/** @brief Write an event, with its fields for programs. Events without text are omitted from a log
 * for people. */
void mf_log_write(struct mf_log *log, const struct mf_log_event *event);

/** @brief Format an event as a line with its line feed. @param utc_us  [us since 1970-01-01]
 * @param line  out [MF_LOG_LINE_MAX]  @return its length */
size_t mf_log_format(const struct mf_log *log, int64_t utc_us, const struct mf_log_event *event,
                     char *line);

#endif
