/* SPDX-License-Identifier: Apache-2.0 */
/* Flight logs, read by a small reader of ULog written for this test from the format's page. */
#include "firmware/report/log_topics.h"
#include "tests/unit/firmware/flight_fixture.h"

#include <stdlib.h>

#define EPOCH_US (INT64_C(1772366400) * S) /* 2026-03-01 12:00:00 */

static const struct mf_options k_default;

/* One message of a log. */
struct record {
    uint8_t type;
    uint16_t n;
    const uint8_t *bytes;
};

/* Of a record that was not found. */
static const uint8_t k_no_bytes[64];

static uint64_t le(const uint8_t *at, size_t n)
{
    uint64_t value = 0;
    for (size_t i = 0; i < n; i++) {
        value |= (uint64_t)at[i] << 8 * i;
    }
    return value;
}

static float f32(const uint8_t *at)
{
    const uint32_t bits = (uint32_t)le(at, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double f64(const uint8_t *at)
{
    const uint64_t bits = le(at, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The message at @p at of the newest log. @return where the next one is; 0 at the end */
static uint32_t next(uint32_t at, struct record *r)
{
    const struct mf_mock_archive *a = &fx.mock.archive;
    assert_true(a->count > 0);
    const uint8_t *log = a->bytes[a->count - 1];
    const uint32_t size = a->info[a->count - 1].size;
    if (at == size) {
        return 0;
    }
    assert_true(at + 3 <= size);
    r->n = (uint16_t)le(log + at, 2);
    r->type = log[at + 2];
    r->bytes = log + at + 3;
    assert_true(at + 3u + r->n <= size);
    return at + 3u + r->n;
}

/* The k-th message of a type whose bytes begin with @p begin. @return false if there is none */
static bool find(uint8_t type, const void *begin, size_t n, size_t k, struct record *r)
{
    for (uint32_t at = 16; (at = next(at, r)) != 0;) {
        if (r->type == type && r->n >= n && memcmp(r->bytes, begin, n) == 0 && k-- == 0) {
            return true;
        }
    }
    return false;
}

static size_t count(uint8_t type, const void *begin, size_t n)
{
    struct record r = {.bytes = k_no_bytes};
    size_t k = 0;
    while (find(type, begin, n, k, &r)) {
        k++;
    }
    return k;
}

static size_t samples(enum mf_log_topic topic)
{
    const uint8_t id[2] = {(uint8_t)topic, 0};
    return count('D', id, 2);
}

static struct record sample(enum mf_log_topic topic, size_t k)
{
    const uint8_t id[2] = {(uint8_t)topic, 0};
    struct record r = {.bytes = k_no_bytes};
    assert_true(find('D', id, 2, k, &r));
    return r;
}

static uint64_t time_of(const struct record *r)
{
    return le(r->bytes + 2, 8);
}

/* Bytes that the fields of a format take. */
static size_t size_of_fields(const char *fields)
{
    static const struct {
        const char *name;
        size_t size;
    } k_type[] = {{"uint64_t", 8}, {"uint32_t", 4}, {"uint16_t", 2}, {"uint8_t", 1},
                  {"double", 8},   {"float", 4},    {"bool", 1}};
    size_t total = 0;
    for (const char *at = fields; *at != '\0';) {
        size_t size = 0, name = 0;
        for (size_t i = 0; i < sizeof k_type / sizeof k_type[0] && size == 0; i++) {
            name = strlen(k_type[i].name);
            size = strncmp(at, k_type[i].name, name) == 0 ? k_type[i].size : 0;
        }
        assert_int_not_equal(size, 0);
        assert_int_equal(total % size, 0); /* aligned, so that there is no padding */
        at += name;
        if (*at == '[') {
            size *= (size_t)strtol(at + 1, NULL, 10);
            at = strchr(at, ']') + 1;
        }
        assert_int_equal(*at, ' ');
        at = strchr(at, ';') + 1;
        total += size;
    }
    return total;
}

static void boot(void)
{
    (void)fx_boot(k_default);
    fx.mock.archive.begin_result = MF_E_OK;
    fx.mock.gnss.fix.utc_us = EPOCH_US;
}

static void fly(mf_us_t from_us, mf_us_t to_us)
{
    for (mf_us_t t_us = from_us; t_us <= to_us; t_us += 50000) {
        (void)fx_step_at(t_us);
    }
}

static void arm(mf_us_t t_us)
{
    (void)fx_step_at(t_us);
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM), 0);
}

static void disarm(mf_us_t t_us)
{
    (void)fx_step_at(t_us);
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, NO_PARAMS), 0);
}

