/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes connections of a swarm that no run of fuzz_outside has: datagrams and streams of programs
 * in virtual time, through the switches of a run that does not start the programs; lines of the
 * time socket of a drone; a browser at the live page. The first byte chooses. A piece of a program
 * is an action, its length, and bytes.
 */
#include "boards/swarm/ghosts/ghost_internal.h"
#include "boards/swarm/page/page_server.h"
#include "boards/swarm/processes/processes.h"
#include "boards/swarm/radio/sockets.h"
#include "boards/swarm/radio/streams.h"
#include "host/time/virtual_message.h"
#include "tests/fuzz/fuzz_swarm.h"

#include <pthread.h>

#define PIECES_MAX  64u
#define STREAMS_MAX 8u
#define PATIENCE_US 20000 /* longest wait for an answer of the page */
#define GRANTS      8
#define PIECE_US    40000 /* time between two actions of programs */

/* The first network is built in, the other one is simulated by the fuzzer's events. */
static const char k_text[] =
    "{swarm: 1, time: {clock: fast, end: 3}, network: {kind: builtin, delay: 0.01, "
    "loss: 0.1}, entities: [{name: a, count: 3, as: agent, place: {grid: [3, 1], spacing: 5}, "
    "start: 0, behaviour: {kind: walk, rate: 20, speed_max: 2, height: 10}}], "
    "processes: [{name: p, run: [none], clock: virtual, node: a.1}]}";

/* ---- programs in virtual time */

enum action { DATAGRAM, OPEN, WRITE, EVENT, LISTEN, END, ACTIONS };

static struct {
    const uint8_t *bytes;
    size_t n;
    enum action action;
} s_piece[PIECES_MAX];
static size_t s_pieces, s_done;
static int s_stream[STREAMS_MAX], s_datagrams, s_listener;
static size_t s_streams;

/* Octet X of the run's addresses, 127.X.0.0; 0: none. */
static unsigned find_octet(struct swarm *w)
{
    static const char k_node[] = MF_VIRTUAL_NODE_ENV "=127.";
    char text[SWARM_SOCKETS_VARIABLES][SWARM_SOCKETS_TEXT];
    if (swarm_sockets_environment(w, "a.1", text) == 0) {
        return 0;
    }
    check(strncmp(text[0], k_node, sizeof k_node - 1u) == 0);
    return (unsigned)strtoul(text[0] + sizeof k_node - 1u, NULL, 10);
}

static struct sockaddr_in address_of(unsigned octet, unsigned member, uint16_t port)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons(port),
                                .sin_addr = {htonl(0x7F000000u | octet << 16 | member)}};
}

static socklen_t name_of(struct sockaddr_un *a, unsigned octet, const char *end)
{
    *a = (struct sockaddr_un){.sun_family = AF_UNIX};
    const int n = snprintf(a->sun_path + 1, sizeof a->sun_path - 1u,
                           MF_VIRTUAL_STREAMS "127.%u.0.%s", octet, end);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1u + (size_t)n);
}

static void send_datagram(unsigned octet, const uint8_t *bytes, size_t n)
{
    const struct sockaddr_in from = address_of(octet, 1, 0),
                             to = address_of(octet, 0, MF_VIRTUAL_SWITCH_PORT);
    if (s_datagrams < 0) {
        s_datagrams = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        check(s_datagrams >= 0);
        check(bind(s_datagrams, (const struct sockaddr *)&from, sizeof from) == 0);
    }
    (void)sendto(s_datagrams, bytes, n, MSG_DONTWAIT, (const struct sockaddr *)&to, sizeof to);
}

/* A program connects to another one: the head, as far as the bytes go, and what is behind it. */
static void open_stream(unsigned octet, const uint8_t *bytes, size_t n)
{
    struct sockaddr_un a;
    if (s_streams == STREAMS_MAX) {
        return;
    }
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    check(fd >= 0);
    (void)connect(fd, (const struct sockaddr *)&a, name_of(&a, octet, "0"));
    (void)send(fd, bytes, n, MSG_NOSIGNAL);
    s_stream[s_streams++] = fd;
}

/* A program listens at port 80 of member a.2. */
static void listen_for_streams(unsigned octet)
{
    struct sockaddr_un a;
    if (s_listener < 0) {
        s_listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        check(s_listener >= 0);
        (void)bind(s_listener, (const struct sockaddr *)&a, name_of(&a, octet, "2:80"));
        (void)listen(s_listener, 4);
    }
}

static void act(struct swarm *w, size_t k)
{
    const unsigned octet = find_octet(w);
    const uint8_t *bytes = s_piece[k].bytes;
    const size_t n = s_piece[k].n;
    const int fd = n > 0 && bytes[0] < s_streams ? s_stream[bytes[0]] : -1;
    switch (s_piece[k].action) {
    case DATAGRAM:
        send_datagram(octet, bytes, n);
        break;
    case OPEN:
        open_stream(octet, bytes, n);
        break;
    case WRITE:
        (void)(fd >= 0 && send(fd, bytes + 1, n - 1u, MSG_NOSIGNAL | MSG_DONTWAIT) > 0);
        break;
    case EVENT:
        if (n >= 2) {
            swarm_streams_receive(w, &(struct swarm_arrival){.at_us = w->now_us,
                                                             .receiver = bytes[0] % 4u,
                                                             .sender = bytes[1] % 4u,
                                                             .bytes = bytes + 2,
                                                             .size = (uint32_t)n - 2u});
        }
        break;
    case LISTEN:
        listen_for_streams(octet);
        break;
    case END:
    case ACTIONS:
    default:
        (void)(fd >= 0 && shutdown(fd, n % 2u == 0 ? SHUT_WR : SHUT_RDWR) == 0);
        break;
    }
}

