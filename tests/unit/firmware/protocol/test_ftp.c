/* SPDX-License-Identifier: Apache-2.0 */
/* The server of MAVLink FTP alone: requests in, answers out, without links and without a vehicle.
 * Offsets and codes are those of the protocol's page; what a client sees over a link is
 * in test_ftp_io.c. */
#include "firmware/protocol/ftp.h"

#include "math/crc32.h"
#include "tests/unit/support/mock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { TERMINATE = 1, RESET = 2, OPEN = 4, READ = 5, CRC = 14, BURST = 15, ACK = 128, NAK = 129 };
enum { BAD_SESSION = 4, NO_SESSIONS = 5, END = 6, UNKNOWN = 7 };

#define LOG "/fs/microsd/log/2026-03-01/00_00_00.ulg"

static const struct mf_client k_client = {.link = 2, .sysid = 245, .compid = 190};
static const struct mf_client k_other = {.link = 2, .sysid = 255, .compid = 190};

static struct mf_mock mock;
static struct mf_hal hal;
/* What lies behind the sessions looks like one of them: whoever counts wrong finds it. */
static struct {
    struct mf_ftp ftp;
    struct mf_ftp_session behind;
} memory;
#define ftp memory.ftp
static struct mf_msg_file_transfer_protocol answer;
static mf_us_t now_us;

static int setup(void **state)
{
    (void)state;
    mf_mock_init(&mock);
    hal = mf_hal_null();
    hal.archive = mf_mock_hal(&mock).archive;
    hal.archive_ctx = mf_mock_hal(&mock).archive_ctx;
    mock.archive.count = 1;
    mock.archive.info[0] = (struct mf_archive_info){.utc_s = 1772323200, .size = 1000};
    for (uint32_t i = 0; i < 1000; i++) {
        mock.archive.bytes[0][i] = (uint8_t)(i % 251);
    }
    now_us = MF_SECOND_US;
    mf_ftp_reset(&ftp, &hal);
    return 0;
}

static enum mf_ftp_reply request(struct mf_client from, uint8_t seq, uint8_t session,
                                 uint8_t opcode, const char *data)
{
    struct mf_msg_file_transfer_protocol m = {.payload = {seq, 0, session, opcode}};
    m.payload[4] = (uint8_t)strlen(data);
    memcpy(m.payload + 12, data, strlen(data));
    return mf_ftp_answer(&ftp, from, &m, &answer, now_us);
}

/* @return the code of a refusal, 0: it was acknowledged */
static uint8_t code(void)
{
    assert_in_range(answer.payload[3], ACK, NAK);
    return answer.payload[3] == NAK ? answer.payload[12] : 0;
}

static void test_nobody_is_busy_at_first(void **state)
{
    (void)state;
    assert_false(mf_ftp_busy(&ftp));
    assert_true(mf_ftp_rest(&ftp, now_us) == MF_NEVER);
}

/* A client is busy for a second after its last request, and its session ends after ten. */
static void test_busy_for_a_second_open_for_ten(void **state)
{
    (void)state;
    assert_int_equal(request(k_client, 7, 0, OPEN, LOG), MF_FTP_NOW);
    assert_int_equal(code(), 0);
    assert_int_equal(answer.payload[0], 8);
    assert_int_equal(answer.target_system, 245);
    assert_int_equal(answer.payload[12], 1000 & 0xFF);
    assert_int_equal(answer.payload[13], 1000 >> 8);
    assert_true(mf_ftp_busy(&ftp));
    assert_true(mf_ftp_rest(&ftp, now_us) == 2 * MF_SECOND_US);
    assert_true(mf_ftp_rest(&ftp, 2 * MF_SECOND_US - 1) == 2 * MF_SECOND_US);
    assert_true(mf_ftp_busy(&ftp));
    assert_true(mf_ftp_rest(&ftp, 2 * MF_SECOND_US) == 11 * MF_SECOND_US);
    assert_false(mf_ftp_busy(&ftp));
    assert_true(mf_ftp_rest(&ftp, 11 * MF_SECOND_US - 1) == 11 * MF_SECOND_US);
    assert_true(ftp.session[0].open);
    assert_true(mf_ftp_rest(&ftp, 11 * MF_SECOND_US) == MF_NEVER);
    assert_false(ftp.session[0].open);
}

/* Frames of 239 bytes: 0, 239, 478, 717 and the 44 that are left, then the end, which is refused
 * with EOF. */
