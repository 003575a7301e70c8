/* SPDX-License-Identifier: Apache-2.0 */
/* Items that take more than a flight to a place, or change something on the way. */
#include "tests/unit/firmware/mission_fixture.h"

#include "math/geodesic.h"

#define RAD(deg) ((deg)*3.14159265358979323846 / 180.0)

/* In the air at 10 m, at item 1. */
static struct mf_vehicle *run_from_10_m(void)
{
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    assert_int_equal(v->mission.current, 1);
    return v;
}

static struct mf_item *circle(float turns, float radius_m)
{
    struct mf_item *item = waypoint(10000, 20.0f);
    item->command = MAV_CMD_NAV_LOITER_TURNS;
    item->param[0] = mf_f32_bits(turns);
    item->param[2] = mf_f32_bits(radius_m);
    return item;
}

/* The leg flown now ends so far from the circle's centre, in that direction. */
static void assert_on_circle(double bearing_deg, double radius_m)
{
    const struct mf_geo centre = {(LAT_E7 + 10000) / 1e7, LON_E7 / 1e7};
    const struct mf_leg *leg = &fx_last_plan()->leg[0];
    const struct mf_geo_line line =
        mf_geo_inverse(centre, (struct mf_geo){leg->lat_deg, leg->lon_deg});
    assert_close(line.distance_m, radius_m, 1e-4);
    assert_close(sin(line.azimuth_from_rad - RAD(bearing_deg)), 0.0, 1e-6);
    assert_true(cos(line.azimuth_from_rad - RAD(bearing_deg)) > 0.0);
    assert_true(leg->alt_amsl_m == GROUND_M + 20.0);
}

/* ---- NAV_LOITER_TURNS ---- */

static void test_sim031_two_turns_in_chords(void **state)
{
    (void)state;
    takeoff(10.0f);
    circle(2.0f, 50.0f);
    waypoint(0, 10.0f);
    const struct mf_vehicle *v = run_from_10_m();
    assert_on_circle(180.0, 50.0); /* the nearest point: we come from the south */
    for (int i = 1; i <= 72; i++) {
        fx_reach((5 + i) * S);
        assert_on_circle(180.0 + 10.0 * i, 50.0); /* clockwise */
        assert_int_equal(v->mission.current, 1);
    }
    assert_reached((const uint16_t[]){0}, 1);
    fx_reach(100 * S);
    assert_reached((const uint16_t[]){1}, 1);
    assert_true(fx_said("Waypoint 1 reached"));
    assert_north(0, GROUND_M + 10.0);
}

static void test_circles_by_parameter(void **state)
{
    static const struct {
        float turns, radius_m;
        double flown_m, next_deg; /* -1: no chord */
    } k_case[] = {
        {1.0f, -30.0f, 30.0, 170.0}, /* counter-clockwise */
        {1.0f, 0.0f, 80.0, 190.0},   /* NAV_LOITER_RAD */
        {1.0f, NAN, 80.0, 190.0},    {0.0f, 50.0f, 50.0, -1.0},  {-1.0f, 50.0f, 50.0, -1.0},
        {NAN, 50.0f, 50.0, -1.0},    {1.0f, 0.1f, 1.0, 190.0},   {1.0f, -0.1f, 1.0, 170.0},
        {0.5f, 50.0f, 50.0, 190.0},  {1.0f, 1e30f, 80.0, 190.0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        assert_int_equal(boot(NULL), 0);
        takeoff(10.0f);
        circle(k_case[i].turns, k_case[i].radius_m);
        waypoint(0, 10.0f);
        const struct mf_vehicle *v = run_from_10_m();
        assert_on_circle(180.0, k_case[i].flown_m);
        fx_reach(6 * S);
        if (k_case[i].next_deg >= 0.0) {
            assert_on_circle(k_case[i].next_deg, k_case[i].flown_m);
        } else {
            assert_int_equal(v->mission.current, 2);
        }
    }
}

/* With PX4's motion, a quarter of a chord, which is 2 pi r / 36, or NAV_ACC_RAD, 2 m. */
static void test_what_counts_as_reached_on_a_circle(void **state)
{
    static const double k_case[][2] = {{20.0, 0.872665}, {-20.0, 0.872665}, {100.0, 2.0}};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        (void)fx_boot((struct mf_options){.px4_motion = true});
        takeoff(10.0f);
        circle(1.0f, (float)k_case[i][0]);
        const struct mf_vehicle *v = run();
        pass_by(10 * S);
        assert_int_equal(v->mission.current, 1);
        assert_close((double)fx_leg()->radius_m, k_case[i][1], 1e-6);
    }
}

static void test_turns_without_end_are_limited(void **state)
{
    (void)state;
    takeoff(10.0f);
    circle(3e38f, 50.0f);
    assert_int_equal(run_from_10_m()->navigator.chords_left, 36000);
}

