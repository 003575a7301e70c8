/* SPDX-License-Identifier: Apache-2.0 */
/* Would a fault be seen that begins now? Of a drone at home with 10 satellites, 16.2 V and a full
 * battery; the time is unknown and the geoid is the ellipsoid, unless a test says otherwise. */
#include "tests/unit/drone/fault_fixture.h"

#define NONE MF_FAULT_COUNT

struct judged {
    enum mf_fault active; /* NONE, or this one with the value, or by default */
    float active_value;
    enum mf_fault asked;
    float value; /* DEFAULT: those of the table */
    int result;
};
#define DEFAULT (-1.0f)

static const struct mf_fault_values *values(struct mf_fault_values *with, float value)
{
    *with = (struct mf_fault_values){.value = {value}};
    return value < 0.0f ? NULL : with;
}

static int judge(const struct judged *c)
{
    struct mf_fault_values with;
    if (c->active != NONE) {
        fx_force(c->active, values(&with, c->active_value));
    }
    return mf_fault_judge(&fx.drone.faults, S, c->asked, values(&with, c->value));
}

static void assert_judged(const struct judged *c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        (void)fx_boot();
        const int result = judge(&c[i]);
        if (result != c[i].result) {
            fail_msg("case %zu: %d, not %d", i, result, c[i].result);
        }
    }
}
#define ASSERT_JUDGED(cases) assert_judged(cases, sizeof(cases) / sizeof(cases)[0])

static void test_sim046_alone(void **state)
{
    static const struct judged k_case[] = {
        {NONE, 0, MF_FAULT_GPS_OFF, DEFAULT, MF_E_OK},
        {NONE, 0, MF_FAULT_GPS_GLITCH, DEFAULT, MF_E_OK},
        {NONE, 0, MF_FAULT_GPS_SATELLITES, DEFAULT, MF_E_OK},
        {NONE, 0, MF_FAULT_GPS_SATELLITES, 9.0f, MF_E_OK},
        {NONE, 0, MF_FAULT_GPS_SATELLITES, 10.0f, MF_E_DENIED}, /* it shows them already */
        {NONE, 0, MF_FAULT_GPS_DATUM, DEFAULT, MF_E_NOSUPP},
        {NONE, 0, MF_FAULT_UTC_STEP, DEFAULT, MF_E_NOSUPP},
        {NONE, 0, MF_FAULT_HOME_LOST, DEFAULT, MF_E_OK},
        {NONE, 0, MF_FAULT_BATTERY, 50.0f, MF_E_OK},
        {NONE, 0, MF_FAULT_BATTERY, 100.0f, MF_E_DENIED},
        {NONE, 0, MF_FAULT_BATTERY_VOLTAGE, 13.2f, MF_E_OK},
        {NONE, 0, MF_FAULT_BATTERY_VOLTAGE, 16.2f, MF_E_DENIED},
        {NONE, 0, MF_FAULT_BATTERY_DRAIN, DEFAULT, MF_E_OK},
        {NONE, 0, MF_FAULT_PREARM, DEFAULT, MF_E_OK},
        {NONE, 0, MF_FAULT_WIND, DEFAULT, MF_E_OK},
        {NONE, 0, MF_FAULT_HEARTBEAT_LATE, DEFAULT, MF_E_OK},
    };
    (void)state;
    ASSERT_JUDGED(k_case);
}

