/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/api.h"

#include "tools/simctl/api_drone.h"
#include "tools/simctl/call.h"
#include "tools/simctl/shape.h"
#include "tools/web/path.h"

#include <stdlib.h>
#include <string.h>

#define PATTERN_MAX    64u
#define PAGE_DEFAULT   500
#define PAGE_MAX       5000
#define WAIT_DEFAULT_S 60.0
#define WAIT_MAX_S     600.0
#define WAIT_STEP_MS   500
#define LOG_BYTES_MAX  (16u << 20)

static void create(struct simctl_call *c);
static void list(struct simctl_call *c);
static void end_labelled(struct simctl_call *c);
static void read_one(struct simctl_call *c);
static void end_one(struct simctl_call *c);
static void extend(struct simctl_call *c);
static void logs(struct simctl_call *c);
static void templates(struct simctl_call *c);
static void capacity(struct simctl_call *c);
static void health(struct simctl_call *c);
static void ready(struct simctl_call *c);

/* What is done with a request's body and parameters. */
enum body {
    NO_BODY,    /* there may be none */
    A_DOCUMENT, /* JSON */
    PASSED_ON,  /* as it is, with all parameters */
};

static const struct route {
    const char *method; /* NULL: any */
    const char *path;   /* {id} is a part without a slash; a last "/..." whatever follows */
    void (*serve)(struct simctl_call *c);
    enum body body;
    bool anyone; /* needs no token */
} k_route[] = {
    {"GET", "/healthz", health, NO_BODY, true},
    {"GET", "/readyz", ready, NO_BODY, true},
    {"POST", "/v1/instances", create, A_DOCUMENT, false},
    {"GET", "/v1/instances", list, NO_BODY, false},
    {"DELETE", "/v1/instances", end_labelled, NO_BODY, false},
    {"GET", "/v1/instances/{id}", read_one, NO_BODY, false},
    {"DELETE", "/v1/instances/{id}", end_one, NO_BODY, false},
    {"POST", "/v1/instances/{id}/extend", extend, A_DOCUMENT, false},
    {"GET", "/v1/instances/{id}/logs", logs, NO_BODY, false},
    {"GET", "/v1/instances/{id}/drone/", simctl_api_drone_page, NO_BODY, true},
    {NULL, "/v1/instances/{id}/drone/...", simctl_api_drone, PASSED_ON, false},
    {"GET", "/v1/holds", simctl_api_hold, NO_BODY, false},
    {"GET", "/v1/templates", templates, NO_BODY, false},
    {"GET", "/v1/capacity", capacity, NO_BODY, false},
};
#define ROUTES (sizeof k_route / sizeof k_route[0])

static const struct simctl_field k_create[] = {
    {"template", SIMCTL_TEXT, false, NULL, "its name"},
    {"values", SIMCTL_OBJECT, false, NULL, "of the template's, by their names"},
    {"lifetime", SIMCTL_DURATION, false, NULL, "at most the template's"},
    {"labels", SIMCTL_OBJECT, false, NULL, "texts by their names"},
    {"count", SIMCTL_INTEGER, false, NULL, "how many"},
    {"request", SIMCTL_TEXT, false, NULL, "the caller's id of this request, which may be repeated"},
    {NULL, SIMCTL_ANY, false, NULL, NULL},
};

static const struct simctl_field k_extend[] = {
    {"lifetime", SIMCTL_DURATION, true, NULL, "in all, from the beginning"},
    {NULL, SIMCTL_ANY, false, NULL, NULL},
};

/* ---- answers */

