/* SPDX-License-Identifier: Apache-2.0 */
/* What a board imposes on the vehicle from outside: each call holds until the next one of
 * its kind. */
#include "tests/unit/firmware/flight_fixture.h"

/* WGS84 at 47.397742 N: degrees of one metre northwards. */
#define NORTH 8.994537017753434e-06

static const struct mf_options k_default;

static void test_a_reason_denies_arming_and_none_allows_it(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    mf_vehicle_deny_arming(v, "Preflight Fail: the key is off");
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM),
                     MAV_RESULT_TEMPORARILY_REJECTED);
    assert_true(fx_said("Preflight Fail: the key is off"));
    mf_vehicle_deny_arming(v, "");
    assert_string_equal(mf_health_denial(v, 0), "");
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM), MAV_RESULT_ACCEPTED);
}

/* 63 characters and a NUL; nothing is left of a longer one before. */
static void test_reasons_are_cut_off(void **state)
{
    static const char k_63[] = "123456789 123456789 123456789 123456789 123456789 123456789 123";
    static const struct {
        const char *reason, *told;
    } k_case[] = {
        {"123456789 123456789 123456789 123456789 123456789 123456789 12",
         "123456789 123456789 123456789 123456789 123456789 123456789 12"},
        {k_63, k_63},
        {"123456789 123456789 123456789 123456789 123456789 123456789 1234", k_63},
        {"short", "short"},
        {"", ""},
    };
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        mf_vehicle_deny_arming(v, k_case[i].reason);
        assert_string_equal(mf_health_denial(v, 0), k_case[i].told);
        assert_int_equal(v->imposed.denial[63], 0);
    }
    mf_vehicle_deny_arming(v, k_63);
    mf_vehicle_deny_arming(v, "short");
    assert_int_equal(v->imposed.denial[6], 0);
    assert_string_equal(mf_health_denial(v, 0), "short");
}

static void feed_sticks(mf_us_t t_us)
{
    const struct mf_msg_manual_control m = {.target = 1, .z = 500};
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_MANUAL_CONTROL, &m);
    (void)fx_step_at(t_us);
}

static void test_sticks_without_a_transmitter_do_not_count(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    mf_vehicle_lose_rc(v, 0, true); /* nothing was there to be lost */
    assert_false(fx_said("Manual control lost"));
    mf_vehicle_lose_rc(v, 0, false);
    feed_sticks(1 * S);
    assert_true(v->inputs.manual.live);
    mf_vehicle_lose_rc(v, 1 * S, true);
    assert_false(v->inputs.manual.live);
    assert_true(fx_said("Manual control lost"));
    feed_sticks(1 * S + 1);
    assert_false(v->inputs.manual.live);
    assert_int_equal(fx.links[0].stats.rx_rejected, 1);
    mf_vehicle_lose_rc(v, 2 * S, false);
    assert_false(v->inputs.manual.live); /* it is back when it is heard */
    feed_sticks(2 * S);
    assert_true(v->inputs.manual.live);
}

static void test_a_hidden_home_is_shown_again_where_it_was_set_meanwhile(void **state)
{
    struct mf_msg_home_position shown;
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    assert_true(v->home.valid);
    mf_vehicle_hide_home(v, 0, true);
    mf_vehicle_hide_home(v, 0, true);
    assert_true(!v->home.valid && v->home.hidden);
    assert_int_equal(fx_count(MF_MSG_HOME_POSITION), 0);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_HOME, (const float[7]){1.0f}),
                     MAV_RESULT_TEMPORARILY_REJECTED);
    mf_mock_place(&fx.mock, 48.5, HERE_LON, GROUND_M, true);
    mf_estimate_forget(v);
    assert_int_equal(mf_commander_home_here(v, 0, false), MF_E_OK);
    assert_true(!v->home.valid && v->home.hidden);
    assert_int_equal(fx_count(MF_MSG_HOME_POSITION), 0);
    mf_vehicle_hide_home(v, 0, false);
    (void)fx_step_at(1 * S);
    mf_vehicle_hide_home(v, 1 * S, false); /* no news */
    assert_true(v->home.valid && !v->home.hidden);
    assert_int_equal(fx_count(MF_MSG_HOME_POSITION), 1);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_HOME_POSITION, &shown));
    assert_int_equal(shown.latitude, 485000000);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_HOME, (const float[7]){1.0f}), MAV_RESULT_ACCEPTED);
}

/* Where there is none, none is shown afterwards. */
static void test_no_home_is_none_after_it_was_hidden(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    v->home.valid = false;
    mf_vehicle_hide_home(v, 0, true);
    assert_false(v->home.valid || v->home.hidden);
    mf_vehicle_hide_home(v, 0, false);
    assert_false(v->home.valid || v->home.hidden);
    assert_int_equal(fx_count(MF_MSG_HOME_POSITION), 0);
}

/* HEARTBEAT is due at 1 s, and later or not at all by what is imposed at a time; how many came up
 * to then. */
