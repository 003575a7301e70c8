/* SPDX-License-Identifier: Apache-2.0 */
/* Asks the API server whether it answers; kube.c reports the result as its readiness. */
#include "tools/simctl/kube/kube_pulse.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PERIOD_MS 2000
#define ANSWER_MS 3000 /* time for an answer; a busy server needs a part of it */
#define STEP_MS   100  /* of waiting, so that an end is noticed */

struct simctl_kube_pulse {
    struct simctl_kube *kube;
    char path[SIMCTL_KUBE_PATH_MAX];
    atomic_bool stop;
    pthread_t thread;
    pthread_mutex_t lock; /* of error */
    struct web_error error;
};

static void *run(void *ctx)
{
    struct simctl_kube_pulse *p = ctx;
    while (!p->stop) {
        struct web_error error = {0};
        (void)simctl_kube_probe(p->kube, p->path, ANSWER_MS, &error);
        (void)pthread_mutex_lock(&p->lock);
        p->error = error;
        (void)pthread_mutex_unlock(&p->lock);
        for (long ms = 0; ms < PERIOD_MS && !p->stop; ms += STEP_MS) {
            (void)nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
        }
    }
    return NULL;
}

struct simctl_kube_pulse *simctl_kube_pulse_start(struct simctl_kube *k, const char *path)
{
    struct simctl_kube_pulse *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return NULL;
    }
    p->kube = k;
    (void)snprintf(p->path, sizeof p->path, "%s", path);
    (void)pthread_mutex_init(&p->lock, NULL);
    if (pthread_create(&p->thread, NULL, run, p) != 0) {
        (void)pthread_mutex_destroy(&p->lock);
        free(p);
        return NULL;
    }
    return p;
}

bool simctl_kube_pulse_good(struct simctl_kube_pulse *p, struct web_error *error)
{
    (void)pthread_mutex_lock(&p->lock);
    const bool good = p->error.status == 0;
    if (!good) {
        *error = p->error;
    }
    (void)pthread_mutex_unlock(&p->lock);
    return good;
}

void simctl_kube_pulse_stop(struct simctl_kube_pulse *p)
{
    if (p != NULL) {
        p->stop = true;
        (void)pthread_join(p->thread, NULL);
        (void)pthread_mutex_destroy(&p->lock);
        free(p);
    }
}
