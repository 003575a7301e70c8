/* SPDX-License-Identifier: Apache-2.0 */
#include "drone/pace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define S 1000000

static struct mf_pace started(enum mf_pace_mode mode, double rate, mf_us_t gap_us)
{
    struct mf_pace p = {.mode = mode, .rate = rate, .gap_us = gap_us};
    mf_pace_start(&p, 100 * S);
    return p;
}

static struct mf_pace_demand wants(mf_us_t essential_us, mf_us_t periodic_us)
{
    return (struct mf_pace_demand){
        .essential_us = essential_us, .periodic_us = periodic_us, .limit_us = MF_NEVER};
}

static void test_real_follows_the_wall(void **state)
{
    (void)state;
    struct mf_pace p = started(MF_PACE_SCALED, 1.0, 0);
    const struct mf_pace_demand d = wants(MF_NEVER, 100000);
    assert_int_equal(mf_pace_due(&p, &d, 100 * S), 100 * S + 100000);
    assert_false(mf_pace_advance(&p, 100 * S + 123456));
    assert_int_equal(mf_pace_now(&p, 100 * S + 123456).vehicle_us, 123456);
    assert_int_equal(mf_pace_now(&p, 100 * S + 123456).transport_us, 123456);
}

static void test_time_between_passes_is_shown_and_not_moved(void **state)
{
    (void)state;
    struct mf_pace p = {.mode = MF_PACE_FAST};
    assert_int_equal(mf_pace_shown(&p, 100 * S), 0); /* not started */
    p = started(MF_PACE_SCALED, 2.0, 0);
    assert_int_equal(mf_pace_shown(&p, 103 * S), 6 * S);
    assert_int_equal(p.vehicle_us, 0);
    p.demand.limit_us = S;
    assert_int_equal(mf_pace_shown(&p, 103 * S), S);
    p = started(MF_PACE_LOCKSTEP, 1.0, 0);
    p.demand.essential_us = S;
    assert_int_equal(mf_pace_shown(&p, 103 * S), 0);
}

static void test_scaled_is_so_much_faster_or_slower(void **state)
{
    (void)state;
    struct mf_pace p = started(MF_PACE_SCALED, 20.0, 0);
    struct mf_pace_demand d = wants(MF_NEVER, 2 * S);
    assert_int_equal(mf_pace_due(&p, &d, 100 * S), 100 * S + 100000);
    (void)mf_pace_advance(&p, 100 * S + 50000);
    assert_int_equal(p.vehicle_us, S); /* input came in between */
    (void)mf_pace_advance(&p, 100 * S + 100000);
    assert_int_equal(p.vehicle_us, 2 * S);
    p = started(MF_PACE_SCALED, 0.5, 0);
    (void)mf_pace_advance(&p, 101 * S);
    assert_int_equal(p.vehicle_us, S / 2);
}

/* Passes of a clock whose vehicle wants to run every 100 ms, from one wall time on until none is
 * due any more. @return how many there were */
static int run_due(struct mf_pace *p, struct mf_pace_demand *d, mf_us_t wall_us)
{
    int passes = 0;
    for (;;) {
        const mf_us_t due_us = mf_pace_due(p, d, wall_us);
        if (due_us > wall_us) {
            return passes;
        }
        (void)mf_pace_advance(p, wall_us);
        assert_int_equal(p->vehicle_us, d->periodic_us); /* nothing is skipped */
        d->periodic_us += 100000;
        passes++;
    }
}

/* x20: 100 ms of vehicle time are 5 ms of the wall. */
static void test_sim042_scaled_skips_nothing_and_makes_good_20_ms(void **state)
{
    (void)state;
    struct mf_pace p = started(MF_PACE_SCALED, 20.0, 0);
    struct mf_pace_demand d = wants(MF_NEVER, 100000);
    assert_int_equal(run_due(&p, &d, 100 * S + 4999), 0);
    assert_int_equal(run_due(&p, &d, 100 * S + 5000), 1);
    assert_int_equal(run_due(&p, &d, 100 * S + 25000), 4); /* late by 15 ms: all of it */
    assert_int_equal(p.late_us, 0);
    assert_int_equal(run_due(&p, &d, 101 * S), 5); /* by 970 ms: those of 20 ms, and what is due */
    assert_int_equal(p.vehicle_us, S);
    assert_int_equal(p.late_us, 950000);
    assert_int_equal(run_due(&p, &d, 101 * S + 4999), 0); /* and then with the wall again */
    assert_int_equal(run_due(&p, &d, 101 * S + 5000), 1);
    assert_int_equal(p.late_us, 950000);
}

