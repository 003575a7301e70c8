/* SPDX-License-Identifier: Apache-2.0 */
/* Request line and headers of a request, for http_incoming.c and the control API. */
#include "host/http/http.h"

#include <string.h>
#include <strings.h>

static bool is_word(const struct mf_http_text *text, const char *word)
{
    return text->len == strlen(word) && strncasecmp(text->at, word, text->len) == 0;
}

static bool starts_with(const struct mf_http_text *text, const char *word)
{
    return text->len >= strlen(word) && strncasecmp(text->at, word, strlen(word)) == 0;
}

static bool has_any(const struct mf_http_text *text, const char *set)
{
    for (size_t i = 0; i < text->len; i++) {
        if (text->at[i] <= ' ' || text->at[i] > '~' || strchr(set, text->at[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static struct mf_http_text trim_text(struct mf_http_text text)
{
    while (text.len > 0 && (text.at[text.len - 1] == ' ' || text.at[text.len - 1] == '\t')) {
        text.len--;
    }
    while (text.len > 0 && (text.at[0] == ' ' || text.at[0] == '\t')) {
        text.at++;
        text.len--;
    }
    return text;
}

/* ---- the target */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'                     ? c - '0'
           : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                    : -1;
}

static bool is_unreserved(int c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
           (c != '\0' && strchr("-._~", c) != NULL);
}

/* Decode, in place, each percent-encoding that is not necessary. @return false: one is malformed */
static bool normalize_target(char *url, size_t *len)
{
    size_t n = 0;
    for (size_t i = 0; i < *len; i++) {
        if (url[i] != '%') {
            url[n++] = url[i];
            continue;
        }
        const int high = i + 2 < *len ? hex_digit(url[i + 1]) : -1;
        const int low = i + 2 < *len ? hex_digit(url[i + 2]) : -1;
        if (high < 0 || low < 0) {
            return false;
        }
        if (is_unreserved(high << 4 | low)) {
            url[n++] = (char)(high << 4 | low);
            i += 2;
        } else {
            url[n++] = url[i];
        }
    }
    *len = n;
    return true;
}

/* Split the part before the path off a target such as "http://localhost:80/a?b". @return false: it
 * does not have this form */
static bool take_authority(struct mf_http_text *url, struct mf_http_text *host)
{
    static const char k_http[] = "http://";
    const size_t n = sizeof k_http - 1;
    size_t end = n;
    if (!starts_with(url, k_http)) {
        return false;
    }
    while (end < url->len && url->at[end] != '/' && url->at[end] != '?') {
        end++;
    }
    *host = (struct mf_http_text){url->at + n, end - n};
    *url = (struct mf_http_text){url->at + end, url->len - end};
    return host->len > 0;
}

/* Read the target of a request. @return NULL, or the reason of a refusal */
static const char *read_target(struct mf_http_incoming *in, const http_parser *p)
{
    struct mf_http_request *r = &in->request;
    struct mf_http_text url = in->url;
    if (has_any(&url, "#") || !normalize_target(in->bytes + (url.at - in->bytes), &url.len)) {
        return "a character of the target must be percent-encoded, or its percent-encoding is "
               "wrong";
    }
    if (is_word(&url, "*")) {
        r->path = url;
        return p->method == HTTP_OPTIONS ? NULL : "the target * is for OPTIONS";
    }
    if (url.at[0] != '/' && !take_authority(&url, &r->host)) {
        return "the target must be a path, or a URL of http";
    }
    const char *question = url.len > 0 ? memchr(url.at, '?', url.len) : NULL;
    r->path = url;
    if (question != NULL) {
        r->path.len = (size_t)(question - url.at);
        r->query = (struct mf_http_text){question + 1, url.len - r->path.len - 1};
    }
    if (r->path.len == 0) {
        r->path = (struct mf_http_text){"/", 1};
    }
    return NULL;
}

/* ---- the headers */

static void read_headers(struct mf_http_incoming *in)
{
    static const char k_bearer[] = "Bearer ";
    struct mf_http_request *r = &in->request;
    for (size_t i = 0; i < MF_HTTP_HEADER_COUNT; i++) {
        in->value[i] = trim_text(in->value[i]);
    }
    r->type = in->value[MF_HTTP_TYPE];
    r->encoding = in->value[MF_HTTP_ENCODING];
    r->host = in->value[MF_HTTP_HOST];
    r->origin = in->value[MF_HTTP_ORIGIN];
    r->last_id = in->value[MF_HTTP_LAST_ID];
    r->known = in->value[MF_HTTP_NONE_MATCH];
    r->accept = in->value[MF_HTTP_ACCEPT];
    const struct mf_http_text *credentials = &in->value[MF_HTTP_AUTHORIZATION];
    if (starts_with(credentials, k_bearer)) {
        const size_t n = sizeof k_bearer - 1;
        r->token = trim_text((struct mf_http_text){credentials->at + n, credentials->len - n});
    }
}

/* Check how the body is transferred. @return 0, or the status of a refusal */
static uint16_t check_transfer(const struct mf_http_incoming *in, const http_parser *p,
                               const char **why)
{
    const struct mf_http_text *transfer = &in->value[MF_HTTP_TRANSFER];
    if (transfer->at == NULL) {
        return 0;
    }
    if (p->http_minor == 0) {
        *why = "HTTP/1.0 has no Transfer-Encoding";
        return 400;
    }
    *why = "Transfer-Encoding must be chunked";
    return is_word(transfer, "chunked") ? 0 : 501;
}

uint16_t mf_http_understand(struct mf_http_incoming *in, const http_parser *p, bool local,
                            const char **why)
{
    struct mf_http_request *r = &in->request;
    *r = (struct mf_http_request){.method = http_method_str((enum http_method)p->method),
                                  .local = local};
    if (p->http_major != 1) {
        *why = "HTTP/1.1 is spoken here";
        return 505;
    }
    if (p->method == HTTP_CONNECT) {
        *why = "proxy requests are not supported";
        return 501;
    }
    read_headers(in);
    const uint16_t status = check_transfer(in, p, why);
    if (status != 0) {
        return status;
    }
    if (p->http_minor > 0 && in->value[MF_HTTP_HOST].at == NULL) {
        *why = "HTTP/1.1 needs a Host";
        return 400;
    }
    *why = read_target(in, p);
    if (*why == NULL && has_any(&r->host, "/?#@,\\\"<>")) {
        *why = "Host is not a host name";
    }
    if (*why != NULL) {
        return 400;
    }
    const struct mf_http_text *expect = &in->value[MF_HTTP_EXPECT];
    if (p->http_minor > 0 && expect->len > 0 && !is_word(expect, "100-continue")) {
        *why = "Expect must be 100-continue";
        return 417;
    }
    return 0;
}

/* ---- Accept */

/* Remove the next element from the front of a list. */
static struct mf_http_text next_of(struct mf_http_text *list, char separator)
{
    const char *end = list->len > 0 ? memchr(list->at, separator, list->len) : NULL;
    const size_t n = end != NULL ? (size_t)(end - list->at) : list->len;
    const struct mf_http_text first = {list->at, n};
    const size_t skip = n < list->len ? n + 1 : n;
    *list = (struct mf_http_text){list->at + skip, list->len - skip};
    return trim_text(first);
}

/* Rank how exactly a range matches a type: 3 by name, 2 by kind, 1 any type, 0 not at all. */
static int fit_of(const struct mf_http_text *range, const char *type, size_t len)
{
    const char *slash = memchr(type, '/', len);
    const size_t kind = slash != NULL ? (size_t)(slash - type) + 1 : 0;
    if (range->len == len && strncasecmp(range->at, type, len) == 0) {
        return 3;
    }
    if (range->len == kind + 1 && range->at[kind] == '*' &&
        strncasecmp(range->at, type, kind) == 0) {
        return 2;
    }
    return is_word(range, "*/*") ? 1 : 0;
}

/* True for a quality of zero, such as "q=0" or "q=0.000". */
static bool is_never(struct mf_http_text parameter)
{
    if (!starts_with(&parameter, "q=0")) {
        return false;
    }
    for (size_t i = 3; i < parameter.len; i++) {
        if (parameter.at[i] != '.' && parameter.at[i] != '0') {
            return false;
        }
    }
    return true;
}

bool mf_http_accepts(const struct mf_http_text *accept, const char *type)
{
    const size_t len = strcspn(type, "; ");
    struct mf_http_text list = *accept;
    int best = 0;
    bool accepted = list.len == 0;
    while (list.len > 0) {
        struct mf_http_text rest = next_of(&list, ',');
        const struct mf_http_text range = next_of(&rest, ';');
        bool never = false;
        while (rest.len > 0) {
            never = is_never(next_of(&rest, ';')) || never;
        }
        const int fit = fit_of(&range, type, len);
        if (fit > best || (fit == best && fit > 0 && !never)) {
            best = fit;
            accepted = !never;
        }
    }
    return accepted;
}
