/* SPDX-License-Identifier: Apache-2.0 */
/* Every command: what it is answered with, by default and as PX4; and that nothing sent
 * breaks it. */
#include "tests/unit/firmware/flight_fixture.h"

static const struct mf_options k_default;
static const struct mf_options k_strict = {.px4_strict = true};

enum {
    A = MAV_RESULT_ACCEPTED,
    T = MAV_RESULT_TEMPORARILY_REJECTED,
    D = MAV_RESULT_DENIED,
    U = MAV_RESULT_UNSUPPORTED,
    F = MAV_RESULT_FAILED,
    FRAME = MAV_RESULT_COMMAND_UNSUPPORTED_MAV_FRAME,
};

static const uint16_t k_command[] = {16,  17,  20,  21,  22,  34,  176, 178, 179,  185,  186,  192,
                                     224, 241, 245, 246, 262, 300, 400, 401, 410,  420,  510,  511,
                                     512, 519, 520, 525, 528, 201, 209, 310, 1000, 2000, 42428};
#define COMMANDS (sizeof k_command / sizeof k_command[0])

/* Command, parameters, result disarmed and in the air, and the same as PX4. */
static const struct {
    uint16_t command;
    float p[7];
    uint8_t disarmed, flying, px4_disarmed, px4_flying;
} k_result[] = {
    {17, {NAN, NAN, NAN, NAN, NAN, NAN, NAN}, A, A, U, U},
    {20, {0}, A, A, A, A},
    {21, {NAN, NAN, NAN, NAN, NAN, NAN, NAN}, A, A, A, A},
    {22, {NAN, NAN, NAN, NAN, NAN, NAN, NAN}, A, A, A, A},
    {22, {-1, 0, 0, NAN, NAN, NAN, 500}, A, A, A, A},
    {22, {0, 0, 0, 0, 0, 0, 100001}, D, D, D, D},
    {176, {1, 4, 3}, A, A, A, A},
    {176, {1, 4, 1}, D, D, T, T},  /* Ready */
    {176, {1, 99, 0}, D, D, T, T}, /* no such main mode */
    {176, {1, 4, 99}, D, D, T, T},
    {176, {1, NAN, 3}, D, D, T, T},
    {176, {NAN, 4, 3}, D, D, T, T},
    {176, {1, 3, 0}, A, T, A, T}, /* sticks are missing */
    {176, {4, 0, 0}, A, T, A, T}, /* AUTO by base mode: mission, of which there is none */
    {176, {88, 0, 0}, A, T, A, T},
    {176, {0, 0, 0}, D, D, T, T},
    {178, {1, 5, -1, 0}, A, A, A, A},
    {178, {1, -1, -1, 0}, A, A, A, A},
    {178, {1, 101, -1, 0}, D, D, D, D},
    {179, {1}, A, A, A, A},
    {179, {0, 0, 0, NAN, 47.5f, 8.5f, 400}, A, A, A, A},
    {179, {0, 0, 0, NAN, NAN, 8.5f, 400}, D, D, D, D},
    {185, {0}, D, D, D, D},
    {186, {500}, T, A, A, A},
    {186, {NAN}, D, D, D, D},
    {186, {2e5f}, D, D, D, D},
    {192, {-1, 1, 0, NAN, 47.4f, 8.55f, 500}, T, A, A, A},
    {192, {-1, 0, 0, NAN, 47.4f, 8.55f, 500}, T, A, U, U}, /* no CHANGE_MODE */
    {192, {-1, 1, 0, NAN, 91.0f, 8.55f, 500}, D, D, D, D},
    {192, {101, 1, 0, NAN, 47.4f, 8.55f, 500}, D, D, D, D},
    {192, {-1, 1, 0, NAN, 47.4f, 8.55f, INFINITY}, D, D, D, D},
    {241, {1}, A, T, A, T},
    {241, {0}, A, T, A, T},
    {245, {1}, A, T, A, T},
    {245, {2}, A, T, A, T},
    {245, {7}, D, T, D, T},
    {246, {0}, A, A, A, A},
    {246, {1}, A, D, A, D},
    {246, {2}, A, D, A, D},
    {246, {9}, D, D, D, D},
    {262, {5}, A, A, A, A},
    {262, {0}, F, F, F, F},
    {262, {200}, F, F, F, F},
    {262, {1}, A, T, A, T},
    {300, {-1}, D, D, D, D},
    {400, {1}, A, A, A, A},
    {400, {0}, A, T, A, T},
    {400, {0.5f}, D, D, D, D},
    {400, {2}, D, D, D, D},
    {400, {NAN}, D, D, D, D},
    {400, {0, 21196}, A, A, A, A},
    {401, {0}, A, A, A, A},
    {410, {0}, A, A, A, A},
    {420, {4, 1, 0}, A, A, D, D},
    {420, {4, 0, 0}, A, A, D, D},
    {420, {4, 5, 0}, U, U, D, D},
    {420, {100, 1, 0}, A, A, D, D},
    {420, {5, 1, 0}, U, U, D, D},
    {420, {NAN, 1, 0}, U, U, D, D},
    {510, {30}, A, A, A, A},
    {510, {0}, A, A, A, A},
    {510, {-1}, D, D, D, D},
    {511, {30, 50000, 0, NAN, NAN, NAN, 0}, A, A, A, A},
    {511, {30, -1, NAN, NAN, NAN, NAN, NAN}, A, A, A, A},
    {511, {30, 0}, A, A, A, A},
    {511, {0, 50000}, F, F, F, F}, /* HEARTBEAT */
    {511, {12345, 50000}, F, F, F, F},
    {511, {30, 50000, 1}, F, F, F, F},
    {511, {30, 50000, 0, 1}, F, F, F, F},
    {511, {30, 50000, 0, 0, 0, 0, 1}, F, F, F, F},
    {511, {30, NAN}, F, F, F, F},
    {511, {NAN, 50000}, F, F, F, F},
    {512, {148}, A, A, A, A},
    {512, {0}, A, A, A, A},
    {512, {244, 30}, A, A, A, A},
    {512, {244, -1}, D, D, D, D},
    {512, {435, 0}, A, A, A, A},
    {512, {435, NAN}, A, A, A, A},
    {512, {435, 99}, D, D, D, D},
    {512, {397}, A, A, A, A},
    {512, {410}, D, D, D, D},
    {512, {NAN}, D, D, D, D},
    {519, {1}, A, A, A, A},
    {520, {1}, A, A, A, A},
    {525, {1}, A, A, A, A},
    {528, {1}, A, A, A, A},
    {16, {0}, U, U, U, U},
    {34, {10, 2, NAN, NAN, NAN, NAN, NAN}, A, A, A, A},
    {34, {NAN, NAN, NAN, NAN, NAN, NAN, 2e5f}, D, D, D, D},
    {34, {10, 2, NAN, NAN, 91.0f, 8.0f, 500}, D, D, D, D},
    {80, {3, 0, 0, 0, 47.4f, 8.55f, 500}, A, A, A, A},
    {195, {0, 0, 0, 0, 47.4f, 8.55f, 500}, A, A, A, A},
    {195, {0, 0, 0, 0, 91.0f, 8.55f, 500}, D, D, D, D},
    {195, {0, 0, 0, 0, NAN, NAN, NAN}, D, D, D, D},
    {196, {0, 0, 0, 0, 0, 0, 30}, A, A, A, A},
    {196, {0, 0, 0, 0, 0, 0, NAN}, A, A, A, A},
    {197, {NAN, NAN, NAN, NAN, NAN, NAN, NAN}, A, A, A, A},
    {198, {1}, U, U, U, U},
    {201, {0}, A, A, A, A},
    {201, {1}, A, A, A, A},
    {201, {2}, D, D, D, D},
    {201, {3, 0, 0, 0, 47.4f, 8.55f, 500}, A, A, A, A},
    {201, {4}, D, D, D, D},
    {201, {NAN}, D, D, D, D},
    {209, {0}, U, U, U, U},
    {224, {0}, U, U, U, U},
    {310, {0}, U, U, A, A},
    {1000, {0}, U, U, U, U},
    {2000, {0}, U, U, U, U},
    {65535, {0}, U, U, U, U},
};

