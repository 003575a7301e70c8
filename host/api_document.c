/* SPDX-License-Identifier: Apache-2.0 */
/* The control API: the document that describes it (OpenAPI 3.1), from the table of routes. */
#include "host/api_route.h"

#include <stdio.h>
#include <string.h>

static const struct mf_api_field k_error_fields[] = {
    {"error", "string", "what is wrong and what is allowed"},
    {NULL, NULL, NULL},
};

static void write_schema(struct mf_json *j, const struct mf_api_field *fields)
{
    mf_json_object(j, "schema");
    mf_json_text(j, "type", "object");
    mf_json_object(j, "properties");
    for (; fields->name != NULL; fields++) {
        mf_json_object(j, fields->name);
        mf_json_text(j, "type", fields->type);
        mf_json_text(j, "description", fields->help);
        mf_json_end(j);
    }
    mf_json_end(j);
    mf_json_end(j);
}

/* Content type without its parameters: fits in a static text as it is. */
static void write_content(struct mf_json *j, const char *type, const struct mf_api_field *fields)
{
    mf_json_object(j, "content");
    mf_json_object(j, type);
    if (fields != NULL) {
        write_schema(j, fields);
    }
    mf_json_end(j);
    mf_json_end(j);
}

static void write_answer(struct mf_json *j, const char *status, const char *help, const char *type,
                         const struct mf_api_field *fields)
{
    mf_json_object(j, status);
    mf_json_text(j, "description", help);
    write_content(j, type, fields);
    mf_json_end(j);
}

static void write_answers(struct mf_json *j, const struct mf_api_route *r)
{
    const bool ready = strcmp(r->path, "/readyz") == 0;
    const bool clock = r->takes == mf_api_order_fields;
    mf_json_object(j, "responses");
    write_answer(j, clock ? "202" : "200", "done", r->type, r->gives);
    if (ready) {
        write_answer(j, "503", "not yet", r->type, r->gives);
    }
    write_answer(j, "default", "refused", "application/json", k_error_fields);
    mf_json_end(j);
}

/* What stands in braces at the end of a path. */
static void write_parameter(struct mf_json *j, const char *brace)
{
    char name[16];
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(brace + 1, "}"), brace + 1);
    mf_json_array(j, "parameters");
    mf_json_object(j, NULL);
    mf_json_text(j, "name", name);
    mf_json_text(j, "in", "path");
    mf_json_bool(j, "required", true);
    mf_json_object(j, "schema");
    mf_json_text(j, "type", "string");
    mf_json_end(j);
    mf_json_end(j);
    mf_json_end(j);
}

static void write_route(struct mf_json *j, const struct mf_api_route *r)
{
    static const char *const k_method[][2] = {
        {"GET", "get"}, {"POST", "post"}, {"PUT", "put"}, {"DELETE", "delete"}};
    for (size_t i = 0; i < sizeof k_method / sizeof k_method[0]; i++) {
        if (strcmp(r->method, k_method[i][0]) == 0) {
            mf_json_object(j, k_method[i][1]);
        }
    }
    mf_json_text(j, "summary", r->help);
    if (r->free) {
        mf_json_array(j, "security");
        mf_json_end(j);
    }
    const char *brace = strchr(r->path, '{');
    if (brace != NULL) {
        write_parameter(j, brace);
    }
    if (r->takes != NULL) {
        mf_json_object(j, "requestBody");
        mf_json_bool(j, "required", true);
        write_content(j, "application/json", r->takes);
        mf_json_end(j);
    }
    write_answers(j, r);
    mf_json_end(j);
}

static void write_paths(struct mf_json *j)
{
    size_t count;
    const struct mf_api_route *routes = mf_api_routes(&count);
    mf_json_object(j, "paths");
    for (size_t i = 0; i < count; i++) { /* routes of one path follow each other */
        if (i == 0 || strcmp(routes[i].path, routes[i - 1].path) != 0) {
            mf_json_object(j, routes[i].path);
        }
        write_route(j, &routes[i]);
        if (i + 1 == count || strcmp(routes[i].path, routes[i + 1].path) != 0) {
            mf_json_end(j);
        }
    }
    mf_json_end(j);
}

static void write_document(struct mf_json *j)
{
    j->pretty = true;
    mf_json_object(j, NULL);
    mf_json_text(j, "openapi", "3.1.0");
    mf_json_object(j, "info");
    mf_json_text(j, "title", "Mayfly");
    mf_json_text(j, "version", "1");
    mf_json_text(j, "description", "The control API of one drone: docs/api.md");
    mf_json_end(j);
    mf_json_array(j, "security");
    mf_json_object(j, NULL);
    mf_json_array(j, "token");
    mf_json_end(j);
    mf_json_end(j);
    mf_json_end(j);
    write_paths(j);
    mf_json_object(j, "components");
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

size_t mf_api_document(char *text, size_t cap)
{
    struct mf_json j = mf_json_writer(text, cap > 0 ? cap - 1 : 0);
    write_document(&j);
    if (j.full || cap == 0) {
        return 0;
    }
    text[j.len++] = '\n';
    return j.len;
}

void mf_api_get_document(struct mf_api_call *call)
{
    char *text = call->api->http->answer;
    call->answer->len = mf_api_document(text, MF_HTTP_ANSWER_MAX);
    call->answer->body = text;
}
