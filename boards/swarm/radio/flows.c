/* SPDX-License-Identifier: Apache-2.0 */
/* Carry MAVLink of real clients over built-in networks, between sockets and links of vehicles.
 * program/systems.c lists its system. */
#include "boards/swarm/radio/flows.h"

#include "boards/swarm/core/listener.h"
#include "boards/swarm/core/trace.h"
#include "boards/swarm/links/links.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/radio/network.h"
#include "boards/swarm/radio/network_outside.h"
#include "fleet/lane.h"
#include "fleet/scenario_networks.h"
#include "hal-posix/endpoint.h"
#include "math/chance.h"
#include "mavlink/frame.h"

#include <errno.h>
#include <inttypes.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define BUFFER_MAX 1048576u /* most bytes that wait in one buffer */
#define TIMER_ID   4u       /* after the timers of network.c at one instant */

/* Bytes that wait, in their order. */
struct buffer {
    uint8_t *at;
    size_t n, capacity;
};

struct flow {
    struct swarm *w;
    const struct mf_scenario_flow *is;
    uint32_t number;
    int listener, client;    /* TCP: < 0: not open; UDP: only `client` is open */
    struct sockaddr_in peer; /* UDP: address of the client; port 0: not known yet */
    struct mf_lane up, down;
    struct buffer from_vehicle; /* bytes that the vehicle has written at this instant */
    struct buffer to_vehicle;   /* bytes that have arrived, which the vehicle reads at once */
    struct buffer to_client;    /* TCP: bytes that have arrived, until the client takes them */
};

struct swarm_flows {
    uint32_t count;
    struct flow flow[MF_SCENARIO_FLOWS_MAX];
    struct mf_timer timer;
    mf_us_t due_us;       /* time to which the timer is set; MF_NEVER: not set */
    uint64_t in, out;     /* bytes that have arrived at vehicles, and at clients */
    uint8_t bytes[65536]; /* received from a client */
};

static struct swarm_flows *flows_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_FLOWS];
}

/* ---- buffers */

/* Append bytes. @return false: no room or no memory, and the buffer is unchanged */
static bool append_bytes(struct buffer *b, const uint8_t *bytes, size_t n)
{
    if (b->n + n > b->capacity) {
        const size_t capacity = 2u * (b->n + n);
        uint8_t *more = b->n + n <= BUFFER_MAX ? realloc(b->at, capacity) : NULL;
        if (more == NULL) {
            return false;
        }
        b->at = more;
        b->capacity = capacity;
    }
    memcpy(b->at + b->n, bytes, n);
    b->n += n;
    return true;
}

static void remove_bytes(struct buffer *b, size_t n)
{
    MF_ASSERT(n <= b->n);
    b->n -= n;
    if (n > 0 && b->n > 0) {
        memmove(b->at, b->at + n, b->n);
    }
}

/* ---- the vehicle's end: the device of its link */

static int device_write(void *ctx, const uint8_t *bytes, size_t n)
{
    struct flow *f = ctx;
    return append_bytes(&f->from_vehicle, bytes, n) ? (int)n : 0;
}

static int device_read(void *ctx, uint8_t *bytes, size_t cap)
{
    struct flow *f = ctx;
    const size_t n = f->to_vehicle.n < cap ? f->to_vehicle.n : cap;
    if (n > 0) {
        memcpy(bytes, f->to_vehicle.at, n);
    }
    remove_bytes(&f->to_vehicle, n);
    return (int)n;
}

static size_t device_room(void *ctx)
{
    const struct flow *f = ctx;
    return BUFFER_MAX - f->from_vehicle.n;
}

static const struct mf_serial_ops k_device = {device_write, device_read, device_room};

/* Length of the MAVLink frame at @p at; 1 for a byte outside of frames. @return 0: the frame is
 * incomplete */
static size_t frame_length(const struct buffer *b, size_t at)
{
    const size_t left = b->n - at;
    size_t n = 1;
    if (left > 0 && b->at[at] == MF_STX_V2) {
        n = left < 3 ? left + 1u : 12u + b->at[at + 1] + ((b->at[at + 2] & 1u) != 0 ? 13u : 0u);
    } else if (left > 0 && b->at[at] == MF_STX_V1) {
        n = left < 2 ? left + 1u : 8u + (size_t)b->at[at + 1];
    }
    return n <= left ? n : 0;
}

/* Length of the whole frames that fit into a datagram. @return 0: the first frame is incomplete */
static size_t datagram_length(const struct buffer *b)
{
    size_t end = 0;
    for (size_t n = frame_length(b, 0); n > 0 && (end == 0 || end + n <= MF_LANE_SEGMENT_MAX);
         n = frame_length(b, end)) {
        end += n;
    }
    return end;
}

