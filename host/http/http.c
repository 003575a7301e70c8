/* SPDX-License-Identifier: Apache-2.0 */
/* Server of HTTP: connections and their requests and answers, for the control API and the page of a
 * swarm. */
#include "host/http/http.h"

#include "math/calendar.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Maximum number of bytes read from a connection at once. */
#define CHUNK 4096u

void mf_http_init(struct mf_http *h, mf_http_handler *handler, mf_http_is_short *is_short,
                  void *ctx)
{
    MF_ASSERT(h != NULL && handler != NULL);
    h->handler = handler;
    h->is_short = is_short;
    h->ctx = ctx;
    h->places = MF_HTTP_CONNECTIONS_MAX;
}

static void release_answer(struct mf_http *h, struct mf_http_connection *c)
{
    if (c->holds >= 0) {
        h->held[c->holds] = false;
        c->holds = -1;
    }
}

static void give_back_large(struct mf_http *h, const struct mf_http_incoming *in)
{
    if (h->large_of == in) {
        h->large_of = NULL;
    }
}

static void release(struct mf_http *h, struct mf_http_connection *c)
{
    if (c->buffer >= 0) {
        give_back_large(h, &h->incoming[c->buffer]);
        h->incoming[c->buffer].used = false;
        c->buffer = -1;
    }
    c->waits = false;
    c->first_len = 0;
}

