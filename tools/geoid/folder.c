/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/geoid/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int fd, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t n = write(fd, bytes, size);
        if (n < 0 && errno != EINTR) {
            return false;
        }
        bytes += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return fsync(fd) == 0;
}

bool geoid_file_write(const char *path, const uint8_t *bytes, size_t size, char *error)
{
    char temporary[GEOID_PATH_MAX + 16];
    (void)snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    const int fd = mkostemp(temporary, O_CLOEXEC);
    bool done = fd >= 0 && fchmod(fd, 0644) == 0 && write_all(fd, bytes, size);
    int why = errno;
    if (fd >= 0 && close(fd) != 0 && done) {
        why = errno;
        done = false;
    }
    if (done && rename(temporary, path) != 0) {
        why = errno;
        done = false;
    }
    if (!done) {
        (void)snprintf(error, GEOID_FILE_ERROR, "%.400s: cannot write: %s", path, strerror(why));
        if (fd >= 0) {
            (void)unlink(temporary);
        }
    }
    return done;
}

bool geoid_file_read(const char *path, uint8_t **bytes, size_t *size)
{
    FILE *file = fopen(path, "rbe");
    struct stat state;
    *bytes = NULL;
    if (file == NULL) {
        return false;
    }
    if (fstat(fileno(file), &state) == 0 && S_ISREG(state.st_mode) && state.st_size > 0 &&
        state.st_size <= GEOID_FILE_SIZE_MAX) {
        *size = (size_t)state.st_size;
        *bytes = malloc(*size);
    }
    if (*bytes != NULL && fread(*bytes, 1, *size, file) != *size) {
        free(*bytes);
        *bytes = NULL;
    }
    (void)fclose(file);
    return *bytes != NULL;
}

FILE *geoid_temporary(const char *beside)
{
    char folder[GEOID_PATH_MAX];
    FILE *file = tmpfile();
    if (file != NULL) {
        return file;
    }
    (void)snprintf(folder, sizeof folder, "%s", beside != NULL ? beside : "");
    char *slash = strrchr(folder, '/');
    if (slash == NULL) {
        (void)snprintf(folder, sizeof folder, ".");
    } else {
        slash[slash == folder ? 1 : 0] = '\0';
    }
    const int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    file = fd >= 0 ? fdopen(fd, "w+b") : NULL;
    if (file == NULL && fd >= 0) {
        (void)close(fd);
    }
    return file;
}

/* ---- downloads */

/* Open the named file, unless another process has locked it. */
static FILE *open_named(struct geoid_part *part, const char *folder, const char *tag)
{
    (void)mkdir(folder, 0755);
    (void)snprintf(part->path, sizeof part->path, "%s/%s.part", folder, tag);
    const int fd = open(part->path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0) {
        return NULL;
    }
    FILE *file = flock(fd, LOCK_EX | LOCK_NB) == 0 ? fdopen(fd, "r+b") : NULL;
    if (file == NULL) {
        (void)close(fd);
    }
    return file;
}

bool geoid_part_open(struct geoid_part *part, const char *folder, const char *tag,
                     const char *beside)
{
    struct stat state;
    *part = (struct geoid_part){0};
    part->file = folder != NULL ? open_named(part, folder, tag) : NULL;
    if (part->file == NULL) {
        part->path[0] = '\0';
        part->file = geoid_temporary(beside);
    } else if (fstat(fileno(part->file), &state) == 0) {
        part->size = (int64_t)state.st_size;
    }
    return part->file != NULL;
}

void geoid_part_clear(struct geoid_part *part)
{
    rewind(part->file);
    if (ftruncate(fileno(part->file), 0) == 0) {
        part->size = 0;
    }
}

void geoid_part_close(struct geoid_part *part, bool keep)
{
    if (!keep && part->path[0] != '\0') {
        (void)unlink(part->path);
    }
    (void)fclose(part->file);
    part->file = NULL;
}
