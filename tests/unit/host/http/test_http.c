/* SPDX-License-Identifier: Apache-2.0 */
#include "host/http/http.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define QUEUE 65536u
#define S     MF_SECOND_US

/* A client: what it has sent and has not been read, what it has got. */
static struct client {
    char in[32768];
    size_t in_len;
    size_t piece; /* bytes that one read gives at most */
    char out[QUEUE + 1];
    size_t out_len;
} s_client[MF_HTTP_CONNECTIONS_MAX + 1];

static struct mf_http s_http;
static char s_seen[256], s_text[32], s_constant[100000];
static size_t s_opened; /* so many clients may have been used */

static int client_write(void *ctx, const uint8_t *bytes, size_t n)
{
    struct client *c = ctx;
    if (n > QUEUE - c->out_len) {
        return 0;
    }
    memcpy(c->out + c->out_len, bytes, n);
    c->out_len += n;
    c->out[c->out_len] = '\0';
    return (int)n;
}

static int client_read(void *ctx, uint8_t *bytes, size_t cap)
{
    struct client *c = ctx;
    size_t n = c->in_len < cap ? c->in_len : cap;
    n = c->piece > 0 && n > c->piece ? c->piece : n;
    memcpy(bytes, c->in, n);
    c->in_len -= n;
    memmove(c->in, c->in + n, c->in_len);
    return (int)n;
}

static size_t client_room(void *ctx)
{
    return QUEUE - ((struct client *)ctx)->out_len;
}

/* Pieces "data: 0" to "data: 99999", as far as they exist. */
static uint64_t s_pieces;

static size_t next_piece(void *source, uint64_t *cursor, const char **piece)
{
    char *text = source;
    if (*cursor >= s_pieces) {
        return 0;
    }
    *piece = text;
    return (size_t)snprintf(text, 32, "data: %u\n\n", (unsigned)(*cursor)++);
}

static const struct mf_serial_ops k_serial = {client_write, client_read, client_room};

static void handle(void *ctx, const struct mf_http_request *r, struct mf_http_answer *a)
{
    struct mf_http *h = ctx;
    (void)snprintf(s_seen, sizeof s_seen, "%s %.*s ?%.*s t=%.*s c=%.*s b=%.*s", r->method,
                   (int)r->path.len, r->path.at, (int)r->query.len, r->query.at, (int)r->token.len,
                   r->token.at, (int)r->type.len, r->type.at,
                   (int)(r->body.len > 20 ? 20 : r->body.len), r->body.at);
    a->status = 200;
    a->type = "text/plain";
    if (r->path.len == 6 && memcmp(r->path.at, "/large", 6) == 0) {
        a->body = s_constant;
        a->len = sizeof s_constant;
    } else if (r->path.len == 6 && memcmp(r->path.at, "/made", 5) == 0) {
        memset(h->answer, r->path.at[5], MF_HTTP_ANSWER_MAX);
        a->body = h->answer;
        a->len = MF_HTTP_ANSWER_MAX;
    } else if (r->path.len == 7 && memcmp(r->path.at, "/stream", 7) == 0) {
        a->stream = true;
        a->source = s_text;
    } else if (r->known.len == 3 && memcmp(r->known.at, "\"1\"", 3) == 0) {
        a->status = 304;
        a->extra = "ETag: \"1\"\r\n";
        a->cache = "no-cache";
    } else {
        a->len = (size_t)snprintf(h->answer, MF_HTTP_ANSWER_MAX, "hello %.*s", (int)r->path.len,
                                  r->path.at);
        a->body = h->answer;
    }
}

static bool is_short(const char *request, size_t n)
{
    return n < 10 || memcmp(request, "GET /short", 10) == 0;
}

static struct client *fresh(uint16_t clients)
{
    memset(&s_http, 0, sizeof s_http);
    memset(s_client, 0, s_opened * sizeof s_client[0]); /* all are 50 MB */
    s_opened = clients > 3 ? MF_HTTP_CONNECTIONS_MAX + 1u : clients;
    memset(s_constant, 'x', sizeof s_constant);
    s_seen[0] = '\0';
    mf_http_init(&s_http, handle, is_short, &s_http);
    for (uint16_t i = 0; i < clients; i++) {
        const struct mf_serial serial = {.ops = &k_serial, .ctx = &s_client[i]};
        assert_true(mf_http_open(&s_http, i, &serial, true, 0));
    }
    return &s_client[0];
}

static void say(struct client *c, const char *text)
{
    memcpy(c->in + c->in_len, text, strlen(text));
    c->in_len += strlen(text);
}

