/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every field with an altitude says the same: flights by real EGM96, with all messages that carry
 * one sampled together, against a lookup of another make (geoid_reference.h).
 */
#include "tests/sim/geoid_reference.h"
#include "tests/sim/rig.h"
#include "tests/unit/support/cases.h"

#include "mavlink/enums.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SAMPLE_US    50000
#define EPOCH_US     INT64_C(1800000000000000)
#define POLE_DEG     89.75     /* nearer the reference has no answer */
#define WITHIN_MM    2.0       /* node in whole mm, sum in whole mm */
#define PLACES       100, 1000 /* by day, at night */
#define STEEP_LAT    27.9
#define STEEP_LON    86.9
#define ANTIMERIDIAN 179.999

/* Messages that are sent together at each sample, and what came of them. */
struct sample {
    struct mf_msg_gps_raw_int gps;
    struct mf_msg_global_position_int global;
    struct mf_msg_altitude altitude;
    struct mf_msg_utm_global_position utm;
    struct mf_msg_local_position_ned local;
    struct mf_msg_odometry odometry;
    struct mf_msg_vfr_hud hud;
    struct mf_msg_home_position home;
    struct mf_msg_gps_global_origin origin;
};

static bool g_reference;

static struct mf_world_settings place(double lat_deg, double lon_deg, double alt_amsl_m)
{
    struct mf_world_settings s = mf_world_settings_default();
    s.home_lat_deg = lat_deg;
    s.home_lon_deg = lon_deg;
    s.home_alt_amsl_m = alt_amsl_m;
    s.epoch_utc_us = EPOCH_US;
    s.geoid = geoid_egm96();
    return s;
}

/* All streams that a sample is made of, at the same instants; no others. */
static struct rig *begin(const struct mf_world_settings *settings)
{
    static const uint32_t k_sampled[] = {MF_MSG_GPS_RAW_INT,
                                         MF_MSG_GLOBAL_POSITION_INT,
                                         MF_MSG_ALTITUDE,
                                         MF_MSG_UTM_GLOBAL_POSITION,
                                         MF_MSG_LOCAL_POSITION_NED,
                                         MF_MSG_ODOMETRY,
                                         MF_MSG_VFR_HUD,
                                         MF_MSG_HOME_POSITION,
                                         MF_MSG_GPS_GLOBAL_ORIGIN};
    const struct mf_options options = {.px4_motion = settings->motion == MF_WORLD_MOTION_PHYSICS};
    struct rig *r = rig_new_in(&options, settings);
    struct mf_link *link = &r->links[0];
    for (int i = 0; i < MF_STREAM_COUNT; i++) {
        (void)mf_stream_set(&r->drone.vehicle, link, mf_stream_msgid((enum mf_stream)i), -1.0f, 0);
    }
    for (size_t i = 0; i < sizeof k_sampled / sizeof k_sampled[0]; i++) {
        assert_int_equal(mf_stream_set(&r->drone.vehicle, link, k_sampled[i], (float)SAMPLE_US, 0),
                         MF_E_OK);
    }
    mf_mock_clear(&r->mock, 0);
    return r;
}

static void take(struct rig *r, uint32_t msgid, void *m)
{
    assert_true(mf_mock_take(&r->mock, 0, msgid, m));
    assert_int_equal(mf_mock_count(&r->mock, 0, msgid), 0);
}

static void near(double got, double want, double within)
{
    if (!(fabs(got - want) <= within)) {
        fail_msg("%.6f is not %.6f", got, want);
    }
}

/* The next sample, at the next multiple of its period. */
static struct sample next(struct rig *r)
{
    struct sample s;
    const mf_us_t at_us = (r->mock.now.vehicle_us / SAMPLE_US + 1) * SAMPLE_US;
    mf_mock_clear(&r->mock, 0);
    rig_run_until(r, at_us);
    take(r, MF_MSG_GPS_RAW_INT, &s.gps);
    take(r, MF_MSG_GLOBAL_POSITION_INT, &s.global);
    take(r, MF_MSG_ALTITUDE, &s.altitude);
    take(r, MF_MSG_UTM_GLOBAL_POSITION, &s.utm);
    take(r, MF_MSG_LOCAL_POSITION_NED, &s.local);
    take(r, MF_MSG_ODOMETRY, &s.odometry);
    take(r, MF_MSG_VFR_HUD, &s.hud);
    while (mf_mock_take(&r->mock, 0, MF_MSG_HOME_POSITION, &s.home)) { /* also when it is set */
    }
    take(r, MF_MSG_GPS_GLOBAL_ORIGIN, &s.origin);
    assert_int_equal(s.gps.time_usec, at_us);
    assert_int_equal(s.global.time_boot_ms, at_us / 1000);
    assert_int_equal(s.altitude.time_usec, at_us);
    assert_int_equal(s.utm.time, EPOCH_US + at_us);
    return s;
}

