/* SPDX-License-Identifier: Apache-2.0 */
/* The scheduler: who runs when, in which order, and what the host is told. */
#include "firmware/link/say.h"
#include "firmware/report/snapshot.h"
#include "tests/unit/firmware/flight_fixture.h"

static const struct mf_options k_default;

static size_t heartbeats(void)
{
    const size_t n = fx_count(MF_MSG_HEARTBEAT);
    mf_mock_clear(&fx.mock, 0);
    return n;
}

/* The event of the log, counted from the last one backwards. */
static const struct mf_mock_event *event(size_t back)
{
    assert_true(fx.mock.event_count > back);
    return &fx.mock.event[(fx.mock.event_count - 1 - back) % MF_MOCK_EVENTS];
}

static void test_ids_outside_1_to_254_are_refused(void **state)
{
    static const struct {
        uint8_t sysid, compid;
        int result;
    } k_case[] = {
        {0, 1, MF_E_RANGE},   {255, 1, MF_E_RANGE}, {1, 0, MF_E_RANGE},
        {1, 255, MF_E_RANGE}, {1, 1, MF_E_OK},      {254, 254, MF_E_OK},
    };
    (void)state;
    (void)fx_init(k_default);
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        assert_int_equal(fx_try_init(k_case[i].sysid, k_case[i].compid, k_default),
                         k_case[i].result);
    }
    assert_int_equal(mf_param_i(&fx.v.params, MF_PARAM_MAV_SYS_ID), 254);
    assert_int_equal(mf_param_i(&fx.v.params, MF_PARAM_MAV_COMP_ID), 254);
}

static void test_without_links_and_flight_nothing_is_due(void **state)
{
    (void)state;
    (void)fx_init(k_default);
    const struct mf_wake wake = mf_vehicle_step(&fx.v);
    assert_true(wake.essential_us == MF_NEVER);
    assert_true(wake.periodic_us == MF_NEVER);
    assert_true(wake.transport_us == MF_NEVER);
}

/* A vehicle without a pool refuses a link, and has one while a pool is lent to it. */
static void test_a_pool_of_links_can_be_lent(void **state)
{
    static struct mf_link lent[1];
    static const int32_t k_interval_us[MF_STREAM_COUNT];
    const struct mf_serial serial = mf_mock_serial(&fx.mock, 0);
    (void)state;
    (void)fx_init(k_default);
    fx.v.shells = NULL;
    fx.v.barriers = NULL;
    mf_vehicle_lend(&fx.v, NULL, 0);
    assert_int_equal(mf_link_open(&fx.v, &serial, "lent", k_interval_us), MF_E_FULL);
    mf_vehicle_lend(&fx.v, lent, 1);
    assert_int_equal(mf_link_open(&fx.v, &serial, "lent", k_interval_us), 0);
    assert_true(lent[0].open && heartbeats() == 1);
    mf_link_close(&fx.v, 0);
    mf_vehicle_lend(&fx.v, NULL, 0);
    assert_true(mf_vehicle_step(&fx.v).essential_us == MF_NEVER);
}

static void count_event(void *ctx, mf_us_t t_us, enum mf_severity severity, const char *topic,
                        const char *text)
{
    (void)t_us, (void)severity, (void)topic, (void)text;
    ++*(unsigned *)ctx;
}

/* Whoever comes later hears what happens from there on, and leaves a vehicle that tells nobody. */
static void test_a_program_begins_to_watch(void **state)
{
    static const struct mf_log_ops k_count = {count_event};
    const struct mf_hal nothing = mf_hal_null();
    struct mf_journal journal = {0};
    unsigned events = 0;
    (void)state;
    (void)fx_boot(k_default);
    mf_vehicle_watch(&fx.v, &journal, &k_count, &events);
    assert_ptr_equal(mf_vehicle_journal(&fx.v), &journal);
    mf_say(&fx.v, MF_INFO, "heard");
    assert_true(events == 1 && journal.texts.count == 1);
    mf_vehicle_watch(&fx.v, NULL, nothing.log, nothing.log_ctx);
    mf_say(&fx.v, MF_INFO, "not heard");
    assert_true(events == 1 && journal.texts.count == 1);
}