static void test_the_pace_of_heartbeats(void **state)
{
    static const struct {
        mf_us_t at_us;
        size_t beats; /* up to it, before what is imposed there */
        bool imposes, silent;
        mf_us_t late_us;
    } k_step[] = {
        {500000, 0, true, false, 2500000}, /* 1 s and 2.5 s */
        {3499999, 0, false, false, 0},
        {3500000, 1, false, false, 0},
        {6999999, 1, false, false, 0},
        {7000000, 2, true, false, 500000}, /* the next one 2 s earlier: 8.5 s */
        {8499999, 2, false, false, 0},
        {8500000, 3, true, false, 3000000}, /* 12.5 s */
        {11800000, 3, true, false, 0},      /* it would have been due: now */
        {11800000, 4, false, false, 0},
        {12799999, 4, false, false, 0},
        {12800000, 5, true, true, 0},
        {19300000, 5, true, false, 0}, /* at once */
        {19300000, 6, false, false, 0},
        {20299999, 6, false, false, 0},
        {20300000, 7, false, false, 0},
    };
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    for (size_t i = 0; i < sizeof k_step / sizeof k_step[0]; i++) {
        (void)fx_step_at(k_step[i].at_us);
        assert_int_equal(fx_count(MF_MSG_HEARTBEAT), k_step[i].beats);
        if (k_step[i].imposes) {
            mf_vehicle_pace_heartbeat(v, k_step[i].at_us, k_step[i].silent, k_step[i].late_us);
        }
    }
}

static void moved_plans_nothing(struct mf_vehicle *v, mf_us_t now_us)
{
    const size_t before = fx.mock.airframe.plan_count;
    mf_vehicle_moved(v, now_us);
    assert_int_equal(fx.mock.airframe.plan_count, before);
}

/* What moved the body matters where it flies to a place, and where it knows where it is. */
static void test_moved_the_way_is_planned_anew(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    moved_plans_nothing(v, 0);
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM), MAV_RESULT_ACCEPTED);
    fx.lift_us = 10 * S; /* it waits on the ground, with a plan that leads up */
    assert_int_equal(fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT(508.0f)), MAV_RESULT_ACCEPTED);
    assert_true(mf_navigator_flies(v));
    moved_plans_nothing(v, 0);

    v = fx_airborne(k_default, 20.0);
    const double lat_deg = HERE_LAT + 500.0 * NORTH;
    assert_int_equal(fx_reposition(5.0f, NAN, lat_deg, HERE_LON, 508.0f), MAV_RESULT_ACCEPTED);
    (void)fx_step_at(2 * S);
    const size_t before = fx.mock.airframe.plan_count;
    mf_mock_place(&fx.mock, HERE_LAT + 90.0 * NORTH, HERE_LON, 508.0, false);
    mf_vehicle_moved(v, 2 * S);
    assert_int_equal(fx.mock.airframe.plan_count, before + 1);
    assert_true(fx_last_plan()->t_us == 2 * S);
    assert_close(fx_leg()->lat_deg, lat_deg, 1e-7);
    assert_close(v->estimate.pose.lat_deg, HERE_LAT + 90.0 * NORTH, 1e-7); /* at the same instant */
    fx.mock.gnss.fix.type = MF_FIX_NONE;
    moved_plans_nothing(v, 2 * S);
}

/* 120 m from home: beyond the leash only where nothing else is set. */
static void test_the_leash_holds_where_no_distance_is_set(void **state)
{
    static const struct {
        float leash_m, max_m;
        bool breach;
    } k_case[] = {
        {0.0f, 0.0f, false},     {100.0f, 0.0f, true},   {121.0f, 0.0f, false},
        {100.0f, 150.0f, false}, {150.0f, 119.0f, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct mf_vehicle *v = fx_boot(k_default);
        fx_set_i("GF_ACTION", 1);
        fx_set_f("GF_MAX_HOR_DIST", k_case[i].max_m);
        mf_vehicle_leash(v, k_case[i].leash_m);
        mf_mock_place(&fx.mock, HERE_LAT + 120.0 * NORTH, HERE_LON, GROUND_M, true);
        mf_estimate_forget(v);
        (void)mf_fence_look(v, 0);
        assert_int_equal(v->fence.breach, k_case[i].breach ? MF_BREACH_DISTANCE : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_reason_denies_arming_and_none_allows_it),
        cmocka_unit_test(test_reasons_are_cut_off),
        cmocka_unit_test(test_sticks_without_a_transmitter_do_not_count),
        cmocka_unit_test(test_a_hidden_home_is_shown_again_where_it_was_set_meanwhile),
        cmocka_unit_test(test_no_home_is_none_after_it_was_hidden),
        cmocka_unit_test(test_the_pace_of_heartbeats),
        cmocka_unit_test(test_moved_the_way_is_planned_anew),
        cmocka_unit_test(test_the_leash_holds_where_no_distance_is_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
