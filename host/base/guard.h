/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Instance of a failed assertion: programs with vehicles announce the instance that runs, so that a
 * failed assertion names it.
 *
 * A program of one drone ends there, with the stack for a debugger:
 *
 *     mf_guard_watch(&guard);
 *
 * A program of many continues without the broken one:
 *
 *     if (!mf_guard_run(&guard[i], step, &drone[i])) {
 *         say(mf_guard_text(&guard[i], text, sizeof text)); // once; then only the links are closed
 *     }
 *
 * The function that ran ends in the middle, so the objects that it was changing are undefined:
 * never step, query or end a broken vehicle again. It must not change data that it shares with
 * others while it runs. The object file also contains the program's mf_assert_failed().
 */
#ifndef MF_HOST_BASE_GUARD_H
#define MF_HOST_BASE_GUARD_H

#include "hal/types.h"

/** Size that fits any text of mf_guard_text(), with NUL. */
#define MF_GUARD_TEXT_MAX 512u

struct mf_guard {
    int32_t instance;
    const mf_us_t *now_us; /**< vehicle time of the instance; NULL: without */
    /* private */
    bool broken;
    const char *expr, *file; /**< failed expression and its file; static */
    int line;
    mf_us_t failed_us; /**< vehicle time */
};

/** @brief Run a part of an instance. Not from within itself; each thread has its own.
 * @return false: the instance is broken, by an assertion now or by an earlier one, after which it
 * does not run */
bool mf_guard_run(struct mf_guard *guard, void (*run)(void *ctx), void *ctx);

/** @brief Let assertions outside mf_guard_run() name this instance; they end the program.
 * @param guard  NULL: names none */
void mf_guard_watch(struct mf_guard *guard);

/** @brief "instance 3: assertion failed: n > 0, firmware/core/text.c:12, vehicle time 1.500000 s".
 *  @param text  out [cap]  @return @p text */
const char *mf_guard_text(const struct mf_guard *guard, char *text, size_t cap);

#endif
