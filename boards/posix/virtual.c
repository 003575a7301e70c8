/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/posix/virtual.h"

#include "boards/posix/board.h"
#include "boards/posix/virtual_outside.h"
#include "host/time/virtual_program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Number of the drone's controller, beyond those of the network. */
#define CONTROLLER 0xFFF1u
/* Kinds of descriptors of epoll's events. */
#define OF_LISTENER UINT32_MAX
#define OF_STARTER  (UINT32_MAX - 1u)
#define OF_PIDFD    0x10000u
#define EVENTS      16
#define BACKLOG     64
/* Longest wait for a process before the drone serves others [us]. */
#define WAIT_US (1 * MF_MS_US)
/* Interval of polls of processes that may have received input from outside, while no process waits
 * for an instant [us]. */
#define REST_US (5 * MF_MS_US)
/* A connection must say HELLO within this time, and lines about those that do not have a pause. */
#define WORD_US (2 * MF_SECOND_US)
#define SAY_US  (1 * MF_SECOND_US)
/* The drone waits for the end of its processes for so long [us]: a program that begins finds its
 * library, and no program begins later, since its process needs the time for that. */
#define LEAVE_US MF_SECOND_US
/* Descriptors that are not those of processes. */
#define OTHER_DESCRIPTORS 256u
/* The system may choose another processor for all so often [us]. */
#define CHOOSE_US (100 * MF_MS_US)

/* ---- the drone: lines of the time socket, within the process */

static int line_read(void *ctx, uint8_t *bytes, size_t cap)
{
    struct board_virtual *x = ctx;
    const size_t n = strlen(x->line);
    if (n > cap) {
        return 0;
    }
    memcpy(bytes, x->line, n);
    x->line[0] = '\0';
    return (int)n;
}

static int line_write(void *ctx, const uint8_t *bytes, size_t n)
{
    struct board_virtual *x = ctx;
    char line[MF_TIME_TEXT_MAX];
    MF_ASSERT(n > 0 && n < sizeof line && bytes[n - 1] == '\n');
    memcpy(line, bytes, n - 1);
    line[n - 1] = '\0';
    mf_virtual_line_came(&x->world, 0, line);
    return (int)n;
}

static size_t line_room(void *ctx)
{
    (void)ctx;
    return MF_TIME_TEXT_MAX;
}

static const struct mf_serial_ops k_lines = {line_write, line_read, line_room};

static void print_line(void *ctx, int drone, const char *line)
{
    struct board_virtual *x = &((struct board *)ctx)->virtual_time;
    char text[sizeof x->line];
    const size_t n = strlen(line);
    MF_ASSERT(n > 0 && n + 2 <= sizeof text);
    memcpy(text, line, n + 1);
    text[n] = '\n';
    text[n + 1] = '\0';
    if (drone == 0) {
        memcpy(x->line, text, n + 2);
    } else if (x->other[drone].peer >= 0) { /* a few bytes, each after an answer: there is room */
        (void)mf_serial_write(&x->other[drone].serial, (const uint8_t *)text, n + 1);
    }
}

/* ---- other drones of the world, on the network */

bool board_virtual_drone_came(struct board *b, uint16_t peer, const struct mf_serial *serial)
{
    struct board_virtual *x = &b->virtual_time;
    const uint16_t next = x->world.drone_count;
    if (next == MF_VIRTUAL_DRONES_MAX) {
        return false;
    }
    x->other[next] = (struct board_virtual_drone){.peer = peer, .serial = *serial};
    return mf_virtual_drone_came(&x->world) == next;
}

void board_virtual_drone_left(struct board *b, uint16_t peer)
{
    struct board_virtual *x = &b->virtual_time;
    for (uint16_t i = 1; i < x->world.drone_count; i++) {
        if (x->other[i].peer == peer) {
            x->other[i].peer = -1;
            mf_virtual_drone_left(&x->world, i);
        }
    }
}

static void read_drone(struct board_virtual *x, uint16_t number)
{
    struct board_virtual_drone *d = &x->other[number];
    const int n = d->peer < 0 ? 0
                              : mf_serial_read(&d->serial, (uint8_t *)d->text + d->len,
                                               sizeof d->text - 1u - d->len);
    d->len = (uint16_t)(d->len + (n > 0 ? n : 0));
    d->text[d->len] = '\0';
    for (char *end = strchr(d->text, '\n'); end != NULL; end = strchr(d->text, '\n')) {
        *end = '\0';
        mf_virtual_line_came(&x->world, number, d->text);
        const size_t used = (size_t)(end - d->text) + 1;
        d->len = (uint16_t)(d->len - used);
        memmove(d->text, end + 1, d->len + 1u);
    }
    if (d->len == sizeof d->text - 1u) { /* no line is so long */
        d->len = 0;
    }
}

