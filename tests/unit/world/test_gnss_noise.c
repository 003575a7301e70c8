/* SPDX-License-Identifier: Apache-2.0 */
#include "world/gnss_noise.h"

#include "math/geodesic.h"
#include "world/gnss.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* cmocka compares floats; these are doubles. */
#define assert_near(x, y, by) assert_true(fabs((double)(x) - (double)(y)) <= (by))

#define SECOND  MF_SECOND_US
#define FIX_US  200000
#define LAT_DEG 47.3977420
#define LON_DEG 8.5455940

static const struct mf_seed k_seed = {1, 1};

/* A receiver that says what the test says. */
struct puppet {
    struct mf_fix fix;
    int result;
    mf_us_t next_us;
};

static int puppet_read(void *ctx, mf_us_t t_us, struct mf_fix *fix)
{
    const struct puppet *p = ctx;
    (void)t_us;
    *fix = p->fix;
    return p->result;
}

static int puppet_next(void *ctx, mf_us_t t_us, mf_us_t *at_us)
{
    const struct puppet *p = ctx;
    (void)t_us;
    *at_us = p->next_us;
    return p->result;
}

static const struct mf_gnss_ops k_puppet = {puppet_read, puppet_next};

struct fixture {
    struct puppet puppet;
    struct mf_gnss_noise noise;
};

static struct fixture *fresh(struct fixture *f, const struct mf_gnss_errors *errors)
{
    *f = (struct fixture){.puppet = {.fix = {.type = MF_FIX_3D,
                                             .satellites = 10,
                                             .lat_e7 = 473977420,
                                             .lon_e7 = 85455940,
                                             .alt_amsl_mm = 488000,
                                             .alt_ellipsoid_mm = 535260,
                                             .hdop_x100 = 70,
                                             .vdop_x100 = 110,
                                             .cog_cdeg = UINT16_MAX,
                                             .h_acc_mm = 900,
                                             .v_acc_mm = 1780,
                                             .vel_acc_mmps = 400,
                                             .utc_us = 1234}}};
    mf_gnss_noise_init(&f->noise, &k_puppet, &f->puppet, &k_seed, errors);
    return f;
}

static struct mf_fix fix_at(struct fixture *f, mf_us_t t_us)
{
    struct mf_fix fix;
    memset(&fix, 0xFF, sizeof fix);
    assert_int_equal(mf_gnss_noise_ops.read(&f->noise, t_us, &fix), MF_E_OK);
    return fix;
}

/* What was received, north, east and down of the truth [m]. */
static void received(const struct mf_fix *fix, double ned_m[3])
{
    mf_geo_to_local((struct mf_geo){LAT_DEG, LON_DEG},
                    (struct mf_geo){fix->lat_e7 * 1e-7, fix->lon_e7 * 1e-7}, ned_m);
    ned_m[2] = (488000 - fix->alt_amsl_mm) * 1e-3;
}

static void test_sim043_without_errors_nothing_changes(void **state)
{
    const struct mf_gnss_errors none = {.drift_time_s = 60.0};
    struct fixture f;
    (void)state;
    const struct mf_fix fix = fix_at(fresh(&f, &none), 987654321);
    f.puppet.fix.period_us = FIX_US;
    assert_memory_equal(&fix, &f.puppet.fix, sizeof fix);
}

/* Deviations and means of 50,000 fixes. */
static void test_sim043_noise_has_its_deviation(void **state)
{
    const struct mf_gnss_errors errors = {
        .noise_m = 2.0, .noise_vertical_m = 3.0, .drift_time_s = 60.0};
    const double sd_m[3] = {2.0, 2.0, 3.0};
    double mean[3] = {0}, square[3] = {0}, next[3] = {0}, before[3] = {0};
    const int n = 50000;
    struct fixture f;
    (void)state;
    fresh(&f, &errors);
    for (int i = 0; i < n; i++) {
        const struct mf_fix fix = fix_at(&f, (mf_us_t)i * FIX_US + i % FIX_US);
        double ned_m[3];
        received(&fix, ned_m);
        assert_int_equal(fix.alt_ellipsoid_mm - fix.alt_amsl_mm, 47260);
        for (size_t axis = 0; axis < 3; axis++) {
            mean[axis] += ned_m[axis] / n;
            square[axis] += ned_m[axis] * ned_m[axis] / n;
            next[axis] += ned_m[axis] * before[axis] / n;
            before[axis] = ned_m[axis];
        }
    }
    for (size_t axis = 0; axis < 3; axis++) {
        assert_near(mean[axis] / sd_m[axis], 0.0, 0.02);
        assert_near(sqrt(square[axis]) / sd_m[axis], 1.0, 0.02);
        assert_near(next[axis] / square[axis], 0.0, 0.02); /* white */
    }
}

