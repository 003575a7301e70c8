/* SPDX-License-Identifier: Apache-2.0 */
/* What the vehicle does by itself: causes, actions, the first hold, users who take over. */
#include "tests/unit/firmware/flight_fixture.h"

static const struct mf_options k_default;

static struct mf_vehicle *v;

static int airborne(void **state)
{
    (void)state;
    v = fx_airborne(k_default, 20.0);
    mf_mock_clear(&fx.mock, 0);
    return 0;
}

static void set_charge(float remaining)
{
    fx.mock.power.battery.remaining = remaining;
    mf_wake_at(v, MF_TASK_HEALTH, fx.mock.now.vehicle_us);
    (void)mf_vehicle_step(v);
}

static void assert_mode(enum mf_mode mode, bool failsafe)
{
    assert_int_equal(v->commander.mode, mode);
    assert_int_equal(v->commander.failsafe, failsafe);
}

static void feed_velocity(float north_mps)
{
    const struct mf_msg_set_position_target_local_ned m = {.vx = north_mps,
                                                           .type_mask = 0x0DC7, /* velocity */
                                                           .target_system = 1,
                                                           .target_component = 1,
                                                           .coordinate_frame = MAV_FRAME_LOCAL_NED};
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m);
    (void)mf_vehicle_step(v);
}

static void feed_attitude(void)
{
    const struct mf_msg_set_attitude_target m = {.target_system = 1,
                                                 .target_component = 1,
                                                 .type_mask = 7, /* no rates */
                                                 .q = {1.0f, 0.0f, 0.0f, 0.0f},
                                                 .thrust = 0.5f};
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_SET_ATTITUDE_TARGET, &m);
    (void)mf_vehicle_step(v);
}

/* px4-compat: low warns, critical returns after five seconds of Hold, an emergency lands. */
static void test_sim046_battery_runs_low(void **state)
{
    (void)state;
    set_charge(0.14f);
    assert_true(fx_said("Low battery"));
    assert_mode(MF_MODE_HOLD, false);
    set_charge(0.06f);
    assert_true(fx_said("Critical battery"));
    assert_true(fx_said("Failsafe activated: entering Hold for 5 seconds"));
    assert_mode(MF_MODE_HOLD, true);
    (void)fx_step_at(6 * S - 1);
    assert_mode(MF_MODE_HOLD, true);
    (void)fx_step_at(6 * S);
    assert_true(fx_said("Failsafe activated"));
    assert_mode(MF_MODE_RTL, true);
    set_charge(0.04f);
    assert_true(fx_said("Emergency battery level"));
    assert_mode(MF_MODE_LAND, true);
    set_charge(1.0f); /* a charge does not come back in flight, nor does the mode */
    assert_mode(MF_MODE_LAND, true);
}

static void test_sim046_sim047_battery_in_messages(void **state)
{
    static const struct {
        float remaining;
        uint8_t state;
        bool healthy;
    } k_case[] = {{0.16f, 1, true}, {0.14f, 2, false}, {0.06f, 3, false}, {0.04f, 4, false}};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        fx.mock.power.battery.remaining = k_case[i].remaining;
        const uint32_t bit = MAV_SYS_STATUS_SENSOR_BATTERY;
        const struct mf_health h = mf_health_at(v, fx.mock.now.vehicle_us);
        assert_int_equal(mf_health_charge(&v->params, &fx.mock.power.battery), k_case[i].state);
        assert_int_equal((h.healthy & bit) != 0, k_case[i].healthy);
        assert_true((h.present & bit) != 0);
    }
}

static void test_battery_by_parameter(void **state)
{
    static const struct {
        int32_t act;
        float remaining;
        enum mf_mode mode;
    } k_case[] = {{0, 0.01f, MF_MODE_HOLD},
                  {2, 0.06f, MF_MODE_LAND},
                  {2, 0.04f, MF_MODE_LAND},
                  {3, 0.06f, MF_MODE_RTL},
                  {3, 0.04f, MF_MODE_LAND}};
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        (void)airborne(state);
        fx_set_i("COM_LOW_BAT_ACT", k_case[i].act);
        set_charge(k_case[i].remaining);
        (void)fx_step_at(6 * S);
        assert_int_equal(v->commander.mode, k_case[i].mode);
        assert_int_equal(v->commander.failsafe, k_case[i].act != 0);
    }
}

