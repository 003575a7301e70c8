/* SPDX-License-Identifier: Apache-2.0 */
/* MAVLink's log protocol: lists and bytes. */
#include "tests/unit/firmware/flight_fixture.h"

static const struct mf_options k_default;

static void boot_with_logs(uint16_t count, uint32_t n)
{
    (void)fx_boot(k_default);
    struct mf_mock_archive *a = &fx.mock.archive;
    a->count = count;
    for (uint16_t i = 0; i < count; i++) {
        a->info[i] = (struct mf_archive_info){.utc_s = 1772366400 + i, .size = n + i};
        memset(a->bytes[i], 'a' + i, n + i);
    }
}

static void send(uint32_t msgid, const void *m)
{
    mf_mock_feed_msg(&fx.mock, 0, msgid, m);
    (void)mf_vehicle_step(&fx.v);
}

static void list(uint16_t start, uint16_t end)
{
    const struct mf_msg_log_request_list m = {
        .start = start, .end = end, .target_system = 1, .target_component = 1};
    send(MF_MSG_LOG_REQUEST_LIST, &m);
}

static void data(uint16_t id, uint32_t ofs, uint32_t count)
{
    const struct mf_msg_log_request_data m = {
        .id = id, .ofs = ofs, .count = count, .target_system = 1, .target_component = 1};
    send(MF_MSG_LOG_REQUEST_DATA, &m);
}

static void test_list(void **state)
{
    struct mf_msg_log_entry m;
    (void)state;
    boot_with_logs(3, 1000);
    list(0, 65535);
    assert_int_equal(fx_count(MF_MSG_LOG_ENTRY), 3);
    for (uint16_t i = 0; i < 3; i++) {
        assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_LOG_ENTRY, &m));
        assert_int_equal(m.id, i);
        assert_int_equal(m.num_logs, 3);
        assert_int_equal(m.last_log_num, 2);
        assert_int_equal(m.size, 1000 + i);
        assert_int_equal(m.time_utc, 1772366400 + i);
    }
    list(1, 1);
    assert_int_equal(fx_count(MF_MSG_LOG_ENTRY), 1);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_LOG_ENTRY, &m));
    assert_int_equal(m.id, 1);
    assert_false(mf_vehicle_busy(&fx.v));
}

/* Nobody waits for an answer in vain. */
static void test_nothing_to_list(void **state)
{
    struct mf_msg_log_entry m = {.num_logs = 9, .last_log_num = 9, .size = 9};
    (void)state;
    (void)fx_boot(k_default);
    list(0, 65535);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_LOG_ENTRY, &m));
    assert_int_equal(m.num_logs, 0);
    assert_int_equal(m.last_log_num, 0);
    assert_int_equal(m.size, 0);
    boot_with_logs(2, 10);
    list(7, 9);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_LOG_ENTRY, &m));
    assert_int_equal(m.num_logs, 2);
    assert_int_equal(m.size, 0);
    list(1, 0);
    assert_int_equal(fx_count(MF_MSG_LOG_ENTRY), 1);
    const struct mf_msg_log_request_list foreign = {.end = 9, .target_system = 2};
    mf_mock_clear(&fx.mock, 0);
    send(MF_MSG_LOG_REQUEST_LIST, &foreign);
    assert_int_equal(fx_count(MF_MSG_LOG_ENTRY), 0);
    assert_int_equal(fx.links[0].stats.rx_foreign, 1);
}

static void test_bytes(void **state)
{
    struct mf_msg_log_data m;
    (void)state;
    boot_with_logs(2, 200);
    data(1, 0, UINT32_MAX);
    static const uint8_t k_count[] = {90, 90, 21};
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_LOG_DATA, &m));
        assert_int_equal(m.id, 1);
        assert_int_equal(m.ofs, 90 * i);
        assert_int_equal(m.count, k_count[i]);
        assert_int_equal(m.data[0], 'b');
        assert_int_equal(m.data[89], k_count[i] == 90 ? 'b' : 0);
    }
    assert_int_equal(fx_count(MF_MSG_LOG_DATA), 0);
    data(0, 90, 90); /* a piece that was lost */
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_LOG_DATA, &m));
    assert_int_equal(m.ofs, 90);
    assert_int_equal(m.count, 90);
    assert_int_equal(fx_count(MF_MSG_LOG_DATA), 0);
    data(0, 100, 5);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_LOG_DATA, &m));
    assert_int_equal(m.count, 5);
    static const uint32_t k_nothing[][3] = {
        {0, 200, 90}, {0, UINT32_MAX, 90}, {9, 0, 90}, {0, 0, 0}};
    for (size_t i = 0; i < 4; i++) {
        data((uint16_t)k_nothing[i][0], k_nothing[i][1], k_nothing[i][2]);
        assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_LOG_DATA, &m));
        assert_int_equal(m.count, 0);
        assert_int_equal(fx_count(MF_MSG_LOG_DATA), 0);
    }
}

