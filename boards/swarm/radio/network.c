/* SPDX-License-Identifier: Apache-2.0 */
/* Send packets over networks between members, and deliver them at their arrival. program/systems.c
 * lists its system; radio.c, sockets.c, streams.c, flows.c and outside/gzuav.c call it. */
#include "boards/swarm/radio/network.h"

#include "boards/swarm/links/links.h"
#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/radio/network_outside.h"
#include "boards/swarm/radio/receptions.h"
#include "fleet/bus.h"
#include "fleet/scenario_networks.h"
#include "host/time/virtual_stream.h"
#include "math/chance.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* GCC's analyzer does not follow bytes that a heap of flights holds, and reports leaks;
 * free_network() frees them. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

/* Bytes of a packet, shared by all its receivers. */
struct payload {
    uint32_t receivers; /* number of packets under way that use it */
    uint8_t bytes[];
};

struct flight {
    struct swarm_arrival arrival;
    struct payload *payload;
};

struct swarm_network {
    struct flight *flight; /* heap of packets under way; the first arrives first */
    size_t count, capacity;
    struct payload *last;             /* of the packet returned last, or NULL */
    uint32_t *sent_by[SWARM_PACKETS]; /* [members]: numbers of the next packets */
    double (*neu_m)[3];               /* [members]: places when the last packet was sent */
    uint8_t *on; /* [members]: bit k: the member has an interface on network k */
    uint64_t sent, arrived;
    struct mf_timer tick, lead, arrival;
    mf_us_t met_us;          /* network time of the last exchange of flows' bytes; < 0: never */
    struct swarm_rows inbox; /* packets arrived at members with keeps(), until their tick */
    size_t inbox_at;
    /* true: packets for the member go to the inbox; NULL: for no member */
    bool (*keeps)(const struct swarm *w, uint32_t member);
};

static struct swarm_network *network_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_NETWORK];
}

#define SOON_S 0.2 /* longest wait for bytes on local links [s of the wall] */

/* ---- heap of packets under way */

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

static void swap_flights(struct flight *a, struct flight *b)
{
    const struct flight kept = *a;
    *a = *b;
    *b = kept;
}

static bool push_flight(struct swarm_network *n, const struct flight *flight)
{
    struct flight *more = swarm_with_room(n->flight, n->count, &n->capacity, sizeof *more);
    if (more == NULL) {
        return false;
    }
    n->flight = more;
    size_t i = n->count++;
    n->flight[i] = *flight;
    while (i > 0 && is_before(&n->flight[i].arrival, &n->flight[(i - 1u) / 2u].arrival)) {
        swap_flights(&n->flight[i], &n->flight[(i - 1u) / 2u]);
        i = (i - 1u) / 2u;
    }
    return true;
}

static struct flight pop_flight(struct swarm_network *n)
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
        swap_flights(&n->flight[i], &n->flight[least]);
        i = least;
    }
}

/* ---- payloads */

/* Store bytes in a payload with one receiver. @return NULL: no memory */
static struct payload *hold_payload(const void *bytes, size_t size)
{
    struct payload *p = malloc(sizeof *p + size);
    if (p != NULL) {
        p->receivers = 1;
        memcpy(p->bytes, bytes, size);
    }
    return p;
}

/* Remove one receiver of a payload, and free it after the last. */
static void release_payload(struct payload *p)
{
    MF_ASSERT(p == NULL || p->receivers > 0);
    if (p != NULL && --p->receivers == 0) {
        free(p);
    }
}

/* ---- sending */

