/* SPDX-License-Identifier: Apache-2.0 */
/* Where a return goes by RTL_TYPE and the mission; what it reads, and no vehicle. */
#include "firmware/core/param.h"
#include "firmware/core/units.h"
#include "firmware/flight/destination.h"
#include "firmware/flight/mission.h"
#include "firmware/flight/mission_store.h"
#include "mavlink/enums.h"
#include "tests/unit/support/mock.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define NOWHERE INT32_MAX

enum { NEAREST, NOT_HOME, MISSION, NEAREST_OF_ALL, MISSION_SHORTER }; /* RTL_TYPE */

static struct mf_mock s_mock; /* large: not on the stack */
static struct mf_hal s_hal;
static struct mf_params s_params;
static struct mf_mission s_mission;
static const struct mf_fence s_fence = {.astray = -1};
static const struct mf_home s_home = {
    .valid = true, .lat_deg = 47.40, .lon_deg = 8.545594, .alt_amsl_m = 488.0};

static int start(void **state)
{
    const struct mf_options options = {.px4_strict = false};
    (void)state;
    mf_mock_init(&s_mock);
    s_hal = mf_mock_hal(&s_mock);
    s_mission = (struct mf_mission){0};
    mf_param_reset(&s_params, &options);
    return 0;
}

static struct mf_item item_at(uint16_t command, int32_t lat_e7, float alt_m)
{
    return (struct mf_item){.command = command,
                            .frame = MAV_FRAME_GLOBAL_INT,
                            .x = lat_e7,
                            .y = 85455940,
                            .z = mf_f32_bits(alt_m)};
}

/* @p waypoints near home, and then, unless @p land_e7 is 0, a landing there. */
static void fly_mission(uint16_t waypoints, int32_t land_e7)
{
    const struct mf_estimate e = {.position = true};
    const struct mf_datum datum = {&s_hal, &s_home, &e};
    const uint16_t count = (uint16_t)(waypoints + (land_e7 != 0 ? 1 : 0));
    for (uint16_t i = 0; i < count; i++) {
        const struct mf_item item = i < waypoints ? item_at(MAV_CMD_NAV_WAYPOINT, 474000000, 500.0f)
                                                  : item_at(MAV_CMD_NAV_LAND, land_e7, 490.0f);
        assert_int_equal(mf_store_put(&s_hal, MF_STORE_MISSION, i, &item), MF_E_OK);
    }
    assert_int_equal(mf_store_commit(&s_hal, MF_STORE_MISSION, count, 1), MF_E_OK);
    mf_mission_take_up(&s_mission, &s_hal, 0);
    mf_mission_survey(&s_mission, &datum, true, false);
}

static struct mf_destination from(double lat_deg, int32_t rtl_type)
{
    const struct mf_bounds bounds = {&s_hal, &s_params, &s_home, &s_fence, 0.0f};
    const struct mf_estimate here = {
        .pose = {.lat_deg = lat_deg, .lon_deg = 8.545594, .alt_amsl_m = 520.0}};
    s_params.value[MF_PARAM_RTL_TYPE] = (uint32_t)rtl_type;
    return mf_destination_choose(&s_mission, &bounds, &here);
}

static void expect(struct mf_destination to, double lat_deg, enum mf_way_back way)
{
    assert_float_equal(to.lat_deg, lat_deg, 1e-9);
    assert_int_equal(to.way, way);
}

static void test_the_landing_of_the_mission(void **state)
{
    (void)state;
    fly_mission(0, 474200000); /* a landing is all of it */
    const struct mf_destination to = from(47.40, NOT_HOME);
    expect(to, 47.42, MF_BACK_LANDING);
    assert_float_equal(to.alt_amsl_m, 490.0, 1e-9);
    expect(from(47.404, NEAREST_OF_ALL), 47.40, MF_BACK_DIRECT);
    expect(from(47.416, NEAREST_OF_ALL), 47.42, MF_BACK_LANDING);
    expect(from(47.416, NEAREST), 47.40, MF_BACK_DIRECT);
}

/* Nobody can return to a landing that has no place, or cannot be read. */
static void test_home_where_the_landing_has_no_place(void **state)
{
    (void)state;
    fly_mission(1, NOWHERE);
    expect(from(47.42, NOT_HOME), 47.40, MF_BACK_DIRECT);
    fly_mission(1, 474200000);
    s_mock.store.get_result = MF_E_IO;
    expect(from(47.42, NOT_HOME), 47.40, MF_BACK_DIRECT);
}

static void test_rally_points_must_be_valid(void **state)
{
    const struct mf_item good = item_at(MAV_CMD_NAV_RALLY_POINT, 474200000, 500.0f);
    struct mf_item bad = good;
    (void)state;
    bad.frame = MAV_FRAME_MISSION;
    assert_int_equal(mf_store_put(&s_hal, MF_STORE_RALLY, 0, &bad), MF_E_OK);
    assert_int_equal(mf_store_commit(&s_hal, MF_STORE_RALLY, 1, 1), MF_E_OK);
    expect(from(47.42, NEAREST), 47.40, MF_BACK_DIRECT);
    assert_int_equal(mf_store_put(&s_hal, MF_STORE_RALLY, 0, &good), MF_E_OK);
    assert_int_equal(mf_store_commit(&s_hal, MF_STORE_RALLY, 1, 2), MF_E_OK);
    const struct mf_destination to = from(47.42, NEAREST);
    expect(to, 47.42, MF_BACK_DIRECT);
    assert_true(to.rally);
}

static void test_along_the_mission(void **state)
{
    (void)state;
    expect(from(47.42, MISSION), 47.40, MF_BACK_DIRECT); /* there is none */
    fly_mission(4, 0);
    expect(from(47.42, MISSION), 47.40, MF_BACK_REVERSE);
    fly_mission(4, 474200000);
    expect(from(47.42, MISSION), 47.40, MF_BACK_FORWARD);
}

/* Item 9 is the landing: from item 5 there are 4 ahead and 5 behind, from item 4 the other way. */
static void test_the_way_with_fewer_items(void **state)
{
    (void)state;
    fly_mission(9, 474200000);
    s_mission.current = 5;
    expect(from(47.42, MISSION_SHORTER), 47.40, MF_BACK_FORWARD);
    expect(from(47.42, MISSION), 47.40, MF_BACK_FORWARD);
    s_mission.current = 4;
    expect(from(47.42, MISSION_SHORTER), 47.40, MF_BACK_REVERSE);
    expect(from(47.42, MISSION), 47.40, MF_BACK_FORWARD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_the_landing_of_the_mission, start),
        cmocka_unit_test_setup(test_home_where_the_landing_has_no_place, start),
        cmocka_unit_test_setup(test_rally_points_must_be_valid, start),
        cmocka_unit_test_setup(test_along_the_mission, start),
        cmocka_unit_test_setup(test_the_way_with_fewer_items, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
