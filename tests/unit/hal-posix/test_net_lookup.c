/* SPDX-License-Identifier: Apache-2.0 */
/* Lookups of host names in a child process: answers, repetitions, lines of a log. This test stands
 * in the place of the C library's resolver, so that it asks no name server. */
#include "hal-posix/net_kind.h"
#include "hal-posix/resolve_read.h"
#include "tests/unit/support/names.h"

#include <poll.h>
#include <resolv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define NOW_US  (7 * MF_SECOND_US)
#define WAIT_MS 10000

static struct mf_net s_net;
static struct mf_net_port s_port;
static unsigned s_notes;
static enum mf_severity s_severity;
static char s_note[300];
static int s_pipe[2]; /* of in_child() */
static pid_t s_parent;

// NOLINTNEXTLINE(readability-non-const-parameter): the library's type
int res_search(const char *host, int class, int type, unsigned char *answer, int size)
{
    (void)host, (void)class, (void)type, (void)answer, (void)size;
    return -1;
}

static void note(void *ctx, enum mf_severity severity, const char *text)
{
    assert_ptr_equal(ctx, &s_net);
    s_notes++;
    s_severity = severity;
    (void)snprintf(s_note, sizeof s_note, "%s", text);
}

static const struct mf_net_events k_events = {.note = note};

/* A parent that took itself for the child would end the test without a failure. */
static void check_child(void)
{
    if (getpid() == s_parent) {
        abort();
    }
}

static void tell(void)
{
    check_child();
    (void)!write(s_pipe[1], "c", 1);
}

static void begin(const char *host)
{
    memset(&s_net, 0, sizeof s_net);
    memset(&s_port, 0, sizeof s_port);
    s_net.events = &k_events;
    s_net.events_ctx = &s_net;
    s_net.in_child = check_child;
    s_port.endpoint.kind = MF_PORT_UDP_CLIENT;
    s_port.endpoint.port = 14550;
    (void)snprintf(s_port.endpoint.host, sizeof s_port.endpoint.host, "%s", host);
    s_notes = 0;
    s_note[0] = '\0';
}

/* Begin a lookup, wait until its child has answered or ended, and read the result. */
static bool look_up(void)
{
    assert_false(mf_net_look_up(&s_net, &s_port, NOW_US));
    assert_int_equal(s_port.retry_us, NOW_US + MF_NET_LOOKUP_US);
    assert_true(s_port.lookup.child > 0);
    struct pollfd answer = {.fd = s_port.lookup.fd, .events = POLLIN};
    assert_int_equal(poll(&answer, 1, WAIT_MS), 1);
    const bool result = mf_net_look_up(&s_net, &s_port, NOW_US + MF_SECOND_US);
    assert_int_equal(s_port.lookup.child, 0);
    assert_int_equal(close(answer.fd), -1); /* it is closed */
    return result;
}

static void test_a_name_becomes_an_address_with_the_port(void **state)
{
    struct mf_addr expected;
    (void)state;
    begin("localhost");
    s_port.complained = true;
    assert_true(look_up());
    assert_true(mf_addr_from_text("127.0.0.1", &expected));
    mf_addr_set_port(&expected, 14550);
    assert_true(mf_addr_equal(&s_port.endpoint.addr, &expected));
    assert_int_equal(s_notes, 1);
    assert_int_equal(s_severity, MF_NOTICE);
    assert_names(s_note, "localhost:14550 127.0.0.1");
    assert_false(s_port.complained);
    assert_true(look_up()); /* an address that stays is not logged again */
    assert_int_equal(s_notes, 1);
    mf_addr_set_port(&s_port.endpoint.addr, 9);
    assert_true(look_up()); /* another one is */
    assert_int_equal(s_notes, 2);
}

static void test_an_unknown_name_is_told_once_and_tried_each_second(void **state)
{
    (void)state;
    begin("drone.example");
    assert_false(look_up());
    assert_int_equal(s_port.retry_us, NOW_US + MF_SECOND_US + MF_NET_REST_US);
    assert_int_equal(s_notes, 1);
    assert_int_equal(s_severity, MF_WARNING);
    assert_names(s_note, "drone.example:14550");
    assert_true(s_port.complained);
    assert_int_equal(s_port.endpoint.addr.len, 0);
    assert_false(look_up());
    assert_int_equal(s_notes, 1);
}

/* A name server that fails for a while takes no address away. */
static void test_the_last_known_address_stays(void **state)
{
    struct mf_addr known;
    (void)state;
    begin("drone.example");
    assert_true(mf_addr_from_text("192.0.2.7", &s_port.endpoint.addr));
    known = s_port.endpoint.addr;
    assert_true(look_up());
    assert_true(mf_addr_equal(&s_port.endpoint.addr, &known));
    assert_int_equal(s_notes, 0);
    assert_int_equal(s_port.retry_us, NOW_US + MF_SECOND_US + MF_NET_REST_US);
}

/* The child closes the descriptors of the parent: the pipe ends when the child, which has written
 * to it before, and the parent have closed theirs. */
static void test_the_child_is_prepared_and_closes_what_it_inherits(void **state)
{
    char c = 0;
    (void)state;
    assert_int_equal(pipe(s_pipe), 0);
    begin("localhost");
    s_net.in_child = tell;
    assert_true(look_up());
    assert_int_equal(read(s_pipe[0], &c, 1), 1);
    assert_int_equal(c, 'c');
    (void)close(s_pipe[1]);
    assert_int_equal(read(s_pipe[0], &c, 1), 0);
    (void)close(s_pipe[0]);
}

static void hold(void)
{
    char c;
    check_child();
    (void)!read(s_pipe[0], &c, 1);
}

/* The network asks again and again until the child, which the test holds, has answered. */
static void test_nobody_waits_for_a_slow_lookup(void **state)
{
    (void)state;
    assert_int_equal(pipe(s_pipe), 0);
    begin("localhost");
    s_net.in_child = hold;
    for (int i = 0; i < 3; i++) {
        assert_false(mf_net_look_up(&s_net, &s_port, NOW_US + i));
        assert_int_equal(s_port.retry_us, NOW_US + i + MF_NET_LOOKUP_US);
    }
    assert_int_equal(write(s_pipe[1], "c", 1), 1);
    struct pollfd answer = {.fd = s_port.lookup.fd, .events = POLLIN};
    assert_int_equal(poll(&answer, 1, WAIT_MS), 1);
    assert_true(mf_net_look_up(&s_net, &s_port, NOW_US));
    (void)close(s_pipe[0]);
    (void)close(s_pipe[1]);
}

static void test_a_lookup_may_be_cancelled(void **state)
{
    (void)state;
    begin("localhost");
    mf_net_lookup_end(&s_port.lookup); /* before a lookup runs */
    assert_false(mf_net_look_up(&s_net, &s_port, NOW_US));
    mf_net_lookup_end(&s_port.lookup);
    assert_int_equal(s_port.lookup.child, 0);
    assert_true(look_up());
}

int main(void)
{
    s_parent = getpid();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_name_becomes_an_address_with_the_port),
        cmocka_unit_test(test_an_unknown_name_is_told_once_and_tried_each_second),
        cmocka_unit_test(test_the_last_known_address_stays),
        cmocka_unit_test(test_the_child_is_prepared_and_closes_what_it_inherits),
        cmocka_unit_test(test_nobody_waits_for_a_slow_lookup),
        cmocka_unit_test(test_a_lookup_may_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