void simctl_api_refuse(void *ctx, unsigned status, const char *code, const char *text,
                       struct web_answer *answer)
{
    (void)ctx;
    json_t *o = json_pack("{s:s, s:s}", "error", text, "code", code);
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

void simctl_audit(const struct simctl_api *api, const struct simctl_who *who, const char *what,
                  const char *id)
{
    char now[32];
    if (api->audit != NULL) {
        simctl_utc_text(simctl_utc_us(), now);
        (void)fprintf(api->audit, "%s audit tenant=%s caller=%s %s instance=%s\n", now, who->tenant,
                      who->caller, what, id);
        (void)fflush(api->audit);
    }
}

static void audit(const struct simctl_call *c, const char *what, const char *id)
{
    simctl_audit(c->api, &c->who, what, id);
}

/* ---- labels */

/* K=V, or K alone: whatever its value. */
static bool fits_label(const json_t *labels, const char *wanted)
{
    char name[SIMCTL_LABEL_MAX];
    const size_t n = strcspn(wanted, "=");
    (void)snprintf(name, sizeof name, "%.*s", (int)n, wanted);
    const char *value = json_string_value(json_object_get(labels, name));
    return value != NULL && (wanted[n] == '\0' || strcmp(value, wanted + n + 1) == 0);
}

bool simctl_call_fits(const struct simctl_query *query, const json_t *labels)
{
    for (unsigned n = 0; n < query->labels; n++) {
        if (!fits_label(labels, query->label[n])) {
            return false;
        }
    }
    return true;
}

static bool is_wanted(const struct simctl_call *c, const struct simctl_instance *i)
{
    return simctl_call_fits(&c->query, i->labels) &&
           (c->query.state[0] == '\0' ||
            strcmp(c->query.state, simctl_state_word(i->state)) == 0) &&
           strcmp(i->id, c->query.after) > 0;
}

static bool check_labels(const json_t *labels, struct web_error *error)
{
    const char *name;
    const json_t *value;
    json_object_foreach((json_t *)labels, name, value)
    {
        const char *text = json_string_value(value);
        if (strlen(name) > 63 || text == NULL || strlen(text) > 63) {
            return web_refuse(error, 422, "labels",
                              "labels.%.63s: names and texts have 63 characters at most", name);
        }
    }
    return true;
}

/* ---- create */

static bool is_over(const struct simctl_instance *i)
{
    return i->state == SIMCTL_READY || i->state == SIMCTL_DEGRADED || i->state == SIMCTL_ENDED;
}

/* Until it is ready or has ended, or the time is over. */
static bool wait_for(struct simctl_call *c, struct simctl_instance *i)
{
    const struct simctl_backend *b = &c->api->backend;
    const int64_t until_us = simctl_utc_us() + (int64_t)(c->query.timeout_s * 1e6);
    uint64_t seen = b->ops->wait(b->ctx, 0, 0);
    while (!is_over(i)) {
        char id[SIMCTL_ID_MAX];
        (void)snprintf(id, sizeof id, "%s", i->id);
        simctl_instance_free(i);
        if (!b->ops->read(b->ctx, c->who.tenant, id, i, &c->error)) {
            return false;
        }
        if (is_over(i) || simctl_utc_us() >= until_us) {
            break;
        }
        seen = b->ops->wait(b->ctx, seen, WAIT_STEP_MS);
    }
    return true;
}

/* @return the order of all; false: refused */
static bool read_order(struct simctl_call *c, struct simctl_order *order, json_int_t *count)
{
    const json_t *lifetime = json_object_get(c->body, "lifetime"),
                 *number = json_object_get(c->body, "count");
    if (!simctl_shape_check(c->body, "", k_create, &c->error)) {
        return false;
    }
    const struct simctl_template *t = simctl_catalogue_find(
        c->templates, simctl_shape_text(c->body, "template", "drone"), &c->error);
    if (t == NULL || !check_labels(json_object_get(c->body, "labels"), &c->error)) {
        return false;
    }
    order->template = t;
    order->lifetime_s = simctl_shape_seconds(c->body, "lifetime", t->lifetime_default_s);
    if (lifetime != NULL && (order->lifetime_s < 1.0 || order->lifetime_s > t->lifetime_max_s)) {
        return web_refuse(&c->error, 422, "lifetime",
                          "lifetime must be 1 s to %g s, as template %s has it", t->lifetime_max_s,
                          t->name);
    }
    *count = number != NULL ? json_integer_value(number) : 1;
    if (*count < 1 || *count > SIMCTL_COUNT_MAX) {
        return web_refuse(&c->error, 422, "count", "count must be 1 to %d", SIMCTL_COUNT_MAX);
    }
    order->tenant = c->who.tenant;
    order->values = simctl_template_values(t, json_object_get(c->body, "values"), &c->error);
    return order->values != NULL;
}

static void create(struct simctl_call *c)
{
    const struct simctl_backend *b = &c->api->backend;
    struct simctl_order order = {0};
    json_int_t count = 0;
    bool good = read_order(c, &order, &count);
    json_t *made = json_array(), *labels = json_object_get(c->body, "labels");
    struct simctl_instance *all = good && count > 0 ? calloc((size_t)count, sizeof *all) : NULL;
    order.labels = labels != NULL ? json_incref(labels) : json_object();
    simctl_order_hash(&order, c->body);
    for (json_int_t n = 0; good && n < count; n++) {
        simctl_order_name(&order, c->who.caller, simctl_shape_text(c->body, "request", ""),
                          (unsigned)n);
        good = b->ops->create(b->ctx, &order, &all[n], &c->error);
        if (good) {
            audit(c, "create", order.id);
        }
    }
    for (json_int_t n = 0; good && n < count; n++) {
        good = strcmp(c->query.wait, "ready") != 0 || wait_for(c, &all[n]);
        (void)json_array_append_new(made, simctl_instance_json(&all[n]));
    }
    for (json_int_t n = 0; all != NULL && n < count; n++) {
        simctl_instance_free(&all[n]);
    }
    free(all);
    json_decref((json_t *)order.labels);
    json_decref((json_t *)order.values);
    c->answer->status = 201;
    c->gives = json_pack("{s:o}", "instances", made);
}

/* ---- read and list */

bool simctl_call_find(struct simctl_call *c, struct simctl_instance *i)
{
    const struct simctl_backend *b = &c->api->backend;
    return b->ops->read(b->ctx, c->who.tenant, c->id, i, &c->error);
}

static void read_one(struct simctl_call *c)
{
    struct simctl_instance i = {0};
    if (simctl_call_find(c, &i)) {
        if (strcmp(c->query.wait, "ready") != 0 || wait_for(c, &i)) {
            c->gives = simctl_instance_json(&i);
        }
        simctl_instance_free(&i);
    }
}

/* What a list gathers. */
struct gathering {
    const struct simctl_call *call;
    json_t *array;
    size_t left; /* wanted, and beyond the page */
};

static void gather(void *ctx, const struct simctl_instance *i)
{
    struct gathering *g = ctx;
    if (!is_wanted(g->call, i)) {
        return;
    }
    if (json_array_size(g->array) < (size_t)g->call->query.limit) {
        (void)json_array_append_new(g->array, simctl_instance_json(i));
    } else {
        g->left++;
    }
}

static json_t *gather_all(struct simctl_call *c, size_t *left)
{
    const struct simctl_backend *b = &c->api->backend;
    struct gathering g = {.call = c, .array = json_array()};
    (void)b->ops->list(b->ctx, c->who.tenant, gather, &g, &c->error);
    *left = g.left;
    return g.array;
}

static void list(struct simctl_call *c)
{
    size_t left = 0;
    json_t *array = gather_all(c, &left);
    const json_t *last = json_array_get(array, json_array_size(array) - 1);
    json_t *next = left > 0 ? json_incref(json_object_get(last, "id")) : json_null();
    c->gives = json_pack("{s:o, s:i, s:o}", "instances", array, "left", (int)left, "next", next);
}

/* ---- end and extend */

static bool end_id(struct simctl_call *c, const char *id)
{
    const struct simctl_backend *b = &c->api->backend;
    const bool good =
        b->ops->end(b->ctx, c->who.tenant, id, "ended by a caller", c->query.keep_logs, &c->error);
    if (good) {
        audit(c, "end", id);
    }
    return good;
}

static void end_one(struct simctl_call *c)
{
    struct simctl_instance i = {0};
    if (end_id(c, c->id) && simctl_call_find(c, &i)) {
        c->gives = simctl_instance_json(&i);
        simctl_instance_free(&i);
    }
}

static void end_labelled(struct simctl_call *c)
{
    size_t left = 0, n, ended = 0;
    const json_t *i;
    if (c->query.labels == 0) {
        (void)web_refuse(&c->error, 422, "label",
                         "?label=NAME=TEXT says which: without it nothing is ended");
        return;
    }
    json_t *array = gather_all(c, &left);
    json_array_foreach(array, n, i)
    {
        if (strcmp(simctl_shape_text(i, "state", ""), "ended") != 0) {
            ended += end_id(c, simctl_shape_text(i, "id", "")) ? 1u : 0u;
        }
    }
    json_decref(array);
    c->gives = json_pack("{s:i, s:i}", "ended", (int)ended, "left", (int)left);
}

static void extend(struct simctl_call *c)
{
    struct simctl_instance i = {0};
    const struct simctl_backend *b = &c->api->backend;
    if (!simctl_shape_check(c->body, "", k_extend, &c->error) || !simctl_call_find(c, &i)) {
        return;
    }
    const struct simctl_template *t =
        simctl_catalogue_find(c->templates, i.template_name, &c->error);
    const double lifetime_s = simctl_shape_seconds(c->body, "lifetime", 0.0);
    bool good = t != NULL;
    if (good && !t->extend) {
        good = web_refuse(&c->error, 403, "extend", "template %s lets no lifetime be extended",
                          t->name);
    }
    if (good && (lifetime_s < 1.0 || lifetime_s > t->lifetime_max_s)) {
        good = web_refuse(&c->error, 422, "lifetime", "lifetime must be 1 s to %g s in all",
                          t->lifetime_max_s);
    }
    good = good && b->ops->extend(b->ctx, c->who.tenant, c->id,
                                  i.asked_us + (int64_t)(lifetime_s * 1e6), &c->error);
    simctl_instance_free(&i);
    if (good && simctl_call_find(c, &i)) {
        audit(c, "extend", c->id);
        c->gives = simctl_instance_json(&i);
        simctl_instance_free(&i);
    }
}

/* ---- logs */

struct text {
    char *bytes;
    size_t len, cap;
};

static bool add_text(void *ctx, const char *bytes, size_t n)
{
    struct text *t = ctx;
    if (t->len + n > t->cap) {
        const size_t cap = 2 * (t->len + n);
        char *more = cap <= LOG_BYTES_MAX ? realloc(t->bytes, cap) : NULL;
        if (more == NULL) {
            return false;
        }
        t->bytes = more;
        t->cap = cap;
    }
    memcpy(t->bytes + t->len, bytes, n);
    t->len += n;
    return true;
}

static void logs(struct simctl_call *c)
{
    const struct simctl_backend *b = &c->api->backend;
    struct text t = {0};
    if (b->ops->logs(b->ctx, c->who.tenant, c->id, c->query.container, add_text, &t, &c->error)) {
        c->answer->type = "text/plain; charset=utf-8";
        c->answer->text = t.bytes;
        c->answer->text_len = t.len;
    } else {
        free(t.bytes);
    }
}

/* ---- what there is */

static void templates(struct simctl_call *c)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < c->templates->count; i++) {
        const struct simctl_template *t = &c->templates->template[i];
        (void)json_array_append_new(
            array, json_pack("{s:s, s:s, s:{s:f, s:f, s:b}, s:o}", "name", t->name, "description",
                             t->description, "lifetime", "default_s", t->lifetime_default_s,
                             "max_s", t->lifetime_max_s, "extend", (int)t->extend, "values",
                             t->values != NULL ? json_deep_copy(t->values) : json_object()));
    }
    c->gives = json_pack("{s:o}", "templates", array);
}

