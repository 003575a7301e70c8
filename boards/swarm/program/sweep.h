/* SPDX-License-Identifier: Apache-2.0 */
/** The runs of a sweep (fleet/sweep.h): a process for each, files merged by the run's number. */
#ifndef MF_BOARDS_SWARM_SWEEP_H
#define MF_BOARDS_SWARM_SWEEP_H

#include "boards/swarm/core/command.h"
#include "boards/swarm/core/swarm.h"

/**
 * @brief Run what has no result yet, then merge. Killed anywhere and begun again, the merged files
 * have the same bytes, whatever --jobs is. With --variation one run by its number, without merging;
 * with --merge only that; with --kubernetes the manifest of a Job that runs them all.
 * @return SWARM_OK; SWARM_FAILED, SWARM_FROZEN: the worst of the runs; SWARM_INPUT: an error is
 * set; SWARM_SIGNAL
 */
int swarm_sweep(struct swarm *w, const struct swarm_command *c, const volatile int *stop);

#endif