static void test_a_log_from_arming_to_disarming(void **state)
{
    struct record r = {.bytes = k_no_bytes};
    (void)state;
    boot();
    assert_int_equal(fx.mock.archive.count, 0);
    arm(1234567);
    assert_int_equal(fx.mock.archive.count, 1);
    assert_true(fx.mock.archive.writing);
    assert_true(fx.mock.archive.info[0].utc_s == EPOCH_US / S);
    const uint8_t k_header[16] = {'U', 'L', 'o', 'g', 1, 0x12, 0x35, 1, 0x87, 0xD6, 0x12};
    assert_memory_equal(fx.mock.archive.bytes[0], k_header, 16); /* 1234567 = 0x12D687 */
    assert_int_not_equal(next(16, &r), 0);
    assert_int_equal(r.type, 'B');
    assert_int_equal(r.n, 40);
    static const char k_name[] = "\x10"
                                 "char[3] sys_namePX4"; /* a reader takes it for one of PX4's */
    assert_int_equal(count('I', k_name, sizeof k_name - 1), 1);
    disarm(2 * S);
    assert_false(fx.mock.archive.writing);
    const uint32_t size = fx.mock.archive.info[0].size;
    fly(2 * S, 4 * S);
    assert_int_equal(fx.mock.archive.info[0].size, size);
    fx.mock.gnss.fix.utc_us = EPOCH_US + 30 * S;
    arm(32 * S);
    assert_int_equal(fx.mock.archive.count, 2);
    assert_true(fx.mock.archive.info[1].utc_s == EPOCH_US / S + 30);
    disarm(33 * S);
}

/* NAVIGATION_STATE_* of PX4's vehicle_status, by its own names. */
static void test_each_mode_has_px4s_navigation_state(void **state)
{
    static const uint8_t k_state[MF_MODE_COUNT] = {
        [MF_MODE_MANUAL] = 0,    [MF_MODE_ALTCTL] = 1,      [MF_MODE_POSCTL] = 2,
        [MF_MODE_MISSION] = 3,   [MF_MODE_HOLD] = 4,        [MF_MODE_RTL] = 5,
        [MF_MODE_ACRO] = 10,     [MF_MODE_DESCEND] = 12,    [MF_MODE_TERMINATION] = 13,
        [MF_MODE_OFFBOARD] = 14, [MF_MODE_STABILIZED] = 15, [MF_MODE_TAKEOFF] = 17,
        [MF_MODE_LAND] = 18,     [MF_MODE_FOLLOW] = 19,     [MF_MODE_ORBIT] = 21,
    };
    (void)state;
    boot();
    for (unsigned mode = 0; mode < MF_MODE_COUNT; mode++) {
        struct mf_log_record r = {.n = 0};
        fx.v.commander.mode = (uint8_t)mode;
        mf_log_vehicle_status(&fx.v, 0, &r);
        assert_int_equal(r.bytes[17], k_state[mode]);
    }
}

static void test_formats_and_subscriptions_fit_the_data(void **state)
{
    static const struct {
        const char *name, *fields;
    } k_topic[] = {
#define X(name, rate, fields) {#name, fields},
        MF_LOG_TOPIC_LIST(X)
#undef X
    };
    (void)state;
    boot();
    arm(1 * S);
    fly(1 * S, 2 * S);
    for (unsigned i = 0; i < MF_LOG_TOPIC_COUNT; i++) {
        struct record r = {.bytes = k_no_bytes};
        char text[700];
        const size_t n = strlen(k_topic[i].name);
        memcpy(text, k_topic[i].name, n);
        text[n] = ':';
        assert_true(find('F', text, n + 1, 0, &r));
        assert_int_equal(r.n, n + 1 + strlen(k_topic[i].fields));
        const uint8_t head[3] = {0, (uint8_t)i, 0};
        assert_true(find('A', head, 3, 0, &r));
        assert_int_equal(r.n, 3 + n);
        assert_memory_equal(r.bytes + 3, k_topic[i].name, n);
        r = sample((enum mf_log_topic)i, 0);
        assert_int_equal(r.n, 2 + size_of_fields(k_topic[i].fields));
        assert_int_equal(time_of(&r), 1 * S);
    }
}

