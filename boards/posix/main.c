/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The drone as a process: configuration, world, vehicle and network put together. Everything stands
 * in static memory; from the first pass on nothing is allocated.
 */
#include "boards/posix/api.h"
#include "boards/posix/board.h"
#include "boards/posix/earth.h"
#include "boards/posix/quality.h"
#include "boards/posix/rates.h"
#include "boards/posix/record.h"
#include "boards/posix/remote_id.h"
#include "boards/posix/terrain.h"
#include "firmware/link/signing.h"
#include "host/base/heap.h"
#include "host/spec/keyfile.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXIT_BAD_INPUT      2
#define COMPONENT_AUTOPILOT 1
/* Numbers of the words of two settings. */
#define MF_START_CONNECT     1
#define MF_EVENT_STREAMS_ALL 1
/* The upper half of an instance's uid: "MAYF". */
#define UID_MAYFLY UINT64_C(0x4D41594600000000)

_Static_assert(BOARD_PORTS == MF_CONFIG_LINKS_MAX, "every configured link has its port");
_Static_assert(BOARD_PORTS + MF_TIME_CONTROLLERS_MAX + BOARD_LINKS_TCP + BOARD_LINKS_UDP <=
                   BOARD_LINKS,
               "everything that is reserved is there");
_Static_assert(BOARD_PARAMS >= MF_PARAM_COUNT, "every parameter fits into the store");
_Static_assert(MF_CONFIG_RULES_MAX <= MF_MISBEHAVE_RULES_MAX, "every configured rule fits");
_Static_assert(MF_CONFIG_FAULTS_MAX <= MF_FAULT_PLANS_MAX,
               "every configured fault fits into the schedule");
_Static_assert((int)MF_MOTION_EVENT == (int)MF_WORLD_MOTION_EVENT &&
                   (int)MF_MOTION_PHYSICS == (int)MF_WORLD_MOTION_PHYSICS,
               "words of the setting are the world's");

static struct board s_board;
static volatile sig_atomic_t s_alone; /* nobody waits for what this process prints or runs */
/* The network belongs to the process. */
static struct mf_net_port s_ports[BOARD_PORTS];
static struct mf_net_peer s_peers[BOARD_LINKS + BOARD_REQUESTERS];
static struct pollfd s_polls[BOARD_PORTS + BOARD_LINKS + BOARD_REQUESTERS + 1];
static uint16_t s_owners[BOARD_PORTS + BOARD_LINKS + BOARD_REQUESTERS];

/* In the order of enum mf_link_kind. How to connect to each kind: with its address three times. */
static const struct {
    enum mf_port_kind port;
    const char *hint;
} k_kind[MF_LINK_KIND_COUNT] = {
    [MF_LINK_TCP] =
        {MF_PORT_TCP_SERVER,
         "  tcp %s: MAVSDK tcpout://%s, mavproxy.py --master=tcp:%s, QGroundControl: a TCP link"},
    [MF_LINK_TCP_OUT] = {MF_PORT_TCP_CLIENT, "  tcp %s: connects to it, again and again"},
    [MF_LINK_UDP] = {MF_PORT_UDP_SERVER, "  udp %s: MAVSDK udpout://%s, mavproxy.py "
                                         "--master=udpout:%s, QGroundControl: a UDP link"},
    [MF_LINK_UDP_OUT] = {MF_PORT_UDP_CLIENT,
                         "  udp %s: talks to it; whoever listens there sees this drone"},
    [MF_LINK_SERIAL] = {MF_PORT_SERIAL, "  serial %s"},
    [MF_LINK_TIME_SOCKET] = {MF_PORT_TCP_SERVER, "  time %s: controllers of vehicle time"},
    [MF_LINK_TIME_SERVER] = {MF_PORT_TCP_CLIENT,
                             "  time %s: connects to this controller of vehicle time"},
    [MF_LINK_API] = {MF_PORT_TCP_SERVER, "  http://%s/: live picture, control API, metrics"},
};

