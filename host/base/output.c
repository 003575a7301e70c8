/* SPDX-License-Identifier: Apache-2.0 */
/* Output files of boards and tools: opened, locked and replaced, but never one of the run's
 * inputs. */
#include "host/base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Maximum number of attempts if other programs replace the file meanwhile. */
#define TRIES_MAX      16u
#define EXIT_BAD_INPUT 2

/* Inputs of this run by device and inode. Inputs that do not fit into memory are not protected. */
static struct input {
    dev_t device;
    ino_t inode;
} * s_input;
static size_t s_inputs;

static bool is_input(const struct stat *is)
{
    for (size_t i = 0; i < s_inputs; i++) {
        if (s_input[i].device == is->st_dev && s_input[i].inode == is->st_ino) {
            return true;
        }
    }
    return false;
}

void mf_output_keep(const char *path)
{
    struct stat is;
    if (path == NULL || stat(path, &is) != 0 || !S_ISREG(is.st_mode) || is_input(&is)) {
        return;
    }
    struct input *more = realloc(s_input, (s_inputs + 1u) * sizeof *more);
    if (more != NULL) {
        more[s_inputs++] = (struct input){is.st_dev, is.st_ino};
        s_input = more;
    }
}

bool mf_output_is_input(const char *path)
{
    struct stat is;
    return path != NULL && stat(path, &is) == 0 && is_input(&is);
}

/* Lock a file without waiting. On a file system without locks it succeeds. */
static bool lock_file(int fd, int kind)
{
    return flock(fd, kind | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/* Replace a file that has content by an empty one. @return its descriptor; < 0: failed */
static int replace_file(const char *path, const struct stat *old)
{
    char draft[PATH_MAX + 8], *whole = realpath(path, NULL);
    (void)snprintf(draft, sizeof draft, "%s.XXXXXX", whole != NULL ? whole : "");
    const int fd = whole != NULL ? mkostemp(draft, O_CLOEXEC) : -1;
    if (fd < 0) {
        free(whole);
        return -1;
    }
    const bool owned = old->st_uid == geteuid() || fchown(fd, old->st_uid, old->st_gid) == 0;
    const bool good = owned && fchmod(fd, old->st_mode & 07777u) == 0 && lock_file(fd, LOCK_EX) &&
                      rename(draft, whole) == 0;
    free(whole);
    if (!good) {
        (void)unlink(draft);
        (void)close(fd);
        return -1;
    }
    return fd;
}

/* True if a path still leads to an open file. */
static bool is_at(const char *path, const struct stat *open)
{
    struct stat is;
    return stat(path, &is) == 0 && is.st_dev == open->st_dev && is.st_ino == open->st_ino;
}

/* Open an output. @return a descriptor; -1: refused, with a reason in @p why; -2: another program
 * has just replaced the file */
static int try_open(const char *path, const char **why)
{
    struct stat is;
    const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    *why = NULL;
    if (fd < 0 || fstat(fd, &is) != 0) {
        *why = strerror(errno);
    } else if (!S_ISREG(is.st_mode)) {
        return fd;
    } else if (is_input(&is)) {
        *why = "is an input of this run, which would destroy it: write elsewhere";
        errno = EBUSY;
    } else if (!lock_file(fd, LOCK_EX)) {
        *why = "is written by another run or output at this moment: write elsewhere";
    } else if (!is_at(path, &is)) {
        (void)close(fd);
        return -2;
    } else if (is.st_size == 0) {
        return fd;
    }
    const int fresh = *why == NULL ? replace_file(path, &is) : -1;
    if (*why == NULL && fresh < 0) {
        if (ftruncate(fd, 0) == 0) {
            return fd;
        }
        *why = strerror(errno);
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return fresh;
}

int mf_output_open(const char *path, const char **why)
{
    int fd = -2;
    for (unsigned i = 0; i < TRIES_MAX && fd == -2; i++) {
        fd = try_open(path, why);
    }
    if (fd == -2) {
        *why = "other programs replace it all the time";
    }
    return fd;
}

FILE *mf_output_stream(const char *path, const char **why)
{
    const int fd = mf_output_open(path, why);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (fd >= 0 && file == NULL) {
        *why = strerror(errno);
        (void)close(fd);
    }
    return file;
}

static const char *s_program;

static void judge_stdout(void)
{
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        (void)fprintf(stderr, "%s: cannot write all of it to standard output: %s\n", s_program,
                      strerror(errno));
        _exit(EXIT_BAD_INPUT);
    }
}

void mf_output_judge_stdout(const char *program)
{
    s_program = program;
    (void)atexit(judge_stdout);
}

void mf_output_draft(const char *path, char *draft, size_t size)
{
    struct stat is;
    const bool replaceable = stat(path, &is) != 0 || S_ISREG(is.st_mode);
    (void)snprintf(draft, size, "%s%s", path, replaceable ? ".part" : "");
}

bool mf_output_place(const char *draft, const char *path)
{
    return strcmp(draft, path) == 0 || rename(draft, path) == 0;
}

void mf_output_drop(const char *draft, const char *path)
{
    if (strcmp(draft, path) != 0) {
        (void)unlink(draft);
    }
}

bool mf_output_replace(const char *path, const char *text)
{
    char draft[PATH_MAX];
    mf_output_draft(path, draft, sizeof draft);
    FILE *file = fopen(draft, "we");
    const bool written = file != NULL && fputs(text, file) >= 0;
    return file != NULL && fclose(file) == 0 && written && mf_output_place(draft, path);
}

bool mf_output_lock_folder(const char *path, bool shared)
{
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && !lock_file(fd, shared ? LOCK_SH : LOCK_EX)) {
        (void)close(fd);
        return false;
    }
    return true;
}