static void test_sim043_noise_is_new_with_each_fix(void **state)
{
    const struct mf_gnss_errors errors = {.noise_m = 2.0, .drift_time_s = 60.0};
    struct fixture f;
    (void)state;
    fresh(&f, &errors);
    const struct mf_fix first = fix_at(&f, 10 * FIX_US), last = fix_at(&f, 11 * FIX_US - 1);
    const struct mf_fix new = fix_at(&f, 11 * FIX_US);
    assert_true(first.lat_e7 == last.lat_e7 && first.lon_e7 == last.lon_e7);
    assert_true(first.lat_e7 != new.lat_e7 &&first.lon_e7 != new.lon_e7);
    assert_int_equal(new.alt_amsl_mm, 488000);
    assert_int_equal(new.period_us, FIX_US);
}

static void test_sim043_drift_is_slow(void **state)
{
    const struct mf_gnss_errors errors = {
        .drift_m = 5.0, .drift_vertical_m = 8.0, .drift_time_s = 30.0};
    double square[3] = {0};
    const int n = 8000;
    struct fixture f;
    (void)state;
    fresh(&f, &errors);
    for (int i = 0; i < n; i++) {
        const mf_us_t t_us = (mf_us_t)i * 30 * SECOND;
        const struct mf_fix fix = fix_at(&f, t_us), soon = fix_at(&f, t_us + SECOND);
        double ned_m[3], soon_m[3];
        received(&fix, ned_m);
        received(&soon, soon_m);
        for (size_t axis = 0; axis < 3; axis++) {
            assert_near(soon_m[axis], ned_m[axis], 2.5);
            square[axis] += ned_m[axis] * ned_m[axis] / n;
        }
    }
    assert_near(sqrt(square[0]), 5.0, 0.15);
    assert_near(sqrt(square[1]), 5.0, 0.15);
    assert_near(sqrt(square[2]), 8.0, 0.25);
}

static void test_sim043_accuracies_admit_it(void **state)
{
    const struct mf_gnss_errors small = {.noise_m = 0.5, .drift_m = 0.5, .drift_time_s = 60.0};
    const struct mf_gnss_errors large = {.noise_m = 3.0,
                                         .drift_m = 4.0,
                                         .noise_vertical_m = 3.56,
                                         .noise_mps = 0.8,
                                         .drift_time_s = 60.0};
    const struct mf_gnss_errors huge = {.noise_m = 100.0, .drift_m = 1000.0, .drift_time_s = 60.0};
    struct fixture f;
    (void)state;
    struct mf_fix fix = fix_at(fresh(&f, &small), 0);
    assert_int_equal(fix.h_acc_mm, 900);
    assert_int_equal(fix.hdop_x100, 70);
    fix = fix_at(fresh(&f, &large), 0);
    assert_int_equal(fix.h_acc_mm, 5000);
    assert_int_equal(fix.hdop_x100, 389); /* 70 * 5 / 0.9 */
    assert_int_equal(fix.v_acc_mm, 3560);
    assert_int_equal(fix.vdop_x100, 220);
    assert_int_equal(fix.vel_acc_mmps, 800);
    fix = fix_at(fresh(&f, &huge), 0);
    assert_int_equal(fix.hdop_x100, 65534); /* 65535 says unknown */
}

