/* SPDX-License-Identifier: Apache-2.0 */
/* Threads for numbered tasks. Called by hal-sim/crowd and boards/swarm. */
#include "hal-sim/workers.h"

#include <string.h>

static void take_tasks(struct mf_workers *w)
{
    for (uint32_t task = atomic_fetch_add(&w->next, 1u); task < w->tasks;
         task = atomic_fetch_add(&w->next, 1u)) {
        w->run(w->ctx, task);
    }
}

/* Wait until a round begins. @return false: the threads are to end */
static bool wait_for_round(struct mf_workers *w, uint64_t round)
{
    (void)pthread_mutex_lock(&w->lock);
    while (w->round < round && !w->stop) {
        (void)pthread_cond_wait(&w->work, &w->lock);
    }
    const bool go = !w->stop;
    (void)pthread_mutex_unlock(&w->lock);
    return go;
}

static void *work(void *ctx)
{
    struct mf_workers *w = ctx;
    for (uint64_t round = 1; wait_for_round(w, round); round++) {
        take_tasks(w);
        (void)pthread_mutex_lock(&w->lock);
        if (--w->busy == 0) {
            (void)pthread_cond_signal(&w->done);
        }
        (void)pthread_mutex_unlock(&w->lock);
    }
    return NULL;
}

int mf_workers_start(struct mf_workers *w, uint32_t count)
{
    MF_ASSERT(w != NULL && count >= 1 && count <= MF_WORKERS_MAX);
    memset(w, 0, sizeof *w);
    w->count = 1;
    (void)pthread_mutex_init(&w->lock, NULL);
    (void)pthread_cond_init(&w->work, NULL);
    (void)pthread_cond_init(&w->done, NULL);
    while (w->count < count) {
        if (pthread_create(&w->thread[w->count], NULL, work, w) != 0) {
            mf_workers_stop(w);
            return MF_E_IO;
        }
        w->count++;
    }
    return MF_E_OK;
}

void mf_workers_run(struct mf_workers *w, uint32_t tasks, mf_workers_task *run, void *ctx)
{
    MF_ASSERT(w != NULL && run != NULL);
    (void)pthread_mutex_lock(&w->lock);
    w->run = run;
    w->ctx = ctx;
    w->tasks = tasks;
    atomic_store(&w->next, 0u);
    w->busy = w->count - 1u;
    w->round++;
    (void)pthread_cond_broadcast(&w->work);
    (void)pthread_mutex_unlock(&w->lock);
    take_tasks(w);
    (void)pthread_mutex_lock(&w->lock);
    while (w->busy > 0) {
        (void)pthread_cond_wait(&w->done, &w->lock);
    }
    (void)pthread_mutex_unlock(&w->lock);
}

void mf_workers_stop(struct mf_workers *w)
{
    (void)pthread_mutex_lock(&w->lock);
    w->stop = true;
    (void)pthread_cond_broadcast(&w->work);
    (void)pthread_mutex_unlock(&w->lock);
    for (uint32_t i = 1; i < w->count; i++) {
        (void)pthread_join(w->thread[i], NULL);
    }
    w->count = 1;
    (void)pthread_cond_destroy(&w->work);
    (void)pthread_cond_destroy(&w->done);
    (void)pthread_mutex_destroy(&w->lock);
}
