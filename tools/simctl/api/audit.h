/* SPDX-License-Identifier: Apache-2.0 */
/** The audit: one line for each change that a caller requested, done or refused. */
#ifndef MF_SIMCTL_AUDIT_H
#define MF_SIMCTL_AUDIT_H

#include "tools/simctl/base/tenant.h"

#include <stdio.h>

/** Texts may hold anything; an empty one is written as "-". */
struct simctl_change {
    const struct simctl_who *who; /**< the caller; empty: unknown */
    const char *from;             /**< address */
    const char *what;             /**< a word, or method and path of a request */
    const char *id;               /**< of an instance */
    const char *result;           /**< "done", the code of the error, or what the drone answered */
};

/** Bytes of a line, with its NUL. Each text is cut where it takes more than its share. */
#define SIMCTL_AUDIT_MAX 1280u

/** @brief "TIME audit tenant=T caller=C from=ADDRESS what=W instance=ID result=R". A text with a
 *  space, a quote or what is not ASCII stands in quotes, and is escaped: it never begins a line.
 *  @param line  out [SIMCTL_AUDIT_MAX], without a line feed */
void simctl_audit_line(const struct simctl_change *change, const char *time, char *line);

/** @brief Write the line, with the time now. @param out  NULL: nowhere */
void simctl_audit(FILE *out, const struct simctl_change *change);

#endif
