/* SPDX-License-Identifier: Apache-2.0 */
/** Runs of a sweep (fleet/sweep.h): each is a process, and their files are merged by run number. */
#ifndef MF_BOARDS_SWARM_SWEEP_H
#define MF_BOARDS_SWARM_SWEEP_H

#include "boards/swarm/core/command.h"
#include "boards/swarm/core/swarm.h"

/**
 * @brief Run all runs that lack a result, then merge their files. If a sweep is killed and started
 * again, the merged files have the same bytes, with any --jobs. With --variation one run by its
 * number, without merging; with --merge only the merging; with --kubernetes print the manifest of a
 * Job that runs them all.
 * @return SWARM_OK; SWARM_FAILED, SWARM_FROZEN: the worst of the runs; SWARM_INPUT: an error is
 * set; SWARM_SIGNAL
 */
int swarm_sweep(struct swarm *w, const struct swarm_command *c, const volatile int *stop);

#endif
