/* SPDX-License-Identifier: Apache-2.0 */
/* New connections of a listening socket until their first word (door.h), for the sockets of
 * boards/swarm and tools/body. */
#include "hal-posix/door.h"

#include "hal-posix/clock.h"
#include "hal/assert.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LINE_MAX_HERE 256u
/* maximum number of connections accepted by one mf_door_look(), so that a flood does not stop the
 * run */
#define ACCEPTS_MAX 4096u
/* time after which accept() is tried again if no descriptor was free */
#define REST_US  (100 * MF_MS_US)
#define PART_US  (50 * MF_MS_US)    /* time after which an incomplete word is read again */
#define PRINT_US (1 * MF_SECOND_US) /* shortest time between two lines to the user */

void mf_door_open(struct mf_door *d, int listener, const struct mf_door_ops *ops, void *ctx)
{
    *d = (struct mf_door){.listener = listener, .ops = ops, .ctx = ctx, .printed_us = -PRINT_US};
}

/* ---- lines */

void mf_door_print(struct mf_door *d, const char *text)
{
    char line[LINE_MAX_HERE];
    const mf_us_t now_us = mf_monotonic_us();
    if (d->printed_us >= 0 && now_us - d->printed_us < PRINT_US) {
        d->unprinted++;
        return;
    }
    if (d->unprinted > 0) {
        (void)snprintf(line, sizeof line, "%.200s; %u more lines were left out", text,
                       (unsigned)d->unprinted);
        text = line;
    }
    d->unprinted = 0;
    d->printed_us = now_us;
    d->ops->print(d->ctx, text);
}

static void print_closed(struct mf_door *d, uint32_t count, const char *why)
{
    char text[LINE_MAX_HERE];
    if (count > 0) {
        (void)snprintf(text, sizeof text, "%u connections are closed: %s", (unsigned)count, why);
        mf_door_print(d, text);
    }
}

/* ---- connections without a complete first word */

static void remove_connection(struct mf_door *d, uint32_t i)
{
    d->count--;
    memmove(&d->pending[i], &d->pending[i + 1u], (d->count - i) * sizeof d->pending[0]);
}

static void close_connection(struct mf_door *d, uint32_t i)
{
    (void)close(d->pending[i].fd);
    remove_connection(d, i);
    d->gone++;
}

/* Look at the first word of a connection. @return true: the connection is no longer the door's,
 * since its word was complete, or it was closed */
static bool read_word(struct mf_door *d, uint32_t i)
{
    uint8_t word[MF_DOOR_WORD_MAX];
    struct mf_door_pending *s = &d->pending[i];
    const int fd = s->fd;
    const ssize_t n = recv(fd, word, sizeof word, MSG_PEEK | MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        return false;
    }
    if (n <= 0) {
        close_connection(d, i);
        return true;
    }
    s->has_sent = true;
    const size_t length = d->ops->length(word, (size_t)n);
    MF_ASSERT(length <= sizeof word);
    if (length > (size_t)n) {
        return false;
    }
    if (d->ops->enter(d->ctx, fd) == MF_DOOR_LATER) {
        s->late = true;
        return false;
    }
    remove_connection(d, i);
    return true;
}

/* Make room for a connection: the oldest one that is not held back for later is closed, unless its
 * word is complete by now. */
static uint32_t make_room(struct mf_door *d)
{
    uint32_t i = 0;
    while (i < d->count - 1u && d->pending[i].late) {
        i++;
    }
    if (read_word(d, i)) {
        return 0;
    }
    close_connection(d, i);
    return 1;
}

