/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/web/error.h"

#include <stdarg.h>
#include <stdio.h>

bool web_refuse(struct web_error *error, unsigned status, const char *code, const char *format, ...)
{
    va_list args;
    if (error->status == 0) {
        error->status = status;
        error->code = code;
        va_start(args, format);
        (void)vsnprintf(error->message, sizeof error->message, format, args);
        va_end(args);
    }
    return false;
}
