/* SPDX-License-Identifier: Apache-2.0 */
/** The loop of a run, from the first instant to the end. */
#ifndef MF_BOARDS_SWARM_RUN_H
#define MF_BOARDS_SWARM_RUN_H

#include "boards/swarm/core/swarm.h"

/** Memory of the engine. */
extern const struct swarm_system swarm_run_system;

/** @brief Run to the end, or until w->hold.stop is set.
 *  @param progress  a line on stderr each second
 *  @return SWARM_OK; SWARM_FAILED: late, where the scenario does not allow that */
int swarm_run(struct swarm *w, bool progress);

#endif