static void test_sim044_battery_denies_arming(void **state)
{
    static const struct {
        float least, remaining;
        bool arms;
    } k_case[] = {{-1.0f, 0.14f, true},
                  {-1.0f, 0.06f, false},
                  {-1.0f, 0.04f, false},
                  {0.5f, 0.49f, false},
                  {0.5f, 0.51f, true}};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        v = fx_boot(k_default);
        assert_int_equal(mf_param_override(v, "COM_ARM_BAT_MIN", (double)k_case[i].least), MF_E_OK);
        set_charge(k_case[i].remaining);
        const uint8_t result = fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM);
        assert_int_equal(result == MAV_RESULT_ACCEPTED, k_case[i].arms);
    }
}

/* The battery says when it will be low: nobody asks it before. */
static void test_battery_foretells(void **state)
{
    (void)state;
    fx.mock.power.next_us = 40 * S;
    mf_wake_at(v, MF_TASK_HEALTH, 1 * S);
    const struct mf_wake wake = fx_step_at(2 * S);
    assert_int_equal(wake.essential_us, 40 * S);
    fx.mock.power.battery.remaining = 0.149f;
    (void)fx_step_at(40 * S);
    assert_true(fx_said("Low battery"));
}

static void test_link_loss_by_parameter(void **state)
{
    static const struct {
        int32_t act;
        enum mf_mode mode;
        bool armed, failsafe;
    } k_case[] = {{0, MF_MODE_HOLD, true, false},       {1, MF_MODE_HOLD, true, false},
                  {2, MF_MODE_RTL, true, true},         {3, MF_MODE_LAND, true, true},
                  {5, MF_MODE_TERMINATION, true, true}, {6, MF_MODE_HOLD, false, false}};
    for (int cause = MF_CAUSE_MANUAL_LOST; cause <= MF_CAUSE_GCS_LOST; cause++) {
        const char *name = cause == MF_CAUSE_GCS_LOST ? "NAV_DLL_ACT" : "NAV_RCL_ACT";
        for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
            (void)airborne(state);
            fx_set_i(name, k_case[i].act);
            mf_failsafe_set(v, 1 * S, (enum mf_cause)cause, true);
            (void)fx_step_at(6 * S);
            assert_int_equal(v->commander.mode, k_case[i].mode);
            assert_int_equal(v->commander.armed, k_case[i].armed);
            assert_int_equal(v->commander.failsafe, k_case[i].failsafe);
        }
    }
}

/* COM_DLL_EXCEPT bit 1 is Hold, bit 2 Offboard; the mode that comes after may be none. */
static void test_sim046_modes_that_may_lose_the_ground_station(void **state)
{
    (void)state;
    fx_set_i("NAV_DLL_ACT", 2);
    fx_set_i("COM_DLL_EXCEPT", 2);
    mf_failsafe_set(v, 1 * S, MF_CAUSE_GCS_LOST, true);
    (void)fx_step_at(7 * S);
    assert_mode(MF_MODE_HOLD, false);

    (void)airborne(state);
    fx_set_i("NAV_DLL_ACT", 2);
    fx_set_i("COM_DLL_EXCEPT", 5);
    mf_failsafe_set(v, 1 * S, MF_CAUSE_GCS_LOST, true);
    (void)fx_step_at(7 * S);
    assert_mode(MF_MODE_RTL, true);

    (void)airborne(state);
    fx_set_i("NAV_DLL_ACT", 2);
    fx_set_i("COM_DLL_EXCEPT", 4);
    feed_velocity(1.0f);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(6, 0)), MAV_RESULT_ACCEPTED);
    mf_failsafe_set(v, 1 * S, MF_CAUSE_GCS_LOST, true);
    assert_mode(MF_MODE_OFFBOARD, false);

    (void)airborne(state);
    fx_set_i("NAV_DLL_ACT", 2);
    fx_set_i("COM_DLL_EXCEPT", 3);
    feed_velocity(1.0f);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(6, 0)), MAV_RESULT_ACCEPTED);
    assert_false(mf_failsafe_excepts(&v->failsafe, &v->params, MF_CAUSE_GCS_LOST));
    fx_set_i("COM_DLL_EXCEPT", 4);
    assert_true(mf_failsafe_excepts(&v->failsafe, &v->params, MF_CAUSE_GCS_LOST));
}

