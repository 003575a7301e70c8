/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/network.h"

#include "boards/swarm/members.h"
#include "math/chance.h"
#include "math/trig.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that all receivers of a packet share. */
struct payload {
    uint32_t receivers;
    uint32_t size;
    uint8_t bytes[];
};

struct flight {
    struct swarm_arrival arrival;
    struct payload *payload;
};

struct swarm_network {
    struct flight *flight; /* a heap: the first one arrives first */
    size_t count, capacity;
    struct payload *last; /* of the packet that was taken last */
    uint32_t *sent_by;    /* [members]: number of the next packet */
    double (*neu_m)[3];   /* [members]: of one packet */
    uint64_t sent, arrived;
};

/* ---- order */

static bool is_before(const struct swarm_arrival *a, const struct swarm_arrival *b)
{
    if (a->at_us != b->at_us) {
        return a->at_us < b->at_us;
    }
    if (a->receiver != b->receiver) {
        return a->receiver < b->receiver;
    }
    return a->sender != b->sender ? a->sender < b->sender : a->number < b->number;
}

static void swap(struct flight *a, struct flight *b)
{
    const struct flight kept = *a;
    *a = *b;
    *b = kept;
}

static bool push(struct swarm_network *n, const struct flight *flight)
{
    if (n->count == n->capacity) {
        const size_t capacity = n->capacity > 0 ? 2u * n->capacity : 256u;
        struct flight *more = realloc(n->flight, capacity * sizeof *more);
        if (more == NULL) {
            return false;
        }
        n->flight = more;
        n->capacity = capacity;
    }
    size_t i = n->count++;
    n->flight[i] = *flight;
    while (i > 0 && is_before(&n->flight[i].arrival, &n->flight[(i - 1u) / 2u].arrival)) {
        swap(&n->flight[i], &n->flight[(i - 1u) / 2u]);
        i = (i - 1u) / 2u;
    }
    return true;
}

static struct flight pop(struct swarm_network *n)
{
    const struct flight first = n->flight[0];
    n->flight[0] = n->flight[--n->count];
    for (size_t i = 0;;) {
        size_t least = i;
        for (size_t child = 2u * i + 1u; child <= 2u * i + 2u && child < n->count; child++) {
            least = is_before(&n->flight[child].arrival, &n->flight[least].arrival) ? child : least;
        }
        if (least == i) {
            return first;
        }
        swap(&n->flight[i], &n->flight[least]);
        i = least;
    }
}

/* One of its receivers has it, or gets it no more. */
static void release(struct payload *p)
{
    MF_ASSERT(p->receivers > 0);
    p->receivers--;
    if (p->receivers == 0) {
        free(p);
    }
}

/* ---- a packet */

static struct swarm_network *network_of(struct swarm *w)
{
    if (w->network == NULL) {
        struct swarm_network *n = calloc(1, sizeof *n);
        const uint32_t members = w->scenario->members;
        if (n == NULL) {
            return NULL;
        }
        n->sent_by = calloc(members, sizeof *n->sent_by);
        n->neu_m = calloc(members, sizeof *n->neu_m);
        w->network = n;
    }
    return w->network->sent_by != NULL && w->network->neu_m != NULL ? w->network : NULL;
}

static bool reaches(const struct swarm *w, uint32_t from, uint32_t receiver, uint32_t number)
{
    const struct mf_scenario_network *s = &w->scenario->network;
    const double *p = w->network->neu_m[from], *q = w->network->neu_m[receiver];
    const double d[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    const uint64_t key =
        mf_chance_key(mf_scenario_chance(w->scenario, 0, MF_PURPOSE_NETWORK), 0, from, receiver);
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= s->range_m * s->range_m &&
           !(mf_chance_unit(key, number) < s->loss);
}

/* When a packet that is sent now has arrived. */
static mf_us_t arrival_us(const struct swarm *w, size_t size, mf_us_t at_us)
{
    const struct mf_scenario_network *s = &w->scenario->network;
    const double bits_s = s->bits_per_s > 0.0 ? (double)size * 8.0 / s->bits_per_s : 0.0;
    return at_us + (mf_us_t)((s->delay_s + bits_s) * 1e6 + 0.5);
}

int swarm_network_send(struct swarm *w, uint32_t from, uint32_t to, const void *bytes, size_t size,
                       mf_us_t at_us)
{
    struct swarm_network *n = network_of(w);
    const uint32_t members = w->scenario->members;
    if (size > SWARM_NETWORK_BYTES_MAX || from >= members ||
        (to >= members && to != SWARM_NETWORK_ALL)) {
        return MF_E_RANGE;
    }
    struct payload *p = n != NULL ? malloc(sizeof *p + size) : NULL;
    if (p == NULL) {
        return MF_E_FULL;
    }
    *p = (struct payload){.receivers = 1, .size = (uint32_t)size};
    memcpy(p->bytes, bytes, size);
    const uint32_t first = to == SWARM_NETWORK_ALL ? 0 : to;
    const uint32_t end = to == SWARM_NETWORK_ALL ? members : to + 1u;
    struct flight flight = {{.at_us = arrival_us(w, size, at_us),
                             .sender = from,
                             .number = n->sent_by[from]++,
                             .size = (uint32_t)size,
                             .bytes = p->bytes},
                            p};
    int result = MF_E_OK;
    n->sent++;
    swarm_place(w, from, at_us, n->neu_m[from]);
    for (uint32_t i = first; i < end && result == MF_E_OK; i++) {
        if (i == from) {
            continue;
        }
        swarm_place(w, i, at_us, n->neu_m[i]);
        if (reaches(w, from, i, flight.arrival.number)) {
            flight.arrival.receiver = i;
            p->receivers++;
            result = push(n, &flight) ? MF_E_OK : MF_E_FULL;
        }
    }
    p->receivers -= result == MF_E_OK ? 0u : 1u;
    release(p);
    return result;
}

bool swarm_network_take(struct swarm *w, mf_us_t until_us, struct swarm_arrival *a)
{
    struct swarm_network *n = w->network;
    if (n == NULL || n->count == 0 || n->flight[0].arrival.at_us > until_us) {
        return false;
    }
    const struct flight flight = pop(n);
    if (n->last != NULL) {
        release(n->last);
    }
    n->last = flight.payload;
    n->arrived++;
    *a = flight.arrival;
    return true;
}

void swarm_network_tell(const struct swarm *w)
{
    if (w->network != NULL) {
        (void)printf("network   %" PRIu64 " packets sent, %" PRIu64 " arrived\n", w->network->sent,
                     w->network->arrived);
    }
}

void swarm_network_free(struct swarm *w)
{
    struct swarm_network *n = w->network;
    if (n == NULL) {
        return;
    }
    for (size_t i = 0; i < n->count; i++) {
        release(n->flight[i].payload);
    }
    if (n->last != NULL) {
        release(n->last);
    }
    free(n->flight);
    free(n->sent_by);
    free(n->neu_m);
    free(n);
    w->network = NULL;
}
