/* SPDX-License-Identifier: Apache-2.0 */
/* Connect a network simulator: start the bridge or take one from the bus, and exchange frames with
 * it. network.c and outside/bus.c call it. */
#include "boards/swarm/radio/network_outside.h"

#include "boards/swarm/core/listener.h"
#include "boards/swarm/core/participants.h"
#include "boards/swarm/core/trace.h"
#include "boards/swarm/links/links.h"
#include "boards/swarm/members/members.h"
#include "fleet/bus_frames.h"
#include "fleet/scenario_networks.h"
#include "hal-posix/endpoint.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define WAIT_MS     50 /* longest poll, so that a signal ends a wait */
#define ENDS_MS     10 /* interval of polls for the bridge's exit code after a failure */
#define ENDS_ROUNDS 50
#define SEND_BYTES  16u
#define BRIDGE      "ns3-bridge"
#define BRIDGE_FD   3

struct swarm_outside {
    const struct swarm_outside_ops *ops;
    int fd;        /* connection to the simulator; < 0: not connected */
    pid_t pid;     /* the bridge's process; 0: the simulator joins by the bus */
    double came_s; /* wall time at which the network was opened [s] */
    bool failed, busy;
    uint32_t tick;
    uint64_t now_ns;               /* present time of the network [ns] */
    mf_us_t now_us;                /* present time of the network, rounded up */
    struct mf_bus_written written; /* bytes written to links of flows */
    mf_us_t placed_us;             /* time of the places sent last; < 0: not sent */
    struct mf_bus_reader reader;
    struct mf_bus_writer frame, sends;
    uint8_t part[MF_BUS_FRAME_MAX]; /* parts of a client's datagram that have come */
    size_t part_n;
};

static struct swarm_outside *outside_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_OUTSIDE];
}

/* First network of the simulator; tick, patience and program of all are those of the first. */
static const struct mf_scenario_network *get_first_network(const struct swarm *w)
{
    const struct mf_scenario_network *s = mf_scenario_network_outside(w->scenario);
    MF_ASSERT(s != NULL);
    return s;
}

static bool is_network_outside(const struct swarm *w, uint32_t k)
{
    return k < w->scenario->networks && w->scenario->network[k].kind != MF_NETWORK_BUILTIN;
}

__attribute__((format(printf, 2, 3))) static int simulator_error(struct swarm *w,
                                                                 const char *format, ...)
{
    char gone[64] = "", what[160];
    struct swarm_outside *o = outside_of(w);
    int status = 0;
    pid_t ended = 0;
    for (int i = 0; i < ENDS_ROUNDS && o->pid > 0 && ended == 0; i++) {
        ended = waitpid(o->pid, &status, WNOHANG);
        (void)poll(NULL, 0, ended == 0 ? ENDS_MS : 0);
    }
    if (ended > 0) {
        o->pid = 0;
        (void)snprintf(gone, sizeof gone, ": %s ended with %s %d", BRIDGE,
                       WIFEXITED(status) ? "code" : "signal",
                       WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    }
    o->failed = true;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return swarm_refuse(w, get_first_network(w)->line, "network: %s at %.6f s%s", what,
                        (double)o->now_us / 1e6, gone);
}

/* ---- frames */

static struct mf_bus_writer *begin_frame(struct swarm_outside *o, struct mf_bus_writer *f,
                                         enum mf_bus_type type, mf_us_t at_us)
{
    mf_bus_begin(f, type, o->tick, (uint64_t)at_us * 1000u);
    return f;
}

static double deadline_s(const struct swarm *w)
{
    const double patience_s = get_first_network(w)->patience_s;
    return patience_s > 0.0 ? swarm_wall_s() + patience_s : 1e18;
}

static int send_frame(struct swarm *w, struct mf_bus_writer *f)
{
    const struct swarm_outside *o = outside_of(w);
    const double until_s = deadline_s(w);
    mf_bus_end(f);
    for (size_t at = 0; at < f->n;) {
        struct pollfd poll_fd = {o->fd, POLLOUT, 0};
        const ssize_t n = send(o->fd, f->bytes + at, f->n - at, MSG_NOSIGNAL | MSG_DONTWAIT);
        at += n > 0 ? (size_t)n : 0;
        if (n >= 0) {
            continue;
        }
        if ((errno != EAGAIN && errno != EINTR) || swarm_wall_s() > until_s || *w->hold.stop) {
            return simulator_error(w, "the simulator does not read its frames");
        }
        (void)poll(&poll_fd, 1, WAIT_MS);
    }
    return SWARM_OK;
}

/* Receive the simulator's next frame. @return SWARM_OK, or SWARM_INPUT with an error set */
static int receive_frame(struct swarm *w, struct mf_bus_frame *frame)
{
    struct swarm_outside *o = outside_of(w);
    const double until_s = deadline_s(w);
    const char *why = NULL;
    int result = mf_bus_next(&o->reader, 0, frame, &why);
    while (result == MF_E_AGAIN) {
        size_t room;
        uint8_t *at = mf_bus_room(&o->reader, &room);
        struct pollfd poll_fd = {o->fd, POLLIN, 0};
        ssize_t n = recv(o->fd, at, room, MSG_DONTWAIT);
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
            return simulator_error(w, "the simulator has disconnected");
        }
        if (n < 0 && (swarm_wall_s() > until_s || *w->hold.stop)) {
            return simulator_error(
                w, "the simulator does not answer: raise network.patience if it is slow");
        }
        if (n < 0) {
            (void)poll(&poll_fd, 1, WAIT_MS);
            n = 0;
        }
        result = mf_bus_next(&o->reader, (size_t)n, frame, &why);
    }
    return result == MF_E_OK ? SWARM_OK : simulator_error(w, "%s", why);
}

