/* SPDX-License-Identifier: Apache-2.0 */
#include "host/http.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Bytes read at once from one connection. */
#define CHUNK 4096u

void mf_http_init(struct mf_http *h, mf_http_handler *handler, void *ctx)
{
    MF_ASSERT(h != NULL && handler != NULL);
    h->handler = handler;
    h->ctx = ctx;
}

bool mf_http_open(struct mf_http *h, uint16_t id, const struct mf_serial *serial, bool local,
                  mf_us_t wall_us)
{
    for (uint16_t i = 0; i < MF_HTTP_CONNECTIONS_MAX; i++) {
        struct mf_http_connection *c = &h->connection[i];
        if (c->open) {
            continue;
        }
        *c = (struct mf_http_connection){.open = true,
                                         .id = id,
                                         .serial = *serial,
                                         .since_us = wall_us,
                                         .quiet_room = mf_serial_room(serial),
                                         .local = local,
                                         .buffer = -1,
                                         .holds = -1};
        http_parser_init(&c->parser, HTTP_REQUEST);
        h->top = h->top > i ? h->top : (uint16_t)(i + 1);
        h->count++;
        h->stats.opened++;
        return true;
    }
    return false;
}

static void release_answer(struct mf_http *h, struct mf_http_connection *c)
{
    if (c->holds >= 0) {
        h->held[c->holds] = false;
        c->holds = -1;
    }
}

static void release(struct mf_http *h, struct mf_http_connection *c)
{
    if (c->buffer >= 0) {
        h->incoming[c->buffer].used = false;
        c->buffer = -1;
    }
}

void mf_http_close(struct mf_http *h, uint16_t id)
{
    for (uint16_t i = 0; i < h->top; i++) {
        struct mf_http_connection *c = &h->connection[i];
        if (c->open && c->id == id) {
            release(h, c);
            release_answer(h, c);
            c->open = false;
            h->count--;
        }
    }
}

/* ---- answers ---- */

static const char *reason_of(uint16_t status)
{
    static const struct {
        uint16_t status;
        const char *reason;
    } k_status[] = {
#define X(code, reason) {(code), (reason)},
        MF_HTTP_STATUS_LIST(X)
#undef X
    };
    for (size_t i = 0; i < sizeof k_status / sizeof k_status[0]; i++) {
        if (k_status[i].status == status) {
            return k_status[i].reason;
        }
    }
    return "Unknown";
}

static void put(struct mf_http_connection *c, const char *text, size_t n)
{
    if (!c->gone && n > 0 && mf_serial_write(&c->serial, (const uint8_t *)text, n) != (int)n) {
        c->gone = true;
    }
}

static void put_head(struct mf_http_connection *c, const struct mf_http_answer *a)
{
    char head[MF_HTTP_HEAD_MAX];
    char length[48] = "";
    char type[96] = "";
    if (!a->stream && a->status != 204 && a->status != 304) {
        (void)snprintf(length, sizeof length, "Content-Length: %zu\r\n", a->len);
    }
    if (a->type != NULL) {
        (void)snprintf(type, sizeof type, "Content-Type: %.60s\r\n", a->type);
    }
    const int n =
        snprintf(head, sizeof head,
                 "HTTP/1.1 %u %s\r\n%s%s%s%s"
                 "Cache-Control: %s\r\nX-Content-Type-Options: nosniff\r\n\r\n",
                 a->status, reason_of(a->status), type, length, a->extra != NULL ? a->extra : "",
                 c->last ? "Connection: close\r\n" : "", a->cache != NULL ? a->cache : "no-store");
    MF_ASSERT(n > 0 && (size_t)n < sizeof head);
    put(c, head, (size_t)n);
}

/* A body may be longer than the queue: the rest goes when there is room. */
static void put_body(struct mf_http_connection *c, const char *body, size_t len)
{
    const size_t room = mf_serial_room(&c->serial);
    const size_t now = len < room ? len : room;
    put(c, body, now);
    c->rest = body + now;
    c->rest_len = len - now;
}

static void answer(struct mf_http *h, struct mf_http_connection *c, const struct mf_http_answer *a,
                   bool head_only)
{
    put_head(c, a);
    if (!head_only && a->body != NULL) {
        put_body(c, a->body, a->len);
    }
    if (c->rest_len > 0 && a->body == h->answer) {
        c->holds = (int8_t)((size_t)(h->answer - h->answers[0]) / MF_HTTP_ANSWER_MAX);
        h->held[c->holds] = true;
    }
    c->stream = a->stream && !head_only;
    c->cursor = a->cursor;
}