static void test_only_real_time_skips(void **state)
{
    (void)state;
    static const enum mf_pace_mode k_mode[] = {MF_PACE_SCALED, MF_PACE_FAST, MF_PACE_EVENT};
    const struct mf_pace_demand d = wants(MF_NEVER, 100000);
    struct mf_pace p = started(MF_PACE_SCALED, 1.0, 0);
    (void)mf_pace_due(&p, &d, 100 * S);
    (void)mf_pace_advance(&p, 105 * S);
    assert_int_equal(p.vehicle_us, 5 * S);
    assert_int_equal(p.late_us, 0);
    for (int i = 0; i < 3; i++) { /* x2, and what is idle on clocks that run free */
        p = started(k_mode[i], i == 0 ? 2.0 : 1.0, 0);
        (void)mf_pace_due(&p, &d, 100 * S);
        assert_int_equal(mf_pace_shown(&p, 105 * S), 100000);
        (void)mf_pace_advance(&p, 105 * S);
        assert_int_equal(p.vehicle_us, 100000);
        assert_int_equal(p.late_us, 5 * S - 20000 - (i == 0 ? 50000 : 100000));
    }
}

static void test_scaled_waits_for_a_client_that_does_not_read(void **state)
{
    (void)state;
    struct mf_pace p = started(MF_PACE_SCALED, 20.0, 0);
    struct mf_pace_demand d = wants(MF_NEVER, 100000);
    d.backlog = true;
    assert_true(mf_pace_due(&p, &d, 100 * S) == MF_NEVER);
    (void)mf_pace_advance(&p, 103 * S); /* by input of somebody else */
    assert_int_equal(p.vehicle_us, 0);
    (void)mf_pace_advance(&p, 104 * S); /* by its reading */
    d.backlog = false;
    assert_int_equal(mf_pace_due(&p, &d, 104 * S), 104 * S + 5000);
    assert_int_equal(p.vehicle_us, 0);
    assert_int_equal(p.waited_us, 4 * S);
    assert_int_equal(p.late_us, 0);
    d.backlog = true;
    p = started(MF_PACE_FAST, 1.0, 0); /* nobody holds what is idle on a clock that runs free ... */
    assert_int_equal(mf_pace_due(&p, &d, 100 * S), 100 * S + 100000);
    (void)mf_pace_advance(&p, 100 * S + 100000);
    assert_int_equal(p.vehicle_us, 100000);
    p = started(MF_PACE_SCALED, 1.0, 0); /* ... or real time */
    assert_int_equal(mf_pace_due(&p, &d, 100 * S), 100 * S + 100000);
    (void)mf_pace_advance(&p, 103 * S);
    assert_int_equal(p.vehicle_us, 3 * S);
    assert_int_equal(p.waited_us, 0);
}

/* Whoever holds time takes none from the host. */
static void test_time_that_is_held_is_not_lost(void **state)
{
    (void)state;
    struct mf_pace p = started(MF_PACE_SCALED, 20.0, 0);
    struct mf_pace_demand d = wants(MF_NEVER, 100000);
    d.limit_us = 0;
    for (int i = 0; i < 2; i++) {
        (void)mf_pace_due(&p, &d, 100 * S);
        (void)mf_pace_advance(&p, 160 * S);
        d.backlog = true;
    }
    assert_int_equal(p.late_us + p.waited_us, 0);
}

static void test_fast_goes_from_due_to_due_while_it_moves_only(void **state)
{
    (void)state;
    struct mf_pace p = started(MF_PACE_FAST, 1.0, 0);
    struct mf_pace_demand d = wants(5 * S, 100000);
    (void)mf_pace_due(&p, &d, 100 * S);
    (void)mf_pace_advance(&p, 100 * S + 50000);
    assert_int_equal(p.vehicle_us, 50000); /* idle: with the wall */
    d.moving = true;
    assert_int_equal(mf_pace_due(&p, &d, 100 * S + 50000), 100 * S + 50000); /* at once */
    assert_false(mf_pace_advance(&p, 100 * S + 50001));
    assert_int_equal(p.vehicle_us, 100000);
    d.periodic_us = 6 * S;
    (void)mf_pace_due(&p, &d, 100 * S + 50001);
    (void)mf_pace_advance(&p, 100 * S + 50002);
    assert_int_equal(p.vehicle_us, 5 * S);
    d.moving = false;
    d.essential_us = 6 * S;
    (void)mf_pace_due(&p, &d, 100 * S + 50002);
    (void)mf_pace_advance(&p, 100 * S + 50012);
    assert_int_equal(p.vehicle_us, 5 * S + 10);
}

