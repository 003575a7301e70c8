/* SPDX-License-Identifier: Apache-2.0 */
/** Mean and 95 % interval of what the runs of a sweep came to. */
#ifndef MF_BOARDS_SWARM_MEANS_H
#define MF_BOARDS_SWARM_MEANS_H

#include "boards/swarm/core/swarm.h"

/** @brief Write OUT/means.csv from the merged files of a sweep: of runs that differ by seed and
 * draws only, the simulated time and the figures of outputs.stats and outputs.counts. Without such
 * runs it writes nothing.
 * @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_means(struct swarm *w, const char *out);

#endif
