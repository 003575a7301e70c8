/* SPDX-License-Identifier: Apache-2.0 */
/* Starts the program that plots the files of a run (tools/plot/plot.py). main.c calls it. */
#include "boards/swarm/program/plot.h"

#include "boards/swarm/core/swarm.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM "mayfly-swarm-plot"

int swarm_plot(int argc, char **argv)
{
    char path[PATH_MAX + sizeof PROGRAM];
    if (argc < 2 || strcmp(argv[1], "plot") != 0) {
        return SWARM_OK;
    }
    const ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash != NULL) {
        (void)snprintf(slash + 1, sizeof PROGRAM, "%s", PROGRAM);
        (void)execv(path, argv + 1);
    }
    (void)execvp(PROGRAM, argv + 1);
    (void)fprintf(stderr,
                  "mayfly-swarm: plot: " PROGRAM ": %s: it is tools/plot/plot.py of the sources, "
                  "and belongs beside mayfly-swarm or on the PATH; it needs python3-matplotlib\n",
                  strerror(errno));
    return SWARM_INPUT;
}
