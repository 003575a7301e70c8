/* SPDX-License-Identifier: Apache-2.0 */
/* Connect clients with vehicles, pass their bytes, and hold time for their barriers. ports.c calls
 * it for the run loop between two pieces of time, as do api/, hosts/ and radio/. */
#include "boards/swarm/core/trace.h"
#include "boards/swarm/links/links_internal.h"
#include "boards/swarm/members/arrivals.h"
#include "hal-posix/clock.h"
#include "mavlink/readdress.h"

#include <stdio.h>
#include <string.h>

/* Most datagrams of a socket between two polls. */
#define DATAGRAMS 256

/* ---- the serial device of one link of a vehicle */

static void lock_network(struct swarm_links *l)
{
    if (l->threads) {
        (void)pthread_mutex_lock(&l->lock);
    }
}

static void unlock_network(struct swarm_links *l)
{
    if (l->threads) {
        (void)pthread_mutex_unlock(&l->lock);
    }
}

static const struct mf_serial *get_device(const struct swarm_link *link)
{
    return &link->all->peer[link->peer].serial;
}

/* True if the vehicle is absent (not arrived, retired, or its host is lost): its traffic is
 * dropped. */
static bool is_vehicle_absent(const struct swarm_link *link)
{
    const struct swarm_links *l = link->all;
    const mf_us_t *own_us = l->clock[link->vehicle].now_us; /* NULL: a leaf runs the vehicle */
    return swarm_is_absent(l->w, link->vehicle, own_us != NULL ? *own_us : l->w->now_us);
}

/* Trace bytes of a link at a time, on one line: frames of MAVLink say where they end. */
static void trace_bytes(const struct swarm_link *link, mf_us_t at_us, const char *how,
                        const uint8_t *bytes, size_t n)
{
    const struct swarm *w = link->all->w;
    if (swarm_trace_of(w) != NULL && n > 0) {
        swarm_trace_carry(swarm_trace_of(w), (uint64_t)at_us * 1000u, false, bytes, n,
                          "%s %s at link %u", swarm_name(w, link->vehicle).text, how,
                          (unsigned)(link - link->all->vehicle_links[link->vehicle].link));
    }
}

void swarm_links_trace_input(const struct swarm_link *link, const uint8_t *bytes, size_t n)
{
    trace_bytes(link, link->all->w->now_us, "gets", bytes, n);
}

int swarm_links_write(struct swarm_link *link, mf_us_t at_us, const uint8_t *bytes, size_t n)
{
    uint8_t renamed[MF_FRAME_MAX];
    size_t length = n;
    if (is_vehicle_absent(link)) {
        return (int)n;
    }
    if (link->alias != 0) {
        length = mf_readdress_sender(bytes, n, link->alias, renamed);
        bytes = renamed;
        if (length == 0) {
            return (int)n; /* not in the message table, so the sender's id cannot be replaced */
        }
    }
    lock_network(link->all);
    if (link->peer < link->all->net.memory.peer_max &&
        mf_serial_room(get_device(link)) < length) { /* many vehicles may write at once */
        mf_net_flush_peer(&link->all->net, (uint16_t)link->peer);
    }
    const int written = mf_serial_write(get_device(link), bytes, length);
    unlock_network(link->all);
    if (written > 0) {
        trace_bytes(link, at_us, "sends", bytes, length);
    }
    return written > 0 ? (int)n : written;
}

static int link_write(void *ctx, const uint8_t *bytes, size_t n)
{
    struct swarm_link *link = ctx;
    return swarm_links_write(link, *link->all->clock[link->vehicle].now_us, bytes, n);
}

static int link_read(void *ctx, uint8_t *bytes, size_t cap)
{
    struct swarm_link *link = ctx;
    if (link->reads) {
        const int got = mf_serial_read(get_device(link), bytes, cap);
        const int taken = got > 0 && is_vehicle_absent(link) ? 0 : got;
        swarm_links_trace_input(link, bytes, taken > 0 ? (size_t)taken : 0);
        return taken;
    }
    if (is_vehicle_absent(link)) {
        link->rx_len = 0;
    }
    const size_t n = link->rx_len < cap ? link->rx_len : cap;
    if (n > 0) {
        memcpy(bytes, link->rx, n);
        link->rx += n;
        link->rx_len -= n;
    }
    return (int)n;
}

