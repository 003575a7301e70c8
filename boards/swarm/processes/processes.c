/* SPDX-License-Identifier: Apache-2.0 */
/* Starts the scenario's programs, waits for their ends, and judges their codes. program/systems.c
 * lists its system; ghosts/ starts drones, hosts/ starts programs on leaves, and files that wait
 * for time 0 check that no program has failed. */
#include "boards/swarm/processes/processes.h"

#include "boards/swarm/core/kept.h"
#include "boards/swarm/core/participants.h"
#include "boards/swarm/processes/patience.h"
#include "boards/swarm/processes/spins.h"
#include "boards/swarm/radio/sockets.h"
#include "fleet/place.h"
#include "fleet/scenario_ghost.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define END_MS          20
#define KEEPER_S        5.0 /* time of a keeper to end its program's descendants, and more [s] */
#define ENDS_S          0.5 /* longest wait for the end of a drone that does not answer [s] */
#define DRONE_VARIABLES 7u
#define SERVER          "mayfly" /* program whose command exec has the time server */
#define SCRIPT_MAX      32768u
/* Most bytes of a process's environment, with each value quoted. */
#define ENVIRONMENT_MAX                                    \
    (SWARM_SOCKETS_VARIABLES * (SWARM_SOCKETS_TEXT + 1u) + \
     MF_SCENARIO_OWN_MAX * 5u * sizeof((struct mf_scenario_own *)0)->param[0].value)
#define PASSED_FD     3
#define WORD_MAX      (MF_SCENARIO_WORD_MAX + 16u)
#define VARIABLES_MAX 4096u /* most variables that a process inherits from the swarm */

struct process {
    const struct mf_scenario_process *of; /* NULL: the process of all programs in virtual time */
    uint32_t member;                      /* number of the drone's member */
    int socket;                           /* swarm's end of the drone's socket */
    pid_t pid;                            /* pid of its keeper; 0: it does not run */
    bool started, ended_by_itself, dropped;
    bool away; /* runs on a leaf, which has not reported its end */
    bool lost; /* its leaf is lost, and will not report its end */
    double begin_s, end_s;
    mf_us_t ended_us;
    int code; /* exit code; 128 and more: 128 + signal */
};

struct swarm_processes {
    struct process process[MF_SCENARIO_PROCESSES_MAX];
    struct process world; /* the time server, of which all programs in virtual time are children */
    uint32_t virtuals;
    int codes; /* pipe with the exit codes of programs in virtual time */
    struct process *drone;
    uint32_t drones;
    double terminated_s; /* wall time at which all processes were sent SIGTERM [s] */
    uint32_t running;    /* number of processes that still run then */
    char server[PATH_MAX + 8u], address[32];
    int (*start_away)(struct swarm *w, uint32_t k); /* starts process @p k on a leaf */
    char script[SCRIPT_MAX];                        /* for a shell: programs in virtual time */
    char line[1024];                                /* part of a line that has arrived */
    size_t line_n;
    /* Environment of the process that starts at present */
    char given[MF_SCENARIO_OWN_MAX][sizeof((struct mf_scenario_own *)0)->param[0].name +
                                    sizeof((struct mf_scenario_own *)0)->param[0].value + 1u];
    char *variable[VARIABLES_MAX + MF_SCENARIO_OWN_MAX + DRONE_VARIABLES + 1u];
    char drone_text[DRONE_VARIABLES][128], *drone_variable[DRONE_VARIABLES + 1u];
};

static struct swarm_processes *processes_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_PROCESSES];
}

void swarm_process_delegate(struct swarm *w, int (*start)(struct swarm *w, uint32_t k))
{
    processes_of(w)->start_away = start;
}

/* ---- set-up */

