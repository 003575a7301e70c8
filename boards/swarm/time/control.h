/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Controls that hold the time of a swarm and let it go on: the functions of run.h, two signals, and
 * controllers on the time socket (docs/time.md). The swarm is one participant there. The strictest
 * counts.
 */
#ifndef MF_BOARDS_SWARM_CONTROL_H
#define MF_BOARDS_SWARM_CONTROL_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** While time stands, a signal that just missed the sleep is seen after this. */
#define SWARM_STANDING_WALL_S 0.05

/** @brief The run obeys SIGUSR1 and SIGUSR2 from now on, and controllers that connect to
 * --time-socket or that --time-server names. @return SWARM_OK; SWARM_INPUT with an error set */
int swarm_control_open(struct swarm *w);

/** @brief Take up what was said meanwhile. @param next_us  the next instant at which anything
 * happens, MF_NEVER  @return time up to which the run may go on, MF_NEVER */
mf_us_t swarm_control_turn(struct swarm *w, mf_us_t next_us);

/** @brief Does a command take effect in the next turn? */
bool swarm_control_pending(const struct swarm *w);

/** @brief Time stands: sleep until a controller says something. @param wait_s  at most */
void swarm_control_wait(struct swarm *w, double wait_s);

/** @brief Time stands: wait shortly for clients and controllers. */
void swarm_control_rest(struct swarm *w);

/** @brief The run is over: those who wait for this time are told, and let go. */
void swarm_control_close(struct swarm *w);

/** Controllers of time. */
extern const struct swarm_system swarm_control_system;

extern const size_t swarm_signals_bytes;

#endif
