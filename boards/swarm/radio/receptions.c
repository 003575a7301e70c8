/* SPDX-License-Identifier: Apache-2.0 */
/* Keep recent receptions for observers; radio.c and network.c add them, the bus, page and pictures
 * read them. */
#include "boards/swarm/radio/receptions.h"

/* Receptions that each shard keeps, so that those of all shards fit into a frame. */
#define KEPT      500u
#define ROW_BYTES 8u

_Static_assert(8u + MF_CROWD_SHARDS * KEPT * ROW_BYTES <= MF_BUS_PAYLOAD_MAX, "a frame has all");

/* Newest receptions of members of each shard. */
struct receptions {
    struct {
        uint64_t count;
        uint32_t sender[KEPT], receiver[KEPT];
    } shard[MF_CROWD_SHARDS];
    bool watched;
};

const size_t swarm_receptions_bytes = sizeof(struct receptions);

static struct receptions *receptions_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_RECEPTIONS];
}

void swarm_receptions_watch(struct swarm *w)
{
    receptions_of(w)->watched = true;
}

void swarm_receptions_add(struct swarm *w, uint32_t shard, uint32_t sender, uint32_t receiver)
{
    struct receptions *r = receptions_of(w);
    MF_ASSERT(shard < MF_CROWD_SHARDS);
    if (!r->watched) {
        return;
    }
    const uint64_t at = r->shard[shard].count++ % KEPT;
    r->shard[shard].sender[at] = sender;
    r->shard[shard].receiver[at] = receiver;
}

bool swarm_receptions_put(const struct swarm *w, struct swarm_onlooker *o, struct mf_bus_writer *f)
{
    const struct receptions *r = receptions_of(w);
    uint64_t fresh = 0, rows = 0;
    for (uint32_t k = 0; k < MF_CROWD_SHARDS; k++) {
        const uint64_t n = r->shard[k].count - o->sent[k];
        fresh += n;
        rows += n < KEPT ? n : KEPT;
    }
    mf_bus_put_u(f, fresh < UINT32_MAX ? fresh : UINT32_MAX, 4);
    mf_bus_put_u(f, rows, 4);
    for (uint32_t k = 0; k < MF_CROWD_SHARDS; k++) {
        const uint64_t count = r->shard[k].count;
        uint64_t at = count - o->sent[k] < KEPT ? o->sent[k] : count - KEPT;
        for (; at < count; at++) {
            mf_bus_put_u(f, r->shard[k].sender[at % KEPT], 4);
            mf_bus_put_u(f, r->shard[k].receiver[at % KEPT], 4);
        }
        o->sent[k] = count;
    }
    return rows > 0;
}
