/* SPDX-License-Identifier: Apache-2.0 */
/* Reports changes of a leaf's vehicles to its root: vehicles.c calls its table from the threads of
 * the crowd. */
#include "boards/swarm/hosts/hosts_state.h"
#include "boards/swarm/hosts/leaf_internal.h"
#include "boards/swarm/members/arrivals.h"

struct mf_hosts_writer *swarm_leaf_put(struct swarm_leaf *l, enum mf_hosts_kind kind, uint32_t key,
                                       size_t bytes)
{
    swarm_wire_room(&l->out, bytes);
    mf_hosts_put(&l->out, kind, key);
    return &l->out;
}

static void report_changed(struct swarm *w, uint32_t i, const struct mf_crowd_state *before,
                           const struct mf_crowd_state *now)
{
    struct swarm_leaf *l = w->leaf;
    uint32_t events = 0;
    (void)pthread_mutex_lock(&l->lock);
    struct mf_hosts_writer *out = swarm_leaf_put(l, MF_HOSTS_CHANGED_, i, 0);
    swarm_put_state(out, before);
    swarm_put_state(out, now);
    (void)pthread_mutex_unlock(&l->lock);
    swarm_arrivals_watch(w, i, before, now, &events);
}

static void report_frozen(struct swarm *w, uint32_t i, mf_us_t at_us)
{
    (void)pthread_mutex_lock(&w->leaf->lock);
    mf_hosts_put_u(swarm_leaf_put(w->leaf, MF_HOSTS_FROZEN_, i, 0), (uint64_t)at_us, 8);
    (void)pthread_mutex_unlock(&w->leaf->lock);
}

const struct swarm_root swarm_leaf_root = {report_changed, report_frozen};
