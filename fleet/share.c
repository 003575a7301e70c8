/* SPDX-License-Identifier: Apache-2.0 */
/* Distribution of members over hosts. Called by boards/swarm/hosts_share. */
#include "fleet/share.h"

#include "hal/assert.h"

#include <stdlib.h>

static int by_cost(const void *left, const void *right)
{
    const struct mf_share *a = left, *b = right;
    if ((a->place < 0) != (b->place < 0)) {
        return a->place < 0 ? 1 : -1;
    }
    if (a->cost < b->cost || a->cost > b->cost) {
        return a->cost > b->cost ? -1 : 1;
    }
    return a->member < b->member ? -1 : a->member > b->member;
}

static int by_member(const void *left, const void *right)
{
    const struct mf_share *a = left, *b = right;
    return a->member < b->member ? -1 : a->member > b->member;
}

static int32_t least(const double *load, uint32_t places)
{
    uint32_t best = 0;
    for (uint32_t k = 1; k < places; k++) {
        best = load[k] < load[best] ? k : best;
    }
    return (int32_t)best;
}

void mf_share_out(struct mf_share *share, size_t count, double *load, uint32_t places)
{
    MF_ASSERT(places > 0);
    for (uint32_t k = 0; k < places; k++) {
        load[k] = 0.0;
    }
    qsort(share, count, sizeof share[0], by_cost);
    for (size_t i = 0; i < count; i++) {
        share[i].place = share[i].place < 0 ? least(load, places) : share[i].place;
        MF_ASSERT((uint32_t)share[i].place < places);
        load[share[i].place] += share[i].cost;
    }
    qsort(share, count, sizeof share[0], by_member);
}
