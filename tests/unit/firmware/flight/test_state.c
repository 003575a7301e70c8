/* SPDX-License-Identifier: Apache-2.0 */
/* Armed and landed: timers that disarm, and the time in the air. */
#include "tests/unit/firmware/flight_fixture.h"

static const struct mf_options k_default;

static void land_at(mf_us_t t_us)
{
    assert_int_equal(fx_command(MAV_CMD_NAV_LAND, NO_PARAMS), MAV_RESULT_ACCEPTED);
    fx_reach(t_us);
    assert_int_equal(fx.v.commander.landed, MF_LANDED_ON_GROUND);
}

/* In the air from 0 s to 9 s; COM_DISARM_LAND half a second. */
static void test_disarmed_soon_after_a_flight(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 20.0);
    fx_set_f("COM_DISARM_LAND", 0.5f);
    assert_true(v->commander.disarm_us == MF_NEVER);
    land_at(9 * S);
    assert_true(v->commander.landed_us == 9 * S);
    assert_true(v->commander.took_off_us == 0);
    assert_true(v->commander.disarm_us == 9500000);
    (void)fx_step_at(9499999);
    assert_true(v->commander.armed);
    (void)fx_step_at(9500000);
    assert_false(v->commander.armed);
    assert_true(fx_said("Disarmed by landing"));
}

static void test_zero_disarms_never(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 20.0);
    fx_set_f("COM_DISARM_LAND", 0.0f);
    land_at(9 * S);
    assert_true(v->commander.disarm_us == MF_NEVER);
    (void)fx_step_at(600 * (mf_us_t)S);
    assert_true(v->commander.armed);
}

/* ---- the module alone, without a vehicle ---- */

static void test_boots_disarmed_in_hold(void **state)
{
    struct mf_commander c = {.armed = true, .failsafe = true, .posted = 3};
    (void)state;
    mf_state_init(&c, MF_LANDED_IN_AIR);
    assert_true(!c.armed && !c.failsafe && !c.took_off && c.posted == 0);
    assert_int_equal(c.mode, MF_MODE_HOLD);
    assert_int_equal(c.landed, MF_LANDED_IN_AIR);
    assert_true(c.disarm_us == MF_NEVER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_disarmed_soon_after_a_flight),
        cmocka_unit_test(test_zero_disarms_never),
        cmocka_unit_test(test_boots_disarmed_in_hold),
    };
    return cmocka_run_group_tests_name("state", tests, NULL, NULL);
}