static void look(struct swarm *w)
{
    uint8_t bytes[512];
    if (s_done < s_pieces) {
        act(w, s_done++);
    }
    (void)swarm_sockets_system.sync(w, true);
    for (size_t k = 0; k < s_streams; k++) {
        while (recv(s_stream[k], bytes, sizeof bytes, MSG_DONTWAIT) > 0) {
        }
    }
    const int fd = s_listener >= 0 ? accept(s_listener, NULL, NULL) : -1;
    (void)(fd >= 0 && close(fd) == 0);
}

static void fly_programs(const uint8_t *data, size_t size)
{
    s_pieces = s_done = s_streams = 0;
    s_datagrams = s_listener = -1;
    for (size_t at = 0; at + 2u <= size && s_pieces < PIECES_MAX; s_pieces++) {
        const size_t left = size - at - 2u, n = data[at + 1] < left ? data[at + 1] : left;
        s_piece[s_pieces].action = (enum action)(data[at] % ACTIONS);
        s_piece[s_pieces].bytes = data + at + 2u;
        s_piece[s_pieces].n = n;
        at += 2u + n;
    }
    (void)fuzz_swarm_begin(k_text, NULL);
    size_t kept = 0;
    for (size_t k = 0; s_swarm.systems[k] != NULL; k++) { /* no program starts */
        if (s_swarm.systems[k] != &swarm_processes_system) {
            s_swarm.systems[kept++] = s_swarm.systems[k];
        }
    }
    s_swarm.systems[kept] = NULL;
    s_swarm.look = look;
    s_swarm.piece_us = PIECE_US;
    const int result = fuzz_swarm_fly();
    check(result == SWARM_OK || result == SWARM_INPUT);
    for (size_t k = 0; k < s_streams; k++) {
        (void)close(s_stream[k]);
    }
    (void)(s_datagrams >= 0 && close(s_datagrams) == 0);
    (void)(s_listener >= 0 && close(s_listener) == 0);
}

/* ---- the time socket of a drone that the scenario starts */

static void hear_time(const uint8_t *data, size_t size)
{
    static struct ghost s_ghost;
    static struct swarm_ghosts s_ghosts;
    struct swarm *w = fuzz_swarm_begin(k_text, NULL);
    int pair[2];
    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
    (void)send(pair[1], data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)shutdown(pair[1], SHUT_WR);
    memset(&s_ghost, 0, sizeof s_ghost);
    s_ghosts = (struct swarm_ghosts){.w = w, .count = 1, .ghost = &s_ghost};
    s_ghost.of = &s_ghosts;
    s_ghost.e = w->scenario->entity;
    s_ghost.process = w->scenario->process;
    s_ghost.link = -1;
    s_ghost.time_fd = pair[0];
    s_ghost.granted_us = -1;
    bool good = ghost_time_greet(&s_ghosts, &s_ghost);
    for (mf_us_t at_us = 100; good && at_us <= 100 * GRANTS; at_us += 100) {
        good = ghost_time_grant(&s_ghosts, &s_ghost, at_us);
        check(!good || (isfinite(s_ghost.truth.lat_deg) && isfinite(s_ghost.truth.alt_amsl_m)));
        check(isfinite(s_ghost.truth.yaw_rad) && memchr(s_ghost.reported, 0, 192) != NULL);
    }
    (void)close(pair[0]);
    (void)close(pair[1]);
    fuzz_swarm_end();
}

/* ---- a browser */

static volatile int s_stop;

static void *serve(void *ctx)
{
    swarm_page_server_run(ctx, &s_stop);
    return NULL;
}

static void browse(const uint8_t *data, size_t size)
{
    char url[96], error[256], where[32], bytes[4096];
    int in[2], out[2];
    pthread_t thread;
    fuzz_swarm_prepare();
    check(pipe(in) == 0 && pipe(out) == 0);
    check(fcntl(in[0], F_SETFL, O_NONBLOCK) == 0 && fcntl(out[1], F_SETFL, O_NONBLOCK) == 0);
    (void)fuzz_fill("127.0.0.1:^3", bytes);
    (void)snprintf(where, sizeof where, "%.31s", bytes);
    s_stop = 0;
    struct swarm_page_server *s =
        swarm_page_server_open(where, in[0], out[1], url, sizeof url, error, sizeof error);
    if (s != NULL) {
        const struct timeval patience = {.tv_usec = PATIENCE_US};
        check(pthread_create(&thread, NULL, serve, s) == 0);
        const int fd = fuzz_connect(":^3", SOCK_STREAM);
        check(fd >= 0);
        (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        (void)send(fd, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        (void)shutdown(fd, SHUT_WR);
        while (recv(fd, bytes, sizeof bytes, 0) > 0) {
        }
        s_stop = 1;
        (void)close(in[1]);
        in[1] = -1;
        check(pthread_join(thread, NULL) == 0 && close(fd) == 0);
        (void)swarm_page_server_error(s, error, sizeof error);
        swarm_page_server_close(s);
    }
    (void)(in[1] >= 0 && close(in[1]) == 0);
    check(close(in[0]) == 0 && close(out[0]) == 0 && close(out[1]) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    switch (data[0] % 4u) {
    case 0:
        hear_time(data + 1, size - 1u);
        break;
    case 1:
        browse(data + 1, size - 1u);
        break;
    default:
        fly_programs(data + 1, size - 1u);
        break;
    }
    return 0;
}
