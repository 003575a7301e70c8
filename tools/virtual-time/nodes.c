/* SPDX-License-Identifier: Apache-2.0 */
/* Datagrams of a node, and the addresses of its sockets. descriptors.c, names.c and streams.c call
 * it. */
#include "tools/virtual-time/nodes.h"

#include "host/time/virtual_ports.h"
#include "tools/virtual-time/vt.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#define PARTS_MAX 64u
#define WORLD     0x0A000000u
#define HEAD      MF_VIRTUAL_SWITCH_HEAD

static struct sockaddr_in s_peer[VT_SOCKETS_MAX]; /* of the world; family 0: not connected */

/* ---- addresses: here in the order of the machine */

/* An address as the kernel takes it. */
union any {
    struct sockaddr any;
    struct sockaddr_in ip;
    struct sockaddr_in6 six;
};

uint32_t vt_node_here(void)
{
    static uint32_t s_node;
    static bool s_known;
    if (!s_known) {
        struct in_addr a;
        const char *text = getenv(MF_VIRTUAL_NODE_ENV);
        s_node = text != NULL && inet_pton(AF_INET, text, &a) == 1 ? ntohl(a.s_addr) : 0;
        s_known = true;
    }
    return s_node;
}

uint32_t vt_node_there(void)
{
    struct in_addr a = {0};
    const char *text = getenv(MF_VIRTUAL_ADDRESS_ENV);
    const uint32_t there = text != NULL && inet_pton(AF_INET, text, &a) == 1 ? ntohl(a.s_addr) : 0;
    return WORLD | (there & 0xFF0000u) | (vt_node_here() & 0xFFFFu);
}

bool vt_node(void)
{
    return vt_node_here() != 0;
}

uint32_t vt_switch_here(void)
{
    return vt_node_here() & 0xFFFF0000u;
}

bool vt_is_of_world(const struct sockaddr_in *a)
{
    return (vt_host_of(a) & 0xFF000000u) == WORLD || vt_host_of(a) == INADDR_BROADCAST;
}

bool vt_as_ip(const struct sockaddr *a, socklen_t n, struct sockaddr_in *ip)
{
    struct sockaddr_in6 six;
    if (a == NULL || n < sizeof *ip) {
        return false;
    }
    memcpy(ip, a, sizeof *ip);
    if (ip->sin_family != AF_INET6 || n < sizeof six) {
        return ip->sin_family == AF_INET;
    }
    memcpy(&six, a, sizeof six);
    *ip = vt_ip_of(INADDR_ANY, ntohs(six.sin6_port));
    if (IN6_IS_ADDR_UNSPECIFIED(&six.sin6_addr)) {
        return true;
    }
    memcpy(&ip->sin_addr, &six.sin6_addr.s6_addr[12], 4);
    return IN6_IS_ADDR_V4MAPPED(&six.sin6_addr);
}

/* @return its length */
static socklen_t put_address(union any *to, const struct sockaddr_in *a, bool six)
{
    memset(to, 0, sizeof *to);
    if (!six) {
        to->ip = *a;
        return sizeof to->ip;
    }
    to->six.sin6_family = AF_INET6;
    to->six.sin6_port = a->sin_port;
    to->six.sin6_addr.s6_addr[10] = to->six.sin6_addr.s6_addr[11] = 0xFF;
    memcpy(&to->six.sin6_addr.s6_addr[12], &a->sin_addr, 4);
    return sizeof to->six;
}

void vt_show_address(const struct sockaddr_in *a, bool six, struct sockaddr *to, socklen_t *n)
{
    union any shown;
    if (to != NULL && n != NULL) {
        const socklen_t length = put_address(&shown, a, six);
        memcpy(to, &shown, *n < length ? *n : length);
        *n = length;
    }
}

bool vt_is_socket(int fd, int type, bool *six)
{
    int is = 0, domain = 0;
    socklen_t n = sizeof is, m = sizeof domain;
    if (vt_raw(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, &is, &n) != 0 || is != type ||
        vt_raw(SYS_getsockopt, fd, SOL_SOCKET, SO_DOMAIN, &domain, &m) != 0) {
        return false;
    }
    *six = domain == AF_INET6;
    return *six || domain == AF_INET;
}

