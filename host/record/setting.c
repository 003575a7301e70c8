/* SPDX-License-Identifier: Apache-2.0 */
/* Records of settings, for boards that record a drone. */
#include "host/record/setting.h"

#include <stdarg.h>
#include <stdio.h>

void mf_record_setting(struct mf_recorder *recorder, const char *format, ...)
{
    char text[MF_RECORD_BYTES_MAX];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    MF_ASSERT(n > 0 && (size_t)n < sizeof text);
    mf_recorder_setting(recorder, text, (size_t)n);
}