static void test_setpoints_are_taken_by_parameter(void **state)
{
    (void)state;
    fx_set_i("MAV_FWDEXTSP", 0);
    feed_velocity(1.0f);
    feed_attitude();
    assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(6, 0)), MAV_RESULT_TEMPORARILY_REJECTED);
    assert_false(v->inputs.setpoint.live);
    fx_set_i("MAV_FWDEXTSP", 1);
    feed_velocity(1.0f);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(6, 0)), MAV_RESULT_ACCEPTED);
}

/* A mission may, the Hold after it may not. */
static void test_sim046_an_exception_ends_with_its_mode(void **state)
{
    (void)state;
    fx_set_i("NAV_DLL_ACT", 2);
    fx_set_i("COM_DLL_EXCEPT", 1);
    v->commander.mode = MF_MODE_MISSION;
    mf_failsafe_set(v, 1 * S, MF_CAUSE_GCS_LOST, true);
    assert_mode(MF_MODE_MISSION, false);
    mf_commander_post(v, 2 * S, MF_EV_MISSION_DONE);
    (void)fx_step_at(2 * S);
    assert_mode(MF_MODE_HOLD, true);
    (void)fx_step_at(7 * S);
    assert_mode(MF_MODE_RTL, true);
}

static void test_what_is_well_again_in_time_changes_nothing(void **state)
{
    (void)state;
    fx_set_i("NAV_DLL_ACT", 2);
    assert_int_equal(fx_reposition(5.0f, NAN, HERE_LAT + 0.001, HERE_LON, 520.0f),
                     MAV_RESULT_ACCEPTED);
    mf_failsafe_set(v, 2 * S, MF_CAUSE_GCS_LOST, true);
    assert_mode(MF_MODE_HOLD, true);
    mf_failsafe_set(v, 4 * S, MF_CAUSE_GCS_LOST, false);
    assert_mode(MF_MODE_HOLD, false);
    (void)fx_step_at(20 * S);
    assert_mode(MF_MODE_HOLD, false);
}

/* PX4 since 1.16: what a lost link has led to goes on when it is back, a Hold too, until a user
 * chooses, be it the same mode. Hold because of setpoints ends with its cause. */
static void test_sim046_a_link_that_is_back_changes_nothing(void **state)
{
    static const struct {
        enum mf_cause cause;
        const char *name;
        int32_t act;
        enum mf_mode during, after;
    } k_case[] = {{MF_CAUSE_GCS_LOST, "NAV_DLL_ACT", 2, MF_MODE_RTL, MF_MODE_RTL},
                  {MF_CAUSE_GCS_LOST, "NAV_DLL_ACT", 1, MF_MODE_HOLD, MF_MODE_HOLD},
                  {MF_CAUSE_MANUAL_LOST, "NAV_RCL_ACT", 1, MF_MODE_HOLD, MF_MODE_HOLD},
                  {MF_CAUSE_OFFBOARD_LOST, "COM_OBL_RC_ACT", 5, MF_MODE_HOLD, MF_MODE_TAKEOFF}};
    for (int hold_s = 0; hold_s <= 5; hold_s += 5) {
        for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
            (void)airborne(state);
            fx_set_i(k_case[i].name, k_case[i].act);
            fx_set_f("COM_FAIL_ACT_T", (float)hold_s);
            assert_int_equal(fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT(600.0f)), MAV_RESULT_ACCEPTED);
            mf_failsafe_set(v, 1 * S, k_case[i].cause, true);
            (void)fx_step_at(6 * S);
            assert_mode(k_case[i].during, true);
            mf_failsafe_set(v, 7 * S, k_case[i].cause, false);
            assert_mode(k_case[i].after, k_case[i].after == k_case[i].during);
            if (k_case[i].after == MF_MODE_HOLD) {
                assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(4, 3)), MAV_RESULT_ACCEPTED);
                assert_mode(MF_MODE_HOLD, false);
            }
        }
    }
}