static bool is_datagram(int fd, bool *six)
{
    return vt_is_socket(fd, SOCK_DGRAM, six);
}

bool vt_node_datagram(int fd)
{
    bool six;
    return vt_node() && is_datagram(fd, &six);
}

static bool has_peer(int fd)
{
    return fd >= 0 && fd < VT_SOCKETS_MAX && s_peer[fd].sin_family == AF_INET;
}

bool vt_node_peer(int fd, struct sockaddr_in *peer)
{
    if (has_peer(fd)) {
        *peer = s_peer[fd];
    }
    return has_peer(fd);
}

void vt_node_closed(int fd)
{
    if (fd >= 0 && fd < VT_SOCKETS_MAX) {
        s_peer[fd].sin_family = 0;
    }
}

/* ---- a socket is this node's */

static long bind_here(int fd, bool six, uint16_t port)
{
    union any a;
    const struct mf_virtual_socket real = mf_virtual_real(vt_node_here(), port);
    const struct sockaddr_in own = vt_ip_of(real.host, real.port);
    const socklen_t n = put_address(&a, &own, six);
    return vt_raw(SYS_bind, fd, &a, n);
}

long vt_bound(int fd, struct sockaddr_in *own)
{
    union any a = {.ip = {0}};
    socklen_t n = sizeof a;
    const long result = vt_raw(SYS_getsockname, fd, &a, &n);
    if (result < 0 || !vt_as_ip(&a.any, n, own)) {
        return result < 0 ? result : -EINVAL;
    }
    const struct mf_virtual_socket shown = mf_virtual_shown(vt_host_of(own), ntohs(own->sin_port));
    *own = vt_ip_of(shown.host, shown.port);
    return result;
}

long vt_settle(int fd)
{
    struct sockaddr_in own;
    union any a = {.ip = {0}};
    socklen_t n = sizeof a;
    long result = vt_raw(SYS_getsockname, fd, &a, &n);
    if (result < 0 || (vt_as_ip(&a.any, n, &own) && own.sin_port != 0)) {
        return result;
    }
    result = -EADDRINUSE;
    for (uint32_t port = VT_FIRST_PORT; port < 65536 && result == -EADDRINUSE; port++) {
        result = bind_here(fd, a.any.sa_family == AF_INET6, (uint16_t)port);
    }
    return result;
}

/* True for an IPv6 socket that refuses IPv4: the world has IPv4 addresses only. */
static bool is_of_six_alone(int fd, bool six)
{
    int alone = 0;
    socklen_t n = sizeof alone;
    return six && vt_raw(SYS_getsockopt, fd, IPPROTO_IPV6, IPV6_V6ONLY, &alone, &n) == 0 &&
           alone != 0;
}

VT_EXPORT int bind(int fd, __CONST_SOCKADDR_ARG address, socklen_t n)
{
    struct sockaddr_in a;
    bool six = false;
    if (!vt_node() || !vt_as_ip(address.__sockaddr__, n, &a) ||
        !(is_datagram(fd, &six) || vt_is_socket(fd, SOCK_STREAM, &six)) ||
        (vt_host_of(&a) != INADDR_ANY && !vt_is_of_world(&a)) || is_of_six_alone(fd, six)) {
        return (int)vt_result(vt_raw(SYS_bind, fd, address.__sockaddr__, n));
    }
    if (vt_host_of(&a) != INADDR_ANY && (vt_host_of(&a) & 0xFFFFu) != (vt_node_here() & 0xFFFFu)) {
        return (int)vt_result(-EADDRNOTAVAIL);
    }
    return (int)vt_result(a.sin_port == 0 ? vt_settle(fd) : bind_here(fd, six, ntohs(a.sin_port)));
}

/* The switch, as a socket here knows it. @return length */
static socklen_t put_switch(union any *to, bool six)
{
    const struct sockaddr_in a = vt_ip_of(vt_switch_here(), MF_VIRTUAL_SWITCH_PORT);
    return put_address(to, &a, six);
}

