/* SPDX-License-Identifier: Apache-2.0 */
/* Control API: parts of a request that all routes share: paths, queries, bodies and refusals. */
#include "host/api/api_route.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *mf_api_beneath(const struct mf_api_route *route)
{
    return strcmp(route->path, "/v1/vehicle") == 0 ? "" : route->path + strlen("/v1");
}

void mf_api_refuse(struct mf_api_call *call, uint16_t status, const char *text, ...)
{
    char what[256];
    va_list args;
    va_start(args, text);
    (void)vsnprintf(what, sizeof what, text, args);
    va_end(args);
    call->answer->status = status;
    call->answer->type = "application/json";
    call->answer->stream = false;
    call->answer->body = NULL;
    call->json =
        mf_json_writer(call->api->server->http->answer, call->api->server->http->answer_max);
    mf_json_object(&call->json, NULL);
    mf_json_text(&call->json, "error", what);
}

static bool is_type(const struct mf_json_member *m, const char *type)
{
    static const char *const k_type[] = {[MF_JSON_NULL] = "null",
                                         [MF_JSON_BOOL] = "boolean",
                                         [MF_JSON_NUMBER] = "number",
                                         [MF_JSON_TEXT] = "string",
                                         [MF_JSON_NUMBERS] = "array"};
    const size_t n = strcspn(type, "?!/:");
    if (m->kind == MF_JSON_NULL) {
        return type[n] == '?';
    }
    const bool whole = m->kind == MF_JSON_NUMBER && trunc(m->number) == m->number;
    const char *found = whole && type[0] == 'i' ? "integer" : k_type[m->kind];
    return strlen(found) == n && strncmp(type, found, n) == 0;
}

/* Refuse an unknown member. @param takes  known members, for the reason; may be NULL */
static void refuse_member(struct mf_api_call *call, const struct mf_http_text *name,
                          const struct mf_api_field *takes)
{
    char names[128] = "nothing";
    for (size_t n = 0; takes != NULL && takes->name != NULL && n < sizeof names; takes++) {
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", n > 0 ? ", " : "", takes->name);
    }
    mf_api_refuse(call, 422, "'%.*s' is not known here, allowed: %s",
                  (int)(name->len < 64 ? name->len : 64), name->at, names);
}

bool mf_api_check_body(struct mf_api_call *call, const struct mf_api_field *takes)
{
    for (size_t i = 0; i < call->body->count; i++) {
        const struct mf_json_member *m = &call->body->member[i];
        const struct mf_api_field *f = takes;
        while (f->name != NULL && strcmp(f->name, m->name) != 0) {
            f++;
        }
        if (f->name == NULL) {
            refuse_member(call, &(struct mf_http_text){m->name, strlen(m->name)}, takes);
            return true;
        }
        if (!is_type(m, f->type)) {
            mf_api_refuse(call, 422, "'%s' is not of the type %.*s", m->name,
                          (int)strcspn(f->type, "?!/:"), f->type);
            return true;
        }
    }
    return false;
}

bool mf_api_is(const struct mf_http_text *text, const char *word)
{
    return text->len == strlen(word) && memcmp(text->at, word, text->len) == 0;
}

/* Parameter of a query, NAME=VALUE or NAME. */
struct pair {
    struct mf_http_text name, value;
    bool has_value;
};

/* Read the next parameter of a query. @param at  in: its place; out: the place of the next one
 * @return false: the query has ended */
static bool next_pair(const struct mf_http_text *query, size_t *at, struct pair *pair)
{
    if (*at >= query->len) {
        return false;
    }
    const char *begin = query->at + *at;
    const char *end = memchr(begin, '&', query->len - *at);
    const size_t len = end != NULL ? (size_t)(end - begin) : query->len - *at;
    const char *equals = memchr(begin, '=', len);
    const size_t n = equals != NULL ? (size_t)(equals - begin) : len;
    pair->name = (struct mf_http_text){begin, n};
    pair->has_value = equals != NULL;
    pair->value = (struct mf_http_text){begin + n + pair->has_value, len - n - pair->has_value};
    *at += len + 1;
    return true;
}

bool mf_api_query(const struct mf_api_call *call, const char *name, struct mf_http_text *value)
{
    struct pair pair;
    for (size_t at = 0; next_pair(&call->request->query, &at, &pair);) {
        if (pair.has_value && mf_api_is(&pair.name, name)) {
            *value = pair.value;
            return true;
        }
    }
    return false;
}

bool mf_api_check_query(struct mf_api_call *call, const struct mf_api_route *route)
{
    struct pair pair;
    for (size_t at = 0;
         route->scope != MF_API_FREE && next_pair(&call->request->query, &at, &pair);) {
        const struct mf_api_field *f = route->query;
        while (f != NULL && f->name != NULL && !mf_api_is(&pair.name, f->name)) {
            f++;
        }
        if (f == NULL || f->name == NULL || !pair.has_value) {
            refuse_member(call, &pair.name, route->query);
            return false;
        }
    }
    return true;
}