/* ---- processes */

static bool is_file(const struct board_virtual *x)
{
    return x->name[0] == '/';
}

static void send_message(void *ctx, int id, const struct mf_virtual_message *m)
{
    const struct board *b = ctx;
    const int fd = b->virtual_time.place[id].fd;
    if (fd >= 0 && send(fd, m, sizeof *m, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
        /* it is gone: its end comes as an event */
    }
}

static bool is_in_state(int32_t pid, char state)
{
    char text[512];
    board_virtual_read(pid, "stat", text, sizeof text);
    const char *behind = strrchr(text, ')'); /* ") T PARENT ..." */
    return behind != NULL && behind[1] == ' ' && behind[2] == state;
}

static bool is_stopped(void *ctx, int32_t pid)
{
    (void)ctx;
    return is_in_state(pid, 'T');
}

static const struct mf_virtual_ops k_ops = {send_message, print_line, is_stopped};

static void watch_fd(struct board_virtual *x, int fd, uint32_t about)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = about};
    (void)epoll_ctl(x->epoll, EPOLL_CTL_ADD, fd, &event);
}

static struct board_virtual_place *free_place(struct board_virtual *x)
{
    for (size_t i = 0; i < x->places; i++) {
        if (x->place[i].fd < 0 && x->place[i].pidfd < 0) {
            return &x->place[i];
        }
    }
    return NULL;
}

static void watch_process(struct board_virtual *x, struct board_virtual_place *p, int32_t pid)
{
    p->pid = pid;
    p->outside = false;
    p->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (p->pidfd >= 0) {
        watch_fd(x, p->pidfd, (uint32_t)(p - x->place) | OF_PIDFD);
    }
}

static void forget_process(struct board_virtual_place *p)
{
    if (p->pidfd >= 0) {
        (void)close(p->pidfd);
        p->pidfd = -1;
    }
}

/* Forget the process id of a process that became another program; its new connection watches for
 * its end. */
static void forget_pid(struct board_virtual *x, int32_t pid)
{
    for (size_t i = 0; i < x->places; i++) {
        if (x->place[i].fd < 0 && x->place[i].pid == pid) {
            x->place[i].starts = false;
            forget_process(&x->place[i]);
        }
    }
}

/* A file has its own permissions. Without a number its end would not be noticed. */
static bool may_join(struct board *b, const struct ucred *peer)
{
    if (peer->pid == 0) {
        board_log(b, MF_WARNING, "time",
                  "a process of another PID namespace cannot join: share one (in Kubernetes "
                  "shareProcessNamespace)");
    }
    return peer->pid != 0 && (is_file(&b->virtual_time) || peer->uid == geteuid());
}

/* End a process for lack of a place, and let its parent go on. */
static void refuse_one_more(struct board *b, int32_t pid)
{
    struct board_virtual *x = &b->virtual_time;
    struct board_virtual_place none = {
        .fd = -1, .pid = pid, .pidfd = (int)syscall(SYS_pidfd_open, pid, 0)};
    if (none.pidfd >= 0) {
        if (!is_in_state(pid, 'Z')) {
            board_virtual_refuse_full(b, &none);
        }
        (void)close(none.pidfd);
    }
    mf_virtual_ended(&x->world, pid);
}

static void process_ended(struct board *b, struct board_virtual_place *p)
{
    board_virtual_ended(b, p);
    mf_virtual_ended(&b->virtual_time.world, p->pid);
}

static void close_connection(struct board *b, struct board_virtual_place *p)
{
    struct board_virtual *x = &b->virtual_time;
    (void)close(p->fd);
    p->fd = -1;
    board_virtual_look_soon(x);
    mf_virtual_closed(&x->world, (int)(p - x->place));
    if (p->pidfd < 0) { /* of another name space, or it never said a word */
        process_ended(b, p);
    }
}

