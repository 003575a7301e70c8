/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/command.h"

#include "tools/simctl/base/shape.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_NOT_RUN 125
#define EXIT_SIGNAL  128
#define HOLD_LABEL   "hold"

static volatile sig_atomic_t s_child;

static void pass_on(int number)
{
    if (s_child > 0) {
        (void)kill((pid_t)s_child, number);
    }
}

/* Set the command's environment: addresses of all instances in numbered variables, and of the first
 * in those of `mayfly exec`. */
static void set_environment(const json_t *instances)
{
    static const char *const k_told[][2] = {{"mavsdk", "MAYFLY_MAVSDK_URL"},
                                            {"pymavlink", "MAYFLY_PYMAVLINK_URL"},
                                            {"api", "MAYFLY_API_URL"},
                                            {"tcp", "MAYFLY_TCP"}};
    size_t i;
    const json_t *one;
    char name[64];
    json_array_foreach(instances, i, one)
    {
        for (size_t k = 0; k < sizeof k_told / sizeof k_told[0]; k++) {
            const char *text = simctl_command_address(one, k_told[k][0], "");
            (void)snprintf(name, sizeof name, "%s_%zu", k_told[k][1], i);
            (void)setenv(name, text, 1);
            if (i == 0) {
                (void)setenv(k_told[k][1], text, 1);
            }
        }
        (void)snprintf(name, sizeof name, "MAYFLY_INSTANCE_%zu", i);
        (void)setenv(name, simctl_shape_text(one, "id", ""), 1);
    }
    (void)snprintf(name, sizeof name, "%zu", json_array_size(instances));
    (void)setenv("MAYFLY_INSTANCES", name, 1);
}

/* Signals go to the command, which decides; before it runs they end the wait. */
static void listen_to_signals(void)
{
    const struct sigaction action = {.sa_handler = pass_on};
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGHUP, &action, NULL);
}

/* @return the exit code of the command */
static int run_command(const struct simctl_options *o)
{
    int status = 0;
    const pid_t pid = fork();
    if (pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGTERM); /* its instances end then, too */
        (void)execvp(o->words[0], o->words);
        perror(o->words[0]);
        _exit(EXIT_NOT_RUN);
    }
    s_child = pid;
    listen_to_signals();
    while (pid > 0 && waitpid(pid, &status, 0) != pid) { /* a signal came */
    }
    return pid < 0             ? EXIT_NOT_RUN
           : WIFEXITED(status) ? WEXITSTATUS(status)
                               : EXIT_SIGNAL + WTERMSIG(status);
}

/* Instances of this run have a label of their own, which the connection holds. */
static bool make_label(char *text, size_t size)
{
    unsigned char random[8];
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) {
        return false;
    }
    size_t n = (size_t)snprintf(text, size, HOLD_LABEL "=");
    for (size_t i = 0; i < sizeof random && n < size; i++) {
        n += (size_t)snprintf(text + n, size - n, "%02x", random[i]);
    }
    return true;
}

/* End all instances with a label, so that they have ended when this program ends. */
static void end_all(const struct simctl_options *o, const char *label)
{
    struct web_error ignored = {0};
    char path[SIMCTL_TARGET_BYTES];
    (void)snprintf(path, sizeof path, "/v1/instances?label=%s", label);
    json_decref(simctl_request(&o->client, "DELETE", path, NULL, &ignored));
}

static int run_held(const struct simctl_options *o, const char *label, struct web_error *error)
{
    int code = EXIT_FAILURE;
    json_t *labels = json_pack("{s:s}", HOLD_LABEL, label + sizeof HOLD_LABEL);
    json_t *answer = simctl_command_start(o, labels, error);
    const json_t *instances = json_object_get(answer, "instances");
    if (answer != NULL) {
        code = o->wait ? simctl_command_show(o, instances, NULL) : EXIT_SUCCESS;
    }
    if (answer != NULL && code == EXIT_SUCCESS) {
        set_environment(instances);
        code = run_command(o);
    }
    json_decref(answer);
    json_decref(labels);
    return code;
}

int simctl_command_run(const struct simctl_options *o)
{
    struct web_error error = {0};
    char label[64];
    if (o->count == 0) {
        return simctl_command_refuse(
            "run needs a command: simctl run [options] -- COMMAND [ARGUMENT]...");
    }
    if (o->request != NULL) {
        return simctl_command_refuse("--request is of up: instances of run end with it");
    }
    struct simctl_hold *hold =
        make_label(label, sizeof label) ? simctl_hold_begin(&o->client, label, &error) : NULL;
    if (hold == NULL) {
        (void)web_refuse(&error, 500, "random", "no random numbers are to be had");
        return simctl_command_failed(&error);
    }
    const int code = run_held(o, label, &error);
    end_all(o, label);
    simctl_hold_end(hold);
    return error.status != 0 ? simctl_command_failed(&error) : code;
}
