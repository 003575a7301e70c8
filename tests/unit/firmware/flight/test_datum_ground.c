/* SPDX-License-Identifier: Apache-2.0 */
/* The ground below places and items: an Earth and an estimate, and no vehicle. */
#include "firmware/core/units.h"
#include "firmware/flight/datum.h"
#include "firmware/flight/items.h"
#include "mavlink/enums.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Its ground is as high as its latitude says, 10 m per degree, and 1 m per degree of longitude. */
static int ground(void *ctx, double lat_deg, double lon_deg, double *amsl_m)
{
    size_t *asked = ctx;
    ++*asked;
    *amsl_m = 10.0 * lat_deg + lon_deg;
    return MF_E_OK;
}

static int undulation(void *ctx, double lat_deg, double lon_deg, double *m)
{
    (void)ctx, (void)lon_deg;
    if (lat_deg > 60.0) {
        return MF_E_RANGE;
    }
    *m = 47.0;
    return MF_E_OK;
}

static struct mf_earth_about about(void *ctx)
{
    (void)ctx;
    return (struct mf_earth_about){.ground_spacing_m = 30};
}

static const struct mf_earth_ops k_earth = {undulation, ground, about};
static const struct mf_estimate k_here = {
    .pose = {.lat_deg = 40.0, .lon_deg = 8.0, .alt_amsl_m = 500.0}, .undulation_m = 45.0};
static const struct mf_home k_home = {.valid = true, .alt_amsl_m = 480.0};

static size_t s_asked;

static struct mf_hal earth(void)
{
    struct mf_hal hal = mf_hal_null();
    hal.earth = &k_earth;
    hal.earth_ctx = &s_asked;
    return hal;
}

static void test_ground_by_place(void **state)
{
    static const struct {
        struct mf_geo place;
        int err;
        double ground_m;
    } k_case[] = {
        {{30.0, 5.0}, MF_E_OK, 305.0},
        {{NAN, NAN}, MF_E_OK, 408.0}, /* here */
        {{NAN, 5.0}, MF_E_OK, 408.0}, /* half a place is none */
        {{30.0, NAN}, MF_E_OK, 408.0},
        {{90.0, 180.0}, MF_E_OK, 1080.0},
        {{-90.0, -180.0}, MF_E_OK, -1080.0},
        {{90.5, 0.0}, MF_E_NOENT, 0.0}, /* nowhere on Earth, and no model is asked for it */
        {{0.0, 181.0}, MF_E_NOENT, 0.0},
        {{-91.0, 0.0}, MF_E_NOENT, 0.0},
    };
    const struct mf_hal hal = earth();
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        double ground_m = 0.0;
        s_asked = 0;
        assert_int_equal(mf_datum_ground(&hal, &k_here, k_case[i].place, &ground_m), k_case[i].err);
        assert_float_equal(ground_m, k_case[i].ground_m, 1e-9);
        assert_int_equal(s_asked, k_case[i].err == MF_E_OK ? 1 : 0);
    }
}

static void test_models_cover_places(void **state)
{
    const struct mf_hal hal = earth(), none = mf_hal_null();
    (void)state;
    assert_true(mf_datum_known(&hal, (struct mf_geo){59.0, 0.0}));
    assert_false(mf_datum_known(&hal, (struct mf_geo){61.0, 0.0}));
    assert_true(mf_datum_known(&hal, (struct mf_geo){NAN, NAN}));
    assert_true(mf_datum_known(&none, (struct mf_geo){61.0, 0.0}));
}

static void test_altitudes_above_the_ellipsoid(void **state)
{
    const struct mf_hal hal = earth();
    (void)state;
    assert_int_equal(mf_datum_ellipsoid_mm(&hal, &k_here, (struct mf_geo){59.0, 0.0}, 100.0),
                     147000);
    assert_int_equal(mf_datum_ellipsoid_mm(&hal, &k_here, (struct mf_geo){61.0, 0.0}, 100.0),
                     145000); /* as here */
}

static void test_a_report_of_the_ground(void **state)
{
    const struct mf_hal hal = earth();
    (void)state;
    const struct mf_msg_terrain_report there = mf_datum_report(&hal, &k_here, 300000000, 50000000);
    assert_int_equal(there.lat, 300000000);
    assert_int_equal(there.lon, 50000000);
    assert_int_equal(there.spacing, 30);
    assert_float_equal(there.terrain_height, 305.0f, 1e-4);
    assert_float_equal(there.current_height, 195.0f, 1e-4);
    const struct mf_msg_terrain_report nowhere =
        mf_datum_report(&hal, &k_here, 910000000, 50000000);
    assert_int_equal(nowhere.spacing, 0);
    assert_true(nowhere.terrain_height == 0.0f && nowhere.current_height == 0.0f);
}

/* Above home, above the ground at its place or, of a take-off, above that below the vehicle. */
static void test_altitudes_of_items(void **state)
{
    static const struct {
        uint16_t command;
        uint8_t frame;
        float z;
        double amsl_m;
    } k_case[] = {
        {MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL_INT, 20.0f, 20.0},
        {MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL_RELATIVE_ALT_INT, 20.0f, 500.0},
        {MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL_TERRAIN_ALT_INT, 20.0f, 325.0},
        {MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL_TERRAIN_ALT, 20.0f, 325.0},
        {MAV_CMD_NAV_TAKEOFF, MAV_FRAME_GLOBAL_TERRAIN_ALT_INT, 20.0f, 428.0},
        {MAV_CMD_NAV_WAYPOINT, MAV_FRAME_GLOBAL_INT, NAN, 123.0},
    };
    const struct mf_hal hal = earth(), flat = mf_hal_null();
    const struct mf_datum datum = {&hal, &k_home, &k_here}, level = {&flat, &k_home, &k_here};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const struct mf_item item = {.command = k_case[i].command,
                                     .frame = k_case[i].frame,
                                     .x = 300000000,
                                     .y = 50000000,
                                     .z = mf_f32_bits(k_case[i].z)};
        assert_float_equal(mf_item_amsl_m(&datum, &item, 123.0), k_case[i].amsl_m, 1e-6);
        if (item.frame == MAV_FRAME_GLOBAL_TERRAIN_ALT_INT) {
            assert_float_equal(mf_item_amsl_m(&level, &item, 123.0), 500.0, 1e-6);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ground_by_place),
        cmocka_unit_test(test_models_cover_places),
        cmocka_unit_test(test_altitudes_above_the_ellipsoid),
        cmocka_unit_test(test_a_report_of_the_ground),
        cmocka_unit_test(test_altitudes_of_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