static bool take_hello(struct board *b, struct board_virtual_place *p,
                       const struct mf_virtual_message *m)
{
    struct board_virtual *x = &b->virtual_time;
    const int result = mf_virtual_process_came(&x->world, (int)(p - x->place), p->pid, m);
    p->word_us = MF_NEVER;
    if (result == MF_E_OK) {
        forget_pid(x, p->pid);
        watch_process(x, p, p->pid);
    } else if (result == MF_E_FULL) {
        forget_pid(x, p->pid);
        watch_process(x, p, p->pid);
        board_virtual_refuse_full(b, p);
    } else if (result == MF_E_NOSUPP) {
        board_log(b, MF_WARNING, "time",
                  "a process cannot join: its " MF_VIRTUAL_LIBRARY " is of another version");
    }
    return result == MF_E_OK;
}

static bool is_watched(const struct board_virtual *x, int32_t pid)
{
    for (size_t i = 0; i < x->places; i++) {
        if (x->place[i].pidfd >= 0 && x->place[i].pid == pid) {
            return true;
        }
    }
    return false;
}

/* Watch a new child: it may end before it has said HELLO. The drone ends one that does not join, so
 * its number must not be another process's. @return false: it is */
static bool take_child(struct board *b, const struct board_virtual_place *p, int32_t pid)
{
    struct board_virtual *x = &b->virtual_time;
    struct board_virtual_place *child = free_place(x);
    const bool known = is_watched(x, pid);
    if (!known && !board_virtual_is_child(pid, p->pid)) {
        return false;
    }
    if (child != NULL && !known) {
        watch_process(x, child, pid);
        child->starts = true;
        board_virtual_look_soon(x);
    }
    return true;
}

static bool take_message(struct board *b, struct board_virtual_place *p,
                         const struct mf_virtual_message *m)
{
    struct board_virtual *x = &b->virtual_time;
    if (m->kind == MF_VIRTUAL_HELLO) {
        return take_hello(b, p, m);
    }
    if (m->kind == MF_VIRTUAL_SPAWNED && !take_child(b, p, m->value)) {
        return false;
    }
    if (m->kind == MF_VIRTUAL_EXEC) {
        p->starts = m->value != 0;
    }
    const bool good = mf_virtual_message_came(&x->world, (int)(p - x->place), m);
    if (good && m->kind == MF_VIRTUAL_SPAWNED && !is_watched(x, m->value)) {
        if (free_place(x) == NULL) {
            refuse_one_more(b, m->value);
        } else { /* it has ended already */
            mf_virtual_ended(&x->world, m->value);
        }
    }
    return good;
}

/* @return whether something came */
static bool take_from(struct board *b, struct board_virtual_place *p, int flags)
{
    struct mf_virtual_message m;
    const ssize_t n = recv(p->fd, &m, sizeof m, flags);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        return false;
    }
    if (n != (ssize_t)sizeof m || !take_message(b, p, &m)) {
        close_connection(b, p);
    }
    return true;
}

/* Close the connections whose HELLO was due until a wall time, and has not come. */
static void close_silent(struct board *b, mf_us_t until_us)
{
    struct board_virtual *x = &b->virtual_time;
    x->word_us = MF_NEVER;
    for (size_t i = 0; i < x->places; i++) {
        struct board_virtual_place *p = &x->place[i];
        if (p->fd >= 0 && p->word_us <= until_us && !take_from(b, p, MSG_DONTWAIT)) {
            close_connection(b, p);
            x->silent++;
        } else if (p->fd >= 0) {
            x->word_us = mf_earlier(x->word_us, p->word_us);
        }
    }
}

/* @return wall time of the next look */
static mf_us_t look_at_silent(struct board *b)
{
    struct board_virtual *x = &b->virtual_time;
    const mf_us_t now_us = mf_monotonic_us();
    char text[128];
    if (now_us >= x->word_us) {
        close_silent(b, now_us);
    }
    if (x->silent > 0 && now_us - x->said_us >= SAY_US) {
        (void)snprintf(text, sizeof text, "%u connections are closed: they did not join within 2 s",
                       (unsigned)x->silent);
        board_log(b, MF_WARNING, "time", text);
        x->said_us = now_us;
        x->silent = 0;
    }
    return x->silent > 0 ? mf_earlier(x->word_us, x->said_us + SAY_US) : x->word_us;
}

