/* SPDX-License-Identifier: Apache-2.0 */
/* The watch over a body that does not know its future, what it says, and limits that no flight of
 * tests/sim reaches. */
#include "firmware/flight/fence_change.h"
#include "firmware/flight/zones.h"
#include "tests/unit/firmware/flight_fixture.h"

#define LAT_E7 473977420
#define LON_E7 85455940
/* 100 m to the north: 100 / 6369909 rad */
#define NORTH_100_DEG 0.000899478

static bool feasible(struct mf_text *why)
{
    const struct mf_bounds bounds = mf_bounds_of(&fx.v);
    return mf_mission_feasible(&fx.v.mission, &bounds, why);
}

static bool watched(void)
{
    const struct mf_bounds bounds = mf_bounds_of(&fx.v);
    return mf_fence_watched(&bounds);
}

static const char *denial(void)
{
    const struct mf_bounds bounds = mf_bounds_of(&fx.v);
    return mf_fence_denial(&bounds);
}

static struct mf_options no_options(void)
{
    return (struct mf_options){0};
}

static struct mf_item item(uint16_t command, float p1)
{
    return (struct mf_item){.param = {mf_f32_bits(p1)},
                            .x = LAT_E7,
                            .y = LON_E7,
                            .command = command,
                            .frame = MAV_FRAME_GLOBAL_INT};
}

static void store(enum mf_store_area area, const struct mf_item *items, uint16_t count)
{
    for (uint16_t i = 0; i < count; i++) {
        assert_int_equal(mf_store_put(&fx.v.hal, area, i, &items[i]), MF_E_OK);
    }
    assert_int_equal(mf_store_commit(&fx.v.hal, area, count, 1), MF_E_OK);
    mf_fence_changed(&fx.v, fx.mock.now.vehicle_us);
}

/* The body is at a place north of home, with a velocity. */
static void be_at(double north_m, float north_mps)
{
    mf_mock_place(&fx.mock, HERE_LAT + NORTH_100_DEG * north_m / 100.0, HERE_LON, GROUND_M + 20.0,
                  false);
    fx.mock.airframe.pose.vel_ned_mps[0] = north_mps;
    mf_estimate_forget(&fx.v);
}

/* ---- a body that does not know its future ---- */

static void test_polled_every_200_ms(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(no_options(), 20.0);
    fx.mock.airframe.next_result = MF_E_NOSUPP;
    fx_set_f("GF_MAX_HOR_DIST", 100.0f);
    (void)fx_step_at(2 * S);
    assert_int_equal(v->due_us[MF_TASK_FENCE], 2 * S + 200000);
    be_at(101.0, 10.0f);
    (void)fx_step_at(2 * S + 200000);
    assert_int_equal(v->fence.breach, MF_BREACH_DISTANCE);
    assert_true(fx_said("Geofence: exceeding maximum distance to Home"));
    assert_int_equal(v->due_us[MF_TASK_FENCE], 2 * S + 400000);
    assert_int_equal(fx_last_plan()->n, 0); /* it stops here */
    be_at(101.0, 0.0f);
    (void)fx_step_at(3 * S);
    assert_int_equal(v->fence.breaches, 1);
    be_at(99.0, 0.0f);
    (void)fx_step_at(4 * S);
    assert_int_equal(v->fence.breach, 0);
}

/* At 10 m/s it brakes for 24.17 m: at 75 m not yet, at 76 m it is time. */
static void test_polled_and_predicted(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(no_options(), 20.0);
    fx.mock.airframe.next_result = MF_E_NOSUPP;
    fx_set_f("GF_MAX_HOR_DIST", 100.0f);
    fx_set_i("GF_PREDICT", 1);
    be_at(75.0, 10.0f);
    (void)fx_step_at(2 * S);
    assert_int_equal(v->fence.breach, 0);
    be_at(76.5, 10.0f);
    (void)fx_step_at(3 * S);
    assert_int_equal(v->fence.breach, MF_BREACH_DISTANCE);
    assert_int_equal(v->due_us[MF_TASK_FENCE], 3 * S + 200000);
    assert_int_equal(fx_last_plan()->n, 0);
    be_at(99.0, 0.0f);
    (void)fx_step_at(6 * S);
    assert_int_equal(v->fence.breach, 0);
    assert_int_equal(v->commander.mode, MF_MODE_HOLD);
}

/* A velocity without an end: a look takes 256 steps, of 50 m / 12 m/s each. The next one begins
 * before that, by the longest time that braking from 12 m/s can take: 12 / (2 * 3) + 3 / 4 s. */
