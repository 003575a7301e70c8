/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/api/routes.h"

#include "host/base/json_view.h"
#include "host/base/value.h"
#include "tools/simctl/api/api_drone.h"
#include "tools/simctl/api/metrics.h"
#include "tools/web/path.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PATTERN_MAX    64u
#define PAGE_DEFAULT   500
#define PAGE_MAX       5000
#define WAIT_DEFAULT_S 60.0
#define WAIT_MAX_S     600.0
#define RETRY_S        1u /* for a client that finds no place */

const struct simctl_route simctl_routes[] = {
    {"GET", "/", simctl_api_page, SIMCTL_NO_BODY, NULL, 0, true, 200, "text/html",
     "Page of the instances, for a browser"},
    {"GET", "/healthz", simctl_api_health, SIMCTL_NO_BODY, NULL, 0, true, 200, "Status",
     "Does the controller run?"},
    {"GET", "/readyz", simctl_api_ready, SIMCTL_NO_BODY, NULL, 0, true, 200, "Status",
     "Does the backend of the instances answer?"},
    {"GET", "/metrics", simctl_api_metrics, SIMCTL_NO_BODY, NULL, 0, true, 200, "text/plain",
     "Counters and gauges for Prometheus"},
    {"GET", "/v1/openapi.json", simctl_api_openapi, SIMCTL_NO_BODY, NULL, 0, true, 200, "Document",
     "This API as an OpenAPI document"},
    {"GET", "/v1/docs", simctl_api_docs, SIMCTL_NO_BODY, NULL, 0, true, 200, "text/html",
     "This page"},
    {"POST", "/v1/instances", simctl_api_create, SIMCTL_A_DOCUMENT, simctl_create_fields,
     SIMCTL_TAKES(WAIT) | SIMCTL_TAKES(TIMEOUT), false, 201, "Created", "Start instances"},
    {"GET", "/v1/instances", simctl_api_list, SIMCTL_NO_BODY, NULL,
     SIMCTL_TAKES(LABEL) | SIMCTL_TAKES(STATE) | SIMCTL_TAKES(AFTER) | SIMCTL_TAKES(LIMIT), false,
     200, "Page", "List instances"},
    {"DELETE", "/v1/instances", simctl_api_end_labelled, SIMCTL_NO_BODY, NULL,
     SIMCTL_TAKES(LABEL) | SIMCTL_TAKES(STATE) | SIMCTL_TAKES(LOGS), false, 200, "Ended",
     "End all instances that have the labels"},
    {"GET", "/v1/instances/{id}", simctl_api_read_one, SIMCTL_NO_BODY, NULL,
     SIMCTL_TAKES(WAIT) | SIMCTL_TAKES(TIMEOUT), false, 200, "Instance", "State of an instance"},
    {"DELETE", "/v1/instances/{id}", simctl_api_end_one, SIMCTL_NO_BODY, NULL, SIMCTL_TAKES(LOGS),
     false, 200, "Instance", "End an instance; its state is kept until its TTL is over"},
    {"POST", "/v1/instances/{id}/extend", simctl_api_extend, SIMCTL_A_DOCUMENT,
     simctl_extend_fields, 0, false, 200, "Instance", "Extend the lifetime of an instance"},
    {"GET", "/v1/instances/{id}/logs", simctl_api_logs, SIMCTL_NO_BODY, NULL,
     SIMCTL_TAKES(CONTAINER), false, 200, "text/plain", "Log of a container of an instance"},
    {"GET", "/v1/instances/{id}/recording", simctl_api_recording, SIMCTL_NO_BODY, NULL, 0, false,
     200, "application/octet-stream", "Recording of the drone, for build/replay"},
    {"GET", "/v1/instances/{id}/events", simctl_api_events, SIMCTL_NO_BODY, NULL, 0, false, 200,
     "Events", "Events of the cluster about an instance"},
    {"GET", "/v1/instances/{id}/drone/", simctl_api_drone_page, SIMCTL_NO_BODY, NULL, 0, true, 200,
     "text/html", "Live page of the drone"},
    {"GET", "/v1/instances/{id}/drone/docs", simctl_api_drone_docs, SIMCTL_NO_BODY, NULL, 0, true,
     200, "text/html", "Page of the drone's control API"},
    {NULL, "/v1/instances/{id}/drone/...", simctl_api_drone, SIMCTL_PASSED_ON, NULL, 0, false, 200,
     NULL, "The drone's control API, as it is"},
    {"GET", "/v1/holds", simctl_api_hold, SIMCTL_NO_BODY, NULL, SIMCTL_TAKES(LABEL), false, 200,
     "text/plain", "Hold instances with a label: they end when this connection does"},
    {"GET", "/v1/templates", simctl_api_templates, SIMCTL_NO_BODY, NULL, 0, false, 200, "Templates",
     "Templates of instances, and the values that they take"},
    {"GET", "/v1/capacity", simctl_api_capacity, SIMCTL_NO_BODY, NULL, 0, false, 200, "Capacity",
     "Number of instances by state, and their limits"},
};
const size_t simctl_route_count = sizeof simctl_routes / sizeof simctl_routes[0];

