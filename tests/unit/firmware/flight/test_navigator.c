/* SPDX-License-Identifier: Apache-2.0 */
/* Which legs each mode flies, how fast, and where it looks. */
#include "tests/unit/firmware/flight_fixture.h"

/* WGS84 at 47.397742 N: degrees of one metre northwards and eastwards. */
#define NORTH 8.994537017753434e-06
#define EAST  1.324683275151117e-05

static const struct mf_options k_default;
static const struct mf_options k_strict = {.px4_strict = true};

static size_t plans(void)
{
    return fx.mock.airframe.plan_count;
}

static void assert_leg(double lat_deg, double lon_deg, double alt_m)
{
    assert_true(fx_leg()->lat_deg == lat_deg);
    assert_true(fx_leg()->lon_deg == lon_deg);
    assert_true(fx_leg()->alt_amsl_m == alt_m);
    assert_false(fx_leg()->land);
}

static uint8_t hold(void)
{
    return fx_command(MAV_CMD_NAV_LOITER_UNLIM, NANS);
}

/* ---- takeoff ---- */

static void test_sim026_takeoff_is_one_vertical_leg_at_the_configured_speed(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    fx_set_f("MPC_Z_V_AUTO_UP", 4.0f);
    (void)fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM);
    assert_int_equal(plans(), 0);
    (void)fx_step_at(2 * S);
    (void)fx_command(MAV_CMD_NAV_TAKEOFF,
                     (const float[7]){NAN, NAN, NAN, 1.0f, 50.0f, 9.0f, 498.0f});
    assert_int_equal(plans(), 1);
    assert_int_equal(fx_last_plan()->t_us, 2 * S);
    assert_leg(HERE_LAT, HERE_LON, 498.0);
    assert_true(fx_leg()->speed_up_mps == 4.0f && fx_leg()->speed_h_mps == 10.0f);
    assert_true(isnan(fx_leg()->yaw_rad));
    assert_int_equal(v->commander.landed, MF_LANDED_TAKEOFF);
    fx_reach(5 * S);
    assert_int_equal(plans(), 1); /* Hold keeps the leg that was flown */
    assert_int_equal(v->commander.landed, MF_LANDED_IN_AIR);
    assert_true(v->navigator.planned && v->navigator.leg.alt_amsl_m == 498.0);
}

static void test_sim026_takeoff_without_altitude_goes_to_the_parameter(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    (void)fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM);
    (void)fx_command(MAV_CMD_NAV_TAKEOFF, NANS);
    assert_true(fx_said("Using default takeoff altitude: 2.5 m"));
    assert_leg(HERE_LAT, HERE_LON, 490.5);
    (void)fx_boot(k_default);
    (void)fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM);
    (void)fx_command(MAV_CMD_DO_SET_MODE, MODE(4, 2)); /* the mode alone */
    assert_leg(HERE_LAT, HERE_LON, 490.5);
}

/* An altitude above the ground rather than above the sea, as some clients send: nothing happens. */
static void test_takeoff_to_below_stays_on_the_ground_and_does_not_land(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    (void)fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM);
    assert_int_equal(fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT(10.0f)), MAV_RESULT_ACCEPTED);
    assert_true(fx_said("Already higher than takeoff altitude"));
    assert_false(fx_said("Takeoff detected"));
    assert_int_equal(v->commander.mode, MF_MODE_HOLD);
    assert_int_equal(v->commander.landed, MF_LANDED_ON_GROUND);
    assert_int_equal(plans(), 0);
    (void)fx_step_at(11 * S); /* as if it had not been asked */
    assert_true(fx_said("Disarmed by auto preflight disarming"));
}

static void test_takeoff_in_the_air(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 10.0);
    (void)fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT(520.0f));
    assert_leg(HERE_LAT, HERE_LON, 520.0);
    assert_int_equal(v->commander.landed, MF_LANDED_TAKEOFF);
    fx_reach(9 * S);
    (void)fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT(500.0f)); /* lower: it stops where it is */
    assert_int_equal(fx_last_plan()->n, 0);
    assert_int_equal(v->commander.mode, MF_MODE_HOLD);
    assert_int_equal(v->commander.landed, MF_LANDED_IN_AIR);
}

/* ---- hold and reposition ---- */

