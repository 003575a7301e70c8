/* SPDX-License-Identifier: Apache-2.0 */
#include "math/geodesic.h"
#include "world/airframe_constant.h"
#include "world/faults.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define S       INT64_C(1000000)
#define LAT_DEG 47.0
#define LON_DEG 8.0
#define ALT_M   500.0

static int no_fix(void *ctx, mf_us_t t_us, struct mf_fix *fix)
{
    (void)ctx, (void)t_us, (void)fix;
    return MF_E_IO;
}

static int no_battery(void *ctx, mf_us_t t_us, struct mf_battery *battery)
{
    (void)ctx, (void)t_us, (void)battery;
    return MF_E_IO;
}

static const struct mf_gnss_ops k_gnss = {.read = no_fix};
static const struct mf_power_ops k_power = {.read = no_battery};

struct fixture {
    struct mf_airframe_constant body;
    struct mf_faults faults;
    uint8_t parts[MF_MEMORY_BYTES(sizeof(struct mf_fault_book))];
    struct mf_memory memory; /* of these */
};

static struct mf_faults *fresh(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    mf_airframe_constant_init(&f->body, LAT_DEG, LON_DEG, ALT_M, 0.0f);
    mf_faults_init(&f->faults, &k_gnss, NULL, &k_power, NULL);
    memset(f->parts, 0xA5, sizeof f->parts);
    f->memory = (struct mf_memory){.bytes = f->parts, .size = sizeof f->parts};
    f->faults.memory = &f->memory;
    mf_faults_carry(&f->faults, &mf_airframe_constant_ops, &f->body);
    return &f->faults;
}

static struct mf_leg leg_to(double lat_deg, double lon_deg, double height_m)
{
    return (struct mf_leg){
        .lat_deg = lat_deg,
        .lon_deg = lon_deg,
        .alt_amsl_m = ALT_M + height_m,
        .speed_h_mps = 10.0f,
        .speed_up_mps = 10.0f,
        .speed_down_mps = 10.0f,
        .yaw_rad = NAN,
        .yaw_rate_rps = 1.0f,
    };
}

/* At 1 s and 10 m/s up to a height. */
static void go_up(struct mf_faults *f, double height_m)
{
    const struct mf_leg up = leg_to(LAT_DEG, LON_DEG, height_m);
    assert_int_equal(mf_faults_airframe_ops.arm(f, 1 * S, true), MF_E_OK);
    assert_int_equal(mf_faults_airframe_ops.plan(f, 1 * S, &up, 1), MF_E_OK);
}

static void inject(struct mf_faults *f, mf_us_t t_us, enum mf_fault fault, bool on, float a,
                   float b)
{
    const struct mf_fault_values with = {.value = {a, b}};
    assert_int_equal(mf_faults_inject_ops.set(f, t_us, fault, on, &with), MF_E_OK);
}

static struct mf_pose pose_at(struct mf_faults *f, mf_us_t t_us)
{
    struct mf_pose pose;
    assert_int_equal(mf_faults_airframe_ops.sample(f, t_us, &pose), MF_E_OK);
    return pose;
}

static double from_m(double lat_deg, double lon_deg, const struct mf_pose *pose)
{
    return mf_geo_inverse((struct mf_geo){lat_deg, lon_deg},
                          (struct mf_geo){pose->lat_deg, pose->lon_deg})
        .distance_m;
}

static void test_without_faults_it_is_the_body_bit_for_bit(void **state)
{
    struct fixture f;
    struct mf_pose mine, theirs;
    (void)state;
    go_up(fresh(&f), 50.0);
    for (mf_us_t t_us = 1 * S; t_us < 8 * S; t_us += 12345) {
        mine = pose_at(&f.faults, t_us);
        assert_int_equal(mf_airframe_constant_ops.sample(&f.body, t_us, &theirs), MF_E_OK);
        assert_memory_equal(&mine.lat_deg, &theirs.lat_deg, 4 * sizeof(double));
        assert_memory_equal(mine.vel_ned_mps, theirs.vel_ned_mps, sizeof mine.vel_ned_mps);
    }
}

/* 20 m: down after 2.0196 s. Nothing leads it anywhere until the motors work again. */
static void test_sim046_motors_off(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    const struct mf_leg away = leg_to(LAT_DEG + 0.01, LON_DEG, 20.0);
    mf_us_t at_us;
    (void)state;
    go_up(faults, 20.0);
    inject(faults, 10 * S, MF_FAULT_MOTOR_OFF, true, 0.0f, 0.0f);
    assert_int_equal(mf_faults_airframe_ops.plan(faults, 10 * S, &away, 1), MF_E_DENIED);
    assert_int_equal(mf_faults_airframe_ops.arm(faults, 10 * S, true), MF_E_IO);
    assert_int_equal(mf_faults_airframe_ops.next(faults, 10 * S, MF_WHEN_TOUCHDOWN, 0.0, &at_us),
                     MF_E_OK);
    assert_in_range(at_us, 12019600, 12019700);
    inject(faults, 11 * S, MF_FAULT_MOTOR_OFF, false, 0.0f, 0.0f);
    assert_true(fabs(pose_at(faults, 20 * S).alt_amsl_m - (ALT_M + 20.0 - 0.5 * 9.80665)) < 1e-6);
    assert_int_equal(mf_faults_airframe_ops.plan(faults, 20 * S, &away, 1), MF_E_OK);
}