static void test_sim025_to_sim030_results_disarmed_and_in_the_air(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof k_result / sizeof k_result[0]; i++) {
        const uint8_t expected[4] = {k_result[i].disarmed, k_result[i].flying,
                                     k_result[i].px4_disarmed, k_result[i].px4_flying};
        for (int n = 0; n < 4; n++) {
            const struct mf_options options = n < 2 ? k_default : k_strict;
            if (n % 2 == 0) {
                (void)fx_boot(options);
            } else {
                (void)fx_airborne(options, 10.0);
            }
            const uint8_t result = fx_command(k_result[i].command, k_result[i].p);
            if (result != expected[n]) {
                fail_msg("command %u, case %zu.%d: %u is not %u", k_result[i].command, i, n, result,
                         expected[n]);
            }
        }
    }
}

static void test_frames_of_command_int(void **state)
{
    static const struct {
        uint8_t frame;
        uint8_t place, none; /* DO_REPOSITION, RUN_PREARM_CHECKS */
        float alt_m;         /* that z = 500 means */
    } k_case[] = {
        {0, A, A, 500.0f}, {5, A, A, 500.0f}, {3, A, A, 988.0f}, {6, A, A, 988.0f},
        {2, D, A, 0.0f},   {1, D, D, 0.0f},   {4, D, D, 0.0f},   {8, D, D, 0.0f},
        {11, D, D, 0.0f},  {255, D, D, 0.0f},
    };
    const float p[4] = {-1.0f, 1.0f, 0.0f, NAN};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const uint8_t frame = k_case[i].frame;
        (void)fx_airborne(k_default, 10.0);
        assert_int_equal(fx_command_int(192, frame, p, 474000000, 85500000, 500.0f),
                         k_case[i].place);
        if (k_case[i].place == A) {
            assert_true(fx_leg()->alt_amsl_m == (double)k_case[i].alt_m);
        }
        assert_int_equal(fx_command_int(401, frame, p, 0, 0, 0.0f), k_case[i].none);
        (void)fx_airborne(k_strict, 10.0);
        const uint8_t px4 = frame == 5 ? A : FRAME;
        assert_int_equal(fx_command_int(192, frame, p, 474000000, 85500000, 500.0f), px4);
        assert_int_equal(fx_command_int(401, frame, p, 0, 0, 0.0f), px4);
    }
}