static struct swarm_network *make_network(struct swarm *w)
{
    if (network_of(w) == NULL) {
        struct swarm_network *n = calloc(1, sizeof *n);
        const uint32_t members = w->scenario->members;
        if (n == NULL) {
            return NULL;
        }
        for (size_t k = 0; k < SWARM_PACKETS; k++) {
            n->sent_by[k] = calloc(members, sizeof *n->sent_by[k]);
        }
        n->neu_m = calloc(members, sizeof *n->neu_m);
        n->on = calloc(members, sizeof *n->on);
        for (uint32_t i = 0; n->on != NULL && i < members; i++) {
            for (uint32_t k = 0; k < w->scenario->networks; k++) {
                const unsigned on = mf_scenario_is_on(w->scenario, k, i) ? 1u : 0u;
                n->on[i] = (uint8_t)(n->on[i] | on << k);
            }
        }
        n->met_us = -1;
        w->state[SWARM_SLOT_NETWORK] = n;
    }
    const struct swarm_network *n = network_of(w);
    return n->sent_by[SWARM_PACKET] != NULL && n->sent_by[SWARM_DATAGRAM] != NULL &&
                   n->sent_by[SWARM_STREAM] != NULL && n->neu_m != NULL && n->on != NULL
               ? network_of(w)
               : NULL;
}

bool swarm_is_networked(const struct swarm *w)
{
    return w->scenario->network[0].line > 0 && swarm_has(w, SWARM_SLOT_RADIO);
}

/* True if the engine stops at each arrival: radios or sockets receive packets. */
static bool stops_at_arrivals(const struct swarm *w)
{
    return swarm_is_networked(w) || swarm_has(w, SWARM_SLOT_SOCKETS);
}

/* Set the timer of arrivals to the next one. */
static void set_arrival_timer(struct swarm *w)
{
    struct swarm_network *n = network_of(w);
    if (stops_at_arrivals(w) && n->count > 0) {
        const int result = mf_timer_set(&w->engine, &n->arrival, n->flight[0].arrival.at_us, 0);
        MF_ASSERT(result == MF_E_OK); /* the heap has room */
    }
}