/* Disarmed meanwhile, it stays so. */
static void test_motors_that_were_switched_off_do_not_come_back(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    const struct mf_leg away = leg_to(LAT_DEG + 0.01, LON_DEG, 20.0);
    (void)state;
    go_up(faults, 20.0);
    inject(faults, 10 * S, MF_FAULT_MOTOR_OFF, true, 0.0f, 0.0f);
    assert_int_equal(mf_faults_airframe_ops.arm(faults, 11 * S, false), MF_E_OK);
    inject(faults, 15 * S, MF_FAULT_MOTOR_OFF, false, 0.0f, 0.0f);
    assert_int_equal(mf_faults_airframe_ops.plan(faults, 15 * S, &away, 1), MF_E_DENIED);
    assert_true(pose_at(faults, 15 * S).on_ground);
}

/* A schedule fails them when time has come to it, and not for a look ahead. */
static void test_sim046_motors_off_by_schedule(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    const struct mf_fault_plan plan = {
        .fault = MF_FAULT_MOTOR_OFF, .after_us = 10 * S, .for_us = 1 * S};
    (void)state;
    assert_int_equal(mf_faults_schedule(faults, &plan), MF_E_OK);
    go_up(faults, 20.0);
    assert_true(mf_faults_inject_ops.next(faults, 9 * S) == 10 * S);
    assert_true(pose_at(faults, 12 * S).alt_amsl_m == ALT_M + 20.0);
    assert_true(mf_faults_inject_ops.next(faults, 10 * S) == 11 * S);
    assert_true(fabs(pose_at(faults, 11 * S).alt_amsl_m - (ALT_M + 20.0 - 0.5 * 9.80665)) < 1e-6);
    assert_true(mf_faults_inject_ops.next(faults, 11 * S) == MF_NEVER);
    assert_true(fabs(pose_at(faults, 30 * S).alt_amsl_m - (ALT_M + 20.0 - 0.5 * 9.80665)) < 1e-6);
}

static mf_us_t arrives_us(struct mf_faults *f, mf_us_t t_us)
{
    mf_us_t at_us;
    assert_int_equal(mf_faults_airframe_ops.next(f, t_us, MF_WHEN_ARRIVED, 0.0, &at_us), MF_E_OK);
    return at_us;
}

/* It drifts from then on, and is sent along a leg. @return when it arrives */
static mf_us_t sent_against(struct mf_faults *f, mf_us_t t_us, float drift_mps, float towards_deg,
                            const struct mf_leg *leg)
{
    inject(f, t_us, MF_FAULT_BREACH_DRIFT, true, drift_mps, towards_deg);
    assert_int_equal(mf_faults_airframe_ops.plan(f, t_us, leg, 1), MF_E_OK);
    return arrives_us(f, t_us);
}

static struct mf_leg kilometre_north(void)
{
    const struct mf_geo to = mf_geo_from_local((struct mf_geo){LAT_DEG, LON_DEG}, 1000.0, 0.0);
    return leg_to(to.lat_deg, to.lon_deg, 20.0);
}

static void assert_at(struct mf_faults *f, mf_us_t t_us, double lat_deg, double lon_deg)
{
    const struct mf_pose pose = pose_at(f, t_us);
    assert_true(from_m(lat_deg, lon_deg, &pose) < 1e-3);
}

/* 10 km east, at once; targets are where they were, to the millimetre. When it is over the vehicle
 * stays where it was flown to. */