/* ---- start of a simulator */

/* Write lines of flows: via, client's port, station, member, address of the vehicle's link. */
static int put_flows(struct swarm *w, struct mf_bus_writer *f, uint32_t k)
{
    const struct mf_scenario *s = w->scenario;
    for (uint32_t i = 0; i < s->flows; i++) {
        const struct mf_scenario_flow *flow = &s->flow[i];
        char address[MF_ADDR_TEXT_MAX], line[160];
        if (flow->network != k) {
            continue;
        }
        if (!swarm_links_get_address(w, flow->to, address)) {
            return swarm_refuse(w, flow->line,
                                "flows: '%s' has no address: give links.address, and let it be a "
                                "vehicle",
                                flow->vehicle);
        }
        (void)snprintf(line, sizeof line, "flow=%s,%u,%u,%u,%s\n",
                       flow->via == MF_SCENARIO_VIA_TCP ? "tcp" : "udp", (unsigned)flow->client,
                       (unsigned)flow->from, (unsigned)flow->to, address);
        mf_bus_put_text(f, line, strlen(line), false);
    }
    return SWARM_OK;
}

/* Write the members of a network, "nodes=FROM-TO,..."; nothing if it has all members. */
static void put_nodes(struct swarm *w, struct mf_bus_writer *f, uint32_t k)
{
    const uint32_t members = w->scenario->members;
    char part[40] = "nodes=";
    if (w->scenario->network[k].nodes.count == 0) {
        return;
    }
    for (uint32_t from = 0, to; from < members; from = to) {
        for (to = from; to < members && outside_of(w)->ops->has(w, k, to); to++) {
        }
        if (to > from && mf_bus_fits(f, sizeof part)) {
            (void)snprintf(part + strlen(part), sizeof part - strlen(part), "%u-%u", (unsigned)from,
                           (unsigned)(to - 1u));
            mf_bus_put_text(f, part, strlen(part), false);
            (void)snprintf(part, sizeof part, ",");
        }
        to = to > from ? to : from + 1u;
    }
    mf_bus_put_text(f, "\n", 1, false);
}

/* Write all networks of the simulator; one with a name after a line with its index and name. */
static int put_networks(struct swarm *w, struct mf_bus_writer *f)
{
    const struct mf_scenario *s = w->scenario;
    int result = SWARM_OK;
    for (uint32_t k = 0; k < s->networks && result == SWARM_OK; k++) {
        if (!is_network_outside(w, k)) {
            continue;
        }
        if (s->network[k].name[0] != '\0') {
            char line[MF_SCENARIO_NETWORK_NAME_MAX + 24];
            (void)snprintf(line, sizeof line, "network=%u,%s\n", (unsigned)k, s->network[k].name);
            mf_bus_put_text(f, line, strlen(line), false);
        }
        put_nodes(w, f, k);
        mf_bus_put_params(f, &s->network[k].own);
        result = put_flows(w, f, k);
    }
    return result;
}

