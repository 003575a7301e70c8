/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of plans, which are longer than other requests. */
#include "host/http/http.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define S       MF_SECOND_US
#define CLIENTS 3
#define BODY    20000u

static struct client {
    char in[32768], out[8192];
    size_t in_len, out_len;
    size_t piece; /* bytes that one read gives at most; 0: all */
} s_client[CLIENTS];

static struct mf_http s_http;
static char s_large[MF_HTTP_LARGE_MAX + 1u];
static char s_path[16];
static size_t s_longest; /* of the bodies that came */
static uint64_t s_sum;   /* of that one */

static int client_write(void *ctx, const uint8_t *bytes, size_t n)
{
    struct client *c = ctx;
    assert_true(n < sizeof c->out - c->out_len);
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
    return sizeof((struct client *)ctx)->out - ((struct client *)ctx)->out_len - 1;
}

static const struct mf_serial_ops k_serial = {client_write, client_read, client_room};

static uint64_t sum_of(const char *at, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (i + 1) * (uint8_t)at[i];
    }
    return sum;
}

static void handle(void *ctx, const struct mf_http_request *r, struct mf_http_answer *a)
{
    (void)ctx;
    memcpy(s_path, r->path.at, r->path.len);
    s_path[r->path.len] = '\0';
    if (r->body.len > s_longest) {
        s_longest = r->body.len;
        s_sum = sum_of(r->body.at, r->body.len);
        assert_int_equal(r->body.at[r->body.len], '\0');
    }
    a->status = 204;
}

static bool takes_large(void *ctx, const struct mf_http_request *r)
{
    (void)ctx;
    return r->path.len == 5 && memcmp(r->path.at, "/plan", 5) == 0;
}

static void begin(void)
{
    memset(&s_http, 0, sizeof s_http);
    memset(s_client, 0, sizeof s_client);
    s_longest = 0;
    mf_http_init(&s_http, handle, NULL, &s_http);
    s_http.takes_large = takes_large;
    s_http.large = s_large;
    for (uint16_t i = 0; i < CLIENTS; i++) {
        const struct mf_serial serial = {.ops = &k_serial, .ctx = &s_client[i]};
        assert_true(mf_http_open(&s_http, i, &serial, true, 0));
    }
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

/* Whatever pieces it comes in; what follows it is another request. */
static void test_a_large_body(void **state)
{
    static const size_t k_piece[] = {0, 1000, 7};
    (void)state;
    for (size_t k = 0; k < sizeof k_piece / sizeof k_piece[0]; k++) {
        begin();
        struct client *c = &s_client[0];
        c->piece = k_piece[k];
        say(c, "PUT /plan HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n");
        const char *body = c->in + c->in_len;
        for (unsigned i = 0; i < BODY; i++) {
            c->in[c->in_len++] = (char)('a' + i % 23);
        }
        const uint64_t sum = sum_of(body, BODY);
        say(c, "GET /behind HTTP/1.1\r\nHost: x\r\n\r\n");
        for (int i = 0; i < 4000 && s_http.stats.requests < 2; i++) {
            (void)mf_http_pass(&s_http, S);
        }
        assert_int_equal(s_http.stats.requests, 2);
        assert_int_equal(s_longest, BODY);
        assert_true(s_sum == sum);
        assert_string_equal(s_path, "/behind");
        assert_null(s_http.large_of);
    }
}

static void test_a_short_one_needs_no_room(void **state)
{
    (void)state;
    begin();
    say(&s_client[0], "PUT /plan HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\nabc");
    say(&s_client[1],
        "PUT /plan HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1");
    (void)mf_http_pass(&s_http, S);
    assert_true(answered(&s_client[1], "204 No Content"));
    assert_int_equal(s_longest, 3);
}

static void test_one_at_a_time(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 2; i++) {
        say(&s_client[i], "PUT /plan HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\nabc");
    }
    (void)mf_http_pass(&s_http, S);
    assert_int_equal(s_client[0].out_len, 0);
    assert_true(answered(&s_client[1], "503 Service Unavailable"));
    mf_http_close(&s_http, 0); /* who goes away leaves it to others */
    say(&s_client[2], "PUT /plan HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\nabc");
    (void)mf_http_pass(&s_http, S);
    assert_int_equal(s_client[2].out_len, 0);
    assert_non_null(s_http.large_of);
    (void)mf_http_pass(&s_http, S + MF_HTTP_REQUEST_US); /* so does who is too slow */
    assert_true(answered(&s_client[2], "408 Request Timeout"));
    assert_null(s_http.large_of);
}

static void test_too_large(void **state)
{
    (void)state;
    begin();
    say(&s_client[0], "PUT /plan HTTP/1.1\r\nHost: x\r\nContent-Length: 2097153\r\n\r\n");
    say(&s_client[1], "PUT /other HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n");
    (void)mf_http_pass(&s_http, S);
    assert_true(answered(&s_client[0], "413 Content Too Large"));
    assert_true(answered(&s_client[1], "413 Content Too Large"));
    assert_null(s_http.large_of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_large_body),
        cmocka_unit_test(test_a_short_one_needs_no_room),
        cmocka_unit_test(test_one_at_a_time),
        cmocka_unit_test(test_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
