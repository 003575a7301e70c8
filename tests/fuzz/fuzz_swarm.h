/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A whole run of a swarm in the memory of a fuzzer, with programs outside: each is a connection
 * whose bytes are all there, and whose end is there too, before the run reads it. A run
 * never waits for more, and the same bytes are the same run.
 */
#ifndef MF_TESTS_FUZZ_SWARM_H
#define MF_TESTS_FUZZ_SWARM_H

#include "boards/swarm/core/swarm.h"
#include "boards/swarm/ghosts/ghosts.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/members/vehicles.h"
#include "boards/swarm/minds/mind_plugin.h"
#include "boards/swarm/program/fly.h"
#include "boards/swarm/program/read.h"
#include "boards/swarm/program/systems.h"
#include "tests/fuzz/fuzz_file.h"

#include <arpa/inet.h>
#include <ftw.h>
#include <math.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#define FUZZ_CLIENTS 8u
#define FUZZ_SYSTEMS 64u
#define FUZZ_TEXT    8192u
#define FUZZ_STANDS  20u    /* looks at clients while time stands, before the run ends */
#define FUZZ_PORTS   20000u /* first of the ports of fuzzers, ten for each */

/** A program outside. A packet is a byte with its length, and its bytes. */
struct fuzz_client {
    const char *where; /**< environment variable with the port; "~/NAME"; ":^DIGIT", a port */
    int type;          /**< SOCK_STREAM; SOCK_SEQPACKET, SOCK_DGRAM: @c bytes are packets */
    const uint8_t *bytes;
    size_t n;
    int fd; /**< < 0: not connected */
};

struct fuzz_swarm {
    struct swarm w;
    struct swarm_command command;
    const struct swarm_system *systems[FUZZ_SYSTEMS];
    void *states;
    volatile int stop;
    struct fuzz_client client[FUZZ_CLIENTS];
    size_t clients;
    void (*look)(struct swarm *w); /**< called as the run serves its clients; NULL: none */
    mf_us_t piece_us; /**< longest piece of time, between two looks; 0: as the run wants */
    double until_s;   /**< wall time of the end of a run that goes on too long [s]; 0: none */
    mf_us_t at_us;
    uint32_t stands; /**< how often in a row time stood */
    uint64_t digest;
};

static struct fuzz_swarm s_swarm;

/* Folder of this fuzzer's sockets. */
static char s_folder[FUZZ_PATH_BYTES];

static int fuzz_remove_file(const char *path, const struct stat *is, int kind, struct FTW *at)
{
    (void)is, (void)kind, (void)at;
    return remove(path);
}

static void fuzz_remove_folder(void)
{
    (void)nftw(s_folder, fuzz_remove_file, 8, FTW_DEPTH | FTW_PHYS);
}

/* A run prints what befalls it, which a fuzzer would write a thousand times a second. */
static void fuzz_swarm_prepare(void)
{
    static bool s_done;
    if (!s_done) {
        stdout = stderr = fopen("/dev/null", "we");
        fuzz_folder(s_folder);
        check(stdout != NULL && atexit(fuzz_remove_folder) == 0);
        s_done = true;
    }
}

/* Copy a text with the folder in place of '~', and ports of this fuzzer in place of '^'. */
static const char *fuzz_fill(const char *text, char *to)
{
    size_t n = 0;
    for (; *text != '\0'; text++) {
        if (*text == '~') {
            n += (size_t)snprintf(to + n, FUZZ_TEXT - n, "%s", s_folder);
        } else if (*text == '^') {
            n += (size_t)snprintf(to + n, FUZZ_TEXT - n, "%u",
                                  (FUZZ_PORTS + (unsigned)getpid() % 1000u * 10u) / 10u);
        } else {
            to[n++] = *text;
        }
        check(n + 1u < FUZZ_TEXT);
    }
    to[n] = '\0';
    return to;
}