static void test_sim046_beside_another_one(void **state)
{
    static const struct judged k_case[] = {
        {MF_FAULT_GPS_OFF, DEFAULT, MF_FAULT_GPS_JAM, DEFAULT, MF_E_AGAIN},
        {MF_FAULT_GPS_JAM, DEFAULT, MF_FAULT_GPS_OFF, DEFAULT, MF_E_OK},
        {MF_FAULT_GPS_JAM, DEFAULT, MF_FAULT_GPS_NO_FIX, DEFAULT, MF_E_AGAIN},
        {MF_FAULT_GPS_STUCK, DEFAULT, MF_FAULT_GPS_GLITCH, DEFAULT, MF_E_AGAIN},
        {MF_FAULT_GPS_STUCK, DEFAULT, MF_FAULT_GPS_SATELLITES, 5.0f, MF_E_AGAIN},
        {MF_FAULT_GPS_STUCK, DEFAULT, MF_FAULT_GPS_SATELLITES, 4.0f, MF_E_AGAIN},
        {MF_FAULT_GPS_STUCK, DEFAULT, MF_FAULT_GPS_SATELLITES, 3.0f, MF_E_OK}, /* the fix is lost */
        {MF_FAULT_GPS_OFF, DEFAULT, MF_FAULT_GPS_SATELLITES, 3.0f, MF_E_AGAIN},
        {MF_FAULT_GPS_SATELLITES, 3.0f, MF_FAULT_GPS_GLITCH, DEFAULT, MF_E_AGAIN},
        {MF_FAULT_GPS_SATELLITES, 3.0f, MF_FAULT_GPS_SATELLITES, 2.0f, MF_E_OK},
        {MF_FAULT_GPS_SATELLITES, 5.0f, MF_FAULT_GPS_SATELLITES, 5.0f, MF_E_OK}, /* anew */
        {MF_FAULT_GPS_JAM, DEFAULT, MF_FAULT_BREACH_TELEPORT, DEFAULT, MF_E_AGAIN},
        {MF_FAULT_GPS_STUCK, DEFAULT, MF_FAULT_BREACH_TELEPORT, DEFAULT, MF_E_OK},
        {MF_FAULT_GYRO_OFF, DEFAULT, MF_FAULT_GYRO_STUCK, DEFAULT, MF_E_AGAIN},
        {MF_FAULT_GYRO_OFF, DEFAULT, MF_FAULT_ACCEL_OFF, DEFAULT, MF_E_OK},
        {MF_FAULT_GYRO_OFF, DEFAULT, MF_FAULT_PREARM, DEFAULT,
         MF_E_DENIED}, /* it cannot be armed */
        {MF_FAULT_HEARTBEAT_OFF, DEFAULT, MF_FAULT_HEARTBEAT_LATE, DEFAULT, MF_E_AGAIN},
        {MF_FAULT_HEARTBEAT_LATE, DEFAULT, MF_FAULT_HEARTBEAT_OFF, DEFAULT, MF_E_OK},
        {MF_FAULT_BATTERY_OFF, DEFAULT, MF_FAULT_BATTERY_EMERGENCY, DEFAULT, MF_E_AGAIN},
        {MF_FAULT_BATTERY_LOW, DEFAULT, MF_FAULT_BATTERY_CRITICAL, DEFAULT, MF_E_OK},
        {MF_FAULT_BATTERY_CRITICAL, DEFAULT, MF_FAULT_BATTERY_LOW, DEFAULT, MF_E_AGAIN},
        {MF_FAULT_BATTERY_VOLTAGE, DEFAULT, MF_FAULT_BATTERY_DRAIN, DEFAULT, MF_E_AGAIN},
        {MF_FAULT_BATTERY, 50.0f, MF_FAULT_BATTERY, 50.0f, MF_E_OK}, /* anew */
    };
    (void)state;
    ASSERT_JUDGED(k_case);
}

static void test_sim046_in_other_worlds(void **state)
{
    static const struct judged k_known[] = {
        {NONE, 0, MF_FAULT_UTC_STEP, DEFAULT, MF_E_OK},
        {NONE, 0, MF_FAULT_GPS_DATUM, DEFAULT, MF_E_OK},
        {MF_FAULT_GPS_DATUM, DEFAULT, MF_FAULT_GPS_DATUM, DEFAULT, MF_E_OK},
    };
    static const struct judged k_flat[] = {
        {NONE, 0, MF_FAULT_BATTERY_DRAIN, DEFAULT, MF_E_NOSUPP}, /* 0 V do not sag */
    };
    static const struct judged k_cold[] = {
        {NONE, 0, MF_FAULT_GPS_OFF, DEFAULT, MF_E_OK},
        {NONE, 0, MF_FAULT_GPS_NO_FIX, DEFAULT, MF_E_AGAIN},
        {NONE, 0, MF_FAULT_GPS_GLITCH, DEFAULT, MF_E_AGAIN},
        {NONE, 0, MF_FAULT_GPS_SATELLITES, 3.0f, MF_E_AGAIN},
        {NONE, 0, MF_FAULT_HOME_LOST, DEFAULT, MF_E_NOSUPP},
    };
    static struct mf_geoid geoid;
    (void)state;
    memset(&geoid, 0, sizeof geoid);
    assert_int_equal(mf_geoid_add_constant(&geoid, 47.0), MF_E_OK);
    fx.world.epoch_utc_us = INT64_C(1767225600000000);
    fx.world.geoid = &geoid;
    ASSERT_JUDGED(k_known);
    fx.world = mf_world_settings_default();
    fx.world.battery_voltage_v = 0.0;
    ASSERT_JUDGED(k_flat);
    fx.world = mf_world_settings_default();
    fx.world.gnss_warmup_s = 10.0;
    ASSERT_JUDGED(k_cold);
}