static void test_a_burst_frame_by_frame(void **state)
{
    struct mf_ftp_session *s = &ftp.session[0];
    struct mf_msg_file_transfer_protocol m;
    uint32_t at = 0;
    (void)state;
    (void)request(k_client, 7, 0, OPEN, LOG);
    assert_int_equal(request(k_client, 20, 0, BURST, ""), MF_FTP_BEGUN);
    for (uint8_t seq = 21; at < 1000; seq++) {
        mf_ftp_burst(&ftp, s, &m);
        mf_ftp_burst(&ftp, s, &m); /* no room the first time: the same again */
        assert_int_equal(m.payload[0], seq);
        assert_int_equal(m.payload[3], ACK);
        assert_int_equal(m.payload[8] | m.payload[9] << 8, at);
        assert_int_equal(m.payload[4], at < 956 ? 239 : 44);
        assert_memory_equal(m.payload + 12, &mock.archive.bytes[0][at], m.payload[4]);
        mf_ftp_burst_sent(s, &m, now_us + 5);
        assert_true(s->bursting && s->used_us == now_us + 5);
        at += m.payload[4];
    }
    assert_true(mf_ftp_rest(&ftp, now_us) == now_us + 10 * MF_MS_US);
    mf_ftp_burst(&ftp, s, &m);
    assert_int_equal(m.payload[3], NAK);
    assert_int_equal(m.payload[12], END);
    assert_int_equal(m.payload[6], 1);
    mf_ftp_burst_sent(s, &m, now_us);
    assert_false(s->bursting);
    assert_true(s->open);
}

/* PX4's chunk of 35000 bytes, filled up to whole frames: 350 of 100 bytes, or 147 of 239. */
static void test_a_burst_ends_by_itself(void **state)
{
    struct mf_msg_file_transfer_protocol m = {.payload = {20, 0, 0, BURST, 100}};
    (void)state;
    (void)request(k_client, 7, 0, OPEN, LOG);
    assert_int_equal(mf_ftp_answer(&ftp, k_client, &m, &answer, now_us), MF_FTP_BEGUN);
    assert_int_equal(ftp.session[0].burst_end, 35000);
    m.payload[4] = 0;
    m.payload[8] = 7; /* from an offset of 7 */
    assert_int_equal(mf_ftp_answer(&ftp, k_client, &m, &answer, now_us), MF_FTP_BEGUN);
    assert_int_equal(ftp.session[0].burst_end, 7 + 147 * 239);
}

/* 64 KiB of a file in one pass. */
static void test_a_checksum_is_made_in_slices(void **state)
{
    struct mf_msg_file_transfer_protocol m;
    (void)state;
    mock.archive.info[0].size = 65536 + 100;
    (void)request(k_client, 3, 0, CRC, LOG);
    assert_false(mf_ftp_sum_step(&ftp, &m));
    assert_int_equal(ftp.sum.at, 65536);
    assert_true(mf_ftp_sum_step(&ftp, &m));
    assert_int_equal(ftp.sum.at, 65536 + 100);
    assert_false(ftp.sum.running);
}

static void test_a_checksum_is_made_for_one_client_at_a_time(void **state)
{
    struct mf_msg_file_transfer_protocol m;
    (void)state;
    assert_int_equal(request(k_client, 3, 9, CRC, LOG), MF_FTP_BEGUN);
    assert_int_equal(request(k_client, 3, 9, CRC, LOG), MF_FTP_LATER);
    assert_int_equal(request(k_other, 5, 0, CRC, LOG), MF_FTP_LATER);
    assert_true(mf_ftp_rest(&ftp, now_us) == now_us + MF_MS_US);
    assert_true(mf_ftp_sum_step(&ftp, &m));
    assert_int_equal(ftp.sum.client.sysid, 245);
    assert_int_equal(m.payload[0], 4);
    assert_int_equal(m.payload[2], 9);
    assert_memory_equal(m.payload + 8, "\0\0\0\0", 4); /* offset 0 */
    const uint32_t crc = mf_crc32(0, mock.archive.bytes[0], 1000);
    assert_int_equal(m.payload[12] | m.payload[13] << 8, crc & 0xFFFF);
    assert_int_equal(m.payload[14] | m.payload[15] << 8, crc >> 16);
    assert_int_equal(request(k_other, 5, 0, CRC, LOG), MF_FTP_BEGUN);
}

static void test_a_session_belongs_to_its_client_and_its_link(void **state)
{
    struct mf_client elsewhere = k_client;
    (void)state;
    elsewhere.link = 1;
    (void)request(k_client, 1, 0, OPEN, LOG);
    (void)request(k_client, 2, 0, READ, "");
    assert_int_equal(code(), 0);
    (void)request(k_other, 3, 0, READ, "");
    assert_int_equal(code(), BAD_SESSION);
    (void)request(elsewhere, 4, 0, READ, "");
    assert_int_equal(code(), BAD_SESSION);
    (void)request(k_client, 5, MF_FTP_SESSIONS, READ, "");
    assert_int_equal(code(), BAD_SESSION);
    mf_ftp_link_closed(&ftp, 1);
    assert_true(ftp.session[0].open);
    mf_ftp_link_closed(&ftp, 2);
    assert_false(ftp.session[0].open);
}