static void test_sim046_teleport(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    const struct mf_leg away = leg_to(LAT_DEG + 0.01, LON_DEG, 20.0);
    (void)state;
    go_up(faults, 20.0);
    inject(faults, 10 * S, MF_FAULT_BREACH_TELEPORT, true, 10000.0f, 90.0f);
    struct mf_pose pose = pose_at(faults, 10 * S);
    assert_true(fabs(from_m(LAT_DEG, LON_DEG, &pose) - 10000.0) < 1e-3);
    assert_true(pose.lon_deg > LON_DEG + 0.1);
    assert_int_equal(mf_faults_airframe_ops.plan(faults, 10 * S, &away, 1), MF_E_OK);
    assert_at(faults, 3000 * S, LAT_DEG + 0.01, LON_DEG);
    inject(faults, 3000 * S, MF_FAULT_BREACH_TELEPORT, false, 0.0f, 0.0f);
    assert_at(faults, 3000 * S, LAT_DEG + 0.01, LON_DEG);
    assert_at(faults, 4000 * S, LAT_DEG + 0.01, LON_DEG);
    inject(faults, 4000 * S, MF_FAULT_BREACH_TELEPORT, true, 100.0f, 0.0f); /* from there */
    pose = pose_at(faults, 4000 * S);
    assert_true(fabs(from_m(LAT_DEG + 0.01, LON_DEG, &pose) - 100.0) < 1e-3);
    inject(faults, 4001 * S, MF_FAULT_BREACH_TELEPORT, true, 100.0f, 90.0f); /* and on from there */
    pose = pose_at(faults, 4001 * S);
    assert_true(fabs(from_m(LAT_DEG + 0.01, LON_DEG, &pose) - 100.0 * sqrt(2.0)) < 1e-3);
}

static void test_sim046_true_drift(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    (void)state;
    go_up(faults, 20.0);
    inject(faults, 10 * S, MF_FAULT_BREACH_DRIFT, true, 3.0f, 180.0f);
    struct mf_pose pose = pose_at(faults, 20 * S);
    assert_true(fabs(from_m(LAT_DEG, LON_DEG, &pose) - 30.025) < 1e-6 && pose.lat_deg < LAT_DEG);
    assert_true(pose.vel_ned_mps[0] == -3.0f);
    inject(faults, 20 * S, MF_FAULT_BREACH_DRIFT, false, 0.0f, 0.0f);
    for (mf_us_t t_us = 20 * S; t_us < 100 * S; t_us += 20 * S) {
        pose = pose_at(faults, t_us);
        assert_true(fabs(from_m(LAT_DEG, LON_DEG, &pose) - 30.025) < 1e-6);
        assert_true(pose.vel_ned_mps[0] == 0.0f);
    }
}

/* By schedule, twice, and asked about ahead of time: 5 m/s north for 2 s, 100 m east, 5 m/s again.
 * How often time is looked at in between changes no bit. */
static void test_sim046_what_moves_it_by_schedule_adds_up(void **state)
{
    struct mf_pose then[2];
    (void)state;
    for (int often = 0; often < 2; often++) {
        struct fixture f;
        struct mf_faults *faults = fresh(&f);
        struct mf_fault_plan plan = {
            .fault = MF_FAULT_BREACH_DRIFT, .after_us = 10 * S, .for_us = 2 * S};
        plan.with.value[0] = 5.0f;
        assert_int_equal(mf_faults_schedule(faults, &plan), MF_E_OK);
        plan.after_us = 30 * S;
        assert_int_equal(mf_faults_schedule(faults, &plan), MF_E_OK);
        plan = (struct mf_fault_plan){
            .fault = MF_FAULT_BREACH_TELEPORT, .after_us = 20 * S, .for_us = 1 * S};
        plan.with.value[0] = 100.0f;
        plan.with.value[1] = 90.0f;
        assert_int_equal(mf_faults_schedule(faults, &plan), MF_E_OK);
        go_up(faults, 20.0);
        struct mf_pose pose = pose_at(faults, 15 * S);
        assert_true(fabs(from_m(LAT_DEG, LON_DEG, &pose) - 10.025) < 1e-6);
        for (mf_us_t t_us = 2 * S; often == 1 && t_us < 40 * S; t_us += 77777) {
            (void)mf_faults_inject_ops.next(faults, t_us);
        }
        then[often] = pose_at(faults, 50 * S);
        assert_true(fabs(from_m(LAT_DEG, LON_DEG, &then[often]) - hypot(20.05, 100.0)) < 1e-3);
    }
    assert_true(then[0].lat_deg == then[1].lat_deg && then[0].lon_deg == then[1].lon_deg);
}

/* 1 km north at 10 m/s against 6 m/s from the west, which has taken it 25 mm: it gets there at
 * sqrt(10 * 10 - 6 * 6) = 8 m/s. */
static void test_sim046_it_flies_to_a_target_against_a_drift(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    const struct mf_leg there = kilometre_north();
    (void)state;
    go_up(faults, 20.0);
    const mf_us_t at_us = sent_against(faults, 10 * S, 6.0f, 90.0f, &there);
    assert_in_range(at_us, 135 * S - 20000, 135 * S + 20000); /* meridians converge */
    assert_at(faults, at_us, there.lat_deg, there.lon_deg);
    const struct mf_pose pose = pose_at(faults, 60 * S); /* straight, and so it is said */
    assert_true(fabs((double)pose.vel_ned_mps[0] - 8.0) < 0.01);
    assert_true(fabs((double)pose.vel_ned_mps[1]) < 0.01);
    assert_true(from_m(there.lat_deg, there.lon_deg, &pose) < 601.0);
    /* what holds there drifts away */
    const struct mf_pose later = pose_at(faults, at_us + 10 * S);
    assert_true(fabs(from_m(there.lat_deg, there.lon_deg, &later) - 60.0) < 1e-3);
}

