/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings (SIM-042): their form, and what the recorder around a vehicle's devices
 * writes down. */
#include "drone/recorder.h"
#include "firmware/report/stream.h"

#include "host/record/recording.h"
#include "tests/unit/support/mock.h"
#include "tests/unit/support/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define LINKS        4
#define BUFFER_BYTES 65536u

static struct mf_mock s_mock;
static struct mf_recorder s_recorder;
static struct mf_recorder_link s_links[LINKS];
static uint8_t s_buffer[BUFFER_BYTES];
static struct mf_recording_reader s_reader;

/* Where the recording goes, and comes from. */
static struct {
    uint8_t bytes[262144];
    size_t len, at, writes, room;
} s_file;

static bool write_file(void *ctx, const uint8_t *bytes, size_t n)
{
    (void)ctx;
    s_file.writes++;
    if (s_file.len + n > s_file.room) {
        return false;
    }
    memcpy(s_file.bytes + s_file.len, bytes, n);
    s_file.len += n;
    return true;
}

/* At most seven bytes at a time, as a pipe may give. */
static size_t read_file(void *ctx, uint8_t *bytes, size_t n)
{
    (void)ctx;
    const size_t left = s_file.len - s_file.at;
    n = n < left ? n : left;
    n = n < 7 ? n : 7;
    memcpy(bytes, s_file.bytes + s_file.at, n);
    s_file.at += n;
    return n;
}

static int setup(void **state)
{
    (void)state;
    mf_mock_init(&s_mock);
    memset(&s_recorder, 0, sizeof s_recorder);
    s_file.len = 0;
    s_file.writes = 0;
    s_file.room = sizeof s_file.bytes;
    const struct mf_recorder_memory memory = {s_links, LINKS, s_buffer, sizeof s_buffer};
    mf_recorder_start(&s_recorder, write_file, NULL, &memory);
    return 0;
}

static void rewind_file(void)
{
    mf_recorder_flush(&s_recorder);
    s_file.at = 0;
    s_reader = (struct mf_recording_reader){.read = read_file};
}

static struct mf_record next(void)
{
    struct mf_record record;
    assert_int_equal(mf_recording_next(&s_reader, &record), MF_RECORDING_RECORD);
    return record;
}

static void expect(enum mf_record_type type, uint16_t link, int64_t a, int64_t b)
{
    const struct mf_record record = next();
    assert_int_equal(record.type, type);
    assert_int_equal(record.link, link);
    assert_int_equal(record.value[0], a);
    assert_int_equal(record.value[1], b);
}

/* Bytes from the description in docs/recording.md, put together by hand; CRC by another program. */
static void test_sim042_form_is_little_endian_everywhere(void **state)
{
    (void)state;
    static const uint8_t k_input[] = {0xfd, 0x00, 0x7f};
    static const uint8_t k_expected[] = {
        'M',  'F',  'R',  'C',  1,    0,    0,    0, /* header */
        0x05, 0x10, 0x00, 0x05, 0x04, 0x03, 0x02, 0x01, 0x00, 0x00, 0x00, 0xfe,
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x2d, 0x3b, 0x06, 0x00, 0x00,
        0xea, 0xef, 0x0a, 0x05, 0x00, 0x34, 0x12, 0xfd, 0x00, 0x7f, 0xd1, 0x51,
    };
    uint8_t bytes[3 * MF_RECORD_MAX];
    mf_recording_header(bytes);
    size_t n = MF_RECORDING_HEADER_BYTES;
    n += mf_record_encode(
        &(struct mf_record){.type = MF_RECORD_CLOCK, .value = {INT64_C(0x0102030405), -2}},
        bytes + n);
    n += mf_record_encode(&(struct mf_record){.type = MF_RECORD_STEP}, bytes + n);
    n += mf_record_encode(
        &(struct mf_record){.type = MF_RECORD_IN, .link = 0x1234, .bytes = k_input, .n = 3},
        bytes + n);
    assert_int_equal(n, sizeof k_expected);
    assert_memory_equal(bytes, k_expected, n);
}

static void test_numbers_of_records_are_their_own(void **state)
{
    (void)state;
    for (unsigned type = 0; type < 256; type++) {
        const struct mf_record_info *info = mf_record_info(type);
        assert_true(info == NULL || info->type == type);
        assert_true((info != NULL) == (type >= 1 && type <= 18));
    }
}

