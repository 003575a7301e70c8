/* SPDX-License-Identifier: Apache-2.0 */
/** The live page of worlds that go by steps: teams that search, worlds of cells. */
#ifndef MF_BOARDS_SWARM_PAGE_STEPS_H
#define MF_BOARDS_SWARM_PAGE_STEPS_H

#include "boards/swarm/grid.h"
#include "boards/swarm/page.h"
#include "boards/swarm/team.h"

/** Context: a struct team. */
extern const struct swarm_page_ops swarm_page_search_ops;

/** A world of cells, as the page shows it. */
struct swarm_page_grid {
    const struct swarm_grid *g;
    const struct mf_grid *q;
    char *map; /**< [a level], for its use */
};

/** Context: a struct swarm_page_grid. */
extern const struct swarm_page_ops swarm_page_grid_ops;

#endif
