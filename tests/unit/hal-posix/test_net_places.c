/* SPDX-License-Identifier: Apache-2.0 */
/* Places of the network's peers: what is reserved for each sort, what they share, and who gives
 * way. On the loopback, 12 places: 2 configured, 5 for TCP, 2 for UDP, 3 for whoever comes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "hal-posix/net.h"
#include "tests/unit/support/names.h"

#include <errno.h>
#include <unistd.h>

#define PORTS   4
#define PEERS   12
#define CLIENTS 20
#define TCP_MAX 8 /* 12 - 2 - 2 */
#define UDP_MAX 5 /* 12 - 2 - 5 */

static struct mf_net_port s_ports[PORTS];
static struct mf_net_peer s_peers[PEERS];
static uint8_t s_queues[PEERS][MF_QUEUE_BYTES];
static uint8_t s_datagrams[PORTS][MF_NET_DATAGRAM_MAX];
static struct pollfd s_polls[PORTS + PEERS + 1];
static uint16_t s_owners[PORTS + PEERS];
static struct mf_net s_net;
static mf_us_t s_now_us;
static struct mf_net_port *s_tcp, *s_udp;

/* The board: who is there, in the order in which they came, and who has spoken. */
static bool s_open[PEERS], s_spoke[PEERS];
static struct mf_serial s_serial[PEERS];
static char s_note[256];
static int s_client[CLIENTS];

static const char *on_opened(void *ctx, uint16_t peer, uint16_t port,
                             const struct mf_serial *serial, const char *name)
{
    (void)ctx, (void)port, (void)name;
    assert_false(s_open[peer]);
    s_open[peer] = true;
    s_spoke[peer] = false;
    s_serial[peer] = *serial;
    return NULL;
}

static void on_closed(void *ctx, uint16_t peer)
{
    (void)ctx;
    assert_true(s_open[peer]);
    s_open[peer] = false;
}

static void on_note(void *ctx, enum mf_severity severity, const char *text)
{
    (void)ctx, (void)severity;
    (void)snprintf(s_note, sizeof s_note, "%s", text);
}

static bool is_silent(void *ctx, uint16_t peer)
{
    (void)ctx;
    return !s_spoke[peer];
}

static const struct mf_net_events k_events = {on_opened, on_closed, on_note, is_silent};

static struct mf_net_port *add(enum mf_port_kind kind, const char *text, bool reserved)
{
    struct mf_endpoint ep;
    char reason[MF_REASON_MAX];
    assert_int_equal(mf_endpoint_parse(&ep, kind, text, reason), MF_E_OK);
    assert_int_equal(mf_endpoint_resolve(&ep, reason), MF_E_OK);
    ep.reserved = reserved;
    const int port = mf_net_add(&s_net, &ep, reason);
    assert_true(port >= 0);
    assert_int_equal(mf_net_listen(&s_net, (uint16_t)port, reason), MF_E_OK);
    return &s_ports[port];
}

static int setup(void **state)
{
    (void)state;
    const struct mf_net_memory memory = {
        .ports = s_ports,
        .peers = s_peers,
        .queues = s_queues,
        .datagrams = s_datagrams,
        .polls = s_polls,
        .owners = s_owners,
        .port_max = PORTS,
        .peer_max = PEERS,
        .reserved = {[MF_NET_CONFIGURED] = 2, [MF_NET_TCP] = 5, [MF_NET_UDP] = 2}};
    memset(s_open, 0, sizeof s_open);
    memset(s_client, -1, sizeof s_client);
    s_now_us = 1000000;
    mf_net_init(&s_net, &memory, &k_events, NULL);
    s_tcp = add(MF_PORT_TCP_SERVER, "0", false);
    s_udp = add(MF_PORT_UDP_SERVER, "0", false);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    mf_net_close(&s_net);
    for (size_t i = 0; i < CLIENTS; i++) {
        if (s_client[i] >= 0) {
            (void)close(s_client[i]);
        }
    }
    return 0;
}

/* Datagrams and what clients say are read; whoever says "x" has spoken. */
static void pass(void)
{
    (void)mf_net_prepare(&s_net, s_now_us);
    (void)poll(s_polls, s_net.poll_count, 20);
    mf_net_receive(&s_net, ++s_now_us);
    for (size_t i = 0; i < PEERS; i++) {
        uint8_t bytes[64];
        if (s_open[i]) {
            const int n = mf_serial_read(&s_serial[i], bytes, sizeof bytes);
            s_spoke[i] = s_spoke[i] || (n > 0 && bytes[0] == 'x');
        }
    }
    mf_net_send(&s_net, s_now_us);
}

static uint32_t seen(void)
{
    return s_net.stats.opened + s_net.stats.turned_away;
}

