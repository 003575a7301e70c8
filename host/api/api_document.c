/* SPDX-License-Identifier: Apache-2.0 */
/* Control API: the document that describes it (OpenAPI 3.1), written from the table of routes. */
#include "host/api/api_route.h"
#include "host/spec/faultspec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct mf_api_field k_error_fields[] = {
    {"error", "string", "what is wrong and what is allowed"},
    {NULL, NULL, NULL},
};

static void write_limit(struct mf_json *j, const char *key, const char *number)
{
    const double value = strtod(number, NULL);
    if (value < (double)(int64_t)value || value > (double)(int64_t)value) {
        mf_json_number(j, key, value, 3);
    } else {
        mf_json_integer(j, key, (int64_t)value);
    }
}

/* Write the range of a type, such as "0..65535". */
static void write_range(struct mf_json *j, const char *range)
{
    write_limit(j, "minimum", range);
    write_limit(j, "maximum", strstr(range, "..") + 2);
}

/* Write the words of a type, such as "hold|run|resume", or the names of faults. */
static void write_words(struct mf_json *j, const char *words)
{
    const bool faults = strcmp(words, "faults") == 0;
    char word[32];
    mf_json_array(j, "enum");
    for (int i = 0; faults && i < MF_FAULT_COUNT; i++) {
        mf_json_text(j, NULL, mf_fault_name((enum mf_fault)i));
    }
    while (!faults && words[0] != '\0') {
        const size_t n = strcspn(words, "|");
        (void)snprintf(word, sizeof word, "%.*s", (int)n, words);
        mf_json_text(j, NULL, word);
        words += n + (words[n] != '\0');
    }
    mf_json_end(j);
}

static void write_reference(struct mf_json *j, const char *kind, const char *name)
{
    char text[48];
    (void)snprintf(text, sizeof text, "#/components/%s/%s", kind, name);
    mf_json_text(j, "$ref", text);
}

/* Write a plain type, such as "number" or "number?". */
static void write_plain(struct mf_json *j, const char *type)
{
    char name[16];
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(type, "?!/:"), type);
    if (strchr(type, '?') == NULL) {
        mf_json_text(j, "type", name);
        return;
    }
    mf_json_array(j, "type");
    mf_json_text(j, NULL, name);
    mf_json_text(j, NULL, "null");
    mf_json_end(j);
}

static bool is_part(const char *name)
{
    const struct mf_api_part *part = mf_api_parts;
    while (part->name != NULL && strcmp(part->name, name) != 0) {
        part++;
    }
    return part->name != NULL;
}

/* Find the name of an object by its fields. @return NULL: the object is not in mf_api_parts */
static const char *name_of(const struct mf_api_field *fields)
{
    const struct mf_api_part *part = mf_api_parts;
    while (part->name != NULL && part->fields != fields) {
        part++;
    }
    return part->name;
}

static void write_object(struct mf_json *j, const char *name, bool or_null)
{
    if (!or_null) {
        write_reference(j, "schemas", name);
        return;
    }
    mf_json_array(j, "anyOf");
    mf_json_object(j, NULL);
    write_reference(j, "schemas", name);
    mf_json_end(j);
    mf_json_object(j, NULL);
    mf_json_text(j, "type", "null");
    mf_json_end(j);
    mf_json_end(j);
}

static void write_items(struct mf_json *j, const char *type)
{
    mf_json_object(j, "items");
    if (is_part(type)) {
        write_reference(j, "schemas", type);
    } else {
        write_plain(j, type);
    }
    mf_json_end(j);
    if (type[0] == 'n') { /* only arrays of requests are limited */
        mf_json_integer(j, "maxItems", MF_JSON_ITEMS_MAX);
    }
}

/* Write a type (struct mf_api_field) into an open object. */
static void write_type(struct mf_json *j, const char *type)
{
    const char *detail = strchr(type, ':');
    if (type[0] == 'o') {
        write_object(j, detail + 1, strchr(type, '?') != NULL);
        return;
    }
    if (type[0] == 'a') {
        mf_json_text(j, "type", "array");
        write_items(j, detail + 1);
        return;
    }
    write_plain(j, type);
    if (detail == NULL) {
        return;
    }
    if (type[0] == 's') {
        write_words(j, detail + 1);
    } else {
        write_range(j, detail + 1);
    }
}