/* What each field says is what all others say. Floats are as good as 24 bits are. */
static void agree(const struct rig *r, const struct sample *s)
{
    const double amsl_mm = s->gps.alt;
    const double ulp_mm = fabs(amsl_mm) / 8388608.0;
    assert_int_equal(s->gps.fix_type, 3);
    assert_int_equal(s->global.alt, s->gps.alt);
    assert_int_equal(s->utm.alt, s->gps.alt_ellipsoid);
    assert_int_equal(s->utm.lat, s->gps.lat);
    assert_int_equal(s->utm.lon, s->gps.lon);
    assert_int_equal(s->global.lat, s->gps.lat);
    assert_int_equal(s->utm.relative_alt, s->global.relative_alt);
    near((double)s->altitude.altitude_amsl * 1e3, amsl_mm, 0.5 + ulp_mm);
    near((double)s->hud.alt * 1e3, amsl_mm, 0.5 + ulp_mm);
    near(s->global.relative_alt, amsl_mm - r->drone.vehicle.home.takeoff_amsl_m * 1e3, 1.0);
    near((double)s->altitude.altitude_relative * 1e3, s->global.relative_alt, 1.0 + ulp_mm);
    near(s->origin.altitude - (double)s->local.z * 1e3, amsl_mm, 1.0 + ulp_mm);
    near((double)s->odometry.z, (double)s->local.z, 1e-6);
    near((double)s->altitude.altitude_local, -(double)s->local.z, 1e-3);
    near(s->origin.altitude - (double)s->home.z * 1e3, s->home.altitude, 1.0 + ulp_mm);
}

static void look_up(const struct sample *s)
{
    const double lat_deg = s->gps.lat / 1e7, lon_deg = s->gps.lon / 1e7;
    if (fabs(lat_deg) < POLE_DEG) {
        near(s->gps.alt_ellipsoid, s->gps.alt + egm96_grid_at(lat_deg, lon_deg) * 1e3, WITHIN_MM);
    }
}

static void rise(struct rig *r, float height_m)
{
    rig_set_f(r, "MIS_TAKEOFF_ALT", height_m);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, (const float[7]){1.0f}),
                     MAV_RESULT_ACCEPTED);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, rig_nan7()), MAV_RESULT_ACCEPTED);
}

static void send_to(struct rig *r, double lat_deg, double lon_deg, double alt_amsl_m)
{
    const float p[4] = {100.0f, 1.0f, 0.0f, NAN};
    assert_int_equal(rig_command_int(r, MAV_CMD_DO_REPOSITION, p, (int32_t)lround(lat_deg * 1e7),
                                     (int32_t)lround(lon_deg * 1e7), (float)alt_amsl_m),
                     MAV_RESULT_ACCEPTED);
}

/* @return by how much the undulation changed between the first and the last sample [mm] */
static int32_t watch(struct rig *r, int samples)
{
    int32_t first = 0, last = 0;
    for (int i = 0; i < samples; i++) {
        const struct sample s = next(r);
        agree(r, &s);
        if (g_reference) {
            look_up(&s);
        }
        last = s.gps.alt_ellipsoid - s.gps.alt;
        first = i == 0 ? last : first;
    }
    return last - first;
}

/* Over the Himalaya the geoid falls by metres within minutes of flight. */
static void fly_steep(enum mf_world_motion motion, double by_deg, int least_mm)
{
    struct mf_world_settings s = place(STEEP_LAT, STEEP_LON, 5000.0);
    s.motion = motion;
    struct rig *r = begin(&s);
    (void)watch(r, 20);
    rise(r, 30.0f);
    (void)watch(r, 400);
    send_to(r, STEEP_LAT - by_deg, STEEP_LON, 5600.0);
    const int32_t during = watch(r, 4900);
    const struct sample end = next(r);
    assert_true(abs(during) > least_mm);    /* else it proves nothing */
    assert_int_equal(end.gps.alt, 5600000); /* AMSL is what was asked for and is flown */
}

