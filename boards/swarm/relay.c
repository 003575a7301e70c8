/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/relay.h"

#include "boards/swarm/checkpoint.h"
#include "boards/swarm/listener.h"
#include "hal-posix/endpoint.h"
#include "hal-posix/net.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define CONNECTIONS_MAX 256u
#define BYTES           16384u
#define BACKLOG         64
#define LOCAL           "unix:"
#define BELOW           (-1) /* a way: what connects there says which */

/* What programs connect to: key, variable in which they find it, field of the scenario. */
#define WAY_LIST(X)                                       \
    X("bus.listen", "SWARM_BUS_LISTEN", bus.listen)       \
    X("gzuav.listen", "SWARM_GZUAV_LISTEN", gzuav.listen) \
    X("gzuav.relay", "SWARM_GZUAV_RELAY", gzuav.relay)

/* clang-format off */
static const struct {
    const char *key, *variable;
    size_t offset;
} k_way[] = {
#define X(key, variable, field) {key, variable, offsetof(struct mf_scenario, field)},
    WAY_LIST(X)
#undef X
};
/* clang-format on */

#define WAYS (sizeof k_way / sizeof k_way[0])

struct door {
    int listener, way;
};

/* A connection. */
struct carried {
    int fd, way;
};

/* One direction of it. */
struct stream {
    int from, to;
};

/* Of the one swarm of the process; threads read it only. */
static struct {
    struct door door[WAYS + 1u];
    size_t doors;
    struct mf_addr up; /* len 0: this is the root */
    union {
        struct mf_addr net;
        struct sockaddr_un local; /* if it is one */
    } at[WAYS];                   /* of the root */
    const char *token;
    uint64_t program;
    const volatile int *stop;
    _Atomic unsigned connections;
} s_relay;

static const char *where_of(const struct swarm *w, size_t way)
{
    return (const char *)w->scenario + k_way[way].offset;
}

/* ---- a connection */

/* @return a socket; < 0: there is nobody */
static int dial(const struct sockaddr *at, socklen_t n)
{
    const int fd = socket(at->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, at, n) != 0) {
        (void)close(fd);
        return -1;
    }
    if (fd >= 0 && at->sa_family != AF_UNIX) {
        swarm_wire_prepare(fd);
    }
    return fd;
}

/* To the process above, which is told the way. */
static int dial_up(int way)
{
    uint8_t bytes[MF_HOSTS_HEADER + 3u * MF_HOSTS_RECORD + MF_HOSTS_TOKEN_MAX + 16u];
    struct mf_hosts_writer w = {.bytes = bytes, .size = sizeof bytes};
    const int fd = dial(&s_relay.up.any, s_relay.up.len);
    if (fd < 0) {
        return fd;
    }
    mf_hosts_begin(&w, MF_HOSTS_HELLO, 0);
    mf_hosts_put(&w, MF_HOSTS_TOKEN_, 0);
    mf_hosts_put_raw(&w, s_relay.token, strnlen(s_relay.token, MF_HOSTS_TOKEN_MAX));
    mf_hosts_put(&w, MF_HOSTS_PROGRAM_, 0);
    mf_hosts_put_u(&w, s_relay.program, 8);
    mf_hosts_put(&w, MF_HOSTS_WAY_, 0);
    mf_hosts_put_u(&w, (uint64_t)way, 1);
    mf_hosts_finish(&w);
    (void)swarm_wire_send(fd, bytes, w.n); /* else nothing will come */
    return fd;
}

static int dial_way(int way)
{
    if (s_relay.up.len > 0) {
        return dial_up(way);
    }
    return s_relay.at[way].local.sun_family == AF_UNIX
               ? dial((const struct sockaddr *)&s_relay.at[way].local, sizeof s_relay.at[way].local)
           : s_relay.at[way].net.len > 0 ? dial(&s_relay.at[way].net.any, s_relay.at[way].net.len)
                                         : -1;
}

/* @return the way; < 0: it is refused and closed */
static int greet(int fd)
{
    struct swarm_branches b = {
        .token = s_relay.token, .program = s_relay.program, .stop = s_relay.stop};
    struct swarm_branch branch;
    if (!swarm_branches_greet(&b, fd, &branch)) {
        return -1;
    }
    if (branch.way == 0 || branch.way > WAYS) {
        swarm_branches_refuse(&b, fd, "comes late: all leaves are there");
        return -1;
    }
    return (int)branch.way - 1;
}

