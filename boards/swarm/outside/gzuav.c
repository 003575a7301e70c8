/* SPDX-License-Identifier: Apache-2.0 */
/* Runs gzuav's clients in two phases at each tick, and carries packets of its nodes.
 * program/systems.c lists its system. */
#include "boards/swarm/outside/gzuav.h"

#include "boards/swarm/core/listener.h"
#include "boards/swarm/core/participants.h"
#include "boards/swarm/core/trace.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/outside/channel.h"
#include "boards/swarm/processes/patience.h"
#include "boards/swarm/processes/processes.h"
#include "boards/swarm/radio/network.h"
#include "fleet/gzuav.h"
#include "math/geodesic.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CLIENTS_MAX 256u
#define SERVE_MS    1   /* wait for the close of a node's connection [ms] */
#define TAKE_S      5.0 /* time after which a client that reads nothing is disconnected [s] */
#define BYTES_MAX   (MF_GZUAV_HEADER + SWARM_NETWORK_BYTES_MAX) /* largest packet */
#define READS_MAX   64u /* reads from one node in a row; further bytes wait */
/* Longest wait for the nodes of programs that have ended [s, wall]: a program closes its
 * connections one after the other. */
#define CLOSES_S 0.5

enum kind {
    PHASE0, /* kinds are in the order in which they run */
    PHASE1,
    NODE,
};

static const char *const k_kind[] = {"subscriber of phase 0", "subscriber of phase 1", "node"};

struct client {
    int fd; /* < 0: free place */
    enum kind kind;
    double came_s;       /* wall time of the connection [s] */
    uint32_t number;     /* a node's member; else the running number of the subscriber */
    bool asked;          /* time waits for a byte of the client */
    bool served;         /* the client has ended a phase before */
    bool closed;         /* the client has closed its connection, and leaves when the tick ends */
    size_t have, before; /* number of bytes: now; when time began to wait */
    uint8_t *bytes;      /* node: [BYTES_MAX + 1], a packet and the acknowledging byte */
};

struct swarm_gzuav {
    struct mf_door listener, relay; /* closed if the scenario does not listen */
    uint32_t come;
    bool failed;
    bool begun; /* time has begun */
    int phase;  /* phase that runs; < 0: none */
    mf_us_t at_us;
    double time_s; /* at_us as subscribers receive it [s] */
    double origin[3];
    struct mf_timer timer;
    struct client client[CLIENTS_MAX];
    uint8_t (*bytes)[BYTES_MAX + 1u]; /* [CLIENTS_MAX], buffers of nodes; untouched until a node
                                       * uses them */
};

static struct swarm_gzuav *gzuav_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_GZUAV];
}

static uint64_t now_ns(const struct swarm_gzuav *g)
{
    return (uint64_t)g->at_us * 1000u;
}

/* ---- clients */

/* Add the client's line to the table that is printed at the end of the run. */
static void list_client(struct swarm *w, const struct client *c, const char *how)
{
    char name[48];
    (void)snprintf(name, sizeof name, "%s %u", k_kind[c->kind], (unsigned)c->number);
    swarm_participants_add(w, &(struct swarm_participant){"gzuav", name, gzuav_of(w)->at_us,
                                                          swarm_wall_s() - c->came_s, how});
}

static void disconnect_client(struct swarm *w, struct client *c, const char *why)
{
    const struct swarm_gzuav *g = gzuav_of(w);
    (void)fprintf(stderr, "mayfly-swarm: gzuav: %s %u left at %.6f s%s%s\n", k_kind[c->kind],
                  (unsigned)c->number, (double)g->at_us / 1e6, why != NULL ? ": it " : "",
                  why != NULL ? why : "");
    swarm_trace(swarm_trace_of(w), now_ns(g), "gzuav: %s left", k_kind[c->kind]);
    list_client(w, c, why != NULL ? why : "left");
    (void)close(c->fd);
    *c = (struct client){.fd = -1};
}

/* Send bytes to a client; disconnect it if it reads nothing for TAKE_S. A client that is gone is
 * disconnected when the run reads from it: at the same place in each run.
 * @return false: the client is gone */
