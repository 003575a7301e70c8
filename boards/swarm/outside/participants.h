/* SPDX-License-Identifier: Apache-2.0 */
/** The table at the end of a run: who has taken part from outside, for how long, and how it ended.
 */
#ifndef MF_BOARDS_SWARM_PARTICIPANTS_H
#define MF_BOARDS_SWARM_PARTICIPANTS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** One that takes part no more. */
struct swarm_participant {
    const char *kind; /**< static */
    const char *name;
    mf_us_t until_us; /**< the swarm's time at which it left */
    double wall_s;    /**< time of the wall that it was there */
    const char *how;  /**< it has ended */
};

/** @brief It has a line in the table; beyond 4,096 lines it has none. */
void swarm_participants_note(const struct swarm_participant *p);

/** The table of programs that took part, at the end of a run. */
extern const struct swarm_system swarm_participants_system;

#endif
