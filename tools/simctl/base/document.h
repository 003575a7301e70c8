/* SPDX-License-Identifier: Apache-2.0 */
/** YAML as JSON: the core schema of YAML 1.2, one document, tags without effect. */
#ifndef MF_SIMCTL_DOCUMENT_H
#define MF_SIMCTL_DOCUMENT_H

#include "tools/web/error.h"

#include <jansson.h>
#include <stddef.h>

/** Bytes of a document. */
#define SIMCTL_DOCUMENT_MAX (1u << 20)

/** @brief Read a document. @param name  what errors begin with, "fleet.yaml"
 *  @return a new reference; NULL: @p error says what is wrong and in which line */
json_t *simctl_document_read(const char *name, const char *text, size_t n, struct web_error *error);

/** @brief Parse a file as simctl_document_parse() does a text. */
json_t *simctl_document_load(const char *path, struct web_error *error);

#endif