/* One line on stderr, then exit code 2: what the user gave cannot be used. */
static int refuse(const char *what)
{
    char line[MF_CONFIG_ERROR_MAX + 16u];
    const int n = snprintf(line, sizeof line, "mayfly: %s\n", what);
    if (n < 0 ||
        write(STDERR_FILENO, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1) < 0) {
        /* nobody listens; the exit code speaks for itself */
    }
    return EXIT_BAD_INPUT;
}

void board_log(struct board *b, enum mf_severity severity, const char *topic, const char *text)
{
    const mf_us_t t_us = mf_pace_shown(&b->pace, mf_monotonic_us());
    mf_log_line_ops.event(&b->log, t_us, severity, topic, text);
}

/* Plain lines for people, events for programs. */
__attribute__((format(printf, 2, 3))) static void say(struct board *b, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (b->config.log == MF_LOG_JSON) {
        board_log(b, MF_INFO, "start", text + strspn(text, " "));
    } else {
        (void)dprintf(STDERR_FILENO, "%s\n", text);
    }
}

/* Before anything has begun there is nothing to bring to an end. */
static void on_early_signal(int number)
{
    static const char k_line[] = "mayfly: stopped by a signal before it had started\n";
    if (write(STDERR_FILENO, k_line, sizeof k_line - 1) < 0) {
        /* nobody listens; the exit code speaks for itself */
    }
    _exit(s_alone != 0 ? EXIT_SUCCESS : BOARD_EXIT_SIGNAL + number);
}

/* ---- what the configuration says, in terms of vehicle and network */

