/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Groups of processes that Linux ends as a whole (cgroup v2, cgroup.kill of Linux 5.14).
 *
 * A descendant does not leave its group, whatever its session, parent and environment. A group is a
 * folder in the group of the process that makes it, so limits of that one apply. Its maker, the
 * child of a program, holds a lock on it: a group without a lock has lost its maker. Only a system
 * where the user may write to the folder of its own group has such groups; elsewhere all functions
 * do nothing.
 */
#ifndef MF_HAL_POSIX_CGROUP_H
#define MF_HAL_POSIX_CGROUP_H

#include <stdbool.h>

#define MF_CGROUP_PATH_BYTES 512u

/** A group: its folder, open and locked. */
struct mf_cgroup {
    int folder; /**< < 0: none */
    char path[MF_CGROUP_PATH_BYTES];
};

/** @brief Make a group without processes. A failure leaves @p g without a folder. */
void mf_cgroup_make(struct mf_cgroup *g);

/** @brief Move this process to a group. Its later children begin there. */
void mf_cgroup_enter(const struct mf_cgroup *g);

/** @brief Send SIGKILL to all processes of a group, and remove it. */
void mf_cgroup_end(struct mf_cgroup *g);

/** @brief End all groups without a maker.
 *  @param everywhere  true: those of the whole machine that the user may write to; false: those in
 *                     the group of this process
 *  @return true: the maker of a group, or another sweep, is about to end it, since its program has
 *          ended */
bool mf_cgroup_sweep(bool everywhere);

#endif
