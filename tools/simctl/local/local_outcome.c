/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what a drone and its commands have left in their folder: addresses, and the outcome. */
#include "tools/simctl/local/local_instance.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define LOG_HEAD       4096u /* the drone's greeting stands at the beginning of its log */
#define EXIT_BAD_INPUT 2     /* of the emulator: it cannot use an argument or a file */
#define EXIT_SIGNAL    128   /* of the emulator, plus the signal that has ended its command */
#define EXIT_LIFETIME_US \
    1500000 /* time before the end of the lifetime in which an end is that one */

/* "tcp 127.0.0.1:37629: ..." of the greeting. */
static void read_address(const char *log, const char *before, char *address)
{
    const char *at = strstr(log, before);
    if (at != NULL && address[0] == '\0') {
        at += strlen(before);
        const size_t n = strcspn(at, "/ \"");
        const size_t len = n > 0 && at[n - 1] == ':' ? n - 1 : n;
        if (len < SIMCTL_ADDRESS_MAX) {
            (void)snprintf(address, SIMCTL_ADDRESS_MAX, "%.*s", (int)len, at);
        }
    }
}

static size_t read_log(const struct simctl_local_site *site, const char *id, char *text)
{
    char path[SIMCTL_PATH_BYTES];
    simctl_local_path(site, id, SIMCTL_EMULATOR_LOG, path);
    FILE *file = fopen(path, "re");
    const size_t n = file != NULL ? fread(text, 1, LOG_HEAD - 1, file) : 0;
    if (file != NULL) {
        (void)fclose(file);
    }
    text[n] = '\0';
    return n;
}

void simctl_local_read_addresses(const struct simctl_local_site *site,
                                 struct simctl_local_instance *x)
{
    char log[LOG_HEAD];
    if (x->i.within.api[0] == '\0' && read_log(site, x->i.id, log) > 0) {
        read_address(log, "\"text\":\"tcp ", x->i.within.tcp);
        read_address(log, "\"text\":\"udp ", x->i.within.udp);
        read_address(log, "http://", x->i.within.api);
    }
}

bool simctl_local_is_run_over(const struct simctl_local_instance *x)
{
    return x->run >= SIMCTL_RUN_COMPLETED;
}

void simctl_local_set_outcome(struct simctl_local_instance *x, enum simctl_outcome outcome,
                              const char *format, ...)
{
    va_list args;
    x->i.outcome = outcome;
    va_start(args, format);
    (void)vsnprintf(x->i.reason, sizeof x->i.reason, format, args);
    va_end(args);
}

/* True if the end of the drone's log has a line. */
static bool has_logged(const struct simctl_local_site *site, const char *id, const char *line)
{
    char path[SIMCTL_PATH_BYTES], log[LOG_HEAD] = "";
    simctl_local_path(site, id, SIMCTL_EMULATOR_LOG, path);
    FILE *file = fopen(path, "re");
    if (file != NULL) {
        (void)fseek(file, -(long)(LOG_HEAD - 1u), SEEK_END); /* fails in a shorter log */
        log[fread(log, 1, LOG_HEAD - 1u, file)] = '\0';
        (void)fclose(file);
    }
    return strstr(log, line) != NULL;
}

/* Judge a drone of an earlier run by its log, since its status is lost. */
static void judge_by_log(const struct simctl_local_site *site, struct simctl_local_instance *x)
{
    if (has_logged(site, x->i.id, "\"shut down by a client\"") ||
        has_logged(site, x->i.id, "\"stopped by a signal\"")) {
        simctl_local_set_outcome(x, SIMCTL_OUTCOME_COMPLETED, "the drone ended");
    } else if (has_logged(site, x->i.id, "\"the command has ended\"")) {
        simctl_local_set_outcome(x, SIMCTL_OUTCOME_ONBOARD_FAILED,
                                 "the runner of its commands was ended by a signal");
    } else {
        simctl_local_set_outcome(x, SIMCTL_OUTCOME_EMULATOR_FAILED,
                                 "the drone ended without a word");
    }
}

/* Judge a drone that has ended with an error, before its lifetime. */
static void judge_failure(const struct simctl_local_site *site, struct simctl_local_instance *x,
                          int status)
{
    char log[LOG_HEAD];
    if (x->onboard && WIFEXITED(status) && WEXITSTATUS(status) > EXIT_SIGNAL) {
        simctl_local_set_outcome(x, SIMCTL_OUTCOME_ONBOARD_FAILED,
                                 "the runner of its commands was ended by signal %d",
                                 WEXITSTATUS(status) - EXIT_SIGNAL);
        return;
    }
    const size_t n = read_log(site, x->i.id, log);
    const bool geoid = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_BAD_INPUT &&
                       strcasestr(log, "fingerprint") != NULL;
    const char *line = n > 0 ? log : "the drone ended without a word";
    simctl_local_set_outcome(
        x, geoid ? SIMCTL_OUTCOME_GEOID_MISMATCH : SIMCTL_OUTCOME_EMULATOR_FAILED, "%s %d: %.160s",
        WIFSIGNALED(status) ? "killed by signal" : "exit code",
        WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), line);
    x->i.reason[strcspn(x->i.reason, "\n")] = '\0';
}

void simctl_local_judge(const struct simctl_local_site *site, struct simctl_local_instance *x,
                        int status)
{
    const bool in_time = simctl_utc_us() < x->i.ends_us - EXIT_LIFETIME_US;
    if (simctl_local_is_run_over(x)) {
        if (x->run == SIMCTL_RUN_COMPLETED && WIFEXITED(status) &&
            WEXITSTATUS(status) == EXIT_BAD_INPUT) {
            simctl_local_set_outcome(x, SIMCTL_OUTCOME_ONBOARD_FAILED,
                                     "a program of the onboard software did not join virtual time");
        } else {
            x->i.outcome = x->run == SIMCTL_RUN_COMPLETED ? SIMCTL_OUTCOME_COMPLETED
                                                          : SIMCTL_OUTCOME_ONBOARD_FAILED;
        }
    } else if (x->i.outcome != SIMCTL_OUTCOME_OPEN) {
        return; /* it is that of the order to end */
    } else if (!in_time) {
        simctl_local_set_outcome(x, SIMCTL_OUTCOME_EXPIRED, "its lifetime is over");
    } else if (status != 0) {
        judge_failure(site, x, status);
    } else if (x->child) {
        simctl_local_set_outcome(x, SIMCTL_OUTCOME_COMPLETED, "the drone ended");
    } else {
        judge_by_log(site, x);
    }
}
