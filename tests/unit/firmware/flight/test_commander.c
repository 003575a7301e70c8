/* SPDX-License-Identifier: Apache-2.0 */
/* Arming, disarming, modes, landed states, home and failsafes, and what is said of them. */
#include "tests/unit/firmware/flight_fixture.h"

static const struct mf_options k_default;
static const struct mf_options k_strict = {.px4_strict = true};

static struct mf_msg_heartbeat last_heartbeat(void)
{
    struct mf_msg_heartbeat m = {0};
    while (mf_mock_take(&fx.mock, 0, MF_MSG_HEARTBEAT, &m)) {
    }
    return m;
}

static void arm(void)
{
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM), MAV_RESULT_ACCEPTED);
}

static void assert_announced(size_t times)
{
    assert_int_equal(fx_count(MF_MSG_HEARTBEAT), times);
    assert_int_equal(fx_count(MF_MSG_EXTENDED_SYS_STATE), times);
    assert_int_equal(fx_count(MF_MSG_CURRENT_MODE), times);
}

static void land(mf_us_t touchdown_us)
{
    assert_int_equal(fx_command(MAV_CMD_NAV_LAND, NANS), MAV_RESULT_ACCEPTED);
    fx_reach(touchdown_us);
    assert_int_equal(fx.v.commander.landed, MF_LANDED_ON_GROUND);
}

/* ---- arming ---- */

static void test_sim025_sim035_arming_is_announced_once(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    arm();
    assert_announced(1);
    const struct mf_msg_heartbeat m = last_heartbeat();
    assert_int_equal(m.custom_mode, 65536); /* MANUAL */
    assert_int_equal(m.base_mode, 0xD1);
    assert_int_equal(m.system_status, 4);
    assert_true(fx_said("Armed by external command"));
    assert_true(v->commander.armed && fx.mock.airframe.armed);
    mf_mock_clear(&fx.mock, 0);
    arm(); /* again: accepted, and nothing happens */
    assert_announced(0);
    assert_int_equal(fx_count(MF_MSG_STATUSTEXT), 0);
}

static void test_sim025_disarming_is_announced_once(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    arm();
    (void)fx_step_at(S / 2);
    mf_mock_clear(&fx.mock, 0);
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, NO_PARAMS), MAV_RESULT_ACCEPTED);
    assert_announced(1);
    assert_int_equal(last_heartbeat().base_mode, 0x1D);
    assert_true(fx_said("Disarmed by external command"));
    assert_true(mf_mock_logged(&fx.mock, "armed", "no"));
    assert_false(v->commander.armed || fx.mock.airframe.armed);
    assert_int_equal(mf_param_i(&v->params, MF_PARAM_COM_FLIGHT_UUID), 1);
    assert_int_equal(v->commander.armed_us, 0);
}

static void test_sim035_stays_in_its_mode_by_setting_and_in_px4(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    fx_set_i("MF_ARM_MODE", 1);
    arm();
    assert_announced(1);
    assert_int_equal(last_heartbeat().custom_mode, 50593792); /* Hold */
    (void)fx_boot(k_strict);
    arm();
    assert_int_equal(last_heartbeat().custom_mode, 50593792);
}

static void test_sim025_denied_without_a_position(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    fx_gps(false);
    mf_mock_clear(&fx.mock, 0);
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM),
                     MAV_RESULT_TEMPORARILY_REJECTED);
    assert_true(fx_named("Preflight Fail: GNSS position"));
    assert_true(fx_said("Arming denied: Resolve system health failures"));
    assert_announced(0);
    assert_false(v->commander.armed);
    assert_int_equal(fx.mock.airframe.arm_count, 0);
}

static void test_sim025_denied_by_motors_that_do_not_start(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    fx.mock.airframe.arm_result = MF_E_IO;
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM),
                     MAV_RESULT_TEMPORARILY_REJECTED);
    assert_true(fx_named("Preflight Fail: motors"));
    assert_false(fx.v.commander.armed);
}

