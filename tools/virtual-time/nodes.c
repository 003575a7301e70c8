/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/virtual-time/nodes.h"

#include "tools/virtual-time/vt.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#define PEERS_MAX  4096
#define PARTS_MAX  64u
#define FIRST_PORT 40000u /* of sockets that are bound to none: the same in each run */
#define WORLD      0x0A000000u
#define HEAD       MF_VIRTUAL_SWITCH_HEAD

static struct sockaddr_in s_peer[PEERS_MAX]; /* of the world; family 0: not connected */

/* ---- addresses: here in the order of the machine */

/* This node's; 0: none. */
static uint32_t node(void)
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

bool vt_node(void)
{
    return node() != 0;
}

static uint32_t switch_address(void)
{
    return node() & 0xFFFF0000u;
}

static uint32_t host_of(const struct sockaddr_in *a)
{
    return ntohl(a->sin_addr.s_addr);
}

static bool is_of_world(const struct sockaddr_in *a)
{
    return (host_of(a) & 0xFF000000u) == WORLD || host_of(a) == INADDR_BROADCAST;
}

/* @return whether an address is one of IP, version 4 */
static bool as_ip(const struct sockaddr *a, socklen_t n, struct sockaddr_in *ip)
{
    if (a == NULL || n < sizeof *ip) {
        return false;
    }
    memcpy(ip, a, sizeof *ip);
    return ip->sin_family == AF_INET;
}

static struct sockaddr_in ip_of(uint32_t host, uint16_t port)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(host)}};
}

/* One of IP, version 4. */
static bool is_datagram(int fd)
{
    int type = 0, domain = 0;
    socklen_t n = sizeof type, m = sizeof domain;
    return vt_raw(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, &type, &n) == 0 && type == SOCK_DGRAM &&
           vt_raw(SYS_getsockopt, fd, SOL_SOCKET, SO_DOMAIN, &domain, &m) == 0 && domain == AF_INET;
}

bool vt_node_datagram(int fd)
{
    return vt_node() && is_datagram(fd);
}

static bool has_peer(int fd)
{
    return fd >= 0 && fd < PEERS_MAX && s_peer[fd].sin_family == AF_INET;
}

void vt_node_closed(int fd)
{
    if (fd >= 0 && fd < PEERS_MAX) {
        s_peer[fd].sin_family = 0;
    }
}

/* ---- a socket is this node's */

/* A socket that sends has a port. */
static long settle(int fd)
{
    struct sockaddr_in own = {0};
    socklen_t n = sizeof own;
    long result = vt_raw(SYS_getsockname, fd, &own, &n);
    if (result < 0 || own.sin_port != 0) {
        return result;
    }
    result = -EADDRINUSE;
    for (uint32_t port = FIRST_PORT; port < 65536 && result == -EADDRINUSE; port++) {
        own = ip_of(node(), (uint16_t)port);
        result = vt_raw(SYS_bind, fd, &own, sizeof own);
    }
    return result;
}

VT_EXPORT int bind(int fd, __CONST_SOCKADDR_ARG address, socklen_t n)
{
    struct sockaddr_in a;
    if (!vt_node() || !as_ip(address.__sockaddr__, n, &a) || !is_datagram(fd) ||
        (host_of(&a) != INADDR_ANY && !is_of_world(&a))) {
        return (int)vt_result(vt_raw(SYS_bind, fd, address.__sockaddr__, n));
    }
    if (host_of(&a) != INADDR_ANY && (host_of(&a) & 0xFFFFFFu) != (node() & 0xFFFFu)) {
        return (int)vt_result(-EADDRNOTAVAIL);
    }
    if (a.sin_port == 0) {
        return (int)vt_result(settle(fd));
    }
    a = ip_of(node(), ntohs(a.sin_port));
    return (int)vt_result(vt_raw(SYS_bind, fd, &a, sizeof a));
}

/* @return bytes of a copied address */
static void copy_address(const struct sockaddr_in *a, struct sockaddr *to, socklen_t *n)
{
    if (to != NULL && n != NULL) {
        memcpy(to, a, *n < sizeof *a ? *n : sizeof *a);
        *n = sizeof *a;
    }
}