/* Write the names of required members: the marked ones of a request, all of an answer. */
static void write_needed(struct mf_json *j, const struct mf_api_field *fields, bool request)
{
    bool choice = false;
    mf_json_array(j, "required");
    for (const struct mf_api_field *f = fields; f->name != NULL; f++) {
        choice = choice || (request && strchr(f->type, '/') != NULL);
        if (!request || strchr(f->type, '!') != NULL) {
            mf_json_text(j, NULL, f->name);
        }
    }
    mf_json_end(j);
    if (!choice) {
        return;
    }
    mf_json_array(j, "anyOf");
    for (const struct mf_api_field *f = fields; f->name != NULL; f++) {
        if (strchr(f->type, '/') != NULL) {
            mf_json_object(j, NULL);
            mf_json_array(j, "required");
            mf_json_text(j, NULL, f->name);
            mf_json_end(j);
            mf_json_end(j);
        }
    }
    mf_json_end(j);
}

static void write_schema(struct mf_json *j, const char *name, const struct mf_api_field *fields,
                         bool request)
{
    mf_json_object(j, name);
    mf_json_text(j, "type", "object");
    mf_json_object(j, "properties");
    for (const struct mf_api_field *f = fields; f->name != NULL; f++) {
        mf_json_object(j, f->name);
        write_type(j, f->type);
        if (f->help[0] != '\0') {
            mf_json_text(j, "description", f->help);
        }
        mf_json_end(j);
    }
    mf_json_end(j);
    write_needed(j, fields, request);
    mf_json_bool(j, "additionalProperties", fields == mf_api_plan_fields);
    const char *example = mf_api_example(fields);
    if (example != NULL) {
        mf_json_array(j, "examples");
        mf_json_object(j, NULL);
        mf_json_members(j, example, strlen(example));
        mf_json_end(j);
        mf_json_end(j);
    }
    mf_json_end(j);
}

static void write_media(struct mf_json *j, const char *type, const struct mf_api_field *fields,
                        bool request)
{
    mf_json_object(j, type);
    if (fields != NULL && name_of(fields) != NULL) {
        mf_json_object(j, "schema");
        write_reference(j, "schemas", name_of(fields));
        mf_json_end(j);
    } else if (fields != NULL) {
        write_schema(j, "schema", fields, request);
    } else if (strcmp(type, "text/event-stream") == 0) {
        mf_json_text(j, "example",
                     "id: 7\nevent: mode\ndata: {\"vehicle_time_s\":24.500000,\"mode\":\"Return\","
                     "\"custom_mode\":84148224,\"failsafe\":true}\n\n");
    }
    mf_json_end(j);
}

/* Write the media type of a file, text or bytes. */
static void write_file(struct mf_json *j, bool binary)
{
    mf_json_object(j, binary ? "application/octet-stream" : "text/plain");
    mf_json_object(j, "schema");
    mf_json_text(j, "type", "string");
    if (binary) {
        mf_json_text(j, "format", "binary");
    }
    mf_json_end(j);
    mf_json_end(j);
}

/* Write the media types of a body. A file is text or bytes; a plan may also be JSON, parameters may
 * not. */
static void write_body(struct mf_json *j, const struct mf_api_field *takes)
{
    mf_json_object(j, "content");
    if (takes[0].name != NULL) {
        write_media(j, "application/json", takes, true);
    }
    if (mf_api_is_file(takes)) {
        write_file(j, false);
        write_file(j, true);
    }
    mf_json_end(j);
}

static void write_answer(struct mf_json *j, const char *status, const char *help,
                         const struct mf_api_route *r)
{
    mf_json_object(j, status);
    mf_json_text(j, "description", help);
    mf_json_object(j, "content");
    write_media(j, r->type, r->gives, false);
    if (r->query == mf_api_param_file_query) {
        write_file(j, false);
    }
    mf_json_end(j);
    mf_json_end(j);
}