static size_t link_room(void *ctx)
{
    const struct swarm_link *link = ctx;
    lock_network(link->all);
    const size_t room = mf_serial_room(get_device(link));
    unlock_network(link->all);
    return room;
}

static const struct mf_serial_ops k_link = {link_write, link_read, link_room};

bool swarm_links_vehicle_has_client(const struct swarm *w, uint32_t i)
{
    const struct swarm_links *l = swarm_links_of(w);
    bool hears = false;
    for (uint32_t k = 0; l->clock[i].counts && k < SWARM_CLIENTS; k++) {
        hears = hears || l->vehicle_links[i].link[k].open;
    }
    return hears;
}

void swarm_links_send(struct swarm *w, uint32_t i, const uint8_t *frame, size_t n)
{
    for (uint32_t k = 0; k < SWARM_CLIENTS; k++) {
        struct swarm_link *link = &swarm_links_of(w)->vehicle_links[i].link[k];
        if (link->open) {
            (void)swarm_links_write(link, w->now_us, frame, n);
        }
    }
}

/* ---- opening and closing links */

mf_us_t swarm_present_us(const struct swarm *w, uint32_t i)
{
    const mf_us_t own_us = mf_crowd_state(w->members.crowd, i).at_us;
    return own_us > w->now_us ? own_us : w->now_us;
}

/* Call @p visit for a vehicle, then run it at the present. @return false: the vehicle is frozen */
static bool visit_vehicle(struct swarm_links *l, uint32_t i,
                          void (*visit)(void *ctx, uint32_t i, struct mf_drone *drone), void *ctx)
{
    return mf_crowd_touch(l->w->members.crowd, i, swarm_present_us(l->w, i), visit, ctx);
}

bool swarm_links_run_vehicle(struct swarm_links *l, uint32_t i)
{
    return visit_vehicle(l, i, NULL, NULL);
}

struct swarm_link *swarm_links_find(const struct swarm *w, uint32_t i, unsigned number)
{
    struct swarm_link *link =
        number < SWARM_CLIENTS ? &swarm_links_of(w)->vehicle_links[i].link[number] : NULL;
    return link != NULL && link->open ? link : NULL;
}

/* Arguments and result of open_link(). */
struct opening {
    struct swarm_links *l;
    uint32_t peer;
    uint8_t alias;
    int link;
    const char *why; /* why the link is not open; NULL: it is open */
};

bool swarm_links_observe(struct swarm_links *l, uint32_t i)
{
    struct swarm_clock *clock = &l->clock[i];
    if (clock->counts) {
        return false;
    }
    clock->due_us = clock->limit_us = MF_NEVER;
    clock->counts = true;
    l->observed[l->observed_count++] = i;
    return true;
}

static void lend_links(struct swarm_links *l, uint32_t i)
{
    struct swarm_clock *clock = &l->clock[i];
    struct swarm_vehicle_links *lent = &l->vehicle_links[i];
    if (!swarm_links_observe(l, i)) {
        return;
    }
    if (l->w->scenario->links.transport == MF_SCENARIO_TRANSPORT_WALL) {
        clock->wall_us = &l->wall_us;
        clock->offset_us += *clock->now_us - l->wall_us;
    }
    mf_wiring_init(&lent->wiring,
                   &(struct mf_wiring_setup){.connections = lent->connections,
                                             .count = SWARM_LINK_FIRST + SWARM_CLIENTS});
    clock->lent = mf_crowd_lend(l->w->members.crowd, i, lent->links, lent->barriers,
                                SWARM_CLIENTS + 1u, &lent->wiring);
}

static void lend_links_only(void *ctx, uint32_t i, struct mf_drone *drone)
{
    (void)drone;
    lend_links(ctx, i);
}

