/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Lines of the time socket, in both directions. docs/time.md is the specification. Pure functions.
 */
#ifndef MF_HOST_TIME_TIME_LINE_H
#define MF_HOST_TIME_TIME_LINE_H

#include "hal/airframe.h"

/** Version of these lines. */
#define MF_TIME_VERSION 1
/** Longest line of a controller, without its newline [characters]. */
#define MF_TIME_LINE_MAX 63u
/** Longest line to a controller, with newline and NUL [characters]. */
#define MF_TIME_TEXT_MAX 256u
/** Latest vehicle time that can be granted [us]: 31 years. */
#define MF_TIME_MAX_US INT64_C(1000000000000000)

/** Commands of a controller: name, word, arguments. */
#define MF_TIME_WORD_LIST(X) \
    X(LEAVE, "leave", "")    \
    X(HOLD, "hold", "")      \
    X(GO, "go", " T")        \
    X(EVENT, "event", "")    \
    X(NOW, "now", "")        \
    X(WATCH, "watch", "")

enum mf_time_word {
#define X(name, word, follows) MF_TIME_##name,
    MF_TIME_WORD_LIST(X)
#undef X
        MF_TIME_WORD_COUNT
};

struct mf_time_command {
    enum mf_time_word word;
    mf_us_t at_us; /**< GO: vehicle time */
};

/** State of the vehicle after a pass, for a controller. */
struct mf_time_report {
    mf_us_t now_us;   /**< vehicle time */
    mf_us_t next_us;  /**< next due time of the vehicle; MF_NEVER */
    mf_us_t event_us; /**< next due time of an event; MF_NEVER */
    uint32_t events;  /**< number of events so far */
    bool armed;
    bool landed;
    bool stops; /**< true: GO ended before the granted time, for output that programs outside wait
                   for */
    uint64_t in, out; /**< bytes of clients that the vehicle has read, and handed to the system */
};

/** @brief Read one line.
 * @param line  [n], without its newline; any bytes; one carriage return at its end is ignored
 * @param reason  out on error: the fault and the allowed form [MF_TIME_TEXT_MAX - 8]
 * @return MF_E_OK or MF_E_RANGE */
int mf_time_line_parse(struct mf_time_command *command, const char *line, size_t n, char *reason);

/** @brief Write "WORD 12000000 next 12100000 events 7 armed 1 landed 0 in 8 out 9\n"
 * @param truth  NULL, or truth for its end: " lat D lon D alt D vn D ve D vd D yaw D"
 * @param text  out [MF_TIME_TEXT_MAX]  @return its length */
size_t mf_time_line_report(const char *word, const struct mf_time_report *report,
                           const struct mf_pose *truth, char *text);

/** @brief Write "next 12100000\n" or "next never\n". @param text  out [MF_TIME_TEXT_MAX]
 * @return its length */
size_t mf_time_line_next(mf_us_t next_us, char *text);

#endif