/* Write the errors that a route may answer. */
static void write_errors(struct mf_json *j, const struct mf_api_route *r, const char *path)
{
    enum { ANY, GUARDED, NAMED, CHANGES, READS, KINDS };
    static const struct {
        uint16_t status;
        uint8_t of;
    } k_error[] = {{400, ANY}, {401, GUARDED}, {403, GUARDED}, {404, NAMED},
                   {406, ANY}, {408, ANY},     {409, CHANGES}, {413, READS},
                   {414, ANY}, {415, READS},   {422, GUARDED}, {431, ANY}};
    const bool is[KINDS] = {[ANY] = true,
                            [GUARDED] = r->scope != MF_API_FREE,
                            [NAMED] = strchr(path, '{') != NULL,
                            [CHANGES] = r->method[0] != 'G',
                            [READS] = r->takes != NULL};
    for (size_t i = 0; i < sizeof k_error / sizeof k_error[0]; i++) {
        if (is[k_error[i].of]) {
            char status[8];
            (void)snprintf(status, sizeof status, "%u", k_error[i].status);
            mf_json_object(j, status);
            write_reference(j, "responses", "refused");
            mf_json_text(j, "description", mf_http_reason(k_error[i].status));
            mf_json_end(j);
        }
    }
}

static void write_answers(struct mf_json *j, const struct mf_api_route *r, const char *path)
{
    const bool ready = strcmp(r->path, "/readyz") == 0;
    const bool clock = r->takes == mf_api_order_fields;
    mf_json_object(j, "responses");
    write_answer(j, clock ? "202" : "200", "done", r);
    write_errors(j, r, path);
    if (ready) {
        write_answer(j, "503", "not yet", r);
    }
    mf_json_object(j, "default");
    write_reference(j, "responses", "refused");
    mf_json_end(j);
    mf_json_end(j);
}

static void write_parameter(struct mf_json *j, const struct mf_api_field *f, const char *in)
{
    mf_json_object(j, NULL);
    mf_json_text(j, "name", f->name);
    mf_json_text(j, "in", in);
    mf_json_bool(j, "required", in[0] == 'p');
    mf_json_text(j, "description", f->help);
    mf_json_object(j, "schema");
    write_type(j, f->type);
    mf_json_end(j);
    mf_json_end(j);
}

/* Write the parameters of a path, which are in braces, and those of its query. */
static void write_parameters(struct mf_json *j, const struct mf_api_route *r, const char *path)
{
    static const struct mf_api_field k_part[] = {
        {"id", "integer:0..40000", "id of a vehicle; GET /v1/vehicles lists all"},
        {"fault", "string:faults", "name of the fault"},
        {"rule", "string", "id of a rule; or a name, for all rules of that name"},
        {"link", "string", "number of a port; a kind of ports (tcp, udp_out); or all"},
        {"name", "string", "name of a parameter, such as MPC_XY_CRUISE"},
        {"vehicle", "string", "id of a member, or its name"},
    };
    const char *brace = strchr(path, '{');
    const struct mf_api_field *query = r->query;
    if (brace == NULL && query == NULL) {
        return;
    }
    mf_json_array(j, "parameters");
    for (; brace != NULL; brace = strchr(brace + 1, '{')) {
        for (size_t i = 0; i < sizeof k_part / sizeof k_part[0]; i++) {
            if (strncmp(brace + 1, k_part[i].name, strlen(k_part[i].name)) == 0) {
                write_parameter(j, &k_part[i], "path");
            }
        }
    }
    for (; query != NULL && query->name != NULL; query++) {
        write_parameter(j, query, "query");
    }
    if (r->query == mf_api_events_query) {
        static const struct mf_api_field k_last_id = {
            "Last-Event-ID", "integer:0..999999999999999",
            "the same as after, which counts if both are given"};
        write_parameter(j, &k_last_id, "header");
    }
    mf_json_end(j);
}