static bool send_bytes(struct swarm *w, struct client *c, const void *bytes, size_t n)
{
    const uint8_t *at = bytes;
    const double until_s = swarm_wall_s() + TAKE_S;
    while (c->fd >= 0 && !c->closed && n > 0) {
        struct pollfd poll_fd = {c->fd, POLLOUT, 0};
        const ssize_t sent = send(c->fd, at, n, MSG_NOSIGNAL | MSG_DONTWAIT);
        const size_t gone = sent > 0 ? (size_t)sent : 0;
        at += gone;
        n -= gone;
        w->hold.sent += gone;
        if (sent < 0 && errno != EAGAIN && errno != EINTR) {
            return false;
        }
        if (sent < 0 && swarm_wall_s() > until_s) {
            disconnect_client(w, c, "does not read its frames");
        } else if (sent < 0) {
            (void)poll(&poll_fd, 1, swarm_patience_wait_ms(w));
            swarm_patience_serve_programs(w);
        }
    }
    return c->fd >= 0 && !c->closed;
}

static void remove_closed_client(struct swarm *w, struct client *c)
{
    disconnect_client(w, c, c->have > 0 ? "ends within a frame" : NULL);
}

/* Read from a client. A client that has closed its connection leaves when the tick ends, or at
 * once before time 0.
 * @return number of bytes; 0: none yet; < 0: the connection is closed */
static ssize_t receive_bytes(struct swarm *w, struct client *c, void *bytes, size_t most)
{
    const ssize_t n = recv(c->fd, bytes, most, MSG_DONTWAIT);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
        if (gzuav_of(w)->begun) {
            c->closed = true;
            c->asked = false;
        } else {
            remove_closed_client(w, c);
        }
        return -1;
    }
    return n > 0 ? n : 0;
}

/* Read the byte by which a subscriber ends its part of a phase. */
static void read_done(struct swarm *w, struct client *c)
{
    uint8_t bytes[2];
    const ssize_t n = receive_bytes(w, c, bytes, sizeof bytes);
    if (n > 0 && (n > 1 || !c->asked)) { /* before time 0 no byte is due */
        disconnect_client(w, c, "reports that it is done without a request");
    } else if (n > 0) {
        c->asked = false;
        c->served = true;
    }
}

/* ---- nodes and their packets */

static struct client *find_node(struct swarm_gzuav *g, uint32_t member)
{
    for (uint32_t i = 0; i < CLIENTS_MAX; i++) {
        if (g->client[i].fd >= 0 && g->client[i].kind == NODE && g->client[i].number == member) {
            return &g->client[i];
        }
    }
    return NULL;
}

static void remove_bytes(struct client *c, size_t at, size_t n)
{
    c->have -= n;
    memmove(c->bytes + at, c->bytes + at + n, c->have - at);
}

/* Send a node's packet into the network if it is complete.
 * @return false: incomplete, or the node is disconnected */
static bool send_packet_of_node(struct swarm *w, struct client *c)
{
    int32_t to = 0;
    char text[SWARM_TRACE_BYTES_MAX];
    if (c->have < MF_GZUAV_HEADER) {
        return false;
    }
    const uint32_t size = mf_gzuav_header(c->bytes, &to);
    if (size > SWARM_NETWORK_BYTES_MAX) {
        disconnect_client(w, c, "sends a packet whose length is not 4 to 65004");
        return false;
    }
    if (c->have < MF_GZUAV_HEADER + size) {
        return false;
    }
    const uint8_t *bytes = c->bytes + MF_GZUAV_HEADER;
    swarm_trace_bytes(bytes, size, text);
    swarm_trace(swarm_trace_of(w), now_ns(gzuav_of(w)), "packet of %u to %d: %s",
                (unsigned)c->number, (int)to, text);
    const struct swarm_departure packet = {SWARM_PACKET,
                                           SWARM_NETWORK_ANY,
                                           c->number,
                                           to < 0 ? SWARM_NETWORK_ALL : (uint32_t)to,
                                           bytes,
                                           size,
                                           gzuav_of(w)->at_us};
    if (swarm_network_send(w, &packet) != MF_E_OK) {
        disconnect_client(w, c, "sends a packet to a member that does not exist");
        return false;
    }
    remove_bytes(c, 0, MF_GZUAV_HEADER + size);
    return send_bytes(w, c, "!", 1);
}

