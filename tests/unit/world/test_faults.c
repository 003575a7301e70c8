/* SPDX-License-Identifier: Apache-2.0 */
#include "world/faults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A receiver behind the faults that says what the test says. */
struct receiver {
    int result;
    int next_result;
    mf_us_t next_us;
    int32_t amsl_mm, ellipsoid_mm;
    uint32_t h_acc_mm;
};

static int receiver_read(void *ctx, mf_us_t t_us, struct mf_fix *fix)
{
    const struct receiver *r = ctx;
    (void)t_us;
    *fix = (struct mf_fix){.type = MF_FIX_3D,
                           .satellites = 10,
                           .lat_e7 = 470000000,
                           .alt_amsl_mm = r->amsl_mm,
                           .alt_ellipsoid_mm = r->ellipsoid_mm,
                           .h_acc_mm = r->h_acc_mm,
                           .hdop_x100 = 70,
                           .vdop_x100 = 110};
    return r->result;
}

static int receiver_next(void *ctx, mf_us_t t_us, mf_us_t *at_us)
{
    const struct receiver *r = ctx;
    *at_us = t_us < r->next_us ? r->next_us : MF_NEVER;
    return r->next_result;
}

static const struct mf_gnss_ops k_receiver = {receiver_read, receiver_next};

/* A battery behind the faults: half full, 17 V, lower soon. */
static int battery_read(void *ctx, mf_us_t t_us, struct mf_battery *battery)
{
    (void)ctx, (void)t_us;
    *battery = (struct mf_battery){.voltage_v = 17.0f, .remaining = 0.5f, .cells = 4};
    return MF_E_OK;
}

static int battery_next(void *ctx, mf_us_t t_us, float remaining, mf_us_t *at_us)
{
    (void)ctx, (void)t_us, (void)remaining;
    *at_us = 900;
    return MF_E_OK;
}

static const struct mf_power_ops k_battery = {battery_read, battery_next};

struct fixture {
    struct receiver receiver;
    struct mf_faults faults;
    uint8_t parts[MF_MEMORY_BYTES(sizeof(struct mf_fault_book))];
    struct mf_memory memory; /* of these */
};

static struct mf_faults *fresh(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    mf_faults_init(&f->faults, &k_receiver, &f->receiver, &k_battery, NULL);
    memset(f->parts, 0xA5, sizeof f->parts);
    f->memory = (struct mf_memory){.bytes = f->parts, .size = sizeof f->parts};
    f->faults.memory = &f->memory;
    return &f->faults;
}

static int fix_type(struct mf_faults *faults, mf_us_t t_us)
{
    struct mf_fix fix;
    assert_int_equal(mf_faults_gnss_ops.read(faults, t_us, &fix), MF_E_OK);
    return fix.type;
}

static mf_us_t next_us(struct mf_faults *faults, mf_us_t t_us)
{
    mf_us_t at_us = -1;
    assert_int_equal(mf_faults_gnss_ops.next(faults, t_us, &at_us), MF_E_OK);
    return at_us;
}

static void schedule(struct mf_faults *faults, mf_us_t from_us, mf_us_t to_us)
{
    const struct mf_fault_plan plan = {.fault = MF_FAULT_GPS_OFF,
                                       .after_us = from_us,
                                       .for_us = to_us == MF_NEVER ? MF_NEVER : to_us - from_us};
    assert_int_equal(mf_faults_schedule(faults, &plan), MF_E_OK);
}

static void set(struct mf_faults *faults, mf_us_t t_us, bool on)
{
    assert_int_equal(mf_faults_inject_ops.set(faults, t_us, MF_FAULT_GPS_OFF, on, NULL), MF_E_OK);
}

static void test_sim045_without_faults_the_receiver_shows(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    struct mf_fix fix;
    (void)state;
    assert_int_equal(mf_faults_gnss_ops.read(faults, 5, &fix), MF_E_OK);
    assert_true(fix.type == MF_FIX_3D && fix.satellites == 10 && fix.lat_e7 == 470000000);
    assert_true(next_us(faults, 0) == MF_NEVER);
    f.receiver.result = MF_E_IO;
    assert_int_equal(mf_faults_gnss_ops.read(faults, 5, &fix), MF_E_IO);
}