void swarm_links_lend(struct swarm_links *l, uint32_t i)
{
    (void)visit_vehicle(l, i, lend_links_only, l);
}

unsigned swarm_links_free_number(const struct swarm_links *l, uint32_t i)
{
    unsigned number = 0;
    while (number < SWARM_CLIENTS && l->vehicle_links[i].link[number].open) {
        number++;
    }
    return number;
}

static void open_link(void *ctx, uint32_t i, struct mf_drone *drone)
{
    struct opening *o = ctx;
    struct swarm_links *l = o->l;
    const struct swarm_peer *peer = &l->peer[o->peer];
    lend_links(l, i);
    const unsigned number = swarm_links_free_number(l, i);
    if (number == SWARM_CLIENTS) {
        o->why = "the vehicle has no link left";
        return;
    }
    struct swarm_link *link = &l->vehicle_links[i].link[number];
    *link = (struct swarm_link){.all = l, .peer = o->peer, .vehicle = i, .alias = o->alias};
    const struct mf_drone_link about = {
        .serial = {.ops = &k_link,
                   .ctx = link,
                   .datagram = peer->shared == NULL && peer->serial.datagram,
                   .isolated = peer->shared != NULL || peer->reach == SWARM_REACH_OUT},
        .name = peer->name,
        .interval_us = l->interval_us[swarm_sends_remote_id(l->w, i)][peer->reach],
        .number = (uint16_t)(SWARM_LINK_FIRST + number),
        .port = (uint16_t)peer->reach};
    link->handle = mf_drone_open(drone, &about);
    link->open = link->handle >= 0;
    o->link = link->open ? (int)number : -1;
    o->why = link->open ? NULL : "the vehicle has no link left";
    l->open += link->open ? 1u : 0u;
}

static int open_local_link(struct swarm_links *l, uint32_t peer, uint32_t vehicle, uint8_t alias,
                           const char **why)
{
    struct opening o = {.l = l, .peer = peer, .alias = alias, .link = -1};
    o.why = "the vehicle is frozen";
    (void)visit_vehicle(l, vehicle, open_link, &o);
    *why = o.link >= 0 ? NULL : o.why;
    return o.link;
}

static void close_drone_link(void *ctx, uint32_t i, struct mf_drone *drone)
{
    const struct swarm_link *link = ctx;
    (void)i;
    mf_drone_close(drone, link->handle);
}

static void close_local_link(struct swarm_links *l, uint32_t vehicle, int number)
{
    (void)visit_vehicle(l, vehicle, close_drone_link, &l->vehicle_links[vehicle].link[number]);
}

int swarm_links_open_at(struct swarm_links *l, uint32_t peer, uint32_t i, const char **why)
{
    return l->ops->open(l, peer, i, 0, why);
}

void swarm_links_close_at(struct swarm_links *l, uint32_t i, int number)
{
    struct swarm_link *link = &l->vehicle_links[i].link[number];
    if (link->open) {
        l->ops->close(l, i, number);
        link->open = false;
        l->open--;
    }
}

/* ---- clients of many vehicles */

static void add_alias_entry(struct swarm_links *l, uint32_t peer, uint32_t vehicle)
{
    struct swarm_shared_client *client = l->peer[peer].shared;
    bool taken[256] = {true}; /* 0 is not a system id */
    const char *why;
    unsigned id = 1u + vehicle % SWARM_GROUP;
    for (uint32_t k = 0; k < client->count; k++) {
        taken[client->entry[k].alias] = true;
    }
    const uint8_t own = (uint8_t)id;
    for (id = taken[id] ? 1u : id; taken[id]; id++) {
    }
    struct swarm_alias_entry *entry = &client->entry[client->count++];
    *entry = (struct swarm_alias_entry){.vehicle = vehicle, .sysid = own, .alias = (uint8_t)id};
    entry->link = (int8_t)l->ops->open(l, peer, vehicle, own == id ? 0 : (uint8_t)id, &why);
}

