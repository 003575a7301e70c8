/* SPDX-License-Identifier: Apache-2.0 */
/* docs/porting.md, step by step: what works with which devices, and what clients see of
 * the rest. */
#include "mavlink/enums.h"
#include "tests/unit/support/firmware.h"
#include "tests/unit/support/mock.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct mf_mock s_mock;
static struct mf_link s_link;
static struct mf_vehicle s_vehicle;

/* A device of the mock takes the place of the absent one. */
#define FIT(hal, device)                                  \
    do {                                                  \
        const struct mf_hal mock_ = mf_mock_hal(&s_mock); \
        (hal).device = mock_.device;                      \
        (hal).device##_ctx = mock_.device##_ctx;          \
    } while (0)

static void boot(const struct mf_hal *hal)
{
    static int32_t interval_us[MF_STREAM_COUNT];
    const struct mf_serial serial = mf_mock_serial(&s_mock, 0);
    const struct mf_setup setup = {
        .hal = *hal, .links = &s_link, .link_count = 1, .sysid = 1, .compid = 1};
    s_mock.now = (struct mf_now){0, 0};
    mf_mock_clear(&s_mock, 0);
    memset(&s_link, 0, sizeof s_link);
    assert_int_equal(mf_vehicle_init(&s_vehicle, &setup), MF_E_OK);
    mf_stream_profile(MF_PROFILE_min, interval_us);
    assert_int_equal(mf_link_open(&s_vehicle, &serial, "mock", interval_us), 0);
    (void)mf_vehicle_step(&s_vehicle);
}

static void run_seconds(int seconds)
{
    for (int i = 0; i < 10 * seconds; i++) {
        mf_mock_advance(&s_mock, 100 * MF_MS_US);
        (void)mf_vehicle_step(&s_vehicle);
    }
}

static uint8_t order(uint16_t command, float param1, float param7)
{
    const struct mf_msg_command_long m = {.command = command,
                                          .target_system = 1,
                                          .target_component = 1,
                                          .param1 = param1,
                                          .param7 = param7};
    struct mf_msg_command_ack ack;
    mf_mock_feed_msg(&s_mock, 0, MF_MSG_COMMAND_LONG, &m);
    (void)mf_vehicle_step(&s_vehicle);
    assert_true(mf_mock_take(&s_mock, 0, MF_MSG_COMMAND_ACK, &ack));
    assert_int_equal(ack.command, command);
    return ack.result;
}

static uint8_t arm(void)
{
    return order(MAV_CMD_COMPONENT_ARM_DISARM, 1.0f, 0.0f);
}

/* Is there a STATUSTEXT that was not taken yet and begins with this? */
static bool said(const char *text)
{
    struct mf_msg_statustext m;
    while (mf_mock_take(&s_mock, 0, MF_MSG_STATUSTEXT, &m)) {
        if (strncmp(m.text, text, strlen(text)) == 0) {
            return true;
        }
    }
    return false;
}

static struct mf_hal clock_only(void)
{
    struct mf_hal hal = mf_hal_null();
    mf_mock_init(&s_mock);
    FIT(hal, clock);
    return hal;
}

static void test_clock_and_serial_talk(void **state)
{
    (void)state;
    const struct mf_hal hal = clock_only();
    boot(&hal);
    run_seconds(5);
    assert_int_equal(mf_mock_count(&s_mock, 0, MF_MSG_HEARTBEAT), 6);
    assert_int_equal(mf_mock_count(&s_mock, 0, MF_MSG_GLOBAL_POSITION_INT), 0);
    assert_int_equal(mf_mock_count(&s_mock, 0, MF_MSG_BATTERY_STATUS), 0);
}

static void test_clock_and_serial_have_parameters(void **state)
{
    (void)state;
    const struct mf_hal hal = clock_only();
    const struct mf_msg_param_request_list list = {.target_system = 1, .target_component = 1};
    boot(&hal);
    mf_mock_feed_msg(&s_mock, 0, MF_MSG_PARAM_REQUEST_LIST, &list);
    run_seconds(10);
    struct mf_msg_param_value value;
    assert_true(mf_mock_take(&s_mock, 0, MF_MSG_PARAM_VALUE, &value));
    assert_true(value.param_count > 100);
    assert_true(mf_mock_count(&s_mock, 0, MF_MSG_PARAM_VALUE) + 1 >= value.param_count);
}

static void test_without_a_receiver_nothing_arms(void **state)
{
    (void)state;
    const struct mf_hal hal = clock_only();
    boot(&hal);
    assert_int_equal(arm(), MAV_RESULT_TEMPORARILY_REJECTED);
    assert_true(mf_mock_named(&s_mock, 0, "Preflight Fail: GNSS position"));
}

static struct mf_hal with_airframe_and_gnss(void)
{
    struct mf_hal hal = clock_only();
    FIT(hal, airframe);
    FIT(hal, gnss);
    return hal;
}

static void test_a_receiver_alone_is_not_enough(void **state)
{
    (void)state;
    struct mf_hal hal = clock_only();
    FIT(hal, gnss);
    boot(&hal);
    run_seconds(2);
    struct mf_msg_gps_raw_int raw;
    assert_true(mf_mock_take(&s_mock, 0, MF_MSG_GPS_RAW_INT, &raw));
    assert_int_equal(raw.fix_type, MF_FIX_3D);
    assert_int_equal(arm(), MAV_RESULT_TEMPORARILY_REJECTED);
    assert_true(mf_mock_named(&s_mock, 0, "Preflight Fail: GNSS position"));
}

