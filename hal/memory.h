/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Memory of the board's, of which parts are made when they are first used. Nothing is given back;
 * whoever has a part keeps it, over a restart, too. One memory may serve several drones of
 * one thread.
 */
#ifndef MF_HAL_MEMORY_H
#define MF_HAL_MEMORY_H

#include "hal/types.h"

/** Parts begin at multiples of this [bytes]. */
#define MF_MEMORY_ALIGN 16u
/** What a part takes up at most, wherever it begins [bytes]. */
#define MF_MEMORY_BYTES(part_bytes) ((part_bytes) + MF_MEMORY_ALIGN)

struct mf_memory {
    uint8_t *bytes; /**< [size], the board's */
    size_t size;
    size_t used; /**< initially 0 */
};

/** @brief The part that is there already, or a new one. @param memory  may be NULL: there is none
 *  @param part  NULL: none yet  @return [n] bytes of any content, or NULL: no room */
static inline void *mf_memory_part(struct mf_memory *memory, void *part, size_t n)
{
    if (part != NULL || memory == NULL) {
        return part;
    }
    MF_ASSERT(memory->used <= memory->size && n > 0);
    uint8_t *const at = memory->bytes + memory->used;
    const size_t gap = (MF_MEMORY_ALIGN - (uintptr_t)at % MF_MEMORY_ALIGN) % MF_MEMORY_ALIGN;
    if (memory->size - memory->used < gap || memory->size - memory->used - gap < n) {
        return NULL;
    }
    memory->used += gap + n;
    return at + gap;
}

#endif
