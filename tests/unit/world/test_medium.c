/* SPDX-License-Identifier: Apache-2.0 */
/* SBE-07: packet radio. Expected values are computed apart, in double with a C library's functions.
 */
#include "world/medium.h"

#include "math/chance.h"
#include "tests/unit/support/cases.h"
#include "world/decibel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MANY 400u

static struct mf_radio radio(enum mf_radio_kind kind)
{
    struct mf_radio r;
    assert_int_equal(mf_radio_init(&r, kind, MF_RADIO_OWN, MF_RADIO_OWN), MF_E_OK);
    return r;
}

/* A medium with room for many packets. */
struct air {
    struct mf_medium m;
    double memory[MANY * 40u];
};

static struct mf_medium *air_of(struct air *air, const struct mf_medium_settings *settings)
{
    assert_true(mf_medium_bytes(MANY) <= sizeof air->memory);
    mf_medium_init(&air->m, settings, MANY, air->memory);
    return &air->m;
}

static const struct mf_medium_settings k_quiet = {
    .path = MF_PATH_FREE_SPACE, .noise_dbm = -100.0, .range_m = 1e6, .key = 7};

static struct mf_station at(const struct mf_radio *r, double n, double e, double u)
{
    return (struct mf_station){r, {n, e, u}, {0.0, 0.0, 1.0}, 0};
}

static void take_strength(void *ctx, const struct mf_delivery *d)
{
    *(double *)ctx = d->strength_dbm;
}

/* Of a packet, at a receiver that hears everything. */
static double strength_dbm(struct mf_medium *m, const struct mf_station *from,
                           const struct mf_station *to)
{
    double dbm = (double)NAN;
    struct mf_radio fine = *to->radio;
    struct mf_station ear = *to;
    fine.sensitivity_dbm = -1000.0;
    ear.radio = &fine;
    m->settings.noise_dbm = -1000.0;
    mf_medium_admit(m, &fine);
    mf_medium_begin(m);
    assert_int_equal(mf_medium_send(m, &(struct mf_packet){.sender = 1}, from), MF_E_OK);
    mf_medium_sort(m);
    (void)mf_medium_hear(m, 2, &ear, take_strength, &dbm);
    return dbm;
}

/* ---- decibels */

static void test_decibels_and_their_functions(void **state)
{
    (void)state;
    assert_true(mf_db(1.0) == 0.0);
    for (int i = -440; i < 440; i++) {
        const double x = pow(1.17, i);
        assert_true(fabs(mf_db(x) - 10.0 * log10(x)) < 1e-12);
        assert_true(fabs(mf_db_ratio(mf_db(x)) / x - 1.0) < 1e-13);
    }
    for (int i = -760; i < 760; i++) {
        const double x = 0.917 * i;
        assert_true(fabs(mf_exp(x) / exp(x) - 1.0) < 1e-13);
    }
    for (int i = -500; i < 500; i++) {
        const double x = 0.0137 * i;
        assert_true(fabs(mf_erf(x) - erf(x)) < 1e-14);
    }
    assert_true(isinf(mf_db(0.0)) && isinf(mf_db(-1.0)) && isinf(mf_db((double)INFINITY)));
    assert_true(mf_exp(-701.0) == 0.0 && mf_exp((double)NAN) == 0.0);
}

/* ---- radios */