static int prepare_links(struct board *b)
{
    char reason[MF_REASON_MAX];
    for (int i = 0; i < b->config.link_count; i++) {
        const struct mf_config_link *link = &b->config.link[i];
        if (mf_endpoint_parse(&b->endpoint[i], k_kind[link->kind].port, link->address, reason) !=
                MF_E_OK ||
            mf_endpoint_resolve(&b->endpoint[i], reason) != MF_E_OK) {
            return mf_config_complain(&b->config, &link->origin, "%s", reason);
        }
        b->endpoint[i].crowded = link->kind == MF_LINK_API;
        b->endpoint[i].reserved = link->kind == MF_LINK_TIME_SOCKET;
        if (board_rates(&b->config, link, b->interval_us[i]) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    return MF_E_OK;
}

/* ---- world and vehicle */

static uint64_t uid_of(const struct mf_config *c)
{
    return UID_MAYFLY | (uint64_t)(uint32_t)(c->instance + 1);
}

static struct mf_world_settings world_of(struct board *b)
{
    const struct mf_config *c = &b->config;
    struct mf_world_settings settings = {.fault_count = c->fault_count};
#define X(type, field, key, value, low, high) settings.field = c->field;
    MF_WORLD_SETTING_LIST(X)
#undef X
    settings.motion = (enum mf_world_motion)c->motion;
    settings.epoch_utc_us = b->utc_offset_us + b->pace.start_us;
    settings.instance = uid_of(c);
    settings.geoid = &b->geoid;
    settings.terrain = &b->terrain;
    settings.memory = &b->parts;
    for (int i = 0; i < c->fault_count; i++) {
        settings.fault[i] = c->fault[i];
    }
    return settings;
}

static struct mf_hal devices(struct board *b)
{
    struct mf_hal hal = mf_hal_null();
    hal.clock = &mf_clock_pace_ops;
    hal.clock_ctx = &b->pace;
    hal.store = &mf_store_file_ops;
    hal.store_ctx = &b->store;
    hal.log = &mf_api_log_ops;
    hal.log_ctx = &b->api;
    hal.archive = &mf_archive_file_ops;
    hal.archive_ctx = &b->archive;
    return hal;
}

static struct mf_setup vehicle_setup(struct board *b)
{
    const struct mf_config *c = &b->config;
    return (struct mf_setup){
        .hal = devices(b),
        .links = b->memory.links,
        .shells = b->memory.shells,
        .barriers = b->memory.barriers,
        .signing = &b->memory.signing,
        .ftp = &b->memory.ftp,
        .link_count = BOARD_LINKS,
        .sysid = (uint8_t)c->sysid,
        .compid = COMPONENT_AUTOPILOT,
        .uid = uid_of(c),
        .utc_us = b->utc_offset_us + b->pace.start_us,
        .journal = &b->memory.journal,
        .remote_id = &b->remote_id,
        .options = {.px4_strict = c->px4_strict,
                    .lenient_param_types = c->lenient_param_types,
                    .statustext_gcs_only = c->statustext_gcs_only,
                    .px4_motion = c->motion == MF_MOTION_PHYSICS,
                    .start_grid_us = (int32_t)(c->start_grid_s * 1e6)},
    };
}

/* Vehicle time begins at 0, now; the store keeps what it has. */
static int boot(struct board *b, mf_us_t now_us)
{
    mf_pace_start(&b->pace, now_us);
    mf_achieved_start(&b->achieved, &b->pace, now_us);
    b->pace.demand.limit_us = b->connected ? MF_NEVER : 0;
    const struct mf_world_settings world = world_of(b);
    const struct mf_drone_setup setup = {
        .world = &world, .wiring = &b->wiring, .vehicle = vehicle_setup(b)};
    const int result = mf_drone_init(&b->drone, &setup);
    MF_ASSERT(result == MF_E_OK);
    mf_api_boot(&b->api);
    return board_params(&b->config, &b->drone.vehicle);
}

/* ---- the loop's part */

/* Restart on request of a client; its links stay, since the peers do. */
static void reboot(struct board *b)
{
    board_log(b, MF_NOTICE, "board", "reboot");
    const int result = boot(b, mf_monotonic_us());
    MF_ASSERT(result == MF_E_OK);
    mf_time_control_boot(&b->time);
    if (mf_time_control_exists(&b->time)) {
        b->pace.demand.limit_us = 0; /* before the first pass, too */
    }
    mf_drone_catch_up(&b->drone, mf_monotonic_us());
    mf_drone_reconnect(&b->drone);
}

/* What controllers permit after a pass. */
static mf_us_t controlled(struct board *b, const struct mf_wake *wake)
{
    const struct mf_vehicle *v = &b->drone.vehicle;
    return mf_time_control_pass(&b->time,
                                &(struct mf_time_report){
                                    .now_us = b->pace.vehicle_us,
                                    .next_us = mf_earlier(wake->essential_us, wake->periodic_us),
                                    .event_us = wake->essential_us,
                                    .events = v->counters.events,
                                    .armed = v->commander.armed,
                                    .landed = v->commander.landed == MF_LANDED_ON_GROUND,
                                });
}

/* One pass. @return wall time of the next one */
static mf_us_t pass(struct board *b)
{
    const struct mf_wake wake = mf_drone_pass(&b->drone, mf_monotonic_us());
    const mf_us_t limit_us = controlled(b, &wake);
    b->connected = b->connected || board_is_heard(b);
    const struct mf_drone_hold hold = {.limit_us = limit_us,
                                       .guarded = mf_time_control_exists(&b->time),
                                       .standing = !b->connected,
                                       .backlog = b->backlog};
    if (b->api.http != NULL) {
        mf_api_watch(&b->api);
    }
    return mf_drone_next(&b->drone, &wake, &hold, mf_monotonic_us());
}

/* A client has not taken what was sent to it, and a clock that need not hurry waits. A serial line has a
 * rate of its own, which holds only clocks without one. */
static bool is_behind(struct board *b)
{
    const bool scaled = mf_pace_is_scaled(&b->pace);
    const size_t patience = b->pace.mode == MF_PACE_EVENT ? 0 : BOARD_BACKLOG;
    b->net.patience = scaled ? patience : 0;
    return mf_net_backlog(&b->net, !scaled) > patience;
}

/* A clock makes several passes, if they are due, before the network has its turn. */
static mf_us_t passes(struct board *b)
{
    mf_us_t due_us = 0;
    b->backlog = is_behind(b);
    for (int i = 0; i < BOARD_PASSES && due_us <= mf_monotonic_us(); i++) {
        due_us = pass(b);
        if (b->drone.vehicle.shutdown) {
            b->loop.stop = true;
            break;
        }
        if (b->drone.vehicle.reboot) {
            reboot(b);
            return b->pace.start_us;
        }
        if (is_behind(b)) {
            break; /* the network first */
        }
    }
    return due_us;
}

/* A clock that cannot keep its rate says so, once, and again when it can. */
static void watch_rate(struct board *b)
{
    const struct mf_achieved *a = &b->achieved;
    char text[128];
    if (!mf_achieved_note(&b->achieved, &b->pace, mf_monotonic_us())) {
        return;
    }
    const char *what = !a->behind     ? "vehicle time keeps up again"
                       : a->by_client ? "vehicle time falls behind: a client does not read"
                                      : "vehicle time falls behind: the host is late";
    (void)snprintf(text, sizeof text, "%s, x%.4g of x%.4g", what, a->rate, b->pace.rate);
    board_log(b, a->behind ? MF_WARNING : MF_NOTICE, "clock", text);
}

/* Controllers hear that time stands after everybody has got what was sent before. @return whether
 * one of them has said something, which takes effect in the next turn */
static bool serve_controllers(struct board *b)
{
    if (b->time.count == 0) {
        return false;
    }
    mf_net_flush(&b->net);
    mf_time_control_answer(&b->time);
    const bool more = mf_time_control_read(&b->time);
    const int broken = mf_time_control_broken(&b->time);
    if (broken >= 0) {
        mf_net_drop(&b->net, (uint16_t)broken, "dropped: it does not read what it is told");
    }
    return more;
}

/* One write for all that a turn has recorded. */
static void flush_record(struct board *b)
{
    struct mf_recorder *r = b->wiring.recorder;
    if (r == NULL || r->failed) {
        return;
    }
    mf_recorder_flush(r);
    if (r->failed) {
        board_log(b, MF_ERROR, "record", "the file takes no more: recording ends here");
    }
}

static mf_us_t step(void *ctx)
{
    struct board *b = ctx;
    const bool full = b->archive.failed;
    mf_drone_run(&b->drone, mf_monotonic_us());
    mf_us_t due_us = passes(b);
    watch_rate(b);
    board_quality_run(b);
    due_us = mf_earlier(due_us, mf_drone_due(&b->drone));
    due_us = mf_earlier(due_us, board_serve_requests(b));
    if (serve_controllers(b)) {
        due_us = 0;
    }
    flush_record(b);
    if (b->archive.failed && !full) {
        board_log(b, MF_ERROR, "log", "the file takes no more: this flight's log ends here");
    }
    return due_us;
}

/* ---- start */

/* A port that nobody asked for may be taken. */
static bool is_default_api(const struct board *b, int link)
{
    return b->config.link[link].kind == MF_LINK_API &&
           b->config.link_layer[MF_LINK_API] == MF_LAYER_DEFAULT;
}

/* A link whose port cannot be had. */
static int go_without(struct board *b, int link, const char *reason)
{
    if (!is_default_api(b, link)) {
        (void)snprintf(b->config.error, sizeof b->config.error, "%s", reason);
        return MF_E_IO;
    }
    say(b, "Without control API: %s; --api [HOST:]PORT chooses another", reason);
    b->config.link_count--; /* it is the last one */
    return MF_E_OK;
}

static void open_api(struct board *b, int link)
{
    if (b->config.link[link].kind == MF_LINK_API && b->api.http == NULL) {
        mf_http_init(&b->http, mf_api_handle, mf_api_is_short, &b->api);
        b->api.http = &b->http;
    }
}

/* Peers that the configuration names, and controllers of time. */
static uint16_t configured_places(const struct mf_config *c)
{
    unsigned places = 0, controllers = 0;
    for (int i = 0; i < c->link_count; i++) {
        const enum mf_port_kind port = k_kind[c->link[i].kind].port;
        places += port != MF_PORT_TCP_SERVER && port != MF_PORT_UDP_SERVER ? 1u : 0u;
        controllers =
            c->link[i].kind == MF_LINK_TIME_SOCKET ? MF_TIME_CONTROLLERS_MAX : controllers;
    }
    return (uint16_t)(places + controllers);
}

static int open_ports(struct board *b)
{
    const struct mf_net_memory memory = {
        .ports = s_ports,
        .peers = s_peers,
        .queues = b->pools->queues,
        .datagrams = b->pools->datagrams,
        .polls = s_polls,
        .owners = s_owners,
        .port_max = BOARD_PORTS,
        .peer_max = BOARD_LINKS,
        .crowd_max = BOARD_REQUESTERS,
        .reserved = {[MF_NET_CONFIGURED] = configured_places(&b->config),
                     [MF_NET_TCP] = BOARD_LINKS_TCP,
                     [MF_NET_UDP] = BOARD_LINKS_UDP},
        .crowd_queues = b->pools->crowd_queues,
    };
    char reason[MF_REASON_MAX];
    mf_net_init(&b->net, &memory, &board_net_events, b);
    int result = MF_E_OK;
    for (int i = 0; i < b->config.link_count && result == MF_E_OK; i++) {
        if (mf_net_add(&b->net, &b->endpoint[i], reason) < 0) {
            result = go_without(b, i, reason);
        }
    }
    for (int i = 0; i < b->config.link_count && result == MF_E_OK; i++) {
        if (mf_net_listen(&b->net, (uint16_t)i, reason) == MF_E_OK) {
            open_api(b, i);
        } else {
            result = go_without(b, i, reason);
        }
    }
    return result;
}

static void greet(struct board *b)
{
    const struct mf_config *c = &b->config;
    char earth[BOARD_EARTH_TEXT];
    say(b, "Mayfly " MF_VERSION ", instance %d, system id %d, at %.7f, %.7f, %.2f m",
        (int)c->instance, (int)c->sysid, c->home_lat_deg, c->home_lon_deg, c->home_alt_amsl_m);
    board_earth_text(c, &b->geoid, earth);
    say(b, "  %s", earth);
    if (b->terrain.count > 0) {
        board_terrain_text(c, &b->terrain, earth);
        say(b, "  %s", earth);
    }
    for (uint16_t i = 0; i < b->net.port_count; i++) {
        const struct mf_net_port *port = &s_ports[i];
        const enum mf_link_kind kind = c->link[i].kind;
        char address[MF_ADDR_TEXT_MAX];
        if (kind == MF_LINK_TCP || kind == MF_LINK_UDP || kind == MF_LINK_TIME_SOCKET ||
            kind == MF_LINK_API) {
            board_reachable_text(port, address);
        } else if (kind == MF_LINK_SERIAL) {
            (void)snprintf(address, sizeof address, "%.50s", port->endpoint.host);
        } else {
            mf_addr_text(&port->endpoint.addr, address);
        }
        say(b, k_kind[kind].hint, address, address, address);
        if (kind == MF_LINK_API && b->api.token[0] == '\0' && !mf_addr_is_loopback(&port->local)) {
            say(b, "  control API: without --api-token it refuses everybody there everything but "
                   "/, /healthz, /readyz, /metrics");
        }
    }
}

/* How time passes, as configured. */
static void set_pace(struct board *b)
{
    const struct mf_config *c = &b->config;
    b->pace = (struct mf_pace){
        .mode = board_pace_mode[c->clock.kind],
        .rate = c->clock.rate,
        .gap_us = (mf_us_t)(c->event_gap_ms * 1e3),
        .every_sample = c->event_streams == MF_EVENT_STREAMS_ALL,
    };
    mf_time_control_init(&b->time, c->clock.kind == MF_CLOCK_LOCKSTEP, mf_clock_name[c->clock.kind],
                         (uint8_t)c->sysid);
}

static void set_wiring(struct board *b)
{
    b->parts = (struct mf_memory){.bytes = b->pools->parts, .size = sizeof b->pools->parts};
    mf_wiring_init(&b->wiring, &(struct mf_wiring_setup){.connections = b->memory.connections,
                                                         .count = BOARD_LINKS,
                                                         .memory = &b->parts,
                                                         .quality_chunks = BOARD_QUALITY_CHUNKS,
                                                         .recorder_bytes = BOARD_RECORDER_BYTES,
                                                         .pace = &b->pace,
                                                         .start_us = mf_monotonic_us()});
}

/* A key that the user gives takes the place of one in the store. */
static int provision_key(struct board *b)
{
    uint8_t key[MF_SIGN_KEY_BYTES];
    char reason[MF_REASON_MAX];
    struct mf_hal hal = mf_hal_null();
    const struct mf_config_origin origin = mf_config_origin_of(&b->config, MF_CONFIG_signing_key);
    if (b->config.signing_key[0] == '\0') {
        return MF_E_OK;
    }
    hal.store = &mf_store_file_ops;
    hal.store_ctx = &b->store;
    if (mf_keyfile_read(b->config.signing_key, key, reason, sizeof reason) != MF_E_OK) {
        return mf_config_complain(&b->config, &origin, "%s", reason);
    }
    return mf_signing_provision(&hal, key) == MF_E_OK
               ? MF_E_OK
               : mf_config_complain(&b->config, &origin, "the key could not be stored");
}

static void banks_of(struct board *b, struct mf_store_banks *banks)
{
#define X(name, size)                                 \
    banks[MF_STORE_##name] = (struct mf_store_banks){ \
        {b->memory.bank.name[0], b->memory.bank.name[1]}, sizeof b->memory.bank.name[0] / (size)};
    MF_STORE_AREA_LIST(X)
#undef X
}

static int start(struct board *b)
{
    b->guard = (struct mf_guard){.instance = b->config.instance,
                                 .now_us = &b->drone.vehicle.now.vehicle_us};
    mf_guard_watch(&b->guard);
    b->log = (struct mf_log){.fd = STDERR_FILENO, .format = (enum mf_log_format)b->config.log};
    b->api = (struct mf_api){
        .instance = b->config.instance,
        .drone = &b->drone,
        .vehicle = &b->drone.vehicle,
        .time = &b->time,
        .ops = &board_api_ops,
        .ops_ctx = b,
        .log = &mf_log_line_ops,
        .log_ctx = &b->log,
    };
    b->connected = b->config.start != MF_START_CONNECT;
    set_pace(b);
    set_wiring(b);
    if (board_api_token(&b->config, &b->api) != MF_E_OK ||
        board_earth(&b->config, &b->geoid) != MF_E_OK ||
        board_terrain(&b->config, &b->geoid, &b->terrain) != MF_E_OK ||
        prepare_links(b) != MF_E_OK ||
        board_remote_id(&b->config, uid_of(&b->config), &b->remote_id) != MF_E_OK) {
        return MF_E_RANGE;
    }
    if (mf_loop_keep_signals() != MF_E_OK) { /* nothing from here on waits for others */
        (void)snprintf(b->config.error, sizeof b->config.error, "no pipe for signals: %s",
                       strerror(errno));
        return MF_E_IO;
    }
    struct mf_store_banks banks[MF_STORE_AREA_COUNT];
    banks_of(b, banks);
    int result = mf_store_file_init(&b->store, banks, b->config.state, b->config.error,
                                    sizeof b->config.error);
    if (result == MF_E_OK) {
        result = provision_key(b);
    }
    if (result == MF_E_OK) {
        result = mf_archive_file_init(&b->archive, b->memory.logs, BOARD_LOGS, b->config.state,
                                      b->config.error, sizeof b->config.error);
    }
    if (result == MF_E_OK) {
        const struct mf_setup setup = vehicle_setup(b);
        result = board_record(b, &setup);
    }
    if (result == MF_E_OK) {
        const mf_us_t now_us = mf_monotonic_us(); /* read once: --epoch is met to the microsecond */
        const int64_t utc_us = b->config.epoch_utc_us != 0 ? b->config.epoch_utc_us : mf_utc_us();
        b->utc_offset_us = utc_us - now_us;
        result = boot(b, now_us);
    }
    for (uint16_t i = 0; result == MF_E_OK && i < b->config.rule_count; i++) {
        (void)mf_drone_add_rule(&b->drone, &b->config.rule[i]);
    }
    if (result == MF_E_OK) {
        result = open_ports(b);
    }
    if (result == MF_E_OK && b->api.http != NULL) {
        board_api_config(&b->config, &b->api);
    }
    return result;
}

static void say_goodbye(struct board *b, enum mf_loop_end end)
{
    static const char *const k_why[] = {
        [MF_LOOP_STOPPED] = "shut down by a client",
        [MF_LOOP_SIGNAL] = "stopped by a signal",
        [MF_LOOP_LIFETIME] = "the lifetime is over",
    };
    board_log(b, MF_INFO, "board", b->exec.ended ? "the command has ended" : k_why[end]);
}

/* Who came and went over MAVLink; requests over HTTP are in its own metrics. */
static void log_totals(struct board *b)
{
    const struct mf_net_stats *n = &b->net.stats;
    char text[256];
    (void)snprintf(text, sizeof text,
                   "%u peers came, %u went, %u turned away, %u dropped as slow, %u fell silent, "
                   "%u failed to connect; %u frames refused, %u datagrams not sent, %u not read",
                   b->peers_came, b->peers_went, n->turned_away - n->crowd_turned_away,
                   n->dropped_slow, n->forgotten, n->accept_errors, n->tx_refused, n->tx_lost,
                   n->rx_unread);
    board_log(b, MF_INFO, "net", text);
}

static int fly(struct board *b)
{
    const mf_us_t started_us = mf_monotonic_us();
    b->pools = board_pools_map();
    if (b->pools == NULL) {
        (void)snprintf(b->config.error, sizeof b->config.error,
                       "no memory for %.1f MB of buffers: %s ('ulimit -v')", board_pool_bytes / 1e6,
                       strerror(errno));
        return refuse(b->config.error);
    }
    if (start(b) != MF_E_OK) {
        return refuse(b->config.error);
    }
    greet(b);
    mf_net_start(&b->net, mf_monotonic_us());
    b->loop = (struct mf_loop){.net = &b->net, .step = step, .ctx = b, .end_us = MF_NEVER};
    if (b->config.lifetime_s > 0.0) {
        b->loop.end_us = started_us + (mf_us_t)(b->config.lifetime_s * 1e6);
    }
    if (b->exec.command != NULL && !board_exec_start(&b->exec, b)) {
        return refuse(b->config.error);
    }
    mf_heap_lock();
    const enum mf_loop_end end = mf_loop_run(&b->loop);
    mf_drone_end(&b->drone);
    say_goodbye(b, end);
    b->ended = true;
    log_totals(b);
    mf_net_close(&b->net);
    mf_store_file_close(&b->store);
    mf_archive_file_close(&b->archive);
    mf_heap_unlock();
    return b->exec.command != NULL ? board_exec_end(&b->exec, &b->loop, end) : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    struct board *b = &s_board;
    char earth[BOARD_EARTH_TEXT];
    s_alone = !board_exec_wanted(argc, argv);
    mf_loop_catch_signals(on_early_signal);
    const int own = board_exec_arguments(&b->exec, argc, argv);
    const int result = mf_config_read(&b->config, own, argv, environ);
    s_alone = s_alone && b->config.action == MF_DO_RUN;
    if (b->exec.wanted && b->exec.command == NULL && b->config.action == MF_DO_RUN) {
        return refuse("exec: no command, write: mayfly exec [--flag VALUE]... -- COMMAND "
                      "[ARGUMENT]...");
    }
    if (result != MF_E_OK) {
        return refuse(b->config.error);
    }
    switch (b->config.action) {
    case MF_DO_PRINT_CONFIG:
        if (board_earth(&b->config, &b->geoid) != MF_E_OK ||
            board_terrain(&b->config, &b->geoid, &b->terrain) != MF_E_OK) {
            return refuse(b->config.error);
        }
        board_earth_text(&b->config, &b->geoid, earth);
        mf_config_print(&b->config, stdout);
        if (b->terrain.count > 0) {
            char ground[BOARD_EARTH_TEXT];
            board_terrain_text(&b->config, &b->terrain, ground);
            printf("# %s\n", ground);
        }
        printf("# %s\n", earth);
        break;
    case MF_DO_VERSION:
        printf("mayfly %s\n", MF_VERSION);
        break;
    case MF_DO_HELP:
        mf_config_help(stdout);
        break;
    case MF_DO_RUN:
    default:
        return fly(b);
    }
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
