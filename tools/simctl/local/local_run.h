/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The commands of one instance, run by the drone's `mayfly exec`: when the drone is ready, one
 * after the other in the order of their containers, each in a session of its own. The runner waits
 * until a command with a port answers there. The end of the last command is the end of all: the
 * keeper of `mayfly exec` ends the others, and the runner itself does if the keeper is killed.
 */
#ifndef MF_SIMCTL_LOCAL_RUN_H
#define MF_SIMCTL_LOCAL_RUN_H

#include <jansson.h>

/** File of the commands in an instance's folder. */
#define SIMCTL_RUN_FILE "run.json"

/** @brief Run the commands of FOLDER/run.json: [{name, command, env, port, sidecar}]. Each writes
 *  to FOLDER/NAME.log. FOLDER has their state, too (run_state.h).
 *  @return the exit code of the last one; 125: one could not be run */
int simctl_local_run(const char *folder);

#endif
