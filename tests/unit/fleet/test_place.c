/* SPDX-License-Identifier: Apache-2.0 */
/* fleet/place.h: distances by hand; at 47 degrees north a degree of latitude is 111.17 km. */
#include "fleet/place.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct mf_scenario s_scenario;

static void read_text(const char *entities)
{
    char text[1024], error[MF_KEYS_ERROR_MAX];
    const struct mf_scenario_given none = {0};
    (void)snprintf(text, sizeof text,
                   "{swarm: 1, seed: 3, space: {origin: [47, 8, 400]}, entities: %s}", entities);
    mf_scenario_free(&s_scenario);
    if (mf_scenario_read("s", text, strlen(text), &none, &s_scenario, error) != MF_E_OK) {
        fail_msg("%s", error);
    }
}

/* North, east, up of the origin. */
static void local(uint32_t i, double *neu_m)
{
    const struct mf_placed placed = mf_place(&s_scenario, i);
    mf_geo_to_local((struct mf_geo){47.0, 8.0}, placed.at, neu_m);
    neu_m[2] = placed.alt_amsl_m - 400.0;
}

static void must_be_at(uint32_t i, double north_m, double east_m, double up_m)
{
    double neu_m[3];
    local(i, neu_m);
    assert_true(fabs(neu_m[0] - north_m) < 1e-3 && fabs(neu_m[1] - east_m) < 1e-3 &&
                fabs(neu_m[2] - up_m) < 1e-9);
}

static void test_points_grids_lists_and_places_of_others(void **state)
{
    (void)state;
    read_text("[{name: a, count: 6, place: {grid: [3, 2], spacing: 20, at: [100, 0, 5]}},"
              " {name: b, count: 2, place: {list: [[1, 2], [3, 4, 9]]}},"
              " {name: c, count: 3, place: b}, {place: {geo: [46, 7, 123]}}]");
    must_be_at(0, 100, 0, 5);
    must_be_at(2, 100, 40, 5);
    must_be_at(3, 120, 0, 5);
    must_be_at(5, 120, 40, 5);
    must_be_at(6, 1, 2, 0);
    must_be_at(7, 3, 4, 9);
    must_be_at(8, 1, 2, 0);
    must_be_at(9, 3, 4, 9);
    must_be_at(10, 1, 2, 0); /* there are no more places: they begin again */
    const struct mf_placed geo = mf_place(&s_scenario, 11);
    assert_true(geo.at.lat_deg == 46.0 && geo.at.lon_deg == 7.0 && geo.alt_amsl_m == 123.0);
    /* 0.01 degrees north */
    read_text("[{place: [1111.7, 0]}]");
    assert_true(fabs(mf_place(&s_scenario, 0).at.lat_deg - 47.01) < 1e-5);
}

/* SBE-02: chance belongs to a member: who else takes part changes nothing. */
static void test_sbe02_chance_is_each_members_own(void **state)
{
    double first[3], again[3], sum[3] = {0}, neu_m[3], most = 0.0;
    (void)state;
    read_text("[{name: a, count: 2000, place: {cube: [10, 30]}}]");
    local(7, first);
    for (uint32_t i = 0; i < 2000; i++) {
        local(i, neu_m);
        for (int axis = 0; axis < 3; axis++) {
            assert_true(neu_m[axis] > 10.0 - 1e-3 && neu_m[axis] < 30.0 + 1e-3);
            sum[axis] += neu_m[axis];
        }
    }
    /* the mean of 2,000 evenly spread numbers: 20 +- 3 sigma of 20 / sqrt(12 * 2000) */
    for (int axis = 0; axis < 3; axis++) {
        assert_true(fabs(sum[axis] / 2000.0 - 20.0) < 0.39);
    }
    read_text("[{name: a, count: 8, place: {cube: [10, 30]}}, {name: z, place: {cube: [0, 1]}}]");
    local(7, again);
    assert_memory_equal(first, again, sizeof first);
    read_text("[{name: a, count: 2000, place: {disc: [50, -20, 15]}}]");
    double inner = 0.0;
    for (uint32_t i = 0; i < 2000; i++) {
        local(i, neu_m);
        const double r = hypot(neu_m[0] - 50.0, neu_m[1] + 20.0);
        most = fmax(most, r);
        inner += r < 7.5 ? 1.0 : 0.0;
    }
    assert_true(most < 15.001 && most > 14.9);
    assert_true(fabs(inner / 2000.0 - 0.25) < 0.03); /* a quarter of the area */
}

/* SBE-08: an object goes north and east as chance says; UavSim's draws, here a member's own. */
static void test_sbe08_objects_have_a_way_of_their_own(void **state)
{
    double first[2], again[2], sum[2] = {0}, square = 0.0, most = 0.0;
    (void)state;
    read_text("[{name: a, count: 2000, thing: object, speed: 3}]");
    mf_place_way(&s_scenario, 7, first);
    for (uint32_t i = 0; i < 2000; i++) {
        double ne_mps[2];
        mf_place_way(&s_scenario, i, ne_mps);
        most = fmax(most, fmax(fabs(ne_mps[0]), fabs(ne_mps[1])));
        sum[0] += ne_mps[0];
        sum[1] += ne_mps[1];
        square += ne_mps[0] * ne_mps[1];
    }
    /* evenly between -3 and 3: sigma is sqrt(3), so 3 sigma of the mean of 2,000 are 0.12; those of
     * the product, whose sigma is 3, are 0.21: the two are independent */
    assert_true(most > 2.98 && most < 3.0);
    assert_true(fabs(sum[0] / 2000.0) < 0.12 && fabs(sum[1] / 2000.0) < 0.12);
    assert_true(fabs(square / 2000.0) < 0.21);
    read_text("[{name: a, count: 8, thing: object, speed: 3}, {name: b, thing: object}]");
    mf_place_way(&s_scenario, 7, again);
    assert_memory_equal(first, again, sizeof first);
    mf_place_way(&s_scenario, 8, again); /* none was given: it stays */
    assert_true(again[0] == 0.0 && again[1] == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_grids_lists_and_places_of_others),
        cmocka_unit_test(test_sbe02_chance_is_each_members_own),
        cmocka_unit_test(test_sbe08_objects_have_a_way_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
