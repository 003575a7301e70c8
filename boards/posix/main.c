/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fleet as a process, of one drone: configuration, drones, network and control API put together.
 * Everything stands in static memory; from the first pass on nothing is allocated.
 */
#include "boards/posix/api.h"
#include "boards/posix/board.h"
#include "boards/posix/earth.h"
#include "boards/posix/greet.h"
#include "boards/posix/params.h"
#include "boards/posix/rates.h"
#include "boards/posix/terrain.h"
#include "host/base/heap.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXIT_BAD_INPUT 2

_Static_assert(BOARD_PORTS == MF_CONFIG_LINKS_MAX, "every configured link has its port");
_Static_assert(BOARD_PORTS + MF_TIME_CONTROLLERS_MAX + BOARD_WORLD_DRONES + BOARD_LINKS_TCP +
                       BOARD_LINKS_UDP <=
                   BOARD_LINKS,
               "everything that is reserved is there");

static struct board s_board;
/* 1: no user or program waits for the output or the command */
static volatile sig_atomic_t s_alone;
/* The network belongs to the process. */
static struct mf_net_port s_ports[BOARD_PORTS];
static struct mf_net_peer s_peers[BOARD_LINKS + BOARD_HTTP_CLIENTS];
static struct pollfd s_polls[BOARD_PORTS + BOARD_LINKS + BOARD_HTTP_CLIENTS + 2];
static uint16_t s_owners[BOARD_PORTS + BOARD_LINKS + BOARD_HTTP_CLIENTS];

/* Kinds of ports in the order of enum mf_link_kind. */
static const enum mf_port_kind k_port[MF_LINK_KIND_COUNT] = {
    [MF_LINK_TCP] = MF_PORT_TCP_SERVER,         [MF_LINK_TCP_OUT] = MF_PORT_TCP_CLIENT,
    [MF_LINK_UDP] = MF_PORT_UDP_SERVER,         [MF_LINK_UDP_OUT] = MF_PORT_UDP_CLIENT,
    [MF_LINK_SERIAL] = MF_PORT_SERIAL,          [MF_LINK_TIME_SOCKET] = MF_PORT_TCP_SERVER,
    [MF_LINK_TIME_SERVER] = MF_PORT_TCP_CLIENT, [MF_LINK_API] = MF_PORT_TCP_SERVER,
    [MF_LINK_WORLD] = MF_PORT_TCP_SERVER,
};

/* Print a line on stderr about invalid input. @return exit code 2 */
static int refuse(const char *what)
{
    char line[MF_CONFIG_ERROR_MAX + 16u];
    const int n = snprintf(line, sizeof line, "mayfly: %s\n", what);
    if (n < 0 ||
        write(STDERR_FILENO, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1) < 0) {
        /* the text is lost; the exit code is enough */
    }
    return EXIT_BAD_INPUT;
}

/* End at once: before the start of the drone nothing needs an orderly end. */
static void on_early_signal(int number)
{
    static const char k_line[] = "mayfly: stopped by a signal before it had started\n";
    if (write(STDERR_FILENO, k_line, sizeof k_line - 1) < 0) {
        /* the text is lost; the exit code is enough */
    }
    _exit(s_alone != 0 ? EXIT_SUCCESS : BOARD_EXIT_SIGNAL + number);
}

/* ---- what the configuration says, in terms of vehicle and network */

static int prepare_links(struct board *b)
{
    char reason[MF_REASON_MAX];
    for (int i = 0; i < b->config.link_count; i++) {
        const struct mf_config_link *link = &b->config.link[i];
        struct mf_endpoint *ep = &b->endpoint[i];
        int result = mf_endpoint_parse(ep, k_port[link->kind], link->address, reason);
        ep->named = result == MF_E_OK && mf_host_is_name(ep->host) &&
                    (link->kind == MF_LINK_UDP_OUT || link->kind == MF_LINK_TCP_OUT);
        if (result == MF_E_OK && !ep->named) {
            result = mf_endpoint_resolve(ep, reason);
        }
        if (result != MF_E_OK) {
            return mf_config_complain(&b->config, &link->origin, "%s", reason);
        }
        b->endpoint[i].http = link->kind == MF_LINK_API;
        b->endpoint[i].reserved = link->kind == MF_LINK_TIME_SOCKET ||
                                  link->kind == MF_LINK_TIME_SERVER || link->kind == MF_LINK_WORLD;
        if (board_rates(&b->config, link, board_intervals((uint16_t)i)) != MF_E_OK) {
            return MF_E_RANGE;
        }
    }
    return MF_E_OK;
}

