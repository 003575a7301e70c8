/* SPDX-License-Identifier: Apache-2.0 */
/* What mission items do, in which order, and what is said of them. */
#include "firmware/flight/mission_store.h"
#include "tests/unit/firmware/mission_fixture.h"

/* ---- a whole mission ---- */

static void test_sim023_sim031_items_in_order(void **state)
{
    (void)state;
    takeoff(15.0f);
    change_speed(4.0f);
    waypoint(1000, 20.0f);
    land(0);
    struct mf_vehicle *v = run();
    assert_true(fx_said("Executing Mission"));
    assert_int_equal(v->commander.mode, MF_MODE_MISSION);
    assert_int_equal(v->commander.landed, MF_LANDED_TAKEOFF);
    assert_north(0, 503.0);
    fx_reach(5 * S); /* takeoff and speed are done at once */
    assert_int_equal(v->mission.current, 2);
    assert_north(1000, 508.0);
    assert_true(fx_leg()->speed_h_mps == 4.0f);
    assert_int_equal(v->commander.landed, MF_LANDED_IN_AIR);
    fx_reach(10 * S);
    assert_true(fx_said("Waypoint 2 reached"));
    assert_north(0, 508.0); /* to the landing site at the height it has ... */
    assert_false(fx_leg()->land);
    fx_reach(15 * S);
    assert_true(fx_leg()->land); /* ... and then down */
    assert_int_equal(v->commander.landed, MF_LANDED_LANDING);
    fx_reach(20 * S);
    assert_reached((const uint16_t[]){0, 1, 2, 3}, 4);
    assert_true(fx_said("Mission finished, landed"));
    assert_true(v->mission.finished);
    assert_int_equal(v->mission.current, 3);
    assert_int_equal(v->commander.mode, MF_MODE_HOLD);
    (void)fx_step_at(22 * S);
    assert_false(v->commander.armed);
}

/* Without waiting for the next one of the stream. */
static void test_a_start_is_told_at_once(void **state)
{
    struct mf_msg_mission_current m;
    (void)state;
    takeoff(10.0f);
    waypoint(100, 10.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    assert_int_equal(v->mission.current, 1);
    (void)fx_reposition(NAN, NAN, 47.4, 8.55, NAN);
    (void)fx_step_at(6 * S + 500000);
    mf_mock_clear(&fx.mock, 0);
    assert_int_equal(mission_mode(), MAV_RESULT_ACCEPTED);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_MISSION_CURRENT, &m));
    assert_int_equal(m.mission_state, MISSION_STATE_ACTIVE);
    assert_int_equal(m.seq, 1);
    assert_int_equal(m.total, 2);
}

