/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ports of UDP, for net.c: one socket per port, and a peer per address that has sent to it. A
 * client also has one fixed peer, to which it sends from the beginning. The present datagram of a
 * socket belongs to one peer; the next is received after it was read.
 */
#include "hal-posix/net_kind.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int udp_open(struct mf_net_port *port, char *reason)
{
    const struct mf_endpoint *ep = &port->endpoint;
    if (ep->named && ep->addr.len == 0) {
        return MF_E_OK; /* the name is not resolved yet, so the family is unknown */
    }
    port->local =
        ep->kind == MF_PORT_UDP_CLIENT ? mf_addr_local_for(&ep->addr, ep->local_port) : ep->addr;
    port->fd = socket(port->local.any.sa_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (port->fd < 0) {
        return mf_net_refuse(port, "cannot open a socket", errno, reason);
    }
    if (port->local.any.sa_family == AF_INET6) {
        const int no = 0; /* [::] serves IPv4 too, whatever the system's default */
        (void)setsockopt(port->fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
    }
    const int yes = 1; /* a subnet's broadcast address is allowed as a peer */
    (void)setsockopt(port->fd, SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes);
    if (ep->many) {
        (void)setsockopt(port->fd, IPPROTO_IP, IP_PKTINFO, &yes, sizeof yes);
    }
    if (!mf_net_bind(port)) {
        const int error = errno;
        (void)close(port->fd);
        port->fd = -1;
        return mf_net_refuse(port, "cannot bind", error, reason);
    }
    return MF_E_OK;
}

/* Open the fixed peer of a client. */
static void open_peer(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us)
{
    port->peer = mf_net_peer_open(net, port, -1, &port->endpoint.addr, true, now_us);
    if (port->peer < 0) {
        mf_net_note(net, MF_ERROR, "udp-out %s: turned away, %s", port->endpoint.host, net->why);
    }
}

/* Open a socket that can reach the address of the port: of its family, and on the loopback if the
 * address is. @return false: failed */
static bool open_for(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us)
{
    char reason[MF_REASON_MAX];
    const struct mf_addr *addr = &port->endpoint.addr;
    if (port->fd >= 0 && port->local.any.sa_family == addr->any.sa_family &&
        mf_addr_is_loopback(&port->local) == mf_addr_is_loopback(addr)) {
        return true;
    }
    if (port->fd >= 0) {
        (void)close(port->fd);
        port->fd = -1;
    }
    if (udp_open(port, reason) != MF_E_OK) {
        if (!port->complained) {
            mf_net_note(net, MF_WARNING, "%s; trying again", reason);
        }
        port->complained = true;
        port->retry_us = now_us + MF_NET_REST_US;
        return false;
    }
    return true;
}

/* Look the name of a silent host up again, since the host may have a new address. */
static void udp_retry(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us)
{
    struct mf_net_peer *peer = port->peer >= 0 ? &net->memory.peers[port->peer] : NULL;
    const mf_us_t silent_us = peer != NULL ? mf_net_peer_silence(peer, now_us) : MF_NEVER;
    if (!port->endpoint.named) {
        return;
    }
    if (silent_us < MF_NET_SILENCE_US && port->lookup.child == 0) {
        port->retry_us = now_us + MF_NET_SILENCE_US - silent_us;
        return;
    }
    if (!mf_net_look_up(net, port, now_us) || !open_for(net, port, now_us)) {
        return;
    }
    port->retry_us = now_us + MF_NET_SILENCE_US;
    if (peer == NULL) {
        open_peer(net, port, now_us);
    } else if (!mf_addr_equal(&peer->addr, &port->endpoint.addr)) {
        mf_net_peer_move(peer, &port->endpoint.addr);
    }
}

static void udp_start(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us)
{
    if (port->endpoint.named) {
        udp_retry(net, port, now_us);
    } else if (port->endpoint.kind == MF_PORT_UDP_CLIENT) {
        open_peer(net, port, now_us);
    }
}

static short udp_wants(const struct mf_net_port *port)
{
    (void)port;
    return POLLIN;
}

/* Receive one datagram, and the address to which it was sent. @return as recvfrom() */
static ssize_t receive_at(const struct mf_net_port *port, struct mf_addr *from,
                          struct mf_addr *local)
{
    union {
        char bytes[CMSG_SPACE(sizeof(struct in_pktinfo))];
        struct cmsghdr align;
    } control;
    struct iovec piece = {.iov_base = port->datagram, .iov_len = MF_NET_DATAGRAM_MAX};
    struct msghdr m = {.msg_name = &from->any,
                       .msg_namelen = from->len,
                       .msg_iov = &piece,
                       .msg_iovlen = 1,
                       .msg_control = control.bytes,
                       .msg_controllen = sizeof control.bytes};
    const ssize_t n = recvmsg(port->fd, &m, 0);
    from->len = m.msg_namelen;
    const struct cmsghdr *c = n >= 0 ? CMSG_FIRSTHDR(&m) : NULL;
    if (c != NULL && c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_PKTINFO) {
        struct in_pktinfo info;
        memcpy(&info, CMSG_DATA(c), sizeof info);
        *local = port->local; /* for the port number */
        local->in.sin_addr = info.ipi_addr;
    }
    return n;
}

static void udp_ready(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us)
{
    if (port->datagram_read < port->datagram_len) {
        return;
    }
    struct mf_addr from = {.len = sizeof from.in6};
    memset(&net->local, 0, sizeof net->local);
    const ssize_t n = port->endpoint.many ? receive_at(port, &from, &net->local)
                                          : recvfrom(port->fd, port->datagram, MF_NET_DATAGRAM_MAX,
                                                     0, &from.any, &from.len);
    if (n < 0) {
        /* no datagram was there after all, or the system reports an earlier one as undeliverable */
        return;
    }
    const struct mf_net_peer *known =
        mf_net_find(net, (uint16_t)(port - net->memory.ports), &from, &net->local);
    const int peer = known != NULL ? (int)(known - net->memory.peers)
                                   : mf_net_peer_open(net, port, -1, &from, false, now_us);
    if (peer < 0) {
        return; /* the refusal was counted; one line per datagram would be a flood of lines */
    }
    mf_net_peer_heard(&net->memory.peers[peer], now_us);
    port->datagram_peer = (uint16_t)peer;
    port->datagram_len = (uint32_t)n;
    port->datagram_read = 0;
}

static int udp_read(struct mf_net_peer *peer, uint8_t *bytes, size_t cap)
{
    struct mf_net_port *port = mf_net_port_of(peer);
    if (port->datagram_peer != (uint16_t)(peer - peer->net->memory.peers)) {
        return 0;
    }
    const size_t left = port->datagram_len - port->datagram_read;
    const size_t n = left < cap ? left : cap;
    memcpy(bytes, port->datagram + port->datagram_read, n);
    port->datagram_read += (uint32_t)n;
    port->datagram_touched = true;
    return (int)n;
}

/* Send an answer from the address to which the peer sent its datagrams. */
static ssize_t send_from(const struct mf_net_peer *peer, const uint8_t *bytes, size_t n)
{
    const struct in_pktinfo info = {.ipi_spec_dst = peer->local.in.sin_addr};
    struct mf_addr to = peer->addr;
    union {
        char bytes[CMSG_SPACE(sizeof info)];
        struct cmsghdr head;
    } control = {.head = {.cmsg_len = CMSG_LEN(sizeof info),
                          .cmsg_level = IPPROTO_IP,
                          .cmsg_type = IP_PKTINFO}};
    union {
        const uint8_t *in;
        void *out;
    } payload = {.in = bytes}; /* not written by sendmsg() */
    struct iovec piece = {.iov_base = payload.out, .iov_len = n};
    const struct msghdr m = {.msg_name = &to.any,
                             .msg_namelen = to.len,
                             .msg_iov = &piece,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    memcpy(CMSG_DATA(&control.head), &info, sizeof info);
    return sendmsg(mf_net_port_of(peer)->fd, &m, MSG_NOSIGNAL);
}

static ssize_t udp_send(struct mf_net_peer *peer, const uint8_t *bytes, size_t n)
{
    if (peer->local.any.sa_family != AF_UNSPEC) {
        return send_from(peer, bytes, n);
    }
    return sendto(mf_net_port_of(peer)->fd, bytes, n, MSG_NOSIGNAL, &peer->addr.any,
                  peer->addr.len);
}

const struct mf_net_kind mf_net_udp = {
    .open = udp_open,
    .start = udp_start,
    .retry = udp_retry,
    .wants = udp_wants,
    .ready = udp_ready,
    .read = udp_read,
    .send = udp_send,
    .datagrams = true,
};
