/* SPDX-License-Identifier: Apache-2.0 */
/* MAVLink FTP as a client sees it: frames in, frames out. The layout of payloads and the codes are
 * those of the protocol's page, written here by hand. */
#include "math/crc32.h"
#include "tests/unit/firmware/flight_fixture.h"

enum { TERMINATE = 1, RESET, LIST, OPEN, READ, CREATE, WRITE, REMOVE, CRC = 14, BURST, LIST_TIME };
enum { ACK = 128, NAK = 129 };
enum { FAIL = 1, BAD_SIZE = 3, BAD_SESSION, NO_SESSIONS, END, UNKNOWN, PROTECTED = 9, NOT_FOUND };

#define LOG_UTC 1772366400 /* 2026-03-01 12:00:00 */
#define LOG     "/fs/microsd/log/2026-03-01/12_00_00.ulg"

static const struct mf_options k_default;

static struct mf_msg_file_transfer_protocol g_answer;

static uint16_t seq_of(const struct mf_msg_file_transfer_protocol *m)
{
    return (uint16_t)(m->payload[0] | m->payload[1] << 8);
}

static uint32_t offset_of(const struct mf_msg_file_transfer_protocol *m)
{
    return m->payload[8] | (uint32_t)m->payload[9] << 8 | (uint32_t)m->payload[10] << 16 |
           (uint32_t)m->payload[11] << 24;
}

static uint32_t number(void)
{
    return g_answer.payload[12] | (uint32_t)g_answer.payload[13] << 8 |
           (uint32_t)g_answer.payload[14] << 16 | (uint32_t)g_answer.payload[15] << 24;
}

static void feed(int port, uint16_t seq, uint8_t session, uint8_t opcode, uint8_t size,
                 uint32_t offset, const char *data)
{
    struct mf_msg_file_transfer_protocol m = {.target_system = 1, .target_component = 1};
    const uint8_t head[12] = {(uint8_t)seq,
                              (uint8_t)(seq >> 8),
                              session,
                              opcode,
                              size,
                              0,
                              0,
                              0,
                              (uint8_t)offset,
                              (uint8_t)(offset >> 8),
                              (uint8_t)(offset >> 16),
                              (uint8_t)(offset >> 24)};
    memcpy(m.payload, head, sizeof head);
    if (data != NULL) {
        memcpy(m.payload + 12, data, strlen(data));
    }
    mf_mock_feed_msg(&fx.mock, port, MF_MSG_FILE_TRANSFER_PROTOCOL, &m);
}

static bool take(int port)
{
    return mf_mock_take(&fx.mock, port, MF_MSG_FILE_TRANSFER_PROTOCOL, &g_answer);
}

/* A request and its one answer. @return 0, or the code of a refusal */
static uint8_t ask_on(int port, uint16_t seq, uint8_t session, uint8_t opcode, uint8_t size,
                      uint32_t offset, const char *data)
{
    feed(port, seq, session, opcode, size, offset, data);
    (void)mf_vehicle_step(&fx.v);
    assert_true(take(port));
    assert_int_equal(mf_mock_count(&fx.mock, port, MF_MSG_FILE_TRANSFER_PROTOCOL), 0);
    assert_int_equal(seq_of(&g_answer), (uint16_t)(seq + 1u));
    assert_int_equal(g_answer.payload[5], opcode);
    assert_int_equal(g_answer.target_system, 245);
    assert_int_equal(g_answer.target_component, 190);
    if (g_answer.payload[3] == NAK) {
        assert_int_equal(g_answer.payload[4], 1);
        assert_int_equal(g_answer.payload[2], session);
        return g_answer.payload[12];
    }
    assert_int_equal(g_answer.payload[3], ACK);
    return 0;
}

static uint8_t ask(uint16_t seq, uint8_t session, uint8_t opcode, uint8_t size, uint32_t offset,
                   const char *data)
{
    return ask_on(0, seq, session, opcode, size, offset, data);
}

static uint8_t ask_path(uint16_t seq, uint8_t opcode, uint32_t offset, const char *path)
{
    return ask(seq, 0, opcode, (uint8_t)strlen(path), offset, path);
}

