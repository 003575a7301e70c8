/* SPDX-License-Identifier: Apache-2.0 */
/* Control API (HTTP), for boards/posix and boards/swarm: the table of routes, and the way of a
 * request from its path to its handler. */
#include "host/api/api.h"

#include "firmware/report/snapshot.h"
#include "host/api/api_route.h"
#include "host/http/origin.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static void get_health(struct mf_api_call *call);
static void get_ready(struct mf_api_call *call);
static void get_config(struct mf_api_call *call);
static void get_vehicles(struct mf_api_call *call);
static void get_document(struct mf_api_call *call);

static const struct mf_api_field k_status_fields[] = {
    {"status", "string", "ok; or the reason why it is not ready"},
    {NULL, NULL, NULL},
};

static const struct mf_api_field k_vehicles_fields[] = {
    {"vehicles", "array:listed", "vehicles of this process"},
    {NULL, NULL, NULL},
};

#define JSON    MF_API_JSON
#define FREE    MF_API_FREE
#define PROCESS MF_API_PROCESS
#define VEHICLE MF_API_VEHICLE

static const struct mf_api_route k_route[] = {
    {"GET", "/", FREE, "text/html; charset=utf-8", mf_api_get_page,
     "Live page of the vehicle, for a browser", NULL, NULL, NULL},
    {"GET", "/docs", FREE, "text/html; charset=utf-8", mf_api_get_docs, "This page", NULL, NULL,
     NULL},
    {"GET", "/healthz", FREE, JSON, get_health, "Does the process run?", NULL, k_status_fields,
     NULL},
    {"GET", "/readyz", FREE, JSON, get_ready,
     "Has the vehicle been ready for a flight since its boot? 503: not yet", NULL, k_status_fields,
     NULL},
    {"GET", "/metrics", FREE, "text/plain; version=0.0.4", mf_api_get_metrics,
     "Counters and gauges for Prometheus", NULL, NULL, NULL},
    {"GET", "/v1/vehicles", PROCESS, JSON, get_vehicles, "Vehicles of this process", NULL,
     k_vehicles_fields, NULL},
    {"GET", "/v1/vehicle", VEHICLE, JSON, mf_api_get_vehicle, "State of the vehicle", NULL,
     mf_api_vehicle_fields, NULL},
    {"GET", "/v1/track", VEHICLE, JSON, mf_api_get_track, "Track of the flight since the boot",
     NULL, mf_api_track_fields, mf_api_track_query},
    {"GET", "/v1/mission", VEHICLE, JSON, mf_api_get_mission, "Items of the mission", NULL,
     mf_api_mission_fields, mf_api_items_query},
    {"PUT", "/v1/mission", VEHICLE, JSON, mf_api_put_mission,
     "Upload a mission with its geofence and rally points: a .plan of QGroundControl, a waypoint "
     "file, or items as GET gives them",
     mf_api_plan_fields, mf_api_upload_fields, mf_api_plan_query},
    MF_API_PLAN_ROUTES,
    {"POST", "/v1/faults", VEHICLE, JSON, mf_api_post_fault,
     "Begin or schedule a fault, or change the values of an active one", mf_api_fault_fields,
     mf_api_faults_fields, NULL},
    {"DELETE", "/v1/faults", VEHICLE, JSON, mf_api_delete_faults,
     "End all faults, and clear the schedule", NULL, mf_api_faults_fields, NULL},
    {"DELETE", "/v1/faults/{fault}", VEHICLE, JSON, mf_api_delete_fault,
     "End one fault, and clear its schedule", NULL, mf_api_faults_fields, NULL},
    {"GET", "/v1/misbehaviour", VEHICLE, JSON, mf_api_get_rules,
     "Rules of protocol misbehaviour, and how often they fired", NULL, mf_api_rules_fields, NULL},
    {"POST", "/v1/misbehaviour", VEHICLE, JSON, mf_api_post_rule,
     "Add a rule of protocol misbehaviour", mf_api_rule_fields, mf_api_rules_fields, NULL},
    {"DELETE", "/v1/misbehaviour", VEHICLE, JSON, mf_api_delete_rules, "End all rules", NULL,
     mf_api_rules_fields, NULL},
    {"DELETE", "/v1/misbehaviour/{rule}", VEHICLE, JSON, mf_api_delete_rule,
     "End the rule of an id, or all of a name", NULL, mf_api_rules_fields, NULL},
    {"POST", "/v1/commands", VEHICLE, JSON, mf_api_post_command,
     "Give the vehicle an action, or a MAVLink command (COMMAND_INT), and get its result",
     mf_api_command_fields, mf_api_result_fields, NULL},
    {"GET", "/v1/parameters", VEHICLE, JSON, mf_api_get_params,
     "All parameters, as JSON or as a file of a ground station", NULL, mf_api_params_fields,
     mf_api_param_file_query},
    {"PUT", "/v1/parameters", VEHICLE, JSON, mf_api_put_params,
     "Set the parameters of a file: QGroundControl's .params, MAVProxy's .parm",
     mf_api_param_file_fields, mf_api_param_set_fields, NULL},
    {"GET", "/v1/parameters/{name}", VEHICLE, JSON, mf_api_get_param, "One parameter", NULL,
     mf_api_param_fields, NULL},
    {"PUT", "/v1/parameters/{name}", VEHICLE, JSON, mf_api_put_param,
     "Set a parameter, as PARAM_SET does", mf_api_param_request_fields, mf_api_param_fields, NULL},
    {"GET", "/v1/clock", PROCESS, JSON, mf_api_get_clock, "How vehicle time passes", NULL,
     mf_api_clock_fields, NULL},
    {"POST", "/v1/clock", PROCESS, JSON, mf_api_post_clock,
     "Stop time, let it run, or change the clock. Answers at once (202); GET /v1/clock and the "
     "event clock tell when time has stopped",
     mf_api_order_fields, mf_api_clock_fields, NULL},
    {"GET", "/v1/links", VEHICLE, JSON, mf_api_get_links, "Links and their counters", NULL,
     mf_api_links_fields, NULL},
    {"GET", "/v1/links/{link}/quality", VEHICLE, JSON, mf_api_get_quality,
     "Quality of links: delay, loss, rate", NULL, mf_api_ports_fields, NULL},
    {"PUT", "/v1/links/{link}/quality", VEHICLE, JSON, mf_api_put_quality,
     "Change the quality of links, for present and later connections", mf_api_quality_fields,
     mf_api_ports_fields, NULL},
    {"GET", "/v1/map", PROCESS, JSON, mf_api_get_map, "Map of the live page", NULL,
     mf_api_map_fields, NULL},
    {"GET", "/v1/config", PROCESS, "application/yaml", get_config,
     "Configuration as --print-config prints it, without secrets", NULL, NULL, NULL},
    {"GET", "/v1/events", VEHICLE, "text/event-stream", mf_api_get_events,
     "Events of the vehicle as they happen (server-sent events)", NULL, NULL, mf_api_events_query},
    {"GET", "/openapi.json", PROCESS, JSON, get_document, "This API as an OpenAPI document", NULL,
     NULL, NULL},
};

