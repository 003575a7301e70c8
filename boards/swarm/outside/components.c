/* SPDX-License-Identifier: Apache-2.0 */
/* Starts the scenario's components, and queues states of members for them. program/systems.c
 * lists its system. */
#include "boards/swarm/outside/components.h"

#include "boards/swarm/core/kept.h"
#include "boards/swarm/core/plugins.h"
#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/members.h"
#include "firmware/flight/mode.h"
#include "math/chance.h"
#include "math/trig.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The analyzer does not follow pointers that a table holds; close_component() frees them. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

#define LINE_MAX 192u
#define END_S    1 /* time for a component to take its queue at the end [s] */

/* Purpose of a component's random numbers; fleet/scenario.h has the others. */
enum { COMPONENT_PURPOSE = 43 };

/* State of a member at an instant, in a queue. */
struct news {
    uint32_t i;
    char name[SWARM_NAME_MAX];
    mf_us_t at_us;
    double neu_m[3], neu_mps[3], yaw_rad;
    const char *mode;
};

/* @return [components] */
static struct swarm_plugin *component_plugins_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_COMPONENTS_PLUGIN];
}

/* A program or plug-in. The lock guards the fields from @c news on, which two threads use. */
struct component {
    struct swarm *w;
    const struct mf_scenario_component *c;
    const struct swarm_plugin *own; /* plug-in; NULL: a program */
    struct mf_group group;
    uint32_t *id; /* storage for the members of @c group */
    pid_t pid;
    int fd; /* write end of the program's standard input */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t moved;
    struct news *news; /* [c->queue], ring of states that wait for the thread */
    uint32_t first, count;
    uint64_t queued, dropped;
    bool ends, gone;
};

struct swarm_components {
    uint32_t count;
    struct component component[MF_SCENARIO_COMPONENTS_MAX];
};

static struct swarm_components *components_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_COMPONENTS];
}

/* ---- the component's thread, which may block */

/* Wait for the next state in the queue. @return false: there will not be another */
static bool wait_news(struct component *k, struct news *news)
{
    (void)pthread_mutex_lock(&k->lock);
    while (k->count == 0 && !k->ends) {
        (void)pthread_cond_wait(&k->moved, &k->lock);
    }
    const bool more = k->count > 0 && !k->gone;
    if (more) {
        *news = k->news[k->first];
        k->first = (k->first + 1u) % k->c->queue;
        k->count--;
    }
    (void)pthread_mutex_unlock(&k->lock);
    return more;
}