static void test_relative_altitude_without_home_is_denied(void **state)
{
    const float p[4] = {NAN, NAN, NAN, NAN};
    (void)state;
    (void)fx_init(k_default);
    fx.mock.gnss.fix.type = MF_FIX_NONE;
    assert_int_equal(fx_try_init(1, 1, k_default), MF_E_OK);
    fx_connect(0);
    assert_int_equal(fx_command_int(MAV_CMD_NAV_TAKEOFF, 3, p, 0, 0, 20.0f), D);
    assert_int_equal(fx_command_int(MAV_CMD_NAV_TAKEOFF, 5, p, 0, 0, 500.0f), A);
    assert_int_equal(fx_command_int(MAV_CMD_NAV_LAND, 3, p, 0, 0, 0.0f), A);
}

static void test_places_that_say_there_is_none(void **state)
{
    const float p[4] = {-1.0f, 1.0f, 0.0f, NAN};
    const float huge[7] = {0, 1, 0, 0, 2147483520.0f, 2147483648.0f, 500.0f};
    (void)state;
    (void)fx_airborne(k_default, 10.0);
    assert_int_equal(fx_command_int(192, 5, p, 0x7FF80000, 0x7FF80000, 500.0f), D);
    assert_int_equal(fx_command(192, huge), D);
    /* Of a command without a place one of the two may be any number. */
    const float half[7] = {148, 0, 0, 0, 2147483520.0f, 0, 0};
    assert_int_equal(fx_command(MAV_CMD_REQUEST_MESSAGE, half), A);
    assert_int_equal(fx_command_int(MAV_CMD_REQUEST_MESSAGE, 5, half, 0x7FF80000, 0, 0.0f), A);
    assert_int_equal(fx_command_int(MAV_CMD_REQUEST_MESSAGE, 5, half, 0, 0x7FF80000, 0.0f), A);
    assert_int_equal(fx_command_int(192, 5, p, INT32_MAX, INT32_MAX, 505.0f), A); /* here */
    assert_true(fx_leg()->lat_deg == HERE_LAT && fx_leg()->alt_amsl_m == 505.0);
    assert_int_equal(fx_command_int(192, 5, p, INT32_MAX, 85500000, 505.0f), D);
    assert_int_equal(fx_command_int(192, 5, p, INT32_MIN, INT32_MIN, 505.0f), D);
    assert_int_equal(fx_command_int(192, 5, p, 900000000, 1800000000, 505.0f), A);
}

