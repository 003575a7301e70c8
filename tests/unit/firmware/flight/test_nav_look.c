/* SPDX-License-Identifier: Apache-2.0 */
/* Regions of interest: what they are, and which turns they ask for. */
#include "tests/unit/firmware/flight_fixture.h"

static struct mf_vehicle *v;

static int airborne(void **state)
{
    (void)state;
    v = fx_airborne((struct mf_options){.start_grid_us = 100000}, 10.0);
    fx.mock.airframe.turn_count = 0;
    return 0;
}

static uint8_t look_at(double lat_deg, double lon_deg)
{
    const float p[7] = {0, 0, 0, 0, (float)lat_deg, (float)lon_deg, 500.0f};
    return fx_command(MAV_CMD_DO_SET_ROI_LOCATION, p);
}

static void test_kinds(void **state)
{
    const struct mf_geo here = {HERE_LAT, HERE_LON};
    const struct mf_geo nowhere = {(double)NAN, (double)NAN};
    const float next[7] = {1.0f, [6] = 90.0f};
    const float place[7] = {3.0f};
    const float strange[7] = {7.0f, [6] = 1e9f};
    struct mf_roi roi;
    (void)state;
    assert_int_equal(mf_roi_of(MAV_CMD_DO_SET_ROI, next, nowhere, &roi), MF_E_OK);
    assert_true(roi.kind == MF_ROI_NEXT && roi.offset_rad == 0.0f);
    assert_int_equal(mf_roi_of(MAV_CMD_NAV_ROI, place, here, &roi), MF_E_OK);
    assert_true(roi.kind == MF_ROI_PLACE && roi.lat_deg == HERE_LAT && roi.lon_deg == HERE_LON);
    assert_int_equal(mf_roi_of(MAV_CMD_NAV_ROI, place, nowhere, &roi), MF_E_DENIED);
    assert_int_equal(mf_roi_of(MAV_CMD_NAV_ROI, strange, here, &roi), MF_E_DENIED);
    assert_int_equal(mf_roi_of(MAV_CMD_DO_SET_ROI_WPNEXT_OFFSET, next, nowhere, &roi), MF_E_OK);
    assert_true(roi.kind == MF_ROI_NEXT && fabs((double)roi.offset_rad - 1.5707963) < 1e-6);
    assert_int_equal(mf_roi_of(MAV_CMD_DO_SET_ROI_WPNEXT_OFFSET, strange, nowhere, &roi), MF_E_OK);
    assert_true(roi.offset_rad == 0.0f);
    assert_int_equal(mf_roi_of(MAV_CMD_DO_SET_ROI_NONE, strange, nowhere, &roi), MF_E_OK);
    assert_int_equal(roi.kind, MF_ROI_NONE);
    assert_int_equal(mf_roi_of(MAV_CMD_DO_SET_ROI_SYSID, place, here, &roi), MF_E_NOSUPP);
}

/* Holding: one turn, at the next instant of the grid, and nothing more is due. */
static void test_one_turn_where_it_holds(void **state)
{
    (void)state;
    (void)fx_step_at(10 * S + 30000);
    assert_int_equal(look_at(HERE_LAT, HERE_LON + 0.01), MAV_RESULT_ACCEPTED);
    assert_int_equal(fx.mock.airframe.turn_count, 0);
    const struct mf_wake wake = fx_step_at(10 * S + 100000);
    assert_int_equal(fx.mock.airframe.turn_count, 1);
    assert_true(fabs((double)fx.mock.airframe.turn.yaw_rad - 1.5707) < 1e-3);
    assert_true(fabs((double)fx.mock.airframe.turn.yaw_rate_rps - 1.0471976) < 1e-6);
    assert_int_equal(v->navigator.look_us, MF_NEVER);
    assert_true(wake.essential_us > 100 * S);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_ROI_NONE, NO_PARAMS), MAV_RESULT_ACCEPTED);
    (void)fx_step_at(11 * S);
    assert_int_equal(fx.mock.airframe.turn_count, 1); /* it stays */
    assert_int_equal(fx_command(MAV_CMD_DO_SET_ROI_NONE, NO_PARAMS), MAV_RESULT_ACCEPTED);
    assert_int_equal(v->navigator.look_us, MF_NEVER);
}