static void test_sim027_reposition_is_one_leg_that_faces_its_target(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 10.0);
    assert_int_equal(fx_reposition(-1.0f, NAN, HERE_LAT, 8.5465, 500.0f), MAV_RESULT_ACCEPTED);
    assert_leg(HERE_LAT, 8.5465, 500.0);
    assert_true(fx_leg()->speed_h_mps == 10.0f);
    assert_close((double)fx_leg()->yaw_rad, 1.5707963, 1e-4); /* east */
    assert_close((double)fx_leg()->yaw_rate_rps, 1.0471976, 1e-6);
    assert_int_equal(v->commander.mode, MF_MODE_HOLD);
    const size_t n = plans();
    fx_reach(20 * S);
    assert_int_equal(plans(), n);
    assert_int_equal(v->navigator.phase, MF_NAV_IDLE);
}

static void test_sim027_speed_and_yaw_of_a_reposition(void **state)
{
    (void)state;
    (void)fx_airborne(k_default, 10.0);
    assert_int_equal(fx_reposition(4.0f, -2.0f, 47.398, 8.5465, NAN), MAV_RESULT_ACCEPTED);
    assert_leg(47.398, 8.5465, 498.0);
    assert_true(fx_leg()->speed_h_mps == 4.0f && fx_leg()->yaw_rad == -2.0f);
    fx_set_f("MPC_Z_V_AUTO_UP", 5.0f); /* planned again: at the speed asked for */
    assert_true(fx_leg()->speed_h_mps == 4.0f && fx_leg()->speed_up_mps == 5.0f);
    (void)fx_command(MAV_CMD_DO_CHANGE_SPEED, (const float[7]){1.0f, 7.0f, -1.0f});
    assert_true(fx_leg()->speed_h_mps == 7.0f); /* the later wish counts */
    (void)fx_reposition(NAN, NAN, 47.398, 8.5475, NAN);
    assert_true(fx_leg()->speed_h_mps == 7.0f);
    (void)fx_command(MAV_CMD_DO_CHANGE_SPEED, (const float[7]){1.0f, -1.0f, -1.0f});
    assert_true(fx_leg()->speed_h_mps == 10.0f);
}

static void test_speed_asked_for_ends_with_the_mode(void **state)
{
    (void)state;
    (void)fx_airborne(k_default, 10.0);
    (void)fx_command(MAV_CMD_DO_CHANGE_SPEED, (const float[7]){1.0f, 3.0f, -1.0f});
    (void)fx_reposition(NAN, NAN, 47.4, 8.5465, NAN);
    assert_true(fx_leg()->speed_h_mps == 3.0f);
    (void)fx_command(MAV_CMD_NAV_RETURN_TO_LAUNCH, NANS);
    assert_true(fx_leg()->speed_h_mps == 10.0f);
}

static void test_tiny_speeds_are_flown_at_the_slowest(void **state)
{
    (void)state;
    (void)fx_airborne(k_default, 10.0);
    (void)fx_command(MAV_CMD_DO_CHANGE_SPEED, (const float[7]){1.0f, 1e-30f});
    (void)fx_reposition(NAN, NAN, 47.4, 8.5465, NAN);
    assert_true(fx_leg()->speed_h_mps == 0.1f);
    (void)fx_reposition(1e-45f, NAN, 47.4, 8.5465, NAN);
    assert_true(fx_leg()->speed_h_mps == 0.1f);
}

static void test_yaw_mode_1_keeps_the_heading_and_so_do_short_ways(void **state)
{
    (void)state;
    (void)fx_airborne(k_default, 10.0);
    (void)fx_reposition(NAN, NAN, HERE_LAT, HERE_LON + 0.9 * EAST, NAN);
    assert_true(isnan(fx_leg()->yaw_rad)); /* 0.9 m: no twitching */
    fx_set_i("MPC_YAW_MODE", 1);
    (void)fx_reposition(NAN, NAN, HERE_LAT, 8.5465, NAN);
    assert_true(isnan(fx_leg()->yaw_rad));
}