static int greet_simulator(struct swarm *w)
{
    const struct mf_scenario_network *s = get_first_network(w);
    struct swarm_outside *o = outside_of(w);
    struct mf_bus_writer *f = begin_frame(o, &o->frame, MF_BUS_WELCOME, 0);
    mf_bus_put_welcome(f, w->scenario, 0, s->tick_s);
    if (send_frame(w, f) != SWARM_OK) {
        return SWARM_INPUT;
    }
    f = begin_frame(o, &o->frame, MF_BUS_NETWORK, 0);
    struct mf_bus_frame frame;
    if (put_networks(w, f) != SWARM_OK || send_frame(w, f) != SWARM_OK ||
        receive_frame(w, &frame) != SWARM_OK) {
        return SWARM_INPUT;
    }
    return frame.type == MF_BUS_DONE ? SWARM_OK : simulator_error(w, "the simulator is not ready");
}

/* Find the program that the scenario names, or the bridge in the folder of this program. */
static int find_bridge(struct swarm *w, char *path, size_t size)
{
    const struct mf_scenario_network *s = get_first_network(w);
    if (s->run[0] != '\0') {
        (void)snprintf(path, size, "%s", s->run);
    } else {
        char self[PATH_MAX];
        const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1u);
        self[n > 0 ? n : 0] = '\0';
        char *slash = strrchr(self, '/');
        if (slash != NULL) {
            *slash = '\0';
        }
        (void)snprintf(path, size, "%s/%s", self, BRIDGE);
    }
    return access(path, X_OK) == 0
               ? SWARM_OK
               : swarm_refuse(w, s->line,
                              "network: there is no program %.200s: 'make ns3' builds it where "
                              "libns3-dev is installed; or name another with network.run",
                              path);
}

/* Check that ports are free at which the bridge will listen for clients of flows. */
static int check_flows(struct swarm *w)
{
    int result = SWARM_OK;
    for (uint32_t k = 0; k < w->scenario->flows && result == SWARM_OK; k++) {
        const struct mf_scenario_flow *flow = &w->scenario->flow[k];
        const bool stream = flow->via == MF_SCENARIO_VIA_TCP;
        if (is_network_outside(w, flow->network)) {
            result = swarm_port_check(w, flow->line, "flows.client", flow->client,
                                      stream ? SOCK_STREAM : SOCK_DGRAM);
        }
    }
    return result;
}

int swarm_outside_check(struct swarm *w)
{
    char path[PATH_MAX + sizeof BRIDGE + 1u];
    const struct mf_scenario_network *s = mf_scenario_network_outside(w->scenario);
    return s != NULL && s->kind == MF_NETWORK_NS3 ? find_bridge(w, path, sizeof path) : SWARM_OK;
}

static int start_bridge(struct swarm *w)
{
    char fd_word[] = "fd:3", name[] = BRIDGE;
    char path[PATH_MAX + sizeof BRIDGE + 1u], *words[] = {name, fd_word, NULL};
    posix_spawn_file_actions_t files;
    int pair[2] = {-1, -1};
    struct mf_bus_frame frame;
    struct mf_bus_hello hello;
    if (find_bridge(w, path, sizeof path) != SWARM_OK || check_flows(w) != SWARM_OK) {
        return SWARM_INPUT;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        return swarm_refuse(w, get_first_network(w)->line, "network: %s", strerror(errno));
    }
    (void)posix_spawn_file_actions_init(&files);
    (void)posix_spawn_file_actions_adddup2(&files, pair[1], BRIDGE_FD);
    if (swarm_trace_of(w) != NULL) {
        (void)setenv("SWARM_TRACE", "1", 1);
    }
    const int error = posix_spawn(&outside_of(w)->pid, path, &files, NULL, words, environ);
    (void)unsetenv("SWARM_TRACE");
    (void)posix_spawn_file_actions_destroy(&files);
    (void)close(pair[1]);
    outside_of(w)->fd = pair[0];
    if (error != 0) {
        return swarm_refuse(w, get_first_network(w)->line, "network: %.200s: %s", path,
                            strerror(error));
    }
    if (receive_frame(w, &frame) != SWARM_OK) {
        return SWARM_INPUT;
    }
    const char *why = mf_bus_hello(&frame, &hello);
    return why == NULL ? greet_simulator(w) : simulator_error(w, "%s", why);
}

bool swarm_has_outside(const struct swarm *w)
{
    return outside_of(w) != NULL;
}

