/* SPDX-License-Identifier: Apache-2.0 */
/* Control inputs that fall silent: who is lost when, and what follows from it. */
#include "tests/unit/firmware/flight_fixture.h"

static const struct mf_options k_default;

static void feed_sticks(mf_us_t t_us)
{
    const struct mf_msg_manual_control m = {.target = 1, .z = 500};
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_MANUAL_CONTROL, &m);
    (void)fx_step_at(t_us);
}

static void feed_velocity(mf_us_t t_us)
{
    const struct mf_msg_set_position_target_local_ned m = {.vx = 1.0f,
                                                           .type_mask = 0x0DC7, /* velocity */
                                                           .target_system = 1,
                                                           .target_component = 1,
                                                           .coordinate_frame = MAV_FRAME_LOCAL_NED};
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_SET_POSITION_TARGET_LOCAL_NED, &m);
    (void)fx_step_at(t_us);
}

static bool holds(enum mf_cause cause)
{
    return ((unsigned)fx.v.failsafe.present >> cause & 1u) != 0;
}

/* Asked again 50 ms after it was heard, and at its time-out of 0.5 s. */
static void test_sticks_are_lost_after_their_time_out(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    feed_sticks(1 * S);
    assert_int_equal(fx_step_at(1 * S).transport_us, 1050000);
    assert_int_equal(fx_step_at(1050000).transport_us, 1500000);
    (void)fx_step_at(1499999);
    assert_true(fx.v.inputs.manual.live);
    (void)fx_step_at(1500000);
    assert_false(fx.v.inputs.manual.live);
}

static void test_sticks_beyond_their_ends_are_at_them(void **state)
{
    const struct mf_msg_manual_control m = {
        .target = 1, .x = 1500, .y = -1500, .z = 1200, .r = 1000};
    (void)state;
    (void)fx_boot(k_default);
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_MANUAL_CONTROL, &m);
    (void)fx_step_at(1 * S);
    const struct mf_sticks *s = &fx.v.inputs.sticks;
    assert_true(s->pitch == 1.0f && s->roll == -1.0f && s->throttle == 1.0f && s->yaw == 1.0f);
}

static void test_a_target_is_forgotten_after_ten_seconds(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    (void)fx_step_at(1 * S);
    assert_true(mf_input_heard(v, &v->inputs.target, 1 * S));
    for (int i = 1; i < 1000; i++) {
        (void)fx_step_at(1 * S + i * 10000);
        assert_true(v->inputs.target.live);
    }
    (void)fx_step_at(11 * S);
    assert_false(v->inputs.target.live);
}

/* It reads what has arrived first, if it slept for more than 20 ms. */
static void test_a_host_that_slept_calls_nobody_silent_before_it_has_read(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    feed_sticks(1 * S);
    (void)fx_step_at(1050000);
    v->now = (struct mf_now){1520001, 1520001};
    assert_int_equal(mf_inputs_run(v, 1500000), 1520002);
    assert_true(v->inputs.manual.live);
    v->now = (struct mf_now){1520000, 1520000};
    (void)mf_inputs_run(v, 1500000);
    assert_false(v->inputs.manual.live);
}

/* PX4: no failsafe on the ground, nor where no sticks were there at arming. */
static void test_lost_sticks_matter_in_a_flight_that_began_with_them(void **state)
{
    static const struct {
        bool before, flies, lost;
    } k_case[] = {{true, true, true}, {false, true, false}, {true, false, false}};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct mf_vehicle *v = k_case[i].flies ? fx_airborne(k_default, 20.0) : fx_boot(k_default);
        const mf_us_t now_us = fx.mock.now.vehicle_us;
        if (!k_case[i].flies) {
            assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM), MAV_RESULT_ACCEPTED);
        }
        feed_sticks(now_us);
        v->inputs.had_manual = k_case[i].before;
        mf_inputs_lose_manual(v, now_us);
        assert_int_equal(holds(MF_CAUSE_MANUAL_LOST), k_case[i].lost);
    }
}

/* COM_OBL_RC_ACT 0 to 2: Position, Altitude, Stabilized; 3 returns though there is a pilot. */
static void test_lost_setpoints_hand_over_to_the_pilot(void **state)
{
    static const enum mf_mode k_mode[] = {MF_MODE_POSCTL, MF_MODE_ALTCTL, MF_MODE_STABILIZED,
                                          MF_MODE_RTL};
    (void)state;
    for (int32_t i = 0; i < 4; i++) {
        struct mf_vehicle *v = fx_airborne(k_default, 20.0);
        fx_set_i("COM_OBL_RC_ACT", i);
        fx_set_f("COM_RC_LOSS_T", 60.0f);
        feed_velocity(1 * S);
        feed_sticks(1 * S);
        assert_int_equal(fx_command(MAV_CMD_DO_SET_MODE, MODE(6, 0)), MAV_RESULT_ACCEPTED);
        (void)fx_step_at(1050000);
        (void)fx_step_at(2 * S);
        assert_false(v->inputs.setpoint.live);
        assert_int_equal(v->commander.mode, k_mode[i]);
        assert_int_equal(v->commander.failsafe, i == 3);
        assert_int_equal(holds(MF_CAUSE_OFFBOARD_LOST), i == 3);
    }
}

static void test_a_target_that_is_heard_is_no_setpoint(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 20.0);
    mf_failsafe_set(v, 1 * S, MF_CAUSE_OFFBOARD_LOST, true);
    mf_failsafe_set(v, 1 * S, MF_CAUSE_MANUAL_LOST, true);
    assert_true(mf_input_heard(v, &v->inputs.target, 1 * S));
    assert_false(mf_input_heard(v, &v->inputs.target, 1 * S));
    assert_true(holds(MF_CAUSE_OFFBOARD_LOST) && holds(MF_CAUSE_MANUAL_LOST));
    (void)mf_input_heard(v, &v->inputs.manual, 1 * S);
    assert_true(holds(MF_CAUSE_OFFBOARD_LOST) && !holds(MF_CAUSE_MANUAL_LOST));
    (void)mf_input_heard(v, &v->inputs.setpoint, 1 * S);
    assert_false(holds(MF_CAUSE_OFFBOARD_LOST));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sticks_are_lost_after_their_time_out),
        cmocka_unit_test(test_sticks_beyond_their_ends_are_at_them),
        cmocka_unit_test(test_a_target_is_forgotten_after_ten_seconds),
        cmocka_unit_test(test_a_host_that_slept_calls_nobody_silent_before_it_has_read),
        cmocka_unit_test(test_lost_sticks_matter_in_a_flight_that_began_with_them),
        cmocka_unit_test(test_lost_setpoints_hand_over_to_the_pilot),
        cmocka_unit_test(test_a_target_that_is_heard_is_no_setpoint),
    };
    return cmocka_run_group_tests_name("control_inputs_watch", tests, NULL, NULL);
}
