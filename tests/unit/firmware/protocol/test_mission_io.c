/* SPDX-License-Identifier: Apache-2.0 */
/* The mission protocol from the vehicle, clearing and choosing, and both ways when
 * something fails. */
#include "tests/unit/firmware/mission_client.h"

#define BIG 10000u

/* ---- download ---- */

static void test_sim031_download_gives_back_every_bit(void **state)
{
    static const struct mf_item k_items[] = {
        {{0x7FC12345u, 0xFFFFFFFFu, 0x80000000u, 0x00000001u},
         899999999,
         -1799999999,
         0xC2C80000u,
         16,
         0,
         7},
        {{0x3F800000u, NAN_BITS, 0, 0}, INT32_MIN, 12345, 0x7F800001u, 1000, 2, 0},
        {{NAN_BITS, NAN_BITS, NAN_BITS, NAN_BITS}, INT32_MIN, INT32_MIN, 0, 21, 5, 1},
    };
    struct mf_msg_mission_count count;
    (void)state;
    const uint32_t tag = upload(0, 0, k_items, 3);
    expect_text("First waypoint "); /* too far away, which does not matter here */
    mf_mock_clear(&mock, 1);
    say_list(1, 0);
    assert_true(mf_mock_take(&mock, 1, MF_MSG_MISSION_COUNT, &count));
    assert_int_equal(count.count, 3);
    assert_int_equal(count.opaque_id, tag);
    assert_int_equal(count.target_system, 250);
    for (uint16_t i = 0; i < 3; i++) {
        struct mf_msg_mission_item_int want = item_int(0, i, &k_items[i]);
        struct mf_msg_mission_item_int got;
        want.target_system = 250;
        want.target_component = 190;
        want.current = i == 0;
        say_request(1, 0, i);
        memset(&got, 0, sizeof got);
        assert_true(mf_mock_take(&mock, 1, MF_MSG_MISSION_ITEM_INT, &got));
        assert_memory_equal(&got, &want,
                            offsetof(struct mf_msg_mission_item_int, mission_type) + 1);
    }
    say_ack(1, 0, 0);
    assert_int_equal(v.transfer.state, MF_TRANSFER_IDLE);
    expect_silence(1);
}

static void test_sim031_download_in_floats(void **state)
{
    static const uint8_t k_frame[][2] = {{0, 0}, {3, 3}, {5, 0}, {6, 3}};
    struct mf_item items[5];
    struct mf_msg_mission_item m;
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        items[i] = k_square[1];
        items[i].frame = k_frame[i][0];
    }
    items[4] = (struct mf_item){.command = 21, .frame = 6, .x = INT32_MIN, .y = INT32_MIN};
    (void)upload(0, 0, items, 5);
    say_list(0, 0);
    for (uint16_t i = 0; i < 4; i++) {
        say_request_float(0, 0, i);
        assert_true(mf_mock_take(&mock, 0, MF_MSG_MISSION_ITEM, &m));
        assert_int_equal(m.seq, i);
        assert_int_equal(m.frame, k_frame[i][1]);
        assert_true(m.x == 47.398742f && m.y == 8.545594f);
        assert_int_equal(m.param4, NAN_BITS);
        assert_int_equal(m.z, 0x41200000u);
        assert_int_equal(m.current, i == 0);
    }
    say_request_float(0, 0, 4);
    assert_true(mf_mock_take(&mock, 0, MF_MSG_MISSION_ITEM, &m));
    assert_true(m.x != m.x && m.y != m.y);
}

static void test_sim031_download_in_the_frames_of_px4(void **state)
{
    static const uint8_t k_frame[][2] = {{0, 5}, {3, 6}, {5, 5}, {6, 6}};
    struct mf_item items[4];
    struct mf_msg_mission_item_int m;
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        items[i] = k_square[1];
        items[i].frame = k_frame[i][0];
    }
    (void)upload(0, 0, items, 4);
    for (int strict = 0; strict < 2; strict++) {
        v.options.px4_strict = strict != 0;
        say_list(0, 0);
        for (uint16_t i = 0; i < 4; i++) {
            say_request(0, 0, i);
            assert_true(mf_mock_take(&mock, 0, MF_MSG_MISSION_ITEM_INT, &m));
            assert_int_equal(m.frame, k_frame[i][strict]);
        }
    }
}

