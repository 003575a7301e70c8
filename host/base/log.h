/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The log of a host: one line per event with a single write(2), for people or as JSON.
 *
 *        12.345 mode     Hold -> Takeoff
 *     {"t":12.345,"severity":"info","topic":"mode","text":"Hold -> Takeoff"}
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

struct mf_log {
    int fd;
    enum mf_log_format format;
    uint32_t lost; /**< lines left out since the last one that was written */
};

/** The contract; the context is the log. */
extern const struct mf_log_ops mf_log_line_ops;

/** @brief One event as a line with its newline. @param line  out [MF_LOG_LINE_MAX]
 *  @return its length */
size_t mf_log_format(enum mf_log_format format, mf_us_t t_us, enum mf_severity severity,
                     const char *topic, const char *text, char *line);

#endif
