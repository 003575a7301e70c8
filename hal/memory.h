/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Memory of a board, of which parts are made when they are first used. Parts are never freed, and
 * keep their owner, also over a restart. One memory may serve several drones of one thread.
 */
#ifndef MF_HAL_MEMORY_H
#define MF_HAL_MEMORY_H

#include "hal/types.h"

/** Parts begin at multiples of this [bytes]. */
#define MF_MEMORY_ALIGN 16u
/** Upper limit of the memory of a part, at any start address [bytes]. */
#define MF_MEMORY_BYTES(part_bytes) ((part_bytes) + MF_MEMORY_ALIGN)

struct mf_memory {
    uint8_t *bytes; /**< [size], the board's */
    size_t size;
    size_t used; /**< initially 0 */
};

/** Make a part, or return the present one. @param memory  may be NULL: without memory
 * @param part  present part; may be NULL @return [n] bytes of any content, or NULL: the memory is
 * full */
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