static size_t get_room(const struct client *c)
{
    return (c->asked ? BYTES_MAX + 1u : BYTES_MAX) - c->have;
}

/* Read once from a node. @return false: stop reading it; it may be disconnected */
static bool read_node_once(struct swarm *w, struct client *c)
{
    const ssize_t n = get_room(c) > 0 ? receive_bytes(w, c, c->bytes + c->have, get_room(c)) : 0;
    if (n <= 0) {
        return false;
    }
    c->have += (size_t)n;
    if (c->asked && c->have > c->before) { /* the byte that acknowledges a delivered packet */
        c->asked = false;
        remove_bytes(c, c->before, 1);
        return false;
    }
    while (gzuav_of(w)->phase == 0 && send_packet_of_node(w, c)) {
    }
    return c->fd >= 0 && !c->closed;
}

static void read_node(struct swarm *w, struct client *c)
{
    for (uint32_t k = 0; k < READS_MAX && read_node_once(w, c); k++) {
    }
}

/* ---- new connections */

static size_t phase_length(const uint8_t *bytes, size_t n)
{
    (void)bytes, (void)n;
    return 1;
}

static size_t number_length(const uint8_t *bytes, size_t n)
{
    (void)bytes, (void)n;
    return MF_GZUAV_ID;
}

static void print_line(void *ctx, const char *text)
{
    (void)ctx;
    (void)fprintf(stderr, "mayfly-swarm: gzuav: %s\n", text);
}

/* Close a new connection, and print a line. @param who  k_kind, or "subscriber" */
static enum mf_door_verdict refuse_connection(struct swarm *w, struct mf_door *door, int fd,
                                              const char *who, uint32_t number, const char *why)
{
    char line[128];
    (void)snprintf(line, sizeof line, "%s %u left at %.6f s: it %s", who, (unsigned)number,
                   (double)gzuav_of(w)->at_us / 1e6, why);
    mf_door_print(door, line);
    (void)close(fd);
    return MF_DOOR_TAKEN;
}

/* Use a free place for a client. @return NULL: no place is free */
static struct client *add_client(struct swarm_gzuav *g, int fd, enum kind kind, uint32_t number)
{
    uint32_t i = 0;
    while (i < CLIENTS_MAX && g->client[i].fd >= 0) {
        i++;
    }
    if (i == CLIENTS_MAX) {
        return NULL;
    }
    g->client[i] = (struct client){
        .fd = fd, .kind = kind, .number = number, .came_s = swarm_wall_s(), .bytes = g->bytes[i]};
    return &g->client[i];
}

static const char k_full[] = "connects when all 256 places are taken";

/* Read the byte with a new subscriber's phase. */
static enum mf_door_verdict enter_subscriber(void *ctx, int fd)
{
    struct swarm *w = ctx;
    struct swarm_gzuav *g = gzuav_of(w);
    const uint32_t number = g->come++;
    uint8_t phase = UINT8_MAX;
    (void)recv(fd, &phase, 1, MSG_DONTWAIT);
    if (phase > 1) {
        return refuse_connection(w, &g->listener, fd, "subscriber", number,
                                 "names a phase that is neither 0 nor 1");
    }
    const enum kind kind = phase == 0 ? PHASE0 : PHASE1;
    if (add_client(g, fd, kind, number) == NULL) {
        return refuse_connection(w, &g->listener, fd, k_kind[kind], number, k_full);
    }
    swarm_trace(swarm_trace_of(w), now_ns(g), "gzuav: %s came", k_kind[kind]);
    return MF_DOOR_TAKEN;
}

static bool has_hung_up(int fd)
{
    struct pollfd one = {fd, POLLRDHUP, 0};
    return poll(&one, 1, 0) > 0;
}