static void test_fast_waits_for_a_client_that_does_not_read(void **state)
{
    (void)state;
    struct mf_pace p = started(MF_PACE_FAST, 1.0, 0);
    struct mf_pace_demand d = wants(5 * S, 100000);
    d.moving = true;
    d.backlog = true;
    assert_true(mf_pace_due(&p, &d, 100 * S) == MF_NEVER);
    (void)mf_pace_advance(&p, 200 * S);
    assert_int_equal(p.vehicle_us, 0);
}

static void test_sim038_event_jumps_and_leaves_a_gap(void **state)
{
    (void)state;
    struct mf_pace p = started(MF_PACE_EVENT, 1.0, 20000);
    struct mf_pace_demand d = wants(10 * S, 100000);
    d.moving = true;
    assert_int_equal(mf_pace_due(&p, &d, 100 * S), 100 * S);
    assert_true(mf_pace_advance(&p, 100 * S));
    assert_int_equal(p.vehicle_us, 10 * S);
    d = wants(30 * S, 10 * S + 100000);
    d.moving = true;
    assert_int_equal(mf_pace_due(&p, &d, 100 * S + 5), 100 * S + 20000);
    assert_false(
        mf_pace_advance(&p, 100 * S + 19999)); /* input came in the gap: time stands still */
    assert_int_equal(p.vehicle_us, 10 * S);
    assert_true(mf_pace_advance(&p, 100 * S + 20000));
    assert_int_equal(p.vehicle_us, 30 * S);
}

static void test_event_does_not_jump_over_what_a_client_is_in_the_middle_of(void **state)
{
    (void)state;
    struct mf_pace p = started(MF_PACE_EVENT, 1.0, 0);
    struct mf_pace_demand d = wants(10 * S, 100000);
    d.moving = true;
    d.busy = true;
    (void)mf_pace_due(&p, &d, 100 * S);
    assert_false(mf_pace_advance(&p, 100 * S + 30000));
    assert_int_equal(p.vehicle_us, 30000); /* with the wall */
}

static void test_event_stops_at_every_sample_if_asked(void **state)
{
    (void)state;
    struct mf_pace p = started(MF_PACE_EVENT, 1.0, 0);
    struct mf_pace_demand d = wants(10 * S, 100000);
    p.every_sample = true;
    d.moving = true;
    (void)mf_pace_due(&p, &d, 100 * S);
    assert_false(mf_pace_advance(&p, 100 * S)); /* nothing was jumped over */
    assert_int_equal(p.vehicle_us, 100000);
}

static void test_limit_holds_every_clock(void **state)
{
    (void)state;
    for (int mode = MF_PACE_SCALED; mode <= MF_PACE_LOCKSTEP; mode++) {
        struct mf_pace p = started((enum mf_pace_mode)mode, 1.0, 0);
        struct mf_pace_demand d = wants(10 * S, 100000);
        d.moving = true;
        d.limit_us = 0;
        assert_true(mf_pace_due(&p, &d, 100 * S) == MF_NEVER);
        (void)mf_pace_advance(&p, 105 * S);
        assert_int_equal(p.vehicle_us, 0);
        d.limit_us = 70000;
        (void)mf_pace_due(&p, &d, 105 * S);
        (void)mf_pace_advance(&p, 106 * S);
        assert_int_equal(p.vehicle_us, 70000);
        d.limit_us = MF_NEVER; /* released: it goes on from there, without catching up */
        (void)mf_pace_due(&p, &d, 110 * S);
        if (mode == MF_PACE_SCALED) {
            (void)mf_pace_advance(&p, 110 * S + 10);
            assert_true(p.vehicle_us < 70000 + 5 * S);
        }
    }
}

static void test_the_end_of_a_run_is_a_due_time(void **state)
{
    (void)state;
    struct mf_pace p = started(MF_PACE_SCALED, 10.0, 0);
    struct mf_pace_demand d = wants(MF_NEVER, MF_NEVER);
    d.limit_us = 50000; /* whoever set it waits for it, though the vehicle wants nothing */
    assert_int_equal(mf_pace_due(&p, &d, 100 * S), 100 * S + 5000);
    (void)mf_pace_advance(&p, 100 * S + 5000);
    assert_int_equal(p.vehicle_us, 50000);
    assert_true(mf_pace_due(&p, &d, 100 * S + 5001) == MF_NEVER); /* it stands */
}

