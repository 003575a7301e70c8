/* SPDX-License-Identifier: Apache-2.0 */
/* Incoming request, for http.c: its bytes and their meaning as the parser reports it, or the reason
 * of a refusal. */
#include "host/http/http.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static void extend_text(struct mf_http_text *text, const char *at, size_t len)
{
    text->at = text->len == 0 ? at : text->at;
    text->len += len;
}

/* Receive a part of a header's name, or of its value: they may arrive in pieces. Headers after the
 * body are ignored. */
static int on_field(http_parser *p, const char *at, size_t len)
{
    static const char *const k_header[MF_HTTP_HEADER_COUNT] = {
#define X(name, spelling, often) [MF_HTTP_##name] = (spelling),
        MF_HTTP_HEADER_LIST(X)
#undef X
    };
    struct mf_http_incoming *in = p->data;
    if (in->in_value) {
        in->name.len = 0;
        in->in_value = false;
    }
    extend_text(&in->name, at, len);
    in->header = MF_HTTP_HEADER_COUNT;
    if (memchr(at, ' ', len) != NULL) {
        in->why = "a header field with a space in its name";
        return 1;
    }
    for (size_t i = 0; i < MF_HTTP_HEADER_COUNT && !in->headers; i++) {
        if (strlen(k_header[i]) == in->name.len &&
            strncasecmp(k_header[i], in->name.at, in->name.len) == 0) {
            in->header = (uint8_t)i;
        }
    }
    return 0;
}

/* Begin a header's value. The first value of a header that may be a list is dropped if another
 * comes. */
static int begin_value(struct mf_http_incoming *in)
{
    enum { ONCE, LIST };
    static const uint8_t k_often[MF_HTTP_HEADER_COUNT] = {
#define X(name, spelling, often) [MF_HTTP_##name] = (often),
        MF_HTTP_HEADER_LIST(X)
#undef X
    };
    if (in->header == MF_HTTP_HEADER_COUNT || in->value[in->header].at == NULL) {
        return 0;
    }
    if (k_often[in->header] == ONCE) {
        in->why = "a header field that may be given once is given twice";
        return 1;
    }
    in->value[in->header].len = 0;
    in->header = MF_HTTP_HEADER_COUNT;
    return 0;
}

static int on_value(http_parser *p, const char *at, size_t len)
{
    struct mf_http_incoming *in = p->data;
    if (in->in_value && at != in->value_end) {
        in->why = "a header field continues on another line";
        return 1;
    }
    if (!in->in_value && begin_value(in) != 0) {
        return 1;
    }
    if (in->header < MF_HTTP_HEADER_COUNT) {
        struct mf_http_text *value = &in->value[in->header];
        value->at = value->at == NULL ? at : value->at;
        value->len += len;
    }
    in->value_end = at + len;
    in->in_value = true;
    return 0;
}

static int on_url(http_parser *p, const char *at, size_t len)
{
    struct mf_http_incoming *in = p->data;
    extend_text(&in->url, at, len);
    return 0;
}

/* Receive a part of the body. Chunks are moved together, since they are not contiguous. */
static int on_body(http_parser *p, const char *at, size_t len)
{
    struct mf_http_incoming *in = p->data;
    if (in->large != NULL) {
        memcpy(in->large + in->body.len, at, len);
        in->body.len += len;
        return 0;
    }
    if (in->body.at == NULL) {
        in->body.at = at;
    }
    char *end = in->bytes + (in->body.at - in->bytes) + in->body.len;
    memmove(end, at, len);
    in->body.len += len;
    return 0;
}

static int on_headers(http_parser *p)
{
    struct mf_http_incoming *in = p->data;
    in->headers = true;
    return 0;
}

static int on_complete(http_parser *p)
{
    struct mf_http_incoming *in = p->data;
    in->complete = true;
    http_parser_pause(p, 1);
    return 0;
}

static const http_parser_settings k_settings = {.on_url = on_url,
                                                .on_header_field = on_field,
                                                .on_header_value = on_value,
                                                .on_headers_complete = on_headers,
                                                .on_body = on_body,
                                                .on_message_complete = on_complete};