static enum mf_door_verdict enter_node(void *ctx, int fd)
{
    struct swarm *w = ctx;
    struct swarm_gzuav *g = gzuav_of(w);
    uint8_t bytes[MF_GZUAV_ID] = {0};
    (void)recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
    const uint32_t number = mf_gzuav_id(bytes);
    struct client *before = find_node(g, number);
    if (before != NULL && has_hung_up(before->fd)) { /* the node has connected again */
        disconnect_client(w, before, NULL);
        before = NULL;
    }
    const char *why = number >= w->scenario->members
                          ? "gives the number of a member that does not exist"
                      : before != NULL ? "gives the number of a node that has joined already"
                      : add_client(g, fd, NODE, number) == NULL ? k_full
                                                                : NULL;
    return why != NULL ? refuse_connection(w, &g->relay, fd, k_kind[NODE], number, why)
                       : MF_DOOR_TAKEN;
}

static const struct mf_door_ops k_subscribers = {phase_length, enter_subscriber, print_line};
static const struct mf_door_ops k_nodes = {number_length, enter_node, print_line};

/* ---- barriers */

static void read_client(struct swarm *w, struct client *c)
{
    static void (*const k_read[])(struct swarm * w, struct client * c) = {
        [PHASE0] = read_done,
        [PHASE1] = read_done,
        [NODE] = read_node,
    };
    k_read[c->kind](w, c);
}

/* Find the first client that time waits for. @param nodes  among nodes only @return NULL: none */
static const struct client *find_first_asked(const struct swarm_gzuav *g, bool nodes)
{
    for (uint32_t i = 0; i < CLIENTS_MAX; i++) {
        if (g->client[i].fd >= 0 && g->client[i].asked && (!nodes || g->client[i].kind == NODE)) {
            return &g->client[i];
        }
    }
    return NULL;
}

/* True if a client may be read now. A run must not depend on the clients' speed, so each is read
 * at one place of a tick: nodes in phase 0, others when their byte is due. Before time 0
 * subscribers are read, so that a lost one does not count. */
static bool is_readable(const struct swarm_gzuav *g, const struct client *c, bool nodes)
{
    if (c->fd < 0 || c->closed || (nodes && c->kind != NODE)) {
        return false;
    }
    if (!g->begun) {
        return c->kind != NODE;
    }
    return c->asked || (c->kind == NODE && g->phase == 0 && get_room(c) > 0);
}

/* Read clients, and accept new ones where they may join.
 * @param nodes  read nodes only
 * @return true if anything arrived */
static bool serve_clients(struct swarm *w, int wait_ms, bool nodes)
{
    struct swarm_gzuav *g = gzuav_of(w);
    struct pollfd all[CLIENTS_MAX + 2u * MF_DOOR_POLL_MAX];
    struct client *of[CLIENTS_MAX];
    nfds_t n = 0;
    for (uint32_t i = 0; i < CLIENTS_MAX; i++) {
        if (is_readable(g, &g->client[i], nodes)) {
            of[n] = &g->client[i];
            all[n++] = (struct pollfd){g->client[i].fd, POLLIN, 0};
        }
    }
    const nfds_t clients = n;
    /* subscribers join between ticks; nodes in phase 0, too, in which their programs connect */
    struct mf_door *const door[] = {&g->relay, &g->listener};
    const size_t doors = g->phase < 0 ? 2 : g->phase == 0 ? 1 : 0;
    for (size_t k = 0; k < doors; k++) {
        n += mf_door_poll(door[k], all + n);
        wait_ms = mf_door_wait_ms(door[k], wait_ms);
    }
    const bool any = (n > 0 || wait_ms > 0) && poll(all, n, wait_ms) > 0;
    for (nfds_t i = 0; i < clients; i++) {
        if (any && all[i].revents != 0 && of[i]->fd >= 0) {
            read_client(w, of[i]);
        }
    }
    for (size_t k = 0; k < doors; k++) {
        if (any || door[k]->count > 0) {
            mf_door_look(door[k]);
        }
    }
    return any;
}

/* Accept new clients, between ticks. */
static void accept_clients(struct swarm *w)
{
    swarm_trace_hold(swarm_trace_of(w));
    (void)serve_clients(w, 0, false);
    swarm_trace_release(swarm_trace_of(w));
}

/* Check the scenario's patience with a silent client.
 * @return false: the run is stopped, and an error is set */