static void test_sim031_download_step_by_step(void **state)
{
    struct mf_msg_mission_item_int m;
    (void)state;
    upload_square();
    say_request(0, 0, 0); /* nothing was asked for */
    expect_quiet();
    say_list(0, 0);
    assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_MISSION_COUNT), 1);
    say_request(0, 0, 0);
    say_request(0, 0, 0); /* the answer was lost */
    say_request(0, 0, 1);
    assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_MISSION_ITEM_INT), 3);
    say_request(0, 1, 2); /* of another type: ignored */
    assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_MISSION_ITEM_INT), 3);
    mf_mock_clear(&mock, 0);
    say_list(0, 0); /* from the beginning */
    assert_true(mf_mock_take(&mock, 0, MF_MSG_MISSION_COUNT, NULL));
    say_request(0, 0, 0);
    assert_true(mf_mock_take(&mock, 0, MF_MSG_MISSION_ITEM_INT, &m));
    assert_int_equal(m.seq, 0);
    say_request(0, 0, 2);
    (void)expect_ack(0, 0, 1);
    expect_text("WPM: REJ. CMD: Req. WP was unexpected");
    assert_int_equal(v.transfer.state, MF_TRANSFER_IDLE);
    say_list(0, 0);
    assert_true(mf_mock_take(&mock, 0, MF_MSG_MISSION_COUNT, NULL));
    say_request(0, 0, UINT16_MAX); /* before the first one */
    (void)expect_ack(0, 0, 1);
    expect_text("WPM: REJ. CMD: Req. WP was unexpected");
    expect_quiet();
}

static void test_sim031_download_is_given_up(void **state)
{
    (void)state;
    upload_square();
    say_list(0, 0);
    assert_true(mf_mock_take(&mock, 0, MF_MSG_MISSION_COUNT, NULL));
    wait_ms(4000);
    say_request(0, 0, 0);
    assert_true(mf_mock_take(&mock, 0, MF_MSG_MISSION_ITEM_INT, NULL));
    wait_ms(4999);
    expect_quiet();
    wait_ms(1);
    expect_text("Operation timeout");
    expect_quiet();
    say_request(0, 0, 1);
    expect_quiet();
}

static void test_sim031_download_among_others(void **state)
{
    (void)state;
    upload_square();
    say_list(0, 0);
    say_request(0, 0, 0);
    mf_mock_clear(&mock, 0);
    say_list(1, 0);
    expect_text("Mission download request ignored, already active");
    say_list(0, 1);
    expect_text("Mission download request ignored, already active");
    say_count(1, 0, 1);
    expect_text("WPM: IGN MISSION_COUNT: Busy");
    (void)expect_ack(1, 0, 1);
    say_item(0, 0, 0, &k_square[0]);
    expect_text("IGN MISSION_ITEM: Busy");
    (void)expect_ack(0, 0, 1);
    say_item(1, 0, 0, &k_square[0]);
    expect_text("REJ. MIS ITEM: partner id mismatch");
    say_clear(0, 0);
    expect_text("WPM: IGN CLEAR CMD: Busy");
    say_ack(0, 1, 0); /* of another type */
    assert_int_equal(v.transfer.state, MF_TRANSFER_SEND);
    expect_quiet();
    say_ack(0, 0, 15);
    say_list(1, 0);
    assert_true(mf_mock_take(&mock, 1, MF_MSG_MISSION_COUNT, NULL));
}

