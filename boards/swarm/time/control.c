/* SPDX-License-Identifier: Apache-2.0 */
/* Signals and controllers that hold time. The loop of a run asks for their limit. */
#include "boards/swarm/time/control.h"

#include "boards/swarm/ghosts/ghosts.h"
#include "boards/swarm/links/links.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/outside/foreigns.h"
#include "boards/swarm/processes/processes.h"
#include "boards/swarm/radio/flows.h"
#include "boards/swarm/radio/network.h"
#include "boards/swarm/radio/sockets.h"
#include "boards/swarm/radio/streams.h"
#include "boards/swarm/time/hold.h"
#include "hal-posix/clock.h"
#include "hal-posix/net.h"
#include "host/time/time_control.h"

#include <signal.h>
#include <stdlib.h>

#define CLIENTS_WALL_S 0.01 /* time stands: the run waits so long for clients [s] */
#define CONTROLLED_WALL_S \
    0.001          /* the run waits so long for controllers, while clients may come [s] */
#define PORTS   2u /* one that listens, one that connects */
#define PEERS   (MF_TIME_CONTROLLERS_MAX + 1u)
#define SOON_US 1000 /* retry interval of a time server that starts [us] */

struct swarm_controllers {
    struct swarm *w;
    struct mf_time_control time;
    bool begun;    /* members have booted; false: an early error ends the run */
    bool more;     /* a command waits for its turn */
    bool early;    /* end a grant early when output for programs waits */
    bool starting; /* the time server is a child of this run and may not be listening yet */
    uint64_t told_out;
    struct mf_net net;
    struct mf_net_port ports[PORTS];
    struct mf_net_peer peers[PEERS];
    struct pollfd polls[PORTS + PEERS + 2u];
    uint16_t owners[PORTS + PEERS];
    uint8_t queues[PEERS][MF_QUEUE_BYTES];
    uint8_t datagrams[PORTS][MF_NET_DATAGRAM_MAX]; /* not used: all ports are TCP */
};

static struct swarm_controllers *controllers_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_CONTROL];
}

/* ---- signals */

/* Signals of the process so far: its handler knows no run. */
static volatile sig_atomic_t s_toggles, s_steps;

/* Signals that a run has obeyed. */
struct obeyed {
    sig_atomic_t toggles, steps;
};

const size_t swarm_signals_bytes = sizeof(struct obeyed);

static void on_hold_signal(int number)
{
    if (number == SIGUSR1) {
        s_toggles = s_toggles + 1;
    } else {
        s_steps = s_steps + 1;
    }
}

static void obey_signals(struct swarm *w)
{
    struct obeyed *o = w->state[SWARM_SLOT_SIGNALS];
    if (o->toggles != s_toggles) {
        o->toggles = o->toggles + 1;
        swarm_hold_pause(w, w->hold.at_us == MF_NEVER);
    }
    if (o->steps != s_steps) {
        o->steps = o->steps + 1;
        swarm_hold_step(w, MF_SECOND_US);
    }
}

/* ---- controllers */

static const char *on_controller_opened(void *ctx, uint16_t peer, uint16_t port,
                                        const struct mf_serial *serial, const char *name)
{
    struct swarm_controllers *c = ctx;
    (void)port, (void)name;
    return mf_time_control_open(&c->time, peer, serial) ? NULL : "there are too many controllers";
}

static void on_controller_closed(void *ctx, uint16_t peer)
{
    struct swarm_controllers *c = ctx;
    mf_time_control_close(&c->time, peer);
}

static void on_controller_note(void *ctx, enum mf_severity severity, const char *text)
{
    const struct swarm_controllers *c = ctx;
    (void)severity;
    if (!c->starting) {
        (void)fprintf(stderr, "mayfly-swarm: time: %s\n", text);
    }
}

static const struct mf_net_events k_events = {on_controller_opened, on_controller_closed,
                                              on_controller_note, NULL};

