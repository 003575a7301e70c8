/* SPDX-License-Identifier: Apache-2.0 */
/** A run beside recorded flights: how far they differ in position, spacing and coverage. */
#ifndef MF_BOARDS_SWARM_COMPARE_H
#define MF_BOARDS_SWARM_COMPARE_H

#include <stddef.h>

/** @brief Print it. Each member of a run, in the order of its file, is compared with a recording.
 *  Both count time from their take-off.
 *  @param file  [n] the CSV of a run (outputs.csv), then telemetry logs
 *  @return SWARM_OK; SWARM_INPUT: a line on stderr says why */
int swarm_compare(char *const *file, size_t n);

#endif
