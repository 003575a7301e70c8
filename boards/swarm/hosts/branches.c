/* SPDX-License-Identifier: Apache-2.0 */
/* Send and receive frames, and let leaves join. hosts.c, hosts_share.c, leaf.c and relay.c call it.
 */
#include "boards/swarm/hosts/branches.h"

#include "boards/swarm/core/listener.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define WAIT_MS 50  /* longest poll, so that a signal ends a wait */
#define HELLO_S 5.0 /* longest wait for the rest of a HELLO [s] */

/* ---- frames on a connection */

void swarm_wire_prepare(int fd)
{
    static const struct {
        int level, option, value;
    } k_option[] = {
        {IPPROTO_TCP, TCP_NODELAY, 1},  {SOL_SOCKET, SO_KEEPALIVE, 1},
        {IPPROTO_TCP, TCP_KEEPIDLE, 1}, {IPPROTO_TCP, TCP_KEEPINTVL, 1},
        {IPPROTO_TCP, TCP_KEEPCNT, 3},  {IPPROTO_TCP, TCP_USER_TIMEOUT, 4000},
    };
    for (size_t i = 0; i < sizeof k_option / sizeof k_option[0]; i++) {
        const int value = k_option[i].value;
        (void)setsockopt(fd, k_option[i].level, k_option[i].option, &value, sizeof value);
    }
}

