/* SPDX-License-Identifier: Apache-2.0 */
/** The drone as a process: what its files share. */
#ifndef MF_BOARDS_POSIX_BOARD_H
#define MF_BOARDS_POSIX_BOARD_H

#include "boards/posix/drone.h"
#include "boards/posix/exec.h"
#include "boards/posix/pools.h"
#include "boards/posix/virtual.h"
#include "hal-posix/clock.h"
#include "hal-posix/lifetime.h"
#include "hal-posix/loop.h"
#include "host/config/config.h"
#include "world/earth.h"

/* A peer of the network, and the drone that it is a link of. */
struct board_peer {
    struct board_drone *drone; /* NULL: none */
    uint16_t port;
    char name[MF_RECORD_NAME_BYTES]; /**< of the link; longer ones are cut */
};

/** The process: what all its drones share, and they. */
struct board {
    struct mf_config config;
    struct mf_endpoint endpoint[BOARD_PORTS];
    struct mf_geoid geoid; /* with its cache, as the terrain: of one thread */
    struct mf_terrain terrain;
    struct board_pools *pools;
    struct mf_net net;
    struct board_peer peer[BOARD_LINKS];
    uint32_t peers_came, peers_went; /* those that speak MAVLink */
    struct mf_loop loop;
    struct mf_lifetime lifetime;
    struct board_exec exec;
    struct board_virtual virtual_time;
    struct mf_http http;
    struct mf_api_server server;
    struct mf_api api[BOARD_DRONES];
    struct board_drone drone[BOARD_DRONES];
};

/** Modes of pace of the clocks. */
extern const enum mf_pace_mode board_pace_mode[MF_CLOCK_COUNT];

/** Handlers of the network's events; their context is struct board (peers.c). */
extern const struct mf_net_events board_net_events;

/** The control API asks its board by these; the context is a struct board_drone (requests.c). */
extern const struct mf_api_ops board_api_ops;

/** Number of the word of a setting: vehicle time begins with the first client. */
#define MF_START_CONNECT 1

/** @brief A line of the log at the present vehicle time of the first drone. */
void board_log(struct board *b, enum mf_severity severity, const char *topic, const char *text);

/** Address at which a client of this machine reaches a server, also if the server listens on all
 * addresses. @param text  out [MF_ADDR_TEXT_MAX] */
void board_reachable_text(const struct mf_net_port *port, char *text);

/** True if a client of a server port has sent a frame: a program that only tries the port does not
 * count. */
bool board_is_heard(const struct board_drone *d);

/** Run a turn of the control API. @return latest time of the next one */
mf_us_t board_serve_requests(struct board *b);

#endif
