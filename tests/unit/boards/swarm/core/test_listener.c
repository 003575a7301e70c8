/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/core/listener.h: addresses that are listened at, and what is wrong with others. */
#include "boards/swarm/core/listener.h"

#include "tests/unit/boards/swarm/swarm_fixture.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static struct captured s_err;

static int begin(void **state)
{
    (void)state;
    (void)swarm_of("time: {end: 1}\nentities: [{name: v, behaviour: walk}]\n");
    return 0;
}

static struct swarm_listener at(const char *where)
{
    return (struct swarm_listener){.key = "bus.listen", .where = where, .line = 4};
}

/* Listen, and find out where. @return the port */
static uint16_t must_listen(const char *where, const char *host)
{
    struct sockaddr_in a;
    socklen_t n = sizeof a;
    char text[INET_ADDRSTRLEN], expected[64];
    const struct swarm_listener l = at(where);
    capture(&s_err, stderr);
    const int fd = swarm_listen(&s_swarm, &l);
    (void)captured(&s_err);
    if (fd < 0) {
        fail_msg("%s", s_swarm.error);
    }
    assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &n), 0);
    assert_string_equal(inet_ntop(AF_INET, &a.sin_addr, text, sizeof text), host);
    (void)snprintf(expected, sizeof expected, "%s:%u", host, (unsigned)ntohs(a.sin_port));
    assert_string_equal(getenv("SWARM_BUS_LISTEN"), expected);
    (void)snprintf(expected, sizeof expected, "mayfly-swarm: bus: port %u\n",
                   (unsigned)ntohs(a.sin_port));
    assert_string_equal(s_err.text, expected);
    (void)close(fd);
    return ntohs(a.sin_port);
}

static void must_refuse(struct swarm_listener l, const char *data)
{
    assert_int_equal(swarm_listen(&s_swarm, &l), -1);
    assert_names(s_swarm.error, data);
    assert_int_equal(swarm_listen_check(&s_swarm, &l), SWARM_INPUT);
}

static void test_a_port_alone_is_of_this_machine(void **state)
{
    (void)state;
    assert_true(must_listen("0", "127.0.0.1") > 0);
}

static void test_an_address_and_a_port(void **state)
{
    (void)state;
    assert_true(must_listen("127.0.0.9:0", "127.0.0.9") > 0);
    assert_true(must_listen("0.0.0.0:0", "0.0.0.0") > 0);
}

static void test_texts_that_are_not_addresses(void **state)
{
    static const char *const k[] = {"x",     "5770x",         "-1",         "65536", "1.2.3:5",
                                    "::1:5", "localhost:577", "127.0.0.1:", ":5",    " 5"};
    (void)state;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        must_refuse(at(k[i]), "test.yaml 4 bus.listen");
        assert_names(s_swarm.error, "[ADDRESS:]PORT IPv4 unix:PATH");
    }
}

static void test_an_address_of_others_needs_a_token(void **state)
{
    struct swarm_listener l = at("0.0.0.0:0");
    (void)state;
    l.unsafe = "give a token";
    must_refuse(l, "4 bus.listen 0.0.0.0:0 token");
    l.where = "127.8.8.8:0"; /* of this machine, too */
    assert_int_equal(swarm_listen_check(&s_swarm, &l), SWARM_OK);
}

static void test_a_port_that_is_taken(void **state)
{
    char where[16];
    (void)state;
    const uint16_t port = must_listen("0", "127.0.0.1");
    const int fd = swarm_port_bind(&s_swarm, 4, "x", port, SOCK_STREAM);
    assert_true(fd >= 0);
    assert_int_equal(listen(fd, 1), 0);
    (void)snprintf(where, sizeof where, "%u", (unsigned)port);
    must_refuse(at(where), "4 bus.listen");
    assert_names(s_swarm.error, where);
    assert_int_equal(swarm_port_check(&s_swarm, 6, "x.port", port, SOCK_STREAM), SWARM_INPUT);
    assert_names(s_swarm.error, "test.yaml 6 x.port");
    (void)close(fd);
    assert_int_equal(swarm_port_check(&s_swarm, 6, "x.port", port, SOCK_STREAM), SWARM_OK);
}

static void test_a_check_opens_nothing_where_there_is_nothing_to_open(void **state)
{
    const struct swarm_listener none = at(""), local = at("unix:/nowhere/at/all");
    (void)state;
    assert_int_equal(swarm_listen_check(&s_swarm, &none), SWARM_OK);
    assert_int_equal(swarm_listen_check(&s_swarm, &local), SWARM_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_port_alone_is_of_this_machine, begin),
        cmocka_unit_test_setup(test_an_address_and_a_port, begin),
        cmocka_unit_test_setup(test_texts_that_are_not_addresses, begin),
        cmocka_unit_test_setup(test_an_address_of_others_needs_a_token, begin),
        cmocka_unit_test_setup(test_a_port_that_is_taken, begin),
        cmocka_unit_test_setup(test_a_check_opens_nothing_where_there_is_nothing_to_open, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
