/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The store, with the system calls that change a disk replaced in this program: each counts, and
 * the one with the chosen number ends the process as kill -9 would, a write after half of its
 * bytes.
 */
#include "hal-posix/store_file.h"

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
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/support/cases.h"
#include "tests/unit/support/names.h"

#define RECORDS 100u
#define KILLED  99

static int s_calls_left = -1; /* of the replaced calls before the process dies; -1: it does not */
static int s_fail_from = -1;  /* calls left before all of them fail */

static void count_call(void)
{
    if (s_calls_left >= 0 && s_calls_left-- == 0) {
        _exit(KILLED);
    }
}

static int failing(void)
{
    return s_fail_from >= 0 && s_fail_from-- == 0 ? (s_fail_from = 0, 1) : 0;
}

ssize_t write(int fd, const void *bytes, size_t n)
{
    if (s_calls_left == 0 && n > 1) {
        (void)syscall(SYS_write, fd, bytes, n / 2);
    }
    if (fd > 2) {
        count_call();
    }
    return fd > 2 && failing() ? -1 : (ssize_t)syscall(SYS_write, fd, bytes, n);
}

int fsync(int fd)
{
    count_call();
    return failing() ? -1 : (int)syscall(SYS_fsync, fd);
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
    count_call();
    return failing() ? -1 : (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, 0);
}

static uint8_t s_bank[MF_STORE_AREA_COUNT][2][RECORDS * 32u];
static struct mf_store_banks s_memory[MF_STORE_AREA_COUNT];
static struct mf_store_file s_store;
static char s_dir[64];
static char s_reason[512];

static int setup(void **state)
{
    (void)state;
    for (size_t i = 0; i < MF_STORE_AREA_COUNT; i++) {
        s_memory[i] = (struct mf_store_banks){{s_bank[i][0], s_bank[i][1]}, RECORDS};
    }
    (void)snprintf(s_dir, sizeof s_dir, "/tmp/mf-store-XXXXXX");
    s_calls_left = s_fail_from = -1;
    return mkdtemp(s_dir) == NULL;
}

static int teardown(void **state)
{
    (void)state;
    char command[128];
    mf_store_file_close(&s_store);
    (void)snprintf(command, sizeof command, "rm -rf %s", s_dir);
    return system(command);
}

static int reopen(void)
{
    mf_store_file_close(&s_store);
    memset(s_bank, 0, sizeof s_bank);
    return mf_store_file_init(&s_store, s_memory, s_dir, s_reason, sizeof s_reason);
}

static int put_records(enum mf_store_area area, uint8_t first, uint16_t count)
{
    for (uint16_t i = 0; i < count; i++) {
        uint8_t record[32];
        memset(record, first + i, sizeof record);
        assert_int_equal(mf_store_file_ops.put(&s_store, area, i, record), MF_E_OK);
    }
    return mf_store_file_ops.commit(&s_store, area, count, first);
}

static void expect_records(enum mf_store_area area, uint8_t first, uint16_t count)
{
    struct mf_store_info info;
    uint8_t record[32] = {0};
    assert_int_equal(mf_store_file_ops.info(&s_store, area, &info), MF_E_OK);
    assert_int_equal(info.count, count);
    assert_int_equal(info.tag, first);
    assert_int_equal(info.capacity, RECORDS);
    for (uint16_t i = 0; i < count; i++) {
        assert_int_equal(mf_store_file_ops.get(&s_store, area, i, record), MF_E_OK);
        assert_int_equal(record[0], (uint8_t)(first + i));
        assert_int_equal(record[23], (uint8_t)(first + i));
    }
    assert_int_equal(mf_store_file_ops.get(&s_store, area, count, record), MF_E_RANGE);
}

static void test_without_a_directory_nothing_touches_the_disk(void **state)
{
    (void)state;
    assert_int_equal(mf_store_file_init(&s_store, s_memory, "", s_reason, sizeof s_reason),
                     MF_E_OK);
    s_calls_left = 0; /* any call is the last */
    expect_records(MF_STORE_MISSION, 0, 0);
    assert_int_equal(put_records(MF_STORE_MISSION, 7, 5), MF_E_OK);
    s_calls_left = -1;
    expect_records(MF_STORE_MISSION, 7, 5);
}