static void test_rates(void **state)
{
    (void)state;
    boot();
    arm(1 * S + 30000);
    fly(1 * S + 50000, 5 * S);
    /* at 1.03 s; then 1.1 ... 5.0 s, and 2, 3, 4, 5 s; no instant twice */
    assert_int_equal(samples(MF_LOG_TOPIC_vehicle_attitude), 41);
    assert_int_equal(samples(MF_LOG_TOPIC_vehicle_local_position), 41);
    assert_int_equal(samples(MF_LOG_TOPIC_vehicle_global_position), 41);
    assert_int_equal(samples(MF_LOG_TOPIC_vehicle_status), 5);
    assert_int_equal(samples(MF_LOG_TOPIC_sensor_gps), 5);
    assert_int_equal(samples(MF_LOG_TOPIC_battery_status), 5);
    const struct record r = sample(MF_LOG_TOPIC_vehicle_attitude, 40);
    assert_int_equal(time_of(&r), 5 * S);
    (void)fx_step_at(20 * S); /* the host slept: no hundred samples of the past */
    assert_in_range(samples(MF_LOG_TOPIC_vehicle_attitude), 42, 44);
}

/* Offsets counted by hand from the formats; two bytes of id stand before. */
static void test_values(void **state)
{
    struct record r = {.bytes = k_no_bytes};
    (void)state;
    boot();
    fx.mock.power.battery.remaining = 0.12f;
    arm(1 * S);
    r = sample(MF_LOG_TOPIC_vehicle_global_position, 0);
    assert_true(f64(r.bytes + 2 + 16) == HERE_LAT);
    assert_true(f64(r.bytes + 2 + 24) == HERE_LON);
    assert_true(f32(r.bytes + 2 + 32) == 488.0f);
    assert_int_equal(r.bytes[2 + 52], 1); /* lat_lon_valid */
    r = sample(MF_LOG_TOPIC_vehicle_local_position, 0);
    assert_true(f64(r.bytes + 2 + 24) == HERE_LAT);
    assert_true(f32(r.bytes + 2 + 40) == 488.0f); /* ref_alt */
    assert_true(f32(r.bytes + 2 + 52) == 0.0f);   /* z */
    r = sample(MF_LOG_TOPIC_vehicle_attitude, 0);
    assert_true(f32(r.bytes + 2 + 16) == 1.0f); /* level, to the north */
    r = sample(MF_LOG_TOPIC_vehicle_status, 0);
    assert_int_equal(le(r.bytes + 2 + 8, 8), 1 * S);
    assert_int_equal(r.bytes[2 + 24], 2); /* armed */
    assert_int_equal(r.bytes[2 + 26], 0); /* NAVIGATION_STATE_MANUAL */
    r = sample(MF_LOG_TOPIC_sensor_gps, 0);
    assert_true((int64_t)le(r.bytes + 2 + 16, 8) == EPOCH_US);
    assert_true(f64(r.bytes + 2 + 24) == 47.397742);
    assert_true(f64(r.bytes + 2 + 40) == 488.0);
    assert_true(f64(r.bytes + 2 + 48) == 535.26);
    assert_true(f32(r.bytes + 2 + 64) == 0.9f); /* eph */
    assert_true(f32(r.bytes + 2 + 68) == 1.78f);
    assert_int_equal(r.bytes[2 + 56 + 48], 3);  /* fix_type */
    assert_int_equal(r.bytes[2 + 56 + 49], 10); /* satellites */
    const struct record blended = sample(MF_LOG_TOPIC_vehicle_gps_position, 0);
    assert_int_equal(blended.n, r.n);
    assert_memory_equal(blended.bytes + 2, r.bytes + 2, r.n - 2u);
    r = sample(MF_LOG_TOPIC_battery_status, 0);
    assert_true(f32(r.bytes + 2 + 8) == 16.2f);
    assert_int_equal(r.bytes[2 + 32], 4); /* cells */
    assert_int_equal(r.bytes[2 + 33], 1); /* low */
    r = sample(MF_LOG_TOPIC_vehicle_land_detected, 0);
    assert_int_equal(r.bytes[2 + 11], 1);
}