/* An archive of one log of n bytes: byte k is k * 7 modulo 251. */
static void boot_with_log(uint32_t n)
{
    (void)fx_boot(k_default);
    struct mf_mock_archive *a = &fx.mock.archive;
    a->count = 1;
    a->info[0] = (struct mf_archive_info){.utc_s = LOG_UTC, .size = n};
    for (uint32_t i = 0; i < n; i++) {
        a->bytes[0][i] = (uint8_t)(i * 7 % 251);
    }
}

static void test_lists_folders_entry_by_entry(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    assert_int_equal(ask_path(65535, LIST, 0, "/"), 0); /* the sequence wraps */
    assert_int_equal(g_answer.payload[4], 9);
    assert_memory_equal(g_answer.payload + 12, "Detc\0Dfs\0", 9);
    assert_int_equal(ask_path(2, LIST, 1, "/"), 0);
    assert_memory_equal(g_answer.payload + 12, "Dfs\0", 4);
    assert_int_equal(ask_path(3, LIST, 2, "/"), END);
    assert_int_equal(ask_path(4, LIST, 0, ""), 0);
    assert_int_equal(ask_path(5, LIST, 0, "//etc/./extras/"), 0);
    assert_memory_equal(g_answer.payload + 12, "Fcomponent_general.json\t", 24);
    assert_int_equal(ask_path(6, LIST, 0, "/fs/microsd/log"), END);
    assert_int_equal(ask_path(7, LIST, 0, "/etc/nothing"), NOT_FOUND);
    assert_int_equal(ask_path(8, LIST, 0, "/etc/../etc"), NOT_FOUND);
    assert_int_equal(ask_path(9, LIST, 0, "/etc/extras/parameters.json"), FAIL);
}

static void test_logs_are_listed_by_day(void **state)
{
    (void)state;
    boot_with_log(1000);
    struct mf_mock_archive *a = &fx.mock.archive;
    a->count = 3;
    a->info[1] = (struct mf_archive_info){.utc_s = LOG_UTC + 3661, .size = 5};
    a->info[2] = (struct mf_archive_info){.utc_s = LOG_UTC + 43200, .size = 6}; /* midnight */
    assert_int_equal(ask_path(1, LIST, 0, "/fs/microsd/log"), 0);
    assert_memory_equal(g_answer.payload + 12, "D2026-03-01\0D2026-03-02\0", 24);
    assert_int_equal(ask_path(2, LIST, 0, "/fs/microsd/log/2026-03-01"), 0);
    assert_int_equal(g_answer.payload[4], 19 + 16);
    assert_memory_equal(g_answer.payload + 12, "F12_00_00.ulg\t1000\0F13_01_01.ulg\t5\0", 35);
    assert_int_equal(ask_path(3, LIST, 0, "fs/microsd/log/2026-03-02/"), 0);
    assert_memory_equal(g_answer.payload + 12, "F00_00_00.ulg\t6\0", 16);
    static const char *const k_none[] = {
        "fs/microsd/log/2026-03-03",
        "fs/microsd/log/2026-02-30",
        "fs/microsd/log/2026x03-01",
        "fs/microsd/log/2026-03-01x12_00_00.ulg",
        "fs/microsd/log/2026-03-01/12_00",
        "fs/microsd/log/2026-03-01/12_00_01.ulg",
        "fs/microsd/log/2026-03-01/24_00_00.ulg",
    };
    for (size_t i = 0; i < sizeof k_none / sizeof k_none[0]; i++) {
        assert_int_equal(ask_path((uint16_t)i, OPEN, 0, k_none[i]), NOT_FOUND);
    }
}