VT_EXPORT int getsockname(int fd, __SOCKADDR_ARG address, socklen_t *restrict n)
{
    struct sockaddr_in a;
    const long result = vt_raw(SYS_getsockname, fd, address.__sockaddr__, n);
    if (result == 0 && vt_node() && as_ip(address.__sockaddr__, *n, &a) && host_of(&a) == node()) {
        a = ip_of(WORLD | (node() & 0xFFFFu), ntohs(a.sin_port));
        copy_address(&a, address.__sockaddr__, n);
    }
    return (int)vt_result(result);
}

VT_EXPORT int getpeername(int fd, __SOCKADDR_ARG address, socklen_t *restrict n)
{
    if (has_peer(fd)) {
        copy_address(&s_peer[fd], address.__sockaddr__, n);
        return 0;
    }
    return (int)vt_result(vt_raw(SYS_getpeername, fd, address.__sockaddr__, n));
}

bool vt_node_connect(int fd, const struct sockaddr *to, socklen_t n, long *result)
{
    struct sockaddr_in a;
    if (!vt_node() || !is_datagram(fd)) {
        return false;
    }
    vt_node_closed(fd);
    if (!as_ip(to, n, &a) || !is_of_world(&a)) {
        return false;
    }
    const struct sockaddr_in by = ip_of(switch_address(), MF_VIRTUAL_SWITCH_PORT);
    *result = settle(fd);
    *result = *result < 0 ? *result : vt_raw(SYS_connect, fd, &by, sizeof by);
    if (*result == 0 && fd < PEERS_MAX) {
        s_peer[fd] = a;
    }
    return true;
}

/* ---- datagrams */

bool vt_node_carries(int fd, const struct sockaddr *to)
{
    struct sockaddr_in a;
    if (!vt_node()) {
        return false;
    }
    return to == NULL ? has_peer(fd)
                      : as_ip(to, sizeof a, &a) && is_of_world(&a) && is_datagram(fd);
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
    struct sockaddr_in to, by = ip_of(switch_address(), MF_VIRTUAL_SWITCH_PORT);
    struct iovec parts[PARTS_MAX];
    struct msghdr with = {.msg_name = &by, .msg_namelen = sizeof by};
    uint8_t head[HEAD];
    if (!as_ip(m->msg_name, m->msg_namelen, &to)) {
        to = s_peer[fd];
    }
    memcpy(head, &to.sin_addr, 4);
    memcpy(head + 4, &to.sin_port, 2);
    if (!put_head(m, head, parts, &with)) {
        return -EMSGSIZE;
    }
    const long settled = settle(fd);
    const long sent = settled < 0 ? settled : vt_raw(SYS_sendmsg, fd, &with, flags);
    return sent < (long)HEAD ? sent : sent - (long)HEAD;
}

bool vt_node_has(int fd)
{
    struct sockaddr_in from = {0};
    socklen_t n = sizeof from;
    char none;
    if (!vt_node() || !is_datagram(fd)) {
        return false;
    }
    return vt_raw(SYS_recvfrom, fd, &none, 0, MSG_PEEK | MSG_DONTWAIT, &from, &n) >= 0 &&
           from.sin_family == AF_INET && host_of(&from) == switch_address() &&
           ntohs(from.sin_port) == MF_VIRTUAL_SWITCH_PORT;
}

long vt_node_receive(int fd, struct msghdr *m, int flags)
{
    struct iovec parts[PARTS_MAX];
    struct msghdr with = {.msg_control = m->msg_control, .msg_controllen = m->msg_controllen};
    uint8_t head[HEAD] = {0};
    struct sockaddr_in from = ip_of(0, 0);
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
    if (m->msg_name != NULL) {
        memcpy(m->msg_name, &from, m->msg_namelen < sizeof from ? m->msg_namelen : sizeof from);
        m->msg_namelen = sizeof from;
    }
    m->msg_controllen = with.msg_controllen;
    m->msg_flags = with.msg_flags;
    return n - (long)HEAD;
}