static void remove_alias_entries(struct swarm_links *l, struct swarm_shared_client *client)
{
    for (uint32_t k = 0; k < client->count; k++) {
        if (client->entry[k].link >= 0) {
            swarm_links_close_at(l, client->entry[k].vehicle, client->entry[k].link);
        }
    }
    client->count = 0;
}

static void add_alias_entries(struct swarm_links *l, uint32_t peer, const struct swarm_port *port)
{
    if (port->reach == SWARM_REACH_WINDOW) {
        for (uint32_t k = 0; k < l->window_count; k++) {
            add_alias_entry(l, peer, l->window[k]);
        }
        return;
    }
    for (uint32_t i = port->first; i < port->first + SWARM_GROUP && i < l->w->scenario->members;
         i++) {
        if (swarm_is_vehicle(l->w, i)) {
            add_alias_entry(l, peer, i);
        }
    }
}

void swarm_window_set(struct swarm_links *l, const uint32_t *vehicle, uint32_t count)
{
    MF_ASSERT(count <= SWARM_GROUP);
    memcpy(l->window, vehicle, count * sizeof vehicle[0]);
    l->window_count = count;
    for (uint16_t i = 0; i < l->net.peer_top && i < l->net.memory.peer_max; i++) {
        struct swarm_peer *peer = &l->peer[i];
        if (peer->open && peer->reach == SWARM_REACH_WINDOW) {
            remove_alias_entries(l, peer->shared);
            for (uint32_t k = 0; k < count; k++) {
                add_alias_entry(l, i, vehicle[k]);
            }
        }
    }
}

/* ---- peers connect and disconnect */

static const char *open_shared_client(struct swarm_links *l, uint16_t index,
                                      const struct swarm_port *port)
{
    for (uint32_t k = 0; k < SWARM_SHARED_CLIENTS; k++) {
        if (!l->shared[k].used) {
            memset(&l->shared[k], 0, sizeof l->shared[k]);
            l->shared[k].used = true;
            l->peer[index].shared = &l->shared[k];
            add_alias_entries(l, index, port);
            return NULL;
        }
    }
    return "there are 64 clients of groups and windows";
}

/* Vehicle whose address a peer has connected to. @return MF_CROWD_MAX: no vehicle has the address
 */
static uint32_t find_vehicle_at(const struct swarm_links *l, uint16_t index)
{
    const struct mf_addr *local = &l->net.memory.peers[index].local;
    const uint32_t at = ntohl(local->in.sin_addr.s_addr) - l->address;
    return local->any.sa_family == AF_INET && at >= 1 && at <= l->w->scenario->members &&
                   swarm_is_vehicle(l->w, at - 1u)
               ? at - 1u
               : MF_CROWD_MAX;
}

static const char *open_vehicle_link(struct swarm_links *l, uint16_t index, uint32_t vehicle)
{
    struct swarm_peer *peer = &l->peer[index];
    const char *why;
    peer->vehicle = vehicle;
    peer->link = swarm_links_open_at(l, index, vehicle, &why);
    return why;
}

static const char *on_opened(void *ctx, uint16_t index, uint16_t port,
                             const struct mf_serial *serial, const char *name)
{
    struct swarm_links *l = ctx;
    const struct swarm_port *at = &l->port[port];
    if (at->reach == SWARM_REACH_API) {
        return l->service->connect(l, index, port, serial);
    }
    struct swarm_peer *peer = &l->peer[index];
    const uint32_t vehicle = at->reach == SWARM_REACH_OUT ? (l->adding ? l->next_out : MF_CROWD_MAX)
                                                          : find_vehicle_at(l, index);
    *peer = (struct swarm_peer){.reach = at->reach, .serial = *serial};
    (void)snprintf(peer->name, sizeof peer->name, "%s", name);
    const char *why = at->reach == SWARM_REACH_GROUP || at->reach == SWARM_REACH_WINDOW
                          ? open_shared_client(l, index, at)
                      : vehicle == MF_CROWD_MAX ? "no vehicle has this address"
                                                : open_vehicle_link(l, index, vehicle);
    peer->open = why == NULL;
    return why;
}

