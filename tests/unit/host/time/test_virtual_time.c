/* SPDX-License-Identifier: Apache-2.0 */
/* host/time/virtual_time.h: who runs when, and how far time goes. */
#include "host/time/virtual_time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MS_NS INT64_C(1000000)

static struct mf_virtual s_virtual;
static char s_said[2048]; /* what the server said: "go 100|1 GO 5000|" */

static void note(const char *text)
{
    const size_t n = strlen(s_said);
    (void)snprintf(s_said + n, sizeof s_said - n, "%s|", text);
}

static void send(void *ctx, int id, const struct mf_virtual_message *m)
{
    char text[64];
    (void)ctx;
    if (m->kind == MF_VIRTUAL_GO) {
        assert_int_equal(m->utc_ns, 77);
        (void)snprintf(text, sizeof text, "%d GO %lld", id, (long long)m->at_ns);
    } else {
        (void)snprintf(text, sizeof text, "%d SPAWNED %d", id, m->value);
    }
    note(text);
}

static void say(void *ctx, int drone, const char *line)
{
    char text[96];
    (void)ctx;
    (void)snprintf(text, sizeof text, "d%d %s", drone, line);
    note(text);
}

static bool s_stopped; /* every process that the server asks about */

static bool is_stopped(void *ctx, int32_t pid)
{
    (void)ctx, (void)pid;
    return s_stopped;
}

static const struct mf_virtual_ops k_ops = {send, say, is_stopped};

/* What it says next is this. */
static void expect(const char *said)
{
    assert_string_equal(s_said, said);
    s_said[0] = '\0';
}

static void turn(void)
{
    mf_virtual_turn(&s_virtual);
}

static void come(int id, int32_t pid)
{
    const struct mf_virtual_message hello = {.kind = MF_VIRTUAL_HELLO,
                                             .value = (int32_t)MF_VIRTUAL_VERSION};
    assert_int_equal(mf_virtual_process_came(&s_virtual, id, pid, &hello), MF_E_OK);
}

static bool tell(int id, uint32_t kind, int32_t value, int64_t at_ns)
{
    const struct mf_virtual_message m = {.kind = kind, .value = value, .at_ns = at_ns};
    return mf_virtual_message_came(&s_virtual, id, &m);
}

static void done(int id, bool ran, int64_t deadline_ns)
{
    assert_true(tell(id, MF_VIRTUAL_DONE, ran, deadline_ns));
    turn();
}

static void line(const char *text)
{
    mf_virtual_line_came(&s_virtual, 0, text);
    turn();
}

/* One drone and a process that waits for an instant, at 0. */
static int before(void **state)
{
    (void)state;
    s_said[0] = '\0';
    s_stopped = false;
    mf_virtual_init(&s_virtual, &k_ops, NULL, 1, 77);
    assert_int_equal(mf_virtual_drone_came(&s_virtual), 0);
    line("mayfly 1 sysid 1 clock lockstep");
    line("at 0 next 100000 events 0 armed 0 landed 1 in 0 out 0");
    expect("d0 hold|");
    come(1, 500);
    turn();
    expect("d0 go 0|");
    line("at 0 next 100000 events 0 armed 0 landed 1 in 0 out 0");
    expect("1 GO 0|");
    return 0;
}

static void test_time_goes_to_the_earliest_of_all(void **state)
{
    (void)state;
    done(1, true, 250 * MS_NS);
    expect("d0 go 0|"); /* it may have sent something */
    line("at 0 next 100000 events 0 armed 0 landed 1 in 0 out 0");
    expect("d0 go 100000|"); /* and nobody has answered */
    line("at 100000 next 200000 events 0 armed 0 landed 1 in 0 out 0");
    expect("d0 go 200000|"); /* nothing was sent to anybody */
    line("at 200000 next 300000 events 0 armed 0 landed 1 in 0 out 40");
    expect("1 GO 200000000|");
    done(1, false, 250 * MS_NS + 1);
    expect("d0 go 250000|");
    line("at 250000 next 300000 events 0 armed 0 landed 1 in 0 out 40");
    expect("1 GO 250000001|"); /* to the nanosecond, which drones do not know */
    done(1, true, MF_VIRTUAL_NEVER);
    expect("d0 go 250000|");
}

