/* SPDX-License-Identifier: Apache-2.0 */
/** Summary of a run for a person, and its result for a sweep. */
#ifndef MF_BOARDS_SWARM_SUMMARY_H
#define MF_BOARDS_SWARM_SUMMARY_H

#include "boards/swarm/core/swarm.h"

/** @brief Processor time of this process so far [s]. */
double swarm_cpu_s(void);

/** @brief Write the summary of a run to the standard output. */
void swarm_summary_print(const struct swarm *w, const struct swarm_took *took);

/** @brief Write --result, a line of CSV. The file is renamed to its path when it is complete,
 *  since a sweep repeats runs that lack a result.
 *  @return @p code; SWARM_INPUT with an error set */
int swarm_result_write(struct swarm *w, int code);

#endif
