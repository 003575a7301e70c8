/* SPDX-License-Identifier: Apache-2.0 */
#include "world/egm96.h"
#include "world/gnss.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* An airframe that is where the test says. */
struct puppet {
    struct mf_pose pose;
    int result;
    mf_us_t rest_us;
};

static int puppet_sample(void *ctx, mf_us_t t_us, struct mf_pose *pose)
{
    const struct puppet *p = ctx;
    (void)t_us;
    *pose = p->pose;
    return p->result;
}

static int puppet_next(void *ctx, mf_us_t t_us, enum mf_when when, double value, mf_us_t *at_us)
{
    const struct puppet *p = ctx;
    (void)t_us, (void)value;
    assert_int_equal(when, MF_WHEN_REST);
    *at_us = p->rest_us;
    return MF_E_OK;
}

static const struct mf_airframe_ops k_puppet = {.sample = puppet_sample, .next = puppet_next};

struct fixture {
    struct puppet puppet;
    struct mf_gnss_exact gnss;
    struct mf_geoid geoid;
    struct mf_earth earth;
};

static struct fixture *fresh(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    f->puppet.pose.lat_deg = 47.39774200;
    f->puppet.pose.lon_deg = 8.54559412;
    f->puppet.pose.alt_amsl_m = 488.1234;
    mf_gnss_exact_init(&f->gnss, &k_puppet, &f->puppet);
    return f;
}

static struct mf_fix read_fix(struct fixture *f, mf_us_t t_us)
{
    struct mf_fix fix;
    memset(&fix, 0xff, sizeof fix);
    assert_int_equal(mf_gnss_exact_ops.read(&f->gnss, t_us, &fix), MF_E_OK);
    return fix;
}

static void test_sim020_defaults(void **state)
{
    struct fixture f;
    (void)state;
    const struct mf_fix fix = read_fix(fresh(&f), 0);
    assert_int_equal(fix.type, 3);
    assert_int_equal(fix.satellites, 10);
    assert_int_equal(fix.hdop_x100, 70);
    assert_int_equal(fix.vdop_x100, 110);
    assert_int_equal(fix.h_acc_mm, 900);
    assert_int_equal(fix.v_acc_mm, 1780);
    assert_int_equal(fix.vel_acc_mmps, 400);
    assert_true(fix.utc_us == 0);
}

static void test_sim020_satellites_are_configurable(void **state)
{
    struct fixture f;
    (void)state;
    fresh(&f)->gnss.satellites = 17;
    assert_int_equal(read_fix(&f, 0).satellites, 17);
}

static void test_sim043_position_is_the_truth_rounded(void **state)
{
    struct fixture f;
    (void)state;
    struct mf_fix fix = read_fix(fresh(&f), 123456789);
    assert_int_equal(fix.lat_e7, 473977420);
    assert_int_equal(fix.lon_e7, 85455941);
    assert_int_equal(fix.alt_amsl_mm, 488123);
    assert_int_equal(fix.period_us, 0);
    f.puppet.pose.lat_deg = -89.99999996;
    f.puppet.pose.lon_deg = -180.0;
    f.puppet.pose.alt_amsl_m = -0.0006;
    fix = read_fix(&f, 123456789);
    assert_int_equal(fix.lat_e7, -900000000);
    assert_int_equal(fix.lon_e7, -1800000000);
    assert_int_equal(fix.alt_amsl_mm, -1);
}

/* An Earth of one undulation. */
static void put_on(struct fixture *f, double undulation_m)
{
    memset(&f->geoid, 0, sizeof f->geoid);
    assert_int_equal(mf_geoid_add_constant(&f->geoid, undulation_m), MF_E_OK);
    assert_int_equal(mf_earth_init(&f->earth, &f->geoid, 0.0, 0.0), MF_E_OK);
    f->gnss.earth = &f->earth;
}

/* The sum is rounded, not its parts: the two altitudes are off by half a millimetre at
 * most, each. */
static void test_sim039_altitudes_differ_by_the_undulation(void **state)
{
    static struct fixture f;
    (void)state;
    put_on(fresh(&f), 47.2604);
    for (int i = 0; i < 5000; i++) {
        f.puppet.pose.alt_amsl_m = 400.0 + 0.00037 * i;
        const struct mf_fix fix = read_fix(&f, 0);
        assert_int_equal(fix.alt_ellipsoid_mm, (44726040 + 37 * i + 50) / 100);
        assert_int_equal(fix.alt_amsl_mm, (40000000 + 37 * i + 50) / 100);
    }
    put_on(&f, -106.9); /* south of India */
    f.puppet.pose.alt_amsl_m = 2.5;
    assert_int_equal(read_fix(&f, 0).alt_ellipsoid_mm, -104400);
}

/* GeoidEval's cubic values, rounded to whole millimetres; the pack's nodes are whole, too. */
static void test_sim039_sim040_egm96_at_named_places(void **state)
{
    static const struct {
        double lat_deg, lon_deg;
        int undulation_mm;
    } k[] = {{47.397742, 8.545594, 47237}, {35.8825, 76.51333, -22377},
             {-4.0784, 137.1583, 81001},   {4.7083333, 78.7666667, -107004},
             {-16.85, -179.98, 51906},     {90.0, 45.0, 13605},
             {-90.0, 123.456, -29535},     {51.5074, -0.1278, 45964},
             {-77.8419, 166.6863, -53386}};
    static struct fixture f;
    struct mf_pack pack;
    (void)state;
    fresh(&f);
    assert_int_equal(mf_pack_open(&pack, mf_egm96_pack, mf_egm96_pack_size), MF_E_OK);
    assert_int_equal(mf_geoid_add(&f.geoid, &pack, MF_PACK_CUBIC), MF_E_OK);
    assert_int_equal(mf_earth_init(&f.earth, &f.geoid, 0.0, 0.0), MF_E_OK);
    assert_true(f.earth.everywhere);
    f.gnss.earth = &f.earth;
    f.puppet.pose.alt_amsl_m = 1000.0;
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        f.puppet.pose.lat_deg = k[i].lat_deg;
        f.puppet.pose.lon_deg = k[i].lon_deg;
        assert_in_range(read_fix(&f, 0).alt_ellipsoid_mm, 1000000 + k[i].undulation_mm - 2,
                        1000000 + k[i].undulation_mm + 2);
    }
}