static void test_sbe07_levels_and_channels_of_the_data_sheets(void **state)
{
    (void)state;
    struct mf_radio r = radio(MF_RADIO_CC2420);
    assert_true(r.power_dbm == 0.0 && r.send_ma == 17.4 && r.sensitivity_dbm == -90.0);
    assert_true(r.receive_ma == 18.8 && r.idle_ma == 0.426 && r.frequency_mhz == 2405.0);
    assert_int_equal(mf_radio_init(&r, MF_RADIO_CC2420, 3, 26), MF_E_OK);
    assert_true(r.power_dbm == -25.0 && r.send_ma == 8.5 && r.frequency_mhz == 2480.0);
    assert_int_equal(mf_radio_init(&r, MF_RADIO_CC2420, 30, 26), MF_E_RANGE);
    assert_int_equal(mf_radio_init(&r, MF_RADIO_CC2420, 31, 10), MF_E_RANGE);
    assert_int_equal(mf_radio_init(&r, MF_RADIO_CC2420, 31, 27), MF_E_RANGE);
    assert_int_equal(mf_radio_init(&r, MF_RADIO_RF230, 15, 11), MF_E_OK);
    assert_true(r.power_dbm == -17.2 && r.send_ma == 9.5 && r.sensitivity_dbm == -101.0);
    r = radio(MF_RADIO_GENERIC);
    assert_true(r.power_dbm == 15.0 && r.frequency_mhz == 2442.5 && r.width_mhz == 85.0);
}

static void test_sbe07_a_cc2420_receives_by_its_table(void **state)
{
    (void)state;
    static const double k_ratio[][2] = {{3.5, 0.001113}, {4.0, 0.067665}, {4.5, 0.410618},
                                        {5.0, 0.786109}, {6.0, 0.990853}, {7.0, 0.999858}};
    struct mf_reception table;
    const struct mf_radio cc2420 = radio(MF_RADIO_CC2420), rf230 = radio(MF_RADIO_RF230),
                          generic = radio(MF_RADIO_GENERIC);
    mf_reception_init(&table);
    for (size_t i = 0; i < sizeof k_ratio / sizeof k_ratio[0]; i++) {
        const double ratio = mf_radio_reception(&cc2420, &table, k_ratio[i][0]);
        assert_true(fabs(ratio - k_ratio[i][1]) < 5e-7);
    }
    /* between the entries, too */
    for (int i = 0; i < 5000; i++) {
        const double snr = 2.0 + 0.00137 * i;
        const double wrong = 0.5 * (1.0 - erf(0.9794 * (snr - 2.3851) / sqrt(2.0)));
        const double ratio = mf_radio_reception(&cc2420, &table, snr);
        assert_true(fabs(ratio - pow(1.0 - wrong, 46.0)) < 1e-4);
    }
    assert_true(mf_radio_reception(&cc2420, &table, -1.0) == 0.0);
    assert_true(mf_radio_reception(&cc2420, &table, 10.0) == 1.0);
    assert_true(mf_radio_reception(&cc2420, &table, (double)NAN) == 0.0);
    assert_true(mf_radio_reception(&rf230, &table, -50.0) == 1.0);
    assert_true(mf_radio_reception(&generic, &table, 7.0) == 1.0);
    assert_true(mf_radio_reception(&generic, &table, 6.99) == 0.0);
}

/* SBE-09: 125 bytes at 250 kb/s are 4 ms in the air. */
static void test_sbe09_what_radios_use(void **state)
{
    (void)state;
    const struct mf_radio r = radio(MF_RADIO_CC2420);
    assert_true(fabs(mf_radio_air_s(&r, 125) - 0.004) < 1e-15);
    assert_true(fabs(mf_radio_charge_mas(&r, 1.0, 0, 0) - 0.426) < 1e-12);
    /* 4 ms at 17.4 mA, 8 ms at 18.8 mA, 988 ms at 0.426 mA */
    assert_true(fabs(mf_radio_charge_mas(&r, 1.0, 125, 250) - 0.640888) < 1e-12);
}

