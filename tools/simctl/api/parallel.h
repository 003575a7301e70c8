/* SPDX-License-Identifier: Apache-2.0 */
/** Tasks of one request that run side by side, since each of them waits for its backend. */
#ifndef MF_SIMCTL_PARALLEL_H
#define MF_SIMCTL_PARALLEL_H

#include <stddef.h>

/**
 * @brief Run task(ctx, 0) .. task(ctx, count - 1), and return when all have returned. The calling
 *        thread takes part, so that all run, one after the other, where no thread can be made.
 * @param width  tasks that run at a time, at most; 0: 1
 */
void simctl_parallel(size_t count, unsigned width, void (*task)(void *ctx, size_t i), void *ctx);

#endif
