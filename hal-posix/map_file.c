/* SPDX-License-Identifier: Apache-2.0 */
/* Files as read-only mappings, for boards/posix (earth, terrain). */
#include "hal-posix/map_file.h"

#include "hal/types.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int map_fd(int fd, const uint8_t **bytes, size_t *size)
{
    struct stat about;
    if (fstat(fd, &about) != 0) {
        return MF_E_IO;
    }
    if (!S_ISREG(about.st_mode) || about.st_size <= 0) {
        return MF_E_NOENT;
    }
    void *at = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED) {
        return MF_E_IO;
    }
    *bytes = at;
    *size = (size_t)about.st_size;
    return MF_E_OK;
}

int mf_map_file(const char *path, const uint8_t **bytes, size_t *size)
{
    MF_ASSERT(path != NULL && bytes != NULL && size != NULL);
    /* O_NONBLOCK: opening a FIFO would block otherwise */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return MF_E_IO;
    }
    const int result = map_fd(fd, bytes, size);
    const int error = errno;
    (void)close(fd); /* the mapping stays valid */
    errno = error;
    return result;
}
