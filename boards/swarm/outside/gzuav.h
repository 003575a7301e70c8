/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Clients of gzuav (fleet/gzuav.h) in a swarm: subscribers that run once a tick, first those of
 * phase 0, then those of phase 1, which are told all positions; and nodes that send packets to each
 * other. Time waits for all of them (docs/cosim.md).
 */
#ifndef MF_BOARDS_SWARM_GZUAV_H
#define MF_BOARDS_SWARM_GZUAV_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** @brief Is a member a node? Its packets wait for its next phase 1. */
bool swarm_gzuav_has(const struct swarm *w, uint32_t member);

/** Clients of gzuav. */
extern const struct swarm_system swarm_gzuav_system;

#endif
