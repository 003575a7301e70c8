/* SPDX-License-Identifier: Apache-2.0 */
/** What participants of a run say to each other, a canonical line for each message: two runs are
 * the same if these lines are, whose SHA-256 names the run. */
#ifndef MF_BOARDS_SWARM_TRACE_H
#define MF_BOARDS_SWARM_TRACE_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/core/system.h"

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

/** Lines of --trace. */
extern const struct swarm_system swarm_trace_system;

#endif
