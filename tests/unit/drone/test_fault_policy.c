/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of a request for a fault: imposed on the vehicle, chosen by unit and type, put into the log, refused. */
#include "tests/unit/drone/fault_fixture.h"

static int set(enum mf_fault fault, bool on, const struct mf_fault_values *with)
{
    const int err = mf_inject_set(&fx.drone.vehicle.hal, S, fault, on, with);
    (void)mf_inject_next(&fx.drone.vehicle.hal, S);
    return err;
}

static bool active(enum mf_fault fault)
{
    return mf_inject_active(&fx.drone.vehicle.hal, S, fault, NULL);
}

static void test_sim046_what_no_device_shows_is_imposed(void **state)
{
    static const struct {
        enum mf_fault fault;
        struct mf_imposed imposed;
    } k_case[] = {
        {MF_FAULT_GPS_OFF, {0}},
        {MF_FAULT_PREARM, {.denial = "Preflight Fail: fault injected"}},
        {MF_FAULT_RC_LOST, {.rc_lost = true}},
        {MF_FAULT_HOME_LOST, {.home_hidden = true}},
        {MF_FAULT_HEARTBEAT_OFF, {.silent = true}},
        {MF_FAULT_HEARTBEAT_LATE, {.late_us = 4 * S}},
        {MF_FAULT_BREACH_TELEPORT, {.leash_m = 100.0f}},
        {MF_FAULT_BREACH_DRIFT, {.leash_m = 100.0f}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const struct mf_imposed *is = &fx_boot()->imposed, *want = &k_case[i].imposed;
        assert_int_equal(set(k_case[i].fault, true, NULL), MF_E_OK);
        assert_string_equal(is->denial, want->denial);
        assert_int_equal(is->rc_lost, want->rc_lost);
        assert_int_equal(is->home_hidden, want->home_hidden);
        assert_int_equal(is->silent, want->silent);
        assert_true(is->late_us == want->late_us && is->leash_m == want->leash_m);
        assert_int_equal(set(k_case[i].fault, false, NULL), MF_E_OK);
        assert_int_equal(is->denial[0], 0);
        assert_false(is->rc_lost || is->home_hidden || is->silent);
        assert_true(is->late_us == 0 && is->leash_m == 0.0f);
    }
}

static void test_sim046_a_reason_of_its_own(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot();
    const struct mf_fault_values with = {.text = "door open"};
    assert_int_equal(set(MF_FAULT_PREARM, true, &with), MF_E_OK);
    assert_string_equal(v->imposed.denial, "Preflight Fail: door open");
}

static void test_sim046_beginnings_and_ends_are_logged(void **state)
{
    (void)state;
    (void)fx_boot();
    assert_int_equal(set(MF_FAULT_GPS_OFF, true, NULL), MF_E_OK);
    assert_true(mf_mock_logged(&fx.mock, "fault", "gps_off begins"));
    assert_false(mf_mock_logged(&fx.mock, "fault", "gps_off ends"));
    assert_int_equal(set(MF_FAULT_GPS_OFF, false, NULL), MF_E_OK);
    assert_true(mf_mock_logged(&fx.mock, "fault", "gps_off ends"));
}

/* Away from home, 1.1 times the fence and 10 m more; 100 km at most. */
static void test_sim046_a_teleport_leads_out_of_the_fence(void **state)
{
    static const struct {
        float fence_m, distance_m;
    } k_case[] = {{0.0f, 110.0f}, {50.0f, 65.0f}, {200.0f, 230.0f}, {1e5f, 1e5f}};
    const struct mf_fault_values east = {.value = {40.0f, 90.0f}};
    struct mf_fault_values with;
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct mf_vehicle *v = fx_boot();
        assert_int_equal(mf_param_override(v, "GF_MAX_HOR_DIST", (double)k_case[i].fence_m),
                         MF_E_OK);
        for (int away = 0; away < 2; away++) {
            assert_int_equal(set(MF_FAULT_BREACH_TELEPORT, true, NULL), MF_E_OK);
            assert_true(mf_inject_active(&v->hal, S, MF_FAULT_BREACH_TELEPORT, &with));
            assert_true(fabs((double)(with.value[0] - k_case[i].distance_m)) < 0.01);
            assert_true(fabs((double)with.value[1] - (away != 0 ? 90.0 : 0.0)) < 0.1);
            fx_boot();
            assert_int_equal(mf_param_override(v, "GF_MAX_HOR_DIST", (double)k_case[i].fence_m),
                             MF_E_OK);
            assert_int_equal(set(MF_FAULT_BREACH_TELEPORT, true, &east), MF_E_OK);
            assert_int_equal(set(MF_FAULT_BREACH_TELEPORT, false, NULL), MF_E_OK);
        }
    }
}

#define BIT(name) (UINT64_C(1) << MF_FAULT_##name)

