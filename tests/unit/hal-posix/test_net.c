/* SPDX-License-Identifier: Apache-2.0 */
/* The network on the loopback, driven by hand: poll, receive, a vehicle that reads and writes,
 * send. Its clock is the test's, so that ten seconds of silence take no time. All of it twice:
 * every stream is polled, then streams are a set of the system and peers of UDP have chains. */
#include "hal-posix/net.h"
#include "tests/unit/support/names.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

#define PORTS    4u
#define PEERS    8u
#define HTTP     2u
#define READ_MAX 65536u
/* Passes that wait for something on the loopback; each waits at most 20 ms. */
#define PATIENCE 250

static struct mf_net_port s_ports[PORTS];
static struct mf_net_peer s_peers[PEERS + HTTP];
static uint8_t s_queues[PEERS][MF_QUEUE_BYTES];
static uint8_t s_http[HTTP][MF_NET_HTTP_QUEUE_BYTES];
static uint8_t s_datagrams[PORTS][MF_NET_DATAGRAM_MAX];
static struct pollfd s_polls[PORTS + PEERS + HTTP + 2];
static uint16_t s_owners[PORTS + PEERS + HTTP + 1];
static struct epoll_event s_events[2];
static struct mf_net_peer *s_chains[2];
static bool s_many; /* peers, as in a swarm */
static struct mf_net s_net;
static mf_us_t s_now_us;

/* The vehicle: one link per peer, which keeps what it read. */
static struct {
    bool open;
    struct mf_serial serial;
    char name[MF_NET_NAME_MAX];
    size_t len, reads;
    uint8_t got[READ_MAX];
} s_link[PEERS + HTTP];
static size_t s_links_max, s_read_max; /* links; bytes per link and pass */
static bool s_echo;
static char s_note[512], s_reason[MF_REASON_MAX];
static unsigned s_notes;

static const char *on_opened(void *ctx, uint16_t peer, uint16_t port,
                             const struct mf_serial *serial, const char *name)
{
    (void)ctx, (void)port;
    size_t open = 0;
    for (size_t i = 0; i < PEERS + HTTP; i++) {
        open += s_link[i].open;
    }
    if (open == s_links_max) {
        return "full";
    }
    assert_false(s_link[peer].open);
    s_link[peer].open = true;
    s_link[peer].serial = *serial;
    s_link[peer].len = s_link[peer].reads = 0;
    (void)snprintf(s_link[peer].name, sizeof s_link[peer].name, "%s", name);
    return NULL;
}

static void on_closed(void *ctx, uint16_t peer)
{
    (void)ctx;
    assert_true(s_link[peer].open);
    s_link[peer].open = false;
}

static void on_note(void *ctx, enum mf_severity severity, const char *text)
{
    (void)ctx, (void)severity;
    (void)snprintf(s_note, sizeof s_note, "%s", text);
    s_notes++;
}

static const struct mf_net_events k_events = {on_opened, on_closed, on_note, NULL};

