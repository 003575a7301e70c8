/* SPDX-License-Identifier: Apache-2.0 */
/* Serves browsers of a run's frames over HTTP. page.c runs it in a thread, boards/view in a
 * process. */
#include "boards/swarm/page/page_server.h"

#include "boards/swarm/page/page_api.h"
#include "boards/swarm/page/page_html.h"
#include "fleet/bus_newest.h"
#include "hal-posix/clock.h"
#include "hal-posix/net.h"
#include "host/http/origin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HTTP      64u /* number of HTTP connections */
#define WAIT_US   (100 * MF_MS_US)
#define LINGER_US (2 * MF_SECOND_US) /* longest wait until browsers have the end */
#define PASSES    32u                /* passes of a turn: each sends a queue of bytes */
#define SEQUENCE  8u                 /* bytes of a sequence number before an answer's frames */

struct swarm_page_server {
    int in, out;
    bool ended;         /* the stream of frames has ended */
    mf_us_t ended_us;   /* time of its end [us, monotonic] */
    mf_us_t watched_us; /* time of a browser's last request for frames [us, monotonic] */
    struct mf_bus_newest frames;
    uint64_t taken;   /* highest number of a frame that a browser has */
    uint8_t *leaving; /* [MF_HTTP_LARGE_MAX], frames of browsers that @c out has not taken yet */
    size_t leaving_from, leaving_to;
    mf_us_t http_due_us;
    struct mf_net net;
    struct mf_net_port port;
    struct mf_net_peer peers[HTTP];
    struct pollfd polls[HTTP + 5u];
    uint16_t owners[HTTP + 1u];
    uint8_t datagram[1][MF_NET_DATAGRAM_MAX]; /* unused: the server does not listen on UDP */
    uint8_t queues[HTTP][MF_NET_HTTP_QUEUE_BYTES];
    void (*seek)(void *ctx, double at_s); /* NULL: browsers cannot choose the time */
    void *seek_ctx;
    struct mf_bus_reader reader;
    struct mf_http http;
    char large[MF_HTTP_LARGE_MAX + 1u];
    char said[512]; /* last answer to /api */
};

/* ---- frames of the run */

void swarm_page_server_keep(struct swarm_page_server *s, const struct mf_bus_frame *f)
{
    mf_bus_newest_keep(&s->frames, f);
}

static void end_stream(struct swarm_page_server *s)
{
    s->ended = true;
    s->ended_us = mf_monotonic_us();
}

static void read_frames(struct swarm_page_server *s)
{
    const char *why = NULL;
    for (size_t taken = 0; s->in >= 0 && !s->ended;) {
        struct mf_bus_frame f;
        size_t room;
        const int result = mf_bus_next(&s->reader, taken, &f, &why);
        taken = 0;
        if (result == MF_E_OK) {
            swarm_page_server_keep(s, &f);
            continue;
        }
        uint8_t *at = mf_bus_room(&s->reader, &room);
        const ssize_t n = result == MF_E_AGAIN ? read(s->in, at, room) : 0;
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
            return;
        }
        if (n <= 0) {
            end_stream(s);
        }
        taken = n > 0 ? (size_t)n : 0;
    }
}

/* ---- frames of browsers */

static void write_browser_frames(struct swarm_page_server *s)
{
    while (s->leaving_from < s->leaving_to) {
        const ssize_t n =
            write(s->out, s->leaving + s->leaving_from, s->leaving_to - s->leaving_from);
        if (n <= 0) {
            return; /* tried again; read_frames() notices the end */
        }
        s->leaving_from += (size_t)n;
    }
    s->leaving_from = s->leaving_to = 0;
}

/* ---- requests */

static void set_answer(struct mf_http_answer *a, uint16_t status, const char *why)
{
    a->status = status;
    a->type = "text/plain; charset=utf-8";
    a->body = why;
    a->len = strlen(why);
}

/* Get "NAME=number" of a query. @param value  out; unchanged without it */
static void query_number(const struct mf_http_request *r, const char *name, char *value,
                         size_t size)
{
    const size_t n = strlen(name);
    for (size_t at = 0; at + n < r->query.len; at++) {
        if ((at == 0 || r->query.at[at - 1u] == '&') && memcmp(r->query.at + at, name, n) == 0) {
            (void)snprintf(value, size, "%.*s", (int)(r->query.len - at - n), r->query.at + at + n);
            return;
        }
    }
}

/* Answer with frames that are new to a browser, as many as fit; the browser requests the rest. */
static void get_frames(struct swarm_page_server *s, const struct mf_http_request *r,
                       struct mf_http_answer *a)
{
    char after[24] = "0", at[24] = "";
    query_number(r, "after=", after, sizeof after);
    query_number(r, "at=", at, sizeof at);
    if (s->seek != NULL && at[0] != '\0') {
        s->seek(s->seek_ctx, strtod(at, NULL));
    }
    uint64_t last = strtoull(after, NULL, 10);
    const size_t n = mf_bus_newest_copy(&s->frames, &last, (uint8_t *)s->http.answer + SEQUENCE,
                                        s->http.answer_max - SEQUENCE);
    for (size_t i = 0; i < SEQUENCE; i++) {
        s->http.answer[i] = (char)(uint8_t)(last >> (8u * i));
    }
    s->watched_us = mf_monotonic_us();
    s->taken = last > s->taken ? last : s->taken;
    a->status = 200;
    a->type = "application/octet-stream";
    a->body = s->http.answer;
    a->len = SEQUENCE + n;
}