static void test_who_is_answered(void **state)
{
    static const struct {
        uint16_t command;
        uint8_t system, component;
        bool answered;
    } k_case[] = {
        {401, 1, 1, true},  {401, 0, 0, true},  {401, 1, 0, true},    {401, 0, 1, true},
        {401, 2, 1, false}, {401, 1, 2, false}, {401, 1, 190, false}, {520, 1, 190, true},
        {519, 0, 77, true}, {520, 2, 1, false}, {400, 255, 0, false},
    };
    (void)state;
    (void)fx_boot(k_default);
    uint32_t foreign = 0;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const struct mf_msg_command_long m = {.command = k_case[i].command,
                                              .target_system = k_case[i].system,
                                              .target_component = k_case[i].component};
        const struct mf_msg_command_int n = {.command = k_case[i].command,
                                             .frame = 5,
                                             .target_system = k_case[i].system,
                                             .target_component = k_case[i].component};
        mf_mock_feed_msg(&fx.mock, 0, MF_MSG_COMMAND_LONG, &m);
        mf_mock_feed_msg(&fx.mock, 0, MF_MSG_COMMAND_INT, &n);
        (void)mf_vehicle_step(&fx.v);
        assert_int_equal(fx_count(MF_MSG_COMMAND_ACK), k_case[i].answered ? 2 : 0);
        foreign += k_case[i].answered ? 0 : 2;
        mf_mock_clear(&fx.mock, 0);
    }
    assert_int_equal(fx.links[0].stats.rx_foreign, foreign);
}

static void test_answer_goes_to_the_link_it_came_from(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    fx_connect(1);
    const struct mf_msg_command_long m = {.command = 401, .target_system = 1};
    mf_mock_feed_msg(&fx.mock, 1, MF_MSG_COMMAND_LONG, &m);
    (void)mf_vehicle_step(&fx.v);
    assert_int_equal(mf_mock_count(&fx.mock, 1, MF_MSG_COMMAND_ACK), 1);
    assert_int_equal(mf_mock_count(&fx.mock, 0, MF_MSG_COMMAND_ACK), 0);
}

static void test_repeated_commands_are_done_and_answered_again(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fx_command(MAV_CMD_COMPONENT_ARM_DISARM, ARM), A);
    }
}

static void test_sim033_set_mode_message(void **state)
{
    static const struct {
        uint32_t custom;
        uint8_t base, system, result;
        enum mf_mode mode;
    } k_case[] = {
        {84148224, 1, 1, A, MF_MODE_RTL},   {67371008, 1, 0, A, MF_MODE_MISSION},
        {262144, 1, 1, A, MF_MODE_MISSION}, /* AUTO without sub mode */
        {655360, 1, 1, D, MF_MODE_HOLD},    /* Termination */
        {0, 4, 1, A, MF_MODE_MISSION},      {0, 72, 1, A, MF_MODE_POSCTL},
        {0, 80, 1, A, MF_MODE_STABILIZED},  {0, 64, 1, A, MF_MODE_MANUAL},
        {0, 0, 1, D, MF_MODE_HOLD},
    };
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        const struct mf_msg_set_mode m = {.custom_mode = k_case[i].custom,
                                          .target_system = k_case[i].system,
                                          .base_mode = k_case[i].base};
        (void)fx_boot(k_default);
        mf_mock_feed_msg(&fx.mock, 0, MF_MSG_SET_MODE, &m);
        assert_int_equal(fx_answer(MAV_CMD_DO_SET_MODE), k_case[i].result);
        assert_int_equal(fx.v.commander.mode, k_case[i].mode);
    }
    const struct mf_msg_set_mode other = {.custom_mode = 84148224, .target_system = 9};
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_SET_MODE, &other);
    (void)mf_vehicle_step(&fx.v);
    assert_int_equal(fx_count(MF_MSG_COMMAND_ACK), 0);
}

