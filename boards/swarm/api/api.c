/* SPDX-License-Identifier: Apache-2.0 */
/* The control API of a swarm: the requests of one drone under /v1/vehicles/N, a list of all with
 * filters, the window, figures. One struct mf_api serves whichever vehicle is asked. */
#include "boards/swarm/api/api_own.h"
#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/time/run.h"
#include "drone/inside.h"
#include "firmware/state/version.h"
#include "hal-posix/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- one vehicle */

/* What was asked of it happens now. */
void swarm_api_settle(struct swarm_api *a)
{
    if (a->asked) {
        a->asked = false;
        (void)mf_crowd_touch(a->l->w->crowd, a->vehicle, swarm_present_us(a->l->w, a->vehicle),
                             NULL, NULL);
    }
}

bool swarm_api_number(const char *text, size_t n, uint32_t most, uint32_t *value)
{
    uint32_t number = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9' || number > most / 10u) {
            return false;
        }
        number = number * 10u + (uint32_t)(text[i] - '0');
    }
    *value = number;
    return n > 0 && number <= most;
}

uint32_t swarm_api_member(const struct swarm *w, const char *id, size_t n)
{
    char name[SWARM_NAME_MAX];
    if (n >= sizeof name) {
        return MF_CROWD_MAX;
    }
    (void)snprintf(name, sizeof name, "%.*s", (int)n, id);
    const uint32_t i = mf_query_id(w->scenario, name);
    return i < w->scenario->members ? i : MF_CROWD_MAX;
}

const char *swarm_api_kind(const struct swarm *w, uint32_t i)
{
    return mf_query_words(MF_QUERY_KIND)[mf_scenario_entity_of(w->scenario, i)->as];
}

/* Why a member that there is cannot be asked. */
static void say_absent(const struct swarm *w, uint32_t i, char *text, size_t cap)
{
    char name[SWARM_NAME_MAX];
    mf_scenario_member_name(w->scenario, i, name);
    if (swarm_is_absent(w, i, w->now_us)) {
        (void)snprintf(text, cap, "%s has not arrived yet, or has retired", name);
    } else if (swarm_is_vehicle(w, i)) {
        (void)snprintf(text, cap, "%s is frozen: an assertion failed within it", name);
    } else {
        (void)snprintf(text, cap, "%s is of the kind %s; GET /v1/vehicles tells all of it", name,
                       swarm_api_kind(w, i));
    }
}

static struct mf_api *find(struct mf_api_server *server, const char *id, size_t n)
{
    struct swarm_api *a = server->vehicles[0].ops_ctx;
    struct swarm *w = a->l->w;
    const uint32_t vehicle = swarm_api_member(w, id, n);
    swarm_api_settle(a);
    server->absent[0] = '\0';
    if (vehicle == MF_CROWD_MAX) {
        return NULL;
    }
    if (!swarm_is_vehicle(w, vehicle) || swarm_is_absent(w, vehicle, w->now_us) ||
        !mf_crowd_touch(w->crowd, vehicle, swarm_present_us(w, vehicle), NULL, NULL)) {
        say_absent(w, vehicle, server->absent, sizeof server->absent);
        return NULL;
    }
    a->vehicle = vehicle;
    a->asked = true;
    a->one.drone = mf_crowd_drone(w->crowd, vehicle);
    a->one.vehicle = mf_drone_vehicle(a->one.drone);
    a->one.instance = (int32_t)vehicle + 1;
    return &a->one;
}

/* ---- what handlers of one drone ask of the board */

static double achieved(const struct swarm *w)
{
    return w->scenario->time.clock == MF_SCENARIO_CLOCK_REAL ? w->rate : -1.0;
}

static uint64_t resident_bytes(void)
{
    struct rusage u;
    (void)getrusage(RUSAGE_SELF, &u);
    return (uint64_t)u.ru_maxrss * 1024u;
}

