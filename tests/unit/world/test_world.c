/* SPDX-License-Identifier: Apache-2.0 */
/* world/world.h: the settings reach the devices. */
#include "world/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct mf_world g_world;
static uint8_t g_parts[MF_WORLD_PARTS_BYTES];
static struct mf_memory g_memory;

/* A world of these settings, and what a vehicle gets of it. */
static struct mf_hal made(const struct mf_world_settings *settings)
{
    struct mf_hal hal = mf_hal_null();
    struct mf_world_settings with_memory = *settings;
    memset(&g_world, 0, sizeof g_world);
    memset(g_parts, 0xA5, sizeof g_parts);
    g_memory = (struct mf_memory){.bytes = g_parts, .size = sizeof g_parts};
    with_memory.memory = &g_memory;
    assert_int_equal(mf_world_init(&g_world, &with_memory), MF_E_OK);
    mf_world_connect(&g_world, &hal);
    return hal;
}

static void test_sim020_sim019_settings_reach_the_devices(void **state)
{
    (void)state;
    struct mf_world_settings s = mf_world_settings_default();
    s.home_lat_deg = -10.5;
    s.home_lon_deg = 20.25;
    s.home_alt_amsl_m = 100.0;
    s.home_yaw_deg = 90.0;
    static struct mf_geoid geoid;
    assert_int_equal(mf_geoid_add_constant(&geoid, 12.5), MF_E_OK);
    s.geoid = &geoid;
    s.gnss_warmup_s = 2.0;
    s.gnss_satellites = 17;
    s.battery_voltage_v = 12.0;
    s.battery_current_a = 3.5;
    s.battery_remaining_percent = 25.0;
    s.battery_cells = 3;
    s.epoch_utc_us = 1000;
    s.fault_count = 1;
    s.fault[0] =
        (struct mf_fault_plan){.fault = MF_FAULT_GPS_OFF, .after_us = 5000000, .for_us = 1000000};
    const struct mf_hal hal = made(&s);
    struct mf_pose pose;
    struct mf_fix fix;
    struct mf_battery battery;
    assert_int_equal(mf_airframe_sample(&hal, 0, &pose), MF_E_OK);
    assert_true(pose.lat_deg == -10.5 && pose.lon_deg == 20.25 && pose.alt_amsl_m == 100.0);
    assert_float_equal(pose.yaw_rad, 1.5707963, 1e-6);
    assert_true(pose.on_ground);
    assert_int_equal(mf_gnss_read(&hal, 1999999, &fix), MF_E_OK);
    assert_int_equal(fix.type, MF_FIX_NO_FIX);
    assert_int_equal(mf_gnss_read(&hal, 2000000, &fix), MF_E_OK);
    assert_int_equal(fix.type, MF_FIX_3D);
    assert_int_equal(fix.satellites, 17);
    assert_int_equal(fix.alt_amsl_mm, 100000);
    assert_int_equal(fix.alt_ellipsoid_mm, 112500);
    assert_int_equal(fix.utc_us, 2001000);
    assert_int_equal(mf_gnss_read(&hal, 5000000, &fix), MF_E_OK);
    assert_int_equal(fix.type, MF_FIX_NONE);
    assert_int_equal(mf_power_read(&hal, 0, &battery), MF_E_OK);
    assert_float_equal(battery.voltage_v, 12.0, 0.0);
    assert_float_equal(battery.current_a, 3.5, 0.0);
    assert_float_equal(battery.remaining, 0.25, 0.0);
    assert_int_equal(battery.cells, 3);
}

/* Seconds that a climb by 10 m takes. */
static double climb_s(const struct mf_hal *hal)
{
    const struct mf_leg leg = {.lat_deg = 47.397742,
                               .lon_deg = 8.545594,
                               .alt_amsl_m = 498.0,
                               .speed_h_mps = 5.0f,
                               .speed_up_mps = 2.0f,
                               .speed_down_mps = 2.0f,
                               .yaw_rad = NAN,
                               .yaw_rate_rps = 1.0f};
    mf_us_t at_us;
    assert_int_equal(mf_airframe_arm(hal, 0, true), MF_E_OK);
    assert_int_equal(mf_airframe_plan(hal, 0, &leg, 1), MF_E_OK);
    assert_int_equal(mf_airframe_next(hal, 0, MF_WHEN_ARRIVED, 0.0, &at_us), MF_E_OK);
    return (double)at_us * 1e-6;
}

static void test_sim036_sim037_motion_chooses_the_body(void **state)
{
    (void)state;
    struct mf_world_settings s = mf_world_settings_default();
    struct mf_hal hal = made(&s);
    assert_float_equal(climb_s(&hal), 5.0, 1e-6); /* 10 m at 2 m/s */
    s.motion = MF_WORLD_MOTION_EVENT;
    hal = made(&s);
    assert_float_equal(climb_s(&hal), 5.0, 1e-6);
    s.accel_mps2 = 1.0; /* two seconds up to 2 m/s, two down: two seconds more */
    hal = made(&s);
    assert_float_equal(climb_s(&hal), 7.0, 1e-6);
    s.accel_mps2 = 0.0009; /* none */
    hal = made(&s);
    assert_float_equal(climb_s(&hal), 5.0, 1e-6);
    s.motion = MF_WORLD_MOTION_PHYSICS;
    hal = made(&s);
    assert_true(climb_s(&hal) > 9.0); /* 4 s on the ground, then at most 2 m/s */
}