static void test_modes_that_do_not_exist_are_named(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    (void)fx_command(MAV_CMD_DO_SET_MODE, MODE(99, 0));
    assert_true(fx_said("Unsupported main mode"));
    (void)fx_command(MAV_CMD_DO_SET_MODE, MODE(4, 99));
    assert_true(fx_said("Unsupported auto mode"));
    (void)fx_command(MAV_CMD_DO_SET_MODE, NO_PARAMS);
    assert_true(fx_said("Unsupported base mode"));
    (void)fx_command(MAV_CMD_COMPONENT_ARM_DISARM, (const float[7]){3.5f});
    assert_true(fx_said("Unsupported ARM_DISARM param: 3.500"));
}

static void test_legacy_requests_send_their_message(void **state)
{
    static const struct {
        uint16_t command;
        uint32_t msgid;
    } k_case[] = {
        {520, MF_MSG_AUTOPILOT_VERSION},  {519, MF_MSG_PROTOCOL_VERSION},
        {528, MF_MSG_FLIGHT_INFORMATION}, {525, MF_MSG_STORAGE_INFORMATION},
        {410, MF_MSG_HOME_POSITION},
    };
    (void)state;
    (void)fx_boot(k_default);
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        assert_int_equal(fx_command(k_case[i].command, ARM), A);
        assert_int_equal(fx_count(k_case[i].msgid), 1);
    }
}

static void test_available_modes_all_or_one(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    assert_int_equal(fx_command(512, (const float[7]){435.0f}), A);
    assert_int_equal(fx_count(MF_MSG_AVAILABLE_MODES), MF_MODE_COUNT);
    mf_mock_clear(&fx.mock, 0);
    assert_int_equal(fx_command(512, (const float[7]){435.0f, 13.0f}), A);
    assert_int_equal(fx_count(MF_MSG_AVAILABLE_MODES), 1);
}

static void test_calibration_is_accepted_before_it_is_told(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    assert_int_equal(fx_command(241, (const float[7]){1.0f}), A);
    assert_int_equal(fx.mock.port[0].frame[0].msgid, MF_MSG_COMMAND_ACK);
    assert_true(fx_said("[cal] calibration started: 2 gyro"));
}

/* PX4's rule: where else the asker is, the answer goes too. */
static void test_strict_answers_go_wherever_the_asker_was_seen(void **state)
{
    (void)state;
    for (int strict = 0; strict < 2; strict++) {
        (void)fx_boot((struct mf_options){.px4_strict = strict == 1});
        fx_connect(1);
        mf_mock_feed_msg(&fx.mock, 1, MF_MSG_HEARTBEAT, &(struct mf_msg_heartbeat){.type = 6});
        (void)mf_vehicle_step(&fx.v);
        assert_int_equal(fx_command(401, NO_PARAMS), A);
        assert_int_equal(mf_mock_count(&fx.mock, 1, MF_MSG_COMMAND_ACK), strict);
    }
}

/* What version 1 cannot carry is refused, not forgotten. */
static void test_version_1_refuses_what_it_cannot_carry(void **state)
{
    static const struct {
        uint32_t msgid;
        uint8_t result;
    } k_case[] = {
        {MF_MSG_HOME_POSITION, A}, {MF_MSG_FLIGHT_INFORMATION, D}, {MF_MSG_AVAILABLE_MODES, D}};
    struct mf_msg_command_ack ack;
    (void)state;
    (void)fx_boot(k_default);
    fx.mock.port[0].peer.version = 1;
    fx.links[0].version = 1;
    for (size_t i = 0; i < 3; i++) {
        const struct mf_msg_command_long m = {.command = 512,
                                              .target_system = 1,
                                              .target_component = 1,
                                              .param1 = (float)k_case[i].msgid};
        mf_mock_feed_msg(&fx.mock, 0, MF_MSG_COMMAND_LONG, &m);
        (void)mf_vehicle_step(&fx.v);
        assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_COMMAND_ACK, &ack));
        assert_int_equal(ack.result, k_case[i].result);
        assert_int_equal(ack.target_system, 0); /* an extension */
    }
    assert_true(fx.links[0].stats.tx_unfit >= 2);
}