static bool is_patient_with_client(struct swarm *w, struct client *c, struct swarm_patience *p)
{
    struct swarm_gzuav *g = gzuav_of(w);
    const struct mf_scenario_gzuav *s = &w->scenario->gzuav;
    char who[96];
    (void)snprintf(who, sizeof who, "%s %u%s", k_kind[c->kind], (unsigned)c->number,
                   w->hold.serve != NULL ? ", which must not sleep on clock: virtual," : "");
    const enum swarm_patience_verdict verdict =
        swarm_patience_check(w, p,
                             &(struct swarm_patience_rule){.key = "gzuav",
                                                           .line = s->line,
                                                           .patience_s = s->patience_s,
                                                           .silent = s->silent,
                                                           .who = who,
                                                           .at_us = g->at_us});
    if (verdict == SWARM_PATIENCE_DROPS) {
        disconnect_client(w, c, "was silent for too long");
    }
    g->failed = g->failed || verdict == SWARM_PATIENCE_STOPS;
    return verdict != SWARM_PATIENCE_STOPS;
}

/* Wait until all clients have sent the byte that is due; vehicles serve their clients meanwhile.
 * @param nodes  wait for nodes only
 * @return false: the run is stopped */
static bool wait_for_all(struct swarm *w, bool nodes)
{
    struct swarm_gzuav *g = gzuav_of(w);
    struct swarm_patience patience = {0};
    for (const struct client *c = find_first_asked(g, nodes); c != NULL;
         c = find_first_asked(g, nodes)) {
        (void)serve_clients(w, swarm_patience_wait_ms(w), nodes);
        swarm_patience_serve(w);
        if (*w->hold.stop || (find_first_asked(g, nodes) == c &&
                              !is_patient_with_client(w, &g->client[c - g->client], &patience))) {
            return false;
        }
        if (find_first_asked(g, nodes) != c) {
            swarm_patience_end(w, &patience);
        }
    }
    return true;
}

/* ---- ticks */

static void send_phase(struct swarm *w, enum kind kind, const uint8_t *bytes, size_t n)
{
    for (uint32_t i = 0; i < CLIENTS_MAX; i++) {
        struct client *c = &gzuav_of(w)->client[i];
        uint8_t early;
        if (c->fd < 0 || c->kind != kind) {
            continue;
        }
        if (recv(c->fd, &early, 1, MSG_PEEK | MSG_DONTWAIT) > 0) {
            disconnect_client(w, c, "reports that it is done without a request");
            continue;
        }
        (void)send_bytes(w, c, bytes, n);
        c->asked = c->fd >= 0;
    }
}

static void put_place(struct swarm *w, uint32_t i, uint8_t *out)
{
    const double *origin = gzuav_of(w)->origin;
    double ne_m[2], enu_m[3];
    if (swarm_channel_get_place(w, i, enu_m)) {
        mf_gzuav_place(out, i, enu_m);
        return;
    }
    const struct mf_pose pose = swarm_pose(w, i, gzuav_of(w)->at_us);
    mf_geo_to_local((struct mf_geo){origin[0], origin[1]},
                    (struct mf_geo){pose.lat_deg, pose.lon_deg}, ne_m);
    mf_gzuav_place(out, i, (const double[3]){ne_m[1], ne_m[0], pose.alt_amsl_m - origin[2]});
}

/* True if a client has ended with its program. A subscriber that only comes and goes was never a
 * program: the run does not wait for its node. */
static bool has_ended(const struct client *c)
{
    return c->closed && (c->kind == NODE || c->served);
}

/* Number of clients of a kind. @param ended  count only those that have ended */
static uint32_t count_clients(const struct swarm_gzuav *g, enum kind kind, bool ended)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < CLIENTS_MAX; i++) {
        const struct client *c = &g->client[i];
        n += c->fd >= 0 && c->kind == kind && (has_ended(c) || !ended) ? 1u : 0u;
    }
    return n;
}

/* Read the packets that nodes sent before the last subscriber ended the phase. If the program of a
 * subscriber has ended, wait for the close of its node, too: both then leave in one tick,
 * whichever the run notices first. */
