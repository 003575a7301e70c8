/* SPDX-License-Identifier: Apache-2.0 */
/** Progress: event lines that stay and, on a terminal, one line below that is overwritten. */
#ifndef MF_TOOLS_FLY_CONSOLE_H
#define MF_TOOLS_FLY_CONSOLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum fly_tone { FLY_PLAIN, FLY_GOOD, FLY_WARN, FLY_BAD };

struct fly_console {
    FILE *out;
    bool quiet;    /**< no events, no live line */
    bool terminal; /**< there is a cursor to move */
    bool color;
    bool live; /**< the live line is on the screen */
    int64_t live_due_us;
};

/** @brief Begin to write to @p out; looks whether it is a terminal, and at NO_COLOR. */
void fly_console_init(struct fly_console *c, FILE *out, bool quiet);

/**
 * @brief Print a line of progress.
 * @param stamp  its time, as text
 */
__attribute__((format(printf, 4, 5))) void fly_console_event(struct fly_console *c,
                                                             enum fly_tone tone, const char *stamp,
                                                             const char *format, ...);

/** @brief Rewrite the live line, at most five times a second; terminals only.
 *  @param now_us  wall time */
__attribute__((format(printf, 3, 4))) void fly_console_live(struct fly_console *c, int64_t now_us,
                                                            const char *format, ...);

/** @brief Print a line of the result, even when quiet. */
__attribute__((format(printf, 3, 4))) void
fly_console_result(struct fly_console *c, enum fly_tone tone, const char *format, ...);

#endif