/* A request that cannot be served; nothing that follows it can be understood. */
static void refuse(struct mf_http *h, struct mf_http_connection *c, uint16_t status)
{
    struct mf_http_answer a = {.status = status, .type = "application/json"};
    char body[96];
    a.len = (size_t)snprintf(body, sizeof body, "{\"error\":\"%s\"}\n", reason_of(status));
    a.body = body;
    c->last = true;
    put_head(c, &a);
    put(c, body, a.len);
    release(h, c);
    h->stats.refused++;
}

/* ---- requests ---- */

static void extend(struct mf_http_text *text, const char *at, size_t len)
{
    text->at = text->len == 0 ? at : text->at;
    text->len += len;
}

/* Names and values may arrive in pieces. */
static int on_field(http_parser *p, const char *at, size_t len)
{
    static const char *const k_header[MF_HTTP_HEADER_COUNT] = {
#define X(name, spelling) [MF_HTTP_##name] = (spelling),
        MF_HTTP_HEADER_LIST(X)
#undef X
    };
    struct mf_http_incoming *in = p->data;
    if (in->in_value) {
        in->name.len = 0;
        in->in_value = false;
    }
    extend(&in->name, at, len);
    in->header = MF_HTTP_HEADER_COUNT;
    for (size_t i = 0; i < MF_HTTP_HEADER_COUNT; i++) {
        if (strlen(k_header[i]) == in->name.len &&
            strncasecmp(k_header[i], in->name.at, in->name.len) == 0) {
            in->header = (uint8_t)i;
        }
    }
    return 0;
}

/* A field that comes twice is none that we look at. */
static int on_value(http_parser *p, const char *at, size_t len)
{
    struct mf_http_incoming *in = p->data;
    if (in->header < MF_HTTP_HEADER_COUNT) {
        struct mf_http_text *value = &in->value[in->header];
        if (!in->in_value && value->at != NULL) {
            return 1;
        }
        value->at = value->at == NULL ? at : value->at;
        value->len += len;
        in->expects = in->expects || in->header == MF_HTTP_EXPECT;
    }
    in->in_value = true;
    return 0;
}

static int on_url(http_parser *p, const char *at, size_t len)
{
    struct mf_http_incoming *in = p->data;
    extend(&in->url, at, len);
    return 0;
}

/* Chunks of a body are not next to each other: they are moved together. */
static int on_body(http_parser *p, const char *at, size_t len)
{
    struct mf_http_incoming *in = p->data;
    if (in->body.at == NULL) {
        in->body.at = at;
    }
    char *end = in->bytes + (in->body.at - in->bytes) + in->body.len;
    memmove(end, at, len);
    in->body.len += len;
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
                                                .on_body = on_body,
                                                .on_message_complete = on_complete};

static void begin(struct mf_http_incoming *in)
{
    in->parsed = 0;
    in->complete = in->expects = in->in_value = false;
    in->header = MF_HTTP_HEADER_COUNT;
    in->url = in->name = in->body = (struct mf_http_text){NULL, 0};
    memset(in->value, 0, sizeof in->value);
}

/* Who has been receiving for the longest time gives way, unless it is fast. */
static void make_room(struct mf_http *h, mf_us_t wall_us)
{
    struct mf_http_connection *slowest = NULL;
    for (uint16_t i = 0; i < h->top; i++) {
        struct mf_http_connection *c = &h->connection[i];
        if (c->open && c->buffer >= 0 && (slowest == NULL || c->since_us < slowest->since_us)) {
            slowest = c;
        }
    }
    if (slowest != NULL && wall_us - slowest->since_us >= MF_HTTP_PATIENCE_US) {
        refuse(h, slowest, 408);
    }
}

/* @return a buffer that is not in use, or NULL */
static struct mf_http_incoming *spare(struct mf_http *h, mf_us_t wall_us)
{
    for (int attempt = 0; attempt < 2; attempt++) {
        for (size_t i = 0; i < MF_HTTP_REQUESTS_MAX; i++) {
            if (!h->incoming[i].used) {
                return &h->incoming[i];
            }
        }
        make_room(h, wall_us);
    }
    return NULL;
}

static bool starts_with(const struct mf_http_text *text, const char *word)
{
    return text->len >= strlen(word) && strncasecmp(text->at, word, strlen(word)) == 0;
}

static struct mf_http_request request_of(const http_parser *p, const struct mf_http_incoming *in,
                                         bool local)
{
    static const char k_bearer[] = "Bearer ";
    struct mf_http_request r = {.method = http_method_str((enum http_method)p->method),
                                .path = in->url,
                                .type = in->value[MF_HTTP_TYPE],
                                .host = in->value[MF_HTTP_HOST],
                                .origin = in->value[MF_HTTP_ORIGIN],
                                .last_id = in->value[MF_HTTP_LAST_ID],
                                .known = in->value[MF_HTTP_NONE_MATCH],
                                .body = in->body,
                                .local = local};
    const struct mf_http_text *credentials = &in->value[MF_HTTP_AUTHORIZATION];
    const char *question = memchr(in->url.at, '?', in->url.len);
    if (question != NULL) {
        r.path.len = (size_t)(question - in->url.at);
        r.query = (struct mf_http_text){question + 1, in->url.len - r.path.len - 1};
    }
    if (starts_with(credentials, k_bearer)) {
        r.token = (struct mf_http_text){credentials->at + strlen(k_bearer),
                                        credentials->len - strlen(k_bearer)};
    }
    return r;
}

