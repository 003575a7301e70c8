/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Several hosts (docs/cosim.md): vehicles of a swarm that other processes carry, the leaves of a
 * tree whose root is this one. The root has time, the network, agents, connections and files; a
 * leaf has the firmware of its vehicles, and does what it is told (leaf.h).
 *
 * Operations wait until somebody looks at their results: then one frame goes down, one comes up,
 * and its records are taken in the order of vehicles. So the partition has no effect.
 */
#ifndef MF_BOARDS_SWARM_HOSTS_H
#define MF_BOARDS_SWARM_HOSTS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"
#include "fleet/flock.h"

struct swarm_command;
struct mf_order_queue;

/** @brief Is the vehicle carried by a leaf? */
bool swarm_hosts_has(const struct swarm *w, uint32_t i);

/** @brief Has its leaf been lost? */
bool swarm_hosts_lost(const struct swarm *w, uint32_t i);

/** @brief A process of the scenario begins on its leaf. @return SWARM_OK, or SWARM_INPUT with an
 * error */
int swarm_hosts_start_process(struct swarm *w, uint32_t k);

/** @brief What waits is done now. */
void swarm_hosts_sync(struct swarm *w);

/** Vehicles in other processes. */
extern const struct swarm_system swarm_hosts_system;

#endif
