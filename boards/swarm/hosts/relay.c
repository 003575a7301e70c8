/* SPDX-License-Identifier: Apache-2.0 */
/* Carry connections of programs on leaves to ports of the root: parts of the root, of leaves, and
 * of processes in between. hosts.c and leaf.c call it. */
#include "boards/swarm/hosts/relay.h"

#include "boards/swarm/core/listener.h"
#include "fleet/bytes.h"
#include "hal-posix/endpoint.h"
#include "hal-posix/net.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define CONNECTIONS_MAX 256u
#define BYTES           4096u
#define LOCAL           "unix:"

/* Ways: ports of the root to which programs connect. Key, environment variable with the address,
 * field of the scenario. */
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

/* ---- format between a leaf and the root: pieces, u32 length and bytes. A piece of length 0 goes
 * down alone: the root has opened the connection, or has passed on the last piece that went up. */

#define PIECE MF_HOSTS_PIECE

/* Connection of a program on this leaf, and the one that carries it up the tree. */
struct link {
    struct relay *relay;
    int local, tree;
    sem_t arrived; /* posted when the root has taken a piece, or never will */
    _Atomic int holders;
};

/* Connection from below, and the root's connection to its own port. */
struct carried {
    int fd, other;
    pthread_mutex_t lock; /* one thread writes to fd at a time */
};

/* Sockets of one direction of a connection, for a thread. */
struct stream {
    int from, to;
};

/* A port of this leaf. */
struct port {
    struct relay *relay;
    struct mf_door door;
};

/* State of a run until the process ends; its threads change `connections` alone. */
struct relay {
    struct swarm_branches below; /* connections of programs below */
    struct port port[WAYS];      /* programs on this leaf connect here */
    struct mf_addr up;           /* len 0: this is the root */
    union {
        struct mf_addr net;
        struct sockaddr_un local; /* of a local socket */
    } at[WAYS];                   /* addresses of the root's ports, set in the root */
    const char *token;
    uint64_t program;
    _Atomic unsigned connections;
    struct link *link[CONNECTIONS_MAX]; /* programs that have sent bytes */
    size_t links;
    struct pollfd polls[CONNECTIONS_MAX + WAYS * MF_DOOR_POLL_MAX];
};

const size_t swarm_relay_bytes = sizeof(struct relay);

static struct relay *relay_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_RELAY];
}

static const char *get_where(const struct swarm *w, size_t way)
{
    return (const char *)w->scenario + k_way[way].offset;
}

/* ---- a connection */

/* Connect a socket. @return < 0: not connected */
static int dial_address(const struct sockaddr *at, socklen_t n)
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

/* Connect to the process above, and send it HELLO with the way. */
static int dial_up(const struct relay *r, int way)
{
    uint8_t bytes[MF_HOSTS_HEADER + 3u * MF_HOSTS_RECORD + MF_HOSTS_TOKEN_MAX + 16u];
    struct mf_hosts_writer w = {.bytes = bytes, .size = sizeof bytes};
    const int fd = dial_address(&r->up.any, r->up.len);
    if (fd < 0) {
        return fd;
    }
    mf_hosts_begin(&w, MF_HOSTS_HELLO, 0);
    mf_hosts_put(&w, MF_HOSTS_TOKEN_, 0);
    mf_hosts_put_raw(&w, r->token, strnlen(r->token, MF_HOSTS_TOKEN_MAX));
    mf_hosts_put(&w, MF_HOSTS_PROGRAM_, 0);
    mf_hosts_put_u(&w, r->program, 8);
    mf_hosts_put(&w, MF_HOSTS_WAY_, 0);
    mf_hosts_put_u(&w, (uint64_t)way, 1);
    mf_hosts_finish(&w);
    (void)swarm_wire_send(fd, bytes, w.n); /* after an error the caller reads the end */
    return fd;
}

static int dial_way(const struct relay *r, int way)
{
    if (r->up.len > 0) {
        return dial_up(r, way);
    }
    return r->at[way].local.sun_family == AF_UNIX
               ? dial_address((const struct sockaddr *)&r->at[way].local, sizeof r->at[way].local)
           : r->at[way].net.len > 0 ? dial_address(&r->at[way].net.any, r->at[way].net.len)
                                    : -1;
}

