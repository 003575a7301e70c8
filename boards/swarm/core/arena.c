/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates memory of a run at one address in every process, and grows arrays. Systems of all
 * rooms call it. */
#include "boards/swarm/core/arena.h"

#include "boards/swarm/core/swarm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Address of the arena, the same in every process: operating systems do not map memory there on
 * their own. The smallest address space of RISC-V (Sv39) has 256 GB for a program. */
#ifdef __riscv
#define ARENA_AT ((void *)UINT64_C(0x2000000000))
#else
#define ARENA_AT ((void *)UINT64_C(0x200000000000))
#endif
/* Least growth of the arena [bytes]. Pages that the run does not touch cost only addresses. */
#define GROW_BYTES ((size_t)1 << 20)

static bool grow(struct mf_memory *arena, size_t bytes)
{
    uint8_t *end = arena->bytes != NULL ? arena->bytes + arena->size : ARENA_AT;
    const size_t more = (bytes + GROW_BYTES - 1u) / GROW_BYTES * GROW_BYTES;
    const void *at = mmap(end, more, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (at != end) {
        errno = at == MAP_FAILED ? errno : EEXIST;
        return false;
    }
    arena->bytes = arena->bytes != NULL ? arena->bytes : end;
    arena->size += more;
    return true;
}

void *swarm_memory(struct swarm *w, int line, size_t bytes)
{
    struct mf_memory *arena = &w->arena;
    if (arena->size - arena->used < MF_MEMORY_BYTES(bytes) &&
        !grow(arena, MF_MEMORY_BYTES(bytes))) {
        (void)swarm_refuse(w, line, "no memory (%zu MB): %s", bytes / 1000000u + 1u,
                           strerror(errno));
        return NULL;
    }
    return mf_memory_part(arena, NULL, bytes);
}

void *swarm_with_room(void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) {
        return array;
    }
    const size_t more = *capacity == 0 ? 1024 : 2 * *capacity;
    void *grown = realloc(array, more * size);
    if (grown != NULL) {
        *capacity = more;
    }
    return grown;
}