static void test_airframe_and_receiver_fly(void **state)
{
    (void)state;
    const struct mf_hal hal = with_airframe_and_gnss();
    boot(&hal);
    run_seconds(2);
    struct mf_msg_global_position_int at;
    assert_true(mf_mock_take(&s_mock, 0, MF_MSG_GLOBAL_POSITION_INT, &at));
    assert_int_equal(at.lat, 473977420);
    assert_int_equal(at.alt, 488000);
    assert_true(mf_mock_count(&s_mock, 0, MF_MSG_HOME_POSITION) > 0);
    assert_int_equal(arm(), MAV_RESULT_ACCEPTED);
    assert_true(s_mock.airframe.armed);
    assert_int_equal(order(MAV_CMD_NAV_TAKEOFF, 0.0f, 498.0f), MAV_RESULT_ACCEPTED);
    run_seconds(1);
    assert_int_equal(s_mock.airframe.plan_count, 1);
    assert_float_equal(s_mock.airframe.plan[0].leg[0].alt_amsl_m, 498.0, 1e-6);
}

static void test_a_battery_is_shown(void **state)
{
    (void)state;
    struct mf_hal hal = with_airframe_and_gnss();
    FIT(hal, power);
    boot(&hal);
    run_seconds(2);
    struct mf_msg_battery_status battery;
    assert_true(mf_mock_take(&s_mock, 0, MF_MSG_BATTERY_STATUS, &battery));
    assert_int_equal(battery.battery_remaining, 100);
    s_mock.power.battery.remaining = 0.06f; /* below BAT_CRIT_THR, 7 % */
    run_seconds(2);
    assert_int_equal(arm(), MAV_RESULT_TEMPORARILY_REJECTED);
    assert_true(said("Critical battery"));
}

static void test_a_lost_sensor_denies_arming(void **state)
{
    (void)state;
    struct mf_hal hal = with_airframe_and_gnss();
    FIT(hal, sensors);
    boot(&hal);
    s_mock.sensors_lost = 1u << MF_SENSOR_GYRO;
    run_seconds(1);
    assert_int_equal(arm(), MAV_RESULT_TEMPORARILY_REJECTED);
    assert_true(said("Preflight Fail: Gyro Sensor 0 missing"));
    s_mock.sensors_lost = 0;
    run_seconds(1);
    assert_int_equal(arm(), MAV_RESULT_ACCEPTED);
}

static void set_takeoff_alt(float alt_m)
{
    const struct mf_msg_param_set m = {.param_value = mf_f32_bits(alt_m),
                                       .target_system = 1,
                                       .target_component = 1,
                                       .param_id = "MIS_TAKEOFF_ALT",
                                       .param_type = MAV_PARAM_TYPE_REAL32};
    mf_mock_feed_msg(&s_mock, 0, MF_MSG_PARAM_SET, &m);
    run_seconds(1);
}

static void test_parameters_survive_with_a_store_only(void **state)
{
    (void)state;
    struct mf_hal hal = clock_only();
    boot(&hal);
    set_takeoff_alt(12.5f);
    assert_float_equal(mf_param_f(&s_vehicle.params, MF_PARAM_MIS_TAKEOFF_ALT), 12.5, 0.0);
    boot(&hal);
    assert_float_equal(mf_param_f(&s_vehicle.params, MF_PARAM_MIS_TAKEOFF_ALT), 2.5, 0.0);
    FIT(hal, store);
    boot(&hal);
    set_takeoff_alt(12.5f);
    boot(&hal);
    assert_float_equal(mf_param_f(&s_vehicle.params, MF_PARAM_MIS_TAKEOFF_ALT), 12.5, 0.0);
}

static void test_missions_need_a_store(void **state)
{
    (void)state;
    struct mf_hal hal = clock_only();
    const struct mf_msg_mission_count m = {.count = 2, .target_system = 1, .target_component = 1};
    struct mf_msg_mission_ack ack;
    boot(&hal);
    mf_mock_feed_msg(&s_mock, 0, MF_MSG_MISSION_COUNT, &m);
    (void)mf_vehicle_step(&s_vehicle);
    assert_true(mf_mock_take(&s_mock, 0, MF_MSG_MISSION_ACK, &ack));
    assert_int_equal(ack.type, MAV_MISSION_NO_SPACE);
    FIT(hal, store);
    boot(&hal);
    mf_mock_feed_msg(&s_mock, 0, MF_MSG_MISSION_COUNT, &m);
    (void)mf_vehicle_step(&s_vehicle);
    assert_int_equal(mf_mock_count(&s_mock, 0, MF_MSG_MISSION_REQUEST_INT), 1);
}

static void test_a_log_hears_what_happens(void **state)
{
    (void)state;
    struct mf_hal hal = with_airframe_and_gnss();
    FIT(hal, log);
    boot(&hal);
    assert_int_equal(arm(), MAV_RESULT_ACCEPTED);
    assert_true(mf_mock_logged(&s_mock, "text", "Armed"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clock_and_serial_talk),
        cmocka_unit_test(test_clock_and_serial_have_parameters),
        cmocka_unit_test(test_without_a_receiver_nothing_arms),
        cmocka_unit_test(test_a_receiver_alone_is_not_enough),
        cmocka_unit_test(test_airframe_and_receiver_fly),
        cmocka_unit_test(test_a_battery_is_shown),
        cmocka_unit_test(test_a_lost_sensor_denies_arming),
        cmocka_unit_test(test_parameters_survive_with_a_store_only),
        cmocka_unit_test(test_missions_need_a_store),
        cmocka_unit_test(test_a_log_hears_what_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