static void test_sim043_speed_has_noise_of_its_own(void **state)
{
    const struct mf_gnss_errors errors = {.noise_mps = 0.5, .drift_time_s = 60.0};
    double north = 0.0, north_square = 0.0, east_square = 0.0;
    const int n = 20000;
    struct fixture f;
    (void)state;
    fresh(&f, &errors);
    f.puppet.fix.vel_cmps = 1000;
    f.puppet.fix.cog_cdeg = 0;
    for (int i = 0; i < n; i++) {
        const struct mf_fix fix = fix_at(&f, (mf_us_t)i * FIX_US);
        assert_true(fix.cog_cdeg < 36000 && fix.lat_e7 == 473977420);
        const double course = fix.cog_cdeg * (M_PI / 18000.0);
        const double n_mps = fix.vel_cmps * 0.01 * cos(course),
                     e_mps = fix.vel_cmps * 0.01 * sin(course);
        north += n_mps / n;
        north_square += (n_mps - 10.0) * (n_mps - 10.0) / n;
        east_square += e_mps * e_mps / n;
    }
    assert_near(north, 10.0, 0.02);
    assert_near(sqrt(north_square), 0.5, 0.02);
    assert_near(sqrt(east_square), 0.5, 0.02);
    f.puppet.fix.vel_cmps = 0; /* standing: some speed, no course */
    f.puppet.fix.cog_cdeg = UINT16_MAX;
    const struct mf_fix standing = fix_at(&f, 0);
    assert_true(standing.vel_cmps > 0 && standing.vel_cmps < 300);
    assert_int_equal(standing.cog_cdeg, UINT16_MAX);
    f.puppet.fix.vel_cmps = 65534;
    f.puppet.fix.cog_cdeg = 27000;
    for (int i = 0; i < 100; i++) {
        assert_true(fix_at(&f, (mf_us_t)i * FIX_US).vel_cmps <= 65534);
    }
}

static void test_answers_without_a_fix_pass_unchanged(void **state)
{
    const struct mf_gnss_errors errors = {.noise_m = 5.0, .drift_m = 5.0, .drift_time_s = 60.0};
    struct fixture f;
    mf_us_t at_us;
    (void)state;
    fresh(&f, &errors);
    f.puppet.fix = mf_gnss_without_fix(MF_FIX_NO_FIX);
    const struct mf_fix fix = fix_at(&f, SECOND);
    assert_memory_equal(&fix, &f.puppet.fix, sizeof fix);
    f.puppet.next_us = 77;
    assert_int_equal(mf_gnss_noise_ops.next(&f.noise, 0, &at_us), MF_E_OK);
    assert_int_equal(at_us, 77);
    f.puppet.result = MF_E_IO;
    struct mf_fix silent;
    assert_int_equal(mf_gnss_noise_ops.read(&f.noise, SECOND, &silent), MF_E_IO);
    assert_int_equal(mf_gnss_noise_ops.next(&f.noise, 0, &at_us), MF_E_IO);
}

static void test_altitudes_at_the_end_of_their_range_stay_there(void **state)
{
    const struct mf_gnss_errors errors = {.noise_vertical_m = 100.0, .drift_time_s = 60.0};
    struct fixture f;
    (void)state;
    fresh(&f, &errors);
    f.puppet.fix.alt_amsl_mm = f.puppet.fix.alt_ellipsoid_mm = INT32_MAX;
    for (int i = 0; i < 20; i++) {
        assert_true(fix_at(&f, (mf_us_t)i * FIX_US).alt_amsl_mm > 2147000000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim043_without_errors_nothing_changes),
        cmocka_unit_test(test_sim043_noise_has_its_deviation),
        cmocka_unit_test(test_sim043_noise_is_new_with_each_fix),
        cmocka_unit_test(test_sim043_drift_is_slow),
        cmocka_unit_test(test_sim043_accuracies_admit_it),
        cmocka_unit_test(test_sim043_speed_has_noise_of_its_own),
        cmocka_unit_test(test_answers_without_a_fix_pass_unchanged),
        cmocka_unit_test(test_altitudes_at_the_end_of_their_range_stay_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
