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
    const struct swarm *w;
    char *map;                     /**< a level as text (mf_grid_map()) */
    bool plays;                    /**< ticks pass without asking */
    uint64_t until;                /**< ... and up to this one in any case */
    uint32_t added, ordered, done; /**< of the spare drones, orders and effects */
    char input[SWARM_CONSOLE_LINE_MAX];
    size_t length; /**< of what has come of the next line */
    bool ended;    /**< nobody will say anything more */
};

/** @brief Before a tick: asks, or looks whether anything was said.
 *  @return false: the run ends here */
bool swarm_console_turn(struct swarm_console *c, const volatile int *stop);

#endif
