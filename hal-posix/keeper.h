/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Commands that end with all their descendants, daemons included.
 *
 * A keeper is a process between a program and a command that the program starts. Linux makes the
 * keeper the parent of each descendant of the command whose own parent has ended
 * (PR_SET_CHILD_SUBREAPER), whatever sessions and groups the descendants have made. When the
 * command has ended, or the program has died, the keeper ends all its children until none is left.
 * If the keeper itself is killed, its children become the program's, which has called
 * mf_keeper_adopt(). If all of them are killed, a group of processes remains (cgroup.h), which the
 * next keeper in the same group ends.
 *
 * The keeper also keeps the lifetime of program and command, since the command may stop the
 * program.
 *
 * Only children of the calling process get signals. Linux does not give the number of a child to
 * another process before its parent has called waitpid(), so no signal can reach an unrelated
 * process. Children are read from /proc/self/task (CONFIG_PROC_CHILDREN).
 */
#ifndef MF_HAL_POSIX_KEEPER_H
#define MF_HAL_POSIX_KEEPER_H

#include "hal-posix/lifetime.h"
#include "hal/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** Time from SIGTERM to SIGKILL, after the end of the command or of the lifetime. */
#define MF_KEEPER_PATIENCE_US (4 * MF_SECOND_US)
/** Time from SIGTERM to SIGKILL, after the end of the program. */
#define MF_KEEPER_HASTE_US (2 * MF_SECOND_US)

/** @brief Look for children that the process had before this program replaced its program (exec of
 * a shell). A process with such children adopts and ends none, since it cannot distinguish them.
 * Call it first in main(). */
void mf_keeper_look(void);

/** @brief Become the parent of descendants whose own parents end. */
void mf_keeper_adopt(void);

/**
 * @brief Start a keeper, and a process for its command: fork() with a keeper between.
 *
 * The keeper passes SIGTERM, SIGINT and SIGHUP to the command, except those of a terminal, which
 * the command gets itself. The keeper ends as the command did: waitpid() returns the command's
 * status. Call it in the thread that ends last: Linux reports the end of that thread.
 *
 * At the end of the lifetime the keeper ends the command and all others, then continues the program
 * if it is stopped.
 *
 * @param command   out: id of the command's process, which stays a zombie until the keeper ends
 * @param lifetime  the keeper uses its own copy of the memory
 * @return id of the keeper; 0 in the command's process; -1 with errno
 */
pid_t mf_keeper_fork(pid_t *command, const struct mf_lifetime *lifetime);

/** @brief Make this process the keeper of a command without a lifetime. Return in the command's
 *  process only.
 *  @param parent  id of the program's process */
void mf_keeper_become(pid_t parent);

/**
 * @brief End all children, and their children as these become children of this process.
 *
 * Send SIGTERM, and SIGCONT for stopped ones, then SIGKILL. Call it in a program without other
 * threads that call waitpid().
 *
 * @param patience_us  time from SIGTERM to SIGKILL; 0: SIGKILL at once
 * @param command      a child that stays a zombie, so that its status can be read; 0: none
 * @return false: some do not end, since they belong to another user
 */
bool mf_keeper_end_children(mf_us_t patience_us, pid_t command);

/** @brief Read the ids of the children of a process, oldest first: the first child of a keeper is
 * its command.  @return number of ids, at most @p max */
size_t mf_keeper_children(pid_t pid, pid_t *child, size_t max);

#endif