static void test_altitude_or_heading_alone_keep_the_place_aimed_at(void **state)
{
    (void)state;
    (void)fx_airborne(k_default, 10.0);
    (void)fx_reposition(NAN, NAN, 47.398, 8.5465, 500.0f);
    mf_mock_place(&fx.mock, 47.3979, 8.546, 499.0, false); /* on its way */
    (void)fx_step_at(5 * S);
    assert_int_equal(fx_command(MAV_CMD_DO_CHANGE_ALTITUDE, (const float[7]){510.0f}), 0);
    assert_leg(47.398, 8.5465, 510.0);
    (void)fx_reposition(NAN, 1.0f, NAN, NAN, NAN);
    assert_leg(47.398, 8.5465, 510.0);
    assert_true(fx_leg()->yaw_rad == 1.0f);
}

static void test_heading_alone_during_takeoff_keeps_the_altitude_aimed_at(void **state)
{
    (void)state;
    (void)fx_airborne(k_default, 10.0);
    (void)fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT(520.0f));
    (void)fx_reposition(NAN, 1.0f, NAN, NAN, NAN);
    assert_leg(HERE_LAT, HERE_LON, 520.0);
}

static void test_reposition_of_nothing_stops(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 10.0);
    (void)fx_reposition(NAN, NAN, 47.4, 8.55, NAN);
    assert_int_equal(fx_reposition(NAN, NAN, NAN, NAN, NAN), MAV_RESULT_ACCEPTED);
    assert_int_equal(fx_last_plan()->n, 0);
    assert_int_equal(v->navigator.phase, MF_NAV_IDLE);
}

static void test_sim030_loiter_stops_a_flight_in_hold_too(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 10.0);
    (void)fx_reposition(NAN, NAN, 47.4, 8.55, NAN);
    assert_int_equal(hold(), MAV_RESULT_ACCEPTED);
    assert_int_equal(fx_last_plan()->n, 0);
    assert_int_equal(v->navigator.phase, MF_NAV_IDLE);
    (void)fx_reposition(NAN, NAN, 47.4, 8.55, NAN);
    const size_t n = plans();
    (void)fx_command(MAV_CMD_DO_SET_MODE, MODE(4, 3)); /* the mode it is in: as PX4, no effect */
    assert_int_equal(plans(), n);
}

static void test_it_does_not_slide_along_the_ground(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    (void)fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM);
    assert_int_equal(fx_reposition(NAN, NAN, 47.4, 8.55, NAN), MAV_RESULT_ACCEPTED);
    assert_int_equal(fx_reposition(NAN, NAN, 47.4, 8.55, 400.0f), MAV_RESULT_ACCEPTED);
    assert_int_equal(plans(), 0);
    assert_int_equal(v->commander.landed, MF_LANDED_ON_GROUND);
    assert_int_equal(fx_reposition(NAN, NAN, 47.4, 8.55, 500.0f), MAV_RESULT_ACCEPTED);
    assert_leg(47.4, 8.55, 500.0);
    assert_int_equal(v->commander.landed, MF_LANDED_IN_AIR);
}

static void test_flight_into_the_ground_is_a_landing(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 10.0);
    (void)fx_reposition(NAN, NAN, 47.4, 8.55, 480.0f);
    assert_leg(47.4, 8.55, 480.0);
    fx_reach(30 * S);
    assert_int_equal(v->commander.landed, MF_LANDED_ON_GROUND);
    (void)fx_step_at(32 * S);
    assert_false(v->commander.armed);
}

static void test_modes_without_automatic_flight_stop(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 10.0);
    (void)fx_reposition(NAN, NAN, 47.4, 8.55, NAN);
    mf_navigator_begin(v, fx.mock.now.vehicle_us, MF_MODE_POSCTL, NULL);
    (void)mf_vehicle_step(v);
    assert_int_equal(fx_last_plan()->n, 0);
}

/* ---- land ---- */

static void test_sim029_land_is_a_vertical_leg_to_the_ground(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 10.0);
    fx_set_f("MPC_Z_V_AUTO_DN", 2.0f);
    (void)fx_command(MAV_CMD_NAV_LAND, (const float[7]){0, 0, 0, 0, 50.0f, 9.0f, 100.0f});
    assert_true(fx_leg()->land);
    assert_true(fx_leg()->lat_deg == HERE_LAT && fx_leg()->lon_deg == HERE_LON);
    assert_true(fx_leg()->speed_down_mps == 2.0f);
    assert_int_equal(v->navigator.when, MF_WHEN_TOUCHDOWN);
    assert_int_equal(v->commander.landed, MF_LANDED_LANDING);
    assert_true(fx_said("Landing at current position"));
}