/* The server reads only the counts of bytes of a report whose times are not vehicle times. */
static void test_times_out_of_range_are_left_out(void **state)
{
    (void)state;
    done(1, true, MF_VIRTUAL_NEVER);
    expect("d0 go 0|");
    line("at 9223372036854775807 next -5 events 0 armed 0 landed 1 in 0 out 0");
    expect("d0 go 100000|");
    line("at -9223372036854775808 next 1000000000000001 events 0 armed 0 landed 1 in 0 out 40");
    expect("1 GO 0|");
}

static void test_the_drone_serves_until_nothing_is_left(void **state)
{
    (void)state;
    done(1, true, MF_VIRTUAL_NEVER);
    expect("d0 go 0|");
    line("at 0 next 100000 events 0 armed 0 landed 1 in 2048 out 0");
    expect("d0 go 0|");
    line("at 0 next never events 0 armed 0 landed 1 in 2100 out 90");
    expect("d0 go 0|");
    line("at 0 next never events 0 armed 0 landed 1 in 2100 out 90");
    expect("1 GO 0|");
    done(1, false, MF_VIRTUAL_NEVER);
    expect(""); /* nobody waits for an instant */
    assert_int_equal(s_virtual.phase, MF_VIRTUAL_RESTS);
    line("next 700000");
    expect("");
    mf_virtual_wake(&s_virtual);
    turn();
    expect("d0 go 0|");
}

static void test_one_at_a_time_in_the_order_in_which_they_came(void **state)
{
    (void)state;
    come(7, 501);
    turn();
    expect("");
    done(1, true, MF_VIRTUAL_NEVER);
    expect("7 GO 0|");
    done(7, false, MF_VIRTUAL_NEVER);
    expect("d0 go 0|");
    line("at 0 next never events 0 armed 0 landed 1 in 0 out 0");
    expect("1 GO 0|");
    done(1, false, MF_VIRTUAL_NEVER);
    expect("7 GO 0|");
}

static void test_parallel_asks_all_at_once(void **state)
{
    (void)state;
    s_virtual.parallel = true;
    come(7, 501);
    turn();
    expect("7 GO 0|");
    done(7, true, MF_VIRTUAL_NEVER);
    expect("");
    done(1, true, 5);
    expect("d0 go 0|");
}

static void test_a_child_has_its_place_before_its_parent_goes_on(void **state)
{
    (void)state;
    assert_true(tell(1, MF_VIRTUAL_SPAWNED, 501, 0));
    turn();
    expect("");
    assert_false(tell(1, MF_VIRTUAL_DONE, 1, 0)); /* it waits for the answer */
    come(2, 501);
    expect("1 SPAWNED 501|");
    assert_true(tell(1, MF_VIRTUAL_SPAWNED, 502, 0));
    mf_virtual_ended(&s_virtual, 502); /* without a word */
    expect("1 SPAWNED 502|");
    done(1, true, MF_VIRTUAL_NEVER);
    expect("2 GO 0|");
}

static void test_time_stands_while_a_process_becomes_another_program(void **state)
{
    (void)state;
    mf_virtual_closed(&s_virtual, 1);
    turn();
    expect("");
    assert_non_null(mf_virtual_running(&s_virtual));
    come(4, 500);
    assert_int_equal(s_virtual.process_count, 1);
    turn();
    expect("d0 go 0|");
    line("at 0 next never events 0 armed 0 landed 1 in 0 out 0");
    expect("4 GO 0|");
    mf_virtual_closed(&s_virtual, 4);
    mf_virtual_ended(&s_virtual, 500);
    assert_null(mf_virtual_running(&s_virtual));
    assert_int_equal(s_virtual.process_count, 0);
}

