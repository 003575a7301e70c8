/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the end of a lifetime, for a drone and for the keeper of its command. */
#include "hal-posix/lifetime.h"

#include "hal-posix/clock.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define LOOK_US (2 * MF_SECOND_US) /* a file may have changed */

/* @return UTC [us]; 0: the file is missing, or does not begin with a number */
static int64_t read_utc(const char *path)
{
    char text[32];
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1u) : 0;
    if (fd >= 0) {
        (void)close(fd);
    }
    text[n > 0 ? n : 0] = '\0';
    const double s = strtod(text, NULL);
    return s > 0.0 && s < 1e12 ? (int64_t)(s * 1e6) : 0;
}

mf_us_t mf_lifetime_look(const struct mf_lifetime *l)
{
    const mf_us_t now_us = mf_monotonic_us();
    mf_us_t end_us = l->end_us, look_us = MF_NEVER;
    if (l->file[0] != '\0') {
        end_us = mf_earlier(end_us, now_us + (read_utc(l->file) - mf_utc_us()));
        look_us = now_us + LOOK_US;
    }
    return now_us >= end_us ? 0 : mf_earlier(end_us, look_us);
}
