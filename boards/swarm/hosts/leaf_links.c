/* SPDX-License-Identifier: Apache-2.0 */
/* Links of a leaf's vehicles to clients of the root. leaf.c calls it with records of the root,
 * links/ when vehicles write. */
#include "boards/swarm/hosts/leaf_internal.h"
#include "boards/swarm/links/links_internal.h"

#include <stdlib.h>

/* Client's end of a link on a leaf; the root has the queue to the client. */
struct swarm_leaf_link {
    struct swarm_leaf *leaf;
    uint32_t at;    /* vehicle * SWARM_CLIENTS + number */
    size_t written; /* number of bytes written in this phase */
};

static size_t client_room(void *ctx)
{
    const struct swarm_leaf_link *k = ctx;
    return k->written < MF_QUEUE_BYTES ? MF_QUEUE_BYTES - k->written : 0;
}

/* A full queue counts as empty: the root would have sent its bytes by now. */
static int write_client(void *ctx, const uint8_t *bytes, size_t n)
{
    struct swarm_leaf_link *k = ctx;
    const uint32_t vehicle = k->at / SWARM_CLIENTS;
    k->written = (client_room(ctx) < n ? 0 : k->written) + n;
    (void)pthread_mutex_lock(&k->leaf->lock);
    struct mf_hosts_writer *out = swarm_leaf_put(k->leaf, MF_HOSTS_WROTE_, vehicle, n);
    mf_hosts_put_u(out, k->at % SWARM_CLIENTS, 1);
    mf_hosts_put_u(out, (uint64_t)*swarm_links_of(k->leaf->w)->clock[vehicle].now_us, 8);
    mf_hosts_put_raw(out, bytes, n);
    (void)pthread_mutex_unlock(&k->leaf->lock);
    return (int)n;
}

/* Return nothing: bytes of clients arrive as records (swarm_leaf_pass_bytes()). */
static int read_client(void *ctx, uint8_t *bytes, size_t cap)
{
    (void)ctx;
    if (cap > 0) {
        bytes[0] = 0;
    }
    return 0;
}

static const struct mf_serial_ops k_client = {write_client, read_client, client_room};

static void report_limit(struct swarm *w, uint32_t i, mf_us_t limit_us)
{
    struct swarm_leaf *l = swarm_leaf_of(w);
    (void)pthread_mutex_lock(&l->lock);
    mf_hosts_put_u(swarm_leaf_put(l, MF_HOSTS_LIMIT_, i, 0), (uint64_t)limit_us, 8);
    (void)pthread_mutex_unlock(&l->lock);
}

int swarm_leaf_make_links(struct swarm_leaf *leaf)
{
    struct swarm *w = leaf->w;
    const size_t count = (size_t)w->scenario->members * SWARM_CLIENTS;
    if (!mf_scenario_is_linked(w->scenario)) {
        return SWARM_OK;
    }
    if (swarm_links_make(w) != SWARM_OK) {
        return SWARM_INPUT;
    }
    struct swarm_links *l = swarm_links_of(w);
    void *shared = calloc(1, sizeof *l->shared); /* its address marks links of groups */
    void *peer = calloc(count, sizeof *l->peer);
    leaf->link = calloc(count, sizeof *leaf->link);
    if (shared == NULL || peer == NULL || leaf->link == NULL) {
        free(shared);
        free(peer);
        return swarm_refuse(w, w->scenario->links.line, "links: no memory");
    }
    l->limit_changed = report_limit;
    l->shared = shared;
    l->peer = peer;
    return SWARM_OK;
}

/* Find the peer of a link of this leaf's vehicles. @return NULL: a wrong number, or a vehicle of
 * another process */
static struct swarm_peer *find_peer(const struct swarm_leaf *leaf, const struct mf_hosts_record *r,
                                    unsigned number)
{
    const struct swarm *w = leaf->w;
    return swarm_has(w, SWARM_SLOT_LINKS) && r->key < w->scenario->members && leaf->here[r->key] &&
                   !r->lacks && number < SWARM_CLIENTS
               ? &swarm_links_of(w)->peer[r->key * SWARM_CLIENTS + number]
               : NULL;
}

void swarm_leaf_open_link(struct swarm_leaf *leaf, struct mf_hosts_record *r)
{
    char name[MF_NET_NAME_MAX];
    const char *why;
    const unsigned number = (unsigned)mf_hosts_u(r, 1);
    const uint8_t reach = (uint8_t)mf_hosts_u(r, 1);
    const bool shared = mf_hosts_u(r, 1) != 0, datagram = mf_hosts_u(r, 1) != 0;
    (void)mf_hosts_time(r);
    mf_hosts_text(r, name, sizeof name);
    struct swarm_peer *peer = find_peer(leaf, r, number);
    if (peer == NULL || reach >= SWARM_REACHES || peer->open) {
        return;
    }
    const uint32_t at = r->key * SWARM_CLIENTS + number;
    leaf->link[at] = (struct swarm_leaf_link){.leaf = leaf, .at = at};
    *peer = (struct swarm_peer){
        .open = true,
        .reach = (enum swarm_reach)reach,
        .vehicle = r->key,
        .shared = shared ? swarm_links_of(leaf->w)->shared : NULL,
        .serial = {.ops = &k_client, .ctx = &leaf->link[at], .datagram = datagram}};
    (void)snprintf(peer->name, sizeof peer->name, "%s", name);
    peer->link = swarm_links_open_at(swarm_links_of(leaf->w), at, r->key, &why);
}

void swarm_leaf_close_link(struct swarm_leaf *leaf, struct mf_hosts_record *r)
{
    const unsigned number = (unsigned)mf_hosts_u(r, 1);
    struct swarm_peer *peer = find_peer(leaf, r, number);
    if (peer == NULL || !peer->open) {
        return;
    }
    if (peer->link >= 0) {
        swarm_links_close_at(swarm_links_of(leaf->w), r->key, peer->link);
    }
    peer->open = false;
}

void swarm_leaf_pass_bytes(struct swarm_leaf *leaf, struct mf_hosts_record *r)
{
    const unsigned number = (unsigned)mf_hosts_u(r, 1);
    (void)mf_hosts_u(r, 8);
    const struct swarm_peer *peer = find_peer(leaf, r, number);
    if (peer == NULL || !peer->open || peer->link < 0) {
        return;
    }
    struct swarm_links *l = swarm_links_of(leaf->w);
    struct swarm_link *link = &l->vehicle_links[r->key].link[peer->link];
    link->rx = r->at;
    link->rx_len = r->n;
    size_t left;
    do { /* until the vehicle reads nothing more */
        left = link->rx_len;
        (void)swarm_links_run_vehicle(l, r->key);
    } while (link->rx_len > 0 && link->rx_len < left);
    link->rx_len = 0;
}

void swarm_leaf_flush_links(struct swarm_leaf *leaf)
{
    const struct swarm_links *l = swarm_links_of(leaf->w);
    for (uint32_t k = 0; l != NULL && k < l->observed_count; k++) {
        for (uint32_t n = 0; n < SWARM_CLIENTS; n++) {
            leaf->link[l->observed[k] * SWARM_CLIENTS + n].written = 0;
        }
    }
}
