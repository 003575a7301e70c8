/* SPDX-License-Identifier: Apache-2.0 */
/* Logs of flights as files of a folder, for boards/posix/drone.c: one folder per day (UTC), one
 * file per log. */
#include "hal-posix/archive_file.h"

#include "math/calendar.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define DAY_CHARS  10u /* 2026-03-01 */
#define PATH_CHARS 23u /* 2026-03-01/12_00_00.ulg */
#define SIZE_LIMIT 0xFFFF0000u

/* Write the path of a log. @return false: a path cannot express this time */
static bool path_of(int64_t utc_s, char path[PATH_CHARS + 1u])
{
    if (utc_s < 0 || utc_s / MF_CALENDAR_DAY_S > MF_CALENDAR_DAY_MAX) {
        return false;
    }
    const struct mf_date date = mf_calendar_date((int32_t)(utc_s / MF_CALENDAR_DAY_S));
    const int second = (int)(utc_s % MF_CALENDAR_DAY_S);
    return snprintf(path, PATH_CHARS + 1u, "%04d-%02d-%02d/%02d_%02d_%02d.ulg", (int)date.year,
                    (int)date.month, (int)date.day, second / 3600, second / 60 % 60,
                    second % 60) == (int)PATH_CHARS;
}

/* Read a number of two digits. Other characters give some number whose text differs from them. */
static int two_digits(const char *s)
{
    return 10 * (s[0] - '0') + (s[1] - '0');
}

/* Read the time from a path. @return UTC [s], or -1: the path is not one of path_of() */
static int64_t utc_of(const char *path)
{
    char again[PATH_CHARS + 1u];
    if (strlen(path) != PATH_CHARS) {
        return -1;
    }
    const struct mf_date date = {100 * two_digits(path) + two_digits(path + 2),
                                 two_digits(path + 5), two_digits(path + 8)};
    const int64_t day = mf_calendar_day(date);
    const int64_t utc_s = day * MF_CALENDAR_DAY_S + 3600 * (int64_t)two_digits(path + 11) +
                          60 * (int64_t)two_digits(path + 14) + two_digits(path + 17);
    return day >= 0 && path_of(utc_s, again) && strcmp(again, path) == 0 ? utc_s : -1;
}

/* Find a log in the list by its time. @return NULL: the list does not have it */
static struct mf_archive_info *find_log(struct mf_archive_file *a, int64_t utc_s)
{
    for (size_t i = a->count; i > 0; i--) {
        if (a->logs[i - 1].utc_s == utc_s) {
            return &a->logs[i - 1];
        }
    }
    return NULL;
}

/* Insert a log into the list, which is ordered by time. A full list loses its oldest log. */
static void insert_log(struct mf_archive_file *a, struct mf_archive_info info)
{
    if (a->count == a->capacity) {
        if (info.utc_s < a->logs[0].utc_s) {
            return;
        }
        memmove(a->logs, a->logs + 1, (a->count - 1u) * sizeof a->logs[0]);
        a->count--;
    }
    uint16_t at = a->count;
    while (at > 0 && a->logs[at - 1].utc_s > info.utc_s) {
        a->logs[at] = a->logs[at - 1];
        at--;
    }
    a->logs[at] = info;
    a->count++;
}

/* ---- start */

static int refuse(char *reason, size_t size, const char *dir)
{
    (void)snprintf(reason, size, "flight logs in %s/log: %s", dir, strerror(errno));
    return MF_E_IO;
}