static void test_sim044_armable_on_the_ground_in_every_mode_unless_as_px4(void **state)
{
    static const struct {
        float main, sub;
        bool px4;
    } k_case[] = {{1, 0, false}, {3, 0, false}, {4, 2, true},  {4, 3, true}, {4, 4, false},
                  {4, 5, false}, {4, 6, false}, {6, 0, false}, {7, 0, false}};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        for (int strict = 0; strict < 2; strict++) {
            (void)fx_boot(strict ? k_strict : k_default);
            assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(k_case[i].main, k_case[i].sub)),
                             MAV_RESULT_ACCEPTED);
            const bool expected = !strict || k_case[i].px4;
            assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM) == 0, expected);
        }
    }
}

/* ---- automatic disarming ---- */

static void test_disarms_11_s_after_arming_without_takeoff(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    (void)fx_step_at(5 * S);
    arm();
    assert_int_equal(fx_step_at(5 * S).essential_us, 16 * S); /* COM_DISARM_PRFLT + spool-up */
    (void)fx_step_at(16 * S - 1);
    assert_true(v->commander.armed);
    (void)fx_step_at(16 * S);
    assert_false(v->commander.armed);
    assert_true(fx_said("Disarmed by auto preflight disarming"));
}

/* A clock that jumps must not stop where the disarming would have been. */
static void test_sim038_a_takeoff_takes_the_disarming_off_the_agenda(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    arm();
    assert_int_equal(fx_step_at(0).essential_us, 11 * S);
    assert_int_equal(fx_command(MAV_CMD_NAV_TAKEOFF, NANS), MAV_RESULT_ACCEPTED);
    assert_true(fx_step_at(1 * S).essential_us == MF_NEVER);
}

static void test_disarms_2_s_after_landing(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 10.0);
    land(10 * S);
    assert_true(fx_said("Landing detected"));
    (void)fx_step_at(12 * S - 1);
    assert_true(v->commander.armed);
    (void)fx_step_at(12 * S);
    assert_false(v->commander.armed);
    assert_true(fx_said("Disarmed by landing"));
    assert_int_equal(v->commander.mode, MF_MODE_HOLD);
}

static void test_automatic_disarming_can_be_switched_off(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 10.0);
    fx_set_f("COM_DISARM_LAND", 0.0f);
    land(10 * S);
    (void)fx_step_at(3600 * (mf_us_t)S);
    assert_true(v->commander.armed);
    v = fx_boot(k_default);
    fx_set_f("COM_DISARM_PRFLT", -1.0f);
    arm();
    (void)fx_step_at(3600 * (mf_us_t)S);
    assert_true(v->commander.armed);
}

static void test_taking_off_again_in_time_keeps_it_armed(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 10.0);
    land(10 * S);
    (void)fx_step_at(11 * S);
    assert_int_equal(fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT(498.0f)), MAV_RESULT_ACCEPTED);
    fx.mock.airframe.pose.on_ground = false;
    (void)fx_step_at(60 * S);
    assert_true(v->commander.armed);
}

/* ---- disarming in the air ---- */

static void test_sim025_disarming_in_the_air_needs_force(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 10.0);
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, NO_PARAMS),
                     MAV_RESULT_TEMPORARILY_REJECTED);
    assert_true(fx_said("Disarming denied: not landed"));
    (void)fx_step_at(3 * S / 2);
    mf_mock_clear(&fx.mock, 0);
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, (const float[7]){0.0f, 21196.0f}),
                     MAV_RESULT_ACCEPTED);
    assert_announced(1); /* it was in the air, and still is */
    assert_int_equal(v->commander.landed, MF_LANDED_IN_AIR);
    assert_int_equal(v->navigator.phase, MF_NAV_FALL);
    assert_int_equal(fx.mock.airframe.next_when, MF_WHEN_TOUCHDOWN);
}