static void count_state(void *ctx, const struct simctl_instance *i)
{
    unsigned *count = ctx;
    count[i->state]++;
}

static void capacity(struct simctl_call *c)
{
    const struct simctl_backend *b = &c->api->backend;
    unsigned count[SIMCTL_STATES] = {0};
    json_t *states = json_object();
    (void)b->ops->list(b->ctx, c->who.tenant, count_state, count, &c->error);
    for (int i = 0; i < SIMCTL_STATES; i++) {
        (void)json_object_set_new(states, simctl_state_word((enum simctl_state)i),
                                  json_integer((json_int_t)count[i]));
    }
    c->gives = json_pack("{s:s, s:o}", "backend", c->api->backend_name, "instances", states);
}

static void health(struct simctl_call *c)
{
    c->gives = json_pack("{s:s}", "status", "ok");
}

static void skip(void *ctx, const struct simctl_instance *i)
{
    (void)ctx, (void)i;
}

/* What a backend lists it can answer for. */
static void ready(struct simctl_call *c)
{
    const char *name_space = NULL;
    const char *tenant = simctl_tenants_name(c->api->tenants, 0, &name_space);
    const struct simctl_backend *b = &c->api->backend;
    if (b->ops->list(b->ctx, tenant, skip, NULL, &c->error)) {
        health(c);
    }
}

