/* SPDX-License-Identifier: Apache-2.0 */
/* Requests for faults: passed on, and the devices are looked at again. */
#include "firmware/flight/faults.h"

#include "tests/unit/firmware/flight_fixture.h"

static const struct mf_options k_default;

/* The receiver loses its fix in the instant of the request. @return does the vehicle see that? */
static bool sees(struct mf_vehicle *v, int answer, int (*request)(struct mf_vehicle *v))
{
    const mf_us_t now_us = fx.mock.now.vehicle_us;
    fx.mock.gnss.fix.type = MF_FIX_3D;
    mf_estimate_forget(v);
    assert_true(mf_estimate_at(v, now_us)->position);
    fx.mock.gnss.fix.type = MF_FIX_NONE;
    fx.mock.inject_result = answer;
    assert_int_equal(request(v), answer);
    return !mf_estimate_at(v, now_us)->position;
}

static int inject(struct mf_vehicle *v)
{
    return mf_vehicle_inject(v, fx.mock.now.vehicle_us, MF_FAULT_GPS_OFF, true, NULL);
}

static void test_what_is_injected_is_seen_at_once(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    assert_true(sees(v, MF_E_OK, inject));
}

/* What was refused has changed no device: nobody looks again at an instant that was looked at. */
static void test_what_is_refused_is_not_looked_for(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    assert_false(sees(v, MF_E_DENIED, inject));
}

/* A fault that was scheduled begins: its instant is looked at again, other instants are not. */
static void test_a_scheduled_fault_is_seen_at_its_instant(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    const mf_us_t now_us = fx.mock.now.vehicle_us;
    assert_true(mf_estimate_at(v, now_us)->position);
    fx.mock.gnss.fix.type = MF_FIX_NONE;
    v->faults_us = now_us + 1;
    (void)mf_faults_run(v, now_us);
    assert_true(mf_estimate_at(v, now_us)->position);
    v->faults_us = now_us;
    assert_true(mf_faults_run(v, now_us) == MF_NEVER);
    assert_false(mf_estimate_at(v, now_us)->position);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_injected_is_seen_at_once),
        cmocka_unit_test(test_what_is_refused_is_not_looked_for),
        cmocka_unit_test(test_a_scheduled_fault_is_seen_at_its_instant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