bool swarm_wire_send(int fd, const uint8_t *bytes, size_t n)
{
    while (n > 0) {
        const ssize_t sent = send(fd, bytes, n, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EAGAIN) {
            struct pollfd poll_fd = {fd, POLLOUT, 0};
            (void)poll(&poll_fd, 1, WAIT_MS);
        } else if (sent < 0 && errno != EINTR) {
            return false;
        }
        bytes += sent > 0 ? sent : 0;
        n -= sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

/* Receive until @p n bytes are there. @param got  in, out: number of bytes received so far */
static enum swarm_wire receive_bytes(int fd, uint8_t *bytes, size_t n, size_t *got, double until_s,
                                     const volatile int *stop)
{
    while (*got < n) {
        const ssize_t came = recv(fd, bytes + *got, n - *got, MSG_DONTWAIT);
        if (came == 0 || (came < 0 && errno != EAGAIN && errno != EINTR)) {
            return SWARM_WIRE_GONE;
        }
        if (came > 0) {
            *got += (size_t)came;
            continue;
        }
        if (stop != NULL && *stop) {
            return SWARM_WIRE_STOPPED;
        }
        if (until_s > 0.0 && swarm_wall_s() > until_s) {
            return SWARM_WIRE_SILENT;
        }
        struct pollfd poll_fd = {fd, POLLIN, 0};
        (void)poll(&poll_fd, 1, WAIT_MS);
    }
    return SWARM_WIRE_OK;
}

/* Decode a complete head, and make room for the frame's bytes. */
static enum swarm_wire read_head(struct swarm_frame *frame, size_t most, const char **why)
{
    if (mf_hosts_head(frame->first, most, &frame->coming, why) != MF_E_OK) {
        return SWARM_WIRE_WRONG;
    }
    if (frame->coming.n > frame->size) {
        uint8_t *more = realloc(frame->bytes, 2u * frame->coming.n);
        if (more == NULL) {
            *why = "sends more than there is memory for";
            return SWARM_WIRE_WRONG;
        }
        frame->bytes = more;
        frame->size = 2u * frame->coming.n;
    }
    return SWARM_WIRE_OK;
}

enum swarm_wire swarm_wire_receive(int fd, size_t most, double patience_s, const volatile int *stop,
                                   struct swarm_frame *frame, const char **why)
{
    const double until_s = patience_s > 0.0 ? swarm_wall_s() + patience_s : 0.0;
    enum swarm_wire result = SWARM_WIRE_OK;
    if (frame->heads < sizeof frame->first) {
        result = receive_bytes(fd, frame->first, sizeof frame->first, &frame->heads, until_s, stop);
        frame->got = 0;
        result = result == SWARM_WIRE_OK ? read_head(frame, most, why) : result;
    }
    if (result == SWARM_WIRE_OK) {
        result = receive_bytes(fd, frame->bytes, frame->coming.n, &frame->got, until_s, stop);
    }
    if (result == SWARM_WIRE_OK) {
        frame->head = frame->coming;
        frame->heads = 0;
    }
    return result;
}

void swarm_wire_reserve(struct mf_hosts_writer *w, size_t bytes)
{
    const size_t needed = w->n + bytes + MF_HOSTS_ROOM;
    if (needed <= w->size) {
        return;
    }
    uint8_t *more = realloc(w->bytes, 2u * needed);
    if (more == NULL) {
        (void)fprintf(stderr, "mayfly-swarm: hosts: no memory for a frame\n");
        _exit(SWARM_FROZEN);
    }
    w->bytes = more;
    w->size = 2u * needed;
}

void swarm_wire_put_text(struct mf_hosts_writer *w, enum mf_hosts_kind kind, uint32_t key,
                         const char *text)
{
    swarm_wire_reserve(w, strlen(text));
    mf_hosts_put(w, kind, key);
    mf_hosts_put_raw(w, text, strlen(text));
}

/* ---- connecting */

size_t swarm_branches_hello_length(const uint8_t *bytes, size_t n)
{
    struct mf_hosts_head head;
    const char *why = NULL;
    return n < MF_HOSTS_HEADER ? MF_HOSTS_HEADER
           : mf_hosts_head(bytes, MF_HOSTS_HELLO_MAX, &head, &why) == MF_E_OK
               ? MF_HOSTS_HEADER + head.n
               : n;
}

void swarm_branches_print(void *ctx, const char *text)
{
    (void)ctx;
    (void)fprintf(stderr, "mayfly-swarm: hosts: %s\n", text);
}

bool swarm_branches_join(struct swarm_branches *b, int fd)
{
    struct swarm_branch branch;
    if (!swarm_branches_greet(b, fd, &branch)) {
        return false;
    }
    if (branch.places == 0) {
        swarm_branches_refuse(b, fd, "connects before its leaf");
        return false;
    }
    b->places += branch.places;
    b->branch[b->count++] = branch;
    return true;
}

static enum mf_door_verdict enter_leaf(void *ctx, int fd)
{
    (void)swarm_branches_join(ctx, fd);
    return MF_DOOR_TAKEN;
}

static const struct mf_door_ops k_door = {swarm_branches_hello_length, enter_leaf,
                                          swarm_branches_print};

int swarm_branches_open(struct swarm *w, struct swarm_branches *b, const struct swarm_listener *l)
{
    b->program = swarm_program_sum();
    b->listener = swarm_listen(w, l);
    mf_door_open(&b->door, b->listener, &k_door, b);
    return b->listener >= 0 ? SWARM_OK : SWARM_INPUT;
}

/* Compare tokens in a time that does not depend on where they differ. */
static bool is_token(const char *wanted, const char *given)
{
    uint8_t a[MF_HOSTS_TOKEN_MAX] = {0}, b[MF_HOSTS_TOKEN_MAX] = {0}, differs = 0;
    (void)snprintf((char *)a, sizeof a, "%s", wanted);
    (void)snprintf((char *)b, sizeof b, "%s", given);
    for (size_t i = 0; i < sizeof a; i++) {
        differs |= (uint8_t)(a[i] ^ b[i]);
    }
    return differs == 0;
}

void swarm_branches_refuse(struct swarm_branches *b, int fd, const char *why)
{
    uint8_t bytes[MF_HOSTS_HEADER + MF_HOSTS_RECORD + 128u];
    struct mf_hosts_writer w = {.bytes = bytes, .size = sizeof bytes};
    mf_hosts_begin(&w, MF_HOSTS_REFUSED, 0);
    mf_hosts_put(&w, MF_HOSTS_TEXT_, 0);
    mf_hosts_put_raw(&w, why, strlen(why));
    mf_hosts_finish(&w);
    (void)send(fd, bytes, w.n, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)close(fd);
    b->refused++;
    char line[128];
    (void)snprintf(line, sizeof line, "a leaf is refused: it %s", why);
    mf_door_print(&b->door, line);
}

/* Read the records of a HELLO. @return NULL, or why the connection is refused */
static const char *read_hello(struct swarm_branches *b, const struct swarm_frame *f,
                              struct swarm_branch *branch)
{
    struct mf_hosts_record r;
    char token[MF_HOSTS_TOKEN_MAX] = "";
    uint64_t program = 0;
    size_t at = 0;
    bool bad = f->head.type != MF_HOSTS_HELLO;
    while (!bad && mf_hosts_next(f->bytes, f->head.n, &at, &r, &bad)) {
        if (r.kind == MF_HOSTS_TOKEN_) {
            mf_hosts_text(&r, token, sizeof token);
        } else if (r.kind == MF_HOSTS_PROGRAM_) {
            program = mf_hosts_u(&r, 8);
        } else if (r.kind == MF_HOSTS_NAME_) {
            if (b->places + branch->places == MF_SCENARIO_LEAVES_MAX) {
                return "is one leaf too many: there may be 64";
            }
            mf_hosts_text(&r, b->name[b->places + branch->places], MF_HOSTS_NAME_MAX);
            branch->places++;
        } else if (r.kind == MF_HOSTS_WAY_) {
            branch->way = 1u + (uint32_t)mf_hosts_u(&r, 1);
        }
    }
    return bad || branch->places + branch->way == 0 ? "does not begin with HELLO"
           : !is_token(b->token, token)             ? "gives a wrong token, or none"
           : program != b->program                  ? "is another build of this program"
           : b->count == MF_SCENARIO_LEAVES_MAX     ? "is one leaf too many: there may be 64"
                                                    : NULL;
}

bool swarm_branches_greet(struct swarm_branches *b, int fd, struct swarm_branch *branch)
{
    struct swarm_frame f = {.bytes = NULL};
    const char *why = NULL;
    *branch = (struct swarm_branch){.fd = fd, .first = b->places};
    swarm_wire_prepare(fd);
    const enum swarm_wire came =
        swarm_wire_receive(fd, MF_HOSTS_HELLO_MAX, HELLO_S, b->stop, &f, &why);
    if (came == SWARM_WIRE_OK) {
        why = read_hello(b, &f, branch);
    } else {
        why = why != NULL ? why : "ends before its HELLO, or is silent";
    }
    free(f.bytes);
    if (why != NULL) {
        swarm_branches_refuse(b, fd, why);
    }
    return why == NULL;
}

bool swarm_branches_wait(struct swarm_branches *b, uint32_t places)
{
    while (b->places < places && !*b->stop) {
        struct pollfd all[MF_DOOR_POLL_MAX];
        (void)poll(all, mf_door_poll(&b->door, all), mf_door_wait_ms(&b->door, WAIT_MS));
        mf_door_look(&b->door);
    }
    return !*b->stop;
}

void swarm_branches_welcome(struct swarm_branches *b, uint32_t first)
{
    for (uint32_t k = 0; k < b->count; k++) {
        uint8_t bytes[MF_HOSTS_HEADER + MF_HOSTS_RECORD + 2u];
        struct mf_hosts_writer w = {.bytes = bytes, .size = sizeof bytes};
        b->branch[k].first += first;
        mf_hosts_begin(&w, MF_HOSTS_WELCOME, 0);
        mf_hosts_put(&w, MF_HOSTS_NUMBER_, 0);
        mf_hosts_put_u(&w, b->branch[k].first, 2);
        mf_hosts_finish(&w);
        (void)swarm_wire_send(b->branch[k].fd, bytes, w.n);
    }
}

/* ---- phases */

void swarm_branches_send(struct swarm_branches *b, const uint8_t *bytes, size_t n)
{
    for (uint32_t k = 0; k < b->count; k++) {
        if (b->branch[k].fd >= 0) {
            /* after an error the reply will be missing, too */
            (void)swarm_wire_send(b->branch[k].fd, bytes, n);
        }
    }
}

void swarm_branch_mark_lost(struct swarm_branch *branch)
{
    if (branch->fd >= 0) {
        (void)close(branch->fd);
    }
    branch->fd = -1;
}

void swarm_branches_close(struct swarm_branches *b)
{
    for (uint32_t k = 0; k < b->count; k++) {
        swarm_branch_mark_lost(&b->branch[k]);
    }
    mf_door_close(&b->door);
    if (b->listener >= 0) {
        (void)close(b->listener);
    }
    b->listener = -1;
}
