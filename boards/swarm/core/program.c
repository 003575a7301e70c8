/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes the program, since a checkpoint and the leaves of a run need the same build.
 * time/checkpoint.c and hosts/ call it. */
#include "boards/swarm/core/program.h"

#include "hal-sim/image.h"

#include <link.h>
#include <stddef.h>

/* Add one loaded object to the hash: its code and constants, and the size of its variables. */
static int add_program(struct dl_phdr_info *info, size_t size, void *ctx)
{
    uint64_t *sum = ctx;
    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD) {
            continue;
        }
        const uint64_t place[] = {segment->p_vaddr, segment->p_memsz};
        *sum = mf_image_sum(*sum, place, sizeof place);
        if ((segment->p_flags & PF_W) == 0) {
            // NOLINTNEXTLINE(performance-no-int-to-ptr): where the program is loaded
            *sum = mf_image_sum(*sum, (const void *)(info->dlpi_addr + segment->p_vaddr),
                                segment->p_memsz);
        }
    }
    return 1; /* the program is the first object; leave out libraries */
}

uint64_t swarm_program_sum(void)
{
    uint64_t sum = 0;
    (void)dl_iterate_phdr(add_program, &sum);
    return sum;
}
