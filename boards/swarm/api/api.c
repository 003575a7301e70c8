/* SPDX-License-Identifier: Apache-2.0 */
/* Serves the control API: the requests of one drone under /v1/vehicles/N, a list of all members
 * with filters, the window, figures. One struct mf_api serves the vehicle that a request names.
 * program/systems.c lists its system; links.c calls the service's table. */
#include "boards/swarm/api/api.h"

#include "boards/swarm/api/api_internal.h"
#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/members.h"
#include "drone/inside.h"
#include "hal-posix/clock.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- one vehicle */

/* Write why requests to a member are refused at present. */
static void name_absent(const struct swarm *w, uint32_t i, char *text, size_t cap)
{
    const struct swarm_name name = swarm_name(w, i);
    if (swarm_is_absent(w, i, w->now_us)) {
        (void)snprintf(text, cap, "%s has not arrived yet, or has retired", name.text);
    } else if (swarm_is_vehicle(w, i)) {
        (void)snprintf(text, cap, "%s is frozen: an assertion failed within it", name.text);
    } else {
        (void)snprintf(text, cap, "%s is of the kind %s; GET /v1/vehicles tells all of it",
                       name.text, swarm_api_kind_word(w, i));
    }
}

static struct mf_api *find_drone(struct mf_api_server *server, const char *id, size_t n)
{
    struct swarm_api *a = server->vehicles[0].ops_ctx;
    struct swarm *w = a->l->w;
    const uint32_t vehicle = swarm_api_find_member(w, id, n);
    swarm_api_settle_vehicle(a);
    server->absent[0] = '\0';
    if (vehicle == MF_CROWD_MAX) {
        return NULL;
    }
    if (!swarm_is_vehicle(w, vehicle) || swarm_is_absent(w, vehicle, w->now_us) ||
        !mf_crowd_touch(w->members.crowd, vehicle, swarm_present_us(w, vehicle), NULL, NULL)) {
        name_absent(w, vehicle, server->absent, sizeof server->absent);
        return NULL;
    }
    a->vehicle = vehicle;
    a->asked = true;
    a->one.drone = mf_crowd_drone(w->members.crowd, vehicle);
    a->one.vehicle = mf_drone_vehicle(a->one.drone);
    a->one.instance = (int32_t)vehicle + 1;
    return &a->one;
}

/* ---- functions that handlers of one drone need */

static void describe_link(void *ctx, uint16_t link, struct mf_api_link *about)
{
    (void)ctx, (void)link;
    about->port = MF_API_NO_PORT;
    about->transport = "swarm";
}

static int refuse_clock(void *ctx, const char *word, double rate)
{
    (void)ctx, (void)word, (void)rate;
    return MF_E_NOSUPP;
}

static int describe_port(void *ctx, uint16_t port, struct mf_api_port *about)
{
    (void)ctx, (void)port, (void)about;
    return MF_E_NOENT;
}

static void refuse_quality(void *ctx, uint16_t port, const struct mf_link_quality *quality)
{
    (void)ctx, (void)port, (void)quality;
}

/* Arguments of a visit to the vehicle of a request. */
struct asking {
    struct mf_msg_command_int *command;
    struct mf_msg_command_ack *ack;
    struct mf_msg_mission_item_int *items;
    uint8_t type;
    uint16_t count;
    uint8_t *outcome;
    struct mf_msg_param_set *set;
    struct mf_msg_param_value *now;
    int result;
};

static void ask_drone(void *ctx, uint32_t shard, uint32_t i, struct mf_drone *drone,
                      struct mf_inside *inside)
{
    struct asking *q = ctx;
    (void)shard, (void)i;
    if (q->command != NULL) {
        q->result = mf_inside_command(inside, drone, q->command, q->ack);
    } else if (q->set != NULL) {
        q->result = mf_inside_set_param(inside, drone, q->set, q->outcome, q->now);
    } else {
        q->result = mf_inside_upload(inside, drone, q->type, q->items, q->count, q->outcome);
    }
}

static int visit_drone(void *ctx, struct asking *q)
{
    const struct swarm_api *a = ctx;
    struct swarm *w = a->l->w;
    q->result = MF_E_AGAIN;
    mf_crowd_visit(w->members.crowd, NULL, swarm_present_us(w, a->vehicle), a->vehicle,
                   a->vehicle + 1u, ask_drone, q);
    return q->result;
}

static int send_command(void *ctx, struct mf_msg_command_int *m, struct mf_msg_command_ack *ack)
{
    return visit_drone(ctx, &(struct asking){.command = m, .ack = ack});
}

static int upload_items(void *ctx, uint8_t type, struct mf_msg_mission_item_int *items,
                        uint16_t count, uint8_t *result)
{
    return visit_drone(
        ctx, &(struct asking){.items = items, .type = type, .count = count, .outcome = result});
}

static int set_drone_param(void *ctx, struct mf_msg_param_set *m, uint8_t *error,
                           struct mf_msg_param_value *now)
{
    return visit_drone(ctx, &(struct asking){.set = m, .outcome = error, .now = now});
}