static void test_sim039_fields_agree_over_steep_geoid_constant(void **state)
{
    (void)state;
    fly_steep(MF_WORLD_MOTION_CONSTANT, 0.2, 1000);
}

static void test_sim039_fields_agree_over_steep_geoid_physics(void **state)
{
    (void)state;
    fly_steep(MF_WORLD_MOTION_PHYSICS, 0.02, 100);
}

static void test_sim039_fields_agree_over_the_antimeridian(void **state)
{
    const struct mf_world_settings s = place(-16.79, ANTIMERIDIAN, 3.25);
    (void)state;
    struct rig *r = begin(&s);
    rise(r, 50.0f);
    (void)watch(r, 400);
    send_to(r, -16.75, -ANTIMERIDIAN, 400.0);
    (void)watch(r, 1500);
    assert_true(next(r).gps.lon < 0);
    send_to(r, -16.79, ANTIMERIDIAN, 53.25);
    (void)watch(r, 1500);
    assert_true(next(r).gps.lon > 0);
}

/* The undulation of a pole does not depend on the longitude that one stands on: 13.6050 m in the
 * north, -29.5345 m in the south (GeoidEval, EGM96 15'). */
static void fly_over_pole(double pole_deg, double pole_mm)
{
    const double side = pole_deg > 0.0 ? 1.0 : -1.0;
    const struct mf_world_settings s = place(side * 89.999, -135.5, 100.0);
    struct rig *r = begin(&s);
    rise(r, 50.0f);
    (void)watch(r, 400);
    send_to(r, pole_deg, 0.0, 150.0);
    (void)watch(r, 200);
    struct sample there = next(r);
    assert_int_equal(there.gps.lat, (int32_t)(pole_deg * 1e7));
    near(there.gps.alt_ellipsoid - there.gps.alt, pole_mm, WITHIN_MM);
    send_to(r, side * 89.999, 44.5, 150.0); /* straight on */
    for (int i = 0; i < 200; i++) {
        there = next(r);
        agree(r, &there);
        near(there.gps.alt_ellipsoid - there.gps.alt, pole_mm, 200.0);
    }
    assert_int_equal(there.gps.lon, 445000000);
}

static void test_sim039_fields_agree_over_the_north_pole(void **state)
{
    (void)state;
    fly_over_pole(90.0, 13605.0);
}

static void test_sim039_fields_agree_over_the_south_pole(void **state)
{
    (void)state;
    fly_over_pole(-90.0, -29534.5);
}

/* ---- anywhere */

static uint64_t g_seed = UINT64_C(0x9E3779B97F4A7C15);

/* 0 .. 1 (xorshift64*) */
static double uniform(void)
{
    g_seed ^= g_seed >> 12;
    g_seed ^= g_seed << 25;
    g_seed ^= g_seed >> 27;
    return (double)(g_seed * UINT64_C(0x2545F4914F6CDD1D) >> 11) / 9007199254740992.0;
}

static void hop(double lat_deg, double lon_deg, double alt_m)
{
    const struct mf_world_settings s = place(lat_deg, lon_deg, alt_m);
    struct rig *r = begin(&s);
    (void)watch(r, 1);
    rise(r, 5.0f);
    (void)watch(r, 60);
    send_to(r, lat_deg > 0.0 ? lat_deg - 0.0005 : lat_deg + 0.0005, lon_deg, alt_m + 10.0);
    (void)watch(r, 20);
    assert_true(rig_pose(r).alt_amsl_m > alt_m + 5.0);
}

static void test_sim039_sim040_random_places(void **state)
{
    (void)state;
    for (int i = mf_cases(PLACES); i > 0; i--) {
        const double lat_deg = asin(2.0 * uniform() - 1.0) * 180.0 / 3.14159265358979323846;
        hop(lat_deg, 360.0 * uniform() - 180.0, 6000.0 * uniform() - 400.0);
    }
}

/* ---- other receivers, other models */

static void test_sim039_a_receiver_that_errs_is_of_one_mind(void **state)
{
    struct mf_world_settings s = place(STEEP_LAT, STEEP_LON, 5000.0);
    (void)state;
    s.gnss_noise_m = 1.0;
    s.gnss_noise_vertical_m = 10.0;
    s.gnss_drift_m = 500.0;
    struct rig *r = begin(&s);
    rise(r, 30.0f);
    for (int i = 0; i < 400; i++) {
        const struct sample p = next(r);
        near(p.utm.alt, p.global.alt + egm96_grid_at(p.utm.lat / 1e7, p.utm.lon / 1e7) * 1e3,
             WITHIN_MM);
        look_up(&p);
        assert_int_equal(p.utm.lat, p.global.lat);
    }
}

