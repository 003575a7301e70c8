/* SPDX-License-Identifier: Apache-2.0 */
#include "hal-posix/endpoint.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct mf_endpoint s_ep;
static char s_reason[MF_REASON_MAX];

static void good(enum mf_port_kind kind, const char *text, const char *host, int port)
{
    assert_int_equal(mf_endpoint_parse(&s_ep, kind, text, s_reason), MF_E_OK);
    assert_string_equal(s_ep.host, host);
    assert_int_equal(s_ep.port, port);
}

static void bad(enum mf_port_kind kind, const char *text, const char *data)
{
    assert_int_equal(mf_endpoint_parse(&s_ep, kind, text, s_reason), MF_E_RANGE);
    assert_names(s_reason, data);
}

static void test_servers(void **state)
{
    (void)state;
    good(MF_PORT_TCP_SERVER, "5760", "127.0.0.1", 5760);
    good(MF_PORT_TCP_SERVER, "0", "127.0.0.1", 0);
    good(MF_PORT_UDP_SERVER, "0.0.0.0:14550", "0.0.0.0", 14550);
    good(MF_PORT_TCP_SERVER, "[::1]:5760", "::1", 5760);
    good(MF_PORT_TCP_SERVER, "[::]:65535", "::", 65535);
    good(MF_PORT_UDP_SERVER, "mayfly.local:1", "mayfly.local", 1);
}

static void test_clients(void **state)
{
    (void)state;
    good(MF_PORT_TCP_CLIENT, "qgc:5760", "qgc", 5760);
    assert_false(s_ep.inherited);
    good(MF_PORT_TCP_CLIENT, "fd:3", "fd", 3); /* a socket that is connected already */
    assert_true(s_ep.inherited);
    good(MF_PORT_UDP_CLIENT, "127.0.0.1:14550", "127.0.0.1", 14550);
    assert_int_equal(s_ep.local_port, 0);
    good(MF_PORT_UDP_CLIENT, "[fe80::1%lo]:14550@18570", "fe80::1%lo", 14550);
    assert_int_equal(s_ep.local_port, 18570);
}

static void test_serial_devices(void **state)
{
    (void)state;
    good(MF_PORT_SERIAL, "/dev/ttyUSB0:57600", "/dev/ttyUSB0", 0);
    assert_int_equal(s_ep.baud, 57600);
    good(MF_PORT_SERIAL, "/dev/serial/by-path/pci-0000:00:14.0:921600",
         "/dev/serial/by-path/pci-0000:00:14.0", 0);
    assert_int_equal(s_ep.baud, 921600);
}

static void test_what_is_wrong_is_said(void **state)
{
    (void)state;
    bad(MF_PORT_TCP_SERVER, "70000", "port 70000 0 65535");
    bad(MF_PORT_TCP_SERVER, "99999999999999999999", "port 99999999999999999999 0 65535");
    bad(MF_PORT_TCP_SERVER, "host:x", "port x 0 65535");
    bad(MF_PORT_TCP_SERVER, "host", "host [HOST:]PORT");
    bad(MF_PORT_TCP_SERVER, "", "'' [HOST:]PORT");
    bad(MF_PORT_TCP_SERVER, ":5760", ":5760 [HOST:]PORT");
    bad(MF_PORT_TCP_SERVER, "::1:5760", "::1:5760 [HOST:]PORT");
    bad(MF_PORT_TCP_SERVER, "[::1]", "[::1] [HOST:]PORT");
    bad(MF_PORT_TCP_SERVER, "[::1:5760", "[::1:5760 [HOST:]PORT");
    bad(MF_PORT_TCP_SERVER, "[]:5760", "[]:5760 [HOST:]PORT");
    bad(MF_PORT_TCP_CLIENT, "5760", "5760 HOST:PORT");
    bad(MF_PORT_TCP_CLIENT, "host:0", "port 0 1 65535");
    bad(MF_PORT_TCP_CLIENT, "host:", "port '' 1 65535");
    bad(MF_PORT_UDP_CLIENT, "host:14550@x", "port x 0 65535");
    bad(MF_PORT_UDP_CLIENT, "14550@1", "14550@1 HOST:PORT HOST:PORT@LOCAL_PORT");
    bad(MF_PORT_SERIAL, "/dev/ttyS0", "/dev/ttyS0 DEVICE:BAUD");
    bad(MF_PORT_SERIAL, "/dev/ttyS0:fast", "/dev/ttyS0:fast DEVICE:BAUD");
    bad(MF_PORT_SERIAL, ":57600", ":57600 DEVICE:BAUD");
    bad(MF_PORT_SERIAL, "/dev/ttyS0:12345", "12345 baud 1200 4000000 57600 115200 921600");
    char text[600];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(mf_endpoint_parse(&s_ep, MF_PORT_TCP_CLIENT, text, s_reason), MF_E_RANGE);
}

static void resolves(const char *endpoint, const char *expected)
{
    char text[MF_ADDR_TEXT_MAX];
    assert_int_equal(mf_endpoint_parse(&s_ep, MF_PORT_TCP_CLIENT, endpoint, s_reason), MF_E_OK);
    assert_int_equal(mf_endpoint_resolve(&s_ep, s_reason), MF_E_OK);
    mf_addr_text(&s_ep.addr, text);
    assert_string_equal(text, expected);
}