static void test_sim046_gps_loss_on_schedule(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    struct mf_fix fix;
    (void)state;
    schedule(faults, 100, 200);
    schedule(faults, 300, MF_NEVER);
    assert_int_equal(fix_type(faults, 99), MF_FIX_3D);
    assert_int_equal(fix_type(faults, 100), MF_FIX_NONE);
    assert_int_equal(fix_type(faults, 199), MF_FIX_NONE);
    assert_int_equal(fix_type(faults, 200), MF_FIX_3D);
    assert_int_equal(fix_type(faults, INT64_C(1) << 60), MF_FIX_NONE);
    assert_int_equal(mf_faults_gnss_ops.read(faults, 150, &fix), MF_E_OK);
    assert_true(fix.satellites == 0 && fix.lat_e7 == 0 && fix.hdop_x100 == 65535);
}

static void test_sim046_gps_loss_on_request(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    (void)state;
    set(faults, 50, true);
    assert_int_equal(fix_type(faults, 50), MF_FIX_NONE);
    assert_true(next_us(faults, 50) == MF_NEVER);
    set(faults, 80, false);
    assert_int_equal(fix_type(faults, 80), MF_FIX_3D);
}

/* The instants that wake whoever watches: so a fault shows at once. */
static void test_sim047_the_next_change_is_known(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    (void)state;
    schedule(faults, 100, 200);
    schedule(faults, 150, 250); /* overlaps */
    schedule(faults, 250, 260); /* adjoins */
    schedule(faults, 400, 500);
    assert_true(next_us(faults, 0) == 100);
    assert_true(next_us(faults, 100) == 260);
    assert_true(next_us(faults, 260) == 400);
    assert_true(next_us(faults, 499) == 500);
    assert_true(next_us(faults, 500) == MF_NEVER);
    f.receiver.next_us = 220;
    assert_true(next_us(faults, 99) == 100);
    assert_true(next_us(faults, 210) == 260); /* hidden by the fault */
    f.receiver.next_us = 300;
    assert_true(next_us(faults, 260) == 300);
}

static void test_a_receiver_that_must_be_polled(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    mf_us_t at_us = -1;
    (void)state;
    f.receiver.next_result = MF_E_NOSUPP;
    schedule(faults, 100, 200);
    assert_int_equal(mf_faults_gnss_ops.next(faults, 0, &at_us), MF_E_NOSUPP);
    assert_true(next_us(faults, 100) == 200);
}

/* What was acknowledged as cleared is clear; what is still to come comes. */
static void test_a_request_against_it_ends_the_interval_under_way(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    (void)state;
    schedule(faults, 100, 200);
    schedule(faults, 300, 400);
    set(faults, 150, true);
    set(faults, 160, false);
    assert_int_equal(fix_type(faults, 160), MF_FIX_3D);
    assert_int_equal(fix_type(faults, 199), MF_FIX_3D);
    assert_true(next_us(faults, 160) == 300);
    assert_int_equal(fix_type(faults, 300), MF_FIX_NONE);
}

static void test_a_request_outlasts_the_schedule(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    (void)state;
    schedule(faults, 100, 200);
    set(faults, 150, true);
    assert_int_equal(fix_type(faults, 250), MF_FIX_NONE);
    assert_true(next_us(faults, 150) == MF_NEVER);
}

static void test_a_request_ahead_of_time_waits(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    (void)state;
    set(faults, 500, true);
    assert_int_equal(fix_type(faults, 499), MF_FIX_3D);
    assert_true(next_us(faults, 499) == 500);
    assert_int_equal(fix_type(faults, 500), MF_FIX_NONE);
}

