/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The loop of a board: one ppoll() that sleeps until input arrives or the nearer of the vehicle's
 * and the network's next due time has come. No fixed tick, no busy wait.
 */
#ifndef MF_HAL_POSIX_LOOP_H
#define MF_HAL_POSIX_LOOP_H

#include "hal-posix/net.h"

struct mf_loop {
    struct mf_net *net;
    /** Run what is due. @return monotonic time (mf_monotonic_us()) of the next due time, or
     * MF_NEVER */
    mf_us_t (*step)(void *ctx);
    void *ctx;
    /** What a signal means; NULL: each one ends the loop. @param from_kernel  such as Ctrl-C of a
     * terminal, which every process in its foreground got @return whether the loop ends */
    bool (*on_signal)(void *ctx, int number, bool from_kernel);
    void *signal_ctx;
    int more_fd;    /**< another descriptor that brings a step when it is readable; -1: none */
    bool more;      /**< it was, when the loop looked last */
    bool held;      /**< set by the step: the network rests, only more_fd and time bring steps */
    mf_us_t end_us; /**< monotonic time at which the loop ends; MF_NEVER */
    bool stop;      /**< set by the step: the loop ends after sending what is queued */
};

/** Why the loop ended. */
enum mf_loop_end { MF_LOOP_STOPPED, MF_LOOP_SIGNAL, MF_LOOP_LIFETIME };

/** @brief No signal that asks for an end kills the process from now on: SIGTERM, SIGINT, and SIGHUP
 *  unless it is ignored already (nohup). A closed pipe (SIGPIPE) and a file that must not grow
 *  (SIGXFSZ) are errors of the calls that meet them. What the parent blocked is let in. Call it
 *  once, first of all.
 *  @param early  handles such a signal until mf_loop_keep_signals(): it ends the process, with
 *                functions alone that are safe in a signal handler */
void mf_loop_catch_signals(void (*early)(int number));

/** @brief From now on these signals wait for the loop and end it, even if they arrive before
 * it runs.
 *  @return MF_E_OK, or MF_E_IO with errno: there is no descriptor left */
int mf_loop_keep_signals(void);

/** @brief In a child, with all signals blocked: they mean to it what they mean to any program. */
void mf_loop_release_signals(void);

/** @brief This signal is caught, too, and comes to on_signal. */
void mf_loop_catch_signal(int number);

/** @brief Wait for a signal that on_signal takes for the end, without network and steps.
 *  @return false: end_us came first */
bool mf_loop_wait(const struct mf_loop *loop, mf_us_t end_us);

/** @brief Run until a signal, the end time or the step's own wish. */
enum mf_loop_end mf_loop_run(struct mf_loop *loop);

#endif