static bool is_received(const struct swarm *w, const struct swarm_arrival *a, uint32_t receiver)
{
    const struct mf_scenario_network *s = &w->scenario->network[a->network];
    const double *p = network_of(w)->neu_m[a->sender], *q = network_of(w)->neu_m[receiver];
    const double d[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    const uint64_t key = mf_chance_key(mf_scenario_shared_chance(w->scenario, MF_PURPOSE_NETWORK),
                                       0, mf_scenario_identity(w->scenario, a->sender),
                                       mf_scenario_identity(w->scenario, receiver));
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= s->range_m * s->range_m &&
           !(mf_chance_unit(key, a->number) < s->loss);
}

/* Time of arrival of a packet over a built-in network, which carries the payload alone. */
static mf_us_t arrival_us(const struct mf_scenario_network *s, const struct swarm_departure *d)
{
    const size_t ports = d->kind == SWARM_DATAGRAM ? SWARM_DATAGRAM_PORTS : 0;
    MF_ASSERT(d->size >= ports);
    const double bits_s =
        s->bits_per_s > 0.0 ? (double)(d->size - ports) * 8.0 / s->bits_per_s : 0.0;
    return d->at_us + mf_us_of(s->delay_s + bits_s);
}

bool swarm_network_has(struct swarm *w, uint32_t k, uint32_t member)
{
    const struct swarm_network *n = make_network(w);
    return n != NULL && k < w->scenario->networks && ((unsigned)n->on[member] >> k & 1u) != 0;
}

/* First network that has the sender of a packet, and its receiver unless it goes to all. @return
 * SWARM_NETWORK_ANY: not carried */
static uint32_t find_network(const struct swarm *w, const struct swarm_departure *d)
{
    const uint8_t *on = network_of(w)->on;
    const unsigned both = on[d->from] & (d->to == SWARM_NETWORK_ALL ? 0xFFu : on[d->to]);
    for (uint32_t k = 0; k < w->scenario->networks; k++) {
        if ((both >> k & 1u) != 0 && (d->network == SWARM_NETWORK_ANY || d->network == k)) {
            return k;
        }
    }
    return SWARM_NETWORK_ANY;
}

/* Send a packet over a built-in network to each receiver within range, unless it is lost by chance.
 */
static int send_builtin(struct swarm *w, const struct swarm_departure *d, uint32_t way,
                        uint32_t number)
{
    struct swarm_network *n = network_of(w);
    const uint32_t first = d->to == SWARM_NETWORK_ALL ? 0 : d->to;
    const uint32_t end = d->to == SWARM_NETWORK_ALL ? w->scenario->members : d->to + 1u;
    struct payload *payload = hold_payload(d->bytes, d->size);
    if (payload == NULL) {
        return MF_E_FULL;
    }
    struct flight flight = {{.at_us = arrival_us(&w->scenario->network[way], d),
                             .sender = d->from,
                             .number = number,
                             .size = (uint32_t)d->size,
                             .network = way,
                             .bytes = payload->bytes},
                            payload};
    int result = MF_E_OK;
    flight.arrival.ns = (uint64_t)flight.arrival.at_us * 1000u;
    swarm_place(w, d->from, d->at_us, n->neu_m[d->from]);
    for (uint32_t i = first; i < end && result == MF_E_OK; i++) {
        if (i == d->from || !swarm_network_has(w, way, i) || swarm_is_absent(w, i, d->at_us)) {
            continue;
        }
        swarm_place(w, i, d->at_us, n->neu_m[i]);
        if (is_received(w, &flight.arrival, i)) {
            flight.arrival.receiver = i;
            result = push_flight(n, &flight) ? MF_E_OK : MF_E_FULL;
            payload->receivers += result == MF_E_OK ? 1u : 0u;
        }
    }
    release_payload(payload);
    set_arrival_timer(w);
    return result;
}

int swarm_network_send(struct swarm *w, const struct swarm_departure *d)
{
    struct swarm_network *n = make_network(w);
    const uint32_t members = w->scenario->members;
    if (d->size > SWARM_NETWORK_BYTES_MAX || d->from >= members ||
        (d->to >= members && d->to != SWARM_NETWORK_ALL)) {
        return MF_E_RANGE;
    }
    if (n == NULL) {
        return MF_E_FULL;
    }
    const uint32_t number =
        n->sent_by[d->kind][d->from]++ | (d->kind == SWARM_DATAGRAM ? SWARM_DATAGRAM_FIRST : 0u);
    const uint32_t way = find_network(w, d);
    n->sent++;
    if (way == SWARM_NETWORK_ANY) {
        return MF_E_OK;
    }
    return w->scenario->network[way].kind == MF_NETWORK_BUILTIN
               ? send_builtin(w, d, way, number)
               : swarm_outside_send(w, d, way, number);
}

/* ---- streams */

bool swarm_network_in_reach(const struct swarm *w, uint32_t k, uint32_t from, uint32_t to,
                            mf_us_t now_us)
{
    const double range_m = w->scenario->network[k].range_m;
    double p[3], q[3], square = 0.0;
    if (swarm_is_absent(w, from, now_us) || swarm_is_absent(w, to, now_us)) {
        return false;
    }
    swarm_place(w, from, now_us, p);
    swarm_place(w, to, now_us, q);
    for (size_t i = 0; i < 3; i++) {
        square += (q[i] - p[i]) * (q[i] - p[i]);
    }
    return square <= range_m * range_m;
}

int swarm_network_stream(struct swarm *w, const struct swarm_departure *d)
{
    struct swarm_network *n = make_network(w);
    if (n == NULL) {
        return MF_E_FULL;
    }
    n->sent++;
    return swarm_outside_send(w, d, d->network,
                              n->sent_by[SWARM_STREAM][d->from]++ | SWARM_STREAM_FIRST);
}

/* ---- a simulator outside */

static int queue_arrival(struct swarm *w, const struct mf_bus_arrival *a)
{
    struct swarm_network *n = make_network(w);
    struct mf_stream_event event;
    if (a->number >= SWARM_STREAM_FIRST && !mf_stream_read(a->bytes, a->n, &event)) {
        return MF_E_RANGE;
    }
    struct payload *payload =
        n != NULL && a->n <= SWARM_NETWORK_BYTES_MAX ? hold_payload(a->bytes, a->n) : NULL;
    if (payload == NULL) {
        return MF_E_FULL;
    }
    const struct flight flight = {{.at_us = (mf_us_t)((a->ns + 999u) / 1000u),
                                   .ns = a->ns,
                                   .receiver = a->receiver,
                                   .sender = a->sender,
                                   .number = a->number,
                                   .size = (uint32_t)a->n,
                                   .network = a->network,
                                   .bytes = payload->bytes},
                                  payload};
    if (!push_flight(n, &flight)) {
        release_payload(payload);
        return MF_E_FULL;
    }
    return MF_E_OK;
}

/* Deliver packets at the instant of their arrival. Systems such as radios receive them now; members
 * with keeps() take theirs later. */
static void deliver_arrivals(void *ctx, uint32_t id, mf_us_t at_us)
{
    struct swarm *w = ctx;
    struct swarm_network *n = network_of(w);
    (void)id;
    while (stops_at_arrivals(w) && n->count > 0 && n->flight[0].arrival.at_us <= at_us) {
        const struct flight flight = pop_flight(n);
        struct flight *kept = swarm_arrival_get_kind(&flight.arrival) == SWARM_PACKET &&
                                      n->keeps != NULL && n->keeps(w, flight.arrival.receiver)
                                  ? swarm_gather(&n->inbox, sizeof *kept)
                                  : NULL;
        if (kept != NULL) {
            *kept = flight;
        } else {
            n->arrived += swarm_systems_arrived(w, &flight.arrival) ? 1u : 0u;
            release_payload(flight.payload);
        }
    }
    set_arrival_timer(w);
}

/* Exchange bytes of flows: the simulator writes to links, vehicles read them, and their answers are
 * sent. */
static void exchange_flow_bytes(struct swarm *w)
{
    uint64_t before, now, out;
    swarm_links_count(w, &before, &out);
    const uint64_t written = swarm_outside_sync(w);
    const double until_s = swarm_wall_s() + SOON_S;
    do { /* the operating system delivers local bytes with a small delay */
        swarm_links_wait(w, 0.0);
        swarm_links_receive(w);
        swarm_links_count(w, &now, &out);
    } while (now - before < written && swarm_wall_s() < until_s);
    swarm_links_flush(w);
    network_of(w)->met_us = swarm_outside_now_us(w);
}

/* Exchange bytes of flows if the world is at the network's time, or 1 us before: controllers act
 * before members run to the instant. */
static void sync_flows(struct swarm *w)
{
    const bool there = w->now_us + 1 >= swarm_outside_now_us(w);
    if (there && swarm_outside_has_flows(w) && swarm_has(w, SWARM_SLOT_LINKS)) {
        exchange_flow_bytes(w);
    }
}

/* Exchange bytes of flows once per instant of the network. */
static bool sync_flows_once(struct swarm *w, bool pending)
{
    (void)pending;
    if (swarm_has_outside(w) && network_of(w)->met_us != swarm_outside_now_us(w)) {
        sync_flows(w);
    }
    return false;
}

uint64_t swarm_network_sent_bytes(const struct swarm *w)
{
    return swarm_outside_get_written(w).clients;
}

static int begin_timers(struct swarm *w)
{
    struct swarm_network *n = swarm_has_outside(w) || stops_at_arrivals(w) ? make_network(w) : NULL;
    const struct mf_scenario_network *outside = mf_scenario_network_outside(w->scenario);
    if (n == NULL) {
        return SWARM_OK;
    }
    mf_timer_init(&n->tick, MF_PHASE_MEDIUM, 1, deliver_arrivals, w);
    mf_timer_init(&n->lead, MF_PHASE_MEDIUM, 2, deliver_arrivals, w);
    mf_timer_init(&n->arrival, MF_PHASE_MEDIUM, 3, deliver_arrivals, w);
    if (outside != NULL) {
        const mf_us_t tick_us = mf_us_of(outside->tick_s);
        const int result = mf_timer_set(&w->engine, &n->tick, tick_us, tick_us);
        MF_ASSERT(result == MF_E_OK); /* the heap has room */
    }
    return SWARM_OK;
}

static mf_us_t advance_network(struct swarm *w, mf_us_t until_us)
{
    if (!swarm_has_outside(w)) {
        return until_us;
    }
    /* with controllers, sync_flows_once() has called sync_flows() before they let time pass */
    if (!swarm_has(w, SWARM_SLOT_CONTROL)) {
        sync_flows(w);
    }
    const mf_us_t at_us = swarm_outside_advance(w, until_us);
    if (at_us >= until_us) {
        return until_us;
    }
    const int result = mf_timer_set(&w->engine, &network_of(w)->lead, at_us, 0);
    MF_ASSERT(result == MF_E_OK); /* the heap has room */
    return at_us;
}

void swarm_network_keep(struct swarm *w, bool (*keeps)(const struct swarm *w, uint32_t member))
{
    if (network_of(w) != NULL) {
        network_of(w)->keeps = keeps;
    }
}

bool swarm_network_next_arrival(struct swarm *w, mf_us_t until_us, struct swarm_arrival *a)
{
    struct swarm_network *n = network_of(w);
    struct flight flight;
    if (n != NULL && n->inbox_at < n->inbox.count) {
        flight = ((const struct flight *)n->inbox.at)[n->inbox_at++];
    } else if (n != NULL && n->count > 0 && n->flight[0].arrival.at_us <= until_us) {
        flight = pop_flight(n);
    } else {
        return false;
    }
    if (n->inbox_at == n->inbox.count) {
        n->inbox_at = n->inbox.count = 0;
    }
    release_payload(n->last);
    n->last = flight.payload;
    n->arrived++;
    swarm_receptions_add(w, 0, flight.arrival.sender, flight.arrival.receiver);
    *a = flight.arrival;
    return true;
}

static void print_summary(const struct swarm *w)
{
    if (network_of(w) != NULL) {
        (void)printf("network   %" PRIu64 " packets sent, %" PRIu64 " arrived\n",
                     network_of(w)->sent, network_of(w)->arrived);
    }
}

static void free_network(struct swarm *w, int code)
{
    swarm_outside_close(w, code);
    struct swarm_network *n = network_of(w);
    if (n == NULL) {
        return;
    }
    for (size_t i = 0; i < n->count; i++) {
        release_payload(n->flight[i].payload);
    }
    for (size_t i = n->inbox_at; i < n->inbox.count; i++) {
        release_payload(((const struct flight *)n->inbox.at)[i].payload);
    }
    release_payload(n->last);
    free(n->flight);
    free(n->inbox.at);
    for (size_t k = 0; k < SWARM_PACKETS; k++) {
        free(n->sent_by[k]);
    }
    free(n->neu_m);
    free(n->on);
    free(n);
    w->state[SWARM_SLOT_NETWORK] = NULL;
}

static int connect_outside(struct swarm *w)
{
    static const struct swarm_outside_ops k_ops = {.arrived = queue_arrival,
                                                   .has = swarm_network_has};
    return swarm_outside_open(w, &k_ops);
}

const struct swarm_system swarm_network_system = {
    .name = "network",
    .on = {[SWARM_CHECK] = swarm_outside_check,
           [SWARM_CONNECT] = connect_outside,
           [SWARM_BEGIN] = begin_timers},
    .sync = sync_flows_once,
    .advance_outside = advance_network,
    .has_failed = swarm_outside_has_failed,
    .print_summary = print_summary,
    .close = free_network,
};
