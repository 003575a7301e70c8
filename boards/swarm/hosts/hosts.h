/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A swarm on several hosts (docs/cosim.md): other processes carry its vehicles. They are the leaves
 * of a tree, and this process is its root. The root has time, the network, agents, connections and
 * files; a leaf has the firmware of its vehicles, and obeys the root's frames (leaf.h).
 *
 * Commands wait until the run reads their results. Then one frame goes down to each leaf, one comes
 * up, and the root takes its records in the order of vehicles, so the partition does not affect a
 * run.
 */
#ifndef MF_BOARDS_SWARM_HOSTS_H
#define MF_BOARDS_SWARM_HOSTS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** System of vehicles in other processes (program/systems.c). */
extern const struct swarm_system swarm_hosts_system;

#endif