/* They do not wait for COM_FAIL_ACT_T. */
static void test_sim046_what_stops_the_motors_does_so_at_once(void **state)
{
    static const struct {
        enum mf_cause cause;
        const char *name;
        int32_t terminate, disarm;
    } k_case[] = {{MF_CAUSE_GCS_LOST, "NAV_DLL_ACT", 5, 6},
                  {MF_CAUSE_MANUAL_LOST, "NAV_RCL_ACT", 5, 6},
                  {MF_CAUSE_OFFBOARD_LOST, "COM_OBL_RC_ACT", 6, 7}};
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        for (int disarm = 0; disarm < 2; disarm++) {
            (void)airborne(state);
            fx_set_i(k_case[i].name, disarm ? k_case[i].disarm : k_case[i].terminate);
            fx_set_i("COM_LOW_BAT_ACT", 3);
            mf_failsafe_set(v, 1 * S, MF_CAUSE_BATTERY_CRITICAL, true); /* holds first */
            assert_mode(MF_MODE_HOLD, true);
            mf_failsafe_set(v, 2 * S, k_case[i].cause, true);
            (void)mf_vehicle_step(v); /* what was said goes out */
            assert_int_equal(v->commander.mode, disarm ? MF_MODE_HOLD : MF_MODE_TERMINATION);
            assert_int_equal(v->commander.armed, !disarm);
            assert_true(fx_said(disarm ? "Disarmed by failsafe" : "Flight termination active"));
        }
    }
}

/* Arming ends what sticks and setpoints caused before; another cause acts once it is armed. */
static void test_sim046_what_was_lost_before_arming_acts_after_it(void **state)
{
    (void)state;
    fx_set_i("NAV_DLL_ACT", 6); /* disarms */
    assert_int_equal(mf_commander_disarm(v, 1 * S, MF_BY_COMMAND, true), MF_E_OK);
    mf_failsafe_set(v, 1 * S, MF_CAUSE_MANUAL_LOST, true);
    mf_failsafe_set(v, 1 * S, MF_CAUSE_GCS_LOST, true);
    assert_int_equal(mf_commander_arm(v, 1 * S, MF_BY_COMMAND), MF_E_OK);
    (void)mf_vehicle_step(v);
    assert_false(v->commander.armed);
    assert_true(fx_said("Armed by external command"));
    assert_true(fx_said("Disarmed by failsafe"));
    assert_int_equal(v->failsafe.present, 1u << MF_CAUSE_GCS_LOST);
}

/* A pilot in Position mode keeps the altitude by stick, and has Position mode again with the
 * position. Without sticks there is nobody to fly it. */
static void test_sim046_a_pilot_without_a_position_has_altitude_mode(void **state)
{
    const struct mf_msg_manual_control m = {.target = 1, .z = 500};
    (void)state;
    fx_set_i("NAV_RCL_ACT", 3);
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_MANUAL_CONTROL, &m);
    (void)mf_vehicle_step(v);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(3, 0)), MAV_RESULT_ACCEPTED);
    fx_gps(false);
    assert_mode(MF_MODE_ALTCTL, true);
    assert_true(fx_said("Failsafe activated"));
    fx_gps(true);
    assert_mode(MF_MODE_POSCTL, false);

    fx_gps(false);
    mf_inputs_lose_manual(v, fx.mock.now.vehicle_us);
    assert_mode(MF_MODE_DESCEND, true);
    fx_gps(true);
    assert_mode(MF_MODE_LAND, true); /* what NAV_RCL_ACT asks for can be flown now */
}

