/* SPDX-License-Identifier: Apache-2.0 */
/* Peers of all kinds of port: their places, queues, failures and ends. The kinds of port (tcp.c,
 * udp.c, tty.c) call it, and net.c, which visits all peers. */
#include "hal-posix/net_kind.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct mf_net_kind *kind_of_peer(const struct mf_net_peer *peer)
{
    return mf_net_port_of(peer)->kind;
}

void mf_net_note(struct mf_net *net, enum mf_severity severity, const char *format, ...)
{
    char text[MF_REASON_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    net->events->note(net->events_ctx, severity, text);
}

/* True if a peer is a controller of time. Controllers have reserved places. */
static bool is_controller(const struct mf_net_peer *peer)
{
    return mf_net_port_of(peer)->endpoint.reserved;
}

/* ---- sending of queues */

/* Handle a failed send: a datagram is lost, a stream is closed. @return true: the next piece can be
 * sent */
static bool send_failed(struct mf_net_peer *peer, int error, size_t n)
{
    if (error == EAGAIN || error == EWOULDBLOCK || error == EINTR) {
        return false;
    }
    if (kind_of_peer(peer)->datagrams) {
        peer->net->stats.tx_lost++;
        mf_queue_took(&peer->queue, n);
        return true;
    }
    mf_net_peer_end(peer,
                    error == EPIPE || error == ECONNRESET || error == EIO ? NULL : strerror(error));
    return false;
}

/* Send all of a stream, or one datagram. @return true: another may follow */
static bool flush_piece(struct mf_net_peer *peer)
{
    const uint8_t *bytes = NULL;
    const size_t n = mf_queue_next(&peer->queue, &bytes);
    if (n == 0) {
        return false;
    }
    const ssize_t sent = kind_of_peer(peer)->send(peer, bytes, n);
    if (sent < 0) {
        return send_failed(peer, errno, n);
    }
    if (sent > 0) {
        mf_queue_took(&peer->queue, (size_t)sent);
        peer->net->stats.tx_bytes += is_controller(peer) ? 0 : (uint64_t)sent;
        peer->full = false;
    }
    return (size_t)sent == n;
}

/* ---- queues of HTTP clients: few of so many peers send at one time, so they borrow queues. There
 * are enough for all; memory of unused queues is never touched. */

/* Take the empty queue of an HTTP client back into the chain of free queues. */
static void take_queue_back(struct mf_net_peer *peer)
{
    struct mf_net *net = peer->net;
    if (mf_net_is_http(peer) && peer->queue.bytes != NULL) {
        memcpy(peer->queue.bytes, &net->http_free, sizeof net->http_free);
        net->http_free = peer->queue.bytes;
        peer->queue.bytes = NULL;
    }
}

static void flush_queue(struct mf_net_peer *peer)
{
    while (flush_piece(peer)) {
    }
    if (mf_queue_empty(&peer->queue)) {
        take_queue_back(peer);
    }
}

static void flush_all(struct mf_net *net, bool http_alone)
{
    for (struct mf_net_peer *peer = net->active; peer != NULL; peer = peer->after) {
        if (!mf_queue_empty(&peer->queue) && (!http_alone || mf_net_is_http(peer))) {
            flush_queue(peer);
        }
    }
}

void mf_net_flush(struct mf_net *net)
{
    flush_all(net, false);
}

void mf_net_flush_peer(struct mf_net *net, uint16_t peer)
{
    MF_ASSERT(peer < net->peer_top && net->memory.peers[peer].used);
    if (!mf_queue_empty(&net->memory.peers[peer].queue)) {
        flush_queue(&net->memory.peers[peer]);
    }
}

static void lend_queue(struct mf_net_peer *peer)
{
    struct mf_net *net = peer->net;
    if (peer->queue.bytes != NULL) {
        return;
    }
    if (net->http_free == NULL) { /* sending may free the queues of other clients */
        flush_all(net, true);
    }
    if (net->http_free != NULL) {
        peer->queue.bytes = net->http_free;
        memcpy(&net->http_free, peer->queue.bytes, sizeof net->http_free);
        return;
    }
    MF_ASSERT(net->http_touched < net->memory.http_max);
    peer->queue.bytes = net->memory.http_queues[net->http_touched++];
}

/* ---- time of a peer */

/* True if a peer's time is transport time, which controllers grant. HTTP clients and controllers
 * live in wall time. */
bool mf_net_is_granted(const struct mf_net_peer *peer)
{
    return peer->net->pace != NULL && peer->net->pace->granted && !mf_net_is_http(peer) &&
           !is_controller(peer);
}

/* The present in the time of a peer [us]. */
mf_us_t mf_net_time_of(const struct mf_net_peer *peer, mf_us_t now_us)
{
    return mf_net_is_granted(peer) ? mf_pace_transport(peer->net->pace, now_us) : now_us;
}

void mf_net_peer_heard(struct mf_net_peer *peer, mf_us_t now_us)
{
    peer->heard_us = mf_net_time_of(peer, now_us);
}

mf_us_t mf_net_peer_silence(const struct mf_net_peer *peer, mf_us_t now_us)
{
    return mf_net_time_of(peer, now_us) - peer->heard_us;
}

/* ---- the serial contract of a peer */

static int serial_write(void *ctx, const uint8_t *bytes, size_t n)
{
    struct mf_net_peer *peer = ctx;
    MF_ASSERT(peer->used && n <= INT32_MAX);
    if (peer->ended) {
        return MF_E_IO;
    }
    lend_queue(peer);
    mf_net_activate(peer);
    if (!mf_queue_put(&peer->queue, bytes, n)) {
        peer->full_us = peer->full ? peer->full_us : mf_net_time_of(peer, peer->net->now_us);
        peer->full = true;
        peer->refused++;
        peer->net->stats.tx_refused++;
        return 0;
    }
    return (int)n;
}

static int serial_read(void *ctx, uint8_t *bytes, size_t cap)
{
    struct mf_net_peer *peer = ctx;
    MF_ASSERT(peer->used);
    if (peer->ended) {
        return MF_E_IO;
    }
    const int n = kind_of_peer(peer)->read(peer, bytes, cap);
    peer->net->stats.rx_bytes += n > 0 && !is_controller(peer) ? (uint64_t)n : 0;
    return n;
}

static size_t serial_room(void *ctx)
{
    const struct mf_net_peer *peer = ctx;
    return peer->ended ? 0 : mf_queue_room(&peer->queue);
}

static const struct mf_serial_ops k_serial = {serial_write, serial_read, serial_room};

/* ---- opening and closing of peers */

/* Extend the used part of the table of peers up to an index. Memory above peer_top is not
 * initialized; only entries that look used are written, so that other memory stays untouched. */
static void raise_top(struct mf_net *net, uint16_t index)
{
    struct mf_net_peer *peers = net->memory.peers;
    for (uint16_t k = net->peer_top; k < index; k++) {
        if (peers[k].used) {
            peers[k].used = false;
        }
    }
    net->peer_top = (uint16_t)(index + 1);
}

static enum mf_net_sort sort_of(const struct mf_net_port *port, bool fixed)
{
    if (fixed || port->endpoint.reserved) {
        return MF_NET_CONFIGURED;
    }
    return port->kind->datagrams ? MF_NET_UDP : MF_NET_TCP;
}

/* Number of places that are reserved for a sort of peers and not used by it. */
static unsigned kept_for(const struct mf_net *net, enum mf_net_sort sort)
{
    const unsigned used = net->places[sort].used, reserved = net->memory.reserved[sort];
    return used < reserved ? reserved - used : 0;
}

static bool has_place(const struct mf_net *net, enum mf_net_sort sort)
{
    unsigned taken = 0;
    for (int i = 0; i < MF_NET_SORT_COUNT; i++) {
        taken += net->places[i].used + (i == (int)sort ? 0u : kept_for(net, (enum mf_net_sort)i));
    }
    return taken < net->memory.peer_max;
}

uint16_t mf_net_places_max(const struct mf_net *net, enum mf_net_sort sort)
{
    uint16_t most = net->memory.peer_max;
    for (int i = 0; i < MF_NET_SORT_COUNT; i++) {
        most = (uint16_t)(most - (i == (int)sort ? 0u : net->memory.reserved[i]));
    }
    return most;
}

/* Find the client that has been silent for the longest time. @return NULL: no client is silent */
static struct mf_net_peer *find_silent(const struct mf_net *net)
{
    struct mf_net_peer *oldest = NULL;
    for (uint16_t i = 0; i < net->peer_top && i < net->memory.peer_max; i++) {
        struct mf_net_peer *peer = &net->memory.peers[i];
        if (peer->used && peer->sort == MF_NET_TCP &&
            (oldest == NULL || peer->heard_us < oldest->heard_us) && net->events->silent != NULL &&
            net->events->silent(net->events_ctx, i)) {
            oldest = peer;
        }
    }
    return oldest;
}

static int find_free(struct mf_net *net, bool http)
{
    const struct mf_net_memory *m = &net->memory;
    const uint16_t end = (uint16_t)(m->peer_max + (http ? m->http_max : 0u));
    uint16_t *first = &net->first_free[http];
    for (; *first < end; (*first)++) {
        if (*first >= net->peer_top) {
            raise_top(net, *first);
        } else if (m->peers[*first].used) {
            continue;
        }
        return *first;
    }
    return MF_E_FULL;
}

static void prepare_queue(struct mf_net *net, struct mf_net_peer *peer, uint16_t index,
                          bool datagrams)
{
    const struct mf_net_memory *m = &net->memory;
    if (index < m->peer_max) {
        mf_queue_init(&peer->queue, m->queues[index], MF_QUEUE_BYTES, datagrams);
    } else {
        /* the memory is lent when there are bytes to send */
        mf_queue_init(&peer->queue, NULL, MF_NET_HTTP_QUEUE_BYTES, datagrams);
    }
}

static void release_peer(struct mf_net *net, struct mf_net_peer *peer)
{
    uint16_t *first = &net->first_free[mf_net_is_http(peer)];
    const uint16_t index = (uint16_t)(peer - net->memory.peers);
    if (peer->fd >= 0) {
        (void)close(peer->fd); /* the descriptor is in no epoll set at this point */
    }
    if (kind_of_peer(peer)->datagrams) {
        mf_net_forget(peer);
    }
    mf_net_deactivate(peer);
    take_queue_back(peer);
    peer->used = false;
    *first = index < *first ? index : *first;
    net->places[peer->sort].used = (uint16_t)(net->places[peer->sort].used - !mf_net_is_http(peer));
    while (net->peer_top > 0 && !net->memory.peers[net->peer_top - 1].used) {
        net->peer_top--;
    }
}

static int turn_away(struct mf_net *net, const struct mf_net_port *port, struct mf_net_peer *peer,
                     int fd)
{
    net->stats.turned_away++;
    net->stats.http_turned_away += port->endpoint.http;
    if (peer != NULL) {
        release_peer(net, peer);
    } else if (fd >= 0) {
        (void)close(fd);
    }
    return MF_E_FULL;
}

void mf_net_peer_end(struct mf_net_peer *peer, const char *why)
{
    peer->ended = true;
    peer->why = why;
    mf_net_activate(peer);
}

void mf_net_drop(struct mf_net *net, uint16_t peer, const char *why)
{
    MF_ASSERT(peer < net->peer_top && net->memory.peers[peer].used);
    mf_net_peer_end(&net->memory.peers[peer], why);
}

/* Let a port forget a closed peer: a client or serial device connects again, and a datagram of the
 * peer is dropped. */
static void port_lost(struct mf_net_port *port, uint16_t index, mf_us_t now_us)
{
    if (port->peer == index) {
        port->peer = -1;
        port->backoff_us = MF_NET_RETRY_MIN_US;
        port->retry_us = now_us + port->backoff_us;
    }
    if (port->datagram_peer == index) {
        port->datagram_len = port->datagram_read = 0;
    }
}

void mf_net_peer_close(struct mf_net *net, uint16_t index, mf_us_t now_us)
{
    struct mf_net_peer *peer = &net->memory.peers[index];
    if (peer->why != NULL) {
        mf_net_note(net, MF_NOTICE, "%s: %s", peer->name, peer->why);
    }
    net->stats.closed++;
    net->events->closed(net->events_ctx, index);
    port_lost(mf_net_port_of(peer), index, now_us);
    release_peer(net, peer);
}

/* Find a place for a peer; if need be, close a silent client. @return index of the peer, or
 * MF_E_FULL */
static int find_place(struct mf_net *net, const struct mf_net_port *port, enum mf_net_sort sort,
                      mf_us_t now_us)
{
    if (port->endpoint.http || has_place(net, sort)) {
        return find_free(net, port->endpoint.http);
    }
    struct mf_net_peer *silent = sort == MF_NET_TCP ? find_silent(net) : NULL;
    if (silent == NULL) {
        net->places[sort].refused++;
        return MF_E_FULL;
    }
    net->places[sort].displaced++;
    mf_net_peer_end(silent, "its place was given to another peer: it has sent nothing");
    mf_net_peer_close(net, (uint16_t)(silent - net->memory.peers), now_us);
    return find_free(net, false);
}

int mf_net_peer_open(struct mf_net *net, struct mf_net_port *port, int fd,
                     const struct mf_addr *addr, bool fixed, mf_us_t now_us)
{
    const enum mf_net_sort sort = sort_of(port, fixed);
    const int index = find_place(net, port, sort, now_us);
    if (index < 0) {
        net->why = port->endpoint.http ? "too many connections" : "no link is free";
        return turn_away(net, port, NULL, fd);
    }
    struct mf_net_peer *peer = &net->memory.peers[index];
    const struct mf_net_kind *kind = port->kind;
    peer->used = true;
    peer->sort = sort;
    net->places[sort].used = (uint16_t)(net->places[sort].used + !port->endpoint.http);
    peer->fixed = fixed;
    peer->readable = peer->asked = peer->ended = peer->full = peer->active = peer->in_set = false;
    peer->port = (uint16_t)(port - net->memory.ports);
    peer->fd = fd;
    peer->refused = 0;
    peer->why = NULL;
    peer->net = net;
    mf_net_peer_heard(peer, now_us);
    peer->addr = *addr;
    peer->local = net->local;
    prepare_queue(net, peer, (uint16_t)index, kind->datagrams);
    mf_net_name_peer(peer);
    if (kind->datagrams) {
        mf_net_know(peer);
    }
    mf_net_activate(peer);
    const struct mf_serial serial = {.ops = &k_serial, .ctx = peer, .datagram = kind->datagrams};
    net->why =
        net->events->opened(net->events_ctx, (uint16_t)index, peer->port, &serial, peer->name);
    if (net->why != NULL) {
        return turn_away(net, port, peer, fd);
    }
    net->stats.opened++;
    mf_net_set_add(peer);
    return index;
}

int mf_net_stream_read(struct mf_net_peer *peer, uint8_t *bytes, size_t cap)
{
    if (!peer->readable || cap == 0) {
        return 0; /* poll() has reported no bytes */
    }
    peer->asked = true;
    const ssize_t n = read(peer->fd, bytes, cap);
    if (n == (ssize_t)cap) {
        return (int)n;
    }
    peer->readable = false;
    if (n > 0) {
        return (int)n;
    }
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
        return 0;
    }
    /* The peer has closed at least its half. All its requests were answered, and the queue is sent
     * in this pass. */
    mf_net_peer_end(peer, NULL);
    return MF_E_IO;
}

