/* SPDX-License-Identifier: Apache-2.0 */
/* Collects rows of files per shard, for radio, contacts, hosts, networks and the trace. */
#include "boards/swarm/core/gathered.h"

#include "boards/swarm/core/arena.h"
#include "boards/swarm/core/file.h"

#include <stdlib.h>

void *swarm_gather(struct swarm_rows *rows, size_t size)
{
    char *at = swarm_with_room(rows->at, rows->count, &rows->capacity, size);
    if (at == NULL) {
        rows->failed = true;
        return NULL;
    }
    rows->at = at;
    return at + size * rows->count++;
}

bool swarm_gathered_close(const struct swarm *w, struct swarm_gathered *g)
{
    bool failed = false;
    for (uint32_t shard = 0; shard < MF_CROWD_SHARDS; shard++) {
        failed = failed || g->shard[shard].failed;
        free(g->shard[shard].at);
    }
    return swarm_close(w, g->file) && (g->file == NULL || !failed);
}
