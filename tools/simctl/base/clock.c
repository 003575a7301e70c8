/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/base/clock.h"

#include "host/time/virtual_message.h"
#include "host/time/virtual_program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

#define PIECE (1u << 20)

/* @return 0, or an errno */
static int copy(const char *from, const char *to)
{
    const int in = open(from, O_RDONLY | O_CLOEXEC);
    const int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    ssize_t n = out < 0 ? -1 : 1;
    while (n > 0) {
        n = sendfile(out, in, NULL, PIECE);
    }
    int error = n < 0 ? errno : 0;
    if (out >= 0 && close(out) != 0 && error == 0) {
        error = errno;
    }
    if (in >= 0) {
        (void)close(in);
    }
    return error;
}

int simctl_clock_copy(const char *folder)
{
    char self[PATH_MAX], from[PATH_MAX], to[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    if (!mf_virtual_library(self, from)) {
        (void)fprintf(stderr,
                      "simctl: " MF_VIRTUAL_LIBRARY " is neither beside %s nor in ../lib/mayfly\n",
                      self);
        return EXIT_FAILURE;
    }
    (void)snprintf(to, sizeof to, "%s/" MF_VIRTUAL_LIBRARY, folder);
    const int error = copy(from, to);
    if (error != 0) {
        (void)fprintf(stderr, "simctl: %s to %s: %s\n", from, to, strerror(error));
    }
    return error != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