static void test_numeric_addresses_and_localhost_need_no_name_server(void **state)
{
    (void)state;
    resolves("10.1.2.3:4", "10.1.2.3:4");
    resolves("[2001:db8::1]:4", "[2001:db8::1]:4");
    resolves("[::ffff:1.2.3.4]:4", "1.2.3.4:4");
    resolves("localhost:5760", "127.0.0.1:5760");
    resolves("LocalHost:5760", "127.0.0.1:5760");
    resolves("drone.localhost:5760", "127.0.0.1:5760");
}

static void test_unknown_hosts_are_named(void **state)
{
    (void)state;
    assert_int_equal(mf_endpoint_parse(&s_ep, MF_PORT_TCP_CLIENT, "[::zz]:1", s_reason), MF_E_OK);
    assert_int_equal(mf_endpoint_resolve(&s_ep, s_reason), MF_E_NOENT);
    assert_names(s_reason, "host ::zz");
    assert_int_equal(mf_endpoint_parse(&s_ep, MF_PORT_TCP_CLIENT, "[fe80::1%nosuch0]:1", s_reason),
                     MF_E_OK);
    assert_int_equal(mf_endpoint_resolve(&s_ep, s_reason), MF_E_NOENT);
}

static struct mf_addr addr(const char *endpoint)
{
    assert_int_equal(mf_endpoint_parse(&s_ep, MF_PORT_TCP_CLIENT, endpoint, s_reason), MF_E_OK);
    assert_int_equal(mf_endpoint_resolve(&s_ep, s_reason), MF_E_OK);
    return s_ep.addr;
}

static void test_addresses_compare_by_host_and_port(void **state)
{
    (void)state;
    const struct mf_addr a = addr("127.0.0.1:1"), b = addr("127.0.0.1:1"), c = addr("127.0.0.1:2"),
                         d = addr("127.0.0.2:1"), e = addr("[::1]:1"), f = addr("[::2]:1");
    assert_true(mf_addr_equal(&a, &b));
    assert_false(mf_addr_equal(&a, &c));
    assert_false(mf_addr_equal(&a, &d));
    assert_false(mf_addr_equal(&a, &e));
    assert_false(mf_addr_equal(&e, &f));
    assert_int_equal(mf_addr_hash(&a), mf_addr_hash(&b));
    assert_int_not_equal(mf_addr_hash(&a), mf_addr_hash(&c));
    assert_int_not_equal(mf_addr_hash(&a), mf_addr_hash(&d));
    assert_int_not_equal(mf_addr_hash(&e), mf_addr_hash(&f));
    assert_true(mf_addr_is_loopback(&d));
    assert_true(mf_addr_is_loopback(&e));
    assert_false(mf_addr_is_loopback(&f));
}

/* @return the most that share the upper 12 bits */
static unsigned longest_chain(uint32_t hosts, uint16_t ports)
{
    static uint16_t s_count[4096];
    unsigned most = 0;
    memset(s_count, 0, sizeof s_count);
    struct mf_addr a = addr("127.64.0.1:20000");
    for (uint32_t host = 0; host < hosts; host++) {
        a.in.sin_addr.s_addr = htonl(0x7F400001u + host);
        for (uint16_t port = 0; port < ports; port++) {
            a.in.sin_port = htons((uint16_t)(20000u + port));
            const unsigned count = ++s_count[mf_addr_hash(&a) >> 20];
            most = count > most ? count : most;
        }
    }
    return most;
}

/* By pure chance 12 of 4,096 share a number in one of 300,000 cases. */
static void test_neighbouring_addresses_have_distant_hashes(void **state)
{
    (void)state;
    assert_true(longest_chain(4096, 1) < 12);
    assert_true(longest_chain(1, 4096) < 12);
    assert_true(longest_chain(64, 64) < 12);
}

static void test_who_talks_to_the_loopback_is_reachable_from_there_only(void **state)
{
    (void)state;
    char text[MF_ADDR_TEXT_MAX];
    const char *const cases[][2] = {{"127.0.0.1:14550", "127.0.0.1:18570"},
                                    {"10.0.0.1:14550", "0.0.0.0:18570"},
                                    {"[::1]:14550", "[::1]:18570"},
                                    {"[2001:db8::1]:14550", "[::]:18570"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct mf_addr remote = addr(cases[i][0]);
        const struct mf_addr local = mf_addr_local_for(&remote, 18570);
        mf_addr_text(&local, text);
        assert_string_equal(text, cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_servers),
        cmocka_unit_test(test_clients),
        cmocka_unit_test(test_serial_devices),
        cmocka_unit_test(test_what_is_wrong_is_said),
        cmocka_unit_test(test_numeric_addresses_and_localhost_need_no_name_server),
        cmocka_unit_test(test_unknown_hosts_are_named),
        cmocka_unit_test(test_addresses_compare_by_host_and_port),
        cmocka_unit_test(test_neighbouring_addresses_have_distant_hashes),
        cmocka_unit_test(test_who_talks_to_the_loopback_is_reachable_from_there_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
