/* SPDX-License-Identifier: Apache-2.0 */
/** The commands of an instance as FOLDER/run.json has them: [{name, command, env, port, sidecar}].
 */
#ifndef MF_SIMCTL_RUN_LIST_H
#define MF_SIMCTL_RUN_LIST_H

#include <jansson.h>

/** Most commands of an instance, and words of one. */
#define SIMCTL_RUN_COMMANDS  16u
#define SIMCTL_RUN_ARGUMENTS 64u

/** @brief Check that a document is a list which the runner can run. @return NULL; else static text:
 * what the document is or has */
const char *simctl_run_list_check(const json_t *list);

#endif
