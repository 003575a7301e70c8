/* SPDX-License-Identifier: Apache-2.0 */
/** Private header of links: their memory, and tables of functions that higher rooms set. The
 * control API is a service of these tables; with several hosts, vehicles or clients are in other
 * processes. */
#ifndef MF_BOARDS_SWARM_LINKS_INTERNAL_H
#define MF_BOARDS_SWARM_LINKS_INTERNAL_H

#include "boards/swarm/links/links.h"
#include "drone/wiring.h"
#include "firmware/state/barrier.h"
#include "firmware/state/link.h"
#include "hal-posix/net.h"
#include "mavlink/frame.h"

#include <pthread.h>

/** Most peers at a time, and most HTTP clients in addition. */
#define SWARM_PEERS_MAX 24000u
#define SWARM_HTTP      64u
/** Most clients of groups and windows at a time. */
#define SWARM_SHARED_CLIENTS 64u
/** A clock that can wait does so while more bytes than these wait for a client [bytes]. */
#define SWARM_BACKLOG 16384u

/** Number of a vehicle's first link to a client; telemetry of recordings has the lower numbers. */
#define SWARM_LINK_FIRST 2u

/** Kinds of ports. */
enum swarm_reach {
    SWARM_REACH_ADDRESS, /**< one vehicle, found by the local address */
    SWARM_REACH_GROUP,
    SWARM_REACH_WINDOW,
    SWARM_REACH_OUT, /**< UDP to a host, one peer per vehicle */
    SWARM_REACH_API,
    SWARM_REACHES
};

struct swarm_port {
    enum swarm_reach reach;
    uint32_t first; /**< first member of a group; UDP out: port of the first vehicle */
};

/** Clock of a vehicle. Transport time passes with vehicle time until the first client, then with
 * the wall, unless links.transport says otherwise. In a checkpoint `counts` is false
 * (swarm_links_detach()). */
struct swarm_clock {
    const mf_us_t *now_us;
    const mf_us_t *wall_us; /**< NULL: transport time passes with vehicle time */
    mf_us_t offset_us; /**< transport time minus wall time; minus vehicle time if wall_us is NULL */
    mf_us_t due_us;    /**< transport time of the vehicle's next time-out */
    mf_us_t limit_us;  /**< vehicle time up to which its clients permit it to run */
    bool counts;       /**< the vehicle has had a client */
    bool lent;         /**< the vehicle uses links of its struct swarm_vehicle_links */
    uint8_t watched;   /**< place of the vehicle among those that the service watches, from 1;
                          0: the service does not watch it */
    bool ruled;        /**< the service has made rules of misbehaviour for its links */
};

/** A link of a vehicle to one peer. */
struct swarm_link {
    struct swarm_links *all;
    uint32_t peer;
    uint32_t vehicle;
    int handle;    /**< from mf_drone_open() */
    uint8_t alias; /**< system id that the client sees; 0: the vehicle's own */
    bool open;
    bool reads;        /**< link_read() reads from the peer now */
    const uint8_t *rx; /**< rest of a frame that link_read() passes on; rx_len 0: nothing */
    size_t rx_len;
};

/** Links and buffers that the swarm lends to a vehicle at its first client. */
struct swarm_vehicle_links {
    struct swarm_link link[SWARM_CLIENTS];
    struct mf_link links[SWARM_CLIENTS + 1u]; /**< the last is for mf_crowd_visit() */
    struct mf_barrier barriers[SWARM_CLIENTS + 1u];
    struct mf_connection connections[SWARM_LINK_FIRST + SWARM_CLIENTS];
    struct mf_wiring wiring;
};

/** A vehicle of a client that sees many, with the client's link to it and its system ids. */
struct swarm_alias_entry {
    uint32_t vehicle;
    int8_t link; /**< link number; < 0: the vehicle refused the client */
    uint8_t sysid, alias;
};

/** A client that sees the vehicles of a group or window over one connection. */
struct swarm_shared_client {
    bool used;
    uint32_t count;
    struct swarm_alias_entry entry[SWARM_GROUP];
    struct mf_parser parser;
};

/** A peer of the network, or a flow of this program, with the vehicles that it sees. */
struct swarm_peer {
    bool open;
    enum swarm_reach reach;
    uint32_t vehicle;
    int link; /**< number of its link of that vehicle */
    /** Vehicles of a group or window; NULL: the peer sees one vehicle. */
    struct swarm_shared_client *shared;
    struct mf_serial serial;
    char name[MF_NET_NAME_MAX];
};