static void test_sbe07_antennas(void **state)
{
    (void)state;
    struct mf_antenna a;
    const double up[3] = {0.0, 0.0, 2.0}, across[3] = {3.0, 0.0, 0.0}, down[3] = {0.0, 0.0, -1.0};
    const double aslant[3] = {sin(40.0 * M_PI / 180.0), 0.0, cos(40.0 * M_PI / 180.0)};
    mf_antenna_init(&a, MF_ANTENNA_ISOTROPIC, NULL);
    assert_true(mf_antenna_gain_db(&a, up, down) == 0.0);
    mf_antenna_init(&a, MF_ANTENNA_DIPOLE, NULL);
    assert_true(fabs(mf_antenna_gain_db(&a, up, across) - 2.1484) < 1e-4);
    assert_true(fabs(mf_antenna_gain_db(&a, up, aslant) + 2.9042) < 1e-4);
    assert_true(mf_antenna_gain_db(&a, up, up) == -40.0);
    assert_true(fabs(a.most_db - 2.1484) < 1e-4);
    double gain_db[MF_ANTENNA_ANGLES] = {9.0, 5.0, -1.0}; /* ahead; 0 dB from 30 degrees on */
    mf_antenna_init(&a, MF_ANTENNA_PATTERN, gain_db);
    const double five[3] = {sin(M_PI / 36.0), 0.0, cos(M_PI / 36.0)};
    assert_true(fabs(mf_antenna_gain_db(&a, up, five) - 7.0) < 1e-9);
    assert_true(fabs(mf_antenna_gain_db(&a, up, down)) < 1e-9);
    assert_true(a.most_db == 9.0);
}

/* ---- path loss */

static void test_sbe07_free_space(void **state)
{
    (void)state;
    static struct air s_air;
    const struct mf_radio r = radio(MF_RADIO_CC2420);
    const struct mf_station from = at(&r, 0.0, 0.0, 5.0);
    const struct mf_station to[] = {at(&r, 12.0, 16.0, 5.0), at(&r, 0.0, 30.0, 5.0)};
    const struct mf_station touching = at(&r, 0.0, 0.0, 5.005);
    struct mf_medium *m = air_of(&s_air, &k_quiet);
    assert_true(fabs(strength_dbm(m, &from, &to[0]) + 66.0907) < 1e-4);
    assert_true(fabs(strength_dbm(m, &from, &to[1]) + 69.6125) < 1e-4);
    assert_true(fabs(strength_dbm(m, &from, &touching) + 0.0705) < 1e-3); /* 1 cm */
    struct mf_medium_settings compat = k_quiet;
    compat.compat = true;
    m = air_of(&s_air, &compat);
    assert_true(fabs(strength_dbm(m, &from, &to[0]) + 86.0907) < 1e-4);
    assert_true(fabs(strength_dbm(m, &from, &to[1]) + 89.6125) < 1e-4);
    assert_true(fabs(strength_dbm(m, &from, &touching) - 20.0 * log10(1.005)) < 1e-9);
}

static void test_sbe07_two_rays(void **state)
{
    (void)state;
    static struct air s_air;
    struct mf_medium_settings settings = k_quiet;
    settings.path = MF_PATH_TWO_RAY;
    struct mf_medium *m = air_of(&s_air, &settings);
    const struct mf_radio r = radio(MF_RADIO_CC2420);
    const struct mf_station from = at(&r, 0.0, 0.0, 1.0);
    for (int i = 6; i < 46; i++) {
        const double d = pow(1.2, i);
        const struct mf_station to = at(&r, 0.0, d, 2.0);
        const double lambda = 299792458.0 / 2405e6, far = sqrt(d * d + 1.0);
        const double expected =
            far <= 4.0 * M_PI * 2.0 / lambda
                ? 20.0 * log10(2.0 * fabs(sin(2.0 * M_PI * 2.0 / (lambda * far))) * lambda /
                               (4.0 * M_PI * far))
                : 20.0 * log10(2.0 / (far * far));
        assert_true(fabs(strength_dbm(m, &from, &to) - expected) < 1e-9);
    }
    /* beyond the crossover at 201.6 m, twice as far is 12 dB less */
    const struct mf_station far = at(&r, 0.0, 1000.0, 1.0), farther = at(&r, 0.0, 2000.0, 1.0);
    assert_true(fabs(strength_dbm(m, &from, &far) + 120.0) < 1e-9);
    assert_true(fabs(strength_dbm(m, &from, &farther) + 132.0412) < 1e-4);
    /* on the ground nobody is without any field */
    const struct mf_station flat = at(&r, 0.0, 10.0, 0.0);
    assert_true(isfinite(strength_dbm(m, &flat, &far)));
}