static int setup(void **state)
{
    (void)state;
    const struct mf_net_memory memory = {
        s_ports, s_peers,        s_queues, s_datagrams, s_polls, s_owners,
        PORTS,   PEERS,          HTTP,     s_http,      {0},     s_many ? s_events : NULL,
        2,       s_many ? 2 : 0, s_chains};
    memset(s_chains, 0, sizeof s_chains);
    memset(s_link, 0, sizeof s_link);
    s_links_max = PEERS + HTTP;
    s_read_max = READ_MAX;
    s_echo = false;
    s_note[0] = '\0';
    s_notes = 0;
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

static int bind_port(enum mf_port_kind kind, const char *text, bool http)
{
    struct mf_endpoint ep;
    s_reason[0] = '\0';
    assert_int_equal(mf_endpoint_parse(&ep, kind, text, s_reason), MF_E_OK);
    assert_int_equal(mf_endpoint_resolve(&ep, s_reason), MF_E_OK);
    ep.http = http;
    return mf_net_add(&s_net, &ep, s_reason);
}

static struct mf_net_port *open_port(enum mf_port_kind kind, const char *text, bool http)
{
    const int port = bind_port(kind, text, http);
    assert_string_equal(s_reason, "");
    assert_true(port >= 0);
    assert_int_equal(mf_net_listen(&s_net, (uint16_t)port, s_reason), MF_E_OK);
    return &s_ports[port];
}

static struct mf_net_port *add(enum mf_port_kind kind, const char *text)
{
    return open_port(kind, text, false);
}

static void refused(enum mf_port_kind kind, const char *text, const char *data)
{
    assert_int_equal(bind_port(kind, text, false), MF_E_IO);
    assert_names(s_reason, data);
}

static void read_link(size_t i)
{
    size_t total = 0;
    for (int n = 1; n > 0 && total < s_read_max; total += (size_t)n) {
        uint8_t bytes[512];
        n = mf_serial_read(&s_link[i].serial, bytes, sizeof bytes);
        if (n <= 0) {
            break;
        }
        assert_true(s_link[i].len + (size_t)n <= READ_MAX);
        memcpy(s_link[i].got + s_link[i].len, bytes, (size_t)n);
        s_link[i].len += (size_t)n;
        s_link[i].reads++;
        if (s_echo) {
            assert_int_equal(mf_serial_write(&s_link[i].serial, bytes, (size_t)n), n);
        }
    }
}

/* One pass of the loop, without its sleep where nothing comes. */
static void pass(void)
{
    const mf_us_t due_us = mf_net_prepare(&s_net, s_now_us);
    (void)poll(s_polls, s_net.poll_count, due_us <= s_now_us ? 0 : 20);
    mf_net_receive(&s_net, s_now_us);
    for (size_t i = 0; i < PEERS + HTTP; i++) {
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

static void passes(int count)
{
    for (int i = 0; i < count; i++) {
        pass();
    }
}

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
    for (size_t i = 0; i < PEERS + HTTP; i++) {
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

static void test_sim014_tcp_server_serves_several_clients(void **state)
{
    (void)state;
    struct mf_net_port *port = add(MF_PORT_TCP_SERVER, "127.0.0.1:0");
    const int a = connect_to(port, SOCK_STREAM);
    const int b = connect_to(port, SOCK_STREAM);
    pass_until(open_links() == 2);
    assert_false(s_link[0].serial.datagram);
    assert_memory_equal(s_link[0].name, "tcp 127.0.0.1:", 14);
    s_echo = true;
    say(a, "from a");
    say(b, "from b!");
    pass_until(s_link[0].len == 6 && s_link[1].len == 7);
    hears(a, "from a");
    hears(b, "from b!");
    (void)close(a);
    pass_until(open_links() == 1);
    say(b, "still here");
    pass_until(s_link[1].len == 17);
    hears(b, "still here");
    (void)close(b);
    pass_until(open_links() == 0);
    assert_int_equal(s_net.stats.opened, 2);
    assert_int_equal(s_net.stats.closed, 2);
}

/* Its peers have places of their own, and the clock does not wait for them. */
static void test_http_clients_take_no_places(void **state)
{
    (void)state;
    const struct mf_net_port *http = open_port(MF_PORT_TCP_SERVER, "0", true);
    const int a = connect_to(http, SOCK_STREAM);
    const int b = connect_to(http, SOCK_STREAM);
    const int c = connect_to(http, SOCK_STREAM);
    pass_until(open_links() == 2 && s_net.stats.turned_away == 1);
    assert_true(s_link[PEERS].open && s_link[PEERS + 1].open);
    const struct mf_serial *serial = &s_link[PEERS].serial;
    static const uint8_t k_bytes[MF_NET_HTTP_QUEUE_BYTES + 1];
    assert_int_equal(mf_serial_room(serial), MF_NET_HTTP_QUEUE_BYTES);
    assert_int_equal(mf_serial_write(serial, k_bytes, sizeof k_bytes), 0);
    assert_int_equal(mf_serial_write(serial, k_bytes, sizeof k_bytes - 1), sizeof k_bytes - 1);
    assert_int_equal(mf_net_backlog(&s_net, true), 0);
    struct mf_net_port *port = add(MF_PORT_TCP_SERVER, "127.0.0.1:0");
    const int d = connect_to(port, SOCK_STREAM);
    pass_until(open_links() == 3);
    assert_true(s_link[0].open);
    (void)close(a);
    (void)close(b);
    (void)close(c);
    (void)close(d);
}

/* Memory for what waits goes round: two that speak in turn, and one that went, need one piece. */
static void test_http_clients_share_queues(void **state)
{
    (void)state;
    char got[8];
    const struct mf_net_port *http = open_port(MF_PORT_TCP_SERVER, "0", true);
    const int a = connect_to(http, SOCK_STREAM);
    const int b = connect_to(http, SOCK_STREAM);
    pass_until(open_links() == 2);
    assert_int_equal(s_net.http_touched, 0);
    for (int turn = 0; turn < 4; turn++) {
        const struct mf_serial *serial = &s_link[PEERS + (turn & 1)].serial;
        assert_int_equal(mf_serial_write(serial, (const uint8_t *)"hello", 5), 5);
        pass();
        assert_int_equal(recv(turn & 1 ? b : a, got, sizeof got, 0), 5);
        assert_memory_equal(got, "hello", 5);
    }
    assert_int_equal(s_net.http_touched, 1);
    static const uint8_t k_bytes[MF_NET_HTTP_QUEUE_BYTES];
    const struct mf_serial *deaf = &s_link[PEERS].serial;
    for (; mf_serial_room(deaf) > 0; pass()) { /* a does not read any more */
        (void)mf_serial_write(deaf, k_bytes, mf_serial_room(deaf));
    }
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(mf_serial_write(&s_link[PEERS + 1].serial, k_bytes, 5), 5);
        assert_int_equal(s_net.http_touched, 2);
        pass();
        assert_int_equal(recv(b, got, sizeof got, 0), 5);
    }
    mf_net_drop(&s_net, PEERS, NULL);
    pass_until(open_links() == 1);
    const int c = connect_to(http, SOCK_STREAM);
    pass_until(open_links() == 2);
    assert_int_equal(mf_serial_write(&s_link[PEERS].serial, (const uint8_t *)"three", 5), 5);
    assert_int_equal(mf_serial_write(&s_link[PEERS + 1].serial, (const uint8_t *)"four", 4), 4);
    pass();
    assert_int_equal(s_net.http_touched, 2);
    assert_int_equal(recv(c, got, sizeof got, 0), 5);
    assert_memory_equal(got, "three", 5);
    assert_int_equal(recv(b, got, sizeof got, 0), 4);
    assert_memory_equal(got, "four", 4);
    (void)close(a);
    (void)close(b);
    (void)close(c);
}

static void test_sim014_udp_server_learns_several_peers(void **state)
{
    (void)state;
    struct mf_net_port *port = add(MF_PORT_UDP_SERVER, "127.0.0.1:0");
    const int a = connect_to(port, SOCK_DGRAM);
    const int b = connect_to(port, SOCK_DGRAM);
    s_echo = true;
    say(a, "one");
    say(a, "two");
    say(b, "three");
    pass_until(open_links() == 2 && s_link[0].len == 6 && s_link[1].len == 5);
    assert_true(s_link[0].serial.datagram);
    assert_int_equal(s_link[0].reads, 2); /* a datagram is a read of its own */
    assert_memory_equal(s_link[0].got, "onetwo", 6);
    hears(a, "one");
    hears(a, "two");
    hears(b, "three");
    (void)close(a);
    (void)close(b);
}

static void test_a_half_closed_client_still_gets_its_answer(void **state)
{
    (void)state;
    struct mf_net_port *port = add(MF_PORT_TCP_SERVER, "127.0.0.1:0");
    const int fd = connect_to(port, SOCK_STREAM);
    s_echo = true;
    say(fd, "question");
    assert_int_equal(shutdown(fd, SHUT_WR), 0);
    pass_until(s_net.stats.closed == 1);
    hears(fd, "question");
    (void)close(fd);
}

static void test_udp_client_talks_first_and_learns_others(void **state)
{
    (void)state;
    char text[32];
    struct mf_net_port *listener =
        add(MF_PORT_UDP_SERVER, "127.0.0.1:0"); /* only to get a free port */
    (void)snprintf(text, sizeof text, "127.0.0.1:%u", mf_addr_port(&listener->local));
    struct mf_net_port *port = add(MF_PORT_UDP_CLIENT, text);
    assert_int_equal(open_links(), 0);
    mf_net_start(&s_net, s_now_us);
    assert_int_equal(open_links(), 1); /* nobody has said anything */
    assert_int_equal(mf_serial_write(&s_link[0].serial, (const uint8_t *)"hello", 5), 5);
    pass_until(open_links() == 2); /* the listener heard it: a peer of the server */
    pass_until(s_link[1].len == 5);
    assert_memory_equal(s_link[1].got, "hello", 5);
    const int other = connect_to(port, SOCK_DGRAM);
    say(other, "me too");
    pass_until(open_links() == 3 && s_link[2].len == 6);
    s_now_us += 3600 * MF_SECOND_US;
    passes(2);
    assert_int_equal(open_links(), 1); /* the fixed one is never forgotten */
    assert_true(s_link[0].open);
    (void)close(other);
}

static void test_a_udp_client_sends_from_the_port_it_was_given(void **state)
{
    (void)state;
    char text[64];
    const int probe = socket(AF_INET, SOCK_DGRAM, 0);
    struct mf_addr local = {.len = sizeof local.in};
    local.in = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    assert_int_equal(bind(probe, &local.any, local.len), 0);
    (void)getsockname(probe, &local.any, &local.len);
    (void)close(probe);
    (void)snprintf(text, sizeof text, "127.0.0.1:9@%u", mf_addr_port(&local));
    struct mf_net_port *port = add(MF_PORT_UDP_CLIENT, text);
    assert_true(mf_addr_equal(&port->local, &local));
}

static void test_a_silent_udp_peer_is_forgotten(void **state)
{
    (void)state;
    struct mf_net_port *port = add(MF_PORT_UDP_SERVER, "127.0.0.1:0");
    const int a = connect_to(port, SOCK_DGRAM);
    const int b = connect_to(port, SOCK_DGRAM);
    say(a, "a");
    say(b, "b");
    pass_until(open_links() == 2);
    s_now_us += 9 * MF_SECOND_US;
    say(b, "b");
    pass_until(s_link[1].len == 2);
    assert_int_equal(open_links(), 2);
    assert_int_equal(mf_net_prepare(&s_net, s_now_us), 11 * MF_SECOND_US);
    s_now_us += MF_SECOND_US;
    pass();
    assert_int_equal(open_links(), 1);
    assert_true(s_link[1].open);
    assert_int_equal(s_net.stats.forgotten, 1);
    assert_names(s_note, "udp 10 s");
    say(a, "back");
    pass_until(open_links() == 2);
    (void)close(a);
    (void)close(b);
}

/* Fills the peer's socket and queue. */
static void flood(size_t link)
{
    static const uint8_t k_frame[280];
    for (int i = 0; i < 20000; i++) {
        if (mf_serial_write(&s_link[link].serial, k_frame, sizeof k_frame) == 0) {
            mf_net_send(&s_net, s_now_us);
            if (mf_serial_write(&s_link[link].serial, k_frame, sizeof k_frame) == 0) {
                return;
            }
        }
    }
    fail_msg("the queue never fills");
}

static void test_a_slow_reader_is_dropped_while_another_receives(void **state)
{
    (void)state;
    struct mf_net_port *port = add(MF_PORT_TCP_SERVER, "127.0.0.1:0");
    const int slow = connect_to(port, SOCK_STREAM);
    pass_until(open_links() == 1);
    const int good = connect_to(port, SOCK_STREAM);
    pass_until(open_links() == 2);
    flood(0);
    assert_true(s_net.stats.tx_refused > 0);
    assert_int_equal(s_net.stats.tx_refused, s_peers[0].refused);
    assert_true(mf_serial_room(&s_link[0].serial) < 280);
    for (int second = 0; second < 4; second++) {
        assert_int_equal(mf_serial_write(&s_link[1].serial, (const uint8_t *)"tick", 4), 4);
        pass();
        hears(good, "tick");
        s_now_us += MF_SECOND_US;
    }
    assert_int_equal(open_links(), 2);
    s_now_us += MF_SECOND_US;
    pass();
    assert_int_equal(open_links(), 1);
    assert_int_equal(s_net.stats.dropped_slow, 1);
    assert_non_null(strstr(s_note, "dropped"));
    assert_int_equal(mf_serial_write(&s_link[1].serial, (const uint8_t *)"tock", 4), 4);
    pass();
    hears(good, "tock");
    (void)close(slow);
    (void)close(good);
}

static void test_a_reader_that_catches_up_stays(void **state)
{
    (void)state;
    static char bytes[1 << 20];
    struct mf_net_port *port = add(MF_PORT_TCP_SERVER, "127.0.0.1:0");
    const int fd = connect_to(port, SOCK_STREAM);
    pass_until(open_links() == 1);
    flood(0);
    s_now_us += 4 * MF_SECOND_US;
    pass();
    assert_true(recv(fd, bytes, sizeof bytes, 0) > 0);
    pass_until(!s_peers[0].full);
    s_now_us += 4 * MF_SECOND_US;
    pass();
    assert_int_equal(open_links(), 1);
    (void)close(fd);
}

static void test_an_idle_peer_is_not_blamed_for_its_first_full_queue(void **state)
{
    (void)state;
    struct mf_net_port *port = add(MF_PORT_TCP_SERVER, "127.0.0.1:0");
    const int fd = connect_to(port, SOCK_STREAM);
    pass_until(open_links() == 1);
    s_now_us += 100 * MF_SECOND_US;
    pass();
    flood(0);
    pass();
    assert_int_equal(open_links(), 1);
    (void)close(fd);
}

static void test_two_hundred_connections_in_a_row(void **state)
{
    (void)state;
    struct mf_net_port *port = add(MF_PORT_TCP_SERVER, "127.0.0.1:0");
    for (int i = 0; i < 200; i++) {
        const int fd = connect_to(port, SOCK_STREAM);
        if (i % 2 == 0) { /* every other one with a reset */
            const struct linger now = {.l_onoff = 1};
            (void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
        }
        (void)close(fd);
        pass();
    }
    pass_until(open_links() == 0 && s_net.stats.closed + s_net.stats.turned_away >= 190);
    const int fd = connect_to(port, SOCK_STREAM);
    pass_until(open_links() == 1);
    (void)close(fd);
}

static void test_more_peers_than_links_are_turned_away(void **state)
{
    (void)state;
    struct mf_net_port *port = add(MF_PORT_TCP_SERVER, "127.0.0.1:0");
    char byte;
    s_links_max = 1;
    const int a = connect_to(port, SOCK_STREAM);
    pass_until(open_links() == 1);
    const int b = connect_to(port, SOCK_STREAM);
    pass_until(s_net.stats.turned_away == 1);
    assert_int_equal(recv(b, &byte, 1, 0), 0); /* closed: the client sees it */
    assert_names(s_note, "tcp 127.0.0.1:");
    (void)close(a);
    (void)close(b);
}

static void test_without_descriptors_the_server_rests(void **state)
{
    (void)state;
    struct mf_net_port *port = add(MF_PORT_TCP_SERVER, "127.0.0.1:0");
    struct rlimit limit, none;
    const int fd = connect_to(port, SOCK_STREAM);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    none = limit;
    none.rlim_cur = 3;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    (void)mf_net_prepare(&s_net, s_now_us);
    (void)poll(s_polls, 1, 0); /* poll() itself refuses more descriptors than the limit */
    mf_net_receive(&s_net, s_now_us);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_int_equal(s_net.stats.accept_errors, 1);
    assert_int_equal(mf_net_prepare(&s_net, s_now_us), s_now_us + MF_NET_REST_US);
    assert_int_equal(s_net.poll_count, s_many ? 1 : 0); /* it does not spin: a set of nobody */
    s_now_us += MF_NET_REST_US;
    pass_until(open_links() == 1);
    (void)close(fd);
}

static void test_tcp_client_connects_again_and_again(void **state)
{
    (void)state;
    char text[32];
    struct mf_addr addr = {.len = sizeof addr.in};
    addr.in = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    const int server = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(server, &addr.any, addr.len), 0);
    (void)getsockname(server, &addr.any, &addr.len);
    (void)snprintf(text, sizeof text, "127.0.0.1:%u", mf_addr_port(&addr));
    struct mf_net_port *port = add(MF_PORT_TCP_CLIENT, text);
    mf_net_start(&s_net, s_now_us); /* nobody listens */
    passes(2);
    assert_int_equal(open_links(), 0);
    mf_us_t last_us = 0;
    for (int i = 0; i < 8; i++) { /* ever longer, but not for ever */
        pass_until(port->retry_us != MF_NEVER && port->fd < 0);
        const mf_us_t wait_us = port->retry_us - s_now_us;
        assert_true(wait_us >= last_us && wait_us > 0 && wait_us <= MF_NET_RETRY_MAX_US);
        last_us = wait_us;
        s_now_us = port->retry_us;
        pass();
    }
    assert_int_equal(s_notes, 1); /* said once */
    assert_int_equal(listen(server, 1), 0);
    pass_until(port->retry_us != MF_NEVER && port->fd < 0);
    s_now_us = port->retry_us;
    pass_until(open_links() == 1);
    const int fd = accept(server, NULL, NULL);
    s_echo = true;
    say(fd, "hello");
    pass_until(s_link[0].len == 5);
    hears(fd, "hello");
    (void)close(fd);
    pass_until(open_links() == 0);
    s_now_us = port->retry_us;
    pass_until(open_links() == 1); /* back */
    (void)close(server);
}

static void test_a_burst_of_datagrams_arrives_whole_and_in_order(void **state)
{
    (void)state;
    struct mf_net_port *port = add(MF_PORT_UDP_SERVER, "127.0.0.1:0");
    const int a = connect_to(port, SOCK_DGRAM);
    const int b = connect_to(port, SOCK_DGRAM);
    for (int i = 0; i < 100; i++) {
        uint8_t bytes[300];
        memset(bytes, i, sizeof bytes);
        assert_int_equal(send(i % 2 == 0 ? a : b, bytes, sizeof bytes, 0), sizeof bytes);
    }
    pass_until(s_link[0].len + s_link[1].len == 30000);
    for (size_t i = 0; i < 15000; i++) {
        assert_int_equal(s_link[0].got[i], i / 300 * 2);
        assert_int_equal(s_link[1].got[i], i / 300 * 2 + 1);
    }
    (void)close(a);
    (void)close(b);
}

static void test_a_datagram_longer_than_a_pass_reads_is_not_lost(void **state)
{
    (void)state;
    static uint8_t bytes[60000];
    struct mf_net_port *port = add(MF_PORT_UDP_SERVER, "127.0.0.1:0");
    const int fd = connect_to(port, SOCK_DGRAM);
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i % 251);
    }
    s_read_max = 2048;
    assert_int_equal(send(fd, bytes, sizeof bytes, 0), sizeof bytes);
    pass_until(s_link[0].len == sizeof bytes);
    assert_memory_equal(s_link[0].got, bytes, sizeof bytes);
    (void)close(fd);
}

static void test_a_datagram_that_nobody_reads_does_not_keep_the_loop_awake(void **state)
{
    (void)state;
    struct mf_net_port *port = add(MF_PORT_UDP_SERVER, "127.0.0.1:0");
    const int fd = connect_to(port, SOCK_DGRAM);
    s_read_max = 0;
    say(fd, "x");
    pass_until(open_links() == 1);
    passes(2);
    assert_int_equal(s_net.stats.rx_unread, 1);
    assert_true(mf_net_prepare(&s_net, s_now_us) > s_now_us);
    (void)close(fd);
}

static void test_a_stream_that_is_left_for_later_does_not_keep_the_loop_awake(void **state)
{
    (void)state;
    const int fd = connect_to(add(MF_PORT_TCP_SERVER, "127.0.0.1:0"), SOCK_STREAM);
    s_read_max = 0;
    say(fd, "one");
    passes(4);
    assert_int_equal(mf_net_prepare(&s_net, s_now_us), s_now_us + MF_NET_UNREAD_US);
    s_read_max = READ_MAX; /* its reader has room again */
    pass_until(s_link[0].len == 3);
    say(fd, "x");
    pass_until(s_link[0].len == 4);
}

static void test_frames_to_a_udp_peer_share_datagrams(void **state)
{
    (void)state;
    struct mf_net_port *port = add(MF_PORT_UDP_SERVER, "127.0.0.1:0");
    const int fd = connect_to(port, SOCK_DGRAM);
    uint8_t frame[300] = {0};
    uint8_t got[2000];
    say(fd, "x");
    pass_until(open_links() == 1);
    for (int i = 0; i < 9; i++) {
        assert_int_equal(mf_serial_write(&s_link[0].serial, frame, sizeof frame), sizeof frame);
    }
    pass();
    assert_int_equal(recv(fd, got, sizeof got, 0), 1200);
    assert_int_equal(recv(fd, got, sizeof got, 0), 1200);
    assert_int_equal(recv(fd, got, sizeof got, 0), 300);
    (void)close(fd);
}

static void test_a_taken_port_is_named(void **state)
{
    (void)state;
    char text[32], data[160];
    const enum mf_port_kind kinds[] = {MF_PORT_TCP_SERVER, MF_PORT_UDP_SERVER};
    for (size_t i = 0; i < 2; i++) {
        struct mf_net_port *port = add(kinds[i], "127.0.0.1:0");
        (void)snprintf(text, sizeof text, "127.0.0.1:%u", mf_addr_port(&port->local));
        (void)snprintf(data, sizeof data, "%s %s port taken", i == 0 ? "tcp" : "udp", text);
        refused(kinds[i], text, data);
    }
    refused(MF_PORT_TCP_SERVER, "192.0.2.1:5760",
            "tcp 192.0.2.1:5760 Cannot assign requested address");
}

/* Two programs can bind a port at the same moment: the slower one is told when it listens. */
static void test_a_port_is_bound_before_it_listens(void **state)
{
    (void)state;
    char text[32];
    assert_int_equal(bind_port(MF_PORT_TCP_SERVER, "127.0.0.1:0", false), 0);
    (void)snprintf(text, sizeof text, "127.0.0.1:%u", mf_addr_port(&s_ports[0].local));
    assert_int_equal(bind_port(MF_PORT_TCP_SERVER, text, false), 1);
    assert_int_equal(mf_net_listen(&s_net, 0, s_reason), MF_E_OK);
    assert_int_equal(mf_net_listen(&s_net, 1, s_reason), MF_E_IO);
    assert_names(s_reason, text);
    assert_names(s_reason, "port taken");
    assert_int_equal(s_net.port_count, 1);
}

static int open_pty(char *name, size_t size)
{
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0);
    assert_int_equal(grantpt(master), 0);
    assert_int_equal(unlockpt(master), 0);
    assert_int_equal(ptsname_r(master, name, size), 0);
    return master;
}

