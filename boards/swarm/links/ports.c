/* SPDX-License-Identifier: Apache-2.0 */
/* Open and close the ports of the scenario's links, the memory of clients and the clocks of
 * vehicles: the system of links. program/systems.c lists it; api/ and hosts/ call it. */
#include "boards/swarm/core/metrics.h"
#include "boards/swarm/links/links_internal.h"
#include "boards/swarm/members/members.h"
#include "firmware/report/stream.h"
#include "hal-posix/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define LISTENED_US       (MF_SECOND_US / 20) /* longest piece of time while a client is connected */
#define OTHER_DESCRIPTORS 64u                 /* files, threads, and what libraries open */
/* Most streams that one epoll_wait() reports; the next pass gets the others. */
#define EVENTS 1024u
/* Hash chains of UDP clients. */
#define CHAINS 32768u
/* Prefix length if links.address lacks "/BITS": 127.64.0.0/10 has 4,194,303 addresses after it. */
#define NETWORK_BITS 10u

/* ---- memory: mapped, so unused pages take no memory */

static void *map_memory(size_t count, size_t size)
{
    void *memory = mmap(NULL, count * size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static uint32_t count_groups(const struct swarm *w)
{
    return (swarm_vehicles_top(w->scenario) + SWARM_GROUP - 1u) / SWARM_GROUP;
}

/* Most ports: TCP and UDP of each group, of the address and of the window; UDP out; the API. */
static uint32_t count_ports(const struct swarm *w)
{
    return (w->scenario->links.group != 0 ? 2u * count_groups(w) : 0u) + 6u;
}

static bool map_network(struct swarm_links *l)
{
    const struct swarm *w = l->w;
    const uint32_t ports = count_ports(w),
                   wanted = 2u * w->scenario->members + 2u * SWARM_SHARED_CLIENTS;
    const uint32_t peers = wanted < SWARM_PEERS_MAX ? wanted : SWARM_PEERS_MAX;
    const size_t all = (size_t)peers + SWARM_HTTP;
    struct mf_net_memory m = {
        .ports = map_memory(ports, sizeof(struct mf_net_port)),
        .peers = map_memory(all, sizeof(struct mf_net_peer)),
        .queues = map_memory(peers, MF_QUEUE_BYTES),
        .datagrams = map_memory(ports, MF_NET_DATAGRAM_MAX),
        .polls = map_memory(ports + all + 3u, sizeof(struct pollfd)),
        .owners = map_memory(ports + all + 1u, sizeof(uint16_t)),
        .http_queues = map_memory(SWARM_HTTP, MF_NET_HTTP_QUEUE_BYTES),
        .port_max = (uint16_t)ports,
        .peer_max = (uint16_t)peers,
        .http_max = SWARM_HTTP,
        .events = map_memory(EVENTS, sizeof(struct epoll_event)),
        .event_max = EVENTS,
        .chains = map_memory(CHAINS, sizeof(struct mf_net_peer *)),
        .chain_count = CHAINS,
    };
    if (w->scenario->links.udp[0] != '\0') {
        const uint32_t count = swarm_count_kind(w->scenario, MF_SCENARIO_KIND_VEHICLE);
        m.reserved[MF_NET_CONFIGURED] = (uint16_t)(count < peers ? count : peers);
    }
    l->peer = map_memory(peers + MF_SCENARIO_FLOWS_MAX, sizeof(struct swarm_peer));
    mf_net_init(&l->net, &m, &swarm_net_events, l);
    return m.ports != NULL && m.peers != NULL && m.queues != NULL && m.datagrams != NULL &&
           m.polls != NULL && m.owners != NULL && m.http_queues != NULL && m.events != NULL &&
           m.chains != NULL && l->peer != NULL;
}

static bool map_clients(struct swarm_links *l)
{
    l->port = map_memory(count_ports(l->w), sizeof(struct swarm_port));
    l->shared = map_memory(SWARM_SHARED_CLIENTS, sizeof(struct swarm_shared_client));
    return l->port != NULL && l->shared != NULL && map_network(l);
}

/* ---- ports */

static int links_error(const struct swarm_links *l, const char *key, const char *what)
{
    return swarm_refuse(l->w, l->w->scenario->links.line, "links.%s: %s", key, what);
}

static int add_port(struct swarm_links *l, const struct mf_endpoint *ep, const char *key,
                    enum swarm_reach reach, uint32_t first)
{
    char reason[MF_REASON_MAX], what[MF_REASON_MAX + 64u];
    const int port = mf_net_add(&l->net, ep, reason);
    if (port < 0) {
        const bool taken = strstr(reason, "is taken by") != NULL;
        (void)snprintf(what, sizeof what, "%s%s", reason,
                       taken ? ": end that one, or take another port" : "");
        return links_error(l, key, what);
    }
    l->port[port] = (struct swarm_port){.reach = reach, .first = first};
    return SWARM_OK;
}

/* Add a TCP and a UDP server with the same port number. */
static int add_tcp_and_udp(struct swarm_links *l, struct mf_endpoint ep, const char *key,
                           enum swarm_reach reach, uint32_t first)
{
    ep.kind = MF_PORT_TCP_SERVER;
    const int result = add_port(l, &ep, key, reach, first);
    ep.kind = MF_PORT_UDP_SERVER;
    return result == SWARM_OK ? add_port(l, &ep, key, reach, first) : result;
}

static struct mf_endpoint make_loopback(uint32_t port)
{
    struct mf_endpoint ep = {.port = (uint16_t)port};
    ep.addr.len = sizeof ep.addr.in;
    ep.addr.in.sin_family = AF_INET;
    ep.addr.in.sin_port = htons((uint16_t)port);
    ep.addr.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return ep;
}

/* Parse a decimal number. @return UINT32_MAX: not a number */
static uint32_t parse_number(const char *text)
{
    char *end;
    const unsigned long value = strtoul(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && value < UINT32_MAX ? (uint32_t)value
                                                                                  : UINT32_MAX;
}

/* Parse "A.B.C.D[/BITS]:PORT", and cut @p text behind the address. @return false: malformed */
static bool read_network(char *text, uint32_t *address, uint32_t *bits, uint32_t *port)
{
    struct in_addr in;
    char *colon = strchr(text, ':'), *slash = strchr(text, '/');
    if (colon == NULL || (slash != NULL && slash > colon)) {
        return false;
    }
    *colon = '\0';
    if (slash != NULL) {
        *slash = '\0';
    }
    *bits = slash != NULL ? parse_number(slash + 1) : NETWORK_BITS;
    *port = parse_number(colon + 1);
    const bool good = inet_pton(AF_INET, text, &in) == 1;
    *address = ntohl(in.s_addr);
    return good && *bits >= 1 && *bits <= 30 && *port >= 1 && *port <= UINT16_MAX;
}

static int open_addresses(struct swarm_links *l)
{
    const struct mf_scenario *s = l->w->scenario;
    char text[MF_SCENARIO_ADDRESS_MAX], what[200];
    uint32_t bits = 0, port = 0;
    (void)snprintf(text, sizeof text, "%s", s->links.address);
    if (!read_network(text, &l->address, &bits, &port)) {
        return links_error(
            l, "address",
            "write 127.64.0.0:5760, or 10.42.0.0/16:5760 where this network is routed "
            "to the machine");
    }
    const uint32_t left = (UINT32_MAX >> bits) - (l->address & (UINT32_MAX >> bits));
    const uint32_t needed = swarm_vehicles_top(s);
    if (needed > left) {
        (void)snprintf(what, sizeof what, "%u addresses follow %s in its network, %u are needed",
                       left, text, (unsigned)needed);
        return links_error(l, "address", what);
    }
    l->address_port = (uint16_t)port;
    struct mf_endpoint ep = make_loopback(port);
    ep.addr.in.sin_addr.s_addr = htonl(INADDR_ANY);
    ep.many = true;
    ep.device = l->address >> 24 == IN_LOOPBACKNET ? "lo" : NULL;
    return add_tcp_and_udp(l, ep, "address", SWARM_REACH_ADDRESS, 0);
}

static int open_groups(struct swarm_links *l)
{
    const struct mf_scenario *s = l->w->scenario;
    int result = SWARM_OK;
    if (s->links.group + count_groups(l->w) - 1u > UINT16_MAX) {
        return links_error(l, "group", "the port of the last group is above 65535");
    }
    for (uint32_t g = 0; g < count_groups(l->w) && result == SWARM_OK; g++) {
        result = add_tcp_and_udp(l, make_loopback(s->links.group + g), "group", SWARM_REACH_GROUP,
                                 g * SWARM_GROUP);
    }
    return result;
}

static int open_window(struct swarm_links *l)
{
    const struct mf_scenario *s = l->w->scenario;
    const struct mf_scenario_chosen *chosen = &s->links.window.vehicles;
    if (s->links.window.port == 0) {
        return links_error(l, "window", "lacks its port");
    }
    for (uint32_t i = 0; i < s->members; i++) {
        if (!mf_scenario_is_chosen(s, chosen, i, false)) {
            continue;
        }
        if (!swarm_is_vehicle(l->w, i)) {
            return links_error(
                l, "window.vehicles",
                "has agents or ghosts: only vehicles are in a window. A ghost's drone has "
                "links of its own where it runs");
        }
        if (l->window_count == SWARM_GROUP) {
            return links_error(l, "window.vehicles", "are more than 250");
        }
        l->window[l->window_count++] = i;
    }
    return add_tcp_and_udp(l, make_loopback(s->links.window.port), "window", SWARM_REACH_WINDOW, 0);
}

/* Open UDP out. One socket sends for all vehicles; the sender's address of an answer selects the
 * vehicle. */
static int open_out(struct swarm_links *l)
{
    struct mf_endpoint to, ep;
    char reason[MF_REASON_MAX];
    const struct mf_scenario *s = l->w->scenario;
    if (mf_endpoint_parse(&to, MF_PORT_UDP_CLIENT, s->links.udp, reason) != MF_E_OK ||
        mf_endpoint_resolve(&to, reason) != MF_E_OK) {
        return links_error(l, "udp", reason);
    }
    if (to.port + swarm_vehicles_top(s) - 1u > UINT16_MAX) {
        return links_error(l, "udp", "the port of the last vehicle is above 65535");
    }
    if (swarm_count_kind(s, MF_SCENARIO_KIND_VEHICLE) > l->net.memory.peer_max) {
        return links_error(l, "udp", "there are more vehicles than peers (24000)");
    }
    ep = (struct mf_endpoint){.kind = MF_PORT_UDP_SERVER,
                              .addr = mf_addr_local_for(&to.addr, to.local_port)};
    return add_port(l, &ep, "udp", SWARM_REACH_OUT, to.port);
}

int swarm_links_serve(struct swarm *w, const struct swarm_links_service *service, void *state)
{
    struct swarm_links *l = swarm_links_of(w);
    struct mf_endpoint ep;
    char reason[MF_REASON_MAX];
    if (mf_endpoint_parse(&ep, MF_PORT_TCP_SERVER, w->scenario->links.api, reason) != MF_E_OK ||
        mf_endpoint_resolve(&ep, reason) != MF_E_OK) {
        return links_error(l, "api", reason);
    }
    ep.http = true;
    if (add_port(l, &ep, "api", SWARM_REACH_API, 0) != SWARM_OK) {
        return SWARM_INPUT;
    }
    if (mf_net_listen(&l->net, (uint16_t)(l->net.port_count - 1u), reason) != MF_E_OK) {
        return links_error(l, "port", reason);
    }
    l->service = service;
    l->service_state = state;
    char address[MF_ADDR_TEXT_MAX];
    swarm_links_get_api(w, address);
    (void)fprintf(stderr, "mayfly-swarm: http://%s/docs: control API\n", address);
    return SWARM_OK;
}

void swarm_links_get_api(const struct swarm *w, char *text)
{
    const struct swarm_links *l = swarm_links_of(w);
    text[0] = '\0';
    for (uint16_t i = 0; l != NULL && i < l->net.port_count; i++) {
        if (l->port[i].reach == SWARM_REACH_API) {
            mf_addr_text(&l->net.memory.ports[i].local, text);
        }
    }
}

static int open_ports(struct swarm_links *l)
{
    const struct mf_scenario_links *k = &l->w->scenario->links;
    const struct {
        bool wanted;
        int (*open)(struct swarm_links *l);
    } kinds[] = {{k->address[0] != '\0', open_addresses},
                 {k->group != 0, open_groups},
                 {k->window.port != 0 || k->window.vehicles.count > 0, open_window},
                 {k->udp[0] != '\0', open_out}};
    int result = SWARM_OK;
    const bool alone = swarm_is_stepped(l->w) || swarm_vehicles_top(l->w->scenario) == 0;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && result == SWARM_OK; i++) {
        if (kinds[i].wanted && alone) {
            return swarm_refuse(l->w, k->line,
                                swarm_is_stepped(l->w)
                                    ? "links: worlds of cells and searches have only an api"
                                    : "links: without a vehicle there is only an api");
        }
        result = kinds[i].wanted ? kinds[i].open(l) : SWARM_OK;
    }
    char reason[MF_REASON_MAX];
    for (uint16_t i = 0; i < l->net.port_count && result == SWARM_OK; i++) {
        result = mf_net_listen(&l->net, i, reason) == MF_E_OK ? SWARM_OK
                                                              : links_error(l, "port", reason);
    }
    return result;
}

/* Raise the limit of descriptors to its maximum. Warn if ports, and one client of each vehicle with
 * an address, need more. */
static void raise_descriptors(const struct swarm_links *l)
{
    const struct mf_scenario *s = l->w->scenario;
    struct rlimit limit;
    const rlim_t needed =
        OTHER_DESCRIPTORS + count_ports(l->w) + SWARM_HTTP + SWARM_SHARED_CLIENTS +
        (s->links.address[0] != '\0' ? swarm_count_kind(s, MF_SCENARIO_KIND_VEHICLE) : 0u);
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return;
    }
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < needed) {
        (void)fprintf(stderr,
                      "mayfly-swarm: %llu descriptors are allowed; a TCP client of each vehicle "
                      "takes %llu: 'ulimit -n %llu' before the start\n",
                      (unsigned long long)limit.rlim_cur, (unsigned long long)needed,
                      (unsigned long long)needed);
    }
}

