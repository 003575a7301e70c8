/* SPDX-License-Identifier: Apache-2.0 */
/** Values that replace those of a scenario's file: a variation, and --set (scenario.h). */
#ifndef MF_FLEET_SCENARIO_GIVEN_H
#define MF_FLEET_SCENARIO_GIVEN_H

#include "fleet/keys.h"
#include "fleet/scenario.h"

/** Text of the file, to check that it has a ${NAME} for each given value. */
struct mf_given_text {
    const char *text;
    size_t size;
};

/** Dotted key of one --set, and its value; the caller frees the tree. */
struct mf_given_tree {
    char path[MF_KEYS_PATH_MAX];
    struct mf_yaml *tree;
};

/** @brief Take the values of a variation, by its name or by its number from 0.
 * @return false: unknown variation; @p r has the error */
bool mf_given_variation(struct mf_reading *r, const struct mf_node *root, const char *wanted,
                        struct mf_scenario *s);

/** @brief Take "dotted.key=VALUE" and "NAME=VALUE" of the command line. @param own  [given->sets]
 * @return false: @p r has the error */
bool mf_given_values(struct mf_reading *r, const struct mf_scenario_given *given,
                     const struct mf_given_text *file, struct mf_given_tree *own);

#endif