/* ---- the loop's part */

static mf_us_t turn_all(struct board *b)
{
    mf_us_t due_us = MF_NEVER;
    for (size_t i = 0; i < BOARD_DRONES; i++) {
        due_us = mf_earlier(due_us, board_drone_turn(&b->drone[i]));
    }
    due_us = mf_earlier(due_us, board_serve_requests(b));
    for (size_t i = 0; i < BOARD_DRONES; i++) {
        due_us = mf_earlier(due_us, board_drone_settle(&b->drone[i]));
    }
    return due_us;
}

static mf_us_t step(void *ctx)
{
    struct board *b = ctx;
    if (b->loop.held) {
        const mf_us_t due_us = board_virtual_turn(b);
        if (b->loop.held) {
            return due_us;
        }
    }
    const mf_us_t due_us = turn_all(b);
    return board_virtual_went_on(b) ? turn_all(b) : due_us;
}

/* ---- start */

/* True for the default port of the API, which may be in use by another program. */
static bool is_default_api(const struct board *b, int link)
{
    return b->config.link[link].kind == MF_LINK_API &&
           b->config.link_layer[MF_LINK_API] == MF_LAYER_DEFAULT;
}

/* A link whose port cannot be had. */
static int go_without(struct board *b, int link, const char *reason)
{
    if (!is_default_api(b, link)) {
        const bool by_default = b->config.link[link].origin.layer == MF_LAYER_DEFAULT;
        const bool taken = strstr(reason, "port is taken") != NULL;
        (void)snprintf(b->config.error, sizeof b->config.error, "%s%s", reason,
                       !taken       ? ""
                       : by_default ? ": --free-ports takes free ones, --instance N moves the "
                                      "default ports"
                                    : ": port 0 takes any free one");
        return MF_E_IO;
    }
    board_say(b, MF_WARNING, "Without control API: %s; --api [HOST:]PORT chooses another", reason);
    b->config.link_count--; /* it is the last one */
    return MF_E_OK;
}

static void open_api(struct board *b, int link)
{
    if (b->config.link[link].kind == MF_LINK_API && b->server.http == NULL) {
        mf_http_init(&b->http, mf_api_handle, mf_api_is_short, &b->server);
        b->http.takes_large = mf_api_takes_large;
        b->http.large = b->pools->large_body;
        b->server.plan = &b->pools->plan;
        b->server.http = &b->http;
    }
}

/* Peers that the configuration names, and controllers of time. */
static uint16_t configured_places(const struct mf_config *c)
{
    unsigned places = 0, controllers = 0;
    for (int i = 0; i < c->link_count; i++) {
        const enum mf_port_kind port = k_port[c->link[i].kind];
        places += port != MF_PORT_TCP_SERVER && port != MF_PORT_UDP_SERVER ? 1u : 0u;
        controllers =
            c->link[i].kind == MF_LINK_TIME_SOCKET ? MF_TIME_CONTROLLERS_MAX : controllers;
    }
    return (uint16_t)(places + controllers + (unsigned)c->world_drones);
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
        .http_max = BOARD_HTTP_CLIENTS,
        .reserved = {[MF_NET_CONFIGURED] = configured_places(&b->config),
                     [MF_NET_TCP] = BOARD_LINKS_TCP,
                     [MF_NET_UDP] = BOARD_LINKS_UDP},
        .http_queues = b->pools->http_queues,
    };
    char reason[MF_REASON_MAX];
    mf_net_init(&b->net, &memory, &board_net_events, b);
    b->net.in_child = mf_heap_unlock;
    b->net.pace = &b->drone[0].pace;
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

