/* SPDX-License-Identifier: Apache-2.0 */
/** Flags that callers may set by a value `args` of a template. */
#ifndef MF_SIMCTL_FLAGS_H
#define MF_SIMCTL_FLAGS_H

#include "tools/web/error.h"

#include <jansson.h>

/** @brief The drone's flags that callers may set in a template without `flags`: those that change
 *  neither its sockets nor its lifetime and name no file, and --record. @return a new array */
json_t *simctl_flags_default(void);

/** @brief Check the `flags` of a template. @param path   for errors: "values.arguments"
 *  @param drone  the drone's: each must be a setting, and none that the controller sets */
bool simctl_flags_check(const char *path, const json_t *flags, bool drone, struct web_error *error);

/** @brief Check the texts that a caller sets. A text that begins with '-' must be one of the flags,
 *  or one with a value, --NAME=TEXT. The drone takes nothing else than flags and their values, each
 *  flag must have its value, so that it does not take the next argument, and --record names a file
 *  without a folder.
 *  @param name   of the value, for errors  @param flags  array; NULL: none */
bool simctl_flags_allow(const char *name, const json_t *flags, bool drone, const json_t *texts,
                        struct web_error *error);

#endif