/* Set stream rates by kind of port: clients of one vehicle get all streams, clients of many get
 * fewer. */
static void choose_streams(struct swarm_links *l)
{
    static const enum mf_rate_profile k_profile[SWARM_REACHES] = {
        [SWARM_REACH_ADDRESS] = MF_PROFILE_sim, [SWARM_REACH_OUT] = MF_PROFILE_sim,
        [SWARM_REACH_API] = MF_PROFILE_sim,     [SWARM_REACH_GROUP] = MF_PROFILE_min,
        [SWARM_REACH_WINDOW] = MF_PROFILE_px4,
    };
    for (int i = 0; i < (int)SWARM_REACHES; i++) {
        mf_stream_profile(k_profile[i], l->interval_us[0][i]);
        mf_stream_profile(k_profile[i], l->interval_us[1][i]);
        mf_stream_remote_id(l->interval_us[1][i]);
    }
}

int swarm_links_make(struct swarm *w)
{
    const uint32_t members = w->scenario->members;
    struct swarm_links *l = calloc(1, sizeof *l);
    if (l == NULL) {
        return swarm_refuse(w, w->scenario->links.line, "links: no memory");
    }
    w->state[SWARM_SLOT_LINKS] = l;
    l->w = w;
    l->ops = &swarm_links_here;
    w->members.woken = swarm_links_on_wake;
    l->threads = w->workers.count > 1;
    (void)pthread_mutex_init(&l->lock, NULL);
    choose_streams(l);
    l->clock = swarm_memory(w, w->scenario->links.line, members * sizeof l->clock[0]);
    l->vehicle_links = map_memory(members, sizeof(struct swarm_vehicle_links));
    l->observed = map_memory(members, sizeof(uint32_t));
    return l->clock != NULL && l->vehicle_links != NULL && l->observed != NULL
               ? SWARM_OK
               : swarm_refuse(w, w->scenario->links.line, "links: no memory: %s", strerror(errno));
}

