/* SPDX-License-Identifier: Apache-2.0 */
#include "host/api/track.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define DEG_PER_M (1.0 / 111319.49079327358) /* of a sphere as large as the equator */

static struct mf_track s_track;

static void near(double value, double want, double within)
{
    if (!(fabs(value - want) <= within)) {
        fail_msg("%.9g is not %.9g", value, want);
    }
}

/* The vehicle is at @p north_m, @p up_m at a time; it reports a place @p off_m further east. */
static void add(double t_s, double north_m, double up_m, double off_m)
{
    const struct mf_track_point now = {
        .t_us = (mf_us_t)(t_s * 1e6 + 0.5),
        .truth = {47.0 + north_m * DEG_PER_M, 8.0, up_m},
        .reported = {47.0 + north_m * DEG_PER_M, 8.0 + off_m * DEG_PER_M, up_m},
        .reports = true,
    };
    mf_track_add(&s_track, &now);
}

static void expect(uint32_t i, double t_s, double north_m)
{
    assert_true(i < s_track.count);
    near((double)s_track.point[i].t_us / 1e6, t_s, 1e-9);
    near((s_track.point[i].truth.lat_deg - 47.0) / DEG_PER_M, north_m, 1e-6);
}

/* Stands 10 s, flies 20 s at 5 m/s, stands: where the motion changes, whatever the samples. */
static void test_a_leg_is_two_points(void **state)
{
    static const double k_step[] = {0.01, 0.5, 10.0};
    (void)state;
    for (size_t k = 0; k < sizeof k_step / sizeof k_step[0]; k++) {
        mf_track_clear(&s_track);
        for (int i = 0; i * k_step[k] <= 40.0; i++) {
            const double t_s = i * k_step[k];
            add(t_s, fmin(fmax(t_s - 10.0, 0.0) * 5.0, 100.0), 0.0, 0.0);
        }
        assert_int_equal(s_track.count, 3);
        assert_true(s_track.pending);
        expect(0, 0.0, 0.0);
        near((double)s_track.point[1].t_us / 1e6, 10.0, 0.03); /* 0.1 m at 5 m/s */
        near((double)s_track.point[2].t_us / 1e6, 30.0, 0.03);
    }
}

/* A curve: no sample is further from the line than the tolerance. */
static void test_what_is_left_out_is_near_the_line(void **state)
{
    (void)state;
    mf_track_clear(&s_track);
    for (int i = 0; i <= 10000; i++) {
        add(i * 0.01, 50.0 * sin(i * 0.001), 0.0, 0.0);
    }
    assert_in_range(s_track.count, 20, 100);
    uint32_t k = 0;
    for (int i = 0; i <= 9000; i++) {
        const double t_s = i * 0.01;
        while (k + 2 < s_track.count && (double)s_track.point[k + 1].t_us / 1e6 < t_s) {
            k++;
        }
        const struct mf_track_point *a = &s_track.point[k], *b = &s_track.point[k + 1];
        const double part = (t_s - (double)a->t_us / 1e6) / ((double)(b->t_us - a->t_us) / 1e6);
        const double north_m =
            (a->truth.lat_deg + part * (b->truth.lat_deg - a->truth.lat_deg) - 47.0) / DEG_PER_M;
        near(north_m, 50.0 * sin(i * 0.001), 2 * MF_TRACK_TOLERANCE_M);
    }
}

/* The report glitches at one instant while the vehicle stands: both places are told. */
static void test_a_jump_is_two_points_of_one_instant(void **state)
{
    (void)state;
    mf_track_clear(&s_track);
    add(0.0, 0.0, 0.0, 0.0);
    add(5.0, 0.0, 0.0, 0.0);
    add(5.0, 0.0, 0.0, 30.0);
    add(5.0, 0.0, 0.0, 30.0);
    add(9.0, 0.0, 0.0, 30.0);
    assert_int_equal(s_track.count, 3);
    expect(1, 5.0, 0.0);
    expect(2, 5.0, 0.0);
    near(mf_track_apart_m(&s_track.point[1].truth, &s_track.point[1].reported), 0.0, 1e-9);
    near(mf_track_apart_m(&s_track.point[2].truth, &s_track.point[2].reported),
         30.0 * cos(47.0 * 0.017453292519943295), 1e-3);
}

static void test_old_points_become_fewer(void **state)
{
    (void)state;
    mf_track_clear(&s_track);
    for (int i = 0; i < 3 * (int)MF_TRACK_MAX; i++) {
        add(i, i % 2 == 0 ? 0.0 : 50.0, 0.0, 0.0); /* each one is a corner */
    }
    assert_in_range(s_track.count, MF_TRACK_MAX / 2, MF_TRACK_MAX);
    assert_int_equal(s_track.total, 3 * MF_TRACK_MAX - 1);
    expect(0, 0.0, 0.0); /* where it began stays */
    for (uint32_t i = 1; i < s_track.count; i++) {
        assert_true(s_track.point[i].t_us > s_track.point[i - 1].t_us);
    }
    expect(s_track.count - 1, 3 * MF_TRACK_MAX - 2, 0.0);
    assert_int_equal(s_track.point[s_track.count - 1].t_us - s_track.point[s_track.count - 2].t_us,
                     1000000);
}

static void test_what_is_later_than_a_time(void **state)
{
    (void)state;
    mf_track_clear(&s_track);
    assert_int_equal(mf_track_after(&s_track, -1), 0);
    for (int i = 0; i < 9; i++) {
        add(i, i % 2 == 0 ? 0.0 : 50.0, 0.0, 0.0);
    }
    assert_int_equal(mf_track_after(&s_track, -1), 0);
    assert_int_equal(mf_track_after(&s_track, 0), 1);
    assert_int_equal(mf_track_after(&s_track, 2500000), 3);
    assert_int_equal(mf_track_after(&s_track, 99000000), s_track.count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_leg_is_two_points),
        cmocka_unit_test(test_what_is_left_out_is_near_the_line),
        cmocka_unit_test(test_a_jump_is_two_points_of_one_instant),
        cmocka_unit_test(test_old_points_become_fewer),
        cmocka_unit_test(test_what_is_later_than_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