/** Operations of links at their vehicles: in this process (links.c), or on leaves
 * (hosts/hosts_links.c). */
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

/** Operations for vehicles in this process. */
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
    /** Forget watched vehicles, and rules of those that are not frozen: a checkpoint follows. */
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
    struct swarm_port *port;            /**< [net.port_count] */
    struct swarm_peer *peer;            /**< [net.memory.peer_max], then those of flows */
    struct swarm_shared_client *shared; /**< [SWARM_SHARED_CLIENTS] */
    struct swarm_clock *clock;          /**< [members], in the arena */
    /** [members]; a vehicle without a client uses no page of it. */
    struct swarm_vehicle_links *vehicle_links;
    uint32_t *observed; /**< [members]: vehicles that have had a client */
    uint32_t observed_count;
    uint32_t open; /**< number of open links */
    uint32_t window[SWARM_GROUP];
    uint32_t window_count;
    uint32_t address; /**< member i, from 0, has this address + i + 1; 0: vehicles lack addresses */
    uint16_t address_port;
    mf_us_t begun_us;  /**< wall time of the boot */
    uint32_t next_out; /**< vehicle whose peer of UDP out is added next */
    bool adding;       /**< the network is adding the peer of `next_out` */
    uint32_t turned_away;
    mf_us_t wall_us;
    mf_us_t due_us; /**< wall time of the next time-out of a vehicle or of the service */
    bool threads;
    bool ended;           /**< vehicles no longer run */
    pthread_mutex_t lock; /**< protects the network while threads run vehicles */
    int32_t interval_us[2][SWARM_REACHES][MF_STREAM_COUNT]; /**< stream intervals by kind of port;
                                                               [1]: with remote identification */
    const struct swarm_links_service *service; /**< NULL: the run does not serve an API */
    void *service_state;
};

/** @brief Handlers of the network's events; the context is the struct swarm_links. */
extern const struct mf_net_events swarm_net_events;

/** @brief Present time of a vehicle between two pieces of time: its own clock if that is ahead of
 * the swarm's, as after a mission start. */
mf_us_t swarm_present_us(const struct swarm *w, uint32_t i);

/** @brief Replace the vehicles of the window, also for its connected clients.
 *  @param vehicle  [count], at most SWARM_GROUP, without repetition */
void swarm_window_set(struct swarm_links *l, const uint32_t *vehicle, uint32_t count);

/** @brief Allocate swarm_links_of(w), without ports, peers and network.
 *  @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_links_make(struct swarm *w);

/** @brief Add the port of links.api, and let a service answer there. @param state  of the service
 *  @return SWARM_OK, or SWARM_INPUT with an error set: the service is not freed */
int swarm_links_serve(struct swarm *w, const struct swarm_links_service *service, void *state);

/** @brief Schedule time-outs and barriers of a vehicle that has run: w->members.woken. Any thread.
 */
void swarm_links_on_wake(struct swarm *w, uint32_t i, struct mf_wake *wake);

/** @brief Mark vehicle @p i as one that has had a client. @return false: it was marked already */
bool swarm_links_observe(struct swarm_links *l, uint32_t i);

/** @brief Lowest number of a link of vehicle @p i that is not open. @return SWARM_CLIENTS: all are
 * open */
unsigned swarm_links_free_number(const struct swarm_links *l, uint32_t i);

/** @brief Find an open link. @return NULL: not open */
struct swarm_link *swarm_links_find(const struct swarm *w, uint32_t i, unsigned number);

/** @brief Write bytes of a vehicle to the client of a link, from any thread.
 *  @param at_us  vehicle time of the bytes  @return as mf_serial */
int swarm_links_write(struct swarm_link *link, mf_us_t at_us, const uint8_t *bytes, size_t n);

/** @brief Trace bytes of a client that its vehicle gets at the present. */
void swarm_links_trace_input(const struct swarm_link *link, const uint8_t *bytes, size_t n);

/** @brief Open and close a link of a vehicle for a peer. @param why  out: NULL, or why it is not
 * open  @return number of the link; < 0: not open */
int swarm_links_open_at(struct swarm_links *l, uint32_t peer, uint32_t i, const char **why);
void swarm_links_close_at(struct swarm_links *l, uint32_t i, int number);

/** @brief Run a vehicle at the present, so that it reads its links. @return false: the vehicle is
 * frozen */
bool swarm_links_run_vehicle(struct swarm_links *l, uint32_t i);

/** @brief Lend a vehicle links and wiring, as its first client does. */
void swarm_links_lend(struct swarm_links *l, uint32_t i);

#endif
