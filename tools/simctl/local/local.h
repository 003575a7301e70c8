/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Instances as processes of this machine: each is one drone, and for onboard and auxiliary
 * containers the commands that the template names instead. The drone is `mayfly exec`, so its own
 * lifetime ends all of them, and so does the end of the onboard software, even after this program
 * has died. A folder per instance holds its order and logs. The next controller finds them there,
 * and the processes by a variable of their environment.
 */
#ifndef MF_SIMCTL_LOCAL_H
#define MF_SIMCTL_LOCAL_H

#include "tools/simctl/base/backend.h"

/** Instances at once. */
#define SIMCTL_LOCAL_MAX 2000u

struct simctl_local;

extern const struct simctl_backend_ops simctl_local_ops;

/**
 * @brief Begin, and adopt living instances of an earlier run.
 * @param folder  is made if missing  @param mayfly  the emulator's program
 * @param self    this program, which runs commands in an instance (local_run.h)
 * @param ca      used until simctl_local_stop(); NULL: templates with certificates are refused
 * @return NULL, and why in @p error
 */
struct simctl_local *simctl_local_start(const char *folder, const char *mayfly, const char *self,
                                        const struct simctl_ca *ca, struct web_error *error);

/** @brief End all instances, and wait for them. Calls of other threads are served meanwhile. */
void simctl_local_end_all(struct simctl_local *local);

/** @brief End all instances, and free @p local: no thread may use it any more. */
void simctl_local_stop(struct simctl_local *local);

#endif
