/* SPDX-License-Identifier: Apache-2.0 */
/* Prepare a run on several hosts: check the scenario, start leaves, assign vehicles to places.
 * hosts.c calls it. */
#include "boards/swarm/hosts/hosts_share.h"

#include "boards/swarm/core/command.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/members/vehicles.h"
#include "fleet/share.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define REHEARSAL_US (20 * MF_SECOND_US) /* longest rehearsal, in vehicle time */
#define LOOK_US      (MF_SECOND_US / 10) /* interval at which a rehearsal reads the pose */
#define REHEARSAL_S  0.02                /* longest rehearsal, in processor time [s] */
#define END_S        5.0                 /* a leaf that has not exited after this is killed [s] */
#define START_MS     60000 /* longest wait for the HELLO of a started leaf, on a busy machine */
#define PASSED_FD    3

/* ---- check of the scenario */

static const char *find_unsupported_vehicle(const struct swarm *w,
                                            const struct mf_scenario_entity *e)
{
    static const char *const k_behaviour[MF_BEHAVIOURS] = {
        [MF_BEHAVIOUR_OWN] = "vehicles with behaviour: own",
        [MF_BEHAVIOUR_GRADIENT] = "vehicles with behaviour: gradient",
        [MF_BEHAVIOUR_SURVEY_FLOCK] = "vehicles with behaviour: survey_flock"};
    return e->body.own.name[0] != '\0'      ? "vehicles with a body of a plug-in"
           : w->scenario->planner.kind >= 0 ? "vehicles beside a hive"
                                            : k_behaviour[e->behaviour.kind];
}

static const char *find_unsupported(const struct swarm *w, const struct mf_scenario_entity *e)
{
    static const char *const k_kind[MF_SCENARIO_KINDS] = {
        [MF_SCENARIO_KIND_GHOST] = "ghosts", [MF_SCENARIO_KIND_BODY] = "bodies of autopilots"};
    return k_kind[e->as] != NULL               ? k_kind[e->as]
           : e->as == MF_SCENARIO_KIND_VEHICLE ? find_unsupported_vehicle(w, e)
                                               : NULL;
}

int swarm_hosts_check(struct swarm *w, const struct swarm_command *c)
{
    const struct mf_scenario *s = w->scenario;
    const struct {
        bool is;
        const char *what;
    } no[] = {
        {c->checkpoint != NULL || c->resume != NULL, "--checkpoint and --resume"},
        {c->replay != NULL, "--replay"},
        {s->links.api[0] != '\0', "links.api"},
        {mf_scenario_is_linked(s) && s->links.transport != MF_SCENARIO_TRANSPORT_VEHICLE,
         "links without transport: vehicle"},
        {s->components > 0, "components"},
        {s->outputs.record.file[0] != '\0', "outputs.record"},
        {s->outputs.tlog.file[0] != '\0', "outputs.tlog"},
        {swarm_vehicles_top(s) == 0, "a swarm without vehicles"},
    };
    const char *what = NULL;
    for (size_t k = 0; k < sizeof no / sizeof no[0] && what == NULL; k++) {
        what = no[k].is ? no[k].what : NULL;
    }
    for (uint32_t k = 0; k < s->entities && what == NULL; k++) {
        what = find_unsupported(w, &s->entity[k]);
    }
    return what == NULL
               ? SWARM_OK
               : swarm_refuse(w, s->hosts.line,
                              "hosts: %s cannot be spread over several processes yet", what);
}

/* ---- leaves on this machine */

/* Start a leaf. @return the root's end of a socket to it; < 0 with errno */
static int start_leaf(pid_t *pid)
{
    char join[] = "--join", self[] = "/proc/self/exe";
    char *words[] = {self, join, getenv("SWARM_HOSTS_LISTEN"), NULL};
    int pair[2];
    posix_spawnattr_t own_group; /* signals of the terminal reach the root alone */
    posix_spawn_file_actions_t files;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        return -1;
    }
    (void)posix_spawnattr_init(&own_group);
    (void)posix_spawnattr_setflags(&own_group, POSIX_SPAWN_SETPGROUP);
    (void)posix_spawn_file_actions_init(&files);
    (void)posix_spawn_file_actions_adddup2(&files, pair[1], PASSED_FD);
    const int error = posix_spawn(pid, self, &files, &own_group, words, environ);
    (void)posix_spawn_file_actions_destroy(&files);
    (void)posix_spawnattr_destroy(&own_group);
    (void)close(pair[1]);
    if (error != 0) {
        *pid = 0;
        (void)close(pair[0]);
        errno = error;
    }
    return error == 0 ? pair[0] : -1;
}

