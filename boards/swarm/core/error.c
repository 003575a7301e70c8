/* SPDX-License-Identifier: Apache-2.0 */
/* Sets errors about the scenario. Files of all rooms call it. */
#include "boards/swarm/core/error.h"

#include "boards/swarm/core/swarm.h"

#include <stdarg.h>
#include <stdio.h>

int swarm_refuse(struct swarm *w, int line, const char *format, ...)
{
    char what[MF_KEYS_ERROR_MAX - MF_SCENARIO_FILE_MAX - 16u];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    (void)snprintf(w->error, sizeof w->error, "%s:%d: %s", w->file, line, what);
    return SWARM_INPUT;
}