static int open_links(struct swarm *w)
{
    if (!mf_scenario_is_linked(w->scenario)) {
        return SWARM_OK;
    }
    if (swarm_links_make(w) != SWARM_OK) {
        return SWARM_INPUT;
    }
    struct swarm_links *l = swarm_links_of(w);
    if (!map_clients(l)) {
        return swarm_refuse(w, w->scenario->links.line, "links: no memory: %s", strerror(errno));
    }
    raise_descriptors(l);
    const bool waits =
        w->scenario->time.clock != MF_SCENARIO_CLOCK_REAL || w->scenario->time.rate != 1.0;
    l->net.patience = waits ? SWARM_BACKLOG : 0;
    return open_ports(l);
}

/* ---- clocks of vehicles */

static struct mf_now read_clock(void *ctx)
{
    const struct swarm_clock *clock = ctx;
    const mf_us_t now_us = *clock->now_us;
    return (struct mf_now){.vehicle_us = now_us,
                           .transport_us = (clock->wall_us != NULL ? *clock->wall_us : now_us) +
                                           clock->offset_us};
}

static const struct mf_clock_ops k_clock = {read_clock};

bool swarm_links_get_address(const struct swarm *w, uint32_t i, char *text)
{
    const struct swarm_links *l = swarm_links_of(w);
    if (l == NULL || l->address == 0 || !swarm_is_vehicle(w, i)) {
        return false;
    }
    struct mf_addr addr = {.len = sizeof addr.in};
    addr.in.sin_family = AF_INET;
    addr.in.sin_port = htons(l->address_port);
    addr.in.sin_addr.s_addr = htonl(l->address + i + 1u);
    mf_addr_text(&addr, text);
    return true;
}

