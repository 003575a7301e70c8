/* SPDX-License-Identifier: Apache-2.0 */
/* tools/fly/link.h: endpoint texts, and links that are really opened on this machine. */
#include "tests/unit/support/names.h"
#include "tools/fly/link.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

#define PATIENCE_US INT64_C(5000000)

static struct fly_port s_port;
static struct fly_link s_link;
static char s_error[300];

static int open_text(const char *text)
{
    struct fly_endpoint e;
    assert_int_equal(fly_endpoint_parse(text, &e, s_error, sizeof s_error), 0);
    return fly_port_open(&s_port, &e, 0, &s_link, s_error, sizeof s_error);
}

static int send_text(const char *text)
{
    return s_link.ops->send(s_link.ctx, (const uint8_t *)text, strlen(text));
}

/* @return what receive() says; a text that came is compared */
static int receive_text(const char *want, int64_t timeout_us)
{
    char text[16] = "";
    const int n = s_link.ops->receive(s_link.ctx, (uint8_t *)text, sizeof text - 1, timeout_us);
    if (want != NULL) {
        assert_string_equal(text, want);
    }
    return n;
}

/* A socket of this machine on a free port. @param port  out: its number */
static int bound(int type, uint16_t *port)
{
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof own;
    const int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&own, sizeof own), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&own, &len), 0);
    *port = ntohs(own.sin_port);
    return fd;
}

