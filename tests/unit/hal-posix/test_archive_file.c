/* SPDX-License-Identifier: Apache-2.0 */
/* Flight logs in a directory. write() is replaced in this program, so that a medium can be full. */
#include "hal-posix/archive_file.h"
#include "tests/unit/support/names.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#define LOGS 4u
#define NOON INT64_C(1772366400) /* 2026-03-01 12:00:00 */

static int s_space = -1; /* bytes until the medium is full; -1: it never is */

ssize_t write(int fd, const void *bytes, size_t n)
{
    if (fd > 2 && s_space >= 0) {
        if (s_space == 0) {
            return -1;
        }
        n = n < (size_t)s_space ? n : (size_t)s_space;
        s_space -= (int)n;
    }
    return (ssize_t)syscall(SYS_write, fd, bytes, n);
}

static char g_dir[64];
static struct mf_archive_file a;
static struct mf_archive_info g_logs[LOGS];
static char g_reason[256];

static int setup(void **state)
{
    (void)state;
    s_space = -1;
    (void)snprintf(g_dir, sizeof g_dir, "/tmp/mf_archive_XXXXXX");
    return mkdtemp(g_dir) == NULL ? -1 : 0;
}

static int teardown(void **state)
{
    char command[96];
    (void)state;
    mf_archive_file_close(&a);
    (void)snprintf(command, sizeof command, "rm -rf %s", g_dir);
    return system(command);
}

static void path(char out[160], const char *name)
{
    (void)snprintf(out, 160, "%s/%s", g_dir, name);
}

static void make_file(const char *name, size_t n)
{
    char at[160];
    path(at, name);
    const int fd = open(at, O_WRONLY | O_CREAT, 0600);
    assert_true(fd >= 0);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(write(fd, "x", 1), 1);
    }
    assert_int_equal(close(fd), 0);
}

static void make_dir(const char *name)
{
    char at[160];
    path(at, name);
    assert_int_equal(mkdir(at, 0700), 0);
}

static long size_of(const char *name)
{
    char at[160];
    struct stat st;
    path(at, name);
    return stat(at, &st) == 0 ? (long)st.st_size : -1;
}

static int begin_archive(void)
{
    return mf_archive_file_init(&a, g_logs, LOGS, g_dir, g_reason, sizeof g_reason);
}

static const struct mf_archive_ops *ops = &mf_archive_file_ops;

static void append(const char *text)
{
    ops->append(&a, (const uint8_t *)text, strlen(text));
}

static void test_without_a_directory_nothing_is_kept(void **state)
{
    uint8_t byte;
    struct mf_archive_info info;
    struct mf_archive_room room;
    (void)state;
    assert_int_equal(mf_archive_file_init(&a, g_logs, LOGS, "", g_reason, sizeof g_reason), 0);
    assert_int_equal(ops->begin(&a, NOON), MF_E_NOSUPP);
    assert_int_equal(ops->count(&a), 0);
    assert_int_equal(ops->info(&a, 0, &info), MF_E_NOENT);
    assert_int_equal(ops->read(&a, 0, 0, &byte, 1), MF_E_NOENT);
    append("nowhere");
    ops->end(&a);
    assert_int_equal(ops->erase(&a), MF_E_OK);
    assert_int_equal(ops->room(&a, &room), MF_E_NOSUPP);
    assert_int_equal(mf_archive_file_init(&a, g_logs, LOGS, "/nowhere", g_reason, sizeof g_reason),
                     MF_E_IO);
    assert_names(g_reason, "/nowhere/log No such file");
}