static const struct mf_api_ops k_ops = {swarm_api_fill_figures, describe_link,  refuse_clock,
                                        describe_port,          refuse_quality, send_command,
                                        upload_items,           set_drone_param};

static void get_swarm_health(struct mf_api_call *call)
{
    mf_json_text(&call->json, "status", "ok");
}

static const struct mf_api_field k_status[] = {{"status", "string", "ok"}, {NULL, NULL, NULL}};
#define JSON    MF_API_JSON
#define FREE    MF_API_FREE
#define PROCESS MF_API_PROCESS
#define VEHICLE MF_API_VEHICLE

static const struct mf_api_route k_route[] = {
    {"GET", "/docs", FREE, "text/html; charset=utf-8", mf_api_get_docs, "This page", NULL, NULL,
     NULL},
    {"GET", "/healthz", FREE, JSON, get_swarm_health, "Does the process run?", NULL, k_status,
     NULL},
    {"GET", "/readyz", FREE, JSON, get_swarm_health, "Have all members booted?", NULL, k_status,
     NULL},
    {"GET", "/v1/clock", PROCESS, JSON, swarm_api_get_clock, "How vehicle time passes", NULL,
     swarm_api_time, NULL},
    {"POST", "/v1/clock", PROCESS, JSON, swarm_api_post_clock,
     "Stop time, let it run, or change the clock", swarm_api_order, swarm_api_time, NULL},
    {"GET", "/openapi.json", PROCESS, JSON, swarm_api_get_document,
     "This API as an OpenAPI document", NULL, NULL, NULL},
    {0},
};

/* Additional routes of a run with vehicles, agents and ghosts. */
static const struct mf_api_route k_members[] = {
    {"GET", "/metrics", FREE, "text/plain; version=0.0.4", swarm_api_get_metrics,
     "Counters and gauges for Prometheus", NULL, NULL, NULL},
    {"GET", "/vehicles/{vehicle}/", FREE, "text/html; charset=utf-8", mf_api_get_page,
     "Live page of a member, for a browser", NULL, NULL, NULL},
    {"GET", "/v1/vehicles", PROCESS, JSON, swarm_api_get_list, "Members of the run, with filters",
     NULL, swarm_api_list, swarm_api_list_query},
    {"GET", "/v1/window", PROCESS, JSON, swarm_api_get_window,
     "Vehicles that clients of the window see", NULL, swarm_api_window, NULL},
    {"PUT", "/v1/window", MF_API_RAW, JSON, swarm_api_put_window,
     "Change the vehicles of the window", swarm_api_window_request, swarm_api_window, NULL},
    {"GET", "/v1/vehicle", VEHICLE, JSON, swarm_api_get_vehicle, "State of a vehicle", NULL,
     mf_api_vehicle_fields, NULL},
    {"GET", "/v1/track", VEHICLE, JSON, swarm_api_get_track,
     "Track of a vehicle, from the first request for its track or events on", NULL,
     mf_api_track_fields, mf_api_track_query},
    {"GET", "/v1/mission", VEHICLE, JSON, mf_api_get_mission, "Items of the mission", NULL,
     mf_api_mission_fields, mf_api_items_query},
    {"PUT", "/v1/mission", VEHICLE, JSON, mf_api_put_mission, "Upload a plan", mf_api_plan_fields,
     mf_api_upload_fields, mf_api_plan_query},
    MF_API_PLAN_ROUTES,
    {"POST", "/v1/faults", VEHICLE, JSON, mf_api_post_fault, "Begin or schedule a fault",
     mf_api_fault_fields, mf_api_faults_fields, NULL},
    {"DELETE", "/v1/faults", VEHICLE, JSON, mf_api_delete_faults, "End all faults", NULL,
     mf_api_faults_fields, NULL},
    {"DELETE", "/v1/faults/{fault}", VEHICLE, JSON, mf_api_delete_fault, "End one fault", NULL,
     mf_api_faults_fields, NULL},
    {"POST", "/v1/commands", VEHICLE, JSON, mf_api_post_command,
     "Give a vehicle an action, or a MAVLink command, and get its result", mf_api_command_fields,
     mf_api_result_fields, NULL},
    {"GET", "/v1/parameters", VEHICLE, JSON, mf_api_get_params, "All parameters", NULL,
     mf_api_params_fields, mf_api_param_file_query},
    {"PUT", "/v1/parameters", VEHICLE, JSON, mf_api_put_params, "Set the parameters of a file",
     mf_api_param_file_fields, mf_api_param_set_fields, NULL},
    {"GET", "/v1/parameters/{name}", VEHICLE, JSON, mf_api_get_param, "One parameter", NULL,
     mf_api_param_fields, NULL},
    {"PUT", "/v1/parameters/{name}", VEHICLE, JSON, mf_api_put_param, "Set a parameter",
     mf_api_param_request_fields, mf_api_param_fields, NULL},
    {"GET", "/v1/misbehaviour", VEHICLE, JSON, mf_api_get_rules,
     "Rules of protocol misbehaviour, and how often they fired", NULL, mf_api_rules_fields, NULL},
    {"POST", "/v1/misbehaviour", VEHICLE, JSON, swarm_api_post_rule,
     "Add a rule of protocol misbehaviour", mf_api_rule_fields, mf_api_rules_fields, NULL},
    {"DELETE", "/v1/misbehaviour", VEHICLE, JSON, mf_api_delete_rules, "End all rules", NULL,
     mf_api_rules_fields, NULL},
    {"DELETE", "/v1/misbehaviour/{rule}", VEHICLE, JSON, mf_api_delete_rule,
     "End the rule of an id, or all of a name", NULL, mf_api_rules_fields, NULL},
    {"GET", "/v1/events", VEHICLE, "text/event-stream", swarm_api_get_events,
     "Events of a vehicle as they happen (server-sent events)", NULL, NULL, mf_api_events_query},
    {"GET", "/v1/links", VEHICLE, JSON, mf_api_get_links, "Links and their counters", NULL,
     mf_api_links_fields, NULL},
    {0},
};