static int find_server(struct swarm *w, int line)
{
    struct swarm_processes *p = processes_of(w);
    char self[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1u);
    self[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
    (void)snprintf(p->server, sizeof p->server, "%s/%s", self, SERVER);
    return access(p->server, X_OK) == 0
               ? SWARM_OK
               : swarm_refuse(w, line,
                              "processes: clock: virtual needs %.200s, whose 'exec --virtual' "
                              "serves the time",
                              p->server);
}

/* Find a TCP port of 127.0.0.1 that is free at present, for the time server. */
static int find_port(struct swarm *w, int line)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t n = sizeof a;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) != 0 ||
        getsockname(fd, (struct sockaddr *)&a, &n) != 0) {
        return swarm_refuse(w, line, "processes: no free port: %s", strerror(errno));
    }
    (void)close(fd);
    (void)snprintf(processes_of(w)->address, sizeof processes_of(w)->address, "127.0.0.1:%u",
                   (unsigned)ntohs(a.sin_port));
    return SWARM_OK;
}

static int prepare_virtual(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    int first = 0;
    for (uint32_t k = 0; k < s->processes; k++) {
        if (s->process[k].clock == MF_SCENARIO_PROCESS_VIRTUAL) {
            first = processes_of(w)->virtuals++ == 0 ? s->process[k].line : first;
        }
    }
    const int checked = swarm_processes_check(w);
    if (processes_of(w)->virtuals == 0 || checked != SWARM_OK) {
        return checked;
    }
    if (s->time.clock != MF_SCENARIO_CLOCK_LOCKSTEP || w->command->time_server != NULL) {
        return swarm_refuse(w, first,
                            "processes: programs in virtual time own the swarm's: time.clock must "
                            "be lockstep, and --time-server is theirs");
    }
    const int result = find_server(w, first);
    return result == SWARM_OK ? find_port(w, first) : result;
}

/* ---- start */

