/* SPDX-License-Identifier: Apache-2.0 */
/** Vehicle time that counts with the wall: when it is due, how late a run is. */
#ifndef MF_BOARDS_SWARM_TIME_REAL_H
#define MF_BOARDS_SWARM_TIME_REAL_H

#include "boards/swarm/core/swarm.h"

/** A wait lasts so long at most, so that the run sees signals [s]. */
#define SWARM_REAL_WALL_S 0.01

/** The run is later than the scenario allows. */
#define SWARM_TOO_LATE (-1)

struct swarm_real {
    double begin_s; /**< time of the wall at vehicle time 0 [s] */
    double rate;    /**< seconds of vehicle time in one of the wall */
    bool counts;    /**< the clock counted with the wall at the last look */
};

/** @brief Let the present vehicle time be due now. */
void swarm_real_restart(struct swarm_real *r, const struct swarm *w);

/** @brief Does the clock of the run count with the wall? After another clock, or at another rate,
 * it counts from now. */
bool swarm_real_counts(struct swarm_real *r, const struct swarm *w);

/** @brief Wait until @p to_us or @p next_us is due, for SWARM_REAL_WALL_S at most, or until a
 * client sends.
 *  @param next_us  the next instant at which anything happens, by which lateness is measured
 *  @return how far time may go; SWARM_TOO_LATE */
mf_us_t swarm_real_follow(struct swarm_real *r, struct swarm *w, mf_us_t to_us, mf_us_t next_us);

#endif
