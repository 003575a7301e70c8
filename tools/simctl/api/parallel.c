/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the creations, and the ends, of one request side by side; api.c calls it. */
#include "tools/simctl/api/parallel.h"

#include <pthread.h>
#include <stdatomic.h>

#define WIDTH_MAX 32u

struct tasks {
    atomic_size_t next;
    size_t count;
    void (*task)(void *ctx, size_t i);
    void *ctx;
};

static void *run_tasks(void *ctx)
{
    struct tasks *t = ctx;
    size_t i;
    while ((i = t->next++) < t->count) {
        t->task(t->ctx, i);
    }
    return NULL;
}

void simctl_parallel(size_t count, unsigned width, void (*task)(void *ctx, size_t i), void *ctx)
{
    struct tasks t = {.count = count, .task = task, .ctx = ctx};
    pthread_t thread[WIDTH_MAX];
    unsigned n = 0;
    while (n + 1 < width && n + 1 < count && n < WIDTH_MAX &&
           pthread_create(&thread[n], NULL, run_tasks, &t) == 0) {
        n++;
    }
    (void)run_tasks(&t);
    while (n > 0) {
        (void)pthread_join(thread[--n], NULL);
    }
}