/* Change a peer's address. Another peer with this address is closed. */
void mf_net_peer_move(struct mf_net_peer *peer, const struct mf_addr *addr)
{
    struct mf_net_peer *other = mf_net_find(peer->net, peer->port, addr, &peer->local);
    if (other != NULL && other != peer) {
        mf_net_peer_end(other, NULL);
    }
    mf_net_forget(peer);
    peer->addr = *addr;
    mf_net_name_peer(peer);
    mf_net_know(peer);
}

/* ---- attempts of a port */

int mf_net_refuse(const struct mf_net_port *port, const char *what, int error, char *reason)
{
    char address[MF_ADDR_TEXT_MAX] = "";
    const struct mf_endpoint *ep = &port->endpoint;
    const char *cause = error != 0 ? strerror(error) : "";
    const char *colon = error != 0 ? ": " : "";
    if (ep->kind == MF_PORT_SERIAL) {
        (void)snprintf(reason, MF_REASON_MAX, "serial %s: %s%s%s", ep->host, what, colon, cause);
        return MF_E_IO;
    }
    mf_addr_text(ep->kind == MF_PORT_UDP_CLIENT ? &port->local : &ep->addr, address);
    if (error == EADDRINUSE) {
        (void)snprintf(reason, MF_REASON_MAX, "%s %s: the port is taken by another program",
                       ep->kind == MF_PORT_TCP_SERVER ? "tcp" : "udp", address);
    } else {
        (void)snprintf(reason, MF_REASON_MAX, "%s %s: %s%s%s", mf_port_kind_name(ep->kind), address,
                       what, colon, cause);
    }
    return MF_E_IO;
}