static void test_sensors_and_setpoints(void **state)
{
    struct record r = {.bytes = k_no_bytes};
    (void)state;
    boot();
    fx.mock.sensors = (struct mf_sensor_values){.imu_us = 900000,
                                                .acc_frd_mps2 = {0.1f, 0.2f, -9.8f},
                                                .gyro_frd_rps = {0.01f, 0.02f, 0.03f},
                                                .mag_us = 800000,
                                                .mag_frd_gauss = {0.21f, 0.01f, 0.43f},
                                                .baro_us = MF_NOT_THERE,
                                                .airspeed_us = MF_NOT_THERE};
    arm(1 * S);
    r = sample(MF_LOG_TOPIC_sensor_combined, 0);
    assert_true(f32(r.bytes + 2 + 8) == 0.01f && f32(r.bytes + 2 + 16) == 0.03f);
    assert_true(f32(r.bytes + 2 + 20) == 0.1f && f32(r.bytes + 2 + 28) == -9.8f);
    r = sample(MF_LOG_TOPIC_vehicle_magnetometer, 0);
    assert_int_equal(le(r.bytes + 2 + 8, 8), 800000);
    assert_true(f32(r.bytes + 2 + 16) == 0.21f && f32(r.bytes + 2 + 24) == 0.43f);
    r = sample(MF_LOG_TOPIC_vehicle_air_data, 0);
    assert_true(isnan(f32(r.bytes + 2 + 16)) && isnan(f32(r.bytes + 2 + 24)));
    r = sample(MF_LOG_TOPIC_vehicle_local_position_setpoint, 0);
    assert_true(isnan(f32(r.bytes + 2 + 8)) && isnan(f32(r.bytes + 2 + 36))); /* it stands */
    r = sample(MF_LOG_TOPIC_vehicle_attitude_setpoint, 0);
    assert_true(f32(r.bytes + 2 + 8) == 1.0f && f32(r.bytes + 2 + 32) == 0.0f);
    r = sample(MF_LOG_TOPIC_actuator_outputs, 0);
    assert_int_equal(le(r.bytes + 2 + 8, 4), 4);
    assert_true(f32(r.bytes + 2 + 12) > 900.0f && f32(r.bytes + 2 + 28) == 0.0f);
    fx.mock.sensors.imu_us = MF_NOT_THERE;
    fx.mock.sensors.baro_us = 1400000;
    fx.mock.sensors.pressure_hpa = 956.5;
    fx.mock.sensors.pressure_alt_m = 485.25;
    fx.mock.sensors.temperature_c = 25.0;
    assert_int_equal(fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT((float)(GROUND_M + 10))), 0);
    fly(1 * S + 50000, 2 * S);
    r = sample(MF_LOG_TOPIC_sensor_combined, samples(MF_LOG_TOPIC_sensor_combined) - 1);
    assert_true(isnan(f32(r.bytes + 2 + 8)));
    r = sample(MF_LOG_TOPIC_vehicle_air_data, samples(MF_LOG_TOPIC_vehicle_air_data) - 1);
    assert_int_equal(le(r.bytes + 2 + 8, 8), 1400000);
    assert_true(f32(r.bytes + 2 + 16) == 485.25f && f32(r.bytes + 2 + 20) == 95650.0f);
    assert_true(f32(r.bytes + 2 + 24) == 25.0f);
    const size_t last = samples(MF_LOG_TOPIC_vehicle_local_position_setpoint) - 1;
    r = sample(MF_LOG_TOPIC_vehicle_local_position_setpoint, last);
    assert_true(f32(r.bytes + 2 + 8) == 0.0f && f32(r.bytes + 2 + 16) == -10.0f);
    r = sample(MF_LOG_TOPIC_vehicle_rates_setpoint,
               samples(MF_LOG_TOPIC_vehicle_rates_setpoint) - 1);
    assert_true(f32(r.bytes + 2 + 8) == 0.0f && f32(r.bytes + 2 + 28) < 0.0f); /* upwards */
}