static void accept_process(struct board *b)
{
    struct board_virtual *x = &b->virtual_time;
    const int fd = accept4(x->listener.fd, NULL, NULL, SOCK_CLOEXEC);
    struct ucred peer;
    socklen_t n = sizeof peer;
    struct board_virtual_place *p = free_place(x);
    if (fd < 0) {
        return;
    }
    while (p == NULL && x->word_us != MF_NEVER) { /* the oldest silent one gives way */
        close_silent(b, x->word_us);
        p = free_place(x);
    }
    const bool may = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) == 0 && may_join(b, &peer);
    if (p == NULL || !may) {
        if (may) {
            refuse_one_more(b, peer.pid);
        }
        (void)close(fd);
        return;
    }
    const struct timeval limit = {.tv_usec = WAIT_US};
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    p->fd = fd;
    p->starts = false;
    watch_fd(x, fd, (uint32_t)(p - x->place));
    p->pid = peer.pid;
    p->word_us = mf_monotonic_us() + WORD_US;
    x->word_us = mf_earlier(x->word_us, p->word_us);
}

static void take_event(struct board *b, uint32_t about)
{
    struct board_virtual *x = &b->virtual_time;
    if (about == OF_LISTENER) {
        accept_process(b);
        return;
    }
    if (about == OF_STARTER) { /* the starter was killed: its end of the pipe is closed */
        (void)kill(getpid(), SIGTERM);
        return;
    }
    struct board_virtual_place *p = &x->place[about & ~OF_PIDFD];
    if ((about & OF_PIDFD) != 0) {
        if (p->pidfd >= 0) {
            forget_process(p);
            if (p->fd < 0) {
                process_ended(b, p);
            }
        }
        return;
    }
    if (p->fd >= 0) {
        (void)take_from(b, p, MSG_DONTWAIT);
    }
}

/* @return whether something came */
static bool take_events(struct board *b, mf_us_t wait_us)
{
    struct epoll_event event[EVENTS];
    const struct timespec wait = {.tv_nsec = (long)(wait_us * 1000)};
    const int n = (int)syscall(SYS_epoll_pwait2, b->virtual_time.epoll, event, EVENTS, &wait, NULL,
                               (size_t)0);
    for (int i = 0; i < n; i++) {
        take_event(b, event[i].data.u32);
    }
    return n > 0;
}

/* Drone and processes run in turns, so they share a processor: the one on which the system last
 * woke the drone when it was free to choose. */
static void choose_processor(struct board_virtual *x)
{
    const mf_us_t now_us = mf_monotonic_us();
    if (x->world.parallel || x->world.drones_expected > 1) {
        return;
    }
    if (x->chooses) {
        const unsigned at = (unsigned)sched_getcpu();
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(at, &one);
        x->world.processor = sched_setaffinity(0, sizeof one, &one) == 0 ? (int32_t)at + 1 : 0;
        x->chooses = false;
        x->choose_us = now_us + CHOOSE_US;
    } else if (now_us >= x->choose_us) {
        x->chooses = sched_setaffinity(0, sizeof x->given, &x->given) == 0;
    }
}

/* Wait for events. While a process runs alone, other processes cannot send anything, unless it
 * waits for a child. @return true: an event came */
static bool await(struct board *b, const struct mf_virtual_process *running)
{
    struct board_virtual *x = &b->virtual_time;
    if (!x->world.parallel && running->state == MF_VIRTUAL_RUNS && running->child == 0 &&
        x->place[running->id].fd >= 0 && take_from(b, &x->place[running->id], 0)) {
        choose_processor(x);
        return true;
    }
    return take_events(b, WAIT_US);
}

/* ---- those that do not wait */

static void name_running(struct board *b, const struct mf_virtual_process *p)
{
    char name[BOARD_VIRTUAL_NAME_BYTES], text[160];
    const bool stopped = is_stopped(NULL, p->pid);
    board_virtual_read(p->pid, "comm", name, sizeof name);
    (void)snprintf(text, sizeof text, "process %d (%s) has %s for %g s%s, at %.6f s: time stands",
                   (int)p->pid, name, stopped ? "been stopped by a signal" : "run",
                   (double)b->virtual_time.long_us / 1e6, stopped ? "" : " without waiting",
                   (double)b->virtual_time.world.now_ns / 1e9);
    board_log(b, MF_WARNING, "time", text);
    if (!stopped && p->state == MF_VIRTUAL_RUNS) {
        (void)kill(p->pid, MF_VIRTUAL_SIGNAL);
    }
}

/* @param running  NULL: it waits */
static void tell_of(struct board_virtual *x, const struct mf_virtual_process *running)
{
    char line[32];
    if (x->tells > 0 && (running != NULL || x->told)) {
        const int n = running != NULL ? snprintf(line, sizeof line, "runs %d\n", (int)running->pid)
                                      : snprintf(line, sizeof line, "waits\n");
        (void)!write(x->tells, line, (size_t)n);
    }
    x->told = running != NULL;
}

