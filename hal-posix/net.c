/* SPDX-License-Identifier: Apache-2.0 */
#include "hal-posix/net.h"

#include "hal-posix/net_kind.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Entries of `owners` at and above this one are peers; the last is the set of them. */
#define OWNER_PEER 0x8000u
#define OWNER_SET  0xFFFFu

static const struct mf_net_kind *const k_kind[MF_PORT_KIND_COUNT] = {
    [MF_PORT_TCP_SERVER] = &mf_net_tcp_server, [MF_PORT_TCP_CLIENT] = &mf_net_tcp_client,
    [MF_PORT_UDP_SERVER] = &mf_net_udp,        [MF_PORT_UDP_CLIENT] = &mf_net_udp,
    [MF_PORT_SERIAL] = &mf_net_serial,
};

static const struct mf_net_kind *kind_of(const struct mf_net_port *port)
{
    return k_kind[port->endpoint.kind];
}

static const struct mf_net_kind *kind_of_peer(const struct mf_net_peer *peer)
{
    return kind_of(mf_net_port_of(peer));
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

/* Controllers of time have places of their own. */
static bool is_controller(const struct mf_net_peer *peer)
{
    return mf_net_port_of(peer)->endpoint.reserved;
}

/* ---- what waits leaves */

/* A datagram that cannot be sent is only lost; a stream that fails is gone. @return whether the
 * next can be tried */
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

/* One piece: all of a stream, or one datagram. @return whether there may be another */
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

/* ---- queues of HTTP clients: of so many peers few have something to say at one time, so memory
 * goes round. There is enough for all; what is not needed stays untouched. */

static bool is_http(const struct mf_net_peer *peer)
{
    return peer - peer->net->memory.peers >= peer->net->memory.peer_max;
}

/* Those that are free are a chain. */
static void take_queue_back(struct mf_net_peer *peer)
{
    struct mf_net *net = peer->net;
    if (is_http(peer) && peer->queue.bytes != NULL) {
        memcpy(peer->queue.bytes, &net->http_free, sizeof net->http_free);
        net->http_free = peer->queue.bytes;
        peer->queue.bytes = NULL;
    }
}

static void flush(struct mf_net_peer *peer)
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
        if (!mf_queue_empty(&peer->queue) && (!http_alone || is_http(peer))) {
            flush(peer);
        }
    }
}

static void lend_queue(struct mf_net_peer *peer)
{
    struct mf_net *net = peer->net;
    if (peer->queue.bytes != NULL) {
        return;
    }
    if (net->http_free == NULL) { /* perhaps what waits for others can leave */
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

/* ---- patience */

/* Links live in transport time; HTTP clients and controllers, who grant it, in the wall's. */
static bool is_granted(const struct mf_net_peer *peer)
{
    return peer->net->pace != NULL && peer->net->pace->granted && !is_http(peer) &&
           !is_controller(peer);
}

/* The present in the time of a peer. */
static mf_us_t time_of(const struct mf_net_peer *peer, mf_us_t now_us)
{
    return is_granted(peer) ? mf_pace_transport(peer->net->pace, now_us) : now_us;
}

void mf_net_peer_heard(struct mf_net_peer *peer, mf_us_t now_us)
{
    peer->heard_us = time_of(peer, now_us);
}

mf_us_t mf_net_peer_silence(const struct mf_net_peer *peer, mf_us_t now_us)
{
    return time_of(peer, now_us) - peer->heard_us;
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
        peer->full_us = peer->full ? peer->full_us : time_of(peer, peer->net->now_us);
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

/* ---- peers come and go */

/* Memory above the top was not looked at so far; it is written to only where it has to be. */
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
    return kind_of(port)->datagrams ? MF_NET_UDP : MF_NET_TCP;
}

/* Places that one sort leaves to others. */
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

/* @return the client that has been silent for the longest time, or NULL */
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
        mf_queue_init(&peer->queue, NULL, MF_NET_HTTP_QUEUE_BYTES, datagrams); /* lent later */
    }
}

