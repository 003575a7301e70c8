/* SPDX-License-Identifier: Apache-2.0 */
/* What SYS_STATUS says of the parts, and what keeps the vehicle from being armed. */
#include "tests/unit/firmware/flight_fixture.h"

#define GPS    0x20u
#define XY     0x4000u
#define BATT   0x2000000u
#define PREARM 0x10000000u

static const struct mf_options k_default;
static const struct mf_options k_strict = {.px4_strict = true};

static struct mf_health health(void)
{
    return mf_health_at(&fx.v, fx.mock.now.vehicle_us);
}

static const char *denial(void)
{
    return mf_health_denial(&fx.v, fx.mock.now.vehicle_us);
}

static unsigned have(void)
{
    return mf_health_have(&fx.v, fx.mock.now.vehicle_us);
}

static void test_sim019_sim044_healthy_vehicle(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    const struct mf_health h = health();
    assert_int_equal(h.present, 0x1200C02F);
    assert_int_equal(h.enabled, 0x1200C02F);
    assert_int_equal(h.healthy, 0x1330C83F); /* and what is absent but well, as in PX4 */
    assert_int_equal(h.enabled & h.healthy, h.enabled);
    assert_string_equal(denial(), "");
}

static void test_sim044_px4_says_armable_in_health_only(void **state)
{
    (void)state;
    (void)fx_boot(k_strict);
    const struct mf_health h = health();
    assert_int_equal(h.present, 0x0200C02F);
    assert_int_equal(h.enabled, 0x0200C02F);
    assert_int_equal(h.healthy, 0x1330C83F);
}

static void test_sim045_sim047_without_a_fix(void **state)
{
    static const uint8_t k_type[] = {MF_FIX_NONE, MF_FIX_NO_FIX, MF_FIX_2D};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        (void)fx_boot(k_default);
        fx.mock.gnss.fix.type = k_type[i];
        mf_estimate_forget(&fx.v);
        const struct mf_health h = health();
        assert_int_equal(h.present & (GPS | XY), XY);
        assert_int_equal(h.enabled & (GPS | XY), GPS | XY);
        assert_int_equal(h.healthy & (GPS | XY | PREARM), 0);
        assert_names(denial(), "Preflight Fail: GNSS position");
        assert_int_equal(have(), MF_NEED_HOME);
    }
}

static void test_silent_receiver_is_none(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    fx.mock.gnss.result = MF_E_IO;
    mf_estimate_forget(&fx.v);
    assert_int_equal(health().healthy & GPS, 0);
}

static void test_without_a_battery(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    fx.mock.power.result = MF_E_IO;
    assert_int_equal(health().present & BATT, 0);
    assert_int_equal(health().enabled & BATT, 0);
    assert_string_equal(denial(), "");
}

static void test_sim044_denials_by_mode(void **state)
{
    static const bool k_px4[MF_MODE_COUNT] = {[MF_MODE_TAKEOFF] = true, [MF_MODE_HOLD] = true};
    (void)state;
    for (int mode = 0; mode < MF_MODE_COUNT; mode++) {
        (void)fx_boot(k_default);
        fx.v.commander.mode = (uint8_t)mode;
        assert_int_equal(denial()[0] == '\0', mode != MF_MODE_TERMINATION);
        (void)fx_boot(k_strict);
        fx.v.commander.mode = (uint8_t)mode;
        assert_int_equal(denial()[0] == '\0', k_px4[mode]);
        assert_int_equal((health().healthy & PREARM) != 0, k_px4[mode]);
    }
}

static void test_what_it_has_for_modes(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    assert_int_equal(have(), MF_NEED_LOCAL | MF_NEED_GLOBAL | MF_NEED_HOME);
    v->home.valid = false;
    assert_int_equal(have(), MF_NEED_LOCAL | MF_NEED_GLOBAL);
    v->home.valid = true;
    const struct mf_item item = {.command = MAV_CMD_NAV_TAKEOFF,
                                 .frame = 6,
                                 .x = 473977420,
                                 .y = 85455940,
                                 .z = mf_f32_bits(10.0f),
                                 .autocontinue = 1};
    assert_int_equal(mf_store_put(&v->hal, MF_STORE_MISSION, 0, &item), MF_E_OK);
    assert_int_equal(mf_store_commit(&v->hal, MF_STORE_MISSION, 1, 77), MF_E_OK);
    mf_mission_replaced(v, 0, 0);
    assert_int_equal(have() & MF_NEED_MISSION, MF_NEED_MISSION);
}

