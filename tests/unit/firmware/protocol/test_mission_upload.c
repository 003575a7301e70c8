/* SPDX-License-Identifier: Apache-2.0 */
/* The mission protocol towards the vehicle. Checksums are from Python's zlib. */
#include "firmware/flight/mission_store.h"
#include "tests/unit/firmware/mission_client.h"

/* ---- upload ---- */

static void test_sim031_upload(void **state)
{
    struct mf_msg_mission_current m;
    struct mf_item item;
    (void)state;
    assert_int_equal(upload(0, 0, k_square, k_square_count), SQUARE_TAG);
    expect_quiet(); /* nothing to third parties either */
    for (int port = 0; port < 2; port++) {
        assert_true(mf_mock_take(&mock, port, MF_MSG_MISSION_CURRENT, &m));
        assert_int_equal(m.seq, 0);
        assert_int_equal(m.total, 4);
        assert_int_equal(m.mission_state, 2);
        assert_int_equal(m.mission_id, SQUARE_TAG);
    }
    assert_int_equal(v.mission.count, 4);
    for (uint16_t i = 0; i < k_square_count; i++) {
        assert_int_equal(mf_mission_get(&v.mission, &v.hal, i, &item), MF_E_OK);
        assert_memory_equal(&item, &k_square[i], sizeof item);
    }
    wait_ms(10000);
    expect_quiet();
    assert_int_equal(v.due_us[MF_TASK_TRANSFER], MF_NEVER);
}

static void test_sim031_old_mission_stays_until_the_last_item(void **state)
{
    const struct mf_item other = k_square[1];
    (void)state;
    upload_square();
    say_count(1, 0, 2);
    say_item(1, 0, 0, &other);
    assert_int_equal(v.mission.count, 4);
    assert_int_equal(v.mission.tag, SQUARE_TAG);
    assert_int_equal(mock.store.count[MF_STORE_MISSION], 4);
    say_item(1, 0, 1, &other);
    assert_int_equal(v.mission.count, 2);
    assert_int_equal(expect_ack(1, 0, 0), v.mission.tag);
    assert_int_not_equal(v.mission.tag, SQUARE_TAG);
}

static void test_sim031_same_mission_again_keeps_the_progress(void **state)
{
    (void)state;
    upload_square();
    const size_t commits = mock.store.commits;
    v.mission.current = 2;
    v.mission.reached = 1;
    upload_square();
    assert_int_equal(mock.store.commits, commits);
    assert_int_equal(v.mission.current, 2);
    assert_int_equal(v.mission.reached, -1); /* forgotten at the COUNT */
    struct mf_item other[4];
    memcpy(other, k_square, sizeof other);
    other[3].z = mf_f32_bits(11.0f);
    (void)upload(0, 0, other, 4);
    assert_int_equal(v.mission.current, 0);
    assert_int_equal(v.mission.reached, -1);
}

static void test_sim031_last_item_again_is_acknowledged_again(void **state)
{
    (void)state;
    upload_square();
    say_item(0, 0, 3, &k_square[3]);
    assert_int_equal(expect_ack(0, 0, 0), SQUARE_TAG);
    expect_quiet();
    say_item(0, 0, 2, &k_square[2]);
    expect_text("IGN MISSION_ITEM: No transfer");
    (void)expect_ack(0, 0, 1);
    say_item(0, 1, 3, &k_square[3]); /* of another type */
    expect_text("IGN MISSION_ITEM: No transfer");
    (void)expect_ack(0, 1, 1);
    mock.port[0].peer.compid = 191; /* from another */
    say_item(0, 0, 3, &k_square[3]);
    expect_text("IGN MISSION_ITEM: No transfer");
    (void)expect_ack(0, 0, 1);
    mock.port[0].peer.compid = 190;
    say_item(1, 0, 3, &k_square[3]);
    expect_text("IGN MISSION_ITEM: No transfer");
    (void)expect_ack(1, 0, 1);
    say_clear(0, 0);
    (void)expect_ack(0, 0, 0);
    say_item(0, 0, 3, &k_square[3]);
    (void)expect_ack(0, 0, 1);
}

/* Some clients send "guided" items out of the blue. */
static void test_sim031_item_without_a_transfer(void **state)
{
    struct mf_msg_mission_item m = {
        .x = 47.4f, .y = 8.5f, .command = 16, .target_system = 1, .frame = 3, .current = 2};
    (void)state;
    say(0, MF_MSG_MISSION_ITEM, &m);
    expect_text("IGN MISSION_ITEM: No transfer");
    assert_int_equal(expect_ack(0, 0, 1), 0);
    expect_quiet();
    assert_int_equal(v.mission.count, 0);
}

