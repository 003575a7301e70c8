/* SPDX-License-Identifier: Apache-2.0 */
/* The service as its clients see it: over a socket, byte by byte where that matters. */
#include "tools/web/web.h"

#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#define BODY_MAX   10000u
#define QUERY_TEXT 200u

static struct web_server *s_server;
static struct sockaddr_in s_address;
static unsigned s_ended;

static void say(struct web_answer *answer, unsigned status, const char *text)
{
    answer->status = status;
    answer->type = "text/plain";
    answer->text = strdup(text);
    answer->text_len = strlen(text);
}

static bool add_parameter(void *ctx, const char *name, const char *value)
{
    char *text = ctx;
    const size_t n = strlen(text);
    (void)snprintf(text + n, QUERY_TEXT - n, "%s=%s;", name, value != NULL ? value : "(none)");
    return strcmp(name, "bad") != 0;
}

static ssize_t read_piece(void *ctx, uint64_t position, char *bytes, size_t max)
{
    const uint64_t *size = ctx;
    const uint64_t left = *size - position, n = left < 5 ? left : 5;
    assert_true(max >= n);
    memset(bytes, 'x', n);
    return (ssize_t)n;
}

static void end_pieces(void *ctx)
{
    free(ctx);
    s_ended++;
}

static void handle(void *ctx, const struct web_request *request, struct web_answer *answer)
{
    char text[QUERY_TEXT] = "";
    (void)ctx;
    if (request->body_too_long) {
        say(answer, 413, "too long");
    } else if (strcmp(request->path, "/echo") == 0) {
        say(answer, 200, request->body);
        assert_int_equal(request->body_len, strlen(request->body));
    } else if (strcmp(request->path, "/query") == 0) {
        say(answer, web_parameters(request, add_parameter, text) ? 200 : 400, text);
    } else if (strcmp(request->path, "/who") == 0) {
        const char *host = web_header(request, "x-name");
        say(answer, 200, request->local && host != NULL ? host : "?");
        web_answer_header(answer, "X-Answer", "%d", 42);
    } else if (strcmp(request->path, "/pieces") == 0) {
        uint64_t *size = calloc(1, sizeof *size);
        assert_non_null(size);
        *size = 12;
        *answer = (struct web_answer){
            .status = 200, .read = read_piece, .end = end_pieces, .ctx = size, .size = -1};
    } else if (strcmp(request->path, "/empty") == 0) {
        answer->status = 204;
    }
}

static void refuse(void *ctx, unsigned status, const char *code, const char *text,
                   struct web_answer *answer)
{
    (void)ctx, (void)text;
    say(answer, status, code);
}

static int set_up(void **state)
{
    const struct web_settings settings = {.listen = "127.0.0.1:0",
                                          .threads = 2,
                                          .body_max = BODY_MAX,
                                          .handle = handle,
                                          .refuse = refuse};
    char url[64], error[200];
    (void)state;
    s_server = web_serve(&settings, url, sizeof url, error, sizeof error);
    if (s_server == NULL) {
        (void)fprintf(stderr, "%s\n", error);
        return -1;
    }
    assert_int_equal(strncmp(url, "http://127.0.0.1:", 17), 0);
    s_address = (struct sockaddr_in){.sin_family = AF_INET,
                                     .sin_port = htons((uint16_t)strtoul(url + 17, NULL, 10)),
                                     .sin_addr = {htonl(INADDR_LOOPBACK)}};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    web_stop(s_server);
    return 0;
}

/* @return all that the server says until it closes the connection */
static const char *ask(const char *request, size_t n)
{
    static char s_said[65536];
    size_t len = 0;
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&s_address, sizeof s_address), 0);
    assert_int_equal(send(fd, request, n, MSG_NOSIGNAL), n);
    for (ssize_t got = 1; got > 0 && len<sizeof s_said - 1; len += got> 0 ? (size_t)got : 0) {
        got = recv(fd, s_said + len, sizeof s_said - 1 - len, 0);
    }
    s_said[len] = '\0';
    (void)close(fd);
    return s_said;
}

