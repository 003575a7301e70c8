/* SPDX-License-Identifier: Apache-2.0 */
/* hal/null.c: every device is absent, and says so in the words of its contract. */
#include "hal/hal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define T_US INT64_C(5000000)

static struct mf_hal s_hal;

static int begin(void **state)
{
    (void)state;
    s_hal = mf_hal_null();
    return 0;
}

static void test_time_stands_still(void **state)
{
    (void)state;
    assert_int_equal(mf_clock_read(&s_hal).vehicle_us, 0);
    assert_int_equal(mf_clock_read(&s_hal).transport_us, 0);
}

/* Nothing flies: a vehicle with it can neither arm nor be anywhere, and never arrives. */
static void test_there_is_no_body(void **state)
{
    struct mf_pose pose;
    mf_us_t at_us = 0;
    (void)state;
    assert_int_equal(mf_airframe_arm(&s_hal, T_US, true), MF_E_IO);
    assert_int_equal(mf_airframe_plan(&s_hal, T_US, NULL, 0), MF_E_IO);
    assert_int_equal(mf_airframe_sample(&s_hal, T_US, &pose), MF_E_IO);
    assert_int_equal(mf_airframe_next(&s_hal, T_US, MF_WHEN_ARRIVED, 0.0, &at_us), MF_E_OK);
    assert_int_equal(at_us, MF_NEVER);
}

static void test_receiver_and_battery_are_silent(void **state)
{
    struct mf_fix fix;
    struct mf_battery battery;
    mf_us_t at_us = 0;
    (void)state;
    assert_int_equal(mf_gnss_read(&s_hal, T_US, &fix), MF_E_IO);
    assert_int_equal(mf_gnss_next(&s_hal, T_US, &at_us), MF_E_OK);
    assert_int_equal(at_us, MF_NEVER);
    at_us = 0;
    assert_int_equal(mf_power_read(&s_hal, T_US, &battery), MF_E_IO);
    assert_int_equal(mf_power_next(&s_hal, T_US, 0.5f, &at_us), MF_E_OK);
    assert_int_equal(at_us, MF_NEVER);
}

/* None has failed, none measures, and none can be calibrated. */
static void test_sensors_are_missing_but_not_lost(void **state)
{
    struct mf_sensor_values values;
    struct mf_calibration_state calibration;
    (void)state;
    assert_int_equal(mf_sensors_lost(&s_hal, T_US), 0);
    assert_int_equal(mf_sensors_sample(&s_hal, T_US, &values), MF_E_OK);
    assert_int_equal(values.imu_us, -1);
    assert_int_equal(values.mag_us, -1);
    assert_int_equal(values.baro_us, -1);
    assert_int_equal(values.airspeed_us, -1);
    assert_int_equal(mf_sensors_calibrate(&s_hal, T_US, MF_CALIBRATES_GYRO), MF_E_NOSUPP);
    assert_int_equal(mf_sensors_calibration(&s_hal, T_US, &calibration), MF_E_OK);
    assert_true(calibration.failed);
    assert_int_equal(calibration.next_us, MF_NEVER);
}

/* An empty plan is kept, since there is nothing to keep. */
static void test_the_store_is_empty_and_takes_nothing(void **state)
{
    struct mf_store_info info = {.tag = 5, .count = 7, .capacity = 9};
    uint8_t record[64] = {0};
    (void)state;
    assert_int_equal(mf_store_info(&s_hal, MF_STORE_MISSION, &info), MF_E_OK);
    assert_int_equal(info.tag, 0);
    assert_int_equal(info.count, 0);
    assert_int_equal(info.capacity, 0);
    assert_int_equal(mf_store_get(&s_hal, MF_STORE_MISSION, 0, record), MF_E_RANGE);
    assert_int_equal(mf_store_put(&s_hal, MF_STORE_MISSION, 0, record), MF_E_FULL);
    assert_int_equal(mf_store_commit(&s_hal, MF_STORE_MISSION, 1, 9), MF_E_FULL);
    assert_int_equal(mf_store_commit(&s_hal, MF_STORE_MISSION, 0, 9), MF_E_OK);
}

static void test_no_fault_can_be_caused_or_planned(void **state)
{
    struct mf_fault_values with;
    struct mf_fault_planned planned;
    const struct mf_fault_plan plan = {0};
    (void)state;
    assert_int_equal(mf_inject_set(&s_hal, T_US, (enum mf_fault)0, true, NULL), MF_E_NOSUPP);
    assert_int_equal(mf_inject_plan(&s_hal, T_US, &plan), MF_E_NOSUPP);
    assert_int_equal(mf_inject_unit(&s_hal, T_US, 0, 1), MF_E_NOSUPP);
    mf_inject_unplan(&s_hal, T_US, (enum mf_fault)0);
    assert_false(mf_inject_active(&s_hal, T_US, (enum mf_fault)0, &with));
    assert_false(mf_inject_happened(&s_hal, T_US, (enum mf_happening)0, 0));
    assert_false(mf_inject_planned(&s_hal, T_US, 0, &planned));
    assert_int_equal(mf_inject_next(&s_hal, T_US), MF_NEVER);
}

/* The journal of flights: none is there, none can begin, and those of no flight can be erased. */
static void test_nothing_is_archived(void **state)
{
    struct mf_archive_info info;
    struct mf_archive_room room;
    uint8_t bytes[4] = {0};
    (void)state;
    mf_log_event(&s_hal, T_US, (enum mf_severity)0, "topic", "text");
    assert_int_equal(mf_archive_begin(&s_hal, 0), MF_E_NOSUPP);
    mf_archive_append(&s_hal, bytes, sizeof bytes);
    mf_archive_end(&s_hal);
    assert_int_equal(mf_archive_count(&s_hal), 0);
    assert_int_equal(mf_archive_info(&s_hal, 0, &info), MF_E_NOENT);
    assert_int_equal(mf_archive_read(&s_hal, 0, 0, bytes, sizeof bytes), MF_E_NOENT);
    assert_int_equal(mf_archive_room(&s_hal, &room), MF_E_NOSUPP);
    assert_int_equal(mf_archive_erase(&s_hal), MF_E_OK);
}

static void test_nothing_is_known_of_the_earth(void **state)
{
    double m = 3.0;
    (void)state;
    assert_int_equal(mf_earth_undulation(&s_hal, 47.0, 8.0, &m), MF_E_NOSUPP);
    assert_int_equal(mf_earth_ground(&s_hal, 47.0, 8.0, &m), MF_E_NOSUPP);
    assert_true(m == 3.0);
    const struct mf_earth_about about = mf_earth_about(&s_hal);
    assert_int_equal(about.model, MF_EARTH_NONE);
    assert_int_equal(about.fingerprint, 0);
    assert_int_equal(about.ground_spacing_m, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_time_stands_still, begin),
        cmocka_unit_test_setup(test_there_is_no_body, begin),
        cmocka_unit_test_setup(test_receiver_and_battery_are_silent, begin),
        cmocka_unit_test_setup(test_sensors_are_missing_but_not_lost, begin),
        cmocka_unit_test_setup(test_the_store_is_empty_and_takes_nothing, begin),
        cmocka_unit_test_setup(test_no_fault_can_be_caused_or_planned, begin),
        cmocka_unit_test_setup(test_nothing_is_archived, begin),
        cmocka_unit_test_setup(test_nothing_is_known_of_the_earth, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
