/* SPDX-License-Identifier: Apache-2.0 */
#include "world/battery.h"

#include "world/airframe_constant.h"
#include "world/airframe_physics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* cmocka compares floats; these are doubles. */
#define assert_near(x, y, by) assert_true(fabs((double)(x) - (double)(y)) <= (by))

static void test_sim019_full_and_healthy_for_ever(void **state)
{
    static const mf_us_t k_when_us[] = {0, 1, 3600 * MF_SECOND_US, INT64_C(1000000000000000)};
    struct mf_battery_static battery;
    (void)state;
    mf_battery_static_init(&battery);
    for (size_t i = 0; i < sizeof k_when_us / sizeof k_when_us[0]; i++) {
        struct mf_battery b = {0};
        assert_int_equal(mf_battery_static_ops.read(&battery, k_when_us[i], &b), MF_E_OK);
        assert_true(b.voltage_v == 16.2f && b.remaining == 1.0f && b.cells == 4);
        assert_true(b.current_a == -1.0f && b.consumed_mah == -1.0f);
    }
}

static void test_sim019_configured_values_are_what_is_read(void **state)
{
    struct mf_battery_static battery;
    struct mf_battery b = {0};
    (void)state;
    mf_battery_static_init(&battery);
    battery.state.voltage_v = 22.8f;
    battery.state.remaining = 0.15f;
    battery.state.cells = 6;
    assert_int_equal(mf_battery_static_ops.read(&battery, 0, &b), MF_E_OK);
    assert_true(b.voltage_v == 22.8f && b.remaining == 0.15f && b.cells == 6);
}

/* ---- a battery that is used up */

#define SECOND MF_SECOND_US

struct drained {
    struct mf_airframe_constant body;
    struct mf_battery_drain battery;
};

static struct drained *fresh(struct drained *d)
{
    mf_airframe_constant_init(&d->body, 47.0, 8.0, 100.0, 0.0f);
    mf_battery_drain_init(&d->battery, &mf_airframe_constant_ops, &d->body);
    return d;
}

static struct mf_battery read_at(struct drained *d, mf_us_t t_us)
{
    struct mf_battery b = {0};
    assert_int_equal(mf_battery_drain_ops.read(&d->battery, t_us, &b), MF_E_OK);
    return b;
}

static void arm(struct drained *d, mf_us_t t_us, bool on)
{
    assert_int_equal(mf_battery_drain_airframe_ops.arm(&d->battery, t_us, on), MF_E_OK);
}

/* To an altitude above the place, at 2 m/s. */
static void climb_to(struct drained *d, mf_us_t t_us, double alt_m, bool land)
{
    const struct mf_leg leg = {.lat_deg = 47.0,
                               .lon_deg = 8.0,
                               .alt_amsl_m = alt_m,
                               .speed_h_mps = 5.0f,
                               .speed_up_mps = 2.0f,
                               .speed_down_mps = 2.0f,
                               .yaw_rad = NAN,
                               .yaw_rate_rps = 1.0f,
                               .land = land};
    assert_int_equal(mf_battery_drain_airframe_ops.plan(&d->battery, t_us, &leg, 1), MF_E_OK);
}

static void test_sim043_it_is_used_up_by_what_the_body_does(void **state)
{
    struct drained d;
    (void)state;
    struct mf_battery b = read_at(fresh(&d), 3600 * SECOND);
    assert_true(b.remaining == 1.0f && b.voltage_v == 16.2f && b.cells == 4);
    assert_true(b.current_a == 0.0f && b.consumed_mah == 0.0f); /* disarmed: nothing */
    arm(&d, 3600 * SECOND, true);
    b = read_at(&d, 3636 * SECOND); /* 36 s at 1 A: 10 mAh of 5000 */
    assert_true(b.current_a == 1.0f);
    assert_near(b.consumed_mah, 10.0, 1e-4);
    assert_near(b.remaining, 0.998, 1e-6);
    assert_near(b.voltage_v, 16.2 - 0.002 * 1.8 - 0.02, 1e-5); /* 1.8 V over the charge */
    climb_to(&d, 3636 * SECOND, 120.0, false);
    b = read_at(&d, 3756 * SECOND); /* 120 s at 15 A: 500 mAh */
    assert_true(b.current_a == 15.0f);
    assert_near(b.consumed_mah, 510.0, 1e-3);
    assert_near(b.voltage_v, 16.2 - 0.102 * 1.8 - 0.3, 1e-5);
    climb_to(&d, 3756 * SECOND, 0.0, true); /* 20 m at 2 m/s: 10 s */
    assert_true(read_at(&d, 3766 * SECOND - 1).current_a == 15.0f);
    assert_true(read_at(&d, 3766 * SECOND).current_a == 1.0f);
    b = read_at(&d, 3772 * SECOND); /* and 6 s at 1 A */
    assert_near(b.consumed_mah, 510.0 + 150.0 / 3.6 + 6.0 / 3.6, 1e-3);
    arm(&d, 3772 * SECOND, false);
    const struct mf_battery after = read_at(&d, 7200 * SECOND);
    assert_true(after.consumed_mah == b.consumed_mah && after.current_a == 0.0f);
}

