/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Controls that hold the time of a swarm and let it go on: the functions of hold.h, two signals,
 * and controllers on the time socket (docs/time.md). The swarm is one participant there. The
 * strictest counts.
 */
#ifndef MF_BOARDS_SWARM_CONTROL_H
#define MF_BOARDS_SWARM_CONTROL_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** While time stands, a signal that just missed the sleep is seen after this. */
#define SWARM_STANDING_WALL_S 0.05

/** @brief Does a command take effect in the next turn? */
bool swarm_control_has_command(const struct swarm *w);

/** @brief Time stands: wait shortly for clients and controllers. */
void swarm_control_wait(struct swarm *w);

/** Controllers of time. */
extern const struct swarm_system swarm_control_system;

extern const size_t swarm_signals_bytes;

#endif