/* Folders carry both numbers, too; what is not known is 0. */
static void test_lists_with_times(void **state)
{
    (void)state;
    boot_with_log(1000);
    assert_int_equal(ask_path(1, LIST_TIME, 0, "/"), 0);
    assert_int_equal(g_answer.payload[4], 17);
    assert_memory_equal(g_answer.payload + 12, "Detc\t0\t0\0Dfs\t0\t0\0", 17);
    assert_int_equal(ask_path(2, LIST_TIME, 0, "/fs/microsd/log/2026-03-01"), 0);
    assert_memory_equal(g_answer.payload + 12, "F12_00_00.ulg\t1000\t1772366400\0", 30);
    assert_int_equal(ask_path(3, LIST_TIME, 1, "/fs/microsd/log/2026-03-01"), END);
    assert_int_equal(ask_path(4, LIST_TIME, 0, "/etc/extras"), 0);
    assert_memory_equal(g_answer.payload + 12, "Fcomponent_general.json\t", 24);
    const char *second =
        (const char *)g_answer.payload + 12 + strlen((char *)g_answer.payload + 12) + 1;
    assert_memory_equal(second, "Fparameters.json\t", 17);
    assert_string_equal(second + strlen(second) - 2, "\t0");
    assert_int_equal(ask_path(5, LIST_TIME, 0, "/etc/nothing"), NOT_FOUND);
}

static void test_logs_have_a_name_for_every_vehicle(void **state)
{
    (void)state;
    boot_with_log(1000);
    assert_int_equal(ask_path(1, LIST, 0, "@MAV_LOG"), 0);
    assert_memory_equal(g_answer.payload + 12, "D2026-03-01\0", 12);
    assert_int_equal(ask_path(2, LIST, 0, "/@MAV_LOG/2026-03-01/"), 0);
    assert_memory_equal(g_answer.payload + 12, "F12_00_00.ulg\t1000\0", 19);
    assert_int_equal(ask_path(3, OPEN, 0, "@MAV_LOG/2026-03-01/12_00_00.ulg"), 0);
    assert_int_equal(number(), 1000);
    assert_int_equal(ask_path(4, LIST, 0, "@MAV_LOGS"), NOT_FOUND);
    assert_int_equal(ask_path(5, LIST, 0, "@MAV_LOG/2026-03-02"), NOT_FOUND);
    assert_int_equal(ask_path(6, LIST, 0, "fs/@MAV_LOG"), NOT_FOUND);
}

static void test_open_read_terminate(void **state)
{
    (void)state;
    boot_with_log(500);
    assert_int_equal(ask_path(1, OPEN, 0, LOG), 0);
    assert_int_equal(g_answer.payload[4], 4);
    assert_int_equal(number(), 500);
    const uint8_t session = g_answer.payload[2];
    assert_int_equal(ask(2, session, READ, 239, 0, NULL), 0);
    assert_int_equal(g_answer.payload[4], 239);
    assert_memory_equal(g_answer.payload + 12, fx.mock.archive.bytes[0], 239);
    assert_int_equal(ask(3, session, READ, 239, 478, NULL), 0);
    assert_int_equal(g_answer.payload[4], 22); /* what is left */
    assert_int_equal(offset_of(&g_answer), 478);
    assert_int_equal(ask(4, session, READ, 10, 0, NULL), 0);
    assert_int_equal(g_answer.payload[4], 10);
    assert_int_equal(ask(13, session, READ, 1, 0, NULL), 0);
    assert_int_equal(g_answer.payload[4], 1);
    assert_int_equal(ask(14, session, READ, 0, 0, NULL), 0);
    assert_int_equal(g_answer.payload[4], 239); /* as much as fits */
    assert_int_equal(ask(5, session, READ, 239, 500, NULL), END);
    assert_int_equal(ask(6, session, READ, 239, UINT32_MAX, NULL), END);
    assert_int_equal(ask(7, session, READ, 240, 0, NULL), BAD_SIZE);
    assert_int_equal(ask(8, 99, READ, 239, 0, NULL), BAD_SESSION);
    fx.mock.archive.read_result = MF_E_IO;
    assert_int_equal(ask(9, session, READ, 239, 0, NULL), FAIL);
    assert_int_equal(ask(10, session, TERMINATE, 0, 0, NULL), 0);
    assert_int_equal(ask(11, session, READ, 239, 0, NULL), BAD_SESSION);
    assert_int_equal(ask(12, session, TERMINATE, 0, 0, NULL), BAD_SESSION);
}