/* Battery and position both: Land needs a position, Descend does not. */
static void test_sim046_landing_without_a_position_descends(void **state)
{
    (void)state;
    set_charge(0.03f);
    (void)fx_step_at(6 * S);
    assert_mode(MF_MODE_LAND, true);
    fx_gps(false);
    assert_mode(MF_MODE_DESCEND, true);
    fx_gps(true);
    assert_mode(MF_MODE_LAND, true);
    fx_gps(false);
    assert_mode(MF_MODE_DESCEND, true);

    (void)airborne(state); /* what cannot hold does not wait, or say so */
    v->commander.mode = MF_MODE_ALTCTL;
    fx_gps(false);
    assert_mode(MF_MODE_ALTCTL, false);
    fx_set_i("NAV_DLL_ACT", 2);
    mf_failsafe_set(v, 1 * S, MF_CAUSE_GCS_LOST, true);
    (void)mf_vehicle_step(v);
    assert_mode(MF_MODE_DESCEND, true);
    assert_false(fx_said("Failsafe activated: entering Hold for 5 seconds"));
    fx_gps(true);
    assert_mode(MF_MODE_RTL, true);

    (void)airborne(state); /* and what holds cannot go on */
    v->commander.mode = MF_MODE_ALTCTL;
    fx_set_i("NAV_DLL_ACT", 1);
    mf_failsafe_set(v, 1 * S, MF_CAUSE_GCS_LOST, true);
    (void)fx_step_at(6 * S);
    assert_mode(MF_MODE_HOLD, true);
    fx_gps(false);
    assert_mode(MF_MODE_DESCEND, true);
    fx_gps(true);
    assert_mode(MF_MODE_HOLD, true);
}

/* LAND is forced by the commands that set a mode, and by no other. */
static void test_sim046_a_user_lands_without_a_position(void **state)
{
    const struct mf_msg_set_mode old = {
        .target_system = 1, .base_mode = 1, .custom_mode = 100925440};
    (void)state;
    fx_gps(false);
    assert_mode(MF_MODE_DESCEND, true);
    mf_mock_clear(&fx.mock, 0);
    assert_int_equal(fx_command(MAV_CMD_NAV_LAND, NANS), MAV_RESULT_TEMPORARILY_REJECTED);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(4, 5)), MAV_RESULT_TEMPORARILY_REJECTED);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(4, 6)), MAV_RESULT_ACCEPTED);
    assert_mode(MF_MODE_DESCEND, true);
    assert_false(fx_said("Failsafe activated")); /* it descends already */
    fx_gps(true);
    assert_mode(MF_MODE_LAND, false); /* not Hold, which was flown before */

    (void)airborne(state); /* a pilot who needs no position */
    v->commander.mode = MF_MODE_ALTCTL;
    fx_gps(false);
    assert_mode(MF_MODE_ALTCTL, false);
    mf_mock_clear(&fx.mock, 0);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_STANDARD_MODE, (const float[7]){7.0f}),
                     MAV_RESULT_ACCEPTED);
    assert_mode(MF_MODE_DESCEND, true);
    assert_int_equal(mf_mode_custom((enum mf_mode)v->commander.mode),
                     100925440); /* shows as Land */
    assert_true(fx_leg()->land);
    assert_true(fx_said("Failsafe activated"));

    (void)airborne(state);
    v->commander.mode = MF_MODE_ALTCTL;
    fx_gps(false);
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_SET_MODE, &old);
    (void)mf_vehicle_step(v);
    assert_mode(MF_MODE_DESCEND, true);
    mf_failsafe_set(v, 1 * S, MF_CAUSE_GCS_LOST, true); /* changes nothing of it */
    (void)fx_step_at(20 * S);
    assert_mode(MF_MODE_DESCEND, true);
    mf_mock_clear(&fx.mock, 0);
    (void)fx_command(MAV_CMD_DO_FLIGHTTERMINATION, ARM);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(4, 6)), MAV_RESULT_DENIED);
}

static void test_users_take_over(void **state)
{
    (void)state;
    fx_set_i("NAV_DLL_ACT", 2);
    mf_failsafe_set(v, 1 * S, MF_CAUSE_GCS_LOST, true);
    assert_mode(MF_MODE_HOLD, true);
    assert_int_equal(fx_command(MAV_CMD_NAV_LAND, NANS), MAV_RESULT_ACCEPTED);
    assert_mode(MF_MODE_LAND, false);
    (void)fx_step_at(20 * S);
    assert_mode(MF_MODE_LAND, false);
    mf_failsafe_set(v, 21 * S, MF_CAUSE_GCS_LOST, false); /* it counts again from here */
    assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(4, 3)), MAV_RESULT_ACCEPTED);
    mf_failsafe_set(v, 22 * S, MF_CAUSE_GCS_LOST, true);
    (void)fx_step_at(27 * S);
    assert_mode(MF_MODE_RTL, true);
}