bool vt_node_connect(int fd, const struct sockaddr *to, socklen_t n, long *result)
{
    struct sockaddr_in a;
    union any by;
    bool six;
    if (!vt_node() || !is_datagram(fd, &six)) {
        return false;
    }
    vt_node_closed(fd);
    if (!vt_as_ip(to, n, &a) || !vt_is_of_world(&a)) {
        return false;
    }
    const socklen_t length = put_switch(&by, six);
    *result = vt_settle(fd);
    *result = *result < 0 ? *result : vt_raw(SYS_connect, fd, &by, length);
    if (*result == 0 && fd < VT_SOCKETS_MAX) {
        s_peer[fd] = a;
    }
    return true;
}

/* ---- datagrams */

bool vt_node_carries(int fd, const struct sockaddr *to, socklen_t n)
{
    struct sockaddr_in a;
    bool six;
    if (!vt_node()) {
        return false;
    }
    return to == NULL ? has_peer(fd)
                      : vt_as_ip(to, n, &a) && vt_is_of_world(&a) && is_datagram(fd, &six);
}

/* The parts of a message, behind a head. @return false: they are too many */
static bool put_head(const struct msghdr *m, void *head, struct iovec *parts, struct msghdr *with)
{
    if (m->msg_iovlen >= PARTS_MAX) {
        return false;
    }
    parts[0] = (struct iovec){.iov_base = head, .iov_len = HEAD};
    memcpy(parts + 1, m->msg_iov, m->msg_iovlen * sizeof *parts);
    with->msg_iov = parts;
    with->msg_iovlen = m->msg_iovlen + 1;
    return true;
}

long vt_node_send(int fd, const struct msghdr *m, int flags)
{
    struct sockaddr_in to;
    union any by;
    struct iovec parts[PARTS_MAX];
    uint8_t head[HEAD];
    bool six = false;
    if (!vt_as_ip(m->msg_name, m->msg_namelen, &to)) {
        to = s_peer[fd];
    }
    (void)is_datagram(fd, &six);
    struct msghdr with = {.msg_name = &by, .msg_namelen = put_switch(&by, six)};
    memcpy(head, &to.sin_addr, 4);
    memcpy(head + 4, &to.sin_port, 2);
    if (!put_head(m, head, parts, &with)) {
        return -EMSGSIZE;
    }
    const long settled = vt_settle(fd);
    const long sent = settled < 0 ? settled : vt_raw(SYS_sendmsg, fd, &with, flags);
    return sent < (long)HEAD ? sent : sent - (long)HEAD;
}

bool vt_node_has(int fd)
{
    union any from = {.ip = {0}};
    struct sockaddr_in a;
    socklen_t n = sizeof from;
    bool six;
    char none;
    if (!vt_node() || !is_datagram(fd, &six)) {
        return false;
    }
    return vt_raw(SYS_recvfrom, fd, &none, 0, MSG_PEEK | MSG_DONTWAIT, &from, &n) >= 0 &&
           vt_as_ip(&from.any, n, &a) && vt_host_of(&a) == vt_switch_here() &&
           ntohs(a.sin_port) == MF_VIRTUAL_SWITCH_PORT;
}

long vt_node_receive(int fd, struct msghdr *m, int flags)
{
    struct iovec parts[PARTS_MAX];
    struct msghdr with = {.msg_control = m->msg_control, .msg_controllen = m->msg_controllen};
    uint8_t head[HEAD] = {0};
    struct sockaddr_in from = vt_ip_of(0, 0);
    bool six = false;
    if (!put_head(m, head, parts, &with)) {
        return -EMSGSIZE;
    }
    const long n = vt_raw(SYS_recvmsg, fd, &with, flags);
    if (n < (long)HEAD) {
        return n < 0 ? n : -EAGAIN;
    }
    memcpy(&from.sin_addr, head, 4);
    memcpy(&from.sin_port, head + 4, 2);
    if (has_peer(fd) && (s_peer[fd].sin_addr.s_addr != from.sin_addr.s_addr ||
                         s_peer[fd].sin_port != from.sin_port)) {
        return -EAGAIN;
    }
    (void)is_datagram(fd, &six);
    vt_show_address(&from, six, m->msg_name, &m->msg_namelen);
    m->msg_controllen = with.msg_controllen;
    m->msg_flags = with.msg_flags;
    return n - (long)HEAD;
}
