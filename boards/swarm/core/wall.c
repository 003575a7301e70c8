/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the wall clock and this process's memory. Files of all rooms call it. */
#include "boards/swarm/core/wall.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double swarm_wall_s(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void swarm_wall_end_progress(double left_s)
{
    if (isfinite(left_s) && left_s >= 0.0) {
        const bool minutes = left_s >= 120.0;
        (void)fprintf(stderr, ", %.0f %s left", minutes ? left_s / 60.0 : left_s,
                      minutes ? "min" : "s");
    }
    (void)fputc('\n', stderr);
}

double swarm_resident_mb(void)
{
    char line[128];
    double kb = 0.0;
    FILE *file = fopen("/proc/self/status", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        kb = strncmp(line, "VmHWM:", 6) == 0 ? strtod(line + 6, NULL) : kb;
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return kb * 1024.0 / 1e6;
}