static void test_armed_again_in_its_fall_it_hovers_and_home_stays(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 100.0);
    (void)fx_command(MAV_CMD_COMPONENT_ARM_DISARM, (const float[7]){0.0f, 21196.0f});
    mf_mock_place(&fx.mock, HERE_LAT, HERE_LON, 550.0, false);
    (void)fx_step_at(2 * S);
    arm();
    assert_int_equal(v->commander.mode, MF_MODE_HOLD); /* not Manual, as on the ground */
    assert_int_equal(fx_last_plan()->n, 0);            /* stop and hold */
    assert_true(v->home.alt_amsl_m == 488.0 && v->home.takeoff_amsl_m == 488.0);
    assert_int_equal(v->commander.landed, MF_LANDED_IN_AIR);
    mf_mock_clear(&fx.mock, 0);
    (void)fx_step_at(60 * S); /* no timer of the ground runs */
    assert_true(v->commander.armed);
    assert_int_equal(fx_count(MF_MSG_STATUSTEXT), 0);
    land(70 * S);
    (void)fx_step_at(72 * S);
    assert_true(fx_said("Disarmed by landing"));
}

static void test_termination_falls_and_nothing_leaves_it(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 10.0);
    assert_int_equal(fx_command(MAV_CMD_DO_FLIGHTTERMINATION, ARM), MAV_RESULT_ACCEPTED);
    assert_int_equal(last_heartbeat().system_status, 8);
    assert_true(fx_said("Flight termination active"));
    assert_false(fx.mock.airframe.armed);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(4, 3)), MAV_RESULT_DENIED);
    assert_int_equal(fx_command(MAV_CMD_NAV_LAND, NANS), MAV_RESULT_DENIED);
    mf_mock_place(&fx.mock, HERE_LAT, HERE_LON, GROUND_M, true);
    fx_end_plan(3 * S);
    (void)fx_step_at(5 * S);
    assert_false(v->commander.armed);
    assert_int_equal(v->commander.mode, MF_MODE_TERMINATION);
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM),
                     MAV_RESULT_TEMPORARILY_REJECTED);
}

/* ---- modes ---- */

static void test_sim034_change_of_mode_is_announced_once_and_logged(void **state)
{
    (void)state;
    (void)fx_airborne(k_default, 10.0);
    (void)fx_step_at(3 * S / 2);
    assert_int_equal(fx_command(MAV_CMD_NAV_RETURN_TO_LAUNCH, NANS), MAV_RESULT_ACCEPTED);
    assert_announced(1);
    assert_int_equal(last_heartbeat().custom_mode, 84148224);
    assert_true(mf_mock_logged(&fx.mock, "mode", "Hold -> Return"));
    mf_mock_clear(&fx.mock, 0);
    assert_int_equal(fx_command(MAV_CMD_NAV_RETURN_TO_LAUNCH, NANS), MAV_RESULT_ACCEPTED);
    assert_announced(0); /* the mode it is in already */
}

static void test_sim033_modes_in_the_air_need_what_they_need(void **state)
{
    static const struct {
        float main, sub;
        const char *text;
    } k_case[] = {
        {1, 0, "Switching to mode 'Manual' is currently not possib"},
        {4, 4, "Switching to mode 'Mission' is currently not possi"},
        {6, 0, "Switching to mode 'Offboard' is currently not poss"},
    };
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 10.0);
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(k_case[i].main, k_case[i].sub)),
                         MAV_RESULT_TEMPORARILY_REJECTED);
        assert_true(fx_said(k_case[i].text));
        assert_int_equal(v->commander.mode, MF_MODE_HOLD);
    }
    assert_announced(0);
}

static void test_landed_states_pass_once_each(void **state)
{
    /* at 0 s armed, and climbs; at 4 s up, and descends; at 8 s down; at 10 s disarmed. The modes
       Takeoff, Hold and Land begin at those instants, too, and change nothing of it */
    static const uint8_t k_expected[] = {1, 3, 2, 4, 1, 1};
    (void)state;
    (void)fx_boot(k_default);
    arm();
    (void)fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT(498.0f));
    fx_reach(4 * S);
    (void)fx_command(MAV_CMD_NAV_LAND, NANS);
    fx_reach(8 * S);
    (void)fx_step_at(10 * S);
    struct mf_msg_extended_sys_state m;
    size_t n = 0;
    uint8_t seen[32] = {0};
    while (n < 32 && mf_mock_take(&fx.mock, 0, MF_MSG_EXTENDED_SYS_STATE, &m)) {
        seen[n++] = m.landed_state;
    }
    assert_int_equal(n, sizeof k_expected);
    assert_memory_equal(seen, k_expected, sizeof k_expected);
}

