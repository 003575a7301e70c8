/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The catalogue as it is now. A folder of templates, such as a ConfigMap that is mounted, is read
 * again when it has changed. Several threads may use a shelf at once: one that answers a request
 * keeps the catalogue that it began with.
 */
#ifndef MF_SIMCTL_SHELF_H
#define MF_SIMCTL_SHELF_H

#include "tools/simctl/base/catalogue.h"

#include <stdint.h>
#include <stdio.h>

/** Could instances of a template run? @return false: @p error says why not */
typedef bool simctl_template_check(void *ctx, const struct simctl_template *t,
                                   struct web_error *error);

struct simctl_shelf;

/** @brief Read a folder for the first time. @param folder  NULL: only the template that needs no
 *  file  @param log  gets a line for what is read or refused later; NULL: none
 *  @return NULL: a template is wrong, and @p error says which and why */
struct simctl_shelf *simctl_shelf_open(const char *folder, FILE *log, struct web_error *error);

/** @brief Let a backend check the templates, at once and whenever they are read. One that it
 * refuses is not offered, or stays as it was. */
void simctl_shelf_check(struct simctl_shelf *s, simctl_template_check *check, void *ctx);

/** @brief The catalogue now, to be given back. The folder is looked at once a second at most; a
 *  template that has become wrong stays as it was. */
const struct simctl_catalogue *simctl_shelf_take(struct simctl_shelf *s);

void simctl_shelf_give_back(struct simctl_shelf *s, const struct simctl_catalogue *c);

/** @brief Nobody has one of its catalogues any more. */
void simctl_shelf_close(struct simctl_shelf *s);

#endif