static void test_a_log_is_written_and_read(void **state)
{
    uint8_t bytes[64];
    struct mf_archive_info info;
    struct mf_archive_room room;
    (void)state;
    assert_int_equal(begin_archive(), MF_E_OK);
    assert_int_equal(ops->room(&a, &room), MF_E_OK);
    assert_true(room.total > 0 && room.free <= room.total);
    assert_int_equal(ops->count(&a), 0);
    assert_int_equal(size_of("log"), -1); /* made for the first log */
    assert_int_equal(ops->begin(&a, NOON + 3661), MF_E_OK);
    append("hello ");
    append("world");
    assert_int_equal(ops->info(&a, 0, &info), MF_E_OK);
    assert_int_equal(info.size, 0); /* still collected */
    ops->end(&a);
    assert_int_equal(size_of("log/2026-03-01/13_01_01.ulg"), 11);
    assert_int_equal(ops->info(&a, 0, &info), MF_E_OK);
    assert_int_equal(info.size, 11);
    assert_true(info.utc_s == NOON + 3661);
    assert_int_equal(ops->read(&a, 0, 6, bytes, sizeof bytes), 5);
    assert_memory_equal(bytes, "world", 5);
    assert_int_equal(ops->read(&a, 0, 11, bytes, sizeof bytes), 0);
    assert_int_equal(ops->read(&a, 1, 0, bytes, sizeof bytes), MF_E_NOENT);
    assert_int_equal(ops->begin(&a, NOON + 3661), MF_E_DENIED);
    assert_int_equal(ops->begin(&a, -1), MF_E_IO);
    assert_int_equal(ops->begin(&a, INT64_MAX), MF_E_IO);
    assert_int_equal(ops->begin(&a, NOON), MF_E_OK); /* earlier: it comes first */
    append("earlier");
    ops->end(&a);
    assert_int_equal(ops->read(&a, 0, 0, bytes, sizeof bytes), 7);
    assert_int_equal(ops->read(&a, 1, 0, bytes, sizeof bytes), 11);
}

static void test_long_logs_arrive_while_they_are_written(void **state)
{
    static const char k_line[101] =
        "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567"
        "890123456789";
    uint8_t bytes[100];
    struct mf_archive_info info;
    (void)state;
    assert_int_equal(begin_archive(), MF_E_OK);
    assert_int_equal(ops->begin(&a, NOON), MF_E_OK);
    for (int i = 0; i < 1000; i++) {
        append(k_line);
    }
    assert_int_equal(ops->info(&a, 0, &info), MF_E_OK);
    assert_in_range(info.size, 100000 - 4096, 100000);
    ops->end(&a);
    assert_int_equal(ops->info(&a, 0, &info), MF_E_OK);
    assert_int_equal(info.size, 100000);
    for (uint32_t i = 0; i < 1000; i++) {
        assert_int_equal(ops->read(&a, 0, 100 * i, bytes, sizeof bytes), 100);
        assert_memory_equal(bytes, k_line, 100);
    }
}

static void test_what_is_there_at_the_start(void **state)
{
    struct mf_archive_info info;
    char from[160], to[160];
    (void)state;
    make_dir("log");
    make_dir("log/2026-03-02");
    make_dir("log/2026-02-28");
    make_dir("log/2026-02-30");
    make_dir("log/notes");
    make_dir("log/2026-03-02/05_00_00.ulg"); /* a directory is no log */
    make_file("log/2026-03-02/00_00_01.ulg", 7);
    make_file("log/2026-03-02/00_00_00.ulg", 6);
    make_file("log/2026-03-02/00_00_60.ulg", 1);
    make_file("log/2026-03-02/0_00_100.ulg", 1);
    make_file("log/2026-03-02/00_00_02.csv", 1);
    make_file("log/2026-02-28/23_59_58.ulg", 0); /* an empty log counts */
    make_file("log/2026-02-28/23_59_59.ulg", 5);
    make_file("log/2026-02-30/12_00_00.ulg", 1);
    make_file("log/notes/12_00_00.ulg", 1);
    path(from, "log/notes/12_00_00.ulg");
    path(to, "log/2026-03-02/06_00_00.ulg");
    assert_int_equal(symlink(from, to), 0); /* leads elsewhere */
    assert_int_equal(begin_archive(), MF_E_OK);
    assert_int_equal(ops->count(&a), 4);
    assert_int_equal(ops->info(&a, 0, &info), MF_E_OK);
    assert_int_equal(info.size, 0);
    for (uint16_t i = 1; i < 4; i++) {
        assert_int_equal(ops->info(&a, i, &info), MF_E_OK);
        assert_int_equal(info.size, 4 + i);
    }
    assert_true(info.utc_s == NOON + 43201);
    assert_int_equal(ops->begin(&a, NOON + 43201), MF_E_DENIED);
}