static void test_a_look_without_a_crossing_goes_on_early_enough_to_brake(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(no_options(), 20.0);
    fx_set_f("GF_MAX_HOR_DIST", 100.0f);
    (void)fx_step_at(2 * S);
    be_at(50.0, 10.0f);
    const mf_us_t plain_us = mf_fence_run(v, 2 * S);
    fx_set_i("GF_PREDICT", 1);
    be_at(50.0, 10.0f);
    const mf_us_t early_us = mf_fence_run(v, 2 * S);
    assert_in_range((uint64_t)plain_us, 1066 * (uint64_t)S, 1071 * (uint64_t)S);
    assert_in_range((uint64_t)(plain_us - early_us), 2749999, 2750001);
}

static void test_a_breach_counts_once_and_leaves_no_place_behind(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(no_options(), 20.0);
    fx.mock.airframe.next_result = MF_E_NOSUPP;
    fx_set_f("GF_MAX_HOR_DIST", 100.0f);
    fx_set_i("GF_ACTION", 1); /* a warning: the mode stays, and is no event */
    (void)fx_step_at(2 * S);
    const uint32_t events = v->counters.events;
    be_at(101.0, 0.0f);
    (void)mf_fence_run(v, 3 * S);
    assert_int_equal(v->counters.events, events + 1);
    (void)mf_fence_run(v, 4 * S);
    assert_int_equal(v->counters.events, events + 1);
    v->fence.inside.lat_deg = HERE_LAT; /* where one that was predicted would have held */
    be_at(99.0, 0.0f);
    (void)mf_fence_run(v, 5 * S);
    assert_int_equal(v->counters.events, events + 2);
    assert_true(isnan(v->fence.inside.lat_deg));
}

/* ---- what there is to watch ---- */

static void test_without_a_fence_nothing_is_due(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(no_options(), 20.0);
    fx.mock.airframe.next_result = MF_E_NOSUPP;
    mf_wake_at(v, MF_TASK_FENCE, 2 * S);
    (void)fx_step_at(2 * S);
    assert_true(v->due_us[MF_TASK_FENCE] == MF_NEVER);
    assert_false(watched());
}

static void test_at_rest_nothing_is_due(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(no_options(), 20.0);
    const struct mf_item circle = item(MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION, 50.0f);
    store(MF_STORE_FENCE, &circle, 1);
    (void)fx_step_at(2 * S);
    assert_true(watched());
    assert_true(v->due_us[MF_TASK_FENCE] == MF_NEVER);
    assert_int_equal(v->fence.breach, 0);
}

/* A return point alone, or a fence that cannot be read, keeps nothing out. */
static void test_at_boot_no_zone_is_the_one_it_strayed_into(void **state)
{
    (void)state;
    struct mf_fence f;
    mf_fence_init(&f);
    assert_int_equal(f.astray, -1);
    assert_true(isnan(f.inside.lat_deg) && isnan(f.inside.alt_amsl_m));
}

static void test_what_is_no_zone(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(no_options(), 20.0);
    const struct mf_item point = item(MAV_CMD_NAV_FENCE_RETURN_POINT, 0.0f);
    store(MF_STORE_FENCE, &point, 1);
    be_at(500.0, 0.0f);
    (void)fx_step_at(2 * S);
    assert_int_equal(v->fence.breach, 0);
    const struct mf_item circle = item(MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION, 50.0f);
    fx.mock.store.get_result = MF_E_IO;
    store(MF_STORE_FENCE, &circle, 1);
    (void)fx_step_at(3 * S);
    assert_int_equal(v->fence.breach, 0);
    fx.mock.store.get_result = MF_E_OK;
    mf_fence_changed(v, 3 * S);
    (void)fx_step_at(4 * S);
    assert_int_equal(v->fence.breach, MF_BREACH_ZONE);
}

/* More than one at once; what is added is said, and acted upon once. */
static void test_all_kinds_at_once(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(no_options(), 20.0);
    const struct mf_item circle = item(MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION, 50.0f);
    fx_set_i("GF_ACTION", 3);
    store(MF_STORE_FENCE, &circle, 1);
    be_at(60.0, 0.0f);
    (void)fx_step_at(2 * S);
    assert_int_equal(v->fence.breach, MF_BREACH_ZONE);
    assert_int_equal(v->commander.mode, MF_MODE_RTL);
    assert_int_equal(fx_command(MAV_CMD_NAV_LOITER_UNLIM, NANS), MAV_RESULT_ACCEPTED);
    fx_set_f("GF_MAX_VER_DIST", 10.0f);
    fx_set_f("GF_MAX_HOR_DIST", 10.0f);
    (void)fx_step_at(3 * S);
    assert_int_equal(v->fence.breach, 7);
    assert_true(fx_said("Geofence: exceeding maximum distance to Home"));
    assert_int_equal(v->fence.breaches, 1);
    assert_int_equal(v->commander.mode, MF_MODE_HOLD);
}

