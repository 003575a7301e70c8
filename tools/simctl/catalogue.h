/* SPDX-License-Identifier: Apache-2.0 */
/** The templates that a controller offers. */
#ifndef MF_SIMCTL_CATALOGUE_H
#define MF_SIMCTL_CATALOGUE_H

#include "tools/simctl/template.h"

#define SIMCTL_TEMPLATES_MAX 64u

struct simctl_catalogue {
    unsigned count;
    struct simctl_template template[SIMCTL_TEMPLATES_MAX];
};

/** @brief Add what a folder holds, NAME.yaml each, in the order of their names. @return false: one
 *  is wrong, and @p error says which and why */
bool simctl_catalogue_load(struct simctl_catalogue *c, const char *folder, struct web_error *error);

/** @brief Add the one that needs no file, "drone": a drone alone, with the values that
 * most want. */
bool simctl_catalogue_add_drone(struct simctl_catalogue *c, struct web_error *error);

/** @return the template; NULL: @p error lists those that there are */
const struct simctl_template *simctl_catalogue_find(const struct simctl_catalogue *c,
                                                    const char *name, struct web_error *error);

void simctl_catalogue_free(struct simctl_catalogue *c);

#endif