/* Heard by MAVLink, until COM_RC_LOSS_T. */
static void test_sticks(void **state)
{
    const struct mf_msg_manual_control sticks = {
        .target = 1, .x = 500, .y = -250, .z = 750, .r = 1000};
    (void)state;
    boot();
    arm(1 * S);
    struct record r = sample(MF_LOG_TOPIC_manual_control_setpoint, 0);
    assert_true(f32(r.bytes + 2 + 16) == 0.0f && r.bytes[2 + 32] == 0 && r.bytes[2 + 33] == 0);
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_MANUAL_CONTROL, &sticks);
    fly(1 * S + 50000, 1 * S + 100000);
    r = sample(MF_LOG_TOPIC_manual_control_setpoint,
               samples(MF_LOG_TOPIC_manual_control_setpoint) - 1);
    assert_true(f32(r.bytes + 2 + 16) == -0.25f && f32(r.bytes + 2 + 20) == 0.5f);
    assert_true(f32(r.bytes + 2 + 24) == 1.0f && f32(r.bytes + 2 + 28) == 0.5f);
    assert_true(r.bytes[2 + 32] == 1 && r.bytes[2 + 33] == 2);
    fly(1 * S + 150000, 2 * S);
    r = sample(MF_LOG_TOPIC_manual_control_setpoint,
               samples(MF_LOG_TOPIC_manual_control_setpoint) - 1);
    assert_true(r.bytes[2 + 32] == 0 && r.bytes[2 + 33] == 0);
}

static void test_changes_texts_and_parameters(void **state)
{
    struct record r = {.bytes = k_no_bytes};
    (void)state;
    boot();
    arm(1 * S);
    assert_int_equal(count('P', "", 0), MF_PARAM_COUNT);
    assert_int_equal(fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT((float)(GROUND_M + 10))), 0);
    (void)fx_step_at(1050000);
    /* armed, in TAKEOFF, both at one second */
    r = sample(MF_LOG_TOPIC_vehicle_status, samples(MF_LOG_TOPIC_vehicle_status) - 1);
    assert_int_equal(time_of(&r), 1 * S);
    assert_int_equal(r.bytes[2 + 26], 17); /* NAVIGATION_STATE_AUTO_TAKEOFF */
    fx.mock.airframe.pose.on_ground = false;
    fx_reach(3350000);
    (void)fx_step_at(3350000);
    r = sample(MF_LOG_TOPIC_vehicle_status, samples(MF_LOG_TOPIC_vehicle_status) - 1);
    assert_int_equal(time_of(&r), 3350000);
    assert_int_equal(r.bytes[2 + 26], 4); /* NAVIGATION_STATE_AUTO_LOITER */
    (void)fx_step_at(3400000);
    const float speed = 7.0f;
    struct mf_msg_param_set set = {
        .target_system = 1, .target_component = 1, .param_id = "MPC_XY_CRUISE", .param_type = 9};
    memcpy(&set.param_value, &speed, sizeof speed);
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_PARAM_SET, &set);
    (void)mf_vehicle_step(&fx.v);
    static const char k_key[] = "\x13"
                                "float MPC_XY_CRUISE";
    assert_true(find('P', k_key, 20, 1, &r));
    assert_true(f32(r.bytes + 20) == 7.0f);
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, NO_PARAMS), 1);
    const char level = '2';
    assert_true(find('L', &level, 1, 0, &r));
    assert_int_equal(le(r.bytes + 1, 8), 3400000);
    assert_int_equal(r.n, 9 + strlen("Disarming denied: not landed"));
    assert_memory_equal(r.bytes + 9, "Disarming denied: not landed", 28);
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, (const float[7]){0, 21196.0f}), 0);
    assert_false(fx.mock.archive.writing);
    r = sample(MF_LOG_TOPIC_vehicle_status, samples(MF_LOG_TOPIC_vehicle_status) - 1);
    assert_int_equal(r.bytes[2 + 24], 1); /* the last sample: disarmed */
}

