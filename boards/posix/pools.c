/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/posix/pools.h"

#include <sys/mman.h>

const uint32_t board_pool_bytes = sizeof(struct board_pools);

struct board_pools *board_pools_map(void)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    void *at = mmap(NULL, board_pool_bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (at == MAP_FAILED) {
        return NULL;
    }
    (void)madvise(at, board_pool_bytes, MADV_NOHUGEPAGE); /* one byte must not cost 2 MB */
    return at;
}
