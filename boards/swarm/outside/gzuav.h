/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Clients of gzuav (fleet/gzuav.h) in a swarm: subscribers that run once a tick, first those of
 * phase 0, then those of phase 1, which are told all positions; and nodes that send packets to each
 * other. Time waits for all of them (docs/cosim.md).
 */
#ifndef MF_BOARDS_SWARM_GZUAV_H
#define MF_BOARDS_SWARM_GZUAV_H

#include "boards/swarm/core/swarm.h"

/** @brief Listen, if the scenario says so. @param stop  set by a signal
 *  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_gzuav_open(struct swarm *w, const volatile int *stop);

/** @brief Wait for the subscribers that time 0 waits for; ticks are set.
 *  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_gzuav_begin(struct swarm *w);

/** @brief Is a member a node? Its packets wait for its next phase 1. */
bool swarm_gzuav_has(const struct swarm *w, uint32_t member);

/** @brief Has a client that fell silent ended the run? An error is set. */
bool swarm_gzuav_failed(const struct swarm *w);

/** @brief All are let go. */
void swarm_gzuav_close(struct swarm *w);

#endif