static void test_sim044_at_one_instant_only_what_changed_is_said_again(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    (void)fx_step_at(S / 2);
    arm();
    (void)fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT(498.0f));
    mf_mock_clear(&fx.mock, 0);
    fx_reach(S); /* in the air, and then mode Hold */
    assert_int_equal(fx_count(MF_MSG_EXTENDED_SYS_STATE), 1);
    struct mf_msg_heartbeat m;
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_HEARTBEAT, &m));
    assert_int_equal(m.custom_mode, 33816576); /* Takeoff */
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_HEARTBEAT, &m));
    assert_int_equal(m.custom_mode, 50593792); /* Hold */
    assert_int_equal(fx_count(MF_MSG_HEARTBEAT), 0);
    assert_int_equal(fx_count(MF_MSG_CURRENT_MODE), 2);
    mf_mock_clear(&fx.mock, 0);
    (void)fx_command(MAV_CMD_NAV_LAND, NANS); /* at the same instant: mode Land, and then landing */
    assert_int_equal(fx_count(MF_MSG_HEARTBEAT), 1);
    assert_int_equal(fx_count(MF_MSG_EXTENDED_SYS_STATE), 1);
    assert_int_equal(fx_count(MF_MSG_CURRENT_MODE), 1);
}

/* ---- home ---- */

static void test_sim022_arming_sets_home_and_shows_it(void **state)
{
    (void)state;
    struct mf_msg_home_position m;
    struct mf_vehicle *v = fx_boot(k_default);
    mf_mock_place(&fx.mock, 47.4, 8.55, 500.0, true);
    fx.mock.airframe.pose.yaw_rad = 0.5f;
    (void)fx_step_at(1 * S);
    arm();
    assert_true(v->home.yaw_rad == 0.5f);
    assert_int_equal(fx_count(MF_MSG_HOME_POSITION), 1);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_HOME_POSITION, &m));
    assert_int_equal(m.latitude, 474000000);
    assert_int_equal(m.longitude, 85500000);
    assert_int_equal(m.altitude, 500000);
    assert_true(v->home.takeoff_amsl_m == 500.0);
}

static void test_sim022_home_set_by_hand_stays_and_is_shown(void **state)
{
    (void)state;
    struct mf_msg_home_position m;
    struct mf_vehicle *v = fx_boot(k_default);
    const float p[7] = {0, 0, 0, 90.0f, 47.5f, 8.5f, 400.0f};
    assert_int_equal(fx_command(MAV_CMD_DO_SET_HOME, p), MAV_RESULT_ACCEPTED);
    (void)fx_step_at(S / 2);
    mf_mock_clear(&fx.mock, 0);
    arm();
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_HOME_POSITION, &m));
    assert_int_equal(m.altitude, 400000);
    assert_int_equal(m.latitude, 475000000);
    assert_true(v->home.yaw_rad == 1.57079633f);
    assert_true(v->home.takeoff_amsl_m == 488.0); /* relative altitude: above the take-off place */
    const float far[7] = {0,     0,    0,     3.4e38f,
                          47.6f, 8.5f, 400.0f}; /* no angle can be reduced so far */
    assert_int_equal(fx_command(MAV_CMD_DO_SET_HOME, far), MAV_RESULT_ACCEPTED);
    assert_true(v->home.lat_deg == (double)far[4] && v->home.yaw_rad == 1.57079633f);
}

static void test_sim016_zero_of_relative_altitude_is_home_in_px4(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_strict);
    const float p[7] = {0, 0, 0, NAN, 47.5f, 8.5f, 400.0f};
    assert_int_equal(fx_command(MAV_CMD_DO_SET_HOME, p), MAV_RESULT_ACCEPTED);
    assert_true(v->home.takeoff_amsl_m == 400.0 && v->home.yaw_rad == 0.0f);
    arm();
    assert_true(v->home.takeoff_amsl_m == 400.0);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_HOME, ARM), MAV_RESULT_ACCEPTED); /* here */
    assert_true(v->home.takeoff_amsl_m == 488.0 && v->home.alt_amsl_m == 488.0);
}

