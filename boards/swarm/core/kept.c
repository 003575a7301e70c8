/* SPDX-License-Identifier: Apache-2.0 */
/* Starts programs of a scenario under keepers. processes.c and components.c start them, main.c
 * calls swarm_kept_begin(), the end of a run swarm_kept_reclaim(). */
#include "boards/swarm/core/kept.h"

#include "boards/swarm/core/swarm.h"
#include "hal-posix/keeper.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OWN_WORDS 3u /* arguments before those of the program: name, KEEP, pid of the parent */
#define KEEP      "keep-program"

/* true: the run has started a keeper */
const size_t swarm_kept_bytes = sizeof(bool);

static bool *get_keepers_flag(const struct swarm *w)
{
    return w->state[SWARM_SLOT_KEPT];
}

int swarm_kept_spawn(struct swarm *w, pid_t *keeper, char *const *words,
                     const posix_spawn_file_actions_t *files, const posix_spawnattr_t *how,
                     char **environment)
{
    char parent[16], keep[] = KEEP, name[] = "mayfly-swarm";
    size_t n = 0;
    while (words[n] != NULL) {
        n++;
    }
    char **all = calloc(n + OWN_WORDS + 1u, sizeof *all);
    if (all == NULL) {
        return ENOMEM;
    }
    (void)snprintf(parent, sizeof parent, "%d", (int)getpid());
    all[0] = name;
    all[1] = keep;
    all[2] = parent;
    memcpy(&all[OWN_WORDS], words, n * sizeof *all);
    mf_keeper_adopt();
    *get_keepers_flag(w) = true;
    const int error = posix_spawn(keeper, "/proc/self/exe", files, how, all, environment);
    free(all);
    return error;
}

pid_t swarm_kept_find_program(pid_t keeper)
{
    pid_t program = 0;
    (void)mf_keeper_children(keeper, &program, 1);
    return program;
}

void swarm_kept_begin(int argc, char **argv)
{
    if (argc <= (int)OWN_WORDS || strcmp(argv[1], KEEP) != 0) {
        mf_keeper_look();
        return;
    }
    mf_keeper_become((pid_t)strtol(argv[2], NULL, 10));
    (void)execvp(argv[OWN_WORDS], &argv[OWN_WORDS]);
    const int error = errno;
    (void)fprintf(stderr, "mayfly-swarm: %s: %s\n", argv[OWN_WORDS], strerror(error));
    _exit(error == ENOENT ? 127 : 126);
}

void swarm_kept_reclaim(const struct swarm *w)
{
    if (*get_keepers_flag(w)) {
        (void)mf_keeper_end_children(0, 0);
    }
}