static void test_landing_on_the_ground_moves_nothing(void **state)
{
    static const uint16_t k_command[] = {MAV_CMD_NAV_LAND, MAV_CMD_NAV_RETURN_TO_LAUNCH};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct mf_vehicle *v = fx_boot(k_default);
        (void)fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM);
        mf_mock_clear(&fx.mock, 0);
        assert_int_equal(fx_command(k_command[i], NANS), MAV_RESULT_ACCEPTED);
        assert_int_equal(plans(), 0);
        assert_int_equal(v->commander.landed, MF_LANDED_ON_GROUND);
        assert_int_equal(fx_count(MF_MSG_STATUSTEXT), 0);
    }
}

/* ---- return ---- */

/* Section "RTL" of PX4's rules, worked out by hand: home at 488 m. */
static void test_sim028_return_altitude(void **state)
{
    static const struct {
        double distance_m, here_m; /* AMSL */
        float full_m;              /* RTL_RETURN_ALT */
        int32_t cone_deg;
        double to_m;
    } k_case[] = {
        {1.5, 488.5, 30.0f, 45, 491.0},      /* within NAV_ACC_RAD 2: twice the distance */
        {1.5, 495.0, 30.0f, 45, 495.0},      /* never down */
        {3.0, 488.5, 30.0f, 45, 492.0},      /* cone 3 m, at least twice NAV_ACC_RAD */
        {5.0, 488.5, 30.0f, 45, 493.0},      /* cone of 45 deg */
        {5.0, 488.5, 30.0f, 30, 496.660254}, /* 5 m / tan 30 deg */
        {9.0, 488.5, 30.0f, 60, 493.196152}, /* 9 m / tan 60 deg */
        {9.0, 488.5, 30.0f, 90, 492.0},      /* taken as 89 deg: 0.16 m */
        {9.0, 488.5, 30.0f, 1, 518.0},       /* 515 m: not above RTL_RETURN_ALT */
        {10.5, 488.5, 30.0f, 45, 518.0},     /* beyond RTL_MIN_DIST 10 */
        {5.0, 488.5, 30.0f, 0, 518.0},       /* no cone */
        {500.0, 488.5, 30.0f, 45, 518.0},
        {500.0, 530.0, 30.0f, 45, 530.0}, /* already higher: stays there */
        {5.0, 530.0, 30.0f, 0, 530.0},
        {1.5, 488.5, 1.0f, 45, 489.0}, /* RTL_RETURN_ALT is the upper bound of all */
        {500.0, 488.5, 3.0f, 45, 491.0},
        {500.0, 490.0, 0.0f, 45, 490.0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        (void)fx_airborne(k_default, 10.0);
        fx_set_f("RTL_RETURN_ALT", k_case[i].full_m);
        fx_set_i("RTL_CONE_ANG", k_case[i].cone_deg);
        mf_mock_place(&fx.mock, HERE_LAT + k_case[i].distance_m * NORTH, HERE_LON, k_case[i].here_m,
                      false);
        (void)fx_step_at(5 * S);
        assert_int_equal(fx_command(MAV_CMD_NAV_RETURN_TO_LAUNCH, NANS), MAV_RESULT_ACCEPTED);
        assert_close(fx.v.navigator.return_amsl_m, k_case[i].to_m, 2e-5);
        const bool climbs = k_case[i].to_m > k_case[i].here_m;
        assert_int_equal(fx.v.navigator.phase, climbs ? MF_NAV_CLIMB : MF_NAV_FLY);
        assert_close(fx_leg()->alt_amsl_m, k_case[i].to_m, 2e-5);
    }
}

static void test_sim028_sim035_return_climbs_flies_home_and_lands(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 10.0);
    mf_mock_place(&fx.mock, HERE_LAT, 8.5465, 498.0, false);
    (void)fx_step_at(5 * S);
    (void)fx_command(MAV_CMD_NAV_RETURN_TO_LAUNCH, NANS);
    assert_true(fx_said("RTL: start return at 518 m (30 m above destination"));
    assert_leg(HERE_LAT, 8.5465, 518.0);
    assert_int_equal(v->commander.landed, MF_LANDED_IN_AIR); /* not a takeoff */
    fx_reach(10 * S);
    assert_leg(HERE_LAT, HERE_LON, 518.0);
    assert_close((double)fx_leg()->yaw_rad, -1.5707963, 1e-4); /* west */
    assert_int_equal(v->commander.mode, MF_MODE_RTL);
    fx_reach(20 * S);
    assert_true(fx_leg()->land);
    assert_int_equal(v->commander.mode, MF_MODE_LAND);
    assert_int_equal(v->commander.landed, MF_LANDED_LANDING);
    assert_true(fx_said("RTL: land at destination"));
    assert_false(fx_said("Landing at current position"));
}