/* A client comes, and is taken in or not. */
static void come(int client, const struct mf_net_port *port, const char *says)
{
    const uint32_t before = seen();
    const int type = port == s_udp ? SOCK_DGRAM : SOCK_STREAM;
    s_client[client] = socket(port->local.any.sa_family, type, 0);
    assert_int_equal(connect(s_client[client], &port->local.any, port->local.len), 0);
    assert_int_equal(send(s_client[client], says, strlen(says), 0), (ssize_t)strlen(says));
    for (int i = 0; seen() == before; i++) {
        assert_true(i < 500);
        pass();
    }
    pass();
}

static bool is_let_go(int client)
{
    char byte;
    const ssize_t n = recv(s_client[client], &byte, 1, MSG_DONTWAIT);
    return n == 0 || (n < 0 && errno == ECONNRESET);
}

static const struct mf_net_places *places(enum mf_net_sort sort)
{
    return &s_net.places[sort];
}

static void test_each_sort_knows_its_limit(void **state)
{
    (void)state;
    assert_int_equal(mf_net_places_max(&s_net, MF_NET_CONFIGURED), 5);
    assert_int_equal(mf_net_places_max(&s_net, MF_NET_TCP), TCP_MAX);
    assert_int_equal(mf_net_places_max(&s_net, MF_NET_UDP), UDP_MAX);
}

/* SIM-014: so many UDP peers that there is no place for one more leave TCP its own. */
static void test_udp_peers_leave_places_to_tcp(void **state)
{
    (void)state;
    for (int i = 0; i < UDP_MAX + 3; i++) {
        come(i, s_udp, "x");
    }
    assert_int_equal(places(MF_NET_UDP)->used, UDP_MAX);
    assert_int_equal(places(MF_NET_UDP)->refused, 3);
    for (int i = 10; i < 15; i++) {
        come(i, s_tcp, "x");
    }
    assert_int_equal(places(MF_NET_TCP)->used, 5);
    assert_int_equal(places(MF_NET_TCP)->displaced, 0);
    come(15, s_tcp, "x"); /* all have spoken, and what is shared is taken */
    assert_int_equal(places(MF_NET_TCP)->refused, 1);
    assert_true(is_let_go(15));
}

static void test_tcp_clients_leave_places_to_udp_and_what_is_configured(void **state)
{
    (void)state;
    struct mf_net_port *controllers = add(MF_PORT_TCP_SERVER, "0", true);
    for (int i = 0; i < TCP_MAX + 1; i++) {
        come(i, s_tcp, "x");
    }
    assert_int_equal(places(MF_NET_TCP)->used, TCP_MAX);
    assert_int_equal(places(MF_NET_TCP)->refused, 1);
    come(10, s_udp, "x");
    come(11, s_udp, "x");
    come(12, s_udp, "x");
    assert_int_equal(places(MF_NET_UDP)->used, 2);
    assert_int_equal(places(MF_NET_UDP)->refused, 1);
    come(13, controllers, "x");
    come(14, controllers, "x");
    assert_int_equal(places(MF_NET_CONFIGURED)->used, 2);
}

/* The one that has been silent for the longest time goes; who has spoken stays; and with room there
 * is for them, the silent stay, too. */
static void test_the_silent_give_way(void **state)
{
    (void)state;
    for (int i = 0; i < TCP_MAX; i++) {
        come(i, s_tcp,
             i == 0 ? "x" : "-"); /* the oldest has spoken; others sent what makes no sense */
    }
    for (int i = 0; i < TCP_MAX; i++) {
        assert_false(is_let_go(i));
    }
    come(TCP_MAX, s_tcp, "-");
    assert_true(is_let_go(1));
    assert_names(s_note, "tcp place");
    come(TCP_MAX + 1, s_tcp, "x");
    assert_true(is_let_go(2));
    assert_false(is_let_go(0));
    assert_false(is_let_go(3));
    assert_int_equal(places(MF_NET_TCP)->used, TCP_MAX);
    assert_int_equal(places(MF_NET_TCP)->displaced, 2);
    assert_int_equal(places(MF_NET_TCP)->refused, 0);
    (void)close(s_client[0]);
    s_client[0] = -1;
    for (int i = 0; places(MF_NET_TCP)->used == TCP_MAX; i++) {
        assert_true(i < 500);
        pass();
    }
    come(TCP_MAX + 2, s_tcp, "-"); /* a place is free again */
    assert_int_equal(places(MF_NET_TCP)->displaced, 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_each_sort_knows_its_limit),
        TEST(test_udp_peers_leave_places_to_tcp),
        TEST(test_tcp_clients_leave_places_to_udp_and_what_is_configured),
        TEST(test_the_silent_give_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