static void read_rest(struct swarm *w)
{
    const struct swarm_gzuav *g = gzuav_of(w);
    const double until_s = swarm_wall_s() + CLOSES_S;
    for (uint32_t k = 0; k < READS_MAX && serve_clients(w, 0, true); k++) {
    }
    while (count_clients(g, NODE, true) < count_clients(g, NODE, false) &&
           count_clients(g, NODE, true) < count_clients(g, PHASE0, true) && !*w->hold.stop &&
           swarm_wall_s() < until_s) {
        (void)serve_clients(w, SERVE_MS, true);
    }
}

static bool run_phase0(struct swarm *w)
{
    struct swarm_gzuav *g = gzuav_of(w);
    uint8_t bytes[MF_GZUAV_TIME];
    mf_gzuav_time(bytes, g->time_s);
    g->phase = 0;
    swarm_trace(swarm_trace_of(w), now_ns(g), "gzuav: phase 0 begins");
    swarm_trace_hold(swarm_trace_of(w));
    send_phase(w, PHASE0, bytes, sizeof bytes);
    for (uint32_t i = 0; i < CLIENTS_MAX; i++) { /* packets that nodes sent behind an acknowledging
                                                  * byte */
        struct client *c = &g->client[i];
        while (c->fd >= 0 && c->kind == NODE && send_packet_of_node(w, c)) {
        }
    }
    const bool all = wait_for_all(w, false);
    read_rest(w);
    swarm_trace_release(swarm_trace_of(w));
    swarm_trace(swarm_trace_of(w), now_ns(g), "gzuav: phase 0 ends");
    return all;
}

/* Deliver arrived packets to their nodes, one at a time. @return false: the run is stopped */
static bool deliver_packets(struct swarm *w)
{
    struct swarm_arrival a;
    while (swarm_network_next_arrival(w, gzuav_of(w)->at_us, &a)) {
        struct client *c = find_node(gzuav_of(w), a.receiver);
        uint8_t header[MF_GZUAV_HEADER];
        swarm_trace(swarm_trace_of(w), a.ns, "packet %u of %u is at %u%s", (unsigned)a.number,
                    (unsigned)a.sender, (unsigned)a.receiver, c == NULL ? ", nobody" : "");
        if (c == NULL) {
            continue;
        }
        mf_gzuav_packet(header, a.size, a.sender);
        c->before = c->have;
        if (send_bytes(w, c, header, sizeof header) && send_bytes(w, c, a.bytes, a.size)) {
            swarm_trace_carry(swarm_trace_of(w), now_ns(gzuav_of(w)), true, a.bytes, a.size,
                              "gzuav: bytes came to node %u", (unsigned)a.receiver);
        }
        c->asked = c->fd >= 0 && !c->closed;
        if (!wait_for_all(w, true)) {
            return false;
        }
    }
    return true;
}

static bool run_phase1(struct swarm *w)
{
    struct swarm_gzuav *g = gzuav_of(w);
    const uint32_t members = w->scenario->members;
    const size_t n = MF_GZUAV_TIME + MF_GZUAV_COUNT + (size_t)members * MF_GZUAV_PLACE;
    uint8_t *bytes = malloc(n), *at = bytes;
    if (bytes == NULL) {
        g->failed = true;
        (void)swarm_refuse(w, w->scenario->gzuav.line, "gzuav: no memory");
        return false;
    }
    mf_gzuav_time(at, g->time_s);
    at += MF_GZUAV_TIME;
    mf_gzuav_count(at, members);
    at += MF_GZUAV_COUNT;
    const bool wanted = count_clients(g, PHASE1, false) > 0; /* else no positions are needed */
    for (uint32_t i = 0; i < members && wanted; i++, at += MF_GZUAV_PLACE) {
        put_place(w, i, at);
    }
    g->phase = 1;
    swarm_trace(swarm_trace_of(w), now_ns(g), "gzuav: phase 1 begins");
    swarm_trace_carry(wanted ? swarm_trace_of(w) : NULL, now_ns(g), true, bytes, n,
                      "gzuav: places came to subscribers");
    send_phase(w, PHASE1, bytes, n);
    free(bytes);
    const bool all = deliver_packets(w) && wait_for_all(w, false);
    swarm_trace(swarm_trace_of(w), now_ns(g), "gzuav: phase 1 ends");
    return all;
}

