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
 * their own. A second swarm of a process has the next place. The smallest address space of RISC-V
 * (Sv39) has 256 GB for a program. */
#ifdef __riscv
#define ARENA_AT UINT64_C(0x2000000000)
#else
#define ARENA_AT UINT64_C(0x200000000000)
#endif
#define ARENA_BYTES (ARENA_AT / ARENAS) /* of addresses, for each swarm of the process */
#define ARENAS      16u
/* Least growth of the arena [bytes]. Pages that the run does not touch cost only addresses. */
#define GROW_BYTES ((size_t)1 << 20)

/* @return whether these addresses were free */
static bool map_pages(uint8_t *at, size_t bytes)
{
    void *got = mmap(at, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != at && got != MAP_FAILED) { /* a kernel older than the flag takes it for a wish */
        (void)munmap(got, bytes);
        errno = EEXIST;
    }
    return got == at;
}

static bool grow_arena(struct mf_memory *arena, size_t bytes)
{
    const size_t more = (bytes + GROW_BYTES - 1u) / GROW_BYTES * GROW_BYTES;
    bool mapped = arena->bytes != NULL && arena->size + more <= ARENA_BYTES &&
                  map_pages(arena->bytes + arena->size, more);
    for (size_t k = 0; k < ARENAS && arena->bytes == NULL; k++) {
        // NOLINTNEXTLINE(performance-no-int-to-ptr): a place that is the same in each process
        uint8_t *at = (uint8_t *)(uintptr_t)(ARENA_AT + k * ARENA_BYTES);
        mapped = more <= ARENA_BYTES && map_pages(at, more);
        arena->bytes = mapped ? at : NULL;
        if (!mapped && errno != EEXIST) {
            break;
        }
    }
    arena->size += mapped ? more : 0;
    return mapped;
}

void *swarm_memory(struct swarm *w, int line, size_t bytes)
{
    struct mf_memory *arena = &w->arena;
    if (arena->size - arena->used < MF_MEMORY_BYTES(bytes) &&
        !grow_arena(arena, MF_MEMORY_BYTES(bytes))) {
        (void)swarm_refuse(w, line, "no memory (%zu MB): %s", bytes / 1000000u + 1u,
                           strerror(errno));
        return NULL;
    }
    return mf_memory_part(arena, NULL, bytes);
}

void swarm_memory_free(struct swarm *w)
{
    if (w->arena.bytes != NULL) {
        (void)munmap(w->arena.bytes, w->arena.size);
    }
    w->arena = (struct mf_memory){.bytes = NULL};
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