static void test_sim043_nothing_else_is_the_default(void **state)
{
    (void)state;
    const struct mf_world_settings s = mf_world_settings_default();
    const struct mf_hal hal = made(&s);
    struct mf_fix fix;
    mf_us_t at_us;
    assert_int_equal(mf_gnss_read(&hal, 0, &fix), MF_E_OK);
    assert_true(fix.lat_e7 == 473977420 && fix.lon_e7 == 85455940 && fix.alt_amsl_mm == 488000);
    assert_int_equal(mf_gnss_next(&hal, 0, &at_us), MF_E_OK);
    assert_true(at_us == MF_NEVER);
    assert_int_equal(mf_inject_set(&hal, 0, MF_FAULT_GPS_OFF, true, NULL), MF_E_OK);
    assert_int_equal(mf_gnss_read(&hal, 0, &fix), MF_E_OK);
    assert_int_equal(fix.type, MF_FIX_NONE);
}

/* Each disturbance alone, and what it changes 30 s after a take-off to 10 m. */
static void test_sim043_settings_reach_the_disturbances(void **state)
{
    static const struct {
        size_t offset;
        double value;
        bool tilts, sways, errs, hurries, drains;
    } k_want[] = {
        {offsetof(struct mf_world_settings, wind_mps), 5.0, .tilts = true},
        {offsetof(struct mf_world_settings, gusts_mps), 2.0, .tilts = true, .sways = true},
        {offsetof(struct mf_world_settings, gnss_noise_m), 2.0, .errs = true},
        {offsetof(struct mf_world_settings, gnss_noise_vertical_m), 2.0, .errs = true},
        {offsetof(struct mf_world_settings, gnss_noise_mps), 2.0, .hurries = true},
        {offsetof(struct mf_world_settings, gnss_drift_m), 2.0, .errs = true},
        {offsetof(struct mf_world_settings, gnss_drift_vertical_m), 2.0, .errs = true},
        {offsetof(struct mf_world_settings, battery_capacity_mah), 2000.0, .drains = true},
        {offsetof(struct mf_world_settings, gnss_drift_time_s), 1.0,
         .tilts = false}, /* alone they do nothing */
        {offsetof(struct mf_world_settings, gust_time_s), 1.0, .tilts = false},
        {offsetof(struct mf_world_settings, wind_from_deg), 90.0, .tilts = false},
        {offsetof(struct mf_world_settings, battery_hover_a), 100.0, .tilts = false},
    };
    const mf_us_t t_us = 30000000;
    (void)state;
    for (size_t i = 0; i < sizeof k_want / sizeof k_want[0]; i++) {
        struct mf_world_settings s = mf_world_settings_default();
        memcpy((uint8_t *)&s + k_want[i].offset, &k_want[i].value, sizeof k_want[i].value);
        const struct mf_hal hal = made(&s);
        struct mf_pose pose;
        struct mf_fix fix;
        struct mf_battery battery;
        (void)climb_s(&hal);
        assert_int_equal(mf_airframe_sample(&hal, t_us, &pose), MF_E_OK);
        assert_int_equal(mf_gnss_read(&hal, t_us, &fix), MF_E_OK);
        assert_int_equal(mf_power_read(&hal, t_us, &battery), MF_E_OK);
        assert_true((pose.roll_rad != 0.0f || pose.pitch_rad != 0.0f) == k_want[i].tilts);
        assert_true((pose.lat_deg != 47.397742 && pose.lon_deg != 8.545594) == k_want[i].sways);
        const bool errs = fabs((double)fix.lat_e7 - pose.lat_deg * 1e7) > 1.0 ||
                          fabs((double)fix.alt_amsl_mm - pose.alt_amsl_m * 1e3) > 1.0;
        assert_true(errs == k_want[i].errs);
        assert_true(k_want[i].sways || (fix.vel_cmps != 0) == k_want[i].hurries);
        assert_true((battery.remaining < 1.0f && battery.current_a == 15.0f) == k_want[i].drains);
        const struct mf_pose truth = mf_world_pose(&g_world, t_us);
        assert_true(truth.lat_deg == pose.lat_deg);
    }
}

static void test_settings_out_of_range_are_no_good(void **state)
{
    (void)state;
    const struct mf_world_settings good = mf_world_settings_default();
    struct mf_world_settings s = good;
    assert_true(mf_world_settings_are_good(&s));
    s.home_lat_deg = 90.5;
    assert_false(mf_world_settings_are_good(&s));
    s = good;
    s.accel_mps2 = NAN;
    assert_false(mf_world_settings_are_good(&s));
    s = good;
    s.battery_cells = 0;
    assert_false(mf_world_settings_are_good(&s));
    s = good;
    s.motion = MF_WORLD_MOTION_COUNT;
    assert_false(mf_world_settings_are_good(&s));
    s = good;
    s.fault_count = MF_FAULT_PLANS_MAX + 1u;
    assert_false(mf_world_settings_are_good(&s));
    s = good;
    s.fault_count = 1;
    s.fault[0] = (struct mf_fault_plan){.fault = MF_FAULT_GPS_OFF, .after_us = 5};
    assert_int_equal(mf_world_init(&g_world, &s), MF_E_RANGE);
}

static void test_words_of_motion(void **state)
{
    (void)state;
    assert_int_equal(mf_world_motion("constant"), MF_WORLD_MOTION_CONSTANT);
    assert_int_equal(mf_world_motion("physics"), MF_WORLD_MOTION_PHYSICS);
    assert_int_equal(mf_world_motion("event"), MF_WORLD_MOTION_EVENT);
    assert_int_equal(mf_world_motion("Physics"), MF_E_NOENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim020_sim019_settings_reach_the_devices),
        cmocka_unit_test(test_sim036_sim037_motion_chooses_the_body),
        cmocka_unit_test(test_sim043_nothing_else_is_the_default),
        cmocka_unit_test(test_sim043_settings_reach_the_disturbances),
        cmocka_unit_test(test_settings_out_of_range_are_no_good),
        cmocka_unit_test(test_words_of_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