static int add_port(struct swarm_controllers *c, enum mf_port_kind kind, const char *text)
{
    struct mf_endpoint endpoint = {0};
    char reason[MF_REASON_MAX];
    if (text == NULL) {
        return SWARM_OK;
    }
    if (mf_endpoint_parse(&endpoint, kind, text, reason) != MF_E_OK ||
        mf_endpoint_resolve(&endpoint, reason) != MF_E_OK ||
        mf_net_add(&c->net, &endpoint, reason) < 0 ||
        mf_net_listen(&c->net, (uint16_t)(c->net.port_count - 1u), reason) != MF_E_OK) {
        (void)snprintf(c->w->error, sizeof c->w->error, "--time-%s: %.300s",
                       kind == MF_PORT_TCP_SERVER ? "socket" : "server", reason);
        return SWARM_INPUT;
    }
    if (kind == MF_PORT_TCP_SERVER) {
        char address[MF_ADDR_TEXT_MAX];
        mf_addr_text(&c->ports[c->net.port_count - 1u].local, address);
        (void)fprintf(stderr, "mayfly-swarm: controllers of time at %s\n", address);
    }
    return SWARM_OK;
}

static void serve_programs(struct swarm *w);

static int open_controllers(struct swarm *w, const char *server, const char *client)
{
    struct swarm_controllers *c = calloc(1, sizeof *c);
    const int32_t clock = w->scenario->time.clock;
    w->state[SWARM_SLOT_CONTROL] = c;
    if (c == NULL) {
        return swarm_refuse(w, 1, "no memory");
    }
    c->w = w;
    c->early = c->starting = swarm_processes_has_virtual(w);
    w->hold.serve = c->early ? serve_programs : NULL;
    mf_time_control_init(&c->time, clock == MF_SCENARIO_CLOCK_LOCKSTEP,
                         mf_scenario_clock_words[clock], 0);
    const struct mf_net_memory memory = {.ports = c->ports,
                                         .peers = c->peers,
                                         .queues = c->queues,
                                         .datagrams = c->datagrams,
                                         .polls = c->polls,
                                         .owners = c->owners,
                                         .port_max = PORTS,
                                         .peer_max = PEERS,
                                         .reserved = {[MF_NET_CONFIGURED] = client != NULL}};
    mf_net_init(&c->net, &memory, &k_events, c);
    int result = add_port(c, MF_PORT_TCP_SERVER, server);
    result = result == SWARM_OK ? add_port(c, MF_PORT_TCP_CLIENT, client) : result;
    if (result == SWARM_OK) {
        mf_net_start(&c->net, mf_monotonic_us());
    }
    return result;
}

static int open_control(struct swarm *w)
{
    const bool replays = w->command->replay != NULL;
    const char *programs = swarm_processes_get_server(w);
    const char *server = replays ? NULL : w->command->time_socket;
    const char *client = replays ? NULL : programs != NULL ? programs : w->command->time_server;
    w->hold.at_us = MF_NEVER;
    w->hold.rate = w->scenario->time.rate;
    *(struct obeyed *)w->state[SWARM_SLOT_SIGNALS] = (struct obeyed){s_toggles, s_steps};
    (void)signal(SIGUSR1, on_hold_signal);
    (void)signal(SIGUSR2, on_hold_signal);
    if (server != NULL || client != NULL) {
        return open_controllers(w, server, client);
    }
    return w->scenario->time.clock != MF_SCENARIO_CLOCK_LOCKSTEP
               ? SWARM_OK
               : swarm_refuse(w, 1,
                              "clock: lockstep needs a controller of time: give --time-socket "
                              "[HOST:]PORT or --time-server HOST:PORT");
}

/* ---- turns */

/* A server that begins is there within milliseconds. */
static void hurry_connection(struct swarm_controllers *c)
{
    for (uint16_t i = 0; c->starting && i < c->net.port_count; i++) {
        struct mf_net_port *port = &c->ports[i];
        if (port->endpoint.kind != MF_PORT_TCP_CLIENT) {
            continue;
        }
        c->starting = c->time.count == 0;
        if (port->fd < 0 && c->starting) {
            port->retry_us = mf_earlier(port->retry_us, mf_monotonic_us() + SOON_US);
        }
    }
}

static void exchange_bytes(struct swarm_controllers *c, int timeout_ms)
{
    hurry_connection(c);
    const mf_us_t now_us = mf_monotonic_us();
    const mf_us_t due_us =
        mf_earlier(mf_net_prepare(&c->net, now_us), now_us + timeout_ms * MF_MS_US);
    const bool waits = due_us > now_us && !c->more;
    (void)poll(c->polls, c->net.poll_count,
               waits ? (int)((due_us - now_us + MF_MS_US - 1) / MF_MS_US) : 0);
    mf_net_receive(&c->net, mf_monotonic_us());
}

