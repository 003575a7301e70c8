/* SPDX-License-Identifier: Apache-2.0 */
/* One drone as one object: world, vehicle, store and links put together. */
#include "drone/drone.h"
#include "mavlink/enums.h"
#include "tests/unit/support/firmware.h"
#include "tests/unit/support/mock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct mf_mock s_mock;
static struct mf_drone s_drone[2];
static struct mf_link s_links[2][1];
static struct mf_store_memory s_store;
static uint8_t s_params[2][MF_PARAM_COUNT * MF_STORE_PARAM_BYTES];
static struct mf_world_settings s_world;
static uint8_t s_parts[MF_WORLD_PARTS_BYTES];
static struct mf_memory s_memory;

static struct mf_drone_setup setup_of(int index)
{
    struct mf_drone_setup setup = {
        .world = &s_world,
        .store = &s_store,
        .vehicle = {.hal = mf_hal_null(),
                    .links = s_links[index],
                    .link_count = 1,
                    .sysid = (uint8_t)(index + 1),
                    .compid = 1,
                    .uid = 1},
    };
    const struct mf_hal mock = mf_mock_hal(&s_mock);
    setup.vehicle.hal.clock = mock.clock;
    setup.vehicle.hal.clock_ctx = mock.clock_ctx;
    return setup;
}

static int before(void **state)
{
    (void)state;
    const struct mf_store_banks banks[MF_STORE_AREA_COUNT] = {
        [MF_STORE_PARAM] = {{s_params[0], s_params[1]}, MF_PARAM_COUNT}};
    memset(s_drone, 0, sizeof s_drone);
    s_memory = (struct mf_memory){.bytes = s_parts, .size = sizeof s_parts};
    mf_mock_init(&s_mock);
    s_world = mf_world_settings_default();
    s_world.memory = &s_memory;
    mf_store_memory_init(&s_store, banks);
    return 0;
}

static int open_link(int index)
{
    static int32_t interval_us[MF_STREAM_COUNT];
    const struct mf_drone_link link = {
        .serial = mf_mock_serial(&s_mock, index), .name = "mock", .interval_us = interval_us};
    mf_stream_profile(MF_PROFILE_sim, interval_us);
    return mf_drone_open(&s_drone[index], &link);
}

static void pass_time(mf_us_t by_us)
{
    mf_mock_advance(&s_mock, by_us);
    (void)mf_drone_step(&s_drone[0]);
}

static void test_a_drone_stands_in_its_world_and_speaks(void **state)
{
    (void)state;
    struct mf_msg_heartbeat heartbeat;
    struct mf_msg_global_position_int position;
    s_world.home_lat_deg = 10.5;
    const struct mf_drone_setup setup = setup_of(0);
    assert_int_equal(mf_drone_init(&s_drone[0], &setup), MF_E_OK);
    assert_int_equal(open_link(0), 0);
    (void)mf_drone_step(&s_drone[0]);
    pass_time(1000000);
    assert_true(mf_mock_take(&s_mock, 0, MF_MSG_HEARTBEAT, &heartbeat));
    assert_int_equal(heartbeat.autopilot, 12); /* MAV_AUTOPILOT_PX4 */
    assert_true(mf_mock_take(&s_mock, 0, MF_MSG_GLOBAL_POSITION_INT, &position));
    assert_int_equal(position.lat, 105000000);
}

static void test_a_closed_link_is_free_for_the_next_peer(void **state)
{
    (void)state;
    const struct mf_drone_setup setup = setup_of(0);
    assert_int_equal(mf_drone_init(&s_drone[0], &setup), MF_E_OK);
    assert_int_equal(open_link(0), 0);
    assert_int_equal(open_link(0), MF_E_FULL);
    mf_drone_close(&s_drone[0], 0);
    assert_int_equal(open_link(0), 0);
}

