/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Who has just heard whom, for those who look on: frames RECEPTIONS (docs/bus.md). The newest ones
 * of each shard are kept, and each onlooker has read some of them. Nothing depends on it.
 */
#ifndef MF_BOARDS_SWARM_RECEPTIONS_H
#define MF_BOARDS_SWARM_RECEPTIONS_H

#include "boards/swarm/core/swarm.h"
#include "fleet/bus.h"
#include "hal-sim/crowd.h"

/** What an onlooker has been told of. Begin with zeros. */
struct swarm_onlooker {
    uint64_t told[MF_CROWD_SHARDS];
};

/** @brief Somebody will look on: from now on receptions are kept. */
void swarm_receptions_watch(struct swarm *w);

/** @brief A member has received a packet; from the thread that has its shard, or from the only one
 * that runs. */
void swarm_receptions_note(struct swarm *w, uint32_t shard, uint32_t sender, uint32_t receiver);

/** @brief The payload of a frame: what is new to an onlooker. @return false: there is nothing */
bool swarm_receptions_put(const struct swarm *w, struct swarm_onlooker *o, struct mf_bus_writer *f);

extern const size_t swarm_receptions_bytes;

#endif