/* ---- requests */

static bool copy(char *to, size_t size, const char *value)
{
    const bool fits = value != NULL && strlen(value) < size;
    (void)snprintf(to, size, "%s", fits ? value : "");
    return fits;
}

static bool take_parameter(void *ctx, const char *name, const char *value)
{
    struct simctl_call *c = ctx;
    bool good = false;
    char *end = NULL;
    if (strcmp(name, "label") == 0 && c->query.labels < SIMCTL_LABELS_MAX) {
        good = copy(c->query.label[c->query.labels++], SIMCTL_LABEL_MAX, value);
    } else if (strcmp(name, "state") == 0) {
        good = copy(c->query.state, sizeof c->query.state, value);
    } else if (strcmp(name, "after") == 0) {
        good = copy(c->query.after, sizeof c->query.after, value);
    } else if (strcmp(name, "container") == 0) {
        good = copy(c->query.container, sizeof c->query.container, value);
    } else if (strcmp(name, "wait") == 0) {
        good = copy(c->query.wait, sizeof c->query.wait, value) && strcmp(value, "ready") == 0;
    } else if (strcmp(name, "logs") == 0) {
        good = c->query.keep_logs = value != NULL && strcmp(value, "keep") == 0;
    } else if (strcmp(name, "timeout") == 0 && value != NULL) {
        c->query.timeout_s = strtod(value, &end);
        good = end != value && *end == '\0' && c->query.timeout_s >= 0 &&
               c->query.timeout_s <= WAIT_MAX_S;
    } else if (strcmp(name, "limit") == 0 && value != NULL) {
        c->query.limit = strtol(value, &end, 10);
        good = end != value && *end == '\0' && c->query.limit >= 1 && c->query.limit <= PAGE_MAX;
    }
    return good || web_refuse(&c->error, 422, "parameter",
                              "'%.40s=%.60s': parameters are label=NAME=TEXT, state, after, limit "
                              "(1 .. %d), container, logs=keep, wait=ready and timeout (0 .. %g s)",
                              name, value != NULL ? value : "", PAGE_MAX, WAIT_MAX_S);
}

