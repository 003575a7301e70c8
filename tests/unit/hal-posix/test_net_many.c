/* SPDX-License-Identifier: Apache-2.0 */
/* A port of many addresses, and a socket with many peers, on the loopback and by hand. */
#include "hal-posix/net.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#define PORTS    4u
#define PEERS    8u
#define READ_MAX 64u
/* Passes that wait for something on the loopback; each waits at most 20 ms. */
#define PATIENCE 250

static struct mf_net_port s_ports[PORTS];
static struct mf_net_peer s_peers[PEERS];
static uint8_t s_queues[PEERS][MF_QUEUE_BYTES];
static uint8_t s_datagrams[PORTS][MF_NET_DATAGRAM_MAX];
static struct pollfd s_polls[PORTS + PEERS + 2];
static uint16_t s_owners[PORTS + PEERS + 1];
static struct epoll_event s_events[2];
static struct mf_net_peer *s_chains[2];
static struct mf_net s_net;
static mf_us_t s_now_us;
static char s_reason[MF_REASON_MAX];

/* The board: one link per peer, which keeps what it read, and echoes it. */
static struct {
    bool open;
    struct mf_serial serial;
    size_t len;
    uint8_t got[READ_MAX];
} s_link[PEERS];

static const char *on_opened(void *ctx, uint16_t peer, uint16_t port,
                             const struct mf_serial *serial, const char *name)
{
    (void)ctx, (void)port, (void)name;
    assert_false(s_link[peer].open);
    s_link[peer].open = true;
    s_link[peer].serial = *serial;
    s_link[peer].len = 0;
    return NULL;
}

static void on_closed(void *ctx, uint16_t peer)
{
    (void)ctx;
    s_link[peer].open = false;
}

static void on_note(void *ctx, enum mf_severity severity, const char *text)
{
    (void)ctx, (void)severity, (void)text;
}

static const struct mf_net_events k_events = {on_opened, on_closed, on_note, NULL};

static int setup(void **state)
{
    (void)state;
    const struct mf_net_memory memory = {.ports = s_ports,
                                         .peers = s_peers,
                                         .queues = s_queues,
                                         .datagrams = s_datagrams,
                                         .polls = s_polls,
                                         .owners = s_owners,
                                         .port_max = PORTS,
                                         .peer_max = PEERS,
                                         .events = s_events,
                                         .event_max = 2,
                                         .chains = s_chains,
                                         .chain_count = 2};
    memset(s_chains, 0, sizeof s_chains);
    memset(s_link, 0, sizeof s_link);
    s_now_us = 1000000;
    mf_net_init(&s_net, &memory, &k_events, NULL);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    mf_net_close(&s_net);
    return 0;
}

static void read_link(size_t i)
{
    uint8_t bytes[READ_MAX];
    const int n = mf_serial_read(&s_link[i].serial, bytes, sizeof bytes);
    if (n > 0) {
        assert_true(s_link[i].len + (size_t)n <= READ_MAX);
        memcpy(s_link[i].got + s_link[i].len, bytes, (size_t)n);
        s_link[i].len += (size_t)n;
        assert_int_equal(mf_serial_write(&s_link[i].serial, bytes, (size_t)n), n);
    }
}

/* One pass of the loop, without its sleep where nothing comes. */
static void pass(void)
{
    const mf_us_t due_us = mf_net_prepare(&s_net, s_now_us);
    (void)poll(s_polls, s_net.poll_count, due_us <= s_now_us ? 0 : 20);
    mf_net_receive(&s_net, s_now_us);
    for (size_t i = 0; i < PEERS; i++) {
        if (s_link[i].open) {
            read_link(i);
        }
    }
    mf_net_send(&s_net, s_now_us);
}

#define pass_until(condition)                  \
    do {                                       \
        for (int i_ = 0; !(condition); i_++) { \
            assert_true(i_ < PATIENCE);        \
            pass();                            \
        }                                      \
    } while (0)

static int connect_to(const struct mf_net_port *port, int type)
{
    const int fd = socket(port->local.any.sa_family, type, 0);
    assert_true(fd >= 0);
    assert_int_equal(connect(fd, &port->local.any, port->local.len), 0);
    const struct timeval patience = {.tv_sec = 5};
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return fd;
}

static size_t open_links(void)
{
    size_t count = 0;
    for (size_t i = 0; i < PEERS; i++) {
        count += s_link[i].open;
    }
    return count;
}