/* The answer to a complete request; what came behind it stays. */
static void serve(struct mf_http *h, struct mf_http_connection *c, struct mf_http_incoming *in,
                  mf_us_t wall_us)
{
    struct mf_http_answer a = {.status = 500};
    const struct mf_http_request r = request_of(&c->parser, in, c->local);
    c->last = c->parser.http_minor == 0 || http_should_keep_alive(&c->parser) == 0;
    h->stats.requests++;
    h->handler(h->ctx, &r, &a);
    answer(h, c, &a, c->parser.method == HTTP_HEAD);
    c->since_us = wall_us;
    in->len = (uint16_t)(in->len - in->parsed);
    memmove(in->bytes, in->bytes + in->parsed, in->len);
    begin(in);
    http_parser_init(&c->parser, HTTP_REQUEST);
    if (in->len == 0 || c->stream) {
        release(h, c);
    }
}

/* @return false if it cannot go on */
static bool parse(struct mf_http *h, struct mf_http_connection *c, struct mf_http_incoming *in)
{
    c->parser.data = in;
    const size_t n = in->len - in->parsed;
    in->parsed = (uint16_t)(in->parsed + http_parser_execute(&c->parser, &k_settings,
                                                             in->bytes + in->parsed, n));
    const enum http_errno error = HTTP_PARSER_ERRNO(&c->parser);
    if (in->complete && c->parser.http_major != 1) {
        refuse(h, c, 505);
        return false;
    }
    if (in->complete) {
        return true;
    }
    if (error != HPE_OK || c->parser.upgrade) {
        refuse(h, c, error == HPE_INVALID_METHOD ? 501 : 400);
        return false;
    }
    const bool long_body = c->parser.content_length != UINT64_MAX && in->body.at == NULL &&
                           c->parser.content_length > MF_HTTP_REQUEST_MAX - in->len;
    if (in->len == MF_HTTP_REQUEST_MAX || long_body) {
        refuse(h, c, in->body.at != NULL || long_body ? 413 : 431);
        return false;
    }
    if (in->expects) {
        static const char k_continue[] = "HTTP/1.1 100 Continue\r\n\r\n";
        in->expects = false;
        put(c, k_continue, sizeof k_continue - 1);
    }
    return true;
}

/* What streams and connections on their way out say is not of interest. */
static void discard(struct mf_http_connection *c)
{
    uint8_t bytes[CHUNK];
    c->gone = c->gone || mf_serial_read(&c->serial, bytes, sizeof bytes) < 0;
}

/* Who has been taking an answer for the longest time gives way, unless it is fast. */
static void free_answer(struct mf_http *h, mf_us_t wall_us)
{
    struct mf_http_connection *slowest = NULL;
    for (uint16_t i = 0; i < h->top; i++) {
        struct mf_http_connection *c = &h->connection[i];
        if (c->open && c->holds >= 0 && (slowest == NULL || c->since_us < slowest->since_us)) {
            slowest = c;
        }
    }
    if (slowest != NULL && wall_us - slowest->since_us >= MF_HTTP_PATIENCE_US) {
        release_answer(h, slowest);
        slowest->rest_len = 0;
        slowest->gone = true;
    }
}

/* @return whether there is memory for an answer; h->answer is that */
static bool find_answer(struct mf_http *h, mf_us_t wall_us)
{
    for (int attempt = 0; attempt < 2; attempt++) {
        for (size_t i = 0; i < MF_HTTP_ANSWERS_MAX; i++) {
            if (!h->held[i]) {
                h->answer = h->answers[i];
                return true;
            }
        }
        free_answer(h, wall_us);
    }
    return false;
}

static bool has_room(const struct mf_http_connection *c)
{
    return c->rest_len == 0 && mf_serial_room(&c->serial) >= MF_HTTP_HEAD_MAX;
}