static void reap_process(struct swarm *w, struct process *x, bool by_itself)
{
    int status = 0;
    if (x->pid > 0 && waitpid(x->pid, &status, WNOHANG) == x->pid) {
        x->pid = 0;
        x->ended_by_itself = by_itself;
        x->end_s = swarm_wall_s();
        x->ended_us = w->now_us;
        x->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
}

/* Start a program. @param fd  passed to it as PASSED_FD; < 0: none */
static int start_program(struct swarm *w, struct process *x, char **words, char **environment,
                         int fd, int line)
{
    posix_spawn_file_actions_t files;
    (void)posix_spawn_file_actions_init(&files);
    if (fd >= 0) {
        (void)posix_spawn_file_actions_adddup2(&files, fd, PASSED_FD);
    }
    const int error = swarm_kept_spawn(w, &x->pid, words, &files, NULL, environment);
    (void)posix_spawn_file_actions_destroy(&files);
    if (error != 0) {
        x->pid = 0;
        return swarm_refuse(w, line, "processes: %s: %s", words[0], strerror(error));
    }
    x->started = true;
    x->begin_s = swarm_wall_s();
    return SWARM_OK;
}

/* True if the scenario sets a variable, "NAME=value", for a process. */
static bool is_set_by_scenario(const struct mf_scenario_process *p, const char *variable)
{
    for (uint32_t i = 0; i < p->env.params; i++) {
        const size_t n = strlen(p->env.param[i].name);
        if (strncmp(variable, p->env.param[i].name, n) == 0 && variable[n] == '=') {
            return true;
        }
    }
    return false;
}

/* Environment of a process: variables of the scenario, of @p more, which ends with NULL, and of
 * the swarm, in this precedence. Valid until the next call. */
static char **make_environment(const struct swarm *w, const struct mf_scenario_process *p,
                               char **more)
{
    struct swarm_processes *a = processes_of(w);
    size_t n = 0;
    for (; *more != NULL; more++) {
        if (!is_set_by_scenario(p, *more)) {
            a->variable[n++] = *more;
        }
    }
    for (char **own = environ; *own != NULL && n < VARIABLES_MAX; own++) {
        if (!is_set_by_scenario(p, *own)) {
            a->variable[n++] = *own;
        }
    }
    for (uint32_t i = 0; i < p->env.params; i++) {
        (void)snprintf(a->given[i], sizeof a->given[i], "%s=%s", p->env.param[i].name,
                       p->env.param[i].value);
        a->variable[n++] = a->given[i];
    }
    a->variable[n] = NULL;
    return a->variable;
}

/* Quote a word for a shell. @return number of bytes written */
static size_t quote_word(char *to, size_t room, const char *word)
{
    size_t n = 0;
    to[n++] = '\'';
    for (; *word != '\0' && n + 6u < room; word++) {
        if (*word == '\'') {
            n += (size_t)snprintf(to + n, room - n, "'\\''");
        } else {
            to[n++] = *word;
        }
    }
    to[n++] = '\'';
    to[n] = '\0';
    return n;
}

/* Write a shell script that starts all programs in virtual time in their order. Its exit code is
 * the first that is not 0. */
static bool write_script(struct swarm *w, char *script)
{
    const struct mf_scenario *s = w->scenario;
    char given[SWARM_SOCKETS_VARIABLES][SWARM_SOCKETS_TEXT];
    size_t n = 0;
    for (uint32_t k = 0; k < s->processes; k++) {
        const struct mf_scenario_process *p = &s->process[k];
        if (p->clock != MF_SCENARIO_PROCESS_VIRTUAL) {
            continue;
        }
        if (n + ENVIRONMENT_MAX > SCRIPT_MAX) {
            return false;
        }
        script[n++] = '{';
        script[n++] = ' ';
        char mark[SWARM_SPINS_TEXT];
        swarm_spins_environment(k, mark);
        n += (size_t)snprintf(script + n, SCRIPT_MAX - n, "%s ", mark);
        const size_t sockets = swarm_sockets_environment(w, p->node, given);
        for (size_t i = 0; i < sockets; i++) {
            n += (size_t)snprintf(script + n, SCRIPT_MAX - n, "%s ", given[i]);
        }
        for (uint32_t i = 0; i < p->env.params; i++) {
            n += (size_t)snprintf(script + n, SCRIPT_MAX - n, "%s=", p->env.param[i].name);
            n += quote_word(script + n, SCRIPT_MAX - n, p->env.param[i].value);
            script[n++] = ' ';
        }
        for (uint32_t i = 0; i < p->words; i++) {
            if (n + 4u * MF_SCENARIO_WORD_MAX > SCRIPT_MAX) {
                return false;
            }
            n += quote_word(script + n, SCRIPT_MAX - n, p->word[i]);
            script[n++] = ' ';
        }
        n += (size_t)snprintf(script + n, SCRIPT_MAX - n,
                              "3>&-; c=$?; echo %u $c >&3; exit $c; } & p%u=$!\n", (unsigned)k,
                              (unsigned)k);
    }
    n += (size_t)snprintf(script + n, SCRIPT_MAX - n, "code=0\n");
    for (uint32_t k = 0; k < s->processes; k++) {
        if (s->process[k].clock == MF_SCENARIO_PROCESS_VIRTUAL && n + 200u < SCRIPT_MAX) {
            n += (size_t)snprintf(script + n, SCRIPT_MAX - n,
                                  "wait $p%u || { c=$?; [ $code != 0 ] || code=$c; }\n",
                                  (unsigned)k);
        }
    }
    return snprintf(script + n, SCRIPT_MAX - n, "exit $code\n") < (int)(SCRIPT_MAX - n);
}

static int start_world(struct swarm *w)
{
    struct swarm_processes *a = processes_of(w);
    char run[] = "exec", virtual[] = "--virtual";
    char world[] = "--world", drones[] = "--world-drones", one[] = "1", last[] = "--";
    char shell[] = "sh", option[] = "-c";
    char *words[] = {a->server, run,  virtual, world,  a->address, drones,
                     one,       last, shell,   option, a->script,  NULL};
    if (!write_script(w, a->script)) {
        return swarm_refuse(w, w->scenario->process[0].line,
                            "processes: the commands in virtual time are too long together");
    }
    int pair[2] = {-1, -1};
    if (pipe2(pair, O_CLOEXEC | O_NONBLOCK) != 0) {
        return swarm_refuse(w, w->scenario->process[0].line, "processes: %s", strerror(errno));
    }
    a->codes = pair[0];
    char quiet[] = "MAYFLY_LOG_LEVEL=warning", tells[SWARM_SPINS_TEXT];
    char *more[] = {quiet, tells, NULL};
    swarm_spins_server(w, PASSED_FD, tells);
    static const struct mf_scenario_process k_nothing;
    char **environment =
        make_environment(w, &k_nothing, getenv("MAYFLY_LOG_LEVEL") ? &more[1] : more);
    const int line = w->scenario->process[0].line;
    const int result = start_program(w, &a->world, words, environment, pair[1], line);
    (void)close(pair[1]);
    for (uint32_t k = 0; k < w->scenario->processes && result == SWARM_OK; k++) {
        struct process *x = &a->process[k];
        if (w->scenario->process[k].clock == MF_SCENARIO_PROCESS_VIRTUAL) {
            *x = (struct process){
                .of = &w->scenario->process[k], .started = true, .begin_s = a->world.begin_s};
        }
    }
    return result;
}

/* Variables that make a program the drone of @p member; the scenario may set others. Valid until
 * the next call. */
static char **make_variables(const struct swarm *w, uint32_t member)
{
    struct swarm_processes *a = processes_of(w);
    char(*text)[sizeof a->drone_text[0]] = a->drone_text;
    const struct mf_placed placed = mf_place(w->scenario, member);
    (void)snprintf(text[0], sizeof text[0], "MAYFLY_TIME_SERVER=fd:%d", PASSED_FD);
    (void)snprintf(text[1], sizeof text[1], "MAYFLY_CLOCK=lockstep");
    (void)snprintf(text[2], sizeof text[2], "MAYFLY_TRANSPORT=vehicle");
    (void)snprintf(text[3], sizeof text[3], "MAYFLY_EPOCH=2026-01-01");
    (void)snprintf(text[4], sizeof text[4], "MAYFLY_LOG_LEVEL=warning");
    (void)snprintf(text[5], sizeof text[5], "MAYFLY_INSTANCE=%u", (unsigned)member);
    (void)snprintf(text[6], sizeof text[6], "MAYFLY_HOME=%.9f,%.9f,%.4f", placed.at.lat_deg,
                   placed.at.lon_deg, placed.alt_amsl_m);
    for (size_t i = 0; i < DRONE_VARIABLES; i++) {
        a->drone_variable[i] = text[i];
    }
    return a->drone_variable;
}

/* Replace "%n" in a word by the number of the member, from 1. */
static void put_word(const char *word, uint32_t member, char text[WORD_MAX])
{
    const char *mark = strstr(word, "%n");
    if (mark == NULL) {
        (void)snprintf(text, WORD_MAX, "%s", word);
    } else {
        (void)snprintf(text, WORD_MAX, "%.*s%u%s", (int)(mark - word), word, (unsigned)member + 1u,
                       mark + 2);
    }
}

static int start_drone(struct swarm *w, const struct mf_scenario_process *p, uint32_t member)
{
    char text[MF_SCENARIO_WORDS_MAX][WORD_MAX], *words[MF_SCENARIO_WORDS_MAX + 1u] = {NULL};
    struct process *x = &processes_of(w)->drone[processes_of(w)->drones];
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        return swarm_refuse(w, p->line, "processes: %s", strerror(errno));
    }
    for (uint32_t i = 0; i < p->words; i++) {
        put_word(p->word[i], member, text[i]);
        words[i] = text[i];
    }
    MF_ASSERT(words[0] != NULL); /* swarm_processes_check() refuses a process without words */
    *x = (struct process){.of = p, .member = member, .socket = pair[0]};
    processes_of(w)->drones++;
    const int result = start_program(w, x, words, make_environment(w, p, make_variables(w, member)),
                                     pair[1], p->line);
    (void)close(pair[1]);
    return result;
}