/* The rest of a path behind as many parts as a pattern has; "" where there is none. */
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

static const struct route *look_up(struct simctl_call *c)
{
    const char *method = strcmp(c->request->method, "HEAD") == 0 ? "GET" : c->request->method;
    char methods[64] = "";
    size_t n = 0;
    for (size_t i = 0; i < ROUTES; i++) {
        if (fits(k_route[i].path, c->request->path, c->id, &c->rest)) {
            if (k_route[i].method == NULL || strcmp(k_route[i].method, method) == 0) {
                return &k_route[i];
            }
            n += (size_t)snprintf(methods + n, sizeof methods - n, "%s%s", n > 0 ? ", " : "",
                                  k_route[i].method);
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

static bool read_body(struct simctl_call *c, const struct route *route)
{
    json_error_t why;
    if (c->request->body_too_long) {
        return web_refuse(&c->error, 413, "body", "a body has %u bytes at most",
                          route->body != NO_BODY ? SIMCTL_BODY_MAX : 0u);
    }
    if (route->body != A_DOCUMENT) {
        return true;
    }
    c->body = json_loadb(c->request->body, c->request->body_len, JSON_REJECT_DUPLICATES, &why);
    return c->body != NULL ||
           web_refuse(&c->error, 400, "json", "the body is no JSON: line %d, column %d: %.120s",
                      why.line, why.column, why.text);
}

void simctl_api_handle(void *ctx, const struct web_request *request, struct web_answer *answer)
{
    struct simctl_call c = {.api = ctx, .request = request, .answer = answer};
    c.templates = simctl_shelf_take(c.api->templates);
    c.query.limit = PAGE_DEFAULT;
    c.query.timeout_s = WAIT_DEFAULT_S;
    const struct route *route = look_up(&c);
    const bool may =
        route != NULL &&
        (route->anyone || simctl_tenants_who(c.api->tenants, web_header(request, "Authorization"),
                                             request->local, &c.who, &c.error));
    if (may && read_body(&c, route) &&
        (route->body == PASSED_ON || web_parameters(request, take_parameter, &c))) {
        answer->status = 200;
        route->serve(&c);
    } else {
        (void)web_refuse(&c.error, 422, "parameter", "more parameters than there are");
    }
    if (c.error.status == 401) {
        web_answer_header(answer, "WWW-Authenticate", "Bearer");
    }
    finish(&c);
    simctl_shelf_give_back(c.api->templates, c.templates);
    json_decref(c.body);
    json_decref(c.gives);
}