static void write_route(struct mf_json *j, const struct mf_api_route *r, const char *path)
{
    static const char *const k_method[][2] = {
        {"GET", "get"}, {"POST", "post"}, {"PUT", "put"}, {"DELETE", "delete"}};
    for (size_t i = 0; i < sizeof k_method / sizeof k_method[0]; i++) {
        if (strcmp(r->method, k_method[i][0]) == 0) {
            mf_json_object(j, k_method[i][1]);
        }
    }
    mf_json_text(j, "summary", r->help);
    mf_json_array(j, "tags");
    mf_json_text(j, NULL, mf_api_group(r->path));
    mf_json_end(j);
    if (r->scope == MF_API_FREE) {
        mf_json_array(j, "security");
        mf_json_end(j);
    }
    write_parameters(j, r, path);
    if (r->takes != NULL) {
        mf_json_object(j, "requestBody");
        mf_json_bool(j, "required", true);
        write_body(j, r->takes);
        mf_json_end(j);
    }
    write_answers(j, r, path);
    mf_json_end(j);
}

/* Write the routes of the first vehicle, or, with @p by_id, the routes of any vehicle. */
static void write_routes(struct mf_json *j, const struct mf_api_route *routes, size_t count,
                         bool by_id)
{
    for (size_t i = 0; i < count; i++) { /* routes of one path follow each other */
        char path[64];
        if (by_id && routes[i].scope != MF_API_VEHICLE) {
            continue;
        }
        (void)snprintf(path, sizeof path, "%s%s", by_id ? MF_API_VEHICLES_PATH "{id}" : "",
                       by_id ? mf_api_beneath(&routes[i]) : routes[i].path);
        if (i == 0 || strcmp(routes[i].path, routes[i - 1].path) != 0) {
            mf_json_object(j, path);
        }
        write_route(j, &routes[i], path);
        if (i + 1 == count || strcmp(routes[i].path, routes[i + 1].path) != 0) {
            mf_json_end(j);
        }
    }
}

static void write_paths(struct mf_json *j, const struct mf_api_route *routes, size_t count)
{
    mf_json_object(j, "paths");
    write_routes(j, routes, count, false);
    write_routes(j, routes, count, true);
    mf_json_end(j);
}

static void write_document(struct mf_json *j, const struct mf_api_route *routes, size_t count)
{
    j->pretty = true;
    mf_json_object(j, NULL);
    mf_json_text(j, "openapi", "3.1.0");
    mf_json_object(j, "info");
    mf_json_text(j, "title", "Mayfly");
    mf_json_text(j, "version", "1");
    mf_json_text(j, "description", "The control API: docs/api.md");
    mf_json_end(j);
    mf_json_array(j, "security");
    mf_json_object(j, NULL); /* on the loopback, a token is not required */
    mf_json_end(j);
    mf_json_object(j, NULL);
    mf_json_array(j, "token");
    mf_json_end(j);
    mf_json_end(j);
    mf_json_end(j);
    write_paths(j, routes, count);
    mf_json_object(j, "components");
    mf_json_object(j, "schemas");
    for (const struct mf_api_part *part = mf_api_parts; part->name != NULL; part++) {
        write_schema(j, part->name, part->fields, part->request);
    }
    mf_json_end(j);
    mf_json_object(j, "responses");
    static const struct mf_api_route k_refused = {.type = "application/json",
                                                  .gives = k_error_fields};
    write_answer(j, "refused", "refused", &k_refused);
    mf_json_end(j);
    mf_json_object(j, "securitySchemes");
    mf_json_object(j, "token");
    mf_json_text(j, "type", "http");
    mf_json_text(j, "scheme", "bearer");
    mf_json_text(j, "description", "of --api-token; not needed on loopback addresses");
    mf_json_end(j);
    mf_json_end(j);
    mf_json_end(j);
    mf_json_end(j);
}

size_t mf_api_write_document(const struct mf_api_route *routes, size_t count, char *text,
                             size_t cap)
{
    struct mf_json j = mf_json_writer(text, cap > 0 ? cap - 1 : 0);
    write_document(&j, routes, count);
    if (j.full || cap == 0) {
        return 0;
    }
    text[j.len++] = '\n';
    return j.len;
}
