/* SPDX-License-Identifier: Apache-2.0 */
/** Programs of a scenario under a keeper, which ends them with all their descendants
 *  (hal-posix/keeper.h). The keeper is this program, started again: a fork of a swarm would share,
 *  and then copy, the memory of all vehicles. */
#ifndef MF_BOARDS_SWARM_CORE_KEPT_H
#define MF_BOARDS_SWARM_CORE_KEPT_H

#include "boards/swarm/core/swarm.h"
#include <spawn.h>
#include <stdbool.h>
#include <sys/types.h>

/** @brief Start a program under a keeper, as posix_spawnp() does. A program that cannot run ends
 *  with 126 or 127.
 *  @param keeper  out: waitpid() of it returns the program's status  @return 0, or an errno */
int swarm_kept_spawn(struct swarm *w, pid_t *keeper, char *const *words,
                     const posix_spawn_file_actions_t *files, const posix_spawnattr_t *how,
                     char **environment);

/** @brief Process id of the program of a keeper. @return 0: the program has ended */
pid_t swarm_kept_find_program(pid_t keeper);

/** @brief Become a keeper, if the arguments of main() are those of swarm_kept_spawn(). Call it
 * first in main(). */
void swarm_kept_begin(int argc, char **argv);

/** @brief End the programs of keepers that were killed. Call it when no other child runs. */
void swarm_kept_reclaim(const struct swarm *w);

extern const size_t swarm_kept_bytes;

#endif