static void test_sim015_wake_times_by_kind_and_clock(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    struct mf_wake wake = fx_step_at(0);
    assert_true(wake.essential_us == MF_NEVER);
    assert_int_equal(wake.periodic_us, 1 * S);  /* HEARTBEAT, by vehicle time */
    assert_int_equal(wake.transport_us, 1 * S); /* and by the wall */
    fx.mock.gnss.next_us = 700000;              /* a receiver that knows its future ... */
    mf_wake_at(&fx.v, MF_TASK_HEALTH, 300000);
    wake = fx_step_at(300000);
    assert_int_equal(wake.essential_us, 700000);
    fx.mock.gnss.next_result = MF_E_NOSUPP; /* ... and one that is asked every 100 ms */
    wake = fx_step_at(700000);
    assert_int_equal(wake.essential_us, 800000);
}

static void test_a_receiver_that_names_the_past_does_not_stop_time(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    fx.v.hal.gnss_ctx = &fx.mock.gnss;
    fx.mock.gnss.next_us = 5;
    mf_wake_at(&fx.v, MF_TASK_HEALTH, 4);
    assert_int_equal(fx_step_at(4).essential_us, 5);
    assert_true(fx_step_at(10).essential_us == MF_NEVER);
}

/* All at 4 s: the fix is lost, the altitude is reached. Health, navigator, commander, in the order
 * of the list, and each is told 4 s though the host comes at 9 s. */
static void test_tasks_run_in_order_at_their_own_time(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    (void)fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM);
    (void)fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT(498.0f));
    fx.mock.gnss.fix.type = MF_FIX_NONE;
    fx.reached_plan = 1;
    fx.reached_us = 4 * S;
    mf_mock_place(&fx.mock, HERE_LAT, HERE_LON, 498.0, false);
    mf_wake_at(v, MF_TASK_NAVIGATOR, 4 * S);
    mf_wake_at(v, MF_TASK_HEALTH, 4 * S);
    (void)fx_step_at(9 * S);
    assert_int_equal(v->commander.mode, MF_MODE_DESCEND);
    assert_int_equal(fx_last_plan()->t_us, 4 * S);
    assert_true(fx_leg()->land);
    assert_string_equal(event(0)->topic, "landed");
    assert_string_equal(event(0)->text, "landing");
    assert_string_equal(event(1)->text, "Hold -> Descend");
    assert_string_equal(event(2)->text, "Failsafe activated");
    assert_string_equal(event(3)->text, "GNSS data fusion stopped");
    assert_string_equal(event(4)->text, "Takeoff -> Hold");
    assert_string_equal(event(5)->text, "in air");
    for (size_t i = 0; i < 6; i++) {
        assert_true(strcmp(event(i)->topic, "text") == 0 || event(i)->t_us == 4 * S);
    }
}

/* Two things due within a nap of the host: the earlier first, whatever their place in the list. */
static void test_the_earlier_task_runs_first(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    (void)fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM); /* disarms by itself at 11 s: commander */
    fx.mock.gnss.fix.type = MF_FIX_NONE;                 /* noticed at 12 s: health */
    mf_wake_at(v, MF_TASK_HEALTH, 12 * S);
    (void)fx_step_at(20 * S);
    assert_true(mf_mock_logged(&fx.mock, "text", "Disarmed by auto preflight disarming"));
    assert_false(mf_mock_logged(&fx.mock, "text", "GNSS data fusion stopped")); /* disarmed then */
}

static void test_sim015_heartbeat_while_vehicle_time_stands_still(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    for (int i = 1; i <= 10; i++) {
        fx.mock.now.transport_us = i * S - 1;
        (void)mf_vehicle_step(&fx.v);
        fx.mock.now.transport_us = i * S;
        const struct mf_wake wake = mf_vehicle_step(&fx.v);
        assert_int_equal(wake.transport_us, (i + 1) * S);
        assert_int_equal(wake.periodic_us, 1 * S);
    }
    assert_int_equal(heartbeats(), 10);
}

/* A client that holds time at 0.4 s and thinks for ten seconds moves no HEARTBEAT of
 * vehicle time. */