static void test_home_is_not_set_by_itself_where_that_is_switched_off(void **state)
{
    (void)state;
    (void)fx_init(k_default);
    fx.mock.gnss.fix.type = MF_FIX_NONE;
    assert_int_equal(fx_try_init(1, 1, k_default), MF_E_OK);
    fx_connect(0);
    fx_set_i("COM_HOME_EN", 0);
    fx_gps(true);
    arm();
    assert_false(fx.v.home.valid);
    assert_int_equal(fx_count(MF_MSG_HOME_POSITION), 0);
    assert_true(fx.v.origin.valid);
}

static void test_home_by_hand_before_the_first_fix(void **state)
{
    (void)state;
    (void)fx_init(k_default);
    fx.mock.gnss.fix.type = MF_FIX_NONE;
    assert_int_equal(fx_try_init(1, 1, k_default), MF_E_OK);
    fx_connect(0);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_HOME, ARM), MAV_RESULT_TEMPORARILY_REJECTED);
    const float p[7] = {0, 0, 0, NAN, 47.5f, 8.5f, 400.0f};
    assert_int_equal(fx_command(MAV_CMD_DO_SET_HOME, p), MAV_RESULT_ACCEPTED);
    fx_gps(true);
    assert_true(fx.v.home.alt_amsl_m == 400.0);
    assert_true(fx.v.home.takeoff_amsl_m == 488.0); /* not 0: that would show altitude as AMSL */
}

static void test_home_at_a_place_that_is_none_is_denied(void **state)
{
    static const float k_bad[][7] = {
        {0, 0, 0, 0, 91.0f, 8.0f, 0},        {0, 0, 0, 0, 47.0f, 181.0f, 0},
        {0, 0, 0, 0, NAN, 8.0f, 0},          {0, 0, 0, 0, 47.0f, NAN, 0},
        {0, 0, 0, 0, 47.0f, 8.0f, NAN},      {0, 0, 0, 0, 47.0f, 8.0f, 100001.0f},
        {0, 0, 0, 0, 47.0f, 8.0f, INFINITY}, {0, 0, 0, 0, -INFINITY, 8.0f, 0},
    };
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    for (size_t i = 0; i < sizeof k_bad / sizeof k_bad[0]; i++) {
        assert_int_equal(fx_command(MAV_CMD_DO_SET_HOME, k_bad[i]), MAV_RESULT_DENIED);
    }
    assert_false(v->home.manual);
    static const float k_edge[][7] = {{0, 0, 0, 0, 90.0f, 180.0f, 0},
                                      {0, 0, 0, 0, -90.0f, -180.0f, 0}};
    for (size_t i = 0; i < sizeof k_edge / sizeof k_edge[0]; i++) {
        assert_int_equal(fx_command(MAV_CMD_DO_SET_HOME, k_edge[i]), MAV_RESULT_ACCEPTED);
        assert_true(v->home.lat_deg == (double)k_edge[i][4]);
    }
    fx_set_i("COM_HOME_EN", 0);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_HOME, ARM), MAV_RESULT_DENIED);
}

/* ---- failsafe ---- */

static void test_sim045_sim046_loss_of_position_is_announced_once_as_critical(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 10.0);
    fx_gps(false);
    struct mf_msg_heartbeat m;
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_HEARTBEAT, &m));
    assert_int_equal(m.custom_mode, 100925440);
    assert_int_equal(m.system_status, 5);
    assert_false(mf_mock_take(&fx.mock, 0, MF_MSG_HEARTBEAT, &m));
    assert_true(fx_said("GNSS data fusion stopped"));
    assert_true(fx_said("Failsafe activated"));
    assert_true(fx_leg()->land);
    mf_mock_clear(&fx.mock, 0);
    fx_gps(true);
    assert_true(fx_said("GNSS data fusion started"));
    assert_int_equal(v->commander.mode, MF_MODE_HOLD); /* what was flown before */
    assert_int_equal(last_heartbeat().system_status, 4);
}

