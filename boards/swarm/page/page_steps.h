/* SPDX-License-Identifier: Apache-2.0 */
/** Live page of worlds that move in steps: teams that search, worlds of cells. */
#ifndef MF_BOARDS_SWARM_PAGE_STEPS_H
#define MF_BOARDS_SWARM_PAGE_STEPS_H

#include "boards/swarm/page/page.h"

extern const struct swarm_page_ops swarm_page_search_ops, swarm_page_grid_ops;

#endif
