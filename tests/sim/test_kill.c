/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kill -9 at every system call by which a vehicle changes its disk: what a client was told is there
 * afterwards, and of what it was not told everything or nothing. The calls are replaced in this
 * program; the process that is to die is a child, its client's knowledge is shared with the parent.
 */
#include "hal-posix/archive_file.h"
#include "hal-posix/store_file.h"
#include "tests/unit/firmware/mission_client.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define KILLED 99
#define NOON   INT64_C(1772366400) /* 2026-03-01 12:00:00 */

/* What outlives the child: how many of its orders it was told are done. */
static volatile struct told {
    unsigned orders;
    bool in_write; /* what it died in can be done in part */
} * s_told;

/* ---- the disk: before which call the process dies, and how much of a write it has done then */

static int s_calls_left = -1; /* -1: it does not die */
static size_t s_part;         /* of 4 quarters; 4: all but a byte */
static bool s_unsynced;       /* something was written that no fsync has followed */

static bool dies(void)
{
    return s_calls_left >= 0 && s_calls_left-- == 0;
}

ssize_t write(int fd, const void *bytes, size_t n)
{
    if (fd > 2 && dies()) {
        s_told->in_write = true;
        (void)syscall(SYS_write, fd, bytes, s_part == 4 ? n - 1 : n * s_part / 4);
        _exit(KILLED);
    }
    s_unsynced = true;
    return (ssize_t)syscall(SYS_write, fd, bytes, n);
}

/* Nothing of it outlives the machine, only the process: the medium is not waited for. */
int fsync(int fd)
{
    (void)fd;
    if (dies()) {
        _exit(KILLED);
    }
    s_unsynced = false;
    return 0;
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
    if (dies()) {
        _exit(KILLED);
    }
    if (s_unsynced) {
        _exit(1); /* a power loss could leave the new name with old bytes */
    }
    return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, 0);
}

int unlinkat(int dir, const char *name, int flags)
{
    if (dies()) {
        _exit(KILLED);
    }
    return (int)syscall(SYS_unlinkat, dir, name, flags);
}

int mkdirat(int dir, const char *name, mode_t mode)
{
    if (dies()) {
        _exit(KILLED);
    }
    return (int)syscall(SYS_mkdirat, dir, name, mode);
}

static char s_dir[64];

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind;
    return where->level > 0 ? remove(path) : 0;
}

