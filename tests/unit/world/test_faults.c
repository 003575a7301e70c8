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
};

static int receiver_read(void *ctx, mf_us_t t_us, struct mf_fix *fix)
{
    const struct receiver *r = ctx;
    (void)t_us;
    *fix = (struct mf_fix){.type = MF_FIX_3D, .satellites = 10, .lat_e7 = 470000000};
    return r->result;
}

static int receiver_next(void *ctx, mf_us_t t_us, mf_us_t *at_us)
{
    const struct receiver *r = ctx;
    *at_us = t_us < r->next_us ? r->next_us : MF_NEVER;
    return r->next_result;
}

static const struct mf_gnss_ops k_receiver = {receiver_read, receiver_next};

struct fixture {
    struct receiver receiver;
    struct mf_faults faults;
};

static struct mf_faults *fresh(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    mf_faults_init(&f->faults, &k_receiver, &f->receiver);
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
    assert_int_equal(mf_faults_schedule(faults, MF_FAULT_GPS_OFF, from_us, to_us), MF_E_OK);
}

static void set(struct mf_faults *faults, mf_us_t t_us, bool on)
{
    assert_int_equal(mf_faults_inject_ops.set(faults, t_us, MF_FAULT_GPS_OFF, on), MF_E_OK);
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
    assert_int_equal(mf_faults_schedule(faults, MF_FAULT_GPS_OFF, 10, 10), MF_E_RANGE);
    assert_int_equal(mf_faults_schedule(faults, MF_FAULT_GPS_OFF, 11, 10), MF_E_RANGE);
    assert_int_equal(mf_faults_schedule(faults, MF_FAULT_COUNT, 0, 10), MF_E_NOSUPP);
    for (mf_us_t i = 0; i < 16; i++) {
        schedule(faults, 10 * i, 10 * i + 5);
    }
    assert_int_equal(mf_faults_schedule(faults, MF_FAULT_GPS_OFF, 500, 510), MF_E_FULL);
    assert_true(next_us(faults, 154) == 155 && next_us(faults, 155) == MF_NEVER);
}

static void test_unknown_faults_are_not_supported(void **state)
{
    struct fixture f;
    struct mf_faults *faults = fresh(&f);
    (void)state;
    assert_int_equal(mf_faults_inject_ops.set(faults, 0, MF_FAULT_COUNT, true), MF_E_NOSUPP);
    assert_int_equal(fix_type(faults, 0), MF_FIX_3D);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
