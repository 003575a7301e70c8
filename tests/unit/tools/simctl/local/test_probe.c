/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/local/probe.h"

#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#define LOOKS 1000 /* 1 ms apart: a packet of loopback has arrived by then */

/* This thread asks and answers: a probe that waited would never be answered. */
static int listen_at(unsigned *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof at;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (const struct sockaddr *)(const void *)&at, length), 0);
    assert_int_equal(listen(fd, 4), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)(void *)&at, &length), 0);
    *port = ntohs(at.sin_port);
    return fd;
}

static int accept_question(int server, const char *begins)
{
    char text[256] = "";
    const int fd = accept(server, NULL, NULL);
    assert_true(fd >= 0);
    assert_true(recv(fd, text, sizeof text - 1, 0) > 0);
    assert_memory_equal(text, begins, strlen(begins));
    return fd;
}

static void say(int fd, const char *text)
{
    assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

static bool comes_true(struct simctl_probe *probe, unsigned port)
{
    bool good = false;
    for (int i = 0; i < LOOKS && !good && probe->open; i++) {
        good = simctl_probe_ok(probe, port, "/readyz");
        (void)usleep(1000);
    }
    return good;
}

static void test_an_answer_in_pieces(void **state)
{
    unsigned port;
    struct simctl_probe probe = {0};
    const int server = listen_at(&port);
    (void)state;
    assert_false(simctl_probe_ok(&probe, port, "/readyz"));
    const int client = accept_question(server, "GET /readyz HTTP/1.0\r\n");
    assert_false(simctl_probe_ok(&probe, port, "/readyz"));
    say(client, "HTTP/1.1 2");
    assert_false(simctl_probe_ok(&probe, port, "/readyz"));
    say(client, "00 OK\r\n\r\n");
    assert_true(comes_true(&probe, port));
    assert_false(probe.open);
    (void)close(client);
    (void)close(server);
}

static void test_another_status_is_asked_anew(void **state)
{
    unsigned port;
    struct simctl_probe probe = {0};
    const int server = listen_at(&port);
    (void)state;
    assert_false(simctl_probe_ok(&probe, port, "/readyz"));
    int client = accept_question(server, "GET /readyz ");
    say(client, "HTTP/1.1 503 Service Unavailable\r\n\r\n");
    assert_false(comes_true(&probe, port));
    assert_false(probe.open);
    (void)close(client);
    assert_false(simctl_probe_ok(&probe, port, "/readyz"));
    client = accept_question(server, "GET /readyz ");
    say(client, "HTTP/1.1 200 OK\r\n\r\n");
    assert_true(comes_true(&probe, port));
    (void)close(client);
    (void)close(server);
}

static void test_silence_is_given_up_and_nobody_is_no_answer(void **state)
{
    unsigned port;
    struct simctl_probe probe = {0};
    const int server = listen_at(&port);
    (void)state;
    assert_false(simctl_probe_ok(&probe, port, "/readyz"));
    assert_true(probe.open);
    assert_false(comes_true(&probe, port));
    assert_false(probe.open); /* after 0.3 s */
    (void)close(server);
    assert_false(simctl_probe_ok(&probe, port, "/readyz"));
    assert_false(probe.open);
    simctl_probe_close(&probe); /* nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_answer_in_pieces),
        cmocka_unit_test(test_another_status_is_asked_anew),
        cmocka_unit_test(test_silence_is_given_up_and_nobody_is_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