bool swarm_outside_is_connected(const struct swarm *w)
{
    return outside_of(w) != NULL && outside_of(w)->fd >= 0;
}

const char *swarm_outside_join(struct swarm *w, int fd, const struct mf_bus_reader *said)
{
    struct swarm_outside *o = outside_of(w);
    if (o == NULL || o->pid > 0) {
        return "joins as the network, but the scenario has no 'network: {kind: bus}'";
    }
    if (o->fd >= 0) {
        return "joins as the network, but one has joined already";
    }
    o->fd = fd;
    o->reader = *said;
    if (greet_simulator(w) != SWARM_OK) {
        o->failed = true; /* greet_simulator() has set an error */
        o->fd = -1;
        return "is not ready, and the run ends";
    }
    return NULL;
}

int swarm_outside_open(struct swarm *w, const struct swarm_outside_ops *ops)
{
    const struct mf_scenario_network *s = mf_scenario_network_outside(w->scenario);
    if (s == NULL) {
        return SWARM_OK;
    }
    if (s->kind == MF_NETWORK_BUS && w->scenario->bus.listen[0] == '\0') {
        return swarm_refuse(w, s->line, "network: kind bus needs bus.listen");
    }
    w->state[SWARM_SLOT_OUTSIDE] = calloc(1, sizeof *outside_of(w));
    if (outside_of(w) == NULL) {
        return swarm_refuse(w, s->line, "network: no memory");
    }
    outside_of(w)->ops = ops;
    outside_of(w)->came_s = swarm_wall_s();
    outside_of(w)->fd = -1;
    outside_of(w)->placed_us = -1;
    begin_frame(outside_of(w), &outside_of(w)->sends, MF_BUS_SENDS, 0);
    return s->kind == MF_NETWORK_NS3 ? start_bridge(w) : SWARM_OK;
}

/* ---- packets */

/* Line of the trace for a packet: numbers of its network, of its sender, and of its receiver or -1
 * for all. */
#define PACKET_LINE "network %u: packet of %u to %d "

int swarm_outside_send(struct swarm *w, const struct swarm_departure *d, uint32_t way,
                       uint32_t number)
{
    struct swarm_outside *o = outside_of(w);
    struct mf_bus_writer *f = &o->sends;
    if (o->failed || o->fd < 0) {
        return MF_E_OK; /* the run ends with the error that is set */
    }
    if (!mf_bus_fits(f, SEND_BYTES + d->size)) {
        if (send_frame(w, f) != SWARM_OK) {
            return MF_E_OK;
        }
        begin_frame(o, f, MF_BUS_SENDS, o->now_us);
    }
    swarm_trace_carry(swarm_trace_of(w), (uint64_t)d->at_us * 1000u, true, d->bytes, d->size,
                      PACKET_LINE "leaves", (unsigned)way, (unsigned)d->from, (int)d->to);
    mf_bus_put_u(f, d->from, 4);
    mf_bus_put_u(f, d->to, 4);
    mf_bus_put_u(f, number, 4);
    mf_bus_put_u(f, d->size, 2);
    mf_bus_put_u(f, way, 2);
    mf_bus_put_raw(f, d->bytes, d->size);
    return MF_E_OK;
}

bool swarm_outside_has_flows(const struct swarm *w)
{
    bool any = false;
    for (uint32_t i = 0; i < w->scenario->flows; i++) {
        any = any || is_network_outside(w, w->scenario->flow[i].network);
    }
    return any;
}

static int send_places(struct swarm *w)
{
    const uint32_t members = w->scenario->members;
    struct swarm_outside *o = outside_of(w);
    int result = SWARM_OK;
    for (uint32_t from = 0, to; from < members && result == SWARM_OK; from = to) {
        struct mf_bus_writer *f = begin_frame(o, &o->frame, MF_BUS_STATE, o->now_us);
        to = mf_bus_put_states(f, from, members);
        for (uint32_t i = from; i < to; i++) {
            double neu_m[3];
            swarm_place(w, i, o->now_us, neu_m);
            for (size_t k = 0; k < 3; k++) {
                mf_bus_put_f64(f, neu_m[k]);
            }
            for (size_t k = 0; k < 3; k++) { /* only places are sent, so velocities are 0 */
                mf_bus_put_u(f, 0, 8);
            }
        }
        result = send_frame(w, f);
    }
    o->placed_us = o->now_us;
    return result;
}