static void on_closed(void *ctx, uint16_t index)
{
    struct swarm_links *l = ctx;
    if (index >= l->net.memory.peer_max) {
        l->service->disconnect(l, index);
        return;
    }
    struct swarm_peer *peer = &l->peer[index];
    if (l->ended) {
        return;
    }
    if (peer->shared != NULL) {
        remove_alias_entries(l, peer->shared);
        peer->shared->used = false;
    } else {
        swarm_links_close_at(l, peer->vehicle, peer->link);
    }
    *peer = (struct swarm_peer){.open = false};
}

static void on_note(void *ctx, enum mf_severity severity, const char *text)
{
    (void)ctx;
    if (severity <= MF_WARNING) {
        (void)fprintf(stderr, "mayfly-swarm: %s\n", text);
    }
}

const struct mf_net_events swarm_net_events = {on_opened, on_closed, on_note, NULL};

/* ---- receiving */

static void pass_frame(struct swarm_links *l, const struct swarm_alias_entry *entry,
                       const struct mf_frame *frame, uint8_t target)
{
    uint8_t renamed[MF_FRAME_MAX];
    struct swarm_link *link = &l->vehicle_links[entry->vehicle].link[entry->link];
    link->rx = frame->raw;
    link->rx_len = frame->raw_len;
    if (target != 0 && entry->alias != entry->sysid) {
        link->rx_len = mf_readdress_target(frame, entry->sysid, renamed);
        link->rx = renamed;
    }
    if (!is_vehicle_absent(link)) {
        swarm_links_trace_input(link, link->rx, link->rx_len);
    }
    l->ops->give(l, entry->vehicle, entry->link);
    link->rx_len = 0;
}

static void pass_frame_to_vehicles(struct swarm_links *l, const struct swarm_shared_client *client,
                                   const struct mf_frame *frame)
{
    const uint8_t target =
        frame->info != NULL ? mf_msg_target(frame->info, frame->payload, frame->len).system : 0;
    for (uint32_t k = 0; k < client->count; k++) {
        if (client->entry[k].link >= 0 && (target == 0 || target == client->entry[k].alias)) {
            pass_frame(l, &client->entry[k], frame, target);
        }
    }
}

static void read_shared_client(struct swarm_links *l, struct swarm_peer *peer)
{
    uint8_t bytes[4096];
    struct mf_frame frame;
    struct mf_parser *parser = &peer->shared->parser;
    for (int turns = 0; turns < 16; turns++) {
        const int n = mf_serial_read(&peer->serial, bytes, sizeof bytes);
        for (size_t at = 0; n > 0 && at < (size_t)n;) {
            at += mf_parser_feed(parser, &bytes[at], (size_t)n - at);
            while (mf_parser_next(parser, &frame)) {
                pass_frame_to_vehicles(l, peer->shared, &frame);
            }
        }
        if (n < (int)sizeof bytes) {
            return;
        }
    }
}

static void pass_local_frame(struct swarm_links *l, uint32_t i, int number)
{
    (void)number;
    (void)swarm_links_run_vehicle(l, i);
}

static void read_local_peer(struct swarm_links *l, const struct swarm_peer *peer)
{
    struct swarm_link *link = &l->vehicle_links[peer->vehicle].link[peer->link];
    link->reads = true;
    const bool lives = swarm_links_run_vehicle(l, peer->vehicle);
    link->reads = false;
    if (!lives && link->peer < l->net.memory.peer_max) { /* a frozen vehicle never reads again */
        mf_net_drop(&l->net, (uint16_t)link->peer, "its vehicle is frozen");
    }
}

const struct swarm_link_ops swarm_links_here = {open_local_link, close_local_link, pass_local_frame,
                                                read_local_peer};

static void read_peer(struct swarm_links *l, uint16_t index)
{
    struct swarm_peer *peer = &l->peer[index];
    if (index >= l->net.memory.peer_max || !peer->open) {
        return;
    }
    if (peer->shared != NULL) {
        read_shared_client(l, peer);
    } else {
        l->ops->read(l, peer);
    }
}