int swarm_hosts_start_leaves(struct swarm *w, struct swarm_branches *b, pid_t *pid)
{
    const struct mf_scenario_hosts *s = &w->scenario->hosts;
    int fd[MF_SCENARIO_LEAVES_MAX], result = SWARM_OK;
    char passed[16];
    uint32_t count = 0;
    (void)snprintf(passed, sizeof passed, "%d", PASSED_FD);
    (void)setenv("SWARM_HOSTS_TOKEN", s->token, 1);
    (void)setenv(SWARM_HOSTS_SOCKET, passed, 1);
    for (; count < s->start && result == SWARM_OK; count++) {
        fd[count] = start_leaf(&pid[count]);
        result = fd[count] >= 0
                     ? SWARM_OK
                     : swarm_refuse(w, s->line, "hosts: cannot start a leaf: %s", strerror(errno));
    }
    (void)unsetenv(SWARM_HOSTS_SOCKET); /* programs of the scenario must not inherit either */
    (void)unsetenv("SWARM_HOSTS_TOKEN");
    for (uint32_t k = 0; k < count && fd[k] >= 0; k++) {
        struct pollfd poll_fd = {fd[k], POLLIN, 0};
        if (result != SWARM_OK) {
            (void)close(fd[k]);
            continue;
        }
        (void)poll(&poll_fd, 1, START_MS);
        if (!swarm_branches_join(b, fd[k])) {
            result = swarm_refuse(w, s->line, "hosts: a leaf ended before it had joined");
        }
    }
    return result;
}

void swarm_hosts_end_leaves(const pid_t *pid)
{
    const double until_s = swarm_wall_s() + END_S;
    for (uint32_t k = 0; k < MF_SCENARIO_LEAVES_MAX; k++) {
        int status;
        while (pid[k] > 0 && waitpid(pid[k], &status, WNOHANG) == 0) {
            const struct timespec shortly = {0, 5000000};
            (void)nanosleep(&shortly, NULL);
            if (swarm_wall_s() > until_s) {
                (void)kill(pid[k], SIGKILL);
            }
        }
    }
}

void swarm_hosts_set_names(struct swarm_branches *b)
{
    for (uint32_t p = 0; p < b->places; p++) {
        bool good = b->name[p][0] != '\0';
        for (uint32_t q = 0; q < p && good; q++) {
            good = strcmp(b->name[p], b->name[q]) != 0;
        }
        if (!good) {
            (void)snprintf(b->name[p], sizeof b->name[p], "leaf-%u", (unsigned)p + 1u);
        }
    }
}

/* ---- cost of a vehicle */

static double cpu_s(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Fly the first vehicle of an entity alone; called in a child process. @return processor time for a
 * second of vehicle time; 0: failed */
static double rehearse_vehicle(struct swarm *w, const struct mf_scenario_entity *e)
{
    uint8_t *here = calloc(w->scenario->members, 1);
    if (here == NULL) {
        return 0.0;
    }
    here[e->first] = 1;
    w->members.here = here;
    w->state[SWARM_SLOT_HOSTS] = NULL;
    memset(&w->workers, 0, sizeof w->workers);
    if (mf_workers_start(&w->workers, 1) != MF_E_OK ||
        swarm_systems_do(w, SWARM_PREPARE) != SWARM_OK || swarm_boot(w) != SWARM_OK) {
        return 0.0;
    }
    const double begin_s = cpu_s();
    if (e->plan[0] != '\0') {
        swarm_start_members(w, e->first, e->first + 1u, 0);
    }
    while (w->now_us < REHEARSAL_US && cpu_s() - begin_s < REHEARSAL_S) {
        w->now_us += LOOK_US;
        mf_crowd_run(w->members.crowd, NULL, w->now_us);
        (void)mf_crowd_pose(w->members.crowd, e->first, w->now_us);
    }
    return (cpu_s() - begin_s) / ((double)w->now_us / 1e6);
}

static double measure_cost(struct swarm *w, const struct mf_scenario_entity *e)
{
    int ends[2];
    double cost = 0.0;
    (void)fflush(NULL); /* or the child would write buffered output again */
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return 0.0;
    }
    const pid_t pid = fork();
    if (pid == 0) {
        const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        (void)dup2(nowhere, STDERR_FILENO);
        cost = rehearse_vehicle(w, e);
        _exit(write(ends[1], &cost, sizeof cost) == (ssize_t)sizeof cost ? 0 : 1);
    }
    (void)close(ends[1]);
    if (pid > 0) {
        if (read(ends[0], &cost, sizeof cost) != (ssize_t)sizeof cost) {
            cost = 0.0; /* the rehearsal failed */
        }
        (void)waitpid(pid, NULL, 0);
    }
    (void)close(ends[0]);
    return cost;
}