static void test_the_strongest_counts_and_what_is_landing_lands(void **state)
{
    (void)state;
    fx_set_i("NAV_DLL_ACT", 2);
    fx_set_i("NAV_RCL_ACT", 3);
    fx_set_f("COM_FAIL_ACT_T", 0.0f);
    mf_failsafe_set(v, 1 * S, MF_CAUSE_MANUAL_LOST, true);
    assert_mode(MF_MODE_LAND, true);
    mf_failsafe_set(v, 2 * S, MF_CAUSE_GCS_LOST, true);
    assert_mode(MF_MODE_LAND, true);

    (void)airborne(state);
    assert_int_equal(fx_command(MAV_CMD_NAV_LAND, NANS), MAV_RESULT_ACCEPTED);
    set_charge(0.06f);
    (void)fx_step_at(6 * S);
    assert_mode(MF_MODE_LAND, false); /* nothing better to do */
}

/* Without a position there is no return: down where it is. */
static void test_sim046_return_without_a_position_descends(void **state)
{
    (void)state;
    fx_set_i("NAV_DLL_ACT", 2);
    mf_failsafe_set(v, 1 * S, MF_CAUSE_GCS_LOST, true);
    fx_gps(false);
    assert_mode(MF_MODE_DESCEND, true);
    assert_true(fx_leg()->land);
}

/* Setpoints of attitude need no position; the others do, whenever they come. */
static void test_sim046_offboard_without_a_position(void **state)
{
    (void)state;
    feed_velocity(1.0f);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(6, 0)), MAV_RESULT_ACCEPTED);
    fx_gps(false);
    assert_mode(MF_MODE_DESCEND, true);
    feed_velocity(2.0f);
    assert_mode(MF_MODE_DESCEND, true);
    feed_attitude();
    assert_mode(MF_MODE_OFFBOARD, false);
    feed_velocity(2.0f);
    assert_mode(MF_MODE_DESCEND, true);
    fx_gps(true);
    assert_mode(MF_MODE_OFFBOARD, false);

    assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(4, 3)), MAV_RESULT_ACCEPTED);
    fx_gps(false);
    assert_mode(MF_MODE_DESCEND, true);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(6, 0)), MAV_RESULT_TEMPORARILY_REJECTED);
    feed_attitude();
    assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(6, 0)), MAV_RESULT_ACCEPTED);
    assert_mode(MF_MODE_OFFBOARD, false);
    feed_velocity(2.0f); /* the user knew of attitudes only */
    assert_mode(MF_MODE_DESCEND, true);
}

static void test_sim046_orbit_and_follow_without_a_position_descend(void **state)
{
    for (int follow = 0; follow < 2; follow++) {
        (void)airborne(state);
        if (follow) {
            assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(4, 8)), MAV_RESULT_ACCEPTED);
        } else {
            assert_int_equal(fx_command(MAV_CMD_DO_ORBIT, NANS), MAV_RESULT_ACCEPTED);
        }
        assert_mode(follow ? MF_MODE_FOLLOW : MF_MODE_ORBIT, false);
        fx_gps(false);
        assert_mode(MF_MODE_DESCEND, true);
    }
}

static void test_offboard_and_fence_act_at_once(void **state)
{
    static const struct {
        enum mf_cause cause;
        const char *name;
        int32_t act;
        enum mf_mode mode;
    } k_case[] = {{MF_CAUSE_OFFBOARD_LOST, "COM_OBL_RC_ACT", 0, MF_MODE_RTL},
                  {MF_CAUSE_OFFBOARD_LOST, "COM_OBL_RC_ACT", 3, MF_MODE_RTL},
                  {MF_CAUSE_OFFBOARD_LOST, "COM_OBL_RC_ACT", 4, MF_MODE_LAND},
                  {MF_CAUSE_OFFBOARD_LOST, "COM_OBL_RC_ACT", 5, MF_MODE_HOLD},
                  {MF_CAUSE_FENCE, "GF_ACTION", 2, MF_MODE_HOLD},
                  {MF_CAUSE_FENCE, "GF_ACTION", 3, MF_MODE_RTL},
                  {MF_CAUSE_FENCE, "GF_ACTION", 4, MF_MODE_TERMINATION},
                  {MF_CAUSE_FENCE, "GF_ACTION", 5, MF_MODE_LAND}};
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        (void)airborne(state);
        assert_int_equal(fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT(600.0f)), MAV_RESULT_ACCEPTED);
        fx_set_i(k_case[i].name, k_case[i].act);
        mf_failsafe_set(v, 1 * S, k_case[i].cause, true);
        assert_int_equal(v->commander.mode, k_case[i].mode);
    }
}

