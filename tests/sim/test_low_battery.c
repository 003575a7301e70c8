/* SPDX-License-Identifier: Apache-2.0 */
/* A battery that runs low in flight: each level at its instant, and what the vehicle does then. */
#include "mavlink/enums.h"
#include "tests/sim/rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define S 1000000

static bool landed_and_disarmed(const struct rig *r)
{
    return r->drone.vehicle.commander.armed;
}

static bool not_critical(const struct rig *r)
{
    return !r->drone.vehicle.commander.failsafe;
}

/* Armed at 1 s and up at once, the battery gives 1 A never and 15 A from then on: of 2000 mAh, 26 %
 * above the critical level (33 % at the start) are 520 mAh, used up after 124.8 s. */
static void test_sim046_sim038_critical_at_its_instant(void **state)
{
    static const float k_arm[7] = {1.0f, 0, 0, 0, 0, 0, 0};
    struct mf_world_settings s = mf_world_settings_default();
    float up[7];
    bool low = false;
    (void)state;
    s.home_lat_deg = RIG_LAT_DEG;
    s.home_lon_deg = RIG_LON_DEG;
    s.home_alt_amsl_m = RIG_ALT_M;
    s.battery_capacity_mah = 2000.0;
    s.battery_remaining_percent = 33.0;
    struct rig *r = rig_new_in(NULL, &s);
    rig_run_until(r, 1 * S);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
    for (int i = 0; i < 7; i++) {
        up[i] = NAN;
    }
    up[6] = (float)RIG_ALT_M + 20.0f;
    assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, up), MAV_RESULT_ACCEPTED);
    for (mf_us_t at_us = 10 * S; at_us <= 120 * S;
         at_us += 10 * S) { /* the mock holds few frames */
        mf_mock_clear(&r->mock, 0);
        rig_run_until(r, at_us);
        low = low || rig_said(r, "Low battery");
    }
    mf_mock_clear(&r->mock, 0);
    const mf_us_t t_us = rig_run_while(r, not_critical, 200.0);
    assert_in_range(t_us, 125800000 - 100, 125800000 + 100); /* remaining is a float */
    assert_true(low);
    assert_true(rig_said(r, "Critical battery"));
    assert_true(rig_said(r, "entering Hold for 5 seconds"));
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_HOLD);
    mf_mock_clear(&r->mock, 0);
    rig_run_until(r, t_us + 5 * S);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_LAND); /* a return from above home */
    (void)rig_run_while(r, landed_and_disarmed, 200.0);
    assert_true(rig_pose(r).on_ground);
    assert_false(r->drone.vehicle.commander.failsafe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim046_sim038_critical_at_its_instant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
