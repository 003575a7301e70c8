/* SPDX-License-Identifier: Apache-2.0 */
/* Starts programs of a scenario under keepers. processes.c and components.c start them, main.c
 * calls swarm_kept_begin(), the end of a run swarm_kept_reclaim(). */
#include "boards/swarm/core/kept.h"

#include "hal-posix/keeper.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OWN_WORDS 3u /* arguments before those of the program: name, s_keep, parent's pid */

static char s_keep[] = "keep-program", s_name[] = "mayfly-swarm";
static bool s_any; /* this process has started a keeper */

int swarm_kept_spawn(pid_t *keeper, char *const *words, const posix_spawn_file_actions_t *files,
                     const posix_spawnattr_t *how, char **environment)
{
    char parent[16];
    size_t n = 0;
    while (words[n] != NULL) {
        n++;
    }
    char **all = calloc(n + OWN_WORDS + 1u, sizeof *all);
    if (all == NULL) {
        return ENOMEM;
    }
    (void)snprintf(parent, sizeof parent, "%d", (int)getpid());
    all[0] = s_name;
    all[1] = s_keep;
    all[2] = parent;
    memcpy(&all[OWN_WORDS], words, n * sizeof *all);
    mf_keeper_adopt();
    s_any = true;
    const int error = posix_spawn(keeper, "/proc/self/exe", files, how, all, environment);
    free(all);
    return error;
}

pid_t swarm_kept_program(pid_t keeper)
{
    pid_t program = 0;
    (void)mf_keeper_children(keeper, &program, 1);
    return program;
}

void swarm_kept_begin(int argc, char **argv)
{
    if (argc <= (int)OWN_WORDS || strcmp(argv[1], s_keep) != 0) {
        mf_keeper_look();
        return;
    }
    mf_keeper_become((pid_t)strtol(argv[2], NULL, 10));
    (void)execvp(argv[OWN_WORDS], &argv[OWN_WORDS]);
    const int error = errno;
    (void)fprintf(stderr, "mayfly-swarm: %s: %s\n", argv[OWN_WORDS], strerror(error));
    _exit(error == ENOENT ? 127 : 126);
}

void swarm_kept_reclaim(void)
{
    if (s_any) {
        (void)mf_keeper_end_children(0, 0);
    }
}
