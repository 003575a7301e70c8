/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams of a node: TCP as the program sees it, a local stream to the switch as the system does.
 * When a socket turns out to be one of the world, by connect() or listen(), a local socket takes
 * its descriptor. Its name says which ends it has, so that copies of a descriptor and children know
 * it, too.
 */
#include "tools/virtual-time/nodes.h"
#include "tools/virtual-time/vt.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/un.h>

#define PREFIX_BYTES (sizeof MF_VIRTUAL_STREAMS - 1u)
#define BACKLOG      4096 /* the switch does not wait for accept() */
#define MARGIN       4096 /* behind a quarter of its buffer a socket takes no more */

static struct {
    bool opening, six;
    int epoll; /* where it is watched, + 1 */
    struct epoll_event event;
} s_socket[VT_SOCKETS_MAX];

/* ---- names */

/* @param peer  NULL: of one that listens, or of the switch, by port 0  @return its length */
static socklen_t put_name(struct sockaddr_un *a, uint32_t own, uint16_t port,
                          const struct sockaddr_in *peer)
{
    char here[INET_ADDRSTRLEN], there[INET_ADDRSTRLEN] = "";
    const struct in_addr host = {htonl(own)};
    int n;
    memset(a, 0, sizeof *a);
    a->sun_family = AF_UNIX;
    (void)inet_ntop(AF_INET, &host, here, sizeof here);
    char *at = a->sun_path + 1;
    const size_t room = sizeof a->sun_path - 1;
    if (peer != NULL) {
        (void)inet_ntop(AF_INET, &peer->sin_addr, there, sizeof there);
        n = snprintf(at, room, MF_VIRTUAL_STREAMS "%s:%u>%s:%u", here, (unsigned)port, there,
                     (unsigned)ntohs(peer->sin_port));
    } else if (port != 0) {
        n = snprintf(at, room, MF_VIRTUAL_STREAMS "%s:%u", here, (unsigned)port);
    } else {
        n = snprintf(at, room, MF_VIRTUAL_STREAMS "%s", here);
    }
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1u + (size_t)n);
}

/* Parse "ADDRESS:PORT". @return false: not of this form */
static bool take_end(const char *text, struct sockaddr_in *a)
{
    char host[INET_ADDRSTRLEN];
    const size_t n = strcspn(text, ":");
    if (n >= sizeof host || text[n] != ':') {
        return false;
    }
    memcpy(host, text, n);
    host[n] = '\0';
    *a = vt_ip_of(0, (uint16_t)strtoul(text + n + 1, NULL, 10));
    return inet_pton(AF_INET, host, &a->sin_addr) == 1;
}

/* Read the name of a socket, without the prefix of all. @return false: not a socket of the world */
static bool take_name(long call, int fd, char text[sizeof(struct sockaddr_un)])
{
    struct sockaddr_un a = {.sun_family = AF_UNSPEC};
    socklen_t n = sizeof a;
    const size_t begin = offsetof(struct sockaddr_un, sun_path) + 1u + PREFIX_BYTES;
    if (vt_raw(call, fd, &a, &n) < 0 || a.sun_family != AF_UNIX || n < begin || n > sizeof a ||
        memcmp(a.sun_path + 1, MF_VIRTUAL_STREAMS, PREFIX_BYTES) != 0) {
        return false;
    }
    memcpy(text, (const char *)&a + begin, n - begin);
    text[n - begin] = '\0';
    return true;
}

bool vt_stream(int fd)
{
    char text[sizeof(struct sockaddr_un)];
    return vt_node() && take_name(SYS_getsockname, fd, text);
}

bool vt_stream_ends(int fd, struct sockaddr_in *own, struct sockaddr_in *peer)
{
    char text[sizeof(struct sockaddr_un)];
    struct sockaddr_in here;
    if (!take_name(SYS_getsockname, fd, text) || !take_end(text, &here)) {
        return false;
    }
    *own = vt_ip_of(vt_node_there(), ntohs(here.sin_port));
    *peer = vt_ip_of(0, 0);
    const char *behind = strchr(text, '>');
    if (behind == NULL && take_name(SYS_getpeername, fd, text)) {
        behind = strchr(text, '>'); /* it was accepted: the switch's end says it */
    }
    if (behind == NULL) {
        return true;
    }
    if (!take_end(behind + 1, peer)) {
        return false;
    }
    *own = vt_ip_of((vt_host_of(peer) & 0xFFFF0000u) | (vt_node_here() & 0xFFFFu),
                    ntohs(here.sin_port)); /* on the network of both */
    return true;
}

static bool is_known(int fd)
{
    return fd >= 0 && fd < VT_SOCKETS_MAX;
}

bool vt_stream_is_six(int fd)
{
    return is_known(fd) && s_socket[fd].six;
}