static int describe_vehicle(struct swarm *w, uint32_t i, struct mf_drone_setup *setup,
                            struct mf_world_settings *world)
{
    (void)world;
    if (swarm_links_of(w) != NULL) {
        struct swarm_clock *clock = &swarm_links_of(w)->clock[i];
        clock->now_us = setup->vehicle.hal.clock_ctx;
        setup->vehicle.hal.clock = &k_clock;
        setup->vehicle.hal.clock_ctx = clock;
    }
    return MF_E_OK;
}

/* ---- begin and end */

/* Add a UDP peer for each vehicle, so that telemetry flows before the host has answered. */
static void add_out(struct swarm_links *l, uint16_t port)
{
    struct mf_endpoint to;
    char reason[MF_REASON_MAX];
    const int result =
        mf_endpoint_parse(&to, MF_PORT_UDP_CLIENT, l->w->scenario->links.udp, reason);
    MF_ASSERT(result == MF_E_OK);
    if (mf_endpoint_resolve(&to, reason) != MF_E_OK) {
        return;
    }
    l->adding = true;
    for (l->next_out = 0; l->next_out < l->w->scenario->members; l->next_out++) {
        if (!swarm_is_vehicle(l->w, l->next_out)) {
            continue;
        }
        to.addr.in.sin_port = htons((uint16_t)(l->port[port].first + l->next_out));
        (void)mf_net_add_peer(&l->net, port, &to.addr, l->wall_us);
    }
    l->adding = false;
}