static int read_arrivals(struct swarm *w, const struct mf_bus_frame *frame)
{
    const struct swarm_outside *o = outside_of(w);
    struct mf_bus_arrival a;
    const char *why = NULL;
    size_t at = 0;
    while (mf_bus_arrival(frame, &at, &a, &why)) {
        if (a.ns < o->now_ns || a.receiver >= w->scenario->members ||
            a.sender >= w->scenario->members || !is_network_outside(w, a.network) ||
            !o->ops->has(w, a.network, a.receiver)) {
            return simulator_error(w,
                                   "the simulator reports a packet for member %u at %.9f s: the "
                                   "time has passed, or the member is not in the network",
                                   (unsigned)a.receiver, (double)a.ns / 1e9);
        }
        swarm_trace_carry(swarm_trace_of(w), a.ns, true, a.bytes, a.n, PACKET_LINE "arrives",
                          (unsigned)a.network, (unsigned)a.sender, (int)a.receiver);
        const int taken = o->ops->arrived(w, &a);
        if (taken != MF_E_OK) {
            return simulator_error(
                w, taken == MF_E_RANGE ? "the simulator reports an event that streams do not have"
                                       : "no memory");
        }
    }
    return why == NULL ? SWARM_OK : simulator_error(w, "%s", why);
}

/* Trace bytes of the client of flow @p k. A datagram that comes in parts has one line. */
static int trace_client(struct swarm *w, uint32_t k, const struct mf_bus_arrival *a)
{
    struct swarm_outside *o = outside_of(w);
    if (a->n > sizeof o->part - o->part_n) {
        return simulator_error(w, "the simulator reports a datagram of a client that is too long");
    }
    memcpy(o->part + o->part_n, a->bytes, a->n);
    o->part_n += a->n;
    if (a->number == 0) {
        swarm_trace_carry(swarm_trace_of(w), a->ns, w->scenario->flow[k].via == MF_SCENARIO_VIA_UDP,
                          o->part, o->part_n, "client of flow %u %s", (unsigned)k + 1u,
                          a->sender != 0 ? "gets" : "sends");
        o->part_n = 0;
    }
    return SWARM_OK;
}

/* Trace what clients of flows have said, and what has arrived for them. @return SWARM_OK,
 * or SWARM_INPUT: the frame is malformed */
static int trace_clients(struct swarm *w, const struct mf_bus_frame *frame)
{
    const struct mf_scenario *s = w->scenario;
    struct mf_bus_arrival a;
    const char *why = NULL;
    size_t at = 0;
    int result = SWARM_OK;
    while (result == SWARM_OK && mf_bus_arrival(frame, &at, &a, &why)) {
        for (uint32_t k = 0; k < s->flows && result == SWARM_OK; k++) {
            result = s->flow[k].client == a.receiver ? trace_client(w, k, &a) : SWARM_OK;
        }
    }
    return result == SWARM_OK && why != NULL ? simulator_error(w, "%s", why) : result;
}

/* Let the simulator run up to @p until_ns, and take its arrivals; o->now_ns is then its time. */
static int run_simulator(struct swarm *w, uint64_t until_ns)
{
    struct swarm_outside *o = outside_of(w);
    struct mf_bus_frame frame = {0};
    struct mf_bus_done done;
    struct mf_bus_writer *f = begin_frame(o, &o->frame, MF_BUS_RUN, o->now_us);
    mf_bus_put_u(f, until_ns, 8);
    int result = send_frame(w, f);
    while (result == SWARM_OK && frame.type != MF_BUS_DONE) {
        result = receive_frame(w, &frame);
        if (result == SWARM_OK && frame.tick != o->tick) {
            result = simulator_error(w, "the simulator answers to tick %u instead of %u",
                                     (unsigned)frame.tick, (unsigned)o->tick);
        } else if (result == SWARM_OK && frame.type == MF_BUS_ARRIVALS) {
            result = read_arrivals(w, &frame);
        } else if (result == SWARM_OK && frame.type == MF_BUS_CLIENTS) {
            result = trace_clients(w, &frame);
        } else if (result == SWARM_OK && frame.type != MF_BUS_DONE) {
            result = simulator_error(
                w, "the simulator sends a frame of type %u instead of ARRIVALS or DONE",
                (unsigned)frame.type);
        }
    }
    const char *why = result == SWARM_OK ? mf_bus_done(&frame, &done) : NULL;
    if (result != SWARM_OK || why != NULL) {
        return why != NULL ? simulator_error(w, "%s", why) : result;
    }
    if (done.until_ns < o->now_ns || done.until_ns > until_ns) {
        return simulator_error(w, "the simulator stands at %.9f s, outside of %.9f .. %.9f s",
                               (double)done.until_ns / 1e9, (double)o->now_ns / 1e9,
                               (double)until_ns / 1e9);
    }
    o->now_ns = done.until_ns;
    return SWARM_OK;
}

