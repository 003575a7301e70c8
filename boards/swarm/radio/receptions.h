/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Recent radio receptions for observers, which are bus, page and pictures: frames RECEPTIONS
 * (docs/bus.md). Each shard keeps its newest ones, and each observer counts those that it was sent.
 * The run does not depend on this file.
 */
#ifndef MF_BOARDS_SWARM_RECEPTIONS_H
#define MF_BOARDS_SWARM_RECEPTIONS_H

#include "boards/swarm/core/swarm.h"
#include "fleet/bus.h"
#include "hal-sim/crowd.h"

/** Number of receptions per shard that were sent to an observer. Zero it to begin. */
struct swarm_onlooker {
    uint64_t sent[MF_CROWD_SHARDS];
};

/** @brief Keep receptions from now on: there will be an observer. */
void swarm_receptions_watch(struct swarm *w);

/** @brief Note that a member has received a packet. Call it from the thread of the receiver's
 * shard, or while a single thread runs. */
void swarm_receptions_add(struct swarm *w, uint32_t shard, uint32_t sender, uint32_t receiver);

/** @brief Write the payload of a frame: receptions that are new to an observer. @return false:
 * nothing is new */
bool swarm_receptions_put(const struct swarm *w, struct swarm_onlooker *o, struct mf_bus_writer *f);

extern const size_t swarm_receptions_bytes;

#endif