static void test_sim031_ends_in_the_air_loitering(void **state)
{
    (void)state;
    struct mf_msg_mission_current m = {0};
    takeoff(10.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    assert_true(fx_said("Mission finished, loitering"));
    assert_int_equal(v->commander.mode, MF_MODE_HOLD);
    while (mf_mock_take(&fx.mock, 0, MF_MSG_MISSION_CURRENT, &m)) {
    }
    assert_int_equal(m.mission_state, MISSION_STATE_COMPLETE);
    assert_int_equal(m.seq, 0);
}

/* It stays finished, as in PX4, until the vehicle is disarmed. */
static void test_started_again_it_begins_anew(void **state)
{
    (void)state;
    takeoff(10.0f);
    waypoint(100, 10.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    fx_reach(9 * S);
    assert_true(v->mission.finished);
    assert_int_equal(mission_mode(), MAV_RESULT_ACCEPTED);
    assert_true(v->mission.finished && v->commander.mode == MF_MODE_HOLD);
    mf_mission_disarmed(&v->mission);
    assert_int_equal(mission_mode(), MAV_RESULT_ACCEPTED);
    assert_false(v->mission.finished);
    assert_int_equal(v->mission.current, 1); /* the takeoff is done at once: it is high enough */
    fx_reach(12 * S);
    assert_reached((const uint16_t[]){0, 1, 0, 1}, 4);
}

/* ---- items ---- */

static void test_hold_time_of_a_waypoint(void **state)
{
    (void)state;
    takeoff(10.0f);
    waypoint(100, 10.0f)->param[0] = mf_f32_bits(2.5f);
    waypoint(200, 10.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    fx_reach(6 * S);
    assert_int_equal(v->navigator.phase, MF_NAV_WAIT);
    assert_reached((const uint16_t[]){0}, 1);
    assert_int_equal(fx_step_at(8 * S).essential_us, 8 * S + 500000);
    (void)fx_step_at(8 * S + 500000);
    assert_reached((const uint16_t[]){1}, 1);
    assert_north(200, 498.0);
}

static void test_loiter_time_and_unlimited(void **state)
{
    (void)state;
    takeoff(10.0f);
    add(MAV_CMD_NAV_LOITER_TIME, 6, LAT_E7, LON_E7, 12.0f)->param[0] = mf_f32_bits(3.0f);
    add(MAV_CMD_NAV_LOITER_UNLIM, 6, LAT_E7 + 50, LON_E7, 12.0f);
    waypoint(100, 10.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    fx_reach(6 * S);
    (void)fx_step_at(9 * S);
    assert_reached((const uint16_t[]){0, 1}, 2);
    assert_north(50, 500.0);
    fx_reach(10 * S);
    assert_true(fx_step_at(3600 * (mf_us_t)S).essential_us == MF_NEVER);
    assert_reached(NULL, 0);
    assert_int_equal(v->commander.mode, MF_MODE_MISSION);
    assert_int_equal(mf_mission_set_current(v, 3, fx.mock.now.vehicle_us), MF_E_OK);
    (void)mf_vehicle_step(v);
    assert_north(100, 498.0);
}

static void test_delay_on_the_ground_and_in_the_air(void **state)
{
    (void)state;
    action(MAV_CMD_NAV_DELAY, 3.0f, -1.0f);
    takeoff(10.0f);
    action(MAV_CMD_NAV_DELAY, 1.5f, -1.0f);
    action(MAV_CMD_NAV_DELAY, NAN, -1.0f); /* at once */
    waypoint(100, 10.0f);
    struct mf_vehicle *v = run();
    assert_int_equal(v->commander.landed, MF_LANDED_ON_GROUND);
    (void)fx_step_at(3 * S - 1);
    assert_reached(NULL, 0);
    (void)fx_step_at(3 * S);
    assert_north(0, 498.0);
    fx_reach(5 * S);
    (void)fx_step_at(6 * S + 500000);
    assert_reached((const uint16_t[]){0, 1, 2, 3}, 4);
    assert_north(100, 498.0);
}

static void test_yaw_of_items(void **state)
{
    (void)state;
    takeoff(10.0f);
    waypoint(1000, 10.0f)->param[3] = mf_f32_bits(90.0f);
    waypoint(0, 10.0f);
    waypoint(1000, 10.0f)->param[3] = mf_f32_bits(3e38f); /* no angle: towards the waypoint */
    (void)run();
    fx_reach(5 * S);
    assert_close((double)fx_leg()->yaw_rad, 1.5707963, 1e-6);
    fx_reach(6 * S);
    assert_close(fabs((double)fx_leg()->yaw_rad), 3.1415927, 1e-4);
    fx_reach(7 * S);
    assert_close((double)fx_leg()->yaw_rad, 0.0, 1e-4);
}

static void test_altitudes_by_frame(void **state)
{
    (void)state;
    takeoff(10.0f);
    add(MAV_CMD_NAV_WAYPOINT, 5, LAT_E7 + 1, LON_E7, 600.0f); /* AMSL */
    add(MAV_CMD_NAV_WAYPOINT, 0, LAT_E7 + 2, LON_E7, 601.0f);
    add(MAV_CMD_NAV_WAYPOINT, 3, LAT_E7 + 3, LON_E7, 40.0f);
    (void)run();
    fx_reach(5 * S);
    assert_north(1, 600.0);
    fx_reach(6 * S);
    assert_north(2, 601.0);
    fx_reach(7 * S);
    assert_north(3, 528.0);
}

static void test_speeds_that_are_none_mean_the_default(void **state)
{
    (void)state;
    takeoff(10.0f);
    change_speed(3.0f);
    waypoint(100, 10.0f);
    change_speed(-1.0f);
    waypoint(200, 10.0f);
    change_speed(1e9f);
    waypoint(300, 10.0f);
    (void)run();
    fx_reach(5 * S);
    assert_true(fx_leg()->speed_h_mps == 3.0f);
    fx_reach(6 * S);
    assert_true(fx_leg()->speed_h_mps == 10.0f);
    fx_reach(7 * S);
    assert_true(fx_leg()->speed_h_mps == 10.0f);
}

static void test_speed_of_a_mission_stays_in_it(void **state)
{
    (void)state;
    takeoff(10.0f);
    change_speed(3.0f);
    waypoint(1000, 10.0f);
    waypoint(2000, 10.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    assert_true(fx_leg()->speed_h_mps == 3.0f);
    (void)fx_reposition(NAN, NAN, 47.4, 8.55, NAN);
    assert_true(fx_leg()->speed_h_mps == 10.0f);
    assert_int_equal(mission_mode(), MAV_RESULT_ACCEPTED); /* resumed at the waypoint */
    assert_int_equal(v->mission.current, 2);
    assert_true(fx_leg()->speed_h_mps == 3.0f);
}

static void test_item_without_autocontinue_is_where_it_stays(void **state)
{
    (void)state;
    takeoff(10.0f);
    waypoint(100, 10.0f)->autocontinue = 0;
    waypoint(200, 10.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    fx_reach(6 * S);
    assert_reached((const uint16_t[]){0, 1}, 2);
    assert_true(fx_step_at(600 * (mf_us_t)S).essential_us == MF_NEVER);
    assert_int_equal(v->mission.current, 1);
    assert_int_equal(v->commander.mode, MF_MODE_MISSION);
}

static void test_jump_twice_and_again_in_the_next_run(void **state)
{
    (void)state;
    takeoff(10.0f);
    waypoint(100, 10.0f);
    jump(1.0f, 2.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    for (int i = 0; i < 3; i++) {
        assert_north(100, 498.0);
        assert_false(v->mission.finished);
        fx_reach((6 + i) * S);
    }
    assert_true(v->mission.finished);
    assert_reached((const uint16_t[]){0, 1, 1, 1}, 4);
    assert_int_equal(v->mission.current, 1); /* a jump is never current */
}

/* A client may choose the jump itself: the mission goes on with the item where it leads. */
static void test_a_jump_that_is_chosen(void **state)
{
    (void)state;
    takeoff(10.0f);
    waypoint(100, 10.0f);
    jump(1.0f, 1.0f)->autocontinue = 0;
    waypoint(200, 10.0f);
    struct mf_vehicle *v = run();
    assert_int_equal(mf_mission_set_current(v, 2, 0), MF_E_OK);
    (void)fx_step_at(0);
    assert_int_equal(v->mission.current, 1);
    fx_reach(5 * S);
    fx_reach(6 * S);
    fx_reach(7 * S);
    assert_int_equal(v->mission.current, 3);
    assert_north(200, 498.0);
}

static void test_a_jump_beyond_the_end_ends_the_mission(void **state)
{
    (void)state;
    takeoff(10.0f);
    jump(9.0f, 1.0f);
    waypoint(100, 10.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    assert_true(v->mission.finished);
    assert_true(fx_said("Mission finished, loitering"));
    assert_int_equal(v->mission.current, 0);
}

static void test_jumps_that_lead_nowhere(void **state)
{
    static const float k_times[] = {0.0f, NAN};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        (void)boot(NULL);
        takeoff(10.0f);
        waypoint(100, 10.0f);
        jump(1.0f, k_times[i]);
        struct mf_vehicle *v = run();
        fx_reach(5 * S);
        fx_reach(6 * S);
        assert_true(v->mission.finished);
    }
}

static void test_more_jumps_than_can_be_counted_are_ignored_with_a_text(void **state)
{
    (void)state;
    takeoff(10.0f);
    waypoint(100, 10.0f);
    for (int i = 0; i < 17; i++) {
        jump((float)(i + 3), 1.0f); /* each to the next item: counted, and left by a jump */
    }
    waypoint(200, 10.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    fx_reach(6 * S);
    assert_true(fx_named("Mission DO_JUMP"));
    assert_int_equal(v->mission.current, 19);
    assert_north(200, 498.0);
}

/* COM_TAKEOFF_ACT 1: the mission that is there begins where the take-off ends. */
static void test_a_takeoff_goes_on_to_the_mission(void **state)
{
    (void)state;
    takeoff(10.0f);
    waypoint(200, 10.0f);
    store(0);
    fx_set_i("COM_TAKEOFF_ACT", 1);
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM), MAV_RESULT_ACCEPTED);
    assert_int_equal(fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT(498.0f)), MAV_RESULT_ACCEPTED);
    fx_reach(4 * S);
    assert_int_equal(fx.v.commander.mode, MF_MODE_MISSION);
}

static void test_circle_of_jumps_yields_for_a_second(void **state)
{
    (void)state;
    takeoff(10.0f);
    change_speed(2.0f);
    jump(1.0f, -1.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    /* 0, and 1 once before the first jump and once after it */
    assert_int_equal(fx_count(MF_MSG_MISSION_ITEM_REACHED), 3);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(fx_step_at((5 + i) * S).essential_us, (6 + i) * S);
        assert_int_equal(fx_count(MF_MSG_MISSION_ITEM_REACHED), 3 + i);
    }
    assert_int_equal(fx_command(MAV_CMD_NAV_LOITER_UNLIM, NANS), MAV_RESULT_ACCEPTED);
    assert_int_equal(v->commander.mode, MF_MODE_HOLD);
}

static void test_sim028_return_as_the_last_item_completes_the_mission(void **state)
{
    (void)state;
    takeoff(10.0f);
    action(MAV_CMD_NAV_RETURN_TO_LAUNCH, NAN, NAN);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    assert_reached((const uint16_t[]){0, 1}, 2);
    assert_true(v->mission.finished);
    assert_int_equal(v->commander.mode, MF_MODE_RTL);
}

static void test_sim028_return_in_the_middle_leaves_the_rest(void **state)
{
    (void)state;
    takeoff(10.0f);
    action(MAV_CMD_NAV_RETURN_TO_LAUNCH, NAN, NAN);
    waypoint(100, 10.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    assert_int_equal(v->commander.mode, MF_MODE_RTL);
    assert_false(v->mission.finished);
    assert_int_equal(mf_mission_state(v), MISSION_STATE_PAUSED);
}

/* ---- the ground ---- */

static void test_climbs_before_the_first_waypoint(void **state)
{
    (void)state;
    change_speed(5.0f);
    waypoint(1000, 50.0f);
    struct mf_vehicle *v = run();
    assert_true(fx_said("Climb to 50.0 meters above home"));
    assert_north(0, 538.0);
    assert_int_equal(v->commander.landed, MF_LANDED_TAKEOFF);
    fx_reach(2 * S);
    assert_north(1000, 538.0);
    assert_true(fx_leg()->speed_h_mps == 5.0f);
    fx_reach(20 * S);
    assert_reached((const uint16_t[]){0, 1}, 2);
}

static void test_landing_in_the_middle_and_on_again(void **state)
{
    (void)state;
    takeoff(10.0f);
    land(0);
    action(MAV_CMD_NAV_DELAY, 5.0f, -1.0f);
    land(500); /* it is on the ground: done, not slid to */
    waypoint(1000, 10.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    assert_true(fx_leg()->land);
    fx_reach(8 * S);
    assert_int_equal(v->commander.landed, MF_LANDED_ON_GROUND);
    assert_int_equal(v->mission.current, 2);
    (void)fx_step_at(13 * S); /* 5 s on the ground: not disarmed, the mission goes on */
    assert_true(v->commander.armed);
    assert_int_equal(v->mission.current, 4);
    assert_north(0, 498.0); /* straight up first */
    fx_reach(15 * S);
    assert_north(1000, 498.0);
}

static void test_disarms_after_a_mission_whose_last_item_follows_the_landing(void **state)
{
    (void)state;
    takeoff(10.0f);
    land(0);
    action(MAV_CMD_DO_SET_CAM_TRIGG_DIST, 0.0f, 0.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    fx_reach(8 * S);
    assert_true(v->mission.finished);
    assert_true(v->commander.armed);
    (void)fx_step_at(10 * S);
    assert_false(v->commander.armed);
}

static void test_disarms_when_the_mission_is_left_on_the_ground(void **state)
{
    (void)state;
    takeoff(10.0f);
    land(0);
    action(MAV_CMD_NAV_DELAY, 100.0f, -1.0f);
    waypoint(100, 10.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    fx_reach(8 * S);
    (void)fx_step_at(20 * S);
    assert_true(v->commander.armed);
    (void)fx_command(MAV_CMD_DO_SET_MODE, MODE(4, 3));
    (void)fx_step_at(22 * S);
    assert_false(v->commander.armed);
}

/* ---- changes in flight ---- */

static void test_pause_and_resume(void **state)
{
    (void)state;
    takeoff(10.0f);
    waypoint(1000, 10.0f);
    waypoint(2000, 10.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(4, 3)), MAV_RESULT_ACCEPTED);
    assert_int_equal(fx_last_plan()->n, 0);
    assert_int_equal(mf_mission_state(v), MISSION_STATE_PAUSED);
    assert_int_equal(mission_mode(), MAV_RESULT_ACCEPTED);
    assert_int_equal(v->mission.current, 1);
    assert_north(1000, 498.0);
}

/* While descending in Land: an item that waits does not let the descent go on. */
static void test_resumed_at_an_item_that_waits_it_stays_in_the_air(void **state)
{
    (void)state;
    takeoff(10.0f);
    action(MAV_CMD_NAV_DELAY, 30.0f, -1.0f);
    waypoint(1000, 10.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    (void)fx_command(MAV_CMD_NAV_LAND, NANS);
    assert_true(fx_leg()->land);
    assert_int_equal(mission_mode(), MAV_RESULT_ACCEPTED);
    assert_int_equal(fx_last_plan()->n, 0);
    assert_int_equal(v->navigator.phase, MF_NAV_WAIT);
    assert_int_equal(v->commander.landed, MF_LANDED_IN_AIR);
}

static void test_sim031_item_chosen_in_flight(void **state)
{
    (void)state;
    struct mf_msg_mission_current m = {0};
    const struct mf_msg_mission_set_current set = {
        .seq = 3, .target_system = 1, .target_component = 1};
    takeoff(10.0f);
    waypoint(1000, 10.0f);
    waypoint(2000, 10.0f);
    waypoint(3000, 10.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    mf_mock_clear(&fx.mock, 0);
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_MISSION_SET_CURRENT, &set);
    (void)mf_vehicle_step(v);
    assert_north(3000, 498.0);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_MISSION_CURRENT, &m));
    assert_int_equal(m.seq, 3);
}

static void test_mission_replaced_in_flight(void **state)
{
    (void)state;
    takeoff(10.0f);
    change_speed(3.0f);
    waypoint(1000, 10.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    waypoint(-1000, 20.0f);
    waypoint(-2000, 20.0f);
    store(1);
    (void)mf_vehicle_step(v);
    assert_north(-2000, 508.0);
    assert_true(fx_leg()->speed_h_mps == 10.0f); /* not that of the other mission */
    assert_int_equal(v->commander.mode, MF_MODE_MISSION);
}

static void test_mission_cleared_in_flight_stops_and_holds(void **state)
{
    (void)state;
    takeoff(10.0f);
    waypoint(1000, 10.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    mf_mock_clear(&fx.mock, 0);
    store(0);
    (void)mf_vehicle_step(v);
    assert_int_equal(fx_last_plan()->n, 0);
    assert_int_equal(v->commander.mode, MF_MODE_HOLD);
    assert_false(fx_said("Executing Mission"));
    assert_false(v->mission.finished);
    assert_int_equal(mf_mission_state(v), MISSION_STATE_NO_MISSION);
}

static void test_mission_replaced_by_one_that_cannot_be_flown_holds(void **state)
{
    (void)state;
    takeoff(10.0f);
    waypoint(1000, 10.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    waypoint(1000000000, 10.0f); /* no latitude */
    store(0);
    (void)mf_vehicle_step(v);
    assert_int_equal(fx_last_plan()->n, 0);
    assert_int_equal(v->commander.mode, MF_MODE_HOLD);
    assert_false(v->mission.finished);
}

static void test_mission_that_cannot_be_read_holds(void **state)
{
    (void)state;
    takeoff(10.0f);
    waypoint(1000, 10.0f);
    struct mf_vehicle *v = run();
    fx.mock.store.get_result = MF_E_IO;
    fx_reach(5 * S);
    assert_int_equal(v->commander.mode, MF_MODE_HOLD);
    assert_int_equal(v->commander.landed, MF_LANDED_IN_AIR);
}

/* An airframe that refuses a target ends the mission: it holds, and says so. */
static void test_sim031_a_refused_target_ends_the_mission(void **state)
{
    (void)state;
    takeoff(10.0f);
    waypoint(1000, 10.0f);
    struct mf_vehicle *v = run();
    fx.mock.airframe.plan_result = MF_E_RANGE;
    fx_reach(5 * S);
    fx.mock.airframe.plan_result = MF_E_OK;
    (void)fx_step_at(6 * S);
    assert_int_equal(v->commander.mode, MF_MODE_HOLD);
    assert_true(fx_named("Navigation target range"));
}

static void test_sim046_position_lost_in_the_middle_and_resumed(void **state)
{
    (void)state;
    takeoff(10.0f);
    waypoint(1000, 10.0f);
    struct mf_vehicle *v = run();
    fx_reach(5 * S);
    fx_gps(false);
    assert_int_equal(v->commander.mode, MF_MODE_DESCEND);
    assert_true(fx_leg()->land);
    assert_int_equal(mission_mode(), MAV_RESULT_TEMPORARILY_REJECTED);
    fx_gps(true);
    assert_int_equal(mission_mode(), MAV_RESULT_ACCEPTED);
    assert_north(1000, 498.0);
    assert_false(v->commander.failsafe);
}

/* ---- starting ---- */

static void test_mode_first_arm_after(void **state)
{
    (void)state;
    struct mf_vehicle *v = &fx.v;
    takeoff(10.0f);
    store(0);
    assert_int_equal(mission_mode(), MAV_RESULT_ACCEPTED);
    assert_int_equal(fx.mock.airframe.plan_count, 0);
    (void)fx_step_at(5 * S);
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM), MAV_RESULT_ACCEPTED);
    assert_int_equal(v->commander.mode, MF_MODE_MISSION);
    assert_int_equal(fx_last_plan()->t_us, 5 * S);
    assert_north(0, 498.0);
}

static void test_armed_in_the_mode_without_a_mission_it_holds(void **state)
{
    (void)state;
    assert_int_equal(mission_mode(), MAV_RESULT_ACCEPTED); /* disarmed: any mode */
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM), MAV_RESULT_ACCEPTED);
    assert_int_equal(fx.v.commander.mode, MF_MODE_HOLD);
    assert_int_equal(fx.mock.airframe.plan_count, 0);
    (void)fx_step_at(11 * S);
    assert_false(fx.v.commander.armed);
}

static void test_start_at_an_item(void **state)
{
    (void)state;
    struct mf_vehicle *v = &fx.v;
    takeoff(30.0f);
    change_speed(6.0f);
    waypoint(1000, 10.0f);
    waypoint(2000, 10.0f);
    store(0);
    assert_int_equal(fx_command(MAV_CMD_MISSION_START, (const float[7]){3.0f}), 0);
    assert_int_equal(v->mission.current, 3);
    assert_north(0, 498.0);
    fx_reach(2 * S);
    assert_north(2000, 498.0);
    assert_true(fx_leg()->speed_h_mps == 6.0f); /* that of the items before */
    assert_int_equal(fx_command(MAV_CMD_MISSION_START, NO_PARAMS), 0); /* from the first */
    assert_int_equal(v->mission.current, 0);
}

/* The plan of the leg flown now: where it goes on to, or that it stops; and how near counts. */
static void assert_onward(int32_t north_e7, float radius_m)
{
    assert_int_equal(fx_last_plan()->n, 2);
    assert_true(fx_last_plan()->leg[0].radius_m == radius_m);
    assert_true(fx_last_plan()->leg[1].lat_deg == (double)(LAT_E7 + north_e7) / 1e7);
}

static void assert_stops(float radius_m)
{
    assert_int_equal(fx_last_plan()->n, 1);
    assert_true(fx_leg()->radius_m == radius_m);
}

static void test_sim036_corners_lead_on_and_stops_do_not(void **state)
{
    (void)state;
    (void)fx_boot((struct mf_options){.px4_motion = true});
    (void)takeoff(10.0f);
    (void)waypoint(1000, 10.0f);
    (void)change_speed(4.0f);
    waypoint(2000, 10.0f)->param[1] = mf_f32_bits(7.5f);
    (void)jump(6.0f, 1.0f);
    waypoint(3000, 10.0f)->param[0] = mf_f32_bits(1.0f); /* jumped over, then flown with a hold */
    (void)waypoint(4000, 10.0f);
    (void)action(MAV_CMD_NAV_DELAY, 3.0f, 0.0f);
    (void)waypoint(5000, 10.0f);
    (void)land(6000);
    (void)run();
    assert_stops(2.0f); /* the climb */
    pass_by(1 * S);
    assert_onward(2000, 2.0f); /* NAV_ACC_RAD; past the change of speed */
    fx_set_f("MPC_XY_CRUISE", 6.0f);
    assert_onward(2000, 2.0f); /* planned anew */
    assert_true(fx_last_plan()->leg[0].speed_h_mps == 6.0f);
    pass_by(2 * S);
    assert_onward(4000, 7.5f);                      /* where the jump leads */
    assert_int_equal(fx.v.mission.jump[0].done, 0); /* looking ahead counts nothing */
    pass_by(3 * S);
    assert_north(4000, GROUND_M + 10.0);
    assert_stops(2.0f); /* before a delay */
    pass_by(4 * S);
    (void)fx_step_at(7 * S);
    assert_north(5000, GROUND_M + 10.0);
    assert_stops(2.0f); /* before a landing */
}

static void test_sim037_constant_speed_stops_everywhere(void **state)
{
    (void)state;
    (void)takeoff(10.0f);
    (void)waypoint(1000, 10.0f);
    (void)waypoint(2000, 10.0f);
    waypoint(3000, 10.0f)->param[0] = mf_f32_bits(1.0f);
    waypoint(4000, 10.0f)->param[3] = mf_f32_bits(170.0f);
    waypoint(5000, 10.0f)->param[3] = mf_f32_bits(20.0f);
    (void)waypoint(6000, 10.0f);
    (void)run();
    fx_reach(1 * S);
    assert_onward(2000, 0.0f); /* at the place itself, and on */
    fx_reach(2 * S);
    assert_onward(3000, 0.0f);
    fx_reach(3 * S);
    assert_stops(0.0f); /* a hold */
    fx_reach(4 * S);
    (void)fx_step_at(5 * S);
    assert_north(4000, GROUND_M + 10.0);
    assert_stops(0.0f); /* 11 m are flown in 1.1 s, 158 deg take 2.6 s */
}

static void test_stops_of_px4_motion(void **state)
{
    (void)state;
    (void)fx_boot((struct mf_options){.px4_motion = true});
    (void)takeoff(10.0f);
    waypoint(1000, 10.0f)->autocontinue = 0;
    waypoint(2000, 10.0f)->param[0] = mf_f32_bits(0.5f);
    waypoint(3000, 10.0f)->command = MAV_CMD_NAV_LOITER_TO_ALT;
    (void)waypoint(4000, 10.0f); /* the last one */
    (void)run();
    for (uint16_t seq = 1; seq < 5; seq++) {
        assert_int_equal(mf_mission_set_current(&fx.v, seq, fx.mock.now.vehicle_us), MF_E_OK);
        pass_by((10 * seq) * S); /* up first, the first time */
        assert_int_equal(fx.v.mission.current, seq);
        assert_stops(seq == 3 ? 82.0f : 2.0f); /* on the circle of NAV_LOITER_RAD */
    }
}

int main(void)
{
#define T(name) cmocka_unit_test_setup(name, boot)
    const struct CMUnitTest tests[] = {
        T(test_sim023_sim031_items_in_order),
        T(test_a_start_is_told_at_once),
        T(test_sim031_ends_in_the_air_loitering),
        T(test_started_again_it_begins_anew),
        T(test_hold_time_of_a_waypoint),
        T(test_loiter_time_and_unlimited),
        T(test_delay_on_the_ground_and_in_the_air),
        T(test_yaw_of_items),
        T(test_altitudes_by_frame),
        T(test_speeds_that_are_none_mean_the_default),
        T(test_speed_of_a_mission_stays_in_it),
        T(test_item_without_autocontinue_is_where_it_stays),
        T(test_jump_twice_and_again_in_the_next_run),
        T(test_a_jump_that_is_chosen),
        T(test_a_jump_beyond_the_end_ends_the_mission),
        T(test_jumps_that_lead_nowhere),
        T(test_more_jumps_than_can_be_counted_are_ignored_with_a_text),
        T(test_a_takeoff_goes_on_to_the_mission),
        T(test_circle_of_jumps_yields_for_a_second),
        T(test_sim028_return_as_the_last_item_completes_the_mission),
        T(test_sim028_return_in_the_middle_leaves_the_rest),
        T(test_climbs_before_the_first_waypoint),
        T(test_landing_in_the_middle_and_on_again),
        T(test_disarms_after_a_mission_whose_last_item_follows_the_landing),
        T(test_disarms_when_the_mission_is_left_on_the_ground),
        T(test_pause_and_resume),
        T(test_resumed_at_an_item_that_waits_it_stays_in_the_air),
        T(test_sim031_item_chosen_in_flight),
        T(test_mission_replaced_in_flight),
        T(test_mission_cleared_in_flight_stops_and_holds),
        T(test_mission_replaced_by_one_that_cannot_be_flown_holds),
        T(test_mission_that_cannot_be_read_holds),
        T(test_sim031_a_refused_target_ends_the_mission),
        T(test_sim046_position_lost_in_the_middle_and_resumed),
        T(test_mode_first_arm_after),
        T(test_armed_in_the_mode_without_a_mission_it_holds),
        T(test_start_at_an_item),
        cmocka_unit_test_setup(test_sim036_corners_lead_on_and_stops_do_not, boot),
        cmocka_unit_test_setup(test_sim037_constant_speed_stops_everywhere, boot),
        cmocka_unit_test_setup(test_stops_of_px4_motion, boot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
