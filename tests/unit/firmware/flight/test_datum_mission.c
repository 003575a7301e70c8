/* SPDX-License-Identifier: Apache-2.0 */
/* Plans that lead to places which no model of the geoid covers. The mock's models end at 47.4. */
#include "firmware/flight/fence_change.h"
#include "tests/unit/firmware/mission_client.h"

#define OUTSIDE_E7 474100000
#define REJECTED   "Mission rejected: item 1 outside geoid"

static bool is_feasible(struct mf_text *why)
{
    const struct mf_bounds bounds = mf_bounds_of(&v);
    return mf_mission_feasible(&v.mission, &bounds, why);
}

static int setup_model(void **state)
{
    if (setup(state) != 0) {
        return -1;
    }
    mock.earth.result = MF_E_OK;
    mock.earth.north_deg = 47.4;
    return 0;
}

static void expect_judgement(const struct mf_item *second, bool feasible)
{
    const struct mf_item items[] = {k_square[0], *second};
    struct mf_text why;
    (void)upload(0, 0, items, 2);
    assert_int_equal(is_feasible(&why), feasible);
    if (!feasible) {
        expect_text_named(REJECTED);
        assert_names(why.s, REJECTED);
    }
    mf_mock_clear(&mock, 0);
    mf_mock_clear(&mock, 1);
}

static void test_sim040_a_mission_that_leads_outside_is_rejected(void **state)
{
    static const uint16_t k_goes[] = {16, 17, 19, 21};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(k_goes); i++) {
        struct mf_item item = k_square[1];
        item.command = k_goes[i];
        item.x = OUTSIDE_E7;
        expect_judgement(&item, false);
        item.x = HOME_LAT_E7;
        expect_judgement(&item, true);
    }
}

static void test_sim040_what_an_item_only_looks_at_may_be_outside(void **state)
{
    struct mf_item item = {{0, 0, 0, NAN_BITS}, OUTSIDE_E7, HOME_LON_E7, 0x41200000u, 195, 6, 1};
    (void)state;
    expect_judgement(&item, true); /* DO_SET_ROI_LOCATION */
    item.command = 179;            /* DO_SET_HOME */
    expect_judgement(&item, false);
    item.param[0] = 0x3F800000u; /* where it is then, whatever the place says */
    expect_judgement(&item, true);
    struct mf_item takeoff = k_square[0]; /* climbs where it is */
    takeoff.x = OUTSIDE_E7;
    (void)upload(0, 0, &takeoff, 1);
    struct mf_text why;
    assert_true(is_feasible(&why));
}

static void test_sim040_a_rally_point_outside_is_denied(void **state)
{
    struct mf_item rally = {{0}, OUTSIDE_E7, HOME_LON_E7, 0x41F00000u, 5100, 3, 1};
    (void)state;
    say_count(0, 2, 1);
    expect_request(0, 2, 0);
    say_item(0, 2, 0, &rally);
    (void)expect_ack(0, 2, 14);
    expect_text_named("Rally outside geoid");
    assert_int_equal(mock.store.count[MF_STORE_RALLY], 0);
    rally.x = HOME_LAT_E7;
    (void)upload(0, 2, &rally, 1);
    assert_int_equal(mock.store.count[MF_STORE_RALLY], 1);
}

static void test_sim040_a_fence_may_reach_beyond_the_models(void **state)
{
    const struct mf_item circle = {{0x42C80000u}, OUTSIDE_E7, HOME_LON_E7, 0, 5004, 3, 1};
    (void)state;
    (void)upload(0, 1, &circle, 1);
    assert_int_equal(mock.store.count[MF_STORE_FENCE], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_sim040_a_mission_that_leads_outside_is_rejected, setup_model),
        cmocka_unit_test_setup(test_sim040_what_an_item_only_looks_at_may_be_outside, setup_model),
        cmocka_unit_test_setup(test_sim040_a_rally_point_outside_is_denied, setup_model),
        cmocka_unit_test_setup(test_sim040_a_fence_may_reach_beyond_the_models, setup_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
