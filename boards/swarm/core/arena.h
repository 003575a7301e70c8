/* SPDX-License-Identifier: Apache-2.0 */
/** Memory of a run, and arrays that grow. */
#ifndef MF_BOARDS_SWARM_CORE_ARENA_H
#define MF_BOARDS_SWARM_CORE_ARENA_H

#include <stddef.h>

struct swarm;

/** @brief Allocate zeroed memory of the run, at the same address in every process of a scenario.
 *  Vehicles, timers and groups may point to it; it stays until swarm_memory_free().
 *  @param line  line of the scenario, for the error
 *  @return NULL with an error set */
void *swarm_memory(struct swarm *w, int line, size_t bytes);

/** @brief Give the memory of the run back to the system. */
void swarm_memory_free(struct swarm *w);

/** @brief Grow an array, so that it has room for one more element.
 *  @return the array; NULL: memory is exhausted, and the array is unchanged */
void *swarm_with_room(void *array, size_t count, size_t *capacity, size_t size);

#endif