static void test_return_needs_a_home(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(no_options(), 20.0);
    const struct mf_item circle = item(MAV_CMD_NAV_FENCE_CIRCLE_INCLUSION, 50.0f);
    fx_set_i("GF_ACTION", 3);
    v->home.valid = false;
    store(MF_STORE_FENCE, &circle, 1);
    assert_string_equal(denial(), "Preflight Fail: Geofence RTL requires valid home");
    be_at(60.0, 0.0f);
    (void)fx_step_at(2 * S);
    assert_int_equal(v->commander.mode, MF_MODE_LAND);
    assert_string_equal(denial(), "Geofence: approaching or outside geofence");
    fx_set_i("GF_ACTION", 0);
    assert_string_equal(denial(), "");
}

static void test_strict_shows_no_more_than_px4(void **state)
{
    (void)state;
    const struct mf_options strict = {.px4_strict = true};
    struct mf_vehicle *v = fx_boot(strict);
    fx_set_f("GF_MAX_HOR_DIST", 10.0f);
    be_at(60.0, 0.0f);
    (void)fx_step_at(2 * S);
    assert_int_equal(v->fence.breach, MF_BREACH_DISTANCE);
    assert_int_equal(fx_count(MF_MSG_FENCE_STATUS), 0);
    const struct mf_health h = mf_health_at(v, 2 * S);
    assert_int_equal(h.present & MAV_SYS_STATUS_GEOFENCE, 0);
    assert_int_equal(h.healthy & MAV_SYS_STATUS_GEOFENCE, MAV_SYS_STATUS_GEOFENCE);
    assert_int_equal(h.healthy & MAV_SYS_STATUS_PREARM_CHECK, 0);
}

/* What the configuration sets after the start counts for a mission that was there before. */
static void test_overridden_limits_count(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(no_options());
    struct mf_item far = item(MAV_CMD_NAV_WAYPOINT, 0.0f);
    far.x += 20000; /* 222 m */
    struct mf_text why;
    store(MF_STORE_MISSION, &far, 1);
    mf_mission_load(v);
    assert_true(feasible(&why));
    assert_int_equal(mf_param_override(v, "GF_MAX_HOR_DIST", 200.0), MF_E_OK);
    assert_false(feasible(&why));
    assert_string_equal(why.s, "Mission rejected: Geofence violation for waypoint 1");
    assert_int_equal(mf_param_override(v, "GF_MAX_HOR_DIST", 230.0), MF_E_OK);
    assert_true(feasible(&why));
}

/* ---- polygons on their way in ---- */

static void test_polygons_go_on_to_their_end(void **state)
{
    static const struct {
        uint16_t command;
        float p1;
        uint16_t after;
        bool good;
    } k_case[] = {
        {5003, 10.0f, 4, true},
        {5001, 3.0f, 3, true},
        {5001, 3.0f, 2, true},
        {5001, 3.0f, 1, true},
        {5000, 0.0f, 0, true},
        {5002, 3.0f, 1, false},
        {5001, 3.0f, 2, true},
        {5002, 3.0f, 1, false},
        {5001, 70000.0f, 65535, false},
        {5001, -3.0f, 9, false},
        {5001, __builtin_nanf(""), 9, false},
    };
    struct mf_fence_part part = {0};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const struct mf_item next = item(k_case[i].command, k_case[i].p1);
        assert_int_equal(mf_zone_goes_on(&part, &next, k_case[i].after), k_case[i].good);
        if (!k_case[i].good) {
            part = (struct mf_fence_part){0};
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polled_every_200_ms),
        cmocka_unit_test(test_polled_and_predicted),
        cmocka_unit_test(test_a_look_without_a_crossing_goes_on_early_enough_to_brake),
        cmocka_unit_test(test_a_breach_counts_once_and_leaves_no_place_behind),
        cmocka_unit_test(test_without_a_fence_nothing_is_due),
        cmocka_unit_test(test_at_rest_nothing_is_due),
        cmocka_unit_test(test_at_boot_no_zone_is_the_one_it_strayed_into),
        cmocka_unit_test(test_what_is_no_zone),
        cmocka_unit_test(test_all_kinds_at_once),
        cmocka_unit_test(test_return_needs_a_home),
        cmocka_unit_test(test_strict_shows_no_more_than_px4),
        cmocka_unit_test(test_overridden_limits_count),
        cmocka_unit_test(test_polygons_go_on_to_their_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