/* @return < 0: no listener */
static int fuzz_connect(const char *where, int type)
{
    char text[FUZZ_TEXT];
    where = fuzz_fill(where, text);
    const char *port = where[0] == ':' ? where : getenv(where);
    const struct linger none = {1, 0}; /* a closed connection leaves no port behind that waits */
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    struct sockaddr_in net = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    const int fd = socket(port != NULL ? AF_INET : AF_UNIX, type | SOCK_CLOEXEC, 0);
    int result = -1;
    check(fd >= 0);
    if (port != NULL) {
        net.sin_port = htons((uint16_t)strtoul(strrchr(port, ':') + 1, NULL, 10));
        (void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
        result = connect(fd, (const struct sockaddr *)&net, sizeof net);
    } else {
        (void)snprintf(local.sun_path, sizeof local.sun_path, "%.100s", where);
        result = connect(fd, (const struct sockaddr *)&local, sizeof local);
    }
    if (result != 0) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

static void fuzz_say(const struct fuzz_client *c)
{
    if (c->type == SOCK_STREAM) {
        (void)send(c->fd, c->bytes, c->n, MSG_NOSIGNAL | MSG_DONTWAIT);
        (void)shutdown(c->fd, SHUT_WR);
        return;
    }
    for (size_t at = 0; at + 1u < c->n; at += 1u + c->bytes[at]) {
        const size_t left = c->n - at - 1u, n = c->bytes[at] < left ? c->bytes[at] : left;
        (void)send(c->fd, c->bytes + at + 1u, n, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    (void)shutdown(c->fd, c->type == SOCK_SEQPACKET ? SHUT_WR : SHUT_RDWR);
}

/* All programs connect, say all they have to say, and end their output. */
static int fuzz_clients_come(struct swarm *w)
{
    (void)w;
    for (size_t i = 0; i < s_swarm.clients; i++) {
        struct fuzz_client *c = &s_swarm.client[i];
        c->fd = fuzz_connect(c->where, c->type);
        if (c->fd >= 0) {
            fuzz_say(c);
        }
    }
    return SWARM_OK;
}

/* Read what the run has said, so that it finds room for more. */
static bool fuzz_clients_read(struct swarm *w)
{
    static uint8_t s_bytes[65536];
    for (size_t i = 0; i < s_swarm.clients; i++) {
        const struct fuzz_client *c = &s_swarm.client[i];
        while (c->fd >= 0 && recv(c->fd, s_bytes, sizeof s_bytes, MSG_DONTWAIT) > 0) {
        }
    }
    if (s_swarm.look != NULL) {
        s_swarm.look(w);
    }
    if (s_swarm.until_s > 0.0 && swarm_wall_s() > s_swarm.until_s) {
        s_swarm.stop = 1;
    }
    s_swarm.stands = w->now_us > s_swarm.at_us ? 0 : s_swarm.stands;
    s_swarm.at_us = w->now_us;
    return false;
}

static mf_us_t fuzz_limit_piece(struct swarm *w, mf_us_t next_us)
{
    (void)next_us;
    return s_swarm.piece_us > 0 ? w->now_us + s_swarm.piece_us : MF_NEVER;
}

/* End a run in which a client has held time, and left. */
static bool fuzz_time_stands(struct swarm *w, bool pending)
{
    (void)pending;
    (void)fuzz_clients_read(w);
    s_swarm.stands++;
    s_swarm.stop = s_swarm.stands > FUZZ_STANDS ? 1 : s_swarm.stop;
    return false;
}

/* An assertion that outside bytes reach is a mistake of the program, and freezes a vehicle. */
static bool fuzz_run_ends(struct swarm *w)
{
    check(swarm_count_frozen(w) == 0);
    s_swarm.digest = swarm_digest(w);
    return true;
}

static void fuzz_clients_leave(struct swarm *w, int code)
{
    (void)w, (void)code;
    for (size_t i = 0; i < s_swarm.clients; i++) {
        if (s_swarm.client[i].fd >= 0) {
            (void)close(s_swarm.client[i].fd);
        }
        s_swarm.client[i].fd = -1;
    }
}

/** The programs outside, behind all other systems of the run. */
static const struct swarm_system k_fuzz_clients = {.name = "fuzz",
                                                   .on = {[SWARM_CONNECT] = fuzz_clients_come},
                                                   .limit_us = fuzz_limit_piece,
                                                   .serve = fuzz_clients_read,
                                                   .on_standstill = fuzz_time_stands,
                                                   .complete = fuzz_run_ends,
                                                   .close = fuzz_clients_leave};

/** @brief Begin without a scenario. */
static inline struct swarm *fuzz_swarm_blank(void)
{
    struct fuzz_swarm *f = &s_swarm;
    struct swarm *w = &f->w;
    fuzz_swarm_prepare();
    memset(f, 0, sizeof *f);
    f->command = (struct swarm_command){
        .threads = 1, .file = "fuzz.yaml", .out = "", .at_s = (double)INFINITY};
    f->command.given.set = f->command.set; /* as command.c does */
    w->command = &f->command;
    w->hold.stop = &f->stop;
    (void)snprintf(w->file, sizeof w->file, "fuzz.yaml");
    f->states = swarm_states_make(w);
    check(f->states != NULL);
    return w;
}

/** @brief Begin a run. @param text  scenario, which must be right  @param replay  file; NULL */
static inline struct swarm *fuzz_swarm_begin(const char *text, const char *replay)
{
    struct fuzz_swarm *f = &s_swarm;
    struct swarm *w = fuzz_swarm_blank();
    char filled[FUZZ_TEXT];
    text = fuzz_fill(text, filled);
    f->command.replay = replay;
    w->systems = swarm_leaf_systems;
    const int result = swarm_read_text(w, &f->command, text, strlen(text));
    if (result != SWARM_OK) {
        (void)dprintf(STDERR_FILENO, "%s\n", w->error);
    }
    check(result == SWARM_OK);
    if (replay != NULL) { /* as main.c does */
        w->scenario->time.clock = MF_SCENARIO_CLOCK_FAST;
    }
    size_t n = 0;
    for (const struct swarm_system *const *s = swarm_systems_of(w); *s != NULL; s++) {
        f->systems[n++] = *s;
    }
    check(n + 1u < FUZZ_SYSTEMS);
    f->systems[n] = &k_fuzz_clients;
    w->systems = f->systems;
    return w;
}

/** @brief Free all of a run. */
static inline void fuzz_swarm_end(void)
{
    struct fuzz_swarm *f = &s_swarm;
    swarm_ghosts_free(&f->w);
    swarm_mind_plugin_free(&f->w);
    free(f->w.members.kind);
    if (f->w.scenario != NULL) {
        mf_scenario_free(f->w.scenario);
        free(f->w.scenario);
    }
    swarm_memory_free(&f->w);
    free(f->states);
}

/** @brief A program outside says bytes, which must last as long as the run. */
static inline void fuzz_swarm_client(const char *where, int type, const uint8_t *bytes, size_t n)
{
    check(s_swarm.clients < FUZZ_CLIENTS);
    s_swarm.client[s_swarm.clients++] = (struct fuzz_client){where, type, bytes, n, -1};
}

/** @brief Fly to the end, and free all. @return exit code; an error is one line */
static inline int fuzz_swarm_fly(void)
{
    struct fuzz_swarm *f = &s_swarm;
    const int result = swarm_fly(&f->w);
    if (getenv("FUZZ_TELL") != NULL) { /* to reproduce an input */
        (void)dprintf(STDERR_FILENO, "code %d: %s\n", result, f->w.error);
    }
    check(memchr(f->w.error, '\0', sizeof f->w.error) != NULL);
    check(result != SWARM_INPUT || (f->w.error[0] != '\0' && strchr(f->w.error, '\n') == NULL));
    fuzz_swarm_end();
    return result;
}

#endif
