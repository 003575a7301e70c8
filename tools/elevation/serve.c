/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/elevation/serve.h"

#include "tools/elevation/answer.h"
#include "tools/elevation/raster.h"
#include "tools/web/web.h"

#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4u

struct elevation_server {
    struct web_server *web;
    struct elevation_library *library;
    FILE *log;
};

/* ---- answers */

/* A part of a raster on its way. */
struct sending {
    struct elevation_raster raster;
    int64_t first;
};

static ssize_t send_raster(void *ctx, uint64_t position, char *bytes, size_t max)
{
    struct sending *s = ctx;
    return (ssize_t)elevation_raster_read(&s->raster, s->first + (int64_t)position,
                                          (uint8_t *)bytes, max);
}

static void send_end(void *ctx)
{
    struct sending *s = ctx;
    elevation_raster_close(&s->raster);
    free(s);
}

/* Choose the part of the raster to send: a range counts only if its tag is that of this raster. */
static unsigned choose_range(const struct web_request *request, const char *tag, int64_t size,
                             int64_t *first, int64_t *last)
{
    const char *range = web_header(request, MHD_HTTP_HEADER_RANGE);
    const char *condition = web_header(request, MHD_HTTP_HEADER_IF_RANGE);
    *first = 0;
    *last = size - 1;
    if (range == NULL || (condition != NULL && !elevation_query_tagged(condition, tag))) {
        return MHD_HTTP_OK;
    }
    const int kind = elevation_query_range(range, size, first, last);
    return kind == 0 ? MHD_HTTP_OK
                     : (kind > 0 ? MHD_HTTP_PARTIAL_CONTENT : MHD_HTTP_RANGE_NOT_SATISFIABLE);
}

static void reply_raster(const struct web_request *request, const struct elevation_answer *answer,
                         struct web_answer *reply)
{
    const int64_t size = geoid_offer_bytes(&answer->part.offer);
    int64_t first = 0, last = 0;
    reply->status = choose_range(request, answer->tag, size, &first, &last);
    struct sending *s = calloc(1, sizeof *s);
    if (s == NULL || !elevation_raster_open(&s->raster, &answer->part)) {
        free(s);
        reply->status = 0;
        return;
    }
    if (reply->status == MHD_HTTP_RANGE_NOT_SATISFIABLE) {
        web_answer_header(reply, MHD_HTTP_HEADER_CONTENT_RANGE, "bytes */%lld", (long long)size);
        first = last + 1; /* an empty body */
    } else if (reply->status == MHD_HTTP_PARTIAL_CONTENT) {
        web_answer_header(reply, MHD_HTTP_HEADER_CONTENT_RANGE, "bytes %lld-%lld/%lld",
                          (long long)first, (long long)last, (long long)size);
    }
    s->first = first;
    reply->type = "application/octet-stream";
    reply->read = send_raster;
    reply->end = send_end;
    reply->ctx = s;
    reply->size = last - first + 1;
    web_answer_header(reply, MHD_HTTP_HEADER_ACCEPT_RANGES, "bytes");
}