static void test_sim028_return_to_the_ground_in_px4(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_strict, 10.0);
    (void)fx_command(MAV_CMD_NAV_RETURN_TO_LAUNCH, NANS);
    assert_int_equal(v->navigator.phase, MF_NAV_FLY); /* above home: no climb */
    fx_reach(5 * S);
    assert_true(fx_leg()->land);
    assert_int_equal(v->commander.mode, MF_MODE_RTL);
    fx_reach(9 * S);
    assert_int_equal(v->commander.mode, MF_MODE_RTL);
    assert_int_equal(v->commander.landed, MF_LANDED_ON_GROUND);
    (void)fx_step_at(11 * S);
    assert_false(v->commander.armed);
}

static void return_to_home(float delay_s, float descend_m)
{
    (void)fx_airborne(k_default, 20.0);
    fx_set_f("RTL_LAND_DELAY", delay_s);
    fx_set_f("RTL_DESCEND_ALT", descend_m);
    (void)fx_command(MAV_CMD_NAV_RETURN_TO_LAUNCH, NANS);
    fx_reach(5 * S);
}

static void test_sim028_return_waits_lower_down(void **state)
{
    (void)state;
    return_to_home(7.5f, 10.0f);
    assert_leg(HERE_LAT, HERE_LON, 498.0);
    assert_int_equal(fx.v.navigator.phase, MF_NAV_DESCEND);
    assert_int_equal(fx.v.commander.landed, MF_LANDED_IN_AIR);
    fx_reach(10 * S);
    assert_int_equal(fx.v.navigator.phase, MF_NAV_WAIT);
    (void)fx_step_at(17 * S + 499999);
    assert_int_equal(fx.v.commander.mode, MF_MODE_RTL);
    (void)fx_step_at(17 * S + 500000);
    assert_int_equal(fx.v.commander.mode, MF_MODE_LAND);
}

static void test_sim028_return_waits_for_ever(void **state)
{
    static const float k_descend_m[] = {10.0f, 40.0f}; /* below, and above where it arrives */
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        return_to_home(-1.0f, k_descend_m[i]);
        if (i == 0) {
            fx_reach(10 * S);
        }
        assert_true(fx_said("RTL: completed, loitering"));
        assert_true(fx_step_at(11 * S).essential_us == MF_NEVER);
        assert_int_equal(fx.v.commander.mode, MF_MODE_RTL);
        assert_int_equal(fx.v.navigator.phase, MF_NAV_IDLE);
    }
}

static void test_sim028_return_that_is_low_already_waits_where_it_is(void **state)
{
    (void)state;
    return_to_home(2.0f, 40.0f);
    assert_int_equal(fx.v.navigator.phase, MF_NAV_WAIT);
    (void)fx_step_at(7 * S);
    assert_int_equal(fx.v.commander.mode, MF_MODE_LAND);
}

/* ---- other airframes ---- */

