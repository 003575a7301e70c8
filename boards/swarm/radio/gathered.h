/* SPDX-License-Identifier: Apache-2.0 */
/** Rows for a file that threads gather, each shard its own, and one writes in an order. */
#ifndef MF_BOARDS_SWARM_GATHERED_H
#define MF_BOARDS_SWARM_GATHERED_H

#include "hal-sim/crowd.h"

#include <stdio.h>

/** Rows of a shard. */
struct swarm_rows {
    void *at; /**< [count], of one type */
    size_t count, capacity;
    bool failed; /**< there was no memory for one */
};

/** Begin with zeros. */
struct swarm_gathered {
    FILE *file; /**< NULL: not written */
    struct swarm_rows shard[MF_CROWD_SHARDS];
};

/** @brief One more row, of @p size bytes as all others. @return NULL: there is no memory, which is
 *  remembered */
void *swarm_gather(struct swarm_rows *rows, size_t size);

/** @brief Memory and file are let go. @return false: the file has not all of it */
bool swarm_gathered_close(struct swarm_gathered *g);

#endif
