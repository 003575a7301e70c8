/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/api/metrics.h"
#include "tools/simctl/api/parallel.h"
#include "tools/simctl/api/routes.h"

#include "tools/simctl/base/label.h"
#include "tools/simctl/base/shape.h"
#include "tools/simctl/base/text.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define WAIT_STEP_MS 500
#define BY_CALLER    "ended by a caller"

static bool is_wanted(const struct simctl_call *c, const struct simctl_instance *i)
{
    return simctl_call_fits(&c->query, i->labels) &&
           (c->query.state[0] == '\0' ||
            strcmp(c->query.state, simctl_state_word(i->state)) == 0) &&
           strcmp(i->id, c->query.after) > 0;
}

/* ---- create */

const struct simctl_field simctl_create_fields[] = {
    {"template", SIMCTL_TEXT, false, NULL, "name of the template; may be left out if there is one"},
    {"values", SIMCTL_OBJECT, false, NULL,
     "values of the template by name; the others keep their defaults"},
    {"lifetime", SIMCTL_DURATION, false, NULL,
     "time after which the instance ends, such as 20m; at most the template's"},
    {"labels", SIMCTL_OBJECT, false, NULL, "labels of the instances: texts by name"},
    {"count", SIMCTL_INTEGER, false, NULL, "number of instances; 1 by default"},
    {"request", SIMCTL_TEXT, false, NULL,
     "id of this request, by the caller: a repeated request starts no further instances"},
    {NULL, SIMCTL_ANY, false, NULL, NULL},
};

static bool is_over(const struct simctl_instance *i)
{
    return i->state == SIMCTL_READY || i->state == SIMCTL_DEGRADED || i->state == SIMCTL_ENDED;
}

static int64_t deadline_us(const struct simctl_call *c)
{
    return simctl_utc_us() + (int64_t)(c->query.timeout_s * 1e6);
}

/*
 * Read an instance again. After its TTL it is unknown: it keeps its values, and counts as ended.
 * @return false: refused
 */
static bool read_again(struct simctl_call *c, struct simctl_instance *i)
{
    const struct simctl_backend *b = &c->api->backend;
    struct simctl_instance now = {0};
    if (b->ops->read(b->ctx, c->who.tenant, i->id, &now, &c->error)) {
        simctl_instance_free(i);
        *i = now;
    } else if (c->error.status == 404) {
        c->error = (struct web_error){0};
        if (i->state != SIMCTL_ENDED) {
            i->state = SIMCTL_ENDED;
            (void)snprintf(i->reason, sizeof i->reason, "it has ended, and its TTL is over");
        }
    }
    return c->error.status == 0;
}