static void test_texts_that_are_endpoints(void **state)
{
    static const struct {
        const char *text;
        enum fly_transport transport;
        const char *host, *port;
    } k_case[] = {
        {"tcp:127.0.0.1:5760", FLY_TCP, "127.0.0.1", "5760"},
        {"tcp://drone:5760", FLY_TCP, "drone", "5760"},
        {"tcp:[::1]:1", FLY_TCP, "::1", "1"},
        {"udp:10.0.0.1:65535", FLY_UDP, "10.0.0.1", "65535"},
        {"udpin:14550", FLY_UDP_IN, "", "14550"},
        {"udpin:0.0.0.0:14550", FLY_UDP_IN, "0.0.0.0", "14550"},
        {"serial:/dev/ttyACM0:57600", FLY_SERIAL, "/dev/ttyACM0", "57600"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct fly_endpoint e;
        assert_int_equal(fly_endpoint_parse(k_case[i].text, &e, s_error, sizeof s_error), 0);
        assert_int_equal(e.transport, k_case[i].transport);
        assert_string_equal(e.host, k_case[i].host);
        assert_string_equal(e.port, k_case[i].port);
    }
}

static void test_texts_that_are_none(void **state)
{
    static const char *const k_text[] = {"tcp:5760",      "tcp::5760",    "tcp:h:0",
                                         "tcp:h:65536",   "tcp:h:x",      "udpin:h:14550x",
                                         "serial:/dev/x", "http://h:80/", "serial:/dev/x:57601"};
    (void)state;
    for (size_t i = 0; i < sizeof k_text / sizeof k_text[0]; i++) {
        struct fly_endpoint e;
        assert_int_equal(fly_endpoint_parse(k_text[i], &e, s_error, sizeof s_error), -1);
        assert_names(s_error, k_text[i]);
    }
}

/* The first sender is the vehicle; before its first datagram, what is sent is lost. */
static void test_a_port_that_listens_answers_the_first_sender(void **state)
{
    uint16_t port, of_vehicle, of_other;
    char text[32], got[8] = "";
    (void)state;
    (void)close(bound(SOCK_DGRAM, &port));
    const int vehicle = bound(SOCK_DGRAM, &of_vehicle), other = bound(SOCK_DGRAM, &of_other);
    const struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    (void)snprintf(text, sizeof text, "udpin:%u", port);
    assert_int_equal(open_text(text), 0);
    assert_true(s_link.datagrams);
    assert_int_equal(send_text("lost"), 0);
    assert_int_equal(receive_text("", 0), 0);
    assert_int_equal(sendto(vehicle, "one", 3, 0, (const struct sockaddr *)&to, sizeof to), 3);
    assert_int_equal(receive_text("one", PATIENCE_US), 3);
    assert_int_equal(sendto(other, "two", 3, 0, (const struct sockaddr *)&to, sizeof to), 3);
    assert_int_equal(receive_text(NULL, PATIENCE_US), 0);
    assert_int_equal(send_text("three"), 0);
    assert_int_equal(recv(vehicle, got, sizeof got - 1, 0), 5);
    assert_string_equal(got, "three");
    fly_port_close(&s_port);
    (void)close(vehicle);
    (void)close(other);
}

/* The machine refuses datagrams to a port without a listener; the link goes on. */
static void test_datagrams_that_nobody_takes_do_not_end_a_link(void **state)
{
    uint16_t port;
    char text[32];
    (void)state;
    (void)close(bound(SOCK_DGRAM, &port));
    (void)snprintf(text, sizeof text, "udp:127.0.0.1:%u", port);
    assert_int_equal(open_text(text), 0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(send_text("x"), 0);
        assert_int_equal(receive_text("", 0), 0);
    }
    fly_port_close(&s_port);
    fly_port_close(&s_port); /* closed twice: nothing happens */
}

/* A vehicle that closes the connection is gone. */
static void test_a_connection_ends_with_its_peer(void **state)
{
    uint16_t port;
    char text[32], got[8] = "";
    (void)state;
    const int server = bound(SOCK_STREAM, &port);
    assert_int_equal(listen(server, 1), 0);
    (void)snprintf(text, sizeof text, "tcp:127.0.0.1:%u", port);
    assert_int_equal(open_text(text), 0);
    assert_false(s_link.datagrams);
    const int vehicle = accept(server, NULL, NULL);
    assert_int_equal(send_text("hello"), 0);
    assert_int_equal(recv(vehicle, got, sizeof got - 1, 0), 5);
    assert_int_equal(send(vehicle, "ok", 2, 0), 2);
    assert_int_equal(receive_text("ok", PATIENCE_US), 2);
    (void)close(vehicle);
    assert_int_equal(receive_text("", PATIENCE_US), -1);
    fly_port_close(&s_port);
    (void)close(server);
}

static void test_ports_that_cannot_be_opened(void **state)
{
    uint16_t port;
    char text[32];
    (void)state;
    const int taken = bound(SOCK_STREAM, &port); /* bound, but it does not listen */
    (void)snprintf(text, sizeof text, "tcp:127.0.0.1:%u", port);
    assert_int_equal(open_text(text), -1);
    (void)snprintf(text, sizeof text, "127.0.0.1 %u", port);
    assert_names(s_error, text);
    (void)close(taken);
    assert_int_equal(open_text("udp:no.such.host.invalid:1"), -1);
    assert_names(s_error, "no.such.host.invalid");
    assert_int_equal(open_text("serial:/dev/null:57600"), -1); /* no terminal */
    assert_names(s_error, "/dev/null");
    assert_int_equal(open_text("serial:/no/such/line:57600"), -1);
    assert_names(s_error, "/no/such/line");
}

/* A pair of terminals is the line: bytes pass as they are, also those that a terminal edits. */
static void test_a_serial_line_is_raw_and_has_its_rate(void **state)
{
    struct termios t;
    char text[64], got[8] = "";
    const int vehicle = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    (void)state;
    assert_true(vehicle >= 0);
    assert_int_equal(grantpt(vehicle), 0);
    assert_int_equal(unlockpt(vehicle), 0);
    (void)snprintf(text, sizeof text, "serial:%s:921600", ptsname(vehicle));
    assert_int_equal(open_text(text), 0);
    assert_int_equal(tcgetattr(s_port.fd, &t), 0);
    assert_true(cfgetospeed(&t) == B921600);
    assert_true(cfgetispeed(&t) == B921600);
    assert_int_equal(t.c_lflag & (tcflag_t)(ICANON | ECHO | ISIG), 0);
    assert_int_equal(send_text("\n\x03\x04"), 0);
    assert_int_equal(read(vehicle, got, sizeof got), 3);
    assert_memory_equal(got, "\n\x03\x04", 3);
    assert_int_equal(write(vehicle, "\r\x11", 2), 2);
    assert_int_equal(receive_text("\r\x11", PATIENCE_US), 2);
    (void)close(vehicle);
    assert_int_equal(receive_text("", PATIENCE_US), -1);
    fly_port_close(&s_port);
}

static void test_time_never_goes_back(void **state)
{
    (void)state;
    assert_int_equal(open_text("udpin:127.0.0.1:1") == 0 || s_error[0] != '\0', 1);
    const int64_t before_us = fly_wall_us();
    assert_true(s_link.ops->now_us(s_link.ctx) >= before_us);
    fly_port_close(&s_port);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_that_are_endpoints),
        cmocka_unit_test(test_texts_that_are_none),
        cmocka_unit_test(test_a_port_that_listens_answers_the_first_sender),
        cmocka_unit_test(test_datagrams_that_nobody_takes_do_not_end_a_link),
        cmocka_unit_test(test_a_connection_ends_with_its_peer),
        cmocka_unit_test(test_ports_that_cannot_be_opened),
        cmocka_unit_test(test_a_serial_line_is_raw_and_has_its_rate),
        cmocka_unit_test(test_time_never_goes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
