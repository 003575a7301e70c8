/* SPDX-License-Identifier: Apache-2.0 */
/** Files for readers that take a path or a descriptor, in memory where the machine has such a
 * folder. */
#ifndef MF_TESTS_FUZZ_FILE_H
#define MF_TESTS_FUZZ_FILE_H

#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define FUZZ_PATH_BYTES 32u

/* Fill the fuzzer's file, the same one each time. @return its descriptor, at the first byte */
static inline int fuzz_descriptor(const void *bytes, size_t n)
{
    static int s_fd = -1;
    s_fd = s_fd >= 0 ? s_fd : memfd_create("fuzz", MFD_CLOEXEC);
    check(s_fd >= 0 && ftruncate(s_fd, 0) == 0 && pwrite(s_fd, bytes, n, 0) == (ssize_t)n);
    check(lseek(s_fd, 0, SEEK_SET) == 0);
    return s_fd;
}

/* Fill the fuzzer's file. @return its path */
static inline const char *fuzz_file_path(const void *bytes, size_t n)
{
    static char s_path[FUZZ_PATH_BYTES];
    (void)snprintf(s_path, sizeof s_path, "/proc/self/fd/%d", fuzz_descriptor(bytes, n));
    return s_path;
}

/* Let standard input begin with these bytes, and end there. */
static inline void fuzz_stdin(const void *bytes, size_t n)
{
    check(dup2(fuzz_descriptor(bytes, n), STDIN_FILENO) == STDIN_FILENO);
}

static inline void fuzz_write(const char *path, const void *bytes, size_t n)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    check(fd >= 0 && write(fd, bytes, n) == (ssize_t)n && close(fd) == 0);
}

/* Make a folder, which the caller removes. @param path  out [FUZZ_PATH_BYTES] */
static inline void fuzz_folder(char *path)
{
    (void)snprintf(path, FUZZ_PATH_BYTES, "%s/mf_fuzz_XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    check(mkdtemp(path) != NULL);
}

#endif
