/* SPDX-License-Identifier: Apache-2.0 */
/* Names of a node's sockets, datagrams and streams alike: getsockname() and getpeername() of
 * programs. */
#include "tools/virtual-time/nodes.h"
#include "tools/virtual-time/vt.h"

VT_EXPORT int getsockname(int fd, __SOCKADDR_ARG address, socklen_t *restrict n)
{
    struct sockaddr_in a, peer;
    const socklen_t room = n != NULL ? *n : 0;
    if (vt_node() && vt_stream_ends(fd, &a, &peer)) {
        vt_show_address(&a, vt_stream_is_six(fd), address.__sockaddr__, n);
        return 0;
    }
    const long result = vt_raw(SYS_getsockname, fd, address.__sockaddr__, n);
    if (result == 0 && n != NULL && vt_node() && vt_bound(fd, &a) == 0 &&
        vt_host_of(&a) == vt_node_here()) {
        const bool six = address.__sockaddr__->sa_family == AF_INET6;
        a = vt_ip_of(vt_node_there(), ntohs(a.sin_port));
        *n = room;
        vt_show_address(&a, six, address.__sockaddr__, n);
    }
    return (int)vt_result(result);
}

VT_EXPORT int getpeername(int fd, __SOCKADDR_ARG address, socklen_t *restrict n)
{
    struct sockaddr_in own, peer;
    bool six = false;
    if (vt_node_peer(fd, &peer)) {
        (void)vt_is_socket(fd, SOCK_DGRAM, &six);
        vt_show_address(&peer, six, address.__sockaddr__, n);
        return 0;
    }
    if (vt_node() && vt_stream_ends(fd, &own, &peer)) {
        if (peer.sin_port == 0 || vt_stream_opened(fd) == -EINPROGRESS) {
            return (int)vt_result(-ENOTCONN);
        }
        vt_show_address(&peer, vt_stream_is_six(fd), address.__sockaddr__, n);
        return 0;
    }
    return (int)vt_result(vt_raw(SYS_getpeername, fd, address.__sockaddr__, n));
}
