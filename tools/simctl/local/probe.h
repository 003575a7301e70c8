/* SPDX-License-Identifier: Apache-2.0 */
/** A question to a server of this machine that never blocks: a server that hangs delays no one. */
#ifndef MF_SIMCTL_PROBE_H
#define MF_SIMCTL_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIMCTL_PROBE_ANSWER 16u /**< bytes of an answer that tell its status, with a NUL */

/** All zero: no question under way. */
struct simctl_probe {
    bool open;
    int fd; /**< while it is open; own */
    bool asked;
    size_t len;
    char answer[SIMCTL_PROBE_ANSWER];
    int64_t until_us; /**< CLOCK_MONOTONIC; the next question is sent after it */
};

/**
 * @brief True once GET of a path has returned 200. Sends the question, or reads the answer; never
 * blocks. After another answer, or 0.3 s without one, the next call sends the question again.
 * @param path  at most 60 characters  @return true: 200, and the probe is closed
 */
bool simctl_probe_ok(struct simctl_probe *probe, unsigned port, const char *path);

/** @brief Ask no more. */
void simctl_probe_close(struct simctl_probe *probe);

#endif