/* Where there may be no model, what lies ahead of a body that moves is not known. */
static void test_sim040_a_receiver_that_may_leave_the_models_is_polled(void **state)
{
    static struct fixture f;
    mf_us_t at_us;
    (void)state;
    put_on(fresh(&f), 10.0);
    assert_int_equal(mf_gnss_exact_ops.next(&f.gnss, 5, &at_us), MF_E_OK);
    assert_true(at_us == MF_NEVER);
    f.earth.everywhere = false;
    f.puppet.rest_us = 10;
    assert_int_equal(mf_gnss_exact_ops.next(&f.gnss, 5, &at_us), MF_E_NOSUPP);
    f.puppet.rest_us = 5;
    assert_int_equal(mf_gnss_exact_ops.next(&f.gnss, 5, &at_us), MF_E_OK);
    assert_true(at_us == MF_NEVER);
    f.gnss.fix_after_us = 100;
    assert_int_equal(mf_gnss_exact_ops.next(&f.gnss, 5, &at_us), MF_E_OK);
    assert_true(at_us == 100);
}

static void test_speed_and_course_over_ground(void **state)
{
    static const struct {
        float north, east;
        int cmps, cdeg;
    } k[] = {
        {10.0f, 0.0f, 1000, 0},    {0.0f, 10.0f, 1000, 9000}, {-3.0f, 0.0f, 300, 18000},
        {0.0f, -3.0f, 300, 27000}, {3.0f, 4.0f, 500, 5313},   {3.0f, -4.0f, 500, 30687},
        {1.0f, -1e-9f, 100, 0},    {0.0f, 0.0f, 0, 65535},    {700.0f, 0.0f, 65534, 0},
    };
    struct fixture f;
    (void)state;
    fresh(&f)->puppet.pose.vel_ned_mps[2] = -3.0f; /* climbing is not a speed over ground */
    for (size_t i = 0; i < sizeof k / sizeof k[0]; i++) {
        f.puppet.pose.vel_ned_mps[0] = k[i].north;
        f.puppet.pose.vel_ned_mps[1] = k[i].east;
        const struct mf_fix fix = read_fix(&f, 0);
        assert_int_equal(fix.vel_cmps, k[i].cmps);
        assert_int_equal(fix.cog_cdeg, k[i].cdeg);
    }
}

static void test_utc_follows_vehicle_time(void **state)
{
    struct fixture f;
    (void)state;
    fresh(&f)->gnss.epoch_utc_us = INT64_C(1700000000000000);
    assert_true(read_fix(&f, 2500000).utc_us == INT64_C(1700000002500000));
}

static void test_sim045_a_fix_from_the_start(void **state)
{
    struct fixture f;
    mf_us_t at_us = 0;
    (void)state;
    assert_int_equal(read_fix(fresh(&f), 0).type, 3);
    assert_int_equal(mf_gnss_exact_ops.next(&f.gnss, 0, &at_us), MF_E_OK);
    assert_true(at_us == MF_NEVER);
}

static void test_no_fix_before_warm_up_ends(void **state)
{
    struct fixture f;
    mf_us_t at_us = 0;
    (void)state;
    fresh(&f)->gnss.fix_after_us = 5000000;
    const struct mf_fix cold = read_fix(&f, 4999999);
    assert_int_equal(cold.type, 1);
    assert_true(cold.satellites == 0 && cold.lat_e7 == 0 && cold.h_acc_mm == 0);
    assert_true(cold.hdop_x100 == 65535 && cold.vel_cmps == 65535 && cold.cog_cdeg == 65535);
    assert_int_equal(read_fix(&f, 5000000).type, 3);
    assert_int_equal(mf_gnss_exact_ops.next(&f.gnss, 4999999, &at_us), MF_E_OK);
    assert_true(at_us == 5000000);
    assert_int_equal(mf_gnss_exact_ops.next(&f.gnss, 5000000, &at_us), MF_E_OK);
    assert_true(at_us == MF_NEVER);
}

static void test_silent_without_a_pose(void **state)
{
    struct fixture f;
    struct mf_fix fix;
    (void)state;
    fresh(&f)->puppet.result = MF_E_IO;
    assert_int_equal(mf_gnss_exact_ops.read(&f.gnss, 0, &fix), MF_E_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim020_defaults),
        cmocka_unit_test(test_sim020_satellites_are_configurable),
        cmocka_unit_test(test_sim043_position_is_the_truth_rounded),
        cmocka_unit_test(test_sim039_altitudes_differ_by_the_undulation),
        cmocka_unit_test(test_sim039_sim040_egm96_at_named_places),
        cmocka_unit_test(test_sim040_a_receiver_that_may_leave_the_models_is_polled),
        cmocka_unit_test(test_speed_and_course_over_ground),
        cmocka_unit_test(test_utc_follows_vehicle_time),
        cmocka_unit_test(test_sim045_a_fix_from_the_start),
        cmocka_unit_test(test_no_fix_before_warm_up_ends),
        cmocka_unit_test(test_silent_without_a_pose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
