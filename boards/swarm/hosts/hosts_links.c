/* SPDX-License-Identifier: Apache-2.0 */
/* Links of vehicles on leaves to clients of the root. hosts.c attaches its table of operations to
 * links/, and hosts_apply.c calls it with records of leaves. */
#include "boards/swarm/hosts/hosts_internal.h"
#include "boards/swarm/links/links_internal.h"

#include <string.h>

/* Open a link of a vehicle that runs on a leaf. The leaf picks the same number, since it opens and
 * closes links in the same order. */
static int open_link(struct swarm_links *l, uint32_t peer, uint32_t i, uint8_t alias,
                     const char **why)
{
    const struct swarm_peer *p = &l->peer[peer];
    const unsigned number = swarm_links_free_number(l, i);
    *why = swarm_hosts_is_lost(l->w, i) ? "the vehicle's host is lost"
           : number == SWARM_CLIENTS    ? "the vehicle has no link left"
                                        : NULL;
    if (*why != NULL) {
        return -1;
    }
    (void)swarm_links_observe(l, i);
    l->vehicle_links[i].link[number] =
        (struct swarm_link){.all = l, .peer = peer, .vehicle = i, .alias = alias, .open = true};
    l->open++;
    struct mf_hosts_writer *out =
        swarm_hosts_put(swarm_hosts_of(l->w), MF_HOSTS_OPEN_, i, strlen(p->name));
    mf_hosts_put_u(out, number, 1);
    mf_hosts_put_u(out, p->reach, 1);
    mf_hosts_put_u(out, p->shared != NULL ? 1 : 0, 1);
    mf_hosts_put_u(out, p->serial.datagram ? 1 : 0, 1);
    mf_hosts_put_u(out, (uint64_t)l->w->now_us, 8);
    mf_hosts_put_raw(out, p->name, strlen(p->name));
    return (int)number;
}

static void close_link(struct swarm_links *l, uint32_t i, int number)
{
    if (!swarm_hosts_is_lost(l->w, i)) {
        struct mf_hosts_writer *out = swarm_hosts_put(swarm_hosts_of(l->w), MF_HOSTS_CLOSE_, i, 0);
        mf_hosts_put_u(out, (uint64_t)number, 1);
        mf_hosts_put_u(out, (uint64_t)l->w->now_us, 8);
    }
}

static void put_bytes(struct swarm *w, uint32_t i, int number, const uint8_t *bytes, size_t n)
{
    struct mf_hosts_writer *out = swarm_hosts_put(swarm_hosts_of(w), MF_HOSTS_BYTES_, i, n);
    mf_hosts_put_u(out, (uint64_t)number, 1);
    mf_hosts_put_u(out, (uint64_t)w->now_us, 8);
    mf_hosts_put_raw(out, bytes, n);
}

static void give_frame(struct swarm_links *l, uint32_t i, int number)
{
    const struct swarm_link *link = &l->vehicle_links[i].link[number];
    put_bytes(l->w, i, number, link->rx, link->rx_len);
}

static void read_peer(struct swarm_links *l, const struct swarm_peer *peer)
{
    uint8_t bytes[4096];
    int n;
    do {
        n = mf_serial_read(&peer->serial, bytes, sizeof bytes);
        put_bytes(l->w, peer->vehicle, peer->link, bytes, n > 0 ? (size_t)n : 0u);
        swarm_links_trace_input(&l->vehicle_links[peer->vehicle].link[peer->link], bytes,
                                n > 0 ? (size_t)n : 0u);
    } while (n == (int)sizeof bytes);
}

void swarm_hosts_attach_links(struct swarm *w, void (*sync)(struct swarm *w))
{
    static const struct swarm_link_ops k_ops = {open_link, close_link, give_frame, read_peer};
    if (swarm_has(w, SWARM_SLOT_LINKS)) {
        swarm_links_of(w)->ops = &k_ops;
        swarm_links_of(w)->sync = sync;
    }
}

void swarm_hosts_apply_wrote(struct swarm *w, uint32_t i, struct mf_hosts_record *r)
{
    const unsigned number = (unsigned)mf_hosts_u(r, 1);
    const mf_us_t at_us = mf_hosts_time(r);
    struct swarm_link *link =
        swarm_has(w, SWARM_SLOT_LINKS) && !r->lacks ? swarm_links_find(w, i, number) : NULL;
    if (link != NULL) {
        (void)swarm_links_write(link, at_us, r->at, r->n);
    }
}

void swarm_hosts_apply_limit(struct swarm *w, uint32_t i, struct mf_hosts_record *r)
{
    const mf_us_t limit_us = mf_hosts_time(r);
    if (swarm_has(w, SWARM_SLOT_LINKS) && !r->lacks) {
        swarm_links_of(w)->clock[i].limit_us = limit_us;
    }
}

void swarm_hosts_drop_links(struct swarm *w, uint32_t i)
{
    struct swarm_links *l = swarm_links_of(w);
    for (unsigned k = 0; l != NULL && k < SWARM_CLIENTS; k++) {
        const struct swarm_link *link = swarm_links_find(w, i, k);
        if (link != NULL && l->peer[link->peer].shared == NULL &&
            link->peer < l->net.memory.peer_max) {
            mf_net_drop(&l->net, (uint16_t)link->peer, "its vehicle's host is lost");
        }
    }
    if (l != NULL) {
        l->clock[i].limit_us = MF_NEVER;
    }
}