int swarm_process_drones(struct swarm *w)
{
    struct swarm_processes *p = processes_of(w);
    const struct mf_scenario *s = w->scenario;
    int result = SWARM_OK;
    p->drone = calloc(s->members + 1u, sizeof *p->drone);
    if (p->drone == NULL) {
        return swarm_refuse(w, 1, "no memory");
    }
    for (uint32_t k = 0; k < s->processes; k++) {
        for (uint32_t i = 0; i < s->members && result == SWARM_OK; i++) {
            if (mf_scenario_process_of(s, mf_scenario_entity_of(s, i)) == &s->process[k]) {
                result = start_drone(w, &s->process[k], i);
            }
        }
    }
    return result;
}

static struct process *find_drone(const struct swarm *w, uint32_t i)
{
    const struct swarm_processes *p = processes_of(w);
    uint32_t k = 0;
    while (k < p->drones && p->drone[k].member != i) {
        k++;
    }
    MF_ASSERT(k < p->drones);
    return &p->drone[k];
}

int swarm_process_get_socket(const struct swarm *w, uint32_t i)
{
    return find_drone(w, i)->socket;
}

int swarm_process_refuse(struct swarm *w, uint32_t i)
{
    struct process *x = find_drone(w, i);
    char name[SWARM_NAME_MAX];
    const double until_s = swarm_wall_s() + ENDS_S;
    mf_scenario_member_name(w->scenario, i, name);
    while (x->pid > 0 && w->error[0] == '\0' && swarm_wall_s() < until_s) {
        reap_process(w, x, true);
        (void)poll(NULL, 0, END_MS);
    }
    return w->error[0] != '\0' ? SWARM_INPUT
           : x->pid == 0
               ? swarm_refuse(w, x->of->line, "processes: %s ended with %s %d before time 0", name,
                              x->code < 128 ? "code" : "signal",
                              x->code < 128 ? x->code : x->code - 128)
               : swarm_refuse(w, x->of->line,
                              "processes: %s does not speak as a drone on the time socket: run "
                              "build/mayfly, or a program that takes MAYFLY_TIME_SERVER",
                              name);
}