/* What a client sends again because the answer was lost has the answer again, and no
 * other effect. */
static void test_repeated_requests(void **state)
{
    (void)state;
    boot_with_log(500);
    assert_int_equal(ask_path(1, OPEN, 0, LOG), 0);
    const struct mf_msg_file_transfer_protocol first = g_answer;
    for (int i = 0; i < 9; i++) { /* more often than there are sessions */
        assert_int_equal(ask_path(1, OPEN, 0, LOG), 0);
        assert_memory_equal(&g_answer, &first, sizeof first);
    }
    const uint8_t session = first.payload[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ask(2, session, READ, 100, 50, NULL), 0);
        assert_memory_equal(g_answer.payload + 12, &fx.mock.archive.bytes[0][50], 100);
    }
    assert_int_equal(ask(3, session, TERMINATE, 0, 0, NULL), 0);
    assert_int_equal(ask(3, session, TERMINATE, 0, 0, NULL), 0);
    assert_int_equal(ask(4, session, TERMINATE, 0, 0, NULL), BAD_SESSION);
    assert_int_equal(ask(5, 0, RESET, 0, 0, NULL), 0);
    assert_int_equal(ask(5, 0, RESET, 0, 0, NULL), 0);
}

/* Collects a burst. @return bytes; the last answer stays in g_answer */
static uint32_t collect(int port, uint16_t seq, uint32_t at, uint8_t *bytes, uint32_t frame)
{
    uint32_t total = 0;
    while (take(port)) {
        assert_int_equal(seq_of(&g_answer), ++seq);
        assert_int_equal(g_answer.payload[5], BURST);
        assert_int_equal(offset_of(&g_answer), at + total);
        if (g_answer.payload[3] == NAK) {
            break;
        }
        assert_in_range(g_answer.payload[4], 1, frame);
        memcpy(bytes + total, g_answer.payload + 12, g_answer.payload[4]);
        total += g_answer.payload[4];
    }
    return total;
}

static void test_burst_to_the_end(void **state)
{
    static uint8_t bytes[4096];
    (void)state;
    boot_with_log(2000);
    assert_int_equal(ask_path(1, OPEN, 0, LOG), 0);
    const uint8_t session = g_answer.payload[2];
    feed(0, 2, session, BURST, 239, 0, NULL);
    (void)mf_vehicle_step(&fx.v);
    assert_int_equal(fx_count(MF_MSG_FILE_TRANSFER_PROTOCOL), 10); /* 8 * 239 + 88, end of file */
    assert_int_equal(collect(0, 2, 0, bytes, 239), 2000);
    assert_memory_equal(bytes, fx.mock.archive.bytes[0], 2000);
    assert_int_equal(g_answer.payload[3], NAK);
    assert_int_equal(g_answer.payload[12], END);
    assert_int_equal(g_answer.payload[6], 1); /* the burst is complete */
    /* from the middle, in small frames */
    feed(0, 40, session, BURST, 80, 1900, NULL);
    (void)mf_vehicle_step(&fx.v);
    assert_int_equal(collect(0, 40, 1900, bytes, 80), 100);
    assert_int_equal(ask(50, session, BURST, 239, 2000, NULL), END);
    assert_int_equal(ask(51, 3, BURST, 239, 0, NULL), BAD_SESSION);
}

