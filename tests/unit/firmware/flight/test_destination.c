/* SPDX-License-Identifier: Apache-2.0 */
/* Where a return goes. docs/unit-testing.md explains this file. */
#include "firmware/core/param.h"
#include "firmware/core/units.h"
#include "firmware/flight/destination.h"
#include "mavlink/enums.h"
#include "tests/unit/support/mock.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* What the module reads, and nothing else: there is no vehicle. */
static struct mf_mock s_mock; /* large: not on the stack */
static struct mf_hal s_hal;
static struct mf_params s_params;
static const struct mf_mission s_no_mission;
static const struct mf_fence s_no_fence;
static const struct mf_home s_home = {
    .valid = true, .lat_deg = 47.397742, .lon_deg = 8.545594, .alt_amsl_m = 488.0};

/* An empty store, and all parameters at their defaults. */
static int start(void **state)
{
    const struct mf_options options = {.px4_strict = false};
    (void)state;
    mf_mock_init(&s_mock);
    s_hal = mf_mock_hal(&s_mock);
    mf_param_reset(&s_params, &options);
    return 0;
}

/* The store holds @p n rally points, going north from 47.40 deg in steps of 0.01 deg, at 500 m. */
static void put_rally_points(uint16_t n)
{
    for (uint16_t i = 0; i < n; i++) {
        const struct mf_item item = {.command = MAV_CMD_NAV_RALLY_POINT,
                                     .frame = MAV_FRAME_GLOBAL_INT,
                                     .x = 474000000 + 100000 * i,
                                     .y = 85455940,
                                     .z = mf_f32_bits(500.0f)};
        assert_int_equal(mf_store_put(&s_hal, MF_STORE_RALLY, i, &item), MF_E_OK);
    }
    assert_int_equal(mf_store_commit(&s_hal, MF_STORE_RALLY, n, 1), MF_E_OK);
}

static struct mf_destination destination_from(double lat_deg)
{
    const struct mf_bounds bounds = {&s_hal, &s_params, &s_home, &s_no_fence, 0.0f};
    const struct mf_estimate here = {
        .pose = {.lat_deg = lat_deg, .lon_deg = 8.545594, .alt_amsl_m = 520.0}};
    return mf_destination_choose(&s_no_mission, &bounds, &here);
}

static void test_home_without_rally_points(void **state)
{
    (void)state;
    const struct mf_destination to = destination_from(47.41);
    assert_false(to.rally);
    assert_float_equal(to.lat_deg, 47.397742, 1e-7);
    assert_float_equal(to.alt_amsl_m, 488.0, 1e-3);
}

static void test_the_nearest_rally_point(void **state)
{
    (void)state;
    put_rally_points(3);
    const struct mf_destination to = destination_from(47.411);
    assert_true(to.rally);
    assert_float_equal(to.lat_deg, 47.41, 1e-9);
    assert_float_equal(to.alt_amsl_m, 500.0, 1e-9);
}

static void test_home_when_it_is_nearer(void **state)
{
    (void)state;
    put_rally_points(3);
    assert_false(destination_from(47.396).rally);
}

static void test_a_store_that_fails_leaves_home(void **state)
{
    (void)state;
    put_rally_points(3);
    s_mock.store.get_result = MF_E_IO;
    assert_false(destination_from(47.411).rally);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_home_without_rally_points, start),
        cmocka_unit_test_setup(test_the_nearest_rally_point, start),
        cmocka_unit_test_setup(test_home_when_it_is_nearer, start),
        cmocka_unit_test_setup(test_a_store_that_fails_leaves_home, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