static void test_sim042_every_answer_of_a_device_is_written_down(void **state)
{
    (void)state;
    struct mf_hal hal = mf_mock_hal(&s_mock);
    struct mf_serial device = mf_mock_serial(&s_mock, 2);
    int32_t interval_us[MF_STREAM_COUNT];
    device.isolated = device.usb = true;
    const struct mf_msg_ping ping = {.seq = 3};
    uint8_t bytes[64], frame[MF_FRAME_MAX];
    const size_t n =
        mf_frame_encode(&(struct mf_sender){2, 0, 1, 1}, mf_msg_find(MF_MSG_PING), &ping, frame);
    for (int i = 0; i < MF_STREAM_COUNT; i++) {
        interval_us[i] = i == MF_STREAM_ATTITUDE ? 100000 : MF_STREAM_OFF;
    }
    mf_recorder_setting(&s_recorder, "home.lat=47.25 and not this", 14);
    mf_recorder_boot(&s_recorder, &hal, INT64_C(1700000000000000));
    s_mock.now = (struct mf_now){5, 7};
    assert_int_equal(mf_clock_read(&hal).transport_us, 7);
    const struct mf_serial serial =
        mf_recorder_open(&s_recorder, 3, &device, "tcp 127.0.0.1:5760", interval_us);
    assert_true(serial.isolated && serial.usb && !serial.datagram);
    assert_int_equal(mf_serial_write(&serial, frame, n), n);
    s_mock.port[2].room = 2;
    assert_int_equal(mf_serial_room(&serial), 2);
    assert_int_equal(mf_serial_write(&serial, frame, n), 0);
    assert_int_equal(mf_serial_read(&serial, bytes, sizeof bytes), 0);
    mf_mock_feed(&s_mock, 2, (const uint8_t *)"hello", 5);
    assert_int_equal(mf_serial_read(&serial, bytes, sizeof bytes), 5);
    s_mock.store.result = MF_E_IO;
    assert_int_equal(mf_store_commit(&hal, MF_STORE_PARAM, 0, 0), MF_E_IO);
    mf_recorder_call(&s_recorder, MF_RECORD_JUMP, 99);
    mf_recorder_close(&s_recorder, 3);
    mf_recorder_call(&s_recorder, MF_RECORD_END, 0);
    const size_t whole = s_file.len; /* the end is in the file, and nothing follows it */
    mf_recorder_call(&s_recorder, MF_RECORD_JUMP, 100);
    mf_recorder_flush(&s_recorder);
    assert_int_equal(s_file.len, whole);

    rewind_file();
    struct mf_record record = next();
    assert_int_equal(record.type, MF_RECORD_SETTING);
    assert_int_equal(record.n, 14);
    assert_memory_equal(record.bytes, "home.lat=47.25", 14);
    expect(MF_RECORD_BOOT, 0, INT64_C(1700000000000000), 0);
    expect(MF_RECORD_CLOCK, 0, 5, 7);
    record = next();
    assert_int_equal(record.type, MF_RECORD_OPEN);
    assert_int_equal(record.link, 3);
    assert_int_equal(record.value[0], 6); /* isolated, USB */
    assert_int_equal(record.n, MF_RECORD_NAME_BYTES + 8);
    assert_string_equal((const char *)record.bytes, "tcp 127.0.0.1:5760");
    assert_int_equal(mf_record_get(record.bytes + MF_RECORD_NAME_BYTES, 4), MF_MSG_ATTITUDE);
    assert_int_equal(mf_record_get(record.bytes + MF_RECORD_NAME_BYTES + 4, 4), 100000);
    record = next();
    assert_int_equal(record.type, MF_RECORD_OUT);
    assert_int_equal(record.n, n);
    assert_memory_equal(record.bytes, frame, n);
    expect(MF_RECORD_ROOM, 3, 2, 0);
    expect(MF_RECORD_REFUSED, 3, (int64_t)n, 0);
    record = next();
    assert_int_equal(record.type, MF_RECORD_IN);
    assert_memory_equal(record.bytes, "hello", 5);
    expect(MF_RECORD_SAVED, 0, MF_STORE_PARAM, MF_E_IO);
    expect(MF_RECORD_JUMP, 0, 99, 0);
    expect(MF_RECORD_CLOSE, 3, 0, 0);
    expect(MF_RECORD_END, 0, 0, 0);
    assert_int_equal(mf_recording_next(&s_reader, &record), MF_RECORDING_OVER);
}

