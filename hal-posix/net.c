/* SPDX-License-Identifier: Apache-2.0 */
/* Network of a program: ports of all kinds, and the passes over ports and peers, which the loops of
 * boards call. */
#include "hal-posix/net.h"

#include "hal-posix/net_kind.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Values of `owners`: a port's index; OWNER_PEER plus a peer's index; OWNER_SET for the set of
 * peers. */
#define OWNER_PEER 0x8000u
#define OWNER_SET  0xFFFFu

static const struct mf_net_kind *const k_kind[MF_PORT_KIND_COUNT] = {
    [MF_PORT_TCP_SERVER] = &mf_net_tcp_server, [MF_PORT_TCP_CLIENT] = &mf_net_tcp_client,
    [MF_PORT_UDP_SERVER] = &mf_net_udp,        [MF_PORT_UDP_CLIENT] = &mf_net_udp,
    [MF_PORT_SERIAL] = &mf_net_serial,
};

/* ---- ports */

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

int mf_net_add_peer(struct mf_net *net, uint16_t port, const struct mf_addr *addr, mf_us_t now_us)
{
    MF_ASSERT(port < net->port_count && net->memory.ports[port].kind->datagrams);
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
    port->kind = k_kind[endpoint->kind];
    port->fd = port->peer = -1;
    port->retry_us = MF_NEVER;
    port->backoff_us = MF_NET_RETRY_MIN_US;
    port->datagram = net->memory.datagrams[index];
    net->port_count++;
    const int result = port->kind->open(port, reason);
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
    const int result = p->kind->listen == NULL ? MF_E_OK : p->kind->listen(p, reason);
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
        if (port->kind->start != NULL) {
            port->kind->start(net, port, now_us);
        }
    }
}

/* ---- one pass */

static void watch_fd(struct mf_net *net, int fd, short events, uint16_t owner)
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
        return now_us; /* receive nothing more until the vehicle has read this datagram */
    }
    const short wants = port->fd < 0 ? 0 : port->kind->wants(port);
    if (wants != 0) {
        watch_fd(net, port->fd, wants, index);
    }
    return port->retry_us;
}

/* True if a peer may be closed after MF_NET_SILENCE_US of silence. */
static bool forgettable(const struct mf_net_peer *peer)
{
    return peer->fd < 0 && !peer->fixed;
}

/* Time at which a peer counts as silent, in the peer's own time. @return MF_NEVER: it never does */
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

/* Watch a peer's descriptor in the next wait. @param unread  its reader has left bytes for later,
 * so that more bytes need no pass */
static void watch_peer(struct mf_net *net, struct mf_net_peer *peer, bool unread)
{
    const uint16_t owner = (uint16_t)(OWNER_PEER | (uint16_t)(peer - net->memory.peers));
    const bool waits = !mf_queue_empty(&peer->queue);
    const short events = (short)((unread ? 0 : POLLIN) | (waits ? POLLOUT : 0));
    if (peer->in_set) {
        mf_net_set_watch(peer, events);
    } else if (peer->fd >= 0 && events != 0) {
        watch_fd(net, peer->fd, events, owner);
        /* the buffer of the port's socket is full: rare, and for a short time only */
    } else if (peer->fd < 0 && waits) {
        watch_fd(net, mf_net_port_of(peer)->fd, POLLOUT, owner);
    }
}

static mf_us_t due_of(const struct mf_net_peer *peer, mf_us_t now_us)
{
    const mf_us_t stall_us = peer->full ? peer->full_us + MF_NET_STALL_US : MF_NEVER;
    const mf_us_t due_us = mf_earlier(stall_us, silence_due(peer));
    if (!mf_net_is_granted(peer)) {
        return due_us;
    }
    /* otherwise a grant of time starts the pass */
    return due_us <= mf_net_time_of(peer, now_us) ? now_us : MF_NEVER;
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
        watch_fd(net, net->set_fd, POLLIN, OWNER_SET);
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
            net->memory.ports[owner].kind->ready(net, &net->memory.ports[owner], now_us);
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
        if (port->kind->datagrams && port->datagram_len > 0 &&
            port->datagram_read == port->datagram_len) {
            port->datagram_len = port->datagram_read = 0;
            port->kind->ready(net, port, now_us);
            any = any || port->datagram_len > 0;
        }
    }
    return any;
}

/* True for a serial line. A serial line sends at its own rate, with or without a receiver, so that
 * a full queue does not mean a lost peer. */
static bool is_line(const struct mf_net_peer *peer)
{
    return mf_net_port_of(peer)->kind == &mf_net_serial;
}

static void check_peer(struct mf_net *net, struct mf_net_peer *peer, mf_us_t wall_us)
{
    const mf_us_t now_us = mf_net_time_of(peer, wall_us);
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

/* Drop a datagram that no reader touched in a whole pass, since it would keep the loop awake, and
 * retry the port if it is time. */
static void check_port(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us)
{
    if (port->datagram_read < port->datagram_len && !port->datagram_touched) {
        net->stats.rx_unread++;
        port->datagram_read = port->datagram_len;
    }
    port->datagram_touched = false;
    if (port->retry_us <= now_us && port->kind->retry != NULL) {
        port->retry_us = MF_NEVER;
        port->kind->retry(net, port, now_us);
    }
}

/* True if a peer needs no more passes: its queue is empty, it has nothing unread, and its
 * descriptor is watched. */
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
            mf_net_peer_close(net, (uint16_t)(peer - net->memory.peers), now_us);
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
            mf_net_flush_peer(net, i);
            peer->why = NULL;
            mf_net_peer_close(net, i, 0);
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
        if (!mf_net_is_http(peer) && peer->fd >= 0 && (lines || !is_line(peer))) {
            const size_t left = mf_queue_used(&peer->queue);
            most = left > most ? left : most;
        }
    }
    return most;
}
