/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Network of a vehicle: ports (a TCP server, a UDP socket, ...) and the peers behind them, each a
 * mf_serial.
 *
 * The board supplies all memory, and the network allocates none. The board adds the ports, and gets
 * an event for each peer that connects or disconnects. One pass of the loop (loop.h) is:
 *
 *     ppoll(net.polls, net.poll_count, until mf_net_prepare()'s time)
 *     mf_net_receive()   peers connect, each UDP socket reads one datagram, streams become readable
 *     the vehicle's step reads and writes the peers' serial devices, which only queues
 *     mf_net_send()      one send per peer with queued data; ended and stalled peers are closed
 *
 * A pass visits the active peers. If the board supplies memory for an epoll set, these are the
 * peers that have data to send or to read; otherwise every stream is polled.
 *
 * A slow peer delays no other: its queue fills, writes are refused and counted, and a peer that has
 * read nothing for MF_NET_STALL_US with a full queue is dropped.
 *
 * One sort of peers cannot exclude another: each has some reserved places, and shares the others. A
 * TCP server without a free place drops the client that has been silent for the longest time.
 */
#ifndef MF_HAL_POSIX_NET_H
#define MF_HAL_POSIX_NET_H

#include "drone/pace.h"
#include "hal-posix/endpoint.h"
#include "hal-posix/queue.h"
#include "hal/log.h"
#include "hal/serial.h"

#include <poll.h>

/** A peer that has read nothing for this long although its queue is full, or that held time, is
 * dropped [us]. */
#define MF_NET_STALL_US (5 * MF_SECOND_US)
/** A learned UDP peer that is silent for this long is forgotten [us]. */
#define MF_NET_SILENCE_US (10 * MF_SECOND_US)
/** Interval of attempts of clients and serial devices, which grows from the first to the second
 * [us]. */
#define MF_NET_RETRY_MIN_US (500 * MF_MS_US)
#define MF_NET_RETRY_MAX_US (8 * MF_SECOND_US)
/** Bytes of a stream that its reader has left unread cause a pass only after this long [us]. */
#define MF_NET_UNREAD_US (5 * MF_MS_US)
/** A TCP server without a free descriptor rests for this long [us]. */
#define MF_NET_REST_US (1 * MF_SECOND_US)
/** Interval at which a running name lookup is polled [us]. */
#define MF_NET_LOOKUP_US (20 * MF_MS_US)
/** Size of the largest datagram [bytes]. */
#define MF_NET_DATAGRAM_MAX 65536u
#define MF_NET_NAME_MAX     (MF_ADDR_TEXT_MAX + 16u)

/** Sorts of peers with their own places: name, spelling. */
#define MF_NET_SORT_LIST(X)                                                      \
    X(CONFIGURED, "configured") /* the other end of a client or serial device */ \
    X(TCP, "tcp")               /* clients of TCP servers */                     \
    X(UDP, "udp")               /* senders of datagrams */

enum mf_net_sort {
#define X(name, spelling) MF_NET_##name,
    MF_NET_SORT_LIST(X)
#undef X
        MF_NET_SORT_COUNT
};

struct epoll_event;
struct mf_net;

/** Events for the board. The network calls them from mf_net_receive() and mf_net_send(), never
 * while the vehicle runs. */
struct mf_net_events {
    /** A peer has connected. @param serial  copy it  @param name  "tcp 127.0.0.1:40312"
     * @return NULL, or the reason to refuse it: static text, after "turned away, " */
    const char *(*opened)(void *ctx, uint16_t peer, uint16_t port, const struct mf_serial *serial,
                          const char *name);
    /** A peer is gone, and with it its serial device. */
    void (*closed)(void *ctx, uint16_t peer);
    /** Message for a log; valid during the call only. */
    void (*note)(void *ctx, enum mf_severity severity, const char *text);
    /** True if a client of a TCP server has sent nothing valid yet, so that another may take its
     * place. NULL: no client loses its place. */
    bool (*silent)(void *ctx, uint16_t peer);
};

/** Places of one sort of peers. */
struct mf_net_places {
    uint16_t used;
    uint32_t refused;   /**< number of peers refused for lack of a place */
    uint32_t displaced; /**< number of silent peers dropped for another one */
};

/** Counters of peers and data; each refused or dropped peer is counted. */
struct mf_net_stats {
    uint32_t opened;           /**< peers that connected */
    uint32_t closed;           /**< peers that ended, for any reason */
    uint32_t turned_away;      /**< peers refused for lack of room */
    uint32_t http_turned_away; /**< refused peers of HTTP ports */
    uint32_t dropped_slow; /**< peers that did not read what was sent, except those of HTTP ports */
    uint32_t forgotten;    /**< UDP peers forgotten after silence */
    uint32_t accept_errors;
    uint32_t tx_refused; /**< frames refused because a queue was full */
    uint32_t tx_lost;    /**< datagrams that the system did not send */
    uint32_t rx_unread;  /**< datagrams that no reader wanted */
    uint64_t rx_bytes;   /**< bytes read from all peers except controllers of time */
    uint64_t tx_bytes;   /**< bytes that the system has accepted for all peers except controllers of
                            time */
};

/** Peer. */
struct mf_net_peer {
    bool used;
    bool fixed;    /**< never forgotten: the other end of a client or serial device */
    bool readable; /**< a stream has bytes, or its end, to read */
    bool asked;    /**< the stream's reader has read in this pass */
    bool ended;    /**< to be closed at the end of this pass */
    bool full;     /**< a write was refused, or too much was queued, since the peer last read */
    bool active;   /**< the next pass visits the peer */
    bool in_set;   /**< its descriptor is in the network's epoll set */
    short watched; /**< events of poll() for which the set reports its descriptor */
    enum mf_net_sort sort; /**< unused for HTTP clients */
    uint16_t port;
    int fd; /**< descriptor of a stream; -1 for UDP, which uses the port's */
    /* times of the peer's patience: the wall's, or granted */
    mf_us_t heard_us; /**< last datagram of a UDP peer; start of a stream */
    mf_us_t full_us;  /**< time when `full` was set */
    uint32_t refused; /**< number of frames refused because its queue was full */
    const char *why;  /**< reason of its end */
    struct mf_net *net;
    struct mf_addr addr;
    struct mf_addr local; /**< address to which the peer sends, if the port has many addresses */
    char name[MF_NET_NAME_MAX];
    struct mf_queue queue;
    struct mf_net_peer *before, *after; /**< neighbours in the list of active peers */
    struct mf_net_peer *chained;        /**< next UDP peer in the same hash chain */
};

/** Lookup of a name by a child process. */
struct mf_net_lookup {
    pid_t child; /**< 0: not running */
    int fd;      /**< pipe from which the answer is read */
};

/** Port. */
struct mf_net_port {
    struct mf_endpoint endpoint;
    const struct mf_net_kind *kind; /**< static */
    int fd;          /**< descriptor of a server, a UDP socket, or a connection attempt; -1: none */
    int peer;        /**< peer of a client or serial device, -1: none */
    bool complained; /**< a failure was reported, once */
    mf_us_t retry_us; /**< time of the next attempt to connect or listen; MF_NEVER */
    mf_us_t backoff_us;
    struct mf_net_lookup lookup; /**< lookup of a client with endpoint.named */
    struct mf_addr local;        /**< address of a server or UDP socket, with the true port */
    uint8_t *datagram;           /**< [MF_NET_DATAGRAM_MAX] of UDP: the present datagram */
    uint32_t datagram_len;
    uint32_t
        datagram_read; /**< bytes of the datagram read so far; the rest stays for the next pass */
    bool datagram_touched; /**< the reader has read of the datagram in this pass */
    uint16_t datagram_peer;
};

/** Size of the queue of an HTTP client. */
#define MF_NET_HTTP_QUEUE_BYTES 4096u

/** Memory of the board. Peers from peer_max on are HTTP clients: many connections that send little.
 * They take no places from the others, and no clock waits for them. */
struct mf_net_memory {
    struct mf_net_port *ports;                 /**< [port_max] */
    struct mf_net_peer *peers;                 /**< [peer_max + http_max] */
    uint8_t (*queues)[MF_QUEUE_BYTES];         /**< [peer_max] */
    uint8_t (*datagrams)[MF_NET_DATAGRAM_MAX]; /**< [port_max] */
    struct pollfd
        *polls;       /**< [port_max + peer_max + http_max + 2]: the last ones belong to the loop */
    uint16_t *owners; /**< [port_max + peer_max + http_max] owner of each of polls */
    uint16_t port_max;
    uint16_t peer_max;
    uint16_t http_max;
    /** [http_max], lent to clients with queued data */
    uint8_t (*http_queues)[MF_NET_HTTP_QUEUE_BYTES];
    uint16_t reserved[MF_NET_SORT_COUNT]; /**< share of peer_max for each sort alone */
    /** [event_max] for thousands of peers, few of which send at a time: an epoll set holds the
     * streams, and is one of the polls. Polls and owners then need one more. NULL: each stream is
     * one of the polls. */
    struct epoll_event *events;
    uint16_t event_max;
    uint16_t chain_count;        /**< 0: one chain is enough */
    struct mf_net_peer **chains; /**< [chain_count], zeroed: hash chains of UDP peers by address */
};

struct mf_net {
    struct mf_net_memory memory;
    const struct mf_net_events *events;
    void *events_ctx;
    void (*in_child)(void); /**< called in a child process that looks a name up, since that
                               allocates; may be NULL */
    uint16_t port_count;
    uint16_t peer_top; /**< one past the highest used peer */
    nfds_t poll_count;
    int set_fd;                 /**< epoll set of streams; -1: each is polled */
    struct mf_net_peer *active; /**< first peer that the next pass visits: it has data to send or to
                                   read, or is not in a set */
    struct mf_net_peer *active_last;
    struct mf_net_peer *chain; /**< chain of UDP peers, if there is only one */
    uint16_t first_free[2];    /**< the places before are in use: of peers, of HTTP clients */
    uint16_t http_touched;     /**< number of HTTP queues that were ever used */
    uint8_t *http_free;        /**< first of the used HTTP queues that is free now */
    size_t patience; /**< more queued bytes than this count as a full queue for MF_NET_STALL_US,
                        except for serial lines; 0: refused writes count */
    mf_us_t now_us;  /**< time of this pass */
    const struct mf_pace *pace; /**< pace whose transport time measures silence and stalls of links;
                                   NULL: the wall does */
    const char *why;            /**< reason why the last peer was refused; static */
    struct mf_addr local;       /**< local address of the peer that connects now */
    struct mf_net_places places[MF_NET_SORT_COUNT];
    struct mf_net_stats stats;
};

/** @brief Begin a network without ports. The memory belongs to the board and must outlive the
 * network. */
void mf_net_init(struct mf_net *net, const struct mf_net_memory *memory,
                 const struct mf_net_events *events, void *events_ctx);

/**
 * @brief Add a port: bind, open the device. Clients cannot connect before mf_net_listen(); before
 * mf_net_start() the network sends nothing, and peers do not appear.
 * @param endpoint  resolved; copied
 * @param reason  out on error: one line [MF_REASON_MAX]
 * @return number of the port; MF_E_FULL; MF_E_IO: in use, missing, not permitted. A TCP client that
 * cannot reach its server is not an error.
 */
int mf_net_add(struct mf_net *net, const struct mf_endpoint *endpoint, char *reason);

/**
 * @brief Let clients connect to a port, if that is a separate step: after all ports are bound, so
 * that a client that reaches one of them also finds the others.
 * @param reason  as mf_net_add()
 * @return MF_E_OK; MF_E_IO: two programs bound it at the same moment, and this one was slower; the
 * port is out of use, and removed if it is the last one
 */
int mf_net_listen(struct mf_net *net, uint16_t port, char *reason);

/** @brief Begin, after all ports were added: clients connect, fixed peers and serial devices
 * appear. */
void mf_net_start(struct mf_net *net, mf_us_t now_us);

/** @brief Fill net->polls for the next wait.
 * @return monotonic time of the next pass at the latest: MF_NEVER without a timer, @p now_us if
 * input is left */
mf_us_t mf_net_prepare(struct mf_net *net, mf_us_t now_us);

/** @brief Transport time at which the next silent peer is forgotten; MF_NEVER. */
mf_us_t mf_net_silence_due(const struct mf_net *net);

/** @brief Process the results of poll(). */
void mf_net_receive(struct mf_net *net, mf_us_t now_us);

/** @brief Add a peer of a UDP server before it sends, which is never forgotten.
 * @return its number, or MF_E_FULL, and net->why */
int mf_net_add_peer(struct mf_net *net, uint16_t port, const struct mf_addr *addr, mf_us_t now_us);

/** @brief Read the next datagram of every UDP socket whose last one was read, between two polls.
 * @return true: at least one was read */
bool mf_net_receive_more(struct mf_net *net, mf_us_t now_us);

/** @brief Send all queued data, and do nothing else. */
void mf_net_flush(struct mf_net *net);

/** @brief Send the queued data of one peer. */
void mf_net_flush_peer(struct mf_net *net, uint16_t peer);

/** @brief Send all queued data; close peers that have ended, that do not read, or that are silent;
 * run the timers. */
void mf_net_send(struct mf_net *net, mf_us_t now_us);

/** @brief Greatest number of queued bytes of a stream's peer [bytes]: a clock that need not hurry
 * waits for it. Datagrams and HTTP clients do not count. @param lines  serial lines count, too */
size_t mf_net_backlog(const struct mf_net *net, bool lines);

/** @brief Maximum number of peers of a sort: without the places reserved for others. */
uint16_t mf_net_places_max(const struct mf_net *net, enum mf_net_sort sort);

/** @brief Close a peer at the end of this pass. @param why  static text for the log */
void mf_net_drop(struct mf_net *net, uint16_t peer, const char *why);

/** @brief Close everything, after a last attempt to send the queued data. */
void mf_net_close(struct mf_net *net);

#endif