/* @return wall time at which to look again */
static mf_us_t look_at_running(struct board *b, const struct mf_virtual_process *p)
{
    struct board_virtual *x = &b->virtual_time;
    const mf_us_t now_us = mf_monotonic_us();
    if (x->world.stops && is_stopped(NULL, p->pid) && mf_virtual_stopped(&x->world, p->id)) {
        return 0;
    }
    if (x->since != x->world.asked || x->since_us == 0) {
        x->since = x->world.asked;
        x->since_us = now_us;
    } else if (now_us - x->since_us >= x->long_us) {
        name_running(b, p);
        tell_of(x, p);
        x->since_us = MF_NEVER / 2; /* once */
    }
    return x->since_us + x->long_us;
}

/* ---- all together */

static mf_us_t take_turn(struct board *b)
{
    struct board_virtual *x = &b->virtual_time;
    if (b->loop.more) {
        (void)take_events(b, 0);
    }
    for (uint16_t i = 1; i < x->world.drone_count; i++) {
        read_drone(x, i);
    }
    for (;;) {
        mf_virtual_turn(&x->world);
        if (x->line[0] != '\0') {
            return 0;
        }
        const struct mf_virtual_process *running = mf_virtual_running(&x->world);
        if (running == NULL) {
            break;
        }
        if (!await(b, running)) {
            return look_at_running(b, running);
        }
        tell_of(x, NULL);
    }
    if (x->world.stuck && !x->broken) {
        x->broken = true;
        board_log(b, MF_ERROR, "time",
                  "an instant does not end: processes go on waking each other");
    }
    if (x->world.phase == MF_VIRTUAL_RESTS) {
        mf_virtual_wake(&x->world);
        return mf_monotonic_us() + REST_US;
    }
    return MF_NEVER;
}

bool board_virtual_went_on(struct board *b)
{
    const bool went_on = b->virtual_time.went_on;
    b->virtual_time.went_on = false;
    return went_on;
}

mf_us_t board_virtual_turn(struct board *b)
{
    struct board_virtual *x = &b->virtual_time;
    if (!x->wanted) {
        return MF_NEVER;
    }
    const uint64_t instants = x->world.instants;
    const mf_us_t turn_us = take_turn(b);
    const mf_us_t due_us =
        mf_earlier(turn_us, mf_earlier(board_virtual_look(b), look_at_silent(b)));
    x->went_on = !x->world.parallel && x->world.drone_count == 1 && x->world.instants != instants;
    /* if processes run one at a time, the drone does not read what the present one sends */
    b->loop.held = !x->world.parallel && mf_virtual_running(&x->world) != NULL;
    return due_us;
}

/* ---- start */

static bool refuse(struct board *b, const char *what, const char *why)
{
    (void)snprintf(b->config.error, sizeof b->config.error, "virtual time: %s: %s: %s", what,
                   b->virtual_time.name, why);
    return false;
}

/* Listen at an abstract name: the processes of this command alone find it. */
static bool listen_abstract(struct board_virtual *x)
{
    struct sockaddr_un *a = &x->listener.address;
    x->listener = (struct mf_local_socket){.address = {.sun_family = AF_UNIX}};
    const int n = snprintf(x->name, sizeof x->name, "mayfly-time-%d", (int)getpid());
    memcpy(a->sun_path + 1, x->name, (size_t)n);
    const socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
    x->listener.fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    return x->listener.fd >= 0 && bind(x->listener.fd, (struct sockaddr *)a, length) == 0 &&
           listen(x->listener.fd, BACKLOG) == 0;
}

/* The users of a file's group may join. */
static bool open_socket(struct board *b)
{
    struct board_virtual *x = &b->virtual_time;
    const char *file = b->config.virtual_socket;
    char why[MF_LOCAL_WHY_MAX];
    if (file[0] == '\0') {
        return listen_abstract(x) || refuse(b, "no socket", strerror(errno));
    }
    MF_ASSERT(strlen(file) < sizeof x->name);
    memcpy(x->name, file, strlen(file) + 1);
    return mf_local_listen(&x->listener, file, SOCK_SEQPACKET, BACKLOG, 0660, why) ||
           refuse(b, "no socket", why);
}

/* Read how long a process may run before it is named, and the receiver of its name. @return pipe of
 * the starter; <= 0: none */
