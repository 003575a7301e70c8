/* SPDX-License-Identifier: Apache-2.0 */
/* Report changes of a leaf's vehicles to the root. Systems call it from the threads of the crowd;
 * leaf.c and leaf_links.c use swarm_leaf_put(). */
#include "boards/swarm/hosts/hosts_state.h"
#include "boards/swarm/hosts/leaf.h"
#include "boards/swarm/hosts/leaf_internal.h"

struct mf_hosts_writer *swarm_leaf_put(struct swarm_leaf *l, enum mf_hosts_kind kind, uint32_t key,
                                       size_t bytes)
{
    swarm_wire_reserve(&l->out, bytes);
    mf_hosts_put(&l->out, kind, key);
    return &l->out;
}

static void report_change(struct swarm *w, const struct swarm_change *c)
{
    struct swarm_leaf *l = swarm_leaf_of(w);
    (void)pthread_mutex_lock(&l->lock);
    if ((c->events >> MF_SCENARIO_EVENT_FROZEN & 1u) != 0) {
        mf_hosts_put_u(swarm_leaf_put(l, MF_HOSTS_FROZEN_, c->member, 0), (uint64_t)c->now->at_us,
                       8);
    } else {
        struct mf_hosts_writer *out = swarm_leaf_put(l, MF_HOSTS_CHANGED_, c->member, 0);
        swarm_put_state(out, c->before);
        swarm_put_state(out, c->now);
    }
    (void)pthread_mutex_unlock(&l->lock);
}

const struct swarm_system swarm_leaf_system = {.name = "leaf", .changed = report_change};