/* Wait for bytes. @param bytes  out [most]  @return number of bytes; 0: the connection has ended */
static size_t receive_some(int fd, uint8_t *bytes, size_t most)
{
    ssize_t got;
    while ((got = recv(fd, bytes, most, MSG_DONTWAIT)) < 0 && (errno == EAGAIN || errno == EINTR)) {
        struct pollfd poll_fd = {fd, POLLIN, 0};
        (void)poll(&poll_fd, 1, -1);
    }
    return got > 0 ? (size_t)got : 0;
}

/* Receive @p n bytes. @return false: the connection has ended */
static bool receive_bytes(int fd, uint8_t *bytes, size_t n)
{
    size_t got = 1;
    for (; n > 0 && got > 0; n -= got, bytes += got) {
        got = receive_some(fd, bytes, n);
    }
    return got > 0;
}

/* Send a piece. @param piece  [PIECE + n], with room for the length before its bytes */
static bool send_piece(int fd, uint8_t *piece, size_t n)
{
    (void)mf_bytes_put_u(piece, n, PIECE);
    return swarm_wire_send(fd, piece, PIECE + n);
}

/* Receive a piece. @param bytes  out [BYTES]  @return false: the connection has ended, or the
 * length is wrong */
static bool receive_piece(int fd, uint8_t *bytes, size_t *n)
{
    uint8_t length[PIECE];
    return receive_bytes(fd, length, PIECE) && mf_hosts_piece(length, BYTES, n) &&
           receive_bytes(fd, bytes, *n);
}

/* End one direction of a connection. */
static void end_direction(int from, int to)
{
    (void)shutdown(to, SHUT_WR);
    (void)shutdown(from, SHUT_RD);
}

static bool start_thread(void *(*run)(void *), void *at)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, run, at) == 0 && pthread_detach(thread) == 0;
}

/* ---- a process in between: passes bytes */

static void *pass_bytes(void *at)
{
    const struct stream *s = at;
    uint8_t bytes[BYTES];
    size_t n;
    while ((n = receive_some(s->from, bytes, BYTES)) > 0 && swarm_wire_send(s->to, bytes, n)) {
    }
    end_direction(s->from, s->to);
    return NULL;
}

static void pass_both(int a, int b)
{
    struct stream up = {a, b}, down = {b, a};
    pthread_t other;
    if (pthread_create(&other, NULL, pass_bytes, &down) == 0) {
        (void)pass_bytes(&up);
        (void)pthread_join(other, NULL);
    }
}

/* ---- the root: passes bytes to its own port */

static bool send_down(struct carried *c, uint8_t *piece, size_t n)
{
    (void)pthread_mutex_lock(&c->lock);
    const bool sent = send_piece(c->fd, piece, n);
    (void)pthread_mutex_unlock(&c->lock);
    return sent;
}

static void *carry_down(void *at)
{
    struct carried *c = at;
    uint8_t piece[PIECE + BYTES];
    size_t n;
    while ((n = receive_some(c->other, piece + PIECE, BYTES)) > 0 && send_down(c, piece, n)) {
    }
    end_direction(c->other, c->fd);
    return NULL;
}

static void carry_up(struct carried *c)
{
    uint8_t bytes[BYTES], arrived[PIECE];
    size_t n = 0;
    while (send_down(c, arrived, 0) && receive_piece(c->fd, bytes, &n) &&
           swarm_wire_send(c->other, bytes, n)) {
    }
    end_direction(c->fd, c->other);
}

static void carry_both(int fd, int other)
{
    struct carried c = {.fd = fd, .other = other};
    pthread_t down;
    (void)pthread_mutex_init(&c.lock, NULL);
    if (pthread_create(&down, NULL, carry_down, &c) == 0) {
        carry_up(&c);
        (void)pthread_join(down, NULL);
    }
    (void)pthread_mutex_destroy(&c.lock);
}

/* ---- connections from below */

/* Connection of a program below, and its way. */
struct caller {
    struct relay *relay;
    int fd, way;
};

static void end_connection(struct relay *r, int fd)
{
    (void)close(fd);
    (void)atomic_fetch_sub(&r->connections, 1u);
}

static void *serve_caller(void *at)
{
    const struct caller c = *(struct caller *)at;
    struct relay *r = c.relay;
    free(at);
    const int other = dial_way(r, c.way);
    if (other >= 0) {
        (r->up.len > 0 ? pass_both : carry_both)(c.fd, other);
        (void)close(other);
    }
    end_connection(r, c.fd);
    return NULL;
}