/* Disconnect the clients that have closed their connections in this tick. */
static void remove_closed_clients(struct swarm *w)
{
    struct swarm_gzuav *g = gzuav_of(w);
    swarm_trace_hold(swarm_trace_of(w));
    for (uint32_t i = 0; i < CLIENTS_MAX; i++) {
        if (g->client[i].fd >= 0 && g->client[i].closed) {
            remove_closed_client(w, &g->client[i]);
        }
    }
    swarm_trace_release(swarm_trace_of(w));
}

/* Set the timer of the next tick to the time that Gazebo's plugins send. */
static void set_next_tick(struct swarm *w)
{
    const mf_us_t at_us = swarm_channel_wait_tick(w);
    if (at_us != MF_NEVER) {
        const int result = mf_timer_set(&w->engine, &gzuav_of(w)->timer, at_us, 0);
        MF_ASSERT(result == MF_E_OK); /* SWARM_TIMERS counts this timer, and its time is later */
    }
}

static void run_tick(void *ctx, uint32_t id, mf_us_t at_us)
{
    struct swarm *w = ctx;
    struct swarm_gzuav *g = gzuav_of(w);
    const bool channel = swarm_has_channel(w);
    (void)id;
    g->at_us = at_us;
    g->time_s = channel ? swarm_channel_begin(w) : (double)at_us / 1e6;
    accept_clients(w);
    const bool all = run_phase0(w) && (!channel || swarm_channel_end(w)) && run_phase1(w);
    g->phase = -1;
    remove_closed_clients(w);
    if (channel && all) {
        set_next_tick(w);
    } else if (!channel && isinf(w->scenario->time.end_s) &&
               count_clients(g, PHASE0, false) + count_clients(g, PHASE1, false) == 0) {
        mf_timer_cancel(&w->engine, &g->timer); /* the run ends with the last other timer */
    }
}

/* ---- begin and end */

static int open_listener(struct swarm *w, const char *key, const char *where, struct mf_door *door,
                         const struct mf_door_ops *ops)
{
    static const char k_unsafe[] = "other machines reach it, and its protocol has no token: listen "
                                   "at 127.0.0.1, and let ssh forward the port";
    const struct swarm_listener at = {key, w->scenario->gzuav.line, where, k_unsafe};
    const int fd = where[0] != '\0' ? swarm_listen(w, &at) : -1;
    mf_door_open(door, fd, ops, w);
    return fd >= 0 || where[0] == '\0' ? SWARM_OK : SWARM_INPUT;
}

static int open_gzuav(struct swarm *w)
{
    const struct mf_scenario_gzuav *s = &w->scenario->gzuav;
    if (s->listen[0] == '\0' && !swarm_has_channel(w)) {
        return s->relay[0] == '\0' ? SWARM_OK
                                   : swarm_refuse(w, s->line, "gzuav: relay needs listen, too");
    }
    w->state[SWARM_SLOT_GZUAV] = calloc(1, sizeof *gzuav_of(w));
    if (gzuav_of(w) == NULL) {
        return swarm_refuse(w, s->line, "gzuav: no memory");
    }
    struct swarm_gzuav *g = gzuav_of(w);
    g->bytes = calloc(CLIENTS_MAX, sizeof *g->bytes);
    if (g->bytes == NULL) {
        return swarm_refuse(w, s->line, "gzuav: no memory");
    }
    g->phase = -1;
    g->listener.listener = g->relay.listener = -1;
    memcpy(g->origin, isnan(s->origin[0]) ? w->scenario->origin : s->origin, sizeof g->origin);
    for (uint32_t i = 0; i < CLIENTS_MAX; i++) {
        g->client[i].fd = -1;
    }
    const int result = open_listener(w, "gzuav.listen", s->listen, &g->listener, &k_subscribers);
    return result == SWARM_OK ? open_listener(w, "gzuav.relay", s->relay, &g->relay, &k_nodes)
                              : result;
}