static void test_the_range_follows_from_the_budget(void **state)
{
    (void)state;
    static struct air s_air;
    struct mf_medium *m = air_of(&s_air, &k_quiet);
    const struct mf_radio r = radio(MF_RADIO_CC2420), strong = radio(MF_RADIO_RF230);
    mf_medium_admit(m, &r);
    /* -90 dBm at 313.69 m; 3 dB more carry the square root of 2 farther */
    assert_true(fabs(mf_medium_range_m(m, &r) - 313.6864) < 1e-3);
    assert_true(fabs(mf_medium_range_m(m, &strong) / mf_medium_range_m(m, &r) - 1.4125) < 1e-4);
    mf_medium_admit(m, &strong);
    assert_true(fabs(mf_medium_range_m(m, &r) / 313.6864 - pow(10.0, 11.0 / 20.0)) < 1e-4);
    struct mf_medium_settings near = k_quiet;
    near.range_m = 30.0;
    m = air_of(&s_air, &near);
    mf_medium_admit(m, &r);
    assert_true(mf_medium_range_m(m, &r) == 30.0);
}

/* ---- rounds */

/* What a receiver has got. */
struct heard {
    uint32_t count;
    uint32_t sender[MANY], number[MANY];
    double dbm[MANY];
    uint8_t first[MANY];
};

static void take(void *ctx, const struct mf_delivery *d)
{
    struct heard *h = ctx;
    h->sender[h->count] = d->packet->sender;
    h->number[h->count] = d->packet->number;
    h->first[h->count] = d->packet->size > 0 ? d->packet->bytes[0] : 0;
    h->dbm[h->count++] = d->strength_dbm;
}

static const uint8_t k_bytes[] = {1, 2, 3, 4};

static int send(struct mf_medium *m, uint32_t sender, uint32_t number, const struct mf_station *s)
{
    return mf_medium_send(m, &(struct mf_packet){sender, number, k_bytes, 4}, s);
}

static void test_packets_arrive_in_the_order_of_senders(void **state)
{
    (void)state;
    static struct air s_air;
    struct mf_medium *m = air_of(&s_air, &k_quiet);
    const struct mf_radio r = radio(MF_RADIO_CC2420);
    const struct mf_station place[] = {at(&r, 0.0, 0.0, 0.0), at(&r, 300.0, 0.0, 0.0),
                                       at(&r, -250.0, 0.0, 0.0)};
    mf_medium_admit(m, &r);
    mf_medium_begin(m);
    assert_int_equal(send(m, 3, 1, &place[0]), MF_E_OK);
    assert_int_equal(send(m, 3, 2, &place[0]), MF_E_OK);
    assert_int_equal(send(m, 8, 1, &place[1]), MF_E_OK);
    assert_int_equal(send(m, 9, 5, &place[2]), MF_E_OK);
    mf_medium_sort(m);
    struct heard h = {0};
    assert_int_equal(mf_medium_hear(m, 8, &place[1], take, &h), 2); /* 9 is 550 m away */
    assert_int_equal(h.count, 2);
    assert_true(h.sender[0] == 3 && h.number[0] == 1 && h.number[1] == 2 && h.first[1] == 1);
    h.count = 0;
    assert_int_equal(mf_medium_hear(m, 1, &place[0], take, &h), 4);
    assert_true(h.count == 4 && h.sender[2] == 8 && h.sender[3] == 9 && h.number[3] == 5);
    assert_true(fabs(h.dbm[2] + 89.6125) < 1e-4);
}