static void test_sim014_a_serial_device_is_a_peer(void **state)
{
    (void)state;
    char name[64], text[80];
    uint8_t all[256], got[256];
    const int master = open_pty(name, sizeof name);
    (void)snprintf(text, sizeof text, "%s:57600", name);
    struct mf_net_port *port = add(MF_PORT_SERIAL, text);
    assert_int_equal(open_links(), 0);
    mf_net_start(&s_net, s_now_us);
    assert_int_equal(open_links(), 1);
    (void)snprintf(text, sizeof text, "serial %s", name);
    assert_string_equal(s_link[0].name, text);
    for (size_t i = 0; i < sizeof all; i++) {
        all[i] = (uint8_t)i; /* raw: no byte means anything to the line */
    }
    assert_int_equal(write(master, all, sizeof all), sizeof all);
    s_echo = true;
    pass_until(s_link[0].len == sizeof all);
    assert_memory_equal(s_link[0].got, all, sizeof all);
    size_t n = 0;
    while (n < sizeof all) {
        const ssize_t more = read(master, got + n, sizeof got - n);
        assert_true(more > 0);
        n += (size_t)more;
    }
    assert_memory_equal(got, all, sizeof all);
    (void)close(master); /* unplugged */
    pass_until(open_links() == 0);
    assert_true(port->retry_us > s_now_us && port->retry_us != MF_NEVER);
    s_now_us = port->retry_us;
    passes(2);
    assert_int_equal(open_links(), 0);
    assert_int_equal(s_notes, 1);
}