/* ---- the server */

static void handle_request(void *ctx, const struct mf_http_request *request,
                           struct mf_http_answer *answer)
{
    struct mf_http_request r = *request;
    mf_api_handle(swarm_api_choose_server(ctx, &r), &r, answer);
}

static bool takes_large_body(void *ctx, const struct mf_http_request *request)
{
    struct mf_http_request r = *request;
    return mf_api_takes_large(swarm_api_choose_server(ctx, &r), &r);
}

static void make_server(struct swarm_api *a)
{
    const struct swarm *w = a->l->w;
    mf_http_init(&a->http, handle_request, mf_api_is_short, a);
    a->http.places = SWARM_HTTP;
    a->http.takes_large = takes_large_body;
    a->http.large = a->large;
    a->served.w = a->l->w;
    a->server =
        (struct mf_api_server){.http = &a->http,
                               .vehicles = &a->one,
                               .count = 1,
                               .plan = &a->plan,
                               .find = find_drone,
                               .routes = a->route,
                               .route_count = swarm_routes_collect(w, a->route, SWARM_ROUTES_MAX)};
    (void)snprintf(a->server.token, sizeof a->server.token, "%.128s", w->scenario->links.token);
    a->one.server = &a->server;
    a->one.ops = &k_ops;
    a->one.ops_ctx = a;
    swarm_api_init_pictures(a);
}

/* ---- the service */

static const char *connect_client(struct swarm_links *l, uint16_t peer, uint16_t port,
                                  const struct mf_serial *serial)
{
    struct swarm_api *a = l->service_state;
    const bool local = mf_addr_is_loopback(&l->net.memory.ports[port].local);
    return mf_http_open(&a->http, peer, serial, local, l->wall_us) ? NULL : "too many connections";
}

static void disconnect_client(struct swarm_links *l, uint16_t peer)
{
    struct swarm_api *a = l->service_state;
    mf_http_close(&a->http, peer);
}

static mf_us_t serve_requests(struct swarm_links *l)
{
    struct swarm_api *a = l->service_state;
    a->http.utc_us = mf_utc_us();
    const mf_us_t due_us = mf_api_turn(&a->server, l->wall_us);
    swarm_api_settle_vehicle(a);
    swarm_watch_extend_tracks(a);
    for (int done = mf_http_done(&a->http); done >= 0; done = mf_http_done(&a->http)) {
        mf_http_close(&a->http, (uint16_t)done);
        mf_net_drop(&l->net, (uint16_t)done, NULL);
    }
    return due_us;
}

static void detach_vehicles(struct swarm_links *l)
{
    swarm_watch_stop_all(l->service_state);
    swarm_rules_remove_all(l);
}

static void free_api(struct swarm_links *l)
{
    free(l->service_state);
}

static int open_service(struct swarm *w)
{
    static const struct swarm_links_service k_service = {
        connect_client,   disconnect_client, serve_requests,  swarm_watch_listens,
        swarm_watch_step, swarm_rules_run,   detach_vehicles, free_api};
    if (!swarm_has(w, SWARM_SLOT_LINKS) || w->scenario->links.api[0] == '\0') {
        return SWARM_OK;
    }
    struct swarm_api *a = calloc(1, sizeof *a);
    if (a == NULL) {
        return swarm_refuse(w, w->scenario->links.line, "links.api: no memory");
    }
    a->l = swarm_links_of(w);
    make_server(a);
    const int result = swarm_links_serve(w, &k_service, a);
    if (result != SWARM_OK) {
        free(a);
    }
    return result;
}

const struct swarm_system swarm_api_system = {
    .name = "api",
    .metrics = &swarm_api_metrics,
    .on = {[SWARM_CONNECT] = open_service},
    .routes = k_route,
};

const struct swarm_system swarm_api_members_system = {
    .name = "api of members",
    .metrics = &swarm_members_metrics,
    .routes = k_members,
};
