/* SPDX-License-Identifier: Apache-2.0 */
/** The live page of vehicles, agents and ghosts. */
#ifndef MF_BOARDS_SWARM_PAGE_WORLD_H
#define MF_BOARDS_SWARM_PAGE_WORLD_H

#include "boards/swarm/swarm.h"

/** @brief Between two pieces of a run: all have run up to and including w->now_us. */
void swarm_page_world_turn(struct swarm *w);

/** @brief The last picture of a run. */
void swarm_page_world_end(struct swarm *w);

#endif