/* ---- answers */

void simctl_api_refuse(void *ctx, unsigned status, const char *code, const char *text,
                       struct web_answer *answer)
{
    (void)ctx;
    json_t *o = json_pack("{s:o, s:s}", "error", simctl_shape_string(text), "code", code);
    answer->status = status;
    answer->type = "application/json";
    answer->text = json_dumps(o, JSON_COMPACT);
    answer->text_len = answer->text != NULL ? strlen(answer->text) : 0;
    json_decref(o);
}

static void finish(struct simctl_call *c)
{
    if (c->error.status != 0) {
        simctl_api_refuse(NULL, c->error.status, c->error.code, c->error.message, c->answer);
        return;
    }
    if (c->gives != NULL) {
        c->answer->type = "application/json";
        c->answer->text = json_dumps(c->gives, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
        c->answer->text_len = c->answer->text != NULL ? strlen(c->answer->text) : 0;
        c->answer->status = c->answer->text != NULL ? c->answer->status : 0;
    }
}

/* ---- audit */

/* Audit a refused change. Handlers audit the changes that they carry out. */
static void audit_refusal(const struct simctl_call *c)
{
    char what[256];
    if (c->error.status != 0 && simctl_call_changes(c)) {
        (void)snprintf(what, sizeof what, "%.20s %.200s", c->request->method, c->request->path);
        simctl_call_audit(c, what, c->id, c->error.code);
    }
}

/* ---- requests */

static bool copy(char *to, size_t size, const char *value)
{
    const bool fits = value != NULL && strlen(value) < size;
    (void)snprintf(to, size, "%s", fits ? value : "");
    return fits;
}

/* Context of set_parameter() while a query is parsed. */
struct taking {
    struct simctl_call *call;
    const struct simctl_route *route;
};

static bool number(const char *value, double low, double high, double *to)
{
    char *end = NULL;
    *to = value != NULL ? strtod(value, &end) : 0.0;
    return value != NULL && end != value && *end == '\0' && *to >= low && *to <= high;
}

static bool set_parameter(struct simctl_query *q, enum simctl_parameter parameter,
                          const char *value)
{
    double limit = 0.0;
    switch (parameter) {
    case SIMCTL_LABEL_PARAMETER:
        return q->labels < SIMCTL_LABELS_MAX &&
               copy(q->label[q->labels++], SIMCTL_LABEL_MAX, value);
    case SIMCTL_STATE_PARAMETER:
        return copy(q->state, sizeof q->state, value);
    case SIMCTL_AFTER_PARAMETER:
        return copy(q->after, sizeof q->after, value);
    case SIMCTL_CONTAINER_PARAMETER:
        return copy(q->container, sizeof q->container, value);
    case SIMCTL_WAIT_PARAMETER:
        return copy(q->wait, sizeof q->wait, value);
    case SIMCTL_LOGS_PARAMETER:
        q->keep_logs = true;
        return true;
    case SIMCTL_TIMEOUT_PARAMETER:
        return number(value, 0.0, WAIT_MAX_S, &q->timeout_s);
    case SIMCTL_LIMIT_PARAMETER:
        if (!number(value, 1.0, PAGE_MAX, &limit)) {
            return false;
        }
        q->limit = (long)limit;
        return (double)q->limit >= limit; /* a whole number */
    case SIMCTL_PARAMETERS:
        break;
    }
    return false;
}

/* A word of "a|b"; whatever is a range or free is judged by its reader. */
static bool is_allowed(const char *allowed, const char *value)
{
    if (allowed[0] == '\0' || strstr(allowed, "..") != NULL) {
        return true;
    }
    for (const char *word = allowed; value != NULL; word++) {
        const size_t n = strcspn(word, "|");
        if (strlen(value) == n && strncmp(word, value, n) == 0) {
            return true;
        }
        word += n;
        if (*word == '\0') {
            break;
        }
    }
    return false;
}

/* "label, state (pending|...), limit (1 .. 5000)" */
static void list_parameters(const struct simctl_route *route, char *text, size_t size)
{
    size_t n = 0;
    const char *allowed;
    (void)snprintf(text, size, "none");
    for (int i = 0; i < SIMCTL_PARAMETERS && n < size; i++) {
        if ((route->takes & 1u << i) != 0) {
            const char *name = simctl_parameter((enum simctl_parameter)i, &allowed, NULL);
            n += (size_t)snprintf(text + n, size - n, "%s%s%s%s%s", n > 0 ? ", " : "", name,
                                  allowed[0] != '\0' ? " (" : "", allowed,
                                  allowed[0] != '\0' ? ")" : "");
        }
    }
}

static bool take_parameter(void *ctx, const char *name, const char *value)
{
    const struct taking *t = ctx;
    char known[160];
    const char *allowed;
    for (int i = 0; i < SIMCTL_PARAMETERS; i++) {
        const enum simctl_parameter parameter = (enum simctl_parameter)i;
        if ((t->route->takes & 1u << i) != 0 &&
            strcmp(simctl_parameter(parameter, &allowed, NULL), name) == 0 &&
            is_allowed(allowed, value) && set_parameter(&t->call->query, parameter, value)) {
            return true;
        }
    }
    list_parameters(t->route, known, sizeof known);
    return web_refuse(&t->call->error, 422, "parameter", "'%.40s=%.40s': parameters here are: %s",
                      name, value != NULL ? value : "", known);
}

/* Rest of a path after as many parts as a pattern has; "" if the path ends there. */
static const char *behind(const char *pattern, size_t n, const char *path)
{
    for (size_t i = 0; i < n && *path == '/'; i++) {
        path += pattern[i] == '/' ? strcspn(path + 1, "/") + 1 : 0;
    }
    return path;
}

/* @param id  out [SIMCTL_ID_MAX]: what stands for {id}  @param rest  out: what stands for "..." */
static bool fits(const char *pattern, const char *path, char *id, const char **rest)
{
    char whole[PATTERN_MAX], begin[WEB_TARGET_MAX + 1];
    const char *part = "", *more = strstr(pattern, "/...");
    const size_t length = more != NULL ? (size_t)(more - pattern) : strlen(pattern);
    size_t n = 0;
    *rest = more != NULL ? behind(pattern, length, path) : path + strlen(path);
    (void)snprintf(whole, sizeof whole, "%.*s", (int)length, pattern);
    (void)snprintf(begin, sizeof begin, "%.*s", (int)(*rest - path), path);
    if (!web_path_fits(whole, begin, &part, &n) || n >= SIMCTL_ID_MAX) {
        return false;
    }
    (void)snprintf(id, SIMCTL_ID_MAX, "%.*s", (int)n, part);
    return true;
}

static const struct simctl_route *look_up(struct simctl_call *c)
{
    const char *method = strcmp(c->request->method, "HEAD") == 0 ? "GET" : c->request->method;
    char methods[64] = "";
    size_t n = 0;
    for (size_t i = 0; i < simctl_route_count; i++) {
        if (fits(simctl_routes[i].path, c->request->path, c->id, &c->rest)) {
            if (simctl_routes[i].method == NULL || strcmp(simctl_routes[i].method, method) == 0) {
                return &simctl_routes[i];
            }
            n += (size_t)snprintf(methods + n, sizeof methods - n, "%s%s", n > 0 ? ", " : "",
                                  simctl_routes[i].method);
        }
    }
    if (n > 0) {
        web_answer_header(c->answer, "Allow", "%s", methods);
        (void)web_refuse(&c->error, 405, "method", "%.10s is not served here, but %s", method,
                         methods);
    } else {
        (void)web_refuse(&c->error, 404, "unknown_path",
                         "there is nothing at %.100s; docs/controller.md lists all paths",
                         c->request->path);
    }
    return NULL;
}

static bool read_body(struct simctl_call *c, const struct simctl_route *route)
{
    json_error_t why;
    struct mf_json_mistake deep;
    if (c->request->body_too_long) {
        return web_refuse(&c->error, 413, "body", "a body has %u bytes at most",
                          route->body != SIMCTL_NO_BODY ? SIMCTL_BODY_MAX : 0u);
    }
    if (route->body != SIMCTL_A_DOCUMENT) {
        return true;
    }
    const size_t mark = mf_value_bom(c->request->body, c->request->body_len);
    if (!mf_json_nesting(c->request->body + mark, c->request->body_len - mark, &deep)) {
        return web_refuse(&c->error, 400, "json", "the body: line %u, column %u: %s", deep.line,
                          deep.column, deep.what);
    }
    c->body = json_loadb(c->request->body + mark, c->request->body_len - mark,
                         JSON_REJECT_DUPLICATES, &why);
    return c->body != NULL ||
           web_refuse(&c->error, 400, "json", "the body is not JSON: line %d, column %d: %.120s",
                      why.line, why.column, why.text);
}

/*
 * True for "127.0.0.1:5790", "[::1]:5790" and "localhost". A name that DNS resolves, such as
 * facade.cafe, could lead elsewhere.
 */
static bool is_this_machine(const char *host)
{
    const char *of_address = host[0] == '[' ? "[]0123456789abcdefABCDEF.:" : "0123456789.:";
    const size_t n = strcspn(host, ":");
    return strspn(host, of_address) == strlen(host) ||
           (n == 9 && strncasecmp(host, "localhost", n) == 0);
}

/*
 * True for a request that a page of another origin sent from a browser. Without tokens such a page
 * must not use the API. Browsers send the page's origin, and the host name under which they reached
 * this server.
 */
static bool is_from_elsewhere(const struct web_request *request)
{
    const char *origin = web_header(request, "Origin"), *host = web_header(request, "Host");
    const char *from = origin != NULL ? strstr(origin, "://") : NULL;
    return (origin != NULL && (from == NULL || host == NULL || strcmp(from + 3, host) != 0)) ||
           (host != NULL && !is_this_machine(host));
}

/* @return false: all places of its kind are in use; the client tries again */
static bool take_place(struct simctl_call *c, const struct simctl_route *route)
{
    const bool probe = route->serve == simctl_api_health || route->serve == simctl_api_ready;
    const bool end = strcmp(c->request->method, "DELETE") == 0;
    if (c->api->shares == NULL || probe) {
        return true;
    }
    c->answer->over_ctx =
        simctl_shares_enter(c->api->shares, route->anyone ? NULL : c->who.tenant,
                            end ? SIMCTL_SHARE_ENDS : SIMCTL_SHARE_REQUESTS, &c->error);
    if (c->answer->over_ctx == NULL) {
        web_answer_header(c->answer, "Retry-After", "%u", RETRY_S);
        return false;
    }
    c->answer->over = simctl_shares_leave;
    return true;
}

static void serve_route(struct simctl_call *c, const struct simctl_route *route)
{
    struct taking t = {c, route};
    const struct web_request *request = c->request;
    if (!route->anyone && !simctl_tenants_who(c->api->tenants, web_header(request, "Authorization"),
                                              request->local, &c->who, &c->error)) {
        return;
    }
    if (!route->anyone && simctl_tenants_open(c->api->tenants) && is_from_elsewhere(request)) {
        (void)web_refuse(&c->error, 403, "origin",
                         "a page from elsewhere may not use this controller; `serve --config` "
                         "gives callers tokens");
        return;
    }
    if (!take_place(c, route) || !read_body(c, route)) {
        return;
    }
    if (route->body != SIMCTL_PASSED_ON && !web_parameters(request, take_parameter, &t)) {
        (void)web_refuse(&c->error, 422, "parameter", "more than %u parameters",
                         WEB_PARAMETERS_MAX);
        return;
    }
    c->answer->status = route->status;
    route->serve(c);
}

void simctl_api_handle(void *ctx, const struct web_request *request, struct web_answer *answer)
{
    struct simctl_call c = {.api = ctx,
                            .request = request,
                            .answer = answer,
                            .routes = simctl_routes,
                            .route_count = simctl_route_count};
    const int64_t began_us = simctl_utc_us();
    c.templates = simctl_shelf_take(c.api->templates);
    c.query.limit = PAGE_DEFAULT;
    c.query.timeout_s = WAIT_DEFAULT_S;
    const struct simctl_route *route = look_up(&c);
    if (route != NULL) {
        serve_route(&c, route);
    }
    if (c.error.status == 401) {
        web_answer_header(answer, "WWW-Authenticate", "Bearer");
    }
    finish(&c);
    audit_refusal(&c);
    simctl_shelf_give_back(c.api->templates, c.templates);
    simctl_count_request(answer->status, route != NULL && route->serve == simctl_api_create,
                         simctl_utc_us() - began_us);
    json_decref(c.body);
    json_decref(c.gives);
}