void swarm_api_figures(void *ctx, struct mf_api_figures *f)
{
    static const char *const k_clock[] = {
#define X(name, word) word,
        MF_SCENARIO_CLOCK_LIST(X)
#undef X
    };
    const struct swarm_api *a = ctx;
    const struct swarm *w = a->l->w;
    *f = (struct mf_api_figures){.version = MF_VERSION,
                                 .clock = k_clock[w->scenario->time.clock],
                                 .rate = w->rate,
                                 .achieved_rate = achieved(w),
                                 .late_us = (mf_us_t)(w->late_s * 1e6),
                                 .wall_us = a->l->wall_us - a->l->begun_us,
                                 .utc_us = mf_utc_us(),
                                 .resident_bytes = resident_bytes()};
}

static void link_of(void *ctx, uint16_t link, struct mf_api_link *about)
{
    (void)ctx, (void)link;
    about->port = MF_API_NO_PORT;
    about->transport = "swarm";
}

static int set_clock(void *ctx, const char *word, double rate)
{
    (void)ctx, (void)word, (void)rate;
    return MF_E_NOSUPP;
}

static int port_of(void *ctx, uint16_t port, struct mf_api_port *about)
{
    (void)ctx, (void)port, (void)about;
    return MF_E_NOENT;
}

static void set_quality(void *ctx, uint16_t port, const struct mf_link_quality *quality)
{
    (void)ctx, (void)port, (void)quality;
}

/* A visit to the vehicle that is asked. */
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