/* Count a connection, or close it if 256 are open. @return true: counted */
static bool count_connection(struct relay *r, struct mf_door *door, int fd)
{
    if (atomic_fetch_add(&r->connections, 1u) < CONNECTIONS_MAX) {
        return true;
    }
    mf_door_print(door, "all 256 places of programs are taken");
    end_connection(r, fd);
    return false;
}

static enum mf_door_verdict enter_below(void *ctx, int fd)
{
    struct relay *r = ctx;
    struct swarm_branch branch;
    struct caller *given = NULL;
    if (!swarm_branches_greet(&r->below, fd, &branch)) {
        return MF_DOOR_TAKEN;
    }
    if (branch.way == 0 || branch.way > WAYS) {
        swarm_branches_refuse(&r->below, fd, "joins late: all leaves have joined");
        return MF_DOOR_TAKEN;
    }
    if (count_connection(r, &r->below.door, fd)) {
        given = malloc(sizeof *given);
        *(given != NULL ? given : &(struct caller){0}) =
            (struct caller){r, fd, (int)branch.way - 1};
        if (given == NULL || !start_thread(serve_caller, given)) {
            end_connection(r, fd);
            free(given);
        }
    }
    return MF_DOOR_TAKEN;
}

static const struct mf_door_ops k_below = {swarm_branches_hello_length, enter_below,
                                           swarm_branches_print};

static void *watch_below(void *at)
{
    struct relay *r = at;
    struct mf_door *door = &r->below.door;
    for (;;) {
        struct pollfd all[MF_DOOR_POLL_MAX];
        (void)poll(all, mf_door_poll(door, all), mf_door_wait_ms(door, -1));
        mf_door_look(door);
    }
    return at;
}

/* ---- a leaf: input of its programs arrives in the order of sending */

static void release_link(struct link *l)
{
    if (atomic_fetch_sub(&l->holders, 1) == 1) {
        end_connection(l->relay, l->local);
        (void)close(l->tree);
        (void)sem_destroy(&l->arrived);
        free(l);
    }
}

static void wait_for_root(struct link *l)
{
    while (sem_wait(&l->arrived) != 0 && errno == EINTR) {
    }
}

static void *bring_down(void *at)
{
    struct link *l = at;
    uint8_t bytes[BYTES];
    size_t n = 0;
    while (receive_piece(l->tree, bytes, &n) && swarm_wire_send(l->local, bytes, n)) {
        if (n == 0) {
            (void)sem_post(&l->arrived);
        }
    }
    (void)shutdown(l->local, SHUT_RDWR);
    (void)shutdown(l->tree, SHUT_RDWR);
    (void)sem_post(&l->arrived);
    release_link(l);
    return NULL;
}

/* Open a connection up the tree for a program. @return the connection, after the root has answered;
 * NULL: not opened */
static struct link *open_link(struct relay *r, int local, int way)
{
    struct link *l = malloc(sizeof *l);
    const int tree = l != NULL ? dial_up(r, way) : -1;
    if (tree < 0) {
        end_connection(r, local);
        free(l);
        return NULL;
    }
    *l = (struct link){.relay = r, .local = local, .tree = tree, .holders = 2};
    (void)sem_init(&l->arrived, 0, 0);
    if (!start_thread(bring_down, l)) {
        l->holders = 1;
        release_link(l);
        return NULL;
    }
    wait_for_root(l);
    return l;
}

/* Send bytes of a program up, and wait until the root has taken them. @return false: the program's
 * connection has ended */
static bool send_up(struct link *l)
{
    uint8_t piece[PIECE + BYTES];
    const size_t n = receive_some(l->local, piece + PIECE, BYTES);
    if (n > 0 && send_piece(l->tree, piece, n)) {
        wait_for_root(l);
        return true;
    }
    (void)shutdown(l->tree, SHUT_WR);
    return false;
}

/* Number of bytes before a connection is added: any first byte, since programs speak first on all
 * ways. */
static size_t first_byte_length(const uint8_t *bytes, size_t n)
{
    (void)bytes, (void)n;
    return 1;
}