static void post_frames(struct swarm_page_server *s, const struct mf_http_request *r,
                        struct mf_http_answer *a)
{
    static const char k_type[] = "application/octet-stream"; /* a form of a foreign page cannot
                                                              * send it */
    if (s->out < 0) {
        set_answer(a, 403, "This page only watches.");
    } else if (r->type.len != strlen(k_type) || memcmp(r->type.at, k_type, r->type.len) != 0) {
        set_answer(a, 415, "The body must be of type application/octet-stream.");
    } else if (!mf_bus_is_operators((const uint8_t *)r->body.at, r->body.len)) {
        set_answer(a, 400, "The body must be frames ORDERS, CLOCK or TASK (docs/bus.md).");
    } else if (s->ended || r->body.len > MF_HTTP_LARGE_MAX - s->leaving_to) {
        set_answer(a, 503,
                   s->ended ? "The run has ended." : "The run has not taken the last orders.");
    } else {
        memcpy(s->leaving + s->leaving_to, r->body.at, r->body.len);
        s->leaving_to += r->body.len;
        a->status = 202;
        a->type = "text/plain; charset=utf-8";
        a->body = "";
    }
}

/* Find the control API's address in the run's frame SCENE. @param text  out [size]; "": none */
static void find_api(const struct swarm_page_server *s, char *text, size_t size)
{
    static const char k_key[] = "\napi=";
    size_t n;
    const uint8_t *scene = mf_bus_newest_find(&s->frames, MF_BUS_SCENE, &n);
    const uint8_t *at = n > 0 ? memmem(scene, n, k_key, sizeof k_key - 1) : NULL;
    text[0] = '\0';
    if (at != NULL) {
        at += sizeof k_key - 1;
        const uint8_t *end = memchr(at, '\n', n - (size_t)(at - scene));
        (void)snprintf(text, size, "%.*s", end != NULL ? (int)(end - at) : 0, (const char *)at);
    }
}

static void get_api(struct swarm_page_server *s, struct mf_http_answer *a)
{
    char api[MF_ADDR_TEXT_MAX];
    find_api(s, api, sizeof api);
    const bool reached = swarm_page_reaches(api, s->in, s->said, sizeof s->said);
    set_answer(a, reached ? 200 : api[0] != '\0' ? 503 : 404, s->said);
}

static void get_page(const struct mf_http_request *r, struct mf_http_answer *a)
{
    const size_t n = strlen(swarm_page_tag);
    const bool known = r->known.len > 0 && memmem(r->known.at, r->known.len, swarm_page_tag, n);
    a->status = known ? 304 : 200;
    a->type = "text/html; charset=utf-8";
    a->extra = swarm_page_headers;
    a->cache = "no-cache";
    a->body = (const char *)swarm_page;
    a->len = known ? 0 : swarm_page_size;
}

static void handle_request(void *ctx, const struct mf_http_request *r, struct mf_http_answer *a)
{
    struct swarm_page_server *s = ctx;
    const bool page = r->path.len == 1;
    const bool api = r->path.len == 4 && memcmp(r->path.at, "/api", 4) == 0;
    const bool frames = r->path.len == 7 && memcmp(r->path.at, "/frames", 7) == 0;
    const bool get = strcmp(r->method, "GET") == 0, post = strcmp(r->method, "POST") == 0;
    if (!mf_http_names_loopback(r) || mf_http_crosses_origins(r)) {
        set_answer(a, 403, "A page from elsewhere may not use this swarm.");
    } else if (!page && !frames && !api) {
        set_answer(a, 404, "There are /, /api and /frames.");
    } else if (page && get) {
        get_page(r, a);
    } else if (api && get) {
        get_api(s, a);
    } else if (frames && get) {
        get_frames(s, r, a);
    } else if (frames && post) {
        post_frames(s, r, a);
    } else {
        set_answer(a, 405, "/ and /api take GET, /frames takes GET and POST.");
    }
}

static bool takes_large_body(void *ctx, const struct mf_http_request *r)
{
    (void)ctx;
    return strcmp(r->method, "POST") == 0;
}

void swarm_page_server_seek(struct swarm_page_server *s, void (*seek)(void *ctx, double at_s),
                            void *ctx)
{
    s->seek = seek;
    s->seek_ctx = ctx;
}

/* ---- connections */

static const char *on_browser_opened(void *ctx, uint16_t peer, uint16_t port,
                                     const struct mf_serial *serial, const char *name)
{
    struct swarm_page_server *s = ctx;
    (void)port, (void)name;
    return mf_http_open(&s->http, peer, serial, true, mf_monotonic_us()) ? NULL
                                                                         : "too many browsers";
}

static void on_browser_closed(void *ctx, uint16_t peer)
{
    struct swarm_page_server *s = ctx;
    mf_http_close(&s->http, peer);
}

