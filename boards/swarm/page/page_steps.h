/* SPDX-License-Identifier: Apache-2.0 */
/** The live page of worlds that go by steps: teams that search, worlds of cells. */
#ifndef MF_BOARDS_SWARM_PAGE_STEPS_H
#define MF_BOARDS_SWARM_PAGE_STEPS_H

#include "boards/swarm/cells/grid.h"
#include "boards/swarm/page/page.h"
#include "boards/swarm/search/team.h"

/** Context: a struct team. */
extern const struct swarm_page_ops swarm_page_search_ops;

/** Tasks whose answers are kept; characters of the reason why one is refused. */
#define SWARM_PAGE_ANSWERS 64u
#define SWARM_PAGE_WHY_MAX 200u

/** What came of a task that a browser gave. */
struct swarm_page_answer {
    uint32_t request, task; /**< the browser's number; the task's, 0: it is refused */
    char why[SWARM_PAGE_WHY_MAX];
};

/** A world of cells, as the page shows it. */
struct swarm_page_grid {
    const struct swarm_grid *g;
    const struct mf_grid *q;
    char *map;      /**< [a level], for its use */
    uint32_t asked; /**< tasks that browsers have given, the last of them answered here */
    struct swarm_page_answer answer[SWARM_PAGE_ANSWERS]; /**< the n-th at n % SWARM_PAGE_ANSWERS */
};

/** Context: a struct swarm_page_grid. */
extern const struct swarm_page_ops swarm_page_grid_ops;

#endif
