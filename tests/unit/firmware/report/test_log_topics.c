/* SPDX-License-Identifier: Apache-2.0 */
/* Each field of the topics of the flight log has the value of its source. Offsets are counted by
 * hand from the formats, behind the timestamp, which the logger writes. */
#include "firmware/report/log_topics.h"
#include "tests/unit/firmware/flight_fixture.h"

static const struct mf_options k_default;
static struct mf_log_record g_record;

/* Write a topic of the vehicle, which was stepped at that time. */
static void put_at(enum mf_log_topic topic, mf_us_t t_us)
{
    g_record = (struct mf_log_record){.n = 0};
    mf_log_topic(topic)->put(&fx.v, t_us, &g_record);
}

static void put(enum mf_log_topic topic)
{
    put_at(topic, 1 * S);
}

static float f32(size_t at)
{
    float value;
    memcpy(&value, g_record.bytes + at, sizeof value);
    return value;
}

static double f64(size_t at)
{
    double value;
    memcpy(&value, g_record.bytes + at, sizeof value);
    return value;
}

static uint64_t u64(size_t at)
{
    uint64_t value;
    memcpy(&value, g_record.bytes + at, sizeof value);
    return value;
}

static void expect_f32s(size_t at, const float *want, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const float got = f32(at + 4 * i);
        if (got != want[i] && !(isnan(got) && isnan(want[i]))) {
            fail_msg("float %zu at %zu is %.9g, not %.9g", i, at, (double)got, (double)want[i]);
        }
    }
}

static void expect_bools(size_t at, const char *want)
{
    assert_int_equal(g_record.n, at + strlen(want));
    for (size_t i = 0; want[i] != '\0'; i++) {
        if (g_record.bytes[at + i] != (want[i] == 't')) {
            fail_msg("bool %zu is %d", i, g_record.bytes[at + i]);
        }
    }
}

/* Step a vehicle on the ground that moves nevertheless, so that each value differs from the others.
 */
static void begin(void)
{
    struct mf_pose *pose = &fx.mock.airframe.pose;
    (void)fx_boot(k_default);
    (void)fx_step_at(S / 2);
    pose->alt_amsl_m = GROUND_M + 4.0; /* of the body: the origin stays below */
    fx.mock.gnss.fix.alt_amsl_mm += 4000;
    fx.mock.gnss.fix.alt_ellipsoid_mm += 4000;
    memcpy(pose->vel_ned_mps, (const float[]){1.0f, 2.0f, -3.0f}, sizeof pose->vel_ned_mps);
    memcpy(pose->acc_ned_mps2, (const float[]){0.5f, 0.25f, -0.125f}, sizeof pose->acc_ned_mps2);
    pose->yaw_rad = 0.75f;
    fx.mock.gnss.fix.h_acc_mm = 1250;
    fx.mock.gnss.fix.v_acc_mm = 2500;
    fx.mock.gnss.fix.vel_acc_mmps = 375;
    (void)fx_step_at(1 * S);
}

static void test_local_position(void **state)
{
    (void)state;
    begin();
    put(MF_LOG_TOPIC_vehicle_local_position);
    assert_int_equal(u64(0), 1 * S);
    assert_int_equal(u64(8), 0); /* boot */
    assert_true(f64(16) == HERE_LAT && f64(24) == HERE_LON);
    expect_f32s(32,
                (const float[]){488.0f, 0.0f, 0.0f, -4.0f, 1.0f, 2.0f, -3.0f, -3.0f, 0.5f, 0.25f,
                                -0.125f, 0.75f, 1.25f, 2.5f, 0.375f, 0.375f},
                16);
    expect_bools(96, "ttttttt");
    memset(&fx, 0, sizeof fx);
    mf_mock_init(&fx.mock);
    fx.mock.gnss.fix.type = MF_FIX_NONE; /* there never was a fix */
    assert_int_equal(fx_try_init(1, 1, k_default), MF_E_OK);
    (void)fx_step_at(1 * S);
    put(MF_LOG_TOPIC_vehicle_local_position);
    expect_bools(96, "ftttfft");
}

static void test_global_position(void **state)
{
    (void)state;
    begin();
    put(MF_LOG_TOPIC_vehicle_global_position);
    assert_true(f64(8) == HERE_LAT && f64(16) == HERE_LON);
    assert_true(fabs((double)f32(28) - 539.26) < 1e-3);
    expect_f32s(24, (const float[]){492.0f, f32(28), 1.25f, 2.5f, 488.0f}, 5);
    expect_bools(44, "ttff"); /* no terrain */
}

