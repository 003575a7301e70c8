/* SPDX-License-Identifier: Apache-2.0 */
/* GZ-20: packets of gzuav's ticks, as Python's struct packs and unpacks them. */
#include "fleet/foreign_ac.h"
#include "tests/unit/support/names.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void put_f64(uint8_t *packet, size_t number, double x)
{
    memcpy(packet + 8u * number, &x, sizeof x); /* the machine of this test is little-endian */
}

/* A tick at 0.5 s, 3 m east, 2 m north, 1 m up, level, looking east, at 4 m/s to the north. */
static void fill(uint8_t *packet)
{
    static const double k_value[23] = {0.5, 3,      2, 1, 0.1, 0.2, 0.3, 0.4, 0.5, -9.8, 0.7071, 0,
                                       0,   0.7071, 4, 5, 6,   2e5, 1e5, -7,  0,   0,    0};
    for (size_t i = 0; i < 23; i++) {
        put_f64(packet, i, k_value[i]);
    }
}

static void test_a_name_may_stand_in_a_line(void **state)
{
    (void)state;
    char name[10];
    mf_foreign_ac_name("copter.1", 8, name, sizeof name);
    assert_string_equal(name, "copter.1");
    mf_foreign_ac_name("7\0\0", 3, name, sizeof name); /* as C writes it */
    assert_string_equal(name, "7");
    mf_foreign_ac_name("\0\x1b[2J7", 6, name, sizeof name);
    assert_string_equal(name, "??[2J7");
    mf_foreign_ac_name("", 0, name, sizeof name);
    assert_string_equal(name, "");
}

static void test_gz20_motors_are_19_floats(void **state)
{
    /* struct.pack('<19f', 0, 1, 0.5, 0.25, *[0] * 15) */
    uint8_t packet[MF_FOREIGN_AC_END] = {0, 0, 0, 0,    0, 0, 0x80, 0x3F,
                                         0, 0, 0, 0x3F, 0, 0, 0x80, 0x3E};
    float motors[MF_FOREIGN_AC_MOTORS];
    (void)state;
    assert_null(mf_foreign_ac_end_read(packet, sizeof packet, motors));
    const struct mf_foreign_pulses pulses = mf_foreign_ac_pulses(motors, 250, 7);
    assert_int_equal(pulses.frame_rate_hz, 250);
    assert_int_equal(pulses.frame_count, 7);
    assert_int_equal(pulses.channels, 16);
    static const uint16_t k_us[5] = {1000, 2000, 1500, 1250, 1000};
    assert_memory_equal(pulses.pwm_us, k_us, sizeof k_us);
    assert_names(mf_foreign_ac_end_read(packet, 75, motors), "76");
    packet[7] = 0x40; /* 4.0 */
    assert_names(mf_foreign_ac_end_read(packet, sizeof packet, motors), "motor 0 1");
}

static void test_gz20_a_tick_is_read(void **state)
{
    uint8_t packet[MF_FOREIGN_AC_BEGIN];
    struct mf_foreign_state read;
    (void)state;
    fill(packet);
    assert_null(mf_foreign_ac_begin_read(packet, sizeof packet, &read));
    assert_true(read.time_s == 0.5);
    assert_true(read.pos_m.x == 2.0 && read.pos_m.y == 3.0 && read.pos_m.z == -1.0);
    assert_true(read.gyro_rps.x == 0.1 && read.gyro_rps.z == 0.3);
    assert_true(read.accel_mps2.x == 0.4 && read.accel_mps2.z == -9.8);
    assert_true(read.vel_mps.x == 4.0 && read.vel_mps.y == 5.0 && read.vel_mps.z == 6.0);
    /* 0.7071 is nearly 1 / sqrt(2), and what is read has length 1 */
    assert_float_equal(read.quaternion[0], 0.70710678118654752, 1e-15);
    assert_float_equal(read.quaternion[3], 0.70710678118654752, 1e-15);
}

static void test_a_tick_that_is_none_is_refused(void **state)
{
    static const struct {
        size_t number;
        double value;
        const char *data;
    } k_case[] = {
        {0, -0.001, "time 0 1e9 s"},
        {0, 1.1e9, "time 0 1e9 s"},
        {0, (double)NAN, "time 0 1e9 s"},
        {1, 1.1e6, "value -1e6 1e6"},
        {14, (double)INFINITY, "value -1e6 1e6"},
        {22, (double)NAN, "value -1e6 1e6"},
        {10, 2.0, "quaternion 1"},
    };
    uint8_t packet[MF_FOREIGN_AC_BEGIN];
    struct mf_foreign_state read;
    (void)state;
    for (size_t k = 0; k < sizeof k_case / sizeof k_case[0]; k++) {
        fill(packet);
        put_f64(packet, k_case[k].number, k_case[k].value);
        assert_names(mf_foreign_ac_begin_read(packet, sizeof packet, &read), k_case[k].data);
    }
    fill(packet);
    assert_names(mf_foreign_ac_begin_read(packet, 183, &read), "184");
}

/* What is written is read again; the place stands twice, in both frames. */
static void test_gz20_a_tick_is_written(void **state)
{
    const struct mf_foreign_state s = {
        .time_s = 0.25, .pos_m = {1, 2, -3}, .vel_mps = {4, 5, 6}, .quaternion = {1, 0, 0, 0}};
    static const double k_place[3] = {2, 1, 3}, k_ned[3] = {1, 2, -3};
    uint8_t packet[MF_FOREIGN_AC_BEGIN];
    struct mf_foreign_state read;
    (void)state;
    mf_foreign_ac_begin_write(&s, packet);
    assert_memory_equal(packet + 8, k_place, sizeof k_place);
    assert_memory_equal(packet + 8 * 17, k_ned, sizeof k_ned);
    assert_null(mf_foreign_ac_begin_read(packet, sizeof packet, &read));
    assert_memory_equal(&read, &s, sizeof s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_name_may_stand_in_a_line),
        cmocka_unit_test(test_gz20_motors_are_19_floats),
        cmocka_unit_test(test_gz20_a_tick_is_read),
        cmocka_unit_test(test_a_tick_that_is_none_is_refused),
        cmocka_unit_test(test_gz20_a_tick_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