static void test_sim031_complete_download_blocks_nobody(void **state)
{
    (void)state;
    upload_square();
    say_list(0, 0);
    for (uint16_t i = 0; i < 4; i++) {
        say_request(0, 0, i);
    }
    mf_mock_clear(&mock, 0);
    say_request(0, 0, 3); /* the last one may still be asked for */
    assert_true(mf_mock_take(&mock, 0, MF_MSG_MISSION_ITEM_INT, NULL));
    say_list(1, 0); /* no acknowledgement ever came from the other */
    assert_true(mf_mock_take(&mock, 1, MF_MSG_MISSION_COUNT, NULL));
    for (uint16_t i = 0; i < 4; i++) {
        say_request(1, 0, i);
    }
    say_request(1, 0, 4); /* behind the last one */
    (void)expect_ack(1, 0, 1);
    say_list(1, 1);
    say_clear(0, 0);
    (void)expect_ack(0, 0, 0);
    assert_int_equal(v.transfer.state, MF_TRANSFER_IDLE);
}

static void test_sim031_download_of_nothing(void **state)
{
    struct mf_msg_mission_count m;
    (void)state;
    for (uint8_t type = 0; type < 3; type++) {
        say_list(0, type);
        assert_true(mf_mock_take(&mock, 0, MF_MSG_MISSION_COUNT, &m));
        assert_int_equal(m.count, 0);
        assert_int_equal(m.mission_type, type);
        assert_int_equal(m.opaque_id, 0);
        say_ack(0, type, 0);
    }
    say_list(0, 3);
    (void)expect_ack(0, 3, 5);
    expect_quiet();
}

/* ---- clear, set current, and what is ignored ---- */

static void test_sim031_clear(void **state)
{
    static const struct mf_item k_rally = {{0}, 474000000, 85000000, 0, 5100, 5, 1};
    static const struct mf_item k_circle = {{0x461C4000u}, 474000000, 85000000, 0, 5003, 5, 1};
    static const struct {
        uint8_t type;
        uint16_t mission, fence, rally;
    } k_case[] = {{0, 0, 1, 1}, {1, 4, 0, 1}, {2, 4, 1, 0}, {255, 0, 0, 0}, {77, 4, 1, 1}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(k_case); i++) {
        upload_square();
        (void)upload(0, 1, &k_circle, 1);
        (void)upload(0, 2, &k_rally, 1);
        say_clear(1, k_case[i].type);
        (void)expect_ack(1, k_case[i].type, 0);
        expect_quiet();
        assert_int_equal(v.mission.count, k_case[i].mission);
        assert_int_equal(mock.store.count[MF_STORE_MISSION], k_case[i].mission);
        assert_int_equal(mock.store.count[MF_STORE_FENCE], k_case[i].fence);
        assert_int_equal(mock.store.count[MF_STORE_RALLY], k_case[i].rally);
        assert_int_equal(v.mission.fence_tag != 0, k_case[i].fence);
        assert_int_equal(v.mission.rally_tag != 0, k_case[i].rally);
    }
}

static void test_sim023_set_current(void **state)
{
    struct mf_msg_mission_current m;
    (void)state;
    upload_square();
    for (int port = 0; port < 2; port++) {
        say_current(port, 2);
        assert_true(mf_mock_take(&mock, port, MF_MSG_MISSION_CURRENT, &m)); /* no time has passed */
        assert_int_equal(m.seq, 2);
        mf_mock_clear(&mock, 0);
        mf_mock_clear(&mock, 1);
    }
    say_current(0, 4);
    expect_text("WPM: WP CURR CMD: Not in list");
    assert_int_equal(v.mission.current, 2);
    assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_MISSION_CURRENT), 0);
    expect_quiet();
}

static void test_sim031_partial_lists_are_ignored(void **state)
{
    const struct mf_msg_mission_write_partial_list write = {
        .start_index = 0, .end_index = 1, .target_system = 1, .target_component = 1};
    const struct mf_msg_mission_request_partial_list request = {
        .start_index = 0, .end_index = 1, .target_system = 1, .target_component = 1};
    (void)state;
    upload_square();
    say(0, MF_MSG_MISSION_WRITE_PARTIAL_LIST, &write);
    say(0, MF_MSG_MISSION_REQUEST_PARTIAL_LIST, &request);
    expect_quiet();
    assert_int_equal(v.transfer.state, MF_TRANSFER_IDLE);
}