bool mf_api_token_valid(const char *token)
{
    const size_t n = strlen(token);
    for (size_t i = 0; i < n; i++) {
        if (token[i] <= ' ' || token[i] > '~') {
            return false;
        }
    }
    return n >= MF_API_TOKEN_MIN && n <= MF_API_TOKEN_MAX;
}

/* ---- small routes */

static void get_health(struct mf_api_call *call)
{
    mf_json_text(&call->json, "status", "ok");
}

static void get_ready(struct mf_api_call *call)
{
    struct mf_snapshot s;
    if (call->api->ready) {
        mf_json_text(&call->json, "status", "ok");
        return;
    }
    mf_snapshot_take(call->api->vehicle, &s);
    call->answer->status = 503;
    mf_json_text(&call->json, "status", s.denial);
}

static void get_config(struct mf_api_call *call)
{
    call->answer->body = call->api->server->config;
    call->answer->len = call->api->server->config_len;
}

static void get_vehicles(struct mf_api_call *call)
{
    const struct mf_api_server *server = call->api->server;
    struct mf_json *j = &call->json;
    char path[sizeof MF_API_VEHICLES_PATH + 11];
    mf_json_array(j, "vehicles");
    for (uint16_t i = 0; i < server->count; i++) {
        const struct mf_api *api = &server->vehicles[i];
        (void)snprintf(path, sizeof path, MF_API_VEHICLES_PATH "%d", (int)api->instance);
        mf_json_object(j, NULL);
        mf_json_integer(j, "id", api->instance);
        mf_json_integer(j, "system_id", mf_vehicle_status(api->vehicle).sysid);
        mf_json_text(j, "path", path);
        mf_json_end(j);
    }
    mf_json_end(j);
}

