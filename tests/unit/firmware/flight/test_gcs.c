/* SPDX-License-Identifier: Apache-2.0 */
/* The ground station is there, is lost, and comes back. */
#include "tests/unit/firmware/flight_fixture.h"

static const struct mf_options k_default;

static void beat_at(mf_us_t t_us)
{
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_HEARTBEAT,
                     &(struct mf_msg_heartbeat){.type = MAV_TYPE_GCS});
    (void)fx_step_at(t_us);
}

static void test_without_a_ground_station_none_is_lost(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    (void)fx_step_at(3600 * (mf_us_t)S);
    assert_false(mf_gcs_lost(&fx.v.gcs, NULL));
    assert_false(mf_gcs_present(&fx.links[0], fx.v.now.transport_us));
    assert_false(fx_said("Connection"));
}

static void test_lost_after_com_dl_loss_t_and_regained(void **state)
{
    mf_us_t since_us = 0;
    (void)state;
    (void)fx_boot(k_default);
    beat_at(1 * S);
    assert_false(fx_said("GCS")); /* the first one is no news */
    beat_at(2 * S);
    (void)fx_step_at(11 * S);
    const struct mf_wake wake = fx_step_at(12 * S - 1);
    assert_true(wake.transport_us <= 12 * S);
    assert_false(mf_gcs_lost(&fx.v.gcs, NULL));
    (void)fx_step_at(12 * S);
    assert_true(mf_gcs_lost(&fx.v.gcs, &since_us));
    assert_true(since_us == 12 * S);
    assert_true(fx_said("Connection to ground station lost"));
    (void)fx_step_at(60 * S);
    assert_false(fx_said("Connection")); /* said once */
    beat_at(61 * S);
    assert_false(mf_gcs_lost(&fx.v.gcs, NULL));
    assert_true(fx_said("GCS connection regained"));
    (void)fx_step_at(71 * S);
    assert_true(fx_said("Connection to ground station lost"));
}

/* Neither a clock that runs fast nor one that is held makes a client silent. */
static void test_counted_in_both_times(void **state)
{
    mf_us_t since_us = 0;
    (void)state;
    (void)fx_boot(k_default);
    assert_int_equal(mf_param_override(&fx.v, "COM_DL_LOSS_T", 3.0), MF_E_OK);
    beat_at(1 * S);
    fx.mock.now = (struct mf_now){500 * (mf_us_t)S, 2 * S};
    (void)mf_vehicle_step(&fx.v);
    assert_false(mf_gcs_lost(&fx.v.gcs, NULL));
    fx.mock.now = (struct mf_now){1000 * (mf_us_t)S, 4 * S};
    (void)mf_vehicle_step(&fx.v);
    assert_true(mf_gcs_lost(&fx.v.gcs, &since_us));
    assert_true(since_us == 1000 * (mf_us_t)S);
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_HEARTBEAT,
                     &(struct mf_msg_heartbeat){.type = MAV_TYPE_GCS});
    (void)mf_vehicle_step(&fx.v);
    fx.mock.now = (struct mf_now){1002 * (mf_us_t)S, 600 * (mf_us_t)S};
    assert_true(mf_vehicle_step(&fx.v).transport_us <= 601 * (mf_us_t)S);
    assert_false(mf_gcs_lost(&fx.v.gcs, NULL));
    fx.mock.now = (struct mf_now){1003 * (mf_us_t)S, 601 * (mf_us_t)S};
    (void)mf_vehicle_step(&fx.v);
    assert_true(mf_gcs_lost(&fx.v.gcs, &since_us));
    assert_true(since_us == 1003 * (mf_us_t)S);
}

/* What the wall's timeout makes due runs in the same pass, also where no link is open any more. */
static void test_the_failsafe_acts_in_the_same_pass_without_links(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_airborne(k_default, 20.0);
    fx_set_i("NAV_DLL_ACT", 2);
    fx_set_i("COM_DL_LOSS_T", 3);
    beat_at(1 * S);
    assert_int_equal(fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT(600.0f)), MAV_RESULT_ACCEPTED);
    (void)fx_step_at(2 * S);
    mf_link_close(v, 0);
    const struct mf_wake wake = fx_step_at(4 * S);
    assert_int_equal(v->commander.mode, MF_MODE_HOLD);
    assert_true(wake.essential_us > 4 * S);
}