static void scan_day(struct mf_archive_file *a, const char *day)
{
    const int fd = openat(a->dir_fd, day, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (d == NULL) {
        if (fd >= 0) {
            (void)close(fd);
        }
        return;
    }
    for (const struct dirent *entry = readdir(d); entry != NULL; entry = readdir(d)) {
        char path[DAY_CHARS + 1u + sizeof entry->d_name];
        struct stat st;
        (void)snprintf(path, sizeof path, "%s/%s", day, entry->d_name);
        const int64_t utc_s = utc_of(path);
        if (utc_s >= 0 && fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(st.st_mode) && st.st_size >= 0 && st.st_size <= (off_t)SIZE_LIMIT) {
            insert_log(a, (struct mf_archive_info){.utc_s = utc_s, .size = (uint32_t)st.st_size});
        }
    }
    (void)closedir(d);
}

static int scan(struct mf_archive_file *a)
{
    const int fd = openat(a->dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (d == NULL) {
        return MF_E_IO;
    }
    for (const struct dirent *entry = readdir(d); entry != NULL; entry = readdir(d)) {
        if (strlen(entry->d_name) == DAY_CHARS) {
            scan_day(a, entry->d_name);
        }
    }
    (void)closedir(d);
    return MF_E_OK;
}

/* Open the folder of logs, unless it is open. @return false: failed, such as for a missing folder
 */
static bool open_dir(struct mf_archive_file *a)
{
    if (a->dir_fd < 0) {
        a->dir_fd = openat(a->base_fd, "log", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }
    return a->dir_fd >= 0;
}

int mf_archive_file_init(struct mf_archive_file *a, struct mf_archive_info *logs, uint16_t capacity,
                         const char *dir, char *reason, size_t reason_size)
{
    MF_ASSERT(logs != NULL && capacity > 0);
    *a = (struct mf_archive_file){.logs = logs,
                                  .capacity = capacity,
                                  .base_fd = -1,
                                  .dir_fd = -1,
                                  .write_fd = -1,
                                  .read_fd = -1};
    if (dir == NULL || dir[0] == '\0') {
        return MF_E_OK;
    }
    a->base_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool there = a->base_fd >= 0 && open_dir(a);
    if (!there && (a->base_fd < 0 || errno != ENOENT)) {
        return refuse(reason, reason_size, dir);
    }
    return !there || scan(a) == MF_E_OK ? MF_E_OK : refuse(reason, reason_size, dir);
}

/* ---- writing */

static void close_fd(int *fd)
{
    if (*fd >= 0) {
        (void)close(*fd);
        *fd = -1;
    }
}

/* Write the collected bytes to the file. After a failure, these bytes and the rest of the log are
 * lost. */
static void flush_buffer(struct mf_archive_file *a)
{
    size_t at = 0;
    while (at < a->len && !a->failed) {
        const ssize_t n = write(a->write_fd, a->buffer + at, a->len - at);
        if (n > 0) {
            at += (size_t)n;
        } else if (n == 0 || errno != EINTR) {
            a->failed = true;
        }
    }
    struct mf_archive_info *log = find_log(a, a->write_utc_s);
    if (log != NULL) {
        log->size += (uint32_t)at;
    }
    a->written += (uint32_t)at;
    a->len = 0;
}

static void archive_end(void *ctx)
{
    struct mf_archive_file *a = ctx;
    if (a->write_fd >= 0) {
        flush_buffer(a);
        close_fd(&a->write_fd);
    }
}

static int archive_begin(void *ctx, int64_t utc_s)
{
    struct mf_archive_file *a = ctx;
    char path[PATH_CHARS + 1u];
    if (a->base_fd < 0) {
        return MF_E_NOSUPP;
    }
    (void)mkdirat(a->base_fd, "log", 0777);
    if (!path_of(utc_s, path) || !open_dir(a)) {
        return MF_E_IO;
    }
    path[DAY_CHARS] = '\0';
    (void)mkdirat(a->dir_fd, path, 0777);
    path[DAY_CHARS] = '/';
    archive_end(a); /* if the vehicle was restarted in flight */
    a->write_fd = openat(a->dir_fd, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (a->write_fd < 0) {
        return errno == EEXIST ? MF_E_DENIED : MF_E_IO;
    }
    insert_log(a, (struct mf_archive_info){.utc_s = utc_s});
    a->write_utc_s = utc_s;
    a->written = 0;
    a->failed = false;
    a->len = 0;
    return MF_E_OK;
}

static void archive_append(void *ctx, const uint8_t *bytes, size_t n)
{
    struct mf_archive_file *a = ctx;
    MF_ASSERT(n <= sizeof a->buffer);
    if (a->write_fd < 0 || a->failed || a->written > SIZE_LIMIT - 2u * sizeof a->buffer) {
        return;
    }
    if (n > sizeof a->buffer - a->len) {
        flush_buffer(a);
    }
    if (!a->failed) {
        memcpy(a->buffer + a->len, bytes, n);
        a->len += n;
    }
}

/* ---- reading */

static int archive_count(void *ctx)
{
    return ((const struct mf_archive_file *)ctx)->count;
}

static int archive_info(void *ctx, uint16_t index, struct mf_archive_info *info)
{
    const struct mf_archive_file *a = ctx;
    if (index >= a->count) {
        return MF_E_NOENT;
    }
    *info = a->logs[index];
    return MF_E_OK;
}

/* Open a log for reading as read_fd, unless it is open. @return MF_E_OK or MF_E_IO */
static int open_log(struct mf_archive_file *a, int64_t utc_s)
{
    char path[PATH_CHARS + 1u];
    if (a->read_fd >= 0 && a->read_utc_s == utc_s) {
        return MF_E_OK;
    }
    close_fd(&a->read_fd);
    if (!path_of(utc_s, path)) {
        return MF_E_IO;
    }
    a->read_fd = openat(a->dir_fd, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    a->read_utc_s = utc_s;
    return a->read_fd >= 0 ? MF_E_OK : MF_E_IO;
}

static int archive_read(void *ctx, uint16_t index, uint32_t offset, uint8_t *bytes, size_t n)
{
    struct mf_archive_file *a = ctx;
    if (index >= a->count) {
        return MF_E_NOENT;
    }
    if (open_log(a, a->logs[index].utc_s) != MF_E_OK) {
        return MF_E_IO;
    }
    ssize_t got;
    do {
        got = pread(a->read_fd, bytes, n, (off_t)offset);
    } while (got < 0 && errno == EINTR);
    return got < 0 ? MF_E_IO : (int)got;
}

static int archive_erase(void *ctx)
{
    struct mf_archive_file *a = ctx;
    char path[PATH_CHARS + 1u];
    int result = MF_E_OK;
    uint16_t kept = 0;
    close_fd(&a->read_fd);
    for (uint16_t i = 0; i < a->count; i++) {
        const struct mf_archive_info log = a->logs[i];
        const bool spared = a->write_fd >= 0 && log.utc_s == a->write_utc_s;
        if (!spared && path_of(log.utc_s, path)) {
            if (unlinkat(a->dir_fd, path, 0) == 0 || errno == ENOENT) {
                path[DAY_CHARS] = '\0';
                /* fails unless this was the day's last log */
                (void)unlinkat(a->dir_fd, path, AT_REMOVEDIR);
                continue;
            }
            result = MF_E_IO;
        }
        a->logs[kept++] = log;
    }
    a->count = kept;
    return result;
}

static int archive_room(void *ctx, struct mf_archive_room *room)
{
    const struct mf_archive_file *a = ctx;
    struct statvfs medium;
    MF_ASSERT(a != NULL && room != NULL);
    if (a->base_fd < 0 || fstatvfs(a->base_fd, &medium) != 0 || medium.f_blocks == 0) {
        return MF_E_NOSUPP;
    }
    room->total = (uint64_t)medium.f_blocks * medium.f_frsize;
    room->free = (uint64_t)medium.f_bavail * medium.f_frsize;
    return MF_E_OK;
}

void mf_archive_file_close(struct mf_archive_file *a)
{
    archive_end(a);
    close_fd(&a->read_fd);
    close_fd(&a->dir_fd);
    close_fd(&a->base_fd);
}

const struct mf_archive_ops mf_archive_file_ops = {archive_count, archive_info,   archive_read,
                                                   archive_begin, archive_append, archive_end,
                                                   archive_erase, archive_room};