static void reply_text(const struct elevation_answer *answer, struct web_answer *reply)
{
    reply->status = answer->text != NULL ? answer->status : 0;
    reply->type = "application/json";
    reply->text = answer->text;
    reply->text_len = answer->text != NULL ? strlen(answer->text) : 0;
    if (answer->status == MHD_HTTP_METHOD_NOT_ALLOWED) {
        web_answer_header(reply, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
    }
}

/* Conditions of the request on the tag: 304 and 412 take the place of the answer. */
static void weigh(const struct web_request *request, struct elevation_answer *answer)
{
    const char *none = web_header(request, MHD_HTTP_HEADER_IF_NONE_MATCH);
    const char *match = web_header(request, MHD_HTTP_HEADER_IF_MATCH);
    struct web_error error = {0};
    if (answer->tag[0] == '\0' || answer->status != MHD_HTTP_OK) {
        return;
    }
    if (match != NULL && !elevation_query_tagged(match, answer->tag)) {
        free(answer->text);
        (void)web_refuse(&error, MHD_HTTP_PRECONDITION_FAILED, "changed",
                         "the fingerprint is now %s", answer->tag);
        elevation_answer_error(&error, answer);
    } else if (none != NULL && elevation_query_tagged(none, answer->tag)) {
        free(answer->text);
        answer->text = strdup("");
        answer->part.pack = NULL;
        answer->status = MHD_HTTP_NOT_MODIFIED;
    }
}

/* ---- requests */

/* Parameters of one request. */
struct parameters {
    struct elevation_query *query;
    struct web_error *error;
};

static bool take_parameter(void *ctx, const char *name, const char *value)
{
    const struct parameters *p = ctx;
    return elevation_query_parameter(p->query, name, value, p->error);
}

static bool is_read(const char *method)
{
    return strcmp(method, MHD_HTTP_METHOD_GET) == 0 || strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
}

static void find_answer(struct elevation_library *library, const struct web_request *request,
                        struct elevation_answer *answer)
{
    struct elevation_query query;
    struct web_error error = {0};
    struct parameters parameters = {.query = &query, .error = &error};
    if (!is_read(request->method)) {
        (void)web_refuse(&error, MHD_HTTP_METHOD_NOT_ALLOWED, "method",
                         "this service is only read: GET and HEAD");
    } else if (request->body_too_long) {
        (void)web_refuse(&error, MHD_HTTP_CONTENT_TOO_LARGE, "body", "requests have no body");
    } else if (elevation_query_path(&query, request->path, &error) &&
               !web_parameters(request, take_parameter, &parameters)) {
        (void)web_refuse(&error, MHD_HTTP_BAD_REQUEST, "bad_parameter",
                         "more parameters than there are");
    }
    if (error.status == 0 && elevation_query_end(&query, &error)) {
        elevation_answer(library, &query, answer);
    } else {
        elevation_answer_error(&error, answer);
    }
}

static void on_request(void *ctx, const struct web_request *request, struct web_answer *reply)
{
    struct elevation_server *server = ctx;
    struct elevation_answer answer = {0};
    find_answer(server->library, request, &answer);
    if (server->log != NULL) {
        (void)fprintf(server->log, "elevation: %.10s %.200s %u\n", request->method, request->path,
                      answer.status);
    }
    weigh(request, &answer);
    if (answer.text == NULL && answer.part.pack != NULL) {
        reply_raster(request, &answer, reply);
    } else {
        reply_text(&answer, reply);
    }
    if (answer.tag[0] != '\0') {
        web_answer_header(reply, MHD_HTTP_HEADER_ETAG, "\"%s\"", answer.tag);
    }
    web_answer_header(reply, MHD_HTTP_HEADER_CACHE_CONTROL, "no-cache");
}

static void on_refused(void *ctx, unsigned status, const char *code, const char *text,
                       struct web_answer *reply)
{
    struct web_error error = {0};
    struct elevation_answer answer = {0};
    (void)ctx;
    (void)web_refuse(&error, status, code, "%s", text);
    elevation_answer_error(&error, &answer);
    reply_text(&answer, reply);
}

struct elevation_server *elevation_serve(const char *listen, struct elevation_library *library,
                                         FILE *log, char *url, size_t url_size, char *error,
                                         size_t error_size)
{
    struct elevation_server *server = calloc(1, sizeof *server);
    if (server == NULL) {
        (void)snprintf(error, error_size, "%s: cannot serve", listen);
        return NULL;
    }
    server->library = library;
    server->log = log;
    const struct web_settings settings = {.listen = listen,
                                          .threads = THREADS,
                                          .handle = on_request,
                                          .refuse = on_refused,
                                          .ctx = server};
    server->web = web_serve(&settings, url, url_size, error, error_size);
    if (server->web == NULL) {
        free(server);
        return NULL;
    }
    return server;
}

void elevation_serve_stop(struct elevation_server *server)
{
    web_stop(server->web);
    free(server);
}