static void test_staged_records_are_invisible_until_the_commit(void **state)
{
    (void)state;
    assert_int_equal(reopen(), MF_E_OK);
    assert_int_equal(put_records(MF_STORE_FENCE, 10, 3), MF_E_OK);
    const uint8_t record[32] = {1, 2, 3};
    assert_int_equal(mf_store_file_ops.put(&s_store, MF_STORE_FENCE, 0, record), MF_E_OK);
    expect_records(MF_STORE_FENCE, 10, 3);
    assert_int_equal(mf_store_file_ops.put(&s_store, MF_STORE_FENCE, RECORDS, record), MF_E_FULL);
    expect_records(MF_STORE_RALLY, 0, 0);
}

static void test_areas_outlive_a_restart(void **state)
{
    (void)state;
    assert_int_equal(reopen(), MF_E_OK);
    assert_int_equal(put_records(MF_STORE_PARAM, 1, 100), MF_E_OK);
    assert_int_equal(put_records(MF_STORE_MISSION, 50, 10), MF_E_OK);
    assert_int_equal(put_records(MF_STORE_MISSION, 60, 4), MF_E_OK);
    assert_int_equal(put_records(MF_STORE_RALLY, 9, 1), MF_E_OK);
    assert_int_equal(put_records(MF_STORE_RALLY, 0, 0), MF_E_OK);
    assert_int_equal(reopen(), MF_E_OK);
    expect_records(MF_STORE_PARAM, 1, 100);
    expect_records(MF_STORE_MISSION, 60, 4);
    expect_records(MF_STORE_RALLY, 0, 0);
    expect_records(MF_STORE_FENCE, 0, 0);
}

/* Commits 20 new records over 30 old ones in a process that dies at its @p at-th call. @return
 * whether it died */
static int commit_and_die(int at)
{
    const pid_t child = fork();
    if (child == 0) {
        s_calls_left = at;
        (void)put_records(MF_STORE_MISSION, 100, 20);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status) == KILLED;
}

/* Nobody else reads a key. */
static void test_the_key_is_its_owners(void **state)
{
    (void)state;
    char path[sizeof s_dir + 16];
    struct stat st;
    assert_int_equal(reopen(), MF_E_OK);
    assert_int_equal(put_records(MF_STORE_SIGNING, 1, 2), MF_E_OK);
    (void)snprintf(path, sizeof path, "%s/SIGNING.mfst", s_dir);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(reopen(), MF_E_OK);
    expect_records(MF_STORE_SIGNING, 1, 2);
}

static void test_killed_at_any_call_the_old_or_the_new_area_is_there(void **state)
{
    (void)state;
    int at = 0;
    int died = 1;
    int seen_old = 0, seen_new = 0;
    for (; died; at++) {
        struct mf_store_info info;
        assert_true(at < 20);
        assert_int_equal(reopen(), MF_E_OK);
        assert_int_equal(put_records(MF_STORE_MISSION, 1, 30), MF_E_OK);
        died = commit_and_die(at);
        assert_int_equal(reopen(), MF_E_OK);
        assert_int_equal(mf_store_file_ops.info(&s_store, MF_STORE_MISSION, &info), MF_E_OK);
        if (info.tag == 1) {
            expect_records(MF_STORE_MISSION, 1, 30);
            seen_old++;
        } else {
            expect_records(MF_STORE_MISSION, 100, 20);
            seen_new++;
        }
    }
    assert_true(at >= 5); /* two writes, fsync, rename, fsync of the directory */
    assert_true(seen_old >= 4 && seen_new >= 1);
}

static void test_a_failing_disk_leaves_the_old_area(void **state)
{
    (void)state;
    for (int at = 0; at < 4; at++) {
        assert_int_equal(reopen(), MF_E_OK);
        assert_int_equal(put_records(MF_STORE_MISSION, 1, 30), MF_E_OK);
        s_fail_from = at;
        assert_int_equal(put_records(MF_STORE_MISSION, 100, 20), MF_E_IO);
        s_fail_from = -1;
        expect_records(MF_STORE_MISSION, 1, 30);
        assert_int_equal(reopen(), MF_E_OK);
        expect_records(MF_STORE_MISSION, 1, 30);
    }
}