void vt_stream_closed(int fd)
{
    if (is_known(fd)) {
        s_socket[fd].opening = s_socket[fd].six = false;
        s_socket[fd].epoll = 0;
    }
}

/* ---- a local socket takes the place of one of IP */

VT_EXPORT int epoll_ctl(int ep, int what, int fd, struct epoll_event *event)
{
    const long result = vt_raw(SYS_epoll_ctl, ep, what, fd, event);
    if (result == 0 && is_known(fd) && vt_node()) {
        s_socket[fd].epoll = what == EPOLL_CTL_DEL ? 0 : ep + 1;
        s_socket[fd].event = event != NULL ? *event : (struct epoll_event){0};
    }
    return (int)vt_result(result);
}

static long take_place(int fd, long local, bool six)
{
    const long flags = vt_raw(SYS_fcntl, fd, F_GETFL), kept = vt_raw(SYS_fcntl, fd, F_GETFD);
    (void)vt_raw(SYS_fcntl, local, F_SETFL, flags);
    const long result = vt_raw(SYS_dup3, local, fd, (kept & FD_CLOEXEC) != 0 ? O_CLOEXEC : 0);
    (void)vt_raw(SYS_close, local);
    if (result < 0) {
        return result;
    }
    s_socket[fd].six = six;
    if (s_socket[fd].epoll != 0) {
        (void)vt_raw(SYS_epoll_ctl, s_socket[fd].epoll - 1, EPOLL_CTL_ADD, fd, &s_socket[fd].event);
    }
    return 0;
}

