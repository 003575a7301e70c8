/* SPDX-License-Identifier: Apache-2.0 */
/** Answers of the stand-ins that serve HTTP: JSON, errors shaped as in docs/api.md. */
#ifndef MF_STANDIN_ANSWER_H
#define MF_STANDIN_ANSWER_H

#include "tools/web/web.h"

#include <jansson.h>

/** @brief Answer with a document. @param document  taken over */
void standin_answer(struct web_answer *answer, unsigned status, json_t *document);

/** @brief Answer with an error. Of the type that struct web_settings wants. @param ctx  unused */
void standin_answer_error(void *ctx, unsigned status, const char *code, const char *text,
                          struct web_answer *answer);

#endif