static void test_sim031_targets(void **state)
{
    static const struct {
        uint8_t system, component;
        bool ours;
    } k_target[] = {{1, 1, true},  {1, 0, true},  {1, 190, true}, {0, 0, false},
                    {2, 1, false}, {1, 2, false}, {0, 1, false},  {1, 255, false}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(k_target); i++) {
        const uint8_t system = k_target[i].system;
        const uint8_t component = k_target[i].component;
        const uint32_t foreign = links[0].stats.rx_foreign;
        const struct mf_msg_mission_count count = {
            .count = 0, .target_system = system, .target_component = component};
        const struct mf_msg_mission_request_list list = {.target_system = system,
                                                         .target_component = component};
        const struct mf_msg_mission_clear_all clear = {.target_system = system,
                                                       .target_component = component};
        const struct mf_msg_mission_set_current current = {.target_system = system,
                                                           .target_component = component};
        const struct mf_msg_mission_item item_float = {.target_system = system,
                                                       .target_component = component};
        const struct mf_msg_mission_ack ack = {.target_system = system,
                                               .target_component = component};
        const struct mf_msg_mission_request request = {.target_system = system,
                                                       .target_component = component};
        const struct mf_msg_mission_item_int item = {.target_system = system,
                                                     .target_component = component};
        say(0, MF_MSG_MISSION_COUNT, &count);
        say(0, MF_MSG_MISSION_REQUEST_LIST, &list);
        say(0, MF_MSG_MISSION_CLEAR_ALL, &clear);
        say(0, MF_MSG_MISSION_ITEM_INT, &item);
        say(0, MF_MSG_MISSION_SET_CURRENT, &current);
        say(0, MF_MSG_MISSION_ITEM, &item_float);
        say(0, MF_MSG_MISSION_ACK, &ack);
        say(0, MF_MSG_MISSION_REQUEST, &request);
        assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_MISSION_ACK), k_target[i].ours ? 4 : 0);
        assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_MISSION_COUNT), k_target[i].ours);
        assert_int_equal(mf_mock_count(&mock, 0, MF_MSG_STATUSTEXT), k_target[i].ours ? 3 : 0);
        assert_int_equal(links[0].stats.rx_foreign - foreign, k_target[i].ours ? 0 : 8);
        assert_int_equal(mf_mock_count(&mock, 1, MF_MSG_MISSION_ACK), 0);
        mf_mock_clear(&mock, 0);
        mf_mock_clear(&mock, 1);
    }
}

static void test_sim031_upload_over_mavlink_1(void **state)
{
    (void)state;
    mock.port[0].peer.version = 1;
    assert_int_equal(upload(0, 0, k_square, k_square_count), SQUARE_TAG);
    assert_int_equal(v.mission.count, 4);
}

/* ---- when something fails ---- */

static void test_sim031_link_closed_during_a_transfer(void **state)
{
    static int32_t interval_us[MF_STREAM_COUNT];
    (void)state;
    upload_square();
    say_count(0, 0, 2);
    say_item(0, 0, 0, &k_square[1]);
    mf_link_close(&v, 0);
    assert_int_equal(v.transfer.state, MF_TRANSFER_IDLE);
    wait_ms(10000);
    expect_silence(1);
    assert_int_equal(v.mission.tag, SQUARE_TAG);
    say_list(1, 0); /* another may begin at once */
    assert_true(mf_mock_take(&mock, 1, MF_MSG_MISSION_COUNT, NULL));
    for (size_t i = 0; i < MF_STREAM_COUNT; i++) {
        interval_us[i] = MF_STREAM_OFF;
    }
    const struct mf_serial serial = mf_mock_serial(&mock, 0);
    assert_int_equal(mf_link_open(&v, &serial, "again", interval_us), 0);
    mf_link_close(&v, 0); /* not the one of the transfer */
    assert_int_equal(v.transfer.state, MF_TRANSFER_SEND);
    mf_link_close(&v, 1);
    assert_int_equal(v.transfer.state, MF_TRANSFER_IDLE);
    wait_ms(10000);
}

