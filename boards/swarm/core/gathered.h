/* SPDX-License-Identifier: Apache-2.0 */
/** Rows of a file. Threads collect them, each for its shards; then one thread writes them in order.
 */
#ifndef MF_BOARDS_SWARM_CORE_GATHERED_H
#define MF_BOARDS_SWARM_CORE_GATHERED_H

#include "hal-sim/crowd.h"

#include <stdio.h>

struct swarm;

/** Rows of a shard. */
struct swarm_rows {
    void *at; /**< [count] rows of one type */
    size_t count, capacity;
    bool failed; /**< memory was exhausted: rows are missing */
};

/** Rows of all shards and their file. Begin with zeros. */
struct swarm_gathered {
    FILE *file; /**< file of the rows; NULL: not written */
    struct swarm_rows shard[MF_CROWD_SHARDS];
};

/** @brief Add a row.
 *  @param size  size of each row [bytes]
 *  @return the row; NULL: memory is exhausted, and rows->failed is set */
void *swarm_gather(struct swarm_rows *rows, size_t size);

/** @brief Free the rows and close the file. @return false: the file is incomplete */
bool swarm_gathered_close(const struct swarm *w, struct swarm_gathered *g);

#endif