static void test_sim042_heartbeats_of_the_wall_come_in_addition(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    for (int i = 0; i <= 100; i++) {
        fx.mock.now = (struct mf_now){400000, 400000 + i * 100000};
        (void)mf_vehicle_step(&fx.v);
    }
    assert_int_equal(heartbeats(), 10); /* at 1, 2 ... 10 s of the wall */
    fx.mock.now = (struct mf_now){S - 1, 11 * S - 2};
    assert_int_equal(mf_vehicle_step(&fx.v).periodic_us, S);
    assert_int_equal(heartbeats(), 0);
    fx.mock.now = (struct mf_now){S, 11 * S - 1};
    const struct mf_wake wake = mf_vehicle_step(&fx.v);
    assert_int_equal(heartbeats(), 1);
    assert_int_equal(wake.periodic_us, 2 * S);
    assert_int_equal(wake.transport_us, 12 * S - 1);
}

static void test_sim015_heartbeat_at_a_hundred_times_real_time(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    for (int i = 1; i <= 1000; i++) { /* 100 s of vehicle time in 1 s */
        fx.mock.now = (struct mf_now){i * 100000, i * 1000};
        (void)mf_vehicle_step(&fx.v);
    }
    assert_int_equal(heartbeats(), 100);
}

static void test_sim015_heartbeat_at_half_of_real_time(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    for (int i = 1; i <= 1000; i++) {
        fx.mock.now = (struct mf_now){i * 5000, i * 10000};
        (void)mf_vehicle_step(&fx.v);
    }
    assert_int_equal(heartbeats(), 10);
}

static void test_sim015_heartbeat_once_a_second_where_both_clocks_agree(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    for (int i = 1; i <= 1000; i++) {
        (void)fx_step_at(i * 10000);
    }
    assert_int_equal(heartbeats(), 10);
}

static void test_host_that_slept_for_a_minute_sends_one_heartbeat_and_counts(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    const struct mf_wake wake = fx_step_at(60 * S);
    assert_int_equal(heartbeats(), 1);
    assert_int_equal(v->counters.overruns, 1);
    assert_int_equal(wake.periodic_us, 61 * S);
    (void)fx_step_at(63 * S); /* not late by much: the seconds are made good */
    assert_int_equal(heartbeats(), 3);
    assert_int_equal(v->counters.overruns, 1);
}

static void test_a_link_that_opens_after_hours_gets_the_present(void **state)
{
    (void)state;
    struct mf_msg_system_time m;
    static int32_t interval_us[MF_STREAM_COUNT];
    struct mf_vehicle *v = fx_init(k_default);
    const struct mf_serial serial = mf_mock_serial(&fx.mock, 0);
    mf_stream_profile(MF_PROFILE_sim, interval_us);
    mf_mock_advance(&fx.mock, 7200 * (mf_us_t)S);
    assert_int_equal(mf_link_open(v, &serial, "late", interval_us), 0);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_SYSTEM_TIME, &m));
    assert_int_equal(m.time_boot_ms, 7200000);
    mf_mock_clear(&fx.mock, 0);
    (void)mf_vehicle_step(v);
    assert_int_equal(heartbeats(), 0);
    assert_int_equal(v->counters.overruns, 0);
}

static void test_what_input_makes_due_runs_in_the_same_pass(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    (void)fx_step_at(5 * S);
    (void)fx_command(MAV_CMD_NAV_TAKEOFF, TO_ALT(498.0f));
    assert_int_equal(fx.mock.airframe.plan_count, 0);
    (void)fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM);
    assert_int_equal(fx.mock.airframe.plan_count, 1);
    assert_int_equal(fx_last_plan()->t_us, 5 * S);
    assert_int_equal(v->commander.landed, MF_LANDED_TAKEOFF);
}

static void test_wake_at_only_makes_earlier(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_init(k_default);
    mf_wake_at(v, MF_TASK_NAVIGATOR, 7 * S);
    mf_wake_at(v, MF_TASK_NAVIGATOR, 9 * S);
    assert_int_equal(mf_vehicle_step(v).essential_us, 7 * S);
}

