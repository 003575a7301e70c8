/* SPDX-License-Identifier: Apache-2.0 */
/* One place as the fence sees it: bounds, and no vehicle. Home is at 488 m; a degree of latitude
 * there is 111179 m long. */
#include "firmware/core/param.h"
#include "firmware/core/units.h"
#include "firmware/flight/fence.h"
#include "firmware/flight/mission_store.h"
#include "firmware/flight/navigator.h"
#include "mavlink/enums.h"
#include "tests/unit/support/mock.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define S        1000000
#define NORTH_M  (1.0 / 111179.0)
#define NO_LEASH 0.0f

static struct mf_mock s_mock; /* large: not on the stack */
static struct mf_hal s_hal;
static struct mf_params s_params;
static struct mf_fence s_fence;
static struct mf_home s_home;

static int start(void **state)
{
    const struct mf_options options = {.px4_strict = false};
    (void)state;
    mf_mock_init(&s_mock);
    s_hal = mf_mock_hal(&s_mock);
    mf_param_reset(&s_params, &options);
    mf_fence_init(&s_fence);
    s_home = (struct mf_home){.valid = true, .lat_deg = 47.4, .lon_deg = 8.5, .alt_amsl_m = 488.0};
    return 0;
}

static void set(enum mf_param param, float value)
{
    s_params.value[param] = mf_f32_bits(value);
}

static void set_action(uint32_t action)
{
    s_params.value[MF_PARAM_GF_ACTION] = action;
}

static struct mf_bounds bounds(float leash_m)
{
    return (struct mf_bounds){&s_hal, &s_params, &s_home, &s_fence, leash_m};
}

/* At 10 m/s horizontally and 2 m/s vertically. */
static struct mf_fence_view look(float leash_m, double north_m, double alt_amsl_m)
{
    const struct mf_speeds pace = {10.0, 2.0};
    const struct mf_bounds b = bounds(leash_m);
    const struct mf_geo here = {47.4 + north_m * NORTH_M, 8.5};
    return mf_fence_view_at(&b, here, alt_amsl_m, &pace);
}

static void expect(struct mf_fence_view view, unsigned breach, mf_us_t calm_us)
{
    assert_int_equal(view.breach, breach);
    assert_in_range((uint64_t)view.calm_us, (uint64_t)(calm_us - calm_us / 1000),
                    (uint64_t)(calm_us + calm_us / 1000));
}

/* Margin / speed, and the smallest of these times; 60 s at most. */
static void test_how_long_nothing_can_happen(void **state)
{
    (void)state;
    expect(look(NO_LEASH, 0.0, 488.0), 0, 60 * S);
    set(MF_PARAM_GF_MAX_HOR_DIST, 200.0f);
    set(MF_PARAM_GF_MAX_VER_DIST, 50.0f);
    expect(look(NO_LEASH, 0.0, 488.0), 0, 20 * S);
    expect(look(NO_LEASH, 150.0, 488.0), 0, 5 * S);
    expect(look(NO_LEASH, 0.0, 528.0), 0, 5 * S);
    expect(look(NO_LEASH, 0.0, 538.0), 0, 0); /* on the border */
    expect(look(NO_LEASH, 0.0, 540.0), MF_BREACH_ALTITUDE, 1 * S);
    expect(look(NO_LEASH, 230.0, 488.0), MF_BREACH_DISTANCE, 3 * S);
    expect(look(NO_LEASH, 260.0, 540.0), MF_BREACH_DISTANCE | MF_BREACH_ALTITUDE, 1 * S);
    set(MF_PARAM_GF_MAX_HOR_DIST, 2000.0f);
    set(MF_PARAM_GF_MAX_VER_DIST, 0.0f);
    expect(look(NO_LEASH, 0.0, 488.0), 0, 60 * S);
}

static void test_limits_are_around_home(void **state)
{
    (void)state;
    set(MF_PARAM_GF_MAX_HOR_DIST, 200.0f);
    set(MF_PARAM_GF_MAX_VER_DIST, 50.0f);
    s_home.valid = false;
    expect(look(NO_LEASH, 300.0, 588.0), 0, 60 * S);
}

