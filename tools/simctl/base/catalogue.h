/* SPDX-License-Identifier: Apache-2.0 */
/** The templates that a controller offers. */
#ifndef MF_SIMCTL_CATALOGUE_H
#define MF_SIMCTL_CATALOGUE_H

#include "tools/simctl/base/template.h"

#define SIMCTL_TEMPLATES_MAX 64u

struct simctl_catalogue {
    unsigned count;
    struct simctl_template template[SIMCTL_TEMPLATES_MAX];
    unsigned refusals; /**< those that cannot be offered, and why */
    struct {
        char name[SIMCTL_NAME_MAX];
        char why[WEB_ERROR_MAX];
    } refusal[SIMCTL_TEMPLATES_MAX];
};

/**
 * @brief Add a template; it replaces the one of its name. @param document  the call consumes its
 * reference; NULL: @p error has the reason already
 */
bool simctl_catalogue_add(struct simctl_catalogue *c, const char *name, json_t *document,
                          struct web_error *error);

/** @brief Note why one is not offered; one of its name that needs no file is not offered, either.
 */
void simctl_catalogue_refuse(struct simctl_catalogue *c, const char *name, const char *why);

/** @brief Is this the name of a file with a template, NAME.yaml? */
bool simctl_catalogue_takes(const char *file);

/** @brief Hand over what a folder holds, NAME.yaml each, in the order of their names, until @p each
 *  returns false. @return false: that, or the folder cannot be read: @p error */
bool simctl_catalogue_each(const char *folder,
                           bool (*each)(void *ctx, const char *name, const char *path,
                                        struct web_error *error),
                           void *ctx, struct web_error *error);

/** @brief Add the one that needs no file, "drone": a drone alone, with the values that
 * most want. */
bool simctl_catalogue_add_drone(struct simctl_catalogue *c, struct web_error *error);

/** @return the template; NULL: @p error lists those that there are */
const struct simctl_template *simctl_catalogue_find(const struct simctl_catalogue *c,
                                                    const char *name, struct web_error *error);

void simctl_catalogue_free(struct simctl_catalogue *c);

#endif