static void test_the_failsafe_is_told(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    assert_int_equal(mf_param_override(&fx.v, "NAV_DLL_ACT", 2.0), MF_E_OK);
    assert_int_equal(mf_param_override(&fx.v, "COM_DL_LOSS_T", 3.0), MF_E_OK);
    beat_at(1 * S);
    assert_int_equal(fx_command(400, ARM), 0);
    (void)fx_step_at(4 * S - 1);
    assert_false(fx_said("Failsafe"));
    (void)fx_step_at(4 * S);
    assert_true(fx_said("Connection to ground station lost"));
    assert_true(fx_said("Failsafe activated: entering Hold for 5 seconds"));
    assert_int_not_equal(fx.v.failsafe.present & 1u << MF_CAUSE_GCS_LOST, 0);
    beat_at(5 * S);
    assert_true(fx_said("GCS connection regained"));
    assert_int_equal(fx.v.failsafe.present & 1u << MF_CAUSE_GCS_LOST, 0);
}

static void test_present_for_two_and_a_half_seconds_on_its_own_link(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    fx_connect(1);
    beat_at(1 * S);
    (void)fx_step_at(3 * S + 500000);
    assert_true(mf_gcs_present(&fx.links[0], fx.v.now.transport_us));
    assert_false(mf_gcs_present(&fx.links[1], fx.v.now.transport_us));
    (void)fx_step_at(3 * S + 500001);
    assert_false(mf_gcs_present(&fx.links[0], fx.v.now.transport_us));
}

/* ---- the module alone, without a vehicle ---- */

static void test_one_that_was_never_heard_is_not_lost(void **state)
{
    struct mf_gcs g;
    mf_us_t since_us = 0;
    const struct mf_now now = {.vehicle_us = 900 * (mf_us_t)S, .transport_us = 900 * (mf_us_t)S};
    (void)state;
    mf_gcs_init(&g);
    assert_true(mf_gcs_look(&g, &now, 3 * S, now.transport_us) == MF_NEVER);
    assert_false(mf_gcs_lost(&g, &since_us));
    assert_true(since_us == MF_NEVER);
    assert_false(mf_gcs_hear(&g, (struct mf_heard){.rx_us = 1, .at_us = 1}));
}

/* Heard at 10 s of the wall and 100 s of the vehicle; patience of 3 s. */
static void test_lost_once_and_back_once(void **state)
{
    struct mf_gcs g;
    mf_us_t since_us = 0;
    struct mf_now now = {.vehicle_us = 102 * S, .transport_us = 12 * S};
    (void)state;
    mf_gcs_init(&g);
    assert_false(mf_gcs_hear(&g, (struct mf_heard){.rx_us = 10 * S, .at_us = 100 * S}));
    assert_true(mf_gcs_look(&g, &now, 3 * S, 12 * S) == 13 * S);
    now.transport_us = 13 * S; /* vehicle time stands */
    assert_true(mf_gcs_look(&g, &now, 3 * S, 13 * S) == 14 * S);
    now = (struct mf_now){.vehicle_us = 103 * S, .transport_us = 14 * S};
    assert_true(mf_gcs_look(&g, &now, 3 * S, 14 * S) == MF_NEVER);
    assert_true(mf_gcs_lost(&g, &since_us));
    assert_true(since_us == 103 * S);
    now.vehicle_us = 200 * S;
    assert_true(mf_gcs_look(&g, &now, 3 * S, 14 * S) == MF_NEVER);
    assert_true(mf_gcs_lost(&g, &since_us) && since_us == 103 * S); /* since then, not anew */
    assert_true(mf_gcs_hear(&g, mf_heard_now(&now, 200 * S)));
    assert_false(mf_gcs_lost(&g, NULL));
    assert_true(mf_gcs_look(&g, &now, 3 * S, 14 * S) == 17 * S);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_a_ground_station_none_is_lost),
        cmocka_unit_test(test_lost_after_com_dl_loss_t_and_regained),
        cmocka_unit_test(test_counted_in_both_times),
        cmocka_unit_test(test_the_failsafe_acts_in_the_same_pass_without_links),
        cmocka_unit_test(test_the_failsafe_is_told),
        cmocka_unit_test(test_present_for_two_and_a_half_seconds_on_its_own_link),
        cmocka_unit_test(test_one_that_was_never_heard_is_not_lost),
        cmocka_unit_test(test_lost_once_and_back_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
