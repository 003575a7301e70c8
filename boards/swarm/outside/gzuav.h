/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Clients of gzuav (fleet/gzuav.h) in a swarm. Subscribers run once a tick: first those of phase 0,
 * then those of phase 1, which receive all positions. Nodes send packets to each other. Time waits
 * for all of them (docs/cosim.md).
 */
#ifndef MF_BOARDS_SWARM_GZUAV_H
#define MF_BOARDS_SWARM_GZUAV_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** System of gzuav's clients. */
extern const struct swarm_system swarm_gzuav_system;

#endif