static void test_other_channels_are_not_heard(void **state)
{
    (void)state;
    static struct air s_air;
    struct mf_medium *m = air_of(&s_air, &k_quiet);
    struct mf_radio first, second;
    const struct mf_radio wide = radio(MF_RADIO_GENERIC);
    assert_int_equal(mf_radio_init(&first, MF_RADIO_CC2420, 31, 11), MF_E_OK);
    assert_int_equal(mf_radio_init(&second, MF_RADIO_CC2420, 31, 12), MF_E_OK);
    mf_medium_admit(m, &first);
    mf_medium_admit(m, &wide);
    const struct mf_station a = at(&first, 0.0, 0.0, 0.0), b = at(&second, 1.0, 0.0, 0.0),
                            c = at(&wide, 2.0, 0.0, 0.0);
    mf_medium_begin(m);
    assert_int_equal(send(m, 0, 1, &a), MF_E_OK);
    mf_medium_sort(m);
    struct heard h = {0};
    assert_int_equal(mf_medium_hear(m, 1, &b, take, &h), 0);
    assert_int_equal(mf_medium_hear(m, 2, &c, take, &h), 1); /* the whole band */
    assert_int_equal(mf_medium_hear(m, 0, &a, take, &h), 0); /* its own */
    assert_int_equal(h.count, 1);
}

static void test_bad_packets_are_refused_and_counted(void **state)
{
    (void)state;
    static struct air s_air;
    struct mf_medium *m = air_of(&s_air, &k_quiet);
    const struct mf_radio r = radio(MF_RADIO_CC2420);
    const struct mf_station here = at(&r, 0.0, 0.0, 0.0), nowhere = at(&r, (double)NAN, 0.0, 0.0),
                            far = at(&r, 0.0, 1.1e6, 0.0);
    mf_medium_admit(m, &r);
    mf_medium_begin(m);
    assert_int_equal(
        mf_medium_send(m, &(struct mf_packet){0, 1, k_bytes, 10u * 1000u * 1000u}, &here),
        MF_E_RANGE);
    assert_int_equal(send(m, 0, 2, &nowhere), MF_E_RANGE);
    assert_int_equal(send(m, 0, 3, &far), MF_E_RANGE);
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(send(m, i, 4, &here), MF_E_OK);
    }
    assert_int_equal(send(m, MANY, 4, &here), MF_E_FULL);
    assert_int_equal(m->refused, 4);
    mf_medium_sort(m);
    struct heard h = {0};
    assert_int_equal(mf_medium_hear(m, 9, &nowhere, take, &h), 0);
}

/* All stations by chance in a square; the grid must find what a look at each pair finds. */
static void fill(struct mf_medium *m, const struct mf_radio *r, struct mf_station *s, double wide_m)
{
    mf_medium_admit(m, r);
    mf_medium_begin(m);
    for (uint32_t i = 0; i < MANY; i++) {
        s[i] = at(r, wide_m * (mf_chance_unit(1, 3u * i) - 0.5),
                  wide_m * (mf_chance_unit(1, 3u * i + 1u) - 0.5),
                  20.0 * mf_chance_unit(1, 3u * i + 2u));
        s[i].identity = i;
        assert_int_equal(send(m, i, 1, &s[i]), MF_E_OK);
    }
    mf_medium_sort(m);
}

static void compare_with_pairs(const struct mf_medium_settings *settings, double wide_m)
{
    static struct air s_all, s_few;
    static struct mf_station s_station[MANY];
    static struct heard s_heard, s_pairs;
    const struct mf_radio r = radio(MF_RADIO_CC2420);
    struct mf_medium *all = air_of(&s_all, settings), *one = &s_few.m;
    mf_medium_init(one, settings, 1, s_few.memory);
    mf_medium_admit(one, &r);
    fill(all, &r, s_station, wide_m);
    uint32_t received = 0;
    const uint32_t apart = MANY / (uint32_t)mf_cases(100, MANY);
    for (uint32_t i = 0; i < MANY; i += apart) {
        s_heard.count = s_pairs.count = 0;
        (void)mf_medium_hear(all, i, &s_station[i], take, &s_heard);
        for (uint32_t k = 0; k < MANY; k++) {
            mf_medium_begin(one);
            assert_int_equal(send(one, k, 1, &s_station[k]), MF_E_OK);
            mf_medium_sort(one);
            (void)mf_medium_hear(one, i, &s_station[i], take, &s_pairs);
        }
        assert_int_equal(s_heard.count, s_pairs.count);
        assert_memory_equal(s_heard.sender, s_pairs.sender, s_heard.count * sizeof(uint32_t));
        assert_memory_equal(s_heard.dbm, s_pairs.dbm, s_heard.count * sizeof(double));
        received += s_heard.count;
    }
    assert_true(received > MANY / apart);
}