/* A drone alone would fly on as fast as it can. */
static void test_time_rests_while_nobody_is_there(void **state)
{
    (void)state;
    done(1, true, 250 * MS_NS);
    expect("d0 go 0|");
    mf_virtual_closed(&s_virtual, 1);
    mf_virtual_ended(&s_virtual, 500);
    line("at 0 next 100000 events 0 armed 0 landed 1 in 0 out 0");
    expect("");
    assert_int_equal(s_virtual.phase, MF_VIRTUAL_RESTS);
    come(2, 501); /* the next program goes on where the first has ended */
    turn();
    expect("d0 go 0|");
    line("at 0 next 100000 events 0 armed 0 landed 1 in 0 out 0");
    expect("2 GO 0|");
}

static void test_a_drone_that_reboots_goes_on_from_the_present(void **state)
{
    (void)state;
    done(1, false, 900 * MS_NS);
    expect("d0 go 100000|");
    line("at 100000 next 200000 events 0 armed 0 landed 1 in 0 out 0");
    expect("d0 go 200000|");
    line("mayfly 1 sysid 1 clock lockstep");
    line("now 0 next 50000 events 0 armed 0 landed 1 in 0 out 0");
    line("at 0 next 50000 events 0 armed 0 landed 1 in 0 out 0");
    expect("d0 go 50000|"); /* of its own time: 250 ms of the world's */
    assert_int_equal(s_virtual.now_ns, 250 * MS_NS);
}

static void test_a_drone_that_stands_early_takes_the_world_along(void **state)
{
    (void)state;
    done(1, false, 900 * MS_NS + 7);
    expect("d0 go 100000|");
    line("at 43210 next 100000 events 0 armed 0 landed 1 in 0 out 80");
    expect("1 GO 43210000|"); /* what has come then */
    done(1, false, 900 * MS_NS + 7);
    expect("d0 go 100000|");
    line("at 100000 next never events 0 armed 0 landed 1 in 0 out 80");
    expect("d0 go 900000|");
    line("at 900000 next never events 0 armed 0 landed 1 in 0 out 80");
    expect("1 GO 900000007|"); /* in time is not early */
}

/* Process 1 stops process 7 at 0 and continues it at 100 ms. Time goes on without it, and waits for
 * it from the moment on at which it is continued. */
static void test_a_process_that_another_one_stops(void **state)
{
    (void)state;
    come(7, 501);
    turn();
    assert_false(mf_virtual_stopped(&s_virtual, 1)); /* no process has sent such a signal */
    assert_true(tell(1, MF_VIRTUAL_STOPS, 0, 0));
    done(1, true, 100 * MS_NS);
    expect("7 GO 0|");
    s_stopped = true;
    assert_true(mf_virtual_stopped(&s_virtual, 7));
    assert_null(mf_virtual_running(&s_virtual));
    turn();
    expect("d0 go 0|");
    line("at 0 next never events 0 armed 0 landed 1 in 0 out 0");
    expect("1 GO 0|"); /* it may wait for the stop of its child */
    done(1, false, 100 * MS_NS);
    expect("d0 go 100000|");
    line("at 100000 next never events 0 armed 0 landed 1 in 0 out 0");
    expect("1 GO 100000000|");
    s_stopped = false;
    done(1, true, 900 * MS_NS);
    expect("");
    done(7, true, 50 * MS_NS); /* of its GO at 0 */
    expect("7 GO 100000000|"); /* its deadline is over */
}