static enum mf_door_verdict enter_here(void *ctx, int fd)
{
    struct port *at = ctx;
    struct relay *r = at->relay;
    struct link *l =
        count_connection(r, &at->door, fd) ? open_link(r, fd, (int)(at - r->port)) : NULL;
    if (l != NULL) {
        r->link[r->links++] = l;
    }
    return MF_DOOR_TAKEN;
}

static const struct mf_door_ops k_here = {first_byte_length, enter_here, swarm_branches_print};

static void serve_link(struct relay *r, size_t k)
{
    if (!send_up(r->link[k])) {
        release_link(r->link[k]);
        r->links--;
        for (; k < r->links; k++) {
            r->link[k] = r->link[k + 1u];
        }
    }
}

/* Serve one connection at a time; accept new ones only if no connection has input. */
static void *watch_programs(void *at)
{
    struct relay *r = at;
    for (;;) {
        int wait_ms = -1;
        nfds_t n = 0;
        size_t k = 0;
        for (; n < r->links; n++) {
            r->polls[n] = (struct pollfd){r->link[n]->local, POLLIN, 0};
        }
        for (size_t way = 0; way < WAYS; way++) {
            n += mf_door_poll(&r->port[way].door, r->polls + n);
            wait_ms = mf_door_wait_ms(&r->port[way].door, wait_ms);
        }
        (void)poll(r->polls, n, wait_ms);
        while (k < r->links && r->polls[k].revents == 0) {
            k++;
        }
        if (k < r->links) {
            serve_link(r, k);
        }
        for (size_t way = 0; way < WAYS && k == r->links; way++) {
            mf_door_look(&r->port[way].door);
        }
    }
    return at;
}

/* ---- begin */

static int start_watch(struct swarm *w, void *(*watch)(void *))
{
    return start_thread(watch, relay_of(w))
               ? SWARM_OK
               : swarm_refuse(w, 1, "hosts: cannot start more threads");
}

/* Find the address at which the root listens for a way. */
static int find_port_address(struct swarm *w, size_t way)
{
    struct relay *r = relay_of(w);
    const char *where = get_where(w, way), *port = getenv(k_way[way].variable);
    struct mf_endpoint ep;
    char reason[MF_REASON_MAX];
    if (where[0] == '\0') {
        return SWARM_OK;
    }
    if (strncmp(where, LOCAL, strlen(LOCAL)) == 0) {
        struct sockaddr_un *local = &r->at[way].local;
        local->sun_family = AF_UNIX;
        (void)snprintf(local->sun_path, sizeof local->sun_path, "%.100s", where + strlen(LOCAL));
        return SWARM_OK;
    }
    if (port == NULL || mf_endpoint_parse(&ep, MF_PORT_TCP_CLIENT, port, reason) != MF_E_OK ||
        mf_endpoint_resolve(&ep, reason) != MF_E_OK) {
        return swarm_refuse(w, w->scenario->hosts.line, "hosts: %s is not open", k_way[way].key);
    }
    r->at[way].net = ep.addr;
    return SWARM_OK;
}

int swarm_relay_open(struct swarm *w, struct swarm_branches *b, const struct mf_addr *up)
{
    struct relay *r = relay_of(w);
    r->token = b->token;
    r->program = swarm_program_sum();
    int result = SWARM_OK;
    if (up != NULL) {
        r->up = *up;
    }
    for (size_t way = 0; way < WAYS && result == SWARM_OK && up == NULL; way++) {
        result = find_port_address(w, way);
    }
    if (result == SWARM_OK && b->listener >= 0) {
        mf_door_close(&b->door);
        r->below =
            (struct swarm_branches){.token = r->token, .program = r->program, .stop = b->stop};
        mf_door_open(&r->below.door, b->listener, &k_below, r);
        b->listener = -1;
        result = start_watch(w, watch_below);
    }
    return result;
}

int swarm_relay_listen(struct swarm *w)
{
    struct relay *r = relay_of(w);
    for (size_t way = 0; way < WAYS; way++) {
        const struct swarm_listener any = {.key = k_way[way].key, .line = 1, .where = "0"};
        const bool is = get_where(w, way)[0] != '\0';
        const int fd = is ? swarm_listen(w, &any) : -1;
        r->port[way].relay = r;
        mf_door_open(&r->port[way].door, fd, &k_here, &r->port[way]);
        if (is && fd < 0) {
            return SWARM_INPUT;
        }
    }
    return start_watch(w, watch_programs);
}
