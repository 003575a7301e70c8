/* SPDX-License-Identifier: Apache-2.0 */
/** Trace of a run: one canonical line for each message between participants, and one for the hash.
 * Two runs are the same if their lines are; the SHA-256 of the lines names the run. */
#ifndef MF_BOARDS_SWARM_CORE_TRACE_H
#define MF_BOARDS_SWARM_CORE_TRACE_H

#include "boards/swarm/core/swarm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct swarm_trace;

/** @return the state; NULL: the run lacks this part */
static inline struct swarm_trace *swarm_trace_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_TRACE];
}

/** @brief Write a line "TIME TEXT". @param t  NULL: write nothing
 *  @param at_ns  time of the message [ns] */
__attribute__((format(printf, 3, 4))) void swarm_trace(struct swarm_trace *t, uint64_t at_ns,
                                                       const char *format, ...);

/** @brief Collect lines from now on, since participants send them in any order. @param t  or NULL
 */
void swarm_trace_hold(struct swarm_trace *t);

/** @brief Write the collected lines in the order of their bytes. @param t  or NULL */
void swarm_trace_release(struct swarm_trace *t);

/** @brief Write a line "TIME NAME: LENGTH:SHA-256" of bytes that a participant sends or gets. Lines
 *  of one time stand behind those of swarm_trace(), in the order of their names, then in that of
 * the calls. Any thread. @param t  NULL: write nothing
 *  @param at_ns  time of the bytes [ns], not before the last SWARM_DRAIN
 *  @param whole  they are a message; false: a part of a stream, of which one line has all bytes of
 *  one name and time, however they were cut
 *  @param n  may be 0 only for a whole message  @param format  of the name */
__attribute__((format(printf, 6, 7))) void swarm_trace_carry(struct swarm_trace *t, uint64_t at_ns,
                                                             bool whole, const void *bytes,
                                                             size_t n, const char *format, ...);

/** @brief Text for bytes in a line: their number and the beginning of their SHA-256.
 *  @param text  out [SWARM_TRACE_BYTES_MAX] */
#define SWARM_TRACE_BYTES_MAX 32u
void swarm_trace_bytes(const void *bytes, size_t n, char *text);

/** System of the file of --trace. */
extern const struct swarm_system swarm_trace_system;

#endif