/* Accept a connection. @return its descriptor; < 0: none waits, or no descriptor is free */
static int accept_connection(struct mf_door *d)
{
    const int one = 1, fd = accept4(d->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0) {
        (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    }
    return fd;
}

static bool lacks_descriptors(void)
{
    return errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
}

static void accept_waiting(struct mf_door *d, mf_us_t now_us)
{
    uint32_t displaced = 0;
    for (uint32_t k = 0; k < ACCEPTS_MAX && now_us >= d->rest_us; k++) {
        int fd = accept_connection(d);
        if (fd < 0 && lacks_descriptors() && d->count > 0) {
            displaced += make_room(d);
            fd = accept_connection(d);
        }
        if (fd < 0) {
            d->rest_us = lacks_descriptors() ? now_us + REST_US : d->rest_us;
            break;
        }
        if (d->count == MF_DOOR_PENDING_MAX) {
            displaced += make_room(d);
        }
        d->pending[d->count++] = (struct mf_door_pending){.fd = fd, .since_us = now_us};
    }
    print_closed(d, displaced, "other connections came before their first message was complete");
}

/* Look at the first words of all connections that have sent bytes. */
static void read_words(struct mf_door *d)
{
    struct pollfd all[MF_DOOR_PENDING_MAX];
    const uint32_t count = d->count;
    for (uint32_t i = 0; i < count; i++) {
        all[i] = (struct pollfd){d->pending[i].fd, POLLIN | POLLRDHUP, 0};
    }
    if (count == 0 || poll(all, count, 0) <= 0) {
        return;
    }
    /* left: number of earlier connections that stayed */
    for (uint32_t i = 0, left = 0; i < count; i++) {
        if (all[i].revents != 0 && read_word(d, left)) {
            continue;
        }
        /* the peer sends no more bytes */
        if ((all[i].revents & ~POLLIN) != 0 && !d->pending[left].late) {
            close_connection(d, left);
        } else {
            left++;
        }
    }
}

void mf_door_look(struct mf_door *d)
{
    const mf_us_t now_us = mf_monotonic_us();
    uint32_t silent = 0;
    if (d->listener < 0) {
        return;
    }
    accept_waiting(d, now_us);
    read_words(d);
    for (uint32_t i = 0; i < d->count;) {
        if (!d->pending[i].late && now_us - d->pending[i].since_us >= MF_DOOR_WORD_US) {
            close_connection(d, i);
            silent++;
        } else {
            i++;
        }
    }
    print_closed(d, silent, "their first message was not complete after 2 s");
}

/* ---- waiting */

/* Collect descriptors for poll(). @param parts  true: include connections that have sent a part of
 * their first words, for which poll() returns at once every time */
static nfds_t collect(const struct mf_door *d, struct pollfd *all, bool parts)
{
    nfds_t n = 0;
    if (d->listener >= 0 && mf_monotonic_us() >= d->rest_us) {
        all[n++] = (struct pollfd){d->listener, POLLIN, 0};
    }
    for (uint32_t i = 0; i < d->count; i++) {
        const struct mf_door_pending *s = &d->pending[i];
        if (!s->has_sent || (parts && !s->late)) {
            all[n++] = (struct pollfd){s->fd, POLLIN, 0};
        }
    }
    return n;
}

nfds_t mf_door_poll(const struct mf_door *d, struct pollfd *all)
{
    return collect(d, all, false);
}

int mf_door_wait_ms(const struct mf_door *d, int most_ms)
{
    const mf_us_t now_us = mf_monotonic_us();
    mf_us_t due_us = most_ms < 0 ? MF_NEVER : now_us + most_ms * MF_MS_US;
    due_us = now_us < d->rest_us ? mf_earlier(due_us, d->rest_us) : due_us;
    for (uint32_t i = 0; i < d->count; i++) {
        const struct mf_door_pending *s = &d->pending[i];
        due_us = mf_earlier(due_us, s->has_sent ? now_us + PART_US : s->since_us + MF_DOOR_WORD_US);
    }
    return due_us == MF_NEVER ? -1
           : due_us <= now_us ? 0
                              : (int)((due_us - now_us + MF_MS_US - 1) / MF_MS_US);
}

bool mf_door_stirs(const struct mf_door *d)
{
    struct pollfd all[MF_DOOR_POLL_MAX];
    const nfds_t n = collect(d, all, true);
    return n > 0 && poll(all, n, 0) > 0;
}

void mf_door_close(struct mf_door *d)
{
    char text[LINE_MAX_HERE];
    for (uint32_t i = 0; i < d->count; i++) {
        (void)close(d->pending[i].fd);
    }
    if (d->unprinted > 0) {
        (void)snprintf(text, sizeof text, "%u more lines were left out", (unsigned)d->unprinted);
        d->ops->print(d->ctx, text);
    }
    d->count = d->unprinted = 0;
    d->listener = -1;
}