/* @return the buffer with what has come, or NULL if nothing has ever come of this request */
static struct mf_http_incoming *take(struct mf_http *h, struct mf_http_connection *c,
                                     mf_us_t wall_us)
{
    struct mf_http_incoming *in = c->buffer >= 0 ? &h->incoming[c->buffer] : spare(h, wall_us);
    if (in == NULL) {
        return NULL;
    }
    const size_t len = in->used ? in->len : 0;
    const size_t room = MF_HTTP_REQUEST_MAX - len;
    const int n =
        mf_serial_read(&c->serial, (uint8_t *)in->bytes + len, room < CHUNK ? room : CHUNK);
    c->gone = c->gone || n < 0;
    if (n <= 0) {
        return in->used ? in : NULL;
    }
    if (!in->used) {
        in->used = true;
        c->buffer = (int8_t)(in - h->incoming);
        c->since_us = wall_us;
        begin(in);
    }
    in->len = (uint16_t)(len + (size_t)n);
    return in;
}

static void receive(struct mf_http *h, struct mf_http_connection *c, mf_us_t wall_us)
{
    struct mf_http_incoming *in = take(h, c, wall_us);
    while (in != NULL && c->buffer >= 0 && !c->gone && !c->last && in->len > in->parsed &&
           has_room(c) && find_answer(h, wall_us) && parse(h, c, in) && in->complete) {
        serve(h, c, in, wall_us);
    }
}

/* @return when it is too late for what it does; at once, if there may be room for more as soon as
 * what was written has left */
static mf_us_t look_after(struct mf_http *h, struct mf_http_connection *c, mf_us_t wall_us)
{
    const size_t room = mf_serial_room(&c->serial);
    if (c->rest_len > 0) {
        put_body(c, c->rest, c->rest_len);
    }
    if (c->rest_len == 0) {
        release_answer(h, c);
    }
    if (c->last || c->stream) {
        discard(c);
    } else if (has_room(c)) {
        receive(h, c, wall_us);
    }
    if (mf_serial_room(&c->serial) < room && (c->rest_len > 0 || c->buffer >= 0 || c->last)) {
        return wall_us;
    }
    if (c->stream) {
        return MF_NEVER;
    }
    const bool asks = c->buffer >= 0 || c->last || c->rest_len > 0;
    const mf_us_t late_us = c->since_us + (asks ? MF_HTTP_REQUEST_US : MF_HTTP_IDLE_US);
    if (wall_us < late_us) {
        const bool waits = c->buffer >= 0 && !find_answer(h, wall_us);
        return waits ? wall_us + MF_HTTP_PATIENCE_US : late_us;
    }
    if (c->buffer >= 0) {
        c->since_us = wall_us;
        refuse(h, c, 408);
    } else {
        c->gone = true;
    }
    return wall_us + MF_HTTP_REQUEST_US;
}

mf_us_t mf_http_pass(struct mf_http *h, mf_us_t wall_us)
{
    mf_us_t next_us = MF_NEVER;
    MF_ASSERT(h != NULL);
    for (uint16_t i = 0; i < h->top; i++) {
        if (h->connection[i].open && !h->connection[i].gone) {
            next_us = mf_earlier(next_us, look_after(h, &h->connection[i], wall_us));
        }
    }
    return next_us;
}

bool mf_http_feed(struct mf_http *h,
                  size_t (*next)(void *ctx, uint64_t *cursor, const char **piece), void *ctx)
{
    bool any = false;
    for (uint16_t i = 0; i < h->top; i++) {
        struct mf_http_connection *c = &h->connection[i];
        const char *piece = NULL;
        size_t len = 1;
        while (len > 0 && c->open && c->stream && !c->gone && c->rest_len == 0 &&
               mf_serial_room(&c->serial) >= MF_HTTP_PIECE_MAX) {
            len = next(ctx, &c->cursor, &piece);
            MF_ASSERT(len <= MF_HTTP_PIECE_MAX);
            put(c, piece, len);
            any = any || len > 0;
        }
    }
    return any;
}

void mf_http_tell(struct mf_http *h, const char *text, size_t len)
{
    MF_ASSERT(len <= MF_HTTP_PIECE_MAX);
    for (uint16_t i = 0; i < h->top; i++) {
        struct mf_http_connection *c = &h->connection[i];
        if (c->open && c->stream && !c->gone && c->rest_len == 0 &&
            mf_serial_room(&c->serial) >= MF_HTTP_PIECE_MAX) {
            put(c, text, len);
        }
    }
}

unsigned mf_http_streams(const struct mf_http *h)
{
    unsigned count = 0;
    for (uint16_t i = 0; i < h->top; i++) {
        count += h->connection[i].open && h->connection[i].stream ? 1u : 0u;
    }
    return count;
}

int mf_http_done(const struct mf_http *h)
{
    for (uint16_t i = 0; i < h->top; i++) {
        const struct mf_http_connection *c = &h->connection[i];
        const bool sent = c->last && !c->stream && c->rest_len == 0 &&
                          c->quiet_room == mf_serial_room(&c->serial);
        if (c->open && (c->gone || sent)) {
            return c->id;
        }
    }
    return MF_E_NOENT;
}