static bool write_whole(int fd, const char *text, size_t n)
{
    while (n > 0) {
        const ssize_t written = write(fd, text, n);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        text += written > 0 ? written : 0;
        n -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

static bool write_news(const struct component *k, const struct news *s)
{
    char text[LINE_MAX];
    const int n =
        snprintf(text, sizeof text, "%.6f,%s,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.2f,%s\n",
                 (double)s->at_us / 1e6, s->name, s->neu_m[0], s->neu_m[1], s->neu_m[2],
                 s->neu_mps[0], s->neu_mps[1], s->neu_mps[2], mf_deg(s->yaw_rad), s->mode);
    return write_whole(k->fd, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1u);
}

/* Call the plug-in, on the component's thread: it may block without a time limit. */
static void call_plugin(const struct component *k, const struct news *s)
{
    const struct mf_plugin_told told = {
        .number = s->i + 1u,
        .name = s->name,
        .mode = s->mode,
        .time_s = (double)s->at_us / 1e6,
        .at = {s->neu_m[1], s->neu_m[0], s->neu_m[2]},
        .velocity = {s->neu_mps[1], s->neu_mps[0], s->neu_mps[2]},
        .heading_rad = s->yaw_rad,
    };
    k->own->entry->component->told(&k->own->self, &told);
}

static void *feed_component(void *ctx)
{
    struct component *k = ctx;
    struct news news;
    bool takes = true;
    while (takes && wait_news(k, &news)) {
        if (k->own != NULL) {
            call_plugin(k, &news);
        } else {
            takes = write_news(k, &news);
        }
    }
    if (k->own != NULL && k->own->entry->component->end != NULL) {
        k->own->entry->component->end(&k->own->self);
    }
    (void)pthread_mutex_lock(&k->lock);
    k->gone = true;
    k->dropped += k->count + (takes ? 0u : 1u);
    k->count = 0;
    (void)pthread_cond_broadcast(&k->moved);
    (void)pthread_mutex_unlock(&k->lock);
    return NULL;
}

/* ---- the run's thread, which never waits for a component */

static void push_news(struct component *k, const struct news *news)
{
    (void)pthread_mutex_lock(&k->lock);
    k->queued++;
    if (k->gone || k->count == k->c->queue) {
        k->dropped++;
    } else {
        k->news[(k->first + k->count++) % k->c->queue] = *news;
        (void)pthread_cond_broadcast(&k->moved);
    }
    (void)pthread_mutex_unlock(&k->lock);
}

static void queue_member(void *ctx, uint32_t i, mf_us_t at_us)
{
    struct component *k = ctx;
    struct swarm *w = k->w;
    if (swarm_is_absent(w, i, at_us)) {
        return;
    }
    const struct mf_crowd_state now = swarm_state(w, i);
    const struct mf_pose p = swarm_pose(w, i, at_us);
    struct news news = {
        .i = i,
        .at_us = at_us,
        .neu_mps = {(double)p.vel_ned_mps[0], (double)p.vel_ned_mps[1], (double)-p.vel_ned_mps[2]},
        .yaw_rad = (double)p.yaw_rad,
        .mode = mf_mode_info((enum mf_mode)now.mode)->text,
    };
    mf_scenario_member_name(w->scenario, i, news.name);
    swarm_place(w, i, at_us, news.neu_m);
    push_news(k, &news);
}

/* ---- start and end */

static const char *get_name(const struct component *k)
{
    return k->own != NULL ? k->c->own.name : k->c->run;
}

static int find_plugins(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    int result = SWARM_OK;
    if (s->components == 0) {
        return SWARM_OK;
    }
    struct swarm_plugin *own = calloc(s->components, sizeof *own); /* it may outlive the run */
    w->state[SWARM_SLOT_COMPONENTS_PLUGIN] = own;
    if (own == NULL) {
        return swarm_refuse(w, 1, "components: no memory");
    }
    for (uint32_t n = 0; n < s->components && result == SWARM_OK; n++) {
        const struct mf_scenario_component *c = &s->component[n];
        struct swarm_plugin *o = &own[n];
        if (c->own.name[0] == '\0') {
            continue;
        }
        result = swarm_plugin_find(w, &c->own, MF_PLUGIN_COMPONENT, "components", c->line, o);
        if (result == SWARM_OK) {
            o->self.key = mf_chance_key(s->seed, s->variation_number, n, COMPONENT_PURPOSE);
            o->self.state = calloc(1, o->entry->state_bytes + 1u); /* not in the arena: a blocked
                                                                    * plug-in may outlive the run */
            result = o->self.state != NULL ? SWARM_OK : swarm_refuse(w, c->line, "no memory");
        }
    }
    return result;
}

static int start_program(struct component *k, int pipe_fd[2])
{
    char shell[] = "/bin/sh", option[] = "-c", run[MF_SCENARIO_FILE_MAX];
    char *const arguments[] = {shell, option, run, NULL};
    posix_spawn_file_actions_t actions;
    (void)snprintf(run, sizeof run, "%s", k->c->run);
    if (pipe2(pipe_fd, O_CLOEXEC) != 0) {
        return errno;
    }
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_adddup2(&actions, pipe_fd[0], STDIN_FILENO);
    posix_spawnattr_t group; /* a process group of its own, so that close_component() can kill its
                              * children, too */
    (void)posix_spawnattr_init(&group);
    (void)posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
    (void)posix_spawnattr_setpgroup(&group, 0);
    const int error = swarm_kept_spawn(k->w, &k->pid, arguments, &actions, &group, environ);
    (void)posix_spawnattr_destroy(&group);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(pipe_fd[0]);
    k->fd = pipe_fd[1];
    return error;
}

static int open_component(struct swarm *w, struct component *k,
                          const struct mf_scenario_component *c)
{
    int pipe_fd[2] = {-1, -1};
    *k = (struct component){.w = w, .c = c, .pid = -1, .fd = -1};
    k->news = calloc(c->queue, sizeof *k->news);
    k->id = calloc(w->scenario->members, sizeof *k->id);
    (void)pthread_mutex_init(&k->lock, NULL);
    (void)pthread_cond_init(&k->moved, NULL);
    const struct swarm_plugin *own = &component_plugins_of(w)[c - w->scenario->component];
    k->own = own->entry != NULL ? own : NULL;
    int error = k->news == NULL || k->id == NULL ? ENOMEM
                : k->own != NULL                 ? 0
                                                 : start_program(k, pipe_fd);
    error = error == 0 ? pthread_create(&k->thread, NULL, feed_component, k) : error;
    if (error != 0) {
        free(k->news);
        free(k->id);
        return swarm_refuse(w, c->line, "components: %s: %s", get_name(k), strerror(error));
    }
    return SWARM_OK;
}

static int open_components(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    int result = SWARM_OK;
    if (s->components == 0) {
        return SWARM_OK;
    }
    (void)signal(SIGPIPE, SIG_IGN); /* the death of a program must not end the run: write() fails */
    w->state[SWARM_SLOT_COMPONENTS] = calloc(1, sizeof *components_of(w));
    if (components_of(w) == NULL) {
        return swarm_refuse(w, 1, "components: no memory");
    }
    while (result == SWARM_OK && components_of(w)->count < s->components) {
        struct component *k = &components_of(w)->component[components_of(w)->count];
        result = open_component(w, k, &s->component[components_of(w)->count]);
        components_of(w)->count += result == SWARM_OK ? 1u : 0u;
    }
    return result;
}

static int begin_groups(struct swarm *w)
{
    struct swarm_components *components = components_of(w);
    for (uint32_t n = 0; components != NULL && n < components->count; n++) {
        struct component *k = &components->component[n];
        mf_group_init(&k->group, MF_PHASE_OBSERVE, queue_member, k, k->id, w->scenario->members);
        int result = mf_group_join(&w->engine, &k->group, 0, mf_us_of(k->c->every_s));
        for (uint32_t i = 0; i < w->scenario->members && result == MF_E_OK; i++) {
            if (mf_scenario_is_chosen(w->scenario, &k->c->of, i, !swarm_is_thing(w, i))) {
                result = mf_group_add(&w->engine, &k->group, i);
            }
        }
        MF_ASSERT(result == MF_E_OK); /* the engine has room for all groups */
    }
    return SWARM_OK;
}

/* Close the input of a program, wait until it has ended, at most END_S, and kill its group. */
static void end_program(struct component *k)
{
    (void)close(k->fd);
    for (int n = 0; n < 100 * END_S && waitpid(k->pid, NULL, WNOHANG) == 0; n++) {
        const struct timespec shortly = {0, 10000000};
        (void)nanosleep(&shortly, NULL);
    }
    (void)kill(-k->pid, SIGKILL);
}

/* Wait until a component has taken its queue, at most END_S; then kill a program. */
static void close_component(struct component *k)
{
    struct timespec until;
    int waited = 0;
    MF_ASSERT(k->pid > 1 || k->own != NULL);
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += END_S;
    (void)pthread_mutex_lock(&k->lock);
    k->ends = true;
    (void)pthread_cond_broadcast(&k->moved);
    while (!k->gone && waited == 0) {
        waited = pthread_cond_timedwait(&k->moved, &k->lock, &until);
    }
    if (waited != 0 && k->own != NULL) {
        k->gone = true;
        k->dropped += k->count;
        k->count = 0;
    }
    (void)pthread_mutex_unlock(&k->lock);
    if (waited != 0 && k->own != NULL) { /* its thread is blocked, and still uses its memory */
        (void)pthread_detach(k->thread);
        return;
    }
    if (waited != 0) {
        (void)kill(-k->pid, SIGKILL); /* ends the write() that blocks the thread */
    }
    (void)pthread_join(k->thread, NULL);
    if (k->own == NULL) {
        end_program(k);
    }
    free(k->news);
    free(k->id);
}

static void close_components(struct swarm *w, bool goes_on)
{
    struct swarm_components *c = components_of(w);
    (void)goes_on;
    for (uint32_t n = 0; c != NULL && n < c->count; n++) {
        close_component(&c->component[n]);
    }
}

static void print_summary(const struct swarm *w)
{
    const struct swarm_components *c = components_of(w);
    for (uint32_t n = 0; c != NULL && n < c->count; n++) {
        const struct component *k = &c->component[n];
        (void)printf("component %s: %" PRIu64 " lines, %" PRIu64 " dropped\n", get_name(k),
                     k->queued, k->dropped);
    }
}

static int refuse_checkpoint(struct swarm *w)
{
    return w->scenario->components == 0
               ? SWARM_OK
               : swarm_refuse(w, w->scenario->component[0].line,
                              "components: a checkpoint has no programs; take them out of the run");
}

const struct swarm_system swarm_components_system = {
    .name = "components",
    .on = {[SWARM_FIND] = find_plugins,
           [SWARM_KEEP] = refuse_checkpoint,
           [SWARM_BOOT] = open_components,
           [SWARM_BEGIN] = begin_groups},
    .finish = close_components,
    .print_summary = print_summary,
};