static int read_patience(struct board_virtual *x)
{
    const char *text = getenv(MF_VIRTUAL_TELLS_ENV);
    char *end = NULL;
    const long fd = text != NULL ? strtol(text, &end, 10) : 0;
    const double s = fd > 0 && *end == ':' ? strtod(end + 1, NULL) : 0.0;
    x->tells = s > 0.0 ? (int)fd : 0;
    x->long_us = s > 0.0 ? (mf_us_t)(s * 1e6) : BOARD_VIRTUAL_LONG_US;
    (void)unsetenv(MF_VIRTUAL_TELLS_ENV);
    return (int)fd;
}

/* Each process needs two descriptors here, and the clients of drones need some, too. */
static void find_places(struct board_virtual *x)
{
    struct rlimit limit = {.rlim_cur = 1024, .rlim_max = 1024};
    const rlim_t wanted = OTHER_DESCRIPTORS + 2u * BOARD_VIRTUAL_PLACES;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < wanted) {
        x->descriptors = limit;
        limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    const rlim_t left = limit.rlim_cur > OTHER_DESCRIPTORS ? limit.rlim_cur - OTHER_DESCRIPTORS : 0;
    x->places = left / 2u < BOARD_VIRTUAL_PLACES ? (size_t)(left / 2u) : BOARD_VIRTUAL_PLACES;
    x->places = x->places > 0 ? x->places : 1u;
}

bool board_virtual_start(struct board *b)
{
    struct board_virtual *x = &b->virtual_time;
    struct board_drone *d = &b->drone[0];
    const struct mf_serial serial = {.ops = &k_lines, .ctx = x};
    for (size_t i = 0; i < BOARD_VIRTUAL_PLACES; i++) {
        x->place[i] = (struct board_virtual_place){.fd = -1, .pidfd = -1};
    }
    find_places(x);
    const int starter = read_patience(x);
    if (!open_socket(b)) {
        return false;
    }
    x->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (x->epoll < 0) {
        return refuse(b, "no events", strerror(errno));
    }
    watch_fd(x, x->listener.fd, OF_LISTENER);
    if (starter > 0) {
        watch_fd(x, starter, OF_STARTER);
    }
    mf_virtual_init(&x->world, &k_ops, b, (uint16_t)(1 + b->config.world_drones),
                    b->config.epoch_utc_us * 1000);
    x->world.parallel = b->config.parallel;
    if (sched_getaffinity(0, sizeof x->given, &x->given) != 0 || CPU_COUNT(&x->given) == 1) {
        x->choose_us = MF_NEVER;
    }
    x->word_us = MF_NEVER;
    x->said_us = -SAY_US;
    x->look_us = is_file(x) ? mf_monotonic_us() + BOARD_VIRTUAL_LONG_US : MF_NEVER;
    x->wanted = true;
    b->loop.more_fd = x->epoll;
    (void)mf_virtual_drone_came(&x->world);
    return mf_time_control_open(&d->time, CONTROLLER, &serial) ||
           refuse(b, "no place", "too many controllers");
}

void board_virtual_watch(struct board *b, int32_t pid)
{
    struct board_virtual *x = &b->virtual_time;
    struct board_virtual_place *p = free_place(x);
    MF_ASSERT(x->wanted && p != NULL);
    watch_process(x, p, pid);
    p->starts = true;
    board_virtual_look_soon(x);
}

void board_virtual_end(struct board *b)
{
    struct board_virtual *x = &b->virtual_time;
    for (size_t i = 0; x->wanted && i < x->places && take_events(b, 0); i++) {
    }
    if (x->wanted) {
        mf_local_close(&x->listener);
    }
}

void board_virtual_leave(struct board *b)
{
    struct board_virtual *x = &b->virtual_time;
    const mf_us_t until_us = mf_monotonic_us() + LEAVE_US;
    bool gone = false;
    mf_local_close(&x->listener);
    for (size_t i = 0; i < x->places; i++) {
        x->place[i].starts = false;
        if (x->place[i].fd >= 0) {
            (void)close(x->place[i].fd); /* the process ends when it needs the time next */
            x->place[i].fd = -1;
        }
    }
    while (!gone && mf_monotonic_us() < until_us) {
        gone = true;
        (void)take_events(b, WAIT_US);
        for (size_t i = 0; i < x->places; i++) {
            gone = gone && x->place[i].pidfd < 0;
        }
    }
}
