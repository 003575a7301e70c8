/* SPDX-License-Identifier: Apache-2.0 */
/* HEARTBEAT by both clocks, and changes that are told at once. */
#include "tests/unit/firmware/flight_fixture.h"

static const struct mf_options k_default;

/* Vehicle time stands at 0, where the link got its first HEARTBEAT: a change that is none any more
 * is not said again, and delays no HEARTBEAT of the wall. */
static void test_a_change_that_is_left_out_delays_no_heartbeat(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    fx.mock.now.transport_us = 900000;
    (void)mf_vehicle_step(v);
    mf_announce(v, 0);
    assert_int_equal(fx_count(MF_MSG_HEARTBEAT), 0);
    fx.mock.now.transport_us = S;
    (void)mf_vehicle_step(v);
    assert_int_equal(fx_count(MF_MSG_HEARTBEAT), 1);
}

/* One that is said counts as the wall's, too. */
static void test_a_change_that_is_told_stands_for_the_heartbeat_of_the_wall(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    fx.mock.now = (struct mf_now){900000, 900000};
    (void)mf_vehicle_step(v);
    mf_announce(v, 900000);
    assert_int_equal(fx_count(MF_MSG_HEARTBEAT), 1);
    fx.mock.now.transport_us = 1899999;
    (void)mf_vehicle_step(v);
    assert_int_equal(fx_count(MF_MSG_HEARTBEAT), 1);
    fx.mock.now.transport_us = 1900000;
    (void)mf_vehicle_step(v);
    assert_int_equal(fx_count(MF_MSG_HEARTBEAT), 2);
}

/* Of two links only the second one has seen this instant's: its second of the wall goes on. */
static void test_one_link_that_is_left_out_keeps_its_second(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    fx.mock.now = (struct mf_now){500000, 500000};
    (void)mf_vehicle_step(v);
    fx_connect(1);
    fx.mock.now.transport_us = 900000;
    (void)mf_vehicle_step(v);
    mf_announce(v, 500000);
    assert_int_equal(fx_count(MF_MSG_HEARTBEAT), 1);
    fx.mock.now.transport_us = 1500000;
    (void)mf_vehicle_step(v);
    assert_true(mf_mock_count(&fx.mock, 1, MF_MSG_HEARTBEAT) >= 1);
}

static void test_without_links_nothing_is_due(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_init(k_default);
    mf_vehicle_pace_heartbeat(v, 0, false, 500000);
    assert_true(v->due_us[MF_TASK_HEARTBEAT] == MF_NEVER);
    assert_true(v->due_us[MF_TASK_HEARTBEAT_WALL] == MF_NEVER);
    fx_connect(0);
    assert_true(v->due_us[MF_TASK_HEARTBEAT_WALL] == 1500000);
    mf_link_close(v, 0);
    mf_announce(v, 0);
    assert_true(v->due_us[MF_TASK_HEARTBEAT] == MF_NEVER);
    assert_true(v->due_us[MF_TASK_HEARTBEAT_WALL] == MF_NEVER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_change_that_is_left_out_delays_no_heartbeat),
        cmocka_unit_test(test_a_change_that_is_told_stands_for_the_heartbeat_of_the_wall),
        cmocka_unit_test(test_one_link_that_is_left_out_keeps_its_second),
        cmocka_unit_test(test_without_links_nothing_is_due),
    };
    return cmocka_run_group_tests_name("news", tests, NULL, NULL);
}