static void test_circle_from_its_centre_and_paused(void **state)
{
    (void)state;
    takeoff(10.0f);
    struct mf_item *item = circle(0.5f, 50.0f);
    item->x = LAT_E7;
    struct mf_vehicle *v = run_from_10_m();
    assert_true(fx_leg()->lat_deg > HERE_LAT); /* to the north */
    fx_reach(6 * S);
    fx_reach(7 * S);
    assert_int_equal(v->navigator.chords_left, 16);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(4, 3)), 0);
    assert_int_equal(mission_mode(), 0); /* the item begins anew */
    assert_int_equal(v->navigator.chords_left, 18);
}

static void test_sim036_chords_lead_on(void **state)
{
    (void)state;
    (void)fx_boot((struct mf_options){.px4_motion = true});
    takeoff(10.0f);
    circle(0.1f, 50.0f); /* four chords */
    (void)run_from_10_m();
    for (int i = 0; i < 4; i++) {
        assert_on_circle(180.0 + 10.0 * i, 50.0);
        assert_int_equal(fx_last_plan()->n, 2);
        assert_close((double)fx_last_plan()->leg[0].radius_m, 2.0, 1e-6); /* of 8.7 m */
        pass_by((6 + i) * S);
    }
    assert_int_equal(fx_last_plan()->n, 1);
    fx_reach(20 * S);
    assert_reached((const uint16_t[]){0, 1}, 2);
}

/* A body with inertia flies no tighter than 2 m/s^2; and no faster than MPC_XY_CRUISE. */
static void test_sim036_small_circles_are_flown_slowly(void **state)
{
    static const struct {
        bool inertia;
        float radius_m, speed_mps;
    } k_case[] = {{true, 2.0f, 2.0f}, {true, 50.0f, 5.0f}, {false, 2.0f, 10.0f}};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        assert_int_equal(boot(NULL), 0);
        (void)fx_boot((struct mf_options){.px4_motion = k_case[i].inertia});
        takeoff(10.0f);
        circle(1.0f, k_case[i].radius_m);
        (void)run_from_10_m();
        assert_true(fx_last_plan()->leg[0].speed_h_mps == k_case[i].speed_mps);
    }
}

/* ---- NAV_LOITER_TO_ALT ---- */

static void test_sim031_straight_to_the_place_and_its_altitude(void **state)
{
    (void)state;
    takeoff(10.0f);
    waypoint(1000, 40.0f)->command = MAV_CMD_NAV_LOITER_TO_ALT;
    waypoint(1000, 5.0f)->command = MAV_CMD_NAV_LOITER_TO_ALT;
    const struct mf_vehicle *v = run_from_10_m();
    assert_north(1000, GROUND_M + 40.0); /* straight there */
    assert_int_equal(v->commander.landed, MF_LANDED_IN_AIR);
    assert_reached((const uint16_t[]){0}, 1);
    fx_reach(6 * S);
    assert_reached((const uint16_t[]){1}, 1);
    assert_north(1000, GROUND_M + 5.0);
    fx_reach(7 * S);
    assert_reached((const uint16_t[]){2}, 1);
    assert_true(fx_said("Mission finished, loitering"));
}

/* Also with PX4's motion; the circle, here of 80 m, is within the acceptance of 2 m. */
static void test_sim031_sim036_as_near_as_the_circle(void **state)
{
    (void)state;
    (void)fx_boot((struct mf_options){.px4_motion = true});
    takeoff(10.0f);
    waypoint(9000, 40.0f)->command = MAV_CMD_NAV_LOITER_TO_ALT; /* 100 m */
    struct mf_item *item = waypoint(9000, 5.0f);
    item->command = MAV_CMD_NAV_LOITER_TO_ALT;
    item->param[1] = mf_f32_bits(-30.0f);
    (void)run_from_10_m();
    assert_north(9000, GROUND_M + 40.0);
    assert_true(fx_leg()->radius_m == 82.0f);
    assert_reached((const uint16_t[]){0}, 1);
    fx_reach(6 * S);
    assert_reached((const uint16_t[]){1}, 1);
    assert_north(9000, GROUND_M + 5.0);
    assert_true(fx_leg()->radius_m == 32.0f);
}

/* ---- headings ---- */

/* Arrives at 6 s with 90 deg still to turn. */
static struct mf_vehicle *arrive_unturned(float hold_s)
{
    takeoff(10.0f);
    struct mf_item *item = waypoint(1000, 10.0f);
    item->param[0] = mf_f32_bits(hold_s);
    item->param[3] = mf_f32_bits(-90.0f);
    waypoint(0, 10.0f);
    struct mf_vehicle *v = run_from_10_m();
    const struct mf_leg leg = *fx_leg();
    assert_close((double)leg.yaw_rad, RAD(-90.0), 1e-6);
    mf_mock_place(&fx.mock, leg.lat_deg, leg.lon_deg, leg.alt_amsl_m, false);
    fx_end_plan(6 * S);
    return v;
}