static void on_browser_note(void *ctx, enum mf_severity severity, const char *text)
{
    (void)ctx, (void)severity, (void)text;
}

static const struct mf_net_events k_events = {on_browser_opened, on_browser_closed, on_browser_note,
                                              NULL};

static const char *listen_for_browsers(struct swarm_page_server *s, const char *where, char *reason)
{
    struct mf_endpoint endpoint = {0};
    if (mf_endpoint_parse(&endpoint, MF_PORT_TCP_SERVER, where, reason) != MF_E_OK ||
        mf_endpoint_resolve(&endpoint, reason) != MF_E_OK) {
        return reason;
    }
    if (!mf_addr_is_loopback(&endpoint.addr)) {
        return "other machines reach this address, and the page has no token: take 127.0.0.1, and "
               "come by ssh -L";
    }
    endpoint.http = true;
    if (mf_net_add(&s->net, &endpoint, reason) < 0 ||
        mf_net_listen(&s->net, 0, reason) != MF_E_OK) {
        return reason;
    }
    return NULL;
}

struct swarm_page_server *swarm_page_server_open(const char *listen, int in, int out, char *url,
                                                 size_t url_size, char *error, size_t error_size)
{
    struct swarm_page_server *s = calloc(1, sizeof *s);
    uint8_t *leaving = malloc(MF_HTTP_LARGE_MAX);
    char reason[MF_REASON_MAX];
    const char *why = "no memory";
    if (s != NULL && leaving != NULL) {
        const struct mf_net_memory memory = {.ports = &s->port,
                                             .peers = s->peers,
                                             .datagrams = s->datagram,
                                             .polls = s->polls,
                                             .owners = s->owners,
                                             .port_max = 1,
                                             .http_max = HTTP,
                                             .http_queues = s->queues};
        s->in = in;
        s->out = out;
        s->leaving = leaving;
        mf_net_init(&s->net, &memory, &k_events, s);
        mf_http_init(&s->http, handle_request, NULL, s);
        s->http.places = HTTP;
        s->http.takes_large = takes_large_body;
        s->http.large = s->large;
        why = listen_for_browsers(s, listen, reason);
    }
    if (why == NULL) {
        char address[MF_ADDR_TEXT_MAX];
        mf_addr_text(&s->port.local, address);
        (void)snprintf(url, url_size, "http://%s/", address);
        mf_net_start(&s->net, mf_monotonic_us());
        return s;
    }
    (void)snprintf(error, error_size, "%s", why);
    free(s);
    free(leaving);
    return NULL;
}

/* ---- the loop */

static void poll_server(struct swarm_page_server *s)
{
    mf_us_t now_us = mf_monotonic_us();
    const mf_us_t due_us =
        mf_earlier(mf_earlier(mf_net_prepare(&s->net, now_us), s->http_due_us), now_us + WAIT_US);
    nfds_t n = s->net.poll_count;
    if (!s->ended) {
        s->polls[n++] = (struct pollfd){s->in, POLLIN, 0};
    }
    if (s->leaving_from < s->leaving_to) {
        s->polls[n++] = (struct pollfd){s->out, POLLOUT, 0};
    }
    (void)poll(s->polls, n, due_us > now_us ? (int)((due_us - now_us) / 1000) + 1 : 0);
    now_us = mf_monotonic_us();
    mf_net_receive(&s->net, now_us);
    read_frames(s);
    s->http.utc_us = mf_utc_us();
    for (unsigned i = 0; i < PASSES; i++) {
        s->http_due_us = mf_http_pass(&s->http, now_us);
        mf_net_flush(&s->net);
    }
    for (int done = mf_http_done(&s->http); done >= 0; done = mf_http_done(&s->http)) {
        mf_http_close(&s->http, (uint16_t)done);
        mf_net_drop(&s->net, (uint16_t)done, NULL);
    }
    write_browser_frames(s);
    mf_net_send(&s->net, now_us);
}

/* True if the stream has ended, and browsers have its last frame or had time to request it. */
static bool is_server_over(const struct swarm_page_server *s)
{
    const mf_us_t now_us = mf_monotonic_us();
    return s->ended && (now_us - s->watched_us > LINGER_US || s->taken == s->frames.sequence ||
                        now_us - s->ended_us > LINGER_US);
}

void swarm_page_server_run(struct swarm_page_server *s, const volatile int *stop)
{
    while (!*stop && !is_server_over(s)) {
        poll_server(s);
    }
    if (!*stop) {
        poll_server(s); /* send the last answer */
    }
}

bool swarm_page_server_error(const struct swarm_page_server *s, char *why, size_t size)
{
    size_t n;
    const uint8_t *error = mf_bus_newest_find(&s->frames, MF_BUS_ERROR, &n);
    if (error != NULL) {
        (void)snprintf(why, size, "it %.*s", (int)n, (const char *)error);
    }
    return error != NULL;
}

void swarm_page_server_close(struct swarm_page_server *s)
{
    mf_net_close(&s->net);
    mf_bus_newest_free(&s->frames);
    free(s->leaving);
    free(s);
}