static void test_there_is_no_session_behind_the_last(void **state)
{
    (void)state;
    memory.behind = (struct mf_ftp_session){.open = true, .client = k_client};
    (void)request(k_client, 5, MF_FTP_SESSIONS, READ, "");
    assert_int_equal(code(), BAD_SESSION);
    memory.behind = (struct mf_ftp_session){.client = k_client, .close_seq = 6};
    (void)request(k_client, 6, MF_FTP_SESSIONS, TERMINATE, "");
    assert_int_equal(code(), BAD_SESSION);
}

/* Nobody waits for a file any more with the last session that is closed. */
static void test_busy_until_the_last_session_is_closed(void **state)
{
    (void)state;
    (void)request(k_client, 1, 0, OPEN, LOG);
    (void)request(k_client, 2, 0, OPEN, LOG);
    (void)request(k_client, 3, 1, TERMINATE, "");
    assert_true(mf_ftp_busy(&ftp));
    (void)request(k_client, 4, 0, TERMINATE, "");
    assert_int_equal(code(), 0);
    assert_false(mf_ftp_busy(&ftp));
    (void)request(k_client, 4, 0, TERMINATE, ""); /* the answer was lost */
    assert_int_equal(code(), 0);
    (void)request(k_client, 5, 0, TERMINATE, "");
    assert_int_equal(code(), BAD_SESSION);
    (void)request(k_other, 4, 0, TERMINATE, ""); /* the same number, but another's */
    assert_int_equal(code(), BAD_SESSION);
}

/* A client resets its own sessions; who else has a file open is still at work. */
static void test_a_reset_ends_the_sessions_of_its_client(void **state)
{
    (void)state;
    memory.behind = (struct mf_ftp_session){.open = true, .client = k_client};
    (void)request(k_client, 1, 0, OPEN, LOG);
    (void)request(k_other, 1, 0, OPEN, LOG);
    (void)request(k_client, 2, 0, RESET, "");
    assert_int_equal(code(), 0);
    assert_false(ftp.session[0].open);
    assert_true(ftp.session[1].open);
    assert_true(memory.behind.open);
    assert_true(mf_ftp_busy(&ftp));
    (void)request(k_other, 2, 0, RESET, "");
    assert_false(ftp.session[1].open);
    assert_false(mf_ftp_busy(&ftp));
}

static void test_sessions_are_few(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < MF_FTP_SESSIONS; i++) {
        (void)request(k_client, i, 0, OPEN, LOG);
        assert_int_equal(code(), 0);
        assert_int_equal(answer.payload[2], i);
    }
    (void)request(k_client, 99, 0, OPEN, LOG);
    assert_int_equal(code(), NO_SESSIONS);
    (void)request(k_client, 100, 2, TERMINATE, "");
    assert_int_equal(code(), 0);
    (void)request(k_client, 101, 0, OPEN, LOG);
    assert_int_equal(answer.payload[2], 2);
}

static void test_where_there_are_no_files_no_opcode_is_known(void **state)
{
    const struct mf_msg_file_transfer_protocol open = {.payload = {0xFF, 0xFF, 3, OPEN, 1}};
    (void)state;
    mf_ftp_refuse(k_client, &open, &answer);
    assert_int_equal(code(), UNKNOWN);
    assert_int_equal(answer.payload[0] | answer.payload[1], 0);
    assert_int_equal(answer.payload[2], 3);
    assert_int_equal(answer.payload[5], OPEN);
}

static void test_answers_are_no_requests(void **state)
{
    (void)state;
    assert_true(
        mf_ftp_is_answer(&(struct mf_msg_file_transfer_protocol){.payload = {0, 0, 0, ACK}}));
    assert_true(
        mf_ftp_is_answer(&(struct mf_msg_file_transfer_protocol){.payload = {0, 0, 0, NAK}}));
    assert_false(
        mf_ftp_is_answer(&(struct mf_msg_file_transfer_protocol){.payload = {0, 0, 0, 127}}));
    assert_false(
        mf_ftp_is_answer(&(struct mf_msg_file_transfer_protocol){.payload = {0, 0, 0, 130}}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_nobody_is_busy_at_first, setup),
        cmocka_unit_test_setup(test_busy_for_a_second_open_for_ten, setup),
        cmocka_unit_test_setup(test_a_burst_frame_by_frame, setup),
        cmocka_unit_test_setup(test_a_burst_ends_by_itself, setup),
        cmocka_unit_test_setup(test_a_checksum_is_made_in_slices, setup),
        cmocka_unit_test_setup(test_a_checksum_is_made_for_one_client_at_a_time, setup),
        cmocka_unit_test_setup(test_a_session_belongs_to_its_client_and_its_link, setup),
        cmocka_unit_test_setup(test_there_is_no_session_behind_the_last, setup),
        cmocka_unit_test_setup(test_busy_until_the_last_session_is_closed, setup),
        cmocka_unit_test_setup(test_a_reset_ends_the_sessions_of_its_client, setup),
        cmocka_unit_test_setup(test_sessions_are_few, setup),
        cmocka_unit_test_setup(test_where_there_are_no_files_no_opcode_is_known, setup),
        cmocka_unit_test_setup(test_answers_are_no_requests, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