static void cut_off(struct mf_http *h, struct mf_http_connection *c)
{
    release(h, c);
    release_answer(h, c);
    c->rest_len = 0;
    c->gone = true;
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

const char *mf_http_reason(uint16_t status)
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

static void put_bytes(struct mf_http_connection *c, const char *text, size_t n)
{
    if (!c->gone && n > 0 && mf_serial_write(&c->serial, (const uint8_t *)text, n) != (int)n) {
        c->gone = true;
    }
}

/* Print the header "Date: Sun, 06 Nov 1994 08:49:37 GMT". @param line  out; "" if the time is
 * unknown */
static void print_date(int64_t utc_us, char *line, size_t size)
{
    static const char k_day[] = "ThuFriSatSunMonTueWed"; /* 1970-01-01 was a Thursday */
    static const char k_month[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const int64_t utc_s = utc_us / MF_SECOND_US;
    const int32_t day = (int32_t)(utc_s / 86400), s = (int32_t)(utc_s % 86400);
    const struct mf_date date = mf_calendar_date(day);
    line[0] = '\0';
    if (utc_us > 0) {
        (void)snprintf(line, size, "Date: %.3s, %02d %.3s %04d %02d:%02d:%02d GMT\r\n",
                       k_day + day % 7 * 3, (int)date.day, k_month + (date.month - 1) * 3,
                       (int)date.year, (int)(s / 3600), (int)(s / 60 % 60), (int)(s % 60));
    }
}

static void put_head(const struct mf_http *h, struct mf_http_connection *c,
                     const struct mf_http_answer *a)
{
    char head[MF_HTTP_HEAD_MAX];
    char length[48] = "";
    char type[96] = "";
    char date[64];
    print_date(h->utc_us, date, sizeof date);
    if (!a->stream && a->status != 204 && a->status != 304) {
        (void)snprintf(length, sizeof length, "Content-Length: %zu\r\n", a->len);
    }
    if (a->type != NULL) {
        (void)snprintf(type, sizeof type, "Content-Type: %.60s\r\n", a->type);
    }
    const int n = snprintf(head, sizeof head,
                           "HTTP/1.1 %u %s\r\n%s%s%s%s%s"
                           "Cache-Control: %s\r\nX-Content-Type-Options: nosniff\r\n\r\n",
                           a->status, mf_http_reason(a->status), date, type, length,
                           a->extra != NULL ? a->extra : "", c->last ? "Connection: close\r\n" : "",
                           a->cache != NULL ? a->cache : "no-store");
    MF_ASSERT(n > 0 && (size_t)n < sizeof head);
    put_bytes(c, head, (size_t)n);
}

/* Send a body, or as much of it as fits into the queue; the rest is sent later. */
static void put_body(struct mf_http_connection *c, const char *body, size_t len)
{
    const size_t room = mf_serial_room(&c->serial);
    const size_t now = len < room ? len : room;
    put_bytes(c, body, now);
    c->rest = body + now;
    c->rest_len = len - now;
}

static void send_answer(struct mf_http *h, struct mf_http_connection *c,
                        const struct mf_http_answer *a, bool head_only)
{
    put_head(h, c, a);
    if (!head_only && a->body != NULL) {
        put_body(c, a->body, a->len);
    }
    if (c->rest_len > 0 && a->body == h->answer) {
        MF_ASSERT(h->answer != h->short_answer);
        c->holds = (int8_t)((size_t)(h->answer - h->answers[0]) / MF_HTTP_ANSWER_MAX);
        h->held[c->holds] = true;
    }
    c->stream = a->stream && !head_only;
    c->source = a->source;
    c->cursor = a->cursor;
}

/* Refuse a request. The connection ends, since the bytes after it cannot be interpreted.
 * @param why  without quotes */
static void refuse(struct mf_http *h, struct mf_http_connection *c, uint16_t status,
                   const char *why, mf_us_t wall_us)
{
    struct mf_http_answer a = {.status = status, .type = "application/json"};
    char body[160];
    a.len = (size_t)snprintf(body, sizeof body, "{\"error\":\"%.120s\"}\n", why);
    c->last = c->lingers = true;
    c->heard_us = wall_us;
    put_head(h, c, &a);
    put_bytes(c, body, a.len);
    release(h, c);
    h->stats.refused++;
}

/* Rank of a connection for being closed in favour of another: 0 never, otherwise the highest
 * first. */
static int closing_rank(const struct mf_http_connection *c, mf_us_t wall_us)
{
    if (!c->open || c->stream || (c->buffer >= 0 && !c->last)) {
        return 0;
    }
    if (c->rest_len > 0 || c->first_len > 0) { /* reads its answer, or waits for one */
        return wall_us - c->since_us >= MF_HTTP_PATIENCE_US ? 1 : 0;
    }
    return c->last ? 3 : 2; /* 3: closing; 2: idle */
}

/* Keep a place free for the next client. If all connections are used, the one that has been closing
 * or idle for the longest time is closed; without such a connection, the one that has been reading
 * its answer for the longest time. @return false: all are busy */
static bool keep_place(struct mf_http *h, const struct mf_http_connection *last, mf_us_t wall_us)
{
    struct mf_http_connection *victim = NULL;
    int most = 0;
    for (uint16_t i = 0; i < h->top; i++) {
        struct mf_http_connection *c = &h->connection[i];
        const int rank = c == last ? 0 : closing_rank(c, wall_us);
        if (rank > 0 && c->gone) {
            return true;
        }
        if (rank > most || (rank == most && rank > 0 && c->since_us < victim->since_us)) {
            victim = c;
            most = rank;
        }
    }
    if (victim != NULL) {
        victim->gone = true;
    }
    return victim != NULL;
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
        if (h->count == h->places && !keep_place(h, c, wall_us)) {
            refuse(h, c, 503, "all connections are busy: try again later", wall_us);
        }
        return true;
    }
    return false;
}

/* ---- requests ---- */

/* Find an unused buffer for a request. @return NULL: all are used */
static struct mf_http_incoming *find_spare(struct mf_http *h)
{
    for (size_t i = 0; i < MF_HTTP_REQUESTS_MAX; i++) {
        if (!h->incoming[i].used) {
            return &h->incoming[i];
        }
    }
    return NULL;
}

/* End a request whose time is over. @param slow  reason for the client, if the request is not
 * complete */
static void end_request(struct mf_http *h, struct mf_http_connection *c, const char *slow,
                        mf_us_t wall_us)
{
    if (c->rest_len > 0) {
        cut_off(h, c); /* an answer that is partly sent cannot be replaced by another */
    } else if (c->waits) {
        refuse(h, c, 503, "other clients read their answers too slowly: try again later", wall_us);
    } else {
        refuse(h, c, 408, slow, wall_us);
    }
}

static bool is_complete(const struct mf_http_connection *c)
{
    return c->waits || c->rest_len > 0;
}

/* Free a buffer: the oldest incomplete request is ended. @param complete  true: without incomplete
 * requests, end one that waits for its answer, or for the answer before @param last  never ended
 * @return false: none was ended */
static bool make_room(struct mf_http *h, const struct mf_http_connection *last, bool complete,
                      mf_us_t wall_us)
{
    struct mf_http_connection *oldest = NULL;
    for (uint16_t i = 0; i < h->top; i++) {
        struct mf_http_connection *c = &h->connection[i];
        if (c == last || !c->open || c->buffer < 0 || (is_complete(c) && !complete)) {
            continue;
        }
        if (oldest == NULL || is_complete(c) < is_complete(oldest) ||
            (is_complete(c) == is_complete(oldest) && c->since_us < oldest->since_us)) {
            oldest = c;
        }
    }
    if (oldest != NULL) {
        end_request(h, oldest, "too many requests are incomplete: send a request in one piece",
                    wall_us);
    }
    return oldest != NULL;
}

/* Find a buffer for a request. The last one is reserved for short answers, so that a probe never
 * waits for other requests; a request in one piece never waits for incomplete ones. @return NULL:
 * it must wait */
static struct mf_http_incoming *find_buffer(struct mf_http *h, const struct mf_http_connection *c,
                                            mf_us_t wall_us)
{
    unsigned spares = 0;
    for (size_t i = 0; i < MF_HTTP_REQUESTS_MAX; i++) {
        spares += h->incoming[i].used ? 0u : 1u;
    }
    const bool is_short = h->is_short != NULL && h->is_short(c->first, c->first_len);
    const bool complete = wall_us - c->since_us >= MF_HTTP_PATIENCE_US;
    if (spares == 0 || (spares == 1 && !is_short)) {
        return make_room(h, c, complete || is_short, wall_us) ? find_spare(h) : NULL;
    }
    return find_spare(h);
}

/* Find the byte after the body of a request; without a body, a byte that may be overwritten. */
static char *end_of_body(struct mf_http_incoming *in)
{
    if (in->large != NULL) {
        return in->large + in->body.len;
    }
    return in->body.at != NULL ? in->bytes + (in->body.at - in->bytes) + in->body.len
                               : in->bytes + in->parsed;
}

/* Answer a complete request. The bytes after it stay in the buffer. */
static void serve_request(struct mf_http *h, struct mf_http_connection *c,
                          struct mf_http_incoming *in, mf_us_t wall_us)
{
    struct mf_http_answer a = {.status = 500};
    char *end = end_of_body(in);
    const char behind = *end; /* first byte of the next request */
    *end = '\0';
    in->request.body = in->body;
    c->last = c->parser.http_minor == 0 || http_should_keep_alive(&c->parser) == 0;
    h->stats.requests++;
    h->handler(h->ctx, &in->request, &a);
    *end = behind;
    give_back_large(h, in);
    if (a.stream && mf_http_streams(h) >= MF_HTTP_STREAMS_OF(h->places)) {
        refuse(h, c, 503, "too many streams are open: try again later", wall_us);
        return;
    }
    send_answer(h, c, &a, c->parser.method == HTTP_HEAD);
    c->since_us = wall_us;
    if (wall_us - c->asked_us >= MF_HTTP_PATIENCE_US) {
        /* these bytes arrived as early as the request, but the limit is MF_HTTP_PATIENCE_US */
        c->asked_us = wall_us;
    }
    in->len = (uint16_t)(in->len - in->parsed);
    memmove(in->bytes, in->bytes + in->parsed, in->len);
    mf_http_begin(in);
    http_parser_init(&c->parser, HTTP_REQUEST);
    if (in->len == 0 || c->stream) {
        release(h, c);
    }
}

/* Parse the received bytes. @return false: the connection ends */
static bool parse_request(struct mf_http *h, struct mf_http_connection *c,
                          struct mf_http_incoming *in, mf_us_t wall_us)
{
    const char *why = NULL;
    char text[MF_HTTP_WHY_MAX];
    const bool first = !in->understood;
    const uint16_t status = mf_http_parse(h, &c->parser, in, c->local, text, &why);
    if (status != 0) {
        refuse(h, c, status, why, wall_us);
        return false;
    }
    if (first && in->understood && !in->complete && in->value[MF_HTTP_EXPECT].len > 0 &&
        c->parser.http_minor > 0) {
        static const char k_continue[] = "HTTP/1.1 100 Continue\r\n\r\n";
        put_bytes(c, k_continue, sizeof k_continue - 1);
    }
    return true;
}

/* Read and drop the bytes of a stream or of a closing connection. */
static void discard_bytes(struct mf_http_connection *c, mf_us_t wall_us)
{
    uint8_t bytes[CHUNK];
    const int n = mf_serial_read(&c->serial, bytes, sizeof bytes);
    c->gone = c->gone || n < 0;
    c->heard_us = n > 0 ? wall_us : c->heard_us;
    c->lingers = c->lingers && wall_us - c->heard_us < MF_HTTP_LINGER_US;
}

/* Close the connection that has been reading an answer for the longest time, unless it is fast. */
static void close_slowest(struct mf_http *h, mf_us_t wall_us)
{
    struct mf_http_connection *slowest = NULL;
    for (uint16_t i = 0; i < h->top; i++) {
        struct mf_http_connection *c = &h->connection[i];
        if (c->open && c->holds >= 0 && (slowest == NULL || c->since_us < slowest->since_us)) {
            slowest = c;
        }
    }
    if (slowest != NULL && wall_us - slowest->since_us >= MF_HTTP_PATIENCE_US) {
        cut_off(h, slowest);
    }
}

/* Find unused memory for an answer. @return NULL: all of it is used */
static char *free_answer(struct mf_http *h)
{
    for (size_t i = 0; i < MF_HTTP_ANSWERS_MAX; i++) {
        if (!h->held[i]) {
            return h->answers[i];
        }
    }
    return NULL;
}

/* True if no connection has been waiting for longer. Otherwise a client with many requests could
 * overtake waiting ones. */
static bool is_first(const struct mf_http *h, const struct mf_http_connection *c)
{
    for (uint16_t i = 0; i < h->top; i++) {
        const struct mf_http_connection *other = &h->connection[i];
        if (other != c && other->open && other->waits && other->asked_us < c->asked_us) {
            return false;
        }
    }
    return true;
}

static bool has_room(const struct mf_http_connection *c, size_t body)
{
    return c->rest_len == 0 && mf_serial_room(&c->serial) >= MF_HTTP_HEAD_MAX + body;
}

/* Find memory for the answer to a request, as h->answer. @return false: it must wait */
static bool find_answer(struct mf_http *h, struct mf_http_connection *c, const char *request,
                        size_t n, mf_us_t wall_us)
{
    const bool is_short = h->is_short != NULL && h->is_short(request, n);
    h->answer = is_short ? h->short_answer : is_first(h, c) ? free_answer(h) : NULL;
    h->answer_max = is_short ? MF_HTTP_SHORT_MAX : MF_HTTP_ANSWER_MAX;
    if (h->answer == NULL) {
        close_slowest(h, wall_us);
    }
    c->waits = h->answer == NULL;
    return !c->waits && has_room(c, is_short ? MF_HTTP_SHORT_MAX : 0);
}

/* Begin a request. If it must wait, only its first bytes are read, and it uses no buffer. @return a
 * buffer with these bytes, or NULL: it waits */
static struct mf_http_incoming *begin_request(struct mf_http *h, struct mf_http_connection *c,
                                              mf_us_t wall_us)
{
    if (c->first_len == 0) {
        const int n = mf_serial_read(&c->serial, (uint8_t *)c->first, sizeof c->first);
        c->gone = c->gone || n < 0;
        if (n <= 0) {
            return NULL;
        }
        c->first_len = (uint8_t)n;
        c->since_us = c->asked_us = wall_us;
    }
    struct mf_http_incoming *in = find_buffer(h, c, wall_us);
    if (in == NULL) {
        /* `waits` means a wait for an answer's memory, which needs a request in a buffer */
        c->waits = false;
        return NULL;
    }
    if (!find_answer(h, c, c->first, c->first_len, wall_us)) {
        return NULL;
    }
    mf_http_begin(in);
    in->used = true;
    in->len = c->first_len;
    memcpy(in->bytes, c->first, c->first_len);
    c->buffer = (int8_t)(in - h->incoming);
    c->first_len = 0;
    return in;
}

/* Receive bytes of a request. @return its buffer, or NULL: the request waits, or none has begun */
static struct mf_http_incoming *take_bytes(struct mf_http *h, struct mf_http_connection *c,
                                           mf_us_t wall_us)
{
    struct mf_http_incoming *in =
        c->buffer >= 0 ? &h->incoming[c->buffer] : begin_request(h, c, wall_us);
    if (in != NULL) {
        const size_t room = MF_HTTP_REQUEST_MAX - in->len;
        const int n =
            mf_serial_read(&c->serial, (uint8_t *)in->bytes + in->len, room < CHUNK ? room : CHUNK);
        c->gone = c->gone || n < 0;
        in->len = (uint16_t)(in->len + (n > 0 ? n : 0));
    }
    return in;
}

static void receive_request(struct mf_http *h, struct mf_http_connection *c, mf_us_t wall_us)
{
    struct mf_http_incoming *in = take_bytes(h, c, wall_us);
    while (in != NULL && c->buffer >= 0 && !c->gone && !c->last && has_room(c, 0) &&
           (in->complete ||
            (in->len > in->parsed && parse_request(h, c, in, wall_us) && in->complete)) &&
           find_answer(h, c, in->bytes, in->len, wall_us)) {
        serve_request(h, c, in, wall_us);
    }
    if (c->buffer >= 0 && find_spare(h) == NULL) {
        (void)make_room(h, c, true, wall_us);
    }
}

/* Serve a connection: send, receive and check its time. @return wall time at which its present step
 * is too late; now, if it may continue as soon as written bytes are sent */
static mf_us_t serve_connection(struct mf_http *h, struct mf_http_connection *c, mf_us_t wall_us)
{
    const size_t room = mf_serial_room(&c->serial);
    if (c->rest_len > 0) {
        put_body(c, c->rest, c->rest_len);
    }
    if (c->rest_len == 0) {
        release_answer(h, c);
    }
    if (c->last || c->stream) {
        discard_bytes(c, wall_us);
    } else if (has_room(c, 0)) {
        receive_request(h, c, wall_us);
    }
    if (mf_serial_room(&c->serial) < room && (c->rest_len > 0 || c->buffer >= 0 || c->last)) {
        return wall_us;
    }
    if (c->stream) {
        return MF_NEVER;
    }
    const bool begun = c->buffer >= 0 || c->first_len > 0;
    const bool asks = begun || c->last || c->rest_len > 0;
    const mf_us_t late_us = c->since_us + (asks ? MF_HTTP_REQUEST_US : MF_HTTP_IDLE_US);
    if (wall_us < late_us) {
        return c->waits || c->first_len > 0 ? wall_us + MF_HTTP_PATIENCE_US
               : c->lingers                 ? mf_earlier(c->heard_us + MF_HTTP_LINGER_US, late_us)
                                            : late_us;
    }
    if (begun) {
        c->since_us = wall_us;
        end_request(h, c, "a request must be complete within 10 s", wall_us);
    } else {
        c->gone = true;
    }
    return wall_us + MF_HTTP_REQUEST_US;
}

mf_us_t mf_http_pass(struct mf_http *h, mf_us_t wall_us)
{
    mf_us_t next_us = MF_NEVER;
    bool waits = false;
    MF_ASSERT(h != NULL);
    for (uint16_t i = 0; i < h->top; i++) {
        if (h->connection[i].open && !h->connection[i].gone) {
            next_us = mf_earlier(next_us, serve_connection(h, &h->connection[i], wall_us));
            waits = waits || h->connection[i].waits;
        }
    }
    /* the memory was released after a waiting connection's turn */
    return waits && free_answer(h) != NULL ? wall_us : next_us;
}

bool mf_http_feed(struct mf_http *h,
                  size_t (*next)(void *source, uint64_t *cursor, const char **piece))
{
    bool any = false;
    for (uint16_t i = 0; i < h->top; i++) {
        struct mf_http_connection *c = &h->connection[i];
        const char *piece = NULL;
        size_t len = 1;
        while (len > 0 && c->open && c->stream && !c->gone && c->rest_len == 0 &&
               mf_serial_room(&c->serial) >= MF_HTTP_PIECE_MAX) {
            len = next(c->source, &c->cursor, &piece);
            MF_ASSERT(len <= MF_HTTP_PIECE_MAX);
            put_bytes(c, piece, len);
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
            put_bytes(c, text, len);
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

bool mf_http_feeds(const struct mf_http *h, const void *source)
{
    for (uint16_t i = 0; i < h->top; i++) {
        const struct mf_http_connection *c = &h->connection[i];
        if (c->open && c->stream && c->source == source) {
            return true;
        }
    }
    return false;
}

int mf_http_done(const struct mf_http *h)
{
    for (uint16_t i = 0; i < h->top; i++) {
        const struct mf_http_connection *c = &h->connection[i];
        const bool sent = c->last && !c->lingers && !c->stream && c->rest_len == 0 &&
                          c->quiet_room == mf_serial_room(&c->serial);
        if (c->open && (c->gone || sent)) {
            return c->id;
        }
    }
    return MF_E_NOENT;
}
