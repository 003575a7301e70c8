/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes new connections of a listener: clients connect, send a byte after the other, close, and
 * the door looks. A byte of the input is an event of one of the clients, by its lower bits; a byte
 * to send follows. The first byte of a first word is its length; 0 is wrong. A connection that
 * enters has sent a whole first word, which is still unread, or a wrong one.
 */
#include "hal-posix/door.h"
#include "tests/fuzz/fuzz.h"

#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define CLIENTS    8u
#define EVENTS_MAX 256u

static struct {
    struct mf_door door;
    struct sockaddr_un at;
    int listener;
    int client[CLIENTS];
    uint8_t verdict; /* of the next look */
    uint32_t connected, entered;
} s = {.listener = -1};

static size_t length(const uint8_t *bytes, size_t n)
{
    check(n > 0);
    return bytes[0] > 0 ? bytes[0] : n;
}

static enum mf_door_verdict enter(void *ctx, int fd)
{
    uint8_t word[256];
    const ssize_t n = recv(fd, word, sizeof word, MSG_PEEK | MSG_DONTWAIT);
    check(ctx == &s && n > 0 && (word[0] == 0 || (size_t)n >= word[0]));
    if (s.verdict % 4u == 1) {
        return MF_DOOR_LATER;
    }
    s.entered++;
    check(close(fd) == 0);
    return MF_DOOR_TAKEN;
}

static void print(void *ctx, const char *text)
{
    check(ctx == &s && text[0] != '\0');
}

static void listen_once(void)
{
    socklen_t n = sizeof s.at.sun_family;
    s.at = (struct sockaddr_un){.sun_family = AF_UNIX};
    s.listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    check(s.listener >= 0 && bind(s.listener, (struct sockaddr *)&s.at, n) == 0);
    n = sizeof s.at; /* the system has found a name */
    check(listen(s.listener, (int)CLIENTS) == 0);
    check(getsockname(s.listener, (struct sockaddr *)&s.at, &n) == 0);
}

static void connect_or_close(uint32_t i)
{
    if (s.client[i] >= 0) {
        check(close(s.client[i]) == 0);
        s.client[i] = -1;
        return;
    }
    const socklen_t n = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 6u);
    s.client[i] = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    check(s.client[i] >= 0);
    if (connect(s.client[i], (struct sockaddr *)&s.at, n) != 0) { /* the queue is full */
        check(close(s.client[i]) == 0);
        s.client[i] = -1;
    } else {
        s.connected++;
    }
}

static void look(uint8_t verdict)
{
    struct pollfd all[MF_DOOR_POLL_MAX];
    s.verdict = verdict;
    mf_door_look(&s.door);
    check(s.door.count <= MF_DOOR_PENDING_MAX && mf_door_poll(&s.door, all) <= MF_DOOR_POLL_MAX);
    check(s.entered + s.door.gone + s.door.count <= s.connected);
    check(mf_door_wait_ms(&s.door, 100) <= 100);
    (void)mf_door_stirs(&s.door);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct mf_door_ops k_ops = {length, enter, print};
    if (s.listener < 0) {
        listen_once();
    }
    mf_door_open(&s.door, s.listener, &k_ops, &s);
    s.connected = s.entered = 0;
    memset(s.client, -1, sizeof s.client);
    for (size_t at = 0; at + 1u < size && at < EVENTS_MAX; at++) {
        const uint32_t i = data[at] % CLIENTS;
        if (data[at] < 0x40) {
            connect_or_close(i);
        } else if (data[at] < 0x60) {
            look(data[at]);
        } else if (s.client[i] >= 0) {
            (void)send(s.client[i], data + at + 1u, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
            at++;
        }
    }
    for (uint32_t i = 0; i < CLIENTS; i++) {
        (void)(s.client[i] >= 0 && close(s.client[i]));
    }
    look(0); /* all have closed: no connection stays in the listener's queue */
    mf_door_close(&s.door);
    return 0;
}