/* Send what the vehicle has written: TCP as bytes, UDP as datagrams of whole frames. */
static void send_vehicle_output(struct flow *f, mf_us_t now_us)
{
    bool any = f->from_vehicle.n > 0;
    while (any) {
        const size_t n = f->down.stream ? f->from_vehicle.n : datagram_length(&f->from_vehicle);
        any = n > 0 && mf_lane_send(&f->down, f->from_vehicle.at, n, now_us) == MF_E_OK;
        remove_bytes(&f->from_vehicle, any ? n : 0);
        any = any && f->from_vehicle.n > 0;
    }
}

/* ---- the client's end */

static void trace_bytes(const struct flow *f, mf_us_t at_us, const char *how, const uint8_t *bytes,
                        size_t n)
{
    swarm_trace_carry(swarm_trace_of(f->w), (uint64_t)at_us * 1000u,
                      f->is->via == MF_SCENARIO_VIA_UDP, bytes, n, "client of flow %u %s",
                      (unsigned)f->number + 1u, how);
}

static void write_client(struct flow *f)
{
    while (f->client >= 0 && f->to_client.n > 0) {
        const ssize_t n =
            send(f->client, f->to_client.at, f->to_client.n, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n <= 0) {
            return;
        }
        flows_of(f->w)->out += (uint64_t)n;
        remove_bytes(&f->to_client, (size_t)n);
    }
}

/* Disable delays of TCP, which depend on the wall. The operating system resets TCP_QUICKACK, so set
 * it after each read. */