/* The board restarts a vehicle that was killed in the air: it is not on the ground yet. */
static void test_boots_falling(void **state)
{
    (void)state;
    (void)fx_init(k_default);
    mf_mock_place(&fx.mock, HERE_LAT, HERE_LON, 500.0, false);
    assert_int_equal(fx_try_init(1, 1, k_default), MF_E_OK);
    assert_int_equal(fx.v.commander.landed, MF_LANDED_IN_AIR);
    fx.mock.airframe.next_result = MF_E_NOSUPP;
    assert_int_equal(fx_step_at(0).essential_us, 50000); /* looks again */
    mf_mock_place(&fx.mock, HERE_LAT, HERE_LON, GROUND_M, true);
    (void)fx_step_at(50000);
    assert_int_equal(fx.v.commander.landed, MF_LANDED_ON_GROUND);
    assert_false(fx.v.commander.armed);
}

static void test_announcement_is_three_messages_on_every_link(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    fx_connect(1);
    (void)fx_step_at(S / 2);
    mf_announce(v, S / 2);
    mf_announce(v, S / 2); /* nothing has changed since */
    for (int port = 0; port < 2; port++) {
        assert_int_equal(mf_mock_count(&fx.mock, port, MF_MSG_HEARTBEAT), 1);
        assert_int_equal(mf_mock_count(&fx.mock, port, MF_MSG_EXTENDED_SYS_STATE), 1);
        assert_int_equal(mf_mock_count(&fx.mock, port, MF_MSG_CURRENT_MODE), 1);
    }
}

static void test_what_a_link_did_not_take_is_said_again(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    (void)fx_step_at(S / 2);
    fx.mock.port[0].room = 0;
    mf_announce(v, S / 2);
    fx.mock.port[0].room = SIZE_MAX;
    mf_announce(v, S / 2);
    mf_announce(v, S / 2);
    assert_int_equal(fx_count(MF_MSG_HEARTBEAT), 1);
    assert_int_equal(fx_count(MF_MSG_EXTENDED_SYS_STATE), 1);
    fx_connect(1); /* has its first HEARTBEAT now, but no streams */
    mf_announce(v, S / 2);
    assert_int_equal(fx_count(MF_MSG_EXTENDED_SYS_STATE), 1);
    assert_int_equal(mf_mock_count(&fx.mock, 1, MF_MSG_HEARTBEAT), 0);
    assert_int_equal(mf_mock_count(&fx.mock, 1, MF_MSG_EXTENDED_SYS_STATE), 1);
}

static void test_busy_while_a_list_or_a_transfer_runs(void **state)
{
    const struct mf_msg_param_request_list list = {.target_system = 1, .target_component = 1};
    const struct mf_msg_mission_count count = {
        .count = 1, .target_system = 1, .target_component = 1};
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    assert_false(mf_vehicle_busy(v));
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_PARAM_REQUEST_LIST, &list);
    (void)fx_step_at(0);
    assert_true(mf_vehicle_busy(v));
    for (mf_us_t t_us = 1; t_us <= 2 * S && mf_vehicle_busy(v); t_us += 10000) {
        (void)fx_step_at(t_us);
        mf_mock_clear(&fx.mock, 0);
    }
    assert_false(mf_vehicle_busy(v));
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_PARAM_REQUEST_LIST, &list);
    (void)fx_step_at(3 * S);
    assert_true(mf_vehicle_busy(v));
    mf_link_close(v, 0); /* nobody waits any more */
    assert_false(mf_vehicle_busy(v));
    fx_connect(0);
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_MISSION_COUNT, &count);
    (void)fx_step_at(3 * S);
    assert_true(mf_vehicle_busy(v));
}

static void test_counts_passes_tasks_and_commands(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    const struct mf_counters before = v->counters;
    (void)fx_step_at(1 * S); /* HEARTBEAT by vehicle time; that of the wall moves with it */
    assert_int_equal(v->counters.passes, before.passes + 1);
    assert_int_equal(v->counters.tasks, before.tasks + 1);
    (void)fx_command(MAV_CMD_RUN_PREARM_CHECKS, NO_PARAMS);
    (void)fx_command(65000, NO_PARAMS);
    assert_int_equal(v->counters.commands_accepted, 1);
    assert_int_equal(v->counters.commands_refused, 1);
}

