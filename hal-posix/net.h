/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The network of one vehicle: ports (a TCP server, a UDP socket, ...) and the peers behind them,
 * each a mf_serial.
 *
 * All memory is the board's; nothing is allocated. The board says which ports there are, and hears
 * of each peer that comes and goes. One pass of the loop (loop.h) is:
 *
 *     ppoll(net.polls, net.poll_count, until mf_net_prepare()'s time)
 *     mf_net_receive()   peers come, one datagram per UDP socket is taken, streams become readable
 *     the vehicle's step reads and writes the peers' serial devices, which only queues
 *     mf_net_send()      one send per peer with something to say; who ended or does not listen goes
 *
 * A pass looks at the peers that are active. Where the board gives memory for a set of the system,
 * these are those that have something to say or to read; otherwise every stream is polled.
 *
 * Nobody waits for a slow peer: its queue fills, writes are refused and counted, and when it has
 * taken nothing for MF_NET_STALL_US with a full queue, it is dropped.
 *
 * Nor does one sort of peers shut another out: each has some places for itself, and shares the
 * others. Where a TCP server has none left, the client that has been silent for the longest time
 * gives way.
 */
#ifndef MF_HAL_POSIX_NET_H
#define MF_HAL_POSIX_NET_H

#include "drone/pace.h"
#include "hal-posix/endpoint.h"
#include "hal-posix/queue.h"
#include "hal/log.h"
#include "hal/serial.h"

#include <poll.h>

/** A peer that has taken nothing for this long although its queue is full, or held time, is
 * dropped [us]. */
#define MF_NET_STALL_US (5 * MF_SECOND_US)
/** A UDP peer that was learned and is silent for this long is forgotten [us]. */
#define MF_NET_SILENCE_US (10 * MF_SECOND_US)
/** Clients and serial devices try again after the first, then ever later, up to the second [us]. */
#define MF_NET_RETRY_MIN_US (500 * MF_MS_US)
#define MF_NET_RETRY_MAX_US (8 * MF_SECOND_US)
/** Bytes that a stream's reader leaves for later bring a pass only after this long [us]. */
#define MF_NET_UNREAD_US (5 * MF_MS_US)
/** A TCP server that ran out of descriptors rests for this long [us]. */
#define MF_NET_REST_US (1 * MF_SECOND_US)
/** While a name is looked up, look for the address after [us]. */
#define MF_NET_LOOKUP_US (20 * MF_MS_US)
/** The largest datagram there is [bytes]. */
#define MF_NET_DATAGRAM_MAX 65536u
#define MF_NET_NAME_MAX     (MF_ADDR_TEXT_MAX + 16u)

/** Sorts of peers that share places: name, spelling. */
#define MF_NET_SORT_LIST(X)                                                      \
    X(CONFIGURED, "configured") /* the other end of a client or serial device */ \
    X(TCP, "tcp")               /* clients of TCP servers */                     \
    X(UDP, "udp")               /* whoever sent a datagram */

enum mf_net_sort {
#define X(name, spelling) MF_NET_##name,
    MF_NET_SORT_LIST(X)
#undef X
        MF_NET_SORT_COUNT
};

struct epoll_event;
struct mf_net;

/** What a board hears. All are called from mf_net_receive() and mf_net_send(), never while the
 *  vehicle runs. */
struct mf_net_events {
    /** A peer appeared. @param serial  copy it  @param name  "tcp 127.0.0.1:40312"
     *  @return NULL, or why it is turned away: static text, after "turned away, " */
    const char *(*opened)(void *ctx, uint16_t peer, uint16_t port, const struct mf_serial *serial,
                          const char *name);
    /** That peer is gone, its serial device with it. */
    void (*closed)(void *ctx, uint16_t peer);
    /** Something that somebody may want to read in a log; valid during the call only. */
    void (*note)(void *ctx, enum mf_severity severity, const char *text);
    /** Has a client of a TCP server said nothing so far that makes sense? Then it gives its place
     *  to another, if need be. NULL: none has to. */
    bool (*silent)(void *ctx, uint16_t peer);
};

/** Places of one sort. */
struct mf_net_places {
    uint16_t used;
    uint32_t refused;   /**< peers for which there was none */
    uint32_t displaced; /**< silent ones that gave way */
};

/** What came and went; peers that were turned away or dropped are all in here. */
struct mf_net_stats {
    uint32_t opened;           /**< peers */
    uint32_t closed;           /**< peers, for whatever reason */
    uint32_t turned_away;      /**< peers for which there was no room */
    uint32_t http_turned_away; /**< of them, those of ports of HTTP */
    uint32_t dropped_slow;     /**< peers, but of ports of HTTP, that did not take what was sent */
    uint32_t forgotten;        /**< UDP peers that fell silent */
    uint32_t accept_errors;
    uint32_t tx_refused; /**< frames for which a queue had no room */
    uint32_t tx_lost;    /**< datagrams that the system did not send */
    uint32_t rx_unread;  /**< datagrams that nobody read */
    uint64_t rx_bytes;   /**< read of all peers but controllers of time */
    uint64_t tx_bytes;   /**< ... that the system has taken */
};

/** One peer. */
struct mf_net_peer {
    bool used;
    bool fixed;            /**< never forgotten: the other end of a client or serial device */
    bool readable;         /**< a stream has bytes, or its end, to read */
    bool asked;            /**< ... and its reader wanted some in this pass */
    bool ended;            /**< to be closed when this pass is over */
    bool full;             /**< a write was refused, or too much waited, since
                              something was taken last */
    bool active;           /**< the next pass looks at it */
    bool in_set;           /**< its descriptor is in the network's set */
    short watched;         /**< ... and is reported for these events of poll() */
    enum mf_net_sort sort; /**< not of HTTP clients */
    uint16_t port;
    int fd; /**< of a stream; -1 for UDP, which uses the port's */
    /* in the time of its patience: the wall's, or granted */
    mf_us_t heard_us; /**< last datagram of a UDP peer; beginning of a stream */
    mf_us_t full_us;  /**< of that refusal */
    uint32_t refused; /**< frames for which its queue had no room */
    const char *why;  /**< it ended */
    struct mf_net *net;
    struct mf_addr addr;
    struct mf_addr local; /**< to which it speaks, where the port has many addresses */
    char name[MF_NET_NAME_MAX];
    struct mf_queue queue;
    struct mf_net_peer *before, *after; /**< among those that are active */
    struct mf_net_peer *chained;        /**< the next one of UDP whose addresses are alike */
};

/** A name that a child looks up. */
struct mf_net_lookup {
    pid_t child; /**< 0: none */
    int fd;      /**< from which its answer is read */
};

/** One port. */
struct mf_net_port {
    struct mf_endpoint endpoint;
    const struct mf_net_kind *kind; /**< static */
    int fd;           /**< of a server, a UDP socket, or a connection being made; -1: none */
    int peer;         /**< of a client or serial device, -1: none */
    bool complained;  /**< failing was reported, once */
    mf_us_t retry_us; /**< when to try, or to listen, again; MF_NEVER */
    mf_us_t backoff_us;
    struct mf_net_lookup lookup; /**< of a client, endpoint.named */
    struct mf_addr local;        /**< of a server or UDP socket, with the true port */
    uint8_t *datagram;           /**< [MF_NET_DATAGRAM_MAX] of UDP: the present one */
    uint32_t datagram_len;
    uint32_t datagram_read; /**< of it, so far; what is not read stays for the next pass */
    bool datagram_touched;  /**< by its reader, in this pass */
    uint16_t datagram_peer;
};

/** Bytes that wait for one HTTP client. */
#define MF_NET_HTTP_QUEUE_BYTES 4096u

/** Memory that the board hands in. Peers from peer_max on are HTTP clients: those of servers with
 *  many connections that say little. They take no places from the others, and no clock waits
 *  for them. */
struct mf_net_memory {
    struct mf_net_port *ports;                 /**< [port_max] */
    struct mf_net_peer *peers;                 /**< [peer_max + http_max] */
    uint8_t (*queues)[MF_QUEUE_BYTES];         /**< [peer_max] */
    uint8_t (*datagrams)[MF_NET_DATAGRAM_MAX]; /**< [port_max] */
    struct pollfd *polls; /**< [port_max + peer_max + http_max + 2]: the last are the loop's */
    uint16_t *owners;     /**< [port_max + peer_max + http_max] whose each of them is */
    uint16_t port_max;
    uint16_t peer_max;
    uint16_t http_max;
    /** [http_max], lent while something waits */
    uint8_t (*http_queues)[MF_NET_HTTP_QUEUE_BYTES];
    uint16_t reserved[MF_NET_SORT_COUNT]; /**< of peer_max, for each sort alone */
    /** [event_max] for thousands of peers, of which few speak at a time: streams are a set of the
     * system, which is one of the polls. One more of these, then, and of owners. NULL: each is one
     * of the polls. */
    struct epoll_event *events;
    uint16_t event_max;
    uint16_t chain_count;        /**< 0: one chain will do */
    struct mf_net_peer **chains; /**< [chain_count], zeroed: peers of UDP by their addresses */
};

struct mf_net {
    struct mf_net_memory memory;
    const struct mf_net_events *events;
    void *events_ctx;
    void (*in_child)(void); /**< of a process that looks a name up: it will allocate; may be NULL */
    uint16_t port_count;
    uint16_t peer_top; /**< one past the highest used peer */
    nfds_t poll_count;
    int set_fd;                 /**< of the system's set of streams; -1: each is polled */
    struct mf_net_peer *active; /**< the first that the next pass looks at: it has something to say
                                     or to read, or nobody else watches it */
    struct mf_net_peer *active_last;
    struct mf_net_peer *chain;  /**< of peers of UDP, where there is but one */
    uint16_t first_free[2];     /**< no place before is free: of peers, of HTTP clients */
    uint16_t http_touched;      /**< queues of HTTP clients that were ever used */
    uint8_t *http_free;         /**< of them, the first that nobody has now */
    size_t patience;            /**< more bytes than these are a full queue for the rule of
                                     MF_NET_STALL_US, but for serial lines; 0: what is refused */
    mf_us_t now_us;             /**< of this pass */
    const struct mf_pace *pace; /**< in whose transport time silence and stalling of links are
                                   counted; NULL: by the wall */
    const char *why;            /**< the last peer was turned away; static */
    struct mf_addr local;       /**< of the peer that comes now */
    struct mf_net_places places[MF_NET_SORT_COUNT];
    struct mf_net_stats stats;
};

/** @brief A network without ports. The memory is the board's and must outlive it. */
void mf_net_init(struct mf_net *net, const struct mf_net_memory *memory,
                 const struct mf_net_events *events, void *events_ctx);

/**
 * @brief Add a port: bind, open the device. Nobody can connect before mf_net_listen(), nothing is
 *        sent and no peer appears before mf_net_start().
 * @param endpoint  resolved; copied
 * @param reason    out on error: one line [MF_REASON_MAX]
 * @return number of the port; MF_E_FULL; MF_E_IO: taken, not there, not allowed. That a TCP client
 *         cannot reach its server is no error.
 */
int mf_net_add(struct mf_net *net, const struct mf_endpoint *endpoint, char *reason);

/**
 * @brief Let clients connect to a port, where that is a step of its own: when all ports are bound,
 *        so that whoever reaches one of them finds the others, too.
 * @param reason  as mf_net_add()
 * @return MF_E_OK; MF_E_IO: two programs bound it at the same moment, and this one was the slower;
 *         the port is out of use, and gone if it is the last one
 */
int mf_net_listen(struct mf_net *net, uint16_t port, char *reason);

/** @brief All ports are there: clients connect, fixed peers and serial devices appear. */
void mf_net_start(struct mf_net *net, mf_us_t now_us);

/** @brief Fill net->polls for the next wait.
 *  @return monotonic time at which to come back at the latest: MF_NEVER if no timer runs, @p now_us
 *          if input is left */
mf_us_t mf_net_prepare(struct mf_net *net, mf_us_t now_us);

/** @brief Transport time at which the next peer is forgotten, if it stays silent; MF_NEVER. */
mf_us_t mf_net_silence_due(const struct mf_net *net);

/** @brief Take in what poll() found. */
void mf_net_receive(struct mf_net *net, mf_us_t now_us);

/** @brief A peer of a UDP server that is there before it says anything, and is never forgotten.
 *  @return its number, or MF_E_FULL, and net->why */
int mf_net_add_peer(struct mf_net *net, uint16_t port, const struct mf_addr *addr, mf_us_t now_us);

/** @brief Between two polls: every UDP socket whose datagram was read takes its next one.
 *  @return whether any did */
bool mf_net_receive_more(struct mf_net *net, mf_us_t now_us);

/** @brief Send what is queued, nothing else. */
void mf_net_flush(struct mf_net *net);

/** @brief The same of one peer. */
void mf_net_flush_peer(struct mf_net *net, uint16_t peer);

/** @brief Send what is queued; let go who ended, does not take anything, or is silent; run the
 *  timers. */
void mf_net_send(struct mf_net *net, mf_us_t now_us);

/** @brief The most that a stream's peer has left to take [bytes]: what a clock that need not hurry
 * waits for. Datagrams wait for nobody, and nobody for HTTP clients. @param lines  serial lines
 * count, too */
size_t mf_net_backlog(const struct mf_net *net, bool lines);

/** @brief How many peers of a sort there can be at most: without what is reserved for others. */
uint16_t mf_net_places_max(const struct mf_net *net, enum mf_net_sort sort);

/** @brief Let one peer go when this pass is over. @param why  static text for the log */
void mf_net_drop(struct mf_net *net, uint16_t peer, const char *why);

/** @brief Close everything, after a last attempt to send what is queued. */
void mf_net_close(struct mf_net *net);

#endif