static void test_sim046_loss_of_position_in_every_mode(void **state)
{
    static const struct {
        uint16_t command;
        enum mf_mode before, after;
    } k_case[] = {
        {MAV_CMD_NAV_TAKEOFF, MF_MODE_TAKEOFF, MF_MODE_DESCEND},
        {MAV_CMD_NAV_LOITER_UNLIM, MF_MODE_HOLD, MF_MODE_DESCEND},
        {MAV_CMD_NAV_RETURN_TO_LAUNCH, MF_MODE_RTL, MF_MODE_DESCEND},
        {MAV_CMD_NAV_LAND, MF_MODE_LAND, MF_MODE_DESCEND},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct mf_vehicle *v = fx_airborne(k_default, 10.0);
        assert_int_equal(fx_command(k_case[i].command, TO_ALT(600.0f)), MAV_RESULT_ACCEPTED);
        assert_int_equal(v->commander.mode, k_case[i].before);
        fx_gps(false);
        assert_int_equal(v->commander.mode, k_case[i].after);
        assert_true(fx_leg()->land);
        assert_int_equal(fx_command(MAV_CMD_NAV_RETURN_TO_LAUNCH, NANS),
                         MAV_RESULT_TEMPORARILY_REJECTED);
        assert_true(v->commander.failsafe);
        assert_int_equal(fx_command(MAV_CMD_NAV_LAND, NANS), MAV_RESULT_TEMPORARILY_REJECTED);
        fx_reach(20 * S);
        (void)fx_step_at(22 * S);
        assert_false(v->commander.armed);
        assert_int_equal(v->commander.mode, MF_MODE_HOLD);
    }
}

static void test_loss_of_position_while_disarmed_is_not_said(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    fx_gps(false);
    fx_gps(true);
    assert_int_equal(fx_count(MF_MSG_STATUSTEXT), 0);
    assert_int_equal(v->commander.mode, MF_MODE_HOLD);
}

static void test_takeoff_goes_on_to_the_mission_where_that_is_set(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    fx_set_i("COM_TAKEOFF_ACT", 1);
    arm();
    (void)fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT(498.0f));
    fx_reach(4 * S);
    assert_int_equal(v->commander.mode, MF_MODE_HOLD); /* there is no mission */
}

/* Flights and time in the air are counted where PX4 counts them, without a word to the links. */
static void test_counts_flights_and_time(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 20.0);
    v->params.value[MF_PARAM_LND_FLIGHT_T_HI] = 1;
    v->params.value[MF_PARAM_LND_FLIGHT_T_LO] = UINT32_MAX - 1;
    v->params.value[MF_PARAM_COM_FLIGHT_UUID] = INT32_MAX;
    v->commander.took_off_us = 3;
    mf_commander_set_landed(v, 8, MF_LANDED_ON_GROUND);
    assert_int_equal(mf_param_i(&v->params, MF_PARAM_LND_FLIGHT_T_HI), 2);
    assert_int_equal(mf_param_i(&v->params, MF_PARAM_LND_FLIGHT_T_LO), 3);
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, NO_PARAMS), MAV_RESULT_ACCEPTED);
    assert_int_equal(mf_param_i(&v->params, MF_PARAM_COM_FLIGHT_UUID), 0);
    assert_int_equal(fx_count(MF_MSG_PARAM_VALUE), 0);
}

/* COM_ARM_MIS_REQ */
static void test_sim044_arming_by_parameter_needs_a_mission(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    fx_set_i("COM_ARM_MIS_REQ", 1);
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM),
                     MAV_RESULT_TEMPORARILY_REJECTED);
    assert_true(fx_named("Preflight Fail: mission"));
    fx.v.mission.count = 1;
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM), MAV_RESULT_ACCEPTED);
}

/* ---- timers, needs, and modes that are forced ---- */

/* Motors spin up for a second first; without a time to wait nothing disarms. */
static void test_disarms_without_a_take_off(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    fx_set_f("COM_DISARM_PRFLT", 0.5f);
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM), MAV_RESULT_ACCEPTED);
    assert_true(v->commander.disarm_us == 1500000);
    (void)fx_step_at(1500000);
    assert_false(v->commander.armed);
    fx_set_f("COM_DISARM_PRFLT", 0.0f);
    assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM), MAV_RESULT_ACCEPTED);
    assert_true(v->commander.disarm_us == MF_NEVER);
}