static void test_sim031_lost_frames_are_made_up_for(void **state)
{
    (void)state;
    mock.port[0].room = 0;
    say_count(0, 0, 1);
    expect_quiet();
    mock.port[0].room = SIZE_MAX;
    wait_ms(250);
    expect_request(0, 0, 0);
    mock.port[0].room = 0;
    say_item(0, 0, 0, &k_square[0]);
    expect_quiet();
    assert_int_equal(v.mission.count, 1);
    mock.port[0].room = SIZE_MAX;
    say_item(0, 0, 0, &k_square[0]);
    (void)expect_ack(0, 0, 0);
}

static void test_sim031_store_that_takes_nothing(void **state)
{
    (void)state;
    upload_square();
    mock.store.result = MF_E_IO;
    say_count(0, 0, 2);
    say_item(0, 0, 0, &k_square[1]);
    (void)expect_ack(0, 0, 1);
    expect_text("Mission storage: Unable to write");
    mock.store.result = MF_E_OK;
    say_count(0, 0, 1);
    mock.store.result = MF_E_FULL;
    say_item(0, 0, 0, &k_square[1]);
    (void)expect_ack(0, 0, 4);
    expect_text("Mission storage: Unable to write");
    mock.store.result = MF_E_IO;
    say_clear(0, 0);
    (void)expect_ack(0, 0, 1);
    say_clear(0, 255);
    (void)expect_ack(0, 255, 1);
    say_count(0, 0, 0);
    (void)expect_ack(0, 0, 1);
    assert_int_equal(v.mission.tag, SQUARE_TAG);
    assert_int_equal(v.mission.count, 4);
    assert_int_equal(v.transfer.state, MF_TRANSFER_IDLE);
}

static int commit_fails(void *ctx, enum mf_store_area area, uint16_t count, uint32_t tag)
{
    (void)ctx, (void)area, (void)count, (void)tag;
    return MF_E_IO;
}

static void test_sim031_commit_that_fails(void **state)
{
    (void)state;
    upload_square();
    struct mf_store_ops ops = *v.hal.store;
    ops.commit = commit_fails;
    v.hal.store = &ops;
    say_count(0, 0, 1);
    say_item(0, 0, 0, &k_square[1]);
    (void)expect_ack(0, 0, 1);
    expect_text("Mission storage: Unable to write");
    assert_int_equal(v.mission.tag, SQUARE_TAG);
    assert_int_equal(v.mission.count, 4);
    say_item(0, 0, 0, &k_square[1]); /* not taken for the last one of a good transfer */
    expect_text("IGN MISSION_ITEM: No transfer");
    (void)expect_ack(0, 0, 1);
}

static void test_sim031_store_that_cannot_be_read(void **state)
{
    (void)state;
    upload_square();
    say_list(0, 0);
    mock.store.get_result = MF_E_IO;
    say_request(0, 0, 0);
    (void)expect_ack(0, 0, 1);
    expect_text("Mission storage: Unable to read");
    assert_int_equal(v.transfer.state, MF_TRANSFER_IDLE);
}

/* ---- much ---- */

static struct {
    struct mf_item item[2][BIG];
    uint32_t tag;
    uint16_t count;
    uint8_t active;
} big;

static int big_info(void *ctx, enum mf_store_area area, struct mf_store_info *info)
{
    (void)ctx;
    *info = area == MF_STORE_MISSION ? (struct mf_store_info){big.tag, big.count, BIG}
                                     : (struct mf_store_info){0};
    return MF_E_OK;
}