static void test_disarmed_nothing_acts_and_arming_looks_again(void **state)
{
    (void)state;
    v = fx_boot(k_default);
    fx_set_i("NAV_DLL_ACT", 2);
    fx_set_f("COM_FAIL_ACT_T", 0.0f);
    mf_failsafe_set(v, 0, MF_CAUSE_GCS_LOST, true);
    assert_mode(MF_MODE_HOLD, false);
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM), MAV_RESULT_ACCEPTED);
    assert_mode(MF_MODE_RTL, true);
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, NO_PARAMS), MAV_RESULT_ACCEPTED);
    assert_mode(MF_MODE_HOLD, false);
}

/* The parameter changes on the way down: back inside, nothing gets worse. */
static void test_what_is_over_asks_for_no_more(void **state)
{
    (void)state;
    fx_set_i("GF_ACTION", 5);
    mf_failsafe_set(v, 1 * S, MF_CAUSE_FENCE, true);
    assert_mode(MF_MODE_LAND, true);
    fx_set_i("GF_ACTION", 4);
    mf_failsafe_set(v, 2 * S, MF_CAUSE_FENCE, false);
    assert_mode(MF_MODE_LAND, true);
}

/* Terminated in the first hold, or in what a failsafe flies: it acts no more, and does not
 * go back. */
static void test_nothing_leaves_termination(void **state)
{
    const float terminate[7] = {1.0f, 0, 0, 0, 0, 0, 0};
    for (int hold_s = 0; hold_s <= 5; hold_s += 5) {
        (void)airborne(state);
        fx_set_f("COM_FAIL_ACT_T", (float)hold_s);
        fx_set_i("NAV_DLL_ACT", 2);
        mf_failsafe_set(v, 1 * S, MF_CAUSE_GCS_LOST, true);
        assert_mode(hold_s > 0 ? MF_MODE_HOLD : MF_MODE_RTL, true);
        assert_int_equal(fx_command(MAV_CMD_DO_FLIGHTTERMINATION, terminate), MAV_RESULT_ACCEPTED);
        mf_mock_clear(&fx.mock, 0);
        (void)fx_step_at(10 * S);
        mf_failsafe_set(v, 10 * S, MF_CAUSE_BATTERY_CRITICAL, true);
        (void)fx_step_at(20 * S);
        assert_false(fx_said("Failsafe activated"));
        mf_failsafe_set(v, 20 * S, MF_CAUSE_GCS_LOST, false);
        mf_failsafe_set(v, 20 * S, MF_CAUSE_BATTERY_CRITICAL, false);
        assert_int_equal(v->commander.mode, MF_MODE_TERMINATION);
    }
}

#define T(name) cmocka_unit_test_setup(name, airborne)

/* ---- what is being done goes on ---- */

/* Setpoints that come back end no return: the user has to choose. */
static void test_a_return_goes_on_when_its_cause_is_over(void **state)
{
    (void)state;
    fx_set_i("COM_OBL_RC_ACT", 3);
    mf_failsafe_set(v, 1 * S, MF_CAUSE_OFFBOARD_LOST, true);
    assert_mode(MF_MODE_RTL, true);
    mf_failsafe_set(v, 2 * S, MF_CAUSE_OFFBOARD_LOST, false);
    assert_mode(MF_MODE_RTL, true);
}