size_t mf_api_document(char *text, size_t cap)
{
    return mf_api_write_document(k_route, sizeof k_route / sizeof k_route[0], text, cap);
}

static const struct mf_api_route *routes_of(const struct mf_api_server *server, size_t *count)
{
    *count = server->routes != NULL ? server->route_count : sizeof k_route / sizeof k_route[0];
    return server->routes != NULL ? server->routes : k_route;
}

static void get_document(struct mf_api_call *call)
{
    size_t count;
    char *text = call->api->server->http->answer;
    const struct mf_api_route *routes = routes_of(call->api->server, &count);
    call->answer->len = mf_api_write_document(routes, count, text, MF_HTTP_ANSWER_MAX);
    call->answer->body = text;
}

/* ---- paths */

/* True if a path fits a pattern, in which one part may be a parameter. @param param  out: the text
 * of the parameter */
static bool fits_pattern(const char *pattern, const struct mf_http_text *path,
                         struct mf_http_text *param)
{
    const char *brace = strchr(pattern, '{');
    if (brace == NULL) {
        return mf_api_is(path, pattern);
    }
    const char *tail = strchr(brace, '}') + 1;
    const size_t before = (size_t)(brace - pattern), behind = strlen(tail);
    if (path->len <= before + behind || memcmp(path->at, pattern, before) != 0 ||
        memcmp(path->at + path->len - behind, tail, behind) != 0 ||
        memchr(path->at + before, '/', path->len - before - behind) != NULL) {
        return false;
    }
    *param = (struct mf_http_text){path->at + before, path->len - before - behind};
    return true;
}

/* Bits of the methods of a path, for the header Allow. */
enum { GET = 1, POST = 2, PUT = 4, DELETE = 8, ALL = 15 };

static unsigned method_of(const char *method)
{
    switch (method[0]) {
    case 'G':
        return GET;
    case 'D':
        return DELETE;
    default:
        return method[1] == 'O' ? POST : PUT;
    }
}

static void write_allow(struct mf_api_call *call, unsigned methods)
{
    char *line = call->api->server->allow;
    (void)snprintf(line, sizeof call->api->server->allow, "Allow: %s%s%s%sOPTIONS\r\n",
                   (methods & GET) != 0 ? "GET, HEAD, " : "", (methods & POST) != 0 ? "POST, " : "",
                   (methods & PUT) != 0 ? "PUT, " : "", (methods & DELETE) != 0 ? "DELETE, " : "");
    call->answer->extra = line;
}

/* Split a path below /v1/vehicles/{id}. @param id  out @param rest  out: text after the id, such as
 * "/faults" @return false: it is another path */
