/* SPDX-License-Identifier: Apache-2.0 */
/** One question to a server of this machine, which nobody waits for: a server that hangs holds
 * nobody up. */
#ifndef MF_SIMCTL_PROBE_H
#define MF_SIMCTL_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIMCTL_PROBE_ANSWER 16u /**< bytes of an answer that tell its status, with a NUL */

/** All zero: nothing was asked yet. */
struct simctl_probe {
    bool open;
    int fd; /**< while it is open; own */
    bool asked;
    size_t len;
    char answer[SIMCTL_PROBE_ANSWER];
    int64_t until_us; /**< of CLOCK_MONOTONIC: then it is asked anew */
};

/** @brief Has GET of a path given 200? Asks if nothing is asked yet, or takes what has come; never
 *  blocks. After another answer, or none for 0.3 s, the next call asks anew.
 *  @param path  at most 60 characters  @return true: it has, and the probe is closed */
bool simctl_probe_ok(struct simctl_probe *probe, unsigned port, const char *path);

/** @brief Ask no more. */
void simctl_probe_close(struct simctl_probe *probe);

#endif