int swarm_process_start(struct swarm *w, uint32_t k)
{
    struct mf_scenario_process *p = &w->scenario->process[k];
    char *words[MF_SCENARIO_WORDS_MAX + 1u] = {NULL};
    char *none = NULL;
    for (uint32_t i = 0; i < p->words; i++) {
        words[i] = p->word[i];
    }
    MF_ASSERT(words[0] != NULL); /* swarm_processes_check() refuses a process without words */
    processes_of(w)->process[k].of = p;
    return start_program(w, &processes_of(w)->process[k], words, make_environment(w, p, &none), -1,
                         p->line);
}

static int start_all(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    int result = SWARM_OK;
    for (uint32_t k = 0; k < s->processes && result == SWARM_OK; k++) {
        const struct mf_scenario_process *p = &s->process[k];
        if (p->host[0] != '\0') {
            processes_of(w)->process[k] =
                (struct process){.of = p, .started = true, .away = true, .begin_s = swarm_wall_s()};
            result = processes_of(w)->start_away(w, k);
        } else if (p->clock != MF_SCENARIO_PROCESS_VIRTUAL && p->members[0] == '\0') {
            result = swarm_process_start(w, k);
        }
    }
    return result == SWARM_OK && processes_of(w)->virtuals > 0 ? start_world(w) : result;
}

/* ---- end */

/* Read exit codes of programs in virtual time, in lines "NUMBER CODE". */
static void read_codes(struct swarm *w)
{
    struct swarm_processes *a = processes_of(w);
    const ssize_t got = read(a->codes, a->line + a->line_n, sizeof a->line - 1u - a->line_n);
    a->line_n += got > 0 ? (size_t)got : 0;
    for (char *end; (end = memchr(a->line, '\n', a->line_n)) != NULL;) {
        char *after = NULL;
        const bool spins = swarm_spins_receive(w, a->line);
        const unsigned long k = strtoul(a->line, &after, 10);
        if (!spins && k < MF_SCENARIO_PROCESSES_MAX) {
            struct process *x = &a->process[k];
            x->code = (int)strtol(after, NULL, 10);
            x->ended_by_itself = true;
            x->dropped = swarm_spins_has_dropped(w, (uint32_t)k);
            a->world.dropped |= x->dropped; /* the server's code is that of the program */
            x->end_s = swarm_wall_s();
            x->ended_us = w->now_us;
        }
        a->line_n -= (size_t)(end + 1 - a->line);
        memmove(a->line, end + 1, a->line_n);
    }
}