static void say(int fd, const char *text)
{
    assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

static void hears(int fd, const char *text)
{
    char got[64] = "";
    assert_int_equal(recv(fd, got, strlen(text), MSG_WAITALL), strlen(text));
    assert_string_equal(got, text);
}

/* A server at every address of the loopback device, on a free port. */
static struct mf_net_port *add_many(enum mf_port_kind kind, uint16_t number)
{
    struct mf_endpoint ep = {.kind = kind, .many = true, .device = "lo"};
    ep.addr.len = sizeof ep.addr.in;
    ep.addr.in.sin_family = AF_INET;
    ep.addr.in.sin_port = htons(number);
    const int port = mf_net_add(&s_net, &ep, s_reason);
    assert_true(port >= 0);
    assert_int_equal(mf_net_listen(&s_net, (uint16_t)port, s_reason), MF_E_OK);
    return &s_ports[port];
}

/* A client of one of its addresses, in the order of the host. */
static int connect_at(const struct mf_net_port *port, int type, uint32_t address)
{
    struct mf_net_port at = *port;
    at.local.in.sin_addr.s_addr = htonl(address);
    return connect_to(&at, type);
}

static void spoken_to(int peer, uint32_t address)
{
    assert_int_equal(ntohl(s_peers[peer].local.in.sin_addr.s_addr), address);
}

static void test_a_port_of_many_addresses_knows_which_is_meant(void **state)
{
    (void)state;
    const struct mf_net_port *tcp = add_many(MF_PORT_TCP_SERVER, 0);
    const struct mf_net_port *udp = add_many(MF_PORT_UDP_SERVER, 0);
    const int a = connect_at(tcp, SOCK_STREAM, 0x7F401C90u); /* 127.64.28.144 */
    const int b = connect_at(tcp, SOCK_STREAM, 0x7F400001u);
    pass_until(open_links() == 2);
    spoken_to(0, 0x7F401C90u);
    spoken_to(1, 0x7F400001u);
    const int c = connect_at(udp, SOCK_DGRAM, 0x7F400002u);
    say(c, "two");
    pass_until(open_links() == 3);
    spoken_to(2, 0x7F400002u);
    hears(c, "two"); /* which hears that address alone */
    /* one client that speaks to two addresses is two peers */
    const int d = socket(AF_INET, SOCK_DGRAM, 0);
    struct mf_addr to = udp->local;
    for (uint32_t i = 3; i < 5; i++) {
        to.in.sin_addr.s_addr = htonl(0x7F400000u + i);
        assert_int_equal(sendto(d, "x", 1, 0, &to.any, to.len), 1);
    }
    pass_until(open_links() == 5);
    spoken_to(3, 0x7F400003u);
    spoken_to(4, 0x7F400004u);
    (void)close(a);
    (void)close(b);
    (void)close(c);
    (void)close(d);
}

static void test_more_datagrams_are_taken_between_two_polls(void **state)
{
    (void)state;
    const struct mf_net_port *port = add_many(MF_PORT_UDP_SERVER, 0);
    const int a = connect_at(port, SOCK_DGRAM, INADDR_LOOPBACK);
    const int b = connect_at(port, SOCK_DGRAM, INADDR_LOOPBACK);
    say(a, "one");
    say(b, "two");
    say(a, "three");
    pass_until(open_links() >= 1 && s_link[0].len == 3);
    assert_true(mf_net_receive_more(&s_net, s_now_us));
    assert_true(s_link[1].open);                         /* another peer came by it */
    assert_false(mf_net_receive_more(&s_net, s_now_us)); /* that one has not read yet */
    read_link(1);
    assert_true(mf_net_receive_more(&s_net, s_now_us));
    read_link(0);
    assert_memory_equal(s_link[0].got, "onethree", 8);
    assert_false(mf_net_receive_more(&s_net, s_now_us));
    (void)close(a);
    (void)close(b);
}

/* A port as the board of one drone has it: not of many addresses. */
static struct mf_net_port *add(enum mf_port_kind kind, const char *text)
{
    struct mf_endpoint ep;
    assert_int_equal(mf_endpoint_parse(&ep, kind, text, s_reason), MF_E_OK);
    assert_int_equal(mf_endpoint_resolve(&ep, s_reason), MF_E_OK);
    const int port = mf_net_add(&s_net, &ep, s_reason);
    assert_true(port >= 0);
    assert_int_equal(mf_net_listen(&s_net, (uint16_t)port, s_reason), MF_E_OK);
    return &s_ports[port];
}

static void test_a_peer_is_there_before_it_speaks(void **state)
{
    (void)state;
    const struct mf_net_port *port = add(MF_PORT_UDP_SERVER, "127.0.0.1:0");
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct mf_addr own = mf_addr_local_for(&port->local, 0);
    assert_int_equal(bind(fd, &own.any, own.len), 0);
    assert_int_equal(getsockname(fd, &own.any, &own.len), 0);
    assert_int_equal(mf_net_add_peer(&s_net, 0, &own, s_now_us), 0);
    assert_int_equal(mf_serial_write(&s_link[0].serial, (const uint8_t *)"hello", 5), 5);
    mf_net_flush_peer(&s_net, 0);
    hears(fd, "hello");
    s_now_us += 2 * MF_NET_SILENCE_US; /* it is not forgotten */
    pass();
    pass();
    assert_int_equal(open_links(), 1);
    assert_int_equal(sendto(fd, "yes", 3, 0, &port->local.any, port->local.len), 3);
    pass_until(s_link[0].len == 3);
    assert_int_equal(open_links(), 1);
    (void)close(fd);
}

static void test_ipv6(void **state)
{
    (void)state;
    const int probe = socket(AF_INET6, SOCK_STREAM, 0);
    struct sockaddr_in6 loopback = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    if (probe < 0 || bind(probe, (struct sockaddr *)&loopback, sizeof loopback) != 0) {
        skip(); /* no IPv6 here */
    }
    (void)close(probe);
    struct mf_net_port *tcp = add(MF_PORT_TCP_SERVER, "[::1]:0");
    struct mf_net_port *udp = add(MF_PORT_UDP_SERVER, "[::1]:0");
    const int a = connect_to(tcp, SOCK_STREAM);
    const int b = connect_to(udp, SOCK_DGRAM);
    say(a, "tcp six");
    say(b, "udp six");
    pass_until(open_links() == 2 && s_link[0].len + s_link[1].len == 14);
    hears(a, "tcp six");
    hears(b, "udp six");
    (void)close(a);
    (void)close(b);
}

/* ---- what is silent costs nothing */

static void passes(int count)
{
    for (int i = 0; i < count; i++) {
        pass();
    }
}

static void test_a_pass_looks_at_those_that_speak(void **state)
{
    (void)state;
    const struct mf_net_port *port = add_many(MF_PORT_TCP_SERVER, 0);
    int fd[6];
    for (uint32_t i = 0; i < 6; i++) {
        fd[i] = connect_at(port, SOCK_STREAM, 0x7F400001u + i);
    }
    pass_until(open_links() == 6);
    passes(2);
    assert_null(s_net.active);
    (void)mf_net_prepare(&s_net, s_now_us);
    assert_int_equal(s_net.poll_count, 2); /* the port and the set, not six streams */
    say(fd[4], "five");
    assert_int_equal(poll(s_polls, s_net.poll_count, 5000), 1);
    mf_net_receive(&s_net, s_now_us);
    assert_ptr_equal(s_net.active, &s_peers[4]);
    assert_null(s_peers[4].after);
    assert_true(s_peers[4].readable);
    pass_until(s_link[4].len == 4); /* whose echo is sent with this pass */
    hears(fd[4], "five");
    passes(1); /* it is watched again: this test prepared a pass without reading */
    assert_null(s_net.active);
    for (int i = 0; i < 6; i++) { /* more than the system reports at once */
        say(fd[i], "all");
    }
    pass_until(s_link[0].len + s_link[1].len + s_link[2].len + s_link[3].len + s_link[5].len == 15);
    pass_until(s_link[4].len == 7);
    (void)close(fd[2]);
    pass_until(open_links() == 5);
    assert_false(s_link[2].open);
    const int again = connect_at(port, SOCK_STREAM, 0x7F400009u);
    pass_until(open_links() == 6);
    spoken_to(2, 0x7F400009u); /* the place that became free, with a new place in the set */
    say(again, "new");
    pass_until(s_link[2].len == 3);
    (void)close(again);
    for (int i = 0; i < 6; i++) {
        (void)close(i == 2 ? -1 : fd[i]);
    }
}

static void test_without_a_descriptor_for_the_set_each_is_polled(void **state)
{
    struct rlimit limit, none;
    mf_net_close(&s_net);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    none = limit;
    none.rlim_cur = 3;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    (void)setup(state);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    const int fd = connect_at(add_many(MF_PORT_TCP_SERVER, 0), SOCK_STREAM, 0x7F400001u);
    pass_until(open_links() == 1);
    passes(2);
    assert_ptr_equal(s_net.active, &s_peers[0]);
    say(fd, "one");
    pass_until(s_link[0].len == 3);
    hears(fd, "one");
    (void)close(fd);
    pass_until(open_links() == 0);
}

static void test_who_takes_no_more_is_waited_for(void **state)
{
    (void)state;
    static uint8_t frame[250], got[65536];
    const struct mf_net_port *port = add_many(MF_PORT_TCP_SERVER, 0);
    const int fd = connect_at(port, SOCK_STREAM, 0x7F400001u);
    pass_until(open_links() == 1);
    size_t said = 0, heard = 0;
    for (uint8_t i = 0; (s_peers[0].watched & POLLOUT) == 0;
         i++) { /* until the system's buffers are full */
        memset(frame, i, sizeof frame);
        said += (size_t)mf_serial_write(&s_link[0].serial, frame, sizeof frame);
        mf_net_send(&s_net, s_now_us);
        (void)mf_net_prepare(&s_net, s_now_us);
    }
    assert_ptr_equal(s_net.active, &s_peers[0]);
    assert_true(mf_net_backlog(&s_net, false) > 0);
    while (heard < said) {
        const ssize_t n = recv(fd, got, sizeof got, MSG_DONTWAIT);
        for (ssize_t i = 0; i < n; i++) {
            assert_int_equal(got[i], (heard + (size_t)i) / sizeof frame % 256);
        }
        heard += n > 0 ? (size_t)n : 0;
        pass();
    }
    passes(2);
    assert_int_equal(s_peers[0].watched, POLLIN);
    assert_null(s_net.active);
    assert_int_equal(mf_net_backlog(&s_net, false), 0);
    (void)close(fd);
}

static void test_a_burst_of_connections_is_taken(void **state)
{
    (void)state;
    const struct mf_net_port *port = add_many(MF_PORT_TCP_SERVER, 0);
    int fd[PEERS];
    for (uint32_t i = 0; i < PEERS; i++) {
        fd[i] = connect_at(port, SOCK_STREAM, 0x7F400001u + i);
    }
    pass(); /* one */
    assert_int_equal(open_links(), PEERS);
    for (uint32_t i = 0; i < PEERS; i++) {
        (void)close(fd[i]);
    }
}

/* @param number  of its peer */
static void speak(const int *fd, size_t number)
{
    const size_t had = s_link[number].len;
    say(fd[number], "x");
    pass_until(s_link[number].len == had + 1);
}

/* Some share a chain, whatever their ports are: there are but two. */
static void test_peers_of_a_chain_come_and_go(void **state)
{
    (void)state;
    const struct mf_net_port *port = add_many(MF_PORT_UDP_SERVER, 0);
    int fd[6];
    for (size_t i = 0; i < 6; i++) {
        fd[i] = connect_at(port, SOCK_DGRAM, INADDR_LOOPBACK);
        say(fd[i], "x");
        pass_until(open_links() == i + 1);
    }
    for (size_t gone = 0; gone < 6; gone++) {
        for (size_t turn = 0; turn < 2; turn++) { /* in the second one is silent */
            for (size_t i = 0; i < 6; i++) {
                if (turn == 0 || i != gone) {
                    speak(fd, i);
                }
            }
            s_now_us += MF_NET_SILENCE_US / 2;
        }
        pass_until(open_links() == 5);
        assert_false(s_link[gone].open);
        say(fd[gone], "x"); /* it gets the place that is free */
        pass_until(open_links() == 6);
        assert_int_equal(s_link[gone].len, 1);
    }
    for (size_t i = 0; i < 6; i++) {
        (void)close(fd[i]);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_a_port_of_many_addresses_knows_which_is_meant),
        TEST(test_more_datagrams_are_taken_between_two_polls),
        TEST(test_a_peer_is_there_before_it_speaks),
        TEST(test_ipv6),
        TEST(test_a_pass_looks_at_those_that_speak),
        TEST(test_without_a_descriptor_for_the_set_each_is_polled),
        TEST(test_who_takes_no_more_is_waited_for),
        TEST(test_a_burst_of_connections_is_taken),
        TEST(test_peers_of_a_chain_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