static void test_lockstep_runs_as_far_as_it_may(void **state)
{
    (void)state;
    struct mf_pace p = started(MF_PACE_LOCKSTEP, 1.0, 0);
    struct mf_pace_demand d = wants(MF_NEVER, 100000);
    d.limit_us = 250000;
    (void)mf_pace_due(&p, &d, 100 * S);
    (void)mf_pace_advance(&p, 100 * S);
    assert_int_equal(p.vehicle_us, 100000);
    d.periodic_us = MF_NEVER;
    (void)mf_pace_due(&p, &d, 100 * S);
    (void)mf_pace_advance(&p, 100 * S);
    assert_int_equal(p.vehicle_us, 250000);
    d.limit_us = MF_NEVER; /* nothing is due, and nobody says how far */
    assert_true(mf_pace_due(&p, &d, 105 * S) == MF_NEVER);
    assert_false(mf_pace_advance(&p, 110 * S));
    assert_int_equal(p.vehicle_us, 250000);
}

static void test_lockstep_knows_no_wall_whether_it_moves_or_not(void **state)
{
    (void)state;
    for (int moving = 0; moving <= 1; moving++) {
        struct mf_pace p = started(MF_PACE_LOCKSTEP, 1.0, 20000);
        struct mf_pace_demand d = wants(300000, 100000);
        d.moving = moving;
        d.limit_us = 220000;
        assert_int_equal(mf_pace_due(&p, &d, 150 * S), 150 * S); /* at once, whatever the wall */
        assert_false(mf_pace_advance(&p, 150 * S));
        assert_int_equal(p.vehicle_us, 100000);
        assert_int_equal(mf_pace_now(&p, 150 * S).transport_us, 50 * S);
        d.periodic_us = 240000;
        assert_int_equal(mf_pace_due(&p, &d, 151 * S), 151 * S);
        assert_false(mf_pace_advance(&p, 151 * S));
        assert_int_equal(p.vehicle_us, 220000); /* exactly where it was granted */
        assert_true(mf_pace_due(&p, &d, 152 * S) == MF_NEVER);
        assert_false(mf_pace_advance(&p, 200 * S));
        assert_int_equal(p.vehicle_us, 220000);
    }
}

static void test_granted_transport_time_is_vehicle_time_over_boots(void **state)
{
    (void)state;
    struct mf_pace p = started(MF_PACE_LOCKSTEP, 1.0, 0);
    struct mf_pace_demand d = wants(MF_NEVER, MF_NEVER);
    const mf_us_t start_us = p.start_us;
    p.granted = true;
    d.limit_us = 250000;
    (void)mf_pace_due(&p, &d, 150 * S);
    (void)mf_pace_advance(&p, 150 * S);
    assert_int_equal(mf_pace_now(&p, 900 * S).transport_us, 250000);
    assert_int_equal(mf_pace_transport(&p, 900 * S), start_us + 250000);
    mf_pace_start(&p, mf_pace_transport(&p, 901 * S));
    assert_int_equal(mf_pace_now(&p, 902 * S).transport_us, 0);
    assert_int_equal(mf_pace_transport(&p, 902 * S), start_us + 250000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_real_follows_the_wall),
        cmocka_unit_test(test_time_between_passes_is_shown_and_not_moved),
        cmocka_unit_test(test_scaled_is_so_much_faster_or_slower),
        cmocka_unit_test(test_sim042_scaled_skips_nothing_and_makes_good_20_ms),
        cmocka_unit_test(test_only_real_time_skips),
        cmocka_unit_test(test_scaled_waits_for_a_client_that_does_not_read),
        cmocka_unit_test(test_time_that_is_held_is_not_lost),
        cmocka_unit_test(test_fast_goes_from_due_to_due_while_it_moves_only),
        cmocka_unit_test(test_fast_waits_for_a_client_that_does_not_read),
        cmocka_unit_test(test_sim038_event_jumps_and_leaves_a_gap),
        cmocka_unit_test(test_event_does_not_jump_over_what_a_client_is_in_the_middle_of),
        cmocka_unit_test(test_event_stops_at_every_sample_if_asked),
        cmocka_unit_test(test_limit_holds_every_clock),
        cmocka_unit_test(test_the_end_of_a_run_is_a_due_time),
        cmocka_unit_test(test_lockstep_runs_as_far_as_it_may),
        cmocka_unit_test(test_lockstep_knows_no_wall_whether_it_moves_or_not),
        cmocka_unit_test(test_granted_transport_time_is_vehicle_time_over_boots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
