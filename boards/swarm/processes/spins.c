/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the process that runs without waiting in virtual time, and ends it when patience is
 * over. processes.c calls it. */
#include "boards/swarm/processes/spins.h"

#include "boards/swarm/core/trace.h"
#include "boards/swarm/processes/patience.h"
#include "host/time/virtual_message.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MARK "SWARM_PROCESS"

struct spins {
    pid_t pid;  /* process that runs; 0: none */
    uint32_t k; /* index of the scenario's process that it belongs to */
    struct swarm_patience patience;
    bool dropped[MF_SCENARIO_PROCESSES_MAX];
};

const size_t swarm_spins_bytes = sizeof(struct spins);

static struct spins *spins_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_SPINS];
}

/* Shortest patience of the programs in virtual time, after which the server reports [s, wall]; 0:
 * none. */
static double shortest_patience_s(const struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    double least_s = 0.0;
    for (uint32_t k = 0; k < s->processes; k++) {
        const struct mf_scenario_process *p = &s->process[k];
        if (p->clock == MF_SCENARIO_PROCESS_VIRTUAL && p->patience_s > 0.0 &&
            (least_s <= 0.0 || p->patience_s < least_s)) {
            least_s = p->patience_s;
        }
    }
    return least_s;
}

void swarm_spins_server(const struct swarm *w, int fd, char text[SWARM_SPINS_TEXT])
{
    (void)snprintf(text, SWARM_SPINS_TEXT, MF_VIRTUAL_TELLS_ENV "=%d:%.3f", fd,
                   shortest_patience_s(w));
}

void swarm_spins_environment(uint32_t k, char text[SWARM_SPINS_TEXT])
{
    (void)snprintf(text, SWARM_SPINS_TEXT, MARK "=%d.%u", (int)getpid(), (unsigned)k);
}

/* ---- owner of a process */

static bool is_of_process(pid_t pid, uint32_t k)
{
    char path[64], mark[SWARM_SPINS_TEXT];
    char *variable = NULL;
    size_t room = 0;
    bool found = false;
    (void)snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    FILE *file = fopen(path, "re");
    swarm_spins_environment(k, mark);
    while (file != NULL && !found && getdelim(&variable, &room, '\0', file) > 0) {
        found = strcmp(variable, mark) == 0;
    }
    free(variable);
    if (file != NULL) {
        (void)fclose(file);
    }
    return found;
}

/* Kill process @p k of the scenario, and all its children. */
static void kill_process(uint32_t k)
{
    DIR *folder = opendir("/proc");
    for (const struct dirent *e = NULL; folder != NULL && (e = readdir(folder)) != NULL;) {
        const pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);
        if (pid > 0 && is_of_process(pid, k)) {
            (void)kill(pid, SIGKILL);
        }
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
}

bool swarm_spins_receive(struct swarm *w, const char *line)
{
    struct spins *spins = spins_of(w);
    const struct mf_scenario *s = w->scenario;
    const bool runs = strncmp(line, "runs ", 5) == 0;
    if (!runs && strncmp(line, "waits", 5) != 0) {
        return false;
    }
    swarm_patience_end(w, &spins->patience);
    spins->pid = runs ? (pid_t)strtol(line + 5, NULL, 10) : 0;
    for (spins->k = 0; spins->pid > 0 && spins->k < s->processes; spins->k++) {
        if (is_of_process(spins->pid, spins->k)) {
            spins->patience.since_s = swarm_wall_s() - shortest_patience_s(w);
            return true;
        }
    }
    spins->pid = 0;
    return true;
}

void swarm_spins_look(struct swarm *w)
{
    struct spins *spins = spins_of(w);
    char who[64];
    if (spins->pid == 0) {
        return;
    }
    const struct mf_scenario_process *p = &w->scenario->process[spins->k];
    const char *name = mf_scenario_process_name(p);
    (void)snprintf(who, sizeof who, "program '%.48s'", name);
    const enum swarm_patience_verdict verdict =
        swarm_patience_check(w, &spins->patience,
                             &(struct swarm_patience_rule){.key = "processes",
                                                           .line = p->line,
                                                           .patience_s = p->patience_s,
                                                           .silent = p->silent,
                                                           .who = who,
                                                           .at_us = w->now_us});
    if (verdict == SWARM_PATIENCE_LASTS) {
        return;
    }
    kill_process(spins->k);
    spins->pid = 0;
    if (verdict == SWARM_PATIENCE_DROPS) {
        spins->dropped[spins->k] = true;
        swarm_trace(swarm_trace_of(w), (uint64_t)w->now_us * 1000u,
                    "process %s has left: it was silent", name);
        swarm_patience_end(w, &spins->patience);
    }
}

bool swarm_spins_has_dropped(const struct swarm *w, uint32_t k)
{
    return spins_of(w)->dropped[k];
}