/* ---- assignment */

static int32_t find_place_named(const struct swarm_branches *b, const char *name)
{
    char *end;
    const unsigned long number = strtoul(name, &end, 10);
    for (uint32_t p = 0; p < b->places; p++) {
        if (strcmp(b->name[p], name) == 0 || (*end == '\0' && number == p + 1u)) {
            return (int32_t)p;
        }
    }
    return -1;
}

static int pin_members(struct swarm *w, const struct swarm_branches *b, struct mf_share *of)
{
    const struct mf_scenario_own *pins = &w->scenario->hosts.pin;
    for (uint32_t k = 0; k < pins->params; k++) {
        uint32_t from = 0, to = 0;
        const char *name = pins->param[k].name, *value = pins->param[k].value;
        const int32_t place = find_place_named(b, value);
        if (!mf_scenario_find(w->scenario, name, &from, &to)) {
            return swarm_refuse(w, pins->param[k].line,
                                "hosts.pin: no entity or member is called '%s'", name);
        }
        if (place < 0) {
            return swarm_refuse(w, pins->param[k].line,
                                "hosts.pin: there is no leaf '%s': %u have joined", value,
                                (unsigned)b->places);
        }
        for (uint32_t i = from; i < to; i++) {
            of[i].place = place;
        }
    }
    return SWARM_OK;
}

int swarm_hosts_place(struct swarm *w, const struct swarm_branches *b, uint16_t *place)
{
    const struct mf_scenario *s = w->scenario;
    for (uint32_t k = 0; k < s->processes; k++) {
        const struct mf_scenario_process *p = &s->process[k];
        const int32_t at = p->host[0] != '\0' ? find_place_named(b, p->host) : UINT16_MAX;
        if (at < 0) {
            return swarm_refuse(w, p->line,
                                "processes: host: there is no leaf '%s': %u have joined", p->host,
                                (unsigned)b->places);
        }
        place[k] = (uint16_t)at;
    }
    return SWARM_OK;
}

static void print_shares(const struct swarm_branches *b, const uint32_t *count, const double *load)
{
    for (uint32_t p = 0; p < b->places; p++) {
        (void)fprintf(stderr, "mayfly-swarm: hosts: %u %s: %u vehicles, %.3f ms for a second\n",
                      (unsigned)p + 1u, b->name[p], (unsigned)count[p], load[p] * 1e3);
    }
}

int swarm_hosts_share(struct swarm *w, const struct swarm_branches *b, uint16_t *place)
{
    const struct mf_scenario *s = w->scenario;
    double load[MF_SCENARIO_LEAVES_MAX];
    uint32_t count[MF_SCENARIO_LEAVES_MAX] = {0};
    struct mf_share *share = calloc(s->members, sizeof *share);
    if (share == NULL) {
        return swarm_refuse(w, s->hosts.line, "hosts: no memory");
    }
    for (uint32_t k = 0; k < s->entities; k++) {
        const struct mf_scenario_entity *e = &s->entity[k];
        const double cost = e->as == MF_SCENARIO_KIND_VEHICLE ? measure_cost(w, e) : 0.0;
        for (uint32_t i = e->first; i < e->first + e->count; i++) {
            share[i] = (struct mf_share){i, cost, -1};
        }
    }
    const int result = pin_members(w, b, share);
    size_t vehicles = 0;
    for (uint32_t i = 0; i < s->members; i++) { /* other members stay with the root */
        if (swarm_is_vehicle(w, i)) {
            share[vehicles++] = share[i];
        }
    }
    if (result == SWARM_OK) {
        mf_share_out(share, vehicles, load, b->places);
        for (size_t i = 0; i < vehicles; i++) {
            place[share[i].member] = (uint16_t)share[i].place;
            count[share[i].place]++;
        }
        print_shares(b, count, load);
    }
    free(share);
    return result;
}

/* ---- records of the command line */

void swarm_hosts_put_given(const struct swarm *w, struct mf_hosts_writer *out,
                           const struct swarm_command *c)
{
    swarm_wire_put_text(out, MF_HOSTS_SCENARIO_, 0, w->file);
    if (c->given.variation != NULL) {
        swarm_wire_put_text(out, MF_HOSTS_VARIATION_, 0, c->given.variation);
    }
    for (size_t k = 0; k < c->given.sets; k++) {
        swarm_wire_put_text(out, MF_HOSTS_SET_, 0, c->given.set[k]);
    }
}