static void test_polled_airframe_arrives_within_half_a_metre_and_30_cm(void **state)
{
    static const struct {
        double short_m, low_m;
        bool there;
    } k_case[] = {{0.0, 0.0, true},  {0.49, 0.0, true},  {0.51, 0.0, false},
                  {0.0, 0.29, true}, {0.0, 0.31, false}, {0.4, 0.2, true}};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct mf_vehicle *v = fx_airborne(k_default, 10.0);
        fx.mock.airframe.next_result = MF_E_NOSUPP;
        (void)fx_reposition(NAN, NAN, 47.3987, HERE_LON, 498.0f);
        assert_int_equal(fx_step_at(1 * S).essential_us, 1 * S + 50000);
        mf_mock_place(&fx.mock, 47.3987 - k_case[i].short_m * NORTH, HERE_LON,
                      498.0 - k_case[i].low_m, false);
        const struct mf_wake wake = fx_step_at(1 * S + 50000);
        assert_true((v->navigator.phase == MF_NAV_IDLE) == k_case[i].there);
        assert_true((wake.essential_us == MF_NEVER) == k_case[i].there);
    }
}

static void test_polled_airframe_lands_when_it_says_so(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 10.0);
    fx.mock.airframe.next_result = MF_E_NOSUPP;
    (void)fx_command(MAV_CMD_NAV_LAND, NANS);
    mf_mock_place(&fx.mock, HERE_LAT, HERE_LON, 488.0, false);
    (void)fx_step_at(3 * S);
    assert_int_equal(v->commander.landed, MF_LANDED_LANDING);
    mf_mock_place(&fx.mock, HERE_LAT, HERE_LON, 488.0, true);
    (void)fx_step_at(4 * S);
    assert_int_equal(v->commander.landed, MF_LANDED_ON_GROUND);
    /* noticed at the poll in between, not when the host came */
    assert_int_equal(v->commander.landed_us, 3 * S + 50000);
}

static void test_airframe_that_refuses_a_plan_holds_with_a_text(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 10.0);
    fx.mock.airframe.plan_result = MF_E_RANGE;
    assert_int_equal(fx_reposition(NAN, NAN, -47.0, -171.0, 498.0f), MAV_RESULT_ACCEPTED);
    assert_true(fx_named("Navigation target range"));
    assert_int_equal(v->navigator.phase, MF_NAV_IDLE);
    assert_int_equal(v->commander.landed, MF_LANDED_IN_AIR);
    assert_true(fx_step_at(9 * S).essential_us == MF_NEVER);
    fx.mock.airframe.plan_result = MF_E_OK;
    (void)fx_command(MAV_CMD_NAV_LAND, NANS);
    assert_true(fx_leg()->land);
}

/* A receiver that is 30 m off to the north and 5 m too high: the autopilot goes to where it
 * believes the target to be, and straight up is straight up. */
static void test_sim045_legs_are_aimed_so_that_the_estimate_arrives(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    (void)fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM);
    mf_mock_mislead(&fx.mock, 30.0, 0.0, -5.0);
    (void)fx_step_at(1 * S);
    (void)fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT(503.0f));
    assert_close(fx_leg()->lat_deg, HERE_LAT, 1e-9);
    assert_close(fx_leg()->lon_deg, HERE_LON, 1e-9);
    assert_close(fx_leg()->alt_amsl_m, 498.0, 1e-9);
    assert_close(fx.v.navigator.leg.alt_amsl_m, 503.0, 1e-9); /* what is shown */
    (void)fx_reposition(NAN, NAN, 47.4, 8.55, NAN);
    assert_close(fx_leg()->lat_deg, 47.4 - 30.0 * NORTH, 6e-8);
}

/* A vehicle that holds is corrected a second after the estimate moved by more than 12.5 mm, along
 * any axis. */
static void test_sim045_a_drift_along_each_axis_is_corrected(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        const double by_m = 2.0;
        struct mf_vehicle *v = fx_airborne(k_default, 10.0);
        assert_int_equal(hold(), MAV_RESULT_ACCEPTED);
        fx.mock.airframe.pose.vel_ned_mps[(axis + 1) % 3] =
            0.02f; /* not still: no other reason for a plan */
        (void)fx_step_at(5 * S);
        const size_t before = plans();
        mf_mock_mislead(&fx.mock, axis == 0 ? by_m : 0.0, axis == 1 ? by_m : 0.0,
                        axis == 2 ? by_m : 0.0);
        (void)fx_step_at(6 * S);
        assert_true(mf_navigator_watch(v, 6 * S) == 7 * S);
        (void)fx_step_at(7 * S);
        assert_true(mf_navigator_watch(v, 7 * S) == 8 * S);
        assert_int_equal(plans(), before + 1);
        assert_close(fx_leg()->lon_deg, HERE_LON - (axis == 1 ? by_m * EAST : 0.0), 6e-8);
    }
}

