/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/posix/memory.h"

#include "boards/posix/limits.h"
#include "drone/drone.h"
#include "drone/inside.h"
#include "firmware/state/ftp.h"
#include "firmware/state/journal.h"
#include "firmware/state/shell.h"
#include "firmware/state/signing.h"
#include "hal/archive.h"

_Static_assert(BOARD_PARAMS >= MF_PARAM_COUNT, "every parameter fits into the store");

/* Two banks of an area of the store. */
#define BANKS(name, count) uint8_t name[2][(count)*MF_STORE_##name##_BYTES]

static struct {
    struct mf_drone drone;
    struct mf_inside inside;
    struct mf_link links[BOARD_DRONE_LINKS];
    struct mf_shell shells[BOARD_DRONE_LINKS];
    struct mf_barrier barriers[BOARD_DRONE_LINKS];
    struct mf_signing signing;
    struct mf_ftp ftp;
    struct mf_journal journal;
    struct mf_remote_id_card remote_id;
    struct mf_connection connections[BOARD_DRONE_LINKS];
    struct mf_archive_info logs[BOARD_LOGS];
    struct {
        BANKS(PARAM, BOARD_PARAMS);
        BANKS(MISSION, BOARD_MISSION_ITEMS);
        BANKS(FENCE, BOARD_FENCE_ITEMS);
        BANKS(RALLY, BOARD_RALLY_POINTS);
        BANKS(SIGNING, BOARD_SIGNING);
    } bank;
} s_memory[BOARD_DRONES];

static int32_t s_interval_us[BOARD_PORTS][MF_STREAM_COUNT];

struct board_memory board_memory(uint16_t index)
{
    MF_ASSERT(index < BOARD_DRONES);
    struct board_memory memory = {.drone = &s_memory[index].drone,
                                  .inside = &s_memory[index].inside,
                                  .connections = s_memory[index].connections,
                                  .logs = s_memory[index].logs,
                                  .remote_id = &s_memory[index].remote_id};
#define X(name, size)                                                                         \
    memory.banks[MF_STORE_##name] =                                                           \
        (struct mf_store_banks){{s_memory[index].bank.name[0], s_memory[index].bank.name[1]}, \
                                sizeof s_memory[index].bank.name[0] / (size)};
    MF_STORE_AREA_LIST(X)
#undef X
    return memory;
}

void board_memory_pools(uint16_t index, struct mf_setup *setup)
{
    MF_ASSERT(index < BOARD_DRONES && setup != NULL);
    setup->links = s_memory[index].links;
    setup->shells = s_memory[index].shells;
    setup->barriers = s_memory[index].barriers;
    setup->signing = &s_memory[index].signing;
    setup->ftp = &s_memory[index].ftp;
    setup->journal = &s_memory[index].journal;
    setup->remote_id = &s_memory[index].remote_id;
    setup->link_count = BOARD_DRONE_LINKS;
}

int32_t *board_intervals(uint16_t port)
{
    MF_ASSERT(port < BOARD_PORTS);
    return s_interval_us[port];
}