static void test_the_schedule_is_limited(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    (void)state;
    const struct mf_fault_plan bad[] = {
        {.fault = MF_FAULT_GPS_OFF, .for_us = 0},
        {.fault = MF_FAULT_GPS_OFF, .for_us = -1},
        {.fault = MF_FAULT_GPS_OFF, .after_us = -1, .for_us = 5},
        {.fault = MF_FAULT_GPS_OFF, .on = MF_HAPPENING_COUNT, .for_us = 5},
        {.fault = MF_FAULT_BATTERY, .for_us = 5, .with.value = {100.5f}},
        {.fault = MF_FAULT_BATTERY, .for_us = 5, .with.value = {50.0f, 1.0f}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(mf_faults_schedule(faults, &bad[i]), MF_E_RANGE);
    }
    const struct mf_fault_plan none = {.fault = MF_FAULT_COUNT, .for_us = 5};
    assert_int_equal(mf_faults_schedule(faults, &none), MF_E_NOSUPP);
    for (mf_us_t i = 0; i < 16; i++) {
        schedule(faults, 10 * i, 10 * i + 5);
    }
    const struct mf_fault_plan more = {.fault = MF_FAULT_GPS_OFF, .for_us = 5};
    assert_int_equal(mf_faults_schedule(faults, &more), MF_E_FULL);
    assert_true(next_us(faults, 154) == 155 && next_us(faults, 155) == MF_NEVER);
}

static void test_unknown_faults_are_not_supported(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    (void)state;
    assert_int_equal(mf_faults_inject_ops.set(faults, 0, MF_FAULT_COUNT, true, NULL), MF_E_NOSUPP);
    assert_int_equal(fix_type(faults, 0), MF_FIX_3D);
}

/* ---- what each fault changes ---- */

static struct mf_fix fix_with(struct mf_faults *faults, mf_us_t t_us, enum mf_fault fault, float a,
                              float b, float c)
{
    struct mf_fix fix;
    const struct mf_fault_values with = {.value = {a, b, c}};
    assert_int_equal(mf_faults_inject_ops.set(faults, 1000000, fault, true, &with), MF_E_OK);
    assert_int_equal(mf_faults_gnss_ops.read(faults, t_us, &fix), MF_E_OK);
    return fix;
}

/* 1e-7 deg of latitude at 47 deg are 11.117 mm. */
static void test_sim046_a_glitch_and_a_drift_move_the_fix(void **state)
{
    struct fixture f;
    (void)state;
    struct mf_fix fix = fix_with(fresh(&f), 1000000, MF_FAULT_GPS_GLITCH, 30.0f, 0.0f, -2.0f);
    assert_in_range(fix.lat_e7, 470002698, 470002699); /* 30 m / 11.1175 mm */
    assert_int_equal(fix.lon_e7, 0);
    assert_int_equal(fix.alt_amsl_mm, 2000);
    assert_int_equal(fix.alt_ellipsoid_mm, 2000);
    fix = fix_with(fresh(&f), 1000000, MF_FAULT_GPS_DRIFT, 2.0f, 0.0f, 0.0f);
    assert_int_equal(fix.lat_e7, 470000002);                                   /* 25 mm */
    fix = fix_with(fresh(&f), 16000000, MF_FAULT_GPS_DRIFT, 2.0f, 0.0f, 0.0f); /* 15 s later */
    assert_in_range(fix.lat_e7, 470002700, 470002701);                         /* 30.025 m */
}

static void test_sim046_what_a_receiver_claims(void **state)
{
    struct fixture f;
    (void)state;
    struct mf_faults *faults = fresh(&f);
    f.receiver.h_acc_mm = 1000;
    struct mf_fix fix = fix_with(faults, 1000000, MF_FAULT_GPS_ACCURACY, 20.0f, 30.0f, 0.0f);
    assert_int_equal(fix.h_acc_mm, 20000);
    assert_int_equal(fix.v_acc_mm, 30000);
    assert_int_equal(fix.hdop_x100, 1400); /* 0.70 * 20 */
    fix = fix_with(fresh(&f), 1000000, MF_FAULT_GPS_SATELLITES, 5.0f, 0.0f, 0.0f);
    assert_true(fix.type == MF_FIX_3D && fix.satellites == 5);
    fix = fix_with(fresh(&f), 1000000, MF_FAULT_GPS_SATELLITES, 3.0f, 0.0f, 0.0f);
    assert_true(fix.type == MF_FIX_NO_FIX && fix.satellites == 3);
    fix = fix_with(fresh(&f), 1000000, MF_FAULT_GPS_NO_FIX, 0.0f, 0.0f, 0.0f);
    assert_true(fix.type == MF_FIX_NO_FIX && fix.satellites == 3);
    fix = fix_with(fresh(&f), 1000000, MF_FAULT_GPS_JAM, 0.0f, 0.0f, 0.0f);
    assert_true(fix.type == MF_FIX_NO_FIX && fix.satellites == 0);
    faults = fresh(&f);
    f.receiver.amsl_mm = 500000;
    f.receiver.ellipsoid_mm = 547000;
    fix = fix_with(faults, 1000000, MF_FAULT_GPS_DATUM, 0.0f, 0.0f, 0.0f);
    assert_int_equal(fix.alt_ellipsoid_mm, 500000);
}

static void test_sim046_a_stuck_receiver_repeats_itself(void **state)
{
    struct fixture f;
    struct mf_fix fix;
    (void)state;
    struct mf_faults *faults = fresh(&f);
    f.receiver.amsl_mm = 1000;
    (void)fix_with(faults, 1000000, MF_FAULT_GPS_STUCK, 0.0f, 0.0f, 0.0f);
    f.receiver.amsl_mm = 2000;
    assert_int_equal(mf_faults_gnss_ops.read(faults, 2000000, &fix), MF_E_OK);
    assert_true(fix.type == MF_FIX_3D && fix.alt_amsl_mm == 1000);
    assert_int_equal(mf_faults_inject_ops.set(faults, 3000000, MF_FAULT_GPS_STUCK, false, NULL),
                     MF_E_OK);
    assert_int_equal(mf_faults_gnss_ops.read(faults, 3000000, &fix), MF_E_OK);
    assert_int_equal(fix.alt_amsl_mm, 2000);
}

static struct mf_battery battery_with(struct fixture *f, mf_us_t t_us, enum mf_fault fault, float a)
{
    struct mf_battery b;
    const struct mf_fault_values with = {.value = {a}};
    struct mf_faults *faults = fresh(f);
    assert_int_equal(mf_faults_inject_ops.set(faults, 1000000, fault, true, &with), MF_E_OK);
    assert_int_equal(mf_faults_power_ops.read(faults, t_us, &b), MF_E_OK);
    return b;
}

/* Half full it is 8/9 + 1/18 = 17/18 of the full voltage: 18 V full, 16 V empty. */
static void test_sim046_battery(void **state)
{
    struct fixture f;
    mf_us_t at_us = 0;
    (void)state;
    struct mf_battery b = battery_with(&f, 1000000, MF_FAULT_BATTERY, 20.0f);
    assert_float_equal(b.remaining, 0.2f, 1e-6f);
    assert_float_equal(b.voltage_v, 16.4f, 1e-5f);
    assert_int_equal(mf_faults_power_ops.next(&f.faults, 1000000, 0.15f, &at_us), MF_E_OK);
    assert_true(at_us == MF_NEVER);
    assert_int_equal(mf_faults_power_ops.next(&f.faults, 1000000, 0.25f, &at_us), MF_E_OK);
    assert_true(at_us == 1000000);
    assert_float_equal(battery_with(&f, 1000000, MF_FAULT_BATTERY_LOW, 0.0f).remaining, 0.12f,
                       1e-6f);
    assert_float_equal(battery_with(&f, 1000000, MF_FAULT_BATTERY_CRITICAL, 0.0f).remaining, 0.06f,
                       1e-6f);
    assert_float_equal(battery_with(&f, 1000000, MF_FAULT_BATTERY_EMERGENCY, 0.0f).remaining, 0.03f,
                       1e-6f);
    b = battery_with(&f, 1000000, MF_FAULT_BATTERY_OFF, 0.0f);
    assert_float_equal(b.remaining, 0.0f, 0.0f);
    assert_float_equal(b.voltage_v, 16.0f, 1e-5f);
    b = battery_with(&f, 1000000, MF_FAULT_BATTERY_VOLTAGE, 13.0f);
    assert_true(b.voltage_v == 13.0f && b.remaining == 0.5f);
    /* a drain is seen at its first instant: 1 mV for each percent a minute, at least 2 */
    const float whole_v = battery_with(&f, 1000000, MF_FAULT_GPS_OFF, 0.0f).voltage_v;
    b = battery_with(&f, 1000000, MF_FAULT_BATTERY_DRAIN, 60.0f);
    assert_float_equal(whole_v - b.voltage_v, 0.060f, 1e-5f);
    b = battery_with(&f, 1000000, MF_FAULT_BATTERY_DRAIN, 0.5f);
    assert_float_equal(whole_v - b.voltage_v, 0.002f, 1e-5f);
    /* 60 percent a minute, 10 s: 10 percent */
    assert_float_equal(battery_with(&f, 11000000, MF_FAULT_BATTERY_DRAIN, 60.0f).remaining, 0.4f,
                       1e-6f);
    assert_int_equal(mf_faults_power_ops.next(&f.faults, 1000000, 0.15f, &at_us), MF_E_NOSUPP);
    assert_float_equal(battery_with(&f, 91000000, MF_FAULT_BATTERY_DRAIN, 60.0f).remaining, 0.0f,
                       0.0f);
    assert_int_equal(mf_faults_power_ops.next(fresh(&f), 0, 0.15f, &at_us), MF_E_OK);
    assert_true(at_us == 900);
}

static void test_sim046_a_schedule_follows_what_happens(void **state)
{
    struct fixture f;
    (void)state;
    struct mf_faults *faults = fresh(&f);
    const struct mf_fault_plan plan = {.fault = MF_FAULT_MAG_OFF,
                                       .on = MF_HAPPENING_WAYPOINT,
                                       .index = 2,
                                       .after_us = 10,
                                       .for_us = 5};
    assert_int_equal(mf_faults_schedule(faults, &plan), MF_E_OK);
    assert_true(mf_faults_inject_ops.next(faults, 0) == MF_NEVER);
    assert_false(mf_faults_inject_ops.happened(faults, 100, MF_HAPPENING_WAYPOINT, 1));
    assert_false(mf_faults_inject_ops.happened(faults, 100, MF_HAPPENING_TAKEOFF, 2));
    assert_true(mf_faults_inject_ops.happened(faults, 100, MF_HAPPENING_WAYPOINT, 2));
    assert_false(mf_faults_inject_ops.happened(faults, 200, MF_HAPPENING_WAYPOINT, 2)); /* once */
    assert_true(mf_faults_inject_ops.next(faults, 100) == 110);
    assert_true(mf_faults_inject_ops.next(faults, 110) == 115);
    assert_int_equal(mf_faults_sensors_ops.lost(faults, 109), 0);
    assert_int_equal(mf_faults_sensors_ops.lost(faults, 110), 1u << MF_SENSOR_MAG);
    assert_int_equal(mf_faults_sensors_ops.lost(faults, 115), 0);
}

/* Added at 1000: an event counts from then on, what is over makes room, and order is kept. */
static void test_sim046_a_schedule_grows_while_time_passes(void **state)
{
    struct fixture f;
    struct mf_fault_planned p;
    const struct mf_inject_ops *ops = &mf_faults_inject_ops;
    (void)state;
    struct mf_faults *faults = fresh(&f);
    for (mf_us_t i = 0; i < 16; i++) {
        schedule(faults, 10 * i, 10 * i + 5);
    }
    struct mf_fault_plan plan = {.fault = MF_FAULT_MAG_OFF, .after_us = 999, .for_us = 5};
    assert_int_equal(ops->plan(faults, 140, &(struct mf_fault_plan){.fault = MF_FAULT_COUNT}),
                     MF_E_RANGE); /* before 140 */
    assert_int_equal(ops->plan(faults, 4, &plan), MF_E_FULL);
    assert_int_equal(ops->plan(faults, 1000, &plan), MF_E_RANGE);
    assert_false(ops->planned(faults, 1000, 0, &p));
    plan.after_us = 1000;
    assert_int_equal(ops->plan(faults, 1000, &plan), MF_E_OK);
    plan.on = MF_HAPPENING_TAKEOFF;
    plan.after_us = 0;
    (void)ops->happened(faults, 1000, MF_HAPPENING_TAKEOFF, 0);
    assert_int_equal(ops->plan(faults, 1000, &plan), MF_E_OK);
    plan.fault = MF_FAULT_GPS_OFF;
    assert_int_equal(ops->plan(faults, 1000, &plan), MF_E_OK);
    assert_int_equal(faults->book->count, 3);
    assert_true(ops->planned(faults, 1004, 0, &p) && p.from_us == 1000 && p.to_us == 1005);
    assert_true(ops->planned(faults, 1005, 0, &p) && p.plan.on == MF_HAPPENING_TAKEOFF);
    assert_true(p.plan.fault == MF_FAULT_MAG_OFF && p.from_us == MF_NEVER && p.to_us == MF_NEVER);
    assert_false(ops->planned(faults, 1005, 2, &p));
    assert_int_equal(mf_faults_sensors_ops.lost(faults, 1004), 1u << MF_SENSOR_MAG);
    assert_int_equal(mf_faults_sensors_ops.lost(faults, 1005), 0);
    assert_true(ops->happened(faults, 2000, MF_HAPPENING_TAKEOFF, 0));
    assert_int_equal(mf_faults_sensors_ops.lost(faults, 2004), 1u << MF_SENSOR_MAG);
    ops->unplan(faults, 2004, MF_FAULT_MAG_OFF);
    assert_int_equal(mf_faults_sensors_ops.lost(faults, 2004), 0);
    assert_int_equal(fix_type(faults, 2004), MF_FIX_NONE);
    assert_true(ops->next(faults, 2004) == 2005);
    assert_false(ops->planned(faults, 2005, 0, &p));
}

static void test_the_last_one_gives_the_values(void **state)
{
    struct fixture f;
    struct mf_fault_values with;
    (void)state;
    struct mf_faults *faults = fresh(&f);
    struct mf_fault_plan plan = {
        .fault = MF_FAULT_BATTERY, .after_us = 100, .for_us = 100, .with.value = {80.0f}};
    assert_int_equal(mf_faults_schedule(faults, &plan), MF_E_OK);
    plan = (struct mf_fault_plan){
        .fault = MF_FAULT_BATTERY, .after_us = 150, .for_us = 100, .with.value = {70.0f}};
    assert_int_equal(mf_faults_schedule(faults, &plan), MF_E_OK);
    assert_false(mf_faults_inject_ops.active(faults, 99, MF_FAULT_BATTERY, &with));
    assert_true(mf_faults_inject_ops.active(faults, 100, MF_FAULT_BATTERY, &with));
    assert_true(with.value[0] == 80.0f);
    assert_true(mf_faults_inject_ops.next(faults, 100) == 150); /* the values change */
    assert_true(mf_faults_inject_ops.active(faults, 150, MF_FAULT_BATTERY, &with));
    assert_true(with.value[0] == 70.0f);
    with.value[0] = 60.0f;
    assert_int_equal(mf_faults_inject_ops.set(faults, 160, MF_FAULT_BATTERY, true, &with), MF_E_OK);
    assert_true(mf_faults_inject_ops.active(faults, 160, MF_FAULT_BATTERY, &with));
    assert_true(with.value[0] == 60.0f);
    with.value[0] = 160.0f;
    assert_int_equal(mf_faults_inject_ops.set(faults, 170, MF_FAULT_BATTERY, true, &with),
                     MF_E_RANGE);
}

/* Of several that begin at one instant the one that was scheduled last counts, and a request before
 * all of them. */
static void test_of_faults_that_begin_together_the_last_counts(void **state)
{
    struct fixture f;
    struct mf_fault_values with = {0};
    (void)state;
    struct mf_faults *faults = fresh(&f);
    struct mf_fault_plan plan = {
        .fault = MF_FAULT_BATTERY, .after_us = 100, .for_us = 100, .with.value = {80.0f}};
    assert_int_equal(mf_faults_schedule(faults, &plan), MF_E_OK);
    plan.with.value[0] = 70.0f;
    assert_int_equal(mf_faults_schedule(faults, &plan), MF_E_OK);
    assert_true(mf_faults_inject_ops.active(faults, 100, MF_FAULT_BATTERY, &with));
    assert_true(with.value[0] == 70.0f);
    with.value[0] = 60.0f;
    assert_int_equal(mf_faults_inject_ops.set(faults, 100, MF_FAULT_BATTERY, true, &with), MF_E_OK);
    assert_true(mf_faults_inject_ops.active(faults, 100, MF_FAULT_BATTERY, &with));
    assert_true(with.value[0] == 60.0f);
}

static void test_sim046_a_drift_for_days_stays_within_the_numbers(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    struct mf_fix fix;
    const struct mf_fault_values up = {.value = {100.0f, -100.0f, -100.0f}};
    const struct mf_fault_values down = {.value = {-100.0f, 100.0f, 100.0f}};
    (void)state;
    f.receiver.amsl_mm = 500000;
    const mf_us_t late_us = INT64_C(1000000000) * MF_SECOND_US;
    assert_int_equal(mf_faults_inject_ops.set(faults, 0, MF_FAULT_GPS_DRIFT, true, &up), MF_E_OK);
    assert_int_equal(mf_faults_gnss_ops.read(faults, late_us, &fix), MF_E_OK);
    assert_int_equal(fix.alt_amsl_mm, INT32_MAX);
    assert_in_range(fix.lat_e7 + 900000000, 0, 1800000000);
    assert_int_equal(mf_faults_inject_ops.set(faults, 0, MF_FAULT_GPS_DRIFT, true, &down), MF_E_OK);
    assert_int_equal(mf_faults_gnss_ops.read(faults, late_us, &fix), MF_E_OK);
    assert_int_equal(fix.alt_amsl_mm, INT32_MIN + 1 + 500000);
}

/* The second one of the same kind begins at nothing again, which is a change to be told. */
static void test_sim046_a_drift_within_another_begins_anew(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    struct mf_fault_plan plan = {.fault = MF_FAULT_GPS_DRIFT,
                                 .after_us = 100,
                                 .for_us = 1000,
                                 .with = {.value = {1.0f, 0.0f, 0.0f}}};
    (void)state;
    assert_int_equal(mf_faults_schedule(faults, &plan), MF_E_OK);
    plan.after_us = 500;
    plan.for_us = 100;
    assert_int_equal(mf_faults_schedule(faults, &plan), MF_E_OK);
    assert_true(next_us(faults, 100) == 500);
    assert_true(next_us(faults, 500) == 600);
    assert_true(next_us(faults, 600) == 1100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim046_a_drift_for_days_stays_within_the_numbers),
        cmocka_unit_test(test_sim046_a_drift_within_another_begins_anew),
        cmocka_unit_test(test_sim045_without_faults_the_receiver_shows),
        cmocka_unit_test(test_sim046_gps_loss_on_schedule),
        cmocka_unit_test(test_sim046_gps_loss_on_request),
        cmocka_unit_test(test_sim047_the_next_change_is_known),
        cmocka_unit_test(test_a_receiver_that_must_be_polled),
        cmocka_unit_test(test_a_request_against_it_ends_the_interval_under_way),
        cmocka_unit_test(test_a_request_outlasts_the_schedule),
        cmocka_unit_test(test_a_request_ahead_of_time_waits),
        cmocka_unit_test(test_the_schedule_is_limited),
        cmocka_unit_test(test_unknown_faults_are_not_supported),
        cmocka_unit_test(test_sim046_a_glitch_and_a_drift_move_the_fix),
        cmocka_unit_test(test_sim046_what_a_receiver_claims),
        cmocka_unit_test(test_sim046_a_stuck_receiver_repeats_itself),
        cmocka_unit_test(test_sim046_battery),
        cmocka_unit_test(test_sim046_a_schedule_follows_what_happens),
        cmocka_unit_test(test_sim046_a_schedule_grows_while_time_passes),
        cmocka_unit_test(test_the_last_one_gives_the_values),
        cmocka_unit_test(test_of_faults_that_begin_together_the_last_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
