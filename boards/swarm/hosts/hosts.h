/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Several hosts (docs/cosim.md): vehicles of a swarm that other processes carry, the leaves of a
 * tree whose root is this one. The root has time, the network, agents, connections and files; a
 * leaf has the firmware of its vehicles, and obeys the root's frames (leaf.h).
 *
 * Operations wait until the run reads their results: then one frame goes down, one comes up, and
 * its records are taken in the order of vehicles. So the partition has no effect.
 */
#ifndef MF_BOARDS_SWARM_HOSTS_H
#define MF_BOARDS_SWARM_HOSTS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** Vehicles in other processes. */
extern const struct swarm_system swarm_hosts_system;

#endif