/* Until it is ready or has ended, or the time is over. */
static bool wait_for(struct simctl_call *c, struct simctl_instance *i, int64_t until_us)
{
    const struct simctl_backend *b = &c->api->backend;
    uint64_t seen = b->ops->wait(b->ctx, 0, 0);
    while (!is_over(i)) {
        if (!read_again(c, i)) {
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
    if (!simctl_shape_check(c->body, "", simctl_create_fields, &c->error)) {
        return false;
    }
    const struct simctl_template *t = simctl_catalogue_find(
        c->templates, simctl_shape_text(c->body, "template", "drone"), &c->error);
    if (t == NULL || !simctl_labels_check(json_object_get(c->body, "labels"), &c->error)) {
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

/* Instances of one request, while their creations run side by side. */
struct beginning {
    struct simctl_call *call;
    const struct simctl_order *first; /* with the id that the first one has */
    struct simctl_instance *all;      /* without labels: not begun */
    atomic_bool failed;
    pthread_mutex_t lock; /* of error */
    struct web_error error;
};

/* Set the id of the n-th instance, and create it. A failure keeps the others from beginning. */
static bool begin_one(struct beginning *b, struct simctl_order *order, size_t n)
{
    struct simctl_call *c = b->call;
    struct simctl_instance *out = &b->all[n];
    struct web_error error = {0};
    simctl_order_name(order, c->who.caller, simctl_shape_text(c->body, "request", ""), (unsigned)n);
    if (!c->api->backend.ops->create(c->api->backend.ctx, order, out, &error)) {
        *out = (struct simctl_instance){0};
        memcpy(out->id, order->id, sizeof out->id); /* begun in part, perhaps */
        (void)pthread_mutex_lock(&b->lock);
        b->error = b->error.status == 0 ? error : b->error;
        (void)pthread_mutex_unlock(&b->lock);
        b->failed = true;
        return false;
    }
    simctl_call_audit(c, "create", out->id, "done");
    simctl_count_created(order->tenant, order->template->name);
    return true;
}

static void begin_other(void *ctx, size_t i)
{
    struct beginning *b = ctx;
    struct simctl_order order = *b->first;
    if (!b->failed) {
        (void)begin_one(b, &order, i + 1);
    }
}

/* Begin all: first one, whose id the others have with another number.
 * @param all  out [count]  @return false: not all have begun */
static bool begin_all(struct simctl_call *c, struct simctl_order *order, json_int_t count,
                      struct simctl_instance *all)
{
    struct beginning b = {.call = c, .first = order, .all = all};
    (void)pthread_mutex_init(&b.lock, NULL);
    if (begin_one(&b, order, 0)) {
        memcpy(order->id, all[0].id, sizeof order->id);
        simctl_parallel((size_t)count - 1, c->api->backend.ops->width, begin_other, &b);
    }
    (void)pthread_mutex_destroy(&b.lock);
    c->error = b.error;
    return !b.failed;
}

/* End those that have begun, if not all have: a caller that has named no request cannot ask for
 * these again. */
static void end_begun(struct simctl_call *c, json_int_t count, const struct simctl_instance *all)
{
    const struct simctl_backend *b = &c->api->backend;
    if (simctl_shape_text(c->body, "request", "")[0] != '\0') {
        return;
    }
    for (json_int_t i = 0; i < count; i++) {
        struct web_error ignored = {0};
        if (all[i].id[0] != '\0' &&
            b->ops->end(b->ctx, c->who.tenant, all[i].id, "not all of its request could be started",
                        false, &ignored)) {
            simctl_call_audit(c, "end", all[i].id, "done");
        }
    }
}

static json_t *tell_all(struct simctl_call *c, json_int_t count, struct simctl_instance *all)
{
    const int64_t until_us = deadline_us(c);
    bool good = true;
    json_t *made = json_array();
    for (json_int_t n = 0; good && n < count; n++) {
        good = strcmp(c->query.wait, "ready") != 0 || wait_for(c, &all[n], until_us);
        (void)json_array_append_new(made, simctl_instance_json(&all[n]));
    }
    return json_pack("{s:o}", "instances", made);
}

void simctl_api_create(struct simctl_call *c)
{
    struct simctl_order order = {0};
    json_int_t count = 0;
    if (!read_order(c, &order, &count) || count < 1) {
        json_decref((json_t *)order.values);
        return;
    }
    json_t *labels = json_object_get(c->body, "labels");
    struct simctl_instance *all = calloc((size_t)count, sizeof *all);
    order.labels = labels != NULL ? json_incref(labels) : json_object();
    simctl_order_hash(&order, c->body);
    if (all == NULL) {
        (void)web_refuse(&c->error, 500, "memory", "no memory");
    } else if (begin_all(c, &order, count, all)) {
        c->gives = tell_all(c, count, all);
    } else {
        end_begun(c, count, all);
    }
    for (json_int_t n = 0; all != NULL && n < count; n++) {
        simctl_instance_free(&all[n]);
    }
    free(all);
    json_decref((json_t *)order.labels);
    json_decref((json_t *)order.values);
}

/* ---- read and list */

void simctl_api_read_one(struct simctl_call *c)
{
    struct simctl_instance i = {0};
    if (simctl_call_find(c, &i)) {
        if (strcmp(c->query.wait, "ready") != 0 || wait_for(c, &i, deadline_us(c))) {
            c->gives = simctl_instance_json(&i);
        }
        simctl_instance_free(&i);
    }
}

/* Filter and result of a list of instances. */
struct gathering {
    const struct simctl_call *call;
    bool living; /* leave out instances that are ending */
    json_t *array;
    size_t left; /* wanted, and beyond the page */
};

static void gather(void *ctx, const struct simctl_instance *i)
{
    struct gathering *g = ctx;
    if (!is_wanted(g->call, i) || (g->living && i->state >= SIMCTL_ENDING)) {
        return;
    }
    if (json_array_size(g->array) < (size_t)g->call->query.limit) {
        (void)json_array_append_new(g->array, simctl_instance_json(i));
    } else {
        g->left++;
    }
}

static json_t *gather_all(struct simctl_call *c, bool living, size_t *left)
{
    const struct simctl_backend *b = &c->api->backend;
    struct gathering g = {.call = c, .living = living, .array = json_array()};
    (void)b->ops->list(b->ctx, c->who.tenant, gather, &g, &c->error);
    *left = g.left;
    return g.array;
}

void simctl_api_list(struct simctl_call *c)
{
    size_t left = 0;
    json_t *array = gather_all(c, false, &left);
    const json_t *last = json_array_get(array, json_array_size(array) - 1);
    json_t *next = left > 0 ? json_incref(json_object_get(last, "id")) : json_null();
    c->gives = json_pack("{s:o, s:i, s:o}", "instances", array, "left", (int)left, "next", next);
}

/* ---- end and extend */

static bool end_id(struct simctl_call *c, const char *id, const char *template_name,
                   struct web_error *error)
{
    const struct simctl_backend *b = &c->api->backend;
    const bool good = b->ops->end(b->ctx, c->who.tenant, id, BY_CALLER, c->query.keep_logs, error);
    if (good) {
        simctl_call_audit(c, "end", id, "done");
        simctl_count_ended(c->who.tenant, template_name);
    }
    return good;
}

void simctl_api_end_one(struct simctl_call *c)
{
    struct simctl_instance i = {0};
    if (simctl_call_find(c, &i) && end_id(c, c->id, i.template_name, &c->error) &&
        read_again(c, &i)) {
        if (i.outcome == SIMCTL_OUTCOME_OPEN && i.state == SIMCTL_ENDED) { /* its TTL is 0 */
            i.outcome = SIMCTL_OUTCOME_BY_CALLER;
            (void)snprintf(i.reason, sizeof i.reason, "%s", BY_CALLER);
        }
        c->gives = simctl_instance_json(&i);
    }
    simctl_instance_free(&i);
}

/* Instances of a label, while their ends run side by side. */
struct ending {
    struct simctl_call *call;
    const json_t *array; /* as the API lists them */
    atomic_size_t ended;
    pthread_mutex_t lock; /* of error */
    struct web_error error;
};

static void end_listed(void *ctx, size_t n)
{
    struct ending *e = ctx;
    const json_t *i = json_array_get(e->array, n);
    struct web_error error = {0};
    if (end_id(e->call, simctl_shape_text(i, "id", ""), simctl_shape_text(i, "template", ""),
               &error)) {
        e->ended++;
    } else {
        (void)pthread_mutex_lock(&e->lock);
        e->error = e->error.status == 0 ? error : e->error;
        (void)pthread_mutex_unlock(&e->lock);
    }
}

void simctl_api_end_labelled(struct simctl_call *c)
{
    size_t left = 0;
    if (c->query.labels == 0) {
        (void)web_refuse(&c->error, 422, "label",
                         "?label=NAME=TEXT says which: without it nothing is ended");
        return;
    }
    json_t *array = gather_all(c, true, &left);
    struct ending e = {.call = c, .array = array};
    (void)pthread_mutex_init(&e.lock, NULL);
    simctl_parallel(json_array_size(array), c->api->backend.ops->width, end_listed, &e);
    (void)pthread_mutex_destroy(&e.lock);
    json_decref(array);
    c->error = c->error.status == 0 ? e.error : c->error;
    c->gives = json_pack("{s:i, s:i}", "ended", (int)e.ended, "left", (int)left);
}

const struct simctl_field simctl_extend_fields[] = {
    {"lifetime", SIMCTL_DURATION, true, NULL,
     "new lifetime, counted from the start of the instance, such as 40m"},
    {NULL, SIMCTL_ANY, false, NULL, NULL},
};

void simctl_api_extend(struct simctl_call *c)
{
    struct simctl_instance i = {0};
    const struct simctl_backend *b = &c->api->backend;
    if (!simctl_shape_check(c->body, "", simctl_extend_fields, &c->error) ||
        !simctl_call_find(c, &i)) {
        return;
    }
    const struct simctl_template *t =
        simctl_catalogue_find(c->templates, i.template_name, &c->error);
    const double lifetime_s = simctl_shape_seconds(c->body, "lifetime", 0.0);
    bool good = t != NULL;
    if (good && !t->extend) {
        good = web_refuse(&c->error, 403, "extend",
                          "template %s does not allow that a lifetime is extended", t->name);
    }
    if (good && (lifetime_s < 1.0 || lifetime_s > t->lifetime_max_s)) {
        good = web_refuse(&c->error, 422, "lifetime", "lifetime must be 1 s to %g s in all",
                          t->lifetime_max_s);
    }
    const int64_t ends_us = i.asked_us + (int64_t)(lifetime_s * 1e6);
    if (good && i.state < SIMCTL_ENDING && ends_us <= simctl_utc_us()) {
        good = web_refuse(&c->error, 422, "lifetime", "a lifetime of %g s in all is over already",
                          lifetime_s);
    }
    good = good && b->ops->extend(b->ctx, c->who.tenant, c->id, ends_us, &c->error);
    simctl_instance_free(&i);
    if (good && simctl_call_find(c, &i)) {
        simctl_call_audit(c, "extend", c->id, "done");
        c->gives = simctl_instance_json(&i);
        simctl_instance_free(&i);
    }
}

/* ---- logs */

/* Answer with the text that a backend has written, if the text is complete. */
static void answer_text(struct simctl_call *c, const char *type, struct simctl_text *t, bool good)
{
    if (!good) {
        free(t->bytes);
        return;
    }
    simctl_call_text(c, type, t);
}

void simctl_api_logs(struct simctl_call *c)
{
    const struct simctl_backend *b = &c->api->backend;
    struct simctl_text t = {0};
    answer_text(c, "text/plain; charset=utf-8", &t,
                b->ops->logs(b->ctx, c->who.tenant, c->id, c->query.container, simctl_text_add, &t,
                             &c->error));
}

void simctl_api_recording(struct simctl_call *c)
{
    const struct simctl_backend *b = &c->api->backend;
    struct simctl_text t = {0};
    answer_text(c, "application/octet-stream", &t,
                b->ops->recording(b->ctx, c->who.tenant, c->id, simctl_text_add, &t, &c->error));
}

void simctl_api_events(struct simctl_call *c)
{
    const struct simctl_backend *b = &c->api->backend;
    json_t *list = json_array();
    (void)b->ops->events(b->ctx, c->who.tenant, c->id, list, &c->error);
    c->gives = json_pack("{s:o}", "events", list);
}

/* ---- templates, capacity, health */

void simctl_api_templates(struct simctl_call *c)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < c->templates->count; i++) {
        const struct simctl_template *t = &c->templates->template[i];
        (void)json_array_append_new(
            array,
            json_pack("{s:s, s:s, s:{s:f, s:f, s:b}, s:b, s:b, s:o}", "name", t->name,
                      "description", t->description, "lifetime", "default_s", t->lifetime_default_s,
                      "max_s", t->lifetime_max_s, "extend", (int)t->extend, "recording",
                      t->recording_bytes > 0, "virtualTime", (int)t->virtual_time, "values",
                      t->values != NULL ? json_deep_copy(t->values) : json_object()));
    }
    json_t *refused = json_array();
    for (unsigned i = 0; i < c->templates->refusals; i++) {
        (void)json_array_append_new(
            refused,
            json_pack("{s:o, s:o}", "name", simctl_shape_string(c->templates->refusal[i].name),
                      "error", simctl_shape_string(c->templates->refusal[i].why)));
    }
    c->gives = json_pack("{s:o, s:o}", "templates", array, "refused", refused);
}

static void count_state(void *ctx, const struct simctl_instance *i)
{
    unsigned *count = ctx;
    count[i->state]++;
}

void simctl_api_capacity(struct simctl_call *c)
{
    const struct simctl_backend *b = &c->api->backend;
    unsigned count[SIMCTL_STATES] = {0};
    json_t *states = json_object();
    (void)b->ops->list(b->ctx, c->who.tenant, count_state, count, &c->error);
    for (int i = 0; i < SIMCTL_STATES; i++) {
        (void)json_object_set_new(states, simctl_state_word((enum simctl_state)i),
                                  json_integer((json_int_t)count[i]));
    }
    json_t *limits = json_array();
    if (c->error.status == 0) {
        (void)b->ops->limits(b->ctx, c->who.tenant, limits, &c->error);
    }
    c->gives = json_pack("{s:s, s:o, s:o}", "backend", c->api->backend_name, "instances", states,
                         "limits", limits);
}

void simctl_api_health(struct simctl_call *c)
{
    c->gives = json_pack("{s:s}", "status", "ok");
}

static void skip(void *ctx, const struct simctl_instance *i)
{
    (void)ctx, (void)i;
}

/* Answer 200 if the backend is ready: one that can list instances is. */
void simctl_api_ready(struct simctl_call *c)
{
    const char *name_space = NULL;
    const char *tenant = simctl_tenants_name(c->api->tenants, 0, &name_space);
    const struct simctl_backend *b = &c->api->backend;
    if (b->ops->ready != NULL ? b->ops->ready(b->ctx, tenant, &c->error)
                              : b->ops->list(b->ctx, tenant, skip, NULL, &c->error)) {
        simctl_api_health(c);
    }
}
