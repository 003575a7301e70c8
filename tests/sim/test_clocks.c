/* SPDX-License-Identifier: Apache-2.0 */
/* A flight on each clock of a host that stalls: what it sends. The wall's HEARTBEATs are left out:
 * the wall stands still for the vehicle. */
#include "drone/pace.h"
#include "mavlink/enums.h"
#include "tests/sim/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define S     1000000
#define END_S 30

struct sent {
    uint64_t hash; /* of all bytes, sequence numbers among them */
    size_t frames;
    uint32_t overruns;
    mf_us_t late_us;
};

static void take(struct sent *t, struct mf_mock *mock)
{
    const struct mf_mock_port *port = &mock->port[0];
    for (size_t i = 0; i < port->sent_len; i++) {
        t->hash = (t->hash ^ port->sent[i]) * UINT64_C(0x100000001B3);
    }
    t->frames += port->frame_count;
    mf_mock_clear(mock, 0);
}

/* Up, and on to a place, on a host that sleeps for @p stall_us after every 50th pass. */
static struct sent fly(enum mf_pace_mode mode, double rate, mf_us_t stall_us)
{
    struct rig *r = rig_new(NULL);
    struct mf_pace pace = {.mode = mode, .rate = rate};
    struct sent t = {.hash = UINT64_C(0xCBF29CE484222325)};
    mf_us_t wall_us = 100 * (mf_us_t)S;
    mf_pace_start(&pace, wall_us);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, (const float[7]){1.0f}),
                     MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, rig_nan7()), MAV_RESULT_ACCEPTED);
    for (int pass = 1; pace.vehicle_us < END_S * S; pass++) {
        (void)mf_pace_advance(&pace, wall_us);
        r->mock.now.vehicle_us = pace.vehicle_us;
        const struct mf_wake wake = mf_vehicle_step(&r->drone.vehicle);
        const struct mf_pace_demand demand = {.essential_us = wake.essential_us,
                                              .periodic_us = wake.periodic_us,
                                              .limit_us = END_S * S,
                                              .moving = true};
        const mf_us_t due_us = mf_pace_due(&pace, &demand, wall_us);
        wall_us = due_us > wall_us && due_us != MF_NEVER ? due_us : wall_us;
        wall_us += pass % 50 == 0 ? stall_us : 0;
        take(&t, &r->mock);
    }
    t.overruns = r->drone.vehicle.counters.overruns;
    t.late_us = pace.late_us;
    return t;
}

static void test_sim042_a_stalled_host_sends_the_same_on_every_clock_but_real(void **state)
{
    (void)state;
    static const struct {
        double rate;
        mf_us_t stall_us;
        bool late; /* more than is made good */
    } k_case[] = {
        {20.0, 0, false},  {20.0, 20000, false},  {20.0, 50000, true},   {20.0, S, true},
        {100.0, 0, false}, {100.0, 10000, false}, {100.0, 100000, true}, {0.5, 3 * S, true},
    };
    const struct sent fast = fly(MF_PACE_FAST, 1.0, 50000);
    assert_true(fast.frames > 1000);
    assert_int_equal(fast.overruns, 0);
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const struct sent scaled = fly(MF_PACE_SCALED, k_case[i].rate, k_case[i].stall_us);
        assert_int_equal(scaled.frames, fast.frames);
        assert_true(scaled.hash == fast.hash);
        assert_int_equal(scaled.overruns, 0);
        assert_true((scaled.late_us > 0) == k_case[i].late);
    }
}

/* It goes on with the wall, and counts what it skips. */
static void test_real_time_skips_and_counts(void **state)
{
    (void)state;
    const struct sent fast = fly(MF_PACE_FAST, 1.0, 0);
    const struct sent real = fly(MF_PACE_SCALED, 1.0, 0);
    assert_true(real.hash == fast.hash);
    const struct sent stalled = fly(MF_PACE_SCALED, 1.0, 5 * S);
    assert_true(stalled.frames < fast.frames);
    assert_true(stalled.overruns > 0);
    assert_int_equal(stalled.late_us, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim042_a_stalled_host_sends_the_same_on_every_clock_but_real),
        cmocka_unit_test(test_real_time_skips_and_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