void mf_net_port_failed(struct mf_net *net, struct mf_net_port *port, const char *what, int error,
                        mf_us_t now_us)
{
    char reason[MF_REASON_MAX];
    if (!port->complained) {
        (void)mf_net_refuse(port, what, error, reason);
        mf_net_note(net, MF_WARNING, "%s; trying again until a program listens there", reason);
        port->complained = true;
    }
    port->retry_us = now_us + port->backoff_us;
    port->backoff_us =
        port->backoff_us * 2 < MF_NET_RETRY_MAX_US ? port->backoff_us * 2 : MF_NET_RETRY_MAX_US;
}

void mf_net_port_connected(struct mf_net *net, struct mf_net_port *port, int fd, mf_us_t now_us)
{
    port->fd = -1;
    port->retry_us = MF_NEVER;
    port->complained = false;
    const int index = mf_net_peer_open(net, port, fd, &port->endpoint.addr, true, now_us);
    if (index < 0) {
        mf_net_port_failed(net, port, net->why, 0, now_us);
        return;
    }
    port->peer = index;
}

bool mf_net_bind(struct mf_net_port *port)
{
    const char *device = port->endpoint.device;
    const bool bound = device == NULL || setsockopt(port->fd, SOL_SOCKET, SO_BINDTODEVICE, device,
                                                    (socklen_t)strlen(device)) == 0;
    if (!bound || bind(port->fd, &port->local.any, port->local.len) != 0) {
        return false;
    }
    (void)getsockname(port->fd, &port->local.any, &port->local.len);
    return true;
}
