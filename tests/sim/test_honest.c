/* SPDX-License-Identifier: Apache-2.0 */
/* The autopilot cannot tell a device that fails by itself from one that was told to fail: the same
 * error with and without injection gives the same flight. Where it fails by itself another world's
 * faults stand around its devices, of which the vehicle's hal/inject knows nothing. */
#include "mavlink/enums.h"
#include "tests/sim/rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define S       1000000
#define FROM_US (30 * INT64_C(1000000))
#define TO_US   (50 * INT64_C(1000000))

/* ---- injection without what is seen of it ---- */

static int no_set(void *ctx, mf_us_t t_us, enum mf_fault fault, bool on,
                  const struct mf_fault_values *with)
{
    (void)ctx, (void)t_us, (void)fault, (void)on, (void)with;
    return MF_E_NOSUPP;
}

static bool not_active(void *ctx, mf_us_t t_us, enum mf_fault fault, struct mf_fault_values *with)
{
    (void)ctx, (void)t_us, (void)fault, (void)with;
    return false;
}

/* Time passes for the devices, and says when they answer otherwise; nothing else gets through. */
static mf_us_t quiet_next(void *ctx, mf_us_t t_us)
{
    struct rig *r = ctx;
    return mf_faults_inject_ops.next(&r->drone.world.faults, t_us);
}

static bool not_happened(void *ctx, mf_us_t t_us, enum mf_happening what, uint16_t index)
{
    (void)ctx, (void)t_us, (void)what, (void)index;
    return false;
}

static int no_plan(void *ctx, mf_us_t t_us, const struct mf_fault_plan *plan)
{
    (void)ctx, (void)t_us, (void)plan;
    return MF_E_NOSUPP;
}

static void no_unplan(void *ctx, mf_us_t t_us, enum mf_fault fault)
{
    (void)ctx, (void)t_us, (void)fault;
}

static bool none_planned(void *ctx, mf_us_t t_us, uint32_t index, struct mf_fault_planned *planned)
{
    (void)ctx, (void)t_us, (void)index, (void)planned;
    return false;
}

static const struct mf_inject_ops k_quiet = {.set = no_set,
                                             .active = not_active,
                                             .next = quiet_next,
                                             .happened = not_happened,
                                             .plan = no_plan,
                                             .unplan = no_unplan,
                                             .planned = none_planned};

/* ---- flights ---- */

enum { POINTS_MAX = 64 };

struct flight {
    struct mf_pose pose[POINTS_MAX]; /* of the body, one a second */
    struct mf_msg_global_position_int shown[POINTS_MAX];
    struct mf_msg_sys_status sys[POINTS_MAX];
    uint8_t mode[POINTS_MAX];
    size_t n;
};

/* Holds at 40 m for 30 s; then the error, until 50 s; and 10 s more. */
static void fly(struct flight *f, enum mf_world_motion motion, enum mf_fault fault, bool injected)
{
    const struct mf_options options = {.px4_motion = motion == MF_WORLD_MOTION_PHYSICS};
    struct mf_world_settings s = mf_world_settings_default();
    s.home_lat_deg = RIG_LAT_DEG;
    s.home_lon_deg = RIG_LON_DEG;
    s.home_alt_amsl_m = RIG_ALT_M;
    s.motion = motion;
    s.fault[s.fault_count++] = (struct mf_fault_plan){.fault = fault,
                                                      .after_us = 18 * (mf_us_t)S,
                                                      .for_us = 10 * (mf_us_t)S,
                                                      .with = mf_fault_default(fault)};
    memset(f, 0, sizeof *f);
    struct rig *r = rig_new_in(&options, &s);
    if (!injected) {
        r->drone.vehicle.hal.inject = &k_quiet;
        r->drone.vehicle.hal.inject_ctx = r;
    }
    rig_take_off(r, 10.0f);
    while (f->n < POINTS_MAX && r->mock.now.vehicle_us < 38 * (mf_us_t)S) {
        mf_mock_clear(&r->mock, 0);
        rig_run_until(r, r->mock.now.vehicle_us + S);
        f->pose[f->n] = rig_pose(r);
        while (mf_mock_take(&r->mock, 0, MF_MSG_GLOBAL_POSITION_INT, &f->shown[f->n])) {
        }
        while (mf_mock_take(&r->mock, 0, MF_MSG_SYS_STATUS, &f->sys[f->n])) {
        }
        f->mode[f->n] = r->drone.vehicle.commander.mode;
        f->n++;
    }
}

/* Bit for bit: a zero of the other sign is a difference. Both were all zero before they flew. */
static bool same(const void *a, const void *b, size_t n)
{
    return memcmp(a, b, n) == 0;
}

