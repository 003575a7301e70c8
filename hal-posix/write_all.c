/* SPDX-License-Identifier: Apache-2.0 */
/* Write a whole buffer to a descriptor, for store_file.c and boards/posix/record.c. */
#include "hal-posix/write_all.h"

#include <errno.h>
#include <unistd.h>

bool mf_write_all(int fd, const uint8_t *bytes, size_t n)
{
    while (n > 0) {
        const ssize_t written = write(fd, bytes, n);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        bytes += written;
        n -= (size_t)written;
    }
    return true;
}