/* Time waits for the last process that is awake, and stands without it. */
static void test_time_stands_if_all_are_stopped(void **state)
{
    (void)state;
    assert_true(tell(1, MF_VIRTUAL_STOPS, 0, 0));
    assert_false(mf_virtual_stopped(&s_virtual, 1));
    come(7, 501);
    s_stopped = true;
    assert_true(mf_virtual_stopped(&s_virtual, 1));
    turn();
    expect("7 GO 0|");
    assert_false(mf_virtual_stopped(&s_virtual, 7));
    mf_virtual_closed(&s_virtual, 7);
    mf_virtual_ended(&s_virtual, 501);
    turn();
    expect("d0 go 0|");
    line("at 0 next 100000 events 0 armed 0 landed 1 in 0 out 0");
    expect("");
    assert_int_equal(s_virtual.phase, MF_VIRTUAL_RESTS);
    s_stopped = false;
    turn();
    assert_ptr_equal(mf_virtual_running(&s_virtual), &s_virtual.process[0]);
}

static void test_what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    const struct mf_virtual_message other = {.kind = MF_VIRTUAL_HELLO, .value = 99};
    assert_int_equal(mf_virtual_process_came(&s_virtual, 9, 600, &other), MF_E_NOSUPP);
    assert_false(tell(9, MF_VIRTUAL_DONE, 0, 0)); /* nobody */
    assert_false(tell(1, 4711, 0, 0));
    assert_false(tell(1, MF_VIRTUAL_SPAWNED, -5, 0));
    assert_true(tell(1, MF_VIRTUAL_EXEC, 1, 0)); /* its connection closes next, unless it fails */
    assert_true(tell(1, MF_VIRTUAL_EXEC, 0, 0));
    done(1, false, MF_VIRTUAL_NEVER);
    assert_false(tell(1, MF_VIRTUAL_DONE, 0, 0)); /* it does not run */
    assert_false(tell(1, MF_VIRTUAL_EXEC, 1, 0));
    for (int i = 1; i < (int)MF_VIRTUAL_PROCESSES_MAX; i++) {
        come(100 + i, 1000 + i);
    }
    const struct mf_virtual_message hello = {.kind = MF_VIRTUAL_HELLO,
                                             .value = (int32_t)MF_VIRTUAL_VERSION};
    assert_int_equal(mf_virtual_process_came(&s_virtual, 200, 2000, &hello), MF_E_FULL);
}

static void test_a_process_that_never_waits_for_later_is_noticed(void **state)
{
    (void)state;
    for (uint32_t i = 0; i <= MF_VIRTUAL_ROUNDS_MAX && !s_virtual.stuck; i++) {
        done(1, true, 0);
        line("at 0 next never events 0 armed 0 landed 1 in 0 out 0");
        s_said[0] = '\0';
    }
    assert_true(s_virtual.stuck);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_time_goes_to_the_earliest_of_all, before),
        cmocka_unit_test_setup(test_times_out_of_range_are_left_out, before),
        cmocka_unit_test_setup(test_the_drone_serves_until_nothing_is_left, before),
        cmocka_unit_test_setup(test_one_at_a_time_in_the_order_in_which_they_came, before),
        cmocka_unit_test_setup(test_parallel_asks_all_at_once, before),
        cmocka_unit_test_setup(test_a_child_has_its_place_before_its_parent_goes_on, before),
        cmocka_unit_test_setup(test_time_stands_while_a_process_becomes_another_program, before),
        cmocka_unit_test_setup(test_time_rests_while_nobody_is_there, before),
        cmocka_unit_test_setup(test_a_drone_that_reboots_goes_on_from_the_present, before),
        cmocka_unit_test_setup(test_a_drone_that_stands_early_takes_the_world_along, before),
        cmocka_unit_test_setup(test_a_process_that_another_one_stops, before),
        cmocka_unit_test_setup(test_time_stands_if_all_are_stopped, before),
        cmocka_unit_test_setup(test_what_makes_no_sense_is_refused, before),
        cmocka_unit_test_setup(test_a_process_that_never_waits_for_later_is_noticed, before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
