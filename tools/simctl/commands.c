/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/command.h"

#include "host/base/output.h"
#include "host/base/value.h"
#include "tools/simctl/api/routes.h"
#include "tools/simctl/base/catalogue.h"
#include "tools/simctl/base/document.h"
#include "tools/simctl/base/shape.h"
#include "tools/simctl/base/tenant.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int simctl_command_refuse(const char *what)
{
    (void)fprintf(stderr, "simctl: %s\n", what);
    return SIMCTL_EXIT_BAD_INPUT;
}

int simctl_command_failed(const struct web_error *error)
{
    (void)fprintf(stderr, "simctl: %s\n", error->message);
    return error->code != NULL && strcmp(error->code, SIMCTL_TIMEOUT) == 0 ? SIMCTL_EXIT_TIMEOUT
                                                                           : EXIT_FAILURE;
}

/* ---- what is asked for */

/* A value as it was typed: a number, true or false, a list in brackets, else a text. */
static json_t *typed(const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    if (value == NULL || json_is_object(value)) {
        json_decref(value);
        return json_string(text);
    }
    return value;
}

/* NAME=VALUE each, as an object. @return NULL: one is of another form */
static json_t *pairs(const char *const *list, int n, bool texts)
{
    json_t *o = json_object();
    for (int i = 0; i < n; i++) {
        char name[128];
        const size_t len = strcspn(list[i], "=");
        (void)snprintf(name, sizeof name, "%.*s", (int)len, list[i]);
        if (list[i][len] == '\0' || len == 0) {
            json_decref(o);
            return NULL;
        }
        (void)json_object_set_new(
            o, name, texts ? json_string(list[i] + len + 1) : typed(list[i] + len + 1));
    }
    return o;
}

static void append(char *path, const char *plain)
{
    const size_t n = strlen(path);
    (void)snprintf(path + n, SIMCTL_TARGET_BYTES - n, "%s", plain);
}

/* "?wait=ready", with the seconds of --timeout, which the controller checks. */
static void append_wait(char *path, const struct simctl_options *o)
{
    char seconds[32];
    double number = 0.0;
    const char *unit = o->timeout != NULL ? mf_value_number(o->timeout, &number) : NULL;
    const double unit_us = unit != NULL ? mf_value_unit_us(unit) : 0.0;
    if (o->wait) {
        append(path, "?wait=ready");
    }
    if (o->wait && o->timeout != NULL) {
        (void)snprintf(seconds, sizeof seconds, "%.12g", number * unit_us / 1e6);
        append(path, "&timeout=");
        simctl_append(path, SIMCTL_TARGET_BYTES, unit_us > 0 ? seconds : o->timeout);
    }
}

json_t *simctl_command_start(const struct simctl_options *o, const json_t *more,
                             struct web_error *error)
{
    json_t *values = pairs(o->set, o->sets, false), *labels = pairs(o->label, o->labels, true);
    if (values == NULL || labels == NULL) {
        json_decref(values);
        json_decref(labels);
        (void)web_refuse(error, 422, "usage", "--set and --label take NAME=VALUE");
        return NULL;
    }
    (void)json_object_update(labels, (json_t *)more);
    json_t *body = json_pack("{s:s, s:o, s:o, s:i}", "template", o->template, "values", values,
                             "labels", labels, "count", o->n);
    if (o->lifetime != NULL) {
        (void)json_object_set_new(body, "lifetime", typed(o->lifetime));
    }
    if (o->request != NULL) {
        (void)json_object_set_new(body, "request", json_string(o->request));
    }
    char path[SIMCTL_TARGET_BYTES] = "/v1/instances";
    append_wait(path, o);
    return simctl_request(&o->client, "POST", path, body, error);
}

/* ---- what is shown */