static int attach_links(struct swarm *w)
{
    struct swarm_links *l = swarm_links_of(w);
    w->hold.awaits_clients = l != NULL;
    if (l == NULL) {
        return SWARM_OK;
    }
    l->wall_us = l->begun_us = mf_monotonic_us();
    mf_net_start(&l->net, l->wall_us);
    for (uint16_t i = 0; i < l->net.port_count; i++) {
        if (l->port[i].reach == SWARM_REACH_OUT) {
            add_out(l, i);
        }
    }
    return SWARM_OK;
}

static void close_links(struct swarm *w, int code)
{
    struct swarm_links *l = swarm_links_of(w);
    (void)code;
    if (l == NULL) {
        return;
    }
    l->ended = true;
    mf_net_close(&l->net);
    (void)pthread_mutex_destroy(&l->lock);
    if (l->service != NULL) {
        l->service->free(l);
    }
    free(l);
    w->state[SWARM_SLOT_LINKS] = NULL;
}

static bool flush_before_controller(struct swarm *w, bool pending)
{
    (void)pending;
    if (swarm_links_of(w) != NULL) {
        swarm_links_flush(w); /* frames leave before a controller learns of their instant */
    }
    return false;
}

/* Limit a piece of time: short while a client is connected, and not past a client's barrier. */
static mf_us_t limit_by_clients(struct swarm *w, mf_us_t next_us)
{
    (void)next_us;
    if (swarm_links_of(w) == NULL) {
        return MF_NEVER;
    }
    const mf_us_t piece_us = swarm_links_has_clients(w) ? w->now_us + LISTENED_US : MF_NEVER;
    return mf_earlier(piece_us, swarm_links_limit_us(w));
}