mf_us_t swarm_outside_advance(struct swarm *w, mf_us_t until_us)
{
    struct swarm_outside *o = outside_of(w);
    const mf_us_t tick_us = mf_us_of(get_first_network(w)->tick_s);
    if (o->failed || o->fd < 0 || until_us <= o->now_us) {
        return until_us;
    }
    o->tick++;
    const bool stale = o->placed_us < 0 || o->now_us - o->placed_us >= tick_us;
    int result = stale ? send_places(w) : SWARM_OK;
    if (result == SWARM_OK && o->sends.n > MF_BUS_HEADER) {
        result = send_frame(w, &o->sends);
    }
    result = result == SWARM_OK ? run_simulator(w, (uint64_t)until_us * 1000u) : result;
    const uint64_t end_ns = (o->now_ns + 999u) / 1000u * 1000u;
    while (result == SWARM_OK &&
           o->now_ns < end_ns) { /* also everything that arrives within this microsecond */
        result = run_simulator(w, end_ns);
    }
    o->now_us = result == SWARM_OK ? (mf_us_t)(end_ns / 1000u) : until_us;
    begin_frame(o, &o->sends, MF_BUS_SENDS, o->now_us);
    return o->now_us;
}

mf_us_t swarm_outside_now_us(const struct swarm *w)
{
    return outside_of(w)->now_us;
}

uint64_t swarm_outside_sync(struct swarm *w)
{
    struct swarm_outside *o = outside_of(w);
    struct mf_bus_frame frame;
    struct mf_bus_written written = {0};
    if (o->failed || o->fd < 0 ||
        send_frame(w, begin_frame(o, &o->frame, MF_BUS_REACHED, o->now_us)) != 0 ||
        receive_frame(w, &frame) != SWARM_OK) {
        return 0;
    }
    const char *why = frame.type == MF_BUS_WRITTEN
                          ? mf_bus_written(&frame, &written)
                          : "the simulator answers REACHED with a frame other than WRITTEN";
    if (why != NULL) {
        (void)simulator_error(w, "%s", why);
    }
    o->written.vehicles += written.vehicles;
    o->written.clients += written.clients;
    return written.vehicles;
}

struct mf_bus_written swarm_outside_get_written(const struct swarm *w)
{
    return outside_of(w) != NULL ? outside_of(w)->written : (struct mf_bus_written){0};
}

bool swarm_outside_has_failed(const struct swarm *w)
{
    return outside_of(w) != NULL && outside_of(w)->failed;
}

void swarm_outside_close(struct swarm *w, int code)
{
    struct swarm_outside *o = outside_of(w);
    if (o == NULL) {
        return;
    }
    const bool was_here = o->fd >= 0;
    if (o->fd >= 0) {
        struct mf_bus_writer *f = begin_frame(o, &o->frame, MF_BUS_END, o->now_us);
        mf_bus_put_u(f, (uint64_t)code, 4);
        mf_bus_end(f);
        (void)send(o->fd, f->bytes, f->n, MSG_NOSIGNAL | MSG_DONTWAIT);
        (void)close(o->fd);
    }
    int status = 0;
    char how[32];
    if (o->pid > 0) {
        (void)waitpid(o->pid, &status, 0);
    }
    (void)snprintf(how, sizeof how, "%s %d", WIFSIGNALED(status) ? "signal" : "code",
                   WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    if (was_here || o->failed) {
        swarm_participants_add(w,
                               &(struct swarm_participant){"network", o->pid > 0 ? BRIDGE : "bus",
                                                           o->now_us, swarm_wall_s() - o->came_s,
                                                           o->failed    ? "failed"
                                                           : o->pid > 0 ? how
                                                                        : "stayed"});
    }
    free(o);
    w->state[SWARM_SLOT_OUTSIDE] = NULL;
}