static void print_json(const json_t *o)
{
    (void)json_dumpf(o, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    (void)putchar('\n');
}

const char *simctl_command_address(const json_t *instance, const char *kind, const char *none)
{
    const json_t *within = json_object_get(instance, "connect");
    const json_t *outside =
        getenv("KUBERNETES_SERVICE_HOST") == NULL ? json_object_get(instance, "outside") : NULL;
    return simctl_shape_text(outside, kind, simctl_shape_text(within, kind, none));
}

/* Print the reason on stderr, if it is not 0. @return the exit code of a command that waits */
static int tell_outcome(const struct simctl_options *o, const json_t *one)
{
    const char *id = simctl_shape_text(one, "id", ""), *state = simctl_shape_text(one, "state", ""),
               *reason = simctl_shape_text(one, "reason", "");
    if (strcmp(state, "ended") == 0) {
        (void)fprintf(stderr, "simctl: %s: %s: %s\n", id, simctl_shape_text(one, "outcome", ""),
                      reason);
        return EXIT_FAILURE;
    }
    if (!o->wait || strcmp(state, "ready") == 0 || strcmp(state, "degraded") == 0) {
        return EXIT_SUCCESS;
    }
    (void)fprintf(stderr, "simctl: %s: not ready after %s: %s%s%s\n", id,
                  o->timeout != NULL ? o->timeout : "60s", state, reason[0] != '\0' ? ": " : "",
                  reason);
    return SIMCTL_EXIT_TIMEOUT;
}

int simctl_command_show(const struct simctl_options *o, const json_t *instances, FILE *to)
{
    size_t i;
    const json_t *one;
    int code = EXIT_SUCCESS;
    json_array_foreach(instances, i, one)
    {
        if (to != NULL) {
            (void)fprintf(to, "%s %s %s %s\n", simctl_shape_text(one, "id", ""),
                          simctl_shape_text(one, "state", ""),
                          simctl_command_address(one, "mavsdk", "-"),
                          simctl_command_address(one, "api", "-"));
        }
        const int outcome = tell_outcome(o, one);
        code = code == EXIT_FAILURE || outcome == EXIT_SUCCESS ? code : outcome;
    }
    return code;
}

static int do_up(const struct simctl_options *o)
{
    struct web_error error = {0};
    json_t *answer = simctl_command_start(o, NULL, &error);
    if (answer == NULL) {
        return simctl_command_failed(&error);
    }
    if (o->json) {
        print_json(answer);
    }
    const int code =
        simctl_command_show(o, json_object_get(answer, "instances"), o->json ? NULL : stdout);
    json_decref(answer);
    return code;
}

/* --label, behind a path that may have a query. */
static void append_labels(char *path, const struct simctl_options *o)
{
    for (int i = 0; i < o->labels; i++) {
        append(path, strchr(path, '?') != NULL ? "&label=" : "?label=");
        simctl_append(path, SIMCTL_TARGET_BYTES, o->label[i]);
    }
}

/* @param path  out [SIMCTL_TARGET_BYTES] */
static void path_to(char *path, const char *id, const char *more)
{
    path[0] = '\0';
    append(path, "/v1/instances/");
    simctl_append(path, SIMCTL_TARGET_BYTES, id);
    append(path, more);
}

/* All pages of a list, as one. @return a new array; NULL: @p error says why */
static json_t *list_all(const struct simctl_options *o, struct web_error *error)
{
    char path[SIMCTL_TARGET_BYTES], after[SIMCTL_ID_MAX] = "";
    json_t *all = json_array();
    do {
        (void)snprintf(path, sizeof path, "/v1/instances?after=%s", after);
        append_labels(path, o);
        json_t *page = simctl_request(&o->client, "GET", path, NULL, error);
        (void)json_array_extend(all, json_object_get(page, "instances"));
        (void)snprintf(after, sizeof after, "%s", simctl_shape_text(page, "next", ""));
        json_decref(page);
    } while (after[0] != '\0');
    if (error->status != 0) {
        json_decref(all);
        all = NULL;
    }
    return all;
}

static int do_ls(const struct simctl_options *o)
{
    struct web_error error = {0};
    size_t i;
    const json_t *one;
    json_t *all = list_all(o, &error);
    if (all == NULL) {
        return simctl_command_failed(&error);
    }
    if (o->json) {
        json_t *answer = json_pack("{s:O, s:i, s:n}", "instances", all, "left", 0, "next");
        print_json(answer);
        json_decref(answer);
    } else {
        (void)printf("%-18s %-16s %-9s %-16s %-25s %s\n", "ID", "TEMPLATE", "STATE", "OUTCOME",
                     "ENDS", "CONNECT");
        json_array_foreach(all, i, one)
        {
            (void)printf("%-18s %-16s %-9s %-16s %-25s %s\n", simctl_shape_text(one, "id", ""),
                         simctl_shape_text(one, "template", ""),
                         simctl_shape_text(one, "state", ""),
                         simctl_shape_text(one, "outcome", "-"),
                         simctl_shape_text(json_object_get(one, "times"), "ends", "-"),
                         simctl_command_address(one, "mavsdk", "-"));
        }
    }
    json_decref(all);
    return EXIT_SUCCESS;
}

/* ---- one instance */

/* Print what a request about it answers. @param waits  for it, until it is ready */
static int show_answer(const struct simctl_options *o, const char *method, const char *after,
                       json_t *body, bool waits)
{
    struct web_error error = {0};
    char path[SIMCTL_TARGET_BYTES];
    path_to(path, o->words[0], after);
    if (waits) {
        append_wait(path, o);
    }
    json_t *answer = simctl_request(&o->client, method, path, body, &error);
    if (answer == NULL) {
        return simctl_command_failed(&error);
    }
    print_json(answer);
    const int code = waits ? tell_outcome(o, answer) : EXIT_SUCCESS;
    json_decref(answer);
    return code;
}

static int do_show(const struct simctl_options *o)
{
    return show_answer(o, "GET", "", NULL, false);
}

static int do_wait(const struct simctl_options *o)
{
    return show_answer(o, "GET", "", NULL, true);
}

static int do_extend(const struct simctl_options *o)
{
    if (o->lifetime == NULL) {
        return simctl_command_refuse("extend needs --lifetime, in all");
    }
    return show_answer(o, "POST", "/extend", json_pack("{s:o}", "lifetime", typed(o->lifetime)),
                       false);
}

static int do_logs(const struct simctl_options *o)
{
    struct web_error error = {0};
    char path[SIMCTL_TARGET_BYTES];
    path_to(path, o->words[0], "/logs");
    if (o->container != NULL) {
        append(path, "?container=");
        simctl_append(path, sizeof path, o->container);
    }
    return simctl_request_text(&o->client, path, stdout, &error) ? EXIT_SUCCESS
                                                                 : simctl_command_failed(&error);
}

/* Write a temporary file first, then rename it: the old recording stays until the new one is whole.
 */
static int do_recording(const struct simctl_options *o)
{
    struct web_error error = {0};
    char path[SIMCTL_TARGET_BYTES], draft[SIMCTL_TARGET_BYTES];
    const char *name = o->count > 1 ? o->words[1] : "-";
    const bool file = strcmp(name, "-") != 0;
    path_to(path, o->words[0], "/recording");
    mf_output_draft(name, draft, sizeof draft);
    FILE *to = file ? fopen(draft, "we") : stdout;
    if (to == NULL) {
        (void)web_refuse(&error, 0, "file", "%.200s: %s", draft, strerror(errno));
        return simctl_command_failed(&error);
    }
    bool good = simctl_request_text(&o->client, path, to, &error);
    const bool wrote = fflush(to) == 0 && ferror(to) == 0;
    const bool whole = (!file || fclose(to) == 0) && wrote;
    if (good && (!whole || (file && !mf_output_place(draft, name)))) {
        good = web_refuse(&error, 0, "file", "%.200s: %s", name, strerror(errno));
    }
    if (file && !good) {
        mf_output_drop(draft, name);
    }
    return good ? EXIT_SUCCESS : simctl_command_failed(&error);
}

static int do_events(const struct simctl_options *o)
{
    struct web_error error = {0};
    char path[SIMCTL_TARGET_BYTES];
    size_t i;
    const json_t *one;
    path_to(path, o->words[0], "/events");
    json_t *answer = simctl_request(&o->client, "GET", path, NULL, &error);
    if (answer == NULL) {
        return simctl_command_failed(&error);
    }
    json_array_foreach(json_object_get(answer, "events"), i, one)
    {
        (void)printf("%s %s %s: %s\n", simctl_shape_text(one, "time", "-"),
                     simctl_shape_text(one, "object", ""), simctl_shape_text(one, "reason", ""),
                     simctl_shape_text(one, "message", ""));
    }
    json_decref(answer);
    return EXIT_SUCCESS;
}

static bool end_one(const struct simctl_options *o, const char *id, struct web_error *error)
{
    char path[SIMCTL_TARGET_BYTES];
    path_to(path, id, "");
    json_t *answer = simctl_request(&o->client, "DELETE", path, NULL, error);
    json_decref(answer);
    return answer != NULL;
}

static int do_rm(const struct simctl_options *o)
{
    struct web_error error = {0};
    char path[SIMCTL_TARGET_BYTES] = "/v1/instances";
    if (o->count == 0 && o->labels == 0) {
        return simctl_command_refuse("rm needs ids, or --label NAME=TEXT");
    }
    for (int i = 0; i < o->count; i++) {
        (void)end_one(o, o->words[i], &error);
    }
    append_labels(path, o);
    bool more = o->labels > 0 && error.status == 0;
    while (more) { /* the controller ends so many at once */
        json_t *answer = simctl_request(&o->client, "DELETE", path, NULL, &error);
        more = json_integer_value(json_object_get(answer, "left")) > 0;
        json_decref(answer);
    }
    return error.status == 0 ? EXIT_SUCCESS : simctl_command_failed(&error);
}

/* Print the words or the type and range of a value, and its default. */
static void print_value(const char *name, const json_t *about)
{
    size_t i;
    const json_t *word, *words = json_object_get(about, "words"),
                        *patterns = json_object_get(about, "patterns"),
                        *min = json_object_get(about, "min"), *max = json_object_get(about, "max"),
                        *other = json_object_get(about, "default");
    const char *free = json_object_get(about, "args") != NULL ? "list" : "text",
               *type = words != NULL ? "" : simctl_shape_text(about, "type", free),
               *help = simctl_shape_text(about, "help", "");
    (void)printf("  %-18s %s", name, type);
    json_array_foreach(words, i, word)
    {
        (void)printf("%s%s", i == 0 ? "" : ", ", json_string_value(word));
    }
    json_array_foreach(patterns, i, word)
    {
        (void)printf("%s%s", i == 0 ? " like " : ", ", json_string_value(word));
    }
    if (min != NULL || max != NULL) {
        (void)printf(" %.12g .. %.12g", min != NULL ? json_number_value(min) : -INFINITY,
                     max != NULL ? json_number_value(max) : INFINITY);
    }
    json_array_foreach(json_object_get(about, "flags"), i, word)
    {
        (void)printf("%s%s", i == 0 ? " of " : " ", json_string_value(word));
    }
    if (other != NULL) {
        (void)printf("; default ");
        (void)json_dumpf(other, stdout, JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
    }
    (void)printf("%s%s\n", help[0] != '\0' ? "; " : "", help);
}

/* Templates that `check` has read. */
struct checked {
    unsigned all, wrong;
};

static bool check_file(void *ctx, const char *name, const char *path, struct web_error *error)
{
    struct checked *c = ctx;
    struct simctl_template t;
    struct web_error why = {0};
    json_t *document = simctl_document_load(path, &why);
    const bool good = document != NULL && simctl_template_take(&t, name, document, &why);
    (void)error;
    c->all++;
    if (good) {
        (void)printf("%s: %s\n", path, t.local_only ? "good, without a pod: for a laptop" : "good");
        simctl_template_free(&t);
    } else {
        c->wrong++;
        (void)fprintf(stderr, "simctl: %s%s%s\n", document != NULL ? path : "",
                      document != NULL ? ": " : "", why.message);
    }
    return true;
}

/* Files and folders of templates, without a controller. */
static int do_check(const struct simctl_options *o)
{
    struct checked c = {0};
    struct web_error error = {0};
    for (int i = 0; i < o->count; i++) {
        const char *path = o->words[i], *slash = strrchr(path, '/');
        char name[SIMCTL_NAME_MAX + 1u];
        if (simctl_catalogue_takes(slash != NULL ? slash + 1 : path)) {
            (void)snprintf(name, sizeof name, "%s", slash != NULL ? slash + 1 : path);
            *strrchr(name, '.') = '\0';
            (void)check_file(&c, name, path, &error);
        } else if (!simctl_catalogue_each(path, check_file, &c, &error)) {
            return simctl_command_refuse(error.message);
        }
    }
    if (c.all == 0) {
        return simctl_command_refuse(
            "no template was found: check takes folders with NAME.yaml, and files");
    }
    return c.wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int do_templates(const struct simctl_options *o)
{
    struct web_error error = {0};
    size_t i;
    const json_t *one;
    const char *name;
    json_t *about;
    json_t *answer = simctl_request(&o->client, "GET", "/v1/templates", NULL, &error);
    if (answer == NULL) {
        return simctl_command_failed(&error);
    }
    if (o->json) {
        print_json(answer);
    } else {
        json_array_foreach(json_object_get(answer, "templates"), i, one)
        {
            (void)printf("%s: %s\n", simctl_shape_text(one, "name", ""),
                         simctl_shape_text(one, "description", ""));
            json_object_foreach(json_object_get(one, "values"), name, about)
            {
                print_value(name, about);
            }
        }
        json_array_foreach(json_object_get(answer, "refused"), i, one)
        {
            (void)fprintf(stderr, "simctl: template %s is not offered: %s\n",
                          simctl_shape_text(one, "name", ""), simctl_shape_text(one, "error", ""));
        }
    }
    json_decref(answer);
    return EXIT_SUCCESS;
}

/* ---- all */

static int do_serve(const struct simctl_options *o)
{
    return simctl_serve(&o->serving);
}

static int do_openapi(const struct simctl_options *o)
{
    (void)o;
    json_t *document = simctl_openapi(simctl_routes, simctl_route_count);
    const bool good = json_dumpf(document, stdout, JSON_INDENT(1)) == 0 && putchar('\n') == '\n';
    json_decref(document);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int do_token(const struct simctl_options *o)
{
    char token[SIMCTL_NEW_TOKEN], hash[SIMCTL_HASH_TEXT];
    (void)o;
    simctl_token_make(token);
    simctl_token_hash(token, hash);
    (void)printf("token: %s\nhash:  %s\n", token, hash);
    return EXIT_SUCCESS;
}

const struct simctl_command simctl_commands[] = {
    {"serve", do_serve, 0, 0},
    {"up", do_up, 0, 0},
    {"ls", do_ls, 0, 0},
    {"show", do_show, 1, 1},
    {"wait", do_wait, 1, 1},
    {"logs", do_logs, 1, 1},
    {"recording", do_recording, 1, 2},
    {"events", do_events, 1, 1},
    {"extend", do_extend, 1, 1},
    {"rm", do_rm, 0, 1000},
    {"templates", do_templates, 0, 0},
    {"check", do_check, 1, 1000},
    {"token", do_token, 0, 0},
    {"openapi", do_openapi, 0, 0},
    {NULL, NULL, 0, 0},
};