/* A unit fails in one way at a time; OK ends them all, and nothing of another unit. */
static void test_sim046_units_and_types(void **state)
{
    static const struct {
        uint64_t before;
        int32_t unit, type;
        int result;
        uint64_t after;
    } k_case[] = {
        {0, 4, 1, MF_E_OK, BIT(GPS_OFF)},
        {BIT(GPS_OFF), 4, 2, MF_E_OK, BIT(GPS_STUCK)},
        {BIT(GPS_OFF) | BIT(GPS_DRIFT), 4, 2, MF_E_OK, BIT(GPS_STUCK) | BIT(GPS_DRIFT)},
        {BIT(GPS_STUCK) | BIT(GYRO_OFF), 4, 4, MF_E_OK, BIT(GPS_GLITCH) | BIT(GYRO_OFF)},
        {BIT(GPS_JAM) | BIT(GPS_DRIFT) | BIT(GYRO_OFF), 4, 0, MF_E_OK, BIT(GYRO_OFF)},
        {BIT(GPS_STUCK) | BIT(GPS_NO_FIX), 4, 4, MF_E_AGAIN, BIT(GPS_STUCK) | BIT(GPS_NO_FIX)},
        {BIT(GPS_OFF), 4, 7, MF_E_NOSUPP, BIT(GPS_OFF)},   /* no such type */
        {BIT(GPS_OFF), 4, 255, MF_E_NOSUPP, BIT(GPS_OFF)}, /* MF_NO_TYPE */
        {BIT(WIND), 255, 0, MF_E_NOSUPP, BIT(WIND)},       /* MF_NO_UNIT */
        {BIT(GPS_OFF), 8, 0, MF_E_NOSUPP, BIT(GPS_OFF)},
        {0, 4, 0, MF_E_OK, 0},
        {0, 100, 1, MF_E_OK, BIT(BATTERY_OFF)},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const struct mf_vehicle *v = fx_boot();
        for (int fault = 0; fault < MF_FAULT_COUNT; fault++) {
            if ((k_case[i].before >> fault & 1u) != 0) {
                fx_force((enum mf_fault)fault, NULL);
            }
        }
        assert_int_equal(mf_inject_unit(&v->hal, S, k_case[i].unit, k_case[i].type),
                         k_case[i].result);
        for (int fault = 0; fault < MF_FAULT_COUNT; fault++) {
            assert_int_equal(active((enum mf_fault)fault), k_case[i].after >> fault & 1u);
        }
    }
}

/* What begins at once is judged as a request; what waits may show by then. */
static void test_sim046_plans(void **state)
{
    static const struct {
        enum mf_happening on;
        mf_us_t after_us;
        enum mf_fault fault;
        int result;
    } k_case[] = {
        {MF_HAPPENING_BOOT, S, MF_FAULT_UTC_STEP, MF_E_NOSUPP},
        {MF_HAPPENING_BOOT, S + 1, MF_FAULT_UTC_STEP, MF_E_OK},
        {MF_HAPPENING_ARMED, S, MF_FAULT_UTC_STEP, MF_E_OK},
        {MF_HAPPENING_BOOT, S - 1, MF_FAULT_GPS_OFF, MF_E_RANGE},
        {MF_HAPPENING_BOOT, S, MF_FAULT_COUNT, MF_E_NOSUPP},
        {MF_HAPPENING_BOOT, S, (enum mf_fault)77, MF_E_NOSUPP},
        {MF_HAPPENING_BOOT, S, (enum mf_fault)(-1), MF_E_NOSUPP},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const struct mf_vehicle *v = fx_boot();
        const struct mf_fault_plan plan = {.fault = k_case[i].fault,
                                           .on = k_case[i].on,
                                           .after_us = k_case[i].after_us,
                                           .for_us = S,
                                           .with.value = {3600.0f * (i < 3)}};
        assert_int_equal(mf_inject_plan(&v->hal, S, &plan), k_case[i].result);
    }
    assert_int_equal(set((enum mf_fault)77, true, NULL), MF_E_NOSUPP);
}

static void test_sim046_a_plan_follows_what_happens_and_is_taken_back(void **state)
{
    const struct mf_fault_plan plan = {
        .fault = MF_FAULT_RC_LOST, .on = MF_HAPPENING_ARMED, .for_us = MF_NEVER};
    struct mf_fault_planned planned;
    (void)state;
    struct mf_vehicle *v = fx_boot();
    assert_int_equal(mf_inject_plan(&v->hal, S, &plan), MF_E_OK);
    assert_true(mf_inject_next(&v->hal, S) == MF_NEVER);
    assert_false(mf_inject_happened(&v->hal, S, MF_HAPPENING_LANDED, 0) || v->imposed.rc_lost);
    assert_true(mf_inject_happened(&v->hal, S, MF_HAPPENING_ARMED, 0));
    (void)mf_inject_next(&v->hal, S);
    assert_true(v->imposed.rc_lost);
    assert_true(mf_inject_planned(&v->hal, S, 0, &planned));
    mf_inject_unplan(&v->hal, S, MF_FAULT_RC_LOST);
    (void)mf_inject_next(&v->hal, S);
    assert_false(v->imposed.rc_lost);
    assert_false(mf_inject_planned(&v->hal, S, 0, &planned));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_sim046_what_no_device_shows_is_imposed, fx_before),
        cmocka_unit_test_setup(test_sim046_a_reason_of_its_own, fx_before),
        cmocka_unit_test_setup(test_sim046_beginnings_and_ends_are_logged, fx_before),
        cmocka_unit_test_setup(test_sim046_a_teleport_leads_out_of_the_fence, fx_before),
        cmocka_unit_test_setup(test_sim046_units_and_types, fx_before),
        cmocka_unit_test_setup(test_sim046_plans, fx_before),
        cmocka_unit_test_setup(test_sim046_a_plan_follows_what_happens_and_is_taken_back,
                               fx_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
