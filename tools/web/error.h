/* SPDX-License-Identifier: Apache-2.0 */
/** Why a request is refused. */
#ifndef MF_WEB_ERROR_H
#define MF_WEB_ERROR_H

#include <stdbool.h>

#define WEB_ERROR_MAX 256u

/** HTTP status, a word for programs, a line for people. */
struct web_error {
    unsigned status; /**< 0: nothing is wrong */
    const char *code;
    char message[WEB_ERROR_MAX];
};

/** @brief Note an error; the first one counts. @return false */
__attribute__((format(printf, 4, 5))) bool web_refuse(struct web_error *error, unsigned status,
                                                      const char *code, const char *format, ...);

#endif
