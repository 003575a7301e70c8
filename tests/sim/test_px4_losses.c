/* SPDX-License-Identifier: Apache-2.0 */
/* What PX4 does when a device fails in flight, with --px4-strict. */
#include "mavlink/enums.h"
#include "tests/sim/rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define S 1000000

static const float k_gps_off[7] = {4.0f, 1.0f, 0, 0, 0, 0, 0};
static const float k_gps_on[7] = {4.0f, 0, 0, 0, 0, 0, 0};

/* Mission to a place 300 m north, 5 s after its start. */
static struct rig *under_way(void)
{
    const struct mf_options options = {.px4_strict = true};
    const struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_TAKEOFF, 6, 473977420, 85455940, 6.0f, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, 474004400, 85455940, 6.0f, 0.0f)};
    struct rig *r = rig_new(&options);
    rig_set_i(r, "SYS_FAILURE_EN", 1);
    rig_upload(r, items, 2);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, (const float[7]){0}),
                     MAV_RESULT_ACCEPTED);
    rig_run_until(r, 5 * S);
    return r;
}

static float accuracy_m(struct rig *r)
{
    struct mf_msg_estimator_status m;
    mf_mock_clear(&r->mock, 0);
    assert_int_equal(rig_command(r, MAV_CMD_REQUEST_MESSAGE, (const float[7]){230.0f}),
                     MAV_RESULT_ACCEPTED);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_ESTIMATOR_STATUS, &m));
    return m.pos_horiz_accuracy;
}

/* Dead reckoning for EKF2_NOAID_TOUT, 5 s: the mission goes on, its accuracy grows by 0.2 m *
 * t^1.5, and GPS_RAW_INT shows the loss at once. */
static void test_position_outlasts_the_fix(void **state)
{
    (void)state;
    struct rig *r = under_way();
    struct mf_msg_gps_raw_int gps;
    struct mf_msg_sys_status sys;
    const float before_m = accuracy_m(r);
    assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, k_gps_off), MAV_RESULT_ACCEPTED);
    mf_mock_clear(&r->mock, 0);
    rig_run_until(r, 9 * S);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_GPS_RAW_INT, &gps));
    assert_int_equal(gps.fix_type, 0);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_SYS_STATUS, &sys));
    assert_int_equal(sys.onboard_control_sensors_health & 0x20u, 0);
    assert_true(mf_mock_count(&r->mock, 0, MF_MSG_GLOBAL_POSITION_INT) > 3);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_MISSION);
    assert_true(fabs((double)accuracy_m(r) - (double)before_m - 1.6) < 0.01); /* 4 s */
    rig_run_until(r, 10 * S - 1000);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_MISSION);
    rig_run_until(r, 10 * S + 1000);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_DESCEND);
}

/* A fix that comes back within that time changes nothing; the next loss has 5 s again. */
static void test_a_short_loss_changes_nothing(void **state)
{
    (void)state;
    struct rig *r = under_way();
    const float before_m = accuracy_m(r);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, k_gps_off), MAV_RESULT_ACCEPTED);
        rig_run_until(r, r->mock.now.vehicle_us + 4 * S);
        assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_MISSION);
        assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, k_gps_on), MAV_RESULT_ACCEPTED);
        rig_run_until(r, r->mock.now.vehicle_us + S);
        assert_true(accuracy_m(r) == before_m);
    }
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_MISSION);
}

/* The output of a motor that failed: of the one that is named, or of all. The vehicle falls, and is
 * disarmed on the ground, in a mission too. */
static void test_a_failed_motor_shows(void **state)
{
    (void)state;
    for (int motor = 0; motor <= 5; motor++) {
        struct rig *r = under_way();
        struct mf_msg_servo_output_raw m;
        struct mf_msg_actuator_output_status a;
        struct mf_msg_esc_status e;
        const float off[7] = {101.0f, 1.0f, (float)motor, 0, 0, 0, 0};
        assert_int_equal(rig_command(r, MAV_CMD_INJECT_FAILURE, off),
                         motor == 5 ? MAV_RESULT_UNSUPPORTED : MAV_RESULT_ACCEPTED);
        mf_mock_clear(&r->mock, 0);
        rig_run_until(r, r->mock.now.vehicle_us + 100000);
        assert_int_equal(rig_command(r, MAV_CMD_REQUEST_MESSAGE, (const float[7]){36.0f}),
                         MAV_RESULT_ACCEPTED);
        assert_int_equal(rig_command(r, MAV_CMD_REQUEST_MESSAGE, (const float[7]){375.0f}),
                         MAV_RESULT_ACCEPTED);
        assert_int_equal(rig_command(r, MAV_CMD_REQUEST_MESSAGE, (const float[7]){291.0f}),
                         MAV_RESULT_ACCEPTED);
        assert_true(mf_mock_take(&r->mock, 0, MF_MSG_SERVO_OUTPUT_RAW, &m));
        assert_true(mf_mock_take(&r->mock, 0, MF_MSG_ACTUATOR_OUTPUT_STATUS, &a));
        assert_true(mf_mock_take(&r->mock, 0, MF_MSG_ESC_STATUS, &e));
        const uint16_t us[4] = {m.servo1_raw, m.servo2_raw, m.servo3_raw, m.servo4_raw};
        for (int i = 0; i < 4; i++) {
            const bool failed = motor == i + 1 || motor == 0;
            assert_int_equal(us[i], failed ? 900 : 1500);
            assert_true(a.actuator[i] == (float)us[i]);
            assert_int_equal(e.rpm[i], failed ? 0 : 6000);
        }
        rig_run_until(r, 12 * S);
        assert_int_equal(r->drone.vehicle.commander.armed, motor == 5);
        assert_int_equal(rig_pose(r).on_ground, motor != 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_position_outlasts_the_fix),
        cmocka_unit_test(test_a_failed_motor_shows),
        cmocka_unit_test(test_a_short_loss_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
