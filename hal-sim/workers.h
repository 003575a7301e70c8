/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Threads that share numbered tasks. The order of tasks, and the thread of each, are undefined: a
 * task must write only to its own data, so the result is the same for any number of threads.
 */
#ifndef MF_HAL_SIM_WORKERS_H
#define MF_HAL_SIM_WORKERS_H

#include "hal/types.h"

#include <pthread.h>
#include <stdatomic.h>

#define MF_WORKERS_MAX 64u

/** Function that carries out a task. */
typedef void mf_workers_task(void *ctx, uint32_t task);

/** The caller allocates it, and must not move it. */
struct mf_workers {
    uint32_t count; /**< number of threads, with the caller's */
    pthread_t thread[MF_WORKERS_MAX];
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    uint64_t round; /**< number of rounds of work begun */
    uint32_t busy;  /**< number of threads that work on the present round */
    bool stop;
    mf_workers_task *run;
    void *ctx;
    uint32_t tasks;
    atomic_uint next;
};

/** @brief Start threads. @param count  1 .. MF_WORKERS_MAX, with the caller's own
 * @return MF_E_OK; MF_E_IO: the system cannot start them all, and none is left */
int mf_workers_start(struct mf_workers *w, uint32_t count);

/** @brief Run tasks 0 .. @p tasks - 1, and return when all are done. */
void mf_workers_run(struct mf_workers *w, uint32_t tasks, mf_workers_task *run, void *ctx);

/** @brief End the threads. */
void mf_workers_stop(struct mf_workers *w);

#endif