static void release(struct mf_net *net, struct mf_net_peer *peer)
{
    uint16_t *first = &net->first_free[is_http(peer)];
    const uint16_t index = (uint16_t)(peer - net->memory.peers);
    if (peer->fd >= 0) {
        (void)close(peer->fd); /* no set has it any more */
    }
    if (kind_of_peer(peer)->datagrams) {
        mf_net_forget(peer);
    }
    mf_net_deactivate(peer);
    take_queue_back(peer);
    peer->used = false;
    *first = index < *first ? index : *first;
    net->places[peer->sort].used = (uint16_t)(net->places[peer->sort].used - !is_http(peer));
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
        release(net, peer);
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

/* A client or serial device whose peer is gone tries again; a datagram of that peer is void. */
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

static void peer_close(struct mf_net *net, uint16_t index, mf_us_t now_us)
{
    struct mf_net_peer *peer = &net->memory.peers[index];
    if (peer->why != NULL) {
        mf_net_note(net, MF_NOTICE, "%s: %s", peer->name, peer->why);
    }
    net->stats.closed++;
    net->events->closed(net->events_ctx, index);
    port_lost(mf_net_port_of(peer), index, now_us);
    release(net, peer);
}

/* A place for one more, if need be that of a silent client. @return its index, or MF_E_FULL */
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
    mf_net_peer_end(silent, "gave its place to another: it has said nothing");
    peer_close(net, (uint16_t)(silent - net->memory.peers), now_us);
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
    const struct mf_net_kind *kind = kind_of(port);
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

/* ---- ports */

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

void mf_net_init(struct mf_net *net, const struct mf_net_memory *memory,
                 const struct mf_net_events *events, void *events_ctx)
{
    MF_ASSERT((uint32_t)memory->peer_max + memory->http_max < OWNER_PEER &&
              memory->port_max < OWNER_PEER);
    memset(net, 0, sizeof *net);
    net->memory = *memory;
    net->events = events;
    net->events_ctx = events_ctx;
    net->first_free[true] = memory->peer_max;
    mf_net_set_open(net);
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

int mf_net_add_peer(struct mf_net *net, uint16_t port, const struct mf_addr *addr, mf_us_t now_us)
{
    MF_ASSERT(port < net->port_count && kind_of(&net->memory.ports[port])->datagrams);
    memset(&net->local, 0, sizeof net->local);
    return mf_net_peer_open(net, &net->memory.ports[port], -1, addr, true, now_us);
}

int mf_net_add(struct mf_net *net, const struct mf_endpoint *endpoint, char *reason)
{
    MF_ASSERT(endpoint->kind < MF_PORT_KIND_COUNT);
    const uint16_t index = net->port_count;
    if (index >= net->memory.port_max) {
        (void)snprintf(reason, MF_REASON_MAX, "more than %u links are configured",
                       net->memory.port_max);
        return MF_E_FULL;
    }
    struct mf_net_port *port = &net->memory.ports[index];
    memset(port, 0, sizeof *port);
    port->endpoint = *endpoint;
    port->fd = port->peer = -1;
    port->retry_us = MF_NEVER;
    port->backoff_us = MF_NET_RETRY_MIN_US;
    port->datagram = net->memory.datagrams[index];
    net->port_count++;
    const int result = kind_of(port)->open(port, reason);
    if (result != MF_E_OK) {
        net->port_count--;
        return result;
    }
    return index;
}

int mf_net_listen(struct mf_net *net, uint16_t port, char *reason)
{
    MF_ASSERT(port < net->port_count);
    struct mf_net_port *p = &net->memory.ports[port];
    const int result = kind_of(p)->listen == NULL ? MF_E_OK : kind_of(p)->listen(p, reason);
    if (result != MF_E_OK && port + 1 == net->port_count) {
        net->port_count--;
    }
    return result;
}

void mf_net_start(struct mf_net *net, mf_us_t now_us)
{
    net->now_us = now_us;
    for (uint16_t i = 0; i < net->port_count; i++) {
        struct mf_net_port *port = &net->memory.ports[i];
        if (kind_of(port)->start != NULL) {
            kind_of(port)->start(net, port, now_us);
        }
    }
}

/* ---- one pass */

static void watch(struct mf_net *net, int fd, short events, uint16_t owner)
{
    MF_ASSERT(net->poll_count < (nfds_t)net->memory.port_max + net->memory.peer_max +
                                    net->memory.http_max + (net->set_fd >= 0));
    net->memory.polls[net->poll_count] = (struct pollfd){.fd = fd, .events = events};
    net->memory.owners[net->poll_count] = owner;
    net->poll_count++;
}

static mf_us_t prepare_port(struct mf_net *net, uint16_t index, mf_us_t now_us)
{
    const struct mf_net_port *port = &net->memory.ports[index];
    if (port->datagram_read < port->datagram_len) {
        return now_us; /* the vehicle shall go on reading before more is taken in */
    }
    const short wants = port->fd < 0 ? 0 : kind_of(port)->wants(port);
    if (wants != 0) {
        watch(net, port->fd, wants, index);
    }
    return port->retry_us;
}

static bool forgettable(const struct mf_net_peer *peer)
{
    return peer->fd < 0 && !peer->fixed;
}

/* In its time. */
static mf_us_t silence_due(const struct mf_net_peer *peer)
{
    return forgettable(peer) ? peer->heard_us + MF_NET_SILENCE_US : MF_NEVER;
}

mf_us_t mf_net_silence_due(const struct mf_net *net)
{
    mf_us_t due_us = MF_NEVER;
    for (const struct mf_net_peer *peer = net->active; peer != NULL; peer = peer->after) {
        due_us = mf_earlier(due_us, silence_due(peer));
    }
    return due_us;
}

/* @param unread  its reader left what is there for later: more of it brings no pass */
static void watch_peer(struct mf_net *net, struct mf_net_peer *peer, bool unread)
{
    const uint16_t owner = (uint16_t)(OWNER_PEER | (uint16_t)(peer - net->memory.peers));
    const bool waits = !mf_queue_empty(&peer->queue);
    const short events = (short)((unread ? 0 : POLLIN) | (waits ? POLLOUT : 0));
    if (peer->in_set) {
        mf_net_set_watch(peer, events);
    } else if (peer->fd >= 0 && events != 0) {
        watch(net, peer->fd, events, owner);
    } else if (peer->fd < 0 && waits) { /* the socket's buffer is full: rare, over in a moment */
        watch(net, mf_net_port_of(peer)->fd, POLLOUT, owner);
    }
}

static mf_us_t due_of(const struct mf_net_peer *peer, mf_us_t now_us)
{
    const mf_us_t stall_us = peer->full ? peer->full_us + MF_NET_STALL_US : MF_NEVER;
    const mf_us_t due_us = mf_earlier(stall_us, silence_due(peer));
    if (!is_granted(peer)) {
        return due_us;
    }
    return due_us <= time_of(peer, now_us) ? now_us : MF_NEVER; /* else a grant brings it */
}

static mf_us_t prepare_peer(struct mf_net *net, struct mf_net_peer *peer, mf_us_t now_us)
{
    const bool unread = peer->readable && !peer->asked;
    peer->asked = false;
    watch_peer(net, peer, unread);
    const mf_us_t due_us = due_of(peer, now_us);
    return unread ? mf_earlier(due_us, now_us + MF_NET_UNREAD_US) : due_us;
}

mf_us_t mf_net_prepare(struct mf_net *net, mf_us_t now_us)
{
    mf_us_t due_us = MF_NEVER;
    net->poll_count = 0;
    for (uint16_t i = 0; i < net->port_count; i++) {
        due_us = mf_earlier(due_us, prepare_port(net, i, now_us));
    }
    if (net->set_fd >= 0) {
        watch(net, net->set_fd, POLLIN, OWNER_SET);
    }
    for (struct mf_net_peer *peer = net->active; peer != NULL; peer = peer->after) {
        due_us = mf_earlier(due_us, prepare_peer(net, peer, now_us));
    }
    return due_us;
}

void mf_net_receive(struct mf_net *net, mf_us_t now_us)
{
    net->now_us = now_us;
    for (nfds_t i = 0; i < net->poll_count; i++) {
        const short events = net->memory.polls[i].revents;
        const uint16_t owner = net->memory.owners[i];
        if (events == 0) {
            continue;
        }
        if (owner < OWNER_PEER) {
            kind_of(&net->memory.ports[owner])->ready(net, &net->memory.ports[owner], now_us);
        } else if (owner == OWNER_SET) {
            mf_net_set_receive(net);
        } else if ((events & ~POLLOUT) != 0) {
            net->memory.peers[owner - OWNER_PEER].readable = true;
        }
    }
}

bool mf_net_receive_more(struct mf_net *net, mf_us_t now_us)
{
    bool any = false;
    for (uint16_t i = 0; i < net->port_count; i++) {
        struct mf_net_port *port = &net->memory.ports[i];
        if (kind_of(port)->datagrams && port->datagram_len > 0 &&
            port->datagram_read == port->datagram_len) {
            port->datagram_len = port->datagram_read = 0;
            kind_of(port)->ready(net, port, now_us);
            any = any || port->datagram_len > 0;
        }
    }
    return any;
}

/* A serial line gives what it gets to whoever is there, at its own rate: that nobody takes it
 * says nothing. */
static bool is_line(const struct mf_net_peer *peer)
{
    return kind_of_peer(peer) == &mf_net_serial;
}

static void check_peer(struct mf_net *net, struct mf_net_peer *peer, mf_us_t wall_us)
{
    const mf_us_t now_us = time_of(peer, wall_us);
    if (peer->ended) {
        return;
    }
    if (net->patience > 0 && !peer->full && !is_line(peer) &&
        mf_queue_used(&peer->queue) > net->patience) {
        peer->full = true;
        peer->full_us = now_us;
    }
    if (peer->full && now_us - peer->full_us >= MF_NET_STALL_US) {
        net->stats.dropped_slow += !mf_net_port_of(peer)->endpoint.http;
        mf_net_peer_end(peer, "dropped: it took nothing for 5 s");
    } else if (forgettable(peer) && now_us - peer->heard_us >= MF_NET_SILENCE_US) {
        net->stats.forgotten++;
        mf_net_peer_end(peer, "silent for 10 s, forgotten");
    }
}

/* What was not touched in a whole pass has no reader: it must not keep the loop awake. */
static void check_port(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us)
{
    if (port->datagram_read < port->datagram_len && !port->datagram_touched) {
        net->stats.rx_unread++;
        port->datagram_read = port->datagram_len;
    }
    port->datagram_touched = false;
    if (port->retry_us <= now_us && kind_of(port)->retry != NULL) {
        port->retry_us = MF_NEVER;
        kind_of(port)->retry(net, port, now_us);
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
        flush(&net->memory.peers[peer]);
    }
}

/* What has nothing more to say or to read, and whose descriptor is watched, is left in peace. */
static bool is_done(const struct mf_net_peer *peer)
{
    return mf_queue_empty(&peer->queue) && !peer->full && !peer->readable &&
           peer->watched == POLLIN && (peer->in_set || (peer->fd < 0 && peer->fixed));
}

void mf_net_send(struct mf_net *net, mf_us_t now_us)
{
    mf_net_flush(net);
    struct mf_net_peer *after;
    for (struct mf_net_peer *peer = net->active; peer != NULL; peer = after) {
        check_peer(net, peer, now_us);
        after = peer->after;
        if (peer->ended) {
            peer_close(net, (uint16_t)(peer - net->memory.peers), now_us);
        } else if (is_done(peer)) {
            mf_net_deactivate(peer);
        }
    }
    for (uint16_t i = 0; i < net->port_count; i++) {
        check_port(net, &net->memory.ports[i], now_us);
    }
}

void mf_net_close(struct mf_net *net)
{
    for (uint16_t i = 0; i < net->peer_top; i++) {
        struct mf_net_peer *peer = &net->memory.peers[i];
        if (peer->used) {
            flush(peer);
            peer->why = NULL;
            peer_close(net, i, 0);
        }
    }
    for (uint16_t i = 0; i < net->port_count; i++) {
        mf_net_lookup_end(&net->memory.ports[i].lookup);
        if (net->memory.ports[i].fd >= 0) {
            (void)close(net->memory.ports[i].fd);
            net->memory.ports[i].fd = -1;
        }
    }
    mf_net_set_close(net);
}

size_t mf_net_backlog(const struct mf_net *net, bool lines)
{
    size_t most = 0;
    for (const struct mf_net_peer *peer = net->active; peer != NULL; peer = peer->after) {
        if (!is_http(peer) && peer->fd >= 0 && (lines || !is_line(peer))) {
            const size_t left = mf_queue_used(&peer->queue);
            most = left > most ? left : most;
        }
    }
    return most;
}
