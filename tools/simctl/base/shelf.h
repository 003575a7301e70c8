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

/** @brief Read a folder for the first time. A template that is wrong, or that the check refuses, is
 *  not offered; later it stays as it was.
 *  @param folder  NULL: only the template that needs no file
 *  @param log     gets a line for each that is refused, now and later; NULL: none
 *  @param check   of a backend, for each template of the folder whenever it is read; NULL: none
 *  @return NULL: the folder cannot be read, and @p error says why */
struct simctl_shelf *simctl_shelf_open(const char *folder, FILE *log, simctl_template_check *check,
                                       void *ctx, struct web_error *error);

/**
 * @brief Borrow the present catalogue; the caller returns it. Looks at the folder at most once a
 * second. A template that has become wrong stays as it was.
 */
const struct simctl_catalogue *simctl_shelf_take(struct simctl_shelf *s);

void simctl_shelf_give_back(struct simctl_shelf *s, const struct simctl_catalogue *c);

/** @brief Free a shelf whose catalogues all threads have given back. @param s  may be NULL */
void simctl_shelf_close(struct simctl_shelf *s);

#endif