static void test_the_store_outlives_a_second_init(void **state)
{
    (void)state;
    const struct mf_drone_setup setup = setup_of(0);
    struct mf_msg_param_set set = {.target_system = 1,
                                   .target_component = 1,
                                   .param_id = "COM_RC_IN_MODE",
                                   .param_value = 4, /* as int32, bytewise */
                                   .param_type = MAV_PARAM_TYPE_INT32};
    assert_int_equal(mf_drone_init(&s_drone[0], &setup), MF_E_OK);
    assert_int_equal(open_link(0), 0);
    mf_mock_feed_msg(&s_mock, 0, MF_MSG_PARAM_SET, &set);
    (void)mf_drone_step(&s_drone[0]);
    for (int i = 0; i < 10 && s_store.area[MF_STORE_PARAM].info.count == 0; i++) {
        pass_time(1000000);
    }
    assert_int_equal(s_store.area[MF_STORE_PARAM].info.count, 1);
    assert_int_equal(mf_drone_init(&s_drone[0], &setup), MF_E_OK);
    assert_int_equal(mf_param_i(&s_drone[0].vehicle.params, MF_PARAM_COM_RC_IN_MODE), 4);
}

static void test_a_reboot_leaves_the_world_as_it_is(void **state)
{
    (void)state;
    const struct mf_drone_setup setup = setup_of(0);
    assert_int_equal(mf_drone_init(&s_drone[0], &setup), MF_E_OK);
    const struct mf_hal *hal = &s_drone[0].vehicle.hal;
    assert_int_equal(mf_inject_set(hal, 0, MF_FAULT_GPS_OFF, true, NULL), MF_E_OK);
    assert_int_equal(mf_drone_reboot(&s_drone[0], &setup), MF_E_OK);
    assert_true(mf_inject_active(hal, 0, MF_FAULT_GPS_OFF, NULL));
    assert_int_equal(mf_drone_init(&s_drone[0], &setup), MF_E_OK);
    assert_false(mf_inject_active(hal, 0, MF_FAULT_GPS_OFF, NULL));
}

static void test_a_board_brings_its_own_devices(void **state)
{
    (void)state;
    struct mf_drone_setup setup = setup_of(0);
    setup.world = NULL;
    setup.store = NULL;
    setup.vehicle.hal = mf_mock_hal(&s_mock);
    assert_int_equal(mf_drone_init(&s_drone[0], &setup), MF_E_OK);
    assert_ptr_equal(s_drone[0].vehicle.hal.airframe_ctx, &s_mock.airframe);
    assert_ptr_equal(s_drone[0].vehicle.hal.store_ctx, &s_mock.store);
    (void)mf_drone_step(&s_drone[0]);
}

static void test_parts_are_made_when_they_are_needed_and_kept(void **state)
{
    (void)state;
    const struct mf_drone_setup setup = setup_of(0);
    const struct mf_hal *hal = &s_drone[0].vehicle.hal;
    assert_int_equal(mf_drone_init(&s_drone[0], &setup), MF_E_OK);
    (void)mf_drone_step(&s_drone[0]);
    assert_int_equal(mf_inject_set(hal, 0, MF_FAULT_GPS_OFF, false, NULL), MF_E_OK);
    assert_int_equal(s_memory.used, 0); /* a plain drone needs none */
    assert_int_equal(mf_inject_set(hal, 0, MF_FAULT_GPS_OFF, true, NULL), MF_E_OK);
    const size_t used = s_memory.used;
    assert_true(used >= sizeof(struct mf_fault_book));
    s_world.motion = MF_WORLD_MOTION_PHYSICS;
    assert_int_equal(mf_drone_init(&s_drone[0], &setup), MF_E_OK);
    assert_false(mf_inject_active(hal, 0, MF_FAULT_GPS_OFF, NULL)); /* another life */
    const size_t with_body = s_memory.used;
    assert_true(with_body >= used + sizeof(struct mf_airframe_physics));
    assert_int_equal(mf_inject_set(hal, 0, MF_FAULT_GPS_OFF, true, NULL), MF_E_OK);
    assert_int_equal(mf_drone_init(&s_drone[0], &setup), MF_E_OK);
    assert_int_equal(s_memory.used, with_body);
}