static void test_sim042_answers_of_the_archive_are_written_down(void **state)
{
    (void)state;
    struct mf_hal hal = mf_mock_hal(&s_mock);
    struct mf_archive_info info;
    struct mf_archive_room room;
    uint8_t bytes[8];
    mf_recorder_boot(&s_recorder, &hal, 0);
    assert_int_equal(mf_archive_begin(&hal, 5), MF_E_NOSUPP);
    s_mock.archive.begin_result = MF_E_OK;
    assert_int_equal(mf_archive_begin(&hal, 5), MF_E_OK);
    mf_archive_append(&hal, (const uint8_t *)"flight", 6);
    mf_archive_end(&hal);
    assert_int_equal(mf_archive_count(&hal), 1);
    assert_int_equal(mf_archive_info(&hal, 0, &info), MF_E_OK);
    assert_int_equal(info.size, 6);
    assert_int_equal(mf_archive_info(&hal, 1, &info), MF_E_NOENT);
    assert_int_equal(mf_archive_read(&hal, 0, 2, bytes, sizeof bytes), 4);
    assert_int_equal(mf_archive_erase(&hal), MF_E_OK);
    assert_int_equal(mf_archive_room(&hal, &room), MF_E_NOSUPP);
    s_mock.archive.room = (struct mf_archive_room){.total = 258, .free = 7};
    assert_int_equal(mf_archive_room(&hal, &room), MF_E_OK);
    mf_recorder_call(&s_recorder, MF_RECORD_END, 0);

    rewind_file();
    expect(MF_RECORD_BOOT, 0, 0, 0);
    expect(MF_RECORD_ARCHIVE, 0, 3, MF_E_NOSUPP);
    expect(MF_RECORD_ARCHIVE, 0, 3, MF_E_OK);
    expect(MF_RECORD_ARCHIVE, 0, 0, 1);
    struct mf_record record = next();
    assert_int_equal(record.value[0], 1);
    const uint8_t k_info[12] = {5, 0, 0, 0, 0, 0, 0, 0, 6};
    assert_int_equal(record.n, sizeof k_info);
    assert_memory_equal(record.bytes, k_info, sizeof k_info);
    expect(MF_RECORD_ARCHIVE, 0, 1, MF_E_NOENT);
    record = next();
    assert_int_equal(record.value[0], 2);
    assert_int_equal(record.value[1], 4);
    assert_memory_equal(record.bytes, "ight", 4);
    expect(MF_RECORD_ARCHIVE, 0, 4, MF_E_OK);
    expect(MF_RECORD_ARCHIVE, 0, 5, MF_E_NOSUPP);
    record = next();
    const uint8_t k_room[16] = {2, 1, 0, 0, 0, 0, 0, 0, 7};
    assert_int_equal(record.value[0], 5);
    assert_int_equal(record.n, sizeof k_room);
    assert_memory_equal(record.bytes, k_room, sizeof k_room);
}

static void test_sim042_the_store_is_written_down_before_the_boot(void **state)
{
    (void)state;
    const struct mf_hal hal = mf_mock_hal(&s_mock);
    uint8_t item[32] = {9};
    assert_int_equal(mf_store_put(&hal, MF_STORE_MISSION, 0, item), MF_E_OK);
    item[0] = 8;
    assert_int_equal(mf_store_put(&hal, MF_STORE_MISSION, 1, item), MF_E_OK);
    assert_int_equal(mf_store_commit(&hal, MF_STORE_MISSION, 2, 77), MF_E_OK);
    mf_recorder_store(&s_recorder, &hal);
    rewind_file();
    assert_memory_equal(next().bytes, "store.PARAM=256", 15);
    assert_memory_equal(next().bytes, "store.MISSION=256", 17);
    struct mf_record record = next();
    assert_int_equal(record.type, MF_RECORD_STORED);
    assert_int_equal(record.n, 32);
    assert_int_equal(record.bytes[0], 9);
    expect(MF_RECORD_STORED, 0, MF_STORE_MISSION, 1);
    record = next();
    assert_int_equal(record.type, MF_RECORD_HELD);
    assert_int_equal(record.value[1], 2);
    assert_int_equal(record.value[2], 77);
}

static void test_a_pass_is_one_write_and_a_long_one_a_few(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++) {
        mf_recorder_call(&s_recorder, MF_RECORD_STEP, 0);
    }
    assert_int_equal(s_file.writes, 0);
    mf_recorder_flush(&s_recorder);
    assert_int_equal(s_file.writes, 1);
    mf_recorder_flush(&s_recorder);
    assert_int_equal(s_file.writes, 1);
    for (size_t i = 0; i < 2 * BUFFER_BYTES / MF_RECORD_FRAME_BYTES; i++) {
        mf_recorder_call(&s_recorder, MF_RECORD_STEP, 0);
    }
    mf_recorder_flush(&s_recorder);
    assert_in_range(s_file.writes, 3, 4);
}