static long local_socket(void)
{
    const int bytes = MF_VIRTUAL_STREAM_BYTES;
    const long local = vt_raw(SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (local >= 0) {
        (void)vt_raw(SYS_setsockopt, local, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    }
    return local;
}

/* ---- connect */

static bool takes_more(int fd)
{
    struct pollfd now = {.fd = fd, .events = POLLOUT};
    const struct timespec none = {0};
    return vt_raw(SYS_ppoll, &now, 1, &none, NULL, 0) != 0;
}

/* Send the switch a header and padding, which fill the socket's buffer until the switch reads them.
 */
static long tell_switch(long local, uint16_t port, const struct sockaddr_in *peer)
{
    static const char k_nothing[4096];
    int room = 0;
    socklen_t n = sizeof room;
    long sent = vt_raw(SYS_getsockopt, local, SOL_SOCKET, SO_SNDBUF, &room, &n);
    const struct mf_virtual_open open = {.from = vt_node_there(),
                                         .to = vt_host_of(peer),
                                         .from_port = port,
                                         .to_port = ntohs(peer->sin_port),
                                         .behind = (uint32_t)room / 4u + MARGIN};
    sent = sent < 0 ? sent : vt_raw(SYS_sendto, local, &open, sizeof open, MSG_NOSIGNAL, 0, 0);
    for (uint32_t left = open.behind; left > 0 && sent >= 0; left -= (uint32_t)sent) {
        sent = vt_raw(SYS_sendto, local, k_nothing,
                      left < sizeof k_nothing ? left : sizeof k_nothing, MSG_NOSIGNAL, 0, 0);
    }
    return sent < 0 ? sent : 0;
}

/* @param port  in: where the program has bound it; 0: it has not */
static long bind_end(long local, uint16_t *port, const struct sockaddr_in *peer)
{
    struct sockaddr_un name;
    const uint32_t first = *port != 0 ? *port : VT_FIRST_PORT;
    const uint32_t end = *port != 0 ? first + 1u : 65536u;
    long result = -EADDRINUSE;
    for (uint32_t k = first; k < end && result == -EADDRINUSE; k++) {
        const socklen_t n = put_name(&name, vt_node_here(), (uint16_t)k, peer);
        result = vt_raw(SYS_bind, local, &name, n);
        *port = (uint16_t)k;
    }
    return result == -EADDRINUSE ? -EADDRNOTAVAIL : result;
}

static long open_stream(int fd, const struct sockaddr_in *peer, bool six)
{
    struct sockaddr_in own;
    struct sockaddr_un name;
    long result = vt_bound(fd, &own);
    const long local = result < 0 ? result : local_socket();
    if (local < 0) {
        return local;
    }
    uint16_t port = ntohs(own.sin_port);
    result = bind_end(local, &port, peer);
    if (result >= 0) {
        const socklen_t n = put_name(&name, vt_switch_here(), 0, NULL);
        result = vt_raw(SYS_connect, local, &name, n);
    }
    result = result < 0 ? result : tell_switch(local, port, peer);
    if (result < 0) {
        (void)vt_raw(SYS_close, local);
        return result == -ENOENT || result == -ECONNREFUSED ? -ENETUNREACH : result;
    }
    s_socket[fd].opening = true;
    result = take_place(fd, local, six);
    return result < 0 ? result : -EINPROGRESS;
}

int vt_stream_opened(int fd)
{
    int error = 0, why = 0;
    socklen_t n = sizeof error;
    if (!is_known(fd) || !s_socket[fd].opening) {
        return 0;
    }
    if (!takes_more(fd)) {
        return -EINPROGRESS;
    }
    s_socket[fd].opening = false;
    (void)vt_raw(SYS_getsockopt, fd, SOL_SOCKET, SO_ERROR, &error, &n);
    if (error == 0) {
        return 0;
    }
    const long got = vt_raw(SYS_recvfrom, fd, &why, sizeof why, MSG_DONTWAIT, NULL, NULL);
    return got == (long)sizeof why ? -why : -error;
}

bool vt_stream_connect(int fd, const struct sockaddr *to, socklen_t n, long *result)
{
    struct sockaddr_in peer;
    bool six;
    if (!vt_node() || !is_known(fd)) {
        return false;
    }
    if (vt_stream(fd)) {
        const bool opening = s_socket[fd].opening;
        *result = vt_stream_opened(fd);
        *result = *result == -EINPROGRESS ? -EALREADY
                  : *result == 0          ? (opening ? 0 : -EISCONN)
                                          : *result;
        return true;
    }
    if (!vt_is_socket(fd, SOCK_STREAM, &six) || !vt_as_ip(to, n, &peer) || !vt_is_of_world(&peer)) {
        return false;
    }
    *result = open_stream(fd, &peer, six);
    return true;
}

/* ---- listen, accept */

static long listen_here(int fd, const struct sockaddr_in *own, bool six)
{
    struct sockaddr_un name;
    const long local = local_socket();
    if (local < 0) {
        return local;
    }
    const socklen_t n = put_name(&name, vt_node_here(), ntohs(own->sin_port), NULL);
    long result = vt_raw(SYS_bind, local, &name, n);
    result = result < 0 ? result : vt_raw(SYS_listen, local, BACKLOG);
    if (result < 0) {
        (void)vt_raw(SYS_close, local);
        return result;
    }
    return take_place(fd, local, six);
}

VT_EXPORT int listen(int fd, int backlog)
{
    struct sockaddr_in own;
    bool six;
    if (vt_me() == NULL || !vt_node() || !is_known(fd) || !vt_is_socket(fd, SOCK_STREAM, &six) ||
        vt_bound(fd, &own) < 0 || vt_host_of(&own) != vt_node_here()) {
        return (int)vt_result(vt_raw(SYS_listen, fd, backlog));
    }
    return (int)vt_result(listen_here(fd, &own, six));
}

long vt_stream_accept(int fd, struct sockaddr *from, socklen_t *n, int flags)
{
    struct sockaddr_in own, peer;
    const int bytes = MF_VIRTUAL_STREAM_BYTES;
    const long got = vt_raw(SYS_accept4, fd, NULL, NULL, flags);
    if (got < 0 || !vt_stream_ends((int)got, &own, &peer)) {
        return got;
    }
    (void)vt_raw(SYS_setsockopt, got, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    if (is_known((int)got)) {
        s_socket[got].six = vt_stream_is_six(fd);
    }
    vt_show_address(&peer, vt_stream_is_six(fd), from, n);
    return got;
}

/* ---- options: the world's streams have none but those of any socket */

bool vt_stream_takes_option(int fd, int level, int option)
{
    return vt_stream(fd) && (level != SOL_SOCKET || option == SO_SNDBUF || option == SO_RCVBUF);
}

/* @return whether it is one that is shown otherwise */
static bool shown(int fd, int level, int option, int *value)
{
    if (!vt_stream(fd)) {
        return false;
    }
    if (level != SOL_SOCKET) {
        *value = level == IPPROTO_TCP && option == TCP_NODELAY;
        return true;
    }
    const int error = option == SO_ERROR ? vt_stream_opened(fd) : 0;
    *value = option == SO_DOMAIN     ? (vt_stream_is_six(fd) ? AF_INET6 : AF_INET)
             : option == SO_PROTOCOL ? IPPROTO_TCP
             : error == -EINPROGRESS ? 0
                                     : -error;
    return option == SO_DOMAIN || option == SO_PROTOCOL || error != 0;
}

VT_EXPORT int getsockopt(int fd, int level, int option, void *restrict value, socklen_t *restrict n)
{
    int mine;
    if (vt_me() != NULL && vt_node() && n != NULL && shown(fd, level, option, &mine)) {
        *n = *n < sizeof mine ? *n : (socklen_t)sizeof mine;
        memcpy(value, &mine, *n);
        return 0;
    }
    return (int)vt_result(vt_raw(SYS_getsockopt, fd, level, option, value, n));
}