static void test_receiver(void **state)
{
    (void)state;
    begin();
    fx.mock.gnss.fix.vel_cmps = 224;
    fx.mock.gnss.fix.cog_cdeg = 9000;
    (void)fx_step_at(2 * S);
    for (int i = 0; i < 2; i++) {
        put_at(i == 0 ? MF_LOG_TOPIC_sensor_gps : MF_LOG_TOPIC_vehicle_gps_position, 2 * S);
        assert_true(f64(16) == HERE_LAT && f64(24) == HERE_LON);
        assert_true(f64(32) == 492.0 && f64(40) == 539.26);
        assert_int_equal((uint32_t)u64(48), 0);
        expect_f32s(52,
                    (const float[]){0.375f, 1.25f, 2.5f, 0.7f, 1.1f, 2.24f, 1.0f, 2.0f, -3.0f,
                                    1.57079633f, NAN},
                    11);
        assert_int_equal(g_record.bytes[96], 3);
        assert_int_equal(g_record.bytes[97], 10);
        expect_bools(98, "t");
    }
}

static void test_attitude_and_rates(void **state)
{
    (void)state;
    begin();
    fx.mock.airframe.pose.yaw_rad = 1.57079633f; /* a quarter turn: half an angle of 45 degrees */
    fx.mock.airframe.pose.yawspeed_rps = 0.25f;
    (void)fx_step_at(2 * S);
    put_at(MF_LOG_TOPIC_vehicle_attitude, 2 * S);
    assert_true(fabs((double)f32(8) - 0.70710678) < 1e-6 && f32(12) == 0.0f && f32(16) == 0.0f);
    assert_true(fabs((double)f32(20) - 0.70710678) < 1e-6);
    put_at(MF_LOG_TOPIC_vehicle_angular_velocity, 2 * S);
    assert_int_equal(u64(0), 2 * S);
    expect_f32s(8, (const float[]){0.0f, 0.0f, 0.25f}, 3); /* level: about the vertical axis */
    assert_int_equal(g_record.n, 20);
}

static void test_battery(void **state)
{
    (void)state;
    begin();
    fx.mock.power.battery = (struct mf_battery){.voltage_v = 15.5f,
                                                .current_a = 12.5f,
                                                .consumed_mah = 340.0f,
                                                .remaining = 0.5f,
                                                .cells = 4};
    put(MF_LOG_TOPIC_battery_status);
    expect_f32s(0, (const float[]){15.5f, 12.5f, 12.5f, 340.0f, 0.5f, NAN}, 6);
    assert_memory_equal(g_record.bytes + 24, ((const uint8_t[]){4, 0, 1, 1}), 4);
    fx.mock.power.battery.current_a = 0.0f; /* measured, unlike what is below 0 */
    fx.mock.power.battery.consumed_mah = -5.0f;
    put(MF_LOG_TOPIC_battery_status);
    expect_f32s(0, (const float[]){15.5f, 0.0f, 0.0f, -1.0f, 0.5f, NAN}, 6);
    fx.mock.power.result = MF_E_IO; /* it does not answer */
    put(MF_LOG_TOPIC_battery_status);
    expect_f32s(0, (const float[]){0.0f, -1.0f, -1.0f, -1.0f, -1.0f, NAN}, 6);
    assert_int_equal(g_record.bytes[27], 0);
}

/* Armed on the ground, in the air, and disarmed in the air. */
static void test_status_and_contact(void **state)
{
    (void)state;
    begin();
    put(MF_LOG_TOPIC_vehicle_land_detected);
    expect_bools(0, "fttt");
    fx.v.commander.landed = MF_LANDED_IN_AIR;
    put(MF_LOG_TOPIC_vehicle_land_detected);
    expect_bools(0, "tfff");
    fx.v.commander.armed = true;
    fx.v.commander.failsafe = true;
    fx.v.commander.armed_us = 300;
    fx.v.commander.took_off_us = 400;
    put(MF_LOG_TOPIC_vehicle_land_detected);
    expect_bools(0, "ffff");
    put(MF_LOG_TOPIC_vehicle_status);
    assert_true(u64(0) == 300 && u64(8) == 400);
    assert_int_equal(g_record.bytes[16], 2);
    assert_int_equal(g_record.bytes[17], g_record.bytes[18]);
    assert_memory_equal(g_record.bytes + 19, ((const uint8_t[]){1, 2, 1, 1}), 4);
    expect_bools(23, "tt");
}

/* Topics mark the values of sources that do not answer: 0 for times, NaN for numbers. */
static void test_sources_without_values(void **state)
{
    (void)state;
    begin();
    fx.mock.sensors = mf_sensor_values_none();
    put(MF_LOG_TOPIC_vehicle_magnetometer);
    assert_int_equal(u64(0), 0);
    expect_f32s(8, (const float[]){NAN, NAN, NAN}, 3);
    put(MF_LOG_TOPIC_vehicle_attitude_setpoint);
    expect_f32s(16, (const float[]){0.0f, 0.0f, -0.0f}, 3);
    put(MF_LOG_TOPIC_manual_control_setpoint);
    assert_int_equal(u64(0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_local_position),
        cmocka_unit_test(test_global_position),
        cmocka_unit_test(test_receiver),
        cmocka_unit_test(test_attitude_and_rates),
        cmocka_unit_test(test_battery),
        cmocka_unit_test(test_status_and_contact),
        cmocka_unit_test(test_sources_without_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