static void test_without_a_stream_it_is_inert(void **state)
{
    (void)state;
    struct mf_hal hal = mf_mock_hal(&s_mock);
    const struct mf_hal before = hal;
    const struct mf_serial device = mf_mock_serial(&s_mock, 0);
    const int32_t interval_us[MF_STREAM_COUNT] = {0};
    memset(&s_recorder, 0, sizeof s_recorder);
    mf_recorder_boot(&s_recorder, &hal, 0);
    assert_ptr_equal(hal.clock, before.clock);
    assert_ptr_equal(hal.store, before.store);
    assert_ptr_equal(mf_recorder_open(&s_recorder, 0, &device, "x", interval_us).ops, device.ops);
    mf_recorder_call(&s_recorder, MF_RECORD_STEP, 0);
    mf_recorder_flush(&s_recorder);
    assert_int_equal(s_file.writes, 0);
}

static void test_a_full_disk_ends_the_recording_and_nothing_else(void **state)
{
    (void)state;
    struct mf_hal hal = mf_mock_hal(&s_mock);
    mf_recorder_boot(&s_recorder, &hal, 0);
    s_file.room = 20;
    mf_recorder_call(&s_recorder, MF_RECORD_STEP, 0);
    mf_recorder_flush(&s_recorder);
    assert_true(s_recorder.failed);
    s_mock.now = (struct mf_now){3, 4};
    assert_int_equal(mf_clock_read(&hal).vehicle_us, 3);
    mf_recorder_flush(&s_recorder);
    assert_int_equal(s_file.writes, 1);
}

/* ---- files that are not whole */

static void record_something(void)
{
    mf_recorder_setting(&s_recorder, "sysid=1", 7);
    for (int i = 0; i < 5; i++) {
        mf_recorder_call(&s_recorder, MF_RECORD_JUMP, i);
    }
    mf_recorder_flush(&s_recorder);
}

/* Reads to the end. @return how it ended */
static enum mf_recording_state read_through(uint64_t *count)
{
    struct mf_record record;
    enum mf_recording_state state;
    rewind_file();
    do {
        state = mf_recording_next(&s_reader, &record);
    } while (state == MF_RECORDING_RECORD);
    *count = s_reader.count;
    return state;
}

static void test_a_file_cut_anywhere_reads_up_to_there(void **state)
{
    (void)state;
    uint64_t count, last = 0;
    record_something();
    const size_t whole = s_file.len;
    assert_int_equal(read_through(&count), MF_RECORDING_OVER);
    assert_int_equal(count, 6);
    for (size_t n = 1; n < whole; n++) {
        s_file.len = n;
        const enum mf_recording_state end = read_through(&count);
        assert_true(end == MF_RECORDING_CUT || end == MF_RECORDING_OVER);
        assert_true(count >= last && count <= last + 1);
        assert_true(end == MF_RECORDING_OVER || mf_names(s_reader.error, "short"));
        last = count;
    }
    s_file.len = 0;
    assert_int_equal(read_through(&count), MF_RECORDING_DAMAGED);
}

static void test_one_wrong_bit_anywhere_is_found(void **state)
{
    (void)state;
    uint64_t count;
    record_something();
    for (size_t at = 0; at < s_file.len; at++) {
        for (int bit = 0; bit < 8; bit++) {
            if (at == 6 || at == 7) {
                continue; /* reserved */
            }
            s_file.bytes[at] ^= (uint8_t)(1 << bit);
            const enum mf_recording_state end = read_through(&count);
            /* a length that reaches beyond the end looks like a cut */
            assert_true(end == MF_RECORDING_DAMAGED || end == MF_RECORDING_CUT);
            assert_true(strlen(s_reader.error) > 10);
            s_file.bytes[at] ^= (uint8_t)(1 << bit);
        }
    }
    assert_int_equal(read_through(&count), MF_RECORDING_OVER);
}

static void test_another_version_is_named(void **state)
{
    (void)state;
    uint64_t count;
    record_something();
    s_file.bytes[4] = 9;
    assert_int_equal(read_through(&count), MF_RECORDING_DAMAGED);
    assert_names(s_reader.error, "version 9 version 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_sim042_form_is_little_endian_everywhere, setup),
        cmocka_unit_test_setup(test_numbers_of_records_are_their_own, setup),
        cmocka_unit_test_setup(test_sim042_every_answer_of_a_device_is_written_down, setup),
        cmocka_unit_test_setup(test_sim042_answers_of_the_archive_are_written_down, setup),
        cmocka_unit_test_setup(test_sim042_the_store_is_written_down_before_the_boot, setup),
        cmocka_unit_test_setup(test_a_pass_is_one_write_and_a_long_one_a_few, setup),
        cmocka_unit_test_setup(test_without_a_stream_it_is_inert, setup),
        cmocka_unit_test_setup(test_a_full_disk_ends_the_recording_and_nothing_else, setup),
        cmocka_unit_test_setup(test_a_file_cut_anywhere_reads_up_to_there, setup),
        cmocka_unit_test_setup(test_one_wrong_bit_anywhere_is_found, setup),
        cmocka_unit_test_setup(test_another_version_is_named, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