static void test_first_fix_sets_home_and_origin_once(void **state)
{
    (void)state;
    (void)fx_init(k_default);
    fx.mock.gnss.fix.type = MF_FIX_NO_FIX;
    assert_int_equal(fx_try_init(1, 1, k_default), MF_E_OK);
    fx_connect(0);
    assert_false(fx.v.home.valid || fx.v.origin.valid);
    fx_gps(true);
    assert_true(fx.v.home.valid && fx.v.origin.valid && fx.v.home.alt_amsl_m == 488.0);
    assert_int_equal(fx_count(MF_MSG_HOME_POSITION), 1);
    fx_gps(false);
    mf_mock_place(&fx.mock, 48.0, 9.0, 600.0, true);
    fx_gps(true);
    assert_true(fx.v.origin.place.lat_deg == HERE_LAT && fx.v.origin.amsl_m == 488.0);
}

static void test_fix_comes_when_the_receiver_said_so(void **state)
{
    (void)state;
    (void)fx_init(k_default);
    fx.mock.gnss.fix.type = MF_FIX_NO_FIX;
    fx.mock.gnss.next_us = 3 * S;
    assert_int_equal(fx_try_init(1, 1, k_default), MF_E_OK);
    assert_int_equal(fx_step_at(0).essential_us, 3 * S);
    fx.mock.gnss.fix.type = MF_FIX_3D;
    fx.mock.gnss.next_us = MF_NEVER;
    (void)fx_step_at(9 * S);
    assert_int_equal(fx.v.home.set_us, 3 * S);
}

/* ---- parts that fail ---- */

static void test_each_part_that_fails_is_unhealthy_by_itself(void **state)
{
    const uint32_t gyro = MAV_SYS_STATUS_SENSOR_3D_GYRO;
    const uint32_t rc = MAV_SYS_STATUS_SENSOR_RC_RECEIVER;
    const uint32_t motors = MAV_SYS_STATUS_SENSOR_MOTOR_OUTPUTS;
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    v->watched.motors_failed = true;
    assert_int_equal(mf_health_at(v, 0).healthy & (motors | gyro), gyro);
    v->watched.motors_failed = false;
    v->inputs.manual.heard.rx_us = 1; /* sticks that are gone */
    fx.mock.sensors_lost = 1u << MF_SENSOR_GYRO;
    const struct mf_health h = mf_health_at(v, 0);
    assert_int_equal(h.healthy & (gyro | rc | motors), motors);
    assert_int_equal(h.present & rc, rc);
}

/* ---- the battery is watched ---- */

static void test_a_battery_that_cannot_be_read_is_asked_every_second(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    fx.mock.power.result = MF_E_IO;
    mf_wake_at(&fx.v, MF_TASK_HEALTH, 2 * S);
    assert_int_equal(fx_step_at(2 * S).essential_us, 3 * S);
}

static void test_a_charge_is_reported_once_and_only_worse_while_armed(void **state)
{
    static const struct {
        float remaining;
        uint8_t state;
        bool said;
    } k_step[] = {
        {0.14f, MAV_BATTERY_CHARGE_STATE_LOW, true},
        {0.13f, MAV_BATTERY_CHARGE_STATE_LOW, false},
        {0.90f, MAV_BATTERY_CHARGE_STATE_LOW, false},
        {0.06f, MAV_BATTERY_CHARGE_STATE_CRITICAL, true},
    };
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 20.0);
    for (size_t i = 0; i < sizeof k_step / sizeof k_step[0]; i++) {
        fx.mock.power.battery.remaining = k_step[i].remaining;
        (void)mf_health_run(v, 1 * S);
        assert_int_equal(v->watched.charge, k_step[i].state);
        assert_int_equal(fx_count(MF_MSG_STATUSTEXT) > 0, k_step[i].said);
        mf_mock_clear(&fx.mock, 0);
    }
    v = fx_boot(k_default);
    fx.mock.power.battery.remaining = 0.14f;
    (void)mf_health_run(v, 0);
    assert_int_equal(v->watched.charge, MAV_BATTERY_CHARGE_STATE_LOW);
    fx.mock.power.battery.remaining = 0.90f; /* charged on the ground */
    (void)mf_health_run(v, 0);
    assert_int_equal(v->watched.charge, MAV_BATTERY_CHARGE_STATE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim019_sim044_healthy_vehicle),
        cmocka_unit_test(test_sim044_px4_says_armable_in_health_only),
        cmocka_unit_test(test_sim045_sim047_without_a_fix),
        cmocka_unit_test(test_silent_receiver_is_none),
        cmocka_unit_test(test_without_a_battery),
        cmocka_unit_test(test_sim044_denials_by_mode),
        cmocka_unit_test(test_what_it_has_for_modes),
        cmocka_unit_test(test_first_fix_sets_home_and_origin_once),
        cmocka_unit_test(test_fix_comes_when_the_receiver_said_so),
        cmocka_unit_test(test_each_part_that_fails_is_unhealthy_by_itself),
        cmocka_unit_test(test_a_battery_that_cannot_be_read_is_asked_every_second),
        cmocka_unit_test(test_a_charge_is_reported_once_and_only_worse_while_armed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
