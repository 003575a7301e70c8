/* SPDX-License-Identifier: Apache-2.0 */
/** Step mode of a world of cells: a person on stdin lets ticks pass, looks, and changes things
 * between two ticks. */
#ifndef MF_BOARDS_SWARM_CONSOLE_H
#define MF_BOARDS_SWARM_CONSOLE_H

#include "boards/swarm/grid.h"

#define SWARM_CONSOLE_LINE_MAX 256u

struct swarm_console {
    struct swarm_grid *g;
    struct mf_grid *q;
    struct swarm *w;
    char *map;                     /**< a level as text (mf_grid_map()) */
    uint32_t added, ordered, done; /**< of the spare drones, orders and effects */
    char input[SWARM_CONSOLE_LINE_MAX];
    size_t length; /**< of what has come of the next line */
    bool asked;    /**< and nothing was said since */
    bool ended;    /**< nobody will say anything more */
};

/** @brief What struct swarm_pace calls before a tick. @param ctx  the console */
int swarm_console_turn(void *ctx, bool stands);

#endif
