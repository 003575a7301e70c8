/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Largest buffers of this board: 18 MB, of which a drone with few clients touches some pages. They
 * are mapped once, before all else: in .bss they would end the process with SIGSEGV, inside the
 * kernel, if its address space is limited (ulimit -v), without a reason for the user.
 */
#ifndef MF_BOARDS_POSIX_POOLS_H
#define MF_BOARDS_POSIX_POOLS_H

#include "boards/posix/limits.h"
#include "drone/wiring.h"
#include "hal-posix/net.h"
#include "host/api/api.h"
#include "host/http/http.h"
#include "world/world.h"

struct board_pools {
    uint8_t queues[BOARD_LINKS][MF_QUEUE_BYTES];
    uint8_t http_queues[BOARD_HTTP_CLIENTS][MF_NET_HTTP_QUEUE_BYTES];
    uint8_t datagrams[BOARD_PORTS][MF_NET_DATAGRAM_MAX];
    uint8_t parts[BOARD_DRONES][MF_WORLD_PARTS_BYTES +
                                MF_WIRING_QUALITY_BYTES(BOARD_DRONE_LINKS, BOARD_QUALITY_CHUNKS) +
                                MF_WIRING_MISBEHAVE_BYTES(BOARD_DRONE_LINKS) +
                                MF_WIRING_RECORDER_BYTES(BOARD_DRONE_LINKS,
                                                         BOARD_RECORDER_BYTES)]; /* of each drone */
    char large_body[MF_HTTP_LARGE_MAX + 1u];
    struct mf_api_plan plan; /* that the control API reads from it */
};

/** Size of the pools, for `make size`. */
extern const uint32_t board_pool_bytes;

/** Map the pools, all zero; they are never freed. Call it once. @return NULL with errno: too little
 * memory */
struct board_pools *board_pools_map(void);

#endif
