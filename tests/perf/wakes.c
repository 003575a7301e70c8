/* SPDX-License-Identifier: Apache-2.0 */
/* What it costs to wake a thread of a program in virtual time (mayfly exec --virtual): from the end
 * of its wait over the server, which serves the drone at two instants, to the end of its next one.
 * Blocks are short, and the best one counts: a busy machine disturbs most of them. Prints
 * 'virtual.wake MICROSECONDS us'. */
#include "tools/virtual-time/raw.h"

#include <stdio.h>
#include <time.h>

#define BLOCKS 200
#define WAKES  500

/* By the wall, whose time the library hides. */
static double wall_us(void)
{
    struct timespec t = {0};
    (void)vt_raw(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

int main(void)
{
    const struct timespec wait = {.tv_nsec = 1000000};
    double best_us = 1e9;
    for (int block = 0; block < BLOCKS; block++) {
        const double begin_us = wall_us();
        for (int i = 0; i < WAKES; i++) {
            (void)nanosleep(&wait, NULL);
        }
        const double us = (wall_us() - begin_us) / WAKES;
        best_us = us < best_us ? us : best_us;
    }
    printf("virtual.wake %.2f us\n", best_us);
    return 0;
}
