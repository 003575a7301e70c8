/* SPDX-License-Identifier: Apache-2.0 */
/* world/radio.h: radios by their data sheets, gains of antennas, and charge. */
#include "world/radio.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_near(double got, double want, double tol)
{
    if (!(fabs(got - want) <= tol)) {
        fail_msg("got %.12g, want %.12g", got, want);
    }
}

/* CC2420, revision 1.4, page 52: PA_LEVEL, dBm and mA. */
static void test_sbe07_levels_of_a_cc2420(void **state)
{
    static const double k_sheet[][3] = {{31, 0.0, 17.4},  {27, -1.0, 16.5}, {23, -3.0, 15.1},
                                        {19, -5.0, 14.0}, {15, -7.0, 12.7}, {11, -10.0, 11.0},
                                        {7, -15.0, 9.9},  {3, -25.0, 8.5}};
    struct mf_radio r;
    uint32_t known = 0;
    (void)state;
    for (uint32_t level = 0; level < 40; level++) {
        if (mf_radio_init(&r, MF_RADIO_CC2420, level, 11) == MF_E_OK) {
            const double *want = k_sheet[7u - known++]; /* the sheet counts down */
            assert_int_equal(level, (uint32_t)want[0]);
            assert_true(r.power_dbm == want[1] && r.send_ma == want[2]);
        }
    }
    assert_int_equal(known, 8);
    assert_int_equal(mf_radio_init(&r, MF_RADIO_CC2420, MF_RADIO_OWN, MF_RADIO_OWN), MF_E_OK);
    assert_true(r.power_dbm == 0.0 && r.sensitivity_dbm == -90.0);
    assert_true(r.receive_ma == 18.8 && r.idle_ma == 0.426);
    assert_true(r.frequency_mhz == 2405.0 && r.width_mhz == 5.0 && r.bits_per_s == 250000.0);
}

/* AT86RF230, 5131E, page 59: TX_PWR 0 to 15. */
static void test_sbe07_levels_of_an_rf230(void **state)
{
    static const double k_dbm[16] = {3.0,  2.6,  2.1,  1.6,  1.1,  0.5,  -0.2,  -1.2,
                                     -2.2, -3.2, -4.2, -5.2, -7.2, -9.2, -12.2, -17.2};
    static const double k_ma[16] = {16.5, 16.1, 15.5, 15.1, 14.5, 14.2, 14.0, 13.5,
                                    13.0, 12.5, 12.3, 12.1, 11.6, 11.2, 10.6, 9.5};
    struct mf_radio r;
    (void)state;
    for (uint32_t level = 0; level < 16; level++) {
        assert_int_equal(mf_radio_init(&r, MF_RADIO_RF230, level, 26), MF_E_OK);
        assert_true(r.power_dbm == k_dbm[level] && r.send_ma == k_ma[level]);
    }
    assert_true(r.sensitivity_dbm == -101.0 && r.receive_ma == 15.5 && r.idle_ma == 1.5);
    assert_true(r.frequency_mhz == 2480.0);
    assert_int_equal(mf_radio_init(&r, MF_RADIO_RF230, 16, 26), MF_E_RANGE);
    assert_int_equal(mf_radio_init(&r, MF_RADIO_RF230, 0, 10), MF_E_RANGE);
    assert_int_equal(mf_radio_init(&r, MF_RADIO_RF230, 0, 27), MF_E_RANGE);
}

static void test_a_generic_radio_has_the_whole_band_or_a_channel(void **state)
{
    struct mf_radio r;
    (void)state;
    assert_int_equal(mf_radio_init(&r, MF_RADIO_GENERIC, MF_RADIO_OWN, MF_RADIO_OWN), MF_E_OK);
    assert_true(r.frequency_mhz == 2442.5 && r.width_mhz == 85.0 && r.margin_db == 7.0);
    assert_int_equal(mf_radio_init(&r, MF_RADIO_GENERIC, MF_RADIO_OWN, 12), MF_E_OK);
    assert_true(r.frequency_mhz == 2410.0 && r.width_mhz == 5.0);
}

/* 250 bytes of 250 kbit/s are 8 ms, and 100 are 3.2 ms; the rest of a second is idle. */
static void test_charge_is_current_by_time(void **state)
{
    struct mf_radio r;
    (void)state;
    assert_int_equal(mf_radio_init(&r, MF_RADIO_RF230, 0, 11), MF_E_OK);
    assert_near(mf_radio_air_s(&r, 250), 0.008, 1e-15);
    assert_near(mf_radio_charge_mas(&r, 1.0, 250, 100), 16.5 * 0.008 + 15.5 * 0.0032 + 1.5 * 0.9888,
                1e-12);
    assert_near(mf_radio_charge_mas(&r, 0.001, 250, 0), 16.5 * 0.008, 1e-12); /* no idle time */
}

/* Half a wavelength has 2.15 dBi across its axis and none along it. 1.64 (cos(90 cos a) / sin a)^2
 * is -2.901 dB at 40 degrees and -1.016 dB at 50; between them it is a straight line. */
static void test_a_dipole(void **state)
{
    static const double k_axis[3] = {0.0, 0.0, 1.0};
    const double half = sqrt(0.5);
    struct mf_antenna a;
    (void)state;
    mf_antenna_init(&a, MF_ANTENNA_DIPOLE, NULL);
    assert_near(mf_antenna_gain_db(&a, k_axis, (const double[]){1.0, 0.0, 0.0}), 2.148, 1e-3);
    assert_near(mf_antenna_gain_db(&a, k_axis, (const double[]){0.0, -1.0, 0.0}), 2.148, 1e-3);
    assert_near(mf_antenna_gain_db(&a, k_axis, k_axis), -40.0, 1e-9);
    assert_near(mf_antenna_gain_db(&a, k_axis, (const double[]){0.0, 0.0, -1.0}), -40.0, 1e-9);
    assert_near(mf_antenna_gain_db(&a, k_axis, (const double[]){0.0, half, half}), -1.959, 2e-3);
    assert_near(a.most_db, 2.148, 1e-3);
}

static void test_a_pattern_is_read_between_its_angles(void **state)
{
    static const double k_axis[3] = {1.0, 0.0, 0.0};
    const double deg = 3.14159265358979323846 / 180.0;
    double gain_db[MF_ANTENNA_ANGLES];
    struct mf_antenna a;
    (void)state;
    for (uint32_t i = 0; i < MF_ANTENNA_ANGLES; i++) {
        gain_db[i] = (double)i - 30.0;
    }
    mf_antenna_init(&a, MF_ANTENNA_PATTERN, gain_db);
    for (int angle = 0; angle <= 180; angle += 15) {
        const double toward[3] = {cos(angle * deg), 0.6 * sin(angle * deg),
                                  -0.8 * sin(angle * deg)};
        assert_near(mf_antenna_gain_db(&a, k_axis, toward), angle / 10.0 - 30.0, 1e-6);
    }
    assert_true(a.most_db == -12.0);
    mf_antenna_init(&a, MF_ANTENNA_ISOTROPIC, NULL);
    assert_true(mf_antenna_gain_db(&a, k_axis, k_axis) == 0.0 && a.most_db == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbe07_levels_of_a_cc2420),
        cmocka_unit_test(test_sbe07_levels_of_an_rf230),
        cmocka_unit_test(test_a_generic_radio_has_the_whole_band_or_a_channel),
        cmocka_unit_test(test_charge_is_current_by_time),
        cmocka_unit_test(test_a_dipole),
        cmocka_unit_test(test_a_pattern_is_read_between_its_angles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
