/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/base/recording.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ANEW     "anew\n" /* not base64: its length is not a multiple of four */
#define LINE     3072u    /* bytes of a line; its base64 is shorter than what a log splits */
#define PAUSE_MS 200

static volatile sig_atomic_t s_ended;

static void on_end(int number)
{
    (void)number;
    s_ended = 1;
}

/* @return false: standard output takes no more */
static bool copy_more(int fd, off_t *at)
{
    unsigned char bytes[LINE];
    char line[4 * LINE / 3 + 2];
    struct stat is;
    if (fstat(fd, &is) == 0 && is.st_size < *at) {
        *at = 0;
        (void)fputs(ANEW, stdout);
    }
    for (ssize_t n = pread(fd, bytes, sizeof bytes, *at); n > 0;
         n = pread(fd, bytes, sizeof bytes, *at)) {
        (void)EVP_EncodeBlock((unsigned char *)line, bytes, (int)n);
        (void)fprintf(stdout, "%s\n", line);
        *at += n;
    }
    return fflush(stdout) == 0;
}

int simctl_recording_copy(const char *path)
{
    const struct sigaction end = {.sa_handler = on_end}; /* without SA_RESTART: it ends a pause */
    const struct timespec pause = {0, PAUSE_MS * 1000000L};
    off_t at = 0;
    int fd = -1;
    (void)sigaction(SIGTERM, &end, NULL);
    (void)sigaction(SIGINT, &end, NULL);
    for (bool last = false; !last;) {
        last = s_ended != 0; /* what had been written by then is copied below */
        fd = fd >= 0 ? fd : open(path, O_RDONLY | O_CLOEXEC);
        if (fd >= 0 && !copy_more(fd, &at)) {
            return EXIT_FAILURE;
        }
        if (!last && s_ended == 0) {
            (void)nanosleep(&pause, NULL);
        }
    }
    return EXIT_SUCCESS;
}

/* @return bytes that the line's base64 encodes, written over it; 0: the line is not base64 */
static size_t decode_line(unsigned char *line, size_t n)
{
    unsigned char bytes[LINE + 3u];
    if (n == 0 || n % 4 != 0 || n / 4 * 3 > LINE) {
        return 0;
    }
    const int size = EVP_DecodeBlock(bytes, line, (int)n);
    if (size < 0) {
        return 0;
    }
    const size_t padding = (size_t)(line[n - 1] == '=') + (size_t)(line[n - 2] == '=');
    memcpy(line, bytes, (size_t)size - padding);
    return (size_t)size - padding;
}

size_t simctl_recording_decode(char *text, size_t n)
{
    size_t used = 0;
    for (size_t at = 0; at < n;) {
        const char *end = memchr(text + at, '\n', n - at);
        const size_t length = end != NULL ? (size_t)(end - (text + at)) : n - at;
        if (end != NULL && length + 1 == strlen(ANEW) && memcmp(text + at, ANEW, length) == 0) {
            used = 0;
        } else if (end != NULL) { /* a line that is still written comes another time */
            const size_t got = decode_line((unsigned char *)text + at, length);
            memmove(text + used, text + at, got);
            used += got;
        }
        at += length + 1;
    }
    return used;
}
