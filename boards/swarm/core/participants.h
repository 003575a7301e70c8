/* SPDX-License-Identifier: Apache-2.0 */
/** Table of participants at the end of a run: each other program that took part, the time of its
 * end, and the reason. */
#ifndef MF_BOARDS_SWARM_CORE_PARTICIPANTS_H
#define MF_BOARDS_SWARM_CORE_PARTICIPANTS_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

/** Participant that has ended. */
struct swarm_participant {
    const char *kind; /**< kind of program, a static string: "bus" */
    const char *name;
    mf_us_t until_us; /**< vehicle time at which it ended */
    double wall_s;    /**< wall time from its beginning to its end [s] */
    const char *how;  /**< reason of its end: "code 0", "was silent" */
};

/** @brief Add a line to the table, of at most 4,096 lines. */
void swarm_participants_add(struct swarm *w, const struct swarm_participant *p);

/** System that prints the table when all others have closed. */
extern const struct swarm_system swarm_participants_system;

#endif
