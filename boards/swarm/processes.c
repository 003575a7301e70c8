/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/processes.h"

#include "boards/swarm/run.h"
#include "boards/swarm/sockets.h"

#include <arpa/inet.h>
#include <errno.h>
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

#define END_S         5.0 /* after SIGTERM; then SIGKILL */
#define END_MS        20
#define SERVER        "mayfly" /* whose exec has the time server */
#define SCRIPT_MAX    16384u
#define VARIABLES_MAX 4096u /* of the swarm's own that a process gets */

struct process {
    pid_t pid; /* 0: it does not run */
    bool started, ended_by_itself;
    double begin_s, end_s;
    mf_us_t ended_us;
    int code; /* 128 and more: a signal */
};

static struct {
    struct process process[MF_SCENARIO_PROCESSES_MAX];
    struct process world; /* of those in virtual time, which are one */
    uint32_t virtuals;
    char server[PATH_MAX + 8u], address[32];
} s_all;

static const char *name_of(const struct mf_scenario_process *p)
{
    return p->name[0] != '\0' ? p->name : p->word[0];
}

/* ---- before time begins */

bool swarm_has_program(const char *program)
{
    const char *path = getenv("PATH");
    char file[PATH_MAX];
    if (strchr(program, '/') != NULL) {
        return access(program, X_OK) == 0;
    }
    while (path != NULL && *path != '\0') {
        const size_t n = strcspn(path, ":");
        (void)snprintf(file, sizeof file, "%.*s/%s", (int)n, path, program);
        if (access(file, X_OK) == 0) {
            return true;
        }
        path += n + (path[n] == ':' ? 1u : 0u);
    }
    return false;
}

static int find_server(struct swarm *w, int line)
{
    char self[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1u);
    self[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
    (void)snprintf(s_all.server, sizeof s_all.server, "%s/%s", self, SERVER);
    return access(s_all.server, X_OK) == 0
               ? SWARM_OK
               : swarm_refuse(w, line,
                              "processes: clock: virtual needs %.200s, whose 'exec --virtual' "
                              "serves the time",
                              s_all.server);
}

/* A port that is free now. */
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
    (void)snprintf(s_all.address, sizeof s_all.address, "127.0.0.1:%u",
                   (unsigned)ntohs(a.sin_port));
    return SWARM_OK;
}

/* @return SWARM_OK, or SWARM_INPUT: the command has said on stderr what is missing */
static int check_needs(struct swarm *w, const struct mf_scenario_process *p)
{
    static char s_shell[] = "sh", s_command[] = "-c";
    char needs[sizeof p->needs], *words[] = {s_shell, s_command, needs, NULL};
    pid_t pid;
    int status = -1;
    memcpy(needs, p->needs, sizeof needs);
    if (needs[0] == '\0' || (posix_spawnp(&pid, s_shell, NULL, NULL, words, environ) == 0 &&
                             waitpid(pid, &status, 0) == pid && status == 0)) {
        return SWARM_OK;
    }
    return swarm_refuse(w, p->line, "processes: '%s' lacks what it needs: '%s' failed", name_of(p),
                        needs);
}

int swarm_processes_check(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    int result = SWARM_OK;
    for (uint32_t k = 0; k < s->processes && result == SWARM_OK; k++) {
        const struct mf_scenario_process *p = &s->process[k];
        if (p->words == 0) {
            return swarm_refuse(w, p->line, "processes: '%s' needs run: [PROGRAM, ...]", p->name);
        }
        if (!swarm_has_program(p->word[0])) {
            return swarm_refuse(w, p->line, "processes: there is no program '%s'", p->word[0]);
        }
        result = check_needs(w, p);
    }
    return result;
}

int swarm_processes_prepare(struct swarm *w, const char **server)
{
    const struct mf_scenario *s = w->scenario;
    int first = 0;
    for (uint32_t k = 0; k < s->processes; k++) {
        if (s->process[k].clock == MF_SCENARIO_PROCESS_VIRTUAL) {
            first = s_all.virtuals++ == 0 ? s->process[k].line : first;
        }
    }
    const int checked = swarm_processes_check(w);
    if (s_all.virtuals == 0 || checked != SWARM_OK) {
        return checked;
    }
    if (s->time.clock != MF_SCENARIO_CLOCK_LOCKSTEP || *server != NULL) {
        return swarm_refuse(w, first,
                            "processes: programs in virtual time own the swarm's: time.clock must "
                            "be lockstep, and --time-server is theirs");
    }
    *server = s_all.address;
    const int result = find_server(w, first);
    return result == SWARM_OK ? find_port(w, first) : result;
}

/* ---- they run */

static int start(struct swarm *w, struct process *x, char **words, char **environment, int line)
{
    const int error = posix_spawnp(&x->pid, words[0], NULL, NULL, words, environment);
    if (error != 0) {
        x->pid = 0;
        return swarm_refuse(w, line, "processes: %s: %s", words[0], strerror(error));
    }
    x->started = true;
    x->begin_s = swarm_wall_s();
    return SWARM_OK;
}

/* @return whether the scenario gives a variable of the swarm's own, "NAME=value", another value */
static bool is_given(const struct mf_scenario_process *p, const char *variable)
{
    for (uint32_t i = 0; i < p->env.params; i++) {
        const size_t n = strlen(p->env.param[i].name);
        if (strncmp(variable, p->env.param[i].name, n) == 0 && variable[n] == '=') {
            return true;
        }
    }
    return false;
}

