/* SPDX-License-Identifier: Apache-2.0 */
/* Peers of UDP by address, for udp.c and net_peer.c: chains of peers, in which the sender of a
 * datagram is found. */
#include "hal-posix/net_kind.h"

#include <stdio.h>

static struct mf_net_peer **chain_of(struct mf_net *net, uint16_t port, const struct mf_addr *addr,
                                     const struct mf_addr *local)
{
    const uint32_t count = net->memory.chain_count;
    if (count == 0) {
        return &net->chain;
    }
    uint32_t hash = mf_addr_hash(addr) + port;
    if (net->memory.ports[port].endpoint.many) {
        hash = hash * 0x9E3779B1u + mf_addr_hash(local);
    }
    return &net->memory.chains[(uint64_t)(hash * 0x9E3779B1u) * count >> 32];
}

void mf_net_know(struct mf_net_peer *peer)
{
    struct mf_net_peer **chain = chain_of(peer->net, peer->port, &peer->addr, &peer->local);
    peer->chained = *chain;
    *chain = peer;
}

void mf_net_forget(struct mf_net_peer *peer)
{
    struct mf_net_peer **at = chain_of(peer->net, peer->port, &peer->addr, &peer->local);
    while (*at != peer) {
        MF_ASSERT(*at != NULL);
        at = &(*at)->chained;
    }
    *at = peer->chained;
}

struct mf_net_peer *mf_net_find(struct mf_net *net, uint16_t port, const struct mf_addr *addr,
                                const struct mf_addr *local)
{
    const bool many = net->memory.ports[port].endpoint.many;
    struct mf_net_peer *peer = *chain_of(net, port, addr, local);
    while (peer != NULL &&
           (peer->ended || peer->port != port || !mf_addr_equal(&peer->addr, addr) ||
            (many && !mf_addr_equal(&peer->local, local)))) {
        peer = peer->chained;
    }
    return peer;
}

void mf_net_name_peer(struct mf_net_peer *peer)
{
    char address[MF_ADDR_TEXT_MAX];
    const struct mf_endpoint *ep = &mf_net_port_of(peer)->endpoint;
    const bool udp = ep->kind == MF_PORT_UDP_SERVER || ep->kind == MF_PORT_UDP_CLIENT;
    if (ep->kind == MF_PORT_SERIAL) {
        (void)snprintf(peer->name, sizeof peer->name, "serial %.60s", ep->host);
        return;
    }
    mf_addr_text(&peer->addr, address);
    (void)snprintf(peer->name, sizeof peer->name, "%s %s", udp ? "udp" : "tcp", address);
}