static void test_without_memory_what_needs_some_is_refused(void **state)
{
    (void)state;
    const struct mf_drone_setup setup = setup_of(0);
    const struct mf_hal *hal = &s_drone[0].vehicle.hal;
    s_memory.size = sizeof(struct mf_fault_book) - 1;
    assert_int_equal(mf_drone_init(&s_drone[0], &setup), MF_E_OK);
    assert_int_equal(mf_inject_set(hal, 0, MF_FAULT_GPS_OFF, true, NULL), MF_E_FULL);
    assert_false(mf_inject_active(hal, 0, MF_FAULT_GPS_OFF, NULL));
    s_memory.size = 0;
    s_world.motion = MF_WORLD_MOTION_PHYSICS;
    assert_int_equal(mf_drone_init(&s_drone[0], &setup), MF_E_FULL);
    s_world.motion = MF_WORLD_MOTION_CONSTANT;
    s_world.wind_mps = 3.0;
    assert_int_equal(mf_drone_init(&s_drone[0], &setup), MF_E_FULL);
    s_world.wind_mps = 0.0;
    s_world.gnss_noise_m = 1.0;
    assert_int_equal(mf_drone_init(&s_drone[0], &setup), MF_E_FULL);
    s_world.gnss_noise_m = 0.0;
    s_world.battery_capacity_mah = 5000.0;
    assert_int_equal(mf_drone_init(&s_drone[0], &setup), MF_E_FULL);
}

static void test_a_journal_begins_anew_with_each_boot(void **state)
{
    (void)state;
    static struct mf_journal journal;
    const struct mf_msg_command_long arm = {.command = MAV_CMD_COMPONENT_ARM_DISARM,
                                            .target_system = 1,
                                            .target_component = 1,
                                            .param1 = 1.0f};
    struct mf_drone_setup setup = setup_of(0);
    for (int kept = 0; kept < 2; kept++) {
        memset(&journal, 0xA5, sizeof journal);
        setup.vehicle.journal = kept != 0 ? &journal : NULL;
        assert_int_equal(mf_drone_init(&s_drone[0], &setup), MF_E_OK);
        assert_int_equal(open_link(0), 0);
        mf_mock_feed_msg(&s_mock, 0, MF_MSG_COMMAND_LONG, &arm);
        (void)mf_drone_step(&s_drone[0]);
        assert_true(s_drone[0].vehicle.commander.armed);
    }
    assert_int_equal(journal.answers.count, 1);
    assert_int_equal(journal.answers.last[0].command, 400);
    assert_int_equal(journal.answers.results[MAV_RESULT_ACCEPTED], 1);
    assert_int_equal(journal.arrivals.count, 0);
    assert_true(journal.texts.count > 0);
}

static void test_two_drones_share_nothing(void **state)
{
    (void)state;
    struct mf_drone_setup first = setup_of(0), second = setup_of(1);
    second.store = NULL;
    assert_int_equal(mf_drone_init(&s_drone[0], &first), MF_E_OK);
    s_world.home_lat_deg = -33.0;
    assert_int_equal(mf_drone_init(&s_drone[1], &second), MF_E_OK);
    const struct mf_pose pose[2] = {mf_world_pose(&s_drone[0].world, 0),
                                    mf_world_pose(&s_drone[1].world, 0)};
    assert_true(pose[0].lat_deg == 47.397742 && pose[1].lat_deg == -33.0);
    assert_int_equal(s_drone[0].vehicle.sysid, 1);
    assert_int_equal(s_drone[1].vehicle.sysid, 2);
}

static void test_settings_that_make_no_world_are_refused(void **state)
{
    (void)state;
    struct mf_geoid nowhere = {0}; /* covers no place */
    s_world.geoid = &nowhere;
    const struct mf_drone_setup setup = setup_of(0);
    assert_int_equal(mf_drone_init(&s_drone[0], &setup), MF_E_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_drone_stands_in_its_world_and_speaks, before),
        cmocka_unit_test_setup(test_a_closed_link_is_free_for_the_next_peer, before),
        cmocka_unit_test_setup(test_the_store_outlives_a_second_init, before),
        cmocka_unit_test_setup(test_a_reboot_leaves_the_world_as_it_is, before),
        cmocka_unit_test_setup(test_a_board_brings_its_own_devices, before),
        cmocka_unit_test_setup(test_parts_are_made_when_they_are_needed_and_kept, before),
        cmocka_unit_test_setup(test_without_memory_what_needs_some_is_refused, before),
        cmocka_unit_test_setup(test_a_journal_begins_anew_with_each_boot, before),
        cmocka_unit_test_setup(test_two_drones_share_nothing, before),
        cmocka_unit_test_setup(test_settings_that_make_no_world_are_refused, before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
