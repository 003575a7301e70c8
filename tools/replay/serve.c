/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/replay/serve.h"

#include "hal-posix/endpoint.h"
#include "tools/replay/source.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define EXIT_BAD_INPUT 2

static int64_t wall_us(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static int listen_at(const char *endpoint)
{
    struct mf_endpoint at;
    char reason[MF_REASON_MAX];
    const int yes = 1;
    if (mf_endpoint_parse(&at, MF_PORT_TCP_SERVER, endpoint, reason) != MF_E_OK ||
        mf_endpoint_resolve(&at, reason) != MF_E_OK) {
        (void)fprintf(stderr, "replay: --serve %s\n", reason);
        return -1;
    }
    const int fd = socket(at.addr.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool listening = fd >= 0;
    if (listening) {
        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        listening = bind(fd, &at.addr.any, at.addr.len) == 0 && listen(fd, 1) == 0;
    }
    if (!listening) {
        (void)fprintf(stderr, "replay: %s: %s\n", endpoint, strerror(errno));
        if (fd >= 0) {
            (void)close(fd);
        }
        return -1;
    }
    return fd;
}

static void announce(int fd, const char *name, uint16_t link)
{
    struct mf_addr addr;
    char text[MF_ADDR_TEXT_MAX];
    addr.len = sizeof addr.in6;
    if (getsockname(fd, &addr.any, &addr.len) == 0) {
        mf_addr_text(&addr, text);
        (void)fprintf(stderr, "replay: link %u of %s at tcp %s\n", link, name, text);
    }
}

/* Wait until a wall time; what the client says meanwhile is read. @return false when it is gone */
static bool wait_until(int client, int64_t until_us)
{
    for (;;) {
        char unwanted[4096];
        const int64_t left_us = until_us - wall_us();
        struct pollfd poll_fd = {.fd = client, .events = POLLIN};
        const int timeout_ms = left_us <= 0 ? 0 : left_us > 1000000 ? 1000 : (int)(left_us / 1000);
        if (poll(&poll_fd, 1, timeout_ms) > 0) {
            const ssize_t n = recv(client, unwanted, sizeof unwanted, MSG_DONTWAIT);
            if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
                return false;
            }
        } else if (left_us < 1000) {
            return true; /* up to a millisecond early */
        }
    }
}

static bool send_all(int client, const uint8_t *bytes, size_t n)
{
    while (n > 0) {
        const ssize_t sent = send(client, bytes, n, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            return false;
        }
        bytes += sent;
        n -= (size_t)sent;
    }
    return true;
}

/* The whole recording for one client. @return false if the file cannot be read */
static bool play(int client, const char *name, uint16_t link, double speed)
{
    static struct replay_source s;
    FILE *file = replay_open(name);
    if (file == NULL) {
        return false;
    }
    replay_source_init(&s, name, file);
    int64_t wall0_us = wall_us(), vehicle0_us = 0;
    bool first = true, there = true;
    while (there && replay_next(&s)) {
        if (s.record.type == MF_RECORD_BOOT) {
            first = true; /* the drone has rebooted: its clock starts at 0 */
        }
        if (s.record.type != MF_RECORD_OUT || s.record.link != link) {
            continue;
        }
        if (first) {
            wall0_us = wall_us();
            vehicle0_us = s.vehicle_us;
            first = false;
        }
        const double due_us = (double)(s.vehicle_us - vehicle0_us) / speed;
        there = wait_until(client, wall0_us + (int64_t)due_us) &&
                send_all(client, s.record.bytes, s.record.n);
    }
    (void)fclose(file);
    return true;
}

int replay_serve(const char *endpoint, const char *name, uint16_t link, double speed, bool once)
{
    const int fd = listen_at(endpoint);
    if (fd < 0) {
        return EXIT_BAD_INPUT;
    }
    announce(fd, name, link);
    bool readable = true;
    do {
        const int client = accept(fd, NULL, NULL);
        if (client >= 0) {
            readable = play(client, name, link, speed);
            (void)close(client);
        }
    } while (!once && readable);
    (void)close(fd);
    return readable ? 0 : EXIT_BAD_INPUT;
}
