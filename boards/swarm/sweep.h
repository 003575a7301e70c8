/* SPDX-License-Identifier: Apache-2.0 */
/** All variations and seeds of a scenario: a process for each run, files merged by the run's
 * number. */
#ifndef MF_BOARDS_SWARM_SWEEP_H
#define MF_BOARDS_SWARM_SWEEP_H

#include "boards/swarm/command.h"
#include "boards/swarm/swarm.h"

/** Most runs of a sweep. */
#define SWARM_SWEEP_MAX 100000u

/**
 * @brief Run what has no result yet, then merge. Killed anywhere and begun again, the merged files
 * have the same bytes, whatever --jobs is.
 * @return SWARM_OK; SWARM_FAILED, SWARM_FROZEN: the worst of the runs; SWARM_INPUT: an error is
 * set; SWARM_SIGNAL
 */
int swarm_sweep(struct swarm *w, const struct swarm_command *c, const volatile int *stop);

#endif