static void test_bytes_leave_room_for_the_streams(void **state)
{
    (void)state;
    boot_with_logs(1, 100000);
    fx.mock.port[0].room = 600; /* a full LOG_DATA has 12 + 97 bytes */
    data(0, 0, UINT32_MAX);
    assert_int_equal(fx_count(MF_MSG_LOG_DATA), 4); /* then less than 256 are left */
    assert_true(mf_vehicle_busy(&fx.v));
    fx.mock.port[0].room = SIZE_MAX;
    (void)fx_step_at(10000);
    assert_int_equal(fx_count(MF_MSG_LOG_DATA), 44);
    const struct mf_msg_log_request_end end = {.target_system = 1, .target_component = 1};
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_LOG_REQUEST_END, &end);
    (void)fx_step_at(11000);
    assert_false(mf_vehicle_busy(&fx.v));
    (void)fx_step_at(1 * S);
    assert_int_equal(fx_count(MF_MSG_LOG_DATA), 44);
}

/* 256 bytes are left, which is enough for another. */
static void test_as_much_room_as_it_takes(void **state)
{
    (void)state;
    boot_with_logs(1, 100000);
    fx.mock.port[0].room = 256 + 109;
    data(0, 0, UINT32_MAX);
    assert_int_equal(fx_count(MF_MSG_LOG_DATA), 2);
}

static void test_a_last_byte(void **state)
{
    struct mf_msg_log_data m;
    (void)state;
    boot_with_logs(1, 91);
    data(0, 0, UINT32_MAX);
    assert_int_equal(fx_count(MF_MSG_LOG_DATA), 2);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_LOG_DATA, &m));
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_LOG_DATA, &m));
    assert_int_equal(m.ofs, 90);
    assert_int_equal(m.count, 1);
}

/* Another log has the number now: nobody gets the rest of one and the beginning of another. */
static void test_erasing_ends_all_transfers(void **state)
{
    const struct mf_msg_log_erase m = {.target_system = 1, .target_component = 1};
    (void)state;
    for (int port = 0; port < 2; port++) {
        boot_with_logs(1, 100000);
        fx_connect(1);
        const struct mf_msg_log_request_data request = {
            .count = UINT32_MAX, .target_system = 1, .target_component = 1};
        mf_mock_feed_msg(&fx.mock, port, MF_MSG_LOG_REQUEST_DATA, &request);
        (void)mf_vehicle_step(&fx.v);
        assert_true(mf_vehicle_busy(&fx.v));
        fx.mock.archive.erase_result =
            MF_E_IO; /* the logs stay, and the transfer ends all the same */
        send(MF_MSG_LOG_ERASE, &m);
        assert_false(mf_vehicle_busy(&fx.v));
    }
}

static void test_erase(void **state)
{
    const struct mf_msg_log_erase m = {.target_system = 1, .target_component = 1};
    const struct mf_msg_log_erase foreign = {.target_system = 2};
    (void)state;
    boot_with_logs(2, 100);
    send(MF_MSG_LOG_ERASE, &foreign);
    assert_int_equal(fx.mock.archive.count, 2);
    fx.mock.archive.erase_result = MF_E_IO;
    send(MF_MSG_LOG_ERASE, &m);
    assert_true(fx_named("Logs not erased"));
    fx.mock.archive.erase_result = MF_E_OK;
    send(MF_MSG_LOG_ERASE, &m);
    assert_int_equal(fx.mock.archive.count, 0);
    assert_false(fx_said("Logs"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_nothing_to_list),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_bytes_leave_room_for_the_streams),
        cmocka_unit_test(test_as_much_room_as_it_takes),
        cmocka_unit_test(test_a_last_byte),
        cmocka_unit_test(test_erasing_ends_all_transfers),
        cmocka_unit_test(test_erase),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