static bool names_vehicle(const struct mf_http_text *path, struct mf_http_text *id,
                          struct mf_http_text *rest)
{
    const size_t n = strlen(MF_API_VEHICLES_PATH);
    if (path->len <= n || memcmp(path->at, MF_API_VEHICLES_PATH, n) != 0) {
        return false;
    }
    const char *begin = path->at + n;
    const char *end = memchr(begin, '/', path->len - n);
    const size_t len = end != NULL ? (size_t)(end - begin) : path->len - n;
    *id = (struct mf_http_text){begin, len};
    *rest = (struct mf_http_text){begin + len, path->len - n - len};
    return true;
}

/* Find the vehicle of an id. @return NULL: not found */
static struct mf_api *vehicle_of(struct mf_api_server *server, const struct mf_http_text *id)
{
    char known[12];
    if (server->find != NULL) {
        return server->find(server, id->at, id->len);
    }
    for (uint16_t i = 0; i < server->count; i++) {
        (void)snprintf(known, sizeof known, "%d", (int)server->vehicles[i].instance);
        if (mf_api_is(id, known)) {
            return &server->vehicles[i];
        }
    }
    return NULL;
}

/* Find the routes of a path. @param route  out: route for the request's method; NULL: the path does
 * not have this method @return bits of the methods of the path */
static unsigned look_up(struct mf_api_call *call, const struct mf_http_text *path,
                        const struct mf_api_route **route)
{
    const char *method = strcmp(call->request->method, "HEAD") == 0 ? "GET" : call->request->method;
    struct mf_http_text id, rest;
    struct mf_api *one =
        names_vehicle(path, &id, &rest) ? vehicle_of(call->api->server, &id) : NULL;
    unsigned methods = 0;
    size_t count;
    const struct mf_api_route *r = routes_of(call->api->server, &count);
    call->api = one != NULL ? one : call->api;
    *route = NULL;
    for (size_t i = 0; i < count; i++) {
        if (fits_pattern(r[i].path, path, &call->param) ||
            (one != NULL && r[i].scope == VEHICLE &&
             fits_pattern(mf_api_beneath(&r[i]), &rest, &call->param))) {
            methods |= method_of(r[i].method);
            *route = strcmp(r[i].method, method) == 0 ? &r[i] : *route;
        }
    }
    if (*route != NULL && (*route)->scope == VEHICLE && one == NULL &&
        call->api->server->find != NULL) {
        one = call->api->server->find(call->api->server, "1", 1);
        if (one == NULL) {
            return 0;
        }
        call->api = one;
    }
    return methods;
}

static void refuse_path(struct mf_api_call *call)
{
    const struct mf_api_route *route;
    struct mf_http_text path = call->request->path, id, rest;
    if (call->api->server->absent[0] != '\0') {
        mf_api_refuse(call, 404, "%s", call->api->server->absent);
        return;
    }
    if (names_vehicle(&path, &id, &rest) && vehicle_of(call->api->server, &id) == NULL) {
        mf_api_refuse(call, 404, "there is no vehicle '%.*s'; GET /v1/vehicles lists all",
                      (int)(id.len < 40 ? id.len : 40), id.at);
        return;
    }
    while (path.len > 1 && path.at[path.len - 1] == '/') {
        path.len--;
    }
    if (path.len < call->request->path.len && look_up(call, &path, &route) != 0) {
        mf_api_refuse(call, 404,
                      "there is nothing at this path; without the / at its end it is %.*s",
                      (int)(path.len < 100 ? path.len : 100), path.at);
    } else {
        mf_api_refuse(call, 404, "there is nothing at this path; /openapi.json lists all paths");
    }
}

/* Find the route of a request. A path without this method is refused with 405, as HTTP requires.
 * @return NULL: the request was answered */
static const struct mf_api_route *find_route(struct mf_api_call *call)
{
    const struct mf_api_route *route = NULL;
    const bool asks = strcmp(call->request->method, "OPTIONS") == 0;
    const unsigned methods = asks && mf_api_is(&call->request->path, "*")
                                 ? (unsigned)ALL
                                 : look_up(call, &call->request->path, &route);
    if (methods == 0) {
        refuse_path(call);
    } else if (asks) {
        call->answer->status = 204;
        write_allow(call, methods);
    } else if (route == NULL) {
        mf_api_refuse(call, 405, "%s is not served here", call->request->method);
        write_allow(call, methods);
    } else {
        return route;
    }
    return NULL;
}