static bool answered(const struct client *c, const char *text)
{
    return strstr(c->out, text) != NULL;
}

#define OK_HEAD(length)                                                      \
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " length \
    "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\r\n"

static void test_a_request_and_its_answer(void **state)
{
    (void)state;
    struct client *c = fresh(1);
    say(c, "GET /a?b=c HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer secret\r\n\r\n");
    (void)mf_http_pass(&s_http, S);
    assert_string_equal(c->out, OK_HEAD("8") "hello /a");
    assert_string_equal(s_seen, "GET /a ?b=c t=secret c= b=");
    assert_int_equal(mf_http_done(&s_http), MF_E_NOENT);
}

static void test_a_request_in_pieces(void **state)
{
    (void)state;
    struct client *c = fresh(1);
    c->piece = 1;
    say(c, "POST /p HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
           "7\r\n\r\n{\"a\":1}");
    while (c->in_len > 0) {
        assert_int_equal(c->out_len, 0);
        (void)mf_http_pass(&s_http, S);
    }
    assert_string_equal(s_seen, "POST /p ? t= c=application/json b={\"a\":1}");
    assert_true(answered(c, "hello /p"));
}

static void test_chunks_come_together(void **state)
{
    (void)state;
    struct client *c = fresh(1);
    c->piece = 3;
    say(c, "POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "
           "chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n"
           "GET /next HTTP/1.1\r\nHost: x\r\n\r\n");
    for (int i = 0; i < 100; i++) {
        (void)mf_http_pass(&s_http, S);
        if (answered(c, "/p") && !answered(c, "/next")) {
            assert_string_equal(s_seen, "POST /p ? t= c= b=abcdefg");
        }
    }
    assert_true(answered(c, "hello /next"));
}

static void test_pipelined_requests_are_answered_in_order(void **state)
{
    (void)state;
    struct client *c = fresh(1);
    for (int i = 0; i < 50; i++) {
        say(c, i % 2 == 0 ? "GET /even HTTP/1.1\r\nHost: x\r\n\r\n"
                          : "GET /odd HTTP/1.1\r\nHost: x\r\n\r\n");
    }
    (void)mf_http_pass(&s_http, S);
    assert_int_equal(s_http.stats.requests, 50);
    const char *at = c->out;
    for (int i = 0; i < 50; i++) {
        at = strstr(at, "hello ");
        assert_non_null(at);
        assert_int_equal(at[7], i % 2 == 0 ? 'e' : 'o');
        at++;
    }
}