static bool receive_from_clients(struct swarm *w)
{
    if (swarm_links_of(w) != NULL) {
        swarm_links_receive(w);
    }
    return false;
}

static bool wait_for_clients(struct swarm *w, double wait_s)
{
    if (swarm_links_of(w) != NULL) {
        swarm_links_wait(w, wait_s);
    }
    return swarm_links_of(w) != NULL;
}

static void detach_links(struct swarm *w, bool goes_on)
{
    if (goes_on && swarm_links_of(w) != NULL) {
        swarm_links_detach(w);
    }
}

/* clang-format off */
#define METRIC_LIST(X) \
    X(LINKS, "mayfly_swarm_links", "gauge", "Links of vehicles.", l->open) \
    X(LINKS, "mayfly_swarm_observed", "gauge", "Vehicles that have had a client.", l->observed_count) \
    X(LINKS, "mayfly_peers_opened_total", "counter", "Clients that have connected.", n->opened) \
    X(LINKS, "mayfly_peers_closed_total", "counter", "Clients that have disconnected.", n->closed) \
    X(LINKS, "mayfly_peers_turned_away_total", "counter", "Clients that were refused for lack of room.", n->turned_away) \
    X(LINKS, "mayfly_peers_dropped_total", "counter", "Clients that were dropped since they did not read.", n->dropped_slow) \
    X(LINKS, "mayfly_frames_refused_total", "counter", "Frames for which a client's queue had no room.", n->tx_refused) \
    X(LINKS, "mayfly_received_bytes_total", "counter", "Bytes from clients.", n->rx_bytes) \
    X(LINKS, "mayfly_sent_bytes_total", "counter", "Bytes to clients.", n->tx_bytes)
/* clang-format on */

static void measure_links(const struct swarm *w, double *value)
{
    const struct swarm_links *l = swarm_links_of(w);
    const struct mf_net_stats *n = &l->net.stats;
    const double all[] = {METRIC_LIST(SWARM_METRIC_VALUE)};
    memcpy(value, all, sizeof all);
}

static const struct swarm_metric k_metric[] = {METRIC_LIST(SWARM_METRIC_ROW){0}};
static const struct swarm_metrics k_metrics = {k_metric, measure_links, NULL};

const struct swarm_system swarm_links_system = {
    .name = "links",
    .on = {[SWARM_CONNECT] = open_links, [SWARM_ATTACH] = attach_links},
    .metrics = &k_metrics,
    .describe = describe_vehicle,
    .sync = flush_before_controller,
    .limit_us = limit_by_clients,
    .serve = receive_from_clients,
    .sleep = wait_for_clients,
    .finish = detach_links,
    .close = close_links,
};
