/* SPDX-License-Identifier: Apache-2.0 */
/** What participants of a run say to each other, a canonical line for each message: two runs are
 * the same if these lines are, whose SHA-256 names the run. */
#ifndef MF_BOARDS_SWARM_TRACE_H
#define MF_BOARDS_SWARM_TRACE_H

#include "boards/swarm/core/swarm.h"

/** @brief From now on lines are written. @param path  NULL: none are
 *  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_trace_open(struct swarm *w, const char *path);

/** @brief A line "TIME WHAT", the time in nanoseconds; nothing without a trace. */
__attribute__((format(printf, 3, 4))) void swarm_trace(struct swarm *w, uint64_t at_ns,
                                                       const char *format, ...);

/** @brief Lines from here on are said side by side, and come in any order... */
void swarm_trace_hold(struct swarm *w);

/** @brief ... up to here: they are written in the order of their bytes. */
void swarm_trace_release(struct swarm *w);

/** @brief A short name of bytes, for a line: their number and the beginning of their SHA-256.
 *  @param text  out [SWARM_TRACE_BYTES_MAX] */
#define SWARM_TRACE_BYTES_MAX 32u
void swarm_trace_bytes(const void *bytes, size_t n, char *text);

/** @brief The file is complete, and a line of the summary names the run. @return false: it took not
 *  all */
bool swarm_trace_close(struct swarm *w);

#endif