/* A climb on the spot, too: 50 m at 10 m/s. */
static void test_sim046_a_climb_against_a_drift_ends_above_its_place(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    const struct mf_leg up = leg_to(LAT_DEG, LON_DEG, 70.0);
    (void)state;
    go_up(faults, 20.0);
    assert_int_equal(sent_against(faults, 10 * S, 6.0f, 90.0f, &up), 15 * S);
    assert_at(faults, 15 * S, LAT_DEG, LON_DEG);
    for (int more = 0; more < 2; more++) { /* as fast as it flies, or faster: up, if not there */
        struct mf_faults *fast = fresh(&f);
        go_up(fast, 20.0);
        assert_int_equal(sent_against(fast, 10 * S, 10.0f + 5.0f * (float)more, 90.0f, &up),
                         15 * S);
        assert_true(pose_at(fast, 15 * S).alt_amsl_m == ALT_M + 70.0);
    }
}

/* 11 m/s against 10: never there, until it is over; with it at its back it is. */
static void test_sim046_a_drift_that_is_faster_is_not_overcome(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    const struct mf_leg there = kilometre_north();
    (void)state;
    go_up(faults, 20.0);
    assert_true(sent_against(faults, 10 * S, 11.0f, 180.0f, &there) == MF_NEVER);
    struct mf_pose pose = pose_at(faults, 110 * S);
    assert_true(fabs(from_m(there.lat_deg, there.lon_deg, &pose) - 1100.0) < 1.0);
    /* from the side: as well */
    assert_true(sent_against(faults, 110 * S, 11.0f, 90.0f, &there) == MF_NEVER);
    const struct mf_pose side = pose_at(faults, 210 * S);
    assert_true(from_m(pose.lat_deg, pose.lon_deg, &side) < 120.0);
    pose = side;
    /* 1.1 km at 21 m/s, nearly */
    mf_us_t at_us = sent_against(faults, 210 * S, 11.0f, 0.0f, &there);
    assert_in_range(at_us, 210 * S + 50 * S, 210 * S + 56 * S);
    assert_at(faults, at_us, there.lat_deg, there.lon_deg);
    inject(faults, 220 * S, MF_FAULT_BREACH_DRIFT, false, 0.0f, 0.0f);
    assert_int_equal(mf_faults_airframe_ops.plan(faults, 220 * S, &there, 1), MF_E_OK);
    at_us = arrives_us(faults, 220 * S); /* 890 m at 10 m/s, nearly */
    assert_in_range(at_us, 300 * S, 312 * S);
    assert_at(faults, at_us, there.lat_deg, there.lon_deg);
}

/* From the west it blows to the east; with a drag of 1 /s it leans by tan(roll) = -5 / 9.80665. */
static void test_sim046_wind(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    (void)state;
    inject(faults, 0, MF_FAULT_WIND, true, 5.0f, 270.0f);
    struct mf_pose pose = pose_at(faults, 0);
    assert_true(fabsf(pose.wind_ne_mps[1] - 5.0f) < 1e-5f && fabsf(pose.wind_ne_mps[0]) < 1e-5f);
    assert_true(pose.on_ground && pose.roll_rad == 0.0f);
    go_up(faults, 20.0);
    pose = pose_at(faults, 10 * S);
    assert_true(fabsf(pose.wind_ne_mps[1] - 5.0f) < 1e-5f);
    assert_true(fabs((double)pose.roll_rad + atan(5.0 / 9.80665)) < 1e-6); /* into it */
    assert_true(pose.lon_deg == LON_DEG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_faults_it_is_the_body_bit_for_bit),
        cmocka_unit_test(test_sim046_motors_off),
        cmocka_unit_test(test_motors_that_were_switched_off_do_not_come_back),
        cmocka_unit_test(test_sim046_motors_off_by_schedule),
        cmocka_unit_test(test_sim046_teleport),
        cmocka_unit_test(test_sim046_true_drift),
        cmocka_unit_test(test_sim046_what_moves_it_by_schedule_adds_up),
        cmocka_unit_test(test_sim046_it_flies_to_a_target_against_a_drift),
        cmocka_unit_test(test_sim046_a_climb_against_a_drift_ends_above_its_place),
        cmocka_unit_test(test_sim046_a_drift_that_is_faster_is_not_overcome),
        cmocka_unit_test(test_sim046_wind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