static void test_sim031_requests_are_repeated_and_given_up(void **state)
{
    (void)state;
    say_count(0, 0, 4);
    expect_request(0, 0, 0);
    say_item(0, 0, 0, &k_square[0]);
    expect_request(0, 0, 1);
    for (int i = 0; i < 19; i++) {
        wait_ms(249);
        expect_quiet();
        wait_ms(1);
        expect_request(0, 0, 1); /* the partner has shown that it knows integers */
        expect_quiet();
    }
    wait_ms(249);
    assert_int_equal(v.transfer.state, MF_TRANSFER_RECEIVE);
    wait_ms(1);
    assert_int_equal(v.transfer.state, MF_TRANSFER_IDLE);
    expect_text("Operation timeout");
    expect_quiet();
    wait_ms(60000);
    expect_quiet();
    upload_square();
}

static void test_sim031_any_item_is_a_sign_of_life(void **state)
{
    (void)state;
    say_count(0, 0, 4);
    for (int i = 0; i < 4; i++) {
        wait_ms(4000);
        say_item(0, 0, 3, &k_square[3]); /* not the one that was asked for: ignored */
        assert_int_equal(v.transfer.next, 0);
        assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_MISSION_ACK), 0);
    }
    wait_ms(4999);
    assert_int_equal(v.transfer.state, MF_TRANSFER_RECEIVE);
    wait_ms(1);
    expect_text("Operation timeout");
}

static void test_sim031_client_that_knows_floats_only(void **state)
{
    (void)state;
    say_count(0, 0, 1);
    expect_request(0, 0, 0);
    wait_ms(250);
    expect_request(0, 0, 0);
    wait_ms(250);
    expect_request(0, 0, 0);
    say_count(0, 0, 1); /* it tries again, which does not put off the change */
    expect_request(0, 0, 0);
    wait_ms(250);
    expect_request_float(0, 0, 0);
    wait_ms(250);
    expect_request_float(0, 0, 0);
    expect_quiet();
}

static void test_sim031_unsupported_changes_the_kind_of_request(void **state)
{
    (void)state;
    say_count(0, 0, 4);
    expect_request(0, 0, 0);
    say_ack(0, 0, 3);
    expect_request_float(0, 0, 0);
    say_ack(0, 0, 3);
    expect_request(0, 0, 0);
    say_ack(0, 0, 1); /* another result changes nothing */
    expect_quiet();
    for (int i = 0; i < 4; i++) { /* two that never agree */
        wait_ms(1250);
        say_ack(0, 0, 3);
    }
    expect_text("Operation timeout");
    assert_int_equal(v.transfer.state, MF_TRANSFER_IDLE);
}

static void test_sim031_upload_in_floats(void **state)
{
    struct mf_msg_mission_item place = {.param1 = mf_f32_bits(0.5f),
                                        .param2 = mf_f32_bits(2.0f),
                                        .param4 = NAN_BITS,
                                        .x = 47.5f,
                                        .y = -8.25f,
                                        .z = mf_f32_bits(10.0f),
                                        .seq = 0,
                                        .command = 16,
                                        .target_system = 1,
                                        .target_component = 1,
                                        .frame = 3,
                                        .autocontinue = 1};
    struct mf_msg_mission_item pitch = {.x = 7.0f,
                                        .y = mf_f32_from_bits(NAN_BITS),
                                        .z = mf_f32_bits(1.0f),
                                        .seq = 1,
                                        .command = 1000,
                                        .target_system = 1,
                                        .target_component = 1,
                                        .frame = 2,
                                        .autocontinue = 1};
    struct mf_item item;
    (void)state;
    say_count(0, 0, 2);
    expect_request(0, 0, 0);
    say(0, MF_MSG_MISSION_ITEM, &place);
    expect_request_float(0, 0, 1);
    say(0, MF_MSG_MISSION_ITEM, &pitch);
    assert_int_equal(expect_ack(0, 0, 0), 0x3C2EFDCDu); /* over the floats that came */
    assert_int_equal(mf_mission_get(&v.mission, &v.hal, 0, &item), MF_E_OK);
    assert_int_equal(item.x, 475000000);
    assert_int_equal(item.y, -82500000);
    assert_int_equal(item.frame, 3);
    assert_int_equal(mf_mission_get(&v.mission, &v.hal, 1, &item), MF_E_OK);
    assert_int_equal(item.x, 7);
    assert_int_equal(item.y, INT32_MAX);
    say_list(0, 0);
    struct mf_msg_mission_item back;
    say_request_float(0, 0, 0);
    assert_true(mf_mock_take(&mock, 0, MF_MSG_MISSION_ITEM, &back));
    assert_true(back.x == 47.5f && back.y == -8.25f);
    assert_int_equal(back.frame, 3);
    say_request_float(0, 0, 1);
    assert_true(mf_mock_take(&mock, 0, MF_MSG_MISSION_ITEM, &back));
    assert_true(back.x == 7.0f && back.y != back.y);
    assert_int_equal(back.frame, 2);
}