void mf_http_begin(struct mf_http_incoming *in)
{
    in->parsed = 0;
    in->in_value = in->headers = in->understood = in->complete = false;
    in->why = in->value_end = NULL;
    in->large = NULL;
    in->header = MF_HTTP_HEADER_COUNT;
    in->url = in->name = in->body = (struct mf_http_text){NULL, 0};
    memset(in->value, 0, sizeof in->value);
}

/* True if the text begins like a method, possibly an incomplete one. */
static bool is_word(const char *at, size_t n)
{
    size_t i = 0;
    while (i < n && ((at[i] >= 'A' && at[i] <= 'Z') || (at[i] >= 'a' && at[i] <= 'z') ||
                     at[i] == '-' || at[i] == '_')) {
        i++;
    }
    return i > 0 && (i == n || at[i] == ' ');
}

/* Explain an error of the parser. @param text  out: memory for @p why [MF_HTTP_WHY_MAX] @return the
 * status */
static uint16_t error_of(const http_parser *p, const struct mf_http_incoming *in, char *text,
                         const char **why)
{
    const enum http_errno error = HTTP_PARSER_ERRNO(p);
    if (error == HPE_INVALID_METHOD && is_word(in->bytes, in->len)) {
        *why = "this method is not known here";
        return 501;
    }
    if (error == HPE_INVALID_METHOD) {
        *why = "no method of HTTP: plain HTTP/1.1 is spoken here, without TLS";
        return 400;
    }
    (void)snprintf(text, MF_HTTP_WHY_MAX, "byte %u of the request: %s", in->parsed + 1u,
                   http_errno_description(error));
    *why = in->why != NULL ? in->why : text;
    return 400;
}

/* Check that the request fits into its buffer. @return 0: it does; otherwise the status */
static uint16_t excess_of(const http_parser *p, const struct mf_http_incoming *in, const char **why)
{
    const bool long_body = in->headers && p->content_length != UINT64_MAX && in->body.at == NULL &&
                           p->content_length > MF_HTTP_REQUEST_MAX - in->len;
    if (in->len < MF_HTTP_REQUEST_MAX && !long_body) {
        return 0;
    }
    *why = "too long: line, headers and body of a request have 8192 bytes together";
    const struct mf_http_text *url = &in->url;
    const bool in_line =
        url->at != NULL && memchr(url->at, '\n', (size_t)(in->bytes + in->len - url->at)) == NULL;
    return in->headers ? 413 : in_line ? 414 : 431;
}

/* Choose the large buffer for a body that needs it, once the headers are complete. @return 0, or
 * the status of a refusal */
static uint16_t choose_buffer(struct mf_http *h, const http_parser *p, struct mf_http_incoming *in,
                              const char **why)
{
    const bool fits = p->content_length == UINT64_MAX || in->complete ||
                      p->content_length <= MF_HTTP_REQUEST_MAX - in->len;
    if (fits || h->takes_large == NULL || !h->takes_large(h->ctx, &in->request)) {
        return 0;
    }
    if (p->content_length > MF_HTTP_LARGE_MAX - in->body.len) {
        *why = "too long: this body has at most 2097152 bytes";
        return 413;
    }
    if (h->large_of != NULL) {
        *why = "another large body is being received: try again later";
        return 503;
    }
    h->large_of = in;
    in->large = h->large;
    if (in->body.len > 0) {
        memcpy(in->large, in->body.at, in->body.len);
    }
    in->parsed = (uint16_t)(in->parsed - in->body.len);
    in->len = in->parsed;
    in->body.at = in->large;
    return 0;
}

uint16_t mf_http_parse(struct mf_http *h, http_parser *p, struct mf_http_incoming *in, bool local,
                       char *text, const char **why)
{
    uint16_t status = 0;
    const size_t n = in->len - in->parsed;
    p->data = in;
    in->parsed =
        (uint16_t)(in->parsed + http_parser_execute(p, &k_settings, in->bytes + in->parsed, n));
    if (in->headers && !in->understood) {
        in->understood = true;
        status = mf_http_understand(in, p, local, why);
        status = status != 0 ? status : choose_buffer(h, p, in, why);
    } else if (in->large != NULL && !in->complete) {
        /* the parser has copied its bytes to the large buffer */
        in->len = in->parsed = (uint16_t)(in->len - n);
    }
    if (status != 0 || in->complete) {
        return status;
    }
    return HTTP_PARSER_ERRNO(p) != HPE_OK ? error_of(p, in, text, why) : excess_of(p, in, why);
}
