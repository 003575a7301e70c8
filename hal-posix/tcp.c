/* SPDX-License-Identifier: Apache-2.0 */
/* Ports of TCP, for net.c: a server with many clients, and a client that connects until it
 * succeeds. */
#include "hal-posix/net_kind.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define BACKLOG 128
/* Backlog of a port of many addresses: as much as the system allows (net.core.somaxconn). A client
 * beyond it tries again after a second, or is never noticed. */
#define BACKLOG_MANY 65535
/* Maximum number of connections that such a port accepts in one pass, faster than clients
 * connect. */
#define ACCEPTS_MANY 1024
/* Size of the system's send buffer of a connection [bytes]. By default it grows to megabytes, and a
 * client that stops reading would be noticed only after many minutes. */
#define SEND_BUFFER_BYTES 65536
/* Time limit of a connection attempt; Linux alone would wait for two minutes. */
#define CONNECT_LIMIT_US (10 * MF_SECOND_US)

static int set_option(int fd, int level, int option, int value)
{
    return setsockopt(fd, level, option, &value, sizeof value);
}

static int new_socket(const struct mf_addr *addr)
{
    const int fd = socket(addr->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0) {
        (void)set_option(fd, SOL_SOCKET, SO_SNDBUF, SEND_BUFFER_BYTES);
        (void)set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    }
    return fd;
}

static ssize_t tcp_send(struct mf_net_peer *peer, const uint8_t *bytes, size_t n)
{
    return send(peer->fd, bytes, n, MSG_NOSIGNAL);
}

/* ---- server */

static int server_refuse(struct mf_net_port *port, char *reason)
{
    const int error = errno;
    (void)close(port->fd);
    port->fd = -1;
    return mf_net_refuse(port, "cannot listen", error, reason);
}

static int server_open(struct mf_net_port *port, char *reason)
{
    const struct mf_addr *addr = &port->endpoint.addr;
    port->local = *addr;
    port->fd = new_socket(addr);
    if (port->fd < 0) {
        return mf_net_refuse(port, "cannot open a socket", errno, reason);
    }
    (void)set_option(port->fd, SOL_SOCKET, SO_REUSEADDR, 1);
    if (addr->any.sa_family == AF_INET6) {
        (void)set_option(port->fd, IPPROTO_IPV6, IPV6_V6ONLY,
                         0); /* lets [::] serve IPv4 too, whatever the system's default */
    }
    return mf_net_bind(port) ? MF_E_OK : server_refuse(port, reason);
}

/* Begin to listen. If two programs bound the same address at once, one of them fails here. */
static int server_listen(struct mf_net_port *port, char *reason)
{
    const int backlog = port->endpoint.many ? BACKLOG_MANY : BACKLOG;
    return listen(port->fd, backlog) == 0 ? MF_E_OK : server_refuse(port, reason);
}

static short server_wants(const struct mf_net_port *port)
{
    return port->retry_us == MF_NEVER ? POLLIN : 0;
}

static void server_retry(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us)
{
    (void)net, (void)port, (void)now_us; /* the end of the pause lets the port be polled again */
}

/* Pause a port after a failed accept(): without a free descriptor, poll() would report the waiting
 * client again and again. */
static void accept_failed(struct mf_net *net, struct mf_net_port *port, int error, mf_us_t now_us)
{
    net->stats.accept_errors++;
    if (error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM) {
        port->backoff_us = MF_NET_REST_US;
        mf_net_port_failed(net, port, "cannot accept", error, now_us);
    }
}

/* Accept one connection. @return false: none waits, or it failed */
static bool accept_one(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us)
{
    struct mf_addr addr = {.len = sizeof addr.in6};
    const int fd = accept4(port->fd, &addr.any, &addr.len, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) {
        if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
            accept_failed(net, port, errno, now_us);
        }
        return false;
    }
    port->complained = false;
    (void)set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    memset(&net->local, 0, sizeof net->local);
    if (port->endpoint.many) {
        net->local.len = sizeof net->local.in6;
        (void)getsockname(fd, &net->local.any, &net->local.len);
    }
    char text[MF_ADDR_TEXT_MAX];
    mf_addr_text(&addr, text);
    if (mf_net_peer_open(net, port, fd, &addr, false, now_us) < 0) {
        mf_net_note(net, MF_WARNING, "tcp %s: turned away, %s", text, net->why);
    }
    return true;
}

/* Accept one connection, so that a flood of them delays no peer; at a port of many addresses, up to
 * ACCEPTS_MANY. */
static void server_ready(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us)
{
    for (int left = port->endpoint.many ? ACCEPTS_MANY : 1; left > 0; left--) {
        if (!accept_one(net, port, now_us)) {
            return;
        }
    }
}

/* ---- client */

/* Take over, once, a connected socket that the starter of this program left open. */
static void take_inherited(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us)
{
    const int fd = port->endpoint.port;
    port->endpoint.port = 0;
    if (fd > 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0) {
        mf_net_port_connected(net, port, fd, now_us);
    } else {
        mf_net_port_failed(net, port, "cannot connect", fd > 0 ? errno : ENOTCONN, now_us);
    }
}

static void client_retry(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us)
{
    if (port->fd >= 0) { /* the last attempt was never answered */
        (void)close(port->fd);
        port->fd = -1;
        mf_net_port_failed(net, port, "cannot connect", ETIMEDOUT, now_us);
        return;
    }
    if (port->endpoint.inherited) {
        take_inherited(net, port, now_us);
        return;
    }
    if (port->endpoint.named && !mf_net_look_up(net, port, now_us)) {
        return;
    }
    const struct mf_addr *addr = &port->endpoint.addr;
    port->fd = new_socket(addr);
    if (port->fd >= 0 && connect(port->fd, &addr->any, addr->len) == 0) {
        mf_net_port_connected(net, port, port->fd, now_us);
        return;
    }
    if (port->fd >= 0 && errno == EINPROGRESS) {
        port->retry_us = now_us + CONNECT_LIMIT_US;
        return;
    }
    const int error = errno;
    if (port->fd >= 0) {
        (void)close(port->fd);
        port->fd = -1;
    }
    mf_net_port_failed(net, port, "cannot connect", error, now_us);
}

static int client_open(struct mf_net_port *port, char *reason)
{
    (void)port;
    reason[0] = '\0'; /* a server that is absent now may appear later */
    return MF_E_OK;
}

static short client_wants(const struct mf_net_port *port)
{
    (void)port;
    return POLLOUT;
}

static void client_ready(struct mf_net *net, struct mf_net_port *port, mf_us_t now_us)
{
    int error = 0;
    socklen_t len = sizeof error;
    if (getsockopt(port->fd, SOL_SOCKET, SO_ERROR, &error, &len) != 0) {
        error = errno;
    }
    if (error == 0) {
        mf_net_port_connected(net, port, port->fd, now_us);
        return;
    }
    (void)close(port->fd);
    port->fd = -1;
    mf_net_port_failed(net, port, "cannot connect", error, now_us);
}

const struct mf_net_kind mf_net_tcp_server = {
    .open = server_open,
    .listen = server_listen,
    .retry = server_retry,
    .wants = server_wants,
    .ready = server_ready,
    .read = mf_net_stream_read,
    .send = tcp_send,
};

const struct mf_net_kind mf_net_tcp_client = {
    .open = client_open,
    .start = client_retry,
    .retry = client_retry,
    .wants = client_wants,
    .ready = client_ready,
    .read = mf_net_stream_read,
    .send = tcp_send,
};
