/* SPDX-License-Identifier: Apache-2.0 */
#include "host/http.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
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
static char s_seen[256];
static char s_constant[100000];

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

static size_t next_piece(void *ctx, uint64_t *cursor, const char **piece)
{
    char *text = ctx;
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

static struct client *fresh(uint16_t clients)
{
    memset(&s_http, 0, sizeof s_http);
    memset(s_client, 0, sizeof s_client);
    memset(s_constant, 'x', sizeof s_constant);
    s_seen[0] = '\0';
    mf_http_init(&s_http, handle, &s_http);
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
    say(c,
        "POST /p HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{\"a\":1}");
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
    say(c,
        "POST /p HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n"
        "GET /next HTTP/1.1\r\n\r\n");
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
        say(c, i % 2 == 0 ? "GET /even HTTP/1.1\r\n\r\n" : "GET /odd HTTP/1.1\r\n\r\n");
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
        say(c, "GET /large HTTP/1.1\r\n\r\n");
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
    say(c, "GET /a HTTP/1.1\r\nIf-None-Match: \"1\"\r\n\r\nGET /b HTTP/1.1\r\n\r\n");
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
    char request[] = "GET /made0 HTTP/1.1\r\n\r\n";
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

static void test_head_has_no_body(void **state)
{
    (void)state;
    struct client *c = fresh(1);
    say(c, "HEAD /a HTTP/1.1\r\n\r\n");
    (void)mf_http_pass(&s_http, S);
    assert_string_equal(c->out, OK_HEAD("8"));
}

static void test_head_of_a_stream_is_none(void **state)
{
    (void)state;
    struct client *c = fresh(1);
    say(c, "HEAD /stream HTTP/1.1\r\n\r\nGET /a HTTP/1.1\r\n\r\n");
    (void)mf_http_pass(&s_http, S);
    assert_int_equal(mf_http_streams(&s_http), 0);
    assert_true(answered(c, "hello /a"));
}

static void test_who_wants_to_go_goes(void **state)
{
    (void)state;
    struct client *c = fresh(3);
    say(c + 2, "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    say(c, "GET /a HTTP/1.1\r\nConnection: close\r\n\r\n");
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

static void test_what_cannot_be_served_is_told(void **state)
{
    static const struct {
        const char *text, *status;
    } k_bad[] = {
        {"GET\r\n\r\n", "501 Not Supported"},
        {"\x16\x03\x01\x02", "501 Not Supported"},
        {"BREW /a HTTP/1.1\r\n\r\n", "501 Not Supported"},
        {"GET /a HTTP/1.1\r\nno colon\r\n\r\n", "400 Bad Request"},
        {"POST /a HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "400 Bad Request"},
        {"POST /a HTTP/1.1\r\nContent-Length: 99999\r\n\r\n", "413 Content Too Large"},
        {"POST /a HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", "400 Bad Request"},
        {"POST /a HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
         "400 Bad Request"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_bad / sizeof k_bad[0]; i++) {
        struct client *c = fresh(1);
        say(c, k_bad[i].text);
        (void)mf_http_pass(&s_http, S);
        if (!answered(c, k_bad[i].status)) {
            fail_msg("%s: %s", k_bad[i].text, c->out);
        }
        c->out_len = 0;
        assert_int_equal(mf_http_done(&s_http), 0);
        assert_int_equal(s_http.stats.refused, 1);
    }
}

static void test_headers_without_end(void **state)
{
    (void)state;
    struct client *c = fresh(1);
    say(c, "GET /a HTTP/1.1\r\nX: ");
    memset(c->in + c->in_len, 'a', 20000);
    c->in_len += 20000;
    for (int i = 0; i < 10; i++) {
        (void)mf_http_pass(&s_http, S);
    }
    assert_true(answered(c, "431 Request Header Fields Too Large"));
    assert_int_equal(s_http.stats.refused, 1);
}

static void test_the_slow_give_way(void **state)
{
    (void)state;
    struct client *c = fresh(MF_HTTP_REQUESTS_MAX + 1);
    for (unsigned i = 0; i < MF_HTTP_REQUESTS_MAX; i++) {
        say(c + i, "GET /slow");
    }
    (void)mf_http_pass(&s_http, S);
    say(c + MF_HTTP_REQUESTS_MAX, "GET /quick HTTP/1.1\r\n\r\n");
    (void)mf_http_pass(&s_http, S + S / 2);
    assert_int_equal(c[MF_HTTP_REQUESTS_MAX].out_len, 0);
    (void)mf_http_pass(&s_http, 2 * S);
    assert_true(answered(c + MF_HTTP_REQUESTS_MAX, "hello /quick"));
    assert_true(answered(c, "408 Request Timeout"));
    assert_int_equal(c[1].out_len, 0);
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
    say(c, "GET /stream HTTP/1.1\r\n\r\n");
    (void)mf_http_pass(&s_http, S);
    assert_true(answered(c, "200 OK") && !answered(c, "Content-Length"));
    assert_int_equal(mf_http_streams(&s_http), 1);
    char text[32];
    s_pieces = 2;
    (void)mf_http_feed(&s_http, next_piece, text);
    assert_true(answered(c, "data: 0\n\ndata: 1\n\n"));
    assert_int_equal(c[1].out_len, 0);
    (void)mf_http_pass(&s_http, 10000 * S);
    assert_int_equal(mf_http_done(&s_http), 1); /* the idle one, not the stream */
    mf_http_close(&s_http, 1);
    s_pieces = 10000; /* more than it takes: the rest when it does */
    (void)mf_http_feed(&s_http, next_piece, text);
    assert_false(answered(c, "data: 9999\n"));
    c->out_len = 0;
    (void)mf_http_feed(&s_http, next_piece, text);
    c->out_len = 0;
    (void)mf_http_feed(&s_http, next_piece, text);
    assert_true(answered(c, "data: 9999\n\n"));
    assert_int_equal(mf_http_done(&s_http), MF_E_NOENT);
}

static void test_a_stream_outlives_its_request(void **state)
{
    (void)state;
    struct client *c = fresh(2);
    say(c, "GET /stream HTTP/1.1\r\nConnection: close\r\n\r\n");
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

static void test_too_many(void **state)
{
    (void)state;
    (void)fresh(MF_HTTP_CONNECTIONS_MAX);
    const struct mf_serial serial = {.ops = &k_serial, .ctx = &s_client[MF_HTTP_CONNECTIONS_MAX]};
    assert_false(mf_http_open(&s_http, 999, &serial, true, 0));
    mf_http_close(&s_http, 7);
    assert_true(mf_http_open(&s_http, 999, &serial, true, 0));
}

static void test_who_waits_to_be_told_to_go_on_is_told(void **state)
{
    (void)state;
    struct client *c = fresh(1);
    say(c, "POST /p HTTP/1.1\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
    (void)mf_http_pass(&s_http, S);
    assert_string_equal(c->out, "HTTP/1.1 100 Continue\r\n\r\n");
    say(c, "abc");
    (void)mf_http_pass(&s_http, S);
    assert_true(answered(c, "hello /p"));
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
        cmocka_unit_test(test_head_of_a_stream_is_none),
        cmocka_unit_test(test_who_wants_to_go_goes),
        cmocka_unit_test(test_what_cannot_be_served_is_told),
        cmocka_unit_test(test_headers_without_end),
        cmocka_unit_test(test_the_slow_give_way),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_a_stream_outlives_its_request),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_who_waits_to_be_told_to_go_on_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
