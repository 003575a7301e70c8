/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The log of a host: one line per event with a single write(2), for people or as JSON.
 *
 *        12.345 mode     Hold -> Takeoff
 *     {"t":12.345,"utc":"2026-03-01T12:00:12.345Z","instance":0,"severity":"info","event":"mode",
 *      "mode":"Takeoff","text":"Hold -> Takeoff"}                     (all of it on one line)
 *
 * A reader that does not read never stalls the vehicle: lines that a pipe has no room for are
 * counted and left out, and the next line that fits says how many.
 */
#ifndef MF_HOST_BASE_LOG_H
#define MF_HOST_BASE_LOG_H

#include "hal/log.h"

enum mf_log_format { MF_LOG_TEXT, MF_LOG_JSON };

/** Longest line; longer texts are cut [bytes]. At most PIPE_BUF, so that lines of several writers
 *  do not mix. */
#define MF_LOG_LINE_MAX 1024u

/** One event. */
struct mf_log_event {
    mf_us_t t_us; /**< vehicle time */
    enum mf_severity severity;
    const char *topic;  /**< a short word: "event" in JSON */
    const char *text;   /**< for people; NULL: none */
    const char *fields; /**< [fields_len] members of a JSON object without its braces; left out
                             where the line has no room for all of them */
    size_t fields_len;
};

struct mf_log {
    int fd;
    enum mf_log_format format;
    enum mf_severity level; /**< events of less weight have no line */
    int32_t instance;       /**< the drone whose log it is; JSON only */
    uint32_t lost;          /**< lines left out since the last one that was written */
};

/** The contract; the context is the log. */
extern const struct mf_log_ops mf_log_line_ops;

/** @brief One event with what programs want to know of it. Those without text have no line where
 *  the log is for people. */
void mf_log_write(struct mf_log *log, const struct mf_log_event *event);

/** @brief One event as a line with its newline. @param utc_us  [us since 1970-01-01]
 *  @param line  out [MF_LOG_LINE_MAX]  @return its length */
size_t mf_log_format(const struct mf_log *log, int64_t utc_us, const struct mf_log_event *event,
                     char *line);

#endif
