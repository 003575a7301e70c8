/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The commands of one instance, run by the drone's `mayfly exec`: when the drone is ready, one
 * after the other in the order of their containers; one that has a port is waited for until it
 * answers there. The end of the last one is the end of all.
 */
#ifndef MF_SIMCTL_LOCAL_RUN_H
#define MF_SIMCTL_LOCAL_RUN_H

#include <jansson.h>

/** Files in an instance's folder. */
#define SIMCTL_RUN_FILE     "run.json"
#define SIMCTL_OUTCOME_FILE "onboard.exit"

/** @brief Run what FOLDER/run.json lists: [{name, command, env, port}]. Each writes to
 *  FOLDER/NAME.log; the exit code of the last one goes to FOLDER/onboard.exit, too.
 *  @return that exit code; 125: it could not be run */
int simctl_local_run(const char *folder);

#endif