static void test_the_grid_hears_what_pairs_hear(void **state)
{
    (void)state;
    struct mf_medium_settings settings = {
        .noise_dbm = -100.0, .noise_sigma_db = 10.0, .range_m = 30.0, .key = 42};
    compare_with_pairs(&settings, 300.0); /* from cells */
    compare_with_pairs(&settings, 60.0);  /* all at once */
    settings.path = MF_PATH_TWO_RAY;
    settings.range_m = 1e6;
    compare_with_pairs(&settings, 3000.0);
}

/* SBE-07: at 30 m in compat the signal is -89.61 dBm, so that the noise decides: the part that is
 * received is PRR averaged over the noise. */
static void test_sbe07_noise_and_luck_have_their_distribution(void **state)
{
    (void)state;
    static struct air s_air;
    const struct mf_medium_settings settings = {
        .noise_dbm = -95.0, .noise_sigma_db = 2.0, .range_m = 100.0, .compat = true, .key = 5};
    struct mf_medium *m = air_of(&s_air, &settings);
    const struct mf_radio r = radio(MF_RADIO_CC2420);
    const struct mf_station from = at(&r, 0.0, 0.0, 0.0), to = at(&r, 30.0, 0.0, 0.0);
    struct mf_reception table;
    mf_reception_init(&table);
    mf_medium_admit(m, &r);
    double expected = 0.0, weight = 0.0;
    for (int i = -6000; i <= 6000; i++) {
        const double z = 0.001 * i;
        const double w = exp(-0.5 * z * z);
        expected += w * mf_radio_reception(&r, &table, -89.6125 + 95.0 - 2.0 * z);
        weight += w;
    }
    expected /= weight;
    uint32_t received = 0;
    static struct heard s_heard;
    const uint32_t rounds = 40000;
    for (uint32_t k = 0; k < rounds; k++) {
        mf_medium_begin(m);
        assert_int_equal(send(m, 0, k, &from), MF_E_OK);
        mf_medium_sort(m);
        s_heard.count = 0;
        (void)mf_medium_hear(m, 1, &to, take, &s_heard);
        received += s_heard.count;
    }
    const double part = (double)received / (double)rounds;
    assert_true(expected > 0.5 && expected < 0.8);
    assert_true(fabs(part - expected) < 3.0 * sqrt(expected * (1.0 - expected) / rounds));
}

/* At 4.5 dB two receivers at one place each get 0.410618 of the packets, and by luck of their own
 * one without the other in 2 * 0.410618 * 0.589382 = 0.484 of the cases. */
static void test_each_receiver_has_luck_of_its_own(void **state)
{
    (void)state;
    static struct air s_air;
    struct mf_medium_settings settings = k_quiet;
    settings.noise_dbm = -69.61251 - 4.5;
    struct mf_medium *m = air_of(&s_air, &settings);
    const struct mf_radio r = radio(MF_RADIO_CC2420);
    const struct mf_station from = at(&r, 0.0, 0.0, 0.0), to = at(&r, 30.0, 0.0, 0.0);
    struct mf_station other = to;
    other.identity = 1;
    static struct heard s_one, s_other, s_moved;
    uint32_t apart = 0;
    mf_medium_admit(m, &r);
    for (uint32_t k = 0; k < 10000; k++) {
        mf_medium_begin(m);
        assert_int_equal(send(m, 0, k, &from), MF_E_OK);
        mf_medium_sort(m);
        s_one.count = s_other.count = s_moved.count = 0;
        (void)mf_medium_hear(m, 1, &to, take, &s_one);
        (void)mf_medium_hear(m, 2, &other, take, &s_other);
        (void)mf_medium_hear(m, 3, &to, take, &s_moved); /* its number changes nothing */
        assert_int_equal(s_moved.count, s_one.count);
        apart += s_one.count != s_other.count ? 1u : 0u;
    }
    assert_true(fabs((double)apart / 10000.0 - 0.484) < 3.0 * sqrt(0.484 * 0.516 / 10000.0));
}

