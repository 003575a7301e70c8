/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the end of a lifetime, for a drone and for the keeper of its command. */
#include "hal-posix/lifetime.h"

#include "hal-posix/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define LOOK_US (2 * MF_SECOND_US)             /* a file may have changed */
#define FAR_US  (INT64_C(1000000000000000000)) /* UTC: 30,000 years */

/* @return UTC [us]; 0: the file is missing, or does not begin with a number; FAR_US: no descriptor
 *         is free now */
static int64_t read_utc(const char *path)
{
    char text[32];
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return errno == EMFILE || errno == ENFILE || errno == ENOMEM ? FAR_US : 0;
    }
    const ssize_t n = read(fd, text, sizeof text - 1u);
    (void)close(fd);
    text[n > 0 ? n : 0] = '\0';
    const double s = strtod(text, NULL);
    return s > 0.0 && s < (double)FAR_US / 1e6 ? (int64_t)(s * 1e6) : 0;
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