static void test_reset_of_parameters_keeps_the_ids(void **state)
{
    (void)state;
    (void)fx_init(k_default);
    assert_int_equal(fx_try_init(7, 3, k_default), MF_E_OK);
    fx_connect(0);
    fx_set_f("MIS_TAKEOFF_ALT", 33.0f);
    const struct mf_msg_command_long m = {.command = 245, .param1 = 2.0f};
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_COMMAND_LONG, &m);
    assert_int_equal(fx_answer(245), A);
    assert_int_equal(mf_param_i(&fx.v.params, MF_PARAM_MAV_SYS_ID), 7);
    assert_int_equal(mf_param_i(&fx.v.params, MF_PARAM_MAV_COMP_ID), 3);
    assert_true(mf_param_f(&fx.v.params, MF_PARAM_MIS_TAKEOFF_ALT) == 2.5f);
    fx.mock.store.result = MF_E_IO;
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_COMMAND_LONG, &m);
    assert_int_equal(fx_answer(245), F);
}

static void test_reboot_and_shutdown_are_wishes_to_the_board(void **state)
{
    static const struct {
        float p1;
        bool reboot, shutdown;
    } k_case[] = {{0, false, false}, {1, true, false}, {2, false, true}, {3, true, false}};
    (void)state;
    for (size_t i = 0; i < sizeof k_case / sizeof k_case[0]; i++) {
        (void)fx_boot(k_default);
        assert_int_equal(fx_command(246, (const float[7]){k_case[i].p1}), A);
        assert_int_equal(fx.v.reboot, k_case[i].reboot);
        assert_int_equal(fx.v.shutdown, k_case[i].shutdown);
    }
}

static void test_sim046_injected_failures_reach_the_devices(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    (void)fx_step_at(3 * S);
    assert_int_equal(fx_command(420, (const float[7]){4.0f, 1.0f}), A);
    assert_int_equal(fx.mock.injection_count, 1);
    assert_int_equal(fx.mock.injection[0].unit, 4);
    assert_int_equal(fx.mock.injection[0].type, 1);
    assert_int_equal(fx.mock.injection[0].t_us, 3 * S);
    assert_int_equal(fx_command(420, (const float[7]){4.0f, 0.0f}), A);
    assert_int_equal(fx.mock.injection[1].unit, 4);
    assert_int_equal(fx.mock.injection[1].type, 0);
    fx.mock.inject_result = MF_E_NOSUPP; /* no device shows it: not acknowledged */
    assert_int_equal(fx_command(420, (const float[7]){4.0f, 1.0f}), U);
    fx_set_i("SYS_FAILURE_EN", 0);
    assert_int_equal(fx_command(420, (const float[7]){4.0f, 1.0f}), D);
    assert_int_equal(fx.mock.injection_count, 3);
}

/* PX4's default: whoever injects failures says so first. */
static void test_sim046_px4_injects_nothing_by_default(void **state)
{
    (void)state;
    struct mf_vehicle *v = fx_boot(k_strict);
    assert_int_equal(mf_param_i(&v->params, MF_PARAM_SYS_FAILURE_EN), 0);
    assert_int_equal(fx_command(420, (const float[7]){4.0f, 1.0f}), D);
    assert_int_equal(fx.mock.injection_count, 0);
    fx_set_i("SYS_FAILURE_EN", 1);
    assert_int_equal(fx_command(420, (const float[7]){4.0f, 1.0f}), A);
    assert_int_equal(fx.mock.injection_count, 1);
}

static void test_takeoff_altitudes(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    (void)fx_command(22, TO_ALT(INFINITY)); /* not a number that means something: the default */
    assert_true(fx.v.navigator.target.alt_amsl_m == 490.5);
    (void)fx_command(22, TO_ALT(512.0f));
    assert_true(fx.v.navigator.target.alt_amsl_m == 512.0);
}