bool swarm_processes_has_virtual(const struct swarm *w)
{
    return processes_of(w)->virtuals > 0;
}

bool swarm_processes_has_failed(struct swarm *w)
{
    struct swarm_silence *silence = swarm_silence_of(w);
    for (uint32_t k = 0; k < w->scenario->processes && !silence->stops; k++) {
        struct process *x = &processes_of(w)->process[k];
        reap_process(w, x, true);
        if (x->ended_by_itself && x->code != 0) {
            (void)swarm_refuse(w, x->of->line, "processes: '%s' ended with %s %d before time 0",
                               mf_scenario_process_name(x->of), x->code < 128 ? "code" : "signal",
                               x->code < 128 ? x->code : x->code - 128);
            silence->stops = true;
        }
    }
    return silence->stops;
}

/* True if all programs in virtual time have ended: nothing requests time any more. */
static bool have_virtual_ended(struct swarm *w, bool pending)
{
    struct swarm_processes *p = processes_of(w);
    (void)pending;
    if (p->virtuals > 0 && p->world.started) {
        read_codes(w);
        swarm_spins_look(w);
        reap_process(w, &p->world, true);
    }
    return p->virtuals > 0 && p->world.started && p->world.pid == 0;
}

/* Call a function for each process of this machine, the time server last. */
static void visit_processes(struct swarm *w, void (*visit)(struct swarm *w, struct process *x))
{
    struct swarm_processes *p = processes_of(w);
    for (uint32_t k = 0; k < p->drones; k++) {
        visit(w, &p->drone[k]);
    }
    for (uint32_t k = 0; k < w->scenario->processes; k++) {
        visit(w, &p->process[k]);
    }
    visit(w, &p->world);
}

static void terminate_process(struct swarm *w, struct process *x)
{
    reap_process(w, x, true);
    if (x->pid > 0) {
        (void)kill(x->pid, SIGTERM);
    }
}

/* Reap a process that was sent SIGTERM, or kill it if its time is over; count it if it runs. */
static void reap_or_kill(struct swarm *w, struct process *x)
{
    const double late_s = swarm_wall_s() - processes_of(w)->terminated_s - SWARM_PROCESS_END_S;
    reap_process(w, x, false);
    if (x->pid > 0 && late_s > KEEPER_S) {
        (void)kill(x->pid, SIGKILL); /* swarm_kept_reclaim() kills its descendants */
    }
    const pid_t program = x->pid > 0 && late_s > 0.0 ? swarm_kept_find_program(x->pid) : 0;
    if (program > 0) {
        (void)kill(program, SIGKILL); /* its keeper kills the other processes */
    }
    processes_of(w)->running += x->pid > 0 ? 1u : 0u;
}

/* Send SIGTERM to all processes, and wait until they have ended: their times pass side by side. */
static void terminate_all(struct swarm *w)
{
    struct swarm_processes *p = processes_of(w);
    visit_processes(w, terminate_process);
    p->terminated_s = swarm_wall_s();
    do {
        p->running = 0;
        visit_processes(w, reap_or_kill);
    } while (p->running > 0 && poll(NULL, 0, END_MS) <= 0);
}

/* Add the line of a process that has ended to the table of participants.
 * @return false: it has ended on its own with a code other than 0 */