static int big_get(void *ctx, enum mf_store_area area, uint16_t index, void *record)
{
    (void)ctx;
    if (area != MF_STORE_MISSION || index >= big.count) {
        return MF_E_RANGE;
    }
    memcpy(record, &big.item[big.active][index], sizeof(struct mf_item));
    return MF_E_OK;
}

static int big_put(void *ctx, enum mf_store_area area, uint16_t index, const void *record)
{
    (void)ctx;
    if (area != MF_STORE_MISSION || index >= BIG) {
        return MF_E_FULL;
    }
    memcpy(&big.item[!big.active][index], record, sizeof(struct mf_item));
    return MF_E_OK;
}

static int big_commit(void *ctx, enum mf_store_area area, uint16_t count, uint32_t tag)
{
    (void)ctx;
    assert_int_equal(area, MF_STORE_MISSION);
    big.active = !big.active;
    big.count = count;
    big.tag = tag;
    return MF_E_OK;
}

static const struct mf_store_ops k_big = {big_info, big_get, big_put, big_commit};

static int setup_big(void **state)
{
    (void)state;
    mf_mock_init(&mock);
    memset(&big, 0, sizeof big);
    struct mf_hal hal = mf_mock_hal(&mock);
    hal.store = &k_big;
    return start(&hal);
}

static struct mf_item big_item(uint16_t i)
{
    struct mf_item item = k_square[1];
    item.x += i;
    return item;
}

static void test_sim031_ten_thousand_items(void **state)
{
    struct mf_msg_mission_item_int m;
    (void)state;
    say_count(0, 0, BIG + 1);
    (void)expect_ack(0, 0, 4);
    say_count(0, 0, BIG);
    for (uint16_t i = 0; i < BIG; i++) {
        const struct mf_item item = big_item(i);
        expect_request(0, 0, i);
        mf_mock_clear(&mock, 0);
        say_item(0, 0, i, &item);
    }
    assert_int_equal(expect_ack(0, 0, 0), 0x643CCE2Au);
    assert_int_equal(v.mission.count, BIG);
    assert_int_equal(mf_mission_state(&v), 2);
    say_list(0, 0);
    for (uint16_t i = 0; i < BIG; i++) {
        mf_mock_clear(&mock, 0);
        say_request(0, 0, i);
        assert_true(mf_mock_take(&mock, 0, MF_MSG_MISSION_ITEM_INT, &m));
        assert_int_equal(m.x, HOME_LAT_E7 + 10000 + i);
    }
    say_current(0, BIG - 1);
    assert_int_equal(v.mission.current, BIG - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_sim031_download_gives_back_every_bit, setup),
        cmocka_unit_test_setup(test_sim031_download_in_floats, setup),
        cmocka_unit_test_setup(test_sim031_download_in_the_frames_of_px4, setup),
        cmocka_unit_test_setup(test_sim031_download_step_by_step, setup),
        cmocka_unit_test_setup(test_sim031_download_is_given_up, setup),
        cmocka_unit_test_setup(test_sim031_download_among_others, setup),
        cmocka_unit_test_setup(test_sim031_complete_download_blocks_nobody, setup),
        cmocka_unit_test_setup(test_sim031_download_of_nothing, setup),
        cmocka_unit_test_setup(test_sim031_clear, setup),
        cmocka_unit_test_setup(test_sim023_set_current, setup),
        cmocka_unit_test_setup(test_sim031_partial_lists_are_ignored, setup),
        cmocka_unit_test_setup(test_sim031_targets, setup),
        cmocka_unit_test_setup(test_sim031_upload_over_mavlink_1, setup),
        cmocka_unit_test_setup(test_sim031_link_closed_during_a_transfer, setup),
        cmocka_unit_test_setup(test_sim031_lost_frames_are_made_up_for, setup),
        cmocka_unit_test_setup(test_sim031_store_that_takes_nothing, setup),
        cmocka_unit_test_setup(test_sim031_commit_that_fails, setup),
        cmocka_unit_test_setup(test_sim031_store_that_cannot_be_read, setup),
        cmocka_unit_test_setup(test_sim031_ten_thousand_items, setup_big),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
