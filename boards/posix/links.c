/* SPDX-License-Identifier: Apache-2.0 */
/* Links of a drone, for files that wait for a client or print where one connects. */
#include "boards/posix/board.h"

bool board_is_heard(const struct board_drone *d)
{
    const struct board *b = d->board;
    for (uint16_t i = 0; i < b->net.peer_top && i < BOARD_LINKS; i++) {
        const struct board_peer *peer = &b->peer[i];
        const enum mf_link_kind kind = b->config.link[peer->port].kind;
        if (peer->drone == d && (kind == MF_LINK_TCP || kind == MF_LINK_UDP) &&
            mf_drone_hears(d->object, i)) {
            return true;
        }
    }
    return false;
}

void board_reachable_text(const struct mf_net_port *port, char *text)
{
    struct mf_addr addr = port->local;
    if (addr.any.sa_family == AF_INET && addr.in.sin_addr.s_addr == htonl(INADDR_ANY)) {
        addr.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    } else if (addr.any.sa_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&addr.in6.sin6_addr)) {
        addr.in6.sin6_addr = in6addr_loopback;
    }
    mf_addr_text(&addr, text);
}