/* Compare a token in a time that does not depend on the place of the first difference. */
static bool same_token(const struct mf_http_text *given, const char *token)
{
    const size_t n = strlen(token);
    unsigned differs = given->len != n;
    for (size_t i = 0; i < n; i++) {
        const char c = given->len > 0 ? given->at[i % given->len] : '\0';
        differs |= (unsigned)(uint8_t)(c ^ token[i]);
    }
    return n > 0 && differs == 0;
}

/* True if a web page of another site sent a request. In a browser on this machine it must not
 * control the drone: neither by a host name that leads to this machine, nor by a request across
 * origins. */
static bool is_foreign(const struct mf_http_request *r)
{
    return (r->local && r->host.len > 0 && !mf_http_names_loopback(r)) ||
           mf_http_crosses_origins(r);
}

/* Check the right to use a route. @return false: refused */
static bool is_admitted(struct mf_api_call *call, const struct mf_api_route *route)
{
    const struct mf_http_request *r = call->request;
    if (route->scope == FREE || r->local || same_token(&r->token, call->api->server->token)) {
        return true;
    }
    if (call->api->server->token[0] == '\0') {
        mf_api_refuse(call, 403, "not served on this address without --api-token");
        return false;
    }
    mf_api_refuse(call, 401, "the token is missing or wrong");
    call->answer->extra = "WWW-Authenticate: Bearer\r\n";
    return false;
}

static bool is_type(const struct mf_http_text *type, const char *word)
{
    const size_t n = strlen(word);
    return type->len >= n && strncasecmp(type->at, word, n) == 0 &&
           (type->len == n || strchr("; \t", type->at[n]) != NULL);
}

static bool is_encoded(const struct mf_http_request *r)
{
    return r->encoding.len > 0 && !mf_api_is(&r->encoding, "identity");
}

/* Check that the client accepts the type of the route's answer. @return false: refused */
static bool is_acceptable(struct mf_api_call *call, const struct mf_api_route *route)
{
    const struct mf_http_text *accept = &call->request->accept;
    const bool file = route->query == mf_api_param_file_query;
    if (!mf_http_accepts(accept, route->type) && !(file && mf_http_accepts(accept, "text/plain"))) {
        mf_api_refuse(call, 406, "the answer is %s, which Accept excludes", route->type);
        return false;
    }
    return true;
}

/* True if a type may be that of a file. The content of a file shows its kind, and programs give it
 * various types, but a type of something else is a mistake. */
static bool is_type_of_file(const struct mf_http_text *type)
{
    static const char *const k_type[] = {JSON, "text/plain", "application/octet-stream",
                                         "application/x-www-form-urlencoded"}; /* curl's default */
    bool known = type->len == 0;
    for (size_t i = 0; i < sizeof k_type / sizeof k_type[0] && !known; i++) {
        known = is_type(type, k_type[i]);
    }
    return known;
}

/* Check that the body is a file for the handler. @return false: refused */
static bool check_file_type(struct mf_api_call *call)
{
    const struct mf_http_request *r = call->request;
    const bool encoded = is_encoded(r);
    if (!encoded && is_type_of_file(&r->type)) {
        return true;
    }
    const struct mf_http_text *wrong = encoded ? &r->encoding : &r->type;
    mf_api_refuse(call, 415,
                  "the body must be a file as text/plain, " JSON
                  " or application/octet-stream, not "
                  "%.*s",
                  (int)(wrong->len < 60 ? wrong->len : 60), wrong->at);
    return false;
}