/* A second cause that asks for the same must not lead up to the return altitude again. */
static void test_a_second_cause_does_not_begin_the_return_anew(void **state)
{
    (void)state;
    fx_set_i("NAV_DLL_ACT", 2);
    fx_set_i("NAV_RCL_ACT", 2);
    fx_set_f("COM_FAIL_ACT_T", 0.0f);
    const uint32_t events = v->counters.events;
    mf_failsafe_set(v, 1 * S, MF_CAUSE_GCS_LOST, true);
    assert_mode(MF_MODE_RTL, true);
    assert_int_equal(v->counters.events - events, 1); /* the change of mode, once */
    mf_commander_post(v, 1 * S, MF_EV_ABOVE_HOME);
    (void)fx_step_at(1 * S);
    assert_mode(MF_MODE_LAND, true);
    mf_failsafe_set(v, 2 * S, MF_CAUSE_MANUAL_LOST, true);
    assert_mode(MF_MODE_LAND, true);
}

/* A Hold that the user chose is none of a failsafe: the next cause holds first, as if nothing had
 * been. */
static void test_a_users_hold_is_enough_and_is_nobody_elses(void **state)
{
    (void)state;
    fx_set_i("NAV_DLL_ACT", 1);
    fx_set_i("NAV_RCL_ACT", 2);
    mf_failsafe_set(v, 1 * S, MF_CAUSE_GCS_LOST, true);
    assert_mode(MF_MODE_HOLD, false);
    mf_failsafe_set(v, 2 * S, MF_CAUSE_GCS_LOST, false);
    mf_failsafe_set(v, 3 * S, MF_CAUSE_MANUAL_LOST, true);
    assert_mode(MF_MODE_HOLD, true);
    assert_true(fx_said("Failsafe activated: entering Hold for 5 seconds"));
    (void)fx_step_at(8 * S);
    assert_mode(MF_MODE_RTL, true);
}

/* Meanwhile the setpoints ended, too: OFFBOARD cannot go on. */
static void test_what_cannot_go_on_is_not_gone_back_to(void **state)
{
    (void)state;
    feed_velocity(1.0f);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(6, 0)), MAV_RESULT_ACCEPTED);
    mf_failsafe_set(v, 1 * S, MF_CAUSE_POSITION, true);
    assert_mode(MF_MODE_DESCEND, true);
    v->inputs.setpoint.live = false;
    mf_failsafe_set(v, 2 * S, MF_CAUSE_POSITION, false);
    assert_mode(MF_MODE_DESCEND, true);
    mf_failsafe_set(v, 3 * S, MF_CAUSE_POSITION, true);
    v->inputs.setpoint.live = true;
    mf_failsafe_set(v, 4 * S, MF_CAUSE_POSITION, false);
    assert_mode(MF_MODE_OFFBOARD, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_sim046_battery_runs_low),
        T(test_sim046_sim047_battery_in_messages),
        T(test_battery_by_parameter),
        T(test_sim044_battery_denies_arming),
        T(test_battery_foretells),
        T(test_link_loss_by_parameter),
        T(test_sim046_modes_that_may_lose_the_ground_station),
        T(test_sim046_an_exception_ends_with_its_mode),
        T(test_setpoints_are_taken_by_parameter),
        T(test_what_is_well_again_in_time_changes_nothing),
        T(test_sim046_a_link_that_is_back_changes_nothing),
        T(test_sim046_what_stops_the_motors_does_so_at_once),
        T(test_sim046_what_was_lost_before_arming_acts_after_it),
        T(test_sim046_a_pilot_without_a_position_has_altitude_mode),
        T(test_sim046_landing_without_a_position_descends),
        T(test_sim046_a_user_lands_without_a_position),
        T(test_users_take_over),
        T(test_the_strongest_counts_and_what_is_landing_lands),
        T(test_sim046_return_without_a_position_descends),
        T(test_sim046_offboard_without_a_position),
        T(test_sim046_orbit_and_follow_without_a_position_descend),
        T(test_offboard_and_fence_act_at_once),
        T(test_disarmed_nothing_acts_and_arming_looks_again),
        T(test_what_is_over_asks_for_no_more),
        T(test_nothing_leaves_termination),
        T(test_a_return_goes_on_when_its_cause_is_over),
        T(test_a_second_cause_does_not_begin_the_return_anew),
        T(test_a_users_hold_is_enough_and_is_nobody_elses),
        T(test_what_cannot_go_on_is_not_gone_back_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
