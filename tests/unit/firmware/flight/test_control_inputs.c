/* SPDX-License-Identifier: Apache-2.0 */
/* Control inputs without a vehicle: what they give and need, and from tilt and thrust
 * to velocity. */
#include "firmware/core/param.h"
#include "firmware/flight/control_inputs.h"
#include "firmware/state/vehicle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define S 1000000

static const struct mf_options k_default;

static void test_live_streams_are_what_modes_need(void **state)
{
    struct mf_inputs s = {.had_manual = true};
    (void)state;
    assert_int_equal(mf_inputs_have(&s), 0);
    s.manual.live = true;
    assert_int_equal(mf_inputs_have(&s), MF_NEED_MANUAL);
    s.setpoint.live = true;
    s.target.live = true; /* no mode needs a target that moves */
    assert_int_equal(mf_inputs_have(&s), MF_NEED_MANUAL | MF_NEED_SETPOINT);
}

/* A setpoint of zeros is one; at boot there is none. */
static void test_at_boot_nothing_is_aimed_at(void **state)
{
    struct mf_inputs s = {.had_manual = false};
    (void)state;
    mf_inputs_init(&s);
    assert_true(isnan(s.aim.lat_deg) && isnan(s.aim.lon_deg) && isnan(s.aim.alt_amsl_m));
    assert_true(isnan(s.aim.vel_ned_mps[0]) && isnan(s.aim.yaw_rad));
}

static void test_offboard_needs_a_position_but_for_attitudes(void **state)
{
    struct mf_inputs s = {.had_manual = false};
    (void)state;
    assert_int_equal(mf_inputs_needs(&s, MF_MODE_OFFBOARD),
                     MF_NEED_SETPOINT | MF_NEED_LOCAL | MF_NEED_GLOBAL);
    s.attitude.flown = true;
    assert_int_equal(mf_inputs_needs(&s, MF_MODE_OFFBOARD), MF_NEED_SETPOINT);
    assert_int_equal(mf_inputs_needs(&s, MF_MODE_POSCTL),
                     MF_NEED_MANUAL | MF_NEED_LOCAL | MF_NEED_GLOBAL);
    assert_int_equal(mf_inputs_needs(&s, MF_MODE_DESCEND), 0);
}

static void test_sticks_count_at_a_loss_if_they_were_there_at_arming(void **state)
{
    struct mf_inputs s = {.had_manual = true};
    (void)state;
    mf_inputs_armed(&s);
    assert_false(s.had_manual);
    s.manual.live = true;
    mf_inputs_armed(&s);
    assert_true(s.had_manual);
}

static void test_channels_are_there_for_half_a_second(void **state)
{
    struct mf_inputs s = {.channels = {.heard = {.rx_us = 2 * S, .at_us = 1 * S}}};
    struct mf_now now = {.vehicle_us = 1500000, .transport_us = 2500000};
    (void)state;
    assert_false(mf_inputs_have_channels(&s, &now, 600000)); /* none was given */
    s.channels.count = 4;
    assert_true(mf_inputs_have_channels(&s, &now, 500001));
    assert_false(mf_inputs_have_channels(&s, &now, 500000));
    now.vehicle_us = 1400000; /* nobody flies while it is held */
    assert_true(mf_inputs_have_channels(&s, &now, 500000));
}

static void expect_velocity(const struct mf_params *p, const double up_ned[3], float thrust,
                            const double mps[3])
{
    float vel_ned_mps[3];
    mf_velocity_of_thrust(p, up_ned, thrust, vel_ned_mps);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs((double)vel_ned_mps[i] - mps[i]) < 1e-5);
    }
}

/* Drag of 1/s: the speed [m/s] is the acceleration [m/s^2]. Half the thrust hovers. */
static void test_thrust_and_tilt_lead_to_a_velocity(void **state)
{
    static const double k_upright[3] = {0.0, 0.0, -1.0};
    static const double k_north[3] = {0.6, 0.0, -0.8};
    static const double k_south_west[3] = {-0.36, -0.48, -0.8};
    struct mf_params p;
    (void)state;
    mf_param_reset(&p, &k_default);
    assert_true(mf_param_launch(&p, "MPC_THR_HOVER", 0.5) >= 0);
    assert_true(mf_param_launch(&p, "MPC_XY_VEL_MAX", 10.0) >= 0);
    assert_true(mf_param_launch(&p, "MPC_Z_VEL_MAX_UP", 3.0) >= 0);
    assert_true(mf_param_launch(&p, "MPC_Z_VEL_MAX_DN", 1.5) >= 0);
    expect_velocity(&p, k_upright, 0.5f, (const double[3]){0.0, 0.0, 0.0});
    expect_velocity(&p, k_upright, 0.6f, (const double[3]){0.0, 0.0, -1.96133});
    expect_velocity(&p, k_upright, 1.0f, (const double[3]){0.0, 0.0, -3.0});
    expect_velocity(&p, k_upright, 0.0f, (const double[3]){0.0, 0.0, 1.5});
    expect_velocity(&p, k_north, 0.625f, (const double[3]){7.3549875, 0.0, 0.0});
    /* 2 g along the thrust: 11.77 m/s sideways, cut to 10 */
    expect_velocity(&p, k_south_west, 1.0f, (const double[3]){-6.0, -8.0, -3.0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_live_streams_are_what_modes_need),
        cmocka_unit_test(test_at_boot_nothing_is_aimed_at),
        cmocka_unit_test(test_offboard_needs_a_position_but_for_attitudes),
        cmocka_unit_test(test_sticks_count_at_a_loss_if_they_were_there_at_arming),
        cmocka_unit_test(test_channels_are_there_for_half_a_second),
        cmocka_unit_test(test_thrust_and_tilt_lead_to_a_velocity),
    };
    return cmocka_run_group_tests_name("control_inputs", tests, NULL, NULL);
}