/* A body that needs time to stop is still moving, to where it will come to rest. */
static void test_pause_waits_until_the_body_is_at_rest(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 10.0);
    (void)fx_reposition(-1.0f, NAN, 47.4, 8.55, 500.0f);
    (void)fx_step_at(2 * S);
    fx.rest_us = 5 * S;
    assert_int_equal(fx_command(MAV_CMD_NAV_LOITER_UNLIM, NANS), MAV_RESULT_ACCEPTED);
    assert_int_equal(fx_last_plan()->n, 0);
    assert_int_equal(v->navigator.phase, MF_NAV_BRAKE);
    assert_true(mf_vehicle_moving(v));
    assert_int_equal(v->commander.landed, MF_LANDED_IN_AIR);
    assert_int_equal(fx_step_at(3 * S).essential_us, 5 * S);
    mf_mock_place(&fx.mock, 47.3999, 8.5501, 499.0, false);
    (void)fx_step_at(5 * S);
    assert_int_equal(v->navigator.phase, MF_NAV_IDLE);
    assert_false(mf_vehicle_moving(v));
    assert_true(v->navigator.leg.lat_deg == 47.3999 && v->navigator.leg.alt_amsl_m == 499.0);
}

static void test_a_parameter_of_flight_counts_while_it_brakes(void **state)
{
    (void)state;
    (void)fx_airborne(k_default, 10.0);
    fx.rest_us = 5 * S;
    assert_int_equal(fx_command(MAV_CMD_NAV_LOITER_UNLIM, NANS), MAV_RESULT_ACCEPTED);
    (void)fx_reposition(NAN, NAN, NAN, NAN, NAN);
    const size_t plans = fx.mock.airframe.plan_count;
    fx_set_f("MPC_ACC_HOR", 4.5f);
    assert_int_equal(fx.mock.airframe.plan_count, plans + 1);
    assert_int_equal(fx_last_plan()->n, 0);
    assert_true(fx.limits.acc_h_mps2 == 4.5f);
}

/* Nobody knows when: the navigator looks. */
static void test_braking_of_a_body_that_does_not_know_its_future(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 10.0);
    fx.mock.airframe.next_result = MF_E_NOSUPP;
    fx.mock.airframe.pose.vel_ned_mps[0] = 3.0f;
    mf_estimate_forget(v);
    (void)fx_step_at(2 * S);
    (void)fx_reposition(NAN, NAN, NAN, NAN, NAN);
    assert_int_equal(v->navigator.phase, MF_NAV_BRAKE);
    (void)fx_step_at(2 * S + 50000);
    assert_int_equal(v->navigator.phase, MF_NAV_BRAKE);
    fx.mock.airframe.pose.vel_ned_mps[0] = 0.0f;
    (void)fx_step_at(2 * S + 100000);
    assert_int_equal(v->navigator.phase, MF_NAV_IDLE);
}

static void test_sim021_on_the_ground_until_the_body_lifts_off(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    fx.lift_us = 4 * S;
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM), MAV_RESULT_ACCEPTED);
    assert_int_equal(fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT(500.0f)), MAV_RESULT_ACCEPTED);
    assert_int_equal(v->commander.landed, MF_LANDED_ON_GROUND);
    assert_true(mf_vehicle_moving(v));
    assert_int_equal(fx_step_at(1 * S).essential_us, 4 * S);
    (void)fx_step_at(4 * S);
    assert_int_equal(v->commander.landed, MF_LANDED_TAKEOFF);
    assert_int_equal(v->commander.took_off_us, 4 * S);
}

/* A receiver that is off upwards puts the target where the body stands: the climb is over at once,
 * but the body leaves the ground before it rests. */
static void test_a_climb_that_is_over_before_the_body_lifts_off(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    fx.lift_us = 4 * S;
    fx.rest_us = 6 * S;
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM), MAV_RESULT_ACCEPTED);
    assert_int_equal(fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT(500.0f)), MAV_RESULT_ACCEPTED);
    fx_end_plan(2 * S);
    assert_int_equal(v->navigator.phase, MF_NAV_BRAKE);
    assert_int_equal(v->commander.landed, MF_LANDED_ON_GROUND);
    assert_int_equal(fx_step_at(3 * S).essential_us, 4 * S);
    fx.mock.airframe.pose.on_ground = false;
    (void)fx_step_at(4 * S);
    assert_int_equal(v->navigator.phase, MF_NAV_BRAKE);
    assert_int_equal(v->commander.landed, MF_LANDED_IN_AIR);
}

