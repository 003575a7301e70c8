/* SPDX-License-Identifier: Apache-2.0 */
/** Memory of a run. */
#ifndef MF_BOARDS_SWARM_CORE_ARENA_H
#define MF_BOARDS_SWARM_CORE_ARENA_H

#include <stddef.h>

struct swarm;

/** @brief Memory of the run, zeroed, at the same address in every process of a scenario: what
 * vehicles, timers and groups point to lies here. Nothing is given back.
 *  @param line  of the scenario, for the error  @return NULL with an error set */
void *swarm_memory(struct swarm *w, int line, size_t bytes);

/** @brief An array with room for one more. @return NULL: there is no memory, and it is as before */
void *swarm_with_room(void *array, size_t count, size_t *capacity, size_t size);

#endif