static void face(double yaw_deg, mf_us_t t_us)
{
    fx.mock.airframe.pose.yaw_rad = (float)RAD(yaw_deg);
    (void)fx_step_at(t_us);
}

static void test_sim031_waits_for_the_heading(void **state)
{
    (void)state;
    const struct mf_vehicle *v = arrive_unturned(0.0f);
    assert_int_equal(v->navigator.phase, MF_NAV_WAIT);
    /* 90 deg but MIS_YAW_ERR 12, at 60 deg/s */
    assert_close((double)v->navigator.wait_until_us, 7.3e6, 2.0);
    face(-70.0, v->navigator.wait_until_us); /* slower than it should be */
    assert_close((double)v->navigator.wait_until_us, 7.3e6 + 8.0 / 60.0 * 1e6, 2.0);
    face(-77.9, v->navigator.wait_until_us);
    assert_int_equal(v->mission.current, 1); /* nearly: it looks again soon */
    face(-78.1, v->navigator.wait_until_us);
    assert_int_equal(v->mission.current, 2);
    assert_reached((const uint16_t[]){0, 1}, 2);
}

static void test_time_of_a_waypoint_counts_from_the_arrival(void **state)
{
    (void)state;
    const struct mf_vehicle *v = arrive_unturned(2.0f);
    face(-90.0, v->navigator.wait_until_us);
    assert_int_equal(v->navigator.wait_until_us, 8 * S);
    (void)fx_step_at(8 * S);
    assert_int_equal(v->mission.current, 2);
}

static void test_heading_is_ignored_by_parameter(void **state)
{
    (void)state;
    fx_set_f("MIS_YAW_TMT", 5.0f);
    assert_int_equal(arrive_unturned(0.0f)->mission.current, 2);
    assert_int_equal(boot(NULL), 0);
    fx_set_f("MIS_YAW_ERR", 95.0f);
    assert_int_equal(arrive_unturned(0.0f)->mission.current, 2);
}

/* Within the acceptance radius it does not turn and drift on: it turns at the place. */
static void test_sim036_turns_at_the_place(void **state)
{
    (void)state;
    (void)fx_boot((struct mf_options){.px4_motion = true});
    takeoff(10.0f);
    waypoint(1000, 10.0f)->param[3] = mf_f32_bits(-90.0f);
    waypoint(2000, 10.0f);
    const struct mf_vehicle *v = run_from_10_m();
    assert_int_equal(fx_last_plan()->n, 2);
    mf_mock_place(&fx.mock, HERE_LAT + 0.00008, HERE_LON, GROUND_M + 10.0, false);
    fx_end_plan(6 * S);
    assert_int_equal(fx_last_plan()->n, 1);
    assert_north(1000, GROUND_M + 10.0);
    assert_true(fx_leg()->radius_m == 0.0f);
    face(-90.0, v->navigator.wait_until_us);
    assert_int_equal(v->mission.current, 2);
}

static void test_sim031_condition_yaw(void **state)
{
    static const struct {
        float angle_deg, direction, relative;
        double to_deg;
    } k_case[] = {
        {90.0f, 1.0f, 0.0f, 90.0}, {90.0f, 1.0f, 1.0f, 120.0}, {90.0f, -1.0f, 1.0f, -60.0}};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        assert_int_equal(boot(NULL), 0);
        (void)action(MAV_CMD_CONDITION_YAW, 50.0f, 0.0f); /* on the ground nothing turns */
        (void)takeoff(10.0f);
        struct mf_item *item = action(MAV_CMD_CONDITION_YAW, k_case[i].angle_deg, 0.0f);
        item->param[2] = mf_f32_bits(k_case[i].direction);
        item->param[3] = mf_f32_bits(k_case[i].relative);
        waypoint(0, 10.0f);
        const struct mf_vehicle *v = run();
        assert_int_equal(v->mission.current, 1);
        fx.mock.airframe.pose.yaw_rad = (float)RAD(30.0);
        fx_reach(5 * S);
        assert_int_equal(v->mission.current, 2);
        assert_close((double)fx_leg()->yaw_rad, RAD(k_case[i].to_deg), 1e-6);
        assert_true(fx_leg()->alt_amsl_m == GROUND_M + 10.0);
        face(k_case[i].to_deg, v->navigator.wait_until_us);
        assert_int_equal(v->mission.current, 3);
    }
}

/* ---- DO_SET_HOME ---- */