/* A long file: the client is told where to ask again, and the link keeps room for other things. */
static void test_burst_is_paced_and_cut(void **state)
{
    static uint8_t bytes[80000];
    (void)state;
    boot_with_log(80000);
    assert_int_equal(ask_path(1, OPEN, 0, LOG), 0);
    const uint8_t session = g_answer.payload[2];
    fx.mock.port[0].room = 1000; /* each frame has 12 + 254 bytes, less zeros at its end */
    feed(0, 2, session, BURST, 239, 0, NULL);
    (void)fx_step_at(1 * S);
    assert_int_equal(fx_count(MF_MSG_FILE_TRANSFER_PROTOCOL), 3); /* then less than 320 are left */
    assert_true(mf_vehicle_busy(&fx.v));
    (void)fx_step_at(1 * S + 10000);
    assert_int_equal(fx_count(MF_MSG_FILE_TRANSFER_PROTOCOL), 3);
    fx.mock.port[0].room = SIZE_MAX;
    for (int i = 2; i < 30; i++) {
        (void)fx_step_at(1 * S + i * 10000);
    }
    assert_int_equal(collect(0, 2, 0, bytes, 239), 35133); /* 147 whole frames */
    assert_int_equal(g_answer.payload[3], ACK);
    assert_int_equal(g_answer.payload[6], 1);
    feed(0, 500, session, BURST, 239, 35133, NULL);
    for (int i = 0; i < 30; i++) {
        (void)fx_step_at(2 * S + i * 10000);
    }
    assert_int_equal(collect(0, 500, 35133, bytes + 35133, 239), 35133);
    feed(0, 900, session, BURST, 239, 70266, NULL);
    for (int i = 0; i < 30; i++) {
        (void)fx_step_at(3 * S + i * 10000);
    }
    assert_int_equal(collect(0, 900, 70266, bytes + 70266, 239), 9734);
    assert_memory_equal(bytes, fx.mock.archive.bytes[0], 80000);
    /* terminating ends a burst */
    feed(0, 1000, session, BURST, 239, 0, NULL);
    (void)fx_step_at(4 * S);
    mf_mock_clear(&fx.mock, 0);
    assert_int_equal(ask(1001, session, TERMINATE, 0, 0, NULL), 0);
    (void)fx_step_at(5 * S);
    assert_int_equal(fx_count(MF_MSG_FILE_TRANSFER_PROTOCOL), 0);
    assert_false(mf_vehicle_busy(&fx.v));
}

/* The checksum of PX4 begins with 0 and is not inverted. */
static void test_checksum(void **state)
{
    (void)state;
    boot_with_log(100000); /* more than one slice */
    feed(0, 1, 5, CRC, (uint8_t)strlen(LOG), 0, LOG);
    (void)fx_step_at(0);
    assert_int_equal(fx_count(MF_MSG_FILE_TRANSFER_PROTOCOL), 0);
    assert_true(mf_vehicle_busy(&fx.v));
    feed(0, 1, 5, CRC, (uint8_t)strlen(LOG), 0, LOG); /* is asked again meanwhile */
    (void)fx_step_at(1000);
    assert_true(take(0));
    assert_int_equal(seq_of(&g_answer), 2);
    assert_int_equal(g_answer.payload[2], 5);
    assert_int_equal(g_answer.payload[3], ACK);
    assert_int_equal(g_answer.payload[5], CRC);
    assert_int_equal(g_answer.payload[4], 4);
    assert_int_equal(number(), mf_crc32(0, fx.mock.archive.bytes[0], 100000));
    fx.mock.archive.info[0].size = 9;
    memcpy(fx.mock.archive.bytes[0], "123456789", 9);
    assert_int_equal(ask_path(7, CRC, 0, LOG), 0);
    assert_int_equal(number(), 0x2DFD2D88); /* of "123456789", from an independent calculation */
    assert_int_equal(ask_path(8, CRC, 0, "/etc"), FAIL);
    assert_int_equal(ask_path(9, CRC, 0, "/none"), NOT_FOUND);
    fx.mock.archive.read_result = MF_E_IO;
    assert_int_equal(ask_path(10, CRC, 0, LOG), FAIL);
}

