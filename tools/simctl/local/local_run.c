/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/local/local_run.h"

#include "hal-posix/keeper.h"
#include "tools/simctl/base/shape.h"
#include "tools/simctl/local/local_instance.h"
#include "tools/simctl/local/process.h"
#include "tools/simctl/local/run_list.h"
#include "tools/simctl/local/run_state.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_NOT_RUN 125
#define EXIT_SIGNAL  128
#define LOOK_US      2000u

struct command {
    const char *name;
    bool sidecar;
    pid_t pid;
    bool ended;
    int status;
};

static struct {
    const char *folder;
    struct command command[SIMCTL_RUN_COMMANDS];
    size_t count;
    const char *port[SIMCTL_RUN_COMMANDS]; /* variables that have got a port */
    size_t ports;
} s_run;

static volatile sig_atomic_t s_told_to_end;

static void on_signal(int number)
{
    s_told_to_end = s_told_to_end || number != SIGCHLD;
}

/* Write the state of the commands, and why it is so, for the controller (local_state.h). */
__attribute__((format(printf, 2, 3))) static void report(enum simctl_run_state state,
                                                         const char *format, ...)
{
    char reason[SIMCTL_REASON_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    (void)simctl_run_state_write(s_run.folder, state, reason);
}

/* Write how a command has ended. */
static void report_end(enum simctl_run_state state, const struct command *c, const char *then)
{
    if (WIFEXITED(c->status)) {
        report(state, "%s ended with exit code %d%s", c->name, WEXITSTATUS(c->status), then);
    } else {
        report(state, "%s was ended by signal %d%s", c->name, WTERMSIG(c->status), then);
    }
}

static void check_commands(void)
{
    for (size_t i = 0; i < s_run.count; i++) {
        struct command *c = &s_run.command[i];
        c->ended = c->ended || waitpid(c->pid, &c->status, WNOHANG) == c->pid;
    }
}

/* @return a command that should run and has ended; NULL: all run. The last one is not looked at */
static const struct command *find_broken(void)
{
    for (size_t i = 0; i + 1u < s_run.count; i++) {
        const struct command *c = &s_run.command[i];
        if (c->ended && (c->sidecar || c->status != 0)) {
            return c;
        }
    }
    return NULL;
}

/* @return the exit code of a status of waitpid() */
static int code_of(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_SIGNAL + WTERMSIG(status);
}

/*
 * True for a variable with an address of the drone or a command: `mayfly exec` and give_port() set
 * these here. A container's env counts in a cluster only.
 */
static bool is_given(const char *name)
{
    bool given = strncmp(name, "MAYFLY_", 7) == 0;
    for (size_t i = 0; i < s_run.ports; i++) {
        given = given || strcmp(name, s_run.port[i]) == 0;
    }
    return given && getenv(name) != NULL;
}

/* Ours, and over it that of a container. @param own  out: from here on the texts are new
 * @return to be freed; NULL: no memory */
static char **environment_of(const json_t *env, size_t *own)
{
    size_t n = 0;
    const char *name;
    json_t *value;
    while (environ[n] != NULL) {
        n++;
    }
    char **list = calloc(n + json_object_size(env) + 1, sizeof *list);
    if (list == NULL) {
        return NULL;
    }
    memcpy(list, environ, n * sizeof *list);
    *own = n;
    json_object_foreach((json_t *)env, name, value)
    {
        const size_t length = strlen(name);
        size_t at = 0;
        while (at < *own && (strncmp(list[at], name, length) != 0 || list[at][length] != '=')) {
            at++;
        }
        if (is_given(name) || asprintf(&list[n], "%s=%s", name, json_string_value(value)) < 0) {
            list[n] = NULL;
            continue;
        }
        n++;
        if (at < *own) { /* the new one stands for it */
            memmove(list + at, list + at + 1, (n - at) * sizeof *list);
            (*own)--;
            n--;
        }
    }
    return list;
}

static pid_t spawn(char **argv, const json_t *env, const char *log)
{
    size_t own = 0;
    char **environment = environment_of(env, &own);
    const pid_t pid = environment != NULL ? simctl_spawn(argv, environment, log) : -1;
    const int why = errno;
    for (size_t i = own; environment != NULL && environment[i] != NULL; i++) {
        free(environment[i]);
    }
    free(environment);
    errno = why;
    return pid;
}

static bool start(const json_t *about)
{
    char log[4096];
    char *argv[SIMCTL_RUN_ARGUMENTS + 1] = {NULL};
    json_t *value;
    size_t i;
    struct command *c = &s_run.command[s_run.count];
    json_array_foreach(json_object_get(about, "command"), i, value)
    {
        argv[i] = (char *)json_string_value(value);
    }
    c->name = simctl_shape_text(about, "name", "");
    c->sidecar = json_is_true(json_object_get(about, "sidecar"));
    (void)snprintf(log, sizeof log, "%s/%s.log", s_run.folder, c->name);
    (void)setenv(SIMCTL_FOLDER_VARIABLE, log, 1); /* not the drone's: local.c looks for that one */
    c->pid = spawn(argv, json_object_get(about, "env"), log);
    if (c->pid < 0) {
        report(SIMCTL_RUN_FAILED, "%s: %s: %s", c->name, argv[0], strerror(errno));
        return false;
    }
    s_run.count++;
    return true;
}

/* A port of its own for a command, in a variable that those after it have, too. */
static unsigned give_port(const json_t *about)
{
    char text[16];
    const char *variable = simctl_shape_text(about, "port", NULL);
    const unsigned port = variable != NULL ? simctl_free_port() : 0;
    if (port != 0) {
        (void)snprintf(text, sizeof text, "%u", port);
        (void)setenv(variable, text, 1);
        s_run.port[s_run.ports++] = variable;
    }
    return port;
}

/* @return false: it ended before it answered, or all is to end */
static bool wait_for_port(const struct command *c, unsigned port)
{
    report(SIMCTL_RUN_STARTING, "%s does not answer at its port %u yet", c->name, port);
    while (!s_told_to_end && !c->ended && !simctl_port_answers(port)) {
        (void)usleep(LOOK_US);
        check_commands();
    }
    return !s_told_to_end && !c->ended;
}

/* Sleep until the last command ends: on the drone's clock each look would be an instant. */
static void wait_for_end(const struct command *last)
{
    sigset_t all, before;
    const struct command *broken = NULL;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, &before);
    check_commands();
    if (!last->ended) {
        report(SIMCTL_RUN_READY, "%s", "");
    }
    while (!s_told_to_end && !last->ended) {
        if (broken == NULL && (broken = find_broken()) != NULL) {
            report_end(SIMCTL_RUN_DEGRADED, broken, "");
        }
        (void)sigsuspend(&before);
        check_commands();
    }
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Look for the programs before anything waits. @return false: one cannot be started */
static bool check_programs(const json_t *list)
{
    size_t i;
    const json_t *about;
    json_array_foreach(list, i, about)
    {
        const json_t *command = json_object_get(about, "command");
        const char *name = simctl_shape_text(about, "name", "");
        const char *program = json_string_value(json_array_get(command, 0));
        const int error = simctl_find_program(program);
        if (error != 0) {
            report(SIMCTL_RUN_FAILED, "%s: %s: %s", name, program,
                   error == ENOENT ? "no such file" : strerror(error));
            return false;
        }
    }
    return true;
}

/* @return the exit code of the last command, if it ran */
static int run(const json_t *list)
{
    size_t i;
    const json_t *about;
    const char *api = getenv("MAYFLY_API_PORT");
    const unsigned drone = api != NULL ? (unsigned)strtoul(api, NULL, 10) : 0;
    if (!check_programs(list)) {
        return EXIT_NOT_RUN;
    }
    report(SIMCTL_RUN_STARTING, "the drone is not ready yet");
    while (!s_told_to_end && drone != 0 && !simctl_http_ok(drone, "/readyz")) {
        (void)usleep(LOOK_US);
    }
    json_array_foreach(list, i, about)
    {
        const bool last = i + 1u == json_array_size(list);
        const unsigned port = s_told_to_end ? 0 : give_port(about);
        if (port == 0 && !s_told_to_end && json_object_get(about, "port") != NULL) {
            report(SIMCTL_RUN_FAILED, "%s: no port is free", simctl_shape_text(about, "name", ""));
            return EXIT_NOT_RUN;
        }
        if (s_told_to_end || !start(about)) {
            return EXIT_NOT_RUN;
        }
        const struct command *c = &s_run.command[i];
        if (port != 0 && !wait_for_port(c, port) && !last && !s_told_to_end) {
            report_end(SIMCTL_RUN_FAILED, c, " before it answered at its port");
            return EXIT_NOT_RUN;
        }
    }
    const struct command *last = &s_run.command[s_run.count - 1];
    wait_for_end(last);
    if (!last->ended) {
        return EXIT_SIGNAL + SIGTERM;
    }
    report_end(last->status == 0 ? SIMCTL_RUN_COMPLETED : SIMCTL_RUN_FAILED, last, "");
    return code_of(last->status);
}

int simctl_local_run(const char *folder)
{
    char path[4096];
    const struct sigaction action = {.sa_handler = on_signal};
    const pid_t keeper = getppid();
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGCHLD, &action, NULL);
    mf_keeper_adopt();
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    s_run.folder = folder;
    (void)snprintf(path, sizeof path, "%s/" SIMCTL_RUN_FILE, folder);
    json_t *list = json_load_file(path, 0, NULL);
    const char *wrong = list != NULL ? simctl_run_list_check(list) : "cannot be read";
    if (wrong != NULL) {
        report(SIMCTL_RUN_FAILED, "%s %s", path, wrong);
        json_decref(list);
        return EXIT_NOT_RUN;
    }
    const int code = run(list);
    if (getppid() != keeper) { /* else the keeper does this when this process has ended */
        (void)mf_keeper_end_children(MF_KEEPER_HASTE_US, 0);
    }
    json_decref(list);
    return code;
}
