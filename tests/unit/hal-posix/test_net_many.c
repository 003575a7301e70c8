/* SPDX-License-Identifier: Apache-2.0 */
/* A port of many addresses, and a socket with many peers, on the loopback and by hand. */
#include "hal-posix/net.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
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
static struct pollfd s_polls[PORTS + PEERS + 1];
static uint16_t s_owners[PORTS + PEERS];
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
                                         .peer_max = PEERS};
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

/* An endpoint as the board of one drone has it: not of many addresses. */
static struct mf_net_port *add_udp(void)
{
    struct mf_endpoint ep;
    assert_int_equal(mf_endpoint_parse(&ep, MF_PORT_UDP_SERVER, "127.0.0.1:0", s_reason), MF_E_OK);
    assert_int_equal(mf_endpoint_resolve(&ep, s_reason), MF_E_OK);
    const int port = mf_net_add(&s_net, &ep, s_reason);
    assert_true(port >= 0);
    return &s_ports[port];
}

static void test_a_peer_is_there_before_it_speaks(void **state)
{
    (void)state;
    const struct mf_net_port *port = add_udp();
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

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_a_port_of_many_addresses_knows_which_is_meant),
        TEST(test_more_datagrams_are_taken_between_two_polls),
        TEST(test_a_peer_is_there_before_it_speaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
