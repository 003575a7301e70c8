/* SPDX-License-Identifier: Apache-2.0 */
/** Memory of the links of a swarm, and the tables by which higher rooms take part: the control API
 * as a service, a swarm on several hosts with vehicles or clients in other processes. */
#ifndef MF_BOARDS_SWARM_LINKS_INTERNAL_H
#define MF_BOARDS_SWARM_LINKS_INTERNAL_H

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
    uint8_t watched;        /**< place of the vehicle among those that the service watches, from 1;
                               0: the service does not watch it */
    bool ruled;             /**< the service has made rules of misbehaviour for its links */
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

/** How links reach their vehicles: in this process (links.c), or on leaves (hosts/hosts_links.c).
 */
struct swarm_link_ops {
    /** Open a link of vehicle @p i for a peer. @return its number; < 0: @p why not */
    int (*open)(struct swarm_links *l, uint32_t peer, uint32_t i, uint8_t alias, const char **why);
    /** Close an open link at the vehicle. */
    void (*close)(struct swarm_links *l, uint32_t i, int number);
    /** Pass the frame link->rx to the vehicle. */
    void (*give)(struct swarm_links *l, uint32_t i, int number);
    /** Pass the bytes of a peer with one vehicle to it. */
    void (*read)(struct swarm_links *l, const struct swarm_peer *peer);
};

/** Vehicles in this process. */
extern const struct swarm_link_ops swarm_links_here;

/** A service on an HTTP port of the network: the control API (api/api.c). Its users also watch
 * vehicles and make rules of misbehaviour for their links. */
struct swarm_links_service {
    /** A client connects. @return NULL, or why it must not */
    const char *(*connect)(struct swarm_links *l, uint16_t peer, uint16_t port,
                           const struct mf_serial *serial);
    void (*disconnect)(struct swarm_links *l, uint16_t peer);
    /** Answer requests. @return wall time of the next call at the latest */
    mf_us_t (*serve)(struct swarm_links *l);
    /** True if a user watches a vehicle closely, so that time runs in short pieces. */
    bool (*watches)(const struct swarm_links *l);
    /** Record the state of a vehicle that has just run. @param place  its clock's @c watched */
    void (*record)(struct swarm_links *l, uint8_t place);
    /** Send frames that rules of vehicle @p i held back. @return wall time of the next such frame
     */
    mf_us_t (*run_rules)(struct swarm_links *l, uint32_t i);
    /** Before a checkpoint: forget watched vehicles, and rules of those that are not frozen. */
    void (*detach)(struct swarm_links *l);
    void (*free)(struct swarm_links *l);
};

struct swarm_links {
    struct swarm *w;
    const struct swarm_link_ops *ops;
    /** The root waits until leaves have acted on what clients sent; NULL in other processes. */
    void (*sync)(struct swarm *w);
    /** A leaf reports the vehicle time that clients permit to vehicle @p i; NULL in other
     * processes. Any thread. */
    void (*limit_changed)(struct swarm *w, uint32_t i, mf_us_t limit_us);
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
    const struct swarm_links_service *service;              /**< NULL: none */
    void *service_state;
};

/** @brief What the network reports; the context is the struct swarm_links. */
extern const struct mf_net_events swarm_net_events;

/** @brief The instant at which something may happen to a vehicle between two pieces of time. */
mf_us_t swarm_present_us(const struct swarm *w, uint32_t i);

/** @brief The vehicles of the window are others from now on. @param vehicle  [count], at most
 * SWARM_GROUP, none twice */
void swarm_window_set(struct swarm_links *l, const uint32_t *vehicle, uint32_t count);

/** @brief Allocate swarm_links_of(w), without ports, peers and network.
 *  @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_links_make(struct swarm *w);

/** @brief Add the port of links.api, and let a service answer there. @param state  of the service
 *  @return SWARM_OK, or SWARM_INPUT with an error set: the service is not freed */
int swarm_links_serve(struct swarm *w, const struct swarm_links_service *service, void *state);

/** @brief Schedule time-outs and barriers of a vehicle that has run: w->members.woken. Any thread.
 */
void swarm_links_woken(struct swarm *w, uint32_t i, struct mf_wake *wake);

/** @brief Vehicle @p i has had a client from now on. @return false: it already had one */
bool swarm_links_observe(struct swarm_links *l, uint32_t i);

/** @brief The lowest number of a link of vehicle @p i that is not open. @return SWARM_CLIENTS: all
 * are open */
unsigned swarm_links_free_number(const struct swarm_links *l, uint32_t i);

/** @brief Find an open link. @return NULL: it is not open */
struct swarm_link *swarm_links_find(const struct swarm *w, uint32_t i, unsigned number);

/** @brief Write bytes of a vehicle to the client of a link, from any thread. @return as mf_serial
 */
int swarm_links_write(struct swarm_link *link, const uint8_t *bytes, size_t n);

/** @brief Open, close a link of a vehicle, as with a client of the network. */
int swarm_links_open_at(struct swarm_links *l, uint32_t peer, uint32_t i, const char **why);
void swarm_links_close_at(struct swarm_links *l, uint32_t i, int number);

/** @brief The vehicle runs to the present, and reads its links. @return false: it is frozen */
bool swarm_links_run_vehicle(struct swarm_links *l, uint32_t i);

/** @brief A vehicle has links and wiring from now on, as with a client. */
void swarm_observe(struct swarm_links *l, uint32_t i);

#endif