static void test_sim031_home_by_item(void **state)
{
    (void)state;
    takeoff(10.0f);
    struct mf_item *item = add(MAV_CMD_DO_SET_HOME, 6, LAT_E7 + 1000, LON_E7 + 2000, 4.0f);
    item->param[3] = mf_f32_bits(90.0f);
    action(MAV_CMD_DO_SET_HOME, 0.0f, 0.0f); /* neither here nor there: nothing */
    waypoint(0, 10.0f);                      /* above the new home */
    action(MAV_CMD_DO_SET_HOME, 1.0f, 0.0f);
    action(MAV_CMD_NAV_DELAY, 100.0f, 0.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    assert_int_equal(v->mission.current, 3);
    assert_true(v->home.manual);
    assert_true(v->home.lat_deg == (LAT_E7 + 1000) / 1e7 &&
                v->home.lon_deg == (LON_E7 + 2000) / 1e7);
    assert_true(v->home.alt_amsl_m == GROUND_M + 4.0);
    assert_close((double)v->home.yaw_rad, RAD(90.0), 1e-6);
    assert_north(0, GROUND_M + 14.0);
    assert_int_equal(fx_count(MF_MSG_HOME_POSITION), 2); /* arming, and now */
    fx_reach(6 * S);
    assert_true(v->home.lat_deg == HERE_LAT && v->home.alt_amsl_m == GROUND_M + 14.0);
    assert_true(v->home.manual); /* set here by the plan: arming moves it no more */
}

static void test_home_stays_where_a_parameter_keeps_it(void **state)
{
    (void)state;
    fx_set_i("COM_HOME_EN", 0);
    takeoff(10.0f);
    (void)add(MAV_CMD_DO_SET_HOME, 6, LAT_E7 + 1000, LON_E7, 4.0f);
    action(MAV_CMD_NAV_DELAY, 100.0f, 0.0f);
    const struct mf_vehicle *v = run();
    fx_reach(5 * S);
    assert_int_equal(v->mission.current, 2);
    assert_true(v->home.lat_deg == HERE_LAT);
}

/* ---- altitudes, and items that are done at once ---- */

static void test_sim031_terrain_is_as_high_as_home(void **state)
{
    static const uint8_t k_frame[] = {10, 11};
    (void)state;
    takeoff(10.0f);
    for (int i = 0; i < 2; i++) {
        add(MAV_CMD_NAV_WAYPOINT, k_frame[i], LAT_E7 + 1000 * i, LON_E7, 12.0f + (float)i);
    }
    (void)run_from_10_m();
    assert_north(0, GROUND_M + 12.0);
    fx_reach(6 * S);
    assert_north(1000, GROUND_M + 13.0);
}

static void test_sim031_without_hardware_done_at_once(void **state)
{
    /* MAV_CMD of what MAVSDK and ground stations write */
    static const uint16_t k_command[] = {114, 183,  187,  189,  196,  197,  200,  203,  204,
                                         205, 206,  207,  211,  214,  260,  530,  531,  532,
                                         534, 1000, 1001, 2000, 2001, 2003, 2500, 2501, 42600};
    enum { COUNT = sizeof k_command / sizeof k_command[0] };
    struct mf_msg_mission_item_reached m;
    (void)state;
    takeoff(10.0f);
    for (int i = 0; i < COUNT; i++) {
        action(k_command[i], 1.0f, 0.0f);
    }
    add(MAV_CMD_DO_SET_ROI_LOCATION, 6, LAT_E7, LON_E7, 0.0f);
    action(MAV_CMD_DO_SET_ROI, 0.0f, 0.0f);
    waypoint(0, 10.0f);
    const struct mf_vehicle *v = run();
    fx_reach(5 * S);
    assert_int_equal(v->mission.current, COUNT + 3);
    for (unsigned i = 0; i < COUNT + 3; i++) {
        assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_MISSION_ITEM_REACHED, &m));
        assert_int_equal(m.seq, i);
    }
}

int main(void)
{
#define T(name) cmocka_unit_test_setup(name, boot)
    const struct CMUnitTest tests[] = {
        T(test_sim031_two_turns_in_chords),
        T(test_circles_by_parameter),
        T(test_what_counts_as_reached_on_a_circle),
        T(test_turns_without_end_are_limited),
        T(test_circle_from_its_centre_and_paused),
        T(test_sim036_chords_lead_on),
        T(test_sim036_small_circles_are_flown_slowly),
        T(test_sim031_straight_to_the_place_and_its_altitude),
        T(test_sim031_sim036_as_near_as_the_circle),
        T(test_sim031_waits_for_the_heading),
        T(test_time_of_a_waypoint_counts_from_the_arrival),
        T(test_heading_is_ignored_by_parameter),
        T(test_sim036_turns_at_the_place),
        T(test_sim031_condition_yaw),
        T(test_sim031_home_by_item),
        T(test_home_stays_where_a_parameter_keeps_it),
        T(test_sim031_terrain_is_as_high_as_home),
        T(test_sim031_without_hardware_done_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