/* The swarm's environment, but for what the scenario says. It stays until the next call. */
static char **environment_of(const struct mf_scenario_process *p)
{
    static char s_given[MF_SCENARIO_OWN_MAX]
                       [sizeof p->env.param[0].name + sizeof p->env.param[0].value + 1u];
    static char *s_variable[VARIABLES_MAX + MF_SCENARIO_OWN_MAX + 1u];
    size_t n = 0;
    for (char **own = environ; *own != NULL && n < VARIABLES_MAX; own++) {
        if (!is_given(p, *own)) {
            s_variable[n++] = *own;
        }
    }
    for (uint32_t i = 0; i < p->env.params; i++) {
        (void)snprintf(s_given[i], sizeof s_given[i], "%s=%s", p->env.param[i].name,
                       p->env.param[i].value);
        s_variable[n++] = s_given[i];
    }
    s_variable[n] = NULL;
    return s_variable;
}

/* A word for a shell. @return bytes put */
static size_t quote(char *to, size_t room, const char *word)
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

/* All programs in virtual time, in their order; the code is the first that is not 0. */
static bool write_script(const struct swarm *w, char *script)
{
    const struct mf_scenario *s = w->scenario;
    char given[SWARM_SOCKETS_VARIABLES][SWARM_SOCKETS_TEXT];
    size_t n = 0;
    for (uint32_t k = 0; k < s->processes; k++) {
        const struct mf_scenario_process *p = &s->process[k];
        if (p->clock != MF_SCENARIO_PROCESS_VIRTUAL) {
            continue;
        }
        const size_t sockets = swarm_sockets_environment(w, p->node, given);
        for (size_t i = 0; i < sockets; i++) {
            n += (size_t)snprintf(script + n, SCRIPT_MAX - n, "%s ", given[i]);
        }
        for (uint32_t i = 0; i < p->env.params; i++) {
            n += (size_t)snprintf(script + n, SCRIPT_MAX - n, "%s=", p->env.param[i].name);
            n += quote(script + n, SCRIPT_MAX - n, p->env.param[i].value);
            script[n++] = ' ';
        }
        for (uint32_t i = 0; i < p->words; i++) {
            if (n + 4u * MF_SCENARIO_WORD_MAX > SCRIPT_MAX) {
                return false;
            }
            n += quote(script + n, SCRIPT_MAX - n, p->word[i]);
            script[n++] = ' ';
        }
        n += (size_t)snprintf(script + n, SCRIPT_MAX - n, "& p%u=$!\n", (unsigned)k);
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
    static char s_script[SCRIPT_MAX], s_exec[] = "exec", s_virtual[] = "--virtual";
    static char s_world[] = "--world", s_drones[] = "--world-drones", s_one[] = "1", s_end[] = "--";
    static char s_shell[] = "sh", s_command[] = "-c";
    char *words[] = {s_all.server, s_exec, s_virtual, s_world,   s_all.address, s_drones,
                     s_one,        s_end,  s_shell,   s_command, s_script,      NULL};
    if (!write_script(w, s_script)) {
        return swarm_refuse(w, w->scenario->process[0].line,
                            "processes: the commands in virtual time are too long together");
    }
    return start(w, &s_all.world, words, environ, w->scenario->process[0].line);
}

int swarm_processes_start(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    int result = SWARM_OK;
    for (uint32_t k = 0; k < s->processes && result == SWARM_OK; k++) {
        const struct mf_scenario_process *p = &s->process[k];
        char *words[MF_SCENARIO_WORDS_MAX + 1u] = {NULL};
        if (p->clock == MF_SCENARIO_PROCESS_VIRTUAL) {
            continue;
        }
        for (uint32_t i = 0; i < p->words; i++) {
            words[i] = w->scenario->process[k].word[i];
        }
        MF_ASSERT(words[0] != NULL); /* swarm_processes_prepare() */
        result = start(w, &s_all.process[k], words, environment_of(p), p->line);
    }
    return result == SWARM_OK && s_all.virtuals > 0 ? start_world(w) : result;
}

/* ---- they end */

static void look(struct swarm *w, struct process *x, bool by_itself)
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

bool swarm_processes_virtual(void)
{
    return s_all.virtuals > 0;
}

bool swarm_processes_over(struct swarm *w)
{
    if (s_all.virtuals > 0) {
        look(w, &s_all.world, true);
    }
    return s_all.virtuals > 0 && s_all.world.started && s_all.world.pid == 0;
}

static bool end(struct swarm *w, struct process *x, const char *name)
{
    const double until_s = swarm_wall_s() + END_S;
    if (!x->started) {
        return true;
    }
    look(w, x, true);
    if (x->pid > 0) {
        (void)kill(x->pid, SIGTERM);
    }
    while (x->pid > 0) {
        (void)poll(NULL, 0, END_MS);
        if (swarm_wall_s() > until_s) {
            (void)kill(x->pid, SIGKILL);
        }
        look(w, x, false);
    }
    (void)printf("process   %s: %s %d at %.6f s, %.3f s of the wall%s\n", name,
                 x->code < 128 ? "code" : "signal", x->code < 128 ? x->code : x->code - 128,
                 (double)x->ended_us / 1e6, x->end_s - x->begin_s,
                 x->ended_by_itself ? "" : ", told to end");
    x->started = false;
    return !x->ended_by_itself || x->code == 0;
}

bool swarm_processes_end(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    bool good = true;
    for (uint32_t k = 0; k < s->processes; k++) {
        good = end(w, &s_all.process[k], name_of(&s->process[k])) && good;
    }
    return end(w, &s_all.world, "those in virtual time") && good;
}