static void test_what_would_change_files_is_refused(void **state)
{
    (void)state;
    (void)fx_boot(k_default);
    for (unsigned opcode = CREATE; opcode < CRC; opcode++) {
        assert_int_equal(
            ask_path((uint16_t)opcode, (uint8_t)opcode, 0, "/etc/extras/parameters.json"),
            PROTECTED);
    }
    assert_int_equal(ask(1, 0, 0, 0, 0, NULL), 0);
    assert_int_equal(ask(1, 0, 17, 0, 0, NULL), UNKNOWN);
    assert_int_equal(ask(1, 0, 255, 0, 0, NULL), UNKNOWN);
    feed(0, 1, 0, ACK, 0, 0, NULL); /* answers have no answer */
    feed(0, 1, 0, NAK, 1, 0, NULL);
    (void)mf_vehicle_step(&fx.v);
    assert_int_equal(fx_count(MF_MSG_FILE_TRANSFER_PROTOCOL), 0);
    assert_int_equal(fx.links[0].stats.rx_rejected, 2);
    struct mf_msg_file_transfer_protocol foreign = {.target_system = 3, .payload = {0, 0, 0, LIST}};
    mf_mock_feed_msg(&fx.mock, 0, MF_MSG_FILE_TRANSFER_PROTOCOL, &foreign);
    (void)mf_vehicle_step(&fx.v);
    assert_int_equal(fx_count(MF_MSG_FILE_TRANSFER_PROTOCOL), 0);
    assert_int_equal(fx.links[0].stats.rx_foreign, 1);
}

static void test_sessions_are_bounded_and_their_owners(void **state)
{
    (void)state;
    boot_with_log(500);
    fx_connect(1);
    for (uint16_t i = 0; i < MF_FTP_SESSIONS; i++) {
        assert_int_equal(ask_path((uint16_t)(10 + i), OPEN, 0, LOG), 0);
        assert_int_equal(g_answer.payload[2], i);
    }
    assert_int_equal(ask_on(1, 1, 0, OPEN, (uint8_t)strlen(LOG), 0, LOG), NO_SESSIONS);
    assert_int_equal(ask_on(1, 2, 0, READ, 239, 0, NULL), BAD_SESSION); /* it is another's */
    assert_int_equal(ask_on(1, 3, 0, TERMINATE, 0, 0, NULL), BAD_SESSION);
    assert_int_equal(ask_on(1, 4, 0, RESET, 0, 0, NULL), 0); /* its own, of which it has none */
    assert_int_equal(ask(20, 2, READ, 10, 0, NULL), 0);
    assert_int_equal(ask(21, 2, TERMINATE, 0, 0, NULL), 0);
    assert_int_equal(ask_on(1, 5, 0, OPEN, (uint8_t)strlen(LOG), 0, LOG), 0);
    assert_int_equal(g_answer.payload[2], 2);
    assert_int_equal(ask(21, 2, TERMINATE, 0, 0, NULL), BAD_SESSION); /* is another's now */
    assert_int_equal(ask(22, 0, RESET, 0, 0, NULL), 0);
    assert_int_equal(ask(23, 0, READ, 10, 0, NULL), BAD_SESSION);
    assert_int_equal(ask_on(1, 6, 2, READ, 10, 0, NULL), 0);
    mf_link_close(&fx.v, 1);
    for (uint16_t i = 0; i < MF_FTP_SESSIONS; i++) {
        assert_int_equal(ask_path((uint16_t)(30 + i), OPEN, 0, LOG), 0);
    }
}

/* Who opens and goes away blocks nobody for long. */
static void test_idle_sessions_end(void **state)
{
    (void)state;
    boot_with_log(500);
    fx_connect(1);
    for (uint16_t i = 0; i < MF_FTP_SESSIONS; i++) {
        assert_int_equal(ask_path(i, OPEN, 0, LOG), 0);
    }
    (void)fx_step_at(9 * S);
    assert_int_equal(ask(9, 0, READ, 10, 0, NULL), 0);
    const struct mf_wake wake = fx_step_at(10 * S);
    assert_true(wake.transport_us <= 19 * S);
    assert_int_equal(ask_on(1, 1, 0, OPEN, (uint8_t)strlen(LOG), 0, LOG), 0);
    assert_int_equal(g_answer.payload[2], 1);
    assert_int_equal(ask(10, 0, READ, 10, 0, NULL), 0);
    assert_int_equal(ask(10, 3, READ, 10, 0, NULL), BAD_SESSION);
}

