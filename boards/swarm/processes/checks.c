/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that this machine can run the scenario's programs. processes.c calls it, and the leaf for
 * its own. */
#include "boards/swarm/processes/processes.h"

#include "fleet/scenario_ghost.h"

#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* Check that the members of a program that is a drone fit it. */
static int check_drones(struct swarm *w, const struct mf_scenario_process *p)
{
    const struct mf_scenario *s = w->scenario;
    const struct mf_scenario_entity *e = mf_scenario_entity_named(s, p->members);
    if (p->members[0] == '\0') {
        return SWARM_OK;
    }
    if (e == NULL || e->as != MF_SCENARIO_KIND_GHOST) {
        return swarm_refuse(w, p->line, "processes: members: '%s' is not an entity of ghosts",
                            p->members);
    }
    if (mf_scenario_process_of(s, e) != p) {
        return swarm_refuse(w, p->line, "processes: members: '%s' are processes already",
                            p->members);
    }
    if (p->clock != MF_SCENARIO_PROCESS_WALL) {
        return swarm_refuse(w, p->line,
                            "processes: members: a drone has the swarm's time; leave out clock");
    }
    return s->outputs.recording.file[0] == '\0' && w->command->replay == NULL
               ? SWARM_OK
               : swarm_refuse(w, p->line,
                              "processes: members: their runs are equal, and need no recording; "
                              "leave out outputs.recording and --replay");
}

/* Run the command of @c needs, whose stderr names a missing thing.
 * @return SWARM_OK or SWARM_INPUT */
static int check_needs(struct swarm *w, const struct mf_scenario_process *p)
{
    char shell[] = "sh", option[] = "-c", needs[sizeof p->needs];
    char *words[] = {shell, option, needs, NULL};
    pid_t pid;
    int status = -1;
    memcpy(needs, p->needs, sizeof needs);
    if (needs[0] == '\0' || (posix_spawnp(&pid, shell, NULL, NULL, words, environ) == 0 &&
                             waitpid(pid, &status, 0) == pid && status == 0)) {
        return SWARM_OK;
    }
    return swarm_refuse(w, p->line, "processes: '%s' lacks what it needs: '%s' failed",
                        mf_scenario_process_name(p), needs);
}

/* Check that a process can run on the leaf that it names. */
static int check_host(struct swarm *w, const struct mf_scenario_process *p)
{
    const char *why =
        !mf_scenario_has_hosts(&w->scenario->hosts) ? "names a leaf, and the scenario has no hosts"
        : p->clock == MF_SCENARIO_PROCESS_VIRTUAL
            ? "on clock: virtual has its sockets on the root's machine; leave out host"
        : p->members[0] != '\0' ? "is a drone, which runs on the root's machine; leave out host"
                                : NULL;
    return why == NULL
               ? SWARM_OK
               : swarm_refuse(w, p->line, "processes: '%s' %s", mf_scenario_process_name(p), why);
}

int swarm_process_check(struct swarm *w, uint32_t k)
{
    const struct mf_scenario_process *p = &w->scenario->process[k];
    return swarm_has_program(p->word[0])
               ? check_needs(w, p)
               : swarm_refuse(w, p->line, "processes: there is no program '%s'", p->word[0]);
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
        if (p->host[0] != '\0') {
            result = check_host(w, p); /* the leaf checks that the program exists */
            continue;
        }
        result = check_drones(w, p);
        result = result == SWARM_OK ? swarm_process_check(w, k) : result;
    }
    return result;
}
