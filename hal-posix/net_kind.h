/* SPDX-License-Identifier: Apache-2.0 */
/** Internal header of the network: functions of each kind of port, and functions that the kinds
 * share. Not for boards. */
#ifndef MF_HAL_POSIX_NET_KIND_H
#define MF_HAL_POSIX_NET_KIND_H

#include "hal-posix/net.h"

/** Kind of port. */
struct mf_net_kind {
    /** Bind, or open the device, without peers yet.
     * @return MF_E_OK, or MF_E_IO with a reason [MF_REASON_MAX] */
    int (*open)(struct mf_net_port *port, char *reason);
    /** Let clients connect; results as open(); may be NULL. */
    int (*listen)(struct mf_net_port *port, char *reason);
    /** Begin: connect, or open the fixed peer; may be NULL. */
    void (*start)(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us);
    /** Open again, or give an attempt up, at retry_us; may be NULL. */
    void (*retry)(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us);
    /** Events of the port's own descriptor to wait for; 0: none now. */
    short (*wants)(const struct mf_net_port *port);
    /** Handle one of these events. */
    void (*ready)(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us);
    /** Read bytes of a peer, as mf_serial_read(). */
    int (*read)(struct mf_net_peer *peer, uint8_t *bytes, size_t cap);
    /** Send one piece of a peer's queue. @return bytes sent; -1 with errno */
    ssize_t (*send)(struct mf_net_peer *peer, const uint8_t *bytes, size_t n);
    bool datagrams;
};

extern const struct mf_net_kind mf_net_tcp_server, mf_net_tcp_client, mf_net_udp, mf_net_serial;

/** @brief Open a new peer of a port. @param fd  of a stream, or -1; closed with the peer, and when
 * it is refused  @param fixed  the other end of a client or serial device
 * @return its number, or MF_E_FULL, and net->why */
int mf_net_peer_open(struct mf_net *net, struct mf_net_port *port, int fd,
                     const struct mf_addr *addr, bool fixed, mf_us_t now_us);

/** @brief End a peer with this pass. @param why  static text, NULL: not worth a line */
void mf_net_peer_end(struct mf_net_peer *peer, const char *why);

/** @brief Report a failure with its errno, if it is not 0, once until the port works again, and
 * wait before the next attempt. */
void mf_net_port_failed(struct mf_net *net, struct mf_net_port *port, const char *what, int error,
                        mf_us_t now_us);

/** @brief Open the one fixed peer of a port, whose attempt has succeeded with this descriptor. */
void mf_net_port_connected(struct mf_net *net, struct mf_net_port *port, int fd, mf_us_t now_us);

/** @brief Look up the host of a client, for the first time or again, without waiting.
 * @return true: endpoint.addr is the present address, or the last known one;
 * false: unknown so far, call again at port->retry_us, which is set */
bool mf_net_look_up(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us);

/** @brief Cancel a lookup, if it runs. */
void mf_net_lookup_end(struct mf_net_lookup *lookup);

/** @brief Time since the last datagram of a peer, in the peer's time [us]. */
mf_us_t mf_net_peer_silence(const struct mf_net_peer *peer, mf_us_t now_us);

/** @brief Name a peer by its kind and address: "udp 127.0.0.1:14550". */
void mf_net_name_peer(struct mf_net_peer *peer);

/** @brief Change the address of a fixed UDP peer. */
void mf_net_peer_move(struct mf_net_peer *peer, const struct mf_addr *addr);

/** @brief Send the board a log message about a port or peer. */
__attribute__((format(printf, 3, 4))) void
mf_net_note(struct mf_net *net, enum mf_severity severity, const char *format, ...);

/** @brief Let the next pass visit a peer. */
void mf_net_activate(struct mf_net_peer *peer);

/** @brief Let the next passes skip a peer. */
void mf_net_deactivate(struct mf_net_peer *peer);

/** @brief Open the epoll set for streams, if the board has supplied memory for its events; close
 * it. */
void mf_net_set_open(struct mf_net *net);
void mf_net_set_close(struct mf_net *net);

/** @brief Add a peer's descriptor to the set, if it is open, until the descriptor is closed. */
void mf_net_set_add(struct mf_net_peer *peer);

/** @brief Set the events for which the set reports a peer. @param events  POLLIN, POLLOUT, both or
 * none */
void mf_net_set_watch(struct mf_net_peer *peer, short events);

/** @brief Mark the peers of the set that have sent data as readable. */
void mf_net_set_receive(struct mf_net *net);

/** @brief Add a UDP peer to the chains of addresses, or remove it. */
void mf_net_know(struct mf_net_peer *peer);
void mf_net_forget(struct mf_net_peer *peer);

/** @brief Find the sender of a datagram. @param local  local address, of many, to which it was sent
 * @return NULL: an unknown sender */
struct mf_net_peer *mf_net_find(struct mf_net *net, uint16_t port, const struct mf_addr *addr,
                                const struct mf_addr *local);

/** @brief Bind a server's socket to its endpoint, and find the true port.
 * @return false with errno */
bool mf_net_bind(struct mf_net_port *port);

/** @brief Write a reason: "tcp 127.0.0.1:5760: address already in use" @return MF_E_IO */
int mf_net_refuse(const struct mf_net_port *port, const char *what, int error, char *reason);

/** @brief Read bytes of a stream with read(2) or recv(2). @return as mf_serial_read() */
int mf_net_stream_read(struct mf_net_peer *peer, uint8_t *bytes, size_t cap);

static inline struct mf_net_port *mf_net_port_of(const struct mf_net_peer *peer)
{
    return &peer->net->memory.ports[peer->port];
}

/** @brief True for an HTTP client, whose queue is lent, and whose time is the wall's. */
static inline bool mf_net_is_http(const struct mf_net_peer *peer)
{
    return peer - peer->net->memory.peers >= peer->net->memory.peer_max;
}

/** @brief True if the time of a peer is granted transport time. */
bool mf_net_is_granted(const struct mf_net_peer *peer);

/** @brief Present time of a peer [us]. */
mf_us_t mf_net_time_of(const struct mf_net_peer *peer, mf_us_t now_us);

/** @brief Report to the board that a peer has ended, and free its place. */
void mf_net_peer_close(struct mf_net *net, uint16_t index, mf_us_t now_us);

/** @brief Note that a datagram of the peer has arrived. */
void mf_net_peer_heard(struct mf_net_peer *peer, mf_us_t now_us);

#endif