static void write_file(const char *name, const void *bytes, size_t n)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", s_dir, name);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, n), n);
    (void)close(fd);
}

static size_t read_file(const char *name, uint8_t *bytes, size_t cap)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", s_dir, name);
    const int fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    const ssize_t n = read(fd, bytes, cap);
    (void)close(fd);
    assert_true(n > 0);
    return (size_t)n;
}

static void expect_refused(const char *cause)
{
    char data[256];
    (void)snprintf(data, sizeof data, "%s/MISSION.mfst %s", s_dir, cause);
    assert_int_equal(reopen(), MF_E_IO);
    assert_names(s_reason, data);
}

static void test_a_damaged_or_foreign_file_is_refused_and_named(void **state)
{
    (void)state;
    uint8_t bytes[2000];
    assert_int_equal(reopen(), MF_E_OK);
    assert_int_equal(put_records(MF_STORE_MISSION, 1, 30), MF_E_OK);
    const size_t n = read_file("MISSION.mfst", bytes, sizeof bytes);
    assert_int_equal(n, 20 + 30 * 32);
    const size_t apart = n / (size_t)mf_cases(140, (int)n); /* behind the header */
    for (size_t i = 0; i < n; i += i < 20 ? 1 : apart) {    /* no damaged byte goes unnoticed */
        bytes[i] ^= 0x10u;
        write_file("MISSION.mfst", bytes, n);
        assert_int_equal(reopen(), MF_E_IO);
        bytes[i] ^= 0x10u;
    }
    char path[128];
    (void)snprintf(path, sizeof path, "%s/MISSION.mfst", s_dir);
    for (size_t left = n; left > 0; left -= left > 60 ? apart : 1) {
        assert_int_equal(truncate(path, (off_t)left - 1), 0);
        expect_refused("short");
    }
    write_file("MISSION.mfst", "something else entirely", 23);
    expect_refused("Mayfly's");
    bytes[n] = 0;
    write_file("MISSION.mfst", bytes, n + 1);
    expect_refused("damaged");
    bytes[4] = 2;
    write_file("MISSION.mfst", bytes, n);
    expect_refused("version");
    bytes[4] = 1;
    bytes[6] = MF_STORE_FENCE;
    write_file("MISSION.mfst", bytes, n);
    expect_refused("name");
    bytes[6] = MF_STORE_MISSION;
    bytes[10] = RECORDS + 1;
    write_file("MISSION.mfst", bytes, n);
    expect_refused("records");
    bytes[10] = 30;
    write_file("MISSION.mfst", bytes, n);
    assert_int_equal(reopen(), MF_E_OK);
    expect_records(MF_STORE_MISSION, 1, 30);
}

static void test_a_directory_that_cannot_be_used_is_refused_and_named(void **state)
{
    (void)state;
    struct mf_store_file other;
    char data[128];
    assert_int_equal(mf_store_file_init(&other, s_memory, "/nosuch/dir", s_reason, sizeof s_reason),
                     MF_E_IO);
    assert_names(s_reason, "/nosuch/dir No such file or directory");
    assert_int_equal(mf_store_file_init(&other, s_memory, "/dev/null", s_reason, sizeof s_reason),
                     MF_E_IO);
    assert_names(s_reason, "/dev/null Not a directory");
    assert_int_equal(reopen(), MF_E_OK);
    assert_int_equal(mf_store_file_init(&other, s_memory, s_dir, s_reason, sizeof s_reason),
                     MF_E_IO);
    (void)snprintf(data, sizeof data, "%s vehicle", s_dir);
    assert_names(s_reason, data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_without_a_directory_nothing_touches_the_disk, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_staged_records_are_invisible_until_the_commit, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_areas_outlive_a_restart, setup, teardown),
        cmocka_unit_test_setup_teardown(test_the_key_is_its_owners, setup, teardown),
        cmocka_unit_test_setup_teardown(test_killed_at_any_call_the_old_or_the_new_area_is_there,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_failing_disk_leaves_the_old_area, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_damaged_or_foreign_file_is_refused_and_named, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_a_directory_that_cannot_be_used_is_refused_and_named,
                                        setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
