/* SPDX-License-Identifier: Apache-2.0 */
/** Comparison of a run with recorded flights in position, spacing and coverage. */
#ifndef MF_BOARDS_SWARM_COMPARE_H
#define MF_BOARDS_SWARM_COMPARE_H

#include <stddef.h>

/** @brief Print the comparison. Each member of a run, in the order of its file, is compared with
 *  one recording. Both count time from their take-off.
 *  @param file  [n] the CSV of a run (outputs.csv), then telemetry logs
 *  @return SWARM_OK; SWARM_INPUT with a line on stderr */
int swarm_compare(char *const *file, size_t n);

#endif
