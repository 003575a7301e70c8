/* SPDX-License-Identifier: Apache-2.0 */
/* What a program hands to a vehicle as a struct is handled as the frame of it: the same
 * bytes out. */
#include "mavlink/enums.h"
#include "tests/sim/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define CLIENT ((struct mf_address){245, 190})

static bool s_framed;

static void give(struct rig *r, uint32_t msgid, const void *msg)
{
    if (s_framed) {
        mf_mock_feed_msg(&r->mock, 0, msgid, msg);
    } else {
        assert_int_equal(mf_message(&r->drone.vehicle, r->link, CLIENT, msgid, msg), MF_E_OK);
    }
    (void)mf_drone_step(&r->drone);
}

static void command(struct rig *r, uint16_t what, float p1, float p7)
{
    const struct mf_msg_command_long m = {
        .command = what, .target_system = 1, .target_component = 1, .param1 = p1, .param7 = p7};
    give(r, MF_MSG_COMMAND_LONG, &m);
}

/* A parameter, a mission of two items, a take-off. @return what was sent */
static const struct mf_mock_port *fly(bool framed)
{
    struct rig *r = rig_new(NULL);
    s_framed = framed;
    struct mf_msg_param_set set = {.target_system = 1, .target_component = 1, .param_type = 9};
    const float height_m = 12.0f;
    memcpy(&set.param_value, &height_m, sizeof height_m);
    memcpy(set.param_id, "MIS_TAKEOFF_ALT", 15);
    rig_run_until(r, 2 * MF_SECOND_US);
    give(r, MF_MSG_PARAM_SET, &set);
    const struct mf_msg_mission_count count = {
        .count = 2, .target_system = 1, .target_component = 1};
    give(r, MF_MSG_MISSION_COUNT, &count);
    for (uint16_t i = 0; i < 2; i++) {
        struct mf_msg_mission_item_int item = {.seq = i,
                                               .command = i == 0 ? MAV_CMD_NAV_TAKEOFF
                                                                 : MAV_CMD_NAV_WAYPOINT,
                                               .x = (int32_t)(RIG_LAT_DEG * 1e7) + i * 2000,
                                               .y = (int32_t)(RIG_LON_DEG * 1e7),
                                               .frame = MAV_FRAME_GLOBAL_RELATIVE_ALT_INT,
                                               .autocontinue = 1,
                                               .target_system = 1,
                                               .target_component = 1};
        const float alt_m = 15.0f;
        memcpy(&item.z, &alt_m, sizeof alt_m);
        give(r, MF_MSG_MISSION_ITEM_INT, &item);
    }
    rig_run_until(r, 5 * MF_SECOND_US + 37000); /* between two messages of any stream */
    command(r, MAV_CMD_COMPONENT_ARM_DISARM, 1.0f, 0.0f);
    command(r, MAV_CMD_NAV_TAKEOFF, 0.0f, 500.0f);
    rig_run_until(r, 30 * MF_SECOND_US);
    assert_true(r->drone.vehicle.commander.armed);
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_HOLD);
    assert_int_equal(r->drone.vehicle.mission.count, 2);
    assert_true(rig_pose(r).alt_amsl_m > RIG_ALT_M + 10.0);
    return &r->mock.port[0];
}

static void test_a_flight_by_structs_is_the_flight_by_frames(void **state)
{
    static uint8_t s_bytes[MF_MOCK_BYTES];
    (void)state;
    const struct mf_mock_port *port = fly(true);
    const size_t len = port->sent_len;
    assert_true(len > 10000 && len < sizeof s_bytes);
    memcpy(s_bytes, port->sent, len);
    (void)fly(false);
    assert_int_equal(port->sent_len, len);
    assert_memory_equal(port->sent, s_bytes, len);
    assert_int_equal(port->feed_len, 0); /* none of it was framed */
}

static void test_what_has_no_handler_is_counted(void **state)
{
    const struct mf_msg_heartbeat heartbeat = {.type = MAV_TYPE_GCS};
    const struct mf_msg_setup_signing signing = {.target_system = 1, .target_component = 1};
    struct rig *r = rig_new(NULL);
    struct mf_vehicle *v = &r->drone.vehicle;
    const struct mf_link *link = &r->links[0];
    (void)state;
    assert_int_equal(mf_message(v, 0, CLIENT, MF_MSG_ATTITUDE, &(union mf_msg){0}), MF_E_NOSUPP);
    assert_int_equal(mf_message(v, 0, CLIENT, MF_MSG_SETUP_SIGNING, &signing), MF_E_NOSUPP);
    assert_int_equal(link->stats.rx_unhandled, 2);
    const struct mf_address own = {1, 1};
    assert_int_equal(mf_message(v, 0, own, MF_MSG_HEARTBEAT, &heartbeat), MF_E_NOSUPP);
    assert_int_equal(link->stats.rx_rejected, 1);
    assert_int_equal(mf_message(v, 0, CLIENT, MF_MSG_HEARTBEAT, &heartbeat), MF_E_OK);
    assert_int_equal(link->gcs_us, 0); /* it is the sign of life of a ground station */
    assert_int_equal(link->stats.rx_frames, 4);
    assert_int_equal(link->stats.rx_lost, 0);
    assert_true(mf_senders_have(&link->senders, CLIENT.system, CLIENT.component));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_flight_by_structs_is_the_flight_by_frames),
        cmocka_unit_test(test_what_has_no_handler_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