static void test_called_off_before_it_lifts_off(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    fx.lift_us = 4 * S;
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM), MAV_RESULT_ACCEPTED);
    assert_int_equal(fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT(500.0f)), MAV_RESULT_ACCEPTED);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(4, 3)), MAV_RESULT_ACCEPTED);
    assert_int_equal(fx_last_plan()->n, 0); /* the body is told */
    assert_int_equal(v->navigator.phase, MF_NAV_IDLE);
    assert_int_equal(fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT(500.0f)), MAV_RESULT_ACCEPTED);
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, NO_PARAMS), MAV_RESULT_ACCEPTED);
    assert_int_equal(v->navigator.phase, MF_NAV_IDLE);
    (void)fx_step_at(6 * S);
    assert_int_equal(v->commander.landed, MF_LANDED_ON_GROUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim026_takeoff_is_one_vertical_leg_at_the_configured_speed),
        cmocka_unit_test(test_sim026_takeoff_without_altitude_goes_to_the_parameter),
        cmocka_unit_test(test_takeoff_to_below_stays_on_the_ground_and_does_not_land),
        cmocka_unit_test(test_takeoff_in_the_air),
        cmocka_unit_test(test_sim027_reposition_is_one_leg_that_faces_its_target),
        cmocka_unit_test(test_sim027_speed_and_yaw_of_a_reposition),
        cmocka_unit_test(test_speed_asked_for_ends_with_the_mode),
        cmocka_unit_test(test_tiny_speeds_are_flown_at_the_slowest),
        cmocka_unit_test(test_yaw_mode_1_keeps_the_heading_and_so_do_short_ways),
        cmocka_unit_test(test_altitude_or_heading_alone_keep_the_place_aimed_at),
        cmocka_unit_test(test_heading_alone_during_takeoff_keeps_the_altitude_aimed_at),
        cmocka_unit_test(test_reposition_of_nothing_stops),
        cmocka_unit_test(test_sim030_loiter_stops_a_flight_in_hold_too),
        cmocka_unit_test(test_it_does_not_slide_along_the_ground),
        cmocka_unit_test(test_flight_into_the_ground_is_a_landing),
        cmocka_unit_test(test_modes_without_automatic_flight_stop),
        cmocka_unit_test(test_sim029_land_is_a_vertical_leg_to_the_ground),
        cmocka_unit_test(test_landing_on_the_ground_moves_nothing),
        cmocka_unit_test(test_sim028_return_altitude),
        cmocka_unit_test(test_sim028_sim035_return_climbs_flies_home_and_lands),
        cmocka_unit_test(test_sim028_return_to_the_ground_in_px4),
        cmocka_unit_test(test_sim028_return_waits_lower_down),
        cmocka_unit_test(test_sim028_return_waits_for_ever),
        cmocka_unit_test(test_sim028_return_that_is_low_already_waits_where_it_is),
        cmocka_unit_test(test_polled_airframe_arrives_within_half_a_metre_and_30_cm),
        cmocka_unit_test(test_polled_airframe_lands_when_it_says_so),
        cmocka_unit_test(test_airframe_that_refuses_a_plan_holds_with_a_text),
        cmocka_unit_test(test_sim045_legs_are_aimed_so_that_the_estimate_arrives),
        cmocka_unit_test(test_sim045_a_drift_along_each_axis_is_corrected),
        cmocka_unit_test(test_pause_waits_until_the_body_is_at_rest),
        cmocka_unit_test(test_a_parameter_of_flight_counts_while_it_brakes),
        cmocka_unit_test(test_braking_of_a_body_that_does_not_know_its_future),
        cmocka_unit_test(test_sim021_on_the_ground_until_the_body_lifts_off),
        cmocka_unit_test(test_a_climb_that_is_over_before_the_body_lifts_off),
        cmocka_unit_test(test_called_off_before_it_lifts_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