static void read_streams(struct swarm_links *l)
{
    const struct mf_net_peer *first = l->net.memory.peers;
    for (const struct mf_net_peer *peer = l->net.active; peer != NULL; peer = peer->after) {
        if (peer->readable && !peer->ended) {
            read_peer(l, (uint16_t)(peer - first));
        }
    }
}

static void read_datagrams(struct swarm_links *l)
{
    for (int turns = 0; turns < DATAGRAMS; turns++) {
        for (uint16_t i = 0; i < l->net.port_count; i++) {
            const struct mf_net_port *port = &l->net.memory.ports[i];
            if (port->datagram_read < port->datagram_len) {
                read_peer(l, port->datagram_peer);
            }
        }
        if (!mf_net_receive_more(&l->net, l->wall_us)) {
            return;
        }
    }
}

/* ---- flows of this program */

static struct swarm_peer *get_flow_peer(const struct swarm_links *l, uint32_t number)
{
    MF_ASSERT(number < MF_SCENARIO_FLOWS_MAX);
    return &l->peer[l->net.memory.peer_max + number];
}

const char *swarm_links_open_flow(struct swarm *w, uint32_t i, uint32_t number,
                                  const struct mf_serial *serial)
{
    struct swarm_links *l = swarm_links_of(w);
    struct swarm_peer *peer = get_flow_peer(l, number);
    *peer = (struct swarm_peer){.reach = SWARM_REACH_ADDRESS, .serial = *serial};
    (void)snprintf(peer->name, sizeof peer->name, "flow %u", (unsigned)number + 1u);
    const char *why = open_vehicle_link(l, (uint16_t)(l->net.memory.peer_max + number), i);
    peer->open = why == NULL;
    return why;
}

void swarm_links_read_flow(struct swarm *w, uint32_t number)
{
    struct swarm_links *l = swarm_links_of(w);
    const struct swarm_peer *peer = get_flow_peer(l, number);
    if (peer->open) {
        l->ops->read(l, peer);
    }
}

void swarm_links_sync(struct swarm *w)
{
    const struct swarm_links *l = swarm_links_of(w);
    if (l->sync != NULL) {
        l->sync(w);
    }
}

/* ---- time */

/* Detach a vehicle from its clients: take lent links back, and let transport time continue with
 * vehicle time, without a jump. */
static void detach_vehicle(struct swarm_links *l, uint32_t i)
{
    struct swarm_clock *clock = &l->clock[i];
    if (mf_crowd_state(l->w->members.crowd, i).frozen) {
        return; /* a frozen vehicle never runs again */
    }
    if (clock->lent) {
        mf_crowd_reclaim(l->w->members.crowd, i);
    }
    clock->offset_us += clock->wall_us != NULL ? l->wall_us - *clock->now_us : 0;
    clock->counts = clock->lent = false;
    clock->wall_us = NULL;
    (void)swarm_links_run_vehicle(l, i);
}

void swarm_links_detach(struct swarm *w)
{
    struct swarm_links *l = swarm_links_of(w);
    mf_net_close(&l->net);
    if (l->service != NULL) {
        l->service->detach(l);
    }
    for (uint32_t k = 0; k < l->observed_count; k++) {
        detach_vehicle(l, l->observed[k]);
    }
    l->observed_count = 0;
    l->ended = true;
}

/* Run vehicles whose time-outs are due by the wall. @return wall time of the next time-out */
static mf_us_t run_timeouts(struct swarm_links *l)
{
    mf_us_t next_us = MF_NEVER;
    for (uint32_t k = 0; k < l->observed_count; k++) {
        const uint32_t i = l->observed[k];
        const struct swarm_clock *clock = &l->clock[i];
        if (clock->ruled) {
            next_us = mf_earlier(next_us, l->service->run_rules(l, i));
        }
        if (clock->due_us != MF_NEVER && clock->due_us - clock->offset_us <= l->wall_us) {
            (void)swarm_links_run_vehicle(l, i);
        }
        if (clock->due_us != MF_NEVER) {
            next_us = mf_earlier(next_us, clock->due_us - clock->offset_us);
        }
    }
    return next_us;
}

