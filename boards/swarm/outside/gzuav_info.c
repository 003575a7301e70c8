/* SPDX-License-Identifier: Apache-2.0 */
/* Answers GET /info as gzuav's server does, for scripts that poll it. program/systems.c lists its
 * system. */
#include "boards/swarm/outside/gzuav_info.h"

#include "boards/swarm/core/listener.h"
#include "host/base/json.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define HEAD_MAX  128u
#define FIXED_MAX 96u /* most bytes of the answer without the names */
#define WAIT_MS   100 /* longest wait until the thread notices the end of the run [ms] */
#define TAKE_S    1   /* longest wait for a client that does not read [s] */

struct gzuav_info {
    const struct swarm *w;
    struct mf_door door;
    pthread_t thread;
    atomic_bool runs; /* time has begun */
    atomic_bool ends; /* the thread must end */
    size_t room;
    char *text; /* [room], the thread's */
};

static struct gzuav_info *info_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_GZUAV_INFO];
}

/* ---- the thread */

/* Length of a request: up to the end of its header. */
static size_t request_length(const uint8_t *bytes, size_t n)
{
    const uint8_t *end = memmem(bytes, n, "\r\n\r\n", 4);
    return end != NULL ? (size_t)(end - bytes) + 4u : n < MF_DOOR_WORD_MAX ? n + 1u : n;
}

/* Write the keys that gzuav's server answers with. @return number of bytes in g->text */
static size_t write_info(struct gzuav_info *g)
{
    struct mf_json j = mf_json_writer(g->text, g->room);
    char name[SWARM_NAME_MAX];
    mf_json_object(&j, NULL);
    mf_json_text(&j, "status", atomic_load(&g->runs) ? "RUNNING" : "WAITING");
    mf_json_array(&j, "uav_info");
    for (uint32_t i = 0; i < g->w->scenario->members; i++) {
        mf_scenario_member_name(g->w->scenario, i, name);
        mf_json_text(&j, NULL, name);
    }
    mf_json_end(&j);
    mf_json_null(&j, "network_info"); /* clusters on other hosts cannot join */
    mf_json_end(&j);
    MF_ASSERT(!j.full);
    return j.len;
}

/* Answer a request, and close its connection. */
static enum mf_door_verdict answer_request(void *ctx, int fd)
{
    static const char k_info[] = "GET /info ";
    struct gzuav_info *g = ctx;
    char request[MF_DOOR_WORD_MAX], head[HEAD_MAX];
    const struct timeval patience = {.tv_sec = TAKE_S};
    const ssize_t got = recv(fd, request, sizeof request, MSG_DONTWAIT);
    const bool found =
        got > (ssize_t)strlen(k_info) && memcmp(request, k_info, strlen(k_info)) == 0;
    const int n = snprintf(head, sizeof head, "HTTP/1.0 %s\r\nContent-Type: text/html\r\n\r\n",
                           found ? "200 OK" : "404 Not Found");
    (void)fcntl(fd, F_SETFL, 0);
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    (void)send(fd, head, (size_t)n, MSG_NOSIGNAL);
    if (found) {
        (void)send(fd, g->text, write_info(g), MSG_NOSIGNAL);
    }
    (void)close(fd);
    return MF_DOOR_TAKEN;
}

static void print_line(void *ctx, const char *text)
{
    (void)ctx;
    (void)fprintf(stderr, "mayfly-swarm: gzuav.info: %s\n", text);
}

static const struct mf_door_ops k_ops = {request_length, answer_request, print_line};

static void *serve_requests(void *ctx)
{
    struct gzuav_info *g = ctx;
    struct pollfd polls[MF_DOOR_POLL_MAX];
    while (!atomic_load(&g->ends)) {
        (void)poll(polls, mf_door_poll(&g->door, polls), mf_door_wait_ms(&g->door, WAIT_MS));
        mf_door_look(&g->door);
    }
    return NULL;
}

/* ---- begin and end */

static struct swarm_listener get_listener(const struct swarm *w)
{
    const struct mf_scenario_gzuav *s = &w->scenario->gzuav;
    return (struct swarm_listener){"gzuav.info", s->line, s->info,
                                   "other machines reach it: listen at 127.0.0.1, and let ssh "
                                   "forward the port"};
}

static int check_listener(struct swarm *w)
{
    const struct swarm_listener at = get_listener(w);
    return swarm_listen_check(w, &at);
}

/* Start the thread with all signals blocked: the run's own thread handles them. */
static bool start_thread(struct gzuav_info *g)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool good = pthread_create(&g->thread, NULL, serve_requests, g) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}

static int open_info(struct swarm *w)
{
    const struct mf_scenario_gzuav *s = &w->scenario->gzuav;
    const struct swarm_listener at = get_listener(w);
    if (s->info[0] == '\0') {
        return SWARM_OK;
    }
    if (!swarm_has(w, SWARM_SLOT_GZUAV)) {
        return swarm_refuse(w, s->line, "gzuav: info needs listen, too");
    }
    const int fd = swarm_listen(w, &at);
    struct gzuav_info *g = fd >= 0 ? calloc(1, sizeof *g) : NULL;
    const size_t room = FIXED_MAX + w->scenario->members * (size_t)(SWARM_NAME_MAX + 3u);
    char *text = g != NULL ? malloc(room) : NULL;
    if (text != NULL) {
        g->w = w;
        g->room = room;
        g->text = text;
        mf_door_open(&g->door, fd, &k_ops, g);
    }
    if (text == NULL || !start_thread(g)) {
        (void)(fd >= 0 && close(fd));
        free(text);
        free(g);
        return fd < 0 ? SWARM_INPUT : swarm_refuse(w, s->line, "gzuav: info: no memory or thread");
    }
    w->state[SWARM_SLOT_GZUAV_INFO] = g;
    return SWARM_OK;
}

static int mark_running(struct swarm *w)
{
    if (info_of(w) != NULL) {
        atomic_store(&info_of(w)->runs, true);
    }
    return SWARM_OK;
}

static void close_info(struct swarm *w, int code)
{
    struct gzuav_info *g = info_of(w);
    (void)code;
    if (g == NULL) {
        return;
    }
    const int listener = g->door.listener;
    atomic_store(&g->ends, true);
    (void)shutdown(listener, SHUT_RDWR); /* wakes the thread */
    (void)pthread_join(g->thread, NULL);
    mf_door_close(&g->door);
    (void)close(listener);
    free(g->text);
    free(g);
    w->state[SWARM_SLOT_GZUAV_INFO] = NULL;
}

const struct swarm_system swarm_gzuav_info_system = {
    .name = "status of gzuav",
    .on = {[SWARM_CHECK] = check_listener,
           [SWARM_CONNECT] = open_info,
           [SWARM_ATTACH] = mark_running},
    .close = close_info,
};