/* Every field of every command with every value that breaks things, by LONG and INT. */
static void break_field(size_t c, size_t field, size_t value)
{
    static const float k_bad[] = {NAN,    INFINITY, -INFINITY, 3.4e38f,       -3.4e38f,
                                  1e-45f, 2.2e9f,   -2.2e9f,   2147483520.0f, 65536.5f};
    float p[7] = {1.0f, 1.0f, 0.0f, 0.5f, 47.4f, 8.55f, 500.0f};
    p[field] = k_bad[value];
    (void)fx_command(k_command[c], p);
    (void)mf_vehicle_step(&fx.v);
    const int32_t x = field == 4 ? (value % 2 == 0 ? INT32_MIN : INT32_MAX) : 474000000;
    const int32_t y = field == 5 ? (value % 2 == 0 ? INT32_MIN : INT32_MAX) : 85500000;
    (void)fx_command_int(k_command[c], (uint8_t)(value % 7u), p, x, y, p[6]);
    mf_mock_clear(&fx.mock, 0);
    assert_int_equal(fx_command(MAV_CMD_RUN_PREARM_CHECKS, NO_PARAMS), A);
    assert_true(fx_step_at(fx.mock.now.vehicle_us + 1000).transport_us > fx.mock.now.transport_us);
    const struct mf_pose *pose = &mf_estimate_at(&fx.v, fx.mock.now.vehicle_us)->pose;
    assert_true(isfinite(pose->lat_deg) && isfinite(fx.v.home.alt_amsl_m));
    assert_true(isfinite(fx.v.home.lat_deg) && isfinite(fx.v.home.yaw_rad));
    assert_true(fx.v.commander.landed >= 1 && fx.v.commander.landed <= 4);
    mf_mock_clear(&fx.mock, 0);
    fx.mock.port[0].feed_len = fx.mock.port[0].feed_read = 0;
}

static void test_no_value_in_any_field_breaks_it(void **state)
{
    (void)state;
    for (int how = 0; how < 4; how++) {
        const struct mf_options options = how < 2 ? k_default : k_strict;
        for (size_t c = 0; c < COMMANDS; c++) {
            if (how % 2 == 0) {
                (void)fx_boot(options);
            } else {
                (void)fx_airborne(options, 10.0);
            }
            for (size_t field = 0; field < 7; field++) {
                for (size_t value = 0; value < 10; value++) {
                    fx.mock.airframe.plan_count %= MF_MOCK_PLANS / 2;
                    break_field(c, field, value);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim025_to_sim030_results_disarmed_and_in_the_air),
        cmocka_unit_test(test_frames_of_command_int),
        cmocka_unit_test(test_relative_altitude_without_home_is_denied),
        cmocka_unit_test(test_places_that_say_there_is_none),
        cmocka_unit_test(test_who_is_answered),
        cmocka_unit_test(test_answer_goes_to_the_link_it_came_from),
        cmocka_unit_test(test_repeated_commands_are_done_and_answered_again),
        cmocka_unit_test(test_sim033_set_mode_message),
        cmocka_unit_test(test_modes_that_do_not_exist_are_named),
        cmocka_unit_test(test_legacy_requests_send_their_message),
        cmocka_unit_test(test_available_modes_all_or_one),
        cmocka_unit_test(test_calibration_is_accepted_before_it_is_told),
        cmocka_unit_test(test_strict_answers_go_wherever_the_asker_was_seen),
        cmocka_unit_test(test_version_1_refuses_what_it_cannot_carry),
        cmocka_unit_test(test_reset_of_parameters_keeps_the_ids),
        cmocka_unit_test(test_reboot_and_shutdown_are_wishes_to_the_board),
        cmocka_unit_test(test_sim046_injected_failures_reach_the_devices),
        cmocka_unit_test(test_sim046_px4_injects_nothing_by_default),
        cmocka_unit_test(test_takeoff_altitudes),
        cmocka_unit_test(test_no_value_in_any_field_breaks_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