void swarm_links_on_wake(struct swarm *w, uint32_t i, struct mf_wake *wake)
{
    struct swarm_links *l = swarm_links_of(w);
    struct swarm_clock *clock = &l->clock[i];
    if (clock->watched != 0) {
        l->service->record(l, clock->watched);
    }
    const bool granted = clock->wall_us == NULL;
    const mf_us_t due_us = wake->transport_us;
    if (granted) {
        wake->transport_us -= due_us != MF_NEVER ? clock->offset_us : 0;
    }
    if (!clock->counts) {
        return;
    }
    clock->due_us = granted ? MF_NEVER : due_us;
    if (l->limit_changed != NULL && clock->limit_us != wake->limit_us) {
        l->limit_changed(w, i, wake->limit_us);
    }
    clock->limit_us = wake->limit_us;
    /* wake the vehicle at a barrier's instant, to answer the waiting client then */
    const mf_us_t limit_us = wake->limit_us > *clock->now_us ? wake->limit_us : MF_NEVER;
    wake->transport_us = granted ? mf_earlier(wake->transport_us, limit_us) : limit_us;
}

mf_us_t swarm_links_limit_us(const struct swarm *w)
{
    const struct swarm_links *l = swarm_links_of(w);
    const struct mf_scenario *s = w->scenario;
    const bool waits = s->time.clock != MF_SCENARIO_CLOCK_REAL || w->hold.rate != 1.0;
    mf_us_t limit_us = MF_NEVER;
    if (waits && mf_net_backlog(&l->net, false) > SWARM_BACKLOG) {
        return w->now_us;
    }
    for (uint32_t k = 0; k < l->observed_count; k++) {
        limit_us = mf_earlier(limit_us, l->clock[l->observed[k]].limit_us);
    }
    return limit_us > w->now_us ? limit_us : w->now_us;
}

bool swarm_links_has_clients(const struct swarm *w)
{
    const struct swarm_links *l = swarm_links_of(w);
    return l->open > 0 || (l->service != NULL && l->service->watches(l));
}

static void poll_until(struct swarm_links *l, mf_us_t due_us)
{
    const mf_us_t left_us = due_us > l->wall_us ? due_us - l->wall_us : 0;
    const struct timespec limit = {(time_t)(left_us / MF_SECOND_US),
                                   (long)(left_us % MF_SECOND_US * 1000)};
    if (ppoll(l->net.memory.polls, l->net.poll_count, &limit, NULL) < 0) {
        l->net.poll_count = 0; /* a failed poll reports nothing */
    }
}

void swarm_links_wait(struct swarm *w, double wait_s)
{
    struct swarm_links *l = swarm_links_of(w);
    l->wall_us = mf_monotonic_us();
    mf_net_send(&l->net, l->wall_us);
    const mf_us_t net_us = mf_net_prepare(&l->net, l->wall_us);
    const mf_us_t due_us = mf_earlier(net_us, l->due_us);
    poll_until(l, mf_earlier(due_us, l->wall_us + (mf_us_t)(wait_s * 1e6)));
    l->wall_us = mf_monotonic_us();
}

void swarm_links_flush(struct swarm *w)
{
    mf_net_flush(&swarm_links_of(w)->net);
}

void swarm_links_count(const struct swarm *w, uint64_t *in, uint64_t *out)
{
    const struct mf_net_stats *n = &swarm_links_of(w)->net.stats;
    *in = n->rx_bytes + n->opened + n->closed;
    *out = n->tx_bytes;
}

void swarm_links_receive(struct swarm *w)
{
    struct swarm_links *l = swarm_links_of(w);
    mf_net_receive(&l->net, l->wall_us);
    l->net.poll_count = 0; /* the results of the poll are used up */
    read_streams(l);
    read_datagrams(l);
    l->due_us = run_timeouts(l);
    if (l->service != NULL) {
        l->due_us = mf_earlier(l->due_us, l->service->serve(l));
    }
    swarm_links_sync(w);
}
