/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Whose assertion failed: programs with vehicles say which instance runs, so that a failed
 * assertion names it.
 *
 * A program of one drone ends there, with the stack that a debugger wants to see:
 *
 *     mf_guard_watch(&guard);
 *
 * A program of many goes on without the broken one:
 *
 *     if (!mf_guard_run(&guard[i], step, &drone[i])) {
 *         say(mf_guard_text(&guard[i], text, sizeof text)); // once; then only the links are closed
 *     }
 *
 * The function that ran ends in the middle, so what it was changing is in no defined state: a
 * broken vehicle is never stepped, asked or ended again. Whatever it shares with others must not be
 * changed while it runs. The object also is the program's mf_assert_failed().
 */
#ifndef MF_HOST_BASE_GUARD_H
#define MF_HOST_BASE_GUARD_H

#include "hal/types.h"

/** Enough for any text of mf_guard_text(), with NUL. */
#define MF_GUARD_TEXT_MAX 512u

struct mf_guard {
    int32_t instance;
    const mf_us_t *now_us; /**< vehicle time of the instance; NULL: it has none */
    /* the rest is the implementation's */
    bool broken;
    const char *expr, *file; /**< what failed; static */
    int line;
    mf_us_t failed_us; /**< vehicle time */
};

/** @brief Run a part of an instance. Not from within itself; each thread has its own.
 *  @return false: it is broken, by an assertion now or by an earlier one, which it did not
 *   run after */
bool mf_guard_run(struct mf_guard *guard, void (*run)(void *ctx), void *ctx);

/** @brief From now on an assertion outside mf_guard_run() names this instance and ends the program.
 *  @param guard  NULL: names none */
void mf_guard_watch(struct mf_guard *guard);

/** @brief "instance 3: assertion failed: n > 0, firmware/core/text.c:12, vehicle time 1.500000 s".
 *  @param text  out [cap]  @return @p text */
const char *mf_guard_text(const struct mf_guard *guard, char *text, size_t cap);

#endif