static void test_folder_that_is_none(void **state)
{
    (void)state;
    make_file("log", 1);
    assert_int_equal(begin_archive(), MF_E_IO);
    assert_names(g_reason, "Not a directory");
}

static void test_full_list_forgets_the_oldest(void **state)
{
    struct mf_archive_info info;
    (void)state;
    assert_int_equal(begin_archive(), MF_E_OK);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(ops->begin(&a, NOON + i), MF_E_OK);
        append("x");
        ops->end(&a);
    }
    assert_int_equal(ops->count(&a), LOGS);
    assert_int_equal(ops->info(&a, 0, &info), MF_E_OK);
    assert_true(info.utc_s == NOON + 2);
    assert_int_equal(size_of("log/2026-03-01/12_00_00.ulg"), 1); /* its file stays */
    assert_int_equal(ops->begin(&a, NOON - 1), MF_E_OK);         /* too old to be listed */
    append("old");
    ops->end(&a);
    assert_int_equal(size_of("log/2026-03-01/11_59_59.ulg"), 3);
    assert_int_equal(ops->count(&a), LOGS);
    assert_int_equal(begin_archive(), MF_E_OK);
    assert_int_equal(ops->count(&a), LOGS);
    assert_int_equal(ops->info(&a, 0, &info), MF_E_OK);
    assert_true(info.utc_s == NOON + 2);
}

static void test_full_medium_ends_the_log_not_the_flight(void **state)
{
    static uint8_t bytes[1000];
    struct mf_archive_info info;
    (void)state;
    assert_int_equal(begin_archive(), MF_E_OK);
    assert_int_equal(ops->begin(&a, NOON), MF_E_OK);
    s_space = 6000;
    for (int i = 0; i < 20; i++) {
        ops->append(&a, bytes, sizeof bytes);
    }
    ops->end(&a);
    assert_int_equal(ops->info(&a, 0, &info), MF_E_OK);
    assert_int_equal(info.size, 6000);
    s_space = -1;
    assert_int_equal(ops->begin(&a, NOON + 1), MF_E_OK); /* there is room again */
    append("next");
    ops->end(&a);
    assert_int_equal(ops->info(&a, 1, &info), MF_E_OK);
    assert_int_equal(info.size, 4);
}

static void test_erase_spares_the_log_being_written(void **state)
{
    uint8_t bytes[8];
    struct mf_archive_info info;
    (void)state;
    assert_int_equal(begin_archive(), MF_E_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(ops->begin(&a, NOON + 86400 * i), MF_E_OK);
        append("flight");
        if (i < 2) {
            ops->end(&a);
        }
    }
    assert_int_equal(ops->read(&a, 0, 0, bytes, 6), 6);
    make_file("log/2026-03-02/notes.txt", 1);
    assert_int_equal(ops->erase(&a), MF_E_OK);
    assert_int_equal(ops->count(&a), 1);
    assert_int_equal(size_of("log/2026-03-01"), -1); /* empty days go too */
    assert_int_equal(size_of("log/2026-03-02/notes.txt"), 1);
    append(" goes on");
    ops->end(&a);
    assert_int_equal(ops->info(&a, 0, &info), MF_E_OK);
    assert_int_equal(info.size, 14);
    assert_true(info.utc_s == NOON + 172800);
    assert_int_equal(ops->erase(&a), MF_E_OK);
    assert_int_equal(ops->count(&a), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_without_a_directory_nothing_is_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_log_is_written_and_read, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_logs_arrive_while_they_are_written, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_what_is_there_at_the_start, setup, teardown),
        cmocka_unit_test_setup_teardown(test_folder_that_is_none, setup, teardown),
        cmocka_unit_test_setup_teardown(test_full_list_forgets_the_oldest, setup, teardown),
        cmocka_unit_test_setup_teardown(test_full_medium_ends_the_log_not_the_flight, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_erase_spares_the_log_being_written, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
