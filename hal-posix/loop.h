/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Loop of a board: one ppoll() that sleeps until input arrives or the nearer of the vehicle's and
 * the network's next due time. Without a fixed tick and without busy waiting.
 */
#ifndef MF_HAL_POSIX_LOOP_H
#define MF_HAL_POSIX_LOOP_H

#include "hal-posix/net.h"

struct mf_loop {
    struct mf_net *net;
    /** Run everything that is due. @return monotonic time (mf_monotonic_us()) of the next due time,
     * or MF_NEVER */
    mf_us_t (*step)(void *ctx);
    void *ctx;
    /** Handle a signal; NULL: each one ends the loop. @param from_kernel  such as Ctrl-C of a
     * terminal, which every process in its foreground gets @return true: end the loop */
    bool (*on_signal)(void *ctx, int number, bool from_kernel);
    void *signal_ctx;
    int more_fd;    /**< another descriptor whose readability causes a step; -1: none */
    bool more;      /**< more_fd was readable when the loop last polled */
    bool held;      /**< set by the step: the network rests, only more_fd and time cause steps */
    mf_us_t end_us; /**< monotonic time at which the loop ends; MF_NEVER */
    bool stop;      /**< set by the step: end the loop after sending all queued data */
};

/** Reason for the end of the loop. */
enum mf_loop_end { MF_LOOP_STOPPED, MF_LOOP_SIGNAL, MF_LOOP_LIFETIME };

/** @brief Handle the signals that request an end: SIGTERM, SIGINT, and SIGHUP unless it is already
 * ignored (nohup). Afterwards a closed pipe (SIGPIPE) and a file that must not grow (SIGXFSZ) are
 * errors of the calls that meet them. Unblocks signals that the parent has blocked. Call it once,
 * before all else.
 * @param early  handler of such a signal until mf_loop_keep_signals(): ends the process, and calls
 * only functions that are safe in a signal handler */
void mf_loop_catch_signals(void (*early)(int number));

/** @brief Keep these signals for the loop, which they end, even if they arrive before it runs.
 * @return MF_E_OK, or MF_E_IO with errno: no descriptor was free */
int mf_loop_keep_signals(void);

/** @brief Restore the default handling of all signals in a child, while all signals are blocked. */
void mf_loop_release_signals(void);

/** @brief Catch this signal, too, and pass it to on_signal. */
void mf_loop_catch_signal(int number);

/** @brief Take what peers have sent so far, and step once. After mf_loop_run(), so that the last
 * bytes of a command that has ended arrive in each run. */
void mf_loop_finish(struct mf_loop *loop);

/** @brief Wait for a signal that on_signal treats as the end, without network and steps.
 * @return false: end_us was reached first */
bool mf_loop_wait(const struct mf_loop *loop, mf_us_t end_us);

/** @brief Run until a signal, the end time, or a step that sets stop. */
enum mf_loop_end mf_loop_run(struct mf_loop *loop);

#endif
