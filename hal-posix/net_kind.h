/* SPDX-License-Identifier: Apache-2.0 */
/** Inside the network: what each kind of port does, and what the kinds share. Not for boards. */
#ifndef MF_HAL_POSIX_NET_KIND_H
#define MF_HAL_POSIX_NET_KIND_H

#include "hal-posix/net.h"

/** One kind of port. */
struct mf_net_kind {
    /** Bind, open the device; nobody hears of it yet.
     *  @return MF_E_OK, or MF_E_IO with a reason [MF_REASON_MAX] */
    int (*open)(struct mf_net_port *port, char *reason);
    /** From now on clients can come; as open; may be NULL. */
    int (*listen)(struct mf_net_port *port, char *reason);
    /** Begin: connect, let the fixed peer appear; may be NULL. */
    void (*start)(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us);
    /** Open again, or give up an attempt, at retry_us; may be NULL. */
    void (*retry)(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us);
    /** The events of its own descriptor to wait for; 0: none now. */
    short (*wants)(const struct mf_net_port *port);
    /** One of them came. */
    void (*ready)(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us);
    /** Bytes of a peer; as the serial contract says. */
    int (*read)(struct mf_net_peer *peer, uint8_t *bytes, size_t cap);
    /** One piece of a peer's queue. @return bytes taken; -1 with errno */
    ssize_t (*send)(struct mf_net_peer *peer, const uint8_t *bytes, size_t n);
    bool datagrams;
};

extern const struct mf_net_kind mf_net_tcp_server, mf_net_tcp_client, mf_net_udp, mf_net_serial;

/** @brief A new peer of a port. @param fd  of a stream, or -1; closed with the peer, and when it is
 *  turned away  @param fixed  the other end of a client or serial device
 *  @return its number, or MF_E_FULL, and net->why */
int mf_net_peer_open(struct mf_net *net, struct mf_net_port *port, int fd,
                     const struct mf_addr *addr, bool fixed, mf_us_t now_us);

/** @brief It ends with this pass. @param why  static text, NULL if not worth a line */
void mf_net_peer_end(struct mf_net_peer *peer, const char *why);

/** @brief Report what failed with its errno, if it is not 0, once until it works again, and wait
 *  before the next attempt. */
void mf_net_port_failed(struct mf_net *net, struct mf_net_port *port, const char *what, int error,
                        mf_us_t now_us);

/** @brief The attempt succeeded with this descriptor: its one fixed peer appears. */
void mf_net_port_connected(struct mf_net *net, struct mf_net_port *port, int fd, mf_us_t now_us);

/** @brief Look the host of a client up, once more or for the first time, without waiting.
 *  @return true: endpoint.addr is what the host has now, or the last one known;
 *          false: not known so far, call again at port->retry_us, which is set */
bool mf_net_look_up(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us);

/** @brief Give a lookup up, if one runs. */
void mf_net_lookup_end(struct mf_net_lookup *lookup);

/** @brief Time since the last datagram of a peer, in its time [us]. */
mf_us_t mf_net_peer_silence(const struct mf_net_peer *peer, mf_us_t now_us);

/** @brief Name a peer by its kind and address: "udp 127.0.0.1:14550". */
void mf_net_name_peer(struct mf_net_peer *peer);

/** @brief A fixed peer of UDP has another address from now on. */
void mf_net_peer_move(struct mf_net_peer *peer, const struct mf_addr *addr);

/** @brief Say something about a port or peer to the board. */
__attribute__((format(printf, 3, 4))) void
mf_net_note(struct mf_net *net, enum mf_severity severity, const char *format, ...);

/** @brief The next pass looks at a peer. */
void mf_net_activate(struct mf_net_peer *peer);

/** @brief ... does not. */
void mf_net_deactivate(struct mf_net_peer *peer);

/** @brief Streams become a set of the system, if the board has memory for what it reports. */
void mf_net_set_open(struct mf_net *net);
void mf_net_set_close(struct mf_net *net);

/** @brief A peer's descriptor is part of the set, if there is one, until it is closed. */
void mf_net_set_add(struct mf_net_peer *peer);

/** @brief For what a peer of the set is reported. @param events  POLLIN, POLLOUT, both or none */
void mf_net_set_watch(struct mf_net_peer *peer, short events);

/** @brief Peers of the set that speak become readable. */
void mf_net_set_receive(struct mf_net *net);

/** @brief A peer of UDP is found by its addresses, until it is forgotten. */
void mf_net_know(struct mf_net_peer *peer);
void mf_net_forget(struct mf_net_peer *peer);

/** @brief Whose a datagram is. @param local  to which of many addresses it was sent
 *  @return NULL: nobody's so far */
struct mf_net_peer *mf_net_find(struct mf_net *net, uint16_t port, const struct mf_addr *addr,
                                const struct mf_addr *local);

/** @brief Bind a server's socket to what its endpoint says, and learn the true port.
 *  @return false with errno */
bool mf_net_bind(struct mf_net_port *port);

/** @brief "tcp 127.0.0.1:5760: address already in use" @return MF_E_IO */
int mf_net_refuse(const struct mf_net_port *port, const char *what, int error, char *reason);

/** @brief Bytes of a stream with read(2) or recv(2). @return as the serial contract says */
int mf_net_stream_read(struct mf_net_peer *peer, uint8_t *bytes, size_t cap);

static inline struct mf_net_port *mf_net_port_of(const struct mf_net_peer *peer)
{
    return &peer->net->memory.ports[peer->port];
}

/** @brief Is it a client of HTTP? Their queues are lent, and their time is the wall's. */
static inline bool mf_net_is_http(const struct mf_net_peer *peer)
{
    return peer - peer->net->memory.peers >= peer->net->memory.peer_max;
}

/** @brief Does a peer live in transport time that is granted? */
bool mf_net_is_granted(const struct mf_net_peer *peer);

/** @brief The present in the time of a peer [us]. */
mf_us_t mf_net_time_of(const struct mf_net_peer *peer, mf_us_t now_us);

/** @brief Tell the board that a peer has ended, and free its place. */
void mf_net_peer_close(struct mf_net *net, uint16_t index, mf_us_t now_us);

/** @brief A datagram of that peer has come. */
void mf_net_peer_heard(struct mf_net_peer *peer, mf_us_t now_us);

#endif