static void ask(void *ctx, uint32_t shard, uint32_t i, struct mf_drone *drone,
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

static int visit(void *ctx, struct asking *q)
{
    const struct swarm_api *a = ctx;
    struct swarm *w = a->l->w;
    q->result = MF_E_AGAIN;
    mf_crowd_visit(w->crowd, NULL, swarm_present_us(w, a->vehicle), a->vehicle, a->vehicle + 1u,
                   ask, q);
    return q->result;
}

static int command(void *ctx, struct mf_msg_command_int *m, struct mf_msg_command_ack *ack)
{
    return visit(ctx, &(struct asking){.command = m, .ack = ack});
}

static int upload(void *ctx, uint8_t type, struct mf_msg_mission_item_int *items, uint16_t count,
                  uint8_t *result)
{
    return visit(ctx,
                 &(struct asking){.items = items, .type = type, .count = count, .outcome = result});
}

static int set_param(void *ctx, struct mf_msg_param_set *m, uint8_t *error,
                     struct mf_msg_param_value *now)
{
    return visit(ctx, &(struct asking){.set = m, .outcome = error, .now = now});
}

static const struct mf_api_ops k_ops = {swarm_api_figures, link_of, set_clock, port_of,
                                        set_quality,       command, upload,    set_param};

/* ---- the window */

static void get_window(struct mf_api_call *call)
{
    const struct swarm_links *l = swarm_api_of(call)->l;
    mf_json_integer(&call->json, "port", l->w->scenario->links.window.port);
    mf_json_array(&call->json, "vehicles");
    for (uint32_t k = 0; k < l->window_count; k++) {
        mf_json_integer(&call->json, NULL, (int64_t)l->window[k] + 1);
    }
    mf_json_end(&call->json);
}

/* Numbers, or names of members and entities. @return false: it was refused */
static bool add_named(struct mf_api_call *call, struct mf_json_view item, uint32_t *vehicle,
                      uint32_t *count)
{
    const struct mf_scenario *s = swarm_api_of(call)->l->w->scenario;
    const double number = mf_json_view_number(item);
    char name[SWARM_NAME_MAX];
    uint32_t from = 0, to = 0;
    mf_json_view_text(item, name, sizeof name);
    if (number >= 1.0 && number <= (double)s->members && floor(number) == number) {
        from = (uint32_t)number - 1u;
        to = from + 1u;
    } else if (name[0] == '\0' || !mf_scenario_find(s, name, &from, &to)) {
        mf_api_refuse(call, 422, "vehicles: there is no %.40s; numbers are 1 .. %u",
                      name[0] != '\0' ? name : "such number", (unsigned)s->members);
        return false;
    }
    for (uint32_t i = from; i < to; i++) {
        bool twice = false;
        if (!swarm_is_vehicle(swarm_api_of(call)->l->w, i)) {
            mf_api_refuse(call, 422, "vehicles: no client can speak to agents and ghosts");
            return false;
        }
        for (uint32_t k = 0; k < *count; k++) {
            twice = twice || vehicle[k] == i;
        }
        if (!twice && *count == SWARM_GROUP) {
            mf_api_refuse(call, 422, "vehicles: a window has 250 at most");
            return false;
        }
        if (!twice) {
            vehicle[(*count)++] = i;
        }
    }
    return true;
}

bool swarm_api_body(struct mf_api_call *call, struct mf_json_view *root)
{
    const struct mf_http_text *body = &call->request->body;
    struct mf_json_mistake mistake;
    if (!mf_json_view_check(body->len > 0 ? body->at : "", body->len, root, &mistake)) {
        mf_api_refuse(call, 400, "the body: %u:%u: %s", mistake.line, mistake.column, mistake.what);
        return false;
    }
    return true;
}

static void put_window(struct mf_api_call *call)
{
    struct swarm_links *l = swarm_api_of(call)->l;
    struct mf_json_view root;
    uint32_t vehicle[SWARM_GROUP], count = 0;
    if (!swarm_api_body(call, &root)) {
        return;
    }
    const struct mf_json_view list = mf_json_view_get(root, "vehicles");
    if (mf_json_view_kind(list) != MF_JSON_VIEW_ARRAY) {
        mf_api_refuse(call, 422, "write {\"vehicles\": [1, 7312, \"walker.5\"]}");
        return;
    }
    if (l->w->scenario->links.window.port == 0) {
        mf_api_refuse(call, 409, "the scenario has no links.window");
        return;
    }
    for (struct mf_json_view item = mf_json_view_first(list);
         mf_json_view_kind(item) != MF_JSON_VIEW_MISSING; item = mf_json_view_next(item)) {
        if (!add_named(call, item, vehicle, &count)) {
            return;
        }
    }
    swarm_api_settle(swarm_api_of(call));
    swarm_window_set(l, vehicle, count);
    get_window(call);
}

/* ---- small routes */

static void get_health(struct mf_api_call *call)
{
    mf_json_text(&call->json, "status", "ok");
}

bool swarm_api_held(const struct swarm *w)
{
    const mf_us_t limit_us = mf_earlier(swarm_links_limit(w), w->hold_us);
    return limit_us <= w->now_us || (swarm_goes_by_steps(w) && limit_us < w->next_us);
}

static void get_swarm_clock(struct mf_api_call *call)
{
    const struct swarm *w = swarm_api_of(call)->l->w;
    struct mf_api_figures f;
    swarm_api_figures(swarm_api_of(call), &f);
    mf_json_number(&call->json, "time_s", (double)w->now_us / 1e6, 6);
    mf_json_number(&call->json, "wall_s", (double)f.wall_us / 1e6, 6);
    mf_json_text(&call->json, "clock", f.clock);
    mf_json_number(&call->json, "rate", f.rate, 6);
    mf_json_number(&call->json, "late_s", w->late_s, 6);
    mf_json_bool(&call->json, "held", swarm_api_held(w));
    mf_json_bool(&call->json, "idle",
                 swarm_goes_by_steps(w) ? w->next_us == MF_NEVER : swarm_is_idle(w));
}

bool swarm_api_change_clock(struct mf_api_call *call, const struct mf_json_member *clock,
                            const struct mf_json_member *rate)
{
    struct swarm *w = swarm_api_of(call)->l->w;
    const bool real = clock != NULL && strcmp(clock->text, "real") == 0;
    const bool fast = clock != NULL && strcmp(clock->text, "fast") == 0;
    const int32_t before = w->scenario->time.clock;
    if (clock != NULL && !real && !fast) {
        mf_api_refuse(call, 422, "clock must be real or fast, not '%.40s'", clock->text);
        return false;
    }
    if (clock != NULL && before == MF_SCENARIO_CLOCK_LOCKSTEP) {
        mf_api_refuse(call, 409, "clock: on lockstep another program lets time pass");
        return false;
    }
    w->scenario->time.clock = real   ? MF_SCENARIO_CLOCK_REAL
                              : fast ? MF_SCENARIO_CLOCK_FAST
                                     : before;
    const int result = rate != NULL ? swarm_run_rate(w, rate->number) : MF_E_OK;
    if (result != MF_E_OK) {
        w->scenario->time.clock = before;
        mf_api_refuse(call, result == MF_E_RANGE ? 422 : 409, "rate: %s",
                      result == MF_E_RANGE ? "0.01 .. 10000"
                                           : "this clock has none; give \"clock\": \"real\" too");
    }
    return result == MF_E_OK;
}

static void post_clock(struct mf_api_call *call)
{
    struct swarm *w = swarm_api_of(call)->l->w;
    const struct mf_json_member *action = mf_json_find(call->body, "action");
    const struct mf_json_member *seconds = mf_json_find(call->body, "seconds");
    const struct mf_json_member *rate = mf_json_find(call->body, "rate");
    const struct mf_json_member *clock = mf_json_find(call->body, "clock");
    const bool runs = action != NULL && strcmp(action->text, "run") == 0;
    const bool holds = action != NULL && strcmp(action->text, "hold") == 0;
    const bool steps = action != NULL && strcmp(action->text, "step") == 0;
    if (action != NULL && !runs && !holds && !steps && strcmp(action->text, "resume") != 0) {
        mf_api_refuse(call, 422, "action must be hold, run, step or resume, not '%.40s'",
                      action->text);
        return;
    }
    if (runs != (seconds != NULL) ||
        (runs && !(seconds->number >= 0.0 && seconds->number <= 1e7))) {
        mf_api_refuse(call, 422, "run, and run alone, needs seconds: 0 .. 1e7");
        return;
    }
    if (!swarm_api_change_clock(call, clock, rate)) {
        return;
    }
    if (runs) {
        swarm_run_step(w, (mf_us_t)(seconds->number * 1e6));
    } else if (steps) {
        swarm_run_steps(w, 1);
    } else if (action != NULL) {
        swarm_run_pause(w, holds);
    }
    get_swarm_clock(call);
}

void swarm_api_get_document(struct mf_api_call *call)
{
    const struct mf_api_server *server = &swarm_api_of(call)->server;
    call->answer->len = mf_api_write_document(server->routes, server->route_count,
                                              server->http->answer, MF_HTTP_ANSWER_MAX);
    call->answer->body = server->http->answer;
}

/* ---- the table */

static const struct mf_api_field k_status[] = {{"status", "string", "ok"}, {NULL, NULL, NULL}};
static const struct mf_api_field k_window[] = {
    {"port", "integer", "of the scenario; 0: it has no window"},
    {"vehicles", "array:integer", "their numbers"},
    {NULL, NULL, NULL},
};
static const struct mf_api_field k_window_request[] = {
    {"vehicles", "array:string", "numbers, or names of members and entities; 250 vehicles at most"},
    {NULL, NULL, NULL},
};
static const struct mf_api_field k_time[] = {
    {"time_s", "number", "vehicle time of all"},
    {"wall_s", "number", "since the boot"},
    {"clock", "string", "event, fast or real"},
    {"rate", "number", "of real"},
    {"late_s", "number", "worst lateness"},
    {"held", "boolean", "a barrier or this API holds the world, or a client does not read"},
    {"idle", "boolean", "nothing will happen any more by itself"},
    {NULL, NULL, NULL},
};
static const struct mf_api_field k_order[] = {
    {"action", "string:hold|run|step|resume",
     "time stands; goes on for some seconds, then stands; for a tick of cells, a step of a search, "
     "a second of vehicles; goes on"},
    {"seconds", "number:0..10000000", "of run"},
    {"clock", "string:real|fast", "from now on it counts with the wall, or runs free"},
    {"rate", "number:0.01..10000", "of a clock that counts with the wall, from now on"},
    {NULL, NULL, NULL},
};

#define JSON    MF_API_JSON
#define FREE    MF_API_FREE
#define PROCESS MF_API_PROCESS
#define VEHICLE MF_API_VEHICLE

/* Of every run. */
static const struct mf_api_route k_common[] = {
    {"GET", "/docs", FREE, "text/html; charset=utf-8", mf_api_get_docs, "This API, for a browser",
     NULL, NULL, NULL},
    {"GET", "/healthz", FREE, JSON, get_health, "The process runs", NULL, k_status, NULL},
    {"GET", "/readyz", FREE, JSON, get_health, "All members have booted", NULL, k_status, NULL},
    {"GET", "/v1/clock", PROCESS, JSON, get_swarm_clock, "How time passes", NULL, k_time, NULL},
    {"POST", "/v1/clock", PROCESS, JSON, post_clock, "Hold the world, or let it run", k_order,
     k_time, NULL},
    {"GET", "/openapi.json", PROCESS, JSON, swarm_api_get_document, "This document", NULL, NULL,
     NULL},
};

/* Of members that are vehicles, agents and ghosts, beside those. */
static const struct mf_api_route k_members[] = {
    {"GET", "/metrics", FREE, "text/plain; version=0.0.4", swarm_api_get_metrics,
     "Figures for Prometheus", NULL, NULL, NULL},
    {"GET", "/vehicles/{vehicle}/", FREE, "text/html; charset=utf-8", mf_api_get_page,
     "The live picture of a member, for a browser", NULL, NULL, NULL},
    {"GET", "/v1/vehicles", PROCESS, JSON, swarm_api_get_list, "Members that pass filters", NULL,
     swarm_api_list, swarm_api_list_query},
    {"GET", "/v1/window", PROCESS, JSON, get_window, "Vehicles of the window", NULL, k_window,
     NULL},
    {"PUT", "/v1/window", PROCESS, JSON, put_window, "Other vehicles from now on", k_window_request,
     k_window, NULL},
    {"GET", "/v1/vehicle", VEHICLE, JSON, swarm_api_get_vehicle, "State of a vehicle", NULL,
     mf_api_vehicle_fields, NULL},
    {"GET", "/v1/track", VEHICLE, JSON, swarm_api_get_track,
     "Its flight as a line, from the first request for its track or events on", NULL,
     mf_api_track_fields, mf_api_track_query},
    {"GET", "/v1/mission", VEHICLE, JSON, mf_api_get_mission, "Items of its mission", NULL,
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
     "An action, or a MAVLink command; answers with its result", mf_api_command_fields,
     mf_api_result_fields, NULL},
    {"GET", "/v1/parameters", VEHICLE, JSON, mf_api_get_params, "All parameters", NULL,
     mf_api_params_fields, mf_api_param_file_query},
    {"PUT", "/v1/parameters", VEHICLE, JSON, mf_api_put_params, "Set those of a file",
     mf_api_param_file_fields, mf_api_param_set_fields, NULL},
    {"GET", "/v1/parameters/{name}", VEHICLE, JSON, mf_api_get_param, "One parameter", NULL,
     mf_api_param_fields, NULL},
    {"PUT", "/v1/parameters/{name}", VEHICLE, JSON, mf_api_put_param, "Set a parameter",
     mf_api_param_request_fields, mf_api_param_fields, NULL},
    {"GET", "/v1/misbehaviour", VEHICLE, JSON, mf_api_get_rules,
     "Rules of protocol misbehaviour and how often they fired", NULL, mf_api_rules_fields, NULL},
    {"POST", "/v1/misbehaviour", VEHICLE, JSON, swarm_api_post_rule, "Add a rule",
     mf_api_rule_fields, mf_api_rules_fields, NULL},
    {"DELETE", "/v1/misbehaviour", VEHICLE, JSON, mf_api_delete_rules, "End all rules", NULL,
     mf_api_rules_fields, NULL},
    {"DELETE", "/v1/misbehaviour/{rule}", VEHICLE, JSON, mf_api_delete_rule,
     "End the rule of an id, or all of a name", NULL, mf_api_rules_fields, NULL},
    {"GET", "/v1/events", VEHICLE, "text/event-stream", swarm_api_get_events,
     "What happens, as server-sent events; Last-Event-ID or ?after=ID repeats what came after that",
     NULL, NULL, mf_api_events_query},
    {"GET", "/v1/links", VEHICLE, JSON, mf_api_get_links, "Links and what they counted", NULL,
     mf_api_links_fields, NULL},
};

/* ---- the server */

static void add_routes(struct swarm_api *a, const struct mf_api_route *route, size_t count)
{
    MF_ASSERT(a->route_count + count <= SWARM_ROUTES_MAX);
    memcpy(&a->route[a->route_count], route, count * sizeof route[0]);
    a->route_count += count;
}

static void handle(void *ctx, const struct mf_http_request *request, struct mf_http_answer *answer)
{
    struct mf_http_request r = *request;
    mf_api_handle(swarm_picture_server(ctx, &r), &r, answer);
}

static bool takes_large(void *ctx, const struct mf_http_request *request)
{
    struct mf_http_request r = *request;
    return mf_api_takes_large(swarm_picture_server(ctx, &r), &r);
}

bool swarm_api_init(struct swarm_links *l)
{
    const char *token = l->w->scenario->links.token;
    struct swarm_api *a = calloc(1, sizeof *a);
    if (a == NULL) {
        return false;
    }
    l->api = a;
    a->l = l;
    mf_http_init(&a->http, handle, mf_api_is_short, a);
    a->http.places = SWARM_HTTP;
    a->http.takes_large = takes_large;
    a->http.large = a->large;
    add_routes(a, k_common, sizeof k_common / sizeof k_common[0]);
    const bool steps = swarm_goes_by_steps(l->w);
    size_t count = sizeof k_members / sizeof k_members[0];
    const struct mf_api_route *own = steps ? swarm_api_world(l->w, &count) : k_members;
    add_routes(a, own, count);
    a->server = (struct mf_api_server){.http = &a->http,
                                       .vehicles = &a->one,
                                       .count = 1,
                                       .plan = &a->plan,
                                       .find = find,
                                       .routes = a->route,
                                       .route_count = a->route_count,
                                       .raw = steps ? swarm_api_task : k_window_request};
    (void)snprintf(a->server.token, sizeof a->server.token, "%.128s", token);
    a->one.server = &a->server;
    a->one.ops = &k_ops;
    a->one.ops_ctx = a;
    swarm_picture_init(a);
    return true;
}

const char *swarm_api_opened(struct swarm_links *l, uint16_t peer, uint16_t port,
                             const struct mf_serial *serial)
{
    const bool local = mf_addr_is_loopback(&l->net.memory.ports[port].local);
    return mf_http_open(&l->api->http, peer, serial, local, l->wall_us) ? NULL
                                                                        : "too many connections";
}

void swarm_api_closed(struct swarm_links *l, uint16_t peer)
{
    mf_http_close(&l->api->http, peer);
}

mf_us_t swarm_api_turn(struct swarm_links *l)
{
    struct swarm_api *a = l->api;
    a->http.utc_us = mf_utc_us();
    const mf_us_t due_us = mf_api_turn(&a->server, l->wall_us);
    swarm_api_settle(a);
    swarm_watch_turn(a);
    for (int done = mf_http_done(&a->http); done >= 0; done = mf_http_done(&a->http)) {
        mf_http_close(&a->http, (uint16_t)done);
        mf_net_drop(&l->net, (uint16_t)done, NULL);
    }
    return due_us;
}