static void test_sim031_floats_that_are_no_place(void **state)
{
    static const struct {
        uint16_t command;
        uint8_t frame;
        uint32_t x, y;
        uint8_t result;
    } k_case[] = {
        {16, 3, NAN_BITS, 0, 10},
        {16, 3, 0, NAN_BITS, 11},
        {16, 3, INF_BITS, 0, 10},
        {16, 3, 0, INF_BITS, 11},
        {16, 3, 0x42B50000u, 0, 10}, /* 90.5 */
        {16, 3, 0, 0xC3348000u, 11}, /* -180.5 */
        {16, 5, 0, 0, 2},
        {16, 6, 0, 0, 2},
        {178, 2, INF_BITS, 0, 10},
        {22, 3, NAN_BITS, NAN_BITS, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(k_case); i++) {
        const struct mf_msg_mission_item m = {.x = mf_f32_from_bits(k_case[i].x),
                                              .y = mf_f32_from_bits(k_case[i].y),
                                              .z = mf_f32_bits(10.0f),
                                              .command = k_case[i].command,
                                              .target_system = 1,
                                              .target_component = 1,
                                              .frame = k_case[i].frame};
        say_count(0, 0, 1);
        say(0, MF_MSG_MISSION_ITEM, &m);
        (void)expect_ack(0, 0, k_case[i].result);
        mf_mock_clear(&mock, 0);
    }
}

static void test_sim031_invalid_items_end_the_transfer(void **state)
{
    static const struct {
        struct mf_item item;
        uint8_t type, result;
    } k_case[] = {
        {{{0}, 0, 0, 0, 82, 6, 1}, 0, 3},
        {{{0}, 0, 0, 0, 16, 1, 1}, 0, 2},
        {{{0}, 0, 0, 0, 16, 12, 1}, 0, 2},
        {{{0}, 0, 0, 0, 16, 2, 1}, 0, 3},
        {{{0}, 0, 0, 0, 178, 6, 1}, 0, 3},
        {{{0}, 0, 0, 0, 5001, 5, 1}, 0, 1},
        {{{0}, 0, 0, 0, 5100, 5, 1}, 0, 1},
        {{{0}, 0, 0, 0, 5001, 5, 1}, 1, 1},
        {{{INF_BITS}, 0, 0, 0, 16, 6, 1}, 0, 6},
        {{{0, INF_BITS}, 0, 0, 0, 16, 6, 1}, 0, 7},
        {{{0, 0, INF_BITS}, 0, 0, 0, 16, 6, 1}, 0, 8},
        {{{0, 0, 0, INF_BITS}, 0, 0, 0, 16, 6, 1}, 0, 9},
        {{{0}, INT32_MIN, 0, 0, 16, 6, 1}, 0, 10},
        {{{0}, 0, INT32_MIN, 0, 16, 6, 1}, 0, 11},
        {{{0}, 0, 0, NAN_BITS, 16, 6, 1}, 0, 12},
        {{{0x40400000u}, 0, 0, 0, 201, 2, 1}, 0, 6},
    };
    (void)state;
    upload_square();
    for (size_t i = 0; i < COUNT_OF(k_case); i++) {
        say_count(0, k_case[i].type, 2);
        expect_request(0, k_case[i].type, 0);
        say_item(0, k_case[i].type, 0, &k_case[i].item);
        (void)expect_ack(0, k_case[i].type, k_case[i].result);
        expect_text("IGN MISSION_ITEM: Invalid item");
        expect_quiet();
        assert_int_equal(v.mission.tag, SQUARE_TAG);
        assert_int_equal(links[0].stats.rx_rejected, i + 1);
    }
    assert_int_equal(mock.store.count[MF_STORE_MISSION], 4);
    wait_ms(1000);
    expect_quiet();
}

static void test_sim031_wrong_type_in_between(void **state)
{
    (void)state;
    say_count(0, 0, 1);
    expect_request(0, 0, 0);
    say_item(0, 1, 0, &k_square[0]);
    (void)expect_ack(0, 0, 1);
    say_item(0, 0, 0, &k_square[0]);
    (void)expect_ack(0, 0, 0);
    expect_quiet();
}

static void test_sim031_one_transfer_at_a_time(void **state)
{
    (void)state;
    say_count(0, 0, 2);
    expect_request(0, 0, 0);
    say_count(1, 0, 2);
    (void)expect_ack(1, 0, 1);
    say_count(1, 1, 2);
    (void)expect_ack(1, 1, 1);
    say_list(1, 0);
    expect_text("Mission download request ignored, already active");
    say_clear(1, 0);
    expect_text("WPM: IGN CLEAR CMD: Busy");
    say_current(1, 0);
    expect_text("WPM: IGN WP CURR CMD: Busy");
    say_item(1, 0, 0, &k_square[0]);
    expect_text("REJ. MIS ITEM: partner id mismatch");
    say_request(1, 0, 0);
    expect_text("WPM: REJ. CMD: partner id mismatch");
    say_ack(1, 0, 15);
    expect_text("REJ. WP CMD: partner id mismatch");
    say_request(0, 0, 0);
    expect_text("WPM: REJ. CMD: Busy");
    expect_quiet();
    mock.port[0].peer.compid = 191; /* another component on the same link */
    say_count(0, 0, 2);
    (void)expect_ack(0, 0, 1);
    say_item(0, 0, 0, &k_square[0]);
    expect_text("REJ. MIS ITEM: partner id mismatch");
    mock.port[0].peer.compid = 190;
    say_item(0, 0, 0, &k_square[0]);
    expect_request(0, 0, 1);
    say_item(0, 0, 1, &k_square[1]);
    (void)expect_ack(0, 0, 0);
    expect_quiet();
}

static void test_sim031_count_again(void **state)
{
    (void)state;
    say_count(0, 0, 2);
    expect_request(0, 0, 0);
    say_count(0, 0, 2);
    expect_request(0, 0, 0);
    say_count(0, 1, 2); /* it changed its mind before anything came */
    expect_request(0, 1, 0);
    say_count(0, 0, 3);
    expect_request(0, 0, 0);
    assert_int_equal(v.transfer.count, 3);
    say_item(0, 0, 0, &k_square[0]);
    expect_request(0, 0, 1);
    say_count(0, 0, 3);
    expect_text("WPM: REJ. CMD: Busy");
    (void)expect_ack(0, 0, 1);
    expect_quiet();
    say_item(0, 0, 1, &k_square[1]);
    say_item(0, 0, 2, &k_square[2]);
    (void)expect_ack(0, 0, 0);
}

static void test_sim031_counts_that_begin_nothing(void **state)
{
    (void)state;
    upload_square();
    mock.store.capacity[MF_STORE_FENCE] = 64;
    say_count(0, 0, 257);
    (void)expect_ack(0, 0, 4);
    say_count(0, 1, 65);
    (void)expect_ack(0, 1, 4);
    say_count(0, 3, 1);
    (void)expect_ack(0, 3, 5);
    say_count(0, 255, 0);
    (void)expect_ack(0, 255, 5);
    assert_int_equal(v.mission.count, 4);
    say_count(0, 0, 0);
    assert_int_equal(expect_ack(0, 0, 0), 0);
    assert_int_equal(v.mission.count, 0);
    assert_int_equal(v.mission.tag, 0);
    assert_int_equal(mock.store.count[MF_STORE_MISSION], 0);
    assert_int_equal(v.transfer.state, MF_TRANSFER_IDLE);
    expect_quiet();
    say_count(0, 1, 64);
    expect_request(0, 1, 0);
}

static void test_sim031_cancelled_upload(void **state)
{
    (void)state;
    upload_square();
    say_count(0, 0, 2);
    expect_request(0, 0, 0);
    say_item(0, 0, 0, &k_square[1]);
    expect_request(0, 0, 1);
    say_ack(0, 1, 15); /* of another type */
    assert_int_equal(v.transfer.state, MF_TRANSFER_RECEIVE);
    say_ack(0, 0, 15);
    assert_int_equal(v.transfer.state, MF_TRANSFER_IDLE);
    wait_ms(6000);
    expect_quiet();
    assert_int_equal(v.mission.tag, SQUARE_TAG);
    say_ack(0, 0, 0); /* of nothing */
    expect_quiet();
}

static void test_sim031_current_flag(void **state)
{
    (void)state;
    say_count(0, 0, 4);
    for (uint16_t i = 0; i < 4; i++) {
        struct mf_msg_mission_item_int m = item_int(0, i, &k_square[i]);
        m.current = i == 1 || i == 2;
        say(0, MF_MSG_MISSION_ITEM_INT, &m);
    }
    (void)expect_ack(0, 0, 0);
    assert_int_equal(v.mission.current, 2);
    say_list(1, 0);
    for (uint16_t i = 0; i < 4; i++) {
        struct mf_msg_mission_item_int m;
        say_request(1, 0, i);
        assert_true(mf_mock_take(&mock, 1, MF_MSG_MISSION_ITEM_INT, &m));
        assert_int_equal(m.current, i == 2);
    }
}

static void test_sim031_infeasible_mission_is_stored_and_said(void **state)
{
    struct mf_item land = k_square[1];
    struct mf_msg_mission_current m;
    (void)state;
    land.command = 21;            /* NAV_LAND */
    for (int i = 0; i < 2; i++) { /* also when it comes again */
        const uint32_t tag = upload(0, 0, &land, 1);
        expect_text("Mission rejected: starts with landing");
        assert_int_equal(v.mission.tag, tag);
        assert_int_equal(v.mission.count, 1);
        assert_int_equal(mf_mission_state(&v), 1);
        mf_mock_clear(&mock, 0);
        assert_true(i > 0 || mf_mock_take(&mock, 1, MF_MSG_MISSION_CURRENT, &m));
        assert_true(i > 0 || m.mission_state == 1);
        mf_mock_clear(&mock, 1);
    }
}

static void test_sim031_upload_in_flight_is_flown_at_once(void **state)
{
    struct mf_item west = k_square[1];
    (void)state;
    west.x = HOME_LAT_E7;
    west.y -= 20000;
    upload_square();
    mf_mock_place(&mock, 47.397742, 8.545594, 498.0, false);
    mf_estimate_expire(&v.estimate);
    v.commander.armed = true;
    v.commander.landed = MF_LANDED_IN_AIR;
    v.commander.mode = MF_MODE_MISSION;
    mf_navigator_begin(&v, 0, MF_MODE_MISSION, NULL);
    (void)mf_vehicle_step(&v);
    const size_t plans = mock.airframe.plan_count;
    say_count(0, 0, 1);
    assert_int_equal(mock.airframe.plan_count, plans);
    say_item(0, 0, 0, &west);
    assert_true(mock.airframe.plan_count > plans);
    const struct mf_mock_plan *plan = &mock.airframe.plan[mock.airframe.plan_count - 1];
    assert_int_equal(plan->n, 1);
    assert_true(plan->leg[0].lon_deg > 8.5435939 && plan->leg[0].lon_deg < 8.5435941);
    assert_int_equal(mf_mission_state(&v), 3);
    say_clear(0, 0);
    assert_int_equal(mf_mission_state(&v), 1);
    assert_int_equal(v.commander.mode, MF_MODE_HOLD);
}

/* ---- what else can be uploaded ---- */

static void test_sim031_fence_and_rally_points(void **state)
{
    static const struct mf_item k_fence[] = {
        {{0x40400000u}, 474000000, 85000000, 0, 5001, 5, 0},
        {{0x40400000u}, 474000000, 86000000, 0, 5001, 5, 0},
        {{0x40400000u}, 473000000, 85000000, 0, 5001, 5, 0},
        {{0x42C80000u}, 473500000, 85000000, 0, 5004, 5, 0},
    };
    static const struct mf_item k_rally[] = {{{0}, 474000000, 85000000, 0x41F00000u, 5100, 3, 1}};
    struct mf_msg_mission_item_int m;
    struct mf_msg_mission_count count;
    (void)state;
    upload_square();
    const uint32_t fence_tag = upload(0, 1, k_fence, 4);
    const uint32_t rally_tag = upload(1, 2, k_rally, 1);
    assert_int_equal(fence_tag, 0x946F46F2u);
    assert_int_equal(v.mission.fence_tag, fence_tag);
    assert_int_equal(v.mission.rally_tag, rally_tag);
    assert_int_equal(v.mission.tag, SQUARE_TAG);
    say_list(0, 1);
    assert_true(mf_mock_take(&mock, 0, MF_MSG_MISSION_COUNT, &count));
    assert_int_equal(count.count, 4);
    assert_int_equal(count.mission_type, 1);
    assert_int_equal(count.opaque_id, fence_tag);
    for (uint16_t i = 0; i < 4; i++) {
        say_request(0, 1, i);
        assert_true(mf_mock_take(&mock, 0, MF_MSG_MISSION_ITEM_INT, &m));
        assert_int_equal(m.command, k_fence[i].command);
        assert_int_equal(m.y, k_fence[i].y);
        assert_int_equal(m.current, 0);
        assert_int_equal(m.mission_type, 1);
    }
    say_ack(0, 1, 0);
    say_clear(0, 1);
    (void)expect_ack(0, 1, 0);
    assert_int_equal(v.mission.fence_tag, 0);
    assert_int_equal(v.mission.rally_tag, rally_tag);
    assert_int_equal(v.mission.count, 4);
}

/* PX4's storage has room for 64 points of fences and 32 rally points. */
static void test_sim031_where_px4s_rules_hold_plans_are_as_small_as_its_own(void **state)
{
    static const struct {
        uint8_t type;
        uint16_t most;
    } k_case[] = {{1, 64}, {2, 32}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(k_case); i++) {
        v.options.px4_strict = true;
        say_count(0, k_case[i].type, (uint16_t)(k_case[i].most + 1));
        (void)expect_ack(0, k_case[i].type, 4); /* NO_SPACE */
        assert_int_equal(v.transfer.state, MF_TRANSFER_IDLE);
        say_count(0, k_case[i].type, k_case[i].most);
        assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_MISSION_REQUEST_INT), 1);
        say_count(0, k_case[i].type, 0); /* the end of it */
        mf_mock_clear(&mock, 0);
        v.transfer.state = MF_TRANSFER_IDLE;
        v.options.px4_strict = false;
        say_count(0, k_case[i].type, 256);
        assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_MISSION_REQUEST_INT), 1);
        v.transfer.state = MF_TRANSFER_IDLE;
        mf_mock_clear(&mock, 0);
        say_count(0, k_case[i].type, 257);
        (void)expect_ack(0, k_case[i].type, 4);
    }
    v.options.px4_strict = true;
    say_count(0, 0, 256); /* missions: as many as fit */
    assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_MISSION_REQUEST_INT), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_sim031_upload, setup),
        cmocka_unit_test_setup(test_sim031_old_mission_stays_until_the_last_item, setup),
        cmocka_unit_test_setup(test_sim031_same_mission_again_keeps_the_progress, setup),
        cmocka_unit_test_setup(test_sim031_last_item_again_is_acknowledged_again, setup),
        cmocka_unit_test_setup(test_sim031_item_without_a_transfer, setup),
        cmocka_unit_test_setup(test_sim031_requests_are_repeated_and_given_up, setup),
        cmocka_unit_test_setup(test_sim031_any_item_is_a_sign_of_life, setup),
        cmocka_unit_test_setup(test_sim031_client_that_knows_floats_only, setup),
        cmocka_unit_test_setup(test_sim031_unsupported_changes_the_kind_of_request, setup),
        cmocka_unit_test_setup(test_sim031_upload_in_floats, setup),
        cmocka_unit_test_setup(test_sim031_floats_that_are_no_place, setup),
        cmocka_unit_test_setup(test_sim031_invalid_items_end_the_transfer, setup),
        cmocka_unit_test_setup(test_sim031_wrong_type_in_between, setup),
        cmocka_unit_test_setup(test_sim031_one_transfer_at_a_time, setup),
        cmocka_unit_test_setup(test_sim031_count_again, setup),
        cmocka_unit_test_setup(test_sim031_counts_that_begin_nothing, setup),
        cmocka_unit_test_setup(test_sim031_cancelled_upload, setup),
        cmocka_unit_test_setup(test_sim031_current_flag, setup),
        cmocka_unit_test_setup(test_sim031_infeasible_mission_is_stored_and_said, setup),
        cmocka_unit_test_setup(test_sim031_upload_in_flight_is_flown_at_once, setup),
        cmocka_unit_test_setup(test_sim031_fence_and_rally_points, setup),
        cmocka_unit_test_setup(test_sim031_where_px4s_rules_hold_plans_are_as_small_as_its_own,
                               setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