static void expect(const char *request, const char *status, const char *end)
{
    const char *said = ask(request, strlen(request));
    const size_t n = strlen(said), tail = strlen(end);
    if (strstr(said, status) != said + 9 || n < tail || strcmp(said + n - tail, end) != 0) {
        fail_msg("'%.100s': '%s'", request, said);
    }
}

#define CLOSE "Connection: close\r\n\r\n"

static void test_requests(void **state)
{
    (void)state;
    expect("GET /echo HTTP/1.1\r\nHost: a\r\n" CLOSE, "200", "\r\n\r\n");
    expect("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n" CLOSE "hello", "200", "hello");
    expect("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n" CLOSE
           "3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n",
           "200", "hello");
    expect("GET /query?a=1&b&c=%20x%00&d= HTTP/1.1\r\nHost: a\r\n" CLOSE, "200",
           "a=1;b=(none);c= x%00;d=;");
    expect("GET /query?bad=1&b HTTP/1.1\r\nHost: a\r\n" CLOSE, "400", "bad=1;");
    expect("GET /who HTTP/1.1\r\nHost: a\r\nX-Name: me\r\n" CLOSE, "200", "me");
    expect("GET /empty HTTP/1.1\r\nHost: a\r\n" CLOSE, "204", "\r\n\r\n");
    assert_non_null(strstr(ask("GET /who HTTP/1.1\r\nHost: a\r\n" CLOSE, 49), "X-Answer: 42\r\n"));
}

static void test_a_body_in_pieces(void **state)
{
    (void)state;
    s_ended = 0;
    expect("GET /pieces HTTP/1.0\r\n\r\n", "200", "\r\n\r\nxxxxxxxxxxxx");
    assert_int_equal(s_ended, 1);
}

/* One that is as long as it may be; one more byte, announced or not. */
static void test_bodies_are_bounded(void **state)
{
    static char s_request[BODY_MAX + 200];
    (void)state;
    for (size_t more = 0; more < 2; more++) {
        const int head = snprintf(s_request, sizeof s_request,
                                  "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: %zu\r\n" CLOSE,
                                  BODY_MAX + more);
        memset(s_request + head, 'b', BODY_MAX + more);
        const char *said = ask(s_request, (size_t)head + BODY_MAX + more);
        assert_memory_equal(said + 9, more == 0 ? "200" : "413", 3);
    }
    const int head =
        snprintf(s_request, sizeof s_request,
                 "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n" CLOSE "%x\r\n",
                 BODY_MAX + 1);
    memset(s_request + head, 'b', BODY_MAX + 1);
    (void)snprintf(s_request + head + BODY_MAX + 1, 8, "\r\n0\r\n\r\n");
    assert_memory_equal(ask(s_request, (size_t)head + BODY_MAX + 8) + 9, "413", 3);
}

static void test_targets_are_bounded(void **state)
{
    static char s_request[WEB_TARGET_MAX + 200] = "GET /";
    (void)state;
    memset(s_request + 5, 'a', WEB_TARGET_MAX);
    static const char k_rest[] = " HTTP/1.1\r\nHost: a\r\n" CLOSE;
    (void)snprintf(s_request + 5 + WEB_TARGET_MAX, sizeof k_rest, "%s", k_rest);
    expect(s_request, "414", "too_long");
}

static void test_addresses_that_are_none(void **state)
{
    static const char *const k_bad[] = {
        "", "127.0.0.1", ":80", "a:b:1", "[::1:80", "127.0.0.1:x", "no.such.host.invalid:0"};
    (void)state;
    for (size_t i = 0; i < sizeof k_bad / sizeof k_bad[0]; i++) {
        const struct web_settings settings = {
            .listen = k_bad[i], .threads = 1, .handle = handle, .refuse = refuse};
        char url[64], error[200] = "";
        assert_null(web_serve(&settings, url, sizeof url, error, sizeof error));
        assert_true(error[0] != '\0');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests),
        cmocka_unit_test(test_a_body_in_pieces),
        cmocka_unit_test(test_bodies_are_bounded),
        cmocka_unit_test(test_targets_are_bounded),
        cmocka_unit_test(test_addresses_that_are_none),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