/* ---- radios and ways of others */

static double tenth(const void *ctx, double snr_db)
{
    assert_true(snr_db >= 3.0); /* below it nobody asks */
    return *(const double *)ctx;
}

static double by_numbers(const void *ctx, const struct mf_medium_way *way)
{
    assert_ptr_equal(ctx, &k_quiet);
    assert_true(way->frequency_mhz == 868.0 && way->from_neu_m[0] == 1.0 &&
                way->to_neu_m[1] == 4.0);
    return 100.0 * way->sender + 10.0 * way->receiver + way->distance_m;
}

static void test_sbe18_radios_and_path_loss_of_others(void **state)
{
    (void)state;
    static struct air s_air;
    static const double k_part = 0.1;
    struct mf_medium_settings settings = k_quiet;
    struct mf_reception table;
    struct mf_radio r = radio(MF_RADIO_OTHER);
    mf_reception_init(&table);
    r.ratio = tenth;
    r.ctx = &k_part;
    r.least_snr_db = 3.0;
    r.frequency_mhz = 868.0;
    r.power_dbm = 400.0;
    assert_true(mf_radio_reception(&r, &table, 2.99) == 0.0);
    assert_true(mf_radio_reception(&r, &table, 3.0) == k_part);
    assert_true(mf_radio_least_snr_db(&r) == 3.0);
    settings.path = MF_PATH_OTHER;
    settings.range_m = 50.0;
    settings.loss_db = by_numbers;
    settings.ctx = &k_quiet;
    struct mf_medium *m = air_of(&s_air, &settings);
    const struct mf_station from = at(&r, 1.0, 0.0, 0.0);
    struct mf_station to = at(&r, 4.0, 4.0, 0.0);
    const double k_all = 1.0;
    r.ctx = &k_all;
    /* 400 dBm less 100 for the sender, 20 for the receiver, 5 for 3-4-5 metres */
    assert_true(strength_dbm(m, &from, &to) == 275.0);
    assert_true(mf_medium_range_m(m, &r) == 50.0);
    to.neu_m[0] = 52.0; /* 51.2 m */
    assert_true(isnan(strength_dbm(m, &from, &to)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decibels_and_their_functions),
        cmocka_unit_test(test_sbe07_levels_and_channels_of_the_data_sheets),
        cmocka_unit_test(test_sbe07_a_cc2420_receives_by_its_table),
        cmocka_unit_test(test_sbe09_what_radios_use),
        cmocka_unit_test(test_sbe07_antennas),
        cmocka_unit_test(test_sbe07_free_space),
        cmocka_unit_test(test_sbe07_two_rays),
        cmocka_unit_test(test_the_range_follows_from_the_budget),
        cmocka_unit_test(test_packets_arrive_in_the_order_of_senders),
        cmocka_unit_test(test_other_channels_are_not_heard),
        cmocka_unit_test(test_bad_packets_are_refused_and_counted),
        cmocka_unit_test(test_the_grid_hears_what_pairs_hear),
        cmocka_unit_test(test_sbe07_noise_and_luck_have_their_distribution),
        cmocka_unit_test(test_each_receiver_has_luck_of_its_own),
        cmocka_unit_test(test_sbe18_radios_and_path_loss_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