/* On the way it turns from look to look, not faster than it may; without it, it stops turning. */
static void test_turns_on_the_way(void **state)
{
    (void)state;
    assert_int_equal(fx_reposition(5.0f, NAN, HERE_LAT + 0.01, HERE_LON, 500.0f),
                     MAV_RESULT_ACCEPTED);
    fx.rest_us = 500 * S;
    fx.mock.airframe.pose.vel_ned_mps[0] = 5.0f;
    (void)fx_step_at(10 * S);
    const size_t plans = fx.mock.airframe.plan_count;
    assert_int_equal(look_at(HERE_LAT, HERE_LON - 0.01), MAV_RESULT_ACCEPTED);
    (void)fx_step_at(10 * S);
    assert_int_equal(fx.mock.airframe.turn_count, 1);
    assert_true(fx.mock.airframe.turn.yaw_rad != fx.mock.airframe.turn.yaw_rad);
    /* 90 degrees at 60 per second take 1.5 s, and then it looks again */
    assert_true(fabs((double)fx.mock.airframe.turn.spin_rps + 1.0471976) < 1e-3);
    assert_in_range(v->navigator.look_us, 11 * S + 499000, 11 * S + 501000);
    (void)fx_step_at(v->navigator.look_us);
    assert_int_equal(fx.mock.airframe.turn_count, 2);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_ROI_NONE, NO_PARAMS), MAV_RESULT_ACCEPTED);
    (void)fx_step_at(20 * S);
    assert_int_equal(fx.mock.airframe.turn_count, 3);
    assert_true(fx.mock.airframe.turn.spin_rps == 0.0f);
    assert_int_equal(fx.mock.airframe.plan_count, plans); /* the way stays as it is */
}

/* Where it looks at the place already, it looks again in a quarter of the time that the way there
 * takes at its speed of 5 m/s, less what 42 m/s^2 would gain: 755 m / (20 + 178) m/s. */
static void test_how_soon_it_looks_again(void **state)
{
    (void)state;
    assert_int_equal(fx_reposition(5.0f, NAN, HERE_LAT + 0.01, HERE_LON, 500.0f),
                     MAV_RESULT_ACCEPTED);
    fx.rest_us = 500 * S;
    fx.mock.airframe.pose.vel_ned_mps[0] = 3.0f;
    fx.mock.airframe.pose.vel_ned_mps[1] = 4.0f;
    const struct mf_geo here = {HERE_LAT, HERE_LON}, place = {HERE_LAT, HERE_LON - 0.01};
    fx.mock.airframe.pose.yaw_rad = (float)mf_geo_inverse(here, place).azimuth_from_rad;
    (void)fx_step_at(10 * S);
    assert_int_equal(look_at(place.lat_deg, place.lon_deg), MAV_RESULT_ACCEPTED);
    (void)fx_step_at(10 * S);
    assert_in_range(v->navigator.look_us, 13 * S + 809000, 13 * S + 814000);
}

/* Leg and region of interest agree about the heading from the beginning. */
static void test_a_leg_leaves_the_heading_alone(void **state)
{
    (void)state;
    assert_int_equal(look_at(HERE_LAT, HERE_LON - 0.01), MAV_RESULT_ACCEPTED);
    (void)fx_step_at(10 * S);
    assert_int_equal(fx_reposition(5.0f, NAN, HERE_LAT + 0.01, HERE_LON, 500.0f),
                     MAV_RESULT_ACCEPTED);
    (void)fx_step_at(11 * S);
    const struct mf_mock_airframe *a = &fx.mock.airframe;
    assert_true(a->plan[a->plan_count - 1].leg[0].yaw_rad !=
                a->plan[a->plan_count - 1].leg[0].yaw_rad);
    assert_int_equal(fx_reposition(5.0f, 0.5f, HERE_LAT, HERE_LON, 500.0f), MAV_RESULT_ACCEPTED);
    (void)fx_step_at(12 * S);
    assert_true(a->plan[a->plan_count - 1].leg[0].yaw_rad == 0.5f);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup(name, airborne)
    const struct CMUnitTest tests[] = {
        T(test_kinds),
        T(test_one_turn_where_it_holds),
        T(test_turns_on_the_way),
        T(test_how_soon_it_looks_again),
        T(test_a_leg_leaves_the_heading_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