/* docs/time.md, rule 1 of the event clock. */
static void test_sim038_a_client_at_work_keeps_time_from_jumping(void **state)
{
    (void)state;
    boot_with_log(500);
    assert_false(mf_vehicle_busy(&fx.v));
    assert_int_equal(ask_path(1, OPEN, 0, LOG), 0);
    assert_true(mf_vehicle_busy(&fx.v));
    const struct mf_wake wake = fx_step_at(500000);
    assert_true(mf_vehicle_busy(&fx.v));
    assert_true(wake.transport_us <= 1 * S);
    (void)fx_step_at(1 * S); /* it does not ask any more */
    assert_false(mf_vehicle_busy(&fx.v));
    assert_int_equal(ask(2, 0, READ, 10, 0, NULL), 0);
    assert_true(mf_vehicle_busy(&fx.v));
    assert_int_equal(ask(3, 0, TERMINATE, 0, 0, NULL), 0);
    assert_false(mf_vehicle_busy(&fx.v));
}

static void test_log_that_was_erased_is_gone(void **state)
{
    (void)state;
    boot_with_log(500);
    assert_int_equal(ask_path(1, OPEN, 0, LOG), 0);
    fx.mock.archive.info[0].utc_s++; /* another has its number now */
    assert_int_equal(ask(2, 0, READ, 10, 0, NULL), FAIL);
    feed(0, 3, 0, BURST, 239, 0, NULL);
    (void)mf_vehicle_step(&fx.v);
    assert_true(take(0));
    assert_int_equal(g_answer.payload[3], NAK);
    assert_int_equal(g_answer.payload[12], FAIL);
    assert_false(take(0));
}

/* A board may leave the files out. MAVLink answers an opcode that is not known with code 7, and
 * AUTOPILOT_VERSION (148) then lacks bit 32; COMPONENT_METADATA (397) and _INFORMATION (395), which
 * name files, are denied. */
static void test_a_board_without_files(void **state)
{
    struct mf_msg_autopilot_version version;
    (void)state;
    (void)fx_boot(k_default);
    assert_int_equal(fx_command(512, (const float[7]){148.0f}), 0);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_AUTOPILOT_VERSION, &version));
    assert_int_equal(version.capabilities, 0xE8FF);
    fx.v.ftp = NULL;
    assert_int_equal(ask_path(65535, OPEN, 0, "/etc/extras/parameters.json"), UNKNOWN);
    assert_int_equal(ask(8, 3, BURST, 0, 700, NULL), UNKNOWN);
    assert_int_equal(offset_of(&g_answer), 700);
    assert_false(mf_vehicle_busy(&fx.v));
    assert_int_equal(fx_command(512, (const float[7]){148.0f}), 0);
    assert_true(mf_mock_take(&fx.mock, 0, MF_MSG_AUTOPILOT_VERSION, &version));
    assert_int_equal(version.capabilities, 0xE8DF);
    assert_int_equal(fx_command(512, (const float[7]){397.0f}), 2);
    assert_int_equal(fx_command(512, (const float[7]){395.0f}), 2);
    mf_link_close(&fx.v, 0);
    assert_false(mf_vehicle_busy(&fx.v));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists_folders_entry_by_entry),
        cmocka_unit_test(test_logs_are_listed_by_day),
        cmocka_unit_test(test_lists_with_times),
        cmocka_unit_test(test_logs_have_a_name_for_every_vehicle),
        cmocka_unit_test(test_open_read_terminate),
        cmocka_unit_test(test_repeated_requests),
        cmocka_unit_test(test_burst_to_the_end),
        cmocka_unit_test(test_burst_is_paced_and_cut),
        cmocka_unit_test(test_checksum),
        cmocka_unit_test(test_what_would_change_files_is_refused),
        cmocka_unit_test(test_sessions_are_bounded_and_their_owners),
        cmocka_unit_test(test_idle_sessions_end),
        cmocka_unit_test(test_sim038_a_client_at_work_keeps_time_from_jumping),
        cmocka_unit_test(test_log_that_was_erased_is_gone),
        cmocka_unit_test(test_a_board_without_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
