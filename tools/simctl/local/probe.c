/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/local/probe.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define ANSWER_TIME_US 300000
#define STATUS_BYTES   12u /* "HTTP/1.1 200" */

static int64_t monotonic_us(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void simctl_probe_close(struct simctl_probe *probe)
{
    if (probe->open) {
        (void)close(probe->fd);
    }
    *probe = (struct simctl_probe){0};
}

static bool begin(struct simctl_probe *probe, unsigned port)
{
    const struct sockaddr_in to = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    *probe = (struct simctl_probe){.until_us = monotonic_us() + ANSWER_TIME_US};
    probe->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    probe->open = probe->fd >= 0;
    return probe->open &&
           (connect(probe->fd, (const struct sockaddr *)(const void *)&to, sizeof to) == 0 ||
            errno == EINPROGRESS);
}

/* Send the question, which is so short that it is sent as a whole or not at all. @return false: the
 * connection failed */
static bool send_question(struct simctl_probe *probe, unsigned port, const char *path)
{
    char text[160];
    const int len =
        snprintf(text, sizeof text, "GET %.60s HTTP/1.0\r\nHost: 127.0.0.1:%u\r\n\r\n", path, port);
    const ssize_t n = send(probe->fd, text, (size_t)len, MSG_NOSIGNAL);
    probe->asked = n == len;
    return n == len || (n < 0 && (errno == EAGAIN || errno == ENOTCONN));
}

/* @return false: no more comes */
static bool take_answer(struct simctl_probe *probe)
{
    const ssize_t n = recv(probe->fd, probe->answer + probe->len, STATUS_BYTES - probe->len, 0);
    probe->len += n > 0 ? (size_t)n : 0;
    return probe->len < STATUS_BYTES && (n > 0 || (n < 0 && errno == EAGAIN));
}

bool simctl_probe_ok(struct simctl_probe *probe, unsigned port, const char *path)
{
    bool more =
        (probe->open || begin(probe, port)) && (probe->asked || send_question(probe, port, path));
    more = more && (!probe->asked || take_answer(probe)) && monotonic_us() < probe->until_us;
    const bool good = probe->len == STATUS_BYTES && memcmp(probe->answer, "HTTP/1.", 7) == 0 &&
                      memcmp(probe->answer + 8, " 200", 4) == 0;
    if (!more) {
        simctl_probe_close(probe);
    }
    return good;
}