static void disable_tcp_delays(const struct flow *f)
{
    const int one = 1;
    if (f->is->via == MF_SCENARIO_VIA_TCP && f->client >= 0) {
        (void)setsockopt(f->client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        (void)setsockopt(f->client, IPPROTO_TCP, TCP_QUICKACK, &one, sizeof one);
    }
}

static void accept_client(struct flow *f)
{
    if (f->is->via == MF_SCENARIO_VIA_TCP && f->client < 0) {
        f->client = accept4(f->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        disable_tcp_delays(f);
        write_client(f);
    }
}

/* Send what the client has written; accept a TCP client first. */
static void receive_from_client(struct flow *f, mf_us_t now_us)
{
    struct swarm_flows *all = flows_of(f->w);
    struct sockaddr_in from;
    accept_client(f);
    for (ssize_t n = 0; f->client >= 0 && n >= 0;) {
        socklen_t size = sizeof from;
        n = recvfrom(f->client, all->bytes, sizeof all->bytes, MSG_DONTWAIT,
                     (struct sockaddr *)&from, &size);
        if (n > 0) {
            trace_bytes(f, now_us, "sends", all->bytes, (size_t)n);
            (void)mf_lane_send(&f->up, all->bytes, (size_t)n, now_us);
            disable_tcp_delays(f);
        }
        if (n >= 0 && f->is->via == MF_SCENARIO_VIA_UDP) {
            f->peer = from;
        } else if (n == 0) { /* another client may connect */
            (void)close(f->client);
            f->client = -1;
        }
    }
}

/* ---- lanes */

static bool is_flow_in_reach(void *ctx, mf_us_t now_us)
{
    const struct flow *f = ctx;
    return swarm_network_in_reach(f->w, f->is->network, f->is->from, f->is->to, now_us);
}

static void arrive_at_vehicle(void *ctx, const uint8_t *bytes, size_t n)
{
    struct flow *f = ctx;
    if (append_bytes(&f->to_vehicle, bytes, n)) {
        flows_of(f->w)->in += n;
        swarm_links_read_flow(f->w, f->number);
    }
}

static void arrive_at_client(void *ctx, const uint8_t *bytes, size_t n)
{
    struct flow *f = ctx;
    if (f->is->via == MF_SCENARIO_VIA_TCP || f->peer.sin_port != 0) {
        trace_bytes(f, f->w->engine.last.at_us, "gets", bytes, n); /* a timer has called */
    }
    if (f->is->via == MF_SCENARIO_VIA_TCP) {
        (void)append_bytes(&f->to_client, bytes, n); /* bytes beyond BUFFER_MAX are lost */
        write_client(f);
    } else if (f->peer.sin_port != 0 &&
               sendto(f->client, bytes, n, MSG_NOSIGNAL | MSG_DONTWAIT,
                      (const struct sockaddr *)&f->peer, sizeof f->peer) > 0) {
        flows_of(f->w)->out += n;
    }
}

static void init_lane(struct mf_lane *l, struct flow *f, bool up)
{
    const struct mf_scenario *s = f->w->scenario;
    const struct mf_scenario_network *n = &s->network[f->is->network];
    const uint32_t from = up ? f->is->from : f->is->to, to = up ? f->is->to : f->is->from;
    *l = (struct mf_lane){.stream = f->is->via == MF_SCENARIO_VIA_TCP,
                          .delay_s = n->delay_s,
                          .bits_per_s = n->bits_per_s,
                          .loss = n->loss,
                          .key = mf_chance_key(mf_scenario_shared_chance(s, MF_PURPOSE_NETWORK),
                                               f->number + 1u, mf_scenario_identity(s, from),
                                               mf_scenario_identity(s, to)),
                          .reaches = is_flow_in_reach,
                          .arrived = up ? arrive_at_vehicle : arrive_at_client,
                          .ctx = f};
}

/* ---- time */

/* Present time: the engine's last instant may be later than w->now_us, because vehicles act after
 * the controllers of an instant. */
static mf_us_t present_us(const struct swarm *w)
{
    return w->engine.last.at_us > w->now_us ? w->engine.last.at_us : w->now_us;
}

/* Set the timer to the next arrival or departure. @return true: its time has changed */
static bool set_timer(struct swarm *w)
{
    struct swarm_flows *all = flows_of(w);
    mf_us_t due_us = MF_NEVER;
    for (uint32_t i = 0; i < all->count; i++) {
        due_us = mf_earlier(due_us, mf_lane_next(&all->flow[i].up));
        due_us = mf_earlier(due_us, mf_lane_next(&all->flow[i].down));
    }
    if (due_us == all->due_us) {
        return false;
    }
    all->due_us = due_us;
    if (due_us == MF_NEVER) {
        mf_timer_cancel(&w->engine, &all->timer);
        return true;
    }
    const int result = mf_timer_set(&w->engine, &all->timer, due_us, 0);
    MF_ASSERT(result == MF_E_OK); /* the time is not in the past, and the heap has room */
    return true;
}

/* Timer: deliver what has arrived, and send again what was lost. */
static void run_lanes(void *ctx, uint32_t id, mf_us_t at_us)
{
    struct swarm *w = ctx;
    struct swarm_flows *flows = flows_of(w);
    (void)id;
    flows->due_us = MF_NEVER; /* the timer has expired */
    for (uint32_t i = 0; i < flows->count; i++) {
        struct flow *f = &flows->flow[i];
        mf_lane_run(&f->up, at_us);
        mf_lane_run(&f->down, at_us);
    }
    swarm_links_sync(w);
    for (uint32_t i = 0; i < flows->count; i++) {
        send_vehicle_output(&flows->flow[i], at_us); /* the vehicle's answers */
    }
    (void)set_timer(w);
}

static bool exchange_flows(struct swarm *w)
{
    struct swarm_flows *flows = flows_of(w);
    if (flows == NULL) {
        return false;
    }
    const mf_us_t now_us = present_us(w);
    for (uint32_t i = 0; i < flows->count; i++) {
        struct flow *f = &flows->flow[i];
        receive_from_client(f, now_us);
        write_client(f);
        send_vehicle_output(f, now_us);
    }
    return set_timer(w);
}

/* Limit a piece of time to the next instant, so that output of a vehicle is read at the instant of
 * sending. */
static mf_us_t limit_to_next_instant(struct swarm *w, mf_us_t next_us)
{
    return flows_of(w) == NULL ? MF_NEVER : next_us > w->now_us ? next_us : w->now_us + 1;
}

uint64_t swarm_flows_sent_bytes(const struct swarm *w)
{
    return flows_of(w) != NULL ? flows_of(w)->out : 0;
}

/* ---- begin and end */

static int open_socket(struct swarm *w, struct flow *f)
{
    const bool stream = f->is->via == MF_SCENARIO_VIA_TCP;
    const int fd = swarm_port_bind(w, f->is->line, "flows.client", f->is->client,
                                   stream ? SOCK_STREAM : SOCK_DGRAM);
    *(stream ? &f->listener : &f->client) = fd;
    if (fd < 0 || (stream && listen(fd, 1) != 0)) {
        return fd < 0 ? SWARM_INPUT
                      : swarm_refuse(w, f->is->line, "flows.client: %u: %s",
                                     (unsigned)f->is->client, strerror(errno));
    }
    return SWARM_OK;
}

static int open_flow(struct swarm *w, const struct mf_scenario_flow *is)
{
    struct flow *f = &flows_of(w)->flow[flows_of(w)->count];
    char address[MF_ADDR_TEXT_MAX];
    *f =
        (struct flow){.w = w, .is = is, .number = flows_of(w)->count, .listener = -1, .client = -1};
    flows_of(w)->count++;
    if (!swarm_has(w, SWARM_SLOT_LINKS) || !swarm_links_get_address(w, is->to, address)) {
        return swarm_refuse(w, is->line,
                            "flows: '%s' has no address: give links.address, and let it be a "
                            "vehicle",
                            is->vehicle);
    }
    init_lane(&f->up, f, true);
    init_lane(&f->down, f, false);
    return open_socket(w, f);
}

static int open_flows(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    int result = SWARM_OK;
    for (uint32_t i = 0; i < s->flows && result == SWARM_OK; i++) {
        if (s->network[s->flow[i].network].kind != MF_NETWORK_BUILTIN) {
            continue;
        }
        if (flows_of(w) == NULL) {
            w->state[SWARM_SLOT_FLOWS] = calloc(1, sizeof *flows_of(w));
        }
        if (flows_of(w) == NULL) {
            return swarm_refuse(w, s->flow[i].line, "flows: no memory");
        }
        flows_of(w)->due_us = MF_NEVER;
        result = open_flow(w, &s->flow[i]);
    }
    return result;
}

static int attach_flows(struct swarm *w)
{
    if (flows_of(w) == NULL || !swarm_has(w, SWARM_SLOT_LINKS)) {
        return SWARM_OK;
    }
    mf_timer_init(&flows_of(w)->timer, MF_PHASE_MEDIUM, TIMER_ID, run_lanes, w);
    for (uint32_t i = 0; i < flows_of(w)->count; i++) {
        struct flow *f = &flows_of(w)->flow[i];
        const struct mf_serial device = {.ops = &k_device, .ctx = f};
        const char *why = swarm_links_open_flow(w, f->is->to, f->number, &device);
        if (why != NULL) {
            (void)fprintf(stderr, "mayfly-swarm: flows: %s: %s\n", f->is->vehicle, why);
        }
    }
    return SWARM_OK;
}

static void close_flows(struct swarm *w, int code)
{
    (void)code;
    for (uint32_t i = 0; flows_of(w) != NULL && i < flows_of(w)->count; i++) {
        struct flow *f = &flows_of(w)->flow[i];
        write_client(f);
        if (f->listener >= 0) {
            (void)close(f->listener);
        }
        if (f->client >= 0) {
            (void)close(f->client);
        }
        mf_lane_free(&f->up);
        mf_lane_free(&f->down);
        free(f->from_vehicle.at);
        free(f->to_vehicle.at);
        free(f->to_client.at);
    }
    free(flows_of(w));
    w->state[SWARM_SLOT_FLOWS] = NULL;
}

/* Print what has crossed the networks: packets of the summary are those of members. */
static void print_flows(const struct swarm *w)
{
    const struct mf_bus_written outside = swarm_outside_get_written(w);
    const uint64_t in = flows_of(w) != NULL ? flows_of(w)->in : 0;
    if (w->scenario->flows > 0) {
        (void)printf("flows     %u, %" PRIu64 " bytes to vehicles, %" PRIu64 " to clients\n",
                     (unsigned)w->scenario->flows, in + outside.vehicles,
                     swarm_flows_sent_bytes(w) + outside.clients);
    }
}

static bool exchange_before_controller(struct swarm *w, bool pending)
{
    (void)pending;
    return exchange_flows(w);
}

/* Read clients before the network runs ahead, unless exchange_before_controller() has done so for a
 * controller of time.
 */
static mf_us_t exchange_before_network(struct swarm *w, mf_us_t to_us)
{
    return !swarm_has(w, SWARM_SLOT_CONTROL) && exchange_flows(w) ? to_us - 1 : to_us;
}

static int check_ports(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    int result = SWARM_OK;
    for (uint32_t i = 0; i < s->flows && result == SWARM_OK; i++) {
        const bool stream = s->flow[i].via == MF_SCENARIO_VIA_TCP;
        result = swarm_port_check(w, s->flow[i].line, "flows.client", s->flow[i].client,
                                  stream ? SOCK_STREAM : SOCK_DGRAM);
    }
    return result;
}

static int refuse_checkpoint(struct swarm *w)
{
    return w->scenario->flows == 0
               ? SWARM_OK
               : swarm_refuse(w, w->scenario->flow[0].line,
                              "flows: a checkpoint has no connections; take them out of the run");
}

const struct swarm_system swarm_flows_system = {
    .name = "flows",
    .on = {[SWARM_CHECK] = check_ports,
           [SWARM_KEEP] = refuse_checkpoint,
           [SWARM_CONNECT] = open_flows,
           [SWARM_ATTACH] = attach_flows},
    .sync = exchange_before_controller,
    .limit_us = limit_to_next_instant,
    .advance_outside = exchange_before_network,
    .serve = exchange_flows,
    .print_summary = print_flows,
    .close = close_flows,
};
