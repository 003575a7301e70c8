/* SPDX-License-Identifier: Apache-2.0 */
/* What --px4-strict answers and says as PX4 does: acknowledgements, modes, texts. The values are
 * those that a PX4 sent (shared/data/px4_commands). */
#include "mavlink/enums.h"
#include "tests/sim/rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define S  1000000
#define NO 255 /* no second acknowledgement */

static const float k_none[7] = {0};
static const float k_arm[7] = {1.0f, 0, 0, 0, 0, 0, 0};

static void ground_station(struct rig *r)
{
    const struct mf_msg_heartbeat m = {.type = MAV_TYPE_GCS, .autopilot = 8, .mavlink_version = 3};
    rig_send(r, MF_MSG_HEARTBEAT, &m);
}

static struct rig *strict(bool air)
{
    const struct mf_options options = {.px4_strict = true};
    struct rig *r = rig_new(&options);
    if (air) {
        rig_take_off(r, 10.0f);
    }
    ground_station(r);
    mf_mock_clear(&r->mock, 0);
    return r;
}

/* Send a command and expect its acknowledgements. */
static void expect(struct rig *r, uint16_t command, const float p[3], int first, int second)
{
    const struct mf_msg_command_long m = {.command = command,
                                          .target_system = 1,
                                          .target_component = 1,
                                          .param1 = p[0],
                                          .param2 = p[1],
                                          .param3 = p[2]};
    struct mf_msg_command_ack ack;
    rig_send(r, MF_MSG_COMMAND_LONG, &m);
    assert_true(mf_mock_take(&r->mock, 0, MF_MSG_COMMAND_ACK, &ack));
    assert_int_equal(ack.command, command);
    assert_int_equal(ack.result, first);
    assert_int_equal(mf_mock_take(&r->mock, 0, MF_MSG_COMMAND_ACK, &ack), second != NO);
    assert_true(second == NO || (ack.command == command && ack.result == second));
}

/* The next text, whole: with PX4's tab, its chunks put together. */
static void expect_text(struct rig *r, const char *text)
{
    struct mf_msg_statustext m;
    char whole[151] = {0};
    do {
        assert_true(mf_mock_take(&r->mock, 0, MF_MSG_STATUSTEXT, &m));
        memcpy(&whole[50u * m.chunk_seq], m.text, 50);
    } while (m.id != 0 && memchr(m.text, 0, 50) == NULL);
    assert_string_equal(whole, text);
}

static void expect_no_text(struct rig *r)
{
    assert_int_equal(mf_mock_count(&r->mock, 0, MF_MSG_STATUSTEXT), 0);
}

/* ---- commands ---- */

static void test_commands_without_effect(void **state)
{
    (void)state;
    static const struct {
        uint16_t command;
        uint8_t ground, air, second;
    } k_case[] = {{23, 0, 0, NO},   {84, 0, 0, NO},    {187, 0, 0, NO},   {189, 6, 6, NO},
                  {191, 0, 0, NO},  {211, 5, 5, 0},    {212, 2, 2, NO},   {310, 0, 0, NO},
                  {620, 0, 0, NO},  {2510, 0, 0, NO},  {2511, 0, 0, NO},  {2600, 4, 4, NO},
                  {5300, 0, 1, NO}, {42006, 0, 1, NO}, {43003, 0, 0, NO}, {43004, 0, 0, 3},
                  {30003, 3, 3, NO}};
    for (int air = 0; air < 2; air++) {
        struct rig *r = strict(air == 1);
        for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
            expect(r, k_case[i].command, k_none, air ? k_case[i].air : k_case[i].ground,
                   k_case[i].second);
        }
        assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_HOLD);
        struct rig *plain = rig_new(NULL);
        expect(plain, 187, k_none, 3, NO);
    }
}

/* PX4 has no interval for these; 230 has one. */
static void test_messages_without_an_interval(void **state)
{
    (void)state;
    static const uint16_t k_id[] = {42, 162, 340, 437, 12905, 230};
    for (size_t i = 0; i < sizeof k_id / sizeof k_id[0]; i++) {
        const float p[3] = {k_id[i], 1000000.0f, 0};
        expect(strict(false), MAV_CMD_SET_MESSAGE_INTERVAL, p, k_id[i] == 230 ? 0 : 4, NO);
        expect(rig_new(NULL), MAV_CMD_SET_MESSAGE_INTERVAL, p, 0, NO);
    }
}

/* ---- modes ---- */

static void test_two_answers_to_a_mode(void **state)
{
    (void)state;
    static const struct {
        float p[3];
        bool air;
        int second;
        enum mf_mode mode;
        const char *text; /* NULL: none */
    } k_case[] = {
        {{1, 4, 3}, false, 0, MF_MODE_HOLD, NULL},
        {{1, 3, 1}, false, 0, MF_MODE_POSCTL, NULL},
        {{1, 4, 99}, false, 1, MF_MODE_HOLD, "Unsupported auto mode\t"},
        {{1, 99, 0}, true, 1, MF_MODE_HOLD, "Unsupported main mode\t"},
        {{0, 4, 3}, true, 1, MF_MODE_HOLD, "Unsupported base mode\t"},
        {{1, 1, 0}, true, 1, MF_MODE_HOLD, "Switching to Manual is currently not available\t"},
        {{1, 7, 0}, true, 1, MF_MODE_HOLD, "Switching to Stabilized is currently not available\t"},
        {{1, 4, 2}, true, 0, MF_MODE_TAKEOFF, "Using default takeoff altitude: 10.0 m\t"},
    };
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        struct rig *r = strict(k_case[i].air);
        expect(r, MAV_CMD_DO_SET_MODE, k_case[i].p, 0, k_case[i].second);
        if (k_case[i].text != NULL) {
            expect_text(r, k_case[i].text);
        }
        expect_no_text(r);
        assert_int_equal(r->drone.vehicle.commander.mode, k_case[i].mode);
    }
}