static int start(struct board *b)
{
    b->server = (struct mf_api_server){.vehicles = b->api, .count = BOARD_DRONES};
    for (uint16_t i = 0; i < BOARD_DRONES; i++) {
        board_drone_init(&b->drone[i], b, i);
    }
    if (board_params_read(&b->config) != MF_E_OK ||
        board_api_token(&b->config, &b->server) != MF_E_OK ||
        board_api_map(&b->config, &b->server) != MF_E_OK ||
        board_earth(&b->config, &b->geoid) != MF_E_OK ||
        board_terrain(&b->config, &b->geoid, &b->terrain) != MF_E_OK ||
        prepare_links(b) != MF_E_OK) {
        return MF_E_RANGE;
    }
    if (mf_loop_keep_signals() != MF_E_OK) { /* nothing from here on waits for others */
        (void)snprintf(b->config.error, sizeof b->config.error, "no pipe for signals: %s",
                       strerror(errno));
        return MF_E_IO;
    }
    int result = MF_E_OK;
    for (size_t i = 0; i < BOARD_DRONES && result == MF_E_OK; i++) {
        result = board_drone_start(&b->drone[i]);
    }
    if (result == MF_E_OK) {
        result = open_ports(b);
    }
    if (result == MF_E_OK && b->server.http != NULL) {
        board_api_config(&b->config, &b->server);
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

/* Log the numbers of peers over MAVLink; requests over HTTP are in its own metrics. */
static void log_totals(struct board *b)
{
    const struct mf_net_stats *n = &b->net.stats;
    char text[256];
    (void)snprintf(text, sizeof text,
                   "%u peers came, %u went, %u turned away, %u dropped as slow, %u fell silent, "
                   "%u failed to connect; %u frames refused, %u datagrams not sent, %u not read",
                   b->peers_came, b->peers_went, n->turned_away - n->http_turned_away,
                   n->dropped_slow, n->forgotten, n->accept_errors, n->tx_refused, n->tx_lost,
                   n->rx_unread);
    board_log(b, MF_INFO, "net", text);
}

static void say_params(void *ctx, enum mf_severity severity, const char *text)
{
    board_say(ctx, severity, "%s", text);
}

static bool start_lifetime(struct board *b, mf_us_t started_us)
{
    const struct mf_config *c = &b->config;
    const bool ends = c->lifetime_s > 0.0;
    b->lifetime = (struct mf_lifetime){
        ends ? started_us + (mf_us_t)(c->lifetime_s * 1e6) : MF_NEVER, c->lifetime_file};
    b->loop.end_us = mf_lifetime_look(&b->lifetime);
    if (b->loop.end_us == 0 && c->lifetime_file[0] != '\0') {
        (void)snprintf(b->config.error, sizeof b->config.error,
                       "lifetime_file: %.400s: has no time to come, in seconds since 1970",
                       c->lifetime_file);
        return false;
    }
    return true;
}

static int run_drone(struct board *b)
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
    board_greet(b);
    board_params_report(&b->config, say_params, b);
    mf_net_start(&b->net, mf_monotonic_us());
    b->loop = (struct mf_loop){.net = &b->net, .step = step, .ctx = b, .more_fd = -1};
    if (!start_lifetime(b, started_us)) {
        return refuse(b->config.error);
    }
    if (b->config.virtual_time && !board_virtual_start(b)) {
        return refuse(b->config.error);
    }
    if (b->exec.command != NULL && !board_exec_start(&b->exec, b)) {
        return refuse(b->config.error);
    }
    mf_heap_lock();
    enum mf_loop_end end = mf_loop_run(&b->loop);
    while (end == MF_LOOP_LIFETIME && (b->loop.end_us = mf_lifetime_look(&b->lifetime)) != 0) {
        end = mf_loop_run(&b->loop);
    }
    if (b->exec.ended && b->config.virtual_time) {
        mf_loop_finish(&b->loop);
    }
    for (size_t i = 0; i < BOARD_DRONES; i++) {
        board_drone_end(&b->drone[i]);
    }
    board_virtual_end(b);
    say_goodbye(b, end);
    log_totals(b);
    mf_net_close(&b->net);
    for (size_t i = 0; i < BOARD_DRONES; i++) {
        board_drone_close(&b->drone[i]);
    }
    mf_heap_unlock();
    const int code =
        b->exec.command != NULL ? board_exec_end(&b->exec, &b->loop, end) : EXIT_SUCCESS;
    board_virtual_forget(b);
    return b->exec.command != NULL && b->virtual_time.refused ? EXIT_BAD_INPUT : code;
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
    if (b->config.virtual_time && !b->exec.wanted && b->config.virtual_socket[0] == '\0' &&
        b->config.action == MF_DO_RUN) {
        return refuse("virtual is for programs: mayfly exec --virtual -- COMMAND [ARGUMENT]..., or "
                      "--virtual-socket FILE for those that others start");
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
        printf("mayfly %s\n", board_version);
        break;
    case MF_DO_HELP:
        mf_config_help(stdout);
        break;
    case MF_DO_HELP_ALL:
        mf_config_help_all(stdout);
        break;
    case MF_DO_RUN:
    default:
        return run_drone(b);
    }
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