static void test_status_is_that_of_the_last_pass(void **state)
{
    (void)state;
    const struct mf_vehicle *v = fx_boot(k_default);
    (void)fx_step_at(3 * S);
    struct mf_status status = mf_vehicle_status(v);
    assert_int_equal(status.now.vehicle_us, 3 * S);
    assert_int_equal(*mf_vehicle_clock(v), 3 * S);
    assert_int_equal(status.sysid, 1);
    assert_int_equal(status.links_open, 1);
    assert_int_equal(status.mode, MF_MODE_HOLD);
    assert_true(status.on_ground && status.landed == MF_LANDED_ON_GROUND);
    assert_false(status.armed || status.failsafe || status.reboot || status.shutdown);
    (void)fx_airborne(k_default, 10.0);
    status = mf_vehicle_status(v);
    assert_true(status.armed && !status.on_ground);
    assert_int_equal(status.counters.commands_accepted, v->counters.commands_accepted);
    (void)fx_command(MAV_CMD_COMPONENT_ARM_DISARM, (const float[7]){0.0f, 21196.0f});
    (void)fx_command(MAV_CMD_PREFLIGHT_REBOOT_SHUTDOWN, (const float[7]){2.0f});
    status = mf_vehicle_status(v);
    assert_true(status.shutdown && !status.reboot && !status.armed);
}

static void test_a_snapshot_of_links_goes_over_closed_ones(void **state)
{
    struct mf_snapshot_link link;
    (void)state;
    struct mf_vehicle *v = fx_boot(k_default);
    fx_connect(1);
    mf_link_close(v, 0);
    fx.mock.now.transport_us = 7 * S;
    mf_mock_feed_msg(&fx.mock, 1, MF_MSG_HEARTBEAT, &(struct mf_msg_heartbeat){.type = 6});
    (void)mf_vehicle_step(v);
    assert_int_equal(mf_snapshot_link(v, 0, &link), MF_E_NOENT);
    assert_int_equal(mf_snapshot_link(v, 1, &link), MF_E_OK);
    assert_int_equal(link.version, 2);
    assert_int_equal(link.rx_us, 7 * S);
    assert_int_equal(link.stats.rx_frames, 1);
    assert_int_equal(link.bytes.bad_crc, 0);
    assert_ptr_equal(link.name, v->links[1].name);
    assert_int_equal(mf_snapshot_link(v, 2, &link), MF_E_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids_outside_1_to_254_are_refused),
        cmocka_unit_test(test_without_links_and_flight_nothing_is_due),
        cmocka_unit_test(test_a_pool_of_links_can_be_lent),
        cmocka_unit_test(test_a_program_begins_to_watch),
        cmocka_unit_test(test_sim015_wake_times_by_kind_and_clock),
        cmocka_unit_test(test_a_receiver_that_names_the_past_does_not_stop_time),
        cmocka_unit_test(test_tasks_run_in_order_at_their_own_time),
        cmocka_unit_test(test_the_earlier_task_runs_first),
        cmocka_unit_test(test_sim015_heartbeat_while_vehicle_time_stands_still),
        cmocka_unit_test(test_sim042_heartbeats_of_the_wall_come_in_addition),
        cmocka_unit_test(test_sim015_heartbeat_at_a_hundred_times_real_time),
        cmocka_unit_test(test_sim015_heartbeat_at_half_of_real_time),
        cmocka_unit_test(test_sim015_heartbeat_once_a_second_where_both_clocks_agree),
        cmocka_unit_test(test_host_that_slept_for_a_minute_sends_one_heartbeat_and_counts),
        cmocka_unit_test(test_a_link_that_opens_after_hours_gets_the_present),
        cmocka_unit_test(test_what_input_makes_due_runs_in_the_same_pass),
        cmocka_unit_test(test_wake_at_only_makes_earlier),
        cmocka_unit_test(test_boots_falling),
        cmocka_unit_test(test_announcement_is_three_messages_on_every_link),
        cmocka_unit_test(test_what_a_link_did_not_take_is_said_again),
        cmocka_unit_test(test_busy_while_a_list_or_a_transfer_runs),
        cmocka_unit_test(test_counts_passes_tasks_and_commands),
        cmocka_unit_test(test_status_is_that_of_the_last_pass),
        cmocka_unit_test(test_a_snapshot_of_links_goes_over_closed_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