static bool is_node(const struct swarm *w, uint32_t member)
{
    return find_node(gzuav_of(w), member) != NULL;
}

static int begin_gzuav(struct swarm *w)
{
    struct swarm_gzuav *g = gzuav_of(w);
    if (g == NULL) {
        return SWARM_OK;
    }
    const struct mf_scenario_gzuav *s = &w->scenario->gzuav;
    const uint32_t wanted[] = {
        [PHASE0] = (uint32_t)s->expect[0],
        [PHASE1] = (uint32_t)s->expect[1],
        [NODE] = (uint32_t)s->expect[2],
    };
    const double tick_s = s->tick_s > 0.0 ? s->tick_s : MF_SCENARIO_GZUAV_TICK_S;
    const mf_us_t period_us = mf_us_of(tick_s);
    mf_timer_init(&g->timer, MF_PHASE_CONTROL, UINT32_MAX - 1u, run_tick, w);
    swarm_network_keep(w, is_node);
    if (!swarm_has_channel(w)) {
        const int result = mf_timer_set(&w->engine, &g->timer, period_us, period_us);
        MF_ASSERT(result == MF_E_OK); /* SWARM_TIMERS counts this timer */
    }
    if (wanted[PHASE0] + wanted[PHASE1] + wanted[NODE] > 0) {
        (void)fprintf(stderr,
                      "mayfly-swarm: gzuav: time 0 waits for %u + %u subscribers and %u nodes\n",
                      (unsigned)wanted[PHASE0], (unsigned)wanted[PHASE1], (unsigned)wanted[NODE]);
    }
    swarm_trace_hold(swarm_trace_of(w));
    while ((count_clients(g, PHASE0, false) < wanted[PHASE0] ||
            count_clients(g, PHASE1, false) < wanted[PHASE1] ||
            count_clients(g, NODE, false) < wanted[NODE]) &&
           !*w->hold.stop) {
        (void)serve_clients(w, swarm_patience_wait_ms(w), false);
        swarm_patience_serve_programs(w);
        if (swarm_processes_has_failed(w)) {
            return SWARM_INPUT;
        }
    }
    swarm_trace_release(swarm_trace_of(w));
    g->begun = true;
    /* autopilots send motors before the first tick */
    if (swarm_has_channel(w) && !*w->hold.stop && swarm_channel_end(w)) {
        set_next_tick(w);
    }
    return SWARM_OK;
}

static bool has_gzuav_failed(const struct swarm *w)
{
    return gzuav_of(w) != NULL && gzuav_of(w)->failed;
}

static void close_gzuav(struct swarm *w, int code)
{
    (void)code;
    struct swarm_gzuav *g = gzuav_of(w);
    if (g == NULL) {
        return;
    }
    for (uint32_t i = 0; i < CLIENTS_MAX; i++) {
        if (g->client[i].fd >= 0) {
            list_client(w, &g->client[i], "stayed");
            (void)close(g->client[i].fd);
        }
    }
    struct mf_door *const doors[] = {&g->listener, &g->relay};
    for (size_t k = 0; k < 2; k++) {
        const int fd = doors[k]->listener;
        mf_door_close(doors[k]);
        (void)(fd >= 0 && close(fd));
    }
    free(g->bytes);
    free(g);
    w->state[SWARM_SLOT_GZUAV] = NULL;
}

static int check_listeners(struct swarm *w)
{
    const struct mf_scenario_gzuav *s = &w->scenario->gzuav;
    const int result =
        swarm_listen_check(w, &(struct swarm_listener){"gzuav.listen", s->line, s->listen, NULL});
    return result != SWARM_OK ? result
                              : swarm_listen_check(w, &(struct swarm_listener){
                                                          "gzuav.relay", s->line, s->relay, NULL});
}

const struct swarm_system swarm_gzuav_system = {
    .name = "gzuav",
    .on = {[SWARM_CHECK] = check_listeners,
           [SWARM_CONNECT] = open_gzuav,
           [SWARM_BEGIN] = begin_gzuav},
    .has_failed = has_gzuav_failed,
    .is_over = swarm_channel_is_over,
    .close = close_gzuav,
};
