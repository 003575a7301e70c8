/* SPDX-License-Identifier: Apache-2.0 */
/* boards/swarm/hosts/leaf.h: commands of a root whose times go back. The root is this test, which
 * has said all of its frames before the leaf reads the first. */
#include "boards/swarm/hosts/leaf.h"

#include "boards/swarm/hosts/branches.h"
#include "boards/swarm/hosts/hosts_share.h"
#include "boards/swarm/hosts/leaf_internal.h"
#include "boards/swarm/program/read.h"
#include "tests/unit/boards/swarm/swarm_fixture.h"

#include <sys/socket.h>

static const char k_text[] =
    "{swarm: 1, time: {clock: fast, end: 5}, hosts: {listen: 0, leaves: 1}, "
    "links: {address: '127.212.0.0:5760', transport: vehicle}, entities: [{name: v, count: 2}]}";
static int s_root; /* the root's end of the connection */

static int read_scenario(struct swarm *w, const struct swarm_command *c)
{
    return swarm_read_text(w, c, k_text, sizeof k_text - 1u);
}

/* Say a frame of one record, whose bytes are numbers of 8, 4 or 1 bytes. */
static void say(enum mf_hosts_type type, enum mf_hosts_kind kind, const char *sizes, ...)
{
    uint8_t bytes[512];
    struct mf_hosts_writer out = {.bytes = bytes, .size = sizeof bytes};
    va_list args;
    mf_hosts_begin(&out, type, 0);
    mf_hosts_put(&out, kind, 0);
    va_start(args, sizes);
    for (; *sizes != '\0'; sizes++) {
        mf_hosts_put_u(&out, va_arg(args, uint64_t), (size_t)(*sizes - '0'));
    }
    va_end(args);
    mf_hosts_finish(&out);
    assert_int_equal(send(s_root, bytes, out.n, MSG_NOSIGNAL), out.n);
}

static void say_scenario(void)
{
    uint8_t bytes[512];
    struct mf_hosts_writer out = {.bytes = bytes, .size = sizeof bytes};
    mf_hosts_begin(&out, MF_HOSTS_PHASE, 0);
    mf_hosts_put(&out, MF_HOSTS_SCENARIO_, 0);
    mf_hosts_put_raw(&out, "test.yaml", 9);
    mf_hosts_put(&out, MF_HOSTS_PLACES_, 0);
    mf_hosts_put_u(&out, 0, 4); /* both vehicles are here */
    mf_hosts_put(&out, MF_HOSTS_BOOT_, 0);
    mf_hosts_finish(&out);
    assert_int_equal(send(s_root, bytes, out.n, MSG_NOSIGNAL), out.n);
}

/* Missions start at 100 ms. A link that is opened then, and a run to 50 ms, come too late by the
 * time of the vehicles: they act at 100 ms. */
static void test_commands_of_a_past_time_act_at_the_present(void **state)
{
    static char s_join[] = "127.0.0.1:9";
    static volatile int s_stop;
    char number[16];
    int pair[2];
    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    s_root = pair[1];
    say(MF_HOSTS_WELCOME, MF_HOSTS_NUMBER_, "2", (uint64_t)0);
    say_scenario();
    say(MF_HOSTS_PHASE, MF_HOSTS_START_, "844", (uint64_t)100000, (uint64_t)0, (uint64_t)2);
    say(MF_HOSTS_PHASE, MF_HOSTS_OPEN_, "11118", (uint64_t)0, (uint64_t)0, (uint64_t)0, (uint64_t)0,
        (uint64_t)50000);
    say(MF_HOSTS_PHASE, MF_HOSTS_RUN_, "88", (uint64_t)50000, (uint64_t)MF_NEVER);
    say(MF_HOSTS_PHASE, MF_HOSTS_END_, "");
    assert_int_equal(shutdown(s_root, SHUT_WR), 0);
    swarm_begin();
    s_swarm.scenario = NULL;
    s_swarm.systems = swarm_leaf_systems;
    s_command = (struct swarm_command){.file = "", .out = "", .token = "", .name = "leaf"};
    s_command.threads = 1;
    s_command.join = s_join;
    s_command.given.set = s_command.set;
    (void)snprintf(number, sizeof number, "%d", pair[0]);
    assert_int_equal(setenv(SWARM_HOSTS_SOCKET, number, 1), 0);
    assert_int_equal(swarm_leaf(&s_swarm, &s_command, &s_stop, read_scenario), SWARM_OK);
    assert_string_equal(s_swarm.error, "");
    assert_true(swarm_leaf_of(&s_swarm)->ended);
    assert_int_equal(s_swarm.now_us, 100000);
    (void)close(pair[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands_of_a_past_time_act_at_the_present),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