static void test_sim042_plans_and_questions_in_between_change_nothing(void **state)
{
    struct drained d, often;
    (void)state;
    fresh(&d);
    fresh(&often);
    arm(&d, 0, true);
    arm(&often, 0, true);
    climb_to(&d, 3 * SECOND, 400.0, false);
    climb_to(&often, 3 * SECOND, 400.0, false);
    for (mf_us_t t_us = 3 * SECOND; t_us < 60 * SECOND; t_us += 333333) {
        (void)read_at(&often, t_us);
        climb_to(&often, t_us, 400.0, false);
    }
    const struct mf_battery a = read_at(&d, 60 * SECOND), b = read_at(&often, 60 * SECOND);
    assert_true(a.consumed_mah == b.consumed_mah && a.remaining == b.remaining);
    assert_true(a.voltage_v == b.voltage_v);
}

static void test_sim043_it_can_begin_half_full_and_ends_empty(void **state)
{
    struct drained d;
    (void)state;
    fresh(&d);
    d.battery.remaining = 0.5;
    d.battery.capacity_mah = 100.0;
    d.battery.cells = 3;
    d.battery.full_v = 12.15;
    d.battery.resistance_ohm = 0.0;
    assert_near(read_at(&d, 0).voltage_v, 11.475, 1e-5); /* half way to 10.8 */
    arm(&d, 0, true);
    climb_to(&d, 0, 5000.0, false);
    assert_near(read_at(&d, 6 * SECOND).remaining, 0.25, 1e-6); /* 15 A for 6 s: 25 mAh */
    const struct mf_battery empty = read_at(&d, 60 * SECOND);
    assert_true(empty.remaining == 0.0f && empty.cells == 3);
    assert_near(empty.voltage_v, 10.8, 1e-5);
    assert_near(empty.consumed_mah, 250.0, 1e-3);
    d.battery.resistance_ohm = 10.0;
    assert_true(read_at(&d, 60 * SECOND).voltage_v == 0.0f);
}

static void test_falling_costs_nothing(void **state)
{
    struct drained d;
    (void)state;
    fresh(&d);
    arm(&d, 0, true);
    climb_to(&d, 0, 120.0, false);
    arm(&d, 12 * SECOND, false);
    const struct mf_battery falling = read_at(&d, 13 * SECOND), down = read_at(&d, 60 * SECOND);
    assert_near(falling.consumed_mah, 50.0, 1e-4);
    assert_true(down.consumed_mah == falling.consumed_mah && falling.current_a == 0.0f);
}

/* The physics airframe waits before it climbs: that is on the ground. */
static void test_sim043_waiting_for_lift_is_on_the_ground(void **state)
{
    struct mf_airframe_physics body;
    struct mf_battery b = {0};
    struct mf_pose pose;
    mf_us_t lift_us;
    struct drained d;
    (void)state;
    mf_airframe_physics_init(&body, 47.0, 8.0, 100.0, 0.0f, &mf_physics_limits_px4);
    mf_battery_drain_init(&d.battery, &mf_airframe_physics_ops, &body);
    arm(&d, 0, true);
    climb_to(&d, 0, 120.0, false);
    assert_int_equal(
        mf_battery_drain_airframe_ops.next(&d.battery, 0, MF_WHEN_LIFTOFF, 0.0, &lift_us), MF_E_OK);
    assert_true(lift_us > SECOND);
    assert_true(read_at(&d, lift_us - 1).current_a == 1.0f);
    b = read_at(&d, lift_us + 36 * SECOND);
    assert_true(b.current_a == 15.0f);
    assert_near(b.consumed_mah, 150.0 + (double)lift_us * 1e-6 / 3.6, 1e-3);
    assert_int_equal(mf_battery_drain_airframe_ops.sample(&d.battery, lift_us, &pose), MF_E_OK);
    assert_true(pose.lat_deg == 47.0);
}

static void test_refusals_come_through(void **state)
{
    struct drained d;
    (void)state;
    fresh(&d);
    assert_int_equal(mf_battery_drain_airframe_ops.plan(&d.battery, 0, NULL, 0), MF_E_DENIED);
    assert_true(read_at(&d, SECOND).consumed_mah == 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim019_full_and_healthy_for_ever),
        cmocka_unit_test(test_sim019_configured_values_are_what_is_read),
        cmocka_unit_test(test_sim043_it_is_used_up_by_what_the_body_does),
        cmocka_unit_test(test_sim042_plans_and_questions_in_between_change_nothing),
        cmocka_unit_test(test_sim043_it_can_begin_half_full_and_ends_empty),
        cmocka_unit_test(test_falling_costs_nothing),
        cmocka_unit_test(test_sim043_waiting_for_lift_is_on_the_ground),
        cmocka_unit_test(test_refusals_come_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
