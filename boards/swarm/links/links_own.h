/* SPDX-License-Identifier: Apache-2.0 */
/** Inside the links of a swarm: their memory. For boards/swarm/{links,ports,api*}.c. */
#ifndef MF_BOARDS_SWARM_LINKS_OWN_H
#define MF_BOARDS_SWARM_LINKS_OWN_H

#include "boards/swarm/links/links.h"
#include "drone/wiring.h"
#include "firmware/state/barrier.h"
#include "firmware/state/link.h"
#include "hal-posix/net.h"
#include "mavlink/frame.h"

#include <pthread.h>

/** Peers at once, HTTP clients beside them. */
#define SWARM_PEERS_MAX 24000u
#define SWARM_HTTP      64u
/** Clients of groups and windows at once. */
#define SWARM_MANY 64u
/** A clock that can wait does so while a client has more than this left to read [bytes]. */
#define SWARM_BACKLOG 16384u

/** Numbers of links where a vehicle has wiring, which a recording's telemetry comes before. */
#define SWARM_LINK_FIRST 2u

/** Kinds of port. */
enum swarm_reach {
    SWARM_REACH_ADDRESS, /**< a vehicle by the address */
    SWARM_REACH_GROUP,
    SWARM_REACH_WINDOW,
    SWARM_REACH_OUT, /**< UDP to a host */
    SWARM_REACH_API,
    SWARM_REACHES
};

struct swarm_port {
    enum swarm_reach reach;
    uint32_t first; /**< of a group */
};

/** The clock of a vehicle: transport time passes with vehicle time until its first client, then
 * with the wall, unless links.transport says otherwise. A checkpoint holds it, as one that does not
 * count. */
struct swarm_clock {
    const mf_us_t *now_us;
    const mf_us_t *wall_us; /**< NULL: transport time passes with vehicle time */
    mf_us_t offset_us;      /**< transport time at time 0 of what it passes with */
    mf_us_t due_us;         /**< transport time of its next time-out */
    mf_us_t limit_us;       /**< vehicle time that its clients permit */
    bool counts;            /**< it has had a client */
    bool lent;              /**< its links are of the berth */
    uint8_t watched;        /**< place of who asks for its events or track, from 1; 0: none */
    bool ruled;             /**< it has had rules of misbehaviour */
};

/** One link of a vehicle. */
struct swarm_link {
    struct swarm_links *all;
    uint32_t peer;
    uint32_t vehicle;
    int handle;    /**< of the drone */
    uint8_t alias; /**< system id that its client sees; 0: its own */
    bool open;
    bool reads;        /**< the peer's bytes are for it, now */
    const uint8_t *rx; /**< a frame that is for it, now */
    size_t rx_len;
};

/** Links and buffers, lent to a vehicle with a client. */
struct swarm_berth {
    struct swarm_link link[SWARM_CLIENTS];
    struct mf_link links[SWARM_CLIENTS + 1u]; /**< the last for a visitor */
    struct mf_barrier barriers[SWARM_CLIENTS + 1u];
    struct mf_connection connections[SWARM_LINK_FIRST + SWARM_CLIENTS];
    struct mf_wiring wiring;
};

/** A vehicle among those of a client. */
struct swarm_seat {
    uint32_t vehicle;
    int8_t link; /**< < 0: it had none left */
    uint8_t sysid, alias;
};

/** A client that sees many vehicles. */
struct swarm_many {
    bool used;
    uint32_t count;
    struct swarm_seat seat[SWARM_GROUP];
    struct mf_parser parser;
};

/** What a peer of the network is. */
struct swarm_peer {
    bool open;
    enum swarm_reach reach;
    uint32_t vehicle;
    int link;                /**< of the vehicle */
    struct swarm_many *many; /**< NULL: it sees one vehicle */
    struct mf_serial serial;
    char name[MF_NET_NAME_MAX];
};

struct swarm_api;

/** A queue that the root has, as far as a leaf knows. */
struct swarm_far {
    struct swarm_links *all;
    uint32_t peer;
    size_t written; /**< since it was empty */
};

struct swarm_links {
    struct swarm_far *far; /**< [members * SWARM_CLIENTS] of a leaf; NULL: the clients are here */
    struct swarm *w;
    struct mf_net net;
    struct swarm_port *port;   /**< [net.port_count] */
    struct swarm_peer *peer;   /**< [net.memory.peer_max], then those of wires */
    struct swarm_many *many;   /**< [SWARM_MANY] */
    struct swarm_clock *clock; /**< [members], in the arena */
    struct swarm_berth *berth; /**< [members]; touched where there is a client */
    uint32_t *observed;        /**< [members]: those that have had a client */
    uint32_t observed_count;
    uint32_t open; /**< links */
    uint32_t window[SWARM_GROUP];
    uint32_t window_count;
    uint32_t address; /**< of vehicle 1, less one; 0: they have none */
    uint16_t address_port;
    mf_us_t begun_us;  /**< wall time of the boot */
    uint32_t next_out; /**< vehicle to which the next peer of UDP out belongs */
    bool adding;       /**< it comes now */
    uint32_t turned_away;
    mf_us_t wall_us;
    mf_us_t due_us; /**< wall time of the next time-out, or of the API */
    bool threads;
    bool ended;           /**< vehicles run no more */
    pthread_mutex_t lock; /**< of the network, while vehicles run */
    int32_t interval_us[2][SWARM_REACHES][MF_STREAM_COUNT]; /**< [1]: with remote identification */
    struct swarm_api *api;                                  /**< NULL: none */
};

/** @brief What the network reports; the context is the struct swarm_links. */
extern const struct mf_net_events swarm_net_events;

/** @brief The instant at which something may happen to a vehicle between two pieces of time. */
mf_us_t swarm_present_us(const struct swarm *w, uint32_t i);

/** @brief The vehicles of the window are others from now on. @param vehicle  [count], at most
 * SWARM_GROUP, none twice */
void swarm_window_set(struct swarm_links *l, const uint32_t *vehicle, uint32_t count);

/** @brief Of a leaf: the device of a link whose client the root has; room for so many bytes. */
struct mf_serial swarm_links_far_serial(struct swarm_links *l, uint32_t peer, bool datagram);
void swarm_links_far_room(struct swarm_links *l, uint32_t peer, size_t n);

/** @brief A vehicle has links and wiring from now on, as with a client. */
void swarm_observe(struct swarm_links *l, uint32_t i);

/* ---- rules of misbehaviour (api_rules.c) */

/** @brief What was held back until now leaves. @return wall time of the next such frame */
mf_us_t swarm_rules_run(struct swarm_links *l, uint32_t i);

/** @brief Before a checkpoint: there are none any more. */
void swarm_rules_leave(struct swarm_links *l, uint32_t i);

/* ---- who asks for events and tracks (api_watch.c) */

/** @brief The vehicle of a place has run. */
void swarm_watch_step(struct swarm_links *l, uint8_t place);

/** @brief Does anybody want to see more than where legs end? */
bool swarm_watch_listens(const struct swarm_links *l);

/** @brief Before a checkpoint: nobody is watched any more. */
void swarm_watch_leave(struct swarm_links *l);

/* ---- the control API (api.c) */

/** @brief Memory and routes. @return false: there is no memory */
bool swarm_api_init(struct swarm_links *l);

const char *swarm_api_opened(struct swarm_links *l, uint16_t peer, uint16_t port,
                             const struct mf_serial *serial);
void swarm_api_closed(struct swarm_links *l, uint16_t peer);

/** @brief Answer requests. @return wall time at which to come back at the latest */
mf_us_t swarm_api_turn(struct swarm_links *l);

#endif