/* ---- texts ---- */

static void test_texts_of_commands(void **state)
{
    (void)state;
    for (int air = 0; air < 2; air++) {
        struct rig *r = strict(air == 1);
        expect(r, MAV_CMD_NAV_LAND, k_none, 0, NO);
        expect_text(r, "Landing at current position\t");
        expect_no_text(r);
        expect(r, MAV_CMD_NAV_RETURN_TO_LAUNCH, k_none, 0, NO);
        expect_text(r, "Returning to launch\t");
    }
}

/* A take-off without an altitude: PX4 says it when the mode begins, so not while disarmed. */
static void test_text_of_a_take_off(void **state)
{
    (void)state;
    struct rig *r = strict(false);
    assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, rig_nan7()), MAV_RESULT_ACCEPTED);
    expect_no_text(r);
    assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
    expect_text(r, "Armed by external command\t");
    expect_text(r, "Using default takeoff altitude: 2.5 m\t");
}

/* Each text of a mission that ends with a return, in order; no "Waypoint N reached". */
static void test_texts_of_a_mission(void **state)
{
    (void)state;
    const struct mf_item items[] = {
        rig_item(MAV_CMD_NAV_TAKEOFF, 6, 473977420, 85455940, 10.0f, 0.0f),
        rig_item(MAV_CMD_NAV_WAYPOINT, 6, 473979219, 85455940, 10.0f, 0.0f),
        rig_item(MAV_CMD_NAV_RETURN_TO_LAUNCH, 2, 0, 0, 0.0f, 0.0f)};
    static const char *const k_text[] = {
        "Armed by mission start\t",          "Executing Mission\t",
        "Climb to 10.0 meters above home\t", "Takeoff detected\t",
        "Mission finished, loitering\t",     "Returning to launch\t"};
    struct rig *r = strict(false);
    rig_upload(r, items, 3);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, k_none), MAV_RESULT_ACCEPTED);
    for (int s = 1; s <= 8; s++) {
        ground_station(r);
        rig_run_until(r, r->mock.now.vehicle_us + S);
    }
    for (size_t i = 0; i < sizeof k_text / sizeof k_text[0]; i++) {
        expect_text(r, k_text[i]);
    }
    assert_int_equal(r->drone.vehicle.commander.mode, MF_MODE_RTL);
}

/* PX4 detects the take-off 1.8 s after the start: COM_SPOOLUP_TIME, and a part of MPC_TKO_RAMP_T.
 */
static void test_a_take_off_shows_before_it_lifts(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct rig *r = rig_new_moving(MF_WORLD_MOTION_PHYSICS, 0.0);
        const struct mf_vehicle *v = &r->drone.vehicle;
        r->drone.vehicle.options.px4_strict = i == 0;
        assert_int_equal(rig_command(r, MAV_CMD_COMPONENT_ARM_DISARM, k_arm), MAV_RESULT_ACCEPTED);
        assert_int_equal(rig_command(r, MAV_CMD_NAV_TAKEOFF, rig_nan7()), MAV_RESULT_ACCEPTED);
        const mf_us_t from_us = r->mock.now.vehicle_us;
        rig_run_until(r, from_us + (i == 0 ? 1750000 : 3950000));
        assert_int_equal(v->commander.landed, MF_LANDED_ON_GROUND);
        rig_run_until(r, from_us + (i == 0 ? 1850000 : 4050000));
        assert_int_equal(v->commander.landed, MF_LANDED_TAKEOFF);
        assert_int_equal(rig_pose(r).on_ground, i == 0);
    }
}

/* Why a mission cannot be flown is an EVENT in PX4. */
static void test_a_mission_is_denied_without_a_reason(void **state)
{
    (void)state;
    const struct mf_item land = rig_item(MAV_CMD_NAV_LAND, 6, 473977420, 85455940, 0.0f, 0.0f);
    struct rig *r = strict(false);
    rig_upload(r, &land, 1);
    expect_no_text(r);
    assert_int_equal(rig_command(r, MAV_CMD_MISSION_START, k_none), MAV_RESULT_DENIED);
    expect_text(r, "Mission start denied! No valid mission\t");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands_without_effect),
        cmocka_unit_test(test_messages_without_an_interval),
        cmocka_unit_test(test_two_answers_to_a_mode),
        cmocka_unit_test(test_texts_of_commands),
        cmocka_unit_test(test_text_of_a_take_off),
        cmocka_unit_test(test_texts_of_a_mission),
        cmocka_unit_test(test_a_take_off_shows_before_it_lifts),
        cmocka_unit_test(test_a_mission_is_denied_without_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