/* Without a position Hold goes on, but not to another place. */
static void test_a_target_in_the_mode_that_is_flown_needs_what_the_mode_needs(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 20.0);
    struct mf_target target = mf_target_none();
    target.alt_amsl_m = 520.0;
    fx.mock.gnss.fix.type = MF_FIX_NONE;
    mf_estimate_expire(&v->estimate);
    const size_t plans = fx.mock.airframe.plan_count;
    assert_int_equal(mf_commander_request(v, 1 * S, MF_MODE_HOLD, &target), MF_E_AGAIN);
    assert_int_equal(mf_commander_request(v, 1 * S, MF_MODE_HOLD, NULL), MF_E_OK);
    assert_int_equal(fx.mock.airframe.plan_count, plans);
}

/* LAND is forced where it cannot be flown, and an ordinary mode where it can. */
static void test_land_by_set_mode_with_a_position_is_no_failsafe(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 20.0);
    assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(4, 6)), MAV_RESULT_ACCEPTED);
    assert_int_equal(v->commander.mode, MF_MODE_LAND);
    assert_false(v->commander.failsafe);
    assert_true(fx_leg()->land);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim025_sim035_arming_is_announced_once),
        cmocka_unit_test(test_sim025_disarming_is_announced_once),
        cmocka_unit_test(test_sim035_stays_in_its_mode_by_setting_and_in_px4),
        cmocka_unit_test(test_sim025_denied_without_a_position),
        cmocka_unit_test(test_sim025_denied_by_motors_that_do_not_start),
        cmocka_unit_test(test_sim044_armable_on_the_ground_in_every_mode_unless_as_px4),
        cmocka_unit_test(test_disarms_11_s_after_arming_without_takeoff),
        cmocka_unit_test(test_disarms_2_s_after_landing),
        cmocka_unit_test(test_automatic_disarming_can_be_switched_off),
        cmocka_unit_test(test_sim038_a_takeoff_takes_the_disarming_off_the_agenda),
        cmocka_unit_test(test_taking_off_again_in_time_keeps_it_armed),
        cmocka_unit_test(test_sim025_disarming_in_the_air_needs_force),
        cmocka_unit_test(test_armed_again_in_its_fall_it_hovers_and_home_stays),
        cmocka_unit_test(test_termination_falls_and_nothing_leaves_it),
        cmocka_unit_test(test_sim034_change_of_mode_is_announced_once_and_logged),
        cmocka_unit_test(test_sim033_modes_in_the_air_need_what_they_need),
        cmocka_unit_test(test_landed_states_pass_once_each),
        cmocka_unit_test(test_sim044_at_one_instant_only_what_changed_is_said_again),
        cmocka_unit_test(test_sim022_arming_sets_home_and_shows_it),
        cmocka_unit_test(test_sim022_home_set_by_hand_stays_and_is_shown),
        cmocka_unit_test(test_sim016_zero_of_relative_altitude_is_home_in_px4),
        cmocka_unit_test(test_home_is_not_set_by_itself_where_that_is_switched_off),
        cmocka_unit_test(test_home_by_hand_before_the_first_fix),
        cmocka_unit_test(test_home_at_a_place_that_is_none_is_denied),
        cmocka_unit_test(test_sim045_sim046_loss_of_position_is_announced_once_as_critical),
        cmocka_unit_test(test_sim046_loss_of_position_in_every_mode),
        cmocka_unit_test(test_loss_of_position_while_disarmed_is_not_said),
        cmocka_unit_test(test_takeoff_goes_on_to_the_mission_where_that_is_set),
        cmocka_unit_test(test_counts_flights_and_time),
        cmocka_unit_test(test_sim044_arming_by_parameter_needs_a_mission),
        cmocka_unit_test(test_disarms_without_a_take_off),
        cmocka_unit_test(test_a_target_in_the_mode_that_is_flown_needs_what_the_mode_needs),
        cmocka_unit_test(test_land_by_set_mode_with_a_position_is_no_failsafe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
