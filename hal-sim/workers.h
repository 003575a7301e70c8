/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Threads that share out numbered tasks. Who does a task, and in which order, is left to chance: a
 * task writes to what is its own, so the outcome is the same for any number of threads.
 */
#ifndef MF_HAL_SIM_WORKERS_H
#define MF_HAL_SIM_WORKERS_H

#include "hal/types.h"

#include <pthread.h>
#include <stdatomic.h>

#define MF_WORKERS_MAX 64u

/** One task. */
typedef void mf_workers_task(void *ctx, uint32_t task);

/** The caller allocates it; it stays where it is. */
struct mf_workers {
    uint32_t count; /**< threads, the caller's included */
    pthread_t thread[MF_WORKERS_MAX];
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    uint64_t round; /**< how often there was work */
    uint32_t busy;  /**< threads that have not finished this round */
    bool stop;
    mf_workers_task *run;
    void *ctx;
    uint32_t tasks;
    atomic_uint next;
};

/** @brief Start threads. @param count  1 .. MF_WORKERS_MAX, with the caller's own
 *  @return MF_E_OK; MF_E_IO: the system gives no more, and there are none */
int mf_workers_start(struct mf_workers *w, uint32_t count);

/** @brief Run tasks 0 .. @p tasks - 1, and return when all are done. */
void mf_workers_run(struct mf_workers *w, uint32_t tasks, mf_workers_task *run, void *ctx);

/** @brief End the threads. */
void mf_workers_stop(struct mf_workers *w);

#endif