static bool list_process(struct swarm *w, struct process *x, const char *name)
{
    char how[96];
    if (!x->started) {
        return true;
    }
    const char *host = x->of != NULL ? x->of->host : "";
    if (x->lost || x->away) {
        (void)snprintf(how, sizeof how, "lost, on %s", host);
    } else {
        (void)snprintf(how, sizeof how, "%s %d%s%s%s", x->code < 128 ? "code" : "signal",
                       x->code < 128 ? x->code : x->code - 128,
                       x->dropped           ? ", let go"
                       : x->ended_by_itself ? ""
                                            : ", told to end",
                       host[0] != '\0' ? ", on " : "", host);
    }
    swarm_participants_add(
        w, &(struct swarm_participant){"process", name, x->ended_us, x->end_s - x->begin_s, how});
    x->started = false;
    return !x->ended_by_itself || x->dropped || x->code == 0;
}

void swarm_processes_stop(struct swarm *w, swarm_process_exit_fn *exited)
{
    terminate_all(w);
    for (uint32_t k = 0; k < w->scenario->processes; k++) {
        struct process *x = &processes_of(w)->process[k];
        if (x->started) {
            exited(
                w, k,
                &(struct swarm_process_exit){x->code, x->ended_by_itself, x->end_s - x->begin_s});
            x->started = false;
        }
    }
}

static void set_end_away(struct process *x, mf_us_t at_us)
{
    x->away = false;
    x->end_s = swarm_wall_s();
    x->ended_us = at_us;
}

void swarm_process_exited(struct swarm *w, uint32_t k, const struct swarm_process_exit *how)
{
    if (k < w->scenario->processes && processes_of(w)->process[k].away) {
        struct process *x = &processes_of(w)->process[k];
        set_end_away(x, w->now_us);
        x->code = how->code;
        x->ended_by_itself = how->by_itself;
        x->begin_s = x->end_s - how->wall_s;
    }
}

void swarm_process_mark_lost(struct swarm *w, uint32_t k, mf_us_t at_us)
{
    struct process *x = &processes_of(w)->process[k];
    if (x->away) {
        set_end_away(x, at_us);
        x->lost = true;
    }
}

/* Set the end of a program in virtual time, when the time server has ended. */
static void end_virtual(const struct process *world, struct process *x)
{
    if (!x->ended_by_itself) { /* the server has ended the program, or was sent SIGTERM */
        x->code = world->code;
        x->end_s = world->end_s;
        x->ended_us = world->ended_us;
    }
}

/* End all processes. @return false: one has ended on its own with a code other than 0 */
static bool end_processes(struct swarm *w)
{
    struct swarm_processes *p = processes_of(w);
    const struct mf_scenario *s = w->scenario;
    bool good = true;
    char name[SWARM_NAME_MAX];
    terminate_all(w);
    const bool virtually = p->world.started;
    good = list_process(w, &p->world, "those in virtual time");
    if (virtually) {
        read_codes(w);
        (void)close(p->codes);
    }
    for (uint32_t k = 0; k < s->processes; k++) {
        if (s->process[k].clock == MF_SCENARIO_PROCESS_VIRTUAL) {
            end_virtual(&p->world, &p->process[k]);
        }
        good = list_process(w, &p->process[k], mf_scenario_process_name(&s->process[k])) && good;
    }
    for (uint32_t k = 0; k < p->drones; k++) {
        mf_scenario_member_name(s, p->drone[k].member, name);
        good = list_process(w, &p->drone[k], name) && good;
    }
    free(p->drone);
    p->drone = NULL;
    p->drones = 0;
    return good;
}

const char *swarm_processes_get_server(const struct swarm *w)
{
    return processes_of(w)->virtuals > 0 ? processes_of(w)->address : NULL;
}

static int judge_codes(struct swarm *w, bool goes_on)
{
    (void)goes_on;
    return end_processes(w) ? 0 : 1;
}

static void close_processes(struct swarm *w, int code)
{
    (void)code;
    (void)end_processes(w);
}

const struct swarm_system swarm_processes_system = {
    .name = "processes",
    .bytes = sizeof(struct swarm_processes),
    .on = {[SWARM_CHECK] = swarm_processes_check,
           [SWARM_CONNECT] = prepare_virtual,
           [SWARM_BEGIN] = start_all},
    .metrics = &swarm_patience_metrics,
    .on_standstill = have_virtual_ended,
    .judge = judge_codes,
    .close = close_processes,
};