static void test_what_is_no_serial_device_is_named(void **state)
{
    (void)state;
    refused(MF_PORT_SERIAL, "/dev/nosuch:57600", "serial /dev/nosuch No such file or directory");
    refused(MF_PORT_SERIAL, "/dev/null:57600", "serial /dev/null Inappropriate ioctl for device");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_sim014_tcp_server_serves_several_clients),
        TEST(test_http_clients_take_no_places),
        TEST(test_http_clients_share_queues),
        TEST(test_sim014_udp_server_learns_several_peers),
        TEST(test_a_half_closed_client_still_gets_its_answer),
        TEST(test_udp_client_talks_first_and_learns_others),
        TEST(test_a_udp_client_sends_from_the_port_it_was_given),
        TEST(test_a_silent_udp_peer_is_forgotten),
        TEST(test_a_slow_reader_is_dropped_while_another_receives),
        TEST(test_a_reader_that_catches_up_stays),
        TEST(test_an_idle_peer_is_not_blamed_for_its_first_full_queue),
        TEST(test_two_hundred_connections_in_a_row),
        TEST(test_more_peers_than_links_are_turned_away),
        TEST(test_without_descriptors_the_server_rests),
        TEST(test_tcp_client_connects_again_and_again),
        TEST(test_a_burst_of_datagrams_arrives_whole_and_in_order),
        TEST(test_a_datagram_longer_than_a_pass_reads_is_not_lost),
        TEST(test_a_stream_that_is_left_for_later_does_not_keep_the_loop_awake),
        TEST(test_a_datagram_that_nobody_reads_does_not_keep_the_loop_awake),
        TEST(test_frames_to_a_udp_peer_share_datagrams),
        TEST(test_a_taken_port_is_named),
        TEST(test_a_port_is_bound_before_it_listens),
        TEST(test_sim014_a_serial_device_is_a_peer),
        TEST(test_what_is_no_serial_device_is_named),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    s_many = true;
    return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