/* Read the body of a request. @return false: refused */
static bool read_body(struct mf_api_call *call, const struct mf_api_route *route)
{
    const struct mf_http_request *r = call->request;
    if (mf_api_is_file(route->takes)) {
        return check_file_type(call);
    }
    if (route->takes == NULL || route->scope == MF_API_RAW) {
        return true;
    }
    if (!is_type(&r->type, JSON) || is_encoded(r)) {
        mf_api_refuse(call, 415, "the body must be " JSON ", not encoded");
        return false;
    }
    if (!mf_json_read(call->body, r->body.at, r->body.len)) {
        mf_api_refuse(call, 400, "the body: %s", call->body->error);
        return false;
    }
    return !mf_api_check_body(call, route->takes);
}

static void finish_answer(struct mf_api_call *call)
{
    struct mf_http_answer *a = call->answer;
    struct mf_json *j = &call->json;
    if (a->body != NULL || a->stream || a->status == 204) {
        return; /* the handler wrote the body, or the answer does not have one */
    }
    while (j->depth > 0) {
        mf_json_end(j);
    }
    a->body = call->api->server->http->answer;
    a->len = j->len;
    if (j->full || j->len == j->cap) {
        *a = (struct mf_http_answer){.status = 500};
        return;
    }
    call->api->server->http->answer[a->len++] = '\n';
}

bool mf_api_is_short(const char *request, size_t n)
{
    static const char *const k_begin[] = {"GET /healthz", "GET /readyz", "HEAD /healthz",
                                          "HEAD /readyz"};
    for (size_t i = 0; i < sizeof k_begin / sizeof k_begin[0]; i++) {
        const size_t len = strlen(k_begin[i]);
        if (memcmp(request, k_begin[i], n < len ? n : len) == 0 &&
            (n <= len || request[len] == ' ' || request[len] == '?')) {
            return true;
        }
    }
    return false;
}

bool mf_api_takes_large(void *ctx, const struct mf_http_request *request)
{
    struct mf_api_server *server = ctx;
    const struct mf_api_route *route = NULL;
    struct mf_api_call call = {.api = &server->vehicles[0], .request = request};
    (void)look_up(&call, &request->path, &route);
    return route != NULL && mf_api_is_file(route->takes) && !is_foreign(request) &&
           (request->local || same_token(&request->token, server->token));
}

void mf_api_handle(void *ctx, const struct mf_http_request *request, struct mf_http_answer *answer)
{
    struct mf_api_server *server = ctx;
    struct mf_api_call call = {
        .api = &server->vehicles[0], .request = request, .answer = answer, .body = &server->body};
    server->body.count = 0;
    server->absent[0] = '\0';
    answer->status = 200;
    call.json = mf_json_writer(server->http->answer, server->http->answer_max);
    mf_json_object(&call.json, NULL);
    const struct mf_api_route *route = find_route(&call);
    if (is_foreign(request) && (route == NULL || route->scope != FREE)) {
        answer->extra = NULL;
        mf_api_refuse(&call, 403,
                      "requests of other sites, or by other names of this machine, are "
                      "not served");
    } else if (route != NULL) {
        answer->type = route->type;
        if (is_admitted(&call, route) && is_acceptable(&call, route) &&
            mf_api_check_query(&call, route) && read_body(&call, route)) {
            route->serve(&call);
        }
    }
    finish_answer(&call);
}

mf_us_t mf_api_turn(struct mf_api_server *server, mf_us_t wall_us)
{
    mf_us_t due_us = mf_http_pass(server->http, wall_us);
    if (mf_http_streams(server->http) == 0) {
        server->spoke_us = wall_us;
    } else {
        if (wall_us - server->spoke_us >= MF_API_QUIET_US) {
            static const char k_sign_of_life[] = ": nothing new\n\n";
            mf_http_tell(server->http, k_sign_of_life, sizeof k_sign_of_life - 1);
            server->spoke_us = wall_us;
        }
        const bool any = mf_http_feed(server->http, mf_api_next_piece);
        due_us = mf_earlier(due_us, any ? wall_us : server->spoke_us + MF_API_QUIET_US);
    }
    if (server->posted) {
        server->posted = false;
        return wall_us;
    }
    return due_us;
}