static void test_sim039_without_a_fix_altitudes_stay(void **state)
{
    struct mf_world_settings s = place(47.397742, 8.545594, 488.0);
    (void)state;
    s.fault_count = 1;
    s.fault[0] =
        (struct mf_fault_plan){.fault = MF_FAULT_GPS_OFF, .after_us = 1000000, .for_us = 1000000};
    struct rig *r = begin(&s);
    rig_run_until(r, 1500000);
    const struct mf_estimate *e = mf_estimate_at(&r->drone.vehicle, 1500000);
    assert_int_equal(e->fix.type, 0);
    near(mf_estimate_ellipsoid_mm(e, e->pose.alt_amsl_m), 488000 + 47237.4,
         WITHIN_MM); /* GeoidEval */
}

/* A glitch of 50 km: what is said of that place is true there. */
static void test_sim039_a_glitch_has_the_altitudes_of_its_place(void **state)
{
    struct mf_world_settings s = place(STEEP_LAT, STEEP_LON, 5000.0);
    (void)state;
    s.fault_count = 1;
    s.fault[0] = (struct mf_fault_plan){.fault = MF_FAULT_GPS_GLITCH,
                                        .for_us = MF_NEVER,
                                        .with = {.value = {-50000.0f, 0.0f, 0.0f}}};
    struct rig *r = begin(&s);
    const struct sample p = next(r);
    assert_true(p.gps.lat < (STEEP_LAT - 0.4) * 1e7);
    near(p.utm.lat, p.gps.lat, 1.0);
    assert_int_equal(p.utm.alt, p.gps.alt_ellipsoid);
    look_up(&p);
}

/* A receiver with the datum of other simulators: whatever comes of it is off, as a whole. */
static void test_sim041_a_datum_fault_shows_everywhere(void **state)
{
    struct mf_world_settings s = place(47.397742, 8.545594, 488.0);
    (void)state;
    s.fault_count = 1;
    s.fault[0] = (struct mf_fault_plan){.fault = MF_FAULT_GPS_DATUM, .for_us = MF_NEVER};
    struct rig *r = begin(&s);
    const struct sample p = next(r);
    agree(r, &p);
    assert_int_equal(p.gps.alt_ellipsoid, 488000);
    assert_int_equal(p.utm.alt, 488000);
}

/* The mean sea level as the ellipsoid: the fault of other simulators, on request. */
static void test_sim040_no_model_is_a_model_too(void **state)
{
    struct mf_world_settings s = place(47.397742, 8.545594, 488.0);
    struct mf_geoid none = {0};
    (void)state;
    assert_int_equal(mf_geoid_add_constant(&none, 0.0), MF_E_OK);
    s.geoid = &none;
    struct rig *r = begin(&s);
    const struct sample p = next(r);
    assert_int_equal(p.gps.alt_ellipsoid, p.gps.alt);
    assert_int_equal(mf_param_i(&r->drone.vehicle.params, MF_PARAM_MF_GEOID), MF_EARTH_NONE);
    assert_int_equal(mf_param_i(&r->drone.vehicle.params, MF_PARAM_MF_GEOID_HASH), 0);
}

static int setup(void **state)
{
    (void)state;
    g_reference = egm96_grid_load();
    if (!g_reference) {
        print_message("no /usr/share/proj/egm96_15.gtx (Debian's proj-data): fields are compared "
                      "with each other only\n");
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim039_fields_agree_over_steep_geoid_constant),
        cmocka_unit_test(test_sim039_fields_agree_over_steep_geoid_physics),
        cmocka_unit_test(test_sim039_fields_agree_over_the_antimeridian),
        cmocka_unit_test(test_sim039_fields_agree_over_the_north_pole),
        cmocka_unit_test(test_sim039_fields_agree_over_the_south_pole),
        cmocka_unit_test(test_sim039_sim040_random_places),
        cmocka_unit_test(test_sim039_a_receiver_that_errs_is_of_one_mind),
        cmocka_unit_test(test_sim039_without_a_fix_altitudes_stay),
        cmocka_unit_test(test_sim039_a_glitch_has_the_altitudes_of_its_place),
        cmocka_unit_test(test_sim041_a_datum_fault_shows_everywhere),
        cmocka_unit_test(test_sim040_no_model_is_a_model_too),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