/* On a clock that jumps, what lies in between is not made up. */
static void test_sim038_jumps_are_logged_where_they_end(void **state)
{
    (void)state;
    boot();
    arm(1 * S);
    (void)fx_step_at(1 * S);
    const size_t before = samples(MF_LOG_TOPIC_vehicle_attitude);
    mf_vehicle_jump_to(&fx.v, 5 * S + 123);
    (void)fx_step_at(5 * S + 123);
    assert_int_equal(samples(MF_LOG_TOPIC_vehicle_attitude), before + 1);
    const struct record r = sample(MF_LOG_TOPIC_vehicle_attitude, before);
    assert_int_equal(time_of(&r), 5 * S + 123);
    /* what happens at that instant changes states only */
    const size_t states = samples(MF_LOG_TOPIC_vehicle_status);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(4, 3)), 0);
    assert_int_equal(samples(MF_LOG_TOPIC_vehicle_status), states + 1);
    assert_int_equal(samples(MF_LOG_TOPIC_vehicle_attitude), before + 1);
    mf_vehicle_jump_to(&fx.v, fx.v.due_us[MF_TASK_LOGGER]); /* also to where one was due */
    assert_int_equal(samples(MF_LOG_TOPIC_vehicle_attitude), before + 2);
}

static void test_without_an_archive_or_a_wish_nothing_is_logged(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    arm(1 * S);
    fly(1 * S, 3 * S);
    assert_int_equal(fx.mock.archive.begun, 1); /* asked once */
    assert_int_equal(fx.v.due_us[MF_TASK_LOGGER], MF_NEVER);
    disarm(4 * S);
    arm(5 * S);
    assert_int_equal(fx.mock.archive.begun, 2);
    assert_false(mf_mock_logged(&fx.mock, "log", ""));

    (void)fx_boot(k_default);
    fx.mock.archive.begin_result = MF_E_IO;
    arm(1 * S);
    assert_true(mf_mock_logged(&fx.mock, "log", "no log"));

    boot();
    fx.v.params.value[MF_PARAM_SDLOG_MODE] = (uint32_t)-1;
    arm(1 * S);
    assert_int_equal(fx.mock.archive.begun, 0);

    boot();
    fx.v.params.value[MF_PARAM_SDLOG_MODE] = 0;
    arm(1 * S);
    assert_int_equal(fx.mock.archive.begun, 1);
}

/* Two vehicles of one second, or a boot whose time was set back. */
static void test_names_that_are_taken(void **state)
{
    (void)state;
    boot();
    fx.mock.archive.count = 1;
    fx.mock.archive.info[0].utc_s = EPOCH_US / S + 2;
    arm(1 * S);
    assert_int_equal(fx.mock.archive.count, 2);
    assert_true(fx.mock.archive.info[1].utc_s == EPOCH_US / S + 3);
    boot();
    fx.mock.archive.count = 1;
    fx.mock.archive.info[0].utc_s = EPOCH_US / S + 100;
    arm(1 * S);
    assert_int_equal(fx.mock.archive.count, 1);
    assert_int_equal(fx.mock.archive.begun, 100);
    boot();
    fx.mock.gnss.fix.utc_us = 0; /* the receiver does not know */
    arm(7 * S);
    assert_true(fx.mock.archive.info[0].utc_s == 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_log_from_arming_to_disarming),
        cmocka_unit_test(test_each_mode_has_px4s_navigation_state),
        cmocka_unit_test(test_formats_and_subscriptions_fit_the_data),
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_sensors_and_setpoints),
        cmocka_unit_test(test_sticks),
        cmocka_unit_test(test_changes_texts_and_parameters),
        cmocka_unit_test(test_sim038_jumps_are_logged_where_they_end),
        cmocka_unit_test(test_without_an_archive_or_a_wish_nothing_is_logged),
        cmocka_unit_test(test_names_that_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