static mf_us_t report_to_controllers(struct swarm_controllers *c, mf_us_t next_us)
{
    const struct swarm *w = c->w;
    uint64_t in = 0, out = 0;
    if (swarm_has(w, SWARM_SLOT_LINKS)) {
        swarm_links_count(w, &in, &out);
    }
    out += swarm_network_sent_bytes(w) + swarm_sockets_sent_bytes(w) +
           swarm_streams_count_changes(w) + swarm_flows_sent_bytes(w) +
           swarm_foreigns_sent_bytes(w) + w->hold.sent;
    const struct mf_time_report report = {.now_us = w->now_us,
                                          .next_us = next_us,
                                          .event_us = next_us,
                                          .events = c->begun ? (uint32_t)swarm_count_steps(w) : 0,
                                          .armed = c->begun && swarm_count_armed(w) > 0,
                                          .landed = !c->begun || swarm_count_in_air(w) == 0,
                                          .stops = c->early && out != c->told_out};
    const mf_us_t limit_us = mf_time_control_pass(&c->time, &report);
    c->told_out = out;
    swarm_ghosts_count(w, &in, &out);
    mf_time_control_count(&c->time, in, out);
    mf_time_control_answer(&c->time);
    c->more = mf_time_control_read(&c->time);
    const int broken = mf_time_control_broken(&c->time);
    if (broken >= 0) {
        mf_net_drop(&c->net, (uint16_t)broken, "it does not read");
    }
    mf_net_send(&c->net, mf_monotonic_us());
    return limit_us;
}

/* Let programs run while a system waits at an instant: what is next comes when it has its answer.
 */
static void serve_programs(struct swarm *w)
{
    exchange_bytes(controllers_of(w), 0);
    (void)report_to_controllers(controllers_of(w), w->now_us + 1);
}

static mf_us_t poll_controllers(struct swarm *w, mf_us_t next_us)
{
    struct swarm_controllers *c = controllers_of(w);
    mf_us_t limit_us = MF_NEVER;
    obey_signals(w);
    if (c != NULL) {
        exchange_bytes(c, 0);
        limit_us = report_to_controllers(c, next_us);
        w->hold.permitted_us = limit_us;
    }
    return mf_earlier(limit_us, w->hold.at_us);
}

bool swarm_control_has_command(const struct swarm *w)
{
    return controllers_of(w) != NULL && controllers_of(w)->more;
}

static void wait_for_controllers(struct swarm *w, double wait_s)
{
    const int wait_ms = (int)(wait_s * 1e3 + 0.5);
    if (controllers_of(w) != NULL) {
        exchange_bytes(controllers_of(w), wait_ms);
    } else {
        (void)poll(NULL, 0, wait_ms);
    }
}

void swarm_control_wait(struct swarm *w)
{
    if (!w->hold.awaits_clients && controllers_of(w) != NULL) {
        wait_for_controllers(w, SWARM_STANDING_WALL_S);
    } else if (controllers_of(w) == NULL) {
        swarm_systems_sleep(w, w->hold.awaits_clients ? CLIENTS_WALL_S : SWARM_STANDING_WALL_S);
    } else {
        swarm_systems_sleep(w, 0.0);
        if (!swarm_control_has_command(w)) {
            wait_for_controllers(w, CONTROLLED_WALL_S);
        }
    }
}

static void close_controllers(struct swarm *w)
{
    if (controllers_of(w) != NULL) {
        (void)report_to_controllers(controllers_of(w), MF_NEVER);
        mf_net_close(&controllers_of(w)->net);
        w->hold.serve = NULL;
        free(controllers_of(w));
        w->state[SWARM_SLOT_CONTROL] = NULL;
    }
}

/* Let programs in virtual time stand until the run ends them: without it their time would pass as
 * fast as they ask for it. */
static int end_control(struct swarm *w)
{
    if (w->hold.serve != NULL) {
        (void)report_to_controllers(controllers_of(w), MF_NEVER);
    } else {
        close_controllers(w);
    }
    return SWARM_OK;
}

static void close_control(struct swarm *w, int code)
{
    (void)code;
    close_controllers(w);
}

static int attach_controllers(struct swarm *w)
{
    struct swarm_controllers *c = controllers_of(w);
    if (c != NULL) {
        c->begun = true;
    }
    return SWARM_OK;
}

const struct swarm_system swarm_control_system = {
    .name = "control",
    .on = {[SWARM_CONNECT] = open_control,
           [SWARM_ATTACH] = attach_controllers,
           [SWARM_END] = end_control},
    .in_replay = true,
    .limit_us = poll_controllers,
    .close = close_control,
};
