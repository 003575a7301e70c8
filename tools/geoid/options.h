/* SPDX-License-Identifier: Apache-2.0 */
/** Arguments of a command: options from a table, and what is left. */
#ifndef MF_TOOLS_GEOID_OPTIONS_H
#define MF_TOOLS_GEOID_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct geoid_option {
    const char *name;   /**< "--model" */
    const char **value; /**< out: of the last one given; NULL: not given */
};

/** @brief Read `--name VALUE` and `--name=VALUE`. Only what begins with `--` is an option, and
 *  after a `--` alone nothing is: -33.9,18.4 is a place. What is not an option is moved to the
 *  front of
 *  @p argv, in order. Complains on stderr.
 *  @return how many are left, or -1 */
int geoid_options(int argc, char **argv, const struct geoid_option *table, size_t n);

/** @brief A number that is all of @p text and within bounds. Complains on stderr. */
bool geoid_number(const char *name, const char *text, double min, double max, double *value);

#endif