static void test_sim045_an_error_does_the_same_whether_injected_or_not(void **state)
{
    static const enum mf_fault k_fault[] = {
        MF_FAULT_GPS_OFF,        MF_FAULT_GPS_NO_FIX,       MF_FAULT_GPS_STUCK,
        MF_FAULT_GPS_JAM,        MF_FAULT_GPS_GLITCH,       MF_FAULT_GPS_DRIFT,
        MF_FAULT_GPS_SATELLITES, MF_FAULT_GPS_ACCURACY,     MF_FAULT_GPS_DATUM,
        MF_FAULT_BATTERY,        MF_FAULT_BATTERY_DRAIN,    MF_FAULT_BATTERY_LOW,
        MF_FAULT_BATTERY_OFF,    MF_FAULT_BATTERY_CRITICAL, MF_FAULT_BATTERY_EMERGENCY,
        MF_FAULT_GYRO_OFF,       MF_FAULT_ACCEL_STUCK,      MF_FAULT_MAG_OFF,
        MF_FAULT_BARO_STUCK,     MF_FAULT_MOTOR_OFF,        MF_FAULT_BATTERY_VOLTAGE,
        MF_FAULT_WIND,           MF_FAULT_UTC_STEP,
    };
    static struct flight s_injected, s_by_itself;
    (void)state;
    for (size_t i = 0; i < sizeof k_fault / sizeof k_fault[0]; i++) {
        for (int m = 0; m < 2; m++) {
            const enum mf_world_motion motion =
                m == 0 ? MF_WORLD_MOTION_CONSTANT : MF_WORLD_MOTION_PHYSICS;
            fly(&s_injected, motion, k_fault[i], true);
            fly(&s_by_itself, motion, k_fault[i], false);
            assert_true(s_injected.n > 20);
            if (!same(&s_injected, &s_by_itself, sizeof s_injected)) {
                fail_msg("fault %d, motion %d: not the same flight", (int)k_fault[i], m);
            }
        }
    }
}

static double north_m(const struct mf_pose *pose)
{
    double ne[2];
    mf_geo_to_local((struct mf_geo){RIG_LAT_DEG, RIG_LON_DEG},
                    (struct mf_geo){pose->lat_deg, pose->lon_deg}, ne);
    return ne[0];
}

/* ---- a receiver of its own ---- */

struct liar {
    struct mf_hal wrapped;
    mf_us_t from_us;
};

/* 30 m are 2698 units of 1e-7 deg of latitude here, and 4 mm. */
static int lie(void *ctx, mf_us_t t_us, struct mf_fix *fix)
{
    const struct liar *l = ctx;
    const int err = mf_gnss_read(&l->wrapped, t_us, fix);
    fix->lat_e7 += err == MF_E_OK && t_us >= l->from_us ? 2698 : 0;
    return err;
}

static int never_says(void *ctx, mf_us_t t_us, mf_us_t *at_us)
{
    const struct liar *l = ctx;
    return mf_gnss_next(&l->wrapped, t_us, at_us);
}

/* The receiver glitches by itself, and nobody says so: Hold keeps the estimate on its point, so
 * that the body moves the other way. */
static void test_sim045_a_receiver_that_glitches_by_itself_moves_the_body(void **state)
{
    static const struct mf_gnss_ops k_liar = {lie, never_says};
    (void)state;
    for (int m = 0; m < 2; m++) {
        struct rig *r =
            rig_new_moving(m == 0 ? MF_WORLD_MOTION_CONSTANT : MF_WORLD_MOTION_PHYSICS, 0.0);
        struct liar liar = {r->drone.vehicle.hal, FROM_US};
        r->drone.vehicle.hal.gnss = &k_liar;
        r->drone.vehicle.hal.gnss_ctx = &liar;
        rig_take_off(r, 40.0f);
        rig_run_until(r, FROM_US - 1);
        struct mf_pose pose = rig_pose(r);
        assert_true(fabs(north_m(&pose)) < 0.001);
        mf_mock_clear(&r->mock, 0);
        rig_run_until(r, TO_US);
        pose = rig_pose(r);
        assert_true(fabs(north_m(&pose) + 30.0) < 0.005);
        assert_true(fabs(pose.alt_amsl_m - (RIG_ALT_M + 40.0)) < 0.001);
        struct mf_msg_global_position_int shown = {0};
        while (mf_mock_take(&r->mock, 0, MF_MSG_GLOBAL_POSITION_INT, &shown)) {
        }
        assert_in_range(shown.lat, 473977419, 473977421);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim045_an_error_does_the_same_whether_injected_or_not),
        cmocka_unit_test(test_sim045_a_receiver_that_glitches_by_itself_moves_the_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