/* It takes the place of a distance that nobody set, for the watch alone. */
static void test_a_leash(void **state)
{
    const struct mf_bounds leashed = bounds(100.0f);
    (void)state;
    expect(look(100.0f, 0.0, 488.0), 0, 10 * S);
    expect(look(100.0f, 150.0, 488.0), MF_BREACH_DISTANCE, 5 * S);
    const struct mf_pose pose = {.lat_deg = 47.4, .lon_deg = 8.5, .alt_amsl_m = 488.0};
    struct mf_target to = mf_target_none();
    to.lat_deg = 47.4 + 150.0 * NORTH_M;
    to.lon_deg = 8.5;
    set_action(2);
    assert_true(mf_fence_allows(&leashed, &pose, &to));
    assert_true(mf_fence_watched(&leashed));
    set(MF_PARAM_GF_MAX_HOR_DIST, 200.0f);
    expect(look(100.0f, 150.0, 488.0), 0, 5 * S);
    set(MF_PARAM_GF_MAX_HOR_DIST, 0.0f);
    s_fence.included = true;
    expect(look(100.0f, 150.0, 488.0), 0, 60 * S);
}

static void test_when_it_is_watched(void **state)
{
    const struct mf_bounds b = bounds(NO_LEASH);
    (void)state;
    set_action(2);
    assert_false(mf_fence_watched(&b));
    s_fence.items = 1;
    assert_true(mf_fence_watched(&b));
    s_fence.items = 0;
    set(MF_PARAM_GF_MAX_VER_DIST, 50.0f);
    assert_true(mf_fence_watched(&b));
    set_action(0);
    assert_false(mf_fence_watched(&b));
}

/* GF_ACTION 1 warns, 2 holds. What is not given stays as the vehicle has it. */
static void test_where_a_user_may_send_it(void **state)
{
    const struct mf_bounds b = bounds(NO_LEASH);
    const struct mf_pose pose = {.lat_deg = 47.4, .lon_deg = 8.5, .alt_amsl_m = 500.0};
    struct mf_target to = mf_target_none();
    (void)state;
    set(MF_PARAM_GF_MAX_HOR_DIST, 200.0f);
    set(MF_PARAM_GF_MAX_VER_DIST, 50.0f);
    set_action(2);
    assert_true(mf_fence_allows(&b, &pose, &to));
    to.alt_amsl_m = 540.0;
    assert_false(mf_fence_allows(&b, &pose, &to));
    to.alt_amsl_m = 530.0;
    to.lat_deg = 47.4 + 230.0 * NORTH_M;
    to.lon_deg = 8.5;
    assert_false(mf_fence_allows(&b, &pose, &to));
    set_action(1);
    assert_true(mf_fence_allows(&b, &pose, &to));
}

static void test_the_first_item_that_is_outside(void **state)
{
    static const struct {
        uint16_t command;
        float alt_m;
    } k_item[] = {{MAV_CMD_NAV_WAYPOINT, 500.0f},
                  {MAV_CMD_DO_CHANGE_SPEED, 900.0f}, /* goes nowhere */
                  {MAV_CMD_NAV_WAYPOINT, 600.0f}};
    const struct mf_bounds b = bounds(NO_LEASH);
    const struct mf_estimate e = {.position = true};
    const struct mf_datum datum = {&s_hal, &s_home, &e};
    struct mf_mission m = {0};
    (void)state;
    for (uint16_t i = 0; i < 3; i++) {
        const struct mf_item item = {.command = k_item[i].command,
                                     .frame = MAV_FRAME_GLOBAL_INT,
                                     .x = 474000000,
                                     .y = 85000000,
                                     .z = mf_f32_bits(k_item[i].alt_m)};
        assert_int_equal(mf_store_put(&s_hal, MF_STORE_MISSION, i, &item), MF_E_OK);
    }
    assert_int_equal(mf_store_commit(&s_hal, MF_STORE_MISSION, 3, 1), MF_E_OK);
    mf_mission_take_up(&m, &s_hal, 0);
    assert_int_equal(mf_fence_astray(&b, &datum, &m), -1); /* no fence */
    set(MF_PARAM_GF_MAX_VER_DIST, 50.0f);
    assert_int_equal(mf_fence_astray(&b, &datum, &m), 2);
    set(MF_PARAM_GF_MAX_VER_DIST, 150.0f);
    assert_int_equal(mf_fence_astray(&b, &datum, &m), -1);
    set(MF_PARAM_GF_MAX_VER_DIST, 5.0f);
    assert_int_equal(mf_fence_astray(&b, &datum, &m), 0);
    s_mock.store.get_result = MF_E_IO; /* one that cannot be read is nowhere */
    assert_int_equal(mf_fence_astray(&b, &datum, &m), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_how_long_nothing_can_happen, start),
        cmocka_unit_test_setup(test_limits_are_around_home, start),
        cmocka_unit_test_setup(test_a_leash, start),
        cmocka_unit_test_setup(test_when_it_is_watched, start),
        cmocka_unit_test_setup(test_where_a_user_may_send_it, start),
        cmocka_unit_test_setup(test_the_first_item_that_is_outside, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