/* The receiver claims 0.9 m and 1.78 m. */
static void test_sim046_both_accuracies_must_be_the_same(void **state)
{
    static const struct {
        float h_m, v_m;
        int result;
    } k_case[] = {{0.9f, 1.78f, MF_E_DENIED}, {0.9f, 1.79f, MF_E_OK}, {0.91f, 1.78f, MF_E_OK}};
    (void)state;
    (void)fx_boot();
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const struct mf_fault_values with = {.value = {k_case[i].h_m, k_case[i].v_m}};
        assert_int_equal(mf_fault_judge(&fx.drone.faults, S, MF_FAULT_GPS_ACCURACY, &with),
                         k_case[i].result);
    }
}

static void test_sim046_a_home_that_is_hidden_is_one(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot();
    const struct judged lost = {NONE, 0, MF_FAULT_HOME_LOST, DEFAULT, 0};
    v->home.valid = false;
    assert_int_equal(judge(&lost), MF_E_NOSUPP);
    v->home.hidden = true;
    assert_int_equal(judge(&lost), MF_E_OK);
}

/* Faults of the battery are tried: nothing is left of that. */
static void test_sim046_a_trial_leaves_the_battery_as_it_was(void **state)
{
    static const struct judged k_tried = {NONE, 0, MF_FAULT_BATTERY, 50.0f, MF_E_OK};
    struct mf_battery battery;
    (void)state;
    struct mf_vehicle *v = fx_boot();
    assert_int_equal(judge(&k_tried), MF_E_OK);
    assert_false(mf_inject_active(&v->hal, S, MF_FAULT_BATTERY, NULL));
    assert_int_equal(mf_power_read(&v->hal, S, &battery), MF_E_OK);
    assert_true(battery.remaining == 1.0f && battery.voltage_v == 16.2f);
}

static void test_sim046_only_some_faults_count_as_hiding(void **state)
{
    const uint64_t off = UINT64_C(1) << MF_FAULT_GPS_OFF;
    const struct mf_fault_policy *p = &fx.drone.faults;
    (void)state;
    (void)fx_boot();
    assert_false(mf_fault_hidden(p, S, MF_FAULT_GPS_GLITCH, UINT64_MAX));
    fx_force(MF_FAULT_GPS_OFF, NULL);
    assert_true(mf_fault_hidden(p, S, MF_FAULT_GPS_GLITCH, UINT64_MAX));
    assert_true(mf_fault_hidden(p, S, MF_FAULT_GPS_GLITCH, off));
    assert_false(mf_fault_hidden(p, S, MF_FAULT_GPS_GLITCH, ~off));
    assert_false(mf_fault_hidden(p, S, MF_FAULT_GPS_OFF, UINT64_MAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_sim046_alone, fx_before),
        cmocka_unit_test_setup(test_sim046_beside_another_one, fx_before),
        cmocka_unit_test_setup(test_sim046_in_other_worlds, fx_before),
        cmocka_unit_test_setup(test_sim046_both_accuracies_must_be_the_same, fx_before),
        cmocka_unit_test_setup(test_sim046_a_home_that_is_hidden_is_one, fx_before),
        cmocka_unit_test_setup(test_sim046_a_trial_leaves_the_battery_as_it_was, fx_before),
        cmocka_unit_test_setup(test_sim046_only_some_faults_count_as_hiding, fx_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