/* What is in it: the folder itself stays. */
static void remove_all(void)
{
    assert_int_equal(nftw(s_dir, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

/* The next call, or the next part of it; 4: all but a byte. */
static void next_cut(int *at, size_t *part)
{
    const bool again = s_told->in_write && *part < 4;
    *part = again ? *part + 2 : 0;
    *at += again ? 0 : 1;
}

/* Runs until its call number @p at. @return whether it died there, or came to its end */
static bool run_and_die(void (*live)(void), int at, size_t part)
{
    s_told->orders = 0;
    s_told->in_write = false;
    const pid_t child = fork();
    if (child == 0) {
        s_calls_left = at;
        s_part = part;
        live();
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && (WEXITSTATUS(status) == KILLED || WEXITSTATUS(status) == 0));
    return WEXITSTATUS(status) == KILLED;
}

/* ---- parameters, missions, fences, rally points */

static const struct mf_item k_fence[] = {
    {{0x40400000u}, 474000000, 85000000, 0, 5001, 5, 0},
    {{0x40400000u}, 474000000, 86000000, 0, 5001, 5, 0},
    {{0x40400000u}, 473000000, 85000000, 0, 5001, 5, 0},
};
static const struct mf_item k_rally[] = {{{0}, 474000000, 85000000, 0x41F00000u, 5100, 3, 1},
                                         {{0}, 474000000, 85500000, 0x41F00000u, 5100, 3, 1}};

/* What the client orders, one after the other: a parameter by its name, or items. */
static const struct order {
    const char *param;
    float value;
    uint8_t type, count;
    const struct mf_item *item;
} k_order[] = {
    {"MPC_XY_CRUISE", 7.25f, 0, 0, NULL},
    {NULL, 0.0f, 0, 4, k_square},
    {"MPC_Z_VEL_MAX_UP", 2.5f, 0, 0, NULL},
    {NULL, 0.0f, 1, 3, k_fence},
    {NULL, 0.0f, 0, 2, k_square + 1},
    {"MPC_XY_CRUISE", 3.0f, 0, 0, NULL},
    {NULL, 0.0f, 2, 2, k_rally},
    {"RTL_RETURN_ALT", 35.0f, 0, 0, NULL},
    {NULL, 0.0f, 2, 1, k_rally + 1},
    {NULL, 0.0f, 1, 0, NULL},
    {"MPC_Z_VEL_MAX_UP", 3.0f, 0, 0, NULL},
    {NULL, 0.0f, 0, 3, k_square},
    {"MPC_XY_CRUISE", 10.0f, 0, 0, NULL},
    {NULL, 0.0f, 0, 0, NULL},
};

enum { ORDERS = COUNT_OF(k_order), RECORDS = 300 };

static uint8_t s_bank[MF_STORE_AREA_COUNT][2][RECORDS * 32u];
static struct mf_store_file s_store;

static bool open_store(void)
{
    struct mf_store_banks memory[MF_STORE_AREA_COUNT];
    char reason[256];
    for (size_t i = 0; i < MF_STORE_AREA_COUNT; i++) {
        memory[i] = (struct mf_store_banks){{s_bank[i][0], s_bank[i][1]}, RECORDS};
    }
    memset(s_bank, 0, sizeof s_bank);
    return mf_store_file_init(&s_store, memory, s_dir, reason, sizeof reason) == MF_E_OK;
}

static bool boot(void)
{
    mf_mock_init(&mock);
    struct mf_hal hal = mf_mock_hal(&mock);
    hal.store = &mf_store_file_ops;
    hal.store_ctx = &s_store;
    return open_store() && start(&hal) == 0;
}

static bool set(const struct order *o)
{
    struct mf_msg_param_set m = {.target_system = 1, .target_component = 1, .param_type = 9};
    struct mf_msg_param_value value;
    memcpy(&m.param_value, &o->value, sizeof m.param_value);
    memcpy(m.param_id, o->param, strlen(o->param));
    say(0, MF_MSG_PARAM_SET, &m);
    return mf_mock_take(&mock, 0, MF_MSG_PARAM_VALUE, &value) && value.param_value == m.param_value;
}

static bool send_items(const struct order *o)
{
    struct mf_msg_mission_ack ack;
    if (o->count == 0) {
        say_clear(0, o->type);
    } else {
        say_count(0, o->type, o->count);
    }
    for (uint16_t i = 0; i < o->count; i++) {
        say_item(0, o->type, i, &o->item[i]);
    }
    return mf_mock_take(&mock, 0, MF_MSG_MISSION_ACK, &ack) && ack.type == 0;
}

/* What leaves the vehicle in a step is with its client after that. */
static void give_orders(void)
{
    if (!boot()) {
        _exit(1);
    }
    for (size_t i = 0; i < ORDERS; i++) {
        if (!(k_order[i].param != NULL ? set(&k_order[i]) : send_items(&k_order[i]))) {
            _exit(1);
        }
        s_told->orders++;
    }
}

/* What is kept, in all areas. */
struct kept {
    struct mf_store_info info[MF_STORE_AREA_COUNT];
    uint8_t record[MF_STORE_AREA_COUNT][RECORDS][32];
};

static void look(struct kept *kept)
{
    memset(kept, 0, sizeof *kept);
    for (int i = 0; i < MF_STORE_AREA_COUNT; i++) {
        const enum mf_store_area area = (enum mf_store_area)i;
        assert_int_equal(mf_store_file_ops.info(&s_store, area, &kept->info[i]), MF_E_OK);
        for (uint16_t r = 0; r < kept->info[i].count; r++) {
            assert_int_equal(mf_store_file_ops.get(&s_store, area, r, kept->record[i][r]), MF_E_OK);
        }
    }
}

/* What is to be kept after so many orders: from a vehicle that nobody kills. */
static struct kept s_after[ORDERS + 1];

static void note_what_is_kept(void)
{
    assert_true(boot());
    look(&s_after[0]);
    for (size_t i = 0; i < ORDERS; i++) {
        assert_true(k_order[i].param != NULL ? set(&k_order[i]) : send_items(&k_order[i]));
        look(&s_after[i + 1]);
        assert_memory_not_equal(&s_after[i], &s_after[i + 1], sizeof s_after[0]);
    }
    mf_store_file_close(&s_store);
    remove_all();
}

static void test_what_a_client_was_told_outlives_kill_9_at_any_call(void **state)
{
    static struct kept kept;
    unsigned with_last = 0, without_last = 0;
    (void)state;
    note_what_is_kept();
    bool died = true;
    size_t part = 0;
    for (int at = 0; died; next_cut(&at, &part)) {
        assert_true(at < 20 * ORDERS);
        died = run_and_die(give_orders, at, part);
        const unsigned told = s_told->orders;
        assert_true(boot()); /* nothing that it left is refused */
        look(&kept);
        mf_store_file_close(&s_store);
        remove_all();
        const bool old = memcmp(&kept, &s_after[told], sizeof kept) == 0;
        const bool new = told < ORDERS &&memcmp(&kept, &s_after[told + 1], sizeof kept) == 0;
        assert_true(died ? old || new : old &&told == ORDERS);
        with_last += new;
        without_last += old;
    }
    assert_true(with_last >= ORDERS && without_last >= 3 * ORDERS);
}

/* A commit that never happened, torn at any byte or of other bytes, is forgotten. */
static void test_torn_and_strange_temporary_files_are_no_harm(void **state)
{
    static const struct kept *const k_last = &s_after[ORDERS];
    static struct kept kept;
    static uint8_t bytes[4096];
    char path[128];
    (void)state;
    note_what_is_kept();
    assert_false(run_and_die(give_orders, -1, 0));
    (void)snprintf(path, sizeof path, "%s/PARAM.mfst", s_dir);
    int fd = open(path, O_RDONLY);
    const ssize_t n = read(fd, bytes, sizeof bytes);
    (void)close(fd);
    assert_true(n > 40);
    (void)snprintf(path, sizeof path, "%s/PARAM.mfst.new", s_dir);
    for (ssize_t cut = 0; cut <= n; cut++) {
        fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        assert_int_equal(write(fd, bytes, (size_t)cut), cut);
        (void)close(fd);
        assert_true(open_store());
        look(&kept);
        mf_store_file_close(&s_store);
        assert_memory_equal(&kept, k_last, sizeof kept);
        assert_int_equal(access(path, F_OK), -1);
    }
}

/* ---- flight logs */

static struct mf_archive_file s_archive;
static struct mf_archive_info s_logs[8];

static bool open_archive(void)
{
    char reason[256];
    return mf_archive_file_init(&s_archive, s_logs, 8, s_dir, reason, sizeof reason) == MF_E_OK;
}

static uint8_t log_byte(int64_t utc_s, size_t at)
{
    return (uint8_t)((size_t)(utc_s & 0xFF) * 31u + at * 7u + at / 251u);
}

static void write_log(int64_t utc_s, size_t n)
{
    if (mf_archive_file_ops.begin(&s_archive, utc_s) != MF_E_OK) {
        _exit(1);
    }
    for (size_t at = 0; at < n; at += 100) {
        uint8_t bytes[100];
        for (size_t i = 0; i < sizeof bytes; i++) {
            bytes[i] = log_byte(utc_s, at + i);
        }
        mf_archive_file_ops.append(&s_archive, bytes, sizeof bytes);
    }
    mf_archive_file_ops.end(&s_archive);
}

/* Begins a day of its own, too; then erases all. */
static void log_flights(void)
{
    if (!open_archive()) {
        _exit(1);
    }
    write_log(NOON + 60, 20000);
    s_told->orders = 1;
    write_log(NOON + 86400, 9000);
    s_told->orders = 2;
    (void)mf_archive_file_ops.erase(&s_archive);
    s_told->orders = 3;
}

/* Whole, or the beginning of what was to be there. */
static void expect_beginning(uint16_t index, size_t whole)
{
    static uint8_t bytes[32768];
    struct mf_archive_info info;
    assert_int_equal(mf_archive_file_ops.info(&s_archive, index, &info), MF_E_OK);
    assert_true(info.size <= whole);
    const int n = mf_archive_file_ops.read(&s_archive, index, 0, bytes, sizeof bytes);
    assert_int_equal(n, info.size);
    for (int i = 0; i < n; i++) {
        assert_int_equal(bytes[i], log_byte(info.utc_s, (size_t)i));
    }
}

static void test_a_log_that_was_cut_off_harms_no_other(void **state)
{
    (void)state;
    bool died = true;
    size_t part = 0;
    for (int at = 0; died; next_cut(&at, &part)) {
        assert_true(at < 40);
        assert_true(open_archive());
        write_log(NOON, 5000);
        mf_archive_file_close(&s_archive);
        died = run_and_die(log_flights, at, part);
        assert_true(open_archive());
        const int count = mf_archive_file_ops.count(&s_archive);
        for (uint16_t i = 0; i < count; i++) {
            struct mf_archive_info info;
            assert_int_equal(mf_archive_file_ops.info(&s_archive, i, &info), MF_E_OK);
            const int64_t after_s = info.utc_s - NOON;
            const size_t whole = after_s == 0 ? 5000u : after_s == 60 ? 20000u : 9000u;
            expect_beginning(i, whole);
            const bool ended = after_s == 0 || s_told->orders > (after_s == 60 ? 0u : 1u);
            assert_true(!ended || info.size == whole);
        }
        assert_true(s_told->orders < 1 || s_told->orders > 1 || count >= 2);
        assert_true(s_told->orders < 3 || count == 0);
        mf_archive_file_close(&s_archive);
        remove_all();
    }
}

static int begin(void **state)
{
    (void)state;
    s_calls_left = -1;
    const bool fast = access("/dev/shm", W_OK) == 0; /* some file systems write at every rename */
    (void)snprintf(s_dir, sizeof s_dir, "%s/mf-kill-XXXXXX", fast ? "/dev/shm" : "/tmp");
    return mkdtemp(s_dir) == NULL ? -1 : 0;
}

static int end(void **state)
{
    (void)state;
    mf_store_file_close(&s_store);
    mf_archive_file_close(&s_archive);
    remove_all();
    return rmdir(s_dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_a_client_was_told_outlives_kill_9_at_any_call,
                                        begin, end),
        cmocka_unit_test_setup_teardown(test_torn_and_strange_temporary_files_are_no_harm, begin,
                                        end),
        cmocka_unit_test_setup_teardown(test_a_log_that_was_cut_off_harms_no_other, begin, end),
    };
    s_store.dir_fd = s_archive.base_fd = s_archive.dir_fd = -1;
    s_archive.write_fd = s_archive.read_fd = -1;
    s_told = mmap(NULL, sizeof *s_told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return s_told == MAP_FAILED ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