/* 100 requests for 100,000 bytes: no more in the queue than fits, none lost. */
static void test_long_answers_wait_for_room(void **state)
{
    (void)state;
    struct client *c = fresh(1);
    size_t got = 0;
    for (int i = 0; i < 10; i++) {
        say(c, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
    }
    for (int i = 0; i < 100; i++) {
        (void)mf_http_pass(&s_http, S);
        for (size_t k = 0; k < c->out_len; k++) {
            got += c->out[k] == 'x';
        }
        c->out_len = 0;
    }
    assert_int_equal(got, 10 * (100000 + 1)); /* and the x of text/plain's neighbour "nosniff" */
}

static void test_what_is_known_is_not_sent_again(void **state)
{
    (void)state;
    struct client *c = fresh(1);
    say(c, "GET /a HTTP/1.1\r\nHost: x\r\nIf-None-Match: \"1\"\r\n\r\nGET /b HTTP/1.1\r\nHost: "
           "x\r\n\r\n");
    (void)mf_http_pass(&s_http, S);
    assert_string_equal(c->out, "HTTP/1.1 304 Not Modified\r\nContent-Type: text/plain\r\n"
                                "ETag: \"1\"\r\nCache-Control: no-cache\r\n"
                                "X-Content-Type-Options: nosniff\r\n\r\n" OK_HEAD("8") "hello /b");
}

/* Each in memory of its own, until it is sent. */
static void test_answers_that_wait_stay_as_they_are(void **state)
{
    (void)state;
    struct client *c = fresh(MF_HTTP_ANSWERS_MAX + 1);
    char request[] = "GET /made0 HTTP/1.1\r\nHost: x\r\n\r\n";
    size_t got[MF_HTTP_ANSWERS_MAX] = {0};
    for (unsigned i = 0; i <= MF_HTTP_ANSWERS_MAX; i++) {
        request[9] = (char)('0' + i);
        say(c + i, request);
    }
    for (unsigned round = 0; round < 2 + MF_HTTP_ANSWER_MAX / (sizeof c->out / 2); round++) {
        (void)mf_http_pass(&s_http, round);
        for (unsigned i = 0; i < MF_HTTP_ANSWERS_MAX; i++) {
            const char *body = round == 0 ? strstr(c[i].out, "\r\n\r\n") + 4 : c[i].out;
            const size_t n = c[i].out_len - (size_t)(body - c[i].out);
            for (size_t k = 0; k < n; k++) {
                assert_int_equal(body[k], '0' + (int)i);
            }
            got[i] += n;
            c[i].out_len = 0;
        }
        assert_true(round > 0 || c[MF_HTTP_ANSWERS_MAX].out_len == 0);
    }
    for (unsigned i = 0; i < MF_HTTP_ANSWERS_MAX; i++) {
        assert_int_equal(got[i], MF_HTTP_ANSWER_MAX);
    }
    assert_true(answered(c + MF_HTTP_ANSWERS_MAX, "200 OK"));
}

/* As many answers as there is memory for are not taken, and others wait for that: a short one is
 * answered at once, and the others in the order in which they came, whoever comes again. */
static void test_short_answers_wait_for_nobody(void **state)
{
    (void)state;
    const uint16_t waiting = MF_HTTP_ANSWERS_MAX + 100;
    struct client *c = fresh((uint16_t)(waiting + 2));
    for (unsigned i = waiting; i > 0; i--) { /* the last one first */
        say(c + i, "GET /made0 HTTP/1.1\r\nHost: x\r\n\r\n");
        (void)mf_http_pass(&s_http, S - (mf_us_t)i);
    }
    for (unsigned i = 1; i <= waiting; i++) {
        assert_true(answered(c + i, "200 OK") == (i > waiting - MF_HTTP_ANSWERS_MAX));
    }
    for (unsigned i = 0; i < 3; i++) {
        say(c, "GET /short HTTP/1.1\r\nHost: x\r\n\r\n");
        (void)mf_http_pass(&s_http, S + i);
        assert_true(answered(c, "hello /short"));
        c->out_len = 0;
        memset(c->out, 0, sizeof c->out);
    }
    say(c, "GET /made1 HTTP/1.1\r\nHost: x\r\n\r\n");
    const unsigned oldest = waiting - MF_HTTP_ANSWERS_MAX;
    mf_http_close(&s_http, (uint16_t)waiting); /* gives its memory back */
    (void)mf_http_pass(&s_http, S + 5);
    (void)mf_http_pass(&s_http, S + 5);
    assert_true(answered(c + oldest, "200 OK"));
    assert_false(answered(c + oldest - 1, "HTTP"));
    assert_int_equal(c->out_len, 0);
    (void)mf_http_pass(&s_http, 11 * S); /* 10 s are too long for anybody */
    assert_true(answered(c + 1, "503 Service Unavailable"));
}

/* Clients that ask for a constant again and again, and take nothing, hold no memory. */
static void test_short_answers_find_a_buffer(void **state)
{
    (void)state;
    struct client *c = fresh(MF_HTTP_REQUESTS_MAX + 30);
    for (unsigned i = 1; i < MF_HTTP_REQUESTS_MAX + 30; i++) {
        say(c + i, "GET /large HTTP/1.1\r\nHost: x\r\n\r\nGET /large HTTP/1.1\r\nHost: x\r\n\r\n");
    }
    (void)mf_http_pass(&s_http, S);
    say(c, "GET /short HTTP/1.1\r\nHost: x\r\n\r\n");
    (void)mf_http_pass(&s_http, S + 1);
    assert_true(answered(c, "hello /short"));
    for (unsigned i = 1; i < MF_HTTP_REQUESTS_MAX + 30; i++) {
        assert_false(answered(c + i, "503"));
        assert_false(answered(c + i, "408")); /* not in the middle of an answer */
    }
}

static void test_head_has_no_body(void **state)
{
    (void)state;
    struct client *c = fresh(1);
    say(c, "HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n");
    (void)mf_http_pass(&s_http, S);
    assert_string_equal(c->out, OK_HEAD("8"));
}

static void test_head_of_a_stream_is_none(void **state)
{
    (void)state;
    struct client *c = fresh(1);
    say(c, "HEAD /stream HTTP/1.1\r\nHost: x\r\n\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    (void)mf_http_pass(&s_http, S);
    assert_int_equal(mf_http_streams(&s_http), 0);
    assert_true(answered(c, "hello /a"));
}

static void test_who_wants_to_go_goes(void **state)
{
    (void)state;
    struct client *c = fresh(3);
    say(c + 2, "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    say(c, "GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    say(c + 1, "GET /a HTTP/1.0\r\n\r\n");
    (void)mf_http_pass(&s_http, S);
    assert_true(answered(c, "Connection: close\r\n"));
    assert_int_equal(mf_http_done(&s_http), MF_E_NOENT); /* not before it has been sent */
    c[0].out_len = 0;
    assert_int_equal(mf_http_done(&s_http), 0);
    mf_http_close(&s_http, 0);
    c[1].out_len = 0;
    assert_int_equal(mf_http_done(&s_http), 1);
    mf_http_close(&s_http, 1);
    c[2].out_len = 0; /* HTTP/1.0 had no word for staying */
    assert_int_equal(mf_http_done(&s_http), 2);
}

static const struct {
    const char *text, *status;
} k_bad[] = {
    {"GET\r\n\r\n", "400 Bad Request"},
    {"\x16\x03\x01\x02", "400 Bad Request"},
    {"get /a HTTP/1.1\r\n\r\n", "501 Not Supported"},
    {"CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n", "501 Not Supported"},
    {"GET /a HTTP/2.0\r\n\r\n", "505 HTTP Version Not Supported"},
    {"GET /a\r\n\r\n", "505 HTTP Version Not Supported"},
    {"GET /a http/1.1\r\n\r\n", "400 Bad Request"},
    /* Host: RFC 9112, 3.2 */
    {"GET /a HTTP/1.1\r\n\r\n", "400 Bad Request"},
    {"GET /a HTTP/1.2\r\n\r\n", "400 Bad Request"},
    {"GET /a HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n", "400 Bad Request"},
    {"GET /a HTTP/1.1\r\nHost:\r\nHost: x\r\n\r\n", "400 Bad Request"},
    {"GET /a HTTP/1.1\r\nHost: a b\r\n\r\n", "400 Bad Request"},
    {"GET /a HTTP/1.1\r\nHost: a/b\r\n\r\n", "400 Bad Request"},
    {"GET http://y/a HTTP/1.1\r\n\r\n", "400 Bad Request"},
    /* lines: 2.2, 5.1, 5.2 */
    {"GET /a HTTP/1.1\r\nHost : x\r\n\r\n", "400 Bad Request"},
    {"GET /a HTTP/1.1\r\n Host: x\r\n\r\n", "400 Bad Request"},
    {"GET /a HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n", "400 Bad Request"},
    {"GET /a HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n", "400 Bad Request"},
    {"GET /a HTTP/1.1\r\nHost: x\r\nX: a\x01\r\n\r\n", "400 Bad Request"},
    /* targets: 3.2 */
    {"GET a HTTP/1.1\r\nHost: x\r\n\r\n", "400 Bad Request"},
    {"GET * HTTP/1.1\r\nHost: x\r\n\r\n", "400 Bad Request"},
    {"GET *a HTTP/1.1\r\nHost: x\r\n\r\n", "400 Bad Request"},
    {"GET https://x/a HTTP/1.1\r\nHost: x\r\n\r\n", "400 Bad Request"},
    {"GET http:///a HTTP/1.1\r\nHost: x\r\n\r\n", "400 Bad Request"},
    {"GET http://u@x/a HTTP/1.1\r\nHost: x\r\n\r\n", "400 Bad Request"},
    {"GET /a#b HTTP/1.1\r\nHost: x\r\n\r\n", "400 Bad Request"},
    {"GET /a\xff HTTP/1.1\r\nHost: x\r\n\r\n", "400 Bad Request"},
    {"GET /a%2 HTTP/1.1\r\nHost: x\r\n\r\n", "400 Bad Request"},
    {"GET /a?%gg HTTP/1.1\r\nHost: x\r\n\r\n", "400 Bad Request"},
    /* framing: 6.1 .. 6.3 */
    {"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
     "400 Bad Request"},
    {"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3, 3\r\n\r\nabc", "400 Bad Request"},
    {"POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n",
     "400 Bad Request"},
    {"POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
     "501 Not Supported"},
    {"POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", "501 Not Supported"},
    {"POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400 Bad Request"},
    {"POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", "400 Bad Request"},
    {"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: tea\r\n\r\n",
     "417 Expectation Failed"},
    {"BREW /a HTTP/1.1\r\nHost: x\r\n\r\n", "501 Not Supported"},
    {"GET /a HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", "400 Bad Request"},
    {"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", "400 Bad Request"},
    {"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 99999\r\n\r\n", "413 Content Too Large"},
    {"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
     "400 Bad Request"},
    {"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
     "400 Bad Request"},
};

static void test_what_cannot_be_served_is_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof k_bad / sizeof k_bad[0]; i++) {
        struct client *c = fresh(1);
        say(c, k_bad[i].text);
        (void)mf_http_pass(&s_http, S);
        if (!answered(c, k_bad[i].status)) {
            fail_msg("%s: %s", k_bad[i].text, c->out);
        }
        assert_true(answered(c, "Connection: close") && answered(c, "{\"error\":\""));
        c->out_len = 0;
        (void)mf_http_pass(&s_http, S + MF_HTTP_LINGER_US);
        assert_int_equal(mf_http_done(&s_http), 0);
        assert_int_equal(s_http.stats.refused, 1);
    }
}

static void test_where_it_is_malformed(void **state)
{
    (void)state;
    struct client *c = fresh(1);
    say(c, "GET /a HTTP/1.1\r\nX\x01: y\r\n\r\n"); /* its 19th byte */
    (void)mf_http_pass(&s_http, S);
    assert_names(c->out, "400 error byte 19");
    c = fresh(1);
    say(c, "\x16\x03\x01\x02"); /* what TLS begins with */
    (void)mf_http_pass(&s_http, S);
    assert_names(c->out, "400 error HTTP/1.1 TLS");
}

static void test_what_has_no_end(void **state)
{
    static const char *const k_long[][2] = {
        {"GET /", "414 URI Too Long"},
        {"\r\nGET /?", "414 URI Too Long"},
        {"GET /a HTTP/1.1\r\nHost: x\r\nX: ", "431 Request Header Fields Too Large"},
        {"POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n",
         "413 Content Too Large"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof k_long / sizeof k_long[0]; k++) {
        struct client *c = fresh(1);
        say(c, k_long[k][0]);
        memset(c->in + c->in_len, 'a', 20000);
        c->in_len += 20000;
        for (int i = 0; i < 10; i++) {
            (void)mf_http_pass(&s_http, S);
        }
        if (!answered(c, k_long[k][1])) {
            fail_msg("%s: %s", k_long[k][0], c->out);
        }
        assert_int_equal(s_http.stats.refused, 1);
        assert_int_equal(c->in_len, 0);
    }
}

/* A client that goes on sending what nobody reads would lose the answer with the connection. */
static void test_who_is_refused_may_finish_sending(void **state)
{
    (void)state;
    struct client *c = fresh(1);
    say(c, "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 99999\r\n\r\n");
    assert_int_equal(mf_http_pass(&s_http, S), S);
    assert_true(answered(c, "413 Content Too Large"));
    c->out_len = 0;
    for (mf_us_t t_us = S; t_us < 2 * S; t_us += MF_HTTP_LINGER_US - 1) {
        say(c, "more");
        assert_int_equal(mf_http_pass(&s_http, t_us), t_us + MF_HTTP_LINGER_US);
        assert_int_equal(c->in_len, 0);
        assert_int_equal(mf_http_done(&s_http), MF_E_NOENT);
    }
    (void)mf_http_pass(&s_http, 3 * S);
    assert_int_equal(mf_http_done(&s_http), 0);
    c = fresh(1);
    say(c, "bad\r\n");
    mf_us_t t_us = S;
    for (; mf_http_done(&s_http) < 0 && t_us < 60 * S; t_us += MF_HTTP_LINGER_US / 2) {
        say(c, "more"); /* for ever */
        (void)mf_http_pass(&s_http, t_us);
        c->out_len = 0;
    }
    assert_int_equal(t_us, S + MF_HTTP_REQUEST_US + MF_HTTP_LINGER_US / 2);
}

/* What the standard takes, one after the other on one connection. */
static void test_what_is_taken(void **state)
{
    static const char *const k_good[][2] = {
        {"GET http://y:80/a?b=c HTTP/1.1\r\nHost: x\r\n\r\n", "GET /a ?b=c t= c= b="},
        {"GET HTTP://y HTTP/1.1\r\nHost: x\r\n\r\n", "GET / ? t= c= b="},
        {"GET http://y?b HTTP/1.1\r\nHost: x\r\n\r\n", "GET / ?b t= c= b="},
        {"GET /%61%2fb%7E%25%00?%63=%26 HTTP/1.1\r\nHost: x\r\n\r\n",
         "GET /a%2fb~%25%00 ?c=%26 t= c= b="},
        {"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "OPTIONS * ? t= c= b="},
        {"GET /a HTTP/1.1\nHost: x\n\n", "GET /a ? t= c= b="},
        {"\r\n\r\nGET /a HTTP/1.1\r\nHost:\r\n\r\n", "GET /a ? t= c= b="},
        {"GET /a HTTP/1.1\r\nHost: x \t\r\nAuthorization: bearer  tok \r\n\r\n",
         "GET /a ? t=tok c= b="},
        {"GET /a HTTP/1.1\r\nHost: x\r\nAccept: a/b\r\nAccept: c/d\r\naccept: e/f\r\n\r\n",
         "GET /a ? t= c= b="},
        {"GET /a HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n",
         "GET /a ? t= c= b="},
        {"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", "POST /a ? t= c= b=abc"},
        {"POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n2;e=f\r\nab\r\n0\r\n"
         "Host: y\r\nContent-Type: t\r\n\r\n",
         "POST /a ? t= c= b=ab"},
        {"GET /a HTTP/1.2\r\nHost: x\r\nExpect: 100-Continue\r\n\r\n", "GET /a ? t= c= b="},
        {"POST /a HTTP/1.0\r\nExpect: tea\r\nContent-Length: 2\r\n\r\nab", "POST /a ? t= c= b=ab"},
    };
    (void)state;
    struct client *c = fresh(1);
    for (size_t i = 0; i < sizeof k_good / sizeof k_good[0]; i++) {
        c->out_len = 0;
        c->out[0] = '\0';
        say(c, k_good[i][0]);
        (void)mf_http_pass(&s_http, S);
        assert_string_equal(s_seen, k_good[i][1]);
        assert_true(strncmp(c->out, "HTTP/1.1 200 OK\r\n", 17) == 0);
    }
}

static void test_a_date_where_there_is_a_clock(void **state)
{
    (void)state;
    struct client *c = fresh(1);
    s_http.utc_us = INT64_C(784111777999999); /* RFC 9110, 5.6.7 */
    say(c, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    (void)mf_http_pass(&s_http, S);
    assert_true(answered(c, "200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"));
}

static void test_what_a_client_takes(void **state)
{
    static const struct {
        const char *accept;
        bool json, page;
    } k_case[] = {
        {"", true, true},
        {"*/*", true, true},
        {"text/html", false, true},
        {"text/*", false, true},
        {"application/json", true, false},
        {"APPLICATION/JSON;charset=utf-8", true, false},
        {"application/*;q=0.1", true, false},
        {"text/html, application/xml;q=0.9, */*;q=0.8", true, true},
        {"application/json;q=0, */*", false, true},
        {"*/*, application/json; q=0.000", false, true},
        {"application/*;q=0,application/json;q=0.5", true, false},
        {"*/*;q=0", false, false},
        {"image/png", false, false},
        {"application/jsonx, text/htm", false, false},
        {",,;", false, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const struct mf_http_text accept = {k_case[i].accept, strlen(k_case[i].accept)};
        if (mf_http_accepts(&accept, "application/json") != k_case[i].json ||
            mf_http_accepts(&accept, "text/html; charset=utf-8") != k_case[i].page) {
            fail_msg("%s", k_case[i].accept);
        }
    }
}

/* What comes in one piece is answered in the same pass, however many others have begun; of these
 * the oldest go. */
static void test_the_slow_give_way(void **state)
{
    const unsigned slow = 300;
    (void)state;
    struct client *c = fresh((uint16_t)(slow + 1));
    for (unsigned i = 0; i < slow; i++) {
        say(c + i, "GET /slow");
        (void)mf_http_pass(&s_http, S + i);
    }
    say(c + slow, "GET /quick HTTP/1.1\r\nHost: x\r\n\r\n");
    (void)mf_http_pass(&s_http, S + slow);
    assert_true(answered(c + slow, "hello /quick"));
    for (unsigned i = 0; i < slow; i++) {
        assert_int_equal(answered(c + i, "408 Request Timeout"),
                         i < slow - (MF_HTTP_REQUESTS_MAX - 2));
    }
    say(c + slow - 1, " HTTP/1.1\r\nHost: x\r\n\r\n"); /* who was not late goes on */
    (void)mf_http_pass(&s_http, 2 * S);
    assert_true(answered(c + slow - 1, "hello /slow"));
}

/* All at one moment: those that came first in the pass go. */
static void test_drips_hinder_nobody(void **state)
{
    (void)state;
    struct client *c = fresh(MF_HTTP_CONNECTIONS_MAX);
    for (unsigned i = 0; i < MF_HTTP_CONNECTIONS_MAX - 1; i++) {
        say(c + i, "G");
    }
    say(c + MF_HTTP_CONNECTIONS_MAX - 1, "GET /quick HTTP/1.1\r\nHost: x\r\n\r\n");
    (void)mf_http_pass(&s_http, S);
    assert_true(answered(c + MF_HTTP_CONNECTIONS_MAX - 1, "hello /quick"));
}

static void test_times(void **state)
{
    (void)state;
    struct client *c = fresh(2);
    say(c, "GET /slow");
    assert_true(mf_http_pass(&s_http, S) == 11 * S); /* 10 s for a request, 120 s for none */
    (void)mf_http_pass(&s_http, 11 * S - 1);
    assert_int_equal(c->out_len, 0);
    (void)mf_http_pass(&s_http, 11 * S);
    assert_true(answered(c, "408 Request Timeout"));
    (void)mf_http_pass(&s_http, 120 * S - 1);
    c->out_len = 0;
    mf_http_close(&s_http, 0);
    assert_int_equal(mf_http_done(&s_http), MF_E_NOENT);
    (void)mf_http_pass(&s_http, 120 * S);
    assert_int_equal(mf_http_done(&s_http), 1);
}

static void test_streams(void **state)
{
    (void)state;
    struct client *c = fresh(2);
    say(c, "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
    (void)mf_http_pass(&s_http, S);
    assert_true(answered(c, "200 OK") && !answered(c, "Content-Length"));
    assert_true(mf_http_feeds(&s_http, s_text) && !mf_http_feeds(&s_http, c));
    s_pieces = 2;
    (void)mf_http_feed(&s_http, next_piece);
    assert_true(answered(c, "data: 0\n\ndata: 1\n\n"));
    assert_int_equal(c[1].out_len, 0);
    (void)mf_http_pass(&s_http, 10000 * S);
    assert_int_equal(mf_http_done(&s_http), 1); /* the idle one, not the stream */
    mf_http_close(&s_http, 1);
    s_pieces = 10000; /* more than it takes: the rest when it does */
    (void)mf_http_feed(&s_http, next_piece);
    assert_false(answered(c, "data: 9999\n"));
    c->out_len = 0;
    (void)mf_http_feed(&s_http, next_piece);
    c->out_len = 0;
    (void)mf_http_feed(&s_http, next_piece);
    assert_true(answered(c, "data: 9999\n\n"));
    assert_int_equal(mf_http_done(&s_http), MF_E_NOENT);
}

static void test_a_stream_outlives_its_request(void **state)
{
    (void)state;
    struct client *c = fresh(2);
    say(c, "GET /stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    say(c + 1, "GET /stream HTTP/1.0\r\n\r\n");
    (void)mf_http_pass(&s_http, S);
    c[0].out_len = c[1].out_len = 0;
    assert_int_equal(mf_http_done(&s_http), MF_E_NOENT);
    assert_true(mf_http_pass(&s_http, 2 * S) == MF_NEVER);
    mf_http_tell(&s_http, ":\n\n", 3);
    assert_string_equal(c[0].out, ":\n\n");
    assert_string_equal(c[1].out, ":\n\n");
    c[1].out_len = QUEUE - MF_HTTP_PIECE_MAX + 1; /* no room: it does without */
    mf_http_tell(&s_http, ":\n\n", 3);
    assert_int_equal(c[1].out_len, QUEUE - MF_HTTP_PIECE_MAX + 1);
    assert_int_equal(mf_http_done(&s_http), MF_E_NOENT);
}

static bool open_another(uint16_t client, mf_us_t wall_us)
{
    const struct mf_serial serial = {.ops = &k_serial, .ctx = &s_client[client]};
    return mf_http_open(&s_http, client, &serial, true, wall_us);
}

/* The last place is kept for whoever comes: who idles for the longest time goes. */
static void test_too_many(void **state)
{
    const uint16_t last = MF_HTTP_CONNECTIONS_MAX - 1;
    (void)state;
    struct client *c = fresh(last);
    for (uint16_t i = 0; i < last; i++) {
        if (i != 7) {
            say(c + i, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
        }
    }
    (void)mf_http_pass(&s_http, S);
    assert_int_equal(mf_http_done(&s_http), MF_E_NOENT);
    assert_true(open_another(last, 5 * S));
    assert_int_equal(mf_http_done(&s_http), 7);
    assert_false(open_another(last + 1, 5 * S)); /* not before it has gone */
    mf_http_close(&s_http, 7);
    assert_true(open_another(last + 1, 5 * S));
    assert_int_equal(mf_http_done(&s_http), 0);
}

static void test_all_are_busy(void **state)
{
    const uint16_t last = MF_HTTP_CONNECTIONS_MAX - 1;
    (void)state;
    struct client *c = fresh(last);
    for (uint16_t i = 0; i < last; i++) {
        say(c + i, i == 3 ? "GET /begun" : "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
    }
    (void)mf_http_pass(&s_http, S);
    assert_true(open_another(last, S + 1));
    assert_true(answered(c + last, "503 Service Unavailable"));
    assert_true(answered(c + last, "Connection: close"));
    c[last].out_len = 0;
    (void)mf_http_pass(&s_http, S + 1 + MF_HTTP_LINGER_US);
    assert_int_equal(mf_http_done(&s_http), last);
}

/* A quarter of a second is enough to take an answer where others want to come. */
static void test_who_does_not_take_its_answer_gives_its_place(void **state)
{
    const uint16_t last = MF_HTTP_CONNECTIONS_MAX - 1;
    (void)state;
    struct client *c = fresh(last);
    for (uint16_t i = 0; i < last; i++) {
        say(c + i, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
    }
    (void)mf_http_pass(&s_http, S);
    assert_true(open_another(last, S + MF_HTTP_PATIENCE_US));
    assert_int_equal(c[last].out_len, 0);
    assert_int_equal(mf_http_done(&s_http), 0);
}

/* As many as there may be, and others still find a place. */
static void test_streams_leave_places(void **state)
{
    (void)state;
    struct client *c = fresh(MF_HTTP_STREAMS_MAX + 2);
    for (unsigned i = 0; i <= MF_HTTP_STREAMS_MAX; i++) {
        say(c + i, "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
    }
    (void)mf_http_pass(&s_http, S);
    assert_int_equal(mf_http_streams(&s_http), MF_HTTP_STREAMS_MAX);
    assert_true(answered(c + MF_HTTP_STREAMS_MAX - 1, "200 OK"));
    assert_true(answered(c + MF_HTTP_STREAMS_MAX, "503 Service Unavailable"));
    say(c + MF_HTTP_STREAMS_MAX + 1, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    (void)mf_http_pass(&s_http, S);
    assert_true(answered(c + MF_HTTP_STREAMS_MAX + 1, "200 OK"));
}

static void test_who_waits_to_be_told_to_go_on_is_told(void **state)
{
    (void)state;
    struct client *c = fresh(1);
    say(c, "POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
    (void)mf_http_pass(&s_http, S);
    assert_string_equal(c->out, "HTTP/1.1 100 Continue\r\n\r\n");
    say(c, "abc");
    (void)mf_http_pass(&s_http, S);
    assert_true(answered(c, "hello /p"));
    c->out_len = 0;
    say(c, "POST /p HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n");
    (void)mf_http_pass(&s_http, S);
    assert_int_equal(c->out_len, 0); /* not before the headers are over */
    say(c, "Content-Length: 3\r\n\r\nabc");
    (void)mf_http_pass(&s_http, S);
    assert_true(strncmp(c->out, "HTTP/1.1 200", 12) == 0); /* nor if the body is there */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_request_and_its_answer),
        cmocka_unit_test(test_a_request_in_pieces),
        cmocka_unit_test(test_chunks_come_together),
        cmocka_unit_test(test_pipelined_requests_are_answered_in_order),
        cmocka_unit_test(test_long_answers_wait_for_room),
        cmocka_unit_test(test_what_is_known_is_not_sent_again),
        cmocka_unit_test(test_answers_that_wait_stay_as_they_are),
        cmocka_unit_test(test_head_has_no_body),
        cmocka_unit_test(test_short_answers_wait_for_nobody),
        cmocka_unit_test(test_short_answers_find_a_buffer),
        cmocka_unit_test(test_head_of_a_stream_is_none),
        cmocka_unit_test(test_who_wants_to_go_goes),
        cmocka_unit_test(test_what_cannot_be_served_is_told),
        cmocka_unit_test(test_where_it_is_malformed),
        cmocka_unit_test(test_what_has_no_end),
        cmocka_unit_test(test_who_is_refused_may_finish_sending),
        cmocka_unit_test(test_what_is_taken),
        cmocka_unit_test(test_a_date_where_there_is_a_clock),
        cmocka_unit_test(test_what_a_client_takes),
        cmocka_unit_test(test_the_slow_give_way),
        cmocka_unit_test(test_drips_hinder_nobody),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_streams_leave_places),
        cmocka_unit_test(test_who_does_not_take_its_answer_gives_its_place),
        cmocka_unit_test(test_a_stream_outlives_its_request),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_all_are_busy),
        cmocka_unit_test(test_who_waits_to_be_told_to_go_on_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
