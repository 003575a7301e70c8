/* SPDX-License-Identifier: Apache-2.0 */
/** Bodies of a controller's answers. */
#ifndef MF_SIMCTL_CLIENT_ANSWER_H
#define MF_SIMCTL_CLIENT_ANSWER_H

#include "tools/web/error.h"

#include <jansson.h>

/** @brief Read the document of an answer. @param url  of the controller @param text  NULL: no body
 *  @return a new reference; NULL: @p error */
json_t *simctl_answer_read(const char *url, const char *text, struct web_error *error);

/** @brief Note the error of an answer whose status is not 2xx, in the controller's words if it sent
 * any. @param text  NULL: no body */
void simctl_answer_refuse(long status, const char *text, struct web_error *error);

#endif