/* Bytes of one direction, until their source ends or nobody takes them. */
static void *carry_one(void *at)
{
    const struct stream *s = at;
    uint8_t bytes[BYTES];
    ssize_t n = 1;
    while (n > 0) {
        struct pollfd poll_fd = {s->from, POLLIN, 0};
        (void)poll(&poll_fd, 1, -1);
        n = recv(s->from, bytes, sizeof bytes, MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
            n = 1;
        } else if (n > 0 && !swarm_wire_send(s->to, bytes, (size_t)n)) {
            n = 0;
        }
    }
    (void)shutdown(s->to, SHUT_WR);
    (void)shutdown(s->from, SHUT_RD);
    return NULL;
}

static void carry_both(int a, int b)
{
    struct stream up = {a, b}, down = {b, a};
    pthread_t other;
    if (pthread_create(&other, NULL, carry_one, &down) == 0) {
        (void)carry_one(&up);
        (void)pthread_join(other, NULL);
    }
}

static void *carry(void *at)
{
    const struct carried c = *(struct carried *)at;
    free(at);
    const int way = c.way == BELOW ? greet(c.fd) : c.way;
    if (way >= 0) {
        const int other = dial_way(way);
        if (other >= 0) {
            carry_both(c.fd, other);
            (void)close(other);
        }
        (void)close(c.fd);
    }
    (void)atomic_fetch_sub(&s_relay.connections, 1u);
    return NULL;
}

/* ---- who connects */

static bool start(void *(*run)(void *), void *at)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, run, at) == 0 && pthread_detach(thread) == 0;
}

static void let_in(const struct door *d, int fd)
{
    struct carried *c = malloc(sizeof *c);
    if (c == NULL || atomic_fetch_add(&s_relay.connections, 1u) >= CONNECTIONS_MAX) {
        (void)fprintf(stderr, "mayfly-swarm: hosts: more than %u connections of programs\n",
                      CONNECTIONS_MAX);
        (void)close(fd);
        free(c);
        return;
    }
    *c = (struct carried){fd, d->way};
    if (!start(carry, c)) {
        (void)close(fd);
        free(c);
    }
}

static void *watch(void *at)
{
    const struct door *d = at;
    for (;;) {
        struct pollfd poll_fd = {d->listener, POLLIN, 0};
        (void)poll(&poll_fd, 1, -1);
        const int fd = swarm_accept(d->listener);
        if (fd >= 0) {
            let_in(d, fd);
        }
    }
    return NULL;
}

static int open_door(struct swarm *w, int listener, int way)
{
    struct door *d = &s_relay.door[s_relay.doors++];
    *d = (struct door){listener, way};
    return start(watch, d) ? SWARM_OK
                           : swarm_refuse(w, 1, "hosts: the system gives no more threads");
}

/* Where the root listens at present. */
static int find(struct swarm *w, size_t way)
{
    const char *where = where_of(w, way), *port = getenv(k_way[way].variable);
    struct mf_endpoint ep;
    char reason[MF_REASON_MAX];
    if (where[0] == '\0') {
        return SWARM_OK;
    }
    if (strncmp(where, LOCAL, strlen(LOCAL)) == 0) {
        struct sockaddr_un *local = &s_relay.at[way].local;
        local->sun_family = AF_UNIX;
        (void)snprintf(local->sun_path, sizeof local->sun_path, "%.100s", where + strlen(LOCAL));
        return SWARM_OK;
    }
    if (port == NULL || mf_endpoint_parse(&ep, MF_PORT_TCP_CLIENT, port, reason) != MF_E_OK ||
        mf_endpoint_resolve(&ep, reason) != MF_E_OK) {
        return swarm_refuse(w, w->scenario->hosts.line, "hosts: %s is not open", k_way[way].key);
    }
    s_relay.at[way].net = ep.addr;
    return SWARM_OK;
}

int swarm_relay_open(struct swarm *w, struct swarm_branches *b, const struct mf_addr *up)
{
    s_relay.token = b->token;
    s_relay.program = swarm_program_sum();
    s_relay.stop = b->stop;
    int result = SWARM_OK;
    if (up != NULL) {
        s_relay.up = *up;
    }
    for (size_t way = 0; way < WAYS && result == SWARM_OK && up == NULL; way++) {
        result = find(w, way);
    }
    const int listener = b->listener;
    if (result == SWARM_OK && listener >= 0) {
        b->listener = -1;
        result = open_door(w, listener, BELOW);
    }
    return result;
}

int swarm_relay_listen(struct swarm *w)
{
    int result = SWARM_OK;
    for (size_t way = 0; way < WAYS && result == SWARM_OK; way++) {
        const struct swarm_listener any = {
            .key = k_way[way].key, .line = 1, .where = "0", .backlog = BACKLOG};
        if (where_of(w, way)[0] != '\0') {
            const int fd = swarm_listen(w, &any);
            result = fd >= 0 ? open_door(w, fd, (int)way) : SWARM_INPUT;
        }
    }
    return result;
}
