/* SPDX-License-Identifier: Apache-2.0 */
/** Capacities of this board. All are static arrays; what is not used costs addresses only. */
#ifndef MF_BOARDS_POSIX_LIMITS_H
#define MF_BOARDS_POSIX_LIMITS_H

#include "host/http/http.h"

/** Drones of this process. */
#define BOARD_DRONES 1u
/** Peers at once: TCP connections, UDP peers, serial devices. */
#define BOARD_LINKS 128u
/** Links of a drone: all of them, and that of the control API within the process. */
#define BOARD_DRONE_LINKS (BOARD_LINKS + 1u)
/** Numbers of peers for clients of TCP servers and for UDP peers; configured links have places of
 * their own, and both share the rest. */
#define BOARD_LINKS_TCP 64u
#define BOARD_LINKS_UDP 16u
/** Connections to the control API at once. */
#define BOARD_HTTP_CLIENTS MF_HTTP_CONNECTIONS_MAX
/** Maximum number of pieces of 2 kB in transit on all links with a quality. */
#define BOARD_QUALITY_CHUNKS 2048u
/** Size of the recorder's buffer: a pass that records more takes a second call of the system
 * [bytes]. */
#define BOARD_RECORDER_BYTES 65536u
/** Configured links: servers, clients, serial devices. */
#define BOARD_PORTS 32u
/** Other drones of a world in virtual time that must come: world_drones. */
#define BOARD_WORLD_DRONES 12u
/** Records of the store. */
#define BOARD_PARAMS        512u
#define BOARD_MISSION_ITEMS 10000u
#define BOARD_FENCE_ITEMS   256u
#define BOARD_RALLY_POINTS  256u
#define BOARD_SIGNING       2u
/** Flight logs that are listed; of more, the newest. */
#define BOARD_LOGS 1024u

/** Bytes that a client may leave unread before a free-running clock waits for it. */
#define BOARD_BACKLOG 16384u
/** Passes of a free-running clock between two looks at the network. */
#define BOARD_PASSES 32

#endif
