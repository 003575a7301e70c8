/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/local/local_run.h"

#include "tools/simctl/base/shape.h"
#include "tools/simctl/local/process.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define COMMANDS_MAX   16u
#define ARGUMENTS_MAX  64u
#define EXIT_NOT_RUN   125
#define EXIT_SIGNAL    128
#define LOOK_US        2000u
#define PATIENCE_STEPS 2500u /* of LOOK_US, from SIGTERM to SIGKILL */

struct command {
    const char *name;
    pid_t pid;
    bool ended;
    int status;
};

static struct {
    const char *folder;
    struct command command[COMMANDS_MAX];
    size_t count;
    const char *port[COMMANDS_MAX]; /* variables with ports that were given */
    size_t ports;
} s_run;

static volatile sig_atomic_t s_told_to_end;

static void on_signal(int number)
{
    s_told_to_end = s_told_to_end || number != SIGCHLD;
}

static void look(void)
{
    for (size_t i = 0; i < s_run.count; i++) {
        struct command *c = &s_run.command[i];
        c->ended = c->ended || waitpid(c->pid, &c->status, WNOHANG) == c->pid;
    }
}

/* @return the exit code of a status of waitpid() */
static int code_of(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_SIGNAL + WTERMSIG(status);
}

/* Where the drone and other commands are is said by `mayfly exec` and give_port(): what a container
 * has in its env counts in a cluster. */
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
    const pid_t pid = environment != NULL ? simctl_spawn(argv, environment, log, false) : -1;
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
    char *argv[ARGUMENTS_MAX + 1] = {NULL};
    json_t *value;
    size_t i;
    struct command *c = &s_run.command[s_run.count];
    json_array_foreach(json_object_get(about, "command"), i, value)
    {
        if (i < ARGUMENTS_MAX) {
            argv[i] = (char *)json_string_value(value);
        }
    }
    c->name = simctl_shape_text(about, "name", "");
    (void)snprintf(log, sizeof log, "%s/%s.log", s_run.folder, c->name);
    c->pid = spawn(argv, json_object_get(about, "env"), log);
    if (c->pid < 0) {
        (void)fprintf(stderr, "%s: %s: %s\n", c->name, argv[0], strerror(errno));
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
    while (!s_told_to_end && !c->ended && !simctl_port_answers(port)) {
        (void)usleep(LOOK_US);
        look();
    }
    return !s_told_to_end && !c->ended;
}

/* @return how many of them run */
static size_t signal_all(int number)
{
    size_t left = 0;
    look();
    for (size_t i = 0; i < s_run.count; i++) {
        if (!s_run.command[i].ended) {
            left++;
            (void)kill(s_run.command[i].pid, number);
        }
    }
    return left;
}

static void end_all(void)
{
    size_t left = signal_all(SIGTERM);
    for (unsigned step = 0; step < PATIENCE_STEPS && left > 0; step++) {
        (void)usleep(LOOK_US);
        left = signal_all(0); /* none: only asks */
    }
    (void)signal_all(SIGKILL);
}

static void tell(int code)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/" SIMCTL_OUTCOME_FILE, s_run.folder);
    FILE *file = fopen(path, "we");
    if (file != NULL) {
        (void)fprintf(file, "%d\n", code);
        (void)fclose(file);
    }
}

/* Sleeps meanwhile: on the drone's clock each look would be an instant. */
static void wait_for_end(const struct command *c)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, &before);
    for (look(); !s_told_to_end && !c->ended; look()) {
        (void)sigsuspend(&before);
    }
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
}

/* @return the exit code of the last command, if it ran */
static int run(const json_t *list)
{
    size_t i;
    const json_t *about;
    const char *api = getenv("MAYFLY_API_PORT");
    const unsigned drone = api != NULL ? (unsigned)strtoul(api, NULL, 10) : 0;
    while (!s_told_to_end && drone != 0 && !simctl_http_ok(drone, "/readyz")) {
        (void)usleep(LOOK_US);
    }
    json_array_foreach(list, i, about)
    {
        if (s_told_to_end || s_run.count == COMMANDS_MAX) {
            return EXIT_NOT_RUN;
        }
        const unsigned port = give_port(about);
        if (!start(about)) {
            return EXIT_NOT_RUN;
        }
        if (port != 0 && !wait_for_port(&s_run.command[i], port)) {
            (void)fprintf(stderr, "%s: it ended before it answered at port %u\n",
                          s_run.command[i].name, port);
            return EXIT_NOT_RUN;
        }
    }
    const struct command *last = &s_run.command[s_run.count - 1];
    wait_for_end(last);
    return last->ended ? code_of(last->status) : EXIT_SIGNAL + SIGTERM;
}

int simctl_local_run(const char *folder)
{
    char path[4096];
    const struct sigaction action = {.sa_handler = on_signal};
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1); /* what commands leave behind ends with them */
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGCHLD, &action, NULL);
    s_run.folder = folder;
    (void)snprintf(path, sizeof path, "%s/" SIMCTL_RUN_FILE, folder);
    json_t *list = json_load_file(path, 0, NULL);
    if (json_array_size(list) == 0) {
        (void)fprintf(stderr, "simctl: %s lists no commands\n", path);
        json_decref(list);
        return EXIT_NOT_RUN;
    }
    const int code = run(list);
    if (!s_told_to_end) {
        tell(code);
    }
    end_all();
    json_decref(list);
    return code;
}
