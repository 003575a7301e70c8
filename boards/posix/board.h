/* SPDX-License-Identifier: Apache-2.0 */
/** The drone as a process: what its files share. */
#ifndef MF_BOARDS_POSIX_BOARD_H
#define MF_BOARDS_POSIX_BOARD_H

#include "boards/posix/exec.h"
#include "boards/posix/pools.h"
#include "drone/drone.h"
#include "firmware/state/version.h"
#include "hal-posix/achieved.h"
#include "hal-posix/archive_file.h"
#include "hal-posix/clock.h"
#include "hal-posix/loop.h"
#include "hal-posix/store_file.h"
#include "host/api/api.h"
#include "host/base/guard.h"
#include "host/base/log.h"
#include "host/config/config.h"
#include "host/time/time_control.h"

/* A peer of the network and the link of the vehicle that serves it. */
struct board_peer {
    bool open;
    uint16_t port;
    char name[MF_RECORD_NAME_BYTES]; /**< of the link; longer ones are cut */
};

/* Two banks of an area of the store. */
#define BOARD_BANKS(name, count) uint8_t name[2][(count)*MF_STORE_##name##_BYTES]

/** The memory that a drone stands in. Of what is not used no page is touched. */
struct board_memory {
    struct mf_link links[BOARD_LINKS];
    struct mf_shell shells[BOARD_LINKS];
    struct mf_barrier barriers[BOARD_LINKS];
    struct mf_signing signing;
    struct mf_ftp ftp;
    struct mf_connection connections[BOARD_LINKS];
    struct mf_archive_info logs[BOARD_LOGS];
    struct {
        BOARD_BANKS(PARAM, BOARD_PARAMS);
        BOARD_BANKS(MISSION, BOARD_MISSION_ITEMS);
        BOARD_BANKS(FENCE, BOARD_FENCE_ITEMS);
        BOARD_BANKS(RALLY, BOARD_RALLY_POINTS);
        BOARD_BANKS(SIGNING, BOARD_SIGNING);
    } bank;
    struct mf_journal journal;
};

struct board {
    struct mf_config config;
    struct mf_endpoint endpoint[BOARD_PORTS];
    int32_t interval_us[BOARD_PORTS][MF_STREAM_COUNT];
    struct mf_log log;
    struct mf_pace pace;
    struct mf_achieved achieved;
    struct mf_remote_id_card remote_id;
    mf_us_t utc_offset_us; /* UTC at monotonic time 0 */
    struct mf_store_file store;
    struct mf_archive_file archive;
    struct mf_geoid geoid;
    struct mf_terrain terrain;
    struct board_pools *pools;
    struct mf_net net;
    int record_fd; /* the recorder's file */
    struct mf_loop loop;
    struct board_exec exec;
    struct board_peer peer[BOARD_LINKS];
    uint32_t peers_came, peers_went; /* those that speak MAVLink */
    bool ended;                      /* the vehicle has run its last pass */
    bool backlog;                    /* a client has not taken what the last passes sent */
    bool connected; /* a client of a server port has been heard, or none is waited for */
    struct mf_time_control time;
    struct mf_api api;
    struct mf_http http;
    struct mf_drone drone;
    struct mf_wiring wiring;
    struct mf_memory parts; /* of its world and its wiring */
    struct board_memory memory;
    struct mf_guard guard; /* names the drone if an assertion fails */
};

/** How each clock paces. */
extern const enum mf_pace_mode board_pace_mode[MF_CLOCK_COUNT];

/** What the network reports, with struct board as its context (peers.c). */
extern const struct mf_net_events board_net_events;

/** What the control API asks, with struct board as its context (requests.c). */
extern const struct mf_api_ops board_api_ops;

/** @brief A line of the log at the present vehicle time. */
void board_log(struct board *b, enum mf_severity severity, const char *topic, const char *text);

/** @brief Where a client reaches a server: one that listens everywhere is here, too.
 *  @param text  out [MF_ADDR_TEXT_MAX] */
void board_reachable_text(const struct mf_net_port *port, char *text);

/** @brief A frame came in on a server port: a program that only tries the port is no client. */
bool board_is_heard(const struct board *b);

/** @brief One turn of the control API. @return when to come back at the latest */
mf_us_t board_serve_requests(struct board *b);

#endif
